"""A ruling on an incident, as people and programs read it."""

from typing import Any

from combinat.analysis.insurance import STATE, STATES
from combinat.base.kinds import CARDS, CLAUSE, FLAG, FRACTION, MONEY, ODDS, TEXT, decimal
from combinat.base.relation import ABSENT, ByName, Document, Field, Many, Relation
from combinat.render.blocks import (
    Block,
    Cell,
    Column,
    Figure,
    Meaning,
    Paragraph,
    Row,
    Section,
    Terms,
    Words,
    table,
)
from combinat.report.analysis.insurance import SIGNED
from combinat.report.analysis.odds import FINE, PERCENT, shoe_in_words
from combinat.report.game_fields import GAME, HANDS, ONE_ROUND, SHOE
from combinat.report.phrases import ROUNDING
from combinat.report.provisos import one_round_terms
from combinat.report.rules.rulebook import spans
from combinat.rules.bet import BetResult
from combinat.rules.cards import format_cards
from combinat.rules.document import VoidBets
from combinat.rules.house_rules import AvailableBets
from combinat.rules.procedure import Effect, Ruling
from combinat.rules.round import Round
from combinat.rules.table_of_play import Hand
from combinat.table.error_options import BestOption, Cards, ErrorOption
from combinat.table.ruling import IncidentRuling, NeglectedInsurance

GAIN = decimal(2, signed=True)
"""An expected gain in money."""

NAMES = {
    "continue": "go on with the hand as it is",
    "continue-reconstructed": "go on with the reconstructed hand",
    "take-back": "have the bet returned",
}


SHORT = {"continue": "as it is", "continue-reconstructed": "reconstructed", "take-back": "returned"}


def ruling_document(made: IncidentRuling) -> Section:
    """The ruling: what follows and why, the bets, the options and what they are worth."""
    return Section(
        f"{made.game.name}: a ruling",
        (
            Terms(_said(made)),
            *one_round_terms(made.game),
            Section("Bets", _bets(made)),
            *_options(made),
            *_stakes(made),
            *_insurance(made),
            Paragraph(ROUNDING),
        ),
    )


def _said(made: IncidentRuling) -> dict[str, Words]:
    procedure, report = made.procedure, made.report
    said: dict[str, Words] = {
        "Incident": f"{report.incident}. {procedure.when}",
        "Ruling": f"{made.ruling.value} ({made.cited}). {made.ruling.in_words}",
        "Effect": f"{made.game.effect_in_words(procedure)} ({procedure.id})",
    }
    if made.condition:
        said["Holds if"] = made.condition
    if procedure.decides:
        said["Decided by"] = procedure.decides
    is_void = made.ruling is Ruling.VOID
    if not is_void or made.turns_on_outcome:
        said["Outcome established"] = _established(made)
    said[_head_of_round(made)] = _hands(made.dealt) if made.is_known or report.hands else UNKNOWN
    if report.hands is not None and report.reconstructible:
        said["As it lay"] = _hands(report.hands)
    if made.waits:
        count = len(report.cards) - len(report.in_turn)
        early = "1 that came early" if count == 1 else f"{count} that came early"
        said["Drawn in their turn"] = (
            f"{format_cards(report.in_turn) or 'none'}; an outcome is established by these, not by the {early}"
        )
    if made.is_known and not is_void:
        said["Next to draw"] = _next(made)
    if made.is_known:
        said["Into the next round"] = format_cards(made.next_round) or "none"
    said["Left in the shoe"] = shoe_in_words(made.shoe)
    if made.void and not (is_void and made.void == 1):
        said["The shoe cannot finish the round in"] = (Figure(made.void, FINE), " % of all ways")
    return said


def _next(made: IncidentRuling) -> str:
    next_hand = made.dealt.next_hand
    return "nobody: the round is over" if next_hand is None else next_hand.in_full


UNKNOWN = "unknown: the cards cannot be reconstructed"


def _head_of_round(made: IncidentRuling) -> str:
    """What the hands of the ruling are: reconstructed by the order, in the order given, or as they lay."""
    if not made.report.reconstructible:
        return "Round as it lay"
    clause = made.game.dealing_errors.reconstruction if made.game.dealing_errors else made.game.clauses.deal
    order = "Round, the cards in the order given" if made.is_ordered else "Round by the order of the cards"
    return f"{order} ({clause})"


