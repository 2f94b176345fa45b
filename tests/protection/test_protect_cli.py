"""``combinat protect``: what it writes, what it says, what it refuses; and ``combinat verify`` of it."""

import json
import re
import shutil
import signal
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from combinat.certify.signature import write_key_pair
from combinat.cli import main
from combinat.protection import study_workers
from combinat.protection.study import Blocks
from combinat.protection.study_block import Dealer
from combinat.report.protection import study_folder as command
from combinat.rules.book.load import load_game
from tests.certify.forger import replaced, reseal
from tests.conftest import SMALL_BOOK, Ran, Run

BOOK = str(SMALL_BOOK)
COUNT = """\
[[counts]]
name = "sixes"
bet = "six"
tags = "6=-3 7=1 8=2"
index = "2.5"
"""
FEW = ["--bet", "six", "--bet", "player@four-cards", "--decks", "1", "--shoes", "51"]
"""Fifty blocks, the first of two shoes."""


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which a study was written, and the file of its count; nobody changes them."""
    here = tmp_path_factory.mktemp("protect")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["combinat", *words(here, "study")])
        with pytest.raises(SystemExit, match=r"^0$"):
            main()
    return here


def words(here: Path, name: str, *more: str) -> list[str]:
    """The command line of a study in this folder, with the file of its count, which is written if there is none."""
    if not (here / "count.toml").exists():
        (here / "count.toml").write_text(COUNT, "utf-8")
    return [
        *("protect", BOOK, *FEW, "--count", str(here / "count.toml"), "--limit", "0.5", "--seed", "3"),
        *("--out", str(here / name), *more),
    ]


def unwrapped(ran: Ran) -> str:
    return " ".join(ran.out.split())


@pytest.fixture
def study(written: Path, tmp_path: Path) -> Path:
    """A copy of the folder of a study, to be changed."""
    shutil.copytree(written / "study", tmp_path / "study")
    return tmp_path / "study"


# ---------------------------------------------------------------- what it writes


def test_the_folder_holds_all_of_it(written: Path) -> None:
    assert sorted(path.name for path in (written / "study").iterdir()) == [
        *(
            "SHA256SUMS",
            "certificate.json",
            "protect.html",
            "protect.json",
            "protect.pdf",
            "small-baccarat.toml",
        ),
    ]
    assert sorted(path.name for path in written.iterdir()) == ["count.toml", "study"]
    page = (written / "study" / "protect.html").read_text("utf-8")
    for words_of_it in ("Who can beat each bet", "The cut card", "By depth", "sixes", "player@four-cards"):
        assert words_of_it in page
    assert page.count("<svg") == 3


def test_the_file_says_what_was_dealt(written: Path) -> None:
    said = json.loads((written / "study" / "protect.json").read_text("ascii"))
    stated = {
        "schema": "combinat/protect/3",
        "dealing": {"burn": "first-card", "cut_card": 14, "after": 1},
        "seed": "3",
        "shoes": 51,
        "limit": "1/2",
        "positions": [14, 20, 26, 33, 39],
    }
    assert {key: said[key] for key in stated} == stated
    assert (len(said["blocks"]), said["counts"][0]["index"]) == (50, "5/2")
    players = said["results"]["players"]
    assert [(one["wager"], one["player"]) for one in players] == [
        ("six", "perfect play"),
        ("player@four-cards", "perfect play"),
        ("six", "sixes"),
    ]
    rounds = sum(band["rounds"] for block in said["blocks"] for band in block)
    depths = sum(depth["rounds"] for depth in players[0]["depths"])
    assert players[0]["cuts"][0]["rounds"] == depths == rounds > 51 * 5


def test_the_same_again_gives_the_same_bytes(run: Run, written: Path) -> None:
    """Over the old folder too; it prints a line for each player and the place."""
    before = {path.name: path.read_bytes() for path in (written / "study").iterdir()}
    printed = run(*words(written, "study", "--workers", "1")).output()
    assert f"\nwrote {written / 'study'}:\n" in printed
    table = printed.partition("strategy")[2].splitlines()
    assert [line.split()[0] for line in table[2:5]] == ["six", "player@four-cards", "six"]
    assert {path.name: path.read_bytes() for path in (written / "study").iterdir()} == before


def test_it_holds(run: Run, written: Path) -> None:
    ran = run("verify", str(written / "study"))
    assert ran.code == 0
    assert ": holds: for a rule book that this combinat does not include" in unwrapped(ran)
    assert "8 of 50 dealt again, with the same result" in unwrapped(ran)
    ran = run("verify", str(written / "study"), "--rule-book", BOOK, "--blocks", "1", "--format", "json")
    said = json.loads(ran.out)["folders"][0]
    assert (ran.code, said["verdict"], len(said["dealt_again"]), said["blocks"]) == (0, "holds", 1, 50)
    assert run("verify", str(written / "study"), "--blocks", "0").code == 2  # nothing is believed


def test_where_nothing_was_bet_nothing_is_within_the_limit(run: Run, tmp_path: Path) -> None:
    shoe = ("--decks", "2", "--cut-card", "40", "--shoes", "50")
    asked = ("--bet", "punto", "--bet", "six", *shoe, "--limit", "0")
    assert run("protect", BOOK, *asked, "--out", str(tmp_path / "study")).code == 0
    punto, six = json.loads((tmp_path / "study" / "protect.json").read_text("ascii"))["results"]["players"]
    assert (punto["cuts"][0]["bets"], punto["deepest_cut"]) == (0, None)
    assert six["cuts"][0]["bets"] > 0
    page = (tmp_path / "study" / "protect.html").read_text("utf-8")
    assert "deepest cut card" in page
    assert re.findall("((?:not )?within the limit)<", page) == ["not within the limit"]


# ---------------------------------------------------------------- the forger


def more_bytes(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b" ")


CHANGED: dict[str, tuple[Callable[[Path], object], int, str]] = {
    "figures": (
        lambda study: replaced(study / "protect.json", b'"seed": "3"', b'"seed": "03"'),
        2,
        "could not be checked: protect.json: ",
    ),
    "page": (
        lambda study: more_bytes(study / "protect.html"),
        1,
        "protect.html: drawn again, it is not the same",
    ),
    "one more": (lambda study: (study / "more.txt").write_text("more", "utf-8"), 1, "more.txt: "),
    "one less": (lambda study: (study / "protect.pdf").unlink(), 1, "protect.pdf: "),
}
"""Changes of a study whose hashes are made to fit, the exit code of its verification, and the fault that it names."""


@pytest.mark.parametrize(("change", "code", "fault"), CHANGED.values(), ids=CHANGED)
def test_a_changed_study_is_caught(
    run: Run, study: Path, change: Callable[[Path], object], code: int, fault: str
) -> None:
    change(study)
    reseal(study)
    ran = run("verify", str(study), "--blocks", "1")
    assert (ran.code, ran.err, fault in unwrapped(ran)) == (code, "", True)


def test_a_forger_who_makes_everything_fit_is_caught_by_dealing_again(
    run: Run, study: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A whole false study: honest code, but a block that was made up. No sum betrays it; the shoes do."""

    def lucky(task: study_workers.Task, number: int) -> study_workers.Made:
        return number, Dealer(load_game(SMALL_BOOK), replace(task.study, seed=99)).block(number)

    changed = study.parent / "made-up"
    with monkeypatch.context() as forging:
        forging.setattr(study_workers, "made", lucky)
        assert run(*words(study.parent, "made-up", "--workers", "1")).code == 0
    ran = run("verify", str(changed))
    assert ran.code == 1
    assert "dealt again, its sums differ" in unwrapped(ran)


