"""A study of whole shoes: what is dealt, who bets on what, and the exact sums that the dealing leaves.

Before every round each bet has an exact expected value, given the cards that a player at the table has not seen.
Its denominator depends on how many cards those are and on nothing else. So sums are kept by that number: then
numerators add up as whole numbers, in any order, on any number of machines, to the same total.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import msgspec

from combinat.analysis.batch_columns import batch_columns
from combinat.base.errors import CountFileError, NotInGameError, ShoeError, near_matches, shortened
from combinat.engine.distribution import falling
from combinat.protection.insurance_values import OfferValues
from combinat.rules.count_file import Count
from combinat.rules.game import Game
from combinat.rules.insurance import InsuranceTable
from combinat.rules.shoe import Shoe
from combinat.rules.shoe_dealing import ROUND, ShoeDealing

EIGHT_DECKS = 416
SHOES_A_BLOCK = 500
"""Shoes of 8 decks that are dealt at once; of larger ones fewer, so that memory stays bounded."""

MOST_CARDS = 2**16 - 1
MOST_SHOES = 10**7

PERFECT = "perfect play"
"""Who bets when, and only when, the bet favours the player."""

SCALE = 20
"""Second moments are of values rounded to parts of ``2**SCALE``: they serve for intervals alone."""


@dataclass(frozen=True, slots=True)
class Wager:
    """Something to bet on: a bet of the game, or an insurance table. ``denominator``: by the cards unseen.

    ``unit``: every net is a whole number of parts of it, so that a mean square has the denominator times it.
    """

    id: str
    unit: int
    denominator: Callable[[int], int] = field(compare=False)
    table: InsuranceTable | None = None


@dataclass(frozen=True, slots=True)
class Player:
    """Who bets on what: perfect play, or a count."""

    wager: str
    count: Count | None = None

    @property
    def name(self) -> str:
        """What the player is called."""
        return PERFECT if self.count is None else self.count.name


@dataclass(frozen=True, kw_only=True)
class Study:
    """What is dealt: shoes in blocks, each from a stream of chance that seed and number name."""

    shoe: Shoe
    dealing: ShoeDealing
    seed: int
    shoes: int
    bets: tuple[str, ...]
    counts: tuple[Count, ...] = ()

    def __post_init__(self) -> None:
        if self.shoe.size > MOST_CARDS:
            raise ShoeError(f"the shoe has {self.shoe.size} cards; whole shoes are dealt up to {MOST_CARDS}")
        self.dealing.check(self.shoe.size)
        if self.seed < 0 or not 2 <= self.shoes <= MOST_SHOES:
            raise ShoeError(
                f"found {self.shoes} shoes from seed {self.seed}; deal 2 to {MOST_SHOES}, seed 0 or more"
            )
        for count in self.counts:
            if count.bet not in self.bets:
                raise NotInGameError(
                    f'count "{count.name}": "{shortened(count.bet)}" is not among the bets studied; '
                    f"they are {', '.join(self.bets)}"
                )
        self._check_names()

    def _check_names(self) -> None:
        """Refuse a player that could be taken for another on the same bet."""
        taken = set[tuple[str, str]]()
        for count in self.counts:
            name = " ".join(count.name.split()).casefold()
            if name == PERFECT:
                raise CountFileError(
                    f'count "{shortened(count.name)}": that is what the player is called who knows every value; '
                    "give the count another name"
                )
            if (count.bet, name) in taken:
                raise CountFileError(
                    f'two counts for {count.bet} are called "{shortened(count.name)}"; give each a name of its own'
                )
            taken.add((count.bet, name))

    @cached_property
    def block(self) -> int:
        """How many shoes a block has; the last may have fewer."""
        return max(1, min(SHOES_A_BLOCK, SHOES_A_BLOCK * EIGHT_DECKS // self.shoe.size))

    @property
    def blocks(self) -> int:
        """How many blocks there are."""
        return -(-self.shoes // self.block)

    def shoes_of(self, number: int) -> int:
        """How many shoes one block has."""
        return min(self.block, self.shoes - number * self.block)

    @cached_property
    def positions(self) -> tuple[int, ...]:
        """Where the cut card might lie, from the end: where it does, and then every quarter of a deck.

        Among the last four of these, where what is known grows fastest, twice as many; never nearer than a round.
        """
        step = 13 * -(-self.shoe.size // EIGHT_DECKS)
        cut, most = self.dealing.cut_card, self.dealing.most_cut(self.shoe.size)
        between = [place - step // 2 for place in range(step, 4 * step + 1, step)]
        places = sorted((*between, *range(step, most + 1, step)))
        return cut, *(place for place in places if cut + ROUND <= place <= most)

    @property
    def first_mark(self) -> int:
        """How far above a position of the cut card the first mark lies at which a round is certainly dealt.

        A mark is the first round that begins with no more cards left than a position says. Where no round is dealt
        after the cut card, the one at its own position is not.
        """
        return 0 if self.dealing.after else 1

    @cached_property
    def players(self) -> tuple[Player, ...]:
        """Who bets on what: perfect play on everything, then every count on its bet."""
        perfect = [Player(bet) for bet in self.bets]
        return *perfect, *(Player(count.bet, count) for count in self.counts)


def known_wagers(game: Game) -> tuple[str, ...]:
    """Everything that a game has to bet on: its bets, and its insurance tables as ``player@four-cards``."""
    return *(bet.id for bet in game.bets), *(str(table.insured) for table in game.insurance)


def checked_wagers(game: Game, asked: tuple[str, ...]) -> tuple[str, ...]:
    """The bets asked for, in the game's order; all of them where none is named."""
    known = known_wagers(game)
    for wanted in asked:
        if wanted not in known:
            near = near_matches(shortened(wanted), list(known))
            hint = f"; did you mean {near[0]}?" if near else "."
            raise NotInGameError(
                f'{game.id} has no bet "{shortened(wanted)}"{hint} It has: {", ".join(known)}'
            )
    return tuple(wager for wager in known if wager in asked or not asked)


