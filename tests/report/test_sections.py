"""What a report and the index of a collection state: findings, the register, published figures, commands that work."""

import datetime
import re
import sys
from dataclasses import replace
from fractions import Fraction
from html import unescape
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from combinat import Shoe, analyze, load_game
from combinat.analysis.bets import BetAnalysis
from combinat.analysis.insurance import insurance_analysis
from combinat.base.kinds import percentage, with_enough_decimals
from combinat.certify import published
from combinat.certify.collection import CollectedGame, Collection, collection
from combinat.certify.dossier import Dossier
from combinat.certify.filing import (
    Filing,
    Issue,
    ReadingState,
    ReadingStatus,
    Revision,
    parsed_filing,
    template,
)
from combinat.certify.published import PublishedFigure, printed_figures
from combinat.certify.report_files import checker_sha256
from combinat.render.blocks import Figure, Table, in_words, walk
from combinat.render.numbering import numbered
from combinat.render.text import Format, rendered
from combinat.report.filing.front_matter import days_of_tests, draft_in_words, transcriber_in_words
from combinat.report.filing.page_one import findings
from combinat.report.filing.register import by_severity, numbers, worst_case
from combinat.report.filing.verification import COMMANDS, verification_chapter
from combinat.report.folder import Documents, Form, files, front_of, over_the_games, report_document
from combinat.report.index import CHECK, READ, index
from combinat.rules.document import Status
from combinat.rules.game import Game
from combinat.rules.odds import Odds
from tests.conftest import Run
from tests.paths import PLAIN_BOOK
from tests.programs import contents, process

# ---------------------------------------------------------------- findings


def found(dossier: Dossier, game: Game, issue: Issue | None = None) -> list[str]:
    """The findings of page one as they are read: bets, insurance, ambiguous clauses."""
    terms = findings(dossier, game, issue or Issue())
    return [in_words(words).replace("\u00a0", " ") for words in terms.values()]


def with_better_wins(dossier: Dossier, decks: int, more: int) -> Dossier:
    """The dossier with so much added to every win of the first bet, with one number of decks."""

    def better(bet: BetAnalysis) -> BetAnalysis:
        lines = (
            msgspec.structs.replace(line, net=line.net + more) if line.net > 0 else line
            for line in bet.outcomes
        )
        return msgspec.structs.replace(bet, outcomes=tuple(lines))

    shoes = tuple(
        replace(shoe, bets=(better(shoe.bets[0]), *shoe.bets[1:])) if shoe.decks == decks else shoe
        for shoe in dossier.shoes
    )
    return replace(dossier, shoes=shoes)


def test_the_findings_have_the_figures_of_the_dossier(small_dossier: Dossier, small_game: Game) -> None:
    """The least edge, the favourable insurance states and the best of them, the ambiguous clauses by severity."""
    bets, insurance, readings = found(small_dossier, small_game)
    shoe = small_dossier.reference
    least = min(shoe.bets, key=lambda bet: bet.house_edge)
    assert f"{least.name}, {float(100 * least.house_edge):.4f} %" in bets
    assert bets.endswith(": none.")
    favourable = [state for state in shoe.insurance if state.favours_player]
    best = max(favourable, key=lambda state: state.expected_value or 0)
    assert f"{len(favourable)} of {len(shoe.insurance)} states favour the player" in insurance
    assert f"{float(100 * (best.expected_value or 0)):+.2f} % of the stake" in insurance
    assert f"{float(100 * best.probability):.2f} % of rounds" in insurance
    worst = worst_case(by_severity(small_dossier)[0])
    assert worst is not None
    changing = sum(worst_case(reading) is not None for reading in small_dossier.readings)
    assert readings.startswith(
        f"{len(small_dossier.readings)}. Another reading changes a figure in {changing}."
    )
    for value in (worst.read, worst.otherwise):
        assert value is not None
        assert f"{float(100 * value):+.2f} %" in readings


