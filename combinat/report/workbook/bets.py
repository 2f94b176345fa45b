"""The sheets of bets: the outcomes at a number of decks that the reader selects, a row a bet, and the correlations."""

from fractions import Fraction

from combinat.analysis.bets import BetAnalysis
from combinat.base.number import PLACES, root
from combinat.render.xlsx import LOW, Live, Sheet, SheetCell, SheetColumn, both_parts, high_part, low_part
from combinat.report.analysis.odds import decks_in_words
from combinat.report.workbook.columns import (
    ADDS_UP_AT,
    EDGE,
    EDGE_AT,
    EDGE_IS_EXACT_AT,
    EXACT_AT,
    HIGH,
    INPUTS,
    JOINT,
    LOW_PART,
    MEAN,
    NET,
    OUTCOME_COLUMNS,
    OUTCOMES,
    PROBABILITY,
    SUMMARY,
    SUMMARY_COLUMNS,
    WAYS,
)
from combinat.report.workbook.pages import CHANGED, NEVER, SPACE, Pages, is_exact

PLAYER, SOMETIMES, HOUSE = "favours the player", "the player, at some decks", "favours the house"


# ---------------------------------------------------------------- outcomes


def write_outcomes(pages: Pages) -> None:
    """Write the outcomes of every bet, with the ways at every number of decks beside them."""
    columns, title = pages.columns(OUTCOME_COLUMNS, named=True), pages.title("Outcomes of every bet, ")
    sheet = pages.sheets[OUTCOMES] = Sheet(pages.book, OUTCOMES, title, columns, frozen=2, large=True)
    _write_choice(pages, sheet)
    spaces = [int(shoe.sample_space) for shoe in pages.dossier.shoes]
    ways, beside = _ways_cells(pages, SPACE, spaces)
    sheet.row("all card sequences", None, None, None, ways, *[None] * 4, *beside, style="block")
    for bets in zip(*(shoe.bets for shoe in pages.dossier.shoes), strict=True):
        _write_outcomes_of(pages, sheet, bets, spaces[pages.chosen])
    sheet.finish()


def _write_choice(pages: Pages, sheet: Sheet) -> None:
    """Write the input for the number of decks, and its place among the numbers."""
    decks = pages.dossier.decks
    sheet.write(2, 0, "Number of decks:", "bold")
    sheet.write(2, 1, pages.dossier.reference_decks, "decks in")
    sheet.write(2, 2, "selected in the marked cell, for this sheet, Summary and Insurance", "text")
    about = "One of the numbers of decks of the report."
    sheet.input(2, 1, "Number of decks", about, validate="list", source=list(decks))
    for head, number in zip(pages.heads(WAYS), decks, strict=True):
        sheet.write(2, sheet.place(head), number, "whole")
    which = Live(f"=MATCH($B$2,{pages.across(OUTCOMES, WAYS, 2)},0)", pages.chosen + 1)
    sheet.write(2, sheet.place(pages.heads(HIGH)[0]), which, "whole")


def _at_chosen(pages: Pages, head: str, row: int) -> str:
    """Return the cell of a row for the number of decks selected."""
    return f"INDEX({pages.across(OUTCOMES, head, row)},1,{pages.which})"


def _ways_cells(pages: Pages, row: int, ways: list[int]) -> tuple[Live, list[SheetCell]]:
    """Return the ways of a row as text: at the number of decks selected, and beside it at every number, with their parts."""
    texts = [pages.sheets[OUTCOMES].cell(head, row) for head in pages.heads(WAYS)]
    parts = [
        part(text, count) for part in (high_part, low_part) for text, count in zip(texts, ways, strict=True)
    ]
    return Live(f"={_at_chosen(pages, WAYS, row)}", str(ways[pages.chosen])), [*map(str, ways), *parts]


