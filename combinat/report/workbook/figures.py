"""The sheets of figures for the number of decks that the reader selects: outcomes, bets, insurance, correlations."""

from fractions import Fraction

from combinat.analysis.bets import BetAnalysis
from combinat.analysis.insurance import StateAnalysis
from combinat.base.number import PLACES, root
from combinat.render.xlsx import LOW, Live, Sheet, SheetCell, SheetColumn, both_parts, high_part, low_part
from combinat.report.analysis.odds import decks_in_words
from combinat.report.phrases import hand_named, stage_named
from combinat.report.workbook.pages import (
    CHANGED,
    HIGH,
    INPUTS,
    INSURANCE,
    JOINT,
    LOW_PART,
    MEAN,
    NET,
    NEVER,
    OUTCOMES,
    PROBABILITY,
    SPACE,
    SUMMARY,
    WAYS,
    Key,
    Pages,
    is_exact,
)
from combinat.rules.insurance import State

PLAYER, SOMETIMES, HOUSE = "favours the player", "the player, at some decks", "favours the house"


# ---------------------------------------------------------------- outcomes

WAYS_NOTE = (
    "ordered sequences of six cards, as text: Excel keeps only 15 digits of a number. Formulas read it in two parts, beside "
    f"the table: VALUE(all but its last {LOW} digits) x {10**LOW} + VALUE(its last {LOW} digits)."
)

OUTCOME_COLUMNS = (
    SheetColumn("Outcome", 30),
    SheetColumn("Odds in the document", 13),
    SheetColumn(NET, 12, "net"),
    SheetColumn("Ways", 20, "count", WAYS_NOTE),
    SheetColumn("Fraction", 38, "exact", "the ways out of all card sequences; not in lowest terms."),
    SheetColumn(PROBABILITY, 12, "percent"),
    SheetColumn("True odds to 1", 14, "ratio"),
    SheetColumn(MEAN, 13, "signed", "net used x probability; their total is the expected value."),
    SheetColumn(WAYS, 20, "count", beside=True),
    SheetColumn(HIGH, 14, "whole", beside=True),
    SheetColumn(LOW_PART, 12, "whole", beside=True),
)


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
    """Return the ways of a row as text: for the selected number of decks, and for every number of decks with their parts."""
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

EDGE, EDGE_AT = "House edge", "House edge, {decks}"
EXACT_AT, ADDS_UP_AT, EDGE_IS_EXACT_AT = (
    *("Exact house edge, {decks}", "Ways add up, {decks}"),
    "Edge is the exact one, {decks}",
)
SUMMARY_COLUMNS = (
    SheetColumn("Pays, as the document", 26),
    SheetColumn(
        *("Hit frequency", 11, "percent"),
        "probability that the bet wins. It, fair odds, return, standard deviation and the first house edge are for the "
        "number of decks that is selected on the sheet Outcomes.",
    ),
    SheetColumn("Fair odds to 1", 11, "ratio"),
    SheetColumn("Return to player", 11, "percent"),
    SheetColumn("Standard deviation", 11, "decimal"),
    SheetColumn(
        *(EDGE, 11, "percent"),
        "minus the expected value per unit staked. Below 0 the bet favours the player.",
    ),
    SheetColumn(EDGE_AT, 11, "percent"),
    SheetColumn("Least", 11, "percent"),
    SheetColumn("Most", 11, "percent"),
    SheetColumn("Note", 26, "exact"),
    SheetColumn("Exact house edge", 36, "exact", "in lowest terms; for the odds of the document."),
    SheetColumn(EXACT_AT, 36, "exact", beside=True),
    SheetColumn(ADDS_UP_AT, 10, "check", beside=True),
    SheetColumn(EDGE_IS_EXACT_AT, 12, "check", beside=True),
)


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
    """Return a formula for whether the bet favours the player, for every number of decks."""
    is_good = [bet.house_edge < 0 for bet in bets]
    return PLAYER if all(is_good) else SOMETIMES if any(is_good) else HOUSE


def _edge(pages: Pages, bet: BetAnalysis, shoe: int) -> Live:
    """Return the house edge at one number of decks."""
    nets = pages.of_bet(bet.id, NET)
    parts = (pages.of_bet(bet.id, pages.heads(head)[shoe]) for head in (HIGH, LOW_PART))
    total = both_parts(*(f"SUMPRODUCT({nets},{part})" for part in parts))
    return Live(f"=-{total}/{pages.sequences(shoe)}", bet.house_edge)


def _adds_up(pages: Pages, bet: str, shoe: int) -> Live:
    """Return a formula for whether the ways of a bet's outcomes add up exactly to all card sequences."""
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


# ---------------------------------------------------------------- insurance

VALUE, VALUE_AT = "Expected value", "Expected value, {decks}"
ENDS = ("won", "returned", "lost")
EXACT_VALUE_AT, VALUE_IS_EXACT_AT = "Exact expected value, {decks}", "Value is the exact one, {decks}"
STATE_COLUMNS = (
    SheetColumn("Hand insured", 13),
    SheetColumn("After", 22),
    SheetColumn("Player", 8, "centred"),
    SheetColumn("Banker", 8, "centred"),
    SheetColumn("Tie wins on", 8, "centred", "the totals on which a tie wins; any other tie is returned."),
    SheetColumn("Odds in the document", 12),
    SheetColumn(NET, 10, "net"),
    SheetColumn(
        *("Reached", 11, "percent"),
        "probability that a round reaches the state with the offer open. This column and the next five are for the number "
        "of decks that is selected on the sheet Outcomes; the columns after them are for every number.",
    ),
    SheetColumn("Wins", 11, "percent"),
    SheetColumn("Returned", 11, "percent"),
    SheetColumn("Loses", 11, "percent"),
    SheetColumn("Favours", 10, "centred", "PLAYER, in a shaded row: the expected value is above 0."),
    SheetColumn(
        *(VALUE, 12, "signed"),
        "net used x probability of a win - probability of a loss, given the state.",
    ),
    SheetColumn(VALUE_AT, 12, "signed"),
    *(SheetColumn(f"Ways {end}, {{decks}}", 18, "count", beside=True) for end in ENDS),
    *(SheetColumn(f"Ways {end}, a number, {{decks}}", 20, "whole", beside=True) for end in ENDS),
    SheetColumn(EXACT_VALUE_AT, 36, "exact", beside=True),
    SheetColumn(VALUE_IS_EXACT_AT, 12, "check", beside=True),
)


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
