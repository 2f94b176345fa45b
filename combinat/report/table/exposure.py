"""The documents of the House's result of one round."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from combinat.base.kinds import (
    COUNT,
    FLAG,
    FRACTION,
    MONEY,
    NUMBER,
    ONE_IN,
    TEXT,
    percentage,
    root,
)
from combinat.base.number import Root
from combinat.base.relation import ByName, Document, Field, Many, Relation
from combinat.render.blocks import Block, Figure, Paragraph, Section, Words, section
from combinat.report.analysis.odds import FINE, amounts, exact_and_decimal, shoe_in_words
from combinat.report.phrases import ROUNDING
from combinat.report.provisos import GAME, HANDS, SHOE
from combinat.report.relation_tables import view_table
from combinat.report.table.settlement import NET
from combinat.rules.cards import Rank, format_cards
from combinat.rules.facts import FIRST_FOUR_FACTS
from combinat.rules.outcome import Pairs, Result, Winner
from combinat.table.exposure import CostlyRound, Exposure, HouseResult
from combinat.table.exposure_ceiling import LayoutCeiling

MOST_CAUSES = 10
"""Sorts of rounds that people are shown; programs are given all."""

MOST_RESULTS = 30
"""Results that a table always shows."""

CHANCES = tuple(Fraction(per_mille, 1000) for per_mille in (1, 10, 50, 250, 500, 750, 950, 990, 999))
"""Of a longer distribution, the results at these chances."""


def exposure_document(exposure: Exposure, *, detail: bool = False) -> Section:
    """Return the House's result for all stakes: its figures, the most costly rounds, its distribution."""
    full, title = exposure.full, "The most that a full layout can cost"
    return section(
        exposure.game.name,
        {"Shoe": shoe_in_words(exposure.shoe)},
        section(title, _ceiling(full)) if full else None,
        section("The House's result of one round", _figures(exposure), _notes(exposure)),
        section("The rounds that cost most", _costly(exposure)),
        section("Distribution", _distribution(exposure, detail)),
        ROUNDING,
    )


def _notes(exposure: Exposure) -> Iterator[str]:
    """Yield the remarks on what the figures exclude."""
    if exposure.ignores_cards:
        yield "The cards of the file are ignored: these figures are for the round before it is dealt."
    if exposure.full is not None and exposure.full.insured is not None:
        yield (
            "These figures are for the first choice of stakes, without insurance, "
            "which is taken when cards are on the table."
        )
    elif exposure.full is None and exposure.game.offers:
        yield "Insurance is not included: it is taken when cards are on the table."


def _ceiling(full: LayoutCeiling) -> dict[str, Words | None]:
    maxima, differential = _maxima(full), full.limits.maximum_differential
    choices = {f"Choice {number}": _stakes(stakes) for number, stakes in enumerate(full.choices, start=1)}
    several = f"{len(full.choices)}; the figures below are for the first"
    return {
        "Positions": Figure(full.positions, COUNT),
        "Limits of one position": _stakes(maxima) if full.limits.bets else None,
        "Maximum Differential": None if differential is None else Figure(differential, MONEY),
        **_largest(full),
        **({"Choices of stakes that can lose as much": several, **choices} if len(full.choices) > 1 else {}),
    }


def _maxima(full: LayoutCeiling) -> dict[str, Fraction]:
    """Return the maximum stake of one position on each bet with a limit of its own."""
    return {bet: own.maximum for bet, own in full.limits.bets.items() if own.maximum is not None}


def _largest(ceiling: LayoutCeiling) -> dict[str, Words | None]:
    """Return the largest loss; if insurance is offered, with and without it."""
    head, loss = "Largest loss with any stakes within them", Figure(ceiling.loss, MONEY)
    if ceiling.insured is None:
        return {head: loss}
    insured, costs_more = ceiling.with_insurance, (ceiling.with_insurance or 0) > ceiling.loss
    return {
        f"{head}, insurance included": NO_FIGURE if insured is None else Figure(insured, MONEY),
        "Stakes of that loss": _stakes(ceiling.insured.stakes) if costs_more else None,
        "Insurance of that loss": _stakes(ceiling.insured.insurance) if costs_more else None,
        "Largest loss without insurance": loss,
    }


NO_FIGURE = (
    "no finite figure: insurance is limited by the bet that it insures, and no limit of its own bounds a bet on a hand; "
    "give each hand a limit"
)
"""The figure shown if the limits do not bound the cost of insurance."""


def _figures(exposure: Exposure) -> dict[str, Words | None]:
    worst, loses = exposure.worst, bool(exposure.largest_loss)
    return {
        "Stakes": _stakes(exposure.stakes),
        "Staked": Figure(exposure.staked, MONEY),
        "Mean": exact_and_decimal(exposure.mean, 6),
        "Mean, share of all stakes": Figure(exposure.house_edge, FINE, after=" %"),
        "Standard deviation": Figure(exposure.variance, root(6)),
        "The House loses in": Figure(exposure.loses, FINE, after=" % of all rounds"),
        "Largest loss" if loses else "The House never loses; smallest result": (
            Figure(exposure.largest_loss or worst.net, MONEY),
            Figure(worst.probability, RARE, before=", in ", after=" % of all rounds"),
            Figure(worst.probability, ONE_IN, before=", one in "),
        ),
        "Largest gain": Figure(exposure.best.net, MONEY),
    }