@pytest.mark.parametrize("place", [0, 1])
def test_a_bet_that_favours_the_player_is_a_finding(
    small_dossier: Dossier, small_game: Game, place: int
) -> None:
    """At the reference decks, or at others alone."""
    decks, name = small_dossier.decks[place], small_dossier.reference.bets[0].name
    bets, *_ = found(with_better_wins(small_dossier, decks, 1), small_game)
    assert bets.endswith(f": {name} (with {decks} deck{'s' * (decks > 1)}).")


def test_nothing_is_found_of_what_is_not_there(small_dossier: Dossier, small_game: Game) -> None:
    shoes = tuple(replace(shoe, insurance=()) for shoe in small_dossier.shoes)
    plain = replace(small_dossier, shoes=shoes, insured=(), readings=())
    _, *others = found(plain, small_game)
    assert others == ["The document offers none.", "None."]


def test_a_draft_is_called_one_wherever_it_is_read(small_game: Game, small_dossier: Dossier) -> None:
    """A report that is not issued, and a rule book that is a draft itself, on every page and nowhere else."""
    filed = parsed_filing(
        template(small_game).replace("# date = ", "date = ").encode(), "filing.toml", small_game
    )
    issued = Issue(filing=filed)
    draft = msgspec.structs.replace(small_game, status=Status.DRAFT)
    assert draft_in_words(small_game, Issue()) != draft_in_words(small_game, issued) == ""
    assert draft_in_words(draft, issued)
    one = replace(small_dossier, shoes=small_dossier.shoes[:1], reference_decks=1)
    for game, called, never in (
        (small_game, "transcription", "draft rule book"),
        (draft, "draft rule book", "transcription"),
    ):
        text, foot = (
            Documents(one, game).in_form(Form.MARKDOWN)["report.md"].decode(),
            front_of(game, Issue()).foot,
        )
        assert called in text
        assert f"{called} SHA-256 {game.sha256}" in foot
        assert never not in text + foot
        assert "1 decks" not in text
        assert "Results by number of decks" not in text
        assert "Insurance by number of decks" not in text
        assert text.count("draft, not issued") == 2  # page one and the end
        assert text.count("| signature |") == 1


def test_a_filing_names_the_transcriber_and_the_days_of_the_tests(small_game: Game) -> None:
    blank = template(small_game)
    text = re.sub("# (trans|tested)", r"\1", blank)
    filed, silent = (parsed_filing(one.encode(), "f.toml", small_game) for one in (text, blank))
    assert transcriber_in_words(filed) == "A. Mathematician, 1 October 2026"
    assert days_of_tests(filed) == "2 November 2026 to 13 November 2026"
    assert (transcriber_in_words(silent), days_of_tests(silent)) == ("not stated", "not stated")


def test_the_memo_has_the_numbers_and_ids_of_the_register(small_dossier: Dossier, small_game: Game) -> None:
    memo = Documents(small_dossier, small_game).in_form(Form.MEMO_MARKDOWN)["memo.md"].decode()
    for entry, number in numbers(small_dossier).items():
        assert re.search(rf"\*\*No\. {number}:\*\* .* \({entry}; ", memo)


# ---------------------------------------------------------------- published figures

PRINTED = {
    "commission-insurance-2013": 6 + 9 * 4,
    "tiger-buffalo-noncommission-2025": 19,
    "tiger-buffalo-noncommission-plus-2024": 22,
}


def on_fresh_shoes(game_id: str, *decks: int) -> Any:
    """A game on fresh shoes, as far as the chapter on verification looks at it."""
    game = load_game(game_id)
    analyses = {number: analyze(game, Shoe.of_decks(number)) for number in decks}
    shoes = [
        SimpleNamespace(decks=number, bets=one.bets, insurance=insurance_analysis(game, one.distribution))
        for number, one in analyses.items()
    ]
    return SimpleNamespace(shoes=shoes, identities=(), reference_decks=8)


def verdicts(game_id: str) -> tuple[int, int]:
    """How many printed figures the chapter calls equal, and how many not."""
    chapter = verification_chapter(on_fresh_shoes(game_id, 6, 8), load_game(game_id))
    text = rendered([chapter], Format.MARKDOWN)  # whose cells are never broken
    return len(re.findall(r"(?<!not )\bequal\b", text)), text.count("not equal")


