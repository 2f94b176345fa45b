"""Whole shoes: dealt a second time card by card, valued a second time by recursion, summed a second time in fractions."""

from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import product
from pathlib import Path

import msgspec
import numpy as np
import pytest

from combinat.analysis.analysis import analyze
from combinat.analysis.round_in_progress import round_in_progress
from combinat.base.errors import NotInGameError, ShoeError, SumsError
from combinat.engine import kernel
from combinat.montecarlo.chance import Chance
from combinat.montecarlo.dealer import ThirdCardRules, packed, shuffled_shoes
from combinat.montecarlo.whole_shoes import dealt_shoes
from combinat.protection.insurance_values import NO_THIRD, OfferValues
from combinat.protection.study import (
    NOTHING,
    PERFECT,
    SCALE,
    Dealt,
    Player,
    Rows,
    Study,
    Sums,
    checked_wagers,
    products,
    variables,
    wagers,
)
from combinat.protection.study_block import Dealer
from combinat.protection.study_check import check_dealt
from combinat.protection.study_figures import ZERO, Estimate, fresh_wagers, results
from combinat.protection.study_run import Here, Made, Task, dealt, made
from combinat.protection.sums_checksum import block_of
from combinat.rules.book.load import load_game, load_rule_book
from combinat.rules.cards import RANKS, Rank
from combinat.rules.count_file import Count
from combinat.rules.game import Game
from combinat.rules.insurance import Open
from combinat.rules.round import Round, Stage
from combinat.rules.shoe import Shoe
from combinat.rules.shoe_dealing import Burn, ShoeDealing
from combinat.rules.table_of_play import Hand
from combinat.rules.tags import Tags
from tests.conftest import SMALL_BOOK

SMALL = load_game(SMALL_BOOK)
COUNTS = (
    Count(name="sixes", bet="six", tags=Tags.parse("6=-3 7=1 8=2"), index=Fraction(5, 2)),
    Count(
        name="insuring", bet="banker@player-third-card", tags=Tags.parse("A=1 2=-1 9=1"), index=Fraction(-1)
    ),
    Count(name="even", bet="punto", tags=Tags.parse("5=1 K=-1"), index=Fraction(0)),
)


def a_study(**changes: object) -> Study:
    """A study of few cards, in which everything can happen that can happen."""
    study = Study(
        shoe=Shoe.of_decks(1),
        dealing=ShoeDealing(cut_card=14, burn=Burn(first_card=True), after=1),
        seed=5,
        shoes=12,
        bets=checked_wagers(SMALL, ()),
        counts=COUNTS,
    )
    return replace(study, **changes)  # type: ignore[arg-type]


# ---------------------------------------------------------------- a second dealer, card by card


@dataclass
class OneRound:
    """A round of the second dealer: who could see what before it, and what was dealt."""

    shoe: int
    unseen: Shoe
    left: int
    reach: int
    dealt: Round
    cards: list[Rank]


def second_dealer(game: Game, study: Study, order: list[Rank], number: int) -> Iterator[OneRound]:
    """One shoe, its cards from the top down, dealt as the words of the rule say."""
    dealing, cards, unseen = study.dealing, list(order), study.shoe
    if dealing.burn.first_card:
        shown = cards.pop(0)
        unseen = unseen.minus([shown])
        del cards[: shown.points or 10]
    else:
        del cards[: dealing.burn.cards]
    has_come, more, lefts = False, dealing.after, []
    while not has_come or more > 0:
        more -= has_come
        lefts.append(len(cards))
        reach = lefts[max(0, len(lefts) - 1 - dealing.after)]
        dealt_round, used = game.round(), list[Rank]()
        while (hand := dealt_round.next_hand) is not None:
            assert hand in Hand
            used.append(cards[len(used)])
            dealt_round = dealt_round.with_card(used[-1])
        yield OneRound(number, unseen, len(cards), reach, dealt_round, used)
        del cards[: len(used)]
        unseen = unseen.minus(used)
        has_come = has_come or len(cards) <= dealing.cut_card


def second_rounds(game: Game, study: Study, block: int) -> list[OneRound]:
    decks = shuffled_shoes(Chance(study.seed, block), packed(study.shoe), study.shoes_of(block))
    shoes = [[RANKS[card] for card in decks[:, number]] for number in range(decks.shape[1])]
    return [one for number, order in enumerate(shoes) for one in second_dealer(game, study, order, number)]


