"""Who files a report: the file that says so, what the report then says, and what a forger cannot make it say."""

import json
import re
from pathlib import Path

import pytest

from combinat.analysis.dossier import Dossier
from combinat.certify.certificate import Predicate, parsed_certificate
from combinat.certify.redrawing import Check, checked_documents
from combinat.certify.signature import write_key_pair
from combinat.certify.standing import sealed_report
from combinat.cli.filings import Issued, issued
from combinat.errors import CombinatError, FilingError, RejectedCertificateError
from combinat.library.issuing import EPOCH
from combinat.library.redrawing import redraw_here
from combinat.render.paper import Paper
from combinat.report.folder import Form, files, libraries
from combinat.rules.book.load import RuleBook
from combinat.rules.filing import TEMPLATE, Issue, Role, parsed_filing
from tests.conftest import Run

FILED = TEMPLATE.replace("# date = 2026-11-17", "date = 2026-11-17").replace(
    "# approved_text_sha256", "approved_text_sha256"
)
READING = '[[readings]]\nid = "pair-by-rank"\nstatus = "confirmed"\nby = "The regulator"\non = 2026-11-02\n'


def test_the_template_is_a_filing_of_a_draft(small_book: RuleBook) -> None:
    """It can be used as it is; with its date it is issued."""
    draft = parsed_filing(TEMPLATE.encode(), "filing.toml", small_book.game)
    assert draft.issued is None
    filing = parsed_filing(f"{FILED}\n{READING}".encode(), "filing.toml", small_book.game)
    assert str(filing.issued) == "2026-11-17"
    assert [len(filing.in_role(role)) for role in Role] == [1, 1, 1]
    state = filing.reading("pair-by-rank")
    assert state is not None
    assert (state.by, str(state.on)) == ("The regulator", "2026-11-02")


REFUSED = {
    ("schema = 1", "schema = 2"): "schema: found schema = 2; this combinat reads schema = 1",
    (
        "issuer =",
        "isuer =",
    ): "unknown key isuer; did you mean issuer? The keys here are schema, issuer, document, "
    "customer, dates, approved_text_sha256, distribution, revisions, people, readings",
    (
        'issuer = "Example Gaming Mathematics Ltd"',
        'issuer = ""',
    ): 'issuer: found ""; write who issues the report',
    ('"EGM-2026-001"', '""'): 'document: found ""; write the number of the document',
    (
        'dates = "en"',
        'dates = "xx"',
    ): 'dates: found "xx"; write one of "iso", "en", "en-US", "de", "es", "fr", "pt"',
    (
        'sha256 = "0',
        'sha256 = "',
    ): f'approved_text_sha256: found "{"0" * 63}"; write the 64 hexadecimal digits that '
    "sha256sum prints, in lower case",
    (
        'role = "prepared"',
        'role = "made"',
    ): 'people[0].role: found "made"; write one of "prepared", "reviewed", "approved"',
    (
        'name = "A. Mathematician"',
        'name = ""',
    ): 'people[0].name: found ""; write a name, or leave the entry out',
    (
        "date = 2026-11-17",
        'date = "today"',
    ): 'revisions[0].date: found "today"; write a date, such as 2025-08-08',
    (
        "date = 2026-11-17",
        "date = 1901-01-01",
    ): "revisions[0].date: found 1901-01-01; write a date from 1970-01-01 to 2099-12-31",
    (
        "[[revisions]]\nrevision",
        '[[revisions]]\nrevision = "0"\nwhy = "x"\n\n[[revisions]]\nrevision',
    ): "revisions[0]: the key date is missing; only the last revision can be without, a draft",
    (
        "[[revisions]]\nrevision",
        '[[revisions]]\nrevision = "A"\ndate = 2026-01-01\nwhy = "x"\n\n[[revisions]]\nrevision',
    ): 'revisions[1].revision: found "A"; write a name that no other revision has',
    (
        "[[revisions]]\nrevision",
        '[[revisions]]\nrevision = "0"\ndate = 2027-01-01\nwhy = "x"\n\n[[revisions]]\nrevision',
    ): "revisions[1].date: found 2026-11-17; write a date not before 2027-01-01, the one before it",
    (
        'why = "First issue."',
        "",
    ): "revisions[0]: the key why is missing; give it text in quotes",
    (
        "pair-by-rank",
        "pair-by-ranks",
    ): 'readings[0].id: found "pair-by-ranks", which is not in the register of small-baccarat; did you '
    "mean pair-by-rank?",
    (
        'by = "The regulator"\n',
        "",
    ): 'readings[0]: confirmed, but not by whom and when; write by and on, or status = "open"',
    (
        '"confirmed"\nby',
        '"open"\nby',
    ): 'readings[0]: open, and yet by or on is there; write status = "confirmed", or take them out',
    (READING, READING + READING): 'readings[1].id: found "pair-by-rank" twice; write each reading once',
    ('["Example', "[" + '"x", ' * 20 + '"Example'): "distribution: found 22 entries; write at most 20",
    (
        'issuer = "E',
        'issuer = "\u202e',
    ): "issuer: found U+202E, which does not show in a text of one line; take it out",
    (
        "schema = 1",
        "schema = 1 1",
    ): "not readable as TOML: Expected newline or end of document after a statement (at line 6, column 12)",
}


