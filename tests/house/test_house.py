"""The house in order: no float before the report, imports one way, no machine's paths, a short front door."""

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import combinat
from tests.paths import ROOT

PACKAGE = ROOT / "combinat"
MODULES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted(PACKAGE.rglob("*.py"))
}


Nodes = list[ast.AST]
"""Every node of a syntax tree, the module first."""


def nodes_of(source: str) -> Nodes:
    return list(ast.walk(ast.parse(source)))


@cache
def parsed(path: Path) -> Nodes:
    return nodes_of(path.read_text("utf-8"))


def test_the_walks_see_the_package() -> None:
    """Were the paths above wrong, every walk below would find nothing to say."""
    assert {
        "combinat",
        "combinat.base.errors",
        "combinat.rules",
        "combinat.rules.odds",
        "combinat.cli.app",
    } <= set(MODULES)


# ---------------------------------------------------------------- no float

EXACT = {"comb", "factorial", "gcd", "isqrt", "lcm", "perm", "prod"}
"""The functions of ``math`` that give integers for integers."""

INEXACT_MODULES = {"cmath", "decimal", "statistics"}
INEXACT_TYPES = {"float16", "float32", "float64", "float128", "longdouble", "complex64", "complex128"}
MEANS = {"mean", "std", "var"}
"""Methods of arrays and frames that give floats; a module that defines one of its own may call it."""

INEXACT_NUMPY = {*MEANS, "average", "cbrt", "divide", "exp", "linspace", "log", "sqrt", "true_divide"}
INTEGER_TYPES = {"int", "int | None", "Whole", "Count", "Number"}
"""Annotations of integers; the last two are those of JSON, where an integer is a text."""

INTEGER_CALLS = {"falling", "int", "len", *EXACT}


@cache
def integer_fields() -> set[str]:
    """The names of fields, properties, functions and constants of the package that are integers wherever they are declared."""
    declared: dict[str, set[str]] = {}
    for path in filter(must_be_exact, MODULES.values()):
        for node in parsed(path):
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                declared.setdefault(node.target.id, set()).add(ast.unparse(node.annotation))
            elif isinstance(node, ast.FunctionDef) and node.returns:
                declared.setdefault(node.name, set()).add(ast.unparse(node.returns))
            elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]).isupper():
                parts = [
                    type(getattr(one, "value", 0))
                    for one in ast.walk(node.value)
                    if isinstance(one, ast.expr)
                ]
                declared.setdefault(ast.unparse(node.targets[0]), set()).add(
                    "int" if {*parts} == {int} else ""
                )
    return {name for name, types in declared.items() if types <= INTEGER_TYPES and types & {"int", "Whole"}}


def integer_names(function: ast.AST) -> set[str]:
    """The names of a function, or of a module, that hold integers: by their annotation, or by what is assigned to them."""
    assigned: dict[str, list[bool]] = {}
    names: set[str] = set()
    for _ in range(2):  # a name may be assigned from another
        assigned.clear()
        for node in ast.walk(function):
            match node:
                case ast.arg(arg=name, annotation=ast.Name(id=kind)):
                    assigned.setdefault(name, []).append(kind == "int")
                case ast.AnnAssign(target=ast.Name(id=name), annotation=ast.Name(id=kind)):
                    assigned.setdefault(name, []).append(kind == "int")
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    assigned.setdefault(name, []).append(is_integer(value, names))
                case ast.Name(id=name, ctx=ast.Store()):
                    assigned.setdefault(name, [])
                case _:
                    pass
        names = {name for name, each in assigned.items() if each and all(each)}
    return names


