"""The keys of every JSON document by schema number: ``python -m tests.cli.schema_keys`` adds new ones to the list.

A key is never taken off the list by this program: a document that loses one needs a new schema number.
"""

import json
from collections.abc import Iterator
from typing import Any

from tests.paths import ROOT, TESTS

LISTED = TESTS / "cli" / "schema_keys.json"


def paths(schema: Any, definitions: dict[str, Any], seen: tuple[str, ...] = ()) -> Iterator[str]:
    """The paths of the keys that a schema allows, such as ``bets[].outcomes[].net``."""
    if (reference := schema.get("$ref", "").removeprefix("#/$defs/")) and reference not in seen:
        yield from paths(definitions[reference], definitions, (*seen, reference))
    for part in (*schema.get("anyOf", ()), *schema.get("oneOf", ())):
        yield from paths(part, definitions, seen)
    for key, inner in schema.get("properties", {}).items():
        yield key
        yield from (
            f"{key}{'' if path.startswith('[') else '.'}{path}" for path in paths(inner, definitions, seen)
        )
    for word, mark in (("items", "[]"), ("additionalProperties", "*")):
        if isinstance(schema.get(word), dict):
            for path in paths(schema[word], definitions, seen):
                yield f"[{mark.strip('[]')}].{path}"


def keys() -> dict[str, list[str]]:
    """The keys of every document that the program writes now, by the schema that the document states."""
    found = {}
    for file in sorted((ROOT / "docs" / "schemas").glob("*.json")):
        schema = json.loads(file.read_text("utf-8"))
        text = json.dumps(schema)
        number = max(
            (part for part in text.split('"') if part.startswith(f"combinat/{file.stem}/")), default=file.stem
        )
        found[number] = sorted(set(paths(schema, schema.get("$defs", {}))))
    return found


if __name__ == "__main__":
    listed = json.loads(LISTED.read_text("utf-8")) if LISTED.exists() else {}
    for name, own in keys().items():
        listed[name] = sorted({*listed.get(name, ()), *own})
    LISTED.write_text(json.dumps(listed, indent=1, sort_keys=True) + "\n", "utf-8")
