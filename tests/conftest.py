"""What the tests share."""

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from combinat.analysis.dossier import Dossier
from combinat.certify import checker
from combinat.cli import main
from combinat.rules.rulebook import RuleBook, load_rule_book
from tests import computed

SMALL_BOOK = Path(__file__).parent / "books" / "small-baccarat.toml"
VOCABULARY = SMALL_BOOK.with_name("new-vocabulary.toml")
"""A rule book that is quick to report on and has every sort of bet and insurance."""


@dataclass(frozen=True)
class Ran:
    """What a run of the program left behind."""

    code: int
    out: str
    err: str


Run = Callable[..., Ran]


@pytest.fixture(scope="session", autouse=True)
def _shared_folder(tmp_path_factory: pytest.TempPathFactory) -> None:
    """A folder that all processes of this run have in common, for what is worked out once."""
    own = tmp_path_factory.getbasetemp()
    folder = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "computed"
    folder.mkdir(exist_ok=True)
    computed.FOLDER[:] = [folder]
    checker.document = computed.document_of  # type: ignore[assignment]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run ``combinat`` with these arguments in this process, as its console script does.

    ``anew``: a report is worked out here and now, because of what the test has changed in the program.
    """

    def run_combinat(*arguments: str, columns: str = "100", anew: bool = False) -> Ran:
        monkeypatch.setattr(sys, "argv", ["combinat", *arguments])
        monkeypatch.setenv("TERM", "dumb")
        monkeypatch.setenv("COLUMNS", columns)
        if arguments[:1] == ("report",) and not anew:
            computed.share(monkeypatch)
        capsys.readouterr()
        code = 0
        try:
            main()
        except SystemExit as leaving:
            code = int(leaving.code or 0)
        captured = capsys.readouterr()
        return Ran(code, captured.out, captured.err)

    return run_combinat


@pytest.fixture(scope="session")
def small_book_path() -> Path:
    """The file of the small rule book."""
    return SMALL_BOOK


@pytest.fixture(scope="session")
def small_book() -> RuleBook:
    """The small rule book."""
    return load_rule_book(SMALL_BOOK)


@pytest.fixture(scope="session")
def small_dossier(small_book: RuleBook) -> Dossier:
    """The dossier of the small rule book on one deck and on two."""
    return computed.dossier_of(small_book, (1, 2))


@pytest.fixture(scope="session")
def small_report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of the small rule book, written by the program; to be looked at, not to be changed."""
    out = tmp_path_factory.mktemp("small") / "output"
    program = pytest.MonkeyPatch()
    computed.share(program)
    program.setattr(
        sys, "argv", ["combinat", "report", str(SMALL_BOOK), "--simulation", "none", "--out", str(out)]
    )
    with pytest.raises(SystemExit, match="0"):
        main()
    program.undo()
    return out / SMALL_BOOK.stem
