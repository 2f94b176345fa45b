"""The findings of a report in a few sentences, each made of the dossier's own figures: true for any rule book."""

from collections.abc import Sequence

from combinat.analysis.bets import BetAnalysis
from combinat.analysis.insurance import StateAnalysis
from combinat.analysis.insurance_habits import Habit, InsuredBet
from combinat.audit.verdict import Verdict, Word
from combinat.base.kinds import COUNT, percentage
from combinat.certify.dossier import Dossier
from combinat.certify.filing import Issue
from combinat.render.blocks import Figure, Part
from combinat.report.analysis.odds import decks_in_words
from combinat.report.filing.register import effect, ranked, worst_case
from combinat.report.phrases import decks_span
from combinat.rules.game import Game

PERCENT = percentage(2)
FINE = percentage(4)

PER_CENT = "\u00a0%"
"""The sign after its figure, on the same line."""

Sentence = tuple[Part, ...]


def findings(dossier: Dossier, game: Game, issue: Issue, verdicts: Sequence[Verdict] = ()) -> list[Sentence]:
    """The main findings: on bets, on insurance, on ambiguous clauses, on simulations."""
    sentences = [*_of_bets(dossier), *_of_insurance(dossier, game), _of_readings(dossier, game, issue)]
    if verdicts:
        sentences.append(_of_simulations(verdicts))
    return sentences


def edges_of(dossier: Dossier, bet_id: str) -> dict[int, BetAnalysis]:
    """A bet by number of decks."""
    return {shoe.decks: next(bet for bet in shoe.bets if bet.id == bet_id) for shoe in dossier.shoes}


def favoured_decks(dossier: Dossier, bet_id: str) -> list[int]:
    """The numbers of decks at which a bet favours the player."""
    return [decks for decks, bet in edges_of(dossier, bet_id).items() if bet.house_edge < 0]


# ---------------------------------------------------------------- bets


def _of_bets(dossier: Dossier) -> list[Sentence]:
    bets, shoe = dossier.reference.bets, decks_in_words(dossier.reference_decks)
    favourable = [bet for bet in bets if favoured_decks(dossier, bet.id)]
    least, most = (pick(bets, key=lambda bet: bet.house_edge) for pick in (min, max))
    if favourable:
        return _favourable_bets(dossier, favourable)
    if len(bets) == 1:
        said = (
            f"{least.name}, the only bet, {_side(least)} with {decks_span(dossier.decks)}: its house edge is "
        )
        return [(said, Figure(least.house_edge, FINE, after=PER_CENT), f" with {shoe}.")]
    every = "Every bet favours the House" if least.house_edge > 0 else "No bet favours the player"
    return [
        (
            f"{every} with {decks_span(dossier.decks)}; {f'with {shoe} ' if len(dossier.shoes) > 1 else ''}the house edge is lowest "
            f"on {least.name}, ",
            Figure(least.house_edge, FINE, after=PER_CENT),
            f", and highest on {most.name}, ",
            Figure(most.house_edge, FINE, after=PER_CENT),
            ".",
        )
    ]


def _side(bet: BetAnalysis) -> str:
    return "favours the House" if bet.house_edge > 0 else "favours neither side"


def _favourable_bets(dossier: Dossier, favourable: Sequence[BetAnalysis]) -> list[Sentence]:
    every, shoe = len(dossier.reference.bets), decks_in_words(dossier.reference_decks)
    here = [bet for bet in favourable if bet.house_edge < 0]
    counted: list[Part] = [Figure(len(favourable), COUNT), " of ", Figure(every, COUNT), " bets"]
    if every == 1:
        counted = [f"{favourable[0].name}, the only bet,"]
    verb = "favours" if len(favourable) == 1 else "favour"
    if not here:
        named = ", ".join(
            f"{bet.name} with {', '.join(map(str, favoured_decks(dossier, bet.id)))} decks"
            for bet in favourable
        )
        return [(*counted, f" {verb} the player with other numbers of decks than {shoe}: {named}.")]
    best = min(here, key=lambda bet: bet.house_edge)
    gain = Figure(best.expected_value, FINE, after=PER_CENT)
    if len(favourable) == len(here) == 1:
        return [
            (
                *counted,
                f" {verb} the player: with {shoe} {best.name} gains the player ",
                gain,
                " of the stake.",
            )
        ]
    return [
        (
            *counted,
            *(
                (f" {verb} the player with {shoe}",)
                if len(dossier.decks) == 1
                else (
                    f" {verb} the player with some number of decks, ",
                    Figure(len(here), COUNT),
                    f" with {shoe}",
                )
            ),
            f"; the best of them is {best.name}, which gains the player ",
            gain,
            " of the stake.",
        )
    ]


