"""A rule book that was looked through: its mistakes, what its lines cover, what looks forgotten, published figures."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from combinat.analysis.coverage import BetCoverage, Caution, CautionSort, Coverage, CoveredLine, Hole
from combinat.analysis.expectation import Expectation
from combinat.base.kinds import COUNT, FRACTION, ODDS, percentage, shown
from combinat.base.number import exact
from combinat.render.blocks import Block, Column, Figure, Paragraph, Section, Table, Terms, Words, table
from combinat.report.game_fields import SHOE
from combinat.report.odds import FINE, PERCENT, shoe_in_words
from combinat.report.phrases import ROUNDING
from combinat.report.relation_tables import EXACT_DECIMAL
from combinat.rules.book.reader import Mistake
from combinat.rules.facts import fact_in_words, numbers_in_words

ROUGH = percentage(1)

# ---------------------------------------------------------------- mistakes


def mistakes_document(name: str, mistakes: Sequence[Mistake]) -> Section:
    """Every mistake of a rule book, in the order of its lines."""
    several = f"{len(mistakes)} mistake{'s' if len(mistakes) > 1 else ''}"
    sections = [Section(_place(mistake), (Paragraph(f"{mistake.what}."),)) for mistake in mistakes]
    return Section(f"{name}: {several}", tuple(sections))


def _place(mistake: Mistake) -> str:
    line = f"line {mistake.line}" if mistake.line is not None else ""
    return ", ".join(filter(None, (line, mistake.key))) or "the file"


def mistakes_table(mistakes: Sequence[Mistake]) -> Table:
    """One line for each mistake."""
    columns = (Column("line"), Column("key"), Column("mistake"))
    rows = [
        ("" if mistake.line is None else str(mistake.line), mistake.key, mistake.what) for mistake in mistakes
    ]
    return table(columns, rows)


def mistakes_json(name: str, mistakes: Sequence[Mistake]) -> dict[str, Any]:
    """The mistakes under the schema ``combinat/check/2``."""
    return {
        "schema": "combinat/check/2",
        "file": name,
        "holds": False,
        "mistakes": [
            {"line": mistake.line, "key": mistake.key, "mistake": mistake.what} for mistake in mistakes
        ],
    }


# ---------------------------------------------------------------- coverage


def check_document(coverage: Coverage, expected: Sequence[Expectation]) -> Section:
    """A rule book without mistakes: what every line covers, what to look at, and its published figures."""
    game = coverage.game
    head: dict[str, Words] = {
        "Mistakes": "none",
        "Shoe": shoe_in_words(coverage.shoe),
        **({"Examples": f"{len(game.examples)}, all come to their lines"} if game.examples else {}),
    }
    blocks: list[Block] = [Terms(head)]
    blocks += [_bet(bet) for bet in coverage.bets]
    if expected:
        blocks.append(Section("Published figures", expected_blocks(expected)))
    cautions = list(cautions_in_words(coverage))
    said = [Paragraph(words) for words in cautions] or [Paragraph("Nothing.")]
    blocks.append(Section("To look at", tuple(said)))
    return Section(game.name, (*blocks, Paragraph(ROUNDING)))


def _bet(bet: BetCoverage) -> Section:
    columns = (
        Column("outcome"),
        Column("when"),
        Column("pays", ODDS),
        Column("ways", COUNT),
        Column("rounds %", PERCENT),
        Column("for example"),
    )
    rows = [
        (line.name, line.when, line.odds, line.ways, line.probability, str(line.deal or "none on this shoe"))
        for line in bet.lines[:-1]
    ]
    edge = Figure(bet.analysis.house_edge, FINE, after=" %")
    return Section(
        f"{bet.bet.name} ({bet.bet.id})",
        (table(columns, rows), Paragraph(_rest(bet.rest)), Terms({"House edge": edge})),
    )


def _rest(rest: CoveredLine) -> tuple[str | Figure, ...]:
    """What becomes of the rounds that no line covers, in a sentence."""
    if not rest.ways:
        return ("Its lines cover every round.",)
    verb = "loses" if rest.net else "comes back"
    example = f", for example {rest.deal}" if rest.deal else ""
    return (f"Everything else {verb}: ", Figure(rest.probability, ROUGH, after=f" % of rounds{example}."))


def cautions_in_words(coverage: Coverage) -> Iterator[str]:
    """What should be looked at, a sentence each."""
    for bet in coverage.bets:
        for caution in bet.cautions:
            yield f"{bet.bet.id}: {_caution(caution, bet)}"


def _caution(caution: Caution, bet: BetCoverage) -> str:
    if caution.hole is not None:
        return _hole(caution.hole, bet)
    if caution.sort is CautionSort.NEVER_LOSES:
        return "it never loses; if it should, take otherwise or some of its lines out"
    return (
        f"it favours the player, by {shown(bet.analysis.expected_value, FINE)} % of the stake on this shoe; "
        "check its odds, or solve for lower ones"
    )


def _hole(hole: Hole, bet: BetCoverage) -> str:
    elsewhere = ", ".join(
        fact_in_words(fact, values)
        for fact, values in hole.where.items()
        if values != {None} and values != {True, False}
    )
    where = f" when {elsewhere}" if elsewhere else ""
    verb = "loses" if bet.rest.net else "comes back"
    return (
        f"{hole.fact} {numbers_in_words(hole.values)} {verb}{where}, while values below and above it are named, "
        f"for example {hole.deal}; if that is meant, nothing is to be done"
    )


def coverage_table(coverage: Coverage) -> Table:
    """One line for each line of a pay table, and for what is left over."""
    columns = (
        Column("bet"),
        Column("outcome"),
        Column("when"),
        Column("odds", ODDS),
        Column("net", FRACTION),
        Column("ways", COUNT),
        Column("probability", FRACTION),
        Column("probability_decimal", EXACT_DECIMAL),
        Column("example"),
    )
    rows = [
        (
            bet.bet.id,
            line.name,
            line.when,
            line.odds,
            line.net,
            line.ways,
            line.probability,
            line.probability,
            str(line.deal or ""),
        )
        for bet in coverage.bets
        for line in bet.lines
    ]
    return table(columns, rows)


# ---------------------------------------------------------------- published figures


def expected_blocks(expected: Sequence[Expectation]) -> tuple[Block, ...]:
    """Every published figure beside the exact one, rounded a little further, and whether it holds; the sources."""
    sources = list(dict.fromkeys(one.stated.source for one in expected))
    columns = (
        Column("bet"),
        Column("decks", COUNT),
        Column("figure"),
        Column("published"),
        Column("exact"),
        Column("holds"),
        Column("source"),
    )
    rows = [
        (
            one.stated.bet,
            one.stated.decks,
            figure_name(one),
            one.published,
            _figure(one),
            "yes" if one.is_met else "NO",
            f"[{sources.index(one.stated.source) + 1}]",
        )
        for one in expected
    ]
    return table(columns, rows), Terms({f"[{number}]": source for number, source in enumerate(sources, 1)})


def figure_name(one: Expectation) -> str:
    """What a published figure is of."""
    line = f" of {one.stated.line}" if one.stated.line else ""
    return f"{one.name.replace('_', ' ')}{line}"


def _figure(one: Expectation) -> Figure:
    if one.published.endswith("%"):
        return Figure(one.exact, FINE, after="%")
    return Figure(one.exact, EXACT_DECIMAL)


def unmet_in_words(expected: Sequence[Expectation]) -> Iterator[str]:
    """The published figures that do not hold, a phrase each."""
    for one in expected:
        if not one.is_met:
            yield (
                f"{one.stated.bet} with {one.stated.decks} decks: the {figure_name(one)} is published as "
                f"{one.published}, and is {_figure(one).text()}"
            )


def check_json(name: str, coverage: Coverage, expected: Sequence[Expectation]) -> dict[str, Any]:
    """A rule book without mistakes, under the schema ``combinat/check/2``."""
    return {
        "schema": "combinat/check/2",
        "file": name,
        "game": coverage.game.id,
        "holds": all(one.is_met for one in expected),
        "mistakes": [],
        "shoe": SHOE.object(coverage.shoe),
        "bets": [_bet_json(bet) for bet in coverage.bets],
        "warnings": [
            {
                "bet": bet.bet.id,
                "warning": caution.sort.value,
                "says": _caution(caution, bet),
                "deal": str(caution.hole.deal) if caution.hole else None,
            }
            for bet in coverage.bets
            for caution in bet.cautions
        ],
        "examples": len(coverage.game.examples),
        "expect": [
            {
                "bet": one.stated.bet,
                "decks": one.stated.decks,
                "figure": one.name,
                "line": one.stated.line or None,
                "published": str(one.published),
                "exact": exact(one.exact),
                "holds": one.is_met,
                "source": one.stated.source,
            }
            for one in expected
        ],
    }


def _bet_json(bet: BetCoverage) -> dict[str, Any]:
    edge: Fraction = bet.analysis.house_edge
    return {
        "id": bet.bet.id,
        "house_edge": exact(edge),
        "lines": [
            {
                "outcome": line.name,
                "when": line.when,
                "odds": line.odds,
                "net": exact(line.net),
                "ways": str(line.ways),
                "probability": exact(line.probability),
                "deal": str(line.deal) if line.deal else None,
            }
            for line in bet.lines
        ],
    }
