"""The replay of hand logs: every row against ``settle``, every deal against the Table of Play; faults to the line.

RowBatch with one fault each are in ``tests/corpus/rows``.
"""

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path

import polars
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from combinat import Game, Shoe
from combinat.audit.reading import records
from combinat.audit.reading import rows as log_rows
from combinat.audit.verdict import FaultKind, FaultRow, Verdict
from combinat.base.errors import InputError
from combinat.base.money import format_money
from combinat.rules.cards import RANKS, format_cards
from combinat.rules.insurance import Insured
from combinat.rules.round import Round, Stage
from combinat.rules.table_of_play import Hand
from combinat.table.settlement import StakeLine, settle
from tests.audit.logs import GAME, dealt, replay_of, shoe_rounds, with_faults
from tests.documents import COMMISSION_2013, GAMES
from tests.games import loaded

Row = dict[str, str]
FIRST_LINE = 4
ONE = Shoe.of_decks(1)


def as_text(rows: Sequence[Mapping[str, str]], game_id: str = COMMISSION_2013, decks: int = 8) -> str:
    """A log of these rows, numbered from 1 where they do not say otherwise; the first is on line 4."""
    names = ["round", *dict.fromkeys(name for row in rows for name in row if name != "round")]
    lines = [
        ",".join(row.get(name, str(number) if name == "round" else "") for name in names)
        for number, row in enumerate(rows, 1)
    ]
    return "\n".join([f"# game: {game_id}", f"# decks: {decks}", ",".join(names), *lines]) + "\n"


def replayed(
    folder: Path, rows: Sequence[Mapping[str, str]], game_id: str = COMMISSION_2013, decks: int = 8
) -> tuple[Verdict, list[FaultRow]]:
    """The verdict on a log of these rows, and its faults."""
    path = folder / "log.csv"
    path.write_text(as_text(rows, game_id, decks), "utf-8")
    return with_faults(path, shoe=Shoe.of_decks(decks))


def subjects(game: Game) -> list[str]:
    return [*(bet.id for bet in game.bets), *(f"{one.side}@{one.stage}" for one in game.insurance)]


PLENTY = Fraction(10**12)


def by_settle(game: Game, one: Round, subject: str, stake: Fraction) -> tuple[StakeLine | None, str]:
    """What ``settle`` makes of a stake, None where it was not on offer; and the clause."""
    if "@" not in subject:
        line = settle(game, one, {subject: stake}).lines[0]
        return line, line.clause
    side, stage = subject.split("@")
    table = game.insurance_table(Hand(side), Stage(stage))
    assert table is not None
    try:
        insured = {Insured(Hand(side), Stage(stage)): stake}
        line = settle(game, one, {side: PLENTY}, insured, table_maximum=PLENTY).lines[1]
    except InputError as refusal:
        if not re.search("not on offer|nothing was offered", str(refusal)):
            raise
        return None, table.settled
    return line, line.clause


def hands(one: Round) -> Row:
    return {"player_cards": format_cards(one.player), "banker_cards": format_cards(one.banker)}


Expected = list[tuple[int, str, str, str, str]]


def found(faults: Sequence[FaultRow]) -> Expected:
    """Wrong settlements: line, column, paid, due, clause."""
    assert {fault.kind for fault in faults} <= {FaultKind.SETTLEMENT}
    return sorted((one.line, one.message.split(": ")[0], one.paid, one.due, one.clause) for one in faults)


OTHERS = ["-1", "0", "1", "0.95", "0.5", "8", "11", "1.5", "2", "4", "10", "-2", "0.949999999", "19/21"]


@pytest.mark.parametrize("game_id", GAMES)
def test_a_net_result_is_right_if_settle_gives_it_and_else_wrong(tmp_path: Path, game_id: str) -> None:
    """However it is written, blank where nothing was placed; insurance that was not on offer is always wrong."""
    game, chance = loaded(game_id), random.Random(1)
    rows, expected, totals = [], Expected(), dict[str, tuple[int, Fraction]]()
    for number, one in enumerate(dealt(2, 50)):
        row = hands(one)
        for subject in subjects(game):
            line, clause = by_settle(game, one, subject, Fraction(1))
            kind, column = chance.random(), f"net:{subject}"
            if number and (kind < 0.2 or (line is None and kind < 0.8)):  # the first row names all columns
                continue
            due = "not on offer" if line is None else format_money(line.net)
            if line is not None and kind < 0.7:
                row[column] = chance.choice([due, str(line.net), f" {line.net} "])
            else:
                wrong = [text for text in OTHERS if not line or Fraction(text) != line.net]
                row[column] = chance.choice(wrong)
                expected.append((FIRST_LINE + number, column, row[column], due, clause))
            times, total = totals.get(column, (0, Fraction(0)))
            totals[column] = times + 1, total + Fraction(row[column].strip())
        rows.append(row)
    judged, faults = replayed(tmp_path, rows, game_id)
    assert found(faults) == sorted(expected)
    replay = replay_of(judged)
    assert (replay.rows, replay.holds, judged.rounds) == (50, False, 50)
    assert {str(one.column): (one.rows, one.recorded) for one in replay.totals} == totals


STAKES = ["100", "0.01", "12.50", "7", "1000000", "33.33"]