@pytest.mark.parametrize(("old", "new"), REFUSED)
def test_a_filing_that_cannot_be_believed_is_refused(small_book: RuleBook, old: str, new: str) -> None:
    """With its name, the key, what was found and what to write."""
    text = f"{FILED}\n{READING}"
    assert old in text
    with pytest.raises(FilingError) as refusal:
        parsed_filing(text.replace(old, new, 1).encode(), "filing.toml", small_book.game)
    assert str(refusal.value) == f"filing.toml: {REFUSED[old, new]}"


def test_no_revision_and_no_text_are_refused(small_book: RuleBook) -> None:
    """What is no filing at all."""
    for content, why in (
        (b'schema = 1\nissuer = "a"\ndocument = "b"\n', "revisions: found none; write [[revisions]] with "),
        (b"\xff", "not UTF-8 text (byte 0); save it as UTF-8"),
        (b"#" * 1_000_001, "larger than 1000000 bytes; a filing is a small TOML file"),
    ):
        with pytest.raises(FilingError, match=re.escape(why)):
            parsed_filing(content, "filing.toml", small_book.game)


# ---------------------------------------------------------------- the report that is filed

Contents = dict[str, bytes]


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a key pair and a filing."""
    folder = tmp_path_factory.mktemp("issued")
    (folder / "filing.toml").write_text(f"{FILED}\n{READING}", "utf-8")
    write_key_pair(folder / "private.pem", folder / "public.pem")
    return folder


def sealed(
    how: Issued, dossier: Dossier, book: RuleBook, forms: list[Form], key: Path | None = None
) -> Contents:
    """The files of a report, as the command writes them."""
    drawn = files(dossier, book, forms, issue=how.issue)
    return sealed_report(
        dossier,
        book,
        drawn,
        forms,
        libraries=libraries(forms),
        simulations={},
        key=key,
        issue=how.issue,
        filing=how.filing,
    )


@pytest.fixture(scope="module")
def contents(keys: Path, small_dossier: Dossier, small_book: RuleBook) -> Contents:
    """A report that is filed, signed and has a memo, on letter paper."""
    key = keys / "private.pem"
    how = issued(keys / "filing.toml", Paper.LETTER, key, [small_book])
    forms = [Form.MARKDOWN, Form.PDF, Form.MEMO_MARKDOWN, Form.MEMO_PDF]
    return sealed(how, small_dossier, small_book, forms, key)


def checked(contents: Contents, dossier: Dossier, book: RuleBook) -> dict[str, Check]:
    """How every document was checked; the figures are none of a filing's business."""
    certificate = parsed_certificate(contents["certificate.json"])
    assert isinstance(certificate.predicate, Predicate)
    key_id = certificate.envelope.keyid if certificate.envelope else None
    checks = checked_documents(contents, certificate.predicate, dossier, book, redraw_here(), key_id)
    return {check.name: check.check for check in checks}


