"""The consistency of pay tables and insurance.

Each line of a pay table can occur, no two cover one outcome, and some line pays. Each insurance table insures
a bet, each offer can arise, each limit fits the game.
"""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import chain, islice
from math import lcm

import msgspec

from combinat.rules import bounds
from combinat.rules.bet import Bet, Pay
from combinat.rules.book.reader import Found, Mistake
from combinat.rules.deal_space import DealSpace
from combinat.rules.document import OtherOffers, RuleDocument
from combinat.rules.facts import BY_NAME, NATURAL_FACTS
from combinat.rules.insurance import (
    Base,
    InsuranceTable,
    InsuranceTerms,
    Insured,
    Offer,
    Open,
    Per,
    State,
)
from combinat.rules.outcome import NATURALS, Winner
from combinat.rules.procedure import Effect
from combinat.rules.table_of_play import Hand
from combinat.rules.value_sets import NumberSet

Mistakes = Iterator[Mistake]


def bet_mistakes(found: Found[RuleDocument], game: RuleDocument, deals: DealSpace) -> Mistakes:
    """Yield the inconsistencies in the pay tables of a game, and two bets on one hand."""
    bet_on: dict[object, str] = {}
    for key, bet in found.entries("bets", game.bets):
        yield from pay_mistakes(found, f"{key}.pays", bet.pays, deals)
        if bet.hand is not None and bet_on.setdefault(bet.hand, key) != key:
            yield Mistake(
                f"{key}.hand",
                f'found "{bet.hand}" again (first in {bet_on[bet.hand]}); one bet is the bet on a hand',
            )


def pay_mistakes(found: Found[RuleDocument], key: str, pays: Sequence[Pay], deals: DealSpace) -> Mistakes:
    """Check that every line can occur, no two lines cover one outcome, and some line pays."""
    is_refused = found.is_refused(key)
    if not is_refused and not any(pay.odds.net > 0 for pay in pays):
        yield Mistake(key, 'found nothing that pays; write at least one line with odds such as "8 to 1"')
    lines = found.entries(key, tuple(pays))
    names: set[str] = set()
    sound: list[tuple[str, Pay]] = []
    for where, pay in lines:
        if (len(lines) > 1 or key in found.numbers) and (not pay.name or pay.name in names):
            yield Mistake(
                f"{where}.name", f'found "{pay.name}"; give each of several lines a name of its own'
            )
        names.add(pay.name)
        of_line = list(_line(where, pay, deals))
        yield from of_line
        if any(mistake.key == where or ".except[" in mistake.key for mistake in of_line):
            continue  # further overlaps follow from this one
        if not deals.is_possible([pay.facts], pay.excepted, jointly=False):
            near = _nearest_deal(pay, deals)
            yield Mistake(where, f"no round has all its facts; check them against each other; {near}")
            continue
        for earlier, other in sound:
            if deals.is_possible([other.facts, pay.facts], [*other.excepted, *pay.excepted]):
                both = deals.example(deals.covered(other) & deals.covered(pay))
                yield Mistake(
                    where,
                    f"covers outcomes that {earlier} covers too, for example {both}; "
                    "narrow one of them so that no outcome is paid twice",
                )
                break
        sound.append((where, pay))
    yield from unit_mistakes(key, (pay.odds.net.denominator for pay in pays if pay.odds is not None))


def unit_mistakes(key: str, parts: Iterable[int]) -> Mistakes:
    """Yield a mistake if the odds have no common unit of a size that can be written."""
    if lcm(*parts) > bounds.UNIT:
        yield Mistake(key, "found odds whose common denominator is over 10^100; write rounder ones")


def _line(key: str, pay: Pay, deals: DealSpace) -> Mistakes:
    """Check that a line names facts, excludes something by each exception, and states its commission once."""
    if not pay.facts:
        yield Mistake(key, 'names no outcome; write what it pays on, such as winner = "tie"')
    if pay.commission is not None and pay.commission.part >= 1:
        yield Mistake(
            f"{key}.commission", f'found "{pay.commission}"; write one below 100%, such as commission = "5%"'
        )
    elif pay.commission is not None and pay.odds is not None and pay.odds.less != pay.commission:
        yield Mistake(
            f"{key}.commission",
            f'found "{pay.commission}" beside odds "{pay.odds}"; '
            'write it beside odds that pay, once, such as odds = "1 to 1", commission = "5%"',
        )
    if deals.table.natural != NATURALS and not pay.named.isdisjoint(NATURAL_FACTS):
        yield Mistake(
            key,
            f"names a natural, which for a bet is 8 or 9 with two cards, but table_of_play.natural is "
            f'"{NumberSet(deals.table.natural)}"; write points and cards, such as player_points = 9, player_cards = 2',
        )
    for number, exception in enumerate(pay.exceptions):
        where = f"{key}.except[{number}]"
        if not exception.facts:
            yield Mistake(where, "names no facts; write the facts to exclude, such as player_cards = 3")
        elif not deals.is_possible([pay.facts, exception.facts]):
            yield Mistake(where, "excludes nothing from the line; write facts that the line covers")


