"""Files of tables that are refused: ``tests/corpus/tables`` has one per refusal, its message in its first line."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from combinat import load_game
from combinat.base.errors import CombinatError
from combinat.rules.game import Game
from combinat.rules.insurance import Base, Per
from combinat.table import table_file
from combinat.table.table_file import load_table, parsed_table
from combinat.table.table_settlement import table_state
from tests.conftest import Run
from tests.documents import COMMISSION_2013, NONCOMMISSION_2024
from tests.paths import CORPUS
from tests.raises import noting_refusals, refusing

FOLDER = CORPUS / "tables"
GOOD, OLD = FOLDER / "good.toml", FOLDER / "good-2013.toml"
BAD = sorted(set(FOLDER.iterdir()) - {GOOD, OLD})


def game_of(path: Path) -> Game:
    """The game that a file of the corpus is for, by its name."""
    return load_game(COMMISSION_2013 if path.stem.endswith("2013") else NONCOMMISSION_2024)


def refusal(game: Game, path: Path) -> CombinatError:
    with pytest.raises(CombinatError) as refused:
        table_state(game, parsed_table(path.read_bytes(), game))
    return refused.value


def test_the_good_files_are_good() -> None:
    table = load_table(GOOD, game_of(GOOD))
    assert [(one.box, one.name) for one in table.bettors] == [(1, "Ann"), (1, "Bob"), (6, "seated")]
    assert table_state(game_of(GOOD), table).settlement is not None
    load_table(OLD, game_of(OLD))
    assert len(BAD) == 51


@pytest.mark.parametrize("path", BAD, ids=lambda path: path.stem)
def test_a_bad_file_is_refused_in_these_words(path: Path) -> None:
    first_line = path.read_text("utf-8").split("\n", 1)[0]
    assert first_line == f"# {refusal(game_of(path), path)}"


UNREADABLE = {
    b"\xff": "not UTF-8 text (byte 0); save it as UTF-8",
    b"#" * 1_000_001: "larger than 1000000 bytes; give the path of a TOML file of a table",
    b"a = [" * 20_000: "not readable as TOML: line 1: found brackets within brackets; write at most 10 deep",
}


@pytest.mark.parametrize("content", UNREADABLE, ids=["no text", "too large", "too deep"])
def test_a_file_that_cannot_be_read_is_one_message(run: Run, tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "table.toml"
    file.write_bytes(content)
    assert run("table", NONCOMMISSION_2024, str(file)).refusal() == f"{file}: {UNREADABLE[content]}"


def test_insurance_over_a_limit_on_all_players_together_is_refused(tmp_path: Path) -> None:
    """Where the limit is read to be on all players: 6000 and 5000 at 3 to 2 are over 10000."""
    game = game_of(GOOD)
    assert game.insurance_terms is not None
    first, *others = game.insurance_terms.limits
    together = replace(first, per=Per.TABLE, of=Base.TABLE_MAXIMUM)
    terms = replace(game.insurance_terms, limits=(first, together, *others))
    text = GOOD.read_text("utf-8").replace("= 100 } }\nstanding", "= 6000 } }\nstanding")
    insured = '{ player = 5000 }, insurance = { "player@player-third-card" = 5000 } }'
    text = text.replace("{ banker = 200 } }", insured)
    file = tmp_path / "table.toml"
    for limits, words in (
        ("[limits]\nmaximum = 10000\n", "over the limit of 10000"),
        ("[limits]\n", "limits.maximum"),
    ):
        file.write_text(text.replace("[limits]\n", limits), "utf-8")
        table_state(game, load_table(file, game))
        assert words in str(refusal(replace(game, insurance_terms=terms), file))


def test_every_refusal_is_reached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A place that makes a mistake or an error, and that nothing here reaches, is a refusal that nobody has seen."""
    (tmp_path / "a.toml").write_bytes(b"\xff")
    games = {path: game_of(path) for path in (*BAD, GOOD)}
    reached = noting_refusals(monkeypatch)
    for path in BAD:
        refusal(games[path], path)
    for name in ("a.toml", "none.toml"):
        with pytest.raises(CombinatError):
            load_table(tmp_path / name, games[GOOD])
    places = refusing(table_file)
    assert len(places) > 20
    assert places - reached == set()
