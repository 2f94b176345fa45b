"""``combinat crosscheck``: a simulator's counts or a hand log against the exact results."""

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from combinat.base.errors import (
    CombinatError,
    StakeError,
    shortened,
)
from combinat.cli.follow import EveryOption, FollowOption, StateOption, follow, refuse_without_follow
from combinat.cli.log_options import Reading, at_hand, reads_logs, ways_out
from combinat.cli.options import FormatOption
from combinat.cli.output import say
from combinat.cli.places import refuse_inputs
from combinat.cli.progress import progress_bar
from combinat.cli.saying_options import (
    ByOption,
    FaultsOption,
    ReportOption,
    ShoeShownOption,
    stated_groupings,
)
from combinat.cli.shoe import stated_shoe, warn_of_other_decks
from combinat.library.verdicts import check_places, faults_sink, write_verdict
from combinat.render.table_options import TableOptions, printing_tables
from combinat.render.text import Format
from combinat.rules.book.find import rule_book_path
from combinat.rules.money import parse_money

if TYPE_CHECKING:
    from combinat.audit.verdict import Verdict

WHERE_ALL = "--format json"

FileArgument = Annotated[
    Path,
    typer.Argument(
        metavar="FILE",
        help="A counts file (JSON), or a hand log (CSV, JSON or Parquet, also compressed); - for standard input.",
        show_default=False,
    ),
]
AlphaOption = Annotated[
    str,
    typer.Option(metavar="P", help="The chance of a false alarm that is accepted, all tests together."),
]
GameOption = Annotated[
    str | None,
    typer.Option(
        metavar="GAME",
        help="The game, where the file names none or has a rule book of its own.",
        show_default=False,
    ),
]
DecksOption = Annotated[
    str | None,
    typer.Option(
        metavar="N",
        help="Decks of the shoe: where a hand log names none, or to confirm decks that the game does not allow.",
        show_default=False,
    ),
]
CardsOption = Annotated[
    str | None,
    typer.Option(
        metavar="COUNTS",
        help='Or its cards when fresh, such as "A=31 2=32 K=32"; also to confirm them.',
        show_default=False,
    ),
]
CutCardOption = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        help="Cards behind the cut card, where a log of whole shoes does not say; a deck is assumed.",
        min=0,
        show_default=False,
    ),
]
SettlementOnlyOption = Annotated[
    bool, typer.Option("--settlement-only", help="Of a hand log, judge the settlements and not chance.")
]


@reads_logs
def crosscheck(
    file: FileArgument,
    alpha: AlphaOption = "0.001",
    report: ReportOption = None,
    faults: FaultsOption = None,
    by: ByOption = None,
    shoe_shown: ShoeShownOption = None,
    game: GameOption = None,
    decks: DecksOption = None,
    cards: CardsOption = None,
    cut_card: CutCardOption = None,
    settlement_only: SettlementOnlyOption = False,
    follow_log: FollowOption = False,
    state: StateOption = None,
    every: EveryOption = None,
    *,
    reading: Reading,
    form: FormatOption = Format.TEXT,
) -> None:
    """Hold a simulator's counts, or every round of a hand log, against the exact results.

    A log of another system is read as its header and its first rows tell, which is printed; a map or the options
    below say the rest. A log that grows is watched with --follow. Exit codes: 0, it agrees; 1, it does not; 2, it
    could not be judged.
    """
    level = _alpha(alpha)
    places = {"report": report, "faults": faults}
    _check_places(places, file, game, reading.map_file)
    log_map = reading.log_map()
    given: dict[str, Any] = {"shoe": stated_shoe(decks, cards), "cut_card": cut_card, "log_map": log_map}
    if follow_log:
        written = {f"--{name}": place for name, place in places.items()}
        _refuse_with_follow({**written, "--by": by, "--shoe-shown": shoe_shown}, settlement_only, form)
        raise typer.Exit(_followed(file, state, every, game=game, alpha=level, **given))
    refuse_without_follow(state, every)
    given |= {"groupings": stated_groupings(by), "shoe_shown": shoe_shown}
    with faults_sink(faults) as sink:
        judged = _judged(file, game=game, alpha=level, settlement_only=settlement_only, sink=sink, **given)
    with printing_tables(TableOptions()):
        write_verdict(judged, report, WHERE_ALL)
    _say(judged, form)
    raise typer.Exit(judged.word.exit_code)


def _check_places(
    places: dict[str, Path | None], file: Path, game: str | None, map_file: Path | None
) -> None:
    """Refuse places for the verdict that are among the files read, and what could not be done."""
    if any(places.values()):
        book = rule_book_path(game) if game is not None else None
        check_places(places, {"the file to judge": file, "the rule book": book, "the map": map_file}, "--")


def _refuse_with_follow(others: dict[str, object], settlement_only: bool, form: Format) -> None:
    """Refuse what a log that is followed has no use for."""
    others = {**others, "--settlement-only": settlement_only, "--format": form is not Format.TEXT}
    for option, is_given in others.items():
        if is_given:
            raise CombinatError(f"{option} is of a whole log, and --follow of one that grows; leave out one")


def _followed(file: Path, state: Path | None, every: int | None, **given: Any) -> int:
    if state is not None:
        refuse_inputs("--state", state, {"the log to follow": file})
    with ways_out():
        return follow(file, state, every, **given)


def _judged(file: Path, **given: Any) -> "Verdict":
    from combinat.audit.judging.judge import verdict

    with at_hand(file) as place:
        return verdict(place, bar=lambda total, doing: progress_bar(total, doing, parts=False), **given)


def _say(judged: "Verdict", form: Format) -> None:
    if judged.shoe.decks is not None:
        warn_of_other_decks(judged.game, judged.decks_allowed, [judged.shoe.decks])
    from combinat.report.verdict import verdict_text

    say(verdict_text(judged, form, WHERE_ALL))


def _alpha(text: str) -> Fraction:
    try:
        level = parse_money(text)
    except StakeError:
        level = Fraction(0)
    if not 0 < level < Fraction(1, 2):  # also what has more than nine decimals
        raise CombinatError(
            f'--alpha: found "{shortened(text)}"; write a probability between 0 and 0.5 with nine decimals at most, such as 0.001'
        )
    return level
