"""The house edge by number of decks: one table, and one plot of least, reference and most on one axis."""

from collections.abc import Iterator

from combinat.analysis.formula import FORMULAS
from combinat.base.errors import shortened
from combinat.base.kinds import TEXT
from combinat.base.relation import Field
from combinat.certify.dossier import Dossier
from combinat.render.blocks import Block, Paragraph, Picture, Section, annex, chapter
from combinat.render.charts.pictures import Range, Ranges
from combinat.report.analysis.odds import decks_in_words, decks_tables
from combinat.report.phrases import bet_names, named, span_of_decks
from combinat.report.relation_tables import view_table
from combinat.rules.game import Game

LONGEST_LABEL = 36
"""Letters of a bet's name in the plot; the table has all of them."""

MOST_BETS = 30
"""Maximum number of bets in a plot, so that its text fits a page without shrinking."""


def decks_chapter(dossier: Dossier, game: Game) -> Section:
    """Return every number of decks of the report beside every other."""
    return chapter("Results by number of decks", tuple(_blocks(dossier, game)), anchor="decks")


def _blocks(dossier: Dossier, game: Game) -> Iterator[Block]:
    bets = {shoe.decks: shoe.bets for shoe in dossier.shoes}
    yield from decks_tables(bets, bet_names(game), "House edge by number of decks, % of the stake")
    if any(bet.house_edge < 0 for shoe in dossier.shoes for bet in shoe.bets):
        yield Paragraph("A negative house edge is a gain of the player.")
    yield from _plots(dossier, game)


def _plots(dossier: Dossier, game: Game) -> Iterator[Picture]:
    """One plot on one axis; several where there are more bets than a page has room for."""
    names = bet_names(game)
    rows = []
    for place, reference in enumerate(dossier.reference.bets):
        edges = [shoe.bets[place].house_edge for shoe in dossier.shoes]
        rows.append(
            Range(
                label=shortened(names[reference.id], LONGEST_LABEL),
                low=min(edges),
                middle=reference.house_edge,
                high=max(edges),
                favours=min(edges) < 0,
            )
        )
    title = f"House edge over {span_of_decks(dossier.decks)} decks"
    for number, start in enumerate(range(0, len(rows), MOST_BETS), start=1):
        part = f"-{number}" if len(rows) > MOST_BETS else ""
        yield Picture(
            name=f"house-edge-by-decks{part}",
            drawing=Ranges(
                title=title,
                across_title="house edge, % of the stake",
                rows=tuple(rows[start : start + MOST_BETS]),
                is_of_the_house=True,
            ),
            alt=f"{title}, a bar for each bet on one axis; the table above has the figures.",
            caption=f"{title}: a bar from the lowest to the highest; a tick marks {decks_in_words(dossier.reference_decks)}.",
        )


CLOSED_FORMS = FORMULAS.under(
    Field[str]("bet", "bet", TEXT, "The bet's id.", lambda bet: bet, views="report")
)
"""Closed forms with their bets."""


def closed_forms_annex(dossier: Dossier, game: Game) -> Section:
    """Return the expected value of every bet as a function of the number of decks, and its limit."""
    forms = [
        (of_bet.subject.bet, formula)
        for of_bet in dossier.formulas
        for formula in of_bet.formulas
        if of_bet.subject.bet is not None and formula.is_expected_value
    ]
    intro = (
        "The expected value per unit staked on a fresh shoe of n decks, for every n. tables/formulas.csv has the coefficients, "
        "and those for single outcomes and insurance states."
    )
    made = view_table(CLOSED_FORMS, forms, "report", "Expected values as functions of the number of decks n")
    return annex("Closed forms", (Paragraph(intro), *named([made], bet_names(game))), anchor="closed-forms")
