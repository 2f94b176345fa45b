"""Tables of Markdown and LaTeX, as tabulate lays them out."""

from collections.abc import Sequence

import tabulate

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


def markup_table(
    heads: Sequence[str], rows: Sequence[Sequence[str]], aligns: Sequence[str], form: str
) -> str:
    """Return the table; ``aligns``: ``l`` or ``r`` for each column; ``form``: ``latex``, or a name that tabulate knows."""
    laid_out = tabulate.tabulate(
        rows,
        headers=list(heads),
        tablefmt=_BOOKTABS if form == "latex" else form,
        disable_numparse=True,
        colalign=[_ALIGN[align] for align in aligns] if rows else None,
    )
    return "\n".join(line.rstrip() for line in laid_out.splitlines())
