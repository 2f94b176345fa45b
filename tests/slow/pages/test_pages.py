"""Every page is executed: README and docs/, block after block (``tests/pages.py`` says how a page is written).

A page that does not print what it shows fails, and what it would have to show is written beside it as ``.new``.
"""

import doctest
import json
import re
import shlex
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from difflib import unified_diff
from itertools import dropwhile, takewhile
from pathlib import Path
from typing import Any

import pytest

from combinat.cli.app import COMMANDS, imported
from combinat.cli.usage import OF_THE_PROGRAM
from tests.approved.commands import copy_data
from tests.conftest import Run
from tests.house.pages import (
    PAGES,
    SOURCES,
    Block,
    Command,
    PageError,
    blocks,
    changed,
    commands,
    fits,
    is_shown_of,
)
from tests.paths import ROOT, stored
from tests.programs import process
from tests.programs import python as run_python

NAMES = [path.relative_to(ROOT).as_posix() for path in PAGES]
MENTIONED = {"apt-get", "cd", "cp", "git", "ls", "pip", "python", "python3", "sha256sum", "taplo", "zcat"}
"""Programs of an ``sh`` block that are not ours."""
AT_THE_END = "at the end of "


@dataclass
class Folder:
    """A page as it is executed: its folder, what was printed, its Python, what is wrong."""

    name: str
    path: Path
    run: Run
    monkeypatch: pytest.MonkeyPatch
    printed: list[tuple[str, str]] = field(default_factory=list)
    namespace: dict[str, Any] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)

    def at(self, block: Block, what: str) -> None:
        """Note what is wrong with a block."""
        self.wrong.append(f"{self.name}:{block.line}: {what}")

    def file(self, title: str) -> Path:
        """A file of the page, within its folder."""
        path = (self.path / title).resolve()
        if not path.is_relative_to(self.path.resolve()):
            raise PageError(f"{self.name}: {title} is not in the folder of the page")
        return path


def ran(folder: Folder, command: Command) -> tuple[int, str]:
    """How a command leaves, and what it prints."""
    words = shlex.split(command.typed)
    setting = dict(word.split("=", 1) for word in takewhile(re.compile(r"[A-Z_]+=").match, words))
    program, *arguments = words[len(setting) :]
    if program == "cat":
        return 0, "".join(folder.file(name).read_text("utf-8") for name in arguments)
    if program in ("python", "python3"):
        done = run_python(*arguments)
        return done.code, done.out + done.err
    if program != "combinat" or not {"|", ">", "&&"}.isdisjoint(arguments):
        raise PageError(f"{folder.name}: {command.typed}: combinat, cat or python, and no pipe")
    with folder.monkeypatch.context() as patch:
        for key, value in setting.items():
            patch.setenv(key, value)
        left = folder.run(*arguments, columns=setting.get("COLUMNS", "100"))
    return left.code, left.out + left.err


def console(folder: Folder, block: Block) -> str:
    """Run the commands of a block; the block as it would have to be."""
    right = []
    for command in commands(block, folder.name):
        code, printed = ran(folder, command)
        folder.printed.append((command.typed, printed))
        lines = printed.splitlines()
        if code != command.code:
            folder.at(block, f"{command.typed}: leaves with {code}, the page says {command.code}")
        if not fits(command.shown, lines):
            difference = "\n".join(
                unified_diff(command.shown, lines, "the page", "printed", lineterm="", n=1)
            )
            folder.at(block, f"{command.typed}: prints something else\n{difference}")
        shown = command.shown if fits(command.shown, lines) else lines
        right += [f"$ {command.typed}" + (f" # exit {code}" if code else ""), *shown]
    return "".join(f"{line}\n" for line in right)


def python(folder: Folder, block: Block) -> str:
    """Run the examples of a block; the block as it would have to be, as far as a program can say."""
    test = doctest.DocTestParser().get_doctest(block.text, {}, folder.name, folder.name, block.line)
    if not test.examples:
        folder.at(block, "Python without >>>: nothing of it is executed")
    test.globs = folder.namespace
    said: list[str] = []
    failed = doctest.DocTestRunner().run(test, out=said.append, clear_globs=False).failed
    if failed:
        folder.at(block, "".join(said))
    return block.text


