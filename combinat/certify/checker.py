"""The checker: the statements of an analysis.json, each checked against the rule book alone.

    python3 -I checker.py analysis.json [--rule-book FILE] [--explain BET | HAND:STAGE:OWN-OTHER]

It uses the standard library and nothing of the program that wrote the file. It counts in its own way: six cards are
always dealt, needed or not, so that all ordered sequences of six cards weigh the same. Table of Play, pay tables,
insurance tables and other readings come from the rule book, which must have the SHA-256 that the file names.

Each stated count is counted again, each stated example is settled again, and each figure must follow from the counts
by the one table of formulas. Which examples and comparisons are stated, the program that wrote the file has chosen.
The checker prints how many numbers it checked in each part, and what it does not check: that is reproduced by
``combinat verify``, which also checks documents and certificate. ``--explain`` derives one figure as by hand.

Read it in this order: 1 the rule book, 2 a round, 3 six cards, 4 a game on a shoe, 5 the formulas, 6 bets,
7 insurance, 8 examples, 9 other readings and shoes, 10 the comparison, 11 one figure by hand, 12 the program.
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

SCHEMA = "combinat/analysis/4"
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
POINTS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0)
HANDS = ("player", "banker")
FOUR, THIRD = "four-cards", "player-third-card"
NATURALS = frozenset({8, 9})
REFERENCE_DECKS = 8
ZERO, LOST = Fraction(0), Fraction(-1)

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


# ------------------------------------------------------------ 1 the rule book: bounds

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
    "layouts": 50,
    "banker_draws": 10,
    "interpretations": 30,
    "insurance": 4,
    "offers": 100,
    "limits": 20,
    "insurance_limits": 20,
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
    is_short = len(text) <= (MOST_ID if key == "id" else MOST_TEXT)
    need(is_short, f"rule book: {key} is a text of {len(text)} characters")
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


# ------------------------------------------------------------ 1 the rule book: odds, numbers, facts

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


DIGITS = ("winning_points", "losing_points", "player_points", "banker_points")
SUMS = ("total_points", "margin", "cards", "player_cards", "banker_cards", "winning_cards", "losing_cards")
NATURAL = ("natural", "player_natural", "banker_natural")
PAIRED = ("player_pair", "banker_pair", "player_point_pair", "banker_point_pair")

READERS: dict[str, Callable[[Any], frozenset[Any]]] = {
    "winner": some_of("player", "banker", "tie"),
    **dict.fromkeys(DIGITS, numbers_of),
    **dict.fromkeys(("player_third", "banker_third"), partial(numbers_of, none=True)),
    **dict.fromkeys(SUMS, partial(numbers_of, digits=2)),
    **dict.fromkeys((*NATURAL, *PAIRED), some_of(True, False)),
    **dict.fromkeys(("pairs", "point_pairs"), some_of("none", "single", "double", "twin")),
    **dict.fromkeys(("player_pair_of", "banker_pair_of"), some_of(*RANKS)),
}
"""How the values of each fact are read that a line of a pay table may name."""

# ------------------------------------------------------------ 1 the rule book: pay tables

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


REST = {"lose": CheckedLine("loses", "", LOST, "", ()), "push": CheckedLine("returned", "push", ZERO, "", ())}
"""The last line of every pay table, by what the bet says of all other rounds: it fits every round."""


def line_of(pay: Entry) -> CheckedLine:
    """Return a line of a pay table as the rule book states it."""
    own = {"name", "odds", "clause", "commission", "except"}
    facts = case_of({fact: written for fact, written in pay.items() if fact not in own})
    exceptions = tuple(case_of(case) for case in list_in(pay, "except"))
    odds = text_in(pay, "odds")
    if "commission" in pay and not odds.endswith(f" less {text_in(pay, 'commission')}"):
        odds = f"{odds} less {text_in(pay, 'commission')}"
    name, clause = text_in(pay, "name", ""), text_in(pay, "clause", "")
    return CheckedLine(name, odds, net_of(odds), clause, facts, exceptions)


class CheckedBet(NamedTuple):
    """A bet: the first line that fits a round settles it."""

    id: str
    name: str
    settled: str
    hand: str
    lines: tuple[CheckedLine, ...]

    @property
    def nets(self) -> list[Fraction]:
        """The win of a unit staked on each line."""
        return [line.net for line in self.lines]

    def line(self, facts: Entry) -> int:
        """Return the number of the line on which a round with these facts is; the last line fits every round."""
        return next(number for number, line in enumerate(self.lines) if line.holds(facts))


def bet_of(entry: Entry) -> CheckedBet:
    """Return a bet as the rule book states it."""
    rest = REST[one_of({"otherwise": "lose"} | entry, "otherwise", tuple(REST))]
    name, settled, hand = text_in(entry, "name"), text_in(entry, "settled"), text_in(entry, "hand", "")
    lines = (*map(line_of, list_in(entry, "pays")), rest)
    return CheckedBet(text_in(entry, "id"), name, settled, hand, lines)


def facts_named(book: Entry) -> tuple[str, ...]:
    """Return the facts that a bet looks at, under the reading taken or another one."""
    books = [book, *(one["instead"] for one in list_in(book, "interpretations"))]
    pays = [pay for one in books for bet in list_in(one, "bets") for pay in list_in(bet, "pays")]
    named = {fact for pay in pays for case in (pay, *list_in(pay, "except")) for fact in case}
    return tuple(fact for fact in READERS if fact == "winner" or fact in named)


# ------------------------------------------------------------ 1 the rule book: the Table of Play


class Play(NamedTuple):
    """The Table of Play: two-card totals, and for the Banker Hand by its total the Player's third cards."""

    natural: frozenset[int]
    player_draws: frozenset[int]
    banker_draws: tuple[frozenset[int], ...]
    banker_draws_when_player_stood: frozenset[int]
    banker_draws_against_natural: frozenset[int]


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


