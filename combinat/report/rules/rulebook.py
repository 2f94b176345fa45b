"""A rule book in words: bets, odds, insurance, limits and procedures, each with its clause."""

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from combinat.base.kinds import CLAUSE, ODDS
from combinat.render.blocks import (
    Block,
    Column,
    Paragraph,
    Section,
    SectionPart,
    Table,
    Terms,
    Words,
    section,
    table,
)
from combinat.report.phrases import DRAFT_STATUS, HAND_COLUMNS, hand_named, in_force_from, stage_named
from combinat.report.rules.clauses import trace_blocks
from combinat.rules.bet import Bet
from combinat.rules.document import Interpretation, Layout
from combinat.rules.game import Game
from combinat.rules.house_rules import PRACTICES, Practice, TableLimits
from combinat.rules.table_of_play import TOTALS, PrintedTable


def rule_book(game: Game, layout: str | None = None, *, when: bool = False) -> Section:
    """Return the whole rule book, or the bets of one of its layouts; ``when``: also when every line pays, in words."""
    if layout is not None:
        bets = game.bets_on(layout)
        return section(game.name, _layout(game.layout(layout), bets), _when_bets_win(bets) if when else None)
    insured = game.insurance_terms
    return section(
        game.name,
        _identity(game),
        section("Points", points_in_words(game)),
        section("Table of Play", table_of_play_blocks(game)),
        section("Bets", bets_blocks(game)),
        _when_bets_win(game.bets) if when else None,
        section("Layouts", layouts_table(game)),
        section(f"Insurance: {insured.name}", insurance_blocks(game)) if insured else None,
        section("Limits of a table", table_limits_blocks(game.table_limits, game.practice))
        if game.table_limits
        else None,
        section("Incidents and procedures", procedures_blocks(game)) if game.procedures else None,
        section("Interpretation register", list(map(_entry, game.interpretations)) or "No entries."),
        section("Clause trace", trace_blocks(game)),
    )


def _layout(layout: Layout, bets: Sequence[Bet]) -> Section:
    kind = f"{layout.kind}, " if layout.kind else ""
    return section(
        f"Layout {layout.id}",
        f"{kind}{layout.positions} playing positions ({layout.clause}).",
        _bets(bets, {}, with_layouts=False),
    )


def _identity(game: Game) -> Iterator[SectionPart]:
    """Yield the identity of the rule book, and the clauses of the basic rules."""
    said: dict[str, Words | None] = {
        "Game id": game.id,
        "Status": DRAFT_STATUS if game.is_draft else None,
        "Version": game.version or "none named",
        "Operator": game.operator,
        "Authority": game.authority or "none named",
        "In force from": in_force_from(game.effective, game.time),
        "Stated on": game.stated,
        "Decks": f"{game.decks.least} to {game.decks.most} ({game.decks.clause})",
        "Void round": f"{game.void.bets.in_words} ({', '.join(game.void.clauses)})",
        **practice_terms(game),
        "Rule book SHA-256": game.sha256,
    }
    yield said
    clauses = msgspec.structs.asdict(game.clauses)
    clauses |= {"third_cards": game.stood_clause, "table_of_play": game.table_clause}
    rows = [(name.replace("_", " "), clause) for name, clause in clauses.items() if clause]
    yield section("Clauses of the basic rules", table((Column("rule"), Column("clause", CLAUSE)), rows))


def practice_terms(game: Game) -> dict[str, Words]:
    """Return the answers to questions of practice that differ from the defaults."""
    common = Practice()
    return {
        key.replace("_", " ").capitalize(): game.practice.in_words(key)
        for key in PRACTICES
        if getattr(game.practice, key) != getattr(common, key)
    }


def bets_blocks(game: Game, names: Mapping[str, str] | None = None) -> tuple[Block, ...]:
    """Return every bet with its odds and winning condition; ``names``: the names to show, by the ids of bets."""
    return _bets(game.bets, names or {})


def _bets(bets: Sequence[Bet], names: Mapping[str, str], *, with_layouts: bool = True) -> tuple[Block, ...]:
    columns = (
        Column("bet", carries=True),
        Column("outcome"),
        Column("pays", ODDS),
        Column("defined", CLAUSE, carries=True),
        Column("settled", CLAUSE),
        *((Column("layouts", carries=True),) if with_layouts else ()),
    )
    shown = {bet.id: names.get(bet.id, bet.id) for bet in bets}
    rows = [(shown.get(row[0], ""), *row[1 : len(columns)]) for bet in bets for row in _pays(bet)]
    returned = ", ".join(shown[bet.id] for bet in bets if not bet.rest)
    rest = f"All other outcomes lose{f'; on {returned} they return the stake' if returned else ''}."
    return (
        table(columns, rows, "The bets: outcomes, odds and clauses"),
        Paragraph(f"{rest} Odds are to 1."),
        table(
            (Column("bet"), Column("wins when", name="wins_when")),
            [(shown[bet.id], bet.about) for bet in bets],
            "The bets: when each wins",
        ),
    )


