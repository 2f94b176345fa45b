"""The replay of hand logs: every row against ``settle``, every deal against the Table of Play and the shoe."""

import random
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import polars
import pytest

from combinat import Game, Shoe, load_game
from combinat.analysis.verdict import RowFault, WrongSettlement
from combinat.audit import dealt_rows, declared, noted, numbering, replay, settlements
from combinat.audit import rows as log_rows
from combinat.audit.hand_log import open_log
from combinat.audit.replay import Replay
from combinat.audit.source import Source
from combinat.cli import main
from combinat.errors import HandLogError, StakeError
from combinat.rules.cards import RANKS, Rank, format_cards, parse_cards
from combinat.rules.insurance import Insured
from combinat.rules.money import format_money, parse_net
from combinat.rules.round import Round, Stage, finished_round
from combinat.rules.settlement import Line, settle
from combinat.rules.table_of_play import Hand
from tests.documents import COMMISSION_2013, GAMES, INSURANCE

LOADED = cache(load_game)
INSURED = [game for game in GAMES if INSURANCE[game]]

Rows = Sequence[Mapping[str, str]]


@pytest.fixture(autouse=True)
def all_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every fault is kept, not the first ten."""
    for module in (dealt_rows, declared, noted, numbering, replay, settlements):
        monkeypatch.setattr(module, "SHOWN", 10**6)


def replayed(source: Path | bytes) -> Replay:
    log = open_log(Source.at(source) if isinstance(source, Path) else Source.of("log.csv", source))
    game, shoe = LOADED(log.head["game"]), log.shoe()
    assert shoe is not None
    log_replay = Replay(game, shoe, log.columns(game), log.cut_card(shoe, None))
    log_replay.add_all(log.batches(lambda done: None))
    return log_replay


def holds(log_replay: Replay) -> bool:
    return log_replay.record("line").holds


def as_text(rows: Rows, game_id: str = COMMISSION_2013, shoe: str = "decks: 8") -> str:
    """A log of these rows, numbered from 1 where they do not say otherwise; the first is on line 4."""
    names = ["round", *dict.fromkeys(name for row in rows for name in row if name != "round")]
    lines = [
        ",".join(row.get(name, str(number) if name == "round" else "") for name in names)
        for number, row in enumerate(rows, 1)
    ]
    return "\n".join([f"# game: {game_id}", f"# {shoe}", ",".join(names), *lines]) + "\n"


def replay_of(rows: Rows, game_id: str = COMMISSION_2013, shoe: str = "decks: 8") -> Replay:
    return replayed(as_text(rows, game_id, shoe).encode())


FIRST_LINE = 4


# ---------------------------------------------------------------- the same as settle


def rounds_at_random(seed: int, count: int) -> list[Round]:
    chance, rounds = random.Random(seed), []
    for _ in range(count):
        dealt = Round()
        while not dealt.is_over:
            dealt = dealt.with_card(chance.choice(RANKS))
        rounds.append(dealt)
    return rounds


def subjects(game: Game) -> list[str]:
    return [*(bet.id for bet in game.bets), *(f"{one.side}@{one.stage}" for one in game.insurance)]


PLENTY = Fraction(10**12)


def by_settle(game: Game, dealt: Round, subject: str, stake: Fraction) -> Line | None:
    """What ``settle`` makes of a stake; None: it was not on offer."""
    if "@" not in subject:
        return settle(game, dealt, {subject: stake}).lines[0]
    side, stage = subject.split("@")
    insured = {Insured(Hand(side), Stage(stage)): stake}
    try:
        return settle(game, dealt, {side: PLENTY}, insured, table_maximum=PLENTY).lines[1]
    except StakeError as refusal:
        if not re.search("not on offer|nothing was offered", str(refusal)):
            raise
        return None


def hands(dealt: Round) -> dict[str, str]:
    return {"player_cards": format_cards(dealt.player), "banker_cards": format_cards(dealt.banker)}


def clause_of(game: Game, subject: str, line: Line | None) -> str:
    """The clause of a settlement; of insurance that was not on offer, that of its table."""
    if line is not None:
        return line.clause
    side, stage = subject.split("@")
    table = game.insurance_table(Hand(side), Stage(stage))
    assert table is not None
    return table.settled


def is_by_line(wrong: WrongSettlement) -> tuple[int, str]:
    return wrong.line, wrong.bet


@pytest.mark.parametrize("game_id", GAMES)
def test_net_results_that_settle_gives_are_right(game_id: str) -> None:
    """However they are written, and with blanks where nothing was placed or on offer."""
    game, chance = LOADED(game_id), random.Random(1)
    rows, totals = [], {f"net:{subject}": (0, Fraction(0)) for subject in subjects(game)}
    for dealt in rounds_at_random(2, 100):
        row = hands(dealt)
        for subject in subjects(game):
            line = by_settle(game, dealt, subject, Fraction(1))
            if line is not None and chance.random() < 0.8:
                ways = [format_money(line.net), str(line.net), f" {line.net} "]
                row[f"net:{subject}"] = chance.choice(ways)
                number, total = totals[f"net:{subject}"]
                totals[f"net:{subject}"] = number + 1, total + line.net
        rows.append(row)
    log_replay = replay_of(rows, game_id)
    assert (
        log_replay.noted.rows,
        log_replay.noted.unreadable,
        log_replay.noted.impossible,
        log_replay.noted.wrong,
    ) == (100, 0, 0, 0)
    assert holds(log_replay)
    assert {
        str(column): (one.rows, one.recorded) for column, one in log_replay.settlements.totals.items()
    } == {name: total for name, total in totals.items() if total[0]}
    assert all(one.recorded == one.due for one in log_replay.settlements.totals.values())
    assert log_replay.tally.rounds == 100


@pytest.mark.parametrize("game_id", GAMES)
def test_any_other_net_result_is_wrong_and_due_is_what_settle_gives(game_id: str) -> None:
    """Also insurance that was not on offer, whatever is recorded for it."""
    game, chance = LOADED(game_id), random.Random(3)
    others = ["-1", "0", "1", "0.95", "0.5", "8", "11", "1.5", "2", "4", "10", "-2", "0.949999999", "19/21"]
    rows, expected = [], []
    for number, dealt in enumerate(rounds_at_random(4, 60)):
        row = hands(dealt)
        for subject in subjects(game):
            line = by_settle(game, dealt, subject, Fraction(1))
            paid = chance.choice([one for one in others if line is None or Fraction(one) != line.net])
            row[f"net:{subject}"] = paid
            expected.append(
                WrongSettlement(
                    line=FIRST_LINE + number,
                    round=str(number + 1),
                    cards=f"Player {row['player_cards']}, Banker {row['banker_cards']}",
                    bet=subject,
                    column="net",
                    paid=paid,
                    due="not on offer" if line is None else format_money(line.net),
                    clause=clause_of(game, subject, line),
                )
            )
        rows.append(row)
    log_replay = replay_of(rows, game_id)
    assert sorted(log_replay.noted.first_wrong, key=is_by_line) == sorted(expected, key=is_by_line)
    assert log_replay.noted.wrong == len(expected) == 60 * len(subjects(game))
    assert (
        {one.rows for one in log_replay.settlements.totals.values()}
        == {one.wrong for one in log_replay.settlements.totals.values()}
        == {60}
    )
    assert (log_replay.noted.unreadable, log_replay.noted.impossible, holds(log_replay)) == (0, 0, False)


STAKES = ["100", "0.01", "12.50", "7", "1000000", "33.33"]


@pytest.mark.parametrize("game_id", GAMES)
def test_payouts_are_the_stake_and_what_settle_gives(game_id: str) -> None:
    """Every second payout is off by a cent, or is the winnings without the stake."""
    game, chance = LOADED(game_id), random.Random(5)
    rows: list[dict[str, str]] = []
    expected: list[tuple[Any, ...]] = []
    placed = 0
    for number, dealt in enumerate(rounds_at_random(6, 60)):
        row = hands(dealt)
        for subject in subjects(game):
            stake = chance.choice(STAKES)
            line = by_settle(game, dealt, subject, Fraction(stake))
            if chance.random() < 0.3 and number:  # the first row names all columns
                continue
            due = Fraction(0) if line is None else Fraction(stake) + line.net
            paid = due
            if chance.random() < 0.5:
                paid = chance.choice(
                    [due + Fraction(1, 100), due + Fraction(stake), abs(due - Fraction(stake))]
                )
            row |= {f"stake:{subject}": stake, f"payout:{subject}": format_money(paid)}
            placed += 1
            if line is None or paid != due:
                shown = "not on offer" if line is None else format_money(due)
                clause = clause_of(game, subject, line)
                expected.append((FIRST_LINE + number, subject, "payout", format_money(paid), shown, clause))
        rows.append(row)
    log_replay = replay_of(rows, game_id)
    assert sorted(
        (w.line, w.bet, w.column, w.paid, w.due, w.clause) for w in log_replay.noted.first_wrong
    ) == sorted(expected)
    assert (log_replay.noted.wrong, log_replay.noted.unreadable, log_replay.noted.impossible) == (
        len(expected),
        0,
        0,
    )
    assert 60 < len(expected) < placed == sum(one.rows for one in log_replay.settlements.totals.values())


@pytest.mark.parametrize("game_id", INSURED)
def test_insurance_at_both_stages_is_among_those_rounds(game_id: str) -> None:
    """Taken and not on offer, won, lost and returned: else the tests above would say little."""
    game = LOADED(game_id)
    for one in game.insurance:
        subject = f"{one.side}@{one.stage}"
        lines = [by_settle(game, dealt, subject, Fraction(1)) for dealt in rounds_at_random(2, 100)]
        assert {line.result if line else None for line in lines} >= {"won", "lost", None}


def test_a_net_result_may_be_written_in_many_ways() -> None:
    ways = ["0.95", "19/20", "0.950", "00.95", "0.950000000", "38/40", " 0.95"]
    rows = [{"player_cards": "K 2 2", "banker_cards": "K 7", "net:banker": way} for way in ways]
    assert holds(replay_of(rows))
    assert holds(replay_of([one | {"net:tie": "-1", "net:player": "-1/1"} for one in rows]))


def test_cards_may_be_written_in_many_ways() -> None:
    ways = ["10 9", " 10  9 ", "10 9 "]
    rows = [{"player_cards": way, "banker_cards": "q 2", "net:player": "1"} for way in ways]
    assert holds(replay_of(rows))
    log_replay = replay_of([rows[1] | {"net:player": "-1"}])
    assert log_replay.noted.first_wrong == [
        WrongSettlement(
            line=4,
            round="1",
            cards="Player  10  9 , Banker q 2",
            bet="player",
            column="net",
            paid="-1",
            due="1",
            clause="4.1.2",
        )
    ]


# ---------------------------------------------------------------- placed, or not

NATURAL = {"player_cards": "K 9", "banker_cards": "K 8"}  # the Player wins, and no insurance is open
OPEN = {"player_cards": "K 6", "banker_cards": "K 2 3"}  # Player Insurance is open after four cards


@pytest.mark.parametrize(
    ("deal", "bet", "stake", "payout", "paid", "due"),
    [
        (NATURAL, "player", "", "", None, None),
        (NATURAL, "player", "100", "200", None, None),
        (NATURAL, "player", "100", "100", "100", "200"),
        (NATURAL, "player", "100", "", "nothing", "200"),
        (NATURAL, "player", "", "200", "200", "no stake"),
        (NATURAL, "player", "", "0", "0", "no stake"),
        (NATURAL, "player", "100", "200.000000001", "200.000000001", "200"),
        (NATURAL, "banker", "100", "0", None, None),
        (NATURAL, "banker", "100", "", "nothing", "0"),
        (NATURAL, "banker", "", "100", "100", "no stake"),
        (OPEN, "player@four-cards", "100", "0", None, None),
        (OPEN, "player@four-cards", "", "", None, None),
        (OPEN, "player@four-cards", "100", "400", "400", "0"),
        (NATURAL, "player@four-cards", "", "", None, None),
        (NATURAL, "player@four-cards", "100", "0", "0", "not on offer"),
        (NATURAL, "player@four-cards", "100", "100", "100", "not on offer"),
        (NATURAL, "player@four-cards", "100", "", "nothing", "not on offer"),
        (NATURAL, "player@four-cards", "", "100", "100", "not on offer"),
    ],
)
def test_a_stake_goes_with_its_payout(
    deal: dict[str, str], bet: str, stake: str, payout: str, paid: str | None, due: str | None
) -> None:
    log_replay = replay_of([deal | {f"stake:{bet}": stake, f"payout:{bet}": payout}])
    assert [(one.paid, one.due) for one in log_replay.noted.first_wrong] == (
        [] if due is None else [(paid, due)]
    )
    (total,) = log_replay.settlements.totals.values()
    assert total.rows == (1 if stake or payout else 0)
    assert total.wrong == log_replay.noted.wrong == (0 if due is None else 1)
    assert total.recorded == Fraction(payout or 0)
    assert total.due == (Fraction(payout or 0) if due is None else Fraction(due) if due.isdigit() else 0)


def test_net_results_and_money_may_stand_side_by_side() -> None:
    row = NATURAL | {"net:player": "1", "stake:player": "5", "payout:player": "9"}
    log_replay = replay_of([row])
    assert [(one.column, one.paid, one.due) for one in log_replay.noted.first_wrong] == [
        ("payout", "9", "10")
    ]
    assert {str(column): one.wrong for column, one in log_replay.settlements.totals.items()} == {
        "net:player": 0,
        "payout:player": 1,
    }


def test_insurance_that_was_not_on_offer_is_wrong_whatever_it_paid() -> None:
    for net in ("-1", "0", "4"):
        log_replay = replay_of([NATURAL | {"net:banker@player-third-card": net}])
        assert [(one.paid, one.due, one.clause) for one in log_replay.noted.first_wrong] == [
            (net, "not on offer", "4.1.3")
        ]


def test_the_first_ten_are_shown_and_all_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    rows = [
        NATURAL | {"net:player": "-1", "net:tie": "8"},
        {"player_cards": "K", "banker_cards": "K"},
        NATURAL | {"net:player": "?"},
    ] * 25
    log_replay = replay_of(rows)
    assert (log_replay.noted.wrong, log_replay.noted.impossible, log_replay.noted.unreadable) == (50, 25, 25)
    assert [one.line for one in log_replay.noted.first_wrong] == [
        line for start in range(5) for line in [4 + 3 * start] * 2
    ]
    assert [one.line for one in log_replay.noted.first_impossible] == [5 + 3 * start for start in range(10)]
    assert [one.line for one in log_replay.noted.first_unreadable] == [6 + 3 * start for start in range(10)]


# ---------------------------------------------------------------- found among many


FEW_RANKS = "4=60 6=60 9=60 K=60"


@pytest.fixture(scope="module")
def many_rows(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Twenty thousand rounds by ``combinat simulate``, of few ranks and so of few cells."""
    path = tmp_path_factory.mktemp("many") / "log.csv"
    words = ["simulate", COMMISSION_2013, "--rounds", "20000", "--cards", FEW_RANKS, "--out", str(path)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["combinat", *words])
        with pytest.raises(SystemExit):
            main()
    return path.read_bytes()


