"""Check the statements of an analysis.json against the rule book of its game.

    python3 -I checker.py analysis.json [--rule-book FILE] [--explain BET | HAND:STAGE:OWN-OTHER]

The checker uses Python's standard library alone and shares no code with the program that wrote the file. All rules
come from the rule book, a TOML file whose SHA-256 the analysis names. The checker always deals six cards, needed or
not. Then all ordered sequences of six cards have the same weight, and a probability is a number of sequences
("ways") divided by the number of all sequences.

    1  a round, by the Table of Play            6  statements on one shoe
    2  six cards, always                        7  statements on other readings and other shoes
    3  the rule book                            8  the comparison
    4  a game on a shoe                         9  one figure, derived by hand
    5  the formulas                            10  bounds for files from strangers, and the program

Sections 1 to 5 compute the right values. Sections 6 and 7 arrange them as the file does, and section 8 compares.
Every stated count is recounted, every stated example is settled, and every other figure follows from the counts by
the table of formulas. The author of the file chose the examples and comparisons; the checker takes over the choice
and checks every value. It prints how many numbers it checked in each part, and what it leaves to ``combinat verify``.

Exit codes: 0, every value is right; 1, a value is wrong or missing; 2, the file could not be checked.
"""

import sys

if __name__ == "__main__" and not sys.flags.safe_path:
    del sys.path[0]  # import no file that lies beside the checker

import argparse
import hashlib
import json
import re
import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from functools import cache, cached_property, lru_cache
from itertools import accumulate, combinations, combinations_with_replacement, product
from math import lcm, perm, prod
from pathlib import Path
from typing import Any, NamedTuple

SCHEMA = "combinat/analysis/5"
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
POINTS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0)  # of each rank
HANDS = ("player", "banker")
FOUR, THIRD = "four-cards", "player-third-card"  # the stages at which insurance can be open
NATURALS = frozenset({8, 9})
ZERO = Fraction(0)

Entry = dict[str, Any]  # an object of the file, or a table of the rule book


class Malformed(Exception):  # noqa: N818  # the name is the verdict
    """The file could not be checked."""


class Rejected(Exception):  # noqa: N818  # the name is the verdict
    """The file was checked, and a value in it is wrong or missing."""


def require(condition: object, message: str) -> None:
    """Raise ``Malformed`` if a condition for checking the file is not met."""
    if not condition:
        raise Malformed(message)


def confirm(condition: object, message: str) -> None:
    """Raise ``Rejected`` if a statement of the file does not hold."""
    if not condition:
        raise Rejected(message)


# ------------------------------------------------------------ 1 a round, by the Table of Play


class Play(NamedTuple):
    """The Table of Play of a game, by two-card totals."""

    natural: frozenset[int]
    player_draws: frozenset[int]
    banker_draws_when_player_stood: frozenset[int]
    banker_draws_against_natural: frozenset[int]  # empty, except under another reading
    banker_draws: tuple[frozenset[int], ...]  # for each total, the Player's third cards at which it draws


class RoundByPoints(NamedTuple):
    """A round by points: the two-card totals, the third cards if any, and the final totals."""

    player: int
    banker: int
    player_third: int | None
    banker_third: int | None
    player_total: int
    banker_total: int

    @property
    def cards(self) -> tuple[int, int]:
        """The numbers of cards of Player Hand and Banker Hand."""
        return 2 + (self.player_third is not None), 2 + (self.banker_third is not None)


def round_of(play: Play, player: int, banker: int, fifth: int, sixth: int) -> RoundByPoints:
    """Return the round that follows from the two-card totals and the next two cards, by their points."""
    player_third = banker_third = None
    if banker in play.natural:  # nobody draws
        pass
    elif player in play.natural:  # nobody draws, except the Banker Hand under another reading
        if banker in play.banker_draws_against_natural:
            banker_third = fifth
    elif player in play.player_draws:  # the Player Hand draws, then the Banker Hand by its row of the table
        player_third = fifth
        if player_third in play.banker_draws[banker]:
            banker_third = sixth
    elif banker in play.banker_draws_when_player_stood:
        banker_third = fifth
    player_total, banker_total = (player + (player_third or 0)) % 10, (banker + (banker_third or 0)) % 10
    return RoundByPoints(player, banker, player_third, banker_third, player_total, banker_total)


Totals = tuple[int, int]  # two-card totals of Player Hand and Banker Hand
# every two digits: the points of the fifth and the sixth card; the place of two is ten times the fifth plus the sixth
LAST_TWO = [(fifth, sixth) for fifth in range(10) for sixth in range(10)]


@lru_cache(maxsize=16)
def rounds_after(play: Play) -> dict[Totals, list[RoundByPoints]]:
    """Return the rounds that follow from each two-card totals, one for each of ``LAST_TWO``."""
    return {totals: [round_of(play, *totals, *last) for last in LAST_TWO] for totals in LAST_TWO}


@cache
def facts_of(course: RoundByPoints) -> Entry:
    """Return the facts of a round that pay tables can name and that follow from its points."""
    points = {"player": course.player_total, "banker": course.banker_total}
    cards = dict(zip(HANDS, course.cards, strict=True))
    natural = {hand: cards[hand] == 2 and points[hand] in NATURALS for hand in HANDS}
    winner = loser = "tie"
    if points["player"] != points["banker"]:
        winner, loser = HANDS if points["player"] > points["banker"] else HANDS[::-1]
    facts: Entry = {"winner": winner}
    facts |= {"player_third": course.player_third, "banker_third": course.banker_third}
    for who, hand in (("player", "player"), ("banker", "banker"), ("winning", winner), ("losing", loser)):
        facts |= {f"{who}_points": points.get(hand), f"{who}_cards": cards.get(hand)}
    facts |= {"total_points": sum(points.values()), "margin": abs(points["player"] - points["banker"])}
    facts |= {"player_natural": natural["player"], "banker_natural": natural["banker"]}
    return facts | {"cards": sum(cards.values()), "natural": any(natural.values())}


PAIRED = ("player_pair", "banker_pair", "player_point_pair", "banker_point_pair")
FIRST_FACTS = (*PAIRED, "pairs", "point_pairs", "player_pair_of", "banker_pair_of", "points_of_hands")


def first_facts(player: Sequence[int], banker: Sequence[int]) -> Entry:
    """Return the facts of the first two cards of both hands, given by their places in ``RANKS``."""
    ranks = [RANKS[one] if one == two else None for one, two in (player, banker)]
    points = [POINTS[one] if POINTS[one] == POINTS[two] else None for one, two in (player, banker)]
    has_pair = [of is not None for of in (*ranks, *points)]
    words = [("none", "single", "double")[sum(has)] for has in (has_pair[:2], has_pair[2:])]
    is_twin = [both[0] is not None and both[0] == both[1] for both in (ranks, points)]
    words = ["twin" if twin else word for twin, word in zip(is_twin, words, strict=True)]
    hands = tuple(tuple(sorted(POINTS[rank] for rank in hand)) for hand in (player, banker))
    return dict(zip(FIRST_FACTS, (*has_pair, *words, *ranks, hands), strict=True))


# ------------------------------------------------------------ 2 six cards, always

