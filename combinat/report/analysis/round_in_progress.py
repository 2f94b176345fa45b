"""A round in progress, as people and programs read it."""

from collections.abc import Mapping
from fractions import Fraction

from combinat.analysis.bets import BetAnalysis
from combinat.analysis.insurance import STATES, StateAnalysis
from combinat.analysis.round_in_progress import RoundInProgress, result_so_far
from combinat.base.kinds import CARDS, COUNT, FRACTION, ODDS, TEXT, decimal
from combinat.base.relation import Document, Field, Many, Relation
from combinat.render.blocks import Block, Cell, Column, Figure, Paragraph, Section, Table, Terms, table
from combinat.report.analysis.insurance import SIGNED
from combinat.report.analysis.odds import FINE, PERCENT, shoe_in_words
from combinat.report.game_fields import GAME, SHOE
from combinat.report.phrases import ROUNDING
from combinat.report.provisos import ONE_ROUND, staying_terms
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
    dealt = now.dealt
    hands = [
        f"{hand.value.capitalize()} {format_cards(cards) or '-'} ({dealt.points(hand)})"
        for hand, cards in ((Hand.PLAYER, dealt.player), (Hand.BANKER, dealt.banker))
    ]
    said = {
        "On the table": ", ".join(hands),
        "Next to draw": dealt.next_hand.in_full if dealt.next_hand else "nobody",
        **({"Known next cards": format_cards(now.coming)} if now.coming else {}),
        **({"Known cards of the next round": format_cards(now.beyond)} if now.beyond else {}),
        "Left in the shoe": shoe_in_words(now.shoe),
    }
    return Section(
        f"{now.game.name}: a round in progress",
        (
            Terms(said),
            *staying_terms(now.game, ONE_ROUND),
            _results(now),
            Section("Bets", _bets(now)),
            *_insurance(now),
            Paragraph(ROUNDING),
        ),
    )


def _results(now: RoundInProgress) -> Table:
    columns = (Column("result"), Column("probability", FRACTION), Column("%", FINE, name="probability"))
    return table(columns, [(name, chance, chance) for name, chance in result_chances(now).items()])


def result_chances(now: RoundInProgress) -> dict[str, Fraction]:
    """Return how likely each result is from here, by its name."""
    chances = {
        winner.value if winner is Winner.TIE else f"{winner.value} wins": chance
        for winner, chance in now.winners.items()
    }
    return chances | ({"void": now.void} if now.void else {})


def bet_status(bet: BetAnalysis) -> str:
    """Return how the bet stands: open, or what it has already come to."""
    return result_so_far(bet) or "open"


def advice(bet: BetAnalysis) -> str:
    """Return whether going on is worth more than having the bet returned."""
    value = bet.expected_value
    return "continue" if value > 0 else "take back" if value < 0 else "either"


def _bets(now: RoundInProgress) -> tuple[Block, ...]:
    rows = [(now, bet) for bet in now.bets]
    if not now.bets_may_be_taken_back:
        return (view_table(OPEN_BETS, rows),)
    return view_table(OPEN_BETS, rows, "advised"), Paragraph(_take_back(now.game))


def _take_back(game: Game) -> str:
    for procedure in game.procedures:
        if procedure.id == TAKE_BACK:
            joint = game.practice.options_for == "all-bets"
            chosen = f", and chooses {game.practice.in_words('options_for')}" if joint else ""
            return f"After a dealing error a player may have a bet returned ({', '.join(procedure.clauses)}){chosen}."
    return "This document gives no right to have a bet returned after a dealing error."


def _insurance(now: RoundInProgress) -> tuple[Section, ...]:
    if now.game.insurance_terms is None:
        return ()
    if not now.insurance:
        return (Section("Insurance", (Paragraph("No insurance is on offer at this moment."),)),)
    staged = bool(now.coming)
    columns = (
        Column("hand", name="side"),
        *((Column("offered", name="stage"),) if staged else ()),
        Column("pays", ODDS, name="odds"),
        Column("wins %", PERCENT, name="wins"),
        Column("returned %", PERCENT, name="pushes"),
        Column("loses %", PERCENT, name="loses"),
        Column("EV %", SIGNED, name="expected_value"),
        Column("fair odds", ODDS, name="fair_odds"),
        Column("favours"),
    )
    rows = [
        (
            state.state.side,
            *((state.state.stage.in_words,) if staged else ()),
            state.odds,
            state.wins,
            state.pushes,
            state.loses,
            state.expected_value,
            _fair_odds(state),
            f"the {state.favours.lower()}" if state.favours_player or state.favours_house else "neither side",
        )
        for state in now.insurance
    ]
    title = "Insurance on offer, its next cards known" if staged else "Insurance on offer now"
    return (Section(title, (table(columns, rows),)),)


def _fair_odds(state: StateAnalysis) -> Cell:
    return "never wins" if state.fair_odds is None else Figure(state.fair_odds, decimal(4), after=" to 1")


OPEN_BETS: Relation[tuple[RoundInProgress, BetAnalysis]] = Relation(
    "open bets",
    Field("id", "bet", TEXT, "The bet's id.", lambda row: row[1].id, views="terminal advised"),
    Field(
        *("stands", "status", TEXT, "Open, or the result of a decided bet."),
        lambda row: bet_status(row[1]),
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
