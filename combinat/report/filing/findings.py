"""The findings of a report, each made of the dossier's own figures: true for any rule book."""

from collections.abc import Sequence

from combinat.analysis.bets import BetAnalysis
from combinat.analysis.insurance_habits import Habit
from combinat.audit.verdict import Verdict, Word
from combinat.base.kinds import COUNT, percentage
from combinat.certify.dossier import Dossier
from combinat.certify.filing import Issue
from combinat.render.blocks import Figure, Part, Words
from combinat.report.analysis.insurance import favourable_in_words
from combinat.report.analysis.odds import decks_in_words
from combinat.report.filing.register import effect, ranked, worst_case
from combinat.report.phrases import decks_span, state_named
from combinat.rules.game import Game

PERCENT, FINE = percentage(2, signed=True), percentage(4)

PER_CENT = "\u00a0%"
"""The sign after its figure, on the same line."""


def findings(
    dossier: Dossier, game: Game, issue: Issue, verdicts: Sequence[Verdict] = ()
) -> dict[str, Words]:
    """Return the findings by subject: bets, insurance, ambiguous clauses, simulations."""
    return {
        "Bets": _of_bets(dossier),
        "Insurance": _of_insurance(dossier, game),
        "Ambiguous clauses": _of_readings(dossier, game, issue),
        **({"Simulation": _of_simulations(verdicts)} if verdicts else {}),
    }


def edges_of(dossier: Dossier, bet_id: str) -> dict[int, BetAnalysis]:
    """Return a bet by number of decks."""
    return {shoe.decks: next(bet for bet in shoe.bets if bet.id == bet_id) for shoe in dossier.shoes}


def favoured_decks(dossier: Dossier, bet_id: str) -> list[int]:
    """Return the numbers of decks at which a bet favours the player."""
    return [decks for decks, bet in edges_of(dossier, bet_id).items() if bet.house_edge < 0]


def _of_bets(dossier: Dossier) -> Words:
    """Return the lowest and the highest house edge, and the bets that favour the player."""
    bets, shoe = dossier.reference.bets, decks_in_words(dossier.reference_decks)
    least, most = (pick(bets, key=lambda bet: bet.house_edge) for pick in (min, max))
    favourable = [
        f"{bet.name} (with {decks_span(decks)})" for bet in bets if (decks := favoured_decks(dossier, bet.id))
    ]
    lowest, highest = (Figure(bet.house_edge, FINE, after=PER_CENT) for bet in (least, most))
    edges = (
        (f"{least.name}, the only bet, has a house edge of ", lowest, f" with {shoe}")
        if len(bets) == 1
        else (
            *(f"With {shoe} the house edge is lowest on {least.name}, ", lowest),
            *(f", and highest on {most.name}, ", highest),
        )
    )
    return (
        *edges,
        f". Bets that favour the player with {decks_span(dossier.decks)}: {', '.join(favourable) or 'none'}.",
    )


def _of_insurance(dossier: Dossier, game: Game) -> Words:
    """Return the number of favourable states, the best of them, and the result of a player who takes only those."""
    states = dossier.reference.insurance
    if not states:
        return f"The {'draft' if game.is_draft else 'document'} offers none."
    favourable = favourable_in_words(states)
    words: list[Part] = [f"With {decks_in_words(dossier.reference_decks)}, {favourable} favour the player."]
    best = max(states, key=lambda state: state.expected_value or -1)
    if best.favours_player:
        words += [f" Largest expected value: {state_named(best.state)} (pays {best.odds}), "]
        words += [Figure(best.expected_value, PERCENT, after=PER_CENT), " of the stake, reached in "]
        words += [Figure(best.probability, percentage(2), after=PER_CENT), " of rounds."]
    habits = [bet for bet in dossier.insured if bet.habit is Habit.BY_TOTALS and bet.insured]
    for place, habit in enumerate(habits):
        before = (
            ", "
            if place
            else " Expected value of a bet together with the insurance that favours the player: "
        )
        words += [f"{before}{game.bet(habit.bet).name} ", Figure(habit.mean, PERCENT, after=PER_CENT)]
    return (*words, ".") if habits else tuple(words)


def _of_readings(dossier: Dossier, game: Game, issue: Issue) -> Words:
    """Ambiguous clauses by severity: how many change a figure, the largest effect, how many are confirmed."""
    entries = [reading.entry for reading in dossier.readings]
    if not entries:
        return "None."
    changing = sum(worst_case(reading) is not None for reading in dossier.readings)
    largest = (". Largest effect: ", *effect(ranked(dossier)[0], game)) if changing else ()
    confirmed = sum(not issue.is_open(entry) for entry in entries)
    return (
        *(Figure(len(entries), COUNT), ". Another reading changes a figure in ", Figure(changing, COUNT)),
        *(
            *largest,
            ". Readings confirmed: ",
            Figure(confirmed, COUNT),
            " of ",
            Figure(len(entries), COUNT),
            ".",
        ),
    )


def _of_simulations(verdicts: Sequence[Verdict]) -> Words:
    """Return the verdict on the first simulation that does not agree, or on the first."""
    first = next((verdict for verdict in verdicts if verdict.word is not Word.AGREES), verdicts[0])
    what = {
        Word.AGREES: "agrees with every figure that it tests",
        Word.DISAGREES: "does not agree with the exact figures",
        Word.UNJUDGED: "could not be judged",
    }[first.word]
    return Figure(first.rounds, COUNT), f" rounds ({first.file}): {what}."
