"""The checker: the statements of an analysis.json, each checked against the rule book alone.

    python3 -I checker.py analysis.json [--rule-book FILE] [--explain BET | HAND:STAGE:OWN-OTHER]

It stands alone: the standard library, nothing of the program that wrote the file. It counts in its own way: six
cards are always dealt, needed or not, so that all ordered sequences of six cards weigh the same. Table of Play, pay
tables, insurance tables and other readings come from the rule book, which must have the SHA-256 that the file names.

Each stated count is counted again, each stated example is settled again, and each figure must follow from the
counts by the one table of formulas. The program that wrote the file chose the examples and the comparisons; the
checker takes these choices as they are. It prints how many numbers it checked in each part. It does not check game
protection and insurance by habit, which ``combinat verify`` reproduces, nor documents and certificate beside the file.

``--explain`` prints how one figure is derived, as a person would do it by hand. Without ``--rule-book`` the rule
book is the game's TOML file beside the analysis, else the one beside this program, else the one in ``tables/``.
"""

import sys

if __name__ == "__main__" and not sys.flags.safe_path:
    del sys.path[0]  # no file beside the checker is imported as a part of Python

import argparse
import hashlib
import json
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache, cached_property, lru_cache, partial
from itertools import accumulate, combinations, combinations_with_replacement, product
from math import lcm, perm
from pathlib import Path
from typing import Any, NamedTuple

SCHEMA = "combinat/analysis/3"
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
POINTS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0)
HANDS = ("player", "banker")
FOUR, THIRD = "four-cards", "player-third-card"
NATURALS = frozenset({8, 9})
REFERENCE_DECKS = 8
ZERO, ONE, LOST = Fraction(0), Fraction(1), Fraction(-1)

Entry = dict[str, Any]
"""An object of the file or of the rule book."""


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


# ------------------------------------------------------------ how a round goes


class Play(NamedTuple):
    """The Table of Play: two-card totals, and for the Banker Hand by its total the Player's third cards."""

    natural: frozenset[int]
    player_draws: frozenset[int]
    banker_draws: tuple[frozenset[int], ...]
    banker_draws_when_player_stood: frozenset[int]
    banker_draws_against_natural: frozenset[int]


class RoundByPoints(NamedTuple):
    """A round by points: the totals of two cards, the third cards if any, and the final totals."""

    player: int
    banker: int
    third: int | None
    last: int | None
    player_total: int
    banker_total: int


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
    return RoundByPoints(
        player, banker, third, last, (player + (third or 0)) % 10, (banker + (last or 0)) % 10
    )


Totals = tuple[int, int]
"""The two-card totals of Player Hand and Banker Hand."""

CELLS: list[tuple[int, int]] = [(fifth, sixth) for fifth in range(10) for sixth in range(10)]
"""The fifth card with the sixth, by points: the place of a pair in this list is ten times the fifth plus the sixth."""


@lru_cache(maxsize=16)
def courses_of(play: Play) -> dict[Totals, list[RoundByPoints]]:
    """Return, by two-card totals, how a round goes on with every fifth and sixth card."""
    return {totals: [course_of(play, *totals, *cell) for cell in CELLS] for totals in CELLS}


class Match(NamedTuple):
    """The pairs among the first two cards of each hand: of which rank, and of which points; None: no pair."""

    player_rank: str | None
    banker_rank: str | None
    player_points: int | None
    banker_points: int | None


def match_of(player: Sequence[int], banker: Sequence[int]) -> Match:
    """Return the pairs of two hands, each the places of its two cards in ``RANKS``."""
    ranks = [RANKS[one] if one == two else None for one, two in (player, banker)]
    points = [POINTS[one] if POINTS[one] == POINTS[two] else None for one, two in (player, banker)]
    return Match(ranks[0], ranks[1], points[0], points[1])


def pair_word(player: object, banker: object) -> str:
    """Return the word of the Tiger Pair bet for the pairs of both hands; None: a hand has no pair."""
    if player is not None and player == banker:
        return "twin"
    return ("none", "single", "double")[(player is not None) + (banker is not None)]


def facts_of(course: RoundByPoints, match: Match) -> Entry:
    """Return everything that a pay table may look at in a finished round."""
    points = {"player": course.player_total, "banker": course.banker_total}
    cards = {"player": 2 + (course.third is not None), "banker": 2 + (course.last is not None)}
    natural = {hand: cards[hand] == 2 and points[hand] in NATURALS for hand in HANDS}
    winner = loser = "tie"
    if points["player"] != points["banker"]:
        winner, loser = HANDS if points["player"] > points["banker"] else HANDS[::-1]
    return {
        "winner": winner,
        "winning_points": points.get(winner),
        "losing_points": points.get(loser),
        "winning_cards": cards.get(winner),
        "losing_cards": cards.get(loser),
        "player_points": points["player"],
        "banker_points": points["banker"],
        "total_points": sum(points.values()),
        "player_cards": cards["player"],
        "banker_cards": cards["banker"],
        "cards": sum(cards.values()),
        "margin": abs(points["player"] - points["banker"]),
        "natural": any(natural.values()),
        "player_natural": natural["player"],
        "banker_natural": natural["banker"],
        "player_third": course.third,
        "banker_third": course.last,
        "player_pair": match.player_rank is not None,
        "banker_pair": match.banker_rank is not None,
        "pairs": pair_word(match.player_rank, match.banker_rank),
        "player_point_pair": match.player_points is not None,
        "banker_point_pair": match.banker_points is not None,
        "point_pairs": pair_word(match.player_points, match.banker_points),
        "player_pair_of": match.player_rank,
        "banker_pair_of": match.banker_rank,
    }


# ------------------------------------------------------------ the deal: six cards, always

Shoe = tuple[int, ...]
"""The number of cards of each rank."""

FourCards = tuple[tuple[int, ...], tuple[int, ...]]
"""The points of the first two cards of the Player Hand and of the Banker Hand, each hand lowest first."""

Ways = list[int]
"""The ways of a deal for each fifth and sixth card, in the order of ``CELLS``."""


def fresh(decks: int) -> Shoe:
    """Return a shoe of this many decks."""
    return (4 * decks,) * 13


def totals_of(four: FourCards) -> Totals:
    """Return the two-card totals of both hands."""
    return sum(four[0]) % 10, sum(four[1]) % 10


@cache
def every_four() -> list[tuple[FourCards, Match, int, list[tuple[int, int]]]]:
    """Return the first four cards by rank: their points, their pairs, the orders, and the number of each rank."""
    fours = []
    for player, banker in product(combinations_with_replacement(range(13), 2), repeat=2):
        low_high = [tuple(sorted(POINTS[rank] for rank in hand)) for hand in (player, banker)]
        orders = (1 + (player[0] != player[1])) * (1 + (banker[0] != banker[1]))  # which of two came first
        ranks = list(Counter((*player, *banker)).items())
        fours.append(((low_high[0], low_high[1]), match_of(player, banker), orders, ranks))
    return fours


@lru_cache(maxsize=4)
def first_fours(shoe: Shoe) -> Counter[tuple[FourCards, Match]]:
    """Return the ways of the first four cards, by their points and their pairs."""
    copies = [[perm(cards, drawn) for drawn in range(5)] for cards in shoe]
    counts = Counter[tuple[FourCards, Match]]()
    for four, match, ways, ranks in every_four():
        for rank, drawn in ranks:
            ways *= copies[rank][drawn]
        if ways:
            counts[four, match] += ways
    return counts


def next_two(shoe: Shoe) -> Callable[[FourCards], Ways]:
    """Return a function of the four cards gone: the ways of every fifth card with every sixth."""
    by_points = [0] * 10
    for points, cards in zip(POINTS, shoe, strict=True):
        by_points[points] += cards

    @cache
    def without(four: tuple[int, ...]) -> Ways:
        left = [cards - four.count(points) for points, cards in enumerate(by_points)]
        return [left[fifth] * (left[sixth] - (fifth == sixth)) for fifth, sixth in CELLS]

    return lambda four: without(tuple(sorted((*four[0], *four[1]))))


def deal(shoe: Shoe, group: Callable[[FourCards, Match], Any]) -> dict[Any, Ways]:
    """Return the ways to deal six cards from a shoe, grouped by a function of the first four."""
    last_two, dealt = next_two(shoe), dict[Any, Ways]()
    for (four, match), ways in first_fours(shoe).items():
        counts = dealt.setdefault(group(four, match), [0] * 100)
        counts[:] = [before + ways * cards for before, cards in zip(counts, last_two(four), strict=True)]
    return dealt


@lru_cache(maxsize=32)
def by_pairs(shoe: Shoe) -> dict[tuple[Totals, Match], Ways]:
    """Return the ways to deal six cards from a shoe, by two-card totals and pairs."""
    return deal(shoe, lambda four, match: (totals_of(four), match))


@lru_cache(maxsize=32)
def by_totals(shoe: Shoe) -> dict[Totals, Ways]:
    """Return the ways to deal six cards from a shoe, by two-card totals."""
    groups = dict[Totals, Ways]()
    for (totals, _), ways in by_pairs(shoe).items():
        groups[totals] = [sum(both) for both in zip(groups.get(totals, [0] * 100), ways, strict=True)]
    return groups


class Rounds(NamedTuple):
    """The rounds that a Table of Play can lead to, by some of their facts.

    ``places``: for the first four cards, by totals and pairs, and every two cards of ``CELLS`` after them, the place of the round
    in ``facts``.
    """

    facts: list[Entry]
    places: dict[tuple[Totals, Match], list[int]]


