"""``combinat count``: the exact law of a linear count."""

import re
from fractions import Fraction
from typing import Annotated

import typer

from combinat.base.errors import CombinatError, DepthError, TagsError, shortened
from combinat.cli.options import FormatOption, GameArgument
from combinat.cli.output import say
from combinat.cli.shoe import CardsOption, DecksOption, RemovedOption, shoe_from
from combinat.cli.variant_options import PaysOption, varied_game
from combinat.engine.walk import MOST_CARDS
from combinat.protection.best_tags import LARGEST, BestTags, best_tags
from combinat.protection.count import count_law
from combinat.render.text import Format, as_json, rendered
from combinat.report.count import Counted, count_csv, count_document, count_json
from combinat.report.provisos import with_provisos
from combinat.rules.bounds import DEPTHS
from combinat.rules.game import Game
from combinat.rules.shoe import Shoe
from combinat.rules.tags import Tags

BEST = "best"
USUAL = (26, 52, 104)
"""The depths where none are given: half a deck, one and two."""

_WHOLE = re.compile(r"\d{1,9}", re.ASCII)
_INDEX = re.compile(r"-?\d{1,9}(?:\.\d{1,9}|/0*[1-9]\d{0,8})?", re.ASCII)


def count(
    game: GameArgument,
    bet: Annotated[str, typer.Argument(metavar="BET", help="The bet that is counted.", show_default=False)],
    tags: Annotated[
        str,
        typer.Option(
            metavar="TAGS",
            help='What each card seen adds, such as "4=-1 8=2" (others 0); or best: the best there are.',
            show_default=False,
        ),
    ],
    left: Annotated[
        str | None,
        typer.Option(metavar="N,N,...", help="Depths, in cards left; 26,52,104.", show_default=False),
    ] = None,
    index: Annotated[
        str | None,
        typer.Option(
            metavar="N",
            help="Bet at this true count and above (the running count divided by the decks left); "
            "else from the first favourable counts of each depth on.",
            show_default=False,
        ),
    ] = None,
    largest: Annotated[
        int, typer.Option(metavar="N", help="The largest of the best tags, in size.", min=1, max=LARGEST)
    ] = 2,
    decks: DecksOption = None,
    removed: RemovedOption = None,
    cards: CardsOption = None,
    pays: PaysOption = None,
    detail: Annotated[bool, typer.Option("--detail", help="Every running count.")] = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """What a count tells of a bet: every running count's probability and exact expected value."""
    loaded = varied_game(game, pays)
    wanted = loaded.bet(bet)
    shoe = shoe_from(loaded, decks, removed, cards)
    best = _best(loaded, bet, shoe, largest) if tags == BEST else None
    chosen = best.tags if best else _named_tags(tags)
    lefts = lefts_from(left) if left is not None else _usual(shoe)
    try:
        depths = count_law(loaded, bet, shoe, chosen, lefts)
    except DepthError as error:
        raise DepthError(f"--left: {error}") from None
    counted = Counted(
        game=loaded,
        bet=wanted,
        shoe=shoe,
        tags=chosen,
        index=_index(index) if index is not None else None,
        best=best,
        depths=depths,
    )
    if form is Format.JSON:
        say(as_json(count_json(counted)))
    else:
        block = count_csv(counted) if form is Format.CSV else count_document(counted, detail=detail)
        say(rendered(with_provisos(loaded, [block], form), form))


def _best(game: Game, bet: str, shoe: Shoe, largest: int) -> BestTags:
    try:
        return best_tags(game, bet, shoe, largest)
    except CombinatError as error:
        raise type(error)(f"--tags {BEST}: {error}") from None


def _named_tags(text: str) -> Tags:
    try:
        return Tags.parse(text)
    except TagsError as error:
        raise TagsError(f"--{error}; or {BEST}") from None


def lefts_from(text: str) -> list[int]:
    """The depths that an option states, in cards left."""
    words = text.replace(",", " ").split()
    if not words or len(words) > DEPTHS or not all(_WHOLE.fullmatch(word) for word in words):
        raise DepthError(
            f'--left: found "{shortened(text)}"; write cards left, such as 26,52,104, at most {DEPTHS} depths'
        )
    return list(dict.fromkeys(map(int, words)))


def _usual(shoe: Shoe) -> list[int]:
    """The usual depths that the shoe has; else half of it."""
    return [left for left in USUAL if left < shoe.size] or [max(MOST_CARDS, shoe.size // 2)]


def _index(text: str) -> Fraction:
    if not _INDEX.fullmatch(text):
        raise CombinatError(f'--index: found "{shortened(text)}"; write a true count, such as 4, 3.5 or 15/4')
    return Fraction(text)
