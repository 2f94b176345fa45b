"""A document as one self-contained HTML file: no network, readable on a phone, printable, accessible."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from combinat.render.document import Block, Figure, Heading, Paragraph, Table, Terms

TEMPLATE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{ title }}</title>
<style>
:root { color-scheme: light; --line: #ccc; --ink: #1a1a1a; --soft: #f4f4f6; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 72rem; padding: 1rem; color: var(--ink); background: #fff;
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
h1 { font-size: 1.6rem; line-height: 1.25; } h2 { font-size: 1.3rem; margin-top: 2.5rem; border-bottom: 2px solid var(--line); }
h3 { font-size: 1.05rem; margin-top: 1.8rem; } h4 { font-size: 1rem; }
nav { background: var(--soft); padding: .75rem 1rem; border-radius: .4rem; } nav ol { margin: 0; padding-left: 1.2rem; list-style: none; columns: 2 18rem; }
a { color: #1f4e9c; }
.scroll { overflow-x: auto; margin: .8rem 0; }
table { border-collapse: collapse; font-size: .85rem; font-variant-numeric: tabular-nums; }
th, td { padding: .2rem .55rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
thead th { background: var(--soft); border-bottom: 2px solid #888; } tbody th { font-weight: 600; white-space: nowrap; }
.r { text-align: right; white-space: nowrap; } .c { text-align: center; }
tr.good td, tr.good th { background: #e3f1e6; font-weight: 600; }
dl { display: grid; grid-template-columns: minmax(8rem, max-content) 1fr; gap: .15rem 1rem; margin: .8rem 0; }
dt { font-weight: 600; } dd { margin: 0; overflow-wrap: anywhere; }
figure { margin: 1.2rem 0; } figure svg { width: 100%; height: auto; max-width: 52rem; } figcaption { font-size: .85rem; color: #444; }
footer { margin-top: 3rem; border-top: 1px solid var(--line); font-size: .8rem; color: #555; overflow-wrap: anywhere; }
@media (max-width: 40rem) { body { font-size: 15px; padding: .7rem; } dl { grid-template-columns: 1fr; } dt { margin-top: .4rem; } }
@media print { body { max-width: none; font-size: 9pt; } nav { break-after: page; } h2, h3 { break-after: avoid; }
  table { font-size: 7pt; } .scroll { overflow: visible; } tr, figure { break-inside: avoid; } a { color: inherit; text-decoration: none; } }
</style>
</head>
<body>
<header>
<h1>{{ title }}</h1>
</header>
<nav aria-label="Contents">
<ol>
{%- for part in parts if part.level == 2 %}
<li><a href="#{{ part.anchor }}">{{ part.block.text }}</a></li>
{%- endfor %}
</ol>
</nav>
<main>
{%- for part in parts %}
{%- set block = part.block %}
{%- if part.kind == "heading" %}
<h{{ part.level }} id="{{ part.anchor }}">{{ block.text }}</h{{ part.level }}>
{%- elif part.kind == "paragraph" %}
<p>{{ block.text }}</p>
{%- elif part.kind == "terms" %}
<dl>
{%- for term, text in block.said.items() %}
<dt>{{ term }}</dt><dd>{{ text }}</dd>
{%- endfor %}
</dl>
{%- elif part.kind == "figure" %}
<figure role="img" aria-label="{{ block.alt }}">
{{ part.svg }}
<figcaption>{{ block.caption }}</figcaption>
</figure>
{%- else %}
<div class="scroll" tabindex="0" role="region" aria-label="{{ part.label }}">
<table>
<thead><tr>
{%- for name in block.columns %}<th scope="col" class="{{ block.align[loop.index0] }}">{{ name or "-" }}</th>{% endfor -%}
</tr></thead>
<tbody>
{%- for row in block.rows %}
<tr{% if "PLAYER" in row %} class="good"{% endif %}>
{%- for cell in row %}
{%- if loop.first %}<th scope="row" class="{{ block.align[0] }}">{{ cell }}</th>{% else %}<td class="{{ block.align[loop.index0] }}">{{ cell }}</td>{% endif %}
{%- endfor -%}
</tr>
{%- endfor %}
</tbody>
</table>
</div>
{%- endif %}
{%- endfor %}
</main>
<footer><p>{{ foot }}</p></footer>
</body>
</html>
"""


@dataclass(frozen=True)
class Part:
    """A block, and what the template needs to know of it."""

    kind: str
    block: Block
    level: int = 0
    anchor: str = ""
    label: str = ""
    svg: str = ""


def html(blocks: Sequence[Block], foot: str) -> str:
    """The document as HTML. Its first block is its title."""
    from jinja2 import Environment
    from markupsafe import Markup

    title, *rest = blocks
    if not isinstance(title, Heading):
        raise TypeError("a document begins with its heading")  # pragma: no cover
    environment = Environment(autoescape=True)
    parts = [_marked(part, Markup) for part in _parts(rest)]
    return environment.from_string(TEMPLATE).render(title=title.text, parts=parts, foot=foot) + "\n"


def _marked(part: Part, markup: type[str]) -> Part:
    """The part with its picture marked as ready HTML."""
    if not isinstance(part.block, Figure):
        return part
    return Part(kind=part.kind, block=part.block, svg=markup(own_names(part.block.svg, part.block.name)))


def own_names(svg: str, prefix: str) -> str:
    """A picture whose names are its own, so that several can stand on one page."""
    return re.sub(r'(id="|href="#|url\(#)', rf"\g<1>{prefix}-", svg)


def _parts(blocks: Sequence[Block]) -> list[Part]:
    parts: list[Part] = []
    heading, numbers = "", dict[str, int]()
    for block in blocks:
        match block:
            case Heading(text, level):
                heading = text
                anchor = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
                numbers[anchor] = numbers.get(anchor, 0) + 1
                unique = anchor if numbers[anchor] == 1 else f"{anchor}-{numbers[anchor]}"
                parts.append(Part("heading", block, level=level, anchor=unique))
            case Paragraph():
                parts.append(Part("paragraph", block))
            case Terms():
                parts.append(Part("terms", block))
            case Figure():
                parts.append(Part("figure", block))
            case Table():
                parts.append(Part("table", block, label=f"Table: {block.caption or heading}"))
    return parts
