"""Logs of other systems: read as they come, with a word on how, and never between two readings that differ."""

import gzip
import json
import random
import sys
from collections.abc import Callable, Sequence
from fractions import Fraction
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

import polars
import pytest
import zstandard

from combinat import load_game
from combinat.audit.log_map import LogMap, Rounding, parsed_map, plain_name
from combinat.audit.notation import Notation, cards_in, differing, fitting, reads
from combinat.errors import CardError, HandLogError
from combinat.rules.cards import RANKS, Rank
from combinat.rules.round import Round
from combinat.rules.settlement import bet_line
from combinat.rules.table_of_play import Hand
from tests.conftest import Run
from tests.documents import COMMISSION_2013

GAME = ("--game", COMMISSION_2013, "--decks", "8")
Write = Callable[[Sequence[Rank]], str]


def dealt(seed: int, count: int) -> list[Round]:
    """Rounds dealt by the rules."""
    chance, rounds = random.Random(seed), []
    for _ in range(count):
        one = Round()
        while not one.is_over:
            one = one.with_card(chance.choice(RANKS))
        rounds.append(one)
    return rounds


ROUNDS = dealt(1, 60)
SUITS = "SHDC"


def suited(number: int) -> str:
    return SUITS[number % 4]


def short(card: Rank) -> str:
    return "T" if card is Rank.TEN else str(card)


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


def seen(cards: Sequence[Rank], notation: Notation) -> list[str]:
    """Cards as far as a notation tells them apart."""
    return [str(card) if notation.tells_ranks or card.points else "10" for card in cards]


@pytest.mark.parametrize(("notation", "write"), HOW, ids=lambda one: str(one) if isinstance(one, str) else "")
def test_every_notation_reads_what_it_writes(notation: Notation, write: Write) -> None:
    for one in ROUNDS:
        for hand in (one.player, one.banker):
            assert [str(card) for card in cards_in(write(hand), notation)] == seen(hand, notation)


@pytest.mark.parametrize(("notation", "write"), HOW, ids=lambda one: str(one) if isinstance(one, str) else "")
def test_a_notation_is_told_from_the_hands_or_asked_for(notation: Notation, write: Write) -> None:
    """Where another notation reads all the hands too, and otherwise, both are named."""
    hands = [write(hand) for one in ROUNDS for hand in (one.player, one.banker)]
    ways = differing(hands, fitting(hands))
    alike = {
        way
        for way in ways
        if [reads(hand, way) for hand in hands] == [reads(hand, notation) for hand in hands]
    }
    assert len(alike) == 1
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
    with pytest.raises(CardError):
        cards_in(text, notation)


# ---------------------------------------------------------------- whole logs

Log = Callable[[Path], Path]


def row(one: Round, number: int, write: Write = " ".join) -> dict[str, Any]:
    winner = one.outcome.result.winner
    return {
        "Hand No": number + 1,
        "Player Hand": write(one.player),
        "Banker Hand": write(one.banker),
        "Result": {"player": "P", "banker": "B", "tie": "T"}[str(winner)],
        "Player Total": one.points(Hand.PLAYER),
        "Banker Total": one.points(Hand.BANKER),
        "Dealer": "Ann",
    }


def rows_of(write: Write = " ".join) -> list[dict[str, Any]]:
    return [row(one, number, write) for number, one in enumerate(ROUNDS)]


def delimited(rows: Sequence[dict[str, Any]], mark: str, quote: str = "") -> str:
    lines = [[*rows[0]], *([str(cell) for cell in one.values()] for one in rows)]
    return "".join(mark.join(f"{quote}{cell}{quote}" for cell in line) + "\n" for line in lines)


