"""A ratchet against sprawl: no part of the package grows over its limit in ``limits.toml``."""

import tomllib
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.house.size import Size, options, size
from tests.paths import TESTS

LIMITS = tomllib.loads((TESTS / "house" / "limits.toml").read_text("utf-8"))
MODULES, CLI_MODULES, STATEMENTS = 20, 42, 300
CHECKER = "certify/checker.py"
"""It stands alone, so it is one module, whatever its length."""

SLACK = 20
"""A limit that is over the figure by more than one part in so many is to be lowered."""


@pytest.fixture(scope="module")
def now() -> Size:
    return size()


def mistakes(found: Mapping[str, int], limits: Mapping[str, int], usual: int | None = None) -> list[str]:
    """What is over its limit, and limits that are no longer needed or are too high."""
    wrong = []
    for name in sorted({*found, *limits}):
        number, limit = found.get(name, 0), limits.get(name, usual or 0)
        if number > limit:
            wrong.append(f"{name} has {number}, over its limit of {limit}")
        elif name in limits and usual is not None and number <= usual:
            wrong.append(f"{name} has {number}: it needs no limit of its own")
        elif name in limits and (limit - number) * SLACK > limit:
            wrong.append(f"{name} has {number}: lower its limit of {limit}")
    return wrong


def test_a_folder_has_few_modules(now: Size) -> None:
    """At most 20; the commands 42."""
    usual = {"cli": CLI_MODULES} if now.modules["cli"] <= CLI_MODULES else {}
    found = {name: number for name, number in now.modules.items() if name not in usual}
    assert mistakes(found, LIMITS["modules"], MODULES) == []


def test_a_module_has_at_most_300_statements(now: Size) -> None:
    found = {name: number for name, number in now.statements_in_a_module.items() if name != CHECKER}
    assert mistakes(found, LIMITS["statements_in_a_module"], STATEMENTS) == []


def test_a_room_does_not_grow(now: Size) -> None:
    assert mistakes(now.statements, LIMITS["statements"]) == []


def test_the_whole_does_not_grow(now: Size) -> None:
    found = {"shared_class_names": len(now.shared_class_names), "javascript": now.javascript}
    found["options"] = options()
    assert mistakes(found, LIMITS["whole"]) == [], now.shared_class_names


def test_what_is_counted(tmp_path: Path) -> None:
    (tmp_path / "room" / "inner").mkdir(parents=True)
    module = '"""A docstring."""\n\n\nclass One:\n    """Another."""\n\n    x = 1\n\n\nclass _Own: ...\n'
    (tmp_path / "room" / "a.py").write_text(module, "utf-8")
    (tmp_path / "room" / "inner" / "b.py").write_text(module, "utf-8")
    (tmp_path / "c.py").write_text("x = 1\n", "utf-8")
    (tmp_path / "room" / "d.js").write_text("let a\nlet b\n", "utf-8")
    counted = size(tmp_path)
    assert counted.modules == {".": 1, "room": 1, "room/inner": 1}
    assert counted.statements == {".": 1, "room": 8}
    assert counted.statements_in_a_module["room/a.py"] == 4
    assert (counted.shared_class_names, counted.javascript) == (("One",), 2)


def test_a_limit_is_exceeded_too_high_or_not_needed() -> None:
    assert mistakes({"a": 21, "b": 20}, {}, 20) == ["a has 21, over its limit of 20"]
    assert mistakes({"a": 31, "b": 30}, {"a": 30, "b": 30}, 20) == ["a has 31, over its limit of 30"]
    assert mistakes({"a": 90}, {"a": 100}) == ["a has 90: lower its limit of 100"]
    assert mistakes({"a": 20, "b": 96}, {"a": 40, "b": 100}, 20) == ["a has 20: it needs no limit of its own"]