def _nearest_deal(pay: Pay, deals: DealSpace) -> str:
    """Return a deal that lacks one fact of a line that no round can reach, in words."""
    if excepted := deals.example(deals.having(pay.facts)):
        return f"{excepted} has its facts, but an exception excludes it"
    for fact in reversed(pay.facts):
        others = msgspec.structs.replace(pay, **{fact: None}, exceptions=())
        if near := deals.example(deals.having(others.facts)):
            value = BY_NAME[fact].of(near.outcome)
            nobody = (
                f"; nobody wins a tie: write player_{fact.rpartition('_')[2]}"
                if value is None and fact in _OF_A_WINNER
                else ""
            )
            return f"{near} has all its facts but {fact}, which is {_as_toml(value)} there{nobody}"
    return "no two of its facts go together"


_OF_A_WINNER = ("winning_points", "losing_points", "winning_cards", "losing_cards")


def _as_toml(value: object) -> str:
    return "none" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


# ---------------------------------------------------------------- insurance


def insurance_mistakes(found: Found[RuleDocument], game: RuleDocument, deals: DealSpace) -> Mistakes:
    """Yield the inconsistencies in the insurance of a game."""
    terms = game.insurance_terms
    is_refused = found.is_refused("insurance") or found.is_refused("insurance_terms")
    if bool(game.insurance) != bool(terms):
        if not is_refused:
            missing = "[insurance_terms]" if game.insurance else "[[insurance]]"
            yield Mistake(
                "insurance",
                f"{missing} is missing; write both [insurance_terms] and [[insurance]], or neither",
            )
        return
    if terms is None:
        return
    if terms.open is Open.NEVER:
        yield Mistake(
            "insurance_terms.open",
            f'found "{Open.NEVER}"; write when it is offered, or leave insurance out',
        )
    of_tables = list(_insurance_tables(found, game, terms, deals))
    yield from of_tables
    offers = found.is_refused("insurance") or any(".offers" in mistake.key for mistake in of_tables)
    yield from limit_mistakes(found, "insurance_terms.limits", game, terms, all_offers=not offers)
    if not is_refused:
        yield from stake_mistakes("insurance", game)


def _insurance_tables(
    found: Found[RuleDocument], game: RuleDocument, terms: InsuranceTerms, deals: DealSpace
) -> Mistakes:
    """Check that each table insures a bet that the result alone decides, and that its offers can arise."""
    tables = found.entries("insurance", game.insurance)
    again = list(repeated_tables(tables))
    yield from again
    sides: set[Hand] = set()
    for key, one in tables:
        if one.side and one.side not in sides:
            sides.add(one.side)
            yield from _insured_bet(found, key, one, game)
        is_again = any(mistake.key == f"{key}.stage" for mistake in again)
        if one.side and one.stage and terms.open not in (None, Open.NEVER) and not is_again:
            yield from offer_mistakes(found, key, one, terms, deals)


def repeated_tables(tables: Iterable[tuple[str, InsuranceTable | OtherOffers]]) -> Mistakes:
    """Yield the tables that insure the same hand at the same stage as an earlier one; each with its key."""
    first: dict[Insured, str] = {}
    for key, table in tables:
        if table.side and table.stage and first.setdefault(table.insured, key) != key:
            again = f'found "{table.insured}" again (first in {first[table.insured]})'
            yield Mistake(f"{key}.stage", f"{again}; write each stage once")


def _insured_bet(found: Found[RuleDocument], key: str, table: InsuranceTable, game: RuleDocument) -> Mistakes:
    insured = game.bet_on(table.side)
    if insured is None:
        is_refused = {"", table.side.value} & set(
            map(str.lower, found.named)
        )  # the bet on the hand has a mistake, which is reported elsewhere
        if game.bets and not is_refused:
            yield Mistake(
                f"{key}.side",
                f'found "{table.side}", but the game has no bet on that hand to insure; '
                f'write hand = "{table.side}" in the bet that it insures',
            )
    elif looks_at := more_than_result(insured):
        yield Mistake(
            f"{key}.side",
            f'the bet "{insured.id}" looks at {looks_at}; '
            "insurance is on a bet that the result alone decides",
        )


