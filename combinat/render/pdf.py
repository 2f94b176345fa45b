"""A document as PDF/A, by typst: a title page, contents, page numbers, a running head and foot.

Equal bytes: the document's date is given, and only typst's own fonts are used.
"""

import datetime
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from combinat.errors import CombinatError
from combinat.render.blocks import (
    Block,
    Meaning,
    Paragraph,
    Picture,
    Row,
    Section,
    Table,
    Terms,
    cells,
    in_words,
    walk,
)
from combinat.render.escape import for_typst
from combinat.render.pictures import Grid
from combinat.render.svg import svg

HEAD = """
#set document(title: {title}, date: datetime(year: {year}, month: {month}, day: {day}))
#set page(
  paper: "a4", margin: (x: 1.7cm, top: 2.1cm, bottom: 1.9cm),
  header: context {{ if counter(page).get().first() > 1 [
    #set text(7pt, fill: luma(90)); #{subject} #h(1fr) #{mark}
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
#text(11pt, {subject})
#v(2mm)
#text(8pt, {identity})
#v(1cm)
#text(10pt, {notice})
#pagebreak()
#outline(title: "Contents", depth: 2)
#pagebreak()
"""

WIDTH = 500
"""The points of a line of text on the page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Front:
    """What the title page and the edges of every page say."""

    subject: str
    identity: str
    mark: str
    notice: str
    foot: str
    date: datetime.date


def pdf(document: Section, front: Front) -> bytes:
    """The document as PDF."""
    import typst

    date = front.date
    head = HEAD.format(
        title=for_typst(document.title),
        subject=for_typst(front.subject),
        identity=for_typst(front.identity),
        mark=for_typst(front.mark),
        notice=for_typst(front.notice),
        foot=for_typst(front.foot),
        year=date.year,
        month=date.month,
        day=date.day,
    )
    placed = list(walk(document.blocks))
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "report.typ"
        for _, block in placed:
            if isinstance(block, Picture):
                (source.parent / f"{block.name}.svg").write_text(svg(block.drawing), encoding="utf-8")
        body = "\n".join(_typst(level, block) for level, block in placed)
        source.write_text(head + body, encoding="utf-8")
        stamp = int(datetime.datetime(date.year, date.month, date.day, tzinfo=datetime.UTC).timestamp())
        try:
            return bytes(
                typst.compile(
                    str(source),
                    root=folder,
                    ignore_system_fonts=True,
                    format="pdf",
                    pdf_standards=["a-2b"],
                    timestamp=stamp,
                )
            )
        except typst.TypstError as error:
            raise CombinatError(f"the PDF cannot be made ({error}); leave the PDF out") from None


def png(picture: str) -> bytes:
    """An SVG picture as PNG, by typst and its own fonts."""
    import typst

    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "picture.typ"
        (source.parent / "picture.svg").write_text(picture, encoding="utf-8")
        source.write_text(
            '#set page(width: auto, height: auto, margin: 6pt)\n#image("picture.svg")\n', "utf-8"
        )
        made = typst.compile(str(source), root=folder, ignore_system_fonts=True, format="png", ppi=150)
        return bytes(made)


def _typst(level: int, block: Block) -> str:
    match block:
        case Section(title):
            return f"#heading(level: {level}, {for_typst(title)})"
        case Paragraph(words):
            return f"#par({for_typst(in_words(words))})"
        case Terms(said):
            terms = ", ".join(
                f"strong({for_typst(term)}), {for_typst(in_words(words))}" for term, words in said.items()
            )
            return f"#grid(columns: (auto, 1fr), column-gutter: 8pt, row-gutter: 4pt, {terms})"
        case Picture():
            width = 72 if isinstance(block.drawing, Grid) else 100
            image = f'image("{block.name}.svg", alt: {for_typst(in_words(block.alt))}, width: {width}%)'
            caption = for_typst(in_words(block.caption))
            return f"#figure({image}, caption: {caption}, supplement: none, numbering: none)"
        case Table():
            return _table(block)


def _table(table: Table) -> str:
    """A table whose columns share the line: prose wraps, and the letters shrink until the rest fits."""
    heads = [column.head for column in table.columns]
    rows = [cells(row, table.columns) for row in table.rows]
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    prose = [width > 34 for width in widths]
    letters = sum(34 if wide else width for width, wide in zip(widths, prose, strict=True))
    size = min(8.5, (WIDTH - 6.5 * len(widths)) / (letters * 0.52))
    columns = ", ".join("1fr" if wide else "auto" for wide in prose)
    align = ", ".join({"l": "left", "r": "right"}[column.align] for column in table.columns)
    header = ", ".join(for_typst(head) for head in heads)
    body = ", ".join(cell for row in table.rows for cell in _cells(row, table))
    return (
        f"#[#set text({size:.2f}pt); "
        f"#table(columns: ({columns},), align: ({align},), table.header({header}), {body})]"
    )


def _cells(row: Row, table: Table) -> Iterator[str]:
    """The cells of a row; one that favours the player is set in bold on a tint, a total in bold."""
    for cell in map(for_typst, cells(row, table.columns)):
        match row.meaning:
            case Meaning.FAVOURS_PLAYER:
                yield f'table.cell(fill: rgb("#e3f1e6"), strong({cell}))'
            case Meaning.TOTAL:
                yield f"strong({cell})"
            case _:
                yield cell
