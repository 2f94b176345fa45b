"""Expected values derived as a person would do it by hand, with the counts of the checker: worked examples of a report.

``checker.py --explain`` prints the same of every bet and insurance state.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from combinat.base.kinds import COUNT, FRACTION, decimal
from combinat.certify.checker import (
    COURSES,
    CheckedGame,
    CheckedLine,
    Dealt,
    book_line,
    book_of,
    by_course,
    fresh,
)
from combinat.certify.dossier import Dossier
from combinat.render.blocks import Block, Column, Figure, Paragraph, Part, table
from combinat.report.analysis.odds import decks_in_words
from combinat.report.phrases import state_named
from combinat.rules.game import Game
from combinat.rules.table_of_play import Hand

MOST_LINES = 4
"""Lines of a pay table that fit side by side on a printed page."""


def derivations(dossier: Dossier, game: Game) -> Iterator[Block]:
    """Yield the derivation of a bet, and of the insurance state that favours the player most."""
    checked = CheckedGame(book_of(game.content), dossier.followed)
    dealt = Dealt(checked, fresh(dossier.reference_decks))
    bets = [*filter(None, [game.bet_on(Hand.BANKER)]), *game.bets]
    bet = min(bets, key=lambda one: max(len(one.pays), MOST_LINES))
    yield Paragraph(
        (
            "Six cards are always dealt, needed or not, so that each of the ",
            Figure(dealt.space, COUNT),
            f" ordered sequences of {decks_in_words(dossier.reference_decks)} weighs the same. The checker counts the "
            "sequences of each outcome by how the round goes on. With --explain it prints this derivation of any bet or "
            f"insurance state, such as: python3 -I checker.py analysis.json --explain {bet.id}",
        )
    )
    yield from _derivation(dealt, bet.id, bet.name, game)
    if states := [one for one in dossier.reference.insurance if one.expected_value is not None]:
        best = max(states, key=lambda one: one.expected_value or Fraction(0)).state
        yield Paragraph("Insurance wins where the insured hand loses, and on a tie as its table states.")
        key = (best.side.value, best.stage.value, best.player_points, best.banker_points)
        yield from _derivation(dealt, key, state_named(best), game)


def _derivation(dealt: Dealt, subject: Any, name: str, game: Game) -> Iterator[Block]:
    """Yield the ways of each line of a wager by how the round goes on, and the expected value that follows."""
    wager, by_line = dealt.game.wagers[subject], by_course(dealt, subject)
    columns = (Column("the round goes on"), *(Column(line.name, COUNT) for line in wager.lines))
    rows: list[tuple[Any, ...]] = [
        (word, *(counts[cards] for counts in by_line)) for cards, word in COURSES.items()
    ]
    rows.append(("sum", *(counts.total() for counts in by_line)))
    rows.append(("net result of a unit", *(Figure(line.net, FRACTION) for line in wager.lines)))
    yield table(columns, rows, f"{name}: ways of each outcome")
    is_bet = subject in dealt.game.bets
    stated = wager.lines[:-1] if is_bet else wager.lines[:1]
    text = game.content.decode()
    where = [
        f"{line.name}, {line.odds}: clause {line.clause or wager.clause}, "
        f"{book_line(text, 'bets' if is_bet else 'insurance', wager.number + place)}"
        for place, line in enumerate(stated)
    ]
    sums = [(line, counts.total()) for line, counts in zip(wager.lines, by_line, strict=True)]
    value = dealt.value(subject)
    yield Paragraph(
        (
            f"Odds as stated: {'; '.join(where)}. Expected value: the sum of net result times ways, divided by all ways",
            "" if is_bet else " in which the insurance is open",
            ": (",
            *_products(sums),
            ") / ",
            Figure(sum(ways for _, ways in sums), COUNT),
            " = ",
            Figure(value, FRACTION),
            " = ",
            Figure(value, decimal(12)),
            ".",
        )
    )


def _products(sums: list[tuple[CheckedLine, int]]) -> Iterator[Part]:
    """Yield the products of net result and ways, those of a returned stake left out."""
    terms = [(line.net, ways) for line, ways in sums if line.net]
    for place, (net, ways) in enumerate(terms):
        sign = "-" if net < 0 else "+"
        yield f" {sign} " if place else sign.removeprefix("+")
        yield Figure(abs(net), FRACTION)
        yield " x "
        yield Figure(ways, COUNT)
