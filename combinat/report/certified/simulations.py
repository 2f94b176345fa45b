"""The simulations of a report: its own and given files. They are judged when the report is written and when it is verified."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from combinat.audit.verdict import Verdict
from combinat.base.errors import CombinatError, FileError, InputError, in_words
from combinat.base.files import Files, plain_bytes
from combinat.certify.folder import MOST_FILE_BYTES, is_plain
from combinat.montecarlo.simulate import counts_text
from combinat.montecarlo.simulation import MOST_ROUNDS, REPORT_COUNTS, REPORT_ROUNDS, report_simulation
from combinat.rules.converters import as_path, whole_number
from combinat.rules.game import Game

LEAST_ROUNDS = 10_000
"""Fewer rounds can disagree and cannot agree."""

OWN, NONE = "own", "none"
"""Words that may replace the name of a file."""

MOST_ROWS = 5_000_000
"""Rows of all hand logs in a report: judging them again takes half a minute."""


class JudgedSimulation(NamedTuple):
    """A file of a simulation: its content and the verdict on it."""

    content: bytes
    verdict: Verdict


def asked_simulations(given: object, rounds: object) -> tuple[list[Path], int]:
    """Return the files to show, and the rounds of the report's own simulation (0 for no simulation).

    ``given``: own, none, or files. Default: own, unless files are given.
    """
    words = [given] if isinstance(given, str | Path) else given
    if not isinstance(words, list | tuple):
        raise _simulation_error(
            f"found {in_words(given)}", f"write {OWN}, {NONE}, the path of a file, or a list of them"
        )
    if NONE in words and len(words) > 1:
        raise _simulation_error(f"found {NONE} beside others", f"write {NONE} alone, or leave it out")
    if NONE in words and rounds:
        raise _simulation_error(f"found {NONE}", "leave it out, or leave out {simulation_rounds}")
    files = [as_path("simulations", word) for word in words if word not in (OWN, NONE)]
    own = REPORT_ROUNDS if not words or OWN in words else 0
    if rounds is not None:
        own = whole_number("simulation_rounds", rounds, 0, MOST_ROUNDS)
        if 0 < own < LEAST_ROUNDS:
            raise InputError(
                f"found {own}", f"write 0, or {LEAST_ROUNDS} or more", parameter="simulation_rounds"
            )
    names = [file.name for file in files]
    if own and REPORT_COUNTS in names:
        raise _simulation_error(
            f"{REPORT_COUNTS} is the name of the report's own simulation", "give the file another name"
        )
    if len(set(names)) < len(names):
        raise _simulation_error("two files have one name", "give each file once, under a name of its own")
    return files, own


def _simulation_error(found: str, write: str = "") -> InputError:
    return InputError(found, write, parameter="simulations")


def judged_files(
    files: Sequence[Path], games: Sequence[Game], decks: Mapping[str, Sequence[int]]
) -> dict[str, list[JudgedSimulation]]:
    """Return the judged files by the id of their game; ``decks``: the numbers of decks of each report."""
    judged: dict[str, list[JudgedSimulation]] = {game.id: [] for game in games}
    for file in files:
        try:
            content = plain_bytes(file, MOST_FILE_BYTES, links=True)
        except FileError as error:
            raise _simulation_error(
                f"{file}: {error.why}", f"write {OWN}, {NONE}, or the path of a counts file or a hand log"
            ) from None
        game, verdict = _judge_file(file, content, games, judged)
        own = decks[game.id]
        if verdict.shoe.decks not in own:
            raise _simulation_error(
                f"{file} is of {verdict.shoe.size} cards; this report is of fresh shoes of "
                f"{', '.join(map(str, own))} decks"
            )
        judged[game.id].append(JudgedSimulation(content, verdict))
    return judged


def _judge_file(
    file: Path, content: bytes, games: Sequence[Game], judged: Mapping[str, Sequence[JudgedSimulation]]
) -> tuple[Game, Verdict]:
    from combinat.audit.judging.crosscheck import game_named, verdict_of_bytes
    from combinat.audit.judging.decision import ALPHA

    name = file.name
    if not is_plain(name):
        raise _simulation_error(f"{name!r} cannot be the name of a file in a report", "rename it")
    about = game_named(file)
    game = next((one for one in games if one.id == about), None)
    if game is None:
        raise _simulation_error(
            f"{name} is about {about or 'a game that it does not name'}; this report is of "
            f"{', '.join(one.id for one in games)}"
        )
    most = rows_left([one.verdict for one in judged[game.id]])
    return game, verdict_of_bytes(name, content, game, ALPHA, most)


def judged_own_simulation(game: Game, decks: int, rounds: int) -> JudgedSimulation:
    """Deal the report's own simulation, and judge it."""
    text, _ = counts_text(report_simulation(game, decks, rounds), lambda batch: None)
    content = text.encode("utf-8")
    try:
        (verdict,) = judged_again(game, {REPORT_COUNTS: content})
    except CombinatError as error:
        raise CombinatError(
            f"{game.id}: the report's own simulation cannot be judged: {error}; ask for no simulation"
        ) from None
    return JudgedSimulation(content, verdict)


def judged_again(game: Game, contents: Files) -> Sequence[Verdict]:
    """Return the verdicts on the simulations in a report's folder, in the order of their names."""
    if not contents:
        return ()
    from combinat.audit.judging.crosscheck import verdict_of_bytes  # scipy comes with it
    from combinat.audit.judging.decision import ALPHA

    verdicts: list[Verdict] = []
    for name in sorted(contents):
        verdicts.append(verdict_of_bytes(name, contents[name], game, ALPHA, rows_left(verdicts)))
    return verdicts


def rows_left(verdicts: Sequence[Verdict]) -> int:
    """Return the number of rows that further logs of a report may have."""
    return MOST_ROWS - sum(verdict.replay.rows for verdict in verdicts if verdict.replay is not None)
