"""combinat: exact combinatorial analysis of baccarat games.

A game is an id (``"commission-insurance-2013"``), the beginning of one, the path of a TOML rule book, or a ``Game``.
``docs/python.md`` shows all of it at work; ``help(combinat.odds)`` and the like explain one function.

Games:          games load_game parse_game check diff coverage
Exact odds:     odds (also named analyze) insurance round_in_progress formula removal evaluate solve
At the table:   settle settle_table ruling exposure
Protection:     protect study count counts perfect
Reports:        write_report verify
Simulators:     simulate crosscheck follow convert power review
Values:         Game Shoe Round Rank
Answers:        Analysis Evaluation Verdict, and others that need no import
Errors:         CombinatError, and below it InputError RuleBookError FileError CertificateError

>>> from combinat import load_game, odds
>>> odds(load_game("commission-insurance-2013").paying(tie="9 to 1"), decks=6)["tie"].house_edge
Fraction(15048464435, 305162919061)
"""

from functools import cache
from importlib import import_module
from typing import Any

__version__ = "0.5.0"


@cache
def _homes() -> dict[str, str]:
    """The module of each public name, as ``__init__.pyi`` imports it: that stub is the one list of names."""
    import ast
    from pathlib import Path

    stub = ast.parse(Path(__file__).with_suffix(".pyi").read_text("utf-8"))
    imports = [node for node in stub.body if isinstance(node, ast.ImportFrom)]
    return {alias.name: str(node.module) for node in imports for alias in node.names}


def __getattr__(name: str) -> Any:
    """Import a public name on first use (PEP 562), and let notebooks show records as tables."""
    if name.startswith("__") or name not in _homes():
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import_module("combinat.base.tabular").present_with(lambda: import_module("combinat.report.notebook"))
    return getattr(import_module(_homes()[name]), name)


def __dir__() -> list[str]:
    return ["__version__", *_homes()]
