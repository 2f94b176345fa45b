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
from figures_page import figures_page  # noqa: E402
from notebook_page import notebook_page  # noqa: E402
from python_page import python_page  # noqa: E402
from rule_book_page import rule_book_page  # noqa: E402
from schemas_page import schemas_page  # noqa: E402

OF_THE_ROOT = {
    "README.md": "readme-page.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "SECURITY.md": "security.md",
}
"""Pages that stand in the root of the repository, and where the site has them."""

SECTIONS: dict[str, dict[str, str]] = {
    "Tutorials": {
        "tutorials/filing.md": "Filing an analysis",
        "tutorials/reviewing.md": "Reviewing a report",
        "tutorials/logs.md": "Simulators and logs",
        "tutorials/protection.md": "Protecting a game",
        "tutorials/designing.md": "Designing a bet",
    },
    "Guides": {
        "rule-books.md": "Rule books",
        "logs.md": "Logs and cross-checks",
        "protection.md": "Game protection",
        "reports.md": "Reports and verification",
        "at-the-table.md": "At the table",
        "python.md": "In Python",
        "mathematics.md": "The mathematics",
    },
    "Notebooks": {
        "notebooks/first-look.md": "A first look",
        "notebooks/counting-and-batches.md": "Counting and batches",
    },
    "Reference": {
        "commands.md": "Commands and files",
        "reference/commands.md": "Options of every command",
        "reference/rule-book.md": "Keys of a rule book",
        "reference/python.md": "Names of the library",
        "reference/schemas.md": "JSON Schemas",
        "reference/figures.md": "Figures",
    },
    "For developers": {
        "readme-page.md": "README",
        "house.md": "The house",
        "contributing.md": "Contributing",
        "changelog.md": "Changelog",
        "security.md": "Security",
    },
}
"""The pages in their order, with what the navigation calls them; one that is not named is a guide or a notebook."""


def made_pages() -> dict[str, str]:
    """What the site has besides docs/, by its place: references from the program, notebooks, pages of the root."""
    pages = {
        "reference/rule-book.md": rule_book_page(),
        "reference/commands.md": commands_page(),
        "reference/python.md": python_page(),
        "reference/figures.md": figures_page(),
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

    >>> of_the_root("[a](docs/glossary.md#b), [c](README.md), [d](tests/x.py), [e](https://example.org)")
    '[a](glossary.md#b), [c](readme-page.md), d, [e](https://example.org)'
    """

    def led(link: re.Match[str]) -> str:
        place = OF_THE_ROOT.get(link["path"], link["path"].removeprefix("docs/"))
        is_there = place != link["path"]
        return f"[{link['words']}]({place}{link['anchor'] or ''})" if is_there else link["words"]

    return _NEAR.sub(led, text).replace(' src="docs/', ' src="')


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
    sections: dict[str, list[Any]] = {
        title: [{words: place} for place, words in pages.items() if place in places]
        for title, pages in SECTIONS.items()
    }
    for place in others:
        sections["Notebooks" if place.startswith("notebooks/") else "Guides"].append(place)
    return [{"Home": "index.md"}, *({title: pages} for title, pages in sections.items() if pages)]


_NEAR = re.compile(r"\[(?P<words>[^\[\]]+)\]\((?P<path>\w[\w./-]*)(?P<anchor>#[\w-]+)?\)")
"""A link to a file of the repository, in a page of the root."""

_OUT = re.compile(r"\[(?P<words>[^\[\]]+)\]\((?P<up>(?:\.\./)+)(?P<path>[\w./-]+)(?P<anchor>#[\w-]+)?\)")
"""A link that goes up."""

_NOTEBOOK = re.compile(r"\]\(([\w./-]+)\.ipynb\)")
"""A link to a notebook, which is a page of the site."""


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    """Let links to notebooks and to pages of the root lead to where the site has them; what it has not is named alone."""
    markdown = _NOTEBOOK.sub(r"](\1.md)", markdown)
    depth = page.file.src_uri.count("/")

    def led(link: re.Match[str]) -> str:
        if link["up"].count("../") <= depth:
            return link[0]
        place = OF_THE_ROOT.get(link["path"], "")
        if files.get_file_from_path(place) is None:
            return link["words"]
        return f"[{link['words']}]({'../' * depth}{place}{link['anchor'] or ''})"

    return _OUT.sub(led, markdown)
