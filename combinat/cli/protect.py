"""``combinat protect``: whole shoes dealt, every bet valued before every round, and the gains of counters."""

import os
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from combinat.base.errors import CombinatError, FileError, named
from combinat.base.files import plain_bytes, write_whole
from combinat.base.output_paths import refuse_inputs, refuse_inside, refuse_no_folder
from combinat.certify.folder import MOST_FILE_BYTES
from combinat.certify.placing import PlaceError, check_folder, place_folder
from combinat.certify.signature import is_private, signer
from combinat.certify.study_seal import sealed_study
from combinat.cli.leaving import stopped_by
from combinat.cli.options import SHOE_LIMIT, FormatOption, GameArgument
from combinat.cli.output import say, tell, warn
from combinat.cli.progress import progress_bar
from combinat.cli.shoe import DecksOption, shoe_from
from combinat.cli.simulate import Received, interruption
from combinat.library.protection import as_limit
from combinat.library.studies import task_of, workers_for
from combinat.protection.study import BLOCKS, MOST_SHOES, Blocks, Study, checked_wagers
from combinat.protection.study_figures import StudyResults, results
from combinat.protection.study_file import PROTECT, StudyFile, partial_bytes, read_partial
from combinat.protection.study_run import Workers, dealt
from combinat.render.blocks import Paragraph
from combinat.render.escape import for_text
from combinat.render.table_options import TableOptions, printing_tables
from combinat.render.text import Format, rendered
from combinat.report.study import StudyShown, who_blocks
from combinat.report.study_folder import study_documents, study_libraries
from combinat.rules.book.find import rule_book_path
from combinat.rules.book.load import RuleBook, load_rule_book
from combinat.rules.count_file import read_counts
from combinat.rules.shoe_dealing import FIRST_CARD, Burn, ShoeDealing

CUT_CARD = 14
SHOES = 10_000
KEEP_AFTER = 1, 30
"""Seconds after which what was dealt is kept, at first and at most: as many as were spent so far in between.

So a run that is killed has to deal again half of what it dealt, or half a minute of it, at most.
"""

BetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--bet",
        metavar="ID",
        help="Only this bet, or insurance such as player@four-cards; may be repeated.",
        show_default=False,
    ),
]
CutCardOption = Annotated[int, typer.Option(metavar="N", help="Cards behind the cut card.")]
AfterOption = Annotated[
    int,
    typer.Option(
        "--rounds-after", metavar="N", help="Rounds dealt after the one in which the cut card comes."
    ),
]
BurnOption = Annotated[
    str,
    typer.Option(
        "--burn",
        metavar="RULE",
        help="first-card: it is shown, and its value in cards is burnt; none; or a number of cards.",
    ),
]
ShoesOption = Annotated[int, typer.Option(metavar="N", help="Shoes to deal.", min=BLOCKS, max=MOST_SHOES)]
CountOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--count",
        metavar="FILE",
        help="A TOML file of counts: name, bet, tags, index (docs/protect.md); may be repeated.",
        show_default=False,
    ),
]
LimitOption = Annotated[
    str | None,
    typer.Option(
        "--limit",
        metavar="UNITS",
        help=f"Report the deepest cut card of each bet within this limit: {SHOE_LIMIT}, such as 0.1.",
        show_default=False,
    ),
]
SeedOption = Annotated[
    int, typer.Option(metavar="S", help="Seed of the random streams: same seed, same files.", min=0)
]
OutOption = Annotated[Path, typer.Option(metavar="DIR", help="The folder to write.", show_default=False)]
ClusterOption = Annotated[
    str | None,
    typer.Option(
        metavar="WHERE",
        help="Deal on a dask cluster: local, or a scheduler such as tcp://10.0.0.5:8786. The files are the same.",
        show_default=False,
    ),
]
ResumeOption = Annotated[bool, typer.Option("--resume", help="Continue an interrupted run.")]
WorkersOption = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        help="Worker processes; default: one for each core. The files are the same.",
        min=1,
        max=1024,
        show_default=False,
    ),
]
SignOption = Annotated[
    Path | None,
    typer.Option(
        metavar="KEY",
        help="Sign the certificate with this private key (combinat keygen).",
        show_default=False,
    ),
]


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