@lru_cache(maxsize=16)
def every_round(play: Play, looks_at: tuple[str, ...]) -> Rounds:
    """Return every round that differs from others in one of these facts."""
    known, places = dict[tuple[Any, ...], int](), dict[tuple[Totals, Match], list[int]]()
    for totals, match in dict.fromkeys((totals_of(four), match) for four, match, _, _ in every_four()):
        of_course = dict[RoundByPoints, int]()
        for course in courses_of(play)[totals]:
            if course not in of_course:
                facts = facts_of(course, match)
                of_course[course] = known.setdefault(tuple([facts[name] for name in looks_at]), len(known))
        places[totals, match] = [of_course[course] for course in courses_of(play)[totals]]
    return Rounds([dict(zip(looks_at, facts, strict=True)) for facts in known], places)


@lru_cache(maxsize=32)
def ways_of_rounds(play: Play, looks_at: tuple[str, ...], shoe: Shoe) -> Ways:
    """Return the ways of every round of ``every_round``."""
    rounds = every_round(play, looks_at)
    ways = [0] * len(rounds.facts)
    for key, counts in by_pairs(shoe).items():
        for place, count in zip(rounds.places[key], counts, strict=True):
            ways[place] += count
    return ways


# ------------------------------------------------------------ the rule book

MOST_BOOK_BYTES = 1_000_000
MOST_MARKS = 20_000  # keys (each part of a dotted one), tables and list entries
MOST_DEPTH = 10  # brackets within brackets
MOST_KEY_PARTS = 10  # parts of a dotted key
MOST_WORD = 100  # characters of a number, or of a key without quotes
MOST_LINES = 80  # lines of all pay tables together, those of other readings too
MOST_RECOUNTS = 4  # readings that change who draws, or what becomes of void rounds
MOST_ID, MOST_TEXT = 60, 100  # characters of an id; of another text that is shown with figures
MOST_ENTRIES = {
    "bets": 24,
    "pays": 20,
    "except": 6,
    "insurance": 4,
    "offers": 100,
    "limits": 20,
    "insurance_limits": 20,
    "interpretations": 30,
    "banker_draws": 10,
    "layouts": 50,
}
"""The longest list under each key of a rule book."""

QUOTED = re.compile(r"""("{3}|'{3})|"(?:[^"\\\n]|\\[^\n])*+"|'[^'\n]*+'|\#[^\n]*+""")
"""Three quotation marks; or a text of one line, or a comment."""


def bounded(text: str) -> str:
    """Return a TOML text that can be parsed at little cost: tomllib is slow at keys of many parts."""
    bare = QUOTED.sub(lambda quoted: quoted[1] or "~", text)
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


def text_in(table: Entry, key: str, default: str | None = None) -> str:
    """Return a text of the rule book."""
    text: Any = table.get(key, default)
    need(isinstance(text, str), f"rule book: {key} is missing or no text")
    most = MOST_ID if key == "id" else MOST_TEXT
    need(len(text) <= most, f"rule book: {key} is a text of {len(text)} characters")
    return str(text)


def list_in(table: Entry, key: str) -> list[Any]:
    """Return a list of the rule book; an empty one where the key is missing."""
    entries = table.get(key, [])
    is_list = isinstance(entries, list) and len(entries) <= MOST_ENTRIES[key]
    need(is_list, f"rule book: {key} is no list of up to {MOST_ENTRIES[key]}")
    return list(entries)


def one_of(table: Entry, key: str, words: Sequence[str]) -> str:
    """Return a text of the rule book that is one of some words."""
    word = text_in(table, key)
    need(word in words, f"rule book: {key} is {word!a}, none of {', '.join(words)}")
    return word


NUMBER = r"(\d{1,9}(?:\.\d{1,9})?)"


def net_of(odds: str) -> Fraction:
    """Return the profit per unit staked: ``"3 to 2"`` is 3/2, ``"1 to 1 less 5%"`` is 19/20, ``"push"`` is 0."""
    if odds in ("push", "lose"):
        return ZERO if odds == "push" else LOST
    match: Any = re.fullmatch(f"{NUMBER} to {NUMBER}(?: less {NUMBER}%)?", odds, re.ASCII)
    profit, stake, percentage = [Fraction(part or 0) for part in match.groups()] if match else [ZERO] * 3
    is_less = match and (match[3] is None or 0 < percentage < 100)
    need(profit and stake and is_less, f"rule book: {odds[:99]!a} are no odds")
    return profit / stake * (1 - percentage / 100)


def share_of(percentage: str) -> Fraction:
    """Return a share of an amount: ``"25%"`` is 1/4."""
    match: Any = re.fullmatch(f"{NUMBER}%", percentage, re.ASCII)
    need(match and Fraction(match[1]), f"rule book: {percentage[:99]!a} is no percentage")
    return Fraction(match[1]) / 100


def numbers_of(written: Any, digits: int = 1, *, none: bool = False) -> frozenset[Any]:
    """Return numbers: ``6``, ``"0-5,7-9"``. ``none``: whether ``"none"`` may be among them, for None."""
    numbers = set[int | None]()
    for part in str(written).split(","):
        match: Any = re.fullmatch(rf"(\d{{1,{digits}}})(?:-(\d{{1,{digits}}}))?", part, re.ASCII)
        is_known = match or (none and part == "none")
        need(is_known, f"rule book: {str(written)[:99]!a} are no numbers of up to {digits} digits")
        numbers |= set(range(int(match[1]), int(match[2] or match[1]) + 1)) if match else {None}
    return frozenset(numbers)


def some_of(*words: Any) -> Callable[[Any], frozenset[Any]]:
    """Return a reader of some of these words, given alone or in a list; true and false are words too."""

    def words_of(written: Any) -> frozenset[Any]:
        named = written if isinstance(written, list) else [written]
        is_known = named and all(any(one is word or one == word for word in words) for one in named)
        need(is_known, f"rule book: {str(written)[:99]!a} is none of {', '.join(map(str, words))}")
        return frozenset(named)

    return words_of


TABLE = {
    "natural": "8-9",
    "player_draws": "0-5",
    "banker_draws": [
        {"points": "0-2", "third": "0-9"},
        {"points": 3, "third": "0-7,9"},
        {"points": 4, "third": "2-7"},
        {"points": 5, "third": "4-7"},
        {"points": 6, "third": "6-7"},
    ],
    "banker_draws_when_player_stood": "0-5",
}
"""The Table of Play of a rule book that states none, in the keys of one that does."""


def play_of(book: Entry, against_natural: Any = None) -> Play:
    """Return the Table of Play of a rule book. A total that no row names stands, if no higher one draws."""
    table = book.get("table_of_play", TABLE)
    against = against_natural or table.get("banker_draws_against_natural", "none")
    lists = [table["natural"], table["player_draws"], table["banker_draws_when_player_stood"], against]
    natural, player_draws, stood, draws_against = (numbers_of(one, none=True) - {None} for one in lists)
    rows = dict[int, frozenset[int]]()
    for row in list_in(table, "banker_draws"):
        for total in numbers_of(row["points"]):
            need(total not in rows, f"rule book: table_of_play.banker_draws names {total} twice")
            rows[total] = numbers_of(row["third"], none=True) - {None}
    drawn = player_draws | stood | draws_against | rows.keys()
    need(not natural & drawn, "rule book: table_of_play lets a natural draw")
    goes_on = [total for total in range(10) if total not in natural]
    highest = max(rows, default=min(goes_on, default=-1))
    missing = [total for total in goes_on if total <= highest and total not in rows]
    need(not missing, f"rule book: table_of_play.banker_draws does not name {min(missing, default=0)}")
    banker_draws = tuple(rows.get(total, frozenset()) for total in range(10))
    return Play(natural, player_draws, banker_draws, stood, draws_against)


READERS: dict[str, Callable[[Any], frozenset[Any]]] = {
    "winner": some_of("player", "banker", "tie"),
    **dict.fromkeys(("winning_points", "losing_points", "player_points", "banker_points"), numbers_of),
    **dict.fromkeys(("player_third", "banker_third"), partial(numbers_of, none=True)),
    **dict.fromkeys(("total_points", "margin", "cards"), partial(numbers_of, digits=2)),
    **dict.fromkeys(("player_cards", "banker_cards"), partial(numbers_of, digits=2)),
    **dict.fromkeys(("winning_cards", "losing_cards"), partial(numbers_of, digits=2)),
    **dict.fromkeys(("natural", "player_natural", "banker_natural"), some_of(True, False)),
    **dict.fromkeys(("player_pair", "banker_pair"), some_of(True, False)),
    **dict.fromkeys(("player_point_pair", "banker_point_pair"), some_of(True, False)),
    **dict.fromkeys(("pairs", "point_pairs"), some_of("none", "single", "double", "twin")),
    **dict.fromkeys(("player_pair_of", "banker_pair_of"), some_of(*RANKS)),
}
"""How the values of each fact are read that a line of a pay table may name."""

Case = tuple[tuple[str, frozenset[Any]], ...]
"""Names of facts, each with the values that are accepted for it."""


def case_of(written: Entry) -> Case:
    """Return facts as the rule book states them, each with the values that it accepts."""
    unknown = min(written.keys() - READERS.keys(), default="")
    need(not unknown, f"rule book: {unknown[:99]!a} is nothing that a bet can look at")
    return tuple((fact, READERS[fact](values)) for fact, values in written.items())


def fits(case: Case, facts: Entry) -> bool:
    """Whether every fact that a case names has a value that it accepts."""
    return all(facts[fact] in values for fact, values in case)