def _when_bets_win(bets: Sequence[Bet]) -> Section:
    """Return a table of the conditions under which every line of these bets pays, in words derived from its facts."""
    rows = [
        (bet.id if number == 0 else "", bet.line_name(pay), pay.odds, pay.in_words())
        for bet in bets
        for number, pay in enumerate(bet.pays)
    ]
    columns = (Column("bet", carries=True), Column("outcome"), Column("pays", ODDS), Column("when"))
    return section("When each line pays", table(columns, rows))


def _pays(bet: Bet) -> Iterator[tuple[str, ...]]:
    """Yield a row for each line of a pay table; the first row has the cells that apply to all lines."""
    for number, pay in enumerate(bet.pays):
        named = (bet.id, bet.defined, spans(bet.layouts)) if number == 0 else ("", "", "")
        bet_id, defined, layouts = named
        yield bet_id, pay.name or "wins", pay.odds, defined, pay.clause or bet.settled, layouts


def spans(layouts: Sequence[str]) -> str:
    """Return layout letters, with a span for each run of three or more.

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
    """Return every layout: its kind if the document names one, its positions, and its number of bets."""
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
    return table(columns, rows, "The layouts")


def insurance_blocks(game: Game) -> tuple[Block, ...]:
    """Return the insurance of a game and its limits; empty for a game without insurance."""
    terms = game.insurance_terms
    if terms is None:
        return ()
    columns = (
        *HAND_COLUMNS,
        *(Column("pays", ODDS), Column("on a tie", name="tie"), Column("clause", CLAUSE)),
    )
    offers = [
        (
            *(hand_named(listed.side), stage_named(listed.stage)),
            *(str(offer.player_points), str(offer.banker_points), offer.odds),
            f"pays on {offer.tie_pays}" if offer.tie_pays else "returned",
            offer.clause or listed.settled,
        )
        for listed in game.insurance
        for offer in listed.offers
    ]
    limits = [(limit.in_words, limit.clause) for limit in terms.limits]
    limit_columns = (Column("limit"), Column("clause", CLAUSE))
    wins = (
        f"{terms.name} wins when the insured hand loses. {terms.open.in_words} ({', '.join(terms.clauses)})."
    )
    return (
        Paragraph(wins),
        table(columns, offers, f"{terms.name}: offers"),
        *((table(limit_columns, limits, f"{terms.name}: limits"),) if limits else ()),
    )


def table_limits_blocks(limits: TableLimits, practice: Practice) -> tuple[Block, ...]:
    """Return the rules for bets outside the displayed limits of a table, each with its clause."""
    clauses = limits.clauses
    rows = [
        (
            f"the Differential is the bets on one hand minus the bets on the other, {practice.in_words('differential')}",
            clauses.differential,
        ),
        ("a seated player has a box; a standing player bets in it", f"{clauses.seated}, {clauses.standing}"),
        ("a minimum and a maximum Differential are displayed", clauses.displayed),
        ("each player must keep bets within these limits", clauses.duty),
        ("other players may use any part of the limit that a box does not use", clauses.balance),
        (
            "before the close, bets over the limit are rejected: those of standing players first, then those of seated players",
            clauses.excess,
        ),
        (
            f"before the close, a bet under the minimum must be raised or withdrawn; the minimum applies to {practice.in_words('minimum_of')}",
            clauses.raised,
        ),
        ("after the close, no bet may be placed, raised or withdrawn", clauses.closed),
        (
            f"after the close, bets over the limit win or lose pro rata, but no bet is cut below the minimum: {practice.in_words('pro_rata')}",
            clauses.pro_rata,
        ),
        (
            f"a bet under the minimum suspends the pro rata for {practice.in_words('under_minimum')}",
            clauses.under_minimum,
        ),
        ("a bet under the minimum that nobody noticed stands", clauses.unnoticed),
        ("a bet is settled by the position of its chips when the bets are closed", clauses.position),
    ]
    columns = (Column("rule on bets and limits", name="rule"), Column("clause", CLAUSE))
    return (table(columns, rows, "Limits of a table"),)


def procedures_blocks(game: Game) -> tuple[Block, ...]:
    """Return the procedures, with effect and condition, and the options after a dealing error."""
    effects = [
        (procedure.id, game.effect_in_words(procedure), procedure.cited) for procedure in game.procedures
    ]
    conditions = [
        (procedure.id, procedure.condition or "always", procedure.decides or "the document")
        for procedure in game.procedures
        if procedure.condition or procedure.decides
    ]
    return (
        table((Column("procedure"), Column("effect"), Column("clause", CLAUSE)), effects),
        *(
            (
                table(
                    (
                        Column("procedure"),
                        Column("applies if", name="condition"),
                        Column("decided by", name="decides"),
                    ),
                    conditions,
                ),
            )
            * bool(conditions)
        ),
        table((Column("procedure"), Column("incident")), [(one.id, one.when) for one in game.procedures]),
        *dealing_errors(game),
    )


def dealing_errors(game: Game) -> tuple[Paragraph, ...]:
    """Return the options after a dealing error; empty if the document has none."""
    errors = game.dealing_errors
    if errors is None:
        return ()
    return (
        Paragraph(
            f"The options after a dealing error ({errors.clause}): go on with the hand as it is, if the cards cannot be "
            f"reconstructed ({errors.as_it_is}); go on with the reconstructed hand, if they can ({errors.reconstructed}); "
            f"have the bet returned ({errors.returned}). To reconstruct is to put cards back into their intended order "
            f"({errors.reconstruction}). An outcome is established when one of the available bets has conclusively won or "
            f"lost ({errors.outcome}).{_excluded_procedures(game)}"
        ),
    )


def _excluded_procedures(game: Game) -> str:
    """Return a sentence on the errors to which the options do not apply, or "" if there are none."""
    excluded = [
        game.procedure(name) for name in (game.dealing_errors.excludes if game.dealing_errors else ())
    ]
    named = ", ".join(f"{procedure.id} ({procedure.cited})" for procedure in excluded)
    return f" These options do not exist where {named} applies." if named else ""


def points_in_words(game: Game) -> str:
    """Return the values of cards and hands, and the naturals. Whether a 10 counts 10 or 0 makes no difference."""
    clauses, natural = game.clauses, game.printed_table.natural
    ends = (
        f"If either hand has {_or(natural)} with two cards, nobody draws"
        if natural
        else "No two cards are a natural"
    )
    return (
        f"An Ace is worth 1, a 2 to 9 its face value, a picture card 0 ({clauses.card_values}). "
        f"The total of a hand is the last digit of its sum ({clauses.point_total}), so a 10 counts 0. "
        f"{ends} ({clauses.natural})."
    )


def table_of_play_blocks(game: Game) -> tuple[Block, ...]:
    """Return the Table of Play in the form of the documents, and the clauses that state it."""
    printed = game.printed_table
    source = (
        f"Stated by the rule book ({game.table_clause}; {game.stood_clause} when the Player Hand has stood)."
        if game.stated_table
        else f"The rule book states no table of its own ({game.table_clause}, {game.stood_clause}): this is the common one."
    )
    player = {total: _player_does(printed, total) for total in TOTALS}
    banker = {total: _banker_does(printed, total) for total in TOTALS}
    return (
        table(
            (Column("Player's first two", name="points"), Column("Player Hand", name="player")),
            _rows_by_action(player),
            "Table of Play: when the Player Hand draws",
        ),
        table(
            (
                Column("Banker's first two", name="points"),
                Column("draws when Player's third is", name="draws"),
                Column("stands when it is", name="stands"),
                Column("Player stood", name="player_stood"),
            ),
            _rows_by_action(banker),
            "Table of Play: when the Banker Hand draws, by the Player's third card",
        ),
        *_against_natural(printed),
        Paragraph(source),
    )


def _against_natural(printed: PrintedTable) -> tuple[Block, ...]:
    """Return the totals on which the Banker Hand draws against a natural of the Player; empty if there are none."""
    draws = printed.banker_draws_against_natural
    if not draws:
        return ()
    return (Paragraph(f"Against a natural of the Player the Banker Hand draws on {_or(draws)}."),)


NATURAL = "natural: nobody draws"


def _player_does(printed: PrintedTable, total: int) -> tuple[str, ...]:
    if total in printed.natural:
        return (NATURAL,)
    return (_draws(total in printed.player_draws),)


def _banker_does(printed: PrintedTable, total: int) -> tuple[str, ...]:
    if total in printed.natural:
        return NATURAL, "", ""
    draws = printed.third(total)
    stands = frozenset(TOTALS) - draws
    stood = _draws(total in printed.banker_draws_when_player_stood)
    return _thirds(draws), _thirds(stands), stood


def _thirds(points: frozenset[int]) -> str:
    """Points as the documents print them: ``0-1-8-9``."""
    if len(points) == len(TOTALS):
        return "any"
    return "-".join(map(str, sorted(points))) or "never"


def _rows_by_action(does: Mapping[int, tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Return a row for each action, with all totals that lead to it, ordered by the lowest total."""
    same: dict[tuple[str, ...], list[str]] = {}
    for total, what in does.items():
        same.setdefault(what, []).append(str(total))
    return [("-".join(totals), *what) for what, totals in same.items()]


def _or(points: frozenset[int]) -> str:
    """Points in words: ``8 or 9``."""
    *others, last = map(str, sorted(points))
    return f"{', '.join(others)} or {last}" if others else last


def _draws(draws: bool) -> str:
    return "draws" if draws else "stands"


def _entry(entry: Interpretation) -> Section:
    """Return an entry of the register."""
    return section(entry_title(entry), entry_terms(entry))


def entry_title(entry: Interpretation) -> str:
    """Return the heading of an entry: its id and its clauses."""
    return f"{entry.id} ({'; '.join(entry.clauses)})"


def entry_terms(entry: Interpretation) -> Terms:
    """Return the question of an entry and its two readings."""
    return Terms({"Question": entry.question, "Reading": entry.reading, "Otherwise": entry.otherwise})
