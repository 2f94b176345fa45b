"""The checker: the statements of an analysis.json, each checked against the rule book alone.

    python3 -I checker.py analysis.json [--rule-book FILE] [--explain BET | HAND:STAGE:OWN-OTHER]

It stands alone: the standard library, nothing of the program that wrote the file. It counts in its own way: six
cards are always dealt, needed or not, so that all ordered sequences of six cards weigh the same. Table of Play, pay
tables, insurance tables and other readings come from the rule book, which must have the SHA-256 that the file names.

Each stated count is counted again, each stated example is settled again, and each figure must follow from the
counts by the one table of formulas. The program that wrote the file chose the examples and what to compare; the
checker takes these choices as they are. It says how many numbers it checked in each part. It does not check game
protection and insurance by habit, which ``combinat verify`` reproduces, nor documents and certificate beside the file.

``--explain`` prints how one figure is derived, as a person would do it by hand. Without ``--rule-book`` the rule
book is the game's TOML file beside the analysis, else the one beside this program, else the one in ``tables/``.
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
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache, cached_property, lru_cache
from itertools import combinations, combinations_with_replacement, product
from math import lcm, perm
from pathlib import Path
from typing import Any, NamedTuple

SCHEMA = "combinat/analysis/3"
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
NOT_CHECKED = ("protection", "insurance_protection", "insured")
"""The parts of the file that ``combinat verify`` reproduces and this program does not check."""

ZERO, ONE, LOST = Fraction(0), Fraction(1), Fraction(-1)

Entry = dict[str, Any]
"""An object of the file or of the rule book."""


class Malformed(Exception):  # noqa: N818  # the name is the verdict
    """The file could not be checked."""


class Rejected(Exception):  # noqa: N818  # the name is the verdict
    """The file was checked, and a value in it is wrong."""


# ------------------------------------------------------------ how a round goes


class Play(NamedTuple):
    """The Table of Play: two-card totals, and for the Banker Hand by its total the Player's third cards."""

    natural: frozenset[int]
    player_draws: frozenset[int]
    banker_draws: tuple[frozenset[int], ...]
    banker_draws_when_player_stood: frozenset[int]
    banker_draws_against_natural: frozenset[int]


class Course(NamedTuple):
    """A round by points: the totals of two cards, the third cards if any, and the final totals."""

    player: int
    banker: int
    third: int | None
    last: int | None
    player_total: int
    banker_total: int


def course_of(play: Play, player: int, banker: int, fifth: int, sixth: int) -> Course:
    """Return how a round goes on from two-card totals when these two cards come next: the Table of Play."""
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


Totals = tuple[int, int]
"""The two-card totals of Player Hand and Banker Hand."""

CELLS: list[tuple[int, int]] = [(fifth, sixth) for fifth in range(10) for sixth in range(10)]
"""The fifth card with the sixth, by points: the place of a pair in this list is ten times the fifth plus the sixth."""


@lru_cache(maxsize=16)
def courses_of(play: Play) -> dict[Totals, list[Course]]:
    """Return, by two-card totals, how a round goes on with every fifth and sixth card."""
    return {totals: [course_of(play, *totals, *cell) for cell in CELLS] for totals in CELLS}


class Match(NamedTuple):
    """The pairs among the first two cards of each hand: of which rank, and of which points; None: no pair."""

    player_rank: str | None
    banker_rank: str | None
    player_points: int | None
    banker_points: int | None


class Facts(NamedTuple):
    """Everything that a pay table may look at in a finished round."""

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
    player_third: int | None
    banker_third: int | None
    player_pair: bool
    banker_pair: bool
    pairs: str
    player_point_pair: bool
    banker_point_pair: bool
    point_pairs: str
    player_pair_of: str | None
    banker_pair_of: str | None


RANKS_OF_PAIRS = {"player_pair_of", "banker_pair_of"}
THIRD_CARDS = {"player_third", "banker_third"}
NATURALS = frozenset({8, 9})


def pairs(player: object, banker: object) -> tuple[bool, bool, str]:
    """Return which hands have a pair, and the words of the Tiger Pair bet; None: a hand has no pair."""
    number = (player is not None) + (banker is not None)
    word = "twin" if number == 2 and player == banker else ("none", "single", "double")[number]
    return player is not None, banker is not None, word


def facts_of(course: Course, match: Match) -> Facts:
    """Return the facts of a finished round."""
    player, banker = course.player_total, course.banker_total
    cards = 2 + (course.third is not None), 2 + (course.last is not None)
    naturals = cards[0] == 2 and player in NATURALS, cards[1] == 2 and banker in NATURALS
    hands = sorted([(player, cards[0], "player"), (banker, cards[1], "banker")])
    (lower, of_lower, _), (higher, of_higher, winner) = hands
    decided = (winner, higher, lower, of_higher, of_lower)
    who = decided if player != banker else ("tie", None, None, None, None)
    result = player, banker, player + banker, *cards, sum(cards), abs(player - banker)
    by_rank = pairs(match.player_rank, match.banker_rank)
    by_points = pairs(match.player_points, match.banker_points)
    thirds, of_rank = (course.third, course.last), (match.player_rank, match.banker_rank)
    return Facts._make((*who, *result, any(naturals), *naturals, *thirds, *by_rank, *by_points, *of_rank))


# ------------------------------------------------------------ the deal: six cards, always

Shoe = tuple[int, ...]
"""The number of cards of each rank."""

FourCards = tuple[tuple[int, int], tuple[int, int]]
"""The points of the first two cards of the Player Hand and of the Banker Hand, each hand lowest first."""

Ways = list[int]
"""The ways of a deal for each fifth and sixth card, in the order of ``CELLS``."""


@cache
def every_four() -> list[tuple[FourCards, Match, int, list[tuple[int, int]]]]:
    """Return the first four cards by rank: points, pairs, orders, and how many there are of which rank."""
    fours = []
    for player, banker in product(combinations_with_replacement(range(13), 2), repeat=2):
        low, high = sorted((POINTS[player[0]], POINTS[player[1]]))
        lower, higher = sorted((POINTS[banker[0]], POINTS[banker[1]]))
        orders = (1 + (player[0] != player[1])) * (1 + (banker[0] != banker[1]))  # which of two came first
        match = Match(
            RANKS[player[0]] if player[0] == player[1] else None,
            RANKS[banker[0]] if banker[0] == banker[1] else None,
            low if low == high else None,
            lower if lower == higher else None,
        )
        ranks = list(Counter((*player, *banker)).items())
        fours.append((((low, high), (lower, higher)), match, orders, ranks))
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


def totals_of(four: FourCards) -> Totals:
    """Return the two-card totals of both hands."""
    return sum(four[0]) % 10, sum(four[1]) % 10


