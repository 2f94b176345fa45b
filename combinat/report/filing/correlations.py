"""Bets together: the correlations that matter, as a list, and an example of two stakes."""

from fractions import Fraction

from combinat.analysis.joint import CORRELATIONS, Correlation
from combinat.certify.dossier import Dossier
from combinat.render.blocks import Block, Paragraph, Section, annex
from combinat.report.analysis.odds import combination_blocks
from combinat.report.phrases import bet_names, decks_figure, named
from combinat.report.relation_tables import view_table
from combinat.rules.game import Game

MATTERS = Fraction(1, 100)
"""The square of a correlation of 0.1: what is listed is as large or larger."""

MOST_LISTED = 60


def correlations_annex(dossier: Dossier, game: Game) -> Section:
    """Return the correlations of bets, and an example of two stakes."""
    names = bet_names(game)
    large = [pair for pair in dossier.reference.joint if _square(pair) >= MATTERS]
    large.sort(key=_square, reverse=True)
    blocks: list[Block] = []
    if large:
        caption = "Pairs of bets with a correlation of at least 0.1, or at most -0.1"
        blocks += named([view_table(CORRELATIONS, large[:MOST_LISTED], "report", caption)], names)
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
