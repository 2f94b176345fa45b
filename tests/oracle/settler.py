"""The settler: what a unit on each bet and each insurance offer of the four documents nets.

The conditions are written out here; the odds are those typed in ``documents.py``.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import product

from tests.documents import BETS, INSURANCE
from tests.oracle.dealer import RANKS, Cards, Course, Deal, banker_draws, deals, total

FOUR_CARDS, THIRD_CARD = "four-cards", "player-third-card"
Moment = tuple[str, int, int]
"""A stage of the round and both totals then."""

State = tuple[str, str, int, int]
"""The insured hand, and the moment."""


# ---------------------------------------------------------------- figures


def mean(ways: Mapping[Fraction, int]) -> Fraction:
    """The average of values that occur in so many ways."""
    return sum((value * number for value, number in ways.items()), Fraction(0)) / sum(ways.values())


def chance(ways: Mapping[Fraction, int], sign: int) -> Fraction:
    """The share of the ways in which the value is positive (1), zero (0) or negative (-1)."""
    return Fraction(
        sum(number for value, number in ways.items() if (value > 0) - (value < 0) == sign), sum(ways.values())
    )


def summed(pairs: Iterable[tuple[Fraction, int]]) -> Counter[Fraction]:
    """The ways of each value."""
    ways: Counter[Fraction] = Counter()
    for value, number in pairs:
        ways[value] += number
    return ways


# ---------------------------------------------------------------- bets


@cache
def lines_met(player: Cards, banker: Cards) -> dict[str, int | None]:
    """The line of its pay table that each bet meets, from 0; None: it loses."""
    p, b, cards = total(player), total(banker), len(player) + len(banker)
    player_wins, banker_wins, tie = p > b, b > p, p == b
    player_pair, banker_pair = player[0] == player[1], banker[0] == banker[1]
    pairs = player_pair + banker_pair
    two_p, two_b = len(player) == 2, len(banker) == 2

    def wins(met: bool) -> int | None:
        return 0 if met else None

    return {
        "player": 0 if player_wins else 1 if tie else None,
        "tie": wins(tie),
        "tiger-tie": wins(tie and p == 6),
        "player-pair": wins(player_pair),
        "banker-pair": wins(banker_pair),
        "big-tiger": wins(banker_wins and b == 6 and not two_b),
        "small-tiger": wins(banker_wins and b == 6 and two_b),
        "big-buffalo": wins(player_wins and p == 6 and not two_p),
        "small-buffalo": wins(player_wins and p == 6 and two_p),
        "banker-big-7": wins(banker_wins and b == 7 and not two_b),
        "banker-small-7": wins(banker_wins and b == 7 and two_b),
        "player-big-7": wins(player_wins and p == 7 and not two_p),
        "player-small-7": wins(player_wins and p == 7 and two_p),
        "tiger-buffalo": wins((player_wins and p == 6) or (banker_wins and b == 6)),
        "tiger-pair": None if not pairs else 0 if pairs == 1 else 2 if player[0] == banker[0] else 1,
        "tiger": None if not (banker_wins and b == 6) else 0 if two_b else 1,
        "wu-dalang": wins(player_wins and p == 1),
        "player-char-siu": cards - 4 if p - b == 1 and p >= 7 else None,
        "banker-char-siu": cards - 4 if b - p == 1 and b >= 7 else None,
        "banker": 0 if banker_wins else 1 if tie else None,
        "banker, half on 6": (0 if b == 6 else 1) if banker_wins else 2 if tie else None,
    }


def profit(odds: str) -> Fraction:
    """The net of odds as typed in ``documents.py``: ``3:2``, ``push``."""
    if odds == "push":
        return Fraction(0)
    won, staked = odds.split(":")
    return Fraction(won) / Fraction(staked)


@cache
def line_nets(game_id: str, bet: str) -> tuple[str, tuple[Fraction, ...]]:
    """The bet's key in ``lines_met``, and the net of each of its lines."""
    nets = tuple(map(profit, BETS[game_id][bet][2].split()))
    return "banker, half on 6" if bet == "banker" and len(nets) == 3 else bet, nets


def net(game_id: str, bet: str, player: Cards, banker: Cards) -> Fraction:
    """The net of a unit on a finished round."""
    key, nets = line_nets(game_id, bet)
    line = lines_met(player, banker)[key]
    return Fraction(-1) if line is None else nets[line]


