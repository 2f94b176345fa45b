"""The data of a rule book with a mistake in it, mended so that the rest can be looked at.

What was refused is taken out, or something harmless stands in its place. An entry in which something was mended so is
wounded: its other values are still looked at, and it is taken out when something is said of it as a whole, or of how
another goes together with it.
"""

import copy
import re
from pathlib import Path
from typing import Any

from combinat.errors import shortened
from combinat.rules.procedure import Effect
from combinat.rules.rulebook import stand_in

_LINE = re.compile(r"(?:interpretations\[\d+\]\.instead\.)?bets\[\d+\]\.pays\[\d+\]")
_ENTRY = re.compile(r"(?:examples|expect|interpretations|procedures|no_bearing|insurance)\[\d+\]")
_OWN_ID = re.compile(r"(bets|layouts|procedures|interpretations)\[(\d+)\]\.id")
_OF_LAYOUTS = re.compile(r"layouts(?:\[\d+\](?:\.id)?)?")
_WHOLE = ("decks", "table_of_play", "insurance", "insurance_terms")
"""Parts whose values hold together, so that one cannot be taken out without the others."""

_OF_NO_ROUND = (".odds", ".commission", ".name", ".clause")
"""What a line says of no round that it covers."""

_HARMLESS = {"winner": "tie", "odds": "8 to 1"}
_FIGURE = {"house_edge": "0%"}


def entry_of(key: str) -> str:
    """The key of the entry or part that a key stands in, which can be done without; empty: it stands in none."""
    if of_own := re.match(r"bets\[\d+\]\.pays\[\d+\]", key):
        return of_own[0]
    if entry := _ENTRY.match(key):
        return entry[0]
    first = re.split(r"[.\[]", key)[0]
    return first if first in _WHOLE else ""


