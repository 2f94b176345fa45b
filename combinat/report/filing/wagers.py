"""The results of every wager: a table of its outcomes each, and one line of figures."""

from collections.abc import Iterator

from combinat.analysis.bets import BetAnalysis
from combinat.base.kinds import COUNT, FRACTION, decimal, percentage, root, telling
from combinat.certify.dossier import Dossier
from combinat.render.blocks import (
    Block,
    Figure,
    Paragraph,
    Part,
    Section,
    chapter,
)
from combinat.report.analysis.odds import outcome_table
from combinat.report.analysis.readings import one_round_blocks
from combinat.report.filing.page_one import bet_place
from combinat.report.phrases import ROUNDING, bet_names, decks_figure
from combinat.rules.game import Game

SHARE = EDGE = percentage(4)


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
                "Below each table: expected value (EV), house edge, return, hit frequency and standard deviation (SD). "
                f"{ROUNDING} A column of rounded figures may not add up.",
            )
        ),
        *one_round_blocks(dossier.readings, shoe.decks, game),
    ]
    for bet in shoe.bets:
        blocks += [
            outcome_table(bet, "report", names[bet.id], bet_place(bet.id)),
            Paragraph(tuple(_figures(bet))),
        ]
    return chapter("Results of every wager", blocks, anchor="wagers")


def _figures(bet: BetAnalysis) -> Iterator[Part]:
    """Expected value, edge, return, hit frequency, standard deviation, and what more is asked for, in a line."""
    yield "EV "
    yield Figure(bet.expected_value, FRACTION)
    yield " = "
    yield Figure(bet.expected_value, telling(decimal(6), bet.expected_value))
    yield "; edge "
    yield Figure(bet.house_edge, telling(EDGE, bet.house_edge), after=" %")
    if bet.house_edge < 0:
        yield " (the player gains)"
    yield "; return "
    yield Figure(bet.return_to_player, EDGE, after=" %")
    yield "; hits "
    yield Figure(bet.hit_frequency, telling(EDGE, bet.hit_frequency), after=" %")
    yield "; SD "
    yield Figure(bet.variance, root(6))
    if bet.returned:
        yield "; of bets won or lost: edge "
        yield Figure(bet.edge_per_resolved_bet, telling(EDGE, bet.edge_per_resolved_bet), after=" %")
        if bet.fair_odds is not None:
            yield ", fair odds "
            yield Figure(bet.fair_odds, decimal(4), after=" to 1")
    paid = [line for line in bet.outcomes if line.ways and line.net > 0]
    if len(paid) > 1:
        yield f"; largest payout {max(paid, key=lambda line: line.net).odds}"
    yield "."
