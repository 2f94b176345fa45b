"""The sheet of insurance: every state at the number of decks chosen, and its expected value at every one."""

from dataclasses import dataclass

from combinat.analysis.insurance import StateAnalysis
from combinat.certify.dossier import Dossier
from combinat.render.xlsx.book import Book
from combinat.render.xlsx.cells import Live, SheetCell, cell_at, count_cell, letter_of
from combinat.render.xlsx.sheet import Sheet, columns_of
from combinat.report.workbook.inputs import Inputs, Key, offers_of
from combinat.report.workbook.outcomes import CHOSEN, Outcomes
from combinat.report.workbook.summary import is_exact
from combinat.report.workbook.words import (
    CHANGED,
    HANDS,
    INSURANCE,
    NEVER,
    STAGES,
    STATE_COLUMNS,
    WAYS_NOTE,
    by_decks,
)
from combinat.rules.game import Game

PRINTED = 13
"""The columns before those by decks."""

ENDS = ("won", "returned", "lost")


@dataclass(frozen=True)
class _Places:
    """The columns beside the table: of each end the ways as text, then as numbers; the exact values; the checks."""

    decks: int

    def text(self, end: int, shoe: int) -> int:
        return PRINTED + self.decks * (1 + end) + shoe

    def number(self, end: int, shoe: int) -> int:
        return PRINTED + self.decks * (4 + end) + shoe

    def exact(self, shoe: int) -> int:
        return PRINTED + self.decks * 7 + shoe

    def check(self, shoe: int) -> int:
        return PRINTED + self.decks * 8 + shoe


def write_insurance(book: Book, dossier: Dossier, game: Game, inputs: Inputs, outcomes: Outcomes) -> str:
    """Write every insurance state; the range of the checks."""
    decks, places = dossier.decks, _Places(len(dossier.decks))
    columns = [
        *columns_of(
            STATE_COLUMNS,
            Tie="the totals on which a tie wins; any other tie is returned.",
            Reached="probability that a round reaches the state with the offer open. This column and the next five are for the number of "
            "decks that is selected on the sheet Outcomes; the columns after them are for every number.",
            Favours="PLAYER, in a shaded row: the expected value is above 0.",
            Expected="net used x probability of a win - probability of a loss, given the state.",
        ),
        *by_decks("Expected value, ", decks, 12, "signed"),
    ]
    beside = [
        *(column for end in ENDS for column in by_decks(f"Ways {end}, ", decks, 18, "count")),
        *(column for end in ENDS for column in by_decks(f"Ways {end}, a number, ", decks, 20, "whole")),
        *by_decks("Exact expected value, ", decks, 36, "exact"),
        *by_decks("Value is the exact one, ", decks, 12, "check"),
    ]
    reference = dossier.reference_decks
    title = Live(
        f'="Insurance states, "&{CHOSEN}&IF({CHOSEN}=1," deck"," decks")',
        f"Insurance states, {reference} deck{'' if reference == 1 else 's'}",
    )
    sheet = Sheet(book, INSURANCE, title, columns, beside, frozen=4, large=True)
    sheet.line("Every figure follows the odds on the sheet Inputs.")
    offers, chosen = offers_of(game), dossier.decks.index(reference)
    for states in zip(*(shoe.insurance for shoe in dossier.shoes), strict=True):
        _write_state(
            sheet, _Row(states, chosen, sheet.next, places, offers[states[0].state]), inputs, outcomes
        )
    first, last = Sheet.HEAD + 1, sheet.next - 1
    good = {"criteria": f"=AND(ISNUMBER($M{first}),$M{first}>0)", "format": book.format("good")}
    sheet.mark((first, last), (0, PRINTED - 1), type="formula", **good)
    by_cell = {"criteria": ">", "value": 0, "format": book.format("good")}
    sheet.mark((first, last), (PRINTED, PRINTED + len(decks) - 1), type="cell", **by_cell)
    sheet.mark_false((first, last), places.check(0), len(decks))
    sheet.next += 1
    sheet.paragraph(f"Ways, beside the table: {WAYS_NOTE}")
    sheet.finish()
    return f"'{INSURANCE}'!{cell_at(first, places.check(0))}:{cell_at(last, places.check(len(decks) - 1))}"


