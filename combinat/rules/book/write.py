"""Rule books as text: data as TOML that reads back as the same data, and templates of new files."""

import datetime
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from textwrap import fill
from typing import Any

from combinat.base.errors import InputError, shortened
from combinat.rules.book.inherit import NOT_STATED
from combinat.rules.book.reader import shape_of
from combinat.rules.facts import FACTS

_BARE = re.compile(r"[A-Za-z0-9_-]+", re.ASCII)
_ESCAPED = {'"': '\\"', "\\": "\\\\"}


def toml_text(book: Mapping[str, Any], comments: tuple[str, ...] = ()) -> str:
    """Return a table of tables as TOML: plain values first, then each ``[table]`` or ``[[table]]``.

    >>> print(toml_text({"schema": 1, "void": {"bets": "returned"}}), end="")
    schema = 1
    <BLANKLINE>
    [void]
    bets = "returned"
    """
    lines = [f"# {comment}" for comment in comments]
    lines += [line for key, value in book.items() if not _is_table(value) for line in _entry(key, value)]
    for key, value in book.items():
        for head, table in _tables(key, value):
            lines += ["", head, *(line for inner, each in table.items() for line in _entry(inner, each))]
    return "\n".join(lines) + "\n"


def _is_table(value: Any) -> bool:
    return isinstance(value, dict) or _is_list_of_tables(value)


def _is_list_of_tables(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(one, dict) for one in value)


