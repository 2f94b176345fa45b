"""The findings of a verdict: what speaks against a file, why it could not be judged, and the sentence that says so."""

from dataclasses import dataclass

from combinat.audit.verdict import FaultKind, Judgement, Replayed, Word
from combinat.montecarlo.counts import Observed

MOST_SHORT = 2
"""Shoes that may be cut short by the beginning and the end of a log, beside one in a hundred."""

MOST_ALIKE = 10
"""The fewest faults of a kind for which a common cause is named."""

AGAINST_THE_RULES = {
    FaultKind.SETTLEMENT: ("wrong settlement", ""),
    FaultKind.IMPOSSIBLE: ("impossible deal", ""),
    FaultKind.REPEATED: ("row", " with a round that was given before"),
    FaultKind.DECLARED: ("row", " declared otherwise than the cards"),
}
"""The kinds of faults that contradict the rules, in words, the gravest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """The parts of a verdict from which its word follows. ``wrong_subjects``: bets with wrong settlements."""

    observed: Observed
    judgement: Judgement | None
    replay: Replayed | None
    settlement_only: bool = False
    wrong_subjects: tuple[str, ...] = ()

    def count(self, kind: FaultKind) -> int:
        """The number of faults of a kind."""
        return self.replay.counts[kind] if self.replay is not None else 0

    def verdict(self) -> tuple[Word, str, tuple[str, ...]]:
        """Return the word, the sentence and the reasons, the gravest first."""
        against = self._against()
        reasons = (*against, *self._unjudged(is_faulty=bool(against)))
        word = Word.DISAGREES if against else Word.UNJUDGED if reasons else Word.AGREES
        first = self._agreement() if word is Word.AGREES else reasons[0]
        more = f" (and {len(reasons) - 1} more)" if len(reasons) > 1 else ""
        return word, f"Verdict: {word}: {first}{more}", reasons

    def _against(self) -> list[str]:
        """The findings against the file, the gravest first."""
        found: list[str] = []
        replay, judgement = self.replay, self.judgement
        for kind, (what, more) in AGAINST_THE_RULES.items():
            if replay and replay.cut_line is None and self.count(kind):
                more = f" ({', '.join(self.wrong_subjects)})" if kind is FaultKind.SETTLEMENT else more
                found.append(f"{_number(self.count(kind), what)}{more}{_mostly(replay, kind)}")
        if judgement:
            found += dict.fromkeys(f"{fault.subject}: {fault.message}" for fault in judgement.contradictions)
        if self.count(FaultKind.UNREADABLE):
            return found  # the rows that remain need not agree with chance
        if judgement:
            found += [f"{subject}: off beyond chance" for subject in _off(judgement)]
        if replay and replay.cut_card_stated and replay.short_shoes > MOST_SHORT + replay.shoes // 100:
            found.append(f"{replay.short_shoes} of {replay.shoes} shoes end before the cut card")
        return found

    def _unjudged(self, is_faulty: bool) -> list[str]:
        """The reasons why the file cannot be judged."""
        why: list[str] = []
        replay, judgement = self.replay, self.judgement
        if replay and (unreadable := self.count(FaultKind.UNREADABLE)):
            number, first = _number(unreadable, "unreadable row"), replay.first[FaultKind.UNREADABLE][0]
            why.append(f"{number}, such as {replay.line_word} {first.line}: {first.message}")
            if judgement and judgement.failed:
                why.append(
                    f"in the other rows {', '.join(_off(judgement)[:3])} is off beyond chance, "
                    "which the unreadable rows may explain"
                )
        if replay and replay.cut_line is not None:
            why.append(
                f"line {replay.cut_line}, the last, has no line end and holds every fault: the file may be truncated; "
                "give the whole file, or end its last line"
            )
        if judgement and judgement.too_few and not judgement.failed:
            nothing = "" if is_faulty or why else "; nothing was found against them"
            why.append(f"{judgement.too_few}{nothing}")
        if replay and replay.holds and self.settlement_only and not replay.settlements:
            why.append("there is no settlement to judge")
        if replay and replay.holds and judgement is None and not self.settlement_only and not why:
            why.append("there is no round to judge")
        return why

    def _agreement(self) -> str:
        rounds = f"{self.observed.rounds} rounds of {self.observed.game_id}"
        if self.judgement is None:
            return f"every settlement of {rounds} is the one the rules give"
        settled = "every settlement is right, and " if self.replay and self.replay.settlements else ""
        tests = len(self.judgement.tests)
        return f"{settled}none of {tests} tests on {rounds} finds a difference from the exact results"


def _off(judgement: Judgement) -> list[str]:
    """The subjects that are off beyond chance."""
    return list(dict.fromkeys(test.subject for test in judgement.failed))


def _mostly(replay: Replayed, kind: FaultKind) -> str:
    """The cause of most faults of a kind, if there are many and most have one cause."""
    causes = [cause for cause in replay.causes if cause.kind is kind]
    rows = sum(cause.rows for cause in causes)
    if rows < MOST_ALIKE or 2 * causes[0].rows <= rows:
        return ""
    share = "all" if causes[0].rows == rows else "most"
    return f", {share} of them alike ({causes[0].message})"


def _number(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"
