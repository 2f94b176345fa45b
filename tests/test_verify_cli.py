"""``combinat verify`` and ``combinat keygen`` as people and other programs use them."""

import json
import os
import shutil
import stat
from pathlib import Path

import pytest

from combinat import __version__
from combinat.certify import verification
from combinat.certify.checker import Malformed, Rejected
from combinat.rules.rulebook import rule_book_sha256
from tests.conftest import Run
from tests.test_certificate import CHECKED, GAME, NUMBERS, OTHER, book_of, key_id, make_report

BOOK = str(book_of(GAME).absolute())


@pytest.fixture(autouse=True)
def _every_number_is_right(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verification, "check", lambda analysis, rule_book: NUMBERS)
    monkeypatch.setattr(verification, "rule_book_paths", lambda: {OTHER: book_of(OTHER)})


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


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


def test_a_report_that_holds(run: Run, here: Path) -> None:
    make_report(here / "output")
    ran = run("verify", f"output/{GAME}", "--rule-book", BOOK)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines() == [
        f"output/{GAME}: holds",
        "  game:       Small Baccarat",
        "  signature:  none",
        "  files:      4, each with the SHA-256 that the certificate names",
        f"  rule book:  {GAME}.toml, SHA-256",
        f"              {rule_book_sha256(book_of(GAME))}",
        "  decks:      6, 8",
        f"  numbers:    {NUMBERS}, each derived again from the rule book",
        f"  identities: 2, checked by combinat {__version__} when it wrote the report",
        "  note:       A reproducible analysis, not signed: anyone can derive every number again from the",
        "              rule book. It is not a test laboratory's certification.",
    ]


def test_a_report_that_holds_in_json(run: Run, here: Path) -> None:
    make_report(here)
    ran = run("verify", GAME, "--rule-book", BOOK, "--format", "json")
    assert (ran.code, ran.err) == (0, "")
    assert json.loads(ran.out) == {
        "schema": "combinat/verify/1",
        "holds": True,
        "games": [
            {
                "folder": GAME,
                "verdict": "holds",
                "message": None,
                "game": GAME,
                "signature": "none",
                "key_id": None,
                "files": 4,
                "rule_book_sha256": rule_book_sha256(book_of(GAME)),
                "software_version": __version__,
                "decks": [6, 8],
                "numbers": NUMBERS,
                "identities": len(CHECKED),
            }
        ],
    }


def test_a_report_that_does_not_hold(run: Run, here: Path) -> None:
    folder = make_report(here)
    (folder / "report.md").unlink()
    message = "report.md: named in the certificate, and not there"
    ran = run("verify", GAME, "--rule-book", BOOK)
    assert (ran.code, ran.out, ran.err) == (1, f"{GAME}: does not hold: {message}\n", "")
    ran = run("verify", GAME, "--rule-book", BOOK, "-f", "json")
    assert (ran.code, ran.err) == (1, "")
    assert json.loads(ran.out) == {
        "schema": "combinat/verify/1",
        "holds": False,
        "games": [{"folder": GAME, "verdict": "rejected", "message": message}],
    }


def test_a_report_that_cannot_be_checked(run: Run, here: Path) -> None:
    folder = make_report(here)
    (folder / "certificate.json").write_bytes(b"{")
    message = (
        "certificate.json: not readable as JSON: Expecting property name enclosed in double quotes: "
        "line 1 column 2 (char 1)"
    )
    ran = run("verify", GAME, "--rule-book", BOOK)
    assert (ran.code, ran.out, ran.err) == (2, f"{GAME}: could not be checked: {message}\n", "")
    ran = run("verify", GAME, "--rule-book", BOOK, "-f", "json")
    assert ran.code == 2
    assert json.loads(ran.out)["games"] == [{"folder": GAME, "verdict": "unchecked", "message": message}]


@pytest.mark.parametrize(
    ("verdict", "code", "words"), [(Rejected, 1, "does not hold"), (Malformed, 2, "could not be checked")]
)
def test_a_number_that_is_wrong(
    run: Run, here: Path, monkeypatch: pytest.MonkeyPatch, verdict: type[Exception], code: int, words: str
) -> None:
    def check(analysis: bytes, rule_book: bytes) -> int:
        raise verdict("bets.player.ways: found 1, expected 2")

    make_report(here)
    monkeypatch.setattr(verification, "check", check)
    ran = run("verify", GAME, "--rule-book", BOOK)
    assert (ran.code, ran.err) == (code, "")
    assert ran.out == f"{GAME}: {words}: analysis.json: bets.player.ways: found 1, expected 2\n"


