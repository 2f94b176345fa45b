"""The sheet of every bet: what is paid, how often it wins, what the house keeps at every number of decks."""

from dataclasses import dataclass

from combinat.analysis.bets import BetAnalysis
from combinat.certify.dossier import Dossier
from combinat.render.xlsx.book import Book
from combinat.render.xlsx.cells import LOW, Live, SheetCell, cell_at, letter_of, nearest_root
from combinat.render.xlsx.sheet import Sheet, columns_of
from combinat.report.workbook.inputs import Inputs
from combinat.report.workbook.outcomes import CHOSEN, NET, PROBABILITY, Outcomes
from combinat.report.workbook.words import CHANGED, NEVER, SUMMARY, by_decks, name_column

FIGURES = """
    Pays, as the document | 26 | text
    Hit frequency         | 11 | percent
    Fair odds to 1        | 11 | ratio
    Return to player      | 11 | percent
    Standard deviation    | 11 | decimal
    House edge            | 11 | percent
"""
ENDS = """
    Least            | 11 | percent
    Most             | 11 | percent
    Note             | 26 | exact
    Exact house edge | 36 | exact
"""
PLAYER, SOMETIMES, HOUSE = "favours the player", "the player, at some decks", "favours the house"


def exact_value(cell: str) -> str:
    """The number that a fraction, which stands as text, comes to."""
    at = f'FIND("/",{cell})'
    return f"IFERROR(VALUE(LEFT({cell},{at}-1))/VALUE(MID({cell},{at}+1,99)),VALUE({cell}))"


def is_exact(live: str, exact: str) -> str:
    """Whether a figure is the exact one, which stands as text."""
    value = exact_value(exact)
    return f"ABS({live}-{value})<=1E-12*MAX(1,ABS({value}))"


@dataclass(frozen=True)
class Summary:
    """Where the checks stand: that ways add up, and that expected values are the exact ones."""

    adds_up: str
    is_exact: str


def write_summary(book: Book, dossier: Dossier, inputs: Inputs, outcomes: Outcomes) -> Summary:
    """Write a line for each bet."""
    decks, number = dossier.decks, len(dossier.decks)
    columns = [
        name_column(dossier),
        *columns_of(
            FIGURES,
            Hit="probability that the bet wins. It, fair odds, return, standard deviation and the first house edge are for the number of "
            "decks that is selected on the sheet Outcomes.",
            House="minus the expected value per unit staked. Below 0 the bet favours the player.",
        ),
        *by_decks("House edge, ", decks, 11, "percent"),
        *columns_of(ENDS, Exact="in lowest terms; for the odds of the document."),
    ]
    beside = [
        *by_decks("Exact house edge, ", decks, 36, "exact"),
        *by_decks("Ways add up, ", decks, 10, "check"),
        *by_decks("Edge is the exact one, ", decks, 12, "check"),
    ]
    reference = dossier.reference_decks
    title = Live(
        f'="Every bet; where one number of decks is not named, "&{CHOSEN}&IF({CHOSEN}=1," deck"," decks")',
        f"Every bet; where one number of decks is not named, {reference} deck{'' if reference == 1 else 's'}",
    )
    sheet = Sheet(book, SUMMARY, title, columns, beside, large=True)
    sheet.line("Every figure follows the odds on the sheet Inputs.")
    for bets in zip(*(shoe.bets for shoe in dossier.shoes), strict=True):
        _write_bet(sheet, bets, decks.index(reference), inputs, outcomes)
    first, last, place = Sheet.HEAD + 1, sheet.next - 1, len(columns) + number
    sheet.mark_false((first, last), place, 2 * number)
    good = {"criteria": "<", "value": 0, "format": book.format("good")}
    sheet.mark((first, last), (6, 8 + number), type="cell", **good)
    sheet.finish()
    checks = [
        f"'{SUMMARY}'!{cell_at(first, start)}:{cell_at(last, start + number - 1)}"
        for start in (place, place + number)
    ]
    return Summary(*checks)


