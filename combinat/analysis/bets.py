"""The exact analysis of a bet: every outcome's ways, and the figures that follow from them."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cached_property
from operator import contains
from typing import Any, ClassVar

import msgspec
from msgspec.structs import replace

from combinat.base.kinds import COUNT, FLAG, FRACTION, ODDS, ONE_IN, TEXT, decimal, percentage, root
from combinat.base.number import Root, Whole
from combinat.base.relation import Field, Many, Relation
from combinat.base.tabular import Listing, in_percent
from combinat.engine.distribution import Distribution, summed
from combinat.rules.bet import LOST, RETURNED, Bet, Pay
from combinat.rules.deal_space import Course, deal_space
from combinat.rules.document import VoidBets
from combinat.rules.game import Game
from combinat.rules.insurance import State
from combinat.rules.odds import PUSH
from combinat.rules.outcome import FirstFour, Outcome, Winner
from combinat.rules.table_of_play import Hand

ZERO, ONE = Fraction(0), Fraction(1)

ROUNDS_FOR_SKEWNESS = 25
"""Rounds that a sum needs to be near the normal, for a skewness of 1; they grow with its square (Cochran)."""

SHARE, FINE, ROOT = percentage(), percentage(6), root(4)

LINES: "Relation[OutcomeLine]" = Relation(
    "outcomes",
    Field("name", "outcome", TEXT, "The name of the line.", views="terminal report"),
    Field(
        *("odds", "odds", ODDS, "What the line pays; none on a loss."),
        lambda line: line.odds or None,
        views="terminal report",
        may_be_none=True,
    ),
    Field("net", "net", FRACTION, "Profit per unit staked."),
    Field("ways", "ways", COUNT, "Ordered card sequences.", views="terminal report"),
    Field(
        *("fraction", "fraction", FRACTION, "Ways over the sample space."),
        lambda line: line.probability,
        views="report",
        for_people=True,
    ),
    Field("probability", "probability %", FINE, "Ways over the sample space.", views="terminal report"),
    Field(
        *("one_in", "one in", ONE_IN, "Rounds per occurrence, on average."),
        lambda line: line.probability,
        views="terminal",
        for_people=True,
    ),
    Field(
        *("contribution", "to EV %", FINE, "Net times probability: its part of the expected value."),
        views="terminal",
    ),
    Field(
        *("share_of_return", "to return %", FINE, "Stake and net times probability: its part of the return."),
        views="report",
    ),
    Field(
        *("true_odds", "true odds to 1", decimal(4), "The other ways to its own."),
        views="report",
        may_be_none=True,
    ),
    Field("is_void", "void", FLAG, "Whether it is a void round."),
)  # fmt: skip
"""Outcomes of a bet, a row each."""

OUTCOMES: "Relation[tuple[BetAnalysis, OutcomeLine]]" = LINES.under(
    Field("bet", "bet", TEXT, "The bet's id.", lambda bet: bet.id), name="outcome"
)
"""Outcomes of several bets, a row each."""

BETS: "Relation[BetAnalysis]" = Relation(
    "bets",
    Field("id", "bet", TEXT, "The bet's id in the rule book.", views="terminal report"),
    Field("name", "name", TEXT, "The bet's name."),
    Field("pays", "pays", ODDS, "What its winning lines pay.", views="terminal report", for_people=True),
    Field("hit_frequency", "wins %", SHARE, "Probability that the bet wins.", views="terminal report", is_figure=True),
    Field(
        *("one_in", "one in", ONE_IN, "Rounds per win, on average.", lambda bet: bet.hit_frequency),
        views="terminal",
        for_people=True,
    ),
    Field("push", "pushes %", SHARE, "Probability that the pay table returns the stake.", is_figure=True),
    Field("void", "void %", SHARE, "Probability that the round is void.", is_figure=True),
    Field("returned", "returned %", SHARE, "Probability of a push or a void round.", views="terminal", is_figure=True),
    Field("expected_value", "EV %", SHARE, "Mean net result per unit staked.", is_figure=True),
    Field("house_edge", "house edge %", SHARE, "Expected loss per unit staked.", views="terminal report", is_figure=True),
    Field("return_to_player", "return to player %", SHARE, "Mean amount that comes back, stake included.", views="report", is_figure=True),
    Field(
        *("edge_per_resolved_bet", "edge per resolved bet %", SHARE),
        "House edge on bets that are won or lost.",
        is_figure=True,
        may_be_none=True,
    ),
    Field("variance", "variance", FRACTION, "Variance of the net result.", is_figure=True),
    Field("standard_deviation", "std dev", ROOT, "Standard deviation of the net result.", views="terminal report"),
    Field("third_central_moment", "third moment", FRACTION, "Third central moment of the net result.", is_figure=True),
    Field("skewness", "skewness", ROOT, "Skewness of the net result.", may_be_none=True),
    Field(
        *("skewness_signed_square", "skewness squared", FRACTION),
        "The square of the skewness, with its sign.",
        is_figure=True,
        may_be_none=True,
    ),
    Field(
        *("largest_payout", "largest payout to 1", FRACTION, "The most that a unit staked can win."),
        is_figure=True,
        may_be_none=True,
    ),
    Field(
        *("fair_odds", "fair odds to 1", decimal(2), "Mean profit to 1, over rounds won, at which neither side gains."),
        views="report",
        is_figure=True,
        may_be_none=True,
    ),
    Field("total_probability", "total %", SHARE, "The probabilities of all outcomes together: 1.", is_figure=True),
    Field(
        *("normal_from", "normal from", COUNT, "Rounds from which the normal distribution describes their sum."),
        is_figure=True,
        may_be_none=True,
    ),
    Field("outcomes", "outcomes", Many(LINES), "What can become of the bet."),
)  # fmt: skip
"""The figures of a bet, a row each."""


class FigureSubject(msgspec.Struct, frozen=True, kw_only=True):
    """A bet, a state, or insurance at some odds (under a procedure that has limits of its own)."""

    bet: str | None = None
    state: State | None = None
    odds: str | None = None
    procedure: str | None = None

    def __str__(self) -> str:
        if self.odds is not None:
            return f"insurance at {self.odds}" + (f" under {self.procedure}" if self.procedure else "")
        return str(self.state) if self.state is not None else self.bet or ""


class OutcomeLine(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """One outcome of a bet: a line of its pay table, the loss, or a void round.

    >>> from combinat import analyze
    >>> line = analyze("commission-insurance-2013")["player-pair"]["wins"]
    >>> line.net, line.probability, line.ways
    (Fraction(11, 1), Fraction(31, 415), 373374329013504)
    """

    FIGURES: ClassVar = ("contribution", "share_of_return", "true_odds")

    name: str
    odds: str
    net: Fraction
    ways: Whole
    probability: Fraction
    is_void: bool = False

    @property
    def key(self) -> str:
        """The name of the line."""
        return self.name

    @cached_property
    def contribution(self) -> Fraction:
        """The line's contribution to the expected value."""
        return self.net * self.probability

    @cached_property
    def share_of_return(self) -> Fraction:
        """The line's contribution to the return to player, which includes the stake."""
        return (1 + self.net) * self.probability

    @cached_property
    def true_odds(self) -> Fraction | None:
        """The odds to 1 against the line: all other ways divided by its ways. None if it has no ways."""
        return (1 - self.probability) / self.probability if self.probability else None

    def __repr__(self) -> str:
        return f"<OutcomeLine {self.name}: net {self.net}, probability {in_percent(self.probability)}>"


