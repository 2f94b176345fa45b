"""The page about Python: what it shows is so, and type-checks."""

import ast
import doctest
from pathlib import Path

PAGE = Path(__file__).parent.parent / "docs" / "python.md"
TYPED = Path(__file__).parent / "docs_python.py"
"""The code of the page, where mypy sees it."""


def examples() -> list[doctest.Example]:
    return doctest.DocTestParser().get_examples(PAGE.read_text("utf-8"), PAGE.name)


def test_the_page_says_what_python_says() -> None:
    tests = doctest.DocTestParser().get_doctest(PAGE.read_text("utf-8"), {}, PAGE.name, str(PAGE), 0)
    ran = doctest.DocTestRunner().run(tests)
    assert (ran.failed, ran.attempted > 20) == (0, True)


def test_the_code_of_the_page_is_type_checked() -> None:
    code = "".join(example.source for example in examples())
    typed = ast.parse(TYPED.read_text("utf-8"))
    assert ast.dump(ast.Module(typed.body[1:], [])) == ast.dump(ast.Module(ast.parse(code).body, []))
