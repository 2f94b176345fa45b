"""Insurance as people read it: a line a state, grids of both totals, ranges, habits."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from combinat.analysis.exact_cards import SeenState, StateRange
from combinat.analysis.insurance import StateAnalysis
from combinat.analysis.insured import Habit, InsuredBet, cost_of_variance
from combinat.engine.seen import Seen
from combinat.render.document import Block, Heading, Paragraph, Table
from combinat.render.number import decimal, exact, percent, root
from combinat.report.odds import DECKS_ACROSS
from combinat.rules.insurance import State
from combinat.rules.round import Stage

NEVER = "-"


def favours(state: StateAnalysis) -> str:
    """Whom the bet favours, in a word."""
    return "PLAYER" if state.favours_player else "house" if state.favours_house else "neither"


def signed(value: Fraction | None, places: int = 4) -> str:
    """A value in per cent with its sign; a dash where there is none."""
    if value is None:
        return NEVER
    return f"+{percent(value, places)}" if value > 0 else percent(value, places)


def _percent(value: Fraction | None) -> str:
    return NEVER if value is None else percent(value)


def _named(state: State) -> list[str]:
    stage = "4 cards" if state.stage is Stage.FOUR_CARDS else "3rd card"
    return [state.side, stage, str(state.player_points), str(state.banker_points)]


STATE_COLUMNS = ("hand", "after", "P", "B")


def states_table(states: Sequence[StateAnalysis]) -> Table:
    """One line a state."""
    rows = [
        [
            *_named(one.state),
            one.offer.odds,
            percent(one.probability),
            _percent(one.wins),
            _percent(one.pushes),
            _percent(one.loses),
            signed(one.expected_value),
            NEVER if one.fair_odds is None else decimal(one.fair_odds, 3),
            favours(one) if one.ways else "never",
        ]
        for one in states
    ]
    columns = (*STATE_COLUMNS, "pays", "reached %", "wins %", "ret. %", "loses %", "EV %", "fair", "favours")
    return Table(columns=columns, align="llrrlrrrrrrl", rows=rows)


def decks_tables(states: Mapping[int, Sequence[StateAnalysis]]) -> list[Block]:
    """The expected value of every state, a column for each number of decks; favourable ones are starred."""
    numbers, blocks = list(states), list[Block]()
    for start in range(0, len(numbers), DECKS_ACROSS):
        across = numbers[start : start + DECKS_ACROSS]
        rows = [
            [
                *_named(line[0].state),
                line[0].offer.odds,
                *(f"{signed(one.expected_value, 3)}{'*' if one.favours_player else ' '}" for one in line),
            ]
            for line in zip(*(states[number] for number in across), strict=True)
        ]
        columns = (*STATE_COLUMNS, "pays", *(str(number) for number in across))
        blocks.append(Table(columns=columns, align="llrrl" + "r" * len(across), rows=rows))
    return blocks


def third_card_table(split: Mapping[State, Mapping[int, StateAnalysis]]) -> Table:
    """Every state after the Player's third card, a line for each value of that card."""
    rows = [
        [
            *_named(state),
            str(points),
            one.offer.odds,
            percent(one.probability),
            _percent(one.wins),
            _percent(one.pushes),
            _percent(one.loses),
            signed(one.expected_value),
            favours(one),
        ]
        for state, by_card in split.items()
        for points, one in by_card.items()
    ]
    columns = (*STATE_COLUMNS, "3rd", "pays", "reached %", "wins %", "ret. %", "loses %", "EV %", "favours")
    return Table(columns=columns, align="llrrrlrrrrrl", rows=rows)


def cards_in_words(seen: Seen) -> str:
    """The cards on the table, one rank standing for all of the same points: ``4 K 7 v 3 3``."""
    player, banker = " ".join(map(_rank, seen.player)), " ".join(map(_rank, seen.banker))
    third = "" if seen.third is None else f" + {_rank(seen.third)}"
    return f"{player}{third} v {banker}"


def _rank(points: int) -> str:
    return {0: "K", 1: "A"}.get(points, str(points))


def range_blocks(ranges: Mapping[State, StateRange]) -> list[Block]:
    """The worst and the best exact cards of every state."""
    rows = [
        [
            *_named(state),
            found.worst.analysis.offer.odds,
            cards_in_words(found.worst.seen),
            signed(found.worst.expected_value, 3),
            cards_in_words(found.best.seen),
            signed(found.best.expected_value, 3),
            percent(found.best.analysis.probability),
            percent(found.favourable, 2),
        ]
        for state, found in ranges.items()
    ]
    columns = (*STATE_COLUMNS, "pays", "worst cards", "EV %", "best cards", "EV %", "best %", "+EV %")
    return [
        Table(columns=columns, align="llrrllrlrrr", rows=rows),
        Paragraph(
            "Cards: Player v Banker; K stands for any card worth 0; the order of a hand's first two does not "
            "matter. best %: how often a round comes to the best cards. +EV %: given the state, how often its "
            "exact cards favour the player."
        ),
    ]


def grid_blocks(states: Sequence[StateAnalysis], others: Sequence[StateAnalysis]) -> list[Block]:
    """A grid of both totals for each hand and stage."""
    offered = {one.state: one for one in states}
    live = {one.state for one in others}
    blocks: list[Block] = []
    for side, stage in dict.fromkeys((one.state.side, one.state.stage) for one in states):
        rows = [
            [
                f"Player {player}",
                *(_cell(State(side, stage, player, banker), offered, live) for banker in range(10)),
            ]
            for player in range(10)
        ]
        blocks += [
            Heading(f"{side.capitalize()} Insurance {stage.in_words}: expected value in per cent"),
            Table(columns=("", *(f"B {banker}" for banker in range(10))), align="l" + "r" * 10, rows=rows),
        ]
    return [
        *blocks,
        Paragraph(
            "Rows: the Player's points; columns: the Banker's. A number: offered, the player's expected value "
            "per 100 staked; [+n]: it favours the player. o: a card is to come but nothing is offered. Blank: "
            "no card is to come, so there is nothing to insure."
        ),
    ]