def play_of(book: Entry) -> Play:
    """Return the Table of Play of a rule book. A total that no row names stands, if no higher one draws."""
    table = {"banker_draws_against_natural": "none"} | book.get("table_of_play", TABLE)
    stated = [table[key] for key in Play._fields if key != "banker_draws"]
    natural, player_draws, stood, against = (numbers_of(one, none=True) - {None} for one in stated)
    rows = dict[int, frozenset[int]]()
    for row in list_in(table, "banker_draws"):
        for total in numbers_of(row["points"]):
            need(total not in rows, f"rule book: table_of_play.banker_draws names {total} twice")
            rows[total] = numbers_of(row["third"], none=True) - {None}
    drawn = player_draws | stood | against | rows.keys()
    need(not natural & drawn, "rule book: table_of_play lets a natural draw")
    goes_on = [total for total in range(10) if total not in natural]
    highest = max(rows, default=min(goes_on, default=-1))
    missing = [total for total in goes_on if total <= highest and total not in rows]
    need(not missing, f"rule book: table_of_play.banker_draws does not name {min(missing, default=0)}")
    return Play(natural, player_draws, tuple(rows.get(n, frozenset()) for n in range(10)), stood, against)


# ------------------------------------------------------------ 1 the rule book: insurance

State = tuple[str, str, int, int]
"""When insurance is offered: for which hand, at which stage, with which totals of Player and Banker."""


class OfferedBet(NamedTuple):
    """An insurance bet on a hand: its line, by ``number`` through all tables; ``odds`` are empty where nothing is offered."""

    hand: str
    odds: str
    net: Fraction
    ties: frozenset[int]
    number: int = 0
    clause: str = ""

    def sign(self, course: "RoundByPoints") -> int:
        """1 where it wins, because its hand loses; 0 where it is returned; -1 where it loses."""
        if course.player_total == course.banker_total:
            return int(course.player_total in self.ties)
        return 1 if (course.player_total < course.banker_total) == (self.hand == "player") else -1

    def gain(self, tally: "InsuranceWays") -> Fraction:
        """Return the average win of a unit staked."""
        return (self.net * tally.won - tally.lost) / tally.ways


def offers_of(tables: Sequence[Entry]) -> Iterator[tuple[State, OfferedBet]]:
    """Yield every insurance state of a rule book with its offer, in the order of its lines."""
    number = 0
    for table in tables:
        hand, stage = one_of(table, "side", HANDS), one_of(table, "stage", (FOUR, THIRD))
        for line in list_in(table, "offers"):
            number += 1
            ties = numbers_of(line["tie_pays"]) if "tie_pays" in line else frozenset[int]()
            odds = text_in(line, "odds")
            offer = OfferedBet(hand, odds, net_of(odds), ties, number, text_in(line, "clause", ""))
            need(offer.net > 0, "rule book: insurance that pays nothing")
            players, bankers = numbers_of(line["player_points"]), numbers_of(line["banker_points"])
            for player, banker in product(sorted(players), sorted(bankers)):
                yield (hand, stage, player, banker), offer


# ------------------------------------------------------------ 1 the rule book: other readings

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


def reread(book: Entry, changes: Changes) -> Entry:
    """Return the rule book with these changes in it, as far as counts depend on them: another rule book."""
    bets, tables, terms = [], [], book.get("insurance_terms", {"open": "never"})
    for bet in list_in(book, "bets"):
        pays = changes.get(("bets", text_in(bet, "id")), list_in(bet, "pays"))
        bets.append(bet | {"pays": pays})
    for table in list_in(book, "insurance"):
        offers = changes.get(("insurance", table["side"], table["stage"]), list_in(table, "offers"))
        tables.append(table | {"offers": offers})
    other: Entry = {str(place[0]): value for place, value in changes.items() if len(place) == 1}
    opens = other.get("insurance_open", terms.get("open", "")) if "insurance_terms" in book else "never"
    practice = {"tied_bets": "returned"} | book.get("practice", {})
    against = {key: other[key] for key in other if key == "banker_draws_against_natural"}
    return book | {
        "bets": bets,
        "insurance": tables,
        "insurance_terms": terms | {"open": opens},
        "practice": practice | {key: other[key] for key in practice if key in other},
        "table_of_play": book.get("table_of_play", TABLE) | against,
    }


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
        return CheckedGame(reread(self.book, together))

    def other_way(self, followed: Sequence[str], entry: str) -> "CheckedGame":
        """Return the game with one entry read the other way: no longer followed, or instead of those it contradicts."""
        if entry in followed:
            return self.game(one for one in followed if one != entry)
        return self.game([*(one for one in followed if not self.contradict(one, entry)), entry])


