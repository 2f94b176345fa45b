"""``combinat review``: compare players' stakes with the edge."""

from pathlib import Path
from typing import Annotated

import typer

from combinat.audit.review import review as question
from combinat.cli.answers import FormatOption, show
from combinat.cli.log_options import (
    CardsOption,
    DecksOption,
    GameOption,
    MapOption,
    SetOption,
    at_hand,
    log_map_of,
)
from combinat.cli.progress import ON_TERMINAL
from combinat.render.text import Format
from combinat.report.audit.review import REVIEW, review_csv, review_document

FileArgument = Annotated[
    Path,
    typer.Argument(
        metavar="LOG",
        help="A hand log of whole shoes with stakes (CSV, JSON or Parquet, also compressed); - for standard input.",
    ),
]
AlphaOption = Annotated[
    str, typer.Option(metavar="P", help="Name the players whose adjusted p-value is at most P.")
]
TagsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--tags",
        metavar="TAGS",
        help='Also compare stakes with this count, such as "4=-1 8=2"; repeat for more. [default: a count for each bet]',
    ),
]


def review(
    file: FileArgument,
    game: GameOption = None,
    decks: DecksOption = None,
    cards: CardsOption = None,
    tags: TagsOption = None,
    alpha: AlphaOption = "0.01",
    map_file: MapOption = None,
    settings: SetOption = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Compare the stakes of a hand log, by player, with the exact edge on the cards left at that moment.

    It shows association, not intent, and judges nobody: the exit code is 0 whatever it shows.
    """
    log_map = log_map_of(map_file, settings)
    with at_hand(file) as place:
        answer = question(
            place,
            game=game,
            decks=decks,
            cards=cards,
            tags=tags or (),
            alpha=alpha,
            log_map=log_map,
            progress=ON_TERMINAL,
        )
    show(
        form,
        None,
        record=lambda: REVIEW.object(answer),
        csv=lambda: review_csv(answer),
        document=lambda: review_document(answer),
    )