class CheckedLine(NamedTuple):
    """A line of a pay table: a round with these facts pays these odds, except in some cases."""

    name: str
    odds: str
    net: Fraction
    clause: str
    facts: Case
    exceptions: tuple[Case, ...] = ()

    def holds(self, facts: Entry) -> bool:
        """Whether a round with these facts is on this line."""
        return fits(self.facts, facts) and not any(fits(case, facts) for case in self.exceptions)


def line_of(pay: Entry) -> CheckedLine:
    """Return a line of a pay table as the rule book states it."""
    own = {"name", "odds", "clause", "commission", "except"}
    facts = case_of({fact: written for fact, written in pay.items() if fact not in own})
    exceptions = tuple(case_of(case) for case in list_in(pay, "except"))
    odds = text_in(pay, "odds")
    if "commission" in pay and not odds.endswith(f" less {text_in(pay, 'commission')}"):
        odds = f"{odds} less {text_in(pay, 'commission')}"
    return CheckedLine(
        text_in(pay, "name", ""), odds, net_of(odds), text_in(pay, "clause", ""), facts, exceptions
    )


REST = {"lose": CheckedLine("loses", "", LOST, "", ()), "push": CheckedLine("returned", "push", ZERO, "", ())}
"""The last line of every pay table, by what the bet says of all other rounds: it fits every round."""


class CheckedBet(NamedTuple):
    """A bet: the first line that fits a round settles it."""

    id: str
    name: str
    settled: str
    hand: str
    layouts: int
    lines: tuple[CheckedLine, ...]

    @property
    def nets(self) -> list[Fraction]:
        """The win of a unit staked on each line."""
        return [line.net for line in self.lines]

    @property
    def looks_at(self) -> set[str]:
        """The facts that its lines name."""
        return {fact for line in self.lines for case in (line.facts, *line.exceptions) for fact, _ in case}

    def line(self, facts: Entry) -> int:
        """Return the number of the line on which a round with these facts is; the last line fits every round."""
        return next(number for number, line in enumerate(self.lines) if line.holds(facts))


@lru_cache(maxsize=256)
def lines_on(bet: CheckedBet, play: Play, looks_at: tuple[str, ...]) -> list[int]:
    """Return the line of a bet on which each round of ``every_round`` is."""
    return [bet.line(facts) for facts in every_round(play, looks_at).facts]


State = tuple[str, str, int, int]
"""When insurance is offered: for which hand, at which stage, with which totals of Player and Banker."""


class InsuranceWays(NamedTuple):
    """The ways in which an insurance bet is open, won, and lost."""

    ways: int
    won: int
    lost: int


class OfferedBet(NamedTuple):
    """An insurance bet on a hand: its line, by ``number`` through all tables; ``odds`` are empty where nothing is offered."""

    hand: str
    odds: str
    net: Fraction
    ties: frozenset[int]
    number: int = 0
    clause: str = ""

    def sign(self, course: RoundByPoints) -> int:
        """1 where it wins, because its hand loses; 0 where it is returned; -1 where it loses."""
        if course.player_total == course.banker_total:
            return int(course.player_total in self.ties)
        return 1 if (course.player_total < course.banker_total) == (self.hand == "player") else -1

    def gain(self, tally: InsuranceWays) -> Fraction:
        """Return the average win of a unit staked."""
        return (self.net * tally.won - tally.lost) / tally.ways


class InsuranceCap:
    """A cap on insurance: a share of a base, on what is staked or on what is paid."""

    def __init__(self, entry: Entry) -> None:
        self.caps = one_of(entry, "caps", ("stake", "payout", "payout-and-stake"))
        self.per = one_of(entry, "per", ("offer", "round", "both-hands", "table"))
        self.of = one_of(entry, "of", ("original-bet", "table-maximum", "maximum-differential"))
        self.share, self.procedure = share_of(text_in(entry, "share")), text_in(entry, "procedure", "")
        self.net = net_of(text_in(entry, "odds")) if "odds" in entry else None

    def applies(self, net: Fraction) -> bool:
        """Whether it limits a bet at these odds, given the original bet alone."""
        return self.of == "original-bet" and self.net in (None, net)

    def used(self, net: Fraction) -> Fraction:
        """Return how much of the share a unit staked at these odds takes up."""
        return {"stake": ONE, "payout": net, "payout-and-stake": net + 1}[self.caps]


Changes = dict[tuple[str | int, ...], Any]
"""What another reading puts in the place of the rule book's own, by place."""


def changes_of(book: Entry, instead: Entry) -> Changes:
    """Return the changes of one entry of the register."""
    changes: Changes = {
        ("bets", text_in(bet, "id")): list_in(bet, "pays") for bet in list_in(instead, "bets")
    }
    for layout in list_in(instead, "layouts"):
        changes["layouts", text_in(layout, "id")] = list_in(layout, "bets")
    for table in list_in(instead, "insurance"):
        changes["insurance", text_in(table, "side"), text_in(table, "stage")] = list_in(table, "offers")
    own, others = list_in(book.get("insurance_terms", {}), "limits"), list_in(instead, "insurance_limits")
    if others and len(own) == len(others):
        both = enumerate(zip(own, others, strict=True))
        changes |= {("limits", n): [other] for n, (limit, other) in both if limit != other}
    elif others:  # all of them: the first place gets the whole list
        changes |= {("limits", n): [] for n in range(len(own))} | {("limits", 0): others}
    listed = {"bets", "layouts", "insurance", "insurance_limits"}
    return changes | {(key,): value for key, value in instead.items() if key not in listed}


class Register:
    """The other readings of a rule book: what each entry of its register changes."""

    def __init__(self, book: Entry) -> None:
        entries = list_in(book, "interpretations")
        self.book = book
        self.changes = {text_in(one, "id"): changes_of(book, one["instead"]) for one in entries}

    def check(self, followed: Sequence[str]) -> None:
        """Refuse readings that are not in the register, are named twice, or contradict each other."""
        for number, one in enumerate(followed):
            is_new = one in self.changes and one not in followed[:number]
            need(is_new, f"followed: {shown(one)} is not in the register of the rule book, or is named twice")
            against = [other for other in followed[:number] if self.contradict(one, other)]
            need(not against, f"followed: {shown(', '.join(against))} and {shown(one)} contradict each other")

    def contradict(self, one: str, other: str) -> bool:
        """Whether two entries change the same place."""
        return bool(self.changes[one].keys() & self.changes[other].keys())

    def game(self, followed: Iterable[str]) -> "CheckedGame":
        """Return the game under the other reading of these entries."""
        together = Changes()
        for one in followed:
            together |= self.changes[one]
        return CheckedGame(self.book, together)

    def other_way(self, followed: Sequence[str], entry: str) -> "CheckedGame":
        """Return the game with one entry read the other way: no longer followed, or instead of those it contradicts."""
        if entry in followed:
            return self.game(one for one in followed if one != entry)
        return self.game([*(one for one in followed if not self.contradict(one, entry)), entry])


class CheckedGame:
    """The content of a rule book, under the changes of other readings."""

    def __init__(self, book: Entry, changes: Changes) -> None:
        self.play = play_of(book, changes.get(("banker_draws_against_natural",)))
        self.courses = courses_of(self.play)
        self.bets = [self.bet(entry, changes) for entry in list_in(book, "bets")]
        self.looks_at = tuple(fact for fact in READERS if fact == "winner" or f"'{fact}'" in str(book))
        speaks = any("natural" in fact for bet in self.bets for fact in bet.looks_at)
        need(
            not speaks or self.play.natural == NATURALS, "rule book: a bet names naturals other than 8 and 9"
        )
        terms, words = book.get("insurance_terms", {}), ("card-to-come", "whenever-listed", "never")
        opens = {"open": changes.get(("insurance_open",), terms.get("open", ""))}
        when = one_of(opens, "open", words) if "insurance_terms" in book else "never"
        self.has_insurance, self.whenever_listed = when != "never", when == "whenever-listed"
        tables = list_in(book, "insurance") if self.has_insurance else []
        self.tables = {(one["side"], one["stage"]): text_in(one, "settled", "") for one in tables}
        self.offers = dict(offers_of(tables, changes))
        for state in self.offers:
            need(self.approaches(state), f"rule book: insurance is offered where it is never open: {state}")
        own = list_in(terms, "limits") if self.has_insurance else []
        limits = [changes.get(("limits", n), own[n : n + 1]) for n in range(max(1, len(own)))]
        self.limits = [InsuranceCap(limit) for some in limits for limit in some] if self.has_insurance else []
        self.tie_clause = text_in(book.get("clauses", {}), "tie", "")
        practice = {"insured_hand": "own", "tied_bets": "returned"} | book.get("practice", {})
        practice |= {key: changes[key,] for key in practice if (key,) in changes}
        self.insures_either = one_of(practice, "insured_hand", ("own", "either")) == "either"
        self.ties_stay = one_of(practice, "tied_bets", ("returned", "stay")) == "stay"
        self.signs = cache(self.signs_of)

    @staticmethod
    def bet(entry: Entry, changes: Changes) -> CheckedBet:
        """Return a bet with the lines and the layouts that it has under these changes."""
        other = {place[1]: bets for place, bets in changes.items() if place[0] == "layouts"}
        layouts = {layout for layout in list_in(entry, "layouts") if layout not in other}
        layouts |= {layout for layout, bets in other.items() if entry["id"] in bets}
        pays = changes.get(("bets", text_in(entry, "id")), list_in(entry, "pays"))
        rest = REST[one_of({"otherwise": "lose"} | entry, "otherwise", tuple(REST))]
        name, settled, hand = text_in(entry, "name"), text_in(entry, "settled"), text_in(entry, "hand", "")
        return CheckedBet(entry["id"], name, settled, hand, len(layouts), (*map(line_of, pays), rest))

    def signs_of(self, offer: OfferedBet, totals: Totals) -> list[int]:
        """Return how an insurance bet ends with every fifth and sixth card."""
        return [offer.sign(course) for course in self.courses[totals]]

    def bet_on(self, hand: str) -> str | None:
        """Return the id of the bet on a hand: the one that says it is, else the one with the hand's name."""
        named = [bet.id for bet in self.bets if bet.hand == hand]
        return next(iter([*named, *(bet.id for bet in self.bets if bet.id == hand and not bet.hand)]), None)

    def is_open(self, totals: Totals, third: int | None) -> bool:
        """Whether insurance is open after four cards, or after this third card of the Player."""
        course = self.courses[totals][10 * (third or 0)]
        if third is None:
            return self.whenever_listed or course.third is not None or course.last is not None
        return course.third is not None and (self.whenever_listed or course.last is not None)

    def approaches(self, state: State) -> list[tuple[Totals, int | None]]:
        """Return how a round reaches a state: the two-card totals, and the Player's third card if it was dealt."""
        _, stage, player, banker = state
        if stage == FOUR:
            return [((player, banker), None)] if self.is_open((player, banker), None) else []
        return [
            ((before, banker), third)
            for before, third in CELLS
            if (before + third) % 10 == player and self.is_open((before, banker), third)
        ]


