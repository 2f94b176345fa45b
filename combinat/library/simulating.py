"""Rounds dealt by chance, and output."""

from pathlib import Path
from typing import TYPE_CHECKING

from combinat.base.errors import CombinatError, InputError, in_words, named
from combinat.library import looks
from combinat.rules.converters import (
    DECKS,
    GameGiven,
    ShoeGiven,
    as_book,
    as_path,
    as_shoe,
    check_place,
    rule_books_read,
    whole_number,
)
from combinat.rules.game import Game

if TYPE_CHECKING:
    from combinat.montecarlo.fault import Fault

looks.register()

MOST_WORKERS = 1_000


def simulate(
    game: GameGiven,
    out: str | Path,
    shoe: ShoeGiven = DECKS,
    *,
    rounds: int = 1_000_000,
    seed: int = 1,
    cut_card: int | None = None,
    burn: bool = False,
    fault: str | None = None,
    workers: int | None = None,
) -> Path:
    """Deal rounds by chance and write them: counts to a name that ends in .json, a hand log to .csv or .parquet.

    Every round is from a fresh shuffle; with ``cut_card``, the number of cards behind it, whole shoes are dealt, and with
    ``burn`` the first card of each is turned over and burnt with as many more as its value. The same ``seed`` gives the
    same file, however many ``workers`` (threads; all cores when nothing is said) deal it. ``fault``: deal with a known
    fault, which the file names, such as ``"one card missing 9"`` or ``"wrong-cell 6/7"``. Gives the path, so that
    ``crosscheck(simulate(...))`` judges it.

    >>> import tempfile
    >>> from combinat import simulate
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     simulate("commission-insurance-2013", f"{folder}/counts.json", rounds=1000).name
    'counts.json'
    """
    from combinat.montecarlo import output
    from combinat.montecarlo.simulation import Simulation

    book, place = as_book(game), as_path("out", out)
    suffixes = (output.COUNTS_SUFFIX, *output.LOG_SUFFIXES)
    if place.suffix not in suffixes:
        raise CombinatError(
            f'out: found "{place}"; write a file name that ends in .json for counts, .csv or .parquet for a hand log'
        )
    check_place(place, rule_books_read(game))
    if burn and cut_card is None:
        raise CombinatError(
            "burn is for whole shoes; give cut_card, the number of cards behind it, such as 14"
        )
    if workers is not None:
        whole_number("workers", workers, 1, MOST_WORKERS)
    dealt = as_shoe(shoe)
    simulation = Simulation(
        game=book.game,
        shoe=dealt,
        rounds=whole_number("rounds", rounds, 1, output.MOST_ROUNDS),
        seed=whole_number("seed", seed, 0, 2**64),
        cut_card=None if cut_card is None else whole_number("cut_card", cut_card, 0, dealt.size),
        burn=burn,
        fault=None if fault is None else _fault(fault, book.game),
    )
    if place.suffix in output.LOG_SUFFIXES:
        output.write_log(simulation, place, workers=workers)
        return place
    if simulation.fault is not None and simulation.fault.net is not None and cut_card is not None:
        raise InputError(
            f"fault: {simulation.fault.text}: counts of whole shoes cannot tell it; write a log, or leave out cut_card"
        )
    output.write_counts(simulation, book.sha256, place, workers=workers)
    return place


def _fault(text: object, game: Game) -> "Fault":
    from combinat.montecarlo.fault import Fault

    if not isinstance(text, str):
        raise InputError(f"fault: found {in_words(text)}; write it as text")
    with named("fault"):
        fault = Fault.parse(text)
        fault.of_game(game)
    return fault
