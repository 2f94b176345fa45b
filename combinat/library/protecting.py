"""Studies of whole shoes: dealt, kept when they are stopped, continued, and written as a certified folder."""

import os
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

from combinat.base.errors import CombinatError, FileError, InputError, named
from combinat.base.files import plain_bytes, write_whole
from combinat.base.output_paths import refuse_inputs, refuse_inside, refuse_no_folder
from combinat.certify.folder import MOST_FILE_BYTES
from combinat.certify.folder_writer import check_folder, place_folder
from combinat.certify.signature import is_private, signer
from combinat.certify.study_folder import sealed_study
from combinat.engine.progress import SILENT, Progress
from combinat.library.protection import as_limit
from combinat.montecarlo.shoe_dealing import FIRST_CARD, Burn, ShoeDealing
from combinat.protection.count_file import read_counts
from combinat.protection.study import BLOCKS, MOST_SHOES, Blocks, Study, checked_wagers
from combinat.protection.study_figures import StudyResults, results
from combinat.protection.study_file import StudyFile, partial_bytes, read_partial
from combinat.protection.study_run import Workers, dealt
from combinat.report.protection.study import StudyShown
from combinat.report.protection.study_folder import (
    study_documents,
    study_libraries,
    task_of,
    workers_for,
)
from combinat.rules.book.load import RuleBook
from combinat.rules.converters import (
    GameGiven,
    ShoeGiven,
    as_book,
    as_path,
    as_shoe,
    rule_books_read,
    whole_number,
)

CUT_CARD = 14
SHOES = 10_000
KEEP_AFTER = 1, 30
"""Seconds after which what was dealt is kept, at first and at most: as many as were spent so far in between.

So a run that is killed has to deal again half of what it dealt, or half a minute of it, at most.
"""


@dataclass(frozen=True, kw_only=True)
class Run:
    """A study of a game, its folder, and the file beside it in which an interrupted run is kept."""

    book: RuleBook
    study: Study
    limit: Fraction | None
    out: Path
    sign: Path | None

    @property
    def partial(self) -> Path:
        """The file of the blocks dealt so far."""
        return self.out.with_name(f"{self.out.name}.partial.json")

    def file(self, done: Blocks) -> StudyFile:
        """The content of the file for these blocks."""
        return StudyFile(study=self.study, blocks=done, limit=self.limit)

    def keep(self, done: Blocks) -> None:
        """Write the blocks dealt so far."""
        write_whole(self.partial, partial_bytes(self.book, self.file(done)).decode("ascii"))


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyAnswer:
    """A study: the shoes dealt, and if that is all of them, its figures and the files of its folder.

    ``partial``: the file that keeps the blocks of a study that was stopped.
    """

    game: str
    out: Path
    partial: Path
    shoes: int
    wanted: int
    figures: StudyResults | None = None
    files: Mapping[str, bytes] | None = None

    @property
    def is_complete(self) -> bool:
        """Whether every shoe was dealt and the folder is written."""
        return self.figures is not None


def protect(
    game: GameGiven,
    out: str | Path,
    *,
    bets: Sequence[str] = (),
    shoe: ShoeGiven | None = None,
    decks: int | None = None,
    cut_card: int = CUT_CARD,
    rounds_after: int = 1,
    burn: str = FIRST_CARD,
    shoes: int = SHOES,
    counts: Sequence[str | Path] = (),
    limit: "int | str | Fraction | None" = None,
    seed: int = 1,
    workers: int | None = 1,
    cluster: str | None = None,
    resume: bool = False,
    sign: str | Path | None = None,
    progress: Progress = SILENT,
    is_stopped: Callable[[], bool] = lambda: False,
) -> StudyAnswer:
    """Deal whole shoes, value every bet exactly before every round, and write the gains of counters to a folder.

    ``bets``: such as ``"tie"`` or ``"player@four-cards"``. Default: all. ``counts``: TOML files of counts. ``limit``: report
    the deepest cut card of each bet within this gain of a shoe. The same ``seed`` writes the same files, whatever the
    ``workers`` (processes; None: one for each core) or the ``cluster``. ``resume``: continue a run that was stopped.

    >>> protect("commission-insurance-2013", "study", burn="all")
    Traceback (most recent call last):
    combinat.base.errors.InputError: burn: found "all"; write first-card (it is shown, and its value in cards is burnt), none, or a number of cards up to 100
    """
    book, place = as_book(game), as_path("out", out)
    with named("burn"):
        dealing = ShoeDealing(cut_card=cut_card, burn=Burn.parse(burn), after=rounds_after)
    dealt_from = as_shoe(shoe, decks=decks)
    with named("rounds_after"):
        dealing.check_after()
    dealing.check_room(dealt_from.size)
    with named("cut_card"):
        dealing.check_cut(dealt_from.size)
    files = [as_path("counts", file) for file in counts]
    with named("bets"):
        wagers = checked_wagers(book.game, tuple(bets))
    study = Study(
        shoe=dealt_from,
        dealing=dealing,
        seed=whole_number("seed", seed, 0, 2**64),
        shoes=whole_number("shoes", shoes, BLOCKS, MOST_SHOES),
        bets=wagers,
        counts=read_counts(files),
    )
    key = None if sign is None else as_path("sign", sign)
    run = Run(book=book, study=study, limit=None if limit is None else as_limit(limit), out=place, sign=key)
    inputs = [*rule_books_read(game).items(), *(("a file of counts", file) for file in files)]
    _check_places(run, inputs, progress)
    begun = _begun(run, progress, resume=resume)
    if cluster is not None and workers not in (None, 1):
        raise InputError(
            "a cluster has workers of its own", "give {workers} or {cluster}", parameter="workers"
        )
    with named("cluster"):
        chosen = workers_for(study.shoes - study.shoes_in(len(begun)), workers, cluster)
    with progress.bar(study.shoes, "shoes", rate=True) as advance:
        done = _dealt(run, begun, chosen, advance, is_stopped)
    answer = StudyAnswer(
        game=book.game.id,
        out=place,
        partial=run.partial,
        shoes=study.shoes_in(len(done)),
        wanted=study.shoes,
    )
    return answer if len(done) < study.blocks else _finished(run, done, answer)


