"""Pages that work by themselves: one HTML file with its style, its script and its data, and nothing from elsewhere.

The Content-Security-Policy in the page names the one script and the one style by their hashes: nothing else runs,
and nothing is requested from anywhere. The data are JSON in which no character can end the element they stand in. The
script is assembled from ES modules, which are tested as modules.
"""

import base64
import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from graphlib import TopologicalSorter
from typing import Any

from combinat.render.escape import for_html

_NOT_IN_HTML = re.compile("[<>&\u2028\u2029]")


def web_page(*, title: str, style: str, script: str, head: str = "", body: Iterable[str]) -> str:
    """Return the page; ``script``: empty if it has none; ``head``: more lines of its head."""
    style, script = f"\n{style.strip()}\n", f"\n{script.strip()}\n" if script else ""
    runs = f"script-src '{_hash(script)}'; " if script else ""
    policy = f"default-src 'none'; {runs}style-src '{_hash(style)}'; img-src data:; base-uri 'none'; form-action 'none'"
    lines = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="color-scheme" content="light dark">',
        '<meta name="referrer" content="no-referrer">',
        *([head] if head else []),
        f"<title>{for_html(title)}</title>",
        f"<style>{style}</style>",
        "</head>",
        "<body>",
        *body,
        *([f'<script type="module">{script}</script>'] if script else []),
        "</body>",
        "</html>",
    ]
    return "\n".join(lines) + "\n"


def _hash(content: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(content.encode("utf-8")).digest()).decode("ascii")


def script_page(*, title: str, style: str, script: str, data: Mapping[str, Any], without_script: str) -> str:
    """Return a page that its script draws; ``data``: what the script finds in the element ``data``."""
    body = (
        f'<noscript><p class="note">{for_html(without_script)}</p></noscript>',
        '<div id="page"></div>',
        f'<script type="application/json" id="data">{in_html(data)}</script>',
    )
    icon = '<link rel="icon" href="data:,">'
    return web_page(title=title, style=style, script=script, head=icon, body=body)


def in_html(data: Mapping[str, Any]) -> str:
    r"""Return JSON for a page's data element, escaped so that it cannot become markup.

    >>> in_html({"name": "</script><b>"})
    '{"name":"\\u003c/script\\u003e\\u003cb\\u003e"}'
    """
    written = json.dumps(data, ensure_ascii=True, separators=(",", ":"))
    return _NOT_IN_HTML.sub(lambda match: f"\\u{ord(match[0]):04x}", written)


# ---------------------------------------------------------------- ES modules as one script

_IMPORT = re.compile(r'^import \{[\w\s,]+\} from "\./([\w]+\.js)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async function|function|class|const|let) )", re.MULTILINE)
_REFUSED = re.compile(r"^\s*(?:import|export)\b|</script|<!--", re.MULTILINE | re.IGNORECASE)
"""Another form of import or export; what would end the script within a page, or hide a part of it."""


def assembled(sources: Mapping[str, str]) -> str:
    """Return one script that does what all modules do, in the order of their imports; ``sources``: modules by file name.

    Two forms are understood: ``import { a, b } from "./other.js";`` at the beginning of a line, and ``export`` before a
    declaration. A name that two modules declare is a syntax error of the script.
    """
    needs = {name: sorted(_IMPORT.findall(source)) for name, source in sorted(sources.items())}
    parts = {
        name: _EXPORT.sub("", _IMPORT.sub("", sources[name])).strip("\n")
        for name in TopologicalSorter(needs).static_order()
    }
    for name, part in parts.items():
        if refused := _REFUSED.search(part):
            raise ValueError(f"{name}: found {refused[0].strip()}, which a script of a page may not hold")
    return "\n".join(f"// ---------------- {name}\n\n{part}\n" for name, part in parts.items())
