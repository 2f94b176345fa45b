"""The review of a log's stakes: the players whose stakes follow the edge beyond chance."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import ClassVar

import numpy as np

from combinat.analysis.evaluate import evaluate
from combinat.audit.judging.ledger import Ledger
from combinat.audit.judging.replay import whole_log
from combinat.audit.judging.statistics import Reals, holm
from combinat.audit.judging.terms import LogTerms, Statements, bet_columns, cut_card_of, shoe_of
from combinat.audit.permutation import (
    LEAST_SHOES,
    PERMUTATIONS,
    Signal,
    chances,
    rank_correlation,
    slope,
    within,
)
from combinat.audit.reading.hand_log import HandLog, located, open_log
from combinat.audit.reading.log_map import LogMapGiven, Money
from combinat.audit.reading.source import Source
from combinat.audit.stakes import ALL, STAKED, STATISTIC, TWO, PlayerStakes, Staked, Stakes
from combinat.audit.verdict import FaultKind
from combinat.base.errors import FileError, InputError, printable, shortened
from combinat.base.kinds import CHANCE, FLAG, NUMBER, TEXT, decimal, estimated
from combinat.base.money import Amount
from combinat.base.relation import Field, Many, Relation
from combinat.base.tabular import Listing
from combinat.engine.progress import SILENT, Progress
from combinat.protection.inputs import Tags
from combinat.rules.cards import RANKS
from combinat.rules.converters import ShoeGiven, as_path, as_probability
from combinat.rules.game import Game
from combinat.rules.shoe import Shoe

MOST_TAGS = 10
MOST_NAME = 60
"""Characters of a name that are shown."""

LARGEST = 2
"""The largest tag of the counts that are tried where none are given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Association:
    """The association of stakes with a signal, the edge or a count. Undefined figures are None.

    ``slope``: the increase of the stake per unit of the signal; ``rank_correlation``: Spearman's; ``chance``:
    the p-value under stakes that are independent of the cards; ``adjusted_chance``: the p-value adjusted for
    the number of tests. ``tags``: of a count; None for the edge.
    """

    slope: Fraction | None = None
    rank_correlation: Fraction | None = None
    chance: Fraction | None = None
    adjusted_chance: Fraction | None = None
    tags: Tags | None = None

    @property
    def tag_words(self) -> str:
        """The tags that are not 0, in words."""
        return " ".join(word for word in str(self.tags or "").split() if not word.endswith("=0"))


P_VALUE = estimated(CHANCE)

ASSOCIATIONS: Relation[Association] = Relation(
    "associations",
    Field("slope", "more a unit", STATISTIC, "Increase of the stake per unit of the edge or the count.", may_be_none=True),
    Field("slope", "slope per count", TWO, "", views="counts", for_people=True),
    Field("slope", "slope per point", TWO, "", lambda one: one.slope and one.slope / 100, views="bets", for_people=True),
    Field("rank_correlation", "rank correlation", STATISTIC, "Spearman's rank correlation.", may_be_none=True),
    Field("rank_correlation", "rank correlation", decimal(3, signed=True), "", views="bets counts", for_people=True),
    Field("chance", "chance", STATISTIC, "The p-value of a permutation test.", may_be_none=True),
    Field("chance", "p", P_VALUE, "", views="bets counts", for_people=True),
    Field("adjusted_chance", "adjusted", STATISTIC, "The p-value adjusted by Holm's method.", may_be_none=True),
    Field("adjusted_chance", "adjusted p", P_VALUE, "", views="bets counts", for_people=True),
)  # fmt: skip
"""Associations of stakes with an edge or a count, a row each."""

