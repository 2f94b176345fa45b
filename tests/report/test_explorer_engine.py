"""The engine of the explorer, outside a browser: equal to the engine in Python, digit for digit."""

import json
import random
import re
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product
from pathlib import Path
from typing import Any

import msgspec
import pytest

from combinat.analysis.analysis import analyze
from combinat.analysis.bets import bet_analysis
from combinat.analysis.insurance import insurance_analysis
from combinat.analysis.round_in_progress import round_in_progress
from combinat.analysis.until_decided import as_they_stay, staying_bets, until_decided
from combinat.engine.distribution import Distribution
from combinat.engine.pairs import pair_distribution
from combinat.errors import CombinatError, ReadingError
from combinat.report.explorer.page import WEB, carried
from combinat.report.insurance_views import state_json
from combinat.report.odds_records import odds_json, root_json
from combinat.report.round_in_progress import round_json
from combinat.report.settlement import settlement_json
from combinat.rules.cards import RANKS, format_cards, parse_cards
from combinat.rules.game import Game, Interpretation
from combinat.rules.insurance import Insured
from combinat.rules.limits import least_room
from combinat.rules.reading import contradiction, with_readings
from combinat.rules.round import Stage
from combinat.rules.rulebook import RuleBook, load_rule_book, parsed_rule_book
from combinat.rules.settlement import insurance_name, settle
from combinat.rules.shoe import Shoe
from combinat.rules.table_of_play import Hand
from tests.conftest import SMALL_BOOK
from tests.documents import COMMISSION_2013, GAMES, NONCOMMISSION_2025
from tests.paths import TESTS

ANSWERS = TESTS / "explorer" / "answers.mjs"
NODE = shutil.which("node")

pytestmark = pytest.mark.skipif(
    NODE is None, reason="node is not installed: the engine is not run without a browser"
)

Record = dict[str, Any]
Ask = Callable[[list[Record]], list[Any]]

OTHER_TABLE = """
[table_of_play]
clause = "3.5"
stood_clause = "3.4"
natural = "9"
player_draws = "0-4,8"
banker_draws = [
    { points = "0-3", third = "0-9" },
    { points = "4-6", third = "1-3,8" },
    { points = 7, third = "none" },
    { points = 8, third = "0" },
]
banker_draws_when_player_stood = "0-5"
banker_draws_against_natural = "0-2,7"
"""


def other_table(book: RuleBook) -> RuleBook:
    """The small rule book with a Table of Play of its own, and lines that look at results and pairs together."""
    text = book.content.decode("utf-8").replace('id = "small-baccarat"', 'id = "other-table"', 1)
    text = text.replace('third_cards = "3.4"\ntable_of_play = "3.5"\n', "").replace(
        "[void]", f"{OTHER_TABLE}\n[void]"
    )
    text = text.replace(
        '{ name = "one pair", pairs = "single", odds',
        '{ name = "one pair", pairs = "single", winner = "player", odds',
        1,
    )
    text = text.replace('id = "punto"', 'id = "constructor"')  # a word that every object of JavaScript knows
    return parsed_rule_book(text.encode("utf-8"), Path("other-table.toml"))


@pytest.fixture(scope="module")
def books(small_book: RuleBook) -> dict[str, RuleBook]:
    """The four games, the small one, and one by another Table of Play."""
    every = [*map(load_rule_book, GAMES), small_book, other_table(small_book)]
    return {book.game.id: book for book in every}


@pytest.fixture(scope="module")
def ask(books: dict[str, RuleBook]) -> Ask:
    """Put questions to the engine."""
    return lambda questions: answers_of(list(books.values()), questions)


