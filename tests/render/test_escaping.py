"""A text is that text and nothing else, in every format: read back by parsers that are not ours."""

import ast
import csv
import datetime
import io
import json
import re
import sys
import unicodedata
import xml.etree.ElementTree as ElementTree
import zipfile
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token
from msgspec.structs import replace
from pypdf import PdfReader
from pypdf.generic import Destination

import combinat.cli
from combinat.base.kinds import percentage
from combinat.cli.options import warn_of_other_decks
from combinat.cli.output import say
from combinat.render.blocks import (
    Column,
    Link,
    Paragraph,
    Picture,
    Reference,
    Section,
    Terms,
    table,
)
from combinat.render.charts.pictures import (
    Bar,
    BarPanel,
    Bars,
    Drawing,
    LinePanel,
    Lines,
    Range,
    Ranges,
)
from combinat.render.charts.svg import svg
from combinat.render.escape import UNSEEN, for_csv, for_xlsx_foot, visible
from combinat.render.html import html
from combinat.render.notebook import notebook_html
from combinat.render.pdf import BREAK, Front, pdf, sources
from combinat.render.text import Format, as_json, rendered
from combinat.render.xlsx import Book, Sheet, SheetColumn, book_bytes
from combinat.rules.document import Decks
from tests.html_page import Elements

TRAPS = (
    *("<script>alert(1)</script>", "<!-- x -->", "<b>", "</td></tr>", "&amp;", "&#x41;", "&lt", "<r>x</r>"),
    *("*a*", "**a**", "_a_", "`a`", "```", "~~~", "~~a~~", "[a](b)", "![a](http://b/c.png)", "[^1]", "[^1]: a"),
    *("[a]: http://b", "[ ] a", "# a", "#", "a #", "a ##", "- a", "-", "---", "+ a", "* a", "* * *", "1. a", "1) a"),
    *("===", "=", "> a", "| a | b |", "|-|-|", "a|b", ":-", "    code", " a", "a ", "  ", "a  ", "\u3000a\u00a0"),
    *("http://x.com", "HTTPS://x.com/a_b", "//x.com", "www.x.com", "ftp://x.com", "a@b.com", "mailto:a@b", "xmpp:a@b.c"),
    *("a\\", "\\", "\\\\", "\\n", "\\*", "=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1", "'=1", "\uff1d1", "\uff0b1"),
    *('"', '""', "'", "a,b", 'a"b', "a;b", "a\nb", "a\r\nb", "a\u2028b", "a\x0bb", "%", "% a", "\\end{tabular}", "$x$"),
    *("{a}", "a & b", "[2em]", "*", "^^M", "a~b", "a^b", "--", "---a", "``a''", "?`", "!`", "!", ",,a", "<<a>>"),
    *("#a", "#let x = 1", "$", "@a", "<a>", "\\u{41}", "\\u0041", "// a", "/* a */", "\\", "_x0041_", "&P", "&[Picture]"),
    *("\x1b[2J", "\x1b]0;a\x07", "\x00", "\x7f", "\x9b2J", "\u202eabc", "\u2066a", "\u200b", "\ufeff", "\U000e0041"),
    *("\ud800", "\uffff", "\ufffe", "]]>", "\U0001f600", "\u9592", "e\u0301", "\u05d0\u05d1", "a" * 2000, "a b " * 200),
)  # fmt: skip

texts = st.one_of(
    st.sampled_from(TRAPS),
    st.text(min_size=1),
    st.text(st.characters(codec="ascii"), min_size=1),
    st.lists(st.sampled_from(TRAPS), min_size=2, max_size=4).map("".join),
)
every_text = settings(max_examples=80)
unseen = re.compile(f"[{UNSEEN}]")


def document(text: str) -> Section:
    """A document whose every field is this text."""
    return Section(
        text,
        (
            Paragraph(text),
            Section(
                text,
                (
                    Terms({text: text}),
                    table(
                        (Column(text), Column("n", percentage(1)), Column(text)),
                        [(text, Fraction(-1, 8), (Link(text, "a b/(c).md"), ", ", text)), (text, None, text)],
                        caption=text,
                    ),
                    Picture(name="dot", drawing=drawings(text)[0], alt=text, caption=text),
                    Paragraph(text),
                ),
            ),
        ),
    )


