"""A second opinion on the documents of a report: it compares their cells with ``analysis.json``.

It shares no code with combinat and needs only Python, and for the PDF pdftotext or pypdf. It reads the CSV
tables, the page and the workbook, derives each cell again from ``analysis.json``, and rounds by long division with
enough digits to be sure. It compares Markdown and PDF with the page. The checker checks ``analysis.json`` itself.

    python tests/report/second_reader.py FOLDER

prints how many cells were compared. Exit codes: 1 at the first cell that differs, 2 where nothing could be compared.
The rule book is in the folder too; what the documents quote from it is compared with it.
"""

import csv
import hashlib
import io
import json
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from decimal import ROUND_CEILING, ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from html import unescape
from html.parser import HTMLParser
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

SCHEMA = "combinat/analysis/5"

Record = dict[str, Any]
"""An object of ``analysis.json``, or the figures of one under the names of columns."""


class DifferenceError(Exception):
    """A cell that is not what ``analysis.json`` says."""


class UnreadableError(Exception):
    """Nothing to compare with, or nothing to compare."""


def hold(where: str, written: object, expected: object) -> None:
    """Refuse a cell that differs; a truth value is no number, though Python takes ``True`` for 1."""
    if type(written) is not type(expected) or written != expected:
        raise DifferenceError(f"{where}: found {written!r}, analysis.json gives {expected!r}")


# ---------------------------------------------------------------- rounding, on a way of its own


def _context(value: Fraction, places: int) -> Context:
    """Digits enough to tell a value, or its root, from every halfway point of so many places."""
    size = len(str(value.numerator)) + len(str(value.denominator))
    return Context(prec=2 * size + 4 * places + 40, rounding=ROUND_HALF_EVEN, Emax=10**6, Emin=-(10**6))


def _placed(number: Decimal, places: int, context: Context) -> str:
    text = f"{number.quantize(Decimal(1).scaleb(-places), context=context):f}"
    return text.lstrip("-") if not text.strip("-0.") else text


def rounded(value: Fraction, places: int, rounding: str = ROUND_HALF_EVEN) -> str:
    """The value with this number of decimals."""
    context = _context(value, places)
    exact = context.divide(Decimal(value.numerator), Decimal(value.denominator))
    context.rounding = rounding
    return _placed(exact, places, context)


def rounded_root(signed_square: Fraction, places: int) -> str:
    """The root of a value, given by its square and its sign, with this number of decimals."""
    context = _context(signed_square, places)
    return _placed(_root(signed_square, context), places, context)


def _root(signed_square: Fraction, context: Context) -> Decimal:
    square = context.divide(Decimal(abs(signed_square.numerator)), Decimal(signed_square.denominator))
    return context.sqrt(square).copy_sign(Decimal(signed_square.numerator))


def percent(value: Fraction, places: int = 4) -> str:
    """The value in percent."""
    return rounded(100 * value, places)


def telling(value: Fraction, places: int = 4) -> str:
    """The value in percent, with more decimals where the value is not 0 and all decimals would be."""
    while value and 200 * abs(value) * 10**places <= 1:
        places += 1
    return percent(value, places)


def signed(value: Fraction, places: int = 4) -> str:
    """The value in percent, with its sign."""
    return ("+" if value > 0 else "") + telling(value, places)


# ---------------------------------------------------------------- what analysis.json says, in words

MEASURES = {
    "expected-value": "expected value",
    "largest-insurance-stake": "largest insurance stake",
    "largest-insurance-stake-both-stages": "largest insurance stake, both stages together",
    "largest-insurance-stake-both-hands": "largest insurance stake, both hands together",
    "expected-value-until-decided": "expected value until decided, each round from such a shoe",
    "layouts": "layouts that offer it",
    "insurance-states-open": "insurance states open to it",
}
HANDS = {"player": "Player Hand", "banker": "Banker Hand"}
AFTER = {"four-cards": "four cards", "player-third-card": "the Player's third card"}


def subject(said: Record) -> str:
    """A bet, an insurance state or a line of the limits in words."""
    if said["odds"] is not None:
        return f"insurance at {said['odds']}" + (f" under {said['procedure']}" if said["procedure"] else "")
    state = said["state"]
    if state is None:
        return str(said["bet"])
    return (
        f"{state['side']}@{state['stage']}, Player {state['player_points']}, Banker {state['banker_points']}"
    )


def favours(state: Record) -> str:
    """Whom an insurance bet favours."""
    mean = Fraction(state["expected_value"])
    return "PLAYER" if mean > 0 else "house" if mean < 0 else "neither"


def decks_in_words(number: int) -> str:
    """So many decks."""
    return f"{number} deck" + ("s" if number > 1 else "")


def reference(analysis: Record) -> Any:
    """The shoe of the figures that are given for one shoe only."""
    (shoe,) = [shoe for shoe in analysis["shoes"] if shoe["decks"] == analysis["reference_decks"]]
    return shoe


# ---------------------------------------------------------------- the CSV tables

PLACES = 12
Row = dict[str, str]

_EXACT = re.compile(r"-?\d+(?:/\d+)?")
_NUMBER = re.compile(r"-?\d+(?:[./]\d+)?")
_FRACTIONS = (
    *("expected_value", "house_edge", "return_to_player", "hit_frequency", "push", "void", "returned"),
    *("edge_per_resolved_bet", "variance", "third_central_moment", "skewness_signed_square", "largest_payout"),
    *("fair_odds", "total_probability", "net", "probability", "contribution", "share_of_return"),
    *("true_odds", "covariance", "wins", "pushes", "loses", "favourable", "gain", "edge", "chance"),
    *("share", "insured", "insurance_staked", "insurance_edge", "insurance_expected_value", "cost_of_variance"),
    *("read", "otherwise", "change", "linear_error", "staked", "mean", "first_order", "true_count_up"),
    *("true_count_down", "limit", "expected_win", "sigma_squared", "most_win", "most_loss"),
    *("explained", "count_gain", "perfect_gain", "ceiling"),
)  # fmt: skip
"""Figures that have their decimals beside them, under these names or with the name of a part before it."""

_PART = re.compile("^(by_totals|by_cards|last_round)_")


def _cell(value: Any) -> str:
    """A value as CSV has it: a text that a spreadsheet would take for a formula stands behind an apostrophe."""
    if isinstance(value, list):
        return " ".join(map(str, value))
    if isinstance(value, bool):
        return "true" if value else "false"
    text = "" if value is None else str(value)
    return f"'{text}" if text[:1] in tuple("=+-@\t\r") and not _NUMBER.fullmatch(text) else text


def _row(record: Record) -> Row:
    """A row of CSV."""
    row: Row = {}
    for name, value in record.items():
        row[name] = _cell(value)
        if isinstance(value, Fraction) or _PART.sub("", name) in _FRACTIONS:
            way = ROUND_CEILING if name == "ceiling" else ROUND_HALF_EVEN
            row[f"{name}_decimal"] = "" if value is None else rounded(Fraction(value), PLACES, way)
    return row


def _less(record: Record, names: str = "", **renamed: str) -> dict[str, Any]:
    """The words and figures of a record without those of these names; the records in it are left out."""
    return {
        renamed.get(name, name): value
        for name, value in record.items()
        if name not in names.split()
        and not isinstance(value, dict)
        and not (isinstance(value, list) and value and isinstance(value[0], dict))
    }


def _part(before: str, record: Record | None, names: str) -> dict[str, Any]:
    """Some figures of a part of a record, empty where it has no such part."""
    return {f"{before}{name}": None if record is None else record[name] for name in names.split()}


def _root_of(square: str | None) -> str | None:
    return None if square is None else rounded_root(Fraction(square), PLACES)


def _roots(record: Record, **squares: str) -> dict[str, Any]:
    """Roots of figures of a record, under other names."""
    return {name: _root_of(record[square]) for name, square in squares.items()}


def _rank(points: int) -> str:
    """The rank that stands for all cards worth so much."""
    return {0: "K", 1: "A"}.get(points, str(points))


