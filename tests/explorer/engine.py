"""The engine of the explorer under Node, rule books to ask it about, and the records that it must answer with."""

import json
import random
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from combinat.analysis.insurance import STATES
from combinat.analysis.odds import odds, one_round_analysis
from combinat.analysis.round_in_progress import round_analysis
from combinat.report.analysis.odds import ODDS
from combinat.report.analysis.round_in_progress import ROUND
from combinat.report.explorer.page import WEB, page_data
from combinat.report.table.settlement import SETTLE
from combinat.rules.book.load import load_game, parsed_game
from combinat.rules.book.parse import parsed_toml
from combinat.rules.book.write import toml_text
from combinat.rules.cards import RANKS
from combinat.rules.game import Game
from combinat.rules.round import Round
from combinat.rules.shoe import Shoe
from combinat.table.settlement import Settlement
from tests.documents import COMMISSION_2013, COMMISSION_2024
from tests.paths import BOOKS, TESTS

NODE = shutil.which("node")
OTHER_TABLE, TWO_LAYOUTS = BOOKS / "other-table.toml", BOOKS / "two-layouts.toml"

Record = dict[str, Any]
Ask = Callable[[list[Record]], list[Any]]
Change = Callable[[Record], None]


@contextmanager
def engine(games: Sequence[Game]) -> Iterator[Ask]:
    """A function that asks the engine of a page with these rule books."""
    assert NODE is not None
    words = [NODE, str(TESTS / "explorer" / "answers.mjs"), str(WEB)]
    data: Record = {"page_data": page_data(games)}
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8") as node:
        assert node.stdin is not None
        assert node.stdout is not None
        asked, answers = node.stdin, node.stdout

        def ask(questions: list[Record]) -> list[Any]:
            print(json.dumps(data | {"questions": questions}), file=asked, flush=True)
            data.clear()
            return list(json.loads(answers.readline()))

        yield ask
        asked.close()


# ---------------------------------------------------------------- shoes and rule books


def shoes() -> list[Shoe]:
    """Fresh, depleted, lopsided, tiny, empty and huge shoes; some without a rank."""
    chance = random.Random(18)
    nothing, cards = Shoe((0,) * 13), [rank for rank in RANKS for _ in range(32)]
    some = [Shoe.of_decks(decks) for decks in (1, 2, 6, 8, 150)]
    some += [nothing.plus(chance.sample(cards, left)) for left in (300, 120, 60, 20)]
    some += [Shoe(tuple(chance.randrange(0, 5) * chance.randrange(0, 2) for _ in RANKS)) for _ in range(5)]
    some += [
        Shoe((3_999_996,) * 13),
        Shoe((0,) * 12 + (12,)),
        Shoe((0, 0, 40, 0, 0, 0, 0, 0, 0, 3, 7, 0, 90)),
    ]
    return some + [nothing.plus(chance.choices(RANKS, k=left)) for left in range(12) for _ in range(2)]


def variant(game: str, name: str, change: Change) -> Game:
    """The rule book of a game with another id, a change, and no register of interpretations."""
    data = parsed_toml(load_game(game).content.decode("utf-8")) | {"id": name}
    data.setdefault("practice", {})
    change(data)
    data.pop("interpretations")
    return parsed_game(toml_text(data).encode("utf-8"), Path(f"{name}.toml"))


def practised(limits_of: str = "", open_of: str = "", void: str = "", **practice: str) -> Change:
    """A change of practice; limits and the moments at which insurance is open are those of the other reading."""

    def change(data: Record) -> None:
        instead = {one["id"]: one["instead"] for one in data["interpretations"]}
        data["void"]["bets"] = void or data["void"]["bets"]
        data["practice"] |= practice
        if limits_of:
            data["insurance_terms"]["limits"] = instead[limits_of]["insurance_limits"]
        if open_of:
            data["insurance_terms"]["open"] = instead[open_of]["insurance_open"]

    return change


def variants() -> list[Game]:
    """Games in which bets stay or stand, insurance is open at other moments, or other limits hold."""
    return [
        variant(
            COMMISSION_2013,
            "stays",
            practised("insurance-cap-on-payout", void="stay", tied_bets="stay", insured_hand="either"),
        ),
        variant(
            COMMISSION_2013,
            "stands",
            practised(open_of="insurance-needs-a-card-to-come", void="decided-stand"),
        ),
        variant(COMMISSION_2013, "tied", practised(tied_bets="stay")),
        variant(COMMISSION_2024, "limit-each-time", practised("insurance-cap-each-time")),
        variant(COMMISSION_2024, "limit-of-differential", practised("quarter-of-the-maximum-bet")),
    ]


# ---------------------------------------------------------------- the answers of Python


def plain(record: object) -> Any:
    """A record as JSON has it."""
    return json.loads(json.dumps(record))


NOT_OF_THE_PAGE = (
    *("returned", "skewness_signed_square", "total_probability", "normal_from"),
    *("share_of_return", "true_odds", "is_void"),
)
"""Figures of bets and outcomes that the page does not give."""


def _known(record: Record) -> Record:
    """A record without the figures that the page does not give."""
    known = {key: value for key, value in record.items() if key not in NOT_OF_THE_PAGE}
    return known | ({"outcomes": [_known(line) for line in known["outcomes"]]} if "outcomes" in known else {})


def odds_record(game: Game, shoe: Shoe) -> Record:
    """Every bet by id, valued until decided where it may stay on the layout."""
    record: Record = plain(ODDS.object(odds(game, shoe)))
    bets = {bet["id"]: _known(bet) for bet in record["bets"]}
    return {key: record[key] for key in ("schema", "game", "shoe", "sample_space", "void")} | {"bets": bets}


def state_records(game: Game, shoe: Shoe) -> list[Record]:
    """Every insurance state."""
    return [plain(STATES.object(state)) for state in one_round_analysis(game, shoe).insurance]


def round_record(game: Game, dealt: Round, shoe: Shoe) -> Record:
    """A round in progress, without the figures that the page does not have."""
    record: Record = plain(
        ROUND.object(round_analysis(game, dealt, shoe.minus((*dealt.player, *dealt.banker))))
    )
    for bet in record["bets"]:
        bet.pop("worth_more_to", None)
    return record


def settlement_record(game: Game, settlement: Settlement) -> Record:
    """The lines of a settlement and their sums."""
    record: Record = plain(SETTLE.object(settlement))
    for line in record["lines"]:
        line.pop("condition", None)
    return {key: record[key] for key in ("lines", "staked", "net")}
