"""``combinat review``: whose stakes follow the edge."""

from fractions import Fraction
from pathlib import Path
from typing import Annotated

import typer

from combinat.base.errors import (
    CombinatError,
    TagsError,
)
from combinat.cli.crosscheck import CardsOption, CutCardOption, DecksOption, GameOption
from combinat.cli.log_options import Reading, at_hand, reads_logs
from combinat.cli.options import FormatOption
from combinat.cli.output import say
from combinat.cli.power import probability
from combinat.cli.progress import progress_bar
from combinat.cli.shoe import stated_shoe
from combinat.render.text import Format, as_json, rendered
from combinat.report.review import review_csv, review_document, review_json
from combinat.rules.tags import Tags

MOST_TAGS = 10

FileArgument = Annotated[
    Path,
    typer.Argument(
        metavar="LOG",
        help="A hand log of whole shoes with stakes (CSV, JSON or Parquet, also compressed); - for standard input.",
        show_default=False,
    ),
]
AlphaOption = Annotated[
    str, typer.Option(metavar="P", help="The adjusted probability from which on a player is named.")
]
TagsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--tags",
        metavar="TAGS",
        help='Also hold stakes against this count, such as "4=-1 8=2"; may be repeated. Else for each bet a count of its own.',
        show_default=False,
    ),
]


@reads_logs
def review(
    file: FileArgument,
    game: GameOption = None,
    decks: DecksOption = None,
    cards: CardsOption = None,
    cut_card: CutCardOption = None,
    tags: TagsOption = None,
    alpha: AlphaOption = "0.01",
    *,
    reading: Reading,
    form: FormatOption = Format.TEXT,
) -> None:
    """Hold the stakes of a hand log, by player, against the exact edge on the cards left at that moment.

    It shows association, not intent, and judges nobody: the exit code is 0 whatever it shows.
    """
    level = probability("--alpha", alpha, Fraction(1, 2))
    log_map = reading.log_map()
    shoe = stated_shoe(decks, cards)
    from combinat.audit.review import review as reviewed

    with at_hand(file) as place:
        answer = reviewed(
            place,
            game=game,
            alpha=level,
            tags=_tags(tags or []),
            bar=lambda total, doing: progress_bar(total, doing, parts=False),
            shoe=shoe,
            cut_card=cut_card,
            log_map=log_map,
        )
    if form is Format.JSON:
        say(as_json(review_json(answer)))
    else:
        say(rendered([review_csv(answer) if form is Format.CSV else review_document(answer)], form))


def _tags(texts: list[str]) -> list[Tags]:
    if len(texts) > MOST_TAGS:
        raise CombinatError(f"--tags: found {len(texts)}; give {MOST_TAGS} counts at most")
    try:
        return [Tags.parse(text) for text in texts]
    except TagsError as error:
        raise TagsError(f"--{error}") from None
