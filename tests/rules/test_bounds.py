"""A rule book is data from a stranger: every limit is stated, holds everywhere, and costs nothing to reach."""

import re
import sys
import time
from pathlib import Path

import pytest

from combinat import load_game
from combinat.base.errors import RuleBookError, shortened
from combinat.certify import checker
from combinat.certify.analysis_file import analysis_bytes
from combinat.certify.certificate import Predicate
from combinat.certify.dossier import dossier
from combinat.rules import bounds
from combinat.rules.book.load import parsed_game
from combinat.rules.book.parse import parsed_toml
from tests.conftest import SMALL_BOOK, Run
from tests.paths import ROOT
from tests.programs import python

SMALL = SMALL_BOOK.read_text("utf-8")


def refusal(text: str) -> str:
    """The refusal of a rule book with this text."""
    with pytest.raises(RuleBookError) as refused:
        parsed_game(text.encode(), Path("small-baccarat.toml"))
    return str(refused.value)


def changed(old: str, new: str) -> str:
    """The small rule book with one change."""
    assert old in SMALL
    return SMALL.replace(old, new, 1)


# ---------------------------------------------------------------- one place


def test_the_page_on_rule_books_states_every_limit() -> None:
    """Its table is the one of the module, number by number."""
    section = (ROOT / "docs" / "rule-books.md").read_text("utf-8").split("\n## Limits\n")[1].split("\n#")[0]
    rows = re.findall(r"^\| (.*) \| ([\d,^]+) \|$", section, re.MULTILINE)
    assert rows == [
        (what, most if isinstance(most, str) else f"{most:,}") for what, most in bounds.STATED.items()
    ]


def test_every_limit_is_stated() -> None:
    stated = set(bounds.STATED.values()) | {bounds.UNIT}
    numbers = {value for name, value in vars(bounds).items() if name.isupper() and isinstance(value, int)}
    assert numbers | set(bounds.LISTS.values()) | set(bounds.LENGTHS.values()) <= stated


def test_checker_and_certificate_have_equal_limits() -> None:
    """The checker stands alone, so that its copies are compared here."""
    copies = {
        "MOST_BOOK_BYTES": bounds.BYTES,
        "MOST_MARKS": bounds.MARKS,
        "MOST_DEPTH": bounds.DEPTH,
        "MOST_KEY_PARTS": bounds.PARTS,
        "MOST_WORD": bounds.WORD,
        "MOST_SHOES": bounds.SHOES,
        "MOST_DECKS": bounds.DECKS,
        "MOST_LINES": bounds.LINES,
        "MOST_RECOUNTS": bounds.RECOUNTS,
        "MOST_TEXT": bounds.NAME,
        "MOST_ID": bounds.ID,
    }
    assert {name: getattr(checker, name) for name in copies} == copies
    assert checker.MOST_ENTRIES.items() <= bounds.LISTS.items()
    assert checker.NUMBER.count(f"{{1,{bounds.DIGITS}}}") == 2
    assert Predicate.__annotations__["decks"].__metadata__[0].max_length == bounds.SHOES


@pytest.mark.parametrize(
    "text",
    [
        "a" + ".a" * 9 + " = 1",
        "a" + ".a" * 10 + " = 1",
        "a = " + "[" * 10 + "]" * 10,
        "a = " + "[" * 11 + "]" * 11,
        "a = " + "1" * 100,
        "a = 0x" + "f" * 99,
        "a = [" + "1," * 19_998 + "]",
        "a = [" + "1," * 20_000 + "]",
        "a = '''x'''",
        'a = "x" # """ and ' + "." * 99,
        'a = "\\"[[[[[[[[[[[[" \n[b."c.d.e.f.g.h.i.j.k.l.m"]\n',
    ],
    ids=lambda text: shortened(text, 30),
)
def test_the_checker_refuses_what_the_loader_refuses(text: str) -> None:
    """Before any parsing, and nothing else."""
    try:
        parsed_toml(text)
        refused = False
    except ValueError:
        refused = True
    try:
        checker.bounded(text)
        assert not refused
    except checker.Malformed:
        assert refused


