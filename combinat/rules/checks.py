"""What must hold within one rule book, beyond the types of its values."""

import re
from collections.abc import Iterable, Sequence
from itertools import product
from math import lcm
from operator import contains

from combinat.errors import CardError, RoundError, RuleBookError, shortened
from combinat.rules import bounds
from combinat.rules.bet import NATURAL_FACTS, Bet, Facts, Pay, possible_values
from combinat.rules.cards import Rank, parse_cards
from combinat.rules.examples import FIGURES
from combinat.rules.game import Game, Instead
from combinat.rules.insurance import Base, InsuranceTable, InsuranceTerms, Open, Per, State, results_after
from combinat.rules.odds import PointSet
from combinat.rules.outcome import NATURALS, Winner
from combinat.rules.possible import Deal, possible_deals
from combinat.rules.practice import OF_A_TABLE, OF_DEALING_ERRORS
from combinat.rules.procedure import Effect, Fact, Procedure, Ruling
from combinat.rules.table_of_play import TableOfPlay, check_table

_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*", re.ASCII)


def check_game(game: Game) -> None:
    """Refuse a rule book that contradicts itself or the Table of Play."""
    _check_id("id", game.id)
    if not 1 <= game.decks.least <= game.decks.most:
        raise RuleBookError(
            f"decks: found least = {game.decks.least}, most = {game.decks.most}; "
            "write the fewest decks first, both 1 or more"
        )
    if game.decks.most > bounds.DECKS or game.decks.most - game.decks.least >= bounds.SHOES:
        raise RuleBookError(
            f"decks: found least = {game.decks.least}, most = {game.decks.most}; "
            f"write at most {bounds.SHOES} numbers of decks, up to {bounds.DECKS}"
        )
    _check_layouts(game)
    _check_table_of_play(game)
    for name in ("bets", "procedures", "interpretations"):
        records = getattr(game, name)
        for number, record in enumerate(records):
            _check_id(f"{name}[{number}].id", record.id)
        _check_distinct(name, "id", [record.id for record in records])
    if not game.bets:
        raise RuleBookError("bets: found none; write at least one [[bets]]")
    _check_bets(game)
    _check_procedures(game)
    _check_insurance(game)
    _check_interpretations(game)
    _check_examples(game)


def _check_examples(game: Game) -> None:
    """Every example comes to the line that it names, and every published figure is of something that there is."""
    for number, example in enumerate(game.examples):
        key = f"examples[{number}]"
        player, banker = (
            _cards_of(f"{key}.{name}", cards)
            for name, cards in (("player", example.player), ("banker", example.banker))
        )
        bet = _bet_of(key, game, example.bet)
        try:
            dealt = game.finished_round(player, banker)
        except RoundError as error:
            raise RuleBookError(f"{key}: {error}") from None
        line = bet.line_name(bet.line(dealt.outcome))
        if line != example.line:
            raise RuleBookError(
                f'{key}.line: found "{example.line}", but {dealt} comes to "{line}" of {bet.id}; '
                "correct the example, or the facts of the line"
            )
    for number, expect in enumerate(game.expect):
        key = f"expect[{number}]"
        if not 1 <= expect.decks <= bounds.DECKS:
            raise RuleBookError(
                f"{key}.decks: found {expect.decks}; write a number of decks from 1 to {bounds.DECKS}"
            )
        if len(expect.figures) != 1 or bool(expect.line) != (expect.probability is not None):
            stated = ", ".join(expect.figures) or "none"
            raise RuleBookError(
                f"{key}: found {stated}; write one published figure: {', '.join(FIGURES[:-1])}, "
                "or line with its probability"
            )
        bet = _bet_of(key, game, expect.bet)
        lines = [bet.line_name(pay) for pay in (*bet.pays, None)]
        if expect.line and expect.line not in lines:
            raise RuleBookError(f'{key}.line: found "{expect.line}"; write one of {", ".join(lines)}')


def _cards_of(key: str, cards: str) -> tuple[Rank, ...]:
    try:
        return parse_cards(cards)
    except CardError as error:
        raise RuleBookError(f"{key}: {error}") from None


def _bet_of(key: str, game: Game, bet_id: str) -> Bet:
    for bet in game.bets:
        if bet.id == bet_id:
            return bet
    bets = ", ".join(bet.id for bet in game.bets)
    raise RuleBookError(f'{key}.bet: found "{bet_id}", which is no bet of this game; write one of {bets}')


def _check_id(key: str, own_id: str) -> None:
    if not _ID.fullmatch(own_id):
        raise RuleBookError(
            f'{key}: found "{own_id}"; write lower-case words joined by hyphens, such as "big-tiger"'
        )


