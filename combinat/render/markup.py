"""Documents in Markdown, and their tables in LaTeX, as tabulate lays them out."""

from collections.abc import Sequence
from urllib.parse import quote

import tabulate

from combinat.base.kinds import TEXT, Kind
from combinat.render.blocks import (
    Block,
    Cell,
    Column,
    Contents,
    Figure,
    Link,
    Paragraph,
    Picture,
    Reference,
    Section,
    Table,
    Terms,
    Words,
    cells,
    has_link,
    in_words,
)
from combinat.render.escape import for_address, for_latex, for_latex_comment, for_markdown, visible

tabulate.MIN_PADDING = 0  # a header takes no more room than its words
tabulate.WIDE_CHARS_MODE = False  # else a library that happens to be there would change the bytes of a report

_ALIGN = {"l": "left", "r": "right"}


def _begin_tabular(widths: Sequence[int], aligns: Sequence[str]) -> str:
    return f"\\begin{{tabular}}{{{''.join(align[:1] for align in aligns)}}}\n\\toprule"


_BOOKTABS = tabulate.TableFormat(
    lineabove=_begin_tabular,
    linebelowheader=tabulate.Line("\\midrule", "", "", ""),
    linebetweenrows=None,
    linebelow=tabulate.Line("\\bottomrule\n\\end{tabular}", "", "", ""),
    headerrow=tabulate.DataRow("", "&", "\\\\"),
    datarow=tabulate.DataRow("", "&", "\\\\"),
    padding=1,
    with_header_hide=None,
)
"""The layout of tabulate's ``latex_booktabs``, whose escapes are not enough."""


def markdown(level: int, block: Block) -> str:
    """Return a block in Markdown; ``level``: that of a heading there."""
    match block:
        case Section():
            return f"{_anchor(block.anchor)}{'#' * level} {for_markdown(block.heading)}"
        case Paragraph(words):
            return _markdown_words(words, begins_line=True)
        case Terms(said):
            return "\n".join(
                f"- **{for_markdown(term)}:** {_markdown_words(words)}" for term, words in said.items()
            )
        case Table():
            caption = f"{_markdown_caption(block.label, block.caption)}\n\n" if block.titled else ""
            rows = [
                [_markdown_cell(cell, column) for cell, column in zip(row.cells, block.columns, strict=True)]
                for row in block.rows
            ]
            heads = [for_markdown(column.head) for column in block.columns]
            return _anchor(block.anchor) + caption + _laid_out(block, heads, rows, "pipe")
        case Picture():
            alt = for_markdown(in_words(block.alt))
            caption = _markdown_caption(block.label, in_words(block.caption))
            return f"{_anchor(block.anchor)}![{alt}](figures/{quote(block.name)}.svg)\n\n{caption}"
        case Contents():
            return "\n".join(f"- {_markdown_link(entry)}" for entry in block.entries)


def _anchor(name: str) -> str:
    """Return the place of what follows; a name holds small letters, digits and hyphens alone."""
    return f'<a id="{name}"></a>\n\n' if name else ""


def _markdown_caption(label: str, caption: str) -> str:
    return f"**{label}.** {for_markdown(caption)}" if label else for_markdown(caption, begins_line=True)


def _markdown_cell(cell: Cell, column: Column) -> str:
    if isinstance(cell, tuple):
        return _markdown_words(cell, kind=column.kind)
    return for_markdown(in_words(cell, column.kind))


def _markdown_words(words: Words, *, kind: Kind = TEXT, begins_line: bool = False) -> str:
    """Return a phrase; what leads elsewhere in it can be followed."""
    if isinstance(words, str | Figure) or not has_link(words):
        return for_markdown(in_words(words, kind), begins_line=begins_line)
    texts = [visible(in_words(part)) if isinstance(part, str | Figure) else "" for part in words]
    return "".join(
        _markdown_link(part)
        if isinstance(part, Link | Reference)
        else for_markdown(
            text,
            is_inside=(place > 0 or not text[:1].isspace())
            and (place < len(words) - 1 or not text[-1:].isspace()),
            begins_line=begins_line and place == 0,
        ).replace("!", "\\!")  # a link after an exclamation mark would be a picture
        for place, (part, text) in enumerate(zip(words, texts, strict=True))
    )


def _markdown_link(part: Link | Reference) -> str:
    target = for_address(part.target) if isinstance(part, Link) else f"#{part.to}"
    return f"[{for_markdown(part.name)}]({target})"


def latex(block: Section | Table) -> str:
    """Return a table in LaTeX, a heading as a comment."""
    if isinstance(block, Section):
        return f"% {for_latex_comment(block.heading)}"
    caption = f"% {for_latex_comment(block.titled)}\n" if block.titled else ""
    rows = [list(map(for_latex, cells(row, block.columns))) for row in block.rows]
    heads = [for_latex(column.head) for column in block.columns]
    return caption + _laid_out(block, heads, rows, _BOOKTABS)


def _laid_out(
    block: Table, heads: Sequence[str], rows: Sequence[Sequence[str]], form: str | tabulate.TableFormat
) -> str:
    aligns = [_ALIGN[column.align] for column in block.columns] if rows else None
    made = tabulate.tabulate(rows, headers=list(heads), tablefmt=form, disable_numparse=True, colalign=aligns)
    return "\n".join(line.rstrip() for line in made.splitlines())
