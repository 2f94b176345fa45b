"""Read the rule books of tables/, and prepare them for combinat's start: ``make regenerate``."""

from pathlib import Path

from combinat.rules.prepared import FOLDER, prepared_file
from combinat.rules.rule_book_files import rule_book_paths
from combinat.rules.rulebook import parsed_rule_book, whole_data


def prepared_books() -> dict[str, bytes]:
    """The file of every rule book that comes with combinat, each of them fully checked, by its name."""
    return {f"{game_id}.json": _prepared(path) for game_id, path in rule_book_paths().items()}


def _prepared(path: Path) -> bytes:
    content = path.read_bytes()
    assert parsed_rule_book(content, path).content == content, "a shipped rule book states all of itself"
    text = content.decode("utf-8")
    return prepared_file(text, whole_data(text, path))


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, written in prepared_books().items():
        (FOLDER / name).write_bytes(written)
