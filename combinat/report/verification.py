"""The documents of a verification: text for people, CSV and JSON for programs."""

import textwrap
from collections.abc import Callable, Sequence
from typing import Any

from combinat.base.errors import printable
from combinat.base.kinds import FLAG, HASH, NUMBER, TEXT
from combinat.base.relation import ABSENT, Document, Field, Many, Relation
from combinat.certify.verification import Check, FileCheck, Origin, Signed
from combinat.render.blocks import Block, Column, Section, Table, Terms, table
from combinat.render.table_options import table_options
from combinat.render.text import line_of_text
from combinat.report.certified.verified import VerifiedCollection, VerifiedReport, VerifiedStudy
from combinat.report.certified.verify import CheckedFolder, Holding


def _head(one: CheckedFolder) -> str:
    """Return the verdict in a line, with its reason."""
    head = f"{printable(str(one.folder))}: {one.holding.in_words}"
    return head if one.message is None else f"{head}: {printable(one.message)}"


def _terms(one: CheckedFolder) -> dict[str, str]:
    """Return the checks made of a folder, as terms."""
    answer = one.answer
    if answer is None:
        return {}
    if isinstance(answer, VerifiedCollection):
        number = len(answer.reports)
        return {
            "collection": f"{number} report{'' if number == 1 else 's'}, all that belong to it; "
            "its index and its explorer are drawn again from them",
            "signature": answer.signature.in_words,
        }
    predicate, key = answer.predicate, f" (key {answer.key_id})" if answer.key_id else ""
    terms = {
        "game": predicate.game.name,
        "signature": f"{answer.signature.in_words}{key}",
        "rule book": f"{predicate.rule_book.name}, SHA-256 {predicate.rule_book.sha256}",
    }
    if isinstance(answer, VerifiedReport):
        terms["decks"] = ", ".join(map(str, answer.dossier.decks))
        if answer.dossier.followed:
            terms["readings"] = answer.game.provisos.readings_in_words
        terms["numbers"] = (
            f"{answer.numbers} checked against the rule book by the checker; all reproduced by this combinat"
        )
    else:
        again, every, study = len(answer.again), len(answer.file.blocks), answer.file.study
        terms["shoes"] = f"{study.shoes}, seed {study.seed}"
        terms["blocks"] = (
            f"{again} of {every} dealt again, with the same result; the other blocks were not checked"
            if again < every
            else f"all {every} dealt again, with the same result"
        )
    files = f"{len(answer.files)}, each with the SHA-256 that the certificate names, and"
    return {**terms, "note": predicate.statement, "files": files}


def _files(one: CheckedFolder) -> tuple[FileCheck, ...]:
    return () if one.answer is None else one.answer.files


def verification_text(one: CheckedFolder) -> str:
    """Return the verdict on a folder, with how each file was checked."""
    lines = [_beside(f"  {word + ':':12}", text) for word, text in _terms(one).items()]
    width = max((len(file.name) for file in _files(one)), default=0)
    lines += [_beside(f"    {printable(file.name):{width}}  ", file.in_words) for file in _files(one)]
    return "\n".join([line_of_text(_head(one), "  "), *lines])


def _beside(first: str, text: str) -> str:
    """Return a text after the beginning of its line, wrapped to the width of the terminal."""
    return textwrap.fill(
        printable(text),
        table_options().width,
        initial_indent=first,
        subsequent_indent=" " * len(first),
        break_long_words=False,
        break_on_hyphens=False,
    )


def verification_blocks(folders: Sequence[CheckedFolder]) -> list[Block]:
    """Return the verdicts as sections, each with a table of its files."""
    return [_section(one) for one in folders]


def _section(one: CheckedFolder) -> Section:
    terms = {word.capitalize(): printable(text) for word, text in _terms(one).items()}
    rows = [(printable(file.name), file.check, printable(file.in_words)) for file in _files(one)]
    files = (table((Column("file"), Column("check"), Column("how")), rows),) if rows else ()
    return Section(_head(one), (*((Terms(terms),) if terms else ()), *files))


def verification_csv(folders: Sequence[CheckedFolder]) -> Table:
    """Return a row for every file of every folder; a folder without checked files has one row."""
    columns = [Column(head) for head in ("folder", "verdict", "message", "file", "check", "how")]
    rows = [
        (printable(str(one.folder)), one.holding, printable(one.message or ""), *file)
        for one in folders
        for file in [(printable(file.name), file.check.value, file.in_words) for file in _files(one)]
        or [("", "", "")]
    ]
    return table(columns, rows)


