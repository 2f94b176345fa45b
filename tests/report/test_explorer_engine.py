"""The engine of the explorer, outside a browser: equal to the engine in Python, digit for digit."""

import json
import random
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from combinat.analysis.analysis import analyze
from combinat.analysis.insurance import STATES, insurance_analysis
from combinat.analysis.round_in_progress import round_in_progress
from combinat.analysis.until_decided import as_they_stay
from combinat.base.errors import CombinatError
from combinat.engine.distribution import Distribution
from combinat.report.odds_records import odds_json
from combinat.report.round_in_progress import round_json
from combinat.report.settlement import settlement_json
from combinat.rules.book.load import RuleBook, load_rule_book, parsed_rule_book
from combinat.rules.cards import RANKS, format_cards, parse_cards
from combinat.rules.game import Game
from combinat.rules.insurance import Insured
from combinat.rules.insurance_limits import least_room
from combinat.rules.round import Stage
from combinat.rules.shoe import Shoe
from combinat.rules.table_of_play import Hand
from combinat.table.settlement import settle
from tests.conftest import SMALL_BOOK
from tests.documents import COMMISSION_2013, COMMISSION_2024, GAMES, NONCOMMISSION_2025
from tests.explorer.engine import (
    AT_THE_TABLE,
    NODE,
    OTHER_TABLE,
    SHOES,
    TWO_LAYOUTS,
    Record,
    answered_odds,
    answers_of,
    assert_same_but_named,
    counted,
    odds_of,
    plain,
    stated,
)

pytestmark = pytest.mark.skipif(
    NODE is None, reason="node is not installed: the engine is not run without a browser"
)

Ask = Callable[[list[Record]], list[Any]]


@pytest.fixture(scope="module")
def books() -> dict[str, RuleBook]:
    """The four games, the small one, one by another Table of Play, and one with two layouts."""
    every = [*map(load_rule_book, GAMES), *map(load_rule_book, (SMALL_BOOK, OTHER_TABLE, TWO_LAYOUTS))]
    return {book.game.id: book for book in every}


@pytest.fixture(scope="module")
def ask(books: dict[str, RuleBook]) -> Ask:
    """Put questions to the engine."""
    return lambda questions: answers_of(list(books.values()), questions)


def test_every_bet_and_every_insurance_state_on_every_shoe(books: dict[str, RuleBook], ask: Ask) -> None:
    """Every figure that the explorer has is that of the engine; each game on a part of the shoes, together on all.

    In a browser every game meets every shoe (``make slow M=browser``).
    """
    parts = len(books)
    asked = [
        (book.game, shoe)
        for number, book in enumerate(books.values())
        for shoe in SHOES[number % parts :: parts]
    ]
    assert len(asked) == len(SHOES)
    questions = [
        {"ask": what, "game": game.id, "cards": list(shoe.counts)}
        for game, shoe in asked
        for what in ("odds", "insurance")
    ]
    answers = ask(questions)
    known: dict[tuple[object, Shoe], Distribution] = {}
    for number, (game, shoe) in enumerate(asked):
        odds, insurance = answers[2 * number : 2 * number + 2]
        distribution = counted(game, shoe, known)
        assert answered_odds(odds) == odds_of(game, distribution), f"{game.id} on {shoe}"
        assert odds["shoe"]["size"] == shoe.size
        states = [plain(STATES.object(state)) for state in insurance_analysis(game, distribution)]
        assert insurance["states"] == states, f"{game.id} on {shoe}"


def test_the_two_ways_of_counting_are_one(ask: Ask) -> None:
    """Limbs of exact Numbers, and BigInt from the start: every course, every match of the first four cards."""
    questions = [
        {"ask": "both_ways", "game": game, "cards": list(shoe.counts), "player": player, "banker": banker}
        for game in ("small-baccarat", "other-table")
        for shoe in SHOES[::5]
        for player, banker in (("", ""), ("K 5", "3"))
    ]
    assert set(ask(questions)) == {True}


