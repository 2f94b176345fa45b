"""The documents of a ruling on an incident."""

from fractions import Fraction
from typing import Any

from combinat.analysis.insurance import STATE, STATES
from combinat.base.kinds import CARDS, CLAUSE, FLAG, FRACTION, MONEY, ODDS, TEXT, decimal
from combinat.base.relation import ByName, Document, Field, Many, Relation
from combinat.render.blocks import Figure, Meaning, Section, Table, Words, section
from combinat.report.analysis.insurance import SIGNED
from combinat.report.analysis.odds import FINE, PERCENT, shoe_in_words
from combinat.report.phrases import ROUNDING, hands_in_words
from combinat.report.provisos import GAME, HANDS, ONE_ROUND, SHOE, staying_terms
from combinat.report.relation_tables import view_table
from combinat.report.rules.rulebook import spans
from combinat.rules.bet import BetResult
from combinat.rules.cards import format_cards
from combinat.rules.document import VoidBets
from combinat.rules.procedure import Effect, Ruling
from combinat.rules.table_of_play import Hand
from combinat.table.error_options import BEST_OPTIONS, BestOption, Cards, ErrorOption, orders_of, total
from combinat.table.ruling import RULED_BETS, IncidentRuling, NeglectedInsurance, RuledBet

GAIN = decimal(2, signed=True)
"""An expected gain in money."""

NAMES = {
    "continue": "go on with the hand as it is",
    "continue-reconstructed": "go on with the reconstructed hand",
    "take-back": "have the bet returned",
}


SHORT = {"continue": "as it is", "continue-reconstructed": "reconstructed", "take-back": "returned"}


UNKNOWN = "unknown: the cards cannot be reconstructed"


def ruling_document(made: IncidentRuling) -> Section:
    """Return the ruling with its reasons, the bets, and the options with their values."""
    return section(
        f"{made.game.name}: ruling",
        _terms(made),
        staying_terms(made.game, ONE_ROUND),
        section("Bets", _bets(made)),
        _options(made) if made.options else None,
        _stakes(made) if made.report.stakes and not made.options else None,
        _insurance(made) if made.neglected else None,
        ROUNDING,
    )


def _terms(made: IncidentRuling) -> dict[str, Words | None]:
    procedure, report = made.procedure, made.report
    is_void, next_hand = made.ruling is Ruling.VOID, made.dealt.next_hand
    early = len(report.cards) - len(report.in_turn)
    drawn = format_cards(report.in_turn) or "none"
    void = (Figure(made.void, FINE), " %") if made.void and not (is_void and made.void == 1) else None
    return {
        "Incident": f"{report.incident}. {procedure.when}",
        "Ruling": f"{made.ruling.value} ({made.cited}). {made.ruling.in_words}",
        "Effect": f"{made.game.effect_in_words(procedure)} ({procedure.id})",
        "Applies if": made.condition or None,
        "Decided by": procedure.decides or None,
        "Outcome established": _established_in_words(made) if not is_void or made.turns_on_outcome else None,
        _head_of_round(made): hands_in_words(made.dealt) if made.now or report.hands else UNKNOWN,
        "As dealt": hands_in_words(report.hands) if report.hands and report.reconstructible else None,
        "Drawn in turn": f"{drawn}; only these cards can establish an outcome, not the {early} drawn early"
        if made.waits
        else None,
        "Next to draw": (next_hand.in_full if next_hand else "nobody: the round is over")
        if made.now and not is_void
        else None,
        "Into the next round": (format_cards(made.next_round) or "none") if made.now else None,
        "Left in the shoe": shoe_in_words(made.shoe),
        "Probability that the shoe cannot finish the round": void,
    }


def _head_of_round(made: IncidentRuling) -> str:
    """Return the head of the hands: reconstructed from the order, in the order given, or as dealt."""
    if not made.report.reconstructible:
        return "Round as dealt"
    clause = made.game.dealing_errors.reconstruction if made.game.dealing_errors else made.game.clauses.deal
    order = "Round, the cards in the order given" if made.is_ordered else "Round in the order of the cards"
    return f"{order} ({clause})"


