"""The workbook, read back with the standard library and recalculated by a small evaluator of its formulas.

The evaluator reads numbers as Excel does: ``VALUE`` keeps 15 digits of a text, arithmetic is in double
precision. So a formula that lost digits of a count would be seen here.
"""

import io
import json
import os
import re
import subprocess
import sys
import tempfile
import zipfile
from copy import deepcopy
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from functools import cache
from itertools import product
from math import prod, sqrt
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combinat import CombinatError, __version__, load_game
from combinat.report.workbook import significant, significant_root, write_workbook
from tests.documents import COMMISSION_2013, NONCOMMISSION_2025
from tests.test_report_tables import DECKS, analysis_of, game_of

MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"

Value = float | str | bool | None


@dataclass(frozen=True)
class Cell:
    """A cell as the file has it: its value, cached if there is a formula."""

    value: Value
    formula: str = ""


Sheets = dict[str, dict[str, Cell]]


@cache
def written(game: str) -> bytes:
    """The workbook of a game, as bytes."""
    return workbook_of(analysis_of(game), game)


def workbook_of(analysis: dict[str, Any], game: str) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "workbook.xlsx"
        write_workbook(analysis, game_of(game), path)
        return path.read_bytes()


def parts(package: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(package)) as zipped:
        return {name: zipped.read(name) for name in zipped.namelist()}


def sheet_parts(package: bytes) -> dict[str, ElementTree.Element]:
    """The XML of every sheet by its name, in order."""
    found = parts(package)
    targets = {
        one.attrib["Id"]: one.attrib["Target"]
        for one in ElementTree.fromstring(found["xl/_rels/workbook.xml.rels"])
    }
    return {
        one.attrib["name"]: ElementTree.fromstring(found["xl/" + targets[one.attrib[RELATION]]])
        for one in ElementTree.fromstring(found["xl/workbook.xml"]).iter(f"{MAIN}sheet")
    }


def sheets(package: bytes) -> Sheets:
    """Every cell that holds something, by sheet and place."""
    strings = [
        "".join(text.text or "" for text in one.iter(f"{MAIN}t"))
        for one in ElementTree.fromstring(parts(package)["xl/sharedStrings.xml"])
    ]
    found: Sheets = {}
    for name, root in sheet_parts(package).items():
        cells = found[name] = {}
        for one in root.iter(f"{MAIN}c"):
            text, formula = one.findtext(f"{MAIN}v"), one.findtext(f"{MAIN}f") or ""
            if text is None:
                continue
            values: dict[str, Any] = {
                "s": lambda text: strings[int(text)],
                "str": str,
                "b": lambda text: text == "1",
            }
            cells[one.attrib["r"]] = Cell(values.get(one.get("t", "n"), float)(text), formula)
    return found


@cache
def read(game: str) -> Sheets:
    return sheets(written(game))