def answers_of(books: Sequence[RuleBook], questions: list[Record]) -> list[Any]:
    """The answers of a page that has these rule books."""
    assert NODE is not None
    ran = subprocess.run(
        [NODE, str(ANSWERS), str(WEB)],
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
    some = [Shoe.of_decks(decks) for decks in range(1, 13)]
    for left in (300, 200, 120, 60, 30, 20, 15):
        cards = [rank for rank in RANKS for _ in range(32)]
        some.append(Shoe((0,) * 13).plus(chance.sample(cards, left)))
    some += [Shoe(tuple(chance.randrange(0, 5) * chance.randrange(0, 2) for _ in RANKS)) for _ in range(6)]
    some += [
        Shoe.of_decks(150),
        Shoe((0, 0, 40, 0, 0, 0, 0, 0, 0, 3, 7, 0, 90)),
        Shoe((9000,) * 13),
        Shoe((0,) * 12 + (12,)),
    ]
    for left in range(13):
        some += [Shoe((0,) * 13).plus(chance.choices(RANKS, k=left)) for _ in range(2)]
    return some


SHOES = shoes()


def counted(game: Game, shoe: Shoe, known: dict[tuple[object, Shoe], Distribution]) -> Distribution:
    key = (game.table_of_play, shoe)
    if key not in known:
        known[key] = pair_distribution(shoe, game.table_of_play)
    return known[key]


FIGURES = (
    *("expected_value", "house_edge", "return_to_player", "variance", "hit_frequency", "push", "void"),
    *("edge_per_resolved_bet", "fair_odds", "third_central_moment", "largest_payout"),
)


def odds_of(game: Game, distribution: Distribution) -> Record:
    """What the explorer must say of every bet."""
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
                [
                    line.name,
                    line.odds or None,
                    str(line.net),
                    str(line.ways),
                    str(line.probability),
                    str(line.contribution),
                ]
                for line in analysis.outcomes
            ),
            **{name: None if value is None else str(value) for name, value in figures.items()},
            "standard_deviation": root_json(analysis.variance),
            "skewness": root_json(analysis.skewness_signed_square),
        }
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
        where = f"{game.id} on {shoe}"
        assert answered_odds(odds) == odds_of(game, distribution), where
        assert odds["shoe"]["size"] == shoe.size
        states = [plain(state_json(state)) for state in insurance_analysis(game, distribution)]
        assert insurance["states"] == states, where


def test_the_two_ways_of_counting_are_one(books: dict[str, RuleBook], ask: Ask) -> None:
    """Limbs of exact Numbers, and BigInt from the start: every course, every match of the first four cards."""
    questions = [
        {"ask": "both_ways", "game": game, "cards": list(shoe.counts), "player": player, "banker": banker}
        for game in ("small-baccarat", "other-table")
        for shoe in SHOES[::5]
        for player, banker in (("", ""), ("K 5", "3"))
    ]
    assert set(ask(questions)) == {True}


def rounds(game: Game, count: int, chance: random.Random) -> list[tuple[Shoe, Any]]:
    """Rounds dealt at random from some shoes, each stopped somewhere."""
    dealt = []
    for number in range(count):
        shoe = (
            Shoe.of_decks(1 + number % 8)
            if number % 3
            else Shoe((0,) * 13).plus(chance.choices(RANKS, k=number % 9))
        )
        now, left = game.round(), shoe
        for _ in range(chance.randrange(0, 7)):
            if now.is_over or not left.size:
                break
            card = chance.choice([rank for rank in RANKS for _ in range(left[rank])])
            now, left = now.with_card(card), left.minus([card])
        dealt.append((shoe, now))
    return dealt


def test_a_round_in_progress_has_the_same_values(books: dict[str, RuleBook], ask: Ask) -> None:
    chance = random.Random(3)
    asked = [(book.game, *dealt) for book in books.values() for dealt in rounds(book.game, 12, chance)]
    questions = [
        {
            "ask": "round",
            "game": game.id,
            "cards": str(shoe),
            "player": format_cards(now.player),
            "banker": list(now.banker),
        }
        for game, shoe, now in asked
    ]
    for answer, (game, shoe, now) in zip(ask(questions), asked, strict=True):
        expected = plain(round_json(round_in_progress(game, now, shoe)))
        for bet in expected["bets"]:
            bet.pop("worth_more_to", None)
        assert answer == expected, f"{game.id}, {now}, {shoe}"


def finished(game: Game, chance: random.Random) -> Any:
    now = game.round()
    while not now.is_over:
        now = now.with_card(chance.choice(RANKS))
    return now


def settlement_questions(
    game: Game, count: int, chance: random.Random, readings: Sequence[str] = ()
) -> list[Record]:
    """Finished rounds with stakes and, often, insurance that is open or is not, within its limits or over them."""
    questions = []
    for _ in range(count):
        now = finished(game, chance)
        bets = chance.sample([bet.id for bet in game.bets], k=min(4, len(game.bets)))
        hands = [bet.id for bet in game.bets if bet.hand]
        stakes = {
            bet: chance.choice(["100", "12.5", "7"])
            for bet in dict.fromkeys([*bets, *chance.sample(hands, k=1)])
        }
        tables = [str(table.insured) for table in game.insurance]
        insured = {
            key: chance.choice(["1", "10", "40", "300"])
            for key in chance.sample(tables, k=min(len(tables), chance.randrange(3)))
        }
        questions.append(
            {
                "ask": "settle",
                "game": game.id,
                "player": format_cards(now.player),
                "banker": format_cards(now.banker),
                "stakes": stakes,
                "insured": insured,
                "maxima": chance.choice([{}, {"table-maximum": "1000", "maximum-differential": "800"}]),
                "readings": list(readings),
            }
        )
    return questions


