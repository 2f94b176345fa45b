"""The library: one surface, typed and lazy; it takes what people give, refuses what is wrong, shows what it has."""

import hashlib
import pickle
import pydoc
import re
import sys
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from types import NoneType
from typing import Any

import msgspec
import numpy as np
import pandas  # type: ignore[import-untyped, unused-ignore]
import polars
import pytest

import combinat
from combinat import (
    CertificateError,
    CombinatError,
    FileError,
    InputError,
    Rank,
    Round,
    RuleBookError,
    Shoe,
    analyze,
    coverage,
    crosscheck,
    evaluate,
    follow,
    formula,
    load_game,
    parse_game,
    removal,
    round_in_progress,
    ruling,
    settle,
    simulate,
    solve,
    verify,
    write_report,
)
from combinat.base.errors import MissingLibraryError
from combinat.base.number import Root
from combinat.base.tabular import Tabular, quotients
from combinat.report.certified.verify import Verified
from combinat.report.certified.write_report import Written
from combinat.rules.converters import as_document
from tests.audit.logs import STAKED_LOG
from tests.conftest import Run
from tests.documents import COMMISSION_2013, NONCOMMISSION_2024, NONCOMMISSION_2025
from tests.paths import ROOT, stored
from tests.programs import python
from tests.raises import refusal_of

SMALL = ROOT / "tests" / "books" / "small-baccarat.toml"

# ---------------------------------------------------------------- the surface


PUBLIC = sorted({*dir(combinat)} - {"__version__"})


def test_the_help_of_the_package_is_short_and_names_its_surface() -> None:
    words = set(re.findall(r"\w+", str(combinat.__doc__)))
    assert set(PUBLIC) <= words
    assert len(pydoc.render_doc(combinat).splitlines()) < 60


def test_every_public_name_says_what_it_is_with_an_example() -> None:
    for name in PUBLIC:
        words = getattr(combinat, name).__doc__
        assert words, name
        assert ">>>" in words or name.endswith("Error"), name
        kind = getattr(combinat, name)
        members = vars(kind).items() if isinstance(kind, type) else ()
        for member, value in members:
            if not member.startswith("_") and (isinstance(value, property | classmethod) or callable(value)):
                assert value.__doc__, f"{name}.{member}"


def test_a_name_that_is_none() -> None:
    with pytest.raises(AttributeError, match="analyse"):
        _ = getattr(combinat, "analyse")  # noqa: B009


def test_importing_the_library_loads_no_heavy_library() -> None:
    code = (
        "import combinat, sys; before = set(sys.modules); combinat.odds; print(*before); print(*sys.modules)"
    )
    before, after = (set(line.split()) for line in python("-c", code).output().splitlines())
    assert not {"numpy", "msgspec", "fractions", "combinat.rules"} & before
    assert not {"polars", "scipy", "sympy", "typst", "xlsxwriter", "cryptography", "numba"} & after


# ---------------------------------------------------------------- what is given


def test_a_game_is_an_id_a_path_or_a_game_and_a_shoe_a_number_of_decks() -> None:
    game = load_game(SMALL)
    assert load_game(str(SMALL)) == load_game(game) == parse_game(SMALL.read_text("utf-8")) == game
    by = [analyze(given, shoe) for given in (SMALL, game) for shoe in (1, Shoe.of_decks(1))]
    assert all(one == by[0] for one in by)
    assert analyze(game).shoe == Shoe.of_decks(8)
    assert analyze(game, Shoe.of_decks(1), removed="A A").shoe == Shoe.of_decks(1).minus("A A")
    assert [listed.id for listed in combinat.games()] == sorted(listed.id for listed in combinat.games())


