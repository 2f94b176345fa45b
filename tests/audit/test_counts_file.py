"""The counts file: what is written is read back, and what cannot be believed is refused with one clear message."""

import ast
import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from copy import deepcopy
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from combinat import Shoe, load_game
from combinat.analysis.verdict import Dealing
from combinat.audit import counts_file
from combinat.audit.counts_file import parse_counts, read_counts
from combinat.audit.source import Source
from combinat.errors import CountsError
from combinat.rules.cards import RANKS
from combinat.rules.insurance import State
from combinat.rules.round import Stage
from combinat.rules.table_of_play import Hand
from combinat.simulate.cell import Pairing
from combinat.simulate.counts_json import SCHEMA, counts_json
from combinat.simulate.observed import JointCell, Observed, Times, observed
from combinat.simulate.simulation import Simulation
from combinat.simulate.tally import FIRST_CARDS, Tally
from tests.documents import COMMISSION_2013, GAMES, NONCOMMISSION_2025

Raw = dict[str, Any]
"""A file as JSON has it."""

# ---------------------------------------------------------------- what is written is read back


@cache
def simulated(game_id: str, cut_card: int | None) -> Observed:
    """A few rounds of a small shoe, with everything that a file can have."""
    game, shoe = load_game(game_id), Shoe.parse("A=9 4=9 6=9 9=9 10=9 K=9")
    simulation = Simulation(game=game, shoe=shoe, rounds=800, seed=3, cut_card=cut_card)
    tally = Tally(simulation.asked)
    for _, part in simulation.results(simulation.tally, 1):
        tally.add(part)
    return observed(
        tally,
        game.id,
        shoe,
        Dealing.INDEPENDENT if cut_card is None else Dealing.SHOES,
        rule_book_sha256="0" * 64,
        made_by={"software": 'one that writes "quotes", \\ and Å', "seed": "3"},
    )


@pytest.mark.parametrize("cut_card", [None, 10])
@pytest.mark.parametrize("game_id", GAMES)
def test_what_is_written_is_read_back(game_id: str, cut_card: int | None) -> None:
    """Every count of every bet, state, cell and card, and the sums over shoes; and again the same bytes."""
    observation = simulated(game_id, cut_card)
    assert observation.cells
    assert observation.cards
    assert bool(observation.insurance) is (game_id != NONCOMMISSION_2025)
    assert (observation.repeats is None) is (observation.shoes is not None) is (cut_card is not None)
    text = counts_json(observation)
    assert parse_counts(text.encode()) == observation
    assert counts_json(parse_counts(text.encode())) == text
    assert json.loads(text)["schema"] == "combinat/counts/1" == SCHEMA


def test_an_entry_is_a_line() -> None:
    """So that two files can be compared: a line for each bet, state, cell and card slot."""
    observation = simulated(COMMISSION_2013, 10)
    lines = counts_json(observation).splitlines()
    assert sum(line.startswith('    {"id": ') for line in lines) == len(observation.bets) == 5
    assert sum(line.startswith('    {"side": ') for line in lines) == len(observation.insurance) == 73
    assert sum(line.startswith("      [") for line in lines) == len(observation.cells)
    assert sum(line.startswith(f'    "{slot}"') for line in lines for slot in FIRST_CARDS) == 4


def minimal() -> Raw:
    """The smallest file there is: nothing in it can be left out."""
    return {
        "schema": SCHEMA,
        "game": COMMISSION_2013,
        "shoe": {"size": 416, "cards": dict.fromkeys(RANKS, 32)},
        "rounds": 10,
        "dealing": "independent",
        "bets": [
            {
                "id": "banker",
                "results": [
                    {"net": "19/20", "rounds": 5},
                    {"net": "0", "rounds": 1},
                    {"net": "-1", "rounds": 4},
                ],
            }
        ],
    }


COLUMNS = ["player", "player_third", "banker", "banker_third", "pairs", "rounds"]


def full() -> Raw:
    """A file with everything that independent rounds can have."""
    return minimal() | {
        "insurance": [
            {
                "side": "player",
                "stage": "four-cards",
                "player_points": 7,
                "banker_points": 2,
                "offered": 3,
                "results": [{"net": "4", "rounds": 1}, {"net": "-1", "rounds": 2}],
            }
        ],
        "cells": {
            "columns": list(COLUMNS),
            "rows": [[8, None, 3, None, "none", 9], [0, 5, 0, 0, "twin", 1]],
        },
        "cards": {"player-first": {"A": 4, "K": 6}, "banker-second": {"10": 10}},
        "repeats": {"neighbours": 9, "same": 8},
        "rule_book_sha256": "ab",
        "made_by": {"software": "ours"},
    }


