"""Effects of removal as people read them, with a chart."""

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from combinat.analysis.removal import Cards, Removal
from combinat.render.document import Block, Heading, Paragraph, Table
from combinat.render.number import decimal, exact, percent
from combinat.report.charts import rank_columns, removal_figure, removal_svg
from combinat.rules.cards import Rank, format_cards

RANKS_ACROSS = 10
"""How many ranks stand side by side: all, with the tens and pictures as one."""


def _short(name: str) -> str:
    """A bet, or an insurance state in fewer letters: ``banker, 4 cards, P5 B6``."""
    for long, short in (
        ("@four-cards, Player ", ", 4 cards, P"),
        ("@player-third-card, Player ", ", 3rd card, P"),
        (", Banker ", " B"),
    ):
        name = name.replace(long, short)
    return name


def removal_blocks(found: Sequence[Removal]) -> list[Block]:
    """What each bet is worth and which ranks matter most to it, then the change for every rank."""
    columns = rank_columns(found)
    most = [
        [
            _short(one.id),
            "-" if one.expected_value is None else percent(one.expected_value),
            ", ".join(f"{rank} {_change(one.effects[(rank,)])}" for rank in _most(one, columns)) or "none",
        ]
        for one in found
    ]
    tables: list[Block] = []
    for start in range(0, len(columns), RANKS_ACROSS):
        across = columns[start : start + RANKS_ACROSS]
        rows = [[_short(one.id), *(_change(one.effects[(rank,)]) for _, rank in across)] for one in found]
        names = ("removed:", *(name for name, _ in across))
        tables.append(Table(columns=names, align="l" + "r" * len(across), rows=rows))
    return [
        Table(columns=("bet", "EV %", "the ranks that matter most"), align="lrl", rows=most),
        *tables,
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
    """Write the bars of the effects, a panel a bet, as SVG or PNG: the same bytes for the same figures."""
    if path.suffix == ".svg":
        path.write_text(removal_svg(found, title), encoding="utf-8")
    else:
        removal_figure(found, title).savefig(path, format="png", dpi=150)
