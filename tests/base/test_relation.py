"""A relation: rows, JSON, schema and tables of one declaration, and what each analysis record declares."""

from fractions import Fraction
from typing import Any

import pytest

from combinat.analysis.bets import BETS, OUTCOMES, BetAnalysis
from combinat.analysis.coverage import COVERED
from combinat.analysis.formula import FORMULAS
from combinat.analysis.insurance import STATES
from combinat.analysis.insurance_habits import INSURED_BETS
from combinat.analysis.joint import COMBINATIONS, CORRELATIONS
from combinat.analysis.readings import DIFFERENCES
from combinat.analysis.removal import REMOVALS
from combinat.analysis.solve import CHOSEN_LINES, CHOSEN_ODDS
from combinat.base.kinds import COUNT, FLAG, NUMBER, TEXT, percentage, root
from combinat.base.number import Root
from combinat.base.relation import Field, Relation

Stated = tuple[str, int, Fraction | None]

STATED: Relation[Stated] = Relation(
    "stated",
    Field("id", "bet", TEXT, "The id.", lambda row: row[0], views="short"),
    Field("ways", "ways", COUNT, "Card sequences.", lambda row: row[1]),
    Field("points", "points", NUMBER, "Points.", lambda row: row[1] % 10),
    Field(
        "edge", "edge %", percentage(2), "House edge.", lambda row: row[2], views="short", may_be_none=True
    ),
    Field("deviation", "std dev", root(2), "Its root.", lambda row: Root(row[2] or 0)),
    Field("is_odd", "odd", FLAG, "Whether the ways are odd.", lambda row: row[1] % 2 == 1),
)
ROWS: list[Stated] = [("tie", 2**70, Fraction(1, 4)), ("pair", 7, None)]


def test_one_declaration_gives_rows_json_schema_and_tables() -> None:
    assert [list(row.values()) for row in STATED.rows(ROWS)] == [
        ["tie", 2**70, 4, Fraction(1, 4), Root(Fraction(1, 4)), False],
        ["pair", 7, 7, None, Root(0), True],
    ]
    assert [list(row.values()) for row in STATED.json(ROWS)] == [
        ["tie", str(2**70), 4, "1/4", "0.500000000000", False],
        ["pair", "7", 7, None, "0.000000000000", True],
    ]
    assert [field.head for field in STATED.view("short")] == ["bet", "edge %"]


def test_json_follows_its_schema() -> None:
    import jsonschema

    for row in STATED.json(ROWS):
        jsonschema.validate(row, STATED.schema())
    for wrong in ({"edge": 0.25}, {"ways": 7}, {"points": "7"}, {"id": None}, {"more": "1"}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(STATED.json(ROWS)[0] | wrong, STATED.schema())


RELATIONS: list[Relation[Any]] = [
    *(BETS, OUTCOMES, STATES, REMOVALS, FORMULAS, COVERED, CHOSEN_ODDS, CHOSEN_LINES, DIFFERENCES),
    *(CORRELATIONS, COMBINATIONS, INSURED_BETS),
]


@pytest.mark.parametrize("relation", RELATIONS, ids=lambda relation: relation.name)
def test_every_field_has_a_name_a_head_and_a_meaning(relation: Relation[Any]) -> None:
    names = [field.name for field in relation.fields]
    assert len(set(names)) == len(names)
    assert all(field.head and field.about.endswith((".", "1.")) for field in relation.fields)


def test_the_figures_of_a_record_are_those_of_its_relation() -> None:
    assert BETS.figures == BetAnalysis.FIGURES
    assert "standard_deviation" not in BETS.figures  # a root is stated by its square