def offers_of(tables: Sequence[Entry], changes: Changes) -> Iterator[tuple[State, OfferedBet]]:
    """Yield every insurance state of a rule book with its offer, in the order of its lines."""
    number = 0
    for table in tables:
        hand, stage = one_of(table, "side", HANDS), one_of(table, "stage", (FOUR, THIRD))
        for line in changes.get(("insurance", hand, stage), list_in(table, "offers")):
            number += 1
            ties = numbers_of(line["tie_pays"]) if "tie_pays" in line else frozenset[int]()
            odds = text_in(line, "odds")
            offer = OfferedBet(hand, odds, net_of(odds), ties, number, text_in(line, "clause", ""))
            need(offer.net > 0, "rule book: insurance that pays nothing")
            players, bankers = numbers_of(line["player_points"]), numbers_of(line["banker_points"])
            for player, banker in product(sorted(players), sorted(bankers)):
                yield (hand, stage, player, banker), offer


# ------------------------------------------------------------ a game on a shoe


class Dealt:
    """A game on a shoe: the ways of every line of every bet, and of every ending of every insurance state."""

    def __init__(self, game: CheckedGame, shoe: Shoe) -> None:
        self.game, self.shoe, self.space = game, shoe, perm(sum(shoe), 6)
        self.by_totals = by_totals(shoe)
        self.state_tally = cache(self.offered_tally)

    @property
    def ways_of_rounds(self) -> Ways:
        """The ways of every round."""
        return ways_of_rounds(self.game.play, self.game.looks_at, self.shoe)

    @cached_property
    def settled(self) -> Counter[tuple[int, ...]]:
        """The ways of all bets together: the line of each bet."""
        together = Counter[tuple[int, ...]]()
        lines = [lines_on(bet, self.game.play, self.game.looks_at) for bet in self.game.bets]
        for settled, ways in zip(zip(*lines, strict=True), self.ways_of_rounds, strict=True):
            together[settled] += ways
        return +together

    def ways(self, bet: CheckedBet) -> Ways:
        """Return the ways of each line of a bet."""
        ways, place = [0] * len(bet.lines), self.game.bets.index(bet)
        for lines, count in self.settled.items():
            ways[lines[place]] += count
        return ways

    def mean(self, bet: CheckedBet) -> Fraction:
        """Return the expected value of a unit on a bet."""
        return sum((net * n for net, n in zip(bet.nets, self.ways(bet), strict=True)), ZERO) / self.space

    def values(self) -> list[Fraction]:
        """Return the expected value of every bet."""
        return [self.mean(bet) for bet in self.game.bets]

    def tally(self, state: State, offer: OfferedBet, third: int | None = None) -> InsuranceWays:
        """Return an insurance bet at a state; ``third``: only the rounds with this third card of the Player."""
        tallies = [
            tally_of(self.game, offer, totals, card, self.by_totals[totals])
            for totals, card in self.game.approaches(state)
            if totals in self.by_totals and third in (None, card)
        ]
        return InsuranceWays(*map(sum, zip((0, 0, 0), *tallies, strict=True)))

    def offered_tally(self, state: State) -> InsuranceWays:
        """Return the offered insurance bet at a state."""
        return self.tally(state, self.game.offers[state])


def tally_of(
    game: CheckedGame, offer: OfferedBet, totals: Totals, third: int | None, ways: Ways
) -> InsuranceWays:
    """Return an insurance bet over the fifth and sixth cards that may follow two-card totals, or a third card."""
    cells = slice(None) if third is None else slice(10 * third, 10 * third + 10)
    by_sign = [0, 0, 0]
    for sign, count in zip(game.signs(offer, totals)[cells], ways[cells], strict=True):
        by_sign[sign] += count  # a place of -1 is the last one
    return InsuranceWays(sum(by_sign), by_sign[1], by_sign[2])


# ------------------------------------------------------------ the formulas


def ratio(top: Fraction, bottom: Fraction) -> Fraction | None:
    """Return a quotient, or None where the divisor is 0."""
    return top / bottom if bottom else None


def moment(entry: Entry, power: int) -> Fraction:
    """Return the mean of a power of the net result."""
    return sum((line["net"] ** power * line["probability"] for line in entry["outcomes"]), ZERO)


def chance(entry: Entry, sign: int) -> Fraction:
    """Return how often a bet is won (1), returned (0), lost (-1)."""
    lines = entry["outcomes"]
    return sum((line["probability"] for line in lines if (line["net"] > 0) - (line["net"] < 0) == sign), ZERO)


def band(sigmas: int, side: str) -> "Formula":
    """Return the square of a band's width, cut where everything is lost or won."""
    if side == "below":
        return lambda e: min(sigmas**2 * e["sigma_squared"], (e["expected_win"] + e["most_loss"]) ** 2)
    return lambda e: min(sigmas**2 * e["sigma_squared"], (e["most_win"] - e["expected_win"]) ** 2)


def if_offered(formula: "Formula") -> "Formula":
    """Return a formula of an insurance state that has no value where nothing is offered."""
    return lambda e: None if e["odds"] is None else formula(e)


Formula = Callable[[Entry], Any]

