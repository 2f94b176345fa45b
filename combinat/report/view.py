"""A view: something that was asked for beside the plain table, ready for every format."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from combinat.render.blocks import Block, Table
from combinat.rules.insurance import State


class View(msgspec.Struct, frozen=True, kw_only=True):
    """What people read, the tables of CSV, and what JSON says of the game and of single insurance states."""

    blocks: tuple[Block, ...]
    tables: tuple[Table, ...]
    of_game: Mapping[str, Any] = msgspec.field(default_factory=dict)
    of_state: Mapping[State, Mapping[str, Any]] = msgspec.field(default_factory=dict)


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
