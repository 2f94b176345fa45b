"""The sheets on insurance: every state, by the Player's third card, and by decks."""

from collections.abc import Iterable
from typing import NamedTuple

from combinat.analysis.dossier import Dossier
from combinat.analysis.insurance import StateAnalysis
from combinat.render.xlsx.book import Book
from combinat.render.xlsx.cells import Live, SheetCell, Traced, count_cell, traced
from combinat.render.xlsx.sheet import A3, Sheet, SheetColumn, columns_of
from combinat.report.insurance import favours
from combinat.report.odds import decks_in_words
from combinat.report.workbook.words import (
    CHECK_NOTE,
    INSURANCE,
    INSURANCE_BY_DECKS,
    STAGES,
    STATE_COLUMNS,
    THIRD_CARD,
    WAYS_NOTE,
)
from combinat.rules.insurance import State


class StateRow(NamedTuple):
    """An insurance state, or one with the Player's third card known, and what tells its row from others."""

    analysis: StateAnalysis
    mark: SheetCell


def write_insurance(book: Book, dossier: Dossier) -> None:
    """Write every insurance state, those after the Player's third card by that card, and all by decks."""
    shoe = dossier.reference
    states = [StateRow(analysis, ", ".join(map(str, analysis.pays_on_tie))) for analysis in shoe.insurance]
    cards = [StateRow(card.analysis, card.player_third) for card in shoe.third_cards]
    _write_states(book, dossier, INSURANCE, "Insurance states", "Tie wins on", states)
    by_card = "Insurance states by the Player's third card"
    _write_states(book, dossier, THIRD_CARD, by_card, "Third card", cards)
    _write_by_decks(book, dossier)


def _write_states(
    book: Book, dossier: Dossier, name: str, title: str, mark: str, rows: Iterable[StateRow]
) -> None:
    """Write a sheet of insurance states."""
    columns = columns_of(
        STATE_COLUMNS.format(mark=mark),
        Tie="the totals on which a tie wins; on any other it is returned.",
        Third="the value of the Player's third card.",
        Reached="ways of the state / card sequences of the shoe.",
        Favours="PLAYER, in a shaded row: a player gains by the bet on average.",
        Expected="(profit x ways it wins - stake x ways it loses) / (stake x ways of the state).",
        Check=CHECK_NOTE,
        Ways=f"ordered sequences of six cards, as text. {WAYS_NOTE}",
    )
    full_title = f"{title}, {decks_in_words(dossier.reference_decks)}"
    sheet = Sheet(book, name, full_title, columns, frozen=5, paper=A3)
    space, total = dossier.reference.sample_space, sheet.next
    counted = count_cell(f"Q{total}", space)
    sheet.row("all card sequences", *[None] * 15, str(space), None, None, counted, style="block")
    for row in rows:
        _write_state(sheet, row, total)
    good = {"criteria": f"=$N{sheet.HEAD + 1}>0", "format": book.format("good")}
    sheet.mark(0, len(columns) - 1, type="formula", **good)
    sheet.finish()


def _named(state: State) -> list[SheetCell]:
    """The first four cells of a state's row."""
    return [state.side, STAGES[state.stage], state.player_points, state.banker_points]


def _write_state(sheet: Sheet, given: StateRow, total: int) -> None:
    """Write an insurance state: its ways as text, read as numbers, and what follows from them."""
    analysis, row = given.analysis, sheet.next
    named: list[SheetCell] = [*_named(analysis.state), given.mark, analysis.odds]
    if analysis.net is not None:
        named += [analysis.net.numerator, analysis.net.denominator]
    if analysis.expected_value is None or analysis.wins is None or analysis.pushes is None:
        sheet.row(*named, *[None] * 4, "never")
        return
    shares = [analysis.wins, analysis.pushes, analysis.loses or 0]
    counts = [analysis.won, analysis.ways - analysis.won - analysis.lost, analysis.lost]
    mean = Traced.of(analysis.expected_value)
    ways = f"SUM(T{row}:V{row})"
    formula = f"=(G{row}*T{row}-H{row}*V{row})/(H{row}*{ways})"
    sheet.row(
        *named,
        Live(f"={ways}/T${total}", analysis.probability),
        *(Live(f"={letter}{row}/{ways}", share) for letter, share in zip("TUV", shares, strict=True)),
        Live(f'=IF(N{row}>0,"PLAYER",IF(N{row}<0,"house","neither"))', favours(analysis)),
        *traced(formula, mean, row, "N"),
        *map(str, counts),
        *(count_cell(f"{letter}{row}", count) for letter, count in zip("QRS", counts, strict=True)),
        mean.exact,
    )


def _write_by_decks(book: Book, dossier: Dossier) -> None:
    """Write the expected value of every insurance state, a column for each number of decks."""
    columns = [
        *columns_of("Hand | 8 | text \n After | 21 | text \n Player | 7 | centred \n Banker | 7 | centred"),
        *(SheetColumn(decks_in_words(decks), 13, "starred") for decks in dossier.decks),
        SheetColumn("Favours the player with decks", 20, "exact"),
    ]
    title = "Expected value of insurance by number of decks"
    sheet = Sheet(book, INSURANCE_BY_DECKS, title, columns, frozen=4)
    sheet.line("A star in a shaded cell: the bet favours the player.")
    for states in zip(*(shoe.insurance for shoe in dossier.shoes), strict=True):
        favourable = [
            str(decks)
            for decks, analysis in zip(dossier.decks, states, strict=True)
            if analysis.favours_player
        ]
        values = (analysis.expected_value for analysis in states)
        shown = ["never" if value is None else value for value in values]
        sheet.row(*_named(states[0].state), *shown, ", ".join(favourable) or "none")
    good = {"criteria": ">", "value": 0, "format": book.format("good")}
    sheet.mark(4, len(columns) - 2, type="cell", **good)
    sheet.finish()
