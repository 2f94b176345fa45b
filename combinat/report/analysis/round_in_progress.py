"""The document of a round in progress."""

from collections.abc import Mapping
from fractions import Fraction

from combinat.analysis.bets import BetAnalysis
from combinat.analysis.insurance import STATES, StateAnalysis
from combinat.analysis.round_in_progress import RoundInProgress, result_so_far
from combinat.base.kinds import CARDS, COUNT, FRACTION, TEXT
from combinat.base.relation import Document, Field, Many, Relation
from combinat.render.blocks import Column, Section, section, table
from combinat.report.analysis.insurance import SIGNED
from combinat.report.analysis.odds import FINE, PERCENT, shoe_in_words
from combinat.report.phrases import ROUNDING, hands_in_words
from combinat.report.provisos import GAME, ONE_ROUND, SHOE, staying_terms
from combinat.report.relation_tables import view_table
from combinat.rules.bet import BetResult
from combinat.rules.cards import format_cards
from combinat.rules.game import Game
from combinat.rules.outcome import Winner
from combinat.rules.table_of_play import Hand

TAKE_BACK = "dealing-error"
"""The procedure under which a player may have a bet returned."""


def round_document(now: RoundInProgress) -> Section:
    """Return the round as it stands: results, bets, insurance."""
    dealt, chances = now.dealt, result_chances(now)
    results = (Column("result"), Column("probability", FRACTION), Column("%", FINE, name="probability"))
    may_take_back = now.bets_may_be_taken_back
    bets = view_table(OPEN_BETS, [(now, bet) for bet in now.bets], "advised" if may_take_back else "terminal")
    return section(
        f"{now.game.name}: a round in progress",
        {
            "On the table": hands_in_words(dealt),
            "Next to draw": dealt.next_hand.in_full if dealt.next_hand else "nobody",
            "Known next cards": format_cards(now.coming) or None,
            "Known cards of the next round": format_cards(now.beyond) or None,
            "Left in the shoe": shoe_in_words(now.shoe),
        },
        staying_terms(now.game, ONE_ROUND),
        table(results, [(name, chance, chance) for name, chance in chances.items()]),
        section("Bets", bets, _take_back(now.game) if may_take_back else None),
        _insurance(now) if now.game.insurance_terms else None,
        ROUNDING,
    )


def result_chances(now: RoundInProgress) -> dict[str, Fraction]:
    """Return the probability of each result given the cards dealt, by its name."""
    chances = {
        winner.value if winner is Winner.TIE else f"{winner.value} wins": chance
        for winner, chance in now.winners.items()
    }
    return chances | ({"void": now.void} if now.void else {})


def advice(bet: BetAnalysis) -> str:
    """Return the better choice after a dealing error: continue the round, or have the bet returned."""
    value = bet.expected_value
    return "continue" if value > 0 else "take back" if value < 0 else "either"


def _take_back(game: Game) -> str:
    procedure = next((one for one in game.procedures if one.id == TAKE_BACK), None)
    if procedure is None:
        return "This document gives no right to have a bet returned after a dealing error."
    joint = game.practice.options_for == "all-bets"
    chosen = f", and chooses {game.practice.in_words('options_for')}" if joint else ""
    return f"After a dealing error a player may have a bet returned ({', '.join(procedure.clauses)}){chosen}."


def _insurance(now: RoundInProgress) -> Section:
    if not now.insurance:
        return section("Insurance", "No insurance is on offer at this moment.")
    title = "Insurance on offer, its next cards known" if now.coming else "Insurance on offer now"
    return section(title, view_table(ON_OFFER, now.insurance))


ON_OFFER: Relation[StateAnalysis] = Relation(
    "insurance on offer",
    *STATES.part(
        *(lambda state: state, "side", "moment", "pays", "wins", "pushes", "loses", "expected_value"),
        *("fair_odds", "favours"),
        moment="stage",
        pays="odds",
    ),
)
"""The insurance that can be taken now, a row each; for people."""

OPEN_BETS: Relation[tuple[RoundInProgress, BetAnalysis]] = Relation(
    "open bets",
    Field("id", "bet", TEXT, "The bet's id.", lambda row: row[1].id, views="terminal advised"),
    Field(
        *("stands", "status", TEXT, "Open, or the result of a decided bet."),
        lambda row: result_so_far(row[1]) or "open",
        views="terminal advised",
        words=("open", *BetResult),
    ),
    Field("hit_frequency", "wins %", PERCENT, "Probability that it wins.", lambda row: row[1].hit_frequency, views="terminal advised"),
    Field("returned", "returned %", PERCENT, "Probability of a return.", lambda row: row[1].returned, views="terminal advised"),
    Field("expected_value", "EV %", SIGNED, "Mean net result per unit.", lambda row: row[1].expected_value, views="terminal advised"),
    Field(
        *("worth_more_to", "worth more to", TEXT, "Before the fourth card: whether to go on or to have it returned."),
        lambda row: advice(row[1]) if row[0].bets_may_be_taken_back else None,
        views="advised",
        may_be_absent=True,
        words=("continue", "take back", "either"),
    ),
)  # fmt: skip
"""The bets of a round in progress, a row each."""


def _chance(name: str) -> Field[Mapping[str, Fraction]]:
    about = (
        "Probability of this result; only if the shoe can run out."
        if name == "void"
        else "Probability of this result."
    )
    return Field(
        name, f"{name} %", FINE, about, lambda chances: chances.get(name), may_be_absent=name == "void"
    )


RESULTS = Relation("results", *map(_chance, ("player wins", "banker wins", "tie", "void")))

ROUND: Document[RoundInProgress] = Document(
    "combinat/round/1",
    "A round in progress: combinat round.",
    *GAME.extended(ONE_ROUND).part(lambda now: now.game),
    Field("player", "Player", CARDS, "The Player Hand.", lambda now: now.dealt.player),
    Field("banker", "Banker", CARDS, "The Banker Hand.", lambda now: now.dealt.banker),
    Field("next", "next to draw", TEXT, "The hand that draws next.", lambda now: now.dealt.next_hand, may_be_none=True, words=Hand),
    Field("coming", "known to come", CARDS, "Cards known to come."),
    Field("beyond", "known, not of this round", CARDS, "Known cards that the round does not take."),
    Field("shoe", "shoe", SHOE, "The cards left in the shoe."),
    Field("sample_space", "card sequences", COUNT, "Card sequences.", lambda now: now.distribution.sample_space),
    Field("results", "results", RESULTS, "Probability of each result.", lambda now: result_chances(now)),
    Field("bets", "bets", Many(OPEN_BETS), "Every bet.", lambda now: [(now, bet) for bet in now.bets]),
    Field("insurance", "insurance", Many(STATES), "The insurance on offer."),
)  # fmt: skip