# ---------------------------------------------------------------- what cannot be checked


def test_a_signed_study_holds_with_its_key(run: Run, written: Path, tmp_path: Path) -> None:
    private, public = tmp_path / "house.key", tmp_path / "house.pub"
    write_key_pair(private, public)
    assert run(*words(tmp_path, "signed", "--sign", str(private))).code == 0
    signed = str(tmp_path / "signed")
    assert run("verify", signed, "--public-key", str(public), "--blocks", "1").code == 0
    assert run("verify", signed, "--blocks", "1").code == 2
    assert run("verify", signed, "--blocks", "1", "--unsigned-ok").code == 0
    assert run("verify", str(written / "study"), "--public-key", str(public)).code == 1


# ---------------------------------------------------------------- stopped, and gone on with


def stopped_after(blocks: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let Ctrl-C come when so many blocks are dealt."""

    def interrupted(task: Any, begun: Blocks, workers: Any, goes_on: Callable[[Blocks], bool]) -> Blocks:
        def and_stop(done: Blocks) -> bool:
            if len(done) == blocks:
                signal.raise_signal(signal.SIGINT)
            return goes_on(done)

        return study_workers.dealt(task, begun, workers, and_stop)

    monkeypatch.setattr(command, "dealt", interrupted)


@pytest.mark.usefixtures("signals_are_heard")
def test_a_run_that_was_stopped_goes_on(
    run: Run, written: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    partial = tmp_path / "study.partial.json"
    with monkeypatch.context() as stopping:
        stopped_after(1, stopping)
        ran = run(*words(tmp_path, "study"))
    assert (ran.code, ran.out) == (130, "")
    assert str(partial) in ran.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["count.toml", "study.partial.json"]
    run(*words(tmp_path, "study")).refusal()
    for other in (["--shoes", "60", "--burn", "none"], ["--seed", "9", "--bet", "punto"]):
        run(*words(tmp_path, "study", "--resume", *other)).refusal()
    kept = partial.read_bytes()
    partial.write_bytes(kept.replace(b'"rounds": ', b'"rounds":  ', 1))
    run(*words(tmp_path, "study", "--resume")).refusal()
    partial.write_bytes(kept)
    assert run(*words(tmp_path, "study", "--resume")).code == 0
    for path in (written / "study").iterdir():
        assert (tmp_path / "study" / path.name).read_bytes() == path.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["count.toml", "study"]
    ran = run(*words(tmp_path, "study", "--resume", "--shoes", "50"))
    assert (ran.code, bool(ran.err)) == (0, True)  # it begins anew, and says so


def test_nothing_dealt_leaves_nothing(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "dealt", Mock(side_effect=KeyboardInterrupt))
    assert run(*words(tmp_path, "study")).code == 130
    assert sorted(path.name for path in tmp_path.iterdir()) == ["count.toml"]


# ---------------------------------------------------------------- what it refuses


@pytest.mark.parametrize(
    "content", [None, b"\xff", "".join(COUNT.replace("sixes", f"count {n}") for n in range(21)).encode()]
)
def test_a_file_of_counts_that_cannot_be_read_is_refused(
    run: Run, tmp_path: Path, content: bytes | None
) -> None:
    """Missing, not UTF-8, too many; every other mistake is in ``refusals.toml``."""
    asked = words(tmp_path, "study")
    (tmp_path / "count.toml").unlink() if content is None else (tmp_path / "count.toml").write_bytes(content)
    run(*asked).refusal()
    assert not (tmp_path / "study").exists()
