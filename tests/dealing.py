"""Hand logs for tests of the audit, dealt by ``simulate`` with faults put in afterwards."""

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby

import numpy as np
import pytest

from combinat import Shoe, load_game
from combinat.montecarlo import log_writer, simulation
from combinat.montecarlo.simulation import Batch, Simulation
from combinat.montecarlo.tally import Tally
from tests.documents import COMMISSION_2013
from tests.games import EIGHT

Row = tuple[str, str]
"""The Player Hand and the Banker Hand of a round, as a log writes them."""


def texts(batch: Batch) -> list[Row]:
    player, banker = (log_writer.hand_texts(hand) for hand in (batch.dealt.player, batch.dealt.banker))
    return list(zip(player.to_list(), banker.to_list(), strict=True))


def rounds_of_their_own(seed: int, count: int, shoe: Shoe = EIGHT) -> list[Row]:
    """So many rounds, each of a fresh shuffle."""
    game = load_game(COMMISSION_2013)
    rows: list[Row] = []
    for number in range(-(-count // simulation.ROUNDS)):
        rows += texts(Simulation(game=game, shoe=shoe, rounds=count, seed=seed).batch(number))
    return rows


def whole_tally(
    simulation: Simulation, change: Callable[[Batch], Batch] = lambda batch: batch, workers: int = 1
) -> Tally:
    """All that a simulation deals, counted; ``change``: what a faulty dealer makes of its rounds."""
    tally = Tally(simulation.partitions)
    for _, part in simulation.results(lambda batch: simulation.tally(change(batch)), workers):
        tally.add(part)
    return tally


def shoe_batch(seed: int, shoes: int, shoe: Shoe, cut: int, burn: bool) -> Batch:
    """So many whole shoes."""
    game = load_game(COMMISSION_2013)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(simulation, "SHOES", shoes)
        return Simulation(game=game, shoe=shoe, rounds=1, seed=seed, cut_card=cut, burn=burn).batch(0)


def whole_shoes(
    seed: int, shoes: int, shoe: Shoe = EIGHT, cut: int = 14, burn: bool = True
) -> list[list[Row]]:
    """The rounds of so many shoes, shoe by shoe."""
    batch = shoe_batch(seed, shoes, shoe, cut, burn)
    assert batch.shoes is not None
    pairs = zip(batch.shoes.tolist(), texts(batch), strict=True)
    return [[row for _, row in rows] for _, rows in groupby(pairs, key=lambda pair: pair[0])]


def left_before(batch: Batch, shoe: Shoe) -> "np.typing.NDArray[np.int64]":
    """The cards left before each round of whole shoes, counted card by card."""
    assert batch.shoes is not None
    left, rows, last = list(shoe.counts), [], -1
    cards = np.stack([*batch.dealt.player, *batch.dealt.banker], axis=1).tolist()
    for number, six in zip(batch.shoes.tolist(), cards, strict=True):
        if number != last:
            left, last = list(shoe.counts), number
        rows.append(left.copy())
        for card in six:
            if card < 13:
                left[card] -= 1
    return np.array(rows)


def log_text(
    rows: Iterable[Row], head: str = "# decks: 8\n", game: str = COMMISSION_2013, first: int = 1
) -> str:
    """A log of rounds of their own."""
    lines = [f"{number},{player},{banker}\n" for number, (player, banker) in enumerate(rows, first)]
    return f"# game: {game}\n{head}round,player_cards,banker_cards\n" + "".join(lines)


def shoe_log_text(shoes: Sequence[Sequence[Row]], head: str = "# decks: 8\n# cut-card: 14\n") -> str:
    """A log of whole shoes."""
    numbered = [(shoe, *row) for shoe, rows in enumerate(shoes, 1) for row in rows]
    lines = [f"{number},{shoe},{p},{b}\n" for number, (shoe, p, b) in enumerate(numbered, 1)]
    return f"# game: {COMMISSION_2013}\n{head}round,shoe,player_cards,banker_cards\n" + "".join(lines)


def chosen_rows(seed: int, count: int, share: float) -> list[bool]:
    """Which of so many rows a fault is put into."""
    return [bool(is_chosen) for is_chosen in np.random.default_rng(seed).random(count) < share]