# ------------------------------------------------------------ 2 a round


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
    player_total, banker_total = (player + (third or 0)) % 10, (banker + (last or 0)) % 10
    return RoundByPoints(player, banker, third, last, player_total, banker_total)


Totals = tuple[int, int]
"""The two-card totals of Player Hand and Banker Hand."""

CELLS: list[tuple[int, int]] = [(fifth, sixth) for fifth in range(10) for sixth in range(10)]
"""The fifth card with the sixth, by points: the place of a pair in this list is ten times the fifth plus the sixth."""


@lru_cache(maxsize=16)
def courses_of(play: Play) -> dict[Totals, list[RoundByPoints]]:
    """Return, by two-card totals, how a round goes on with every fifth and sixth card."""
    return {totals: [course_of(play, *totals, *cell) for cell in CELLS] for totals in CELLS}


PAIRS = (*PAIRED, "pairs", "point_pairs", "player_pair_of", "banker_pair_of")
"""The facts of the first four cards; all others are facts of points and numbers of cards."""


def pairs_of(player: Sequence[int], banker: Sequence[int]) -> tuple[Any, ...]:
    """Return the facts of ``PAIRS`` of two hands, each the places of its first two cards in ``RANKS``."""
    ranks = [RANKS[one] if one == two else None for one, two in (player, banker)]
    points = [POINTS[one] if POINTS[one] == POINTS[two] else None for one, two in (player, banker)]
    has_pair = [of is not None for of in (*ranks, *points)]
    words = [("none", "single", "double")[sum(has)] for has in (has_pair[:2], has_pair[2:])]
    is_twin = [both[0] is not None and both[0] == both[1] for both in (ranks, points)]
    words = ["twin" if twin else word for twin, word in zip(is_twin, words, strict=True)]
    return (*has_pair, *words, *ranks)


def facts_of(course: RoundByPoints, pairs: tuple[Any, ...]) -> Entry:
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
        **dict(zip(PAIRS, pairs, strict=True)),
    }


# ------------------------------------------------------------ 3 six cards, always

Shoe = tuple[int, ...]
"""The number of cards of each rank."""

Ways = list[int]
"""The ways of a deal for each fifth and sixth card, in the order of ``CELLS``; or of other things, in their order."""


def fresh(decks: int) -> Shoe:
    """Return a shoe of this many decks."""
    return (4 * decks,) * 13


class OpeningHands(NamedTuple):
    """The first two cards of both hands by points, lowest first; their totals and pairs; how often they come.

    ``orders``: in how many orders the cards of each hand can come; ``ranks``: how many of each rank are dealt.
    """

    hands: tuple[tuple[int, ...], tuple[int, ...]]
    totals: Totals
    pairs: tuple[Any, ...]
    orders: int
    ranks: list[tuple[int, int]]


@cache
def every_four() -> list[OpeningHands]:
    """Return every first four cards by rank."""
    fours = []
    for player, banker in product(combinations_with_replacement(range(13), 2), repeat=2):
        one, two = [tuple(sorted(POINTS[rank] for rank in hand)) for hand in (player, banker)]
        orders = (1 + (player[0] != player[1])) * (1 + (banker[0] != banker[1]))
        ranks = list(Counter((*player, *banker)).items())
        totals = sum(one) % 10, sum(two) % 10
        fours.append(OpeningHands((one, two), totals, pairs_of(player, banker), orders, ranks))
    return fours


def deal(shoe: Shoe, group: Callable[[OpeningHands], Any]) -> dict[Any, Ways]:
    """Return the ways to deal six cards from a shoe, grouped by a function of the first four."""
    copies = [[perm(cards, drawn) for drawn in range(5)] for cards in shoe]
    by_points = [sum(n for n, of in zip(shoe, POINTS, strict=True) if of == points) for points in range(10)]
    first_fours = Counter[Any]()
    for four in every_four():
        ways = four.orders
        for rank, drawn in four.ranks:
            ways *= copies[rank][drawn]
        first_fours[group(four), four.hands] += ways

    @cache
    def last_two(gone: tuple[int, ...]) -> Ways:
        left = [cards - gone.count(points) for points, cards in enumerate(by_points)]
        return [left[fifth] * (left[sixth] - (fifth == sixth)) for fifth, sixth in CELLS]

    dealt = dict[Any, Ways]()
    for (key, (player, banker)), ways in (+first_fours).items():
        counts = dealt.setdefault(key, [0] * 100)
        cells = last_two(tuple(sorted((*player, *banker))))
        counts[:] = [before + ways * cards for before, cards in zip(counts, cells, strict=True)]
    return dealt


