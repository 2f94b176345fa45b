"""The House's result of one round, as people and programs read it."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from combinat.base.kinds import COUNT, FRACTION, MONEY, ONE_IN, decimal, percentage, root
from combinat.base.number import Root, exact
from combinat.render.blocks import (
    Block,
    Column,
    Figure,
    Paragraph,
    Picture,
    Section,
    Table,
    Terms,
    Words,
    table,
)
from combinat.render.pictures import Histogram
from combinat.report.answer import shoe_json
from combinat.report.odds import FINE, shoe_in_words
from combinat.report.phrases import ROUNDING
from combinat.report.provisos import proviso_terms, provisos_json
from combinat.report.settlement import NET
from combinat.rules.cards import Rank, format_cards
from combinat.rules.game import Game
from combinat.rules.outcome import Pairs, Result, Winner
from combinat.rules.shoe import Shoe
from combinat.table.exposure import CostlyRound, Exposure
from combinat.table.exposure_ceiling import InsuredCeiling, LayoutCeiling

MOST_CAUSES = 10
"""Sorts of rounds that people are shown; programs are given all."""

MOST_RESULTS = 30
"""Results that stand in a table without being asked for."""

CHANCES = tuple(Fraction(per_mille, 1000) for per_mille in (1, 10, 50, 250, 500, 750, 950, 990, 999))
"""Of a longer distribution, the results at these chances."""

NOTES = {
    "cards": "The cards of the file are ignored: these figures are for the round before it is dealt.",
    "insurance": "Insurance is not included: it is taken when cards are on the table.",
    "full": "These figures are for the first choice of stakes, without insurance, which is taken when cards are on the table.",
}


def exposure_document(
    game: Game,
    shoe: Shoe,
    exposure: Exposure,
    full: LayoutCeiling | None = None,
    notes: Sequence[str] = (),
    *,
    detail: bool = False,
) -> Section:
    """The House's result with all the stakes: its figures, the rounds that cost most, its distribution."""
    blocks: list[Block] = [Terms({"Shoe": shoe_in_words(shoe)})]
    if full is not None:
        blocks.append(Section("The most that a full layout can cost", (_ceiling(full),)))
    blocks += [
        Section("The House's result of one round", (_figures(exposure), *map(Paragraph, notes))),
        Section("The rounds that cost most", _causes(exposure)),
        Section("Distribution", _distribution(exposure, detail)),
        Paragraph(ROUNDING),
    ]
    return Section(game.name, tuple(blocks))


def _ceiling(full: LayoutCeiling) -> Terms:
    said: dict[str, Words] = {"Positions": Figure(full.positions, COUNT)}
    if full.limits.bets:
        said["Limits of one position"] = _stakes(_maxima(full))
    if full.limits.maximum_differential is not None:
        said["Maximum Differential"] = Figure(full.limits.maximum_differential, MONEY)
    said |= _largest(full)
    if len(full.choices) > 1:
        said["Choices of stakes that can lose as much"] = (
            f"{len(full.choices)}; the figures below are for the first"
        )
        for number, stakes in enumerate(full.choices, start=1):
            said[f"Choice {number}"] = _stakes(stakes)
    return Terms(said)


def _maxima(full: LayoutCeiling) -> dict[str, Fraction]:
    """The most that one position may stake on each bet that has a limit of its own."""
    return {bet: own.maximum for bet, own in full.limits.bets.items() if own.maximum is not None}


def _largest(ceiling: LayoutCeiling) -> dict[str, Words]:
    """The largest loss; where insurance is offered, with it and without it."""
    head = "Largest loss with any stakes within them"
    if ceiling.insured is None:
        return {head: Figure(ceiling.loss, MONEY)}
    with_insurance = ceiling.with_insurance
    if with_insurance is None:
        return {
            f"{head}, insurance included": NO_FIGURE,
            "Largest loss without insurance": Figure(ceiling.loss, MONEY),
        }
    said: dict[str, Words] = {f"{head}, insurance included": Figure(with_insurance, MONEY)}
    if with_insurance > ceiling.loss:
        said["Stakes of that loss"] = _stakes(ceiling.insured.stakes)
        said["Insurance of that loss"] = _stakes(ceiling.insured.insurance)
    return {**said, "Largest loss without insurance": Figure(ceiling.loss, MONEY)}


