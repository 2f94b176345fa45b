"""What the workbook says: the heads of its columns, the notes on them, its contents."""

from combinat.render.xlsx.cells import LOW
from combinat.report.odds import decks_in_words
from combinat.rules.round import Stage

WAYS_NOTE = (
    "Excel keeps 15 digits of a number and would cut a longer count. The text is read in two parts: VALUE(all but "
    f"its last {LOW} digits) x {10**LOW} + VALUE(its last {LOW} digits)."
)
WHOLE_NOTE = (
    " Both parts are exact, and so is their sum: every count here is a multiple of a power of two high enough for "
    "a double-precision number to hold all of it, though Excel shows 15 digits."
)
NET_NOTE = (
    "whole numbers, on the stake in the bet's first row, so that no odds need a decimal. The expected value is "
    "SUMPRODUCT(net, ways) / (stake x card sequences): one division of whole numbers."
)
CHECK_NOTE = (
    "TRUE where the formula and the exact value, rounded to the 15 significant digits that Excel keeps, differ "
    "by at most 1 part in 10^14."
)
OUTCOME_COLUMNS = """
    Bet                         | 16 | text
    Outcome or figure           | 23 | text
    Odds                        | 10 | text
    Net per unit staked         |  9 | count
    Whole net on the stake      | 10 | whole
    Ways                        | 19 | count
    Ways as a number            | 21 | digits
    Probability or figure       | 12 | percent
    Exact value to 15 digits    | 22 | digits
    Check                       |  8 | check
    Contribution to return      | 13 | signed
    Exact value to 15 digits    | 22 | digits
    Check                       |  8 | check
    Exact probability or figure | 58 | exact
    Exact contribution          | 32 | exact
"""
STATE_COLUMNS = """
    Hand                      |  8 | text
    After                     | 21 | text
    Player                    |  7 | centred
    Banker                    |  7 | centred
    {mark}                    |  8 | centred
    Odds                      | 10 | text
    Profit                    |  7 | centred
    on a stake of             |  7 | centred
    Reached                   | 10 | percent
    Wins                      | 10 | percent
    Returned                  | 10 | percent
    Loses                     | 10 | percent
    Favours                   | 10 | centred
    Expected value            | 11 | signed
    Exact value to 15 digits  | 22 | digits
    Check                     |  8 | check
    Ways it wins              | 18 | count
    Ways it is returned       | 18 | count
    Ways it loses             | 18 | count
    Wins, as a number         | 21 | digits
    Returned, as a number     | 21 | digits
    Loses, as a number        | 21 | digits
    Exact expected value      | 36 | exact
"""
OUTCOMES, BETS, EDGES, JOINT = "Outcomes", "Bets", "House edge by decks", "Joint"
INSURANCE, INSURANCE_BY_DECKS, THIRD_CARD = "Insurance", "Insurance by decks", "Third card"
INTERPRETATIONS, REMOVAL, FORMULAS = "Interpretations", "Removal", "Formulas"
COVER = "Cover"
CONTENTS = {
    BETS: "every bet: what it pays, how often it wins, what the house keeps",
    EDGES: "the house edge of every bet at every number of decks",
    OUTCOMES: "every outcome of every bet: ways, probability, contribution to return, and the bet's figures",
    JOINT: "correlations between the bets of one round",
    INSURANCE: "every insurance state: wins, returned, loses, expected value",
    INSURANCE_BY_DECKS: "the expected value of every insurance state at every number of decks",
    THIRD_CARD: "the insurance states after the Player's third card, by the value of that card",
    INTERPRETATIONS: "each unclear clause, the reading taken, and what the other reading would change",
    REMOVAL: "what the removal of one card does to every bet",
    FORMULAS: "closed forms in the number of decks",
}
STAGES = {Stage.FOUR_CARDS: "four cards", Stage.PLAYER_THIRD_CARD: "the Player's third card"}
"""After what an insurance state arises."""


def outcomes_sheet(decks: int, reference: int) -> str:
    """The name of the sheet with the outcomes on a shoe of so many decks."""
    return OUTCOMES if decks == reference else f"{OUTCOMES} {decks_in_words(decks)}"
