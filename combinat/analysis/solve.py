"""The odds at which a bet has the expected value that its designer wants.

The expected value of a bet is linear in the odds of one of its lines, and in a factor on all of them. Two
values of the bet determine the linear function; the odds at which it takes the target value are exact.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from heapq import nsmallest
from itertools import product
from typing import Any, ClassVar, NamedTuple, overload

import msgspec

from combinat.analysis.bets import (
    BETS,
    ZERO,
    BetAnalysis,
    bet_analysis,
    line_ways,
    until_decided,
)
from combinat.base.errors import CombinatError, InputError, in_words, named
from combinat.base.kinds import FRACTION, ODDS, TEXT, decimal, percentage
from combinat.base.money import Amount, format_money
from combinat.base.number import percent
from combinat.base.relation import Field, Many, Relation
from combinat.base.tabular import Tabular, in_percent
from combinat.engine.pairs import pair_distribution
from combinat.rules.bet import Bet, Pay
from combinat.rules.converters import GameGiven, ShoeGiven, as_amount, as_bet, as_game, as_shoe, as_text
from combinat.rules.game import Game
from combinat.rules.odds import Odds, Published
from combinat.rules.shoe import Shoe

WHOLE, HALF = Fraction(1), Fraction(1, 2)
STEPS = {"whole numbers": WHOLE, "halves": HALF}
"""The odds that a table can pay without small change."""

PAYABLE = 3
"""Pay tables of each step shown on each side of the value wanted."""

CHOICES = 5
"""Choices of lines that pay shown."""

SEARCHED = 20_000
"""Pay tables searched for those near a value."""

NEAR = Fraction(1, 1000)
"""Values that differ by less are equally near."""

CLEARLY = Fraction(4, 5)
"""A pay table further from the value is shown only if its largest change is smaller by this factor."""

_PROBES = (Fraction(1_000_003), Fraction(1_000_033))
"""Odds that no pay table has: a line that pays them differs from every other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SolvedLine:
    """A line of a pay table, with its present odds and the odds required."""

    name: str
    now: Odds
    odds: Odds


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Odds for the lines solved for, and the bet with these odds."""

    name: str
    odds: tuple[Odds, ...]
    bet: BetAnalysis
    change: Fraction
    """The largest change of a line against the exact odds."""


SOLVED_LINES: Relation[SolvedLine] = Relation(
    "solved lines",
    Field("name", "line", TEXT, "The line of the pay table.", views="terminal"),
    Field("now", "now", ODDS, "What it pays now.", views="terminal"),
    Field("net_now", "now to 1", FRACTION, "Profit to 1 now.", lambda line: line.now.net),
    Field("decimal", "to 1", decimal(6), "Profit to 1 that is needed.", lambda line: line.odds.net, views="terminal", for_people=True),
    Field("net", "exactly", FRACTION, "Profit to 1 that is needed.", lambda line: line.odds.net, views="terminal"),
)  # fmt: skip
"""Lines that were solved for, a row each."""

CHOSEN_ODDS: Relation[Choice] = Relation(
    "choices of odds",
    Field("name", "payable odds", TEXT, "Exact, or the step of the odds.", views="terminal"),
    Field("odds", "pays", Many(ODDS), "What each line that was solved for pays.", views="terminal"),
    Field("net", "to 1", Many(FRACTION), "Profit to 1 of each of them.", lambda row: [odds.net for odds in row.odds]),
    *BETS.part(lambda row: row.bet, "house_edge"),
    Field("hit_frequency", "wins %", percentage(), "Probability that the bet wins.", lambda row: row.bet.hit_frequency),
    Field("change", "largest change %", percentage(2), "Largest change of a line, against its exact odds.", views="terminal"),
)  # fmt: skip
"""Odds that were solved for, a row each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Solution(Tabular):
    """The odds at which a bet has an expected value; ``factor``: common to all odds, or None for one line.

    ``payable``: nearby odds that can be paid, those nearest to the target value first.

    >>> from combinat import solve
    >>> solution = solve("commission-insurance-2013", "player-pair", edge="5%")
    >>> solution.lines[0].odds, solution.payable[0].odds
    ('1453 to 124', ('11.5 to 1',))
    """

    RELATION: ClassVar = CHOSEN_ODDS

    game: Game
    shoe: Shoe
    wanted: Fraction
    now: BetAnalysis
    exact: BetAnalysis
    lines: tuple[SolvedLine, ...]
    factor: Fraction | None
    payable: tuple[Choice, ...]

    def records(self) -> Iterable[Any]:
        """A row for the exact odds, then one for each choice of nearby odds that can be paid."""
        odds = tuple(line.odds for line in self.lines)
        exact = Choice(name="exact", odds=odds, bet=self.exact, change=ZERO)
        return (exact, *self.payable)

    def __repr__(self) -> str:
        odds = ", ".join(line.odds for line in self.lines)
        return f"<Solution for {self.now.id}: {odds}, house edge {in_percent(self.exact.house_edge)}>"


