"""A verdict on a simulation or a hand log, as people read it."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from combinat.audit.judgement import Judgement, Kind, Test, decision_rule
from combinat.audit.replay import Fault, Replay
from combinat.audit.statistics import POWER
from combinat.audit.verdict import Verdict
from combinat.render.document import Block, Format, Heading, Paragraph, Table, Terms, as_json, rendered
from combinat.render.number import decimal, exact, percent
from combinat.rules.cards import RANKS
from combinat.rules.money import format_money
from combinat.simulate.observed import Dealing

SHOWN = 20
"""How many failed tests and contradictions are shown; JSON has them all."""

FAMILIES = {
    Kind.OMNIBUS: "omnibus G-tests",
    Kind.CARDS: "ranks of the cards",
    Kind.REPEATS: "repeats",
    Kind.OUTCOME: "outcomes",
    Kind.MEAN: "means of bets",
}


def chance(value: float) -> str:
    """A probability of chance alone, as far as it is of use."""
    if value < 1e-300:
        return "0"
    return f"{value:.4f}" if value >= 0.001 else f"{value:.1e}"


def document(found: Verdict) -> list[Block]:
    """The whole verdict, its sentence first."""
    return [_title(found), Paragraph(f"{found.sentence}."), *blocks(found)]


def _title(found: Verdict) -> Heading:
    return Heading(f"{found.game.name}: cross-check", 1)


def printed(found: Verdict, form: Format) -> str:
    """The whole verdict in one of the written formats. In text its sentence is the last line, however long."""
    if form is Format.JSON:
        return as_json(record(found))
    if form is Format.TEXT:
        return f"{rendered([_title(found), *blocks(found)], form)}\n\n{found.sentence}"
    return rendered(document(found), form)


def blocks(found: Verdict) -> Iterator[Block]:
    """What was checked, by which rule, and what was found; the verdict itself is not among it."""
    yield identity(found)
    if found.judgement is not None:
        yield Paragraph(decision_rule(found.judgement.alpha))
    if found.replay is not None:
        yield from _replay(found.replay, found.line_word)
    if found.judgement is not None:
        yield from _judgement(found.judgement)


def identity(found: Verdict) -> Terms:
    """What the file is about."""
    counted = found.observed
    shoe = counted.shoe
    said = {
        "File": f"{found.path.name}, SHA-256 {found.sha256}",
        "Game": f"{found.game.id}, rule book SHA-256 {found.rule_book_sha256}",
        "Shoe": f"{shoe.decks} decks, {shoe.size} cards" if shoe.decks else f"{shoe.size} cards: {shoe}",
        "Rounds judged" if found.replay else "Rounds": str(counted.rounds),
        "Dealing": counted.dealing.in_words
        + (f", {counted.shoes} shoes" if counted.dealing is Dealing.SHOES and counted.shoes else ""),
    }
    if found.replay and found.replay.certain is not None:
        said["Cut card"] = (
            f"{found.replay.cut_card} cards from the end, so that every shoe deals {found.replay.certain} rounds"
        )
    if counted.made_by:
        said["Made by"] = ", ".join(f"{key} {value}" for key, value in counted.made_by.items())
    sha256 = counted.rule_book_sha256
    if sha256 is not None and sha256 != found.rule_book_sha256:
        said["Note"] = f"made under another rule book, SHA-256 {sha256}, and judged by the one above"
    return Terms(said)


def _judgement(judgement: Judgement) -> Iterator[Block]:
    if judgement.too_few:
        yield Paragraph(f"There are {judgement.too_few}.")
    yield Heading("Bets")
    yield bets_table(judgement)
    yield Paragraph(
        f"Means are per unit staked, in per cent. The last column is what this many rounds could show: a bet whose true mean is off "
        f"by that many points would be noticed with a probability of {decimal(POWER, 1)} at the level {format_money(judgement.alpha)}; a smaller deviation may "
        "have passed. A z in brackets is not judged: the rounds are too few for a normal tail."
    )
    yield Heading("Results of bets")
    yield tests_table([one for one in judgement.scored if one[0].kind is Kind.OUTCOME and one[0].is_of_bet])
    yield Heading("Tests")
    yield families_table(judgement)
    if judgement.contradictions:
        yield Heading("What the rules contradict")
        rows = [[one.subject, one.kind, one.message] for one in judgement.contradictions[:SHOWN]]
        yield Table(columns=("subject", "kind", "found"), align="lll", rows=rows)
        yield from _and_more(len(judgement.contradictions))
    if judgement.rejected:
        yield Heading("Tests that failed")
        yield tests_table(judgement.rejected[:SHOWN])
        yield from _and_more(len(judgement.rejected))
    yield from (Paragraph(note) for note in judgement.notes)


def _and_more(count: int) -> Iterator[Block]:
    if count > SHOWN:
        yield Paragraph(f"And {count - SHOWN} more, all of them in --format json.")


def bets_table(judgement: Judgement) -> Table:
    """Each bet's mean: observed, exact, deviation, and what could have been noticed."""
    rows = [
        [
            seen.analysis.id,
            percent(seen.mean),
            percent(seen.analysis.expected_value),
            f"{seen.score.statistic:+.2f}" if seen.is_judged else f"({seen.score.statistic:+.2f})",
            f"{100 * seen.smallest_deviation:.4f}" if seen.is_judged else "-",
        ]
        for seen in judgement.bets
    ]
    columns = ("bet", "mean %", "exact %", "z", "noticeable")
    return Table(columns=columns, align="lrrrr", rows=rows)


