"""The index of a collection: games side by side, links by name, commission beside non-commission."""

import re
from dataclasses import replace
from fractions import Fraction
from html import unescape

import pytest
from msgspec import structs

from combinat.analysis.collection import CollectedGame, Collection, collection
from combinat.analysis.dossier import Dossier
from combinat.render.text import Format, rendered
from combinat.report.folder import NAMES, Form, over_the_games
from combinat.report.index import CHECK, READ, index
from combinat.rules.book.load import RuleBook
from combinat.rules.game import Status

FILES = [
    *(
        "report.html",
        "report.pdf",
        "report.md",
        "rules.md",
        "workbook.xlsx",
        "memo.pdf",
        "own.csv",
        "filing.toml",
    ),
    *("certificate.json", "checker.py", "small-baccarat.toml", "figures/a.svg"),
]


@pytest.fixture(scope="module")
def game(small_book: RuleBook, small_dossier: Dossier) -> CollectedGame:
    """A collected game with files of every sort."""
    return collection([(small_book.game, small_dossier, FILES)]).games[0]


def written(*games: CollectedGame) -> str:
    return rendered([index(Collection(games=games))], Format.MARKDOWN)


def test_every_file_is_named_by_what_it_is_and_leads_there(game: CollectedGame) -> None:
    """In both forms; nothing that is in the folder is left out, and nothing that is not is named."""
    page = over_the_games(Collection(games=(game,)), [])["index.html"].decode()
    for links in (
        re.findall(r"\[([^\]]+)\]\(([^)]+)\)", written(game)),
        [(unescape(name), to) for to, name in re.findall(r'<a href="([^#"][^"]*)">([^<]+)</a>', page)],
    ):
        assert [to for _, to in links if to.startswith("explorer.html")] == [f"explorer.html#game={game.id}"]
        named = {to.removeprefix(f"{game.id}/"): name for name, to in links if to.startswith(f"{game.id}/")}
        assert named.keys() == {name for name in FILES if "/" not in name}
        assert {name for file, name in named.items() if name == file} == {"own.csv"}
        assert named["report.html"] == "page"


def test_the_files_that_the_index_names_are_those_that_a_report_has() -> None:
    """A file that a form gains is known here by what it is."""
    single = {name for form in Form for name in NAMES[form] if not name.endswith("/")}
    named = {file for files in READ.values() for file in files}
    assert named == single
    assert "certificate.json" in CHECK


def test_commission_stands_beside_non_commission(game: CollectedGame) -> None:
    five = replace(game, commission=Fraction(1, 20), banker_pays=("0.95 to 1",), id="five", name="Five")
    none = replace(game, commission=None, banker_pays=("1 to 1", "1 to 2"), id="none", name="None")
    text = written(none, five)
    assert "## Commission beside non-commission: the bet on the Banker Hand" in text
    last = text.rindex("| game", 0, text.index("## The rule books"))
    assert text.index("| Five", last) < text.index("| None", last)
    assert "5 % of a win on Banker" in text
    assert "1 to 1, 1 to 2" in text
    assert "Commission beside" not in written(none, replace(none, id="other"))


def test_a_draft_is_called_one_beside_what_is_approved(game: CollectedGame, small_book: RuleBook) -> None:
    """In both forms of the index; where no rule book is a draft, nothing is said of it."""
    other = replace(game, id="other", name="Other", reference_decks=1)
    draft = RuleBook(small_book.content, structs.replace(small_book.game, status=Status.DRAFT))
    made = over_the_games(Collection(games=(replace(game, reference_decks=1), other)), [draft])
    text, page = made["README.md"].decode(), made["index.html"].decode()
    assert re.search(r"\| Status +\| draft: no approved document states it +\| approved +\|", text)
    assert "draft: no approved document states it" in page
    assert "transcription" not in text + page
    assert "## House edge in per cent, 1 deck\n" in text
    assert "| SHA-256 of our transcription" in written(game)
    assert "Status" not in written(game)


def test_games_of_one_name_are_told_apart_and_many_stand_in_several_tables(game: CollectedGame) -> None:
    games = [replace(game, id=f"game-{number}") for number in range(6)]
    text = written(*games)
    assert text.count("| In force from") == 2
    for one in games:
        assert text.count(f"{game.name} ({one.id})") == 4
