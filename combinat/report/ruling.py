"""A ruling on an incident, as people and programs read it."""

from fractions import Fraction
from typing import Any

from combinat.base.kinds import CLAUSE, MONEY, ODDS, decimal
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
from combinat.report.insurance import SIGNED
from combinat.report.odds import FINE, PERCENT, shoe_in_words, shoe_json
from combinat.report.phrases import ROUNDING
from combinat.report.rulebook import spans
from combinat.report.staying import one_round_json, one_round_terms
from combinat.rules.completion import BetResult
from combinat.rules.document import VoidBets
from combinat.rules.practice import AvailableBets
from combinat.rules.procedure import Ruling
from combinat.rules.table_of_play import Hand
from combinat.table.error_options import Choice, Option
from combinat.table.face_down import FACE_DOWN, Cards, Hands, format_drawn
from combinat.table.ruling import IncidentRuling, Neglected

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
    procedure, happened = made.procedure, made.happened
    said: dict[str, Words] = {
        "Incident": f"{happened.incident}. {procedure.when}",
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
    said[_head_of_round(made)] = _hands(made.hands) if made.is_told or happened.lay else NOT_TOLD
    if happened.laid is not None and happened.reconstructible:
        said["As it lay"] = _hands(happened.laid)
    if made.waits:
        count = len(happened.cards) - len(happened.in_turn)
        early = "1 that came early" if count == 1 else f"{count} that came early"
        said["Drawn in their turn"] = (
            f"{format_drawn(happened.in_turn) or 'none'}; an outcome is told from these, not from the {early}"
        )
    if made.is_told and not is_void:
        said["Next to draw"] = _next(made)
    if made.is_told:
        said["Into the next round"] = HANGS if made.unplaced else format_drawn(made.next_round) or "none"
    head = f"Not seen, {made.face_down} of them face down" if made.face_down else "Left in the shoe"
    said[head] = shoe_in_words(made.shoe)
    if made.void and not (is_void and made.void == 1):
        said["The shoe cannot finish the round in"] = (Figure(made.void, FINE), " % of all ways")
    return said


HANGS = "hangs on the cards that lie face down"


def _next(made: IncidentRuling) -> str:
    if made.next_hand is not None:
        return made.next_hand.in_full
    return "nobody: the round is over" if made.is_over else HANGS


NOT_TOLD = "not to be told: the cards cannot be reconstructed"


def _head_of_round(made: IncidentRuling) -> str:
    """What the hands of the ruling are: reconstructed by the order, in the order given, or as they lay."""
    if not made.happened.reconstructible:
        return "Round as it lay"
    clause = made.game.dealing_errors.reconstruction if made.game.dealing_errors else made.game.clauses.deal
    order = "Round, the cards in the order given" if made.is_ordered else "Round by the order of the cards"
    return f"{order} ({clause})"


def _established(made: IncidentRuling) -> str:
    errors = made.game.dealing_errors
    clause = f" ({errors.outcome})" if errors else ""
    if not made.is_told:
        return NOT_TOLD
    if not made.outcome_established:
        return f"no{clause}: none of the available bets has conclusively won or lost"
    if made.game.practice.available_bets is AvailableBets.STAKED:
        return f"yes{clause}: one of {made.game.practice.available_bets.in_words} is decided"
    if made.happened.layout is not None:
        return f"yes{clause}: a bet of layout {made.game.layout(made.happened.layout).id} is decided"
    known = [layout.id for layout in made.game.layouts]
    if list(made.layouts) == known:
        return f"yes{clause}: on every layout"
    others = [layout for layout in known if layout not in made.layouts]
    return f"yes{clause}, all bets of the game taken as available: on {spans(made.layouts)}, not on {spans(others)}"


def _hands(hands: Hands) -> str:
    return ", ".join(
        f"{hand.value.capitalize()} {format_drawn(cards)}{_points(hands.points(hand))}"
        if cards
        else f"{hand.value.capitalize()} -"
        for hand, cards in ((Hand.PLAYER, hands.player), (Hand.BANKER, hands.banker))
    )


def _points(points: int | None) -> str:
    return "" if points is None else f" ({points})"


def _bets(made: IncidentRuling) -> tuple[Block, ...]:
    if made.ruling is Ruling.VOID:
        return (
            table((Column("bet"), Column("so it is")), [(bet, _becomes(made, bet)) for bet in made.results]),
        )
    if not made.is_told:
        return (Paragraph(f"How the bets stand is {NOT_TOLD}."),)
    if made.is_ordered:  # what a bet is worth hangs on the order
        stand = [(bet, result or "open") for bet, result in made.results.items()]
        return (table((Column("bet"), Column("stands")), stand),)
    columns = (Column("bet"), Column("stands"), Column(f"EV %{_if_played(made)}", SIGNED))
    rows = [(bet, result or "open", made.values[bet]) for bet, result in made.results.items()]
    return (table(columns, rows),)


def _if_played(made: IncidentRuling) -> str:
    """On what the worth of a bet hangs, where the ruling does not say."""
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
    if made.happened.stakes:
        blocks.append(Section("What they are worth for the stakes", _money(made)))
    return (Section("Options of every player", tuple(blocks)),)


def _hands_of(option: Option) -> str:
    if option.dealt is None:
        return "-"
    left_over = f"; next round {format_drawn(option.next_round)}" if option.next_round else ""
    return f"{_hands(option.dealt)}{left_over}"


def _what(option: Option) -> str:
    if option.order:
        return f"go on, the cards taken in the order {format_drawn(option.order)}"
    return NAMES[option.id]


def _offered(made: IncidentRuling, order: Cards) -> list[Option]:
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
            *((format_drawn(order),) if ordered else ()),
            *(option.value(bet) for option in _offered(made, order)),
            *((_best(chosen[bet, order]), chosen[bet, order].cost) if apart else ()),
            *((made.difference(bet),) if ordered else ()),
        )
        for bet in made.results
        for order in orders
    ]
    return (table(columns, rows), *_joint(made))


