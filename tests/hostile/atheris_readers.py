"""The readers under a fuzzer that follows coverage, where atheris is installed: ``make slow M=fuzz`` uses it then.

    python -m tests.hostile.atheris_readers SECONDS [SEED [READER]]

Each reader has a process of its own, since libFuzzer does not come back. It begins with the same valid inputs,
sees by the branches that an input takes which are worth changing further, and is held to the same law. An input
that breaks the law is kept as ``found-READER-SEED-coverage.new``.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.hostile.corpus import content, files
from tests.hostile.fuzzer import HERE, Chance, check_law

MOST_BYTES = 20_000


def main(arguments: list[str]) -> int:
    """Fuzz one reader, or all in turn, each for its share of the time; 1 where one broke the law."""
    seconds, seed, *names = [*arguments, *["60", "1"][len(arguments) :]]
    if names:
        fuzz_reader(names[0], int(seconds), int(seed))
        return 0
    from tests.hostile.readers import READERS  # not in the process that watches their imports

    share = str(max(1, int(seconds) // len(READERS)))
    codes = []
    for name in READERS:
        print(f"{name}: coverage followed for {share} s, seed {seed}", flush=True)
        command = [sys.executable, "-m", "tests.hostile.atheris_readers", share, seed, name]
        with tempfile.TemporaryDirectory() as temporary:  # libFuzzer leaves without tidying up
            environment = os.environ | {"TMPDIR": temporary}
            ran = subprocess.run(command, check=False, cwd=HERE.parent.parent, env=environment)
        codes.append(ran.returncode)
    return int(any(codes))


def fuzz_reader(name: str, seconds: int, seed: int) -> None:
    """Fuzz one reader; the process ends with it."""
    import atheris  # no need of the plain suite, which imports this page for its examples

    with atheris.instrument_imports(include=["combinat"]):
        from tests.hostile.readers import READERS
    reader = READERS[name]
    with tempfile.TemporaryDirectory() as temporary:
        corpus, work = Path(temporary, "corpus"), Path(temporary, "work")
        corpus.mkdir()
        work.mkdir()
        os.chdir(work)
        for number, seed_content in enumerate(reader.seeds()):
            (corpus / f"seed-{number}").write_bytes(seed_content)
        for path in files():
            if path.parent.name == reader.name:
                (corpus / path.name).write_bytes(content(path))

        def change(given: bytes, most: int, chance: int) -> bytes:
            """Half of the changes know the form of the input, and half are libFuzzer's own."""
            if chance % 2:
                return bytes(atheris.Mutate(given, most))
            try:
                return reader.structured(Chance(chance), given)[:most]
            except Exception:  # no longer of that form
                return bytes(atheris.Mutate(given, most))

        options = [
            f"-max_total_time={seconds}",
            f"-seed={seed % 2**31}",
            f"-max_len={MOST_BYTES}",
            "-timeout=0",  # the law has its own bounds
            "-rss_limit_mb=0",
            "-verbosity=0",
            "-print_final_stats=1",
            f"-exact_artifact_path={HERE / f'found-{reader.name}-{seed}-coverage.new'}",
        ]
        atheris.Setup(
            ["readers", *options, str(corpus)],
            lambda given: check_law(reader, given, work) and None,
            custom_mutator=change,
        )
        atheris.Fuzz()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