def _bands(volume: Record) -> dict[str, str]:
    """The squares of one, two and three standard deviations, cut where everything is lost or won."""
    win, sigma = Fraction(volume["expected_win"]), Fraction(volume["sigma_squared"])
    room = {
        "below": (win + Fraction(volume["most_loss"])) ** 2,
        "above": (Fraction(volume["most_win"]) - win) ** 2,
    }
    return {
        f"{name}_{side}": str(min(square * sigma, room[side]))
        for name, square in (("sigma", 1), ("two_sigma", 4), ("three_sigma", 9))
        for side in room
    }


def _range(span: Record, which: str) -> Record:
    cards, third = span[which]["seen"], span[which]["seen"]["third"]
    seen: Record = {hand: [_rank(points) for points in cards[hand]] for hand in HANDS}
    seen |= {"cards": which, "player_third": None if third is None else _rank(third)}
    figures = _part("", span[which]["analysis"], f"ways {_OF_A_STATE} expected_value")
    return {**span["state"], **_less(span, ways="state_ways"), **seen, **figures}


def _of_wagers(relation: Callable[[Record], Iterable[Record]]) -> Callable[[Record], list[Record]]:
    """Records of every bet and every insurance whose protection is studied."""
    return lambda analysis: [record for one in analysis["protection"] for record in relation(one)]


def _of_shoes(key: str, relation: Callable[[Record], Record]) -> Callable[[Record], list[Record]]:
    """Records of every bet, pair of bets or insurance state of every shoe."""
    return lambda analysis: [
        {"decks": shoe["decks"]} | relation(one) for shoe in analysis["shoes"] for one in shoe[key]
    ]


_OF_A_STATE = "probability wins pushes loses"

OF_EVERY_SHOE: dict[str, Callable[[Record], list[Record]]] = {
    "bets": _of_shoes(
        "bets",
        lambda bet: (
            _less(bet, id="bet")
            | _roots(bet, standard_deviation="variance", skewness="skewness_signed_square")
        ),
    ),
    "outcomes": lambda analysis: [
        {"decks": shoe["decks"], "bet": bet["id"], "sample_space": shoe["sample_space"]}
        | _less(line, name="outcome")
        for shoe in analysis["shoes"]
        for bet in shoe["bets"]
        for line in bet["outcomes"]
    ],
    "joint": _of_shoes(
        "joint",
        lambda pair: _less(pair, "signed_square variances") | _roots(pair, correlation="signed_square"),
    ),
    "insurance": _of_shoes(
        "insurance",
        lambda met: {
            **met["state"],
            **_less(met, "favours_house won lost sample_space net"),
            "odds": Fraction(met["net"]),
        },
    ),
}
"""The records of each table with the figures of every shoe, by the stem of its file."""

OF_THE_REFERENCE_SHOE: dict[str, Callable[[Record], list[Record]]] = {
    "insurance-by-third-card": lambda analysis: [
        card["analysis"]["state"]
        | _less(card)
        | _part("", card["analysis"], f"{_OF_A_STATE} expected_value")
        | {"odds": Fraction(card["analysis"]["net"])}
        for card in analysis["third_cards"]
    ],
    "insurance-not-offered": lambda analysis: [
        met["state"] | _part("", met, f"ways {_OF_A_STATE} fair_odds") for met in analysis["not_offered"]
    ],
    "insurance-ranges": lambda analysis: [
        _range(span, which) for span in analysis["ranges"] for which in ("worst", "best")
    ],
    "insurance-habits": lambda analysis: [
        _less(habit, mean="expected_value", insurance_mean="insurance_expected_value")
        | _roots(habit, standard_deviation="variance")
        for habit in analysis["insured"]
    ],
    "insurance-offers": lambda analysis: [
        {"insurance": one["id"]}
        | _part("by_totals_", one["offers"]["by_totals"], "chance gain")
        | _part("by_cards_", one["offers"]["by_cards"], "chance gain")
        | _part("last_round_", one["offers"]["last_round"], "chance gain")
        for one in analysis["protection"]
        if one["offers"]
    ],
    "interpretations": lambda analysis: [
        {"entry": reading["entry"], "for": subject(difference["subject"])}
        | _less(difference, "measure")
        | {"figure": MEASURES[difference["measure"]]}
        for reading in analysis["readings"]
        for difference in reading["differences"]
    ],
    "combination": lambda analysis: [
        _less(analysis["combination"])
        | {"stakes": " ".join(f"{one['bet']}={one['amount']}" for one in analysis["combination"]["stakes"])}
        | _roots(analysis["combination"], standard_deviation="variance")
        | _less(outcome)
        for outcome in analysis["combination"]["outcomes"]
    ],
    "removal": lambda analysis: [  # the linear error is of two cards, which no report removes
        {"id": subject(removal["subject"]), "linear_error": None} | _less(removal) | change
        for removal in analysis["removal"]
        for change in removal["changes"]
    ],
    "protection": _of_wagers(
        lambda one: ({"bet": one["id"], "house_edge": one["house_edge"]} | at for at in one["cuts"])
    ),
    "counts": _of_wagers(
        lambda one: ({"bet": one["id"]} | _less(one["count"]) | _less(at) for at in one["count"]["depths"])
    ),
    "operations": lambda analysis: [
        volume
        | _roots(
            {**volume, **_bands(volume)}, sigma="sigma_squared", **{name: name for name in _bands(volume)}
        )
        for volume in analysis["operations"]
    ],
}
"""The records of each table with figures of the reference shoe."""

OF_NO_SHOE: dict[str, Callable[[Record], list[Record]]] = {
    "examples": lambda analysis: [
        {"example": number, **_part("", example, "player banker player_points banker_points")}
        | _less(line, "line")
        for number, example in enumerate(analysis["examples"], start=1)
        for line in example["lines"]
    ],
    "examples-insurance": lambda analysis: [
        {"example": number, **line["state"], **_less(line, "line", is_tie="tie")}
        for number, example in enumerate(analysis["examples"], start=1)
        for line in example["insurance"]
    ],
    "formulas": lambda analysis: [
        {"of": subject(forms["subject"]), **_less(formula, name="figure")}
        for forms in analysis["formulas"]
        for formula in forms["formulas"]
    ],
    "identities": lambda analysis: [
        law | {side: Fraction(law[side]) for side in ("left", "right")} for law in analysis["identities"]
    ],
}
"""The records of each table whose figures are of no shoe, or of one that they name."""


def expected_tables(analysis: Record) -> dict[str, list[Row]]:
    """What every CSV table holds, by the stem of its file; a table without records is not there."""
    decks = {"decks": analysis["reference_decks"]}
    followed = {"readings": analysis["followed"]} if analysis["followed"] else {}
    records = {stem: relation(analysis) for stem, relation in (OF_EVERY_SHOE | OF_NO_SHOE).items()}
    for stem, relation in OF_THE_REFERENCE_SHOE.items():
        records[stem] = [decks | record for record in relation(analysis)]
    return {stem: [_row(record | followed) for record in found] for stem, found in records.items() if found}


def compared_tables(files: Mapping[str, bytes], analysis: Record) -> int:
    """Hold every cell of the CSV tables, given by the stem of their files, against the analysis; how many."""
    expected = expected_tables(analysis)
    hold("tables", sorted(files), sorted(expected))
    return sum(compared_table(stem, files[stem], rows) for stem, rows in expected.items())


def compared_table(stem: str, content: bytes, rows: Sequence[Row]) -> int:
    """Hold every cell of a CSV table; how many."""
    lines = list(csv.reader(io.StringIO(content.decode("utf-8"), newline="")))
    head = lines[0] if lines else []
    hold(f"{stem}.csv, the head", sorted(head), sorted(rows[0]))
    hold(f"{stem}.csv, its rows", len(lines) - 1, len(rows))
    for number, (cells, row) in enumerate(zip(lines[1:], rows, strict=True), start=2):
        hold(f"{stem}.csv, line {number}, its cells", len(cells), len(row))
        for cell, name in zip(cells, head, strict=True):
            hold(f"{stem}.csv, line {number}, {name}", cell, row[name])
    return len(rows) * len(rows[0])


# ---------------------------------------------------------------- the workbook

_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_ESCAPED = re.compile("_x([0-9A-Fa-f]{4})_")

Value = str | float | bool | None


class SheetCell(NamedTuple):
    """A cell as the file has it: its value, cached where there is a formula."""

    value: Value
    formula: str = ""


class Live(NamedTuple):
    """What must be a formula that comes to this."""

    value: str | float | bool


