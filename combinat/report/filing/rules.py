"""The rules restated: every wager in one table, the Table of Play, insurance, irregularities with their conditions."""

from collections.abc import Iterator, Mapping, Sequence

from combinat.base.kinds import CLAUSE, ODDS
from combinat.render.blocks import Block, Column, Paragraph, Section, Table, chapter, table
from combinat.report.phrases import bet_names
from combinat.report.rules import rulebook as rules_shown
from combinat.rules.bet import Bet
from combinat.rules.game import Game
from combinat.rules.procedure import Effect, Procedure


def rules_chapter(game: Game) -> Section:
    """What the document says, in our words."""
    clauses = game.clauses
    return chapter(
        "Rules restated",
        (
            Paragraph(
                f"{rules_shown.points_in_words(game)} Player and Banker receive two cards each, in turn ({clauses.deal}). "
                f"Third cards follow the Table of Play ({game.table_clause}; {game.stood_clause} when the Player Hand has "
                f"stood). The higher points win ({clauses.winner}); equal points are a tie ({clauses.tie}). When the shoe cannot "
                f"finish a round, {game.void.bets.in_words} ({', '.join(game.void.clauses)})."
            ),
            *rules_shown.table_of_play_blocks(game),
            _wagers(game),
            Paragraph(_rest_in_words(game)),
            *rules_shown.insurance_blocks(game),
            *_irregularities(game),
        ),
        anchor="rules",
    )


def _rest_in_words(game: Game) -> str:
    """What becomes of a wager whose bet names nothing of what a round came to."""
    back = [name for bet, name in bet_names(game).items() if not game.bet(bet).rest]
    returned = f"; on {' and '.join(back)} they are returned" if back else ""
    return f"All other outcomes lose{returned}. Odds are quoted to 1."


def _wagers(game: Game) -> Table:
    """Every bet: when it wins, what it pays, when it comes back, where the document says so, on which layouts."""
    pushes = any(pay.odds.net == 0 for bet in game.bets for pay in bet.pays)
    columns = (
        *(Column("bet"), Column("wins when"), Column("pays", ODDS)),
        *((Column("returned on"),) if pushes else ()),
        *(Column("clause", CLAUSE), Column("layouts")),
    )
    names = bet_names(game)
    rows = [
        (
            *(names[bet.id], bet.about, _pays(bet)),
            *((", ".join(pay.name or "a push" for pay in bet.pays if not pay.odds.net),) if pushes else ()),
            *(_clauses(bet), rules_shown.spans(bet.layouts)),
        )
        for bet in game.bets
    ]
    return table(columns, rows, "The wagers: when each wins, what it pays, and the clauses")


def _pays(bet: Bet) -> str:
    won = [pay for pay in bet.pays if pay.odds.net > 0]
    if len(won) == 1:
        return str(won[0].odds)
    return "; ".join(f"{pay.name or 'a win'} {pay.odds}" for pay in won) or "nothing"


def _clauses(bet: Bet) -> str:
    return ", ".join(
        dict.fromkeys([bet.defined, bet.settled, *(pay.clause for pay in bet.pays if pay.clause)])
    )


def _irregularities(game: Game) -> Iterator[Block]:
    """What can happen at the table, what follows, and under which condition."""
    if game.table_limits is not None:
        yield from rules_shown.table_limits_blocks(game.table_limits, game.practice)
    if game.procedures:
        incidents: dict[str, list[Procedure]] = {}
        for procedure in game.procedures:
            incidents.setdefault(procedure.answers, []).append(procedure)
        deciders = list(dict.fromkeys(one.decides for one in game.procedures if one.decides))
        columns = (
            Column("when"),
            Column("what follows, and under which condition"),
            Column("clause", CLAUSE),
        )
        for caption, some in _by_effect(incidents).items():
            rows = [_irregularity(game, answers, deciders) for answers in some]
            if all(one.effect in _BY_THE_CARDS and not one.condition for answers in some for one in answers):
                yield table((columns[0], columns[2]), [(when, clause) for when, _, clause in rows], caption)
            else:
                yield table(columns, rows, caption)
        if deciders:
            named = "; ".join(f"[{number}] {who}" for number, who in enumerate(deciders, start=1))
            yield Paragraph(f"Who decides, if the document names a person: {named}.")
        yield from rules_shown.dealing_errors(game)


_BY_THE_CARDS = (Effect.SETTLED, Effect.STANDS)


def _by_effect(incidents: Mapping[str, Sequence[Procedure]]) -> dict[str, list[Sequence[Procedure]]]:
    """Incidents in two tables: after which bets may come back, and after which the cards settle them all the same."""
    settled, others = list[Sequence[Procedure]](), list[Sequence[Procedure]]()
    for answers in incidents.values():
        is_settled = all(one.effect in _BY_THE_CARDS for one in answers)
        (settled if is_settled else others).append(answers)
    tables = {
        "Irregularities after which every bet is settled by the cards": settled,
        "Irregularities": others,
    }
    return {caption: some for caption, some in tables.items() if some}


def _irregularity(game: Game, answers: Sequence[Procedure], deciders: Sequence[str]) -> tuple[str, str, str]:
    """What happened, and every answer of the document to it under its condition."""
    whens = " ".join(dict.fromkeys(one.when for one in answers))
    follows = "; ".join(_follows(game, one, deciders) for one in answers)
    return whens, follows, ", ".join(dict.fromkeys(clause for one in answers for clause in one.clauses))


def _follows(game: Game, procedure: Procedure, deciders: Sequence[str]) -> str:
    """What follows, if what; a number stands for who decides it."""
    decided = f" [{deciders.index(procedure.decides) + 1}]" if procedure.decides else ""
    condition = f"if {procedure.condition}: " if procedure.condition else ""
    return f"{condition}{game.effect_in_words(procedure)}{decided}"