def is_integer(node: ast.expr, names: set[str]) -> bool:
    """Whether an expression is certainly an integer."""
    match node:
        case ast.Constant(value=int()):
            return True
        case ast.Name(id=name):
            return name in names or (name.isupper() and name in integer_fields())
        case ast.Attribute(attr=name):
            return name in integer_fields()
        case ast.Call(func=ast.Name(id="sum" | "max" | "min" | "abs"), args=[_, *_] as args):
            parts = (one.elt if isinstance(one, ast.GeneratorExp | ast.ListComp) else one for one in args)
            return all(is_integer(part, names) for part in parts)
        case ast.Call(func=ast.Name(id=name)):
            return name in INTEGER_CALLS or name in integer_fields()
        case ast.Call(func=ast.Attribute(value=ast.Name(id="math"), attr=name)):
            return name in EXACT
        case ast.BinOp(
            left=left, op=ast.Add() | ast.Sub() | ast.Mult() | ast.FloorDiv() | ast.Mod(), right=right
        ):
            return is_integer(left, names) and is_integer(right, names)
        case ast.UnaryOp(operand=inner):
            return is_integer(inner, names)
        case _:
            return False


def quotients(nodes: Nodes) -> Iterator[tuple[int, str]]:
    """Where a syntax tree divides an integer by an integer: ``/`` makes a float of them."""
    scopes = [node for node in nodes if isinstance(node, ast.FunctionDef | ast.Lambda)]
    names = cache(integer_names)
    for node in nodes:
        if isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Div):
            parts = (node.left, node.right) if isinstance(node, ast.BinOp) else (node.target, node.value)
            around = [one for one in scopes if one.lineno <= node.lineno <= (one.end_lineno or 0)]
            if any(all(is_integer(part, names(scope)) for part in parts) for scope in (nodes[0], *around)):
                yield node.lineno, f"the quotient {ast.unparse(node)}"


def floats(nodes: Nodes) -> Iterator[tuple[int, str]]:
    """Where a syntax tree makes floats, and by what."""
    yield from quotients(nodes)
    own = {node.name for node in nodes if isinstance(node, ast.FunctionDef)}
    for node in nodes:
        match node:
            case ast.Call(func=ast.Attribute(value=of, attr=name)) if (
                name in MEANS - own and ast.unparse(of) != "sample"  # protection/samples.py: exact
            ):
                yield node.lineno, f".{name}()"
            case ast.Attribute(value=ast.Name(id="np" | "numpy"), attr=name) if name in INEXACT_NUMPY:
                yield node.lineno, f"np.{name}"
            case ast.Call(func=func, args=args, keywords=keywords) if any(
                isinstance(given, ast.Name) and given.id == "float"
                for given in (*args, *(keyword.value for keyword in keywords))
            ) and not (isinstance(func, ast.Name) and func.id in ("isinstance", "issubclass")):
                yield node.lineno, "the type float"
            case ast.Constant(value=float() | complex() as value):
                yield node.lineno, f"the literal {value}"
            case ast.Constant(value=str() as value) if value in INEXACT_TYPES:
                yield node.lineno, f'the type "{value}"'
            case ast.Call(func=ast.Name(id="float" | "complex" as name)):
                yield node.lineno, f"{name}()"
            case ast.Attribute(value=ast.Name(id="math"), attr=name) if name not in EXACT:
                yield node.lineno, f"math.{name}"
            case ast.Attribute(attr=name) if name in INEXACT_TYPES:
                yield node.lineno, f"the type {name}"
            case ast.Import(names=names):
                for alias in names:
                    if alias.name in INEXACT_MODULES or (alias.name == "math" and alias.asname):
                        yield node.lineno, f"import {alias.name}"
            case ast.ImportFrom(module="math", names=names):
                for alias in names:
                    if alias.name not in EXACT:
                        yield node.lineno, f"math.{alias.name}"
            case ast.ImportFrom(module=module) if module in INEXACT_MODULES:
                yield node.lineno, f"import {module}"
            case _:
                pass


def must_be_exact(path: Path) -> bool:
    """Whether no float may be in this file.

    Floats are in ``render/``, pictures aside, in the numbers that a workbook keeps,
    in the probabilities of test statistics, which scipy computes, and in the seconds that a lock is waited for.
    """
    place = path.relative_to(PACKAGE)
    allowed = (
        "audit/evidence.py",
        "certify/folder_writer.py",
        "audit/judging/conditional.py",
        "audit/judging/groups.py",
        "audit/judging/decision.py",
        "audit/judging/sample.py",
        "audit/judging/tests.py",
        "audit/judging/serial.py",
        "audit/judging/statistics.py",
        "audit/permutation.py",
        "audit/power.py",
        "base/money.py",
        "base/kinds.py",
        "base/number.py",
        "base/tabular.py",
        "render/*.py",
        "report/workbook/*.py",
    )
    return not any(place.match(pattern) for pattern in allowed)


