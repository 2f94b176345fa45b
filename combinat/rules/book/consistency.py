"""What must hold within one rule book, beyond the types of its values.

Every check yields the mistakes that it finds and never raises. Whatever the reader refused is not checked again: each
check first asks whether the keys that it looks at were read.
"""

from collections.abc import Generator, Iterable, Iterator, Sequence
from itertools import product
from math import lcm
from operator import contains

from combinat.base.errors import InputError, near_matches, shortened
from combinat.rules import bounds
from combinat.rules.bet import Bet, Facts, Pay
from combinat.rules.book.reader import Found, Mistake
from combinat.rules.cards import Rank, parse_cards
from combinat.rules.deal_space import Deal, deal_space
from combinat.rules.document import Instead, Interpretation, RuleDocument
from combinat.rules.examples import FIGURES, Example, Expect
from combinat.rules.facts import BY_NAME, NATURAL_FACTS
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
from combinat.rules.odds import PointSet
from combinat.rules.outcome import NATURALS, Winner
from combinat.rules.practice import OF_A_TABLE, OF_DEALING_ERRORS
from combinat.rules.procedure import Effect, Fact, Procedure, Ruling
from combinat.rules.table_of_play import COMMON_TABLE, Hand, PrintedTable, TableOfPlay, table_mistakes

Mistakes = Iterator[Mistake]


def whole(game: RuleDocument) -> Found[RuleDocument]:
    """A game in which nothing was refused, as the checks take it."""
    return Found(game, [], {}, set(), set())


def inconsistencies(found: Found[RuleDocument]) -> Mistakes:
    """Where a rule book contradicts itself or the Table of Play."""
    game = found.record
    if game is None:
        return
    recounts = sum(map(_counts_again, game.interpretations))
    if recounts > bounds.RECOUNTS:
        yield Mistake(
            "interpretations",
            f"found {recounts} with void_bets or banker_draws_against_natural; write at most {bounds.RECOUNTS}",
        )
        return
    is_approved = not game.is_draft and not found.is_refused("status")
    if is_approved and game.effective is None and not found.is_refused("effective"):
        yield Mistake("effective", "missing; give it a date, such as 2025-08-08")
    if not found.is_refused("decks"):
        yield from _decks(game)
    yield from _layouts(found, game)
    of_table = list(_table_of_play(found, game))
    yield from of_table
    # Lines and offers are checked with a table that holds together.
    is_sound = not found.is_refused("table_of_play") and not of_table
    table = game.table_of_play if is_sound else COMMON_TABLE.cells
    if not game.bets and not found.is_refused("bets"):
        yield Mistake("bets", "found none; write at least one [[bets]]")
    yield from _bets(found, game, table)
    yield from _procedures(found, game)
    yield from _insurance(found, game, table)
    yield from _interpretations(found, game)
    yield from _examples(found, game, table)
    yield from _expectations(found, game)


def _counts_again(entry: Interpretation) -> bool:
    """Whether the other reading of an entry has every bet counted again."""
    instead = entry.instead
    return instead is not None and (
        instead.void_bets is not None or instead.banker_draws_against_natural is not None
    )


def _decks(game: RuleDocument) -> Mistakes:
    least, most = game.decks.least, game.decks.most
    if not 1 <= least <= most:
        yield Mistake(
            "decks", f"found least = {least}, most = {most}; write the fewest decks first, both 1 or more"
        )
    elif most > bounds.DECKS or most - least >= bounds.SHOES:
        yield Mistake(
            "decks",
            f"found least = {least}, most = {most}; "
            f"write at most {bounds.SHOES} numbers of decks, up to {bounds.DECKS}",
        )


def _again(key: str, part: str, values: Sequence[tuple[str, object]]) -> Mistakes:
    """Values that stand in a list twice; each with the key of its entry."""
    first: dict[object, str] = {}
    for entry, value in values:
        if first.setdefault(value, entry) != entry:
            yield Mistake(
                f"{entry}.{part}", f'found "{value}" again (first in {first[value]}); write each {part} once'
            )


# ---------------------------------------------------------------- layouts, table of play