@pytest.mark.parametrize("game_id", PRINTED)
def test_published_figures_are_those_of_the_same_wagers_and_hold(game_id: str) -> None:
    printed = printed_figures(load_game(game_id), on_fresh_shoes(game_id, 6, 8).shoes)
    assert len(printed) == PRINTED[game_id]
    equal, unequal = verdicts(game_id)
    assert (equal > 5, unequal) == (True, 0)


def test_a_printed_figure_that_does_not_hold_is_called_unequal(monkeypatch: pytest.MonkeyPatch) -> None:
    (pays, decks, sort, digits, source), *_ = published._OF_BETS
    monkeypatch.setattr(published, "_OF_BETS", ((pays, decks, sort, f"{digits[:-1]}9", source),))
    assert verdicts("commission-insurance-2013")[1] == 1


def test_other_odds_and_other_decks_have_no_published_figures() -> None:
    game = load_game("commission-insurance-2013")
    assert printed_figures(game, on_fresh_shoes(game.id, 5).shoes) == ()
    tries = game.paying({"tie": [Odds.parse("9 to 1")]})
    printed = [one for one in printed_figures(tries, on_fresh_shoes(game.id, 8).shoes) if one.bet == "tie"]
    assert [(one.sort, one.value) for one in printed] == [
        (PublishedFigure.WAYS, 475627426473216)
    ]  # whatever it pays


# ---------------------------------------------------------------- the register


def test_readings_are_ranked_by_what_they_change(small_dossier: Dossier) -> None:
    first, *others = small_dossier.readings
    (difference, *_) = first.differences
    none = replace(first, entry="x", differences=(replace(difference, otherwise=difference.read),))
    larger = replace(difference, otherwise=(difference.read or Fraction(0)) + 1000)
    large = replace(first, differences=(difference, larger))
    assert (worst_case(none), worst_case(large)) == (None, larger)
    order = by_severity(replace(small_dossier, readings=(none, *others, large)))
    assert (order[0], order[-1].entry in ("x", others[-1].entry)) == (large, True)


def test_a_reading_is_open_until_the_filing_names_who_confirmed_it(
    small_dossier: Dossier, small_game: Game
) -> None:
    day = datetime.date(2026, 11, 2)
    states = tuple(
        ReadingState(id=reading.entry, status=ReadingStatus.CONFIRMED, by="The regulator", on=day)
        for reading in small_dossier.readings
    )
    revision = Revision(revision="A", why="First.")
    issue = Issue(filing=Filing(schema=1, issuer="I", document="D", revisions=(revision,), readings=states))
    draft, confirmed = (
        " ".join(
            rendered([numbered(report_document(small_dossier, small_game, issue=how))], Format.TEXT).split()
        )
        for how in (Issue(), issue)
    )
    assert "confirmed by The regulator, 2 November 2026" in confirmed
    assert "confirmed by" not in draft
    assert found(small_dossier, small_game, issue)[-1] != found(small_dossier, small_game)[-1]


# ---------------------------------------------------------------- the document


def test_every_table_has_a_caption_of_its_own(small_dossier: Dossier, small_game: Game) -> None:
    blocks = [block for _, block in walk([report_document(small_dossier, small_game)])]
    captions = [block.caption for block in blocks if isinstance(block, Table)]
    assert all(captions)
    assert len(set(captions)) == len(captions) > 25