# ---------------------------------------------------------------- before the parser


def dotted(parts: int) -> str:
    return ".".join("a" * parts)


HOSTILE = {
    "dotted key": f"{dotted(30_000)} = 1",
    "dotted key of a hundred thousand parts": f"{dotted(100_000)} = 1",
    "dotted key in a table": f"[bets]\n{dotted(30_000)} = 1",
    "table": f"[{dotted(30_000)}]",
    "array of tables": f"[[{dotted(30_000)}]]",
    "in an inline table": f"a = {{ {dotted(30_000)} = 1 }}",
    "in an inline table of several": f"a = {{ b = 1, {dotted(30_000)} = 1 }}",
    "in quotes": ".".join(["'a'", '"a"'] * 15_000) + " = 1",
    "quotes in quotes": ".".join([r'"a\"."'] * 30_000) + " = 1",
    "with spaces": " . ".join("a" * 30_000) + " = 1",
    "with tabs": "\t.\t".join("a" * 30_000) + " = 1",
    "after a text": f'x = "# not a comment"\n{dotted(30_000)} = 1',
    "after a comment": f"# it's a comment\n{dotted(30_000)} = 1",
    "many dotted keys": "\n".join(f"k{number}.a.b.c = 1" for number in range(40_000)),
    "many tables": "\n".join(f"[k{number}.a.b.c]" for number in range(40_000)),
    "many arrays of tables": "[[a.b.c]]\n" * 90_000,
    "keys of the most parts": "\n".join(f"k{number}{'.a' * 9} = 1" for number in range(30_000)),
    "many keys": "\n".join(f"k{number}=1" for number in range(110_000)),
    "long inline table": "a = {" + ",".join(f"k{number}=1" for number in range(100_000)) + "}",
    "deep inline tables": "a = " + "{ a = " * 100_000,
    "deep arrays": "a = " + "[" * 500_000,
    "arrays and tables": "a = " + "[{ a = " * 90_000,
    "long array": "a = [" + "1," * 490_000 + "]",
    "number": "a = " + "9" * 990_000,
    "number in sixteens": "decks = 0x" + "f" * 990_000,
    "empty lines": "\n" * 990_000,
    "comments": "#\n" * 490_000,
    "a text": 'a = "' + r"\n" * 490_000 + '"',
    "a text without end": 'a = "' + "a" * 990_000,
    "texts": "a = " + '"" ' * 330_000,
    "words": "a " * 490_000,
    # what passes the first look, and is as much as can pass it
    "most keys": "\n".join(f"k{number} = 1" for number in range(19_998)),
    "most parts": "\n".join(f"k{number}{'.a' * 9} = 1" for number in range(1_998)),
    "most tables": "\n".join(f"[k{number}{'.a' * 9}]" for number in range(1_998)),
    "most entries": "a = [" + "[[]]," * 6_600 + "]",
    "most texts": "a = [" + f'"{"é" * 20}",' * 19_990 + "]",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_would_cost_much_is_refused_at_once(name: str) -> None:
    """In under a second, and with one short line."""
    text = f"schema = 1\n{HOSTILE[name]}\n"
    assert len(text.encode()) <= bounds.BYTES
    start = time.process_time()
    message = refusal(text)
    assert time.process_time() - start < 1
    assert len(message) < 500
    assert "\n" not in message


MEASURED = """
import sys
from pathlib import Path
from combinat.base.errors import RuleBookError
from combinat.rules.book.load import parsed_game
for text in sys.stdin.buffer.read().split(b"\\0"):
    try:
        parsed_game(text, Path("x.toml"))
    except RuleBookError:
        pass
print(*(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")))
"""
COSTLY = [
    name for name in HOSTILE if name.startswith(("dotted", "table", "deep", "number", "comments", "most"))
]


@pytest.mark.full
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="its memory is read where Linux states it")
def test_it_costs_little_memory_either() -> None:
    """The costly ones in one program, within 200 MB."""
    texts = "\0".join(f"schema = 1\n{HOSTILE[name]}\n" for name in COSTLY)
    assert int(python("-c", MEASURED, given=texts).output()) < 200_000


