"""Phrases that stand in more than one document."""

import datetime

from combinat.report.dates import date_in_words
from combinat.rules.game import Game

DISCLAIMER = "This is a reproducible analysis with its own certificate. It is not a test laboratory's certification and does not claim to be one."
DRAFT_STATUS = "draft: no approved document states it"
"""What is said of a rule book that is a draft."""


def rules_in_words(game: Game) -> str:
    """What a report calls its rule book: the transcription of an approved document, which a draft is not."""
    return "draft rule book" if game.is_draft else "transcription of the rules"


def in_force_from(effective: datetime.date | None, time: datetime.time | None) -> str:
    """When a document takes effect, in words that no locale changes; a draft may state no day."""
    if effective is None:
        return "no day stated"
    day = date_in_words(effective)
    return f"{day}, {time.hour:02}{time.minute:02} hours" if time else day


ROUNDING = "Computed in whole numbers and fractions; decimals are rounded once, half to even."