Shoe = tuple[int, ...]  # the number of cards of each rank
Ways = list[int]  # numbers of ways: of each line of a bet, or of each of LAST_TWO
Group = tuple[Totals, tuple[Any, ...]]  # first four cards with these totals and these values of some facts


def fresh(decks: int) -> Shoe:
    """Return a shoe of this many decks."""
    return (4 * decks,) * 13


@cache
def first_fours(names: tuple[str, ...]) -> list[tuple[Group, Shoe, tuple[int, ...], int]]:
    """Return all first four cards: their group by these facts, ranks, sorted points, and number of orders."""
    fours: list[tuple[Group, Shoe, tuple[int, ...], int]] = []
    for player, banker in product(combinations_with_replacement(range(13), 2), repeat=2):
        facts = first_facts(player, banker)
        one, two = facts["points_of_hands"]
        group = (sum(one) % 10, sum(two) % 10), tuple([facts[name] for name in names])
        orders = (1 + (player[0] != player[1])) * (1 + (banker[0] != banker[1]))
        fours.append((group, (*player, *banker), tuple(sorted((*one, *two))), orders))
    return fours


@lru_cache(maxsize=64)
def deal(shoe: Shoe, names: tuple[str, ...]) -> dict[Group, Ways]:
    """Return the ways to deal six cards: for each group of first four cards, those of each of ``LAST_TWO``."""
    first_four_ways = Counter[tuple[Group, tuple[int, ...]]]()
    for group, ranks, points, ways in first_fours(names):
        left = [*shoe]
        for rank in ranks:
            ways *= left[rank]
            left[rank] -= 1
        first_four_ways[group, points] += ways
    by_points = [sum(n for n, of in zip(shoe, POINTS, strict=True) if of == points) for points in range(10)]

    @cache
    def last_two_ways(gone: tuple[int, ...]) -> Ways:
        left = [cards - gone.count(points) for points, cards in enumerate(by_points)]
        return [left[fifth] * (left[sixth] - (fifth == sixth)) for fifth, sixth in LAST_TWO]

    dealt = dict[Group, Ways]()
    for (group, points), ways in first_four_ways.items():
        before = dealt.get(group, [0] * len(LAST_TWO))
        dealt[group] = [n + ways * more for n, more in zip(before, last_two_ways(points), strict=True)]
    return dealt


@lru_cache(maxsize=64)
def rounds_by_facts(play: Play, names: tuple[str, ...], shoe: Shoe) -> Counter[tuple[Any, ...]]:
    """Return the ways of all rounds, by the values of these facts."""
    rounds, first = Counter[tuple[Any, ...]](), tuple(name for name in names if name in FIRST_FACTS)
    for (totals, values), counts in deal(shoe, first).items():
        own, by_course = dict(zip(first, values, strict=True)), Counter[RoundByPoints]()
        for course, ways in zip(rounds_after(play)[totals], counts, strict=True):
            by_course[course] += ways
        for course, ways in by_course.items():
            facts = facts_of(course) | own
            rounds[tuple([facts[name] for name in names])] += ways
    return rounds


# ------------------------------------------------------------ 3 the rule book

State = tuple[str, str, int, int]  # of insurance: the insured hand, the stage, both hands' points
Case = tuple[tuple[str, frozenset[Any]], ...]  # facts, each with the values that are accepted for it
NUMBER = r"(\d{1,9}(?:\.\d{1,9})?)"


def net_of(odds: str) -> Fraction:
    """Return the profit per unit staked: ``"3 to 2"`` is 3/2, ``"1 to 1 less 5%"`` is 19/20, ``"push"`` is 0."""
    if odds in ("push", "lose"):
        return Fraction(0 if odds == "push" else -1)
    match: Any = re.fullmatch(f"{NUMBER} to {NUMBER}(?: less {NUMBER}%)?", odds, re.ASCII)
    profit, stake, percentage = [Fraction(part or 0) for part in match.groups()] if match else [ZERO] * 3
    is_less = match and (match[3] is None or 0 < percentage < 100)
    require(profit and stake and is_less, f"rule book: {odds[:99]!a}: not odds")
    return profit / stake * (1 - percentage / 100)


def numbers_of(written: Any, *, digits: int = 1, none: bool = False) -> frozenset[Any]:
    """Return numbers written as ``6`` or ``"0-5,7-9"``; with ``none``, the word ``"none"`` stands for None."""
    numbers = set[int | None]()
    for part in str(written).split(","):
        match: Any = re.fullmatch(rf"(\d{{1,{digits}}})(?:-(\d{{1,{digits}}}))?", part, re.ASCII)
        is_known = match or (none and part == "none")
        require(is_known, f"rule book: {str(written)[:99]!a}: not numbers of up to {digits} digits")
        numbers |= set(range(int(match[1]), int(match[2] or match[1]) + 1)) if match else {None}
    return frozenset(numbers)


DIGITS = ("winning_points", "losing_points", "player_points", "banker_points", "player_third", "banker_third")
SUMS = ("total_points", "margin", "cards", "player_cards", "banker_cards", "winning_cards", "losing_cards")
NATURAL = ("natural", "player_natural", "banker_natural")
WORDS: dict[str, tuple[Any, ...]] = {  # the values of the facts that are not numbers
    "winner": (*HANDS, "tie"),
    **dict.fromkeys((*NATURAL, *PAIRED), (True, False)),
    **dict.fromkeys(("pairs", "point_pairs"), ("none", "single", "double", "twin")),
    **dict.fromkeys(("player_pair_of", "banker_pair_of"), RANKS),
}
FACTS = (*WORDS, *DIGITS, *SUMS)  # of a round, all that a line of a pay table can name


def values_of(fact: str, written: Any) -> frozenset[Any]:
    """Return the values of a fact that a line accepts: numbers; or words, one or a list of them."""
    require(fact in FACTS, f"rule book: {fact[:99]!a}: unknown fact")
    if fact not in WORDS:
        return numbers_of(written, digits=2 if fact in SUMS else 1, none=fact.endswith("third"))
    named = written if isinstance(written, list) else [written]
    is_known = named and all(any(one is word or one == word for word in WORDS[fact]) for one in named)
    words = " or ".join(map(str, WORDS[fact]))
    require(is_known, f"rule book: found {str(written)[:99]!a}, expected {words}")
    return frozenset(named)


def case_of(written: Entry) -> Case:
    """Return the facts that a line or an exception names, each with the values that it accepts."""
    own = ("name", "odds", "clause", "commission", "except")
    return tuple((fact, values_of(fact, values)) for fact, values in written.items() if fact not in own)


class CheckedLine(NamedTuple):
    """A line of a wager. It pays its odds in a round of the first of ``cases``, unless the round is also of another."""

    name: str
    odds: str
    net: Fraction
    clause: str = ""
    cases: tuple[Case, ...] = ((),)

    def covers(self, facts: Entry) -> bool:
        """Whether the line covers a round with these facts."""
        own, *exceptions = [all(facts[fact] in values for fact, values in case) for case in self.cases]
        return own and not any(exceptions)


RETURNED, LOST = CheckedLine("returned", "push", ZERO), CheckedLine("loses", "", Fraction(-1))


