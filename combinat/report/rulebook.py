"""A rule book as people read it: what it offers, what it pays, where it says so."""

from collections.abc import Sequence
from typing import Any

import msgspec

from combinat.render.document import Block, Heading, Paragraph, Table, Terms
from combinat.rules.bet import Bet
from combinat.rules.game import Game
from combinat.rules.insurance import InsuranceTerms, Limit
from combinat.rules.odds import Odds, PointSet


def rule_book(game: Game, sha256: str, layout: str | None = None) -> list[Block]:
    """The whole rule book, or what one of its layouts offers."""
    if layout is not None:
        shown = game.layout(layout)
        kind = f"{shown.kind}, " if shown.kind else ""
        return [
            Heading(game.name, 1),
            Heading(f"Layout {shown.id}"),
            Paragraph(f"{kind}{shown.positions} playing positions ({shown.clause})."),
            *_bets(game.bets_on(layout), with_layouts=False),
        ]
    blocks: list[Block] = [Heading(game.name, 1), *_identity(game, sha256)]
    blocks += [Heading("Bets"), *_bets(game.bets), Heading("Layouts"), _layouts(game)]
    if game.insurance_terms is not None:
        blocks += [
            Heading(f"Insurance: {game.insurance_terms.name}"),
            *_insurance(game, game.insurance_terms),
        ]
    if game.procedures:
        blocks += [Heading("Procedures that change a settlement"), _procedures(game)]
    blocks += [Heading("Interpretation register"), *_register(game)]
    return blocks


def _identity(game: Game, sha256: str) -> list[Block]:
    when = f"{game.effective.day} {game.effective:%B %Y}" + (f", {game.time:%H%M} hours" if game.time else "")
    facts = {
        "Game id": game.id,
        "Version": game.version or "none named",
        "Operator": game.operator,
        "Authority": game.authority or "none named",
        "In force from": when,
        "Stated on": game.stated,
        "Decks": f"{game.decks.least} to {game.decks.most} ({game.decks.clause})",
        "Void round": f"{game.void.bets.in_words} ({', '.join(game.void.clauses)})",
        "Rule book SHA-256": sha256,
    }
    clauses = msgspec.structs.asdict(game.clauses).items()
    rows = [[name.replace("_", " "), clause] for name, clause in clauses]
    return [
        Terms(facts),
        Heading("Where the rules stand"),
        Table(columns=("rule", "clause"), align="ll", rows=rows),
    ]


def _bets(bets: Sequence[Bet], *, with_layouts: bool = True) -> list[Block]:
    rows: list[list[str]] = []
    for bet in bets:
        for number, pay in enumerate(bet.pays):
            first = number == 0
            row = [
                bet.id if first else "",
                pay.name or "wins",
                pay.odds,
                bet.defined if first else "",
                pay.clause or bet.settled,
            ]
            rows.append([*row, spans(bet.layouts) if first else ""] if with_layouts else row)
    columns = ["bet", "outcome", "pays", "defined", "settled"] + (["layouts"] if with_layouts else [])
    about = [[bet.id, bet.about] for bet in bets]
    return [
        Table(columns=columns, align="l" * len(columns), rows=rows),
        Paragraph("Anything else loses; a void round returns every bet."),
        Table(columns=("bet", "wins when"), align="ll", rows=about),
    ]


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


def _layouts(game: Game) -> Table:
    rows = [
        [layout.id, layout.kind, str(layout.positions), str(len(game.bets_on(layout.id))), layout.clause]
        for layout in game.layouts
    ]
    with_kind = any(layout.kind for layout in game.layouts)
    columns = ["layout", "kind", "positions", "bets", "clause"]
    if not with_kind:
        columns.pop(1)
        rows = [row[:1] + row[2:] for row in rows]
    return Table(columns=columns, align="l" * len(columns), rows=rows)


def _insurance(game: Game, terms: InsuranceTerms) -> list[Block]:
    rows = [
        [
            table.side,
            table.stage.in_words,
            str(offer.player_points),
            str(offer.banker_points),
            offer.odds,
            f"pays on {offer.tie_pays}" if offer.tie_pays else "returned",
            offer.clause or table.settled,
        ]
        for table in game.insurance
        for offer in table.offers
    ]
    limits = [[_limit(limit), limit.clause] for limit in terms.limits]
    return [
        Paragraph(f"Wins when the insured hand loses. {terms.open.in_words} ({', '.join(terms.clauses)})."),
        Table(
            columns=("hand", "offered", "Player", "Banker", "pays", "tie", "clause"),
            align="lllllll",
            rows=rows,
        ),
        Table(columns=("limit", "clause"), align="ll", rows=limits),
    ]


def _limit(limit: Limit) -> str:
    at = f" at {limit.odds}" if limit.odds else ""
    over = "each insurance bet" if limit.per == "offer" else "all insurance on one hand in a round"
    only = f", under {limit.procedure}" if limit.procedure else ""
    return f"the {limit.caps.in_words} of {over}{at}: at most {limit.share} of the {limit.of.in_words}{only}"


def _procedures(game: Game) -> Table:
    rows = [
        [procedure.id, procedure.effect.in_words, ", ".join(procedure.clauses)]
        for procedure in game.procedures
    ]
    return Table(columns=("procedure", "effect", "clause"), align="lll", rows=rows)


def _register(game: Game) -> list[Block]:
    blocks: list[Block] = []
    for entry in game.interpretations:
        blocks += [
            Heading(f"{entry.id} ({'; '.join(entry.clauses)})", 3),
            Terms({"Question": entry.question, "Reading": entry.reading, "Otherwise": entry.otherwise}),
        ]
    return blocks or [Paragraph("No entries.")]


def rule_book_json(game: Game, sha256: str, layout: str | None = None) -> dict[str, Any]:
    """The rule book as data, under the schema ``combinat/rules/1``."""
    data: dict[str, Any] = msgspec.to_builtins(game, enc_hook=_plain, str_keys=True)
    del data["schema"]
    if layout is not None:
        shown = game.layout(layout).id
        data["layouts"] = [one for one in data["layouts"] if one["id"] == shown]
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