def test_wrong_payouts_among_many_are_found_to_the_line(tmp_path: Path, many_rows: bytes) -> None:
    chance, lines = random.Random(7), many_rows.decode().splitlines()
    hidden = []
    names = lines[3].split(",")
    for place in sorted(chance.sample(range(4, len(lines)), 40)):
        cells = lines[place].split(",")
        column = chance.choice([number for number in range(3, len(names)) if cells[number]])
        cells[column] = chance.choice(
            [net for net in ("-1", "0", "1", "0.95", "8", "11") if net != cells[column]]
        )
        lines[place] = ",".join(cells)
        hidden.append((place + 1, names[column], cells[column]))
    log_replay = replayed(("\n".join(lines) + "\n").encode())
    assert [(one.line, f"{one.column}:{one.bet}", one.paid) for one in log_replay.noted.first_wrong] == hidden
    assert (
        log_replay.noted.rows,
        log_replay.noted.wrong,
        log_replay.noted.impossible,
        log_replay.noted.unreadable,
    ) == (
        20_000,
        40,
        0,
        0,
    )


# ---------------------------------------------------------------- deals that cannot be


AGAINST_THE_RULES = [
    ("K 2", "K 7", "Player Hand: a third card is missing: Player has 2, so it draws (3.7)"),
    ("K 6", "K 5", "Banker Hand: a third card is missing: Banker has 5 and Player stood, so it draws (3.6)"),
    (
        "K 5 6", "K 6",
        "Banker Hand: a third card is missing: Banker has 6 and the Player's third card is worth 6, so it draws (3.7)",
    ),
    (
        "K 6 A", "K 7",
        "Player Hand: the third card A is against the Table of Play: Player has 6, so it stands (3.7)",
    ),
    (
        "K 9 A", "K 2",
        "Player Hand: the third card A is against the Table of Play: a natural ends the round (Player 9, Banker 2), so it stands (3.7)",
    ),
    (
        "K 2", "K 9 A",
        "Banker Hand: the third card A is against the Table of Play: a natural ends the round (Player 2, Banker 9), so it stands (3.7)",
    ),
    (
        "K 5 8", "K 3 A",
        "Banker Hand: the third card A is against the Table of Play: Banker has 3 and the Player's third card is worth 8, so it stands (3.7)",
    ),
    (
        "K 7", "K 6 2",
        "Banker Hand: the third card 2 is against the Table of Play: Banker has 6 and Player stood, so it stands (3.6)",
    ),
    ("K", "K 9", "Player Hand: found 1 card; a finished hand has two or three"),
    ("K 9", "K 2 3 4", "Banker Hand: found 4 cards; a finished hand has two or three"),
]  # fmt: skip


