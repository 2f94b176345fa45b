"""What the list of commands says of each, read from its source, so that the list imports no command."""

from pathlib import Path

FOLDER = Path(__file__).parent


def summary(place: str) -> str:
    """The first paragraph of a command's docstring; ``place``: its module in this folder, and its function.

    >>> summary("rules:games")
    'List the rule books, one line each.'
    """
    module, _, function = place.partition(":")
    source = (FOLDER / f"{module}.py").read_text(encoding="utf-8")
    docstring = source.partition(f"\ndef {function}(")[2].split('"""')[1]
    return " ".join(docstring.partition("\n\n")[0].split())