def more_than_result(bet: Bet) -> str:
    """Return the facts a bet depends on besides totals and numbers of cards, or the empty text."""
    return "pairs" if bet.needs_ranks else "third cards" if bet.looks_at_thirds else ""


def offer_mistakes(
    found: Found[RuleDocument], key: str, table: InsuranceTable, terms: InsuranceTerms, deals: DealSpace
) -> Mistakes:
    """Yield offers that do not pay, that another line repeats, or that can never arise."""
    if not table.offers and not found.is_refused(f"{key}.offers"):
        yield Mistake(f"{key}.offers", "found none; write at least one line")
    offered: dict[State, str] = {}
    for line, offer in found.entries(f"{key}.offers", table.offers):
        if offer.odds.net <= 0:
            yield Mistake(f"{line}.odds", f'found "{offer.odds}"; insurance pays, such as "3 to 2"')
        yield from islice(_state_mistakes(line, table, offer, terms, deals, offered), 1)


def _state_mistakes(
    line: str,
    table: InsuranceTable,
    offer: Offer,
    terms: InsuranceTerms,
    deals: DealSpace,
    offered: dict[State, str],
) -> Mistakes:
    """Yield states of a line that another line repeats, that cannot arise, or whose tie is impossible."""
    for state in table.states_of(offer):
        totals = f"Player {state.player_points}, Banker {state.banker_points}"
        if offered.setdefault(state, line) != line:
            yield Mistake(
                line,
                f"{totals} is covered by {offered[state]} too; "
                "narrow one of them so that no state is offered twice",
            )
        results = deals.results_at(
            state.stage, state.player_points, state.banker_points, to_come=terms.open is Open.CARD_TO_COME
        )
        if not results:
            open_when = " with a card to come" if terms.open is Open.CARD_TO_COME else ""
            yield Mistake(
                line,
                f"{totals} can never arise {state.stage.in_words}{open_when}; "
                "take it out of player_points or banker_points",
            )
        if not offer.tie_pays:
            continue
        ties = {result.player_points for result in results if result.winner is Winner.TIE}
        if not offer.tie_pays <= ties:
            yield Mistake(
                f"{line}.tie_pays",
                f'found "{offer.tie_pays}", but {totals} can tie only on '
                f"{', '.join(map(str, sorted(ties))) or 'nothing'}",
            )


def limit_mistakes(
    found: Found[RuleDocument],
    key: str,
    game: RuleDocument,
    terms: InsuranceTerms,
    *,
    all_offers: bool = True,
) -> Mistakes:
    """Yield limits whose odds, procedures or bases do not fit the game.

    ``all_offers``: every offer could be read.
    """
    late = [one.id for one in game.procedures if one.effect is Effect.LATE_INSURANCE and one.id]
    paid = _paid(game)
    for line, limit in found.entries(key, terms.limits):
        if limit.odds is not None and limit.odds.net not in paid and all_offers:
            yield Mistake(f"{line}.odds", f'found "{limit.odds}", which no insurance line of this game pays')
        is_known = limit.procedure in late or "" in found.named or limit.procedure in found.named
        if limit.procedure is not None and not is_known:
            some = f"write {' or '.join(late)}" if late else "the game has none; leave the key out"
            yield Mistake(
                f"{line}.procedure",
                f'found "{limit.procedure}", which is no procedure of this game with '
                f'effect = "{Effect.LATE_INSURANCE}"; {some}',
            )
        if limit.of is not Base.ORIGINAL_BET and limit.per not in (Per.OFFER, Per.TABLE):
            yield Mistake(
                f"{line}.per",
                f'found "{limit.per}"; a cap by the {limit.of.in_words} is per "offer" or per "table"',
            )


def stake_mistakes(key: str, game: RuleDocument) -> Mistakes:
    """Yield a mistake if the stakes at the limits, which divide by the odds, have no common unit."""
    parts = ((net.numerator, net.denominator, (net + 1).numerator) for net in _paid(game))
    return unit_mistakes(key, chain.from_iterable(parts))


def _paid(game: RuleDocument) -> set[Fraction]:
    """Return the net results of all insurance offers that could be read."""
    return {offer.odds.net for table in game.insurance for offer in table.offers}
