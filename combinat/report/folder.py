"""The folder of a game's report: every file in it, written aside and put in place as one."""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from combinat import __version__
from combinat.certify.certificate import write_certificate
from combinat.errors import CombinatError
from combinat.render.document import Block, Figure, Format, rendered
from combinat.render.files import write_whole
from combinat.render.html import html
from combinat.render.pdf import pdf
from combinat.report.exact import analysis_json, canonical
from combinat.report.filing import Filing
from combinat.report.identities import checked_identities
from combinat.report.rulebook import rule_book
from combinat.report.tables import write_tables
from combinat.report.workbook import write_workbook
from combinat.rules.game import Game
from combinat.rules.rulebook import rule_book_sha256

if TYPE_CHECKING:
    from combinat.audit.verdict import Verdict


class Part(StrEnum):
    """The forms of a report beside analysis.json, which is always written."""

    MARKDOWN = "markdown"
    HTML = "html"
    PDF = "pdf"
    CSV = "csv"
    XLSX = "xlsx"


STEPS = 6
"""How many steps ``write_folder`` reports beside one for each number of decks."""


def write_folder(
    game: Game,
    rule_book_path: Path,
    out: Path,
    decks: Sequence[int],
    parts: Sequence[Part],
    key: Path | None,
    step: Callable[[str], None],
    simulations: "Sequence[Verdict]" = (),
) -> Path:
    """Write the report of a game to ``out/<game id>``; until it is whole, the old folder stays."""
    sha256 = rule_book_sha256(rule_book_path)
    filing = Filing(game, sha256, list(decks), simulations)
    with _replacing_folder(out / game.id) as folder:
        analysis = analysis_json(game, sha256, decks, step)
        write_whole(folder / "analysis.json", canonical(analysis))
        write_whole(folder / "rules.md", rendered(rule_book(game, sha256), Format.MARKDOWN))
        checked = checked_identities(filing.analyses)
        blocks = filing.blocks(checked)
        step("the report")
        _write_documents(filing, blocks, parts, folder)
        step("its pages")
        if Part.CSV in parts:
            write_tables(analysis, folder)
        if Part.XLSX in parts:
            write_workbook(analysis, game, folder / "workbook.xlsx")
        step("its tables")
        if simulations:
            from combinat.report.simulation import write_simulations  # scipy comes with it

            write_simulations(simulations, folder)
        write_certificate(folder, game, sha256, checked, key)
        step("its certificate")
    return out / game.id


def _write_documents(filing: Filing, blocks: Sequence[Block], parts: Sequence[Part], folder: Path) -> None:
    foot = f"combinat {__version__}; rule book SHA-256 {filing.sha256}"
    if Part.MARKDOWN in parts:
        write_whole(folder / "report.md", rendered(blocks, Format.MARKDOWN))
        for block in blocks:
            if isinstance(block, Figure):
                write_whole(folder / "figures" / f"{block.name}.svg", block.svg)
    if Part.HTML in parts:
        write_whole(folder / "report.html", html(blocks, foot))
    if Part.PDF in parts:
        pdf(
            blocks,
            game=filing.game.name,
            sha256=filing.sha256,
            foot=f"combinat {__version__}",
            date=filing.game.effective,
            path=folder / "report.pdf",
        )


@contextmanager
def _replacing_folder(path: Path) -> Iterator[Path]:
    """A folder to fill in the place of ``path``: it takes its place when all went well, else it is gone."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(dir=path.parent, prefix=f".{path.name}."))
    except OSError as error:
        raise CombinatError(f"{path}: cannot be written ({error.strerror}); choose another --out") from None
    old = made.with_name(f"{made.name}.old")
    try:
        yield made
        made.chmod(0o755)
        if path.exists():
            os.replace(path, old)
        os.replace(made, path)
    except OSError as error:
        if old.exists():
            os.replace(old, path)
        raise CombinatError(f"{path}: cannot be written ({error.strerror}); choose another --out") from None
    except CombinatError as error:
        raise type(error)(str(error).replace(str(made), str(path))) from None
    finally:
        shutil.rmtree(made, ignore_errors=True)
        shutil.rmtree(old, ignore_errors=True)
