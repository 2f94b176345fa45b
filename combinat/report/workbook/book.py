"""The analysis as a workbook: a sheet per table, counts as text, live formulas that an auditor can trace.

Excel keeps 15 digits of a number and the counts have up to 17, so a count stands as text and a formula reads
it in two parts, each short enough. Nets are whole numbers on a whole stake, so that a figure is one division
of whole numbers, not a small difference of large rounded terms: it is right to the last digit that Excel
keeps. Beside each formula stand the exact value and a check. The same analysis gives the same bytes.
"""

import datetime
import io
import zipfile
from collections.abc import Iterable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from combinat.analysis.readings import EXPECTED_VALUE
from combinat.errors import CombinatError
from combinat.render.files import replacing
from combinat.render.xlsx.cells import Cell, Live, Styled, count_cell, fraction
from combinat.render.xlsx.sheet import A3, LIVE, STYLES, Column, Sheet, columns_of
from combinat.report.filing import DISCLAIMER
from combinat.report.odds import ROUNDING
from combinat.report.workbook.blocks import DERIVED, Offered, figures, write_bet, write_state
from combinat.report.workbook.words import (
    CHECK_NOTE,
    CONTENTS,
    INSURANCE,
    NET_NOTE,
    OUTCOME_COLUMNS,
    OUTCOMES,
    STATE_COLUMNS,
    WAYS_NOTE,
    WHOLE_NOTE,
)
from combinat.rules.game import Game


def _software(analysis: Mapping[str, Any]) -> str:
    return f"{analysis['software']['name']} {analysis['software']['version']}"


def _decks(number: int) -> str:
    return f"{number} deck{'s' if number > 1 else ''}"


