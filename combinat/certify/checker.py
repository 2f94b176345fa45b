"""The checker: every value of an analysis.json, derived once more from the rule book alone.

    python3 -I checker.py analysis.json [--rule-book FILE]

It stands alone: the standard library, nothing of the program that wrote the file. It counts in another way:
six cards are always dealt, needed or not, so that all ordered sequences of six cards weigh the same. The
Table of Play, pay tables, insurance tables and other readings come from the rule book, which must have the
SHA-256 that the file names; the numbers of decks come from the file. All that follows from these makes up
one document, and the file must be that document, byte for byte.

Without ``--rule-book`` the rule book is the game's TOML file beside the analysis, else the one beside this
program, else the one in ``tables/``. It is longer than it might be, because it derives everything that a
report says and because plain code is read sooner than dense code.
"""

import sys

if __name__ == "__main__" and not sys.flags.safe_path:
    del sys.path[0]  # no file that lies beside the checker is taken for a part of Python

import argparse
import hashlib
import json
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache, cached_property, lru_cache
from itertools import combinations, combinations_with_replacement, product
from math import comb, isqrt, lcm, perm, prod
from operator import mul
from pathlib import Path
from struct import unpack
from typing import Any, NamedTuple

SCHEMA = "combinat/analysis/2"
MOST_BYTES = 64_000_000
MOST_PARTS = 1_000_000
"""The most objects and lists that an analysis may have; the largest real one has some 13,000."""
MOST_BOOK_BYTES = 1_000_000
MOST_MARKS = 20_000
"""The most keys (each part of a dotted one), tables and list entries of a rule book."""
MOST_DEPTH = 10
"""The most brackets within brackets of a rule book."""
MOST_KEY_PARTS = 10
"""The most parts of a dotted key."""
MOST_WORD = 100
"""The longest number, or key without quotes, of a rule book."""
MOST_SHOES = 8
MOST_DECKS = 1000
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
MOST_LINES = 80
"""The most lines of all pay tables of a rule book together, those of other readings too."""
MOST_RECOUNTS = 4
"""The most other readings that change who draws, or what becomes of void rounds."""
MOST_TEXT = 100
MOST_ID = 60
"""The longest text of a rule book that is shown with its figures; and the longest id."""

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
POINTS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0)
HANDS = ("player", "banker")
FOUR, THIRD = "four-cards", "player-third-card"
REFERENCE_DECKS = 8

ZERO, ONE, LOST = Fraction(0), Fraction(1), Fraction(-1)

Entry = dict[str, Any]
"""An object of the document."""

Shoe = tuple[int, ...]
"""The number of cards of each rank."""


class Malformed(Exception):  # noqa: N818  # the name is the verdict
    """The file could not be checked."""


class Rejected(Exception):  # noqa: N818  # the name is the verdict
    """The file was checked, and a value in it is wrong."""


# ------------------------------------------------------------ how a round goes


class Course(NamedTuple):
    """A round by points: the totals of two cards, the third cards if any, and the final totals."""

    player: int
    banker: int
    third: int | None
    last: int | None
    player_total: int
    banker_total: int


class Play(NamedTuple):
    """The Table of Play: two-card totals, and for the Banker Hand by its total the Player's third cards."""

    natural: frozenset[int]
    player_draws: frozenset[int]
    banker_draws: tuple[frozenset[int], ...]
    banker_draws_when_player_stood: frozenset[int]
    banker_draws_against_natural: frozenset[int]


def course_of(play: Play, player: int, banker: int, fifth: int, sixth: int) -> Course:
    """How a round goes on from two-card totals when these two cards lie ready: the Table of Play."""
    third = last = None
    if banker in play.natural:  # nobody draws
        pass
    elif player in play.natural:  # nobody draws, but for the Banker Hand under another reading
        if banker in play.banker_draws_against_natural:
            last = fifth
    elif player in play.player_draws:  # the Player Hand draws, then the Banker Hand as the table says
        third = fifth
        if third in play.banker_draws[banker]:
            last = sixth
    elif banker in play.banker_draws_when_player_stood:
        last = fifth
    return Course(player, banker, third, last, (player + (third or 0)) % 10, (banker + (last or 0)) % 10)


@lru_cache(maxsize=64)
def every_course(play: Play) -> dict[tuple[int, int], list[Course]]:
    """By the two-card totals: how a round goes on with every two cards that may lie ready."""
    ready = [(fifth, sixth) for fifth in range(10) for sixth in range(10)]
    return {totals: [course_of(play, *totals, *cards) for cards in ready] for totals in ready}


class Asked(NamedTuple):
    """What the bets of a game ask for that most do not: the third cards, and the ranks of pairs."""

    thirds: bool
    ranks: bool


EVERYTHING = Asked(thirds=True, ranks=True)
UNTOLD = "untold"
"""In the place of a fact that is not asked for: rounds that differ in nothing else are counted together."""

Match = tuple[bool, bool, str, bool, bool, str, str | None, str | None]
"""How the first two cards of each hand match: by rank, by points, and the rank of each hand's pair."""


def match_of(player: Sequence[int], banker: Sequence[int], asked: Asked) -> Match:
    """The pairs among two cards of each hand, given as numbers of ranks."""
    by_points = [[POINTS[rank] for rank in hand] for hand in (player, banker)]
    of_rank = [RANKS[one] if one == other else None for one, other in (player, banker)]
    told = of_rank if asked.ranks else [UNTOLD, UNTOLD]
    return *pairs(*player, *banker), *pairs(*by_points[0], *by_points[1]), told[0], told[1]


def pairs(p1: int, p2: int, b1: int, b2: int) -> tuple[bool, bool, str]:
    """The pairs of both hands: of the Player, of the Banker, and in the words of the Tiger Pair bet."""
    if p1 == p2 and b1 == b2:
        return True, True, "twin" if p1 == b1 else "double"
    return p1 == p2, b1 == b2, "single" if p1 == p2 or b1 == b2 else "none"


UNMATCHED: Match = (False, False, "none", False, False, "none", UNTOLD, UNTOLD)
"""For bets that do not look at pairs."""


class Facts(NamedTuple):
    """All that a pay table may look at in a finished round."""

    winner: str
    winning_points: int | None
    losing_points: int | None
    winning_cards: int | None
    losing_cards: int | None
    player_points: int
    banker_points: int
    total_points: int
    player_cards: int
    banker_cards: int
    cards: int
    margin: int
    natural: bool
    player_natural: bool
    banker_natural: bool
    player_third: int | str | None
    banker_third: int | str | None
    player_pair: bool
    banker_pair: bool
    pairs: str
    player_point_pair: bool
    banker_point_pair: bool
    point_pairs: str
    player_pair_of: str | None
    banker_pair_of: str | None


ABOUT_PAIRS = Facts._fields[Facts._fields.index("player_pair") :]
RANKS_OF_PAIRS = {"player_pair_of", "banker_pair_of"}
THIRD_CARDS = {"player_third", "banker_third"}
NATURALS = frozenset({8, 9})


@cache
def facts_of(course: Course, match: Match, asked: Asked) -> Facts:
    """The facts of a finished round."""
    player, banker = course.player_total, course.banker_total
    cards = 2 + (course.third is not None), 2 + (course.last is not None)
    naturals = cards[0] == 2 and player in NATURALS, cards[1] == 2 and banker in NATURALS
    hands = sorted([(player, cards[0], "player"), (banker, cards[1], "banker")])
    (lower, of_lower, _), (higher, of_higher, winner) = hands
    decided = (winner, higher, lower, of_higher, of_lower)
    who = decided if player != banker else ("tie", None, None, None, None)
    result = player, banker, player + banker, *cards, sum(cards), abs(player - banker)
    thirds = (course.third, course.last) if asked.thirds else (UNTOLD, UNTOLD)
    return Facts._make((*who, *result, any(naturals), *naturals, *thirds, *match))


# ------------------------------------------------------------ the deal: six cards, always

FirstFour = tuple[tuple[int, int], tuple[int, int]]
"""The points of the first two cards of the Player Hand and of the Banker Hand, each lowest first."""


class Rounds(NamedTuple):
    """The ordered sequences of six cards from a shoe: all, by the course, and by the facts."""

    space: int
    courses: Mapping[Course, int]
    facts: Mapping[Facts, int]


@cache
def every_four(asked: Asked) -> list[tuple[FirstFour, Match, int, list[tuple[int, int]]]]:
    """The first four cards by rank: their points, their pairs, their orders, and how many of which rank."""
    fours = []
    for player, banker in product(combinations_with_replacement(range(13), 2), repeat=2):
        low, high = sorted((POINTS[player[0]], POINTS[player[1]]))
        lower, higher = sorted((POINTS[banker[0]], POINTS[banker[1]]))
        orders = (1 + (player[0] != player[1])) * (1 + (banker[0] != banker[1]))  # which of two came first
        ranks = list(Counter((*player, *banker)).items())
        fours.append((((low, high), (lower, higher)), match_of(player, banker, asked), orders, ranks))
    return fours


def first_fours(shoe: Shoe, asked: Asked) -> Counter[tuple[FirstFour, Match]]:
    """The ways of the first four cards, by their points and by how they match."""
    copies = [[perm(cards, drawn) for drawn in range(5)] for cards in shoe]
    counts = Counter[tuple[FirstFour, Match]]()
    for four, match, ways, ranks in every_four(asked):
        for rank, drawn in ranks:
            ways *= copies[rank][drawn]
        if ways:
            counts[four, match] += ways
    return counts


def next_two(shoe: Shoe) -> Callable[[FirstFour], list[int]]:
    """The ways of every fifth card with every sixth by points, as a function of the four cards gone."""
    by_points = [0] * 10
    for points, cards in zip(POINTS, shoe, strict=True):
        by_points[points] += cards

    @cache
    def without(four: tuple[int, ...]) -> list[int]:
        left = [cards - four.count(points) for points, cards in enumerate(by_points)]
        return [first * (second - (n == m)) for n, first in enumerate(left) for m, second in enumerate(left)]

    return lambda four: without(tuple(sorted((*four[0], *four[1]))))


def totals_of(four: FirstFour) -> tuple[int, int]:
    """The two-card totals of both hands."""
    return sum(four[0]) % 10, sum(four[1]) % 10


def courses_of(
    play: Play, totals: tuple[int, int], last_two: Sequence[int], ways: int = 1
) -> dict[Course, int]:
    """The courses from two-card totals, with the ways of the first four cards times those of the last two."""
    courses = dict[Course, int]()
    for course, cards in zip(every_course(play)[totals], last_two, strict=True):
        if cards:
            courses[course] = courses.get(course, 0) + ways * cards
    return courses


@lru_cache(maxsize=64)
def rounds(play: Play, shoe: Shoe, asked: Asked) -> Rounds:
    """Every way to deal six cards from a shoe, counted."""
    last_two, six = next_two(shoe), dict[tuple[tuple[int, int], Match], list[int]]()
    for (four, match), ways in first_fours(shoe, asked).items():
        counts = six.setdefault((totals_of(four), match), [0] * 100)
        counts[:] = [before + ways * cards for before, cards in zip(counts, last_two(four), strict=True)]
    courses, facts = Counter[Course](), Counter[Facts]()
    for (totals, match), counts in six.items():
        for course, ways in courses_of(play, totals, counts).items():
            courses[course] += ways
            facts[facts_of(course, match, asked)] += ways
    return Rounds(sum(courses.values()), courses, facts)


@lru_cache(maxsize=1)
def exact_cards(play: Play, shoe: Shoe) -> list[tuple[FirstFour, dict[Course, int]]]:
    """Every first four cards by points, each with the courses that may follow."""
    last_two, fours = next_two(shoe), Counter[FirstFour]()
    for (four, _), ways in first_fours(shoe, Asked(thirds=False, ranks=False)).items():
        fours[four] += ways
    return [(four, courses_of(play, totals_of(four), last_two(four), ways)) for four, ways in fours.items()]


# ------------------------------------------------------------ the rule book

TOKEN = re.compile(
    r"""
      (?P<space> (?: [ \t\r\n]++ | \#[^\n]*+ )++ )
    | (?P<text> (?!\"{3}|'{3}) (?: "(?: [^"\\\n]++ | \\[^\n] )*+" | '[^'\n]*' ) )
    | (?P<mark> [\[\]{}=.,] )
    | (?P<word> [^\s"'\#\[\]{}=.,]+ )
    """,
    re.VERBOSE,
)
"""What a TOML file is made of, as far as its cost goes; texts of several lines are not among it."""


def bounded(text: str) -> str:
    """A TOML text, if it can be parsed at little cost: tomllib is slow at keys of many parts."""
    marks = depth = dots = at = 0
    while token := TOKEN.match(text, at):
        at, kind, part = token.end(), token.lastgroup, token[0]
        if part == ".":
            dots += 1
        elif kind == "mark" or "\n" in part:
            dots = 0
        if kind == "mark":
            marks += part not in "]}"
            depth += (part in "[{") - (part in "]}")
        if marks > MOST_MARKS or depth > MOST_DEPTH or dots >= MOST_KEY_PARTS:
            raise Malformed(
                "rule book: too many keys and entries, brackets within brackets, or parts of a key"
            )
        if kind == "word" and len(part) > MOST_WORD:
            raise Malformed(f"rule book: a number or bare key of {len(part)} characters")
    if text.startswith(('"""', "'''"), at):
        raise Malformed("rule book: a text of several lines")
    return text


def text_in(table: Entry, key: str, default: str | None = None) -> str:
    """A text of the rule book."""
    text = table.get(key, default)
    if not isinstance(text, str):
        raise Malformed(f"rule book: {key} is missing or no text")
    if len(text) > (MOST_ID if key == "id" else MOST_TEXT):
        raise Malformed(f"rule book: {key} is a text of {len(text)} characters")
    return text


def list_in(table: Entry, key: str) -> list[Any]:
    """A list of the rule book, empty where there is none."""
    entries = table.get(key, [])
    if not isinstance(entries, list) or len(entries) > MOST_ENTRIES[key]:
        raise Malformed(f"rule book: {key} is no list of up to {MOST_ENTRIES[key]}")
    return entries


def one_of(table: Entry, key: str, words: Iterable[str]) -> str:
    """A text of the rule book that is one of some words."""
    word = text_in(table, key)
    if word not in words:
        raise Malformed(f"rule book: {key} is {word[:99]!a}, none of {', '.join(words)}")
    return word


NUMBER = r"(\d{1,9}(?:\.\d{1,9})?)"


def net_of(odds: str) -> Fraction:
    """Profit per unit staked: ``"3 to 2"`` is 3/2, ``"1 to 1 less 5%"`` is 19/20, ``"push"`` is 0."""
    if odds in ("push", "lose"):
        return ZERO if odds == "push" else LOST
    match = re.fullmatch(f"{NUMBER} to {NUMBER}(?: less {NUMBER}%)?", odds, re.ASCII)
    commission = Fraction(match[3]) / 100 if match and match[3] else None
    no_commission = commission is not None and not 0 < commission < 1
    if not match or not Fraction(match[1]) or not Fraction(match[2]) or no_commission:
        raise Malformed(f"rule book: {odds[:99]!a} are no odds")
    return Fraction(match[1]) / Fraction(match[2]) * (1 - (commission or ZERO))


def share_of(percentage: str) -> Fraction:
    """A part of an amount: ``"25%"`` is 1/4."""
    match = re.fullmatch(f"{NUMBER}%", percentage, re.ASCII)
    if not match or not Fraction(match[1]):
        raise Malformed(f"rule book: {percentage[:99]!a} is no percentage")
    return Fraction(match[1]) / 100


def points_of(written: Any) -> frozenset[int]:
    """Point Totals: ``6``, ``"0-5"``, ``"0-5,7-9"``."""
    parts = str(written).split(",")
    if not all(re.fullmatch(r"\d(-\d)?", part, re.ASCII) for part in parts):
        raise Malformed(f"rule book: {str(written)[:99]!a} are no Point Totals")
    return frozenset(
        points for part in parts for points in range(10) if int(part[0]) <= points <= int(part[-1])
    )


