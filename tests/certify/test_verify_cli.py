"""``combinat verify`` and ``combinat keygen`` as people and other programs use them; where ``report`` will not write.

The reports here are of next to nothing (``tests/reports.py``). What a forger does to the documents of a real
one is tried in ``test_forgery.py``.
"""

import json
import os
import shutil
import stat
from pathlib import Path

import pytest

from combinat import __version__
from combinat.analysis.dossier import Dossier
from combinat.certify import verification
from combinat.certify.checker import Malformed, Rejected
from combinat.cli import report as report_command
from combinat.cli import verify as command
from combinat.errors import CertificateError, RejectedCertificateError
from combinat.library.verifying import verify
from combinat.rules.rulebook import RuleBook
from tests.certify.test_certificate import Reports, folders_swapped, key_id, resealed_over
from tests.cli.test_faults import message_of
from tests.conftest import SMALL_BOOK, Run
from tests.reports import (
    GAME,
    NUMBERS,
    OTHER,
    REDRAW,
    Contents,
    collection_of,
    drawn_over,
    other_of,
    read,
    redraw_without_press,
    report_of,
    stated,
    tiny,
    written,
)

FOREIGN = "for a rule book that does not come with this combinat; read it beside the document"


@pytest.fixture(autouse=True)
def _next_to_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every number is right, and documents are drawn in a moment."""
    monkeypatch.setattr(verification, "check", lambda analysis, rule_book: NUMBERS)
    monkeypatch.setattr(command, "redraw_here", lambda: REDRAW)
    monkeypatch.setattr(command, "over_the_games", drawn_over)
    monkeypatch.setattr(command, "libraries", lambda forms: {"press": "1.0"})


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def reports(small_book: RuleBook, small_dossier: Dossier) -> Reports:
    """Two reports, by game."""
    dossier = tiny(small_dossier)
    other, other_dossier = other_of(small_book, dossier)
    return {
        GAME: (small_book, dossier, report_of(small_book, dossier)),
        OTHER: (other, other_dossier, report_of(other, other_dossier)),
    }


@pytest.fixture
def report(here: Path, reports: Reports) -> Path:
    """The folder of a report, in the folder to work in."""
    return written(reports[GAME][2], here / GAME)


@pytest.fixture
def output(here: Path, reports: Reports) -> Path:
    """A collection of two reports, in the folder to work in."""
    return written(collection_of(reports), here / "output")


def refused(run: Run, *arguments: str) -> str:
    """The one message of a command that could not be carried out."""
    ran = run(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert "Traceback" not in ran.err
    message, newline, rest = ran.err.partition("\n")
    assert (newline, rest) == ("\n", "")
    assert message.startswith("combinat: ")
    return message.removeprefix("combinat: ")


# ---------------------------------------------------------------- verify


def test_a_report_that_holds(run: Run, report: Path, small_book: RuleBook) -> None:
    ran = run("verify", GAME)
    assert (ran.code, ran.err) == (0, "")
    drawn = "drawn again from analysis.json and the rule book: equal bytes"
    assert ran.out.splitlines() == [
        f"{GAME}: holds: {FOREIGN}",
        "  game:       Small Baccarat",
        "  signature:  none",
        f"  rule book:  {GAME}.toml, SHA-256",
        f"              {small_book.sha256}",
        "  decks:      1",
        f"  numbers:    {NUMBERS}, each derived again from the rule book",
        "  note:       A reproducible analysis, not signed: anyone can derive every number and draw every",
        "              document again from the rule book. It is not a test laboratory's certification.",
        "  files:      7, each with the SHA-256 that the certificate names, and",
        "    VERIFY.txt           the same as in this combinat",
        "    analysis.json        every number derived again from the rule book, by the checker",
        "    checker.py           the same as in this combinat",
        f"    report.md            {drawn}",
        f"    report.pdf           {drawn}",
        f"    {GAME}.toml  a rule book that does not come with this combinat; read it beside the",
        "                         document",
        f"    tables/bets.csv      {drawn}",
    ]


def test_a_report_that_holds_in_json(run: Run, report: Path, small_book: RuleBook) -> None:
    ran = run("verify", GAME, "--format", "json")
    assert (ran.code, ran.err) == (0, "")
    verdict = json.loads(ran.out)
    (folder,) = verdict.pop("folders")
    assert verdict == {"schema": "combinat/verify/2", "holds": True}
    files = folder.pop("files")
    assert folder == {
        "folder": GAME,
        "verdict": "holds",
        "message": FOREIGN,
        "rule_book": "foreign",
        "game": GAME,
        "signature": "none",
        "key_id": None,
        "rule_book_sha256": small_book.sha256,
        "software_version": __version__,
        "decks": [1],
        "numbers": NUMBERS,
        "figures_only": False,
    }
    assert [file["name"] for file in files] == sorted(
        read(report).keys() - {"certificate.json", "SHA256SUMS"}
    )
    assert files[0] == {"name": "VERIFY.txt", "check": "same-as-ours", "how": "the same as in this combinat"}


def test_a_report_that_does_not_hold(run: Run, report: Path) -> None:
    (report / "report.md").unlink()
    message = "report.md: named in the certificate, and not there"
    ran = run("verify", GAME)
    assert (ran.code, ran.out, ran.err) == (1, f"{GAME}: does not hold: {message}\n", "")
    ran = run("verify", GAME, "-f", "json")
    assert (ran.code, ran.err) == (1, "")
    assert json.loads(ran.out) == {
        "schema": "combinat/verify/2",
        "holds": False,
        "folders": [{"folder": GAME, "verdict": "rejected", "message": message, "files": []}],
    }


def test_a_report_that_cannot_be_checked(run: Run, report: Path) -> None:
    (report / "certificate.json").write_bytes(b"{")
    message = (
        "certificate.json: not readable as JSON: Expecting property name enclosed in double quotes: "
        "line 1 column 2 (char 1)"
    )
    ran = run("verify", GAME)
    assert (ran.code, ran.out, ran.err) == (2, f"{GAME}: could not be checked: {message}\n", "")
    ran = run("verify", GAME, "-f", "json")
    assert ran.code == 2
    assert json.loads(ran.out)["folders"][0]["verdict"] == "unchecked"


def test_documents_that_cannot_be_drawn_are_never_a_silent_yes(
    run: Run, report: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "redraw_here", redraw_without_press)
    ran = run("verify", GAME)
    assert (ran.code, ran.err) == (2, "")
    assert ran.out.splitlines()[0] == (
        f"{GAME}: could not be checked: report.pdf: a report needs press: pip install 'combinat[report]'; "
        "it was drawn with press 1.0 (and 1 more)"
    )


def test_the_figures_alone_are_asked_for_by_name(run: Run, report: Path) -> None:
    ran = run("verify", GAME, "--figures-only")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith(
        f"{GAME}: holds: its figures alone; the documents were not looked at; {FOREIGN}\n"
    )
    assert "    report.md            its hash alone\n" in ran.out
    assert json.loads(run("verify", GAME, "--figures-only", "-f", "json").out)["folders"][0]["figures_only"]


@pytest.mark.parametrize(
    ("verdict", "code", "words"), [(Rejected, 1, "does not hold"), (Malformed, 2, "could not be checked")]
)
def test_a_number_that_is_wrong(
    run: Run, report: Path, monkeypatch: pytest.MonkeyPatch, verdict: type[Exception], code: int, words: str
) -> None:
    def check(analysis: bytes, rule_book: bytes) -> int:
        raise verdict("bets.player.ways: found 1, expected 2")

    monkeypatch.setattr(verification, "check", check)
    ran = run("verify", GAME)
    assert (ran.code, ran.err) == (code, "")
    assert ran.out == f"{GAME}: {words}: analysis.json: bets.player.ways: found 1, expected 2\n"


def test_the_rule_book_that_is_meant_may_be_named_by_a_link(run: Run, report: Path, here: Path) -> None:
    (here / "books").mkdir()
    (here / "books" / f"{GAME}.toml").symlink_to(SMALL_BOOK)
    ran = run("verify", GAME, "--rule-book", f"books/{GAME}.toml")
    assert (ran.code, ran.err) == (0, "")
    assert f"    {GAME}.toml  the rule book that was given\n" in ran.out


def test_a_folder_of_odd_name_prints(run: Run, report: Path, here: Path) -> None:
    odd = here / "\x1b[2J\udcff"
    report.rename(odd)
    ran = run("verify", str(odd))
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith(f"{here}/\\u001b[2J\\udcff: holds: {FOREIGN}\n")
    assert run("verify", str(odd), "-f", "json").code == 0


def test_an_archive_is_not_checked(run: Run, report: Path) -> None:
    """Whatever is in it: programs differ in what they extract."""
    shutil.make_archive("report", "zip", report)
    assert run("verify", "report.zip").refusal()


def test_a_link_to_a_report_is_followed(run: Run, report: Path) -> None:
    Path("latest").symlink_to(report)
    ran = run("verify", "latest")
    assert (ran.code, ran.out.startswith(f"latest: holds: {FOREIGN}\n")) == (0, True)


# ---------------------------------------------------------------- a collection


def verdicts(run: Run, *arguments: str) -> tuple[int, dict[str, tuple[str, str | None]]]:
    """The exit code, and the verdict on each folder with its message."""
    ran = run("verify", *arguments, "-f", "json")
    assert ran.err == ""
    folders = json.loads(ran.out)["folders"]
    return ran.code, {folder["folder"]: (folder["verdict"], folder["message"]) for folder in folders}


HOLDS = ("holds", FOREIGN)


def test_a_collection_is_checked_game_by_game_and_as_a_whole(run: Run, output: Path) -> None:
    assert verdicts(run, "output") == (
        0,
        {f"output/{OTHER}": HOLDS, f"output/{GAME}": HOLDS, "output": ("holds", None)},
    )
    ran = run("verify", "output")
    assert ran.out.endswith(
        "output: holds\n"
        "  collection: 2 reports, all that belong to it; its index and its explorer are drawn again from them\n"
        "  signature:  none\n"
    )


def test_what_does_not_hold_outweighs_what_could_not_be_checked(run: Run, output: Path) -> None:
    (output / OTHER / "certificate.json").write_bytes(b"{")
    code, said = verdicts(run, "output")
    assert code == 1  # the certificate of the collection names that of the report
    assert said[f"output/{OTHER}"][0] == "unchecked"
    assert said[f"output/{GAME}"] == HOLDS
    assert said["output"][1] is not None
    assert said["output"][1].startswith(f"{OTHER}/certificate.json: SHA-256: found ")


def test_a_report_that_was_not_checked_leaves_the_whole_unchecked(
    run: Run, output: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def check(analysis: bytes, rule_book: bytes) -> int:
        raise Malformed("too large")

    monkeypatch.setattr(verification, "check", check)
    code, said = verdicts(run, "output")
    assert code == 2
    assert {verdict for verdict, _ in said.values()} == {"unchecked"}


def test_swapped_folders_do_not_hold(run: Run, here: Path, reports: Reports) -> None:
    """Each report holds alone, under whatever name; together, each stands in the folder of its game."""
    contents: Contents = collection_of(reports)
    folders_swapped(contents)
    resealed_over(contents)
    written(contents, here / "output")
    code, said = verdicts(run, "output")
    assert code == 1
    assert said == {
        f"output/{OTHER}": HOLDS,
        f"output/{GAME}": HOLDS,
        "output": ("rejected", f'{OTHER}: game: found "{GAME}", expected "{OTHER}"'),
    }


def test_reports_without_a_collection_are_judged_alone(run: Run, output: Path) -> None:
    for path in output.iterdir():
        if path.is_file():
            path.unlink()
    assert verdicts(run, "output") == (
        2,
        {
            f"output/{OTHER}": HOLDS,
            f"output/{GAME}": HOLDS,
            "output": (
                "unchecked",
                "certificate.json: nothing says which reports belong here; each of them is judged alone",
            ),
        },
    )


def test_a_collection_inside_a_folder_is_judged_as_a_collection(
    run: Run, output: Path, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (here / "work" / "notes").mkdir(parents=True)
    (here / "work" / "notes" / "own.txt").write_text("mine", "utf-8")
    output.rename(here / "work" / "reports")
    code, said = verdicts(run, "work")
    assert code == 2
    assert {name: verdict for name, (verdict, _) in said.items()} == {
        f"work/reports/{OTHER}": "holds",
        f"work/reports/{GAME}": "holds",
        "work/reports": "holds",
        "work/notes": "unchecked",
        "work": "unchecked",
    }
    monkeypatch.chdir(here / "work")
    with pytest.raises(CertificateError, match=r"reports: README\.md: not checked: drawn") as refusal:
        verify(".", figures_only=True)
    assert type(refusal.value) is not RejectedCertificateError
    (here / "work" / "reports" / GAME / "report.md").write_bytes(b"other")
    code, said = verdicts(run, ".")
    assert (code, said[f"reports/{GAME}"][0], said["reports"][0]) == (1, "rejected", "unchecked")


def test_what_is_amiss_outside_of_every_report_is_no_fault_of_one(run: Run, output: Path, here: Path) -> None:
    (here / "empty").mkdir()
    ran = run("verify", ".")
    said = '"empty/": an empty folder; no report has one; no report is around it: give a report\'s own folder'
    assert message_of(ran) == f".: {said}"
    (here / "empty").rmdir()
    (output / GAME / "empty").mkdir()
    assert run("verify", ".").code == 1


def test_a_game_that_is_a_link_is_not_followed(run: Run, output: Path, here: Path) -> None:
    (output / GAME).rename(here / "elsewhere")
    (output / GAME).symlink_to(here / "elsewhere")
    ran = run("verify", "output")
    said = f'output: does not hold: "{GAME}": a symbolic link; expected a plain file\n'
    assert (ran.code, ran.out) == (1, said)


def test_a_collection_by_another_version_is_not_checked(run: Run, here: Path, reports: Reports) -> None:
    contents = collection_of(reports)
    stated("predicate", "software", "version", value="9.9")(contents)
    written(contents, here / "output")
    code, said = verdicts(run, "output")
    assert (code, said["output"]) == (
        2,
        (
            "unchecked",
            "certificate.json: not checked: written by combinat 9.9; install that version to check it",
        ),
    )


# ---------------------------------------------------------------- signatures, and what cannot be begun


def test_signatures(run: Run, here: Path, reports: Reports) -> None:
    for name in ("house", "other"):
        assert run("keygen", name).code == 0
    book, dossier, plain = reports[GAME]
    written(report_of(book, dossier, key=here / "house-private.pem"), here / GAME)
    house, other = key_id(here / "house-public.pem"), key_id(here / "other-public.pem")

    ran = run("verify", GAME, "--public-key", "house-public.pem")
    assert ran.code == 0
    assert f"  signature:  valid (key {house})\n" in ran.out
    assert "  note:       A signed, reproducible analysis: " in ran.out

    ran = run("verify", GAME, "--public-key", "other-public.pem")
    assert (ran.code, ran.err) == (1, "")
    assert ran.out == (
        f"{GAME}: does not hold: certificate.json: signed with another key: "
        f"found key id {house}, other-public.pem has {other}\n"
    )

    shutil.rmtree(GAME)
    written(plain, here / GAME)
    ran = run("verify", GAME, "--public-key", "house-public.pem")
    assert (ran.code, ran.err) == (1, "")
    assert ran.out == (
        f"{GAME}: does not hold: certificate.json: not signed; expected a signature by house-public.pem\n"
    )


def test_a_signature_that_was_not_checked_is_said_to_be_so(run: Run, here: Path, reports: Reports) -> None:
    run("keygen", "house")
    book, dossier, _ = reports[GAME]
    written(report_of(book, dossier, key=here / "house-private.pem"), here / GAME)
    assert "  signature:  signed, but not checked: give --public-key (key\n" in run("verify", GAME).out
    folder = json.loads(run("verify", GAME, "-f", "json").out)["folders"][0]
    assert (folder["signature"], folder["key_id"]) == ("not-checked", key_id(here / "house-public.pem"))


def test_what_cannot_be_begun_is_one_message(run: Run, output: Path, here: Path) -> None:
    assert refused(run, "verify", "none") == "none: not there; give a game's folder or a folder of them"
    assert refused(run, "verify", "output", "--rule-book", str(SMALL_BOOK)) == (
        "--rule-book: output holds 2 games; give one game's folder"
    )
    assert refused(run, "verify", "output", "--public-key", "none.pem") == (
        "none.pem: cannot be read (No such file or directory); give the path of a key"
    )
    assert refused(run, "verify", "output", "--public-key", str(SMALL_BOOK)).endswith(
        ": no Ed25519 public key in PEM; combinat keygen writes one"
    )
    (here / "empty").mkdir()
    assert (
        refused(run, "verify", "empty") == "empty: no report in it; give a folder that combinat report wrote"
    )
    (here / "file").write_bytes(b"mine")
    assert refused(run, "verify", "file")


def test_a_verdict_is_a_table_like_any_other(run: Run, report: Path) -> None:
    """In every format, with the options of tables; the exit code stays the verdict's."""
    asked = ("verify", GAME, "--figures-only")
    header, first, *_ = run(*asked, "--format", "csv", "--sort", "file").out.splitlines()
    assert header == "folder,verdict,message,file,check,how"
    assert first.startswith(
        f"{GAME},holds,its figures alone; the documents were not looked at; {FOREIGN},analysis.json,"
    )
    assert run(*asked, "--format", "markdown").out.startswith(f"# {GAME}: holds: its figures alone; ")
    assert run(*asked, "--format", "latex").out.startswith(f"% {GAME}: holds: its figures alone; ")
    assert run(*asked, "--part", "1", "--only", "file").out.split()[:3] == ["file", "-" * 19, "VERIFY.txt"]
    (report / "report.md").write_bytes(b"another")
    ran = run(*asked, "--format", "csv", "--out", "verdict.csv")
    assert (ran.code, ran.out) == (1, "")
    line = Path("verdict.csv").read_text("utf-8").splitlines()[1]
    assert line.startswith(f'{GAME},rejected,"report.md: SHA-256: found ')
    inside = f"{GAME}/verdict.csv"
    assert refused(run, *asked, "--out", inside) == (
        f"--out: {inside} lies in {GAME}, which is looked at; write to another place"
    )


