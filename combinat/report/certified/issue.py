"""The issue of a report: its filing, its key and its date."""

import os
from collections.abc import Sequence
from datetime import UTC, date, datetime
from pathlib import Path

from combinat.base.errors import CombinatError, FileError, InputError, shortened
from combinat.base.paper import Paper
from combinat.certify.filing import FIRST, LAST, Issue, parsed_filing
from combinat.certify.report_files import FILING, rule_book_name
from combinat.certify.signature import signer
from combinat.rules.book.reader import file_bytes
from combinat.rules.game import Game

EPOCH = "SOURCE_DATE_EPOCH"
"""The variable by which builders say which date their files shall carry."""


def builders_date() -> date | None:
    """Return the date that the builder of the files wants them to carry; None: nothing is said."""
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


def issue_of(
    games: Sequence[Game], filing: Path | None, key: Path | None, paper: Paper
) -> tuple[Issue, bytes | None]:
    """Return how reports are issued, and the bytes of what is filed; a key that cannot sign is refused here."""
    key_id = None if key is None else signer(key).public_key.keyid
    if filing is None:
        return Issue(date=builders_date(), key_id=key_id, paper=paper), None
    if len(games) != 1:
        raise InputError(
            f"a filing is of one document, and there are {len(games)} games",
            "give one game",
            parameter="filing",
        )
    (game,) = games
    if rule_book_name(game.id) == FILING:
        raise InputError(
            f"the rule book is called {FILING} too", "give the game another id", parameter="filing"
        )
    content = file_bytes(filing, FileError, "a filing")
    said = parsed_filing(content, str(filing), game)
    if key is not None and said.issued is not None and not said.source_archive_sha256:
        raise FileError(
            f"{filing}: source_archive_sha256: missing; a signed report with a date of issue names the source archive "
            "of combinat, so that its readers can install it"
        )
    return Issue(filing=said, date=said.issued or builders_date(), key_id=key_id, paper=paper), content
