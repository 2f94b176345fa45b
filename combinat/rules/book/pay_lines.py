"""The lines of a pay table must hold together: each can happen, no two cover one outcome, and something is paid."""

from collections.abc import Iterable, Iterator, Sequence
from math import lcm
from operator import contains

from combinat.rules import bounds
from combinat.rules.bet import Facts, Pay
from combinat.rules.book.reader import Found, Mistake
from combinat.rules.deal_space import Deal, deal_space
from combinat.rules.document import RuleDocument
from combinat.rules.facts import BY_NAME, NATURAL_FACTS
from combinat.rules.outcome import NATURALS
from combinat.rules.table_of_play import TableOfPlay
from combinat.rules.value_sets import NumberSet

Mistakes = Iterator[Mistake]


def bet_mistakes(found: Found[RuleDocument], game: RuleDocument, table: TableOfPlay) -> Mistakes:
    """Where the pay tables of a game do not hold together, and two bets on one hand."""
    bet_on: dict[object, str] = {}
    for key, bet in found.entries("bets", game.bets):
        yield from pay_mistakes(found, f"{key}.pays", bet.pays, table)
        if bet.hand is not None and bet_on.setdefault(bet.hand, key) != key:
            yield Mistake(
                f"{key}.hand",
                f'found "{bet.hand}" again (first in {bet_on[bet.hand]}); one bet is the bet on a hand',
            )


def pay_mistakes(found: Found[RuleDocument], key: str, pays: Sequence[Pay], table: TableOfPlay) -> Mistakes:
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
    yield from unit_mistakes(key, (pay.odds.net.denominator for pay in pays if pay.odds is not None))


def unit_mistakes(key: str, parts: Iterable[int]) -> Mistakes:
    """Odds that no unit of a size that can be written has in common."""
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
            f'"{NumberSet(table.natural)}"; write points and cards, such as player_points = 9, player_cards = 2',
        )
    deals = deal_space(table) if pay.exceptions else None
    for number, exception in enumerate(pay.exceptions):
        where = f"{key}.except[{number}]"
        if not exception.facts:
            yield Mistake(where, "names no facts; write what is taken out, such as player_cards = 3")
        elif deals is not None and not deals.having(pay.facts) & deals.having(exception.facts):
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
    if excepted := deals.example(deals.having(pay.facts)):
        return f"{excepted} has its facts, but an exception takes it out"
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