@dataclass(frozen=True, slots=True, kw_only=True)
class HitChoice:
    """The lines of a bet that pay while its other lines return the stake, and the resulting bet in one round.

    A line keeps its present odds; a line that now returns the stake pays 1 to 1.
    """

    paying: tuple[str, ...]
    returned: tuple[str, ...]
    bet: BetAnalysis


CHOSEN_LINES: Relation[HitChoice] = Relation(
    "choices of lines",
    Field("paying", "lines that pay", Many(TEXT), "The lines that pay.", views="terminal"),
    Field(
        "returned",
        "lines that return the stake",
        Many(TEXT),
        "The lines that return the stake.",
        views="terminal",
    ),
    *BETS.part(lambda row: row.bet, "hit_frequency", "house_edge"),
)
"""Choices of lines that pay, a row each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HitSolution(Tabular):
    """The choices of paying lines whose hit frequency is nearest to the target, the nearest first.

    ``back_now``: the lines that now return the stake, which a choice may change to pay.

    >>> from combinat import solve
    >>> solve("commission-insurance-2013", "player-pair", hit="7%").choices[0].paying
    ('wins',)
    """

    RELATION: ClassVar = CHOSEN_LINES

    game: Game
    shoe: Shoe
    wanted: Fraction
    now: BetAnalysis
    back_now: tuple[str, ...]
    choices: tuple[HitChoice, ...]

    def records(self) -> Iterable[Any]:
        """Its choices of lines, the nearest first."""
        return self.choices

    def __repr__(self) -> str:
        return f"<HitSolution for {self.now.id}: {len(self.choices)} choices>"


@overload
def solve(
    game: GameGiven,
    bet: str,
    shoe: ShoeGiven | None = None,
    *,
    edge: Amount | None = None,
    returned: Amount | None = None,
    line: str | None = None,
    decks: int | None = None,
    removed: str | None = None,
    cards: str | None = None,
) -> Solution: ...


@overload
def solve(
    game: GameGiven,
    bet: str,
    shoe: ShoeGiven | None = None,
    *,
    hit: Amount,
    decks: int | None = None,
    removed: str | None = None,
    cards: str | None = None,
) -> HitSolution: ...


@overload
def solve(
    game: GameGiven,
    bet: str,
    shoe: ShoeGiven | None = None,
    *,
    edge: Amount | None = None,
    returned: Amount | None = None,
    hit: Amount | None = None,
    line: str | None = None,
    decks: int | None = None,
    removed: str | None = None,
    cards: str | None = None,
) -> Solution | HitSolution: ...


def solve(
    game: GameGiven,
    bet: str,
    shoe: ShoeGiven | None = None,
    *,
    edge: Amount | None = None,
    returned: Amount | None = None,
    hit: Amount | None = None,
    line: str | None = None,
    decks: int | None = None,
    removed: str | None = None,
    cards: str | None = None,
) -> Solution | HitSolution:
    """Return the odds at which a bet has the target house edge (or return), and the nearest payable odds.

    A share is a percentage as text, such as ``"5%"``, or a Fraction or Decimal. ``line``: change the odds of
    this line of the pay table alone. Default: all that pay, by one factor. With ``hit``, the target hit
    frequency: which lines may pay, and which return the stake. The shoe is stated as for ``odds``.

    >>> solve("commission-insurance-2013", "player-pair", edge="5%").lines[0].odds.net
    Fraction(1453, 124)
    """
    shares = {"edge": edge, "returned": returned, "hit": hit}
    stated = {name: share for name, share in shares.items() if share is not None}
    if len(stated) != 1:
        raise InputError(f"found {len(stated)} targets", "write one of {edge}, {returned} and {hit}")
    ((name, share),) = stated.items()
    wanted = _share(name, share)
    if hit is not None and line is not None:
        raise InputError("a hit frequency chooses among all lines of the bet", "leave out {line}")
    played = as_game(game)
    bet_id = as_bet(played, bet)
    dealt_from = as_shoe(shoe, decks=decks, removed=removed, cards=cards)
    if hit is not None:
        return solve_hit(played, bet_id, dealt_from, wanted)
    with named("line"):
        return solve_odds(
            played,
            bet_id,
            dealt_from,
            -wanted if edge is not None else wanted - 1,
            line=as_text("line", line) or "",
        )


def _share(name: str, value: object) -> Fraction:
    """Return a share from a percentage as text, or from a number; only an edge may be negative."""
    share = None if isinstance(value, str) else as_amount(name, value)
    if isinstance(value, str) and value.endswith("%"):
        with suppress(InputError):
            # documents print a space before the per cent sign
            share = Published.parse(f"{value[:-1].strip()}%").value
    if share is None or (name != "edge" and share < 0) or (name == "hit" and share > 1):
        raise InputError(f"found {in_words(value)}", f"write {_percentage(value)}", parameter=name)
    return share


def _percentage(value: object) -> str:
    """Return the text to write instead of a number without a per cent sign."""
    try:
        number = Published.parse(f"{value}%").value * 100
    except InputError:
        return "a percentage, such as 5%"
    if 0 < number < 1:
        return f"{format_money(number * 100)}% or, for a fraction of a per cent, {value}%"
    return f"{value}%" if 1 <= number <= 100 else "a percentage, such as 5%"


def solve_odds(game: Game, bet_id: str, shoe: Shoe, expected_value: Fraction, *, line: str = "") -> Solution:
    """Return the odds at which a bet has this expected value: those of one line, or of all by one factor."""
    bet = game.bet(bet_id)
    valued = _valuation(game, shoe)
    solved_for = [bet.pays[bet.line_named(line)]] if line else [pay for pay in bet.pays if pay.odds.net > 0]
    unit = [WHOLE] if line else [pay.odds.net for pay in solved_for]

    def times(factor: Fraction) -> BetAnalysis:
        return valued(_paying(bet, solved_for, [net * factor for net in unit]))

    factor = _crossing_point(times, _PROBES if line else (Fraction(1), Fraction(2)), expected_value)
    if factor is None:
        raise CombinatError(
            f"{bet.id}: no card sequence of this shoe reaches "
            f"{f'the line {line}' if line else 'a line that pays'}, so its odds have no effect"
        )
    nets = [net * factor for net in unit]
    least = times(ZERO)
    exact = times(factor) if factor > 0 else least
    if exact.expected_value != expected_value:
        what = f'the line "{line}"' if line else bet.id
        raise CombinatError(
            f"no odds of {what} give a house edge of {percent(-expected_value)} %: "
            f"with nothing paid on it the edge is {percent(-least.expected_value)} %; ask for a lower one"
        )
    return Solution(
        game=game,
        shoe=shoe,
        wanted=expected_value,
        now=valued(bet),
        exact=exact,
        lines=tuple(
            SolvedLine(name=bet.line_name(pay), now=pay.odds, odds=Odds.of(net))
            for pay, net in zip(solved_for, nets, strict=True)
        ),
        factor=None if line else factor,
        payable=_payable(nets, lambda near: valued(_paying(bet, solved_for, near)), expected_value),
    )


def _valuation(game: Game, shoe: Shoe) -> Callable[[Bet], BetAnalysis]:
    """Return a function that values a bet with other odds on the shoe; a staying bet until it is decided."""
    distribution = pair_distribution(shoe, game.table_of_play)

    def valued(other: Bet) -> BetAnalysis:
        return until_decided(game, other, distribution) or bet_analysis(game, other, distribution)

    return valued


def _paying(bet: Bet, lines: Sequence[Pay], nets: Sequence[Fraction]) -> Bet:
    """Return the bet with other odds on some of its lines."""
    odds = {id(line): Odds.of(net) for line, net in zip(lines, nets, strict=True)}
    pays = tuple(
        msgspec.structs.replace(pay, odds=odds[id(pay)], commission=None) if id(pay) in odds else pay
        for pay in bet.pays
    )
    return msgspec.structs.replace(bet, pays=pays)


def _crossing_point(
    valued: Callable[[Fraction], BetAnalysis], probes: tuple[Fraction, Fraction], wanted: Fraction
) -> Fraction | None:
    """Return where the line through two points has the target value, or None if the line is level."""
    first, second = (valued(probe).expected_value for probe in probes)
    if first == second:
        return None
    return probes[0] + (wanted - first) / (second - first) * (probes[1] - probes[0])


def _payable(
    nets: Sequence[Fraction], valued: Callable[[Sequence[Fraction]], BetAnalysis], wanted: Fraction
) -> tuple[Choice, ...]:
    """Return pay tables in whole numbers and in halves near the exact odds, the nearest first."""
    value = _AffineValue.of(valued, len(nets))
    named: dict[tuple[Fraction, ...], str] = {}
    for name, step in reversed(STEPS.items()):
        named |= dict.fromkeys(_best(_searched(nets, step, value, wanted), nets, value, wanted), name)
    choices = [
        Choice(name=name, odds=tuple(map(Odds.of, near)), bet=valued(near), change=_change(near, nets))
        for near, name in named.items()
    ]
    return tuple(sorted(choices, key=lambda choice: abs(choice.bet.expected_value - wanted)))


class _AffineValue(NamedTuple):
    """The expected value by the net of each line: a constant, and the probability of each line times its net."""

    constant: Fraction
    slopes: tuple[Fraction, ...]

    @classmethod
    def of(cls, valued: Callable[[Sequence[Fraction]], BetAnalysis], lines: int) -> "_AffineValue":
        base = [_PROBES[0] + line for line in range(lines)]  # distinct nets, so that no two lines are alike
        at_base = valued(base).expected_value
        slopes = tuple(
            (
                valued([net + _PROBES[0] * (line == moved) for line, net in enumerate(base)]).expected_value
                - at_base
            )
            / _PROBES[0]
            for moved in range(lines)
        )
        return cls(at_base - cls(ZERO, slopes).at(base), slopes)

    def at(self, nets: Sequence[Fraction]) -> Fraction:
        return self.constant + sum((slope * net for slope, net in zip(self.slopes, nets, strict=True)), ZERO)


def _searched(
    nets: Sequence[Fraction], step: Fraction, value: _AffineValue, wanted: Fraction
) -> Iterator[tuple[Fraction, ...]]:
    """Yield pay tables in whole steps: one line is solved for, each in turn.

    The others are near their nets.
    """
    others = max(len(nets) - 1, 1)
    each = max(count for count in range(1, 25) if count == 1 or count**others * len(nets) <= SEARCHED)
    near = [_steps_near(net, step, each) for net in nets]
    for solved, slope in enumerate(value.slopes):
        if not slope:
            continue
        for chosen in product(*near[:solved], [ZERO], *near[solved + 1 :]):
            exact = (wanted - value.at(chosen)) / slope
            for net in (exact // step * step, -(-exact // step) * step):
                yield (*chosen[:solved], max(net, step), *chosen[solved + 1 :])


def _steps_near(net: Fraction, step: Fraction, count: int) -> list[Fraction]:
    """Return at most ``count`` whole steps, evenly spread from 2/3 to 3/2 of this net, and its neighbours."""
    low = max(net * 2 / 3 // step, 1)
    high = max(-(-net * 3 / 2 // step), low)
    stride = max(-(-(high - low + 1) // count), 1)
    places = {*range(int(low), int(high) + 1, int(stride)), max(net // step, 1), max(-(-net // step), 1)}
    return sorted((step * place for place in places), key=lambda near: abs(near - net))[:count]


def _best(
    tables: Iterable[tuple[Fraction, ...]], nets: Sequence[Fraction], value: _AffineValue, wanted: Fraction
) -> Iterator[tuple[Fraction, ...]]:
    """Yield the table nearest to the target value, then each next one with a clearly better shape.

    Pay tables above the target value and below it are ranked separately.
    """
    sides: tuple[list[Any], list[Any]] = ([], [])
    for near in set(tables):
        distance = value.at(near) - wanted
        sides[distance > 0].append((abs(distance) // NEAR, _change(near, nets), near))
    for side in sides:
        shapes: list[Fraction] = []
        for _, change, near in sorted(side):
            if len(shapes) < PAYABLE and (not shapes or change < shapes[-1] * CLEARLY):
                shapes.append(change)
                yield near


def _change(near: Sequence[Fraction], nets: Sequence[Fraction]) -> Fraction:
    """Return the largest change of a line from its exact odds, as a share of the smaller of the two."""
    return max(max(a / b, b / a) - 1 for a, b in zip(near, nets, strict=True))


def solve_hit(game: Game, bet_id: str, shoe: Shoe, hit_frequency: Fraction) -> HitSolution:
    """Return the choices of paying lines, all others returned, with about this hit frequency in one round.

    The odds of a line do not change how often it wins, so the choice of lines is the only variable.
    """
    bet = game.bet(bet_id)
    distribution = pair_distribution(shoe, game.table_of_play)
    lines = [pay for pay in bet.pays if pay.odds.net >= 0]
    sums = [0]
    for pay in lines:
        ways = line_ways(pay, distribution)
        sums += [ways + others for others in sums]
    wanted = hit_frequency * distribution.sample_space
    nearest = nsmallest(CHOICES, range(1, len(sums)), key=lambda chosen: abs(sums[chosen] - wanted))
    return HitSolution(
        game=game,
        shoe=shoe,
        wanted=hit_frequency,
        now=bet_analysis(game, bet, distribution),
        back_now=tuple(bet.line_name(pay) for pay in lines if not pay.odds.net),
        choices=tuple(
            HitChoice(
                paying=tuple(bet.line_name(pay) for pay in _chosen(lines, chosen, True)),
                returned=tuple(bet.line_name(pay) for pay in _chosen(lines, chosen, False)),
                bet=bet_analysis(game, _with_lines_paying(bet, lines, chosen), distribution),
            )
            for chosen in nearest
        ),
    )


def _with_lines_paying(bet: Bet, lines: Sequence[Pay], chosen: int) -> Bet:
    """Return the bet with the chosen lines paying (1 to 1 if now returned) and the others returned."""
    paying = [pay for pay in _chosen(lines, chosen, True) if not pay.odds.net]
    returned = list(_chosen(lines, chosen, False))
    return _paying(bet, [*paying, *returned], [WHOLE] * len(paying) + [ZERO] * len(returned))


def _chosen(lines: Sequence[Pay], chosen: int, in_it: bool) -> Iterator[Pay]:
    """Return the lines whose bit in ``chosen`` is set, or with ``in_it`` False those whose bit is not set."""
    return (pay for number, pay in enumerate(lines) if bool(chosen >> number & 1) is in_it)
