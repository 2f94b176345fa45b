"""The page on rulings is executed: its commands print what it shows, its Python says what it says."""

import doctest
import re
import shlex
from pathlib import Path

import pytest

from combinat import load_game
from combinat.rules.bounded_toml import parsed_toml
from combinat.rules.procedure import Effect, Fact
from tests.conftest import Run
from tests.documents import COMMISSION_2013, GAMES, NONCOMMISSION_2024, NONCOMMISSION_2025

PAGE = Path(__file__).parent.parent / "docs" / "rulings.md"
TEXT = PAGE.read_text("utf-8")
CONSOLE = re.findall(r"^```console\n\$ combinat (.*?)\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)


def test_the_page_shows_commands() -> None:
    assert len(CONSOLE) == TEXT.count("```console") == 6


@pytest.mark.parametrize(("command", "shown"), CONSOLE, ids=[command for command, _ in CONSOLE])
def test_a_command_prints_what_the_page_shows(run: Run, command: str, shown: str) -> None:
    ran = run(*shlex.split(command))
    assert ran.out == shown
    assert (ran.code, ran.err) == (0, "")


def test_the_python_of_the_page_holds() -> None:
    tests = doctest.DocTestParser().get_doctest(TEXT, {}, PAGE.name, str(PAGE), 0)
    ran = doctest.DocTestRunner().run(tests)
    assert (ran.failed, ran.attempted) == (0, 10)


def test_every_incident_is_on_the_page_with_its_clause() -> None:
    rows = [
        [cell.strip() for cell in line.split("|")[1:5]]
        for line in TEXT.splitlines()
        if line.startswith("| `")
    ]
    listed = {name: row[1:] for row in rows for name in re.findall(r"`([\w-]+)`", row[0])}
    assert set(listed) == {incident for game_id in GAMES for incident in load_game(game_id).incident_ids}
    for column, game_id in enumerate((COMMISSION_2013, NONCOMMISSION_2024, NONCOMMISSION_2025)):
        game = load_game(game_id)
        for incident, clauses in listed.items():
            assert bool(clauses[column]) == (incident in game.incident_ids), (game_id, incident)
            if incident in game.incident_ids:
                cited = {clause for answer in game.answers_to(incident) for clause in answer.clauses}
                assert any(
                    own == clause or own.startswith(f"{clause}.")
                    for own in cited
                    for clause in clauses[column].split(", ")
                ), (game_id, incident)


def test_the_toml_of_the_page_is_that_of_the_rule_book() -> None:
    (shown,) = re.findall(r"^```toml\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    book = Path(__file__).parent.parent / "tables" / f"{NONCOMMISSION_2024}.toml"
    stated, page = parsed_toml(book.read_text("utf-8")), parsed_toml(shown)
    assert page["dealing_errors"] == stated["dealing_errors"]
    assert all(procedure in stated["procedures"] for procedure in page["procedures"])


def test_every_word_of_a_procedure_is_on_the_page() -> None:
    words = set(re.findall(r"`([\w-]+)`", TEXT))
    assert {*Effect, *Fact} <= words
