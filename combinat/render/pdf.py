"""A document as PDF, by typst: page numbers, a running head and foot, tags for those who cannot see it.

With a date it is PDF/A-2a and PDF/UA-1; without one it is PDF/UA-1 alone, since PDF/A asks for a date and none is
invented. Equal bytes: the date is given, and only typst's own fonts are used.
"""

import datetime
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, zip_longest
from pathlib import Path

from combinat.base.errors import CombinatError
from combinat.base.paper import Paper
from combinat.render.blocks import (
    Block,
    Figure,
    Listed,
    Listing,
    Meaning,
    Paragraph,
    Picture,
    Reference,
    Row,
    Section,
    Standing,
    Table,
    Terms,
    Words,
    cells,
    in_words,
    walk,
)
from combinat.render.escape import for_typst, visible
from combinat.render.letters import ACCESSIBLE, ARCHIVE, LATIN, every_stand_in, stand_ins
from combinat.render.pdf_columns import APART, PROSE, laid_out
from combinat.render.pdf_row_heads import with_row_heads
from combinat.render.svg import svg

HEAD = """
#set document(title: {title}, date: {date})
#set page(
  paper: {paper}, margin: (x: 1.5cm, top: {top}, bottom: {bottom}), header-ascent: 35%, footer-descent: 35%,
  header: context {{
    set text(8pt, fill: luma(80))
    if counter(page).get().first() > 1 {{ {running} }}
    h(1fr)
    strong({mark})
  }},
  footer: context {{
    set text(8pt, fill: luma(80))
    {foot}
    h(1fr)
    "page "
    counter(page).display("1 of 1", both: true)
  }},
)
#set text(font: "Libertinus Serif", size: {size}, lang: "en", number-width: "tabular", hyphenate: false)
#set par(justify: false, leading: 0.55em, spacing: 0.9em)
#show heading.where(level: 1): it => {{ set text(16pt); it; v(2pt) }}
#show heading.where(level: 2): it => {{ v(10pt, weak: true); set text(13.5pt); block(it, sticky: true); v(2pt) }}
#show heading.where(level: 3): it => {{ v(5pt); set text(11pt); it; v(1pt) }}
#show heading.where(level: 4): it => {{ v(3pt); set text(10pt); it }}
#set table(stroke: (x, y) => (bottom: if y == 0 {{ 0.8pt }} else {{ 0.2pt + luma(180) }}), inset: (x: 3pt, y: 2pt))
#show table.cell.where(y: 0): set text(weight: "bold")
#set figure(gap: 4pt)
#show figure: set block(spacing: 9pt)
#show figure.where(kind: table): set block(breakable: true)
#show figure.where(kind: table): set figure.caption(position: top)
#show figure.where(kind: table): set align(left)
#show figure.caption: set align(left)
#show figure.where(kind: table): it => layout(size => {{
  let whole = measure(block(width: size.width, it)).height
  block(width: 100%, breakable: whole > size.height, it)
}})
#show outline.entry: set block(spacing: 4pt)
#heading(level: 1, outlined: false, {shown_title})
"""

WIDTH, HEIGHT = 510, 640
"""The points of a line of text on the page, and of a picture on it: less than either paper has."""

GUTTER = 16
"""The points between two columns of text."""

LONGEST_WORD, LONGEST_WORD_OF_A_HEADING = 64, 40
"""A word with more letters than this may be broken anywhere: a hash may not, in a line of text."""

LONGEST_SUBJECT = 80
"""How much of its subject stands at the head of a page."""

Stands = Mapping[int, str]
"""What stands for the letters that cannot be shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Front:
    """What the edges of every page say, the date of the file, and its paper; ``is_one_page``: set as close as can be read."""

    subject: str
    mark: str
    foot: str
    date: datetime.date | None = None
    paper: Paper = Paper.A4
    is_one_page: bool = False


def pdf(document: Section, front: Front) -> bytes:
    """The document as PDF; a letter that no font of typst's has is shown by its code point."""
    import typst

    plain = _sources(document, front, {})
    everything = "".join(plain.values())
    stands = stand_ins(everything)
    try:
        return _compiled(_sources(document, front, stands) if stands else plain, front.date)
    except typst.TypstError:
        pass  # letters that each can be shown, but not joined as they are: none of them is then left
    try:
        return _compiled(_sources(document, front, every_stand_in(everything)), front.date)
    except typst.TypstError as error:
        raise CombinatError(f"the PDF cannot be made ({error}); leave the PDF out") from None