def labelled(text: str) -> Section:
    """A numbered table with this text for its caption, and a reference to it by this text."""
    numbered = replace(table((Column("n"),), [("1",)], caption=text), label="Table 1", anchor="t")
    return Section("of its own", (numbered, Paragraph(("see ", Reference("t", text), ", there"))))


def drawings(text: str) -> list[Drawing]:
    """A picture of each sort whose every word is this text."""
    share = Fraction(1, 100)
    titles = {"title": text, "across_title": text, "down_title": text}
    return [
        Bars(**titles, panels=(BarPanel(title=text, bars=(Bar(label=text, value=share),)),)),
        Lines(
            title=text,
            across_title=text,
            down_title=text,
            panels=(LinePanel(title=text, points=((1, share),)),),
        ),
        Ranges(
            title=text,
            across_title=text,
            rows=(Range(label=text, low=-share, middle=share, high=share, favours=True),),
        ),
    ]


def squeezed(text: str) -> str:
    """The text without its spaces: where lines end does not matter."""
    return re.sub(r"\s+", "", text)


# ---------------------------------------------------------------- what is seen


def test_every_character_without_a_shape_is_known() -> None:
    """Control, format and surrogate characters and line ends of this Python's own tables are all listed."""
    without = {
        chr(point)
        for point in range(sys.maxunicode + 1)
        if unicodedata.category(chr(point)) in ("Cc", "Cf", "Cs", "Zl", "Zp")
    }
    assert {character for character in without if not unseen.match(character)} == set()
    assert not unseen.search("".join(chr(point) for point in range(0x20, 0x7F)) + "\xa0\u3000é閒\U0001f600")


@every_text
@given(texts)
def test_what_is_seen_is_one_line_and_stays_as_it_is(text: str) -> None:
    """Nothing unseen is left; a text that was harmless is unchanged; nothing but unseen characters changes."""
    assert not unseen.search(visible(text))
    assert visible(visible(text)) == visible(text)
    if not unseen.search(text):
        assert visible(text) == text


def test_an_escape_sequence_is_shown_by_its_code_point() -> None:
    assert visible("a\x1b[2J\u202eb\r\nc\td") == "a[U+001B][2J[U+202E]b c d"


# ---------------------------------------------------------------- Markdown


def parsed_markdown(source: str) -> list[Token]:
    parser = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    if find_spec("linkify_it") is not None:
        parser.options["linkify"] = True
        parser.enable("linkify")
        assert parser.linkify is not None
        parser.linkify.set({"fuzzy_link": False})  # else every name of a file is an address
    return parser.parse(source)


def spoken(tokens: Sequence[Token]) -> Iterator[tuple[str, str]]:
    """The phrases of inline tokens: text, and for a mark its kind with what is inside it."""
    kind = "text"
    for token in tokens:
        match token.type:
            case "text" if not token.content:
                continue
            case "text":
                yield kind, token.content
            case "image":
                yield "alt", "".join(said for _, said in spoken(token.children or []))
            case "strong_open" | "link_open":
                kind = token.tag
            case "strong_close" | "link_close":
                kind = "text"
            case other:
                raise AssertionError(f"{other}: {token.content!r}")


@every_text
@given(texts)
def test_markdown_gives_the_text_back(text: str) -> None:
    """Read with HTML on: the blocks of a plain document, and in each place that very text."""
    said = visible(text)
    tokens, plain = (
        parsed_markdown(rendered([document(one)], Format.MARKDOWN)) for one in (text, "a plain text")
    )
    assert [token.type for token in tokens] == [token.type for token in plain]
    phrases = [list(spoken(token.children or [])) for token in tokens if token.type == "inline"]
    link = [("a", said), ("text", f", {said}")]
    assert phrases == [
        *([[("text", said)]] * 3),  # title, paragraph, section
        [("strong", f"{said}:"), ("text", f" {said}")],
        *[[("text", cell)] for cell in (said, said, "n", said)],  # caption and head
        *([("text", said)], [("text", "-12.5")], link),
        *([("text", said)], [("text", "-")], [("text", said)]),
        *([("alt", said)], [("text", said)], [("text", said)]),
    ]  # fmt: skip