def test_deals_against_the_rules_are_named() -> None:
    """Nothing is settled in them and they count as no rounds; the rows around them do."""
    good, rows = NATURAL | {"net:player": "1"}, []
    for player, banker, _ in AGAINST_THE_RULES:
        rows += [good, {"player_cards": player, "banker_cards": banker, "net:player": "7"}]
    log_replay = replay_of(rows)
    assert log_replay.noted.first_impossible == [
        RowFault(
            line=FIRST_LINE + 2 * number + 1,
            round=str(2 * number + 2),
            cards=f"Player {player or 'nothing'}, Banker {banker or 'nothing'}",
            message=message,
        )
        for number, (player, banker, message) in enumerate(AGAINST_THE_RULES)
    ]
    bad = len(AGAINST_THE_RULES)
    assert (log_replay.noted.rows, log_replay.noted.impossible) == (2 * bad, bad)
    assert (log_replay.noted.wrong, log_replay.noted.unreadable, holds(log_replay)) == (0, 0, False)
    assert (log_replay.tally.rounds, next(iter(log_replay.settlements.totals.values())).rows) == (bad, bad)


NONE_OF = "is none of ranks, such as K 5 10 or K5T"
UNREAD = [
    ("", "K 9", "Player Hand: found no cards"),
    ("", "", "Player Hand: found no cards; Banker Hand: found no cards"),
    ("K X", "K 9", f'Player Hand: card "X" {NONE_OF}'),
    ("K 9", "14 9", f'Banker Hand: card "14" {NONE_OF}'),
    ("13 9", "K 2 3", f'Player Hand: card "13" {NONE_OF}; it looks like numbers 1 to 13, 1 an Ace and 13 a King'),
    ("Kh 9d", "K 2 3", f'Player Hand: card "Kh" {NONE_OF}; it looks like rank and suit, such as KS 5H TD'),
]  # fmt: skip


