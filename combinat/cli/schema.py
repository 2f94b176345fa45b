"""``combinat schema``: the JSON Schemas of every JSON document that combinat writes."""

from typing import Annotated

import typer

from combinat.base.errors import CombinatError
from combinat.cli.options import FormatOption
from combinat.cli.output import say
from combinat.render.text import Format, as_json, rendered
from combinat.report.schemas import schemas_json, schemas_table
from combinat.schemas.files import listed, schema_paths, schema_text


def _known(incomplete: str) -> list[str]:
    return [name for name in schema_paths() if name.startswith(incomplete)]


def schema(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME",
            help="The schema to print; all are listed when nothing is said.",
            autocompletion=_known,
            show_default=False,
        ),
    ] = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """List the JSON Schemas of all that is written as JSON, or print one (docs/schemas)."""
    if name is None and form is Format.JSON:
        say(as_json(schemas_json(listed())))
    elif name is None:
        say(rendered([schemas_table(listed())], form))
    elif form not in (Format.TEXT, Format.JSON):
        raise CombinatError(f"--format: found {form}; a schema is JSON: leave it out")
    else:
        say(schema_text(name))
