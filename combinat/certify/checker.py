"""The checker: every figure of an analysis.json, derived once more from the rule book alone.

    python checker.py output/<game>/analysis.json [--rule-book PATH]

It stands alone: the standard library, nothing of the program that wrote the file. It counts in another way:
six cards are always dealt, needed or not, so that all ordered sequences of six cards weigh the same. Pay
tables, insurance tables and other readings come from the rule book, which must have the SHA-256 that the
file names. All that follows from them makes up one document, and the file must be that document.
"""

import argparse
import hashlib
import json
import re
import sys
import tomllib
from collections import Counter
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, combinations_with_replacement, product
from math import isqrt, lcm, perm, prod
from pathlib import Path
from typing import Any, NamedTuple

SCHEMA = "combinat/analysis/1"
MOST_BYTES, MOST_SHOES, MOST_DECKS, MOST_RULES = 16_000_000, 32, 1000, 100
HUGE = 10**100
"""A number of decks. The ways of six cards are polynomials of degree six in the number of decks, with whole
coefficients that are far smaller than this, so that they can be read off, as digits, from one value."""
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
POINTS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0)
BANKER_DRAWS = {3: (0, 1, 2, 3, 4, 5, 6, 7, 9), 4: (2, 3, 4, 5, 6, 7), 5: (4, 5, 6, 7), 6: (6, 7), 7: ()}
"""On a two-card total of 3 to 7, the Banker Hand draws when the Player's third card is one of these."""

PAIRS = ("player_pair", "banker_pair", "pairs", "player_point_pair", "banker_point_pair", "point_pairs")
POINT_FACTS = ("winning_points", "player_points", "banker_points")  # facts that a pay table may name
FACTS = ("winner", *POINT_FACTS, "player_cards", "banker_cards", "cards", "margin", *PAIRS)

Course = tuple[int, int, int | None, int | None, int, int]  # totals of two cards, third cards, final totals
State = tuple[str, str, int, int]  # when insurance is offered: side, stage, Player's and Banker's total
Line = tuple[str, str | None, Fraction, dict[str, frozenset[Any]]]  # name, odds, net; facts and their values


class Malformed(Exception):  # noqa: N818  # the name is the verdict
    """The file could not be checked."""


class Rejected(Exception):  # noqa: N818  # the name is the verdict
    """The file was checked, and a figure in it is wrong."""


# ------------------------------------------------------------ the deal: six cards, always
def course_of(player: int, banker: int, fifth: int, sixth: int) -> Course:
    """How a round goes on from two-card totals when these two cards lie ready: the Table of Play."""
    third = last = None
    if player <= 5 and banker <= 7:  # the Player Hand draws; the Banker Hand as the table says
        third, last = fifth, sixth if banker <= 2 or fifth in BANKER_DRAWS[banker] else None
    elif player <= 7 and banker <= 5:  # the Player Hand stands on 6 or 7; the Banker Hand draws on 0 to 5
        last = fifth  # else a natural, or both hands stand
    return player, banker, third, last, (player + (third or 0)) % 10, (banker + (last or 0)) % 10


def facts_of(course: Course, match: tuple[Any, ...]) -> tuple[Any, ...]:
    """The facts of a finished round, in the order of FACTS; ``match``: those about pairs."""
    _, _, third, last, player, banker = course
    winner = "tie" if player == banker else "player" if player > banker else "banker"
    points = None if winner == "tie" else max(player, banker), player, banker
    cards = 2 + (third is not None), 2 + (last is not None)
    return winner, *points, *cards, sum(cards), abs(player - banker), *match


def pairs(p1: int, p2: int, b1: int, b2: int) -> tuple[bool, bool, str]:
    """The pairs of both hands: of the Player, of the Banker, and in the words of the Tiger Pair bet."""
    if p1 == p2 and b1 == b2:
        return True, True, "twin" if p1 == b1 else "double"
    return p1 == p2, b1 == b2, "single" if p1 == p2 or b1 == b2 else "none"


