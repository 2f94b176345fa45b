"""The public ``simulate``: rounds dealt by chance and written to a file."""

from collections.abc import Callable
from pathlib import Path

from combinat.base.errors import CombinatError, InputError, in_words, named
from combinat.engine.progress import SILENT, Progress
from combinat.montecarlo.fault import Fault
from combinat.montecarlo.output import COUNTS_SUFFIX, LOG_SUFFIXES, MOST_ROUNDS, write_simulation
from combinat.montecarlo.simulation import Simulation
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

MOST_WORKERS = 1_000
MOST_SEED = 2**128


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
    progress: Progress = SILENT,
    is_stopped: Callable[[], bool] = lambda: False,
) -> Path:
    """Deal rounds by chance and write them: counts to a name that ends in .json, a hand log to .csv or .parquet.

    Every round is from a fresh shuffle; with ``cut_card``, the number of cards behind it, whole shoes are dealt, and with
    ``burn`` the first card of each is turned over and burned with as many more as its value. The same ``seed`` gives the
    same file for any number of ``workers`` (threads; default: all cores). ``fault``: deal with a known fault, which the
    file names, such as ``"one card missing 9"`` or ``"wrong-cell 6/7"``. ``is_stopped``: called after each batch of
    rounds; if it returns True, the file holds the rounds dealt so far. Return the path, so that
    ``crosscheck(simulate(...))`` judges the file.

    >>> import tempfile
    >>> from combinat import simulate
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     simulate("commission-insurance-2013", f"{folder}/counts.json", rounds=1000).name
    'counts.json'
    """
    book, place = as_book(game), as_path("out", out)
    if place.suffix not in (COUNTS_SUFFIX, *LOG_SUFFIXES):
        raise InputError(
            f'found "{place}"',
            "write a file name that ends in .json for counts, .csv or .parquet for a hand log",
            parameter="out",
        )
    check_place(place, rule_books_read(game))
    if burn and cut_card is None:
        raise CombinatError(
            "burn is for whole shoes; give cut_card, the number of cards behind it, such as 14"
        )
    dealt_from = as_shoe(shoe)
    simulation = Simulation(
        game=book.game,
        shoe=dealt_from,
        rounds=whole_number("rounds", rounds, 1, MOST_ROUNDS),
        seed=whole_number("seed", seed, 0, MOST_SEED),
        cut_card=None if cut_card is None else whole_number("cut_card", cut_card, 0, dealt_from.size),
        burn=burn,
        fault=None if fault is None else known_fault(fault, book.game),
    )
    is_counts = place.suffix == COUNTS_SUFFIX
    known = simulation.fault
    if is_counts and known is not None and known.net is not None and cut_card is not None:
        raise InputError(
            f"{known.text}: counts of whole shoes cannot show it",
            "write a log, or leave out {cut_card}",
            parameter="fault",
        )
    with progress.bar(rounds, "rounds", rate=True) as advance:
        dealt = write_simulation(
            simulation,
            book.sha256,
            place,
            workers=None if workers is None else whole_number("workers", workers, 1, MOST_WORKERS),
            advance=advance,
            is_stopped=is_stopped,
        )
    only = "; counted are the rounds that every shoe deals" if cut_card is not None and is_counts else ""
    wrong = f", with a known fault: {known.text}" if known else ""
    progress.say(f"wrote {place}: {dealt} rounds of {book.game.id}, seed {seed}{wrong}{only}")
    if dealt < rounds:
        progress.warn(f"stopped after {dealt} of {rounds} rounds; {place} holds those")
    return place


def known_fault(text: object, game: Game) -> Fault:
    """Return the fault of this text, if the game can have it."""
    if not isinstance(text, str):
        raise InputError(f"found {in_words(text)}", "write it as text", parameter="fault")
    with named("fault"):
        fault = Fault.parse(text)
        fault.of_game(game)
    return fault