def _stakes(stakes: Mapping[str, Fraction]) -> Words:
    return amounts(stakes) or "none"


def _costly(exposure: Exposure) -> tuple[Block, ...]:
    """Return the most costly rounds, and the bets that win in them."""
    more = len(exposure.causes) - MOST_CAUSES
    others = Paragraph(("And ", Figure(more, COUNT), " more kinds of rounds, none more likely."))
    return (
        view_table(COSTLY_WINS, exposure.costly_wins.items()),
        view_table(COSTLY_ROUNDS, exposure.causes[:MOST_CAUSES]),
        *((others,) if more > 0 else ()),
    )


RARE = percentage(9)
"""The probability of a rare round."""

COSTLY_WINS: Relation[tuple[Sequence[str], Fraction]] = Relation(
    "costly wins",
    Field("wins", "winning bets", TEXT, "The bets that win.", lambda row: ", ".join(row[0]) or "none", views="terminal"),
    Field("probability", "probability %", RARE, "Ways over the sample space.", lambda row: row[1], views="terminal"),
    Field("one_in", "one in", ONE_IN, "Rounds to one of these, on average.", lambda row: row[1], views="terminal", for_people=True),
)  # fmt: skip
"""The winning bets of the rounds that cost the House most, one row for each; for people."""


def _deal(cause: CostlyRound) -> str:
    if cause.example is None:
        return ""
    return f"Player {format_cards(cause.example.player)}, Banker {format_cards(cause.example.banker)}"


def cause_in_words(cause: CostlyRound) -> str:
    """Return a kind of round in a phrase."""
    result = cause.result
    if result is None:
        return "the shoe cannot finish the round"
    if result.winner is Winner.TIE:
        ended = f"tie on {result.player_points}"
    else:
        low, high = sorted((result.player_points, result.banker_points))
        ended = f"{result.winner.capitalize()} wins {high} to {low}"
    cards = f"cards {result.player_cards} and {result.banker_cards}"
    if result.thirds is not None:
        cards += (
            f", the third {' and '.join('none' if card is None else str(card) for card in result.thirds)}"
        )
    return "; ".join([ended, cards, *(_fact(name, value) for name, value in cause.first_four)])


_PAIRS = {
    Pairs.NONE: "no pair",
    Pairs.SINGLE: "one pair",
    Pairs.DOUBLE: "two pairs",
    Pairs.TWIN: "the same pair twice",
}


def _fact(name: str, value: object) -> str:
    """Return a fact of the first four cards, as a phrase."""
    by_points = " by points" if "point" in name else ""
    if isinstance(value, Pairs):
        return f"{_PAIRS[value]}{by_points}"
    hand = name.partition("_")[0].capitalize()
    of_rank = f" of {value}" if isinstance(value, Rank) else ""
    return f"{'a' if value else 'no'} {hand} pair{by_points}{of_rank}"


def _distribution(exposure: Exposure, detail: bool) -> tuple[Block, ...]:
    if detail or len(exposure.results) <= MOST_RESULTS:
        return (view_table(HOUSE_RESULTS, exposure.results),)
    before, after = (
        "There are ",
        " results. With each of these chances, or a little more, the House has at most:",
    )
    number = Figure(len(exposure.results), COUNT, before=before, after=after)
    reached = [(chance, exposure.quantile(chance)) for chance in CHANCES]
    return Paragraph(number), view_table(QUANTILES, reached)


QUANTILES: Relation[tuple[Fraction, HouseResult]] = Relation(
    "quantiles of the House's result",
    Field("chance", "chance %", percentage(1), "A probability.", lambda row: row[0], views="terminal"),
    Field("net", "at most", NET, "The least result with this probability or more.", lambda row: row[1].net, views="terminal"),
    Field("at_most", "exactly %", FINE, "Probability of this result or a lower one.", lambda row: row[1].at_most, views="terminal"),
)  # fmt: skip
"""Results of the House by cumulative probability, one row for each; for people."""

HOUSE_RESULTS: Relation[HouseResult] = Relation(
    "results of the House",
    Field("net", "the House", NET, "The House's result of the round.", views="terminal"),
    Field("ways", "ways", COUNT, "Ordered card sequences.", views="terminal"),
    Field("probability", "probability %", FINE, "Ways over the sample space.", views="terminal"),
    Field("at_most", "cumulative %", FINE, "Probability of this result or a lower one.", views="terminal"),
)
"""Every result of the House, the worst first, one row for each."""


# ---------------------------------------------------------------- JSON