def test_no_float_before_the_report() -> None:
    exact = [path for path in MODULES.values() if must_be_exact(path)]
    assert len(exact) > 15
    found = [
        f"{path.relative_to(ROOT)}:{line}: {what}" for path in exact for line, what in floats(parsed(path))
    ]
    assert found == []


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("x = 0.5", "the literal 0.5"),
        ("x = 10 * (1e6,)[0]", "the literal 1000000.0"),
        ("x = 2j", "the literal 2j"),
        ("def f(x=-1.0): ...", "the literal 1.0"),
        ("x = float(y)", "float()"),
        ("import math\nx = math.sqrt(2)", "math.sqrt"),
        ("import math\nf = math.inf", "math.inf"),
        ("from math import comb, log", "math.log"),
        ("import math as m", "import math"),
        ("def f():\n    from decimal import Decimal", "import decimal"),
        ("import statistics", "import statistics"),
        ("x = counts.astype(np.float64)", "the type float64"),
        ('x = counts.astype("float32")', "the type float32"),
        ("x = counts.astype(float)", "the type float"),
        ("x = np.zeros(3, dtype=float)", "the type float"),
        ("x = counts.mean()", ".mean()"),
        ("x = np.sqrt(counts)", "np.sqrt"),
        ("x = len(cards) / 52", "the quotient len(cards) / 52"),
        ("def f(ways: int, space: int): return 2 * ways / space", "the quotient 2 * ways / space"),
        ("def f(ways: int):\n    half = ways - 1\n    return half / 2", "the quotient half / 2"),
        ("def f(ways: int):\n    ways /= 2", "the quotient ways /= 2"),
        ("x = min(len(cards), 6) / 2", "the quotient min(len(cards), 6) / 2"),
        ("x = analysis.sample_space / 6", "the quotient analysis.sample_space / 6"),
    ],
)
def test_the_walk_finds_a_float(source: str, found: str) -> None:
    assert [what.replace('"', "") for _, what in floats(nodes_of(source))] == [found]


@pytest.mark.parametrize(
    "source",
    [
        "x = 5 // 2",
        "import math\nx = math.comb(52, 6) + math.perm(52, 6)",
        "from math import gcd, lcm, prod",
        "from fractions import Fraction\nx = Fraction(1, 2)",
        "refused = isinstance(x, float)",
        "def f(ways: int, share: Fraction): return share / ways",
        "path = folder / name",
        "class Wager:\n    def mean(self): ...\n\n    def edge(self): return -self.mean()",
        'text = "0.5 is no float, and float64 in a sentence is none"',
    ],
)
def test_the_walk_leaves_what_is_exact(source: str) -> None:
    assert list(floats(nodes_of(source))) == []


@pytest.mark.parametrize(
    ("place", "exact"),
    [
        ("rules/odds.py", True),
        ("engine/walk.py", True),
        ("render/text.py", False),
        ("render/charts/elements.py", True),
        ("report/filing.py", True),
        ("audit/judging/statistics.py", False),
        ("audit/judging/replay.py", True),
        ("cli/report.py", True),
        ("base/errors.py", True),
    ],
)
def test_where_no_float_may_be(place: str, exact: bool) -> None:
    assert must_be_exact(PACKAGE / place) is exact


# ---------------------------------------------------------------- imports one way

GROUND = {"base", "rules"}
COUNTING = {*GROUND, "engine", "analysis"}
ROOMS: dict[str, set[str]] = {
    "base": set(),
    "render": {"base"},
    "rules": {"base"},
    "engine": GROUND,
    "analysis": {*GROUND, "engine"},
    "table": COUNTING,
    "montecarlo": COUNTING,
    "protection": {*COUNTING, "montecarlo"},
    "certify": {*COUNTING, "table", "protection"},
    "audit": {*COUNTING, "table", "montecarlo", "protection.inputs"},
    "report": {*COUNTING, "table", "montecarlo", "protection", "certify", "audit", "render"},
    "cli": {
        *(*COUNTING, "table", "montecarlo", "protection", "certify", "audit", "render", "report"),
    },
}
"""The rooms of the house, and which others each may enter: the whole of one, or one of its modules.

base <- rules <- engine <- analysis <- table, montecarlo <- protection <- certify, audit; render knows only base;
report knows the rooms above it and render; the commands put them together.
"""