def test_shoes_of_a_batch_come_as_arrays_frames_files_and_shoes(tmp_path: Path) -> None:
    shoes = [Shoe.of_decks(1), Shoe.of_decks(2).minus("A A 10")]
    expected = evaluate(SMALL, shoes).to_dicts()
    by_rank = {rank.value: [shoe[rank] for shoe in shoes] for rank in reversed(Rank)} | {"table": ["a", "b"]}
    file = tmp_path / "shoes.csv"
    polars.DataFrame(by_rank).write_csv(file)
    for given in (np.array([shoe.counts for shoe in shoes]), iter(shoes), file, str(file)):
        assert evaluate(SMALL, given).to_dicts() == expected
    for frame in (polars.DataFrame(by_rank), pandas.DataFrame(by_rank)):
        assert evaluate(SMALL, frame).to_dicts() == expected
    file.write_text("removed\nA A 10\n")
    assert evaluate(SMALL, file, decks=2).to_dicts()[0]["banco"] == expected[1]["banco"]
    with pytest.raises(InputError, match="found 0 for K"):
        evaluate(SMALL, polars.DataFrame({rank.value: [4] for rank in list(Rank)[:-1]}))


def test_whole_numbers_of_numpy_are_whole_numbers() -> None:
    assert analyze(SMALL, wrong(np.int64(1))) == analyze(SMALL, 1)
    assert Shoe.of_decks(np.int8(2)) == Shoe.of_decks(2)
    assert settle(COMMISSION_2013, DEALT, {"banker": wrong(np.int64(5))}).staked == 5


def test_a_shoe_of_counts() -> None:
    fresh = Shoe.of_decks(2)
    assert Shoe.of([8] * 13) == Shoe.of(np.full(13, 8)) == Shoe.of(dict.fromkeys(Rank, 8)) == fresh
    assert (len(fresh), len(list(fresh)), sum(card is Rank.KING for card in fresh)) == (104, 104, 8)
    assert bool(Shoe.of({}))


def test_a_game_carries_its_rule_book() -> None:
    """Across processes too. With other odds, or edited, it is not the game of that rule book."""
    game = load_game(SMALL)
    tiger = load_game(NONCOMMISSION_2025)
    read = tiger.reading(tiger.interpretations[0].id)
    assert (as_document(game), as_document(read)) == (game, read)
    assert analyze(read, 1).game == read
    for one in (game, pickle.loads(pickle.dumps(game))):
        assert (one, one.content) == (game, SMALL.read_bytes())
        assert one.sha256 == hashlib.sha256(SMALL.read_bytes()).hexdigest()
    for other in (game.paying(punto="2 to 1"), msgspec.structs.replace(game, bets=game.bets[:1])):
        with pytest.raises(RuleBookError, match="needs the rule book itself"):
            as_document(other)


def test_an_edge_is_a_percentage_a_fraction_or_a_decimal() -> None:
    stated = [{"edge": "5%"}, {"edge": Fraction(1, 20)}, {"edge": Decimal("0.05")}, {"returned": "95%"}]
    solutions = [solve(COMMISSION_2013, "tie", 6, **wrong(one)) for one in stated]
    assert {str(solution.lines) for solution in solutions} == {str(solutions[0].lines)}
    assert solve(COMMISSION_2013, "tie", 6, edge="-5%").exact.house_edge == Fraction(-1, 20)


def test_amounts_are_whole_numbers_fractions_decimals_and_text() -> None:
    dealt = Round.parse("9 4 K", "7 7")
    for amount in (Fraction(5, 2), Decimal("2.5"), "2.50"):
        assert settle(COMMISSION_2013, dealt, {"banker": amount}).net == Fraction(19, 8)
    insured = settle(
        COMMISSION_2013, Round.parse("K 5 K", "6 K"), {"banker": 100}, {("banker", "four-cards"): 1}
    )
    assert [line.id for line in insured] == ["banker", "banker@four-cards"]


def wrong(value: object) -> Any:
    """A value of another type than the one asked for."""
    return value