def _check_distinct(key: str, part: str, values: Sequence[object]) -> None:
    for number, value in enumerate(values):
        if value in values[:number]:
            raise RuleBookError(
                f'{key}[{number}].{part}: found "{value}" again (first in {key}[{values.index(value)}]); '
                f"write each {part} once"
            )


def _check_layouts(game: Game) -> None:
    known = [layout.id for layout in game.layouts]
    if not known:
        raise RuleBookError("layouts: found none; write at least one [[layouts]]")
    _check_distinct("layouts", "id", [layout_id.upper() for layout_id in known])
    for number, layout in enumerate(game.layouts):
        if not 1 <= layout.positions.least <= layout.positions.most <= bounds.POSITIONS:
            raise RuleBookError(
                f"layouts[{number}].positions: found least = {layout.positions.least}, "
                f"most = {layout.positions.most}; write the fewest first, both from 1 to {bounds.POSITIONS}"
            )
    for number, bet in enumerate(game.bets):
        key = f"bets[{number}].layouts"
        if not bet.layouts:
            raise RuleBookError(
                f"{key}: found none; name the layouts that offer {bet.name}: {', '.join(known)}"
            )
        for index, layout_id in enumerate(bet.layouts):
            if layout_id not in known:
                raise RuleBookError(
                    f'{key}[{index}]: found "{layout_id}", which is no layout of this game; '
                    f"write some of {', '.join(known)}"
                )
            if layout_id in bet.layouts[:index]:
                raise RuleBookError(f'{key}[{index}]: found "{layout_id}" again; write each layout once')


def _check_table_of_play(game: Game) -> None:
    """A table that is stated holds together, and its clauses stand in one place."""
    in_table = {"table_of_play": "clause", "third_cards": "stood_clause"}
    for key, its_key in in_table.items():
        clause = getattr(game.clauses, key)
        if game.stated_table is None and not clause:
            raise RuleBookError(
                f'clauses: the key {key} is missing; give it text in quotes, such as "4.1.2", '
                f"or state [table_of_play] with its {its_key}"
            )
        if game.stated_table is not None and clause:
            raise RuleBookError(
                f'clauses.{key}: found "{clause}", but table_of_play.{its_key} states it; take it out here'
            )
    if game.stated_table is not None:
        check_table(game.stated_table)


def _check_bets(game: Game) -> None:
    for number, bet in enumerate(game.bets):
        _check_pays(f"bets[{number}].pays", bet.pays, game.table_of_play)
        earlier = [other.hand for other in game.bets[:number]]
        if bet.hand is not None and bet.hand in earlier:
            raise RuleBookError(
                f'bets[{number}].hand: found "{bet.hand}" again (first in bets[{earlier.index(bet.hand)}]); '
                "one bet is the bet on a hand"
            )


def _check_pays(key: str, pays: Sequence[Pay], table: TableOfPlay) -> None:
    """Every line can happen, no two lines cover one outcome, and something is paid.

    The facts of the result and those of the first four cards are looked at one after the other.
    """
    if not any(pay.odds.net > 0 for pay in pays):
        raise RuleBookError(
            f'{key}: found nothing that pays; write at least one line with odds such as "8 to 1"'
        )
    named = [pay.name for pay in pays]
    for number, pay in enumerate(pays):
        if len(pays) > 1 and (not pay.name or pay.name in named[:number]):
            raise RuleBookError(
                f'{key}[{number}].name: found "{pay.name}"; give each of several lines a name of its own'
            )
        _check_line(f"{key}[{number}]", pay, table)
        if not _both(pay, pay, table):
            raise RuleBookError(
                f"{key}[{number}]: no round can come to this; check its facts against each other"
            )
        for earlier in range(number):
            if _both(pays[earlier], pay, table):
                deal = both_covered(pays[earlier], pay, table)
                raise RuleBookError(
                    f"{key}[{number}]: covers outcomes that {key}[{earlier}] covers too"
                    f"{f', for example {deal}' if deal else ''}; narrow one of them so that no outcome is paid twice"
                )
    _check_parts(key, (pay.odds.net.denominator for pay in pays))


def _check_parts(key: str, parts: Iterable[int]) -> None:
    if lcm(*parts) > bounds.UNIT:
        raise RuleBookError(
            f"{key}: found numbers that only a unit in more than 10^100 parts has in common; write rounder ones"
        )


