"""``combinat verify`` and ``combinat keygen`` as people and other programs use them; where ``report`` will not write.

The reports here are of next to nothing (``tests/reports.py``). What a forger does to the documents of a real one is
tried in ``test_forgery.py``, and the wording of refusals is in ``tests/refusals.toml``.
"""

import json
import os
import shutil
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from combinat import __version__
from combinat.base.errors import CertificateError, RejectedCertificateError
from combinat.report.certified.verify import verify
from combinat.rules.game import Game
from tests.certify.forger import reseal, stated
from tests.conftest import SMALL_BOOK, Run
from tests.reports import (
    GAME,
    NUMBERS,
    OTHER,
    Reports,
    collection_of,
    key_id,
    press,
    read,
    report_of,
    written,
)


@pytest.fixture(autouse=True)
def _next_to_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every number is right, and documents are drawn in a moment."""
    press(monkeypatch)


@pytest.fixture
def report(here: Path, reports: Reports) -> Path:
    """The folder of a report, in the folder to work in."""
    return written(reports[GAME][2], here / GAME)


@pytest.fixture
def output(here: Path, reports: Reports) -> Path:
    """A collection of two reports, in the folder to work in."""
    return written(collection_of(reports), here / "output")


def judged(run: Run, *arguments: str) -> tuple[int, dict[str, dict[str, Any]]]:
    """The exit code and the JSON of each folder; text and CSV have the same verdicts."""
    ran = run("verify", *arguments, "-f", "json")
    assert ran.err == ""
    document = json.loads(ran.out)
    assert document["schema"] == "combinat/verify/2"
    assert document["holds"] is (ran.code == 0)
    folders = {folder.pop("folder"): folder for folder in document["folders"]}
    text, table = run("verify", *arguments), run("verify", *arguments, "-f", "csv")
    assert (text.code, text.err, table.code) == (ran.code, "", ran.code)
    words = {"holds": ": holds", "rejected": ": does not hold: ", "unchecked": ": could not be checked: "}
    for name, folder in folders.items():
        assert f"\n{name}{words[folder['verdict']]}" in f"\n{text.out}"
        assert f"\n{name},{folder['verdict']}," in table.out
    return ran.code, folders


def verdicts(run: Run, *arguments: str) -> tuple[int, dict[str, str]]:
    """The exit code, and the verdict on each folder."""
    code, folders = judged(run, *arguments)
    return code, {name: folder["verdict"] for name, folder in folders.items()}


# ---------------------------------------------------------------- a report


def test_a_report_that_holds(run: Run, report: Path, small_game: Game) -> None:
    code, folders = judged(run, GAME)
    (folder,) = folders.values()
    files = {file["name"]: file["check"] for file in folder.pop("files")}
    assert folder.pop("message")
    assert (code, folder) == (
        0,
        {
            "verdict": "holds",
            "rule_book": "foreign",
            "game": GAME,
            "signature": "none",
            "key_id": None,
            "rule_book_sha256": small_game.sha256,
            "software_version": __version__,
            "decks": [1],
            "numbers": NUMBERS,
            "figures_only": False,
        },
    )
    assert files.keys() == read(report).keys() - {"certificate.json", "SHA256SUMS"}
    assert files["VERIFY.txt"] == "same-as-ours"
    text = run("verify", GAME).out
    assert "not a test laboratory's certification" in " ".join(text.split())
    assert [name for name in files if name not in text] == []


@pytest.mark.parametrize(
    ("name", "code", "verdict"), [("report.md", 1, "rejected"), ("certificate.json", 2, "unchecked")]
)
def test_a_report_that_does_not_hold_or_cannot_be_checked(
    run: Run, report: Path, name: str, code: int, verdict: str
) -> None:
    (report / name).write_bytes(b"{")
    found, folders = judged(run, GAME)
    assert (found, folders[GAME]["verdict"], folders[GAME]["files"]) == (code, verdict, [])
    assert folders[GAME]["message"].startswith(f"{name}: ")


def test_documents_of_another_version_are_never_a_silent_yes(
    run: Run, report: Path, output: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a report, or of a collection whose reports hold: exit code 2."""
    reseal(output, stated("predicate", "software", "version", value="9.9"))
    holding = dict.fromkeys((f"output/{OTHER}", f"output/{GAME}"), "holds")
    assert verdicts(run, "output") == (2, {**holding, "output": "unchecked"})
    press(monkeypatch, "2.0")
    assert verdicts(run, GAME) == (2, {GAME: "unchecked"})


def test_the_figures_alone_are_asked_for_by_name(run: Run, report: Path) -> None:
    code, folders = judged(run, GAME, "--figures-only")
    checks = {file["name"]: file["check"] for file in folders[GAME]["files"]}
    assert (code, folders[GAME]["figures_only"], checks["report.md"]) == (0, True, "hash-alone")
    assert "a rule book that this combinat does not include" in folders[GAME]["message"]


def test_a_report_and_its_rule_book_can_be_given_by_links(run: Run, report: Path, here: Path) -> None:
    (here / f"{GAME}.toml").symlink_to(SMALL_BOOK)
    (here / "latest").symlink_to(report)
    code, folders = judged(run, "latest", "--rule-book", f"{GAME}.toml")
    assert (code, folders["latest"]["rule_book"]) == (0, "given")


def test_a_folder_of_odd_name_prints(run: Run, report: Path, here: Path) -> None:
    odd = here / "\x1b[2J\udcff"
    report.rename(odd)
    assert run("verify", str(odd)).output().startswith(f"{here}/\\u001b[2J\\udcff: holds")
    assert run("verify", str(odd), "-f", "json").document()["holds"]


