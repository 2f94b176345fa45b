"""ES modules put together as one script, in the order of their imports.

Only the house's own form is understood: ``import { a, b } from "./other.js";`` at the beginning of a line, and
``export`` before a declaration. The parts are tested as modules, and the page holds one script without an import; a
name that two modules declare is a syntax error of it.
"""

import re
from collections.abc import Mapping
from graphlib import TopologicalSorter

_IMPORT = re.compile(r'^import \{[\w\s,]+\} from "\./([\w]+\.js)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async function|function|class|const|let) )", re.MULTILINE)
_REFUSED = re.compile(r"^\s*(?:import|export)\b|</script|<!--", re.MULTILINE | re.IGNORECASE)
"""Another form of import or export; what would end the script within a page, or hide a part of it."""


def assembled(sources: Mapping[str, str]) -> str:
    """Return the script that does what all modules do; ``sources``: the modules by the names of their files."""
    needs = {name: sorted(_IMPORT.findall(source)) for name, source in sorted(sources.items())}
    parts = {
        name: _EXPORT.sub("", _IMPORT.sub("", sources[name])).strip("\n")
        for name in TopologicalSorter(needs).static_order()
    }
    for name, part in parts.items():
        if refused := _REFUSED.search(part):
            raise ValueError(f"{name}: found {refused[0].strip()}, which a script of a page may not hold")
    return "\n".join(f"// ---------------- {name}\n\n{part}\n" for name, part in parts.items())