# ---------------------------------------------------------------- insurance


def _of_insurance(dossier: Dossier, game: Game) -> list[Sentence]:
    states, shoe = dossier.reference.insurance, decks_in_words(dossier.reference_decks)
    if not states:
        return [("The draft offers no insurance." if game.is_draft else "The document offers no insurance.",)]
    favourable = [state for state in states if state.favours_player]
    offered = Figure(len(states), COUNT)
    if not favourable:
        return [("None of ", offered, f" insurance states favours the player with {shoe}.")]
    best = max(favourable, key=lambda state: state.expected_value or 0)
    said: list[Sentence] = [
        (
            Figure(len(favourable), COUNT),
            " of ",
            offered,
            f" insurance states {'favours' if len(favourable) == 1 else 'favour'} the player with {shoe}; the best is ",
            *_state(best, game),
            ", which gains the player ",
            Figure(best.expected_value, PERCENT, after=PER_CENT),
            " of the stake and is reached in ",
            Figure(best.probability, PERCENT, after=PER_CENT),
            " of rounds.",
        )
    ]
    habits = [bet for bet in dossier.insured if bet.habit is Habit.BY_TOTALS and bet.insured]
    if habits:
        said.append(_of_habits(habits, game))
    return said


def _state(state: StateAnalysis, game: Game) -> Sentence:
    at = state.state
    name = game.insurance_terms.name if game.insurance_terms else "insurance"
    return (
        f"{name} on {at.side.capitalize()} {at.stage.in_words}, Player ",
        Figure(at.player_points, COUNT),
        " against Banker ",
        Figure(at.banker_points, COUNT),
        f" (pays {state.odds})",
    )


def _of_habits(habits: Sequence[InsuredBet], game: Game) -> Sentence:
    """What becomes of one who insures where it is good, as far as both totals tell."""
    words: list[Part] = ["A player who insures only those "]
    before = ""
    for place, habit in enumerate(habits):
        verb = "still loses" if habit.mean < 0 else "gains"
        words += [" and " if place else "", f"{verb} " if verb != before else ""]
        words += [Figure(abs(habit.mean), PERCENT, after=PER_CENT), f" on {game.bet(habit.bet).name}"]
        before = verb
    return (*words, ", both bets together, per unit of the original bet.")


# ---------------------------------------------------------------- readings and simulations


def _of_readings(dossier: Dossier, game: Game, issue: Issue) -> Sentence:
    """Ambiguous clauses by severity: how many change a figure, and the largest effect."""
    entries = [reading.entry for reading in dossier.readings]
    if not entries:
        return ("No clause is ambiguous.",)
    many = len(entries) > 1
    changing = [reading for reading in dossier.readings if worst_case(reading) is not None]
    words: list[Part] = [Figure(len(entries), COUNT), f" clause{'s are' if many else ' is'} ambiguous; "]
    if changing:
        others = "the other interpretations of " if many else "its other interpretation "
        words += [others, *((Figure(len(changing), COUNT), " of them would ") if many else ("would ",))]
        words += ["change a figure, most of all ", *effect(ranked(dossier)[0], game), ". "]
    else:
        words.append("no other interpretation changes a figure. ")
    waiting = sum(issue.is_open(entry) for entry in entries)
    if not waiting:
        return (*words, "All interpretations are confirmed." if many else "The interpretation is confirmed.")
    if waiting == len(entries):
        return (*words, "No interpretation is confirmed." if many else "The interpretation is not confirmed.")
    verb = "interpretations await" if waiting > 1 else "interpretation awaits"
    return (*words, Figure(waiting, COUNT), f" {verb} confirmation.")


def _of_simulations(verdicts: Sequence[Verdict]) -> Sentence:
    against = [verdict for verdict in verdicts if verdict.word is not Word.AGREES]
    first = (against or verdicts)[0]
    what = {
        Word.AGREES: " agrees with every figure that it tests.",
        Word.DISAGREES: " does not agree with the exact figures.",
        Word.UNJUDGED: " could not be judged.",
    }[first.word]
    return ("A simulation of ", Figure(first.rounds, COUNT), f" rounds ({first.file}){what}")