def file(folder: Folder, block: Block) -> str:
    """Write a file, change it, or look for what is shown of one."""
    if block.language == "diff":
        if block.title is None:
            raise PageError(f"{folder.name}:{block.line}: a diff has the title of the file that it changes")
        path = folder.file(block.title)
        path.write_text(changed(block, path.read_text("utf-8"), folder.name), "utf-8")
    elif block.title is not None and block.title.startswith(AT_THE_END):
        path = folder.file(block.title.removeprefix(AT_THE_END))
        path.write_text(f"{path.read_text('utf-8')}\n{block.text}", "utf-8")
    elif block.title is not None:
        path = folder.file(block.title)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block.text, "utf-8")
    else:
        paths = folder.path.rglob(f"*.{'v' if block.language == 'coq' else block.language}")
        wholes = [(path.name, path.read_text("utf-8")) for path in (*paths, *SOURCES)]
        wholes += [(f"printed.{block.language}", printed) for _, printed in folder.printed]
        if not any(is_shown_of(block, name, whole) for name, whole in wholes):
            folder.at(
                block, "no file of this page, rule book or output has this; give it a title to write it"
            )
    return block.text


def mentioned(folder: Folder, block: Block) -> str:
    """Look whether what a block of commands names is there; nothing is run."""
    for line in block.text.splitlines():
        words = shlex.split(line, comments=True)
        for program, *arguments in _each(words):
            if program == "make":
                targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
                unknown = [word for word in arguments if "=" not in word and word not in targets]
            elif program == "combinat":
                command, *rest = dropwhile(OF_THE_PROGRAM.__contains__, arguments)
                unknown = _unknown_options(command, rest) if command in COMMANDS else [command]
            else:
                unknown = [] if program in MENTIONED else [program]
            if unknown:
                folder.at(block, f"{line}: there is no {unknown[0]}")
    return block.text


def _each(words: list[str]) -> list[list[str]]:
    """The commands of a line that ``&&`` or ``|`` joins."""
    each: list[list[str]] = [[]]
    for word in words:
        if word in ("&&", "|"):
            each.append([])
        else:
            each[-1].append(word)
    return [command for command in each if command]


def _unknown_options(command: str, words: list[str]) -> list[str]:
    names = {
        name
        for parameter in imported(command).params
        for name in (*parameter.opts, *parameter.secondary_opts)
    }
    options = {word.partition("=")[0] for word in words if word.startswith("-") and word != "-"}
    return sorted(options - names - {"-h", "--help"})


def text(folder: Folder, block: Block) -> str:
    """Look that a text is no command."""
    for line in block.text.splitlines():
        if re.match(r"^(\$ |>>> |combinat )", line):
            folder.at(block, f"{line}: a command that is not executed; write console, sh or python, not text")
    return block.text


def left_to_node(folder: Folder, block: Block) -> str:
    """What another test here runs."""
    return block.text


KINDS: dict[str, Callable[[Folder, Block], str]] = {
    "console": console,
    "coq": file,
    "csv": file,
    "diff": file,
    "js": left_to_node,
    "json": file,
    "python": lambda folder, block: (python if block.title is None else file)(folder, block),
    "sh": mentioned,
    "text": text,
    "toml": file,
}


def executed(name: str, page: str, folder: Folder) -> str:
    """Execute a page; the page as it would have to be."""
    lines = page.splitlines(keepends=True)
    right, at = [], 0
    for block in blocks(page, name):
        end = block.line + block.text.count("\n")
        if block.language not in KINDS:
            folder.at(block, f"a block of {block.language or 'no language'}, which nothing executes")
            continue
        became = KINDS[block.language](folder, block)
        if became != block.text:
            right += [*lines[at : block.line], became]
            at = end
    return "".join([*right, *lines[at:]])