def protect(
    game: GameArgument,
    out: OutOption,
    bet: BetOption = None,
    decks: DecksOption = None,
    cut_card: CutCardOption = CUT_CARD,
    rounds_after: AfterOption = 1,
    burn: BurnOption = FIRST_CARD,
    shoes: ShoesOption = SHOES,
    count: CountOption = None,
    limit: LimitOption = None,
    seed: SeedOption = 1,
    workers: WorkersOption = None,
    cluster: ClusterOption = None,
    resume: ResumeOption = False,
    sign: SignOption = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Deal whole shoes, value every bet exactly before every round, and report the gains of counters.

    For perfect play, and for each count: the share of rounds bet, the edge and the gain, by depth and by position of
    the cut card. Ctrl-C stops the run and keeps the blocks dealt; the same command with --resume continues it.
    """
    book = load_rule_book(game)
    dealing = ShoeDealing(
        cut_card=cut_card, burn=_of_option("--burn", lambda: Burn.parse(burn)), after=rounds_after
    )
    shoe = shoe_from(book.game, decks, None, None)
    _of_option("--rounds-after", dealing.check_after)
    dealing.check_room(shoe.size)
    _of_option("--cut-card", lambda: dealing.check_cut(shoe.size))
    study = Study(
        shoe=shoe,
        dealing=dealing,
        seed=seed,
        shoes=shoes,
        bets=_of_option("--bet", lambda: checked_wagers(book.game, tuple(bet or ()))),
        counts=_of_option("--count", lambda: read_counts(count or [])),
    )
    run = Run(book=book, study=study, limit=None if limit is None else as_limit(limit), out=out, sign=sign)
    _check_places(run, {"the rule book": [rule_book_path(game)], "a file of counts": count or []})
    begun = _begun(run, resume=resume)
    chosen = _workers(study.shoes - study.shoes_in(len(begun)), workers, cluster)
    with interruption() as received, progress_bar(study.shoes, "shoes", rate=True) as advance:
        done = _dealt(run, begun, chosen, advance, received)
    if len(done) < study.blocks:
        tell(
            f"stopped after {study.shoes_in(len(done))} of {study.shoes} shoes"
            + (f"; {run.partial} holds them: go on with --resume" if done else "; nothing is kept")
        )
        raise typer.Exit(stopped_by(received()))
    _finish(run, done, form)


Made = TypeVar("Made")


def _of_option(option: str, made: Callable[[], Made]) -> Made:
    """The value of an option; an error names the option."""
    with named(option.lstrip("-").replace("-", "_")):
        return made()


def _workers(shoes: int, workers: int | None, cluster: str | None) -> Workers:
    if cluster is not None and workers is not None:
        raise CombinatError(
            "--workers is for this machine's processes, and --cluster has its own; give one of the two"
        )
    return _of_option("--cluster", lambda: workers_for(shoes, workers, cluster))


def _check_places(run: Run, read: Mapping[str, Sequence[Path]]) -> None:
    """Refuse, before anything is dealt, a folder that must not be replaced, and a key that cannot sign."""
    if run.out.name in ("", ".."):
        raise CombinatError(f'--out: found "{run.out}"; write the name of a folder, such as --out study')
    keys = [run.sign] if run.sign is not None else []
    for what, path in [(what, path) for what, paths in {**read, "the key": keys}.items() for path in paths]:
        refuse_inputs("out", run.out, {what: path})
        refuse_inputs("out", run.partial, {what: path})
        refuse_inside(run.out, {what: path})
    refuse_no_folder("out", run.out)
    try:
        check_folder(run.out)
    except PlaceError as error:
        raise PlaceError(f"{error}; or choose another --out") from None
    if run.sign is not None:
        signer(run.sign)
        if not is_private(run.sign):
            warn(
                f"{run.sign}: others can read this private key; write chmod 600 {run.sign}, or make a new key"
            )


def _begun(run: Run, *, resume: bool) -> Blocks:
    """The blocks of an earlier run, if it is continued."""
    if not os.path.lexists(run.partial):
        if resume:
            tell(f"--resume: no run into {run.out} was stopped ({run.partial} is not there); it begins anew")
        return ()
    try:
        kept = read_partial(plain_bytes(run.partial, MOST_FILE_BYTES), run.book)
    except FileError as error:
        raise CombinatError(f"{run.partial}: {error.why}; move it away, or choose another --out") from None
    except CombinatError as error:
        raise CombinatError(f"{run.partial}: {error}; move it away, or choose another --out") from None
    if not resume and kept.blocks:
        raise CombinatError(
            f"{run.partial}: a run was stopped after {kept.study.shoes_in(len(kept.blocks))} shoes; go on with --resume, or move it away"
        )
    if resume and kept.study != run.study:
        raise CombinatError(
            f"--resume: {run.partial} is of {_difference(kept.study, run.study)}; write the same again"
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
    run: Run, begun: Blocks, workers: Workers, advance: Callable[[int], None], received: Received
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
        return not received()

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


def _finish(run: Run, done: Blocks, form: Format) -> None:
    """Write the folder, and print its first tables."""
    file = run.file(done)
    figures = results(run.book.game, run.study, done, run.limit)
    with printing_tables(TableOptions()):
        documents = study_documents(shown_study(run.book, run.study, figures))
    folder = sealed_study(
        file,
        figures,
        run.book,
        documents,
        libraries=study_libraries(),
        key=run.sign,
    )
    place_folder(run.out, folder)
    with suppress(OSError):
        run.partial.unlink()
    if form is Format.JSON:
        say(folder[PROTECT].decode("ascii").rstrip("\n"))
        return
    say(rendered(who_blocks(figures, form), form))
    if form is Format.TEXT:
        say(for_text(f"wrote {run.out}:"))
        say(rendered([Paragraph(", ".join(sorted(folder)))], form))


def shown_study(book: RuleBook, study: Study, figures: StudyResults) -> StudyShown:
    """The content of a study's documents."""
    return StudyShown(game=book.game, rule_book_sha256=book.sha256, study=study, results=figures)
