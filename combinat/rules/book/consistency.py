"""The consistency of one rule book, beyond the types of its values.

Every check yields the mistakes that it finds and never raises. Values that the reader refused are not
checked: each check first asks whether the keys that it needs were read.
"""

from collections.abc import Generator, Iterator
from itertools import product

from combinat.base.errors import InputError, shortened
from combinat.rules import bounds
from combinat.rules.bet import FIGURES, Bet, Expect
from combinat.rules.book.lines import bet_mistakes, insurance_mistakes
from combinat.rules.book.other_readings import reading_mistakes
from combinat.rules.book.reader import Found, Mistake
from combinat.rules.cards import Rank, parse_cards
from combinat.rules.deal_space import deal_space
from combinat.rules.document import Interpretation, RuleDocument
from combinat.rules.procedure import Fact, Procedure, Ruling
from combinat.rules.table_of_play import COMMON_TABLE, table_mistakes

Mistakes = Iterator[Mistake]


def inconsistencies(found: Found[RuleDocument]) -> Mistakes:
    """Yield the contradictions of a rule book with itself or with the Table of Play."""
    game = found.record
    if game is None:
        return
    others = (entry.instead.bets for entry in game.interpretations if entry.instead)
    tables = [bet.pays for bet in game.bets] + [bet.pays for bets in others for bet in bets]
    lines = sum(map(len, tables))
    if lines > bounds.LINES:
        yield Mistake("pays", f"found {lines} lines in all pay tables together; write at most {bounds.LINES}")
        return
    recounts = sum(map(_counts_again, game.interpretations))
    if recounts > bounds.RECOUNTS:
        yield Mistake(
            "interpretations",
            f"found {recounts} with void_bets or banker_draws_against_natural; write at most {bounds.RECOUNTS}",
        )
        return
    is_approved = not game.is_draft and not found.is_refused("status")
    if is_approved and game.effective is None and not found.is_refused("effective"):
        yield Mistake("effective", "missing; give it a date, such as 2025-08-08")
    if not found.is_refused("decks"):
        yield from _decks(game)
    yield from _layouts(found, game)
    of_table = list(_table_of_play(found, game))
    yield from of_table
    # Lines and offers can only be checked with a consistent table.
    is_sound = not found.is_refused("table_of_play") and not of_table
    deals = deal_space(game.table_of_play if is_sound else COMMON_TABLE.cells)
    if not game.bets and not found.is_refused("bets"):
        yield Mistake("bets", "found none; write at least one [[bets]]")
    yield from bet_mistakes(found, game, deals)
    yield from _procedures(found, game)
    yield from insurance_mistakes(found, game, deals)
    yield from reading_mistakes(found, game)
    yield from _examples(found, game, is_sound=is_sound)
    yield from _expectations(found, game)


def _counts_again(entry: Interpretation) -> bool:
    """Whether the other reading of an entry requires every bet to be counted again."""
    instead = entry.instead
    return instead is not None and (
        instead.void_bets is not None or instead.banker_draws_against_natural is not None
    )


def _decks(game: RuleDocument) -> Mistakes:
    least, most = game.decks.least, game.decks.most
    if not 1 <= least <= most:
        yield Mistake(
            "decks", f"found least = {least}, most = {most}; write the fewest decks first, both 1 or more"
        )
    elif most > bounds.DECKS or most - least >= bounds.SHOES:
        yield Mistake(
            "decks",
            f"found least = {least}, most = {most}; "
            f"write at most {bounds.SHOES} numbers of decks, up to {bounds.DECKS}",
        )


def _layouts(found: Found[RuleDocument], game: RuleDocument) -> Mistakes:
    layouts = found.entries("layouts", game.layouts)
    known = [layout.id for _, layout in layouts if layout.id]
    if not layouts and not found.is_refused("layouts"):
        yield Mistake("layouts", "found none; write at least one [[layouts]]")
    if len(set(known)) < len(known):  # the id of another layout is missing
        known = []
    for key, positions in ((f"{key}.positions", layout.positions) for key, layout in layouts):
        if not found.is_refused(key) and not 1 <= positions.least <= positions.most <= bounds.POSITIONS:
            yield Mistake(
                key,
                f"found least = {positions.least}, most = {positions.most}; "
                f"write the fewest first, both from 1 to {bounds.POSITIONS}",
            )
    for key, bet in ((f"{key}.layouts", bet) for key, bet in found.entries("bets", game.bets)):
        if not bet.layouts and known and not found.is_refused(key):
            yield Mistake(key, f"found none; name the layouts that offer {bet.name}: {', '.join(known)}")
        yield from found.references(key, bet.layouts, known, "layout")


def _table_of_play(found: Found[RuleDocument], game: RuleDocument) -> Mistakes:
    """Check that a stated table is consistent, and that its clauses are stated once."""
    if not found.is_refused("clauses") and not found.is_refused("table_of_play"):
        in_table = {"table_of_play": "clause", "third_cards": "stood_clause"}
        for key, its_key in in_table.items():
            clause = getattr(game.clauses, key)
            if game.stated_table is None and not clause:
                yield Mistake(
                    "clauses",
                    f'the key {key} is missing; give it text in quotes, such as "4.1.2", '
                    f"or state [table_of_play] with its {its_key}",
                )
            if game.stated_table is not None and clause:
                yield Mistake(
                    f"clauses.{key}",
                    f'found "{clause}", but table_of_play.{its_key} states it; take it out here',
                )
    if game.stated_table is not None and not found.is_refused("table_of_play"):
        yield from (Mistake(f"table_of_play.{key}", what) for key, what in table_mistakes(game.stated_table))


