"""A view: something that was asked for beside the plain table, ready for every format."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from combinat.render.blocks import Block, Table
from combinat.rules.insurance import State


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What people read, the tables of CSV, and what JSON says of the game and of single insurance states."""

    blocks: tuple[Block, ...]
    tables: tuple[Table, ...]
    of_game: Mapping[str, Any] = field(default_factory=dict)
    of_state: Mapping[State, Mapping[str, Any]] = field(default_factory=dict)


def blocks_of(views: Sequence[View]) -> tuple[Block, ...]:
    """What people read of all the views."""
    return tuple(block for view in views for block in view.blocks)


def tables_of(views: Sequence[View]) -> tuple[Table, ...]:
    """The tables of CSV of all the views."""
    return tuple(table for view in views for table in view.tables)


def said_of_game(views: Sequence[View]) -> dict[str, Any]:
    """What JSON says of the game in all the views."""
    return {key: record for view in views for key, record in view.of_game.items()}


def said_of_state(views: Sequence[View], state: State) -> dict[str, Any]:
    """What JSON says of one insurance state in all the views."""
    return {key: record for view in views for key, record in view.of_state.get(state, {}).items()}
