"""One block of a study: shoes dealt from the block's random stream, and the exact sums of the players' bets."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from combinat.analysis.evaluate import evaluate, requested_part
from combinat.engine.arrays import Array, Ints
from combinat.montecarlo.cell import NO_CARD, POINTS, total
from combinat.montecarlo.dealer import Chance, ThirdCardRules, packed
from combinat.montecarlo.shoes import ShoeRounds, dealt_shoes, shuffled_shoes
from combinat.protection.insurance_play import NO_THIRD, Flags, InsuranceValues
from combinat.protection.study import (
    EIGHT_DECKS,
    BandSums,
    BlockSums,
    Study,
    StudyPlayer,
    StudyWager,
    added,
    denominators,
    wagers,
    with_bets,
)
from combinat.rules.cards import RANKS
from combinat.rules.game import Game
from combinat.rules.round import Stage

DECK = 52
SHOES_AT_ONCE = 500
"""Shoes of 8 decks that are dealt at once. Of larger shoes fewer, so that memory stays bounded."""


@dataclass(frozen=True, eq=False)
class Dealer:
    """The dealer of a study's blocks."""

    game: Game
    study: Study

    @cached_property
    def _asked(self) -> Game:
        return with_bets(self.game, self.study.bets)

    @cached_property
    def _wagers(self) -> tuple[StudyWager, ...]:
        return wagers(self.game, self.study.bets)

    @cached_property
    def _offers(self) -> dict[str, InsuranceValues]:
        return {wager.id: wager.offers for wager in self._wagers if wager.offers is not None}

    @cached_property
    def _drawing(self) -> ThirdCardRules:
        return ThirdCardRules.of(self.game)

    @cached_property
    def _weights(self) -> dict[str, list[dict[int, int]]]:
        """By wager, band and cards unseen: the factor from a numerator to the band's common denominator."""
        return {
            wager.id: [
                {number: whole // wager.denominator(number) for number in unseen}
                for whole, unseen in zip(
                    denominators(self.study, wager), self.study.unseen_by_band, strict=True
                )
            ]
            for wager in self._wagers
        }

    def block(self, number: int) -> BlockSums:
        """Return the sums of one block."""
        study = self.study
        chance, shoes = Chance(study.seed, number), study.shoes_of(number)
        at_once = max(1, min(SHOES_AT_ONCE, SHOES_AT_ONCE * EIGHT_DECKS // study.shoe.size))
        parts = []
        for start in range(0, shoes, at_once):
            decks = shuffled_shoes(chance, packed(study.shoe), min(at_once, shoes - start))
            parts.append(self.sums(dealt_shoes(decks, study.shoe, study.dealing, self._drawing)))
        return added(parts)

    def sums(self, rounds: ShoeRounds) -> BlockSums:
        """Return the sums of these rounds."""
        study, unseen = self.study, rounds.unseen.sum(axis=1)
        bands = np.searchsorted(study.positions, rounds.reach) - 1
        values = self._values(rounds, unseen)
        staked = [self._bets(player, values[player.wager], rounds, unseen) for player in study.players]
        squares = self._squares(staked, rounds)

        def number(rows: Flags) -> list[int]:
            numbers: list[int] = np.bincount(bands[rows], minlength=len(study.positions)).tolist()
            return numbers

        def total(player: StudyPlayer, numerators: Array) -> list[int]:
            rows, weights = np.flatnonzero(numerators), self._weights[player.wager]
            totals = [0] * len(study.positions)
            for band, cards, top in zip(
                *(column[rows].tolist() for column in (bands, unseen, numerators)), strict=True
            ):
                totals[band] += top * weights[band][cards]
            return totals

        players = list(zip(study.players, staked, squares, strict=True))
        columns = (
            [number(np.ones(len(unseen), dtype=np.bool_))],
            [number(values[wager].is_offered) for wager in study.bets],
            [number(bets) for bets in staked],
            [total(player, values[player.wager].numerators * bets) for player, bets, _ in players],
            [total(player, square) for player, _, square in players],
        )
        return tuple(
            BandSums(rounds=rounds, offers=offers, bets=bets, gains=gains, squares=squares)
            for (rounds,), offers, bets, gains, squares in zip(
                *(zip(*column, strict=True) for column in columns), strict=True
            )
        )

    def _values(self, rounds: ShoeRounds, unseen: Ints) -> dict[str, "_Value"]:
        """Return the value of each wager before every round, or when its offer arises."""
        values: dict[str, _Value] = {}
        if self._asked.bets:
            evaluation = evaluate(self._asked, rounds.unseen)
            always = np.ones(len(unseen), dtype=np.bool_)
            for column, bet in enumerate(evaluation.bets):
                values[bet] = _Value(always, evaluation.numerators[:, column])
        for insured, offers in self._offers.items():
            values[insured] = _offered(offers, rounds)
        return {wager: values[wager] for wager in self.study.bets}

    def _squares(self, staked: list[Flags], rounds: ShoeRounds) -> list[Array]:
        """Return the mean square of the unit staked in each round, 0 where none is, by player."""
        players = list(zip(self.study.players, staked, strict=True))
        places = {bet.id: place for place, bet in enumerate(self._asked.bets)}
        some = [bets for player, bets in players if player.wager in places]
        made = np.flatnonzero(np.any(some, axis=0)) if some else np.zeros(0, dtype=np.int64)
        squares: list[Array] = []
        evaluated = evaluate(self._asked, rounds.unseen[made], variance=True) if len(made) else None
        for player, bets in players:
            if player.wager in self._offers:
                squared = _offered(self._offers[player.wager].squared(), rounds)
                squares.append(squared.numerators * bets)
                continue
            table = None if evaluated is None else requested_part(evaluated.square_numerators, "variance")
            column: Array = np.zeros(len(bets), dtype=np.int64 if table is None else table.dtype)
            if table is not None:
                column[made] = table[:, places[player.wager]] * bets[made]
            squares.append(column)
        return squares

    def _bets(self, player: StudyPlayer, value: "_Value", rounds: ShoeRounds, unseen: Ints) -> Flags:
        """Return the rounds in which a player stakes a unit."""
        if player.count is None:
            positive: Flags = value.numerators > 0
            return positive & value.is_offered
        count = player.count
        tags = np.array([*count.tags.values, 0], dtype=np.int64)  # no card has no tag
        running = int(np.dot(self.study.shoe.counts, count.tags.values)) - rounds.unseen @ tags[: len(RANKS)]
        if player.wager in self._offers:  # the cards on the table are seen too
            hands = [*rounds.dealt.player[:2], *rounds.dealt.banker[:2]]
            if self._offers[player.wager].stage is Stage.PLAYER_THIRD_CARD:
                hands.append(rounds.dealt.player[2])
            for card in hands:
                running = running + tags[card]
                unseen = unseen - (card != NO_CARD)
        index = count.index
        is_reached: Flags = running * (DECK * index.denominator) >= index.numerator * unseen
        return is_reached & value.is_offered


@dataclass(frozen=True, eq=False)
class _Value:
    """A wager in every round: whether it is on offer, and the numerator of its expected value."""

    is_offered: Flags
    numerators: Array


def _offered(offers: InsuranceValues, rounds: ShoeRounds) -> _Value:
    """Return the values of an insurance table's offers, given the cards on the table and those seen before."""
    hands = rounds.dealt
    player = [POINTS.take(card) for card in hands.player]
    banker = [POINTS.take(card) for card in hands.banker]
    left = np.stack(
        [rounds.unseen[:, _ranks_worth(points)].sum(axis=1) for points in range(10)],
        axis=1,
    )
    rows = np.arange(len(left))
    third = np.where(hands.player[2] == NO_CARD, NO_THIRD, player[2]).astype(np.int64)
    for card in (player[0], player[1], banker[0], banker[1]):
        left[rows, card] -= 1
    if offers.stage is Stage.PLAYER_THIRD_CARD:
        drawn = third != NO_THIRD
        left[rows[drawn], third[drawn]] -= 1
    totals = [total(hand[0], hand[1]).astype(np.int64) for hand in (player, banker)]
    is_offered, numerators = offers.numerators(totals[0], totals[1], third, left)
    return _Value(is_offered, numerators)


def _ranks_worth(points: int) -> list[int]:
    return [number for number, rank in enumerate(RANKS) if rank.points == points]