DEALT = Round.parse("9 4 K", "7 7")
WRONG: dict[str, tuple[Callable[[], object], type[CombinatError]]] = {
    "decks as a float": (lambda: analyze(COMMISSION_2013, wrong(8.0)), InputError),
    "no deck": (lambda: analyze(COMMISSION_2013, 0), InputError),
    "decks without end": (lambda: analyze(COMMISSION_2013, 10**9), InputError),
    "true": (lambda: analyze(COMMISSION_2013, True), InputError),
    "a number as a game": (lambda: load_game(wrong(3)), RuleBookError),
    "no rule book": (lambda: parse_game("id ="), RuleBookError),
    "a path as a text": (lambda: parse_game(wrong(SMALL)), RuleBookError),
    "twelve counts": (lambda: Shoe(wrong([32] * 12)), InputError),
    "twelve counts again": (lambda: Shoe.of([32] * 12), InputError),
    "counts as floats": (lambda: Shoe.of(np.full(13, 8.0)), InputError),
    "a rank that is none": (lambda: Shoe.of({"X": 1}), InputError),
    "a shoe as a text": (lambda: Shoe.of(wrong("A=1")), InputError),
    "a shoe of a number": (lambda: Shoe.parse(wrong(8)), InputError),
    "a count without end": (lambda: Shoe.of([10**5000] * 13), InputError),
    "packs without end": (lambda: Shoe.of_decks(10**6), InputError),
    "decks without end at all": (lambda: analyze(SMALL, 10**5000), InputError),
    "one bet as text for protect": (lambda: combinat.protect(SMALL, bets="six"), InputError),
    "a shoe and decks": (lambda: analyze(SMALL, Shoe.of_decks(1), decks=2), InputError),
    "decks and cards": (lambda: analyze(SMALL, 1, cards="A=4"), InputError),
    "several numbers of decks": (lambda: Shoe.of_decks(wrong(np.array([6, 8]))), InputError),
    "a bet misspelt": (lambda: analyze(SMALL, 1)["bankco"], InputError),
    "a bet misspelt in a batch": (lambda: evaluate(SMALL, Shoe.of_decks(1))["bankco"], InputError),
    "odds as a number": (lambda: load_game(COMMISSION_2013).paying({"tie": wrong(9)}), InputError),
    "odds as bytes": (lambda: load_game(COMMISSION_2013).paying({"tie": wrong(b"9 to 1")}), InputError),
    "a count that is missing in a frame of polars": (
        lambda: evaluate(SMALL, polars.DataFrame({rank: [4, 4] for rank in Rank} | {"9": [4, None]})),
        InputError,
    ),
    "a count that is missing in a frame of pandas": (
        lambda: evaluate(SMALL, pandas.DataFrame({rank: [4, 4] for rank in Rank} | {"9": [4, None]})),
        InputError,
    ),
    "a column of floats in a frame": (
        lambda: evaluate(SMALL, pandas.DataFrame({rank: [4, 4] for rank in Rank} | {"9": [4, 4.5]})),
        InputError,
    ),
    "a column of true and false in a frame": (
        lambda: evaluate(SMALL, polars.DataFrame({rank: [4, 4] for rank in Rank} | {"9": [True, False]})),
        InputError,
    ),
    "odds of a bet misspelt": (lambda: load_game(COMMISSION_2013).paying({"ti": "9 to 1"}), InputError),
    "odds too many": (lambda: load_game(COMMISSION_2013).paying({"tie": "9 to 1,8 to 1"}), InputError),
    "a reading misspelt": (lambda: load_game(COMMISSION_2013).reading("pair-by-rnk"), InputError),
    "a natural that drew": (
        lambda: settle(COMMISSION_2013, Round.parse("9 K 3", "7 7"), {"banker": 1}),
        InputError,
    ),
    "a float as a stake": (lambda: settle(COMMISSION_2013, DEALT, {"banker": wrong(0.1)}), InputError),
    "a float of numpy as a stake": (
        lambda: settle(COMMISSION_2013, DEALT, {"banker": wrong(np.float64(10))}),
        InputError,
    ),
    "a float that no text states": (
        lambda: settle(COMMISSION_2013, DEALT, {"banker": wrong(1e30)}),
        InputError,
    ),
    "words as a stake": (lambda: settle(COMMISSION_2013, DEALT, {"banker": "ten"}), InputError),
    "a stake without end": (
        lambda: settle(COMMISSION_2013, DEALT, {"banker": Decimal("1e999999")}),
        InputError,
    ),
    "cards as a round": (lambda: settle(COMMISSION_2013, wrong("9 4"), {"banker": 1}), InputError),
    "a round of plain texts": (lambda: Round(wrong(("9", "4", "K")), wrong(("7", "7"))), InputError),
    "a round of numbers": (lambda: Round(wrong((9, 4)), ()), InputError),
    "a hand as text": (lambda: Round(DEALT.player, wrong("7 7")), InputError),
    "a number as a hand": (lambda: Round(wrong(9)), InputError),
    "a table that is none": (lambda: Round((), (), wrong(9)), InputError),
    "insurance of nobody": (
        lambda: settle(COMMISSION_2013, DEALT, {"banker": 1}, {"dealer@four-cards": 1}),
        InputError,
    ),
    "a round that is over": (
        lambda: round_in_progress(COMMISSION_2013, Round.parse("5 4", "K 6")),
        InputError,
    ),
    "a round that could not be": (
        lambda: round_in_progress(COMMISSION_2013, Round.parse("9 K 2", "K 6")),
        InputError,
    ),
    "an edge as a float": (lambda: solve(SMALL, "banco", edge=wrong(0.05)), InputError),
    "no edge": (lambda: wrong(solve)(SMALL, "banco"), CombinatError),
    "a return under nothing": (lambda: solve(SMALL, "banco", returned="-1%"), CombinatError),
    "a layout that is no text": (
        lambda: settle(COMMISSION_2013, DEALT, {"banker": 1}, layout=wrong(3)),
        InputError,
    ),
    "insurance without amounts": (
        lambda: settle(COMMISSION_2013, DEALT, {"banker": 1}, wrong(["player"])),
        InputError,
    ),
    "readings that are none": (lambda: load_game(SMALL).reading(wrong(3)), InputError),
    "cards that are none": (lambda: Shoe.of_decks(1).minus(wrong(3)), InputError),
    "a rank asked for": (lambda: Shoe.of_decks(1)["X"], InputError),
    "formats that are none": (lambda: write_report(SMALL, formats=wrong(3)), CombinatError),
    "an incident that is none": (lambda: ruling(COMMISSION_2013, "foreign"), InputError),
    "a formula at no deck": (lambda: formula(SMALL, "banco")[0].at(wrong(8.0)), CombinatError),
    "a shoe that is not in a batch": (
        lambda: evaluate(SMALL, Shoe.of_decks(1)).expected_value(1, "banco"),
        InputError,
    ),
    "one bet as text": (lambda: coverage(SMALL, bets="six"), CombinatError),
    "no bets": (lambda: coverage(SMALL, bets=wrong(None)), CombinatError),
    "late insurance as a number": (
        lambda: settle(COMMISSION_2013, DEALT, {"banker": 1}, late=wrong(3)),
        InputError,
    ),
    "a path that is none": (lambda: simulate(SMALL, "a\0.json"), CombinatError),
    "an open file": (lambda: crosscheck(wrong(sys.stdin)), CombinatError),
    "a map that is none": (lambda: crosscheck("x", log_map=wrong(3)), InputError),
    "a key of a map": (lambda: crosscheck("x", log_map={"colums": {}}), FileError),
    "columns that are none": (lambda: crosscheck("x", by=wrong(3)), InputError),
    "a report of another kind": (lambda: crosscheck("x", report="x.pdf"), CombinatError),
    "a log that is not there": (lambda: follow("nowhere.csv"), FileError),
    "odds of nothing": (lambda: load_game(SMALL).paying(wrong(3)), InputError),
    "a false number": (lambda: write_report(SMALL, simulation_rounds=wrong(False)), CombinatError),
    "a level that is a float": (lambda: crosscheck("x", alpha=wrong(0.05)), InputError),
    "a report that is not there": (lambda: verify("nowhere"), CertificateError),
    "a report that is none": (lambda: verify(ROOT / "docs"), CertificateError),
    "too many together": (
        lambda: ruling(NONCOMMISSION_2025, "simultaneous-cards", "9 4", together=9),
        InputError,
    ),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_mistake_is_refused_with_what_to_write(what: str) -> None:
    ask, kind = WRONG[what]
    with pytest.raises(kind) as refused:
        ask()
    assert "--" not in str(refused.value)


# ---------------------------------------------------------------- what one looks at


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> list[Tabular]:
    """One of every kind of result."""
    folder, analysis = tmp_path_factory.mktemp("results"), analyze(COMMISSION_2013, 1)
    covered = coverage(COMMISSION_2013, bets=["tie"])
    counts = simulate(SMALL, folder / "counts.json", 2, rounds=10_000)
    log = simulate(SMALL, folder / "log.csv", 2, rounds=50)
    log.write_text(log.read_text().replace("7 7", "7 X").replace("6 6", "6 6 6 6"))
    verdict = crosscheck(counts, game=SMALL)
    assert verdict.judgement is not None
    return [
        *(analysis, analysis["tie"], analysis.insurance, analysis.insurance[0], analysis.game),
        evaluate(
            SMALL, [Shoe.of_decks(1)] * 300, insurance=True, outcomes=True, variance=True, stakes={"six": 1}
        ),
        settle(COMMISSION_2013, DEALT, {"banker": 1}),
        round_in_progress(COMMISSION_2013, Round.parse("2 4", "K 5")),
        ruling(COMMISSION_2013, "foreign-card", "9 4 K"),
        *(removal(COMMISSION_2013, 1), removal(COMMISSION_2013, 1)["tie"]),
        *(formula(SMALL, "banco"), formula(SMALL, "banco")["expected value"]),
        solve(COMMISSION_2013, "player-pair", edge="5%"),
        solve(COMMISSION_2013, "player-pair", hit="5%"),
        *(covered, covered["tie"], combinat.games()),
        *(combinat.protect(SMALL, decks=1, cut_card=20), combinat.perfect(SMALL, 7, decks=1)),
        *(combinat.count(SMALL, "six", "8=1", 20, decks=1), combinat.counts(COMMISSION_2013, 26, decks=1)),
        *(combinat.exposure(SMALL, {"six": 5}, decks=1), combinat.check(SMALL, decks=1)),
        *(
            combinat.diff(COMMISSION_2013, NONCOMMISSION_2024),
            combinat.power(COMMISSION_2013, "wrong-cell 6/7"),
        ),
        *(
            combinat.settle_table(NONCOMMISSION_2024, ROOT / "docs" / "table.toml"),
            combinat.review(stored(folder, STAKED_LOG, "staked.csv")),
        ),
        combinat.study(SMALL, folder / "study", bets=["six"], decks=1, cut_card=20, burn="none", shoes=50),
        *(verdict, verdict.judgement, follow(log, game=SMALL)),
        Written(folder=folder, files={"small-baccarat": ("a", "b")}),
        Verified(path=folder, reports={}, signed=False),
    ]


def test_results_are_a_line_in_a_shell_and_a_table_in_a_notebook(results: list[Tabular]) -> None:
    for record in results:
        assert len(repr(record)) < 160, repr(record)
        assert "\n" not in repr(record)
        html = record._repr_html_()
        assert html is not None
        assert isinstance(record, Verified) or "<table>" in html
        assert html.count("<tr") <= 300
    analysis = results[0]
    assert isinstance(analysis, combinat.Analysis)
    others = (analysis["tie"]["loses"], DEALT, analysis.game.bet("tie"), combinat.games()[0])
    assert all(len(repr(record)) < 160 for record in others)


def test_rows_are_exact_and_frames_hold_them(results: list[Tabular]) -> None:
    for record in results:
        rows = record.to_dicts()
        kinds = {type(value) for row in rows for value in row.values()}
        assert all(issubclass(kind, str | int | Fraction | Root | NoneType) for kind in kinds), record
        assert all(row.keys() == rows[0].keys() for row in rows)
        polars_frame, pandas_frame = record.to_polars(), record.to_pandas()
        assert list(pandas_frame.columns) == polars_frame.columns
        assert len(pandas_frame) == len(polars_frame) == len(rows)


def test_what_is_given_by_an_id_is_held_by_it(results: list[Tabular]) -> None:
    ids = {
        "tie",
        "banker",
        "banco",
        "loses",
        "expected value",
        COMMISSION_2013,
        "banker:four-cards:6-5",
        "log",
        "p",
    }
    asked = [record for record in results if hasattr(record, "__getitem__")]
    assert len(asked) == 14
    for record in asked:
        known = wrong(record)
        assert any(name in known for name in ids), record
        assert "no-such" not in known
        for name in ids:
            try:
                known[name]
            except InputError:
                assert name not in known
            else:
                assert name in known
        assert all(part in known for part in known)
        assert None not in known


def test_a_record_by_what_is_neither_an_id_nor_a_place() -> None:
    with pytest.raises(InputError, match="found None; write an id as text"):
        wrong(combinat.games())[None]
    with pytest.raises(IndexError):
        combinat.games()[1000]


def test_a_result_goes_to_another_process_and_comes_back(results: list[Tabular]) -> None:
    several = [
        *results,
        analyze(SMALL, 1, by_recursion=True),
        analyze(NONCOMMISSION_2025, 1),
    ]
    for record in several:
        back = pickle.loads(pickle.dumps(record))
        assert back.to_dicts() == record.to_dicts()
        assert isinstance(record, combinat.Evaluation) or back == record
    for record in several[-2:]:
        back = pickle.loads(pickle.dumps(record))
        assert {back: "equal ones are one key"}[record]
        told = [each.distribution.detailed(thirds=True, pair_ranks=True) for each in (back, wrong(record))]
        assert told[0] == told[1]


def test_what_was_asked_of_a_batch_is_in_its_rows() -> None:
    shoe = Shoe.of_decks(1).minus("A A K")
    asked = {"insurance": True, "outcomes": True, "variance": True, "stakes": {"six": 2, "punto": "0.5"}}
    (row,) = evaluate(SMALL, shoe, **wrong(asked)).to_dicts()
    analysis = analyze(SMALL, shoe)
    assert row["six-variance"] == analysis["six"].variance
    assert row["stakes"] == 2 * analysis["six"].expected_value + analysis["punto"].expected_value / 2
    for state in analysis.insurance:
        assert row[f"{state.key}:probability"] == state.probability
        assert row[f"{state.key}:expected-value"] == state.expected_value
    assert row["sample-space"] == analysis.sample_space
    assert row["six:with two cards:ways"] == analysis["six"]["with two cards"].ways


def test_a_standard_deviation_is_an_exact_root() -> None:
    bet = analyze(COMMISSION_2013)["player-pair"]
    assert (bet.standard_deviation * 2).square == 4 * bet.variance
    assert bet.skewness is not None
    assert bet.skewness.square == bet.skewness_signed_square


def test_floats_of_a_batch_are_the_nearest_to_the_exact_values() -> None:
    evaluation = evaluate(COMMISSION_2013, [Shoe.of_decks(8), Shoe.of_decks(10).minus("A A K")])
    floats = evaluation.expected_values()
    assert (str(floats.dtype), floats.shape) == ("float64", evaluation.numerators.shape)
    for row, exact in zip(floats.tolist(), evaluation, strict=True):
        assert row == [float(value) for value in exact.values()]
    assert evaluation["tie"] == tuple(row["tie"] for row in evaluation)
    assert evaluation.expected_values("tie").tolist() == list(map(float, evaluation["tie"]))
    cards_left, edges = evaluation.edges("tie")
    assert (cards_left.tolist(), edges.tolist()) == (
        [416, 517],
        [-float(value) for value in evaluation["tie"]],
    )
    large = quotients(np.array([[2**53 + 1]]), np.array([[2**53 + 3]]))
    assert large.tolist() == [[(2**53 + 1) / (2**53 + 3)]]


def test_a_frame_has_exact_text_and_a_float_beside() -> None:
    analysis = analyze(COMMISSION_2013)
    for frame in (analysis.to_polars(), analysis.to_pandas()):
        assert list(frame["house_edge"]) == [str(bet.house_edge) for bet in analysis]
        assert list(frame["house_edge_float"]) == [float(bet.house_edge) for bet in analysis]
        assert str(frame["house_edge_float"].dtype).lower() == "float64"
    ways = [line.ways for line in analysis["tie"]]
    assert (
        list(analysis["tie"].to_pandas()["ways"])
        == [row["ways"] for row in analysis["tie"].to_dicts()]
        == ways
    )


def test_a_frame_without_its_library_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingLibraryError):
        analyze(SMALL, 1).to_pandas()