@lru_cache(maxsize=32)
def deal(shoe: Shoe) -> dict[tuple[Totals, Match], Ways]:
    """Return the ways to deal six cards from a shoe, by two-card totals and by the pairs of the first four."""
    last_two, dealt = next_two(shoe), dict[tuple[Totals, Match], Ways]()
    for (four, match), ways in first_fours(shoe).items():
        counts = dealt.setdefault((totals_of(four), match), [0] * 100)
        counts[:] = [before + ways * cards for before, cards in zip(counts, last_two(four), strict=True)]
    return dealt


@lru_cache(maxsize=32)
def by_totals(shoe: Shoe) -> dict[Totals, Ways]:
    """Return the ways to deal six cards from a shoe, by two-card totals."""
    groups = dict[Totals, Ways]()
    for (totals, _), ways in deal(shoe).items():
        groups[totals] = [sum(both) for both in zip(groups.get(totals, [0] * 100), ways, strict=True)]
    return groups


class Rounds(NamedTuple):
    """The rounds that a Table of Play can lead to: their facts, and for every deal of ``CELLS`` its facts' place."""

    facts: list[Facts]
    places: dict[tuple[Totals, Match], list[int]]


@lru_cache(maxsize=16)
def every_round(play: Play) -> Rounds:
    """Return every round that differs from others in some fact."""
    facts, places = dict[Facts, int](), dict[tuple[Totals, Match], list[int]]()
    for key in dict.fromkeys((totals_of(four), match) for four, match, _, _ in every_four()):
        of_course = dict[Course, int]()
        for course in courses_of(play)[key[0]]:
            if course not in of_course:
                of_course[course] = facts.setdefault(facts_of(course, key[1]), len(facts))
        places[key] = [of_course[course] for course in courses_of(play)[key[0]]]
    return Rounds(list(facts), places)


@lru_cache(maxsize=32)
def ways_of_rounds(play: Play, shoe: Shoe) -> Ways:
    """Return the ways of every round of ``every_round``."""
    rounds = every_round(play)
    ways = [0] * len(rounds.facts)
    for key, counts in deal(shoe).items():
        for place, count in zip(rounds.places[key], counts, strict=True):
            ways[place] += count
    return ways


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
"""The tokens of a TOML file, as far as its cost goes; texts of several lines are not among them."""


def bounded(text: str) -> str:
    """Return a TOML text that can be parsed at little cost: tomllib is slow at keys of many parts."""
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


def book_of(rule_book: bytes) -> Entry:
    """Return the data of a rule book that stands alone and is within the bounds."""
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


def text_in(table: Entry, key: str, default: str | None = None) -> str:
    """Return a text of the rule book."""
    text = table.get(key, default)
    if not isinstance(text, str):
        raise Malformed(f"rule book: {key} is missing or no text")
    if len(text) > (MOST_ID if key == "id" else MOST_TEXT):
        raise Malformed(f"rule book: {key} is a text of {len(text)} characters")
    return text


def list_in(table: Entry, key: str) -> list[Any]:
    """Return a list of the rule book; an empty one where the key is missing."""
    entries = table.get(key, [])
    if not isinstance(entries, list) or len(entries) > MOST_ENTRIES[key]:
        raise Malformed(f"rule book: {key} is no list of up to {MOST_ENTRIES[key]}")
    return entries


def one_of(table: Entry, key: str, words: Iterable[str]) -> str:
    """Return a text of the rule book that is one of some words."""
    word = text_in(table, key)
    if word not in words:
        raise Malformed(f"rule book: {key} is {word[:99]!a}, none of {', '.join(words)}")
    return word


NUMBER = r"(\d{1,9}(?:\.\d{1,9})?)"


def net_of(odds: str) -> Fraction:
    """Return the profit per unit staked: ``"3 to 2"`` is 3/2, ``"1 to 1 less 5%"`` is 19/20, ``"push"`` is 0."""
    if odds in ("push", "lose"):
        return ZERO if odds == "push" else LOST
    match = re.fullmatch(f"{NUMBER} to {NUMBER}(?: less {NUMBER}%)?", odds, re.ASCII)
    commission = Fraction(match[3]) / 100 if match and match[3] else None
    no_commission = commission is not None and not 0 < commission < 1
    if not match or not Fraction(match[1]) or not Fraction(match[2]) or no_commission:
        raise Malformed(f"rule book: {odds[:99]!a} are no odds")
    return Fraction(match[1]) / Fraction(match[2]) * (1 - (commission or ZERO))


def share_of(percentage: str) -> Fraction:
    """Return a share of an amount: ``"25%"`` is 1/4."""
    match = re.fullmatch(f"{NUMBER}%", percentage, re.ASCII)
    if not match or not Fraction(match[1]):
        raise Malformed(f"rule book: {percentage[:99]!a} is no percentage")
    return Fraction(match[1]) / 100


def numbers_of(written: Any, digits: int = 1) -> frozenset[Any]:
    """Return numbers of up to so many digits: ``6``, ``"0-5,7-9"``; None for ``"none"``: ``"none"``, ``"0-5,none"``."""
    numbers = set[int | None]()
    for part in str(written).split(","):
        match = re.fullmatch(rf"(\d{{1,{digits}}})(?:-(\d{{1,{digits}}}))?", part, re.ASCII)
        if not match and part != "none":
            raise Malformed(f"rule book: {str(written)[:99]!a} are no numbers of up to {digits} digits")
        numbers |= set(range(int(match[1]), int(match[2] or match[1]) + 1)) if match else {None}
    return frozenset(numbers)


def points_of(written: Any, *, none: bool = False) -> frozenset[int]:
    """Return Point Totals; ``none``: whether ``"none"`` may stand for no totals."""
    points = frozenset[int]() if none and written == "none" else numbers_of(written)
    if None in points:
        raise Malformed(f"rule book: {str(written)[:99]!a} are no Point Totals")
    return points


def words_of(written: Any, words: Sequence[Any]) -> frozenset[Any]:
    """Return some of a few words, given alone or in a list; true and false are words too."""
    named = written if isinstance(written, list) else [written]
    if not named or not all(any(one is word or one == word for word in words) for one in named):
        raise Malformed(f"rule book: {str(written)[:99]!a} is none of {', '.join(map(str, words))}")
    return frozenset(named)


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
    """Return the Table of Play of a rule book. A total that no row names stands, if no higher one draws."""
    table, against = book.get("table_of_play", COMMON), "banker_draws_against_natural"
    against_natural = points_of((instead or {}).get(against, table.get(against, "none")), none=True)
    natural, player_draws = (
        points_of(table["natural"], none=True),
        points_of(table["player_draws"], none=True),
    )
    stood = points_of(table["banker_draws_when_player_stood"], none=True)
    rows = dict[int, frozenset[int]]()
    for row in list_in(table, "banker_draws"):
        for total in points_of(row["points"]):
            if total in rows:
                raise Malformed(f"rule book: table_of_play.banker_draws names {total} twice")
            rows[total] = points_of(row["third"], none=True)
    if natural & (player_draws | stood | against_natural | rows.keys()):
        raise Malformed("rule book: table_of_play lets a natural draw")
    goes_on = [total for total in range(10) if total not in natural]
    highest = max(rows, default=min(goes_on, default=-1))
    for total in goes_on:
        if total <= highest and total not in rows:
            raise Malformed(f"rule book: table_of_play.banker_draws does not name {total}")
    banker_draws = tuple(rows.get(total, frozenset()) for total in range(10))
    return Play(natural, player_draws, banker_draws, stood, against_natural)


