"""A round of play, card by card. Every part of combinat uses this one definition."""

from collections.abc import Sequence
from enum import StrEnum

import msgspec

from combinat.base.errors import InputError, in_words, named
from combinat.rules.cards import Rank, format_cards, parse_cards, point_total
from combinat.rules.outcome import Outcome
from combinat.rules.shoe import Shoe
from combinat.rules.table_of_play import TABLE_OF_PLAY, Hand, TableOfPlay

_RANK_ALONE = frozenset({Rank})


class Stage(StrEnum):
    """A moment of the round at which insurance may be offered.

    >>> [stage.value for stage in Stage], Stage.FOUR_CARDS.in_words
    (['four-cards', 'player-third-card'], 'after four cards')
    """

    FOUR_CARDS = "four-cards"
    PLAYER_THIRD_CARD = "player-third-card"

    @property
    def in_words(self) -> str:
        """The stage as a phrase."""
        return "after four cards" if self is Stage.FOUR_CARDS else "after the Player's third card"

    @property
    def in_short(self) -> str:
        """The stage in two words."""
        return "4 cards" if self is Stage.FOUR_CARDS else "3rd card"


class Round(msgspec.Struct, frozen=True):
    """The cards on the table so far, in the order each hand received them.

    Cards are dealt Player, Banker, Player, Banker, and from then on as the Table of Play says: the game's,
    for a round of a game (``Game.round``), else the common one.

    >>> from combinat.rules.cards import parse_cards
    >>> deal = Round()
    >>> for card in parse_cards("5 K K 6"):
    ...     deal = deal.with_card(card)
    >>> deal.next_hand, deal.stage
    (<Hand.PLAYER: 'player'>, <Stage.FOUR_CARDS: 'four-cards'>)
    """

    player: tuple[Rank, ...] = ()
    banker: tuple[Rank, ...] = ()
    table: TableOfPlay = TABLE_OF_PLAY

    def __post_init__(self) -> None:
        for cards in (self.player, self.banker):
            if type(cards) is not tuple or not _RANK_ALONE.issuperset(map(type, cards)):
                hand = Hand.PLAYER if cards is self.player else Hand.BANKER
                raise InputError(
                    f"{hand.in_full}: found {in_words(cards)}; a Round is made of two tuples of Rank; "
                    "write Round.parse('9 4 K', '7 7')"
                )
        if not isinstance(self.table, TableOfPlay):
            raise InputError(
                f"found {in_words(self.table)} for a Table of Play; write Round.parse('9 4 K', '7 7')"
            )

    @classmethod
    def parse(cls, player: str, banker: str) -> "Round":
        """Return the round with these cards on the table, at most three in each hand.

        It follows the common Table of Play; functions that accept it check it against their game.

        >>> Round.parse("9 4 K", "7 7").points(Hand.PLAYER)
        3
        """
        hands = []
        for hand, text in ((Hand.PLAYER, player), (Hand.BANKER, banker)):
            if not isinstance(text, str):
                raise InputError(
                    f"{hand.in_full}: found {in_words(text)}; write its cards as text, such as '9 4 K'"
                )
            cards = parse_cards(text)
            if len(cards) > 3:
                raise InputError(f"{hand.in_full}: found {len(cards)} cards; a hand has three at most")
            hands.append(cards)
        return cls(hands[0], hands[1])

    def taken_from(self, shoe: Shoe) -> Shoe:
        """Return the shoe without the cards on the table."""
        for hand, cards in ((Hand.PLAYER, self.player), (Hand.BANKER, self.banker)):
            with named(hand.value):
                shoe = shoe.minus(cards)
        return shoe

    @property
    def in_order(self) -> tuple[Rank, ...]:
        """The cards of a round of four cards or more, in the order of dealing."""
        (p1, p2, *p3), (b1, b2, *b3) = self.player, self.banker
        return (p1, b1, p2, b2, *p3, *b3)

    @property
    def next_hand(self) -> Hand | None:
        """The hand that is dealt the next card; None if the round is over."""
        return self.table.next_hand(
            [rank.points for rank in self.player], [rank.points for rank in self.banker]
        )

    @property
    def is_natural(self) -> bool:
        """Whether the first two cards of either hand end the round."""
        hands = [hand[:2] for hand in (self.player, self.banker) if len(hand) >= 2]
        return any(point_total(rank.points for rank in hand) in self.table.natural for hand in hands)

    @property
    def is_over(self) -> bool:
        """Whether the round is over."""
        return self.next_hand is None

    @property
    def follows_table(self) -> bool:
        """Whether the Table of Play deals each hand its third card, and no hand has four cards."""
        first_four = Round(self.player[:2], self.banker[:2], self.table)
        for hand, cards in ((Hand.PLAYER, self.player), (Hand.BANKER, self.banker)):
            if len(cards) > 2:
                if len(cards) > 3 or first_four.next_hand is not hand:
                    return False
                first_four = first_four.with_card(cards[2])
        return True

    def is_void(self, shoe: Shoe) -> bool:
        """Whether the round is not over and the shoe is empty."""
        return not self.is_over and shoe.size == 0

    def with_card(self, card: Rank) -> "Round":
        """Return the round after one more card, dealt to the hand whose turn it is."""
        match self.next_hand:
            case Hand.PLAYER:
                return Round((*self.player, card), self.banker, self.table)
            case Hand.BANKER:
                return Round(self.player, (*self.banker, card), self.table)
            case _:
                raise InputError(f"the round is over ({self}): no card is dealt after it")

    def points(self, hand: Hand) -> int:
        """Return the present Point Total of a hand."""
        return point_total(rank.points for rank in (self.player if hand is Hand.PLAYER else self.banker))

    @property
    def stage(self) -> Stage | None:
        """The insurance stage of this moment, or None if it is not an insurance stage."""
        match len(self.player), len(self.banker):
            case 2, 2:
                return Stage.FOUR_CARDS
            case 3, 2:
                return Stage.PLAYER_THIRD_CARD
            case _:
                return None

    @property
    def stages(self) -> "dict[Stage, Round]":
        """The round as it was at each insurance stage so far."""
        moments = (
            Round(self.player[:2], self.banker[:2], self.table),
            Round(self.player[:3], self.banker[:2], self.table),
        )
        return {moment.stage: moment for moment in moments if moment.stage}

    @property
    def outcome(self) -> Outcome:
        """The outcome of the finished round."""
        if not self.is_over:
            raise InputError(f"the round is not over ({self}): the {self.next_hand} hand is to draw")
        return Outcome.of(self.player, self.banker)

    def __repr__(self) -> str:
        return f"<Round {self}>"

    def __str__(self) -> str:
        return f"Player {format_cards(self.player) or '-'}, Banker {format_cards(self.banker) or '-'}"


