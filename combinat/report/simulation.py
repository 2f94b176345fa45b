"""The chapter of a report on simulations: the simulations that were held against its figures."""

from collections.abc import Sequence
from dataclasses import replace

from combinat.analysis.verdict import Verdict, Word
from combinat.render.blocks import Block, Paragraph, Section, chapter
from combinat.report.verdict import verdict_blocks
from combinat.rules.game import Game

_HELD = (
    "The figures of this report are exact and rest on no simulation. The files of the folder simulation were held against them, "
    "by a rule fixed before they were read."
)
_ONE_HOUSE = (
    "A file made by combinat simulate comes from the house that made this report. Its dealer and the exact engine read one rule "
    "book and share no code that draws or settles: the dealer shuffles and deals, the engine counts. So it speaks against a fault "
    "in either program, and not against a fault in the rule book that both read. Where the report follows no other "
    "reading, it can be had again, byte for byte: combinat simulate with the game, the decks, the rounds and the seed named here writes the same file. The seed of the report's own "
    "simulation is made of the game's id (the first 32 bits of its SHA-256), so that nobody chose it."
)
_ANOTHER = (
    "A simulator of somebody else's house is a better witness. Its counts, or a log of its rounds, can be given to combinat report "
    "for this section, or to combinat crosscheck for a verdict alone."
)


def simulation_section(game: Game, verdicts: Sequence[Verdict], not_simulated: str = "") -> Section:
    """What is said of every file; ``not_simulated``: why the game cannot be simulated, where it cannot."""
    if verdicts:
        files = (_file(_by_name(verdict, game)) for verdict in verdicts)
        said: tuple[Block, ...] = (Paragraph(_HELD), *files, Paragraph(_ONE_HOUSE), Paragraph(_ANOTHER))
        return chapter("Simulation", said, anchor="simulation")
    none = "No simulation was run for this report; every figure is exact."
    if not_simulated:
        none = f"This game cannot be simulated: {not_simulated}. Every figure is exact, and rests on no simulation."
    return chapter("Simulation", (Paragraph(none), Paragraph(_ANOTHER)), anchor="simulation")


def _file(verdict: Verdict) -> Section:
    """A file: what it is, the rule, what came of it. Each result of each bet where not all is as it should be."""
    blocks = verdict_blocks(verdict, every_result=verdict.word is not Word.AGREES)
    return Section(f"{verdict.file}: {verdict.word}", (*blocks, Paragraph(f"{verdict.sentence}.")))


def _by_name(verdict: Verdict, game: Game) -> Verdict:
    """The verdict with every bet by its name in the document."""
    if verdict.judgement is None:
        return verdict
    names = {bet.id: bet.name for bet in game.bets}
    bets = (replace(bet, bet=names.get(bet.bet, bet.bet)) for bet in verdict.judgement.bets)
    tests = (
        replace(test, subject=names.get(test.bet or "", test.subject)) for test in verdict.judgement.tests
    )
    return replace(verdict, judgement=replace(verdict.judgement, bets=tuple(bets), tests=tuple(tests)))
