"""A rule book as people read it: what it offers, what it pays, where it says so."""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from combinat.render.blocks import Block, Cell, Column, Figure, Paragraph, Section, Table, Terms, Words, table
from combinat.render.kinds import CLAUSE, COUNT, HASH, ODDS
from combinat.report.phrases import in_force_from
from combinat.rules.bet import Bet
from combinat.rules.game import Game, Interpretation
from combinat.rules.insurance import Limit, Per
from combinat.rules.odds import Odds, PointSet
from combinat.rules.table_of_play import STOOD, TABLE_OF_PLAY


def rule_book(game: Game, sha256: str, layout: str | None = None) -> Section:
    """The whole rule book, or what one of its layouts offers."""
    if layout is not None:
        return Section(game.name, (_layout(game, layout),))
    blocks: list[Block] = [
        *_identity(game, sha256),
        Section("Bets", bets_blocks(game)),
        Section("Layouts", (layouts_table(game),)),
    ]
    if game.insurance_terms is not None:
        blocks.append(Section(f"Insurance: {game.insurance_terms.name}", insurance_blocks(game)))
    if game.procedures:
        blocks.append(Section("Procedures that change a settlement", (procedures_table(game),)))
    blocks.append(Section("Interpretation register", _register(game)))
    return Section(game.name, tuple(blocks))


def _layout(game: Game, layout_id: str) -> Section:
    layout = game.layout(layout_id)
    kind = f"{layout.kind}, " if layout.kind else ""
    return Section(
        f"Layout {layout.id}",
        (
            Paragraph(f"{kind}{layout.positions} playing positions ({layout.clause})."),
            *_bets(game.bets_on(layout_id), with_layouts=False),
        ),
    )


def _identity(game: Game, sha256: str) -> tuple[Block, ...]:
    when = in_force_from(game.effective, game.time)
    said: dict[str, Words] = {
        "Game id": game.id,
        "Version": game.version or "none named",
        "Operator": game.operator,
        "Authority": game.authority or "none named",
        "In force from": when,
        "Stated on": game.stated,
        "Decks": f"{game.decks.least} to {game.decks.most} ({game.decks.clause})",
        "Void round": f"{game.void.bets.in_words} ({', '.join(game.void.clauses)})",
        "Rule book SHA-256": Figure(sha256, HASH),
    }
    clauses = msgspec.structs.asdict(game.clauses).items()
    rows = [(name.replace("_", " "), clause) for name, clause in clauses]
    stand = table((Column("rule"), Column("clause", CLAUSE)), rows)
    return Terms(said), Section("Where the rules stand", (stand,))


def bets_blocks(game: Game) -> tuple[Block, ...]:
    """Every bet with what it pays, and when it wins."""
    return _bets(game.bets)


def _bets(bets: Sequence[Bet], *, with_layouts: bool = True) -> tuple[Block, ...]:
    columns = (
        Column("bet"),
        Column("outcome"),
        Column("pays", ODDS),
        Column("defined", CLAUSE),
        Column("settled", CLAUSE),
        *((Column("layouts"),) if with_layouts else ()),
    )
    rows = [row[: len(columns)] for bet in bets for row in _pays(bet)]
    return (
        table(columns, rows),
        Paragraph("Anything else loses; a void round returns every bet."),
        table((Column("bet"), Column("wins when")), [(bet.id, bet.about) for bet in bets]),
    )


def _pays(bet: Bet) -> Iterator[tuple[str, ...]]:
    """A row for each line of a pay table; what holds for all of it stands in the first."""
    for number, pay in enumerate(bet.pays):
        named = (bet.id, bet.defined, spans(bet.layouts)) if number == 0 else ("", "", "")
        bet_id, defined, layouts = named
        yield bet_id, pay.name or "wins", pay.odds, defined, pay.clause or bet.settled, layouts


def spans(layouts: Sequence[str]) -> str:
    """Layout letters with runs of three or more drawn together.

    >>> spans(["A", "B", "C", "D", "G", "H"])
    'A-D G H'
    """
    runs: list[list[str]] = []
    for letter in layouts:
        if runs and len(letter) == 1 and ord(letter) == ord(runs[-1][-1][0]) + 1:
            runs[-1].append(letter)
        else:
            runs.append([letter])
    return " ".join(f"{run[0]}-{run[-1]}" if len(run) > 2 else " ".join(run) for run in runs)


def layouts_table(game: Game) -> Table:
    """Every layout: its kind where one is named, its positions, how many bets it offers."""
    with_kind = any(layout.kind for layout in game.layouts)
    columns = (
        Column("layout"),
        *((Column("kind"),) if with_kind else ()),
        Column("positions"),
        Column("bets"),
        Column("clause", CLAUSE),
    )
    rows = [
        (
            layout.id,
            *((layout.kind,) if with_kind else ()),
            str(layout.positions),
            len(game.bets_on(layout.id)),
            layout.clause,
        )
        for layout in game.layouts
    ]
    return table(columns, rows)