def _joint(made: IncidentRuling) -> tuple[Paragraph, ...]:
    """Said where a player chooses for all bets together: which is best hangs on the stakes."""
    if not made.is_joint:
        return ()
    given = "" if made.happened.stakes else ": give the stakes"
    return (
        Paragraph(
            f"A player chooses {made.game.practice.options_for.in_words}, so that the best hangs on all of them{given}."
        ),
    )


def _head(option: Option) -> str:
    return _short(option.id)


def _short(option_id: str) -> str:
    """An option as a column names it; one of several orders to go on in is named by its order beside it."""
    return SHORT.get(option_id, "go on")


def _best(choice: Choice) -> str:
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
            *((format_drawn(order),) if ordered else ()),
            made.staked if bet is None else made.stake(bet),
            *(made.worth(option) if bet is None else made.gain(option, bet) for option in offered),
            *best,
        )

    rows: list[Row | tuple[Cell, ...]] = [
        line(bet, order) for bet in made.happened.stakes for order in orders
    ]
    if made.is_joint or not ordered:
        rows += [Row(line(None, order), Meaning.TOTAL) for order in orders]
    return (table(columns, rows),)


def _stakes(made: IncidentRuling) -> tuple[Section, ...]:
    """What becomes of the stakes, in money, where nobody has a choice of options."""
    if made.options or not made.happened.stakes:
        return ()
    is_void = made.ruling is Ruling.VOID
    columns = (
        Column("bet"),
        Column("stake", MONEY),
        Column("so it is" if is_void else "stands"),
        Column(_if_played(made).strip() or "net", GAIN),
    )
    rows: list[Row | tuple[Cell, ...]] = [
        (bet, stake, _becomes(made, bet), made.money(bet)) for bet, stake in made.happened.stakes.items()
    ]
    rows.append(Row(("total", made.staked, "", made.total_money), Meaning.TOTAL))
    return (Section("What becomes of the stakes", (table(columns, rows),)),)


def _becomes(made: IncidentRuling, bet: str) -> str:
    if made.ruling is not Ruling.VOID:
        return (made.results.get(bet) or "open") if made.is_told else "not to be told"
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


def _named(one: Neglected) -> tuple[Cell, Cell]:
    return one.offer.state.side, one.offer.state.stage.in_words