@pytest.mark.parametrize(("game_id", "decimals"), list(zip(GAMES, (0, 9, 0, 9), strict=True)))
def test_payouts_are_the_stake_and_what_settle_gives(tmp_path: Path, game_id: str, decimals: int) -> None:
    """Every second payout is off by a cent, or is the winnings without the stake; with many decimals, alike."""
    game, chance = loaded(game_id), random.Random(5)
    rows, expected = [], Expected()
    for number, one in enumerate(dealt(6, 30)):
        row = hands(one)
        for subject in subjects(game):
            stake = Fraction(chance.choice(STAKES))
            if chance.random() < 0.3 and number:  # the first row names all columns
                continue
            line, clause = by_settle(game, one, subject, stake)
            due = Fraction(0) if line is None else stake + line.net
            wrong = [due + Fraction(1, 100), due + stake, abs(due - stake)]
            paid = chance.choice([due, due, due, *wrong])
            texts = [padded(format_money(amount), decimals) for amount in (stake, paid)]
            row |= {f"stake:{subject}": texts[0], f"payout:{subject}": texts[1]}
            if line is None or paid != due:
                shown = "not on offer" if line is None else format_money(due)
                expected.append((FIRST_LINE + number, f"payout:{subject}", texts[1], shown, clause))
        rows.append(row)
    _, faults = replayed(tmp_path, rows, game_id)
    assert found(faults) == sorted(expected)
    assert len(expected) > 30


def padded(amount: str, decimals: int) -> str:
    """The amount with so many decimals at least."""
    whole, _, part = amount.partition(".")
    return f"{whole}.{part:0<{decimals}}" if part or decimals else whole


def test_every_deal_of_two_or_three_cards_is_judged_as_the_round_is(tmp_path: Path) -> None:
    """Hands drawn without regard to the Table of Play: those that ``finished_round`` refuses, and no others."""
    chance, rows, refused = random.Random(8), [], []
    for line in range(FIRST_LINE, FIRST_LINE + 300):
        player, banker = (chance.choices(RANKS, k=chance.choice([2, 3])) for _ in Hand)
        rows.append({"player_cards": format_cards(player), "banker_cards": format_cards(banker)})
        try:
            GAME.finished_round(player, banker)
        except InputError as refusal:
            refused.append((line, str(refusal)))
    _, faults = replayed(tmp_path, rows)
    assert [(one.line, one.message) for one in faults] == refused
    assert 100 < len(refused) < 250


# ---------------------------------------------------------------- batches


def shoe_rows() -> Iterator[Row]:
    """Rows of whole shoes of one deck, all in order and settled right."""
    for shoe, one, _ in shoe_rounds(9, 3, 4, decks=1):
        nets = {f"net:{bet.id}": format_money(bet.net(one.outcome)) for bet in GAME.bets}
        yield {"shoe": str(shoe), **hands(one), **nets}


CHANGES: list[Row] = [
    {"net:player": "17"},
    {"net:tie": "-2"},
    {"net:player": "?"},
    {"player_cards": "K"},
    {"player_cards": "9 10 K"},
    {"banker_cards": "4 4 X"},
    {"round": "1"},
    {"round": "abc"},
    {"shoe": "x"},
    {"shoe": ""},
    {"shoe": "1"},
    {"player_cards": "9 K", "banker_cards": "9 K"},
    {"player_cards": "9 K", "banker_cards": "8 J"},
]
SHOES = list(shoe_rows())


@given(
    changes=st.dictionaries(st.integers(0, len(SHOES) - 1), st.sampled_from(CHANGES), max_size=6),
    whole=st.booleans(),
    size=st.integers(120, 900),
)
@settings(max_examples=12)
def test_batches_make_no_difference(
    tmp_path_factory: pytest.TempPathFactory, changes: dict[int, Row], whole: bool, size: int
) -> None:
    """To rows of whole shoes or of their own, right or with faults anywhere; in CSV and in Parquet."""
    rows = [row | changes.get(place, {}) for place, row in enumerate(SHOES)]
    if not whole:
        rows = [{name: cell for name, cell in row.items() if name != "shoe"} for row in rows]
    folder = tmp_path_factory.getbasetemp()
    judged, faults = replayed(folder, rows, decks=1)
    assert whole or changes or not faults
    frame = polars.read_csv(folder / "log.csv", comment_prefix="#", infer_schema=False)
    frame.write_parquet(folder / "log", metadata={"game": COMMISSION_2013, "decks": "1"})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(log_rows, "BATCH_BYTES", size)
        patch.setattr(records, "BATCH_ROWS", size // 100)
        assert replayed(folder, rows, decks=1) == (judged, faults)
        in_parquet, its_faults = with_faults(folder / "log", shoe=ONE)
    assert [(one.line + 3, one.message) for one in its_faults] == [(one.line, one.message) for one in faults]
    assert (in_parquet.word, in_parquet.rounds) == (judged.word, judged.rounds)


# ---------------------------------------------------------------- bounds


def test_a_shoe_without_an_end_is_told_by_the_rank_that_runs_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_rows, "BATCH_BYTES", 200)
    rows = [{"shoe": "1", "player_cards": "9 10", "banker_cards": "9 Q"}] * 400
    _, faults = replayed(tmp_path, rows, decks=1)
    assert len(faults) == 398
    assert faults[0].message == "more of 9 in shoe 1 than the 4 that the shoe holds"
