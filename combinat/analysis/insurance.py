"""Insurance states: the exact odds of the bet at each, and the rounds that pass it."""

from collections.abc import Mapping
from fractions import Fraction
from functools import cache, cached_property
from typing import ClassVar, NamedTuple

import msgspec

from combinat.base.kinds import COUNT, FLAG, FRACTION, NUMBER, ODDS, TEXT, decimal, percentage
from combinat.base.number import Whole
from combinat.base.relation import Field, Many, Relation
from combinat.base.tabular import Tabular, in_percent
from combinat.engine.distribution import Distribution
from combinat.rules.bet import RETURNED
from combinat.rules.deal_space import Course, result
from combinat.rules.game import Game
from combinat.rules.insurance import Moment, Offer, Open, State
from combinat.rules.odds import Odds
from combinat.rules.round import Stage
from combinat.rules.table_of_play import Hand
from combinat.rules.value_sets import NumberSet

SHARE = percentage()

STATE: Relation[State] = Relation(
    "state",
    Field("side", "hand", TEXT, "The insured hand.", views="terminal", words=Hand),
    Field("stage", "stage", TEXT, "When the offer is made.", words=Stage),
    Field(
        *("moment", "stage", TEXT, "When the offer is made, in short.", lambda state: state.stage.in_short),
        views="terminal",
        for_people=True,
    ),
    Field("player_points", "P", NUMBER, "The Player Hand's points.", views="terminal"),
    Field("banker_points", "B", NUMBER, "The Banker Hand's points.", views="terminal"),
    *(
        Field(name, head, kind, "A column of a report.", of, views="report", for_people=True)
        for name, head, kind, of in (
            ("insured_hand", "insured hand", TEXT, lambda state: state.side.capitalize()),
            ("offered", "offered", TEXT, lambda state: state.stage.in_words),
            ("player_total", "Player's points", COUNT, lambda state: state.player_points),
            ("banker_total", "Banker's points", COUNT, lambda state: state.banker_points),
        )
    ),
)
"""The moment at which an insurance bet is offered."""

STATES: "Relation[StateAnalysis]" = Relation(
    "states",
    *STATE.part(lambda row: row.state),
    Field("pays", "pays", ODDS, "What the insurance pays.", lambda row: row.odds, views="terminal report", for_people=True),
    Field("odds", "odds to 1", FRACTION, "Profit to 1 if it wins.", lambda row: row.net, may_be_none=True),
    Field("pays_on_tie", "pays on ties at", Many(NUMBER), "The points at which a tie pays too."),
    Field("ways", "ways", COUNT, "Ordered card sequences that reach the state with the offer open."),
    Field(
        *("probability", "reached %", SHARE, "Probability of the state with the offer open."),
        views="terminal report",
        is_figure=True,
    ),
    Field(
        *("wins", "wins %", SHARE, "Given the state, probability that it wins."),
        views="terminal report",
        is_figure=True,
        may_be_none=True,
    ),
    Field(
        *("pushes", "returned %", SHARE, "Given the state, probability of a return."),
        views="terminal report",
        is_figure=True,
        may_be_none=True,
    ),
    Field(
        *("loses", "loses %", SHARE, "Given the state, probability that it loses."),
        views="terminal report",
        is_figure=True,
        may_be_none=True,
    ),
    Field(
        *("expected_value", "EV %", percentage(4, signed=True), "Mean net result per unit staked."),
        views="terminal report",
        is_figure=True,
        may_be_none=True,
    ),
    Field("house_edge", "house edge %", SHARE, "Expected loss per unit staked.", is_figure=True, may_be_none=True),
    Field("variance", "variance", FRACTION, "Variance of the net result.", is_figure=True, may_be_none=True),
    Field(
        *("fair_odds", "fair", decimal(3), "Profit to 1 at which neither side gains."),
        views="terminal report",
        is_figure=True,
        may_be_none=True,
    ),
    Field("favours_player", "favours the player", FLAG, "Whether the expected value is above 0.", is_figure=True),
    Field("favours", "favours", TEXT, "Whom the bet favours.", views="terminal", for_people=True, is_spare=True),
)  # fmt: skip
"""Insurance states, a row each."""


