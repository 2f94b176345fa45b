"""The filing of a report (author, recipient, number, date): a TOML file, read as strictly as a rule book.

None of it can be computed or invented; missing entries are shown as not stated.
"""

import datetime
import os
import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import pairwise
from pathlib import Path
from typing import Annotated

import msgspec

from combinat.base.dates import DateLanguage
from combinat.base.errors import CombinatError, FileError, InputError, near_matches, shortened
from combinat.base.paper import Paper
from combinat.certify.signature import signer
from combinat.rules.book.reader import Mistake, file_bytes, read
from combinat.rules.document import RuleRecord
from combinat.rules.game import Game
from combinat.rules.odds import Text, as_written

SCHEMA = 1
FILING = "filing.toml"
"""The name of a filing in a report's folder."""

FIRST, LAST = datetime.date(1970, 1, 1), datetime.date(2099, 12, 31)
"""The dates that a report can have: those that every form of it can hold."""

MOST_PEOPLE = 12
MOST_REVISIONS = 50
MOST_RECEIVERS = 20


class Role(StrEnum):
    """The role of a person in a report."""

    PREPARED = "prepared"
    REVIEWED = "reviewed"
    APPROVED = "approved"


class ReadingStatus(StrEnum):
    """Whether a reading of an unclear clause was confirmed."""

    OPEN = "open"
    CONFIRMED = "confirmed"


class Person(RuleRecord, frozen=True, kw_only=True):
    """Somebody with a part in a report."""

    role: Role
    name: Text
    position: str = ""


class Revision(RuleRecord, frozen=True, kw_only=True):
    """An issue of the document. The last one is the present; without a date it is not issued yet."""

    revision: Text
    date: datetime.date | None = None
    why: str


class ReadingState(RuleRecord, frozen=True, kw_only=True):
    """The status of an entry of the register: the person who confirmed its reading, and the date."""

    id: str
    status: ReadingStatus
    by: str = ""
    on: datetime.date | None = None


class Filing(RuleRecord, frozen=True, kw_only=True):
    """The facts that the issuer states about a report."""

    schema: int
    game: str = ""
    rule_book_sha256: str = ""
    issuer: Text
    document: Text
    customer: str = ""
    dates: DateLanguage = DateLanguage.ENGLISH
    approved_text_sha256: str = ""
    transcribed_by: str = ""
    transcribed_on: datetime.date | None = None
    tested_from: datetime.date | None = None
    tested_to: datetime.date | None = None
    source_archive_sha256: str = ""
    distribution: tuple[str, ...] = ()
    revisions: Annotated[tuple[Revision, ...], msgspec.Meta(min_length=1)]
    people: tuple[Person, ...] = ()
    readings: tuple[ReadingState, ...] = ()

    @property
    def revision(self) -> Revision:
        """The current revision."""
        return self.revisions[-1]

    @property
    def issued(self) -> datetime.date | None:
        """The date of issue of the current revision; None if it is not issued."""
        return self.revision.date

    def in_role(self, role: Role) -> tuple[Person, ...]:
        """Return the persons with this role."""
        return tuple(person for person in self.people if person.role is role)

    def reading(self, interpretation_id: str) -> ReadingState | None:
        """Return the state of an entry of the register, or None if nothing is stated and it is open."""
        return next((state for state in self.readings if state.id == interpretation_id), None)


class Issue(msgspec.Struct, frozen=True, kw_only=True):
    """The issue of a report: its filing, the date of its files, its signer, its paper.

    ``content``: the bytes of the filing. ``date``: the date that the files carry in themselves; None: no date. ``key``: the
    file of the private key that signs the certificate, unless it is signed already. ``key_id``: the id of that key; None:
    unsigned.
    """

    filing: Filing | None = None
    content: bytes | None = None
    date: datetime.date | None = None
    key: Path | None = None
    key_id: str | None = None
    paper: Paper = Paper.A4

    @property
    def is_draft(self) -> bool:
        """Whether the report is not issued."""
        return self.filing is None or self.filing.issued is None

    def is_open(self, interpretation_id: str) -> bool:
        """Whether the reading of an entry of the register is unconfirmed."""
        state = self.filing.reading(interpretation_id) if self.filing else None
        return state is None or state.status is ReadingStatus.OPEN


