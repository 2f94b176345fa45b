"""Every clause of the documents is used by its rule book, or is named as having no bearing on the mathematics.

The clause numbers are committed, since the documents are not part of the project.
"""

import json
import re
from functools import cache

import pytest

from combinat import load_game
from combinat.render.text import Format, rendered
from combinat.report.rules.clauses import (
    citations,
    clause_order,
    clauses_in_use,
    covered_clauses,
    trace_blocks,
)
from tests.conftest import Run
from tests.documents import COMMISSION_2013, COMMISSION_2024, GAMES, NONCOMMISSION_2024, NONCOMMISSION_2025
from tests.paths import GOLDEN, ROOT

LISTS = ROOT / "tables" / "clauses"


@cache
def listed(game_id: str) -> list[str]:
    """The clauses of a document."""
    return (LISTS / f"{game_id}.txt").read_text("utf-8").splitlines()[1:]


def parent(clause: str) -> str:
    """The clause that a numbered or lettered one is a part of; empty: none."""
    lettered = re.fullmatch(r"([\d.]+)[a-z]", clause)
    if lettered:
        return lettered[1]
    return clause.rpartition(".")[0] if re.fullmatch(r"\d(\.\d+)+", clause) else ""


def missing(game_id: str, cited: set[str]) -> set[str]:
    """The clauses that are not found: neither cited, nor part of one that is, nor a heading of found parts.

    A clause of section 5 is found by its own number alone: each of its parts is an event of its own.
    """
    clauses = listed(game_id)

    def found_itself(clause: str) -> bool:
        if clause in cited:
            return True
        above = parent(clause)
        return not clause.startswith("5.") and bool(above) and found_itself(above)

    def as_heading(clause: str) -> bool:
        parts = [part for part in clauses if parent(part) == clause]
        return bool(parts) and all(found_itself(part) or as_heading(part) for part in parts)

    return {clause for clause in clauses if not found_itself(clause) and not as_heading(clause)}


def no_bearing(game_id: str) -> list[str]:
    return [clause for entry in load_game(game_id).no_bearing for clause in entry.clauses]


@pytest.mark.parametrize("game_id", GAMES)
def test_every_clause_is_used_or_has_no_bearing_and_not_both(game_id: str) -> None:
    """A clause that is forgotten is missed, and no clause is cited that the document does not have."""
    without, used = no_bearing(game_id), {citation.clause for citation in citations(load_game(game_id))}
    cited = used | set(without)
    left = missing(game_id, cited)
    assert sorted(left, key=clause_order) == [], f"neither used nor said to have no bearing in {game_id}"
    for clause in ("3.1", "4.1.2", "Appendix B", *without):
        assert clause in missing(game_id, cited - {clause} - {parent(clause)}), clause
    assert {clause.removesuffix(", starred note") for clause in cited} - set(listed(game_id)) == set()
    assert len(set(without)) == len(without) > 3
    assert set(without) & clauses_in_use(load_game(game_id)).keys() == set()


def test_the_lists_have_every_clause() -> None:
    assert {game_id: len(listed(game_id)) for game_id in GAMES} == {
        COMMISSION_2013: 6 + 29 + 7 + 7,
        COMMISSION_2024: 113 + 3 + 11,
        NONCOMMISSION_2024: 113 + 3 + 11,
        NONCOMMISSION_2025: 113 + 1 + 18,
    }


@pytest.mark.parametrize("game_id", GAMES)
def test_the_lists_are_those_of_the_documents(game_id: str) -> None:
    """Every numbered clause, as a program read them from the documents, which are not part of the project."""
    sections = (GOLDEN / "document-clauses.txt").read_text("utf-8").split("\n[")[1:]
    stated = {game: clauses.split() for game, _, clauses in (section.partition("]") for section in sections)}
    assert set(stated[game_id]) == {
        clause for clause in listed(game_id) if re.fullmatch(r"\d(\.\d+)+", clause)
    }


# ---------------------------------------------------------------- the trace


def test_the_trace_names_what_uses_a_clause() -> None:
    uses = clauses_in_use(load_game(NONCOMMISSION_2024))
    assert uses["4.1.4"] == {
        "bet": ["big-tiger", "small-tiger", "big-buffalo", "small-buffalo"],
        "reading": ["pay-table-over-drawing"],
    }
    assert uses["3.10"] == {"deal": []}
    assert uses["5.5.1"] == {"procedure": ["foreign-card"]}
    assert list(uses) == sorted(uses, key=clause_order)


@pytest.mark.parametrize("game_id", GAMES)
def test_rules_names_every_clause_of_the_document(run: Run, game_id: str) -> None:
    """By itself, as having no bearing, or with the clause or the parts that cover it; each of these is named too."""
    record = json.loads(run("rules", game_id, "--format", "json").out)
    used = {entry["clause"] for entry in record["clauses_in_use"]} | set(no_bearing(game_id))
    covered = {entry["clause"]: entry for entry in record["clauses_covered"]}
    assert set(listed(game_id)) - used == covered.keys()
    for entry in covered.values():
        by = [entry["part_of"]] if entry["part_of"] else entry["parts"]
        assert by, entry
        assert set(by) <= used | covered.keys(), entry
    of_a_report = rendered(tuple(trace_blocks(load_game(game_id))), Format.TEXT)
    for printed in (run("rules", game_id).out, of_a_report):
        for clause in listed(game_id):
            assert re.search(rf"^{re.escape(clause)} +\S", printed, re.MULTILINE), clause


def test_the_headings_and_parts_of_2024() -> None:
    covered = {
        one.clause: one for one in covered_clauses(load_game(NONCOMMISSION_2024), listed(NONCOMMISSION_2024))
    }
    assert [covered[clause].part_of for clause in ("3.2.1", "3.2.2", "3.2.3", "1.2.1")] == ["3.2"] * 3 + [
        "1.2"
    ]
    assert covered["2.2"].parts == ("2.2.1",)
    assert "5.4.1" in covered["5.4"].parts