Case = tuple[tuple[str, frozenset[Any]], ...]
"""Names of facts, each with the values that are accepted for it."""


def case_of(facts: Entry) -> Case:
    """Return facts as the rule book states them, each with the values that it accepts."""
    case = dict[str, frozenset[Any]]()
    for fact, written in facts.items():
        if fact in ("winning_points", "losing_points", "player_points", "banker_points"):
            case[fact] = points_of(written)
        elif fact in Facts._fields and (fact in ("margin", "total_points") or fact.endswith("cards")):
            case[fact] = numbers_of(written, digits=2)
        elif fact in THIRD_CARDS:
            case[fact] = numbers_of(written)
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
    return tuple(case.items())


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
        return matches(self.facts, facts) and not any(matches(case, facts) for case in self.exceptions)

    @property
    def looks_at(self) -> set[str]:
        """The facts that it names, in its exceptions too."""
        return {fact for case in (self.facts, *self.exceptions) for fact, _ in case}


def matches(case: Case, facts: Facts) -> bool:
    """Whether every fact that a case names has a value that it accepts."""
    for fact, values in case:  # noqa: SIM110  # a plain loop: this is asked very often
        if getattr(facts, fact) not in values:
            return False
    return True


def line_of(pay: Entry, play: Play) -> Line:
    """Return a line of a pay table as the rule book states it."""
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


REST = {"lose": Line("loses", "", LOST, "", ()), "push": Line("returned", "push", ZERO, "", ())}
"""The last line of every pay table, by what the bet says of all other rounds: it fits every round."""


class Bet(NamedTuple):
    """A bet: the first line that fits a round settles it."""

    id: str
    name: str
    hand: str
    settled: str
    layouts: int
    lines: tuple[Line, ...]

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


@lru_cache(maxsize=256)
def lines_on(bet: Bet, play: Play) -> list[int]:
    """Return the line of a bet on which each round of ``every_round`` is."""
    places = [Facts._fields.index(fact) for fact in sorted(bet.looks_at)]
    known, lines = dict[tuple[Any, ...], int](), []
    for facts in every_round(play).facts:
        looked_at = tuple([facts[place] for place in places])
        if looked_at not in known:
            known[looked_at] = bet.line(facts)
        lines.append(known[looked_at])
    return lines


State = tuple[str, str, int, int]
"""When insurance is offered: for which hand, at which stage, with which totals of Player and Banker."""


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
    """Return a limit as the rule book states it."""
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
    """Return the most that may be staked at these odds after earlier bets on the hand; None: there is no limit."""
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
    """The content of a rule book, with what another reading puts ``instead`` of its own."""

    def __init__(self, book: Entry, instead: Entry) -> None:
        self.play = play_of(book, instead)
        self.courses = courses_of(self.play)
        other_pays = {text_in(other, "id"): other for other in list_in(instead, "bets")}
        shown = {text_in(other, "id"): list_in(other, "bets") for other in list_in(instead, "layouts")}
        self.bets = list[Bet]()
        for bet in list_in(book, "bets"):
            name, hand, settled = text_in(bet, "name"), text_in(bet, "hand", ""), text_in(bet, "settled")
            layouts = {layout for layout in list_in(bet, "layouts") if layout not in shown}
            layouts |= {layout for layout, bets in shown.items() if text_in(bet, "id") in bets}
            pays = list_in(other_pays.get(text_in(bet, "id"), bet), "pays")
            rest = REST[one_of({"otherwise": bet.get("otherwise", "lose")}, "otherwise", REST)]
            lines = (*(line_of(pay, self.play) for pay in pays), rest)
            self.bets.append(Bet(text_in(bet, "id"), name, hand, settled, len(layouts), lines))
        terms = book.get("insurance_terms", {})
        opens = instead if "insurance_open" in instead else {"insurance_open": terms.get("open", "")}
        words = ("card-to-come", "whenever-listed", "never")
        when = one_of(opens, "insurance_open", words) if "insurance_terms" in book else "never"
        self.has_insurance, self.whenever_listed = when != "never", when == "whenever-listed"
        self.offers = dict(offers_of(book, instead)) if self.has_insurance else {}
        for state in self.offers:
            if not self.approaches(state):
                raise Malformed(f"rule book: insurance is offered where it is never open: {state}")
        tables = list_in(book, "insurance") if self.has_insurance else []
        self.tables = {(one["side"], one["stage"]): text_in(one, "settled", "") for one in tables}
        self.tie_clause = text_in(book.get("clauses", {}), "tie", "")
        limits = list_in(instead, "insurance_limits") or list_in(terms, "limits")
        self.limits = [limit_of(limit) for limit in limits] if self.has_insurance else []
        self.void_bets = instead.get("void_bets", book.get("void", {}).get("bets"))
        practice = {"insured_hand": "own", "tied_bets": "returned"} | book.get("practice", {}) | instead
        self.insures_either = one_of(practice, "insured_hand", ("own", "either")) == "either"
        self.ties_stay = one_of(practice, "tied_bets", ("returned", "stay")) == "stay"

        self.signs = cache(self.signs_of)

    def signs_of(self, offer: Offer, totals: Totals) -> list[int]:
        """How an insurance bet ends with every fifth and sixth card."""
        return [offer.sign(course) for course in self.courses[totals]]

    def bet_on(self, hand: str) -> Bet | None:
        """The bet on a hand: the one that says so, else the one that is called so."""
        says_so = [bet for bet in self.bets if bet.hand == hand]
        called_so = [bet for bet in self.bets if bet.id == hand and not bet.hand]
        return (says_so + called_so + [None])[0]

    def is_open(self, totals: Totals, third: int | None) -> bool:
        """Whether insurance is open after four cards, or after this third card of the Player."""
        course = self.courses[totals][10 * (third or 0)]
        if third is None:
            return self.whenever_listed or course.third is not None or course.last is not None
        return course.third is not None and (self.whenever_listed or course.last is not None)

    def approaches(self, state: State) -> list[tuple[Totals, int | None]]:
        """How a round comes to a state: the two-card totals, and the Player's third card if it was dealt."""
        _, stage, player, banker = state
        if stage == FOUR:
            return [((player, banker), None)] if self.is_open((player, banker), None) else []
        return [
            ((before, banker), third)
            for before, third in CELLS
            if (before + third) % 10 == player and self.is_open((before, banker), third)
        ]


def offers_of(book: Entry, instead: Entry) -> Iterator[tuple[State, Offer]]:
    """Yield every insurance state of a rule book with its offer, in the order of its lines."""
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


# ------------------------------------------------------------ other readings