def _established(made: IncidentRuling) -> str:
    errors = made.game.dealing_errors
    clause = f" ({errors.outcome})" if errors else ""
    if not made.is_known:
        return UNKNOWN
    if not made.outcome_established:
        return f"no{clause}: none of the available bets has conclusively won or lost"
    if made.game.practice.available_bets is AvailableBets.STAKED:
        return f"yes{clause}: one of {made.game.practice.available_bets.in_words} is decided"
    if made.report.layout is not None:
        return f"yes{clause}: a bet of layout {made.game.layout(made.report.layout).id} is decided"
    known = [layout.id for layout in made.game.layouts]
    if list(made.layouts) == known:
        return f"yes{clause}: on every layout"
    others = [layout for layout in known if layout not in made.layouts]
    return f"yes{clause}, all bets of the game taken as available: on {spans(made.layouts)}, not on {spans(others)}"


def _hands(dealt: Round) -> str:
    return ", ".join(
        f"{hand.value.capitalize()} {format_cards(cards)} ({dealt.points(hand)})"
        if cards
        else f"{hand.value.capitalize()} -"
        for hand, cards in ((Hand.PLAYER, dealt.player), (Hand.BANKER, dealt.banker))
    )


def _bets(made: IncidentRuling) -> tuple[Block, ...]:
    if made.ruling is Ruling.VOID:
        return (
            table((Column("bet"), Column("so it is")), [(bet, _becomes(made, bet)) for bet in made.results]),
        )
    if not made.is_known:
        return (Paragraph(f"The state of the bets is {UNKNOWN}."),)
    if made.is_ordered:  # the value of a bet depends on the order
        stand = [(bet, result or "open") for bet, result in made.results.items()]
        return (table((Column("bet"), Column("stands")), stand),)
    columns = (Column("bet"), Column("stands"), Column(f"EV %{_if_played(made)}", SIGNED))
    rows = [(bet, result or "open", made.values[bet]) for bet, result in made.results.items()]
    return (table(columns, rows),)


def _if_played(made: IncidentRuling) -> str:
    """The condition of a bet's value, where the ruling leaves it open."""
    return "" if made.ruling in (Ruling.VOID, Ruling.STANDS) else " if play goes on"


def _options(made: IncidentRuling) -> tuple[Section, ...]:
    if not made.options:
        return ()
    columns = (Column("option"), Column("what"), Column("open"), Column("hands"), Column("clause", CLAUSE))
    rows = [
        (
            option.id,
            _what(option),
            "yes" if option.is_open else "no",
            _hands_of(option),
            option.clause,
        )
        for option in made.options
    ]
    blocks: list[Block] = [table(columns, rows), Section("What they are worth, %", _values(made))]
    if made.report.stakes:
        blocks.append(Section("What they are worth for the stakes", _money(made)))
    return (Section("Options of every player", tuple(blocks)),)


def _hands_of(option: ErrorOption) -> str:
    if option.dealt is None:
        return "-"
    left_over = f"; next round {format_cards(option.next_round)}" if option.next_round else ""
    return f"{_hands(option.dealt)}{left_over}"


def _what(option: ErrorOption) -> str:
    if option.order:
        return f"go on, the cards taken in the order {format_cards(option.order)}"
    return NAMES[option.id]


def _offered(made: IncidentRuling, order: Cards) -> list[ErrorOption]:
    """The options between which a choice is, given an order of the cards, with those that are closed."""
    return [option for option in made.options if option.order in ((), order)]


def _orders(made: IncidentRuling) -> list[Cards]:
    return [option.order for option in made.options if option.order] or [()]


def _values(made: IncidentRuling) -> tuple[Block, ...]:
    """A row for each bet and order: what each option is worth; the best and what the worst costs, if chosen for a bet."""
    ordered, apart = made.is_ordered, not made.is_joint
    chosen = {(choice.bet, choice.order): choice for choice in made.choices}
    orders = _orders(made)
    columns = (
        Column("bet"),
        *((Column("order"),) if ordered else ()),
        *(Column(_head(option), SIGNED) for option in _offered(made, orders[0])),
        *((Column("best"), Column("wrong choice costs", PERCENT)) if apart else ()),
        *((Column("between orders", PERCENT),) if ordered else ()),
    )
    rows: list[tuple[Cell, ...]] = [
        (
            bet,
            *((format_cards(order),) if ordered else ()),
            *(option.value(bet) for option in _offered(made, order)),
            *((_best(chosen[bet, order]), chosen[bet, order].cost) if apart else ()),
            *((made.difference(bet),) if ordered else ()),
        )
        for bet in made.results
        for order in orders
    ]
    return (table(columns, rows), *_joint(made))