# ---------------------------------------------------------------- rounds


def rounds(game: Game, count: int, chance: random.Random) -> list[tuple[Shoe, Any]]:
    """Rounds dealt at random from some shoes, each stopped somewhere."""
    dealt = []
    for number in range(count):
        few = Shoe((0,) * 13).plus(chance.choices(RANKS, k=number % 9))
        shoe = Shoe.of_decks(1 + number % 8) if number % 3 else few
        now, left = game.round(), shoe
        for _ in range(chance.randrange(0, 7)):
            if now.is_over or not left.size:
                break
            card = chance.choice([rank for rank in RANKS for _ in range(left[rank])])
            now, left = now.with_card(card), left.minus([card])
        dealt.append((shoe, now))
    return dealt


def test_a_round_in_progress_has_the_same_values(books: dict[str, RuleBook], ask: Ask) -> None:
    """Also where a natural of the Player Hand does not stop the Banker Hand."""
    chance, reading = random.Random(3), ["natural-stops-the-banker"]
    games: list[tuple[Game, list[str]]] = [(book.game, []) for book in books.values()]
    games.append((books[COMMISSION_2013].game.reading(*reading), reading))
    asked = [(game, names, *dealt) for game, names in games for dealt in rounds(game, 12, chance)]
    asked.append((*games[-1], Shoe.of_decks(1), games[-1][0].round(parse_cards("9 K"), parse_cards("3 K"))))
    questions = [
        {
            "ask": "round",
            "game": game.id,
            "cards": str(shoe),
            "player": format_cards(now.player),
            "banker": list(now.banker),
            "readings": names,
        }
        for game, names, shoe, now in asked
    ]
    for answer, (game, _, shoe, now) in zip(ask(questions), asked, strict=True):
        expected = plain(round_json(round_in_progress(game, now, shoe)))
        expected.pop("readings", None)
        for bet in expected["bets"]:
            bet.pop("worth_more_to", None)
        assert answer == expected, f"{game.id}, {now}, {shoe}"


def finished(game: Game, chance: random.Random) -> Any:
    now = game.round()
    while not now.is_over:
        now = now.with_card(chance.choice(RANKS))
    return now


