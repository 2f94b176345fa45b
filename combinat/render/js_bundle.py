"""ES modules put together as one script: in the order of their imports, every top-level name once.

Only what the house writes is understood: ``import { a, b } from "./other.js";`` at the beginning of a line, and
``export`` before a declaration. So the parts are tested as modules, and the page holds one script without an
import.
"""

import re
from collections.abc import Mapping
from graphlib import CycleError, TopologicalSorter

from combinat.base.errors import CombinatError

_IMPORT = re.compile(r'^import \{([\w\s,]+)\} from "\./([\w]+\.js)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async function|function|class|const|let) )", re.MULTILINE)
_NAMES = re.compile(
    r"^(export )?(?:async function|function|class|const|let) (\[[\w\s,]+\]|\{[\w\s,]+\}|\w+)", re.MULTILINE
)
_LEFT = re.compile(r"^\s*(?:import|export)\b", re.MULTILINE)
_ENDS = re.compile(r"</script|<!--", re.IGNORECASE)
"""What would end the script within a page, or hide a part of it."""


class ModuleError(CombinatError):
    """Modules that cannot be put together."""


def assembled(sources: Mapping[str, str], entry: str) -> str:
    """The script that does what the module ``entry`` does; ``sources``: the modules by the names of their files."""
    needs = {
        name: {statement[2] for statement in _IMPORT.finditer(source)} for name, source in sources.items()
    }
    exported = {name: _declared(source, exported=True) for name, source in sources.items()}
    for name, source in sources.items():
        for statement in _IMPORT.finditer(source):
            if statement[2] not in sources:
                raise ModuleError(f"{name}: imports {statement[2]}, which is not there")
            wanted = {word.strip() for word in statement[1].split(",")} - {""}
            if missing := wanted - exported[statement[2]]:
                raise ModuleError(f"{name}: {statement[2]} exports no {min(missing)}")
    try:
        in_order = {
            name: sorted(needs[name]) for name in sorted(needs)
        }  # so that the order is always the same
        order = list(TopologicalSorter(in_order).static_order())
    except CycleError as error:
        raise ModuleError(f"modules import each other in a circle: {' '.join(error.args[1])}") from None
    used = _reached(needs, entry)
    parts, home = list[str](), dict[str, str]()
    for name in order:
        if name not in used:
            continue
        for declared in sorted(_declared(sources[name])):
            if declared in home:
                raise ModuleError(f"{name}: {declared} is also declared in {home[declared]}")
            home[declared] = name
        part = _EXPORT.sub("", _IMPORT.sub("", sources[name])).strip("\n")
        if left := _LEFT.search(part):
            raise ModuleError(f"{name}: found {left[0].strip()} in a form that is not understood")
        if ends := _ENDS.search(part):
            raise ModuleError(f"{name}: found {ends[0]}, which no script of a page may hold")
        parts.append(f"// ---------------- {name}\n\n{part}\n")
    return "\n".join(parts)


def _declared(source: str, *, exported: bool = False) -> set[str]:
    """The names that a module declares at its top; ``exported``: only those for others."""
    declared = (match for match in _NAMES.finditer(source) if match[1] or not exported)
    return {name for match in declared for name in re.findall(r"\w+", match[2])}


def _reached(needs: Mapping[str, set[str]], entry: str) -> set[str]:
    reached, waiting = set[str](), [entry]
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting += needs[name]
    return reached
