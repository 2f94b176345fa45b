"""An answer printed in the format that was asked for, with the provisos of its game."""

from collections.abc import Callable, Sequence
from typing import Any

from combinat.cli.output import say
from combinat.render.blocks import Block
from combinat.render.text import Format, as_json, rendered
from combinat.report.provisos import with_provisos
from combinat.rules.game import Game


def show(
    form: Format,
    game: Game | None,
    *,
    record: Callable[[], dict[str, Any]],
    document: Callable[[], Block | Sequence[Block]],
    csv: Callable[[], Block | Sequence[Block]] | None = None,
    main: str = "",
) -> None:
    """Print an answer: JSON from its record, CSV from its table, the other formats from its document.

    ``game``: the one whose provisos are shown with it. ``main``: the table that CSV holds, of a document.
    """
    if form is Format.JSON:
        say(as_json(record()))
        return
    made = csv() if csv is not None and form is Format.CSV else document()
    blocks = [made] if isinstance(made, Block) else list(made)
    say(rendered(blocks if game is None else with_provisos(game, blocks, form), form, main=main))
