"""Fields of a game and its shoe, and the provisos of a game in every output: readings followed, odds tried, bets that stay.

A command passes what it prints through ``with_provisos``; JSON documents have the fields of ``GAME``. A game as its
rule book states it adds nothing.
"""

from collections.abc import Mapping, Sequence

from combinat.analysis.bets import staying_bets, ties_stay, void_stays
from combinat.base.kinds import CARDS, NUMBER, ODDS, TEXT, percentage, rounded_text
from combinat.base.relation import ByName, Field, Many, Relation
from combinat.render.blocks import Block, Section, Terms, Words, each_table, with_columns
from combinat.render.text import Format
from combinat.rules.cards import RANKS, Rank
from combinat.rules.game import Game
from combinat.rules.round import Round
from combinat.rules.shoe import Shoe

# ---------------------------------------------------------------- fields


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
        *(
            "varies",
            "varies",
            TEXT,
            "The game that the rule book is a variation of.",
            lambda game: game.varies or None,
        ),
        may_be_absent=True,
    ),
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

# ---------------------------------------------------------------- provisos


def provisos_in_words(game: Game) -> dict[str, str]:
    """Return the provisos of a game, by their heads."""
    said = variation_in_words(game)
    if game.provisos.readings:
        said["Readings followed"] = game.provisos.readings_in_words
    if game.provisos.odds:
        said["Not the document's odds"] = game.provisos.odds_in_words
    return said


def variation_in_words(game: Game) -> dict[str, str]:
    """Return the changes that a rule book makes to its base, with their effects on house edges; empty without a base."""
    if not game.varies:
        return {}
    from combinat.analysis.rule_book_changes import variation  # a draft alone needs it

    found = variation(game.document)
    if found is None:
        return {"Variation of": game.varies}
    changes = []
    for one in found.changes:
        effect = (
            ""
            if one.edge is None
            else f", house edge {rounded_text(one.edge, percentage(4, signed=True))} points"
        )
        changes.append(f"{one.subject} {one.words}{effect}")
    said = "; ".join(changes) or "no bet changes"
    clauses = f"clauses are those of {game.varies} where this rule book states none"
    return {f"Variation of {game.varies}": f"{said} ({found.decks} decks); {clauses}"}


def under_provisos(game: Game) -> str:
    """Return the provisos as the end of a sentence, or "" if there are none."""
    provisos = game.provisos
    readings = f" under {provisos.readings_in_words}" if provisos.readings else ""
    return readings + (f", not at the document's odds: {provisos.odds_in_words}" if provisos.odds else "")


def proviso_cells(game: Game) -> dict[str, str]:
    """Return the last columns of a CSV table, with the same values in every row: ``varies``, ``pays_tried`` and ``readings``."""
    odds, readings = game.provisos.odds_in_words, " ".join(game.provisos.readings)
    cells = {"varies": game.varies, "pays_tried": odds, "readings": readings}
    return {name: cell for name, cell in cells.items() if cell}


def with_provisos(game: Game, blocks: Sequence[Block], form: Format) -> list[Block]:
    """Return a document with its provisos: lines at its head, columns in CSV, a heading in LaTeX, which prints no lines."""
    said = provisos_in_words(game)
    if not said:
        return list(blocks)
    if form is Format.CSV:
        return list(each_table(blocks, lambda table: with_columns(table, proviso_cells(game))))
    if form is Format.LATEX:
        return [Section("; ".join(f"{head}: {words}" for head, words in said.items()), tuple(blocks))]
    first, *others = blocks
    if isinstance(first, Section):
        return [Section(first.title, (Terms(said), *first.blocks)), *others]
    return [Terms(said), *blocks]


# ---------------------------------------------------------------- bets that stay on the layout


def _valuation_field(name: str, head: str, how: str) -> Field[Game]:
    return Field(
        *(name, head, Many(TEXT), f"Bets that may stay for the next round, {how}."),
        lambda game: [bet.id for bet in staying_bets(game)] or None,
        may_be_absent=True,
    )


ONE_ROUND = _valuation_field("of_one_round", "of one round", "valued for one round")
UNTIL_DECIDED = _valuation_field("until_decided", "valued until decided", "valued until decided")
"""How a document values the bets that may stay."""

STAYING = {
    ONE_ROUND.name: "after {cause} the stake stays on the layout; here it counts as returned",
    UNTIL_DECIDED.name: "after {cause} the stake stays on the layout and plays again, each round from such a shoe. Ways and "
    "probabilities are those of the rounds that decide the bet. Correlations and combined stakes are those of one round.",
}
"""How a document values the bets that may stay, by its field."""


def staying_in_words(game: Game, valued: Field[Game], names: Mapping[str, str] | None = None) -> str:
    """Return the bets that may stay for the next round and their valuation, in words, or "" if none may stay.

    Only the bets on the hands stay after a tie; every bet stays after a void round. ``names``: of bets, if ids are not shown.
    """
    bets = valued.of(game)
    if bets is None:
        return ""
    causes = [(ties_stay(game), "a tie"), (void_stays(game), "a void round")]
    cause = " or ".join(cause for holds, cause in causes if holds)
    return f"{', '.join((names or {}).get(bet, bet) for bet in bets)}; {STAYING[valued.name].format(cause=cause)}"


def staying_terms(game: Game, valued: Field[Game]) -> dict[str, Words]:
    """Return the bets that may stay as a term, or no term if there are none."""
    said = staying_in_words(game, valued)
    return {valued.head.capitalize(): said} if said else {}
