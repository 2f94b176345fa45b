"""The size of the package: ``python -m tests.house.size`` prints the figures that ``limits.toml`` bounds."""

import ast
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from combinat.cli.app import COMMANDS, imported
from tests.paths import ROOT

PACKAGE = ROOT / "combinat"


@dataclass(frozen=True)
class Size:
    """Modules by folder, statements by module and by room, class names used more than once, lines of JavaScript."""

    modules: Counter[str] = field(default_factory=Counter)
    statements_in_a_module: Counter[str] = field(default_factory=Counter)
    statements: Counter[str] = field(default_factory=Counter)
    shared_class_names: tuple[str, ...] = ()
    javascript: int = 0


def statements(tree: ast.AST) -> int:
    """The number of statements, docstrings not counted."""
    return sum(
        isinstance(node, ast.stmt)
        and not (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
        )
        for node in ast.walk(tree)
    )


def size(package: Path = PACKAGE) -> Size:
    """The size of a package: a room is a folder of it, with the folders inside."""
    counted, classes = Size(), Counter[str]()
    for path in sorted(package.rglob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        place = path.relative_to(package)
        number = statements(tree)
        counted.modules[place.parent.as_posix()] += 1
        counted.statements_in_a_module[place.as_posix()] = number
        counted.statements[place.parts[0] if len(place.parts) > 1 else "."] += number
        own = [node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
        classes.update(name for name in own if not name.startswith("_"))
    return Size(
        counted.modules,
        counted.statements_in_a_module,
        counted.statements,
        tuple(sorted(name for name, times in classes.items() if times > 1)),
        sum(len(path.read_text("utf-8").splitlines()) for path in package.rglob("*.js")),
    )


def options() -> int:
    """The number of options of all commands, each command's own, ``--help`` not counted."""
    params = [param for command in COMMANDS for param in imported(command).params]
    return sum(param.param_type_name == "option" for param in params)


if __name__ == "__main__":
    now = size()
    for name in ("modules", "statements_in_a_module", "statements"):
        print(f"\n[{name}]")
        for place, number in sorted(getattr(now, name).items()):
            if (
                number > {"modules": 20, "statements_in_a_module": 300}.get(name, 0)
                and "checker" not in place
            ):
                print(f'"{place}" = {number}')
    print(f"\n[whole]\nshared_class_names = {len(now.shared_class_names)}\njavascript = {now.javascript}")
    print(f"options = {options()}")
