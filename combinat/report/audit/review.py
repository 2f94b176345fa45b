"""Documents of a review of stakes: text, CSV and JSON. A review shows association, not intent."""

from typing import Any

from combinat.audit.review import Association, BetReview, PlayerReview, Review
from combinat.audit.stakes import Staked
from combinat.base.kinds import (
    CHANCE,
    COUNT,
    FLAG,
    FRACTION,
    HASH,
    MONEY,
    NUMBER,
    TEXT,
    decimal,
    estimated,
    percentage,
)
from combinat.base.relation import ByName, Document, Field, Many, Relation
from combinat.render.blocks import Block, Cell, Column, Figure, Paragraph, Section, Table, Terms, table
from combinat.report.analysis.odds import shoe_in_words
from combinat.report.audit.verdict import CLAIMS, claims_in_words
from combinat.report.provisos import SHOE
from combinat.report.relation_tables import program_table

PERCENT, SHARE, TWO, SUM = percentage(4, signed=True), percentage(2), decimal(2, signed=True), decimal(2)

NOBODY = "(nobody named)"
CARE = (
    "This shows association, not intent. Stakes may follow the edge by luck, by a system that reacts to results, or because rows "
    "are missing from the log. A review shows which players to examine; it proves nothing about a person."
)
HOW = (
    "EV: the exact expected value on the cards left. Mean: weighted by stakes; fresh: the mean of the same stakes on a fresh "
    "shoe. Slope: the increase of the stake per percentage point of EV, or per unit of the true count. Luck: won minus expected, in "
    "standard deviations (SD). p: the p-value of a permutation test, which compares each player's stakes of a shoe with the EVs of other shoes "
    "at the same rounds (insurance: permutes stakes among the offers of one state). Adjusted: for the number of players and bets, "
    "by Holm's method."
)


def review_document(review: Review) -> Section:
    """Return the document of a review, its result first."""
    blocks: list[Block] = [
        Terms(
            {
                "File": review.file,
                CLAIMS: claims_in_words(review.claims),
                "Game": f"{review.game_name} ({review.game})",
                "Shoe": shoe_in_words(review.shoe),
                "Rounds": Figure(review.rounds, COUNT),
                "Shoes": Figure(review.shoes, COUNT),
                **dict(review.read_as),
            }
        ),
        Paragraph(_sentence(review)),
        players_table(review),
        *(Paragraph(note) for note in review.notes),
        Section("By bet", (bets_table(review), counts_table(review))),
        Paragraph(HOW),
        Paragraph(CARE),
    ]
    return Section("Stakes that follow the edge", tuple(blocks))


def _sentence(review: Review) -> tuple[str | Figure, ...]:
    """Return the result in a sentence."""
    names = [_name(player) for player in review.players if review.is_conspicuous(player)]
    most = Figure(review.alpha, MONEY)
    if not names:
        return (
            "No player's stakes follow the edge beyond chance (adjusted p-value of ",
            most,
            " or less).",
        )
    return (
        f"{len(names)} of {len(review.players)} players: stakes follow the edge beyond chance (adjusted p-value of ",
        most,
        f" or less): {', '.join(names)}.",
    )


def _name(player: PlayerReview) -> str:
    return player.player or NOBODY


def players_table(review: Review) -> Table:
    """Return a row for each player, the most conspicuous first."""
    columns = (
        Column("player"),
        Column("shoes", COUNT),
        Column("rounds", COUNT),
        Column("wagers", COUNT),
        Column("staked", SUM),
        Column("mean EV %", PERCENT, name="mean_edge"),
        Column("fresh EV %", PERCENT, name="fresh"),
        Column("favourable %", SHARE),
        Column("expected", TWO),
        Column("won", TWO),
        Column("adjusted p", CHANCE, name="chance,_adjusted"),
    )
    return table(columns, [_player_row(player) for player in review.players])


def _player_row(player: PlayerReview) -> tuple[Cell, ...]:
    staked = player.together.staked
    return (
        _name(player),
        player.shoes,
        player.rounds,
        staked.wagers,
        staked.staked,
        staked.mean,
        staked.fresh_mean,
        staked.favourable_share,
        staked.expected,
        staked.won,
        player.chance,
    )


def bets_table(review: Review) -> Table:
    """Return a row for each bet of each player."""
    columns = (
        Column("player"),
        Column("bet"),
        Column("staked", SUM),
        Column("mean EV %", PERCENT, name="mean_edge"),
        Column("fresh EV %", PERCENT, name="fresh"),
        Column("favourable %", SHARE),
        Column("slope per point", TWO, name="more_a_point_of_edge"),
        Column("rank correlation", decimal(3, signed=True)),
        Column("p", CHANCE, name="chance"),
        Column("adjusted p", CHANCE, name="adjusted"),
        Column("luck, SD", TWO, name="luck_in_s.d."),
    )
    rows = [
        (
            _name(player),
            bet.subject,
            bet.staked.staked,
            bet.staked.mean,
            bet.staked.fresh_mean,
            bet.staked.favourable_share,
            bet.edge.slope_a_point,
            bet.edge.rank_correlation,
            bet.edge.chance,
            bet.edge.adjusted,
            bet.staked.luck,
        )
        for player in review.players
        for bet in (player.bets if len(player.bets) == 1 else (*player.bets, player.together))
    ]
    return table(columns, rows)


def review_csv(review: Review) -> Table:
    """Return a row for each bet of each player, with exact values."""
    return program_table(*review_rows(review))