def _layouts(found: Found[RuleDocument], game: RuleDocument) -> Mistakes:
    layouts = found.entries("layouts", game.layouts)
    known = list(dict.fromkeys(layout.id for _, layout in layouts if layout.id))
    if not layouts and not found.is_refused("layouts"):
        yield Mistake("layouts", "found none; write at least one [[layouts]]")
    again = list(_again("layouts", "id", [(key, layout.id.upper()) for key, layout in layouts if layout.id]))
    yield from again
    for key, layout in layouts:
        positions = layout.positions
        if (
            not found.is_refused(f"{key}.positions")
            and positions is not None
            and not 1 <= positions.least <= positions.most <= bounds.POSITIONS
        ):
            yield Mistake(
                f"{key}.positions",
                f"found least = {positions.least}, most = {positions.most}; "
                f"write the fewest first, both from 1 to {bounds.POSITIONS}",
            )
    for key, bet in found.entries("bets", game.bets):
        if not found.is_refused(f"{key}.layouts") and bet.layouts is not None:
            yield from _layouts_of(found, f"{key}.layouts", bet, [] if again else known)


def _layouts_of(found: Found[RuleDocument], key: str, bet: Bet, known: list[str]) -> Mistakes:
    if not bet.layouts and known:
        yield Mistake(key, f"found none; name the layouts that offer {bet.name}: {', '.join(known)}")
    for index, layout_id in enumerate(bet.layouts):
        if layout_id in bet.layouts[:index]:
            yield Mistake(f"{key}[{index}]", f'found "{layout_id}" again; write each layout once')
        elif known and layout_id not in known and layout_id not in found.named:
            yield Mistake(
                f"{key}[{index}]",
                f'found "{layout_id}", which is no layout of this game; write some of {", ".join(known)}',
            )


def _table_of_play(found: Found[RuleDocument], game: RuleDocument) -> Mistakes:
    """A printed table holds together, and its clauses stand in one place."""
    if not found.is_refused("clauses") and not found.is_refused("table_of_play"):
        in_table = {"table_of_play": "clause", "third_cards": "stood_clause"}
        for key, its_key in in_table.items():
            clause = getattr(game.clauses, key)
            if game.stated_table is None and not clause:
                yield Mistake(
                    "clauses",
                    f'the key {key} is missing; give it text in quotes, such as "4.1.2", '
                    f"or state [table_of_play] with its {its_key}",
                )
            if game.stated_table is not None and clause:
                yield Mistake(
                    f"clauses.{key}",
                    f'found "{clause}", but table_of_play.{its_key} states it; take it out here',
                )
    if game.stated_table is not None and not found.is_refused("table_of_play"):
        yield from _printed_table(game.stated_table)


def _printed_table(table: PrintedTable) -> Mistakes:
    return (Mistake(f"table_of_play.{key}", what) for key, what in table_mistakes(table))


# ---------------------------------------------------------------- bets


def _bets(found: Found[RuleDocument], game: RuleDocument, table: TableOfPlay) -> Mistakes:
    bet_on: dict[object, str] = {}
    for key, bet in found.entries("bets", game.bets):
        yield from _pays(found, f"{key}.pays", bet.pays, table)
        if bet.hand is not None and bet_on.setdefault(bet.hand, key) != key:
            yield Mistake(
                f"{key}.hand",
                f'found "{bet.hand}" again (first in {bet_on[bet.hand]}); one bet is the bet on a hand',
            )


def _pays(found: Found[RuleDocument], key: str, pays: Sequence[Pay], table: TableOfPlay) -> Mistakes:
    """Every line can happen, no two lines cover one outcome, and something is paid."""
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
        of_line = list(_line(where, pay, table))
        yield from of_line
        if any(mistake.key == where or ".except[" in mistake.key for mistake in of_line):
            continue  # whatever else it covers follows from that
        if not _both(pay, pay, table):
            near = nearest_deal(pay, table)
            yield Mistake(where, f"no round can come to this; check its facts against each other; {near}")
            continue
        sound.append((where, pay))
        for earlier, other in sound[:-1]:
            if _both(other, pay, table):
                deal = both_covered(other, pay, table)
                yield Mistake(
                    where,
                    f"covers outcomes that {earlier} covers too"
                    f"{f', for example {deal}' if deal else ''}; "
                    "narrow one of them so that no outcome is paid twice",
                )
                break
    yield from _parts(key, (pay.odds.net.denominator for pay in pays if pay.odds is not None))