def both_stages(game: Game, count: int, chance: random.Random) -> list[Record]:
    """Rounds in which a hand is insured at both stages, each time to the limit that the bet alone has."""
    questions: list[Record] = []
    terms = game.insurance_terms
    while terms is not None and len(questions) < count:
        now = finished(game, chance)
        for hand in Hand:
            offers = {stage: game.offer(hand, moment) for stage, moment in now.stages.items()}
            bet = game.bet_on(hand)
            if bet is None or len(offers) < 2 or not all(offers.values()):
                continue
            rooms = {
                stage: least_room(
                    terms.limits, offer.odds, original_bet=Fraction(100), table_maximum=Fraction(1000)
                )
                for stage, offer in offers.items()
                if offer is not None
            }
            questions.append(
                {
                    "ask": "settle",
                    "game": game.id,
                    "player": format_cards(now.player),
                    "banker": format_cards(now.banker),
                    "stakes": {bet.id: "100"},
                    "insured": {f"{hand}@{stage}": str(room.stake) for stage, room in rooms.items() if room},
                    "maxima": {"table-maximum": "1000", "maximum-differential": "800"},
                }
            )
    return questions


def in_names(game: Game, words: str) -> str:
    """A refusal of the program as the page says it: with the names of bets and insurance, not their ids."""
    for hand, stage in product(Hand, Stage):
        words = words.replace(str(Insured(hand, stage)), insurance_name(hand, stage))
    for bet in game.bets:
        for place in ("{}: the stake", "{}: layout", "stake on {} to", "one on {}"):
            words = words.replace(place.format(bet.id), place.format(bet.name))
    words = re.sub(r"what (\S+) pays", lambda match: f"what {game.bet(match[1]).name} pays", words)
    return words.replace(f" {game.id} ", f" {game.name} ")


def settled_here(book: RuleBook, asked: Record) -> Record:
    game = with_readings(book.game, asked.get("readings", []))
    now = game.finished_round(
        *(tuple(map(RANKS.__getitem__, map(RANKS.index, asked[hand].split()))) for hand in Hand)
    )
    insured = {}
    for key, amount in asked["insured"].items():
        hand, _, stage = key.partition("@")
        insured[Insured(Hand(hand), Stage(stage))] = Fraction(amount)
    stakes = {bet: Fraction(amount) for bet, amount in asked["stakes"].items()}
    maxima = {key: Fraction(amount) for key, amount in asked["maxima"].items()}
    try:
        settlement = settle(
            game,
            now,
            stakes,
            insured,
            layout=asked.get("layout"),
            table_maximum=maxima.get("table-maximum"),
            maximum_differential=maxima.get("maximum-differential"),
        )
    except CombinatError as error:
        return {"refused": in_names(game, str(error))}
    record: Record = plain(settlement_json(game, settlement))
    for line in record["lines"]:
        line.pop("condition", None)
    return {key: record[key] for key in ("lines", "staked", "net")}


def test_a_settlement_is_the_same_line_by_line_and_refused_in_the_same_words(
    books: dict[str, RuleBook], ask: Ask
) -> None:
    chance = random.Random(11)
    questions = [one for book in books.values() for one in settlement_questions(book.game, 60, chance)]
    for game in ("commission-insurance-2013", "tiger-buffalo-commission-plus-2024"):
        questions += both_stages(books[game].game, 8, chance)
    answers = ask(questions)
    refused = sum("refused" in answer for answer in answers)
    assert 20 < refused < len(answers) - 100
    assert any("over the limit" in answer.get("refused", "") for answer in answers)
    for answer, asked in zip(answers, questions, strict=True):
        assert answer == settled_here(books[asked["game"]], asked), asked


def test_a_stake_that_the_layout_does_not_offer_is_refused(books: dict[str, RuleBook], ask: Ask) -> None:
    chance = random.Random(17)
    questions = []
    for book in books.values():
        for one in settlement_questions(book.game, 8, chance):
            layout = chance.choice(book.game.layouts).id
            questions.append({**one, "insured": {}, "layout": layout})
    answers = ask(questions)
    for answer, asked in zip(answers, questions, strict=True):
        assert answer == settled_here(books[asked["game"]], asked), asked
    assert 5 < sum("does not offer" in answer.get("refused", "") for answer in answers) < len(answers) - 5


