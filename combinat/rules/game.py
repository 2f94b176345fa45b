"""A game: a rule document, or a variant of one that carries its differences.

``game.reading("pair-by-rank")`` follows the other reading of an entry of the register; ``game.paying(tie="9
to 1")`` pays other odds. Each returns another game, which records the differences in its provisos.
"""

from collections.abc import Mapping, Sequence

import msgspec

from combinat.base.errors import InputError, in_words, shortened
from combinat.rules.bet import Bet
from combinat.rules.book.find import sha256
from combinat.rules.document import RuleDocument, RuleText
from combinat.rules.insurance import Offer, State, states_named
from combinat.rules.odds import Odds
from combinat.rules.readings import contradiction, other_reading
from combinat.rules.value_sets import NumberSet

OddsOf = tuple[tuple[str, tuple[Odds, ...]], ...]
"""Odds by what they are for: a bet, ``tie``; a line of one, ``tiger:three cards``; a state, ``banker:four-cards:6-5``."""


class Provisos(msgspec.Struct, frozen=True, kw_only=True):
    """The differences of a game from its rule book: the readings followed and the odds tried."""

    document: "Game | None" = None
    readings: tuple[str, ...] = ()
    odds: OddsOf = ()

    @property
    def odds_in_words(self) -> str:
        """The odds tried, as a phrase."""
        return "; ".join(f"{name} at {', '.join(odds)}" for name, odds in self.odds)

    @property
    def readings_in_words(self) -> str:
        """The readings followed, as a phrase."""
        return f"the other reading of {', '.join(self.readings)}"


class Game(RuleDocument, frozen=True, kw_only=True):
    """One approved rule document, the draft of one, or a variant of either.

    >>> from combinat import load_game
    >>> game = load_game("commission-insurance-2013")
    >>> game.decks.least, game.bet("tie").pays[0].odds, [layout.id for layout in game.layouts]
    (4, '8 to 1', ['A', 'B', 'C', 'D', 'E', 'F', 'G'])
    """

    provisos: Provisos = Provisos()
    text: RuleText = RuleText()

    def __hash__(self) -> int:
        return hash(self.id)  # hashing all of a rule book would take longer than counting a shoe

    @property
    def content(self) -> bytes:
        """The bytes of its rule book; if that has a base or is a draft, those of the complete one."""
        return self.text.content

    @property
    def sha256(self) -> str:
        """The SHA-256 of the bytes of its rule book."""
        return sha256(self.content)

    @property
    def document(self) -> "Game":
        """The game as its rule book states it."""
        return self.provisos.document or self

    def reading(self, *entries: str) -> "Game":
        """Return the game under the other reading of these entries of its register too.

        Refused: an unknown entry, an entry named twice, two entries that change the same thing, and
        entries that together give an inconsistent game.

        >>> from combinat import load_game
        >>> load_game("tiger-buffalo-noncommission-2025").reading("wu-dalang-must-win").provisos.readings
        ('wu-dalang-must-win',)
        """
        for entry in entries:
            if not isinstance(entry, str):
                raise InputError(
                    f"reading: found {in_words(entry)}; write ids of the register, such as 'pair-by-rank'"
                )
        return _variant(self.document, (*self.provisos.readings, *entries), self.provisos.odds)

    def states_named(self, name: str) -> list[State]:
        """Return the insurance states that ``HAND:STAGE:OWN-OTHER`` names, ``*`` for any points."""
        states = states_named(name, self.offers)
        if states is None:
            raise InputError(
                f'found "{shortened(name)}"; write HAND:STAGE:OWN-OTHER, the insured hand\'s points first, '
                'such as "banker:four-cards:6-5"'
            )
        if not states:
            raise InputError(f'"{name}" is not a state that {self.id} offers; combinat insurance lists them')
        return states

    def paying(self, pays: "Mapping[str, str | Sequence[str]] | None" = None, /, **bets: str) -> "Game":
        """Return the game with other odds for some bets, for each paying line in the order of the table.

        Several odds are a list, or text with commas. ``"tiger:three cards"`` names one line of a bet,
        ``"banker:four-cards:6-5"`` an insurance state (``*`` for any points); a keyword names a bet, with
        ``_`` for ``-``.

        >>> from combinat import load_game
        >>> load_game("commission-insurance-2013").paying(tie="9 to 1").bet("tie").pays[0].odds.net
        Fraction(9, 1)
        """
        if pays is not None and not isinstance(pays, Mapping):
            raise InputError(
                f'pays: found {in_words(pays)}; write bets and odds, such as {{"tie": "9 to 1"}}'
            )
        ids = {bet.id for bet in self.bets}
        named = {name if name in ids else name.replace("_", "-"): odds for name, odds in bets.items()}
        tried = dict(self.provisos.odds)
        for name, odds in {**(pays or {}), **named}.items():
            tried[name] = _odds(name, odds)
        return _variant(self.document, self.provisos.readings, tuple(tried.items()))