DRAFT = Issue()
"""A report without a filing."""


def parsed_filing(content: bytes, name: str, game: Game) -> Filing:
    """Return the filing that these bytes state for a report of this rule book; ``name`` names them in errors."""
    try:
        return _parsed(content, game)
    except FileError as error:
        raise FileError(f"{shortened(name, 300)}: {error}") from None


def _parsed(content: bytes, game: Game) -> Filing:
    filing, mistakes = read(content, Filing, schema=SCHEMA)
    if filing is not None:
        mistakes = [
            *_texts(filing),
            *_revisions(filing),
            *_readings(filing, game),
            *_subject(filing, game),
        ]
    if filing is None or mistakes:
        raise FileError(str(mistakes[0]))
    return filing


def _wrong(key: str, value: object, write: str) -> Mistake:
    return Mistake(key, f"found {as_written(value)}; write {write}")


def _subject(filing: Filing, game: Game) -> Iterator[Mistake]:
    """Refuse a filing for another game or rule book, and every filing for a draft."""
    if game.is_draft:
        yield Mistake("game", f"{game.id} is a draft rule book; only an approved one can be filed")
    for key, found, right in (
        ("game", filing.game, game.id),
        ("rule_book_sha256", filing.rule_book_sha256, game.sha256),
    ):
        if not found:
            yield Mistake(key, f'missing; write {key} = "{right}" if this report is the one that is filed')
        elif found != right:
            yield _wrong(key, found, f'"{right}" if the filing is of this report')


def _texts(filing: Filing) -> Iterator[Mistake]:
    for key, sha256 in (
        ("approved_text_sha256", filing.approved_text_sha256),
        ("source_archive_sha256", filing.source_archive_sha256),
    ):
        if sha256 and not re.fullmatch("[0-9a-f]{64}", sha256):
            yield _wrong(key, sha256, "the 64 hexadecimal digits that sha256sum prints, in lower case")
    for key, entries, most in (
        ("people", filing.people, MOST_PEOPLE),
        ("revisions", filing.revisions, MOST_REVISIONS),
        ("distribution", filing.distribution, MOST_RECEIVERS),
    ):
        if len(entries) > most:
            yield Mistake(key, f"found {len(entries)} entries; write at most {most}")


def _revisions(filing: Filing) -> Iterator[Mistake]:
    """Check that every revision has a unique name and a date not before the previous revision's."""
    names = [revision.revision for revision in filing.revisions]
    for number, revision in enumerate(filing.revisions):
        key = f"revisions[{number}]"
        if revision.revision in names[:number]:
            yield _wrong(f"{key}.revision", revision.revision, "a name that no other revision has")
        if revision.date is None and number + 1 < len(names):
            yield Mistake(f"{key}.date", "missing; only the last revision, a draft, can have no date")
        yield from _date(f"{key}.date", revision.date)
    for number, (before, after) in enumerate(pairwise(filing.revisions), start=1):
        if before.date and after.date and after.date < before.date:
            yield _wrong(
                f"revisions[{number}].date", after.date, f"a date not before {before.date}, the one before it"
            )


def _readings(filing: Filing, game: Game) -> Iterator[Mistake]:
    known = [interpretation.id for interpretation in game.interpretations]
    for number, state in enumerate(filing.readings):
        key = f"readings[{number}]"
        if state.id not in known:
            near = near_matches(shortened(state.id), known)
            hint = f"did you mean {near[0]}?" if near else f"write one of {', '.join(known) or 'none'}"
            yield Mistake(
                f"{key}.id",
                f'found "{shortened(state.id)}", which is not in the register of {game.id}; {hint}',
            )
        is_confirmed = state.status is ReadingStatus.CONFIRMED
        if is_confirmed and not (state.by and state.on):
            yield Mistake(key, 'confirmed, but by or on is missing; write both, or status = "open"')
        if not is_confirmed and (state.by or state.on):
            yield Mistake(key, 'open, but has by or on; write status = "confirmed", or take them out')
        yield from _date(f"{key}.on", state.on)
        if state.on and filing.issued and state.on > filing.issued:
            yield _wrong(f"{key}.on", state.on, f"a date not after {filing.issued}, that of the issue")


