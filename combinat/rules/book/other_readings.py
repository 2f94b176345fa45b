"""The consistency of other readings: each changes something that exists, and the result is a valid game."""

from collections.abc import Iterator
from itertools import chain, islice

from combinat.rules.book.lines import (
    bet_mistakes,
    insurance_mistakes,
    limit_mistakes,
    more_than_result,
    offer_mistakes,
    pay_mistakes,
    repeated_tables,
    stake_mistakes,
)
from combinat.rules.book.reader import Found, Mistake
from combinat.rules.deal_space import deal_space
from combinat.rules.document import Instead, RuleDocument
from combinat.rules.house_rules import OF_A_TABLE, OF_DEALING_ERRORS
from combinat.rules.insurance import InsuranceTerms
from combinat.rules.readings import other_reading
from combinat.rules.table_of_play import COMMON_TABLE, table_mistakes

Mistakes = Iterator[Mistake]


def reading_mistakes(found: Found[RuleDocument], game: RuleDocument) -> Mistakes:
    """Yield other readings that change nothing, change something missing, or give an invalid game."""
    for key, entry in found.entries("interpretations", game.interpretations):
        if entry.instead is None:
            continue
        instead = f"{key}.instead"
        of_names = list(_names(found, instead, game, entry.instead))
        yield from of_names
        pays = list(_other_pays(found, instead, game, entry.instead))
        yield from pays
        if of_names or pays or found.is_refused(instead) or not _is_sound(found, game, entry.instead):
            continue
        other = other_reading(game, entry.id)
        if other == game:
            yield Mistake(instead, "changes nothing; write the other reading as data")
        else:
            yield from _reread(instead, game, other, entry.instead)


_BUILT_ON = (
    "layouts",
    "clauses",
    "void",
    "bets",
    "insurance",
    "insurance_terms",
    "practice",
    "table_of_play",
)
"""The keys that another reading builds on."""


def _is_sound(found: Found[RuleDocument], game: RuleDocument, instead: Instead) -> bool:
    """Whether everything that another reading depends on was read."""
    bets = [bet.id for bet in game.bets]
    return all(bet.id in bets for bet in instead.bets) and not any(map(found.is_refused, _BUILT_ON))


def _names(found: Found[RuleDocument], key: str, game: RuleDocument, instead: Instead) -> Mistakes:
    """Check that everything the other reading replaces exists, and is replaced once."""
    bets = [bet.id for bet in game.bets if bet.id]
    for where, bet in found.entries(f"{key}.bets", instead.bets):
        if bet.id:
            yield from found.unknown(f"{where}.id", bet.id, bets, "bet")
    layouts = [layout.id for layout in game.layouts if layout.id]
    for where, layout in found.entries(f"{key}.layouts", instead.layouts):
        if layout.id:
            yield from found.unknown(f"{where}.id", layout.id, layouts, "layout")
        yield from found.references(f"{where}.bets", layout.bets, bets, "bet")
    tables = found.entries(f"{key}.insurance", instead.insurance)
    yield from repeated_tables(tables)
    for where, table in tables:
        is_there = game.insurance_table(table.side, table.stage) is not None
        if table.side and table.stage and not is_there and not found.is_refused("insurance"):
            yield Mistake(where, f'the game has no insurance for "{table.side}" at "{table.stage}"')
    if (
        game.insurance_terms is None
        and (instead.insurance_open or instead.insurance_limits)
        and not found.is_refused("insurance_terms")
    ):
        yield Mistake(key, "speaks of insurance, but the game offers none")
    if game.table_limits is None and instead.practices.keys() & OF_A_TABLE:
        yield Mistake(key, "speaks of a table's limits, but there is no [table_limits]")
    if game.dealing_errors is None and instead.practices.keys() & OF_DEALING_ERRORS:
        yield Mistake(key, "speaks of options after an error, but there is no [dealing_errors]")


def _other_pays(found: Found[RuleDocument], key: str, game: RuleDocument, instead: Instead) -> Mistakes:
    """Check the pay tables of another reading, unless it changes the Table of Play (``_reread_table``)."""
    if instead.banker_draws_against_natural is not None:
        return
    deals = deal_space(COMMON_TABLE.cells if found.is_refused("table_of_play") else game.table_of_play)
    for where, bet in found.entries(f"{key}.bets", instead.bets):
        yield from pay_mistakes(found, f"{where}.pays", bet.pays, deals)


def _reread(key: str, game: RuleDocument, other: RuleDocument, instead: Instead) -> Mistakes:
    """Check the game under the other reading as the game itself is checked."""
    whole, deals = Found(other), deal_space(other.table_of_play)
    for bet_id in (bet.id for bet in other.bets if not bet.layouts and game.bet(bet.id).layouts):
        yield Mistake(f"{key}.layouts", f"leave {bet_id} on no layout; name it on one of them")
    insured = {table.side for table in game.insurance}
    for where, bet in ((f"{key}.bets[{index}].pays", bet) for index, bet in enumerate(instead.bets)):
        if deals.table != game.table_of_play:
            yield from pay_mistakes(whole, where, bet.pays, deals)
        on = {hand for hand in insured if (its := other.bet_on(hand)) and its.id == bet.id}
        if on and (looks_at := more_than_result(other.bet(bet.id))):
            yield Mistake(where, f'look at {looks_at}, but "{bet.id}" is a bet that can be insured')
    if deals.table != game.table_of_play:
        of_table = (
            Mistake(f"table_of_play.{name}", what) for name, what in table_mistakes(other.printed_table)
        )
        of_game = chain(of_table, bet_mistakes(whole, other, deals), insurance_mistakes(whole, other, deals))
        yield from _first(f"{key}.banker_draws_against_natural", of_game)
    if other.insurance_terms is not None:
        yield from _reread_insurance(key, other, other.insurance_terms, instead)


def _first(key: str, mistakes: Mistakes) -> Mistakes:
    """Yield the first of the mistakes that a key of another reading makes elsewhere in the game."""
    return (Mistake(key, str(mistake)) for mistake in islice(mistakes, 1))


def _reread_insurance(key: str, other: RuleDocument, terms: InsuranceTerms, instead: Instead) -> Mistakes:
    whole = Found(other)
    changed = {table.insured: f"{key}.insurance[{index}]" for index, table in enumerate(instead.insurance)}
    for table in other.insurance:
        where = changed.get(table.insured)
        offers = offer_mistakes(
            whole, where or str(table.insured), table, terms, deal_space(other.table_of_play)
        )
        if where is not None:
            yield from offers
        elif instead.insurance_open:
            yield from _first(f"{key}.insurance_open", offers)
    if instead.insurance_limits:
        yield from limit_mistakes(whole, f"{key}.insurance_limits", other, terms)
    if instead.insurance:
        yield from stake_mistakes(f"{key}.insurance", other)
