"""A verdict on a file: counts or a hand log, read, replayed, tested, and one word said of it."""

import hashlib
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from pathlib import Path

from combinat.audit.counts_file import read_counts
from combinat.audit.crosscheck import judged
from combinat.audit.expected import Expected
from combinat.audit.hand_log import is_parquet, open_log
from combinat.audit.judgement import Judgement
from combinat.audit.replay import Replay
from combinat.errors import CountsError, HandLogError, RuleBookError, shown
from combinat.rules.game import Game
from combinat.rules.rulebook import load_game, rule_book_path, rule_book_paths, rule_book_sha256
from combinat.rules.shoe import Shoe
from combinat.simulate.observed import Dealing, Observed, observed

MOST_SHORT = 2
"""How many shoes may be cut short by the beginning and the end of a log, beside one in a hundred."""

Progress = Callable[[int], AbstractContextManager[Callable[[int], None]]]
"""From a total, what to call with each part of it that is done."""


class Word(StrEnum):
    """What is said of a file."""

    AGREES = "agrees"
    DISAGREES = "does not agree"
    UNJUDGED = "could not be judged"

    @property
    def exit_code(self) -> int:
        """What the program leaves with."""
        return list(Word).index(self)


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """A file and everything found out about it.

    ``judgement`` is None where settlements alone are judged, and where there is no round to judge.
    """

    path: Path
    sha256: str
    game: Game
    rule_book_sha256: str
    observed: Observed
    judgement: Judgement | None
    replay: Replay | None = None
    line_word: str = "line"
    settlement_only: bool = False

    @property
    def word(self) -> Word:
        """The word: disagreement once established stays, whatever else could not be judged."""
        replay, judgement = self.replay, self.judgement
        if replay and (replay.wrong or replay.impossible):
            return Word.DISAGREES
        if judgement and (
            judgement.contradictions or (judgement.rejected and not judgement.too_few and not self._short)
        ):
            return Word.DISAGREES
        return Word.UNJUDGED if self._wanting else Word.AGREES

    @property
    def _short(self) -> str:
        """Why chance cannot be judged by the shoes of a log: too many have not the rounds that all should."""
        replay = self.replay
        most = MOST_SHORT + (self.observed.shoes or 0) // 100
        if replay is None or self.settlement_only or replay.short_shoes <= most:
            return ""
        return (
            f"{replay.short_shoes} shoes have fewer than the {replay.certain} rounds that every shoe should deal with "
            f"{replay.cut_card} cards behind the cut card; give the true --cut-card"
        )

    @property
    def _wanting(self) -> list[str]:
        """What keeps the file from being judged."""
        found: list[str] = []
        replay, judgement = self.replay, self.judgement
        if replay and replay.unreadable:
            found.append(_number(replay.unreadable, "unreadable row"))
        if judgement and judgement.too_few:
            found.append(judgement.too_few)
        if self._short:
            found.append(self._short)
        if replay and replay.holds and self.settlement_only and not self.settlements:
            found.append("there is no settlement to judge")
        if replay and replay.holds and judgement is None and not self.settlement_only and not found:
            found.append("there is no round to judge")
        return found

    @property
    def settlements(self) -> int:
        """How many settlements a hand log has."""
        return sum(total.rows for total in self.replay.totals.values()) if self.replay else 0

    @property
    def reasons(self) -> list[str]:
        """Why, the gravest first."""
        found: list[str] = []
        if (replay := self.replay) is not None:
            bets = sorted({column.subject for column, total in replay.totals.items() if total.wrong})
            if replay.wrong:
                found.append(f"{_number(replay.wrong, 'wrong settlement')} ({', '.join(bets)})")
            if replay.impossible:
                found.append(_number(replay.impossible, "impossible deal"))
        if (judgement := self.judgement) is not None:
            found += dict.fromkeys(f"{one.subject}: {one.message}" for one in judgement.contradictions)
            if not judgement.too_few and not self._short:
                subjects = dict.fromkeys(test.subject for test, _ in judgement.rejected)
                found += [f"{subject}: off beyond chance" for subject in subjects]
        return [*found, *self._wanting]

    @property
    def sentence(self) -> str:
        """The verdict in one line."""
        if self.word is Word.AGREES:
            if self.judgement is None:
                rows = self.replay.rows if self.replay else 0
                return f"Verdict: agrees: every settlement of {rows} rounds of {self.game.id} is the one the rules give"
            tests, rounds = len(self.judgement.tests), f"{self.observed.rounds} rounds of {self.game.id}"
            replayed = "every settlement is right, and " if self.settlements else ""
            return f"Verdict: agrees: {replayed}none of {tests} tests on {rounds} finds a difference from the exact results"
        first, *others = self.reasons
        more = f" (and {len(others)} more)" if others else ""
        return f"Verdict: {self.word}: {first}{more}"


