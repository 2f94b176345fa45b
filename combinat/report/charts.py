"""The pictures of a report, as SVG text: the same figures give the same bytes."""

import io
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from combinat.analysis.bets import BetAnalysis
from combinat.analysis.insurance import StateAnalysis
from combinat.analysis.removal import Removal
from combinat.errors import CombinatError
from combinat.report.insurance import signed
from combinat.rules.cards import RANKS, Rank
from combinat.rules.insurance import State
from combinat.rules.round import Stage
from combinat.rules.table_of_play import Hand

GAIN, LOSS = "#1b7837", "#762a83"
"""Green and purple: told apart by most eyes that do not tell green from red."""

TENS = ("10", "J", "Q", "K")


def _pyplot() -> Any:
    """matplotlib, set up so that nothing of the day or the machine enters a picture."""
    try:
        import matplotlib as mpl
    except ImportError:
        raise CombinatError("charts need matplotlib: pip install 'combinat[report]'") from None

    mpl.use("Agg")
    mpl.rcParams.update(
        {"svg.hashsalt": "combinat", "svg.fonttype": "path", "font.size": 9, "font.family": "DejaVu Sans"}
    )
    from matplotlib import pyplot

    return pyplot


def _svg(figure: Any) -> str:
    written = io.StringIO()
    figure.savefig(written, format="svg", metadata={"Date": None, "Creator": None})
    _pyplot().close(figure)
    text = written.getvalue()
    return text[text.index("<svg") :]


def rank_columns(found: Sequence[Removal]) -> list[tuple[str, Rank]]:
    """The ranks removed, the tens and pictures as one where they are alike for every bet."""
    held = [rank for rank in RANKS if (rank,) in found[0].effects]
    tens = [rank for rank in held if rank in TENS]
    alike = all(len({one.effects[(rank,)] for rank in tens}) <= 1 for one in found)
    if len(tens) < 2 or not alike:
        return [(str(rank), rank) for rank in held]
    return [*((str(rank), rank) for rank in held if rank not in TENS), (f"{tens[0]}-{tens[-1]}", tens[0])]


def removal_figure(found: Sequence[Removal], title: str) -> Any:
    """Bars of the effects of removal, a panel a bet."""
    columns = rank_columns(found)
    figure, panels = _panels(len(found))
    for axis, one in zip(panels, found, strict=True):
        heights = [float((one.effects[(rank,)] or Fraction(0)) * 100) for _, rank in columns]
        axis.bar(
            [name for name, _ in columns], heights, color=[GAIN if height > 0 else LOSS for height in heights]
        )
        for bar, height in enumerate(heights):
            known = one.effects[(columns[bar][1],)] is not None
            sign = "-" if not known else "+" if height > 0 else "\u2212" if height < 0 else "0"
            axis.annotate(sign, (bar, height), ha="center", va="bottom" if height >= 0 else "top", fontsize=7)
        axis.axhline(0, color="black", linewidth=0.8)
        axis.margins(y=0.18)
        if not any(heights):
            axis.set(ylim=(-1, 1), yticks=[0])
            axis.text(0.5, 0.65, "no effect", transform=axis.transAxes, ha="center")
        axis.set_title(one.id, fontsize=9, fontweight="bold")
    figure.suptitle(title, fontsize=12, fontweight="bold")
    figure.supxlabel("card removed")
    figure.supylabel("change of the player's expected value, % of the stake")
    return figure


def removal_svg(found: Sequence[Removal], title: str) -> str:
    """The effects of removal as SVG."""
    return _svg(removal_figure(found, title))


def _panels(count: int) -> tuple[Any, list[Any]]:
    """A figure of so many small panels, three across."""
    across = min(3, count)
    down = -(-count // across)
    figure, axes = _pyplot().subplots(
        down, across, figsize=(3.6 * across, 2.1 * down), squeeze=False, layout="constrained"
    )
    panels = list(axes.flat)
    for axis in panels[count:]:
        axis.set_visible(False)
    for axis in panels[:count]:
        axis.spines[["top", "right"]].set_visible(False)
    return figure, panels[:count]


def decks_svg(bets: Mapping[int, Sequence[BetAnalysis]]) -> str:
    """The house edge of every bet by number of decks, a panel a bet."""
    numbers = list(bets)
    figure, panels = _panels(len(bets[numbers[0]]))
    for place, axis in enumerate(panels):
        edges = [float(bets[number][place].house_edge * 100) for number in numbers]
        axis.plot(numbers, edges, marker="o", markersize=3, color="#2166ac")
        axis.set_xticks(numbers)
        axis.margins(y=0.25)
        axis.ticklabel_format(useOffset=False)
        axis.set_title(bets[numbers[0]][place].id, fontsize=9, fontweight="bold")
    figure.suptitle("House edge by number of decks", fontsize=12, fontweight="bold")
    figure.supxlabel("decks")
    figure.supylabel("house edge, % of the stake")
    return _svg(figure)


def grid_svg(
    side: Hand, stage: Stage, states: Sequence[StateAnalysis], others: Sequence[StateAnalysis]
) -> str:
    """The expected value of insurance by both totals: a coloured grid, favourable states framed and signed."""
    offered = {one.state: one for one in states}
    live = {one.state for one in others}
    figure, axis = _pyplot().subplots(figsize=(7.2, 5.2), layout="constrained")
    for player in range(10):
        for banker in range(10):
            state = State(side, stage, player, banker)
            one = offered.get(state)
            if one is None:
                if state in live:
                    axis.text(banker, player, "o", ha="center", va="center", color="#888888", fontsize=8)
                continue
            value = float((one.expected_value or Fraction(0)) * 100)
            depth = min(1.0, 0.25 + abs(value) / 30)
            axis.add_patch(_square(banker, player, GAIN if value > 0 else LOSS, depth * 0.7))
            if one.favours_player:
                axis.add_patch(_square(banker, player, "none", 1, frame="black"))
            weight = "bold" if one.favours_player else "normal"
            axis.text(
                banker,
                player,
                signed(one.expected_value, 1),
                ha="center",
                va="center",
                fontsize=8,
                fontweight=weight,
            )
    axis.set(xlim=(-0.5, 9.5), ylim=(9.5, -0.5), xticks=range(10), yticks=range(10))
    axis.set_xlabel("Banker's points")
    axis.set_ylabel("Player's points")
    axis.xaxis.set_label_position("top")
    axis.xaxis.tick_top()
    axis.set_xticks([number - 0.5 for number in range(1, 10)], minor=True)
    axis.set_yticks([number - 0.5 for number in range(1, 10)], minor=True)
    axis.grid(which="minor", color="#dddddd", linewidth=0.6)
    axis.tick_params(which="both", length=0)
    axis.set_title(
        f"{side.capitalize()} Insurance {stage.in_words}: expected value, % of the stake",
        fontsize=10,
        fontweight="bold",
    )
    return _svg(figure)


def _square(x: float, y: float, colour: str, alpha: float, frame: str = "none") -> Any:
    from matplotlib.patches import Rectangle

    return Rectangle(
        (x - 0.48, y - 0.48),
        0.96,
        0.96,
        facecolor=colour,
        edgecolor=frame,
        linewidth=2,
        alpha=alpha if frame == "none" else 1,
    )
