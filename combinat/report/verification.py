"""The result of a verification, as people and programs read it."""

import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from combinat.base.errors import shown
from combinat.base.kinds import FLAG, HASH, NUMBER, TEXT
from combinat.base.relation import ABSENT, Document, Field, Many, Relation
from combinat.certify.verification import Check, Origin, Signed
from combinat.render.blocks import Block, Column, Section, Table, Terms, table
from combinat.render.table_options import table_options
from combinat.render.text import line_of_text


class Holding(StrEnum):
    """What became of a folder."""

    HOLDS = "holds"
    REJECTED = "rejected"
    UNCHECKED = "unchecked"

    @property
    def in_words(self) -> str:
        """The result, as a phrase."""
        return _IN_WORDS[self]

    @property
    def exit_code(self) -> int:
        """The exit code of the program."""
        return list(Holding).index(self)


_IN_WORDS = {
    Holding.HOLDS: "holds",
    Holding.REJECTED: "does not hold",
    Holding.UNCHECKED: "could not be checked",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedFile:
    """A file, the id of how it was checked, and that in words."""

    name: str
    check: str
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """A folder, what became of it and why, what was checked, and how each of its files was."""

    folder: str
    holding: Holding
    message: str | None = None
    said: dict[str, str] = field(default_factory=dict)
    record: dict[str, Any] = field(default_factory=dict)
    files: tuple[CheckedFile, ...] = ()


def proviso(origin: Origin, *, figures_only: bool) -> str | None:
    """What a reader of "holds" has to know; None: nothing."""
    said = [
        *(["its figures alone; the documents were not looked at"] if figures_only else []),
        *([f"for {origin.in_words}"] if origin is Origin.FOREIGN else []),
    ]
    return "; ".join(said) or None


def _head(verification: Verification) -> str:
    """Return the verdict in a line, with why."""
    head = f"{shown(verification.folder)}: {verification.holding.in_words}"
    return head if verification.message is None else f"{head}: {shown(verification.message)}"


def verification_text(verification: Verification) -> str:
    """Return the verdict on a folder, with how each file was checked."""
    lines = [_term(word, text) for word, text in verification.said.items()]
    width = max((len(file.name) for file in verification.files), default=0)
    lines += [_beside(f"    {shown(file.name):{width}}  ", file.words) for file in verification.files]
    return "\n".join([line_of_text(_head(verification), "  "), *lines])


def _term(word: str, text: str) -> str:
    return _beside(f"  {word + ':':12}", text)


def _beside(first: str, text: str) -> str:
    """Return a text beside what stands first in its line, in lines that fit the terminal."""
    return textwrap.fill(
        shown(text),
        table_options().width,
        initial_indent=first,
        subsequent_indent=" " * len(first),
        break_long_words=False,
        break_on_hyphens=False,
    )


def verification_blocks(verifications: Sequence[Verification]) -> list[Block]:
    """Return the verdicts as sections, each with a table of its files."""
    return [_section(one) for one in verifications]


def _section(verification: Verification) -> Section:
    said = {word.capitalize(): shown(text) for word, text in verification.said.items()}
    rows = [(shown(file.name), file.check, shown(file.words)) for file in verification.files]
    files = (table((Column("file"), Column("check"), Column("how")), rows),) if rows else ()
    return Section(_head(verification), (*((Terms(said),) if said else ()), *files))


def verification_csv(verifications: Sequence[Verification]) -> Table:
    """Return a line for every file of every folder; one for a folder of which no file was looked at."""
    columns = [Column(head) for head in ("folder", "verdict", "message", "file", "check", "how")]
    rows = [
        (shown(one.folder), one.holding, shown(one.message or ""), shown(file.name), file.check, file.words)
        for one in verifications
        for file in one.files or (CheckedFile(name="", check="", words=""),)
    ]
    return table(columns, rows)


def _known(name: str) -> Callable[[Verification], Any]:
    return lambda row: row.record.get(name, ABSENT)


CHECKED_FILES: Relation[CheckedFile] = Relation(
    "checked_files",
    Field("name", "file", TEXT, "The name of the file."),
    Field("check", "check", TEXT, "How it was checked.", words=Check),
    Field("how", "how", TEXT, "How it was checked, in words.", lambda row: row.words),
)
"""The files of a folder, a row each."""

FOLDERS: Relation[Verification] = Relation(
    "verified_folders",
    Field("folder", "folder", TEXT, "The path of the folder.", lambda row: shown(row.folder)),
    Field("verdict", "verdict", TEXT, "Whether it holds.", lambda row: row.holding.value, words=Holding),
    Field(
        *("message", "message", TEXT, "The reason of the verdict, or a proviso."),
        lambda row: None if row.message is None else shown(row.message),
        may_be_none=True,
    ),
    Field("game", "game", TEXT, "The id of the game.", _known("game"), may_be_absent=True),
    Field("signature", "signature", TEXT, "The state of the signature.", _known("signature"), may_be_absent=True, words=Signed),
    Field("key_id", "key", HASH, "The id of the signer's key.", _known("key_id"), may_be_none=True, may_be_absent=True),
    Field("rule_book", "rule book", TEXT, "Where the rule book comes from.", _known("rule_book"), may_be_absent=True, words=Origin),
    Field("rule_book_sha256", "SHA-256", HASH, "The hash of the rule book.", _known("rule_book_sha256"), may_be_absent=True),
    Field("software_version", "version", TEXT, "The version of combinat that wrote it.", _known("software_version"), may_be_absent=True),
    Field("decks", "decks", Many(NUMBER), "Of a report: its numbers of decks.", _known("decks"), may_be_absent=True),
    Field("readings", "readings", Many(TEXT), "Of a report: the other readings that it follows.", _known("readings"), may_be_absent=True),
    Field("numbers", "numbers", NUMBER, "Of a report: the numbers that the checker checked.", _known("numbers"), may_be_absent=True),
    Field("shoes", "shoes", NUMBER, "Of a study: the shoes dealt.", _known("shoes"), may_be_absent=True),
    Field("blocks", "blocks", NUMBER, "Of a study: its blocks of shoes.", _known("blocks"), may_be_absent=True),
    Field("dealt_again", "dealt again", Many(NUMBER), "Of a study: the blocks dealt again.", _known("dealt_again"), may_be_absent=True),
    Field("figures_only", "figures only", FLAG, "Whether documents were left out.", _known("figures_only"), may_be_absent=True),
    Field("reports", "reports", Many(TEXT), "Of a collection: its reports.", _known("reports"), may_be_absent=True),
    Field("files", "files", Many(CHECKED_FILES), "How each file was checked."),
)  # fmt: skip
"""The folders that were verified, a row each."""

VERIFY: Document[Sequence[Verification]] = Document(
    "combinat/verify/2",
    "The verdict on reports: combinat verify.",
    Field("holds", "holds", FLAG, "Whether all of them hold.", lambda rows: all(one.holding is Holding.HOLDS for one in rows)),
    Field("folders", "folders", Many(FOLDERS), "The verdict on each folder.", lambda rows: rows),
)  # fmt: skip