def numbers_of(written: Any) -> frozenset[int]:
    """Numbers below 100: ``6``, ``"4-9"``, ``"4,6-12"``."""
    parts = [re.fullmatch(r"(\d{1,2})(?:-(\d{1,2}))?", part, re.ASCII) for part in str(written).split(",")]
    if not all(parts):
        raise Malformed(f"rule book: {str(written)[:99]!a} are no numbers")
    ranges = [range(int(part[1]), int(part[2] or part[1]) + 1) for part in parts if part]
    return frozenset(number for numbers in ranges for number in numbers)


def third_cards_of(written: Any) -> frozenset[int | None]:
    """The points of a third card, and None where there may be none: ``6``, ``"0-5,none"``."""
    parts = str(written).split(",")
    points = [part for part in parts if part != "none"]
    cards = points_of(",".join(points)) if points else frozenset[int]()
    return cards | ({None} if "none" in parts else set[None]())


def words_of(written: Any, words: Sequence[Any]) -> frozenset[Any]:
    """Some of a few words, one by itself or in a list; true and false are words too."""
    named = written if isinstance(written, list) else [written]
    if not named or not all(any(one is word or one == word for word in words) for one in named):
        raise Malformed(f"rule book: {str(written)[:99]!a} is none of {', '.join(map(str, words))}")
    return frozenset(named)


def points_or_none(written: Any) -> frozenset[int]:
    """Point Totals, or ``"none"``."""
    return frozenset() if written == "none" else points_of(written)