def test_a_void_round_is_settled_line_by_line(books: dict[str, RuleBook], ask: Ask) -> None:
    """As the procedure for a shoe that cannot finish the round settles it, under each reading of a void round."""
    chance = random.Random(19)
    asked: list[tuple[Game, Record]] = []
    for book in (book for book in books.values() if book.game.procedures):
        for entry in (None, *(one for one in book.game.interpretations if one.instead.void_bets)):
            game = with_readings(book.game, [entry.id] if entry else [])
            while sum(one is game for one, _ in asked) < 6:
                now = game.round()
                for _ in range(chance.randrange(1, 6)):
                    now = now if now.is_over else now.with_card(chance.choice(RANKS))
                if now.is_over:
                    continue
                hands = {"player": format_cards(now.player), "banker": format_cards(now.banker)}
                stakes = {bet.id: chance.choice(["100", "7.5"]) for bet in game.bets}
                readings = [entry.id] if entry else []
                question = {"ask": "settle", "game": game.id, "readings": readings, "isVoid": True}
                asked.append((game, {**question, **hands, "stakes": stakes, "insured": {}}))
    results = set()
    for answer, (game, one) in zip(ask([one for _, one in asked]), asked, strict=True):
        now = game.round(*(parse_cards(one[hand]) for hand in Hand))
        amounts = {bet: Fraction(amount) for bet, amount in one["stakes"].items()}
        settlement = settle(game, now, amounts, procedure="insufficient-cards")
        lines = [
            (line.name, str(line.stake), str(line.net), line.result, line.clause) for line in settlement.lines
        ]
        keys = ("name", "stake", "net", "result", "clause")
        assert [tuple(line[key] for key in keys) for line in answer["lines"]] == lines, one
        results |= {line.result for line in settlement.lines}
    assert results == {"won", "lost", "returned", "stays"}


# ---------------------------------------------------------------- other readings


def test_bets_that_stay_after_a_tie_are_valued_until_decided(books: dict[str, RuleBook], ask: Ask) -> None:
    """As ``combinat odds`` values them; also on a shoe of one rank, on which every round ties, and on shoes that run out."""
    shoes = [*SHOES[::20], Shoe((0,) * 12 + (8,))]
    shoes += [Shoe.parse(cards) for cards in ("4=2 5=1 10=1 K=1", "9=1 J=2", "A=2 7=2", "K=1", "2=1 9=3 Q=1")]
    document = books[COMMISSION_2013].game
    readings = [
        ["tied-bets-returned"],
        ["void-game-returns-bets"],
        ["tied-bets-returned", "void-game-returns-bets"],
    ]
    asked = [(shoe, followed) for shoe in shoes for followed in readings]
    questions = [
        {"ask": "odds", "game": document.id, "cards": list(shoe.counts), "readings": followed}
        for shoe, followed in asked
    ]
    for answer, (shoe, followed) in zip(ask(questions), asked, strict=True):
        analysis = as_they_stay(analyze(with_readings(document, followed), shoe))
        expected: Record = plain(odds_json(analysis, analysis.bets))
        hands = ["player", "banker"]
        every = [bet.id for bet in document.bets]
        assert answer["until_decided"] == (every if "void-game-returns-bets" in followed else hands)
        assert list(answer["bets"].values()) == expected["bets"], (shoe, followed)


def test_decided_bets_stand_in_a_shoe_that_runs_out_before_four_cards(
    books: dict[str, RuleBook], ask: Ask
) -> None:
    shoes = [Shoe.parse(cards) for cards in ("9=1 J=2", "7=3", "K=1 Q=2", "A=1 6=1", "5=1")]
    asked = [(book.game, shoe) for book in books.values() for shoe in shoes if has_entry(book.game)]
    questions = [
        {"ask": "odds", "game": game.id, "cards": list(shoe.counts), "readings": ["unfinished-round-void"]}
        for game, shoe in asked
    ]
    for answer, (game, shoe) in zip(ask(questions), asked, strict=True):
        analysis = analyze(with_readings(game, ["unfinished-round-void"]), shoe)
        expected: Record = plain(odds_json(analysis, analysis.bets))
        assert list(answer["bets"].values()) == expected["bets"], (game.id, shoe)


def has_entry(game: Game) -> bool:
    return any(entry.id == "unfinished-round-void" for entry in game.interpretations)