def test_a_verdict_is_a_table_that_can_be_written_beside_the_report(run: Run, report: Path) -> None:
    (report / "report.md").write_bytes(b"another")
    ran = run("verify", GAME, "--format", "csv", "--out", "verdict.csv")
    assert (ran.code, ran.out) == (1, "")
    assert f"\n{GAME},rejected," in Path("verdict.csv").read_text("utf-8")
    assert run("verify", GAME, "--out", f"{GAME}/verdict.csv").refusal().startswith("--out: ")


# ---------------------------------------------------------------- a collection


def test_a_collection_is_checked_game_by_game_and_as_a_whole(run: Run, output: Path) -> None:
    holding = dict.fromkeys((f"output/{OTHER}", f"output/{GAME}", "output"), "holds")
    assert verdicts(run, "output") == (0, holding)


def test_what_does_not_hold_outweighs_what_could_not_be_checked(run: Run, output: Path) -> None:
    (output / OTHER / "certificate.json").write_bytes(b"{")
    assert verdicts(run, "output") == (
        1,  # the certificate of the collection names that of the report
        {f"output/{OTHER}": "unchecked", f"output/{GAME}": "holds", "output": "rejected"},
    )


def test_reports_without_a_collection_are_judged_alone(run: Run, here: Path, reports: Reports) -> None:
    inside = {name: content for name, content in collection_of(reports).items() if "/" in name}
    written(inside, here / "output")
    expected = {f"output/{OTHER}": "holds", f"output/{GAME}": "holds", "output": "unchecked"}
    assert verdicts(run, "output") == (2, expected)


def test_a_collection_inside_a_folder_is_judged_as_a_collection(
    run: Run, output: Path, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (here / "work" / "notes").mkdir(parents=True)
    (here / "work" / "notes" / "own.txt").write_text("mine", "utf-8")
    output.rename(here / "work" / "reports")
    assert verdicts(run, "work") == (
        2,
        {
            f"work/reports/{OTHER}": "holds",
            f"work/reports/{GAME}": "holds",
            "work/reports": "holds",
            "work/notes": "unchecked",
            "work": "unchecked",
        },
    )
    monkeypatch.chdir(here / "work")
    with pytest.raises(CertificateError) as refusal:
        verify(".", figures_only=True)
    assert type(refusal.value) is not RejectedCertificateError
    (here / "work" / "reports" / GAME / "report.md").write_bytes(b"other")
    code, found = verdicts(run, ".")
    assert (code, found[f"reports/{GAME}"], found["reports"]) == (1, "rejected", "unchecked")


def test_what_is_amiss_outside_of_every_report_is_no_fault_of_one(run: Run, output: Path, here: Path) -> None:
    (here / "empty").mkdir()
    run("verify", ".").refusal()
    (here / "empty").rmdir()
    (output / GAME / "empty").mkdir()
    assert run("verify", ".").code == 1


def test_a_game_that_is_a_link_is_not_followed(run: Run, output: Path, here: Path) -> None:
    (output / GAME).rename(here / "elsewhere")
    (output / GAME).symlink_to(here / "elsewhere")
    assert verdicts(run, "output") == (1, {"output": "rejected"})


# ---------------------------------------------------------------- signatures, keys, and what cannot be begun


def test_signatures(run: Run, here: Path, reports: Reports) -> None:
    """By the key that is given, by none, by another; and a report without one.

    Any stranger can sign: 2 without the key, unless the user says that signatures are not looked at.
    """
    for name in ("house", "other"):
        run("keygen", name).output()
    house = key_id(here / "house-public.pem")
    game, dossier, plain = reports[GAME]
    written(report_of(game, dossier, key=here / "house-private.pem"), here / GAME)
    for options, code, signature in (
        ((), 2, "not-checked"),
        (("--unsigned-ok",), 0, "not-checked"),
        (("--public-key", "house-public.pem"), 0, "valid"),
    ):
        found, folders = judged(run, GAME, *options)
        assert (found, folders[GAME]["signature"]) == (code, signature)
        assert folders[GAME]["key_id"] == house
    assert verdicts(run, GAME, "--public-key", "other-public.pem") == (1, {GAME: "rejected"})
    run("verify", GAME, "--public-key", "house-public.pem", "--unsigned-ok").refusal()
    shutil.rmtree(GAME)
    written(plain, here / GAME)
    assert verdicts(run, GAME, "--public-key", "house-public.pem") == (1, {GAME: "rejected"})


def test_a_new_key_pair_is_named_by_its_id(run: Run, here: Path) -> None:
    printed = run("keygen", "house", "--out", "keys").output()
    assert key_id(here / "keys" / "house-public.pem") in printed


def test_what_cannot_be_begun_is_refused(run: Run, output: Path, here: Path) -> None:
    (here / "empty").mkdir()
    for arguments in (
        ("empty",),
        ("output", "--rule-book", str(SMALL_BOOK)),
        ("output", "--public-key", "none.pem"),
        ("output", "--public-key", str(SMALL_BOOK)),
    ):
        run("verify", *arguments).refusal()


@pytest.mark.parametrize("mine", [f"{GAME}/main.py", "README.md", f"output/{GAME}/notes.txt"])
def test_report_refuses_a_folder_with_a_users_file_before_any_work(
    run: Run, output: Path, here: Path, monkeypatch: pytest.MonkeyPatch, mine: str
) -> None:
    """A folder of the game's name, an index, and a report to which a file was added."""
    monkeypatch.setattr("combinat.report.certified.write_report.dossier", Mock(side_effect=AssertionError))
    written({mine: b"mine"}, here)
    before = read(here)
    run("report", str(SMALL_BOOK), "--out", "output" if mine.startswith("output") else ".").refusal()
    assert read(here) == before
    assert sorted(os.listdir(here)) == sorted({"output", mine.partition("/")[0]})
