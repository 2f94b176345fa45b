"""The folder of a study of whole shoes: dealt, kept if it is stopped, continued and written."""

import os
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

from combinat import __version__
from combinat.base.errors import CombinatError, FileError, InputError, named
from combinat.base.files import plain_bytes, write_whole
from combinat.base.output_paths import refuse_inputs, refuse_inside, refuse_no_folder
from combinat.base.tabular import Answer
from combinat.certify.certificate import (
    STUDY_WORDS,
    THIS,
    NamedGame,
    RuleBookFile,
    StudyPredicate,
    sealed,
    software,
)
from combinat.certify.folder import MOST_FILE_BYTES
from combinat.certify.folder_writer import check_folder, place_folder
from combinat.certify.report_files import rule_book_name
from combinat.certify.signature import is_private, signer
from combinat.engine.progress import SILENT, Progress
from combinat.protection.inputs import LIMIT, Rational, as_limit
from combinat.protection.study import PROTECT, Blocks, Study, as_study
from combinat.protection.study_figures import StudyResults
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


@dataclass(frozen=True, kw_only=True)
class Run:
    """A study of a game, its folder, and the file beside it that keeps the blocks of an interrupted run."""

    game: Game
    study: Study
    limit: Fraction
    out: Path
    sign: Path | None

    @property
    def partial(self) -> Path:
        """The file of the blocks dealt so far."""
        return self.out.with_name(f"{self.out.name}.partial.json")

    def file(self, done: Blocks) -> StudyFile:
        """Return the content of the file for these blocks."""
        return StudyFile(game=self.game, study=self.study, blocks=done, limit=self.limit)

    def keep(self, done: Blocks) -> None:
        """Write the blocks dealt so far."""
        write_whole(self.partial, partial_bytes(self.file(done)).decode("ascii"))


@dataclass(repr=False, frozen=True, slots=True, kw_only=True)
class StudyAnswer(Answer):
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
    workers: int | None = 1,
    cluster: str | None = None,
    resume: bool = False,
    sign: str | Path | None = None,
    progress: Progress = SILENT,
    is_stopped: Callable[[], bool] = lambda: False,
) -> StudyAnswer:
    """Deal whole shoes, value every bet exactly before every round, and write the gains of counters to a folder.

    ``bets``: such as ``"tie"`` or ``"player@four-cards"``. Default: all. ``counts``: TOML files of counts. ``limit``: report
    the deepest cut card of each bet within this gain of a shoe, in units. The same ``seed`` writes the same files, whatever
    the ``workers`` (processes; None: one for each core) or the ``cluster``. ``resume``: continue a run that was stopped.

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
    key = None if sign is None else as_path("sign", sign)
    run = Run(game=document, study=asked, limit=as_limit(limit), out=place, sign=key)
    inputs = [*rule_books_read(game).items(), *(("a file of counts", file) for file in files)]
    _check_places(run, inputs, progress)
    begun = _begun(run, progress, resume=resume)
    if cluster is not None and workers not in (None, 1):
        raise InputError(
            "a cluster has workers of its own", "give {workers} or {cluster}", parameter="workers"
        )
    with named("cluster"):
        chosen = workers_for(asked.shoes - asked.shoes_in(len(begun)), workers, cluster)
    with progress.bar(asked.shoes, "shoes", rate=True) as advance:
        done = _dealt(run, begun, chosen, advance, is_stopped)
    answer = StudyAnswer(
        game=document.id,
        out=place,
        partial=run.partial,
        shoes=asked.shoes_in(len(done)),
        wanted=asked.shoes,
    )
    return answer if len(done) < asked.blocks else _finished(run, done, answer)


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
    """Return the blocks of an earlier run, if it is continued."""
    if not os.path.lexists(run.partial):
        if resume:
            progress.warn(f"no run into {run.out} was stopped ({run.partial} is not there); it begins anew")
        return ()
    try:
        kept = read_partial(plain_bytes(run.partial, MOST_FILE_BYTES), run.game)
    except CombinatError as error:
        why = error.why if isinstance(error, FileError) else error
        raise CombinatError(f"{run.partial}: {why}; move it away, or choose another folder") from None
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
    run: Run, begun: Blocks, workers: Workers, advance: Callable[[int], None], is_stopped: Callable[[], bool]
) -> Blocks:
    """Deal the blocks; write them now and then, and at the end of an incomplete run."""
    advanced = 0
    started = kept = time.monotonic()
    done = begun
    run.keep(begun)  # a place that cannot be written to is refused before the work

    def look_up(now: Blocks) -> bool:
        nonlocal advanced, kept, done
        done = now
        advance(run.study.shoes_in(len(now)) - advanced)
        advanced = run.study.shoes_in(len(now))
        at_first, at_most = KEEP_AFTER
        if time.monotonic() - kept > min(at_most, max(at_first, kept - started)):
            run.keep(now)
            kept = time.monotonic()
        return not is_stopped()

    try:
        look_up(begun)
        dealt(task(run.game, run.study), begun, workers, look_up)
    finally:
        if done:
            run.keep(done)
        else:
            with suppress(OSError):
                run.partial.unlink()
    return done


def task(game: Game, asked: Study) -> Task:
    """Return the input of the workers."""
    return Task(game.content, rule_book_name(game.id), asked)


def _finished(run: Run, done: Blocks, answer: StudyAnswer) -> StudyAnswer:
    """Return the study, with its folder written."""
    file = run.file(done)
    folder = _sealed(file, run.sign)
    place_folder(run.out, folder)
    with suppress(OSError):
        run.partial.unlink()
    return replace(answer, figures=file.results, files=folder)


def _sealed(file: StudyFile, key: Path | None) -> dict[str, bytes]:
    """Return all files of a study: its file, its documents, the rule book, the certificate and the sums."""
    game, name = file.game, rule_book_name(file.game.id)
    predicate = StudyPredicate(
        game=NamedGame(id=game.id, name=game.name),
        rule_book=RuleBookFile(name=name, sha256=file.game.sha256),
        software=THIS,
        libraries=software(libraries([Form.PDF])),
        statement=STUDY_WORDS[key is not None],
    )
    standing = {PROTECT: study_bytes(file), name: file.game.content}
    return sealed({**study_documents(file), **standing}, predicate, key)


def study_documents(file: StudyFile) -> dict[str, bytes]:
    """Return the page and the PDF of a study, by the names of their files."""
    document = study_document(file)
    foot = f"combinat {__version__}; rule book SHA-256 {file.game.sha256}"
    return {
        PAGE: html(document, f"{foot}; seed {file.study.seed}").encode("utf-8"),
        PRINTED: pdf(document, Front(subject=file.game.name, mark="", foot=foot)),
    }
