"""The sheets of the workbook and their columns.

A head with ``{decks}`` stands for one column for each number of decks.
"""

from combinat.render.xlsx import LOW, SheetColumn

INPUTS, SUMMARY, OUTCOMES = "Inputs", "Summary", "Outcomes"
INSURANCE, JOINT, CHECKS = "Insurance", "Joint", "Checks"
CONTENTS = {
    INPUTS: "the odds that every other sheet uses",
    SUMMARY: "every bet: hit frequency and house edge, at every number of decks",
    OUTCOMES: "every outcome of every bet, at the number of decks selected there",
    INSURANCE: "every insurance state at that number of decks, and its expected value at every number",
    JOINT: "correlations between the bets of one round",
    CHECKS: "whether the odds are those of the document, the ways add up, and the figures are exact",
}
"""The sheets in their order, with what each has."""

WAYS_NOTE = (
    "ordered sequences of six cards, as text: Excel keeps only 15 digits of a number. Formulas read it in two parts, beside "
    f"the table: VALUE(all but its last {LOW} digits) x {10**LOW} + VALUE(its last {LOW} digits)."
)

USED, AS_DOCUMENT = "Odds used, to 1", "As in the document"
INPUT_COLUMNS = (
    SheetColumn("Bet", 54),
    SheetColumn("Outcome or offer", 36),
    SheetColumn("Clause", 20),
    SheetColumn("Odds in the document", 14),
    SheetColumn("Net in the document, exact", 14, "count"),
    SheetColumn(USED, 14, "odds in"),
    SheetColumn(AS_DOCUMENT, 14, "check"),
)

NET, PROBABILITY, MEAN = "Net used", "Probability", "Contribution to return"
WAYS, HIGH, LOW_PART = "Ways, {decks}", "High part, {decks}", "Low part, {decks}"
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

CHECK_COLUMNS = (
    SheetColumn("What is checked", 66),
    SheetColumn("Checks", 12, "whole"),
    SheetColumn("that hold", 12, "whole"),
    SheetColumn("skipped: other odds", 24, "whole"),
    SheetColumn("", 24, "count"),
    SheetColumn(" ", 12, "check"),
)
