"""Logs of other systems: read as they come, with a word on how, and never between two readings that differ.

What is refused, with the partition that it asks, is in ``tests/corpus/logs`` and ``tests/corpus/maps``.
"""

import gzip
import io
import json
import random
import sys
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import polars
import pytest
import zstandard

from combinat import InputError, Verdict, crosscheck
from combinat.audit.reading.notation import Notation, cards_in, distinct_readings, fitting_notations, reads
from combinat.audit.verdict import FaultKind, Replayed
from combinat.rules.cards import RANKS, Rank
from combinat.rules.round import Round
from combinat.rules.table_of_play import Hand
from tests.audit.logs import GIVEN, dealt, judgement_of, net, replay_of
from tests.conftest import Run
from tests.documents import COMMISSION_2013
from tests.paths import CORPUS, stored

Write = Callable[[Sequence[Rank]], str]
ROUNDS = dealt(1, 60)
SUITS = "SHDC"
WORDS = [
    "Ace",
    "Two",
    "Three",
    "Four",
    "Five",
    "Six",
    "Seven",
    "Eight",
    "Nine",
    "Ten",
    "Jack",
    "Queen",
    "King",
]


def suited(number: int) -> str:
    return SUITS[number % 4]


def short(card: Rank) -> str:
    return "T" if card is Rank.TEN else str(card)


CARDS: dict[Notation, list[Write]] = {
    Notation.RANK: [
        lambda hand: " ".join(hand),
        lambda hand: "-".join(map(short, hand)),
        lambda hand: "".join(map(short, hand)).lower(),
        lambda hand: "[" + "|".join(hand) + "]",
    ],
    Notation.RANK_SUIT: [
        lambda hand: " ".join(f"{short(card)}{suited(number)}" for number, card in enumerate(hand)),
        lambda hand: "".join(f"{card}{'♠♥♦♣'[number]}" for number, card in enumerate(hand)),
        lambda hand: "".join(f"{'0' if card is Rank.TEN else card}{suited(number)}" for number, card in enumerate(hand)),
    ],
    Notation.SUIT_RANK: [lambda hand: " ".join(f"{suited(number)}{card}" for number, card in enumerate(hand))],
    Notation.WORDS: [
        lambda hand: ", ".join(f"{card} of Spades" for card in hand),
        lambda hand: " and ".join(f"{WORDS[RANKS.index(card)]} of Hearts" for card in hand),
        lambda hand: "/".join(WORDS[RANKS.index(card)].lower() for card in hand),
    ],
    Notation.NUMBER: [
        lambda hand: " ".join(str(RANKS.index(card) + 1) for card in hand),
        lambda hand: ",".join([str(RANKS.index(card) + 1) for card in hand] + ["0"] * (3 - len(hand))),
    ],
    Notation.FROM_ZERO: [lambda hand: " ".join(str(RANKS.index(card)) for card in hand)],
    Notation.INDEX: [
        lambda hand: " ".join(str(RANKS.index(card) + 13 * ((number + 1) % 4)) for number, card in enumerate(hand))
    ],
    Notation.INDEX_FROM_1: [
        lambda hand: " ".join(str(RANKS.index(card) + 13 * ((number + 3) % 4) + 1) for number, card in enumerate(hand))
    ],
    Notation.INDEX_BY_RANK: [
        lambda hand: " ".join(str(4 * RANKS.index(card) + number) for number, card in enumerate(hand))
    ],
    Notation.INDEX_BY_RANK_FROM_1: [
        lambda hand: " ".join(str(4 * RANKS.index(card) + number + 1) for number, card in enumerate(hand))
    ],
    Notation.POINTS: [lambda hand: " ".join(str(card.points) for card in hand)],
}  # fmt: skip
HOW = [(notation, write) for notation, ways in CARDS.items() for write in ways]


@pytest.mark.parametrize(("notation", "write"), HOW, ids=lambda one: str(one) if isinstance(one, str) else "")
def test_every_notation_reads_what_it_writes_and_is_told_from_the_hands(
    notation: Notation, write: Write
) -> None:
    """Where another notation reads all the hands too, and otherwise, both are named."""
    hands = [hand for one in ROUNDS for hand in (one.player, one.banker)]
    for hand in hands:
        seen = [str(card) if notation.tells_ranks or card.points else "10" for card in hand]
        assert [str(card) for card in cards_in(write(hand), notation)] == seen
    texts = [write(hand) for hand in hands]
    ways = distinct_readings(texts, fitting_notations(texts))
    same = [reads(text, notation) for text in texts]
    assert sum([reads(text, way) for text in texts] == same for way in ways) == 1
    if not notation.value.startswith(("0-51", "1-52")):
        assert ways == [notation]


@pytest.mark.parametrize(
    ("text", "notation"),
    [
        ("K X", Notation.RANK),
        ("KS 5H", Notation.RANK),
        ("14 2", Notation.NUMBER),
        ("0 2", Notation.NUMBER),
        ("52 1", Notation.INDEX),
        ("13 5", Notation.POINTS),
        ("K 5", Notation.RANK_SUIT),
        ("King of Swords", Notation.WORDS),
        ("K" * 300, Notation.RANK),
    ],
)
def test_what_is_not_in_a_notation_is_refused(text: str, notation: Notation) -> None:
    with pytest.raises(InputError):
        cards_in(text, notation)


