"""A rule book to begin with: it loads at once, says what to change, and overwrites nothing."""

import re
from pathlib import Path

import pytest
from msgspec import structs

from combinat import load_game
from combinat.analysis.coverage import coverage
from combinat.render import files
from combinat.rules.bet import Bet
from combinat.rules.book.find import rule_book_paths
from combinat.rules.shoe import Shoe
from tests.cli.test_cli import refused
from tests.conftest import SMALL_BOOK, Run
from tests.documents import COMMISSION_2013


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_new_rule_book_loads_at_once_and_its_comments_hold(run: Run) -> None:
    ran = run("new", "my-game.toml", "--bet", "Lucky Eight", "--bet", 'A "quoted" name')
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == "wrote my-game.toml: 5 bets\nnext: combinat check my-game.toml\n"
    game = load_game(Path("my-game.toml"))
    assert (game.name, game.is_draft) == ("My Game", True)
    assert [bet.id for bet in game.bets] == ["player", "banker", "tie", "lucky-eight", "a-quoted-name"]
    assert [bet.name for bet in game.bets[3:]] == ["Lucky Eight", 'A "quoted" name']
    assert all(bet.cautions == () for bet in coverage(game, Shoe.of_decks(8)).bets)
    text = Path("my-game.toml").read_text("utf-8")
    shown, _, editor = text[text.index("# [[examples]]") :].partition("\n\n")
    assert "#:schema rule-book.json" in editor
    text = f"#:schema rule-book.json\n{text}"
    examples = re.sub(r"^# ?", "", f"{shown}\n", flags=re.MULTILINE)
    Path("my-game.toml").write_text(text + examples.replace("5.0%", "16.7%"), "utf-8")
    assert run("check", "my-game.toml").code == 0


def test_without_a_bet_there_is_one_to_change(run: Run) -> None:
    run("new", "my-game.toml")
    assert [bet.id for bet in load_game(Path("my-game.toml")).bets][3:] == ["side-bet"]


def without_clauses(bet: Bet) -> Bet:
    """A bet whose odds may be others than those that its clauses state."""
    pays = tuple(structs.replace(pay, clause="") for pay in bet.pays)
    return structs.replace(bet, defined="not stated", settled="not stated", pays=pays)


def test_on_another_game_its_bets_are_written_out_to_be_changed(run: Run) -> None:
    run("new", "other.toml", "--from", "comm", "--bet", "tie")
    text = Path("other.toml").read_text("utf-8")
    assert f'base = "{COMMISSION_2013}"' in text
    other, base = load_game(Path("other.toml")), load_game(COMMISSION_2013)
    assert other.bet("tie") == without_clauses(base.bet("tie"))
    assert f"# As in {COMMISSION_2013}, whose clause {base.bet('tie').settled} settles it: change" in text
    assert {bet.id for bet in other.bets} == {bet.id for bet in base.bets}
    Path("other.toml").write_text(text.replace("8 to 1", "9 to 1"), "utf-8")
    assert load_game(Path("other.toml")).bet("tie").pays[0].odds == "9 to 1"
    words = ("--player", "9 K", "--banker", "9 Q", "--stake", "tie=1")
    assert base.bet("tie").settled in run("settle", COMMISSION_2013, *words).out
    assert base.bet("tie").settled not in run("settle", "other.toml", *words).out
    run("new", "third.toml", "--from", "other.toml", "--bet", "Mine")
    assert {bet.id for bet in load_game(Path("third.toml")).bets} == {"mine", *(bet.id for bet in base.bets)}


def test_every_shipped_game_can_be_begun_with(run: Run) -> None:
    for game_id in rule_book_paths():
        bets = [bet.id for bet in load_game(game_id).bets]
        words = [word for bet in bets for word in ("--bet", bet)]
        ran = run("new", f"on-{game_id}.toml", "--from", game_id, *words)
        assert (ran.code, ran.err) == (0, "")
        assert list(load_game(Path(f"on-{game_id}.toml")).bets) == [
            without_clauses(bet) for bet in load_game(game_id).bets
        ]


def test_nothing_is_overwritten_and_a_mistake_writes_nothing(run: Run) -> None:
    Path("mine.toml").write_text("mine", "utf-8")
    assert refused(run, "new", "mine.toml") == (
        "mine.toml: is there already, and is left as it is; choose another name"
    )
    assert Path("mine.toml").read_text("utf-8") == "mine"
    Path("hanging.toml").symlink_to("nowhere.toml")
    assert "is there already" in refused(run, "new", "hanging.toml")
    assert refused(run, "new", "Big.toml") == (
        'FILE: found "Big.toml"; write lower-case words joined by hyphens and .toml, such as big.toml'
    )
    assert refused(run, "new", "x.toml", "--bet", "!") == (
        '--bet: found "!"; write a name of letters, such as "Lucky Eight"'
    )
    assert refused(run, "new", "x.toml", "--bet", "a", "--bet", "A").startswith("nothing was written: ")
    assert refused(run, "new", "x.toml", "--from", str(SMALL_BOOK)).endswith(
        "a base lies beside the file: copy it to ."
    )
    assert "cannot be written" in refused(run, "new", "mine.toml/x.toml")
    assert sorted(path.name for path in Path().iterdir()) == ["hanging.toml", "mine.toml"]


def test_a_file_that_comes_in_between_is_left_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "_clear", lambda place: place.write_text("theirs", "utf-8"))
    with pytest.raises(files.FileError, match="is there already"):
        files.write_new(Path("x.toml"), "ours")
    assert [path.read_text("utf-8") for path in Path().iterdir()] == ["theirs"]
