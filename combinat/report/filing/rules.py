"""The rules restated: the Table of Play, the bets, insurance, limits, irregularities; worked examples; the trace from clause to model."""

from collections.abc import Iterator, Sequence

from combinat.base.kinds import CARDS, CLAUSE, COUNT, ODDS
from combinat.certify.dossier import Dossier
from combinat.certify.examples import Example
from combinat.render.blocks import Block, Cell, Column, Section, Table, annex, chapter, table
from combinat.report.filing.register import numbers
from combinat.report.phrases import HAND_COLUMNS, bet_names, hand_named, in_words_of_id, stage_named
from combinat.report.rules import rulebook
from combinat.report.rules.clauses import trace_blocks
from combinat.rules.bet import Bet
from combinat.rules.cards import format_cards
from combinat.rules.game import Game
from combinat.rules.procedure import Procedure


def rules_chapter(game: Game) -> Section:
    """Return the rules of the document, in our words."""
    clauses = game.clauses
    return chapter(
        "Rules restated",
        f"{rulebook.points_in_words(game)} Player and Banker receive two cards each, in turn ({clauses.deal}). "
        f"Third cards follow the Table of Play ({game.table_clause}; {game.stood_clause} when the Player Hand has "
        f"stood). The higher points win ({clauses.winner}); equal points are a tie ({clauses.tie}). When the shoe cannot "
        f"finish a round, {game.void.bets.in_words} ({', '.join(game.void.clauses)}).",
        rulebook.table_of_play_blocks(game),
        rulebook.bets_blocks(game, bet_names(game)),
        rulebook.insurance_blocks(game),
        rulebook.table_limits_blocks(game.table_limits, game.practice) if game.table_limits else None,
        _irregularities(game),
        anchor="rules",
    )


def _irregularities(game: Game) -> Iterator[Block]:
    """Return each incident of the document, with every procedure for it and its condition."""
    incidents: dict[str, list[Procedure]] = {}
    for procedure in game.procedures:
        incidents.setdefault(procedure.answers, []).append(procedure)
    if not incidents:
        return
    columns = (Column("incident"), Column("consequence, with its condition"), Column("clause", CLAUSE))
    rows = [_irregularity(game, answers) for answers in incidents.values()]
    yield table(columns, rows, "Irregularities")
    yield from rulebook.dealing_errors(game)


def _irregularity(game: Game, answers: Sequence[Procedure]) -> tuple[str, str, str]:
    whens = " ".join(dict.fromkeys(one.when for one in answers))
    clauses = ", ".join(dict.fromkeys(clause for one in answers for clause in one.clauses))
    return whens, "; ".join(_follows(game, one) for one in answers), clauses


def _follows(game: Game, procedure: Procedure) -> str:
    condition = f"if {procedure.condition}: " if procedure.condition else ""
    decided = f" (decided by {procedure.decides})" if procedure.decides else ""
    return f"{condition}{game.effect_in_words(procedure)}{decided}"


def trace_annex(dossier: Dossier, game: Game) -> Section:
    """Return the clause trace with the names of the report, and the layouts."""
    names, entries = bet_names(game), numbers(dossier)

    def used(what: str, ids: Sequence[str]) -> str:
        """Return the use of a clause: ``bet Player Pair, Banker Pair``."""
        if not ids:
            return what
        if what == "reading":
            return f"reading no. {', '.join(entries.get(one, one) for one in ids)}"
        shown = [
            names.get(one, one) if what == "bet" else one if what == "layout" else in_words_of_id(one)
            for one in ids
        ]
        return f"{what} {', '.join(shown)}"

    return annex(
        "Clause-to-model trace", trace_blocks(game, used), rulebook.layouts_table(game), anchor="trace"
    )


# ---------------------------------------------------------------- worked examples


def examples_chapter(dossier: Dossier, game: Game) -> Section:
    """Return worked examples: the fewest hands that show every way in which every wager can end."""
    return chapter(
        "Worked examples",
        "For every wager the examples show a win on each line of its pay table, a loss, and a push if there is one. For every line of an "
        "insurance table they show a win, a loss, a tie, and a tie that pays. The program selected the hands: each hand shows as many new "
        "cases as possible. Cards are in dealing order: Player, Banker, Player, Banker, then the third cards.",
        _hands(dossier.examples, game),
        _bets(dossier.examples, game),
        _insurance(dossier.examples, game) if game.insurance else None,
        anchor="examples",
    )


def _hands(examples: tuple[Example, ...], game: Game) -> Table:
    columns = (
        *(Column("hand"), Column("cards as dealt", CARDS), Column("Player"), Column("points", COUNT)),
        *(Column("Banker"), Column("points", COUNT), Column("by the Table of Play")),
    )
    rows = [
        (
            *(str(number), example.dealt),
            *(format_cards(example.player), example.player_points),
            *(format_cards(example.banker), example.banker_points),
            "; ".join(_third_cards(example, game)),
        )
        for number, example in enumerate(examples, start=1)
    ]
    return table(columns, rows, "The hands of the worked examples", anchor="hands")