def _parts(key: str, parts: Iterable[int]) -> Mistakes:
    if lcm(*parts) > bounds.UNIT:
        yield Mistake(
            key, "found numbers that only a unit in more than 10^100 parts has in common; write rounder ones"
        )


def _line(key: str, pay: Pay, table: TableOfPlay) -> Mistakes:
    """A line names what it pays on, takes something out with each exception, and states its commission once."""
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
    if table.natural != NATURALS and not pay.named.isdisjoint(NATURAL_FACTS):
        yield Mistake(
            key,
            f"speaks of a natural, which to a bet is 8 or 9 with two cards, but table_of_play.natural is "
            f'"{PointSet(table.natural)}"; write points and cards, such as player_points = 9, player_cards = 2',
        )
    deals = deal_space(table) if pay.exceptions else None
    for number, exception in enumerate(pay.exceptions):
        where = f"{key}.except[{number}]"
        if not exception.facts:
            yield Mistake(where, "names no facts; write what is taken out, such as player_cards = 3")
        elif deals is not None and not deals.in_case(pay) & deals.in_case(exception):
            yield Mistake(where, "takes nothing out of the line; write facts that the line covers")


def both_covered(line: Pay, other: Pay, table: TableOfPlay) -> Deal | None:
    """A deal that both lines cover, or None."""
    deals = deal_space(table)
    return deals.example(deals.covered(line) & deals.covered(other))


