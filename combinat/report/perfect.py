"""Perfect play and its ceilings as people and programs read them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from combinat.base.kinds import COUNT, FRACTION, decimal, percentage
from combinat.base.number import exact
from combinat.protection.ceiling import Ceiling
from combinat.protection.perfect import PerfectPlay
from combinat.render.blocks import (
    Block,
    Cell,
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
from combinat.report.phrases import ROUNDING
from combinat.report.relation_tables import EXACT_DECIMAL
from combinat.rules.game import Game
from combinat.rules.shoe import Shoe

CEILING, UNITS = percentage(4, up=True), decimal(4, up=True)
"""Ceilings, in per cent of a stake and in units of it: never shown too small."""

TRUE = decimal(3)
"""A true count."""

DEPTHS_ABREAST = 6
"""Depths in a table of ceilings; of more, another table follows."""

ROUNDED = f"{ROUNDING[:-1]}; ceilings up."


@dataclass(frozen=True, slots=True, kw_only=True)
class CutCard:
    """Ceilings over a shoe by bet, with so many cards behind the cut card, and a limit that they may have.

    ``within``: the fewest cards behind the cut card with which a bet stays within it; None: no number does.
    """

    behind: int
    limit: Fraction
    gains: Mapping[str, Fraction]
    within: Mapping[str, int | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Protection:
    """What was asked of some bets on a shoe: perfect play at a depth, ceilings, and a cut card."""

    game: Game
    shoe: Shoe
    bets: Sequence[str]
    play: PerfectPlay | None
    ceilings: Sequence[Ceiling]
    cut_card: CutCard | None

    @property
    def by_points(self) -> bool:
        """Whether any of the bets goes through compositions by points."""
        return any(not self.game.bet(bet).needs_ranks for bet in self.bets)


def perfect_document(asked: Protection) -> Section:
    """Perfect play, then ceilings by depth, then those of a whole shoe."""
    head: dict[str, str | Figure] = {"Shoe": shoe_in_words(asked.shoe)}
    blocks: list[Block] = []
    if asked.play is not None:
        head["Cards left"] = Figure(asked.play.left, COUNT)
        if asked.by_points:
            head["Compositions by points"] = Figure(asked.play.compositions, COUNT)
        blocks += [
            _play_table(asked, asked.play),
            Paragraph(
                "A unit bet only where the composition left favours the player: how often that is, the average edge "
                "then, and the gain a round, bet or not. No one can gain more than the ceiling."
            ),
        ]
    else:
        blocks += [
            *_ceilings_tables(asked),
            Paragraph(
                "What no one can gain more than, in a round that begins with so many cards left, in per cent of a "
                "stake: a proven bound for every way to count; what is really gained may be far less."
            ),
        ]
    if asked.cut_card is not None:
        blocks += _cut_card_blocks(asked, asked.cut_card)
    title = f"{asked.game.name}: {'perfect play' if asked.play else 'ceilings'}"
    return Section(title, (Terms(head), *blocks, Paragraph(ROUNDED)))


def _play_table(asked: Protection, play: PerfectPlay) -> Table:
    ceilings = {one.bet: one.gain for one in asked.ceilings}
    columns = (
        Column("bet"),
        Column("mean %", PERCENT),
        Column("favourable %", PERCENT),
        Column("average edge %", PERCENT),
        Column("gain a round %", PERCENT),
        Column("ceiling %", CEILING),
    )
    rows = [
        Row(
            (one.bet, one.mean, one.favourable, one.edge, one.gain, ceilings[one.bet]),
            Meaning.FAVOURS_PLAYER if one.mean > 0 else Meaning.PLAIN,
        )
        for one in play.bets
    ]
    return table(columns, rows)


def _ceilings_tables(asked: Protection) -> Iterator[Table]:
    """A column a depth, so many of them side by side as a terminal has room for."""
    every = list(dict.fromkeys(one.left for one in asked.ceilings))
    gains = {(one.bet, one.left): one.gain for one in asked.ceilings}
    for start in range(0, len(every), DEPTHS_ABREAST):
        lefts = every[start : start + DEPTHS_ABREAST]
        columns = (Column("bet"), *(Column(f"{left} left", CEILING) for left in lefts))
        yield table(columns, [(bet, *(gains[bet, left] for left in lefts)) for bet in asked.bets])


def _cut_card_blocks(asked: Protection, cut_card: CutCard) -> tuple[Block, ...]:
    columns = (
        Column("bet"),
        Column(f"ceiling a shoe, {cut_card.behind} behind", UNITS),
        Column("sufficient cut card", COUNT),
    )
    rows = [(bet, cut_card.gains[bet], cut_card.within[bet]) for bet in asked.bets]
    return (
        table(columns, rows),
        Paragraph(
            (
                "What no one can gain more than in a whole shoe, in units of a stake, a unit a round at most, with "
                f"{cut_card.behind} cards behind the cut card and one round dealt after the one in which it comes; "
                "and the fewest cards behind it with which that is proven to stay at or below ",
                Figure(cut_card.limit, FRACTION),
                " of a unit.",
            )
        ),
    )


def perfect_csv(asked: Protection) -> list[Table]:
    """The figures a line each, exact and decimal: perfect play or ceilings, then the cut card's."""
    tables = [_play_csv(asked, asked.play) if asked.play else _ceilings_csv(asked)]
    if asked.cut_card is not None:
        columns = (
            Column("bet"),
            Column("behind", COUNT),
            Column("gain", FRACTION),
            Column("limit", FRACTION),
            Column("within", COUNT),
        )
        cut = asked.cut_card
        rows = [(bet, cut.behind, cut.gains[bet], cut.limit, cut.within[bet]) for bet in asked.bets]
        tables.append(table(columns, rows))
    return tables


