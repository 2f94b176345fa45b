"""The page of a study of whole shoes: who can beat which bet, by how much, how deep, and with which cut card."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from combinat.base.kinds import COUNT, FRACTION, HASH, decimal, percentage, root
from combinat.protection.study import PERFECT, Study
from combinat.protection.study_figures import AtCut, PlayerResult, StudyResults
from combinat.render.blocks import (
    Block,
    Cell,
    Column,
    Figure,
    Meaning,
    Paragraph,
    Picture,
    Row,
    Section,
    Table,
    Terms,
    Words,
    table,
)
from combinat.render.charts.pictures import MOST_PANELS, MOST_RANGES, LinePanel, Lines, Range, Ranges
from combinat.render.text import Format
from combinat.report.analysis.odds import shoe_in_words
from combinat.report.phrases import DISCLAIMER, ROUNDING
from combinat.report.relation_tables import EXACT_DECIMAL, EXACT_ROOT
from combinat.rules.game import Game

SHARE = percentage(3)
UNITS = decimal(4, signed=True)
ERROR = root(4)

EVERY_POSITION = 104
"""Up to this number of cards behind it, every position of the cut card has a line; beyond, every other one."""

NOTES = (
    "A unit is one unit staked. Gains are expected values: the exact value of every bet before the round, given the "
    "cards seen so far, added up where the player bets. The luck of the cards that follow is not in them.",
    "Perfect play stakes a unit if and only if the exact expected value is above 0. With unit stakes nobody at the table "
    "can gain more. A count stakes a unit if its true count is at its index or above: the sum of the tags of the cards "
    "seen, times 52, divided by the number of cards not seen.",
    "Cards burnt face down are not seen; the card shown is. Insurance is valued when each offer arises, given the cards on "
    "the table too. A unit is staked on it as on any other bet; the document's limits on its size are ignored.",
    "After +-: the half width of a 95 per cent confidence interval, by the jackknife over blocks of shoes, which are "
    "independent of one another. A dash: nothing was bet (for an edge: in fewer than two blocks), so there is no "
    "interval.",
)


@dataclass(frozen=True, kw_only=True)
class StudyShown:
    """The content of a study's page."""

    game: Game
    rule_book_sha256: str
    study: Study
    results: StudyResults

    @property
    def rounds(self) -> int:
        """The number of rounds dealt."""
        return self.results.players[0].here.rounds


def study_document(shown: StudyShown) -> Section:
    """The page of a study."""
    return Section(
        f"{shown.game.name}: whole shoes dealt, every bet valued before every round",
        (
            Paragraph(DISCLAIMER),
            _dealt(shown),
            _who(shown),
            _cut_cards(shown),
            _depths(shown),
            *_counts(shown.study),
            _fresh(shown),
            _method(),
        ),
    )


def _dealt(shown: StudyShown) -> Section:
    study, dealing = shown.study, shown.study.dealing
    after = {0: "no round is dealt after it", 1: "one more round is dealt"}.get(
        dealing.after, f"{dealing.after} more rounds are dealt"
    )
    said: dict[str, Words] = {
        "Game": f"{shown.game.name} ({shown.game.id})",
        "Rule book": (f"{shown.game.id}.toml, SHA-256 ", Figure(shown.rule_book_sha256, HASH)),
        "Shoe": shoe_in_words(study.shoe),
        "Burnt": dealing.burn.in_words,
        "Cut card": f"{dealing.cut_card} cards from the end; the round in which it comes is finished, and {after}",
        "Shoes dealt": Figure(study.shoes, COUNT),
        "Rounds dealt": Figure(shown.rounds, COUNT),
        "Seed": Figure(str(study.seed)),
    }
    return Section("What was dealt", (Terms(said), *(Paragraph(note) for note in NOTES)))


# ---------------------------------------------------------------- who can beat what


def _meaning(cut: AtCut) -> Meaning:
    is_beaten = cut.gain_a_hundred_rounds.is_surely_above(Fraction(0))
    return Meaning.FAVOURS_PLAYER if is_beaten else Meaning.PLAIN


