"""What the house may expect of each bet: one row a bet, and a word where the normal bands are no good."""

from combinat.base.kinds import COUNT, decimal, percentage, root, telling
from combinat.certify.dossier import Dossier
from combinat.render.blocks import Cell, Column, Figure, Meaning, Paragraph, Row, Section, annex, table
from combinat.report.phrases import bet_names, decks_figure
from combinat.rules.game import Game

ROUNDS = 1_000
"""The number of rounds of the bands that are shown: a long day of one table."""


def operations_annex(dossier: Dossier, game: Game) -> Section:
    """Mean, standard deviation, hold, skewness and bands of each bet."""
    names = bet_names(game)
    analyses = {bet.id: bet for bet in dossier.reference.bets}
    edge = percentage(4)
    columns = (
        *(
            Column("bet"),
            Column("hold %", edge),
            Column("standard deviation of a round", root(4)),
            Column("skewness", root(3)),
        ),
        *(Column("expected win", decimal(1)), Column("standard deviation", root(1))),
        *(
            Column("three below", root(1)),
            Column("three above", root(1)),
            Column("normal from, rounds", COUNT),
            Column("normal bands"),
        ),
    )
    rows = []
    for volume in dossier.operations:
        if volume.rounds != ROUNDS:
            continue
        bet = analyses[volume.bet]
        is_good = bet.normal_from is not None and bet.normal_from <= ROUNDS
        cells: tuple[Cell, ...] = (
            *(
                names[bet.id],
                Figure(bet.house_edge, telling(edge, bet.house_edge)),
                bet.variance,
                bet.skewness_signed_square,
            ),
            *(Figure(volume.expected_win, telling(decimal(1), volume.expected_win)), volume.sigma_squared),
            *(volume.below_squared(3), volume.above_squared(3), bet.normal_from),
            "fair" if is_good else "do not use" if bet.normal_from else "never varies",
        )
        rows.append(Row(cells, Meaning.FAVOURS_PLAYER if bet.house_edge < 0 else Meaning.PLAIN))
    return annex(
        "Operations",
        (
            Paragraph(
                (
                    *decks_figure(dossier.reference_decks),
                    "; a unit staked in each of ",
                    Figure(ROUNDS, COUNT),
                    " independent rounds. Hold is the House's expected win in per cent of the amount staked. The win, its standard deviation "
                    "and the bands of three standard deviations below and above it are in units. A band ends at the largest possible win or "
                    "loss of these rounds. Skewness is that of the player's result; that of the House has the opposite sign.",
                )
            ),
            table(columns, rows, "Expected win of the House on each bet"),
            Paragraph(
                "The bands assume that the sum of the rounds is normally distributed. This is a fair approximation from the number of rounds in "
                'the column "normal from" on (Cochran\'s rule: 25 times the square of the skewness). With fewer rounds, rare large payouts '
                "dominate: the House wins slightly more than expected in most runs, loses much in a few, and is outside a band of three standard "
                "deviations in more than one run of 370. tables/operations.csv has the bands for other numbers of rounds."
            ),
        ),
        anchor="operations",
    )
