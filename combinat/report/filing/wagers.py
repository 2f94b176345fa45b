"""The wagers: their results, by number of decks and in closed form, together, and in operation."""

from collections.abc import Iterator
from fractions import Fraction

from combinat.analysis.bets import BETS, BetAnalysis
from combinat.analysis.formula import FORMULAS
from combinat.analysis.joint import CORRELATIONS, Correlation
from combinat.base.errors import shortened
from combinat.base.kinds import COUNT, FRACTION, TEXT, decimal, root
from combinat.base.relation import Field, Relation
from combinat.certify.dossier import Dossier, Volume
from combinat.render.blocks import Block, Figure, Meaning, Paragraph, Picture, Section, annex, chapter
from combinat.render.charts.pictures import Range, Ranges
from combinat.report.analysis.odds import (
    combination_blocks,
    decks_in_words,
    decks_tables,
    figures,
    outcome_table,
)
from combinat.report.analysis.readings import one_round_terms
from combinat.report.filing.page_one import bet_place
from combinat.report.phrases import ROUNDING, bet_names, span_of_decks, with_names
from combinat.report.relation_tables import in_parts, view_table
from combinat.rules.game import Game


def wagers_chapter(dossier: Dossier, game: Game) -> Section:
    """Return every wager on the reference shoe."""
    shoe, names = dossier.reference, bet_names(game)
    return chapter(
        "Results of every wager",
        Paragraph(
            (
                f"A fresh shoe of {decks_in_words(shoe.decks)}: ",
                Figure(shoe.sample_space, COUNT),
                " ordered sequences of six cards. The ways of a wager's outcomes add up to that number, and their shares to its return, stake "
                "included. True odds are the odds to 1 against the outcome; the fraction is its exact probability. "
                f"The figures of the wager follow its table; a negative house edge is a gain of the player. {ROUNDING} "
                "A column of rounded figures may not add up.",
            )
        ),
        one_round_terms(dossier.readings, shoe.decks, game),
        ((outcome_table(bet, "report", names[bet.id], bet_place(bet.id)), figures(bet)) for bet in shoe.bets),
        anchor="wagers",
    )


# ---------------------------------------------------------------- by number of decks

LONGEST_LABEL = 36
"""Letters of a bet's name in the plot; the table has all of them."""

MOST_BETS = 30
"""Maximum number of bets in a plot, so that its text fits a page without shrinking."""


def decks_chapter(dossier: Dossier, game: Game) -> Section:
    """Return the figures for every number of decks of the report, side by side."""
    return chapter("Results by number of decks", _blocks(dossier, game), anchor="decks")


def _blocks(dossier: Dossier, game: Game) -> Iterator[Block]:
    bets = {shoe.decks: shoe.bets for shoe in dossier.shoes}
    yield from decks_tables(bets, bet_names(game), "House edge by number of decks, % of the stake")
    if any(bet.house_edge < 0 for shoe in dossier.shoes for bet in shoe.bets):
        yield Paragraph("A negative house edge is a gain of the player.")
    yield from _plots(dossier, game)


def _plots(dossier: Dossier, game: Game) -> Iterator[Picture]:
    """Return plots on one axis: one plot, or several if there are too many bets for a page."""
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
    for name, some in in_parts("house-edge-by-decks", rows, MOST_BETS):
        yield Picture(
            name=name,
            drawing=Ranges(
                title=title,
                across_title="house edge, % of the stake",
                rows=some,
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
    return annex("Closed forms", intro, with_names([made], bet_names(game)), anchor="closed-forms")


# ---------------------------------------------------------------- together

MATTERS = Fraction(1, 100)
"""The square of a correlation of 0.1, the smallest that is listed."""

MOST_LISTED = 60


def correlations_annex(dossier: Dossier, game: Game) -> Section:
    """Return the correlations of bets, and an example of two stakes."""
    names = bet_names(game)
    large = [pair for pair in dossier.reference.joint if _square(pair) >= MATTERS]
    large.sort(key=_square, reverse=True)
    caption = "Pairs of bets with a correlation of at least 0.1, or at most -0.1"
    rest = "other pairs of bets" if large else "pairs of bets"
    cut = f" (the {MOST_LISTED} largest are listed)" if len(large) > MOST_LISTED else ""
    return annex(
        "Bets together",
        with_names([view_table(CORRELATIONS, large[:MOST_LISTED], "report", caption)], names)
        if large
        else None,
        f"{decks_in_words(dossier.reference_decks)}. All {rest} have correlations between -0.1 and 0.1{cut}. tables/joint.csv has "
        "every pair with its exact covariance.",
        combination_blocks(dossier.combination, names, "Two stakes in one round, an example"),
        anchor="together",
    )


def _square(pair: Correlation) -> Fraction:
    return abs(pair.signed_square) if pair.signed_square is not None else Fraction(0)


# ---------------------------------------------------------------- in operation

ROUNDS = 1_000
"""The number of rounds of the bands that are shown: a long day of one table."""

Operated = tuple[BetAnalysis, Volume]
"""A bet, and the House's win on it in a number of rounds."""


def bets_by_rounds(dossier: Dossier) -> Iterator[Operated]:
    """Yield every bet with each number of rounds."""
    bets = {bet.id: bet for bet in dossier.reference.bets}
    return ((bets[volume.bet], volume) for volume in dossier.operations)


def _of_bet(name: str) -> Field[Operated]:
    """Return a field with a figure of the bet; ``tables/bets.csv`` holds it for programs."""
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
    """Yield both ends of a band, limited to the loss or win of every round."""
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
    """Return the mean, standard deviation, house edge, skewness and bands of each bet."""
    shown = view_table(
        OPERATIONS,
        [row for row in bets_by_rounds(dossier) if row[1].rounds == ROUNDS],
        "report",
        "Expected win of the House on each bet",
        meaning=lambda row: Meaning.FAVOURS_PLAYER if row[0].house_edge < 0 else Meaning.PLAIN,
    )
    return annex(
        "Operations",
        Paragraph(
            (
                f"{decks_in_words(dossier.reference_decks)}; a unit staked in each of ",
                Figure(ROUNDS, COUNT),
                " independent rounds. The win, its standard deviation (SD) and the bands of three standard deviations below and above it are in units. A band ends at the largest possible win or "
                "loss of these rounds. Skewness is that of the player's result; that of the House has the opposite sign.",
            )
        ),
        with_names([shown], bet_names(game)),
        "The bands assume that the sum of the rounds is normally distributed. This approximation is usable from the number of rounds in "
        'the column "normal from" on (Cochran\'s rule: 25 times the square of the skewness). With fewer rounds, rare large payouts '
        "dominate: the House wins slightly more than expected in most runs, loses much in a few, and is outside a band of three standard "
        "deviations in more than one run of 370. tables/operations.csv has the bands for other numbers of rounds.",
        anchor="operations",
    )