CHECKER = "combinat.certify.checker"


def imports(module: str, nodes: Nodes, is_package: bool = False) -> Iterator[str]:
    """Every module that a module imports, at its top or inside a function, by full name.

    ``from combinat.rules import odds`` imports the module odds; ``from combinat import Shoe`` the package.
    """
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            home = node.module or ""
            if node.level:
                parts = module.split(".")
                parts = parts[: len(parts) - node.level + is_package]
                home = ".".join([*parts, home] if home else parts)
            for alias in node.names:
                inner = f"{home}.{alias.name}"
                if home == "combinat" and alias.name == "__version__":
                    continue  # a number, whoever asks
                yield inner if inner in MODULES else home


@cache
def ours() -> dict[str, set[str]]:
    """What each module imports of ours."""
    return {
        module: {
            name
            for name in imports(module, parsed(path), path.name == "__init__.py")
            if name.partition(".")[0] == "combinat"
        }
        for module, path in MODULES.items()
    }


def room(module: str) -> str:
    """The room that a module is in; empty: it is the front door."""
    _, *inner = module.split(".")
    if not inner or inner == ["__main__"]:
        return ""
    assert inner[0] in ROOMS, f"{module} has no place in the house: {', '.join(ROOMS)}"
    return inner[0]


def may_enter(module: str, name: str) -> bool:
    """Whether a module may import another."""
    home = room(module)
    if not home or home == room(name):
        return True
    inner = name.removeprefix("combinat").lstrip(".")
    return any(inner == known or inner.startswith(f"{known}.") for known in ROOMS[home])


def test_every_room_of_the_design_is_there() -> None:
    assert {room(module) for module in MODULES if "." in module} - {""} == set(ROOMS)


def test_imports_go_one_way() -> None:
    assert sum(map(len, ours().values())) > 50
    astray = [
        f"{module} imports {name}"
        for module, names in ours().items()
        for name in names
        if not may_enter(module, name)
    ]
    assert astray == []


@pytest.mark.parametrize(
    ("module", "name", "may"),
    [
        ("combinat.certify.dossier", "combinat.engine.walk", True),
        ("combinat.engine.walk", "combinat.certify.dossier", False),
        ("combinat.certify.dossier", "combinat.render.text", False),
        ("combinat.render.text", "combinat.rules.game", False),
        ("combinat.certify.verification", "combinat.report.filing", False),
        ("combinat.certify.verification", "combinat.base.files", True),
        ("combinat.certify.verification", "combinat.render.text", False),
        ("combinat.certify.dossier", "combinat.montecarlo.dealer", False),
        ("combinat.montecarlo.dealer", "combinat.audit.judging.replay", False),
        ("combinat.rules.bet", "combinat", False),
        ("combinat", "combinat.cli.app", True),
    ],
)
def test_who_may_enter_where(module: str, name: str, may: bool) -> None:
    assert may_enter(module, name) is may


def test_no_import_runs_in_a_circle() -> None:
    """Neither between modules nor between the packages that share a floor."""
    order = list(
        TopologicalSorter({module: names - {module} for module, names in ours().items()}).static_order()
    )
    assert set(order) >= set(MODULES)
    packages: dict[str, set[str]] = {}
    for module, names in ours().items():
        home = ".".join(module.split(".")[:2])
        packages.setdefault(home, set()).update({".".join(name.split(".")[:2]) for name in names} - {home})
    assert set(TopologicalSorter(packages).static_order()) >= set(packages)


def foreign(nodes: Nodes) -> set[str]:
    """What a syntax tree imports from outside the standard library."""
    return {name for name in imports(CHECKER, nodes) if name.partition(".")[0] not in sys.stdlib_module_names}


