"""Who files a report: the file that says so, what the report then says, and what a forger cannot make it say."""

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from combinat.base.errors import CombinatError, FileError, RejectedCertificateError
from combinat.base.paper import Paper
from combinat.certify.certificate import Predicate, parsed_certificate
from combinat.certify.dossier import Dossier
from combinat.certify.filing import EPOCH, Issue, Role, issue_of, parsed_filing, template
from combinat.certify.report_files import sealed_report, verify_instructions
from combinat.certify.signature import write_key_pair
from combinat.certify.verification import Check
from combinat.report.certified.verified import checked_files
from combinat.report.folder import Form, files, libraries
from combinat.rules.book.load import load_game
from combinat.rules.document import Status
from combinat.rules.game import Game
from tests.conftest import Run
from tests.paths import BOOKS, CORPUS, stored
from tests.raises import refusal_of

SMALL_BOOK = load_game(BOOKS / "small-baccarat.toml")
TEMPLATE = template(SMALL_BOOK)
FILED = TEMPLATE.replace("# date = 2026-11-17", "date = 2026-11-17").replace(
    "# approved_text_sha256", "approved_text_sha256"
)
ISSUED = FILED.replace('# source_archive_sha256 = "0', 'source_archive_sha256 = "7')
READING = '[[readings]]\nid = "pair-by-rank"\nstatus = "confirmed"\nby = "The regulator"\non = 2026-11-02\n'


def test_the_template_is_a_filing_of_a_draft(small_game: Game) -> None:
    """It can be used as it is; with its date it is issued."""
    draft = parsed_filing(TEMPLATE.encode(), "filing.toml", small_game)
    assert draft.issued is None
    filing = parsed_filing(f"{FILED}\n{READING}".encode(), "filing.toml", small_game)
    assert str(filing.issued) == "2026-11-17"
    assert [len(filing.in_role(role)) for role in Role] == [1, 1, 1]
    state = filing.reading("pair-by-rank")
    assert state is not None
    assert (state.by, str(state.on)) == ("The regulator", "2026-11-02")


def test_a_draft_cannot_be_filed(small_game: Game) -> None:
    draft = replace(small_game, status=Status.DRAFT)
    with pytest.raises(FileError):
        parsed_filing(FILED.encode(), "filing.toml", draft)


BAD = sorted((CORPUS / "filings").glob("*.toml"))


@pytest.mark.parametrize("path", BAD, ids=lambda path: path.stem)
def test_a_filing_of_the_corpus_is_refused_in_the_words_of_its_first_line(
    small_game: Game, path: Path
) -> None:
    content = path.read_bytes()
    refusal = refusal_of(parsed_filing, content, "filing.toml", small_game, kind=FileError)
    assert f"# {refusal}\n".replace("filing.toml: ", "", 1).encode() == content.splitlines(True)[0]


@pytest.mark.parametrize("content", [b"\xff", b"#" * 1_000_001], ids=["no text", "too large"])
def test_what_is_no_text_of_a_filing_is_refused(small_game: Game, content: bytes) -> None:
    assert len(BAD) == 26
    with pytest.raises(FileError):
        parsed_filing(content, "filing.toml", small_game)


# ---------------------------------------------------------------- the report that is filed

Contents = dict[str, bytes]


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a key pair and a filing."""
    folder = tmp_path_factory.mktemp("issued")
    (folder / "filing.toml").write_text(f"{ISSUED}\n{READING}", "utf-8")
    write_key_pair(folder / "private.pem", folder / "public.pem")
    return folder


def sealed(issue: Issue, dossier: Dossier, game: Game, forms: list[Form]) -> Contents:
    """The files of a report, as the command writes them."""
    drawn = files(dossier, game, forms, issue=issue)
    return sealed_report(dossier, game, drawn, forms, libraries=libraries(forms), simulations={}, issue=issue)


@pytest.fixture(scope="module")
def contents(keys: Path, small_dossier: Dossier, small_game: Game) -> Contents:
    """A report that is filed, signed and has a memo, on letter paper."""
    how = issue_of([small_game], keys / "filing.toml", keys / "private.pem", Paper.LETTER)
    forms = [Form.MARKDOWN, Form.PDF, Form.MEMO_MARKDOWN, Form.MEMO_PDF]
    return sealed(how, small_dossier, small_game, forms)


def checked(contents: Contents, dossier: Dossier, game: Game) -> dict[str, Check]:
    """How every document was checked; the figures are none of a filing's business."""
    certificate = parsed_certificate(contents["certificate.json"])
    assert isinstance(certificate.predicate, Predicate)
    key_id = certificate.envelope.keyid if certificate.envelope else None
    checks = checked_files(contents, certificate.predicate, dossier, game, key_id, 0)
    return {check.name: check.check for check in checks}


