"""Insurance must hold together: each table insures a bet, each offer can arise, each limit fits the game."""

from collections.abc import Iterator

from combinat.rules.bet import Bet
from combinat.rules.book.pay_lines import unit_mistakes
from combinat.rules.book.reader import Found, Mistake, repeated
from combinat.rules.document import RuleDocument
from combinat.rules.insurance import (
    Base,
    InsuranceTable,
    InsuranceTerms,
    Offer,
    Open,
    Per,
    State,
    results_after,
)
from combinat.rules.outcome import Winner
from combinat.rules.procedure import Effect
from combinat.rules.table_of_play import Hand, TableOfPlay

Mistakes = Iterator[Mistake]


def insurance_mistakes(found: Found[RuleDocument], game: RuleDocument, table: TableOfPlay) -> Mistakes:
    """Where the insurance of a game does not hold together."""
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
    of_tables = list(_insurance_tables(found, game, terms, table))
    yield from of_tables
    offers = found.is_refused("insurance") or any(".offers" in mistake.key for mistake in of_tables)
    yield from limit_mistakes(found, "insurance_terms.limits", game, terms, all_offers=not offers)
    if not is_refused:
        yield from stake_mistakes("insurance", game)


def _insurance_tables(
    found: Found[RuleDocument], game: RuleDocument, terms: InsuranceTerms, table: TableOfPlay
) -> Mistakes:
    """Each table insures a bet that the result alone decides, and its offers can arise."""
    tables = found.entries("insurance", game.insurance)
    named = [(key, str(one.insured)) for key, one in tables if one.side and one.stage]
    again = list(repeated("stage", named))
    yield from again
    sides: set[Hand] = set()
    for key, one in tables:
        if one.side and one.side not in sides:
            sides.add(one.side)
            yield from _insured_bet(found, key, one, game)
        is_again = any(mistake.key == f"{key}.stage" for mistake in again)
        if (
            one.side
            and one.stage
            and terms.open in (Open.CARD_TO_COME, Open.WHENEVER_LISTED)
            and not is_again
        ):
            yield from offer_mistakes(found, key, one, terms, table)


def _insured_bet(found: Found[RuleDocument], key: str, table: InsuranceTable, game: RuleDocument) -> Mistakes:
    insured = game.bet_on(table.side)
    if insured is None:
        is_refused = {"", table.side.value} & set(
            map(str.lower, found.named)
        )  # then the bet on it has a mistake
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
    """Return what a bet depends on beside totals and numbers of cards, or the empty text."""
    return "pairs" if bet.needs_ranks else "third cards" if bet.looks_at_thirds else ""


def offer_mistakes(
    found: Found[RuleDocument], key: str, table: InsuranceTable, terms: InsuranceTerms, play: TableOfPlay
) -> Mistakes:
    """Offers that do not pay, that another line offers too, or that can never arise."""
    if not table.offers and not found.is_refused(f"{key}.offers"):
        yield Mistake(f"{key}.offers", "found none; write at least one line")
    offered: dict[State, str] = {}
    for line, offer in found.entries(f"{key}.offers", table.offers):
        if offer.odds.net <= 0:
            yield Mistake(f"{line}.odds", f'found "{offer.odds}"; insurance pays, such as "3 to 2"')
        yield from _states(line, table, offer, terms, play, offered)


def _states(
    line: str,
    table: InsuranceTable,
    offer: Offer,
    terms: InsuranceTerms,
    play: TableOfPlay,
    offered: dict[State, str],
) -> Mistakes:
    """The first state of a line that another line offers too, that cannot arise, or in which no such tie is."""
    for state, its_offer in table.states():
        if its_offer is not offer:
            continue
        totals = f"Player {state.player_points}, Banker {state.banker_points}"
        if offered.setdefault(state, line) != line:
            yield Mistake(
                line,
                f"{totals} is covered by {offered[state]} too; "
                "narrow one of them so that no state is offered twice",
            )
            return
        results = results_after(state, terms.open, play)
        if not results:
            open_when = " with a card to come" if terms.open is Open.CARD_TO_COME else ""
            yield Mistake(
                line,
                f"{totals} can never arise {state.stage.in_words}{open_when}; "
                "take it out of player_points or banker_points",
            )
            return
        ties = {result.player_points for result in results if result.winner is Winner.TIE}
        if offer.tie_pays and not offer.tie_pays <= ties:
            yield Mistake(
                f"{line}.tie_pays",
                f'found "{offer.tie_pays}", but {totals} can tie only on '
                f"{', '.join(map(str, sorted(ties))) or 'nothing'}",
            )
            return


def limit_mistakes(
    found: Found[RuleDocument],
    key: str,
    game: RuleDocument,
    terms: InsuranceTerms,
    *,
    all_offers: bool = True,
) -> Mistakes:
    """Limits for odds, procedures or bases that do not fit the game; ``all_offers``: every offer could be read."""
    late = [one.id for one in game.procedures if one.effect is Effect.LATE_INSURANCE and one.id]
    paid = {offer.odds.net for offer in game.offers.values()}
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
    """Stakes to a limit are divided by the odds, with or without the stake, and all meet in one figure."""
    nets = [offer.odds.net for offer in game.offers.values()]
    return unit_mistakes(
        key, (part for net in nets for part in (net.numerator, net.denominator, (net + 1).numerator))
    )