FORMULAS: dict[str, dict[str, Formula]] = {
    "line of a bet": {
        "probability": lambda e: e["ways"] / e["space"],
        "contribution": lambda e: e["net"] * e["probability"],
        "share_of_return": lambda e: (1 + e["net"]) * e["probability"],
        "true_odds": lambda e: ratio(e["space"] - e["ways"], e["ways"]),
    },
    "bet": {
        "expected_value": lambda e: moment(e, 1),
        "house_edge": lambda e: -e["expected_value"],
        "return_to_player": lambda e: 1 + e["expected_value"],
        "hit_frequency": lambda e: chance(e, 1),
        "push": lambda e: chance(e, 0),
        "void": lambda e: ZERO,  # no fresh shoe runs out
        "returned": lambda e: e["push"] + e["void"],
        "total_probability": lambda e: sum(line["probability"] for line in e["outcomes"]),
        "edge_per_resolved_bet": lambda e: ratio(e["house_edge"], 1 - e["push"]),
        "variance": lambda e: moment(e, 2) - e["expected_value"] ** 2,
        "third_central_moment": lambda e: (
            moment(e, 3) - 3 * e["expected_value"] * moment(e, 2) + 2 * e["expected_value"] ** 3
        ),
        # the square of the skewness, with its sign
        "skewness_signed_square": lambda e: ratio(
            e["third_central_moment"] * abs(e["third_central_moment"]), e["variance"] ** 3
        ),
        # the rounds from which the skewness of a sum is at most 1/5: 25 times the square, rounded up
        "normal_from": lambda e: (
            None
            if e["skewness_signed_square"] is None
            else max(1, -int(-25 * abs(e["skewness_signed_square"]) // 1))
        ),
        "largest_payout": lambda e: max(
            (line["net"] for line in e["outcomes"] if line["ways"] and line["net"] > 0), default=None
        ),
        "fair_odds": lambda e: ratio(chance(e, -1), chance(e, 1)),
    },
    "two bets": {
        "signed_square": lambda e: ratio(
            e["covariance"] * abs(e["covariance"]), e["variances"][0] * e["variances"][1]
        ),
    },
    "bets together": {
        "mean": lambda e: moment(e, 1),
        "variance": lambda e: moment(e, 2) - e["mean"] ** 2,
        "house_edge": lambda e: -e["mean"] / e["staked"],
    },
    "state": {
        "probability": lambda e: e["ways"] / e["sample_space"],
        "wins": lambda e: e["won"] / e["ways"],
        "loses": lambda e: e["lost"] / e["ways"],
        "pushes": lambda e: 1 - e["wins"] - e["loses"],
        "expected_value": if_offered(lambda e: e["net"] * e["wins"] - e["loses"]),
        "house_edge": if_offered(lambda e: -e["expected_value"]),
        "variance": if_offered(lambda e: e["net"] ** 2 * e["wins"] + e["loses"] - e["expected_value"] ** 2),
        "fair_odds": lambda e: ratio(e["lost"], e["won"]),
        "favours_player": lambda e: e["odds"] is not None and e["expected_value"] > 0,
        "favours_house": lambda e: e["odds"] is not None and e["expected_value"] < 0,
    },
    "exact cards": {"favourable": lambda e: e["favourable_ways"] / e["ways"]},
    "difference": {
        "change": lambda e: None if None in (e["read"], e["otherwise"]) else e["otherwise"] - e["read"],
    },
    "closed form": {"limit": lambda e: Fraction(e["numerator"][6], e["denominator"][6])},
    "operations": {
        "expected_win": lambda e: -e["value"] * e["rounds"],
        "sigma_squared": lambda e: e["variance"] * e["rounds"],
        "most_win": lambda e: -min(e["nets"]) * e["rounds"],
        "most_loss": lambda e: max(e["nets"]) * e["rounds"],
        "sigma_below_squared": band(1, "below"),
        "sigma_above_squared": band(1, "above"),
        "two_sigma_below_squared": band(2, "below"),
        "two_sigma_above_squared": band(2, "above"),
        "three_sigma_below_squared": band(3, "below"),
        "three_sigma_above_squared": band(3, "above"),
    },
}
"""How every figure follows from counts, and from figures above it."""


def with_figures(kind: str, entry: Entry, **given: Any) -> Entry:
    """Return an entry with the figures that follow from it; ``given``: what else their formulas use."""
    known = entry | given
    for name, formula in FORMULAS[kind].items():
        known[name] = formula(known)
    return {name: value for name, value in known.items() if name not in given}


# ------------------------------------------------------------ bets and insurance


def bet_entry(bet: CheckedBet, dealt: Dealt) -> Entry:
    """Return a bet: its outcomes and its figures."""
    outcomes = []
    for line, ways in zip(bet.lines, dealt.ways(bet), strict=True):
        outcome = {"name": line.name or "wins", "odds": line.odds, "net": line.net, "ways": Fraction(ways)}
        outcomes.append(with_figures("line of a bet", outcome | {"is_void": False}, space=dealt.space))
    return with_figures("bet", {"id": bet.id, "name": bet.name, "outcomes": outcomes})


def joint_entries(dealt: Dealt, bets: Sequence[Entry]) -> list[Entry]:
    """Return the covariance and the correlation of every two bets."""
    units = [lcm(*(net.denominator for net in bet.nets)) for bet in dealt.game.bets]
    whole = [[int(net * unit) for net in bet.nets] for bet, unit in zip(dealt.game.bets, units, strict=True)]
    entries = []
    for one, two in combinations(range(len(bets)), 2):
        ways_by_net = (
            ways * whole[one][lines[one]] * whole[two][lines[two]] for lines, ways in dealt.settled.items()
        )
        mean = Fraction(sum(ways_by_net), dealt.space * units[one] * units[two])
        covariance = mean - bets[one]["expected_value"] * bets[two]["expected_value"]
        entry = {"first": bets[one]["id"], "second": bets[two]["id"], "covariance": covariance}
        entry |= {"variances": [bets[one]["variance"], bets[two]["variance"]]}
        entries.append(with_figures("two bets", entry))
    return entries


def combination_entry(dealt: Dealt, found: Entry) -> Entry:
    """Return the stated stakes on several bets in one round."""
    bets = [bet.id for bet in dealt.game.bets]
    stakes = {bets.index(stake["bet"]): fraction(stake["amount"]) for stake in found["stakes"]}
    together = Counter[Fraction]()
    for lines, ways in dealt.settled.items():
        nets = [dealt.game.bets[bet].nets[lines[bet]] * amount for bet, amount in stakes.items()]
        together[sum(nets, ZERO)] += ways
    entry: Entry = {"stakes": [{"bet": bets[bet], "amount": amount} for bet, amount in stakes.items()]}
    entry["outcomes"] = [
        {"net": net, "ways": Fraction(together[net]), "probability": Fraction(together[net], dealt.space)}
        for net in sorted(together, reverse=True)
    ]
    return with_figures("bets together", entry | {"staked": sum(stakes.values(), ZERO)})


def operations_entry(bets: Sequence[Entry], found: Entry) -> Entry:
    """Return what the house wins on a stated bet after a stated number of rounds of a unit each."""
    (bet,) = [bet for bet in bets if bet["id"] == found["bet"]]
    nets = [line["net"] for line in bet["outcomes"] if line["ways"]]
    given = {"value": bet["expected_value"], "variance": bet["variance"], "nets": nets}
    return with_figures("operations", {"bet": bet["id"], "rounds": whole(found["rounds"])}, **given)


def state_name(state: State) -> Entry:
    """Return an insurance state by its parts."""
    return dict(zip(("side", "stage", "player_points", "banker_points"), state, strict=True))


def state_entry(state: State, offer: OfferedBet, tally: InsuranceWays, space: int) -> Entry:
    """Return an insurance bet at a state: its ways and its figures."""
    counts = {name: Fraction(ways) for name, ways in zip(("ways", "won", "lost"), tally, strict=True)}
    entry: Entry = {"state": state_name(state), "odds": offer.odds or None}
    entry |= {"net": offer.net if offer.odds else None, "pays_on_tie": sorted(offer.ties)}
    return with_figures("state", entry | {"sample_space": Fraction(space)} | counts)


def insurance_entries(dealt: Dealt) -> list[Entry]:
    """Return every state that the game offers."""
    offers = dealt.game.offers.items()
    return [state_entry(state, offer, dealt.state_tally(state), dealt.space) for state, offer in offers]


def third_card_entries(dealt: Dealt) -> list[Entry]:
    """Return every offered state after the Player's third card, with that card known by its points."""
    entries = []
    for state, offer in dealt.game.offers.items():
        for third in sorted({card for _, card in dealt.game.approaches(state) if card is not None}):
            analysis = state_entry(state, offer, dealt.tally(state, offer, third), dealt.space)
            entries.append({"player_third": third, "analysis": analysis})
    return entries


def not_offered_entries(dealt: Dealt) -> list[Entry]:
    """Return the states at which the game offers nothing, as if ties were returned."""
    entries = []
    for stage, (player, banker), hand in product((FOUR, THIRD), CELLS, HANDS):
        state, offer = (hand, stage, player, banker), OfferedBet(hand, "", ZERO, frozenset())
        if state not in dealt.game.offers and dealt.game.approaches(state):
            entries.append(state_entry(state, offer, dealt.tally(state, offer), dealt.space))
    return entries if dealt.game.has_insurance else []


def insurance_table_entries(states: Sequence[Entry]) -> list[Entry]:
    """Return each hand at each stage: the states offered, those that favour the player, the first best one."""
    tables = dict[tuple[str, str], list[Entry]]()
    for entry in states:
        tables.setdefault((entry["state"]["side"], entry["state"]["stage"]), []).append(entry)
    entries = []
    for (hand, stage), listed in tables.items():
        best = max(listed, key=lambda entry: entry["expected_value"])["state"]
        favourable = sum(entry["favours_player"] for entry in listed)
        entry = {"side": hand, "stage": stage, "offered": len(listed), "favourable": favourable}
        entries.append(entry | {"best": best})
    return entries


SeenCards = dict[Totals, list[tuple[FourCards, Ways]]]
"""The first four cards by points, with the ways of every fifth and sixth card, by their totals."""


def seen_cards(shoe: Shoe) -> SeenCards:
    """Return every first four cards of a shoe."""
    by_cards: SeenCards = {totals: [] for totals in CELLS}
    for four, ways in deal(shoe, lambda four, _: four).items():
        by_cards[totals_of(four)].append((four, ways))
    return by_cards


def range_entries(dealt: Dealt, found: Sequence[Entry]) -> list[Entry]:
    """Return the insurance states by the exact cards seen, each with the stated best and worst of them."""
    by_cards = seen_cards(dealt.shoe) if found else {}
    states = zip(dealt.game.offers, found, strict=True)
    return [range_entry(dealt, by_cards, state, entry) for state, entry in states]


def range_entry(dealt: Dealt, by_cards: SeenCards, state: State, found: Entry) -> Entry:
    """Return an insurance state by the exact cards seen, with the stated best and worst of them."""
    game, offer = dealt.game, dealt.game.offers[state]
    seen = dict[tuple[FourCards, int | None], InsuranceWays]()
    for totals, third in game.approaches(state):
        for four, ways in by_cards[totals]:
            seen[four, third] = tally_of(game, offer, totals, third, ways)
    seen = {cards: tally for cards, tally in seen.items() if tally.ways}
    gains = {cards: offer.gain(tally) for cards, tally in seen.items()}
    entry: Entry = {"state": state_name(state), "ways": Fraction(sum(tally.ways for tally in seen.values()))}
    favourable = sum(tally.ways for cards, tally in seen.items() if gains[cards] > 0)
    entry["favourable_ways"] = Fraction(favourable)
    for name, extreme in (("worst", min(gains.values())), ("best", max(gains.values()))):
        cards = found[name]["seen"]
        four = tuple(map(whole, cards["player"])), tuple(map(whole, cards["banker"]))
        third = None if cards["third"] is None else whole(cards["third"])
        hold(gains[four, third] == extreme, f"ranges: {state}: not the {name} cards")
        analysis = state_entry(state, offer, seen[four, third], dealt.space)
        cards = {"player": list(four[0]), "banker": list(four[1]), "third": third}
        entry[name] = {"seen": cards, "analysis": analysis, "expected_value": extreme}
    return with_figures("exact cards", entry)


# ------------------------------------------------------------ examples, readings, removal, closed forms


def result_of(net: Fraction | int) -> str:
    """Return what became of a stake, in a word."""
    return "won" if net > 0 else "lost" if net < 0 else "returned"


def example_entry(game: CheckedGame, number: int, found: Entry) -> Entry:
    """Return a stated round, with what becomes of a unit on every bet and on the insurance that was open."""
    ranks = [RANKS.index(card) for card in found["dealt"]]
    cards, points = [RANKS[rank] for rank in ranks], [*(POINTS[rank] for rank in ranks), 0, 0]
    totals = (points[0] + points[2]) % 10, (points[1] + points[3]) % 10
    course = game.courses[totals][10 * points[4] + points[5]]
    needed = 4 + (course.third is not None) + (course.last is not None)
    hold(len(cards) == needed, f"examples[{number - 1}]: a round of other than {len(cards)} cards")
    facts = facts_of(course, match_of(ranks[0:4:2], ranks[1:4:2]))
    lines = []
    for bet in game.bets:
        place = bet.line(facts)
        line = bet.lines[place]
        entry = {"bet": bet.id, "name": bet.name, "line": place + 1, "odds": line.odds, "net": line.net}
        lines.append(entry | {"result": result_of(line.net), "clause": line.clause or bet.settled})
    return {
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
        "insurance": [*insured_examples(game, course)],
    }


def insured_examples(game: CheckedGame, course: RoundByPoints) -> Iterator[Entry]:
    """Yield a unit on each insurance bet that was open in a worked round, in the order of the tables."""
    is_tie = course.player_total == course.banker_total
    for (hand, stage), settled in game.tables.items():
        third, player = (None, course.player) if stage == FOUR else (course.third, course.player_total)
        state = (hand, stage, player, course.banker)
        is_reached = stage == FOUR or third is not None
        if state in game.offers and is_reached and game.is_open((course.player, course.banker), third):
            offer = game.offers[state]
            sign = offer.sign(course)
            clause = (offer.clause or settled) if is_tie and sign else game.tie_clause if is_tie else settled
            yield {
                "line": offer.number,
                "state": state_name(state),
                "result": result_of(sign),
                "is_tie": is_tie,
                "odds": (offer.odds, "push", "")[1 - sign],
                "net": (offer.net, ZERO, LOST)[1 - sign],
                "clause": clause,
            }


def until_decided(dealt: Dealt, bet: CheckedBet) -> Fraction | None:
    """Return the value of a bet until a round settles it, where ties leave a bet on a hand on the layout."""
    game, ways = dealt.game, [0] * len(bet.lines)
    stays = game.ties_stay and bet.id in map(game.bet_on, HANDS)
    rounds, lines = every_round(game.play, game.looks_at).facts, lines_on(bet, game.play, game.looks_at)
    for facts, line, count in zip(rounds, lines, dealt.ways_of_rounds, strict=True):
        is_left = stays and facts["winner"] == "tie" and not bet.lines[line].net
        ways[line] += 0 if is_left else count
    return ratio(sum((net * n for net, n in zip(bet.nets, ways, strict=True)), ZERO), Fraction(sum(ways)))


def most_staked(
    limits: Sequence[InsuranceCap], bets: Sequence[tuple[str, Fraction]], procedure: str
) -> Fraction | None:
    """Return the most that insurance bets (hand, net odds) can stake in all, taken in this order; None: no limit."""
    own = [limit for limit in limits if procedure and limit.procedure == procedure]
    taken = list[tuple[str, Fraction, Fraction]]()
    for hand, net in bets:
        stakes = []
        for limit in own or [limit for limit in limits if not limit.procedure]:
            adds_up = {"round": {hand}, "both-hands": set(HANDS)}.get(limit.per, set())
            used = [stake * limit.used(at) for on, at, stake in taken if on in adds_up and limit.applies(at)]
            if limit.applies(net):
                stakes.append(max(ZERO, limit.share - sum(used, ZERO)) / limit.used(net))
        if not stakes:
            return None
        taken.append((hand, net, min(stakes)))
    return sum((stake for _, _, stake in taken), ZERO)


def measured(dealt: Dealt, subject: Entry, measure: str) -> Fraction | None:
    """Return a figure that readings may change; None: the game has no such figure."""
    game, state = dealt.game, subject["state"] and state_of(subject["state"])
    if state and measure == "expected-value":
        return game.offers[state].gain(dealt.state_tally(state)) if state in game.offers else None
    if subject["bet"] is not None:
        (bet,) = [bet for bet in game.bets if bet.id == subject["bet"]]
        hands = [hand for hand in HANDS if game.insures_either or game.bet_on(hand) == bet.id]
        by_measure: dict[str, Callable[[], Fraction | None]] = {
            "expected-value": lambda: dealt.mean(bet),
            "expected-value-until-decided": lambda: until_decided(dealt, bet),
            "layouts": lambda: Fraction(bet.layouts),
            "insurance-states-open": lambda: Fraction(sum(one[0] in hands for one in game.offers)),
        }
        return by_measure[measure]()
    on_hands = {"": ("player",), "-both-stages": ("player", "player"), "-both-hands": HANDS}
    taken: Sequence[str] = on_hands[measure.removeprefix("largest-insurance-stake")]
    odds = subject["odds"].removesuffix(" on Banker").split(" on Player and ") * 2
    bets = [(hand, net_of(text)) for hand, text in zip(taken, odds, strict=False)]
    procedure = subject["procedure"] or ""
    most = [most_staked(game.limits, order, procedure) for order in (bets, bets[::-1])]  # whichever is first
    return None if most[0] is None or most[1] is None else max(most[0], most[1])


def subject_entry(bet: str | None = None, state: State | None = None, found: Entry | None = None) -> Entry:
    """Return what a figure is about: a bet, a state, or odds under a procedure as they were ``found``."""
    stated = {name: found[name] if found else None for name in ("odds", "procedure")}
    return {"bet": bet, "state": state_name(state) if state else None} | stated


def difference_entry(dealt: Dealt, other: Dealt, found: Entry) -> Entry:
    """Return a stated figure under the reading taken and under the other one."""
    subject, measure = found["subject"], found["measure"]
    state = None if subject["state"] is None else state_of(subject["state"])
    is_of_limits = subject["bet"] is None and state is None
    named = subject_entry(subject["bet"], state, subject if is_of_limits else None)
    values = {"read": measured(dealt, named, measure), "otherwise": measured(other, named, measure)}
    return with_figures("difference", {"subject": named, "measure": measure} | values)


def reading_entry(dealt: Dealt, other: Dealt, entry: str, found: Entry) -> Entry:
    """Return what another reading of a clause changes: all that is stated, and no changed value left out."""
    differences = [difference_entry(dealt, other, one) for one in found["differences"]]
    stated = [one["subject"] for one in differences]
    values = zip(dealt.game.bets, dealt.values(), other.values(), strict=True)
    changed = [subject_entry(bet=bet.id) for bet, read, otherwise in values if read != otherwise]
    for state in dealt.game.offers if other.game.has_insurance else ():
        subject = subject_entry(state=state)
        if measured(dealt, subject, "expected-value") != measured(other, subject, "expected-value"):
            changed.append(subject)
    left_out = [subject["bet"] or subject["state"] for subject in changed if subject not in stated]
    hold(not left_out, f"readings: {shown(entry)} changes {left_out[:1]}, which is not stated")
    return {"entry": entry, "differences": differences}


def removal_entries(dealt: Dealt) -> list[Entry]:
    """Return how every expected value moves when a card of each rank leaves the shoe."""
    values, changes = dealt.values(), dict[str, list[Fraction]]()
    by_rank = {"player_pair_of", "banker_pair_of"} & set(dealt.game.looks_at)
    for number, rank in enumerate(RANKS if by_rank else RANKS[:10]):
        shoe = tuple(cards - (number == other) for other, cards in enumerate(dealt.shoe))
        without = Dealt(dealt.game, shoe).values()
        changes[rank] = [after - before for before, after in zip(values, without, strict=True)]
    # There are as many of the pictures as of the tens, worth as much; only some bets tell their ranks apart.
    changes = dict.fromkeys(("J", "Q", "K"), changes["10"]) | changes
    entries = []
    for number, bet in enumerate(dealt.game.bets):
        moves = {rank: changes[rank][number] for rank in RANKS}
        entry = {"subject": subject_entry(bet=bet.id), "expected_value": values[number]}
        entry |= {"changes": [{"removed": [rank], "change": move} for rank, move in moves.items()]}
        entries.append(entry | {"most": sorted(RANKS, key=lambda rank: -abs(moves[rank]))})
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
        hold(is_form, f"formulas: {shown(name)}: the {part} is no polynomial through the counts")
        entry[part] = terms
    return with_figures("closed form", entry)


def formula_entries(game: CheckedGame, found: Sequence[Entry]) -> list[Entry]:
    """Return the closed forms of every bet, then of every insurance state."""
    shoes = [Dealt(game, fresh(decks)) for decks in FORM_DECKS]
    spaces, wanted = [dealt.space for dealt in shoes], list[tuple[Entry, list[tuple[str, Ways, Ways]]]]()
    for bet in game.bets:
        unit = lcm(*(net.denominator for net in bet.nets))
        value = [int(unit * dealt.mean(bet) * dealt.space) for dealt in shoes]
        forms = [("expected value", value, [unit * space for space in spaces])]
        by_line = zip(*(dealt.ways(bet)[:-1] for dealt in shoes), strict=True)
        names = [line.name or "wins" for line in bet.lines[:-1]]
        forms += [(name, list(ways), spaces) for name, ways in zip(names, by_line, strict=True)]
        wanted.append((subject_entry(bet=bet.id), forms))
    for state, offer in game.offers.items():
        tallies, unit = [dealt.state_tally(state) for dealt in shoes], offer.net.denominator
        value = [int(unit * (offer.net * tally.won - tally.lost)) for tally in tallies]
        arises = [tally.ways for tally in tallies]
        forms = [("expected value", value, [unit * ways for ways in arises])]
        wanted.append((subject_entry(state=state), [*forms, ("state arises", arises, spaces)]))
    entries = []
    for (subject, forms), entry in zip(wanted, found, strict=True):
        both = zip(entry["formulas"], forms, strict=True)
        entries.append({"subject": subject, "formulas": [form_entry(one, *form) for one, form in both]})
    return entries


def identity_entries(shoes: Sequence[Dealt]) -> Iterator[Entry]:
    """Yield the sums of both sides of every law on every shoe: of all ways, or of all expected values."""
    bets, has_insurance = len(shoes[0].game.bets), shoes[0].game.has_insurance
    sides: dict[str, tuple[int, Callable[[Dealt], Fraction | int]]] = {
        "outcome-ways": (bets, lambda dealt: bets * dealt.space),
        "joint-ways": (1, lambda dealt: dealt.space),
        "pair-algorithm": (bets, lambda dealt: sum(dealt.values(), ZERO)),
        "removal-law": (bets, lambda dealt: sum(dealt.values(), ZERO)),
        "insurance-states": (
            2,
            lambda dealt: (
                2
                * sum(
                    sum(ways) for totals, ways in dealt.by_totals.items() if dealt.game.is_open(totals, None)
                )
            ),
        ),
    }
    for law, (number, side) in sides.items():
        for dealt in shoes if law != "insurance-states" or has_insurance else ():
            both = Fraction(side(dealt))
            decks = sum(dealt.shoe) // 52
            yield {"law": law, "decks": decks, "equalities": number, "left": both, "right": both}


# ------------------------------------------------------------ the comparison

MOST_BYTES = 64_000_000
MOST_PARTS = 1_000_000  # objects and lists; the largest real analysis has some 13,000
MOST_SHOES, MOST_DECKS = 8, 1000
NOT_CHECKED = ("protection", "insurance_protection", "insured")
"""The parts of the file that ``combinat verify`` reproduces and this program does not check."""


def fraction(text: Any) -> Fraction:
    """Return a number that the file states as text."""
    is_number = isinstance(text, str) and re.fullmatch(r"-?\d{1,999}(/\d{1,999})?", text, re.ASCII)
    need(is_number, f"not a number: {shown(text)}")
    return Fraction(text)


def whole(number: Any) -> int:
    """Return a number that the file states as an integer."""
    need(type(number) is int, f"not a whole number: {shown(number)}")
    return int(number)


def state_of(entry: Entry) -> State:
    """Return the insurance state that the file names."""
    return entry["side"], entry["stage"], whole(entry["player_points"]), whole(entry["banker_points"])


def fault_of(error: Exception) -> str:
    """Return Python's words about a fault, on one line of ASCII."""
    line = " ".join(f"{type(error).__name__}: {error}".split())
    return line.encode("ascii", "backslashreplace").decode()[:300]


def shown(value: Any) -> str:
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
    hold(is_right, "" if is_right else f"{where}: found {shown(found)}, should be {shown(text)}")
    return int(isinstance(right, Fraction) or type(right) is int)


class Stated(NamedTuple):
    """An analysis of a rule book: what it states, its numbers of decks, the readings that it follows."""

    found: Entry
    decks: list[int]
    followed: list[str]
    register: Register

    @property
    def reference(self) -> int:
        """The shoe of the figures that are stated for one shoe alone."""
        return REFERENCE_DECKS if REFERENCE_DECKS in self.decks else self.decks[-1]


def stated_in(analysis_text: bytes, rule_book: bytes) -> Stated:
    """Return what an analysis states, if it is one of this rule book."""
    is_small = len(analysis_text) <= MOST_BYTES and len(rule_book) <= MOST_BOOK_BYTES
    need(is_small, f"larger than {MOST_BYTES} bytes; or its rule book, than {MOST_BOOK_BYTES}")
    parts = analysis_text.count(b"{") + analysis_text.count(b"[")
    need(parts <= MOST_PARTS, f"more than {MOST_PARTS} objects and lists")
    try:
        found = json.loads(analysis_text.decode("ascii"))
        schema, sha256 = found["schema"], found["rule_book_sha256"]
        need(schema == SCHEMA, f"schema: found {shown(schema)}, this checker knows {SCHEMA}")
        decks, followed = [shoe["decks"] for shoe in found["shoes"]], found.get("followed", [])
    except FAULTS as error:
        raise Malformed(f"not an analysis: {fault_of(error)}") from None
    rising = sorted({number for number in decks if type(number) is int and 0 < number <= MOST_DECKS})
    is_rising = 0 < len(decks) <= MOST_SHOES and decks == rising
    need(is_rising, f"shoes: not 1 to {MOST_SHOES}, with rising numbers of decks from 1 to {MOST_DECKS}")
    is_list = isinstance(followed, list) and all(isinstance(one, str) for one in followed)
    need(is_list, "followed: expected a list of ids")
    own = hashlib.sha256(rule_book).hexdigest()
    hold(sha256 == own, f"rule_book_sha256: found {shown(sha256)}, should be {shown(own)}")
    try:
        register = Register(book_of(rule_book))
        register.check(followed)
    except FAULTS as error:
        raise Malformed(f"rule book: {fault_of(error)}") from None
    return Stated(found, decks, followed, register)


FRAME_KEYS = ("schema", "game", "rule_book_sha256", "followed", "reference_decks", "shoes", "identities")

Statement = tuple[str, str, Any, Any]
"""The part to which a value belongs, its place, the value as it was found, and the right one."""


def statements(stated: Stated, game: CheckedGame, readings: dict[str, CheckedGame]) -> Iterator[Statement]:
    """Yield every value of the file that is checked, with the right one."""
    found, shoes = stated.found, [Dealt(game, fresh(decks)) for decks in stated.decks]
    reference = on_reference(shoes[stated.decks.index(stated.reference)], readings)
    keys = {*FRAME_KEYS, *NOT_CHECKED, *(key for _, key in reference)}
    compare(dict.fromkeys(found), dict.fromkeys(keys), "")
    yield "bets", "game", found["game"], text_in(stated.register.book, "id")
    yield "bets", "reference_decks", found["reference_decks"], stated.reference
    for number, (decks, dealt) in enumerate(zip(stated.decks, shoes, strict=True)):
        shoe, where = found["shoes"][number], f"shoes[{number}]"
        bets = [bet_entry(bet, dealt) for bet in game.bets]
        frame = {"decks": decks, "cards": 52 * decks, "sample_space": Fraction(dealt.space), "void": ZERO}
        compare(dict.fromkeys(shoe), dict.fromkeys([*frame, "bets", "joint", "insurance"]), where)
        yield "bets", where, {key: shoe[key] for key in frame}, frame
        yield "bets", f"{where}.bets", shoe["bets"], bets
        yield "bets together", f"{where}.joint", shoe["joint"], joint_entries(dealt, bets)
        yield "insurance", f"{where}.insurance", shoe["insurance"], insurance_entries(dealt)
    yield "identities", "identities", found["identities"], list(identity_entries(shoes))
    for (part, key), right in reference.items():
        yield part, key, found[key], right(found[key])


def on_reference(
    dealt: Dealt, readings: dict[str, CheckedGame]
) -> dict[tuple[str, str], Callable[[Any], Any]]:
    """Return, by part and key, what must be stated for the reference shoe, as a function of what is stated."""
    game, bets = dealt.game, [bet_entry(bet, dealt) for bet in dealt.game.bets]
    tables = insurance_table_entries(insurance_entries(dealt))
    others = [(entry, Dealt(other, dealt.shoe)) for entry, other in readings.items()]
    return {
        ("insurance", "insurance_tables"): lambda found: tables,
        ("insurance", "offered_states"): lambda found: sum(table["offered"] for table in tables),
        ("insurance", "favourable_states"): lambda found: sum(table["favourable"] for table in tables),
        ("insurance", "not_offered"): lambda found: not_offered_entries(dealt),
        ("insurance", "third_cards"): lambda found: third_card_entries(dealt),
        ("insurance by exact cards", "ranges"): lambda found: range_entries(dealt, found),
        ("bets together", "combination"): lambda found: combination_entry(dealt, found),
        ("examples", "examples"): lambda found: [
            example_entry(game, number, entry) for number, entry in enumerate(found, start=1)
        ],
        ("readings", "readings"): lambda found: [
            reading_entry(dealt, other, entry, one) for one, (entry, other) in zip(found, others, strict=True)
        ],
        ("removal", "removal"): lambda found: removal_entries(dealt),
        ("closed forms", "formulas"): lambda found: formula_entries(game, found),
        ("operations", "operations"): lambda found: [operations_entry(bets, entry) for entry in found],
    }


def check(analysis_text: bytes, rule_book: bytes) -> dict[str, int]:
    """Return how many numbers hold in each part; raise ``Malformed`` or ``Rejected`` where one does not."""
    stated = stated_in(analysis_text, rule_book)
    register, numbers = stated.register, Counter[str]()
    try:
        game = register.game(stated.followed)
        readings = {entry: register.other_way(stated.followed, entry) for entry in register.changes}
    except FAULTS as error:
        raise Malformed(f"rule book: {fault_of(error)}") from None
    try:
        for part, where, found, right in statements(stated, game, readings):
            numbers[part] += compare(found, right, where)
        canonical = (json.dumps(stated.found, sort_keys=True, indent=1) + "\n").encode()
    except FAULTS as error:
        raise Malformed(f"not an analysis: {fault_of(error)}") from None
    need(
        canonical == analysis_text,
        "not canonical: keys sorted, each once, one space a level, one newline at the end",
    )
    return dict(numbers)


# ------------------------------------------------------------ one figure, derived by hand


def exact(value: Fraction) -> str:
    """Return a value as a fraction and with twelve decimals, rounded half to even."""
    digits = f"{abs(round(value * 10**12)):013d}"
    return f"{value} = {'-' if value < 0 else ''}{digits[:-12]}.{digits[-12:]}"


def book_line(rule_book: str, table: str, number: int) -> str:
    """Return where the rule book states the odds of this number within all tables of a name."""
    inside, left = False, number
    for line, text in enumerate(rule_book.splitlines(), start=1):
        inside = text.startswith(f"[[{table}") if text.startswith("[") else inside
        left -= len(re.findall(r"\bodds\s*=", text)) if inside else 0
        if left < 0:
            return f"line {line} of the rule book"
    return "the rule book"


WAYS_ON = {
    (2, 2): "nobody draws",
    (3, 2): "Player alone draws",
    (2, 3): "Banker alone draws",
    (3, 3): "both hands draw",
}


def explained_bet(dealt: Dealt, bet: CheckedBet, rule_book: str) -> Iterator[str]:
    """Yield the derivation of a bet's expected value."""
    looks_at = (*sorted(bet.looks_at | {"player_cards", "banker_cards"}),)
    by_line = [Counter[str]() for _ in bet.lines]
    ways = ways_of_rounds(dealt.game.play, looks_at, dealt.shoe)
    for facts, count in zip(every_round(dealt.game.play, looks_at).facts, ways, strict=True):
        by_line[bet.line(facts)][WAYS_ON[facts["player_cards"], facts["banker_cards"]]] += count
    yield f"{bet.name} ({bet.id}), clause {bet.settled}"
    earlier = sum(len(other.lines) - 1 for other in dealt.game.bets[: dealt.game.bets.index(bet)])
    for number, line in enumerate(bet.lines):
        where, total = book_line(rule_book, "bets", earlier + number), by_line[number].total()
        stated = f"{line.odds}: {where}, clause {line.clause or bet.settled}"
        is_rest = number == len(bet.lines) - 1
        yield f"{line.name or 'wins'}, {'every other round' if is_rest else stated}; net {line.net}"
        for goes_on in WAYS_ON.values():
            yield f"  {goes_on:<20}{by_line[number][goes_on]:>24}"
        yield f"  {'sum':<20}{total:>24}"
        yield f"  probability {total}/{dealt.space} = {exact(Fraction(total, dealt.space))}"
        yield f"  times net {line.net}: {exact(line.net * total / dealt.space)}"
    yield f"expected value, the sum of these products: {exact(dealt.mean(bet))}"
    yield f"house edge: {exact(-dealt.mean(bet))}"


def explained_state(dealt: Dealt, state: State, rule_book: str) -> Iterator[str]:
    """Yield the derivation of an insurance state's expected value."""
    game, offer, (hand, stage, player, banker) = dealt.game, dealt.game.offers[state], state
    where, clause = (
        book_line(rule_book, "insurance", offer.number - 1),
        offer.clause or game.tables[hand, stage],
    )
    yield f"insurance of the {hand} hand, {stage}, Player {player}, Banker {banker}: {where}, clause {clause}"
    ties = ", ".join(map(str, sorted(offer.ties)))
    on_tie = f"paid at {ties}, else returned" if ties else "returned"
    yield f"{offer.odds}, net {offer.net}: won where the {hand} hand loses; a tie is {on_tie}"
    yield "  Player's two cards and third card, or the next card: ways, won, lost"
    tally = dealt.state_tally(state)
    for totals, third in game.approaches(state):
        for card in range(10) if third is None else [third]:
            row = tally_of(game, offer, totals, card, dealt.by_totals[totals])
            yield f"  {totals[0]} and {card} {row.ways:>22} {row.won:>22} {row.lost:>22}"
    yield f"  sum     {tally.ways:>22} {tally.won:>22} {tally.lost:>22}"
    yield f"state arises {tally.ways}/{dealt.space} = {exact(Fraction(tally.ways, dealt.space))}"
    yield f"wins {tally.won}/{tally.ways} = {exact(Fraction(tally.won, tally.ways))}"
    yield f"loses {tally.lost}/{tally.ways} = {exact(Fraction(tally.lost, tally.ways))}"
    yield f"expected value {offer.net} x wins - loses: {exact(offer.gain(tally))}"
    yield f"house edge: {exact(-offer.gain(tally))}"


def explain(analysis_text: bytes, rule_book: bytes, subject: str) -> tuple[list[str], bool]:
    """Return how a figure is derived, in lines, and whether the file states the same expected value."""
    stated = stated_in(analysis_text, rule_book)
    game, text = stated.register.game(stated.followed), rule_book.decode()
    name, _, wanted = subject.partition(":decks=")
    decks = {str(number): number for number in stated.decks}.get(wanted or str(stated.reference), 0)
    bets = {bet.id: bet for bet in game.bets}
    states = {
        f"{s[0]}:{s[1]}:{s[2]}-{s[3]}" if s[0] == "player" else f"{s[0]}:{s[1]}:{s[3]}-{s[2]}": s
        for s in game.offers
    }
    need(
        decks and name in {*bets, *states},
        f"--explain {shown(subject)}: write a bet's id, or HAND:STAGE:OWN-OTHER of an offered "
        f"insurance state, and :decks=N with one of {', '.join(map(str, stated.decks))}",
    )
    dealt, shoe = Dealt(game, fresh(decks)), stated.found["shoes"][stated.decks.index(decks)]
    cards = " x ".join(str(52 * decks - drawn) for drawn in range(6))
    head = (
        f"{text_in(stated.register.book, 'id')}, {decks} deck{'s'[: decks > 1]}; six cards are always dealt"
    )
    lines = [f"{head}: {cards} = {dealt.space} ways"]
    if name in bets:
        lines += explained_bet(dealt, bets[name], text)
        value, entry = dealt.mean(bets[name]), shoe["bets"][[*bets].index(name)]
    else:
        lines += explained_state(dealt, states[name], text)
        value = game.offers[states[name]].gain(dealt.state_tally(states[name]))
        entry = shoe["insurance"][[*states].index(name)]
    is_same = entry["expected_value"] == str(value)
    lines.append(f"the file states {shown(entry['expected_value'])}: {'the same' if is_same else 'wrong'}")
    return lines, is_same


# ------------------------------------------------------------ the program


def content_of(path: Path, most: int) -> bytes:
    """Return the content of a file, up to one byte more than is read; a pipe or a device is not waited for."""
    need(not path.exists() or path.is_file(), f"{path}: not a plain file")
    with path.open("rb") as file:
        return file.read(most + 1)


def rule_book_path(game: str, analysis: Path) -> Path:
    """Return the rule book of a game: beside the analysis, beside this program, or in the folder of tables."""
    program = Path(__file__).resolve()
    folders = [analysis.parent, program.parent, *(folder / "tables" for folder in program.parents[1:3])]
    paths = [folder / f"{game}.toml" for folder in folders]
    return next((path for path in paths if path.exists()), paths[0])


def verdict(game: str, followed: Sequence[str], numbers: dict[str, int]) -> str:
    """Return what was checked, part by part, and what was not."""
    under = f", under the other reading of {', '.join(followed)}" if followed else ""
    parts = ", ".join(f"{part} {number:,}" for part, number in numbers.items())
    return (
        f"{game}: all {sum(numbers.values()):,} numbers that are checked here hold{under}: {parts}. Not checked here: "
        "game protection and insurance by habit, which combinat verify reproduces; documents and certificate, which it checks"
    )


def main(argv: list[str]) -> int:
    """Check a file. Exit codes: 0, every value holds; 1, one is wrong; 2, it could not be checked."""
    parser = argparse.ArgumentParser(description="Check the statements of an analysis.json.")
    parser.add_argument("analysis", type=Path)
    parser.add_argument("--rule-book", type=Path, help="the game's TOML file, if it is elsewhere")
    parser.add_argument("--explain", help="derive one figure: a bet, or HAND:STAGE:OWN-OTHER; then :decks=N")
    options = parser.parse_args(argv)
    try:
        text = content_of(options.analysis, MOST_BYTES)
        named: Any = re.search(rb'"game": "([a-z0-9-]{1,200})"', text)
        need(named, "not an analysis: no game is named")
        game = named[1].decode()
        rule_book = content_of(options.rule_book or rule_book_path(game, options.analysis), MOST_BOOK_BYTES)
        if options.explain is not None:
            lines, is_same = explain(text, rule_book, options.explain)
            print("\n".join(lines))
            return 0 if is_same else 1
        numbers = check(text, rule_book)
        print(verdict(game, json.loads(text)["followed"], numbers))
    except Rejected as error:
        print(f"wrong: {error}", file=sys.stderr)
        return 1
    except Exception as error:  # whatever stopped it, it is no verdict
        print(f"could not be checked: {str(error) or type(error).__name__}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
