"""One Chromium for all the tests of this folder."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.explorer.browser import CHROMIUM, browser

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="session")
def chromium() -> Iterator["Browser"]:
    """The browser; without one the test is skipped."""
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed")
    with browser() as one:
        yield one