@dataclass(frozen=True, slots=True)
class _Said:
    """A column of the table of players, and its cell for a player."""

    column: Column
    cell: Callable[[PlayerResult], Cell]


BET = _Said(Column("bet"), lambda one: one.wager)
PLAYER = _Said(Column("strategy"), lambda one: one.player)
INDEX = _Said(Column("DI", root(2)), lambda one: one.desirability_squared)
OFTEN = (
    _Said(Column("bets %", SHARE), lambda one: one.here.share_bet.value),
    _Said(Column("+-", root(3)), lambda one: one.here.share_bet.per_cent_squared),
    _Said(
        Column("player's edge %", percentage(3, signed=True)),
        lambda one: None if one.here.average_edge is None else one.here.average_edge.value,
    ),
    _Said(
        Column("+-", root(3)),
        lambda one: None if one.here.average_edge is None else one.here.average_edge.per_cent_squared,
    ),
)
GAINS = (
    _Said(Column("a shoe", UNITS), lambda one: one.here.gain_a_shoe.value),
    _Said(Column("+-", ERROR), lambda one: one.here.gain_a_shoe.half_width_squared),
    _Said(Column("100 rounds", UNITS), lambda one: one.here.gain_a_hundred_rounds.value),
    _Said(Column("+-", ERROR), lambda one: one.here.gain_a_hundred_rounds.half_width_squared),
)


TERMS = (
    "Gains are the player's, in a shoe and in 100 rounds, in units; the player's edge is that of the bets made. After +-: half of a "
    "95 % confidence interval. DI, the desirability index: the gain of 100 rounds over the standard deviation of the bets made in "
    "them, times 100."
)


def who_table(results: StudyResults) -> Table:
    """One line for each player: share of rounds bet, edge and gain."""
    return _players_table(results, (BET, PLAYER, *OFTEN, *GAINS, INDEX))


def _players_table(results: StudyResults, said: Sequence[_Said]) -> Table:
    rows = [Row(tuple(one.cell(result) for one in said), _meaning(result.here)) for result in results.players]
    return table([one.column for one in said], rows)


def who_blocks(results: StudyResults, form: Format) -> list[Block]:
    """The printed part of a study: its players, and the cut card for the limit if one was given.

    A terminal is too narrow for all columns: it gets two tables.
    """
    if form is Format.CSV:
        return [who_csv(results)]
    if form is Format.TEXT:
        often, gains = (BET, PLAYER, *OFTEN), (BET, PLAYER, *GAINS, INDEX)
        return [
            _players_table(results, often),
            _players_table(results, gains),
            Paragraph(TERMS),
            *_deepest(results),
        ]
    return [who_table(results), *_deepest(results)]


def who_csv(results: StudyResults) -> Table:
    """One line for each player, exact and decimal; half widths also as exact squares."""
    columns = [
        *(Column("bet"), Column("player"), Column("cut_card", COUNT), Column("rounds", COUNT)),
        *(Column("offers", COUNT), Column("bets", COUNT)),
    ]
    for name in ("share_bet", "average_edge", "gain_a_shoe", "gain_a_hundred_rounds"):
        columns += [Column(name, FRACTION), Column(f"{name}_decimal", EXACT_DECIMAL)]
        columns += [
            Column(f"{name}_half_width_squared", FRACTION),
            Column(f"{name}_half_width_decimal", EXACT_ROOT),
        ]
    columns += [Column("desirability_squared", FRACTION), Column("desirability_decimal", EXACT_ROOT)]
    if results.limit is not None:
        columns += [Column("limit", FRACTION), Column("limit_decimal", EXACT_DECIMAL)]
        columns.append(Column("deepest_cut_card", COUNT))
    return table(columns, [_csv_row(one, results.limit) for one in results.players])


def _csv_row(result: PlayerResult, limit: Fraction | None) -> tuple[Cell, ...]:
    here = result.here
    cells: list[Cell] = [result.wager, result.player, here.cut_card, here.rounds, here.offers, here.bets]
    for one in (here.share_bet, here.average_edge, here.gain_a_shoe, here.gain_a_hundred_rounds):
        value, square = (None, None) if one is None else (one.value, one.half_width_squared)
        cells += [value, value, square, square]
    cells += [result.desirability_squared, result.desirability_squared]
    if limit is not None:
        cells += [limit, limit, result.deepest_cut]
    return tuple(cells)


