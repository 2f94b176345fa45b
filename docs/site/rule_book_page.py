"""The reference of rule books, from their JSON Schema: every table, key, type, bound, default and meaning."""

from typing import Any

from combinat.report.schemas import rule_book_schema
from combinat.rules.game import Game

Schema = dict[str, Any]

HEAD = """# Rule-book reference

A rule book is a TOML file with these tables and keys, and no others. [Rule books](../rule-books.md) explains them with
examples, and has the limits of a file as a whole; `combinat check FILE` tells every mistake in one.

A key is needed where it says so; with *document*, only in a rule book that states an approved document all by itself: one with
`status = "draft"`, or one on a `base`, may leave it out.

**In an editor.** There is a [JSON Schema](../schemas/rule-book.json) of rule books. An editor that knows the
language server Taplo (in VS Code the extension *Even Better TOML*) completes and checks the keys of a file whose first line is
`#:schema rule-book.json`, with the schema as a file beside it.
"""

_OF_LINES = """The facts of a line; [the facts](../rule-books.md#the-facts) has them with what they mean. All that are named
have to be so."""


def rule_book_page() -> str:
    """The page: a section a table, the file itself first."""
    schema = rule_book_schema()
    places = _places(schema)
    parts = [HEAD, _section("The file", schema, schema)]
    for name, of_table in places.items():
        title = " and ".join(f"`{place}`" for place in of_table)
        parts.append(
            _section(title, schema["$defs"][name], schema, anchor=name, needed=_needed(schema, of_table[0]))
        )
    return "\n".join(parts)


def _places(schema: Schema) -> dict[str, list[str]]:
    """Where each table stands in a file, as a TOML file heads it; of one within lines, its key."""
    places: dict[str, list[str]] = {}
    waiting = [("", schema)]
    while waiting:
        above, table = waiting.pop(0)
        for key, value in table["properties"].items():
            name, is_list = _table_in(value)
            if name is None or "enum" in schema["$defs"][name]:
                continue
            path = f"{above}{'.' if above else ''}{key}"
            if name not in places:
                waiting.append((path, schema["$defs"][name]))
            places.setdefault(name, []).append(f"[[{path}]]" if is_list else f"[{path}]")
    return places


def _table_in(value: Schema) -> tuple[str | None, bool]:
    """The name of the table that a key holds, and whether it holds a list of them."""
    is_list = value.get("type") == "array"
    inner = value["items"] if is_list else next(iter(value.get("allOf", [value])))
    return (inner["$ref"].rpartition("/")[2] if "$ref" in inner else None), is_list


def _needed(schema: Schema, place: str) -> list[str]:
    """The keys that a table must have in a rule book that states a document all by itself."""
    at: Schema = schema["else"]
    for key in place.strip("[]").split("."):
        at = at.get("properties", {}).get(key, {})
        at = at.get("items", at)
    return list(at.get("required", ()))


def _section(
    title: str, table: Schema, schema: Schema, anchor: str = "", needed: list[str] | None = None
) -> str:
    needed = list(schema["else"]["required"]) if needed is None else needed
    rows = [
        f"| `{key}` | {_type(value, schema)} | {_when(key, table, needed)} | {value['description']} |"
        for key, value in table["properties"].items()
    ]
    about = table["description"] if anchor else (Game.__doc__ or "").split("\n")[0]
    mark = f" {{ #{anchor.lower()} }}" if anchor else ""
    return "\n".join(
        [
            f"## {title}{mark}\n",
            f"{about}\n",
            '<div class="keys" markdown>\n',
            "| key | value | needed | meaning |",
            "|---|---|---|---|",
            *rows,
            "\n</div>\n",
        ]
    )


def _when(key: str, table: Schema, needed: list[str]) -> str:
    if key in table.get("required", ()):
        return "yes"
    if key in needed:
        return "document"
    default = table["properties"][key].get("default")
    return f'no: `"{default}"`' if default else "no"


def _type(value: Schema, schema: Schema) -> str:
    """What a value looks like, with its bounds."""
    if "const" in value:
        return f"`{value['const']}`"
    name, is_list = _table_in(value)
    if name is not None and "enum" in schema["$defs"][name]:
        return ("list of " if is_list else "") + _words(schema["$defs"][name])
    if name is not None:
        most = f", at most {value['maxItems']}" if "maxItems" in value else ""
        return f"[{'tables' if is_list else 'table'}](#{name.lower()}){most}"
    if "anyOf" in value:
        return " or ".join(_type(one, schema) for one in value["anyOf"])
    if "enum" in value:
        return _words(value)
    if value["type"] == "array":
        least = "at least one, " if value.get("minItems") else ""
        most = f", {least}at most {value['maxItems']}" if "maxItems" in value else ""
        return f"list of {_type(value['items'], schema)}{most}"
    return _plain_type(value)


def _words(value: Schema) -> str:
    """Words to choose from, each with what it means where it says so."""
    meanings = value.get("x-taplo", {}).get("docs", {}).get("enumValues", [""] * len(value["enum"]))
    said = [
        f'`"{word}"`' + (f" ({meaning})" if meaning and meaning != word.replace("-", " ") else "")
        for word, meaning in zip(value["enum"], meanings, strict=True)
    ]
    return ", ".join(said)


def _plain_type(value: Schema) -> str:
    if value["type"] == "integer":
        return f"{value['minimum']} to {value['maximum']}"
    if value["type"] == "boolean":
        return "`true`, `false`"
    if "format" in value:
        return {"date": "date, such as `2025-08-08`", "time": "time, such as `08:00:00`"}[value["format"]]
    if "examples" in value:
        return "text such as " + ", ".join(f'`"{one}"`' for one in value["examples"])
    if "pattern" in value:
        return f"lower-case words joined by hyphens, at most {value['maxLength']} characters"
    return f"text, at most {value['maxLength']} characters"
