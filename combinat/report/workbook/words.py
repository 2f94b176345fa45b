"""What the workbook says: the names of its sheets, the heads of its columns, the notes on them."""

from collections.abc import Sequence

from combinat.certify.dossier import Dossier
from combinat.render.xlsx.cells import LOW
from combinat.render.xlsx.sheet import SheetColumn
from combinat.report.analysis.odds import decks_in_words
from combinat.rules.round import Stage
from combinat.rules.table_of_play import Hand

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

CHANGED = "odds changed"
NEVER = "never"
HOLDS = "Every check holds."
HOLDS_AS_FAR = f"Every check holds that applies; odds were changed on the sheet {INPUTS}."
FAILS = "NOT EVERY CHECK HOLDS."

WAYS_NOTE = (
    "ordered sequences of six cards, as text: Excel keeps only 15 digits of a number. Formulas read "
    f"it in two parts, beside the table: VALUE(all but its last {LOW} digits) x {10**LOW} + VALUE(its last {LOW} digits)."
)
OUTCOME_COLUMNS = """
    Outcome                | 30 | text
    Odds in the document   | 13 | text
    Net used               | 12 | net
    Ways                   | 20 | count
    Fraction               | 38 | exact
    Probability            | 12 | percent
    True odds to 1         | 14 | ratio
    Contribution to return | 13 | signed
"""
STATE_COLUMNS = """
    Hand insured         | 13 | text
    After                | 22 | text
    Player               |  8 | centred
    Banker               |  8 | centred
    Tie wins on          |  8 | centred
    Odds in the document | 12 | text
    Net used             | 10 | net
    Reached              | 11 | percent
    Wins                 | 11 | percent
    Returned             | 11 | percent
    Loses                | 11 | percent
    Favours              | 10 | centred
    Expected value       | 12 | signed
"""
INPUT_COLUMNS = """
    Bet                        | 54 | text
    Outcome or offer           | 36 | text
    Clause                     | 20 | text
    Odds in the document       | 14 | text
    Net in the document, exact | 14 | count
    Odds used, to 1            | 14 | odds in
    As in the document         | 14 | check
"""
STAGES = {Stage.FOUR_CARDS: "four cards", Stage.PLAYER_THIRD_CARD: "the Player's third card"}
"""After what an insurance state arises."""

HANDS = {Hand.PLAYER: "Player Hand", Hand.BANKER: "Banker Hand"}


def name_column(dossier: Dossier) -> SheetColumn:
    """The column of the bets' names, as wide as the longest of them."""
    longest = max(len(bet.name) for bet in dossier.reference.bets)
    return SheetColumn("Bet", min(max(24, longest + 2), 80))


def by_decks(head: str, decks: Sequence[int], width: int, style: str, note: str = "") -> list[SheetColumn]:
    """A column for each number of decks; the note stands at the first."""
    return [
        SheetColumn(f"{head}{decks_in_words(number)}", width, style, "" if place else note)
        for place, number in enumerate(decks)
    ]
