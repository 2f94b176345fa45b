"""Other readings, followed: a game under the other reading of some entries of its register."""

from collections.abc import Iterator, Sequence

import msgspec

from combinat.base.errors import ReadingError
from combinat.rules.book.consistency import inconsistencies, whole
from combinat.rules.game import Game, Instead


class ReadGame(Game, frozen=True, kw_only=True):
    """A game that follows other readings than those its rule book takes; it knows which."""

    followed: tuple[str, ...]
    document: Game


def with_readings(game: Game, interpretation_ids: Sequence[str]) -> Game:
    """The game under the other reading of these entries of its register; the game itself where there are none.

    Refused: an entry that the game does not have, one that is named twice, two that put something else in
    the same place, and several that together hold no game.
    """
    game = game.document
    if not interpretation_ids:
        return game
    for number, interpretation_id in enumerate(interpretation_ids):
        game.interpretation(interpretation_id)
        if interpretation_id in interpretation_ids[:number]:
            raise ReadingError(f'the reading "{interpretation_id}" is given twice; write it once')
        for earlier in interpretation_ids[:number]:
            if both := contradiction(game, earlier, interpretation_id):
                raise ReadingError(
                    f"{earlier} and {interpretation_id} contradict each other: both change {both}; follow one of them"
                )
    read = game.read_otherwise(*interpretation_ids)
    if len(interpretation_ids) > 1:  # one by itself was looked at when the rule book was loaded
        for mistake in inconsistencies(whole(msgspec.structs.replace(read, interpretations=()))):
            raise ReadingError(f"{', '.join(interpretation_ids)} do not go together: {mistake}")
    fields = {field.name: getattr(read, field.name) for field in msgspec.structs.fields(Game)}
    return ReadGame(**fields, followed=tuple(interpretation_ids), document=game)


def contradiction(game: Game, one: str, other: str) -> str:
    """The first thing that two readings both change; empty: they can be followed together."""
    first = set(changes(game, game.interpretation(one).instead))
    second = changes(game, game.interpretation(other).instead)
    return next((place for place in second if place in first), "")


def changes(game: Game, instead: Instead) -> Iterator[str]:
    """The places of the rule book in which another reading puts something else, in words."""
    yield from (f"what {bet.id} pays" for bet in instead.bets)
    yield from (f"the bets of layout {layout.id}" for layout in instead.layouts)
    yield from (f"the insurance {table.insured}" for table in instead.insurance)
    if instead.insurance_open is not None:
        yield "when insurance is open"
    own = game.insurance_terms.limits if game.insurance_terms else ()
    others = instead.insurance_limits
    same_lines = len(own) == len(others)
    for number, limit in enumerate(own):
        if others and not (same_lines and others[number] == limit):
            yield f"limit {number + 1} on insurance"
    if others and not own:
        yield "the limits on insurance"
    if instead.void_bets is not None:
        yield "what becomes of bets in a void round"
    if instead.banker_draws_against_natural is not None:
        yield "what the Banker Hand does against a natural"
    yield from (f"the practice of {key.replace('_', ' ')}" for key in instead.practices)


def read_instead(game: Game, interpretation_id: str) -> Game:
    """The game with one entry read the other way round, against what it follows.

    An entry that is followed goes back to the reading of the rule book; one that is not is followed, in the
    place of those that it contradicts.
    """
    document, followed = game.document, game.followed
    if interpretation_id in followed:
        return document.read_otherwise(*(other for other in followed if other != interpretation_id))
    kept = [other for other in followed if not contradiction(document, other, interpretation_id)]
    return document.read_otherwise(*kept, interpretation_id)