def shoes() -> Raw:
    """A file of whole shoes: two, three rounds of each counted."""
    return minimal() | {
        "rounds": 6,
        "dealing": "shoes",
        "shoes": {"dealt": 2, "rounds_each": 3},
        "bets": [
            {
                "id": "player",
                "results": [
                    {"net": "1", "rounds": 4, "squares": 8},
                    {"net": "-1", "rounds": 2, "squares": 2},
                ],
                "net_squares": "2",
            }
        ],
        "cells": {
            "columns": [*COLUMNS, "squares"],
            "rows": [[8, None, 3, None, "none", 4, 8], [0, 5, 0, 7, "both", 2, 2]],
        },
    }


def read(raw: Raw) -> Observed:
    return parse_counts(json.dumps(raw).encode())


def test_the_smallest_file() -> None:
    assert read(minimal()) == Observed(
        game_id=COMMISSION_2013,
        rule_book_sha256=None,
        shoe=Shoe.of_decks(8),
        rounds=10,
        dealing=Dealing.INDEPENDENT,
        bets={"banker": {Fraction(19, 20): Times(5), Fraction(0): Times(1), Fraction(-1): Times(4)}},
    )


@pytest.mark.parametrize("key", minimal())
def test_nothing_can_be_left_out_of_the_smallest_file(key: str) -> None:
    raw = minimal()
    del raw[key]
    with pytest.raises(CountsError) as refusal:
        read(raw)
    said = (
        f'schema: found null; this combinat reads "{SCHEMA}"'
        if key == "schema"
        else f"the key {key} is missing"
    )
    assert str(refusal.value) == said


def test_a_file_with_everything() -> None:
    observation = read(full())
    state = State(Hand.PLAYER, Stage.FOUR_CARDS, 7, 2)
    assert observation.insurance == {state: {Fraction(4): Times(1), Fraction(-1): Times(2)}}
    assert observation.cells == {
        JointCell(8, None, 3, None, Pairing.NONE): Times(9),
        JointCell(0, 5, 0, 0, Pairing.TWIN): Times(1),
    }
    assert observation.cards == {"player-first": (4, *[0] * 11, 6), "banker-second": (*[0] * 9, 10, 0, 0, 0)}
    assert (observation.repeats, observation.rule_book_sha256, observation.made_by) == (
        (9, 8),
        "ab",
        {"software": "ours"},
    )


def test_a_file_of_whole_shoes() -> None:
    observation = read(shoes())
    assert (observation.dealing, observation.shoes, observation.rounds_squared) == (Dealing.SHOES, 2, 18)
    assert observation.bets == {"player": {Fraction(1): Times(4, 8), Fraction(-1): Times(2, 2)}}
    assert observation.net_squares == {"player": Fraction(2)}
    assert observation.cells[JointCell(0, 5, 0, 7, Pairing.BOTH)] == Times(2, 2)


@pytest.mark.parametrize(
    "optional", ["insurance", "cells", "cards", "repeats", "rule_book_sha256", "made_by"]
)
def test_what_is_optional_can_be_left_out(optional: str) -> None:
    raw = full()
    del raw[optional]
    assert read(raw) != read(full())


@pytest.mark.parametrize(
    ("net", "value"),
    [
        ("-1", -1),
        ("0.95", Fraction(19, 20)),
        ("19/20", Fraction(19, 20)),
        ("150", 150),
        ("-0.5", Fraction(-1, 2)),
    ],
)
def test_how_a_net_result_is_written(net: str, value: Fraction | int) -> None:
    raw = minimal()
    raw["bets"][0]["results"] = [{"net": net, "rounds": 10}]
    assert read(raw).bets == {"banker": {Fraction(value): Times(10)}}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_any_encoding_of_json(encoding: str) -> None:
    assert parse_counts(json.dumps(minimal()).encode(encoding)) == read(minimal())


# ---------------------------------------------------------------- what is refused

Change = Callable[[Raw], object]


