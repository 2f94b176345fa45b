"""``combinat protect``: which bets can be beaten, by the position of the cut card; with --shoes a study of dealt shoes."""

from pathlib import Path
from typing import Annotated, Any

import typer

from combinat.base.errors import InputError
from combinat.cli.answers import FormatOption, show
from combinat.cli.exits import interruption, stopped_by
from combinat.cli.options import SHOE_LIMIT, DecksOption, GameArgument, refuse, shoe_from
from combinat.cli.output import say, tell
from combinat.cli.progress import ON_TERMINAL
from combinat.protection.protect import as_cut_cards
from combinat.protection.protect import protect as ask
from combinat.protection.study import BLOCKS, MOST_SHOES, PROTECT
from combinat.render.blocks import Paragraph
from combinat.render.escape import for_text
from combinat.render.table_options import TableOptions, printing_tables
from combinat.render.text import Format, rendered
from combinat.report.protection.protect import PROTECTION, protect_csv, protect_document
from combinat.report.protection.study import player_blocks
from combinat.report.protection.study_folder import study
from combinat.rules.converters import as_document
from combinat.rules.game import Game

BetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--bet", metavar="ID", help="Only this bet, or insurance such as player@four-cards; may be repeated."
    ),
]
CutCardOption = Annotated[
    str | None, typer.Option(metavar="N,N,...", help="Cards behind the cut card. [default: 14,26,52]")
]
LimitOption = Annotated[
    str, typer.Option("--limit", metavar="UNITS", help=f"{SHOE_LIMIT[0].upper()}{SHOE_LIMIT[1:]}.")
]
ShoesOption = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        help="Also deal this many shoes, and write the study to --out.",
        min=BLOCKS,
        max=MOST_SHOES,
    ),
]
OutOption = Annotated[Path | None, typer.Option(metavar="DIR", help="With --shoes: the folder to write.")]
AfterOption = Annotated[
    int | None,
    typer.Option(
        "--rounds-after",
        metavar="N",
        help="With --shoes: rounds dealt after the one in which the cut card appears. [default: 1]",
    ),
]
BurnOption = Annotated[
    str | None,
    typer.Option(
        "--burn",
        metavar="RULE",
        help="With --shoes: first-card (turn the first card over and burn as many cards as its value), none, or a number of cards. "
        "[default: first-card]",
    ),
]
CountOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--count",
        metavar="FILE",
        help="With --shoes: a TOML file of counts: name, bet, tags, index (docs/protection.md); may be repeated.",
    ),
]
SeedOption = Annotated[
    int | None,
    typer.Option(
        metavar="S",
        help="With --shoes: seed of the random streams; the same seed writes the same files. [default: 1]",
        min=0,
    ),
]
WorkersOption = Annotated[
    str | None,
    typer.Option(
        metavar="N|WHERE",
        help="With --shoes: worker processes, or a dask cluster: local, or a scheduler such as tcp://10.0.0.5:8786; "
        "the files are the same. [default: one for each core]",
    ),
]
ResumeOption = Annotated[bool, typer.Option("--resume", help="With --shoes: continue an interrupted run.")]
SignOption = Annotated[
    Path | None,
    typer.Option(
        metavar="KEY", help="With --shoes: sign the certificate with this private key (combinat keygen)."
    ),
]


def protect(
    game: GameArgument,
    bet: BetOption = None,
    decks: DecksOption = None,
    cut_card: CutCardOption = None,
    limit: LimitOption = "0.1",
    shoes: ShoesOption = None,
    out: OutOption = None,
    rounds_after: AfterOption = None,
    burn: BurnOption = None,
    count: CountOption = None,
    seed: SeedOption = None,
    workers: WorkersOption = None,
    resume: ResumeOption = False,
    sign: SignOption = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Show which bets can be beaten with the cut card at 14, 26 or 52 cards, by proven bounds on a player's gain.

    --shoes N also deals N shoes and values every bet exactly before every round. It writes the gains of perfect play and
    of counts, by depth and by cut card, to --out as a certified study. Ctrl-C keeps the blocks dealt; --resume continues.
    """
    loaded = as_document(game)
    shoe = shoe_from(loaded, decks, None, None)
    cut_cards = as_cut_cards(shoe, cut_card)
    asked = {"bets": bet or (), "shoe": shoe, "limit": limit}
    stated = {"rounds_after": rounds_after, "burn": burn, "counts": count, "seed": seed, "sign": sign}
    dealing: dict[str, Any] = {name: value for name, value in stated.items() if value is not None}
    if shoes is None:
        others = {"out": out, **dict.fromkeys(dealing, True), "workers": workers, "resume": resume}
        refuse("this is for a study of dealt shoes", others, "add {shoes}")
        _show_bounds(loaded, form, cut_card=cut_cards, **asked)
        return
    if out is None:
        raise InputError("a study needs a folder", "write {out} DIR", parameter="shoes")
    with interruption() as received, printing_tables(TableOptions()):
        dealt = study(
            game,
            out,
            shoes=shoes,
            cut_card=min(cut_cards),
            resume=resume,
            progress=ON_TERMINAL,
            is_stopped=lambda: bool(received()),
            workers=workers,
            **(asked | dealing),
        )
    if dealt.files is None:
        done = dealt.file.shoes
        kept = f"{dealt.partial} holds them: go on with --resume" if done else "nothing is kept"
        tell(f"stopped after {done} of {dealt.file.study.shoes} shoes; {kept}")
        raise typer.Exit(stopped_by(received()))
    if form is Format.JSON:
        say(dealt.files[PROTECT].decode("ascii").rstrip("\n"))
        return
    if form is not Format.CSV:
        _show_bounds(loaded, form, cut_card=cut_cards, **asked)
    say(rendered(player_blocks(dealt.file, form), form))
    if form is Format.TEXT:
        say(for_text(f"wrote {out}:"))
        say(rendered([Paragraph(", ".join(sorted(dealt.files)))], form))


def _show_bounds(game: Game, form: Format, **asked: Any) -> None:
    answer = ask(game, **asked)
    show(
        form,
        answer.game,
        record=lambda: PROTECTION.object(answer),
        csv=lambda: protect_csv(answer),
        document=lambda: protect_document(answer),
    )