def with_bets(game: Game, bets: tuple[str, ...]) -> Game:
    """The game with some of its bets alone: what the rest would cost is not counted."""
    return msgspec.structs.replace(game, bets=tuple(bet for bet in game.bets if bet.id in bets))


def wagers(game: Game, ids: tuple[str, ...]) -> tuple[Wager, ...]:
    """What these ids stand for, in order."""
    some = with_bets(game, ids)
    unit = batch_columns(some, False, False).unit if some.bets else 1
    made = {bet.id: Wager(bet.id, unit, lambda unseen: unit * falling(unseen, ROUND)) for bet in some.bets}
    for table in game.insurance:
        if str(table.insured) in ids:
            values = OfferValues.of(game, table)
            made[str(table.insured)] = Wager(str(table.insured), values.unit, values.denominator, table)
    return tuple(made[wager] for wager in ids)


# ---------------------------------------------------------------- sums

Cell = tuple[int, int]
"""A band of rounds, or a mark, and a number of cards unseen."""

Row = tuple[int, ...]
Rows = Mapping[Cell, Row]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sums:
    """What shoes came to together, in whole numbers.

    ``rounds``: by band and cards unseen; a round of band b is dealt where the cut card lies at one of the first b
    positions. In a row: rounds, then for each wager how often it was on offer, then for each player how many units
    were bet and the numerators of their expected values together, then for each player the numerators of their mean
    squares together (see ``squares_at``).

    ``marks``: by position and cards unseen, of the round at that mark. In a row: rounds, then for each wager the
    numerators together whether bet or not, then for each count the tags of the cards unseen together.

    ``moments``: for each player and position, the sums and the sums of products over shoes of: rounds, units bet, gain,
    value at the marks, and for a count the tags at the marks (see ``variables``).
    """

    shoes: int
    rounds: Rows
    marks: Rows
    moments: tuple[tuple[Row, ...], ...]

    def plus(self, other: "Sums") -> "Sums":
        """Both together."""
        if not self.shoes:
            return other
        return Sums(
            shoes=self.shoes + other.shoes,
            rounds=_added(self.rounds, other.rounds),
            marks=_added(self.marks, other.marks),
            moments=tuple(
                tuple(_row(one, two) for one, two in zip(mine, theirs, strict=True))
                for mine, theirs in zip(self.moments, other.moments, strict=True)
            ),
        )


NOTHING = Sums(shoes=0, rounds={}, marks={}, moments=())


def _row(one: Row, other: Row) -> Row:
    return tuple(map(int.__add__, one, other))


def _added(some: Rows, more: Rows) -> Rows:
    total = dict(some)
    for cell, row in more.items():
        total[cell] = _row(total[cell], row) if cell in total else row
    return total


def squares_at(study: Study) -> int:
    """Where the mean squares of the players stand in a row of rounds."""
    return 1 + len(study.bets) + 2 * len(study.players)


ROUNDS, BETS, GAIN, VALUE, TAGS = range(5)
"""The variables of the moments, in order; the last is of counts alone."""


def variables(player: Player) -> int:
    """How many variables the moments of a player have."""
    return TAGS if player.count is None else TAGS + 1


def products(number: int) -> list[tuple[int, int]]:
    """Which products the moments hold after the sums, in order.

    >>> products(2)
    [(0, 0), (0, 1), (1, 1)]
    """
    return [(one, two) for one in range(number) for two in range(one, number)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """What is kept of a block: the hash of its sums, their code, and its first moments.

    The code is linear: those of all blocks add up to that of the total. ``firsts``: rounds, and for each player
    units bet and their rounded gain.
    """

    sha256: str
    code: int
    firsts: Row


@dataclass(frozen=True, slots=True, kw_only=True)
class Dealt:
    """The blocks of a study that were dealt, from the first on, and their sums."""

    blocks: tuple[Block, ...] = ()
    sums: Sums = NOTHING
