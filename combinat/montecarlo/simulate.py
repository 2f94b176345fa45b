"""The public ``simulate``: random rounds, written to a file."""

from collections.abc import Callable
from pathlib import Path

from combinat import __version__
from combinat.base.errors import InputError, in_words, named
from combinat.base.files import replacing, write_whole
from combinat.base.output_paths import refuse_inputs
from combinat.engine.progress import SILENT, Progress
from combinat.montecarlo.counts import Dealing, counts_json, observed
from combinat.montecarlo.dealer import ROUND
from combinat.montecarlo.fault import Fault
from combinat.montecarlo.log_writer import LOG_SUFFIXES, log_file, log_names, log_rows
from combinat.montecarlo.simulation import MOST_ROUNDS, Advance, IsStopped, Simulation
from combinat.montecarlo.tally import Tally
from combinat.rules.converters import (
    DECKS,
    GameGiven,
    ShoeGiven,
    as_document,
    as_path,
    as_shoe,
    rule_books_read,
    whole_number,
)
from combinat.rules.game import Game

COUNTS_SUFFIX = ".json"
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
    """Deal random rounds and write them: counts to a file name in .json, a hand log to .csv or .parquet.

    Every round is dealt from a fresh shuffle. With ``cut_card``, the number of cards behind the cut card,
    whole shoes are dealt. With ``burn``, the first card of each shoe is turned over and burned, with further
    cards by its value. The same ``seed`` gives the same file for any number of ``workers`` (threads; default:
    all cores). ``fault``: deal with a known fault, which the file names, such as ``"one card missing 9"`` or
    ``"wrong-cell 6/7"``. ``is_stopped``: called after each batch of rounds; if it returns True, the file
    holds the rounds dealt so far. Return the path, so that ``crosscheck(simulate(...))`` judges the file.

    >>> import tempfile
    >>> from combinat import simulate
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     simulate("commission-insurance-2013", f"{folder}/counts.json", rounds=1000).name
    'counts.json'
    """
    document, place = as_document(game), as_path("out", out)
    if place.suffix not in (COUNTS_SUFFIX, *LOG_SUFFIXES):
        raise InputError(
            f'found "{place}"',
            "write a file name that ends in .json for counts, .csv or .parquet for a hand log",
            parameter="out",
        )
    refuse_inputs("out", place, rule_books_read(game))
    if burn and cut_card is None:
        raise InputError(
            "this is for whole shoes",
            "give {cut_card}, the number of cards behind the cut card, such as 14",
            parameter="burn",
        )
    dealt_from = as_shoe(shoe)
    simulation = Simulation(
        game=document,
        shoe=dealt_from,
        rounds=whole_number("rounds", rounds, 1, MOST_ROUNDS),
        seed=whole_number("seed", seed, 0, MOST_SEED),
        cut_card=None
        if cut_card is None
        else whole_number("cut_card", cut_card, ROUND, max(ROUND, dealt_from.size - 1)),
        burn=burn,
        fault=None if fault is None else known_fault(fault, document),
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
            place,
            workers=None if workers is None else whole_number("workers", workers, 1, MOST_WORKERS),
            advance=advance,
            is_stopped=is_stopped,
        )
    only = "; counted are the rounds that every shoe deals" if cut_card is not None and is_counts else ""
    wrong = f", with a known fault: {known.text}" if known else ""
    progress.say(f"wrote {place}: {dealt} rounds of {document.id}, seed {seed}{wrong}{only}")
    if dealt < rounds:
        progress.warn(f"stopped after {dealt} of {rounds} rounds; {place} holds those")
    return place


def known_fault(text: object, game: Game) -> Fault:
    """Return the fault that a text names; refuse one that the game cannot have."""
    if not isinstance(text, str):
        raise InputError(f"found {in_words(text)}", "write it as text", parameter="fault")
    with named("fault"):
        fault = Fault.parse(text)
        fault.of_game(game)
    return fault


def counts_text(
    simulation: Simulation,
    advance: Advance,
    workers: int | None = None,
    is_stopped: IsStopped = lambda: False,
) -> tuple[str, int]:
    """Return the counts file of a simulation and the rounds dealt, the same for any number of workers.

    ``is_stopped``: called after every batch; the file counts the rounds dealt so far. With no rounds, the
    text is empty.
    """
    tally, dealt = Tally(simulation.partitions), 0
    for rounds, part in simulation.results(simulation.tally, workers, advance, is_stopped):
        tally.add(part)
        dealt += rounds
    if not dealt:
        return "", 0
    dealing = Dealing.INDEPENDENT if simulation.cut_card is None else Dealing.SHOES
    counts = observed(
        tally,
        simulation.game.id,
        simulation.shoe,
        dealing,
        rule_book_sha256=simulation.game.sha256,
        made_by=made_by(simulation, dealt),
    )
    return f"{counts_json(counts)}\n", dealt


def made_by(simulation: Simulation, dealt: int) -> dict[str, str]:
    """Return the origin of a counts file, for its readers."""
    origin = {"software": f"combinat {__version__} simulate", "seed": str(simulation.seed)}
    if simulation.fault is not None:
        origin["known fault"] = simulation.fault.text
    if simulation.cut_card is not None:
        origin |= {
            "rounds dealt": str(dealt),
            "cut card": str(simulation.cut_card),
            "burn": "yes" if simulation.burn else "no",
        }
    if dealt < simulation.rounds:
        origin["stopped"] = f"after {dealt} of {simulation.rounds} rounds"
    return origin


def write_simulation(
    simulation: Simulation,
    out: Path,
    *,
    workers: int | None = None,
    advance: Advance = lambda rounds: None,
    is_stopped: IsStopped = lambda: False,
) -> int:
    """Write a simulation as counts or as a log, by the file's suffix; return the number of rounds dealt.

    The file is written atomically. A simulation that is stopped before its first round raises
    KeyboardInterrupt.
    """
    with replacing(out) as temporary:  # refuse a path that cannot be written before the work begins
        if out.suffix == COUNTS_SUFFIX:
            text, dealt = counts_text(simulation, advance, workers, is_stopped=is_stopped)
            write_whole(temporary, text)
        else:
            dealt = _write_log(simulation, temporary, out.suffix == ".parquet", workers, advance, is_stopped)
        if not dealt:
            raise KeyboardInterrupt
    return dealt


def _write_log(
    simulation: Simulation,
    out: Path,
    parquet: bool,
    workers: int | None,
    advance: Advance,
    is_stopped: IsStopped,
) -> int:
    """Write every round of a simulation; return the number of rounds dealt."""
    partitions, fault, shoe, done = simulation.partitions, simulation.fault, simulation.shoe, 0
    head = {"game": simulation.game.id}
    head |= {"cards": str(shoe)} if shoe.decks is None else {"decks": str(shoe.decks)}
    if simulation.cut_card is not None:
        head["cut-card"] = str(simulation.cut_card)
    note = f"combinat {__version__} simulate, seed {simulation.seed}{', burn' if simulation.burn else ''}"
    head["note"] = note + (f", with a known fault: {fault.text}" if fault else "")
    names = log_names(partitions, shoes=simulation.cut_card is not None)
    batches = simulation.results(lambda batch: log_rows(partitions, batch), workers, advance, is_stopped)
    with log_file(out, head, names, parquet=parquet) as write:
        for rounds, rows in batches:
            write(rows.with_row_index("round", done + 1).write_csv(include_header=False))
            done += rounds
    return done