@pytest.fixture
def folder(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> Folder:
    """An empty folder to execute a page in, with the data of docs/ as a checkout has it."""
    copy_data(tmp_path)
    monkeypatch.chdir(tmp_path)
    return Folder("page", tmp_path, run, monkeypatch)


@pytest.mark.parametrize("name", NAMES)
def test_a_page_is_so(name: str, folder: Folder) -> None:
    """Every block of it, in order."""
    folder.name = name
    path = ROOT / name
    page = path.read_text("utf-8")
    try:
        right = executed(name, page, folder)
    except PageError as error:
        pytest.fail(str(error), pytrace=False)
    if right != page:
        path.with_suffix(".md.new").write_text(right, "utf-8")
    if folder.wrong:
        pytest.fail("\n\n".join(folder.wrong), pytrace=False)


def python_of(page: str, name: str) -> dict[str, str]:
    """The Python of a page: what is typed, without what comes of it, and its files by their titles."""
    sources: dict[str, str] = {}
    for block in blocks(page, name):
        if block.language == "python" and block.title is not None:
            sources[block.title] = block.text
        elif block.language == "python":
            typed = doctest.DocTestParser().get_examples(block.text)
            sources["typed"] = sources.get("typed", "") + "".join(example.source for example in typed)
    return sources


def test_the_python_of_every_page_is_typed(tmp_path: Path) -> None:
    """By ``mypy --strict``, each page as a module."""
    modules = []
    for name in NAMES:
        for title, source in python_of((ROOT / name).read_text("utf-8"), name).items():
            modules.append(tmp_path / f"{re.sub(r'[^a-z0-9]', '_', f'{name} {title}'.lower())}.py")
            modules[-1].write_text(source, "utf-8")
    words = ["-m", "mypy", "--strict", "--no-error-summary", *map(str, modules)]
    checked = run_python(*words, folder=ROOT, PYTHONPATH="")
    if checked.code:
        pytest.fail(checked.out + checked.err, pytrace=False)
    assert len(modules) > 2


RUN_JS = """
import { readFileSync } from "node:fs";
const folder = new URL(`file://${process.argv[2]}/`);
const [{ readBooks }, { functions }] = await Promise.all(["model.js", "api.js"].map((name) => import(new URL(name, folder))));
const { page_data: data, code } = JSON.parse(readFileSync(0, "utf-8"));
const books = readBooks(data);
new Function("combinat", code)(functions(books.entries));
"""


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
@pytest.mark.parametrize("name", [name for name in NAMES if "```js\n" in (ROOT / name).read_text("utf-8")])
def test_the_js_of_a_page_runs(name: str, tmp_path: Path) -> None:
    """With ``combinat`` as the explorer has it."""
    from combinat.report.explorer.page import WEB, page_data
    from combinat.rules.book.load import load_game
    from tests.documents import GAMES

    code = "".join(
        block.text for block in blocks((ROOT / name).read_text("utf-8"), name) if block.language == "js"
    )
    asked = json.dumps({"page_data": page_data([load_game(game) for game in GAMES]), "code": code})
    words = ["node", str(stored(tmp_path, RUN_JS, "run.mjs")), str(WEB)]
    done = process(words, given=asked)
    assert (done.code, done.err) == (0, "")


# ---------------------------------------------------------------- the runner itself

GOOD = """# A page

```toml title="shoes.toml"
[[counts]]
name = "nines"
bet = "tie"
```

```toml
[[counts]]
bet = "tie"
```

```diff title="shoes.toml"
 [[counts]]
-name = "nines"
+name = "sixes"
```

```console
$ cat shoes.toml
[[counts]]
name = "sixes"
...
$ combinat odds nothing # exit 2
combinat: no game "nothing". The games are commission-insurance-2013, tiger-buffalo-commission-plus-2024, tiger-buffalo-noncommission-2025, tiger-buffalo-noncommission-plus-2024; or give a path to a TOML file
```

```python
>>> decks = 8
>>> decks * 52
416
```

```sh
combinat odds GAME --decks 8   # a remark
make test && ls
```
"""

WRONG = [
    ('name = "sixes"\n...', 'name = "fives"\n...', "cat shoes.toml: prints something else"),
    ("416", "417", "417"),
    ("```toml\n[[counts]]\nbet", '```toml\n[[counts]]\nname = "tens"\nbet', "page:9: "),
    ('-name = "nines"', '-name = "ones"', "shoes.toml has the lines that change 0 times, not once"),
    ("# exit 2", "# exit 1", "leaves with 2, the page says 1"),
    ("--decks 8   #", "--deks 8   #", "there is no --deks"),
    ("make test", "make tests", "there is no tests"),
    ("```sh", "```text", "a command that is not executed"),
    ("```python", "```perl", "a block of perl, which nothing executes"),
    (">>> decks = 8\n>>> decks * 52\n416", "decks = 8", "Python without >>>"),
    ("$ cat shoes.toml", "$ cat ../shoes.toml", "../shoes.toml is not in the folder of the page"),
    ("...\n$", "$", "cat shoes.toml: prints something else"),
]
"""A change of the page, and the reason for which it is refused."""


def test_a_page_that_is_so_is_accepted(folder: Folder) -> None:
    assert executed("page", GOOD, folder) == GOOD
    assert folder.wrong == []


@pytest.mark.parametrize(("shown", "other", "why"), WRONG, ids=[other for _, other, _ in WRONG])
def test_a_page_that_is_not_so_is_refused(folder: Folder, shown: str, other: str, why: str) -> None:
    assert GOOD.count(shown) == 1
    try:
        executed("page", GOOD.replace(shown, other), folder)
    except PageError as error:
        folder.wrong.append(str(error))
    (refusal,) = folder.wrong
    assert why in refusal


def test_what_would_have_to_be_shown_is_given(folder: Folder) -> None:
    wrong = GOOD.replace('"sixes"\n...', '"fives"\n...')
    assert executed("page", wrong, folder) == GOOD.replace("...\n", 'bet = "tie"\n')