def line_of(pay: Entry) -> CheckedLine:
    """Return a line of a pay table of the rule book."""
    odds = text_in(pay, "odds")
    if "commission" in pay and not odds.endswith(f" less {text_in(pay, 'commission')}"):
        odds = f"{odds} less {text_in(pay, 'commission')}"
    name, clause = text_in(pay, "name", "") or "wins", text_in(pay, "clause", "")
    cases = tuple(case_of(case) for case in (pay, *list_in(pay, "except")))
    return CheckedLine(name, odds, net_of(odds), clause, cases)


class CheckedBet(NamedTuple):
    """A bet, or an insurance bet at a state. The first line that covers a round settles it."""

    name: str
    clause: str
    lines: tuple[CheckedLine, ...]  # the last one covers every round; of insurance: won, returned, lost
    number: int  # the place of its first odds among all odds of the tables
    hand: str = ""  # the hand that the bet or the insurance is on
    ties: frozenset[int] = frozenset()  # of insurance: the points at which a tie wins
    settled: str = ""  # of insurance: the clause on settlement

    def line(self, facts: Entry) -> int:
        """Return the number of the line that settles a round with these facts."""
        return next(number for number, line in enumerate(self.lines) if line.covers(facts))

    def mean(self, ways: Ways) -> Fraction:
        """Return the expected value of a unit staked, from the ways of each line."""
        unit = lcm(*(line.net.denominator for line in self.lines))
        wins = [int(line.net * unit) * count for line, count in zip(self.lines, ways, strict=True)]
        return Fraction(sum(wins), unit * sum(ways))


def bets_of(entries: Iterable[Entry]) -> Iterator[tuple[str, CheckedBet]]:
    """Yield every bet of a rule book with its id."""
    number = 1
    for entry in entries:
        rest = LOST if text_in(entry, "otherwise", "lose", ("lose", "push")) == "lose" else RETURNED
        bet, name, clause = [text_in(entry, key) for key in ("id", "name", "settled")]
        lines = (*map(line_of, list_in(entry, "pays")), rest)
        yield bet, CheckedBet(name, clause, lines, number, text_in(entry, "hand", ""))
        number += len(lines) - 1


# the common Table of Play, for a rule book without one
ROWS = (("0-2", "0-9"), (3, "0-7,9"), (4, "2-7"), (5, "4-7"), (6, "6-7"))
TABLE: Entry = {"natural": "8-9", "player_draws": "0-5", "banker_draws_when_player_stood": "0-5"}
TABLE["banker_draws"] = [{"points": points, "third": third} for points, third in ROWS]


def play_of(book: Entry) -> Play:
    """Return the Table of Play of a rule book. A total without a row stands, if no higher one draws."""
    table = {"banker_draws_against_natural": "none"} | book.get("table_of_play", TABLE)
    totals = [numbers_of(table[key], none=True) - {None} for key in Play._fields[:4]]
    rows = dict[int, frozenset[int]]()
    for row in list_in(table, "banker_draws"):
        for points in numbers_of(row["points"]):
            require(points not in rows, f"rule book: table_of_play.banker_draws: {points} twice")
            rows[points] = numbers_of(row["third"], none=True) - {None}
    natural, drawn = totals[0], {*rows}.union(*totals[1:])
    require(not natural & drawn, "rule book: table_of_play: a natural draws")
    missing = sorted({*range(max(rows, default=10))} - natural - {*rows})
    require(not missing, f"rule book: table_of_play.banker_draws: no row for {missing[:1]}")
    return Play._make([*totals, tuple(rows.get(points, frozenset()) for points in range(10))])


def offers_of(tables: Sequence[Entry]) -> Iterator[tuple[State, CheckedBet]]:
    """Yield every insurance state of a rule book with its offer, in the order of the tables."""
    number = 0
    for table in tables:
        hand, stage = text_in(table, "side", None, HANDS), text_in(table, "stage", None, (FOUR, THIRD))
        settled = text_in(table, "settled", "")
        for line in list_in(table, "offers"):
            number += 1
            odds, clause = text_in(line, "odds"), text_in(line, "clause", "") or settled
            lines = (CheckedLine("wins", odds, net_of(odds)), RETURNED, LOST)
            require(lines[0].net > 0, "rule book: insurance without a profit")
            ties = numbers_of(line["tie_pays"]) if "tie_pays" in line else frozenset[int]()
            offer = CheckedBet("insurance", clause, lines, number, hand, ties, settled)
            players, bankers = numbers_of(line["player_points"]), numbers_of(line["banker_points"])
            for player, banker in product(sorted(players), sorted(bankers)):
                yield (hand, stage, player, banker), offer


ELSEWHERE = {  # keys of another reading that change counts: the table and the key that each replaces
    "insurance_open": ("insurance_terms", "open"),
    "tied_bets": ("practice", "tied_bets"),
    "banker_draws_against_natural": ("table_of_play", "banker_draws_against_natural"),
}


def reread(book: Entry, readings: Iterable[Entry]) -> Entry:
    """Return the rule book under other readings of its clauses, as far as counts depend on them."""
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


def places_of(instead: Entry) -> set[tuple[Any, ...]]:
    """Return the places of the rule book that another reading changes and that counts depend on."""
    places: set[tuple[Any, ...]] = {(key,) for key in ELSEWHERE if key in instead}
    places |= {("bets", text_in(one, "id")) for one in list_in(instead, "bets")}
    return places | {(text_in(one, "side"), text_in(one, "stage")) for one in list_in(instead, "insurance")}


# ------------------------------------------------------------ 4 a game on a shoe

Insurance = tuple[Play, str, tuple[tuple[State, CheckedBet], ...]]  # when it is open, and all offers
# by state, Player's third card if dealt, and line: the places in LAST_TWO
Settled = dict[tuple[State, int | None, int], list[int]]
Split = dict[tuple[Any, ...], Ways]  # of an insurance bet, by facts of the first four cards and the third


class CheckedGame:
    """A game of a rule book, under the other reading of the entries ``followed``."""

    def __init__(self, book: Entry, followed: Sequence[str] = ()) -> None:
        self.book, self.followed = book, followed
        self.readings = {text_in(one, "id"): one["instead"] for one in list_in(book, "interpretations")}
        self.places = {entry: places_of(instead) for entry, instead in self.readings.items()}
        for number, one in enumerate(followed):
            is_new = one in self.readings and one not in followed[:number]
            require(is_new, f"followed: {quoted(one)}: not in the register of the rule book, or named twice")
            against = [other for other in followed[:number] if self.places[one] & self.places[other]]
            require(not against, f"followed: {quoted(one)} contradicts {quoted(', '.join(against))}")
        read = reread(book, [self.readings[one] for one in followed])
        self.play, self.bets = play_of(read), dict(bets_of(list_in(read, "bets")))
        lines = [line for bet in self.bets.values() for line in bet.lines]
        named = {fact for line in lines for case in line.cases for fact, _ in case}
        self.facts = tuple(fact for fact in FACTS if fact == "winner" or fact in named)
        is_known = self.play.natural == NATURALS or not named & {*NATURAL}
        require(is_known, "rule book: a bet names naturals other than 8 and 9")
        terms, moments = read.get("insurance_terms", {}), ("card-to-come", "whenever-listed", "never")
        self.opens = text_in(terms, "open", None if terms else "never", moments)
        self.offers = dict(offers_of(list_in(read, "insurance"))) if self.opens != "never" else {}
        self.wagers: dict[Any, CheckedBet] = {**self.bets, **self.offers}  # by id and by state
        self.insurance = self.play, self.opens, tuple(self.offers.items())
        self.insured = insured_rounds(self.insurance)
        self.states = {state for settled in self.insured.values() for state, _, _ in settled}
        for state in self.offers:
            require(state in self.states, f"rule book: insurance is offered where it is never open: {state}")
        self.tie_clause = text_in(book.get("clauses", {}), "tie", "")
        self.ties_stay = text_in(read["practice"], "tied_bets", "returned", ("returned", "stay")) == "stay"

    def otherwise(self, entry: str) -> "CheckedGame":
        """Return the game with an entry of the register read the other way than in this game."""
        kept = [one for one in self.followed if not self.places[one] & self.places[entry]]
        with python_errors(Malformed, "rule book"):
            return CheckedGame(self.book, kept if entry in self.followed else [*kept, entry])

    def bet_on(self, hand: str) -> str | None:
        """Return the id of the bet on a hand: the bet that names the hand, else the bet named like the hand."""
        named = [bet for bet, entry in self.bets.items() if entry.hand == hand]
        own = [hand] if hand in self.bets and not self.bets[hand].hand else []
        return next(iter([*named, *own]), None)