def _of(
    kind: type[VerifiedReport] | type[VerifiedStudy] | type[VerifiedCollection], value: Callable[[Any], Any]
) -> Callable[[CheckedFolder], Any]:
    """Return a value of a folder's answer if it is of this kind."""
    return lambda one: value(one.answer) if isinstance(one.answer, kind) else ABSENT


def _of_game(value: Callable[[Any], Any]) -> Callable[[CheckedFolder], Any]:
    """Return a value of the answer on a report or a study."""
    return lambda one: value(one.answer) if isinstance(one.answer, VerifiedReport | VerifiedStudy) else ABSENT


CHECKED_FILES: Relation[FileCheck] = Relation(
    "checked_files",
    Field("name", "file", TEXT, "The name of the file."),
    Field("check", "check", TEXT, "How it was checked.", words=Check),
    Field("how", "how", TEXT, "How it was checked, in words.", lambda row: row.in_words),
)
"""The files of a folder, a row each."""

FOLDERS: Relation[CheckedFolder] = Relation(
    "verified_folders",
    Field("folder", "folder", TEXT, "The path of the folder.", lambda row: printable(str(row.folder))),
    Field("verdict", "verdict", TEXT, "Whether it holds.", lambda row: row.holding.value, words=Holding),
    Field(
        *("message", "message", TEXT, "The reason of the verdict, or a proviso."),
        lambda row: None if row.message is None else printable(row.message),
        may_be_none=True,
    ),
    Field("game", "game", TEXT, "The id of the game.", _of_game(lambda answer: answer.predicate.game.id), may_be_absent=True),
    Field("signature", "signature", TEXT, "The state of the signature.", lambda row: ABSENT if row.answer is None else row.answer.signature.value, may_be_absent=True, words=Signed),
    Field("key_id", "key", HASH, "The id of the signer's key.", _of_game(lambda answer: answer.key_id), may_be_none=True, may_be_absent=True),
    Field("rule_book", "rule book", TEXT, "Where the rule book comes from.", _of_game(lambda answer: answer.origin.value), may_be_absent=True, words=Origin),
    Field("rule_book_sha256", "SHA-256", HASH, "The hash of the rule book.", _of_game(lambda answer: answer.predicate.rule_book.sha256), may_be_absent=True),
    Field("software_version", "version", TEXT, "The version of combinat that wrote it.", _of_game(lambda answer: answer.predicate.software.version), may_be_absent=True),
    Field("decks", "decks", Many(NUMBER), "Of a report: its numbers of decks.", _of(VerifiedReport, lambda report: list(report.dossier.decks)), may_be_absent=True),
    Field("readings", "readings", Many(TEXT), "Of a report: the other readings that it follows.", _of(VerifiedReport, lambda report: report.game.provisos.readings or ABSENT), may_be_absent=True),
    Field("numbers", "numbers", NUMBER, "Of a report: the numbers that the checker checked.", _of(VerifiedReport, lambda report: report.numbers), may_be_absent=True),
    Field("shoes", "shoes", NUMBER, "Of a study: the shoes dealt.", _of(VerifiedStudy, lambda study: study.file.study.shoes), may_be_absent=True),
    Field("blocks", "blocks", NUMBER, "Of a study: its blocks of shoes.", _of(VerifiedStudy, lambda study: len(study.file.blocks)), may_be_absent=True),
    Field("dealt_again", "dealt again", Many(NUMBER), "Of a study: the blocks dealt again.", _of(VerifiedStudy, lambda study: sorted(study.again)), may_be_absent=True),
    Field("figures_only", "figures only", FLAG, "Whether documents were left out.", lambda row: row.figures_only if _files(row) else ABSENT, may_be_absent=True),
    Field("reports", "reports", Many(TEXT), "Of a collection: its reports.", _of(VerifiedCollection, lambda collection: collection.reports), may_be_absent=True),
    Field("files", "files", Many(CHECKED_FILES), "How each file was checked.", _files),
)  # fmt: skip
"""The folders that were verified, a row each."""

VERIFY: Document[Sequence[CheckedFolder]] = Document(
    "combinat/verify/2",
    "The verdict on reports: combinat verify.",
    Field("holds", "holds", FLAG, "Whether all of them hold.", lambda rows: all(one.holding is Holding.HOLDS for one in rows)),
    Field("folders", "folders", Many(FOLDERS), "The verdict on each folder.", lambda rows: rows),
)  # fmt: skip