def _write_outcomes_of(pages: Pages, sheet: Sheet, bets: tuple[BetAnalysis, ...], space: int) -> None:
    """Write a bet's outcomes and their total; ``bets``: the bet on every shoe."""
    bet, first = bets[pages.chosen], sheet.next

    def number(row: int) -> str:
        return both_parts(*(_at_chosen(pages, head, row) for head in (HIGH, LOW_PART)))

    for place, line in enumerate(bet.outcomes):
        row, key = sheet.next, (bet.id, place)
        ways, beside = _ways_cells(pages, row, [int(at.outcomes[place].ways) for at in bets])
        net: SheetCell = Live(f"={pages.used(key)}", line.net) if key in pages.odds_rows else line.net
        fair = (1 - line.probability) / line.probability if line.probability else NEVER
        sheet.row(
            *(bet.name, line.name, line.odds or None, net, ways),
            Live(f'=E{row}&"/"&$E${SPACE}', f"{line.ways}/{space}"),
            Live(f"={number(row)}/{number(SPACE)}", line.probability),
            Live(f'=IF(G{row}>0,(1-G{row})/G{row},"{NEVER}")', fair),
            Live(f"=D{row}*G{row}", line.contribution),
            *beside,
        )
    pages.bet_rows[bet.id] = first, sheet.next - 1
    probability, mean = (
        Live(f"=SUM({letter}{first}:{letter}{sheet.next - 1})", value)
        for letter, value in (("G", bet.total_probability), ("I", bet.expected_value))
    )
    sheet.row(bet.name, "expected value", *[None] * 4, probability, None, mean, style="total")


# ---------------------------------------------------------------- a row a bet


def write_summary(pages: Pages) -> None:
    """Write a row for each bet."""
    title = pages.title("Every bet; where one number of decks is not named, ")
    columns = pages.columns(SUMMARY_COLUMNS, named=True)
    sheet = pages.sheets[SUMMARY] = Sheet(pages.book, SUMMARY, title, columns, large=True)
    sheet.write(2, 0, "Every figure follows the odds on the sheet Inputs.", "text")
    for bets in zip(*(shoe.bets for shoe in pages.dossier.shoes), strict=True):
        _write_summary_of(pages, sheet, bets)
    sheet.mark_false(pages.heads(ADDS_UP_AT)[0], pages.heads(EDGE_IS_EXACT_AT)[-1])
    sheet.mark(EDGE, "Most", type="cell", criteria="<", value=0, format=pages.book.format("good"))
    sheet.finish()


def _write_summary_of(pages: Pages, sheet: Sheet, bets: tuple[BetAnalysis, ...]) -> None:
    bet, row = bets[pages.chosen], sheet.next
    outcomes = pages.sheets[OUTCOMES]
    nets, shares = pages.of_bet(bet.id, NET), pages.of_bet(bet.id, PROBABILITY)
    hit, lost = f'SUMIF({nets},">0",{shares})', f"SUMIF({nets},-1,{shares})"
    mean = outcomes.far(outcomes.cell(MEAN, pages.bet_rows[bet.id][1] + 1))
    edges = pages.across(SUMMARY, EDGE_AT, row)
    changed = pages.is_changed([key for key in pages.odds_rows if key[0] == bet.id])
    note = f'IF(MAX({edges})<0,"{PLAYER}",IF(MIN({edges})<0,"{SOMETIMES}","{HOUSE}"))'
    sheet.row(
        *(bet.name, bet.pays),
        Live(f"={hit}", bet.hit_frequency),
        Live(f'=IF(C{row}>0,{lost}/C{row},"{NEVER}")', NEVER if bet.fair_odds is None else bet.fair_odds),
        Live(f"=1+{mean}", bet.return_to_player),
        Live(f"=SQRT(MAX(0,SUMPRODUCT({nets},{nets},{shares})-{mean}^2))", float(root(bet.variance, 30))),
        Live(f"=-{mean}", bet.house_edge),
        *(_edge(pages, bets[shoe], shoe) for shoe in pages.shoes),
        Live(f"=MIN({edges})", min(one.house_edge for one in bets)),
        Live(f"=MAX({edges})", max(one.house_edge for one in bets)),
        Live(f'={note}&IF({changed},"; {CHANGED}","")', _favours(bets)),
        Live(
            f'=IF({changed},"{CHANGED}",INDEX({pages.across(SUMMARY, EXACT_AT, row)},1,{pages.which}))',
            str(bet.house_edge),
        ),
        *(str(one.house_edge) for one in bets),
        *(_adds_up(pages, bet.id, shoe) for shoe in pages.shoes),
        *(
            Live(f"={is_exact(sheet.cell(live, row), sheet.cell(exact, row), changed)}", True)
            for live, exact in zip(pages.heads(EDGE_AT), pages.heads(EXACT_AT), strict=True)
        ),
    )