@lru_cache(maxsize=32)
def insured_rounds(insurance: Insurance) -> dict[Totals, Settled]:
    """Return the insurance that is open after each two-card totals, and the line that settles each bet."""
    (play, opens, offered), insured = insurance, dict[Totals, Settled]()
    offers, whenever = dict(offered), opens == "whenever-listed"
    for totals, courses in rounds_after(play).items():
        settled: Settled = defaultdict(list)
        for last, course in enumerate(courses if opens != "never" else ()):
            moments = list[tuple[str, int, int | None]]()
            if whenever or sum(course.cards) > 4:
                moments.append((FOUR, course.player, None))
            if course.player_third is not None and (whenever or course.banker_third is not None):
                moments.append((THIRD, course.player_total, course.player_third))
            margin = course.player_total - course.banker_total
            for (stage, player, third), hand in product(moments, HANDS):
                state = hand, stage, player, course.banker
                if margin == 0:
                    line = 0 if state in offers and course.player_total in offers[state].ties else 1
                else:
                    line = 0 if (margin < 0) == (hand == "player") else 2  # it wins if the insured hand loses
                settled[state, third, line].append(last)
        insured[totals] = settled
    return insured


@lru_cache(maxsize=64)
def insurance_ways(insurance: Insurance, shoe: Shoe, *names: str) -> dict[State, Split]:
    """Return the ways of every insurance bet, by facts of these names; with names, of the offered states only."""
    splits, insured, offers = defaultdict[State, Split](dict), insured_rounds(insurance), dict(insurance[2])
    for (totals, facts), counts in deal(shoe, names).items():
        for (state, third, line), lasts in insured[totals].items():
            if (state in offers or not names) and (ways := sum([counts[last] for last in lasts])):
                splits[state].setdefault((*facts, third), [0, 0, 0])[line] += ways
    return splits


@lru_cache(maxsize=32)
def lines_by(bets: tuple[CheckedBet, ...], names: tuple[str, ...]) -> Callable[[tuple[Any, ...]], Any]:
    """Return a function from the values of these facts to the line of each bet; it keeps its results."""
    return cache(lambda values: tuple([bet.line(dict(zip(names, values, strict=True))) for bet in bets]))


class Dealt:
    """A game on a shoe: the ways of every line of every wager."""

    def __init__(self, game: CheckedGame, shoe: Shoe) -> None:
        self.game, self.shoe, self.space = game, shoe, perm(sum(shoe), 6)

    def rounds(self, *more: str) -> Iterator[tuple[Entry, int]]:
        """Yield the ways of all rounds, by the facts that the pay tables name and by these."""
        names = (*self.game.facts, *more)
        for values, ways in rounds_by_facts(self.game.play, names, self.shoe).items():
            yield dict(zip(names, values, strict=True)), ways

    @cached_property
    def settled(self) -> Counter[tuple[int, ...]]:
        """The ways of all bets together, by the line of each bet."""
        together, lines = Counter[tuple[int, ...]](), lines_by((*self.game.bets.values(),), self.game.facts)
        for values, ways in rounds_by_facts(self.game.play, self.game.facts, self.shoe).items():
            together[lines(values)] += ways
        return +together

    def ways(self, wager: Any) -> Ways:
        """Return the ways of each line of a bet or an insurance state."""
        if wager not in self.game.bets:
            by_third = insurance_ways(self.game.insurance, self.shoe)[wager]
            return [sum(counts) for counts in zip(*by_third.values(), strict=True)]
        place, ways = [*self.game.bets].index(wager), [0] * len(self.game.bets[wager].lines)
        for lines, count in self.settled.items():
            ways[lines[place]] += count
        return ways

    def value(self, wager: Any) -> Fraction:
        """Return the expected value of a unit on a wager; of insurance, given that the state arises."""
        return self.game.wagers[wager].mean(self.ways(wager))


# ------------------------------------------------------------ 5 the formulas


def ratio(top: Fraction, bottom: Fraction) -> Fraction | None:
    """Return a quotient, or None if the divisor is 0."""
    return top / bottom if bottom else None


def signed_square(root: Fraction, square: Any) -> Fraction | None:
    """Return the square of a root over a square, with the sign of the root; None if the divisor is 0."""
    return ratio(root * abs(root), square)


def average(entry: Entry, of: Callable[[Fraction], Any]) -> Fraction:
    """Return the mean of a function of the net result over all outcomes."""
    return sum((of(line["net"]) * line["probability"] for line in entry["outcomes"]), ZERO)