def _check_line(key: str, pay: Pay, table: TableOfPlay) -> None:
    """A line names what it pays on, takes something out with each exception, and states its commission once."""
    if not pay.facts:
        raise RuleBookError(f'{key}: names no outcome; write what it pays on, such as winner = "tie"')
    if pay.commission is not None and pay.commission.part >= 1:
        raise RuleBookError(
            f'{key}.commission: found "{pay.commission}"; write one below 100%, such as commission = "5%"'
        )
    if pay.commission is not None and pay.odds.less != pay.commission:
        raise RuleBookError(
            f'{key}.commission: found "{pay.commission}" beside odds "{pay.odds}"; '
            'write it beside odds that pay, once, such as odds = "1 to 1", commission = "5%"'
        )
    if table.natural != NATURALS and not pay.named.isdisjoint(NATURAL_FACTS):
        raise RuleBookError(
            f"{key}: speaks of a natural, which to a bet is 8 or 9 with two cards, but table_of_play.natural is "
            f'"{PointSet(table.natural)}"; write points and cards, such as player_points = 9, player_cards = 2'
        )
    for number, exception in enumerate(pay.exceptions):
        where = f"{key}.except[{number}]"
        if not exception.facts:
            raise RuleBookError(f"{where}: names no facts; write what is taken out, such as player_cards = 3")
        deals = possible_deals(table)
        if not deals.in_case(pay) & deals.in_case(exception):
            raise RuleBookError(f"{where}: takes nothing out of the line; write facts that the line covers")


def both_covered(line: Pay, other: Pay, table: TableOfPlay) -> Deal | None:
    """A deal that both lines cover; None: there is none."""
    deals = possible_deals(table)
    return deals.example(deals.covered(line) & deals.covered(other))


def _both(line: Pay, other: Pay, table: TableOfPlay) -> bool:
    """Whether some outcome is covered by both lines.

    Of plain lines, the facts of the result and those of the first four cards are looked at one after the other: that
    takes no time.
    """
    if not (line.is_plain and other.is_plain):
        return both_covered(line, other, table) is not None
    return _agree(line.result_facts, other.result_facts, table) and _agree(
        line.first_four_facts, other.first_four_facts, table
    )


def _agree(facts: Facts, other: Facts, table: TableOfPlay) -> bool:
    """Whether a result, or first four cards, can have all the facts that both name."""
    both = facts | {fact: facts.get(fact, accepted) & accepted for fact, accepted in other.items()}
    if not both or not all(both.values()):
        return not both
    accepted = tuple(both.values())
    return any(all(map(contains, accepted, values)) for values in possible_values(table, tuple(both)))


def _check_procedures(game: Game) -> None:
    """Every procedure can apply, no two of one incident apply at once, and options are stated where they are opened."""
    for number, procedure in enumerate(game.procedures):
        key = f"procedures[{number}]"
        if procedure.incident:
            _check_id(f"{key}.incident", procedure.incident)
        for name, facts in (("if", procedure.only_if), ("unless", procedure.unless)):
            if len(set(facts)) < len(facts):
                raise RuleBookError(f"{key}.{name}: found a fact again; write each once")
        if not any(procedure.applies(facts) for facts in _EVERY_FACTS):
            raise RuleBookError(
                f"{key}: its if and unless exclude each other; take a fact out of one of them"
            )
        if procedure.effect.ruling is Ruling.OPTIONS and game.dealing_errors is None:
            raise RuleBookError(
                f'{key}.effect: found "{procedure.effect}", but the rule book states no options; '
                "write [dealing_errors] with the clause of each"
            )
        for earlier, other in enumerate(game.procedures[:number]):
            if other.answers == procedure.answers and _both_apply(other, procedure):
                raise RuleBookError(
                    f'{key}: answers "{procedure.answers}" where procedures[{earlier}] answers it too; '
                    "narrow the if or unless of one of them"
                )
    _check_excluded(game)


def _check_excluded(game: Game) -> None:
    """Every procedure that excludes options is one of the book, has a condition, and opens no options itself."""
    for number, excluded in enumerate(game.dealing_errors.excludes if game.dealing_errors else ()):
        key = f"dealing_errors.excludes[{number}]"
        named = [procedure for procedure in game.procedures if procedure.id == excluded]
        if not named:
            known = ", ".join(procedure.id for procedure in game.procedures) or "none"
            raise RuleBookError(f'{key}: no procedure is called "{shortened(excluded)}"; there are {known}')
        if not named[0].facts or named[0].effect.ruling is Ruling.OPTIONS:
            raise RuleBookError(
                f'{key}: found "{shortened(excluded)}"; write a procedure that has an if and opens no options'
            )


_EVERY_FACTS = [dict(zip(Fact, so, strict=True)) for so in product((True, False), repeat=len(Fact))]
"""Every way in which the facts can be so or not."""


