"""Whole shoes: dealt a second time card by card, valued a second time by recursion, summed a second time in fractions."""

import json
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, lru_cache
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from combinat.analysis.odds import one_round_analysis
from combinat.analysis.round_in_progress import round_analysis
from combinat.base import strict_json
from combinat.base.errors import (
    CertificateError,
    InputError,
    MalformedCertificateError,
    RejectedCertificateError,
)
from combinat.base.strict_json import MOST_VALUES, canonical
from combinat.montecarlo.dealer import Chance, ThirdCardRules, packed
from combinat.montecarlo.shoes import Burn, ShoeDealing, dealt_shoes, shuffled_shoes
from combinat.protection.inputs import LIMIT, Count, Tags, checked_wagers
from combinat.protection.study import (
    MOST_SHOES,
    BandSums,
    BlockSums,
    Study,
    StudyPlayer,
    denominators,
    wagers,
)
from combinat.protection.study_block import Dealer
from combinat.protection.study_figures import QUANTILE, Estimate, player_results, ratio
from combinat.protection.study_file import StudyFile, partial_bytes, read_partial, read_study, study_bytes
from combinat.protection.study_workers import Made, Task, Workers, dealt, made
from combinat.rules.book.load import load_game
from combinat.rules.cards import RANKS, Rank
from combinat.rules.game import Game
from combinat.rules.round import Round, Stage
from combinat.rules.shoe import Shoe
from combinat.rules.table_of_play import Hand
from tests.conftest import SMALL_BOOK
from tests.documents import COMMISSION_2013

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
        shoes=100,
        bets=checked_wagers(SMALL, ()),
        counts=COUNTS,
    )
    return replace(study, **changes)  # type: ignore[arg-type]


@cache
def some_blocks(study: Study) -> tuple[BlockSums, ...]:
    """All blocks of a study."""
    dealer = Dealer(SMALL, study)
    return tuple(dealer.block(number) for number in range(study.blocks))