def rows(cells: dict[str, Cell], columns: str) -> dict[int, list[Value]]:
    """The values of these columns by row number, from the first row under the head."""
    last = max(int(place.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")) for place in cells)
    empty = Cell(None)
    return {
        row: [cells.get(f"{letter}{row}", empty).value for letter in columns] for row in range(4, last + 1)
    }


# ---------------------------------------------------------------- a small evaluator

TOKEN = re.compile(
    r"""(?P<text>"[^"]*")|(?:'(?P<sheet>[^']+)'!)?(?P<first>\$?[A-Z]{1,2}\$?\d+)(?::(?P<last>\$?[A-Z]{1,2}\$?\d+))?"""
    r"""|(?P<name>[A-Z]+)(?=\()|(?P<truth>TRUE|FALSE)|(?P<number>\d+(?:\.\d+)?(?:E-?\d+)?)|(?P<sign><=|[-+*/^&=<>(),])"""
)
SIGNS = {"^": "**", "&": "+", "=": "=="}


def in_python(formula: str, here: str) -> str:
    """The formula as a Python expression; one that is not well formed is refused."""
    words, at = [], 0
    while at < len(formula):
        token = TOKEN.match(formula, at)
        assert token, f"{formula} at {formula[at:]}"
        at = token.end()
        if token["first"]:
            places = [place.replace("$", "") for place in (token["first"], token["last"]) if place]
            words.append(f"{'span' if token['last'] else 'cell'}{(token['sheet'] or here, *places)!r}")
        elif token["truth"]:
            words.append(token["truth"].capitalize())
        elif token["number"]:
            words.append(f"float('{token['number']}')")
        else:
            words.append(SIGNS.get(token[0], token[0]))
    return "".join(words)


def places(first: str, last: str) -> list[str]:
    (left, top), (right, bottom) = ((place[0], int(place[1:])) for place in (first, last))
    across = range(ord(left), ord(right) + 1)
    return [f"{chr(letter)}{row}" for row, letter in product(range(top, bottom + 1), across)]


class Recalculated:
    """A workbook whose formulas are worked out anew."""

    def __init__(self, found: Sheets) -> None:
        self.found, self.known = found, dict[tuple[str, str], Any]()

    def cell(self, sheet: str, place: str) -> Any:
        """What a cell comes to; 0 where it is empty."""
        if (sheet, place) not in self.known:
            one = self.found[sheet].get(place, Cell(0.0))
            names = {"cell": self.cell, "span": self.span, **FUNCTIONS}
            value = eval(in_python(one.formula, sheet), names) if one.formula else one.value
            self.known[sheet, place] = value
        return self.known[sheet, place]

    def span(self, sheet: str, first: str, last: str) -> list[Any]:
        """What the cells of a range come to."""
        return [self.cell(sheet, place) for place in places(first, last)]


def meets(value: Any, criterion: Any) -> bool:
    if criterion == ">0":
        return bool(value > 0)
    return type(value) is type(criterion) and bool(value == criterion)


def value_of(text: str) -> float:
    """A number as Excel reads it: digits after the fifteenth are lost."""
    assert re.fullmatch(r"[0-9]+", text)
    digits = text.lstrip("0")
    return float(digits[:15] + "0" * (len(digits) - 15) if len(digits) > 15 else text)


FUNCTIONS: dict[str, Any] = {
    "ABS": abs,
    "COUNTIF": lambda cells, wanted: float(sum(meets(cell, wanted) for cell in cells)),
    "IF": lambda condition, yes, no: yes if condition else no,
    "LEFT": lambda text, count: text[: int(count)],
    "LEN": lambda text: float(len(text)),
    "MAX": max,
    "RIGHT": lambda text, count: text[-int(count) :],
    "SQRT": sqrt,
    "SUM": sum,
    "SUMIF": lambda cells, wanted, summed: sum(
        number for cell, number in zip(cells, summed, strict=True) if meets(cell, wanted)
    ),
    "SUMPRODUCT": lambda *columns: sum(prod(line) for line in zip(*columns, strict=True)),
    "VALUE": value_of,
}


@pytest.mark.parametrize("game", DECKS)
def test_every_formula_comes_to_its_cached_value(game: str) -> None:
    found, formulas, exactly = read(game), 0, 0
    again = Recalculated(found)
    for sheet, cells in found.items():
        for place, cell in cells.items():
            if not cell.formula:
                continue
            value, formulas = again.cell(sheet, place), formulas + 1
            if isinstance(cell.value, float):
                assert abs(value - cell.value) <= 2e-15 * abs(cell.value), (sheet, place)
                exactly += value == cell.value
            else:
                assert value == cell.value, (sheet, place)
                exactly += 1
    assert formulas > 100
    assert exactly > formulas * 9 / 10


@pytest.mark.parametrize("game", DECKS)
def test_probabilities_and_returns_are_the_nearest_numbers_there_are(game: str) -> None:
    """One division of whole numbers that are held exactly: no digit is lost, however many the count has."""
    again = Recalculated(read(game))
    compared = 0
    for sheet in read(game):
        if sheet.startswith("Outcomes"):
            for row, (ways, probability, share) in rows(read(game)[sheet], "FNO").items():
                if isinstance(ways, str) and isinstance(probability, str) and isinstance(share, str):
                    assert again.cell(sheet, f"G{row}") == int(ways)
                    assert again.cell(sheet, f"H{row}") == float(Fraction(probability))
                    assert again.cell(sheet, f"K{row}") == float(Fraction(share))
                    compared += 1
    assert compared == sum(
        len(bet["outcomes"]) + 1 for shoe in analysis_of(game)["decks"] for bet in shoe["bets"]
    )


def test_a_count_read_whole_would_lose_digits() -> None:
    assert value_of("19206486926827299") == 19206486926827200
    assert value_of("000000192064869") == 192064869


@pytest.mark.parametrize(
    ("text", "count"), [("0", 0), ("7", 7), ("12345678", 12345678), ("123456789", 123456789)]
)
def test_a_short_count_is_read_too(text: str, count: int) -> None:
    formula = read(COMMISSION_2013)["Outcomes"]["G5"].formula
    assert "F5" in formula
    assert Recalculated({"S": {"F5": Cell(text), "G5": Cell(0.0, formula)}}).cell("S", "G5") == count


# ---------------------------------------------------------------- what the cells hold


@pytest.mark.parametrize("game", DECKS)
def test_outcomes_are_those_of_the_analysis(game: str) -> None:
    analysis = analysis_of(game)
    for shoe in analysis["decks"]:
        reference = shoe["decks"] == analysis["reference_decks"]
        cells = read(game)["Outcomes" if reference else f"Outcomes {shoe['decks']} decks"]
        found = [row for row in rows(cells, "ABCDFHIKLNO").values() if isinstance(row[4], str)]
        expected: list[list[Value]] = []
        for bet in shoe["bets"]:
            for line in bet["outcomes"]:
                values = [Fraction(line[key]) for key in ("probability", "contribution")]
                shown = [number for value in values for number in (float(value), fifteen(value))]
                exact = (line["probability"], line["contribution"])
                expected.append(
                    [bet["id"], line["name"], line["odds"], line["net"], line["ways"], *shown, *exact]
                )
            mean = Fraction(bet["expected_value"])
            shown = [1.0, 1.0, float(mean), fifteen(mean)]
            expected.append([bet["id"], "total", None, None, shoe["sample_space"], *shown, "1", str(mean)])
        assert found == expected


FIGURES = {
    "Expected value": "expected_value",
    "Return to player": "return_to_player",
    "House edge": "house_edge",
    "Hit frequency": "hit_frequency",
    "Stake returned": "push",
    "Edge per resolved bet": "edge_per_resolved_bet",
    "Variance": "variance",
    "Fair odds to 1": "fair_odds",
}


@pytest.mark.parametrize("game", DECKS)
def test_figures_are_those_of_the_analysis(game: str) -> None:
    analysis = analysis_of(game)
    (shoe,) = [shoe for shoe in analysis["decks"] if shoe["decks"] == analysis["reference_decks"]]
    found = {(row[0], row[1]): row[2:] for row in rows(read(game)["Outcomes"], "ABHIN").values()}
    for bet in shoe["bets"]:
        for label, key in FIGURES.items():
            value = Fraction(bet[key])
            assert found[bet["id"], label] == [float(value), fifteen(value), bet[key]]
        nearest, digits, exact = found[bet["id"], "Standard deviation"]
        assert isinstance(nearest, float)
        assert isinstance(digits, float)
        assert exact == "root of the variance"
        assert round(nearest, 12) == round(digits, 12) == float(bet["standard_deviation"])


@pytest.mark.parametrize("game", DECKS)
def test_counts_are_text_cells(game: str) -> None:
    """No number in the file has more digits than Excel keeps, but the sums of two parts."""
    for sheet, cells in read(game).items():
        for place, cell in cells.items():
            if isinstance(cell.value, float) and not cell.formula:
                assert abs(cell.value) < 10**15, (sheet, place)
            assert not (isinstance(cell.value, str) and cell.value.startswith("#")), (sheet, place)
    texts = {cell.value for cell in read(game)["Outcomes"].values() if isinstance(cell.value, str)}
    assert analysis_of(game)["decks"][-1]["sample_space"] in texts


def test_insurance_states_are_those_of_the_analysis() -> None:
    shoe = analysis_of(COMMISSION_2013)["decks"][-1]
    cells = read(COMMISSION_2013)["Insurance"]
    found = [row for row in rows(cells, "ACDGHIJKLMNOQRSW").values() if row[0] in ("player", "banker")]
    favourable = 0
    for row, state in zip(found, shoe["insurance"], strict=True):
        odds, mean = Fraction(state["odds"]), Fraction(state["expected_value"])
        shares = [Fraction(state[key]) for key in ("wins", "pushes", "loses")]
        counts = [str(share * int(state["ways"])) for share in shares]
        assert row[:3] == [state["side"], state["player_points"], state["banker_points"]]
        assert row[3:5] == [odds.numerator, odds.denominator]
        assert row[5:9] == [float(Fraction(state["probability"])), *map(float, shares)]
        assert row[9] == ("PLAYER" if state["favours_player"] else "house")
        assert row[10:] == [float(mean), fifteen(mean), *counts, state["expected_value"]]
        favourable += state["favours_player"]
    assert (favourable, len(found)) == (12, 73)


def test_third_cards_are_those_of_the_analysis() -> None:
    shoe = analysis_of(COMMISSION_2013)["decks"][-1]
    found = [row for row in rows(read(COMMISSION_2013)["Third card"], "ACDENW").values() if row[5]]
    states = [(state, card) for state in shoe["insurance"] for card in state.get("third_cards", ())]
    expected = [
        [
            *(state["side"], state["player_points"], state["banker_points"], card["player_third"]),
            *(float(Fraction(card["expected_value"])), card["expected_value"]),
        ]
        for state, card in states
    ]
    assert found == expected
    assert len(found) == 197


def test_the_summary_points_to_the_outcomes() -> None:
    cells = read(COMMISSION_2013)["Bets"]
    banker = rows(cells, "ABCDEF")[5]
    edge = Fraction(114753351728, 10847218479825)
    assert banker == ["banker", "Banker", "0.95 to 1", float(-edge), float(1 - edge), float(edge)]
    assert re.fullmatch(r"'Outcomes'!\$H\$\d+", cells["F5"].formula)
    by_decks = read(COMMISSION_2013)["House edge by decks"]
    assert [by_decks[place].value for place in ("A3", "B3", "C3")] == ["Bet", "4 decks", "8 decks"]
    assert by_decks["C5"].value == float(edge)
    assert by_decks["B5"].formula.startswith("'Outcomes 4 decks'!")


def test_correlations_are_symmetric_and_those_of_the_analysis() -> None:
    cells = read(COMMISSION_2013)["Joint"]
    matrix = [row[1:] for row in rows(cells, "ABCDEF").values()]
    assert matrix == [list(column) for column in zip(*matrix, strict=True)]
    assert [matrix[place][place] for place in range(5)] == [1.0] * 5
    joint = analysis_of(COMMISSION_2013)["decks"][-1]["joint"]
    above = [matrix[row][column] for row in range(5) for column in range(row + 1, 5)]
    assert above == [float(pair["correlation"]) for pair in joint]


@pytest.mark.parametrize("game", DECKS)
def test_the_register_and_removals_are_there(game: str) -> None:
    analysis, found = analysis_of(game), read(game)
    words = [cell.value for cell in found["Interpretations"].values()]
    for entry in load_game(game).interpretations:
        assert {entry.id, f"Question: {entry.question}", f"Reading: {entry.reading}"} <= set(words)
    for entry in analysis["interpretations"]:
        assert {effect["change"] for effect in entry["effects"]} - {"0"} <= set(words)
    removal = [row for row in rows(found["Removal"], "ABCDEFGHIJKLMNOP").values() if row[0]]
    for row, bet in zip(removal, analysis["removal"], strict=True):
        values = [bet["expected_value"], *(effect["change"] for effect in bet["effects"])]
        assert row[0] == bet["id"]
        assert row[1:-1] == pytest.approx([float(Fraction(value)) for value in values], rel=1e-15, abs=0)
    assert {row[0]: row[-1] for row in removal}["player-pair"] == "none"  # one card changes no pair's odds
    formulas = [row for row in rows(found["Formulas"], "ABDEF").values() if row[1]]
    assert formulas == [
        [
            one["of"],
            formula["name"],
            formula["limit"],
            *(" ".join(formula[side]) for side in ("numerator", "denominator")),
        ]
        for one in analysis["formulas"]
        for formula in one["formulas"]
    ]


def test_the_cover_says_what_it_is_and_that_every_check_holds() -> None:
    cells = read(COMMISSION_2013)["Cover"]
    words = " ".join(str(cell.value) for cell in cells.values())
    for said in (
        "commission-insurance-2013",
        "0123456789abcdef" * 4,
        f"combinat {__version__}",
        "not a test laboratory's certification",
        "Excel keeps 15 digits",
        "rounded once, half to even",
        "Every check holds.",
    ):
        assert said in words
    checks = [
        cell.value for name in read(COMMISSION_2013).values() for cell in name.values() if cell.value is True
    ]
    assert len(checks) == 79 * 2 + 73 + 197
    assert [float(len(checks))] * 2 == [
        cell.value for cell in cells.values() if cell.formula.startswith("SUM(")
    ]


def test_the_trick_is_explained_on_the_sheet() -> None:
    for sheet in ("Outcomes", "Insurance", "Third card"):
        assert any(
            "VALUE(all but its last 8 digits) x 100000000 + VALUE(its last 8 digits)" in str(cell.value)
            for cell in read(COMMISSION_2013)[sheet].values()
        )
    comments = [text for name, text in parts(written(COMMISSION_2013)).items() if "xl/comments" in name]
    assert sum(b"The text is read in two parts" in text for text in comments) == 2 + 2


# ---------------------------------------------------------------- what is wrong shows


@pytest.mark.parametrize(("place", "more"), [("F5", 1), ("F7", 1), ("F8", 1000), ("E5", 1), ("E4", 1)])
def test_a_changed_number_fails_a_check(place: str, more: int) -> None:
    """One card sequence more of 2230518282592256, or a net or stake one higher."""
    cells = read(COMMISSION_2013)["Outcomes"]
    old = cells[place].value
    changed = str(int(old) + more) if isinstance(old, str) else (old or 0) + more
    found = {"Outcomes": {**cells, place: Cell(changed)}}
    again = Recalculated(found)
    assert False in [again.cell("Outcomes", check) for check in ("J8", "M8")]


def test_a_failed_check_shows_on_the_cover() -> None:
    cells = read(COMMISSION_2013)
    (verdict,) = [place for place, cell in cells["Cover"].items() if cell.value == "Every check holds."]
    values = {
        sheet: {place: cell if sheet == "Cover" else Cell(cell.value) for place, cell in found.items()}
        for sheet, found in cells.items()
    }
    assert Recalculated(values).cell("Cover", verdict) == "Every check holds."
    values["Third card"]["P5"] = Cell(False)
    assert Recalculated(values).cell("Cover", verdict) == "NOT EVERY CHECK HOLDS."


def test_what_does_not_exist_is_said_in_words() -> None:
    analysis = deepcopy(analysis_of(COMMISSION_2013))
    shoe = analysis["decks"][-1]
    shoe["bets"][0].update(fair_odds=None, skewness=None)
    shoe["joint"][0].update(correlation=None)
    for key in ("wins", "pushes", "loses", "expected_value"):
        shoe["insurance"][0][key] = None
    found = sheets(workbook_of(analysis, COMMISSION_2013))
    assert ["player", "Fair odds to 1"] not in rows(found["Outcomes"], "AB").values()
    assert rows(found["Bets"], "AL")[4] == ["player", "none"]
    assert rows(found["Joint"], "BC")[4] == [1.0, "none"]
    assert rows(found["Insurance"], "AJMN")[5] == ["banker", None, "never", None]
    assert "never" in rows(found["Insurance by decks"], "EF")[4]


def test_without_xlsxwriter_the_way_out_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "xlsxwriter", None)
    with pytest.raises(CombinatError, match=r"a workbook needs xlsxwriter: pip install 'combinat\[report\]'"):
        write_workbook(analysis_of(COMMISSION_2013), load_game(COMMISSION_2013), tmp_path / "workbook.xlsx")
    assert list(tmp_path.iterdir()) == []


# ---------------------------------------------------------------- how it is made up

ALWAYS = ["Cover", "Bets", "House edge by decks", "Outcomes", "Joint"]
INSURANCE = ["Insurance", "Insurance by decks", "Third card"]
LAST = ["Interpretations", "Removal", "Formulas"]


def test_the_sheets() -> None:
    assert list(read(COMMISSION_2013)) == [*ALWAYS, *INSURANCE, *LAST, "Outcomes 4 decks"]
    assert list(read(NONCOMMISSION_2025)) == [*ALWAYS, *LAST]


@pytest.mark.parametrize("game", DECKS)
def test_sheets_are_frozen_filtered_and_set_up_for_printing(game: str) -> None:
    for name, root in sheet_parts(written(game)).items():
        (page,) = root.iter(f"{MAIN}pageSetup")
        assert page.get("orientation") == "landscape"
        assert page.get("fitToHeight") == (None if name == "Cover" else "0")
        assert "0123456789abcdef" in (root.findtext(f".//{MAIN}oddFooter") or "")
        if name != "Cover":
            (pane,) = root.iter(f"{MAIN}pane")
            assert (pane.get("ySplit"), pane.get("state")) == ("3", "frozen")
        filtered = name not in ("Cover", "Joint", "Interpretations")
        assert bool(list(root.iter(f"{MAIN}autoFilter"))) is filtered


def test_favourable_states_are_marked_by_word_and_by_shade() -> None:
    (marked,) = [
        one
        for one in sheet_parts(written(COMMISSION_2013))["Insurance"].iter(f"{MAIN}conditionalFormatting")
        if 'M4="PLAYER"' in "".join(one.itertext())
    ]
    assert marked.get("sqref") == "A4:W77"


def test_the_same_analysis_gives_the_same_bytes_anywhere(tmp_path: Path) -> None:
    """Another process, in another time zone, with another hash seed."""
    (tmp_path / "analysis.json").write_text(json.dumps(analysis_of(COMMISSION_2013), sort_keys=True))
    script = (
        "import json, sys; from pathlib import Path; from combinat import load_game\n"
        "from combinat.report.workbook import write_workbook\n"
        "folder, game = Path(sys.argv[1]), load_game(sys.argv[2])\n"
        "write_workbook(json.loads((folder / 'analysis.json').read_text()), game, folder / 'workbook.xlsx')"
    )
    elsewhere = {"TZ": "Pacific/Kiritimati", "PYTHONHASHSEED": "4711", "LC_ALL": "C"}
    command = [sys.executable, "-c", script, str(tmp_path), COMMISSION_2013]
    subprocess.run(command, env=os.environ | elsewhere, check=True, timeout=60)
    assert (tmp_path / "workbook.xlsx").read_bytes() == written(COMMISSION_2013)


def test_dates_are_the_rule_book_s_and_nothing_is_compressed() -> None:
    core = parts(written(COMMISSION_2013))["docProps/core.xml"].decode()
    assert core.count("2013-10-22T00:00:00Z") == 2
    with zipfile.ZipFile(io.BytesIO(written(COMMISSION_2013))) as zipped:
        for info in zipped.infolist():
            assert (info.compress_type, info.create_system) == (zipfile.ZIP_STORED, 0)
            assert info.date_time == (1980, 1, 1, 0, 0, 0)


# ---------------------------------------------------------------- fifteen digits

FIFTEEN = Context(prec=15, rounding=ROUND_HALF_EVEN)


def fifteen(value: Fraction) -> float:
    """The value with 15 significant digits, by another road."""
    return float(FIFTEEN.divide(Decimal(value.numerator), Decimal(value.denominator)))


@given(st.integers(-(10**14), 10**14), st.integers(1, 10**20))
def test_fifteen_digits_are_rounded_once(top: int, bottom: int) -> None:
    value = Fraction(top, bottom)
    shown = significant(value)
    assert Decimal(shown) == FIFTEEN.divide(Decimal(value.numerator), Decimal(value.denominator))
    assert float(shown) == fifteen(value)


@given(st.integers(1, 10**12), st.integers(1, 10**12))
def test_fifteen_digits_of_a_root(top: int, bottom: int) -> None:
    square = Fraction(top, bottom)
    shown = Fraction(significant_root(square))
    unit = Fraction(10) ** (Decimal(significant_root(square)).adjusted() - 14)
    assert (shown - unit / 2) ** 2 <= square <= (shown + unit / 2) ** 2