# ---------------------------------------------------------------- whole logs


def row(one: Round, number: int, write: Write = " ".join) -> dict[str, Any]:
    return {
        "Hand No": number + 1,
        "Player Hand": write(one.player),
        "Banker Hand": write(one.banker),
        "Result": str(one.outcome.result.winner)[0].upper(),
        "Player Total": one.points(Hand.PLAYER),
        "Banker Total": one.points(Hand.BANKER),
        "Dealer": "Ann",
    }


def rows_of(write: Write = " ".join) -> list[dict[str, Any]]:
    return [row(one, number, write) for number, one in enumerate(ROUNDS)]


def delimited(rows: Sequence[dict[str, Any]], mark: str = ",", quote: str = "") -> str:
    lines = [[*rows[0]], *([str(cell) for cell in one.values()] for one in rows)]
    return "".join(mark.join(f"{quote}{cell}{quote}" for cell in line) + "\n" for line in lines)


def in_parquet() -> bytes:
    out = io.BytesIO()
    polars.DataFrame(rows_of()).with_columns(
        polars.col("Player Hand").str.split(" "), polars.col("Player Total").cast(polars.Float64)
    ).write_parquet(out)
    return out.getvalue()


def nested() -> str:
    hands = [
        {"round": number, "player": {"cards": one.player}, "banker": {"cards": one.banker}}
        for number, one in enumerate(ROUNDS)
    ]
    return json.dumps(hands)


FILES: dict[str, Callable[[], str | bytes]] = {
    "commas": lambda: delimited(rows_of()),
    "semicolons in quotes": lambda: delimited(rows_of(), ";", '"'),
    "tabs": lambda: delimited(rows_of(), "\t"),
    "a byte order mark and Windows lines": lambda: "\ufeff" + delimited(rows_of(), "|").replace("\n", "\r\n"),
    "separators within quotes": lambda: delimited(rows_of(", ".join), ",", '"'),
    "suits": lambda: delimited(rows_of(CARDS[Notation.RANK_SUIT][1])),
    "JSON lines": lambda: "\n".join(map(json.dumps, rows_of())),
    "a JSON list": lambda: json.dumps(rows_of(), indent=1),
    "JSON with lists and nested keys": nested,
    "gzip": lambda: gzip.compress(delimited(rows_of()).encode()),
    "zstd": lambda: zstandard.ZstdCompressor().compress(delimited(rows_of()).encode()),
    "Parquet of lists and floats": in_parquet,
}
NESTED = {"columns": {"player_cards": "player.cards", "banker_cards": "banker.cards"}}


def judged(path: Path | str, decks: int = 8, settlement_only: bool = False, **log_map: Any) -> Verdict:
    return crosscheck(
        path, game=COMMISSION_2013, shoe=decks, settlement_only=settlement_only, log_map=log_map
    )


def settled(path: Path | str, decks: int = 8, **log_map: Any) -> Replayed:
    return replay_of(judged(path, decks, settlement_only=True, **log_map))


@pytest.mark.parametrize("how", FILES)
def test_a_foreign_log_is_read_as_it_comes_and_converted_to_the_house_s_own(
    run: Run, tmp_path: Path, how: str
) -> None:
    log_map: dict[str, Any] = NESTED if "nested" in how else {}
    path, own = stored(tmp_path, FILES[how]()), tmp_path / "own.csv"
    replay = settled(path, **log_map)
    assert (replay.rows, replay.holds) == (60, True)
    read_as = dict(replay.read_as)
    assert read_as["player_cards"] in ("Player Hand", "player.cards")
    assert "nested" in how or (replay.declared, read_as["ignored"]) == (180, "Dealer")
    words = [
        word
        for what, name in log_map.get("columns", {}).items()
        for word in ("--set", f"columns.{what}={name}")
    ]
    assert run("convert", str(path), *GIVEN[:2], *words, "--out", str(own)).code == 0
    frame = polars.read_csv(own, comment_prefix="#", infer_schema=False)
    expected = [(" ".join(one.player), " ".join(one.banker)) for one in ROUNDS]
    assert frame.select("player_cards", "banker_cards").rows() == expected
    again = settled(own)
    assert (again.rows, again.holds) == (60, True)