class Patient:
    """The data of a rule book while they are looked through."""

    def __init__(self, raw: dict[str, Any], path: Path) -> None:
        self.raw = copy.deepcopy(raw)
        self.path = path
        self.places: dict[
            int, list[int]
        ] = {}  # of lists that entries were taken out of, what numbers are left
        self.touched: set[str] = set()  # ids of bets and others that are not what they were
        self.given_ids: set[str] = set()  # ids that were made in the place of others
        self.made_ids: set[str] = set()  # those of them that were made for what has none
        self.put: list[tuple[Any, str]] = []  # tables, and a key of each that something else was put at
        self.misspelt: set[str] = set()  # top-level keys that another key was meant to be
        self.bets_unknown = False  # whether a bet, or all of them, have no id that others could name
        self.parts: set[str] = set()  # parts of the rule book that were replaced or made smaller
        self.layouts_unknown = False  # whether a layout is not what it was
        self.guessed: set[str] = set()  # keys that got their names from others, which the file does not have
        self.wounded: list[Any] = []  # entries and parts in which something was mended
        self.mended_keys: list[tuple[Any, str]] = []  # such an entry, and what was mended in it

    def bet(self, number: int) -> dict[str, Any]:
        """A bet as it stands; empty where it is none."""
        bet = self.raw["bets"][number] if isinstance(self.raw.get("bets"), list) else None
        return bet if isinstance(bet, dict) else {}

    # ---------------------------------------------------------------- where something stands

    def in_file(self, key: str) -> str:
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

    def at(self, key: str) -> Any:
        """What stands at a dotted key."""
        node: Any = self.raw
        for name, number in re.findall(r"([a-z_]+)|\[(\d+)\]", key):
            node = node[name] if name else node[int(number)]
        return node

    def _take_out(self, key: str) -> None:
        """Take one entry out of its list."""
        above, number = re.fullmatch(r"(.*)\[(\d+)\]", key, re.DOTALL).groups()  # type: ignore[union-attr]
        entries = self.at(above)
        left = self.places.setdefault(id(entries), list(range(len(entries))))
        del left[int(number)], entries[int(number)]

    # ---------------------------------------------------------------- entries that are wounded

    def is_wounded(self, key: str) -> bool:
        """Whether the entry or part that a key stands in is to be taken out."""
        entry = entry_of(key)
        return bool(entry) and any(self._or_none(entry) is one for one in self.wounded)

    def _or_none(self, key: str) -> Any:
        try:
            return self.at(key) if key else None
        except (LookupError, TypeError):
            return None

    def is_mended(self, key: str) -> bool:
        """Whether what stands at a key, above or below it was mended within its entry."""
        entry = entry_of(key)
        own = key.removeprefix(entry)
        return any(
            self._or_none(entry) is one and (own.startswith(mended) or mended.startswith(own))
            for one, mended in self.mended_keys
        )

    def is_mended_at(self, key: str) -> bool:
        """Whether this very key was mended within its entry."""
        entry = entry_of(key)
        own = key.removeprefix(entry)
        return any(self._or_none(entry) is one and mended == own for one, mended in self.mended_keys)

    def is_put_below(self, key: str) -> bool:
        """Whether something else was put at a key, or at one of the table that stands there."""
        above, _, name = key.rpartition(".")
        there, table = self._or_none(key), self._or_none(above) if above else self.raw
        return any(
            (one is there and one is not None) or (one is table and put == name) for one, put in self.put
        )

    def covers_otherwise(self, key: str) -> bool:
        """Whether an entry is wounded, and a line of a pay table in the rounds that it covers: not in its odds alone."""
        entry = entry_of(key)
        if not self.is_wounded(entry) or not _LINE.fullmatch(entry):
            return self.is_wounded(entry)
        line = self.at(entry)
        return any(one is line and mended not in _OF_NO_ROUND for one, mended in self.mended_keys)

    def _wound(self, key: str, mended: str = "") -> None:
        entry = entry_of(key)
        if not entry:
            return
        if not self.is_wounded(entry):
            self.wounded.append(self.at(entry))
        if mended:
            self.mended_keys.append((self.at(entry), mended.removeprefix(entry)))
        if line := re.match(r"bets\[(\d+)\]", entry):
            self.touched.add(str(self.bet(int(line[1])).get("id")))

    def without_wounded(self, key: str = "") -> None:
        """Take out all that is wounded and stands at this key or below it."""
        for one in list(self.wounded):
            place = next((place for place in self._entries() if self.at(place) is one), None)
            if place is None or place.startswith(key):
                self.wounded = [other for other in self.wounded if other is not one]
                if place is not None:
                    self._entry_taken_out(place)

    def with_whole_parts(self) -> None:
        """Replace the wounded parts whose values hold together."""
        for whole in _WHOLE:
            if self.is_wounded(whole):
                self.without_wounded(whole)

    def _entries(self) -> list[str]:
        lists = ("examples", "expect", "interpretations", "procedures", "no_bearing", "insurance")
        keys = [f"{name}[{number}]" for name in lists for number in range(len(self.raw.get(name, ())))]
        for number, bet in enumerate(self.raw.get("bets", ())):
            keys += [f"bets[{number}].pays[{line}]" for line in range(len(bet["pays"]))]
        return keys + [whole for whole in _WHOLE if whole in self.raw]

    def _entry_taken_out(self, key: str) -> bool:
        """Take out an entry of a list, or a part that holds together."""
        if key in _WHOLE:
            return self._whole_replaced(key)
        if line := re.match(r"bets\[(\d+)\]", key):
            self.touched.add(str(self.bet(int(line[1])).get("id")))
        else:
            taken = self.at(key)
            self.touched |= {str(taken["id"])} if isinstance(taken, dict) and "id" in taken else set()
        self._take_out(key)
        if key.startswith("insurance[") and not self.raw["insurance"]:
            del self.raw["insurance"]
            self.raw.pop("insurance_terms", None)
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

    # ---------------------------------------------------------------- a value that cannot be read

    def value_mended(self, key: str, what: str) -> bool:
        """Mend a key too many or too few, or a value of another type; False: that cannot be done."""
        entry = entry_of(key)
        self.parts.add(re.split(r"[.\[]", key)[0])
        self.layouts_unknown = self.layouts_unknown or bool(_OF_LAYOUTS.fullmatch(key))
        if unknown := re.match(r"unknown key (.*?)(?:\. |; did you mean (\w+)\?)", what, re.DOTALL):
            self._wound(key, f"{key}.{unknown[2] or unknown[1]}")
            return self._renamed(key, unknown[1], unknown[2])
        if missing := re.match(r"the key (\w+) is missing", what):
            self._wound(key, f"{key}.{missing[1]}")
            whole_key = ".".join(filter(None, (key, missing[1])))
            self.layouts_unknown = self.layouts_unknown or bool(_OF_LAYOUTS.fullmatch(whole_key))
            own = _OWN_ID.fullmatch(whole_key)
            return (
                self._id_made(own) if own or whole_key == "id" else self._put_or_taken_out(whole_key, entry)
            )
        if entry and key == entry:
            return self._entry_taken_out(entry)
        self._wound(key, key)
        own = re.fullmatch(r"(bets|layouts)\[(\d+)\]\.id", key)
        if key == "id" or own:
            return self._id_mended(own)
        if item := re.fullmatch(r"(.*)\[\d+\]", key):
            self.bets_unknown = self.bets_unknown or item[1] == "bets"
            self._take_out(key)
            return bool(self.at(item[1])) or self._put_or_taken_out(item[1], entry)
        return self._put_or_taken_out(key, entry)

    def _renamed(self, key: str, unknown: str, meant: str | None) -> bool:
        """Take an unknown key out, or give it the name that was meant."""
        table = self.at(key)
        value = table.pop(next(own for own in table if shortened(own) == unknown))
        if meant and key and meant not in table:
            table[meant] = value
            self.guessed.add(f"{key}.{meant}")
        elif meant and not key:  # what it holds has not been completed as a draft is
            self.misspelt.add(meant)
        return True

    def _put_or_taken_out(self, key: str, entry: str) -> bool:
        try:
            return self._put(key)
        except (LookupError, TypeError, StopIteration, AttributeError):
            if not entry:
                raise
            return self._entry_taken_out(entry)

    def _put(self, key: str) -> bool:
        """Put a value in a key's place that its type allows, or take the key out where it may be left out."""
        above, _, name = key.rpartition(".")
        table = self.at(above)
        value = stand_in(key, self.raw)
        if name == "pays":
            self.touched.add(str(table.get("id")))
            value = [dict(_HARMLESS)]
        elif re.fullmatch(r"bets\[\d+\]\.name", key) and isinstance(table.get("id"), str):
            value = table["id"]
        elif re.fullmatch(r"bets\[\d+\]\.layouts", key):
            value = self._layout_ids()
        elif key == "bets":
            self.bets_unknown = True
            harmless = {"id": "bet", "pays": [dict(_HARMLESS)], "layouts": self._layout_ids()}
            value = [each | harmless for each in value]
        if value is not None or name not in table:
            table[name] = "not stated" if value is None else value
            self.put.append((table, name))
        else:
            del table[name]
        return True

    def _layout_ids(self) -> list[Any]:
        layouts = self.raw.get("layouts")
        stated = layouts if isinstance(layouts, list) else []
        return [layout["id"] for layout in stated if isinstance(layout, dict) and "id" in layout]

    def _id_made(self, own: "re.Match[str] | None") -> bool:
        """Give an id to what has none: to an entry one that nothing else has; None: to the game."""
        if own is None:
            self.parts.add("id")
            return self._id_mended(None)
        made = f"{own[1]}-without-id-{own[2]}"
        self.at(f"{own[1]}[{own[2]}]")["id"] = made
        self.touched.add(made)
        self.given_ids.add(made)
        self.made_ids.add(made)
        self.bets_unknown = self.bets_unknown or own[1] == "bets"
        return True

    def _id_mended(self, own: "re.Match[str] | None") -> bool:
        if own is None:
            self.raw["id"] = _as_id(self.path.stem, "game")
            return True
        self.layouts_unknown = self.layouts_unknown or own[1] == "layouts"
        entry = self.at(f"{own[1]}[{own[2]}]")
        self.touched |= {str(entry["id"])}
        self.bets_unknown = self.bets_unknown or not isinstance(entry["id"], str)
        others = [str(other.get("id")).lower() for other in self.raw[own[1]] if isinstance(other, dict)]
        new = _as_id(str(entry["id"]), own[1])
        entry["id"] = f"{new}-{own[2]}" if new in others else new
        self.touched |= {entry["id"]}
        self.given_ids |= {entry["id"]}
        return True

    # ---------------------------------------------------------------- what does not hold together

    def mended(self, key: str, what: str) -> bool:
        """Mend what can be read and does not go together with the rest; False: that cannot be done."""
        entry = entry_of(key)
        line = _LINE.match(key)
        if not entry and not line and re.match(r"the key \w+ is missing", what):
            return self.value_mended(key, what)
        self.parts.add(re.split(r"[.\[]", key)[0])
        if line:
            return self._line_mended(line[0], key.removeprefix(line[0]))
        own = _OWN_ID.fullmatch(key)
        if key == "id" or own:
            return self._id_mended(own)
        first = re.split(r"[.\[]", key)[0]
        way = {
            "examples": self._example_mended,
            "expect": self._expect_mended,
            "procedures": self._procedure_mended,
            "interpretations": self._reading_mended,
            "insurance": self._insurance_mended,
            "insurance_terms": self._terms_mended,
            "table_of_play": self._table_mended,
        }.get(first)
        if way is not None:
            return way(key, entry) or self._entry_taken_out(entry)
        if entry:
            return self._entry_taken_out(entry)
        if at := re.match(r"bets\[(\d+)\]\.layouts", key):
            return self._layouts_mended(key, self.bet(int(at[1])))
        self.layouts_unknown = self.layouts_unknown or key == "layouts"
        return self._put(re.sub(r"\[\d+\]$", "", key))

    def _line_mended(self, line: str, rest: str) -> bool:
        """Mend what says nothing of the rounds that a line covers; else take the line out."""
        if line.startswith("interpretations"):
            self._wound(line)
        self.touched.add(str(self.at(line.rpartition(".pays")[0]).get("id")))
        table = self.at(line)
        if rest == ".name":
            table["name"] = f"a line without a name of its own, {line}"
        elif rest == ".commission":
            del table["commission"]
        elif rest.startswith(".except["):
            self._take_out(line + rest)
        else:
            self._take_out(line)
        return True

    def _layouts_mended(self, key: str, bet: dict[str, Any]) -> bool:
        if key.endswith("]"):
            self._take_out(key)
        if not bet["layouts"]:
            bet["layouts"] = self._layout_ids()
        return True

    def _example_mended(self, key: str, entry: str) -> bool:
        if key.rpartition(".")[2] not in ("player", "banker"):
            return False
        self._wound(entry, key)
        self.at(entry)[key.rpartition(".")[2]] = "K K"
        return True

    def _expect_mended(self, key: str, entry: str) -> bool:
        table = self.at(entry)
        if key == f"{entry}.decks":
            table["decks"] = 8
        elif key == entry:
            kept = {name: table[name] for name in ("bet", "decks", "source")}
            table.clear()
            table.update(kept | _FIGURE)
        return key in (entry, f"{entry}.decks")

    def _procedure_mended(self, key: str, entry: str) -> bool:
        table, name = self.at(entry), key.removeprefix(f"{entry}.")
        if name == "incident":
            table["incident"] = _as_id(table["incident"], "incident")
            self.touched.add(table["incident"])
        elif name in ("if", "unless"):
            table[name] = list(dict.fromkeys(table[name]))
        elif name == "effect":
            table["effect"] = Effect.RETURNED.value
        return name in ("incident", "if", "unless", "effect")

    def _reading_mended(self, key: str, entry: str) -> bool:
        """Take the part of another reading out that cannot be; the reading is then not what it was."""
        self._wound(entry)
        part = re.match(
            r"interpretations\[\d+\]\.instead\.(?:bets|insurance|layouts|insurance_limits)\[\d+\]", key
        )
        if item := re.match(r"interpretations\[\d+\]\.instead\.layouts\[\d+\]\.bets\[\d+\]", key):
            self._take_out(item[0])
        elif part:
            self._take_out(part[0])
        return bool(part)

    def _insurance_mended(self, key: str, entry: str) -> bool:
        offer = re.match(r"insurance\[\d+\]\.offers\[\d+\]", key)
        if offer:
            self._wound(entry)
            self._take_out(offer[0])
        return bool(offer)

    def _terms_mended(self, key: str, entry: str) -> bool:
        limit = re.fullmatch(r"(insurance_terms\.limits\[\d+\])\.(odds|procedure|per)", key)
        if not limit:
            return False
        if limit[2] == "per":
            self.at(limit[1])["per"] = "offer"
        else:
            del self.at(limit[1])[limit[2]]
        return True

    def _table_mended(self, key: str, entry: str) -> bool:
        """Take the cells of a Table of Play out that cannot be; it is then no table to look at bets with."""
        self._wound(entry)
        if row := re.match(r"table_of_play\.banker_draws\[\d+\]", key):
            self._take_out(row[0])
        elif drawn := re.fullmatch(r"table_of_play\.(player_draws|banker_draws_\w+)", key):
            self.at(entry)[drawn[1]] = "none"
        else:
            return False
        return True


def _as_id(text: str, otherwise: str) -> str:
    """A text as an id would have it."""
    return "-".join(re.findall(r"[a-z0-9]+", text.lower())) or otherwise