@dataclass(frozen=True)
class _Row:
    """A state on every shoe, and where it is written."""

    states: tuple[StateAnalysis, ...]
    chosen: int
    row: int
    places: _Places
    offer: Key

    def ways(self, shoe: int) -> str:
        """The ways of the state at one number of decks."""
        first, last = (cell_at(self.row, self.places.number(end, shoe)) for end in (0, 2))
        middle = cell_at(self.row, self.places.number(1, shoe))
        return f"({first}+{middle}+{last})"

    def at_chosen(self, end: int) -> str:
        """The ways of one end at the number of decks chosen."""
        first, last = (cell_at(self.row, self.places.number(end, shoe)) for shoe in (0, len(self.states) - 1))
        return f"{first}:{last}"

    def mean(self, shoe: int) -> Live:
        """The expected value at one number of decks."""
        won, lost = (cell_at(self.row, self.places.number(end, shoe)) for end in (0, 2))
        value = self.states[shoe].expected_value
        formula = f'=IF({self.ways(shoe)}=0,"{NEVER}",($G{self.row}*{won}-{lost})/{self.ways(shoe)})'
        return Live(formula, NEVER if value is None else value)


def _write_state(sheet: Sheet, given: _Row, inputs: Inputs, outcomes: Outcomes) -> None:
    """Write an insurance state: its ways as text, read as numbers, and what follows from them."""
    row, number, which = given.row, len(given.states), outcomes.which
    analysis, state = given.states[given.chosen], given.states[0].state
    ways = "(" + "+".join(f"INDEX({given.at_chosen(end)},1,{which})" for end in range(3)) + ")"
    spaces = ",".join(outcomes.sequences(shoe) for shoe in range(number))
    shares = (analysis.wins, analysis.pushes, analysis.loses)
    means = f"{letter_of(PRINTED)}{row}:{letter_of(PRINTED + number - 1)}{row}"
    mean = analysis.expected_value
    net: SheetCell = Live(f"={inputs.used(given.offer)}", analysis.net or 0)
    sheet.row(
        *(HANDS[state.side], STAGES[state.stage], state.player_points, state.banker_points),
        *(", ".join(map(str, analysis.pays_on_tie)), analysis.odds, net),
        Live(f"={ways}/CHOOSE({which},{spaces})", analysis.probability),
        *(
            Live(
                f'=IF({ways}=0,"{NEVER}",INDEX({given.at_chosen(end)},1,{which})/{ways})',
                NEVER if share is None else share,
            )
            for end, share in enumerate(shares)
        ),
        Live(
            f'=IF(ISNUMBER(M{row}),IF(M{row}>0,"PLAYER",IF(M{row}<0,"house","neither")),"{NEVER}")',
            NEVER if mean is None else analysis.favours,
        ),
        Live(f"=INDEX({means},1,{which})", NEVER if mean is None else mean),
        *(given.mean(shoe) for shoe in range(number)),
        *_beside(given, inputs),
    )


def _beside(given: _Row, inputs: Inputs) -> list[SheetCell]:
    """The ways as text and as numbers, the exact values, and the checks."""
    places, shoes = given.places, range(len(given.states))
    counts = [
        [int(at.won) for at in given.states],
        [int(at.ways - at.won - at.lost) for at in given.states],
        [int(at.lost) for at in given.states],
    ]
    exact = [NEVER if at.expected_value is None else str(at.expected_value) for at in given.states]
    changed = inputs.is_changed([given.offer])
    cells: list[SheetCell] = [str(count) for of_end in counts for count in of_end]
    cells += [
        count_cell(cell_at(given.row, places.text(end, shoe)), counts[end][shoe])
        for end in range(3)
        for shoe in shoes
    ]
    cells += exact
    for shoe in shoes:
        text = cell_at(given.row, places.exact(shoe))
        live = cell_at(given.row, PRINTED + shoe)
        arises = f'IF({changed},"{CHANGED}",{is_exact(live, text)})'
        cells.append(Live(f'=IF({text}="{NEVER}",{live}="{NEVER}",{arises})', True))
    return cells
