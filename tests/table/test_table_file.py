"""Files of tables that are refused: each with one message that says what, where, what was found, what to write."""

from pathlib import Path

import pytest

from combinat import load_game
from combinat.errors import CombinatError
from combinat.rules import table_file, table_settlement
from combinat.rules.game import Game
from combinat.rules.insurance import Base, Per
from combinat.rules.table_file import load_table, parsed_table
from combinat.rules.table_settlement import table_state
from tests.conftest import Run
from tests.documents import COMMISSION_2013, NONCOMMISSION_2024
from tests.rules.test_rule_book_corpus import origins, raises_of

GOOD = """\
schema = 1
layout = "A"
closed = true

[limits]
minimum = 100
maximum_differential = 10000
bets = { tie = { minimum = 10, maximum = 500 } }

[chips]
smallest = 5
round = "down"

[[boxes]]
number = 1
seated = { name = "Ann", stakes = { player = 8000, tie = "20.00" }, insurance = { "player@player-third-card" = 100 } }
standing = [{ name = "Bob", stakes = { banker = 200 } }]

[[boxes]]
number = 6
seated = { stakes = { banker = 300 } }

[cards]
player = "2 3 Q"
banker = "A 2 3"
"""
OLD = """\
schema = 1
layout = "G"
[[boxes]]
number = 1
seated = { stakes = { banker = 300 } }
"""

OFFERED = "player, banker, tie, player-pair, banker-pair, big-tiger, small-tiger, big-buffalo, small-buffalo, player-char-siu, banker-char-siu"  # fmt: skip