def insurance_blocks(game: Game) -> tuple[Block, ...]:
    """What insurance a game offers, and its limits; nothing where it offers none."""
    terms = game.insurance_terms
    if terms is None:
        return ()
    return (
        Paragraph(f"Wins when the insured hand loses. {terms.open.in_words} ({', '.join(terms.clauses)})."),
        _offers(game),
        table(
            (Column("limit"), Column("clause", CLAUSE)),
            [(limit_in_words(limit), limit.clause) for limit in terms.limits],
        ),
    )


def _offers(game: Game) -> Table:
    columns = (
        Column("hand"),
        Column("offered"),
        Column("Player"),
        Column("Banker"),
        Column("pays", ODDS),
        Column("tie"),
        Column("clause", CLAUSE),
    )
    rows = [
        (
            listed.side,
            listed.stage.in_words,
            str(offer.player_points),
            str(offer.banker_points),
            offer.odds,
            f"pays on {offer.tie_pays}" if offer.tie_pays else "returned",
            offer.clause or listed.settled,
        )
        for listed in game.insurance
        for offer in listed.offers
    ]
    return table(columns, rows)


def limit_in_words(limit: Limit) -> str:
    """A limit on insurance as a phrase."""
    at = f" at {limit.odds}" if limit.odds else ""
    over = "each insurance bet" if limit.per is Per.OFFER else "all insurance on one hand in a round"
    only = f", under {limit.procedure}" if limit.procedure else ""
    return f"the {limit.caps.in_words} of {over}{at}: at most {limit.share} of the {limit.of.in_words}{only}"


def procedures_table(game: Game) -> Table:
    """What can happen at the table and changes a settlement."""
    rows = [
        (procedure.id, procedure.effect.in_words, ", ".join(procedure.clauses))
        for procedure in game.procedures
    ]
    return table((Column("procedure"), Column("effect"), Column("clause", CLAUSE)), rows)


def table_of_play() -> Table:
    """When each hand draws, by the points of its first two cards, as the documents print it."""
    columns = (
        Column("first two", COUNT),
        Column("Player"),
        *(Column(f"B: P3={third}") for third in range(10)),
        Column("B: P stood"),
    )
    rows: list[tuple[Cell, ...]] = [
        (
            points,
            _draws(TABLE_OF_PLAY.player[points]),
            *(_draws(draws[third]) for third in range(10)),
            _draws(draws[STOOD]),
        )
        for points, draws in enumerate(TABLE_OF_PLAY.banker)
    ]
    return table(columns, rows)


def _draws(draws: bool) -> str:
    return "draws" if draws else "stands"


def _register(game: Game) -> tuple[Block, ...]:
    entries = tuple(Section(entry_title(entry), (entry_terms(entry),)) for entry in game.interpretations)
    return entries or (Paragraph("No entries."),)


def entry_title(entry: Interpretation) -> str:
    """An entry's heading: its id and the clauses it is about."""
    return f"{entry.id} ({'; '.join(entry.clauses)})"


def entry_terms(entry: Interpretation) -> Terms:
    """What an entry asks, and its two readings."""
    return Terms({"Question": entry.question, "Reading": entry.reading, "Otherwise": entry.otherwise})


def rule_book_json(game: Game, sha256: str, layout: str | None = None) -> dict[str, Any]:
    """The rule book as data, under the schema ``combinat/rules/1``."""
    data: dict[str, Any] = msgspec.to_builtins(game, enc_hook=_plain, str_keys=True)
    del data["schema"]
    if layout is not None:
        shown = game.layout(layout).id
        data["layouts"] = [listed for listed in data["layouts"] if listed["id"] == shown]
        data["bets"] = [bet for bet in data["bets"] if shown in bet["layouts"]]
    head = {"schema": "combinat/rules/1", "game": game.id, "sha256": sha256}
    return {**head, **_tidied(data)}


def _plain(value: object) -> object:
    """What JSON shows for a type of our own."""
    if isinstance(value, PointSet):
        return sorted(value)
    if isinstance(value, str):
        return str(value)
    raise TypeError(type(value).__name__)  # pragma: no cover  # a rule book holds nothing else


def _tidied(value: Any) -> Any:
    """The value without keys that say nothing, and with the exact net beside all odds."""
    if isinstance(value, list | tuple):
        return [_tidied(item) for item in value]
    if not isinstance(value, dict):
        return value
    tidy = {key: _tidied(item) for key, item in value.items() if item is not None and item != ""}
    if "odds" in tidy:
        tidy["net"] = str(Odds.parse(tidy["odds"]).net)
    return tidy
