"""The sentences of page one: true for any rule book, with the figures of its own dossier."""

import re
from dataclasses import replace
from fractions import Fraction

import msgspec

from combinat.analysis.bets import BetAnalysis
from combinat.analysis.dossier import Dossier
from combinat.render.blocks import in_words
from combinat.report.findings import findings
from combinat.report.folder import Documents, Form, front_of
from combinat.report.identity import draft_in_words
from combinat.report.summary import bets_table
from combinat.rules.book.load import RuleBook
from combinat.rules.filing import TEMPLATE, Issue, parsed_filing
from combinat.rules.game import Game, Status


def said(dossier: Dossier, game: Game, issue: Issue | None = None) -> list[str]:
    """The sentences as they are read."""
    return [
        in_words(sentence).replace("\u00a0", " ") for sentence in findings(dossier, game, issue or Issue())
    ]


def with_bets(dossier: Dossier, change: dict[int, Fraction], keep: int | None = None) -> Dossier:
    """The dossier with so much added to every win of the first bet, by number of decks; ``keep``: how many bets."""

    def better(bet: BetAnalysis, more: Fraction) -> BetAnalysis:
        lines = (
            msgspec.structs.replace(line, net=line.net + more) if line.net > 0 else line
            for line in bet.outcomes
        )
        return msgspec.structs.replace(bet, outcomes=tuple(lines))

    shoes = tuple(
        replace(shoe, bets=(better(shoe.bets[0], change.get(shoe.decks, Fraction(0))), *shoe.bets[1:keep]))
        for shoe in dossier.shoes
    )
    return replace(dossier, shoes=shoes)


def test_of_a_game_as_it_is(small_dossier: Dossier, small_book: RuleBook) -> None:
    """Every figure is one of the dossier's; insurance and readings are counted."""
    sentences = said(small_dossier, small_book.game)
    shoe = small_dossier.reference
    least = min(shoe.bets, key=lambda bet: bet.house_edge)
    assert sentences[0].startswith("Every bet favours the House with ")
    assert f"is least on {least.name}, {float(100 * least.house_edge):.4f} %" in sentences[0]
    favourable = [state for state in shoe.insurance if state.favours_player]
    best = max(favourable, key=lambda state: state.expected_value or 0)
    assert sentences[1].startswith(
        f"{len(favourable)} of {len(shoe.insurance)} insurance states favour the player"
    )
    assert f"gains the player {float(100 * (best.expected_value or 0)):.2f} % of the stake" in sentences[1]
    assert f"is reached in {float(100 * best.probability):.2f} % of rounds." in sentences[1]
    assert sentences[2].startswith("A player who insures only those still loses ")
    assert sentences[-1] == f"{len(small_dossier.readings)} clauses need a reading; none is confirmed."


def test_of_bets_that_favour_the_player(small_dossier: Dossier, small_book: RuleBook) -> None:
    """At the reference decks or at others alone; the only bet; and none that favours either side."""
    reference, other = small_dossier.reference_decks, small_dossier.decks[0]
    assert reference != other
    name, game = small_dossier.reference.bets[0].name, small_book.game
    every = len(small_dossier.reference.bets)
    here = with_bets(small_dossier, {reference: Fraction(1)})
    gain = float(100 * here.reference.bets[0].expected_value)
    assert said(here, game)[0] == (
        f"1 of {every} bets favours the player: with {reference} decks {name} gains the player {gain:.4f} % of the stake."
    )
    there = with_bets(small_dossier, {other: Fraction(1)})
    assert said(there, game)[0].startswith(
        f"1 of {every} bets favours the player, not with {reference} decks but with "
    )
    assert [row.cells[-1] for row in bets_table(there).rows][:2] == [
        f"favours the player with {other} decks",
        "",
    ]
    only = with_bets(small_dossier, {}, keep=1)
    assert said(only, game)[0].startswith(f"{name}, the only bet, favours the House with ")
    both = with_bets(small_dossier, dict.fromkeys(small_dossier.decks, Fraction(1)), keep=1)
    assert said(both, game)[0].startswith(f"{name}, the only bet, favours the player")


def test_of_no_insurance_and_of_readings(small_dossier: Dossier, small_book: RuleBook) -> None:
    """What is not there is said to be not there; what is confirmed is counted as that."""
    shoes = tuple(replace(shoe, insurance=()) for shoe in small_dossier.shoes)
    plain = replace(small_dossier, shoes=shoes, insured=(), insurance_tables=(), readings=())
    assert said(plain, small_book.game)[1:] == [
        "The document offers no insurance.",
        "No clause needed a reading.",
    ]
    entries = [reading.entry for reading in small_dossier.readings]
    states = "".join(
        f'[[readings]]\nid = "{entry}"\nstatus = "confirmed"\nby = "b"\non = 2026-01-01\n'
        for entry in entries
    )
    filing = parsed_filing(f"{TEMPLATE}\n{states}".encode(), "filing.toml", small_book.game)
    assert said(small_dossier, small_book.game, Issue(filing=filing))[-1].endswith("; all are confirmed.")


def test_every_page_says_what_is_not_final(small_book: RuleBook) -> None:
    """A draft of a report, and that of a rule book which is a draft itself."""
    assert draft_in_words(small_book.game, Issue()) == "DRAFT, NOT ISSUED"
    filed = TEMPLATE.replace("# date = ", "date = ").encode()
    issue = Issue(filing=parsed_filing(filed, "filing.toml", small_book.game))
    assert draft_in_words(small_book.game, issue) == ""
    draft = msgspec.structs.replace(small_book.game, status=Status.DRAFT)
    assert draft_in_words(draft, issue) == "DRAFT RULE BOOK"


def test_a_draft_is_no_transcription_and_one_deck_is_one(
    small_book: RuleBook, small_dossier: Dossier
) -> None:
    """Nowhere in the report of a draft; the approved one speaks of it on page one and at the edge of every page."""
    one = replace(small_dossier, shoes=small_dossier.shoes[:1], reference_decks=1)
    draft = RuleBook(small_book.content, msgspec.structs.replace(small_book.game, status=Status.DRAFT))
    for book, said in ((small_book, "transcription"), (draft, "draft rule book")):
        made = Documents(one, book)
        text = made.in_form(Form.MARKDOWN)["report.md"].decode()
        foot = front_of(book, Issue()).foot
        assert ("transcription" in text, "transcription" in foot) == (book is small_book,) * 2
        assert said in text
        assert f"; {said} SHA-256 {book.sha256}" in foot
        assert re.findall(r".{0,40}\b1 decks", text) == []
