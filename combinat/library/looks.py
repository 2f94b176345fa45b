"""How notebooks show the records; the code that draws them is imported when the first one is shown."""

from combinat.base.tabular import draw_with


def register() -> None:
    """Show records in notebooks as tables."""
    draw_with(_html)


def _html(record: object) -> str:
    from combinat.report.notebook import html

    return html(record)
