"""Files of rounds: simulations that are written, counts and hand logs that are judged."""

from fractions import Fraction
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from combinat.errors import (
    CombinatError,
    FaultError,
    MissingGameError,
    MissingLibraryError,
    MissingShoeError,
    NotInGameError,
    StatedTwiceError,
    UnknownGameError,
)
from combinat.library import looks
from combinat.library.given import (
    DECKS,
    GameGiven,
    ShoeGiven,
    amount_given,
    book_given,
    check_place,
    in_words,
    path_given,
    rule_books_read,
    shoe_given,
    whole_number,
)
from combinat.render.amounts import Amount
from combinat.rules.game import Game

if TYPE_CHECKING:
    from combinat.analysis.verdict import Verdict
    from combinat.simulate.fault import Fault

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

    Every round is from a fresh shuffle; with ``cut_card``, the number of cards behind it, whole shoes are dealt.
    The same seed gives the same file. Gives the path, so that ``crosscheck(simulate(...))`` judges it.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     simulate("commission-insurance-2013", f"{folder}/counts.json", rounds=1000).name
    'counts.json'
    """
    from combinat.simulate import written
    from combinat.simulate.simulation import Simulation

    book, place = book_given(game), path_given("out", out)
    suffixes = (written.COUNTS_SUFFIX, *written.LOG_SUFFIXES)
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
    dealt = shoe_given(shoe)
    simulation = Simulation(
        game=book.game,
        shoe=dealt,
        rounds=whole_number("rounds", rounds, 1, written.MOST_ROUNDS),
        seed=whole_number("seed", seed, 0, 2**64),
        cut_card=None if cut_card is None else whole_number("cut_card", cut_card, 0, dealt.size),
        burn=burn,
        fault=None if fault is None else _fault(fault, book.game),
    )
    if place.suffix in written.LOG_SUFFIXES:
        written.write_log(simulation, place, workers=workers)
        return place
    if simulation.fault is not None and simulation.fault.net is not None and cut_card is not None:
        raise FaultError(
            f"fault: {simulation.fault.text}: counts of whole shoes cannot tell it; write a log, or leave out cut_card"
        )
    written.write_counts(simulation, book.sha256, place, workers=workers)
    return place


def _fault(text: object, game: Game) -> "Fault":
    from combinat.simulate.fault import Fault

    if not isinstance(text, str):
        raise FaultError(f"fault: found {in_words(text)}; write it as text")
    fault = Fault.parse(text)
    try:
        fault.of_game(game)
    except NotInGameError as error:
        raise FaultError(f"fault: {in_words(text)}: {error}") from None
    return fault


def crosscheck(
    file: str | Path,
    *,
    game: GameGiven | None = None,
    shoe: ShoeGiven | None = None,
    cut_card: int | None = None,
    alpha: Amount = "0.001",
    settlement_only: bool = False,
    by: str | None = None,
    log_map: str | Path | None = None,
) -> "Verdict":
    """A simulator's counts, or every round of a hand log, held against the exact results.

    ``game``, ``shoe``, ``cut_card``: where the file says nothing of them. ``alpha``: the chance of a false alarm that is
    accepted, all tests together. ``settlement_only``: judge the settlements of a log and not chance. ``by``: a column by
    which a log is told apart. ``log_map``: a TOML file that says what the columns of a foreign log hold.

    The word is ``verdict.word``; ``verdict.judgement`` has every test.
    """
    if find_spec("scipy") is None:
        raise MissingLibraryError("a cross-check needs scipy: pip install 'combinat[crosscheck]'")
    from combinat.audit.grouping import parse_groupings
    from combinat.audit.log_map import read_map
    from combinat.audit.verdict import verdict

    place = path_given("file", file)
    book = None if game is None else book_given(game)
    stated = None if shoe is None else shoe_given(shoe)
    try:
        return verdict(
            place,
            game=book,
            shoe=stated,
            cut_card=None if cut_card is None else whole_number("cut_card", cut_card, 0, 10**9),
            alpha=_alpha(alpha),
            settlement_only=settlement_only,
            log_map=None if log_map is None else read_map(path_given("log_map", log_map)),
            groupings=() if by is None else parse_groupings(by),
        )
    except StatedTwiceError as error:
        names = " and ".join(thing.replace(" ", "_") for thing in error.things)
        raise StatedTwiceError(f"{error}; leave out {names}", *error.things) from None
    except (MissingGameError, MissingShoeError, UnknownGameError) as error:
        what = "shoe=8" if isinstance(error, MissingShoeError) else "game=..."
        raise type(error)(f"{error}, or give {what}") from None


def _alpha(alpha: Amount) -> Fraction:
    level = amount_given("alpha", alpha)
    if not 0 < level < Fraction(1, 2):
        raise CombinatError(
            f'alpha: found {in_words(alpha)}; write a probability between 0 and 0.5, such as "0.001"'
        )
    return level