def places_of(book: Entry, instead: Entry) -> set[str]:
    """Return the places of a rule book in which a reading puts something else."""
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
    """Return what several readings put in the place of the rule book's own, all together."""
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


def insteads_of(book: Entry) -> dict[str, Entry]:
    """Return what each entry of the register puts in the place of the rule book's own."""
    return {text_in(reading, "id"): reading["instead"] for reading in list_in(book, "interpretations")}


def game_read(book: Entry, ids: Iterable[str]) -> Game:
    """Return the game under the other reading of these entries of its register."""
    insteads = insteads_of(book)
    return Game(book, read_together(book, [insteads[one] for one in ids]))


def other_way(book: Entry, followed: Sequence[str], entry: str) -> list[str]:
    """Return what is followed when one entry is read the other way: it goes, or replaces those it contradicts."""
    if entry in followed:
        return [one for one in followed if one != entry]
    insteads = insteads_of(book)
    places = places_of(book, insteads[entry])
    return [*(one for one in followed if not places & places_of(book, insteads[one])), entry]


def check_followed(book: Entry, followed: Sequence[str]) -> None:
    """Refuse readings that are none of the rule book's, are named twice, or contradict each other."""
    insteads = insteads_of(book)
    for number, one in enumerate(followed):
        if one not in insteads or one in followed[:number]:
            raise Malformed(f"followed: {shown(one)} is no reading of the rule book, or is named twice")
        for earlier in followed[:number]:
            if places_of(book, insteads[one]) & places_of(book, insteads[earlier]):
                raise Malformed(f"followed: {shown(earlier)} and {shown(one)} contradict each other")


# ------------------------------------------------------------ a game on a shoe


class Dealt:
    """A game on a shoe: the ways of every line of every bet, and of every ending of every insurance state."""

    def __init__(self, game: Game, shoe: Shoe) -> None:
        self.game, self.shoe, self.space = game, shoe, perm(sum(shoe), 6)
        self.tallies = dict[State, Tally]()

    def ways(self, bet: Bet) -> Ways:
        """The ways of each line of a bet."""
        ways, place = [0] * len(bet.lines), self.game.bets.index(bet)
        for lines, count in self.settled.items():
            ways[lines[place]] += count
        return ways

    def mean(self, bet: Bet) -> Fraction:
        """The expected value of a unit on a bet."""
        return sum((net * n for net, n in zip(bet.nets, self.ways(bet), strict=True)), ZERO) / self.space

    def values(self) -> list[Fraction]:
        """The expected value of every bet."""
        return [self.mean(bet) for bet in self.game.bets]

    @cached_property
    def settled(self) -> Counter[tuple[int, ...]]:
        """The ways of all bets together: the line of each bet."""
        together = Counter[tuple[int, ...]]()
        lines = zip(*(lines_on(bet, self.game.play) for bet in self.game.bets), strict=True)
        for settled, count in zip(lines, ways_of_rounds(self.game.play, self.shoe), strict=True):
            together[settled] += count
        return +together

    @property
    def by_totals(self) -> dict[Totals, Ways]:
        """The ways of the fifth and sixth card, by the two-card totals."""
        return by_totals(self.shoe)

    @cached_property
    def by_cards(self) -> dict[Totals, list[tuple[FourCards, Ways]]]:
        """The ways of the fifth and sixth card, by the points of the first four cards, by their totals."""
        last_two, fours = next_two(self.shoe), Counter[FourCards]()
        for (four, _), ways in first_fours(self.shoe).items():
            fours[four] += ways
        groups: dict[Totals, list[tuple[FourCards, Ways]]] = {totals: [] for totals in CELLS}
        for four, ways in fours.items():
            groups[totals_of(four)].append((four, [ways * cards for cards in last_two(four)]))
        return groups

    def tally(self, state: State, offer: Offer, third: int | None = None) -> Tally:
        """An insurance bet at a state; ``third``: only the rounds with this third card of the Player."""
        tallies = [
            tally_of(self.game, offer, totals, card, self.by_totals[totals])
            for totals, card in self.game.approaches(state)
            if totals in self.by_totals and third in (None, card)
        ]
        return Tally(*map(sum, zip((0, 0, 0), *tallies, strict=True)))

    def state_tally(self, state: State) -> Tally:
        """The offered insurance bet at a state."""
        if state not in self.tallies:
            self.tallies[state] = self.tally(state, self.game.offers[state])
        return self.tallies[state]


def tally_of(game: Game, offer: Offer, totals: Totals, third: int | None, ways: Ways) -> Tally:
    """Return an insurance bet over the fifth and sixth cards that may follow two-card totals, or a third card."""
    cells = slice(None) if third is None else slice(10 * third, 10 * third + 10)
    by_sign = [0, 0, 0]
    for sign, count in zip(game.signs(offer, totals)[cells], ways[cells], strict=True):
        by_sign[sign] += count  # a place of -1 is the last one
    return Tally(sum(by_sign), by_sign[1], by_sign[2])


def fresh(decks: int) -> Shoe:
    """Return a shoe of so many decks."""
    return (4 * decks,) * 13


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


def skewness_squared(entry: Entry) -> Fraction | None:
    """Return the square of the skewness, with its sign."""
    third = entry["third_central_moment"]
    return ratio(third * abs(third), entry["variance"] ** 3)


