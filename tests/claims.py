"""The shoe that a file claims, for tests whose auditor repeats it."""

import json
from pathlib import Path

import polars

from combinat import Shoe
from tests.conftest import Ran, Run


def claimed_shoe(path: Path) -> Shoe | None:
    """The shoe in the head of a CSV log or in a counts file; None: it names none."""
    content = path.read_bytes() if path.is_file() else b""
    if content.startswith(b'{\n  "schema": "combinat/counts/'):
        cards: dict[str, int] = json.loads(content)["shoe"]["cards"]
        return Shoe.parse(" ".join(f"{rank}={count}" for rank, count in cards.items()))
    if content.startswith(b"PAR1"):
        try:
            in_metadata = polars.read_parquet_metadata(path).get("cards")
        except polars.exceptions.PolarsError:
            return None
        return Shoe.parse(in_metadata) if in_metadata else None
    for line in content.splitlines()[:10]:
        if line.startswith(b"# cards: "):
            return Shoe.parse(line.decode().removeprefix("# cards: "))
        if line.startswith(b"# decks: "):
            return Shoe.of_decks(int(line.decode().removeprefix("# decks: ")))
    return None


def repeating(run: Run) -> Run:
    """The runner, with an auditor who repeats the shoe of a file that is not of four to eight decks."""

    def run_repeating(*words: str, **given: str) -> Ran:
        named = {"--cards", "--decks"} & set(words)
        shoe = claimed_shoe(Path(words[1])) if len(words) > 1 and not named else None
        is_usual = shoe is None or (shoe.decks is not None and 4 <= shoe.decks <= 8)
        repeated = () if is_usual else ("--cards", str(shoe))
        return run(*words, *repeated, **given)

    return run_repeating