def _established_in_words(made: IncidentRuling) -> str:
    errors = made.game.dealing_errors
    clause = f" ({errors.outcome})" if errors else ""
    if not made.now:
        return UNKNOWN
    if not made.outcome_established:
        return f"no{clause}: none of the available bets has conclusively won or lost"
    if made.game.practice.available_bets == "staked":
        return f"yes{clause}: one of {made.game.practice.in_words('available_bets')} is decided"
    if made.report.layout is not None:
        return f"yes{clause}: a bet of layout {made.game.layout(made.report.layout).id} is decided"
    known = [layout.id for layout in made.game.layouts]
    if list(made.layouts) == known:
        return f"yes{clause}: on every layout"
    others = [layout for layout in known if layout not in made.layouts]
    return f"yes{clause}, all bets of the game taken as available: on {spans(made.layouts)}, not on {spans(others)}"


BETS: Relation[tuple[IncidentRuling, RuledBet]] = Relation(
    "bets after an incident",
    Field("id", "bet", TEXT, "The bet's id.", lambda row: row[1].id, views="state value stakes"),
    Field("stake", "stake", MONEY, "The stake on it.", lambda row: row[1].stake, views="stakes"),
    Field("stands", "status", TEXT, "Open, decided or returned.", lambda row: _state(*row), views="state value stakes"),
    Field("if_played", "EV %", SIGNED, "Its value if play goes on.", lambda row: row[1].if_played, views="value"),
    Field("money", "net", GAIN, "The expected gain of the stake.", lambda row: row[1].money, views="stakes"),
)  # fmt: skip
"""Bets after an incident, one row for each; for people."""


def _bets(made: IncidentRuling) -> Table | str:
    """Return a table of every bet: decided or open, and its value if play continues."""
    is_void = made.ruling is Ruling.VOID
    if not made.now and not is_void:
        return f"The state of the bets is {UNKNOWN}."
    view = "state" if is_void or made.is_ordered else "value"  # a bet has a value for each order of the cards
    heads = {"if_played": f"EV %{_if_played(made)}"}
    return view_table(BETS, [(made, bet) for bet in made.bets], view, heads=heads)


def _if_played(made: IncidentRuling) -> str:
    """Return the condition of a bet's value, if the ruling leaves it open."""
    return "" if made.ruling in (Ruling.VOID, Ruling.STANDS) else " if play goes on"


def _state(made: IncidentRuling, bet: RuledBet) -> str:
    if made.ruling is not Ruling.VOID:
        return (bet.result or "open") if made.now else "unknown"
    if bet.value:
        return f"decided: {bet.result or 'stands'}"
    stays = made.game.void_bets(made.procedure) is VoidBets.STAY
    return "stays for the next round" if stays else "returned"


def _options(made: IncidentRuling) -> Section:
    stakes = "" if made.report.stakes else ": give the stakes"
    chooses = f"A player chooses {made.game.practice.in_words('options_for')}"
    note = f"{chooses}, so the best option depends on all stakes{stakes}." if made.is_joint else None
    in_money = "Expected value of the options for the stakes"
    return section(
        "Options of each player",
        view_table(OPTIONS, _option_rows(made)),
        section("Expected value of the options, % of the stake", _worth(made), note),
        section(in_money, _worth(made, in_money=True)) if made.report.stakes else None,
    )


def _option_rows(made: IncidentRuling) -> list[tuple[IncidentRuling, ErrorOption]]:
    return [(made, option) for option in made.options]


def _hands_of(option: ErrorOption) -> str:
    if option.dealt is None:
        return "-"
    left_over = f"; next round {format_cards(option.next_round)}" if option.next_round else ""
    return f"{hands_in_words(option.dealt)}{left_over}"


Worth = tuple[RuledBet | None, Cards, BestOption | None]
"""A bet, or None for all stakes; the order of cards dealt together; the best option for this bet, if there is one."""