def normal_from(entry: Entry) -> int | None:
    """Return the rounds from which a skewness of the sum is at most 1/5: 25 times the squared skewness, rounded up."""
    squared = entry["skewness_signed_square"]
    return None if squared is None else max(1, -int(-25 * abs(squared) // 1))


def band(sigmas: int, side: str) -> "Formula":
    """Return the square of a band's width, cut where everything is lost or won."""
    if side == "below":
        return lambda e: min(sigmas**2 * e["sigma_squared"], (e["expected_win"] + e["most_loss"]) ** 2)
    return lambda e: min(sigmas**2 * e["sigma_squared"], (e["most_win"] - e["expected_win"]) ** 2)


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
        "skewness_signed_square": skewness_squared,
        "normal_from": normal_from,
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
        "pushes": lambda e: 1 - e["wins"] - e["lost"] / e["ways"],
        "loses": lambda e: e["lost"] / e["ways"],
        "expected_value": lambda e: None if e["odds"] is None else e["net"] * e["wins"] - e["loses"],
        "house_edge": lambda e: None if e["odds"] is None else -e["expected_value"],
        "variance": lambda e: (
            None if e["odds"] is None else e["net"] ** 2 * e["wins"] + e["loses"] - e["expected_value"] ** 2
        ),
        "fair_odds": lambda e: ratio(e["lost"], e["won"]),
        "favours_player": lambda e: e["odds"] is not None and e["expected_value"] > 0,
        "favours_house": lambda e: e["odds"] is not None and e["expected_value"] < 0,
    },
    "exact cards": {
        "favourable": lambda e: e["favourable_ways"] / e["ways"],
    },
    "difference": {
        "change": lambda e: None if None in (e["read"], e["otherwise"]) else e["otherwise"] - e["read"],
    },
    "closed form": {
        "limit": lambda e: Fraction(e["numerator"][6], e["denominator"][6]),
    },
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


def bet_entry(bet: Bet, dealt: Dealt) -> Entry:
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
        products = sum(
            ways * whole[one][lines[one]] * whole[two][lines[two]] for lines, ways in dealt.settled.items()
        )
        mean = Fraction(products, dealt.space * units[one] * units[two])
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


def state_entry(state: State, offer: Offer, tally: Tally, space: int) -> Entry:
    """Return an insurance bet at a state: its ways and its figures."""
    counts = {name: Fraction(ways) for name, ways in zip(("ways", "won", "lost"), tally, strict=True)}
    entry: Entry = {"state": state_name(state), "odds": offer.odds or None}
    entry |= {"net": offer.net if offer.odds else None, "pays_on_tie": sorted(offer.ties)}
    return with_figures("state", entry | {"sample_space": Fraction(space)} | counts)


def insurance_entries(dealt: Dealt) -> list[Entry]:
    """Return every state that the game offers."""
    return [
        state_entry(state, offer, dealt.state_tally(state), dealt.space)
        for state, offer in dealt.game.offers.items()
    ]


def third_card_entries(dealt: Dealt) -> list[Entry]:
    """Return every offered state after the Player's third card, with that card known by its points."""
    entries = []
    for state, offer in dealt.game.offers.items():
        if state[1] == THIRD:
            for third in sorted({card for _, card in dealt.game.approaches(state) if card is not None}):
                analysis = state_entry(state, offer, dealt.tally(state, offer, third), dealt.space)
                entries.append({"player_third": third, "analysis": analysis})
    return entries


def not_offered_entries(dealt: Dealt) -> list[Entry]:
    """Return the states at which the game offers nothing, as if ties were returned."""
    entries = []
    for stage, (player, banker), hand in product((FOUR, THIRD), CELLS, HANDS):
        state, offer = (hand, stage, player, banker), Offer(hand, "", ZERO, frozenset())
        if state not in dealt.game.offers and dealt.game.approaches(state):
            entries.append(state_entry(state, offer, dealt.tally(state, offer), dealt.space))
    return entries if dealt.game.has_insurance else []


def insurance_table_entries(states: Sequence[Entry]) -> list[Entry]:
    """Return each hand at each stage: the states offered, those that favour the player, the first best one."""
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


def range_entry(dealt: Dealt, state: State, found: Entry) -> Entry:
    """Return an insurance state by the exact cards seen, with the stated best and worst of them."""
    game = dealt.game
    offer, seen = game.offers[state], dict[tuple[FourCards, int | None], Tally]()
    for totals, third in game.approaches(state):
        for four, ways in dealt.by_cards[totals]:
            seen[four, third] = tally_of(game, offer, totals, third, ways)
    seen = {cards: tally for cards, tally in seen.items() if tally.ways}
    gains = {cards: offer.gain(tally) for cards, tally in seen.items()}
    every = sum(tally.ways for tally in seen.values())
    favourable = sum(tally.ways for cards, tally in seen.items() if gains[cards] > 0)
    entry: Entry = {
        "state": state_name(state),
        "ways": Fraction(every),
        "favourable_ways": Fraction(favourable),
    }
    for name, extreme in (("worst", min(gains.values())), ("best", max(gains.values()))):
        cards = found[name]["seen"]
        key = (pair_of(cards["player"]), pair_of(cards["banker"])), cards["third"]
        analysis = state_entry(state, offer, seen[key], dealt.space)
        shown_cards = {"player": list(key[0][0]), "banker": list(key[0][1]), "third": key[1]}
        entry[name] = {"seen": shown_cards, "analysis": analysis, "expected_value": extreme}
        if gains[key] != extreme:
            raise Rejected(f"ranges: {state}: {shown_cards} are not the {name} cards")
    return with_figures("exact cards", entry)


# ------------------------------------------------------------ examples, readings, removal, closed forms


def result_of(net: Fraction | int) -> str:
    """Return what became of a stake, in a word."""
    return "won" if net > 0 else "lost" if net < 0 else "returned"


def example_entry(game: Game, number: int, found: Entry) -> Entry:
    """Return a stated round, with what becomes of a unit on every bet and on the insurance that was open."""
    ranks = [RANKS.index(card) for card in found["dealt"]]
    cards, points = [RANKS[rank] for rank in ranks], [POINTS[rank] for rank in ranks]
    totals = (points[0] + points[2]) % 10, (points[1] + points[3]) % 10
    course = game.courses[totals][10 * [*points, 0, 0][4] + [*points, 0, 0][5]]
    if len(cards) != 4 + (course.third is not None) + (course.last is not None):
        raise Rejected(f"examples[{number - 1}]: a round of other than {len(cards)} cards")
    player_rank, banker_rank = (cards[hand] if cards[hand] == cards[hand + 2] else None for hand in (0, 1))
    player_pair, banker_pair = (points[hand] if points[hand] == points[hand + 2] else None for hand in (0, 1))
    facts = facts_of(course, Match(player_rank, banker_rank, player_pair, banker_pair))
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
        "insurance": [insured_example(game, state, course) for state in open_states(game, course)],
    }


def open_states(game: Game, course: Course) -> list[State]:
    """Return the insurance that was open in a round, in the order of the tables."""
    states = []
    for hand, stage in game.tables:
        third, player = (None, course.player) if stage == FOUR else (course.third, course.player_total)
        state = (hand, stage, player, course.banker)
        is_reached = stage == FOUR or third is not None
        if state in game.offers and is_reached and game.is_open((course.player, course.banker), third):
            states.append(state)
    return states


def insured_example(game: Game, state: State, course: Course) -> Entry:
    """Return a unit on an insurance bet that was open in a worked round."""
    offer, is_tie = game.offers[state], course.player_total == course.banker_total
    sign = offer.sign(course)
    clause = game.tie_clause if is_tie and not sign else (is_tie and offer.clause) or game.tables[state[:2]]
    return {
        "line": offer.number,
        "state": state_name(state),
        "result": result_of(sign),
        "is_tie": is_tie,
        "odds": (offer.odds, "push", "")[1 - sign],
        "net": (offer.net, ZERO, LOST)[1 - sign],
        "clause": clause,
    }


def until_decided(dealt: Dealt, bet: Bet) -> Fraction | None:
    """Return the value of a bet until a round settles it, where ties leave a bet on a hand on the layout."""
    game, won, settled = dealt.game, ZERO, 0
    stays = game.ties_stay and bet in [game.bet_on(hand) for hand in HANDS]
    lines, ways = lines_on(bet, game.play), ways_of_rounds(game.play, dealt.shoe)
    for facts, line, count in zip(every_round(game.play).facts, lines, ways, strict=True):
        if bet.nets[line] or facts.winner != "tie" or not stays:
            won, settled = won + bet.nets[line] * count, settled + count
    return won / settled if settled else None


