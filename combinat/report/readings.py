"""The interpretation register with the effect of every other reading."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from combinat.analysis.readings import EXPECTED_VALUE, Effect
from combinat.render.document import Block, Heading, Paragraph, Table, Terms
from combinat.render.number import decimal, exact, percent
from combinat.rules.game import Game, Interpretation


def effects_document(found: Mapping[str, Sequence[Effect]], game: Game) -> list[Block]:
    """The interpretation register with the effect of every other reading."""
    blocks: list[Block] = [Heading("Interpretations")]
    for entry in game.interpretations:
        blocks += _entry(entry, found[entry.id])
    return blocks


def _entry(entry: Interpretation, effects: Sequence[Effect]) -> list[Block]:
    head: list[Block] = [
        Heading(f"{entry.id} ({'; '.join(entry.clauses)})", 3),
        Terms({"Question": entry.question, "Reading": entry.reading, "Otherwise": entry.otherwise}),
    ]
    changed = [effect for effect in effects if effect.change != 0]
    if not changed:
        return [*head, Paragraph("On this shoe the other reading changes nothing.")]
    rows = [
        [
            effect.what,
            effect.measure,
            *(_shown(effect, value) for value in (effect.read, effect.otherwise, effect.change)),
        ]
        for effect in changed
    ]
    columns = ("for", "figure", "as read", "otherwise", "change")
    return [*head, Table(columns=columns, align="llrrr", rows=rows)]


def _shown(effect: Effect, value: Fraction | None) -> str:
    if value is None:
        return "-"
    return f"{percent(value)} %" if effect.measure == EXPECTED_VALUE else decimal(value, 4)


def effects_json(found: Mapping[str, Sequence[Effect]]) -> list[dict[str, Any]]:
    """The effects of the other readings, for the key ``interpretations``."""
    return [
        {
            "id": entry,
            "effects": [
                {
                    "for": effect.what,
                    "figure": effect.measure,
                    "read": exact(effect.read),
                    "otherwise": exact(effect.otherwise),
                    "change": exact(effect.change),
                }
                for effect in effects
            ],
        }
        for entry, effects in found.items()
    ]


def effects_csv(found: Mapping[str, Sequence[Effect]]) -> Table:
    """Every figure that another reading changes, exact, with its entry."""
    rows = [
        [
            entry,
            effect.what,
            effect.measure,
            *(exact(value) or "" for value in (effect.read, effect.otherwise, effect.change)),
        ]
        for entry, effects in found.items()
        for effect in effects
    ]
    return Table(columns=("entry", "for", "figure", "read", "otherwise", "change"), align="llllll", rows=rows)