analyzed = lru_cache(maxsize=1000)(analyze)


def second_value(game: Game, wager: str, one: OneRound) -> Fraction | None:
    """What a unit is worth when it can be staked, by recursion over the cards left; None: it is not on offer."""
    if "@" not in wager:
        return analyzed(game, one.unseen).bet(wager).expected_value
    side, stage = Hand(wager.partition("@")[0]), Stage(wager.partition("@")[2])
    moment = one.dealt.stages.get(stage)
    if moment is None or (stage is Stage.PLAYER_THIRD_CARD and len(moment.player) < 3):
        return None
    progress = round_in_progress(game, moment, one.unseen)
    return next((state.expected_value for state in progress.insurance if state.state.side is side), None)


def second_square(game: Game, wager: str, one: OneRound) -> Fraction:
    """The mean square of a unit when it can be staked."""
    if "@" not in wager:
        bet = analyzed(game, one.unseen).bet(wager)
        return bet.variance + bet.expected_value**2
    side, stage = Hand(wager.partition("@")[0]), Stage(wager.partition("@")[2])
    progress = round_in_progress(game, one.dealt.stages[stage], one.unseen)
    (state,) = [state for state in progress.insurance if state.state.side is side]
    assert state.variance is not None
    assert state.expected_value is not None
    return state.variance + state.expected_value**2


def second_true_count(study: Study, player: Player, one: OneRound) -> Fraction:
    assert player.count is not None
    seen = study.shoe.minus([]).counts
    running = sum(
        (have - left) * tag
        for have, left, tag in zip(seen, one.unseen.counts, player.count.tags, strict=True)
    )
    on_table: tuple[Rank, ...] = ()
    if "@" in player.wager:
        moment = one.dealt.stages[Stage(player.wager.partition("@")[2])]
        on_table = (*moment.player, *moment.banker)
    running += sum(player.count.tags[card] for card in on_table)
    return Fraction(52 * running, one.unseen.size - len(on_table))


