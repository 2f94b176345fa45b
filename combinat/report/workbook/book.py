"""The dossier as a workbook: a sheet per table, counts as text, live formulas that an auditor can trace.

Excel keeps 15 digits of a number and the counts have up to 17, so a count stands as text and a formula reads
it in two parts, each short enough. Nets are whole numbers on a whole stake, so that a figure is one division
of whole numbers, not a small difference of large rounded terms: it is right to the last digit that Excel
keeps. Beside each formula stand the exact value and a check. The same dossier gives the same bytes.
"""

from combinat import __version__
from combinat.analysis.dossier import Dossier
from combinat.render.xlsx.book import Book, BookFront, book_bytes
from combinat.render.xlsx.cells import Live, Styled
from combinat.render.xlsx.sheet import Sheet, SheetColumn
from combinat.report.followed import FOLLOWED, followed_in_words
from combinat.report.odds import decks_in_words
from combinat.report.phrases import DISCLAIMER, ROUNDING
from combinat.report.workbook.bets import write_bets, write_edges, write_joint, write_removal
from combinat.report.workbook.insurance import write_insurance
from combinat.report.workbook.outcomes import write_outcomes
from combinat.report.workbook.register import write_formulas, write_interpretations
from combinat.report.workbook.words import (
    CHECK_NOTE,
    CONTENTS,
    COVER,
    INSURANCE,
    INSURANCE_BY_DECKS,
    OUTCOMES,
    THIRD_CARD,
    WAYS_NOTE,
    outcomes_sheet,
)
from combinat.rules.game import Game

_SOFTWARE = f"combinat {__version__}"


def workbook(dossier: Dossier, game: Game) -> bytes:
    """The workbook of a game's dossier."""
    title = f"{game.name}: exact pay-table analysis"
    front = BookFront(
        title=title,
        author=_SOFTWARE,
        comments=DISCLAIMER,
        created=game.effective,
        foot=f"{game.id}, rule book SHA-256 {dossier.rule_book_sha256}",
    )
    contents = _contents(dossier)

    def fill(book: Book) -> None:
        """Write every sheet; those that others refer to first."""
        reference = dossier.reference_decks
        places = {
            shoe.decks: write_outcomes(book, outcomes_sheet(shoe.decks, reference), shoe)
            for shoe in dossier.shoes
        }
        write_bets(book, dossier, places[reference])
        write_edges(book, dossier, places)
        write_joint(book, dossier)
        if dossier.reference.insurance:
            write_insurance(book, dossier)
        write_interpretations(book, dossier, game)
        write_removal(book, dossier)
        write_formulas(book, dossier)
        _write_cover(book, dossier, game, title, contents)

    return book_bytes(front, [COVER, *contents], fill)


def _contents(dossier: Dossier) -> dict[str, str]:
    """Every sheet but the cover, with what it holds; a game without insurance has none about it."""
    absent = () if dossier.reference.insurance else (INSURANCE, INSURANCE_BY_DECKS, THIRD_CARD)
    contents = {name: about for name, about in CONTENTS.items() if name not in absent}
    for decks in dossier.decks:
        if decks != dossier.reference_decks:
            name = outcomes_sheet(decks, dossier.reference_decks)
            contents[name] = f"the same as {OUTCOMES}, with {decks_in_words(decks)}"
    return contents


def _write_cover(book: Book, dossier: Dossier, game: Game, title: str, contents: dict[str, str]) -> None:
    """Write what the workbook is, how to read it, what it holds, and how its checks stand."""
    columns = [
        *(SheetColumn("", 28), SheetColumn("", 96)),
        *(SheetColumn("", 10, "whole"), SheetColumn("", 10, "whole")),
    ]
    sheet = Sheet(book, COVER, title, columns, headed=False)
    sheet.on_one_page()
    for label, text in _identity(dossier, game).items():
        sheet.row(Styled(label, "bold"), text)
    sheet.next += 1
    for text in _notes(dossier):
        sheet.paragraph(text)
    sheet.next += 1
    first = sheet.row("Sheet", "What it holds", "Checks", "that hold", style="head") + 1
    for name, about in contents.items():
        row = sheet.row(None, about, *_counted_checks(book, name))
        sheet.link(row, name)
    last, every = sheet.next - 1, sum(book.check_counts.values())
    sums = [Live(f"=SUM({letter}{first}:{letter}{last})", every) for letter in "CD"]
    total = sheet.row("all sheets", None, *sums, style="total")
    verdict = f'=IF(C{total}=D{total},"Every check holds.","NOT EVERY CHECK HOLDS.")'
    sheet.row(None, Styled(Live(verdict, "Every check holds."), "bold"))
    sheet.finish(filtered=False)


def _counted_checks(book: Book, name: str) -> list[Live]:
    """How many checks a sheet has and how many of them hold; nothing where it has none."""
    ranges, checks = book.check_ranges.get(name, []), book.check_counts.get(name, 0)
    if not ranges:
        return []
    true, false = ("+".join(f"COUNTIF({cells},{word})" for cells in ranges) for word in ("TRUE", "FALSE"))
    return [Live(f"={true}+{false}", checks), Live(f"={true}", checks)]


def _identity(dossier: Dossier, game: Game) -> dict[str, str]:
    """What was analysed, and by what."""
    version = f"version {game.version}" if game.version else "no version named"
    return {
        "Game": f"{game.name} ({game.id})",
        "Operator": game.operator,
        "Authority": game.authority or "none named in the document",
        "Rule document": f"{version}, in force from {game.in_force}",
        "Rule book SHA-256": dossier.rule_book_sha256,
        **({FOLLOWED: followed_in_words(game)} if game.followed else {}),
        "Numbers of decks": ", ".join(map(str, dossier.decks)),
        "Where one shoe stands for all": decks_in_words(dossier.reference_decks),
        "Software": _SOFTWARE,
    }


def _notes(dossier: Dossier) -> list[str]:
    """How to read the workbook."""
    longest = max(len(str(shoe.sample_space)) for shoe in dossier.shoes)
    return [
        DISCLAIMER,
        "Shaded cells are live formulas, to be traced to the ways that they come from. All other cells are "
        "values of analysis.json; tables/*.csv have every table at every number of decks.",
        f"Counts are text: they have up to {longest} digits. Exact fractions are text in lowest terms. {WAYS_NOTE}",
        f"A check is {CHECK_NOTE}",
        f'{ROUNDING} A column of rounded figures need not add up. Odds are "to 1": profit per unit staked.',
    ]
