"""The checker: the statements of an analysis.json, each checked against the rule book alone.

    python3 -I checker.py analysis.json [--rule-book FILE] [--explain BET | HAND:STAGE:OWN-OTHER]

It uses the standard library and nothing of the program that wrote the file. It counts in its own way: six cards are
always dealt, needed or not, so that all ordered sequences of six cards weigh the same. Table of Play, pay tables,
insurance tables and other readings come from the rule book, which must have the SHA-256 that the file names.

Each stated count is counted again, each stated example is settled again, and each figure must follow from the counts
by the one table of formulas. Which examples and comparisons are stated, the program that wrote the file has chosen.
The checker prints how many numbers it checked in each part, and what it does not check: that is reproduced by
``combinat verify``, which also checks documents and certificate. ``--explain`` derives one figure as by hand.
"""

import sys

if __name__ == "__main__" and not sys.flags.safe_path:
    del sys.path[0]  # no file beside the checker is imported as a part of Python

import argparse
import hashlib
import json
import re
import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache, cached_property, lru_cache
from itertools import accumulate, combinations, combinations_with_replacement, product
from math import lcm, perm
from operator import lshift
from pathlib import Path
from typing import Any, NamedTuple

SCHEMA = "combinat/analysis/5"
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
POINTS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0)
HANDS = ("player", "banker")
FOUR, THIRD = "four-cards", "player-third-card"
NATURALS = frozenset({8, 9})
REFERENCE_DECKS = 8
ZERO = Fraction(0)

Entry = dict[str, Any]  # an object of the file or of the rule book
Ways = list[int]  # the ways of several things in their order: of the lines of a bet, of CELLS
Shoe = tuple[int, ...]  # the number of cards of each rank
Ranks = tuple[tuple[int, int], ...]  # some cards: the place of a rank in RANKS, how many of it
Case = tuple[tuple[str, frozenset[Any]], ...]  # names of facts, each with the values that are accepted for it
Group = tuple[
    tuple[int, int], tuple[Any, ...]
]  # first four cards: totals of Player and Banker, values of some facts
State = tuple[
    str, str, int, int
]  # insurance: of which hand, at which stage, with which totals of Player and Banker
Ends = dict[
    tuple[State, int | None, int], list[int]
]  # insurance, the third card if seen, its line: after which CELLS
Split = dict[
    tuple[Any, ...], Ways
]  # the ways of insurance, by facts of the first four cards and the third, if seen
Statement = tuple[str, str, Any, Any]  # part, place, the value as found, the right one


class Malformed(Exception):  # noqa: N818  # the name is the verdict
    """The file could not be checked."""


class Rejected(Exception):  # noqa: N818  # the name is the verdict
    """The file was checked, and a value in it is wrong."""