def _variant(document: Game, readings: tuple[str, ...], odds: OddsOf) -> Game:
    if not readings and not odds:
        return document
    game = _paid(_read(document, readings), odds)
    provisos = Provisos(document=document, readings=readings, odds=odds)
    return msgspec.structs.replace(game, provisos=provisos)


# ---------------------------------------------------------------- other readings


def _read(game: Game, entries: tuple[str, ...]) -> Game:
    """Return the game under the other reading of these entries."""
    for number, entry in enumerate(entries):
        game.interpretation(entry)
        if entry in entries[:number]:
            raise InputError(f'the reading "{entry}" is given twice; write it once')
        for earlier in entries[:number]:
            if both := contradiction(game, earlier, entry):
                raise InputError(
                    f"{earlier} and {entry} contradict each other: both change {both}; follow one of them"
                )
    read = other_reading(game, *entries)
    if len(entries) > 1:  # a single reading was checked when the rule book was loaded
        from combinat.rules.book.consistency import (
            inconsistencies,
        )  # imported here: most commands follow no other reading
        from combinat.rules.book.reader import Found

        for mistake in inconsistencies(Found(msgspec.structs.replace(read, interpretations=()))):
            raise InputError(f"{', '.join(entries)} do not go together: {mistake}")
    return read


def read_instead(game: Game, entry: str) -> Game:
    """Return the game with the reading of one entry reversed.

    A followed entry returns to the reading of the rule book; any other is followed, and replaces those that it
    contradicts.
    """
    document, followed = game.document, game.provisos.readings
    if entry in followed:
        return other_reading(document, *(other for other in followed if other != entry))
    kept = [other for other in followed if not contradiction(document, other, entry)]
    return other_reading(document, *kept, entry)


# ---------------------------------------------------------------- other odds


def _odds(name: object, written: object) -> tuple[Odds, ...]:
    parts = [written] if isinstance(written, Odds) else written
    if isinstance(parts, str):
        parts = parts.split(",")
    if not isinstance(name, str) or not isinstance(parts, list | tuple):
        raise InputError(
            f'{name}: found {in_words(written)}; write odds as text, such as "9 to 1", or a list of them'
        )
    try:
        return tuple(
            part if isinstance(part, Odds) else Odds.parse(part.strip() if isinstance(part, str) else part)
            for part in parts
        )
    except InputError as error:
        raise InputError(f"{shortened(name)}: {error}") from None


def _paid(game: Game, odds: OddsOf) -> Game:
    """Return the game with other odds: for whole bets first, then for single lines and insurance states."""
    lines: dict[str, dict[int, Odds]] = {}
    states: dict[State, Odds] = {}
    for name, paid in sorted(odds, key=lambda tried: ":" in tried[0]):
        bet_id, colon, line = name.partition(":")
        if states_named(name, game.offers) is not None:
            one = _one(name, paid)
            if one.net <= 0:
                raise InputError(f'{name}: found "{one}"; insurance pays, such as "5 to 2"')
            states |= dict.fromkeys(game.states_named(name), one)
        elif colon:
            lines.setdefault(bet_id, {})[game.bet(bet_id).line_named(line)] = _one(name, paid)
        else:
            lines[bet_id] = dict(zip(_paying_lines(game.bet(bet_id), paid), paid, strict=True))
    if lines:
        bets = tuple(_bet_paying(bet, lines.get(bet.id, {})) for bet in game.bets)
        game = msgspec.structs.replace(game, bets=bets)
    return _with_state_odds(game, states) if states else game


def _one(name: str, paid: tuple[Odds, ...]) -> Odds:
    if len(paid) != 1:
        raise InputError(f"{shortened(name)}: found {len(paid)} odds; write one, for this line")
    return paid[0]


def _paying_lines(bet: Bet, odds: Sequence[Odds]) -> list[int]:
    """Return the numbers of the lines that pay; refuse another number of odds."""
    lines = [number for number, pay in enumerate(bet.pays) if pay.odds.net > 0]
    if len(odds) != len(lines):
        names = ", ".join(f"{bet.line_name(bet.pays[number])} ({bet.pays[number].odds})" for number in lines)
        raise InputError(
            f"{bet.id}: the bet has {len(lines)} odds ({names}); found {len(odds)}; "
            "write one for each, separated by commas"
        )
    return lines


def _bet_paying(bet: Bet, odds: Mapping[int, Odds]) -> Bet:
    pays = tuple(
        msgspec.structs.replace(pay, odds=odds[number], commission=None) if number in odds else pay
        for number, pay in enumerate(bet.pays)
    )
    return msgspec.structs.replace(bet, pays=pays)


def _with_state_odds(game: Game, odds: Mapping[State, Odds]) -> Game:
    """Return the game with other odds for some of the insurance states that it offers."""

    def line(state: State, offer: Offer) -> Offer:
        return msgspec.structs.replace(
            offer,
            player_points=NumberSet({state.player_points}),
            banker_points=NumberSet({state.banker_points}),
            odds=odds.get(state, offer.odds),
        )

    tables = tuple(
        msgspec.structs.replace(table, offers=tuple(line(*listed) for listed in table.states()))
        for table in game.insurance
    )
    return msgspec.structs.replace(game, insurance=tables)