def test_cards_that_cannot_be_read_are_no_impossible_deals() -> None:
    good = NATURAL | {"net:player": "1"}
    unread = [{"player_cards": player, "banker_cards": banker} for player, banker, _ in UNREAD]
    log_replay = replay_of([*[good] * 20, *unread])
    assert (log_replay.noted.impossible, log_replay.noted.unreadable) == (0, len(UNREAD))
    assert [one.message for one in log_replay.noted.first_unreadable] == [message for *_, message in UNREAD]
    assert log_replay.tally.rounds == 20


@pytest.mark.parametrize("cards", ["K 9", "k,9", "K9", "K-9", "K|9", "[K, 9]"])
def test_ranks_are_read_with_any_separator_or_none(cards: str) -> None:
    log_replay = replay_of([{"player_cards": f'"{cards}"', "banker_cards": "T7", "net:player": "1"}])
    assert (holds(log_replay), log_replay.tally.rounds) == (True, 1)


def test_each_row_is_told_of_its_own_cards() -> None:
    """Cards of one value are one to the rules, and not to the reader."""
    thirds = ["10", "K", "J", "Q", "10"]
    log_replay = replay_of([{"player_cards": f"9 10 {third}", "banker_cards": "K 8"} for third in thirds])
    assert [one.message.split(" is against")[0] for one in log_replay.noted.first_impossible] == [
        f"Player Hand: the third card {third}" for third in thirds
    ]


