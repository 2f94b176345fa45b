"""What a rule book may leave unsaid: taken over from a base, or left out of a draft; and what it says of itself."""

import datetime
import shutil
import tomllib
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from combinat import analyze, load_game
from combinat.analysis.coverage import expectations
from combinat.analysis.rule_book_changes import variation
from combinat.base import number
from combinat.base.errors import RuleBookError
from combinat.certify import checker
from combinat.rules.book.load import parsed_game
from combinat.rules.book.write import toml_text
from combinat.rules.game import Game
from combinat.rules.odds import Published
from tests.conftest import SMALL_BOOK, VOCABULARY, Run

DRAFT = """
schema = 1
id = "quick"
name = "Quick"
status = "draft"

[[bets]]
id = "four-cards"
pays = [{ cards = 4, odds = "3 to 2" }]
"""

ON_SMALL = """
schema = 1
id = "on-small"
name = "On Small"
base = "small-baccarat.toml"

[void]
bets = "stay"

[[bets]]
id = "six"
name = "Another Six"
about = "The Banker Hand wins with 6."
defined = "1"
settled = "2"
layouts = ["A"]
pays = [{ winner = "banker", banker_points = 6, odds = "14 to 1" }]

[[bets]]
id = "sum"
name = "Sum"
about = "Both hands together have 18."
defined = "1"
settled = "2"
layouts = ["A"]
pays = [{ total_points = 18, odds = "50 to 1" }]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the small rule book, one that stands on it, and a draft."""
    shutil.copy(SMALL_BOOK, tmp_path)
    (tmp_path / "on-small.toml").write_text(ON_SMALL, "utf-8")
    (tmp_path / "quick.toml").write_text(DRAFT, "utf-8")
    return tmp_path


def on(base: str, name: str = "on-small") -> str:
    """The book that stands on a base, under another name or on another base."""
    return ON_SMALL.replace("on-small", name).replace("small-baccarat.toml", base)


ON_2013 = on("commission-insurance-2013").replace('[void]\nbets = "stay"\n', "")
"""A book on a shipped game, whose document says what a void round does."""

VARIATION = """
schema = 1
id = "big-tiger-45"
name = "Big Tiger at 45"
base = "tiger-buffalo-noncommission-plus-2024"

[[bets]]
id = "big-tiger"
pays = [{ winner = "banker", banker_points = 6, banker_cards = 3, odds = "45 to 1" }]
"""


