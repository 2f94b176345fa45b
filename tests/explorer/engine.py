"""The engine of the explorer outside a browser, and the answers that it must give."""

import json
import random
import shutil
import subprocess
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import msgspec

from combinat.analysis.bets import bet_analysis
from combinat.analysis.until_decided import staying_bets, until_decided
from combinat.engine.distribution import Distribution
from combinat.engine.pairs import pair_distribution
from combinat.report.explorer.page import WEB, carried
from combinat.rules.book.load import RuleBook
from combinat.rules.cards import RANKS
from combinat.rules.document import Interpretation, RuleDocument
from combinat.rules.game import Game
from combinat.rules.shoe import Shoe
from tests.paths import BOOKS, TESTS

NODE = shutil.which("node")
OTHER_TABLE, TWO_LAYOUTS = BOOKS / "other-table.toml", BOOKS / "two-layouts.toml"

Record = dict[str, Any]


def answers_of(books: Sequence[RuleBook], questions: list[Record]) -> list[Any]:
    """The answers of a page that has these rule books."""
    assert NODE is not None
    ran = subprocess.run(
        [NODE, str(TESTS / "explorer" / "answers.mjs"), str(WEB)],
        input=json.dumps({"carried": carried(books), "questions": questions}),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert ran.returncode == 0, ran.stderr
    return list(json.loads(ran.stdout))


def plain(record: object) -> Any:
    """A record as JSON has it."""
    return json.loads(json.dumps(record))


def shoes() -> list[Shoe]:
    """Fresh, depleted, lopsided, tiny and empty ones; some with ranks missing."""
    chance = random.Random(18)
    nothing, cards = Shoe((0,) * 13), [rank for rank in RANKS for _ in range(32)]
    some = [Shoe.of_decks(decks) for decks in range(1, 13)]
    some += [nothing.plus(chance.sample(cards, left)) for left in (300, 200, 120, 60, 30, 20, 15)]
    some += [Shoe(tuple(chance.randrange(0, 5) * chance.randrange(0, 2) for _ in RANKS)) for _ in range(6)]
    some += [Shoe.of_decks(150), Shoe((9000,) * 13), Shoe((0,) * 12 + (12,))]
    some.append(Shoe((0, 0, 40, 0, 0, 0, 0, 0, 0, 3, 7, 0, 90)))
    return some + [nothing.plus(chance.choices(RANKS, k=left)) for left in range(13) for _ in range(2)]


SHOES = shoes()


def counted(game: Game, shoe: Shoe, known: dict[tuple[object, Shoe], Distribution]) -> Distribution:
    """The rounds of a shoe, counted once for each Table of Play."""
    key = (game.table_of_play, shoe)
    if key not in known:
        known[key] = pair_distribution(shoe, game.table_of_play)
    return known[key]


FIGURES = (
    *("expected_value", "house_edge", "return_to_player", "variance", "hit_frequency", "push", "void"),
    *("edge_per_resolved_bet", "fair_odds", "third_central_moment", "largest_payout"),
)


def odds_of(game: Game, distribution: Distribution) -> Record:
    """The answer that the explorer must give for every bet."""
    bets = {}
    for bet in game.bets:
        analysis = bet_analysis(game, bet, distribution)
        if bet in staying_bets(game):
            analysis = until_decided(game, bet, distribution) or analysis
        figures = {name: getattr(analysis, name) for name in FIGURES}
        bets[bet.id] = {
            "id": bet.id,
            "name": bet.name,
            "outcomes": sorted(
                [line.name, line.odds or None, *map(str, (line.net, line.ways, line.probability, line.contribution))]
                for line in analysis.outcomes
            ),
            **{name: None if value is None else str(value) for name, value in figures.items()},
            "standard_deviation": str(analysis.standard_deviation),
            "skewness": None if analysis.skewness is None else str(analysis.skewness),
        }  # fmt: skip
    void = Fraction(distribution.void, distribution.sample_space)
    return {"sample_space": str(distribution.sample_space), "void": str(void), "bets": bets}


def answered_odds(answer: Record) -> Record:
    """An answer in the same shape."""
    keys = ("name", "odds", "net", "ways", "probability", "contribution")
    bets = {
        name: {**bet, "outcomes": sorted([line[key] for key in keys] for line in bet["outcomes"])}
        for name, bet in answer["bets"].items()
    }
    return {"sample_space": answer["sample_space"], "void": answer["void"], "bets": bets}


# ---------------------------------------------------------------- readings

AT_THE_TABLE = {
    *("available_bets", "silent_player", "squeeze_waives", "differential"),
    *("pro_rata", "under_minimum", "minimum_of", "options_for", "early_cards"),
}
"""Parts of a reading that change nothing that the page shows."""


def stated(entry: Interpretation) -> list[str]:
    """The parts that the other reading of an entry changes."""
    return [key for key, value in msgspec.structs.asdict(entry.instead).items() if value]


def assert_same_but_named(exported: Game, read: Game) -> None:
    """Everything that an exported game states is what Python reads under the same readings."""
    for field in msgspec.structs.fields(RuleDocument):
        if field.name not in ("id", "name", "interpretations"):
            assert getattr(exported, field.name) == getattr(read, field.name), field.name