def _who(shown: StudyShown) -> Section:
    results = shown.results
    never = [result.wager for result in results.players if result.player == PERFECT and not result.here.bets]
    said = [Paragraph(f"In no round dealt did the cards favour {', '.join(never)}.")] if never else []
    return Section(
        "Who can beat what",
        (
            Paragraph(
                "Gains in a shoe and in 100 rounds, in units. A highlighted player gains: the whole interval is above 0. "
                "DI, the desirability index: the gain of 100 rounds over the standard deviation of the bets made in them, "
                "times 100."
            ),
            who_table(results),
            *said,
            *_who_pictures(results),
        ),
    )


def _label(result: PlayerResult) -> str:
    return result.wager if result.player == PERFECT else f"{result.wager}: {result.player}"


def _who_pictures(results: StudyResults) -> Iterator[Picture]:
    gains = [(result, result.here.gain_a_round) for result in results.players]
    rows = [
        Range(
            label=_label(result),
            low=gain.ends[0],
            middle=gain.value,
            high=gain.ends[1],
            favours=gain.is_surely_above(Fraction(0)),
        )
        for result, gain in gains
    ]
    for number, start in enumerate(range(0, len(rows), MOST_RANGES), start=1):
        part = f"-{number}" if len(rows) > MOST_RANGES else ""
        title = "Who can beat what: gain of a hundred rounds, in units"
        yield Picture(
            name=f"who-can-beat-what{part}",
            drawing=Ranges(
                title=title,
                across_title="units a hundred rounds",
                rows=tuple(rows[start : start + MOST_RANGES]),
            ),
            alt=f"{title}, a line for each player; the figures are in the table above.",
            caption=f"{title}. A bar is a 95 per cent interval, the tick the estimate; +: the whole interval is a gain. "
            "The name of a bet alone means perfect play.",
        )


# ---------------------------------------------------------------- the cut card


def _cut_cards(shown: StudyShown) -> Section:
    results = shown.results
    columns = (
        Column("bet"),
        Column("strategy"),
        Column("cut card", COUNT),
        Column("rounds", COUNT),
        Column("bets %", SHARE),
        Column("a shoe", UNITS),
        Column("100 rounds", UNITS),
        Column("+-", ERROR),
    )
    rows = [
        Row(
            (
                result.wager,
                result.player,
                cut.cut_card,
                cut.rounds,
                cut.share_bet.value,
                cut.gain_a_shoe.value,
                cut.gain_a_hundred_rounds.value,
                cut.gain_a_hundred_rounds.half_width_squared,
            ),
            _meaning(cut),
        )
        for result in results.players
        for number, cut in enumerate(result.cuts)
        if cut.cut_card <= EVERY_POSITION or number % 2 == 0
    ]
    panels = [
        LinePanel(
            title=_label(result),
            points=tuple((cut.cut_card, cut.gain_a_round.value) for cut in result.cuts),
        )
        for result in results.players
    ]
    pictures = _line_pictures(
        "cut-card",
        panels,
        "Cut card against gain",
        "cards behind the cut card",
        "A cut card further from the end leaves fewer rounds and less information.",
    )
    said = "The same shoes with the cut card at other positions: the rounds that would have been dealt."
    return Section("The cut card", (Paragraph(said), *_deepest(results), *pictures, table(columns, rows)))


def _deepest(results: StudyResults) -> Iterator[Block]:
    """The deepest cut card of each player within the limit, if one was given."""
    if results.limit is None:
        return
    yield Paragraph(
        (
            "The limit: a gain of ",
            Figure(results.limit, decimal(4)),
            " units in a shoe. The deepest cut card is the one nearest to the end at which, and at every position "
            "further from it, the whole interval is within the limit. A position at which nothing was bet has no "
            "interval and is skipped. A dash: nothing was bet at any position.",
        )
    )
    columns = (Column("bet"), Column("strategy"), Column("deepest cut card", COUNT), Column("here"))
    rows = [
        (
            result.wager,
            result.player,
            _deepest_cut(result),
            _here(result),
        )
        for result in results.players
    ]
    yield table(columns, rows)