def test_page_one_says_who_files_and_what(contents: Contents, small_book: RuleBook, keys: Path) -> None:
    """Everything that a reader asks first, and each reading's state."""
    text = contents["report.md"].decode("utf-8")
    first = text.partition("## 1. Document control")[0]
    key_id = json.loads(contents["certificate.json"])["signatures"][0]["keyid"]
    for words in (
        *("**Document number:** EGM-2026-001", "**Revision:** A", "**Date of issue:** 17 November 2026"),
        *("**Issuer:** Example Gaming Mathematics Ltd", "**Customer:** Example Casino Operator"),
        *("**Signature:** certificate.json is signed", f"**Key of the signature:** {key_id}"),
        *(
            f"**Our transcription:** small-baccarat.toml, SHA-256 {small_book.sha256}",
            f"**SHA-256 of its text:** {'0' * 64}",
        ),
        *("Prepared | A. Mathematician | Game mathematician |", "relates only to the document named above."),
        *("**Table 2.** Every bet: what it pays, ", "clauses need a reading; "),
    ):
        assert words in first
    assert "draft" not in text.lower()
    assert text.endswith("End of report (EGM-2026-001, revision A).\n")
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
    contents: Contents, small_dossier: Dossier, small_book: RuleBook
) -> None:
    """As it was issued: signed, dated, on its paper, with its memo."""
    checks = checked(contents, small_dossier, small_book)
    assert checks["filing.toml"] is Check.FILING
    names = ("report.md", "report.pdf", "memo.md", "memo.pdf")
    assert {checks[name] for name in names} == {Check.DRAWN}


FORGERIES = {
    "a finding": ("report.md", b"Every bet favours the House", b"Every bet favours the guest"),
    "a finding of the memo": ("memo.md", b"Every bet", b"Hardly a bet"),
    "another issuer": ("filing.toml", b"Example Gaming", b"Another Gaming"),
    "another date": ("filing.toml", b"date = 2026-11-17", b"date = 2026-11-18"),
    "a filing that is none": ("filing.toml", b"schema = 1", b"schema = 3"),
    "no memo": ("memo.md", b"", b""),
    "no filing": ("filing.toml", b"", b""),
}
NOTICED = {
    "a finding": "report.md: drawn again, it is not the same: line ",
    "a finding of the memo": "memo.md: drawn again, it is not the same: line ",
    "another issuer": "report.md: drawn again, it is not the same: line ",
    "another date": 'certificate.json: predicate.date: found "2026-11-17", expected "2026-11-18"',
    "a filing that is none": "filing.toml: schema: found schema = 3; this combinat reads schema = 1",
    "no memo": "memo.md: belongs to this report, and is not there",
    "no filing": "report.md: drawn again, it is not the same: line ",
}


@pytest.mark.parametrize("what", FORGERIES)
def test_what_a_forger_says_is_noticed(
    contents: Contents, small_dossier: Dossier, small_book: RuleBook, what: str
) -> None:
    """Once every hash fits again, as the key's own holder could make it."""
    name, old, new = FORGERIES[what]
    forged = dict(contents)
    assert old in forged[name]
    forged[name] = forged[name].replace(old, new, 1)
    if not old:
        del forged[name]
    with pytest.raises(RejectedCertificateError) as refusal:
        checked(forged, small_dossier, small_book)
    assert str(refusal.value).startswith(NOTICED[what])


def test_a_page_cannot_claim_a_signature(
    contents: Contents, small_dossier: Dossier, small_book: RuleBook, keys: Path
) -> None:
    """The certificate stands in no envelope: then no document may say that it is signed."""
    how = issued(keys / "filing.toml", Paper.LETTER, None, [small_book])
    unsigned = sealed(how, small_dossier, small_book, [Form.MARKDOWN])
    assert checked(unsigned, small_dossier, small_book)["report.md"] is Check.DRAWN
    assert b"**Signature:** none: certificate.json is not signed" in unsigned["report.md"]
    with pytest.raises(RejectedCertificateError, match=r"report.md: drawn again, it is not the same"):
        checked({**unsigned, "report.md": contents["report.md"]}, small_dossier, small_book)


# ---------------------------------------------------------------- drafts, dates, and the command


