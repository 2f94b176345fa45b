"""Every mistake of a rule book at once, where loading it stops at the first.

What is wrong is noted and mended (``mending``), and the rest is looked at again, until nothing is left to say: first
the texts, then the types of the values, then what must hold together. What only follows from something mended is no
mistake of its own.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from combinat.errors import RuleBookError
from combinat.rules import bounds
from combinat.rules.bet import Pay
from combinat.rules.bounded_toml import parsed_toml
from combinat.rules.checks import check_game
from combinat.rules.game import SCHEMA, Game, Status
from combinat.rules.mending import Patient, entry_of
from combinat.rules.possible import possible_deals
from combinat.rules.resolved import NOT_STATED
from combinat.rules.rulebook import meant_status, rule_book_text, stated_game, whole_data
from combinat.rules.table_of_play import TableOfPlay
from combinat.rules.toml_lines import key_lines, line_of
from combinat.rules.toml_text import toml_text

MOST = 100
"""How many mistakes are looked for."""

_PLACE = r"[a-z_]+(?:\[\d+\])?(?:\.[a-z_]+(?:\[\d+\])?)*"
_SAID = re.compile(rf"({_PLACE}): (.*)", re.DOTALL)
_NUMBERED = re.compile(r"[a-z_]+\[\d+\](?:\.[a-z_]+(?:\[\d+\])?)*")
_CHOICES = re.compile(r"(.*(?:write one of|write some of|each once:) )(.*)", re.DOTALL)
_OF_A_WOUND = (
    re.compile(r"examples\[\d+\]\.line"),
    re.compile(r"insurance\[\d+\]\.offers"),
    re.compile(r"interpretations\[\d+\]\.instead(?:\.layouts|\.bets\[\d+\]\.pays)?"),
    re.compile(r"table_of_play\.banker_draws"),
)
"""What is said here of an entry that was mended may follow from that."""


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
    mistakes: list[Mistake] = []
    readable = text
    while True:
        try:
            raw = whole_data(readable, path)
        except RuleBookError as error:
            mistakes.append(_unread(str(error).removeprefix(f"{path.name}: "), text))
            mended = _with_text_mended(readable, mistakes[-1].key) if len(mistakes) < MOST else None
            if mended is None:
                return Looked(game=None, mistakes=tuple(mistakes), to_the_end=False)
            readable = mended
        else:
            return _Look(raw, key_lines(text), path, mistakes).looked_through()


def _unread(what: str, text: str) -> Mistake:
    """A mistake that keeps the file from being read as a rule book."""
    if line := re.search(r"\bline (\d+)", what):
        return Mistake(key="", line=int(line[1]), what=what)
    if what.startswith("not readable"):
        return Mistake(key="", line=None, what=what)
    place = _SAID.fullmatch(what)
    key, said = (place[1], place[2]) if place else ("", what)
    return Mistake(key=key, line=line_of(key, key_lines(text)), what=said)


def _with_text_mended(text: str, key: str) -> str | None:
    """The text of a rule book with something else in the place of a text that is out of bounds.

    None: there is no text at this key, or it cannot be mended.
    """
    try:
        patient = Patient(parsed_toml(text), Path())
        if key in ("schema", "name") and key not in patient.raw:
            patient.raw[key] = SCHEMA if key == "schema" else NOT_STATED
            return toml_text(patient.raw)
        if key == "status":  # what is looked at without all that a document states is a draft
            patient.raw[key] = meant_status(patient.raw[key]) or Status.DRAFT.value
            return toml_text(patient.raw)
        above, name, number = re.fullmatch(r"(.*?)\.?([a-z_]+)(?:\[(\d+)\])?", key).groups()  # type: ignore[union-attr]
        table = patient.at(above)
        entries, at = (table[name], int(number)) if number else (table, name)
        value = entries[at]
    except (LookupError, TypeError, AttributeError, ValueError):
        return None
    if not isinstance(value, str):
        return None
    shown = "".join(one for one in value if one.isascii() and one.isprintable())
    entries[at] = shown.strip()[:_SHORT].strip() or "x"
    return toml_text(patient.raw) if entries[at] != value else None


_SHORT = min(bounds.LENGTHS.values())
"""A text of so many characters may stand anywhere."""


class _Look:
    """A rule book while it is looked through."""

    def __init__(
        self, raw: dict[str, Any], lines: dict[str, int], path: Path, mistakes: list[Mistake]
    ) -> None:
        self.patient = Patient(raw, path)
        self.lines = lines
        self.path = path
        self.mistakes = mistakes
        self.is_typed = False  # whether every value can be read
        self.patient.bets_unknown = any(mistake.key.endswith(".id") for mistake in mistakes)

    def looked_through(self) -> Looked:
        """Note a mistake and mend it, until there is none, or none that can be mended."""
        patient = self.patient
        for _ in range(3 * MOST):
            game: Game | None = None
            before = repr(patient.raw)
            try:
                game = stated_game(patient.raw)
                if not self.is_typed:
                    self.is_typed = True
                    patient.with_whole_parts()
                    continue
                self._check_name(game)
                check_game(game)
            except RuleBookError as error:
                mended = self._noted_and_mended(str(error), game)
                if not mended or repr(patient.raw) == before or len(self.mistakes) >= MOST:
                    return self._looked(to_the_end=False)
            else:
                if not patient.wounded:
                    whole = "table_of_play" not in patient.parts and not patient.misspelt
                    return self._looked(game, to_the_end=whole)
                patient.without_wounded()
        return self._looked(to_the_end=False)

    def _looked(self, game: Game | None = None, *, to_the_end: bool) -> Looked:
        mistakes = tuple(self.mistakes)
        return Looked(game=None if mistakes else game, mistakes=mistakes, to_the_end=to_the_end)

    def _check_name(self, game: Game) -> None:
        if game.id != self.path.stem and "id" not in self.patient.parts:
            raise RuleBookError(
                f'id: found "{game.id}"; the file is named after its game: '
                f'write id = "{self.path.stem}" or name the file {game.id}.toml'
            )

    def _noted_and_mended(self, said: str, game: Game | None) -> bool:
        patient = self.patient
        place = _SAID.fullmatch(said)
        key, what = (place[1], place[2]) if place else ("", said)
        if game is not None and (first := self._rather(key, what)):
            patient.without_wounded(first)
            return True
        try:
            if not self._follows(key, what, game):
                self._note(key, what, game)
            return patient.value_mended(key, what) if game is None else patient.mended(key, what)
        except (LookupError, TypeError, StopIteration, AttributeError):
            return False  # nothing that is known here: what comes after it cannot be looked at

    def _rather(self, key: str, what: str) -> str:
        """Something wounded that is to be taken out before anything is said of a key; empty: nothing is."""
        patient = self.patient
        if patient.is_wounded("table_of_play") and not key.startswith("table_of_play"):
            return "table_of_play"  # bets are looked at with a table that holds together
        others = {entry_of(place) for place in _NUMBERED.findall(what)} - {entry_of(key)}
        return next(filter(patient.covers_otherwise, sorted(others)), "")

    def _note(self, key: str, what: str, game: Game | None) -> None:
        in_file = self.patient.in_file(key)
        unknown = re.match(r"unknown key ([a-z_]+)[;.]", what)
        named = ".".join(filter(None, (in_file, unknown[1]))) if unknown else in_file
        self.mistakes.append(
            Mistake(
                key=named,
                line=line_of(named, self.lines),
                what=_NUMBERED.sub(lambda other: self.patient.in_file(other[0]), self._of_the_file(what)),
                deal=_deal(key, what, game),
            )
        )

    def _of_the_file(self, what: str) -> str:
        """What is said, without ids among those to choose from that only stand for others."""
        listed = _CHOICES.fullmatch(what)
        ids = listed[2].split(", ") if listed else []
        if not listed or self.patient.given_ids.isdisjoint(ids):
            return what
        own = [one for one in ids if one not in self.patient.given_ids]
        return f"{listed[1]}{', '.join(own) or 'those that the file has'}"

    def _follows(self, key: str, what: str, game: Game | None) -> bool:
        """Whether a mistake only follows from others that were noted and mended."""
        patient = self.patient
        if not key and any(what.startswith(f"the key {meant} is missing") for meant in patient.misspelt):
            return True
        if game is None:
            return key in patient.guessed
        if not what.startswith("the key ") and (
            (not entry_of(key) and patient.is_put_below(key))
            or any(made in what for made in patient.made_ids)
        ):
            return True
        if self._is_of_parts_mended(key, what):
            return True
        if re.fullmatch(r"\w+\[\d+\]\.(?:id|incident)", key) and "lower-case words" in what:
            return patient.is_mended(key)
        if again := re.match(r'found "(.*)" again', what):
            return patient.is_mended(key) or (key.endswith(".id") and again[1] in patient.given_ids)
        if key and key == entry_of(key):
            if patient.covers_otherwise(key):
                return True
        elif patient.is_wounded(key) and (
            patient.is_mended(key)
            or ("beside odds" in what and patient.is_mended(key.replace(".commission", ".odds")))
            or any(place.fullmatch(key) for place in _OF_A_WOUND)
        ):
            return True
        if line := re.match(r"bets\[(\d+)\]\.pays", key):
            bet_id = str(patient.bet(int(line[1])).get("id"))
            return bet_id in patient.touched and what.startswith("found nothing that")
        if patient.bets_unknown and "is no bet of this game" in what:
            return True
        if re.match(r"(?:examples|expect)\[\d+\]\.line", key):
            return str(patient.at(entry_of(key)).get("bet")) in patient.touched
        if re.match(r"bets\[\d+\]\.layouts", key) and patient.layouts_unknown:
            return True
        if re.fullmatch(r"insurance_terms\.limits\[\d+\]\.odds", key) and "insurance" in patient.parts:
            return True
        return any(f'"{own}"' in what for own in patient.touched)

    def _is_of_parts_mended(self, key: str, what: str) -> bool:
        """Whether something is said of insurance or of bets, and these are not what they were."""
        patient = self.patient
        if "speaks of insurance" in what:
            return not patient.parts.isdisjoint(("insurance", "insurance_terms"))
        if "the game has no bet on that hand" in what:
            return patient.bets_unknown
        if offer := re.match(r"(insurance\[\d+\])\.offers\[\d+\]", key):
            its_own = (f"{offer[0]}.player_points", f"{offer[0]}.banker_points")
            return any(map(patient.is_mended_at, (f"{offer[1]}.side", f"{offer[1]}.stage", *its_own)))
        return False


def _deal(key: str, what: str, game: Game | None) -> str:
    """A deal that shows why no round can come to a line, in words; empty where that is not what is wrong."""
    line = re.fullmatch(r"bets\[(\d+)\]\.pays\[(\d+)\]", key)
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
            value = getattr(part, fact)
            nobody = (
                f"; nobody wins a tie: write player_{fact.rpartition('_')[2]}"
                if value is None and fact in _OF_A_WINNER
                else ""
            )
            return f"{near} has all its facts but {fact}, which is {_plainly(value)} there{nobody}"
    return "no two of its facts go together"


_OF_A_WINNER = ("winning_points", "losing_points", "winning_cards", "losing_cards")


def _plainly(value: object) -> str:
    return "none" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