def _worth(made: IncidentRuling, *, in_money: bool = False) -> Table:
    """Return a row for each bet and order: the value of each option, the best of them and the cost of the worst.

    ``in_money``: for the stakes, with a total. A player who chooses for all bets together has no best option of one bet.
    """
    ordered, orders = made.is_ordered, orders_of(made.options)
    bets: list[RuledBet | None] = list(made.staked if in_money else made.bets)
    if in_money and (made.is_joint or not ordered):
        bets.append(None)
    chosen = {(choice.bet, choice.order): choice for choice in made.choices}
    options = [
        _value(made, place, option.id, in_money=in_money)
        for place, option in enumerate(_options_in_order(made, orders[0]))
    ]
    shown = [
        *("id", "order" * ordered, "stake" * in_money, *(option.name for option in options)),
        *(("best", "money" if in_money else "cost") if in_money or not made.is_joint else ()),
        "difference" * (ordered and not in_money),
    ]
    return view_table(
        _worths(made).extended(*options).select(*filter(None, shown)),
        [(bet, order, chosen.get((bet.id if bet else None, order))) for bet in bets for order in orders],
        meaning=lambda row: Meaning.TOTAL if row[0] is None else Meaning.PLAIN,
    )


def _options_in_order(made: IncidentRuling, order: Cards) -> list[ErrorOption]:
    return [option for option in made.options if option.order in ((), order)]


def _value(made: IncidentRuling, place: int, name: str, *, in_money: bool) -> Field[Worth]:
    """Return the field with the value of an option. Options at the same place differ only in the order of the cards."""

    def value(row: Worth) -> Fraction | None:
        bet, order, _ = row
        stakes = made.report.stakes if bet is None else {bet.id: bet.stake if in_money else Fraction(1)}
        return _options_in_order(made, order)[place].worth(stakes)

    kind = GAIN if in_money else SIGNED
    return Field(
        name, SHORT.get(name, "go on"), kind, "Its value under this option.", value, views="terminal"
    )


def _worths(made: IncidentRuling) -> Relation[Worth]:
    """Return the fields of the options by bet, beside the values of the options."""

    def stake(row: Worth) -> Fraction | None:
        return total(one.stake for one in made.staked) if row[0] is None else row[0].stake

    def money(row: Worth) -> Fraction | None:
        if row[0] is None and row[2] is None:
            return total(one.money for one in made.choices if one.bet in made.report.stakes)
        return row[2].money if row[2] else None

    return Relation(
        "options by bet",
        Field("id", "bet", TEXT, "The bet's id.", lambda row: row[0].id if row[0] else "total", views="terminal"),
        Field("order", "order", TEXT, "The order of the cards.", lambda row: format_cards(row[1]), views="terminal"),
        Field("stake", "stake", MONEY, "The stake on it.", stake, views="terminal"),
        Field("best", "best", TEXT, "The best options.", lambda row: _best(row[2]), views="terminal"),
        Field("cost", WRONG, PERCENT, "Loss by the worst choice, per unit.", lambda row: row[2].cost if row[2] else None, views="terminal"),
        Field("money", WRONG, decimal(2), "The same for the stake.", money, views="terminal"),
        Field("difference", "difference between orders", PERCENT, "The difference that the order makes.", lambda row: made.difference(row[0].id) if row[0] else None, views="terminal"),
    )  # fmt: skip


WRONG = "cost of wrong choice"


def _best(choice: BestOption | None) -> str:
    return "" if choice is None else " or ".join(SHORT.get(one, "go on") for one in choice.best) or "-"


def _stakes(made: IncidentRuling) -> Section:
    """Return the value of the stakes in money, if the players have no options."""
    rows = [(made, bet) for bet in made.staked]
    sums = total(bet.stake for bet in made.staked), "", total(bet.money for bet in made.staked)
    heads = {"money": _if_played(made).strip() or "net"}
    made_table = view_table(BETS, rows, "stakes", heads=heads, total=("total", *sums))
    return section("Stakes after the ruling", made_table)


def _insurance(made: IncidentRuling) -> list[Section]:
    """Return the insurance that was on offer, then the limits of late insurance or the treatment of the original bets."""
    title, view = f"Original bets of players who meant to insure them ({made.procedure.cited})", "original"
    if made.neglected[0].original is None:
        title, view = f"Limits of late insurance ({made.procedure.cited})", "late"
    rows = [(made, one) for one in made.neglected]
    offered = view_table(MISSED_OFFERS, rows, "offered")
    limits = view_table(MISSED_OFFERS, rows, f"{view}-stakes" if made.report.stakes else view)
    return [section("Insurance that was on offer", offered), section(title, limits)]


ORIGINAL_BET = {
    BetResult.WON: "returned: the insurance would have won",
    BetResult.LOST: "settled: the insurance would have lost",
    BetResult.RETURNED: "settled: the insurance would have been returned",
    None: "returned if the insurance would have won, else settled",
}
"""The treatment of an original bet whose player meant to insure it, by the result of the insurance."""


