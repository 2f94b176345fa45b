"""JSON documents, checked by the schemas of ``docs/schemas``."""

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator

from combinat.report.schemas import schema_paths


@cache
def validators() -> dict[str, Draft202012Validator]:
    """The validator of every schema, by name."""
    return {name: Draft202012Validator(json.loads(path.read_text())) for name, path in schema_paths().items()}


def schema_name(document: Any) -> str:
    """The name of the schema that a document states; a certificate states none."""
    return str(document.get("schema", "combinat/certificate/")).split("/")[1]


def leaves(document: Any) -> Iterator[Any]:
    """Every value of a document that is no object and no list."""
    if isinstance(document, dict | list):
        for inner in document.values() if isinstance(document, dict) else document:
            yield from leaves(inner)
    else:
        yield document


def mistakes(document: Any) -> list[str]:
    """The places where a document departs from its schema, and how."""
    return [
        f"{'/'.join(map(str, error.absolute_path))}: {error.message[:200]}"
        for error in validators()[schema_name(document)].iter_errors(document)
    ]