def test_the_commands_of_the_report_work_in_its_folder(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As they are printed: nothing but the folder is known; and they leave it as it is."""
    words = ("--decks", "1", "--formats", "markdown", "--simulation", "none", "--out", str(tmp_path))
    run("report", str(PLAIN_BOOK), *words).output()
    monkeypatch.chdir(tmp_path / PLAIN_BOOK.stem)
    before, text = contents(Path()), Path("report.md").read_text("utf-8")
    for command, _ in COMMANDS:
        assert command in text
        name, *rest = command.split()
        if name == "combinat":
            assert run(*rest).code == 0
        else:
            typed = [{"python3": sys.executable}.get(name, name), *rest]
            assert process(typed).code == 0, command
    assert contents(Path()) == before


def test_the_checker_of_the_folder_is_the_one_whose_hash_is_printed(small_report: Path) -> None:
    assert f"{checker_sha256()}  checker.py" in (small_report / "SHA256SUMS").read_text()
    assert checker_sha256() in (small_report / "report.md").read_text("utf-8")


def test_figures_never_round_to_nothing() -> None:
    tiny = Fraction(-26, 100_000)
    assert in_words(Figure(tiny, with_enough_decimals(percentage(1), tiny))) == "-0.03"
    assert in_words(Figure(Fraction(0), with_enough_decimals(percentage(1), Fraction(0)))) == "0.0"


# ---------------------------------------------------------------- the index of a collection

FILES = [
    *("report.html", "report.pdf", "report.md", "rules.md", "workbook.xlsx", "memo.pdf", "own.csv"),
    *("filing.toml", "certificate.json", "checker.py", "small-baccarat.toml", "figures/a.svg"),
]


@pytest.fixture(scope="module")
def game(small_game: Game, small_dossier: Dossier) -> CollectedGame:
    """A collected game with files of every sort."""
    return collection([(small_game, small_dossier, FILES)]).games[0]


def indexed(*games: CollectedGame) -> str:
    return rendered([index(Collection(games=games))], Format.MARKDOWN)


def test_every_file_is_named_and_leads_there(game: CollectedGame) -> None:
    """In both forms; nothing in the folder is left out, and nothing else is named."""
    page = over_the_games(Collection(games=(game,)), [])["index.html"].decode()
    for links in (
        re.findall(r"\[([^\]]+)\]\(([^)]+)\)", indexed(game)),
        [(unescape(name), to) for to, name in re.findall(r'<a href="([^#"][^"]*)">([^<]+)</a>', page)],
    ):
        assert [to for _, to in links if to.startswith("explorer.html")] == [f"explorer.html#game={game.id}"]
        named = {to.removeprefix(f"{game.id}/"): name for name, to in links if to.startswith(f"{game.id}/")}
        assert named.keys() == {name for name in FILES if "/" not in name}
        assert {name for file, name in named.items() if name == file} == {"own.csv"}


def test_the_index_knows_every_file_that_a_report_has(small_dossier: Dossier, small_game: Game) -> None:
    drawn = files(small_dossier, small_game, [Form.MARKDOWN, Form.HTML, Form.MEMO_MARKDOWN, Form.MEMO_HTML])
    single = {name for name in drawn if "/" not in name} | {"report.pdf", "memo.pdf", "workbook.xlsx"}
    assert {file for listed in READ.values() for file in listed} == single
    assert "certificate.json" in CHECK


def test_commission_stands_beside_non_commission(game: CollectedGame) -> None:
    five = replace(game, commission=Fraction(1, 20), banker_pays=("0.95 to 1",), id="five", name="Five")
    none = replace(game, commission=None, banker_pays=("1 to 1", "1 to 2"), id="none", name="None")
    assert "Commission beside" in indexed(none, five)
    assert "1 to 1, 1 to 2" in indexed(none, five)
    assert "Commission beside" not in indexed(none, replace(none, id="other"))


def test_a_draft_is_called_one_beside_what_is_approved(game: CollectedGame, small_game: Game) -> None:
    """In both forms of the index; where no rule book is a draft, nothing is stated of it."""
    other = replace(game, id="other", name="Other")
    draft = msgspec.structs.replace(small_game, status=Status.DRAFT)
    made = over_the_games(Collection(games=(game, other)), [draft])
    assert all(
        "no approved document states it" in made[name].decode() for name in ("README.md", "index.html")
    )
    assert "draft" not in indexed(game)


def test_games_of_one_name_are_told_apart(game: CollectedGame) -> None:
    games = [replace(game, id=f"game-{number}") for number in range(6)]
    text = indexed(*games)
    assert all(f"{game.name} ({one.id})" in text for one in games)