def test_every_deal_of_two_or_three_cards_is_judged_as_the_round_is() -> None:
    """Hands drawn without regard to the Table of Play: those that ``finished_round`` refuses, and no others."""
    chance = random.Random(8)
    rows, refused = [], {}
    for line in range(FIRST_LINE, FIRST_LINE + 300):
        player, banker = (chance.choices(RANKS, k=chance.choice([2, 3])) for _ in Hand)
        rows.append({"player_cards": format_cards(player), "banker_cards": format_cards(banker)})
        try:
            finished_round(player, banker)
        except Exception as refusal:  # the kind is for tests/test_round.py to say
            refused[line] = str(refusal).split(":")[0]
    log_replay = replay_of(rows)
    assert {one.line: one.message.split(":")[0] for one in log_replay.noted.first_impossible} == refused
    assert 100 < len(refused) < 250


@pytest.mark.parametrize(
    ("shoe", "deal", "rank", "held"),
    [
        ("cards: 9=4 K=3", ("K 9", "K K"), None, 3),
        ("cards: 9=4 K=2", ("K 9", "K K"), "K", 2),
        ("cards: 9=0 K=5", ("K 9", "K K"), "9", 0),
        ("cards: K=5", ("K 9", "K K"), "9", 0),
        ("decks: 1", ("K K K", "K K 4"), "K", 4),
        ("decks: 1", ("2 2 2", "2 4"), None, 4),
        ("decks: 1", ("A A A", "A A A"), "A", 4),
        ("decks: 2", ("A A A", "A A A"), None, 8),
    ],
)
def test_a_round_has_no_more_of_a_rank_than_the_shoe(
    shoe: str, deal: tuple[str, str], rank: str | None, held: int
) -> None:
    """A fresh shuffle for every round: the rows before do not count."""
    row = {"player_cards": deal[0], "banker_cards": deal[1]}
    log_replay = replay_of([row, row, row], shoe=shoe)
    message = f"more of {rank} in the round than the {held} that the shoe holds"
    assert [(one.line, one.message) for one in log_replay.noted.first_impossible] == (
        [] if rank is None else [(4, message), (5, message), (6, message)]
    )


def in_shoe(shoe: int | str, player: str, banker: str, **more: str) -> dict[str, str]:
    return {"shoe": str(shoe), "player_cards": player, "banker_cards": banker, **more}


def test_a_shoe_has_no_more_of_a_rank_than_it_holds() -> None:
    """Counted through the shoe, and from the start again with the next; later draws of the rank are faults too."""
    rows = [
        in_shoe(3, "9 10", "9 Q"),
        in_shoe(3, "9 J", "9 K"),  # the last of four
        in_shoe(3, "8 J", "8 K"),
        in_shoe(3, "9 J", "7 K"),  # line 7
        in_shoe(3, "8 Q", "8 Q"),
        in_shoe(3, "7 2", "9 A"),  # line 9
        in_shoe(4, "9 10", "9 Q"),
        in_shoe(4, "9 J", "9 K"),
        in_shoe(7, "9 10", "9 Q"),
    ]
    log_replay = replay_of(rows, shoe="decks: 1")
    message = "more of 9 in shoe 3 than the 4 that the shoe holds"
    assert [(one.line, one.message) for one in log_replay.noted.first_impossible] == [
        (7, message),
        (9, message),
    ]
    assert (log_replay.noted.impossible, log_replay.noted.unreadable) == (2, 0)


# ---------------------------------------------------------------- rows that cannot be read


def natural_fault(line: int, number: str, message: str) -> RowFault:
    return RowFault(line=line, round=number, cards="Player K 9, Banker K 8", message=message)


@pytest.mark.parametrize(
    ("number", "message"),
    [
        ("x", 'round: found "x"; write a whole number'),
        ("", 'round: found ""; write a whole number'),
        ("-1", 'round: found "-1"; write a whole number'),
        ("2.0", 'round: found "2.0"; write a whole number'),
        ("+2", 'round: found "+2"; write a whole number'),
        ("2 3", 'round: found "2 3"; write a whole number'),
        ("9" * 19, f'round: found "{"9" * 19}"; write a whole number'),
        ("0x2", 'round: found "0x2"; write a whole number'),
        ("0", "round: found 0 after 1; give each round a higher one"),
    ],
)
def test_a_round_number_that_is_none_or_does_not_rise_is_named(number: str, message: str) -> None:
    rows = [NATURAL | {"net:player": net} for net in ("1", "-1", "-1")]
    log_replay = replay_of([rows[0], rows[1] | {"round": number}, rows[2]])
    assert log_replay.noted.first_unreadable == [natural_fault(5, number, message)]
    assert (
        log_replay.noted.rows,
        log_replay.noted.unreadable,
        log_replay.noted.wrong,
        log_replay.tally.rounds,
    ) == (3, 1, 1, 2)
    assert [one.line for one in log_replay.noted.first_wrong] == [6]


@pytest.mark.parametrize("number", ["1", "01"])
def test_a_round_that_is_given_again_is_told_and_counted_once(number: str) -> None:
    rows = [NATURAL | {"net:player": net} for net in ("1", "1", "1")]
    log_replay = replay_of([rows[0], rows[1] | {"round": number}, rows[2]])
    noted = log_replay.noted
    assert noted.first_repeated == [
        natural_fault(5, number, "round 1 is given again; give each round one row")
    ]
    assert (noted.rows, noted.unreadable, noted.repeated, log_replay.tally.rounds) == (3, 0, 1, 2)