# ---------------------------------------------------------------- numbers of decks


@pytest.mark.parametrize("decks", ["1-40", "1-9", "1-1000000000000", "9" * 5000, f"1-{'9' * 5000}"])
def test_more_decks_than_can_be_verified_are_refused_before_any_work(
    run: Run, tmp_path: Path, decks: str
) -> None:
    start = time.process_time()
    run("report", str(SMALL_BOOK), "--decks", decks, "--out", str(tmp_path / "out")).refusal()
    assert time.process_time() - start < 1
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("most", ["1000000000000", "9" * 99, "0x" + "f" * 90])
def test_a_book_of_very_many_decks_gets_one_short_line(most: str) -> None:
    """Not a list of a million million numbers of decks."""
    message = refusal(changed("most = 2", f"most = {most}"))
    assert message.endswith("write at most 8 numbers of decks, up to 1000")
    assert len(message) < 300


# ---------------------------------------------------------------- lists and texts

READING = """
[[interpretations]]
id = "reading-{number}"
clauses = ["1"]
question = "q"
reading = "r"
otherwise = "o"
instead.bets = [{{ id = "six", pays = [{{ player_points = 6, odds = "{number} to 7" }}] }}]
"""


def with_readings(most: int) -> str:
    """A bet of the small rule book with so many readings."""
    readings = [READING.format(number=number) for number in range(1, most + 1)]
    head, _, _, six, *_ = SMALL.split("\n[[bets]]")
    return f"{head}\n[[bets]]{six}{''.join(readings)}"


@pytest.mark.full
def test_a_book_of_the_most_readings_is_reported_and_verified() -> None:
    """And on the most decks: what loads can be verified."""
    game = parsed_game(with_readings(bounds.LISTS["interpretations"]).encode(), SMALL_BOOK)
    analysis = analysis_bytes(dossier(game, [bounds.DECKS]))
    assert sum(checker.check(analysis, game.content).values()) > 200


RECOUNT = """
[[interpretations]]
id = "recount-{number}"
clauses = ["1"]
question = "q"
reading = "r"
otherwise = "o"
instead.{change}
"""
CHANGES = ('void_bets = "stay"', 'banker_draws_against_natural = "0-5"')


@pytest.mark.parametrize("more", [0, 1])
def test_readings_that_have_every_bet_counted_again_are_few(more: int) -> None:
    """By the loader and by the checker."""
    number = bounds.RECOUNTS + more
    entries = [RECOUNT.format(number=one, change=CHANGES[one % 2]) for one in range(number)]
    text = SMALL.partition("\n[[interpretations]]")[0] + "".join(entries)
    if more:
        assert refusal(text)
        with pytest.raises(checker.Malformed):
            checker.book_of(text.encode())
    else:
        assert len(parsed_game(text.encode(), SMALL_BOOK).interpretations) == number
        assert checker.book_of(text.encode())


LONGEST = {
    "interpretations": ("[[insurance]]", "[[interpretations]]\n" * 29 + "[[insurance]]"),
    "bets": ("[[bets]]", "[[bets]]\n" * 21 + "[[bets]]"),
    "pays": ("pays = [", "pays = [" + '{ odds = "1 to 1" }, ' * 19),
    "layouts": ('layouts = ["A"]', f"layouts = {['A'] * 51}"),
    "insurance": ("[[insurance]]", "[[insurance]]\n" * 3 + "[[insurance]]"),
    "offers": ("offers = [", "offers = [" + "{}, " * 99),
    "limits": ("limits = [", "limits = [" + "{}, " * 20),
    "procedures": ("[[insurance]]", "[[procedures]]\n" * 51 + "[[insurance]]"),
    "if": (
        "[[insurance]]",
        f"[[procedures]]\nid = 'x'\nclauses = ['1']\nwhen = 'x'\neffect = 'settled'\nif = {['reconstructible'] * 5}\n[[insurance]]",
    ),
    "unless": (
        "[[insurance]]",
        f"[[procedures]]\nid = 'x'\nclauses = ['1']\nwhen = 'x'\neffect = 'settled'\nunless = {['reconstructible'] * 5}\n[[insurance]]",
    ),
    "clauses": ('clauses = ["3.8"]', f"clauses = {['3.8'] * 21}"),
}


