"""An answer printed in the format asked for, with the provisos of its game."""

from collections.abc import Callable, Sequence
from typing import Any

from combinat.cli.output import say
from combinat.render.blocks import Block
from combinat.render.text import Format, as_json, rendered
from combinat.report.provisos import with_provisos
from combinat.rules.game import Game

Blocks = Callable[[], Block | Sequence[Block]]


def show(
    form: Format,
    game: Game | None,
    *,
    record: Callable[[], dict[str, Any]],
    document: Blocks,
    csv: Blocks | None = None,
    main: str = "",
) -> None:
    """Print an answer: JSON from its record, CSV from its tables, the other formats from its document.

    ``game``: show its provisos too. ``main``: the table of the document that CSV holds.
    """
    if form is Format.JSON:
        say(as_json(record()))
        return
    drawn = csv() if csv is not None and form is Format.CSV else document()
    blocks = [drawn] if isinstance(drawn, Block) else list(drawn)
    say(rendered(blocks if game is None else with_provisos(game, blocks, form), form, main=main))