# ---------------------------------------------------------------- report: nothing of a user's is touched


@pytest.fixture
def _no_work(monkeypatch: pytest.MonkeyPatch) -> None:
    def worked(*arguments: object) -> Dossier:
        raise AssertionError("it was refused too late")

    monkeypatch.setattr(report_command, "dossier", worked)


@pytest.mark.usefixtures("_no_work")
def test_a_folder_of_the_user_is_refused_before_any_work(run: Run, here: Path) -> None:
    """A rule book whose game has the name of a folder of the user's."""
    mine = {f"{GAME}/main.py": b"print()\n", "README.md": b"# My project\n"}
    written(mine, here)
    assert refused(run, "report", str(SMALL_BOOK), "--out", ".") == (
        f"{GAME}: not a report that combinat wrote (no certificate.json); move it away; "
        "or choose another --out"
    )
    shutil.rmtree(here / GAME)
    assert refused(run, "report", str(SMALL_BOOK), "--out", ".") == (
        "README.md: not written by combinat, or changed since; move it away and nothing is lost; "
        "or choose another --out"
    )
    assert read(here) == {"README.md": b"# My project\n"}


@pytest.mark.usefixtures("_no_work")
def test_a_report_that_the_user_added_to_is_refused_before_any_work(run: Run, output: Path) -> None:
    (output / GAME / "notes.txt").write_bytes(b"mine")
    before = read(output)
    assert refused(run, "report", str(SMALL_BOOK), "--out", "output") == (
        f"output/{GAME}/notes.txt: not part of the report that is there; move it away; or choose another --out"
    )
    assert read(output) == before