def _date(key: str, date: datetime.date | None) -> Iterator[Mistake]:
    if date is not None and not FIRST <= date <= LAST:
        yield _wrong(key, date, f"a date from {FIRST} to {LAST}")


# ---------------------------------------------------------------- the issue of a report

EPOCH = "SOURCE_DATE_EPOCH"
"""The variable by which builders say which date their files shall carry."""


def builders_date() -> datetime.date | None:
    """Return the date for the files from ``SOURCE_DATE_EPOCH``, or None if it is not set."""
    text = os.environ.get(EPOCH, "")
    if not text:
        return None
    seconds = int(text) if text.isascii() and text.isdecimal() and len(text) <= 11 else -1
    wanted = (
        datetime.datetime.fromtimestamp(seconds, datetime.UTC).date() if seconds >= 0 else datetime.date.min
    )
    if not FIRST <= wanted <= LAST:
        raise CombinatError(
            f'{EPOCH}: found "{shortened(text)}"; write seconds since 1970, for a date from {FIRST} to {LAST}, or unset it'
        )
    return wanted


def issue_of(games: Sequence[Game], filing: Path | None, key: Path | None, paper: Paper) -> Issue:
    """Return how reports are issued; refuse a key that cannot sign."""
    key_id = None if key is None else signer(key).public_key.keyid
    if filing is None:
        return Issue(date=builders_date(), key=key, key_id=key_id, paper=paper)
    if len(games) != 1:
        raise InputError(
            f"a filing is of one document, and there are {len(games)} games",
            "give one game",
            parameter="filing",
        )
    (game,) = games
    if f"{game.id}.toml" == FILING:
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
    return Issue(
        filing=said,
        content=content,
        date=said.issued or builders_date(),
        key=key,
        key_id=key_id,
        paper=paper,
    )


_TEMPLATE = """\
# The filing of a report: who issues it, for whom, under which number, and when.
# combinat report takes it with its option filing. It is of one game and of one rule book: with another game, another
# version of the rule book or a draft it is refused.
#
# What is left out is shown as not stated. Nothing here changes a figure of the report.

schema = 1

game = "{game}"
rule_book_sha256 = "{sha256}"

issuer = "Example Gaming Mathematics Ltd"   # who issues the report
customer = "Example Casino Operator"        # for whom; may be left out
document = "EGM-2026-001"                   # the number of the document

# How dates are written: "en" (17 November 2026), "en-US" (November 17, 2026), "iso" (2026-11-17),
# "de", "es", "fr" or "pt".
dates = "en"

# The SHA-256 of the approved document's own text, as sha256sum prints it, if you have the file.
# approved_text_sha256 = "0000000000000000000000000000000000000000000000000000000000000000"

# Who transcribed the rules into the rule book, and when; may be left out.
# transcribed_by = "A. Mathematician"
# transcribed_on = 2026-10-01

# When the analysis was tested, first and last day; may be left out.
# tested_from = 2026-11-02
# tested_to = 2026-11-13

# The SHA-256 of the source archive combinat-VERSION.tar.gz that this combinat was installed from, as sha256sum
# prints it. A signed report with a date of issue needs it: VERIFY.txt names it for the readers of the report.
# source_archive_sha256 = "0000000000000000000000000000000000000000000000000000000000000000"

# Who gets a copy; may be left out.
distribution = ["Example Casino Operator", "The regulator"]

# Every revision of this document, the oldest first. The last one is the present one, and its date is the date
# of issue. While that date is left out, the report is a draft and says so.
[[revisions]]
revision = "A"
# date = 2026-11-17
why = "First issue."

# Who did what: "prepared", "reviewed" or "approved". Each gets a line to sign in the statement.
[[people]]
role = "prepared"
name = "A. Mathematician"
position = "Game mathematician"

[[people]]
role = "reviewed"
name = "B. Reader"
position = "Second reader"

[[people]]
role = "approved"
name = "C. Director"
position = "Technical director"

# What became of the readings of unclear clauses (combinat rules {game} lists their ids). One that is not named
# here is open.
# [[readings]]
# id = "ID-OF-THE-READING"
# status = "confirmed"
# by = "The regulator, letter 12/2026"
# on = 2026-11-02
"""


def template(game: Game) -> str:
    """Return a filing template for this rule book."""
    return _TEMPLATE.replace("{game}", game.id).replace("{sha256}", game.sha256)
