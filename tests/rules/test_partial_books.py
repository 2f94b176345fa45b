"""Whatever is missing from a rule book or wrong in it, its mistakes are reported and no check stumbles."""

import copy
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from combinat.rules.book.find import rule_book_paths
from combinat.rules.book.load import examined_book
from combinat.rules.book.write import toml_text
from tests.paths import GOOD_BOOK

SHIPPED = rule_book_paths()["commission-insurance-2013"]
WRONG: list[object] = [True, -1, "", "no such word", [], [1], [{}], {}, {"unknown": 1}]
Place = tuple[str | int, ...]


def places(value: object, place: Place = ()) -> Iterator[Place]:
    """Every key and every entry of a rule book's data."""
    parts: list[tuple[str | int, object]] = []
    if isinstance(value, dict):
        parts = list(value.items())
    elif isinstance(value, list):
        parts = list(enumerate(value))
    for name, part in parts:
        yield (*place, name)
        yield from places(part, (*place, name))


def parent(data: Any, place: Place) -> Any:
    for name in place[:-1]:
        data = data[name]
    return data


def without(data: dict[str, Any], place: Place) -> dict[str, Any]:
    """A copy without one key or entry."""
    less = copy.deepcopy(data)
    del parent(less, place)[place[-1]]
    return less


def dotted(place: Place) -> str:
    """A place as mistakes name it."""
    return "".join(f"[{name}]" if isinstance(name, int) else f".{name}" for name in place).removeprefix(".")


def examined_data(data: dict[str, Any], path: Path) -> tuple[str, ...]:
    game, mistakes = examined_book(toml_text(data, ()).encode("utf-8"), path, None, again=True)
    assert (game is None) == bool(mistakes)
    return tuple(map(str, mistakes))


DATA = tomllib.loads(GOOD_BOOK.read_text("utf-8"))
LARGE = tomllib.loads(SHIPPED.read_text("utf-8"))


PLACES = list(places(DATA))


@pytest.mark.parametrize(
    "every", [3, pytest.param(1, marks=pytest.mark.full)], ids=["some wrong values", "all wrong values"]
)
@pytest.mark.parametrize("place", PLACES, ids=dotted)
def test_a_part_that_is_missing_or_wrong_stops_no_check(place: Place, every: int) -> None:
    examined_data(without(DATA, place), GOOD_BOOK)
    for wrong in WRONG[PLACES.index(place) % every :: every]:
        data = copy.deepcopy(DATA)
        parent(data, place)[place[-1]] = wrong
        mistakes = examined_data(data, GOOD_BOOK)
        if wrong == {"unknown": 1}:
            assert mistakes


@pytest.mark.full
@pytest.mark.parametrize(
    "place", [place for place in places(LARGE) if isinstance(place[-1], str)], ids=dotted
)
def test_an_entry_without_one_of_its_keys_stops_no_check(place: Place) -> None:
    examined_data(without(LARGE, place), SHIPPED)


@pytest.mark.parametrize(
    ("data", "place"),
    [
        *(
            (DATA, (key,))
            for key in ("id", "name", "operator", "stated", "decks", "layouts", "clauses", "void")
        ),
        (DATA, ("bets",)),
        (DATA, ("layouts", 1, "positions", "most")),
        (DATA, ("bets", 0, "id")),
        (DATA, ("insurance_terms", "name")),
        (DATA, ("insurance", 1, "stage")),
        (DATA, ("insurance", 1, "offers", 0, "player_points")),
        (DATA, ("procedures", 0, "id")),
        (LARGE, ("clauses",)),  # its other readings change them
    ],
    ids=lambda part: dotted(part) if isinstance(part, tuple) else part["id"],
)
def test_a_key_that_is_missing_is_one_mistake(data: dict[str, Any], place: Place) -> None:
    """Nothing is reported of the value that stands in for it."""
    (mistake,) = examined_data(without(data, place), Path(f"{data['id']}.toml"))
    assert mistake.startswith(f"{dotted(place)}: missing")


def test_more_mistakes_than_are_reported_stop_no_check() -> None:
    data = copy.deepcopy(DATA)
    data.update({f"unknown_{number}": number for number in range(200)})
    del data["decks"], data["clauses"], data["void"]
    assert len(examined_data(data, GOOD_BOOK)) == 100