@lru_cache(maxsize=32)
def rounds(shoe: tuple[int, ...]) -> tuple[Counter[Course], Counter[tuple[Any, ...]]]:
    """The ways of every course, and of all facts together. A shoe is its number of cards of each rank."""
    first_four: Counter[tuple[tuple[int, ...], tuple[Any, ...]]] = Counter()  # their points, their pairs
    for two, other_two in product(combinations_with_replacement(range(13), 2), repeat=2):
        ranks = (*two, *other_two)
        points = tuple(POINTS[rank] for rank in ranks)
        orders = (1 + (two[0] != two[1])) * (1 + (other_two[0] != other_two[1]))  # which of two came first
        ways = orders * prod(perm(shoe[rank], ranks.count(rank)) for rank in {*ranks})
        first_four[points, (*pairs(*ranks), *pairs(*points))] += ways
    by_points = [sum(n for n, worth in zip(shoe, POINTS, strict=True) if worth == p) for p in range(10)]
    six = dict[tuple[int, int, tuple[Any, ...]], list[list[int]]]()  # a row for each fifth card, by the sixth
    for (four, match), ways in first_four.items():
        left = [cards - four.count(points) for points, cards in enumerate(by_points)]
        totals = sum(four[:2]) % 10, sum(four[2:]) % 10
        for fifth, row in enumerate(six.setdefault((*totals, match), [[0] * 10 for _ in range(10)])):
            five = ways * left[fifth]
            row[:] = [count + five * cards for count, cards in zip(row, left, strict=True)]
            row[fifth] -= five  # the fifth card is not there for the sixth
    courses, facts = Counter[Course](), Counter[tuple[Any, ...]]()
    for (player, banker, match), rows in six.items():
        for fifth, sixth in product(range(10), repeat=2):
            course = course_of(player, banker, fifth, sixth)
            courses[course] += rows[fifth][sixth]
            facts[facts_of(course, match)] += rows[fifth][sixth]
    return courses, facts


# ------------------------------------------------------------ the rule book
def net_of(odds: str) -> Fraction:
    """Profit per unit staked: ``"3 to 2"`` is 3/2, ``"push"`` is 0."""
    number = r"(\d{1,9}(?:\.\d{1,9})?)"
    match = re.fullmatch(f"{number} to {number}", "0 to 1" if odds == "push" else odds, re.ASCII)
    if not match:
        raise Malformed(f"rule book: {odds!a} are no odds")
    return Fraction(match[1]) / Fraction(match[2])


def points_of(written: int | str) -> frozenset[int]:
    """Point Totals: ``6``, ``"0-5"``, ``"0-5,7-9"``."""
    runs = [[int(end) for end in part.split("-")] for part in str(written).split(",")]
    return frozenset(points for run in runs for points in range(10) if run[0] <= points <= run[-1])


class Game:
    """What a rule book states, with what another reading puts ``instead`` of its own."""

    def __init__(self, book: dict[str, Any], instead: dict[str, Any]) -> None:
        self.names = {bet["id"]: bet["name"] for bet in book["bets"]}
        self.bets: dict[str, list[Line]] = {bet: [] for bet in self.names}
        pays = {bet["id"]: bet["pays"] for bet in (*book["bets"], *instead.get("bets", ()))}
        for bet, lines in self.bets.items():  # the first line that fits is paid; the loss always fits
            for pay in pays[bet]:
                asked = ((f, pay[f]) for f in pay if f not in ("name", "odds", "clause"))
                facts = {f: points_of(v) if f in POINT_FACTS else frozenset([v]) for f, v in asked}
                lines.append((pay.get("name") or "wins", pay["odds"], net_of(pay["odds"]), facts))
            lines.append(("loses", None, Fraction(-1), {}))
        tables = (*book.get("insurance", ()), *instead.get("insurance", ()))
        offers = {(table["side"], table["stage"]): table["offers"] for table in tables}
        self.offers = dict[State, tuple[str, frozenset[int]]]()  # the odds, and the ties that pay them too
        for (side, stage), offer in ((at, offer) for at, some in offers.items() for offer in some):
            ties = points_of(offer["tie_pays"]) if "tie_pays" in offer else frozenset[int]()
            for player, banker in product(*(sorted(points_of(offer[points])) for points in POINT_FACTS[1:])):
                self.offers[side, stage, player, banker] = offer["odds"], ties
        terms = book.get("insurance_terms", {"open": "card-to-come", "limits": []})
        opens = {"card-to-come": False, "whenever-listed": True}  # whether also when no card is to come
        self.whenever_listed = opens[instead.get("insurance_open") or terms["open"]]
        self.limits: list[dict[str, str]] = instead.get("insurance_limits") or terms["limits"]
        self.paid = lru_cache(maxsize=None)(self.lines_paid)

    def lines_paid(self, values: tuple[Any, ...]) -> tuple[int, ...]:
        """For each bet, the number of the line that is paid in a round with these facts."""
        facts = dict(zip(FACTS, values, strict=True))
        fits = ([all(facts[f] in v for f, v in line[3].items()) for line in x] for x in self.bets.values())
        return tuple(lines.index(True) for lines in fits)

    def largest_stake(self, odds: str, procedure: str, bets: int) -> Fraction | None:
        """The most that so many insurance bets can stake, per unit of the original bet; None: no limit."""
        caps, net = list[Fraction](), net_of(odds)
        own = [limit for limit in self.limits if procedure and limit.get("procedure") == procedure]
        for limit in own or [limit for limit in self.limits if "procedure" not in limit]:
            share = net_of(limit["share"].replace("%", " to 100")) * {"offer": bets, "round": 1}[limit["per"]]
            taken = {"stake": Fraction(1), "payout": net, "payout-and-stake": 1 + net}[limit["caps"]]
            if limit["of"] == "original-bet" and net_of(limit.get("odds", odds)) == net:
                caps.append(share / taken)
        return min(caps, default=None)


