"""A review of a log's stakes as people and programs read it. It shows association, and no intent."""

from fractions import Fraction
from typing import Any

from combinat.audit.review_records import Association, BetReview, PlayerReview, Review
from combinat.base.kinds import CHANCE, COUNT, FRACTION, MONEY, decimal, percentage
from combinat.base.number import exact, json_number
from combinat.render.blocks import Block, Cell, Column, Figure, Paragraph, Section, Table, Terms, table
from combinat.report.game_fields import SHOE
from combinat.report.odds import shoe_in_words
from combinat.report.verdict import CLAIMS, claims_in_words

PERCENT, SHARE, TWO, SUM = percentage(4, signed=True), percentage(2), decimal(2, signed=True), decimal(2)

NOBODY = "(nobody named)"
CARE = (
    "This shows association, not intent. Stakes may go with the edge by luck, by a system that reacts to results, or by what was "
    "left out of the log; a review says whom to look at, and proves nothing about a person."
)
HOW = (
    "Edge: the exact expected value on the cards left. Mean: weighted by stakes; fresh: what the same stakes would meet on a fresh "
    "shoe. Chance: how often stakes that know nothing of the cards go as well with it, by giving each player's stakes of a shoe, "
    "round by round, the edges of other shoes at the same rounds (insurance: by changing stakes among offers of one state). "
    "Adjusted: for the number of players and bets, by Holm's method."
)


def review_document(review: Review) -> Section:
    """Who staked what at which edge."""
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
    return Section("Whose stakes follow the edge", tuple(blocks))


def _sentence(review: Review) -> tuple[str | Figure, ...]:
    """What is to be said first."""
    names = [_name(player) for player in review.players if review.is_conspicuous(player)]
    most = Figure(review.alpha, MONEY)
    if not names:
        return (
            "No player's stakes go with the edge beyond chance (adjusted probability of ",
            most,
            " or less).",
        )
    return (
        f"{len(names)} of {len(review.players)} players: stakes go with the edge beyond chance (adjusted probability of ",
        most,
        f" or less): {', '.join(names)}.",
    )


def _name(player: PlayerReview) -> str:
    return player.player or NOBODY


def players_table(review: Review) -> Table:
    """One line a player, the most conspicuous first."""
    columns = (
        Column("player"),
        Column("shoes", COUNT),
        Column("rounds", COUNT),
        Column("wagers", COUNT),
        Column("staked", SUM),
        Column("mean edge %", PERCENT),
        Column("fresh %", PERCENT),
        Column("favourable %", SHARE),
        Column("expected", TWO),
        Column("won", TWO),
        Column("chance, adjusted", CHANCE),
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
    """One line for each bet of each player."""
    columns = (
        Column("player"),
        Column("bet"),
        Column("staked", SUM),
        Column("mean edge %", PERCENT),
        Column("fresh %", PERCENT),
        Column("favourable %", SHARE),
        Column("more a point of edge", TWO),
        Column("rank correlation", decimal(3, signed=True)),
        Column("chance", CHANCE),
        Column("adjusted", CHANCE),
        Column("luck in s.d.", TWO),
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
    """One line for each bet of each player, exactly."""
    money = ("staked", "expected", "fresh", "favourable", "won")
    columns = (
        Column("player"),
        Column("bet"),
        Column("wagers", COUNT),
        *(Column(name, FRACTION) for name in money),
        *(Column(name, FRACTION) for name in ("slope", "rank_correlation", "chance", "adjusted_chance")),
    )
    rows = [
        (
            _name(player),
            bet.subject,
            bet.staked.wagers,
            *(getattr(bet.staked, name) for name in money),
            bet.edge.slope,
            bet.edge.rank_correlation,
            bet.edge.chance,
            bet.edge.adjusted,
        )
        for player in review.players
        for bet in (*player.bets, player.together)
    ]
    return table(columns, rows)


def counts_table(review: Review) -> Table:
    """The same against counts."""
    columns = (
        Column("player"),
        Column("bet"),
        Column("true count of"),
        Column("more a count", TWO),
        Column("rank correlation", decimal(3, signed=True)),
        Column("chance", CHANCE),
        Column("adjusted", CHANCE),
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


def review_json(review: Review) -> dict[str, Any]:
    """The review under the schema ``combinat/review/2``."""
    return {
        "schema": "combinat/review/2",
        "file": review.file,
        "sha256": review.sha256,
        "game": review.game,
        "shoe": SHOE.object(review.shoe),
        "shoes": review.shoes,
        "rounds": review.rounds,
        "alpha": exact(review.alpha),
        "permutations": review.permutations,
        "claims": dict(review.claims),
        "read_as": dict(review.read_as),
        "notes": list(review.notes),
        "care": CARE,
        "players": [
            {
                "player": player.player,
                "shoes": player.shoes,
                "rounds": player.rounds,
                "conspicuous": review.is_conspicuous(player),
                "adjusted_chance": _number(player.chance),
                "together": _bet_json(player.together),
                "bets": [_bet_json(bet) for bet in player.bets],
            }
            for player in review.players
        ],
    }


def _bet_json(bet: BetReview) -> dict[str, Any]:
    staked = bet.staked
    return {
        "subject": bet.subject,
        "wagers": staked.wagers,
        "staked": exact(staked.staked),
        "expected": exact(staked.expected),
        "mean": exact(staked.mean),
        "fresh": None if staked.fresh is None else exact(staked.fresh),
        "favourable": exact(staked.favourable),
        "won": exact(staked.won),
        "luck": _number(staked.luck),
        "edge": _association_json(bet.edge),
        "counts": [{"tags": str(count.tags), **_association_json(count)} for count in bet.counts],
    }


def _association_json(association: Association) -> dict[str, Any]:
    return {
        "slope": _number(association.slope),
        "rank_correlation": _number(association.rank_correlation),
        "chance": _number(association.chance),
        "adjusted_chance": _number(association.adjusted),
    }


def _number(value: Fraction | None) -> Any:
    return None if value is None else json_number(value)