def test_rounds_may_begin_anywhere_and_leave_gaps() -> None:
    for numbers in (["0", "1"], ["7", "900"], [" 3 ", "0004"], ["1", "9" * 18]):
        assert holds(replay_of([NATURAL | {"round": number} for number in numbers]))


@pytest.mark.parametrize(
    ("shoe", "message"),
    [
        ("x", 'shoe: found "x"; write a whole number'),
        ("", 'shoe: found ""; write a whole number'),
        ("1", "shoe: found 1 after 2; the rows of a shoe stand together, and shoes in order"),
    ],
)
def test_a_shoe_that_is_none_or_comes_back_is_named(shoe: str, message: str) -> None:
    rows = [in_shoe(number, "K 9", "K 8") for number in ("1", "2", shoe, "2", "3")]
    log_replay = replay_of(rows)
    assert log_replay.noted.first_unreadable == [natural_fault(6, "3", message)]


NO_NET = "write profit per unit staked, such as -1, 0.95 or 3/2"


NO_NETS = [
    "abc", "1/0", "nan", "inf", "-inf", "1e3", "0x1", "--1", "+1", "1.", ".5", "-", "1/2/3", "0.5/2", "1_0", "1 0",
    "1/-2", "- 1", " ", "1:1", "push", "1;5", "0.1234567891", "1000000000000", "1/00",
]  # fmt: skip


def test_net_results_that_are_none_are_named() -> None:
    log_replay = replay_of([NATURAL | {"net:player": net} for net in ("1", *NO_NETS, "1")])
    assert [(fault.line, fault.message) for fault in log_replay.noted.first_unreadable] == [
        (line, f'net:player: found "{net}"; {NO_NET}') for line, net in enumerate(NO_NETS, FIRST_LINE + 1)
    ]
    assert (log_replay.noted.unreadable, log_replay.noted.wrong, log_replay.tally.rounds) == (
        len(NO_NETS),
        0,
        2,
    )
    for net in NO_NETS:
        with pytest.raises(StakeError):
            parse_net(net)


NO_MONEY = ["abc", "-1", "1/2", "1e3", "nan", "1.", ".5", "$5", "1 000", "0.0123456789"]


@pytest.mark.parametrize("column", ["stake", "payout"])
def test_money_that_is_none_is_named(column: str) -> None:
    row = NATURAL | {"stake:player": "10", "payout:player": "20"}
    log_replay = replay_of([row, *(row | {f"{column}:player": money} for money in NO_MONEY)])
    assert [(fault.line, fault.message) for fault in log_replay.noted.first_unreadable] == [
        (
            line,
            f'{column}:player: amount: found "{money}"; write digits with at most one point, such as 100 or 12.50 '
            "(15 digits and 9 decimals at most)",
        )
        for line, money in enumerate(NO_MONEY, FIRST_LINE + 1)
    ]
    assert (log_replay.noted.unreadable, log_replay.noted.wrong) == (len(NO_MONEY), 0)


def test_a_row_is_unreadable_once() -> None:
    row = NATURAL | {"round": "x", "net:player": "y", "net:tie": "z"}
    log_replay = replay_of([row])
    assert (log_replay.noted.rows, log_replay.noted.unreadable, len(log_replay.noted.first_unreadable)) == (
        1,
        1,
        1,
    )


def test_a_row_that_cannot_be_read_is_not_dealt() -> None:
    """Neither wrong nor impossible beside it, and its cards are not counted."""
    rows = [in_shoe(1, "9 10", "9 Q"), in_shoe(1, "9 X", "9 Q", round="x"), in_shoe(1, "9 10", "9 Q")]
    log_replay = replay_of(rows, shoe="decks: 1")
    assert (log_replay.noted.unreadable, log_replay.noted.impossible, log_replay.noted.wrong) == (1, 0, 0)


