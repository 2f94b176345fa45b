"""A game as a Coq file: its Table of Play, bets and insurance states as data, each count as a theorem.

The words of the file are those of ``proof/Play.v``, which defines them. What has no word there is refused by name
and never left out: a file that compiles proves all that was stated.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from combinat.base.errors import CertificateError, CombinatError, FileError, InputError, shortened
from combinat.base.files import plain_bytes, replacing
from combinat.certify.checker import MOST_BYTES
from combinat.certify.statements import (
    BetStatement,
    GameStatement,
    ShoeStatement,
    StateStatement,
    game_statement,
    read_statement,
)
from combinat.engine.progress import Progress
from combinat.render.escape import for_coq_comment
from combinat.rules.bet import Bet, Case, Pay
from combinat.rules.converters import other_decks
from combinat.rules.game import Game
from combinat.rules.insurance import Offer, Open, State
from combinat.rules.outcome import Pairs, Winner

_MODULE = re.compile(r"[A-Za-z][A-Za-z0-9_]*\.v", re.ASCII)

PROGRAM = "check.py"
"""The program beside the sources that compiles them and the theorems."""


def proof_folder() -> Path:
    """Return the folder of the Coq sources: inside an installed package, or beside it in a checkout."""
    package = Path(__file__).resolve().parent.parent
    for folder in (package / "proof", package.parent / "proof"):
        if folder.is_dir():
            return folder
    raise CombinatError(
        f"no proof sources found: neither {package / 'proof'} nor the checkout's proof/ exists"
    )


@cache
def proof_sources() -> dict[str, bytes]:
    """Return the Coq sources by name."""
    return {path.name: path.read_bytes() for path in sorted(proof_folder().glob("*.v"))}


def refuse_name(name: str, game: Game) -> None:
    """Refuse a name that is no Coq module name, or that one of the sources has."""
    if not _MODULE.fullmatch(name):
        write = f"write letters, digits and _ before .v, as Coq needs, such as {module_name(game.id)}.v"
        raise InputError(f'found "{shortened(name)}"', write, parameter="out")
    if name in proof_sources():
        raise InputError(f"{name} is a source of the proof", "choose another name", parameter="out")


def write_sources(folder: Path) -> None:
    """Write the Coq sources and the program to a folder; refuse to overwrite other files."""
    sources = {**proof_sources(), PROGRAM: (proof_folder() / PROGRAM).read_bytes()}
    for name, content in sources.items():
        place = folder / name
        if place.exists() or place.is_symlink():
            try:
                there = plain_bytes(place, len(content))
            except FileError:
                there = b""
            if there != content:
                raise InputError(
                    f"{place} is there and is another file",
                    "move it away, or write to another folder",
                    parameter="with_sources",
                )
    for name, content in sources.items():
        with replacing(folder / name) as temporary:
            temporary.write_bytes(content)


def stated_counts(
    game: Game, decks: Sequence[int] | None, analysis: Path | None, progress: Progress
) -> GameStatement:
    """Return the counts to prove: those of an ``analysis.json``, or counted now. ``decks``: Default: all allowed."""
    if analysis is None:
        numbers = list(decks or range(game.decks.least, game.decks.most + 1))
        if warning := other_decks(game.id, game.decks, numbers):
            progress.warn(warning)
        with progress.bar(len(numbers), "shoes") as advance:
            return game_statement(game, numbers, advance)
    try:
        statement = read_statement(plain_bytes(analysis, MOST_BYTES, links=True), decks)
    except CertificateError as error:
        raise type(error)(f"{analysis}: {error}") from None
    if statement.rule_book_sha256 != game.sha256:
        progress.warn(
            f"{analysis}: it is of another rule book of that game; what does not hold for this one will not compile"
        )
    return statement


class UnprovableError(CombinatError):
    """A feature of a game that the model of ``proof/`` cannot express."""


POINTS, NUMBER, FLAG, WINNER, PAIRS = "points", "number", "flag", "winner", "pairs"
FACTS = {
    "winner": ("Winner", WINNER),
    "winning_points": ("Winning_points", POINTS),
    "losing_points": ("Losing_points", POINTS),
    "winning_cards": ("Winning_cards", POINTS),
    "losing_cards": ("Losing_cards", POINTS),
    "total_points": ("Total_points", POINTS),
    "natural": ("Natural", FLAG),
    "player_natural": ("Player_natural", FLAG),
    "banker_natural": ("Banker_natural", FLAG),
    "player_points": ("Player_points", POINTS),
    "banker_points": ("Banker_points", POINTS),
    "player_cards": ("Player_cards", NUMBER),
    "banker_cards": ("Banker_cards", NUMBER),
    "cards": ("Cards", NUMBER),
    "margin": ("Margin", NUMBER),
    "player_pair": ("Player_pair", FLAG),
    "banker_pair": ("Banker_pair", FLAG),
    "pairs": ("Pairs", PAIRS),
    "player_point_pair": ("Player_point_pair", FLAG),
    "banker_point_pair": ("Banker_point_pair", FLAG),
    "point_pairs": ("Point_pairs", PAIRS),
}
"""The facts of a line of a pay table: what Coq calls each, and what sort of value it asks for."""

NO_FACTS = ("odds", "name", "clause", "commission", "exceptions")
OFFER_KEYS = ("player_points", "banker_points", "odds", "tie_pays", "clause")
TABLE_KEYS = (
    *("clause", "stood_clause", "natural"),
    *("player_draws", "banker_draws", "banker_draws_when_player_stood"),
)

VALUES: Mapping[StrEnum, str] = {
    Winner.PLAYER: "PlayerWins",
    Winner.BANKER: "BankerWins",
    Winner.TIE: "Tie",
    Pairs.NONE: "NoPair",
    Pairs.SINGLE: "SinglePair",
    Pairs.DOUBLE: "DoublePair",
    Pairs.TWIN: "TwinPair",
}

OPENINGS = {Open.CARD_TO_COME: "Card_to_come", Open.WHENEVER_LISTED: "Whenever_listed"}

TABLE, OPENING = "table_of_play", "insurance_open"

HEAD = """From Coq Require Import NArith QArith List.
From Baccarat Require Import Cards Play Grouped Counts.
Import ListNotations.
Open Scope N_scope.
"""


def module_name(game_id: str) -> str:
    """Return a name as a valid Coq identifier.

    >>> module_name("big-tiger"), module_name("7-up")
    ('big_tiger', 'game_7_up')
    """
    name = game_id.replace("-", "_")
    return name if name[:1].isalpha() else f"game_{name}"


def proof_text(game: Game, stated: GameStatement) -> str:
    """Return the Coq file that states and proves these counts of a game."""
    _check_subjects(game, stated)
    parts = [_title(game, stated), HEAD, _table_of_play(game)]
    parts += [_bet(bet) for bet in game.bets]
    parts += [_states(game)] if game.offers else []
    returning = frozenset(bet.id for bet in game.bets if not bet.rest)
    parts += [_shoe(shoe, returning) for shoe in stated.shoes]
    return "\n".join(parts)


def theorem_count(stated: GameStatement) -> int:
    """Return the number of theorems in the file of these statements."""
    return sum(len(list(_theorems(shoe))) for shoe in stated.shoes)


def _check_subjects(game: Game, stated: GameStatement) -> None:
    """Refuse counts whose bets, lines and states differ from those of the game."""
    if stated.game != game.id:
        raise UnprovableError(f"the counts are of {stated.game[:100]}, the rule book is of {game.id}")
    states = {str(state) for state in game.offers}
    lines = {bet.id: len(bet.pays) for bet in game.bets}
    for shoe in stated.shoes:
        counted = {bet.id: len(bet.ways) - 1 for bet in shoe.bets}
        names = [bet.id for bet in shoe.bets] + [str(state.state) for state in shoe.insurance]
        where = "1 deck" if shoe.decks == 1 else f"{shoe.decks} decks"
        if len(names) != len(set(names)):
            raise UnprovableError(f"{where}: {max(names, key=names.count)[:100]} is counted twice")
        for name in sorted((lines.keys() | states) ^ set(names)):
            has = "the rule book has no such bet or state" if name in names else "no counts are given for it"
            raise UnprovableError(f"{where}: {name[:100]}: {has}")
        for bet_id, number in lines.items():
            if counted[bet_id] != number:
                raise UnprovableError(
                    f"{where}: {bet_id}: counts of {counted[bet_id]} lines; its pay table has {number}"
                )


# ---------------------------------------------------------------- the game as data


def _title(game: Game, stated: GameStatement) -> str:
    return (
        f"(* {for_coq_comment(game.name)}: every count a theorem.\n\n"
        f"   Game {game.id}; the rule book has the SHA-256\n   {stated.rule_book_sha256}.\n"
        "   Written by combinat prove; what the words mean is defined in Cards.v, Play.v and, for void_ways, Counts.v. *)\n"
    )


def _table_of_play(game: Game) -> str:
    table = game.printed_table
    _refuse_unknown(table, TABLE_KEYS, "table_of_play")
    rows = "; ".join(f"({_points(row.points)}, {_points(row.third)})" for row in table.banker_draws)
    where = for_coq_comment(f"{game.table_clause}; when the Player Hand stood: {game.stood_clause}")
    return (
        f"(* The Table of Play: {where}. *)\n"
        f"Definition {TABLE} : table := Table\n"
        f"  (* natural *) {_points(table.natural)}\n"
        f"  (* player_draws *) {_points(table.player_draws)}\n"
        f"  (* banker_draws *) [{rows}]\n"
        f"  (* banker_draws_when_player_stood *) {_points(table.banker_draws_when_player_stood)}.\n\n"
        f"Definition {OPENING} : opening := {_opening(game)}.\n"
    )


def _opening(game: Game) -> str:
    """The Coq term for when offers are open. A game without insurance has no offers, so any value will do."""
    opens = game.insurance_terms.open if game.insurance_terms else Open.CARD_TO_COME
    if opens not in OPENINGS:
        raise UnprovableError(f'insurance_terms.open: the proof has no words for "{opens}"')
    return OPENINGS[opens]


def _bet(bet: Bet) -> str:
    lines = [f"  {_line(bet, pay)}" for pay in bet.pays]
    if not bet.rest:
        lines.append(f"  Line [] {_rational(bet.rest)} (* otherwise: returned *)")
    where = for_coq_comment(f"{bet.name}: {bet.defined}, settled by {bet.settled}")
    return f"(* {where}. *)\nDefinition {_bet_name(bet.id)} : bet := [\n" + ";\n".join(lines) + "\n].\n"


def _line(bet: Bet, pay: Pay) -> str:
    facts = _facts(bet, pay)
    if pay.exceptions:
        cases = "; ".join(f"[{'; '.join(_facts(bet, case))}]" for case in pay.exceptions)
        facts.append(f"None_of [{cases}]")
    return f"Line [{'; '.join(facts)}] {_rational(pay.odds.net)} (* {for_coq_comment(pay.odds)} *)"


def _facts(bet: Bet, case: Case) -> list[str]:
    """The facts that a case requires."""
    _refuse_unknown(case, (*NO_FACTS, *FACTS), f"bet {bet.id}")
    asked = {name: accepted for name, accepted in case.facts.items() if accepted}
    return [_fact(*FACTS[name], asked[name]) for name in FACTS if name in asked]


def _fact(word: str, sort: str, accepted: frozenset[Any]) -> str:
    if sort == POINTS:
        return f"{word} {_points(accepted)}"
    ordered = sorted(accepted) if sort in (NUMBER, FLAG) else [value for value in VALUES if value in accepted]
    words = [f"{word} {_value(sort, value)}" for value in ordered]
    return words[0] if len(words) == 1 else f"Any_of [{'; '.join(words)}]"


def _value(sort: str, value: Any) -> str:
    if sort == FLAG:
        return str(value).lower()
    return str(value) if sort == NUMBER else VALUES[value]


def _refuse_unknown(record: msgspec.Struct, known: Sequence[str], what: str) -> None:
    """Refuse a record with fields that the model cannot express."""
    for field in msgspec.structs.fields(record):
        if field.name not in known and getattr(record, field.name) != field.default:
            raise UnprovableError(
                f'{what}: the proof has no words for "{field.encode_name}"; nothing is proved of the game'
            )


def _states(game: Game) -> str:
    named = (
        f"Definition {_state_name(state)} : state := {_state(state, offer)}."
        for state, offer in game.offers.items()
    )
    return "(* The insurance states. *)\n" + "\n".join(named) + "\n"


def _state(state: State, offer: Offer) -> str:
    _refuse_unknown(offer, OFFER_KEYS, f"insurance {state}")
    at = f"{state.side.capitalize()} {_stage(state)} {state.player_points} {state.banker_points}"
    return f"State {at} {_rational(offer.odds.net)} {_points(offer.tie_pays or ())} (* {for_coq_comment(offer.odds)} *)"


def _stage(state: State) -> str:
    return state.stage.value.replace("-", "_").capitalize()


def _bet_name(bet_id: str) -> str:
    return f"bet_{bet_id.replace('-', '_')}"


def _state_name(state: State) -> str:
    stage = state.stage.value.replace("-", "_")
    return f"state_{state.side}_{stage}_{state.player_points}_{state.banker_points}"


def _points(points: Iterable[int]) -> str:
    return f"[{'; '.join(map(str, sorted(points)))}]"


def _rational(value: Fraction) -> str:
    return f"({value.numerator} # {value.denominator})"


# ---------------------------------------------------------------- the theorems


Returning = frozenset[str]
"""The bets that are returned if no line covers the round: the rest is then one more line."""


def _shoe(shoe: ShoeStatement, returning: Returning) -> str:
    decks = shoe.decks
    held = f"tables {TABLE} {OPENING} (decks {decks})"
    theorems = list(_theorems(shoe, returning))
    proofs = [f"Theorem {name} : {says}.\nProof. {by}. Qed." for name, says, by in theorems]
    listed = ";\n  ".join(f"Proved {name}" for name, _, _ in theorems)
    return (
        f"(* {'-' * 66} {decks} decks *)\n\n"
        f"Definition tables_{decks} : tables_of_shoe := Eval vm_compute in {held}.\n\n"
        f"Lemma tables_{decks}_hold : {held} = tables_{decks}.\n"
        f"Proof. vm_cast_no_check (eq_refl tables_{decks}). Qed.\n\n" + "\n".join(proofs) + "\n\n"
        f"Definition theorems_{decks} : list proved := [\n  {listed}\n].\n"
        f"Eval lazy in (counted_theorems theorems_{decks}).\n"
        f"Print Assumptions theorems_{decks}.\n"
    )


Theorem = tuple[str, str, str]
"""A theorem: its name, its statement, and the tactics that prove it."""


def _theorems(shoe: ShoeStatement, returning: Returning = frozenset()) -> Iterator[Theorem]:
    decks, by = shoe.decks, f"counted_in tables_{shoe.decks}_hold"
    left = f"(decks {decks})"
    yield f"sample_space_{decks}", f"sample_space {left} = {shoe.sample_space}", "vm_compute; reflexivity"
    yield f"void_{decks}", f"void_ways {TABLE} {left} = {shoe.void_ways}", by
    for bet in shoe.bets:
        yield from ((name, says, by) for name, says in _bet_theorems(bet, decks, left, bet.id in returning))
    for state in shoe.insurance:
        yield from ((name, says, by) for name, says in _state_theorems(state, decks, left))


def _bet_theorems(bet: BetStatement, decks: int, left: str, returns: bool) -> Iterator[tuple[str, str]]:
    name, (*lines, rest) = _bet_name(bet.id), bet.ways
    for number, ways in enumerate(lines, start=1):
        yield f"{name}_{decks}_line_{number}", f"ways {TABLE} {name} (ByLine {number}) {left} = {ways}"
    what, settled = ("returned", f"(ByLine {len(lines) + 1})") if returns else ("loses", "Lost")
    yield f"{name}_{decks}_{what}", f"ways {TABLE} {name} {settled} {left} = {rest}"
    edge = _rational(Fraction(bet.house_edge))
    yield f"{name}_{decks}_edge", f"(house_edge {TABLE} {name} {left} == {edge})%Q"


def _state_theorems(stated: StateStatement, decks: int, left: str) -> Iterator[tuple[str, str]]:
    name = _state_name(stated.state)
    reached, wins, loses = int(stated.ways), int(stated.won), int(stated.lost)
    counts = (
        ("reached", "Reached", reached),
        ("wins", "Insurance_wins", wins),
        ("returned", "Insurance_returned", reached - wins - loses),
        ("loses", "Insurance_loses", loses),
    )
    for what, count, ways in counts:
        yield f"{name}_{decks}_{what}", f"state_ways {TABLE} {OPENING} {name} {count} {left} = {ways}"
    if stated.house_edge is not None:
        edge = _rational(Fraction(stated.house_edge))
        yield f"{name}_{decks}_edge", f"(state_edge {TABLE} {OPENING} {name} {left} == {edge})%Q"
