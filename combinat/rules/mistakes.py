"""Every mistake of a rule book at once, where loading it stops at the first.

What is wrong is noted and taken out, or something harmless is put in its place, and the rest is looked at again,
until nothing is left to say. What only follows from something taken out is no mistake of its own. Of one entry of a
list, such as a line of a pay table, the first mistake is told.
"""

import copy
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from combinat.errors import RuleBookError, shortened
from combinat.rules.bet import Pay
from combinat.rules.checks import check_game
from combinat.rules.game import Game
from combinat.rules.possible import possible_deals
from combinat.rules.rulebook import rule_book_text, stand_in, stated_game, whole_data
from combinat.rules.table_of_play import TableOfPlay
from combinat.rules.toml_lines import key_lines, line_of

MOST = 50
"""How many mistakes are looked for."""

_PLACE = r"[a-z_]+(?:\[\d+\])?(?:\.[a-z_]+(?:\[\d+\])?)*"
_SAID = re.compile(rf"({_PLACE}): (.*)", re.DOTALL)
_NUMBERED = re.compile(r"[a-z_]+\[\d+\](?:\.[a-z_]+(?:\[\d+\])?)*")
_LINE = re.compile(r"bets\[(\d+)\]\.pays\[(\d+)\]")
_ENTRY = re.compile(r"(examples|expect|interpretations|procedures|no_bearing|insurance)\[(\d+)\]")
_WHOLE = ("decks", "table_of_play", "insurance", "insurance_terms")
"""Parts whose values hold together, so that one cannot be mended without the others."""

