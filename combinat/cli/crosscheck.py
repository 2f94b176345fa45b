"""``combinat crosscheck``: compare a simulator's counts or a hand log with the exact results."""

from fractions import Fraction
from pathlib import Path
from typing import Annotated

import typer

from combinat.base.output_paths import refuse_inputs
from combinat.cli.answers import FormatOption
from combinat.cli.follow import EveryOption, FollowOption, StateOption, follow
from combinat.cli.log_options import (
    CardsOption,
    DecksOption,
    GameOption,
    MapOption,
    SetOption,
    at_hand,
    log_map_of,
)
from combinat.cli.options import refuse, warn_of_other_decks
from combinat.cli.output import say
from combinat.cli.progress import ON_TERMINAL
from combinat.render.text import Format
from combinat.rules.converters import as_probability

WHERE_ALL = "--format json"

ReportOption = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Also write the verdict to a file: .html, .md or .json.")
]
FaultsOption = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Write every row with a fault to a CSV file.")
]
ByOption = Annotated[
    str | None,
    typer.Option(
        metavar="NAMES",
        help="Group the log by columns, such as table,day or dealer+day: rounds, faults and hold of each group.",
    ),
]
ShoeShownOption = Annotated[
    str | None,
    typer.Option(
        metavar="N",
        help="The shoe whose house edges the HTML verdict shows, such as 3 or T1:3. [default: the first with a fault]",
    ),
]
FileArgument = Annotated[
    Path,
    typer.Argument(
        metavar="FILE",
        help="A counts file (JSON), or a hand log (CSV, JSON or Parquet, also compressed); - for standard input.",
    ),
]
AlphaOption = Annotated[
    str, typer.Option(metavar="P", help="Accepted probability of a false alarm over all tests.")
]
SettlementOnlyOption = Annotated[
    bool,
    typer.Option(
        "--settlement-only", help="For a hand log: check settlements only, without statistical tests."
    ),
]


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
    settlement_only: SettlementOnlyOption = False,
    follow_log: FollowOption = False,
    state: StateOption = None,
    every: EveryOption = None,
    map_file: MapOption = None,
    settings: SetOption = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Compare a simulator's counts, or every round of a hand log, with the exact results.

    The columns of another system's log are guessed from its header and first rows, and printed; --map and --set override
    the guess. --follow watches a log that grows. Exit codes: 0, it agrees; 1, it does not; 2, it could not be judged.
    """
    log_map = log_map_of(map_file, settings)
    if follow_log:
        others: dict[str, object] = {"report": report, "faults": faults, "by": by, "shoe_shown": shoe_shown}
        others |= {"settlement_only": settlement_only, "form": form is not Format.TEXT}
        refuse("--follow watches a growing log, and this option is for a whole log", others)
        if state is not None:
            refuse_inputs("state", state, {"the log to follow": file})
        from combinat.audit.judging.terms import Statements

        statements = Statements.of(game, log_map, decks=decks, cards=cards)
        raise typer.Exit(
            follow(file, state, every, statements, as_probability("alpha", alpha, Fraction(1, 2)))
        )
    refuse("no log is followed", {"state": state, "every": every})
    from combinat.report.audit.crosscheck import crosscheck as question
    from combinat.report.audit.verdict import verdict_text

    for name, place in {"report": report, "faults": faults}.items():
        if place is not None:
            refuse_inputs(name, place, {"the map": map_file})
    with at_hand(file) as place:
        verdict = question(
            place,
            game=game,
            decks=decks,
            cards=cards,
            alpha=alpha,
            settlement_only=settlement_only,
            by=by,
            shoe_shown=shoe_shown,
            log_map=log_map,
            report=report,
            faults=faults,
            progress=ON_TERMINAL,
        )
    if verdict.shoe.decks is not None:
        warn_of_other_decks(verdict.game, verdict.decks_allowed, [verdict.shoe.decks])
    say(verdict_text(verdict, form, WHERE_ALL))
    raise typer.Exit(verdict.word.exit_code)