def _joint(made: IncidentRuling) -> tuple[Paragraph, ...]:
    """A note where a player chooses for all bets together: the best option depends on the stakes."""
    if not made.is_joint:
        return ()
    given = "" if made.report.stakes else ": give the stakes"
    return (
        Paragraph(
            f"A player chooses {made.game.practice.options_for.in_words}, so that the best option depends on all stakes{given}."
        ),
    )


def _head(option: ErrorOption) -> str:
    return _short(option.id)


def _short(option_id: str) -> str:
    """An option as a column names it; one of several orders to go on in is named by its order beside it."""
    return SHORT.get(option_id, "go on")


def _best(choice: BestOption) -> str:
    return " or ".join(map(_short, choice.best)) or "-"


def _money(made: IncidentRuling) -> tuple[Block, ...]:
    """The same for the stakes, in money, with their total."""
    ordered, orders = made.is_ordered, _orders(made)
    columns = (
        Column("bet"),
        *((Column("order"),) if ordered else ()),
        Column("stake", MONEY),
        *(Column(_head(option), GAIN) for option in _offered(made, orders[0])),
        Column("best"),
        Column("wrong choice costs", decimal(2)),
    )
    chosen = {(choice.bet, choice.order): choice for choice in made.choices}

    def line(bet: str | None, order: Cards) -> tuple[Cell, ...]:
        choice = chosen.get((bet, order))
        best: tuple[Cell, Cell] = ("", None) if choice is None else (_best(choice), made.cost(choice))
        if bet is None and choice is None:
            best = ("", made.total_cost)
        offered = _offered(made, order)
        return (
            "total" if bet is None else bet,
            *((format_cards(order),) if ordered else ()),
            made.staked if bet is None else made.stake(bet),
            *(
                made.worth(option) if bet is None else made.in_money(bet, option.value(bet))
                for option in offered
            ),
            *best,
        )

    rows: list[Row | tuple[Cell, ...]] = [line(bet, order) for bet in made.report.stakes for order in orders]
    if made.is_joint or not ordered:
        rows += [Row(line(None, order), Meaning.TOTAL) for order in orders]
    return (table(columns, rows),)


def _stakes(made: IncidentRuling) -> tuple[Section, ...]:
    """What becomes of the stakes, in money, where nobody has a choice of options."""
    if made.options or not made.report.stakes:
        return ()
    is_void = made.ruling is Ruling.VOID
    columns = (
        Column("bet"),
        Column("stake", MONEY),
        Column("so it is" if is_void else "stands"),
        Column(_if_played(made).strip() or "net", GAIN),
    )
    rows: list[Row | tuple[Cell, ...]] = [
        (bet, stake, _becomes(made, bet), made.money(bet)) for bet, stake in made.report.stakes.items()
    ]
    rows.append(Row(("total", made.staked, "", made.total_money), Meaning.TOTAL))
    return (Section("What becomes of the stakes", (table(columns, rows),)),)


def _becomes(made: IncidentRuling, bet: str) -> str:
    if made.ruling is not Ruling.VOID:
        return (made.results.get(bet) or "open") if made.is_known else "unknown"
    if made.value(bet):
        return f"decided: {made.results.get(bet) or 'stands'}"
    stays = made.game.void_bets(made.procedure) is VoidBets.STAY
    return "stays for the next round" if stays else "returned"


def _insurance(made: IncidentRuling) -> tuple[Section, ...]:
    if not made.neglected:
        return ()
    columns = (
        Column("hand"),
        Column("offered"),
        Column("pays", ODDS),
        Column("EV %", SIGNED),
        Column("stands"),
    )
    rows: list[tuple[Cell, ...]] = [
        (
            one.offer.state.side,
            one.offer.state.stage.in_words,
            one.offer.odds,
            one.offer.expected_value,
            one.result or "open",
        )
        for one in made.neglected
    ]
    offered = Section("Insurance that was on offer", (table(columns, rows),))
    return offered, (_late_offer(made) if made.neglected[0].original is None else _original_bets(made))


def _named(one: NeglectedInsurance) -> tuple[Cell, Cell]:
    return one.offer.state.side, one.offer.state.stage.in_words