FORMULAS: dict[str, dict[str, Callable[[Entry], Any]]] = {  # each uses the counts, and the figures above it
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
        "void": lambda e: ZERO,  # a fresh shoe never runs out
        "returned": lambda e: e["push"] + e["void"],
        "total_probability": lambda e: average(e, lambda net: 1),
        "edge_per_resolved_bet": lambda e: ratio(e["house_edge"], 1 - e["push"]),
        "variance": lambda e: average(e, lambda net: (net - e["expected_value"]) ** 2),
        "third_central_moment": lambda e: average(e, lambda net: (net - e["expected_value"]) ** 3),
        # of the skewness: the third moment over the variance to the power 3/2
        "skewness_signed_square": lambda e: signed_square(e["third_central_moment"], e["variance"] ** 3),
        # the rounds from which the skewness of a sum is at most 1/5: 25 times the square, rounded up
        "normal_from": lambda e: (
            max(1, -(-25 * abs(e["skewness_signed_square"]) // 1)) if e["variance"] else None
        ),
        "largest_payout": lambda e: max([net for net in e["nets"] if net > 0], default=None),
        "fair_odds": lambda e: ratio(average(e, lambda net: net < 0), e["hit_frequency"]),
    },
    # of the correlation: the covariance over the root of both variances
    "two bets": {"signed_square": lambda e: signed_square(e["covariance"], prod(e["variances"]))},
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
    "difference": {
        "change": lambda e: None if None in (e["read"], e["otherwise"]) else e["otherwise"] - e["read"],
    },
    "closed form": {"limit": lambda e: Fraction(e["numerator"][6], e["denominator"][6])},
    "operations": {
        "expected_win": lambda e: e["house_edge"] * e["rounds"],
        "sigma_squared": lambda e: e["variance"] * e["rounds"],
        "most_win": lambda e: -min(e["nets"]) * e["rounds"],
        "most_loss": lambda e: max(e["nets"]) * e["rounds"],
    },
}


def with_figures(kind: str, entry: Entry, **given: Any) -> Entry:
    """Return an entry with the figures of its kind; ``given``: other values that their formulas use."""
    known = entry | given
    for name, formula in FORMULAS[kind].items():
        known[name] = formula(known)
    return {name: value for name, value in known.items() if name not in given}


# ------------------------------------------------------------ 6 statements on one shoe


def bet_entry(dealt: Dealt, bet: str) -> Entry:
    """Return a bet: its outcomes and its figures."""
    wager, outcomes = dealt.game.bets[bet], []
    for line, ways in zip(wager.lines, dealt.ways(bet), strict=True):
        outcome = {"name": line.name, "odds": line.odds, "net": line.net, "ways": Fraction(ways)}
        outcomes.append(with_figures("line of a bet", outcome | {"is_void": False}, space=dealt.space))
    nets = [line["net"] for line in outcomes if line["ways"]]
    return with_figures("bet", {"id": bet, "name": wager.name, "outcomes": outcomes}, nets=nets)


def joint_entries(dealt: Dealt, bets: Sequence[Entry]) -> list[Entry]:
    """Return the covariance and the correlation of every two bets."""
    entries, nets = [], [[line.net for line in bet.lines] for bet in dealt.game.bets.values()]
    for (one, first), (two, second) in combinations(enumerate(bets), 2):
        ways_of = Counter[tuple[int, int]]()
        for lines, ways in dealt.settled.items():
            ways_of[lines[one], lines[two]] += ways
        products = sum((nets[one][a] * nets[two][b] * ways for (a, b), ways in ways_of.items()), ZERO)
        covariance = products / dealt.space - first["expected_value"] * second["expected_value"]
        entry = {"first": first["id"], "second": second["id"], "covariance": covariance}
        entry |= {"variances": [first["variance"], second["variance"]]}
        entries.append(with_figures("two bets", entry))
    return entries


def combination_entry(dealt: Dealt, found: Entry) -> Entry:
    """Return the stated stakes on several bets in one round."""
    bets, together = [*dealt.game.bets], Counter[Fraction]()
    stakes = {bets.index(stake["bet"]): fraction(stake["amount"]) for stake in found["stakes"]}
    for lines, ways in dealt.settled.items():
        nets = [dealt.game.bets[bets[bet]].lines[lines[bet]].net * amount for bet, amount in stakes.items()]
        together[sum(nets, ZERO)] += ways
    entry = {"stakes": [{"bet": bets[bet], "amount": amount} for bet, amount in stakes.items()]}
    in_order = {net: Fraction(together[net]) for net in sorted(together, reverse=True)}
    outcomes = [{"net": net, "ways": n, "probability": n / dealt.space} for net, n in in_order.items()]
    return with_figures("bets together", entry | {"outcomes": outcomes, "staked": sum(stakes.values(), ZERO)})


def operations_entries(dealt: Dealt, found: Sequence[Entry]) -> list[Entry]:
    """Return the House's win on a bet after each stated number of rounds of a unit."""
    entries = []
    for one in found:
        entry, bet = {"bet": one["bet"], "rounds": int(one["rounds"])}, bet_entry(dealt, one["bet"])
        nets = [line["net"] for line in bet["outcomes"] if line["ways"]]
        entries.append(with_figures("operations", entry, nets=nets, **bet))
    return entries


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
    """Return every offered state after the Player's third card, once for each value of that card."""
    entries, by_third = [], insurance_ways(dealt.game.insurance, dealt.shoe)
    for state in dealt.game.offers:
        for (third,), ways in sorted(by_third[state].items()) if state[1] == THIRD else ():
            entries.append({"player_third": third, "analysis": state_entry(dealt, state, ways)})
    return entries


def not_offered_entries(dealt: Dealt, found: Any) -> list[Entry]:
    """Return the states in which the game offers nothing, as if ties were returned."""
    others = dealt.game.states - dealt.game.offers.keys()
    in_order = sorted(others, key=lambda state: (state[1], state[2:], HANDS.index(state[0])))
    return [state_entry(dealt, state, dealt.ways(state)) for state in in_order]


def range_entries(dealt: Dealt, found: Any) -> list[Entry]:
    """Return how often the exact cards make each offered state favourable, and the stated best and worst cards."""
    entries, by_cards = [], insurance_ways(dealt.game.insurance, dealt.shoe, "points_of_hands")
    for (state, offer), stated in paired(dealt.game.offers.items(), found, "ranges"):
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
            confirm(gains.get(cards) == extreme, f"ranges: {state}: not the {name} cards")
            right = {"player": list(player), "banker": list(banker), "third": third}
            analysis = state_entry(dealt, state, split[cards])
            entry[name] = {"seen": right, "analysis": analysis, "expected_value": extreme}
        entries.append(with_figures("exact cards", entry))
    return entries


def example_entries(dealt: Dealt, found: Sequence[Entry]) -> list[Entry]:
    """Return the stated rounds, each with the result of a unit on every bet and on the insurance that was open."""
    game, entries = dealt.game, []
    for number, stated in enumerate(found, start=1):
        ranks = [RANKS.index(card) for card in stated["dealt"]]
        cards, points = [RANKS[rank] for rank in ranks], [*(POINTS[rank] for rank in ranks), 0, 0]
        totals = (points[0] + points[2]) % 10, (points[1] + points[3]) % 10
        last = 10 * points[4] + points[5]
        course = rounds_after(game.play)[totals][last]
        fault = f"examples[{number - 1}]: {len(cards)} cards, should be {sum(course.cards)}"
        confirm(len(cards) == sum(course.cards), fault)
        facts, lines = facts_of(course) | first_facts(ranks[0:4:2], ranks[1:4:2]), []
        for bet, wager in game.bets.items():
            line = wager.lines[wager.line(facts)]
            named = {"bet": bet, "name": wager.name, "line": wager.line(facts) + 1}
            lines.append(settled_entry(named, line, line.clause or wager.clause))
        insured, is_tie = list[Entry](), course.player_total == course.banker_total
        for (state, _, place), lasts in game.insured[totals].items():
            if last in lasts and (offer := game.offers.get(state)):
                line = offer.lines[place]
                on_tie = game.tie_clause if line is RETURNED else offer.clause
                named = {"line": offer.number, "state": state_name(state), "is_tie": is_tie}
                insured.append(settled_entry(named, line, on_tie if is_tie else offer.settled))
        entry: Entry = {"number": number, "dealt": cards, "lines": lines}
        entry |= {"player": [*cards[0:4:2], *([] if course.player_third is None else cards[4:5])]}
        entry |= {"banker": [*cards[1:4:2], *([] if course.banker_third is None else cards[-1:])]}
        entry |= {"player_two_cards": course.player, "banker_two_cards": course.banker}
        entry |= {"player_points": course.player_total, "banker_points": course.banker_total}
        entry |= {"player_third": course.player_third}
        entry |= {"insurance": sorted(insured, key=lambda one: one["line"])}
        entries.append(entry)
    return entries


def settled_entry(named: Entry, line: CheckedLine, clause: str) -> Entry:
    """Return the result of a unit on a line."""
    result = "won" if line.net > 0 else "lost" if line.net < 0 else "returned"
    return named | {"clause": clause, "odds": line.odds, "net": line.net, "result": result}


# ------------------------------------------------------------ 7 statements on other readings and other shoes

VALUE, UNTIL_DECIDED = "expected-value", "expected-value-until-decided"
STAKE = "largest-insurance-stake"
# figures of limits and layouts that another reading can change: combinat verify reproduces them
NO_COUNTS = ("layouts", "insurance-states-open", STAKE, f"{STAKE}-both-stages", f"{STAKE}-both-hands")


def value_of(dealt: Dealt, wager: Any, measure: str = VALUE) -> Fraction | None:
    """Return an expected value of a wager; None if it is not offered, or never decided."""
    game, undecided = dealt.game, 0
    if wager not in game.wagers:
        return None
    if measure == UNTIL_DECIDED and game.ties_stay and wager in map(game.bet_on, HANDS):
        # a tie that returns a bet on a hand leaves it on the layout for the next round
        bet = game.bets[wager]
        ties = [(bet.line(facts), ways) for facts, ways in dealt.rounds() if facts["winner"] == "tie"]
        undecided = sum(ways for line, ways in ties if not bet.lines[line].net)
    return ratio(dealt.value(wager) * dealt.space, Fraction(dealt.space - undecided))


def subject_entry(wager: Any) -> Entry:
    """Return the subject of a figure: a bet or an insurance state."""
    is_bet = isinstance(wager, str)
    named = {"bet": wager if is_bet else None, "state": None if is_bet else state_name(wager)}
    return named | {"odds": None, "procedure": None}


def difference_entry(dealt: Dealt, other: Dealt, found: Entry) -> Entry:
    """Return a stated figure under the chosen reading and under the other one."""
    measure = found["measure"]
    if measure in NO_COUNTS:
        values = {key: found[key] and fraction(found[key]) for key in ("read", "otherwise")}
        return {**found, "change": with_figures("difference", values)["change"]}
    confirm(measure in (VALUE, UNTIL_DECIDED), f"readings: {quoted(measure)}: unknown measure")
    bet, state = found["subject"]["bet"], found["subject"]["state"]
    wager = bet if bet is not None else tuple([state[part] for part in STATE_PARTS])
    entry = {"subject": subject_entry(wager), "measure": measure}
    entry |= {"read": value_of(dealt, wager, measure), "otherwise": value_of(other, wager, measure)}
    return with_figures("difference", entry)


def reading_entries(dealt: Dealt, found: Any) -> list[Entry]:
    """Return the changes by the other reading of every entry of the register; every changed value must be stated."""
    entries = []
    for entry, stated in paired(dealt.game.readings, found, "readings"):
        other = Dealt(dealt.game.otherwise(entry), dealt.shoe)
        differences = [difference_entry(dealt, other, one) for one in stated["differences"]]
        compared = [one["subject"] for one in differences if one["measure"] == VALUE]
        for wager in dealt.game.wagers if other.game.opens != "never" else dealt.game.bets:
            is_same, subject = value_of(dealt, wager) == value_of(other, wager), subject_entry(wager)
            fault = f"changes {subject['bet'] or subject['state']!r}, which is not stated"
            confirm(is_same or subject in compared, f"readings: {quoted(entry)} {fault}")
        entries.append({"entry": entry, "differences": differences})
    return entries


def removal_entries(dealt: Dealt, found: Any) -> list[Entry]:
    """Return the change of every expected value when a card of each rank leaves the shoe."""
    entries, without = [], dict[str, Dealt]()
    for number, rank in enumerate(RANKS):
        shoe = tuple(cards - (number == other) for other, cards in enumerate(dealt.shoe))
        without[rank] = Dealt(dealt.game, shoe)
    for bet in dealt.game.bets:
        value = dealt.value(bet)
        changes = [{"removed": [rank], "change": other.value(bet) - value} for rank, other in without.items()]
        entries.append({"subject": subject_entry(bet), "expected_value": value, "changes": changes})
    return entries


FORM_DECKS = range(1, 9)  # seven shoes determine a polynomial of degree six; the eighth checks it


def formula_entries(dealt: Dealt, found: Any) -> list[Entry]:
    """Return the closed forms of every bet, then of every insurance state."""
    game, entries, shoes = dealt.game, [], [Dealt(dealt.game, fresh(decks)) for decks in FORM_DECKS]
    for (subject, wager), stated in paired(game.wagers.items(), found, "formulas"):
        ways = [shoe.ways(subject) for shoe in shoes]
        opens, spaces = [sum(counts) for counts in ways], [shoe.space for shoe in shoes]
        unit = lcm(*(line.net.denominator for line in wager.lines))
        values = [int(unit * wager.mean(counts) * sum(counts)) for counts in ways]
        forms = [("expected value", values, [unit * n for n in opens])]
        if subject in game.bets:
            by_line = zip(wager.lines[:-1], zip(*[counts[:-1] for counts in ways], strict=True), strict=True)
            forms += [(line.name, list(counts), spaces) for line, counts in by_line]
        else:
            forms.append(("state arises", opens, spaces))
        right = []
        for (name, *both), one in paired(forms, stated["formulas"], "formulas"):
            form: Entry = {"name": name}
            for part, counts in zip(("numerator", "denominator"), both, strict=True):
                terms = form[part] = [fraction(text) for text in one[part]]
                at = [sum(term * decks**power for power, term in enumerate(terms)) for decks in FORM_DECKS]
                is_form = len(terms) == 7 and at == counts and all(term.denominator == 1 for term in terms)
                confirm(is_form, f"formulas: {quoted(name)}: the {part} does not fit the counts")
            right.append(with_figures("closed form", form))
        entries.append({"subject": subject_entry(subject), "formulas": right})
    return entries


# ------------------------------------------------------------ 8 the comparison


def fraction(text: Any) -> Fraction:
    """Return a number that the file states as text."""
    is_number = isinstance(text, str) and re.fullmatch(r"-?\d{1,999}(/\d{1,999})?", text, re.ASCII)
    confirm(is_number, f"not a number: {quoted(text)}")
    return Fraction(text)


def quoted(value: Any) -> str:
    """Return a value as messages show it: on one line, and shortened."""
    return json.dumps(f"{len(value)} entries" if isinstance(value, list | dict) else value)[:300]


def paired(right: Iterable[Any], found: Any, where: str) -> Iterator[tuple[Any, Any]]:
    """Return things, each with the entry of the file that states it; reject a list of another length."""
    things = list(right)
    is_whole = isinstance(found, list) and len(found) == len(things)
    confirm(is_whole, f"{where}: found {quoted(found)}, should be {len(things)} entries")
    return zip(things, found, strict=True)


def compare(found: Any, right: Any, where: str) -> int:
    """Return how many numbers are stated; reject the first value that is not the right one, naming its place."""
    if isinstance(right, dict):
        keys = found.keys() if isinstance(found, dict) else set()
        odd = sorted(keys ^ right.keys())
        fault = f"the key {odd[0][:99]!a} is {'missing' if odd[0] in right else 'unknown'}" if odd else ""
        confirm(not odd, f"{where or 'file'}: {fault}")
        return sum(compare(found[key], right[key], f"{where}.{key}") for key in sorted(right))
    if isinstance(right, list) and isinstance(found, list) and len(found) == len(right):
        return sum(compare(found[place], part, f"{where}[{place}]") for place, part in enumerate(right))
    text = str(right) if isinstance(right, Fraction) else right
    is_right = found == text and type(found) is type(text)
    confirm(is_right, "" if is_right else f"{where}: found {quoted(found)}, should be {quoted(text)}")
    return int(isinstance(right, Fraction) or type(right) is int)


Statement = tuple[str, str, Any, Any]  # the part of the file, the place, the value found, the right value

NOT_CHECKED = ("protection", "insured", "identities")
LEFT = "Left to combinat verify: game protection, insurance habits, identities, limits, layouts, documents"

# the keys stated for the reference shoe only: the part of each, and the function that returns the right content; the
# function takes over the choices of the content found: which examples, which stakes, which comparisons
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
    """Return how many numbers of each part are right; raise ``Malformed`` or ``Rejected`` if one is not."""
    analysis, numbers = analysis_in(analysis_text, rule_book), Counter[str]()
    with python_errors(Rejected, "a statement is missing or has another shape"):
        for part, where, found, right in statements(*analysis):
            numbers[part] += compare(found, right, where)
        canonical = (json.dumps(analysis[0], sort_keys=True, indent=1) + "\n").encode()
    fault = "not canonical: expected sorted keys, each once, one space a level, one newline at the end"
    confirm(canonical == analysis_text, fault)
    return dict(numbers)


# ------------------------------------------------------------ 9 one figure, derived by hand

COURSES = {(2, 2): "nobody draws", (3, 2): "Player alone draws"}  # by the numbers of cards of both hands
COURSES |= {(2, 3): "Banker alone draws", (3, 3): "both hands draw"}


def exact(value: Fraction) -> str:
    """Return a value as a fraction and with twelve decimals, rounded half to even."""
    digits = f"{abs(round(value * 10**12)):013d}"
    return f"{value} = {'-' if value < 0 else ''}{digits[:-12]}.{digits[-12:]}"


def book_line(rule_book: str, table: str, number: int) -> str:
    """Return the line of the rule book with the odds of this number, counted from 1 through all tables of a name."""
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
        for facts, ways in dealt.rounds("player_cards", "banker_cards"):
            by_line[wager.line(facts)][facts["player_cards"], facts["banker_cards"]] += ways
        return by_line
    for (totals, _), counts in deal(dealt.shoe, ()).items():
        for (state, _, line), lasts in game.insured[totals].items():
            for last in lasts if state == subject else ():
                by_line[line][rounds_after(game.play)[totals][last].cards] += counts[last]
    return by_line


def derivation(dealt: Dealt, subject: Any, rule_book: str) -> Iterator[str]:
    """Yield the lines of the derivation of a wager's expected value."""
    wager, opens = dealt.game.wagers[subject], sum(dealt.ways(subject))
    table, stated, rest = "bets", len(wager.lines) - 1, ["every other round"]
    if subject in dealt.game.bets:
        yield f"{wager.name} ({subject}), clause {wager.clause}"
    else:
        (hand, stage, player, banker), ties = subject, ", ".join(map(str, sorted(wager.ties)))
        table, stated, rest = "insurance", 1, [f"every {'other ' * bool(ties)}tie", f"the {hand} hand wins"]
        yield f"insurance of the {hand} hand, {stage}, Player {player}, Banker {banker}, clause {wager.clause}"
        yield f"won if the {hand} hand loses; a tie is {f'paid at {ties}, else returned' if ties else 'returned'}"
        yield f"state arises {opens}/{dealt.space} = {exact(Fraction(opens, dealt.space))}"
    for place, (line, counts) in enumerate(zip(wager.lines, by_course(dealt, subject), strict=True)):
        where, ways = book_line(rule_book, table, wager.number + place), counts.total()
        clause = f"{line.odds}: {where}, clause {line.clause or wager.clause}"
        words = clause if place < stated else rest[place - stated]
        yield f"{line.name}, {words}; net {line.net}"
        yield from (f"  {word:<20}{counts[cards]:>24}" for cards, word in COURSES.items())
        yield f"  {'sum':<20}{ways:>24}"
        yield f"  probability {ways}/{opens} = {exact(Fraction(ways, opens))}"
        yield f"  times net {line.net}: {exact(line.net * ways / opens)}"
    yield f"expected value, the sum of these products: {exact(dealt.value(subject))}"
    yield f"house edge: {exact(-dealt.value(subject))}"


def explain(analysis_text: bytes, rule_book: bytes, figure: str) -> tuple[list[str], bool]:
    """Return the derivation of a figure in lines, and whether the file states the same expected value."""
    found, every, reference, game = analysis_in(analysis_text, rule_book)
    name, _, wanted = figure.partition(":decks=")
    decks = {str(number): number for number in every}.get(wanted or str(reference), 0)
    subjects: dict[str, Any] = {bet: bet for bet in game.bets}
    for state in game.offers:
        own, other = state[2:] if state[0] == "player" else state[:1:-1]
        subjects[f"{state[0]}:{state[1]}:{own}-{other}"] = state
    known = (
        f"{', '.join(game.bets)}, or HAND:STAGE:OWN-OTHER of an insurance offer; then :decks=N, of {every}"
    )
    require(decks and name in subjects, f"--explain {quoted(figure)}: write {known}")
    dealt, shoe, subject = Dealt(game, fresh(decks)), found["shoes"][every.index(decks)], subjects[name]
    cards = " x ".join(str(52 * decks - drawn) for drawn in range(6))
    title = f"{text_in(game.book, 'id')}, {decks} deck{'s'[: decks > 1]}; six cards are always dealt"
    lines = [f"{title}: {cards} = {dealt.space} ways", *derivation(dealt, subject, rule_book.decode())]
    stated = [*shoe["bets"], *shoe["insurance"]][[*game.wagers].index(subject)]["expected_value"]
    is_same = stated == str(dealt.value(subject))
    return [*lines, f"the file states {quoted(stated)}: {'the same' if is_same else 'wrong'}"], is_same


# ------------------------------------------------------------ 10 bounds for files from strangers, and the program

MOST_BYTES, MOST_PARTS = 64_000_000, 1_000_000  # parts: objects and lists; a real analysis has some 13,000
MOST_SHOES, MOST_DECKS, MOST_BOOK_BYTES = 8, 1000, 1_000_000
MOST_MARKS = 20_000  # keys (each part of a dotted one), tables and list entries
MOST_DEPTH, MOST_KEY_PARTS = 10, 10  # brackets within brackets; parts of a dotted key
MOST_WORD = 100  # characters of a number, or of a key without quotes
MOST_LINES = 80  # lines of all pay tables, those of other readings included
MOST_RECOUNTS = 4  # readings that change who draws, or what becomes of void rounds
MOST_ID, MOST_TEXT = 60, 100  # characters of an id; of another text that is shown with figures
# of the list at each key
MOST_ENTRIES = {"bets": 24, "pays": 20, "except": 6, "banker_draws": 10, "interpretations": 30}
MOST_ENTRIES |= {"insurance": 4, "offers": 100}

# three quotation marks; or a text of one line; or a comment
QUOTED = re.compile(r"""("{3}|'{3})|"(?:[^"\\\n]|\\[^\n])*+"|'[^'\n]*+'|\#[^\n]*+""")


def bounded(text: str) -> str:
    """Return a TOML text that is cheap to parse; tomllib is slow at keys of many parts."""
    bare = QUOTED.sub(lambda match: match[1] or "~", text)
    require('"""' not in bare and "'''" not in bare, "rule book: a text of several lines")
    marks = len(re.findall(r"[\[{=.,]", bare))
    depths = accumulate((mark in "[{") - (mark in "]}") for mark in bare if mark in "[]{}")
    parts = max(key.count(".") + 1 for key in re.split(r"[\[\]{}=,\n]", bare))
    is_small = marks <= MOST_MARKS and max(depths, default=0) <= MOST_DEPTH and parts <= MOST_KEY_PARTS
    require(is_small, "rule book: too many keys and entries, brackets within brackets, or parts of a key")
    longest = max(map(len, re.split(r"[\s~\[\]{}=.,]", bare)))
    require(longest <= MOST_WORD, f"rule book: a number or bare key of {longest} characters")
    return text


def book_of(rule_book: bytes) -> Entry:
    """Return the data of a rule book; refuse one that has a base or exceeds the bounds."""
    book = tomllib.loads(bounded(rule_book.decode()))
    require("base" not in book, "rule book: it has a base; a report contains the whole rule book")
    is_schema_1 = type(book.get("schema")) is int and book["schema"] == 1
    require(is_schema_1 and list_in(book, "bets"), "rule book: expected schema = 1 and at least one bet")
    instead = [one["instead"] for one in list_in(book, "interpretations")]
    lines = sum(len(list_in(bet, "pays")) for one in (book, *instead) for bet in list_in(one, "bets"))
    require(lines <= MOST_LINES, f"rule book: more than {MOST_LINES} lines in all pay tables")
    recounts = sum("void_bets" in one or "banker_draws_against_natural" in one for one in instead)
    require(recounts <= MOST_RECOUNTS, f"rule book: more than {MOST_RECOUNTS} readings that change every bet")
    return book


def text_in(table: Entry, key: str, default: str | None = None, words: Sequence[str] = ()) -> str:
    """Return a text of the rule book; with ``words``, one of these."""
    text: Any = table.get(key, default)
    require(isinstance(text, str), f"rule book: {key}: expected a text")
    is_short = len(text) <= (MOST_ID if key == "id" else MOST_TEXT)
    require(is_short, f"rule book: {key}: too long, {len(text)} characters")
    require(not words or text in words, f"rule book: {key}: found {text!a}, expected {' or '.join(words)}")
    return str(text)


def list_in(table: Entry, key: str) -> list[Any]:
    """Return a list of the rule book; empty if the key is missing."""
    entries = table.get(key, [])
    is_list = isinstance(entries, list) and len(entries) <= MOST_ENTRIES[key]
    require(is_list, f"rule book: {key}: expected a list of at most {MOST_ENTRIES[key]} entries")
    return list(entries)


# what Python raises if a file has an unexpected shape
FAULTS = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)


