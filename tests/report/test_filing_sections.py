"""What the sections of a report say: ranked readings, published figures, examples, commands that work."""

import datetime
import re
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from combinat import Shoe, analyze, load_game
from combinat.analysis import published
from combinat.analysis.checker_source import checker_sha256
from combinat.analysis.dossier import Dossier
from combinat.analysis.insurance import insurance_analysis
from combinat.analysis.published import Sort, printed_figures
from combinat.render.blocks import Section, Table, in_words, walk
from combinat.render.kinds import telling
from combinat.render.numbering import numbered
from combinat.render.text import Format, rendered
from combinat.report.filing import filing
from combinat.report.filing.certificate import COMMANDS
from combinat.report.filing.closed_forms import polynomial
from combinat.report.filing.register import ranked, worst_case
from combinat.report.filing.verification import verification_chapter
from combinat.rules.accepted import WinnerSet
from combinat.rules.bet import Pay
from combinat.rules.book.load import RuleBook
from combinat.rules.filing import Filing, Issue, ReadingState, ReadingStatus, Revision
from combinat.rules.odds import Odds
from tests.conftest import Run

GAMES = (
    "commission-insurance-2013",
    "tiger-buffalo-noncommission-2025",
    "tiger-buffalo-noncommission-plus-2024",
)


def text_of(section: Section) -> str:
    return rendered([section], Format.TEXT)


def shoes(game_id: str, *decks: int) -> list[Any]:
    """A game on fresh shoes, as far as published figures look at it."""
    game = load_game(game_id)
    analyses = {number: analyze(game, Shoe.of_decks(number)) for number in decks}
    return [
        SimpleNamespace(decks=number, bets=one.bets, insurance=insurance_analysis(game, one.distribution))
        for number, one in analyses.items()
    ]


# ---------------------------------------------------------------- published figures


@pytest.mark.parametrize(("game_id", "number"), list(zip(GAMES, (6 + 9 * 4, 19, 22), strict=True)))
def test_published_figures_are_those_of_the_same_wagers_and_hold(game_id: str, number: int) -> None:
    game = load_game(game_id)
    printed = printed_figures(game, shoes(game_id, 6, 8))
    assert len(printed) == number
    said = text_of(verification_chapter(_with(game_id), game))
    assert "not equal" not in said
    assert said.count("equal") > 5


def _with(game_id: str) -> Any:
    """What the chapter on verification looks at."""
    return SimpleNamespace(shoes=shoes(game_id, 6, 8), identities=(), reference_decks=8)


def test_a_printed_figure_that_does_not_hold_is_said_not_to(monkeypatch: pytest.MonkeyPatch) -> None:
    (pays, decks, sort, digits, source), *_ = published._OF_BETS
    wrong = (pays, decks, sort, f"{digits[:-1]}9", source)
    monkeypatch.setattr(published, "_OF_BETS", (wrong,))
    said = text_of(verification_chapter(_with(GAMES[0]), load_game(GAMES[0])))
    assert said.count("not equal") == 1


def test_other_odds_decks_or_tables_have_no_published_figures() -> None:
    game = load_game(GAMES[0])
    assert printed_figures(game, shoes(GAMES[0], 5)) == ()
    other = Pay(odds=Odds.parse("9 to 1"), winner=WinnerSet.parse("tie"))
    (tie,) = [bet for bet in shoes(GAMES[0], 8)[0].bets if bet.id == "tie"]
    assert published._value((other,), published.TIE, Sort.EXPECTED_VALUE, tie) is None
    assert published._ways((other,), published.TIE[0], tie) == 475627426473216  # whatever it pays


# ---------------------------------------------------------------- the register


def test_readings_are_ranked_by_what_they_change(small_dossier: Dossier, small_book: RuleBook) -> None:
    first, *others = small_dossier.readings
    (difference, *_) = first.differences
    small = replace(first, entry="x", differences=(replace(difference, otherwise=difference.read),))
    assert worst_case(small) is None
    larger = replace(difference, otherwise=(difference.read or Fraction(0)) + 1000)
    large = replace(first, differences=(difference, larger))
    assert worst_case(large) == larger
    order = ranked(replace(small_dossier, readings=(small, *others, large)))
    assert (order[0], order[-1].entry in ("x", others[-1].entry)) == (large, True)