def _cell(state: State, offered: Mapping[State, StateAnalysis], live: set[State]) -> str:
    one = offered.get(state)
    if one is None:
        return "o" if state in live else ""
    value = signed(one.expected_value, 1)
    return f"[{value}]" if one.favours_player else value


def summary_blocks(bets: Sequence[InsuredBet]) -> list[Block]:
    """What insurance comes to as a habit."""
    blocks: list[Block] = []
    for hand in dict.fromkeys(bet.hand for bet in bets):
        mine = [bet for bet in bets if bet.hand is hand]
        rows = [_habit(bet, mine[0]) for bet in mine]
        columns = ("habit", "insures %", "staked", "gain", "edge %", "both EV %", "both SD", "cost/var")
        blocks += [
            Heading(f"A unit on {hand}"),
            Table(columns=columns, align="lrrrrrrr", rows=rows),
        ]
    return [
        *blocks,
        Paragraph(
            "Habits: never; always, every offer; favourable by totals, only offers that favour the player as far as "
            "both totals tell; favourable by cards, as the exact cards tell. Per unit of the original bet, within the document's limits (a cap by the table maximum left out); an "
            "offer is taken to the limit that is left. insures: how often; staked, gain: on insurance, per round; "
            "edge: on the money insured; both: the bet and its insurance together; cost/var: what the player pays "
            "for each unit of variance removed (a dash: none is removed)."
        ),
    ]


def _habit(bet: InsuredBet, uninsured: InsuredBet) -> list[str]:
    cost = cost_of_variance(uninsured, bet) if bet.habit is not Habit.NEVER else None
    return [
        bet.habit.in_words,
        percent(bet.insured, 3),
        decimal(bet.insurance_staked, 6),
        decimal(bet.insurance_mean, 6),
        NEVER if bet.insurance_edge is None else percent(bet.insurance_edge, 3),
        signed(bet.mean),
        root(bet.variance, 5),
        NEVER if cost is None else decimal(cost, 5),
    ]


def state_json(one: StateAnalysis) -> dict[str, Any]:
    """A state as the contract has it, with more."""
    return {
        "side": one.state.side,
        "stage": one.state.stage,
        "player_points": one.state.player_points,
        "banker_points": one.state.banker_points,
        "odds": str(one.offer.odds.net),
        "pays_on_tie": sorted(one.offer.tie_pays or ()),
        "ways": str(one.ways),
        "probability": str(one.probability),
        "wins": exact(one.wins),
        "pushes": exact(one.pushes),
        "loses": exact(one.loses),
        "expected_value": exact(one.expected_value),
        "house_edge": exact(one.house_edge),
        "variance": exact(one.variance),
        "fair_odds": exact(one.fair_odds),
        "favours_player": one.favours_player,
    }


def third_cards_json(split: Mapping[int, StateAnalysis]) -> list[dict[str, Any]]:
    """A state by the Player's third card."""
    return [
        {
            "player_third": points,
            "probability": str(one.probability),
            "wins": exact(one.wins),
            "pushes": exact(one.pushes),
            "loses": exact(one.loses),
            "expected_value": exact(one.expected_value),
        }
        for points, one in split.items()
    ]


def range_json(found: StateRange) -> dict[str, Any]:
    """The worst and the best exact cards of a state."""

    def seen(one: SeenState) -> dict[str, Any]:
        return {
            "player": [_rank(points) for points in one.seen.player],
            "banker": [_rank(points) for points in one.seen.banker],
            "player_third": None if one.seen.third is None else _rank(one.seen.third),
            "probability": str(one.analysis.probability),
            "expected_value": str(one.expected_value),
        }

    return {"worst": seen(found.worst), "best": seen(found.best), "favourable": str(found.favourable)}


def range_rows(found: StateRange) -> list[dict[str, Any]]:
    """The worst and the best exact cards of a state, a record each."""
    data = range_json(found)
    return [{"cards": which, **data[which], "favourable": data["favourable"]} for which in ("worst", "best")]


def not_offered_json(one: StateAnalysis) -> dict[str, Any]:
    """A state that no table offers."""
    kept = (
        "side",
        "stage",
        "player_points",
        "banker_points",
        "probability",
        "wins",
        "pushes",
        "loses",
        "fair_odds",
    )
    data = state_json(one)
    return {key: data[key] for key in kept}


def summary_json(bets: Sequence[InsuredBet]) -> list[dict[str, Any]]:
    """What insurance comes to as a habit, per unit of the original bet."""
    never = {bet.hand: bet for bet in bets if bet.habit is Habit.NEVER}
    return [
        {
            "hand": bet.hand,
            "habit": bet.habit,
            "insured": str(bet.insured),
            "insurance_staked": str(bet.insurance_staked),
            "insurance_expected_value": str(bet.insurance_mean),
            "insurance_edge": exact(bet.insurance_edge),
            "expected_value": str(bet.mean),
            "variance": str(bet.variance),
            "cost_of_variance": exact(cost_of_variance(never[bet.hand], bet)),
        }
        for bet in bets
    ]
