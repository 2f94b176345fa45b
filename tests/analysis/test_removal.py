"""Effects of removal: the figures against direct differences, ``combinat removal`` and its charts."""

import csv
import io
import json
import re
import sys
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from combinat import Shoe, load_game
from combinat.analysis.bets import bet_analysis
from combinat.analysis.insurance import insurance_analysis
from combinat.analysis.removal import Cards, Change, Removal, removals
from combinat.analysis.subject import Subject
from combinat.analysis.what_if import with_odds
from combinat.engine.walk import walk
from combinat.errors import CombinatError, ShoeError
from combinat.render.files import replacing
from combinat.render.number import decimal, percent
from combinat.report.removal import removal_bars
from combinat.rules.cards import RANKS, Rank, parse_cards
from combinat.rules.odds import Odds
from tests.analysis.test_published import REMOVAL
from tests.conftest import Ran, Run
from tests.documents import BETS, COMMISSION_2013, GAMES, NONCOMMISSION_2025

WIDTH = 100
FORMATS = ("text", "markdown", "csv", "json", "latex")

LOADED, WALKED = cache(load_game), cache(walk)
FRESH = Shoe.of_decks(8)
FEW = Shoe.parse("A=2 4=3 5=1 7=1 9=2 Q=1 K=4")


@cache
def values(game_id: str, shoe: Shoe) -> dict[str, Fraction]:
    """The expected values of a game's bets, by the recursion."""
    game = LOADED(game_id)
    return {bet.id: bet_analysis(game, bet, WALKED(shoe)).expected_value for bet in game.bets}


@cache
def state_values(game_id: str, shoe: Shoe) -> dict[str, Fraction | None]:
    """The expected values of a game's insurance states, by the recursion."""
    return {str(one.state): one.expected_value for one in insurance_analysis(LOADED(game_id), WALKED(shoe))}


@cache
def removals_of(game_id: str, shoe: Shoe, pairs: bool = False, insurance: bool = False) -> dict[str, Removal]:
    return {
        str(one.subject): one for one in removals(LOADED(game_id), shoe, pairs=pairs, insurance=insurance)
    }


# ---------------------------------------------------------------- single cards


@pytest.mark.parametrize(
    ("shoe", "removed"), [(FRESH, "A 6 K"), (FEW, "A 4 5 7 9 Q K")], ids=["fresh", "few"]
)
def test_an_effect_is_the_difference_of_two_expected_values(shoe: Shoe, removed: str) -> None:
    before, effects = values(NONCOMMISSION_2025, shoe), removals_of(NONCOMMISSION_2025, shoe)
    assert list(effects) == list(before)
    for rank in parse_cards(removed):
        after = values(NONCOMMISSION_2025, shoe.minus([rank]))
        for bet, one in effects.items():
            assert one.expected_value == before[bet]
            assert one.effects[(rank,)] == after[bet] - before[bet]


def test_ranks_that_the_shoe_does_not_hold_have_no_effect_listed() -> None:
    for one in removals_of(COMMISSION_2013, FEW).values():
        assert list(one.effects) == [(card,) for card in parse_cards("A 4 5 7 9 Q K")]


@pytest.mark.parametrize("game_id", GAMES)
def test_the_effects_cancel_over_a_card_drawn_at_random(game_id: str) -> None:
    """The sum over r of n_r * effect_r is 0, while every shoe can finish a round."""
    shoe = FRESH.minus("A A 3 8 8 8 10 K")
    for one in removals_of(game_id, shoe).values():
        total = Fraction(0)
        for (rank,), effect in one.effects.items():
            assert effect is not None
            total += shoe[rank] * effect
        assert total == 0
        assert any(one.effects.values()) or "pair" in str(one.subject)


def test_published_effects() -> None:
    """wizardofodds.com, six decimals: a Banker-6 bet at 12 and 23 to 1, 8 decks."""
    game = with_odds(LOADED(NONCOMMISSION_2025), {"tiger": [Odds.parse("12 to 1"), Odds.parse("23 to 1")]})
    one = next(one for one in removals(game, FRESH) if one.subject.bet == "tiger")
    for card, change in REMOVAL.items():
        effect = one.effects[parse_cards(card)]
        assert effect is not None
        assert decimal(effect, 6) == change
    assert one.most[:3] == list(parse_cards("6 7 8"))


