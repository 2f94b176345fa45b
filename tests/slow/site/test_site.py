"""The site of the documentation, built as ``make docs`` builds it and opened in Chromium."""

import re
from pathlib import Path
from typing import Literal

import pytest

from tests.explorer.browser import CHROMIUM, browser
from tests.html_page import Elements
from tests.paths import ROOT
from tests.programs import python


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the built site; a link that leads nowhere is a failure."""
    folder = tmp_path_factory.mktemp("site")
    words = ["-m", "mkdocs", "build", "--quiet", "--site-dir", str(folder)]
    built = python(*words, folder=ROOT, NO_MKDOCS_2_WARNING="1")
    assert built.code == 0, built.out + built.err
    return folder


def loaded(page: str) -> list[str]:
    """What a page loads by itself: scripts, styles, pictures, frames. Links to follow are no part of it."""
    followed = ("canonical", "next", "prev")
    return [
        str(named[key])
        for tag, named in Elements(page).tags
        for key in ("src", "href")
        if key in named and tag != "a" and (tag != "link" or named.get("rel") not in followed)
    ]


def test_no_page_of_the_site_loads_anything_from_elsewhere(site: Path) -> None:
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > 25
    for path in pages:
        far = [address for address in loaded(path.read_text("utf-8")) if re.match(r"(\w+:)?//", address)]
        assert far == [], path.name
    for path in site.rglob("*.css"):
        assert not re.search(r"url\([\"']?(https?:)?//|@import", path.read_text("utf-8")), path.name


@pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
def test_the_site_is_opened_from_a_file_and_searched(site: Path) -> None:
    asked: list[str] = []
    said: list[str] = []
    with browser() as chromium:
        page = chromium.new_page(viewport={"width": 1280, "height": 900})
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        for name in ("index.html", "reference/rule-book.html", "reference/python.html"):
            page.goto((site / name).as_uri())
        page.click(".md-search__input")
        page.type(".md-search__input", "martingale")
        page.wait_for_selector(".md-search-result__item")
        links = page.eval_on_selector_all(
            ".md-search-result__link", "links => links.map((link) => link.href)"
        )
        page.set_viewport_size({"width": 390, "height": 844})
        page.goto((site / "protection.html").as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert any("protect" in link for link in links)
    assert (said, [address for address in asked if not address.startswith(("file:", "data:", "blob:"))]) == (
        [],
        [],
    )


@pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_colours_of_the_site_can_be_read(site: Path, scheme: Literal["light", "dark"]) -> None:
    """Contrast, and links that are told from words by more than their colour; by axe-core."""
    from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]

    rules = {"runOnly": ["color-contrast", "link-in-text-block"]}
    with browser() as chromium:
        page = chromium.new_page(viewport={"width": 1280, "height": 900}, color_scheme=scheme)
        for name in ("index", "python", "reference/rule-book"):
            page.goto((site / f"{name}.html").as_uri())
            broken = Axe().run(page, options=rules).response["violations"]
            assert [(rule["id"], rule["nodes"][0]["html"]) for rule in broken] == [], name