# ------------------------------------------------------------ the figures
def root(square: Fraction, sign: Fraction = Fraction(1)) -> str:
    """The square root with twelve decimals, rounded half to even, with the sign of another value."""
    wanted = 4 * square * 10**24  # the square of twice the root, in units of the last place
    twice = isqrt(wanted.numerator // wanted.denominator)
    units = (twice + 1) // 2
    units -= bool(twice % 2 and units % 2 and twice**2 == wanted)  # exactly half: to the even neighbour
    return f"{'-' if sign < 0 and units else ''}{units // 10**12}.{units % 10**12:012}"


class Wager(NamedTuple):
    """The net results that a unit staked can have on a shoe, and the ways of each."""

    nets: list[Fraction]
    ways: list[int]

    def mean(self, power: int = 1) -> Fraction:
        """The mean of a power of the net result; the first power gives the expected value."""
        return sum((net**power * n for net, n in zip(*self, strict=True)), Fraction(0)) / sum(self.ways)

    def chance(self, sign: int) -> Fraction:
        """How often it is won (1), returned (0), lost (-1)."""
        found = sum(n for net, n in zip(*self, strict=True) if (net > 0) - (net < 0) == sign)
        return Fraction(found, sum(self.ways))

    def figures(self) -> dict[str, Any]:
        """What is told of every wager."""
        mean, hit, lost = self.mean(), self.chance(1), self.chance(-1)
        variance, fair_odds = self.mean(2) - mean**2, lost / hit if hit else None
        return {"expected_value": mean, "house_edge": -mean, "variance": variance, "fair_odds": fair_odds}


class Dealt:
    """A game on a shoe: its wagers, by the id of a bet or by the words for an insurance state."""

    def __init__(self, game: Game, shoe: tuple[int, ...]) -> None:
        self.game, (courses, facts), self.wagers = game, rounds(shoe), dict[str, Wager]()
        self.space, self.settled = sum(courses.values()), Counter[tuple[int, ...]]()  # all bets together
        for values, ways in facts.items():
            self.settled[game.paid(values)] += ways
        for number, (bet, lines) in enumerate(game.bets.items()):
            self.wagers[bet] = Wager([line[2] for line in lines], [0] * len(lines))
            for paid, ways in self.settled.items():
                self.wagers[bet].ways[paid[number]] += ways
        self.moments: dict[tuple[str, int, int], list[tuple[Course, int]]] = {}  # with insurance open
        for course, ways in courses.items():
            two, banker, third, last, player, _ = course
            if game.whenever_listed or third is not None or last is not None:
                self.moments.setdefault(("four-cards", two, banker), []).append((course, ways))
            if third is not None and (game.whenever_listed or last is not None):
                self.moments.setdefault(("player-third-card", player, banker), []).append((course, ways))
        for state in game.offers:
            self.wagers["{}@{}, Player {}, Banker {}".format(*state)] = self.insurance(state)

    def insurance(self, state: State, only: int | None = None) -> Wager:
        """The insurance bet of a state: it wins when its side loses. ``only``: with that third card alone."""
        (odds, ties), ways = self.game.offers[state], [0, 0, 0]
        for (_, _, third, _, player, banker), n in self.moments[state[1:]]:
            wins = player in ties if player == banker else (player < banker) == (state[0] == "player")
            ways[0 if wins else 1 if player == banker else 2] += n if only in (None, third) else 0
        return Wager([net_of(odds), Fraction(0), Fraction(-1)], ways)

    def bet_entry(self, bet: str) -> dict[str, Any]:
        """A bet: its outcomes and its figures. Void is 0: no shoe here runs out."""
        wager, outcomes, found = self.wagers[bet], [], self.wagers[bet].figures()
        for (name, odds, net, _), n in zip(self.game.bets[bet], wager.ways, strict=True):
            outcomes.append({"name": name, "odds": odds, "net": net, "ways": Fraction(n)})
            outcomes[-1] |= {"probability": Fraction(n, self.space), "contribution": net * n / self.space}
        mean, variance, push = wager.mean(), found["variance"], wager.chance(0)
        third = wager.mean(3) - 3 * mean * wager.mean(2) + 2 * mean**3
        paid = [net for net, n in zip(*wager, strict=True) if n and net > 0]
        found |= {"id": bet, "name": self.game.names[bet], "outcomes": outcomes, "return_to_player": 1 + mean}
        found |= {"hit_frequency": wager.chance(1), "push": push, "third_central_moment": third}
        found |= {"void": Fraction(0), "edge_per_resolved_bet": -mean / (1 - push) if push < 1 else None}
        found |= {"largest_payout": max(paid, default=None), "standard_deviation": root(variance)}
        return found | {"skewness": root(third**2 / variance**3, third) if variance else None}

    def joint_entry(self, one: int, two: int) -> dict[str, Any]:
        """The covariance and the correlation of two bets."""
        names = [list(self.wagers)[number] for number in (one, two)]
        (x, y), mean = (self.wagers[name] for name in names), Fraction(0)
        for paid, ways in self.settled.items():
            mean += Fraction(ways, self.space) * x.nets[paid[one]] * y.nets[paid[two]]
        covariance, both = mean - x.mean() * y.mean(), x.figures()["variance"] * y.figures()["variance"]
        correlation = root(covariance**2 / both, covariance) if both else None
        return {"bets": names, "covariance": covariance, "correlation": correlation}

    def state_entry(self, state: State, third: int | None = None) -> dict[str, Any]:
        """An insurance state; or what is told of it for one third card of the Player."""
        wager, (odds, ties) = self.insurance(state, third), self.game.offers[state]
        found: dict[str, Any] = {"probability": Fraction(sum(wager.ways), self.space)}
        found |= {"wins": wager.chance(1), "pushes": wager.chance(0), "loses": wager.chance(-1)}
        if third is not None:
            return found | {"player_third": third, "expected_value": wager.mean()}
        found |= dict(zip(("side", "stage", "player_points", "banker_points"), state, strict=True))
        found |= {"odds": net_of(odds), "pays_on_tie": sorted(ties), "ways": Fraction(sum(wager.ways))}
        if state[1] == "player-third-card":
            thirds = sorted({course[2] or 0 for course, _ in self.moments[state[1:]]})
            found["third_cards"] = [self.state_entry(state, points) for points in thirds]
        return found | wager.figures() | {"favours_player": wager.mean() > 0}

    def forms_entry(self, of: str) -> dict[str, Any]:
        """A wager as a function of the number of decks, read off from a shoe of HUGE decks."""
        wager, lines, forms, half = self.wagers[of], self.game.bets.get(of, []), [], HUGE // 2
        unit, count = lcm(*(net.denominator for net in wager.nets)), sum(wager.ways)
        parts: list[Any] = [("expected value", unit * count * wager.mean(), unit * count)]
        parts += [(line[0], n, self.space) for line, n in zip(lines[:-1], wager.ways, strict=False)]
        for name, *both in parts if lines else [*parts, ("state arises", count, self.space)]:
            lifted = [int(value) + half * sum(HUGE**power for power in range(7)) for value in both]
            top, bottom = ([Fraction(n // HUGE**power % HUGE - half) for power in range(7)] for n in lifted)
            forms.append({"name": name, "numerator": top, "denominator": bottom, "limit": top[6] / bottom[6]})
        return {"of": of, "formulas": forms}

    def effects(self, other: "Dealt", instead: dict[str, Any]) -> list[dict[str, Any]]:
        """What another reading touches: expected values, and the largest insurance stakes."""
        found: list[tuple[str, str, Any, Any]] = []
        for what, wager in self.wagers.items():
            mean, new_mean = wager.mean(), other.wagers[what].mean() if what in other.wagers else None
            lines, new_lines = self.game.bets.get(what), other.game.bets.get(what)
            if mean != new_mean or lines != new_lines or (lines and "void_bets" in instead):
                found.append((what, "expected value", mean, new_mean))
        procedures = {"", *(limit.get("procedure", "") for limit in (*self.game.limits, *other.game.limits))}
        all_odds = sorted({one for one, _ in self.game.offers.values()}, key=lambda one: (net_of(one), one))
        for procedure, odds in product(sorted(procedures), all_odds):
            what = f"insurance at {odds}" + (f" under {procedure}" if procedure else "")
            for bets, stages in ((1, ""), (2, ", both stages together")):
                stakes = [one.game.largest_stake(odds, procedure, bets) for one in (self, other)]
                if stakes[0] != stakes[1]:
                    found.append((what, "largest insurance stake" + stages, stakes[0], stakes[1]))
                    break
        keys = ("for", "figure", "read", "otherwise", "change")
        return [dict(zip(keys, (*x, None if None in x else x[3] - x[2]), strict=True)) for x in found]


@lru_cache(maxsize=1)
def document(rule_book: bytes, decks: tuple[int, ...]) -> dict[str, Any]:
    """What the analysis of this rule book for these numbers of decks must say."""
    book = tomllib.loads(rule_book.decode())
    if book["schema"] != 1 or max(len(book["bets"]), len(book.get("interpretations", ()))) > MOST_RULES:
        raise Malformed(f"rule book: schema 1 is read, with up to {MOST_RULES} bets and interpretations")
    game, reference = Game(book, {}), 8 if 8 in decks else decks[-1]
    fresh = {n: Dealt(game, (4 * n,) * 13) for n in (*decks, HUGE)}
    dealt, full = fresh[reference], (4 * reference,) * 13
    without = {rank: Dealt(game, (*full[:n], full[n] - 1, *full[n + 1 :])) for n, rank in enumerate(RANKS)}
    found: dict[str, Any] = {"schema": SCHEMA, "game": book["id"], "reference_decks": reference}
    found |= {"rule_book_sha256": hashlib.sha256(rule_book).hexdigest(), "decks": [], "interpretations": []}
    found |= {"software": {"name": "combinat", "version": str}, "removal": []}
    for n, on in ((n, fresh[n]) for n in decks):
        entry = {"decks": n, "shoe": {"size": 52 * n, "cards": dict.fromkeys(RANKS, 4 * n)}}
        entry |= {"sample_space": Fraction(on.space), "bets": [*map(on.bet_entry, game.bets)]}
        entry |= {"joint": [on.joint_entry(*two) for two in combinations(range(len(game.bets)), 2)]}
        found["decks"].append(entry | {"void": Fraction(0), "insurance": [*map(on.state_entry, game.offers)]})
    for reading in book.get("interpretations", ()):
        effects = dealt.effects(Dealt(Game(book, reading["instead"]), full), reading["instead"])
        found["interpretations"].append({"id": reading["id"], "effects": effects})
    for bet in game.bets:
        moves = {rank: one.wagers[bet].mean() - dealt.wagers[bet].mean() for rank, one in without.items()}
        entry = {"id": bet, "expected_value": dealt.wagers[bet].mean()}
        entry |= {"effects": [{"removed": [rank], "change": move} for rank, move in moves.items()]}
        found["removal"].append(entry | {"matter_most": sorted(moves, key=lambda rank: -abs(moves[rank]))})
    return found | {"formulas": [*map(fresh[HUGE].forms_entry, dealt.wagers)]}


# ------------------------------------------------------------ the comparison, and the files
def compare(found: Any, right: Any, where: str) -> int:
    """Hold what was found against what is right, in the file's order; how many numbers were equal."""
    if isinstance(right, dict):
        if odd := sorted((found.keys() if isinstance(found, dict) else set()) ^ right.keys()):
            fault = "missing" if odd[0] in right else "unknown"
            raise Malformed(f"{where or 'file'}: the key {odd[0]!a} is {fault}")
        return sum(compare(found[key], right[key], f"{where}.{key}".lstrip(".")) for key in sorted(right))
    if isinstance(right, list) and isinstance(found, list) and len(found) == len(right):
        return sum(compare(found[n], right[n], f"{where}[{n}]") for n in range(len(right)))
    if right is str:  # the version of the software: any text
        right = found if isinstance(found, str) else "text"
    wanted = str(right) if isinstance(right, Fraction) else right
    if found != wanted or type(found) is not type(wanted):
        listed = (f"{len(x)} entries" if isinstance(x, list | dict) else x for x in (found, wanted))
        raise Rejected("{}: found {:.300}, should be {}".format(where, *map(json.dumps, listed)))
    return type(right) in (Fraction, int) or bool(re.fullmatch(r"-?\d+\.\d{12}", str(right)))


def check(analysis_text: bytes, rule_book: bytes) -> int:
    """How many numbers the analysis states, all of them right; else ``Malformed`` or ``Rejected``."""
    if len(analysis_text) > MOST_BYTES or len(rule_book) > MOST_BYTES // 16:
        raise Malformed(f"larger than {MOST_BYTES} bytes; or its rule book, than a sixteenth of that")
    try:
        found = json.loads(analysis_text.decode("ascii"))
        if (schema := found["schema"]) != SCHEMA:
            raise Malformed(f"schema: found {json.dumps(schema)[:100]}, this checker knows {SCHEMA}")
        decks = [entry["decks"] for entry in found["decks"]]
        sound = sorted({n for n in decks if type(n) is int and 0 < n <= MOST_DECKS})
        if not 0 < len(decks) <= MOST_SHOES or decks != sound:
            raise Malformed(f"decks: not 1 to {MOST_SHOES} rising numbers from 1 to {MOST_DECKS}")
        if (sha256 := found["rule_book_sha256"]) != (own := hashlib.sha256(rule_book).hexdigest()):
            raise Rejected(f"rule_book_sha256: found {json.dumps(sha256)[:99]}, should be {own}")
    except (LookupError, RecursionError, TypeError, ValueError) as error:
        raise Malformed(f"not an analysis: {type(error).__name__}: {error}") from None
    try:
        right = document(rule_book, tuple(decks))
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
        raise Malformed(f"rule book: {type(error).__name__}: {error}") from None
    numbers = compare(found, right, "")
    if (json.dumps(found, sort_keys=True, indent=1) + "\n").encode() != analysis_text:
        raise Malformed("not canonical: keys sorted, each once, one space a level, one newline at the end")
    return numbers


def main(argv: list[str]) -> int:
    """Check a file. Exit codes: 0, every figure holds; 1, one is wrong; 2, it could not be checked."""
    parser = argparse.ArgumentParser(description="Derive every figure of an analysis.json once more.")
    parser.add_argument("analysis", type=Path)
    parser.add_argument("--rule-book", type=Path, help="the TOML file of the game, if not the one in tables/")
    options = parser.parse_args(argv)
    try:
        with options.analysis.open("rb") as file:
            text = file.read(MOST_BYTES + 1)
        game, package = re.search(rb'"game": "([a-z0-9-]{1,100})"', text), Path(__file__).resolve().parents[1]
        if not (game or options.rule_book):
            raise Malformed("not an analysis: no game is named")
        table = f"tables/{game[1].decode() if game else ''}.toml"
        folder = package if (package / table).exists() else package.parent
        with (options.rule_book or folder / table).open("rb") as file:
            numbers = check(text, file.read(MOST_BYTES + 1))
    except (Malformed, OSError, Rejected, ValueError) as error:
        verdict, code = ("wrong", 1) if isinstance(error, Rejected) else ("could not be checked", 2)
        print(f"{verdict}: {error}", file=sys.stderr)
        return code
    print(f"{Path(table).stem}: all {numbers} numbers hold: bets, insurance, readings, removal, closed forms")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
