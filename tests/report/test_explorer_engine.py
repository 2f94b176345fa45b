"""The engine of the explorer under Node: equal to the engine in Python, digit for digit."""

import random
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest

from combinat.analysis.insurance_limits import least_room
from combinat.base.errors import CombinatError
from combinat.rules.book.load import load_game
from combinat.rules.cards import RANKS, format_cards, parse_cards
from combinat.rules.game import Game
from combinat.rules.insurance import Insured
from combinat.rules.round import Round, Stage
from combinat.rules.shoe import Shoe
from combinat.rules.table_of_play import Hand
from combinat.table.settlement import settle
from tests.conftest import SMALL_BOOK, VOCABULARY
from tests.documents import COMMISSION_2013, COMMISSION_2024, GAMES
from tests.explorer.engine import (
    NODE,
    OTHER_TABLE,
    TWO_LAYOUTS,
    Ask,
    Record,
    engine,
    odds_record,
    round_record,
    settlement_record,
    shoes,
    state_records,
    variant,
    variants,
)

pytestmark = pytest.mark.skipif(
    NODE is None, reason="node is not installed: the engine is not run without a browser"
)


@pytest.fixture(scope="module")
def games() -> dict[str, Game]:
    """The four games, the small one, another Table of Play, two layouts, every fact, and variants of practice."""
    every = [*map(load_game, GAMES), *map(load_game, (SMALL_BOOK, OTHER_TABLE, TWO_LAYOUTS, VOCABULARY))]
    return {game.id: game for game in [*every, *variants()]}


@pytest.fixture(scope="module")
def ask(games: dict[str, Game]) -> Iterator[Ask]:
    """The engine with these rule books."""
    with engine(list(games.values())) as one:
        yield one


def test_every_bet_and_every_insurance_state(games: dict[str, Game], ask: Ask) -> None:
    """Each game on a part of the shoes; games whose bets stay or stand, on more of the tiny ones."""
    every, tiny = shoes(), shoes()[-24::3]
    asked = []
    for number, (game_id, game) in enumerate(games.items()):
        some = every[number :: len(games)]
        some += tiny if game_id in ("stays", "stands", "tied") else []
        asked += [(game, shoe) for shoe in some]
    questions = [
        {"ask": what, "game": game.id, "cards": list(shoe.counts)}
        for game, shoe in asked
        for what in ("odds", "insurance")
    ]
    answers = ask(questions)
    for number, (game, shoe) in enumerate(asked):
        odds, insurance = answers[2 * number : 2 * number + 2]
        until_decided = odds.pop("until_decided", [])
        assert odds == odds_record(game, shoe), f"{game.id} on {shoe}"
        assert insurance["states"] == state_records(game, shoe), f"{game.id} on {shoe}"
        stay = {"stays": [bet.id for bet in game.bets], "tied": ["player", "banker"]}
        assert until_decided == stay.get(game.id, [])


# ---------------------------------------------------------------- rounds


def dealt(game: Game, chance: random.Random, cards: int = 6) -> Round:
    """A round of cards at random, over or stopped after so many."""
    now = game.round()
    for _ in range(cards):
        now = now if now.is_over else now.with_card(chance.choice(RANKS))
    return now


def hands(now: Round) -> dict[str, str]:
    return {"player": format_cards(now.player), "banker": format_cards(now.banker)}


def test_a_round_in_progress_has_the_same_values(games: dict[str, Game], ask: Ask) -> None:
    """On small shoes that may run out, and on fresh ones."""
    chance = random.Random(3)
    asked: list[tuple[Game, Round, Shoe]] = []
    for game in games.values():
        for number in range(7):
            now = dealt(game, chance, number)
            rest = Shoe.of_decks(2) if number % 3 else Shoe((0,) * 13).plus(chance.choices(RANKS, k=number))
            asked.append((game, now, rest.plus([*now.player, *now.banker])))
    natural = games["other-table"]
    asked.append((natural, natural.round(parse_cards("9 K"), parse_cards("2 K")), Shoe.of_decks(1)))
    questions = [
        {"ask": "round", "game": game.id, "cards": str(shoe), **hands(now)} for game, now, shoe in asked
    ]
    for answer, (game, now, shoe) in zip(ask(questions), asked, strict=True):
        assert answer == round_record(game, now, shoe), f"{game.id}, {now}, {shoe}"