AT_THE_TABLE = {
    "available_bets",
    "silent_player",
    "squeeze_waives",
    "differential",
    "pro_rata",
    "under_minimum",
    "minimum_of",
    "options_for",
    "early_cards",
}
SETTLES = {"insurance_limits", "insurance_open", "insured_hand", "tied_bets", "banker_draws_against_natural"}


def stated(entry: Interpretation) -> list[str]:
    """The keys under which an entry puts something else."""
    return [key for key, value in msgspec.structs.asdict(entry.instead).items() if value]


def test_a_reading_has_a_switch_where_it_changes_what_the_page_shows(
    books: dict[str, RuleBook], ask: Ask
) -> None:
    games = [book.game for book in books.values()]
    answers = ask([{"ask": "switches", "game": game.id} for game in games])
    for answer, game in zip(answers, games, strict=True):
        asked = {entry.id: set(stated(entry)) for entry in game.interpretations}
        assert answer == [one for one, keys in asked.items() if keys - AT_THE_TABLE], game.id


def other_moments(game: Game, chance: random.Random) -> list[Record]:
    """Rounds in which hands are insured at every moment that is open, both stages and both hands, at once."""
    questions: list[Record] = []
    bets = {hand: bet for hand in Hand if (bet := game.bet_on(hand)) is not None}
    while len(questions) < 5:
        now = finished(game, chance)
        open_now = [
            f"{hand}@{stage}"
            for stage, moment in now.stages.items()
            for hand in bets
            if game.offer(hand, moment)
        ]
        if len(open_now) < 2:
            continue
        questions.append(
            {
                "player": format_cards(now.player),
                "banker": format_cards(now.banker),
                "stakes": {bet.id: "100" for bet in bets.values()},
                "insured": {key: chance.choice(["5", "30", "45"]) for key in open_now},
                "maxima": {"table-maximum": "1000", "maximum-differential": "120"},
            }
        )
    return questions


def test_a_settlement_follows_every_reading(books: dict[str, RuleBook], ask: Ask) -> None:
    """Whose hand is insured, what stays after a tie, every limit, insurance that is never open, another Table of Play."""
    chance = random.Random(13)
    questions = []
    for game_id in ("commission-insurance-2013", "tiger-buffalo-commission-plus-2024", NONCOMMISSION_2025):
        document = books[game_id].game
        for entry in document.interpretations:
            if not SETTLES & set(stated(entry)):
                continue
            read = with_readings(document, [entry.id])
            given = {"ask": "settle", "game": game_id, "readings": [entry.id]}
            questions += [{**one, **given} for one in settlement_questions(read, 4, chance)]
            if entry.instead.insurance_limits or entry.instead.insured_hand:
                questions += [{**one, **given} for one in other_moments(read, chance)]
    never = ["insurance-after-no-more-bets"]
    insured = {"player@four-cards": "5"}
    questions.append({**questions[0], "readings": never, "insured": insured, "stakes": {"player": "10"}})
    tied = {"player": "9 8", "banker": "K 7", "insured": {}, "stakes": {"player": "10", "tie": "5"}}
    questions.append({**questions[0], **tied, "readings": ["tied-bets-returned"]})
    other_hand = {"player": "K 3 6", "banker": "K 6 2", "insured": {"banker@four-cards": "30"}}
    own = ["insurance-of-the-own-hand"]
    questions.append({**questions[0], **other_hand, "stakes": {"player": "100"}, "readings": own})
    answers = ask(questions)
    for answer, asked in zip(answers, questions, strict=True):
        assert answer == settled_here(books[asked["game"]], asked), asked
    assert answers[-1].get("net") == "190"
    said = json.dumps(answers)
    for words in (
        "offers no insurance",
        "stays for the next round unless withdrawn",
        "of the maximum differential",
        "together is over the limit",
    ):
        assert words in said


def test_a_round_in_progress_follows_a_natural_that_does_not_stop_the_banker(
    books: dict[str, RuleBook], ask: Ask
) -> None:
    readings = ["natural-stops-the-banker"]
    game = with_readings(books["commission-insurance-2013"].game, readings)
    moments = [("9 K", "3 K"), ("8", "3"), ("9 K", "6 K"), ("9 K", "3 2 4"), ("2 3", "K 4"), ("4 4", "K 8")]
    asked = [
        (shoe, moment)
        for shoe in ("6=4 7=3 K=5 9=2 8=3 3=3 2=3 4=4", "9=1 K=5 3=1 8=1 6=1 2=1")
        for moment in moments
    ]
    questions = [
        {
            "ask": "round",
            "game": game.id,
            "cards": shoe,
            "player": player,
            "banker": banker,
            "readings": readings,
        }
        for shoe, (player, banker) in asked
    ]
    refused = 0
    for answer, (shoe, (player, banker)) in zip(ask(questions), asked, strict=True):
        try:
            now = game.round(parse_cards(player), parse_cards(banker))
            expected = plain(round_json(round_in_progress(game, now, Shoe.parse(shoe))))
        except CombinatError:
            refused += 1
            assert "refused" in answer
            continue
        for bet in expected["bets"]:
            bet.pop("worth_more_to", None)
        expected.pop("readings", None)
        assert answer == expected, (shoe, player, banker)
    assert refused == 3  # the small shoe has no two twos, threes and fours


