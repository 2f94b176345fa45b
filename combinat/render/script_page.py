"""A page that works by itself: one HTML file with its style, its script and its data, and nothing from elsewhere.

The Content-Security-Policy in the page names the one script and the one style by their hashes: nothing else runs,
and nothing is requested from anywhere. The data are JSON in which no character can end the element they stand in.
"""

import base64
import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any

from combinat.render.escape import for_html

_NOT_IN_HTML = re.compile("[<>&\u2028\u2029]")


def script_page(*, title: str, style: str, script: str, data: Mapping[str, Any], without_script: str) -> str:
    """Return the page; ``data``: what the script finds in the element ``data``."""
    style, script = f"\n{style.strip()}\n", f"\n{script.strip()}\n"
    return "\n".join(
        [
            "<!DOCTYPE html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy(style, script)}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="color-scheme" content="light dark">',
            '<meta name="referrer" content="no-referrer">',
            '<link rel="icon" href="data:,">',
            f"<title>{for_html(title)}</title>",
            f"<style>{style}</style>",
            "</head>",
            "<body>",
            f'<noscript><p class="note">{for_html(without_script)}</p></noscript>',
            '<div id="page"></div>',
            f'<script type="application/json" id="data">{in_html(data)}</script>',
            f'<script type="module">{script}</script>',
            "</body>",
            "</html>",
            "",
        ]
    )


def policy(style: str, script: str = "") -> str:
    """Return the Content-Security-Policy of a page: this style, this script if there is one, and nothing else."""
    runs = f"script-src '{_hash(script)}'; " if script else ""
    return f"default-src 'none'; {runs}style-src '{_hash(style)}'; img-src data:; base-uri 'none'; form-action 'none'"


def in_html(data: Mapping[str, Any]) -> str:
    r"""Return JSON for a page's data element, escaped so that it cannot become markup.

    >>> in_html({"name": "</script><b>"})
    '{"name":"\\u003c/script\\u003e\\u003cb\\u003e"}'
    """
    written = json.dumps(data, ensure_ascii=True, separators=(",", ":"))
    return _NOT_IN_HTML.sub(lambda match: f"\\u{ord(match[0]):04x}", written)


def _hash(content: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(content.encode("utf-8")).digest()).decode("ascii")