# what is changed in the good file, into what, and the message
BAD: dict[str, tuple[str, str, str]] = {
    "no TOML": ("schema = 1", "schema = ", "not readable as TOML: Invalid value (at line 1, column 10)"),
    "hidden character": ('"Bob"', '"B\u200bob"', "boxes[0].standing[0].name: found U+200B, which does not show in a text of one line; take it out"),
    "unknown key": ("closed = true", "close = true", "unknown key close; did you mean closed? The keys here are schema, layout, closed, limits, chips, boxes, cards"),
    "unknown key far from all": ("closed = true", "colour = 1", "unknown key colour. The keys here are schema, layout, closed, limits, chips, boxes, cards"),
    "no schema": ("schema = 1\n", "", "the key schema is missing; write it"),
    "another schema": ("schema = 1", "schema = 2", "schema: found 2; write 1, the schema that this combinat reads"),
    "a layout that is none": ('"A"', '"Z"', f'layout: {NONCOMMISSION_2024} has no layout "Z". It has: A, B, C, D, E, F, G, H, I, J, K'),
    "a layout that is a number": ('layout = "A"', "layout = 1", "layout: found 1; write text in quotes"),
    "closed is no truth": ("closed = true", 'closed = "yes"', 'closed: found "yes"; write true or false'),
    "cards before the close": ("closed = true", "closed = false", "closed: found false, but there are cards; no card is dealt before the bets are closed"),
    "no limits": ('[limits]\nminimum = 100\nmaximum_differential = 10000\nbets = { tie = { minimum = 10, maximum = 500 } }\n', "", "the table [limits] is missing: the minimum and the maximum Differential are displayed (3.4); write minimum and maximum_differential"),
    "limits without a minimum": ("minimum = 100\n", "", "limits: the key minimum is missing; write it"),
    "limits the wrong way round": ("maximum_differential = 10000", "maximum_differential = 50", "limits.maximum_differential: found 50, less than the minimum of 100; write a larger amount"),
    "limits of no bets": ("bets = { tie = { minimum = 10, maximum = 500 } }", "bets = 5", "limits.bets: found 5; write a table such as { tie = { minimum = 10, maximum = 500 } }"),
    "limits of a bet that is none": ("{ tie = { minimum", "{ tiger = { minimum", f'limits.bets: {NONCOMMISSION_2024} has no bet "tiger"; did you mean tie? It has: {OFFERED.replace("small-buffalo", "small-buffalo, tiger-buffalo, wu-dalang")}'),
    "limits of a bet that say nothing": ("{ minimum = 10, maximum = 500 }", "{}", "limits.bets.tie: found no limit; write minimum, maximum or both"),
    "limits of a bet the wrong way round": ("minimum = 10, maximum = 500", "minimum = 10, maximum = 5", "limits.bets.tie: the maximum is less than the minimum; write the larger as maximum"),
    "chips of nothing": ("smallest = 5", "smallest = 0", "chips.smallest: found 0; write an amount of more than 0, or leave it out"),
    "chips rounded as one likes": ('"down"', '"nicely"', 'chips.round: found "nicely"; write one of down, up, half-even'),
    "no boxes": (GOOD[GOOD.index("[[boxes]]") : GOOD.index("[cards]")], "", "boxes: found none; write at least one [[boxes]] with a seated player"),
    "a box that is not there": ("number = 6", "number = 7", "boxes[1].number: found 7; write a box of layout A, from 1 to 6 (2.1.1, Appendix A)"),
    "a box twice": ("number = 6", "number = 1", "boxes[1].number: found 1 again; write each box once"),
    "a box without a number": ("number = 6\n", "", "boxes[1]: the key number is missing; write it"),
    "a box without a seated player": ('seated = { name = "Ann", stakes = { player = 8000, tie = "20.00" }, insurance = { "player@player-third-card" = 100 } }\n', "", "boxes[0]: the box has no seated player (1.23, 1.26); write seated = { stakes = ... }"),
    "a seated player who is a name": ("seated = { stakes = { banker = 300 } }", 'seated = "Cid"', 'boxes[1].seated: found "Cid"; write a table with the keys stakes, name, insurance'),
    "standing players who are a number": ('standing = [{ name = "Bob", stakes = { banker = 200 } }]', "standing = 2", "boxes[0].standing: found 2; write a list of tables, each with its stakes"),
    "a name twice": ('"Bob"', '"Ann"', 'boxes[0].standing[0].name: found "Ann" again in this box; give each player another name'),
    "no stakes": ("{ stakes = { banker = 300 } }", "{ stakes = {} }", "boxes[1].seated.stakes: found none; a player is someone who has placed a bet"),
    "stakes that are a number": ("{ stakes = { banker = 300 } }", "{ stakes = 300 }", "boxes[1].seated.stakes: found 300; write a table such as { banker = 100 }"),
    "a bet that the layout lacks": ("{ banker = 300 }", "{ wu-dalang = 300 }", f"boxes[1].seated.stakes.wu-dalang: layout A does not offer Wu Dalang (4.1.6); it offers {OFFERED}"),
    "a negative amount": ("{ banker = 300 }", "{ banker = -300 }", 'boxes[1].seated.stakes.banker: amount: found "-300"; write digits with at most one point, such as 100 or 12.50 (15 digits and 9 decimals at most)'),
    "an amount of nothing": ("{ banker = 300 }", "{ banker = 0 }", "boxes[1].seated.stakes.banker: found 0; write an amount of more than 0, or leave it out"),
    "an amount in words": ("{ banker = 300 }", '{ banker = "much" }', 'boxes[1].seated.stakes.banker: amount: found "much"; write digits with at most one point, such as 100 or 12.50 (15 digits and 9 decimals at most)'),
    "an amount that is a float": ("{ banker = 300 }", "{ banker = 12.5 }", 'boxes[1].seated.stakes.banker: found 12.5; write an amount: a whole number such as 100, or a decimal in quotes such as "12.50"'),
    "an amount that is a truth": ("{ banker = 300 }", "{ banker = true }", 'boxes[1].seated.stakes.banker: found true; write an amount: a whole number such as 100, or a decimal in quotes such as "12.50"'),
    "an amount that no chips make": ("{ banker = 300 }", "{ banker = 302 }", "boxes[1].seated.stakes.banker: found 302, which no chips of 5 make; write a multiple, or a smaller chip"),
    "insurance of nothing known": ("player@player-third-card", "player@dawn", 'boxes[0].seated.insurance: found "player@dawn"; write player or banker, then @four-cards or @player-third-card, such as "player@four-cards" = 50'),
    "insurance before the cards": ('[cards]\nplayer = "2 3 Q"\nbanker = "A 2 3"\n', "", "boxes[0].seated.insurance: insurance is taken when cards are on the table; write [cards], or leave it out"),
    "insurance that was not open": ("player@player-third-card", "player@four-cards", "box 1, Ann: player@four-cards: not on offer with Player 5, Banker 3: the table does not list these totals (4.1.8)"),
    "cards against the Table of Play": ('"A 2 3"', '"A 2"', "cards: Banker Hand: a third card is missing: Banker has 3 and the Player's third card is worth 0, so it draws (3.15)"),
    "a card that does not exist": ('"A 2 3"', '"A 2 X"', 'cards: card "X" does not exist; write one of A 2 3 4 5 6 7 8 9 10 J Q K'),
    "cards of one hand": ('banker = "A 2 3"\n', "", "cards: the key banker is missing; write it"),
}  # fmt: skip
TOO_MANY = GOOD.replace(
    "[cards]", "".join(f"[[boxes]]\nnumber = {at}\nseated = {{ stakes = {{ tie = 20 }} }}\n" for at in (2, 3, 4, 5, 2)) + "[cards]"
)  # fmt: skip
STANDING = "standing = [" + ", ".join(["{ name = 'NAME', stakes = { tie = 20 } }"] * 99) + "]\n"
CROWD = GOOD[: GOOD.index("[[boxes]]")] + "".join(
    f"[[boxes]]\nnumber = {at}\nseated = {{ stakes = {{ tie = 20 }} }}\n{STANDING}" for at in range(1, 7)
)  # fmt: skip
for number in range(6 * 99):
    CROWD = CROWD.replace("NAME", f"p{number}", 1)
