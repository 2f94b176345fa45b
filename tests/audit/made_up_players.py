"""Made-up players at a table whose shoes are dealt by the simulator: who stakes what is known."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import numpy as np
import numpy.typing as npt

from combinat import evaluate, load_game
from combinat.montecarlo.partition import partitions
from combinat.protection.inputs import Tags
from tests.dealing import left_before, shoe_batch, texts
from tests.games import EIGHT

GAME_ID = "tiger-buffalo-noncommission-2025"
GAME = load_game(GAME_ID)
COUNT = Tags.parse("3=-2 4=-1 5=-1 6=-2 7=2 8=2 9=2")
"""A count of Big Tiger."""

Values = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Dealt:
    """Rounds of whole shoes: their hands as text, cards left before each, the edge of every bet, every net result."""

    hands: list[tuple[str, str]]
    shoes: list[int]
    left: npt.NDArray[np.int64]
    edges: dict[str, Values]
    nets: dict[str, list[Fraction]]

    @property
    def true_count(self) -> Values:
        """The true count of Big Tiger before each round."""
        seen = np.array(EIGHT.counts) - self.left
        counts: Values = (seen @ np.array(tuple(COUNT))) * 52 / self.left.sum(axis=1)
        return counts

    def starts(self) -> list[bool]:
        """Which rounds are the first of their shoe."""
        return [not number or self.shoes[number - 1] != shoe for number, shoe in enumerate(self.shoes)]


def dealt(shoes: int, seed: int, cut_card: int = 14) -> Dealt:
    """Whole shoes of eight decks."""
    batch = shoe_batch(seed, shoes, EIGHT, cut_card, burn=False)
    assert batch.shoes is not None
    left = left_before(batch, EIGHT)
    evaluation = evaluate(GAME, left)
    values = evaluation.numerators.astype(float) / evaluation.denominators.astype(float)[:, None]
    nets = {
        partition.subject: [
            Fraction(str(partition.labels[label])) for label in partition.of_cell[batch.cells]
        ]
        for partition in partitions(GAME)
        if "@" not in partition.subject
    }
    edges = dict(zip(evaluation.bets, values.T, strict=True))
    return Dealt(texts(batch), batch.shoes.tolist(), left, edges, nets)


Player = Callable[[Dealt], dict[str, list[int]]]
"""From what was dealt, the stakes on each bet, round by round; 0 is none."""


def flat(table: Dealt) -> dict[str, list[int]]:
    return {"banker": [100] * len(table.hands)}


def counter(table: Dealt) -> dict[str, list[int]]:
    return {"big-tiger": [100 if count >= 6 else 10 for count in table.true_count]}


def perfect(table: Dealt) -> dict[str, list[int]]:
    return {bet: [200 if edge > 0 else 0 for edge in table.edges[bet]] for bet in ("big-tiger", "tie")} | {
        "player": [10] * len(table.hands)
    }


def tie_chaser(table: Dealt) -> dict[str, list[int]]:
    """Doubles after every round without a tie, up to a most, and begins again after one."""
    stakes, stake = [], 5
    for net in table.nets["tie"]:
        stakes.append(stake)
        stake = 5 if net > 0 else min(320, stake * 2)
    return {"tie": stakes}


def clock(table: Dealt) -> dict[str, list[int]]:
    """Stakes more the deeper the shoe, as the edge spreads the more."""
    stakes, turn = [], 0
    for begins in table.starts():
        turn = 0 if begins else turn + 1
        stakes.append(10 + 5 * turn)
    return {"big-tiger": stakes}


def moody(table: Dealt) -> dict[str, list[int]]:
    """Stakes by mood alone: more for some rounds, then less again."""
    chance = np.random.default_rng(int(table.left.sum()))
    mood = np.cumsum(chance.normal(size=len(table.hands)))
    return {"big-tiger": (10 + 10 * np.abs(mood).astype(int)).tolist()}


PLAYERS: dict[str, Player] = {
    "flat": flat,
    "counter": counter,
    "perfect": perfect,
    "tie-chaser": tie_chaser,
    "clock": clock,
    "moody": moody,
}


def write_log(path: Path, table: Dealt, players: dict[str, Player]) -> None:
    """A log of wagers: a row for each player of each round."""
    placed = {name: player(table) for name, player in players.items()}
    bets = sorted({bet for stakes in placed.values() for bet in stakes})
    columns = [f"{kind}:{bet}" for bet in bets for kind in ("stake", "payout")]
    lines = [f"# game: {GAME_ID}", "# decks: 8", "# cut-card: 14"]
    lines.append(",".join(["round", "shoe", "player", "player_cards", "banker_cards", *columns]))
    for number, (hands, shoe) in enumerate(zip(table.hands, table.shoes, strict=True)):
        for name, stakes in placed.items():
            cells = []
            for bet in bets:
                stake = stakes[bet][number] if bet in stakes else 0
                back = stake * (1 + table.nets[bet][number])
                cells += [str(stake), f"{back.numerator / back.denominator:.2f}"] if stake else ["", ""]
            if any(cells):
                lines.append(",".join([str(number + 1), str(shoe + 1), name, *hands, *cells]))
    path.write_text("\n".join(lines) + "\n", "utf-8")