def _late_offer(made: IncidentRuling) -> Section:
    """The most that may be staked on insurance that is offered late."""
    columns = (
        Column("hand"),
        Column("offered"),
        Column("most, of the original bet", decimal(4)),
        *((Column("most", decimal(2)),) if made.happened.stakes else ()),
    )
    rows: list[tuple[Cell, ...]] = [
        (*_named(one), one.most, *((made.most_stake(one),) if made.happened.stakes else ()))
        for one in made.neglected
    ]
    return Section(f"What may be staked on it now ({made.procedure.cited})", (table(columns, rows),))


ORIGINAL_BET = {
    BetResult.WON: "returned: the insurance would have won",
    BetResult.LOST: "settled: the insurance would have lost",
    BetResult.RETURNED: "settled: the insurance would have been returned",
    None: "returned if the insurance would have won, else settled",
}
"""What becomes of the original bet of a player who had meant to insure it, by what the insurance came to."""


def _original_bets(made: IncidentRuling) -> Section:
    """What becomes of the original bet of those who had meant to insure it, and what that is worth."""
    staked = bool(made.happened.stakes)
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
    """The ruling under the schema ``combinat/ruling/1``."""
    happened, procedure = made.happened, made.procedure
    return {
        "schema": "combinat/ruling/1",
        "game": made.game.id,
        "incident": happened.incident,
        "procedure": procedure.id,
        "clauses": list(made.clauses),
        "when": procedure.when,
        "condition": made.condition or None,
        "decides": procedure.decides or None,
        "effect": procedure.effect,
        "layout": None if happened.layout is None else made.game.layout(happened.layout).id,
        "outcome_established": made.outcome_established,
        "established_on": list(made.layouts),
        "decided": [{"bet": bet, "result": result} for bet, result in made.decided.items()],
        "round": _round_json(made.hands) | {"next": made.next_hand if made.is_told else None},
        "as_it_lay": None if happened.laid is None else _round_json(happened.laid),
        "next_round": _cards_json(made.next_round),
        "face_down": made.face_down,
        "shoe": shoe_json(made.shoe),
        "void": str(made.void),
        "ruling": made.ruling,
        "values": {bet: str(value) for bet, value in made.worths.items()},
        "options": [_option_json(made, option) for option in made.options],
        "choices": [
            {
                "bet": choice.bet,
                "order": _cards_json(choice.order) or None,
                "best": list(choice.best),
                "cost": _text(choice.cost),
                **({"money": _text(made.cost(choice))} if choice.bet in (None, *happened.stakes) else {}),
            }
            for choice in made.choices
        ],
        "differences": {bet: str(made.difference(bet)) for bet in made.results if made.is_ordered},
        "insurance": [_neglected_json(made, one) for one in made.neglected],
        "stakes": {bet: str(stake) for bet, stake in happened.stakes.items()},
        "money": {} if made.options else {bet: _text(made.money(bet)) for bet in happened.stakes},
        **one_round_json(made.game),
    }


def _text(number: Fraction | None) -> str | None:
    return None if number is None else str(number)


def _round_json(hands: Hands) -> dict[str, Any]:
    return {"player": _cards_json(hands.player), "banker": _cards_json(hands.banker)}


def _cards_json(cards: Cards) -> list[str]:
    return [FACE_DOWN if card is None else card for card in cards]


def _option_json(made: IncidentRuling, option: Option) -> dict[str, Any]:
    values = option.values
    worth = made.worth(option)
    return {
        "id": option.id,
        "clause": option.clause,
        "open": option.is_open,
        "order": _cards_json(option.order) or None,
        "round": _round_json(option.dealt) if option.dealt else None,
        "next_round": _cards_json(option.next_round),
        "values": None if values is None else {bet: str(values[bet]) for bet in made.results},
        **({"worth": None if worth is None else str(worth)} if made.happened.stakes else {}),
    }


def _neglected_json(made: IncidentRuling, one: Neglected) -> dict[str, Any]:
    state, stake, gain = one.offer.state, made.most_stake(one), made.original_gain(one)
    return {
        "side": state.side,
        "stage": state.stage,
        "odds": None if one.offer.net is None else str(one.offer.net),
        "expected_value": str(one.offer.expected_value),
        "result": one.result,
        "most": None if one.most is None else str(one.most),
        **({} if stake is None else {"most_stake": str(stake)}),
        "original_bet": one.insured,
        "original_bet_value": None if one.original is None else str(one.original),
        **({} if gain is None else {"original_bet_worth": str(gain)}),
    }
