"""The results of every wager: a table of its outcomes, and its figures."""

from combinat.base.kinds import COUNT
from combinat.certify.dossier import Dossier
from combinat.render.blocks import Block, Figure, Paragraph, Section, chapter
from combinat.report.analysis.odds import figures, outcome_table
from combinat.report.analysis.readings import one_round_terms
from combinat.report.filing.page_one import bet_place
from combinat.report.phrases import ROUNDING, bet_names, decks_figure
from combinat.rules.game import Game


def wagers_chapter(dossier: Dossier, game: Game) -> Section:
    """Return every wager on the shoe that stands for all."""
    shoe, names = dossier.reference, bet_names(game)
    blocks: list[Block] = [
        Paragraph(
            (
                "A fresh shoe of ",
                *decks_figure(shoe.decks),
                ": ",
                Figure(shoe.sample_space, COUNT),
                " ordered sequences of six cards. The ways of a wager's outcomes add up to that number, and their shares to its return, stake "
                "included. True odds are the odds to 1 against the outcome; the fraction is its exact probability. "
                f"The figures of the wager follow its table; a negative house edge is a gain of the player. {ROUNDING} "
                "A column of rounded figures may not add up.",
            )
        ),
        *one_round_terms(dossier.readings, shoe.decks, game),
    ]
    for bet in shoe.bets:
        blocks += [outcome_table(bet, "report", names[bet.id], bet_place(bet.id)), figures(bet)]
    return chapter("Results of every wager", blocks, anchor="wagers")