def stakes_together(limits: list[Limit], nets: Sequence[Fraction], procedure: str) -> Fraction | None:
    """Return the most that insurance bets on one hand can stake, one after the other; None: there is no limit."""
    staked = list[Staked]()
    for net in nets:
        stake = largest_stake(limits, net, staked, procedure)
        if stake is None:
            return None
        staked.append((stake, net))
    return sum((stake for stake, _ in staked), ZERO)


def stakes_on_both(limits: list[Limit], nets: Sequence[Fraction], procedure: str) -> Fraction | None:
    """Return the most that a bet on each hand can stake together, whichever is taken first; None: no limit."""
    most = ZERO
    for first, second in (nets, nets[::-1]):
        stake = largest_stake(limits, first, (), procedure)
        left = None if stake is None else largest_stake(limits, second, (), procedure, [(stake, first)])
        if stake is None or left is None:
            return None
        most = max(most, stake + left)
    return most


def measured(dealt: Dealt, subject: Entry, measure: str) -> Fraction | None:
    """Return a figure that readings may change; None: the game has no such figure."""
    game, stake = dealt.game, "largest-insurance-stake"
    if subject["state"] is not None and measure == "expected-value":
        state = state_of(subject["state"])
        return game.offers[state].gain(dealt.state_tally(state)) if state in game.offers else None
    if subject["bet"] is not None:
        (bet,) = [bet for bet in game.bets if bet.id == subject["bet"]]
        hands = [hand for hand in HANDS if game.bet_on(hand) == bet]
        by_measure: dict[str, Callable[[], Fraction | None]] = {
            "expected-value": lambda: dealt.mean(bet),
            "expected-value-until-decided": lambda: until_decided(dealt, bet),
            "layouts": lambda: Fraction(bet.layouts),
            "insurance-states-open": lambda: Fraction(
                sum(1 for state in game.offers if game.insures_either or state[0] in hands)
            ),
        }
        return by_measure[measure]()
    procedure = subject["procedure"] or ""
    if measure == f"{stake}-both-hands":
        player, banker = subject["odds"].removesuffix(" on Banker").split(" on Player and ")
        return stakes_on_both(game.limits, (net_of(player), net_of(banker)), procedure)
    times = {stake: 1, f"{stake}-both-stages": 2}[measure]
    return stakes_together(game.limits, [net_of(subject["odds"])] * times, procedure)


def subject_entry(bet: str | None = None, state: State | None = None) -> Entry:
    """Return what a figure is about."""
    return {"bet": bet, "state": state_name(state) if state else None, "odds": None, "procedure": None}


def difference_entry(dealt: Dealt, other: Dealt, found: Entry) -> Entry:
    """Return a stated figure under the reading taken and under the other one."""
    subject, measure = found["subject"], found["measure"]
    state = None if subject["state"] is None else state_of(subject["state"])
    named = subject_entry(subject["bet"], state)
    if subject["bet"] is None and state is None:
        named |= {"odds": subject["odds"], "procedure": subject["procedure"]}
    values = {"read": measured(dealt, named, measure), "otherwise": measured(other, named, measure)}
    return with_figures("difference", {"subject": named, "measure": measure} | values)


def reading_entry(dealt: Dealt, other: Dealt, entry: str, found: Entry) -> Entry:
    """Return what another reading of a clause changes: all that is stated, and no changed value left out."""
    differences = [difference_entry(dealt, other, one) for one in found["differences"]]
    stated = [(one["subject"]["bet"], one["subject"]["state"]) for one in differences]
    game, same_deal = dealt.game, dealt.game.play == other.game.play
    for bet, other_bet in zip(game.bets, other.game.bets, strict=True):
        is_same = same_deal and bet.lines == other_bet.lines
        if not is_same and (bet.id, None) not in stated and dealt.mean(bet) != other.mean(other_bet):
            raise Rejected(f"readings: {shown(entry)} changes the bet {shown(bet.id)}, which is not stated")
    for state in game.offers if other.game.has_insurance else ():
        subject = subject_entry(state=state)
        values = [measured(one, subject, "expected-value") for one in (dealt, other)]
        if values[0] != values[1] and (None, subject["state"]) not in stated:
            raise Rejected(f"readings: {shown(entry)} changes {state}, which is not stated")
    return {"entry": entry, "differences": differences}


def removal_entries(dealt: Dealt) -> list[Entry]:
    """Return how every expected value moves when a card of each rank leaves the shoe."""
    values, changes = dealt.values(), dict[str, list[Fraction]]()
    by_rank = any(bet.looks_at & RANKS_OF_PAIRS for bet in dealt.game.bets)
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
        coefficients = [int(fraction(text)) for text in found[part]]
        at = [sum(one * decks**power for power, one in enumerate(coefficients)) for decks in FORM_DECKS]
        if len(coefficients) != 7 or at != values:
            raise Rejected(f"formulas: {shown(name)}: the {part} is no polynomial through the counts")
        entry[part] = [Fraction(one) for one in coefficients]
    return with_figures("closed form", entry)


def formula_entries(game: Game, found: Sequence[Entry]) -> list[Entry]:
    """Return the closed forms of every bet, then of every insurance state."""
    shoes = [Dealt(game, fresh(decks)) for decks in FORM_DECKS]
    spaces, entries = [dealt.space for dealt in shoes], list[Entry]()
    wanted: list[tuple[Entry, list[tuple[str, Ways, Ways]]]] = []
    for bet in game.bets:
        unit = lcm(*(net.denominator for net in bet.nets))
        ways = list(zip(*(dealt.ways(bet) for dealt in shoes), strict=True))
        value = [int(unit * dealt.mean(bet) * dealt.space) for dealt in shoes]
        forms = [("expected value", value, [unit * space for space in spaces])]
        forms += [
            (line.name or "wins", list(at), spaces) for line, at in zip(bet.lines[:-1], ways, strict=False)
        ]
        wanted.append((subject_entry(bet=bet.id), forms))
    for state, offer in game.offers.items():
        tallies, unit = [dealt.state_tally(state) for dealt in shoes], offer.net.denominator
        value = [int(unit * (offer.net * tally.won - tally.lost)) for tally in tallies]
        arises = [tally.ways for tally in tallies]
        forms = [
            ("expected value", value, [unit * ways for ways in arises]),
            ("state arises", arises, spaces),
        ]
        wanted.append((subject_entry(state=state), forms))
    for (subject, forms), entry in zip(wanted, found, strict=True):
        both = zip(entry["formulas"], forms, strict=True)
        entries.append({"subject": subject, "formulas": [form_entry(one, *form) for one, form in both]})
    return entries