FirstGroup = tuple[Totals, tuple[Any, ...]]
"""First four cards by their totals and pairs."""


@lru_cache(maxsize=32)
def by_pairs(shoe: Shoe) -> dict[FirstGroup, Ways]:
    """Return the ways to deal six cards from a shoe, by two-card totals and pairs."""
    return deal(shoe, lambda four: (four.totals, four.pairs))


@lru_cache(maxsize=32)
def by_totals(shoe: Shoe) -> dict[Totals, Ways]:
    """Return the ways to deal six cards from a shoe, by two-card totals."""
    groups = dict[Totals, Ways]()
    for (totals, _), ways in by_pairs(shoe).items():
        groups[totals] = [sum(both) for both in zip(groups.get(totals, [0] * 100), ways, strict=True)]
    return groups


@lru_cache(maxsize=16)
def every_round(play: Play, looks_at: tuple[str, ...]) -> tuple[list[Entry], dict[FirstGroup, list[int]]]:
    """Return the rounds that differ in one of these facts; and which of them each two last cards lead to.

    The second is a list, in the order of ``CELLS``, of places in the first, by the totals and pairs of the first four cards.
    """
    known, places = dict[tuple[Any, ...], int](), dict[FirstGroup, list[int]]()
    for totals, pairs in dict.fromkeys((four.totals, four.pairs) for four in every_four()):
        numbers = dict[RoundByPoints, int]()
        for course in dict.fromkeys(courses_of(play)[totals]):
            facts = facts_of(course, pairs)
            numbers[course] = known.setdefault(tuple([facts[name] for name in looks_at]), len(known))
        places[totals, pairs] = [numbers[course] for course in courses_of(play)[totals]]
    return [dict(zip(looks_at, facts, strict=True)) for facts in known], places


@lru_cache(maxsize=32)
def ways_of_rounds(play: Play, looks_at: tuple[str, ...], shoe: Shoe) -> Ways:
    """Return the ways of every round of ``every_round``."""
    rounds, places = every_round(play, looks_at)
    ways = [0] * len(rounds)
    for key, counts in by_pairs(shoe).items():
        for place, count in zip(places[key], counts, strict=True):
            ways[place] += count
    return ways


@lru_cache(maxsize=256)
def lines_on(bet: CheckedBet, play: Play, looks_at: tuple[str, ...]) -> list[int]:
    """Return the line of a bet on which each round of ``every_round`` is."""
    return [bet.line(facts) for facts in every_round(play, looks_at)[0]]


# ------------------------------------------------------------ 4 a game on a shoe


class CheckedGame:
    """A game as a rule book states it."""

    def __init__(self, book: Entry) -> None:
        self.play = play_of(book)
        self.courses = courses_of(self.play)
        self.bets = [bet_of(entry) for entry in list_in(book, "bets")]
        self.looks_at = facts_named(book)
        speaks = any("natural" in fact for fact in self.looks_at)
        is_known = not speaks or self.play.natural == NATURALS
        need(is_known, "rule book: a bet names naturals other than 8 and 9")
        when = one_of(book["insurance_terms"], "open", ("card-to-come", "whenever-listed", "never"))
        self.has_insurance, self.whenever_listed = when != "never", when == "whenever-listed"
        tables = list_in(book, "insurance") if self.has_insurance else []
        self.tables = {(one["side"], one["stage"]): text_in(one, "settled", "") for one in tables}
        self.offers = dict(offers_of(tables))
        for state in self.offers:
            need(self.approaches(state), f"rule book: insurance is offered where it is never open: {state}")
        self.tie_clause = text_in(book.get("clauses", {}), "tie", "")
        self.ties_stay = one_of(book["practice"], "tied_bets", ("returned", "stay")) == "stay"

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
        before_and_third = [cell for cell in CELLS if sum(cell) % 10 == player]
        return [((n, banker), third) for n, third in before_and_third if self.is_open((n, banker), third)]


class InsuranceWays(NamedTuple):
    """The ways in which an insurance bet is open, won, and lost."""

    ways: int
    won: int
    lost: int


class Dealt:
    """A game on a shoe: the ways of every line of every bet, and of every ending of every insurance state."""

    def __init__(self, game: CheckedGame, shoe: Shoe) -> None:
        self.game, self.shoe, self.space = game, shoe, perm(sum(shoe), 6)
        self.state_tally = cache(lambda state: self.tally(state, game.offers[state]))

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
        dealt = by_totals(self.shoe)
        tallies = [
            tally_of(self.game.play, offer, totals, card, dealt[totals])
            for totals, card in self.game.approaches(state)
            if totals in dealt and third in (None, card)
        ]
        return InsuranceWays(*map(sum, zip((0, 0, 0), *tallies, strict=True)))