def families_table(judgement: Judgement) -> Table:
    """The tests by family: how many, the unlikeliest of each, and how many failed."""
    failed = [test for test, _ in judgement.rejected]
    rows = []
    for kind, name in FAMILIES.items():
        mine = [(test, adjusted) for test, adjusted in judgement.scored if test.kind is kind]
        if mine:
            worst, adjusted = min(mine, key=lambda one: one[0].score.chance)
            rows.append(
                [
                    name,
                    str(len(mine)),
                    f"{worst.subject}, {worst.what}",
                    _statistic(worst),
                    chance(worst.score.chance),
                    chance(adjusted),
                    str(sum(test.kind is kind for test in failed)),
                ]
            )
    columns = ("tests", "number", "unlikeliest", "statistic", "p", "adjusted p", "failed")
    return Table(columns=columns, align="lrlrrrr", rows=rows)


def tests_table(tests: Sequence[tuple[Test, float]]) -> Table:
    """Single tests, each with what was observed and expected."""

    def amount(value: Fraction | None) -> str:
        if value is None:
            return "-"
        return decimal(
            value, 6 if abs(value) < 10 and value.denominator > 1 else 1 if value.denominator > 1 else 0
        )

    rows = [
        [
            test.subject,
            test.what,
            amount(test.observed),
            amount(test.expected),
            _statistic(test),
            chance(test.score.chance),
            chance(adjusted),
        ]
        for test, adjusted in tests
    ]
    columns = ("subject", "what", "observed", "expected", "statistic", "p", "adjusted p")
    return Table(columns=columns, align="llrrrrr", rows=rows)


def _statistic(test: Test) -> str:
    if test.what == "G":
        return f"G {test.score.statistic:.1f} on {test.score.freedom}"
    return f"z {test.score.statistic:+.2f}"


# ---------------------------------------------------------------- hand logs