def test_a_draft_says_so_and_an_epoch_is_recorded(
    small_dossier: Dossier, small_book: RuleBook, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No date is invented; one that the builder gives is in the certificate, so that verification draws alike."""
    monkeypatch.delenv(EPOCH, raising=False)
    draft = sealed(issued(None, Paper.A4, None, [small_book]), small_dossier, small_book, [Form.MARKDOWN])
    assert b"**Date of issue:** draft, not issued" in draft["report.md"]
    assert b"The files carry no date." in draft["report.md"]
    assert "date" not in json.loads(draft["certificate.json"])["predicate"]
    monkeypatch.setenv(EPOCH, "1700000000")
    dated = sealed(issued(None, Paper.A4, None, [small_book]), small_dossier, small_book, [Form.MARKDOWN])
    assert json.loads(dated["certificate.json"])["predicate"]["date"] == "2023-11-14"
    assert b"The files carry no date." not in dated["report.md"]
    monkeypatch.delenv(EPOCH)
    assert checked(dated, small_dossier, small_book)["report.md"] is Check.DRAWN
    for text in ("soon", "-1", "99999999999", "9" * 30):
        monkeypatch.setenv(EPOCH, text)
        with pytest.raises(CombinatError, match=r"SOURCE_DATE_EPOCH: found .*; write seconds since 1970"):
            issued(None, Paper.A4, None, [small_book])


def test_the_template_is_written_where_nothing_is(run: Run, tmp_path: Path) -> None:
    """To the file that is named, never over one; or to standard output."""
    assert run("report", "--filing-template").out == TEMPLATE
    place = tmp_path / "filing.toml"
    assert run("report", "--filing-template", str(place)).code == 0
    assert place.read_text("utf-8") == TEMPLATE
    again = run("report", "--filing-template", str(place))
    assert (again.code, again.err) == (
        2,
        f"combinat: --filing-template: {place} is there already; write another name\n",
    )
    more = run("report", "--filing-template", "one", "two")
    assert (more.code, "found more than one name" in more.err) == (2, True)


def test_what_cannot_be_issued_is_refused(run: Run, tmp_path: Path, small_book_path: Path) -> None:
    """Before anything is computed or written."""
    filing = tmp_path / "filing.toml"
    filing.write_text(FILED, "utf-8")
    out = ("--out", str(tmp_path / "out"))
    for arguments, why in (
        (("--filing", str(filing)), "--filing: a filing is of one document, and there are"),
        (
            (str(small_book_path), "--filing", str(tmp_path / "no")),
            "cannot be read (No such file or directory); give the path",
        ),
        (
            (str(small_book_path), "--memo", "--formats", "csv"),
            "--memo: a memo is one of markdown, html, pdf; let --formats",
        ),
    ):
        ran = run("report", *arguments, *out)
        assert (ran.code, why in ran.err) == (2, True), ran.err
    assert not (tmp_path / "out").exists()


TRAP = '<script>x</script> #panic() $x$ | `=1+1` [a](b) "q" \u03b1\u9592'


def test_what_a_filing_says_is_text_in_every_form(small_dossier: Dossier, small_book: RuleBook) -> None:
    """Markup, formulas and letters that no font has: each stays a text, and the PDF is made."""
    trap = TRAP.replace("\\", "\\\\").replace('"', '\\"')
    text = FILED
    for plain in (
        "Example Gaming Mathematics Ltd",
        "EGM-2026-001",
        "First issue.",
        "A. Mathematician",
        "The regulator",
    ):
        text = text.replace(f'"{plain}"', f'"{trap}"', 1)
    filing = parsed_filing(text.encode(), "filing.toml", small_book.game)
    issue = Issue(filing=filing, date=filing.issued)
    drawn = files(small_dossier, small_book, [Form.MEMO_HTML, Form.MEMO_MARKDOWN, Form.MEMO_PDF], issue=issue)
    page, written = (drawn[name].decode("utf-8") for name in ("memo.html", "memo.md"))
    assert "<script>x" not in page
    assert page.count("&lt;script&gt;x&lt;/script&gt; #panic() $x$ | `=1+1` [a](b) &quot;q&quot;") >= 3
    assert "<script>" not in written
    assert "[a](b)" not in written
    assert drawn["memo.pdf"].startswith(b"%PDF-1.7")