@lru_cache(maxsize=10_000)
def signs_of(play: Play, offer: OfferedBet, totals: Totals) -> list[int]:
    """Return how an insurance bet ends with every fifth and sixth card."""
    return [offer.sign(course) for course in courses_of(play)[totals]]


def tally_of(play: Play, offer: OfferedBet, totals: Totals, third: int | None, ways: Ways) -> InsuranceWays:
    """Return an insurance bet over the fifth and sixth cards that may follow two-card totals, or a third card."""
    cells = slice(None) if third is None else slice(10 * third, 10 * third + 10)
    by_sign = [0, 0, 0]
    for sign, count in zip(signs_of(play, offer, totals)[cells], ways[cells], strict=True):
        by_sign[sign] += count  # a place of -1 is the last one
    return InsuranceWays(sum(by_sign), by_sign[1], by_sign[2])


# ------------------------------------------------------------ 5 the formulas

Formula = Callable[[Entry], Any]


def ratio(top: Fraction, bottom: Fraction) -> Fraction | None:
    """Return a quotient, or None where the divisor is 0."""
    return top / bottom if bottom else None


def average(entry: Entry, of: Callable[[Fraction], Any]) -> Fraction:
    """Return the mean of a function of the net result, over all outcomes."""
    return sum((of(line["net"]) * line["probability"] for line in entry["outcomes"]), ZERO)


def if_offered(formula: Formula) -> Formula:
    """Return a formula of an insurance state that has no value where nothing is offered."""
    return lambda e: None if e["odds"] is None else formula(e)


FORMULAS: dict[str, dict[str, Formula]] = {
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
        ),
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
        "expected_value": if_offered(lambda e: e["net"] * e["wins"] - e["loses"]),
        "house_edge": if_offered(lambda e: -e["expected_value"]),
        "variance": if_offered(lambda e: e["net"] ** 2 * e["wins"] + e["loses"] - e["expected_value"] ** 2),
        "fair_odds": lambda e: ratio(e["lost"], e["won"]),
        "favours_player": lambda e: e["odds"] is not None and e["expected_value"] > 0,
        "favours_house": lambda e: e["odds"] is not None and e["expected_value"] < 0,
    },
    "exact cards": {"favourable": lambda e: e["favourable_ways"] / e["ways"]},
    "difference": {
        "change": lambda e: None if None in (e["from"], e["to"]) else e["to"] - e["from"],
    },
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


def bet_entry(bet: CheckedBet, dealt: Dealt) -> Entry:
    """Return a bet: its outcomes and its figures."""
    outcomes = []
    for line, ways in zip(bet.lines, dealt.ways(bet), strict=True):
        outcome = {"name": line.name or "wins", "odds": line.odds, "net": line.net, "ways": Fraction(ways)}
        outcomes.append(with_figures("line of a bet", outcome | {"is_void": False}, space=dealt.space))
    return with_figures("bet", {"id": bet.id, "name": bet.name, "outcomes": outcomes})


def joint_entries(dealt: Dealt, bets: Sequence[Entry]) -> list[Entry]:
    """Return the covariance and the correlation of every two bets."""
    entries, nets = [], [bet.nets for bet in dealt.game.bets]
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


def operations_entry(bet: Entry, found: Entry) -> Entry:
    """Return what the house wins on a bet after a stated number of rounds of a unit each."""
    nets = [line["net"] for line in bet["outcomes"] if line["ways"]]
    given = {"value": bet["expected_value"], "variance": bet["variance"], "nets": nets}
    return with_figures("operations", {"bet": bet["id"], "rounds": whole(found["rounds"])}, **given)


# ------------------------------------------------------------ 7 insurance


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


def range_entries(dealt: Dealt, found: Sequence[Entry]) -> list[Entry]:
    """Return the insurance states by the exact cards seen, each with the stated best and worst of them."""
    by_cards = deal(dealt.shoe, lambda four: (four.totals, four.hands)) if found else {}
    states = zip(dealt.game.offers, found, strict=True)
    return [range_entry(dealt, by_cards, state, entry) for state, entry in states]


def range_entry(dealt: Dealt, by_cards: dict[Any, Ways], state: State, found: Entry) -> Entry:
    """Return an insurance state by the exact cards seen, with the stated best and worst of them."""
    game, offer = dealt.game, dealt.game.offers[state]
    seen = {
        (hands, third): tally_of(game.play, offer, totals, third, ways)
        for totals, third in game.approaches(state)
        for (of, hands), ways in by_cards.items()
        if of == totals
    }
    seen = {cards: tally for cards, tally in seen.items() if tally.ways}
    gains = {cards: offer.gain(tally) for cards, tally in seen.items()}
    favourable = sum(tally.ways for cards, tally in seen.items() if gains[cards] > 0)
    entry: Entry = {"state": state_name(state), "ways": Fraction(sum(tally.ways for tally in seen.values()))}
    entry |= {"favourable_ways": Fraction(favourable)}
    for name, extreme in (("worst", min(gains.values())), ("best", max(gains.values()))):
        cards = found[name]["seen"]
        hands = tuple(map(whole, cards["player"])), tuple(map(whole, cards["banker"]))
        third = None if cards["third"] is None else whole(cards["third"])
        hold(gains[hands, third] == extreme, f"ranges: {state}: not the {name} cards")
        analysis = state_entry(state, offer, seen[hands, third], dealt.space)
        cards = {"player": list(hands[0]), "banker": list(hands[1]), "third": third}
        entry[name] = {"seen": cards, "analysis": analysis, "expected_value": extreme}
    return with_figures("exact cards", entry)


