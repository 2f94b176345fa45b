"""A study of whole shoes as people read it: who can beat what, by how much, how deep, and where the cut card must lie."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from combinat.base.kinds import COUNT, FRACTION, HASH, decimal, percentage, root
from combinat.protection.study import PERFECT, Study
from combinat.protection.study_figures import (
    SHOES_A_CONTROL,
    SHOES_AT_LEAST,
    AtCut,
    PlayerResult,
    StudyResults,
)
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
from combinat.render.pictures import MOST_PANELS, MOST_RANGES, LinePanel, Lines, Range, Ranges
from combinat.render.text import Format
from combinat.report.odds import shoe_in_words
from combinat.report.odds_records import EXACT_DECIMAL, EXACT_ROOT
from combinat.report.phrases import DISCLAIMER, ROUNDING
from combinat.rules.game import Game
from combinat.rules.shoe_dealing import Burn

SHARE = percentage(3)
UNITS = decimal(4, signed=True)
ERROR = root(4)

EVERY_POSITION = 104
"""Up to so many cards behind it, every position of the cut card has its line; of those further on every other has."""

NOTES = (
    "A unit is one unit staked. Gains are expected values: the exact value of every bet before the round, given the "
    "cards seen so far, added up where the player bets; no luck of the cards that follow is in them.",
    "Perfect play stakes a unit when, and only when, the exact expected value is above 0. Nobody at the table can do "
    "better with unit stakes. A count stakes a unit when its true count is at its index or above: the tags of the cards "
    "seen, added up, times 52 over the cards not seen.",
    "Cards that are burnt face down are not seen; the card that is shown is. Insurance is valued as each offer arises, "
    "given the cards on the table too, and a unit is staked on it as on any other bet; the document's limits on its size are "
    "left aside.",
    "After +-: the half width of an interval of 95 per cent, by Student's law, over shoes, which are independent of one "
    "another. An interval ends where the figure must: a share of bets lies between 0 and 100 per cent, and perfect play "
    "never loses. A dash: nothing was bet in any shoe dealt (for an edge: in one shoe alone, or none), and of "
    "what did not happen no interval can be given.",
)


@dataclass(frozen=True, kw_only=True)
class StudyShown:
    """What a page of a study is made of."""

    game: Game
    rule_book_sha256: str
    study: Study
    results: StudyResults

    @property
    def rounds(self) -> int:
        """How many rounds were dealt."""
        return self.results.players[0].here.rounds


def study_document(shown: StudyShown) -> Section:
    """Everything that is said of a study."""
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
            _method(shown),
        ),
    )


def burn_in_words(burn: Burn) -> str:
    """A burn rule as a phrase."""
    if burn.first_card:
        return "the first card is shown, and as many as its value are burnt face down (ten for 10, J, Q, K)"
    return f"{burn.cards} cards are burnt face down" if burn.cards else "no card is burnt"


def _dealt(shown: StudyShown) -> Section:
    study, dealing = shown.study, shown.study.dealing
    after = {0: "no round is dealt after it", 1: "one more round is dealt"}.get(
        dealing.after, f"{dealing.after} more rounds are dealt"
    )
    said: dict[str, Words] = {
        "Game": f"{shown.game.name} ({shown.game.id})",
        "Rule book": (f"{shown.game.id}.toml, SHA-256 ", Figure(shown.rule_book_sha256, HASH)),
        "Shoe": shoe_in_words(study.shoe),
        "Burnt": burn_in_words(dealing.burn),
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
    """A column of the table of players, and what stands in it."""

    column: Column
    cell: Callable[[PlayerResult], Cell]


BET = _Said(Column("bet"), lambda one: one.wager)
PLAYER = _Said(Column("player"), lambda one: one.player)
INDEX = _Said(Column("DI", root(2)), lambda one: one.desirability_squared)
OFTEN = (
    _Said(Column("bets %", SHARE), lambda one: one.here.share_bet.value),
    _Said(Column("+-", root(3)), lambda one: one.here.share_bet.per_cent_squared),
    _Said(
        Column("edge %", percentage(3, signed=True)),
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


def who_table(results: StudyResults) -> Table:
    """One line a player: how often, at what edge, for what gain."""
    return _players_table(results, (BET, PLAYER, *OFTEN, *GAINS, INDEX))


def _players_table(results: StudyResults, said: Sequence[_Said]) -> Table:
    rows = [Row(tuple(one.cell(result) for one in said), _meaning(result.here)) for result in results.players]
    return table([one.column for one in said], rows)


def who_blocks(results: StudyResults, form: Format) -> list[Block]:
    """What is printed of a study: its players, and the cut card for the limit if one was stated.

    A terminal is too narrow for all columns side by side: it has them in two tables.
    """
    if form is Format.CSV:
        return [who_csv(results)]
    if form is Format.TEXT:
        often, gains = (BET, PLAYER, *OFTEN), (BET, PLAYER, *GAINS, INDEX)
        return [_players_table(results, often), _players_table(results, gains), *_deepest(results)]
    return [who_table(results), *_deepest(results)]


def who_csv(results: StudyResults) -> Table:
    """One line a player, exact and decimal; half widths of intervals by their squares too."""
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
    said = (
        [Paragraph(f"Never, in any round dealt, did the cards favour {', '.join(never)}.")] if never else []
    )
    return Section(
        "Who can beat what",
        (
            Paragraph(
                "The gain a shoe and in 100 rounds, in units. A line that is set off gains, and the whole of its interval "
                "does. DI, the desirability index: the gain of 100 rounds over the standard deviation of the bets that are "
                "made in them, times 100."
            ),
            who_table(results),
            *said,
            *_who_pictures(results),
        ),
    )


def _label(result: PlayerResult) -> str:
    return result.wager if result.player == PERFECT else f"{result.wager}: {result.player}"


def _who_pictures(results: StudyResults) -> Iterator[Picture]:
    rows = [
        Range(
            label=_label(result),
            low=ends[0],
            middle=gain.value,
            high=ends[1],
            favours=gain.is_surely_above(Fraction(0)),
        )
        for result in results.players
        for gain in (result.here.gain_a_round,)
        for ends in (gain.ends,)
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
            caption=f"{title}. A bar is an interval of 95 per cent, the tick the estimate; +: all of it is a gain. "
            "A bet's own name stands for perfect play on it.",
        )


# ---------------------------------------------------------------- the cut card


def _cut_cards(shown: StudyShown) -> Section:
    results = shown.results
    columns = (
        Column("bet"),
        Column("player"),
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
        "A cut card further from the end leaves fewer rounds, and less to know.",
    )
    said = "The same shoes, stopped at other positions of the cut card: the rounds that would have been dealt there."
    return Section("The cut card", (Paragraph(said), *_deepest(results), *pictures, table(columns, rows)))


def _deepest(results: StudyResults) -> Iterator[Block]:
    """Where the cut card must lie for each bet to stay within the limit, if one was stated."""
    if results.limit is None:
        return
    yield Paragraph(
        (
            "The limit stated: a gain of ",
            Figure(results.limit, decimal(4)),
            " units in a shoe. The deepest cut card is the nearest to the end at which, and at every position "
            "further from it, the whole interval stays within the limit. A position at which nothing was bet has no "
            "interval, and is passed over; a dash: nothing was bet at any.",
        )
    )
    columns = (Column("bet"), Column("player"), Column("deepest cut card", COUNT), Column("here"))
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
    """The deepest cut card; none at all where nothing was ever bet, and nothing can be said."""
    if result.deepest_cut is None and result.here.bets:
        return Figure("none of those looked at")
    return result.deepest_cut


def _here(result: PlayerResult) -> str | None:
    """Whether the cut card as it lies is within the limit; None: nothing was bet, and nothing can be said."""
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
        Column("player"),
        Column("cards unseen", COUNT),
        Column("to", COUNT),
        Column("rounds", COUNT),
        Column("bets %", SHARE),
        Column("edge %", percentage(3, signed=True)),
        Column("100 rounds", UNITS),
    )
    rows = [
        (
            result.wager,
            result.player,
            depth.least,
            depth.most,
            depth.rounds,
            depth.share_bet,
            depth.average_edge,
            depth.gain_a_hundred_rounds,
        )
        for result in shown.results.players
        for depth in result.depths
    ]
    panels = [
        LinePanel(
            title=_label(result),
            points=tuple((depth.most, depth.gain_a_round) for depth in result.depths),
        )
        for result in shown.results.players
    ]
    pictures = _line_pictures(
        "gain-by-depth",
        panels,
        "Gain by depth",
        "cards unseen before the round, at most",
        "The fewer cards are unseen, the more is known of them.",
    )
    return Section("By depth", (*pictures, table(columns, rows)))


# ---------------------------------------------------------------- what it rests on


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
        "The means that are known exactly: what a unit comes to a round on the fresh shoe, if it is staked whenever the bet "
        "is on offer; and the standard deviation of one such unit."
    )
    return Section("The fresh shoe", (Paragraph(said), table(columns, rows)))


def _method(shown: StudyShown) -> Section:
    columns = (Column("bet"), Column("player"), Column("variance taken away %", percentage(1)))
    rows = [(result.wager, result.player, result.here.control) for result in shown.results.players]
    said = (
        "Each block of shoes is dealt from a stream of chance that seed and number name. Before every round the expected value "
        "of every bet is a fraction whose denominator hangs on the number of cards unseen alone; so the numerators are added up "
        "as whole numbers, by that number, and the sums are the same wherever and in whatever order the blocks are dealt.",
        "Given the cards unseen, an expected value is a martingale: at the first round that begins with no more than so many "
        "cards left, it is that of the fresh shoe on average, exactly. So is the mean tag of the cards unseen. By how much the "
        "shoes dealt miss these means is known, and what goes along with it is taken off the estimates, where there are at "
        f"least {SHOES_A_CONTROL} shoes for each mean and {SHOES_AT_LEAST} more; on fewer it would fit chance itself. The "
        "table says how much of the variance of the gain a shoe this takes away.",
        "protect.json holds the sums and every figure; combinat verify works the figures out again, compares this page byte for "
        "byte, and deals some of the blocks again.",
        ROUNDING,
    )
    return Section("How it was done", (*(Paragraph(words) for words in said), table(columns, rows)))
