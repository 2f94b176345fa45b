"""The sheet of insurance: every state at the number of decks selected, and its expected value at every number."""

from combinat.analysis.insurance import StateAnalysis
from combinat.render.xlsx import Live, Sheet, SheetCell, both_parts, high_part, low_part
from combinat.report.phrases import hand_named, stage_named
from combinat.report.workbook.columns import (
    ENDS,
    EXACT_VALUE_AT,
    INSURANCE,
    NET,
    STATE_COLUMNS,
    VALUE,
    VALUE_AT,
    VALUE_IS_EXACT_AT,
    WAYS_NOTE,
)
from combinat.report.workbook.pages import NEVER, Key, Pages, is_exact
from combinat.rules.insurance import State


def write_insurance(pages: Pages) -> None:
    """Write every insurance state."""
    columns, title = pages.columns(STATE_COLUMNS), pages.title("Insurance states, ")
    sheet = pages.sheets[INSURANCE] = Sheet(pages.book, INSURANCE, title, columns, frozen=4, large=True)
    sheet.write(2, 0, "Every figure follows the odds on the sheet Inputs.", "text")
    offers: dict[State, Key] = {
        state: (table, offer) for table in pages.game.insurance for state, offer in table.states()
    }
    for states in zip(*(shoe.insurance for shoe in pages.dossier.shoes), strict=True):
        _write_state(pages, sheet, states, offers[states[0].state])
    good, values = pages.book.format("good"), pages.heads(VALUE_AT)
    sheet.mark("Hand insured", VALUE, type="formula", criteria="=AND(ISNUMBER($M4),$M4>0)", format=good)
    sheet.mark(values[0], values[-1], type="cell", criteria=">", value=0, format=good)
    sheet.mark_false(pages.heads(VALUE_IS_EXACT_AT)[0], pages.heads(VALUE_IS_EXACT_AT)[-1])
    sheet.next += 1
    sheet.paragraph(f"Ways, beside the table: {WAYS_NOTE}")
    sheet.finish()


def _or_never(value: SheetCell) -> str | int | float:
    return NEVER if value is None else value  # type: ignore[return-value]


def _write_state(pages: Pages, sheet: Sheet, states: tuple[StateAnalysis, ...], offer: Key) -> None:
    """Write an insurance state: its ways as text, read as numbers, and the figures that follow from them."""
    row, at, state = sheet.next, states[pages.chosen], states[0].state
    of_ends = [f"INDEX({pages.across(INSURANCE, _numbers(end), row)},1,{pages.which})" for end in ENDS]
    ways = f"({'+'.join(of_ends)})"
    spaces = ",".join(map(pages.sequences, pages.shoes))
    shares = zip(of_ends, (at.wins, at.pushes, at.loses), strict=True)
    mean = sheet.cell(VALUE, row)
    sheet.row(
        *(
            f"{hand_named(state.side)} Hand",
            stage_named(state.stage),
            state.player_points,
            state.banker_points,
        ),
        *(", ".join(map(str, at.pays_on_tie)), at.odds, Live(f"={pages.used(offer)}", at.net or 0)),
        Live(f"={ways}/CHOOSE({pages.which},{spaces})", at.probability),
        *(Live(f'=IF({ways}=0,"{NEVER}",{end}/{ways})', _or_never(share)) for end, share in shares),
        Live(
            f'=IF(ISNUMBER({mean}),IF({mean}>0,"PLAYER",IF({mean}<0,"house","neither")),"{NEVER}")',
            NEVER if at.expected_value is None else at.favours,
        ),
        Live(
            f"=INDEX({pages.across(INSURANCE, VALUE_AT, row)},1,{pages.which})", _or_never(at.expected_value)
        ),
        *(_value(pages, sheet, row, shoe, states[shoe]) for shoe in pages.shoes),
        *_beside(pages, sheet, states, offer),
    )


def _numbers(end: str) -> str:
    return f"Ways {end}, a number, {{decks}}"


def _value(pages: Pages, sheet: Sheet, row: int, shoe: int, state: StateAnalysis) -> Live:
    """Return the expected value at one number of decks."""
    won, returned, lost = (sheet.cell(pages.heads(_numbers(end))[shoe], row) for end in ENDS)
    ways = f"({won}+{returned}+{lost})"
    formula = f'=IF({ways}=0,"{NEVER}",({sheet.cell(NET, row)}*{won}-{lost})/{ways})'
    return Live(formula, _or_never(state.expected_value))


def _beside(pages: Pages, sheet: Sheet, states: tuple[StateAnalysis, ...], offer: Key) -> list[SheetCell]:
    """Return the ways as text and as numbers, the exact values, and the checks."""
    row, changed = sheet.next, pages.is_changed([offer])
    counts = [int(at.won) for at in states]
    counts += [int(at.ways - at.won - at.lost) for at in states]
    counts += [int(at.lost) for at in states]
    texts = [sheet.cell(head, row) for end in ENDS for head in pages.heads(f"Ways {end}, {{decks}}")]
    cells: list[SheetCell] = [*map(str, counts)]
    for text, count in zip(texts, counts, strict=True):
        high, low = high_part(text, count), low_part(text, count)
        cells.append(Live(f"={both_parts(high.formula[1:], low.formula[1:])}", float(count)))
    cells += [NEVER if at.expected_value is None else str(at.expected_value) for at in states]
    for head, exact_head in zip(pages.heads(VALUE_AT), pages.heads(EXACT_VALUE_AT), strict=True):
        live, exact = sheet.cell(head, row), sheet.cell(exact_head, row)
        arises = is_exact(live, exact, changed)
        cells.append(Live(f'=IF({exact}="{NEVER}",{live}="{NEVER}",{arises})', True))
    return cells