ENDS: Relation[Result] = Relation(
    "end of a round",
    Field("player_points", "Player points", NUMBER, "The Player Hand's points."),
    Field("banker_points", "Banker points", NUMBER, "The Banker Hand's points."),
    Field("player_cards", "Player cards", NUMBER, "The Player Hand's cards."),
    Field("banker_cards", "Banker cards", NUMBER, "The Banker Hand's cards."),
    Field(
        "thirds", "thirds", Many(NUMBER, or_none=True), "The points of both third cards.", may_be_absent=True
    ),
)
"""The ending of a round."""


def _first_four(name: str) -> Field[CostlyRound]:
    """Return the field of a fact of the first four cards; absent unless a bet depends on it."""

    def value(cause: CostlyRound) -> Any:
        fact = dict(cause.first_four).get(name)
        return fact if fact is None or isinstance(fact, bool) else str(fact)

    kind = FLAG if name.endswith("_pair") else TEXT
    return Field(
        name, name.replace("_", " "), kind, "A fact of the first four cards.", value, may_be_absent=True
    )


COSTLY_ROUNDS: Relation[CostlyRound] = Relation(
    "rounds that cost most",
    Field("round", "round", TEXT, "The kind of round in a phrase.", lambda cause: cause_in_words(cause), views="terminal"),
    Field("deal", "for example", TEXT, "", _deal, views="terminal", for_people=True),
    Field("result", "result", ENDS, "How it ends.", may_be_none=True),
    Field("first_four", "first four", Relation("first four cards", *map(_first_four, FIRST_FOUR_FACTS)), "The first four cards.", lambda cause: cause),
    Field("wins", "wins", Many(TEXT), "The staked lines that win."),
    Field("ways", "ways", COUNT, "Ordered card sequences.", views="terminal"),
    Field("probability", "probability %", RARE, "Ways over the sample space.", views="terminal"),
    Field("one_in", "one in", ONE_IN, "", lambda cause: cause.probability, views="terminal", for_people=True),
    Field("example", "for example", HANDS, "One such round.", may_be_none=True),
)  # fmt: skip
"""The rounds that cost the House most, one row for each."""

LARGEST_LOSS: Relation[Exposure] = Relation(
    "largest loss",
    Field("amount", "largest loss", MONEY, "The most that the House can lose.", lambda row: row.largest_loss),
    Field("ways", "ways", COUNT, "Ordered card sequences.", lambda row: row.worst.ways),
    Field("probability", "probability %", RARE, "Its probability.", lambda row: row.worst.probability),
    Field("rounds", "rounds", Many(COSTLY_ROUNDS), "The rounds that cost it.", lambda row: row.causes),
)

INSURED_LAYOUT: Relation[LayoutCeiling] = Relation(
    "insured layout",
    Field("without_insurance", "without insurance", MONEY, "The largest loss without insurance.", lambda row: row.loss),
    Field("stakes", "stakes", ByName(MONEY), "The stakes that cost most.", lambda row: row.insured and row.insured.stakes),
    Field("insurance", "insurance", ByName(MONEY), "The insurance that costs most.", lambda row: row.insured and row.insured.insurance),
)  # fmt: skip

FULL_LAYOUT: Relation[LayoutCeiling] = Relation(
    "full layout",
    Field("positions", "positions", NUMBER, "Playing positions."),
    Field("limits", "limits", ByName(MONEY), "The most that one position may stake on each bet.", lambda row: _maxima(row)),
    Field(
        *("maximum_differential", "maximum Differential", MONEY, "The maximum Differential of the table."),
        lambda row: row.limits.maximum_differential,
        may_be_none=True,
    ),
    Field("largest_loss", "largest loss", MONEY, "Insurance included; null: no finite figure.", lambda row: row.with_insurance, may_be_none=True),
    Field("insured", "insured", INSURED_LAYOUT, "With insurance.", lambda row: row if row.insured else None, may_be_absent=True),
    Field("choices", "choices", Many(ByName(MONEY)), "All stakes that cost most without insurance."),
)  # fmt: skip

EXPOSURE: Document[Exposure] = Document(
    "combinat/exposure/1",
    "What a round can cost the House: combinat exposure.",
    *GAME.part(lambda row: row.game),
    Field("shoe", "shoe", SHOE, "The shoe."),
    Field("full_layout", "full layout", FULL_LAYOUT, "The most that a full layout can cost.", lambda row: row.full, may_be_absent=True),
        Field("stakes", "stakes", ByName(MONEY), "The stakes on each bet."),
        Field("staked", "staked", MONEY, "All stakes."),
        Field("mean", "mean", MONEY, "The House's mean result."),
        Field("variance", "variance", FRACTION, "Variance of its result."),
        Field("standard_deviation", "std dev", root(6), "Standard deviation of its result.", lambda row: Root(row.variance)),
        Field("house_edge", "house edge %", FINE, "Mean result per unit staked."),
        Field("loses", "loses %", FINE, "Probability that the House loses."),
        Field("largest_loss", "largest loss", LARGEST_LOSS, "The most that it can lose.", lambda row: row),
        Field("largest_gain", "largest gain", MONEY, "The most that it can gain.", lambda row: row.best.net),
        Field("results", "results", Many(HOUSE_RESULTS), "Every result."),
)  # fmt: skip
