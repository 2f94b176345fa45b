"""The analysis as a workbook: a sheet per table, counts as text, live formulas that an auditor can trace.

Excel keeps 15 digits of a number and the counts have up to 17, so a count stands as text and a formula reads
it in two parts, each short enough. Nets are whole numbers on a whole stake, so that a figure is one division
of whole numbers, not a small difference of large rounded terms: it is right to the last digit that Excel
keeps. Beside each formula stand the exact value and a check. The same analysis gives the same bytes.
"""

import datetime
import io
import textwrap
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import zip_longest
from math import lcm
from pathlib import Path
from typing import Any, NamedTuple

from combinat.analysis.readings import EXPECTED_VALUE
from combinat.errors import CombinatError
from combinat.report.files import replacing
from combinat.report.filing import DISCLAIMER
from combinat.report.number import decimal, root
from combinat.report.odds import ROUNDING
from combinat.rules.game import Game
from combinat.rules.round import Stage

DIGITS = 15
"""The significant digits that Excel keeps."""

LOW = 8
"""How many digits of a count its low part has."""

_BAR = {"bold": True, "bg_color": "#1F3864", "font_color": "#FFFFFF", "left": 1, "left_color": "#FFFFFF"}
_STYLES: dict[str, dict[str, Any]] = {
    "text": {},
    "exact": {"indent": 1},
    "bold": {"bold": True},
    "title": {"bold": True, "font_size": 14},
    "note": {"text_wrap": True, "valign": "top"},
    "head": _BAR | {"text_wrap": True, "valign": "top"},  # a filter's buttons lie at the bottom
    "upright": _BAR | {"rotation": 90, "valign": "bottom", "align": "center"},
    "block": {"bold": True, "bg_color": "#D9D9D9", "top": 1},
    "total": {"bold": True, "top": 1},
    "link": {"font_color": "#1F3864", "underline": 1},
    "centred": {"align": "center"},
    "check": {"align": "center", "num_format": '"TRUE";"TRUE";"FALSE"'},  # LibreOffice has no truth values
    "count": {"align": "right", "num_format": "@"},
    "whole": {"num_format": "0"},
    "ratio": {"num_format": "0.00"},
    "decimal": {"num_format": "0.000000"},
    "correlation": {"num_format": "0.00000"},
    "digits": {"num_format": "0.00000000000000E+00"},
    "percent": {"num_format": "0.0000%"},
    "signed": {"num_format": "+0.0000%;-0.0000%;0.0000%"},
    "starred": {"num_format": '+0.0000%" *";-0.0000%"  ";0.0000%"  "'},
    "change": {"num_format": "+0.00000%;-0.00000%;0%"},
    "good": {"bold": True, "bg_color": "#C6EFCE", "font_color": "#0B5D1E"},
    "bad": {"bold": True, "bg_color": "#FFC7CE", "font_color": "#9C0006"},
}
_LIVE = {"bg_color": "#E8F1FA"}
_A4, _A3 = 9, 8


def write_workbook(analysis: dict[str, Any], game: Game, path: Path) -> None:
    """Write the workbook of a game's analysis."""
    try:
        import xlsxwriter  # type: ignore[import-untyped]  # it carries no types
    except ImportError:
        raise CombinatError("a workbook needs xlsxwriter: pip install 'combinat[report]'") from None
    written = io.BytesIO()
    with xlsxwriter.Workbook(written, {"in_memory": True}) as workbook:
        workbook.set_properties(
            {
                "title": f"{game.name}: exact pay-table analysis",
                "author": _software(analysis),
                "comments": DISCLAIMER,
                "created": datetime.datetime.combine(game.effective, datetime.time()),
            }
        )
        _Book(workbook, analysis, game).fill()
    with replacing(path) as temporary:
        temporary.write_bytes(_stored(written.getvalue()))


def _stored(package: bytes) -> bytes:
    """The package uncompressed: what a compressor makes of it depends on the machine's zlib."""
    written = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(package)) as parts, zipfile.ZipFile(written, "w") as stored:
        for name in parts.namelist():
            info = zipfile.ZipInfo(name)  # dated 1980, whatever the day
            info.create_system = 0
            stored.writestr(info, parts.read(name))
    return written.getvalue()


# ---------------------------------------------------------------- cells


class Live(NamedTuple):
    """A formula, and what it comes to: what a viewer shows that does not recalculate."""

    formula: str
    value: float | str | bool


class Styled(NamedTuple):
    """A cell in another style than its column's."""

    cell: "str | float | Fraction | Live"
    style: str


Cell = str | float | Fraction | Live | Styled | None


