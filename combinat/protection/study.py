"""A study of whole shoes: what is dealt, who bets on what, and the exact sums of each block of shoes.

Before every round each bet has an exact expected value, given the cards that a player at the table has not
seen. Its denominator depends only on the number of those cards. Rounds are grouped by the positions of the
cut card at which they are dealt, and the values of a group have one common denominator: their numerators add
up as whole numbers, in any order, on any number of machines, to the same sums.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import lcm
from pathlib import Path

import msgspec

from combinat.analysis.batch import batch_columns
from combinat.base.errors import FileError, InputError, named, shortened
from combinat.base.strict_json import MOST_VALUES
from combinat.engine.distribution import falling
from combinat.montecarlo.dealer import ROUND
from combinat.montecarlo.shoes import Burn, ShoeDealing
from combinat.protection.inputs import Count, check_size, checked_wagers, read_counts
from combinat.protection.insurance_play import InsuranceValues
from combinat.rules.converters import whole_number
from combinat.rules.game import Game
from combinat.rules.shoe import Shoe

EIGHT_DECKS = 416
BLOCKS = 50
"""The fewest blocks of a study: intervals come from the differences between blocks."""

SHOES_A_BLOCK = 20_000
"""The most shoes of a block. A larger study has more blocks."""

MOST_SHOES = 10**7

PROTECT = "protect.json"
"""The file of a study."""

FIRST_VALUES, BAND_VALUES, FIGURE_VALUES = 10_000, 12, 70
"""Upper bounds of the values in the file: of the study itself, of a band beside those of its bets and players, and of
the figures of a player at a position of the cut card."""

PERFECT = "perfect play"
"""The player who stakes a unit if and only if the bet favours the player."""


@dataclass(frozen=True, slots=True, eq=False)
class StudyWager:
    """A bet of the game or an insurance table. ``denominator``: of its expected value, by the cards unseen.

    ``unit``: every net is a whole number of parts of it. A mean square has the denominator times the unit. ``offers``: of
    insurance, the values of its offers.
    """

    id: str
    unit: int
    denominator: Callable[[int], int]
    offers: InsuranceValues | None = None


@dataclass(frozen=True, slots=True)
class StudyPlayer:
    """A player of one wager: perfect play, or a count."""

    wager: str
    count: Count | None = None

    @property
    def name(self) -> str:
        """The name of the player in documents."""
        return PERFECT if self.count is None else self.count.name


@dataclass(frozen=True, kw_only=True)
class Study:
    """Shoes in blocks. Each block is dealt from its own random stream, named by the seed and the block's number."""

    shoe: Shoe
    dealing: ShoeDealing
    seed: int
    shoes: int
    bets: tuple[str, ...]
    counts: tuple[Count, ...] = ()

    def __post_init__(self) -> None:
        check_size(self.shoe)
        self.dealing.check(self.shoe.size)
        if self.seed < 0 or not BLOCKS <= self.shoes <= MOST_SHOES:
            raise InputError(
                f"found {self.shoes} shoes from seed {self.seed}; deal {BLOCKS} to {MOST_SHOES}, seed 0 or more"
            )
        for count in self.counts:
            if count.bet not in self.bets:
                raise InputError(
                    f'count "{count.name}": "{shortened(count.bet)}" is not among the bets studied; '
                    f"they are {', '.join(self.bets)}"
                )
        self._check_names()
        if self.values > MOST_VALUES:
            raise InputError(
                f"{self.blocks} blocks of {len(self.bets)} bets and {len(self.counts)} counts are more than {PROTECT} "
                "can hold; deal fewer shoes, or name fewer bets or counts"
            )

    def _check_names(self) -> None:
        """Refuse two players with the same name."""
        taken = set[str]()
        for count in self.counts:
            name = " ".join(count.name.split()).casefold()
            if name == PERFECT:
                raise FileError(
                    f'count "{shortened(count.name)}": this name is reserved for perfect play; '
                    "give the count another name"
                )
            if name in taken:
                raise FileError(
                    f'two counts are called "{shortened(count.name)}"; give each a name of its own'
                )
            taken.add(name)

    @property
    def values(self) -> int:
        """The most values that ``protect.json`` has, keys among them: the sums of all blocks, and the figures."""
        bets, players = len(self.bets), len(self.players)
        return FIRST_VALUES + len(self.positions) * (
            self.blocks * (BAND_VALUES + bets + 3 * players) + FIGURE_VALUES * players
        )

    @property
    def blocks(self) -> int:
        """The number of blocks."""
        return max(BLOCKS, -(-self.shoes // SHOES_A_BLOCK))

    def shoes_of(self, block: int) -> int:
        """Return the number of shoes of one block; blocks differ by one shoe at most."""
        return self.shoes // self.blocks + (block < self.shoes % self.blocks)

    def shoes_in(self, blocks: int) -> int:
        """Return the number of shoes of the first blocks."""
        return sum(map(self.shoes_of, range(blocks)))

    @cached_property
    def positions(self) -> tuple[int, ...]:
        """Positions of the cut card, counted from the end: its own, then every quarter of a deck.

        In the last deck, where knowledge grows fastest, every eighth. Positions are at least a round apart.
        """
        step = 13 * -(-self.shoe.size // EIGHT_DECKS)
        cut, most = self.dealing.cut_card, self.dealing.most_cut(self.shoe.size)
        between = [place - step // 2 for place in range(step, 4 * step + 1, step)]
        places = sorted((*between, *range(step, most + 1, step)))
        return cut, *(place for place in places if cut + ROUND <= place <= most)

    @cached_property
    def unseen_by_band(self) -> tuple[range, ...]:
        """By band: the possible numbers of cards unseen before a round.

        A round of a band is dealt with the cut card at the band's position, or nearer to the end, but not at
        the next position. ``dealing.after`` rounds earlier, the cards left were more than the position.
        """
        burn, after = self.dealing.burn, self.dealing.after
        fewest, most = (1, 10) if burn.first_card else (burn.cards, burn.cards)
        return tuple(
            range(max(ROUND, low + 1 - ROUND * after + fewest), min(self.shoe.size, high + most) + 1)
            for low, high in pairwise((*self.positions, self.shoe.size))
        )

    @cached_property
    def players(self) -> tuple[StudyPlayer, ...]:
        """Perfect play on every wager, then each count on its bet."""
        perfect = [StudyPlayer(bet) for bet in self.bets]
        return *perfect, *(StudyPlayer(count.bet, count) for count in self.counts)


def with_bets(game: Game, bets: tuple[str, ...]) -> Game:
    """Return the game with only these bets, so that no other bet is counted."""
    return msgspec.structs.replace(game, bets=tuple(bet for bet in game.bets if bet.id in bets))


def as_study(
    game: Game,
    *,
    shoe: Shoe,
    cut_card: int,
    rounds_after: int,
    burn: str,
    shoes: object,
    bets: Sequence[str],
    counts: Sequence[Path],
    seed: object,
) -> Study:
    """Return the study with these parameters, each checked."""
    with named("burn"):
        dealing = ShoeDealing(cut_card=cut_card, burn=Burn.parse(burn), after=rounds_after)
    with named("rounds_after"):
        dealing.check_after()
    dealing.check_room(shoe.size)
    with named("cut_card"):
        dealing.check_cut(shoe.size)
    with named("bets"):
        wagers = checked_wagers(game, bets)
    return Study(
        shoe=shoe,
        dealing=dealing,
        seed=whole_number("seed", seed, 0, 2**64),
        shoes=whole_number("shoes", shoes, BLOCKS, MOST_SHOES),
        bets=wagers,
        counts=read_counts(counts),
    )


def wagers(game: Game, ids: tuple[str, ...]) -> tuple[StudyWager, ...]:
    """Return the wagers with these ids, in order."""
    some = with_bets(game, ids)
    unit = batch_columns(some, False).unit if some.bets else 1
    made = {
        bet.id: StudyWager(bet.id, unit, lambda unseen: unit * falling(unseen, ROUND)) for bet in some.bets
    }
    for table in game.insurance:
        if str(table.insured) in ids:
            values = InsuranceValues.of(game, table)
            made[str(table.insured)] = StudyWager(str(table.insured), values.unit, values.denominator, values)
    return tuple(made[wager] for wager in ids)


def denominators(study: Study, wager: StudyWager) -> tuple[int, ...]:
    """Return the common denominator of the wager's expected values, by band."""
    return tuple(lcm(*map(wager.denominator, unseen)) for unseen in study.unseen_by_band)


# ---------------------------------------------------------------- sums


@dataclass(frozen=True, slots=True, kw_only=True)
class BandSums:
    """The rounds of one band.

    ``offers``: by wager, the rounds in which it was on offer. By player: ``bets``, the units staked;
    ``gains``, the numerators of their expected values over the band's common denominator; ``squares``, the
    numerators of their mean squares over that denominator times the wager's unit.
    """

    rounds: int
    offers: tuple[int, ...]
    bets: tuple[int, ...]
    gains: tuple[int, ...]
    squares: tuple[int, ...]


BlockSums = tuple[BandSums, ...]
"""The sums of a block of shoes, by band."""

Blocks = tuple[BlockSums, ...]
"""The sums of the blocks dealt, from the first on."""


def added(blocks: Iterable[BlockSums]) -> BlockSums:
    """Return the sums of several blocks together."""

    def total(bands: Sequence[BandSums], name: str) -> tuple[int, ...]:
        return tuple(map(sum, zip(*(getattr(band, name) for band in bands), strict=True)))

    return tuple(
        BandSums(
            rounds=sum(band.rounds for band in bands),
            **{name: total(bands, name) for name in ("offers", "bets", "gains", "squares")},
        )
        for bands in zip(*blocks, strict=True)
    )
