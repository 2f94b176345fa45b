"""The corpus of rule books: three good ones, and one bad one per refusal."""

from tests.paths import CORPUS

FOLDER = CORPUS / "rulebooks"
GOOD = [FOLDER / "good.toml", FOLDER / "good-plain.toml", FOLDER / "good-table.toml"]
BAD = sorted(set(FOLDER.iterdir()) - set(GOOD))