def review_rows(
    review: Review,
) -> tuple[Relation[tuple[PlayerReview, BetReview]], list[tuple[PlayerReview, BetReview]]]:
    """Return a row for each bet of each player, and one for all bets of each."""
    rows = [(player, bet) for player in review.players for bet in (*player.bets, player.together)]
    return REVIEWED_BETS.extended(*ASSOCIATIONS.part(lambda bet: bet.edge)).under(PLAYER), rows


def counts_table(review: Review) -> Table:
    """Return a row for each count of each bet of each player."""
    columns = (
        Column("player"),
        Column("bet"),
        Column("true count of"),
        Column("slope per count", TWO, name="more_a_count"),
        Column("rank correlation", decimal(3, signed=True)),
        Column("p", CHANCE, name="chance"),
        Column("adjusted p", CHANCE, name="adjusted"),
    )
    rows = [
        (
            _name(player),
            bet.subject,
            _tags(count),
            count.slope,
            count.rank_correlation,
            count.chance,
            count.adjusted,
        )
        for player in review.players
        for bet in player.bets
        for count in bet.counts
    ]
    return table(columns, rows)


def _tags(count: Association) -> str:
    words = str(count.tags).split() if count.tags is not None else []
    return " ".join(word for word in words if not word.endswith("=0"))


# ---------------------------------------------------------------- for programs


NUMBER_OF_TEST = estimated(decimal(9))
"""A statistic: a number, rounded."""

ASSOCIATIONS: Relation[Association] = Relation(
    "associations",
    Field("slope", "more a unit", NUMBER_OF_TEST, "Increase of the stake per unit of the edge or the count.", may_be_none=True),
    Field("rank_correlation", "rank correlation", NUMBER_OF_TEST, "Spearman's rank correlation.", may_be_none=True),
    Field("chance", "chance", NUMBER_OF_TEST, "The p-value of a permutation test.", may_be_none=True),
    Field("adjusted_chance", "adjusted", NUMBER_OF_TEST, "The p-value adjusted by Holm's method.", lambda one: one.adjusted, may_be_none=True),
)  # fmt: skip
"""Associations of stakes with an edge or a count, a row each."""

COUNTS = ASSOCIATIONS.extended(
    Field("tags", "true count of", TEXT, "The tags of the count.", lambda one: str(one.tags))
)

REVIEWED_BETS: Relation[BetReview] = Relation(
    "reviewed bets",
    Field("subject", "bet", TEXT, "The bet, the insurance, or all bets."),
    *Relation[Staked](
        "staked",
        Field("wagers", "wagers", NUMBER, "Number of wagers."),
        Field("staked", "staked", MONEY, "Sum of the stakes."),
        Field("expected", "expected", FRACTION, "Expected result on the cards left."),
        Field("mean", "edge %", PERCENT, "Mean expected value per unit staked."),
        Field("fresh", "fresh %", FRACTION, "The same stakes on a fresh shoe.", may_be_none=True),
        Field("favourable", "favourable", FRACTION, "Staked where the expected value was above 0."),
        Field("won", "won", MONEY, "The result by the rules."),
        Field("luck", "s.d.", NUMBER_OF_TEST, "Won less expected, in standard deviations.", may_be_none=True),
    ).part(lambda bet: bet.staked),
    Field("edge", "edge", ASSOCIATIONS, "Association with the edge."),
    Field("counts", "counts", Many(COUNTS), "Associations with counts."),
)
"""A player's stakes by bet, a row each."""

PLAYER: Field[PlayerReview] = Field("player", "player", TEXT, "The player.")

REVIEWED_PLAYERS: Relation[tuple[Review, PlayerReview]] = Relation(
    "reviewed players",
    *Relation("player", PLAYER).part(lambda row: row[1]),
    Field("shoes", "shoes", NUMBER, "Shoes played.", lambda row: row[1].shoes),
    Field("rounds", "rounds", NUMBER, "Rounds played.", lambda row: row[1].rounds),
    Field("conspicuous", "conspicuous", FLAG, "Whether the stakes follow the edge beyond chance.", lambda row: row[0].is_conspicuous(row[1])),
    Field("adjusted_chance", "adjusted", NUMBER_OF_TEST, "The smallest adjusted p-value.", lambda row: row[1].chance, may_be_none=True),
    Field("together", "all bets", REVIEWED_BETS, "All bets together.", lambda row: row[1].together),
    Field("bets", "bets", Many(REVIEWED_BETS), "Every bet.", lambda row: row[1].bets),
)  # fmt: skip
"""Players of a log, a row each."""

REVIEW: Document[Review] = Document(
    "combinat/review/2",
    "Players of a log: combinat review.",
    Field("file", "file", TEXT, "The file."),
    Field("sha256", "SHA-256", HASH, "Its SHA-256."),
    Field("game", "game", TEXT, "The game's id."),
    Field("shoe", "shoe", SHOE, "The shoe."),
    Field("shoes", "shoes", NUMBER, "Shoes of the log."),
    Field("rounds", "rounds", NUMBER, "Rounds of the log."),
    Field("alpha", "alpha", FRACTION, "Accepted probability of a false alarm."),
    Field("permutations", "permutations", NUMBER, "Permutations of a test."),
    Field(
        "claims",
        "claims",
        ByName(TEXT),
        "The claims of the file about itself.",
        lambda review: dict(review.claims),
    ),
    Field("read_as", "read as", ByName(TEXT), "How the file was read.", lambda review: dict(review.read_as)),
    Field("notes", "notes", Many(TEXT), "Notes."),
    Field("care", "care", TEXT, "The limits of a review.", lambda review: CARE),
    Field(
        *("players", "players", Many(REVIEWED_PLAYERS), "Every player."),
        lambda review: [(review, player) for player in review.players],
    ),
)


def review_json(review: Review) -> dict[str, Any]:
    """Return the review as a document."""
    return REVIEW.object(review)
