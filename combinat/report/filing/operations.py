"""The expected win of the House on each bet, and whether its normal bands are usable."""

from collections.abc import Iterator

from combinat.analysis.bets import BETS, BetAnalysis
from combinat.base.kinds import COUNT, FRACTION, TEXT, decimal, root
from combinat.base.relation import Field, Relation
from combinat.certify.dossier import Dossier, Volume
from combinat.render.blocks import Figure, Meaning, Paragraph, Section, annex
from combinat.report.phrases import bet_names, decks_figure, named
from combinat.report.relation_tables import view_table
from combinat.rules.game import Game

ROUNDS = 1_000
"""The number of rounds of the bands that are shown: a long day of one table."""

Operated = tuple[BetAnalysis, Volume]
"""A bet, and the House's win on it in a number of rounds."""


def operated(dossier: Dossier) -> Iterator[Operated]:
    """Yield every bet with each number of rounds."""
    bets = {bet.id: bet for bet in dossier.reference.bets}
    return ((bets[volume.bet], volume) for volume in dossier.operations)


def _of_bet(name: str) -> Field[Operated]:
    """Return a figure of the bet, which ``tables/bets.csv`` has for programs."""
    (field,) = BETS.select(name).fields
    return Field(
        *(name, field.head, field.kind, field.about, lambda row: field.of(row[0])),
        views="report",
        for_people=True,
    )


def _bands(bet: BetAnalysis) -> str:
    """Return whether the bands hold after ``ROUNDS`` rounds."""
    if bet.normal_from is None:
        return "never varies"
    return "usable" if bet.normal_from <= ROUNDS else "not usable"


def _band(name: str, head: str, sigmas: int, views: str = "") -> Iterator[Field[Operated]]:
    """Yield both sides of a band, cut at all lost or won."""
    about = f"{head.capitalize()} the expected win, cut at all"
    yield Field(
        f"{name}_below",
        f"{head} below",
        root(1),
        f"{about} lost.",
        lambda row: row[1].below_squared(sigmas),
        views=views,
    )
    yield Field(f"{name}_above", f"{head} above", root(1), f"{about} won.", lambda row: row[1].above_squared(sigmas), views=views)  # fmt: skip


OPERATIONS: Relation[Operated] = Relation(
    "operations",
    Field("bet", "bet", TEXT, "The bet's id.", lambda row: row[0].id, views="report"),
    *map(_of_bet, ("house_edge", "standard_deviation", "skewness")),
    Field("rounds", "rounds", COUNT, "Rounds of one unit each.", lambda row: row[1].rounds),
    Field("expected_win", "expected win", decimal(1), "The expected win of the House.", lambda row: row[1].expected_win, views="report"),
    Field("sigma_squared", "variance", FRACTION, "The variance of the win.", lambda row: row[1].sigma_squared),
    Field("most_win", "most won", FRACTION, "The most that the House can win.", lambda row: row[1].most_win),
    Field("most_loss", "most lost", FRACTION, "The most that the House can lose.", lambda row: row[1].most_loss),
    Field("sigma", "SD of the win", root(1), "The standard deviation of the win.", lambda row: row[1].sigma_squared, views="report"),
    *_band("sigma", "one SD", 1),
    *_band("two_sigma", "two SD", 2),
    *_band("three_sigma", "three SD", 3, "report"),
    _of_bet("normal_from"),
    Field("bands", "normal bands", TEXT, "Whether the bands hold.", lambda row: _bands(row[0]), views="report", for_people=True),
)  # fmt: skip
"""The House's win on each bet in a number of rounds, a row each."""


def operations_annex(dossier: Dossier, game: Game) -> Section:
    """Mean, standard deviation, house edge, skewness and bands of each bet."""
    shown = view_table(
        OPERATIONS,
        [row for row in operated(dossier) if row[1].rounds == ROUNDS],
        "report",
        "Expected win of the House on each bet",
        meaning=lambda row: Meaning.FAVOURS_PLAYER if row[0].house_edge < 0 else Meaning.PLAIN,
    )
    return annex(
        "Operations",
        (
            Paragraph(
                (
                    *decks_figure(dossier.reference_decks),
                    "; a unit staked in each of ",
                    Figure(ROUNDS, COUNT),
                    " independent rounds. The win, its standard deviation (SD) and the bands of three standard deviations below and above it are in units. A band ends at the largest possible win or "
                    "loss of these rounds. Skewness is that of the player's result; that of the House has the opposite sign.",
                )
            ),
            *named([shown], bet_names(game)),
            Paragraph(
                "The bands assume that the sum of the rounds is normally distributed. This approximation is usable from the number of rounds in "
                'the column "normal from" on (Cochran\'s rule: 25 times the square of the skewness). With fewer rounds, rare large payouts '
                "dominate: the House wins slightly more than expected in most runs, loses much in a few, and is outside a band of three standard "
                "deviations in more than one run of 370. tables/operations.csv has the bands for other numbers of rounds."
            ),
        ),
        anchor="operations",
    )