def test_the_ranks_that_matter_most_come_first() -> None:
    for one in removals_of(NONCOMMISSION_2025, FRESH).values():
        sizes = [abs(one.effects[(rank,)] or Fraction(0)) for rank in one.most]
        assert sizes == sorted(sizes, reverse=True)
        assert sorted(one.most) == sorted(RANKS)
    assert removals_of(COMMISSION_2013, FRESH)["tie"].most[:2] == list(parse_cards("6 7"))


def test_ranks_that_matter_alike_keep_the_order_of_the_shoe() -> None:
    """On a fresh shoe every rank has the same part in a pair: none is told from another."""
    pair = removals_of(COMMISSION_2013, FRESH)["player-pair"]
    assert set(pair.effects.values()) == {Fraction(0)}
    assert pair.most == list(RANKS)
    assert removals_of(COMMISSION_2013, FRESH)["tie"].most.index(Rank.KING) == (
        removals_of(COMMISSION_2013, FRESH)["tie"].most.index(Rank.TEN) + 3
    )


def test_an_empty_shoe_has_no_card_to_remove() -> None:
    with pytest.raises(ShoeError, match=r"^the shoe is empty: there is no card to remove$"):
        removals(LOADED(COMMISSION_2013), Shoe((0,) * 13))


def test_the_last_card_of_a_shoe() -> None:
    """Neither with it nor without it can a round be opened: every bet comes back."""
    for one in removals(LOADED(COMMISSION_2013), Shoe.parse("K=1"), pairs=True):
        assert (one.expected_value, one.effects) == (Fraction(0), {(Rank.KING,): Fraction(0)})


# ---------------------------------------------------------------- two cards


def test_two_cards_are_removed_together() -> None:
    before = values(COMMISSION_2013, FRESH)
    effects = removals_of(COMMISSION_2013, FRESH, pairs=True)
    for one in effects.values():
        assert [len(cards) for cards in one.effects] == [1] * 13 + [2] * 91
        assert len(set(one.effects)) == 13 + 91
    for pair in ("4 9", "K K"):
        cards = parse_cards(pair)
        after = values(COMMISSION_2013, FRESH.minus(cards))
        for bet, one in effects.items():
            assert one.effects[cards] == after[bet] - before[bet]


def test_two_of_a_rank_are_removed_only_where_there_are_two() -> None:
    cards = set(removals_of(COMMISSION_2013, FEW, pairs=True)["tie"].effects)
    assert parse_cards("A A") in cards
    assert parse_cards("5 7") in cards
    assert not {parse_cards(pair) for pair in ("5 5", "7 7", "Q Q")} & cards
    held = sum(1 for rank in RANKS if FEW[rank])
    assert len(cards) == held + held * (held - 1) // 2 + sum(1 for rank in RANKS if FEW[rank] >= 2)


def test_the_error_of_adding_two_effects_up() -> None:
    tie = removals_of(COMMISSION_2013, FRESH, pairs=True)["tie"]
    for pair in ("4 9", "K K"):
        cards = parse_cards(pair)
        singles = [values(COMMISSION_2013, FRESH.minus([card]))["tie"] for card in cards]
        start = values(COMMISSION_2013, FRESH)["tie"]
        together = values(COMMISSION_2013, FRESH.minus(cards))["tie"]
        assert tie.linear_error(cards) == sum(singles) - 2 * start - (together - start)
        assert tie.linear_error(cards) != 0


def test_no_error_can_be_told_where_an_effect_is_unknown() -> None:
    ace, two = Rank.ACE, Rank.TWO
    known: dict[Cards, Fraction | None] = {(ace,): Fraction(1), (two,): Fraction(2), (ace, two): Fraction(4)}
    assert removal_of(known).linear_error((ace, two)) == -1
    assert removal_of(known).largest_linear_error == 1
    for unknown in known:
        partly = removal_of({**known, unknown: None})
        assert partly.linear_error((ace, two)) is None
        assert partly.largest_linear_error is None
    assert removal_of({**known, (two,): None}).most == [ace]