def test_a_variation_says_what_it_changes(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "big-tiger-45.toml"
    path.write_text(VARIATION, "utf-8")
    found = variation(load_game(path))
    assert found is not None
    assert [(one.subject, one.words) for one in found.changes] == [("Big Tiger", "50 to 1 -> 45 to 1")]
    (big_tiger,) = found.changes
    assert big_tiger.edge == 5 * analyze(found.base)["big-tiger"].hit_frequency
    printed = "Big Tiger 50 to 1 -> 45 to 1, house edge +8.3085 points"
    for words in (["odds", "--bet", "big-tiger"], ["rules"], ["diff"]):
        said = run(words[0], str(path), *words[1:]).output()
        assert printed in " ".join(said.split()), words
    parsed = parsed_game(load_game(path).content, path)
    assert variation(parsed) == found, "written out whole, it still varies its base"
    run("diff", "tiger-buffalo-noncommission-plus-2024").refusal()


# ---------------------------------------------------------------- a base


def test_what_one_does_not_say_is_the_bases(folder: Path) -> None:
    """Tables key by key, bets and layouts by id, one's own first; and nothing that speaks of the base itself."""
    game, base = load_game(folder / "on-small.toml"), load_game(SMALL_BOOK)
    assert [bet.id for bet in game.bets] == ["six", "sum", "punto", "banco", "any-pair"]
    assert game.bet("punto") == base.bet("punto")
    assert str(game.bet("six").pays[0].odds) == "14 to 1"
    assert (game.void.bets, game.void.clauses) == ("stay", base.void.clauses)
    assert (game.insurance, game.decks) == (base.insurance, base.decks)
    assert (game.id, game.name) == ("on-small", "On Small")


def test_the_document_of_a_base_approves_no_game_on_it(folder: Path, run: Run) -> None:
    """Without a word of its own such a game is a draft; approved, it names a document of its own."""
    own, base = folder / "on-small.toml", load_game("commission-insurance-2013")
    own.write_text(ON_2013, "utf-8")
    game, said = load_game(own), run("rules", str(own)).out
    assert (game.is_draft, game.operator, game.version, game.in_force, game.stated) == (
        *(True, "not stated", "", "not stated", "not stated"),
    )
    assert "Status: draft" in said
    assert not {word for word in (base.operator, base.in_force) if word in said}
    approved = ON_2013.replace("base =", 'status = "approved"\nbase =')
    with pytest.raises(RuleBookError, match="operator: missing"):
        parsed_game(approved.encode(), own)
    document = 'operator = "Mine"\neffective = 2027-01-02\nstated = "title"\nbase ='
    game = parsed_game(approved.replace("base =", document).encode(), own)
    assert (game.is_draft, game.operator, game.version, game.in_force) == (False, "Mine", "", "2027-01-02")


def test_a_change_of_the_base_changes_the_hash(folder: Path) -> None:
    """What is hashed and certified is the whole, and it reads by itself."""
    game = load_game(folder / "on-small.toml")
    assert "base" not in tomllib.loads(game.content.decode())
    assert parsed_game(game.content, Path("on-small.toml")) == game
    small = folder / "small-baccarat.toml"
    small.write_text(small.read_text("utf-8").replace('odds = "4 to 1" }', 'odds = "5 to 1" }'), "utf-8")
    assert load_game(folder / "on-small.toml").sha256 != game.sha256


def test_a_shipped_game_can_be_a_base_and_a_file_only_beside_the_rule_book() -> None:
    of_bytes = parsed_game(ON_2013.encode(), Path("on-small.toml"))
    assert of_bytes.bet("player-pair").name == "Player Pair"
    with pytest.raises(RuleBookError, match="write the id of a game that comes with combinat") as refusal:
        parsed_game(ON_SMALL.encode(), Path("on-small.toml"))  # of bytes there is nothing beside
    assert "beside" not in str(refusal.value)


def test_bases_are_counted(folder: Path) -> None:
    """Four at most, one upon the other."""
    for place in range(6):
        text = on(f"on-{place + 1}.toml" if place < 5 else "small-baccarat.toml", f"on-{place}")
        (folder / f"on-{place}.toml").write_text(text, "utf-8")
    with pytest.raises(RuleBookError, match="at most 4 bases"):
        load_game(folder / "on-1.toml")
    assert load_game(folder / "on-2.toml").bet("banco")


# ---------------------------------------------------------------- a draft


def test_a_draft_leaves_out_what_only_a_document_has(folder: Path, run: Run) -> None:
    game = load_game(folder / "quick.toml")
    assert game.is_draft
    assert (game.operator, game.clauses.deal, game.in_force) == ("not stated",) * 3
    assert (game.bets[0].name, game.bets[0].layouts) == ("Four cards", ("A",))
    assert "In force from: no day stated" in run("rules", str(folder / "quick.toml")).output()
    assert parsed_game(game.content, Path("quick.toml")) == game
    with pytest.raises(RuleBookError, match="missing"):
        parsed_game(DRAFT.replace('status = "draft"\n', "").encode(), Path("quick.toml"))


@pytest.mark.full
def test_a_report_is_checked_by_the_checker_alone(folder: Path, run: Run) -> None:
    """The folder holds the whole rule book: the checker needs no base."""
    text = DRAFT.replace('name = "Quick"', 'name = "Quick"\nbase = "other.toml"')
    (folder / "quick.toml").write_text(text, "utf-8")
    (folder / "other.toml").write_text(DRAFT.replace('"quick"', '"other"').replace("four", "more"), "utf-8")
    words = ["--decks", "1", "--formats", "csv", "--simulation", "none", "--out", str(folder / "out")]
    assert run("report", str(folder / "quick.toml"), *words).code == 0
    assert checker.main([str(folder / "out" / "quick" / "analysis.json")]) == 0
    assert '"more-cards"' in (folder / "out" / "quick" / "quick.toml").read_text("utf-8")


# ---------------------------------------------------------------- what is written out


VALUES = st.recursive(
    st.booleans()
    | st.integers(-99, 99)
    | st.text(max_size=8)
    | st.dates(min_value=datetime.date(1900, 1, 1)),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=50)
@given(st.dictionaries(st.text(max_size=6), VALUES, max_size=5))
def test_what_is_written_out_reads_as_it_was(book: dict[str, Any]) -> None:
    assert tomllib.loads(toml_text(book, ("a comment",))) == book


# ---------------------------------------------------------------- examples and published figures


def with_entry(table: str, entry: str) -> Game:
    """The small game with one more entry of a table."""
    return parsed_game(SMALL_BOOK.read_bytes() + f"\n[[{table}]]\n{entry}\n".encode(), SMALL_BOOK)


@pytest.mark.parametrize(("bet", "line"), [("six", "with two cards"), ("any-pair", "loses")])
def test_examples_that_hold_are_accepted(bet: str, line: str) -> None:
    """Others are refused: ``example-of-another-line`` of the corpus."""
    game = with_entry("examples", f'player = "K 2 3"\nbanker = "K 6"\nbet = "{bet}"\nline = "{line}"')
    assert [example.line for example in game.examples] == [line]


@pytest.mark.parametrize(
    ("figure", "is_met"),
    [
        ('house_edge = "1.24%"', True),
        ('house_edge = "1.25%"', False),
        ('expected_value = "-0.0124"', True),
        ('return_to_player = "98.8%"', True),
        ('hit_frequency = "45%"', True),
        ('line = "tie"\nprobability = "9.5%"', True),
        ('line = "tie"\nprobability = "9.6%"', False),
    ],
)
def test_published_figures_are_held_against_the_exact_ones(figure: str, is_met: bool) -> None:
    (held,) = expectations(with_entry("expect", f'bet = "punto"\ndecks = 8\nsource = "a table"\n{figure}'))
    assert held.is_met is is_met, held


@given(st.fractions(-10, 10), st.integers(0, 6))
def test_a_figure_is_met_by_what_rounds_to_it(exact: Fraction, places: int) -> None:
    figure = Published.parse(number.decimal(exact, places))
    assert figure.is_met_by(exact)
    assert not figure.is_met_by(exact + 3 * figure.half_digit)


# ---------------------------------------------------------------- the gallery, and words


def test_every_line_is_said_in_words_of_its_own() -> None:
    lines = [(bet.id, pay.in_words()) for bet in load_game(VOCABULARY).bets for pay in bet.pays]
    assert (
        len({words for bet, words in lines if bet not in ("banker-less-4", "not-three-card-7")})
        == len(lines) - 4
    )
    assert (
        "kings",
        "the Player's first two cards are a pair of K; not when the Banker's first two cards are a pair of J or Q or K",
    ) in lines
    assert not any("{}" in words or "_" in words for _, words in lines)
