"""Bets together: the correlations that matter, as a list, and an example of two stakes."""

from fractions import Fraction

from combinat.analysis.joint import Correlation
from combinat.base.kinds import decimal, root
from combinat.certify.dossier import Dossier
from combinat.render.blocks import Block, Column, Paragraph, Section, annex, table
from combinat.report.analysis.joint import combination_blocks
from combinat.report.phrases import bet_names, decks_figure
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
    blocks += combination_blocks(dossier.combination, names, "Two stakes in one round, an example")
    return annex("Bets together", blocks, anchor="together")


def _square(pair: Correlation) -> Fraction:
    return abs(pair.signed_square) if pair.signed_square is not None else Fraction(0)