class Workbook:
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
        others = [f"{OUTCOMES} {_decks(decks)}" for decks in self.shoes if decks != self.reference]
        absent = () if self.shoe["insurance"] else INSURANCE
        names = [name for name in ("Cover", *CONTENTS, *others) if name not in absent]
        self.sheets = {name: workbook.add_worksheet(name) for name in names}

    def format(self, style: str, over: str = "text", *, live: bool = False) -> Any:
        """A style's format under its row's, made when first asked for; a cell with a formula is shaded."""
        if (style, over, live) not in self.formats:
            shade = LIVE if live else {}
            properties = {"valign": "vcenter", **STYLES[style], **STYLES[over], **shade}
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
        whole = WHOLE_NOTE if all(int(float(count)) == count for count in counts) else ""
        columns = columns_of(
            OUTCOME_COLUMNS,
            Whole=NET_NOTE,
            Ways=f"ordered sequences of six cards, as text. {WAYS_NOTE}{whole}",
            Check=CHECK_NOTE,
            Contribution="net x probability; their total is the expected value.",
        )
        name = OUTCOMES if decks == self.reference else f"{OUTCOMES} {_decks(decks)}"
        title = f"Outcomes of every bet, {_decks(decks)}, {space} card sequences"
        sheet = Sheet(self, name, title, columns, frozen=2, paper=A3)
        places = {}
        for bet in shoe["bets"]:
            rows = write_bet(sheet, bet, space)
            places.update({(bet["id"], key): f"'{name}'!$H${row}" for key, row in rows.items()})
        sheet.finish()
        return places

    def write_bets(self, places: Mapping[tuple[str, str], str]) -> None:
        """Write a line for each bet on the reference shoe."""
        columns = [
            *(Column("Bet", 18), Column("Name", 18), Column("Pays", 30)),
            *(Column(one.label, 12, one.style) for one in DERIVED),
            *(Column("Largest payout to 1", 10, "ratio"), Column("Skewness", 11, "decimal")),
        ]
        sheet = Sheet(self, "Bets", f"Every bet, {_decks(self.reference)}", columns)
        sheet.line("A shaded figure is that of the sheet Outcomes, where it is derived from the ways.")
        for bet in self.shoe["bets"]:
            known = figures(bet)
            linked: list[Cell] = [
                Live(f"={places[bet['id'], one.key]}", known[one.key].nearest) if one.key in known else "none"
                for one in DERIVED
            ]
            pays = ", ".join(line["odds"] for line in bet["outcomes"] if Fraction(line["net"]) > 0)
            rest = (fraction(bet["largest_payout"]), fraction(bet["skewness"]))
            sheet.row(bet["id"], bet["name"], pays, *linked, *rest)
        sheet.finish()

    def write_edges(self, places: Mapping[int, Mapping[tuple[str, str], str]]) -> None:
        """Write the house edge of every bet, a column for each number of decks."""
        columns = [Column("Bet", 18), *(Column(_decks(decks), 12, "percent") for decks in self.shoes)]
        sheet = Sheet(self, "House edge by decks", "House edge by number of decks", columns)
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
        sheet = Sheet(self, "Joint", title, columns, upright=True)
        sheet.line("Above 0: the bets tend to win together. The exact covariances are in tables/joint.csv.")
        known = {frozenset(pair["bets"]): fraction(pair["correlation"]) for pair in self.shoe["joint"]}
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
        columns = columns_of(
            STATE_COLUMNS.format(mark=mark),
            Tie="the totals on which a tie wins; on any other it is returned.",
            Third="the value of the Player's third card.",
            Reached="ways of the state / card sequences of the shoe.",
            Favours="PLAYER, in a shaded row: a player gains by the bet on average.",
            Expected="(profit x ways it wins - stake x ways it loses) / (stake x ways of the state).",
            Check=CHECK_NOTE,
            Ways=f"ordered sequences of six cards, as text. {WAYS_NOTE}",
        )
        sheet = Sheet(self, name, f"{title}, {_decks(self.reference)}", columns, frozen=5, paper=A3)
        space, total = int(self.shoe["sample_space"]), sheet.next
        counted = count_cell(f"Q{total}", space)
        sheet.row("all card sequences", *[None] * 15, str(space), None, None, counted, style="block")
        for state in states:
            write_state(sheet, state, space, total)
        good = {"criteria": f'=$M{sheet.HEAD + 1}="PLAYER"', "format": self.format("good")}
        sheet.mark(0, len(columns) - 1, type="formula", **good)
        sheet.finish()

    def write_insurance_by_decks(self) -> None:
        """Write the expected value of every insurance state, a column for each number of decks."""
        columns = [
            *columns_of(
                "Hand | 8 | text \n After | 21 | text \n Player | 7 | centred \n Banker | 7 | centred"
            ),
            *(Column(_decks(decks), 13, "starred") for decks in self.shoes),
            Column("Favours the player with decks", 20, "exact"),
        ]
        title = "Expected value of insurance by number of decks"
        sheet = Sheet(self, "Insurance by decks", title, columns, frozen=4)
        sheet.line("A star in a shaded cell: the bet favours the player.")
        by_decks = [shoe["insurance"] for shoe in self.shoes.values()]
        for one, *states in zip(self.offered(), *by_decks, strict=True):
            values = [fraction(state["expected_value"]) for state in states]
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
        sheet = Sheet(self, "Interpretations", title, columns)
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
        sheet = Sheet(self, "Removal", title, columns)
        sheet.line("Change of the expected value; above 0 it helps the player. Exact: tables/removal.csv.")
        for bet in found:
            changes = [fraction(effect["change"]) for effect in bet["effects"]]
            mattering = dict(zip(ranks, changes, strict=True))
            most = ", ".join([rank for rank in bet["matter_most"] if mattering[rank]][:3]) or "none"
            sheet.row(bet["id"], fraction(bet["expected_value"]), *changes, most)
        sheet.finish()

    def write_formulas(self) -> None:
        """Write the closed forms by their coefficients."""
        columns = columns_of(
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
        sheet = Sheet(self, "Formulas", title, columns, frozen=2)
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
        sheet = Sheet(self, "Cover", title, columns, headed=False)
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
            about = CONTENTS.get(name, f"the same as {OUTCOMES}, with {name.removeprefix(OUTCOMES)[1:]}")
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
            f"Counts are text: they have up to {longest} digits. Exact fractions are text in lowest terms. {WAYS_NOTE}",
            f"A check is {CHECK_NOTE}",
            f'{ROUNDING} A column of rounded figures need not add up. Odds are "to 1": profit per unit staked.',
        ]


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
        Workbook(workbook, analysis, game).fill()
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