_HARMLESS = {"winner": "tie", "odds": "8 to 1"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Mistake:
    """What is wrong at a key of a rule book; ``line``: of the file, None where the file does not have the key.

    ``deal``: a deal that shows what is wrong with a line that no round can come to.
    """

    key: str
    line: int | None
    what: str
    deal: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Looked:
    """A rule book that was looked through: its mistakes, or the game that it states.

    ``to_the_end``: whether all of it could be looked at; after some mistakes nothing more can be said.
    """

    game: Game | None
    mistakes: tuple[Mistake, ...]
    to_the_end: bool = True


def looked_through(path: Path) -> Looked:
    """Every mistake of the rule book in a file, in the order in which they are met."""
    text = rule_book_text(path)
    try:
        raw = whole_data(text, path)
    except RuleBookError as error:
        mistake = _unread(str(error).removeprefix(f"{path.name}: "), text)
        return Looked(game=None, mistakes=(mistake,), to_the_end=False)
    return _Patient(raw, key_lines(text), path).looked_through()


def _unread(what: str, text: str) -> Mistake:
    """A mistake that keeps the file from being read any further."""
    if line := re.search(r"\bline (\d+)", what):
        return Mistake(key="", line=int(line[1]), what=what)
    if what.startswith("not readable"):
        return Mistake(key="", line=None, what=what)
    place = _SAID.fullmatch(what)
    key, said = (place[1], place[2]) if place else ("", what)
    return Mistake(key=key, line=line_of(key, key_lines(text)), what=said)


class _Patient:
    """The data of a rule book while they are looked through."""

    def __init__(self, raw: dict[str, Any], lines: dict[str, int], path: Path) -> None:
        self.raw = copy.deepcopy(raw)
        self.lines = lines
        self.path = path
        self.places: dict[
            int, list[int]
        ] = {}  # of lists that entries were taken out of, what numbers are left
        self.touched: set[str] = set()  # ids of bets and others that are not what they were
        self.misspelt: set[str] = set()  # top-level keys that another key was meant to be
        self.bets_unknown = False  # whether a bet, or all of them, have no id that others could name
        self.parts: set[str] = set()  # parts of the rule book that were replaced or made smaller
        self.mistakes: list[Mistake] = []

    def looked_through(self) -> Looked:
        """Note a mistake and mend it, until there is none, or none that can be mended."""
        for _ in range(2 * MOST):
            game: Game | None = None
            try:
                game = stated_game(self.raw)
                self._check_name(game)
                check_game(game)
            except RuleBookError as error:
                before = copy.deepcopy(self.raw)
                mended = self._noted_and_mended(str(error), game)
                if not mended or self.raw == before or len(self.mistakes) >= MOST:
                    return self._looked(to_the_end=False)
            else:
                return self._looked(game, to_the_end="table_of_play" not in self.parts and not self.misspelt)
        return self._looked(to_the_end=False)

    def _looked(self, game: Game | None = None, *, to_the_end: bool) -> Looked:
        mistakes = tuple(self.mistakes)
        return Looked(game=None if mistakes else game, mistakes=mistakes, to_the_end=to_the_end)

    def _check_name(self, game: Game) -> None:
        if game.id != self.path.stem and "id" not in self.parts:
            raise RuleBookError(
                f'id: found "{game.id}"; the file is named after its game: '
                f'write id = "{self.path.stem}" or name the file {game.id}.toml'
            )

    def _noted_and_mended(self, said: str, game: Game | None) -> bool:
        place = _SAID.fullmatch(said)
        key, what = (place[1], place[2]) if place else ("", said)
        if not self._follows(key, what):
            in_file = self._in_file(key)
            unknown = re.match(r"unknown key ([a-z_]+)[;.]", what)
            named = ".".join(filter(None, (in_file, unknown[1]))) if unknown else in_file
            self.mistakes.append(
                Mistake(
                    key=named,
                    line=line_of(named, self.lines),
                    what=_NUMBERED.sub(lambda other: self._in_file(other[0]), what),
                    deal=_deal(key, what, game),
                )
            )
        try:
            return self._mended(key, what)
        except (LookupError, TypeError, StopIteration, AttributeError):
            return False  # nothing that is known here: what comes after it cannot be looked at

    def _follows(self, key: str, what: str) -> bool:
        """Whether a mistake only follows from others that were noted and taken out."""
        if line := re.match(r"bets\[(\d+)\]\.pays", key):
            bet_id = str(self._bet(int(line[1])).get("id"))
            return bet_id in self.touched and what.startswith("found nothing that")
        if self.bets_unknown and "is no bet of this game" in what:
            return True
        if not key and any(what.startswith(f"the key {meant} is missing") for meant in self.misspelt):
            return True
        if key.startswith(("examples[", "expect[")):
            number = int(re.findall(r"\d+", key)[0])
            entry = self.raw[key.partition("[")[0]][number]
            return isinstance(entry, dict) and str(entry.get("bet")) in self.touched
        if re.match(r"bets\[\d+\]\.layouts", key) and "layouts" in self.parts:
            return True
        if key.startswith("insurance_terms.limits") and "insurance" in self.parts:
            return True
        return any(f'"{own}"' in what for own in self.touched)

    def _bet(self, number: int) -> dict[str, Any]:
        bet = self.raw["bets"][number] if isinstance(self.raw.get("bets"), list) else None
        return bet if isinstance(bet, dict) else {}

    # ---------------------------------------------------------------- where something stands

    def _in_file(self, key: str) -> str:
        """A key as the file has it: entries that were taken out are counted."""
        node: Any = self.raw
        path = ""
        for name, number in re.findall(r"([a-z_]+)|\[(\d+)\]", key):
            if name:
                path = f"{path}.{name}" if path else name
                node = node.get(name) if isinstance(node, dict) else None
            else:
                at = int(number)
                left = self.places.get(id(node), [])
                path += f"[{left[at] if at < len(left) else at}]"
                node = node[at] if isinstance(node, list) and at < len(node) else None
        return path

    def _take_out(self, entries: list[Any], number: int) -> None:
        left = self.places.setdefault(id(entries), list(range(len(entries))))
        del left[number], entries[number]

    def _table(self, key: str) -> Any:
        node: Any = self.raw
        for name, number in re.findall(r"([a-z_]+)|\[(\d+)\]", key):
            node = node[name] if name else node[int(number)]
        return node

    # ---------------------------------------------------------------- mending

    def _mended(self, key: str, what: str) -> bool:
        """Take out what was refused, or put something harmless in its place; False: that cannot be done."""
        self.parts.add(re.split(r"[.\[]", key)[0])
        if line := _LINE.match(key):
            bet = self._bet(int(line[1]))
            self.touched.add(str(bet.get("id")))
            self._take_out(bet["pays"], int(line[2]))
            return True
        if entry := _ENTRY.match(key):
            return self._entry_taken_out(entry[1], int(entry[2]))
        if key in _WHOLE or key.startswith(tuple(f"{whole}." for whole in _WHOLE)):
            return self._whole_replaced(key)
        if unknown := re.match(r"unknown key (.*?)(?:\. |; did you mean (\w+)\?)", what, re.DOTALL):
            table = self._table(key)
            value = table.pop(next(own for own in table if shortened(own) == unknown[1]))
            if unknown[2] and key:
                table.setdefault(unknown[2], value)
            elif unknown[2]:  # what it holds has not been completed as a draft is
                self.misspelt.add(unknown[2])
            return True
        if missing := re.match(r"the key (\w+) is missing", what):
            return self._put(".".join(filter(None, (key, missing[1]))))
        return self._value_mended(key)

    def _entry_taken_out(self, name: str, number: int) -> bool:
        entries = self.raw[name]
        taken = entries[number]
        self.touched |= {str(taken["id"])} if isinstance(taken, dict) and "id" in taken else set()
        self._take_out(entries, number)
        if name == "insurance" and not entries:
            del self.raw["insurance"], self.raw["insurance_terms"]
        return True

    def _whole_replaced(self, key: str) -> bool:
        """Replace a table whose values hold together, or take it out."""
        if key.startswith("decks"):
            self.raw["decks"] = {"least": 1, "most": 8, "clause": "not stated"}
        elif key.startswith("table_of_play"):
            del self.raw["table_of_play"]
            self.raw["clauses"] |= {"table_of_play": "not stated", "third_cards": "not stated"}
        else:
            self.raw.pop("insurance", None)
            self.raw.pop("insurance_terms", None)
        return True

    def _value_mended(self, key: str) -> bool:
        """Mend what is neither in an entry of a list nor a key too many or too few."""
        if key == "id":
            self.raw["id"] = _as_id(self.path.stem, "game")
            return True
        if own := re.fullmatch(r"(bets|layouts)\[(\d+)\]\.id", key):
            entry = self._table(f"{own[1]}[{own[2]}]")
            self.touched |= {str(entry["id"])}
            self.bets_unknown = self.bets_unknown or not isinstance(entry["id"], str)
            others = [other.get("id") for other in self.raw[own[1]] if isinstance(other, dict)]
            new = _as_id(str(entry["id"]), own[1])
            entry["id"] = f"{new}-{own[2]}" if new in others else new
            self.touched |= {entry["id"]}
            return True
        if at := re.match(r"bets\[(\d+)\]\.layouts", key):
            self._bet(int(at[1]))["layouts"] = [layout["id"] for layout in self.raw["layouts"]]
            return True
        return self._put(re.sub(r"\[\d+\]$", "", key))

    def _put(self, key: str) -> bool:
        """Put a value in a key's place that its type allows, or take the key out where it may be left out."""
        above, _, name = key.rpartition(".")
        table = self._table(above)
        value = stand_in(key, self.raw)
        if name == "pays":
            self.touched.add(str(table.get("id")))
            value = [dict(_HARMLESS)]
        elif key == "bets":
            self.bets_unknown = True
            layouts = [layout["id"] for layout in self.raw["layouts"]]
            harmless = {"id": "bet", "pays": [dict(_HARMLESS)], "layouts": layouts}
            value = [each | harmless for each in value]
        if value is not None or name not in table:
            table[name] = "not stated" if value is None else value
        else:
            del table[name]
        return True


def _as_id(text: str, otherwise: str) -> str:
    """A text as an id would have it."""
    return "-".join(re.findall(r"[a-z0-9]+", text.lower())) or otherwise


def _deal(key: str, what: str, game: Game | None) -> str:
    """A deal that shows why no round can come to a line, in words; empty where that is not what is wrong."""
    line = _LINE.fullmatch(key)
    if game is None or line is None or not what.startswith("no round can come to this"):
        return ""
    return impossible_in_words(game.bets[int(line[1])].pays[int(line[2])], game.table_of_play)


def impossible_in_words(pay: Pay, table: TableOfPlay) -> str:
    """A deal that comes as near as can be to a line that no round can come to: one fact of it is not so."""
    deals = possible_deals(table)
    if excepted := deals.example(deals.in_case(pay)):
        return f"{excepted} has its facts, but is taken out by an exception"
    for fact in reversed(pay.facts):
        others = msgspec.structs.replace(pay, **{fact: None}, exceptions=())
        if near := deals.example(deals.in_case(others)):
            outcome = near.outcome
            part = outcome.result if hasattr(outcome.result, fact) else outcome.first_four
            return f"{near} has all its facts but {fact}, which is {_plainly(getattr(part, fact))} there"
    return "no two of its facts go together"


def _plainly(value: object) -> str:
    return "none" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