def half_up(value: Fraction) -> int:
    return int((2 * value * 2**SCALE + 1) // 2)


def second_sums(game: Game, study: Study, block: int) -> Sums:
    """The sums of a block, counted round by round."""
    rounds, marks = dict[tuple[int, int], list[int]](), dict[tuple[int, int], list[int]]()
    shoes, positions, players = study.shoes_of(block), study.positions, study.players
    figures = [[[[0] * variables(player) for _ in range(shoes)] for _ in positions] for player in players]
    bottoms = {wager.id: wager.denominator for wager in wagers(game, study.bets)}
    units = {wager.id: wager.unit for wager in wagers(game, study.bets)}
    before: OneRound | None = None
    for one in second_rounds(game, study, block):
        unseen = one.unseen.size
        band = sum(place < one.reach for place in positions)
        values = {wager: second_value(game, wager, one) for wager in study.bets}
        tops = {wager: int((value or 0) * bottoms[wager](unseen)) for wager, value in values.items()}
        row = rounds.setdefault((band, unseen), [0] * (1 + len(study.bets) + 3 * len(players)))
        row[0] += 1
        for place, wager in enumerate(study.bets):
            row[1 + place] += values[wager] is not None
        passed = [
            place
            for place, position in enumerate(positions)
            if before is not None and before.shoe == one.shoe and one.left <= position < before.left
        ]
        before = one
        for number, player in enumerate(players):
            value = values[player.wager]
            if value is None:
                is_bet = False
            elif player.count is None:
                is_bet = value > 0
            else:
                is_bet = second_true_count(study, player, one) >= player.count.index
            column = 1 + len(study.bets) + 2 * number
            row[column] += is_bet
            row[column + 1] += tops[player.wager] * is_bet
            if is_bet:
                parts = units[player.wager] * bottoms[player.wager](unseen)
                row[1 + len(study.bets) + 2 * len(players) + number] += int(
                    second_square(game, player.wager, one) * parts
                )
            for position in range(len(positions)):
                of_shoe = figures[number][position][one.shoe]
                if band > position:
                    of_shoe[0] += 1
                    of_shoe[1] += is_bet
                    of_shoe[2] += half_up(value or Fraction(0)) * is_bet
                for mark in passed:
                    if mark >= position + study.first_mark:
                        of_shoe[3] += half_up(value or Fraction(0))
                        if player.count is not None:
                            of_shoe[4] += half_up(Fraction(tags_of(player.count, one), unseen))
        for mark in passed:
            at_mark = marks.setdefault((mark, unseen), [0] * (1 + len(study.bets) + len(study.counts)))
            added = [1, *tops.values(), *(tags_of(count, one) for count in study.counts)]
            marks[mark, unseen] = [have + more for have, more in zip(at_mark, added, strict=True)]
    moments = [
        tuple(
            (
                *(sum(column) for column in zip(*by_shoe, strict=True)),
                *(sum(each[a] * each[b] for each in by_shoe) for a, b in products(variables(player))),
            )
            for by_shoe in of_player
        )
        for player, of_player in zip(players, figures, strict=True)
    ]
    return Sums(
        shoes=shoes,
        rounds={cell: tuple(row) for cell, row in rounds.items()},
        marks={cell: tuple(row) for cell, row in marks.items()},
        moments=tuple(moments),
    )


def tags_of(count: Count, one: OneRound) -> int:
    return sum(left * tag for left, tag in zip(one.unseen.counts, count.tags, strict=True))


@pytest.mark.parametrize(
    "dealing",
    [
        ShoeDealing(cut_card=14, burn=Burn(first_card=True), after=1),
        ShoeDealing(cut_card=6, burn=Burn(), after=0),
        ShoeDealing(cut_card=20, burn=Burn(cards=3), after=2),
    ],
    ids=["first-card", "none-after", "three-burnt-two-after"],
)
def test_a_block_is_what_a_second_dealer_deals(dealing: ShoeDealing) -> None:
    """Every sum, to the last moment: other code deals, draws, looks, values and adds."""
    study = a_study(dealing=dealing, shoes=2)
    sums = Dealer(SMALL, study).block(0)
    assert sums == second_sums(SMALL, study, 0)
    check_dealt(SMALL, study, Dealt(blocks=(block_of(sums),), sums=sums))
    first = 1 + len(study.bets)
    bets = [sum(row[first + 2 * n] for row in sums.rounds.values()) for n in range(len(study.players))]
    assert sum(bets[:6]) > 0  # it is not because nothing was bet that they are equal
    assert sum(map(bool, bets[6:])) >= 2


def test_the_second_dealer_sees_a_cut_card_that_comes_between_two_rounds() -> None:
    """A cut card on top when a round is about to begin belongs to the round before: one more round, not two."""
    study = a_study(dealing=ShoeDealing(cut_card=46, burn=Burn(), after=1), shoe=Shoe.of_decks(1))
    drawing = ThirdCardRules.of(SMALL)
    natural = [
        Rank.NINE,
        Rank.NINE,
        Rank.KING,
        Rank.KING,
    ]  # four cards, twice: 44 left, the cut card at 46 inside
    six = [Rank.TWO, Rank.TWO, Rank.TWO, Rank.ACE, Rank.ACE, Rank.ACE]
    for order, rounds in (([*natural, *six], 3), ([*six, *natural], 2)):
        rest = list((Counter(dict.fromkeys(RANKS, 4)) - Counter(order)).elements())
        column = np.array([[RANKS.index(card)] for card in [*order, *rest]], dtype=np.uint8)
        dealt_rounds = dealt_shoes(column, study.shoe, study.dealing, drawing)
        assert len(dealt_rounds.left) == rounds
        assert len(list(second_dealer(SMALL, study, [*order, *rest], 0))) == rounds


# ---------------------------------------------------------------- insurance as it arises


@pytest.mark.parametrize(
    ("book", "opens", "least"),
    [("commission-insurance-2013", Open.CARD_TO_COME, 300), (SMALL_BOOK, Open.WHENEVER_LISTED, 70)],
)
def test_an_offer_is_worth_what_the_round_in_progress_says(book: str | Path, opens: Open, least: int) -> None:
    """Openings of all totals and third cards, on a shoe that is short of some cards: numerators over their bottoms."""
    whole = load_game(book)
    assert whole.insurance_terms is not None
    terms = msgspec.structs.replace(whole.insurance_terms, open=opens)
    game = msgspec.structs.replace(whole, insurance_terms=terms, bets=whole.bets[:1])
    shoe = Shoe.parse("A=5 2=2 3=6 4=5 5=7 6=4 7=4 8=4 9=3 10=6 J=1 K=2")
    checked = 0
    for table in game.insurance:
        values = OfferValues.of(game, table)
        for (p1, p2), (b1, b2), third in product(_pairs(), _pairs(), (*RANKS[:10], None)):
            dealt_round = game.round([p1, p2], [b1, b2])
            draws = dealt_round.next_hand is Hand.PLAYER
            if draws == (third is None) or (
                table.stage is Stage.FOUR_CARDS and third not in (None, RANKS[0])
            ):
                continue
            moment = dealt_round
            if third is not None and table.stage is Stage.PLAYER_THIRD_CARD:
                moment = dealt_round.with_card(third)
            elif table.stage is Stage.PLAYER_THIRD_CARD:
                continue
            left = shoe.minus([*moment.player, *moment.banker])
            totals = [sum(card.points for card in hand) % 10 for hand in ((p1, p2), (b1, b2))]
            is_open, tops = values.numerators(
                np.array([totals[0]]),
                np.array([totals[1]]),
                np.array([NO_THIRD if third is None else third.points]),
                np.array([left.by_points]),
            )
            offered = [
                state
                for state in round_in_progress(game, moment, shoe).insurance
                if state.state.side is table.side
            ]
            assert bool(is_open[0]) == bool(offered)
            for state in offered:
                bottom = values.denominator(shoe.size)
                assert Fraction(int(tops[0]), bottom) == state.expected_value
                checked += 1
    assert checked > least


def _pairs() -> list[tuple[Rank, Rank]]:
    """Two cards of every total, some in two ways."""
    names = ["5 5", "A 10", "A A", "A 3", "4 10", "3 3", "5 10", "6 10", "3 4", "8 10", "9 10", "7 4"]
    return [(Rank(word.split()[0]), Rank(word.split()[1])) for word in names]


# ---------------------------------------------------------------- laws


def test_the_cut_card_is_looked_at_more_often_near_the_end() -> None:
    """Every eighth of a deck within the last one, then every quarter; never nearer than a round."""
    study = a_study(shoe=Shoe.of_decks(8), dealing=ShoeDealing(cut_card=14, burn=Burn(), after=1))
    assert study.positions[:9] == (14, 20, 26, 33, 39, 46, 52, 65, 78)
    assert study.positions[-1] == 403
    other = a_study(shoe=Shoe.of_decks(8), dealing=ShoeDealing(cut_card=16, burn=Burn(), after=1))
    assert other.positions[:3] == (16, 26, 33)


def test_the_mean_at_a_mark_is_that_of_the_fresh_shoe_exactly() -> None:
    """Every order of a shoe, each once: expected values at the mark average to that of the whole shoe; so do tags."""
    shoe = Shoe.parse("5=2 6=2 K=12")
    dealing = ShoeDealing(cut_card=12, burn=Burn(cards=1), after=1)
    study = a_study(shoe=shoe, dealing=dealing)
    orders = _every_order(shoe)
    assert orders.shape == (16, 10_920)
    sums = Dealer(SMALL, study).sums(
        dealt_shoes(orders, shoe, dealing, ThirdCardRules.of(SMALL)), orders.shape[1]
    )
    fresh = fresh_wagers(SMALL, study)
    assert study.positions == (12,)
    for place, (wager, known) in enumerate(zip(wagers(SMALL, study.bets), fresh, strict=True)):
        mean = sum(
            Fraction(row[1 + place], wager.denominator(unseen) * orders.shape[1])
            for (_, unseen), row in sums.marks.items()
        )
        assert mean == known.expected_value
    for place, count in enumerate(study.counts):
        column = 1 + len(study.bets) + place
        mean = sum(Fraction(row[column], unseen * orders.shape[1]) for (_, unseen), row in sums.marks.items())
        assert mean == Fraction(sum(n * tag for n, tag in zip(shoe.counts, count.tags, strict=True)), 16)
    for player in results(SMALL, study, sums, None).players:
        plain = Fraction(
            sums.moments[study.players.index(_named(study, player))][0][2], orders.shape[1] * 2**SCALE
        )
        assert abs(player.here.gain_a_shoe.value - plain) < Fraction(1, 10**5)  # nothing to correct


def _named(study: Study, result: object) -> Player:
    return next(
        player
        for player in study.players
        if (player.wager, player.name) == (result.wager, result.player)  # type: ignore[attr-defined]
    )


def _every_order(shoe: Shoe) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """Every order of the cards of a shoe as a column, each once: by where the cards of each rank lie."""
    from itertools import combinations

    columns: list[list[int]] = [[-1] * shoe.size]
    for rank, count in enumerate(shoe.counts):
        if not count:
            continue
        grown = []
        for column in columns:
            free = [place for place, card in enumerate(column) if card < 0]
            for places in combinations(free, count):
                filled = list(column)
                for place in places:
                    filled[place] = rank
                grown.append(filled)
        columns = grown
    return np.array(columns, dtype=np.uint8).T.copy()


def test_another_cut_card_is_the_same_as_dealing_with_it() -> None:
    """What is said of a position further from the end is what a study with its cut card there comes to."""
    deep = a_study(shoes=40)
    place = deep.positions.index(26)
    shallow = replace(deep, dealing=replace(deep.dealing, cut_card=26))
    one, other = (results(SMALL, study, _all(study), Fraction(1)).players for study in (deep, shallow))
    for first, second in zip(one, other, strict=True):
        assert first.cuts[place] == second.cuts[0]
    assert any(first.cuts[place] != first.cuts[0] for first in one)


def _all(study: Study) -> Sums:
    total = NOTHING
    for number in range(study.blocks):
        total = total.plus(Dealer(SMALL, study).block(number))
    return total


def test_without_numba_the_sums_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    study = a_study(shoes=30)
    compiled = Dealer(SMALL, study).block(0)
    monkeypatch.setattr(kernel, "load", lambda: False)
    monkeypatch.setattr(kernel, "is_worth_loading", lambda shoes: True)
    assert Dealer(SMALL, study).block(0) == compiled


# ---------------------------------------------------------------- by whom, in what order: the same


def test_a_run_that_was_stopped_and_one_in_another_order_give_the_same() -> None:
    study = a_study(shoes=1501, counts=COUNTS[:1], bets=("six", "player@four-cards"))
    assert study.blocks == 4
    book = load_rule_book(SMALL_BOOK)
    task = Task(book.content, SMALL_BOOK.name, study)
    whole = dealt(task, Dealt(), Here(), lambda done: True)
    check_dealt(SMALL, study, whole)
    stopped = dealt(task, Dealt(), Here(), lambda done: len(done.blocks) < 2)
    assert len(stopped.blocks) == 2
    check_dealt(SMALL, study, stopped)
    assert dealt(task, stopped, Here(), lambda done: True) == whole
    assert dealt(task, Dealt(), Backwards(), lambda done: True) == whole


class Backwards:
    """A worker that has the last block ready first."""

    def made(self, task: Task, numbers: Iterable[int]) -> Generator[list[Made], None, None]:
        """These blocks, the last first."""
        for number in reversed(list(numbers)):
            yield [made(task, number)]


# ---------------------------------------------------------------- what does not hold together


def _changed(sums: Sums, what: str) -> Sums:
    cell, row = next(iter(sums.rounds.items()))
    mark, at_mark = next(iter(sums.marks.items()))
    bets = len(checked_wagers(SMALL, ()))
    change = {
        "numerator": {
            "rounds": {**sums.rounds, cell: (*row[: 2 + bets], row[2 + bets] + 10**9, *row[3 + bets :])}
        },
        "squares": {"rounds": {**sums.rounds, **_with_squares(sums, 1 + bets, is_bet=True)}},
        "squares-of-nothing": {"rounds": {**sums.rounds, **_with_squares(sums, 1 + bets, is_bet=False)}},
        "gain": {"rounds": {**sums.rounds, **_with_more_gain(sums, 1 + bets)}},
        "marks-less": {"marks": {**sums.marks, **_with_less(sums.marks)}},
        "rounds": {"rounds": {**sums.rounds, cell: (row[0] + 1, *row[1:])}},
        "bets": {"rounds": {**sums.rounds, cell: (*row[: 1 + bets], row[0] + 1, *row[2 + bets :])}},
        "marks": {"marks": {**sums.marks, mark: (at_mark[0] + 1, *at_mark[1:])}},
        "width": {"marks": {**sums.marks, mark: at_mark[1:]}},
        "place": {"rounds": {**sums.rounds, (0, 9): row}},
        "shoes": {"shoes": sums.shoes + 1},
        "moments": {"moments": (sums.moments[0][:1], *sums.moments[1:])},
        "players": {"moments": sums.moments[1:]},
        "nothing": {"rounds": {}},
    }[what]
    return replace(sums, **change)  # type: ignore[arg-type]


def _with_more_gain(sums: Sums, first: int) -> dict[tuple[int, int], tuple[int, ...]]:
    """A cell in which somebody bets, with twice the gain."""
    players = range(first, first + 2 * len(sums.moments), 2)
    cell, row, column = next(
        (cell, row, column) for column in players for cell, row in sums.rounds.items() if row[column]
    )
    return {cell: (*row[: column + 1], 2 * row[column + 1], *row[column + 2 :])}


def _with_squares(sums: Sums, first: int, *, is_bet: bool) -> dict[tuple[int, int], tuple[int, ...]]:
    """A cell in which somebody bets with a mean square of 0, or one in which nobody does with one above 0."""
    players = len(sums.moments)
    cell, row, number = next(
        (cell, row, number)
        for number in range(players)
        for cell, row in sums.rounds.items()
        if bool(row[first + 2 * number + 1]) is is_bet and bool(row[first + 2 * number]) is is_bet
    )
    place = first + 2 * players + number
    return {cell: (*row[:place], 0 if is_bet else 1, *row[place + 1 :])}


def _with_less(marks: Rows) -> dict[tuple[int, int], tuple[int, ...]]:
    cell, row = next((cell, row) for cell, row in marks.items() if row[0] > 1)
    return {cell: (row[0] - 1, *row[1:])}


@pytest.mark.parametrize(
    "what",
    [
        "gain",
        "marks-less",
        "numerator",
        "squares",
        "squares-of-nothing",
        "rounds",
        "bets",
        "marks",
        "width",
        "place",
        "shoes",
        "moments",
        "players",
        "nothing",
    ],
)
def test_sums_that_do_not_hold_together_are_refused(what: str) -> None:
    """Even where the block's own record was made to fit."""
    study = a_study(shoes=4)
    sums = _changed(Dealer(SMALL, study).block(0), what)
    with pytest.raises(SumsError):
        check_dealt(SMALL, study, Dealt(blocks=(block_of(sums),), sums=sums))


@pytest.mark.parametrize("change", ["code", "firsts", "more", "none", "width"])
def test_blocks_that_are_not_those_of_the_sums_are_refused(change: str) -> None:
    study = a_study(shoes=4)
    sums = Dealer(SMALL, study).block(0)
    block = block_of(sums)
    blocks = {
        "code": (replace(block, code=block.code + 1),),
        "firsts": (replace(block, firsts=(block.firsts[0] + 1, *block.firsts[1:])),),
        "more": (block, block),
        "none": (),
        "width": (replace(block, firsts=block.firsts[1:]),),
    }[change]
    with pytest.raises(SumsError):
        check_dealt(SMALL, study, Dealt(blocks=blocks, sums=sums))


# ---------------------------------------------------------------- what cannot be dealt


@pytest.mark.parametrize(
    "changes",
    [
        {"dealing": ShoeDealing(cut_card=10, burn=Burn(), after=1)},
        {"dealing": ShoeDealing(cut_card=41, burn=Burn(first_card=True), after=1)},
        {"dealing": ShoeDealing(cut_card=14, burn=Burn(cards=50), after=1)},
        {"dealing": ShoeDealing(cut_card=14, burn=Burn(), after=11)},
        {"shoe": Shoe.of_decks(1261)},
        {"shoes": 1},
    ],
    ids=str,
)
def test_a_study_that_cannot_be_dealt_is_refused(changes: dict[str, object]) -> None:
    with pytest.raises(ShoeError):
        a_study(**changes)


def test_a_count_of_a_bet_that_is_not_studied_is_refused() -> None:
    with pytest.raises(NotInGameError):
        a_study(bets=("punto",), counts=COUNTS[:1])


def test_an_estimate_knows_where_its_interval_ends() -> None:
    estimate = Estimate(value=Fraction(1, 2), half_width_squared=Fraction(1, 16))
    assert estimate.is_surely_within(Fraction(3, 4))
    assert not estimate.is_surely_within(Fraction(74, 100))
    assert not estimate.is_surely_above(Fraction(1, 4))
    assert estimate.is_surely_above(Fraction(24, 100))
    low, high = estimate.ends
    assert low <= Fraction(1, 4) < low + Fraction(1, 2**39)
    assert high - Fraction(1, 2**39) < Fraction(3, 4) <= high
    assert not replace(estimate, half_width_squared=None).is_surely_within(Fraction(10))


@pytest.mark.parametrize("shoes", [2, 5, 39])
def test_few_shoes_give_no_impossible_figures(shoes: int) -> None:
    """No controls on so few: plain averages, whose intervals have a width, and which lie where they must."""
    study = a_study(shoes=shoes)
    for seed in range(6):
        sums = Dealer(SMALL, replace(study, seed=seed)).block(0)
        for one in results(SMALL, study, sums, None).players:
            for cut in one.cuts:
                assert cut.share_bet.value == Fraction(cut.bets, cut.rounds)
                low, high = cut.share_bet.ends
                assert 0 <= low <= cut.share_bet.value <= high <= 1
                if one.player == PERFECT:
                    assert cut.gain_a_shoe.ends[0] >= 0 <= cut.gain_a_hundred_rounds.ends[0]
                if 0 < cut.bets < shoes:
                    assert cut.gain_a_shoe.half_width_squared
                if cut.average_edge is not None and cut.bets == 1:
                    assert cut.average_edge.half_width_squared is None


def test_an_estimate_is_cut_where_the_figure_must_lie() -> None:
    below = Estimate(value=Fraction(-1, 4), half_width_squared=Fraction(1, 16)).between(ZERO, None)
    assert below.value == below.ends[0] == 0 < below.ends[1]
    above = Estimate(value=Fraction(3, 4), half_width_squared=Fraction(1, 4)).between(ZERO, Fraction(1))
    assert above.value == Fraction(3, 4)
    assert above.ends[1] == 1


def _variance_bet(study: Study, player: Player) -> Fraction:
    """The variance of the units that a player bets, round by round, by the second dealer."""
    values, squares = list[Fraction](), list[Fraction]()
    for block in range(study.blocks):
        for one in second_rounds(SMALL, study, block):
            value = second_value(SMALL, player.wager, one)
            if value is None:
                continue
            if player.count is None:
                is_bet = value > 0
            else:
                is_bet = second_true_count(study, player, one) >= player.count.index
            if is_bet:
                values.append(value)
                squares.append(second_square(SMALL, player.wager, one))
    if not values:
        return Fraction(0)
    mean = sum(values, Fraction(0)) / len(values)
    return sum(squares, Fraction(0)) / len(values) - mean**2


def test_the_desirability_and_the_deepest_cut_are_as_defined() -> None:
    study = a_study(shoes=60, shoe=Shoe.of_decks(2))
    sums = _all(study)
    variances = {(one.wager, one.name): _variance_bet(study, one) for one in study.players}
    deepest = set()
    for limit in (Fraction(0), Fraction(1, 10), Fraction(3), Fraction(100)):
        for one in results(SMALL, study, sums, limit).players:
            gain, share = one.here.gain_a_hundred_rounds.value, one.here.share_bet.value
            if one.here.bets and gain > 0:
                spread = float(100 * share * variances[one.wager, one.player]) ** 0.5
                assert np.isclose(float(one.desirability_squared or 0) ** 0.5, 100 * float(gain) / spread)
            within = [
                not cut.bets or cut.gain_a_shoe.ends[1] <= limit + Fraction(1, 2**30) for cut in one.cuts
            ]
            allowed = [cut.cut_card for place, cut in enumerate(one.cuts) if cut.bets and all(within[place:])]
            assert one.deepest_cut == min(allowed, default=None)
            deepest.add(one.deepest_cut)
    assert len(deepest) > 2
    assert any(not cut.bets for one in results(SMALL, study, sums, None).players for cut in one.cuts)


def test_intervals_hold_the_truth() -> None:
    """Over many small studies, about as often as they say."""
    study = a_study(shoes=120, counts=(), bets=("six",))
    plain, found = [], []
    for seed in range(14):
        sums = Dealer(SMALL, replace(study, seed=seed)).block(0)
        found.append(results(SMALL, study, sums, None).players[0].here.gain_a_shoe)
        plain.append(Fraction(sums.moments[0][0][2], 120 * 2**SCALE))
    mean = sum(plain) / 14
    assert 10 <= sum(one.ends[0] <= mean <= one.ends[1] for one in found) <= 14  # of 95 per cent