def identity_entries(shoes: Sequence[tuple[int, Dealt]]) -> list[Entry]:
    """Return the sums of both sides of every law on every shoe: of all ways, or of all expected values."""
    game, entries = shoes[0][1].game, list[Entry]()
    laws = ["outcome-ways", "joint-ways", "pair-algorithm", "removal-law"]
    for law in laws + (["insurance-states"] if game.has_insurance else []):
        for decks, dealt in shoes:
            number, side = len(game.bets), Fraction(dealt.space)
            if law in ("pair-algorithm", "removal-law"):
                side = sum(dealt.values(), ZERO) / number
            elif law == "joint-ways":
                number = 1
            elif law == "insurance-states":
                number = len(HANDS)
                side = Fraction(
                    sum(sum(ways) for at, ways in dealt.by_totals.items() if game.is_open(at, None))
                )
            entry = {"law": law, "decks": decks, "equalities": number}
            entries.append(entry | {"left": number * side, "right": number * side})
    return entries


# ------------------------------------------------------------ the comparison


def fraction(text: Any) -> Fraction:
    """Return a number that the file states as text, in its one spelling."""
    if not isinstance(text, str) or not re.fullmatch(r"-?\d{1,999}(/\d{1,999})?", text, re.ASCII):
        raise Malformed(f"not a number: {shown(text)}")
    return Fraction(text)


def whole(number: Any) -> int:
    """Return a number that the file states as an integer."""
    if type(number) is not int:
        raise Malformed(f"not a whole number: {shown(number)}")
    return number


def pair_of(cards: Any) -> tuple[int, int]:
    """Return the points of two cards that the file states."""
    one, two = map(whole, cards)
    return one, two


def state_of(entry: Entry) -> State:
    """Return the insurance state that the file names."""
    return entry["side"], entry["stage"], whole(entry["player_points"]), whole(entry["banker_points"])


def said(error: Exception) -> str:
    """Return Python's words about a fault, on one line of ASCII."""
    line = " ".join(f"{type(error).__name__}: {error}".split())
    return line.encode("ascii", "backslashreplace").decode()[:300]


def shown(value: Any) -> str:
    """Return a value as a message shows it: on one line, and cut."""
    return json.dumps(f"{len(value)} entries" if isinstance(value, list | dict) else value)[:300]


def compare(found: Any, right: Any, where: str) -> int:
    """Return how many numbers are stated; the first place at which a value is not the right one is named."""
    numbers = 0
    if isinstance(right, dict):
        keys = found.keys() if isinstance(found, dict) else set()
        if odd := sorted(keys ^ right.keys()):
            fault = "missing" if odd[0] in right else "unknown"
            raise Malformed(f"{where or 'file'}: the key {odd[0][:99]!a} is {fault}")
        for key in sorted(right):
            numbers += compare(found[key], right[key], f"{where}.{key}")
    elif isinstance(right, list) and isinstance(found, list) and len(found) == len(right):
        for place, part in enumerate(right):
            numbers += compare(found[place], part, f"{where}[{place}]")
    else:
        text = str(right) if isinstance(right, Fraction) else right
        if found != text or type(found) is not type(text):
            raise Rejected(f"{where}: found {shown(found)}, should be {shown(text)}")
        numbers = int(isinstance(right, Fraction) or type(right) is int)
    return numbers


FAULTS = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)


class Framed(NamedTuple):
    """An analysis of a rule book: what it states, its numbers of decks, the readings that it follows."""

    found: Entry
    decks: list[int]
    followed: list[str]
    book: Entry

    @property
    def reference(self) -> int:
        """The shoe of the figures that are stated for one shoe alone."""
        return REFERENCE_DECKS if REFERENCE_DECKS in self.decks else self.decks[-1]


def framed(analysis_text: bytes, rule_book: bytes) -> Framed:
    """Return the analysis as it was read, if it is one of this rule book."""
    if len(analysis_text) > MOST_BYTES or len(rule_book) > MOST_BOOK_BYTES:
        raise Malformed(f"larger than {MOST_BYTES} bytes; or its rule book, than {MOST_BOOK_BYTES}")
    if analysis_text.count(b"{") + analysis_text.count(b"[") > MOST_PARTS:
        raise Malformed(f"more than {MOST_PARTS} objects and lists")
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
    try:
        book = book_of(rule_book)
        check_followed(book, followed)
    except FAULTS as error:
        raise Malformed(f"rule book: {said(error)}") from None
    return Framed(found, decks, followed, book)


KEYS = {
    *("schema", "game", "rule_book_sha256", "followed", "reference_decks", "shoes", "identities", "removal"),
    *("insurance_tables", "offered_states", "favourable_states", "not_offered", "third_cards", "ranges"),
    *("combination", "examples", "readings", "formulas", "operations", *NOT_CHECKED),
}
SHOE_KEYS = {"decks", "cards", "sample_space", "void", "bets", "joint", "insurance"}

Statement = tuple[str, str, Any, Any]
"""The part to which a value belongs, its place, the value as it was found, and the right one."""


def statements(stated: Framed, game: Game, readings: dict[str, Game]) -> Iterator[Statement]:
    """Yield every value of the file that is checked, with the right one."""
    found, shoes = stated.found, [(decks, Dealt(game, fresh(decks))) for decks in stated.decks]
    dealt = dict(shoes)[stated.reference]
    yield "bets", "game", found["game"], text_in(stated.book, "id")
    yield "bets", "reference_decks", found["reference_decks"], stated.reference
    for number, (decks, on_shoe) in enumerate(shoes):
        shoe, where = found["shoes"][number], f"shoes[{number}]"
        bets = [bet_entry(bet, on_shoe) for bet in game.bets]
        frame = {"cards": 52 * decks, "sample_space": Fraction(on_shoe.space), "void": ZERO, "decks": decks}
        compare(dict.fromkeys(shoe), dict.fromkeys(SHOE_KEYS), where)
        yield "bets", where, {key: shoe[key] for key in frame}, frame
        yield "bets", f"{where}.bets", shoe["bets"], bets
        yield "bets together", f"{where}.joint", shoe["joint"], joint_entries(on_shoe, bets)
        yield "insurance", f"{where}.insurance", shoe["insurance"], insurance_entries(on_shoe)
    yield "identities", "identities", found["identities"], identity_entries(shoes)
    for (part, key), right in on_reference(dealt, readings).items():
        yield part, key, found[key], right(found[key])


def on_reference(dealt: Dealt, readings: dict[str, Game]) -> dict[tuple[str, str], Callable[[Any], Any]]:
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
        ("insurance by exact cards", "ranges"): lambda found: [
            range_entry(dealt, state, entry) for state, entry in zip(game.offers, found, strict=True)
        ],
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


def canonical(value: Any) -> bytes:
    """Return the one spelling of a file."""
    return (json.dumps(value, sort_keys=True, indent=1) + "\n").encode()