class Words(NamedTuple):
    """Some text that ``analysis.json`` knows nothing of."""


Expected = str | int | float | Fraction | Live | Words | None
Cells = Mapping[tuple[int, int], SheetCell]
"""The cells of a sheet that hold something, by row and column, both from 1."""


def _text(element: ElementTree.Element) -> str:
    whole = "".join(part.text or "" for part in element.iter(f"{_MAIN}t"))
    return _ESCAPED.sub(lambda match: chr(int(match[1], 16)), whole)


def workbook_cells(package: bytes) -> dict[str, dict[tuple[int, int], SheetCell]]:
    """Every cell of a workbook that holds something, by sheet."""
    with zipfile.ZipFile(io.BytesIO(package)) as parts:
        tree = {name: ElementTree.fromstring(parts.read(name)) for name in parts.namelist() if "xml" in name}
    strings = [_text(element) for element in tree["xl/sharedStrings.xml"]]
    targets = {link.attrib["Id"]: link.attrib["Target"] for link in tree["xl/_rels/workbook.xml.rels"]}
    return {
        sheet.attrib["name"]: dict(_cells(tree[f"xl/{targets[sheet.attrib[_RELATION]]}"], strings))
        for sheet in tree["xl/workbook.xml"].iter(f"{_MAIN}sheet")
    }


def _cells(sheet: ElementTree.Element, strings: Sequence[str]) -> Iterator[tuple[tuple[int, int], SheetCell]]:
    for element in sheet.iter(f"{_MAIN}c"):
        text, formula = element.findtext(f"{_MAIN}v"), element.findtext(f"{_MAIN}f") or ""
        kind = element.get("t", "n")
        if text is None or (value := _value(text, kind, strings)) == "":
            continue
        yield place_of(element.attrib["r"]), SheetCell(value, formula)


def place_of(name: str) -> tuple[int, int]:
    """Row and column of a cell such as ``B2``, both from 1."""
    letters, row = re.fullmatch(r"([A-Z]+)(\d+)", name).groups()  # type: ignore[union-attr]
    column = 0
    for letter in letters:
        column = 26 * column + ord(letter) - ord("A") + 1
    return int(row), column


def _value(text: str, kind: str, strings: Sequence[str]) -> Value:
    if kind == "s":
        return strings[int(text)]
    return text == "1" if kind == "b" else text if kind == "str" else float(text)


_SIXTEEN = Context(prec=16, rounding=ROUND_HALF_EVEN)
Rows = Iterator[list[Expected]]
Above = dict[tuple[int, int], Expected]
"""What stands over the rows of a sheet, beside words: by row and column."""

NEVER = "never"


def _live(text: str | None) -> Live:
    """A formula that comes to an exact value, or to a word where there is none."""
    return Live(NEVER if text is None else float(Fraction(text)))


def _points(written: object) -> str:
    """Point Totals in order, such as 0-2,6."""
    points = [
        point
        for part in str(written).split(",")
        for point in range(int(part.split("-")[0]), int(part.split("-")[-1]) + 1)
    ]
    runs: list[list[int]] = []
    for point in sorted(points):
        if runs and runs[-1][-1] == point - 1:
            runs[-1].append(point)
        else:
            runs.append([point])
    return ",".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)


def _is_input(line: Record) -> bool:
    return bool(line["odds"]) and Fraction(line["net"]) > 0


def _input_rows(analysis: Record, rule_book: Record) -> Rows:
    clauses = {bet["id"]: bet["settled"] for bet in rule_book["bets"]}
    for bet in reference(analysis)["bets"]:
        for line in filter(_is_input, bet["outcomes"]):
            net = line["net"]
            yield [
                bet["name"],
                line["name"],
                clauses[bet["id"]],
                line["odds"],
                net,
                Fraction(net),
                Live(True),
            ]
    otherwise = {
        (other["side"], other["stage"]): other["offers"]
        for entry in rule_book.get("interpretations", ())
        if entry["id"] in analysis["followed"]
        for other in entry.get("instead", {}).get("insurance", ())
    }
    for table in rule_book.get("insurance", ()) if reference(analysis)["insurance"] else ():
        for offer in otherwise.get((table["side"], table["stage"]), table["offers"]):
            profit, stake = map(Fraction, offer["odds"].split(" to "))
            tie = f"; a tie on {_points(offer['tie_pays'])} wins" if "tie_pays" in offer else ""
            points = (_points(offer[f"{hand}_points"]) for hand in ("player", "banker"))
            yield [
                f"Insurance of the {HANDS[table['side']]}, after {AFTER[table['stage']]}",
                "Player {}, Banker {}".format(*points) + tie,
                *(offer.get("clause") or table["settled"], offer["odds"]),
                *(str(profit / stake), profit / stake, Live(True)),
            ]


def _ways_cells(counts: Sequence[str]) -> list[Expected]:
    """Counts as text, and the two parts in which formulas read them."""
    parts = [divmod(int(count), 10**8) for count in counts]
    return [*counts, *(Live(float(high)) for high, _ in parts), *(Live(float(low)) for _, low in parts)]


def _on_each_shoe(analysis: Record, key: str) -> Iterator[tuple[Any, list[Any]]]:
    """What is of every shoe: as it is on the reference shoe, and on each."""
    place = [shoe["decks"] for shoe in analysis["shoes"]].index(analysis["reference_decks"])
    for each in zip(*(shoe[key] for shoe in analysis["shoes"]), strict=True):
        yield each[place], list(each)


def _outcome_rows(analysis: Record) -> Rows:
    space = reference(analysis)["sample_space"]
    spaces = _ways_cells([shoe["sample_space"] for shoe in analysis["shoes"]])
    yield ["all card sequences", None, None, None, Live(space), *[None] * 4, *spaces]
    for bet, each in _on_each_shoe(analysis, "bets"):
        for number, line in enumerate(bet["outcomes"]):
            chance = Fraction(line["probability"])
            yield [
                *(bet["name"], line["name"], line["odds"]),
                _live(line["net"]) if _is_input(line) else Fraction(line["net"]),
                *(Live(line["ways"]), Live(f"{line['ways']}/{space}"), Live(float(chance))),
                Live(float((1 - chance) / chance) if chance else NEVER),
                _live(line["contribution"]),
                *_ways_cells([on["outcomes"][number]["ways"] for on in each]),
            ]
        yield [bet["name"], "expected value", *[None] * 4, Live(1.0), None, _live(bet["expected_value"])]


def _summary_rows(analysis: Record) -> Rows:
    for bet, each in _on_each_shoe(analysis, "bets"):
        edges = [Fraction(on["house_edge"]) for on in each]
        variance = Fraction(bet["variance"])
        says = (
            "favours the player"
            if max(edges) < 0
            else "the player, at some decks"
            if min(edges) < 0
            else "favours the house"
        )
        yield [
            *(bet["name"], _pays(bet), _live(bet["hit_frequency"]), _live(bet["fair_odds"])),
            *(_live(bet["return_to_player"]), Live(float(_root(variance, _context(variance, 30))))),
            *(_live(bet["house_edge"]), *(Live(float(edge)) for edge in edges)),
            *(Live(float(min(edges))), Live(float(max(edges))), Live(says), Live(bet["house_edge"])),
            *(on["house_edge"] for on in each),
            *[Live(True)] * (2 * len(each)),
        ]


def _state_rows(analysis: Record) -> Rows:
    for at_state, each in _on_each_shoe(analysis, "insurance"):
        state, is_met = at_state["state"], at_state["expected_value"] is not None
        counts = [
            [on["won"] for on in each],
            [str(int(on["ways"]) - int(on["won"]) - int(on["lost"])) for on in each],
            [on["lost"] for on in each],
        ]
        texts = [count for end in counts for count in end]
        yield [
            *(HANDS[state["side"]], AFTER[state["stage"]], state["player_points"], state["banker_points"]),
            *(", ".join(map(str, at_state["pays_on_tie"])), at_state["odds"], _live(at_state["net"])),
            *(_live(at_state[key]) for key in ("probability", "wins", "pushes", "loses")),
            Live(favours(at_state) if is_met else NEVER),
            *(_live(at_state["expected_value"]), *(_live(on["expected_value"]) for on in each)),
            *(*texts, *(Live(float(int(count))) for count in texts)),
            *(on["expected_value"] or NEVER for on in each),
            *[Live(True)] * len(each),
        ]