# ---------------------------------------------------------------- files


def test_a_log_is_followed_as_the_command_follows_it(run: Run, tmp_path: Path) -> None:
    lines = simulate(SMALL, tmp_path / "whole.csv", 2, rounds=400).read_bytes().splitlines(keepends=True)
    log, states = tmp_path / "log.csv", (tmp_path / "mine.json", tmp_path / "theirs.json")
    words = [
        "crosscheck",
        str(log),
        "--game",
        str(SMALL),
        "--follow",
        "--every",
        "0",
        "--state",
        str(states[1]),
    ]
    for end in (200, len(lines)):
        log.write_bytes(b"".join(lines[:end]))
        followed = follow(log, game=SMALL, state=states[0])
        assert (followed.alarms, followed.has_alarmed, run(*words).code) == ((), False, 0)
        assert states[0].read_bytes() == states[1].read_bytes()
    assert followed.rounds == 400


@pytest.mark.parametrize(
    ("ask", "given", "said"),
    [
        (simulate, {"out": "counts.txt"}, r"ends in .json for counts"),
        (simulate, {"out": "counts.json", "rounds": 0}, "rounds: found 0; write a whole number from 1"),
        (simulate, {"out": "counts.json", "rounds": 1e6}, "rounds: found 1000000.0"),
        (simulate, {"out": "counts.json", "burn": True}, "give cut_card"),
        (simulate, {"out": "counts.json", "fault": "x"}, "x"),
        (
            write_report,
            {"decks": [3, 1]},
            r"decks: found \[3, 1\]; write numbers of decks from 1 to 1000 in ascending order",
        ),
        (
            write_report,
            {"simulations": 3},
            "simulations: found 3; write own, none, the path of a file, or a list",
        ),
        (write_report, {"simulations": ["a/x.json", "b/x.json"]}, "two files have one name"),
        (
            write_report,
            {"simulations": "counts.json", "simulation_rounds": 10_000},
            "name of the report's own simulation",
        ),
        (
            write_report,
            {"simulations": "nowhere.json"},
            "nowhere.json: .*write own, none, or the path of a counts file or a hand log",
        ),
        (write_report, {"simulation_rounds": 9_999}, "write 0, or 10000 or more"),
        (write_report, {"decks": 8.0}, "decks: found 8.0"),
        (write_report, {"formats": ["doc"]}, 'formats: found "doc"; write some of markdown'),
        (write_report, {"formats": ["csv"], "memo": True}, "a memo needs one of the formats"),
        (write_report, {"paper": "a5"}, "write one of a4, letter"),
        (write_report, {"games": []}, "write a game, a list of them, or None for all"),
        (write_report, {"games": [SMALL, SMALL]}, "give each game once"),
        (write_report, {"out": SMALL}, "is a rule book"),
    ],
)
def test_what_cannot_be_written_is_refused_before_any_work(
    ask: Callable[..., object],
    given: dict[str, Any],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    place = {"game": SMALL} if ask is simulate else {"games": SMALL, "out": "out"}
    refusal = str(refusal_of(lambda: ask(**{**place, **given})))
    assert re.search(said, refusal)
    assert "--" not in refusal
    assert not list(tmp_path.iterdir())