NO_FIGURE = (
    "no finite figure: insurance is limited by the bet that it insures, and no limit of its own bounds a bet on a hand; "
    "give each hand a limit"
)
"""Said where the limits do not bound what insurance can cost."""


def _figures(exposure: Exposure) -> Terms:
    mean, worst = exposure.mean, exposure.worst
    return Terms(
        {
            "Stakes": _stakes(exposure.stakes),
            "Staked": Figure(exposure.staked, MONEY),
            "Mean": (Figure(mean, FRACTION), " = ", Figure(mean, decimal(6))),
            "Of all staked": Figure(exposure.house_edge, FINE, after=" %"),
            "Standard deviation": Figure(exposure.variance, root(6)),
            "The House loses in": Figure(exposure.loses, FINE, after=" % of all rounds"),
            "Largest loss" if exposure.largest_loss else "It never loses; its least result": (
                Figure(exposure.largest_loss or worst.net, MONEY),
                Figure(worst.probability, percentage(9), before=", in ", after=" % of all rounds"),
                Figure(worst.probability, ONE_IN, before=", one in "),
            ),
            "Largest gain": Figure(exposure.best.net, MONEY),
        }
    )


def _stakes(stakes: Mapping[str, Fraction]) -> Words:
    words: list[Figure] = []
    for bet, amount in stakes.items():
        words.append(Figure(amount, MONEY, before=f"{', ' if words else ''}{bet} "))
    return tuple(words) or "none"


def _causes(exposure: Exposure) -> tuple[Block, ...]:
    columns = (
        Column("round"),
        Column("for example"),
        Column("ways", COUNT),
        Column("probability %", percentage(9)),
        Column("one in", ONE_IN),
    )
    rows = [
        (cause_in_words(cause), _deal(cause), cause.ways, cause.probability, cause.probability)
        for cause in exposure.causes[:MOST_CAUSES]
    ]
    more = exposure.causes[MOST_CAUSES:]
    rest = (
        (Paragraph(("And ", Figure(len(more), COUNT), " more kinds of rounds, none more likely.")),)
        if more
        else ()
    )
    return _wins(exposure), table(columns, rows), *rest


def _wins(exposure: Exposure) -> Table:
    """What wins in the rounds that cost most."""
    columns = (Column("what wins then"), Column("probability %", percentage(9)), Column("one in", ONE_IN))
    rows = [
        (", ".join(wins) or "nothing", probability, probability)
        for wins, probability in exposure.costly_wins.items()
    ]
    return table(columns, rows)


def _deal(cause: CostlyRound) -> str:
    if cause.example is None:
        return ""
    return f"Player {format_cards(cause.example.player)}, Banker {format_cards(cause.example.banker)}"


def cause_in_words(cause: CostlyRound) -> str:
    """A kind of round in a phrase."""
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
    """A fact of the first four cards, as a phrase."""
    by_points = " by points" if "point" in name else ""
    if isinstance(value, Pairs):
        return f"{_PAIRS[value]}{by_points}"
    hand = name.partition("_")[0].capitalize()
    of_rank = f" of {value}" if isinstance(value, Rank) else ""
    return f"{'a' if value else 'no'} {hand} pair{by_points}{of_rank}"


def _distribution(exposure: Exposure, detail: bool) -> tuple[Block, ...]:
    if detail or len(exposure.results) <= MOST_RESULTS:
        return (results_table(exposure),)
    columns = (Column("chance %", percentage(1)), Column("at most", NET), Column("exactly %", FINE))
    rows = [
        (chance, reached.net, reached.at_most)
        for chance, reached in ((chance, exposure.quantile(chance)) for chance in CHANCES)
    ]
    number = Figure(
        len(exposure.results),
        COUNT,
        before="There are ",
        after=" results. With each of these chances, or a little more, the House has at most:",
    )
    return Paragraph(number), table(columns, rows)


def results_table(exposure: Exposure) -> Table:
    """Every result of the House, from the worst on, with the chance of it and of it or less."""
    columns = (
        Column("the House", NET),
        Column("ways", COUNT),
        Column("probability %", FINE),
        Column("it or less %", FINE),
    )
    rows = [(one.net, one.ways, one.probability, one.at_most) for one in exposure.results]
    return table(columns, rows)