def removal_of(changes: dict[Cards, Fraction | None]) -> Removal:
    return Removal(
        subject=Subject(bet="x"),
        expected_value=Fraction(0),
        changes=tuple(Change(removed=cards, change=change) for cards, change in changes.items()),
    )


def test_the_worst_and_the_best_two_cards() -> None:
    """Of equal ones, the first by name is the worst and the last the best; of none there is neither."""
    ace, two, king = Rank.ACE, Rank.TWO, Rank.KING
    changes: dict[Cards, Fraction | None] = {
        (ace,): Fraction(9),
        (ace, ace): None,
        (king, king): Fraction(-2),
        (ace, two): Fraction(-2),
        (two, two): Fraction(3),
        (two, king): Fraction(3),
    }
    removal = removal_of(changes)
    assert (removal.worst_pair, removal.best_pair) == ((ace, two), (two, king))
    alone = removal_of({(ace,): Fraction(9)})
    assert (alone.worst_pair, alone.best_pair, alone.largest_linear_error) == (None, None, None)


# ---------------------------------------------------------------- insurance states


@pytest.mark.parametrize(("shoe", "removed"), [(FRESH, "6 K"), (FEW, "A 4 5 7 9 Q K")], ids=["fresh", "few"])
def test_an_insurance_state_is_valued_given_that_it_arose(shoe: Shoe, removed: str) -> None:
    before = state_values(COMMISSION_2013, shoe)
    effects = removals_of(COMMISSION_2013, shoe, insurance=True)
    assert list(effects) == list(before)
    assert len(effects) == 73
    for rank in parse_cards(removed):
        after = state_values(COMMISSION_2013, shoe.minus([rank]))
        for state, one in effects.items():
            assert one.expected_value == before[state]
            value, start = after[state], before[state]
            change = None if value is None or start is None else value - start
            assert one.effects[(rank,)] == change


def test_a_state_that_cannot_arise_has_no_value() -> None:
    effects = removals_of(COMMISSION_2013, FEW, insurance=True)
    never = [state for state, value in state_values(COMMISSION_2013, FEW).items() if value is None]
    assert never
    for state in never:
        assert effects[state].expected_value is None
        assert set(effects[state].effects.values()) == {None}
        assert effects[state].most == []


def test_a_removal_that_makes_a_state_impossible_has_no_effect() -> None:
    """One 5 and one 4, all else tens: without either no hand stands at 5 against 4."""
    shoe = Shoe.parse("4=1 5=1 K=12")
    state = "player@four-cards, Player 5, Banker 4"
    one = removals_of(COMMISSION_2013, shoe, insurance=True)[state]
    assert one.expected_value == state_values(COMMISSION_2013, shoe)[state] is not None
    assert [one.effects[(rank,)] is None for rank in (Rank.FOUR, Rank.FIVE, Rank.KING)] == [True, True, False]
    assert one.most == [Rank.KING]


# ---------------------------------------------------------------- the command


def worked(ran: Ran) -> str:
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.endswith("\n")
    assert not ran.out.endswith("\n\n")
    return ran.out


def message_of(ran: Ran) -> str:
    """The one message of a command that could not be carried out."""
    assert (ran.code, ran.out) == (2, "")
    message, newline, rest = ran.err.partition("\n")
    assert (newline, rest) == ("\n", "")
    assert message.startswith("combinat: ")
    return message.removeprefix("combinat: ")


def loaded(printed: str) -> dict[str, Any]:
    def refuse(text: str) -> None:
        raise AssertionError(f"the float {text} in JSON")

    read: dict[str, Any] = json.loads(printed, parse_float=refuse)
    return read


def test_the_json_of_the_effects(run: Run) -> None:
    printed = loaded(worked(run("removal", NONCOMMISSION_2025, "--format", "json")))
    assert list(printed) == ["schema", "game", "shoe", "effects"]
    assert (printed["schema"], printed["game"]) == ("combinat/removal/1", NONCOMMISSION_2025)
    assert printed["shoe"]["size"] == 416
    expected = removals_of(NONCOMMISSION_2025, FRESH)
    assert [one["id"] for one in printed["effects"]] == list(BETS[NONCOMMISSION_2025])
    for one in printed["effects"]:
        exact = expected[one["id"]]
        assert one["expected_value"] == str(exact.expected_value)
        assert one["matter_most"] == list(exact.most)
        assert [(tuple(e["removed"]), e["change"]) for e in one["effects"]] == [
            (cards, str(effect)) for cards, effect in exact.effects.items()
        ]
        assert all("linear_error" not in effect for effect in one["effects"])