def written(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def as_parquet(folder: Path) -> Path:
    path = folder / "log.parquet"
    polars.DataFrame(rows_of()).with_columns(
        polars.col("Player Hand").str.split(" "), polars.col("Player Total").cast(polars.Float64)
    ).write_parquet(path)
    return path


FILES: dict[str, Log] = {
    "commas": lambda folder: written(folder, "log.csv", delimited(rows_of(), ",")),
    "semicolons in quotes": lambda folder: written(folder, "log.csv", delimited(rows_of(), ";", '"')),
    "tabs": lambda folder: written(folder, "log.tsv", delimited(rows_of(), "\t")),
    "a byte order mark and Windows lines": lambda folder: written(
        folder, "log.txt", "\ufeff" + delimited(rows_of(), "|").replace("\n", "\r\n")
    ),
    "separators within quotes": lambda folder: written(folder, "log.csv", delimited(rows_of(", ".join), ",", '"')),
    "suits": lambda folder: written(folder, "log.csv", delimited(rows_of(CARDS[Notation.RANK_SUIT][1]), ",")),
    "JSON lines": lambda folder: written(folder, "log.jsonl", "\n".join(map(json.dumps, rows_of()))),
    "a JSON list": lambda folder: written(folder, "log.json", json.dumps(rows_of(), indent=1)),
    "JSON with lists and nested keys": lambda folder: written(
        folder,
        "log.json",
        json.dumps([{"round": n, "player": {"cards": one.player}, "banker": {"cards": one.banker}} for n, one in enumerate(ROUNDS)]),
    ),
    "gzip": lambda folder: written(folder, "log.gz", gzip.compress(delimited(rows_of(), ",").encode())),
    "zstd": lambda folder: written(
        folder, "log.zst", zstandard.ZstdCompressor().compress(delimited(rows_of(), ",").encode())
    ),
    "Parquet of lists and floats": as_parquet,
}  # fmt: skip
NESTED = ("--column", "player_cards=player.cards", "--column", "banker_cards=banker.cards")


@pytest.mark.parametrize("how", FILES)
def test_a_foreign_log_is_read_as_it_comes(run: Run, tmp_path: Path, how: str) -> None:
    path = FILES[how](tmp_path)
    ran = run("crosscheck", str(path), *GAME, *(NESTED if "nested" in how else ()), "--format", "json")
    replay = json.loads(ran.out)["replay"]
    assert (replay["rows"], replay["unreadable"], replay["impossible"], replay["misdeclared"]) == (
        60,
        0,
        0,
        0,
    )
    assert replay["read_as"]["player_cards"] in ("Player Hand", "player.cards")
    if "nested" not in how:
        assert replay["declared"] == 180
        assert replay["read_as"]["not looked at"] == "Dealer"


@pytest.mark.parametrize("how", FILES)
def test_a_converted_log_is_the_house_s_own(run: Run, tmp_path: Path, how: str) -> None:
    path, out = FILES[how](tmp_path), tmp_path / "own.csv"
    assert (
        run("convert", str(path), *GAME[:2], *(NESTED if "nested" in how else ()), "--out", str(out)).code
        == 0
    )
    lines = [line.split(",") for line in out.read_text().splitlines() if not line.startswith("#")]
    names = lines[0]
    assert [(line[names.index("player_cards")], line[names.index("banker_cards")]) for line in lines[1:]] == [
        (" ".join(one.player), " ".join(one.banker)) for one in ROUNDS
    ]
    again = json.loads(run("crosscheck", str(out), "--decks", "8", "--format", "json").out)
    assert (again["replay"]["rows"], again["replay"]["unreadable"]) == (60, 0)


def test_a_log_from_standard_input(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = delimited(rows_of(), ";")
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(text.encode())))
    replay = json.loads(run("crosscheck", "-", *GAME, "--format", "json").out)["replay"]
    assert (replay["rows"], replay["unreadable"]) == (60, 0)


def test_points_say_nothing_of_pairs(run: Run, tmp_path: Path) -> None:
    path = written(tmp_path, "log.csv", delimited(rows_of(CARDS[Notation.POINTS][0]), ","))
    judged = json.loads(run("crosscheck", str(path), *GAME, "--format", "json").out)
    assert [bet["id"] for bet in judged["bets"]] == ["player", "banker", "tie"]
    assert not [test for test in judged["tests"] if test["kind"] == "cards"]
    paired = path.read_text().replace("Dealer", "net:player-pair").replace("Ann", "-1")
    ran = run("crosscheck", str(written(tmp_path, "pair.csv", paired)), *GAME)
    assert (ran.code, ran.out) == (2, "")
    assert "player-pair is settled by ranks" in ran.err


def test_cards_in_columns_of_their_own(run: Run, tmp_path: Path) -> None:
    names = "id,P1,P2,P3,B1,B2,B3\n"
    for none in ("", "-", "0", "null"):
        body = "".join(
            ",".join([str(number), *(str(RANKS.index(hand[at]) + 1) if at < len(hand) else none
                                     for hand in (one.player, one.banker) for at in range(3))]) + "\n"
            for number, one in enumerate(ROUNDS)
        )  # fmt: skip
        path = written(tmp_path, "log.csv", names + body)
        ran = run("crosscheck", str(path), *GAME, "--column", "round=id", "--format", "json")
        replay = json.loads(ran.out)["replay"]
        assert (replay["rows"], replay["unreadable"], replay["impossible"]) == (60, 0, 0), none
        assert replay["read_as"]["player_cards"] == "P1 + P2 + P3"


