"""The pages of the site: their order, those that are made from the program, and links that lead out of docs/.

A hook of mkdocs (``mkdocs.yml``). A page of docs/ that no section names is a guide, so that none is forgotten.
"""

import re
import sys
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT), str(Path(__file__).parent)]

from commands_page import commands_page  # noqa: E402
from notebook_page import notebook_page  # noqa: E402
from python_page import python_page  # noqa: E402
from rule_book_page import rule_book_page  # noqa: E402
from schemas_page import schemas_page  # noqa: E402

OF_THE_ROOT = {
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "SECURITY.md": "security.md",
}
"""Pages that stand in the root of the repository, and where the site has them."""

SECTIONS: dict[str, list[str]] = {
    "Tutorials": [
        f"tutorials/{name}.md" for name in ("filing", "reviewing", "logs", "protection", "designing")
    ],
    "Guides": [],
    "Reference": [
        *("commands.md", "reference/commands.md", "terminal.md"),
        *("reference/rule-book.md", "rule-books.md", "gallery.md"),
        *("reference/python.md", "python.md", "formats.md", "reference/schemas.md", "words.md"),
    ],
    "Background": ["mathematics.md", "verification.md", "readings.md", "proof.md", "speed.md"],
    "For developers": ["house.md", "contributing.md", "changelog.md", "security.md"],
}


def made_pages() -> dict[str, str]:
    """What the site has besides docs/, by its place: references from the program, notebooks, pages of the root."""
    pages = {
        "reference/rule-book.md": rule_book_page(),
        "reference/commands.md": commands_page(),
        "reference/python.md": python_page(),
        "reference/schemas.md": schemas_page(ROOT / "docs" / "schemas"),
    }
    for path in sorted((ROOT / "docs" / "notebooks").glob("*.ipynb")):
        pages[f"notebooks/{path.stem}.md"] = notebook_page(path.read_text("utf-8"))
    for name, place in OF_THE_ROOT.items():
        if (ROOT / name).is_file():
            pages[place] = of_the_root((ROOT / name).read_text("utf-8"))
    return pages


def of_the_root(text: str) -> str:
    """A page of the root with its links as the site has them; what it has not is named, not linked.

    >>> of_the_root("[a](docs/words.md#b), [c](README.md), [d](tests/x.py), [e](https://example.org)")
    '[a](words.md#b), [c](index.md), d, [e](https://example.org)'
    """

    def led(link: re.Match[str]) -> str:
        place = {"README.md": "index.md", **OF_THE_ROOT}.get(link["path"], link["path"].removeprefix("docs/"))
        is_there = place != link["path"]
        return f"[{link['words']}]({place}{link['anchor'] or ''})" if is_there else link["words"]

    return _NEAR.sub(led, text)


def on_files(files: Files, config: Any) -> Files:
    """Add what is made, and put all pages in order."""
    for place, text in made_pages().items():
        files.append(File.generated(config, place, content=text))
    config.nav = ordered([file.src_uri for file in files.documentation_pages()])
    return files


def ordered(places: list[str]) -> list[Any]:
    """The navigation: home, then the sections with those of their pages that there are."""
    named = {place for section in SECTIONS.values() for place in section}
    others = sorted(place for place in places if place not in named | {"index.md"})
    notebooks = [place for place in others if place.startswith("notebooks/")]
    sections = SECTIONS | {
        "Guides": [place for place in others if place not in notebooks],
        "Notebooks": notebooks,
    }
    order = ("Tutorials", "Guides", "Notebooks", "Reference", "Background", "For developers")
    listed = [{title: [place for place in sections[title] if place in places]} for title in order]
    return ["index.md", *(section for section in listed if any(section.values()))]


_NEAR = re.compile(r"\[(?P<words>[^\[\]]+)\]\((?P<path>\w[\w./-]*)(?P<anchor>#[\w-]+)?\)")
"""A link to a file of the repository, in a page of the root."""

_OUT = re.compile(r"\[(?P<words>[^\[\]]+)\]\((?P<up>(?:\.\./)+)(?P<path>[\w./-]+)(?P<anchor>#[\w-]+)?\)")
"""A link that goes up."""


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    """Let links to pages of the root lead to where the site has them; what it has not is named, not linked."""
    depth = page.file.src_uri.count("/")

    def led(link: re.Match[str]) -> str:
        if link["up"].count("../") <= depth:
            return link[0]
        place = {"README.md": "index.md", **OF_THE_ROOT}.get(link["path"], "")
        if files.get_file_from_path(place) is None:
            return link["words"]
        return f"[{link['words']}]({'../' * depth}{place}{link['anchor'] or ''})"

    return _OUT.sub(led, markdown)