def _joint_rows(shoe: Record) -> Rows:
    squares = {(pair["first"], pair["second"]): pair["signed_square"] for pair in shoe["joint"]}
    for bet in shoe["bets"]:
        row: list[Expected] = [bet["name"]]
        for other in shoe["bets"]:
            pair = (bet["id"], other["id"])
            square = "1" if pair[0] == pair[1] else squares.get(pair, squares.get(pair[::-1]))
            row.append("none" if square is None else float(rounded_root(Fraction(square), PLACES)))
        yield row


_CHECKED = (
    "The odds used are those of the document's text",
    "The card sequences of a shoe of N cards are N(N-1)(N-2)(N-3)(N-4)(N-5)",
    "The ways of a bet's outcomes add up to all card sequences",
    "The house edge of a bet is the exact one",
    "The expected value of an insurance state is the exact one",
)


def _check_rows(analysis: Record, inputs: int) -> Rows:
    shoe, decks = reference(analysis), len(analysis["shoes"])
    numbers = [inputs, decks, len(shoe["bets"]) * decks, len(shoe["bets"]) * decks]
    numbers += [len(shoe["insurance"]) * decks] * bool(shoe["insurance"])
    for what, number in zip(_CHECKED, numbers, strict=False):
        yield [what, number, Live(float(number)), Live(0.0)]
    yield ["all", Live(float(sum(numbers))), Live(float(sum(numbers))), Live(0.0)]
    yield []
    yield ["Shoe", "Cards N", "Last 7 digits", "N(N-1)...(N-5)", "Card sequences counted", "Equal"]
    for each in analysis["shoes"]:
        cards, product = 52 * each["decks"], 1
        for less in range(6):
            product *= cards - less
        hold("workbook.xlsx, Checks: the card sequences", each["sample_space"], str(product))
        numbers_of = (Live(float(product % 10**7)), Live(float(product)), Live(str(product)), Live(True))
        yield [decks_in_words(each["decks"]), cards, *numbers_of]


def expected_sheets(
    analysis: Record, rule_book: Record
) -> dict[str, tuple[Above, Iterable[Sequence[Expected]]]]:
    """What every sheet holds, over its fourth row and from there on, in the order of the sheets."""
    shoe, decks = reference(analysis), [one["decks"] for one in analysis["shoes"]]
    chosen = decks_in_words(analysis["reference_decks"])
    inputs, holds = list(_input_rows(analysis, rule_book)), "Every check holds."
    choice: Above = {(2, 10 + place): number for place, number in enumerate(decks)}
    choice |= {(2, 2): analysis["reference_decks"]}
    choice |= {(2, 10 + len(decks)): Live(float(decks.index(analysis["reference_decks"]) + 1))}
    single = f"Every bet; where one number of decks is not named, {chosen}"
    sheets: dict[str, tuple[Above, Iterable[Sequence[Expected]]]] = {
        "Inputs": ({(2, 1): Live(holds)}, [*inputs, [], *_identity_rows(analysis, rule_book)]),
        "Summary": ({(1, 1): Live(single)}, _summary_rows(analysis)),
        "Outcomes": ({(1, 1): Live(f"Outcomes of every bet, {chosen}"), **choice}, _outcome_rows(analysis)),
        "Insurance": ({(1, 1): Live(f"Insurance states, {chosen}")}, _state_rows(analysis)),
        "Joint": ({}, _joint_rows(shoe)),
        "Checks": ({(2, 1): Live(holds)}, _check_rows(analysis, len(inputs))),
    }
    return {name: rows for name, rows in sheets.items() if name != "Insurance" or shoe["insurance"]}


def _identity_rows(analysis: Record, rule_book: Record) -> Rows:
    yield ["Status", "draft, not issued; certificate.json is not signed"]
    yield ["Game", f"{rule_book['name']} ({analysis['game']})"]
    yield ["Approved document", Words()]
    yield ["Our transcription", f"{analysis['game']}.toml, SHA-256 {analysis['rule_book_sha256']}"]
    yield ["Decks", Words()]
    yield ["Software", Words()]
    if analysis["followed"]:
        yield [Words(), Words()]


def _hold_cell(where: str, cell: SheetCell | None, expected: Expected) -> None:
    if expected is None or expected == "":
        hold(where, cell, None)
        return
    if cell is None or bool(cell.formula) is not isinstance(expected, Live):
        raise DifferenceError(f"{where}: found {cell!r}, analysis.json gives {expected!r}")
    if isinstance(expected, Words):
        hold(f"{where}, some words", type(cell.value), str)
    elif isinstance(expected, Live):
        hold(where, cell.value, expected.value)
    elif isinstance(expected, str):
        hold(where, cell.value, expected)
    else:  # a plain number is written with 16 digits
        hold(where, cell.value, float(_SIXTEEN.plus(Decimal(float(expected)))))


def compared_workbook(package: bytes, analysis: Record, rule_book: Record) -> int:
    """Hold every value of a workbook against the analysis, those that formulas come to as well; how many.

    The offers of insurance among the inputs are the rule book's, unless another reading of it is followed.
    """
    sheets, expected = workbook_cells(package), expected_sheets(analysis, rule_book)
    hold("workbook.xlsx, its sheets", list(sheets), list(expected))
    return sum(compared_sheet(name, sheets[name], rows, above) for name, (above, rows) in expected.items())


def compared_sheet(
    name: str, cells: Cells, rows: Iterable[Sequence[Expected]], above: Mapping[tuple[int, int], Expected]
) -> int:
    """Hold every cell of a sheet: what stands above, the rows from the fourth on, everywhere else words."""
    left, compared = dict(cells), 0
    for (number, column), wanted in above.items():
        where = f"workbook.xlsx, {name}, row {number}, column {column}"
        _hold_cell(where, left.pop((number, column), None), wanted)
        compared += 1
    for number, row in enumerate(rows, start=4):
        width = max((column for at, column in cells if at == number), default=0)
        for column, wanted in zip_longest(range(1, max(width, len(row)) + 1), row):
            where = f"workbook.xlsx, {name}, row {number}, column {column}"
            _hold_cell(where, left.pop((number, column), None), wanted)
            compared += wanted is not None
    for (number, column), cell in left.items():  # titles, heads and notes
        _hold_cell(f"workbook.xlsx, {name}, row {number}, column {column}", cell, Words())
    return compared


# ---------------------------------------------------------------- the page


class PageTable(NamedTuple):
    """A table of the page: the headings above it, its head, its rows, the classes of each row, and its caption.

    Headings and caption are without their numbers.
    """

    headings: tuple[str, ...]
    head: list[str]
    rows: list[list[str]]
    classes: list[list[str]]
    captions: list[str]

    @property
    def caption(self) -> str:
        """What stands over it."""
        return "".join(self.captions)

    @property
    def chapter(self) -> str:
        """The title of the chapter or annex that it stands in."""
        return "".join(self.headings[1:2])


_NUMBERED = re.compile(r"(?:Annex [A-Z]+|Table (?:[A-Z]+\.)?\d+|(?:[A-Z]+\.)?\d+(?:\.\d+)*)\. ")
"""The number before a title or a caption."""


class Page(HTMLParser):
    """The tables of a page, each with the headings that it stands under."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tables: list[PageTable] = []
        self._headings: dict[int, str] = {}
        self._texts: list[str] | None = None
        self._in_head = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a heading, a table, a row or a cell."""
        if re.fullmatch("h[1-6]", tag):
            self._texts = []
        elif tag == "table":
            above = tuple(text for _, text in sorted(self._headings.items()))
            self.tables.append(PageTable(above, [], [], [], []))
        elif tag in ("thead", "tbody"):
            self._in_head = tag == "thead"
        elif tag == "tr" and self.tables and not self._in_head:
            self.tables[-1].rows.append([])
            self.tables[-1].classes.append((dict(attrs).get("class") or "").split())
        elif tag in ("th", "td", "caption"):
            self._texts = []

    def handle_data(self, data: str) -> None:
        """Read text."""
        if self._texts is not None:
            self._texts.append(data)

    def handle_endtag(self, tag: str) -> None:
        """End a heading or a cell."""
        if self._texts is None or not re.fullmatch("h[1-6]|th|td|caption", tag):
            return
        text, self._texts = " ".join("".join(self._texts).split()), None
        if tag == "caption":
            self.tables[-1].captions.append(_NUMBERED.sub("", text, count=1))
        elif tag[1:].isdigit():
            level, text = int(tag[1:]), _NUMBERED.sub("", text, count=1)
            self._headings = {at: above for at, above in self._headings.items() if at < level} | {level: text}
        elif self._in_head:
            self.tables[-1].head.append(text)
        else:
            self.tables[-1].rows[-1].append(_GROUPED.sub(lambda digits: digits[0].replace(",", ""), text))