class Figure(NamedTuple):
    """A figure: the nearest double-precision number, the exact value as Excel keeps it, and in full."""

    nearest: float
    digits: float
    exact: str

    @classmethod
    def of(cls, value: Fraction) -> "Figure":
        """A rational figure."""
        return cls(float(value), float(significant(value)), str(value))

    @classmethod
    def root(cls, variance: Fraction) -> "Figure":
        """A standard deviation."""
        return cls(
            float(root(variance, 2 * DIGITS)), float(significant_root(variance)), "root of the variance"
        )


def significant(value: Fraction) -> str:
    """The value with the digits that Excel keeps, rounded half to even.

    >>> significant(Fraction(1, 3)), significant(Fraction(-200000, 3))
    ('0.333333333333333', '-66666.6666666667')
    """
    return decimal(value, _places(_power(abs(value)))) if value else "0"


def significant_root(square: Fraction) -> str:
    """The square root of a value with the digits that Excel keeps, correctly rounded.

    >>> significant_root(Fraction(2)), significant_root(Fraction(200))
    ('1.41421356237310', '14.1421356237310')
    """
    return root(square, _places(_power(square) // 2)) if square else "0"


def _power(value: Fraction) -> int:
    """The power of ten of the first digit of a positive value."""
    power = len(str(value.numerator)) - len(str(value.denominator))
    return power if value >= Fraction(10) ** power else power - 1


def _places(power: int) -> int:
    return max(0, DIGITS - 1 - power)


def _fraction(text: str | None) -> Fraction | None:
    return None if text is None else Fraction(text)


def _count(cell: str, ways: int) -> Live:
    """A count, read from its text in two parts."""
    high = f'VALUE("0"&LEFT({cell},MAX(0,LEN({cell})-{LOW})))'
    return Live(f"={high}*{10**LOW}+VALUE(RIGHT({cell},{LOW}))", float(ways))


def _traced(formula: str, figure: Figure, row: int, letter: str) -> list[Live | float]:
    """A formula for a cell, for the next one the exact value as Excel keeps it, and then the check."""
    cell, beside = f"{letter}{row}", f"{chr(ord(letter) + 1)}{row}"
    check = Live(f"=ABS({cell}-{beside})<=1E-14*ABS({beside})", True)
    return [Live(formula, figure.nearest), figure.digits, check]


def _letter(place: int) -> str:
    """The letters of a column.

    >>> _letter(0), _letter(25), _letter(26)
    ('A', 'Z', 'AA')
    """
    return (_letter(place // 26 - 1) if place >= 26 else "") + chr(ord("A") + place % 26)


# ---------------------------------------------------------------- sheets


class Column(NamedTuple):
    """A column: its head, width and style, and what must be said of it."""

    head: str
    width: int
    style: str = "text"
    note: str = ""


def _columns(table: str, **notes: str) -> list[Column]:
    """Columns written a line each, as head, width and style; notes by the head's first word.

    >>> _columns("Ways it wins | 20 | count", Ways="ordered")
    [Column(head='Ways it wins', width=20, style='count', note='ordered')]
    """
    found = []
    for line in table.strip().splitlines():
        head, width, style = (part.strip() for part in line.split("|"))
        found.append(Column(head, int(width), style, notes.pop(head.split()[0], "")))
    return found


class _Sheet:
    """A sheet: its title, a line on it, the frozen head, rows, and at its end the notes on its columns."""

    HEAD = 3

    def __init__(
        self,
        book: "_Book",
        name: str,
        title: str,
        columns: Sequence[Column],
        *,
        frozen: int = 1,
        paper: int = _A4,
        headed: bool = True,
        upright: bool = False,
    ) -> None:
        self.book, self.name, self.columns = book, name, columns
        self.cells, self.next = book.sheets[name], self.HEAD
        self.cells.write_string(0, 0, title, book.format("title"))
        for place, column in enumerate(columns):
            self.cells.set_column(place, place, column.width)
        if headed:
            for place, column in enumerate(columns):
                self.write(self.HEAD, place, column.head, "upright" if upright and place else "head")
                if column.note:
                    self.cells.write_comment(self.HEAD - 1, place, column.note, {"x_scale": 3, "y_scale": 2})
            self.cells.set_row(self.HEAD - 1, 100 if upright else 45)
            self.cells.freeze_panes(self.HEAD, frozen)
            self.cells.repeat_rows(0, self.HEAD - 1)
            self.next += 1
        self.cells.set_landscape()
        self.cells.set_paper(paper)
        self.cells.fit_to_pages(1, 0)
        self.cells.set_margins(left=0.5, right=0.5, top=0.6, bottom=0.7)
        self.cells.set_footer(f"&L&8{book.foot}&R&8&A, page &P of &N")

    def line(self, text: str) -> None:
        """Write the line under the title."""
        self.write(2, 0, text, "text")

    def row(self, *cells: Cell, style: str = "text") -> int:
        """Write a row, in this style over those of the columns; its number."""
        for place, (cell, column) in enumerate(zip_longest(cells, self.columns)):
            self.write(self.next, place, cell, column.style, style)
        self.next += 1
        return self.next - 1

    def write(self, row: int, place: int, cell: Cell, style: str, over: str = "text") -> None:
        """Write a cell by its kind: a text stays a text, whatever it looks like."""
        if isinstance(cell, Styled):
            cell, style = cell
        at, form = (row - 1, place), self.book.format(style, over, live=isinstance(cell, Live))
        if isinstance(cell, Live):
            self.cells.write_formula(*at, cell.formula, form, cell.value)
            self.book.held[self.name] = self.book.held.get(self.name, 0) + (style == "check")
        elif cell is None:
            self.cells.write_blank(*at, None, form)
        elif isinstance(cell, str):
            self.cells.write_string(*at, cell, form)
        else:
            self.cells.write_number(*at, float(cell), form)

    def paragraph(self, text: str, style: str = "note") -> None:
        """Write a paragraph across the first columns."""
        across, width = 0, 0
        while across < len(self.columns) and width < 110:
            width += self.columns[across].width
            across += 1
        self.cells.merge_range(self.next - 1, 0, self.next - 1, across - 1, text, self.book.format(style))
        self.cells.set_row(self.next - 1, 15 * len(textwrap.wrap(text, width * 6 // 5)))
        self.next += 1

    def mark(self, first: int, last: int, **condition: Any) -> None:
        """Mark the cells of some columns that meet a condition."""
        self.cells.conditional_format(self.HEAD, first, self.next - 2, last, condition)

    def finish(self, *, filtered: bool = True) -> None:
        """Set what covers the whole sheet, and write the notes."""
        last, wide = self.next - 1, len(self.columns) - 1
        if filtered:
            self.cells.autofilter(self.HEAD - 1, 0, last - 1, wide)
        for place, column in enumerate(self.columns):
            if column.style == "check":
                letter = _letter(place)
                self.book.checks.append((self.name, f"${letter}${self.HEAD + 1}:${letter}${last}"))
                top = f"{letter}{self.HEAD + 1}"
                failed = {"criteria": f'=AND({top}<>"",NOT({top}))', "format": self.book.format("bad")}
                self.mark(place, place, type="formula", **failed)
        whole = f"A1:{_letter(wide)}{last}"
        self.cells.ignore_errors({"number_stored_as_text": whole, "formula_differs": whole})
        notes = [f"{column.head}: {column.note}" for column in self.columns if column.note]
        if notes:
            self.next += 1
            self.line(f"Notes on the columns: at their heads, and below the table from row {self.next}.")
        for note in notes:
            self.paragraph(note)


# ---------------------------------------------------------------- a bet

_NETS, _WAYS = "E{first}:E{last}", "G{first}:G{last}"
_VARIANCE = f"=SUMPRODUCT({_NETS},{_NETS},{_WAYS})/(E{{head}}*E{{head}}*G{{total}})-H{{expected_value}}^2"


class Derived(NamedTuple):
    """A figure derived from a bet's outcomes: its formula in terms of rows, and how it is shown."""

    key: str
    label: str
    style: str
    formula: str


_DERIVED = (
    Derived("expected_value", "Expected value", "signed", "=K{total}"),
    Derived("return_to_player", "Return to player", "percent", "=1+H{expected_value}"),
    Derived("house_edge", "House edge", "percent", "=-H{expected_value}"),
    Derived("hit_frequency", "Hit frequency", "percent", f'=SUMIF({_NETS},">0",{_WAYS})/G{{total}}'),
    Derived("returned", "Stake returned", "percent", f"=SUMIF({_NETS},0,{_WAYS})/G{{total}}"),
    Derived("edge_per_resolved_bet", "Edge per resolved bet", "percent", "=H{house_edge}/(1-H{returned})"),
    Derived("variance", "Variance", "decimal", _VARIANCE),
    Derived("standard_deviation", "Standard deviation", "decimal", "=SQRT(H{variance})"),
    Derived(
        *("fair_odds", "Fair odds to 1", "decimal"),
        f'=SUMIF({_NETS},-E{{head}},{_WAYS})/SUMIF({_NETS},">0",{_WAYS})',
    ),
)


def _figures(bet: Mapping[str, Any]) -> dict[str, Figure]:
    """The figures of a bet by key; one that does not exist is left out."""
    lines = [(Fraction(line["net"]), Fraction(line["probability"])) for line in bet["outcomes"]]
    exact = {one.key: _fraction(bet.get(one.key)) for one in _DERIVED if one.key != "standard_deviation"}
    exact["returned"] = sum((probability for net, probability in lines if not net), Fraction(0))
    figures = {key: Figure.of(value) for key, value in exact.items() if value is not None}
    return {**figures, "standard_deviation": Figure.root(Fraction(bet["variance"]))}


def _write_bet(sheet: _Sheet, bet: Mapping[str, Any], space: int) -> dict[str, int]:
    """Write a bet's outcomes, their total and the figures derived from them; the row of each figure."""
    outcomes, known = bet["outcomes"], _figures(bet)
    stake = lcm(*(Fraction(outcome["net"]).denominator for outcome in outcomes))
    head = sheet.row(bet["id"], bet["name"], None, "stake:", stake, style="block")
    total = head + 1 + len(outcomes)
    for row, outcome in enumerate(outcomes, start=head + 1):
        net, probability, share = (Fraction(outcome[key]) for key in ("net", "probability", "contribution"))
        sheet.row(
            *(bet["id"], outcome["name"], outcome["odds"], str(net), int(net * stake), outcome["ways"]),
            _count(f"F{row}", int(outcome["ways"])),
            *_traced(f"=G{row}/G{total}", Figure.of(probability), row, "H"),
            *_traced(f"=E{row}*G{row}/(E{head}*G{total})", Figure.of(share), row, "K"),
            *(str(probability), str(share)),
        )
    rows = {"head": head, "first": head + 1, "last": total - 1, "total": total}
    nets, ways, mean = _NETS.format(**rows), _WAYS.format(**rows), known["expected_value"]
    sheet.row(
        *(bet["id"], "total", None, None, None, str(space), _count(f"F{total}", space)),
        *_traced(f"=SUM({ways})/G{total}", Figure.of(Fraction(1)), total, "H"),
        *_traced(f"=SUMPRODUCT({nets},{ways})/(E{head}*G{total})", mean, total, "K"),
        *("1", mean.exact),
        style="total",
    )
    for one in _DERIVED:
        if one.key in known:
            row = rows[one.key] = sheet.next
            live, *beside = _traced(one.formula.format(**rows), known[one.key], row, "H")
            exact = known[one.key].exact
            sheet.row(bet["id"], one.label, *[None] * 5, Styled(live, one.style), *beside, *[None] * 3, exact)
    return rows


# ---------------------------------------------------------------- an insurance state


class Offered(NamedTuple):
    """An insurance state, what follows from it or from it and a third card, and what tells them apart."""

    state: Mapping[str, Any]
    given: Mapping[str, Any]
    mark: Cell
    odds: str

    @property
    def named(self) -> list[Cell]:
        """The first four cells of its row."""
        stage = Stage(self.state["stage"]).in_words.removeprefix("after ")
        return [self.state["side"], stage, self.state["player_points"], self.state["banker_points"]]


def _write_state(sheet: _Sheet, offered: Offered, space: int, total: int) -> None:
    """Write an insurance state: its ways as text, read as numbers, and what follows from them."""
    given, net, row = offered.given, Fraction(offered.state["odds"]), sheet.next
    named = (*offered.named, offered.mark, offered.odds, net.numerator, net.denominator)
    if given["expected_value"] is None:
        sheet.row(*named, *[None] * 4, "never")
        return
    reached, mean = Fraction(given["probability"]), Fraction(given["expected_value"])
    shares = [Fraction(given[key]) for key in ("wins", "pushes", "loses")]
    counts = [int(share * reached * space) for share in shares]
    favours = "PLAYER" if mean > 0 else "house" if mean < 0 else "neither"
    ways = f"SUM(T{row}:V{row})"
    formula = f"=(G{row}*T{row}-H{row}*V{row})/(H{row}*{ways})"
    live, *beside = _traced(formula, Figure.of(mean), row, "N")
    sheet.row(
        *named,
        Live(f"={ways}/T${total}", float(reached)),
        *(Live(f"={letter}{row}/{ways}", float(share)) for letter, share in zip("TUV", shares, strict=True)),
        Live(f'=IF(N{row}>0,"PLAYER",IF(N{row}<0,"house","neither"))', favours),
        *(live, *beside),
        *map(str, counts),
        *(_count(f"{letter}{row}", count) for letter, count in zip("QRS", counts, strict=True)),
        str(mean),
    )


# ---------------------------------------------------------------- the book

_WAYS_NOTE = (
    "Excel keeps 15 digits of a number and would cut a longer count. The text is read in two parts: VALUE(all but "
    f"its last {LOW} digits) x {10**LOW} + VALUE(its last {LOW} digits)."
)
_WHOLE_NOTE = (
    " Both parts are exact, and so is their sum: every count here is a multiple of a power of two high enough for "
    "a double-precision number to hold all of it, though Excel shows 15 digits."
)
_NET_NOTE = (
    "whole numbers, on the stake in the bet's first row, so that no odds need a decimal. The expected value is "
    "SUMPRODUCT(net, ways) / (stake x card sequences): one division of whole numbers."
)
_CHECK_NOTE = (
    "TRUE where the formula and the exact value, rounded to the 15 significant digits that Excel keeps, differ "
    "by at most 1 part in 10^14."
)
_OUTCOME_COLUMNS = """
    Bet                         | 16 | text
    Outcome or figure           | 23 | text
    Odds                        | 10 | text
    Net per unit staked         |  9 | count
    Whole net on the stake      | 10 | whole
    Ways                        | 19 | count
    Ways as a number            | 21 | digits
    Probability or figure       | 12 | percent
    Exact value to 15 digits    | 22 | digits
    Check                       |  8 | check
    Contribution to return      | 13 | signed
    Exact value to 15 digits    | 22 | digits
    Check                       |  8 | check
    Exact probability or figure | 58 | exact
    Exact contribution          | 32 | exact
"""
_STATE_COLUMNS = """
    Hand                      |  8 | text
    After                     | 21 | text
    Player                    |  7 | centred
    Banker                    |  7 | centred
    {mark}                    |  8 | centred
    Odds                      | 10 | text
    Profit                    |  7 | centred
    on a stake of             |  7 | centred
    Reached                   | 10 | percent
    Wins                      | 10 | percent
    Returned                  | 10 | percent
    Loses                     | 10 | percent
    Favours                   | 10 | centred
    Expected value            | 11 | signed
    Exact value to 15 digits  | 22 | digits
    Check                     |  8 | check
    Ways it wins              | 18 | count
    Ways it is returned       | 18 | count
    Ways it loses             | 18 | count
    Wins, as a number         | 21 | digits
    Returned, as a number     | 21 | digits
    Loses, as a number        | 21 | digits
    Exact expected value      | 36 | exact
"""
_OUTCOMES = "Outcomes"
_INSURANCE = ("Insurance", "Insurance by decks", "Third card")
_CONTENTS = {
    "Bets": "every bet: what it pays, how often it wins, what the house keeps",
    "House edge by decks": "the house edge of every bet at every number of decks",
    _OUTCOMES: "every outcome of every bet: ways, probability, contribution to return, and the bet's figures",
    "Joint": "correlations between the bets of one round",
    "Insurance": "every insurance state: wins, returned, loses, expected value",
    "Insurance by decks": "the expected value of every insurance state at every number of decks",
    "Third card": "the insurance states after the Player's third card, by the value of that card",
    "Interpretations": "each unclear clause, the reading taken, and what the other reading would change",
    "Removal": "what the removal of one card does to every bet",
    "Formulas": "closed forms in the number of decks",
}


def _software(analysis: Mapping[str, Any]) -> str:
    return f"{analysis['software']['name']} {analysis['software']['version']}"


def _decks(number: int) -> str:
    return f"{number} deck{'s' if number > 1 else ''}"


class _Book:
    """The workbook as it is filled: its sheets by name, its formats, and the checks counted so far."""

    def __init__(self, workbook: Any, analysis: dict[str, Any], game: Game) -> None:
        self.workbook, self.analysis, self.game = workbook, analysis, game
        self.formats: dict[tuple[str, str, bool], Any] = {}
        self.checks: list[tuple[str, str]] = []
        self.held: dict[str, int] = {}
        self.shoes = {int(shoe["decks"]): shoe for shoe in analysis["decks"]}
        self.reference = int(analysis["reference_decks"])
        self.shoe = self.shoes[self.reference]
        self.foot = f"{game.id}, rule book SHA-256 {analysis['rule_book_sha256']}"
        others = [f"{_OUTCOMES} {_decks(decks)}" for decks in self.shoes if decks != self.reference]
        absent = () if self.shoe["insurance"] else _INSURANCE
        names = [name for name in ("Cover", *_CONTENTS, *others) if name not in absent]
        self.sheets = {name: workbook.add_worksheet(name) for name in names}

    def format(self, style: str, over: str = "text", *, live: bool = False) -> Any:
        """A style's format under its row's, made when first asked for; a cell with a formula is shaded."""
        if (style, over, live) not in self.formats:
            shade = _LIVE if live else {}
            properties = {"valign": "vcenter", **_STYLES[style], **_STYLES[over], **shade}
            self.formats[style, over, live] = self.workbook.add_format(properties)
        return self.formats[style, over, live]

    def fill(self) -> None:
        """Write every sheet; those that others refer to first."""
        places = {decks: self.write_outcomes(shoe) for decks, shoe in self.shoes.items()}
        self.write_bets(places[self.reference])
        self.write_edges(places)
        self.write_joint()
        if self.shoe["insurance"]:
            self.write_insurance()
            self.write_insurance_by_decks()
        self.write_interpretations()
        self.write_removal()
        self.write_formulas()
        self.write_cover()

    def write_outcomes(self, shoe: Mapping[str, Any]) -> dict[tuple[str, str], str]:
        """Write the outcomes and figures of every bet on a shoe; where each figure of each bet stands."""
        decks, space = int(shoe["decks"]), int(shoe["sample_space"])
        counts = [space, *(int(line["ways"]) for bet in shoe["bets"] for line in bet["outcomes"])]
        whole = _WHOLE_NOTE if all(int(float(count)) == count for count in counts) else ""
        columns = _columns(
            _OUTCOME_COLUMNS,
            Whole=_NET_NOTE,
            Ways=f"ordered sequences of six cards, as text. {_WAYS_NOTE}{whole}",
            Check=_CHECK_NOTE,
            Contribution="net x probability; their total is the expected value.",
        )
        name = _OUTCOMES if decks == self.reference else f"{_OUTCOMES} {_decks(decks)}"
        title = f"Outcomes of every bet, {_decks(decks)}, {space} card sequences"
        sheet = _Sheet(self, name, title, columns, frozen=2, paper=_A3)
        places = {}
        for bet in shoe["bets"]:
            rows = _write_bet(sheet, bet, space)
            places.update({(bet["id"], key): f"'{name}'!$H${row}" for key, row in rows.items()})
        sheet.finish()
        return places

    def write_bets(self, places: Mapping[tuple[str, str], str]) -> None:
        """Write a line for each bet on the reference shoe."""
        columns = [
            *(Column("Bet", 18), Column("Name", 18), Column("Pays", 30)),
            *(Column(one.label, 12, one.style) for one in _DERIVED),
            *(Column("Largest payout to 1", 10, "ratio"), Column("Skewness", 11, "decimal")),
        ]
        sheet = _Sheet(self, "Bets", f"Every bet, {_decks(self.reference)}", columns)
        sheet.line("A shaded figure is that of the sheet Outcomes, where it is derived from the ways.")
        for bet in self.shoe["bets"]:
            known = _figures(bet)
            linked: list[Cell] = [
                Live(f"={places[bet['id'], one.key]}", known[one.key].nearest) if one.key in known else "none"
                for one in _DERIVED
            ]
            pays = ", ".join(line["odds"] for line in bet["outcomes"] if Fraction(line["net"]) > 0)
            rest = (_fraction(bet["largest_payout"]), _fraction(bet["skewness"]))
            sheet.row(bet["id"], bet["name"], pays, *linked, *rest)
        sheet.finish()

    def write_edges(self, places: Mapping[int, Mapping[tuple[str, str], str]]) -> None:
        """Write the house edge of every bet, a column for each number of decks."""
        columns = [Column("Bet", 18), *(Column(_decks(decks), 12, "percent") for decks in self.shoes)]
        sheet = _Sheet(self, "House edge by decks", "House edge by number of decks", columns)
        sheet.line("Every figure is that of the sheet Outcomes for its number of decks.")
        for bets in zip(*(shoe["bets"] for shoe in self.shoes.values()), strict=True):
            edges = [
                Live(f"={places[decks][bet['id'], 'house_edge']}", float(Fraction(bet["house_edge"])))
                for decks, bet in zip(self.shoes, bets, strict=True)
            ]
            sheet.row(bets[0]["id"], *edges)
        sheet.finish()

    def write_joint(self) -> None:
        """Write the correlations of the bets as a matrix."""
        bets = [bet["id"] for bet in self.shoe["bets"]]
        columns = [Column("Bet", 18), *(Column(bet, 9, "correlation") for bet in bets)]
        title = f"Correlations of the bets of one round, {_decks(self.reference)}"
        sheet = _Sheet(self, "Joint", title, columns, upright=True)
        sheet.line("Above 0: the bets tend to win together. The exact covariances are in tables/joint.csv.")
        known = {frozenset(pair["bets"]): _fraction(pair["correlation"]) for pair in self.shoe["joint"]}
        known |= {frozenset({bet}): Fraction(1) for bet in bets}
        for bet in bets:
            values = [known[frozenset({bet, other})] for other in bets]
            sheet.row(bet, *("none" if value is None else value for value in values))
        ends = {f"{end}_type": "num" for end in ("min", "mid", "max")}
        colours = {"min_color": "#C2A5CF", "mid_color": "#FFFFFF", "max_color": "#A6DBA0"}
        scale = {"type": "3_color_scale", "min_value": -1, "mid_value": 0, "max_value": 1}
        sheet.mark(1, len(bets), **scale, **ends, **colours)
        sheet.finish(filtered=False)

    def offered(self) -> list[Offered]:
        """The insurance states of the reference shoe."""
        odds = {tuple(state): str(offer.odds) for state, offer in self.game.offers.items()}
        keys = ("side", "stage", "player_points", "banker_points")
        return [
            Offered(
                *(state, state, ", ".join(map(str, state["pays_on_tie"]))),
                odds[tuple(state[key] for key in keys)],
            )
            for state in self.shoe["insurance"]
        ]

    def write_insurance(self) -> None:
        """Write every insurance state, and those after the Player's third card by that card."""
        states = self.offered()
        cards = [
            Offered(one.state, card, card["player_third"], one.odds)
            for one in states
            for card in one.state.get("third_cards", ())
        ]
        self.write_states("Insurance", "Insurance states", "Tie wins on", states)
        self.write_states("Third card", "Insurance states by the Player's third card", "Third card", cards)

    def write_states(self, name: str, title: str, mark: str, states: Iterable[Offered]) -> None:
        """Write a sheet of insurance states."""
        columns = _columns(
            _STATE_COLUMNS.format(mark=mark),
            Tie="the totals on which a tie wins; on any other it is returned.",
            Third="the value of the Player's third card.",
            Reached="ways of the state / card sequences of the shoe.",
            Favours="PLAYER, in a shaded row: a player gains by the bet on average.",
            Expected="(profit x ways it wins - stake x ways it loses) / (stake x ways of the state).",
            Check=_CHECK_NOTE,
            Ways=f"ordered sequences of six cards, as text. {_WAYS_NOTE}",
        )
        sheet = _Sheet(self, name, f"{title}, {_decks(self.reference)}", columns, frozen=5, paper=_A3)
        space, total = int(self.shoe["sample_space"]), sheet.next
        counted = _count(f"Q{total}", space)
        sheet.row("all card sequences", *[None] * 15, str(space), None, None, counted, style="block")
        for state in states:
            _write_state(sheet, state, space, total)
        good = {"criteria": f'=$M{sheet.HEAD + 1}="PLAYER"', "format": self.format("good")}
        sheet.mark(0, len(columns) - 1, type="formula", **good)
        sheet.finish()

    def write_insurance_by_decks(self) -> None:
        """Write the expected value of every insurance state, a column for each number of decks."""
        columns = [
            *_columns("Hand | 8 | text \n After | 21 | text \n Player | 7 | centred \n Banker | 7 | centred"),
            *(Column(_decks(decks), 13, "starred") for decks in self.shoes),
            Column("Favours the player with decks", 20, "exact"),
        ]
        title = "Expected value of insurance by number of decks"
        sheet = _Sheet(self, "Insurance by decks", title, columns, frozen=4)
        sheet.line("A star in a shaded cell: the bet favours the player.")
        by_decks = [shoe["insurance"] for shoe in self.shoes.values()]
        for one, *states in zip(self.offered(), *by_decks, strict=True):
            values = [_fraction(state["expected_value"]) for state in states]
            good = [
                str(decks) for decks, value in zip(self.shoes, values, strict=True) if value and value > 0
            ]
            shown = ["never" if value is None else value for value in values]
            sheet.row(*one.named, *shown, ", ".join(good) or "none")
        good_cell = {"criteria": ">", "value": 0, "format": self.format("good")}
        sheet.mark(4, len(columns) - 2, type="cell", **good_cell)
        sheet.finish()

    def write_interpretations(self) -> None:
        """Write the register: every entry in words, and every figure that the other reading changes."""
        heads = ("As read", "Otherwise", "Change")
        columns = [
            *(Column("For", 46), Column("Figure", 42)),
            *(Column(head, 13, "signed") for head in heads),
            *(Column(f"{head}, exact", 38, "exact") for head in heads),
        ]
        title = f"Interpretation register; effects with {_decks(self.reference)}"
        sheet = _Sheet(self, "Interpretations", title, columns)
        effects = {entry["id"]: entry["effects"] for entry in self.analysis["interpretations"]}
        for entry in self.game.interpretations:
            sheet.row(entry.id, f"clause {', '.join(entry.clauses)}", style="block")
            for word in ("question", "reading", "otherwise"):
                sheet.paragraph(f"{word.capitalize()}: {getattr(entry, word)}")
            changed = [effect for effect in effects[entry.id] if effect["change"] != "0"]
            for effect in changed:
                exact = [effect[key] for key in ("read", "otherwise", "change")]
                style = "signed" if effect["figure"] == EXPECTED_VALUE else "decimal"
                shown = [Styled("none" if text is None else Fraction(text), style) for text in exact]
                sheet.row(effect["for"], effect["figure"], *shown, *exact)
            if not changed:
                sheet.row("On this shoe the other reading changes nothing.")
        sheet.finish(filtered=False)

    def write_removal(self) -> None:
        """Write the effect of removing one card of each rank on every bet."""
        found = self.analysis["removal"]
        ranks = [" ".join(effect["removed"]) for effect in found[0]["effects"]]
        columns = [
            *(Column("Bet", 18), Column("Expected value", 12, "signed")),
            *(Column(rank, 11, "change") for rank in ranks),
            Column("Matter most", 14, "exact"),
        ]
        title = f"Effects of removing one card, {_decks(self.reference)}"
        sheet = _Sheet(self, "Removal", title, columns)
        sheet.line("Change of the expected value; above 0 it helps the player. Exact: tables/removal.csv.")
        for bet in found:
            changes = [_fraction(effect["change"]) for effect in bet["effects"]]
            mattering = dict(zip(ranks, changes, strict=True))
            most = ", ".join([rank for rank in bet["matter_most"] if mattering[rank]][:3]) or "none"
            sheet.row(bet["id"], _fraction(bet["expected_value"]), *changes, most)
        sheet.finish()

    def write_formulas(self) -> None:
        """Write the closed forms by their coefficients."""
        columns = _columns(
            """
            Of          | 46 | text
            Figure      | 24 | text
            Limit       | 12 | decimal
            Exact limit | 26 | exact
            Numerator   | 72 | exact
            Denominator | 72 | exact
            """,
            Numerator="the coefficients of the powers of n, the number of decks, the lowest power first.",
            Limit="what the figure tends to as the number of decks grows.",
        )
        title = "Closed forms in the number of decks n: numerator / denominator"
        sheet = _Sheet(self, "Formulas", title, columns, frozen=2)
        for one in self.analysis["formulas"]:
            for formula in one["formulas"]:
                limit = formula["limit"]
                parts = (" ".join(formula[side]) for side in ("numerator", "denominator"))
                sheet.row(one["of"], formula["name"], Fraction(limit), limit, *parts)
        sheet.finish()

    def write_cover(self) -> None:
        """Write what the workbook is, how to read it, what it holds, and how its checks stand."""
        columns = [Column("", 28), Column("", 96), Column("", 10, "whole"), Column("", 10, "whole")]
        title = f"{self.game.name}: exact pay-table analysis"
        sheet = _Sheet(self, "Cover", title, columns, headed=False)
        sheet.cells.fit_to_pages(1, 1)
        sheet.cells.hide_gridlines(2)
        for label, text in self.identity().items():
            sheet.row(Styled(label, "bold"), text)
        sheet.next += 1
        for text in self.notes():
            sheet.paragraph(text)
        sheet.next += 1
        first = sheet.row("Sheet", "What it holds", "Checks", "that hold", style="head") + 1
        for name in list(self.sheets)[1:]:
            about = _CONTENTS.get(name, f"the same as {_OUTCOMES}, with {name.removeprefix(_OUTCOMES)[1:]}")
            mine = [f"'{name}'!{cells}" for owner, cells in self.checks if owner == name]
            true, false = (
                "+".join(f"COUNTIF({cells},{word})" for cells in mine) for word in ("TRUE", "FALSE")
            )
            held = self.held.get(name, 0)
            counted = (Live(f"={true}+{false}", held), Live(f"={true}", held)) if mine else ()
            row = sheet.row(None, about, *counted)
            sheet.cells.write_url(row - 1, 0, f"internal:'{name}'!A1", self.format("link"), name)
        last, held = sheet.next - 1, sum(self.held.values())
        sums = [Live(f"=SUM({letter}{first}:{letter}{last})", held) for letter in "CD"]
        total = sheet.row("all sheets", None, *sums, style="total")
        verdict = f'=IF(C{total}=D{total},"Every check holds.","NOT EVERY CHECK HOLDS.")'
        sheet.row(None, Styled(Live(verdict, "Every check holds."), "bold"))
        sheet.finish(filtered=False)

    def identity(self) -> dict[str, str]:
        """What was analysed, and by what."""
        game, version = self.game, self.game.version
        return {
            "Game": f"{game.name} ({game.id})",
            "Operator": game.operator,
            "Authority": game.authority or "none named in the document",
            "Rule document": f"{f'version {version}' if version else 'no version named'}, in force from {game.effective}",
            "Rule book SHA-256": self.analysis["rule_book_sha256"],
            "Numbers of decks": ", ".join(map(str, self.shoes)),
            "Where one shoe stands for all": _decks(self.reference),
            "Software": _software(self.analysis),
        }

    def notes(self) -> list[str]:
        """How to read the workbook."""
        longest = max(len(shoe["sample_space"]) for shoe in self.shoes.values())
        return [
            DISCLAIMER,
            "Shaded cells are live formulas, to be traced to the ways that they come from. All other cells are "
            "values of analysis.json; tables/*.csv have every table at every number of decks.",
            f"Counts are text: they have up to {longest} digits. Exact fractions are text in lowest terms. {_WAYS_NOTE}",
            f"A check is {_CHECK_NOTE}",
            f'{ROUNDING} A column of rounded figures need not add up. Odds are "to 1": profit per unit staked.',
        ]
