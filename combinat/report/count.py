"""The exact law of a count as people and programs read it."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from combinat.base.kinds import COUNT, FRACTION, percentage
from combinat.base.number import exact
from combinat.protection.best_tags import BestTags
from combinat.protection.count import Betting, Depth
from combinat.render.blocks import (
    Block,
    Column,
    Figure,
    Meaning,
    Paragraph,
    Row,
    Section,
    Table,
    Terms,
    table,
)
from combinat.report.game_fields import SHOE
from combinat.report.odds import PERCENT, shoe_in_words
from combinat.report.perfect import TRUE
from combinat.report.phrases import ROUNDING
from combinat.report.relation_tables import EXACT_DECIMAL
from combinat.rules.bet import Bet
from combinat.rules.cards import RANKS
from combinat.rules.game import Game
from combinat.rules.shoe import Shoe
from combinat.rules.tags import Tags


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """A count that was asked for: of which bet, with which tags, from which true count on; its law."""

    game: Game
    bet: Bet
    shoe: Shoe
    tags: Tags
    index: Fraction | None
    best: BestTags | None
    depths: Sequence[Depth]


def count_document(counted: Counted, *, detail: bool) -> Section:
    """What betting by the count comes to at each depth; in ``detail`` every running count."""
    shares: tuple[Block, ...] = ()
    if counted.best is not None:
        shares = (
            _effects_table(counted.best),
            Terms({"Seen of the best possible sum": Figure(counted.best.share, PERCENT, after=" %")}),
        )
    laws = tuple(_law_section(depth) for depth in counted.depths) if detail else ()
    return Section(
        f"{counted.game.name}: counting {counted.bet.name}",
        (
            Terms({"Shoe": shoe_in_words(counted.shoe), "Tags": _tags_in_words(counted.tags)}),
            *shares,
            _depths_table(counted),
            Paragraph(_betting_in_words(counted)),
            *laws,
            Paragraph(ROUNDING),
        ),
    )


def _betting_in_words(counted: Counted) -> str:
    if counted.index is not None:
        return (
            "Bets at the index and above, a unit each; the gain is per round dealt, bet or not. "
            "The index is a true count: the running count divided by the decks left."
        )
    which = (
        "counts, up from one and down from another below the mean"
        if _bets_down(counted)
        else "count and above"
    )
    return (
        f"Bets at the first favourable {which}, a unit each; the gain is per round dealt, bet or not. "
        "True count: the running count divided by the decks left."
    )


def _bets_down(counted: Counted) -> bool:
    """Whether it bets below the mean at any depth."""
    return counted.index is None and any(depth.sides.most is not None for depth in counted.depths)


def _tags_in_words(tags: Tags) -> str:
    return " ".join(f"{rank}={tag}" for rank, tag in zip(RANKS, tags, strict=True) if tag) or "all 0"


def _effects_table(best: BestTags) -> Table:
    rows = [
        (str(rank), effect, tag) for rank, effect, tag in zip(RANKS, best.effects, best.tags, strict=True)
    ]
    columns = (
        Column("card seen"),
        Column("effect of removal %", percentage(4, signed=True)),
        Column("tag", COUNT),
    )
    return table(columns, rows)


def betting(depth: Depth, index: Fraction | None) -> Betting | None:
    """Betting from the index on, or from the first favourable counts, above the mean and below; None: never."""
    if index is not None:
        return depth.from_index(index)
    return depth.sides if depth.sides.chance else None


def _depths_table(counted: Counted) -> Table:
    down = _bets_down(counted)
    columns = (
        Column("cards left", COUNT),
        Column("up from" if down else "first favourable", COUNT),
        Column("true count", TRUE),
        *((Column("down from", COUNT), Column("true count", TRUE)) if down else ()),
        Column("bets %", PERCENT),
        Column("average edge %", PERCENT),
        Column("gain a round %", PERCENT),
    )
    rows = []
    for depth in counted.depths:
        made = betting(depth, counted.index)
        favours = made is not None and made.gain > 0
        figures = (made.chance, made.edge, made.gain) if made else (None, None, None)
        up = depth.first_favourable if counted.index is not None else depth.sides.least
        below = (depth.sides.most, depth.true(depth.sides.most)) if down else ()
        cells = (depth.left, up, depth.true(up), *below, *figures)
        rows.append(Row(cells, Meaning.FAVOURS_PLAYER if favours else Meaning.PLAIN))
    return table(columns, rows)


def _law_section(depth: Depth) -> Section:
    columns = (
        Column("running count", COUNT),
        Column("probability %", percentage(6)),
        Column("EV %", PERCENT),
    )
    rows = [
        Row(
            (count.running, count.probability, count.expected_value),
            Meaning.FAVOURS_PLAYER if count.expected_value > 0 else Meaning.PLAIN,
        )
        for count in depth.counts
    ]
    return Section(f"{depth.left} cards left", (table(columns, rows),))


def count_csv(counted: Counted) -> Table:
    """Every running count of every depth a line, exact and decimal."""
    columns = (
        Column("left", COUNT),
        Column("running", COUNT),
        Column("probability", FRACTION),
        Column("probability_decimal", EXACT_DECIMAL),
        Column("expected_value", FRACTION),
        Column("expected_value_decimal", EXACT_DECIMAL),
    )
    rows = [
        (
            depth.left,
            count.running,
            count.probability,
            count.probability,
            count.expected_value,
            count.expected_value,
        )
        for depth in counted.depths
        for count in depth.counts
    ]
    return table(columns, rows)


def count_json(counted: Counted) -> dict[str, Any]:
    """The law, exact, under the schema ``combinat/count/1``."""
    record: dict[str, Any] = {
        "schema": "combinat/count/1",
        "game": counted.game.id,
        "bet": counted.bet.id,
        "shoe": SHOE.object(counted.shoe),
        "tags": {str(rank): tag for rank, tag in zip(RANKS, counted.tags, strict=True)},
        "index": exact(counted.index),
    }
    if counted.best is not None:
        effects = {str(rank): exact(effect) for rank, effect in zip(RANKS, counted.best.effects, strict=True)}
        record["best"] = {"effects": effects, "share": exact(counted.best.share)}
    return record | {"depths": [_depth_record(depth, counted.index) for depth in counted.depths]}


def _depth_record(depth: Depth, index: Fraction | None) -> dict[str, Any]:
    return {
        "left": depth.left,
        "counts": [
            {
                "running": count.running,
                "probability": exact(count.probability),
                "expected_value": exact(count.expected_value),
            }
            for count in depth.counts
        ],
        "first_favourable": depth.first_favourable,
        "bets_up": depth.sides.least if index is None else None,
        "bets_down": depth.sides.most if index is None else None,
        "betting": _betting_record(betting(depth, index)),
        "favourable": _betting_record(depth.favourable),
    }


def _betting_record(made: Betting | None) -> dict[str, Any] | None:
    if made is None:
        return None
    return {"chance": exact(made.chance), "edge": exact(made.edge), "gain": exact(made.gain)}
