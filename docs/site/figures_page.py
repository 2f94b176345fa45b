"""The reference of figures, from their declarations: key, head and meaning of each, once."""

from typing import Any

from combinat.base.relation import Relation
from combinat.report.schemas import relations

HEAD = """# Figures

Every figure that documents state, by the relation of its rows. The key is that of JSON, of CSV and of frames; the head is that of tables.
"""


def figures_page() -> str:
    """The page: a section a relation, a line a figure."""
    return HEAD + "".join(map(_section, relations().values()))


def _section(relation: Relation[Any]) -> str:
    lines = [f"| `{field.name}` | {field.head} | {field.about} |" for field in relation.fields]
    title = relation.name[:1].upper() + relation.name[1:]
    return f"\n## {title}\n\n| key | head | meaning |\n|---|---|---|\n" + "\n".join(lines) + "\n"