def test_two_readings_that_differ_are_named_and_not_chosen_from(run: Run, tmp_path: Path) -> None:
    path = written(tmp_path, "log.csv", delimited(rows_of(CARDS[Notation.INDEX][0]), ","))
    ran = run("crosscheck", str(path), *GAME)
    assert (ran.code, ran.out) == (2, "")
    assert "the cards can be read in" in ran.err
    assert "0-51 (" in ran.err
    assert "0-51-by-rank (" in ran.err
    assert ran.err.rstrip().endswith("say which is meant, with --cards-as NOTATION")
    replay = json.loads(run("crosscheck", str(path), *GAME, "--cards-as", "0-51", "--format", "json").out)[
        "replay"
    ]
    assert (replay["unreadable"], replay["impossible"]) == (0, 0)


def test_a_notation_that_reads_some_hands_only_is_not_taken(run: Run, tmp_path: Path) -> None:
    """Else the others would be left out, and what is left be held against the dealer."""
    rows = [
        {
            "hand": number,
            "player_cards": " ".join(f"{short(card)}S" for card in one.player),
            "banker_cards": " ".join(f"{short(card)}{'H' if number % 2 else '?'}" for card in one.banker),
        }
        for number, one in enumerate(ROUNDS, 1)
    ]
    ran = run("crosscheck", str(written(tmp_path, "log.csv", delimited(rows, ","))), *GAME)
    assert (ran.code, ran.out) == (2, "")
    assert "can be read as rank-suit" in ran.err
    assert "cannot; say how cards are written, with --cards-as NOTATION" in ran.err


def test_rows_that_are_left_out_are_not_held_against_the_others(run: Run, tmp_path: Path) -> None:
    """A log of which every row with a tie has a hand that cannot be read is no log without ties."""
    rows = [(" ".join(one.player), " ".join(one.banker)) for one in dealt(5, 2000)]
    text = "round,player_cards,banker_cards\n" + "".join(
        f"{number},{player.replace('10', '1O')},{banker}\n" for number, (player, banker) in enumerate(rows, 1)
    )
    ran = run("crosscheck", str(written(tmp_path, "log.csv", text)), *GAME, "--format", "json")
    said = json.loads(ran.out)
    assert ran.code == 2
    assert any(
        "is off beyond chance, which rows that were left out may explain" in why for why in said["reasons"]
    )


def test_a_column_that_is_not_known_is_asked_about(run: Run, tmp_path: Path) -> None:
    path = written(tmp_path, "log.csv", delimited([one | {"Zeal": 1} for one in rows_of()], ","))
    ran = run("crosscheck", str(path), *GAME)
    assert (ran.code, ran.out) == (2, "")
    assert 'it is not known what "Zeal" says; map it' in ran.err
    assert run("crosscheck", str(path), *GAME, "--ignore", "Zeal").err == ""
    assert run("crosscheck", str(path), *GAME, "--ignore", "others").err == ""


def test_columns_of_money_on_a_bet_are_asked_about_by_what_they_may_say(run: Run, tmp_path: Path) -> None:
    strange = {"Zeal": 1, "Banker Bet": 100, "Banker Paid": 0}
    path = written(tmp_path, "log.csv", delimited([one | strange for one in rows_of()], ","))
    ran = run("crosscheck", str(path), *GAME)
    assert 'what "Zeal", "Banker Bet", "Banker Paid" say (is "Banker Bet" stake:banker?); map them' in ran.err


def test_what_is_declared_is_held_against_the_cards(run: Run, tmp_path: Path) -> None:
    rows = rows_of()
    truth = rows[7]["Result"]
    rows[7]["Result"] = "B" if truth != "B" else "P"
    rows[9]["Player Total"] = (int(rows[9]["Player Total"]) + 1) % 10
    path = written(tmp_path, "log.csv", delimited(rows, ","))
    ran = run("crosscheck", str(path), *GAME, "--format", "json")
    judged = json.loads(ran.out)
    assert (ran.code, judged["replay"]["misdeclared"]) == (1, 2)
    assert [fault["line"] for fault in judged["replay"]["first_misdeclared"]] == [9, 11]
    assert judged["reasons"][0] == "2 rows declared otherwise than the cards"