@contextmanager
def python_errors(verdict: type[Exception], what: str) -> Iterator[None]:
    """Turn Python's errors about a file of an unexpected shape into a verdict, on one line of ASCII."""
    try:
        yield
    except FAULTS as error:
        line = " ".join(f"{what}: {type(error).__name__}: {error}".split())
        raise verdict(line.encode("ascii", "backslashreplace").decode()[:300]) from None


def analysis_in(analysis_text: bytes, rule_book: bytes) -> tuple[Entry, list[int], int, CheckedGame]:
    """Return the content of an analysis of this rule book, its numbers of decks, the reference one, and the game."""
    require(len(analysis_text) <= MOST_BYTES and len(rule_book) <= MOST_BOOK_BYTES, "larger than is read")
    parts = analysis_text.count(b"{") + analysis_text.count(b"[")
    require(parts <= MOST_PARTS, f"more than {MOST_PARTS} objects and lists")
    with python_errors(Malformed, "not an analysis"):
        found = json.loads(analysis_text.decode("ascii"))
        schema, sha256 = found["schema"], found["rule_book_sha256"]
        require(schema == SCHEMA, f"schema: found {quoted(schema)}, this checker reads {SCHEMA}")
        decks, followed = [shoe["decks"] for shoe in found["shoes"]], found.get("followed", [])
    rising = sorted({number for number in decks if type(number) is int and 0 < number <= MOST_DECKS})
    is_rising = 0 < len(decks) <= MOST_SHOES and decks == rising
    require(is_rising, f"shoes: expected 1 to {MOST_SHOES}, with rising numbers of decks up to {MOST_DECKS}")
    is_list = isinstance(followed, list) and all(isinstance(one, str) for one in followed)
    require(is_list, "followed: expected a list of ids")
    own = hashlib.sha256(rule_book).hexdigest()
    confirm(sha256 == own, f"rule_book_sha256: found {quoted(sha256)}, should be {quoted(own)}")
    reference = 8 if 8 in decks else decks[-1]  # of the figures that are stated for one shoe
    with python_errors(Malformed, "rule book"):
        return found, decks, reference, CheckedGame(book_of(rule_book), followed)


