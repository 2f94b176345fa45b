"""The counts file: what is written is read back, in every encoding of JSON; refusals are in ``tests/corpus/counts``."""

import json
from copy import deepcopy
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from combinat import FileError, Shoe, load_game
from combinat.audit.reading.counts_file import parse_counts
from combinat.montecarlo.cell import Pairing
from combinat.montecarlo.counts import Dealing, JointCell, Observed, Times, counts_json, observed
from combinat.montecarlo.simulation import Simulation
from combinat.rules.insurance import State
from combinat.rules.round import Stage
from combinat.rules.table_of_play import Hand
from tests.certify.forger import at, places, put
from tests.documents import COMMISSION_2013, NONCOMMISSION_2025
from tests.paths import CORPUS


def whole(name: str) -> Any:
    """A file that is right: ``smallest``, ``everything`` or ``whole-shoes``."""
    return json.loads((CORPUS / "counts" / "good" / f"{name}.json").read_bytes())


def read(raw: Any, encoding: str = "utf-8") -> Observed:
    return parse_counts(json.dumps(raw).encode(encoding))


@pytest.mark.parametrize("cut_card", [None, 10])
@pytest.mark.parametrize("game_id", [COMMISSION_2013, NONCOMMISSION_2025])
def test_what_is_written_is_read_back(game_id: str, cut_card: int | None) -> None:
    """Every count of every bet, state, cell and card, and the sums over shoes; and again the same bytes."""
    game, shoe = load_game(game_id), Shoe.parse("A=9 4=9 6=9 9=9 10=9 K=9")
    simulation = Simulation(game=game, shoe=shoe, rounds=800, seed=3, cut_card=cut_card)
    how = Dealing.INDEPENDENT if cut_card is None else Dealing.SHOES
    made_by = {"software": 'one that writes "quotes", \\ and Å', "seed": "3"}
    tally = simulation.tally(simulation.batch(0))
    counted = observed(tally, game_id, shoe, how, rule_book_sha256="0" * 64, made_by=made_by)
    assert counted.cells
    assert counted.cards
    assert bool(counted.insurance) is (game_id != NONCOMMISSION_2025)
    assert (counted.repeats is None) is (counted.shoes is not None) is (cut_card is not None)
    text = counts_json(counted)
    assert parse_counts(text.encode()) == counted
    assert counts_json(parse_counts(text.encode())) == text
    bets = [line for line in text.splitlines() if line.startswith('    {"id": ')]
    assert len(bets) == len(counted.bets)  # an entry is a line, so that two files can be compared


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_the_smallest_file_in_any_encoding_of_json(encoding: str) -> None:
    counted = read(whole("smallest"), encoding)
    assert counted == Observed(
        game_id=COMMISSION_2013,
        rule_book_sha256=None,
        shoe=Shoe.of_decks(8),
        rounds=10,
        dealing=Dealing.INDEPENDENT,
        bets={"banker": {Fraction(19, 20): Times(5), Fraction(0): Times(1), Fraction(-1): Times(4)}},
    )
    assert parse_counts(counts_json(counted).encode()) == counted


def test_a_file_with_everything() -> None:
    raw = whole("everything")
    raw["cells"]["rows"].append([9, None, 9, None, "twin", 0])  # a cell without rounds is not kept
    counted = read(raw)
    state = State(Hand.PLAYER, Stage.FOUR_CARDS, 7, 2)
    assert counted.insurance == {state: {Fraction(4): Times(1), Fraction(-1): Times(2)}}
    assert counted.cells == {
        JointCell(8, None, 3, None, Pairing.NONE): Times(9),
        JointCell(0, 5, 0, 0, Pairing.TWIN): Times(1),
    }
    assert counted.cards == {"player-first": (4, *[0] * 11, 6), "banker-second": (*[0] * 9, 10, 0, 0, 0)}
    told = counted.repeats, counted.rule_book_sha256, counted.made_by
    assert told == ((9, 8), "ab", {"software": "ours"})


def test_a_file_of_whole_shoes() -> None:
    counted = read(whole("whole-shoes"))
    assert (counted.dealing, counted.shoes) == (Dealing.SHOES, 2)
    assert counted.bets == {"player": {Fraction(1): Times(4, 8), Fraction(-1): Times(2, 2)}}
    assert counted.net_squares == {"player": Fraction(2)}
    assert counted.cells[JointCell(0, 5, 0, 7, Pairing.BOTH)] == Times(2, 2)


@pytest.mark.parametrize(
    ("net", "value"), [("-1", "-1"), ("0.95", "19/20"), ("19/20", "19/20"), ("150", "150"), ("-0.5", "-1/2")]
)
def test_how_a_net_result_is_written(net: str, value: str) -> None:
    raw = whole("smallest")
    raw["bets"][0]["results"] = [{"net": net, "rounds": 10}]
    assert read(raw).bets == {"banker": {Fraction(value): Times(10)}}


JUNK: tuple[Any, ...] = (None, True, -1, 2**70, 1.5, float("nan"), "", "x", "-1", [], [[]], {}, {"x": 1})
THIRDS = {"cells.rows.1.1", "cells.rows.1.3"}
"""Third cards of a cell; null where none was drawn."""


@pytest.mark.parametrize(
    ("name", "free"),
    [
        ("everything", {"insurance", "cards", "repeats", "rule_book_sha256", "made_by", "made_by.software"}),
        ("whole-shoes", set()),
    ],
)
def test_a_wrong_value_is_accepted_nowhere_but_where_it_is_right(name: str, free: set[str]) -> None:
    """Thirteen values in every place: names may be any text, and what is optional may be nothing."""
    raw, accepted = whole(name), set()
    for path, junk in product(places(raw), JUNK):
        try:
            read(put(deepcopy(raw), path, junk))
        except FileError:
            continue
        if at(raw, path) != junk:
            accepted.add(".".join(map(str, path)))
    assert accepted == {"game", "bets.0.id", "cells", *free, *THIRDS}
