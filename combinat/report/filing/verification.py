"""The evidence for the figures: published ones, identities, the checker, the proof."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from combinat.base.kinds import COUNT, FRACTION, Kind, decimal, root
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
from combinat.certify.dossier import Dossier, Law
from combinat.certify.published import Printed, PublishedFigure, printed_figures
from combinat.certify.report_files import checker_sha256
from combinat.render.blocks import (
    Block,
    Cell,
    Column,
    Figure,
    Paragraph,
    Part,
    Section,
    chapter,
    in_words,
    section,
    table,
)
from combinat.report.analysis.odds import decks_in_words
from combinat.report.phrases import ROUNDING, bet_names, rules_in_words, span_of_decks, state_named
from combinat.rules.game import Game
from combinat.rules.table_of_play import Hand


def method_chapter() -> Section:
    """Sample space, algorithm, exact arithmetic, rounding."""
    return chapter("Method", f"{_METHOD} {ROUNDING}", anchor="method")


_METHOD = (
    "The sample space is the set of ordered sequences of six cards that the shoe can deal, all equally likely; a round that "
    "needs fewer cards leaves the others undealt. A recursion follows every possible course of a round: at each step the Table of Play "
    "determines which hand draws, and each rank is weighted by the number of its cards left. Counts are integers; "
    "probabilities, expected values, variances and covariances are fractions in lowest terms. Standard deviations, skewness "
    "and correlations are irrational: they are rounded from exact squares. No floating-point number is used between the rule "
    "book and a printed figure."
)


def verification_chapter(
    dossier: Dossier, game: Game, checked: int = 0, derived: Sequence[Block] = ()
) -> Section:
    """Return the evidence for the figures, apart from the simulation.

    ``checked``: the number of figures that the checker has checked; ``derived``: figures derived as by hand.
    """
    return chapter(
        "Verification",
        section("Published figures", _published(dossier, game)),
        section("The checker", _checker(game, checked)),
        section("Derived by hand", derived) if derived else None,
        section("Identities", _identities(dossier)),
        section("Proof", _PROVED),
        anchor="verification",
    )


# ---------------------------------------------------------------- published figures


def _published(dossier: Dossier, game: Game) -> Iterator[Block]:
    printed = printed_figures(game, dossier.shoes)
    if not printed:
        yield Paragraph(
            "This project knows no published figure, checked against its source, for a wager of this document with the same odds and the "
            "same number of decks."
        )
        return
    columns = (
        *(Column("wager"), Column("decks", COUNT)),
        *(Column("published"), Column("this report"), Column("source")),
    )
    names = bet_names(game)
    rows: list[tuple[Cell, ...]] = []
    for bet, state, decks in dict.fromkeys((one.bet, one.state, one.decks) for one in printed):
        some = [one for one in printed if (one.bet, one.state, one.decks) == (bet, state, decks)]
        said = "; ".join(f"{_what(one)} {one.digits}" for one in some)
        sources = "; ".join(dict.fromkeys(one.source for one in some))
        name = names[bet or ""] if state is None else state_named(state)
        rows.append((name, decks, said, _our_figures(some), sources))
    yield table(columns, rows, "Published figures of wagers with the same odds and decks")
    yield Paragraph(
        "Figures are compared to the last published digit. Each published figure was recounted from its definition before it was listed."
    )


def _what(printed: Printed) -> str:
    return f'ways of "{printed.outcome}"' if printed.outcome else printed.sort.in_words


def _our_figures(printed: Sequence[Printed]) -> tuple[Part, ...]:
    """Return our figures to as many digits, and whether they agree."""
    figures = [Figure(one.value, _kind(one)) for one in printed]
    equal = all(in_words(figure) == one.digits for figure, one in zip(figures, printed, strict=True))
    parts = [part for figure in figures for part in ("; ", figure)][1:]
    return (*parts, ": equal" if equal else ": not equal")


def _kind(printed: Printed) -> Kind:
    places = len(printed.digits.partition(".")[2])
    match printed.sort:
        case PublishedFigure.WAYS:
            return COUNT
        case PublishedFigure.STANDARD_DEVIATION:
            return root(places)
        case _:
            return decimal(places)


# ---------------------------------------------------------------- the checker, identities, the proof


def _checker(game: Game, checked: int) -> Iterator[Block]:
    if checked:
        yield Paragraph(
            (
                "Before this report was written, the checker checked ",
                Figure(checked, COUNT),
                " numbers of analysis.json, and all hold.",
            )
        )
    yield Paragraph(
        "checker.py in this folder is a stand-alone program: one file that needs only Python and shares no code with the program "
        f"that wrote this report. It always deals six cards, recounts bets and insurance from the {rules_in_words(game)} alone, and "
        "prints how many numbers hold in each part. It does not check game protection, insurance habits, identities, and limits "
        "and layouts under other readings. combinat verify reproduces these: it runs the checker, recomputes all of "
        "analysis.json, draws each document again, and accepts the folder only if all bytes are equal. SHA-256 of the checker: "
        f"{checker_sha256()}."
    )


def _identities(dossier: Dossier) -> Iterator[Block]:
    yield Paragraph(
        "These identities hold on every fresh shoe of this report. Each line stands for several equalities between figures that are "
        f"computed in different ways; it shows the sums of both sides for {decks_in_words(dossier.reference_decks)}. combinat verify "
        "computes the same sums again. tables/identities.csv has the sums for every shoe."
    )
    columns = (
        *(Column("identity"), Column("decks"), Column("equalities per shoe", COUNT)),
        *(Column("left side", FRACTION), Column("right side", FRACTION)),
    )
    rows: list[tuple[Cell, ...]] = []
    for law in Law:
        held = [one for one in dossier.identities if one.law is law]
        for one in held:
            if one.decks == dossier.reference_decks:
                decks = span_of_decks([each.decks for each in held])
                sides = (Figure(side, _whole_or_decimal(side)) for side in (one.left, one.right))
                rows.append((law.in_words, decks, one.equalities, *sides))
    yield table(columns, rows, "Identities")


def _whole_or_decimal(value: Fraction) -> Kind:
    return FRACTION if value.denominator == 1 else decimal(12)


_PROVED = (
    "combinat prove states every count of ways and every house edge of a bet and of an insurance state on a fresh shoe as a theorem "
    "for Coq; combinat prove -h shows the two commands that prove them. Proved once for every shoe, every Table of Play and every "
    "bet: the recursion gives the same counts as dealing six cards in every round; the outcomes of a bet partition the sample space; "
    "and the form used for computing equals the recursion. Not proved: agreement of the definitions and the rule book with the document, "
    "which a reader must judge; the translation of the rule book into theorems, which is a program of ours; and Coq, its kernel and "
    "its virtual machine. Coq's second checker, coqchk, checks the proofs again without that machine."
)


# ---------------------------------------------------------------- the certificate

COMMANDS = (
    (
        "combinat verify .",
        "hashes, signature, every number; draws every document again (the dot stands for this folder)",
    ),
    (
        "python3 -I checker.py analysis.json",
        "bets and insurance, independently of the program that wrote the report",
    ),
    ("sha256sum -c SHA256SUMS", "that no file has changed"),
)
"""Commands for the folder of a report, with what each checks."""


def certificate_chapter(game: Game) -> Section:
    """Return the instructions for checking the report."""
    return chapter(
        "Certificate",
        f"certificate.json lists every file of this report and the {rules_in_words(game)} with their SHA-256 hashes and names "
        "the software; no document can contain its own hash. VERIFY.txt has more on each check.",
        table((Column("command, in this folder"), Column("checks")), COMMANDS, "How to check this report"),
        anchor="certificate",
    )


# ---------------------------------------------------------------- derived by hand


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
    """Yield the ways of each line of a wager by the course of the round, and the expected value derived from them."""
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
    """Yield the products of net result and ways, without those of a returned stake."""
    terms = [(line.net, ways) for line, ways in sums if line.net]
    for place, (net, ways) in enumerate(terms):
        sign = "-" if net < 0 else "+"
        yield f" {sign} " if place else sign.removeprefix("+")
        yield Figure(abs(net), FRACTION)
        yield " x "
        yield Figure(ways, COUNT)