WHOLE: dict[str, tuple[str, str, str]] = {
    "too many boxes": (NONCOMMISSION_2024, TOO_MANY, "boxes: found 7; layout A has 1 to 6 (2.1.1, Appendix A)"),
    "limits in 2013": (COMMISSION_2013, OLD + "[limits]\nminimum = 100\n", f"limits: {COMMISSION_2013} says nothing of a minimum, a Differential or other limits of a table; leave [limits] out"),
    "standing players in 2013": (COMMISSION_2013, OLD + "standing = [{ stakes = { tie = 5 } }]\n", f"boxes[0].standing: {COMMISSION_2013} knows no standing players; leave it out"),
    "no seated player in 2013": (COMMISSION_2013, OLD.replace("seated = { stakes = { banker = 300 } }\n", ""), "boxes[0]: the box has no seated player; write seated = { stakes = ... }"),
    "a Tiger bet in 2013": (COMMISSION_2013, OLD.replace("banker = 300", "tiger = 300"), f'boxes[0].seated.stakes: {COMMISSION_2013} has no bet "tiger"; did you mean tie? It has: player, banker, tie, player-pair, banker-pair'),
    "no table at all": (NONCOMMISSION_2024, "boxes = 1", "the key schema is missing; write it"),
    "very many players": (NONCOMMISSION_2024, CROWD, "boxes[5]: found more than 500 players at the table; write fewer"),
    "101 boxes": (NONCOMMISSION_2024, "schema = 1\nboxes = [" + "1," * 101 + "]", "boxes: found 101 entries; write at most 100"),
}  # fmt: skip

GAMES = {game: load_game(game) for game in (COMMISSION_2013, NONCOMMISSION_2024)}


def refusal(game: Game, text: str) -> CombinatError:
    with pytest.raises(CombinatError) as refused:
        table_state(game, parsed_table(text, game))
    return refused.value


def test_the_good_file_is_good() -> None:
    table = parsed_table(GOOD, GAMES[NONCOMMISSION_2024])
    assert [(one.box, one.name) for one in table.bettors] == [(1, "Ann"), (1, "Bob"), (6, "seated")]
    assert table_state(GAMES[NONCOMMISSION_2024], table).settlement is not None
    parsed_table(OLD, GAMES[COMMISSION_2013])


@pytest.mark.parametrize(("old", "new", "message"), BAD.values(), ids=BAD.keys())
def test_a_bad_file_is_refused_in_these_words(old: str, new: str, message: str) -> None:
    assert GOOD.count(old) == 1
    assert str(refusal(GAMES[NONCOMMISSION_2024], GOOD.replace(old, new))) == message


@pytest.mark.parametrize(("game", "text", "message"), WHOLE.values(), ids=WHOLE.keys())
def test_a_file_for_this_game_is_refused_in_these_words(game: str, text: str, message: str) -> None:
    assert str(refusal(GAMES[game], text)) == message


