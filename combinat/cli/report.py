"""``combinat report``: write the certified reports of the games."""

import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from combinat.certify.signature import signer
from combinat.cli.options import known_games
from combinat.cli.progress import progress_bar
from combinat.cli.shoe import decks_from, warn_of_decks
from combinat.errors import CombinatError, ShoeError
from combinat.render.document import Format, rendered
from combinat.render.files import write_whole
from combinat.report.exact import REFERENCE_DECKS
from combinat.report.folder import STEPS, Part, write_folder
from combinat.report.index import index
from combinat.rules.game import Game
from combinat.rules.rulebook import load_game, rule_book_path, rule_book_paths, rule_book_sha256

if TYPE_CHECKING:
    from combinat.audit.verdict import Verdict


def report(
    games: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="GAME",
            help="Game ids or TOML files; all the games when none is given.",
            autocompletion=known_games,
            show_default=False,
        ),
    ] = None,
    decks: Annotated[
        str | None,
        typer.Option(
            metavar="N",
            help="Numbers of decks, such as 4-10; all that the document allows.",
            show_default=False,
        ),
    ] = None,
    out: Annotated[Path, typer.Option(help="The folder to write to.")] = Path("output"),
    formats: Annotated[
        str | None,
        typer.Option(
            metavar="LIST",
            help="Some of markdown,html,pdf,csv,xlsx; all when nothing is said.",
            show_default=False,
        ),
    ] = None,
    sign: Annotated[
        Path | None,
        typer.Option(
            metavar="KEY",
            help="Sign the certificates with this private key (combinat keygen).",
            show_default=False,
        ),
    ] = None,
    simulation: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            help="A counts file or hand log to judge and show in section L; may be repeated.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Write the certified reports of the games: analysis, tables, workbook, HTML, PDF, certificate."""
    named = (rule_book_path(game) for game in games) if games else rule_book_paths().values()
    loaded = [(load_game(path), path) for path in dict.fromkeys(named)]
    numbers = {game.id: _decks(game, decks) for game, _ in loaded}
    parts = _parts(formats)
    _check_libraries(parts)
    if sign is not None:
        signer(sign)  # a key that cannot sign is refused before anything is computed
    if len(numbers) < len(loaded):
        raise CombinatError("two of the rule books have one id; give each game once")
    simulations = _simulations(simulation or [], loaded, numbers)
    steps = sum(STEPS + len(found) for found in numbers.values())
    written = []
    with progress_bar(steps, "report") as advance:
        for game, path in loaded:
            folder = write_folder(
                game,
                path,
                out,
                numbers[game.id],
                parts,
                sign,
                lambda step: advance(1),
                simulations.get(game.id, ()),
            )
            written.append((game, rule_book_sha256(path), _files(folder)))
    write_whole(
        out / "README.md", rendered(index(_with_earlier(written, out), REFERENCE_DECKS), Format.MARKDOWN)
    )
    for game, _, files in written:
        typer.echo(f"wrote {out / game.id}: {', '.join(files)}")
    typer.echo(f"wrote {out / 'README.md'}")
    codes = [one.word.exit_code for judged in simulations.values() for one in judged]
    raise typer.Exit(1 if 1 in codes else max(codes, default=0))


def _simulations(
    files: list[Path], loaded: list[tuple[Game, Path]], decks: dict[str, list[int]]
) -> "dict[str, list[Verdict]]":
    """The verdicts on files of simulations, by the game they are about; a file that does not agree is warned of."""
    if not files:
        return {}
    if find_spec("scipy") is None:
        raise CombinatError("--simulation needs scipy: pip install 'combinat[crosscheck]'")
    from combinat.audit.judgement import ALPHA
    from combinat.audit.verdict import game_named, verdict
    from combinat.report.simulation import warnings

    books = {game.id: path for game, path in loaded}
    if len({file.name for file in files}) < len(files):
        raise CombinatError(
            "--simulation: two files have one name; give each file once, under a name of its own"
        )
    found: dict[str, list[Verdict]] = {}
    for file in files:
        named = game_named(file)
        if named not in books:
            raise CombinatError(
                f"--simulation: {file} is about {named or 'a game that it does not name'}; this report is of {', '.join(books)}"
            )
        judged = verdict(
            file,
            game=str(books[named]),
            shoe=None,
            alpha=ALPHA,
            settlement_only=False,
            progress=lambda total: progress_bar(total, "replaying", parts=False),
        )
        if judged.observed.shoe.decks not in decks[named]:
            raise CombinatError(
                f"--simulation: {file} is of {judged.observed.shoe.size} cards; this report is of fresh shoes of "
                f"{', '.join(map(str, decks[named]))} decks"
            )
        found.setdefault(named, []).append(judged)
    for warning in warnings([one for judged in found.values() for one in judged]):
        print(f"combinat: warning: {warning}", file=sys.stderr)
    return found


Written = tuple[Game, str, list[str]]
"""A game, its rule book's hash, and the files of its folder."""


def _files(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir() if file.is_file())


def _with_earlier(written: list[Written], out: Path) -> list[Written]:
    """What was written now, and the games of ours that have a folder from before, in the order of their ids."""
    now = {game.id for game, _, _ in written}
    earlier = [
        (load_game(path), rule_book_sha256(path), _files(out / game_id))
        for game_id, path in rule_book_paths().items()
        if game_id not in now and (out / game_id).is_dir()
    ]
    return sorted([*written, *earlier], key=lambda one: one[0].id)


NEEDED = {Part.HTML: "jinja2", Part.PDF: "typst", Part.XLSX: "xlsxwriter"}


def _check_libraries(parts: list[Part]) -> None:
    """Refuse before anything is computed what could not be written."""
    wanted = ["matplotlib", *(NEEDED[part] for part in parts if part in NEEDED)]
    missing = [name for name in wanted if find_spec(name) is None]
    if missing:
        raise CombinatError(f"a report needs {', '.join(missing)}: pip install 'combinat[report]'")


def _decks(game: Game, decks: str | None) -> list[int]:
    if decks is None:
        return list(range(game.decks.least, game.decks.most + 1))
    numbers = decks_from(decks if "-" in decks else f"{decks}-{decks}")
    if numbers is None:
        raise ShoeError(f'--decks: found "{decks}"; write a number or a range, such as 8 or 4-10')
    warn_of_decks(game, numbers)
    return numbers


def _parts(formats: str | None) -> list[Part]:
    if formats is None:
        return list(Part)
    words = [word.strip() for word in formats.split(",")]
    unknown = [word for word in words if word not in list(Part)]
    if unknown:
        raise CombinatError(
            f'--formats: found "{unknown[0]}"; write some of {", ".join(Part)}, separated by commas'
        )
    return [Part(word) for word in words]