def test_a_file_of_too_many_kinds_of_hands_is_no_log(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is kept of each would fill the memory."""
    monkeypatch.setattr("combinat.audit.settled.MOST_HANDS", 50)
    rows = [{"player_cards": f"X{number}", "banker_cards": "K 9"} for number in range(60)]
    with pytest.raises(HandLogError, match="more than 50 different hands"):
        replay_of(rows)


# ---------------------------------------------------------------- batches


def nets(game: Game, player: str, banker: str) -> dict[str, str]:
    dealt = finished_round(parse_cards(player), parse_cards(banker))
    lines = {subject: by_settle(game, dealt, subject, Fraction(1)) for subject in subjects(game)}
    return {f"net:{subject}": format_money(line.net) for subject, line in lines.items() if line}


def dealt_shoes(shoes: int, rounds: int) -> Iterator[dict[str, str]]:
    """Rows of whole shoes of one deck, all in order."""
    game, chance = LOADED(COMMISSION_2013), random.Random(9)
    for shoe in range(1, shoes + 1):
        deck: list[Rank] = [*RANKS] * 4
        chance.shuffle(deck)
        for _ in range(rounds):
            dealt = Round()
            while not dealt.is_over:
                dealt = dealt.with_card(deck.pop())
            yield {"shoe": str(shoe), **hands(dealt)} | nets(game, *hands(dealt).values())


def with_faults(rows: list[dict[str, str]]) -> list[dict[str, str]]:
    """The rows with a fault of every kind, at the beginning, in the middle and at the end of shoes of seven rounds."""
    log_replay = [dict(row) for row in rows]
    for place, change in {
        0: {"net:player": "17"},
        6: {"net:tie": "-2"},  # the last of its shoe
        7: {"net:tie": "-2", "net:player@four-cards": "-2"},  # the first
        10: {"net:player": "?"},
        13: {"net:banker": "?"},
        14: {"player_cards": "K"},
        17: {"player_cards": "9 10 K"},
        20: {"banker_cards": "4 4 X"},
        21: {"round": "1"},
        24: {"player_cards": "9 K", "banker_cards": "9 K"},
        25: {"player_cards": "9 K", "banker_cards": "9 K"},
        26: {"player_cards": "9 K", "banker_cards": "8 J"},
        27: {"player_cards": "9 Q", "banker_cards": "7 Q"},
        34: {"round": "abc"},
        len(log_replay) - 1: {"net:player": "9"},
    }.items():
        log_replay[place] |= change
    return log_replay


def filled(counts: npt.NDArray[np.int64]) -> dict[int, int]:
    """The counts that are not 0, by their places."""
    places = np.flatnonzero(counts)
    return dict(zip(places.tolist(), counts[places].tolist(), strict=True))


def everything(log_replay: Replay) -> dict[str, Any]:
    """All that a replay found, to be compared."""
    tally = log_replay.tally
    given = log_replay.given
    return {
        "counts": (
            log_replay.noted.rows,
            log_replay.noted.unreadable,
            log_replay.noted.impossible,
            log_replay.noted.wrong,
            log_replay.short_shoes,
        ),
        "unreadable": list(log_replay.noted.first_unreadable),
        "impossible": list(log_replay.noted.first_impossible),
        "wrong": list(log_replay.noted.first_wrong),
        "totals": {str(column): repr(total) for column, total in log_replay.settlements.totals.items()},
        "rounds": tally.rounds,
        "cells": filled(tally.cells),
        "cards": tally.cards.tolist(),
        "neighbours": (tally.neighbours, tally.repeats),
        "gaps": (log_replay.noted.gaps, log_replay.noted.missing, list(log_replay.noted.first_gaps)),
        "declared": (log_replay.noted.declared, log_replay.noted.misdeclared),
        "serial": {slots: (one.seen, one.expected) for slots, one in log_replay.serial.agreements.items()},
        "moves": log_replay.serial.moves.tolist(),
        "shoes": (
            log_replay.shoes,
            given and [one.expected() for one in (given.of_results, *given.cards.values())],
        ),
    }


def same_for_every_batch(source: Path | bytes, name: str, sizes: Sequence[int]) -> Replay:
    whole = replayed(source)
    expected = everything(whole)
    with pytest.MonkeyPatch.context() as patch:
        for number, size in enumerate(sizes):
            patch.setattr(log_rows, name, size)
            assert number or number_of_batches(source) > 10, "the smallest batches are no batches"
            other = everything(replayed(source))
            assert [key for key in expected if other[key] != expected[key]] == [], f"{name} {size}"
    return whole


def number_of_batches(source: Path | bytes) -> int:
    log = open_log(Source.at(source) if isinstance(source, Path) else Source.of("log.csv", source))
    return sum(1 for _ in log.batches(lambda done: None))


def of_text(text: str) -> Replay:
    """The replay of a CSV log, the same for batches of one line and more."""
    longest = max(map(len, text.splitlines()[3:])) + 1
    sizes = [longest, 300, len(text) // 2]
    return same_for_every_batch(text.encode(), "BATCH_BYTES", sizes)


@pytest.fixture(scope="module")
def shoes_of_rows() -> list[dict[str, str]]:
    return list(dealt_shoes(shoes=6, rounds=7))


def test_batches_make_no_difference_to_whole_shoes(shoes_of_rows: list[dict[str, str]]) -> None:
    log_replay = of_text(as_text(shoes_of_rows, shoe="decks: 1"))
    assert holds(log_replay)
    assert (log_replay.shoes, log_replay.tally.rounds) == (6, 42)


def test_batches_make_no_difference_to_rounds_of_their_own(shoes_of_rows: list[dict[str, str]]) -> None:
    rows = [{name: cell for name, cell in row.items() if name != "shoe"} for row in shoes_of_rows]
    log_replay = of_text(as_text(rows, shoe="decks: 1"))
    assert holds(log_replay)
    assert (log_replay.tally.rounds, log_replay.tally.neighbours, log_replay.tally.by_shoe) == (42, 41, None)


@pytest.mark.parametrize("whole", [True, False], ids=["whole shoes", "rounds of their own"])
def test_batches_make_no_difference_to_faults(shoes_of_rows: list[dict[str, str]], whole: bool) -> None:
    rows = with_faults(shoes_of_rows)
    if not whole:
        rows = [{name: cell for name, cell in row.items() if name != "shoe"} for row in rows]
    text = as_text(rows, shoe="decks: 1")
    lines = text.splitlines()
    lines[9:9] = ["", "too,few"]  # among the first shoe's rows
    lines.insert(20, '"' + lines[20])
    log_replay = of_text("\n".join(lines) + "\n")
    assert (log_replay.noted.rows, log_replay.noted.unreadable, log_replay.noted.wrong > 4) == (45, 8, True)
    assert log_replay.noted.impossible >= (4 if whole else 2)
    messages = [one.message for one in log_replay.noted.first_impossible]
    assert ("more of 9 in shoe 4 than the 4 that the shoe holds" in messages) is whole


def test_batches_make_no_difference_to_parquet(tmp_path: Path, shoes_of_rows: list[dict[str, str]]) -> None:
    rows, path = with_faults(shoes_of_rows), tmp_path / "log.parquet"
    names = ["round", *dict.fromkeys(name for row in rows for name in row if name != "round")]
    cells = [
        [row.get(name, str(number) if name == "round" else None) for name in names]
        for number, row in enumerate(rows, 1)
    ]
    frame = polars.DataFrame(cells, schema=dict.fromkeys(names, polars.String), orient="row")
    frame.write_parquet(path, metadata={"game": COMMISSION_2013, "decks": "1"})
    log_replay = same_for_every_batch(path, "BATCH_ROWS", [1, 7, 20])
    in_csv = replay_of(rows, shoe="decks: 1")
    assert [one.line + 3 for one in log_replay.noted.first_wrong] == [
        one.line for one in in_csv.noted.first_wrong
    ]
    assert everything(log_replay)["counts"] == everything(in_csv)["counts"]


@pytest.mark.parametrize(("place", "cell"), [(7, "x"), (9, ""), (9, "1"), (13, "x")])
def test_batches_make_no_difference_to_a_shoe_that_cannot_be_read(
    shoes_of_rows: list[dict[str, str]], place: int, cell: str
) -> None:
    """A row in a shoe that is none must not cut in two the shoe that goes on after it."""
    rows = [dict(row) for row in shoes_of_rows[:21]]
    rows[place]["shoe"] = cell
    log_replay = of_text(as_text(rows, shoe="decks: 1"))
    assert (log_replay.noted.unreadable, log_replay.noted.impossible, log_replay.noted.wrong) == (1, 0, 0)
    assert log_replay.shoes == 3


def test_one_shoe_may_be_written_in_many_ways(shoes_of_rows: list[dict[str, str]]) -> None:
    rows = [dict(row) for row in shoes_of_rows[:21]]
    for number, row in enumerate(rows):
        row["shoe"] = ["{}", "0{}", " {}", "{} "][number % 4].format(row["shoe"])
    log_replay = of_text(as_text(rows, shoe="decks: 1"))
    plain = replay_of(shoes_of_rows[:21], shoe="decks: 1")
    assert {key: one for key, one in everything(log_replay).items() if key != "wrong"} == {
        key: one for key, one in everything(plain).items() if key != "wrong"
    }


def test_a_shoe_without_an_end_does_not_fill_the_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More rounds than a shoe has cards are not waited for; the rank that runs out is named."""
    text = as_text([in_shoe(1, "9 10", "9 Q") for _ in range(400)], shoe="decks: 1")
    monkeypatch.setattr(log_rows, "BATCH_BYTES", 200)
    log = open_log(Source.of("log.csv", text.encode()))
    game, shoe = LOADED(COMMISSION_2013), Shoe.of_decks(1)
    log_replay = Replay(game, shoe, log.columns(game), log.cut_card(shoe, None))
    for rows in log.batches(lambda done: None):
        log_replay.add(rows)
    assert log_replay.noted.rows >= 400 - 2 * shoe.size
    log_replay.finish()
    assert (log_replay.noted.rows, log_replay.noted.impossible) == (400, 398)
    assert (
        log_replay.noted.first_impossible[0].message == "more of 9 in shoe 1 than the 4 that the shoe holds"
    )


def test_a_fresh_shoe_is_what_the_head_says() -> None:
    """Of eight decks there are 32 nines, so that eight rounds take them all and the ninth takes too many."""
    rows = [in_shoe(1, "9 10", "9 Q") for _ in range(17)]
    log_replay = replay_of(rows)
    assert log_replay.shoe == Shoe.of_decks(8)
    assert [one.line for one in log_replay.noted.first_impossible] == [20]


def told(wrong: WrongSettlement) -> tuple[int, str, str, str, str]:
    return wrong.line, wrong.round, wrong.cards, wrong.bet, wrong.column


@pytest.mark.parametrize("subject", ["banker", "player@four-cards"])
def test_amounts_with_many_decimals_are_compared_as_plain_ones_are(subject: str) -> None:
    """Plain amounts are compared as whole units, others as fractions: to the same end, right, wrong and blank."""
    chance, rows = random.Random(5), []
    for dealt in rounds_at_random(5, 200):
        stake = Fraction(chance.randrange(1, 100_000), 100)
        payouts = [Fraction(0), stake, stake * Fraction(39, 20), stake * 2, stake * 4, stake * 3]
        cells = [format_money(stake), format_money(chance.choice(payouts))]
        blank = chance.randrange(12)
        rows.append(
            {
                "player_cards": format_cards(dealt.player),
                "banker_cards": format_cards(dealt.banker),
                f"stake:{subject}": "" if blank in (0, 1) else cells[0],
                f"payout:{subject}": "" if blank in (1, 2) else cells[1],
            }
        )
    long = [
        {
            name: f"{cell}{'' if '.' in cell else '.'}{'0' * (9 - len(cell.partition('.')[2]))}"
            if cell and ":" in name
            else cell
            for name, cell in row.items()
        }
        for row in rows
    ]
    plain, exact = replay_of(rows), replay_of(long)
    assert plain.settlements.totals == exact.settlements.totals
    assert [told(wrong) for wrong in plain.noted.first_wrong] == [
        told(wrong) for wrong in exact.noted.first_wrong
    ]
    (total,) = plain.settlements.totals.values()
    assert 0 < total.wrong < total.rows < 200