# ------------------------------------------------------------ 8 examples


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
    facts = facts_of(course, pairs_of(ranks[0:4:2], ranks[1:4:2]))
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
        state, is_reached = (hand, stage, player, course.banker), stage == FOUR or third is not None
        if state in game.offers and is_reached and game.is_open((course.player, course.banker), third):
            offer = game.offers[state]
            sign = offer.sign(course)
            clause = (offer.clause or settled) if is_tie and sign else game.tie_clause if is_tie else settled
            entry = {"line": offer.number, "state": state_name(state), "result": result_of(sign)}
            paid = {"odds": (offer.odds, "push", "")[1 - sign], "net": (offer.net, ZERO, LOST)[1 - sign]}
            yield entry | paid | {"is_tie": is_tie, "clause": clause}


# ------------------------------------------------------------ 9 other readings, other shoes, every shoe

VALUE, UNTIL_DECIDED = "expected-value", "expected-value-until-decided"
STAKE = "largest-insurance-stake"
NO_COUNTS = ("layouts", "insurance-states-open", STAKE, f"{STAKE}-both-stages", f"{STAKE}-both-hands")
"""Figures of limits and layouts that another reading may change: reproduced by ``combinat verify``."""


def value_of(dealt: Dealt, subject: Entry, measure: str) -> Fraction | None:
    """Return an expected value of a bet or an insurance state; None: nothing is offered, or nothing is decided."""
    game = dealt.game
    if subject["bet"] is None:
        state = state_of(subject["state"])
        return game.offers[state].gain(dealt.state_tally(state)) if state in game.offers else None
    (bet,) = [bet for bet in game.bets if bet.id == subject["bet"]]
    decided = dealt.space
    if measure == UNTIL_DECIDED and game.ties_stay and bet.id in map(game.bet_on, HANDS):
        # a tie that returns a bet on a hand leaves it on the layout for the next round
        rounds, lines = every_round(game.play, game.looks_at)[0], lines_on(bet, game.play, game.looks_at)
        for facts, line, ways in zip(rounds, lines, dealt.ways_of_rounds, strict=True):
            decided -= ways if facts["winner"] == "tie" and not bet.lines[line].net else 0
    return ratio(dealt.mean(bet) * dealt.space, Fraction(decided))


def subject_entry(bet: str | None = None, state: State | None = None) -> Entry:
    """Return what a figure is about: a bet or a state."""
    return {"bet": bet, "state": state_name(state) if state else None, "odds": None, "procedure": None}


def difference_entry(dealt: Dealt, other: Dealt, found: Entry) -> Entry:
    """Return a stated figure under the reading taken and under the other one. Limits and layouts are no counts."""
    named, measure = found["subject"], found["measure"]
    if measure in NO_COUNTS:
        values = [None if found[key] is None else fraction(found[key]) for key in ("read", "otherwise")]
        return with_figures("difference", dict(found), **{"from": values[0], "to": values[1]})
    subject = subject_entry(named["bet"], state_of(named["state"]) if named["bet"] is None else None)
    hold(measure in (VALUE, UNTIL_DECIDED), f"readings: {shown(measure)} is no figure that a reading changes")
    read, otherwise = (value_of(one, subject, measure) for one in (dealt, other))
    entry = {"subject": subject, "measure": measure, "read": read, "otherwise": otherwise}
    return with_figures("difference", entry, **{"from": read, "to": otherwise})


def reading_entry(dealt: Dealt, other: Dealt, entry: str, found: Entry) -> Entry:
    """Return what another reading of a clause changes: all that is stated, and no changed value left out."""
    differences = [difference_entry(dealt, other, one) for one in found["differences"]]
    stated = [one["subject"] for one in differences if one["measure"] == VALUE]
    states = dealt.game.offers if other.game.has_insurance else ()
    subjects = [
        *(subject_entry(bet=bet.id) for bet in dealt.game.bets),
        *(subject_entry(state=one) for one in states),
    ]
    for one in subjects:
        is_stated = one in stated or value_of(dealt, one, VALUE) == value_of(other, one, VALUE)
        hold(
            is_stated,
            f"readings: {shown(entry)} changes [{one['bet'] or one['state']!r}], which is not stated",
        )
    return {"entry": entry, "differences": differences}


