"""Options of tables: columns, order, decimals, width; and CSV, which is one table a stream."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from combinat.base.errors import InputError
from combinat.base.kinds import ODDS, ONE_IN, decimal, estimated, percentage
from combinat.cli.options import several_decks
from combinat.render.blocks import Column, Figure, Meaning, Row, Section, Table, cells, table
from combinat.render.table_options import TableOptions, named_tables, printing_tables, with_options
from combinat.render.text import Format, rendered
from tests.conftest import SMALL_BOOK, Run
from tests.documents import COMMISSION_2013, NONCOMMISSION_2025

BETS = table(
    (Column("bet"), Column("house edge %", percentage(2), name="house_edge")),
    [
        ("b", Fraction(1, 10)),
        ("a", Fraction(-1, 3)),
        ("c", None),
        Row(("total", Fraction(0)), Meaning.TOTAL),
    ],
    "Bets",
)


def rows(options: TableOptions, block: Table | Section = BETS) -> list[list[str]]:
    with printing_tables(options):
        ((_, made),) = named_tables(with_options([block]))
    return [cells(row, made.columns) for row in made.rows]


def test_rows_are_sorted_by_exact_values_and_a_total_stays_last() -> None:
    assert [row[0] for row in rows(TableOptions(sort="house edge"))] == ["a", "b", "c", "total"]
    assert [row[0] for row in rows(TableOptions(sort="-House-Edge"))] == ["b", "a", "c", "total"]
    assert [row[0] for row in rows(TableOptions(sort="bet"))] == ["a", "b", "c", "total"]


def test_rows_are_sorted_by_what_is_shown() -> None:
    """What is rare is one in many, though its probability is small; words are in natural order."""
    block = table(
        (Column("bet"), Column("one in", ONE_IN), Column("pays", ODDS)),
        [
            ("even", Fraction(1, 2), "8 to 1"),
            ("never", Fraction(0), "push"),
            ("rare", Fraction(1, 200), "4, 20, 100 to 1"),
            ("some", Figure(Fraction(1, 60), ONE_IN), "50 to 1"),
            ("tenth", Fraction(1, 10), "1 to 1 less 5%"),
        ],
    )
    assert [row[0] for row in rows(TableOptions(sort="one in"), block)] == [
        "even",
        "tenth",
        "some",
        "rare",
        "never",
    ]
    assert [row[0] for row in rows(TableOptions(sort="-one in"), block)] == [
        "rare",
        "some",
        "tenth",
        "even",
        "never",
    ]
    assert [row[0] for row in rows(TableOptions(sort="pays"), block)] == [
        "tenth",
        "rare",
        "even",
        "some",
        "never",
    ]


def test_columns_and_decimals_are_chosen() -> None:
    assert rows(TableOptions(columns=("house edge", "bet"), places=5))[:2] == [
        ["10.00000", "b"],
        ["-33.33333", "a"],
    ]


def test_a_table_without_the_columns_is_left_out() -> None:
    other = Section("Other", (table((Column("deck"),), [("8",)]), BETS))
    with printing_tables(TableOptions(columns=("deck",))):
        assert rendered([other], Format.TEXT) == "Other\n=====\n\ndeck\n----\n8"


def test_csv_holds_one_table_with_exact_columns() -> None:
    both = Section("Both", (table((Column("deck"),), [("8",)], "Decks"), BETS))
    with printing_tables(TableOptions(one_table=True)) as left_out:
        assert rendered([both], Format.CSV, main="Bets").splitlines()[:3] == [
            "bet,house_edge,house_edge_decimal",
            "b,1/10,0.100000000000",
            "a,-1/3,-0.333333333333",
        ]
    assert left_out == ["1 Decks"]
    with printing_tables(
        TableOptions(one_table=True, columns=("house_edge", "house edge decimal"), places=3)
    ):
        assert rendered([both], Format.CSV).splitlines()[1] == "1/10,0.100"
    guesses = table((Column("z", estimated(decimal(2))), Column("seen %", estimated(percentage(1)), name="seen")), [(Fraction(1, 3),) * 2])  # fmt: skip
    with printing_tables(TableOptions(one_table=True)):  # no fraction says what is not exact
        assert rendered([guesses], Format.CSV).splitlines() == ["z,seen_percent", "0.33,33.3"]
    assert rendered([both], Format.CSV).count("\n\n") == 1


def test_what_would_be_printed_goes_to_a_file(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "odds.json"
    ran = run("odds", COMMISSION_2013, "-f", "json", "--out", str(out))
    assert ran.output() == ""
    assert json.loads(out.read_text("utf-8"))["game"] == COMMISSION_2013
    run("odds", COMMISSION_2013, "--out", str(tmp_path)).refusal()
    book = tmp_path / "small-baccarat.toml"
    book.write_bytes(SMALL_BOOK.read_bytes())
    run("odds", str(book), "--out", str(book)).refusal()
    assert book.read_bytes() == SMALL_BOOK.read_bytes()


@pytest.mark.parametrize(
    "words",
    [("--columns", "bet,house"), ("--sort", "stddev"), ("--places", "2", "-f", "json")],
)
def test_an_option_that_cannot_be_is_refused(run: Run, words: tuple[str, ...]) -> None:
    assert words[0] in run("odds", COMMISSION_2013, *words).refusal()


# ---------------------------------------------------------------- decks and games that need not be said


@pytest.mark.parametrize(
    ("decks", "numbers"),
    [("4-6", [4, 5, 6]), ("4,6,8", [4, 6, 8]), ("2-3,8,10-11", [2, 3, 8, 10, 11]), ("8", None)],
)
def test_decks_are_a_range_or_a_list(decks: str, numbers: list[int] | None) -> None:
    assert several_decks(decks) == numbers


@pytest.mark.parametrize("decks", ["x", "6,4", "4,4", "4-6,6", "0,4", "1-60,70-120", "8-4"])
def test_decks_that_cannot_be_are_refused(decks: str) -> None:
    with pytest.raises(InputError):
        several_decks(decks)


def test_the_environment_says_the_game_and_the_decks(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    stated = run("odds", COMMISSION_2013, "--decks", "6").out
    left = run("odds", COMMISSION_2013, "--cards", "A=4 9=4").out
    monkeypatch.setenv("COMBINAT_GAME", COMMISSION_2013)
    monkeypatch.setenv("COMBINAT_DECKS", "6")
    assert run("odds").out == stated
    assert run("odds", "--cards", "A=4 9=4").out == left
    assert "Shoe: 5 decks" in run("odds", NONCOMMISSION_2025, "--decks", "5").out


# ---------------------------------------------------------------- what a narrow terminal does


def narrow(block: Table, width: int) -> list[str]:
    with printing_tables(TableOptions(width=width, is_terminal=True)):
        return rendered([block], Format.TEXT).splitlines()


def test_a_table_that_is_too_wide_wraps_moves_closer_drops_spare_columns_and_is_printed_as_it_is() -> None:
    block = table(
        (Column("state of play"), Column("EV %", percentage(1)), Column("favours", is_spare=True)),
        [("a", Fraction(1, 50), "PLAYER")],
    )
    assert narrow(block, 28)[0] == "state of play  EV %  favours"
    assert narrow(block, 20)[0:3] == ["state", "of      EV", "play     %  favours"]
    assert narrow(block, 17)[2:] == ["play    % favours", "----- --- -------", "a     2.0 PLAYER"]
    assert narrow(block, 16)[0:3] == ["state", "of      EV", "play     %"]
    assert narrow(block, 5)[-1] == "a     2.0"
    prose = table((Column("when"),), [("the Banker Hand wins and not with seven points",)])
    assert narrow(prose, 24)[2:] == ["the Banker Hand wins and", "not with seven points"]