@pytest.mark.parametrize("name", LONGEST)
def test_a_longer_list_is_refused_by_its_key(name: str) -> None:
    most = bounds.LISTS[name]
    message = refusal(changed(*LONGEST[name]))
    assert re.fullmatch(
        rf"small-baccarat\.toml: [\w.\[\]]*{name}: found {most + 1} entries; write at most {most}", message
    )


@pytest.mark.parametrize(
    ("key", "line", "most"),
    [
        ("name", 'name = "Small Baccarat"', 100),
        ("operator", 'operator = "House"', 100),
        ("stated", 'stated = "title page"', 100),
        ("decks.clause", 'clause = "2.1"', 100),
        ("layouts[0].id", 'id = "A"', 60),
        ("bets[2].id", 'id = "six"', 60),
        ("bets[2].name", 'name = "Six"', 100),
        ("bets[2].pays[0].name", 'name = "with two cards"', 100),
        ("bets[2].about", 'about = "The Banker Hand wins with 6, with two cards or with three."', 500),
        (
            "interpretations[1].question",
            'question = "Is the cap on each insurance bet or on the round?"',
            500,
        ),
        ("insurance_terms.clauses[0]", 'clauses = ["3.8"', 100),
    ],
)
@pytest.mark.parametrize("length", ["one more", "a megabyte"])
def test_a_longer_text_is_refused_by_its_key(key: str, line: str, most: int, length: str) -> None:
    start = line[: line.index('"') + 1]
    number = most + 1 if length == "one more" else 900_000
    message = refusal(changed(line, f'{start}{"x" * number}"'))
    assert message == (
        f'small-baccarat.toml: {key}: found {number} characters, "{shortened("x" * number, 40)}"; '
        f"write at most {most}"
    )


# ---------------------------------------------------------------- characters

HIDDEN = {
    "bell": 0x07,
    "tab": 0x09,
    "newline": 0x0A,
    "escape": 0x1B,
    "delete": 0x7F,
    "next line": 0x85,
    "control sequence": 0x9B,
    "soft hyphen": 0xAD,
    "unassigned": 0x378,
    "zero-width space": 0x200B,
    "zero-width joiner": 0x200D,
    "right-to-left mark": 0x200F,
    "line separator": 0x2028,
    "paragraph separator": 0x2029,
    "right-to-left override": 0x202E,
    "isolate": 0x2066,
    "private": 0xE000,
    "byte order mark": 0xFEFF,
    "noncharacter": 0xFFFF,
    "tag": 0xE0041,
    "private plane": 0x10FFFD,
    "null": 0,
}


@pytest.mark.parametrize("name", HIDDEN)
def test_a_character_that_does_not_show_is_refused_by_its_key(name: str) -> None:
    """However it is written: as an escape, or as itself where TOML lets it through."""
    code = HIDDEN[name]
    for written in (f"\\U{code:08X}", chr(code))[: 2 if code >= 0xA0 else 1]:
        message = refusal(changed('name = "Six"', f'name = "Si{written}x"'))
        assert message.startswith(f"small-baccarat.toml: bets[2].name: found U+{code:04X}, ")


TEXTS = [
    "name",
    "operator",
    "stated",
    "about",
    "defined",
    "settled",
    "clause",
    "odds",
    "share",
    "side",
    "question",
]


@pytest.mark.parametrize("field", TEXTS)
def test_it_is_refused_in_any_text(field: str) -> None:
    message = refusal(re.sub(rf'\b{field} = "', f'{field} = "\\\\u202E', SMALL, count=1))
    assert re.fullmatch(rf"small-baccarat\.toml: [\w.\[\]]*\b{field}: found U\+202E, .*", message)


