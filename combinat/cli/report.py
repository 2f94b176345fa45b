"""``combinat report``: write the certified reports of the games."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from combinat.base.errors import CombinatError, ShoeError, near_matches, shortened
from combinat.base.paper import Paper
from combinat.certify.collected import EXPLORER, INDEX, INDEX_PAGE
from combinat.certify.dossier import STEPS
from combinat.certify.output_lock import writing_to
from combinat.certify.placing import PlaceError, check_files, check_folder
from combinat.certify.recount import Recount, dossiers
from combinat.cli.filings import (
    FilingOption,
    MemoOption,
    PaperOption,
    TemplateOption,
    issued,
    write_template,
)
from combinat.cli.options import known_games
from combinat.cli.output import say_line, warn
from combinat.cli.places import refuse_inputs, refuse_inside, refuse_no_folder
from combinat.cli.progress import progress_bar
from combinat.cli.shoe import decks_from, is_several, warn_of_decks
from combinat.cli.simulations import OPTIONS, asked
from combinat.cli.variant_options import ReadingOption, reread_book
from combinat.library.reports import OVER_THE_GAMES, Collected, write_collection, write_game
from combinat.library.simulations import LEAST_ROUNDS, OWN_STEPS, Simulations, deal_own, judge_files
from combinat.montecarlo.report_simulation import ROUNDS
from combinat.montecarlo.written import MOST_ROUNDS
from combinat.report.folder import (
    FORMS,
    MEMOS,
    Form,
)
from combinat.rules import bounds
from combinat.rules.book.find import rule_book_path, rule_book_paths
from combinat.rules.book.load import RuleBook, load_rule_book
from combinat.rules.game import Game

GamesArgument = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="GAME",
        help="Game ids or TOML files; all the games when none is given.",
        autocompletion=known_games,
        show_default=False,
    ),
]
ReportDecksOption = Annotated[
    str | None,
    typer.Option(
        metavar="N",
        help="Numbers of decks, such as 4-10 or 4,6,8; all that the document allows.",
        show_default=False,
    ),
]
OutOption = Annotated[str, typer.Option(metavar="FOLDER", help="The folder to write to.")]
FormatsOption = Annotated[
    str | None,
    typer.Option(
        metavar="LIST",
        help="Some of markdown,html,pdf,csv,xlsx; all when nothing is said.",
        show_default=False,
    ),
]
SignOption = Annotated[
    Path | None,
    typer.Option(
        metavar="KEY",
        help="Sign the certificates with this private key (combinat keygen).",
        show_default=False,
    ),
]
SimulationOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="own|none|FILE",
        help="What the chapter on simulation shows: own, a simulation that the report deals itself (when nothing is said); a counts file or CSV hand log to judge; none. May be repeated.",
        show_default=False,
    ),
]
SimulationRoundsOption = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        help=f"Rounds of the report's own simulation; {ROUNDS} when nothing is said.",
        min=LEAST_ROUNDS,
        max=MOST_ROUNDS,
        show_default=False,
    ),
]


def report(
    games: GamesArgument = None,
    decks: ReportDecksOption = None,
    out: OutOption = "output",
    formats: FormatsOption = None,
    sign: SignOption = None,
    simulation: SimulationOption = None,
    simulation_rounds: SimulationRoundsOption = None,
    reading: ReadingOption = None,
    filing: FilingOption = None,
    filing_template: TemplateOption = False,
    memo: MemoOption = False,
    paper: PaperOption = Paper.A4,
) -> None:
    """Write the certified reports of the games: analysis, tables, workbook, HTML, PDF, certificate.

    A report of ours in the same place is replaced; anything else there is left alone, and refused.
    """
    if filing_template:
        write_template(games or [])
        return
    named = dict.fromkeys(map(rule_book_path, games) if games else rule_book_paths().values())
    inputs = [("a rule book", path) for path in named]
    wanted = asked(simulation or [], simulation_rounds)
    inputs += [("a file of a simulation", path) for path in wanted.files]
    inputs += [("the key", sign)] if sign is not None else []
    inputs += [("the filing", filing)] if filing is not None else []
    for what, path in inputs:
        refuse_inputs("--out", Path(out), {what: path})
    books = [reread_book(load_rule_book(path), reading) for path in named]
    numbers = {book.game.id: _decks(book.game, decks) for book in books}
    if len(numbers) < len(books):
        raise CombinatError("two of the rule books have one id; give each game once")
    forms = _forms(formats, memo=memo)
    how = issued(filing, paper, sign, books)
    folder = _place(out, books)
    for book in books:
        for what, path in inputs:
            refuse_inside(folder / book.game.id, {what: path})
    simulations = Simulations()
    written: list[Collected] = []
    steps = STEPS + 1 + len(forms) + (OWN_STEPS if wanted.own_rounds else 0)
    with writing_to(folder):
        judge_files(simulations, wanted.files, books, numbers, OPTIONS, warn)
        with progress_bar(sum(steps + len(some) for some in numbers.values()), "report") as advance:
            tasks = [Recount.of(book, numbers[book.game.id]) for book in books]
            for book, told in zip(books, dossiers(tasks, advance), strict=True):
                if wanted.own_rounds:
                    deal_own(
                        simulations, book, told.reference_decks, wanted.own_rounds, OPTIONS, warn, advance
                    )
                verdicts = simulations.verdicts.get(book.game.id, ())
                contents = simulations.contents.get(book.game.id, {})
                names = write_game(
                    folder, told, book, forms, verdicts, contents, how.issue, how.filing, sign, advance
                )
                written.append((book, told, names))
                listed = ", ".join(name for name in names if "/" not in name)
                under = (
                    f" under {book.game.provisos.readings_in_words}" if book.game.provisos.readings else ""
                )
                say_line(f"wrote {folder / book.game.id}: {listed}{under}")
        write_collection(folder, written, sign, warn)
    say_line(f"wrote {folder / INDEX}, {INDEX_PAGE}, {EXPLORER}")
    raise typer.Exit(simulations.exit_code)


def _place(out: str, books: Sequence[RuleBook]) -> Path:
    """The folder to write to, when nothing in it would be lost."""
    if not out:
        raise CombinatError("--out: found no name; write a folder, such as --out filing")
    folder = Path(out)
    refuse_no_folder("--out", folder)
    try:
        for book in books:
            check_folder(folder / book.game.id)
        check_files(folder, OVER_THE_GAMES)
    except PlaceError as error:
        raise PlaceError(f"{error}; or choose another --out") from None
    return folder


def _decks(game: Game, decks: str | None) -> list[int]:
    if decks is None:
        return list(range(game.decks.least, game.decks.most + 1))
    asked = decks if is_several(decks) else f"{decks}-{decks}"
    numbers = decks_from(asked, columns=bounds.SHOES, most=bounds.DECKS)
    if numbers is None:
        raise ShoeError(
            f'--decks: found "{shortened(decks)}"; write a number or a range, such as 8, 4-10 or 4,6,8'
        )
    warn_of_decks(game, numbers)
    return numbers


def _forms(formats: str | None, *, memo: bool) -> list[Form]:
    """The forms that are asked for, each with its memo where there is one."""
    asked = _asked_forms(formats)
    memos = [MEMOS[form] for form in asked if form in MEMOS] if memo else []
    if memo and not memos:
        raise CombinatError(f"--memo: a memo is one of {', '.join(MEMOS)}; let --formats name one of them")
    return [*asked, *memos]


def _asked_forms(formats: str | None) -> list[Form]:
    if formats is None:
        return list(FORMS)
    words = [word.strip() for word in formats.split(",")]
    unknown = [word for word in words if word not in FORMS]
    if unknown:
        near = "".join(f" (did you mean {one}?)" for one in near_matches(unknown[0], list(FORMS)))
        raise CombinatError(
            f'--formats: found "{shortened(unknown[0])}"{near}; write some of {", ".join(FORMS)}, separated by commas'
        )
    return [form for form in FORMS if form in words]