@every_text
@given(texts)
def test_a_caption_behind_a_label_and_a_reference_are_that_text_in_markdown(text: str) -> None:
    source, said = rendered([labelled(text)], Format.MARKDOWN).replace('<a id="t"></a>', "", 1), visible(text)
    tokens = [token for token in parsed_markdown(source) if token.type == "inline"]
    phrases = [list(spoken(token.children or [])) for token in tokens]
    assert [phrase for phrase in phrases if len(phrase) > 1] == [
        [("strong", "Table 1."), ("text", f" {said}")],
        [("text", "see "), ("a", said), ("text", ", there")],
    ]


def test_markdown_of_an_empty_text_is_no_markup() -> None:
    tokens = parsed_markdown(rendered([document("")], Format.MARKDOWN))
    assert {"html_block", "code_block", "fence", "hr"}.isdisjoint(token.type for token in tokens)
    assert sum(token.type == "table_open" for token in tokens) == 1


def test_a_link_after_an_exclamation_mark_is_no_picture() -> None:
    made = table((Column("a"),), [(("look!", Link("x", "y"), "!"),)])
    (cell,) = [
        token for token in parsed_markdown(rendered([made], Format.MARKDOWN)) if "look" in token.content
    ]
    assert list(spoken(cell.children or [])) == [("text", "look!"), ("a", "x"), ("text", "!")]


# ---------------------------------------------------------------- HTML and SVG


def page_of(written: str) -> Elements:
    """A page without its picture, which has a test of its own; comments and the like are not written."""
    page = Elements(re.sub("<svg.*?</svg>", "", written, flags=re.DOTALL))
    assert page.comments == []
    return page


@every_text
@given(texts)
def test_html_gives_the_text_back(text: str) -> None:
    """The elements of a plain document, and in each place that very text; in a notebook too."""
    said = visible(text)
    ways: dict[int, Callable[[str], str]] = {
        18: lambda one: html(Section(one, (document(one), labelled(one))), one),
        10: lambda one: notebook_html([document(one), labelled(one)]),
    }
    for least, write in ways.items():
        page, plain = page_of(write(text)), page_of(write("plain"))
        assert [(tag, *names) for tag, names in page.tags] == [(tag, *names) for tag, names in plain.tags]
        assert page.words == [word.replace("plain", said) for word in plain.words]
        labels = plain.values("aria-label")
        assert page.values("aria-label") == [label.replace("plain", said) for label in labels]
        assert sum(word.strip(" :") == said.strip(" :") for word in page.words) >= least
    labels = page_of(html(document(text), text)).values("aria-label")
    assert labels == ["Contents", f"Table: {said}", said]


def test_no_two_sections_of_a_page_share_a_place() -> None:
    """Whatever their titles: a title may look like the place of another."""
    sections = tuple(Section(one, ()) for one in ("a-2", "a", "a", "!", "?", "a"))
    ids = page_of(html(Section("t", sections), "")).values("id")
    assert len(ids) == len(set(ids)) == 6 + len(["contents"])


@settings(max_examples=40)
@given(texts)
def test_svg_gives_the_text_back(text: str) -> None:
    """Well-formed XML whose words are the text, wherever its lines end, and the pictures' own figures."""
    said, tags = visible(text), {"svg", "title", "g", "text", "rect", "path", "polyline", "circle"}
    for drawing in drawings(text):
        root = ElementTree.fromstring(svg(drawing))
        assert {node.tag.rpartition("}")[2] for node in root.iter()} <= tags
        (title,) = (node.text or "" for node in root.iter() if node.tag.endswith("title"))
        assert title == said
        words = "".join(node.text or "" for node in root.iter() if node.tag.endswith("}text"))
        plain = ElementTree.fromstring(svg(drawings("\uf8ff")[drawings(text).index(drawing)]))
        pattern = "".join(node.text or "" for node in plain.iter() if node.tag.endswith("}text"))
        assert squeezed(words) == squeezed(pattern.replace("\uf8ff", said))


# ---------------------------------------------------------------- CSV and workbooks