NEXT_ROUND: Field[Any] = Field(
    "next_round", "into the next round", CARDS, "The cards that the next round takes."
)

ERROR_OPTIONS: Relation[ErrorOption] = Relation(
    "options",
    Field("id", "option", TEXT, "The option's id.", views="terminal"),
    Field("what", "action", TEXT, "The option in words.", lambda one: f"go on, the cards taken in the order {format_cards(one.order)}" if one.order else NAMES[one.id], views="terminal", for_people=True),
    Field("open", "available", FLAG, "Whether it is available here.", lambda one: one.is_open, views="terminal"),
    Field("hands", "hands", TEXT, "The round under it.", lambda one: _hands_of(one), views="terminal", for_people=True),
    Field("clause", "clause", CLAUSE, "The clause that gives it.", views="terminal"),
    Field("order", "order", CARDS, "The order in which the cards are taken.", lambda one: one.order or None, may_be_none=True),
    Field("round", "hands", HANDS, "The round under it.", lambda one: one.dealt, may_be_none=True),
    NEXT_ROUND,
)  # fmt: skip

OPTIONS: Relation[tuple[IncidentRuling, ErrorOption]] = Relation(
    "options",
    *ERROR_OPTIONS.part(lambda row: row[1]),
    Field("values", "values", ByName(FRACTION), "Expected value of each bet under it.", lambda row: {bet.id: row[1].value(bet.id) for bet in row[0].bets} if row[1].is_known else None, may_be_none=True),
    Field("worth", "worth", MONEY, "Expected result of all stakes under it.", lambda row: row[1].worth(row[0].report.stakes) if row[0].report.stakes else None, may_be_absent=True),
)  # fmt: skip
"""The options of every player, one row for each."""


def _of_bet(row: tuple[IncidentRuling, NeglectedInsurance], name: str) -> Any:
    """Return a figure of the original bet, or None if nothing is staked on it."""
    bet = row[0][row[1].insured]
    return getattr(bet, name) if bet.stake else None


LATE, MEANT = "late late-stakes", "original original-stakes"
"""Views of insurance offered late, and of insurance that a player had meant to take; without and with stakes."""

MISSED_OFFERS: Relation[tuple[IncidentRuling, NeglectedInsurance]] = Relation(
    "missed offers",
    *STATE.part(lambda row: row[1].offer.state, "side", "stage"),
    Field("hand", "hand", TEXT, "The insured hand.", lambda row: row[1].offer.state.side, views=f"offered {LATE}", for_people=True),
    Field("bet", "original bet", TEXT, "The bet that it insures.", lambda row: row[1].insured, views=MEANT, for_people=True),
    Field("offered", "offered", TEXT, "When it was.", lambda row: row[1].offer.state.stage.in_words, views=f"offered {LATE}", for_people=True),
    Field("insurance", "insurance", TEXT, "When it was.", lambda row: row[1].offer.state.stage.in_words, views=MEANT, for_people=True),
    Field("becomes", "original bet is", TEXT, "The treatment of the original bet.", lambda row: ORIGINAL_BET[row[1].result], views=MEANT, for_people=True),
    Field("pays", "pays", ODDS, "The odds.", lambda row: row[1].offer.odds, views="offered", for_people=True),
    Field("value", "EV %", SIGNED, "Its value.", lambda row: row[1].offer.expected_value, views="offered", for_people=True),
    *STATES.part(lambda row: row[1].offer, "odds", "expected_value"),
    Field("stands", "status", TEXT, "Its state.", lambda row: row[1].result or "open", views="offered", for_people=True),
    Field("result", "status", TEXT, "Its result.", lambda row: row[1].result, may_be_none=True, words=BetResult),
    Field("most", "maximum, of the original bet", decimal(4), "The most that may be staked.", lambda row: row[1].most, views=LATE, may_be_none=True),
    Field("most_stake", "maximum", decimal(2), "The same in money.", lambda row: row[1].most_stake, views="late-stakes", may_be_absent=True),
    Field("original_bet", "original bet", TEXT, "The bet that it insures.", lambda row: row[1].insured),
    Field("unmeant", "EV % if not meant", SIGNED, "Its value.", lambda row: row[0][row[1].insured].if_played, views=MEANT, for_people=True),
    Field("original_bet_value", "EV % if meant", SIGNED, "Its value for a player who meant to insure it.", lambda row: row[1].original, views=MEANT, may_be_none=True),
    Field("stake", "stake", MONEY, "The stake on it.", lambda row: _of_bet(row, "stake"), views="original-stakes", for_people=True),
    Field("money", "if not meant", GAIN, "The same in money.", lambda row: _of_bet(row, "money"), views="original-stakes", for_people=True),
    Field("original_bet_worth", "if meant", GAIN, "The same in money.", lambda row: row[1].original_gain, views="original-stakes", may_be_absent=True),
)  # fmt: skip
"""Insurance that was not offered, one row for each."""