def test_the_json_of_two_cards_and_of_states_that_cannot_arise(run: Run) -> None:
    arguments = ["removal", COMMISSION_2013, "--cards", str(FEW), "--insurance", "--pairs", "-f", "json"]
    printed = loaded(worked(run(*arguments)))
    expected = removals_of(COMMISSION_2013, FEW, pairs=True, insurance=True)
    nulls = 0
    for one in printed["effects"]:
        exact = expected[one["id"]]
        assert one["expected_value"] == (None if exact.expected_value is None else str(exact.expected_value))
        for effect in one["effects"]:
            cards = tuple(Rank(card) for card in effect["removed"])
            change = exact.effects[cards]
            nulls += change is None
            assert effect["change"] == (None if change is None else str(change))
            assert ("linear_error" in effect) is (len(cards) == 2)
            if len(cards) == 2:
                error = exact.linear_error(cards)
                assert effect["linear_error"] == (None if error is None else str(error))
    assert nulls


@pytest.mark.parametrize("insurance", [False, True])
def test_the_csv_has_a_line_for_every_effect(run: Run, insurance: bool) -> None:
    options = ["--insurance"] if insurance else []
    arguments = ["removal", COMMISSION_2013, "--cards", str(FEW), "--pairs", *options, "-f", "csv"]
    lines = list(csv.DictReader(io.StringIO(worked(run(*arguments)))))
    expected = [
        (str(one.subject), cards, effect, one.linear_error(cards) if len(cards) == 2 else None)
        for one in removals_of(COMMISSION_2013, FEW, pairs=True, insurance=insurance).values()
        for cards, effect in one.effects.items()
    ]
    assert list(lines[0]) == [
        "bet",
        "removed",
        "change",
        "change_decimal",
        "linear_error",
        "linear_error_decimal",
    ]
    assert [(line["bet"], parse_cards(line["removed"])) for line in lines] == [each[:2] for each in expected]
    for line, (_, _, effect, error) in zip(lines, expected, strict=True):
        assert line["change"] == ("" if effect is None else str(effect))
        assert line["change_decimal"] == ("" if effect is None else decimal(effect, 12))
        assert line["linear_error"] == ("" if error is None else str(error))


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("options", [[], ["--pairs"], ["--bet", "tie"]], ids=" ".join)
def test_every_format_has_every_bet(run: Run, form: str, options: list[str]) -> None:
    printed = worked(run("removal", COMMISSION_2013, *options, "--format", form))
    bets = ["tie"] if "--bet" in options else list(BETS[COMMISSION_2013])
    assert [bet for bet in BETS[COMMISSION_2013] if re.search(rf"(?<![\w-]){bet}(?![\w-])", printed)] == bets
    if form in ("text", "markdown", "latex"):
        change = removals_of(COMMISSION_2013, FRESH)["tie"].effects[(Rank.SIX,)]
        assert change is not None
        assert f"6 {percent(change, 3)}" in printed
        assert ("Two cards" in printed) is ("--pairs" in options)


@pytest.mark.parametrize("options", [[], ["--pairs"], ["--bet", "tie", "--bet", "player"]], ids=" ".join)
@pytest.mark.parametrize("game_id", GAMES)
def test_the_text_fits_a_terminal(run: Run, game_id: str, options: list[str]) -> None:
    printed = worked(run("removal", game_id, *options))
    assert max(map(len, printed.splitlines())) <= WIDTH


