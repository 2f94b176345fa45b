"""Bets together: the correlations that matter, as a list, and an example of two stakes."""

from fractions import Fraction

from combinat.analysis.joint import COMBINED_OUTCOMES, Correlation
from combinat.base.kinds import FRACTION, MONEY, decimal, percentage, root
from combinat.certify.dossier import Dossier
from combinat.render.blocks import Block, Column, Figure, Paragraph, Part, Section, annex, in_words, table
from combinat.report.phrases import bet_names, decks_figure
from combinat.report.relation_tables import view_table
from combinat.rules.game import Game

MATTERS = Fraction(1, 100)
"""The square of a correlation of 0.1: what is listed is as large or larger."""

MOST_LISTED = 60


def together_annex(dossier: Dossier, game: Game) -> Section:
    """What bets have to do with one another."""
    names = bet_names(game)
    large = [pair for pair in dossier.reference.joint if _square(pair) >= MATTERS]
    large.sort(key=_square, reverse=True)
    blocks: list[Block] = []
    if large:
        columns = (
            Column("bet"),
            Column("other bet"),
            Column("correlation", root(4)),
            Column("covariance", decimal(6)),
        )
        rows = [
            (names[pair.first], names[pair.second], pair.signed_square, pair.covariance)
            for pair in large[:MOST_LISTED]
        ]
        caption = "Pairs of bets with a correlation of at least 0.1, or at most -0.1"
        blocks.append(table(columns, rows, caption))
    rest = (
        "All other pairs of bets have correlations between -0.1 and 0.1"
        if large
        else "All pairs of bets have correlations between -0.1 and 0.1"
    )
    cut = f" (the {MOST_LISTED} largest are listed)" if len(large) > MOST_LISTED else ""
    blocks.append(
        Paragraph(
            (
                *decks_figure(dossier.reference_decks),
                f". {rest}{cut}. tables/joint.csv has every pair with its exact covariance.",
            )
        )
    )
    blocks += _combination(dossier, game)
    return annex("Bets together", blocks, anchor="together")


def _square(pair: Correlation) -> Fraction:
    return abs(pair.signed_square) if pair.signed_square is not None else Fraction(0)


def _combination(dossier: Dossier, game: Game) -> tuple[Block, ...]:
    """An example: what two stakes of one round come to."""
    combined, names = dossier.combination, bet_names(game)
    words: list[Part] = []
    for stake in combined.stakes:
        words += [" with " if words else "", Figure(stake.amount, MONEY), f" on {names[stake.bet]}"]
    return (
        view_table(
            COMBINED_OUTCOMES,
            combined.outcomes,
            caption=f"Two stakes in one round, an example: {in_words(words)}",
        ),
        Paragraph(
            (
                "Together: mean ",
                Figure(combined.mean, FRACTION),
                " = ",
                Figure(combined.mean, decimal(6)),
                ", standard deviation ",
                Figure(combined.variance, root(6)),
                ", house edge on the total stake ",
                Figure(combined.house_edge, percentage(6), after=" %."),
            )
        ),
    )