COUNTS: Relation[Association] = Relation(
    "counts",
    Field("tags", "true count of", TEXT, "", lambda one: one.tag_words, views="counts", for_people=True),
    *ASSOCIATIONS.fields,
    Field("tags", "true count of", TEXT, "The tags of the count.", lambda one: str(one.tags)),
)
"""Associations with counts, a row each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BetReview:
    """A player's stakes on a bet.

    ``subject``: its id, insurance such as ``player@four-cards``, or all bets.
    """

    subject: str
    staked: Staked
    edge: Association
    counts: tuple[Association, ...] = ()


SUBJECT: Field[BetReview] = Field(
    "subject", "bet", TEXT, "The bet, the insurance, or all bets.", views="bets counts"
)

REVIEWED_BETS: Relation[BetReview] = Relation(
    "reviewed bets",
    SUBJECT,
    *STAKED.part(lambda bet: bet.staked),
    Field("edge", "edge", ASSOCIATIONS, "Association with the edge."),
    Field("counts", "counts", Many(COUNTS), "Associations with counts."),
)
"""A player's stakes by bet, a row each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerReview:
    """A player's stakes: all together, and by bet. ``is_conspicuous``: they follow the edge beyond chance."""

    player: str
    rounds: int
    shoes: int
    together: BetReview
    bets: tuple[BetReview, ...]
    is_conspicuous: bool = False

    @property
    def key(self) -> str:
        """The player's name."""
        return self.player

    @property
    def in_words(self) -> str:
        """The player's name for people."""
        return self.player or NOBODY

    @property
    def chance(self) -> Fraction | None:
        """The smallest p-value of an edge, adjusted for the number of tests."""
        edges = [bet.edge.adjusted_chance for bet in (self.together, *self.bets)]
        return min((chance for chance in edges if chance is not None), default=None)


NOBODY = "(nobody named)"

PLAYER: Relation[PlayerReview] = Relation(
    "player",
    Field("player", "player", TEXT, "", lambda row: row.in_words, views="players bets counts", for_people=True),
    Field("player", "player", TEXT, "The player."),
)  # fmt: skip

PLAYERS: Relation[PlayerReview] = Relation(
    "players",
    *PLAYER.fields,
    Field("shoes", "shoes", NUMBER, "Shoes played.", views="players"),
    Field("rounds", "rounds", NUMBER, "Rounds played.", views="players"),
    Field("conspicuous", "conspicuous", FLAG, "Whether the stakes follow the edge beyond chance.", lambda row: row.is_conspicuous),
    *STAKED.part(lambda row: row.together.staked),
    Field("adjusted_chance", "adjusted p", P_VALUE, "", lambda row: row.chance, views="players", for_people=True),
    Field("adjusted_chance", "adjusted", STATISTIC, "The smallest adjusted p-value.", lambda row: row.chance, may_be_none=True),
)  # fmt: skip
"""Players of a log with the sums of all their bets, a row each."""

REVIEWED_PLAYERS: Relation[PlayerReview] = PLAYERS.select(
    "player", "shoes", "rounds", "conspicuous", "adjusted_chance"
).extended(
    Field("together", "all bets", REVIEWED_BETS, "All bets together."),
    Field("bets", "bets", Many(REVIEWED_BETS), "Every bet."),
)
"""Players of a log with their bets, an object each."""

BETS_OF_PLAYERS: Relation[tuple[PlayerReview, BetReview]] = REVIEWED_BETS.extended(
    *ASSOCIATIONS.part(lambda bet: bet.edge)
).under(*PLAYER.fields)
"""The bets of all players, a row each, with the association with the edge."""

COUNTS_OF_PLAYERS: Relation[tuple[tuple[PlayerReview, BetReview], Association]] = COUNTS.under(
    *PLAYER.part(lambda row: row[0]), *Relation("bet", SUBJECT).part(lambda row: row[1])
)
"""The counts of all bets of all players, a row each."""


@dataclass(frozen=True, kw_only=True)
class Review(Listing[PlayerReview]):
    """The review of a log's stakes; the most conspicuous players first."""

    RELATION: ClassVar = PLAYERS
    LISTED: ClassVar = "players"

    file: str
    sha256: str
    game: str
    game_name: str
    shoe: Shoe
    shoes: int
    rounds: int
    alpha: Fraction
    permutations: int
    claims: tuple[tuple[str, str], ...]
    read_as: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]
    players: tuple[PlayerReview, ...]

    def __repr__(self) -> str:
        return f"<Review of {printable(self.file)}: {len(self.conspicuous)} of {len(self.players)} players conspicuous>"

    @property
    def conspicuous(self) -> tuple[PlayerReview, ...]:
        """The players whose stakes follow the edge beyond chance."""
        return tuple(player for player in self.players if player.is_conspicuous)