def finished_round(
    player: Sequence[Rank],
    banker: Sequence[Rank],
    *,
    table: TableOfPlay = TABLE_OF_PLAY,
    table_clause: str = "",
    stood_clause: str = "",
) -> Round:
    """Return the round of two complete hands; refuse hands that the Table of Play cannot deal.

    ``table_clause`` prints the Table of Play in the game's document; ``stood_clause`` states what the
    Banker Hand does after the Player Hand has stood. A refusal cites the relevant clause.
    """
    for hand, cards in ((Hand.PLAYER, player), (Hand.BANKER, banker)):
        if not 2 <= len(cards) <= 3:
            count = "1 card" if len(cards) == 1 else f"{len(cards)} cards"
            raise InputError(
                f"{hand.in_full}: found {count}; a finished hand has two or three ({table_clause})"
            )
    dealt = Round(tuple(player[:2]), tuple(banker[:2]), table)
    for hand, cards in ((Hand.PLAYER, player), (Hand.BANKER, banker)):
        draws, has_drawn = dealt.next_hand is hand, len(cards) == 3
        player_stood = hand is Hand.BANKER and len(player) == 2 and (draws or not dealt.is_natural)
        cite = f" ({stood_clause if player_stood else table_clause})"
        if draws and not has_drawn:
            raise InputError(
                f"{hand.in_full}: a third card is missing: {_why(dealt, hand)}, so it draws{cite}"
            )
        if has_drawn and not draws:
            raise InputError(
                f"{hand.in_full}: the third card {cards[2]} is against the Table of Play: "
                f"{_why(dealt, hand)}, so it stands{cite}"
            )
        if draws:
            dealt = dealt.with_card(cards[2])
    return dealt


def _why(dealt: Round, hand: Hand) -> str:
    """Return the facts on which the Table of Play decides this hand's third card."""
    first_two = Round(dealt.player[:2], dealt.banker[:2], dealt.table)
    player, banker = first_two.points(Hand.PLAYER), first_two.points(Hand.BANKER)
    if first_two.next_hand is hand and player in dealt.table.natural:
        return f"Banker has {banker} and the Player's natural does not stop it"
    if first_two.is_natural:
        return f"a natural ends the round (Player {player}, Banker {banker})"
    if hand is Hand.PLAYER:
        return f"Player has {player}"
    if len(dealt.player) == 2:
        return f"Banker has {banker} and Player stood"
    return f"Banker has {banker} and the Player's third card is worth {dealt.player[2].points}"