def bet_net(game_id: str, bet: str, deal: Deal) -> Fraction:
    """The net of a unit on a round; a void round returns it."""
    return Fraction(0) if deal.is_void else net(game_id, bet, deal.player, deal.banker)


def decided_net(game_id: str, bet: str, deal: Deal) -> Fraction:
    """The net of a unit where bets already decided stand in a void round."""
    nets = {net(game_id, bet, *hands) for hands in possible_ends(deal)}
    return nets.pop() if len(nets) == 1 else Fraction(0)


@cache
def possible_ends(deal: Deal) -> tuple[tuple[Cards, Cards], ...]:
    """Every way to finish a round as if cards of each rank were left; none before three cards are dealt."""
    if len(deal.player) + len(deal.banker) < 3:
        return ()
    return tuple((end.player, end.banker) for end in deals((2,) * len(RANKS), deal.player, deal.banker))


def nets(game_id: str, bet: str, rounds: Mapping[Deal, int], void_stands: bool = False) -> Counter[Fraction]:
    """The ways of each net of a bet over these rounds."""
    of_round = decided_net if void_stands else bet_net
    return summed((of_round(game_id, bet, deal), ways) for deal, ways in rounds.items())


def settled(game_id: str, bet: str, rounds: Mapping[Deal, int]) -> tuple[Fraction, str | None]:
    """The mean net of a unit over these rounds, and its result where all of them agree."""
    ways = nets(game_id, bet, rounds)
    signs = {"won" if value > 0 else "lost" if value < 0 else "returned" for value in ways}
    return mean(ways), signs.pop() if len(signs) == 1 else None


# ---------------------------------------------------------------- insurance


@cache
def offers(game_id: str) -> dict[State, tuple[Fraction, bool]]:
    """Every state that the document lists, with its odds, and whether a tie pays."""
    listed = {}
    for line in INSURANCE[game_id].strip().splitlines():
        side, stage, player, banker, odds, *star = line.split()
        for p, b in product(printed_range(player), printed_range(banker)):
            listed[side, FOUR_CARDS if stage == "4" else THIRD_CARD, p, b] = profit(odds), bool(star)
    return listed


def printed_range(text: str) -> range:
    """The totals of a printed cell: ``4`` or ``0-5``."""
    low, _, high = text.partition("-")
    return range(int(low), int(high or low) + 1)


def moments(course: Course, *, also_known: bool = False) -> Iterator[Moment]:
    """The moments of a round at which a card is to come; ``also_known``: those with none to come, too."""
    player, banker, third, *_ = course
    natural = player >= 8 or banker >= 8
    if also_known or (not natural and (player <= 5 or banker <= 5)):
        yield FOUR_CARDS, player, banker
    if third is not None and (also_known or banker_draws(banker, third)):
        yield THIRD_CARD, (player + third) % 10, banker


def summed_stages(rounds: Mapping[Course, int], *, also_known: bool = False) -> Counter[str]:
    """The rounds that pass a moment of each stage."""
    passed: Counter[str] = Counter()
    for course, ways in rounds.items():
        for stage, *_ in moments(course, also_known=also_known):
            passed[stage] += ways
    return passed


def insurance_sign(side: str, tie_pays: bool, course: Course) -> int:
    """1 where the insured hand lost, or tied at a line where a tie pays; -1 where it won; 0: returned."""
    player, banker, *_ = course.result
    if course.is_void:
        return 0
    if player == banker:
        return int(tie_pays)
    return 1 if (player < banker) == (side == "player") else -1


def insurance_nets(
    game_id: str, rounds: Mapping[Course, int], *, also_known: bool = False
) -> dict[State, Counter[Fraction]]:
    """The ways of each net of a unit of insurance, for every listed state that these rounds pass."""
    passed: dict[State, Counter[Fraction]] = {}
    listed = offers(game_id)
    for course, ways in rounds.items():
        for moment in moments(course, also_known=also_known):
            for side in ("player", "banker"):
                state = (side, *moment)
                if state in listed:
                    odds, tie_pays = listed[state]
                    sign = insurance_sign(side, tie_pays, course)
                    passed.setdefault(state, Counter())[odds if sign > 0 else Fraction(sign)] += ways
    return passed
