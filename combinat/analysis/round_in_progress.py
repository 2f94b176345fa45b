"""A round in progress: the present value of every bet, and the insurance on offer now."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import ClassVar

import msgspec

from combinat.analysis.bets import BETS, BetAnalysis, bet_analysis
from combinat.analysis.insurance import StateAnalysis, StateBet
from combinat.base.errors import InputError, in_words
from combinat.base.tabular import Listing
from combinat.engine.distribution import Distribution
from combinat.engine.walk import walk
from combinat.rules.bet import BetResult, common_result
from combinat.rules.cards import Rank
from combinat.rules.converters import DECKS, GameGiven, ShoeGiven, as_cards, as_game, as_hands, as_shoe
from combinat.rules.game import Game
from combinat.rules.insurance import State
from combinat.rules.outcome import Winner
from combinat.rules.round import Round
from combinat.rules.shoe import Shoe
from combinat.rules.table_of_play import Hand


class RoundInProgress(Listing[BetAnalysis], msgspec.Struct, frozen=True, kw_only=True):
    """A round with some of its cards on the table. ``shoe`` holds the cards left, without those on the table.

    ``coming``: the next cards of the round, if known; ``beyond``: known cards that the round does not take.

    >>> now = round_in_progress("commission-insurance-2013", Round.parse("2 4", "K 5"))
    >>> now["tie"].expected_value, now.insurance[0]
    (Fraction(-31, 103), <StateAnalysis player@four-cards, Player 6, Banker 5: 3 to 1, house edge 0.9709 %>)
    """

    RELATION: ClassVar = BETS
    LISTED: ClassVar = "bets"

    game: Game
    dealt: Round
    coming: tuple[Rank, ...]
    beyond: tuple[Rank, ...]
    shoe: Shoe
    distribution: Distribution
    bets: tuple[BetAnalysis, ...]
    insurance: tuple[StateAnalysis, ...]

    def __repr__(self) -> str:
        return (
            f"<RoundInProgress {self.dealt}: {len(self.bets)} bets, {len(self.insurance)} insurance on offer>"
        )

    @property
    def reached(self) -> Round:
        """The round after the known next cards."""
        return dealt_on(self.dealt, self.coming)[0][-1]

    @property
    def bets_may_be_taken_back(self) -> bool:
        """Whether fewer than four cards are known, as after a dealing error."""
        return len(self.dealt.player) + len(self.dealt.banker) < 4

    @property
    def winners(self) -> dict[Winner, Fraction]:
        """The probability that each hand wins from here, and of a tie."""
        results = self.distribution.results.items()
        return {
            winner: Fraction(
                sum(ways for result, ways in results if result.winner is winner),
                self.distribution.sample_space,
            )
            for winner in Winner
        }

    @property
    def void(self) -> Fraction:
        """The probability that the shoe cannot finish the round."""
        return Fraction(self.distribution.void, self.distribution.sample_space)


def result_so_far(bet: BetAnalysis) -> BetResult | None:
    """Return the result of the bet if every continuation gives the same one, or None."""
    return common_result(line.net for line in bet.outcomes if line.ways)


def dealt_on(dealt: Round, cards: Sequence[Rank]) -> tuple[tuple[Round, ...], tuple[Rank, ...]]:
    """Return the round before and after each of these cards, and the cards that it does not take."""
    rounds = [dealt]
    for number, card in enumerate(cards):
        if rounds[-1].is_over:
            return tuple(rounds), tuple(cards[number:])
        rounds.append(rounds[-1].with_card(card))
    return tuple(rounds), ()


def insurance_at(
    game: Game, moments: Iterable[Round], distribution: Distribution
) -> tuple[StateAnalysis, ...]:
    """Return the insurance on offer at these moments of one round, valued over the remaining cards."""
    offers = [
        (State(side, moment.stage, moment.points(Hand.PLAYER), moment.points(Hand.BANKER)), offer)
        for moment in moments
        if moment.stage is not None
        for side in Hand
        if (offer := game.offer(side, moment)) is not None
    ]
    return tuple(
        StateBet(state, offer).analysis(distribution.by_points, distribution.sample_space)
        for state, offer in offers
    )


def round_in_progress(
    game: GameGiven,
    dealt: Round | tuple[str, str],
    shoe: ShoeGiven = DECKS,
    coming: str | Iterable[Rank] = (),
) -> RoundInProgress:
    """Return a round in progress: the present value of every bet, and the insurance on offer now.

    ``dealt``: a ``Round``, or the cards of both hands, ``("2 4", "K 5")``. ``shoe``: the shoe that the round
    is dealt from, including the cards on the table. ``coming``: the next cards, if known; the insurance that
    they lead to is valued with them.

    >>> round_in_progress("commission-insurance-2013", Round.parse("2 4", "K 5"))["banker"].expected_value
    Fraction(-1967, 4120)
    """
    loaded, cards, known = as_game(game), as_hands(dealt), as_cards("coming", coming)
    now = loaded.round(cards.player, cards.banker)
    if not now.player and not now.banker:
        raise InputError("no card is on the table; write some, such as Round.parse('5 4', 'K 6')")
    fewer, more = sorted((len(now.player), len(now.banker)))
    if (more > 2 > fewer) or not now.follows_table:
        raise InputError(
            f"the round ({now}) could not have been dealt by the Table of Play of {loaded.id} ({loaded.table_clause})"
        )
    if now.is_over:
        raise InputError(
            f"the round is over ({now}) ({loaded.table_clause}); use settle for a finished round"
        )
    return round_analysis(loaded, now, now.taken_from(as_shoe(shoe)).minus(known), known)


def round_analysis(game: Game, dealt: Round, left: Shoe, coming: Sequence[Rank] = ()) -> RoundInProgress:
    """Return the same for any round, over or not.

    ``left``: the shoe without the cards dealt and those coming.
    """
    rounds, beyond = dealt_on(dealt, coming)
    distribution = walk(left, rounds[-1])
    return RoundInProgress(
        game=game,
        dealt=dealt,
        coming=tuple(coming[: len(rounds) - 1]),
        beyond=beyond,
        shoe=left,
        distribution=distribution,
        bets=tuple(bet_analysis(game, bet, distribution) for bet in game.bets),
        insurance=insurance_at(game, rounds, distribution),
    )


def dealt_so_far(game: Game, player: str, banker: str, player_third: str | None = None) -> Round:
    """Return the round with the first cards of both hands, and the Player's third card if there is one."""
    hands = {"player": as_cards("player", player), "banker": as_cards("banker", banker)}
    for name, cards in hands.items():
        if len(cards) > 2:
            third = (
                "the Player's third card is {player_third}"
                if name == "player"
                else "with a Banker's third card the round is over: use settle"
            )
            raise InputError(
                f"found {len(cards)} cards", f"write the first two at most; {third}", parameter=name
            )
    if not any(hands.values()):
        raise InputError("no card is on the table", 'write some, such as {player} "5 4" {banker} "K 6"')
    dealt = game.round(hands["player"], hands["banker"])
    if player_third is None:
        return dealt
    thirds = as_cards("player_third", player_third)
    if len(thirds) != 1:
        raise InputError(
            f"found {in_words(player_third)}", "write one card, such as 3", parameter="player_third"
        )
    if len(dealt.player) + len(dealt.banker) < 4:
        raise InputError("four cards come first", "write two for each hand", parameter="player_third")
    if dealt.next_hand is not Hand.PLAYER:
        points = f"Player {dealt.points(Hand.PLAYER)}, Banker {dealt.points(Hand.BANKER)}"
        found = f"the Player Hand does not draw ({dealt}: {points}) ({game.table_clause})"
        raise InputError(found, parameter="player_third")
    return dealt.with_card(thirds[0])