# ---------------------------------------------------------------- money


def staked(unit: str = "", rounding: Rounding | None = None) -> list[dict[str, Any]]:
    """Stakes of 0.39 on Banker, paid exactly or in chips, as a German spreadsheet writes them."""
    bet = load_game(COMMISSION_2013).bet("banker")
    rows = []
    for one, written_row in zip(ROUNDS, rows_of(), strict=True):
        net = bet_line(bet, Fraction(1), one).net
        won = Fraction("1234.39") * net
        if rounding is not None and net > 0:
            won = rounding.rounded(won, Fraction(unit))
        back = Fraction("1234.39") + won
        text = f"{int(back):,}".replace(",", ".") + f",{int(back * 10000) % 10000:04}"
        rows.append(written_row | {"Stake Banker": "€ 1.234,39", "Paid Banker": f"€ {text}"})
    return rows


EUROPEAN = ("--decimal", ",", "--thousands", ".")


def test_amounts_are_read_as_they_are_written_elsewhere(run: Run, tmp_path: Path) -> None:
    path = written(tmp_path, "log.csv", delimited(staked(), ";"))
    replay = json.loads(run("crosscheck", str(path), *GAME, *EUROPEAN, "--format", "json").out)["replay"]
    assert (replay["unreadable"], replay["wrong"]) == (0, 0)
    assert [total["rows"] for total in replay["totals"]] == [60]
    asked = run("crosscheck", str(path), *GAME)
    assert (asked.code, asked.err) == (
        2,
        f'combinat: {path}: the amount "€ 1.234,39" of the column "Stake Banker" has a comma; say whether it is the decimal '
        "mark or groups thousands, with --decimal MARK and --thousands MARK\n",
    )


@pytest.mark.parametrize("rounding", Rounding)
def test_payouts_in_chips_are_right_by_their_own_rule_and_wrong_by_another(
    run: Run, tmp_path: Path, rounding: Rounding
) -> None:
    path = written(tmp_path, "log.csv", delimited(staked("0.01", rounding), ";"))
    wins = sum(one.outcome.result.winner == "banker" for one in ROUNDS)
    for other in Rounding:
        ran = run(
            "crosscheck",
            str(path),
            *GAME,
            *EUROPEAN,
            "--unit",
            "0.01",
            "--rounding",
            other,
            "--format",
            "json",
        )
        same = other.rounded(Fraction("1172.6705"), Fraction("0.01")) == rounding.rounded(
            Fraction("1172.6705"), Fraction("0.01")
        )
        assert json.loads(ran.out)["replay"]["wrong"] == (0 if same else wins)


def test_a_row_a_wager(run: Run, tmp_path: Path) -> None:
    """Several players bet on one round: it counts once, and each wager is settled."""
    game, rows = load_game(COMMISSION_2013), []
    for number, one in enumerate(ROUNDS):
        for player, bet in (("Ann", "Player"), ("Bob", "Banker"), ("Ann", "Player Pair")):
            subject = {"Player": "player", "Banker": "banker", "Player Pair": "player-pair"}[bet]
            net = bet_line(game.bet(subject), Fraction(1), one).net
            rows.append({
                "table": "T1", "shoe": "S1", "round": number, "player": player, "bet": bet,
                "player_cards": " ".join(one.player), "banker_cards": " ".join(one.banker),
                "stake": 100, "profit": int(100 * net),
            })  # fmt: skip
    path = written(tmp_path, "log.csv", delimited(rows, ","))
    shoe = ("--game", COMMISSION_2013, "--decks", "99")
    judged = json.loads(run("crosscheck", str(path), *shoe, "--settlement-only", "--format", "json").out)
    replay = judged["replay"]
    assert (replay["rows"], replay["unreadable"], replay["wrong"]) == (180, 0, 0)
    assert {total["column"]: total["rows"] for total in replay["totals"] if total["rows"]} == {
        "payout:player": 60, "payout:banker": 60, "payout:player-pair": 60,
    }  # fmt: skip
    rows[4]["profit"] = 12345
    rows[10]["player_cards"] = "K 9"
    rows[10]["banker_cards"] = "K 8"
    broken = json.loads(
        run(
            "crosscheck",
            str(written(tmp_path, "bad.csv", delimited(rows, ","))),
            *shoe,
            "--settlement-only",
            "--format",
            "json",
        ).out
    )["replay"]
    assert (broken["wrong"], broken["unreadable"], broken["repeated"]) == (1, 0, 1)
    assert "given again with other cards" in broken["first_repeated"][0]["message"]