def test_readings_that_contradict_each_other_are_refused_in_the_words_of_the_program(
    books: dict[str, RuleBook], ask: Ask
) -> None:
    """Every pair of a register that does, a part of those that go together, and one named twice."""
    questions: list[Record] = []
    for game in (book.game for book in books.values()):
        pairs = list(combinations([entry.id for entry in game.interpretations], 2))
        against = [pair for pair in pairs if contradiction(game, *pair)]
        apart = [pair for pair in pairs if pair not in against]
        questions += [
            {"ask": "readings", "game": game.id, "readings": list(pair)} for pair in [*against, *apart[::16]]
        ]
    questions.append({**questions[0], "readings": [questions[0]["readings"][0]] * 2})
    answers = ask(questions)
    for answer, asked in zip(answers, questions, strict=True):
        assert answer == refusal(books[asked["game"]].game, asked["readings"]), asked
    assert 20 < sum(map(bool, answers)) < len(answers) - 20


def refusal(game: Game, readings: Sequence[str]) -> str:
    try:
        with_readings(game, readings)
    except ReadingError as error:
        return in_names(game, str(error))
    return ""


TOGETHER = """
[[interpretations]]
id = "six-not-on-a"
instead.layouts = [{ id = "A", bets = ["punto", "banco", "any-pair"] }]

[[interpretations]]
id = "six-not-on-b"
instead.layouts = [{ id = "B", bets = ["punto", "banco"] }]

[[interpretations]]
id = "natural-stops-the-banker"
instead.banker_draws_against_natural = "0-5"

[[interpretations]]
id = "nine-and-three-cards"
instead.bets = [{ id = "six", pays = [
    { name = "two cards", player_points = 9, player_cards = 2, odds = "1 to 1" },
    { name = "three cards", player_points = 9, banker_cards = 3, odds = "5 to 1" },
] }]

[[interpretations]]
id = "cap-at-five"
instead.insurance_limits = [{ clause = "3.9", caps = "stake", per = "offer", share = "10%", of = "original-bet", odds = "5 to 1" }]

[[interpretations]]
id = "other-lines"
instead.insurance = [{ side = "banker", stage = "player-third-card", offers = [{ player_points = "0-1", banker_points = "3-5", odds = "2 to 1" }] }]
"""
"""Readings that hold alone, and not all of them together."""


def together(book: RuleBook) -> RuleBook:
    """The small rule book with a second layout, and with these readings."""
    text = book.content.decode("utf-8").replace('layouts = ["A"]', 'layouts = ["A", "B"]')
    text = re.sub(
        r"^layouts = \[(\{.*\})\]$",
        lambda line: f"layouts = [{line[1]}, {line[1].replace('A', 'B', 1)}]",
        text,
        flags=re.MULTILINE,
    )
    words = 'clauses = ["1.1"]\nquestion = "?"\nreading = "so"\notherwise = "not so"\n'
    entries = re.sub(r'^(id = ".*")$', lambda line: f"{line[1]}\n{words}", TOGETHER, flags=re.MULTILINE)
    text = text.replace("small-baccarat", "two-layouts") + entries
    return parsed_rule_book(text.encode("utf-8"), Path("two-layouts.toml"))


def test_readings_that_together_hold_no_game_are_refused(small_book: RuleBook) -> None:
    """A bet on no layout, lines that pay one outcome, a limit at odds that nothing pays."""
    book = together(small_book)
    pairs = list(combinations([entry.id for entry in book.game.interpretations], 2))
    questions = [{"ask": "readings", "game": book.game.id, "readings": list(pair)} for pair in pairs]
    refused = set()
    for answer, asked in zip(answers_of([book], questions), questions, strict=True):
        expected = refusal(book.game, asked["readings"])
        if "do not go together" in expected:
            refused.add(tuple(asked["readings"]))
            assert answer.startswith(f"{', '.join(asked['readings'])} do not go together: ")
        else:
            assert answer == expected
    assert refused == {
        ("six-not-on-a", "six-not-on-b"),
        ("natural-stops-the-banker", "nine-and-three-cards"),
        ("cap-at-five", "other-lines"),
    }