@every_text
@given(texts)
def test_csv_gives_the_text_back_and_runs_nothing(text: str) -> None:
    """A text that a spreadsheet would run comes back behind an apostrophe; a number stays a number."""
    head, first, second = csv.reader(io.StringIO(rendered([document(text)], Format.CSV), newline=""))
    cell = for_csv(text)
    assert cell in (visible(text), f"'{visible(text)}")
    assert unicodedata.normalize("NFKC", cell).lstrip()[:1] not in ("=", "+", "-", "@")
    assert (head, second) == ([cell, "n", "n_decimal", cell], [cell, "", "", cell])
    assert first[:3] == [cell, "-1/8", "-0.125000000000"]
    assert first[3] == for_csv(f"{text}, {text}")


MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


def decoded(text: str) -> str:
    """What a reader of workbooks makes of ``_x0041_``."""
    return re.sub("_x([0-9A-Fa-f]{4})_", lambda match: chr(int(match[1], 16)), text)


def parts_of_a_workbook(text: str) -> dict[str, ElementTree.Element]:
    def fill(book: Book) -> None:
        sheet = Sheet(book, "s", text, [SheetColumn(text, 20, note=text), SheetColumn("n", 20)])
        sheet.write(2, 0, text, "text")
        sheet.row(text, Fraction(1, 4))
        sheet.paragraph(text)
        sheet.finish()

    properties = {"title": text, "author": "a", "comments": text}
    written = book_bytes(["s"], fill, properties, text, datetime.date(2020, 1, 2))
    with zipfile.ZipFile(io.BytesIO(written)) as package:
        return {
            name: ElementTree.fromstring(package.read(name))
            for name in package.namelist()
            if name.endswith(".xml")
        }


@settings(max_examples=40)
@given(texts)
def test_a_workbook_gives_the_text_back(text: str) -> None:
    """Cells, notes and properties are that text, and no cell of it is a formula."""
    parts, said = parts_of_a_workbook(text), visible(text)
    strings = [
        decoded("".join(node.text or "" for node in entry.iter(f"{MAIN}t")))
        for entry in parts["xl/sharedStrings.xml"].iter(f"{MAIN}si")
    ]
    cells = {
        cell.attrib["r"]: strings[int(cell.findtext(f"{MAIN}v") or "")]
        for cell in parts["xl/worksheets/sheet1.xml"].iter(f"{MAIN}c")
        if cell.attrib.get("t") == "s"
    }
    assert [cells[place] for place in ("A1", "A3", "A4", "A5")] == [said] * 4
    assert said in cells["A7"]
    assert not list(parts["xl/worksheets/sheet1.xml"].iter(f"{MAIN}f"))
    title = parts["docProps/core.xml"].findtext("{http://purl.org/dc/elements/1.1/}title")
    assert decoded(title or "") == said
    (foot,) = parts["xl/worksheets/sheet1.xml"].iter(f"{MAIN}oddFooter")
    assert shown_foot(decoded(foot.text or "")).lstrip().startswith(said[:60].lstrip())
    assert len(foot.text or "") <= 255


def shown_foot(code: str) -> str:
    """What a spreadsheet shows at the left of a foot: its commands, with what they take, are none of it."""
    left = re.fullmatch(r"&L(.*)&R&8&A, page &P of &N", code, re.DOTALL)
    assert left is not None, code
    size = re.match(r"&8(?!\d) ?(?=\d)|&8", left[1])
    assert size is not None
    return re.sub(r"&8|&(&)", lambda match: match[1] or "", left[1][size.end() :])


def test_a_foot_that_begins_with_a_digit_is_no_size() -> None:
    assert for_xlsx_foot("7 up & down") == " 7 up && down"
    assert len(for_xlsx_foot("&" * 900)) <= 203


# ---------------------------------------------------------------- LaTeX

LATEX = re.compile(
    r"\\textbackslash\{\}|\\textasciitilde\{\}|\\textbar\{\}|\\\^\{\}|\\ensuremath\{[<>]\}|\\[&%$#_{}]"
    r"|\{[\s\[*]\}|\{\}|[^\\{}&%$#_^~<>|]"
)
SIGNS = {"\\textbackslash{}": "\\", "\\textasciitilde{}": "~", "\\textbar{}": "|", "\\^{}": "^", "{}": ""}