def test_tables_that_take_turns_have_shoes_of_their_own(run: Run, tmp_path: Path) -> None:
    """Each shoe of one deck holds out by itself; taken for one shoe, the same rows are impossible."""
    deals = [("9 K", "7 Q"), ("9 Q", "7 K"), ("9 J", "7 J"), ("9 10", "7 10")]
    rows = [
        {"table": table, "shoe": f"x{table}", "hand": number, "player": player, "banker": banker}
        for number, (player, banker) in enumerate(deals, 1)
        for table in "ABC"
    ]
    args = ("--game", COMMISSION_2013, "--decks", "1", "--settlement-only", "--format", "json")
    apart = json.loads(run("crosscheck", str(written(tmp_path, "log.csv", delimited(rows, ","))), *args).out)[
        "replay"
    ]
    assert (apart["tables"], apart["impossible"], apart["unreadable"]) == (3, 0, 0)
    together = [{key: value for key, value in one.items() if key != "table"} | {"shoe": "1"} for one in rows]
    path = written(tmp_path, "one.csv", delimited(together, ","))
    assert json.loads(run("crosscheck", str(path), *args).out)["replay"]["impossible"] > 0


def test_shoes_begin_where_the_numbers_begin_again(run: Run, tmp_path: Path) -> None:
    rows = [{"hand": number % 4 + 1, "player": "9 K", "banker": "7 Q"} for number in range(12)]
    path = written(tmp_path, "log.csv", delimited(rows, ","))
    args = ("--game", COMMISSION_2013, "--decks", "1", "--settlement-only", "--format", "json")
    judged = json.loads(run("crosscheck", str(path), *args, "--shoes", "restart").out)
    assert (judged["dealing"], judged["replay"]["impossible"]) == ("shoes", 0)
    asked = run("crosscheck", str(path), *args)
    assert (asked.code, asked.out) == (2, "")
    assert asked.err == (
        f"combinat: {path}, line 6: the round 1 comes after 4, and no column names shoes; say whether a new shoe begins "
        "there, or each round is from a fresh shuffle, with --shoes restart or --shoes none\n"
    )
    newest_first = written(tmp_path, "last.csv", delimited(rows[:4][::-1], ","))
    assert (
        "line 3: the round 3 comes after 4, and most rows after a higher one; put the rows in the order"
        in (run("crosscheck", str(newest_first), *args).err)
    )
    afresh = json.loads(run("crosscheck", str(path), *args, "--shoes", "none").out)
    assert afresh["dealing"] == "independent"
    in_own_columns = path.read_text().replace("hand,player,banker", "round,player_cards,banker_cards")
    own = written(tmp_path, "own.csv", in_own_columns)
    assert json.loads(run("crosscheck", str(own), *args, "--shoes", "restart").out)["dealing"] == "shoes"


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
def test_a_log_of_winners_alone_is_judged_as_what_it_is(
    run: Run, tmp_path: Path, write: Callable[[str], str]
) -> None:
    chance = random.Random(3)
    fair = "".join(chance.choices("BPT", [4586, 4462, 952], k=20_000))
    ran = run("crosscheck", str(written(tmp_path, "log.txt", write(fair))), *GAME)
    assert ran.code == 0
    assert "Three frequencies show little" in " ".join(ran.out.split())
    tied = fair.replace("P", "T", 1000)
    assert run("crosscheck", str(written(tmp_path, "tied.txt", write(tied))), *GAME).code == 1


# ---------------------------------------------------------------- maps