def test_a_log_from_standard_input(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    text = delimited(rows_of(), ";")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    ran = run("crosscheck", "-", *GIVEN, "--format", "json")
    assert (ran.code, json.loads(ran.out)["replay"]["rows"]) == (2, 60)  # too few rounds to agree


def test_points_say_nothing_of_pairs(tmp_path: Path) -> None:
    judgement = judgement_of(judged(stored(tmp_path, delimited(rows_of(CARDS[Notation.POINTS][0])))))
    assert [one.bet for one in judgement.bets] == ["player", "banker", "tie"]
    assert "cards" not in {test.kind for test in judgement.tests}


@pytest.mark.parametrize(
    ("name", "decks", "answer"),
    [
        ("cards-with-two-readings", 8, {"cards-as": "0-51"}),
        ("column-unknown", 8, {"ignore": ["Zeal"]}),
        ("column-unknown", 8, {"ignore": "others"}),
        ("amount-with-a-comma", 8, {"decimal": ",", "thousands": "."}),
        ("numbers-begin-again", 1, {"shoes": "restart"}),
        ("numbers-begin-again", 1, {"shoes": "none"}),
    ],
)
def test_the_answer_to_a_question_lets_the_log_be_read(name: str, decks: int, answer: dict[str, Any]) -> None:
    """Which notation, which columns are ignored, what begins a shoe: logs that are refused without the answer."""
    verdict = judged(CORPUS / "logs" / f"{name}.csv", decks, settlement_only=True, **answer)
    assert replay_of(verdict).holds
    assert verdict.dealing == ("shoes" if answer.get("shoes") == "restart" else "independent")


def test_rows_that_are_left_out_are_not_held_against_the_others(tmp_path: Path) -> None:
    """A log in which no hand with a ten can be read is no log without tens."""
    lines = [
        f"{number},{' '.join(one.player).replace('10', '1O')},{' '.join(one.banker)}"
        for number, one in enumerate(dealt(5, 2000))
    ]
    told = judged(stored(tmp_path, "\n".join(["round,player_cards,banker_cards", *lines])))
    assert told.word.exit_code == 2
    assert any("unreadable rows may explain" in why for why in told.reasons)


# ---------------------------------------------------------------- money

BACK = {"down": "2.407,66", "up": "2.407,67", "half-up": "2.407,67", "half-even": "2.407,66"}
"""A stake of 1234.70 on the Banker and the winnings of 1172.965, in whole cents."""


def staked(back: str) -> str:
    """A log of stakes on the Banker, as a German spreadsheet writes them."""
    won = {Fraction(19, 20): back, Fraction(0): "1.234,70", Fraction(-1): "0,00"}
    money = [{"Stake Banker": "€ 1.234,70", "Paid Banker": f"€ {won[net(one, 'banker')]}"} for one in ROUNDS]
    return delimited([one | paid for one, paid in zip(rows_of(), money, strict=True)], ";")


@pytest.mark.parametrize("back", ["2.407,66", "2.407,67", "2.407,665"])
def test_payouts_in_chips_are_right_by_their_own_rule_and_wrong_by_another(tmp_path: Path, back: str) -> None:
    path = stored(tmp_path, staked(back))
    wins = sum(one.outcome.result.winner == "banker" for one in ROUNDS)
    for rounding, right in {**BACK, "": "2.407,665"}.items():
        chips: dict[str, Any] = {"unit": "0.01", "rounding": rounding} if rounding else {}
        replay = settled(path, decimal=",", thousands=".", **chips)
        assert (replay.settlements, replay.counts[FaultKind.SETTLEMENT]) == (60, 0 if back == right else wins)


# ---------------------------------------------------------------- results alone


@pytest.mark.parametrize(
    "write",
    [
        lambda beads: beads,
        lambda beads: "winner\n" + "\n".join(beads),
        lambda beads: "\n".join({"B": "Banker", "P": "Player", "T": "Tie"}[bead] for bead in beads),
    ],
    ids=["beads", "column", "words"],
)
def test_a_log_of_winners_alone_is_judged_as_what_it_is(tmp_path: Path, write: Callable[[str], str]) -> None:
    fair = "".join(random.Random(3).choices("BPT", [4586, 4462, 952], k=20_000))
    assert judged(stored(tmp_path, write(fair))).word.exit_code == 0
    assert judged(stored(tmp_path, write(fair.replace("P", "T", 1000)))).word.exit_code == 1


# ---------------------------------------------------------------- what is damaged


@pytest.mark.parametrize("player", ["K", "K 5"])
@pytest.mark.parametrize("ends", [True, False])
def test_a_last_line_that_does_not_end_is_no_verdict(tmp_path: Path, player: str, ends: bool) -> None:
    """Half a row may look like a wrong one; where its line ends, it is one."""
    rows = [{"hand": number, "banker": "A 2 7", "player": "K 5 9"} for number in range(1, 4)]
    text = delimited(rows) + f"4,A 2,{player}" + "\n" * ends
    told = judged(stored(tmp_path, text), settlement_only=True)
    assert (told.word.exit_code, replay_of(told).cut_line) == ((1, None) if ends else (2, 5))


@pytest.mark.parametrize(("name", "line"), [("latin-1", 6), ("cards", 30)])
def test_nothing_is_converted_where_a_row_cannot_be_read(
    run: Run, tmp_path: Path, name: str, line: int
) -> None:
    """A row that is no text, or one without cards: the first of them is named."""
    ran = run("convert", str(CORPUS / "rows" / f"{name}.csv"), "--out", str(tmp_path / "own.csv"))
    assert (ran.code, ran.out, f"line {line}: " in ran.err) == (2, "", True)
    assert list(tmp_path.iterdir()) == []