def exposure_csv(exposure: Exposure) -> Table:
    """Every result of the House, exact."""
    names = ("net", "probability", "at_most")
    net, probability, at_most = (Column(name, FRACTION) for name in names)
    rows = [(one.net, one.ways, one.probability, one.at_most) for one in exposure.results]
    return table((net, Column("ways", COUNT), probability, at_most), rows)


# ---------------------------------------------------------------- the chart


def histogram(game: Game, exposure: Exposure) -> Picture:
    """The distribution as a picture."""
    title = f"The House's result of one round: {game.name}{', with other odds' if game.provisos.odds else ''}"
    return Picture(
        name="exposure",
        drawing=Histogram(
            title=title,
            across_title="the House's result",
            down_title="share of all rounds, %",
            points=tuple((one.net, one.probability) for one in exposure.results),
        ),
        alt=(
            "Histogram of the House's result of one round, from ",
            Figure(exposure.worst.net, MONEY),
            " to ",
            Figure(exposure.best.net, MONEY),
            "; the figures are in the tables.",
        ),
        caption="The House's result of one round. A stroke below the axis marks a result, however rare.",
    )


def exposure_chart(game: Game, document: Section, exposure: Exposure, suffix: str) -> bytes:
    """The chart as the bytes of an ``.svg`` file, or with the whole document as those of an ``.html`` file."""
    from combinat.render.svg import svg

    picture = histogram(game, exposure)
    if suffix == ".html":
        from combinat.render.html import html

        head = proviso_terms(game)
        shown = Section(document.title, (*head, *document.blocks, Section("Chart", (picture,))))
        return html(shown, ROUNDING).encode()
    return f"{svg(picture.drawing)}\n".encode()


# ---------------------------------------------------------------- JSON


def exposure_json(
    game: Game, shoe: Shoe, exposure: Exposure, full: LayoutCeiling | None = None
) -> dict[str, Any]:
    """The exposure under the schema ``combinat/exposure/1``."""
    return {
        "schema": "combinat/exposure/1",
        "game": game.id,
        **provisos_json(game),
        "shoe": shoe_json(shoe),
        **({"full_layout": _full_json(full)} if full is not None else {}),
        "stakes": {bet: str(amount) for bet, amount in exposure.stakes.items()},
        "staked": str(exposure.staked),
        "mean": str(exposure.mean),
        "variance": str(exposure.variance),
        "standard_deviation": str(Root(exposure.variance)),
        "house_edge": str(exposure.house_edge),
        "loses": str(exposure.loses),
        "largest_loss": {
            "amount": str(exposure.largest_loss),
            "ways": str(exposure.worst.ways),
            "probability": str(exposure.worst.probability),
            "rounds": [_cause_json(cause) for cause in exposure.causes],
        },
        "largest_gain": str(exposure.best.net),
        "results": [
            {
                "net": str(one.net),
                "ways": str(one.ways),
                "probability": str(one.probability),
                "at_most": str(one.at_most),
            }
            for one in exposure.results
        ],
    }


def _full_json(full: LayoutCeiling) -> dict[str, Any]:
    return {
        "positions": full.positions,
        "limits": {bet: str(amount) for bet, amount in _maxima(full).items()},
        "maximum_differential": exact(full.limits.maximum_differential),
        "largest_loss": exact(full.with_insurance),
        **({} if full.insured is None else {"insured": _insured_json(full, full.insured)}),
        "choices": [{bet: str(amount) for bet, amount in stakes.items()} for stakes in full.choices],
    }


def _insured_json(ceiling: LayoutCeiling, insured: InsuredCeiling) -> dict[str, Any]:
    return {
        "without_insurance": str(ceiling.loss),
        "stakes": {bet: str(amount) for bet, amount in insured.stakes.items()},
        "insurance": {bet: str(amount) for bet, amount in insured.insurance.items()},
    }


def _result_json(result: Result) -> dict[str, Any]:
    """A result, with its third cards if it has them."""
    return {key: value for key, value in result._asdict().items() if key != "thirds" or value is not None}


def _cause_json(cause: CostlyRound) -> dict[str, Any]:
    return {
        "round": cause_in_words(cause),
        "result": None if cause.result is None else _result_json(cause.result),
        "first_four": dict(cause.first_four),
        "wins": list(cause.wins),
        "ways": str(cause.ways),
        "probability": str(cause.probability),
        "example": None
        if cause.example is None
        else {"player": list(cause.example.player), "banker": list(cause.example.banker)},
    }