def settlement_questions(
    game: Game, count: int, chance: random.Random, readings: tuple[str, ...] = ()
) -> list[Record]:
    """Finished rounds with stakes and, often, insurance that is open or not, within its limits or over them."""
    questions: list[Record] = []
    hands, tables = (
        [bet.id for bet in game.bets if bet.hand],
        [str(table.insured) for table in game.insurance],
    )
    for _ in range(count):
        now = finished(game, chance)
        bets = chance.sample([bet.id for bet in game.bets], k=min(4, len(game.bets)))
        named = chance.sample(tables, k=min(len(tables), chance.randrange(3)))
        question = {
            "ask": "settle",
            "game": game.id,
            "player": format_cards(now.player),
            "banker": format_cards(now.banker),
            "stakes": {
                bet: chance.choice(["100", "12.5", "7"])
                for bet in dict.fromkeys([*bets, chance.choice(hands)])
            },
            "insured": {key: chance.choice(["1", "10", "40", "300"]) for key in named},
            "maxima": chance.choice([{}, {"table-maximum": "1000", "maximum-differential": "800"}]),
            "readings": list(readings),
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
        now, hand = finished(game, chance), chance.choice(list(Hand))
        offers = {stage: game.offer(hand, moment) for stage, moment in now.stages.items()}
        bet, insured = game.bet_on(hand), {}
        for stage, offer in offers.items():
            if offer is not None:
                room = least_room(
                    terms.limits, offer.odds, original_bet=Fraction(100), table_maximum=Fraction(1000)
                )
                insured[f"{hand}@{stage}"] = str(room.stake) if room else "1"
        if bet is not None and len(insured) == 2:
            questions.append(
                {
                    "ask": "settle",
                    "game": game.id,
                    "player": format_cards(now.player),
                    "banker": format_cards(now.banker),
                    "stakes": {bet.id: "100"},
                    "insured": insured,
                    "maxima": {"table-maximum": "1000", "maximum-differential": "800"},
                }
            )
    return questions


def settled_here(book: RuleBook, asked: Record) -> Record:
    """The lines of a settlement in Python; nothing where it is refused."""
    game = book.game.reading(*asked.get("readings", []))
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
    record: Record = plain(settlement_json(game, settlement))
    for line in record["lines"]:
        line.pop("condition", None)
    return {key: record[key] for key in ("lines", "staked", "net")}


def test_a_settlement_is_the_same_line_by_line_and_refused_where_python_refuses(
    books: dict[str, RuleBook], ask: Ask
) -> None:
    """Under the document's readings, and under each that changes a settlement."""
    chance = random.Random(11)
    questions = [one for book in books.values() for one in settlement_questions(book.game, 60, chance)]
    for game_id in (COMMISSION_2013, COMMISSION_2024):
        questions += both_stages(books[game_id].game, 8, chance)
    settles = {
        "insurance_limits",
        "insurance_open",
        "insured_hand",
        "tied_bets",
        "banker_draws_against_natural",
    }
    for game_id in (COMMISSION_2013, COMMISSION_2024, NONCOMMISSION_2025):
        for entry in books[game_id].game.interpretations:
            if settles & set(stated(entry)):
                read = books[game_id].game.reading(entry.id)
                questions += settlement_questions(read, 8, chance, (entry.id,))
    answers = ask(questions)
    assert 20 < sum("refused" in answer for answer in answers) < len(answers) - 100
    for answer, asked in zip(answers, questions, strict=True):
        assert ({} if "refused" in answer else answer) == settled_here(books[asked["game"]], asked), asked


def test_a_void_round_is_settled_line_by_line(books: dict[str, RuleBook], ask: Ask) -> None:
    """As the procedure for a shoe that cannot finish the round settles it, under each reading of a void round."""
    chance = random.Random(19)
    asked: list[tuple[Game, Any, Record]] = []
    for book in (book for book in books.values() if book.game.procedures):
        voids = [[one.id] for one in book.game.interpretations if one.instead.void_bets]
        for readings in ([], *voids):
            game = book.game.reading(*readings)
            while sum(one is game for one, *_ in asked) < 6:
                now = game.round()
                for _ in range(chance.randrange(1, 6)):
                    now = now if now.is_over else now.with_card(chance.choice(RANKS))
                if not now.is_over:
                    hands = {"player": format_cards(now.player), "banker": format_cards(now.banker)}
                    stakes = {bet.id: chance.choice(["100", "7.5"]) for bet in game.bets}
                    question = {"ask": "settle", "game": game.id, "readings": readings, "isVoid": True}
                    asked.append((game, now, {**question, **hands, "stakes": stakes, "insured": {}}))
    results = set()
    for answer, (game, now, one) in zip(ask([one for *_, one in asked]), asked, strict=True):
        amounts = {bet: Fraction(amount) for bet, amount in one["stakes"].items()}
        lines = settle(game, now, amounts, procedure="insufficient-cards").lines
        keys = ("name", "stake", "net", "result", "clause")
        expected = [tuple(str(getattr(line, key)) for key in keys) for line in lines]
        assert [tuple(line[key] for key in keys) for line in answer["lines"]] == expected, one
        results |= {line.result for line in lines}
    assert results == {"won", "lost", "returned", "stays"}


REFUSED_SHOES: list[Any] = ["A=3 B=1", "A=3 A=1", "A", "", [1, 2], {"A": -1}, {"K": 1.5}]
REFUSED_ROUNDS = [("9 9 2", "3 3"), ("5 5 5", "3 3 3 3"), ("2 3 8", "K 3 4"), ("2 3 8", "K"), ("A A", "A A")]


def test_what_is_no_shoe_and_no_round_is_refused(ask: Ask) -> None:
    cards = {"A": 1, "2": 4, "3": 4, "4": 4, "5": 4, "8": 4, "9": 4, "K": 4}
    questions: list[Record] = [{"ask": "odds", "cards": shoe} for shoe in REFUSED_SHOES]
    questions += [
        {"ask": "round", "cards": cards, "player": player, "banker": banker}
        for player, banker in REFUSED_ROUNDS
    ]
    answers = ask([{"game": COMMISSION_2013, **one} for one in questions])
    answers += ask([{"ask": "odds", "game": "no-game", "cards": cards}])
    assert all(answer["refused"] for answer in answers)


# ---------------------------------------------------------------- readings and exports


def _known(value: Any, answered: Any) -> Any:
    """A value as far as the engine gives it: of an outcome, the keys that it has."""
    if not isinstance(value, list):
        return value
    return [{key: one[key] for key in other} for one, other in zip(value, answered, strict=True)]


def test_bets_that_stay_or_stand_are_valued_as_python_values_them(
    books: dict[str, RuleBook], ask: Ask
) -> None:
    """After ties, in void rounds, and where decided bets stand; also on shoes that tie always and that run out."""
    few = ("4=2 5=1 10=1 K=1", "9=1 J=2", "A=2 7=2", "K=1", "2=1 9=3 Q=1", "7=3", "A=1 6=1")
    shoes = [*SHOES[::20], Shoe((0,) * 12 + (8,)), *map(Shoe.parse, few)]
    tied, void, stands = "tied-bets-returned", "void-game-returns-bets", "unfinished-round-void"
    sets = [(COMMISSION_2013, names) for names in ([tied], [void], [tied, void])]
    for game_id, book in books.items():
        if any(entry.id == stands for entry in book.game.interpretations):
            sets.append((game_id, [stands]))
    asked = [(game_id, names, shoe) for game_id, names in sets for shoe in shoes]
    questions = [
        {"ask": "odds", "game": game_id, "cards": list(shoe.counts), "readings": names}
        for game_id, names, shoe in asked
    ]
    for answer, (game_id, names, shoe) in zip(ask(questions), asked, strict=True):
        analysis = as_they_stay(analyze(books[game_id].game.reading(*names), shoe))
        expected: Record = plain(odds_json(analysis, analysis.bets))
        for bet, other in zip(answer["bets"].values(), expected["bets"], strict=True):
            assert bet == {key: _known(other[key], bet[key]) for key in bet}, (game_id, names, shoe)
        if names == [tied]:
            assert answer["until_decided"] == ["player", "banker"]


def test_a_reading_has_a_switch_where_it_changes_what_the_page_shows(
    books: dict[str, RuleBook], ask: Ask
) -> None:
    for answer, (game_id, book) in zip(
        ask([{"ask": "switches", "game": game_id} for game_id in books]), books.items(), strict=True
    ):
        switched = [one.id for one in book.game.interpretations if set(stated(one)) - AT_THE_TABLE]
        assert answer == switched, game_id


def test_readings_are_refused_where_python_refuses_them(books: dict[str, RuleBook], ask: Ask) -> None:
    """Two that contradict each other, or that together hold no game; a part of those that go together."""

    def refused(game: Game, readings: list[str]) -> bool:
        try:
            game.reading(*readings)
        except CombinatError:
            return True
        return False

    asked = []
    for book in books.values():
        pairs = list(map(list, combinations([entry.id for entry in book.game.interpretations], 2)))
        against = [pair for pair in pairs if refused(book.game, pair)]
        apart = [pair for pair in pairs if pair not in against]
        asked += [(book.game.id, pair, True) for pair in against]
        asked += [(book.game.id, pair, False) for pair in apart[::16]]
    asked.append((COMMISSION_2013, ["tied-bets-returned"] * 2, True))
    questions = [{"ask": "readings", "game": game, "readings": readings} for game, readings, _ in asked]
    assert [bool(answer) for answer in ask(questions)] == [expected for *_, expected in asked]
    assert 20 < sum(expected for *_, expected in asked) < len(asked) - 20


NO_CHANGE: Record = {"readings": [], "odds": {}, "insurance": {}}
CHANGES: list[tuple[str, Record]] = [
    (NONCOMMISSION_2025, {"odds": {"tie": {"0": "9 to 1"}, "tiger-pair": {"2": "101.5 to 1"}}}),
    (NONCOMMISSION_2025, {"readings": ["natural-stops-the-banker", "text-over-drawing-of-layout-o"]}),
    (
        NONCOMMISSION_2025,
        {"readings": ["pair-by-rank", "unfinished-round-void"], "odds": {"big-tiger": {"0": "0.125 to 3"}}},
    ),
    (COMMISSION_2013, {"insurance": {"player@four-cards": {"0": "7 to 4"}}}),
    (COMMISSION_2013, {"readings": ["tied-bets-returned", "insurance-of-the-own-hand"]}),
    (COMMISSION_2024, {"readings": ["insurance-cap-each-time", "quarter-of-the-maximum-bet"]}),
    ("two-layouts", {"readings": ["six-not-on-b"]}),
    ("two-layouts", {"readings": ["natural-stops-the-banker"]}),
]


def test_what_is_exported_is_read_and_gives_the_same_figures(books: dict[str, RuleBook], ask: Ask) -> None:
    """Unchanged, with other odds, under other readings; entries that no longer hold are left out and named."""
    shoes = [Shoe((0,) * 13).plus(random.Random(5).choices(RANKS, k=30)), Shoe.parse("A=1 3=1 5=1 K=2")]
    asked = [(game, NO_CHANGE) for game in books] + [(game, NO_CHANGE | change) for game, change in CHANGES]
    questions: list[Record] = [
        {"ask": "changed", "game": game, "cards": list(shoe.counts), "changes": changes}
        for game, changes in asked
        for shoe in shoes
    ]
    known: dict[tuple[object, Shoe], Distribution] = {}
    left_out = []
    for answer, one in zip(ask(questions), questions, strict=True):
        original, changes = books[one["game"]].game, one["changes"]
        game = parsed_rule_book(answer["toml"].encode("utf-8"), Path(f"{answer['id']}.toml")).game
        if changes == NO_CHANGE:
            assert game == original
        elif not changes["odds"] and not changes["insurance"]:
            assert_same_but_named(game, original.reading(*changes["readings"]))
        distribution = counted(game, Shoe(tuple(one["cards"])), known)
        assert answered_odds(answer["odds"]) == odds_of(game, distribution), one
        states = [plain(STATES.object(state)) for state in insurance_analysis(game, distribution)]
        assert answer["insurance"]["states"] == states, one
        left_out += answer.get("left_out", [])
    assert {"six-not-on-a", "nine-and-three-cards"} <= set(left_out)


def test_any_text_survives_the_export(small_book: RuleBook) -> None:
    """A name of quotes, backslashes, marks and far letters is the same name when it is read again."""
    name = '"\\ \u00e9\u4e2d\U0001f40d </script> = [x] # no \\u0041'
    text = small_book.content.decode("utf-8").replace(
        'name = "Small Baccarat"', f"name = {json.dumps(name, ensure_ascii=False)}"
    )
    book = parsed_rule_book(text.encode("utf-8"), SMALL_BOOK)
    asked = {"ask": "changed", "game": book.game.id, "cards": [1] * 13, "changes": NO_CHANGE}
    (answer,) = answers_of([book], [asked])
    assert parsed_rule_book(answer["toml"].encode("utf-8"), SMALL_BOOK).game == book.game