def test_an_export_keeps_no_entry_that_no_longer_holds(small_book: RuleBook) -> None:
    book = together(small_book)
    questions = [
        {
            "ask": "changed",
            "game": book.game.id,
            "cards": [4] * 13,
            "changes": {"readings": [reading], "odds": {}, "insurance": {}},
        }
        for reading in ("six-not-on-b", "natural-stops-the-banker")
    ]
    on_b, natural = answers_of([book], questions)
    assert on_b["left_out"] == ["six-not-on-a", "six-not-on-b"]
    assert natural["left_out"] == ["natural-stops-the-banker", "nine-and-three-cards"]
    for answer in (on_b, natural):
        parsed_rule_book(answer["toml"].encode("utf-8"), Path(f"{answer['id']}.toml"))


# ---------------------------------------------------------------- what was changed and exported

CHANGES: dict[str, list[Mapping[str, Any]]] = {
    "tiger-buffalo-noncommission-2025": [
        {"odds": {"tie": {"0": "9 to 1"}, "banker": {"0": "2 to 3"}, "tiger-pair": {"2": "101.5 to 1"}}},
        {"readings": ["natural-stops-the-banker", "text-over-drawing-of-layout-o"]},
        {"readings": ["pair-by-rank", "unfinished-round-void"], "odds": {"big-tiger": {"0": "0.125 to 3"}}},
    ],
    "commission-insurance-2013": [
        {"insurance": {"player@four-cards": {"0": "7 to 4"}, "banker@player-third-card": {"1": "9 to 1"}}},
        {"readings": ["tied-bets-returned", "insurance-of-the-own-hand", "squeeze-waives-for-the-requester"]},
    ],
    "tiger-buffalo-commission-plus-2024": [
        {"insurance": {"player@player-third-card": {"0": "1.5 to 1"}}, "odds": {"tie": {"0": "7 to 1"}}},
        {"readings": ["insurance-cap-each-time", "quarter-of-the-maximum-bet", "late-payout-is-winnings"]},
        {"readings": ["quarter-for-each-player", "insurance-after-no-more-bets", "natural-stops-the-banker"]},
        {
            "readings": [
                "natural-stops-the-banker",
                "insurance-needs-a-card-to-come",
                "silent-player-forgoes-the-round",
            ]
        },
    ],
    "small-baccarat": [
        {
            "readings": ["pair-by-rank", "cap-on-each-offer"],
            "insurance": {"banker@player-third-card": {"1": "4 to 1"}},
        }
    ],
}


def change_questions(books: Mapping[str, RuleBook], cards: Sequence[int]) -> list[Record]:
    """No change, every reading alone that changes what the page shows, and the changes above."""
    questions = []
    for book in books.values():
        readings = [
            {"readings": [entry.id]}
            for entry in book.game.interpretations
            if set(stated(entry)) - AT_THE_TABLE
        ]
        if book.game.id == "tiger-buffalo-noncommission-plus-2024":  # like its sister, but for one layout
            readings = [{"readings": ["text-over-drawing-of-layout-h"]}]
        for change in [{}, *readings, *CHANGES.get(book.game.id, [])]:
            changes = {"readings": [], "odds": {}, "insurance": {}, **change}
            questions.append(
                {"ask": "changed", "game": book.game.id, "cards": list(cards), "changes": changes}
            )
    return questions


def test_what_is_exported_is_read_and_gives_the_same_figures(books: dict[str, RuleBook], ask: Ask) -> None:
    shoe = Shoe((0,) * 13).plus(random.Random(5).choices(RANKS, k=30))
    tiny = Shoe.parse("A=1 3=1 5=1 K=2")
    questions = change_questions(books, shoe.counts)
    questions += [
        one
        for one in change_questions(books, tiny.counts)
        if re.search("void|natural", str(one["changes"]["readings"]))
    ]
    known: dict[tuple[object, Shoe], Distribution] = {}
    for answer, asked in zip(ask(questions), questions, strict=True):
        assert "refused" not in answer, (asked, answer)
        original, changes = books[asked["game"]].game, asked["changes"]
        game = parsed_rule_book(answer["toml"].encode("utf-8"), Path(f"{answer['id']}.toml")).game
        if not any(changes.values()):
            assert game == original
        else:
            assert answer["id"] == f"{original.id}-changed"
        distribution = counted(game, Shoe(tuple(asked["cards"])), known)
        assert answered_odds(answer["odds"]) == odds_of(game, distribution), asked
        states = [plain(state_json(state)) for state in insurance_analysis(game, distribution)]
        assert answer["insurance"]["states"] == states, asked
        if changes["readings"] and not changes["odds"] and not changes["insurance"]:
            assert_same_but_named(game, with_readings(original, changes["readings"]))