def content_of(path: Path, most: int) -> bytes:
    """Return the content of a file, up to one byte more than is allowed; never wait for a pipe or a device."""
    require(not path.exists() or path.is_file(), f"{path}: not a plain file")
    with path.open("rb") as file:
        return file.read(most + 1)


def main(argv: list[str]) -> int:
    """Check a file, or derive one figure of it, and return the exit code."""
    parser = argparse.ArgumentParser(description="Check the statements of an analysis.json.")
    parser.add_argument("analysis", type=Path)
    parser.add_argument("--rule-book", type=Path, help="the game's TOML file, if not beside the analysis")
    parser.add_argument("--explain", help="derive one figure: a bet, or HAND:STAGE:OWN-OTHER; then :decks=N")
    options = parser.parse_args(argv)
    try:
        text = content_of(options.analysis, MOST_BYTES)
        named: Any = re.search(rb'"game": "([a-z0-9-]{1,200})"', text)
        require(named, "not an analysis: it names no game")
        game = named[1].decode()
        beside = options.analysis.with_name(f"{game}.toml")
        rule_book = content_of(options.rule_book or beside, MOST_BOOK_BYTES)
        if options.explain is not None:
            lines, is_same = explain(text, rule_book, options.explain)
            print("\n".join(lines))
            return 0 if is_same else 1
        numbers, followed = check(text, rule_book), ", ".join(json.loads(text)["followed"])
        under = f" under the other reading of {followed}" if followed else ""
        print(f"{game}: checked {sum(numbers.values()):,} numbers{under}, all correct:", end=" ")
        print(", ".join(f"{part} {number:,}" for part, number in numbers.items()), LEFT, sep=". ")
    except Rejected as error:
        print(f"wrong: {error}", file=sys.stderr)
        return 1
    except Exception as error:  # whatever stopped it, this is no verdict
        print(f"could not be checked: {str(error) or type(error).__name__}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