def _favours(bets: tuple[BetAnalysis, ...]) -> str:
    """Return whether the bet favours the player, for every number of decks."""
    is_good = [bet.house_edge < 0 for bet in bets]
    return PLAYER if all(is_good) else SOMETIMES if any(is_good) else HOUSE


def _edge(pages: Pages, bet: BetAnalysis, shoe: int) -> Live:
    """Return the house edge at one number of decks."""
    nets = pages.of_bet(bet.id, NET)
    parts = (pages.of_bet(bet.id, pages.heads(head)[shoe]) for head in (HIGH, LOW_PART))
    total = both_parts(*(f"SUMPRODUCT({nets},{part})" for part in parts))
    return Live(f"=-{total}/{pages.sequences(shoe)}", bet.house_edge)


def _adds_up(pages: Pages, bet: str, shoe: int) -> Live:
    """Return whether the ways of a bet's outcomes add up to all card sequences, to the last digit."""
    outcomes, heads = pages.sheets[OUTCOMES], [pages.heads(head)[shoe] for head in (HIGH, LOW_PART)]
    high, low = (f"SUM({pages.of_bet(bet, head)})" for head in heads)
    all_high, all_low = (outcomes.far(outcomes.cell(head, SPACE)) for head in heads)
    return Live(f"=AND(MOD({low},{10**LOW})={all_low},{high}+INT({low}/{10**LOW})={all_high})", True)


# ---------------------------------------------------------------- correlations


def write_joint(pages: Pages) -> None:
    """Write the correlations of the bets as a matrix."""
    shoe = pages.dossier.reference
    columns = pages.columns([SheetColumn(bet.name, 9, "correlation") for bet in shoe.bets], named=True)
    title = f"Correlations of the bets of one round, {decks_in_words(shoe.decks)}"
    sheet = pages.sheets[JOINT] = Sheet(pages.book, JOINT, title, columns, upright=True)
    about = (
        "Above 0: the bets tend to win together. For the odds of the document: these figures do not follow the sheet "
        f"{INPUTS}. tables/joint.csv has the exact covariances."
    )
    sheet.write(2, 0, about, "text")
    known: dict[frozenset[str], SheetCell] = {frozenset({bet.id}): 1 for bet in shoe.bets}
    known |= {frozenset({pair.first, pair.second}): _correlation(pair.signed_square) for pair in shoe.joint}
    for bet in shoe.bets:
        sheet.row(bet.name, *(known[frozenset({bet.id, other.id})] for other in shoe.bets))
    ends = {f"{end}_type": "num" for end in ("min", "mid", "max")}
    colours = {"min_color": "#C2A5CF", "mid_color": "#FFFFFF", "max_color": "#A6DBA0"}
    scale = {"type": "3_color_scale", "min_value": -1, "mid_value": 0, "max_value": 1}
    sheet.cells.conditional_format(Sheet.HEAD, 1, sheet.next - 2, len(shoe.bets), scale | ends | colours)
    sheet.finish()


def _correlation(signed_square: Fraction | None) -> SheetCell:
    """Return the correlation with the decimals of JSON and CSV."""
    if signed_square is None:
        return "none"
    return float(root(abs(signed_square), PLACES, negative=signed_square < 0))