def test_the_text_of_the_effects(run: Run) -> None:
    lines = worked(run("removal", COMMISSION_2013, "--bet", "tie")).splitlines()
    assert lines[0] == "Commission Baccarat with Insurance: effects of removal"
    assert lines[3] == "Shoe: 8 decks, 416 cards"
    assert "tie  -14.3596  6 -0.116, 7 -0.109, 8 +0.065" in lines
    (header,) = (line.split() for line in lines if line.startswith("removed:"))
    assert header[1:] == ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10-K"]
    row = lines[[line.split()[:1] for line in lines].index(["removed:"]) + 2].split()
    tie = removals_of(COMMISSION_2013, FRESH)["tie"]
    changes = [tie.effects[(rank,)] or Fraction(0) for rank in RANKS[:10]]
    assert row == ["tie", *(f"{'+' if change > 0 else ''}{percent(change, 3)}" for change in changes)]


def test_tens_and_pictures_have_columns_of_their_own_where_they_differ(run: Run) -> None:
    printed = worked(run("removal", COMMISSION_2013, "--removed", "J J", "--bet", "player-pair"))
    headers = [line.split()[1:] for line in printed.splitlines() if line.startswith("removed:")]
    assert [len(header) for header in headers] == [10, 3]
    assert headers[0] + headers[1] == list(RANKS)
    assert max(map(len, printed.splitlines())) <= 100


def test_the_text_of_insurance_states_fits_the_terminal(run: Run) -> None:
    printed = worked(run("removal", COMMISSION_2013, "--insurance"))
    assert max(map(len, printed.splitlines())) <= 100
    assert "banker, 4 cards, P5 B6" in printed