def tables_of(text: str) -> list[PageTable]:
    """The tables of a page."""
    page = Page()
    page.feed(text)
    page.close()
    return page.tables


_GROUPED = re.compile(r"(?<![\d,.])\d{1,3}(?:,\d{3})+(?![\d,])")
"""A number whose digits stand in threes; one with a comma in another place is left as it is, and differs."""

Line = tuple[list[str], bool]
"""The cells of a row of the page, and whether it is marked as favouring the player."""

FAVOURS_PLAYER = "favours-player"


def _pays(bet: Record) -> str:
    odds = [line["odds"] for line in bet["outcomes"] if Fraction(line["net"]) > 0 and line["odds"]]
    if odds and all(text.endswith(" to 1") for text in odds):
        return ", ".join(text[: -len(" to 1")] for text in odds) + " to 1"
    return ", ".join(odds) or "push"


class Shown(NamedTuple):
    """A column of the page: the key of the figure in a record, and how the page writes its exact value."""

    key: str
    as_written: Callable[[Fraction], str] | None = None

    def cell(self, record: Record) -> str:
        """The cell of a record; a dash where the record has no such figure."""
        value = record[self.key]
        if value in (None, ""):
            return "-"
        return self.as_written(Fraction(value)) if self.as_written else str(value)


def _line(record: Record, columns: Sequence[Shown], *, good: bool = False) -> Line:
    return [column.cell(record) for column in columns], good


_OF_A_BET = (
    *(Shown("name"), Shown("pays"), Shown("hit_frequency", percent), Shown("house_edge", percent)),
    *(Shown("return_to_player", percent), Shown("variance", lambda square: rounded_root(square, 4))),
    Shown("fair_odds", lambda odds: rounded(odds, 2)),
)
_OF_AN_OUTCOME = (
    *(Shown("name"), Shown("odds"), Shown("ways"), Shown("probability")),
    *(Shown(key, lambda share: telling(share, 6)) for key in ("probability", "share_of_return")),
    Shown("true_odds", lambda odds: rounded(odds, 4)),
)
_STATE = (Shown("hand"), Shown("after"), Shown("player_points"), Shown("banker_points"))
_CHANCES = (
    Shown("probability", telling),
    *(Shown(key, percent) for key in ("wins", "pushes", "loses")),
    Shown("expected_value", signed),
)
_OF_A_STATE_SHOWN = (*_STATE, Shown("odds"), *_CHANCES, Shown("fair_odds", lambda odds: rounded(odds, 3)))
_OF_A_THIRD_CARD = (*_STATE, Shown("player_third"), Shown("odds"), *_CHANCES)
_VERDICT = (
    *(Shown("name"), Shown("house_edge", percent), Shown("cut_card")),
    *(Shown(key, lambda gain: rounded(gain, 4)) for key in ("count_gain", "perfect_gain")),
    *(Shown("most"), Shown("proof"), Shown("by")),
)
_COUNT = (
    *(Shown("name"), Shown("said")),
    *(Shown(key, lambda share: percent(share, 2)) for key in ("share", "explained")),
    Shown("true_count"),
)


def _summary_lines(analysis: Record) -> Iterator[Line]:
    """Every bet in a line, as page one has it; the note at its end is left to the eye."""
    for bet, each in _on_each_shoe(analysis, "bets"):
        cells, _ = _line(bet | {"pays": _pays(bet)}, _OF_A_BET)
        edges = [Fraction(on["house_edge"]) for on in each]
        spread = [percent(min(edges)), percent(max(edges))] if len(edges) > 1 else []
        yield [*cells, *spread], Fraction(bet["house_edge"]) < 0


def _outcome_lines(bet: Record, space: str) -> list[Line]:
    total = ["total", "", space, "1", "100.000000", percent(1 + Fraction(bet["expected_value"]), 6), ""]
    return [*(_line(line, _OF_AN_OUTCOME) for line in bet["outcomes"]), (total, False)]


def _in_words(met: Record, more: Record | None = None) -> dict[str, Any]:
    """An insurance state with its figures, its hand and stage in words."""
    state = met["state"]
    words = {"hand": state["side"].capitalize(), "after": f"after {AFTER[state['stage']]}"}
    return {**state, **words, **met, **(more or {})}


def _favours(at_state: Record) -> bool:
    return at_state["expected_value"] is not None and Fraction(at_state["expected_value"]) > 0


def _state_lines(states: Iterable[Record], columns: Sequence[Shown] = _OF_A_STATE_SHOWN) -> list[Line]:
    return [_line(state, columns, good=_favours(state)) for state in states]


DECKS_ACROSS = 7


def _across(analysis: Record, key: str) -> Iterator[list[tuple[Any, ...]]]:
    """The bets or states of every shoe, side by side, as many shoes as a table has room for."""
    shoes = analysis["shoes"]
    for start in range(0, len(shoes), DECKS_ACROSS) if len(shoes) > 1 else ():
        yield list(zip(*(shoe[key] for shoe in shoes[start : start + DECKS_ACROSS]), strict=True))


def _state_by_decks_line(states: Sequence[Record]) -> Line:
    shown = Shown("expected_value", lambda value: signed(value, 3) + "*" * (value > 0))
    cells, _ = _line(_in_words(states[0]), (*_STATE, Shown("odds")))
    return [*cells, *map(shown.cell, states)], False


def _edge_line(bets: Sequence[Record]) -> Line:
    edges = [Fraction(bet["house_edge"]) for bet in bets]
    return [bets[0]["name"], *map(telling, edges)], min(edges) < 0


class Derived(NamedTuple):
    """A table of the page that is derived cell by cell: its section, and the headings under it or its caption."""

    section: str
    under: tuple[str, ...]
    lines: list[Line]
    marked: bool = False

    def is_in(self, table: PageTable) -> bool:
        """Whether it is this table; the summary is known by its section alone."""
        if table.chapter not in _CHAPTERS.get(self.section, (self.section,)):
            return False
        if not self.under:
            return table.head[0] != "role"
        return table.headings[2:] == self.under or table.caption == self.under[-1]


_CHAPTERS = {"I": ("Game protection", "Game protection in detail")}
"""The chapters of a section that is told in more than one."""

_BEATEN = {"anyone": "anyone", "no-one": "no one", "count": "a count", "composition": "exact composition"}


def _bound(text: str, places: int) -> str:
    """An upper bound: never rounded down."""
    return rounded(Fraction(text), places, ROUND_CEILING)


NOTICED = Fraction(1, 1000)
"""The gain of a round from which a row on counts and offers is marked."""


def _true_count(at: Record) -> str | None:
    sides = [(at[f"true_count_{way}"], way) for way in ("up", "down")]
    return ", ".join(f"{rounded(Fraction(count), 1)} {way}" for count, way in sides if count) or None


def _verdict_line(name: str, one: Record, at: Record) -> Line:
    between = f"between {rounded(Fraction(at['perfect_gain']), 2)} and {_bound(at['ceiling'], 2)}"
    words = {"most": _bound(at["ceiling"], 4), "by": _BEATEN.get(at["beaten"], between)}
    good = at["beaten"] in ("anyone", "count", "composition")
    return _line({**one, **at, **words, "name": name}, _VERDICT, good=good)


def _insured_line(name: str, offers: Record) -> Line:
    played = [offers[how] for how in ("by_totals", "by_cards", "last_round")]
    cells = [percent(Fraction(each[key])) for each in played for key in ("chance", "gain")]
    return [name, *cells], Fraction(offers["by_cards"]["gain"]) >= NOTICED


