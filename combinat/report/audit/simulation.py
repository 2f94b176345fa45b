"""The chapter of a report on simulations, which are compared with its figures."""

from collections.abc import Sequence
from dataclasses import replace

from msgspec import structs

from combinat.audit.verdict import Verdict, Word
from combinat.render.blocks import Block, Section, Table, Terms, chapter, section
from combinat.report.audit.verdict import verdict_blocks
from combinat.rules.game import Game
from combinat.rules.table_of_play import Hand

_HELD = (
    "The figures of this report are exact and rest on no simulation. The files of the folder simulation were compared with them, "
    "by a rule fixed before they were read."
)
_ONE_HOUSE = (
    "A file written by combinat simulate uses the software that produced this report. Its dealer and the exact engine read the same "
    "rule book and share no code that draws or settles: the dealer shuffles and deals, the engine counts. Agreement is evidence against a "
    "fault in either program, but not against a fault in the rule book. If the report follows no other reading, combinat simulate "
    "with the game, decks, rounds and seed named here writes the same file, byte for byte. The seed of the report's own simulation is "
    "the first 32 bits of the SHA-256 of the game's id, so nobody chose it."
)
_ANOTHER = (
    "An independent simulator is stronger evidence. combinat report takes its counts, or a log of its rounds, for this section; "
    "combinat crosscheck gives the verdict alone."
)


def simulation_section(game: Game, verdicts: Sequence[Verdict], not_simulated: str = "") -> Section:
    """Return the chapter on the simulations of a report. ``not_simulated``: why the game cannot be simulated."""
    if verdicts:
        files = (_file(verdict, game) for verdict in verdicts)
        return chapter("Simulation", _HELD, files, _ONE_HOUSE, _ANOTHER, anchor="simulation")
    none = "No simulation was run for this report; every figure is exact."
    if not_simulated:
        none = f"This game cannot be simulated: {not_simulated}. Every figure is exact, and rests on no simulation."
    return chapter("Simulation", none, _ANOTHER, anchor="simulation")


_CAPTIONS = {"Bets": "means of the bets, against the exact ones", "Tests": "the tests, by family"}
"""Captions of the tables under each heading, after the name of the file."""


def _file(verdict: Verdict, game: Game) -> Section:
    """Return the section on a file: its description, the rule, the result; unless the file agrees, also every result of every bet."""
    blocks = verdict_blocks(by_name(verdict, game), every_result=verdict.word is not Word.AGREES)
    blocks_in_report = (_in_report(block, verdict) for block in blocks)
    return section(f"{verdict.file}: {verdict.word}", f"{verdict.sentence}.", blocks_in_report)


def _in_report(block: Block, verdict: Verdict) -> Block:
    """Return a block for a report: tables with captions, and the rule book by its hash."""
    match block:
        case Terms(said):
            words = dict(said)
            words["Game"] = f"{verdict.game}, transcription SHA-256 {verdict.rule_book_sha256}"
            return Terms(words)
        case Section(title, blocks) if title in _CAPTIONS:
            caption = f"{verdict.file}: {_CAPTIONS[title]}"
            captioned = (
                structs.replace(one, caption=caption) if isinstance(one, Table) else one for one in blocks
            )
            return Section(title, tuple(captioned))
        case _:
            return block


_CARDS = {
    f"{hand}-{place} card": f"the {hand.value.capitalize()}'s {place} card"
    for hand in Hand
    for place in ("first", "second", "third")
}
"""Cards of a round by the way in which the program writes them."""


def by_name(verdict: Verdict, game: Game) -> Verdict:
    """Return the verdict with every bet, insurance state and card by its name in the document."""
    from combinat.report.phrases import (
        bet_names,
        state_named,
    )  # the whole, which has this chapter, is beside it

    if verdict.judgement is None:
        return verdict
    names = bet_names(game)
    named = {
        **names,
        **{f"bet {bet}": f"bet {name}" for bet, name in names.items()},
        **{f"insurance {state}": state_named(state) for state in game.offers},
        **_CARDS,
    }
    judgement = verdict.judgement
    named_judgement = replace(
        judgement,
        bets=tuple(replace(bet, bet=names.get(bet.bet, bet.bet)) for bet in judgement.bets),
        tests=tuple(
            replace(test, subject=named.get(test.bet or test.subject, test.subject))
            for test in judgement.tests
        ),
        contradictions=tuple(
            replace(one, subject=named.get(one.subject, one.subject)) for one in judgement.contradictions
        ),
    )
    return replace(verdict, judgement=named_judgement)
