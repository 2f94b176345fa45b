"""A browser for the tests: Debian's Chromium, a page from a file, its console messages and its requests."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
QUIET = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)

AXE = "(only) => axe.run(only ? { runOnly: only } : {}).then((run) => run.violations.map((one) => [one.id, one.nodes.map((node) => node.html)]))"
OF_COLOUR = ["color-contrast", "link-in-text-block"]
"""The rules of axe-core that look at colours."""


def axe() -> str:
    """The source of axe-core, from the package that ships it."""
    spec = find_spec("axe_playwright_python")
    assert spec is not None, "axe-core is not installed: pip install axe-playwright-python"
    assert spec.origin is not None
    return (Path(spec.origin).parent / "axe.min.js").read_text("utf-8")


@contextmanager
def browser() -> Iterator["Browser"]:
    """A Chromium without a window."""
    from playwright.sync_api import sync_playwright

    assert CHROMIUM is not None
    with sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        yield chromium
        chromium.close()


@dataclass
class Opened:
    """A page in a tab, with its console messages, errors and requests."""

    page: "Page"
    address: str
    said: list[str] = field(default_factory=list)
    requested: list[str] = field(default_factory=list)

    def show(self, link: str = "") -> None:
        """Load the page anew, with this link."""
        self.page.goto("about:blank")
        self.page.goto(f"{self.address}#{link}")

    def turn(self, link: str) -> None:
        """Put another link into the address of the open page, which reads it."""
        put = (
            "(link) => location.hash === (link && `#${link}`)"
            " ? void dispatchEvent(new HashChangeEvent('hashchange')) : void (location.hash = link)"
        )
        self.drawn(lambda: self.page.evaluate(put, link))

    def drawn(self, act: Any) -> None:
        """Do something, and wait until the page is drawn again."""
        before = self.page.get_attribute("html", "data-drawn")
        act()
        self.page.wait_for_selector(f'html:not([data-drawn="{before}"])')

    def click(self, name: str, *, role: Any = "button", exact: bool = True) -> None:
        """Click the element of this name, and wait until the page is drawn again."""
        self.drawn(lambda: self.page.get_by_role(role, name=name, exact=exact).first.click())

    def type(self, label: str, text: str) -> None:
        """Type into the field of this name, and leave it."""
        place = self.page.get_by_label(label, exact=True)
        place.fill(text)
        self.drawn(lambda: place.press("Tab"))

    def select(self, name: str, /, **option: Any) -> None:
        """Select an option, and wait until the page is drawn again."""
        box = self.page.get_by_role("combobox", name=name, exact=True)
        self.drawn(lambda: box.select_option(**option))

    def text(self, selector: str) -> str:
        """The text of an element, as it is seen."""
        return self.page.inner_text(selector)

    def texts(self, selector: str) -> list[str]:
        """The texts of elements, as they are seen."""
        return self.page.locator(selector).all_inner_texts()


def opened(
    chromium: "Browser",
    file: Path,
    *,
    width: int = 1280,
    scheme: str = "light",
    link: str = "",
    scale: float = 1,
) -> Opened:
    """The page in a tab of its own."""
    options: dict[str, Any] = {
        "viewport": {"width": width, "height": 900},
        "color_scheme": scheme,
        "device_scale_factor": scale,
    }
    page = chromium.new_page(**options)
    tab = Opened(page, file.resolve().as_uri())
    page.on("console", lambda message: tab.said.append(message.text))
    page.on("pageerror", lambda error: tab.said.append(str(error)))
    page.on("request", lambda request: tab.requested.append(request.url.partition("#")[0]))
    tab.show(link)
    return tab
