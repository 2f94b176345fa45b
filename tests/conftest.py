"""What the tests share."""

import fcntl
import io
import json
import os
import signal
import sys
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from combinat.certify.dossier import Dossier
from combinat.cli import main
from combinat.rules.book.load import load_game
from combinat.rules.game import Game
from tests import computed

SMALL_BOOK = Path(__file__).parent / "books" / "small-baccarat.toml"
VOCABULARY = SMALL_BOOK.with_name("new-vocabulary.toml")
"""A rule book that is quick to report on and has every sort of bet and insurance."""

settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")  # an example that waits for a busy machine is no failure


@dataclass(frozen=True)
class Ran:
    """The exit code and the output of a run of the program."""

    code: int
    out: str
    err: str

    def output(self) -> str:
        """Standard output of a run that must have succeeded."""
        assert (self.code, self.err) == (0, "")
        return self.out

    def document(self) -> Any:
        """The JSON document that a successful run printed."""
        return json.loads(self.output())

    def refusal(self, code: int = 2) -> str:
        """The one-line message of a run that must have been refused, without the program's name."""
        assert (self.code, self.out) == (code, "")
        assert "Traceback" not in self.err
        message, newline, rest = self.err.partition("\n")
        assert (newline, rest) == ("\n", "")
        assert message.startswith("combinat: ")
        return message.removeprefix("combinat: ")


Run = Callable[..., Ran]


class Terminal(io.StringIO):
    """A stream that is a terminal."""

    def isatty(self) -> bool:
        """Say that it is one."""
        return True


def asked(run: Run, *words: str) -> Any:
    """The JSON document that a command answers with."""
    return run(*words, "--format", "json").document()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Let a slow test that was skipped fail: whoever asks for it wants to know that it did not run."""
    report = yield
    is_slow = "slow" in item.path.parts or item.get_closest_marker("full")
    if report.skipped and is_slow and not hasattr(report, "wasxfail"):
        report.outcome, report.longrepr = "failed", f"did not run: {report.longrepr[-1]}"  # type: ignore[index]
    return report


@pytest.fixture(scope="session", autouse=True)
def _shared_folder(tmp_path_factory: pytest.TempPathFactory) -> None:
    """A folder that all processes of this run have in common, for what is worked out once."""
    own = tmp_path_factory.getbasetemp()
    folder = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "computed"
    folder.mkdir(exist_ok=True)
    computed.FOLDER[:] = [folder]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run ``combinat`` with these arguments in this process, as its console script does.

    ``anew``: a report is worked out here and now, because of what the test has changed in the program.
    """

    def run_combinat(*arguments: str, columns: str = "100", anew: bool = False) -> Ran:
        monkeypatch.setattr(sys, "argv", ["combinat", *arguments])
        monkeypatch.setenv("TERM", "dumb")
        monkeypatch.setenv("COLUMNS", columns)
        if arguments[:1] in (("report",), ("verify",)) and not anew:
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


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def signals_are_heard() -> Iterator[None]:
    """Signals reach the tests and the programs that they start, also in the background, where a shell has some ignored."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM)}
    for number, handler in before.items():
        if handler is signal.SIG_IGN:
            signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.fixture(scope="session")
def small_game() -> Game:
    """The small rule book."""
    return load_game(SMALL_BOOK)


@pytest.fixture(scope="session")
def small_dossier(small_game: Game) -> Dossier:
    """The dossier of the small rule book on one deck and on two."""
    return computed.dossier_of(small_game, (1, 2))


@pytest.fixture(scope="session")
def small_report() -> Path:
    """The report of the small rule book, written once for all processes of a run; to be read, not to be changed."""
    place = computed.FOLDER[0] / "small"
    with place.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not place.exists():
            drawn = place.with_suffix(".drawn")
            words = ["report", str(SMALL_BOOK), "--simulation", "none", "--out", str(drawn)]
            with pytest.MonkeyPatch.context() as patch:
                computed.share(patch)
                patch.setattr(sys, "argv", ["combinat", *words])
                with pytest.raises(SystemExit, match="0"):
                    main()
            drawn.rename(place)
    return place / SMALL_BOOK.stem


@pytest.fixture(scope="module", autouse=True)
def _caches_end_with_their_module() -> Iterator[None]:
    """Empty what functions of the tests have kept, oracles too, so that a process does not grow from file to file."""
    yield
    ours = [module for name, module in sys.modules.items() if name.startswith("tests.")]
    for value in [value for module in ours for value in vars(module).values()]:
        if hasattr(value, "cache_clear"):
            value.cache_clear()