def test_page_one_says_who_files_and_what(contents: Contents, small_game: Game, keys: Path) -> None:
    """Everything that a reader asks first, and each reading's state."""
    text = contents["report.md"].decode("utf-8")
    first = text.partition("## 1. Document control")[0]
    key_id = json.loads(contents["certificate.json"])["signatures"][0]["keyid"]
    for stated in (
        *("EGM-2026-001", "17 November 2026", "Example Gaming Mathematics Ltd", "Example Casino Operator"),
        *("A. Mathematician", "Game mathematician", key_id, small_game.sha256, "0" * 64),
        *("certificate.json is signed", "relates only to the document named above"),
    ):
        assert stated in first
    assert "draft" not in text.lower()
    assert contents["filing.toml"] == (keys / "filing.toml").read_bytes()


def test_the_files_carry_the_date_of_issue(contents: Contents) -> None:
    """The PDF is PDF/A-2a and PDF/UA-1 on letter paper; a memo is one page, of what is open alone."""
    for name in ("report.pdf", "memo.pdf"):
        content = contents[name]
        assert b"/CreationDate(D:20261117" in content
        assert b"<pdfaid:part>2</pdfaid:part>" in content
        assert b"<pdfaid:conformance>A</pdfaid:conformance>" in content
        assert b"<pdfuaid:part>1</pdfuaid:part>" in content
        assert b"/MediaBox[0 0 612 792]" in content
    assert b"/Pages/Count 1/" in contents["memo.pdf"]
    memo = contents["memo.md"].decode("utf-8")
    assert "Is the cap on each insurance bet or on the round?" in memo
    assert "Are a 10 and a King a pair?" not in memo  # it is confirmed


def test_what_is_issued_is_drawn_again_with_its_filing(
    contents: Contents, small_dossier: Dossier, small_game: Game
) -> None:
    """As it was issued: signed, dated, on its paper, with its memo."""
    checks = checked(contents, small_dossier, small_game)
    assert checks["filing.toml"] is Check.FILING
    names = ("report.md", "report.pdf", "memo.md", "memo.pdf")
    assert {checks[name] for name in names} == {Check.DRAWN}


FORGERIES = {
    "a finding": ("report.md", b"the house edge is lowest", b"the house edge is highest", "report.md"),
    "a finding of the memo": ("memo.md", b"the house edge is lowest", b"the house edge is nil", "memo.md"),
    "another issuer": ("filing.toml", b"Example Gaming", b"Another Gaming", "report.md"),
    "another date": ("filing.toml", b"date = 2026-11-17", b"date = 2026-11-18", "certificate.json"),
    "a filing that is none": ("filing.toml", b"schema = 1", b"schema = 3", "filing.toml"),
    "no memo": ("memo.md", b"", b"", "memo.md"),
    "no filing": ("filing.toml", b"", b"", "VERIFY.txt"),
}
"""The file, the change, and the file that is then rejected."""


@pytest.mark.parametrize("what", FORGERIES)
def test_what_a_forger_says_is_noticed(
    contents: Contents, small_dossier: Dossier, small_game: Game, what: str
) -> None:
    """Once every hash fits again, as the key's own holder could make it."""
    name, old, new, rejected = FORGERIES[what]
    forged = dict(contents)
    assert old in forged[name]
    forged[name] = forged[name].replace(old, new, 1)
    if not old:
        del forged[name]
    refusal = refusal_of(checked, forged, small_dossier, small_game, kind=RejectedCertificateError)
    assert str(refusal).startswith(f"{rejected}: ")