class StateAnalysis(Tabular, msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """An insurance bet at one state, on one shoe. ``ways`` are those in which the offer is open.

    Figures conditional on the state are None if the state cannot arise. ``odds`` are None if no table
    offers the state; it then has fair odds but no expected value.

    >>> from combinat import analyze
    >>> state = analyze("commission-insurance-2013").insurance["banker:four-cards:6-5"]
    >>> state.wins, state.odds, state.expected_value
    (Fraction(681475277, 2737844442), '3 to 1', Fraction(38510831, 456307407))
    """

    FIGURES: ClassVar = ("net", *STATES.figures, "favours_house")
    RELATION: ClassVar = STATES

    state: State
    odds: Odds | None
    pays_on_tie: tuple[int, ...]
    sample_space: Whole
    ways: Whole
    won: Whole
    lost: Whole

    @property
    def key(self) -> str:
        """The name of its state: ``HAND:STAGE:OWN-OTHER``, the insured hand's points first."""
        return self.state.key

    @cached_property
    def net(self) -> Fraction | None:
        """The profit per unit staked if the bet wins. None if the state is not offered."""
        return None if self.odds is None else self.odds.net

    @cached_property
    def probability(self) -> Fraction:
        """The probability that a round reaches this state with the offer open."""
        return Fraction(self.ways, self.sample_space)

    @cached_property
    def wins(self) -> Fraction | None:
        """Given the state, how often the insurance bet wins."""
        return self._conditional(self.won)

    @cached_property
    def loses(self) -> Fraction | None:
        """Given the state, how often the insurance bet loses."""
        return self._conditional(self.lost)

    @cached_property
    def pushes(self) -> Fraction | None:
        """Given the state, how often the bet is returned: on ties that do not pay, and in void rounds."""
        return self._conditional(self.ways - self.won - self.lost)

    @cached_property
    def expected_value(self) -> Fraction | None:
        """The mean net result per unit staked."""
        if self.net is None or self.wins is None or self.loses is None:
            return None
        return self.net * self.wins - self.loses

    @cached_property
    def house_edge(self) -> Fraction | None:
        """The mean share of the stake that the house keeps."""
        return None if self.expected_value is None else -self.expected_value

    @cached_property
    def variance(self) -> Fraction | None:
        """The variance of the net result."""
        if self.net is None or self.wins is None or self.loses is None or self.expected_value is None:
            return None
        return self.net**2 * self.wins + self.loses - self.expected_value**2

    @cached_property
    def fair_odds(self) -> Fraction | None:
        """The profit to 1 at which the expected value is 0. None if the bet never wins in this state."""
        return Fraction(self.lost, self.won) if self.won else None

    @cached_property
    def favours_player(self) -> bool:
        """Whether the expected value is positive."""
        return self.net is not None and self.net.numerator * self.won > self.net.denominator * self.lost

    @cached_property
    def favours_house(self) -> bool:
        """Whether the expected value is negative."""
        return self.net is not None and self.net.numerator * self.won < self.net.denominator * self.lost

    @property
    def favours(self) -> str:
        """The side that the bet favours, in a word; "never" if the state cannot arise."""
        if not self.ways:
            return "never"
        return "PLAYER" if self.favours_player else "house" if self.favours_house else "neither"

    def __repr__(self) -> str:
        offer = (
            "nothing offered"
            if self.odds is None
            else f"{self.odds}, house edge {in_percent(self.house_edge)}"
        )
        return f"<StateAnalysis {self.state}: {offer}>"

    def _conditional(self, ways: int) -> Fraction | None:
        return Fraction(ways, self.ways) if self.ways else None


@cache
def moments(course: Course, opens: Open) -> tuple[Moment, ...]:
    """Return the moments of this course at which a listed offer is open."""
    known = opens is Open.WHENEVER_LISTED
    open_at: list[Moment] = []
    if known or course.player_third is not None or course.banker_third is not None or course.is_void:
        open_at.append(Moment(Stage.FOUR_CARDS, course.player, course.banker))
    if course.player_third is not None and (known or course.banker_third is not None or course.is_void):
        total = (course.player + course.player_third) % 10
        open_at.append(Moment(Stage.PLAYER_THIRD_CARD, total, course.banker))
    return tuple(open_at)


AT_EVENS = Offer(
    player_points=NumberSet(range(10)), banker_points=NumberSet(range(10)), odds=Odds.parse("1 to 1")
)
"""The line by which a state that no table offers is settled: who wins does not depend on the odds."""


class StateBet:
    """The insurance bet of one state, with its cached result on each course.

    ``offer`` is None for a state that no table offers; a tie then returns the bet.
    """

    def __init__(self, state: State, offer: Offer | None) -> None:
        self.state, self.offer = state, offer
        self.odds = (offer or AT_EVENS).odds
        self._signs: dict[Course, int] = {}

    def sign(self, course: Course) -> int:
        """Return 1 if the bet wins, 0 if it is returned, -1 if it loses. A void round returns it."""
        sign = self._signs.get(course)
        if sign is None:
            offer = self.offer or AT_EVENS
            net = RETURNED if course.is_void else offer.net(self.state.side, result(course))
            sign = self._signs[course] = (net.numerator > 0) - (net.numerator < 0)
        return sign

    def net(self, course: Course) -> Fraction:
        """Return the net result of a unit staked on this course."""
        sign = self.sign(course)
        return self.odds.net if sign > 0 else Fraction(sign)

    def won_and_lost(self, courses: Mapping[Course, int]) -> tuple[int, int]:
        """Return the ways in which the bet wins and the ways in which it loses, over these courses."""
        won = lost = 0
        signs, sign_of = self._signs, self.sign
        for course, ways in courses.items():
            sign = signs[course] if course in signs else sign_of(course)
            if sign > 0:
                won += ways
            elif sign < 0:
                lost += ways
        return won, lost

    def total_net(self, courses: Mapping[Course, int]) -> Fraction:
        """Return the net result of a unit staked, summed over the ways of these courses."""
        won, lost = self.won_and_lost(courses)
        return self.odds.net * won - lost

    def analysis(self, courses: Mapping[Course, int], sample_space: int) -> StateAnalysis:
        """Return the analysis of the insurance bet over the courses that pass the state."""
        won, lost = self.won_and_lost(courses)
        return StateAnalysis(
            state=self.state,
            odds=self.offer.odds if self.offer else None,
            pays_on_tie=tuple(sorted((self.offer and self.offer.tie_pays) or ())),
            sample_space=Whole(sample_space),
            ways=Whole(sum(courses.values())),
            won=Whole(won),
            lost=Whole(lost),
        )


class RoundsAhead(NamedTuple):
    """The rounds that may follow first four cards with the same totals, and the moments of open insurance.

    ``four_cards``: the moment after four cards. ``by_third``: by the points of the Player's third card (None: the
    Player Hand draws no card), the moment after it and the courses with their ways. A moment is None if no
    offer is open. The totals and the third card determine this, so it is the same for all these courses.
    """

    four_cards: Moment | None
    by_third: Mapping[int | None, tuple[Moment | None, Mapping[Course, int]]]

    @classmethod
    def of(cls, courses: Mapping[Course, int], opens: Open) -> "RoundsAhead":
        """Group courses whose first four cards have the same totals."""
        by_third: dict[int | None, dict[Course, int]] = {}
        for course, ways in courses.items():
            by_third.setdefault(course.player_third, {})[course] = ways
        open_at = {
            third: {moment.stage: moment for moment in moments(next(iter(group)), opens)}
            for third, group in by_third.items()
        }
        four_cards = next((at[Stage.FOUR_CARDS] for at in open_at.values() if Stage.FOUR_CARDS in at), None)
        return cls(
            four_cards,
            {
                third: (open_at[third].get(Stage.PLAYER_THIRD_CARD), group)
                for third, group in by_third.items()
            },
        )

    @property
    def courses(self) -> dict[Course, int]:
        """All courses with their ways."""
        return {course: ways for _, group in self.by_third.values() for course, ways in group.items()}


def courses_by_moment(game: Game, distribution: Distribution) -> dict[Moment, dict[Course, int]]:
    """Return the courses that pass each moment of an offer, with their ways; cached for a distribution."""
    if game.insurance_terms is None:
        return {}
    opens = game.insurance_terms.open
    if opens not in distribution.kept:
        by_moment = distribution.kept.setdefault(opens, {})
        for course, ways in distribution.by_points.items():
            for moment in moments(course, opens):
                by_moment.setdefault(moment, {})[course] = ways
    grouped: dict[Moment, dict[Course, int]] = distribution.kept[opens]
    return grouped


def bets_by_moment(game: Game) -> dict[Moment, list[StateBet]]:
    """Return the insurance bets that the game offers at each moment."""
    offered: dict[Moment, list[StateBet]] = {}
    for state, offer in game.offers.items():
        offered.setdefault(state.moment, []).append(StateBet(state, offer))
    return offered


def insurance_analysis(game: Game, distribution: Distribution) -> tuple[StateAnalysis, ...]:
    """Return every insurance state that the game offers, on the shoe of this distribution."""
    by_moment = courses_by_moment(game, distribution)
    return tuple(
        StateBet(state, offer).analysis(by_moment.get(state.moment, {}), distribution.sample_space)
        for state, offer in game.offers.items()
    )


class ThirdCard(msgspec.Struct, frozen=True, kw_only=True):
    """An insurance state after the Player's third card, with that card known by its points."""

    player_third: int
    analysis: StateAnalysis


THIRD_CARDS: Relation[ThirdCard] = Relation(
    "third cards",
    Field("player_third", "3rd", NUMBER, "The points of the Player's third card.", views="terminal report"),
    *STATES.part(
        *(lambda card: card.analysis, "pays", "odds", "probability", "wins", "pushes", "loses"),
        *("expected_value", "favours"),
    ),
)
"""States by the Player's third card, a row each."""


def by_third_card(game: Game, distribution: Distribution) -> tuple[ThirdCard, ...]:
    """Return every state after the Player's third card, by the points of that card."""
    by_moment = courses_by_moment(game, distribution)
    split: list[ThirdCard] = []
    for state, offer in game.offers.items():
        if state.stage is Stage.FOUR_CARDS:
            continue
        bet, by_card = StateBet(state, offer), dict[int, dict[Course, int]]()
        for course, ways in by_moment.get(state.moment, {}).items():
            by_card.setdefault(course.player_third or 0, {})[course] = ways
        split += [
            ThirdCard(player_third=points, analysis=bet.analysis(courses, distribution.sample_space))
            for points, courses in sorted(by_card.items())
        ]
    return tuple(split)


def not_offered(game: Game, distribution: Distribution) -> tuple[StateAnalysis, ...]:
    """Return the unfinished states without an insurance offer, valued as if ties were returned."""
    return tuple(
        StateBet(state, None).analysis(courses, distribution.sample_space)
        for moment, courses in sorted(courses_by_moment(game, distribution).items())
        for side in Hand
        if (state := State(side, *moment)) not in game.offers
    )
