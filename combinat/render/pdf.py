"""A document as PDF/A, by typst: contents, page numbers, the game and its rule book's hash on each page.

Equal bytes: the document's date is the rule book's, and only typst's own fonts are used.
"""

import datetime
import json
import tempfile
from collections.abc import Sequence
from pathlib import Path

from combinat.errors import CombinatError
from combinat.render.document import Block, Figure, Heading, Paragraph, Table, Terms

HEAD = """
#set document(title: {title}, date: datetime(year: {year}, month: {month}, day: {day}))
#set page(
  paper: "a4", margin: (x: 1.7cm, top: 2.1cm, bottom: 1.9cm),
  header: context {{ if counter(page).get().first() > 1 [
    #set text(7pt, fill: luma(90)); #{game} #h(1fr) rule book SHA-256 #{hash_start}
  ] }},
  footer: context [
    #set text(7pt, fill: luma(90)); #{foot} #h(1fr) page #counter(page).display("1 of 1", both: true)
  ],
)
#set text(font: "Libertinus Serif", size: 9.5pt, lang: "en")
#set par(justify: false)
#show heading.where(level: 1): it => {{ v(14pt, weak: true); set text(15pt); block(it, sticky: true); v(2pt) }}
#show heading.where(level: 2): it => {{ v(6pt); set text(11.5pt); it; v(2pt) }}
#show heading.where(level: 3): it => {{ v(3pt); set text(10pt); it }}
#set table(stroke: (x, y) => (bottom: if y == 0 {{ 0.8pt }} else {{ 0.2pt + luma(180) }}), inset: (x: 3pt, y: 2.2pt))
#show table.cell.where(y: 0): set text(weight: "bold")
#v(5cm)
#text(22pt, weight: "bold", {title})
#v(6mm)
#text(11pt, {game})
#v(2mm)
#text(8pt, [rule book SHA-256 #{hash}])
#v(1cm)
#text(10pt, {disclaimer})
#pagebreak()
#outline(title: "Contents", depth: 2)
#pagebreak()
"""

WIDTH = 500
"""The points of a line of text on the page."""


def pdf(
    blocks: Sequence[Block], *, game: str, sha256: str, foot: str, date: datetime.date, path: Path
) -> None:
    """Write the document as PDF. Its first block is its title, its second what it is and is not."""
    import typst

    title, disclaimer, *rest = blocks
    if not isinstance(title, Heading) or not isinstance(disclaimer, Paragraph):
        raise TypeError("a report begins with its heading and its disclaimer")  # pragma: no cover
    head = HEAD.format(
        title=quoted(title.text),
        game=quoted(game),
        hash=quoted(sha256),
        hash_start=quoted(f"{sha256[:16]}..."),
        foot=quoted(foot),
        disclaimer=quoted(disclaimer.text),
        year=date.year,
        month=date.month,
        day=date.day,
    )
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "report.typ"
        for block in rest:
            if isinstance(block, Figure):
                (source.parent / f"{block.name}.svg").write_text(block.svg, encoding="utf-8")
        source.write_text(head + "\n".join(_typst(block) for block in rest), encoding="utf-8")
        stamp = int(datetime.datetime(date.year, date.month, date.day, tzinfo=datetime.UTC).timestamp())
        try:
            made = typst.compile(
                str(source),
                root=folder,
                ignore_system_fonts=True,
                format="pdf",
                pdf_standards=["a-2b"],
                timestamp=stamp,
            )
        except typst.TypstError as error:
            raise CombinatError(f"the PDF cannot be made ({error}); leave it out with --formats") from None
        path.write_bytes(made)


def quoted(text: str) -> str:
    """A text as typst writes it."""
    return json.dumps(text, ensure_ascii=False)


def _typst(block: Block) -> str:
    match block:
        case Heading(text, level):
            return f"#heading(level: {level - 1}, {quoted(text)})"
        case Paragraph(text):
            return f"#par({quoted(text)})"
        case Terms(said):
            cells = ", ".join(f"strong({quoted(term)}), {quoted(text)}" for term, text in said.items())
            return f"#grid(columns: (auto, 1fr), column-gutter: 8pt, row-gutter: 4pt, {cells})"
        case Figure():
            image = f'image("{block.name}.svg", alt: {quoted(block.alt)}, width: {_picture_width(block)}%)'
            return f"#figure({image}, caption: {quoted(block.caption)}, supplement: none, numbering: none)"
        case Table():
            return _table(block)


def _picture_width(figure: Figure) -> int:
    return 72 if figure.name.startswith("grid") else 100


def _table(table: Table) -> str:
    """A table whose columns share the line: prose wraps, and the letters shrink until the rest fits."""
    widths = [max(map(len, column)) for column in zip(table.columns, *table.rows, strict=True)]
    prose = [width > 34 for width in widths]
    letters = sum(34 if wide else width for width, wide in zip(widths, prose, strict=True))
    size = min(8.5, (WIDTH - 6.5 * len(widths)) / (letters * 0.52))
    columns = ", ".join("1fr" if wide else "auto" for wide in prose)
    align = ", ".join({"l": "left", "r": "right", "c": "center"}[letter] for letter in table.align)
    header = ", ".join(quoted(name) for name in table.columns)
    cells = ", ".join(_cell(cell, "PLAYER" in row) for row in table.rows for cell in row)
    body = f"#table(columns: ({columns},), align: ({align},), table.header({header}), {cells})"
    return f"#[#set text({size:.2f}pt); {body}]"


def _cell(text: str, good: bool) -> str:
    """A cell; a state that favours the player is set in bold on a tint."""
    return f'table.cell(fill: rgb("#e3f1e6"), strong({quoted(text)}))' if good else quoted(text)
