"""Figures published by others, with their sources: the table that reports print.

A figure applies where a wager of the game pays the same in every round and is dealt by the common Table of Play
from the same number of decks. A number of ways applies where a line of a pay table is won in the same rounds,
whatever it pays. A report compares each with the dossier's figure in the printed digits.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from combinat.rules.bet import LOST, Pay
from combinat.rules.deal_space import deal_space
from combinat.rules.game import Game
from combinat.rules.house_rules import Phrased
from combinat.rules.insurance import Open, State
from combinat.rules.odds import Odds
from combinat.rules.outcome import Result, Winner
from combinat.rules.round import Stage
from combinat.rules.table_of_play import TABLE_OF_PLAY, Hand

if TYPE_CHECKING:
    from combinat.certify.dossier import FreshShoe


class PublishedFigure(Phrased):
    """The kind of figure that was published."""

    WAYS = "ways", "ways won"
    EXPECTED_VALUE = "expected-value", "expected value"
    STANDARD_DEVIATION = "standard-deviation", "standard deviation"
    WINS = "wins", "chance to win"
    LOSES = "loses", "chance to lose"
    PUSHES = "pushes", "chance of a tie"


APPENDIX_1 = "wizardofodds.com, baccarat appendix 1"
APPENDIX_6 = "wizardofodds.com, baccarat appendix 6"
EXPLOIT = "casinoexploit.com, baccarat"
LUCKY_6 = "wizardofodds.com, Lucky 6"
TOTALS = "wizardofodds.com, winning totals"
BIG_TIGER = "advancedadvantageplay.com, Big Tiger"
INSURANCE = "wizardofodds.com, Marina Bay Sands baccarat insurance"


_PUSH = Pay.of("push", winner=Winner.TIE)
PLAYER = (Pay.of("1 to 1", winner=Winner.PLAYER), _PUSH)
BANKER = (Pay.of("0.95 to 1", winner=Winner.BANKER), _PUSH)
HALF_ON_6 = (
    Pay.of("0.5 to 1", winner=Winner.BANKER, winning_points=6),
    Pay.of("1 to 1", winner=Winner.BANKER),
    _PUSH,
)
TIE = (Pay.of("8 to 1", winner=Winner.TIE),)
TWO_CARD_6 = (Pay.of("22 to 1", winner=Winner.BANKER, banker_points=6, banker_cards=2),)
THREE_CARD_6 = (Pay.of("50 to 1", winner=Winner.BANKER, banker_points=6, banker_cards=3),)
TIGER = (
    Pay.of("12 to 1", winner=Winner.BANKER, banker_points=6, banker_cards=2),
    Pay.of("20 to 1", winner=Winner.BANKER, banker_points=6, banker_cards=3),
)
TIE_ON_6 = (Pay.of("35 to 1", winner=Winner.TIE, player_points=6),)
PLAYER_WITH_1 = (Pay.of("1 to 1", winner=Winner.PLAYER, winning_points=1),)

_OF_BETS: tuple[tuple[tuple[Pay, ...], int, PublishedFigure, str, str], ...] = (
    (BANKER, 8, PublishedFigure.WAYS, "2292252566437888", EXPLOIT),
    (PLAYER, 8, PublishedFigure.WAYS, "2230518282592256", EXPLOIT),
    (TIE, 8, PublishedFigure.WAYS, "475627426473216", APPENDIX_1),
    (BANKER, 6, PublishedFigure.WAYS, "403095751234560", EXPLOIT),
    (PLAYER, 6, PublishedFigure.WAYS, "392220492728832", EXPLOIT),
    (TIE, 6, PublishedFigure.WAYS, "83552962932288", EXPLOIT),
    (HALF_ON_6, 8, PublishedFigure.WAYS, "269232304455680", APPENDIX_6),
    (HALF_ON_6, 8, PublishedFigure.EXPECTED_VALUE, "-0.014581045", APPENDIX_6),
    (HALF_ON_6, 6, PublishedFigure.WAYS, "47322230031360", APPENDIX_6),
    (HALF_ON_6, 6, PublishedFigure.EXPECTED_VALUE, "-0.014548", APPENDIX_6),
    (TWO_CARD_6, 8, PublishedFigure.WAYS, "186173936904192", LUCKY_6),
    (TWO_CARD_6, 8, PublishedFigure.EXPECTED_VALUE, "-0.143325458921", LUCKY_6),
    (THREE_CARD_6, 8, PublishedFigure.WAYS, "83058367551488", LUCKY_6),
    (THREE_CARD_6, 8, PublishedFigure.EXPECTED_VALUE, "-0.152533169298", LUCKY_6),
    (THREE_CARD_6, 8, PublishedFigure.STANDARD_DEVIATION, "6.519", BIG_TIGER),
    (TIGER, 8, PublishedFigure.EXPECTED_VALUE, "-0.166835720406", LUCKY_6),
    (TIE_ON_6, 8, PublishedFigure.WAYS, "96170001308416", TOTALS),
    (TIE_ON_6, 8, PublishedFigure.EXPECTED_VALUE, "-0.307354105", LUCKY_6),
    (PLAYER_WITH_1, 8, PublishedFigure.WAYS, "24639193538560", TOTALS),
)
"""A pay table, decks, what was printed, its digits, and where. Ways are those of the pay table's first line."""

