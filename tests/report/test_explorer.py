"""The explorer page as a file: one script, one style, data that stay data; written, refused, put together."""

import json
import re
from graphlib import CycleError
from pathlib import Path

import pytest

from combinat.certify.collection import EXPLORER as CERTIFIED
from combinat.certify.collection import INDEX
from combinat.render.web_page import assembled
from combinat.report.explorer import EXPLORER, explorer
from combinat.report.explorer.page import WEB, page_texts, script
from combinat.rules.book.load import load_game, parsed_game
from combinat.rules.game import Game
from tests.conftest import SMALL_BOOK, Run
from tests.documents import COMMISSION_2013, GAMES
from tests.explorer.engine import NODE
from tests.html_page import Elements, assert_runs_only_its_script
from tests.paths import ROOT, stored
from tests.programs import process

MOST_BYTES = 1_500_000


@pytest.fixture(scope="module")
def page() -> str:
    """The page of the four games."""
    return explorer([load_game(game) for game in GAMES]).decode("utf-8")


def test_the_page_is_small_and_the_same_whatever_the_order(page: str) -> None:
    assert len(page.encode("utf-8")) < MOST_BYTES
    assert explorer([load_game(game) for game in reversed(GAMES)]).decode("utf-8") == page


def test_nothing_runs_but_the_one_script_and_nothing_is_requested(page: str) -> None:
    elements = Elements(page)
    assert_runs_only_its_script(elements)
    (data, _) = elements.texts["script"]
    assert [game["book"]["id"] for game in json.loads(data)["games"]] == sorted(GAMES)
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", page)


def test_no_line_of_javascript_is_over_110_characters() -> None:
    """Biome formats code and leaves comments and texts alone (``make javascript``)."""
    parts = ("combinat/**/*.js", "docs/site/*.js", "tests/**/*.mjs")
    paths = [path for part in parts for path in ROOT.glob(part)] + [WEB / "style.css", WEB / "texts.toml"]
    assert len(paths) > 25
    over = [
        (path.name, line)
        for path in paths
        for line in path.read_text("utf-8").splitlines()
        if len(line) > 110
    ]
    assert over == []


HOSTILE = "</script><img src=x onerror=alert(1)><!--<script>&amp;"


def test_a_text_of_a_rule_book_stays_data(small_game: Game) -> None:
    text = small_game.content.decode("utf-8").replace(
        'name = "Small Baccarat"', f"name = {json.dumps(HOSTILE)}"
    )
    hostile = parsed_game(text.encode("utf-8"), SMALL_BOOK)
    written = explorer([hostile]).decode("utf-8")
    assert HOSTILE not in written
    assert [tag for tag, _ in Elements(written).tags] == [
        tag for tag, _ in Elements(explorer([small_game]).decode()).tags
    ]
    (data, _) = Elements(written).texts["script"]
    assert json.loads(data)["games"][0]["book"]["name"] == HOSTILE


def test_what_certifies_the_page_and_what_draws_it_call_it_the_same() -> None:
    assert (EXPLORER, INDEX) == (CERTIFIED, "README.md")


# ---------------------------------------------------------------- the command