def test_a_study_whose_file_could_not_be_read_again_is_refused_before_it_is_dealt() -> None:
    most = a_study(shoes=MOST_SHOES)
    assert most.values < MOST_VALUES
    names = tuple(f"bet-{number}" for number in range(100 * MOST_VALUES // most.values))
    with pytest.raises(InputError):
        replace(most, bets=(*most.bets, *names))


# ---------------------------------------------------------------- a second dealer, card by card


@dataclass
class OneRound:
    """A round of the second dealer: who could see what before it, and what was dealt."""

    unseen: Shoe
    reach: int
    dealt: Round


def second_dealer(game: Game, study: Study, order: list[Rank]) -> Iterator[OneRound]:
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
        yield OneRound(unseen, reach, dealt_round)
        del cards[: len(used)]
        unseen = unseen.minus(used)
        has_come = has_come or len(cards) <= dealing.cut_card


def second_rounds(game: Game, study: Study, block: int) -> list[OneRound]:
    decks = shuffled_shoes(Chance(study.seed, block), packed(study.shoe), study.shoes_of(block))
    shoes = [[RANKS[card] for card in decks[:, number]] for number in range(decks.shape[1])]
    return [one for order in shoes for one in second_dealer(game, study, order)]


analyzed = lru_cache(maxsize=1000)(one_round_analysis)


def second_value(game: Game, wager: str, one: OneRound) -> tuple[Fraction, Fraction] | None:
    """The mean and the mean square of a unit, by recursion over the cards left; None: the wager is not on offer."""
    if "@" not in wager:
        bet = analyzed(game, one.unseen).bet(wager)
        return bet.expected_value, bet.variance + bet.expected_value**2
    side, stage = Hand(wager.partition("@")[0]), Stage(wager.partition("@")[2])
    moment = one.dealt.stages.get(stage)
    if moment is None or (stage is Stage.PLAYER_THIRD_CARD and len(moment.player) < 3):
        return None
    for state in round_analysis(game, moment, one.unseen.minus((*moment.player, *moment.banker))).insurance:
        if state.state.side is side and state.expected_value is not None and state.variance is not None:
            return state.expected_value, state.variance + state.expected_value**2
    return None


def second_true_count(study: Study, player: StudyPlayer, one: OneRound) -> Fraction:
    assert player.count is not None
    running = sum(
        (have - left) * tag
        for have, left, tag in zip(study.shoe.counts, one.unseen.counts, player.count.tags, strict=True)
    )
    on_table: tuple[Rank, ...] = ()
    if "@" in player.wager:
        moment = one.dealt.stages[Stage(player.wager.partition("@")[2])]
        on_table = (*moment.player, *moment.banker)
    running += sum(player.count.tags[card] for card in on_table)
    return Fraction(52 * running, one.unseen.size - len(on_table))


def second_sums(game: Game, study: Study, block: int) -> BlockSums:
    """The sums of a block, round by round in fractions."""
    bands, players = len(study.positions), study.players
    rounds = [0] * bands
    offers = [[0] * len(study.bets) for _ in range(bands)]
    bets, gains, squares = ([[Fraction(0)] * len(players) for _ in range(bands)] for _ in range(3))
    for one in second_rounds(game, study, block):
        band = sum(place < one.reach for place in study.positions) - 1
        values = {wager: second_value(game, wager, one) for wager in study.bets}
        rounds[band] += 1
        for place, wager in enumerate(study.bets):
            offers[band][place] += values[wager] is not None
        for place, player in enumerate(players):
            value = values[player.wager]
            if value is None:
                continue
            if player.count is None:
                is_bet = value[0] > 0
            else:
                is_bet = second_true_count(study, player, one) >= player.count.index
            bets[band][place] += is_bet
            gains[band][place] += value[0] * is_bet
            squares[band][place] += value[1] * is_bet
    over = {wager.id: (wager.unit, denominators(study, wager)) for wager in wagers(game, study.bets)}
    return tuple(
        BandSums(
            rounds=rounds[band],
            offers=tuple(offers[band]),
            bets=tuple(map(int, bets[band])),
            gains=tuple(
                _whole(gain * over[player.wager][1][band])
                for gain, player in zip(gains[band], players, strict=True)
            ),
            squares=tuple(
                _whole(square * over[player.wager][1][band] * over[player.wager][0])
                for square, player in zip(squares[band], players, strict=True)
            ),
        )
        for band in range(bands)
    )


def _whole(number: Fraction) -> int:
    assert number.denominator == 1
    return number.numerator


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
    """Every sum: other code deals, draws, looks, values and adds."""
    study = a_study(dealing=dealing)
    sums = Dealer(SMALL, study).block(0)
    assert sums == second_sums(SMALL, study, 0)
    bets = [sum(column) for column in zip(*(band.bets for band in sums), strict=True)]
    assert sum(bets[:6]) > 0  # it is not because nothing was bet that they are equal
    assert sum(map(bool, bets[6:])) >= 2


def test_offers_that_need_a_card_to_come_are_what_a_second_dealer_sees() -> None:
    """Both hands after four cards and after five, deep in a shoe too."""
    game = load_game(COMMISSION_2013)
    tables = tuple(str(table.insured) for table in game.insurance)
    study = a_study(bets=tables, counts=(), shoes=6000)
    sums = Dealer(game, study).block(0)
    assert sums == second_sums(game, study, 0)
    offers = [sum(band.offers[place] for band in sums) for place in range(len(tables))]
    assert min(offers) > 25, offers


def test_a_cut_card_that_comes_between_two_rounds_belongs_to_the_round_before() -> None:
    study = a_study(dealing=ShoeDealing(cut_card=46, burn=Burn(), after=1))
    drawing = ThirdCardRules.of(SMALL)
    natural = [Rank.NINE, Rank.NINE, Rank.KING, Rank.KING]
    six = [Rank.TWO, Rank.TWO, Rank.TWO, Rank.ACE, Rank.ACE, Rank.ACE]
    for order, rounds in (([*natural, *six], 3), ([*six, *natural], 2)):
        rest = list((Counter(dict.fromkeys(RANKS, 4)) - Counter(order)).elements())
        column = np.array([[RANKS.index(card)] for card in [*order, *rest]], dtype=np.uint8)
        assert len(dealt_shoes(column, study.shoe, study.dealing, drawing).reach) == rounds
        assert len(list(second_dealer(SMALL, study, [*order, *rest]))) == rounds


# ---------------------------------------------------------------- blocks and positions


def test_the_cut_card_is_looked_at_more_often_near_the_end() -> None:
    """Every eighth of a deck within the last one, then every quarter; never nearer than a round."""
    study = a_study(shoe=Shoe.of_decks(8), dealing=ShoeDealing(cut_card=14, burn=Burn(), after=1))
    assert study.positions[:9] == (14, 20, 26, 33, 39, 46, 52, 65, 78)
    assert study.positions[-1] == 403
    other = a_study(shoe=Shoe.of_decks(8), dealing=ShoeDealing(cut_card=16, burn=Burn(), after=1))
    assert other.positions[:3] == (16, 26, 33)


@pytest.mark.parametrize(("shoes", "blocks"), [(50, 50), (127, 50), (10**6, 50), (10**7, 500)])
def test_blocks_are_many_and_nearly_equal(shoes: int, blocks: int) -> None:
    study = a_study(shoes=shoes)
    sizes = [study.shoes_of(number) for number in range(study.blocks)]
    assert (len(sizes), sum(sizes)) == (blocks, shoes)
    assert max(sizes) - min(sizes) <= 1


def test_another_cut_card_is_the_same_as_dealing_with_it() -> None:
    """The results at a position further from the end are those of a study with its cut card there."""
    deep = a_study(bets=("six", "player@four-cards"), counts=COUNTS[:1])
    place = deep.positions.index(26)
    shallow = replace(deep, dealing=replace(deep.dealing, cut_card=26))
    one, other = (player_results(SMALL, study, some_blocks(study), LIMIT) for study in (deep, shallow))
    assert [player.cuts[place] for player in one] == [player.cuts[0] for player in other]
    assert [player.cuts[place] for player in one] != [player.cuts[0] for player in one]


def test_an_interrupted_run_and_one_in_another_order_give_the_same() -> None:
    study = a_study(shoes=50, counts=COUNTS[:1], bets=("six", "player@four-cards"))
    task = Task(load_game(SMALL_BOOK).content, SMALL_BOOK.name, study)
    whole = dealt(task, (), Workers(), lambda done: True)
    assert whole == some_blocks(study)
    begun = dealt(task, (), Workers(), lambda done: len(done) < 2)
    assert len(begun) == 2
    assert dealt(task, begun, Workers(), lambda done: True) == whole
    assert dealt(task, (), Backwards(), lambda done: True) == whole


class Backwards(Workers):
    """A worker that has the last block ready first."""

    def made(self, task: Task, numbers: Iterable[int]) -> Generator[list[Made], None, None]:
        """These blocks, the last first."""
        for number in reversed(list(numbers)):
            yield [made(task, number)]


@pytest.mark.parametrize(
    "changes",
    [
        {"dealing": ShoeDealing(cut_card=10, burn=Burn(), after=1)},
        {"dealing": ShoeDealing(cut_card=41, burn=Burn(first_card=True), after=1)},
        {"dealing": ShoeDealing(cut_card=14, burn=Burn(cards=50), after=1)},
        {"dealing": ShoeDealing(cut_card=14, burn=Burn(), after=11)},
        {"shoe": Shoe.of_decks(17)},
        {"shoes": 49},
        {"bets": ("punto",), "counts": COUNTS[:1]},
    ],
    ids=str,
)
def test_a_study_that_cannot_be_dealt_is_refused(changes: dict[str, object]) -> None:
    with pytest.raises(InputError):
        a_study(**changes)


# ---------------------------------------------------------------- figures


def test_the_figures_are_as_defined() -> None:
    """Ratios of totals over all rounds, and the deepest cut card within a limit, from the sums of the blocks."""
    (wager,) = wagers(SMALL, ("six",))
    study = a_study(shoes=50, bets=("six",), counts=())
    sums, over = some_blocks(study), denominators(study, wager)
    result = player_results(SMALL, study, sums, LIMIT)[0]
    bands = [(band, below) for block in sums for band, below in zip(block, over, strict=True)]
    rounds, bets = (
        sum(numbers) for numbers in zip(*((band.rounds, band.bets[0]) for band, _ in bands), strict=True)
    )
    gain = sum(Fraction(band.gains[0], below) for band, below in bands)
    square = sum(Fraction(band.squares[0], below * wager.unit) for band, below in bands)
    assert 0 < bets < rounds
    assert result.here.share_bet.value == Fraction(bets, rounds)
    assert result.here.gain_a_shoe.value == gain / study.shoes
    assert result.here.gain_a_round.value == gain / rounds
    assert result.here.average_edge is not None
    assert result.here.average_edge.value == gain / bets
    variance = square / bets - (gain / bets) ** 2
    assert result.desirability_squared == 10**4 * (100 * gain / rounds) ** 2 / (
        100 * Fraction(bets, rounds) * variance
    )
    assert sum(depth.rounds for depth in result.depths) == rounds
    assert sum(depth.gain for depth in result.depths) == gain
    for limit in (Fraction(0), Fraction(1, 2), Fraction(100)):
        within = [not cut.bets or cut.gain_a_shoe.is_surely_within(limit) for cut in result.cuts]
        allowed = [cut.cut_card for at, cut in enumerate(result.cuts) if cut.bets and all(within[at:])]
        deepest = player_results(SMALL, study, sums, limit)[0].deepest_cut
        assert deepest == min(allowed, default=None)


@given(st.lists(st.integers(-50, 50), min_size=2, max_size=60), st.integers(1, 9))
@settings(max_examples=50)
def test_the_jackknife_of_a_mean_is_its_standard_error(numbers: list[int], shoes: int) -> None:
    """With equal blocks the ratio is a mean, and its variance that of the numbers over their number."""
    number, mean = len(numbers), Fraction(sum(numbers), len(numbers))
    found = ratio(numbers, [shoes] * number, 1)
    variance = sum(((one - mean) ** 2 for one in numbers), Fraction(0)) / (number - 1) / number / shoes**2
    assert found.value == mean / shoes
    assert found.half_width_squared is not None
    assert abs(found.half_width_squared - QUANTILE**2 * variance) < Fraction(1, 10**8)


def test_a_ratio_that_hangs_on_one_block_has_no_interval() -> None:
    assert ratio([3, 0, 0], [5, 0, 0], 1) == Estimate(value=Fraction(3, 5), half_width_squared=None)


def test_an_estimate_knows_where_its_interval_ends() -> None:
    estimate = Estimate(value=Fraction(1, 2), half_width_squared=Fraction(1, 16))
    assert [estimate.is_surely_within(Fraction(limit, 100)) for limit in (75, 74)] == [True, False]
    assert [estimate.is_surely_above(Fraction(limit, 100)) for limit in (25, 24)] == [False, True]
    assert replace(estimate, half_width_squared=Fraction(0)).is_surely_within(estimate.value)
    low, high = estimate.ends
    assert low <= Fraction(1, 4) < low + Fraction(1, 2**39)
    assert high - Fraction(1, 2**39) < Fraction(3, 4) <= high
    assert not replace(estimate, half_width_squared=None).is_surely_within(Fraction(10))


# ---------------------------------------------------------------- ``protect.json``


BOOK = load_game(SMALL_BOOK)
STUDY = a_study(shoes=51, bets=("six", "player@four-cards"), counts=COUNTS[:1])


def a_file() -> StudyFile:
    return StudyFile(game=BOOK, study=STUDY, blocks=some_blocks(STUDY), limit=Fraction(1, 2))


@cache
def content() -> bytes:
    return study_bytes(a_file())


def changed(change: Callable[[dict[str, Any]], object]) -> bytes:
    stated = json.loads(content())
    change(stated)
    return canonical(stated)


def test_what_is_written_is_read() -> None:
    file = read_study(content(), BOOK)
    assert file == a_file()
    assert sum(map(content().count, (b",", b":", b"[", b"{"))) <= STUDY.values
    begun = replace(file, blocks=file.blocks[:3], limit=LIMIT)
    assert read_partial(partial_bytes(begun), BOOK) == begun


FORGERIES: dict[str, Callable[[Any], object]] = {
    "a figure": lambda stated: stated["results"]["players"][0]["cuts"][0]["gain_a_shoe"].update(value="1/3"),
    "a mean": lambda stated: stated["results"]["fresh"][0].update(expected_value="-1/10"),
    "a gain": lambda stated: add_one(stated["blocks"][7][0]["gains"]),
    "a square": lambda stated: first_bet(stated)["squares"].__setitem__(0, "0"),
    "more bets than rounds": lambda stated: bet_once_too_often(stated["blocks"][0][0]),
    "no rounds": lambda stated: stated["blocks"][0][-1].update(rounds=0, offers=[0, 0], bets=[0, 0, 0]),
    "a column less": lambda stated: stated["blocks"][0][0]["gains"].pop(0),
    "a band less": lambda stated: stated["blocks"][0].pop(0),
    "a block less": lambda stated: stated["blocks"].pop(1),
    "another book": lambda stated: stated.update(rule_book_sha256="0" * 64),
}


def bet_once_too_often(band: Any) -> None:
    band["bets"][0] = band["rounds"] + 1


def add_one(gains: list[str]) -> None:
    gains[0] = str(int(gains[0]) + 1)


def first_bet(stated: Any) -> Any:
    """The first band in which the first player bets."""
    return next(band for block in stated["blocks"] for band in block if band["bets"][0])


@pytest.mark.parametrize("change", FORGERIES.values(), ids=FORGERIES)
def test_a_forged_number_is_rejected(change: Callable[[dict[str, Any]], object]) -> None:
    """Each is false in itself; a forger who makes all of it fit is caught when blocks are dealt again."""
    with pytest.raises(RejectedCertificateError):
        read_study(changed(change), BOOK)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("schema", "combinat/protect/1"),
        ("software_version", "99.0"),
        ("seed", "-1"),
        ("seed", "1.5"),
        ("shoes", 49),
        ("bets", ["nine"]),
        ("counts", [{"name": "x", "bet": "six", "tags": "Z=1", "index": "1"}]),
        ("counts", [{"name": "x", "bet": "six", "tags": "A=1", "index": "1e9"}]),
        ("dealing", {"burn": "all", "cut_card": 14, "after": 1}),
        ("dealing", {"burn": "none", "cut_card": 1, "after": 1}),
        ("limit", "1/0"),
        ("shoe", {"size": 52, "cards": {"A": 4}}),
        ("blocks", "none"),
        ("blocks", [[]] * 51),
        ("more", 1),
    ],
)
def test_a_file_that_states_no_study_is_malformed(key: str, value: object) -> None:
    with pytest.raises(MalformedCertificateError):
        read_study(changed(lambda stated: stated.update({key: value})), BOOK)


def test_a_partial_file_with_another_spelling_is_refused() -> None:
    kept = partial_bytes(a_file())
    with pytest.raises(CertificateError):
        read_partial(kept.replace(b'"seed": "5"', b'"seed":  "5"'), BOOK)


@pytest.mark.parametrize("value", [b"{}", b"[]", b"0", b'{"":0}'])
def test_values_are_counted_before_they_are_parsed(value: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """A small archive could hold a file of 256 MB that costs 6 GB."""
    monkeypatch.setattr("json.loads", Mock(side_effect=AssertionError("it was parsed")))
    monkeypatch.setattr(strict_json, "MOST_VALUES", 1000)
    with pytest.raises(MalformedCertificateError):
        read_study(b'{"results":[' + b",".join([value] * 1001) + b"]}", BOOK)