def decoded_latex(source: str) -> str:
    """The text that LaTeX sets; anything but text, the signs above and empty groups is refused."""
    tokens, place = [], 0
    while place < len(source):
        token = LATEX.match(source, place)
        assert token is not None, source[place : place + 20]
        tokens.append(token[0])
        place = token.end()
    joined = pairwise(tokens)
    assert not {"--", "``", "''", ",,", "?`", "!`"} & {one + two for one, two in joined}
    assert "  " not in source.strip(" ")
    return "".join(
        SIGNS.get(token, token.removeprefix("\\ensuremath").strip("{}") if len(token) > 2 else token[-1:])
        for token in tokens
    )


def latex_rows(source: str) -> list[list[str]]:
    """The cells of the rows of the only table of a LaTeX source; all else in it is a comment."""
    lines = [line for line in source.split("\n") if line and not line.startswith("%")]
    begin, top, head, middle, *rest = lines
    assert (begin, top, middle) == ("\\begin{tabular}{lrl}", "\\toprule", "\\midrule")
    assert rest[-2:] == ["\\bottomrule", "\\end{tabular}"]
    rows = []
    for line in [head, *rest[:-2]]:
        assert line.endswith(" \\\\"), line
        assert not line.lstrip().startswith(("[", "*"))
        rows.append([cell.strip(" ") for cell in re.split(r"(?<!\\)&", line.removesuffix("\\\\"))])
    return rows


@every_text
@given(texts)
def test_latex_gives_the_text_back(text: str) -> None:
    """A table of that text; its titles are comments that end with their lines."""
    said = visible(text)
    source = rendered([document(text)], Format.LATEX)
    assert [line for line in source.split("\n") if line.startswith("%")] == [f"% {said}"] * 3
    rows = [list(map(decoded_latex, row)) for row in latex_rows(source)]
    assert rows == [[said, "n", said], [said, "-12.5", f"{said}, {said}"], [said, "-", said]]


# ---------------------------------------------------------------- typst and PDF

FRONT = Front(subject="g", mark="m", foot="f", date=datetime.date(2020, 1, 2))


def test_a_pdf_of_every_trap_is_made() -> None:
    """Each trap in each field: typst compiles it under PDF/A, and the headings of its outline are the traps."""
    sections = tuple(
        Section(text, document(text).blocks[0:1] + document(text).blocks[1].blocks[:2])  # type: ignore[union-attr]
        for text in TRAPS
    )
    everything = Section(TRAPS[0], (*sections, Section("p", document("<&>").blocks[1:])))
    front = Front(subject="<b> #panic() $x$", mark="[a](b) \u9592", foot='"q" `=1`', date=FRONT.date)
    made = PdfReader(io.BytesIO(pdf(everything, front)))
    shown = [
        re.sub(r"[^\x00-\xff]", lambda letter: f"[U+{ord(letter[0]):04X}]", visible(text)) for text in TRAPS
    ]
    outline = [squeezed(str(entry.title)) for entry in made.outline if isinstance(entry, Destination)]
    assert outline == [*map(squeezed, shown), "p"]


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("\u03b1 \u2212 \u201ca\u201d", "\u03b1 \u2212 \u201ca\u201d"),  # the fonts have these
        (
            "\u9592 \u03b1 \u2212",
            "[U+9592] [U+03B1] \u2212",
        ),  # one that they lack: all beyond Latin-1 but punctuation
    ],
)
def test_a_character_without_a_glyph_is_shown_by_its_code_point(text: str, written: str) -> None:
    made = pdf(Section("x", (Paragraph(text),)), FRONT)
    assert written in PdfReader(io.BytesIO(made)).pages[0].extract_text()


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("a" * 34, 1),
        ("b" * 35, 35),
        ("0123456789abcdef" * 4 + ".", 1),
        ("123,456,789,012/345,678,901,234,567,890", 10),
        ("ab cd " * 9, 1),
    ],
)
def test_a_long_word_may_be_broken_a_number_after_its_commas_and_a_hash_nowhere(
    word: str, parts: int
) -> None:
    data = json.loads(sources(Section("x", (Paragraph(word),)), FRONT)["document.json"])
    written = data["blocks"][0]["words"]
    assert written.replace(BREAK, "") == word
    assert len(written.split(BREAK)) == parts


