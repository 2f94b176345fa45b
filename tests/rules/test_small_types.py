"""Cards, shoes, odds, points, shares and money: read exactly, written back, or refused."""

import hashlib
import shutil
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from combinat import CombinatError, Shoe, load_game
from combinat.base.errors import InputError, RuleBookError
from combinat.base.money import format_money, parse_money
from combinat.rules.book import find
from combinat.rules.book.find import rule_book_path
from combinat.rules.cards import RANKS, Rank, format_cards, parse_cards, parse_rank
from combinat.rules.odds import Odds, Share
from combinat.rules.value_sets import POINTS, NumberSet
from tests.conftest import SMALL_BOOK
from tests.documents import COMMISSION_2013, GAMES

UNTIMED = settings(max_examples=50)  # a busy machine refutes no law
CARDS = st.lists(st.sampled_from(RANKS))
COUNTS = st.tuples(*[st.integers(0, 40)] * 13)


WRONG: dict[str, tuple[Callable[..., object], type[CombinatError], list[Any]]] = {
    "card": (parse_rank, InputError, ["1", "11", "T", "AK", "0", "", "A♠", "joker"]),
    "cards": (parse_cards, InputError, ["9 B 4"]),
    "decks": (Shoe.of_decks, InputError, [0, -1, True, 8.0, "8", None]),
    "shoe as text": (
        Shoe.parse,
        InputError,
        ["", " , ", "A", "A=", "A=-1", "A=1.5", "A=²", "A=1=2", "A=1234567890", "A = 1", "T=4", "=4", "K=1 2=3 k=1"],
    ),
    "shoe as counts": (
        Shoe,
        InputError,
        [
            (4,) * 12, (), [4] * 13, 8, (4,) * 12 + (-1,), (True,) + (4,) * 12, (4, 4.0) + (4,) * 11,
            (4,) * 9 + ("4",) * 4,
        ],
    ),
    "cards that a shoe does not hold": (
        Shoe.of_decks(1).minus, InputError, ["A A A A A", "2 10 10 10 10 10 10"]
    ),
    "odds": (
        Odds.parse,
        InputError,
        [
            "1 to 0", "0.00 to 1", "0 to 0", "", "-1 to 1", "+1 to 1", "1/2 to 1", "1e2 to 1", ".5 to 1", "5. to 1",
            "1,000 to 1", "1234567890 to 1", "1.0123456789 to 1", "٣ to 1", "inf to 1", "nan to 1", "1 for 2",
            "1 for 0", True, None, ["1 to 1"], Fraction(1, 2), 1e300, float("nan"), -3,
        ],
    ),
    "points": (
        POINTS.parse,
        InputError,
        [
            10, -1, True, False, 6.0, None, [10], [True], "", ",", "5-", "-5", "5-0", "1-3,3", "6,6", "0 - 5", "1, 2",
            "10", "0-10", "a", "0–5", "5\n", "٣", "1-2-3",
        ],
    ),
    "share": (
        Share.parse,
        InputError,
        ["25", "25 %", "0%", "0.0%", "-25%", "%", "", "25%%", "1/4", "25%\n", "٢٥%", 25, 0.25, True, None],
    ),
    "money": (
        parse_money,
        InputError,
        [
            "", "-1", "+1", "1.", ".5", "1e3", "1,000", "1_000", " 1", "1 ", "1\n", "1.2.3", "1/2", "٣", "$5", "5%", "inf",
            "nan", "ten", "0x10", "1" * 16,
            "0.0123456789",
        ],
    ),
    "bet of a game": (load_game(COMMISSION_2013).bet, InputError, ["player-pear", "roulette"]),
    "layout of a game": (load_game(COMMISSION_2013).layout, InputError, ["z"]),
    "game": (load_game, RuleBookError, ["comission-insurance-2013", "blackjack", "insurance", "my-own"]),
}  # fmt: skip


@pytest.mark.parametrize(
    ("read", "error", "wrong"),
    [(read, error, wrong) for read, error, every in WRONG.values() for wrong in every],
    ids=[f"{what}: {wrong!r}" for what, (_, _, every) in WRONG.items() for wrong in every],
)
def test_a_value_that_cannot_be_read_is_refused(
    read: Callable[..., object], error: type[CombinatError], wrong: object
) -> None:
    """The wording of each refusal is in ``tests/refusals.toml`` and in the corpus of rule books."""
    with pytest.raises(error):
        read(wrong)


# ---------------------------------------------------------------- cards


def test_the_ranks_in_order_and_their_points() -> None:
    assert " ".join(RANKS) == "A 2 3 4 5 6 7 8 9 10 J Q K"
    assert [rank.points for rank in RANKS] == [1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0]