def _replay(replay: Replay, line_word: str) -> Iterator[Block]:
    yield Heading("Every row replayed")
    yield Terms(
        {
            "Rows": str(replay.rows),
            "Unreadable rows": str(replay.unreadable),
            "Impossible deals": str(replay.impossible),
            "Wrong settlements": str(replay.wrong),
        }
        | (
            {f"Shoes of fewer than {replay.certain} rounds, settled but not judged": str(replay.short_shoes)}
            if replay.short_shoes
            else {}
        )
    )
    if replay.first_unreadable:
        yield from _faults("Rows that cannot be read", replay.first_unreadable, replay.unreadable, line_word)
    if replay.first_impossible:
        yield from _faults(
            "Rounds that cannot have been dealt", replay.first_impossible, replay.impossible, line_word
        )
    if replay.first_wrong:
        yield Heading("Settlements other than the rules'")
        rows = [
            [str(one.line), one.round, one.cards, f"{one.column}:{one.bet}", one.paid, one.due, one.clause]
            for one in replay.first_wrong
        ]
        columns = (line_word, "round", "cards", "column", "paid", "due", "clause")
        yield Table(columns=columns, align="rrllrrl", rows=rows)
        yield from _first_of(len(rows), replay.wrong)
    if replay.totals:
        yield Heading("Totals")
        rows = [
            [
                str(column),
                str(total.rows),
                str(total.wrong),
                format_money(total.recorded),
                format_money(total.due),
            ]
            for column, total in replay.totals.items()
        ]
        yield Table(columns=("column", "rows", "wrong", "recorded", "due"), align="lrrrr", rows=rows)


def _faults(title: str, faults: Sequence[Fault], count: int, line_word: str) -> Iterator[Block]:
    yield Heading(title)
    rows = [[str(one.line), one.round or "-", one.cards or "-", one.message] for one in faults]
    yield Table(columns=(line_word, "round", "cards", "what"), align="rrll", rows=rows)
    yield from _first_of(len(faults), count)


def _first_of(shown: int, count: int) -> Iterator[Block]:
    if count > shown:
        yield Paragraph(f"The first {shown} of {count}.")


# ---------------------------------------------------------------- JSON


def record(found: Verdict) -> dict[str, Any]:
    """The verdict as JSON has it."""
    counted, judgement, replay = found.observed, found.judgement, found.replay
    said: dict[str, Any] = {
        "schema": "combinat/crosscheck/1",
        "verdict": found.word.value,
        "exit_code": found.word.exit_code,
        "sentence": found.sentence,
        "reasons": found.reasons,
        "file": found.path.name,
        "sha256": found.sha256,
        "game": found.game.id,
        "rule_book_sha256": found.rule_book_sha256,
        "shoe": {
            "size": counted.shoe.size,
            "cards": dict(zip(RANKS, counted.shoe.counts, strict=True)),
        },
        "rounds": counted.rounds,
        "dealing": counted.dealing.value,
        "shoes": counted.shoes,
        "made_by": dict(counted.made_by),
    }
    if replay is not None:
        said["replay"] = {
            "rows": replay.rows,
            "unreadable": replay.unreadable,
            "impossible": replay.impossible,
            "wrong": replay.wrong,
            "cut_card": replay.cut_card,
            "rounds_judged_of_each_shoe": replay.certain,
            "short_shoes": replay.short_shoes,
            "first_unreadable": [one._asdict() for one in replay.first_unreadable],
            "first_impossible": [one._asdict() for one in replay.first_impossible],
            "first_wrong": [one._asdict() for one in replay.first_wrong],
            "totals": [
                {
                    "column": str(column),
                    "rows": total.rows,
                    "wrong": total.wrong,
                    "recorded": str(total.recorded),
                    "due": str(total.due),
                }
                for column, total in replay.totals.items()
            ],
        }
    if judgement is not None:
        said |= {
            "alpha": str(judgement.alpha),
            "decision_rule": decision_rule(judgement.alpha),
            "notes": list(judgement.notes),
            "contradictions": [
                {"subject": one.subject, "kind": one.kind.value, "found": one.message}
                for one in judgement.contradictions
            ],
            "bets": [
                {
                    "id": seen.analysis.id,
                    "mean": str(seen.mean),
                    "exact": str(seen.analysis.expected_value),
                    "z": seen.score.statistic,
                    "judged": seen.is_judged,
                    "noticeable": seen.smallest_deviation,
                }
                for seen in judgement.bets
            ],
            "tests": [
                {
                    "subject": test.subject,
                    "kind": test.kind.value,
                    "what": test.what,
                    "observed": exact(test.observed),
                    "expected": exact(test.expected),
                    "statistic": test.score.statistic,
                    "degrees_of_freedom": test.score.freedom,
                    "p": test.score.chance,
                    "adjusted_p": adjusted,
                }
                for test, adjusted in judgement.scored
            ],
        }
    return said