_EVERY_FACTS = [dict(zip(Fact, so, strict=True)) for so in product((True, False), repeat=len(Fact))]
"""Every combination of the facts."""


def _procedures(found: Found[RuleDocument], game: RuleDocument) -> Mistakes:
    """Check that every procedure can apply, that no two of an incident overlap, and options are stated."""
    sound: list[tuple[str, Procedure]] = []
    for key, procedure in found.entries("procedures", game.procedures):
        for name, facts in (("if", procedure.only_if), ("unless", procedure.unless)):
            if len(set(facts)) < len(facts):
                yield Mistake(f"{key}.{name}", "found a fact again; write each once")
        if procedure.effect and procedure.effect.ruling is Ruling.OPTIONS and game.dealing_errors is None:
            yield Mistake(
                f"{key}.effect",
                f'found "{procedure.effect}", but the rule book states no options; '
                "write [dealing_errors] with the clause of each",
            )
        if found.is_refused(key):
            continue
        if not any(map(procedure.holds, _EVERY_FACTS)):
            yield Mistake(key, "its if and unless exclude each other; take a fact out of one of them")
            continue
        for earlier, other in sound:
            if other.answers == procedure.answers and _both_apply(other, procedure):
                yield Mistake(
                    key,
                    f'answers "{procedure.answers}" where {earlier} answers it too; '
                    "narrow the if or unless of one of them",
                )
        sound.append((key, procedure))
    yield from _excluded(found, game)


def _excluded(found: Found[RuleDocument], game: RuleDocument) -> Mistakes:
    """Check that a procedure that excludes options exists, has a condition, and opens no options itself."""
    by_id = {procedure.id: procedure for procedure in game.procedures if procedure.id}
    for number, excluded in enumerate(game.dealing_errors.excludes if game.dealing_errors else ()):
        key = f"dealing_errors.excludes[{number}]"
        yield from found.unknown(key, excluded, list(by_id), "procedure")
        procedure = None if found.is_refused("procedures") else by_id.get(excluded)
        if procedure and (not procedure.facts or procedure.effect.ruling is Ruling.OPTIONS):
            yield Mistake(
                key, f'found "{shortened(excluded)}"; write a procedure that has an if and opens no options'
            )


def _both_apply(procedure: Procedure, other: Procedure) -> bool:
    return any(procedure.holds(facts) and other.holds(facts) for facts in _EVERY_FACTS)


def _examples(found: Found[RuleDocument], game: RuleDocument, *, is_sound: bool) -> Mistakes:
    """Check that the line that an example names covers it."""
    for key, example in found.entries("examples", game.examples):
        player = yield from _cards(f"{key}.player", example.player)
        banker = yield from _cards(f"{key}.banker", example.banker)
        bet = yield from _bet_of(found, key, game, example.bet)
        if player is None or banker is None or bet is None or example.line is None or not is_sound:
            continue
        try:
            dealt = game.finished_round(player, banker)
        except InputError as error:
            yield Mistake(key, str(error))
            continue
        bet_key, own = bet
        line = own.line_name(own.line(dealt.outcome))
        if line != example.line and not found.is_refused(bet_key):
            yield Mistake(
                f"{key}.line",
                f'found "{example.line}", but {dealt} gives "{line}" of {own.id}; '
                "correct the example, or the facts of the line",
            )


def _expectations(found: Found[RuleDocument], game: RuleDocument) -> Mistakes:
    """Check that every published figure refers to something that the game has."""
    for key, expect in found.entries("expect", game.expect):
        if expect.decks is not None and not 1 <= expect.decks <= bounds.DECKS:
            yield Mistake(
                f"{key}.decks",
                f"found {expect.decks}; write a number of decks from 1 to {bounds.DECKS}",
            )
        if not found.is_refused(key) and not _is_one_figure(expect):
            stated = ", ".join(expect.figures) or "none"
            yield Mistake(
                key,
                f"found {stated}; write one published figure: {', '.join(FIGURES[:-1])}, "
                "or line with its probability",
            )
        of = yield from _bet_of(found, key, game, expect.bet)
        if of is not None and expect.line and not found.is_refused(of[0]):
            lines = [of[1].line_name(pay) for pay in (*of[1].pays, None)]
            if expect.line not in lines:
                yield Mistake(f"{key}.line", f'found "{expect.line}"; write one of {", ".join(lines)}')


def _is_one_figure(expect: Expect) -> bool:
    return len(expect.figures) == 1 and bool(expect.line) == (expect.probability is not None)


def _cards(key: str, cards: str | None) -> Generator[Mistake, None, tuple[Rank, ...] | None]:
    if cards is None:
        return None
    try:
        return parse_cards(cards)
    except InputError as error:
        yield Mistake(key, str(error))
        return None


def _bet_of(
    found: Found[RuleDocument], key: str, game: RuleDocument, bet_id: str | None
) -> Generator[Mistake, None, tuple[str, Bet] | None]:
    """Return the bet that an entry names, with its key."""
    for where, bet in found.entries("bets", game.bets):
        if bet.id is not None and bet.id == bet_id:
            return where, bet
    if bet_id is not None:
        yield from found.unknown(f"{key}.bet", bet_id, [bet.id for bet in game.bets if bet.id], "bet")
    return None