@UNTIMED
@given(CARDS)
def test_cards_are_read_as_they_are_written(cards: list[Rank]) -> None:
    assert parse_cards(format_cards(cards)) == tuple(cards)


@pytest.mark.parametrize("text", ["9 4 k", "9,4,K", " 9, 4 ,\tk\n", "9  4  K"])
def test_cards_may_be_set_apart_by_spaces_and_commas(text: str) -> None:
    assert parse_cards(text) == (Rank.NINE, Rank.FOUR, Rank.KING)


# ---------------------------------------------------------------- the shoe


@pytest.mark.parametrize("decks", [1, 8, 26])
def test_a_fresh_shoe_has_four_cards_of_a_rank_per_deck(decks: int) -> None:
    shoe = Shoe.of_decks(decks)
    assert (shoe.counts, shoe.size) == ((4 * decks,) * 13, 52 * decks)


@UNTIMED
@given(COUNTS, st.permutations(RANKS))
def test_a_shoe_is_read_as_it_is_written_in_any_order_and_case(
    counts: tuple[int, ...], order: list[Rank]
) -> None:
    shoe = Shoe(counts)
    assert Shoe.parse(", ".join(f"{rank.lower()}={shoe[rank]}" for rank in order)) == shoe
    assert Shoe.parse(str(shoe)) == shoe


@UNTIMED
@given(COUNTS, st.data())
def test_a_shoe_loses_the_cards_that_are_gone_and_no_others(
    counts: tuple[int, ...], data: st.DataObject
) -> None:
    shoe = Shoe(counts)
    gone = data.draw(st.tuples(*[st.integers(0, min(count, 3)) for count in counts]))
    cards = data.draw(st.permutations([r for r, n in zip(RANKS, gone, strict=True) for _ in range(n)]))
    left = Shoe(tuple(count - n for count, n in zip(counts, gone, strict=True)))
    assert left.size == shoe.size - len(cards)
    assert (
        shoe.minus(cards) == shoe.minus(format_cards(cards)) == shoe.minus(cards[:2]).minus(cards[2:]) == left
    )
    assert shoe.counts == counts


@UNTIMED
@given(COUNTS, CARDS)
def test_a_shoe_is_whole_again_when_its_cards_come_back(counts: tuple[int, ...], cards: list[Rank]) -> None:
    fuller = Shoe(counts).plus(cards)
    assert (fuller.size, fuller.minus(cards)) == (sum(counts) + len(cards), Shoe(counts))
    for same in (format_cards(cards), (str(card).lower() for card in cards)):
        assert Shoe(counts).plus(same) == fuller  # type: ignore[arg-type]


@pytest.mark.parametrize("move", [Shoe.minus, Shoe.plus], ids=["minus", "plus"])
@pytest.mark.parametrize(
    "cards",
    ["A Z", "A10", ["A", "Z"], [10], [["A"]], np.array(["A", "Z"]), 4, None, b"A K", {"A": -1}, {"A": 1.0}],
    ids=repr,
)
def test_what_is_no_card_neither_goes_nor_comes_back(move: Callable[[Shoe, Any], Shoe], cards: Any) -> None:
    with pytest.raises((InputError), match=r"write|must"):
        move(Shoe.of_decks(1), cards)
    assert move(Shoe.of_decks(1), ["a", Rank.TEN]) == move(Shoe.of_decks(1), "A 10") != Shoe.of_decks(1)


def test_a_shoe_never_changes() -> None:
    shoe = Shoe.of_decks(8)
    with pytest.raises(AttributeError, match="immutable"):
        shoe.counts = (0,) * 13  # type: ignore[misc]  # what is tested
    assert {shoe, Shoe.of_decks(8)} == {Shoe.of_decks(8)} != {shoe.minus("A")}


# ---------------------------------------------------------------- odds


def decimal_text(whole: int, width: int, places: str) -> str:
    """A decimal as a rule book may write it, with leading and idle zeros."""
    return f"{whole:0{width}}.{places}" if places else f"{whole:0{width}}"


PLACES = st.integers(0, 9).flatmap(
    lambda n: st.integers(0, 10**n - 1).map(lambda digits: f"{digits:0{n}}" if n else "")
)
DECIMALS = st.builds(decimal_text, st.integers(0, 999_999_999), st.integers(1, 9), PLACES).filter(
    lambda text: text.strip("0.")
)


def exact(decimal: str) -> Fraction:
    """A decimal as digits over a power of ten."""
    whole, _, places = decimal.partition(".")
    return Fraction(int(whole + places), 10 ** len(places))


