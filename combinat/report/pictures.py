"""The pictures of a report, as data made of the dossier's own numbers."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

from combinat.analysis.dossier import Dossier, InsuranceTableSummary
from combinat.analysis.insurance import StateAnalysis
from combinat.render.blocks import Figure, Picture
from combinat.render.kinds import COUNT, percentage
from combinat.render.pictures import Grid, GridCell, LinePanel, Lines, Range, Ranges
from combinat.report.removal import removal_bars
from combinat.rules.insurance import State

MOST_PANELS = 21
"""How many small panels a picture has at most, so that it stands on one page."""

MOST_RANGES = 45
"""How many ranges a picture has at most."""

POINTS = range(10)

Panel = TypeVar("Panel")


def grid_picture(
    summary: InsuranceTableSummary, states: Sequence[StateAnalysis], not_offered: Sequence[StateAnalysis]
) -> Picture:
    """The expected value of a hand's insurance at a stage, by both totals."""
    side, stage, best = summary.side, summary.stage, summary.best
    offered = {one.state: one for one in states}
    live = {one.state for one in not_offered}

    def cell(player: int, banker: int) -> GridCell:
        state = State(side, stage, player, banker)
        one = offered.get(state)
        if one is None:
            return GridCell(value=None, is_open=state in live)
        return GridCell(value=one.expected_value, favours=one.favours_player)

    title = f"{side.capitalize()} Insurance {stage.in_words}"
    return Picture(
        name=f"grid-{side}-{stage}",
        drawing=Grid(
            title=f"{title}: expected value, % of the stake",
            across_title="Banker's points",
            down_title="Player's points",
            across=tuple(map(str, POINTS)),
            down=tuple(map(str, POINTS)),
            cells=tuple(tuple(cell(player, banker) for banker in POINTS) for player in POINTS),
        ),
        alt=(
            f"Grid of {side} insurance {stage.in_words} by both totals: ",
            Figure(summary.offered, COUNT),
            " states are offered, ",
            Figure(summary.favourable, COUNT),
            " favour the player; the best is Player ",
            Figure(best.player_points, COUNT),
            ", Banker ",
            Figure(best.banker_points, COUNT),
            " at ",
            Figure(offered[best].expected_value, percentage(2, signed=True)),
            " per cent.",
        ),
        caption=f"{title}. A framed cell with a plus sign favours the player; o: a card is to come but nothing is "
        "offered; blank: nothing to insure.",
    )


def range_pictures(dossier: Dossier) -> Iterator[Picture]:
    """From the worst to the best exact cards of every state, a hand and a stage at a time."""
    averages = {one.state: one.expected_value for one in dossier.reference.insurance}
    for summary in dossier.insurance_tables:
        side, stage = summary.side, summary.stage
        rows = [
            Range(
                label=f"P {one.state.player_points}  B {one.state.banker_points}",
                low=one.worst.expected_value,
                middle=middle,
                high=one.best.expected_value,
                favours=one.best.analysis.favours_player,
            )
            for one in dossier.ranges
            if (one.state.side, one.state.stage) == (side, stage)
            and (middle := averages[one.state]) is not None
        ]
        for number, start in enumerate(range(0, len(rows), MOST_RANGES), start=1):
            part = f"-{number}" if len(rows) > MOST_RANGES else ""
            title = f"{side.capitalize()} Insurance {stage.in_words}: from the worst to the best exact cards"
            yield Picture(
                name=f"ranges-{side}-{stage}{part}",
                drawing=Ranges(
                    title=title,
                    across_title="expected value, % of the stake",
                    rows=tuple(rows[start : start + MOST_RANGES]),
                ),
                alt=f"{title}, a line for each state; the figures are in the table above.",
                caption=f"{title}. The tick is the expected value over all cards; + : some cards favour the player.",
            )


def decks_pictures(dossier: Dossier) -> Iterator[Picture]:
    """The house edge of every bet by number of decks, a panel a bet."""
    panels = [
        LinePanel(
            title=line[0].id,
            points=tuple((d, bet.house_edge) for d, bet in zip(dossier.decks, line, strict=True)),
        )
        for line in zip(*(shoe.bets for shoe in dossier.shoes), strict=True)
    ]
    for name, some in _pages("house-edge-by-decks", panels):
        yield Picture(
            name=name,
            drawing=Lines(
                title="House edge by number of decks",
                across_title="decks",
                down_title="house edge, % of the stake",
                panels=tuple(some),
            ),
            alt="Line charts of the house edge of every bet by number of decks; the figures are in the table above.",
            caption="House edge by number of decks.",
        )


def removal_pictures(dossier: Dossier) -> Iterator[Picture]:
    """The effects of removal, a panel a bet."""
    title = f"Effects of removal, {dossier.reference_decks} decks"
    for name, removals in _pages("effects-of-removal", dossier.removal):
        yield Picture(
            name=name,
            drawing=removal_bars(removals, title),
            alt="Bar charts of the change of each bet's expected value when one card of a rank is removed; the figures are in "
            "the table above.",
            caption="Effects of removal. Bars above the line help the player.",
        )


def _pages(name: str, panels: Sequence[Panel]) -> Iterator[tuple[str, Sequence[Panel]]]:
    """Panels in pictures of a page each; a single picture has the plain name."""
    for number, start in enumerate(range(0, len(panels), MOST_PANELS), start=1):
        part = f"-{number}" if len(panels) > MOST_PANELS else ""
        yield f"{name}{part}", panels[start : start + MOST_PANELS]