@pytest.mark.parametrize(
    "name", ["Sechs für Größe", "小虎", "Six\u00a0x", "六\u3000x", "Caf\u00e9 ½ €", "🐯"]
)
def test_other_alphabets_are_text(name: str) -> None:
    game = parsed_game(changed('name = "Six"', f'name = "{name}"').encode(), SMALL_BOOK)
    assert game.bet("six").name == name


# ---------------------------------------------------------------- files


def test_a_link_to_a_rule_book_is_a_rule_book_and_one_to_itself_is_not(tmp_path: Path) -> None:
    """The name of the link counts, as the one that was given."""
    (tmp_path / "round.toml").symlink_to("round.toml")
    with pytest.raises(RuleBookError):
        load_game(tmp_path / "round.toml")
    (tmp_path / "kept").write_bytes(SMALL_BOOK.read_bytes())
    (tmp_path / "again").symlink_to("kept")
    (tmp_path / "small-baccarat.toml").symlink_to("again")
    assert load_game(tmp_path / "small-baccarat.toml").id == "small-baccarat"


# ---------------------------------------------------------------- messages

LONG = "7" * 5000


@pytest.mark.parametrize(
    "arguments",
    [
        ["odds", LONG],
        ["odds", f"{LONG}.toml"],
        ["odds", "GAME", "--decks", f"4-{LONG}"],
        ["odds", "GAME", "--cards", f"A={LONG}"],
        ["odds", "GAME", "--cards", f"{LONG}=3"],
        ["odds", "GAME", "--removed", LONG],
        ["odds", "GAME", "--bet", LONG],
        ["odds", "GAME", "--layout", LONG],
        ["odds", "GAME", "--pays", LONG],
        ["odds", "GAME", "--pays", f"six={LONG}"],
        ["odds", "GAME", "--pays", f"{LONG}=3 to 1"],
        ["insurance", "GAME", "--decks", LONG],
        ["formula", "GAME", LONG],
        ["formula", "GAME", "six", "--decks", LONG],
        ["formula", "GAME", "six", "--outcome", LONG],
        ["formula", "GAME", f"player:four-cards:{LONG}"],
        ["report", "GAME", "--formats", LONG],
        ["report", "GAME", "--decks", f"{LONG}x"],
        ["round", "GAME", "--player", "5 4", "--banker", "K 6", "--player-third", LONG],
        ["settle", "GAME", "--player", "5 4", "--banker", LONG],
        ["settle", "GAME", "--player", "9 K", "--banker", "7 J", "--stake", f"six={LONG}"],
        ["settle", "GAME", "--player", "9 K", "--banker", "7 J", "--stake", f"{LONG}=1"],
        ["settle", "GAME", "--player", "9 K", "--banker", "7 J", "--insure", f"{LONG}=1"],
        ["settle", "GAME", "--player", "9 K", "--banker", "7 J", "--procedure", LONG],
    ],
    ids=lambda arguments: " ".join(arguments).replace(LONG, "LONG"),
)
def test_a_long_value_is_not_echoed_whole(run: Run, arguments: list[str]) -> None:
    words = (str(SMALL_BOOK) if word == "GAME" else word for word in arguments)
    assert len(run(*words).refusal()) < 1000


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('name = "Six"', f'name = "Six"\n"{LONG}" = 1'),
        ('name = "Six"', f'name = "Six"\n"{LONG}" = 1\n"{LONG}" = 2'),
        ('name = "Six"', f'name = "Six"\n[bets.name."{LONG}"]'),
        ("effective = 2025-01-31", f'effective = "{LONG}"'),
        ("schema = 1", f'schema = "{LONG}"'),
        ("schema = 1", f"schema = {LONG}"),
        ("player_points = 5", f'player_points = "{"5" * 99}"'),
        ('odds = "3 to 2"', f'odds = "{"3" * 99}"'),
        ('share = "100%"', f'share = "{"1" * 99}%"'),
        ('winner = "player"', f'winner = "{LONG}"'),
        ("[clauses]", f'[clauses]\n"{LONG}" = 1'),
    ],
    ids=lambda text: shortened(text, 30),
)
def test_a_long_value_of_a_rule_book_is_not_echoed_whole(old: str, new: str) -> None:
    assert len(refusal(changed(old, new))) < 700
