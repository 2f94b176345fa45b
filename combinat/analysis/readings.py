"""The interpretation register, computed: the effect of the other reading of each clause."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import ClassVar

from combinat.analysis.bets import FigureSubject, bet_analysis, until_decided, void_stays
from combinat.analysis.insurance import insurance_analysis, moments
from combinat.analysis.insurance_limits import largest_stake, largest_stake_on_both
from combinat.base.kinds import FRACTION, TEXT
from combinat.base.relation import Field, Many, Relation
from combinat.engine.distribution import Distribution
from combinat.engine.walk import walk
from combinat.rules.bet import Bet
from combinat.rules.document import Interpretation
from combinat.rules.game import Game, read_instead
from combinat.rules.house_rules import Phrased
from combinat.rules.insurance import Offer, Open, State
from combinat.rules.odds import Odds
from combinat.rules.shoe import Shoe
from combinat.rules.table_of_play import Hand


class Measure(Phrased):
    """Which figure another reading changes."""

    EXPECTED_VALUE = "expected-value", "expected value"
    LARGEST_STAKE = "largest-insurance-stake", "largest insurance stake"
    BOTH_STAGES = "largest-insurance-stake-both-stages", "largest insurance stake, both stages together"
    BOTH_HANDS = "largest-insurance-stake-both-hands", "largest insurance stake, both hands together"
    UNTIL_DECIDED = (
        "expected-value-until-decided",
        "expected value until decided, each round from such a shoe",
    )
    LAYOUTS = "layouts", "layouts that offer it"
    STATES_OPEN = "insurance-states-open", "insurance states open to it"


DIFFERENCES: "Relation[Difference]" = Relation(
    "differences",
    Field("for", "for", TEXT, "The bet, insurance state or limit.", lambda row: str(row.subject)),
    Field("figure", "figure", TEXT, "Which figure it is.", lambda row: row.measure.in_words),
    Field("read", "as read", FRACTION, "Under the reading taken.", may_be_none=True),
    Field("otherwise", "otherwise", FRACTION, "Under the other reading.", may_be_none=True),
    Field("change", "change", FRACTION, "By how much the other reading moves it.", is_figure=True, may_be_none=True),
)  # fmt: skip
"""Figures that another reading changes, a row each."""


@dataclass(frozen=True, kw_only=True)
class Difference:
    """One figure under the reading taken and under the other; None where the figure does not exist."""

    FIGURES: ClassVar = DIFFERENCES.figures

    subject: FigureSubject
    measure: Measure
    read: Fraction | None
    otherwise: Fraction | None

    @cached_property
    def change(self) -> Fraction | None:
        """The change of the figure under the other reading."""
        if self.read is None or self.otherwise is None:
            return None
        return self.otherwise - self.read


@dataclass(frozen=True, kw_only=True)
class Reading:
    """An entry of the interpretation register, and the figures that its other reading changes."""

    entry: str
    differences: tuple[Difference, ...]


READINGS: Relation[Reading] = Relation(
    "readings",
    Field("id", "entry", TEXT, "The id of the entry of the register.", lambda row: row.entry),
    Field(
        "effects", "effects", Many(DIFFERENCES), "The figures that it touches.", lambda row: row.differences
    ),
)
"""Entries of the register, a row each."""

READING_EFFECTS: Relation[tuple[Reading, Difference]] = DIFFERENCES.under(
    Field("entry", "entry", TEXT, "The id of the entry of the register.", lambda row: row.entry)
)
"""The figures that other readings change, a row each."""


def readings(game: Game, shoe: Shoe, distribution: Distribution) -> tuple[Reading, ...]:
    """Return every entry of the register, on the shoe of this distribution."""
    return tuple(
        Reading(entry=entry.id, differences=differences(game, entry, shoe, distribution))
        for entry in game.interpretations
    )


def differences(
    game: Game, entry: Interpretation, shoe: Shoe, distribution: Distribution
) -> tuple[Difference, ...]:
    """Return the figures that the other reading of an entry changes, on the shoe of this distribution.

    For the bets and insurance states that the entry affects, the expected value per unit staked; for
    limits, the largest insurance stake that each line allows per unit of the original bet; for layouts and
    for the hands that a player may insure, their number. Where the game follows the other reading, it is the rule book's own.
    """
    other = read_instead(game, entry.id)
    same_deal = game.table_of_play == other.table_of_play
    after = distribution if same_deal else walk(shoe, other.round())
    return (
        *_of_bets(game, other, distribution, after),
        *_of_layouts(game, other),
        *_of_insured_hands(game, other),
        *_of_insurance(game, other, distribution, after),
        *_of_limits(game, other, distribution),
    )


def _of_bets(game: Game, other: Game, before: Distribution, after: Distribution) -> Iterator[Difference]:
    """Yield the values of bets: over one round, or until they are decided where the readings differ in that."""
    everywhere = game.void.bets != other.void.bets or after is not before
    stays = void_stays(game) != void_stays(other)
    ties_differ = game.practice.tied_bets != other.practice.tied_bets
    on_hands = [game.bet_on(hand) for hand in Hand] if ties_differ else []
    pairs = list(zip(game.bets, other.bets, strict=True))
    valued = [(*pair, stays) for pair in pairs if everywhere or pair[0].pays != pair[1].pays]
    valued += [(*pair, True) for pair in pairs if pair[0] in on_hands]
    for bet, other_bet, is_until_decided in valued:
        value = _until_decided if is_until_decided else _of_one_round
        yield Difference(
            subject=FigureSubject(bet=bet.id),
            measure=Measure.UNTIL_DECIDED if is_until_decided else Measure.EXPECTED_VALUE,
            read=value(game, bet, before),
            otherwise=value(other, other_bet, after),
        )


def _of_one_round(game: Game, bet: Bet, distribution: Distribution) -> Fraction:
    return bet_analysis(game, bet, distribution).expected_value


def _until_decided(game: Game, bet: Bet, distribution: Distribution) -> Fraction | None:
    """Return the value of a bet until it is decided: over one round if it never stays on the layout."""
    decided = until_decided(game, bet, distribution)
    return None if decided is None else decided.expected_value


def _of_layouts(game: Game, other: Game) -> Iterator[Difference]:
    for bet, other_bet in zip(game.bets, other.bets, strict=True):
        if len(bet.layouts) != len(other_bet.layouts):
            yield Difference(
                subject=FigureSubject(bet=bet.id),
                measure=Measure.LAYOUTS,
                read=Fraction(len(bet.layouts)),
                otherwise=Fraction(len(other_bet.layouts)),
            )


def _of_insured_hands(game: Game, other: Game) -> Iterator[Difference]:
    for hand in Hand:
        bet, read, otherwise = game.bet_on(hand), _open_states(game, hand), _open_states(other, hand)
        if bet is not None and read != otherwise:
            subject = FigureSubject(bet=bet.id)
            yield Difference(subject=subject, measure=Measure.STATES_OPEN, read=read, otherwise=otherwise)


def _open_states(game: Game, hand: Hand) -> Fraction:
    """Return the number of insurance states that are open to a player who has a bet on this hand."""
    either = game.practice.insured_hand == "either"
    return Fraction(sum(1 for state in game.offers if either or state.side is hand))


def _of_insurance(game: Game, other: Game, before: Distribution, after: Distribution) -> Iterator[Difference]:
    if game.insurance_terms is None or other.insurance_terms is None:
        return
    same_offers = (
        game.insurance == other.insurance and game.insurance_terms.open == other.insurance_terms.open
    )
    if same_offers and after is before:
        return
    values = {one.state: one.expected_value for one in insurance_analysis(game, before)}
    others = {one.state: one.expected_value for one in insurance_analysis(other, after)}
    for state in values:
        if values[state] != others.get(state):
            yield Difference(
                subject=FigureSubject(state=state),
                measure=Measure.EXPECTED_VALUE,
                read=values[state],
                otherwise=others.get(state),
            )


MOST_STAKED = ((1, Measure.LARGEST_STAKE), (2, Measure.BOTH_STAGES))
"""Numbers of insurance bets on one hand, with the names of their largest stakes."""


def _of_limits(game: Game, other: Game, distribution: Distribution) -> Iterator[Difference]:
    if game.insurance_terms is None or other.insurance_terms is None:
        return
    own, others = game.insurance_terms.limits, other.insurance_terms.limits
    if own == others:
        return
    procedures = sorted({limit.procedure for limit in (*own, *others) if limit.procedure})
    on_both_hands = _odds_on_both_hands(game, game.insurance_terms.open, distribution)
    for procedure in (None, *procedures):
        changed = set[Odds]()
        for odds in _odds(game.offers):
            for bets, measure in MOST_STAKED:
                read = largest_stake(own, odds, procedure, bets)
                otherwise = largest_stake(others, odds, procedure, bets)
                if read != otherwise:
                    changed.add(odds)
                    subject = FigureSubject(odds=str(odds), procedure=procedure)
                    yield Difference(subject=subject, measure=measure, read=read, otherwise=otherwise)
                    break
        for player, banker in on_both_hands:
            read = largest_stake_on_both(own, player, banker, procedure)
            otherwise = largest_stake_on_both(others, player, banker, procedure)
            if read != otherwise and not changed & {player, banker}:
                subject = FigureSubject(
                    odds=f"{player} on Player and {banker} on Banker", procedure=procedure
                )
                yield Difference(subject=subject, measure=Measure.BOTH_HANDS, read=read, otherwise=otherwise)


def _odds_on_both_hands(game: Game, opens: Open, distribution: Distribution) -> list[tuple[Odds, Odds]]:
    """Return the pairs of odds at which one round can offer insurance on both hands."""
    offered: set[tuple[Odds, Odds]] = set()
    for course in distribution.by_points:
        at = moments(course, opens)
        on = {
            hand: [offer.odds for one in at if (offer := game.offers.get(State(hand, *one))) is not None]
            for hand in Hand
        }
        offered.update(product(on[Hand.PLAYER], on[Hand.BANKER]))
    return sorted(offered, key=lambda pair: [(odds.net, odds) for odds in pair])


def _odds(offers: dict[State, Offer]) -> list[Odds]:
    return sorted({offer.odds for offer in offers.values()}, key=lambda odds: (odds.net, odds))