def review(
    file: str | Path,
    *,
    game: str | None = None,
    shoe: ShoeGiven | None = None,
    decks: int | str | None = None,
    cards: str | None = None,
    tags: Sequence[str] = (),
    alpha: Amount = "0.01",
    log_map: LogMapGiven | None = None,
    progress: Progress = SILENT,
) -> Review:
    """Compare the stakes of a hand log, by player, with the exact edge on the cards left at that moment.

    ``tags``: counts to compare with too; default: one for each bet, from its effects of removal. ``alpha``:
    the adjusted p-value at or below which a player is named. A review shows association, not intent.

    >>> from combinat import review
    >>> review("no-such-log.csv")
    Traceback (most recent call last):
    combinat.base.errors.FileError: no-such-log.csv: cannot be read (No such file or directory)
    """
    if len(tags) > MOST_TAGS:
        raise InputError(f"found {len(tags)}", f"give {MOST_TAGS} counts at most", parameter="tags")
    level, counts = as_probability("alpha", alpha, Fraction(1, 2)), [Tags.parse(text) for text in tags]
    statements = Statements.of(game, log_map, shoe=shoe, decks=decks, cards=cards)
    judged_by, log = open_log(Source.at(as_path("file", file)), statements.game, statements.log_map)
    dealt_from = shoe_of(log, judged_by, statements)
    stakes = _stakes_of_log(log, judged_by, dealt_from, counts, progress)
    tags_of = dict.fromkeys(stakes.bets, tuple(range(len(stakes.tags))))
    if not tags:  # the count of each bet is compared with its own stakes
        tags_of = {bet: (number,) for number, bet in enumerate(stakes.bets)}
    tried = chances(stakes, tags_of, level)
    players = [
        _player(name, player, stakes, tags_of, tried[name])
        for name, player in stakes.players.items()
        if player.sums
    ]
    return Review(
        file=log.source.name,
        sha256=log.source.sha256,
        game=judged_by.id,
        game_name=judged_by.name,
        shoe=dealt_from,
        shoes=len(stakes.paths),
        rounds=stakes.rounds,
        alpha=level,
        permutations=PERMUTATIONS,
        claims=log.claimed,
        read_as=log.read_as,
        notes=tuple(_notes(stakes)),
        players=_with_adjusted_chances(players, level),
    )


def _stakes_of_log(log: HandLog, game: Game, shoe: Shoe, tags: Sequence[Tags], progress: Progress) -> Stakes:
    """Return the stakes of a log; refuse a log without every card."""
    place = log.source.place
    if not log.has_cards or not log.has_shoes:
        raise FileError(
            f"{place}: a review needs whole shoes with their cards, so that the cards left are known; there is no column of "
            + ("shoes" if log.has_cards else "cards")
        )
    terms = LogTerms(
        game, shoe, bet_columns(log, game), cut_card_of(log, shoe), notation=log.notation
    )  # payments are not judged
    bets = [column.subject for column in terms.columns if column.money is Money.STAKE]
    if not bets:
        raise FileError(
            f"{place}: the log has no stakes; a review needs columns stake: and payout: of some bets"
        )
    of_bets = [bet for bet in bets if "@" not in bet]
    ledger, stakes = Ledger(), Stakes(terms, tags or _default_counts(game, shoe, of_bets))
    with progress.bar(log.size, "reviewing", parts=False) as advance, located(place):
        for piece in whole_log(terms, ledger.reading(log.batches(advance))):
            ledger.add(piece)
            stakes.add(piece)
    for kind, what in (
        (FaultKind.UNREADABLE, "cannot be read"),
        (FaultKind.REPEATED, "give a round again"),
        (FaultKind.IMPOSSIBLE, "cannot have been dealt"),
    ):
        if count := ledger.counts[kind]:
            first = ledger.first[kind][0]
            raise FileError(
                f"{place}: {count} row{'' if count == 1 else 's'} {what}, such as {log.line_word} {first.line}: {first.message}; "
                "the cards left are unknown, and the log was not reviewed; cross-check it first"
            )
    if not any(player.sums for player in stakes.players.values()):
        raise FileError(f"{place}: nothing is staked in the log; there is nothing to review")
    return stakes


def _default_counts(game: Game, shoe: Shoe, bets: Sequence[str]) -> list[Tags]:
    """Return, for each bet, a count with small integer tags: its effects of removal, scaled to at most 2."""
    without = [shoe, *(shoe.minus([rank]) if shoe[rank] else shoe for rank in RANKS)]
    evaluation = evaluate(game, np.array([left.counts for left in without]))
    counts = []
    for bet in bets:
        fresh = evaluation.expected_value(0, bet)
        effects = [evaluation.expected_value(1 + number, bet) - fresh for number in range(len(RANKS))]
        most = max(abs(effect) for effect in effects) or Fraction(1)
        counts.append(Tags(tuple(round(LARGEST * effect / most) for effect in effects)))
    return counts


def _notes(stakes: Stakes) -> list[str]:
    notes = []
    if len(stakes.paths) < LEAST_SHOES:
        notes.append(f"{len(stakes.paths)} shoes are too few for a p-value; {LEAST_SHOES} are needed.")
    if stakes.not_offered:
        notes.append(f"{stakes.not_offered} insurance stakes are ignored: no insurance was on offer then.")
    return notes


