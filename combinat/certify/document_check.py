"""The documents of a report, drawn again and compared byte for byte; and what else stands in its folder.

A document that cannot be drawn again here, because it was drawn with another version of this program or of a
library, is not believed: it is then not checked, and the version to install is said.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import zip_longest

from combinat.base.errors import (
    CombinatError,
    MalformedCertificateError,
    RejectedCertificateError,
    shown,
)
from combinat.base.files import Files
from combinat.base.strict_json import quoted
from combinat.certify.analysis_file import ANALYSIS
from combinat.certify.certificate import CERTIFICATE, SUMS, THIS, Predicate, expect
from combinat.certify.dossier import Dossier
from combinat.certify.filing import Issue
from combinat.certify.report_files import FILING, SIMULATION, checked_issue, companion_files
from combinat.rules.book.load import RuleBook


class Check(StrEnum):
    """How a file was checked."""

    DERIVED = "derived-again"
    DRAWN = "drawn-again"
    RULE_BOOK = "rule-book"
    SAME = "same-as-ours"
    JUDGED = "judged-again"
    FILING = "filing"
    FOLLOWS = "follows-from-its-sums"
    HASH = "hash-alone"
    UNCHECKED = "not-checked"

    @property
    def in_words(self) -> str:
        """How, as a phrase."""
        return _CHECKS[self]


_CHECKS = {
    Check.DERIVED: "bets and insurance counted again from the rule book by the checker; all of it reproduced: equal bytes",
    Check.DRAWN: "drawn again from analysis.json and the rule book: equal bytes",
    Check.RULE_BOOK: "the rule book",
    Check.SAME: "the same as in this combinat",
    Check.JUDGED: "judged again for the chapter on simulation",
    Check.FILING: "what is said by those who file the report; the documents are drawn again with it",
    Check.FOLLOWS: "its sums hold together, and every figure follows from them and from the rule book",
    Check.HASH: "its hash alone",
    Check.UNCHECKED: "not checked",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class FileCheck:
    """A file of the folder and how it was checked; ``why`` it was not, or what else is to be said."""

    name: str
    check: Check
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnForm:
    """A form of documents: the files that are of it (``figures/`` is a whole folder), and what draws them.

    ``library`` is the one whose version is in their bytes, and ``version`` the one that is here; None: none.
    """

    names: tuple[str, ...]
    library: str | None = None
    version: str | None = None

    def holds(self, name: str) -> bool:
        """Whether a file is of this form."""
        return any(name.startswith(known) if known.endswith("/") else name == known for known in self.names)


@dataclass(frozen=True, slots=True, kw_only=True)
class Redraw:
    """How documents are drawn again: ``documents(dossier, book, form, simulations, issue, checked)`` gives those of a form.

    ``checked``: how many numbers the checker has checked, which the documents say. ``judge``: the library that
    judges the simulations that documents show.

    certify knows no document: the command that verifies brings this along.
    """

    forms: Mapping[str, DrawnForm]
    documents: Callable[[Dossier, RuleBook, str, Files, Issue, int], Mapping[str, bytes]]
    judge: DrawnForm | None = None


def checked_documents(
    contents: Files,
    predicate: Predicate,
    dossier: Dossier,
    book: RuleBook,
    redraw: Redraw | None,
    key_id: str | None = None,
    checked: int = 0,
) -> list[FileCheck]:
    """Every other file of the folder: drawn again and equal, or why it could not be.

    ``key_id``: who signed; ``checked``: how many numbers the checker has checked.
    """
    issue = checked_issue(contents, predicate, book, key_id)
    simulations = _simulations(contents, predicate)
    companions = companion_files(book, issue)
    checks = [
        _compared(contents, name, expected, Check.SAME, _other_program(predicate))
        for name, expected in companions.items()
    ]
    if issue.filing is not None:
        checks.append(FileCheck(name=FILING, check=Check.FILING))
    known = {CERTIFICATE, SUMS, ANALYSIS, predicate.rule_book.name, *companions}
    known |= {FILING} if issue.filing else set()
    if redraw is None:
        checks += [FileCheck(name=name, check=Check.HASH) for name in contents.keys() - known]
        _check_version(predicate, checks)
        return checks
    drawn: list[FileCheck] = []
    for form in predicate.forms:
        drawn += _checked_form(contents, predicate, redraw, form, dossier, book, simulations, issue, checked)
    checks += [*drawn, *_judged(simulations, drawn)]
    _check_libraries(predicate, redraw)
    extra = contents.keys() - known - {check.name for check in checks}
    why = _other_program(predicate)
    if extra and not why:
        raise RejectedCertificateError(f"{min(extra)}: no file of this report; expected no other file")
    checks += [FileCheck(name=name, check=Check.UNCHECKED, why=why) for name in extra]
    _check_version(predicate, checks)
    return checks


def _simulations(contents: Files, predicate: Predicate) -> dict[str, bytes]:
    """The simulations that travel in the folder, by the names that the certificate gives them."""
    for name in predicate.simulations:
        if f"{SIMULATION}{name}" not in contents:
            raise RejectedCertificateError(f"{SIMULATION}{name}: belongs to this report, and is not there")
    return {name: contents[f"{SIMULATION}{name}"] for name in predicate.simulations}


def _judged(simulations: Files, drawn: Sequence[FileCheck]) -> list[FileCheck]:
    """How the simulations were checked: a document that was drawn again shows them judged again."""
    check, why = Check.JUDGED, ""
    if not any(file.check is Check.DRAWN for file in drawn):
        check, why = Check.UNCHECKED, "no document was drawn again that would show it judged"
    return [FileCheck(name=f"{SIMULATION}{name}", check=check, why=why) for name in simulations]


def _check_libraries(predicate: Predicate, redraw: Redraw) -> None:
    """Refuse a certificate that names other libraries than those that draw its documents."""
    if predicate.software == THIS:
        needed = {redraw.forms[form].library for form in predicate.forms} - {None}
        if predicate.simulations and redraw.judge is not None:
            needed.add(redraw.judge.library)
        expected = ", ".join(sorted(filter(None, needed)))
        named = ", ".join(library.name for library in predicate.libraries)
        expect(f"{CERTIFICATE}: predicate.libraries", named, expected)


def _check_version(predicate: Predicate, checks: Sequence[FileCheck]) -> None:
    """Refuse a certificate that names another version where every file is as this one writes it.

    The guide says which version wrote the folder, so that no other version writes the same files.
    """
    if all(file.check is not Check.UNCHECKED for file in checks):
        expect(f"{CERTIFICATE}: predicate.software.version", predicate.software.version, THIS.version)


def _checked_form(
    contents: Files,
    predicate: Predicate,
    redraw: Redraw,
    form: str,
    dossier: Dossier,
    book: RuleBook,
    simulations: Files,
    issue: Issue,
    checked: int,
) -> list[FileCheck]:
    """The documents of one form, drawn again."""
    if form not in redraw.forms:
        raise MalformedCertificateError(
            f"{CERTIFICATE}: predicate.forms: found {quoted(form)}; expected some of {', '.join(redraw.forms)}"
        )
    drawn, here = redraw.forms[form], [name for name in contents if redraw.forms[form].holds(name)]
    reason = _other_program(predicate) or _other_library(predicate, drawn)
    if simulations and redraw.judge is not None:
        reason = reason or _other_library(predicate, redraw.judge, judged=True)
    try:
        again = redraw.documents(dossier, book, form, simulations, issue, checked)
    except CombinatError as error:
        if not reason:
            raise RejectedCertificateError(f"{form}: cannot be drawn again: {shown(str(error))}") from None
        return _not_drawn(contents, drawn, here, reason)
    if (extra := set(here) - again.keys()) and not reason:
        raise RejectedCertificateError(f"{min(extra)}: no file of this report; expected no other file")
    checks = [_compared(contents, name, again[name], Check.DRAWN, reason) for name in sorted(again)]
    return [*checks, *(FileCheck(name=name, check=Check.UNCHECKED, why=reason) for name in sorted(extra))]


def _not_drawn(contents: Files, drawn: DrawnForm, here: Sequence[str], why: str) -> list[FileCheck]:
    """The documents of a form that cannot be drawn here; those that every report has in it are there."""
    for name in drawn.names:
        if not name.endswith("/") and name not in contents:
            raise RejectedCertificateError(f"{name}: belongs to this report, and is not there")
    return [FileCheck(name=name, check=Check.UNCHECKED, why=why) for name in here]


def _other_program(predicate: Predicate) -> str:
    """Why what another version of this program drew cannot be compared; empty: it is this version."""
    if predicate.software == THIS:
        return ""
    return (
        f"written by {predicate.software.name} {predicate.software.version}; install that version to check it"
    )


def _other_library(predicate: Predicate, drawn: DrawnForm, *, judged: bool = False) -> str:
    """Why what another version of a library drew or judged cannot be compared; empty: it is the version that is here."""
    if drawn.library is None:
        return ""
    named = {library.name: library.version for library in predicate.libraries}.get(drawn.library)
    if named == drawn.version:
        return ""
    if named is None:
        did = "judged its simulations" if judged else "drew it"
        return f"the certificate does not name the version of {drawn.library} that {did}"
    did = "simulations judged" if judged else "drawn"
    return f"{did} with {drawn.library} {named}; install {drawn.library}=={named} to check it"


def _compared(contents: Files, name: str, expected: bytes, how: Check, reason: str) -> FileCheck:
    """A file held against what it must be; ``reason``: why it might be something else and still be right."""
    given = contents.get(name)
    if given == expected:
        return FileCheck(name=name, check=how)
    if reason:
        return FileCheck(name=name, check=Check.UNCHECKED, why=reason)
    if given is None:
        raise RejectedCertificateError(f"{name}: belongs to this report, and is not there")
    what = "drawn again, it is not the same" if how is Check.DRAWN else "not that of this combinat"
    where = (
        ""
        if b"\0" in given[:8000] or name.endswith((".pdf", ".xlsx"))
        else f": {first_difference(given, expected)}"
    )
    raise RejectedCertificateError(f"{name}: {what}{where}")


def first_difference(given: bytes, expected: bytes) -> str:
    """Where two texts differ first, in words."""
    pairs = zip_longest(given.split(b"\n"), expected.split(b"\n"))
    number, here, there = next(
        (number, here, there) for number, (here, there) in enumerate(pairs, start=1) if here != there
    )
    return f"line {number}: found {_line(here)}, expected {_line(there)}"


def _line(content: bytes | None) -> str:
    if not content:
        return "no line" if content is None else "an empty line"
    return quoted(content.decode("utf-8", "backslashreplace"))