class BetAnalysis(Listing[OutcomeLine], msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """A bet on one shoe, per unit staked. All figures are exact.

    Iterating gives its outcomes; ``bet["wins"]`` is the one of that name.

    >>> from combinat import analyze
    >>> bet = analyze("commission-insurance-2013")["player-pair"]
    >>> bet.house_edge, bet.variance, bet.standard_deviation
    (Fraction(43, 415), Fraction(1714176, 172225), Root(1714176/172225))
    >>> float(bet.standard_deviation), str(bet.standard_deviation)
    (3.154856488941..., '3.154856488941')
    """

    FIGURES: ClassVar = BETS.figures
    RELATION: ClassVar = OUTCOMES
    LISTED: ClassVar = "outcomes"

    id: str
    name: str
    outcomes: tuple[OutcomeLine, ...]

    @cached_property
    def expected_value(self) -> Fraction:
        """The mean net result per unit staked."""
        return self._moment(1)

    @cached_property
    def house_edge(self) -> Fraction:
        """The mean share of the stake that the house keeps."""
        return -self.expected_value

    @cached_property
    def return_to_player(self) -> Fraction:
        """The mean share of the stake that is paid back, the stake included."""
        return 1 + self.expected_value

    @cached_property
    def hit_frequency(self) -> Fraction:
        """The probability that the bet wins."""
        return sum((line.probability for line in self.outcomes if line.net > 0), ZERO)

    @cached_property
    def returned(self) -> Fraction:
        """The probability that the stake is returned: on a push or in a void round."""
        return sum((line.probability for line in self.outcomes if line.net == RETURNED), ZERO)

    @cached_property
    def void(self) -> Fraction:
        """The probability of a void round."""
        return sum((line.probability for line in self.outcomes if line.is_void), ZERO)

    @cached_property
    def push(self) -> Fraction:
        """The probability that a line of the pay table returns the stake."""
        return sum(
            (line.probability for line in self.outcomes if line.net == RETURNED and not line.is_void), ZERO
        )

    @cached_property
    def edge_per_resolved_bet(self) -> Fraction | None:
        """The house edge per bet that is won or lost. None if no bet ever is."""
        return self.house_edge / (1 - self.returned) if self.returned < ONE else None

    @cached_property
    def variance(self) -> Fraction:
        """The variance of the net result. Its square root is the standard deviation."""
        return self._moment(2) - self.expected_value**2

    @cached_property
    def third_central_moment(self) -> Fraction:
        """The third central moment. Divided by the standard deviation cubed, it is the skewness."""
        mean = self.expected_value
        return self._moment(3) - 3 * mean * self._moment(2) + 2 * mean**3

    @cached_property
    def skewness_signed_square(self) -> Fraction | None:
        """The square of the skewness, with the skewness's sign. None if the variance is 0."""
        third = self.third_central_moment
        return third * abs(third) / self.variance**3 if self.variance else None

    @cached_property
    def largest_payout(self) -> Fraction | None:
        """The largest profit per unit staked on this shoe. None if the bet cannot win."""
        return max((line.net for line in self.outcomes if line.ways and line.net > RETURNED), default=None)

    @cached_property
    def fair_odds(self) -> Fraction | None:
        """The mean profit to 1 over wins at which the expected value is 0. None if the bet never wins."""
        lost = sum((line.probability for line in self.outcomes if line.net == LOST), ZERO)
        return lost / self.hit_frequency if self.hit_frequency else None

    @cached_property
    def normal_from(self) -> Whole | None:
        """The number of rounds from which a normal distribution approximates their sum, by Cochran's rule.

        25 times the squared skewness, rounded up, at least 1. None if the variance is 0.
        """
        square = self.skewness_signed_square
        return None if square is None else Whole(max(1, -int(-ROUNDS_FOR_SKEWNESS * abs(square) // 1)))

    @cached_property
    def total_probability(self) -> Fraction:
        """The sum of the probabilities of its outcomes: 1."""
        return sum((line.probability for line in self.outcomes), ZERO)

    @property
    def standard_deviation(self) -> Root:
        """The standard deviation: the exact root of ``variance``."""
        return Root(self.variance)

    @property
    def skewness(self) -> Root | None:
        """The exact skewness. None if the variance is 0."""
        square = self.skewness_signed_square
        return None if square is None else Root(square)

    @property
    def pays(self) -> str:
        """The odds of its winning lines in a phrase."""
        return odds_in_words([line.odds for line in self.outcomes if line.net > 0 and line.odds])

    @property
    def key(self) -> str:
        """The bet's id."""
        return self.id

    def records(self) -> Iterable[Any]:
        """Its outcomes, a row each."""
        return ((self, line) for line in self.outcomes)

    def __repr__(self) -> str:
        return (
            f"<BetAnalysis {self.id}: house edge {in_percent(self.house_edge)}, "
            f"wins {in_percent(self.hit_frequency)}>"
        )

    def _moment(self, power: int) -> Fraction:
        return sum((line.net**power * line.probability for line in self.outcomes), ZERO)


def odds_in_words(odds: Sequence[str]) -> str:
    """Return odds as a phrase; odds that all end in "to 1" share the ending.

    >>> odds_in_words(["4 to 1", "20 to 1"]), odds_in_words(["3 to 2", "1 to 1"]), odds_in_words([])
    ('4, 20 to 1', '3 to 2, 1 to 1', 'push')
    """
    if not odds:
        return PUSH
    if all(text.endswith(" to 1") for text in odds):
        return ", ".join(text.removesuffix(" to 1") for text in odds) + " to 1"
    return ", ".join(odds)


def bet_analysis(game: Game, bet: Bet, distribution: Distribution) -> BetAnalysis:
    """Return the analysis of a bet on the shoe that the distribution was counted for."""
    paid = [(pay, line_ways(pay, distribution)) for pay in bet.pays]
    rest = distribution.sample_space - distribution.void - sum(ways for _, ways in paid)

    def line(name: str, odds: str, net: Fraction, ways: int, is_void: bool = False) -> OutcomeLine:
        probability = Fraction(ways, distribution.sample_space)
        return OutcomeLine(
            name=name, odds=odds, net=net, ways=Whole(ways), probability=probability, is_void=is_void
        )

    outcomes = [line(bet.line_name(pay), pay.odds, pay.odds.net, ways) for pay, ways in paid]
    outcomes.append(line(bet.line_name(None), "" if bet.rest else PUSH, bet.rest, rest))
    for (net,), ways in void_nets(game, [bet], distribution).items():
        name = "void" if net == RETURNED else f"void, {'won' if net > RETURNED else 'lost'}"
        outcomes.append(line(name, PUSH if net == RETURNED else "", net, ways, is_void=True))
    return BetAnalysis(id=bet.id, name=bet.name, outcomes=tuple(outcomes))


def line_ways(pay: Pay, distribution: Distribution) -> int:
    """Return the number of ways of a line of a pay table, from the facts that it names."""
    counts = distribution.detailed(thirds=pay.looks_at_thirds, pair_ranks=pay.looks_at_pair_ranks)
    if pay.looks_at_result and pay.looks_at_first_four:
        return sum(ways for outcome, ways in counts.outcomes.items() if pay.covers(outcome))
    if pay.looks_at_first_four:
        return sum(ways for match, ways in counts.first_fours.items() if pay.covers_first_four(match))
    if pay.exceptions:
        return sum(ways for ended, ways in counts.results.items() if pay.covers_result(ended))
    accepted = tuple(pay.in_result.facts.values())
    return sum(
        ways
        for values, ways in counts.results_by(tuple(pay.in_result.facts)).items()
        if all(map(contains, accepted, values))
    )


def void_nets(game: Game, bets: Sequence[Bet], distribution: Distribution) -> dict[tuple[Fraction, ...], int]:
    """Return the joint net results of the bets in void rounds: all returned, unless decided bets stand."""
    if not distribution.void:
        return {}
    returned = (RETURNED,) * len(bets)
    if game.void.bets is not VoidBets.DECIDED_STAND:
        return {returned: distribution.void}
    from combinat.rules.deal_space import decided_net  # only a shoe that runs out needs it

    nets = [
        (tuple(decided_net(bet, dealt) or RETURNED for bet in bets), ways)
        for dealt, ways in distribution.unopened.items()
    ]
    for first_four, courses in distribution.detailed_for(bets).courses.items():
        nets += [
            (tuple(_decided(game, bet, course, first_four) for bet in bets), ways)
            for course, ways in courses.items()
            if course.is_void
        ]
    return summed(nets)


def _decided(game: Game, bet: Bet, course: Course, first_four: FirstFour) -> Fraction:
    """Return the net result common to all ways of finishing the round, or 0 if they differ."""
    results = deal_space(game.table_of_play).results_from(course, thirds=bet.looks_at_thirds)
    nets = {bet.net(Outcome(result, first_four)) for result in results}
    return nets.pop() if len(nets) == 1 else RETURNED


# ---------------------------------------------------------------- bets that stay on the layout
#
# A stake that stays after a tie or a void round has no net result in that round. It plays again, from
# the same shoe, until a round settles it. Rounds after which it stays drop out, and the other outcomes keep
# their proportions. A round that returns the stake to the player settles it.


def ties_stay(game: Game) -> bool:
    """Whether a tie leaves the bets on the hands on the layout in this reading of the game."""
    return game.practice.tied_bets == "stay"


def void_stays(game: Game) -> bool:
    """Whether a void round leaves every bet on the layout in this reading of the game."""
    return game.void.bets is VoidBets.STAY


def staying_bets(game: Game) -> tuple[Bet, ...]:
    """Return the bets that may stay on the layout: all after a void round, those on the hands after a tie."""
    if void_stays(game):
        return game.bets
    return tuple(bet for bet in game.bets if _stays_on_a_tie(game, bet))


def until_decided(game: Game, bet: Bet, distribution: Distribution) -> BetAnalysis | None:
    """Return the analysis of a bet played until a round settles it, or None if no round of this shoe can.

    A bet that never stays on the layout is settled by one round.
    """
    analysis = bet_analysis(game, bet, distribution)
    ties = _tied_ways(bet, distribution) if _stays_on_a_tie(game, bet) else {}
    left: list[tuple[int, int]] = []
    for number, line in enumerate(analysis.outcomes):
        stays = line.net == RETURNED and (void_stays(game) if line.is_void else bool(ties))
        ways = line.ways - (line.ways if line.is_void else ties[number]) if stays else line.ways
        if ways or not stays:
            left.append((number, ways))
    decided = sum(ways for _, ways in left)
    if not decided:
        return None
    outcomes = tuple(
        replace(analysis.outcomes[number], ways=Whole(ways), probability=Fraction(ways, decided))
        for number, ways in left
    )
    return BetAnalysis(id=bet.id, name=bet.name, outcomes=outcomes)


def _stays_on_a_tie(game: Game, bet: Bet) -> bool:
    """Whether a tie leaves this bet on the layout: it is a bet on a hand, at any odds."""
    on_hands = [its.id for hand in Hand if (its := game.bet_on(hand)) is not None]
    return ties_stay(game) and bet.id in on_hands


def _tied_ways(bet: Bet, distribution: Distribution) -> dict[int, int]:
    """Return the ways of ties for each line of the bet, by its number; ties that no line covers come last."""
    numbers = {id(pay): number for number, pay in enumerate(bet.pays)}
    ties = dict.fromkeys(range(len(bet.pays) + 1), 0)
    for outcome, ways in distribution.detailed_for([bet]).outcomes.items():
        if outcome.result.winner is Winner.TIE:
            pay = bet.line(outcome)
            ties[len(bet.pays) if pay is None else numbers[id(pay)]] += ways
    return ties
