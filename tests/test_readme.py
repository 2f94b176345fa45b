"""README.md and the pages that it hands over to are executed: they print what they show, and their links lead somewhere."""

import doctest
import re
import shlex
from pathlib import Path

import pytest

from tests.conftest import Run

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
TEXT = README.read_text("utf-8")
COMMANDS_PAGE = (ROOT / "docs" / "commands.md").read_text("utf-8")
FORMATS = (ROOT / "docs" / "formats.md").read_text("utf-8")


def shown(text: str) -> list[tuple[str, str]]:
    """Every command of a page that has one in a block, with what the page says that it prints."""
    return re.findall(r"^```console\n\$ combinat (.*?)\n((?:(?!\$ ).*\n)*?)```$", text, re.MULTILINE)


CONSOLE = shown(TEXT) + shown(COMMANDS_PAGE)


def test_the_pages_show_commands() -> None:
    assert (len(shown(TEXT)), len(CONSOLE)) == (3, 5)


@pytest.mark.parametrize(("command", "printed"), CONSOLE, ids=[command for command, _ in CONSOLE])
def test_a_command_prints_what_the_page_shows(run: Run, command: str, printed: str) -> None:
    ran = run(*shlex.split(command))
    assert ran.out == printed
    assert (ran.code, ran.err) == (0, "")


def test_the_python_of_the_readme_holds() -> None:
    tests = doctest.DocTestParser().get_doctest(TEXT, {}, README.name, str(README), 0)
    assert len(tests.examples) == 5
    ran = doctest.DocTestRunner().run(tests)
    assert (ran.failed, ran.attempted) == (0, 5)


def test_the_hand_log_of_the_formats_is_what_simulate_writes(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    block = re.search(
        r"^```console\n\$ combinat (simulate .*)\n(.*\n)\$ cat log.csv\n(.*?)```$", FORMATS, re.M | re.S
    )
    assert block is not None
    ran = run(*shlex.split(block[1]))
    assert ran.out + ran.err == block[2]
    before, _, after = block[3].partition("...\n")
    log = Path("log.csv").read_text("utf-8")
    assert (log.startswith(before), log.endswith(after), len(after) > 100) == (True, True, True)
    assert run("crosscheck", "log.csv", "--settlement-only").code == 0


def test_the_counts_of_the_formats_can_be_judged(run: Run, tmp_path: Path) -> None:
    (counts,) = re.findall(r"^```json title=.*?\n(.*?)^```$", FORMATS, re.MULTILINE | re.DOTALL)
    (tmp_path / "counts.json").write_text(counts, "utf-8")
    assert run("crosscheck", str(tmp_path / "counts.json")).code == 0


def test_every_command_is_on_its_page() -> None:
    from combinat.cli.app import COMMANDS

    listed = set(re.findall(r"^\| `combinat (\w+)", COMMANDS_PAGE, re.MULTILINE))
    assert listed == set(COMMANDS)


PAGES = [README, *sorted((ROOT / "docs").rglob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_link_leads_to_a_file(page: Path) -> None:
    links = re.findall(r'\]\(([^)#\s]+)(?:#[^)]*)?\)|<img src="([^"]+)"', page.read_text("utf-8"))
    files = [link for pair in links for link in pair if link and "://" not in link]
    assert [link for link in files if not (page.parent / link).exists()] == []


def test_every_page_can_be_reached_from_the_readme() -> None:
    reached, waiting = set[Path](), [README]
    while waiting:
        page = waiting.pop()
        reached.add(page)
        for link in re.findall(r"\]\(([^)#\s]+\.md)", page.read_text("utf-8")):
            target = (page.parent / link).resolve()
            if "://" not in link and target not in reached:
                waiting.append(target)
    assert [page.name for page in PAGES if page.resolve() not in reached] == []