def test_insurance_over_a_limit_on_all_players_together_is_refused() -> None:
    """Where the limit is read to be on all players: 6000 and 5000 at 3 to 2 are over 10000."""
    import msgspec

    game = GAMES[NONCOMMISSION_2024]
    assert game.insurance_terms is not None
    first, *others = game.insurance_terms.limits
    together = msgspec.structs.replace(first, per=Per.TABLE, of=Base.TABLE_MAXIMUM)
    terms = msgspec.structs.replace(game.insurance_terms, limits=(first, together, *others))
    text = (
        GOOD.replace("= 100 } }\nstanding", "= 6000 } }\nstanding")
        .replace(
            "{ banker = 200 } }", '{ player = 5000 }, insurance = { "player@player-third-card" = 5000 } }'
        )
        .replace("[limits]\n", "[limits]\nmaximum = 10000\n")
    )
    table_state(game, parsed_table(text, game))
    error = refusal(msgspec.structs.replace(game, insurance_terms=terms), text)
    assert "box 1, Ann: player@player-third-card: with the other players'" in str(error)
    assert "over the limit of 10000" in str(error)
    unknown = refusal(
        msgspec.structs.replace(game, insurance_terms=terms), text.replace("maximum = 10000\n", "", 1)
    )
    assert str(unknown).endswith("(write limits.maximum)")


def test_every_raise_is_reached(tmp_path: Path) -> None:
    """A ``raise`` that nothing here reaches is a refusal that nobody has seen."""
    reached: set[tuple[str, int]] = set()
    game = GAMES[NONCOMMISSION_2024]
    for old, new, _ in BAD.values():
        reached.update(origins(refusal(game, GOOD.replace(old, new))))
    for own, text, _ in WHOLE.values():
        reached.update(origins(refusal(GAMES[own], text)))
    for content in (b"\xff", b"schema = 1"):
        (tmp_path / "table.toml").write_bytes(content)
        with pytest.raises(CombinatError) as refused:
            load_table(tmp_path / "table.toml", game)
        reached.update(origins(refused.value))
    with pytest.raises(CombinatError) as refused:
        load_table(tmp_path / "none.toml", game)
    reached.update(origins(refused.value))
    assert raises_of(table_file) - reached == set()
    assert len(raises_of(table_settlement)) == 3  # all are above


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\xff", "not UTF-8 text (byte 0); save it as UTF-8"),
        (b"#" * 1_000_001, "larger than 1000000 bytes; give the path of a TOML file of a table"),
        (
            b"a = [" * 20_000,
            "not readable as TOML: line 1: found brackets within brackets; write at most 10 deep",
        ),
    ],
    ids=["no text", "too large", "too deep"],
)
def test_a_file_that_cannot_be_read_is_one_message(
    run: Run, tmp_path: Path, content: bytes, message: str
) -> None:
    file = tmp_path / "table.toml"
    file.write_bytes(content)
    ran = run("table", NONCOMMISSION_2024, str(file))
    assert (ran.code, ran.out, ran.err) == (2, "", f"combinat: {file}: {message}\n")


def test_a_file_that_is_none_is_one_message(run: Run, tmp_path: Path) -> None:
    ran = run("table", NONCOMMISSION_2024, str(tmp_path))
    assert (ran.code, ran.out) == (2, "")
    assert (
        ran.err
        == f"combinat: {tmp_path}: cannot be read (Is a directory); give the path of a TOML file of a table\n"
    )


def test_names_are_data_in_every_format(run: Run, tmp_path: Path) -> None:
    """A name that is markup, a formula or an escape in one of the formats is shown as it is."""
    file = tmp_path / "table.toml"
    file.write_text(GOOD.replace('"Ann"', '"=1+1|\\\\textbf{x}<b>*y*"'), "utf-8")
    shown = {
        form: run("table", NONCOMMISSION_2024, str(file), "-f", form).out
        for form in ("csv", "latex", "markdown")
    }
    assert "\n1,=1+1" not in shown["csv"]
    assert "\\textbf{x}" not in shown["latex"]
    assert "<b>*y*" not in shown["markdown"]