def _write_bet(
    sheet: Sheet, bets: tuple[BetAnalysis, ...], chosen: int, inputs: Inputs, outcomes: Outcomes
) -> None:
    bet, row, number = bets[chosen], sheet.next, len(bets)
    nets, shares = outcomes.of(bet.id, NET), outcomes.of(bet.id, PROBABILITY)
    hit, lost = f'SUMIF({nets},">0",{shares})', f"SUMIF({nets},-1,{shares})"
    mean = f"'Outcomes'!{cell_at(outcomes.lines[bet.id].total, 8)}"
    first, last = letter_of(7), letter_of(6 + number)
    edges, changed = f"{first}{row}:{last}{row}", inputs.is_changed(inputs.of_bet(bet.id))
    exact = 11 + number
    texts = [cell_at(row, exact + shoe) for shoe in range(number)]
    sheet.row(
        *(bet.name, bet.pays),
        Live(f"={hit}", bet.hit_frequency),
        Live(f'=IF(C{row}>0,{lost}/C{row},"{NEVER}")', NEVER if bet.fair_odds is None else bet.fair_odds),
        Live(f"=1+{mean}", bet.return_to_player),
        Live(f"=SQRT(MAX(0,SUMPRODUCT({nets},{nets},{shares})-{mean}^2))", nearest_root(bet.variance)),
        Live(f"=-{mean}", bet.house_edge),
        *(_edge(outcomes, bet, shoe) for shoe, bet in enumerate(bets)),
        Live(f"=MIN({edges})", min(one.house_edge for one in bets)),
        Live(f"=MAX({edges})", max(one.house_edge for one in bets)),
        Live(
            f'=IF(MAX({edges})<0,"{PLAYER}",IF(MIN({edges})<0,"{SOMETIMES}","{HOUSE}"))&IF({changed},"; {CHANGED}","")',
            _favours(bets),
        ),
        Live(
            f'=IF({changed},"{CHANGED}",INDEX({texts[0]}:{texts[-1]},1,{outcomes.which}))',
            str(bet.house_edge),
        ),
        *(str(one.house_edge) for one in bets),
        *(_adds_up(outcomes, bet.id, shoe) for shoe in range(number)),
        *(_is_exact(f"{letter_of(7 + shoe)}{row}", texts[shoe], changed) for shoe in range(number)),
    )


def _favours(bets: tuple[BetAnalysis, ...]) -> str:
    """Whom the bet favours, at every number of decks."""
    is_good = [bet.house_edge < 0 for bet in bets]
    return PLAYER if all(is_good) else SOMETIMES if any(is_good) else HOUSE


def _edge(outcomes: Outcomes, bet: BetAnalysis, shoe: int) -> Live:
    """The house edge at one number of decks."""
    nets = outcomes.of(bet.id, NET)
    high, low = (f"SUMPRODUCT({nets},{outcomes.of(bet.id, place)})" for place in outcomes.parts(shoe))
    return Live(f"=-({high}*{10**LOW}+{low})/{outcomes.sequences(shoe)}", bet.house_edge)


def _adds_up(outcomes: Outcomes, bet: str, shoe: int) -> Live:
    """Whether the ways of a bet's outcomes are all card sequences, to the last digit."""
    places = outcomes.parts(shoe)
    high, low = (f"SUM({outcomes.of(bet, place)})" for place in places)
    all_high, all_low = (f"'Outcomes'!{cell_at(4, place)}" for place in places)
    return Live(
        f"=AND(MOD({low},{10**LOW})={all_low},{high}+INT({low}/{10**LOW})={all_high})",
        True,
    )


def _is_exact(live: str, exact: str, changed: str) -> SheetCell:
    return Live(f'=IF({changed},"{CHANGED}",{is_exact(live, exact)})', True)
