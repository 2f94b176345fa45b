"""The most that a full layout can cost the House in one round, at given limits, and the stakes that do it.

For every outcome the players are given the stakes that win most of it: on a side bet that wins all that its limit
allows at every position, on one that loses nothing, and on the hands the best that their limits and the Differential
leave. The largest of these sums is the ceiling. Stakes on bets that lose would only help the House.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from combinat.analysis.bets import void_nets
from combinat.base.errors import StakeError
from combinat.engine.distribution import Distribution
from combinat.rules.bet import Bet
from combinat.rules.game import Game
from combinat.rules.practice import DifferentialOf
from combinat.rules.table_of_play import Hand

ZERO = Fraction(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The limits of a full layout: for each bet the most that one position may stake, and the Differential.

    ``differential``: the most by which the bets on the hands may differ; None: it is not looked at.
    """

    positions: int
    bets: Mapping[str, Fraction]
    differential: Fraction | None


@dataclass(frozen=True, slots=True, kw_only=True)
class InsuredCeiling:
    """The most that a round can cost with insurance; ``loss`` None: the limits leave no finite figure.

    ``stakes`` and ``insurance``: those of all positions together with which it costs so much.
    """

    loss: Fraction | None
    stakes: Mapping[str, Fraction]
    insurance: Mapping[str, Fraction]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ceiling:
    """The most that a round can cost, and the stakes of all positions together that it takes.

    ``others``: other stakes, for other rounds, with which one costs just as much; on the hands the least that do.
    ``insured``: the same with insurance; None: none is offered.
    """

    loss: Fraction
    stakes: Mapping[str, Fraction]
    others: tuple[Mapping[str, Fraction], ...] = ()
    insured: InsuredCeiling | None = None

    @property
    def with_insurance(self) -> Fraction | None:
        """The most that a round can cost, insurance included; None: there is no finite figure."""
        if self.insured is None:
            return self.loss
        return None if self.insured.loss is None else max(self.loss, self.insured.loss)


def ceiling(game: Game, layout: str, limits: Limits, distribution: Distribution) -> Ceiling:
    """The most that the layout can cost in one round on the shoe whose rounds were counted."""
    bets = game.bets_on(layout)
    hands = {bet.id for hand in Hand if (bet := game.bet_on(hand)) is not None}
    _check(bets, limits, hands)
    most, choices = ZERO, list[dict[str, Fraction]]()
    for nets in dict.fromkeys(_nets(game, bets, distribution)):
        by_bet = {bet.id: net for bet, net in zip(bets, nets, strict=True)}
        stakes = {
            bet: limits.bets[bet] * limits.positions
            for bet, net in by_bet.items()
            if net > 0 and (bet not in hands or limits.differential is None)
        }
        if limits.differential is not None:
            stakes |= _on_hands(game, by_bet, limits)
        loss = _won(stakes, by_bet)
        if loss > most:
            most, choices = loss, []
        if loss and loss == most and stakes not in choices:
            choices.append(stakes)
    stakes, *others = choices or [{}]
    return Ceiling(loss=most, stakes=stakes, others=tuple(others))


def _nets(game: Game, bets: tuple[Bet, ...], distribution: Distribution) -> Iterator[tuple[Fraction, ...]]:
    """Every combination of net results that can come about, those of the likeliest outcomes first."""
    for outcome, _ in sorted(
        distribution.telling_for(bets).outcomes.items(), key=lambda counted: -counted[1]
    ):
        yield tuple(bet.net(outcome) for bet in bets)
    yield from void_nets(game, bets, distribution)


def _check(bets: tuple[Bet, ...], limits: Limits, hands: set[str]) -> None:
    free = hands if limits.differential is not None else set[str]()
    missing = [bet.id for bet in bets if bet.id not in limits.bets and bet.id not in free]
    if missing:
        raise StakeError(
            f"no limit is given for {', '.join(missing)}; without one there is no most that they can cost"
        )


def _on_hands(game: Game, nets: Mapping[str, Fraction], limits: Limits) -> dict[str, Fraction]:
    """The stakes on the two hands that win most within the Differential and the limits of each."""
    by_box = game.practice.differential is DifferentialOf.BOX
    times = limits.positions if by_box else 1
    most = limits.differential or ZERO
    ids = [bet.id for hand in Hand if (bet := game.bet_on(hand)) is not None and bet.id in nets]
    boxes = 1 if by_box else limits.positions
    caps = [limits.bets[bet] * boxes if bet in limits.bets else None for bet in ids]
    if len(ids) > 1 and all(cap is None for cap in caps) and sum((nets[bet] for bet in ids), ZERO) > 0:
        raise StakeError(
            f"{' and '.join(ids)} together can pay more than they take, so that the Differential does not bound "
            "them; give each a limit of its own"
        )
    best = dict.fromkeys(ids, ZERO)
    for amounts in product(_corners(most, caps), repeat=len(ids)):
        stakes = dict(zip(ids, amounts, strict=True))
        if _is_within(amounts, caps, most) and _won(stakes, nets) > _won(best, nets):
            best = stakes
    return {bet: stake * times for bet, stake in best.items() if stake}


def _corners(most: Fraction, caps: Sequence[Fraction | None]) -> list[Fraction]:
    """The stakes on a hand at which a limit of a hand or the Differential is met, alone or both together."""
    ends = [end for cap in caps if cap is not None for end in (cap - most, cap, cap + most)]
    return sorted({ZERO, most, *(end for end in ends if end > 0)})


def _is_within(amounts: Sequence[Fraction], caps: Sequence[Fraction | None], most: Fraction) -> bool:
    if any(cap is not None and amount > cap for amount, cap in zip(amounts, caps, strict=True)):
        return False
    lowest = min(amounts) if len(amounts) > 1 else ZERO
    return max(amounts, default=ZERO) - lowest <= most


def _won(stakes: Mapping[str, Fraction], nets: Mapping[str, Fraction]) -> Fraction:
    return sum((nets[bet] * stake for bet, stake in stakes.items()), ZERO)