def test_a_map_says_what_options_say(run: Run, tmp_path: Path) -> None:
    path = written(tmp_path, "log.csv", delimited(staked("0.01", Rounding.DOWN), ";"))
    said = written(
        tmp_path,
        "map.toml",
        f'game = "{COMMISSION_2013}"\ndecks = 8\ndecimal = ","\nthousands = "."\nunit = "0.01"\nrounding = "down"\n'
        'cards-as = "rank"\nignore = ["Dealer"]\n[columns]\nround = "Hand No"\nplayer_cards = "Player Hand"\n'
        '"stake:banker" = "Stake Banker"\n"payout:banker" = "Paid Banker"\n',
    )
    replay = json.loads(run("crosscheck", str(path), "--map", str(said), "--format", "json").out)["replay"]
    assert (replay["unreadable"], replay["wrong"], replay["rows"]) == (0, 0, 60)


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        ({"colums": {}}, 'm: unknown key "colums"; did you mean columns?'),
        ({"columns": {"rund": "x"}}, 'm: columns: found "rund"; did you mean round?'),
        ({"columns": {"round": ["a", "b"]}}, "m: columns: round: found 2 columns; name one, or of the cards of a hand two or three"),
        ({"cards-as": "suits"}, 'm: cards-as: found "suits"; write one of ' + ", ".join(Notation)),
        ({"decimal": "ab"}, 'm: decimal: found "ab"; write one character, such as ;'),
        ({"unit": "0", "rounding": "down"}, 'm: unit: found "0"; write the smallest amount paid, such as 0.01'),
        ({"unit": "1"}, "m: rounding is missing; give unit and rounding together"),
        ({"ignore": "all"}, 'm: ignore: found "all"; write a list of columns, or "others" for all that are not named'),
        ({"decks": 0}, "m: decks: found 0; write a whole number from 1 on"),
        ({"scale": "2"}, "m: Expected `int | null`, got `str` - at `$.scale`"),
    ],
)  # fmt: skip
def test_a_map_that_cannot_be_meant_is_refused(raw: dict[str, Any], message: str) -> None:
    with pytest.raises(HandLogError) as refused:
        parsed_map(raw, "m")
    assert str(refused.value) == message


def test_what_one_map_says_goes_before_another() -> None:
    first = LogMap(columns={"round": ("a",)}, decimal=",", ignore=("x",))
    second = LogMap(columns={"round": ("b",), "shoe": ("s",)}, decks=8, ignore=("y",))
    both = first.over(second)
    assert (both.columns, both.decimal, both.decks, both.ignore) == (
        {"round": ("a",), "shoe": ("s",)}, ",", 8, ("y", "x"),
    )  # fmt: skip


def test_names_are_compared_by_their_words() -> None:
    assert [plain_name(name) for name in ("playerCard1", "Player-Card 1", "PLAYER_CARD_1")] == [
        "player_card_1"
    ] * 3


# ---------------------------------------------------------------- what is damaged


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (gzip.compress(delimited(rows_of(), ",").encode())[:-20], "cannot be read to its end"),
        (
            zstandard.ZstdCompressor().compress(delimited(rows_of(), ",").encode())[:-4],
            "the compressed file is cut",
        ),
        (json.dumps(rows_of())[:-40], "the list does not end; the file is cut"),
        (delimited(rows_of(), ",").replace("Ann", "Zoë", 1).encode("latin-1"), "1 unreadable row"),
        ("Hand No,Player Hand,Banker Hand\n" + "x" * 2**21, "longer than 65536 bytes"),
    ],
    ids=["gzip", "zstd", "JSON", "another encoding", "no lines"],
)
def test_what_is_damaged_is_never_half_judged(
    run: Run, tmp_path: Path, content: str | bytes, message: str
) -> None:
    ran = run("crosscheck", str(written(tmp_path, "log", content)), *GAME)
    assert ran.code == 2
    assert message in ran.out + ran.err


@pytest.mark.parametrize("player", ["K", "K 5"])
@pytest.mark.parametrize("ends", [True, False])
def test_a_last_line_that_does_not_end_is_no_verdict(
    run: Run, tmp_path: Path, player: str, ends: bool
) -> None:
    """Half a row may look like a wrong one; where its line ends, it is one."""
    rows = [{"hand": number, "banker": "A 2 7", "player": "K 5 9"} for number in range(1, 4)]
    text = delimited(rows, ",") + f"4,A 2,{player}" + "\n" * ends
    ran = run("crosscheck", str(written(tmp_path, "log.csv", text)), *GAME, "--settlement-only")
    assert ran.code == (1 if ends else 2)
    assert (
        "line 5, the last, does not end and is what is wrong: the file may be cut there" in ran.out
    ) != ends


def test_nothing_is_converted_where_a_row_cannot_be_read(run: Run, tmp_path: Path) -> None:
    rows = rows_of()
    rows[3]["Player Hand"] = "K ?"
    out = tmp_path / "own.csv"
    ran = run(
        "convert", str(written(tmp_path, "log.csv", delimited(rows, ","))), *GAME[:2], "--out", str(out)
    )
    assert (ran.code, out.exists()) == (2, False)
    assert "line 5" in ran.err
    assert "1 of 60 rows cannot be read; nothing was written" in ran.err