def _check_places(run: Run, read: Sequence[tuple[str, Path]], progress: Progress) -> None:
    """Refuse, before anything is dealt, a folder that must not be replaced, and a key that cannot sign."""
    if run.out.name in ("", ".."):
        raise InputError(f'found "{run.out}"', "write the name of a folder, such as study", parameter="out")
    for what, path in (*read, *([("the key", run.sign)] if run.sign is not None else [])):
        refuse_inputs("out", run.out, {what: path})
        refuse_inputs("out", run.partial, {what: path})
        refuse_inside(run.out, {what: path})
    refuse_no_folder("out", run.out)
    check_folder(run.out)
    if run.sign is not None:
        signer(run.sign)
        if not is_private(run.sign):
            progress.warn(
                f"{run.sign}: others can read this private key; write chmod 600 {run.sign}, or make a new key"
            )


def _begun(run: Run, progress: Progress, *, resume: bool) -> Blocks:
    """The blocks of an earlier run, if it is continued."""
    if not os.path.lexists(run.partial):
        if resume:
            progress.warn(f"no run into {run.out} was stopped ({run.partial} is not there); it begins anew")
        return ()
    try:
        kept = read_partial(plain_bytes(run.partial, MOST_FILE_BYTES), run.book)
    except FileError as error:
        raise CombinatError(f"{run.partial}: {error.why}; move it away, or choose another folder") from None
    except CombinatError as error:
        raise CombinatError(f"{run.partial}: {error}; move it away, or choose another folder") from None
    if not resume and kept.blocks:
        raise CombinatError(
            f"{run.partial}: a run was stopped after {kept.study.shoes_in(len(kept.blocks))} shoes; continue it, or move it away"
        )
    if resume and kept.study != run.study:
        raise InputError(
            f"{run.partial} is of {_difference(kept.study, run.study)}",
            "write the same again",
            parameter="resume",
        )
    return kept.blocks if resume else ()


def _difference(kept: Study, asked: Study) -> str:
    """The differences between two studies, in words."""
    words = {
        "seed": (f"seed {kept.seed}", kept.seed != asked.seed),
        "shoes": (f"{kept.shoes} shoes", kept.shoes != asked.shoes),
        "shoe": (f"{kept.shoe.size} cards a shoe", kept.shoe != asked.shoe),
        "dealing": (
            f"a cut card at {kept.dealing.cut_card}, {kept.dealing.after} rounds after it, burn {kept.dealing.burn}",
            kept.dealing != asked.dealing,
        ),
        "bets": (f"the bets {', '.join(kept.bets)}", kept.bets != asked.bets),
    }
    return "; ".join(said for said, differs in words.values() if differs) or "other counts"


def _dealt(
    run: Run, begun: Blocks, workers: Workers, advance: Callable[[int], None], is_stopped: Callable[[], bool]
) -> Blocks:
    """Deal the blocks; write them now and then, and at the end of an incomplete run."""
    told = 0
    started = kept = time.monotonic()
    done = begun
    run.keep(begun)  # a place that cannot be written to is refused before the work

    def look_up(now: Blocks) -> bool:
        nonlocal told, kept, done
        done = now
        advance(run.study.shoes_in(len(now)) - told)
        told = run.study.shoes_in(len(now))
        at_first, at_most = KEEP_AFTER
        if time.monotonic() - kept > min(at_most, max(at_first, kept - started)):
            run.keep(now)
            kept = time.monotonic()
        return not is_stopped()

    try:
        look_up(begun)
        dealt(task_of(run.book, run.study), begun, workers, look_up)
    finally:
        if done:
            run.keep(done)
        else:
            with suppress(OSError):
                run.partial.unlink()
    return done


def _finished(run: Run, done: Blocks, answer: StudyAnswer) -> StudyAnswer:
    """The study, with its folder written."""
    figures = results(run.book.game, run.study, done, run.limit)
    documents = study_documents(
        StudyShown(game=run.book.game, rule_book_sha256=run.book.sha256, study=run.study, results=figures)
    )
    folder = sealed_study(
        run.file(done), figures, run.book, documents, libraries=study_libraries(), key=run.sign
    )
    place_folder(run.out, folder)
    with suppress(OSError):
        run.partial.unlink()
    return replace(answer, figures=figures, files=folder)
