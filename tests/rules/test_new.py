"""A rule book to begin with: it loads at once, says what to change, and overwrites nothing."""

import re
from pathlib import Path

import pytest
from msgspec import structs

from combinat import load_game
from combinat.analysis.coverage import coverage
from combinat.base import files
from combinat.base.errors import FileError
from combinat.rules.bet import Bet
from combinat.rules.shoe import Shoe
from tests.conftest import SMALL_BOOK, Run
from tests.documents import COMMISSION_2013, NONCOMMISSION_2025

pytestmark = pytest.mark.usefixtures("here")


def test_a_new_rule_book_loads_at_once_and_its_comments_hold(run: Run) -> None:
    """The examples that it shows in comments hold once they are taken in, with the right figure."""
    run("new", "my-game.toml", "--bet", "Lucky Eight", "--bet", 'A "quoted" name').output()
    path = Path("my-game.toml")
    game, text = load_game(path), path.read_text("utf-8")
    assert (game.name, game.is_draft) == ("My Game", True)
    bets = {bet.id: bet.name for bet in game.bets[3:]}
    assert bets == {"lucky-eight": "Lucky Eight", "a-quoted-name": 'A "quoted" name'}
    assert all(bet.cautions == () for bet in coverage(game, Shoe.of_decks(8)).bets)
    shown, _, editor = text[text.index("# [[examples]]") :].partition("\n\n")
    assert "#:schema rule-book.json" in editor
    examples = re.sub(r"^# ?", "", f"{shown}\n", flags=re.MULTILINE).replace("5.0%", "16.7%")
    path.write_text(f"#:schema rule-book.json\n{text}{examples}", "utf-8")
    assert run("check", "my-game.toml").code == 0
    run("new", "plain.toml").output()
    assert [bet.id for bet in load_game(Path("plain.toml")).bets] == ["player", "banker", "tie", "side-bet"]


def without_clauses(bet: Bet) -> Bet:
    """A bet whose odds may differ from those that its clauses state."""
    pays = tuple(structs.replace(pay, clause="") for pay in bet.pays)
    return structs.replace(bet, defined="not stated", settled="not stated", pays=pays)


@pytest.mark.parametrize(
    "game_id", [COMMISSION_2013, NONCOMMISSION_2025]
)  # with insurance, and every kind of bet
def test_bets_of_another_game_are_written_out_to_be_changed(run: Run, game_id: str) -> None:
    base = load_game(game_id)
    words = [word for bet in base.bets for word in ("--bet", bet.id)]
    run("new", "other.toml", "--from", game_id, *words).output()
    text = Path("other.toml").read_text("utf-8")
    assert f'base = "{game_id}"' in text
    assert f"# As in {game_id}, whose clause {base.bet('tie').settled} settles it: change" in text
    assert list(load_game(Path("other.toml")).bets) == [without_clauses(bet) for bet in base.bets]
    run("new", "third.toml", "--from", "other.toml", "--bet", "Mine").output()
    assert {bet.id for bet in load_game(Path("third.toml")).bets} == {"mine", *(bet.id for bet in base.bets)}


def test_nothing_is_overwritten_and_a_mistake_writes_nothing(run: Run) -> None:
    Path("mine.toml").write_text("mine", "utf-8")
    Path("hanging.toml").symlink_to("nowhere.toml")
    for words in (["mine.toml"], ["hanging.toml"], ["x.toml", "--from", str(SMALL_BOOK)]):
        run("new", *words).refusal()
    assert Path("mine.toml").read_text("utf-8") == "mine"
    assert sorted(path.name for path in Path().iterdir()) == ["hanging.toml", "mine.toml"]


def test_a_file_that_appears_in_between_is_left_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    def appears(place: Path) -> list[Path]:
        place.write_text("theirs", "utf-8")
        return []

    monkeypatch.setattr(files, "leftovers", appears)
    with pytest.raises(FileError, match="exists already and is not changed"):
        files.write_new(Path("x.toml"), "ours")
    assert [path.read_text("utf-8") for path in Path().iterdir()] == ["theirs"]