def test_a_page_cannot_claim_a_signature(
    contents: Contents, small_dossier: Dossier, small_game: Game, keys: Path
) -> None:
    """The certificate stands in no envelope: then no document may say that it is signed."""
    how = issue_of([small_game], keys / "filing.toml", None, Paper.LETTER)
    unsigned = sealed(how, small_dossier, small_game, [Form.MARKDOWN])
    assert checked(unsigned, small_dossier, small_game)["report.md"] is Check.DRAWN
    assert b"certificate.json is not signed" in unsigned["report.md"]
    with pytest.raises(RejectedCertificateError, match=r"report\.md"):
        checked({**unsigned, "report.md": contents["report.md"]}, small_dossier, small_game)


# ---------------------------------------------------------------- drafts, dates, and the command


def test_a_draft_says_so_and_an_epoch_is_recorded(
    small_dossier: Dossier, small_game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No date is invented; one that the builder gives is in the certificate, so that verification draws alike."""
    monkeypatch.delenv(EPOCH, raising=False)
    draft = sealed(issue_of([small_game], None, None, Paper.A4), small_dossier, small_game, [Form.MARKDOWN])
    assert b"draft, not issued" in draft["report.md"]
    assert "date" not in json.loads(draft["certificate.json"])["predicate"]
    monkeypatch.setenv(EPOCH, "1700000000")
    dated = sealed(issue_of([small_game], None, None, Paper.A4), small_dossier, small_game, [Form.MARKDOWN])
    assert json.loads(dated["certificate.json"])["predicate"]["date"] == "2023-11-14"
    monkeypatch.delenv(EPOCH)
    assert checked(dated, small_dossier, small_game)["report.md"] is Check.DRAWN
    for text in ("soon", "-1", "99999999999", "9" * 30):
        monkeypatch.setenv(EPOCH, text)
        with pytest.raises(CombinatError, match=EPOCH):
            issue_of([small_game], None, None, Paper.A4)


def test_a_signed_report_that_is_issued_names_the_source_archive(small_game: Game, tmp_path: Path) -> None:
    """In VERIFY.txt; the guide of a draft names the version alone."""
    key, filing = tmp_path / "key.pem", tmp_path / "filing.toml"
    write_key_pair(key, tmp_path / "public.pem")
    filing.write_text(FILED, "utf-8")
    with pytest.raises(FileError):
        issue_of([small_game], filing, key, Paper.A4)
    filing.write_text(ISSUED, "utf-8")
    told = issue_of([small_game], filing, key, Paper.A4)
    assert "7" + 63 * "0" in verify_instructions(small_game, told)
    assert "7" + 63 * "0" not in verify_instructions(small_game, Issue())


def test_the_guide_of_a_signed_report_has_the_signature_checked(small_game: Game) -> None:
    """Its command takes the public key of the issuer; without one, verify could not check the signature."""
    signed, unsigned = (verify_instructions(small_game, Issue(key_id=key)) for key in ("ab" * 32, None))
    assert "ab" * 32 in signed
    assert [text.count("verify . --public-key ..") for text in (signed, unsigned)] == [2, 0]
    assert "not signed" in unsigned


def test_the_template_is_written_where_nothing_is(run: Run, tmp_path: Path) -> None:
    game, place = str(BOOKS / "small-baccarat.toml"), tmp_path / "filing.toml"
    assert run("new", str(place), "--filing", game).code == 0
    assert place.read_text("utf-8") == TEMPLATE
    run("new", str(place), "--filing", game).refusal()


def test_what_cannot_be_issued_is_refused_before_anything_is_computed(run: Run, tmp_path: Path) -> None:
    filing, out = stored(tmp_path, FILED, "filing.toml"), tmp_path / "out"
    run("report", "--filing", str(filing), "--out", str(out)).refusal()  # of every game
    assert not out.exists()