def _sources(document: Section, front: Front, stands: Stands) -> dict[str, str]:
    """The files that typst reads, the document first."""

    def said(text: str) -> str:
        return _said(text, stands, LONGEST_WORD_OF_A_HEADING)

    subject = visible(front.subject)
    running = subject if len(subject) <= LONGEST_SUBJECT else f"{subject[: LONGEST_SUBJECT - 3]}..."
    date = front.date
    head = HEAD.format(
        title=for_typst(document.title.translate(stands)),
        shown_title=said(document.title),
        date=f"datetime(year: {date.year}, month: {date.month}, day: {date.day})" if date else "none",
        paper=for_typst(PAPERS[front.paper]),
        top="1.2cm" if front.is_one_page else "1.7cm",
        bottom="1.1cm" if front.is_one_page else "1.6cm",
        size="9pt" if front.is_one_page else "9.5pt",
        running=said(running),
        mark=said(front.mark),
        foot=said(front.foot),
    )
    placed = list(walk(document.blocks))
    pictures = {
        f"{block.name}.svg": svg(block.drawing).translate(stands)
        for _, block in placed
        if isinstance(block, Picture)
    }
    body = "\n".join(_blocks(document.blocks, 2, Page(stands, pictures)))
    return {"report.typ": head + body, **pictures}


PAPERS = {Paper.A4: "a4", Paper.LETTER: "us-letter"}
"""The sizes of paper, by the names that typst has for them."""


def _compiled(sources: Mapping[str, str], date: datetime.date | None) -> bytes:
    import typst

    with tempfile.TemporaryDirectory() as folder:
        for name, source in sources.items():
            (Path(folder) / name).write_text(source, encoding="utf-8")
        stamp = (
            None if date is None else datetime.datetime(date.year, date.month, date.day, tzinfo=datetime.UTC)
        )
        made = typst.compile(
            str(Path(folder) / "report.typ"),
            root=folder,
            ignore_system_fonts=True,
            format="pdf",
            pdf_standards=[ACCESSIBLE] if stamp is None else [ARCHIVE, ACCESSIBLE],
            timestamp=None if stamp is None else int(stamp.timestamp()),
        )
        return with_row_heads(bytes(made))


def _said(text: str, stands: Stands, longest: int = LONGEST_WORD) -> str:
    """A text as a string of typst: what cannot be shown by its code point, a long word with places to break."""
    shown = visible(text).translate(stands)
    return _BREAK.join(for_typst(part)[1:-1] for part in _parts(shown, longest)).join('""')


_HASH = re.compile(r"[0-9a-f]{64}[.,;:)]?")
"""A hash, and what may stand behind it: whoever copies one copies nothing else."""

_BREAK = "\\u{200b}"
"""A space of no width, in a string of typst."""


def _parts(text: str, longest: int) -> Iterator[str]:
    """The text in parts between which a line may end."""
    start = 0
    for word in re.finditer(rf"\S{{{longest // 2 + 1},}}", text):
        if _breadth(word[0]) <= longest or _HASH.fullmatch(word[0]):
            continue
        yield text[start : word.start() + 1]
        yield from text[word.start() + 1 : word.end() - 1]
        start = word.end() - 1
    yield text[start:]


def _breadth(word: str) -> int:
    """How many plain letters a word is as wide as: capitals and strange letters count double."""
    return sum(2 if letter.isupper() or letter > LATIN or letter in "mw@%" else 1 for letter in word)


@dataclass(frozen=True, slots=True)
class Page:
    """What blocks are set on: what stands for letters, the pictures by their files, and the width of a line."""

    stands: Stands
    pictures: Mapping[str, str]
    width: float = WIDTH


def _blocks(blocks: Sequence[Block], level: int, page: Page) -> Iterator[str]:
    """Blocks in typst; a section with more than one column has them under its heading."""
    for block, following in zip_longest(blocks, blocks[1:]):
        made = _typst(level, block, page)
        if isinstance(block, Table) and isinstance(
            following, Paragraph
        ):  # what is said under a table stays with it
            made = f"#block(sticky: true, width: 100%, spacing: 9pt)[{made}]"
        yield made
        if not isinstance(block, Section):
            continue
        if block.across > 1:
            width = (WIDTH - GUTTER * (block.across - 1)) / block.across
            inside = "\n".join(_blocks(block.blocks, level + 1, replace(page, width=width)))
            yield f"#columns({block.across}, gutter: {GUTTER}pt)[{inside}]"
        else:
            yield from _blocks(block.blocks, level + 1, page)
        if block.standing is Standing.SUMMARY:
            yield "#pagebreak(weak: true)"


def _place(anchor: str) -> str:
    """The name of the place of what stands before it."""
    return f" <{anchor}>" if anchor else ""


def _words(words: Words, stands: Stands) -> str:
    """A phrase as content of typst; a place that it refers to can be followed."""
    if isinstance(words, str | Figure) or not any(isinstance(part, Reference) for part in words):
        return _said(in_words(words), stands)
    parts = (
        f"link(label({for_typst(part.to)}), {_said(part.name, stands)})"
        if isinstance(part, Reference)
        else _said(part if isinstance(part, str) else part.text(), stands)
        for part in words
    )
    return f"[{''.join(f'#{part};' for part in parts)}]"