def _tables(key: str, value: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    if isinstance(value, dict):
        yield f"[{_key(key)}]", value
    elif _is_list_of_tables(value):
        yield from ((f"[[{_key(key)}]]", one) for one in value)


def _entry(key: str, value: Any) -> list[str]:
    """Return a key with its value; a list of tables has one line for each."""
    if _is_list_of_tables(value):
        return [f"{_key(key)} = [", *(f"    {toml_value(one)}," for one in value), "]"]
    return [f"{_key(key)} = {toml_value(value)}"]


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _quoted(key)


def _quoted(text: str) -> str:
    return (
        '"' + "".join(_ESCAPED.get(one, one) if one.isprintable() else _by_number(one) for one in text) + '"'
    )


def _by_number(character: str) -> str:
    return f"\\U{ord(character):08x}"


def toml_value(value: Any) -> str:
    """Return a value in TOML, on one line.

    >>> toml_value(["K", 6, True])
    '["K", 6, true]'
    """
    match value:
        case bool():
            return str(value).lower()
        case str():
            return _quoted(value)
        case list():
            return f"[{', '.join(map(toml_value, value))}]"
        case dict():
            inner = ", ".join(f"{_key(key)} = {toml_value(each)}" for key, each in value.items())
            return f"{{ {inner} }}" if inner else "{}"
        case datetime.date() | datetime.time():
            return value.isoformat()
        case _:
            return str(value)


# ---------------------------------------------------------------- a new file, with comments on what to change

_HEAD = """\
# A draft that combinat reads as it is. Change what you like, and inspect it with
#     combinat check {id}.toml     every mistake at once, what each line covers
#     combinat odds {id}.toml      the exact odds of every bet

schema = 1
id = {quoted_id}        # the name of the file, without .toml
name = {name}
status = "draft"        # clauses, operator, layouts and dates may be left out
"""

_BASE = """\
base = {base}
# Everything that this file omits is inherited from there. A bet with the id of one of its bets overrides it.
"""

_COMMON_BETS = """
[[bets]]
id = "player"
pays = [
    { name = "Player wins", winner = "player", odds = "1 to 1" },
    { name = "tie", winner = "tie", odds = "push" },
]

[[bets]]
id = "banker"
pays = [
    { name = "Banker wins", winner = "banker", odds = "1 to 1", commission = "5%" },
    { name = "tie", winner = "tie", odds = "push" },
]

[[bets]]
id = "tie"
pays = [{ winner = "tie", odds = "8 to 1" }]
"""

_FACTS = """
# Your own bet. Each line names facts, which must all hold, and its odds; a round that no line covers loses
# (otherwise = "push" returns the stake). No round may be covered by two lines. Cards have no suits.
{facts}
#   except = [{{ ... }}], cases taken out of the line, each by facts of its own
"""

_NEW_BET = """
[[bets]]
id = {id}
name = {name}
pays = [
    {{ name = "two cards", winner = "banker", banker_points = 6, banker_cards = 2, odds = "12 to 1" }},
    {{ name = "three cards", winner = "banker", banker_points = 6, banker_cards = 3, odds = "20 to 1" }},
]
"""

_OWN_BET = "\n# As in {base}{settled}: change its lines or their odds.\n{bet}"

_PLACES = ("defined", "settled")
"""The clauses of a bet in the base's document, which do not state the changed bet."""

_AFTER = """
# combinat check also compares what you know of a bet: a round with the line that covers it, and a published figure:
#
# [[examples]]
# player = "K 4 K"
# banker = "K 2 4"
# bet = {bet}
# line = {line}
#
# [[expect]]
# bet = {bet}
# decks = 8
# house_edge = "5.0%"
# source = "where it is published"

# An editor with the language server Taplo (VS Code: Even Better TOML) completes the keys of this file if its
# first line is #:schema rule-book.json and the JSON Schema, docs/schemas/rule-book.json, is copied beside it.
"""

SIDE_BET = "Side Bet"
"""The bet of a new file if the caller names none."""


def new_rule_book(
    game_id: str, bets: Sequence[str], base: str = "", base_data: Mapping[str, Any] | None = None
) -> str:
    """Return the text of a rule book with these bets, by name or id.

    With a base, it may change bets of the base. ``base``: its name in the file; ``base_data``: its data.
    """
    names = bets or [SIDE_BET]
    stated = tomllib.loads(_COMMON_BETS) if base_data is None else base_data
    known = {str(bet["id"]): bet for bet in stated.get("bets", ())}
    head = _HEAD.format(id=game_id, quoted_id=toml_value(game_id), name=toml_value(_as_name(game_id)))
    blocks = [head, _BASE.format(base=toml_value(base)) if base else _COMMON_BETS]
    for name, bet_id in zip(names, map(bet_id_of, names), strict=True):
        if bet_id not in known:
            new = _NEW_BET.format(id=toml_value(bet_id), name=toml_value(_as_name(name)))
            facts = _FACTS.format(facts=_facts_by_values())
            blocks += [new] if facts in blocks else [facts, new.lstrip("\n")]
        elif base:
            blocks.append(_own_bet(base, known[bet_id]))
    last = bet_id_of(names[-1])
    line = known[last]["pays"][0].get("name", "wins") if last in known else "three cards"
    blocks.append(_AFTER.format(bet=toml_value(last), line=toml_value(line)))
    return "".join(blocks)


def _facts_by_values() -> str:
    """Return every fact that a line can name, by the values that are accepted for it, as comments."""
    names: dict[str, list[str]] = {}
    for fact in FACTS:
        names.setdefault(shape_of(fact.accepts).expected, []).append(fact.name)
    lines = (f"{', '.join(facts)}: {values}" for values, facts in names.items())
    return "\n".join(
        fill(line, 110, initial_indent="#   ", subsequent_indent="#     ", break_on_hyphens=False)
        for line in lines
    )


def bet_id_of(name: str) -> str:
    """Return the id of a bet of this name.

    >>> bet_id_of("Lucky Eight"), bet_id_of("tie")
    ('lucky-eight', 'tie')
    """
    words = re.findall(r"[a-z0-9]+", name.lower())
    if not words:
        raise InputError(
            f'found "{shortened(name)}"', 'write a name of letters, such as "Lucky Eight"', parameter="bet"
        )
    return "-".join(words)


def _as_name(text: str) -> str:
    """Return an id as a name; a name unchanged."""
    return text.replace("-", " ").title() if text == text.lower() else text


def _own_bet(base: str, bet: Mapping[str, Any]) -> str:
    """Return a bet of the base to be changed, without its clauses, which do not state the changes."""
    stated = bet.get("settled", NOT_STATED)
    own = {key: value for key, value in bet.items() if key not in _PLACES}
    own["pays"] = [{key: value for key, value in pay.items() if key != "clause"} for pay in bet["pays"]]
    settled = "" if stated == NOT_STATED else f", whose clause {stated} settles it"
    return _OWN_BET.format(base=base, settled=settled, bet=toml_text({"bets": [own]}).lstrip("\n"))