def _third_cards(example: Example, game: Game) -> Iterator[str]:
    """Yield the cell of the Table of Play that decided each third card, with its clause."""
    player, banker, natural = example.player_two_cards, example.banker_two_cards, game.printed_table.natural
    banker_draws = "draws" if len(example.banker) > 2 else "stands"
    if player in natural or banker in natural:
        hands = [name for name, total in (("Player", player), ("Banker", banker)) if total in natural]
        yield f"{' and '.join(hands)} natural ({game.clauses.natural})"
        if len(example.banker) > 2:
            yield f"Banker {banker} draws all the same ({game.table_clause})"
    elif example.player_third is not None:
        yield f"Player {player} draws"
        yield f"Banker {banker} against {example.player_third} {banker_draws} ({game.table_clause})"
    else:
        yield f"Player {player} stands ({game.table_clause})"
        yield f"Banker {banker} {banker_draws} ({game.stood_clause})"


def _bets(examples: tuple[Example, ...], game: Game) -> Table:
    """Return the hands that show the endings of every bet: one for each line of its pay table, and one for the loss."""
    pushes = any(not (pay.odds.net and bet.rest) for bet in game.bets for pay in bet.pays)
    columns = (
        *(Column("bet"), Column("won in hand")),
        *((Column("returned in hand"),) if pushes else ()),
        *(Column("lost in hand"), Column("clause", CLAUSE)),
    )
    names = bet_names(game)
    rows: list[tuple[Cell, ...]] = []
    for place, bet in enumerate(game.bets):
        first: dict[int, int] = {}
        for number, example in enumerate(examples, start=1):
            first.setdefault(example.lines[place].line, number)
        won = [line for line, pay in enumerate(bet.pays, start=1) if pay.odds.net > 0]
        back = [line for line, pay in enumerate(bet.pays, start=1) if not pay.odds.net]
        lost = [line for line, pay in enumerate(bet.pays, start=1) if pay.odds.net < 0]
        (lost if bet.rest else back).append(len(bet.pays) + 1)
        clauses = dict.fromkeys(examples[number - 1].lines[place].clause for number in first.values())
        rows.append(
            (
                *(names[bet.id], _hands_of_lines(bet, won, first)),
                *((_hands_of_lines(bet, back, first),) if pushes else ()),
                *(_hands_of_lines(bet, lost, first) or "none", ", ".join(clauses)),
            )
        )
    return table(
        columns, rows, "The hands in which each wager is won, returned and lost", anchor="hands-of-wagers"
    )


def _hands_of_lines(bet: Bet, lines: list[int], first: dict[int, int]) -> str:
    """Return the hands that show some lines of a pay table: with the name of the line if there are several, and its odds."""
    said = []
    for line in lines:
        hand = str(first[line]) if line in first else "none"
        if line > len(bet.pays):
            said.append(f"else: {hand}" if len(lines) > 1 else hand)
            continue
        pay = bet.pays[line - 1]
        name = f"{pay.name or 'a win'}: " if len(lines) > 1 else ""
        said.append(f"{name}{hand} ({pay.odds})" if pay.odds.net > 0 else f"{name}{hand}")
    return "; ".join(said)


WAYS_TO_END = (("won", False), ("lost", False), ("returned", True), ("won", True))
"""The ending of an insurance bet: its result, and whether the hands tied."""


def _insurance(examples: tuple[Example, ...], game: Game) -> Table:
    first: dict[tuple[int, str, bool], int] = {}
    clauses: dict[int, dict[str, None]] = {}
    for number, example in enumerate(examples, start=1):
        for one in example.insurance:
            key = one.line, one.result, one.is_tie
            if key not in first:
                first[key] = number
                clauses.setdefault(one.line, {})[one.clause] = None
    lines = [(listed, offer) for listed in game.insurance for offer in listed.offers]
    starred = any(offer.tie_pays for _, offer in lines)
    ends = WAYS_TO_END if starred else WAYS_TO_END[:3]
    heads = ("won in hand", "lost in hand", "tie, returned", "tie, paid")
    columns = (
        *HAND_COLUMNS,
        *(Column("pays", ODDS), *map(Column, heads[: len(ends)]), Column("clause", CLAUSE)),
    )
    rows = [
        (
            *(hand_named(listed.side), stage_named(listed.stage)),
            *(str(offer.player_points), str(offer.banker_points), offer.odds),
            *(str(first.get((number, *end), "none")) for end in ends),
            ", ".join(clauses.get(number, ())),
        )
        for number, (listed, offer) in enumerate(lines, start=1)
    ]
    return table(
        columns,
        rows,
        "The hands in which each line of the insurance tables is won, lost and tied",
        anchor="hands-of-insurance",
    )
