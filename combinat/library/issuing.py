"""How a report is issued: the date that it carries."""

import os
from datetime import UTC, date, datetime

from combinat.errors import CombinatError, shortened
from combinat.rules.filing import FIRST, LAST

EPOCH = "SOURCE_DATE_EPOCH"
"""The variable by which builders say which date their files shall carry."""


def builders_date() -> date | None:
    """The date that the builder of the files wants them to carry; None: nothing is said."""
    text = os.environ.get(EPOCH, "")
    if not text:
        return None
    seconds = int(text) if text.isascii() and text.isdecimal() and len(text) <= 11 else -1
    wanted = datetime.fromtimestamp(seconds, UTC).date() if seconds >= 0 else date.min
    if not FIRST <= wanted <= LAST:
        raise CombinatError(
            f'{EPOCH}: found "{shortened(text)}"; write seconds since 1970, for a date from {FIRST} to {LAST}, or unset it'
        )
    return wanted