def _late_offer(made: IncidentRuling) -> Section:
    """The most that may be staked on insurance that is offered late."""
    columns = (
        Column("hand"),
        Column("offered"),
        Column("most, of the original bet", decimal(4)),
        *((Column("most", decimal(2)),) if made.report.stakes else ()),
    )
    rows: list[tuple[Cell, ...]] = [
        (*_named(one), one.most, *((made.most_stake(one),) if made.report.stakes else ()))
        for one in made.neglected
    ]
    return Section(f"What may be staked on it now ({made.procedure.cited})", (table(columns, rows),))


ORIGINAL_BET = {
    BetResult.WON: "returned: the insurance would have won",
    BetResult.LOST: "settled: the insurance would have lost",
    BetResult.RETURNED: "settled: the insurance would have been returned",
    None: "returned if the insurance would have won, else settled",
}
"""What becomes of the original bet of a player who had meant to insure it, by the result of the insurance."""


def _original_bets(made: IncidentRuling) -> Section:
    """What becomes of the original bet of those who had meant to insure it, and what that is worth."""
    staked = bool(made.report.stakes)
    columns = (
        Column("original bet"),
        Column("insurance"),
        Column("so it is"),
        Column("EV % if not meant", SIGNED),
        Column("EV % if meant", SIGNED),
        *((Column("stake", MONEY), Column("if not meant", GAIN), Column("if meant", GAIN)) if staked else ()),
    )
    rows: list[tuple[Cell, ...]] = []
    for one in made.neglected:
        value, stake = made.values[one.insured], made.stake(one.insured)
        money: tuple[Cell, ...] = (
            (stake, made.money(one.insured), made.original_gain(one)) if stake else (None, None, None)
        )
        figures = (value, one.original, *(money if staked else ()))
        rows.append((one.insured, one.offer.state.stage.in_words, ORIGINAL_BET[one.result], *figures))
    title = f"The original bet of those who had meant to insure it ({made.procedure.cited})"
    return Section(title, (table(columns, rows),))


def ruling_json(made: IncidentRuling) -> dict[str, Any]:
    """The ruling as a document."""
    return RULING.object(made)


NEXT_ROUND: Field[Any] = Field(
    "next_round", "into the next round", CARDS, "The cards that the next round takes."
)

OPTIONS: Relation[tuple[IncidentRuling, ErrorOption]] = Relation(
    "options",
    Field("id", "option", TEXT, "The option's id.", lambda row: row[1].id),
    Field("clause", "clause", CLAUSE, "The clause that gives it.", lambda row: row[1].clause),
    Field("open", "open", FLAG, "Whether it is open here.", lambda row: row[1].is_open),
    Field("order", "order", CARDS, "The order in which the cards are taken.", lambda row: row[1].order or None, may_be_none=True),
    Field("round", "hands", HANDS, "The round so.", lambda row: row[1].dealt, may_be_none=True),
    *Relation("next", NEXT_ROUND).part(lambda row: row[1]),
    Field(
        *("values", "values", ByName(FRACTION), "Expected value of each bet so."),
        lambda row: None if row[1].values is None else {bet: row[1].values[bet] for bet in row[0].results},
        may_be_none=True,
    ),
    Field(
        *("worth", "worth", MONEY, "Expected result of all stakes so."),
        lambda row: row[0].worth(row[1]) if row[0].report.stakes else ABSENT,
        may_be_none=True,
        may_be_absent=True,
    ),
)  # fmt: skip
"""The options of every player, a row each."""

CHOICES: Relation[tuple[IncidentRuling, BestOption]] = Relation(
    "choices",
    Field("bet", "bet", TEXT, "The bet's id; null: for all bets together.", lambda row: row[1].bet, may_be_none=True),
    Field("order", "order", CARDS, "The order of the cards.", lambda row: row[1].order or None, may_be_none=True),
    Field("best", "best", Many(TEXT), "The options that are best.", lambda row: row[1].best),
    Field("cost", "wrong choice costs", PERCENT, "What the worst choice costs, per unit.", lambda row: row[1].cost, may_be_none=True),
    Field(
        *("money", "wrong choice costs", MONEY, "The same for the stake."),
        lambda row: row[0].cost(row[1]) if row[1].bet in (None, *row[0].report.stakes) else ABSENT,
        may_be_none=True,
        may_be_absent=True,
    ),
)  # fmt: skip
"""The best options, a row each."""

