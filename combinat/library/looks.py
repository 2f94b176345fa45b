"""How notebooks show the records; the code that draws them is imported when the first one is shown."""

from combinat.base.tabular import draw_with


def register() -> None:
    """Show records in notebooks as tables."""
    draw_with(_html)


def _html(record: object) -> str:
    from combinat.library.shown import blocks
    from combinat.render.notebook import notebook_html

    return notebook_html(blocks(record))