def _caption(label: str, caption: Words, stands: Stands) -> str:
    said = _words(caption, stands)
    return f"[#strong({_said(f'{label}.', stands)}) #{said}]" if label else said


def _typst(level: int, block: Block, page: Page) -> str:
    stands = page.stands
    match block:
        case Section():
            heading = _said(block.heading, stands, LONGEST_WORD_OF_A_HEADING)
            return f"#heading(level: {level}, {heading}){_place(block.anchor)}"
        case Paragraph(words):
            return f"#par({_words(words, stands)})"
        case Listing():
            return _listing(block)
        case Terms(said, across):
            terms = ", ".join(
                f"strong({_said(term, stands)}), {_words(words, stands)}" for term, words in said.items()
            )
            first = "auto" if all(len(term) <= PROSE for term in said) else "34%"
            columns = ", ".join([first, "1fr"] * across)
            return f"#grid(columns: ({columns}), column-gutter: 8pt, row-gutter: 5pt, {terms})"
        case Picture():
            name = f"{block.name}.svg"
            size = _picture_size(block, page.pictures[name])
            image = f"image({for_typst(name)}, alt: {_said(in_words(block.alt), stands)}, {size})"
            caption = _caption(block.label, block.caption, stands)
            figure = f"#figure({image}, caption: {caption}, kind: image, supplement: none, numbering: none)"
            return f"{figure}{_place(block.anchor)}"
        case Table():
            made = _table(block, page)
            if not block.titled:
                return f"#{made}"
            caption = _caption(block.label, block.caption, stands)
            figure = f"#figure({made}, caption: {caption}, kind: table, supplement: none, numbering: none)"
            return f"{figure}{_place(block.anchor)}"


def _listing(listing: Listing) -> str:
    """The contents with their pages."""
    if listing.what is Listed.SECTIONS:
        return "#outline(title: none, depth: 2, indent: 0pt)"
    targets = "figure.where(kind: table).or(figure.where(kind: image))"
    return f"#columns(2, gutter: {GUTTER}pt)[#set text(9pt); #outline(title: none, target: {targets})]"


def _picture_size(block: Picture, picture: str) -> str:
    """The share of the line that a picture takes; one that is too high for a page is made to fit it."""
    share = 100
    box = _VIEW_BOX.search(picture)
    if box and float(box[2]) * WIDTH * share / 100 > float(box[1]) * HEIGHT:
        return f"height: {HEIGHT}pt"
    return f"width: {share}%"


_VIEW_BOX = re.compile(r'viewBox="0 0 ([\d.]+) ([\d.]+)"')


def _table(table: Table, page: Page) -> str:
    """A table whose columns share the line: prose wraps, heads wrap, and the letters shrink only if the rest does not fit."""
    heads = [visible(column.head).translate(page.stands) for column in table.columns]
    rows = [
        [visible(cell).translate(page.stands) for cell in cells(row, table.columns)] for row in table.rows
    ]
    is_to_sign = any(row.meaning is Meaning.TO_SIGN for row in table.rows)
    aligns = [column.align for column in table.columns]
    apart = [
        pair == ("r", "l") for pair in pairwise(["l", *aligns])
    ]  # words after numbers stand off from them
    layout = laid_out(heads, rows, page.width, apart, is_to_sign=is_to_sign)
    align = ", ".join({"l": "left", "r": "right"}[one] for one in aligns)
    inset = ", ".join(f"(left: {3 + APART * off}pt, right: 3pt, y: 2pt)" for off in apart)
    header = ", ".join(_said(head, {}, longest) for head, longest in zip(heads, layout.longest, strict=True))
    body = ", ".join(
        cell
        for row, said in zip(table.rows, rows, strict=True)
        for cell in _cells(row, said, layout.longest, page.stands)
    )
    return (
        f"[#set text({layout.size:.2f}pt); "
        f"#table(columns: ({', '.join(layout.columns)},), align: ({align},), inset: ({inset},), table.header({header}), {body})]"
    )


def _cells(row: Row, said: Sequence[str], longest: Sequence[int], stands: Stands) -> Iterator[str]:
    """The cells of a row; one that favours the player is set in bold on a tint, a total in bold, one to sign high."""
    for given, text, most in zip(row.cells, said, longest, strict=True):
        refers = isinstance(given, tuple) and any(isinstance(part, Reference) for part in given)
        cell = _words(given, stands) if refers and isinstance(given, tuple) else _said(text, {}, most)
        match row.meaning:
            case Meaning.FAVOURS_PLAYER:
                yield f'table.cell(fill: rgb("#e3f1e6"), strong({cell}))'
            case Meaning.TOTAL:
                yield f"strong({cell})"
            case Meaning.TO_SIGN:
                yield f"table.cell(inset: (x: 3pt, top: 8pt, bottom: 2pt), {cell})"
            case _:
                yield cell