def _both(line: Pay, other: Pay, table: TableOfPlay) -> bool:
    """Whether some outcome is covered by both lines.

    For plain lines, the facts of the result and those of the first four cards are compared separately: that takes no
    time.
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
    return any(all(map(contains, accepted, values)) for values in deal_space(table).values(tuple(both)))


def nearest_deal(pay: Pay, table: TableOfPlay) -> str:
    """A deal that lacks one fact of a line that no round can come to, in words."""
    import msgspec  # only a mistake needs it

    deals = deal_space(table)
    if excepted := deals.example(deals.in_case(pay)):
        return f"{excepted} has its facts, but an exception takes it out"
    for fact in reversed(pay.facts):
        others = msgspec.structs.replace(pay, **{fact: None}, exceptions=())
        if near := deals.example(deals.in_case(others)):
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


# ---------------------------------------------------------------- procedures

_EVERY_FACTS = [dict(zip(Fact, so, strict=True)) for so in product((True, False), repeat=len(Fact))]
"""Every combination of the facts."""


def _procedures(found: Found[RuleDocument], game: RuleDocument) -> Mistakes:
    """Every procedure can apply, no two of one incident apply at once, and options are stated where they are opened."""
    sound: list[tuple[str, Procedure]] = []
    for key, procedure in found.entries("procedures", game.procedures):
        for name, facts in (("if", procedure.only_if), ("unless", procedure.unless)):
            if len(set(facts)) < len(facts):
                yield Mistake(f"{key}.{name}", "found a fact again; write each once")
        if procedure.effect and procedure.effect.ruling is Ruling.OPTIONS and game.dealing_errors is None:
            yield Mistake(
                f"{key}.effect",
                f'found "{procedure.effect}", but the rule book states no options; '
                "write [dealing_errors] with the clause of each",
            )
        if found.is_refused(key):
            continue
        if not any(procedure.applies(facts) for facts in _EVERY_FACTS):
            yield Mistake(key, "its if and unless exclude each other; take a fact out of one of them")
            continue
        for earlier, other in sound:
            if other.answers == procedure.answers and _both_apply(other, procedure):
                yield Mistake(
                    key,
                    f'answers "{procedure.answers}" where {earlier} answers it too; '
                    "narrow the if or unless of one of them",
                )
        sound.append((key, procedure))
    yield from _excluded(found, game)


def _excluded(found: Found[RuleDocument], game: RuleDocument) -> Mistakes:
    """Every procedure that excludes options is one of the book, has a condition, and opens no options itself."""
    by_id = {procedure.id: procedure for procedure in game.procedures if procedure.id}
    for number, excluded in enumerate(game.dealing_errors.excludes if game.dealing_errors else ()):
        key = f"dealing_errors.excludes[{number}]"
        if excluded not in by_id:
            if not _is_named(found, excluded, list(by_id)):
                known = ", ".join(by_id) or "none"
                yield Mistake(key, f'no procedure is called "{shortened(excluded)}"; there are {known}')
        elif not found.is_refused("procedures") and (
            not by_id[excluded].facts or by_id[excluded].effect.ruling is Ruling.OPTIONS
        ):
            yield Mistake(
                key, f'found "{shortened(excluded)}"; write a procedure that has an if and opens no options'
            )


def _both_apply(procedure: Procedure, other: Procedure) -> bool:
    return any(procedure.applies(facts) and other.applies(facts) for facts in _EVERY_FACTS)


# ---------------------------------------------------------------- insurance


def _insurance(found: Found[RuleDocument], game: RuleDocument, table: TableOfPlay) -> Mistakes:
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
    yield from _limits(found, "insurance_terms.limits", game, terms, all_offers=not offers)
    if not is_refused:
        yield from _stakes("insurance", game)


def _insurance_tables(
    found: Found[RuleDocument], game: RuleDocument, terms: InsuranceTerms, table: TableOfPlay
) -> Mistakes:
    """Each table insures a bet that the result alone decides, and its offers can arise."""
    tables = found.entries("insurance", game.insurance)
    named = [(key, str(one.insured)) for key, one in tables if one.side and one.stage]
    again = list(_again("insurance", "stage", named))
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
            yield from _offers(found, key, one, terms, table)


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
    elif looks_at := _more_than_result(insured):
        yield Mistake(
            f"{key}.side",
            f'the bet "{insured.id}" looks at {looks_at}; '
            "insurance is on a bet that the result alone decides",
        )


def _more_than_result(bet: Bet) -> str:
    """What a bet looks at beside the totals and numbers of cards; empty: nothing."""
    return "pairs" if bet.needs_ranks else "third cards" if bet.looks_at_thirds else ""


def _offers(
    found: Found[RuleDocument], key: str, table: InsuranceTable, terms: InsuranceTerms, play: TableOfPlay
) -> Mistakes:
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


def _limits(
    found: Found[RuleDocument],
    key: str,
    game: RuleDocument,
    terms: InsuranceTerms,
    *,
    all_offers: bool = True,
) -> Mistakes:
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


def _stakes(key: str, game: RuleDocument) -> Mistakes:
    """Stakes to a limit are divided by the odds, with or without the stake, and all meet in one figure."""
    nets = [offer.odds.net for offer in game.offers.values()]
    return _parts(
        key, (part for net in nets for part in (net.numerator, net.denominator, (net + 1).numerator))
    )


# ---------------------------------------------------------------- other readings


def _interpretations(found: Found[RuleDocument], game: RuleDocument) -> Mistakes:
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
        yield from _other_reading(instead, game, entry)


_BUILT_ON = ("layouts", "void", "bets", "insurance", "insurance_terms", "practice", "table_of_play")
"""The keys that another reading builds on."""


def _is_sound(found: Found[RuleDocument], game: RuleDocument, instead: Instead) -> bool:
    """Whether everything that another reading builds on was read."""
    bets = [bet.id for bet in game.bets]
    return all(bet.id in bets for bet in instead.bets) and not any(map(found.is_refused, _BUILT_ON))


def _other_reading(key: str, game: RuleDocument, entry: Interpretation) -> Mistakes:
    other = game.read_otherwise(entry.id)
    if other == game:
        yield Mistake(key, "changes nothing; write the other reading as data")
    else:
        yield from _reread(key, game, other, entry.instead)


def _is_named(found: Found[RuleDocument], wanted: str, known: Sequence[str]) -> bool:
    """Whether an id is that, or nearly that, of an entry of the file that could not be read."""
    if "" in found.named or not known:
        return True  # it may be that of an entry whose id could not be read
    return bool(near_matches(wanted, [name for name in found.named if name not in known]))


def _names(found: Found[RuleDocument], key: str, game: RuleDocument, instead: Instead) -> Mistakes:
    """What the other reading replaces is there to be replaced, and replaced once."""
    bets = list(dict.fromkeys(bet.id for bet in game.bets if bet.id))
    others = [(where, bet.id) for where, bet in found.entries(f"{key}.bets", instead.bets) if bet.id]
    yield from _again(f"{key}.bets", "id", others)
    for where, bet_id in others:
        if bet_id not in bets and not _is_named(found, bet_id, bets):
            yield Mistake(
                f"{where}.id",
                f'found "{bet_id}", which is no bet of this game; write one of {", ".join(bets)}',
            )
    tables = [
        (where, table)
        for where, table in found.entries(f"{key}.insurance", instead.insurance)
        if table.side and table.stage
    ]
    yield from _again(f"{key}.insurance", "stage", [(where, str(table.insured)) for where, table in tables])
    for where, table in tables:
        if game.insurance_table(table.side, table.stage) is None and not found.is_refused("insurance"):
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
    yield from _other_layouts(found, key, game, instead, bets)


def _other_layouts(
    found: Found[RuleDocument], key: str, game: RuleDocument, instead: Instead, bets: Sequence[str]
) -> Mistakes:
    layouts = [layout.id for layout in game.layouts if layout.id]
    others = [one for one in found.entries(f"{key}.layouts", instead.layouts) if one[1].id]
    yield from _again(f"{key}.layouts", "id", [(where, layout.id) for where, layout in others])
    for where, layout in others:
        if layout.id not in layouts and not found.is_refused("layouts"):
            yield Mistake(
                f"{where}.id",
                f'found "{layout.id}", which is no layout of this game; write one of {", ".join(layouts)}',
            )
        for number, bet_id in enumerate(layout.bets):
            unknown = bet_id not in bets and bet_id not in found.named
            if unknown or bet_id in layout.bets[:number]:
                yield Mistake(
                    f"{where}.bets[{number}]",
                    f'found "{bet_id}"; write bets of this game, each once: {", ".join(bets)}',
                )


def _other_pays(found: Found[RuleDocument], key: str, game: RuleDocument, instead: Instead) -> Mistakes:
    """The pay tables of another reading; a reading that changes the Table of Play is looked at as a whole."""
    if instead.banker_draws_against_natural is not None:
        return
    table = COMMON_TABLE.cells if found.is_refused("table_of_play") else game.table_of_play
    for where, bet in found.entries(f"{key}.bets", instead.bets):
        yield from _pays(found, f"{where}.pays", bet.pays, table)


def _reread(key: str, game: RuleDocument, other: RuleDocument, instead: Instead) -> Mistakes:
    """The game under the other reading holds together as the game itself does."""
    for bet_id in (bet.id for bet in other.bets if not bet.layouts and game.bet(bet.id).layouts):
        yield Mistake(f"{key}.layouts", f"leave {bet_id} on no layout; name it on one of them")
    if other.table_of_play != game.table_of_play:
        yield from _reread_table(key, other)
        for index, bet in enumerate(instead.bets):
            yield from _pays(whole(other), f"{key}.bets[{index}].pays", bet.pays, other.table_of_play)
    for index, bet in enumerate(instead.bets):
        insured = {table.side for table in game.insurance}
        on = {hand for hand in insured if (its := other.bet_on(hand)) and its.id == bet.id}
        if on and (looks_at := _more_than_result(other.bet(bet.id))):
            yield Mistake(
                f"{key}.bets[{index}].pays",
                f'look at {looks_at}, but "{bet.id}" is a bet that can be insured',
            )
    if other.insurance_terms is not None:
        yield from _reread_insurance(key, other, other.insurance_terms, instead)


def _reread_table(key: str, other: RuleDocument) -> Mistakes:
    """Every bet and every offer of a game can still come about under another Table of Play."""
    mistakes = [
        *_printed_table(other.printed_table),
        *_bets(whole(other), other, other.table_of_play),
    ]
    if other.insurance_terms is not None:
        for number, table in enumerate(other.insurance):
            offers = _offers(
                whole(other), f"insurance[{number}]", table, other.insurance_terms, other.table_of_play
            )
            mistakes += offers
    for mistake in mistakes[:1]:
        yield Mistake(f"{key}.banker_draws_against_natural", str(mistake))


def _reread_insurance(key: str, other: RuleDocument, terms: InsuranceTerms, instead: Instead) -> Mistakes:
    changed = {
        (table.side, table.stage): f"{key}.insurance[{index}]"
        for index, table in enumerate(instead.insurance)
    }
    for table in other.insurance:
        where = changed.get((table.side, table.stage))
        if where is not None:
            yield from _offers(whole(other), where, table, terms, other.table_of_play)
        elif instead.insurance_open:
            for mistake in _offers(whole(other), str(table.insured), table, terms, other.table_of_play):
                yield Mistake(f"{key}.insurance_open", str(mistake))
                break
    if instead.insurance_limits:
        yield from _limits(whole(other), f"{key}.insurance_limits", other, terms)
    if instead.insurance:
        yield from _stakes(f"{key}.insurance", other)


# ---------------------------------------------------------------- examples and published figures


def _examples(found: Found[RuleDocument], game: RuleDocument, table: TableOfPlay) -> Mistakes:
    """Every example comes to the line that it names."""
    for key, example in found.entries("examples", game.examples):
        player = yield from _cards(f"{key}.player", example.player)
        banker = yield from _cards(f"{key}.banker", example.banker)
        bet = yield from _bet_of(found, key, game, example.bet)
        if player is None or banker is None or bet is None or example.line is None:
            continue
        if table != game.table_of_play:
            continue
        yield from _comes_to(found, key, game, example, bet[0], bet[1], player, banker)


def _comes_to(
    found: Found[RuleDocument],
    key: str,
    game: RuleDocument,
    example: Example,
    bet_key: str,
    bet: Bet,
    player: tuple[Rank, ...],
    banker: tuple[Rank, ...],
) -> Mistakes:
    try:
        dealt = game.finished_round(player, banker)
    except InputError as error:
        yield Mistake(key, str(error))
        return
    line = bet.line_name(bet.line(dealt.outcome))
    if line != example.line and not found.is_refused(bet_key):
        yield Mistake(
            f"{key}.line",
            f'found "{example.line}", but {dealt} comes to "{line}" of {bet.id}; '
            "correct the example, or the facts of the line",
        )


def _expectations(found: Found[RuleDocument], game: RuleDocument) -> Mistakes:
    """Every published figure is of something that the game has."""
    for key, expect in found.entries("expect", game.expect):
        if expect.decks is not None and not 1 <= expect.decks <= bounds.DECKS:
            yield Mistake(
                f"{key}.decks",
                f"found {expect.decks}; write a number of decks from 1 to {bounds.DECKS}",
            )
        if not found.is_refused(key) and not _is_one_figure(expect):
            stated = ", ".join(expect.figures) or "none"
            yield Mistake(
                key,
                f"found {stated}; write one published figure: {', '.join(FIGURES[:-1])}, "
                "or line with its probability",
            )
        of = yield from _bet_of(found, key, game, expect.bet)
        if of is not None and expect.line and not found.is_refused(of[0]):
            lines = [of[1].line_name(pay) for pay in (*of[1].pays, None)]
            if expect.line not in lines:
                yield Mistake(f"{key}.line", f'found "{expect.line}"; write one of {", ".join(lines)}')


def _is_one_figure(expect: Expect) -> bool:
    return len(expect.figures) == 1 and bool(expect.line) == (expect.probability is not None)


def _cards(key: str, cards: str | None) -> Generator[Mistake, None, tuple[Rank, ...] | None]:
    if cards is None:
        return None
    try:
        return parse_cards(cards)
    except InputError as error:
        yield Mistake(key, str(error))
        return None


def _bet_of(
    found: Found[RuleDocument], key: str, game: RuleDocument, bet_id: str | None
) -> Generator[Mistake, None, tuple[str, Bet] | None]:
    """The bet that an entry names, with its key."""
    for where, bet in found.entries("bets", game.bets):
        if bet.id is not None and bet.id == bet_id:
            return where, bet
    known = [bet.id for bet in game.bets if bet.id]
    if bet_id is not None and not _is_named(found, bet_id, known):
        bets = ", ".join(dict.fromkeys(bet.id for bet in game.bets if bet.id))
        yield Mistake(f"{key}.bet", f'found "{bet_id}", which is no bet of this game; write one of {bets}')
    return None
