"""Hand logs for tests of the audit: rounds dealt by the rules, the files that hold them, and the faults found."""

import random
from collections.abc import Iterable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from combinat import load_game
from combinat.audit.judging.crosscheck import CrosscheckOptions, judge
from combinat.audit.judging.terms import Statements
from combinat.audit.reading.source import Source
from combinat.audit.verdict import FaultRow, Judgement, Replayed, Verdict
from combinat.rules.cards import RANKS, Rank, format_cards
from combinat.rules.round import Round
from tests.documents import COMMISSION_2013
from tests.oracle.dealer import hands_of

GAME = load_game(COMMISSION_2013)
HEAD = f"# game: {COMMISSION_2013}\n# decks: 8\n"
STAKED_LOG = f"{HEAD}round,shoe,player,player_cards,banker_cards,stake:tie,payout:tie\n" + "".join(
    f"{number},1,p,K 9,{card} 8,{number},0\n" for number, card in enumerate(("K", "Q", "J", "10"), 1)
)
"""A log of a player who stakes more and more."""

GIVEN = ("--game", COMMISSION_2013, "--decks", "8")
"""What a log without a head needs beside it."""


def dealt(seed: int, count: int) -> list[Round]:
    """Rounds of cards drawn at random from decks without end."""
    chance = random.Random(seed)
    return [round_of(chance.choices(RANKS, k=6)) for _ in range(count)]


def round_of(cards: Sequence[Rank]) -> Round:
    """The round that the oracle deals from these cards."""
    player, banker = (tuple(map(Rank, hand)) for hand in hands_of(cards))
    return Round(player, banker)


class ShoeRound(NamedTuple):
    """A round, its shoe, and the cards left before it."""

    shoe: int
    cards: Round
    left: tuple[int, ...]


def shoe_rounds(seed: int, shoes: int, each: int = 20, decks: int = 8) -> list[ShoeRound]:
    """Rounds from the tops of shuffled shoes."""
    chance, rounds = random.Random(seed), list[ShoeRound]()
    for shoe in range(1, shoes + 1):
        cards = [*RANKS] * 4 * decks
        chance.shuffle(cards)
        for _ in range(each):
            one = round_of(cards[:6])
            rounds.append(ShoeRound(shoe, one, tuple(map(cards.count, RANKS))))
            del cards[: len(one.player) + len(one.banker)]
    return rounds


def hands(one: Round) -> str:
    """Two cells: the Player Hand and the Banker Hand."""
    return f"{format_cards(one.player)},{format_cards(one.banker)}"


def net(one: Round, bet: str) -> Fraction:
    """The net result of a unit on a bet."""
    return GAME.bet(bet).net(one.outcome)


def written(folder: Path, lines: Iterable[str], head: str = HEAD, name: str = "log.csv") -> Path:
    """A file of this head and these lines."""
    return stored(folder, head + "".join(f"{line}\n" for line in lines), name)


def stored(folder: Path, content: str | bytes, name: str = "log.csv") -> Path:
    """A file of this content."""
    path = folder / name
    path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
    return path


def with_faults(path: Path, **given: Any) -> tuple[Verdict, list[FaultRow]]:
    """The verdict on the settlements of a log, and all its faults in order."""
    faults: list[FaultRow] = []
    options = CrosscheckOptions(settlement_only=True, sink=faults.extend)
    judged = judge(Source.at(path), Statements(**given), options)
    return judged, faults


def replay_of(verdict: Verdict) -> Replayed:
    """The replay of a verdict on a log."""
    assert verdict.replay is not None
    return verdict.replay


def judgement_of(verdict: Verdict) -> Judgement:
    """The judgement of a verdict on more than settlements."""
    assert verdict.judgement is not None
    return verdict.judgement