OWN = ("id", "name", "interpretations")
"""What an export has of its own."""


def assert_same_but_named(exported: Game, read: Game) -> None:
    """Everything that an exported game states is what Python reads under the same readings."""
    for field in msgspec.structs.fields(Game):
        if field.name not in OWN:
            assert getattr(exported, field.name) == getattr(read, field.name), field.name


def test_a_limit_on_odds_that_no_line_pays_is_left_out_and_named(
    books: dict[str, RuleBook], ask: Ask
) -> None:
    game = books["tiger-buffalo-commission-plus-2024"].game
    assert game.insurance_terms is not None
    (limit, *_) = [one for one in game.insurance_terms.limits if one.odds is not None]
    assert limit.odds is not None
    changed = {
        str(table.insured): {
            str(number): "9 to 1"
            for number, offer in enumerate(table.offers)
            if offer.odds.net == limit.odds.net
        }
        for table in game.insurance
    }
    insurance = {key: lines for key, lines in changed.items() if lines}
    (answer,) = ask(
        [
            {
                "ask": "changed",
                "game": game.id,
                "cards": [4] * 13,
                "changes": {"readings": [], "odds": {}, "insurance": insurance},
            }
        ]
    )
    assert f"{limit.clause}, {limit.odds}" in answer["left_out"]
    loaded = parsed_rule_book(answer["toml"].encode("utf-8"), Path(f"{answer['id']}.toml")).game
    assert loaded.insurance_terms is not None
    assert len(loaded.insurance_terms.limits) < len(game.insurance_terms.limits)


def test_any_text_survives_the_export(books: dict[str, RuleBook], small_book: RuleBook) -> None:
    """A name of quotes, backslashes, marks and far letters is the same name when it is read again."""
    name = '"\\ \u00e9\u4e2d\U0001f40d </script> = [x] # no \\u0041'
    text = small_book.content.decode("utf-8").replace(
        'name = "Small Baccarat"', f"name = {json.dumps(name, ensure_ascii=False)}"
    )
    book = parsed_rule_book(text.encode("utf-8"), SMALL_BOOK)
    assert book.game.name == name
    asked = {
        "ask": "changed",
        "game": book.game.id,
        "cards": [1] * 13,
        "changes": {"readings": [], "odds": {}, "insurance": {}},
    }
    (answer,) = answers_of([book], [asked])
    assert parsed_rule_book(answer["toml"].encode("utf-8"), SMALL_BOOK).game == book.game


REFUSED_SHOES: list[tuple[Any, str]] = [
    ("A=3 B=1", 'card "B" does not exist'),
    ("A=3 A=1", "A is given twice"),
    ("A", 'found "A"; write a rank, = and a whole number'),
    ("", "nothing given"),
    ([1, 2], "found 2 counts; write 13, A to K"),
    ({"A": -1}, "A: found -1"),
    ({"K": 1.5}, "K: found 1.5"),
]
REFUSED_ROUNDS = [
    ("9 9 2", "3 3", "the Player Hand does not draw"),
    ("5 5 5", "3 3 3 3", "a hand has at most three cards"),
    ("2 3 8", "K 3 4", "the Banker Hand does not draw"),
    ("2 3 8", "K", "four cards come first"),
    ("A A", "A A", "cannot take out A"),
]


def test_what_is_no_shoe_and_no_round_is_refused(ask: Ask) -> None:
    cards = {"A": 1, "2": 4, "3": 4, "4": 4, "5": 4, "8": 4, "9": 4, "K": 4}
    game = "commission-insurance-2013"
    questions: list[Record] = [{"ask": "odds", "game": game, "cards": shoe} for shoe, _ in REFUSED_SHOES]
    questions += [
        {"ask": "round", "game": game, "cards": cards, "player": player, "banker": banker}
        for player, banker, _ in REFUSED_ROUNDS
    ]
    questions.append({"ask": "odds", "game": "no-game", "cards": cards})
    messages = [*(message for _, message in REFUSED_SHOES), *(message for _, _, message in REFUSED_ROUNDS)]
    for answer, message in zip(ask(questions), [*messages, 'no game "no-game"; the games are'], strict=True):
        assert answer["refused"].startswith(message)