def test_a_wide_fraction_is_copied_as_it_is() -> None:
    """It is broken over lines, and no character is added."""
    fraction = "/".join(",".join(["123"] * 30) for _ in range(2))
    block = table([Column("exact"), Column("why")], [(fraction, "long " * 30)])
    text = PdfReader(io.BytesIO(pdf(Section("x", (block,)), FRONT))).pages[0].extract_text()
    assert BREAK not in text
    assert fraction in squeezed(text)
    assert fraction not in text


# ---------------------------------------------------------------- the terminal


@every_text
@given(texts)
def test_a_terminal_gets_text_and_nothing_else(text: str) -> None:
    """No control character but the ends of our own lines; all of the text is there, wherever they are."""
    for form in Format:
        if form is not Format.JSON:
            assert not unseen.search(rendered([document(text)], form).replace("\n", ""))
    printed = rendered([document(text)], Format.TEXT)
    assert squeezed(printed).count(squeezed(visible(text))) >= (1 if squeezed(visible(text)) else 0)
    assert printed.split("\n")[0] == visible(text)
    record = as_json({"text": text, text: [text]})
    assert not unseen.search(record.replace("\n", ""))
    assert json.loads(record) == {"text": text, text: [text]}


def test_a_clause_with_an_escape_sequence_is_harmless_in_a_warning(
    capsys: pytest.CaptureFixture[str],
) -> None:
    warn_of_other_decks("g", Decks(least=4, most=8, clause="\x1b[2J\u202e3.1"), [9])
    say("a result")
    assert "(\\u001b[2J\\u202e3.1)" in capsys.readouterr().err


def test_the_commands_print_nothing_unmade() -> None:
    """What is printed comes out of a function that makes it safe, or is a constant of ours."""
    bare = []
    for path in sorted(Path(combinat.cli.__file__).parent.glob("*.py")):
        if path.name == "output.py":
            continue  # the one place that prints: what it is given is looked at here
        for call in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(call, ast.Call) and ast.unparse(call.func) in ("print", "typer.echo", "say"):
                bare += [f"{path.name}: {ast.unparse(call)}" for part in call.args if not _is_made(part)]
    assert bare == []


MAKERS = {"rendered", "as_json", "for_text", "report.formula_latex", "verdict_text"}
"""The functions that make a text safe to print."""

PLAINLY = {
    "__version__": "our own",
    "ctx.get_help()": "our own",
    "mistake.format_message()": "typer's words on what was typed, made safe where it is printed",
    "template(game).rstrip('\\n')": "a filing as it is, with the id of a rule book that was read",
    "'\\n\\n'.join(map(verification_text, folders))": "each is rendered",
    "dealt.files[PROTECT].decode('ascii').rstrip('\\n')": "a file as it is, of ASCII JSON",
    "text.rstrip('\\n')": "the theorems, whose names are made safe where they are written",
    "loaded.content.decode('utf-8').removesuffix('\\n')": "the rule book as it is, asked for by name",
}
"""What else is printed, and why it may be."""


def _is_made(said: ast.expr) -> bool:
    if isinstance(said, ast.JoinedStr):
        return all(_is_made(part.value) for part in said.values if isinstance(part, ast.FormattedValue))
    if isinstance(said, ast.IfExp):
        return _is_made(said.body) and _is_made(said.orelse)
    if isinstance(said, ast.Call) and ast.unparse(said.func) in MAKERS:
        return True
    return isinstance(said, ast.Constant) or ast.unparse(said) in PLAINLY


@pytest.mark.parametrize(
    ("source", "is_made"),
    [
        ("rendered([x], form)", True),
        ("f'{as_json(x)}'", True),
        ("as_json(x) if x else rendered([x], form)", True),
        ("as_json(x) if x else str(game.name)", False),
        ("str(game.name)", False),
        ("f'{game.name}'", False),
    ],
)
def test_a_text_of_a_rule_book_is_not_taken_for_made(source: str, is_made: bool) -> None:
    assert _is_made(ast.parse(source, mode="eval").body) is is_made
