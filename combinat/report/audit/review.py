"""Documents of a review of stakes: text, CSV and JSON. A review shows association, not intent."""

from combinat.audit.review import BETS_OF_PLAYERS, COUNTS_OF_PLAYERS, PLAYERS, REVIEWED_PLAYERS, Review
from combinat.base.kinds import COUNT, FRACTION, HASH, MONEY, NUMBER, TEXT
from combinat.base.relation import ByName, Document, Field, Many
from combinat.render.blocks import Block, Figure, Paragraph, Section, Table, Terms
from combinat.report.analysis.odds import shoe_in_words
from combinat.report.audit.verdict import CLAIMS, claims_in_words
from combinat.report.provisos import SHOE
from combinat.report.relation_tables import program_table, view_table

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
    bets = [
        (player, bet)
        for player in review.players
        for bet in (player.bets if len(player.bets) == 1 else (*player.bets, player.together))
    ]
    counts = [
        ((player, bet), count) for player in review.players for bet in player.bets for count in bet.counts
    ]
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
        view_table(PLAYERS, review.players, "players"),
        *(Paragraph(note) for note in review.notes),
        Section(
            "By bet",
            (view_table(BETS_OF_PLAYERS, bets, "bets"), view_table(COUNTS_OF_PLAYERS, counts, "counts")),
        ),
        Paragraph(HOW),
        Paragraph(CARE),
    ]
    return Section("Stakes that follow the edge", tuple(blocks))


def _sentence(review: Review) -> tuple[str | Figure, ...]:
    """Return the result in a sentence."""
    names = [player.in_words for player in review.conspicuous]
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


def review_csv(review: Review) -> Table:
    """Return a row for each bet of each player, with exact values."""
    rows = [(player, bet) for player in review.players for bet in (*player.bets, player.together)]
    return program_table(BETS_OF_PLAYERS, rows)


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
    Field("players", "players", Many(REVIEWED_PLAYERS), "Every player."),
)
