"""What the pages of docs/ say without a block: every name that there is stands on its page, and no other."""

import re
from inspect import isfunction
from pathlib import Path

import pytest

import combinat
from combinat.certify.filing import Filing
from combinat.cli.app import COMMANDS
from combinat.cli.progress import MANY
from combinat.engine import kernel
from combinat.montecarlo.fault import FORMS
from combinat.protection.inputs import parsed_counts
from combinat.report.workbook.pages import CONTENTS
from combinat.rules.book.load import load_game
from combinat.rules.facts import BY_NAME as FACTS
from combinat.rules.procedure import Effect, Fact
from tests.conftest import Run
from tests.documents import COMMISSION_2013, GAMES, NONCOMMISSION_2024, NONCOMMISSION_2025
from tests.house.pages import blocks
from tests.paths import ROOT, stored


def page(name: str) -> str:
    """The text of a page of docs/."""
    return (ROOT / "docs" / name).read_text("utf-8")


def table(name: str, head: str) -> str:
    """The table of a page that has this head, up to the blank line after it."""
    _, found, rest = page(name).partition(f"\n{head}\n")
    assert found, f"{name} has no table {head}"
    return rest.partition("\n\n")[0]


# ---------------------------------------------------------------- evaluate


def test_the_page_on_evaluate_names_every_option(run: Run) -> None:
    options = set(re.findall(r"(?<![\w-])--[a-z]+", run("evaluate", "--help").out))
    options -= {"--help", "--quiet"}  # every command has them
    section = page("python.md").partition("\n## Files of shoes\n")[2].partition("\n## ")[0]
    assert options == set(re.findall(r"(?<![\w-])--[a-z]+", section))


def test_the_page_on_evaluate_names_the_columns(run: Run, tmp_path: Path) -> None:
    """Each kind of column, in the words of the page."""
    path = stored(tmp_path, 'removed\n""\n', "shoes.csv")
    every = ["--variance", "--insurance", "--outcomes", "--stake", "tie=1"]
    printed = run("evaluate", COMMISSION_2013, "--shoes", str(path), *every).out
    columns = set(printed.splitlines()[0].split(","))
    shown = {"tie", "tie-variance", "stakes", "sample-space", "tie:wins:ways"}
    state = "player:four-cards:5-4"
    assert shown | {f"{state}:probability", f"{state}:expected-value"} <= columns
    kinds = {"BET", "BET-variance", "stakes", "sample-space", "BET:LINE:ways"}
    kinds |= {f"HAND:STAGE:OWN-OTHER:{figure}" for figure in ("probability", "expected-value")}
    assert [kind for kind in sorted(kinds) if f"`{kind}`" not in page("python.md")] == []


def test_the_numbers_of_the_page_on_evaluate_are_those_of_the_program() -> None:
    assert f"more than {kernel.FEW} shoes" in page("python.md")
    assert f"From {MANY:,} shoes on" in page("python.md")


def test_the_table_of_functions_has_every_function_and_its_command() -> None:
    rows = re.findall(
        r"^\| (`.*) \| .* \| (`.*`) \|$", table("python.md", "| function | returns | command |"), re.MULTILINE
    )
    functions, commands = (
        sorted(re.findall(r"`(\w+)`", " ".join(words))) for words in zip(*rows, strict=True)
    )
    assert functions == sorted(name for name in dir(combinat) if isfunction(getattr(combinat, name)))
    assert set(commands) == set(COMMANDS) - {"rules", "new", "explore", "prove", "keygen", "doctor"}


# ---------------------------------------------------------------- counts and studies


def test_the_counts_of_the_page_on_whole_shoes_can_be_read() -> None:
    (shown,) = [
        block.text for block in blocks(page("protection.md"), "protection.md") if block.language == "toml"
    ]
    (count,) = parsed_counts(shown.encode("utf-8"))
    assert (count.bet, str(count.index)) == ("tie", "7/2")


def test_every_option_that_says_what_is_dealt_is_on_the_page(run: Run) -> None:
    listed = set(re.findall(r"^\| `(--[a-z-]+)", page("protection.md"), re.MULTILINE))
    assert listed <= set(re.findall(r"--[a-z-]+", run("protect", "--help").out))
    assert len(listed) == 8


def test_the_counts_of_the_page_on_formats_can_be_judged(run: Run, tmp_path: Path) -> None:
    shown = {block.title: block.text for block in blocks(page("logs.md"), "logs.md")}
    counts = stored(tmp_path, shown["counts.json"], "counts.json")
    assert run("crosscheck", str(counts)).code == 0


# ---------------------------------------------------------------- rule books, filings, workbooks, faults


def test_the_table_of_facts_has_every_fact_and_nothing_else() -> None:
    section = page("rule-books.md").split("\n## The facts\n")[1].split("\n## ")[0]
    rows = re.findall(r"^\| (`.*?) \|", section, re.MULTILINE)
    assert sorted(name for row in rows for name in re.findall(r"`(\w+)`", row)) == sorted(FACTS)


def test_every_key_of_a_filing_is_on_its_page() -> None:
    """And no other."""
    rows = re.findall(r"^\| (`.*?) \|", table("reports.md", "| key | meaning |"), re.MULTILINE)
    named = {key for row in rows for key in re.findall(r"`(?:\[\[)?(\w+)(?:\]\])?`", row)}
    assert named == set(Filing.__struct_fields__) - {"schema"}


def test_the_sheets_are_those_of_the_workbook() -> None:
    assert re.findall(r"^\| ([A-Z]\w+) \|", page("reports.md"), re.MULTILINE) == list(CONTENTS)


def test_the_page_on_power_lists_every_fault() -> None:
    assert (
        dict(
            re.findall(
                r"^\| `([^`]+)` \| (.+) \|$", table("logs.md", "| fault | what it does |"), re.MULTILINE
            )
        )
        == FORMS
    )


# ---------------------------------------------------------------- rulings


def test_every_incident_is_on_the_page_with_its_clause() -> None:
    rows = [
        [cell.strip() for cell in line.split("|")[1:5]]
        for line in table("at-the-table.md", "| incident | 2013 | 2024 | 2025 | consequence |").splitlines()
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


def test_every_word_of_a_procedure_is_on_the_page() -> None:
    words = set(re.findall(r"`([\w-]+)`", page("at-the-table.md")))
    assert {*Effect, *Fact} <= words


# ---------------------------------------------------------------- words, tables, links


def test_the_file_that_the_page_on_tables_shows_is_the_one_beside_it() -> None:
    shown = [
        block.text for block in blocks(page("at-the-table.md"), "at-the-table.md") if block.language == "toml"
    ]
    assert shown[0] == page("table.toml")


README = ROOT / "README.md"
PAGES = [README, ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_every_link_leads_to_a_file(path: Path) -> None:
    links = re.findall(r'\]\(([^)#\s]+)(?:#[^)]*)?\)|<img src="([^"]+)"', path.read_text("utf-8"))
    files = [link for pair in links for link in pair if link and "://" not in link]
    assert [link for link in files if not (path.parent / link).exists()] == []


def test_every_page_can_be_reached_from_the_readme() -> None:
    reached, waiting = set[Path](), [README]
    while waiting:
        at = waiting.pop()
        reached.add(at)
        for link in re.findall(r"\]\(([^)#\s]+\.md)", at.read_text("utf-8")):
            target = (at.parent / link).resolve()
            if "://" not in link and target not in reached:
                waiting.append(target)
    assert [path.name for path in PAGES if path.resolve() not in reached] == []