def test_the_checker_stands_alone() -> None:
    assert foreign(parsed(MODULES[CHECKER])) == set()


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("import json\nfrom fractions import Fraction", set()),
        ("from combinat import load_game", {"combinat"}),
        ("from combinat.rules import odds", {"combinat.rules.odds"}),
        ("from combinat.rules.odds import Odds", {"combinat.rules.odds"}),
        ("from ..base import errors", {"combinat.base.errors"}),
        ("from ..rules.shoe import Shoe", {"combinat.rules.shoe"}),
        ("from . import signature", {"combinat.certify.signature"}),
        ("def f():\n    import numpy.linalg", {"numpy.linalg"}),
    ],
)
def test_the_walk_finds_what_the_checker_may_not_import(source: str, found: set[str]) -> None:
    assert foreign(nodes_of(source)) == found


# ---------------------------------------------------------------- no machine's paths, a short front door

OWNERS = ("home", "root", "Users", "work", "mnt", "workspace")
MACHINE_PATH = re.compile(rf"(?<![\w.~])/(?:{'|'.join(OWNERS)})/|\b[A-Z]:\\Users", re.ASCII)
OUR_HIDDEN = {".ci", ".github"}
MADE = {"__pycache__", "build", "dist"}


def files(folder: Path) -> Iterator[Path]:
    """Every file of the project: not what tools make or keep beside it."""
    for path in sorted(folder.iterdir()):
        if not path.is_dir():
            if path.name != ".git":  # in a worktree it is a file, which names a place
                yield path
        elif path.name not in MADE and (path.name in OUR_HIDDEN or not path.name.startswith(".")):
            yield from files(path)


def test_no_file_names_a_path_of_a_machine() -> None:
    found, texts = [], set()
    for path in files(ROOT):
        try:
            text = path.read_bytes().decode("utf-8")
        except UnicodeDecodeError:
            continue  # no text
        place = path.relative_to(ROOT).as_posix()
        texts.add(place)
        found += [f"{place}: {text[match.start() :][:100]}" for match in MACHINE_PATH.finditer(text)]
    assert {"pyproject.toml", "combinat/__init__.py", "tests/house/test_house.py"} <= texts
    assert found == []


@pytest.mark.parametrize("owner", OWNERS)
def test_the_walk_finds_a_path_of_a_machine(owner: str) -> None:
    assert MACHINE_PATH.search(f'open("/{owner}/someone/shoe.toml")')
    assert not MACHINE_PATH.search(f"https://example.org/{owner}/shoe.toml and ./{owner}/ are no machine's")


@pytest.mark.parametrize("module", [name for name, path in MODULES.items() if path.name == "__init__.py"])
def test_a_front_door_fits_on_a_page(module: str) -> None:
    assert len(MODULES[module].read_text("utf-8").splitlines()) <= 60


def test_the_public_names_are_all_there() -> None:
    assert len(set(dir(combinat))) == len(dir(combinat)) <= 45
    assert [name for name in dir(combinat) if not hasattr(combinat, name)] == []
    assert {"CombinatError", "Shoe", "load_game", "__version__"} <= set(dir(combinat))


EXACT_SIDE = ("engine", "analysis", "rules.table_of_play", "rules.round", "rules.outcome", "rules.settlement")
"""What the exact side computes with: the simulator would repeat its mistakes."""


def exact_imports(module: str) -> set[str]:
    """The parts of the exact side that a module imports."""
    names = {name.removeprefix("combinat.") for name in ours()[f"combinat.{module}"]}
    return {one for one in EXACT_SIDE for name in names if name == one or name.startswith(f"{one}.")}


def test_the_simulator_shares_no_code_with_the_exact_side() -> None:
    """And what judges the simulator does import the exact side, and is found to."""
    modules = ("cell", "dealer", "partition", "shoes", "tally", "simulation")
    assert {module: exact_imports(f"montecarlo.{module}") for module in modules} == {
        name: set() for name in modules
    }
    assert exact_imports("audit.judging.expected") == {"engine", "analysis", "rules.outcome"}
