"""A verdict as JUnit XML, for pipelines: a case for each kind of row fault and cause, contradiction and family of tests.

A case fails where the file does not agree, and is an error where it could not be judged.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from combinat.audit.verdict import Cause, Family, FaultKind, Judgement, Replayed, Verdict, Word
from combinat.base.kinds import CHANCE, shown
from combinat.render.escape import for_svg as for_xml
from combinat.report.verdict import FAMILY_NAMES, claims_in_words

ROWS = {
    FaultKind.UNREADABLE: "every row can be read",
    FaultKind.REPEATED: "every round is given once",
    FaultKind.IMPOSSIBLE: "every round can have been dealt",
    FaultKind.DECLARED: "every declared result is that of the cards",
    FaultKind.SETTLEMENT: "every settlement is that of the rules",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Case:
    """A case: its class and name, and what is wrong; ``is_error``: it could not be judged."""

    group: str
    name: str
    problem: str = ""
    details: str = ""
    is_error: bool = False


def verdict_junit(verdict: Verdict) -> str:
    """The verdict as one JUnit document, without times: equal files give equal bytes."""
    cases = list(_cases(verdict))
    failures = sum(bool(case.problem) and not case.is_error for case in cases)
    errors = sum(case.is_error for case in cases)
    counts = f'tests="{len(cases)}" failures="{failures}" errors="{errors}" skipped="0"'
    suite = for_xml(f"combinat crosscheck {verdict.file}")
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f"<testsuites {counts}>",
        f'<testsuite name="{suite}" {counts}>',
        "<properties>",
        *(
            f'<property name="{name}" value="{for_xml(value)}"/>'
            for name, value in (
                ("claims", claims_in_words(verdict.claims)),
                ("game", verdict.game),
                ("sha256", verdict.sha256),
                ("rule_book_sha256", verdict.rule_book_sha256),
                ("rounds", str(verdict.rounds)),
            )
        ),
        "</properties>",
        *(line for case in cases for line in _lines(case)),
        "</testsuite>",
        "</testsuites>",
    ]
    return "\n".join(lines) + "\n"


def _lines(case: _Case) -> Iterator[str]:
    place = f'classname="combinat.{for_xml(case.group)}" name="{for_xml(case.name)}"'
    if not case.problem:
        yield f"<testcase {place}/>"
        return
    tag = "error" if case.is_error else "failure"
    yield f"<testcase {place}>"
    yield f'<{tag} message="{for_xml(case.problem)}">{for_xml(case.details or case.problem)}</{tag}>'
    yield "</testcase>"


def _cases(verdict: Verdict) -> Iterator[_Case]:
    unjudged = verdict.word is Word.UNJUDGED
    yield _Case(
        group="verdict",
        name="verdict",
        problem="" if verdict.word is Word.AGREES else verdict.sentence,
        details="; ".join(verdict.reasons),
        is_error=unjudged,
    )
    if verdict.replay is not None:
        yield from _rows(verdict.replay)
    if verdict.judgement is not None:
        yield from _chance(verdict.judgement)


def _rows(replay: Replayed) -> Iterator[_Case]:
    """A case for each cause; of a kind of fault that there is none of, one that passes."""
    for kind, name in ROWS.items():
        causes = [cause for cause in replay.causes if cause.kind is kind]
        if not causes:
            yield _Case(group="rows", name=name)
        yield from (_cause(cause, name, replay) for cause in causes)


def _cause(cause: Cause, name: str, replay: Replayed) -> _Case:
    clause = f" ({cause.clause})" if cause.clause else ""
    more = "".join(f"; {text}" for text in (cause.how_often, cause.where) if text)
    return _Case(
        group=f"rows.{cause.kind}",
        name=f"{name}: {cause.message}",
        problem=f"{cause.message}{clause}: {cause.rows} rows, first at {replay.line_word} {cause.first_line}{more}",
        is_error=cause.kind is FaultKind.UNREADABLE or cause.first_line == replay.cut_line,
    )


def _chance(judgement: Judgement) -> Iterator[_Case]:
    if not judgement.contradictions:
        yield _Case(group="contradictions", name="nothing contradicts the rules")
    for fault in judgement.contradictions:
        yield _Case(
            group="contradictions",
            name=f"{fault.subject}: {fault.kind}",
            problem=f"{fault.subject}: {fault.message}",
        )
    yield from (_family(family, judgement) for family in judgement.families)


def _family(family: Family, judgement: Judgement) -> _Case:
    failed = [test for test in judgement.failed if test.kind is family.kind]
    details = "; ".join(
        f"{test.subject}, {test.what}: adjusted p {shown(test.adjusted_chance, CHANCE)}" for test in failed
    )
    return _Case(
        group="tests",
        name=FAMILY_NAMES[family.kind],
        problem=f"{len(failed)} of {family.tests} tests failed" if failed else "",
        details=details,
    )
