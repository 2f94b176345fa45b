"""Effects of removal as people read them, with a chart."""

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from combinat.analysis.removal import Cards, Removal
from combinat.report.document import Block, Heading, Paragraph, Table
from combinat.report.number import decimal, exact, percent
from combinat.rules.cards import RANKS, Rank, format_cards

TENS = ("10", "J", "Q", "K")


def _merged(found: Sequence[Removal]) -> list[tuple[str, Rank]]:
    """The columns: a rank each, the tens and pictures as one where they are alike for every bet."""
    held = [rank for rank in RANKS if (rank,) in found[0].effects]
    tens = [rank for rank in held if rank in TENS]
    alike = all(len({one.effects[(rank,)] for rank in tens}) <= 1 for one in found)
    if len(tens) < 2 or not alike:
        return [(str(rank), rank) for rank in held]
    return [*((str(rank), rank) for rank in held if rank not in TENS), (f"{tens[0]}-{tens[-1]}", tens[0])]


def removal_blocks(found: Sequence[Removal]) -> list[Block]:
    """What each bet is worth and which ranks matter most to it, then the change for every rank."""
    columns = _merged(found)
    most = [
        [
            one.id,
            "-" if one.expected_value is None else percent(one.expected_value),
            ", ".join(f"{rank} {_change(one.effects[(rank,)])}" for rank in _most(one, columns)) or "none",
        ]
        for one in found
    ]
    rows = [[one.id, *(_change(one.effects[(rank,)]) for _, rank in columns)] for one in found]
    return [
        Table(columns=("bet", "EV %", "the ranks that matter most"), align="lrl", rows=most),
        Table(
            columns=("removed:", *(name for name, _ in columns)), align="l" + "r" * len(columns), rows=rows
        ),
        Paragraph(
            "Change of the expected value, in per cent of the stake, when one card of that rank is removed."
        ),
    ]


def _most(one: Removal, columns: Sequence[tuple[str, Rank]]) -> list[Rank]:
    """The three ranks with the largest effects, tens and pictures counted once where they are one column."""
    shown = {rank for _, rank in columns}
    return [rank for rank in one.most if rank in shown and one.effects[(rank,)]][:3]


def _change(value: Fraction | None) -> str:
    if value is None:
        return "-"
    return f"+{percent(value, 3)}" if value > 0 else percent(value, 3)


def pairs_blocks(found: Sequence[Removal]) -> list[Block]:
    """Two cards removed: the pairs that matter most for each bet, and how far single effects mislead."""
    rows = []
    for one in found:
        pairs = dict[Cards, Fraction]()
        for cards, effect in one.effects.items():
            if len(cards) > 1 and effect is not None:
                pairs[cards] = effect
        errors = {cards: one.linear_error(cards) for cards in pairs}
        worst = max((abs(error) for error in errors.values() if error is not None), default=None)
        ordered = sorted(pairs, key=lambda cards: (pairs[cards], cards))
        low, high = (ordered[0], ordered[-1]) if ordered else ((), ())
        rows.append(
            [
                one.id,
                *(_pair(pairs, cards) for cards in (low, high)),
                "-" if worst is None else decimal(worst * 100, 6),
            ]
        )
    columns = ("bet", "worst two for the player", "best two for the player", "largest error of the sum %")
    return [
        Heading("Two cards"),
        Table(columns=columns, align="lllr", rows=rows),
        Paragraph(
            "The sum of the two single effects is off by at most the last column, in per cent of the stake."
        ),
    ]


def _pair(pairs: dict[Cards, Fraction], cards: Cards) -> str:
    return f"{format_cards(cards)}: {_change(pairs[cards])}" if cards else "-"


def removal_csv(found: Sequence[Removal]) -> Table:
    """Every effect a line, exact and decimal."""
    rows = [
        [
            one.id,
            format_cards(cards),
            exact(effect) or "",
            "" if effect is None else decimal(effect, 12),
            "" if len(cards) == 1 or one.linear_error(cards) is None else str(one.linear_error(cards)),
        ]
        for one in found
        for cards, effect in one.effects.items()
    ]
    return Table(
        columns=("bet", "removed", "change", "change_decimal", "linear_error"), align="lllll", rows=rows
    )


def removal_json(found: Sequence[Removal]) -> list[dict[str, Any]]:
    """Every effect, exact."""
    return [
        {
            "id": one.id,
            "expected_value": exact(one.expected_value),
            "effects": [
                {
                    "removed": list(cards),
                    "change": exact(effect),
                    **({"linear_error": exact(one.linear_error(cards))} if len(cards) == 2 else {}),
                }
                for cards, effect in one.effects.items()
            ],
            "matter_most": list(one.most),
        }
        for one in found
    ]


def removal_chart(found: Sequence[Removal], title: str, path: Path) -> None:
    """Bars of the effects, a panel a bet, as SVG or PNG: the same bytes for the same figures."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot

    mpl.rcParams.update({"svg.hashsalt": "combinat", "svg.fonttype": "path", "font.size": 9})
    columns = _merged(found)
    across = min(3, len(found))
    down = -(-len(found) // across)
    figure, axes = pyplot.subplots(
        down, across, figsize=(4.2 * across, 2.3 * down), squeeze=False, layout="constrained"
    )
    for axis, one in zip(axes.flat, found, strict=False):
        effects = [one.effects[(rank,)] or Fraction(0) for _, rank in columns]
        heights = [float(effect * 100) for effect in effects]
        axis.bar(
            [name for name, _ in columns], heights, color=["#1b7837" if h > 0 else "#762a83" for h in heights]
        )
        for bar, height in enumerate(heights):
            axis.annotate(
                "+" if height > 0 else "\u2212" if height < 0 else "0",
                (bar, height),
                ha="center",
                va="bottom" if height >= 0 else "top",
                fontsize=7,
            )
        axis.axhline(0, color="black", linewidth=0.8)
        axis.margins(y=0.18)
        if not any(heights):
            axis.set(ylim=(-1, 1), yticks=[0])
            axis.text(0.5, 0.65, "no effect", transform=axis.transAxes, ha="center")
        axis.set_title(one.id, fontsize=9, fontweight="bold")
        axis.spines[["top", "right"]].set_visible(False)
    for axis in list(axes.flat)[len(found) :]:
        axis.set_visible(False)
    figure.suptitle(title, fontsize=12, fontweight="bold")
    figure.supxlabel("card removed")
    figure.supylabel("change of the player's expected value, % of the stake")
    figure.savefig(
        path, format=path.suffix[1:], dpi=150, metadata={"Date": None} if path.suffix == ".svg" else None
    )
    pyplot.close(figure)