def _play_csv(asked: Protection, play: PerfectPlay) -> Table:
    names = ("mean", "favourable", "gain", "ceiling")
    ceilings = {one.bet: one.gain for one in asked.ceilings}
    columns = [Column("bet"), Column("left", COUNT)]
    for name in names:
        columns += [Column(name, FRACTION), Column(f"{name}_decimal", EXACT_DECIMAL)]
    rows: list[tuple[Cell, ...]] = []
    for one in play.bets:
        figures = (one.mean, one.favourable, one.gain, ceilings[one.bet])
        rows.append((one.bet, play.left, *(cell for figure in figures for cell in (figure, figure))))
    return table(columns, rows)


def _ceilings_csv(asked: Protection) -> Table:
    columns = (
        Column("bet"),
        Column("left", COUNT),
        Column("ceiling", FRACTION),
        Column("ceiling_decimal", EXACT_DECIMAL),
    )
    return table(columns, [(one.bet, one.left, one.gain, one.gain) for one in asked.ceilings])


def perfect_json(asked: Protection) -> dict[str, Any]:
    """Perfect play, exact, under the schema ``combinat/perfect/1``; ceilings alone under ``combinat/ceilings/1``."""
    ceilings = {(one.bet, one.left): one.gain for one in asked.ceilings}
    record: dict[str, Any] = {
        "schema": "combinat/perfect/1" if asked.play else "combinat/ceilings/1",
        "game": asked.game.id,
        "shoe": SHOE.object(asked.shoe),
    }
    if asked.play is not None:
        left = asked.play.left
        record |= {"left": left, "compositions": str(asked.play.compositions)}
        record["bets"] = [
            {
                "id": one.bet,
                "mean": exact(one.mean),
                "favourable": exact(one.favourable),
                "gain": exact(one.gain),
                "ceiling": exact(ceilings[one.bet, left]),
            }
            for one in asked.play.bets
        ]
    else:
        record["bets"] = [
            {
                "id": bet,
                "ceilings": [
                    {"left": one.left, "ceiling": exact(one.gain)} for one in asked.ceilings if one.bet == bet
                ],
            }
            for bet in asked.bets
        ]
    return record | _cut_card_record(asked)


def _cut_card_record(asked: Protection) -> dict[str, Any]:
    cut = asked.cut_card
    if cut is None:
        return {}
    bets = [{"id": bet, "gain": exact(cut.gains[bet]), "within": cut.within[bet]} for bet in asked.bets]
    return {"cut_card": {"behind": cut.behind, "limit": exact(cut.limit), "bets": bets}}
