"""The folder of a study of whole shoes: dealing, interrupting, continuing and writing."""

import os
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from combinat import __version__
from combinat.base.errors import CombinatError, FileError, InputError, named
from combinat.base.files import plain_bytes, write_whole
from combinat.base.output_paths import refuse_inputs, refuse_inside, refuse_no_folder
from combinat.base.tabular import Answer
from combinat.certify.certificate import StudyPredicate, about, rule_book_name, sealed
from combinat.certify.folder import MOST_FILE_BYTES
from combinat.certify.folder_writer import check_folder, place_folder
from combinat.certify.signature import is_private, signer
from combinat.engine.progress import SILENT, Progress
from combinat.protection.inputs import LIMIT, Rational, as_limit
from combinat.protection.study import PROTECT, Blocks, Study, as_study
from combinat.protection.study_file import StudyFile, partial_bytes, read_partial, study_bytes
from combinat.protection.study_workers import Task, Workers, dealt, workers_for
from combinat.render.html import html
from combinat.render.pdf import Front, pdf
from combinat.report.folder import Form, libraries
from combinat.report.protection.study import study_document
from combinat.rules.converters import (
    GameGiven,
    ShoeGiven,
    as_document,
    as_path,
    as_shoe,
    rule_books_read,
)
from combinat.rules.game import Game

PAGE, PRINTED = "protect.html", "protect.pdf"
CUT_CARD = 14
SHOES = 10_000
KEEP_AFTER = 1, 30
"""Seconds after which the blocks dealt are kept, at first and at most; in between, as long as the run has taken.

So a run that is killed has to deal again at most half of its blocks, or half a minute of them.
"""


@dataclass(repr=False, frozen=True, slots=True, kw_only=True)
class StudyAnswer(Answer):
    """A study: its blocks dealt, and if that is all of them, the files of its folder.

    ``partial``: the file beside the folder that keeps the blocks of a study that was stopped.
    """

    file: StudyFile
    out: Path
    partial: Path
    files: Mapping[str, bytes] | None


def study(
    game: GameGiven,
    out: str | Path,
    *,
    shoes: int = SHOES,
    bets: Sequence[str] = (),
    shoe: ShoeGiven | None = None,
    decks: int | None = None,
    cut_card: int = CUT_CARD,
    rounds_after: int = 1,
    burn: str = "first-card",
    counts: Sequence[str | Path] = (),
    limit: Rational = LIMIT,
    seed: int = 1,
    workers: int | str | None = 1,
    resume: bool = False,
    sign: str | Path | None = None,
    progress: Progress = SILENT,
    is_stopped: Callable[[], bool] = lambda: False,
) -> StudyAnswer:
    """Deal whole shoes, value every bet exactly before every round, and write the gains of counters to a folder.

    ``bets``: such as ``"tie"`` or ``"player@four-cards"``. Default: all. ``counts``: TOML files of counts. ``limit``: report
    the deepest cut card of each bet within this gain of a shoe, in units. The same ``seed`` writes the same files, whatever
    the ``workers``: a number of processes (None: one for each core), ``"local"`` for a dask cluster on this machine, or the
    address of a scheduler. ``resume``: continue a run that was stopped.

    >>> study("commission-insurance-2013", "study", burn="all")
    Traceback (most recent call last):
    combinat.base.errors.InputError: burn: found "all"; write first-card (it is shown, and its value in cards is burnt), none, or a number of cards up to 100
    """
    document, place = as_document(game), as_path("out", out)
    files = [as_path("counts", file) for file in counts]
    asked = as_study(
        document,
        shoe=as_shoe(shoe, decks=decks),
        cut_card=cut_card,
        rounds_after=rounds_after,
        burn=burn,
        shoes=shoes,
        bets=bets,
        counts=files,
        seed=seed,
    )
    wanted = StudyFile(game=document, study=asked, blocks=(), limit=as_limit(limit))
    partial = _partial(place)
    key = None if sign is None else as_path("sign", sign)
    inputs = [*rule_books_read(game).items(), *(("a file of counts", file) for file in files)]
    _check_places(place, partial, inputs, key, progress)
    begun = _begun(wanted, place, partial, progress, resume=resume)
    with named("workers"):
        chosen = workers_for(asked.shoes - begun.shoes, workers)
    with progress.bar(asked.shoes, "shoes", rate=True) as advance:
        done = _dealt(begun, partial, chosen, advance, is_stopped)
    folder = None
    if done.is_whole:
        folder = _sealed(done, key)
        place_folder(place, folder)
        with suppress(OSError):
            partial.unlink()
    return StudyAnswer(file=done, out=place, partial=partial, files=folder)