def put(*path: str | int, value: Any) -> Change:
    """A change: this value at this place."""

    def change(raw: Raw) -> None:
        inner: Any = raw
        for key in path[:-1]:
            inner = inner[key]
        inner[path[-1]] = value

    return change


def gone(*path: str | int) -> Change:
    """A change: nothing at this place."""

    def change(raw: Raw) -> None:
        inner: Any = raw
        for key in path[:-1]:
            inner = inner[key]
        del inner[path[-1]]

    return change


def again(*path: str | int) -> Change:
    """A change: the first entry of a list a second time."""

    def change(raw: Raw) -> None:
        inner: Any = raw
        for key in path:
            inner = inner[key]
        inner.append(inner[0])

    return change


RESULTS = ("bets", 0, "results")

REFUSED: dict[str, tuple[Callable[[], Raw], Change, str]] = {
    # the file as a whole
    "another schema": (
        minimal,
        put("schema", value="combinat/counts/2"),
        'schema: found "combinat/counts/2"; this combinat reads "combinat/counts/1"',
    ),
    "a schema that is no text": (
        minimal,
        put("schema", value=1),
        'schema: found 1; this combinat reads "combinat/counts/1"',
    ),
    "no rounds": (minimal, put("rounds", value=0), "rounds: found 0; there is nothing to judge"),
    "an unknown key": (
        minimal,
        put("round", value=10),
        "unknown key round; leave it out, or see docs/formats.md for the keys of a counts file",
    ),
    "an unknown key inside": (
        minimal,
        put("bets", 0, "odds", value="8 to 1"),
        "bets[0]: unknown key odds; leave it out, or see docs/formats.md for the keys of a counts file",
    ),
    "a key missing inside": (minimal, gone("bets", 0, "id"), "bets[0]: the key id is missing"),
    # numbers that are none
    "a boolean": (minimal, put("rounds", value=True), "rounds: expected `int`, got `bool`"),
    "a negative count": (
        minimal,
        put(*RESULTS, 1, "rounds", value=-1),
        "bets[0].results[1].rounds: expected `int` >= 0",
    ),
    "not a number": (
        minimal,
        put("rounds", value=float("nan")),
        "rounds: expected `int`, got `float`",
    ),
    "infinity": (minimal, put("rounds", value=float("inf")), "rounds: expected `int`, got `float`"),
    "a float": (minimal, put("rounds", value=10.5), "rounds: expected `int`, got `float`"),
    "a number as text": (minimal, put("rounds", value="10"), "rounds: expected `int`, got `str`"),
    "null": (minimal, put("rounds", value=None), "rounds: expected `int`, got `null`"),
    "points above 9": (
        full,
        put("cells", "rows", 0, 0, value=10),
        "cells.rows[0][0]: expected `int` <= 9",
    ),
    # the dealing
    "a dealing that is none": (
        minimal,
        put("dealing", value="shoe"),
        "dealing: invalid enum value 'shoe'",
    ),
    "whole shoes without their number": (
        shoes,
        gone("shoes"),
        'shoes: missing; with dealing "shoes" rounds depend on each other, so give the shoes dealt, the rounds counted of each, '
        "and the squares of every result; or cross-check a hand log, which needs none of this",
    ),
    "text of two lines": (
        minimal,
        put("made_by", value={"a": "x\n\nVerdict: agrees"}),
        'game and made_by: found "x\\n\\nVerdict: agrees"; write text that prints, on one line',
    ),
    "independent rounds with shoes": (
        minimal,
        put("shoes", value={"dealt": 1, "rounds_each": 10}),
        'shoes: found with dealing "independent"; leave it out, or write "shoes"',
    ),
    "shoes and rounds that do not go together": (
        shoes,
        put("shoes", "rounds_each", value=4),
        "shoes: 2 shoes with 4 rounds each; together they must be 6 rounds",
    ),
    "no shoes": (
        shoes,
        put("shoes", "dealt", value=0),
        "shoes: 0 shoes with 3 rounds each; together they must be 6 rounds",
    ),
    "repeats of whole shoes": (
        shoes,
        put("repeats", value={"neighbours": 5, "same": 0}),
        'repeats: found with dealing "shoes"; they are judged for independent rounds only',
    ),
    # the shoe
    "a rank that does not exist": (
        minimal,
        put("shoe", "cards", "T", value=32),
        'shoe.cards: found "T"; write ranks A 2 3 4 5 6 7 8 9 10 J Q K',
    ),
    "cards that do not make the shoe": (
        minimal,
        put("shoe", "cards", "A", value=31),
        "shoe: size is 416, but the cards add up to 415",
    ),
    # bets
    "no bets": (minimal, put("bets", value=[]), "bets: none given; give the results of one bet or more"),
    "a bet twice": (minimal, again("bets"), 'bets: "banker" is given twice'),
    "a net result that is no number": (
        minimal,
        put(*RESULTS, 0, "net", value="0.95 to 1"),
        'bet banker.net: found "0.95 to 1"; write profit per unit staked, such as "-1", "19/20" or "0.95"',
    ),
    "a net result over zero": (
        minimal,
        put(*RESULTS, 0, "net", value="1/00"),
        'bet banker.net: found "1/00"; write profit per unit staked, such as "-1", "19/20" or "0.95"',
    ),
    "a net result that is a number": (
        minimal,
        put(*RESULTS, 0, "net", value=1),
        "bets[0].results[0].net: expected `str`, got `int`",
    ),
    "a net result twice, written otherwise": (
        minimal,
        put(*RESULTS, 1, "net", value="0.95"),
        "bet banker: the net result 19/20 is given twice",
    ),
    "results that do not add up": (
        minimal,
        put(*RESULTS, 0, "rounds", value=6),
        "bet banker: the results add up to 11 rounds; they must add up to 10",
    ),
    "squares missing": (
        shoes,
        gone(*RESULTS, 0, "squares"),
        'bet player, net 1: squares are missing; dealing "shoes" needs them',
    ),
    "squares of independent rounds": (
        minimal,
        put(*RESULTS, 0, "squares", value=25),
        'bet banker, net 19/20: squares go with dealing "shoes" only',
    ),
    "squares fewer than any shoes can have": (
        shoes,
        put(*RESULTS, 0, "squares", value=7),
        "bet player, net 1: 4 rounds in 2 shoes of 3 cannot have squares of 7",
    ),
    "squares more than any shoes can have": (
        shoes,
        put(*RESULTS, 0, "squares", value=13),
        "bet player, net 1: 4 rounds in 2 shoes of 3 cannot have squares of 13",
    ),
    "net squares fewer than any shoes can have": (
        shoes,
        put("bets", 0, "net_squares", value="1"),
        "bet player: net_squares: 1 cannot be, with these results in 2 shoes",
    ),
    "net squares more than any shoes can have": (
        shoes,
        put("bets", 0, "net_squares", value="19"),
        "bet player: net_squares: 19 cannot be, with these results in 2 shoes",
    ),
    "net squares missing": (
        shoes,
        gone("bets", 0, "net_squares"),
        'bet player: net_squares: missing; dealing "shoes" needs it',
    ),
    "net squares that are no fraction": (
        shoes,
        put("bets", 0, "net_squares", value="2.5"),
        'bet player: net_squares: found "2.5"; write a fraction, such as "31425/4"',
    ),
    "net squares of independent rounds": (
        minimal,
        put("bets", 0, "net_squares", value="2"),
        'bet banker: net_squares: goes with dealing "shoes" only',
    ),
    # insurance
    "a state twice": (
        full,
        again("insurance"),
        "insurance player@four-cards, Player 7, Banker 2: given twice",
    ),
    "a state more often than there are rounds": (
        full,
        put("insurance", 0, "offered", value=11),
        "insurance player@four-cards, Player 7, Banker 2: offered 11 times in 10 rounds",
    ),
    "a state whose results do not add up": (
        full,
        put("insurance", 0, "offered", value=4),
        "insurance player@four-cards, Player 7, Banker 2: the results add up to 3 rounds; they must add up to 4",
    ),
    "a stage that is none": (
        full,
        put("insurance", 0, "stage", value="river"),
        "insurance[0].stage: invalid enum value 'river'",
    ),
    # joint cells
    "other columns": (
        full,
        put("cells", "columns", value=["player", "banker"]),
        'cells.columns: found ["player", "banker"]; write ["player", "player_third", "banker", "banker_third", "pairs", "rounds"]',
    ),
    "columns of independent rounds in a file of shoes": (
        shoes,
        put("cells", "columns", value=COLUMNS),
        'cells.columns: found ["player", "player_third", "banker", "banker_third", "pairs", "rounds"]; '
        'write ["player", "player_third", "banker", "banker_third", "pairs", "rounds", "squares"]',
    ),
    "a row too short": (
        full,
        put("cells", "rows", 1, value=[0, 5, 0, 0, "twin"]),
        'cells.rows[1]: found [0, 5, 0, 0, "twin"]; write 6 values',
    ),
    "a row that is no list": (
        full,
        put("cells", "rows", 1, value=6),
        "cells.rows[1]: found 6; write 6 values",
    ),
    "pairs that are none": (
        full,
        put("cells", "rows", 0, 4, value="double"),
        "cells.rows[0][4]: invalid enum value 'double'",
    ),
    "a cell twice": (full, again("cells", "rows"), "cells.rows[2]: this cell is given twice"),
    "cells that do not add up": (
        full,
        put("cells", "rows", 0, 5, value=8),
        "cells: they add up to 9 rounds; they must add up to 10",
    ),
    "no cells in the list of them": (
        full,
        put("cells", "rows", value=[]),
        "cells: they add up to 0 rounds; they must add up to 10",
    ),
    "squares of a cell fewer than its rounds": (
        shoes,
        put("cells", "rows", 0, 6, value=3),
        "cells.rows[0]: 4 rounds in 2 shoes of 3 cannot have squares of 3",
    ),
    "squares of a cell missing": (
        shoes,
        put("cells", "rows", 0, 6, value=None),
        'cells.rows[0]: squares are missing; dealing "shoes" needs them',
    ),
    "cells that are no object": (
        full,
        put("cells", value=[]),
        "cells: expected `object | null`, got `array`",
    ),
    # cards and repeats
    "a card that not every round has": (
        full,
        put("cards", "player-third", value={"A": 10}),
        'cards: found "player-third"; write some of player-first, banker-first, player-second, banker-second',
    ),
    "a card of a rank that does not exist": (
        full,
        put("cards", "player-first", "11", value=0),
        'cards.player-first: found "11"; write ranks A 2 3 4 5 6 7 8 9 10 J Q K',
    ),
    "cards that do not add up": (
        full,
        put("cards", "player-first", "A", value=5),
        "cards.player-first: they add up to 11 rounds; they must add up to 10",
    ),
    "as many neighbours as rounds": (
        full,
        put("repeats", "neighbours", value=10),
        "repeats: same, neighbours and rounds cannot go together",
    ),
    "more repeats than neighbours": (
        full,
        put("repeats", "same", value=10),
        "repeats: same, neighbours and rounds cannot go together",
    ),
}
"""A file, what is changed in it, and what is said of it."""