def test_a_reading_is_open_until_the_filing_says_by_whom_it_was_confirmed(
    small_dossier: Dossier, small_book: RuleBook
) -> None:
    entry = small_dossier.readings[0].entry
    state = ReadingState(
        id=entry, status=ReadingStatus.CONFIRMED, by="The regulator", on=datetime.date(2026, 11, 2)
    )
    revision = Revision(revision="A", why="First.")
    issue = Issue(filing=Filing(schema=1, issuer="I", document="D", revisions=(revision,), readings=(state,)))
    draft, confirmed = (
        text_of(numbered(filing(small_dossier, small_book.game, issue=how))) for how in (Issue(), issue)
    )
    assert "confirmed by The regulator, 2 November 2026" in " ".join(confirmed.split())
    assert "confirmed by" not in draft


# ---------------------------------------------------------------- what stands in the document


def test_every_table_has_a_caption_of_its_own(small_dossier: Dossier, small_book: RuleBook) -> None:
    document = filing(small_dossier, small_book.game)
    tables = [block for _, block in walk([document]) if isinstance(block, Table)]
    own = [table.caption for table in tables if table.caption]
    assert len(set(own)) == len(own) > 25
    assert [table.columns for table in tables if not table.caption] == []


def test_shares_add_up_to_the_return(small_dossier: Dossier) -> None:
    for bet in small_dossier.reference.bets:
        assert sum(line.share_of_return for line in bet.outcomes) == bet.return_to_player
        for line in bet.outcomes:
            if line.true_odds is not None:
                assert Fraction(1) / (1 + line.true_odds) == line.probability


def test_the_commands_of_the_report_work_in_its_folder(
    small_report: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As they are printed: nothing but the folder is known; and they leave it as it is."""
    there = sorted(small_report.rglob("*"))
    words = (small_report / "report.md").read_text("utf-8")
    monkeypatch.chdir(small_report)
    for command, _ in COMMANDS:
        assert command in words
        name, *rest = command.split()
        if name == "combinat":
            assert run(*rest).code == 0
        else:
            typed = [{"python3": sys.executable}.get(name, name), *rest]
            ran = subprocess.run(typed, capture_output=True, check=False)
            assert ran.returncode == 0, (command, ran.stderr)
    assert sorted(small_report.rglob("*")) == there


def test_the_checker_of_the_folder_is_the_one_whose_hash_is_printed(small_report: Path) -> None:
    sums = (small_report / "SHA256SUMS").read_text()
    assert f"{checker_sha256()}  checker.py" in sums
    assert checker_sha256() in (small_report / "report.md").read_text("utf-8")


def test_every_wager_is_won_and_lost_in_a_hand(small_report: Path, small_book: RuleBook) -> None:
    text = (small_report / "report.md").read_text("utf-8")
    table = text[text.rindex("Where each wager is won") :].split("\n\n")[1]
    rows = {cells[1].strip(): cells for line in table.splitlines() if len(cells := line.split("|")) > 4}
    for bet in small_book.game.bets:
        assert re.search(r"\d \(", rows[bet.name][2])
        assert rows[bet.name][-3].strip().isdigit()


def test_figures_never_round_to_nothing() -> None:
    from combinat.render.blocks import Figure
    from combinat.render.kinds import percentage

    tiny = Fraction(-26, 100_000)
    assert in_words(Figure(tiny, telling(percentage(1), tiny))) == "-0.03"
    assert in_words(Figure(Fraction(0), telling(percentage(1), Fraction(0)))) == "0.0"


@pytest.mark.parametrize(
    ("coefficients", "text"),
    [([0, -6, 1, 3], "3 n^3 + n^2 - 6 n"), ([5], "5"), ([0, 0, -1200], "-1,200 n^2"), ([0], "0")],
)
def test_polynomials_are_read_from_the_highest_power_down(coefficients: list[int], text: str) -> None:
    assert polynomial(coefficients) == text
