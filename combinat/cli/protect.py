"""``combinat protect``: whole shoes dealt, every bet valued before every round, and the gains of counters."""

from pathlib import Path
from typing import Annotated

import typer

from combinat.cli.leaving import stopped_by
from combinat.cli.options import SHOE_LIMIT, FormatOption, GameArgument
from combinat.cli.output import say, tell
from combinat.cli.progress import SHOWN
from combinat.cli.shoe import DecksOption, shoe_from
from combinat.cli.simulate import interruption
from combinat.library.protecting import CUT_CARD, SHOES
from combinat.library.protecting import protect as studied
from combinat.montecarlo.shoe_dealing import FIRST_CARD
from combinat.protection.study import BLOCKS, MOST_SHOES, PROTECT
from combinat.render.blocks import Paragraph
from combinat.render.escape import for_text
from combinat.render.table_options import TableOptions, printing_tables
from combinat.render.text import Format, rendered
from combinat.report.protection.study import who_blocks
from combinat.rules.converters import as_book

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
    shoe = shoe_from(as_book(game).game, decks, None, None)
    with interruption() as received, printing_tables(TableOptions()):
        answer = studied(
            game,
            out,
            bets=bet or (),
            shoe=shoe,
            cut_card=cut_card,
            rounds_after=rounds_after,
            burn=burn,
            shoes=shoes,
            counts=count or (),
            limit=limit,
            seed=seed,
            workers=workers,
            cluster=cluster,
            resume=resume,
            sign=sign,
            progress=SHOWN,
            is_stopped=lambda: bool(received()),
        )
    if answer.figures is None or answer.files is None:
        kept = f"{answer.partial} holds them: go on with --resume" if answer.shoes else "nothing is kept"
        tell(f"stopped after {answer.shoes} of {answer.wanted} shoes; {kept}")
        raise typer.Exit(stopped_by(received()))
    if form is Format.JSON:
        say(answer.files[PROTECT].decode("ascii").rstrip("\n"))
        return
    say(rendered(who_blocks(answer.figures, form), form))
    if form is Format.TEXT:
        say(for_text(f"wrote {out}:"))
        say(rendered([Paragraph(", ".join(sorted(answer.files)))], form))
