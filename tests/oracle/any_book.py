"""A settler for any rule book, which reads the bets from the TOML by itself."""

from fractions import Fraction
from typing import Any

from tests.oracle.dealer import Cards, points, total


def facts(player: Cards, banker: Cards) -> dict[str, Any]:
    """Every fact that a pay line can name, of two finished hands."""
    ours, theirs = total(player), total(banker)
    winner = "tie" if ours == theirs else "player" if ours > theirs else "banker"
    hands = {"player": (ours, len(player)), "banker": (theirs, len(banker))}
    won = hands.get(winner, (None, None))
    lost = hands.get({"player": "banker", "banker": "player"}.get(winner, ""), (None, None))
    natural = {name: held in ((8, 2), (9, 2)) for name, held in hands.items()}
    known: dict[str, Any] = {
        "winner": winner,
        "cards": len(player) + len(banker),
        "margin": abs(ours - theirs),
        "winning_points": won[0],
        "winning_cards": won[1],
        "losing_points": lost[0],
        "losing_cards": lost[1],
        "total_points": ours + theirs,
        "natural": any(natural.values()),
    }
    for name, hand in (("player", player), ("banker", banker)):
        known[f"{name}_points"], known[f"{name}_cards"] = hands[name]
        known[f"{name}_natural"] = natural[name]
        known[f"{name}_third"] = points(hand[2]) if len(hand) == 3 else None
        known[f"{name}_pair"] = hand[0] == hand[1]
        known[f"{name}_pair_of"] = hand[0] if hand[0] == hand[1] else None
        known[f"{name}_point_pair"] = points(hand[0]) == points(hand[1])
    for key, pair, first in (
        ("pairs", "pair", (player[0], banker[0])),
        ("point_pairs", "point_pair", (points(player[0]), points(banker[0]))),
    ):
        both = known[f"player_{pair}"] + known[f"banker_{pair}"]
        known[key] = ("none", "single", "twin" if first[0] == first[1] else "double")[both]
    return known


def accepted(written: Any) -> list[Any]:
    """The values that the TOML accepts for a fact."""
    if isinstance(written, list):
        return written
    if isinstance(written, bool) or (isinstance(written, str) and written.isalpha() and written != "none"):
        return [written]
    values: list[Any] = []
    for part in str(written).split(","):
        low, _, high = part.partition("-")
        values += [None] if part == "none" else range(int(low), int(high or low) + 1)
    return values


def applies(case: dict[str, Any], known: dict[str, Any]) -> bool:
    """Whether every fact that a case names has an accepted value."""
    return all(known[name] in accepted(value) for name, value in case.items() if name in known)


def net(bet: dict[str, Any], known: dict[str, Any]) -> Fraction:
    """The net of a unit on a bet, as its TOML states it."""
    for pay in bet["pays"]:
        if applies(pay, known) and not any(applies(case, known) for case in pay.get("except", [])):
            if " to " not in pay["odds"]:
                return Fraction({"push": 0, "lose": -1}[pay["odds"]])
            profit, stake = map(Fraction, pay["odds"].split(" to "))
            return profit / stake * (1 - Fraction(pay.get("commission", "0%")[:-1]) / 100)
    return Fraction(0 if bet.get("otherwise") == "push" else -1)