def _both_apply(procedure: Procedure, other: Procedure) -> bool:
    return any(procedure.applies(facts) and other.applies(facts) for facts in _EVERY_FACTS)


def _check_insurance(game: Game) -> None:
    if bool(game.insurance) != bool(game.insurance_terms):
        missing = "[insurance_terms]" if game.insurance else "[[insurance]]"
        raise RuleBookError(
            f"insurance: {missing} is missing; write both [insurance_terms] and [[insurance]], or neither"
        )
    if game.insurance_terms is None:
        return
    if game.insurance_terms.open is Open.NEVER:
        raise RuleBookError(
            f'insurance_terms.open: found "{Open.NEVER}"; write when it is offered, or leave insurance out'
        )
    _check_distinct("insurance", "stage", [str(table.insured) for table in game.insurance])
    for number, table in enumerate(game.insurance):
        insured = game.bet_on(table.side)
        if insured is None:
            raise RuleBookError(
                f'insurance[{number}].side: found "{table.side}", but the game has no bet on that hand to insure; '
                f'write hand = "{table.side}" in the bet that it insures'
            )
        if looks_at := _more_than_result(insured):
            raise RuleBookError(
                f'insurance[{number}].side: the bet "{insured.id}" looks at {looks_at}; '
                "insurance is on a bet that the result alone decides"
            )
        _check_offers(f"insurance[{number}]", table, game.insurance_terms, game.table_of_play)
    _check_limits("insurance_terms.limits", game, game.insurance_terms)
    _check_stakes("insurance", game)


def _more_than_result(bet: Bet) -> str:
    """What a bet looks at beside the totals and numbers of cards; empty: nothing."""
    return "pairs" if bet.needs_ranks else "third cards" if bet.looks_at_thirds else ""


def _check_offers(key: str, table: InsuranceTable, terms: InsuranceTerms, play: TableOfPlay) -> None:
    if not table.offers:
        raise RuleBookError(f"{key}.offers: found none; write at least one line")
    seen: dict[State, int] = {}
    for number, offer in enumerate(table.offers):
        line = f"{key}.offers[{number}]"
        if offer.odds.net <= 0:
            raise RuleBookError(f'{line}.odds: found "{offer.odds}"; insurance pays, such as "3 to 2"')
        for state, its_offer in table.states():
            if its_offer is not offer:
                continue
            totals = f"Player {state.player_points}, Banker {state.banker_points}"
            if seen.setdefault(state, number) != number:
                raise RuleBookError(
                    f"{line}: {totals} is covered by {key}.offers[{seen[state]}] too; "
                    "narrow one of them so that no state is offered twice"
                )
            results = results_after(state, terms.open, play)
            if not results:
                open_when = " with a card to come" if terms.open is Open.CARD_TO_COME else ""
                raise RuleBookError(
                    f"{line}: {totals} can never arise {state.stage.in_words}{open_when}; "
                    "take it out of player_points or banker_points"
                )
            ties = {result.player_points for result in results if result.winner is Winner.TIE}
            if offer.tie_pays and not offer.tie_pays <= ties:
                raise RuleBookError(
                    f'{line}.tie_pays: found "{offer.tie_pays}", but {totals} can tie only on '
                    f"{', '.join(map(str, sorted(ties))) or 'nothing'}"
                )


def _check_limits(key: str, game: Game, terms: InsuranceTerms) -> None:
    late = [procedure.id for procedure in game.procedures if procedure.effect is Effect.LATE_INSURANCE]
    paid = {offer.odds.net for offer in game.offers.values()}
    for number, limit in enumerate(terms.limits):
        line = f"{key}[{number}]"
        if limit.odds is not None and limit.odds.net not in paid:
            raise RuleBookError(
                f'{line}.odds: found "{limit.odds}", which no insurance line of this game pays'
            )
        if limit.procedure is not None and limit.procedure not in late:
            some = f"write {' or '.join(late)}" if late else "the game has none; leave the key out"
            raise RuleBookError(
                f'{line}.procedure: found "{limit.procedure}", which is no procedure of this game with '
                f'effect = "{Effect.LATE_INSURANCE}"; {some}'
            )
        if limit.of is not Base.ORIGINAL_BET and limit.per not in (Per.OFFER, Per.TABLE):
            raise RuleBookError(
                f'{line}.per: found "{limit.per}"; a cap by the {limit.of.in_words} is per "offer" or per "table"'
            )


def _check_stakes(key: str, game: Game) -> None:
    """Stakes to a limit are divided by the odds, with or without the stake, and all meet in one figure."""
    nets = [offer.odds.net for offer in game.offers.values()]
    _check_parts(
        key, (part for net in nets for part in (net.numerator, net.denominator, (net + 1).numerator))
    )