MISSED_OFFERS: Relation[tuple[IncidentRuling, NeglectedInsurance]] = Relation(
    "missed offers",
    *STATE.part(lambda row: row[1].offer.state, "side", "stage"),
    *STATES.part(lambda row: row[1].offer, "odds", "expected_value"),
    Field("result", "stands", TEXT, "What became of it.", lambda row: row[1].result, may_be_none=True, words=BetResult),
    Field("most", "most, of the original bet", decimal(4), "The most that may be staked.", lambda row: row[1].most, may_be_none=True),
    Field("most_stake", "most", decimal(2), "The same in money.", lambda row: row[0].most_stake(row[1]), may_be_absent=True),
    Field("original_bet", "original bet", TEXT, "The bet that it insures.", lambda row: row[1].insured),
    Field("original_bet_value", "EV % if meant", SIGNED, "What that is worth to a player who meant to insure.", lambda row: row[1].original, may_be_none=True),
    Field("original_bet_worth", "if meant", GAIN, "The same in money.", lambda row: row[0].original_gain(row[1]), may_be_absent=True),
)  # fmt: skip
"""Insurance that was not offered, a row each."""

DECIDED: Relation[tuple[str, BetResult]] = Relation(
    "decided bets",
    Field("bet", "bet", TEXT, "The bet's id.", lambda row: row[0]),
    Field("result", "result", TEXT, "Its result.", lambda row: row[1], words=BetResult),
)

RULED_ROUND: Relation[IncidentRuling] = Relation(
    "ruled round",
    *HANDS.part(lambda made: made.dealt),
    Field(
        *("next", "next to draw", TEXT, "The hand that draws next."),
        lambda made: made.dealt.next_hand if made.is_known else None,
        may_be_none=True,
        words=Hand,
    ),
)

RULING: Document[IncidentRuling] = Document(
    "combinat/ruling/2",
    "What is done about an incident: combinat ruling.",
    *GAME.extended(ONE_ROUND).part(lambda made: made.game),
    Field("incident", "incident", TEXT, "The incident.", lambda made: made.report.incident),
    Field("procedure", "procedure", TEXT, "The procedure that rules it.", lambda made: made.procedure.id),
    Field("clauses", "clauses", Many(CLAUSE), "Its clauses."),
    Field("when", "when", TEXT, "When it applies.", lambda made: made.procedure.when),
    Field("condition", "holds if", TEXT, "A condition that the cards do not decide.", lambda made: made.condition or None, may_be_none=True),
    Field("decides", "decided by", TEXT, "Who decides.", lambda made: made.procedure.decides or None, may_be_none=True),
    Field("effect", "effect", TEXT, "What follows.", lambda made: made.procedure.effect, words=Effect),
    Field(
        *("layout", "layout", TEXT, "The layout in use."),
        lambda made: None if made.report.layout is None else made.game.layout(made.report.layout).id,
        may_be_none=True,
    ),
    Field("outcome_established", "outcome established", FLAG, "Whether an outcome is established.", may_be_none=True),
    Field("established_on", "established on", Many(TEXT), "The layouts on which it is.", lambda made: made.layouts),
    Field("decided", "decided", Many(DECIDED), "The bets that are decided.", lambda made: list(made.decided.items())),
    Field("round", "round", RULED_ROUND, "The round by the ruling.", lambda made: made),
    Field("as_it_lay", "as it lay", HANDS, "The hands as they lay.", lambda made: made.report.hands, may_be_none=True),
    NEXT_ROUND,
    Field("shoe", "shoe", SHOE, "The cards left."),
    Field("void", "void", FRACTION, "Probability that the shoe cannot finish the round."),
    Field("ruling", "ruling", TEXT, "The ruling.", words=Ruling),
    Field("values", "values", ByName(FRACTION), "What each bet is worth by the ruling.", lambda made: made.worths),
    Field("options", "options", Many(OPTIONS), "The options.", lambda made: [(made, one) for one in made.options]),
    Field("choices", "choices", Many(CHOICES), "The best of them.", lambda made: [(made, one) for one in made.choices]),
    Field(
        *("differences", "between orders", ByName(FRACTION), "Between the orders of the cards."),
        lambda made: {bet: made.difference(bet) for bet in made.results if made.is_ordered},
    ),
    Field("insurance", "insurance", Many(MISSED_OFFERS), "Offers not made.", lambda made: [(made, one) for one in made.neglected]),
    Field("stakes", "stakes", ByName(MONEY), "The stakes.", lambda made: made.report.stakes),
    Field(
        *("money", "money", ByName(MONEY, or_none=True), "What becomes of them, if nobody has a choice."),
        lambda made: {} if made.options else {bet: made.money(bet) for bet in made.report.stakes},
    ),
)  # fmt: skip