def check(analysis_text: bytes, rule_book: bytes) -> dict[str, int]:
    """Return how many numbers hold in each part; ``Malformed`` or ``Rejected`` where one does not."""
    stated = framed(analysis_text, rule_book)
    try:
        game = game_read(stated.book, stated.followed)
        ways = {entry: other_way(stated.book, stated.followed, entry) for entry in insteads_of(stated.book)}
        readings = {entry: game_read(stated.book, followed) for entry, followed in ways.items()}
    except FAULTS as error:
        raise Malformed(f"rule book: {said(error)}") from None
    numbers = Counter[str]()
    try:
        compare(dict.fromkeys(stated.found), dict.fromkeys(KEYS), "")
        for part, where, found, right in statements(stated, game, readings):
            numbers[part] += compare(found, right, where)
        if canonical(stated.found) != analysis_text:
            raise Malformed(
                "not canonical: keys sorted, each once, one space a level, one newline at the end"
            )
    except FAULTS as error:
        raise Malformed(f"not an analysis: {said(error)}") from None
    return dict(numbers)


# ------------------------------------------------------------ one figure, derived by hand


def decimal(value: Fraction) -> str:
    """Return a value with twelve decimals, rounded half to even."""
    digits = f"{abs(round(value * 10**12)):013d}"
    return f"{'-' if value < 0 else ''}{digits[:-12]}.{digits[-12:]}"


def counted(value: Fraction) -> str:
    """Return a value as a fraction and as a decimal."""
    return f"{value} = {decimal(value)}"


def book_line(rule_book: str, header: str, table: int, entry: int | None = None) -> str:
    """Return where the rule book states a table, or the entry of a table that names odds."""
    number, odds = -1, -1
    for line, text in enumerate(rule_book.splitlines(), start=1):
        if text.startswith("["):
            number += text.strip() == f"[[{header}]]"
            inside = text.strip() == f"[[{header}]]" and number == table
            if inside and entry is None:
                return f"line {line} of the rule book"
        elif number == table and inside:
            odds += text.count("odds = ")
            if entry is not None and odds >= entry:
                return f"line {line} of the rule book"
    return "the rule book"


WAYS_ON = {
    (False, False): "nobody draws",
    (True, False): "Player alone draws",
    (False, True): "Banker alone draws",
    (True, True): "both hands draw",
}


def explained_bet(dealt: Dealt, bet: Bet, rule_book: str) -> Iterator[str]:
    """Yield the derivation of a bet's expected value."""
    rounds, lines = every_round(dealt.game.play), lines_on(bet, dealt.game.play)
    by_line = [Counter[str]() for _ in bet.lines]
    ways = ways_of_rounds(dealt.game.play, dealt.shoe)
    for facts, number, count in zip(rounds.facts, lines, ways, strict=True):
        by_line[number][WAYS_ON[facts.player_cards == 3, facts.banker_cards == 3]] += count
    place = dealt.game.bets.index(bet)
    yield f"{bet.name} ({bet.id}): {book_line(rule_book, 'bets', place)}, clause {bet.settled}"
    value = ZERO
    for number, line in enumerate(bet.lines):
        stated = (
            f"{line.odds}: {book_line(rule_book, 'bets', place, number)}, clause {line.clause or bet.settled}"
        )
        is_rest = number == len(bet.lines) - 1
        yield f"{line.name or 'wins'}, {'every other round' if is_rest else stated}; net {line.net}"
        for goes_on in WAYS_ON.values():
            yield f"  {goes_on:<20}{by_line[number][goes_on]:>24}"
        total = by_line[number].total()
        value += line.net * total / dealt.space
        yield f"  {'sum':<20}{total:>24}"
        yield f"  probability {total}/{dealt.space} = {counted(Fraction(total, dealt.space))}"
        yield f"  times net {line.net}: {counted(line.net * total / dealt.space)}"
    yield f"expected value, the sum of these products: {counted(value)}"
    yield f"house edge: {counted(-value)}"


def explained_state(dealt: Dealt, state: State, rule_book: str) -> Iterator[str]:
    """Yield the derivation of an insurance state's expected value."""
    game, offer, (hand, stage, player, banker) = dealt.game, dealt.game.offers[state], state
    table = list(game.tables).index((hand, stage))
    before = {one.number for at, one in game.offers.items() if list(game.tables).index(at[:2]) < table}
    where = book_line(rule_book, "insurance", table, offer.number - 1 - max(before, default=0))
    clause = offer.clause or game.tables[hand, stage]
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
    yield f"state arises {tally.ways}/{dealt.space} = {counted(Fraction(tally.ways, dealt.space))}"
    yield f"wins {tally.won}/{tally.ways} = {counted(Fraction(tally.won, tally.ways))}"
    yield f"loses {tally.lost}/{tally.ways} = {counted(Fraction(tally.lost, tally.ways))}"
    yield f"expected value {offer.net} x wins - loses: {counted(offer.gain(tally))}"
    yield f"house edge: {counted(-offer.gain(tally))}"


def explain(analysis_text: bytes, rule_book: bytes, subject: str) -> tuple[list[str], bool]:
    """Return how a figure is derived, in lines, and whether the file states the same expected value."""
    stated = framed(analysis_text, rule_book)
    game, text = game_read(stated.book, stated.followed), rule_book.decode()
    name, _, wanted = subject.partition(":decks=")
    decks = int(wanted) if re.fullmatch(r"\d{1,4}", wanted, re.ASCII) else stated.reference
    bets = {bet.id: bet for bet in game.bets}
    states = {
        f"{s[0]}:{s[1]}:{s[2 + (s[0] == 'banker')]}-{s[3 - (s[0] == 'banker')]}": s for s in game.offers
    }
    if decks not in stated.decks or (wanted and not wanted.isdigit()) or name not in {*bets, *states}:
        raise Malformed(
            f"--explain {shown(subject)}: write a bet's id, or HAND:STAGE:OWN-OTHER of an offered "
            f"insurance state, and :decks=N with one of {', '.join(map(str, stated.decks))}"
        )
    dealt, shoe = Dealt(game, fresh(decks)), stated.found["shoes"][stated.decks.index(decks)]
    cards = " x ".join(str(52 * decks - drawn) for drawn in range(6))
    lines = [
        f"{text_in(stated.book, 'id')}, {decks} deck{'s'[: decks > 1]}; six cards are always dealt: {cards} = {dealt.space} ways"
    ]
    if name in bets:
        lines += explained_bet(dealt, bets[name], text)
        value, entry = dealt.mean(bets[name]), shoe["bets"][game.bets.index(bets[name])]
    else:
        lines += explained_state(dealt, states[name], text)
        value = game.offers[states[name]].gain(dealt.state_tally(states[name]))
        entry = shoe["insurance"][list(game.offers).index(states[name])]
    is_same = entry["expected_value"] == str(value)
    lines.append(f"the file states {shown(entry['expected_value'])}: {'the same' if is_same else 'wrong'}")
    return lines, is_same


# ------------------------------------------------------------ the program


def content_of(path: Path, most: int) -> bytes:
    """Return the content of a file, up to one byte more than is read; a pipe or a device is not waited for."""
    if path.exists() and not path.is_file():
        raise Malformed(f"{path}: not a plain file")
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
        named = re.search(rb'"game": "([a-z0-9-]{1,200})"', text)
        if not named:
            raise Malformed("not an analysis: no game is named")
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