def test_a_folder_of_games_is_checked_game_by_game(
    run: Run, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What does not hold outweighs what could not be checked; each game has its verdict."""
    both = {game: book_of(game) for game in (GAME, OTHER)}
    monkeypatch.setattr(verification, "rule_book_paths", lambda: both)
    for game in both:
        make_report(here / "output", game)
    (here / "output" / "README.md").write_text("an index", "utf-8")
    ran = run("verify", "output")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.count(": holds\n") == 2

    del both[GAME]
    ran = run("verify", "output")
    assert (ran.code, ran.err) == (2, "")
    assert f"output/{OTHER}: holds\n" in ran.out
    assert (
        f'output/{GAME}: could not be checked: no rule book of "{GAME}" comes with combinat; '
        "give it with --rule-book\n"
    ) in ran.out

    (here / "output" / OTHER / "extra.csv").write_bytes(b"")
    ran = run("verify", "output", "-f", "json")
    assert (ran.code, ran.err) == (1, "")
    found = json.loads(ran.out)
    assert found["holds"] is False
    assert [(game["folder"], game["verdict"]) for game in found["games"]] == [
        (f"output/{OTHER}", "rejected"),
        (f"output/{GAME}", "unchecked"),
    ]


def test_swapped_folders_do_not_hold(run: Run, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    both = {game: book_of(game) for game in (GAME, OTHER)}
    monkeypatch.setattr(verification, "rule_book_paths", lambda: both)
    one, two = (make_report(here, game) for game in both)
    one.rename("third")
    two.rename(one)
    Path("third").rename(two)
    ran = run("verify", ".")
    assert ran.code == 1
    assert ran.out == (
        f'{OTHER}: does not hold: the folder\'s name: found "{OTHER}", expected "{GAME}"\n\n'
        f'{GAME}: does not hold: the folder\'s name: found "{GAME}", expected "{OTHER}"\n'
    )


def test_a_game_that_is_a_link_is_not_followed(run: Run, here: Path) -> None:
    make_report(here / "elsewhere", OTHER)
    (here / "output").mkdir()
    (here / "output" / OTHER).symlink_to(here / "elsewhere" / OTHER)
    ran = run("verify", "output")
    assert (ran.code, ran.err) == (1, "")
    assert ran.out == f"output/{OTHER}: does not hold: a symbolic link; expected the folder itself\n"


def test_a_folder_of_odd_name_prints(run: Run, here: Path) -> None:
    folder = make_report(here / "output", OTHER)
    folder.rename(folder.parent / "\x1b[2J\udcff")
    ran = run("verify", "output")
    assert (ran.code, ran.err) == (1, "")
    assert ran.out == (
        "output/\\u001b[2J\\udcff: does not hold: the folder's name: "
        f'found "\\u001b[2J\\udcff", expected "{OTHER}"\n'
    )
    assert run("verify", "output", "-f", "json").code == 1


def test_signatures(run: Run, here: Path) -> None:
    for name in ("house", "other"):
        assert run("keygen", name).code == 0
    make_report(here, key=here / "house-private.pem")
    house, other = key_id(here / "house-public.pem"), key_id(here / "other-public.pem")

    ran = run("verify", GAME, "--rule-book", BOOK, "--public-key", "house-public.pem")
    assert ran.code == 0
    assert f"  signature:  valid (key {house})\n" in ran.out
    assert "  note:       A signed, reproducible analysis: " in ran.out

    ran = run("verify", GAME, "--rule-book", BOOK)
    assert ran.code == 0
    assert "  signature:  signed, but not checked: give --public-key (key\n" in ran.out
    found = json.loads(run("verify", GAME, "--rule-book", BOOK, "-f", "json").out)["games"][0]
    assert (found["signature"], found["key_id"]) == ("not-checked", house)

    ran = run("verify", GAME, "--rule-book", BOOK, "--public-key", "other-public.pem")
    assert (ran.code, ran.err) == (1, "")
    assert ran.out == (
        f"{GAME}: does not hold: certificate.json: signed with another key: "
        f"found key id {house}, other-public.pem has {other}\n"
    )

    shutil.rmtree(GAME)
    make_report(here)
    ran = run("verify", GAME, "--rule-book", BOOK, "--public-key", "house-public.pem")
    assert (ran.code, ran.err) == (1, "")
    assert ran.out == (
        f"{GAME}: does not hold: certificate.json: not signed; expected a signature by house-public.pem\n"
    )


def test_what_cannot_be_begun_is_one_message(run: Run, here: Path) -> None:
    assert refused(run, "verify", "none") == (
        "none: cannot be read (No such file or directory); give a game's folder or a folder of them"
    )
    make_report(here / "output")
    make_report(here / "output", OTHER)
    assert refused(run, "verify", "output", "--rule-book", BOOK) == (
        "--rule-book: output holds 2 games; give one game's folder"
    )
    assert refused(run, "verify", "output", "--public-key", "none.pem") == (
        "none.pem: cannot be read (No such file or directory); give the path of a key"
    )
    assert refused(run, "verify", "output", "--public-key", BOOK).endswith(
        ": no Ed25519 public key in PEM; combinat keygen writes one"
    )


def test_a_format_that_a_verdict_does_not_have(run: Run, here: Path) -> None:
    make_report(here)
    ran = run("verify", GAME, "--format", "latex")
    assert (ran.code, ran.out) == (2, "")
    assert "Traceback" not in ran.err


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