_OF_INSURANCE = """\
2 to 1: 0 5 0.319950 0.638715 0.041335 0.001185
2 to 1: 1 5 0.283814 0.674655 0.041531 -0.107027
2 to 1: 4 5 0.294993 0.604412 0.100595 -0.014426
3 to 1: 0 6 0.248749 0.721860 0.029391 0.024389
3 to 1: 3 6 0.224458 0.687609 0.087932 -0.014235
3 to 1: 4 6 0.236160 0.675002 0.088838 0.033478
3 to 1: 5 6 0.248909 0.662332 0.088759 0.084397
4 to 1: 0 7 0.154340 0.769393 0.076268 -0.152035
4 to 1: 5 7 0.154124 0.768810 0.077066 -0.152312
"""
"""Insurance of the Banker Hand after four cards, 8 decks, a tie returned: both totals, how often it wins, loses and
ties, and the expected value."""

INSURANCE_DECKS = 8
INSURANCE_FIGURES = (
    PublishedFigure.WINS,
    PublishedFigure.LOSES,
    PublishedFigure.PUSHES,
    PublishedFigure.EXPECTED_VALUE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Printed:
    """A printed figure that is of a wager of a game: its digits and source, and the dossier's own number.

    ``outcome``: of which line, where the figure is of one line of several that win.
    """

    bet: str | None = None
    state: State | None = None
    decks: int
    sort: PublishedFigure
    digits: str
    source: str
    value: Fraction | int
    outcome: str = ""


def printed_figures(game: Game, shoes: "Sequence[FreshShoe]") -> tuple[Printed, ...]:
    """Return the published figures that apply to this game's wagers, in the order of the game."""
    if game.table_of_play != TABLE_OF_PLAY:
        return ()
    by_decks = {shoe.decks: shoe for shoe in shoes}
    return (*_of_bets(game, by_decks), *_of_insurance(game, by_decks))


def _of_bets(game: Game, shoes: "dict[int, FreshShoe]") -> Iterator[Printed]:
    for place, bet in enumerate(game.bets):
        lines = _lines(bet.pays)
        if lines is None or not bet.rest:
            continue  # no published wager depends on more, or is returned if it does not pay
        wins = [line for line, pay in enumerate(bet.pays) if pay.odds.net > 0]
        for pays, decks, sort, digits, source in _OF_BETS:
            if decks not in shoes:
                continue
            analysis, line, of_printed = shoes[decks].bets[place], None, _lines(pays) or {}
            value: Fraction | int
            if sort is PublishedFigure.WAYS:
                first = _results_on(of_printed, 0)
                line = next((line for line in wins if _results_on(lines, line) == first), None)
                if line is None:
                    continue
                value = analysis.outcomes[line].ways
            elif _nets(bet.pays, lines) == _nets(pays, of_printed):
                is_value = sort is PublishedFigure.EXPECTED_VALUE
                value = analysis.expected_value if is_value else analysis.variance
            else:
                continue
            yield Printed(
                bet=bet.id,
                decks=decks,
                sort=sort,
                digits=digits,
                source=source,
                value=value,
                outcome=bet.line_name(bet.pays[line]) if line is not None and len(wins) > 1 else "",
            )


Lines = dict[Result, int | None]
"""The line of a pay table by result; None: the bet loses."""


def _lines(pays: tuple[Pay, ...]) -> Lines | None:
    """Return the line of every result of the common Table of Play, or None if a pay line needs more facts."""
    if any(pay.looks_at_first_four or pay.looks_at_thirds for pay in pays):
        return None
    return {
        result: next((place for place, pay in enumerate(pays) if pay.covers_result(result)), None)
        for result in deal_space(TABLE_OF_PLAY).results
    }


def _results_on(lines: Lines, place: int) -> set[Result]:
    return {result for result, line in lines.items() if line == place}


def _nets(pays: tuple[Pay, ...], lines: Lines) -> dict[Result, Fraction]:
    return {result: LOST if line is None else pays[line].odds.net for result, line in lines.items()}


def _of_insurance(game: Game, shoes: "dict[int, FreshShoe]") -> Iterator[Printed]:
    terms = game.insurance_terms
    if INSURANCE_DECKS not in shoes or terms is None or terms.open is not Open.CARD_TO_COME:
        return
    states = {one.state: one for one in shoes[INSURANCE_DECKS].insurance}
    for line in _OF_INSURANCE.splitlines():
        odds, _, rest = line.partition(": ")
        player, banker, *digits = rest.split()
        state = State(Hand.BANKER, Stage.FOUR_CARDS, int(player), int(banker))
        one = states.get(state)
        if one is None or one.pays_on_tie or one.net != Odds.parse(odds).net:
            continue
        values = (one.wins, one.loses, one.pushes, one.expected_value)
        for sort, printed, value in zip(INSURANCE_FIGURES, digits, values, strict=True):
            if value is not None:
                yield Printed(
                    state=state,
                    decks=INSURANCE_DECKS,
                    sort=sort,
                    digits=printed,
                    source=INSURANCE,
                    value=value,
                )