# ---------------------------------------------------------------- the record of a player


def _player(
    name: str,
    player: PlayerStakes,
    stakes: Stakes,
    tags_of: dict[str, tuple[int, ...]],
    tried: dict[Signal, Fraction],
) -> PlayerReview:
    bets = [
        _bet(bet, number, player, stakes, tags_of[bet], tried)
        for number, bet in enumerate(stakes.bets)
        if bet in player.sums
    ]
    bets += [_insurance(subject, player) for subject in stakes.insured if subject in player.sums]
    return PlayerReview(
        player=shortened(printable(name), MOST_NAME),
        rounds=sum(course.last - course.first + 1 for course in player.courses.values()),
        shoes=len(player.courses),
        together=BetReview(
            subject=ALL,
            staked=Staked.sum_of([bet.staked for bet in bets]),
            edge=Association(chance=tried.get(Signal(ALL))),
        ),
        bets=tuple(bets),
    )


def _association(
    stakes: Reals, values: Reals, chance: Fraction | None, tags: Tags | None = None
) -> Association:
    return Association(
        slope=slope(stakes, values),
        rank_correlation=rank_correlation(stakes, values),
        chance=chance,
        tags=tags,
    )


def _bet(
    bet: str,
    number: int,
    player: PlayerStakes,
    stakes: Stakes,
    numbers: Sequence[int],
    tried: dict[Signal, Fraction],
) -> BetReview:
    placed = _by_round(player, lambda shoe: player.courses[shoe].stakes[:, number])
    edges = _by_round(player, lambda shoe: stakes.paths[shoe].edges[:, number])
    true_counts = _by_round(player, lambda shoe: stakes.paths[shoe].counts[:, numbers])
    counts = [
        _association(placed, true_counts[:, place], tried.get(Signal(bet, tags)), stakes.tags[tags])
        for place, tags in enumerate(numbers)
    ]
    edge = _association(placed, edges, tried.get(Signal(bet)))
    return BetReview(subject=bet, staked=player.sums[bet], edge=edge, counts=tuple(counts))


def _by_round(player: PlayerStakes, values: Callable[[int], Reals]) -> Reals:
    """Return values by round, for the rounds in which a player takes part. ``values``: of a shoe."""
    spans = player.courses.items()
    return np.concatenate([values(shoe)[course.first : course.last + 1] for shoe, course in spans])


def _insurance(subject: str, player: PlayerStakes) -> BetReview:
    """Return the review of insurance.

    Stakes are permuted within a state, where the visible totals are equal.
    """
    placed, edges, states = map(np.concatenate, zip(*player.offers[subject], strict=True))
    chance = within(placed, edges, states)
    edge = _association(placed, edges, chance)
    return BetReview(subject=subject, staked=player.sums[subject], edge=edge)


# ---------------------------------------------------------------- adjusted for their number


def _with_adjusted_chances(players: Sequence[PlayerReview], alpha: Fraction) -> tuple[PlayerReview, ...]:
    """Return the players with all p-values adjusted for their number, most conspicuous first."""
    edges = _holm([bet.edge for player in players for bet in (player.together, *player.bets)])
    counts = _holm([count for player in players for bet in player.bets for count in bet.counts])

    def of(bet: BetReview) -> BetReview:
        edge = next(edges)
        return replace(bet, edge=edge, counts=tuple(next(counts) for _ in bet.counts))

    done = [
        replace(player, together=of(player.together), bets=tuple(of(bet) for bet in player.bets))
        for player in players
    ]
    marked = [replace(one, is_conspicuous=one.chance is not None and one.chance <= alpha) for one in done]
    return tuple(sorted(marked, key=_order))


def _holm(tests: Sequence[Association]) -> Iterator[Association]:
    adjusted = iter(holm([test.chance for test in tests if test.chance is not None]))
    return iter(
        [test if test.chance is None else replace(test, adjusted_chance=next(adjusted)) for test in tests]
    )


def _order(player: PlayerReview) -> tuple[Fraction, Fraction, str]:
    """Return the sort key of a player: the smallest p-value, then the largest gain by timing."""
    staked = player.together.staked
    fresh = staked.fresh if staked.fresh is not None else staked.expected
    return (
        Fraction(2) if player.chance is None else player.chance,
        -(staked.expected - fresh) / staked.staked,
        player.player,
    )