def reading_entries(stated: "Stated", dealt: Dealt, found: Sequence[Entry]) -> list[Entry]:
    """Return what every entry of the register changes, when it is read the other way."""
    register, entries = stated.register, []
    for one, entry in zip(found, register.changes, strict=True):
        other = Dealt(register.other_way(stated.followed, entry), dealt.shoe)
        entries.append(reading_entry(dealt, other, entry, one))
    return entries


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
        entries.append(entry | {"changes": [{"removed": [rank], "change": moves[rank]} for rank in RANKS]})
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


# ------------------------------------------------------------ 10 the comparison

MOST_BYTES = 64_000_000
MOST_PARTS = 1_000_000  # objects and lists; the largest real analysis has some 13,000
MOST_SHOES, MOST_DECKS = 8, 1000
NOT_CHECKED = ("protection", "insurance_protection", "insured", "identities")
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
    """An analysis of a rule book: what it states, its shoes, the readings that it follows, and the game."""

    found: Entry
    decks: list[int]
    reference: int
    followed: list[str]
    register: Register
    game: CheckedGame


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
        reference = REFERENCE_DECKS if REFERENCE_DECKS in decks else decks[-1]
        return Stated(found, decks, reference, followed, register, register.game(followed))
    except FAULTS as error:
        raise Malformed(f"rule book: {fault_of(error)}") from None


Statement = tuple[str, str, Any, Any]
"""The part to which a value belongs, its place, the value as it was found, and the right one."""

ON_REFERENCE = {
    **dict.fromkeys(("not_offered", "third_cards"), "insurance"),
    "ranges": "insurance by exact cards",
    "combination": "bets together",
    "formulas": "closed forms",
    **{key: key for key in ("examples", "readings", "removal", "operations")},
}
"""The keys of what is stated for the reference shoe alone, each with its part."""


def statements(stated: Stated) -> Iterator[Statement]:
    """Yield every value of the file that is checked, with the right one."""
    found, game = stated.found, stated.game
    frame = ("schema", "game", "rule_book_sha256", "followed", "reference_decks", "shoes")
    compare(dict.fromkeys(found), dict.fromkeys([*frame, *NOT_CHECKED, *ON_REFERENCE]), "")
    yield "bets", "game", found["game"], text_in(stated.register.book, "id")
    yield "bets", "reference_decks", found["reference_decks"], stated.reference
    for number, decks in enumerate(stated.decks):
        shoe, where, dealt = found["shoes"][number], f"shoes[{number}]", Dealt(game, fresh(decks))
        bets = [bet_entry(bet, dealt) for bet in game.bets]
        head = {"decks": decks, "cards": 52 * decks, "sample_space": Fraction(dealt.space), "void": ZERO}
        compare(dict.fromkeys(shoe), dict.fromkeys([*head, "bets", "joint", "insurance"]), where)
        yield "bets", where, {key: shoe[key] for key in head}, head
        yield "bets", f"{where}.bets", shoe["bets"], bets
        yield "bets together", f"{where}.joint", shoe["joint"], joint_entries(dealt, bets)
        yield "insurance", f"{where}.insurance", shoe["insurance"], insurance_entries(dealt)
    dealt = Dealt(game, fresh(stated.reference))
    for key, part in ON_REFERENCE.items():
        yield part, key, found[key], on_reference(stated, dealt, key)


def on_reference(stated: Stated, dealt: Dealt, key: str) -> Any:
    """Return what must be stated for the reference shoe under a key, given the choices that are stated there."""
    found = stated.found[key]
    match key:
        case "not_offered":
            return not_offered_entries(dealt)
        case "third_cards":
            return third_card_entries(dealt)
        case "ranges":
            return range_entries(dealt, found)
        case "combination":
            return combination_entry(dealt, found)
        case "examples":
            return [example_entry(dealt.game, number, entry) for number, entry in enumerate(found, start=1)]
        case "readings":
            return reading_entries(stated, dealt, found)
        case "removal":
            return removal_entries(dealt)
        case "formulas":
            return formula_entries(dealt.game, found)
        case "operations":
            bets = {bet.id: bet_entry(bet, dealt) for bet in dealt.game.bets}
            return [operations_entry(bets[entry["bet"]], entry) for entry in found]


def check(analysis_text: bytes, rule_book: bytes) -> dict[str, int]:
    """Return how many numbers hold in each part; raise ``Malformed`` or ``Rejected`` where one does not."""
    stated, numbers = stated_in(analysis_text, rule_book), Counter[str]()
    try:
        for part, where, found, right in statements(stated):
            numbers[part] += compare(found, right, where)
        canonical = (json.dumps(stated.found, sort_keys=True, indent=1) + "\n").encode()
    except FAULTS as error:
        raise Malformed(f"not an analysis: {fault_of(error)}") from None
    is_canonical = canonical == analysis_text
    need(is_canonical, "not canonical: keys sorted, each once, one space a level, one newline at the end")
    return dict(numbers)


