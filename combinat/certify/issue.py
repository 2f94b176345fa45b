"""How a report was issued, as its folder says it: its filing, its date, its paper, and the key of its signature."""

import datetime

import msgspec

from combinat.base.errors import FileError, RejectedCertificateError
from combinat.base.files import Files
from combinat.base.paper import Paper
from combinat.certify.certificate import CERTIFICATE, Predicate, expect
from combinat.rules.filing import Issue, parsed_filing
from combinat.rules.game import Game

FILING = "filing.toml"
"""The name of a filing in a report's folder."""


def checked_issue(contents: Files, predicate: Predicate, game: Game, key_id: str | None) -> Issue:
    """How the report in these files was issued; a filing that cannot be read, or another date, is refused.

    ``key_id``: the key of the envelope that the certificate stands in. So a document that speaks of a signature
    is drawn again as that of a report which has none, where it has none.
    """
    date = None if predicate.date is msgspec.UNSET else datetime.date.fromisoformat(predicate.date)
    paper = Paper.A4 if predicate.paper is msgspec.UNSET else Paper(predicate.paper)
    filing = None
    if FILING in contents:
        try:
            filing = parsed_filing(contents[FILING], FILING, game)
        except FileError as error:
            raise RejectedCertificateError(str(error)) from None
        if filing.issued is not None:
            expect(f"{CERTIFICATE}: predicate.date", str(date), f"{filing.issued}")
    return Issue(filing=filing, date=date, key_id=key_id, paper=paper)