FAULTS = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""What Python raises where a file or a rule book has an unexpected shape."""


def need(condition: object, message: str) -> None:
    """Refuse a file that cannot be checked, unless the condition is true."""
    if not condition:
        raise Malformed(message)


def hold(condition: object, message: str) -> None:
    """Reject a file with a wrong value, unless the condition is true."""
    if not condition:
        raise Rejected(message)


# ------------------------------------------------------------ 1 the rule book: bounds

MOST_BOOK_BYTES = 1_000_000
MOST_MARKS = 20_000  # keys (each part of a dotted one), tables and list entries
MOST_DEPTH = 10  # brackets within brackets
MOST_KEY_PARTS = 10  # parts of a dotted key
MOST_WORD = 100  # characters of a number, or of a key without quotes
MOST_LINES = 80  # lines of all pay tables together, those of other readings too
MOST_RECOUNTS = 4  # readings that change who draws, or what becomes of void rounds
MOST_ID, MOST_TEXT = 60, 100  # characters of an id; of another text that is shown with figures
MOST_ENTRIES = {"bets": 24, "pays": 20, "except": 6, "layouts": 50, "banker_draws": 10, "interpretations": 30}
MOST_ENTRIES |= {"insurance": 4, "offers": 100, "limits": 20, "insurance_limits": 20}
"""The longest list under each key of a rule book."""

QUOTED = re.compile(r"""("{3}|'{3})|"(?:[^"\\\n]|\\[^\n])*+"|'[^'\n]*+'|\#[^\n]*+""")
"""Three quotation marks; or a text of one line, or a comment."""


def bounded(text: str) -> str:
    """Return a TOML text that can be parsed at little cost: tomllib is slow at keys of many parts."""
    bare = QUOTED.sub(lambda match: match[1] or "~", text)
    need('"""' not in bare and "'''" not in bare, "rule book: a text of several lines")
    marks = len(re.findall(r"[\[{=.,]", bare))
    depths = accumulate((mark in "[{") - (mark in "]}") for mark in bare if mark in "[]{}")
    parts = max(key.count(".") + 1 for key in re.split(r"[\[\]{}=,\n]", bare))
    is_small = marks <= MOST_MARKS and max(depths, default=0) <= MOST_DEPTH and parts <= MOST_KEY_PARTS
    need(is_small, "rule book: too many keys and entries, brackets within brackets, or parts of a key")
    longest = max(map(len, re.split(r"[\s~\[\]{}=.,]", bare)))
    need(longest <= MOST_WORD, f"rule book: a number or bare key of {longest} characters")
    return text


def book_of(rule_book: bytes) -> Entry:
    """Return the data of a rule book that has no base and is within the bounds."""
    book = tomllib.loads(bounded(rule_book.decode()))
    need("base" not in book, "rule book: it has a base; a report holds the rule book written out whole")
    is_schema_1 = type(book.get("schema")) is int and book["schema"] == 1
    need(is_schema_1 and list_in(book, "bets"), "rule book: expected schema = 1 and at least one bet")
    instead = [one["instead"] for one in list_in(book, "interpretations")]
    lines = sum(len(list_in(bet, "pays")) for one in (book, *instead) for bet in list_in(one, "bets"))
    need(lines <= MOST_LINES, f"rule book: more than {MOST_LINES} lines in all pay tables together")
    recounts = sum("void_bets" in one or "banker_draws_against_natural" in one for one in instead)
    need(recounts <= MOST_RECOUNTS, f"rule book: more than {MOST_RECOUNTS} readings that change every bet")
    return book


def text_in(table: Entry, key: str, default: str | None = None, words: Sequence[str] = ()) -> str:
    """Return a text of the rule book; ``words``: it has to be one of these."""
    text: Any = table.get(key, default)
    need(isinstance(text, str), f"rule book: {key} is missing or no text")
    is_short = len(text) <= (MOST_ID if key == "id" else MOST_TEXT)
    need(is_short, f"rule book: {key} is a text of {len(text)} characters")
    need(not words or text in words, f"rule book: {key} is {text!a}, none of {', '.join(words)}")
    return str(text)


def list_in(table: Entry, key: str) -> list[Any]:
    """Return a list of the rule book; an empty one where the key is missing."""
    entries = table.get(key, [])
    is_list = isinstance(entries, list) and len(entries) <= MOST_ENTRIES[key]
    need(is_list, f"rule book: {key} is no list of up to {MOST_ENTRIES[key]}")
    return list(entries)


# ------------------------------------------------------------ 1 the rule book: odds, numbers, facts

NUMBER = r"(\d{1,9}(?:\.\d{1,9})?)"


def net_of(odds: str) -> Fraction:
    """Return the profit per unit staked: ``"3 to 2"`` is 3/2, ``"1 to 1 less 5%"`` is 19/20, ``"push"`` is 0."""
    if odds in ("push", "lose"):
        return Fraction(0 if odds == "push" else -1)
    match: Any = re.fullmatch(f"{NUMBER} to {NUMBER}(?: less {NUMBER}%)?", odds, re.ASCII)
    profit, stake, percentage = [Fraction(part or 0) for part in match.groups()] if match else [ZERO] * 3
    is_less = match and (match[3] is None or 0 < percentage < 100)
    need(profit and stake and is_less, f"rule book: {odds[:99]!a} are no odds")
    return profit / stake * (1 - percentage / 100)


def numbers_of(written: Any, *, digits: int = 1, none: bool = False) -> frozenset[Any]:
    """Return numbers: ``6``, ``"0-5,7-9"``. ``none``: whether ``"none"`` may be among them, for None."""
    numbers = set[int | None]()
    for part in str(written).split(","):
        match: Any = re.fullmatch(rf"(\d{{1,{digits}}})(?:-(\d{{1,{digits}}}))?", part, re.ASCII)
        is_known = match or (none and part == "none")
        need(is_known, f"rule book: {str(written)[:99]!a} are no numbers of up to {digits} digits")
        numbers |= set(range(int(match[1]), int(match[2] or match[1]) + 1)) if match else {None}
    return frozenset(numbers)


DIGITS = ("winning_points", "losing_points", "player_points", "banker_points", "player_third", "banker_third")
SUMS = ("total_points", "margin", "cards", "player_cards", "banker_cards", "winning_cards", "losing_cards")
NATURAL = ("natural", "player_natural", "banker_natural")
PAIRED = ("player_pair", "banker_pair", "player_point_pair", "banker_point_pair")
WORDS: dict[str, tuple[Any, ...]] = {
    "winner": (*HANDS, "tie"),
    **dict.fromkeys((*NATURAL, *PAIRED), (True, False)),
    **dict.fromkeys(("pairs", "point_pairs"), ("none", "single", "double", "twin")),
    **dict.fromkeys(("player_pair_of", "banker_pair_of"), RANKS),
}
"""The values of the facts that are no numbers."""
FACTS = (*WORDS, *DIGITS, *SUMS)
"""What a line of a pay table may look at in a round."""


def values_of(fact: str, written: Any) -> frozenset[Any]:
    """Return the values of a fact that a line accepts: numbers; or words, one or a list of them."""
    need(fact in FACTS, f"rule book: {fact[:99]!a} is nothing that a bet can look at")
    if fact not in WORDS:
        return numbers_of(written, digits=2 if fact in SUMS else 1, none=fact.endswith("third"))
    named = written if isinstance(written, list) else [written]
    is_known = named and all(any(one is word or one == word for word in WORDS[fact]) for one in named)
    need(is_known, f"rule book: {str(written)[:99]!a} is none of {', '.join(map(str, WORDS[fact]))}")
    return frozenset(named)


# ------------------------------------------------------------ 1 the rule book: pay tables


def case_of(written: Entry) -> Case:
    """Return facts as the rule book states them, each with the values that it accepts."""
    own = ("name", "odds", "clause", "commission", "except")
    return tuple((fact, values_of(fact, values)) for fact, values in written.items() if fact not in own)


class CheckedLine(NamedTuple):
    """A line of a wager: a round with these facts pays these odds, except in some cases."""

    name: str
    odds: str
    net: Fraction
    clause: str = ""
    facts: Case = ()
    exceptions: tuple[Case, ...] = ()

    def holds(self, facts: Entry) -> bool:
        """Whether a round with these facts is on this line."""
        cases = (self.facts, *self.exceptions)
        own, *others = [all(facts[fact] in values for fact, values in case) for case in cases]
        return own and not any(others)


RETURNED, LOST = CheckedLine("returned", "push", ZERO), CheckedLine("loses", "", Fraction(-1))


def line_of(pay: Entry) -> CheckedLine:
    """Return a line of a pay table as the rule book states it."""
    odds = text_in(pay, "odds")
    if "commission" in pay and not odds.endswith(f" less {text_in(pay, 'commission')}"):
        odds = f"{odds} less {text_in(pay, 'commission')}"
    name, clause = text_in(pay, "name", "") or "wins", text_in(pay, "clause", "")
    exceptions = tuple(case_of(case) for case in list_in(pay, "except"))
    return CheckedLine(name, odds, net_of(odds), clause, case_of(pay), exceptions)


class CheckedBet(NamedTuple):
    """A bet: the first line that fits a round settles it; the last line fits every round. ``hand``: it is on that hand.

    Or insurance at a state: its lines are won, returned and lost, and a tie on one of ``ties`` wins. ``settled``: the
    clause of its table. ``number``: of its first stated odds, counted through all tables.
    """

    name: str
    clause: str
    lines: tuple[CheckedLine, ...]
    number: int
    hand: str = ""
    ties: frozenset[int] = frozenset()
    settled: str = ""

    def line(self, facts: Entry) -> int:
        """Return the number of the line on which a round with these facts is."""
        return next(number for number, line in enumerate(self.lines) if line.holds(facts))

    def mean(self, ways: Ways) -> Fraction:
        """Return the average win of a unit staked, from the ways of each line."""
        unit = lcm(*(line.net.denominator for line in self.lines))
        wins = [int(line.net * unit) * count for line, count in zip(self.lines, ways, strict=True)]
        return Fraction(sum(wins), unit * sum(ways))


def bets_of(entries: Iterable[Entry]) -> Iterator[tuple[str, CheckedBet]]:
    """Yield every bet of a rule book by its id."""
    number = 1
    for entry in entries:
        rest = LOST if text_in(entry, "otherwise", "lose", ("lose", "push")) == "lose" else RETURNED
        bet, name, clause = [text_in(entry, key) for key in ("id", "name", "settled")]
        lines = (*map(line_of, list_in(entry, "pays")), rest)
        yield bet, CheckedBet(name, clause, lines, number, text_in(entry, "hand", ""))
        number += len(lines) - 1


# ------------------------------------------------------------ 1 the rule book: the Table of Play


class Play(NamedTuple):
    """The Table of Play: two-card totals, and for the Banker Hand by its total the Player's third cards."""

    natural: frozenset[int]
    player_draws: frozenset[int]
    banker_draws_when_player_stood: frozenset[int]
    banker_draws_against_natural: frozenset[int]
    banker_draws: tuple[frozenset[int], ...]


ROWS = (("0-2", "0-9"), (3, "0-7,9"), (4, "2-7"), (5, "4-7"), (6, "6-7"))
TABLE: Entry = {"natural": "8-9", "player_draws": "0-5", "banker_draws_when_player_stood": "0-5"}
TABLE["banker_draws"] = [{"points": points, "third": third} for points, third in ROWS]
"""The Table of Play of a rule book that states none, in the keys of one that does."""


def play_of(book: Entry) -> Play:
    """Return the Table of Play of a rule book. A total that no row names stands, if no higher one draws."""
    table = {"banker_draws_against_natural": "none"} | book.get("table_of_play", TABLE)
    totals = [numbers_of(table[key], none=True) - {None} for key in Play._fields[:4]]
    rows = dict[int, frozenset[int]]()
    for row in list_in(table, "banker_draws"):
        for points in numbers_of(row["points"]):
            need(points not in rows, f"rule book: table_of_play.banker_draws names {points} twice")
            rows[points] = numbers_of(row["third"], none=True) - {None}
    natural, drawn = totals[0], {*rows}.union(*totals[1:])
    need(not natural & drawn, "rule book: table_of_play lets a natural draw")
    goes_on = [points for points in range(10) if points not in natural]
    highest = max(rows, default=min(goes_on, default=-1))
    missing = [points for points in goes_on if points <= highest and points not in rows]
    need(not missing, f"rule book: table_of_play.banker_draws does not name {min(missing, default=0)}")
    return Play._make([*totals, tuple(rows.get(points, frozenset()) for points in range(10))])


# ------------------------------------------------------------ 1 the rule book: insurance


def offers_of(tables: Sequence[Entry]) -> Iterator[tuple[State, CheckedBet]]:
    """Yield every insurance state of a rule book with its offer, in the order of its lines."""
    number = 0
    for table in tables:
        hand, stage = text_in(table, "side", None, HANDS), text_in(table, "stage", None, (FOUR, THIRD))
        settled = text_in(table, "settled", "")
        for line in list_in(table, "offers"):
            number += 1
            odds, clause = text_in(line, "odds"), text_in(line, "clause", "") or settled
            lines = (CheckedLine("wins", odds, net_of(odds)), RETURNED, LOST)
            need(lines[0].net > 0, "rule book: insurance that pays nothing")
            ties = numbers_of(line["tie_pays"]) if "tie_pays" in line else frozenset[int]()
            offer = CheckedBet("insurance", clause, lines, number, hand, ties, settled)
            players, bankers = numbers_of(line["player_points"]), numbers_of(line["banker_points"])
            for player, banker in product(sorted(players), sorted(bankers)):
                yield (hand, stage, player, banker), offer


# ------------------------------------------------------------ 1 the rule book: other readings

ELSEWHERE = {
    "insurance_open": ("insurance_terms", "open"),
    "tied_bets": ("practice", "tied_bets"),
    "banker_draws_against_natural": ("table_of_play", "banker_draws_against_natural"),
}
"""Keys of another reading that counts depend on: the table of the rule book and the key that each replaces."""


def reread(book: Entry, readings: Iterable[Entry]) -> Entry:
    """Return the rule book with other readings in it, as far as counts depend on them: another rule book."""
    other: Entry = {"practice": {}, "table_of_play": TABLE} | book
    bets, tables = list_in(book, "bets"), list_in(book, "insurance")
    for instead in readings:
        pays = {bet["id"]: {"pays": list_in(bet, "pays")} for bet in list_in(instead, "bets")}
        listed = list_in(instead, "insurance")
        offers = {(one["side"], one["stage"]): {"offers": list_in(one, "offers")} for one in listed}
        bets = [bet | pays.get(bet["id"], {}) for bet in bets]
        tables = [one | offers.get((one["side"], one["stage"]), {}) for one in tables]
        for key, (table, name) in ELSEWHERE.items():
            if key in instead and table in other:
                other[table] = other[table] | {name: instead[key]}
    return other | {"bets": bets, "insurance": tables}


def places_of(book: Entry, instead: Entry) -> set[tuple[Any, ...]]:
    """Return the places of the rule book that another reading changes."""
    places: set[tuple[Any, ...]] = {(key,) for key in instead if key not in MOST_ENTRIES}
    places |= {(key, text_in(one, "id")) for key in ("bets", "layouts") for one in list_in(instead, key)}
    places |= {(text_in(one, "side"), text_in(one, "stage")) for one in list_in(instead, "insurance")}
    own, others = list_in(book.get("insurance_terms", {}), "limits"), list_in(instead, "insurance_limits")
    if others and len(own) != len(others):
        return places | {("limits", number) for number in range(max(1, len(own)))}
    return places | {("limits", number) for number, limit in enumerate(others) if limit != own[number]}


# ------------------------------------------------------------ 2 a round


class RoundByPoints(NamedTuple):
    """A round by points: the totals of two cards, the third cards if any, and the final totals."""

    player: int
    banker: int
    third: int | None
    last: int | None
    player_total: int
    banker_total: int

    @property
    def cards(self) -> tuple[int, int]:
        """The numbers of cards of Player Hand and Banker Hand."""
        return 2 + (self.third is not None), 2 + (self.last is not None)


def course_of(play: Play, player: int, banker: int, fifth: int, sixth: int) -> RoundByPoints:
    """Return how a round goes on from two-card totals when these two cards come next: the Table of Play."""
    third = last = None
    if banker in play.natural:  # nobody draws
        pass
    elif player in play.natural:  # nobody draws, except the Banker Hand under another reading
        if banker in play.banker_draws_against_natural:
            last = fifth
    elif player in play.player_draws:  # the Player Hand draws, then the Banker Hand by its row of the table
        third = fifth
        if third in play.banker_draws[banker]:
            last = sixth
    elif banker in play.banker_draws_when_player_stood:
        last = fifth
    player_total, banker_total = (player + (third or 0)) % 10, (banker + (last or 0)) % 10
    return RoundByPoints(player, banker, third, last, player_total, banker_total)


CELLS: list[tuple[int, int]] = [(fifth, sixth) for fifth in range(10) for sixth in range(10)]
"""The fifth card with the sixth, by points: the place of a pair in this list is ten times the fifth plus the sixth."""


@lru_cache(maxsize=16)
def courses_of(play: Play) -> dict[tuple[int, int], list[RoundByPoints]]:
    """Return, by two-card totals, how a round goes on with every fifth and sixth card."""
    return {totals: [course_of(play, *totals, *cell) for cell in CELLS] for totals in CELLS}


FIRST_FACTS = (*PAIRED, "pairs", "point_pairs", "player_pair_of", "banker_pair_of", "points_of_hands")
"""The facts of the first four cards; all others are facts of the course of the round."""


def first_facts(player: Sequence[int], banker: Sequence[int]) -> Entry:
    """Return the facts of two hands, each the places of its first two cards in ``RANKS``."""
    ranks = [RANKS[one] if one == two else None for one, two in (player, banker)]
    points = [POINTS[one] if POINTS[one] == POINTS[two] else None for one, two in (player, banker)]
    has_pair = [of is not None for of in (*ranks, *points)]
    words = [("none", "single", "double")[sum(has)] for has in (has_pair[:2], has_pair[2:])]
    is_twin = [both[0] is not None and both[0] == both[1] for both in (ranks, points)]
    words = ["twin" if twin else word for twin, word in zip(is_twin, words, strict=True)]
    hands = tuple(tuple(sorted(POINTS[rank] for rank in hand)) for hand in (player, banker))
    return dict(zip(FIRST_FACTS, (*has_pair, *words, *ranks, hands), strict=True))


@cache
def facts_of(course: RoundByPoints) -> Entry:
    """Return the facts of the course of a round, and the course itself."""
    points = {"player": course.player_total, "banker": course.banker_total}
    cards = dict(zip(HANDS, course.cards, strict=True))
    natural = {hand: cards[hand] == 2 and points[hand] in NATURALS for hand in HANDS}
    winner = loser = "tie"
    if points["player"] != points["banker"]:
        winner, loser = HANDS if points["player"] > points["banker"] else HANDS[::-1]
    facts: Entry = {"course": course, "winner": winner}
    facts |= {"player_third": course.third, "banker_third": course.last}
    for who, hand in (("player", "player"), ("banker", "banker"), ("winning", winner), ("losing", loser)):
        facts |= {f"{who}_points": points.get(hand), f"{who}_cards": cards.get(hand)}
    facts |= {"total_points": sum(points.values()), "margin": abs(points["player"] - points["banker"])}
    facts |= {"player_natural": natural["player"], "banker_natural": natural["banker"]}
    return facts | {"cards": sum(cards.values()), "natural": any(natural.values())}


# ------------------------------------------------------------ 3 six cards, always


def fresh(decks: int) -> Shoe:
    """Return a shoe of this many decks."""
    return (4 * decks,) * 13


@cache
def every_four(names: tuple[str, ...]) -> Counter[tuple[Group, Ranks, tuple[int, ...]]]:
    """Return in how many orders all first four cards come: their group by facts of these names, ranks, and points."""
    orders = Counter[tuple[Group, Ranks, tuple[int, ...]]]()
    for player, banker in product(combinations_with_replacement(range(13), 2), repeat=2):
        facts = first_facts(player, banker)
        one, two = facts["points_of_hands"]
        group = (sum(one) % 10, sum(two) % 10), tuple([facts[name] for name in names])
        ranks = tuple(sorted(Counter((*player, *banker)).items()))
        both = (1 + (player[0] != player[1])) * (1 + (banker[0] != banker[1]))
        orders[group, ranks, tuple(sorted((*one, *two)))] += both
    return orders


@lru_cache(maxsize=32)
def deal(shoe: Shoe, names: tuple[str, ...]) -> dict[Group, Ways]:
    """Return the ways to deal six cards from a shoe, for each of ``CELLS``, grouped as ``every_four`` groups them.

    The ways for each fifth and sixth card are the hundred digits of one number, in the order of ``CELLS``, so that all
    are multiplied and summed at once. A digit has room for all sequences of six cards, so no digit overflows.
    """
    size = perm(sum(shoe), 6).bit_length() // 8 + 1  # the bytes of a digit
    bits, starts = range(0, 800 * size, 8 * size), range(0, 100 * size, size)
    copies = [[perm(cards, drawn) for drawn in range(5)] for cards in shoe]
    by_points = [sum(n for n, of in zip(shoe, POINTS, strict=True) if of == points) for points in range(10)]
    first_fours = Counter[tuple[Group, tuple[int, ...]]]()
    for (group, ranks, points), ways in every_four(names).items():
        for rank, drawn in ranks:
            ways *= copies[rank][drawn]
        first_fours[group, points] += ways

    @cache
    def last_two(gone: tuple[int, ...]) -> int:
        left = [cards - gone.count(points) for points, cards in enumerate(by_points)]
        sixths = sum(map(lshift, left, bits))
        fifths = [cards * (sixths - (1 << bits[points])) for points, cards in enumerate(left)]
        return sum(map(lshift, fifths, bits[::10]))

    dealt = Counter[Group]()
    for (group, points), ways in (+first_fours).items():
        dealt[group] += ways * last_two(points)  # for each fifth and sixth card at once: digit by digit
    digits = {group: number.to_bytes(100 * size, "little") for group, number in dealt.items()}
    return {
        group: [int.from_bytes(number[start : start + size], "little") for start in starts]
        for group, number in digits.items()
    }


@lru_cache(maxsize=16)
def every_round(play: Play, names: tuple[str, ...]) -> tuple[list[Entry], dict[Group, list[int]]]:
    """Return the rounds that differ in a fact of these names; and which of them each two last cards lead to.

    The second is a list, in the order of ``CELLS``, of places in the first, by the group of the first four cards.
    """
    first = tuple(name for name in names if name in FIRST_FACTS)
    known, places = dict[tuple[Any, ...], int](), dict[Group, list[int]]()
    for totals, group in dict.fromkeys(group for group, _, _ in every_four(first)):
        numbers, own = dict[RoundByPoints, int](), dict(zip(first, group, strict=True))
        for course in dict.fromkeys(courses_of(play)[totals]):
            facts = facts_of(course)
            values = tuple([own[name] if name in own else facts[name] for name in names])
            numbers[course] = known.setdefault(values, len(known))
        places[totals, group] = [numbers[course] for course in courses_of(play)[totals]]
    return [dict(zip(names, facts, strict=True)) for facts in known], places


@lru_cache(maxsize=64)
def rounds_of(play: Play, names: tuple[str, ...], shoe: Shoe) -> list[tuple[Entry, int]]:
    """Return every round of ``every_round`` with its ways."""
    rounds, places = every_round(play, names)
    ways = [0] * len(rounds)
    for group, counts in deal(shoe, tuple(name for name in names if name in FIRST_FACTS)).items():
        for place, count in zip(places[group], counts, strict=True):
            ways[place] += count
    return list(zip(rounds, ways, strict=True))


@lru_cache(maxsize=256)
def lines_on(bet: CheckedBet, play: Play, names: tuple[str, ...]) -> list[int]:
    """Return the line of a bet on which each round of ``every_round`` is."""
    return [bet.line(facts) for facts in every_round(play, names)[0]]


# ------------------------------------------------------------ 4 a game on a shoe


class CheckedGame:
    """A game as a rule book states it, with the other reading of the entries ``followed``.

    ``bets`` by id and ``offers`` of insurance by state are its ``wagers``. ``states``: where insurance is ever open.
    """

    def __init__(self, book: Entry, followed: Sequence[str] = ()) -> None:
        self.book, self.followed = book, followed
        self.readings = {text_in(one, "id"): one["instead"] for one in list_in(book, "interpretations")}
        self.places = {entry: places_of(book, instead) for entry, instead in self.readings.items()}
        for number, one in enumerate(followed):
            before, fault = followed[:number], "is not in the register of the rule book, or is named twice"
            need(one in self.readings and one not in before, f"followed: {quoted(one)} {fault}")
            against = [other for other in before if self.places[one] & self.places[other]]
            fault = f"{quoted(', '.join(against))} and {quoted(one)} contradict each other"
            need(not against, f"followed: {fault}")
        read = reread(book, [self.readings[one] for one in followed])
        self.play, self.bets = play_of(read), dict(bets_of(list_in(read, "bets")))
        lines = [line for bet in self.bets.values() for line in bet.lines]
        named = {fact for line in lines for case in (line.facts, *line.exceptions) for fact, _ in case}
        self.looks_at = tuple(fact for fact in FACTS if fact == "winner" or fact in named)
        is_known = self.play.natural == NATURALS or not named & {*NATURAL}
        need(is_known, "rule book: a bet names naturals other than 8 and 9")
        terms, moments = read.get("insurance_terms", {}), ("card-to-come", "whenever-listed", "never")
        self.opens = text_in(terms, "open", None if terms else "never", moments)
        self.offers = dict(offers_of(list_in(read, "insurance"))) if self.opens != "never" else {}
        self.wagers: dict[Any, CheckedBet] = {**self.bets, **self.offers}
        self.insurance = self.play, self.opens, tuple(self.offers.items())
        self.insured = insured_rounds(self.insurance)
        self.states = {state for ends in self.insured.values() for state, _, _ in ends}
        for state in self.offers:
            need(state in self.states, f"rule book: insurance is offered where it is never open: {state}")
        self.tie_clause = text_in(book.get("clauses", {}), "tie", "")
        self.ties_stay = text_in(read["practice"], "tied_bets", "returned", ("returned", "stay")) == "stay"

    def bet_on(self, hand: str) -> str | None:
        """Return the id of the bet on a hand: the one that says it is, else the one with the hand's name."""
        named = [bet for bet, entry in self.bets.items() if entry.hand == hand]
        own = [hand] if hand in self.bets and not self.bets[hand].hand else []
        return next(iter([*named, *own]), None)


Insurance = tuple[Play, str, tuple[tuple[State, CheckedBet], ...]]
"""What insurance depends on: the Table of Play, when it is open, and the offers."""


@lru_cache(maxsize=32)
def insured_rounds(insurance: Insurance) -> dict[tuple[int, int], Ends]:
    """Return, by two-card totals, the insurance that is open, and how it ends."""
    play, opens, offered = insurance
    offers, whenever, ends_of = dict(offered), opens == "whenever-listed", dict[tuple[int, int], Ends]()
    for totals, courses in courses_of(play).items():
        ends, cells = defaultdict[Any, list[int]](list), defaultdict[RoundByPoints, list[int]](list)
        for cell, course in enumerate(courses if opens != "never" else ()):
            cells[course].append(cell)
        for course, own in cells.items():
            moments, points = list[tuple[str, int, int | None]](), (course.player_total, course.banker_total)
            if whenever or sum(course.cards) > 4:
                moments.append((FOUR, course.player, None))
            if course.third is not None and (whenever or course.last is not None):
                moments.append((THIRD, course.player_total, course.third))
            for (stage, player, third), hand in product(moments, HANDS):
                state = hand, stage, player, course.banker
                line = 0 if (points[0] < points[1]) == (hand == "player") else 2
                if points[0] == points[1]:
                    line = 0 if state in offers and points[0] in offers[state].ties else 1
                ends[state, third, line] += own
        ends_of[totals] = dict(ends)
    return ends_of


@lru_cache(maxsize=64)
def insurance_ways(insurance: Insurance, shoe: Shoe, *names: str) -> dict[State, Split]:
    """Return the ways of every insurance bet, by facts of these names; by some, only where insurance is offered."""
    splits, insured, offers = defaultdict[State, Split](dict), insured_rounds(insurance), dict(insurance[2])
    for (totals, facts), counts in deal(shoe, names).items():
        for (state, third, line), cells in insured[totals].items():
            if (state in offers or not names) and (ways := sum([counts[cell] for cell in cells])):
                splits[state].setdefault((*facts, third), [0, 0, 0])[line] += ways
    return splits


class Dealt:
    """A game on a shoe: the ways of every line of every wager."""

    def __init__(self, game: CheckedGame, shoe: Shoe) -> None:
        self.game, self.shoe, self.space = game, shoe, perm(sum(shoe), 6)

    @cached_property
    def settled(self) -> Counter[tuple[int, ...]]:
        """The ways of all bets together: the line of each bet."""
        game, together = self.game, Counter[tuple[int, ...]]()
        lines = zip(*[lines_on(bet, game.play, game.looks_at) for bet in game.bets.values()], strict=True)
        for settled, (_, ways) in zip(lines, rounds_of(game.play, game.looks_at, self.shoe), strict=True):
            together[settled] += ways
        return +together

    @cached_property
    def by_third(self) -> dict[State, Split]:
        """The ways of each line of every insurance bet, by the third card, if seen."""
        return insurance_ways(self.game.insurance, self.shoe)

    def ways(self, wager: Any) -> Ways:
        """Return the ways of each line of a bet or an insurance state."""
        if wager not in self.game.bets:
            return [sum(counts) for counts in zip(*self.by_third[wager].values(), strict=True)]
        place, ways = [*self.game.bets].index(wager), [0] * len(self.game.bets[wager].lines)
        for lines, count in self.settled.items():
            ways[lines[place]] += count
        return ways

    def value(self, wager: Any) -> Fraction:
        """Return the expected value of a unit on a wager, given that it is open."""
        return self.game.wagers[wager].mean(self.ways(wager))

    def values(self) -> list[Fraction]:
        """Return the expected value of every bet."""
        return [self.value(bet) for bet in self.game.bets]


# ------------------------------------------------------------ 5 the formulas


def ratio(top: Fraction, bottom: Fraction) -> Fraction | None:
    """Return a quotient, or None where the divisor is 0."""
    return top / bottom if bottom else None


def average(entry: Entry, of: Callable[[Fraction], Any]) -> Fraction:
    """Return the mean of a function of the net result, over all outcomes."""
    return sum((of(line["net"]) * line["probability"] for line in entry["outcomes"]), ZERO)


FORMULAS: dict[str, dict[str, Callable[[Entry], Any]]] = {
    "line of a bet": {
        "probability": lambda e: e["ways"] / e["space"],
        "contribution": lambda e: e["net"] * e["probability"],
        "share_of_return": lambda e: (1 + e["net"]) * e["probability"],
        "true_odds": lambda e: ratio(e["space"] - e["ways"], e["ways"]),
    },
    "bet": {
        "expected_value": lambda e: average(e, lambda net: net),
        "house_edge": lambda e: -e["expected_value"],
        "return_to_player": lambda e: 1 + e["expected_value"],
        "hit_frequency": lambda e: average(e, lambda net: net > 0),
        "push": lambda e: average(e, lambda net: net == 0),
        "void": lambda e: ZERO,  # no fresh shoe runs out
        "returned": lambda e: e["push"] + e["void"],
        "total_probability": lambda e: average(e, lambda net: 1),
        "edge_per_resolved_bet": lambda e: ratio(e["house_edge"], 1 - e["push"]),
        "variance": lambda e: average(e, lambda net: (net - e["expected_value"]) ** 2),
        "third_central_moment": lambda e: average(e, lambda net: (net - e["expected_value"]) ** 3),
        # the square of the skewness, with its sign
        "skewness_signed_square": lambda e: ratio(
            e["third_central_moment"] * abs(e["third_central_moment"]), e["variance"] ** 3
        ),
        # the rounds from which the skewness of a sum is at most 1/5: 25 times the square, rounded up
        "normal_from": lambda e: (
            max(1, -int(-25 * abs(e["skewness_signed_square"]) // 1)) if e["variance"] else None
        ),
        "largest_payout": lambda e: max(
            (line["net"] for line in e["outcomes"] if line["ways"] and line["net"] > 0), default=None
        ),
        "fair_odds": lambda e: ratio(average(e, lambda net: net < 0), e["hit_frequency"]),
    },
    "two bets": {
        "signed_square": lambda e: ratio(
            e["covariance"] * abs(e["covariance"]), e["variances"][0] * e["variances"][1]
        )
    },
    "bets together": {
        "mean": lambda e: average(e, lambda net: net),
        "variance": lambda e: average(e, lambda net: (net - e["mean"]) ** 2),
        "house_edge": lambda e: -e["mean"] / e["staked"],
    },
    "state": {
        "probability": lambda e: e["ways"] / e["sample_space"],
        "wins": lambda e: e["won"] / e["ways"],
        "loses": lambda e: e["lost"] / e["ways"],
        "pushes": lambda e: 1 - e["wins"] - e["loses"],
        "expected_value": lambda e: None if e["odds"] is None else e["net"] * e["wins"] - e["loses"],
        "house_edge": lambda e: None if e["odds"] is None else -e["expected_value"],
        "variance": lambda e: (
            None if e["odds"] is None else e["net"] ** 2 * e["wins"] + e["loses"] - e["expected_value"] ** 2
        ),
        "fair_odds": lambda e: ratio(e["lost"], e["won"]),
        "favours_player": lambda e: e["odds"] is not None and e["expected_value"] > 0,
        "favours_house": lambda e: e["odds"] is not None and e["expected_value"] < 0,
    },
    "exact cards": {"favourable": lambda e: e["favourable_ways"] / e["ways"]},
    "difference": {"change": lambda e: None if None in (e["from"], e["to"]) else e["to"] - e["from"]},
    "closed form": {"limit": lambda e: Fraction(e["numerator"][6], e["denominator"][6])},
    "operations": {
        "expected_win": lambda e: -e["value"] * e["rounds"],
        "sigma_squared": lambda e: e["variance"] * e["rounds"],
        "most_win": lambda e: -min(e["nets"]) * e["rounds"],
        "most_loss": lambda e: max(e["nets"]) * e["rounds"],
    },
}
"""How every figure follows from counts, and from figures above it."""


def with_figures(kind: str, entry: Entry, **given: Any) -> Entry:
    """Return an entry with the figures that follow from it; ``given``: what else their formulas use."""
    known = entry | given
    for name, formula in FORMULAS[kind].items():
        known[name] = formula(known)
    return {name: value for name, value in known.items() if name not in given}


# ------------------------------------------------------------ 6 bets


def bet_entry(dealt: Dealt, bet: str) -> Entry:
    """Return a bet: its outcomes and its figures."""
    wager, outcomes = dealt.game.bets[bet], []
    for line, ways in zip(wager.lines, dealt.ways(bet), strict=True):
        outcome = {"name": line.name, "odds": line.odds, "net": line.net, "ways": Fraction(ways)}
        outcomes.append(with_figures("line of a bet", outcome | {"is_void": False}, space=dealt.space))
    return with_figures("bet", {"id": bet, "name": wager.name, "outcomes": outcomes})


def joint_entries(dealt: Dealt, bets: Sequence[Entry]) -> list[Entry]:
    """Return the covariance and the correlation of every two bets."""
    entries, nets = [], [[line.net for line in bet.lines] for bet in dealt.game.bets.values()]
    for one, two in combinations(range(len(bets)), 2):
        ways_of = Counter[tuple[int, int]]()
        for lines, ways in dealt.settled.items():
            ways_of[lines[one], lines[two]] += ways
        products = (nets[one][a] * nets[two][b] * ways for (a, b), ways in ways_of.items())
        means = bets[one]["expected_value"] * bets[two]["expected_value"]
        entry = {"first": bets[one]["id"], "second": bets[two]["id"]}
        entry |= {"covariance": sum(products, ZERO) / dealt.space - means}
        entry |= {"variances": [bets[one]["variance"], bets[two]["variance"]]}
        entries.append(with_figures("two bets", entry))
    return entries


def combination_entry(dealt: Dealt, found: Entry) -> Entry:
    """Return the stated stakes on several bets in one round."""
    bets, together = [*dealt.game.bets], Counter[Fraction]()
    stakes = {bets.index(stake["bet"]): fraction(stake["amount"]) for stake in found["stakes"]}
    for lines, ways in dealt.settled.items():
        nets = [dealt.game.bets[bets[bet]].lines[lines[bet]].net * amount for bet, amount in stakes.items()]
        together[sum(nets, ZERO)] += ways
    entry: Entry = {"stakes": [{"bet": bets[bet], "amount": amount} for bet, amount in stakes.items()]}
    entry["outcomes"] = [
        {"net": net, "ways": Fraction(together[net]), "probability": Fraction(together[net], dealt.space)}
        for net in sorted(together, reverse=True)
    ]
    return with_figures("bets together", entry | {"staked": sum(stakes.values(), ZERO)})


def operations_entries(dealt: Dealt, found: Sequence[Entry]) -> list[Entry]:
    """Return what the house wins on a bet after a stated number of rounds of a unit each."""
    bets, entries = {bet: bet_entry(dealt, bet) for bet in dealt.game.bets}, []
    for one in found:
        bet, rounds = bets[one["bet"]], int(one["rounds"])
        nets = [line["net"] for line in bet["outcomes"] if line["ways"]]
        given = {"value": bet["expected_value"], "variance": bet["variance"], "nets": nets}
        entries.append(with_figures("operations", {"bet": bet["id"], "rounds": rounds}, **given))
    return entries


# ------------------------------------------------------------ 7 insurance


STATE_PARTS = ("side", "stage", "player_points", "banker_points")


def state_name(state: State) -> Entry:
    """Return an insurance state by its parts."""
    return dict(zip(STATE_PARTS, state, strict=True))


def state_entry(dealt: Dealt, state: State, ways: Ways) -> Entry:
    """Return an insurance bet at a state: the ways of its lines, and its figures."""
    entry: Entry = {"state": state_name(state), "odds": None, "net": None, "pays_on_tie": []}
    if offer := dealt.game.offers.get(state):
        entry |= {"odds": offer.lines[0].odds, "net": offer.lines[0].net, "pays_on_tie": sorted(offer.ties)}
    counts = {name: Fraction(n) for name, n in (("ways", sum(ways)), ("won", ways[0]), ("lost", ways[2]))}
    return with_figures("state", entry | {"sample_space": Fraction(dealt.space)} | counts)


def third_card_entries(dealt: Dealt, found: Any) -> list[Entry]:
    """Return every offered state after the Player's third card, with that card known by its points."""
    return [
        {"player_third": third, "analysis": state_entry(dealt, state, ways)}
        for state in dealt.game.offers
        if state[1] == THIRD
        for (third,), ways in sorted(dealt.by_third[state].items())
    ]


def not_offered_entries(dealt: Dealt, found: Any) -> list[Entry]:
    """Return the states at which the game offers nothing, as if ties were returned."""
    others = dealt.game.states - dealt.game.offers.keys()
    in_order = sorted(others, key=lambda state: (state[1], state[2:], HANDS.index(state[0])))
    return [state_entry(dealt, state, dealt.ways(state)) for state in in_order]


def range_entries(dealt: Dealt, found: Sequence[Entry]) -> list[Entry]:
    """Return the insurance states by the exact cards seen, each with the stated best and worst of them."""
    entries: list[Entry] = []
    by_cards = insurance_ways(dealt.game.insurance, dealt.shoe, "points_of_hands") if found else {}
    for (state, offer), stated in zip(dealt.game.offers.items(), found, strict=True):
        split = by_cards[state]
        gains = {cards: offer.mean(ways) for cards, ways in split.items()}
        favourable = sum(sum(ways) for cards, ways in split.items() if gains[cards] > 0)
        entry: Entry = {"state": state_name(state), "ways": Fraction(sum(map(sum, split.values())))}
        entry |= {"favourable_ways": Fraction(favourable)}
        for name, extreme in (("worst", min(gains.values())), ("best", max(gains.values()))):
            seen = stated[name]["seen"]
            player, banker = [tuple(map(int, seen[hand])) for hand in HANDS]
            third = None if seen["third"] is None else int(seen["third"])
            cards = (player, banker), third
            hold(gains[cards] == extreme, f"ranges: {state}: not the {name} cards")
            right = {"player": list(player), "banker": list(banker), "third": third}
            analysis = state_entry(dealt, state, split[cards])
            entry[name] = {"seen": right, "analysis": analysis, "expected_value": extreme}
        entries.append(with_figures("exact cards", entry))
    return entries


# ------------------------------------------------------------ 8 examples


def example_entries(dealt: Dealt, found: Sequence[Entry]) -> list[Entry]:
    """Return the stated rounds, with what becomes of a unit on every bet and on the insurance that was open."""
    game, entries = dealt.game, []
    for number, stated in enumerate(found, start=1):
        ranks = [RANKS.index(card) for card in stated["dealt"]]
        cards, points = [RANKS[rank] for rank in ranks], [*(POINTS[rank] for rank in ranks), 0, 0]
        totals = (points[0] + points[2]) % 10, (points[1] + points[3]) % 10
        cell = 10 * points[4] + points[5]
        course = courses_of(game.play)[totals][cell]
        is_whole = len(cards) == sum(course.cards)
        hold(is_whole, f"examples[{number - 1}]: a round of other than {len(cards)} cards")
        facts, lines = facts_of(course) | first_facts(ranks[0:4:2], ranks[1:4:2]), []
        for bet, wager in game.bets.items():
            line = wager.lines[wager.line(facts)]
            named = {"bet": bet, "name": wager.name, "line": wager.line(facts) + 1}
            lines.append(settled_entry(named, line, line.clause or wager.clause))
        insured, is_tie = [], course.player_total == course.banker_total
        for (state, _, place), cells in game.insured[totals].items():
            if cell in cells and (offer := game.offers.get(state)):
                line = offer.lines[place]
                on_tie = game.tie_clause if line is RETURNED else offer.clause
                named = {"line": offer.number, "state": state_name(state), "is_tie": is_tie}
                insured.append(settled_entry(named, line, on_tie if is_tie else offer.settled))
        entry = {
            "number": number,
            "dealt": cards,
            "player": [*cards[0:4:2], *([] if course.third is None else cards[4:5])],
            "banker": [*cards[1:4:2], *([] if course.last is None else cards[-1:])],
            "player_two_cards": course.player,
            "banker_two_cards": course.banker,
            "player_third": course.third,
            "player_points": course.player_total,
            "banker_points": course.banker_total,
            "lines": lines,
            "insurance": sorted(insured, key=lambda one: one["line"]),
        }
        entries.append(entry)
    return entries


def settled_entry(named: Entry, line: CheckedLine, clause: str) -> Entry:
    """Return what became of a stake on a line."""
    result = "won" if line.net > 0 else "lost" if line.net < 0 else "returned"
    return named | {"clause": clause, "odds": line.odds, "net": line.net, "result": result}


# ------------------------------------------------------------ 9 other readings, other shoes, every shoe

VALUE, UNTIL_DECIDED = "expected-value", "expected-value-until-decided"
STAKE = "largest-insurance-stake"
NO_COUNTS = ("layouts", "insurance-states-open", STAKE, f"{STAKE}-both-stages", f"{STAKE}-both-hands")
"""Figures of limits and layouts that another reading may change: reproduced by ``combinat verify``."""


def value_of(dealt: Dealt, wager: Any, measure: str = VALUE) -> Fraction | None:
    """Return an expected value of a wager; None: it is not offered, or never decided."""
    game, undecided = dealt.game, 0
    if wager not in game.wagers:
        return None
    if measure == UNTIL_DECIDED and game.ties_stay and wager in map(game.bet_on, HANDS):
        # a tie that returns a bet on a hand leaves it on the layout for the next round
        lines = lines_on(game.bets[wager], game.play, game.looks_at)
        for line, (facts, ways) in zip(lines, rounds_of(game.play, game.looks_at, dealt.shoe), strict=True):
            undecided += ways if facts["winner"] == "tie" and not game.bets[wager].lines[line].net else 0
    return ratio(dealt.value(wager) * dealt.space, Fraction(dealt.space - undecided))


def subject_entry(wager: Any) -> Entry:
    """Return what a figure is about: a bet or a state."""
    is_bet = isinstance(wager, str)
    named = {"bet": wager if is_bet else None, "state": None if is_bet else state_name(wager)}
    return named | {"odds": None, "procedure": None}


def difference_entry(dealt: Dealt, other: Dealt, found: Entry) -> Entry:
    """Return a stated figure under the reading taken and under the other one. Limits and layouts are no counts."""
    measure = found["measure"]
    if measure in NO_COUNTS:
        values = [None if found[key] is None else fraction(found[key]) for key in ("read", "otherwise")]
        return with_figures("difference", dict(found), **dict(zip(("from", "to"), values, strict=True)))
    is_value = measure in (VALUE, UNTIL_DECIDED)
    hold(is_value, f"readings: {quoted(measure)} is no figure that a reading changes")
    bet, state = found["subject"]["bet"], found["subject"]["state"]
    wager = bet if bet is not None else tuple([state[part] for part in STATE_PARTS])
    read, otherwise = (value_of(one, wager, measure) for one in (dealt, other))
    entry = {"subject": subject_entry(wager), "measure": measure, "read": read, "otherwise": otherwise}
    return with_figures("difference", entry, **{"from": read, "to": otherwise})


def reading_entries(dealt: Dealt, found: Sequence[Entry]) -> list[Entry]:
    """Return what every entry of the register changes, read the other way: no changed value may be left out."""
    game, entries = dealt.game, []
    for entry, stated in zip(game.readings, found, strict=True):
        # read the other way: no longer followed, or instead of those that it contradicts
        others = [one for one in game.followed if not game.places[one] & game.places[entry]]
        followed = others if entry in game.followed else [*others, entry]
        other = Dealt(CheckedGame(game.book, followed), dealt.shoe)
        differences = [difference_entry(dealt, other, one) for one in stated["differences"]]
        compared = [one["subject"] for one in differences if one["measure"] == VALUE]
        for wager in game.wagers if other.game.opens != "never" else game.bets:
            is_same, subject = value_of(dealt, wager) == value_of(other, wager), subject_entry(wager)
            fault = f"changes [{subject['bet'] or subject['state']!r}], which is not stated"
            hold(is_same or subject in compared, f"readings: {quoted(entry)} {fault}")
        entries.append({"entry": entry, "differences": differences})
    return entries


def removal_entries(dealt: Dealt, found: Any) -> list[Entry]:
    """Return how every expected value moves when a card of each rank leaves the shoe."""
    values, changes = dealt.values(), dict[str, list[Fraction]]()
    tells = {"player_pair_of", "banker_pair_of"} & {*dealt.game.looks_at}
    for number, rank in enumerate(RANKS if tells else RANKS[:10]):
        shoe = tuple(cards - (number == other) for other, cards in enumerate(dealt.shoe))
        without = Dealt(dealt.game, shoe).values()
        changes[rank] = [after - before for before, after in zip(values, without, strict=True)]
    # There are as many of the pictures as of the tens, worth as much; only some bets tell their ranks apart.
    changes = dict.fromkeys(("J", "Q", "K"), changes["10"]) | changes
    entries = []
    for number, bet in enumerate(dealt.game.bets):
        by_rank = [{"removed": [rank], "change": changes[rank][number]} for rank in RANKS]
        entry = {"subject": subject_entry(bet), "expected_value": values[number], "changes": by_rank}
        entries.append(entry)
    return entries


FORM_DECKS = range(1, 9)
"""Shoes at which closed forms are evaluated. Counts are polynomials of degree six in the number of decks: two
polynomials of seven coefficients that agree at seven shoes are the same."""


def form_entry(found: Entry, name: str, tops: Ways, bottoms: Ways) -> Entry:
    """Return a stated closed form whose numerator and denominator have these values at the eight shoes."""
    entry: Entry = {"name": name}
    for part, values in (("numerator", tops), ("denominator", bottoms)):
        terms = [fraction(text) for text in found[part]]
        at = [sum(one * decks**power for power, one in enumerate(terms)) for decks in FORM_DECKS]
        is_form = len(terms) == 7 and at == values and all(one.denominator == 1 for one in terms)
        hold(is_form, f"formulas: {quoted(name)}: the {part} is no polynomial through the counts")
        entry[part] = terms
    return with_figures("closed form", entry)


def formula_entries(dealt: Dealt, found: Sequence[Entry]) -> list[Entry]:
    """Return the closed forms of every bet, then of every insurance state."""
    game, entries = dealt.game, []
    shoes = [Dealt(game, fresh(decks)) for decks in FORM_DECKS]
    spaces = [shoe.space for shoe in shoes]
    for (subject, wager), stated in zip(game.wagers.items(), found, strict=True):
        ways = [shoe.ways(subject) for shoe in shoes]
        opens = [sum(counts) for counts in ways]
        unit = lcm(*(line.net.denominator for line in wager.lines))
        values = [int(unit * wager.mean(counts) * sum(counts)) for counts in ways]
        forms = [("expected value", values, [unit * n for n in opens])]
        if subject in game.bets:
            by_line = zip(wager.lines[:-1], zip(*[counts[:-1] for counts in ways], strict=True), strict=True)
            forms += [(line.name, list(counts), spaces) for line, counts in by_line]
        else:
            forms.append(("state arises", opens, spaces))
        both = zip(stated["formulas"], forms, strict=True)
        right = [form_entry(one, *form) for one, form in both]
        entries.append({"subject": subject_entry(subject), "formulas": right})
    return entries


# ------------------------------------------------------------ 10 the comparison

MOST_BYTES = 64_000_000
MOST_PARTS = 1_000_000  # objects and lists; the largest real analysis has some 13,000
MOST_SHOES, MOST_DECKS = 8, 1000


def fraction(text: Any) -> Fraction:
    """Return a number that the file states as text."""
    is_number = isinstance(text, str) and re.fullmatch(r"-?\d{1,999}(/\d{1,999})?", text, re.ASCII)
    need(is_number, f"not a number: {quoted(text)}")
    return Fraction(text)


def fault_of(error: Exception) -> str:
    """Return Python's words about a fault, on one line of ASCII."""
    line = " ".join(f"{type(error).__name__}: {error}".split())
    return line.encode("ascii", "backslashreplace").decode()[:300]


def quoted(value: Any) -> str:
    """Return a value as a message shows it: on one line, and cut."""
    return json.dumps(f"{len(value)} entries" if isinstance(value, list | dict) else value)[:300]


def compare(found: Any, right: Any, where: str) -> int:
    """Return how many numbers are stated; refuse the first value that is not the right one, by its place."""
    if isinstance(right, dict):
        keys = found.keys() if isinstance(found, dict) else set()
        odd = sorted(keys ^ right.keys())
        fault = f"the key {odd[0][:99]!a} is {'missing' if odd[0] in right else 'unknown'}" if odd else ""
        need(not odd, f"{where or 'file'}: {fault}")
        return sum(compare(found[key], right[key], f"{where}.{key}") for key in sorted(right))
    if isinstance(right, list) and isinstance(found, list) and len(found) == len(right):
        return sum(compare(found[place], part, f"{where}[{place}]") for place, part in enumerate(right))
    text = str(right) if isinstance(right, Fraction) else right
    is_right = found == text and type(found) is type(text)
    hold(is_right, "" if is_right else f"{where}: found {quoted(found)}, should be {quoted(text)}")
    return int(isinstance(right, Fraction) or type(right) is int)


def analysis_in(analysis_text: bytes, rule_book: bytes) -> tuple[Entry, list[int], int, CheckedGame]:
    """Return what an analysis of this rule book states, its numbers of decks, the one of reference, and the game."""
    is_small = len(analysis_text) <= MOST_BYTES and len(rule_book) <= MOST_BOOK_BYTES
    need(is_small, f"larger than {MOST_BYTES} bytes; or its rule book, than {MOST_BOOK_BYTES}")
    parts = analysis_text.count(b"{") + analysis_text.count(b"[")
    need(parts <= MOST_PARTS, f"more than {MOST_PARTS} objects and lists")
    try:
        found = json.loads(analysis_text.decode("ascii"))
        schema, sha256 = found["schema"], found["rule_book_sha256"]
        need(schema == SCHEMA, f"schema: found {quoted(schema)}, this checker knows {SCHEMA}")
        decks, followed = [shoe["decks"] for shoe in found["shoes"]], found.get("followed", [])
    except FAULTS as error:
        raise Malformed(f"not an analysis: {fault_of(error)}") from None
    rising = sorted({number for number in decks if type(number) is int and 0 < number <= MOST_DECKS})
    is_rising = 0 < len(decks) <= MOST_SHOES and decks == rising
    need(is_rising, f"shoes: not 1 to {MOST_SHOES}, with rising numbers of decks from 1 to {MOST_DECKS}")
    is_list = isinstance(followed, list) and all(isinstance(one, str) for one in followed)
    need(is_list, "followed: expected a list of ids")
    own = hashlib.sha256(rule_book).hexdigest()
    hold(sha256 == own, f"rule_book_sha256: found {quoted(sha256)}, should be {quoted(own)}")
    try:
        reference = REFERENCE_DECKS if REFERENCE_DECKS in decks else decks[-1]
        return found, decks, reference, CheckedGame(book_of(rule_book), followed)
    except FAULTS as error:
        raise Malformed(f"rule book: {fault_of(error)}") from None


NOT_CHECKED = ("protection", "insured", "identities")
"""The parts of the file that ``combinat verify`` reproduces and this program does not check."""
LEFT_OUT = (
    "Not checked here: game protection and insurance by habit, identities, limits and layouts under other readings, "
    "which combinat verify reproduces; documents and certificate, which it checks"
)

ON_REFERENCE: dict[str, tuple[str, Callable[[Dealt, Any], Any]]] = {
    "not_offered": ("insurance", not_offered_entries),
    "third_cards": ("insurance", third_card_entries),
    "ranges": ("insurance by exact cards", range_entries),
    "combination": ("bets together", combination_entry),
    "formulas": ("closed forms", formula_entries),
    "examples": ("examples", example_entries),
    "readings": ("readings", reading_entries),
    "removal": ("removal", removal_entries),
    "operations": ("operations", operations_entries),
}
"""The keys of what is stated for the reference shoe alone: the part of each, and the function that returns what must
be stated there, given the choices that are stated there."""


def statements(found: Entry, every: list[int], reference: int, game: CheckedGame) -> Iterator[Statement]:
    """Yield every value of the file that is checked, with the right one."""
    frame = ("schema", "game", "rule_book_sha256", "followed", "reference_decks", "shoes")
    compare(dict.fromkeys(found), dict.fromkeys([*frame, *NOT_CHECKED, *ON_REFERENCE]), "")
    yield "bets", "game", found["game"], text_in(game.book, "id")
    yield "bets", "reference_decks", found["reference_decks"], reference
    for number, decks in enumerate(every):
        shoe, where, dealt = found["shoes"][number], f"shoes[{number}]", Dealt(game, fresh(decks))
        bets = [bet_entry(dealt, bet) for bet in game.bets]
        head = {"decks": decks, "cards": 52 * decks, "sample_space": Fraction(dealt.space), "void": ZERO}
        compare(dict.fromkeys(shoe), dict.fromkeys([*head, "bets", "joint", "insurance"]), where)
        yield "bets", where, {key: shoe[key] for key in head}, head
        yield "bets", f"{where}.bets", shoe["bets"], bets
        yield "bets together", f"{where}.joint", shoe["joint"], joint_entries(dealt, bets)
        states = [state_entry(dealt, state, dealt.ways(state)) for state in game.offers]
        yield "insurance", f"{where}.insurance", shoe["insurance"], states
    dealt = Dealt(game, fresh(reference))
    for key, (part, right) in ON_REFERENCE.items():
        yield part, key, found[key], right(dealt, found[key])


def check(analysis_text: bytes, rule_book: bytes) -> dict[str, int]:
    """Return how many numbers hold in each part; raise ``Malformed`` or ``Rejected`` where one does not."""
    analysis, numbers = analysis_in(analysis_text, rule_book), Counter[str]()
    try:
        for part, where, found, right in statements(*analysis):
            numbers[part] += compare(found, right, where)
        canonical = (json.dumps(analysis[0], sort_keys=True, indent=1) + "\n").encode()
    except FAULTS as error:
        raise Malformed(f"not an analysis: {fault_of(error)}") from None
    is_canonical = canonical == analysis_text
    need(is_canonical, "not canonical: keys sorted, each once, one space a level, one newline at the end")
    return dict(numbers)


# ------------------------------------------------------------ 11 one figure, derived by hand

COURSES = {
    (2, 2): "nobody draws",
    (3, 2): "Player alone draws",
    (2, 3): "Banker alone draws",
    (3, 3): "both hands draw",
}
"""How a round goes on, by the numbers of cards of both hands."""


def exact(value: Fraction) -> str:
    """Return a value as a fraction and with twelve decimals, rounded half to even."""
    digits = f"{abs(round(value * 10**12)):013d}"
    return f"{value} = {'-' if value < 0 else ''}{digits[:-12]}.{digits[-12:]}"


def book_line(rule_book: str, table: str, number: int) -> str:
    """Return where the rule book states the odds of this number, counted from 1 through all tables of a name."""
    inside = False
    for line, text in enumerate(rule_book.splitlines(), start=1):
        inside = text.startswith(f"[[{table}") if text.startswith("[") else inside
        number -= len(re.findall(r"\bodds\s*=", text)) if inside else 0
        if number < 1:
            return f"line {line} of the rule book"
    return "the rule book"


def by_course(dealt: Dealt, subject: Any) -> list[Counter[tuple[int, int]]]:
    """Return the ways of each line of a wager, by the numbers of cards of both hands."""
    game, wager = dealt.game, dealt.game.wagers[subject]
    by_line = [Counter[tuple[int, int]]() for _ in wager.lines]
    if subject in game.bets:
        for facts, ways in rounds_of(game.play, (*game.looks_at, "course"), dealt.shoe):
            by_line[wager.line(facts)][facts["course"].cards] += ways
        return by_line
    for (totals, _), counts in deal(dealt.shoe, ()).items():
        for (state, _, line), cells in game.insured[totals].items():
            for cell in cells if state == subject else ():
                by_line[line][courses_of(game.play)[totals][cell].cards] += counts[cell]
    return by_line


def derivation(dealt: Dealt, subject: Any, rule_book: str) -> Iterator[str]:
    """Yield the derivation of a wager's expected value."""
    wager, opens = dealt.game.wagers[subject], sum(dealt.ways(subject))
    table, stated = "bets", len(wager.lines) - 1
    if subject in dealt.game.bets:
        yield f"{wager.name} ({subject}), clause {wager.clause}"
    else:
        (hand, stage, player, banker), table, stated = subject, "insurance", 1
        ties = ", ".join(map(str, sorted(wager.ties)))
        yield f"insurance of the {hand} hand, {stage}, Player {player}, Banker {banker}, clause {wager.clause}"
        yield f"won where the {hand} hand loses; a tie is {f'paid at {ties}, else returned' if ties else 'returned'}"
        yield f"state arises {opens}/{dealt.space} = {exact(Fraction(opens, dealt.space))}"
    for place, (line, counts) in enumerate(zip(wager.lines, by_course(dealt, subject), strict=True)):
        words, ways = "every other round", counts.total()
        if place < stated:
            where = book_line(rule_book, table, wager.number + place)
            words = f"{line.odds}: {where}, clause {line.clause or wager.clause}"
        yield f"{line.name}, {words}; net {line.net}"
        yield from (f"  {word:<20}{counts[cards]:>24}" for cards, word in COURSES.items())
        yield f"  {'sum':<20}{ways:>24}"
        yield f"  probability {ways}/{opens} = {exact(Fraction(ways, opens))}"
        yield f"  times net {line.net}: {exact(line.net * ways / opens)}"
    yield f"expected value, the sum of these products: {exact(dealt.value(subject))}"
    yield f"house edge: {exact(-dealt.value(subject))}"


def explain(analysis_text: bytes, rule_book: bytes, figure: str) -> tuple[list[str], bool]:
    """Return how a figure is derived, in lines, and whether the file states the same expected value."""
    found, every, reference, game = analysis_in(analysis_text, rule_book)
    name, _, wanted = figure.partition(":decks=")
    decks = {str(number): number for number in every}.get(wanted or str(reference), 0)
    subjects: dict[str, Any] = {bet: bet for bet in game.bets}
    for state in game.offers:
        own, other = state[2:] if state[0] == "player" else state[:1:-1]
        subjects[f"{state[0]}:{state[1]}:{own}-{other}"] = state
    known = "write a bet's id, or HAND:STAGE:OWN-OTHER of an offered insurance state"
    need(decks and name in subjects, f"--explain {quoted(figure)}: {known}, and :decks=N with one of {every}")
    dealt, shoe, subject = Dealt(game, fresh(decks)), found["shoes"][every.index(decks)], subjects[name]
    cards = " x ".join(str(52 * decks - drawn) for drawn in range(6))
    title = f"{text_in(game.book, 'id')}, {decks} deck{'s'[: decks > 1]}; six cards are always dealt"
    lines = [f"{title}: {cards} = {dealt.space} ways", *derivation(dealt, subject, rule_book.decode())]
    stated = [*shoe["bets"], *shoe["insurance"]][[*game.wagers].index(subject)]["expected_value"]
    is_same = stated == str(dealt.value(subject))
    return [*lines, f"the file states {quoted(stated)}: {'the same' if is_same else 'wrong'}"], is_same


# ------------------------------------------------------------ 12 the program


def content_of(path: Path, most: int) -> bytes:
    """Return the content of a file, up to one byte more than is read; a pipe or a device is not waited for."""
    need(not path.exists() or path.is_file(), f"{path}: not a plain file")
    with path.open("rb") as file:
        return file.read(most + 1)


def main(argv: list[str]) -> int:
    """Check a file. Exit codes: 0, every value holds; 1, one is wrong; 2, it could not be checked."""
    parser = argparse.ArgumentParser(description="Check the statements of an analysis.json.")
    parser.add_argument("analysis", type=Path)
    parser.add_argument("--rule-book", type=Path, help="the game's TOML file, if not beside the analysis")
    parser.add_argument("--explain", help="derive one figure: a bet, or HAND:STAGE:OWN-OTHER; then :decks=N")
    options = parser.parse_args(argv)
    try:
        text = content_of(options.analysis, MOST_BYTES)
        named: Any = re.search(rb'"game": "([a-z0-9-]{1,200})"', text)
        need(named, "not an analysis: no game is named")
        game = named[1].decode()
        beside = options.analysis.parent / f"{game}.toml"
        rule_book = content_of(options.rule_book or beside, MOST_BOOK_BYTES)
        if options.explain is not None:
            lines, is_same = explain(text, rule_book, options.explain)
            print("\n".join(lines))
            return 0 if is_same else 1
        numbers, followed = check(text, rule_book), ", ".join(json.loads(text)["followed"])
        under = f", under the other reading of {followed}" if followed else ""
        parts = ", ".join(f"{part} {number:,}" for part, number in numbers.items())
        total = f"{game}: all {sum(numbers.values()):,} numbers that are checked here hold"
        print(f"{total}{under}: {parts}. {LEFT_OUT}")
    except Rejected as error:
        print(f"wrong: {error}", file=sys.stderr)
        return 1
    except Exception as error:  # whatever stopped it, it is no verdict
        print(f"could not be checked: {str(error) or type(error).__name__}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