def _count_line(name: str, count: Record) -> Line:
    words = {
        "name": name,
        "said": " ".join(map(str, count["tags"])),
        "true_count": _true_count(count["depths"][0]),
    }
    cells, _ = _line({**count, **words}, _COUNT)
    gains = [Fraction(at["gain"]) for at in count["depths"]]
    return [*cells, *map(percent, gains)], max(gains) >= NOTICED


def derived_tables(analysis: Record) -> Iterator[Derived]:
    """The tables of the page that are derived cell by cell."""
    shoe = reference(analysis)
    yield Derived("Summary", (), list(_summary_lines(analysis)), True)
    for bet in shoe["bets"]:
        lines = _outcome_lines(bet, shoe["sample_space"])
        yield Derived("Results of every wager", (" ".join(bet["name"].split()),), lines)
    if shoe["insurance"]:
        yield from _insurance_tables(analysis)
    for bets in _across(analysis, "bets"):
        caption = "House edge by number of decks, % of the stake"
        yield Derived("Results by number of decks", (caption,), list(map(_edge_line, bets)), True)
    if analysis["protection"]:
        names = {bet["id"]: bet["name"] for bet in shoe["bets"]}
        for side, stage in {(met["state"]["side"], met["state"]["stage"]) for met in shoe["insurance"]}:
            names[f"{side}@{stage}"] = f"{side.capitalize()} Insurance after {AFTER[stage]}"
        named = [(names[one["id"]], one) for one in analysis["protection"]]
        lines = [_verdict_line(name, one, at) for name, one in named for at in one["cuts"]]
        yield Derived("I", ("Who can beat each bet",), lines, True)
        if insured := [(name, one["offers"]) for name, one in named if one["offers"]]:
            yield Derived("I", ("Insurance",), [_insured_line(*line) for line in insured], True)
        counts = [_count_line(name, one["count"]) for name, one in named]
        yield Derived("I", ("The simple counts",), counts, True)


def _insurance_tables(analysis: Record) -> Iterator[Derived]:
    every, chapter = "All insurance states", "Insurance by the Player's third card"
    states = list(map(_in_words, reference(analysis)["insurance"]))
    best = sorted(filter(_favours, states), key=lambda one: -Fraction(one["expected_value"]))
    if best:
        caption = "Insurance states that favour the player, the best first"
        yield Derived("Insurance", (caption,), _state_lines(best), True)
    yield Derived(every, (every,), _state_lines(states), True)
    if third_cards := [_in_words(card["analysis"], card) for card in analysis["third_cards"]]:
        caption = "Insurance after the Player's third card, by the points of that card"
        yield Derived(chapter, (caption,), _state_lines(third_cards, _OF_A_THIRD_CARD), True)
    for across in _across(analysis, "insurance"):
        caption = "Insurance by number of decks: expected value, % of the stake"
        yield Derived("Insurance by number of decks", (caption,), list(map(_state_by_decks_line, across)))


def compared_page(
    tables: Iterable[PageTable],
    analysis: Record,
    rule_book: Record,
    simulations: Mapping[str, bytes] | None = None,
) -> int:
    """Hold the tables of the page against the analysis: how many cells and numbers.

    ``simulations``: the files that the chapter on simulations speaks of; the means of their bets are counted again.
    The tables of wagers, of insurance states and of decks are derived cell by cell. Of the numbers in all other
    tables, each is a number of the analysis, rounded to the digits shown, or one of the rule book.
    """
    left, compared = list(tables), 0
    for derived in derived_tables(analysis):
        place = next((place for place, table in enumerate(left) if derived.is_in(table)), None)
        where = f"report.html, section {' / '.join((derived.section, *derived.under))}"
        if place is None:
            raise DifferenceError(f"{where}: there is no such table")
        compared += _held_lines(where, left.pop(place), derived)
    shoe = reference(analysis)
    figures = {key: Figures(value, key) for key, value in {**analysis, **shoe}.items()}
    texts = [
        leaf
        for key, one in figures.items()
        for _, leaf in one.leaves
        if key != "shoes" and isinstance(leaf, str) and not _EXACT.fullmatch(leaf)
    ]
    texts += [str(value) for _, value in _leaves(rule_book)]
    spelt = {token for text in set(texts) for token in _TOKEN.findall(text)}
    spelt.update(str(other["decks"]) for other in analysis["shoes"])
    counted = (len(listed) for listed in (shoe["bets"], analysis["readings"], analysis["examples"]))
    spelt.update(str(number) for number in range(max(9, *counted) + 1))
    numbers: dict[str, Numbers] = {}
    for table in left:
        if table.chapter == "Simulation":
            compared += held_means(table, analysis, simulations or {})
            continue
        if table.caption in _WORDS_ALONE:
            continue
        if table.caption.endswith(_DERIVED):
            compared += held_derivation(table, shoe)
            continue
        if table.chapter not in numbers:
            numbers[table.chapter] = Numbers(analysis, figures, spelt, table.chapter)
        where = f"report.html, {' / '.join(table.headings[1:])}"
        for row in table.rows:
            compared += sum(numbers[table.chapter].held(f"{where}, row {row[0]!r}", cell) for cell in row)
    return compared


_WORDS_ALONE = (
    "How to check this report",
    "Headings and parts that the trace does not list separately",
)
"""Tables in which no figure stands; the second has clauses of the document that its rule book does not name."""


_DERIVED = ": ways of each outcome"


def held_derivation(table: PageTable, shoe: Record) -> int:
    """The ways of a wager by how the round goes on: they make up the ways and the nets of its outcomes."""
    *courses, total, nets = [row[1:] for row in table.rows]
    name = table.caption.removesuffix(_DERIVED)
    outcomes = {
        bet["name"]: [(int(line["ways"]), line["net"]) for line in bet["outcomes"] if not line["is_void"]]
        for bet in shoe["bets"]
    }
    sums = [int(re.sub(r"\D", "", cell)) for cell in total]
    shown = list(zip(sums, nets, strict=True))
    states = [
        [(int(one["won"]), one["net"]), (int(one["ways"]) - int(one["won"]) - int(one["lost"]), "0"), (int(one["lost"]), "-1")]
        for one in shoe["insurance"]
    ]  # fmt: skip
    hold(f"report.html, {table.caption}", shown in ([outcomes[name]] if name in outcomes else states), True)
    parts = [[int(re.sub(r"\D", "", cell)) for cell in row] for row in courses]
    hold(
        f"report.html, {table.caption}, the sums", [sum(column) for column in zip(*parts, strict=True)], sums
    )
    return len(table.rows) * len(sums)


MOST_SKEWNESS = Fraction(1, 50)
"""The skewness of a sum of rounds above which a report states no z."""


def held_means(table: PageTable, analysis: Record, simulations: Mapping[str, bytes]) -> int:
    """The means of the bets in a counts file of independent rounds, counted again; of other tables, nothing."""
    name, *under = table.headings[2:] or ("",)
    name = name.partition(":")[0]
    if under != ["Bets"] or not name.endswith(".json") or name not in simulations:
        return 0
    counts = json.loads(simulations[name])
    decks = [shoe for shoe in analysis["shoes"] if 52 * shoe["decks"] == counts["shoe"]["size"]]
    if counts["dealing"] != "independent" or not decks:
        return 0
    known, lines = {bet["id"]: bet for bet in decks[0]["bets"]}, []
    for bet in counts["bets"]:
        total = sum(Fraction(result["net"]) * result["rounds"] for result in bet["results"])
        exact = Fraction(known[bet["id"]]["expected_value"])
        off = total - counts["rounds"] * exact
        variance, third = (Fraction(known[bet["id"]][key]) for key in ("variance", "third_central_moment"))
        z = rounded_root(off * abs(off) / (counts["rounds"] * variance), 2)
        is_skewed = third**2 > MOST_SKEWNESS**2 * counts["rounds"] * variance**3
        signed = "-" if is_skewed else z if z.startswith("-") else f"+{z}"
        shown = [percent(total / counts["rounds"]), percent(exact), signed]
        lines.append([known[bet["id"]]["name"], *shown])
    where = f"report.html, {' / '.join(table.headings[1:])}"
    hold(f"{where}, its rows", [[*row[:3], row[3].strip("()")] for row in table.rows], lines)
    return 4 * len(lines)


