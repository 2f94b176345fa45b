"""How the figures were reached."""

from combinat.render.blocks import Paragraph, Section, chapter
from combinat.report.phrases import ROUNDING


def method_chapter() -> Section:
    """Sample space, algorithm, exact arithmetic, rounding."""
    return chapter(
        "Method",
        (
            Paragraph(
                "The sample space is the ordered sequences of six cards that the shoe can deal, all equally likely; a round that "
                "needs fewer cards leaves the rest undealt. A recursion walks every way in which a round can go: at each step the "
                "Table of Play says which hand draws, and each rank comes in as many ways as there are cards of it left. The counts "
                "are integers; probabilities and expected values are fractions in lowest terms; variances and covariances are "
                "fractions too. Standard deviations, skewness and correlations are irrational and are rounded from exact squares. "
                f"No floating-point number stands between the rule book and a printed figure. {ROUNDING}"
            ),
        ),
        anchor="method",
    )