def settlement_questions(game: Game, count: int, chance: random.Random) -> list[Record]:
    """Finished rounds with stakes and, often, insurance: open or not, within its limits or over them."""
    questions: list[Record] = []
    own = [bet.id for bet in game.bets if bet.hand] or [game.bets[0].id]
    tables = [str(table.insured) for table in game.insurance]
    for _ in range(count):
        bets = chance.sample([bet.id for bet in game.bets], k=min(4, len(game.bets)))
        named = chance.sample(tables, k=min(len(tables), chance.randrange(3)))
        question = {
            "ask": "settle",
            "game": game.id,
            **hands(dealt(game, chance)),
            "stakes": {bet: chance.choice(["100", "12.5", "7"]) for bet in {*bets, chance.choice(own)}},
            "insured": {key: chance.choice(["1", "10", "40", "300"]) for key in named},
            "maxima": chance.choice([{}, {"table-maximum": "1000", "maximum-differential": "800"}]),
        }
        layout = {"layout": chance.choice(game.layouts).id, "insured": {}} if chance.random() < 0.2 else {}
        questions.append({**question, **layout})
    return questions


def both_stages(game: Game, count: int, chance: random.Random) -> list[Record]:
    """Rounds in which a hand is insured at both stages, each time to the limit that the bet alone has."""
    questions: list[Record] = []
    terms = game.insurance_terms
    assert terms is not None
    while len(questions) < count:
        now, hand = dealt(game, chance), chance.choice(list(Hand))
        bet, insured = game.bet_on(hand), {}
        for stage, moment in now.stages.items():
            if (offer := game.offer(hand, moment)) is not None:
                maximum = Fraction(1000)
                room = least_room(terms.limits, offer.odds, original_bet=Fraction(100), table_maximum=maximum)
                insured[f"{hand}@{stage}"] = str(room.stake) if room else "1"
        if bet is not None and len(insured) == 2:
            stakes = {"stakes": {bet.id: "100"}, "insured": insured}
            maxima = {"table-maximum": "1000", "maximum-differential": "800"}
            questions.append({"ask": "settle", "game": game.id, **hands(now), **stakes, "maxima": maxima})
    return questions


def settled_here(game: Game, asked: Record) -> Record:
    """The lines of a settlement in Python; nothing where it is refused."""
    insured = {}
    for key, amount in asked["insured"].items():
        hand, _, stage = key.partition("@")
        insured[Insured(Hand(hand), Stage(stage))] = Fraction(amount)
    maxima = {key: Fraction(amount) for key, amount in asked["maxima"].items()}
    try:
        settlement = settle(
            game,
            game.finished_round(*(parse_cards(asked[hand]) for hand in Hand)),
            {bet: Fraction(amount) for bet, amount in asked["stakes"].items()},
            insured,
            layout=asked.get("layout"),
            table_maximum=maxima.get("table-maximum"),
            maximum_differential=maxima.get("maximum-differential"),
        )
    except CombinatError:
        return {}
    return settlement_record(game, settlement)


def test_a_settlement_is_the_same_line_by_line_and_refused_where_python_refuses(
    games: dict[str, Game], ask: Ask
) -> None:
    chance = random.Random(11)
    questions = [one for game in games.values() for one in settlement_questions(game, 40, chance)]
    for game_id in (COMMISSION_2013, COMMISSION_2024):
        questions += both_stages(games[game_id], 8, chance)
    answers = ask(questions)
    assert 20 < sum("refused" in answer for answer in answers) < len(answers) - 100
    for answer, asked in zip(answers, questions, strict=True):
        assert ({} if "refused" in answer else answer) == settled_here(games[asked["game"]], asked), asked