def _deepest_cut(result: PlayerResult) -> Cell:
    """The deepest cut card; None if nothing was ever bet."""
    if result.deepest_cut is None and result.here.bets:
        return Figure("none of these positions")
    return result.deepest_cut


def _here(result: PlayerResult) -> str | None:
    """Whether the cut card at its own position is within the limit; None if nothing was bet."""
    if not result.here.bets:
        return None
    return "within the limit" if result.deepest_cut == result.here.cut_card else "not within the limit"


def _line_pictures(
    name: str, panels: Sequence[LinePanel], title: str, across: str, caption: str
) -> Iterator[Picture]:
    for number, start in enumerate(range(0, len(panels), MOST_PANELS), start=1):
        part = f"-{number}" if len(panels) > MOST_PANELS else ""
        yield Picture(
            name=f"{name}{part}",
            drawing=Lines(
                title=title,
                across_title=across,
                down_title="gain of a hundred rounds, units",
                panels=tuple(panels[start : start + MOST_PANELS]),
            ),
            alt=f"{title}: line charts, a panel for each player; the figures are in the table.",
            caption=f"{title}. {caption}",
        )


# ---------------------------------------------------------------- by depth


def _depths(shown: StudyShown) -> Section:
    columns = (
        Column("bet"),
        Column("strategy"),
        Column("cut card", COUNT),
        Column("to", COUNT),
        Column("rounds", COUNT),
        Column("bets %", SHARE),
        Column("player's edge %", percentage(3, signed=True)),
        Column("100 rounds", UNITS),
    )
    rows = [
        (
            result.wager,
            result.player,
            depth.cut_card,
            depth.next_cut,
            depth.rounds,
            depth.share_bet,
            depth.average_edge,
            100 * depth.gain_a_round,
        )
        for result in shown.results.players
        for depth in result.depths
    ]
    panels = [
        LinePanel(
            title=_label(result),
            points=tuple((depth.cut_card, depth.gain_a_round) for depth in result.depths),
        )
        for result in shown.results.players
    ]
    pictures = _line_pictures(
        "gain-by-depth",
        panels,
        "Gain by depth",
        "cards behind the cut card",
        "The fewer cards are left, the more is known of them.",
    )
    words = "The rounds between two positions of the cut card: those dealt with it at the first position, but not at the next."
    return Section("By depth", (Paragraph(words), *pictures, table(columns, rows)))


# ---------------------------------------------------------------- background


def _counts(study: Study) -> Iterator[Section]:
    if not study.counts:
        return
    columns = (Column("count"), Column("bet"), Column("tags"), Column("true count", FRACTION))
    rows = [(count.name, count.bet, str(count.tags), count.index) for count in study.counts]
    yield Section("The counts", (table(columns, rows),))


def _fresh(shown: StudyShown) -> Section:
    columns = (
        Column("bet"),
        Column("expected value", FRACTION),
        Column("%", percentage(6)),
        Column("std dev", root(6)),
    )
    rows = [(one.id, one.expected_value, one.expected_value, one.variance) for one in shown.results.fresh]
    said = (
        "Exact values on the fresh shoe: the expected value of a round if a unit is staked whenever the bet is on offer, and the "
        "standard deviation of one such unit."
    )
    return Section("The fresh shoe", (Paragraph(said), table(columns, rows)))


def _method() -> Section:
    words = (
        "Each block of shoes is dealt from a random stream named by the seed and the number of the block. Before every round the "
        "expected value of every bet is a fraction whose denominator depends only on the number of cards unseen. So the "
        "numerators add up as whole numbers, and the sums are the same wherever and in whatever order the blocks are dealt.",
        "Every figure is a ratio of totals over all blocks. For its interval it is computed again without each block in turn "
        "(the jackknife); the spread of these results gives the standard error.",
        "protect.json holds the sums of every block and every figure. combinat verify computes the figures again, compares "
        "this page byte for byte, and deals some of the blocks again.",
        ROUNDING,
    )
    return Section("Method", tuple(map(Paragraph, words)))