def _number(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def verdict(
    path: Path,
    *,
    game: str | None,
    shoe: Shoe | None,
    cut_card: int | None = None,
    alpha: Fraction,
    settlement_only: bool,
    progress: Progress,
) -> Verdict:
    """The verdict on a counts file or a hand log. ``game`` and ``shoe``: where the file names none."""
    if path.exists() and not path.is_file():
        raise HandLogError(f"{path}: not a regular file; give a counts file or a hand log")
    if not is_parquet(path) and _first_byte(path) == b"{":
        if shoe is not None or cut_card is not None:
            raise CountsError(
                f"{path}: a counts file names its shoe; leave out --decks, --cards and --cut-card"
            )
        if settlement_only:
            raise CountsError(
                f"{path}: --settlement-only is for hand logs; a counts file has no rounds to settle"
            )
        counted = read_counts(path)
        rule_book, sha256 = _rule_book(path, counted.game_id, game)
        return Verdict(
            path=path,
            sha256=_sha256(path),
            game=rule_book,
            rule_book_sha256=sha256,
            observed=counted,
            judgement=judged(counted, Expected.of(rule_book, counted.shoe), alpha),
        )
    log = open_log(path)
    rule_book, sha256 = _rule_book(path, log.head.get("game"), game)
    if (named := log.shoe()) is not None and shoe is not None:
        raise HandLogError(f"{path}: the log names its shoe; leave out --decks and --cards")
    dealt_from = named or shoe
    if dealt_from is None:
        raise HandLogError(f"{path}: the log names no shoe; add a line # decks: N, or give --decks N")
    behind = log.cut_card(dealt_from, cut_card)
    replay = Replay(rule_book, dealt_from, log.columns(rule_book), behind)
    with progress(log.size) as advance:
        try:
            replay.add_all(log.blocks(advance))
        except HandLogError as error:
            said = str(error)
            raise HandLogError(said if said.startswith(str(path)) else f"{path}: {said}") from None
    if not replay.rows:
        raise HandLogError(f"{path}: the log has no rows; there is nothing to judge")
    dealing = Dealing.SHOES if log.has_shoes else Dealing.INDEPENDENT
    note = {"note": shown(log.head["note"])} if "note" in log.head else {}
    counted = observed(replay.tally, rule_book.id, dealt_from, dealing, made_by=note)
    found = None
    if not settlement_only and counted.rounds:
        found = judged(counted, Expected.of(rule_book, dealt_from), alpha)
    return Verdict(
        path=path,
        sha256=_sha256(path),
        game=rule_book,
        rule_book_sha256=sha256,
        observed=counted,
        judgement=found,
        replay=replay,
        line_word=log.line_word,
        settlement_only=settlement_only,
    )


def game_named(path: Path) -> str | None:
    """The id of the game that a file says it is about."""
    if not is_parquet(path) and _first_byte(path) == b"{":
        return read_counts(path).game_id
    return open_log(path).head.get("game")


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _first_byte(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(4096).removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    except OSError as error:
        raise CountsError(f"{path}: cannot be read ({error.strerror})") from None


def _rule_book(path: Path, named: str | None, given: str | None) -> tuple[Game, str]:
    """The game to judge by: the one given, which must be the one that the file names, if it names one."""
    if given is None and named is None:
        raise HandLogError(f"{path}: the file names no game; add a line # game: ID, or give --game GAME")
    if given is None and named not in rule_book_paths():
        raise RuleBookError(
            f'{path}: the file names the game "{named}", which is none of {", ".join(rule_book_paths())}; '
            "give its rule book with --game FILE.toml"
        )
    rule_book = rule_book_path(given or named or "")
    game = load_game(rule_book)
    if named is not None and game.id != named:
        raise RuleBookError(f"{path}: the file is about {named}, and --game is {game.id}; give that game")
    return game, rule_book_sha256(rule_book)