def _check_interpretations(game: Game) -> None:
    for number, entry in enumerate(game.interpretations):
        key = f"interpretations[{number}].instead"
        _check_names(key, game, entry.instead)
        other = game.read_otherwise(entry.id)
        if other == game:
            raise RuleBookError(f"{key}: changes nothing; write the other reading as data")
        _check_instead(key, game, other, entry.instead)


def _check_names(key: str, game: Game, instead: Instead) -> None:
    """What the other reading replaces is there to be replaced, and replaced once."""
    bets = [bet.id for bet in game.bets]
    _check_distinct(f"{key}.bets", "id", [bet.id for bet in instead.bets])
    for index, bet in enumerate(instead.bets):
        if bet.id not in bets:
            raise RuleBookError(
                f'{key}.bets[{index}].id: found "{bet.id}", which is no bet of this game; '
                f"write one of {', '.join(bets)}"
            )
    _check_distinct(f"{key}.insurance", "stage", [str(table.insured) for table in instead.insurance])
    for index, table in enumerate(instead.insurance):
        if game.insurance_table(table.side, table.stage) is None:
            raise RuleBookError(
                f'{key}.insurance[{index}]: the game has no insurance for "{table.side}" at "{table.stage}"'
            )
    if game.insurance_terms is None and (instead.insurance_open or instead.insurance_limits):
        raise RuleBookError(f"{key}: speaks of insurance, but the game offers none")
    if game.table_limits is None and instead.practices.keys() & OF_A_TABLE:
        raise RuleBookError(f"{key}: speaks of a table's limits, but there is no [table_limits]")
    if game.dealing_errors is None and instead.practices.keys() & OF_DEALING_ERRORS:
        raise RuleBookError(f"{key}: speaks of options after an error, but there is no [dealing_errors]")
    layouts = [layout.id for layout in game.layouts]
    _check_distinct(f"{key}.layouts", "id", [layout.id for layout in instead.layouts])
    for index, layout in enumerate(instead.layouts):
        if layout.id not in layouts:
            raise RuleBookError(
                f'{key}.layouts[{index}].id: found "{layout.id}", which is no layout of this game; '
                f"write one of {', '.join(layouts)}"
            )
        for number, bet_id in enumerate(layout.bets):
            if bet_id not in bets or bet_id in layout.bets[:number]:
                raise RuleBookError(
                    f'{key}.layouts[{index}].bets[{number}]: found "{bet_id}"; write bets of this game, each once: '
                    f"{', '.join(bets)}"
                )


def _check_reread_table(key: str, other: Game) -> None:
    """Every bet and every offer of a game can still come about under another Table of Play."""
    try:
        check_table(other.printed_table)
        _check_bets(other)
        for number, table in enumerate(other.insurance):
            if other.insurance_terms is not None:
                _check_offers(f"insurance[{number}]", table, other.insurance_terms, other.table_of_play)
    except RuleBookError as error:
        raise RuleBookError(f"{key}.banker_draws_against_natural: {error}") from None


def _check_instead(key: str, game: Game, other: Game, instead: Instead) -> None:
    """The game under the other reading holds together as the game itself does."""
    for bet_id in (bet.id for bet in other.bets if not bet.layouts):
        raise RuleBookError(f"{key}.layouts: leave {bet_id} on no layout; name it on one of them")
    if other.table_of_play != game.table_of_play:
        _check_reread_table(key, other)
    for index, bet in enumerate(instead.bets):
        _check_pays(f"{key}.bets[{index}].pays", bet.pays, other.table_of_play)
        insured = {table.side for table in game.insurance}
        on = {hand for hand in insured if (its := other.bet_on(hand)) and its.id == bet.id}
        if on and (looks_at := _more_than_result(other.bet(bet.id))):
            raise RuleBookError(
                f'{key}.bets[{index}].pays: look at {looks_at}, but "{bet.id}" is a bet that can be insured'
            )
    if other.insurance_terms is None:
        return
    changed = {
        (table.side, table.stage): f"{key}.insurance[{index}]"
        for index, table in enumerate(instead.insurance)
    }
    for table in other.insurance:
        if instead.insurance_open or (table.side, table.stage) in changed:
            where = changed.get(
                (table.side, table.stage), f"{key}.insurance_open: {table.side}@{table.stage}"
            )
            _check_offers(where, table, other.insurance_terms, other.table_of_play)
    if instead.insurance_limits:
        _check_limits(f"{key}.insurance_limits", other, other.insurance_terms)
    if instead.insurance:
        _check_stakes(f"{key}.insurance", other)
