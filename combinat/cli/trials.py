"""What this machine can do, found by doing it: each trial does a small piece of the real work."""

import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter_ns

from combinat.base.errors import CombinatError, shortened
from combinat.cli.output import one_line
from combinat.report.machine import State, Trial

Try = Callable[[], str]
"""Does something, and says what came of it; what it raises is why it fails."""


def trials(folder: Path) -> Iterator[Trial]:
    """Every trial, one after the other. ``folder``: where reports would be written."""
    for what, needs, extra, attempt in _TRIALS:
        missing = [name for name in needs if not _is_there(name)]
        if missing:
            said = f"{', '.join(missing)} not installed: pip install 'combinat[{extra}]'"
            yield Trial(what=what, state=State.MISSING, said=said)
        else:
            yield tried(what, attempt)
    yield tried("write files here", lambda: _written(folder))
    yield tried("print every letter", _printed)


def tried(what: str, attempt: Try) -> Trial:
    """One trial; whatever it raises, it has failed and the next one goes on."""
    begun = perf_counter_ns()
    try:
        said = attempt()
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # also a panic of a library in another language
        why = str(error) if isinstance(error, CombinatError) else f"{type(error).__name__}: {error}"
        return Trial(what=what, state=State.FAILS, said=shortened(one_line(why), 300))
    return Trial(what=what, state=State.WORKS, said=f"{said}, {(perf_counter_ns() - begun) // 1_000_000} ms")


def _is_there(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except (ImportError, ValueError):
        return False


def _rule_books() -> str:
    """Every shipped rule book is there and passes all checks."""
    from combinat.rules.book.find import checked_sums, rule_book_paths
    from combinat.rules.book.load import examined_book
    from combinat.rules.book.reader import file_bytes

    paths = rule_book_paths()
    if lost := [game_id for game_id in checked_sums() if game_id not in paths]:
        raise CombinatError(
            f"no rule book of {', '.join(lost)} in tables/; this installation is damaged: install combinat again"
        )
    bets = 0
    for path in paths.values():
        examined = examined_book(file_bytes(path), path, path.parent, again=True)
        if examined.book is None:
            raise CombinatError(f"{path.name}: {examined.mistakes[0]}")
        bets += len(examined.book.game.bets)
    return f"{len(paths)} rule books, {bets} bets"


def _odds() -> str:
    """All sequences of six cards of eight decks are counted, neither more nor fewer."""
    from combinat.engine.walk import walk
    from combinat.rules.shoe import Shoe

    sequences = walk(Shoe.of_decks(8)).sample_space
    if sequences != 416 * 415 * 414 * 413 * 412 * 411:
        raise CombinatError(f"eight decks have other sequences than the {sequences} that were counted")
    return f"{sequences} card sequences of 8 decks"


def _kernel() -> str:
    from combinat.engine import kernel

    compiled: list[str] = []
    if not kernel.load(lambda: compiled.append("compiled now")):
        raise CombinatError("numba is installed but cannot be used here; shoes are evaluated without it")
    return compiled[0] if compiled else "compiled before, loaded"


def _pdf() -> str:
    from combinat.render.blocks import Paragraph, Section
    from combinat.render.pdf import Front, pdf

    page = pdf(Section("A page", (Paragraph("1/2"),)), Front(subject="a page", mark="", foot=""))
    if not page.startswith(b"%PDF-"):
        raise CombinatError("what typst made is no PDF")
    return f"a page of {len(page)} bytes"


def _workbook() -> str:
    import io

    import xlsxwriter  # type: ignore[import-untyped, unused-ignore]

    made = io.BytesIO()
    with xlsxwriter.Workbook(made, {"in_memory": True}) as book:
        book.add_worksheet("odds").write(0, 0, "1/2")
    return f"a workbook of {len(made.getvalue())} bytes"


def _judge() -> str:
    from scipy import stats  # type: ignore[import-untyped, unused-ignore]

    if not stats.chi2.sf(0, 1) == 1:
        raise CombinatError("scipy gives a wrong chance for a statistic of 0")
    return "scipy counts chances"


def _parquet() -> str:
    import io

    import polars

    made = io.BytesIO()
    polars.DataFrame({"rank": ["A"], "cards": [32]}).write_parquet(made)
    made.seek(0)
    if polars.read_parquet(made).rows() != [("A", 32)]:
        raise CombinatError("polars reads something else than it wrote")
    return "a Parquet file, written and read"


def _sign() -> str:
    from combinat.certify.signature import signer, write_key_pair

    with tempfile.TemporaryDirectory() as name:
        private = Path(name) / "private.pem"
        write_key_pair(private, Path(name) / "public.pem")
        signer(private).sign(b"combinat")
    return "a key pair, a signature"


def _cluster() -> str:
    from importlib.metadata import version

    return f"distributed {version('distributed')} is here"


def _written(folder: Path) -> str:
    from combinat.base.files import write_whole

    with tempfile.TemporaryDirectory(dir=folder, prefix=".combinat-doctor.") as name:
        write_whole(Path(name) / "trial.txt", "combinat")
    free = shutil.disk_usage(folder).free // 1_000_000
    if free < 50:
        raise CombinatError(f"only {free} MB are free; the report of a game takes about 20")
    return f"{free} MB are free"


def _printed() -> str:
    encoding = getattr(sys.stdout, "encoding", None) or "none"
    try:
        "\N{GREEK SMALL LETTER SIGMA}\N{MINUS SIGN}\N{BLACK SPADE SUIT}".encode(encoding)
    except (LookupError, UnicodeEncodeError):
        return f"{encoding}: letters it lacks are shown as escapes; PYTHONIOENCODING=utf-8 shows them"
    return encoding


_TRIALS: Sequence[tuple[str, tuple[str, ...], str, Try]] = (
    ("read the rule books", (), "", _rule_books),
    ("count exactly", (), "", _odds),
    ("compile the kernel", ("numba",), "fast", _kernel),
    ("draw PDFs", ("typst",), "report", _pdf),
    ("write workbooks", ("xlsxwriter",), "report", _workbook),
    ("judge simulations and logs", ("scipy",), "crosscheck", _judge),
    ("read and write Parquet", ("polars",), "parquet", _parquet),
    ("read zstd", ("zstandard",), "crosscheck", lambda: "zstandard is here"),
    ("sign and verify", ("cryptography", "securesystemslib"), "sign", _sign),
    ("deal on a cluster", ("distributed",), "cluster", _cluster),
)
"""What is tried, the modules it needs, the extra that brings them, and the trial."""