def test_the_text_of_two_cards(run: Run) -> None:
    lines = worked(run("removal", COMMISSION_2013, "--pairs", "--bet", "tie")).splitlines()
    (row,) = (line for line in lines[lines.index("Two cards") :] if line.startswith("tie"))
    tie = removals_of(COMMISSION_2013, FRESH, pairs=True)["tie"]
    pairs = {cards: effect for cards, effect in tie.effects.items() if len(cards) == 2 and effect is not None}
    low, high = min(pairs, key=pairs.__getitem__), max(pairs, key=pairs.__getitem__)
    worst = max(abs(tie.linear_error(cards) or Fraction(0)) for cards in pairs)
    assert re.split(r"\s{2,}", row) == [
        "tie",
        f"{' '.join(low)}: {percent(pairs[low], 3)}",
        f"{' '.join(high)}: +{percent(pairs[high], 3)}",
        decimal(worst * 100, 6),
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            [NONCOMMISSION_2025, "--insurance"],
            f"{NONCOMMISSION_2025} offers no insurance: there is nothing to analyse",
        ),
        ([COMMISSION_2013, "--insurance", "--bet", "tie"], "--bet does not go with --insurance"),
        (
            [COMMISSION_2013, "--bet", "big"],
            f'{COMMISSION_2013} has no bet "big". It has: player, banker, tie, player-pair, banker-pair',
        ),
        ([COMMISSION_2013, "--cards", "A=0"], "the shoe is empty: there is no card to remove"),
        (
            [COMMISSION_2013, "--chart", "effects.pdf"],
            '--chart: found "effects.pdf"; write a file name that ends in .svg or .png',
        ),
        (
            [COMMISSION_2013, "--chart", "effects"],
            '--chart: found "effects"; write a file name that ends in .svg or .png',
        ),
        (
            [COMMISSION_2013, "--cards", "A=9", "--decks", "8"],
            "--cards says all that is left; it does not go with --decks or --removed",
        ),
        (
            [COMMISSION_2013, "--removed", " ".join(["A"] * 33)],
            "--removed: cannot remove 33 of A: the shoe holds 32",
        ),
    ],
)
def test_what_cannot_be_asked_is_refused(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert message_of(run("removal", *arguments)) == message
    assert list(tmp_path.iterdir()) == []


# ---------------------------------------------------------------- the chart

CHART = ["removal", COMMISSION_2013, "--bet", "tie"]


@pytest.mark.parametrize("suffix", ["svg", "png"])
def test_a_chart_is_the_same_bytes_every_time(run: Run, tmp_path: Path, suffix: str) -> None:
    charts = [tmp_path / name / f"effects.{suffix}" for name in ("one", "two")]
    for chart in charts:
        printed = worked(run(*CHART, "--chart", str(chart)))
        assert printed.endswith(f"\n\nchart: {chart}\n")
    first, second = (chart.read_bytes() for chart in charts)
    assert first == second
    assert [path.name for path in charts[0].parent.iterdir()] == [charts[0].name]
    if suffix == "png":
        assert first.startswith(b"\x89PNG\r\n\x1a\n")


def test_a_png_needs_typst_and_an_svg_does_not(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "typst", None)
    assert message_of(run(*CHART, "--chart", str(tmp_path / "effects.png"))) == (
        "charts as PNG need typst: pip install 'combinat[report]'"
    )
    assert list(tmp_path.iterdir()) == []
    worked(run(*CHART, "--chart", str(tmp_path / "effects.svg")))


def test_a_chart_shows_every_bet_and_every_rank() -> None:
    """Exact values, tens and pictures as one, and a value that does not exist as none."""
    tie, other = (removals_of(COMMISSION_2013, FRESH)[bet] for bet in ("tie", "player"))
    bars = removal_bars([tie, other], "a title")
    assert (bars.title, [panel.title for panel in bars.panels]) == ("a title", ["tie", "player"])
    assert [bar.label for bar in bars.panels[0].bars] == [*RANKS[:9], "10-K"]
    assert [bar.value for bar in bars.panels[0].bars] == [tie.effects[(rank,)] for rank in RANKS[:10]]
    (panel,) = removal_bars([removal_of({(Rank.ACE,): None})], "").panels
    assert [(bar.label, bar.value) for bar in panel.bars] == [("A", None)]


def test_an_svg_chart_is_a_picture_without_a_date(run: Run, tmp_path: Path) -> None:
    chart = tmp_path / "effects.svg"
    worked(run(*CHART, "--bet", "player-pair", "--chart", str(chart)))
    text = chart.read_text("utf-8")
    assert ElementTree.fromstring(text).tag == "{http://www.w3.org/2000/svg}svg"
    assert "dc:date" not in text
    assert not re.search(r"\b20\d\d-\d\d-\d\d", text)
    assert chart.stat().st_mode & 0o777 == 0o644


def test_other_effects_are_another_chart(run: Run, tmp_path: Path) -> None:
    for decks in ("6", "8"):
        worked(run(*CHART, "--decks", decks, "--chart", str(tmp_path / f"{decks}.svg")))
    assert (tmp_path / "6.svg").read_bytes() != (tmp_path / "8.svg").read_bytes()


def test_a_chart_leaves_json_alone(run: Run, tmp_path: Path) -> None:
    chart = tmp_path / "effects.svg"
    printed = worked(run(*CHART, "--chart", str(chart), "--format", "json"))
    assert printed == worked(run(*CHART, "--format", "json"))
    assert chart.is_file()


def test_a_chart_that_cannot_be_written_is_refused(run: Run, tmp_path: Path) -> None:
    """A file stands where the folder should be; nothing is printed and nothing is left."""
    (tmp_path / "taken").write_text("no folder")
    chart = tmp_path / "taken" / "effects.svg"
    message = message_of(run(*CHART, "--chart", str(chart)))
    assert re.fullmatch(
        rf"{re.escape(str(chart))}: cannot be written \([A-Z][a-z ]+\); choose another place", message
    )
    assert [path.name for path in tmp_path.iterdir()] == ["taken"]
    assert (tmp_path / "taken").read_text() == "no folder"


def test_a_folder_is_no_place_for_a_chart(run: Run, tmp_path: Path) -> None:
    chart = tmp_path / "effects.svg"
    chart.mkdir()
    message = message_of(run(*CHART, "--chart", str(chart)))
    assert message == f"{chart}: cannot be written (Is a directory); choose another place"
    assert list(tmp_path.iterdir()) == [chart]
    assert list(chart.iterdir()) == []


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path: Path) -> None:
    place = tmp_path / "values.csv"
    place.write_text("old")

    def half_way() -> None:
        with replacing(place) as temporary:
            temporary.write_text("new")
            assert place.read_text() == "old"
            raise CombinatError("half way")

    with pytest.raises(CombinatError, match=r"^half way$"):
        half_way()
    assert place.read_text() == "old"
    assert list(tmp_path.iterdir()) == [place]
    with replacing(place) as temporary:
        temporary.write_text("new")
    assert place.read_text() == "new"
    assert list(tmp_path.iterdir()) == [place]
