"""Whether the sums of a study hold together: with what was dealt, with one another, and with their blocks."""

from fractions import Fraction

from combinat.base.errors import SumsError
from combinat.protection.study import (
    BETS,
    GAIN,
    ROUNDS,
    SCALE,
    Dealt,
    Player,
    Row,
    Study,
    Sums,
    Wager,
    products,
    squares_at,
    variables,
    wagers,
)
from combinat.protection.sums_checksum import PRIME, code, firsts
from combinat.rules.game import Game


def check_dealt(game: Game, study: Study, dealt: Dealt) -> None:
    """Refuse sums that cannot be those of the blocks that are named."""
    _check_shape(study, dealt.sums)
    number = len(dealt.blocks)
    if not 1 <= number <= study.blocks:
        raise SumsError(f"blocks: found {number}; the study has {study.blocks}")
    shoes = sum(study.shoes_of(block) for block in range(number))
    if dealt.sums.shoes != shoes:
        raise SumsError(f"sums.shoes: found {dealt.sums.shoes}; its blocks have {shoes}")
    if sum(block.code for block in dealt.blocks) % PRIME != code(dealt.sums):
        raise SumsError("sums: they are not those of the blocks together (by their code)")
    width = 1 + 2 * len(study.players)
    for place, block in enumerate(dealt.blocks):
        if len(block.firsts) != width or not 0 <= block.code < PRIME:
            raise SumsError(f"blocks[{place}]: found {len(block.firsts)} first moments; expected {width}")
    together = tuple(sum(column) for column in zip(*(block.firsts for block in dealt.blocks), strict=True))
    if together != firsts(dealt.sums):
        raise SumsError("blocks: their first moments do not add up to those of the sums")
    _check_marks(study, dealt.sums)
    _check_products(study, dealt.sums)
    for place, (player, wager) in enumerate(_players(game, study)):
        _check_player(study, dealt.sums, place, player, wager)


def _players(game: Game, study: Study) -> list[tuple[Player, Wager]]:
    asked = {wager.id: wager for wager in wagers(game, study.bets)}
    return [(player, asked[player.wager]) for player in study.players]


def _check_shape(study: Study, sums: Sums) -> None:
    """Refuse rows of another length, and cells that no round can be in."""
    bets, players, positions = len(study.bets), len(study.players), len(study.positions)
    shapes = (
        ("rounds", sums.rounds, range(1, positions + 1), 1 + bets + 3 * players),
        ("marks", sums.marks, range(positions), 1 + bets + len(study.counts)),
    )
    for what, rows, bands, width in shapes:
        if not rows:
            raise SumsError(f"sums.{what}: found none")
        for (band, unseen), row in rows.items():
            if band not in bands or not 6 <= unseen <= study.shoe.size or len(row) != width or row[0] < 1:
                raise SumsError(f"sums.{what}: no round can be in band {band} with {unseen} cards unseen so")
    if len(sums.moments) != players:
        raise SumsError(f"sums.moments: found {len(sums.moments)} players; the study has {players}")
    for player, moments in zip(study.players, sums.moments, strict=True):
        number = variables(player)
        if len(moments) != positions or any(len(row) != number + len(products(number)) for row in moments):
            raise SumsError(f"sums.moments: not those of {number} figures at {positions} positions")


def _check_products(study: Study, sums: Sums) -> None:
    """The products of a player's moments are those of some shoes: no sum of the variables has a negative variance."""
    for player, moments in zip(study.players, sums.moments, strict=True):
        number = variables(player)
        for position, row in zip(study.positions, moments, strict=True):
            both = dict(zip(products(number), row[number:], strict=True))
            spread = [
                [both[min(i, j), max(i, j)] * sums.shoes - row[i] * row[j] for j in range(number)]
                for i in range(number)
            ]
            if not _is_never_negative(spread):
                raise SumsError(
                    f"sums.moments: {player.name} on {player.wager}, cut card at {position}: no shoes have such products"
                )


def _is_never_negative(matrix: list[list[int]]) -> bool:
    """Whether a symmetric matrix is positive semidefinite, by elimination in whole numbers.

    >>> _is_never_negative([[1, 2], [2, 4]]), _is_never_negative([[1, 2], [2, 3]]), _is_never_negative([[0, 1], [1, 5]])
    (True, False, False)
    """
    while matrix:
        (pivot, *first), *others = matrix
        if pivot < 0 or (pivot == 0 and any(first)):
            return False
        scale = pivot or 1
        matrix = [
            [scale * value - row[0] * beside for value, beside in zip(row[1:], first, strict=True)]
            for row in others
        ]
    return True


def _check_marks(study: Study, sums: Sums) -> None:
    """Every shoe has one round at each mark that it is certain to reach."""
    for position, place in enumerate(study.positions):
        there = sum(row[0] for (mark, _), row in sums.marks.items() if mark == position)
        if there > sums.shoes or (position >= study.first_mark and there != sums.shoes):
            raise SumsError(f"sums.marks: {there} rounds at the mark {place}, of {sums.shoes} shoes")


def _check_player(study: Study, sums: Sums, place: int, player: Player, wager: Wager) -> None:
    """The moments of a player say what the rounds say: rounds and bets exactly, the gain as far as it is rounded."""
    column = 1 + len(study.bets) + 2 * place
    by_band: dict[int, list[Fraction]] = {}
    for (band, unseen), row in sums.rounds.items():
        offers = row[1 + study.bets.index(player.wager)]
        if not 0 <= row[column] <= offers <= row[0]:
            raise SumsError(f"sums.rounds: more bets of {player.name} on {player.wager} than were on offer")
        gain = Fraction(row[column + 1] * 2**SCALE, wager.denominator(unseen))
        # The square of a mean is at most the mean of the squares; where nothing is bet, there are none.
        squares = row[squares_at(study) + place]
        least = row[column + 1] ** 2 * wager.unit
        if least > squares * row[column] * wager.denominator(unseen) or (squares and not row[column]):
            raise SumsError(
                f"sums.rounds: the squares of {player.name} on {player.wager} are not those of its bets"
            )
        have = by_band.setdefault(band, [Fraction(0)] * 3)
        by_band[band] = [have[0] + row[0], have[1] + row[column], have[2] + gain]
    for position in range(len(study.positions)):
        some = [sums_of for band, sums_of in by_band.items() if band > position]
        rounds, bets, gain = (sum((one[part] for one in some), Fraction(0)) for part in range(3))
        moments: Row = sums.moments[place][position]
        is_same = rounds == moments[ROUNDS] and bets == moments[BETS]
        if not is_same or 2 * abs(moments[GAIN] - gain) > bets:
            raise SumsError(
                f"sums: {player.name} on {player.wager}, cut card at {study.positions[position]}: the moments are "
                "not those of the rounds"
            )
