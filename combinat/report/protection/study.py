"""The page of a study of whole shoes: the bets that can be beaten, by whom, the gain, and the deepest safe cut card."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from combinat.base.kinds import COUNT, TEXT, Kind, Sort, decimal, percentage, root
from combinat.base.number import PLACES
from combinat.base.relation import Field, Relation
from combinat.protection.study import PERFECT
from combinat.protection.study_figures import (
    AT_CUTS,
    BETWEEN_CUTS,
    FRESH,
    PLAYERS,
    AtCut,
    Estimate,
    PlayerResult,
)
from combinat.protection.study_file import PLAYED_COUNTS, StudyFile
from combinat.render.blocks import (
    Block,
    Figure,
    Meaning,
    Paragraph,
    Picture,
    Section,
    Table,
    Terms,
    Words,
    section,
)
from combinat.render.charts.pictures import (
    MOST_PANELS,
    MOST_RANGES,
    LinePanel,
    Lines,
    Range,
    Ranges,
)
from combinat.render.text import Format
from combinat.report.analysis.odds import shoe_in_words
from combinat.report.phrases import DISCLAIMER, ROUNDING
from combinat.report.relation_tables import in_parts, program_table, view_table

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
TERMS = (
    "Gains are the player's, in a shoe and in 100 rounds, in units; the player's edge is that of the bets made. After +-: half of a "
    "95 % confidence interval. DI, the desirability index: the gain of 100 rounds over the standard deviation of the bets made in "
    "them, times 100."
)
METHOD = (
    "Each block of shoes is dealt from a random stream named by the seed and the number of the block. Before every round the "
    "expected value of every bet is a fraction whose denominator depends only on the number of cards unseen. So the "
    "numerators add up as whole numbers, and the sums are the same wherever and in whatever order the blocks are dealt.",
    "Every figure is a ratio of totals over all blocks. For its interval it is computed again without each block in turn "
    "(the jackknife); the spread of these results gives the standard error.",
    "protect.json holds the sums of every block and every figure. combinat verify computes the figures again, compares "
    "this page byte for byte, and deals some of the blocks again.",
    ROUNDING,
)

PlayerAt = tuple[PlayerResult, AtCut]
"""A player with the cut card at a position."""


def _estimate(
    name: str, kind: Kind, head: str, of: Callable[[AtCut], Estimate | None], views: str, intervals: str
) -> list[Field[PlayerAt]]:
    """Return the fields of an estimate and half of its interval, for programs and for people."""
    factor = 10**4 if kind.sort is Sort.PERCENTAGE else 1

    def figure(part: Callable[[Estimate], Any]) -> Callable[[PlayerAt], Any]:
        return lambda row: None if (found := of(row[1])) is None else part(found)

    width = figure(lambda found: found.half_width_squared)
    return [
        Field(name, head, kind, f"{head}.", figure(lambda found: found.value), views=views, may_be_none=True),
        Field(f"{name}_half_width", "+-", root(PLACES), "Half of its 95 % interval.", width, may_be_none=True),
        Field(f"{name}_interval", "+-", root(kind.places), "The same.", lambda row: (width(row) or 0) * factor if width(row) is not None else None, views=intervals, for_people=True),
    ]  # fmt: skip


UNITS = decimal(4, signed=True)

PLAYERS_AT: Relation[PlayerAt] = Relation(
    "players by cut card",
    *PLAYERS.part(lambda row: row[0], "wager", "player", wager="bet", player="strategy"),
    *AT_CUTS.part(lambda row: row[1], "cut_card", "rounds", "offers", "bets"),
    *_estimate("share_bet", percentage(3), "bets %", lambda at: at.share_bet, "often page cut", "often page"),
    *_estimate("average_edge", percentage(3, signed=True), "player's edge %", lambda at: at.average_edge, "often page", "often page"),
    *_estimate("gain_a_shoe", UNITS, "a shoe", lambda at: at.gain_a_shoe, "gains page cut", "gains page"),
    *_estimate("gain_a_hundred_rounds", UNITS, "100 rounds", lambda at: at.gain_a_hundred_rounds, "gains page cut", "gains page cut"),
    Field("desirability", "DI", root(2), "The desirability index.", lambda row: row[0].desirability_squared, views="gains page", may_be_none=True),
    *PLAYERS.part(lambda row: row[0], "deepest_cut", deepest_cut="deepest_cut_card"),
    Field("deepest", "deepest cut card", COUNT, "The same.", lambda row: "none of these positions" if row[0].deepest_cut is None and row[0].here.bets else row[0].deepest_cut, views="limit", for_people=True, may_be_none=True),
    Field("here", "here", TEXT, "Whether the cut card at its own position is within the limit.", lambda row: _here(row[0]), views="limit", for_people=True, may_be_none=True),
)  # fmt: skip


def _here(result: PlayerResult) -> str | None:
    """Return whether the cut card at its own position is within the limit, or None if nothing was bet."""
    if not result.here.bets:
        return None
    return "within the limit" if result.deepest_cut == result.here.cut_card else "not within the limit"


def _players(shown: StudyFile, view: str) -> Table:
    """Return a row for each player, marked if the whole interval of the gain is above the limit."""
    return _marked(shown, player_rows(shown), view)


def _marked(shown: StudyFile, rows: Sequence[PlayerAt], view: str) -> Table:
    def meaning(row: PlayerAt) -> Meaning:
        is_beaten = row[1].gain_a_shoe.is_surely_above(shown.limit)
        return Meaning.FAVOURS_PLAYER if is_beaten else Meaning.PLAIN

    return view_table(PLAYERS_AT, rows, view, meaning=meaning)


def player_rows(shown: StudyFile) -> list[PlayerAt]:
    """Return each player with the cut card at its own position."""
    return [(result, result.here) for result in shown.players]


def player_blocks(shown: StudyFile, form: Format) -> list[Block]:
    """Return the printed part of a study: its players, and their deepest cut card; two tables for a narrow terminal."""
    if form is Format.CSV:
        return [program_table(PLAYERS_AT, player_rows(shown))]
    views = ("often", "gains") if form is Format.TEXT else ("page",)
    return [*(_players(shown, view) for view in views), Paragraph(TERMS), *_deepest(shown)]


def _deepest(shown: StudyFile) -> tuple[Block, ...]:
    """Return the deepest cut card of each player within the limit."""
    return (
        Paragraph(
            (
                "The limit: a gain of ",
                Figure(shown.limit, decimal(4)),
                " units in a shoe. The deepest cut card is the one nearest to the end at which, and at every position "
                "further from it, the whole interval is within the limit. A position at which nothing was bet has no "
                "interval and is skipped. A dash: nothing was bet at any position.",
            )
        ),
        _players(shown, "limit"),
    )


# ---------------------------------------------------------------- the page


def study_document(shown: StudyFile) -> Section:
    """Return the page of a study."""
    never = [one.wager for one in shown.players if one.player == PERFECT and not one.here.bets]
    said = f"In no round dealt did the cards favour {', '.join(never)}." if never else None
    by_cut = [
        (one, cut)
        for one in shown.players
        for number, cut in enumerate(one.cuts)
        if cut.cut_card <= EVERY_POSITION or number % 2 == 0
    ]
    by_depth = [(one, depth) for one in shown.players for depth in one.depths]
    counts = view_table(PLAYED_COUNTS, shown.study.counts, "page")
    by_position = {
        _label(one): [(at.cut_card, at.gain_a_round.value) for at in one.cuts] for one in shown.players
    }
    between = {_label(one): [(at.cut_card, at.gain_a_round) for at in one.depths] for one in shown.players}
    of_players = PLAYERS.select("wager", "player").fields
    return section(
        f"{shown.game.name}: whole shoes dealt, every bet valued before every round",
        DISCLAIMER,
        _dealt(shown),
        section(
            "Who can beat each bet",
            f"{TERMS} Highlighted: the whole interval of the gain of a shoe is above the limit.",
            _players(shown, "page"),
            said,
            _who_pictures(shown.players),
        ),
        section(
            "The cut card",
            "The same shoes with the cut card at other positions: the rounds that would have been dealt.",
            _deepest(shown),
            _line_pictures(
                *("cut-card", by_position, "Cut card against gain"),
                "A cut card further from the end leaves fewer rounds and less information.",
            ),
            _marked(shown, by_cut, "cut"),
        ),
        section(
            "By depth",
            "The rounds between two positions of the cut card: those dealt with it at the first position, but not "
            "at the next.",
            _line_pictures(
                *("gain-by-depth", between, "Gain by depth"),
                "The fewer cards are left, the more is known of them.",
            ),
            view_table(BETWEEN_CUTS.under(*of_players), by_depth, "page"),
        ),
        section("The counts", counts) if shown.study.counts else None,
        section(
            "The fresh shoe",
            "Exact values on the fresh shoe: the expected value of a round if a unit is staked whenever the bet is on "
            "offer, and the standard deviation of one such unit.",
            view_table(FRESH, shown.fresh, "page"),
        ),
        section("Method", METHOD),
    )


def _dealt(shown: StudyFile) -> Section:
    study, dealing = shown.study, shown.study.dealing
    after = {0: "no round is dealt after it", 1: "one more round is dealt"}.get(
        dealing.after, f"{dealing.after} more rounds are dealt"
    )
    terms: dict[str, Words] = {
        "Game": f"{shown.game.name} ({shown.game.id})",
        "Rule book": f"{shown.game.id}.toml, SHA-256 {shown.game.sha256}",
        "Shoe": shoe_in_words(study.shoe),
        "Burnt": dealing.burn.in_words,
        "Cut card": f"{dealing.cut_card} cards from the end; the round in which it comes is finished, and {after}",
        "Shoes dealt": Figure(study.shoes, COUNT),
        "Rounds dealt": Figure(shown.players[0].here.rounds, COUNT),
        "Seed": Figure(str(study.seed)),
    }
    return Section("What was dealt", (Terms(terms), *map(Paragraph, NOTES)))


# ---------------------------------------------------------------- pictures


def _label(result: PlayerResult) -> str:
    return result.wager if result.player == PERFECT else f"{result.wager}: {result.player}"


def _who_pictures(players: Sequence[PlayerResult]) -> Iterator[Picture]:
    rows = []
    for result in players:
        gain = result.here.gain_a_round
        low, high = gain.ends
        favours = gain.is_surely_above(Fraction(0))
        rows.append(Range(label=_label(result), low=low, middle=gain.value, high=high, favours=favours))
    title = "Gain of each player in a hundred rounds, in units"
    for name, some in in_parts("who-can-beat-what", rows, MOST_RANGES):
        yield Picture(
            name=name,
            drawing=Ranges(title=title, across_title="units a hundred rounds", rows=some),
            alt=f"{title}, a line for each player; the figures are in the table above.",
            caption=f"{title}. A bar is a 95 per cent interval, the tick the estimate; +: the whole interval is a gain. "
            "The name of a bet alone means perfect play.",
        )


def _line_pictures(
    name: str, lines: dict[str, list[tuple[int, Fraction]]], title: str, caption: str
) -> Iterator[Picture]:
    panels = [LinePanel(title=label, points=tuple(points)) for label, points in lines.items()]
    for part, some in in_parts(name, panels, MOST_PANELS):
        yield Picture(
            name=part,
            drawing=Lines(
                title=title,
                across_title="cards behind the cut card",
                down_title="gain of a hundred rounds, units",
                panels=some,
            ),
            alt=f"{title}: line charts, a panel for each player; the figures are in the table.",
            caption=f"{title}. {caption}",
        )