COMMON = {
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


def play_of(book: Entry, instead: Entry | None = None) -> Play:
    """The Table of Play of a rule book. A total that no row names stands, if no higher one draws."""
    table, against = book.get("table_of_play", COMMON), "banker_draws_against_natural"
    against_natural = points_or_none((instead or {}).get(against, table.get(against, "none")))
    natural, player_draws = points_or_none(table["natural"]), points_or_none(table["player_draws"])
    stood = points_or_none(table["banker_draws_when_player_stood"])
    rows = dict[int, frozenset[int]]()
    for row in list_in(table, "banker_draws"):
        for total in points_of(row["points"]):
            if total in rows:
                raise Malformed(f"rule book: table_of_play.banker_draws names {total} twice")
            rows[total] = points_or_none(row["third"])
    if natural & (player_draws | stood | against_natural | rows.keys()):
        raise Malformed("rule book: table_of_play lets a natural draw")
    goes_on = [total for total in range(10) if total not in natural]
    highest = max(rows, default=min(goes_on, default=-1))
    for total in goes_on:
        if total <= highest and total not in rows:
            raise Malformed(f"rule book: table_of_play.banker_draws does not name {total}")
    banker_draws = tuple(rows.get(total, frozenset()) for total in range(10))
    return Play(natural, player_draws, banker_draws, stood, against_natural)


Case = dict[str, frozenset[Any]]
"""Facts by name, each with the values that are accepted for it."""


class Line(NamedTuple):
    """A line of a pay table: a round with these facts pays these odds, except in some cases."""

    name: str
    odds: str
    net: Fraction
    clause: str
    facts: Case
    exceptions: tuple[Case, ...] = ()

    def fits(self, facts: Facts) -> bool:
        """Whether a round with these facts is on this line."""
        if not so(self.facts, facts):
            return False
        return not (self.exceptions and any(so(case, facts) for case in self.exceptions))

    @property
    def looks_at(self) -> set[str]:
        """The facts that it names, in its exceptions too."""
        return {fact for case in (self.facts, *self.exceptions) for fact in case}


def so(case: Case, facts: Facts) -> bool:
    """Whether all that a case names is so."""
    for fact, values in case.items():  # noqa: SIM110  # a plain loop: this is asked millions of times
        if getattr(facts, fact) not in values:
            return False
    return True


def case_of(facts: Entry) -> Case:
    """Facts as the rule book states them, each with the values that it accepts."""
    case = Case()
    for fact, written in facts.items():
        if fact in ("winning_points", "losing_points", "player_points", "banker_points"):
            case[fact] = points_of(written)
        elif fact in Facts._fields and (fact in ("margin", "total_points") or fact.endswith("cards")):
            case[fact] = numbers_of(written)
        elif fact in THIRD_CARDS:
            case[fact] = third_cards_of(written)
        elif fact in RANKS_OF_PAIRS:
            case[fact] = words_of(written, RANKS)
        elif fact == "winner":
            case[fact] = words_of(written, ("player", "banker", "tie"))
        elif fact in ("pairs", "point_pairs"):
            case[fact] = words_of(written, ("none", "single", "double", "twin"))
        elif fact in Facts._fields and isinstance(written, bool):
            case[fact] = frozenset([written])
        else:
            raise Malformed(
                f"rule book: {fact[:99]!a} is nothing that a bet can look at, or has no such value"
            )
    return case


def line_of(pay: Entry, play: Play) -> Line:
    """A line of a pay table as the rule book states it."""
    own = {"name", "odds", "clause", "commission", "except"}
    facts = case_of({fact: written for fact, written in pay.items() if fact not in own})
    exceptions = tuple(case_of(case) for case in list_in(pay, "except"))
    odds = text_in(pay, "odds")
    if "commission" in pay and not odds.endswith(f" less {text_in(pay, 'commission')}"):
        odds = f"{odds} less {text_in(pay, 'commission')}"
    line = Line(text_in(pay, "name", ""), odds, net_of(odds), text_in(pay, "clause", ""), facts, exceptions)
    if any("natural" in fact for fact in line.looks_at) and play.natural != NATURALS:
        raise Malformed("rule book: a bet speaks of naturals, but they are not 8 and 9")
    return line


REST = {"lose": Line("loses", "", LOST, "", {}), "push": Line("returned", "push", ZERO, "", {})}
"""The last line of every pay table, by what the bet says of all other rounds: it fits every round."""


class Bet(NamedTuple):
    """A bet: the first line that fits a round settles it."""

    id: str
    name: str
    hand: str
    settled: str
    layouts: int
    lines: list[Line]

    def line(self, facts: Facts) -> int:
        """The number of the line on which a round with these facts is."""
        number = 0
        while not self.lines[number].fits(facts):  # the last line fits every round
            number += 1
        return number

    @property
    def nets(self) -> list[Fraction]:
        """What a unit staked wins on each line."""
        return [line.net for line in self.lines]

    @property
    def looks_at(self) -> set[str]:
        """The facts that its lines name."""
        return {fact for line in self.lines for fact in line.looks_at}


State = tuple[str, str, int, int]
"""When insurance is offered: for which hand, at which stage, with which totals of Player and Banker."""

Moment = tuple[str, int, int]
"""A stage, and both totals at it."""


class Tally(NamedTuple):
    """The ways in which an insurance bet is open, won, and lost."""

    ways: int
    won: int
    lost: int


class Offer(NamedTuple):
    """An insurance bet on a hand: its line, by ``number`` through all tables. ``odds`` are empty where nothing is offered."""

    hand: str
    odds: str
    net: Fraction
    ties: frozenset[int]
    number: int = 0
    clause: str = ""

    def sign(self, course: Course) -> int:
        """1 where it wins, because its hand loses; 0 where it comes back; -1 where it loses."""
        if course.player_total == course.banker_total:
            return int(course.player_total in self.ties)
        return 1 if (course.player_total < course.banker_total) == (self.hand == "player") else -1

    def tally(self, courses: Mapping[Course, int]) -> Tally:
        """The bet over the courses that may follow."""
        by_sign = [0, 0, 0]
        for course, ways in courses.items():
            by_sign[self.sign(course)] += ways  # a place of -1 is the last one
        return Tally(sum(by_sign), by_sign[1], by_sign[2])

    def gain(self, tally: Tally) -> Fraction:
        """What a unit staked wins on average."""
        return (self.net * tally.won - tally.lost) / tally.ways


class Limit(NamedTuple):
    """A cap on insurance: a share of a base, on what is staked or on what is paid."""

    caps: str
    per: str
    share: Fraction
    of: str
    net: Fraction | None
    procedure: str

    def holds_for(self, net: Fraction) -> bool:
        """Whether it says something about a bet at these odds, given the original bet alone."""
        return self.of == "original-bet" and self.net in (None, net)

    def used(self, stake: Fraction, net: Fraction) -> Fraction:
        """How much of the share a stake at these odds takes up."""
        return stake * {"stake": ONE, "payout": net, "payout-and-stake": net + 1}[self.caps]


def limit_of(entry: Entry) -> Limit:
    """A limit as the rule book states it."""
    return Limit(
        caps=one_of(entry, "caps", ("stake", "payout", "payout-and-stake")),
        per=one_of(entry, "per", ("offer", "round", "both-hands", "table")),
        share=share_of(text_in(entry, "share")),
        of=one_of(entry, "of", ("original-bet", "table-maximum", "maximum-differential")),
        net=net_of(text_in(entry, "odds")) if "odds" in entry else None,
        procedure=text_in(entry, "procedure", ""),
    )


Staked = tuple[Fraction, Fraction]
"""An insurance bet: its stake per unit of the original bet, and its net odds."""


def largest_stake(
    limits: Sequence[Limit],
    net: Fraction,
    earlier: Sequence[Staked] = (),
    procedure: str = "",
    other_hand: Sequence[Staked] = (),
) -> Fraction | None:
    """The most that may be staked at these odds after earlier bets on the hand; None: there is no limit."""
    adds_up = {"round": [*earlier], "both-hands": [*earlier, *other_hand]}
    own = [limit for limit in limits if procedure and limit.procedure == procedure]
    stakes = []
    for limit in own or [limit for limit in limits if not limit.procedure]:
        if limit.holds_for(net):
            counted = [bet for bet in adds_up.get(limit.per, []) if limit.holds_for(bet[1])]
            left = limit.share - sum((limit.used(*bet) for bet in counted), ZERO)
            stakes.append(max(ZERO, left) / limit.used(ONE, net))
    return min(stakes, default=None)


class Game:
    """What a rule book states, with what another reading puts ``instead`` of its own."""

    def __init__(self, book: Entry, instead: Entry) -> None:
        self.play = play_of(book, instead)
        other_pays = {text_in(other, "id"): other for other in list_in(instead, "bets")}
        shown = {text_in(other, "id"): list_in(other, "bets") for other in list_in(instead, "layouts")}
        self.bets = list[Bet]()
        for bet in list_in(book, "bets"):
            name, hand, settled = text_in(bet, "name"), text_in(bet, "hand", ""), text_in(bet, "settled")
            layouts = {layout for layout in list_in(bet, "layouts") if layout not in shown}
            layouts |= {layout for layout, bets in shown.items() if text_in(bet, "id") in bets}
            pays = list_in(other_pays.get(text_in(bet, "id"), bet), "pays")
            rest = REST[one_of({"otherwise": bet.get("otherwise", "lose")}, "otherwise", REST)]
            lines = [*(line_of(pay, self.play) for pay in pays), rest]
            self.bets.append(Bet(text_in(bet, "id"), name, hand, settled, len(layouts), lines))
        looks_at = {fact for bet in self.bets for fact in bet.looks_at}
        self.asked = Asked(thirds=bool(looks_at & THIRD_CARDS), ranks=bool(looks_at & RANKS_OF_PAIRS))
        terms = book.get("insurance_terms", {})
        opens = instead if "insurance_open" in instead else {"insurance_open": terms.get("open", "")}
        words = ("card-to-come", "whenever-listed", "never")
        when = one_of(opens, "insurance_open", words) if "insurance_terms" in book else "never"
        self.has_insurance, self.whenever_listed = when != "never", when == "whenever-listed"
        self.offers = dict(offers_of(book, instead)) if self.has_insurance else {}
        tables = list_in(book, "insurance") if self.has_insurance else []
        self.tables = {(one["side"], one["stage"]): text_in(one, "settled", "") for one in tables}
        self.tie_clause = text_in(book.get("clauses", {}), "tie", "")
        limits = list_in(instead, "insurance_limits") or list_in(terms, "limits")
        self.limits = [limit_of(limit) for limit in limits] if self.has_insurance else []
        self.void_bets = instead.get("void_bets", book.get("void", {}).get("bets"))
        practice = {"insured_hand": "own", "tied_bets": "returned"} | book.get("practice", {}) | instead
        self.insures_either = one_of(practice, "insured_hand", ("own", "either")) == "either"
        self.ties_stay = one_of(practice, "tied_bets", ("returned", "stay")) == "stay"
        self.lines = cache(self.lines_of)

    def lines_of(self, facts: Facts) -> tuple[int, ...]:
        """For each bet, the number of the line on which a round with these facts is."""
        return tuple(bet.line(facts) for bet in self.bets)

    def bet_on(self, hand: str) -> Bet | None:
        """The bet on a hand: the one that says so, else the one that is called so."""
        says_so = [bet for bet in self.bets if bet.hand == hand]
        called_so = [bet for bet in self.bets if bet.id == hand and not bet.hand]
        return (says_so + called_so + [None])[0]

    def insured_bets(self) -> dict[str, Bet]:
        """The bet on each hand for which insurance is offered."""
        insured = {state[0] for state in self.offers}
        bets = {hand: bet for hand in HANDS if hand in insured and (bet := self.bet_on(hand))}
        for bet in bets.values():
            if bet.looks_at & {*ABOUT_PAIRS, *THIRD_CARDS}:
                raise Malformed(
                    f"rule book: insurance is on a bet that looks at more than totals: {bet.id[:99]!a}"
                )
        return bets

    def moments(self, course: Course) -> list[Moment]:
        """The moments of a round at which insurance is open."""
        moments: list[Moment] = []
        if self.whenever_listed or course.third is not None or course.last is not None:
            moments.append((FOUR, course.player, course.banker))
        if course.third is not None and (self.whenever_listed or course.last is not None):
            moments.append((THIRD, course.player_total, course.banker))
        return moments


def offers_of(book: Entry, instead: Entry) -> Iterator[tuple[State, Offer]]:
    """Every insurance state of a rule book with its offer, in the order of its lines."""
    others = {(text_in(one, "side"), text_in(one, "stage")): one for one in list_in(instead, "insurance")}
    number = 0
    for table in list_in(book, "insurance"):
        hand, stage = one_of(table, "side", HANDS), one_of(table, "stage", (FOUR, THIRD))
        for line in list_in(others.get((hand, stage), table), "offers"):
            number += 1
            ties = points_of(line["tie_pays"]) if "tie_pays" in line else frozenset[int]()
            odds = text_in(line, "odds")
            offer = Offer(hand, odds, net_of(odds), ties, number, text_in(line, "clause", ""))
            if offer.net <= 0:
                raise Malformed("rule book: insurance that pays nothing")
            players, bankers = points_of(line["player_points"]), points_of(line["banker_points"])
            for player, banker in product(sorted(players), sorted(bankers)):
                yield (hand, stage, player, banker), offer


# ------------------------------------------------------------ a game on a shoe


class Wager(NamedTuple):
    """The net results that a unit staked can have on a shoe, and the ways of each."""

    nets: list[Fraction]
    ways: list[int]

    def mean(self, power: int = 1) -> Fraction:
        """The mean of a power of the net result; the first power gives the expected value."""
        return sum((net**power * n for net, n in zip(*self, strict=True)), ZERO) / sum(self.ways)

    def variance(self) -> Fraction:
        """The variance of the net result."""
        return self.mean(2) - self.mean() ** 2

    def chance(self, sign: int) -> Fraction:
        """How often it is won (1), returned (0), lost (-1)."""
        ways = sum(n for net, n in zip(*self, strict=True) if (net > 0) - (net < 0) == sign)
        return Fraction(ways, sum(self.ways))


Seen = tuple[Moment, int | None]
"""A moment of insurance, and the points of the Player's third card if it is on the table."""


class Alike(NamedTuple):
    """Rounds that look alike after four cards, and at every moment those that still look alike."""

    courses: Mapping[Course, int]
    ahead: Mapping[Seen, Mapping[Course, int]]


def alike(game: Game, courses: Mapping[Course, int]) -> Alike:
    """Rounds with the same first four cards, or with the same totals of them."""
    ahead = dict[Seen, dict[Course, int]]()
    for course, ways in courses.items():
        for moment in game.moments(course):
            third = course.third if moment[0] == THIRD else None
            ahead.setdefault((moment, third), {})[course] = ways
    return Alike(courses, ahead)


class Dealt:
    """A game on a shoe: every bet settled in every round, and the courses at every moment of insurance."""

    def __init__(self, game: Game, shoe: Shoe) -> None:
        self.game, self.shoe = game, shoe
        self.space, self.courses, self.facts = rounds(game.play, shoe, game.asked)
        self.settled = Counter[tuple[int, ...]]()  # the line that each bet comes to, all bets together
        for facts, ways in self.facts.items():
            self.settled[game.lines(facts)] += ways
        self.wagers = [Wager(bet.nets, [0] * len(bet.lines)) for bet in game.bets]
        for lines, ways in self.settled.items():
            for wager, line in zip(self.wagers, lines, strict=True):
                wager.ways[line] += ways

    def values(self) -> list[Fraction]:
        """The expected value of every bet."""
        return [wager.mean() for wager in self.wagers]

    @cached_property
    def moments(self) -> dict[Moment, dict[Course, int]]:
        """The courses that pass each moment at which insurance is open."""
        return open_moments(self.game, self.courses)

    @cached_property
    def by_totals(self) -> list[Alike]:
        """The rounds by the totals of the first four cards."""
        groups = dict[tuple[int, int], dict[Course, int]]()
        for course, ways in self.courses.items():
            groups.setdefault((course.player, course.banker), {})[course] = ways
        return [alike(self.game, courses) for courses in groups.values()]

    @cached_property
    def by_cards(self) -> list[tuple[FirstFour, Alike]]:
        """The rounds by the points of the first four cards; none where nothing is insured."""
        cards = exact_cards(self.game.play, self.shoe) if self.game.offers else []
        return [(four, alike(self.game, courses)) for four, courses in cards]


def open_moments(game: Game, courses: Mapping[Course, int]) -> dict[Moment, dict[Course, int]]:
    """The moments at which insurance is open, each with the courses that may follow."""
    moments = dict[Moment, dict[Course, int]]()
    for course, ways in courses.items():
        for moment in game.moments(course):
            moments.setdefault(moment, {})[course] = ways
    for state in game.offers:
        if state[1:] not in moments:
            raise Malformed(f"rule book: insurance is offered where it is never open: {state}")
    return moments


# ------------------------------------------------------------ bets


def subject_entry(
    bet: str | None = None, state: State | None = None, odds: str | None = None, procedure: str | None = None
) -> Entry:
    """What a figure is about."""
    of = state_name(state) if state else None
    return {"bet": bet, "state": of, "odds": odds, "procedure": procedure}


def bet_entry(bet: Bet, wager: Wager) -> Entry:
    """A bet: its outcomes and its figures. Nothing is void: no fresh shoe runs out."""
    space = sum(wager.ways)
    outcomes = [
        {
            "name": line.name or "wins",
            "odds": line.odds,
            "net": line.net,
            "ways": Fraction(ways),
            "probability": Fraction(ways, space),
            "contribution": line.net * ways / space,
            "share_of_return": (1 + line.net) * ways / space,
            "true_odds": Fraction(space - ways, ways) if ways else None,
            "is_void": False,
        }
        for line, ways in zip(bet.lines, wager.ways, strict=True)
    ]
    mean, variance, push = wager.mean(), wager.variance(), wager.chance(0)
    third = wager.mean(3) - 3 * mean * wager.mean(2) + 2 * mean**3
    skewness = third * abs(third) / variance**3 if variance else None  # its square, with its sign
    return {
        "id": bet.id,
        "name": bet.name,
        "outcomes": outcomes,
        "expected_value": mean,
        "house_edge": -mean,
        "return_to_player": 1 + mean,
        "hit_frequency": wager.chance(1),
        "push": push,
        "void": ZERO,
        "returned": push,
        "total_probability": ONE,
        "edge_per_resolved_bet": -mean / (1 - push) if push < 1 else None,
        "variance": variance,
        "third_central_moment": third,
        "skewness_signed_square": skewness,
        "normal_from": max(1, -int(-25 * abs(skewness) // 1)) if skewness is not None else None,
        "largest_payout": max((net for net, n in zip(*wager, strict=True) if n and net > 0), default=None),
        "fair_odds": wager.chance(-1) / wager.chance(1) if wager.chance(1) else None,
    }


def joint_entries(dealt: Dealt) -> list[Entry]:
    """The covariance and the correlation of every two bets."""
    units = [lcm(*(net.denominator for net in wager.nets)) for wager in dealt.wagers]
    whole = [[int(net * unit) for net in wager.nets] for wager, unit in zip(dealt.wagers, units, strict=True)]
    means, variances = dealt.values(), [wager.variance() for wager in dealt.wagers]
    entries = []
    for one, two in combinations(range(len(units)), 2):
        products = sum(
            ways * whole[one][lines[one]] * whole[two][lines[two]] for lines, ways in dealt.settled.items()
        )
        covariance = Fraction(products, dealt.space * units[one] * units[two]) - means[one] * means[two]
        both = variances[one] * variances[two]
        entries.append(
            {
                "first": dealt.game.bets[one].id,
                "second": dealt.game.bets[two].id,
                "covariance": covariance,
                "variances": [variances[one], variances[two]],
                "signed_square": covariance * abs(covariance) / both if both else None,
            }
        )
    return entries


STAKES = Fraction(100), Fraction(10)
"""What is staked in the example of two bets together."""


def combination_entry(dealt: Dealt) -> Entry:
    """The bet on the Banker Hand (else on the Player Hand, else the first) with the first side bet (else any)."""
    bets = dealt.game.bets
    on_hands = [bet for hand in ("banker", "player") if (bet := dealt.game.bet_on(hand))]
    main = (on_hands or bets)[0]
    side = [bet for bet in bets if bet not in on_hands and bet is not main]
    others = [bet for bet in bets if bet is not main]
    stakes = list(zip((main, *(side or others)[:1]), STAKES, strict=False))
    numbers = [(bets.index(bet), amount) for bet, amount in stakes]
    together = Counter[Fraction]()
    for lines, ways in dealt.settled.items():
        together[sum((dealt.wagers[n].nets[lines[n]] * amount for n, amount in numbers), ZERO)] += ways
    nets = sorted(together, reverse=True)
    wager, staked = Wager(nets, [together[net] for net in nets]), sum((amount for _, amount in stakes), ZERO)
    return {
        "stakes": [{"bet": bet.id, "amount": amount} for bet, amount in stakes],
        "outcomes": [
            {"net": net, "ways": Fraction(ways), "probability": Fraction(ways, dealt.space)}
            for net, ways in zip(*wager, strict=True)
        ],
        "staked": staked,
        "mean": wager.mean(),
        "variance": wager.variance(),
        "house_edge": -wager.mean() / staked,
    }


def operations_entries(dealt: Dealt) -> list[Entry]:
    """What the house wins on every bet after so many rounds of a unit each; bands end where all is lost or won."""
    entries = []
    for bet, wager in zip(dealt.game.bets, dealt.wagers, strict=True):
        nets = [net for net, ways in zip(*wager, strict=True) if ways]
        for number in (1_000, 10_000, 100_000, 1_000_000):
            squared, win = wager.variance() * number, -wager.mean() * number
            most_win, most_loss = -min(nets) * number, max(nets) * number
            entry = {"bet": bet.id, "rounds": number, "expected_win": win, "sigma_squared": squared}
            entry |= {"most_win": most_win, "most_loss": most_loss}
            for sigmas, name in enumerate(("sigma", "two_sigma", "three_sigma"), start=1):
                entry[f"{name}_below_squared"] = min(sigmas**2 * squared, (win + most_loss) ** 2)
                entry[f"{name}_above_squared"] = min(sigmas**2 * squared, (most_win - win) ** 2)
            entries.append(entry)
    return entries


PREFERRED = (12, 11, 10, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8)
"""The ranks as worked examples prefer them: K Q J 10, then A to 9."""


def first_deals(play: Play, asked: Asked) -> dict[tuple[Course, Match], tuple[int, ...]]:
    """Of every kind of round the first deal: cards in the order of dealing, each as its place among the preferred.

    A round needs no more than four cards of a rank, so that any shoe can deal it.
    """
    deals = dict[tuple[Course, Match], tuple[int, ...]]()
    fours = [four for four in product(range(13), repeat=4) if four[0] <= four[2] and four[1] <= four[3]]
    places = [[place for place in range(13) if POINTS[PREFERRED[place]] == points] for points in range(10)]
    for four in fours:  # which come in their order
        p1, b1, p2, b2 = (PREFERRED[place] for place in four)
        match = match_of((p1, p2), (b1, b2), asked)
        totals = (POINTS[p1] + POINTS[p2]) % 10, (POINTS[b1] + POINTS[b2]) % 10
        for course in dict.fromkeys(every_course(play)[totals]):
            if (course, match) not in deals:
                deal = four
                for points in (course.third, course.last):
                    if points is not None:
                        deal += tuple([place for place in places[points] if deal.count(place) < 4][:1])
                if len(deal) == 4 + (course.third is not None) + (course.last is not None):
                    deals[course, match] = deal
    return deals


def example_entries(game: Game) -> list[Entry]:
    """Worked rounds: always the first of those that show most of what was not shown before."""
    kinds = {deal: kind for kind, deal in first_deals(game.play, game.asked).items()}
    shown = {deal: frozenset(shown_by(game, *kind)) for deal, kind in kinds.items()}
    first = dict[frozenset[object], tuple[int, ...]]()
    for deal in sorted(shown):
        first.setdefault(shown[deal], deal)
    unseen, entries = frozenset[object]().union(*first), list[Entry]()
    while unseen:
        most = max(len(shows & unseen) for shows in first)
        deal, shows = min((deal, shows) for shows, deal in first.items() if len(shows & unseen) == most)
        entry = {"number": len(entries) + 1} | example_entry(game, deal, *kinds[deal])
        entries.append(entry)
        unseen -= shows
    return entries


def shown_by(game: Game, course: Course, match: Match) -> Iterator[object]:
    """What a round shows: the line that each bet comes to, and how each insurance bet that was open ends."""
    yield from enumerate(game.lines(facts_of(course, match, game.asked)))
    for state in open_states_of(game, course):
        tie = course.player_total == course.banker_total
        yield "insurance", game.offers[state].number, game.offers[state].sign(course), tie


def open_states_of(game: Game, course: Course) -> list[State]:
    """The insurance that was open in a round, in the order of the tables."""
    moments = game.moments(course)
    return [
        (hand, *moment)
        for hand, stage in game.tables
        for moment in moments
        if moment[0] == stage and (hand, *moment) in game.offers
    ]


def example_entry(game: Game, deal: Sequence[int], course: Course, match: Match) -> Entry:
    """A worked round: the cards, and what becomes of a unit on every bet and on the insurance that was open."""
    cards = [RANKS[PREFERRED[place]] for place in deal]
    last = [] if course.last is None else cards[-1:]
    third = [] if course.third is None else cards[4:5]
    lines = []
    for bet, number in zip(game.bets, game.lines(facts_of(course, match, game.asked)), strict=True):
        line = bet.lines[number]
        entry = {"bet": bet.id, "name": bet.name, "line": number + 1, "odds": line.odds, "net": line.net}
        lines.append(entry | {"result": result_of(line.net), "clause": line.clause or bet.settled})
    return {
        "dealt": cards,
        "player": [*cards[0:4:2], *third],
        "banker": [*cards[1:4:2], *last],
        "player_two_cards": course.player,
        "banker_two_cards": course.banker,
        "player_third": course.third,
        "player_points": course.player_total,
        "banker_points": course.banker_total,
        "lines": lines,
        "insurance": [insured_example(game, state, course) for state in open_states_of(game, course)],
    }


def result_of(net: Fraction | int) -> str:
    """What became of a stake."""
    return "won" if net > 0 else "lost" if net < 0 else "returned"


def insured_example(game: Game, state: State, course: Course) -> Entry:
    """A unit on an insurance bet that was open in a worked round."""
    offer, is_tie = game.offers[state], course.player_total == course.banker_total
    sign = offer.sign(course)
    clause = game.tie_clause if is_tie and not sign else (is_tie and offer.clause) or game.tables[state[:2]]
    return {
        "line": game.offers[state].number,
        "state": state_name(state),
        "result": result_of(sign),
        "is_tie": is_tie,
        "odds": (offer.odds, "push", "")[1 - sign],
        "net": (offer.net, ZERO, LOST)[1 - sign],
        "clause": clause,
    }


# ------------------------------------------------------------ insurance


def state_name(state: State) -> Entry:
    """An insurance state by its parts."""
    return dict(zip(("side", "stage", "player_points", "banker_points"), state, strict=True))


def state_entry(state: State, offer: Offer, tally: Tally, space: int) -> Entry:
    """An insurance bet at a state: its ways and its figures."""
    ways, won, lost = tally
    mean = offer.gain(tally) if offer.odds else None
    return {
        "state": state_name(state),
        "odds": offer.odds or None,
        "net": offer.net if offer.odds else None,
        "pays_on_tie": sorted(offer.ties),
        "sample_space": Fraction(space),
        "ways": Fraction(ways),
        "won": Fraction(won),
        "lost": Fraction(lost),
        "probability": Fraction(ways, space),
        "wins": Fraction(won, ways),
        "pushes": Fraction(ways - won - lost, ways),
        "loses": Fraction(lost, ways),
        "expected_value": mean,
        "house_edge": -mean if mean is not None else None,
        "variance": (offer.net**2 * won + lost) / ways - mean**2 if mean is not None else None,
        "fair_odds": Fraction(lost, won) if won else None,
        "favours_player": mean is not None and mean > 0,
        "favours_house": mean is not None and mean < 0,
    }


def insurance_entries(dealt: Dealt) -> list[Entry]:
    """Every state that the game offers."""
    return [
        state_entry(state, offer, offer.tally(dealt.moments[state[1:]]), dealt.space)
        for state, offer in dealt.game.offers.items()
    ]


def third_card_entries(dealt: Dealt) -> list[Entry]:
    """Every state after the Player's third card, with that card known by its points."""
    entries = []
    for state, offer in dealt.game.offers.items():
        if state[1] == THIRD:
            courses = dealt.moments[state[1:]]
            for third in sorted({course.third for course in courses if course.third is not None}):
                tally = offer.tally({course: n for course, n in courses.items() if course.third == third})
                analysis = state_entry(state, offer, tally, dealt.space)
                entries.append({"player_third": third, "analysis": analysis})
    return entries


def not_offered_entries(dealt: Dealt) -> list[Entry]:
    """The states at which the game offers nothing, as if ties were returned."""
    if not dealt.game.has_insurance:
        return []
    entries = []
    for moment, courses in sorted(dealt.moments.items()):
        for hand in HANDS:
            state, offer = (hand, *moment), Offer(hand, "", ZERO, frozenset())
            if state not in dealt.game.offers:
                entries.append(state_entry(state, offer, offer.tally(courses), dealt.space))
    return entries


def insurance_table_entries(states: list[Entry]) -> list[Entry]:
    """Each hand at each stage: how many states are offered, how many favour the player, the first best one."""
    tables = dict[tuple[str, str], list[Entry]]()
    for entry in states:
        tables.setdefault((entry["state"]["side"], entry["state"]["stage"]), []).append(entry)
    return [
        {
            "side": hand,
            "stage": stage,
            "offered": len(listed),
            "favourable": sum(entry["favours_player"] for entry in listed),
            "best": max(listed, key=lambda entry: entry["expected_value"])["state"],
        }
        for (hand, stage), listed in tables.items()
    ]


def range_entries(dealt: Dealt) -> list[Entry]:
    """The best and the worst exact cards of every state; of equal ones the highest and the lowest cards."""
    game = dealt.game
    met: dict[State, list[tuple[Fraction, Any, Tally]]] = {state: [] for state in game.offers}
    for (player, banker), group in dealt.by_cards:
        for (moment, third), following in group.ahead.items():
            for hand in HANDS:
                state = (hand, *moment)
                if state in met:
                    tally = game.offers[state].tally(following)
                    met[state].append((game.offers[state].gain(tally), (player, banker, third), tally))

    def seen_entry(state: State, value: Fraction, seen: Any, tally: Tally) -> Entry:
        analysis = state_entry(state, game.offers[state], tally, dealt.space)
        by_hand = {"player": list(seen[0]), "banker": list(seen[1]), "third": seen[2]}
        return {"seen": by_hand, "analysis": analysis, "expected_value": value}

    entries = []
    for state, seen_so in met.items():
        ways = sum(tally.ways for _, _, tally in seen_so)
        favourable = sum(tally.ways for value, _, tally in seen_so if value > 0)
        entry = {"state": state_name(state), "ways": Fraction(ways), "favourable_ways": Fraction(favourable)}
        entry |= {"favourable": Fraction(favourable, ways)}
        worst, best = min(seen_so, key=lambda one: one[:2]), max(seen_so, key=lambda one: one[:2])
        entries.append(entry | {"worst": seen_entry(state, *worst), "best": seen_entry(state, *best)})
    return entries


# ------------------------------------------------------------ insurance as a habit

Takes = Callable[[Moment, Mapping[Course, int]], bool]
"""Whether an offer is taken at a moment, given the courses that may follow."""

Insurance = tuple[tuple[Fraction, Fraction, int], ...]
"""The insurance bets of a round: the stake, the net odds, and 1 won, 0 returned, -1 lost."""

Insured = Counter[tuple[Course, Insurance]]
"""Rounds with their insurance bets, counted."""


def room(game: Game, net: Fraction, earlier: Sequence[Staked]) -> Fraction:
    """What may be staked at these odds after earlier bets: a unit where there is no limit."""
    stake = largest_stake(game.limits, net, earlier)
    return ONE if stake is None else stake


def by_habit(game: Game, hand: str, groups: Iterable[Alike], takes: Takes) -> Insured:
    """The rounds of a player who takes some offers, each to the limit that is left."""
    insured = Insured()
    for courses, ahead in groups:
        taken: dict[Course, Insurance] = dict.fromkeys(courses, ())
        for moment, third in sorted(ahead, key=lambda seen: seen[0][0]):  # four cards come before five
            offer = game.offers.get((hand, *moment))
            if offer and takes(moment, ahead[moment, third]):
                for course in ahead[moment, third]:
                    stake = room(game, offer.net, [bet[:2] for bet in taken[course]])
                    taken[course] = (*taken[course], (stake, offer.net, offer.sign(course)))
        for course, ways in courses.items():
            insured[course, taken[course]] += ways
    return insured


def at_best(game: Game, hand: str, groups: Iterable[Alike]) -> Insured:
    """The rounds of a player whose two stakes gain most together.

    The second stake is what is left, where it gains. The gain of both is a straight line in the first stake
    between the stakes at which another limit becomes the narrowest, so that one of these is best, or nothing, or
    all; of equally good ones the smallest.
    """
    insured = Insured()
    for courses, ahead in groups:
        offers = {seen: game.offers.get((hand, *seen[0])) for seen in ahead}
        first = next((seen for seen, offer in offers.items() if offer and seen[1] is None), None)
        later = [
            (offer, ahead[seen])
            for seen, offer in offers.items()
            if offer and seen[1] is not None and offer.gain(offer.tally(ahead[seen])) > 0
        ]
        taken: dict[Course, Insurance] = dict.fromkeys(courses, ())
        earlier = list[Staked]()
        if first and (offer := offers[first]) and (stake := first_stake(game, offer, ahead[first], later)):
            earlier = [(stake, offer.net)]
            taken |= {course: ((stake, offer.net, offer.sign(course)),) for course in ahead[first]}
        for offer, following in later:
            if left := room(game, offer.net, earlier):
                for course in following:
                    taken[course] = (*taken[course], (left, offer.net, offer.sign(course)))
        for course, ways in courses.items():
            insured[course, taken[course]] += ways
    return insured


def first_stake(
    game: Game,
    first: Offer,
    at_first: Mapping[Course, int],
    later: Sequence[tuple[Offer, Mapping[Course, int]]],
) -> Fraction:
    """What to stake at the first offer, given the later ones that gain and the courses that pass them."""

    def both(stake: Fraction) -> Fraction:
        tally = first.tally(at_first)
        total = stake * (first.net * tally.won - tally.lost)
        for second, following in later:
            tally = second.tally(following)
            left = room(game, second.net, [(stake, first.net)])
            total += left * (second.net * tally.won - tally.lost)
        return total

    most, stakes = room(game, first.net, []), {ZERO}
    for net in {second.net for second, _ in later}:
        lines = [
            (limit.share / limit.used(ONE, net), limit.used(ONE, first.net) / limit.used(ONE, net))
            if limit.per == "round" and limit.holds_for(first.net)
            else (limit.share / limit.used(ONE, net), ZERO)
            for limit in game.limits
            if not limit.procedure and limit.holds_for(net)
        ]
        for (left, slope), (other_left, other_slope) in combinations(lines, 2):
            if slope != other_slope:
                stakes.add((left - other_left) / (slope - other_slope))
    return max(sorted(stake for stake in {*stakes, most} if ZERO <= stake <= most), key=both)


def habit_entry(bet: Bet, insured: Insured) -> Entry:
    """A unit on a hand and its insurance: both together, and the insurance alone."""
    space, results = sum(insured.values()), Counter[tuple[Fraction, Fraction, Fraction]]()
    for (course, bets), ways in insured.items():
        won = sum((stake * (net if sign > 0 else sign) for stake, net, sign in bets), ZERO)
        net = bet.nets[bet.line(facts_of(course, UNMATCHED, EVERYTHING))]
        results[net, won, sum((stake for stake, _, _ in bets), ZERO)] += ways
    both = Wager([net + won for net, won, _ in results], [*results.values()])
    insurance_mean = sum((won * ways for (_, won, _), ways in results.items()), ZERO) / space
    insurance_staked = sum((stake * ways for (_, _, stake), ways in results.items()), ZERO) / space
    return {
        "mean": both.mean(),
        "variance": both.variance(),
        "insurance_mean": insurance_mean,
        "insurance_staked": insurance_staked,
        "insured": Fraction(sum(ways for (_, _, stake), ways in results.items() if stake), space),
        "insurance_edge": -insurance_mean / insurance_staked if insurance_staked else None,
    }


def habit_entries(dealt: Dealt, hand: str, bet: Bet) -> list[Entry]:
    """Every habit of a player who bets on this hand."""
    game = dealt.game

    def gains(moment: Moment, courses: Mapping[Course, int]) -> bool:
        offer = game.offers[hand, *moment]
        return offer.gain(offer.tally(courses)) > 0

    moments = [state[1:] for state in game.offers if state[0] == hand]
    good = {moment for moment in moments if gains(moment, dealt.moments[moment])}
    by_cards = [group for _, group in dealt.by_cards]
    habits = {
        "never": by_habit(game, hand, dealt.by_totals, lambda moment, courses: False),
        "always": by_habit(game, hand, dealt.by_totals, lambda moment, courses: True),
        "favourable-by-totals": by_habit(game, hand, dealt.by_totals, lambda moment, courses: moment in good),
        "favourable-by-cards": by_habit(game, hand, by_cards, gains),
        "best-by-totals": at_best(game, hand, dealt.by_totals),
        "best-by-cards": at_best(game, hand, by_cards),
    }
    entries = list[Entry]()
    for habit, insured in habits.items():
        entry = habit_entry(bet, insured)
        never = entries[0] if entries else entry
        less = never["variance"] - entry["variance"]
        cost = (never["mean"] - entry["mean"]) / less if less > 0 else None
        entries.append({"hand": hand, "bet": bet.id, "habit": habit, "cost_of_variance": cost} | entry)
    return entries


# ------------------------------------------------------------ other readings, removal, closed forms


def difference_entry(
    subject: Entry, measure: str, read: Fraction | None, otherwise: Fraction | None
) -> Entry:
    """A figure under the reading taken and under the other one."""
    change = None if read is None or otherwise is None else otherwise - read
    return {"subject": subject, "measure": measure, "read": read, "otherwise": otherwise, "change": change}


def changed_bets(dealt: Dealt, other: Game) -> Iterator[Entry]:
    """The bets that another reading settles otherwise; all of them if it is about void rounds or the deal.

    Where one of the readings leaves every bet on the layout after a void round, a bet is valued until it is decided.
    No fresh shoe has a void round, so only ties drop out there.
    """
    everywhere = dealt.game.void_bets != other.void_bets or dealt.game.play != other.play
    stays = (dealt.game.void_bets == "stay") != (other.void_bets == "stay")
    for bet, other_bet, wager in zip(dealt.game.bets, other.bets, dealt.wagers, strict=True):
        if everywhere or bet.lines != other_bet.lines:
            subject = subject_entry(bet=bet.id)
            if stays:
                read, otherwise = (
                    until_decided(*one) for one in ((bet, dealt, dealt.game), (other_bet, dealt, other))
                )
                yield difference_entry(subject, "expected-value-until-decided", read, otherwise)
            else:
                otherwise = wager_on(other_bet, dealt, other).mean()
                yield difference_entry(subject, "expected-value", wager.mean(), otherwise)


def wager_on(bet: Bet, dealt: Dealt, game: Game) -> Wager:
    """A bet of a game that is read otherwise, on the same shoe."""
    wager = Wager(bet.nets, [0] * len(bet.lines))
    for facts, ways in rounds(game.play, dealt.shoe, game.asked).facts.items():
        wager.ways[bet.line(facts)] += ways
    return wager


def changed_ties(dealt: Dealt, other: Game) -> Iterator[Entry]:
    """What a bet on a hand is worth until it is decided, where a reading lets it stay after a tie."""
    if dealt.game.ties_stay == other.ties_stay:
        return
    on_hands = [bet for hand in HANDS if (bet := dealt.game.bet_on(hand))]
    for bet, other_bet in zip(dealt.game.bets, other.bets, strict=True):
        if bet in on_hands:
            read, otherwise = until_decided(bet, dealt, dealt.game), until_decided(other_bet, dealt, other)
            yield difference_entry(subject_entry(bet=bet.id), "expected-value-until-decided", read, otherwise)


def until_decided(bet: Bet, dealt: Dealt, game: Game) -> Fraction | None:
    """The expected value of a bet until a round settles it, each on such a shoe; ties that leave it there are left out."""
    stays = game.ties_stay and bet.id in [one.id for hand in HANDS if (one := game.bet_on(hand))]
    won, settled = ZERO, 0
    for facts, ways in rounds(game.play, dealt.shoe, game.asked).facts.items():
        net = bet.nets[bet.line(facts)]
        if net or facts.winner != "tie" or not stays:
            won, settled = won + net * ways, settled + ways
    return won / settled if settled else None


def changed_layouts(game: Game, other: Game) -> Iterator[Entry]:
    """The bets that are on more or fewer layouts."""
    for bet, other_bet in zip(game.bets, other.bets, strict=True):
        if bet.layouts != other_bet.layouts:
            read, otherwise = Fraction(bet.layouts), Fraction(other_bet.layouts)
            yield difference_entry(subject_entry(bet=bet.id), "layouts", read, otherwise)


def open_states(game: Game, hand: str) -> Fraction:
    """How many insurance states are open to a player who has a bet on this hand."""
    return Fraction(sum(1 for state in game.offers if game.insures_either or state[0] == hand))


def changed_insured(game: Game, other: Game) -> Iterator[Entry]:
    """For whom more or fewer insurance states are open."""
    for hand in HANDS:
        bet, read, otherwise = game.bet_on(hand), open_states(game, hand), open_states(other, hand)
        if bet is not None and read != otherwise:
            yield difference_entry(subject_entry(bet=bet.id), "insurance-states-open", read, otherwise)


def changed_states(dealt: Dealt, other: Game) -> Iterator[Entry]:
    """The insurance states of the game whose value is another one, or that are not offered any more."""
    if not dealt.game.has_insurance or not other.has_insurance:
        return
    other_moments = open_moments(other, rounds(other.play, dealt.shoe, other.asked).courses)
    for state, offer in dealt.game.offers.items():
        read, otherwise = offer.gain(offer.tally(dealt.moments[state[1:]])), None
        if state in other.offers:
            otherwise = other.offers[state].gain(other.offers[state].tally(other_moments[state[1:]]))
        if read != otherwise:
            yield difference_entry(subject_entry(state=state), "expected-value", read, otherwise)


def changed_limits(dealt: Dealt, other: Game) -> Iterator[Entry]:
    """The odds at which another insurance stake is the largest: of one bet, of two at both stages, of both hands."""
    game = dealt.game
    if not game.has_insurance or not other.has_insurance:
        return
    procedures = sorted({limit.procedure for limit in (*game.limits, *other.limits) if limit.procedure})
    all_odds = sorted({(offer.net, offer.odds) for offer in game.offers.values()})
    stake = "largest-insurance-stake"
    for procedure in ("", *procedures):
        changed = set[tuple[Fraction, str]]()
        for (net, odds), (bets, measure) in product(all_odds, ((1, stake), (2, f"{stake}-both-stages"))):
            read, otherwise = (on_one_hand(one.limits, [net] * bets, procedure) for one in (game, other))
            if read != otherwise and (net, odds) not in changed:
                changed.add((net, odds))
                subject = subject_entry(odds=odds, procedure=procedure or None)
                yield difference_entry(subject, measure, read, otherwise)
        for (player, on_player), (banker, on_banker) in offered_on_both_hands(dealt):
            read, otherwise = (on_both_hands(one.limits, player, banker, procedure) for one in (game, other))
            if read != otherwise and not changed & {(player, on_player), (banker, on_banker)}:
                odds = f"{on_player} on Player and {on_banker} on Banker"
                subject = subject_entry(odds=odds, procedure=procedure or None)
                yield difference_entry(subject, f"{stake}-both-hands", read, otherwise)


def offered_on_both_hands(dealt: Dealt) -> list[tuple[tuple[Fraction, str], tuple[Fraction, str]]]:
    """The odds on the Player Hand and on the Banker Hand that one and the same round offers."""
    game, pairs = dealt.game, set[tuple[tuple[Fraction, str], tuple[Fraction, str]]]()
    for course in rounds(game.play, dealt.shoe, game.asked).courses:
        seen = [(side, game.offers.get((side, *at))) for at in game.moments(course) for side in HANDS]
        on = {hand: [(one.net, one.odds) for side, one in seen if one and side == hand] for hand in HANDS}
        pairs |= set(product(on["player"], on["banker"]))
    return sorted(pairs)


def on_one_hand(limits: list[Limit], nets: list[Fraction], procedure: str) -> Fraction | None:
    """The most that insurance bets on one hand can stake, one after the other."""
    staked = list[Staked]()
    for net in nets:
        stake = largest_stake(limits, net, staked, procedure)
        if stake is None:
            return None
        staked.append((stake, net))
    return sum((stake for stake, _ in staked), ZERO)


def on_both_hands(limits: list[Limit], one: Fraction, other: Fraction, procedure: str) -> Fraction | None:
    """The most that a bet on each hand can stake together, whichever is taken first."""
    most = None
    for first, second in ((one, other), (other, one)):
        stake = largest_stake(limits, first, (), procedure)
        left = None if stake is None else largest_stake(limits, second, (), procedure, [(stake, first)])
        if stake is None or left is None:
            return None
        most = max(stake + left, most or ZERO)
    return most


def places_of(book: Entry, instead: Entry) -> set[str]:
    """The places of a rule book in which a reading puts something else."""
    places = {f"bets {text_in(bet, 'id')}" for bet in list_in(instead, "bets")}
    places |= {f"layouts {text_in(layout, 'id')}" for layout in list_in(instead, "layouts")}
    places |= {
        f"insurance {text_in(table, 'side')} {text_in(table, 'stage')}"
        for table in list_in(instead, "insurance")
    }
    own, others = list_in(book.get("insurance_terms", {}), "limits"), list_in(instead, "insurance_limits")
    if others:
        whole = len(own) != len(others) or not own
        places |= {f"limits {n}" for n in range(len(own)) if whole or others[n] != own[n]}
    return places | instead.keys() - {"bets", "layouts", "insurance", "insurance_limits"}


def read_together(book: Entry, insteads: Iterable[Entry]) -> Entry:
    """What several readings put in the place of the rule book's own, all together."""
    own = list_in(book.get("insurance_terms", {}), "limits")
    together, limits = Entry(), own
    for instead in insteads:
        others = list_in(instead, "insurance_limits")
        if others and len(others) == len(own) == len(limits):
            limits = [
                limit if other == line else other
                for limit, other, line in zip(limits, others, own, strict=True)
            ]
        elif others:
            limits = others
        for key, value in instead.items():
            together[key] = [*together.get(key, []), *value] if isinstance(value, list) else value
    return together | ({"insurance_limits": limits} if limits != own else {})


def game_read(book: Entry, ids: Iterable[str]) -> Game:
    """The game under the other reading of these entries of its register."""
    insteads = {text_in(reading, "id"): reading["instead"] for reading in list_in(book, "interpretations")}
    return Game(book, read_together(book, [insteads[one] for one in ids]))


def other_way(book: Entry, followed: Sequence[str], entry: str) -> list[str]:
    """What is followed when one entry is read the other way round: it goes, or comes in the place of others."""
    if entry in followed:
        return [one for one in followed if one != entry]
    readings = {text_in(reading, "id"): reading for reading in list_in(book, "interpretations")}
    places = places_of(book, readings[entry]["instead"])
    return [*(one for one in followed if not places & places_of(book, readings[one]["instead"])), entry]


def check_followed(book: Entry, followed: Sequence[str]) -> None:
    """Refuse readings that are none of the rule book's, are named twice, or contradict each other."""
    readings = {text_in(reading, "id"): reading for reading in list_in(book, "interpretations")}
    for number, one in enumerate(followed):
        if one not in readings or one in followed[:number]:
            raise Malformed(f"followed: {shown(one)} is no reading of the rule book, or is named twice")
        for earlier in followed[:number]:
            if places_of(book, readings[one]["instead"]) & places_of(book, readings[earlier]["instead"]):
                raise Malformed(f"followed: {shown(earlier)} and {shown(one)} contradict each other")


def reading_entry(dealt: Dealt, book: Entry, followed: Sequence[str], reading: Entry) -> Entry:
    """What another reading of a clause changes."""
    other = game_read(book, other_way(book, followed, text_in(reading, "id")))
    differences = [
        *changed_bets(dealt, other),
        *changed_ties(dealt, other),
        *changed_layouts(dealt.game, other),
        *changed_insured(dealt.game, other),
        *changed_states(dealt, other),
        *changed_limits(dealt, other),
    ]
    return {"entry": text_in(reading, "id"), "differences": differences}


def removal_entries(dealt: Dealt) -> list[Entry]:
    """How every expected value moves when a card of each rank leaves the shoe."""
    values, changes = dealt.values(), dict[str, list[Fraction]]()
    for number, rank in enumerate(RANKS if dealt.game.asked.ranks else RANKS[:10]):
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


HUGE = 10**30
"""A number of decks. The ways of six cards are polynomials of degree six in the number of decks, with whole
coefficients that are far smaller than this, so that they can be read off, as digits, from one value."""

Coefficients = list[int]
"""A polynomial in the number of decks, lowest power first."""


def coefficients(count: int) -> Coefficients:
    """The polynomial whose value at HUGE decks is this count."""
    half = HUGE // 2  # added to every digit, so that none is negative
    lifted = count + sum(half * HUGE**power for power in range(7))
    return [lifted // HUGE**power % HUGE - half for power in range(7)]


def formula_entry(name: str, top: Coefficients, bottom: Coefficients) -> Entry:
    """A figure as a quotient of two polynomials."""
    parts = {"numerator": [*map(Fraction, top)], "denominator": [*map(Fraction, bottom)]}
    return {"name": name, **parts, "limit": Fraction(top[6], bottom[6])}


def value_entry(nets: Sequence[Fraction], lines: Sequence[Coefficients], all_ways: Coefficients) -> Entry:
    """The expected value of a wager: the ways of each line times its net result, in whole numbers."""
    unit = lcm(*(net.denominator for net in nets))
    whole = [int(net * unit) for net in nets]
    top = [sum(n * ways[power] for n, ways in zip(whole, lines, strict=True)) for power in range(7)]
    return formula_entry("expected value", top, [unit * part for part in all_ways])


def formulas_entries(huge: Dealt) -> list[Entry]:
    """Every bet, then every insurance state, as functions of the number of decks."""
    space, entries = coefficients(huge.space), []
    for bet, wager in zip(huge.game.bets, huge.wagers, strict=True):
        lines = [coefficients(count) for count in wager.ways]
        formulas = [value_entry(wager.nets, lines, space)]
        for line, ways in zip(bet.lines[:-1], lines, strict=False):
            formulas.append(formula_entry(line.name or "wins", ways, space))
        entries.append({"subject": subject_entry(bet=bet.id), "formulas": formulas})
    for state, offer in huge.game.offers.items():
        arises, won, lost = map(coefficients, offer.tally(huge.moments[state[1:]]))
        formulas = [value_entry([offer.net, LOST], [won, lost], arises)]
        formulas.append(formula_entry("state arises", arises, space))
        entries.append({"subject": subject_entry(state=state), "formulas": formulas})
    return entries


# ------------------------------------------------------------ game protection
#
# A round is decided by six cards, a bet on pairs by four. What a bet comes to over all orders of such a set of cards
# is all that is needed here: a table of small sets, and sums over it. All bets of a table are added up at once: a
# row is one large number, with a lane for each bet.

PERFECT_LEFT = 9
"""The fewest cards with which a round begins: with 15 left the cut card has not come, and that round may take six."""
COUNT_DEPTHS = 9, 26, 52, 104
CEILING_DEPTHS = 9, 26, 52, 104, 208
CUT_CARDS = 14, 26, 52, 104, 208
FIRST_ORDER_LEFT = 26
LARGEST_TAG = 2
HALVES = (*[1] * 6, 0, *[-1] * 6)
"""The tags of a count where single cards change nothing."""
SLIGHT = Fraction(1, 100)
"""A side of a count that gains less than this part of the other side's gain is not bet."""
ROUND_LIMIT, SHOE_LIMIT = Fraction(1, 1000), Fraction(1, 10)
MOST_COUNTED = 832
"""The most cards of a shoe whose depths are gone through."""
PARTS = 10**12
"""Ceilings are whole numbers of these parts of a unit: rounded up."""

Cards = tuple[int, ...]
"""How many cards of each kind."""

Fewer = tuple[tuple[int, int], ...]
"""Cards of which one may go: how many there are, and what the code of a set loses with one."""


class Lanes(NamedTuple):
    """Rows of so many lanes of so many bytes, for numbers with a sign of less than half of what that can hold."""

    number: int
    size: int

    def row(self, values: Sequence[int]) -> int:
        """The row with these numbers."""
        return sum(value << 8 * self.size * lane for lane, value in enumerate(values))

    def values(self, row: int) -> list[int]:
        """The numbers of a row."""
        half = 1 << 8 * self.size - 1
        data = (row + halves(self)).to_bytes(self.size * self.number, "little")
        if self.size == 8:
            return [value - half for value in unpack(f"<{self.number}Q", data)]
        lanes = (data[start : start + self.size] for start in range(0, len(data), self.size))
        return [int.from_bytes(lane, "little") - half for lane in lanes]


@lru_cache(maxsize=256)
def halves(lanes: Lanes) -> int:
    """The row with half of what a lane can hold in every lane."""
    return lanes.row([1 << 8 * lanes.size - 1] * lanes.number)


@lru_cache(maxsize=2 * (PERFECT_LEFT - 6))
def compositions(held: Cards, cards: int) -> list[tuple[int, Fewer, int]]:
    """Every set of so many cards of these: its code, the cards that may go with what that takes off, its ways."""
    begun: list[tuple[int, Fewer, int, int]] = [(0, (), 1, cards)]
    for kind, most in enumerate(held):
        step, longer = 1 << 4 * kind, begun.copy()  # those with no card of this kind, and those with some
        for code, fewer, ways, left in begun:
            for few in range(1, min(left, most) + 1):
                longer.append((code + few * step, (*fewer, (few, step)), ways * comb(most, few), left - few))
        begun = longer
    return [(code, fewer, ways) for code, fewer, ways, left in begun if not left]


class Sample:
    """Some bets over all sets of ``cards`` cards, and over all of them that hold given cards.

    The kinds of cards are points, or ranks. Kinds from the number ``alike`` on are the same to the bets: of sets that
    differ only in which of these kinds is which, the one with the largest numbers first stands for all.

    ``larger``: the same on a larger shoe, which has the results of every set of cards.
    """

    def __init__(
        self,
        game: Game,
        bets: Sequence[Bet],
        held: Cards,
        cards: int,
        alike: int,
        larger: "Sample | None" = None,
    ) -> None:
        self.bets, self.held, self.cards, self.alike, self.asked = bets, held, cards, alike, game.asked
        self.size, self.kinds = sum(held), len(held)
        nets = [net for bet in bets for net in bet.nets]
        self.unit = lcm(*(net.denominator for net in nets))
        self.orders = perm(cards) * self.unit
        largest = 4 * perm(self.size, cards) * int(max(map(abs, nets)) * self.unit)
        self.lanes: Lanes = larger.lanes if larger else Lanes(len(bets), largest.bit_length() // 8 + 1)
        self.points = POINTS if self.kinds == len(RANKS) else tuple(range(10))
        self.row, self.endings = cache(self.row_of), cache(self.endings_of)
        self.sums: list[dict[Cards, int]]
        if larger:
            self.sums = [{some: larger.sums[cards][some] for some in self.sets(cards)}]
        else:
            self.sums = [self.totals(game)]
        for few in range(cards - 1, -1, -1):
            self.sums.insert(0, {some: self.with_one_more(some) // (cards - few) for some in self.sets(few)})

    def sets(self, cards: int) -> list[Cards]:
        """Every set of so many cards that the shoe has; of those that are the same, one."""
        begun: list[tuple[Cards, int]] = [((), cards)]
        for kind, held in enumerate(self.held):
            longer = []
            for counts, left in begun:
                most = min(left, held, counts[-1]) if kind > self.alike else min(left, held)
                for few in range(left if kind == self.kinds - 1 else 0, most + 1):
                    longer.append(((*counts, few), left - few))
            begun = longer
        return [counts for counts, _ in begun]

    def same(self, counts: Cards) -> Cards:
        """The set that stands for this one."""
        if self.alike == self.kinds:
            return counts
        return (*counts[: self.alike], *sorted(counts[self.alike :], reverse=True))

    def arrangements(self, some: Cards) -> int:
        """For how many sets this one stands."""
        if self.alike == self.kinds:
            return 1
        number = perm(self.kinds - self.alike)
        for times in Counter(some[self.alike :]).values():
            number //= perm(times)
        return number

    def ways(self, some: Cards) -> int:
        """In how many ways the shoe has these cards, or any for which they stand."""
        return self.arrangements(some) * prod(map(comb, self.held, some))

    def code(self, some: Cards) -> int:
        """A set as one number: its counts as digits."""
        return sum(cards << 4 * kind for kind, cards in enumerate(some))

    def totals(self, game: Game) -> dict[Cards, int]:
        """What the bets come to over all orders of every set of cards."""
        orders = Counter[int]()
        for player, banker in product(combinations_with_replacement(range(self.kinds), 2), repeat=2):
            times = (1 + (player[0] != player[1])) * (1 + (banker[0] != banker[1]))  # which of two came first
            code = sum(1 << 4 * kind for kind in (*player, *banker))
            for last, row in self.last_cards(game.play, player, banker):
                orders[code + last] += times * row
        totals = dict[Cards, int]()
        for some in self.sets(self.cards):
            totals[some] = orders[self.code(some)] * prod(map(perm, some))
        return totals

    def last_cards(self, play: Play, player: Sequence[int], banker: Sequence[int]) -> list[tuple[int, int]]:
        """The last two cards as codes, whichever comes first, with what the bets come to after these four."""
        is_by_rank = self.kinds == len(RANKS)
        match = match_of(player, banker, self.asked) if is_by_rank else UNMATCHED
        two = (sum(self.points[kind] for kind in hand) % 10 for hand in (player, banker))
        return self.endings(play, (next(two), next(two)), match)

    def endings_of(self, play: Play, totals: tuple[int, int], match: Match) -> list[tuple[int, int]]:
        """The same by totals and match."""
        courses = every_course(play)[totals]
        if self.cards == 4:
            return [(0, self.row(courses[0], match))]
        endings = Counter[int]()
        for fifth, sixth in product(range(self.kinds), repeat=2):
            course = courses[10 * self.points[fifth] + self.points[sixth]]
            endings[(1 << 4 * fifth) + (1 << 4 * sixth)] += self.row(course, match)
        return list(endings.items())

    def row_of(self, course: Course, match: Match) -> int:
        """What the bets come to in a round."""
        facts = facts_of(course, match, self.asked)
        return self.lanes.row([int(bet.nets[bet.line(facts)] * self.unit) for bet in self.bets])

    def with_one_more(self, some: Cards) -> int:
        """The sum over all ways to add a card, of the sums over the sets that hold all of these."""
        total = 0
        for kind, cards in enumerate(some):
            if self.held[kind] > cards:
                more = (*some[:kind], cards + 1, *some[kind + 1 :])
                total += (self.held[kind] - cards) * self.sums[0][self.same(more)]
        return total

    @cached_property
    def shared(self) -> list[list[int]]:
        """For each bet: what all pairs of sets that share 0, 1, ... cards come to.

        Two sets that share ``i`` cards are met in the squares of the sums over sets that hold ``few`` given cards
        as often as ``few`` cards can be chosen from the ``i``.
        """
        squares = [[0] * (self.cards + 1) for _ in self.bets]
        for few, level in enumerate(self.sums):
            for some, row in level.items():
                ways = self.ways(some)
                for bet, value in enumerate(self.lanes.values(row)):
                    squares[bet][few] += ways * value**2
        counts = range(self.cards + 1)
        return [
            [sum((-1) ** (few - i) * comb(few, i) * of_bet[few] for few in counts[i:]) for i in counts]
            for of_bet in squares
        ]

    @cached_property
    def few(self) -> list[dict[Cards, list[int]]]:
        """The sums over sets that hold no card, one and two given ones, bet by bet."""
        return [{some: self.lanes.values(row) for some, row in level.items()} for level in self.sums[:3]]

    def value(self, bet: int, *gone: int) -> Fraction:
        """The expected value of a bet when none, one or two cards are gone: over the sets that hold none of them."""
        total = 0
        for number in range(len(gone) + 1):
            for kinds in combinations(gone, number):
                some = self.same(tuple(kinds.count(kind) for kind in range(self.kinds)))
                total += (-1) ** number * self.few[number][some][bet]
        return Fraction(total, comb(self.size - len(gone), self.cards) * self.orders)

    def kind(self, rank: int) -> int:
        """The kind of a card of this rank."""
        return rank if self.kinds == len(RANKS) else POINTS[rank]

    @cached_property
    def weighted(self) -> tuple[int, list[list[int]]]:
        """What pairs of sets that share 0, 1, ... cards come to on average, bet by bet, over one denominator."""
        k = self.cards
        pairs = [
            comb(self.size - k, k - i) or 1 for i in range(k + 1)
        ]  # none that share i cards: nothing to add
        whole = lcm(*pairs)
        averages = [[value * (whole // pairs[i]) for i, value in enumerate(row)] for row in self.shared]
        return whole * comb(self.size, k) * self.orders**2, averages

    def mean_square(self, bet: int, left: int) -> tuple[int, int]:
        """The mean of the square of the expected value with so many cards left: numerator and denominator."""
        k, (whole, averages) = self.cards, self.weighted
        return sum(comb(left - k, k - i) * value for i, value in enumerate(averages[bet])), whole * comb(
            left, k
        )

    @cached_property
    def played(self) -> list[tuple[Fraction, Fraction]]:
        """Of each bet with so many cards left: how often it favours the player, and what betting only then gains.

        A card taken away at random changes no expected value. So the sum over the sets among some cards follows from
        the sums among one card less, and all compositions are reached card by card.
        """
        k, most = self.cards, max(abs(net) for bet in self.bets for net in bet.nets)
        largest = 4 * comb(PERFECT_LEFT, k) * perm(k) * int(most * self.unit)
        lanes = Lanes(len(self.bets), max(8, largest.bit_length() // 8 + 1))
        level = {self.code(some): lanes.row(values) for some, values in self.rows.items()}
        good, gains = [0] * len(self.bets), [0] * len(self.bets)
        for cards in range(k + 1, PERFECT_LEFT):
            level = {
                code: sum([number * level[code - step] for number, step in fewer]) // (cards - k)
                for code, fewer, _ in self.reached(cards)
            }
        for code, fewer, ways in self.reached(PERFECT_LEFT):
            row = sum([number * level[code - step] for number, step in fewer]) // (PERFECT_LEFT - k)
            for bet, value in enumerate(lanes.values(row)):
                if value > 0:
                    good[bet] += ways
                    gains[bet] += ways * value
        every = comb(self.size, PERFECT_LEFT)
        whole = every * comb(PERFECT_LEFT, k) * self.orders
        return [(Fraction(one, every), Fraction(gain, whole)) for one, gain in zip(good, gains, strict=True)]

    def reached(self, cards: int) -> list[tuple[int, Fewer, int]]:
        """Every set of so many cards: its code, the cards that may go with what that takes off, its ways."""
        if self.alike == self.kinds:
            return compositions(self.held, cards)
        return [(self.code(some), self.fewer(some), self.ways(some)) for some in self.sets(cards)]

    def fewer(self, some: Cards) -> Fewer:
        """The cards of a set that may go. Of kinds that are alike and have as many, the last loses the card."""
        gone = list[tuple[int, int]]()
        for kind, cards in enumerate(some):
            last = kind
            while last >= self.alike and last + 1 < self.kinds and some[last + 1] == cards:
                last += 1
            if cards:
                gone.append((cards, 1 << 4 * last))
        return tuple(gone)

    @cached_property
    def rows(self) -> dict[Cards, list[int]]:
        """What the bets come to over all orders of every set, bet by bet."""
        return {some: self.lanes.values(row) for some, row in self.sums[self.cards].items()}


def rounded_up(value: Fraction) -> Fraction:
    """The least whole number of parts that is not below a value."""
    return Fraction(-(-value.numerator * PARTS // value.denominator), PARTS)


def ceilings(sample: Sample, bet: int) -> dict[int, Fraction]:
    """By cards left: what no one can gain more than in a round, half the sum of mean and root of the mean square."""
    value, by_round = sample.value(bet), dict[int, Fraction]()
    for left in range(6, sample.size + 1):
        above, below = sample.mean_square(bet, left)
        whole = -(-above * PARTS**2 // below)
        root = isqrt(whole)
        by_round[left] = rounded_up((Fraction(root + (root * root < whole), PARTS) + value) / 2)
    return by_round


def shoe_ceilings(by_round: Mapping[int, Fraction]) -> dict[int, Fraction]:
    """What no one can gain more than in a shoe, by the cards behind the cut card: a quarter of all ceilings.

    The last round begins with six cards less than lie behind the cut card, and has three cards more after three
    of its own are dealt; where fewer than six would be left, the ceiling is that of six.
    """
    size = max(by_round)
    ceilings = {}
    total = sum(by_round.values(), ZERO)
    for behind in range(12, size + 1):
        lowest = behind - 9
        if lowest > 6:
            total -= by_round[lowest - 1]
        ceilings[behind] = (total + max(0, 6 - lowest) * by_round[6]) / 4
    return ceilings


def best_tags(effects: Sequence[Fraction]) -> Cards:
    """The balanced whole tags by rank, up to a size, that go with the effects best.

    Of equals those with the smallest squares, and of these those met first. At the same sum and the same sum of squares
    larger tags belong to larger effects.
    """
    order = sorted(range(len(RANKS)), key=lambda rank: effects[rank])
    whole = lcm(*(effect.denominator for effect in effects))
    scaled = [int(effects[rank] * whole) for rank in order]
    best, chosen = (ZERO, 0), (0,) * len(RANKS)
    for rising in combinations_with_replacement(range(-LARGEST_TAG, LARGEST_TAG + 1), len(RANKS)):
        seen, squares = sum(map(mul, rising, scaled)), sum(tag * tag for tag in rising)
        if not sum(rising) and seen > 0 and (Fraction(seen**2, squares), -squares) > best:
            best, chosen = (Fraction(seen**2, squares), -squares), rising
    by_rank = dict(zip(order, chosen, strict=True))
    return tuple(by_rank[rank] for rank in range(len(RANKS)))


def tags_and_share(effects: Sequence[Fraction]) -> tuple[Cards, Fraction | None]:
    """The tags of the simple count, and the share that they see of the best sum."""
    if not any(effects):
        return HALVES, None
    tags, mean = best_tags(effects), sum(effects, ZERO) / len(RANKS)
    seen = sum((tag * effect for tag, effect in zip(tags, effects, strict=True)), ZERO)
    squares = sum(((effect - mean) ** 2 for effect in effects), ZERO)
    return tags, seen**2 / (sum(tag * tag for tag in tags) * squares)


Running = dict[int, tuple[Fraction, Fraction]]
"""Every running count: its chance, and the chance times the expected value."""


def count_depth(left: int, unseen: int, running: Running) -> Entry:
    """Betting on either side of the mean running count where that gains, in a round with so many cards left."""
    chances = sum((chance for chance, _ in running.values()), ZERO)
    mean = sum((count * chance for count, (chance, _) in running.items()), ZERO) / (chances or ONE)
    good = [count for count, (_, gain) in running.items() if gain > 0]
    up = min((count for count in good if count >= mean), default=None)
    down = max((count for count in good if count < mean), default=None)
    above = [at for count, at in running.items() if up is not None and count >= up]
    below = [at for count, at in running.items() if down is not None and count <= down]
    gains = [sum((gain for _, gain in side), ZERO) for side in (above, below)]
    bets = list[tuple[Fraction, Fraction]]()
    if gains[0] > 0 and gains[0] >= SLIGHT * gains[1]:
        bets += above
    else:
        up = None
    if gains[1] > 0 and gains[1] >= SLIGHT * gains[0]:
        bets += below
    else:
        down = None
    entry: Entry = {"left": left, "unseen": unseen, "bets_up": up, "bets_down": down}
    entry |= {"true_count_up": None if up is None else Fraction(52 * up, unseen)}
    entry |= {"true_count_down": None if down is None else Fraction(52 * down, unseen)}
    entry |= {"chance": sum((chance for chance, _ in bets), ZERO)}
    return entry | {"gain": sum((gain for _, gain in bets), ZERO)}


def count_entry(sample: Sample, bet: int) -> Entry:
    """The best simple count of a bet, with what betting on either side of its mean comes to, where that gains."""
    before = sample.value(bet)
    effects = [sample.value(bet, sample.kind(rank)) - before for rank in range(len(RANKS))]
    tags, share = tags_and_share(effects)
    kinds = tags_of_kinds(sample.held, tags)
    largest = sample.orders * (int(max(map(abs, sample.bets[bet].nets))) + 1)
    tagged = Tagged(sum(kinds, Counter()), sample.cards, largest)
    hands = hands_by_tag(sample, bet, kinds, tagged.places)
    nets = tagged.dealt({hand: tagged.moved_all(total, hand) for hand, total in hands.items()}, sample.cards)
    depths = list[Entry]()
    for left in tagged.lefts:
        every = comb(sample.size, left)
        rounds_left = every * comb(left, sample.cards) * sample.orders
        running = tagged.running(left, (tagged.ways[left], every), (nets[left], rounds_left))
        depths.append(count_depth(left, left, running))
    return {"tags": list(tags), "share": share, "depths": depths}


def tags_of_kinds(held: Cards, tags: Cards) -> list[Counter[int]]:
    """The cards of each kind by tag: tens and pictures are one kind by points, and may have four tags."""
    if len(held) == len(RANKS):
        return [Counter({tag: cards}) for tag, cards in zip(tags, held, strict=True)]
    tens = Counter[int]()
    for tag in tags[9:]:
        tens[tag] += held[0] // 4
    return [tens, *(Counter({tag: cards}) for tag, cards in zip(tags[:9], held[1:], strict=True))]


def arrangements_of(counts: Cards) -> Iterator[Cards]:
    """Every order of these numbers, none of them twice."""
    if not counts:
        yield ()
    for first in set(counts):
        place = counts.index(first)
        for others in arrangements_of(counts[:place] + counts[place + 1 :]):
            yield (first, *others)


def splits(by_tag: Counter[int], cards: int, places: Sequence[int]) -> list[tuple[int, int]]:
    """Every way to have so many cards of a kind, tag by tag: the code of the tags, and its ways."""
    begun = [(0, 1, cards)]
    for tag, held in by_tag.items():
        step = 1 << 4 * places.index(tag)
        begun = [
            (code + few * step, ways * comb(held, few), left - few)
            for code, ways, left in begun
            for few in range(min(left, held) + 1)
        ]
    return [(code, ways) for code, ways, left in begun if not left]


def hands_by_tag(
    sample: Sample, bet: int, kinds: Sequence[Counter[int]], places: Sequence[int]
) -> Counter[int]:
    """What a bet comes to over all sets of cards with so many of each tag, by the code of these numbers."""
    hands = Counter[int]()
    tables = [[splits(kind, cards, places) for cards in range(sample.cards + 1)] for kind in kinds]
    for some, totals in sample.rows.items():
        for order in arrangements_of(some[sample.alike :]):
            found = [(0, totals[bet])]
            for kind, cards in enumerate((*some[: sample.alike], *order)):
                if cards:
                    found = [(code + more, total * ways) for code, total in found
                             for more, ways in tables[kind][cards]]  # fmt: skip
            for code, total in found:
                hands[code] += total
    return hands


class Tagged:
    """The cards of a shoe by tag, and the ways to leave some of them with a given sum of tags.

    The ways are the coefficients of the product of ``1 + x y**tag`` over all cards, powers of ``x`` in a list, powers
    of ``y`` in lanes; where given cards are to be dealt, of the product without them, by long division. ``largest``: the
    largest number by which the ways to leave cards with ``cards`` given ones among them are multiplied.
    """

    def __init__(self, held: Counter[int], cards: int, largest: int) -> None:
        self.held, self.low, self.size = held, min(held), sum(held.values())
        self.lefts = [left for left in COUNT_DEPTHS if left < self.size]
        self.places, most = sorted(held), max(self.lefts)
        bits = max(
            comb(self.size, left) * comb(left, cards) * 4 * largest for left in self.lefts
        ).bit_length()
        self.lanes = Lanes(most * (max(held) - self.low) + 1, bits // 8 + 1)
        (first, alike), *others = held.most_common()
        self.ways = [self.moved(comb(alike, left), first, left) for left in range(most + 1)]
        for tag, number in others:
            for _ in range(number):
                for left in range(most, 0, -1):
                    self.ways[left] += self.moved(self.ways[left - 1], tag)

    def moved(self, row: int, tag: int, cards: int = 1) -> int:
        """A row with so many cards of a tag more."""
        return row << 8 * self.lanes.size * (tag - self.low) * cards

    def moved_all(self, row: int, code: int) -> int:
        """A row with all cards of a code more."""
        for place, tag in enumerate(self.places):
            row = self.moved(row, tag, code >> 4 * place & 15)
        return row

    def dealt(self, hands: Mapping[int, int], cards: int) -> dict[int, int]:
        """By cards left: the rows of these hands of so many cards, each times the ways to leave the other cards."""
        sums = dict.fromkeys(self.lefts, 0)
        self.deal(hands, cards, self.ways, (), sums)
        return sums

    def deal(
        self, hands: Mapping[int, int], cards: int, others: list[int], hand: Cards, sums: dict[int, int]
    ) -> None:
        """Add up all hands that begin with so many cards of the first tags; ``others``: ways to leave the others."""
        if sum(hand) == cards:
            row = hands.get(sum(number << 4 * place for place, number in enumerate(hand)), 0)
            for left in self.lefts if row else ():
                sums[left] += row * others[left - cards]
        elif len(hand) < len(self.places):
            tag = self.places[len(hand)]
            for drawn in range(min(cards - sum(hand), self.held[tag]) + 1):
                if drawn:
                    quotient = [1]
                    for row in others[1:]:
                        quotient.append(row - self.moved(quotient[-1], tag))
                    others = quotient
                self.deal(hands, cards, others, (*hand, drawn), sums)

    def running(self, unseen: int, chances: tuple[int, int], nets: tuple[int, int]) -> Running:
        """Every running count with so many cards unseen; of chances and nets a row, and what it is divided by."""
        whole = sum(tag * cards for tag, cards in self.held.items()) - unseen * self.low
        both = zip(self.lanes.values(chances[0]), self.lanes.values(nets[0]), strict=True)
        return {
            whole - lane: (Fraction(count, chances[1]), Fraction(net, nets[1]))
            for lane, (count, net) in enumerate(both)
            if count
        }


def two_cards(sample: Sample, bet: int) -> list[Entry]:
    """Every two cards, those whose removal lowers the expected value most first."""
    before, changes = sample.value(bet), list[tuple[Fraction, list[str]]]()
    for first, second in combinations_with_replacement(range(len(RANKS)), 2):
        change = sample.value(bet, sample.kind(first), sample.kind(second)) - before
        changes.append((change, [RANKS[first], RANKS[second]]))
    return [{"removed": removed, "change": change} for change, removed in sorted(changes)]


def beaten_by(value: Fraction, of_shoe: Fraction, size: int, count: Entry, perfect: Entry | None) -> Entry:
    """By whom a bet can be beaten, as far as is known, and the most cards left from which that was seen."""
    counted = [depth["left"] for depth in count["depths"] if depth["gain"] > ROUND_LIMIT]
    if value > 0:
        return {"beaten": "anyone", "beaten_from": size}
    if of_shoe <= SHOE_LIMIT:
        return {"beaten": "no-one", "beaten_from": None}
    if counted:
        return {"beaten": "count", "beaten_from": counted[-1]}
    if perfect and perfect["gain"] > ROUND_LIMIT:
        return {"beaten": "composition", "beaten_from": perfect["left"]}
    return {"beaten": "open", "beaten_from": None}


def ceiling_entries(
    by_round: Mapping[int, Fraction], on_decks: Mapping[int, Mapping[int, Fraction]]
) -> Entry:
    """The ceilings that are shown, and the depth and the cut card from which on they are within the limits.

    ``on_decks``: the ceilings of a round by the number of decks; none where the shoe is too large.
    """
    size, by_shoe = max(by_round), shoe_ceilings(by_round)
    safe = [left for left in by_round if left >= PERFECT_LEFT and by_round[left] <= ROUND_LIMIT]
    cuts = dict[int, int | None]()
    for decks, of_round in on_decks.items():
        of_shoe = shoe_ceilings(of_round) if of_round else {}
        cuts[decks] = min((cut for cut, gain in of_shoe.items() if gain <= SHOE_LIMIT), default=None)
    enough = [cut for cut in cuts.values() if cut is not None]
    return {
        "ceilings": [{"left": left, "gain": by_round[left]} for left in CEILING_DEPTHS if left < size],
        "shoe_ceilings": [{"behind": cut, "gain": by_shoe[cut]} for cut in CUT_CARDS if cut < size],
        "safe_left": min(safe, default=None),
        "cut_cards": [{"decks": decks, "behind": cut} for decks, cut in cuts.items()],
        "cut_card": max(enough) if len(enough) == len(cuts) else None,
    }


def bet_protection(sample: Sample, bet: int, is_joint: bool, on_decks: Mapping[int, Sample | None]) -> Entry:
    """The protection of one bet; ``on_decks``: its sample with every number of decks."""
    size, value, count = sample.size, sample.value(bet), count_entry(sample, bet)
    by_round = ceilings(sample, bet)
    by_decks = {decks: ceilings(other, bet) if other else {} for decks, other in on_decks.items()}
    by_shoe = shoe_ceilings(by_round)
    variance = Fraction(*sample.mean_square(bet, FIRST_ORDER_LEFT)) - value**2
    squares = sum(
        (held * (sample.value(bet, kind) - value) ** 2 for kind, held in enumerate(sample.held)), ZERO
    )
    explained = squares / size * (size - FIRST_ORDER_LEFT) * (size - 1) / FIRST_ORDER_LEFT
    first_order = explained / variance if variance else ONE
    pairs_gone = two_cards(sample, bet) if first_order < Fraction(1, 2) else [None]
    perfect = None
    if not is_joint:
        good, gain = sample.played[bet]
        perfect = {
            "left": PERFECT_LEFT,
            "favourable": good,
            "gain": gain,
            "edge": gain / good if good else None,
        }
    return {
        "bet": sample.bets[bet].id,
        "expected_value": value,
        "cards": size,
        **beaten_by(value, by_shoe[CUT_CARDS[0]], size, count, perfect),
        "count": count,
        "perfect": perfect,
        **ceiling_entries(by_round, by_decks),
        "first_order": first_order,
        "worst": pairs_gone[0],
        "best": pairs_gone[-1],
    }


def protection_entries(dealt: Dealt, decks: Sequence[int]) -> list[Entry]:
    """The protection of every bet on a fresh shoe; none where it is too large.

    ``decks``: the numbers of decks for which a sufficient cut card is given.
    """
    game, shoe = dealt.game, dealt.shoe
    if sum(shoe) > MOST_COUNTED:
        return []
    by_points = [bet for bet in game.bets if not bet.looks_at & set(ABOUT_PAIRS)]
    by_pairs = [bet for bet in game.bets if bet not in by_points and bet.looks_at <= set(ABOUT_PAIRS[:3])]
    by_rank = [bet for bet in game.bets if bet.looks_at & RANKS_OF_PAIRS]
    joint = [bet for bet in game.bets if bet not in by_points + by_pairs + by_rank]
    entries, numbers = dict[str, Entry](), counted_decks(decks)
    for bets, cards, alike in ((by_points, 6, 10), (by_pairs, 4, 0), (joint, 6, 9), (by_rank, 6, 13)):
        if bets:
            shoes = {number: (4 * number,) * 13 for number in numbers} | {0: shoe}
            held = {number: (sum(of[9:]), *of[:9]) if alike == 10 else of for number, of in shoes.items()}
            largest = Sample(game, bets, max(held.values()), cards, alike)
            made = {number: Sample(game, bets, of, cards, alike, largest) for number, of in held.items()}
            on_decks = {number: made.get(number) for number in decks}
            for number, bet in enumerate(bets):
                entries[bet.id] = bet_protection(made[0], number, bets is joint or bets is by_rank, on_decks)
    return [entries[bet.id] for bet in game.bets]


def counted_decks(decks: Iterable[int]) -> list[int]:
    """The numbers of decks whose shoes are not too large to go through their depths."""
    return [number for number in decks if 52 * number <= MOST_COUNTED]


# ------------------------------------------------------------ game protection: insurance
#
# The cards on the table at an offer are a set of four or five, and two cards or one decide it. Offers of the same odds
# on the same totals go together. All figures are per round dealt, for a unit on each offer that is taken.


class OfferGroup(NamedTuple):
    """Moments with the same offer and the same future: ``nets`` by the next card, or by the next two."""

    hand: str
    player: int
    banker: int
    nets: tuple[tuple[int, ...], ...]


class Pooled(NamedTuple):
    """All offers for a hand on one set of cards on the table: their orders, and the nets over all of them."""

    orders: int
    nets: list[list[int]]


class Offers:
    """The insurance of a stage on a shoe, by the points of the cards on the table.

    ``same``: the same insurance on another shoe.
    """

    def __init__(self, game: Game, held: Cards, stage: str, same: "Offers | None" = None) -> None:
        self.held, self.size, self.dealt = held, sum(held), 4 if stage == FOUR else 5
        self.decide = 6 - self.dealt
        self.unit: int
        self.orders: dict[Cards, Counter[OfferGroup]]
        self.groups: list[OfferGroup]
        if same:
            self.unit, self.orders, self.groups = same.unit, same.orders, same.groups
            return
        self.unit = lcm(*(offer.net.denominator for offer in game.offers.values()))
        self.orders = {}
        for player, banker in product(combinations_with_replacement(range(10), 2), repeat=2):
            times = (1 + (player[0] != player[1])) * (1 + (banker[0] != banker[1]))  # which of two came first
            courses = every_course(game.play)[sum(player) % 10, sum(banker) % 10]
            for third in [()] if stage == FOUR else [(card,) for card in range(10)]:
                following = courses[10 * third[0] : 10 * third[0] + 10] if third else courses
                on_table = (*player, *banker, *third)
                some = tuple(map(on_table.count, range(10)))
                for group in self.groups_of(game, stage, following):
                    self.orders.setdefault(some, Counter())[group] += times
        self.groups = list(dict.fromkeys(group for orders in self.orders.values() for group in orders))

    def groups_of(self, game: Game, stage: str, following: Sequence[Course]) -> Iterator[OfferGroup]:
        """What is offered for either hand at the stage from which these courses follow."""
        for at, player, banker in game.moments(following[0]):
            for hand in HANDS if at == stage else ():
                if offer := game.offers.get((hand, stage, player, banker)):
                    won = (
                        0,
                        int(offer.net * self.unit),
                        -self.unit,
                    )  # by sign; a place of -1 is the last one
                    nets = [won[offer.sign(course)] for course in following]
                    rows = tuple(tuple(nets[start : start + 10]) for start in range(0, len(nets), 10))
                    yield OfferGroup(hand, player, banker, rows)

    def total(self, group: OfferGroup | Pooled, unseen: Sequence[int]) -> int:
        """What a unit comes to over all orders of the cards that decide."""
        if self.decide == 1:
            return sum(map(mul, group.nets[0], unseen))
        rows = (sum(map(mul, row, unseen)) - row[points] for points, row in enumerate(group.nets))
        return sum(map(mul, rows, unseen))

    def pooled(self, hand: str) -> dict[Cards, Pooled]:
        """By the cards on the table, all offers for a hand together."""
        pooled = dict[Cards, Pooled]()
        for some, orders in self.orders.items():
            number, nets = 0, [[0] * 10 for _ in range(10 if self.decide == 2 else 1)]
            for group, times in orders.items():
                if group.hand == hand:
                    number += times
                    nets = [[have + times * more for have, more in zip(row, added, strict=True)]
                            for row, added in zip(nets, group.nets, strict=True)]  # fmt: skip
            if number:
                pooled[some] = Pooled(number, nets)
        return pooled

    def mean(self, pooled: Mapping[Cards, Pooled], gone: int | None = None) -> Fraction:
        """What a unit on every offer comes to in a round, when a card of so many points is gone, or none."""
        held = [cards - (points == gone) for points, cards in enumerate(self.held)]
        total = 0
        for some, offers in pooled.items():
            unseen = [cards - few for cards, few in zip(held, some, strict=True)]
            total += prod(map(perm, held, some)) * self.total(offers, unseen)
        return Fraction(total, perm(sum(held), 6) * self.unit)

    def count_entry(self, hand: str) -> Entry:
        """The best simple count of the insurance of a hand: the cards on the table are seen when it is taken."""
        pooled = self.pooled(hand)
        before = self.mean(pooled)
        by_points = [self.mean(pooled, points) - before for points in range(10)]
        tags, share = tags_and_share([by_points[points] for points in POINTS])
        kinds = Counter[tuple[int, int]]()
        for points, tag in zip(POINTS, tags, strict=True):
            kinds[points, tag] += self.held[points] // (1 if points else 4)
        held = Counter[int]()
        for (_, tag), cards in kinds.items():
            held[tag] += cards
        largest = max(abs(net) for group in self.groups for row in group.nets for net in row)
        tagged = Tagged(held, 6, perm(6) * (largest + 1))
        offered, decided = self.hands_by_tag(pooled, kinds, tagged)
        chances, nets, depths = tagged.dealt(offered, self.dealt), tagged.dealt(decided, 6), list[Entry]()
        for left in tagged.lefts:
            unseen = left - self.dealt
            every = perm(self.size, self.dealt) * comb(self.size - self.dealt, unseen)
            whole = every * perm(unseen, self.decide) * self.unit
            running = tagged.running(unseen, (chances[left], every), (nets[left], whole))
            depths.append(count_depth(left, unseen, running))
        return {"tags": list(tags), "share": share, "depths": depths}

    def hands_by_tag(
        self, pooled: Mapping[Cards, Pooled], kinds: Mapping[tuple[int, int], int], tagged: Tagged
    ) -> tuple[Counter[int], Counter[int]]:
        """By the tags of the cards: the ways of those on the table, and with those that decide what a unit comes to.

        Only the cards that decide are left when the insurance is taken: their tags move the rows.
        """
        offered, decided, found = Counter[int](), Counter[int](), Counter[tuple[int, int]]()
        names, steps = list(kinds), [1 << 4 * tagged.places.index(tag) for _, tag in kinds]
        for cards in combinations_with_replacement(range(len(names)), self.dealt):
            some = [0] * 10
            for kind in cards:
                some[names[kind][0]] += 1
            offers = pooled.get(tuple(some))
            if offers is None:
                continue
            drawn = [cards.count(kind) for kind in range(len(names))]
            ways = prod(map(comb, kinds.values(), drawn)) * prod(map(perm, some))
            code = sum(steps[kind] for kind in cards)
            offered[code] += ways * offers.orders
            unseen = [held - few for held, few in zip(kinds.values(), drawn, strict=True)]
            for one, (points, tag) in enumerate(names):
                first = ways * unseen[one]
                if self.decide == 1:
                    found[code + steps[one], tag] += first * offers.nets[0][points]
                    continue
                for two, (others, other) in enumerate(names):
                    both = first * (unseen[two] - (one == two)) * offers.nets[points][others]
                    found[code + steps[one] + steps[two], tag + other] += both
        for (code, left), total in found.items():
            decided[code] += tagged.moved(total, left - (self.decide - 1) * tagged.low)
        return offered, decided

    @cached_property
    def on_table(self) -> list[tuple[list[int], Counter[OfferGroup]]]:
        """Of every set of cards on the table of a fresh shoe: the cards unseen, and the ways of each group."""
        fresh = list[tuple[list[int], Counter[OfferGroup]]]()
        for some, orders in self.orders.items():
            if ways := prod(map(perm, self.held, some)):
                unseen = [held - cards for held, cards in zip(self.held, some, strict=True)]
                fresh.append((unseen, Counter({group: ways * times for group, times in orders.items()})))
        return fresh

    def taken(self, good: Iterable[tuple[int, int]]) -> Entry:
        """Offers taken on the fresh shoe: their ways, and what a unit comes to over them."""
        ways, total = map(sum, zip(*[(0, 0), *good], strict=True))
        every = perm(self.size, self.dealt)
        return {
            "chance": Fraction(ways, every),
            "gain": Fraction(total, perm(self.size, 6) * self.unit),
        }

    def by_totals(self, hand: str) -> Entry:
        """Taking on the fresh shoe what favours the player as far as both totals tell."""
        states = dict[tuple[int, int], list[int]]()
        for unseen, ways in self.on_table:
            for group, number in ways.items():
                if group.hand == hand:
                    state = states.setdefault((group.player, group.banker), [0, 0])
                    state[0] += number
                    state[1] += number * self.total(group, unseen)
        return self.taken((ways, total) for ways, total in states.values() if total > 0)

    def by_cards(self, hand: str) -> Entry:
        """Taking on the fresh shoe what favours the player as far as the cards on the table tell."""
        return self.taken(
            (number, number * total)
            for unseen, ways in self.on_table
            for group, number in ways.items()
            if group.hand == hand and (total := self.total(group, unseen)) > 0
        )

    @cached_property
    def played(self) -> dict[str, Entry]:
        """For each hand: taking only what every card seen says, in a round that begins with the fewest cards."""
        few, places = PERFECT_LEFT - self.dealt, {group: place for place, group in enumerate(self.groups)}
        lanes = Lanes(len(self.groups), max(8, (4 * perm(self.size, self.dealt)).bit_length() // 8 + 1))
        steps: list[tuple[int, int, int]] = []  # from a few of the cards on the table to more of them
        reached: dict[tuple[tuple[int, int], ...], int] = {(): 0}
        tables = list[tuple[int, int]]()
        for some, orders in self.orders.items():
            row = sum(times << 8 * lanes.size * places[group] for group, times in orders.items())
            on_table = tuple((points, cards) for points, cards in enumerate(some) if cards)
            for number in range(1, len(on_table) + 1):
                if on_table[:number] not in reached:
                    steps.append((reached[on_table[: number - 1]], *on_table[number - 1]))
                    reached[on_table[:number]] = len(steps)
            tables.append((reached[on_table], row))
        sums = {hand: [0, 0] for hand in HANDS}
        for kinds in combinations_with_replacement(range(10), few):
            unseen = [kinds.count(points) for points in range(10)]
            ways = prod(map(comb, self.held, unseen))
            left = [max(held - cards, 0) for held, cards in zip(self.held, unseen, strict=True)]
            drawn = [[perm(cards, number) for number in range(self.dealt + 1)] for cards in left]
            row, dealt = 0, [1]
            for before, points, cards in steps if ways else ():
                dealt.append(dealt[before] * drawn[points][cards])
            for place, orders_row in tables if ways else ():
                row += dealt[place] * orders_row
            for group, number in zip(self.groups, lanes.values(row), strict=True):
                if number and (total := self.total(group, unseen)) > 0:
                    sums[group.hand][0] += ways * number
                    sums[group.hand][1] += ways * number * total
        every = comb(self.size, few) * perm(self.size - few, self.dealt)
        whole = every * self.unit * perm(few, self.decide)
        entries = dict[str, Entry]()
        for hand, (good, gain) in sums.items():
            entries[hand] = {"left": PERFECT_LEFT, "favourable": Fraction(good, every)}
            entries[hand] |= {"gain": Fraction(gain, whole)}
            edge = entries[hand]["gain"] / entries[hand]["favourable"] if good else None
            entries[hand] |= {"edge": edge}
        return entries

    @cached_property
    def constants(self) -> dict[OfferGroup, list[int]]:
        """Of each group: its ways, what a unit comes to, and the products of two samples that share 0, 1, ... cards.

        Where two cards decide, a sample is the sum of both their orders.
        """
        sums = {group: [0] * (self.decide + 3) for group in self.groups}
        both = {
            group: [[one + other for one, other in zip(row, column, strict=True)]
                    for row, column in zip(group.nets, zip(*group.nets, strict=True), strict=True)]
            for group in self.groups
            if self.decide == 2
        }  # fmt: skip
        squared = {group: [[net**2 for net in row] for row in rows] for group, rows in both.items()}
        for unseen, ways in self.on_table:
            for group, number in ways.items():
                if self.decide == 1:
                    total = self.total(group, unseen)
                    same = sum(net**2 * cards for net, cards in zip(group.nets[0], unseen, strict=True))
                    shared = [total**2 - same, same]
                else:
                    with_card = [sum(map(mul, row, unseen)) - row[n] for n, row in enumerate(both[group])]
                    squares = [sum(map(mul, row, unseen)) - row[n] for n, row in enumerate(squared[group])]
                    twice, same = sum(map(mul, with_card, unseen)), sum(map(mul, squares, unseen))
                    one = sum(map(mul, map(mul, with_card, with_card), unseen)) - same
                    total, shared = twice // 2, [twice**2 - 4 * one - 2 * same, one, same]
                for place, value in enumerate((1, total, *shared)):
                    sums[group][place] += number * value
        return sums

    def ceilings(self, hand: str) -> dict[int, Fraction]:
        """By cards left: half the sum of the means and of the roots of the mean squares, group by group."""
        k, others, every = self.decide, self.size - self.dealt, perm(self.size, self.dealt)
        groups = [constants for group, constants in self.constants.items() if group.hand == hand]
        mean = Fraction(sum(constants[1] for constants in groups), perm(self.size, 6) * self.unit)
        ceilings = {}
        for left in range(6, self.size + 1):
            unseen = left - self.dealt
            pairs = [(perm(others, 2 * k - i) or 1) * comb(unseen, k) for i in range(k + 1)]
            below = lcm(*pairs)
            shares = [comb(k, i) * comb(unseen - k, k - i) * (below // pairs[i]) for i in range(k + 1)]
            whole = below * (k * every * self.unit) ** 2
            roots = 0
            for ways, _, *shared in groups:
                square = -(-(ways * sum(map(mul, shares, shared)) * PARTS**2) // whole)
                root = isqrt(square)
                roots += root + (root * root < square)
            ceilings[left] = rounded_up((Fraction(roots, PARTS) + mean) / 2)
        return ceilings


def insured_protection(offers: Offers, hand: str, stage: str, on_decks: Mapping[int, Offers | None]) -> Entry:
    """The protection of the insurance of a hand at a stage; ``on_decks``: its offers with every number of decks."""
    size, by_cards, perfect = offers.size, offers.by_cards(hand), offers.played[hand]
    by_round, count = offers.ceilings(hand), offers.count_entry(hand)
    by_decks = {decks: other.ceilings(hand) if other else {} for decks, other in on_decks.items()}
    of_shoe = shoe_ceilings(by_round)[CUT_CARDS[0]]
    entry: Entry = {"side": hand, "stage": stage, "cards": size}
    entry |= beaten_by(by_cards["gain"], of_shoe, size, count, perfect)
    entry |= {"by_totals": offers.by_totals(hand), "by_cards": by_cards, "count": count, "perfect": perfect}
    return entry | ceiling_entries(by_round, by_decks)


def insurance_protection_entries(dealt: Dealt, decks: Sequence[int]) -> list[Entry]:
    """The protection of every insurance table on a fresh shoe; none where it is too large.

    ``decks``: the numbers of decks for which a sufficient cut card is given.
    """
    game, shoe = dealt.game, dealt.shoe
    if sum(shoe) > MOST_COUNTED:
        return []
    held = (sum(shoe[9:]), *shoe[:9])
    tables = list(dict.fromkeys((state[0], state[1]) for state in game.offers))
    by_stage = {stage: Offers(game, held, stage) for stage in dict.fromkeys(stage for _, stage in tables)}
    on_decks: dict[str, dict[int, Offers | None]] = {stage: dict.fromkeys(decks) for stage in by_stage}
    for stage, offers in by_stage.items():
        for number in counted_decks(decks):
            on_decks[stage][number] = Offers(game, (16 * number, *[4 * number] * 9), stage, offers)
    return [
        insured_protection(by_stage[stage], hand, stage, on_decks[stage])
        for hand, stage in tables
        if any(group.hand == hand for group in by_stage[stage].groups)
    ]


# ------------------------------------------------------------ identities


def equalities(dealt: Dealt) -> dict[str, tuple[list[Fraction], list[Fraction]]]:
    """Both sides of every law on a shoe.

    The pair algorithm is another way to the expected values, and the removal of a card at random changes none
    of them: both sides of these two laws are the expected values.
    """
    bets, values = len(dealt.game.bets), dealt.values()
    space = Fraction(perm(sum(dealt.shoe), 6))
    sides = {
        "outcome-ways": ([Fraction(sum(wager.ways)) for wager in dealt.wagers], [space] * bets),
        "joint-ways": ([Fraction(sum(dealt.facts.values()))], [space]),
        "pair-algorithm": (values, values),
        "removal-law": (values, values),
    }
    if dealt.game.has_insurance:
        first = sum(sum(courses.values()) for moment, courses in dealt.moments.items() if moment[0] == FOUR)
        goes_on = sum(
            ways for facts, ways in dealt.facts.items() if dealt.game.whenever_listed or facts.cards > 4
        )
        sides["insurance-states"] = [Fraction(first)] * len(HANDS), [Fraction(goes_on)] * len(HANDS)
    return sides


def identity_entries(shoes: Mapping[int, Dealt]) -> list[Entry]:
    """Every law on every shoe: how many equalities it is, and the sums of both sides."""
    by_decks = {decks: equalities(dealt) for decks, dealt in shoes.items()}
    entries = []
    for law in next(iter(by_decks.values())):
        for decks, sides in by_decks.items():
            left, right = sides[law]
            entry = {"law": law, "decks": decks, "equalities": len(left)}
            entries.append(entry | {"left": sum(left, ZERO), "right": sum(right, ZERO)})
    return entries


# ------------------------------------------------------------ the document


def shoe_entry(decks: int, dealt: Dealt) -> Entry:
    """The game on a fresh shoe."""
    return {
        "decks": decks,
        "cards": 52 * decks,
        "sample_space": Fraction(dealt.space),
        "void": ZERO,
        "bets": [bet_entry(*both) for both in zip(dealt.game.bets, dealt.wagers, strict=True)],
        "joint": joint_entries(dealt),
        "insurance": insurance_entries(dealt),
        "third_cards": third_card_entries(dealt),
    }


def book_of(rule_book: bytes) -> Entry:
    """The data of a rule book's text, if it is one that stands alone, and within the bounds."""
    book = tomllib.loads(bounded(rule_book.decode()))
    if "base" in book:
        raise Malformed("rule book: it stands on another one; a report holds it written out whole")
    if type(book.get("schema")) is not int or book["schema"] != 1 or not list_in(book, "bets"):
        raise Malformed("rule book: schema 1 is read, with at least one bet")
    instead = [one["instead"] for one in list_in(book, "interpretations")]
    pay_tables = [bet for one in (book, *instead) for bet in list_in(one, "bets")]
    if sum(len(list_in(table, "pays")) for table in pay_tables) > MOST_LINES:
        raise Malformed(f"rule book: more than {MOST_LINES} lines in all pay tables together")
    if sum("void_bets" in one or "banker_draws_against_natural" in one for one in instead) > MOST_RECOUNTS:
        raise Malformed(f"rule book: more than {MOST_RECOUNTS} readings that have every bet counted again")
    return book


def derived(rule_book: bytes, decks: Sequence[int], followed: Sequence[str] = ()) -> Entry:
    """What the analysis of this rule book for these numbers of decks must say, its numbers as fractions.

    ``followed``: the entries of the rule book's register whose other reading the analysis follows.
    """
    book = book_of(rule_book)
    readings = list_in(book, "interpretations")
    check_followed(book, followed)
    game = game_read(book, followed)
    shoes = {number: Dealt(game, (4 * number,) * 13) for number in decks}
    reference = REFERENCE_DECKS if REFERENCE_DECKS in shoes else decks[-1]
    dealt, insured = shoes[reference], game.insured_bets().items()
    tables = insurance_table_entries(insurance_entries(dealt))
    return {
        "schema": SCHEMA,
        "game": text_in(book, "id"),
        "rule_book_sha256": hashlib.sha256(rule_book).hexdigest(),
        "followed": list(followed),
        "reference_decks": reference,
        "shoes": [shoe_entry(*both) for both in shoes.items()],
        "examples": example_entries(game),
        "readings": [reading_entry(dealt, book, followed, reading) for reading in readings],
        "insurance_tables": tables,
        "offered_states": sum(table["offered"] for table in tables),
        "favourable_states": sum(table["favourable"] for table in tables),
        "not_offered": not_offered_entries(dealt),
        "ranges": range_entries(dealt),
        "insured": [entry for both in insured for entry in habit_entries(dealt, *both)],
        "combination": combination_entry(dealt),
        "protection": protection_entries(dealt, decks),
        "insurance_protection": insurance_protection_entries(dealt, decks),
        "removal": removal_entries(dealt),
        "formulas": formulas_entries(Dealt(game, (4 * HUGE,) * 13)),
        "operations": operations_entries(dealt),
        "identities": identity_entries(shoes),
    }


def numbers_in(value: Any) -> int:
    """How many numbers a value states."""
    if isinstance(value, dict | list):
        return sum(map(numbers_in, value.values() if isinstance(value, dict) else value))
    return int(isinstance(value, Fraction) or type(value) is int)


def canonical(value: Any) -> bytes:
    """The one spelling of a document: fractions, and whole numbers of any size, are text."""
    return (json.dumps(value, sort_keys=True, indent=1, default=str) + "\n").encode()


class Document(NamedTuple):
    """A document: its values, its text, and how many numbers it states."""

    values: Entry
    text: bytes
    numbers: int


@lru_cache(maxsize=8)
def document(rule_book: bytes, decks: tuple[int, ...], followed: tuple[str, ...] = ()) -> Document:
    """What the analysis of this rule book for these numbers of decks must be, when it follows these readings."""
    try:
        right = derived(rule_book, decks, followed)
        text = canonical(right)
        return Document(json.loads(text), text, numbers_in(right))
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
        raise Malformed(f"rule book: {said(error)}") from None


# ------------------------------------------------------------ the comparison


def said(error: Exception) -> str:
    """What Python says of a fault, on one line of ASCII."""
    line = " ".join(f"{type(error).__name__}: {error}".split())
    return line.encode("ascii", "backslashreplace").decode()[:300]


def shown(value: Any) -> str:
    """A value as a message shows it: on one line, and not longer than it must be."""
    return json.dumps(f"{len(value)} entries" if isinstance(value, list | dict) else value)[:300]


def compare(found: Any, right: Any, where: str) -> None:
    """Name the first place, in the file's order, at which what was found is not what is right."""
    if isinstance(right, dict):
        keys = found.keys() if isinstance(found, dict) else set()
        if odd := sorted(keys ^ right.keys()):
            fault = "missing" if odd[0] in right else "unknown"
            raise Malformed(f"{where or 'file'}: the key {odd[0][:99]!a} is {fault}")
        for key in sorted(right):
            compare(found[key], right[key], f"{where}.{key}".lstrip("."))
    elif isinstance(right, list) and isinstance(found, list) and len(found) == len(right):
        for number, part in enumerate(right):
            compare(found[number], part, f"{where}[{number}]")
    elif found != right or type(found) is not type(right):
        raise Rejected(f"{where}: found {shown(found)}, should be {shown(right)}")


def framed(analysis_text: bytes, rule_book: bytes) -> tuple[Any, tuple[int, ...], tuple[str, ...]]:
    """The analysis as it was read, its numbers of decks and the readings it follows, if it is of this rule book."""
    try:
        found = json.loads(analysis_text.decode("ascii"))
        schema, sha256 = found["schema"], found["rule_book_sha256"]
        decks = [shoe["decks"] for shoe in found["shoes"]] if schema == SCHEMA else []
        followed = found.get("followed", []) if schema == SCHEMA else []
    except (LookupError, RecursionError, TypeError, ValueError) as error:
        raise Malformed(f"not an analysis: {said(error)}") from None
    if schema != SCHEMA:
        raise Malformed(f"schema: found {shown(schema)}, this checker knows {SCHEMA}")
    sound = sorted({number for number in decks if type(number) is int and 0 < number <= MOST_DECKS})
    if not 0 < len(decks) <= MOST_SHOES or decks != sound:
        raise Malformed(f"shoes: not 1 to {MOST_SHOES}, with rising numbers of decks from 1 to {MOST_DECKS}")
    if not isinstance(followed, list) or len(followed) > MOST_ENTRIES["interpretations"]:
        raise Malformed(f"followed: no list of up to {MOST_ENTRIES['interpretations']} readings")
    if not all(isinstance(one, str) for one in followed):
        raise Malformed("followed: a reading is named by its id")
    own = hashlib.sha256(rule_book).hexdigest()
    if sha256 != own:
        raise Rejected(f"rule_book_sha256: found {shown(sha256)}, should be {shown(own)}")
    return found, tuple(decks), tuple(followed)


def check(analysis_text: bytes, rule_book: bytes) -> int:
    """How many numbers the analysis states, all of them right; else ``Malformed`` or ``Rejected``."""
    if len(analysis_text) > MOST_BYTES or len(rule_book) > MOST_BOOK_BYTES:
        raise Malformed(f"larger than {MOST_BYTES} bytes; or its rule book, than {MOST_BOOK_BYTES}")
    if analysis_text.count(b"{") + analysis_text.count(b"[") > MOST_PARTS:
        raise Malformed(f"more than {MOST_PARTS} objects and lists")
    found, decks, followed = framed(analysis_text, rule_book)
    right = document(rule_book, decks, followed)
    if analysis_text != right.text:
        compare(found, right.values, "")
        raise Malformed("not canonical: keys sorted, each once, one space a level, one newline at the end")
    return right.numbers


# ------------------------------------------------------------ the program


def content_of(path: Path, most: int) -> bytes:
    """What a file holds, up to one byte more than is read; a pipe or a device is not waited for."""
    if path.exists() and not path.is_file():
        raise Malformed(f"{path}: not a plain file")
    with path.open("rb") as file:
        return file.read(most + 1)


def rule_book_path(game: str, analysis: Path) -> Path:
    """The rule book of a game: beside the analysis, beside this program, or in the folder of tables."""
    program = Path(__file__).resolve()
    folders = [analysis.parent, program.parent, *(folder / "tables" for folder in program.parents[1:3])]
    paths = [folder / f"{game}.toml" for folder in folders]
    return next((path for path in paths if path.exists()), paths[0])


def under(analysis_text: bytes) -> str:
    """Under which other readings an analysis that was checked holds, in a phrase; empty: under none."""
    followed = json.loads(analysis_text)["followed"]
    return f", under the other reading of {', '.join(followed)}" if followed else ""


def main(argv: list[str]) -> int:
    """Check a file. Exit codes: 0, every value holds; 1, one is wrong; 2, it could not be checked."""
    parser = argparse.ArgumentParser(description="Derive every value of an analysis.json once more.")
    parser.add_argument("analysis", type=Path)
    parser.add_argument("--rule-book", type=Path, help="the game's TOML file, if it is elsewhere")
    options = parser.parse_args(argv)
    try:
        text = content_of(options.analysis, MOST_BYTES)
        named = re.search(rb'"game": "([a-z0-9-]{1,200})"', text)
        if not named:
            raise Malformed("not an analysis: no game is named")
        game = named[1].decode()
        rule_book = options.rule_book or rule_book_path(game, options.analysis)
        numbers = check(text, content_of(rule_book, MOST_BOOK_BYTES))
    except Rejected as error:
        print(f"wrong: {error}", file=sys.stderr)
        return 1
    except Exception as error:  # whatever stopped it, it is no verdict
        print(f"could not be checked: {str(error) or type(error).__name__}", file=sys.stderr)
        return 2
    print(
        f"{game}: all {numbers} numbers hold{under(text)}: bets, bets together, insurance, readings, protection, "
        "removal, closed forms, identities; the documents and the certificate beside it were not looked at (combinat verify does)"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