def _held_lines(where: str, table: PageTable, derived: Derived) -> int:
    hold(f"{where}, its rows", len(table.rows), len(derived.lines))
    compared = 0
    for number, (row, classes, (cells, good)) in enumerate(
        zip(table.rows, table.classes, derived.lines, strict=True), start=1
    ):
        note = table.head[-1:] == ["note"]
        hold(f"{where}, row {number}, its cells", len(row), len(cells) + note)
        for head, cell, expected in zip(table.head, row, cells, strict=not note):
            hold(f"{where}, row {number}, {head}", cell, " ".join(expected.split()))
            compared += 1
        if derived.marked:
            hold(f"{where}, row {number}, marked for the player", FAVOURS_PLAYER in classes, good)
    return compared


_TOKEN = re.compile(r"(?:(?<![\w.)])[-+])?\d+(?:\.\d+)*(?:/\d+)?")
_SQUARES = ("variance", "signed_square", "sigma_squared", "below_squared", "above_squared")


_OF_SECTION = {
    "Interpretation register": ("readings",),
    "The whole register": ("readings",),
    "Insurance by the exact cards": ("ranges",),
    "Bets together": ("joint", "combination"),
    "Game protection in detail": ("removal", "protection"),
}
"""What the other tables of a section are drawn from; those of a section not named, from anything."""


_FORMULA = re.compile(r"(?=.*n)[-+/^()\d n]+")
"""A closed form: a quotient of factors in n."""

_DECKS = range(2, 20)
"""Numbers of decks at which closed forms are compared: more than a quotient of such degrees needs."""


def _values_of(formula: str) -> tuple[Fraction, ...]:
    """The values of a closed form as it is printed, such as ``-(4 n + 11)/(52 n - 1)``."""
    product = re.sub(r"(?<=[\dn)])\s*(?=[(n])|(?<=[n)])\s+(?=\d)", "*", formula.replace("^", "**"))
    return tuple(Fraction(eval(product, {"__builtins__": {}}, {"n": Fraction(decks)})) for decks in _DECKS)


def _curve(form: Record) -> tuple[Fraction, ...]:
    """The values of a closed form by its coefficients, the constant first."""
    tops, bottoms = (list(map(int, form[key])) for key in ("numerator", "denominator"))

    def at(coefficients: list[int], decks: int) -> int:
        return sum(number * decks**power for power, number in enumerate(coefficients))

    return tuple(Fraction(at(tops, decks), at(bottoms, decks)) for decks in _DECKS)


class Figures:
    """The exact numbers under a key of the analysis, and what each looks like: as it is, in per cent, its root."""

    def __init__(self, value: Any, key: str) -> None:
        self.leaves = list(_leaves(value, key))
        exact: dict[str, Fraction] = {}
        squares = {
            Fraction(square)
            for volume in (value if key == "operations" else ())
            for square in _bands(volume).values()
        }
        for name, leaf in self.leaves:
            text = str(leaf)
            if text not in exact and (isinstance(leaf, int) or _EXACT.fullmatch(text)):
                exact[text] = Fraction(text)
            if name.endswith(_SQUARES) and text in exact:
                squares.add(exact[text])
        self.exact = {str(number) for number in exact.values()}
        context = Context(prec=60)
        shown = [
            context.divide(Decimal(number.numerator), Decimal(number.denominator))
            for number in set(exact.values())
        ]
        shown += [context.multiply(number, Decimal(100)) for number in shown]
        self.shown = shown + [_root(square, _context(square, 10)) for square in squares]


class Numbers:
    """The numbers that may stand in a section's tables: of the analysis, rounded in any way, and of the rule book.

    ``figures``: the numbers of the analysis by their keys, read once for all sections.
    """

    def __init__(
        self,
        analysis: Record,
        figures: Mapping[str, Figures],
        spelt: Set[str],
        section: str,
    ) -> None:
        keys = {*_OF_SECTION.get(section, figures.keys() - {"shoes"})}
        if section == "Verification":  # published figures are of any number of decks
            keys.add("shoes")
        some = [figures[key] for key in keys if key in figures]
        self._spelt = spelt
        forms = [form for one in analysis["formulas"] for form in one["formulas"]]
        self._forms = {_curve(form) for form in forms} if section == "Closed forms" else set()
        self._exact = set[str]().union(*(one.exact for one in some))
        self._shown = sorted(number for one in some for number in one.shown)

    def held(self, where: str, cell: str) -> int:
        """Hold every number of a cell; how many there are."""
        tokens = _TOKEN.findall(cell)
        if self._forms and _FORMULA.fullmatch(cell):
            if _values_of(cell) not in self._forms:
                raise DifferenceError(f"{where}: found {cell!r}, which is no closed form of analysis.json")
            return len(tokens)
        for token in tokens:
            text = token.removeprefix("+")
            if text not in self._spelt and text not in self._exact and not self._is_rounding(text):
                raise DifferenceError(f"{where}: found {cell!r}, and analysis.json has no {text}")
        return len(tokens)

    def _is_rounding(self, text: str) -> bool:
        """Whether some number of the analysis, as it is, in per cent or under the root, is rounded to this."""
        if text.count(".") != 1 or "/" in text:
            return False
        number = Decimal(text)
        half = Decimal(5).scaleb(-len(text.partition(".")[2]) - 1)
        return bisect_left(self._shown, number - half) < bisect_right(self._shown, number + half)


def _leaves(value: Any, key: str = "") -> Iterator[tuple[str, Any]]:
    """Every text and number of a document, with the key that it stands under."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _leaves(inner, name)
    elif isinstance(value, list):
        for inner in value:
            yield from _leaves(inner, key)
    elif value is not None and not isinstance(value, bool):
        yield key, value


# ---------------------------------------------------------------- the PDF

_BETWEEN = re.compile(r"[\s,\u200b\u00ad]")
"""Where a line of the PDF may break, and what groups digits."""

# ---------------------------------------------------------------- Markdown

_CELL_END = re.compile(r"(?<!\\)\|")
_FOLLOWED = re.compile(r"\[((?:[^\]\\]|\\.)*)\]\([^)]*\)")
_BACKSLASHED = re.compile(r"\\([!-/:-@\[-`{-~])")


def markdown_tables(text: str) -> list[list[list[str]]]:
    """The rows of every table of a Markdown file, without its head: links as their names, escapes undone."""
    tables: list[list[list[str]]] = []
    inside = False
    for line in text.splitlines():
        if not line.startswith("|"):
            inside = False
            continue
        if not inside:
            tables.append([])
        inside = True
        cells = [_FOLLOWED.sub(r"\1", cell.strip()) for cell in _CELL_END.split(line)[1:-1]]
        plain = (unescape(_BACKSLASHED.sub(r"\1", cell)) for cell in cells)
        tables[-1].append([_GROUPED.sub(lambda digits: digits[0].replace(",", ""), cell) for cell in plain])
    return [rows[2:] for rows in tables]


def compared_markdown(text: str, tables: Sequence[PageTable], name: str = "report.md") -> int:
    """Hold every row of the page's tables against the Markdown: how many cells."""
    found, compared = markdown_tables(text), 0
    if len(found) != len(tables):
        raise DifferenceError(f"{name}: found {len(found)} tables, report.html has {len(tables)}")
    for table, rows in zip(tables, found, strict=True):
        where = f"{name}, {' / '.join((*table.headings[1:], table.caption))}"
        for number, (mine, theirs) in enumerate(zip_longest(rows, table.rows), start=1):
            if mine != theirs:
                raise DifferenceError(f"{where}, row {number}: found {mine}, report.html has {theirs}")
            compared += len(mine or ())
    return compared


_TURNED = re.compile(r"page\d+of\d+")
"""The foot of a page, between two rows of a table that goes on on the next one."""


def pdf_text(content: bytes) -> str:
    """The letters of a PDF in the order in which it draws them, without spaces and commas.

    Poppler's pdftotext reads them; pypdf, much slower, where it is not installed.
    """
    if shutil.which("pdftotext"):
        asked = ["pdftotext", "-raw", "-nopgbrk", "-", "-"]
        return _BETWEEN.sub(
            "", subprocess.run(asked, input=content, capture_output=True, check=True).stdout.decode()
        )
    from pypdf import PdfReader

    return _BETWEEN.sub("", "".join(page.extract_text() for page in PdfReader(io.BytesIO(content)).pages))