TWICE = b'{"schema": "combinat/counts/1", "rounds": 10, "rounds": 10}'
TWICE_INSIDE = json.dumps(minimal()).encode().replace(b'"size": 416', b'"size": 416, "size": 415')

UNREADABLE = {
    "an empty file": (b"", "not readable as JSON: Expecting value: line 1 column 1 (char 0)"),
    "a file cut off": (
        b'{"schema": "combinat/counts/1", "game"',
        "not readable as JSON: Expecting ':' delimiter: line 1 column 39 (char 38)",
    ),
    "no text": (
        b'{"schema": "\xff"}',
        "not UTF-8 text (byte 12)",
    ),
    "a list": (b"[]", "expected a JSON object"),
    "a number": (b"7", "expected a JSON object"),
    "half a character": (
        json.dumps({"made_by": {"x": "\ud800"}}).encode(),
        "not readable as JSON: 'utf-8' codec can't encode character '\\ud800' in position 19: surrogates not allowed",
    ),
    "half a character as a key": (
        json.dumps({"\ud800": 1}).encode(),
        "not readable as JSON: 'utf-8' codec can't encode character '\\ud800' in position 2: surrogates not allowed",
    ),
    "a key twice": (TWICE, 'not readable as JSON: the key "rounds" stands twice'),
    "a key twice inside": (TWICE_INSIDE, 'not readable as JSON: the key "size" stands twice'),
}