@pytest.mark.usefixtures("_no_work")
def test_no_name_is_no_folder(run: Run, here: Path) -> None:
    assert refused(run, "report", str(SMALL_BOOK), "--out", "") == (
        "--out: found no name; write a folder, such as --out filing"
    )
    assert os.listdir(here) == []


# ---------------------------------------------------------------- keygen


def test_a_key_pair_is_made(run: Run, here: Path) -> None:
    ran = run("keygen", "house", "--out", "keys")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines() == [
        "wrote keys/house-private.pem: keep it to yourself",
        "wrote keys/house-public.pem: give it to those who verify",
        f"key id {key_id(here / 'keys' / 'house-public.pem')}",
    ]
    assert stat.S_IMODE((here / "keys" / "house-private.pem").stat().st_mode) == 0o600


def test_two_key_pairs_differ(run: Run, here: Path) -> None:
    for name in ("one", "two"):
        run("keygen", name)
    assert len({path.read_bytes() for path in here.iterdir()}) == 4


@pytest.mark.parametrize("there", ["house-private.pem", "house-public.pem"])
def test_a_key_that_is_there_is_kept(run: Run, here: Path, there: str) -> None:
    (here / there).write_bytes(b"mine")
    assert refused(run, "keygen", "house") == f"{there}: exists already, and a key is never overwritten"
    assert os.listdir(here) == [there]
    assert (here / there).read_bytes() == b"mine"


@pytest.mark.parametrize("name", ["", "..", "a/b", "../a", "a\\b", "C:a", "\x1b"])
def test_a_key_has_a_plain_name(run: Run, here: Path, name: str) -> None:
    assert refused(run, "keygen", name) == (
        f"NAME: found {json.dumps(name)}; write a plain name, and the folder with --out"
    )
    assert os.listdir(here) == []
