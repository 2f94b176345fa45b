"""Phrases and names that several documents share: dates, decks, hands, bets as the document names them."""

import datetime
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from combinat.render.blocks import Block, Column, each_part
from combinat.rules.cards import format_cards
from combinat.rules.game import Game
from combinat.rules.insurance import State
from combinat.rules.round import Round, Stage
from combinat.rules.table_of_play import Hand

if TYPE_CHECKING:
    from combinat.analysis.bets import FigureSubject

DISCLAIMER = "This is a reproducible analysis with its own certificate. It is not a test laboratory's certification and does not claim to be one."
DRAFT_STATUS = "draft: no approved document states it"
"""The status of a draft rule book."""


def rules_in_words(game: Game) -> str:
    """Return the name of the rule book in a report: a draft, or a transcription of an approved document."""
    return "draft rule book" if game.is_draft else "transcription of the rules"


def in_force_from(effective: datetime.date | None, time: datetime.time | None) -> str:
    """Return the date and time from which a document is in force, in English; a draft may state no day."""
    if effective is None:
        return "no day stated"
    from combinat.base.dates import date_in_words  # odds shows no date

    day = date_in_words(effective)
    return f"{day}, {time.hour:02}{time.minute:02} hours" if time else day


ROUNDING = "Computed in whole numbers and fractions; decimals are rounded once, half to even."


# ---------------------------------------------------------------- names

HAND_COLUMNS = (
    Column("insured hand", name="side"),
    Column("offered after", name="stage"),
    Column("Player's points", name="player_points"),
    Column("Banker's points", name="banker_points"),
)
"""An insurance state's own columns."""


def bet_names(game: Game) -> Mapping[str, str]:
    """Return the names of the bets by their ids; bets with the same name are followed by the clause that settles each."""
    names = [bet.name for bet in game.bets]
    return {
        bet.id: bet.name if names.count(bet.name) == 1 else f"{bet.name} ({bet.settled})" for bet in game.bets
    }


def with_names(blocks: Iterable[Block], names: Mapping[str, str]) -> tuple[Block, ...]:
    """Return the blocks with the names of bets in place of their ids, in cells and in terms."""
    return each_part(blocks, lambda part: names.get(part, part) if isinstance(part, str) else part)


def offer_names(game: Game) -> Mapping[str, str]:
    """Return the names of the insurance tables by their ids."""
    return {
        str(listed.insured): f"{hand_named(listed.side)} Insurance {listed.stage.in_words}"
        for listed in game.insurance
    }


def hand_named(hand: Hand) -> str:
    """Return a hand in a cell: ``Player``."""
    return hand.value.capitalize()


def hands_in_words(dealt: Round) -> str:
    """Return both hands with their points, a dash for a hand without cards: ``Player 9 4 (3), Banker -``."""
    hands = ((Hand.PLAYER, dealt.player), (Hand.BANKER, dealt.banker))
    return ", ".join(
        f"{hand_named(hand)} {f'{format_cards(cards)} ({dealt.points(hand)})' if cards else '-'}"
        for hand, cards in hands
    )


def stage_named(stage: Stage) -> str:
    """Return a stage in a cell, after the word "after"."""
    return "four cards" if stage is Stage.FOUR_CARDS else "the Player's third card"


def state_named(state: State) -> str:
    """Return an insurance state in a phrase."""
    totals = f"Player {state.player_points}, Banker {state.banker_points}"
    return f"{hand_named(state.side)} Insurance {state.stage.in_words}, {totals}"


def subject_named(subject: "FigureSubject", game: Game) -> str:
    """Return the subject of a figure, as a phrase."""
    if subject.odds is not None:
        under = f", {in_words_of_id(subject.procedure)}" if subject.procedure else ""
        return f"insurance at {subject.odds}{under}"
    if subject.state is not None:
        return state_named(subject.state)
    return bet_names(game).get(subject.bet or "", subject.bet or "")


def in_words_of_id(own_id: str) -> str:
    """Return an id in words: ``foreign card``."""
    return own_id.replace("-", " ")


def span_of_decks(decks: Sequence[int]) -> str:
    """Numbers of decks in a phrase.

    >>> span_of_decks([4, 5, 6]), span_of_decks([4, 6, 8]), span_of_decks([8])
    ('4 to 6', '4, 6 and 8', '8')
    """
    if len(decks) > 1 and decks[-1] - decks[0] == len(decks) - 1:
        return f"{decks[0]} to {decks[-1]}"
    *others, last = map(str, decks)
    return f"{', '.join(others)} and {last}" if others else last


def decks_span(decks: Sequence[int]) -> str:
    """Return numbers of decks in a phrase: ``4 to 8 decks``."""
    return f"{span_of_decks(decks)} deck{'' if tuple(decks) == (1,) else 's'}"