def refused_at(call: Callable[[], object], message: str) -> int:
    """The line of ``counts_file.py`` that refused, with this message and no other."""
    with pytest.raises(CountsError) as refusal:
        call()
    assert str(refusal.value) == message
    (*_, line) = [
        entry.lineno + 1 for entry in refusal.traceback if Path(str(entry.path)) == Path(counts_file.__file__)
    ]
    return line


@pytest.mark.parametrize(
    "content",
    [
        b'{"schema": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'{"schema": "combinat/counts/1", "rounds": ' + b"9" * 5_000 + b"}",
    ],
    ids=["nested without end", "a number without end"],
)
def test_what_would_exhaust_the_reader_is_refused(content: bytes) -> None:
    with pytest.raises(CountsError, match=r"^not readable as JSON: "):
        parse_counts(content)


def unreadable_files(folder: Path) -> Iterator[tuple[Path, str]]:
    """Files that are refused before they are parsed, and one that is refused after, with what is said."""
    missing, wrong, large = folder / "missing.json", folder / "wrong.json", folder / "large.json"
    wrong.write_text("[]", "utf-8")
    large.write_bytes(b" " * 2_001)
    yield missing, f"{missing}: cannot be read (No such file or directory)"
    yield folder, f"{folder}: cannot be read (Is a directory)"
    yield large, f"{large}: larger than 2000 bytes; a counts file is smaller"
    yield wrong, f"{wrong}: expected a JSON object"


def test_a_file_is_read_from_its_path(tmp_path: Path) -> None:
    path = tmp_path / "counts.json"
    path.write_text(counts_json(simulated(COMMISSION_2013, None)), "utf-8")
    assert read_counts(Source.at(path)) == simulated(COMMISSION_2013, None)


def test_what_cannot_be_believed_is_refused_and_every_refusal_is_reached(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each file above is refused with its message, which names its place; and each ``raise`` refuses some file."""
    monkeypatch.setattr(counts_file, "MOST_BYTES", 2_000)
    reached = set()
    for base, change, message in REFUSED.values():
        raw = base()
        read(raw)
        change(raw)
        reached.add(refused_at(lambda raw=raw: read(raw), message))  # type: ignore[misc]
    for content, message in UNREADABLE.values():
        reached.add(refused_at(lambda content=content: parse_counts(content), message))  # type: ignore[misc]
    for path, message in unreadable_files(tmp_path):
        reached.add(refused_at(lambda path=path: read_counts(Source.at(path)), message))  # type: ignore[misc]
    tree = ast.parse(Path(counts_file.__file__).read_text("utf-8"))
    raises = [node for node in ast.walk(tree) if isinstance(node, ast.Raise)]
    missed = [
        node.lineno
        for node in raises
        if not reached & set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    ]
    assert len(raises) >= 36
    assert missed == []


# ---------------------------------------------------------------- nothing else but a refusal


def places(raw: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The path of every value of a file."""
    if path:
        yield path
    inner = raw.items() if isinstance(raw, dict) else enumerate(raw) if isinstance(raw, list) else ()
    for key, value in inner:
        yield from places(value, (*path, key))


JUNK: tuple[Any, ...] = (None, True, -1, 2**70, 1.5, float("nan"), "", "x", "-1", [], [[]], {}, {"x": 1})


@pytest.mark.parametrize("base", [full, shoes])
def test_no_value_in_any_place_is_more_than_refused(base: Callable[[], Raw]) -> None:
    """Thirteen wrong values in every place of a file: read or refused, and nothing else happens."""
    tried = 0
    for path in places(base()):
        for junk in JUNK:
            raw = base()
            put(*path, value=deepcopy(junk))(raw)
            with suppress(CountsError):
                read(raw)
            tried += 1
    assert tried > 500


@pytest.mark.parametrize("base", [full, shoes])
def test_a_file_that_is_cut_off_anywhere_is_refused(base: Callable[[], Raw]) -> None:
    content = json.dumps(base()).encode()
    for end in range(len(content)):
        with pytest.raises(CountsError, match=r"^not readable as JSON: "):
            parse_counts(content[:end])


def test_a_number_beyond_all_counting_is_refused() -> None:
    with pytest.raises(CountsError, match=r"^rounds: "):
        read(minimal() | {"rounds": 2**64})


def test_cells_without_rounds_are_not_kept() -> None:
    raw = full()
    before = read(raw).cells
    raw["cells"]["rows"].append([9, None, 9, None, "twin", 0])
    assert read(raw).cells == before


def test_counts_without_cells_and_cards_are_written_without_them() -> None:
    observation = read(minimal())
    assert parse_counts(counts_json(observation).encode()) == observation
