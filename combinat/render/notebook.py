"""Blocks as a cell of a notebook shows them: bare HTML, in the notebook's own style."""

from collections.abc import Iterator, Sequence

from combinat.render.blocks import Block, Meaning, Paragraph, Section, Table, Terms, in_words
from combinat.render.escape import for_html

MOST_ROWS = 200
"""Rows of a table that a notebook shows; the record has them all."""

_LOOKS = {Meaning.TOTAL: ' style="font-weight:bold"', Meaning.FAVOURS_PLAYER: ' style="color:#b00020"'}


def notebook_html(blocks: Sequence[Block]) -> str:
    """Tables, terms and paragraphs, every text escaped."""
    return "\n".join(line for block in blocks for line in _lines(block))


def _lines(block: Block) -> Iterator[str]:
    if isinstance(block, Table):
        yield from _table(block)
    elif isinstance(block, Paragraph):
        yield f"<p>{for_html(in_words(block.words))}</p>"
    elif isinstance(block, Terms):
        said = (f"<b>{for_html(term)}:</b> {for_html(in_words(words))}" for term, words in block.said.items())
        yield f"<p>{'<br>'.join(said)}</p>"
    elif isinstance(block, Section):
        yield f"<p><b>{for_html(block.title)}</b></p>"
        for inner in block.blocks:
            yield from _lines(inner)


def _table(table: Table) -> Iterator[str]:
    sides = ["right" if column.align == "r" else "left" for column in table.columns]
    heads = zip(table.columns, sides, strict=True)
    yield "<table>"
    if table.caption:
        yield f"<caption>{for_html(table.caption)}</caption>"
    cells = "".join(f'<th style="text-align:{side}">{for_html(column.head)}</th>' for column, side in heads)
    yield f"<thead><tr>{cells}</tr></thead>"
    yield "<tbody>"
    for row in table.rows[:MOST_ROWS]:
        cells = "".join(
            f'<td style="text-align:{side}">{for_html(in_words(cell, column.kind))}</td>'
            for cell, column, side in zip(row.cells, table.columns, sides, strict=True)
        )
        yield f"<tr{_LOOKS.get(row.meaning, '')}>{cells}</tr>"
    yield "</tbody>"
    yield "</table>"
    if len(table.rows) > MOST_ROWS:
        yield f"<p>and {len(table.rows) - MOST_ROWS} more rows</p>"
