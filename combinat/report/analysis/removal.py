"""The documents of effects of removal, and their chart."""

from collections.abc import Sequence
from fractions import Fraction

from combinat.analysis.bets import FigureSubject
from combinat.analysis.removal import REMOVED, Cards, Removal, RemovalAnalysis
from combinat.base.kinds import TEXT, percentage, with_enough_decimals
from combinat.base.relation import Document, Field, Many, Relation
from combinat.render.blocks import Block, Cell, Column, Figure, Paragraph, Section, Table, section, table
from combinat.render.charts.pictures import Bar, BarPanel, Bars
from combinat.report.analysis.odds import FINE, PERCENT, shoe_in_words
from combinat.report.phrases import ROUNDING
from combinat.report.provisos import GAME, SHOE
from combinat.report.relation_tables import across, view_table
from combinat.rules.cards import RANKS, Rank, format_cards

RANKS_ACROSS = 10
"""Ranks side by side: all, with the tens and pictures as one."""

TENS = ("10", "J", "Q", "K")

CHANGE = percentage(3, signed=True)

MATTER_MOST = 3
"""Ranks named as those that matter most."""


def rank_columns(removals: Sequence[Removal]) -> list[tuple[str, Rank]]:
    """Return the ranks removed; tens and pictures are one column if they have the same effect on every bet."""
    held = [rank for rank in RANKS if (rank,) in removals[0].effects]
    tens = [rank for rank in held if rank in TENS]
    alike = all(len({removal.effects[(rank,)] for rank in tens}) <= 1 for removal in removals)
    if len(tens) < 2 or not alike:
        return [(str(rank), rank) for rank in held]
    return [*((str(rank), rank) for rank in held if rank not in TENS), (f"{tens[0]}-{tens[-1]}", tens[0])]


def _short(subject: FigureSubject) -> str:
    """Return the name of a bet, or of an insurance state in fewer letters: ``banker, 4 cards, P5 B6``."""
    state = subject.state
    if state is None:
        return str(subject)
    return f"{state.side}, {state.stage.in_short}, P{state.player_points} B{state.banker_points}"


def removal_blocks(removals: Sequence[Removal]) -> tuple[Block, ...]:
    """Return the expected value of each bet and the ranks that matter most to it, then the change for every rank."""
    columns = rank_columns(removals)
    shown = {rank for _, rank in columns}
    return (
        view_table(LARGEST, [(removal, shown) for removal in removals]),
        *(changes_table(removals, some) for some in across(columns, RANKS_ACROSS)),
        Paragraph(
            "Change of the expected value, in per cent of the stake, when one card of that rank is removed."
        ),
    )


LARGEST: Relation[tuple[Removal, set[Rank]]] = Relation(
    "largest effects",
    Field("bet", "bet", TEXT, "The bet or the insurance state.", lambda row: _short(row[0].subject), views="terminal"),
    Field("expected_value", "EV %", PERCENT, "Its expected value.", lambda row: row[0].expected_value, views="terminal"),
    Field("most", "ranks with the largest effects", TEXT, "The ranks that matter most.", lambda row: _most(*row), views="terminal"),
)  # fmt: skip
"""Bets with the ranks that matter most, tens and pictures counted once where they are one column; for people."""


def _most(removal: Removal, shown: set[Rank]) -> tuple[Figure, ...] | str:
    ranks = [rank for rank in removal.most if rank in shown and removal.effects[(rank,)]][:MATTER_MOST]
    return (
        tuple(
            Figure(removal.effects[(rank,)], CHANGE, before=f"{', ' if number else ''}{rank} ")
            for number, rank in enumerate(ranks)
        )
        or "none"
    )


def changes_table(
    removals: Sequence[Removal], columns: Sequence[tuple[str, Rank]], caption: str = ""
) -> Table:
    """Return the change of each expected value for each of these ranks."""
    rows = [
        (_short(removal.subject), *(_change(removal.effects[(rank,)]) for _, rank in columns))
        for removal in removals
    ]
    return table((Column("bet"), *(Column(name, CHANGE) for name, _ in columns)), rows, caption)


def _change(effect: Fraction | None) -> Cell:
    """Return a change with enough decimals that it is not shown as 0; a plain 0 is exact."""
    return (
        Figure(effect, with_enough_decimals(CHANGE, effect))
        if effect
        else Figure("0", TEXT)
        if effect == 0
        else None
    )


PAIRS: Relation[Removal] = Relation(
    "effects of two cards",
    Field("bet", "bet", TEXT, "The bet or the insurance state.", lambda removal: str(removal.subject), views="terminal"),
    Field("worst", "worst two for the player", TEXT, "The two cards that cost most.", lambda removal: _pair(removal, removal.worst_pair), views="terminal"),
    Field("best", "best two for the player", TEXT, "The two cards that gain most.", lambda removal: _pair(removal, removal.best_pair), views="terminal"),
    Field("largest_error", "largest error of the sum %", FINE, "How far single effects mislead.", lambda removal: removal.largest_linear_error, views="terminal"),
)  # fmt: skip
"""Bets with the pairs of cards that matter most, a row each; for people."""

ERROR_OF_THE_SUM = (
    "Largest error of the sum: the largest difference between a joint effect and the sum of its two single effects, "
    "in per cent of the stake."
)


def _pair(removal: Removal, cards: Cards | None) -> Cell:
    if cards is None:
        return None
    return Figure(removal.effects[cards], CHANGE, before=f"{format_cards(cards)}: ")


def removal_document(answer: RemovalAnalysis) -> Section:
    """Return the effects on one shoe, including those of two cards if requested."""
    pairs = section("Two cards", view_table(PAIRS, answer.effects), ERROR_OF_THE_SUM)
    return section(
        f"{answer.game.name}: effects of removal",
        {"Shoe": shoe_in_words(answer.shoe)},
        removal_blocks(answer.effects),
        pairs if answer.has_pairs else None,
        ROUNDING,
    )


REMOVAL: Document[RemovalAnalysis] = Document(
    "combinat/removal/1",
    "Effects of removing cards: combinat removal.",
    *GAME.part(lambda answer: answer.game),
    Field("shoe", "shoe", SHOE, "The shoe that cards are removed from."),
    Field("effects", "effects", Many(REMOVED), "Every bet or insurance state."),
)


def removal_bars(removals: Sequence[Removal], title: str) -> Bars:
    """Bars of the effects, with a panel for each bet."""
    columns = rank_columns(removals)
    return Bars(
        title=title,
        across_title="card removed",
        down_title="change of the player's expected value, % of the stake",
        panels=tuple(
            BarPanel(
                title=str(removal.subject),
                bars=tuple(Bar(label=name, value=removal.effects[(rank,)]) for name, rank in columns),
            )
            for removal in removals
        ),
    )


def removal_chart(answer: RemovalAnalysis) -> bytes:
    """Return the bars as the bytes of an SVG file; equal figures give equal bytes."""
    from combinat.render.charts.svg import svg

    title = f"Effects of removal: {answer.game.name}, {shoe_in_words(answer.shoe)}"
    return f"{svg(removal_bars(answer.effects, title))}\n".encode()