def _partial(out: Path) -> Path:
    """Return the file beside a folder that keeps the blocks of an interrupted run."""
    if out.name in ("", ".."):
        raise InputError(f'found "{out}"', "write the name of a folder, such as study", parameter="out")
    return out.with_name(f"{out.name}.partial.json")


def _check_places(
    out: Path, partial: Path, read: Sequence[tuple[str, Path]], key: Path | None, progress: Progress
) -> None:
    """Before dealing, refuse a folder that must not be replaced, and a key that cannot sign."""
    for what, path in (*read, *([("the key", key)] if key is not None else [])):
        refuse_inputs("out", out, {what: path})
        refuse_inputs("out", partial, {what: path})
        refuse_inside(out, {what: path})
    refuse_no_folder("out", out)
    check_folder(out)
    if key is not None:
        signer(key)
        if not is_private(key):
            progress.warn(
                f"{key}: others can read this private key; write chmod 600 {key}, or make a new key"
            )


def _begun(wanted: StudyFile, out: Path, partial: Path, progress: Progress, *, resume: bool) -> StudyFile:
    """Return the study, with the blocks of an earlier run if it is continued."""
    if not os.path.lexists(partial):
        if resume:
            progress.warn(f"no run into {out} was stopped ({partial} is not there); it begins anew")
        return wanted
    try:
        kept = read_partial(plain_bytes(partial, MOST_FILE_BYTES), wanted.game)
    except CombinatError as error:
        why = error.why if isinstance(error, FileError) else error
        raise CombinatError(f"{partial}: {why}; move it away, or choose another folder") from None
    if not resume and kept.blocks:
        raise CombinatError(
            f"{partial}: a run was stopped after {kept.shoes} shoes; continue it, or move it away"
        )
    if resume and kept.study != wanted.study:
        raise InputError(
            f"{partial} is of {_difference(kept.study, wanted.study)}",
            "write the same again",
            parameter="resume",
        )
    return replace(wanted, blocks=kept.blocks) if resume else wanted


def _difference(kept: Study, asked: Study) -> str:
    """Return the differences between two studies, in words."""
    words = {
        f"seed {kept.seed}": kept.seed != asked.seed,
        f"{kept.shoes} shoes": kept.shoes != asked.shoes,
        f"{kept.shoe.size} cards a shoe": kept.shoe != asked.shoe,
        f"a cut card at {kept.dealing.cut_card}, {kept.dealing.after} rounds after it, burn {kept.dealing.burn}": (
            kept.dealing != asked.dealing
        ),
        f"the bets {', '.join(kept.bets)}": kept.bets != asked.bets,
    }
    return "; ".join(phrase for phrase, differs in words.items() if differs) or "other counts"


def _dealt(
    begun: StudyFile,
    partial: Path,
    workers: Workers,
    advance: Callable[[int], None],
    is_stopped: Callable[[], bool],
) -> StudyFile:
    """Deal the blocks; write them at intervals, and at the end of an incomplete run."""
    started = kept = time.monotonic()
    done = begun
    _keep(partial, begun)  # a place that cannot be written to is refused before the work
    advance(begun.shoes)

    def look_up(blocks: Blocks) -> bool:
        nonlocal kept, done
        before, done = done, replace(begun, blocks=blocks)
        advance(done.shoes - before.shoes)
        at_first, at_most = KEEP_AFTER
        if time.monotonic() - kept > min(at_most, max(at_first, kept - started)):
            _keep(partial, done)
            kept = time.monotonic()
        return not is_stopped()

    try:
        dealt(task(begun.game, begun.study), begun.blocks, workers, look_up)
    finally:
        if done.blocks:
            _keep(partial, done)
        else:
            with suppress(OSError):
                partial.unlink()
    return done


def _keep(partial: Path, done: StudyFile) -> None:
    """Write the blocks dealt so far."""
    write_whole(partial, partial_bytes(done).decode("ascii"))


def task(game: Game, asked: Study) -> Task:
    """Return the input of the workers."""
    return Task(game.content, rule_book_name(game.id), asked)


def _sealed(file: StudyFile, key: Path | None) -> dict[str, bytes]:
    """Return all files of a study: its file, its documents, the rule book, the certificate and the sums."""
    standing = {PROTECT: study_bytes(file), rule_book_name(file.game.id): file.game.content}
    every = {**study_documents(file), **standing}
    return sealed(every, StudyPredicate, about(file.game), libraries([Form.PDF]), key)


def study_documents(file: StudyFile) -> dict[str, bytes]:
    """Return the page and the PDF of a study, by the names of their files."""
    document = study_document(file)
    foot = f"combinat {__version__}; rule book SHA-256 {file.game.sha256}"
    return {
        PAGE: html(document, f"{foot}; seed {file.study.seed}").encode("utf-8"),
        PRINTED: pdf(document, Front(subject=file.game.name, mark="", foot=foot)),
    }