def compared_pdf(content: bytes, tables: Sequence[PageTable], name: str = "report.pdf") -> int:
    """Hold every row of the page's tables against the PDF: how many cells.

    The rows of a table stand there in order, cell after cell, with nothing between two of them but the turn of a page, after
    which the head is repeated.
    """
    drawn, place, compared = pdf_text(content), 0, 0
    for table in tables:
        where = f"{name}, {' / '.join((*table.headings[1:], table.caption))}"
        head = _BETWEEN.sub("", "".join(table.head))
        for number, row in enumerate(table.rows, start=1):
            cells = _BETWEEN.sub("", "".join(row))
            begins = drawn.find(cells, place)
            if begins < 0:
                raise DifferenceError(f"{where}, row {number}: the row of report.html is not there: {row}")
            between = drawn[place:begins]
            if number > 1 and between and not (_TURNED.search(between) and between.endswith(head)):
                raise DifferenceError(f"{where}, row {number}: found {between!r} before it")
            place, compared = begins + len(cells), compared + len(row)
    return compared


# ---------------------------------------------------------------- memos, rules, figures, indexes


def memo_tables(page: Sequence[PageTable]) -> list[PageTable]:
    """The tables of the page that a memo has too: that of every bet, and the signatures."""
    return [table for table in page if table.chapter in ("Summary", "Statement and signatures")]


def compared_memo(text: str, page: Sequence[PageTable]) -> int:
    """Hold the memo's page against that of the report: how many cells."""
    found, expected = (
        [[table.head, *table.rows] for table in some] for some in (tables_of(text), memo_tables(page))
    )
    hold("memo.html, its tables", found, expected)
    return sum(len(row) for rows in found for row in rows)


def compared_rules(text: str, rule_book: Record) -> int:
    """Hold the odds of every bet in the rules restated against the rule book: how many lines."""
    expected = [
        pay["odds"] if "commission" not in pay else f"{pay['odds']} less {pay['commission']}"
        for bet in rule_book["bets"]
        for pay in bet["pays"]
    ]
    (rows,) = [rows for rows in markdown_tables(text) if rows and rows[0][0] == rule_book["bets"][0]["id"]][
        :1
    ]
    hold("rules.md, the odds of the bets", [row[2] for row in rows], expected)
    return len(expected)


def compared_figures(files: Mapping[str, str], analysis: Record) -> int:
    """Hold the figures printed beside the bars of house edges against the analysis: how many."""
    edges = [[Fraction(bet["house_edge"]) for bet in bets] for bets in _of_every_bet(analysis)]
    expected = [signed(pick(some), 2) for some in edges for pick in (min, max)]
    texts = [text for name in sorted(files) for text in re.findall(r">([^<>]*)</text>", files[name])]
    found = [text for text in texts if re.fullmatch(r"[-+]?\d+\.\d\d", text)]
    hold("figures, the lowest and highest house edges", found, expected)
    return len(found)


def _of_every_bet(analysis: Record) -> Iterator[tuple[Record, ...]]:
    return zip(*(shoe["bets"] for shoe in analysis["shoes"]), strict=True)


def compared_index(folder: Path) -> int:
    """Hold the house edges of an index, as a page and as text, against the games below it: how many cells."""
    page = tables_of((folder / "index.html").read_text("utf-8"))
    texts = markdown_tables((folder / "README.md").read_text("utf-8"))
    hold("README.md, its tables", texts, [table.rows for table in page])
    games = [json.loads(path.read_bytes()) for path in sorted(folder.glob("*/analysis.json"))]
    edges = {
        analysis["game"]: {bet["name"]: bet["house_edge"] for bet in reference(analysis)["bets"]}
        for analysis in games
    }
    listed = [game["id"] for game in json.loads((folder / "collection.json").read_bytes())["games"]]
    compared, place = 0, 0
    for table in (table for table in page if table.chapter.startswith("House edge in per cent")):
        across = listed[place : place + len(table.head) - 1]
        place += len(across)
        for name, *cells in table.rows:
            found = (edges[game].get(name) for game in across)
            expected = ["-" if edge is None else percent(Fraction(edge)) for edge in found]
            hold(f"index.html, house edge, {name}", cells, expected)
            compared += len(cells)
        shown = {row[0] for row in table.rows}
        hold("index.html, its bets", shown, {name for game in across for name in edges[game]})
    hold("index.html, its games", place, len(games))
    return compared


# ---------------------------------------------------------------- a folder


MEMOS = ("memo.html", "memo.md", "memo.pdf")
DOCUMENTS = (
    "tables",
    "report.html",
    "report.md",
    "report.pdf",
    "workbook.xlsx",
    "rules.md",
    "figures",
    *MEMOS,
)


def compared_folder(folder: Path) -> dict[str, int]:
    """Hold the documents of a report's folder against its ``analysis.json``; how many cells of each."""
    try:
        analysis = json.loads((folder / "analysis.json").read_bytes())
    except (OSError, ValueError) as error:
        raise UnreadableError(f"{folder / 'analysis.json'}: {error}") from None
    if analysis.get("schema") != SCHEMA:
        raise UnreadableError(f"{folder}: found schema {analysis.get('schema')}, not {SCHEMA}")
    there = [name for name in DOCUMENTS if (folder / name).exists()]
    book = f"{analysis['game']}.toml"
    beside = {
        "report.html": book,
        "workbook.xlsx": book,
        "report.md": "report.html",
        "report.pdf": "report.html",
        "rules.md": book,
        **dict.fromkeys(MEMOS, "report.html"),
    }
    for name in there:
        if not (folder / beside.get(name, "")).exists():
            raise UnreadableError(
                f"{folder / name}: it is compared with {beside[name]}, which is not beside it"
            )
    if not there:
        raise UnreadableError(f"{folder}: none of {', '.join(DOCUMENTS)} is there")
    content = (folder / book).read_bytes() if (folder / book).exists() else None
    if content is not None:
        hold(f"{book}, its SHA-256", hashlib.sha256(content).hexdigest(), analysis["rule_book_sha256"])
    rule_book = tomllib.loads((content or b"").decode("utf-8"))
    page = tables_of((folder / "report.html").read_text("utf-8")) if "report.html" in there else []
    return {name: _compared(folder, name, analysis, rule_book, page) for name in there}


def _compared(folder: Path, name: str, analysis: Record, rule_book: Record, page: Sequence[PageTable]) -> int:
    match name:
        case "tables":
            files = {path.stem: path.read_bytes() for path in (folder / name).iterdir()}
            return compared_tables(files, analysis)
        case "report.html":
            dealt = {path.name: path.read_bytes() for path in (folder / "simulation").glob("*")}
            return compared_page(page, analysis, rule_book, dealt)
        case "report.md":
            return compared_markdown((folder / name).read_text("utf-8"), page)
        case "report.pdf":
            return compared_pdf((folder / name).read_bytes(), page)
        case "memo.html":
            return compared_memo((folder / name).read_text("utf-8"), page)
        case "memo.md":
            return compared_markdown((folder / name).read_text("utf-8"), memo_tables(page), name)
        case "memo.pdf":
            return compared_pdf((folder / name).read_bytes(), memo_tables(page), name)
        case "rules.md":
            return compared_rules((folder / name).read_text("utf-8"), rule_book)
        case "figures":
            return compared_figures(
                {path.name: path.read_text("utf-8") for path in (folder / name).iterdir()}, analysis
            )
        case _:
            return compared_workbook((folder / name).read_bytes(), analysis, rule_book)


def main(arguments: Sequence[str]) -> int:
    """Compare the folder named; 0: all holds, 1: a cell differs, 2: nothing could be compared."""
    if len(arguments) != 1:
        print("usage: python second_reader.py FOLDER", file=sys.stderr)
        return 2
    folder = Path(arguments[0])
    try:
        compared = (
            {"index": compared_index(folder)}
            if (folder / "collection.json").exists()
            else compared_folder(folder)
        )
    except DifferenceError as difference:
        print(f"differs: {difference}")
        return 1
    except UnreadableError as error:
        print(error, file=sys.stderr)
        return 2
    for name, cells in compared.items():
        print(f"{name}: {cells} cells")
    print(f"{sum(compared.values())} cells compared; all are what analysis.json says")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