DECIDED: Relation[RuledBet] = Relation(
    "decided bets", *RULED_BETS.part(lambda bet: bet, "id", "result", id="bet")
)

RULED_ROUND: Relation[IncidentRuling] = Relation(
    "ruled round",
    *HANDS.part(lambda made: made.dealt),
    Field(
        *("next", "next to draw", TEXT, "The hand that draws next."),
        lambda made: made.dealt.next_hand if made.now else None,
        may_be_none=True,
        words=Hand,
    ),
)

RULING: Document[IncidentRuling] = Document(
    "combinat/ruling/2",
    "A ruling on an incident: combinat ruling.",
    *GAME.extended(ONE_ROUND).part(lambda made: made.game),
    Field("incident", "incident", TEXT, "The incident.", lambda made: made.report.incident),
    Field("procedure", "procedure", TEXT, "The procedure that rules it.", lambda made: made.procedure.id),
    Field("clauses", "clauses", Many(CLAUSE), "Its clauses."),
    Field("when", "when", TEXT, "When it applies.", lambda made: made.procedure.when),
    Field("condition", "applies if", TEXT, "A condition that the cards do not decide.", lambda made: made.condition or None, may_be_none=True),
    Field("decides", "decided by", TEXT, "Who decides.", lambda made: made.procedure.decides or None, may_be_none=True),
    Field("effect", "effect", TEXT, "What follows.", lambda made: made.procedure.effect, words=Effect),
    Field(
        *("layout", "layout", TEXT, "The layout in use."),
        lambda made: None if made.report.layout is None else made.game.layout(made.report.layout).id,
        may_be_none=True,
    ),
    Field("outcome_established", "outcome established", FLAG, "Whether an outcome is established.", may_be_none=True),
    Field("established_on", "established on", Many(TEXT), "The layouts on which it is.", lambda made: made.layouts),
    Field("decided", "decided", Many(DECIDED), "The bets that are decided.", lambda made: [bet for bet in made.bets if bet.result]),
    Field("round", "round", RULED_ROUND, "The round by the ruling.", lambda made: made),
    Field("as_it_lay", "as it lay", HANDS, "The hands as they lay.", lambda made: made.report.hands, may_be_none=True),
    NEXT_ROUND,
    Field("shoe", "shoe", SHOE, "The cards left."),
    Field("void", "void", FRACTION, "Probability that the shoe cannot finish the round."),
    Field("ruling", "ruling", TEXT, "The ruling.", words=Ruling),
    Field("values", "values", ByName(FRACTION), "The expected value of each bet under the ruling.", lambda made: {bet.id: bet.value for bet in made.bets if bet.value is not None}),
    Field("options", "options", Many(OPTIONS), "The options.", lambda made: _option_rows(made)),
    Field("choices", "choices", Many(BEST_OPTIONS), "The best of them."),
    Field(
        *("differences", "between orders", ByName(FRACTION), "Between the orders of the cards."),
        lambda made: {bet.id: made.difference(bet.id) for bet in made.bets if made.is_ordered},
    ),
    Field("insurance", "insurance", Many(MISSED_OFFERS), "Offers not made.", lambda made: [(made, one) for one in made.neglected]),
    Field("stakes", "stakes", ByName(MONEY), "The stakes.", lambda made: made.report.stakes),
    Field(
        *("money", "money", ByName(MONEY, or_none=True), "The value of each stake, if the players have no options."),
        lambda made: {} if made.options else {bet.id: bet.money for bet in made.staked},
    ),
)  # fmt: skip