# ------------------------------------------------------------ 11 one figure, derived by hand


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


def explained_bet(dealt: Dealt, bet: CheckedBet, rule_book: str) -> Iterator[str]:
    """Yield the derivation of a bet's expected value."""
    words = {
        (2, 2): "nobody draws",
        (3, 2): "Player alone draws",
        (2, 3): "Banker alone draws",
        (3, 3): "both hands draw",
    }
    by_line = [Counter[tuple[int, int]]() for _ in bet.lines]
    looks_at = (*READERS,)
    ways = ways_of_rounds(dealt.game.play, looks_at, dealt.shoe)
    for facts, count in zip(every_round(dealt.game.play, looks_at)[0], ways, strict=True):
        by_line[bet.line(facts)][facts["player_cards"], facts["banker_cards"]] += count
    yield f"{bet.name} ({bet.id}), clause {bet.settled}"
    earlier = sum(len(other.lines) - 1 for other in dealt.game.bets[: dealt.game.bets.index(bet)])
    for number, (line, counts) in enumerate(zip(bet.lines, by_line, strict=True)):
        where, total = book_line(rule_book, "bets", earlier + number), counts.total()
        stated = f"{line.odds}: {where}, clause {line.clause or bet.settled}"
        is_rest = number == len(bet.lines) - 1
        yield f"{line.name or 'wins'}, {'every other round' if is_rest else stated}; net {line.net}"
        yield from (f"  {word:<20}{counts[cards]:>24}" for cards, word in words.items())
        yield f"  {'sum':<20}{total:>24}"
        yield f"  probability {total}/{dealt.space} = {exact(Fraction(total, dealt.space))}"
        yield f"  times net {line.net}: {exact(line.net * total / dealt.space)}"
    yield f"expected value, the sum of these products: {exact(dealt.mean(bet))}"
    yield f"house edge: {exact(-dealt.mean(bet))}"


def explained_state(dealt: Dealt, state: State, rule_book: str) -> Iterator[str]:
    """Yield the derivation of an insurance state's expected value."""
    game, offer, (hand, stage, player, banker) = dealt.game, dealt.game.offers[state], state
    where = f"{book_line(rule_book, 'insurance', offer.number - 1)}, clause {offer.clause or game.tables[hand, stage]}"
    yield f"insurance of the {hand} hand, {stage}, Player {player}, Banker {banker}: {where}"
    ties = ", ".join(map(str, sorted(offer.ties)))
    on_tie = f"paid at {ties}, else returned" if ties else "returned"
    yield f"{offer.odds}, net {offer.net}: won where the {hand} hand loses; a tie is {on_tie}"
    yield "  Player's two cards and third card, or the next card: ways, won, lost"
    tally = dealt.state_tally(state)
    for totals, third in game.approaches(state):
        for card in range(10) if third is None else [third]:
            row = tally_of(game.play, offer, totals, card, by_totals(dealt.shoe)[totals])
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
    game, text = stated.game, rule_book.decode()
    name, _, wanted = subject.partition(":decks=")
    decks = {str(number): number for number in stated.decks}.get(wanted or str(stated.reference), 0)
    bets = {bet.id: bet for bet in game.bets}
    states = {
        f"{hand}:{stage}:{player}-{banker}"
        if hand == "player"
        else f"{hand}:{stage}:{banker}-{player}": state
        for state in game.offers
        for hand, stage, player, banker in [state]
    }
    known = f"write a bet's id, or HAND:STAGE:OWN-OTHER of an offered insurance state, and :decks=N with one of {stated.decks}"
    need(decks and name in {*bets, *states}, f"--explain {shown(subject)}: {known}")
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


# ------------------------------------------------------------ 12 the program


def content_of(path: Path, most: int) -> bytes:
    """Return the content of a file, up to one byte more than is read; a pipe or a device is not waited for."""
    need(not path.exists() or path.is_file(), f"{path}: not a plain file")
    with path.open("rb") as file:
        return file.read(most + 1)


def verdict(game: str, followed: Sequence[str], numbers: dict[str, int]) -> str:
    """Return what was checked, part by part, and what was not."""
    under = f", under the other reading of {', '.join(followed)}" if followed else ""
    parts = ", ".join(f"{part} {number:,}" for part, number in numbers.items())
    return (
        f"{game}: all {sum(numbers.values()):,} numbers that are checked here hold{under}: {parts}. Not checked here: "
        "game protection and insurance by habit, identities, limits and layouts under other readings, "
        "which combinat verify reproduces; documents and certificate, which it checks"
    )


def main(argv: list[str]) -> int:
    """Check a file. Exit codes: 0, every value holds; 1, one is wrong; 2, it could not be checked."""
    parser = argparse.ArgumentParser(description="Check the statements of an analysis.json.")
    parser.add_argument("analysis", type=Path)
    parser.add_argument(
        "--rule-book", type=Path, help="the game's TOML file, if it is not beside the analysis"
    )
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