def test_explore_writes_the_page(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "folder" / "page.html"
    assert str(out) in run("explore", COMMISSION_2013, str(SMALL_BOOK), "--out", str(out)).output()
    assert out.read_bytes() == explorer([load_game(COMMISSION_2013), load_game(SMALL_BOOK)])


def test_explore_takes_every_game_when_none_is_named(run: Run, here: Path, page: str) -> None:
    run("explore").output()
    assert (here / EXPLORER).read_text("utf-8") == page


def test_explore_refuses_a_rule_book_as_its_file_and_one_id_twice(run: Run, tmp_path: Path) -> None:
    own = stored(tmp_path, SMALL_BOOK.read_bytes(), "small-baccarat.toml")
    for arguments in (
        ("no-such-game",),
        (str(own), "--out", str(own)),
        (str(own), str(SMALL_BOOK)),
        (COMMISSION_2013, "--out", str(tmp_path)),
    ):
        run("explore", *arguments).refusal()
    assert own.read_bytes() == SMALL_BOOK.read_bytes()


# ---------------------------------------------------------------- modules put together


def test_the_script_holds_every_module_once_and_no_import(page: str) -> None:
    code = script()
    names = [path.name for path in WEB.glob("*.js")]
    assert sorted(re.findall(r"^// -+ (\w+\.js)$", code, re.MULTILINE)) == sorted(names)
    assert not re.search(r"^\s*(import|export)\b", code, re.MULTILINE)
    assert code.strip() in page


def test_modules_stand_in_the_order_of_their_imports() -> None:
    sources = {
        "app.js": 'import { one } from "./parts.js";\nimport {\n  two,\n} from "./more.js";\none(two);\n',
        "parts.js": 'import { two } from "./more.js";\nexport function one() { return two; }\n',
        "more.js": "export const two = 2;\n",
    }
    assert assembled(sources) == (
        "// ---------------- more.js\n\nconst two = 2;\n\n"
        "// ---------------- parts.js\n\nfunction one() { return two; }\n\n"
        "// ---------------- app.js\n\none(two);\n"
    )


@pytest.mark.parametrize(
    "source", ['import x from "./a.js";\n', "export default 1;\n", 'const x = "</SCRIPT>";\n', "// <!--\n"]
)
def test_a_module_that_cannot_stand_in_a_script_is_refused(source: str) -> None:
    with pytest.raises(ValueError, match=r"app\.js: found"):
        assembled({"app.js": source})


def test_modules_that_import_each_other_in_a_circle_are_refused() -> None:
    with pytest.raises(CycleError):
        assembled({"a.js": 'import { b } from "./b.js";\n', "b.js": 'import { a } from "./a.js";\n'})


@pytest.mark.skipif(NODE is None, reason="node is not installed")
def test_the_script_declares_every_name_once(tmp_path: Path) -> None:
    """Node refuses a script in which two modules declare one name; the tests of the engine import the modules."""
    assert NODE is not None
    page, twice = tmp_path / "page.mjs", tmp_path / "twice.mjs"
    page.write_text(script(), "utf-8")
    twice.write_text(assembled({"a.js": "const x = 1;\n", "b.js": "function x() {}\n"}), "utf-8")
    assert [process([NODE, "--check", str(path)]).code for path in (page, twice)] == [0, 1]


def test_every_text_is_asked_for_and_every_text_asked_for_is_there() -> None:
    """Keys that a module makes from a word (``why_natural``) stand in it as that word."""
    source = "".join(path.read_text("utf-8") for path in WEB.glob("*.js"))
    asked = set(re.findall(r'\b(?:t|action|help|refuse|column|numbers|nameColumn)\(\s*"([\w-]+)"', source))
    assert len(asked) > 50
    assert asked - set(page_texts()["texts"]) == set()
    begun = tuple(re.findall(r"\b(?:t|action)\(`(\w+)\$", source))
    named = {key for key in page_texts()["texts"] if key.startswith(begun) or re.search(rf'"{key}"', source)}
    assert set(page_texts()["texts"]) - named == set()
    terms = {one or other for one, other in re.findall(r'\bterm: "(\w+)"|\bterm\("(\w+)"\)', source)}
    assert len(terms) > 10
    assert terms - set(page_texts()["terms"]) == set()


# ---------------------------------------------------------------- its page in docs/

GUIDE = ROOT / "docs" / "reports.md"


def test_the_guide_names_every_view_and_its_picture_is_there() -> None:
    text = GUIDE.read_text("utf-8")
    views = [words for key, words in page_texts()["texts"].items() if key.startswith("view_")]
    assert len(views) == 5
    assert [view for view in views if f"- **{view}.**" not in text] == []
    assert (GUIDE.parent / "explorer.png").read_bytes().startswith(b"\x89PNG")