def test_a_void_round_is_settled_line_by_line(games: dict[str, Game], ask: Ask) -> None:
    """As the procedure for a shoe that cannot finish the round settles it."""
    chance = random.Random(19)
    asked: list[tuple[Game, Round, Record]] = []
    for game in (game for game in games.values() if game.procedures):
        for cards in range(1, 6):
            now = dealt(game, chance, cards)
            stakes = {bet.id: chance.choice(["100", "7.5"]) for bet in game.bets}
            question = {
                "ask": "settle",
                "game": game.id,
                "isVoid": True,
                "insured": {},
                "stakes": stakes,
            }
            if not now.is_over:
                asked.append((game, now, question | hands(now)))
    pair = games["stands"].round(parse_cards("K K"), parse_cards("3 4"))
    asked.append(
        (
            games["stands"],
            pair,
            asked[-1][2] | hands(pair) | {"game": "stands", "stakes": {"player-pair": "5"}},
        )
    )
    results = set()
    keys = ("name", "stake", "net", "result", "clause")
    for answer, (game, now, one) in zip(ask([one for *_, one in asked]), asked, strict=True):
        amounts = {bet: Fraction(amount) for bet, amount in one["stakes"].items()}
        lines = settle(game, now, amounts, procedure="insufficient-cards").lines
        expected = [tuple(str(getattr(line, key)) for key in keys) for line in lines]
        assert [tuple(line[key] for key in keys) for line in answer["lines"]] == expected, one
        results |= {line.result for line in lines}
    assert results == {"won", "lost", "returned", "stays"}


# ---------------------------------------------------------------- other odds, refusals


def test_other_odds_give_the_figures_of_a_rule_book_with_these_odds(ask: Ask) -> None:
    def change(data: Record) -> None:
        data["bets"][2]["pays"][0]["odds"] = "9 to 1"
        data["bets"][1]["pays"][0] |= {"odds": "3 to 2"}
        data["bets"][1]["pays"][0].pop("commission", None)
        data["insurance"][0]["offers"][0]["odds"] = "7 to 3"

    game, shoe = variant(COMMISSION_2013, "other-odds", change), Shoe.parse("A=3 2=1 5=4 6=2 9=7 K=9")
    bets, insured = game.bets, str(game.insurance[0].insured)
    changes = {f"{bets[2].id}:0": "9 to 1", f"{bets[1].id}:0": "3 to 2", f"{insured}:0": "7 to 3"}
    question = {"ask": "changed", "game": COMMISSION_2013, "cards": list(shoe.counts), "changes": changes}
    (answer,) = ask([question])
    assert answer["odds"]["bets"] == odds_record(game, shoe)["bets"]
    assert answer["insurance"]["states"] == state_records(game, shoe)


REFUSED_SHOES: list[Any] = ["A=3 B=1", "A=3 A=1", "A", "", [1, 2], {"A": -1}, {"K": 1.5}, {"K": 3_999_997}]
REFUSED_ROUNDS = [("9 9 2", "3 3"), ("5 5 5", "3 3 3 3"), ("2 3 8", "K 3 4"), ("2 3 8", "K"), ("A A", "A A")]


def test_invalid_shoes_rounds_and_games_are_refused(ask: Ask) -> None:
    cards = {"A": 1, "2": 4, "3": 4, "4": 4, "5": 4, "8": 4, "9": 4, "K": 4}
    questions: list[Record] = [{"ask": "odds", "cards": shoe} for shoe in REFUSED_SHOES]
    questions += [
        {"ask": "round", "cards": cards, "player": player, "banker": banker}
        for player, banker in REFUSED_ROUNDS
    ]
    questions = [{"game": COMMISSION_2013, **one} for one in questions]
    questions.append({"ask": "odds", "game": "no-game", "cards": cards})
    assert all(answer["refused"] for answer in ask(questions))