@UNTIMED
@given(DECIMALS, DECIMALS)
def test_odds_are_exact_and_keep_their_words(profit: str, stake: str) -> None:
    odds, net = Odds.parse(f"{profit} to {stake}"), exact(profit) / exact(stake)
    assert (odds, odds.net, type(odds.net)) == (f"{profit} to {stake}", net, Fraction)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("50:1", "50 to 1"), ("50", "50 to 1"), (50, "50 to 1"), (0.95, "0.95 to 1"), ("3-2", "3 to 2"),
        ("50 for 1", "49 to 1"), ("2.5 for 1", "1.5 to 1"), ("1 for 1", "push"), ("0 to 1", "push"), ("Push", "push"),
        ("1 to 1 ", "1 to 1"), ("1  to 1", "1 to 1"), ("1 TO 1", "1 to 1"), ("even", "1 to 1"), ("tie", "push"),
    ],
)  # fmt: skip
def test_odds_that_are_written_in_another_way_are_refused_with_what_was_meant(
    written: object, meant: str
) -> None:
    with pytest.raises(InputError, match=f'did you mean "{meant}"'):
        Odds.parse(written)
    assert Odds.parse(meant) == meant


# ---------------------------------------------------------------- points

POINT_SETS = st.sets(st.integers(0, 9), min_size=1).map(NumberSet)


@UNTIMED
@given(POINT_SETS)
def test_points_are_read_as_they_are_written(points: NumberSet[int]) -> None:
    assert POINTS.parse(str(points)) == points


# ---------------------------------------------------------------- shares


@UNTIMED
@given(DECIMALS)
def test_a_share_is_exact_and_keeps_its_words(percent: str) -> None:
    share = Share.parse(f"{percent}%")
    assert (share, share.part) == (f"{percent}%", exact(percent) / 100)


# ---------------------------------------------------------------- money


@UNTIMED
@given(st.integers(0, 10**15 - 1), st.integers(0, 9))
def test_money_is_read_as_it_is_written(digits: int, places: int) -> None:
    amount = Fraction(digits, 10**places)
    assert parse_money(format_money(amount)) == amount
    assert parse_money("007.50") == Fraction(15, 2)


# ---------------------------------------------------------------- a game by its name


def test_a_game_by_every_beginning_of_its_id() -> None:
    """A beginning that only one id has is that game; one that several have is refused with all of them."""
    unique = 0
    for beginning in sorted({game[:length] for game in GAMES for length in range(1, len(game) + 1)}):
        meant = [game for game in GAMES if game.startswith(beginning)]
        if len(meant) == 1:
            assert rule_book_path(beginning).name == f"{meant[0]}.toml"
            unique += 1
        else:
            with pytest.raises(RuleBookError, match=", ".join(meant)):
                rule_book_path(beginning)
    assert unique == 58  # 25 + 20 + 4 + 9 beginnings, game by game


def test_an_id_that_another_begins_with_is_still_that_game(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {"tiger": Path("tiger.toml"), "tiger-buffalo": Path("tiger-buffalo.toml")}
    monkeypatch.setattr(find, "rule_book_paths", lambda: known)
    assert rule_book_path("tiger") == Path("tiger.toml")
    assert rule_book_path("tiger-") == Path("tiger-buffalo.toml")
    with pytest.raises(RuleBookError):
        rule_book_path("t")


def test_a_rule_book_of_ones_own_is_read_by_its_path_and_known_by_its_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also after it has changed: nothing of the first reading is kept."""
    path = Path(shutil.copy(SMALL_BOOK, tmp_path))
    monkeypatch.chdir(tmp_path)
    for name in (path, str(path), path.name, f"./{path.name}"):
        assert load_game(name) == load_game(SMALL_BOOK)
    for old, new, edge_moves in (("\n", "\n\n", False), ('"4 to 1"', '"5 to 1"', True)):
        before = load_game(path)
        assert (before.content, before.sha256) == (
            path.read_bytes(),
            hashlib.sha256(path.read_bytes()).hexdigest(),
        )
        path.write_text(path.read_text("utf-8").replace(old, new, 1), "utf-8")
        after = load_game(path)
        assert (after != before, after.sha256 != before.sha256) == (edge_moves, True)


def test_a_layout_is_known_by_its_very_id_or_by_its_id_in_capitals() -> None:
    game = load_game(COMMISSION_2013)
    own = [msgspec.structs.replace(game.layouts[0], id=name) for name in ("a", "A", "East", "WEST")]
    game = msgspec.structs.replace(game, layouts=tuple(own))
    names = {"a": "a", "A": "A", "East": "East", "WEST": "WEST", "west": "WEST"}
    assert {name: game.layout(name).id for name in names} == names
    with pytest.raises(InputError):
        game.layout("east")
