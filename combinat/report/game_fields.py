"""Fields that most documents have: the game with its provisos, and the shoe."""

from combinat.base.kinds import CARDS, NUMBER, ODDS, TEXT
from combinat.base.relation import ByName, Field, Many, Relation
from combinat.rules.cards import RANKS, Rank
from combinat.rules.game import Game
from combinat.rules.round import Round
from combinat.rules.shoe import Shoe


def _of_rank(rank: Rank) -> Field[Shoe]:
    return Field(str(rank), str(rank), NUMBER, f"Cards of rank {rank}.", lambda shoe: shoe[rank])


SHOE: Relation[Shoe] = Relation(
    "shoe",
    Field("size", "cards", NUMBER, "How many cards are left."),
    Field(
        "cards",
        "cards",
        Relation("ranks", *map(_of_rank, RANKS)),
        "How many of each rank.",
        lambda shoe: shoe,
    ),
)
"""The cards left to deal."""

GAME: Relation[Game] = Relation(
    "game",
    Field("game", "game", TEXT, "The game's id.", lambda game: game.id),
    Field(
        *("readings", "readings", Many(TEXT), "The entries of the register whose other reading is followed."),
        lambda game: game.provisos.readings or None,
        may_be_absent=True,
    ),
    Field(
        *(
            "pays",
            "pays",
            ByName(Many(ODDS)),
            "Odds tried in place of the document's, by bet or insurance state.",
        ),
        lambda game: dict(game.provisos.odds) or None,
        may_be_absent=True,
    ),
)
"""The game that a document is about, with its provisos."""

HANDS: Relation[Round] = Relation(
    "hands",
    Field("player", "Player", CARDS, "The Player Hand."),
    Field("banker", "Banker", CARDS, "The Banker Hand."),
)
"""The cards of both hands."""
