"""A verdict on a simulation or a hand log, as JSON has it: exact numbers as text, statistics as numbers."""

from dataclasses import asdict
from typing import Any

from combinat.audit.verdict import Judgement, LogGroup, Replayed, ShoeTrace, Verdict
from combinat.base.money import format_money
from combinat.base.number import exact, json_number


def verdict_json(verdict: Verdict) -> dict[str, Any]:
    """The verdict as JSON has it."""
    said: dict[str, Any] = {
        "schema": "combinat/crosscheck/3",
        "verdict": verdict.word.value,
        "exit_code": verdict.word.exit_code,
        "sentence": verdict.sentence,
        "reasons": list(verdict.reasons),
        "claims": dict(verdict.claims),
        "rounding": None
        if verdict.rounding is None
        else {"unit": format_money(verdict.rounding[0]), "how": verdict.rounding[1]},
        "file": verdict.file,
        "sha256": verdict.sha256,
        "game": verdict.game,
        "rule_book_sha256": verdict.rule_book_sha256,
        "shoe": {"size": verdict.shoe.size, "cards": verdict.cards},
        "rounds": verdict.rounds,
        "dealing": verdict.dealing.value,
        "shoes": verdict.shoes,
        "made_by": dict(verdict.made_by),
    }
    if verdict.replay is not None:
        said["replay"] = _replay_json(verdict.replay)
    return said | (_judgement_json(verdict.judgement) if verdict.judgement is not None else {})


def _replay_json(replay: Replayed) -> dict[str, Any]:
    return {
        "read_as": dict(replay.read_as),
        "tables": replay.tables,
        "rows": replay.rows,
        "declared": replay.declared,
        "cut_card": replay.cut_card,
        "cut_card_stated": replay.cut_card_stated,
        "shoes": replay.shoes,
        "short_shoes": replay.short_shoes,
        "missing": replay.missing,
        "faults": {
            kind.value: {"rows": count, "first": [asdict(fault) for fault in replay.first.get(kind, ())]}
            for kind, count in replay.counts.items()
        },
        "totals": [
            asdict(total) | {"recorded": str(total.recorded), "due": str(total.due)}
            for total in replay.totals
        ],
        "causes": [asdict(cause) for cause in replay.causes],
        "groupings": [
            {"by": grouping.by, "groups": [_group_json(group) for group in grouping.groups]}
            for grouping in replay.groupings
        ],
        "shoe": _shoe_json(replay.shoe_trace) if replay.shoe_trace is not None else None,
    }


def _group_json(group: LogGroup) -> dict[str, Any]:
    return {
        "name": group.name,
        "rounds": group.rounds,
        "faults": group.faults,
        "staked": str(group.staked),
        "hold": exact(group.hold),
        "exact": exact(group.exact),
        "z": json_number(group.score.statistic) if group.score is not None else None,
        "p": json_number(group.score.chance) if group.score is not None else None,
        "adjusted_p": json_number(group.adjusted_chance) if group.adjusted_chance is not None else None,
    }


def _shoe_json(shoe: ShoeTrace) -> dict[str, Any]:
    """A shoe round by round, with the house edges on the cards left before each."""
    return {
        "table": shoe.table,
        "shoe": shoe.shoe,
        "all_rounds": shoe.all_rounds,
        "rounds": [
            {
                "line": one.line,
                "round": one.name,
                "cards": one.cards,
                "winner": one.winner,
                "player_pair": one.player_pair,
                "banker_pair": one.banker_pair,
                "faulty": one.is_faulty,
                "house_edges": None
                if one.edges is None
                else dict(zip(shoe.bets, map(str, one.edges), strict=True)),
            }
            for one in shoe.rounds
        ],
    }


def _judgement_json(judgement: Judgement) -> dict[str, Any]:
    return {
        "alpha": str(judgement.alpha),
        "decision_rule": judgement.decision_rule,
        "notes": list(judgement.notes),
        "contradictions": [
            {"subject": fault.subject, "kind": fault.kind.value, "found": fault.message}
            for fault in judgement.contradictions
        ],
        "bets": [
            {
                "id": bet.bet,
                "mean": str(bet.mean),
                "exact": str(bet.exact),
                "z": json_number(bet.z),
                "judged": bet.is_judged,
                "noticeable": json_number(bet.noticeable),
            }
            for bet in judgement.bets
        ],
        "tests": [
            {
                "subject": test.subject,
                "kind": test.kind.value,
                "what": test.what,
                "observed": exact(test.observed),
                "expected": exact(test.expected),
                "statistic": json_number(test.score.statistic),
                "degrees_of_freedom": test.score.freedom,
                "p": json_number(test.score.chance),
                "adjusted_p": json_number(test.adjusted_chance),
            }
            for test in judgement.tests
        ],
    }
