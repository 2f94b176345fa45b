"""A foreign log in the house's own columns: cards as ranks, amounts as decimals, rounds and shoes numbered.

What cannot be translated is set aside with its line and the reason: a card that cannot be read is not a card
that cannot have been dealt.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated

import msgspec
import numpy as np
import numpy.typing as npt

from combinat.audit.reading.grouping import By, carried
from combinat.audit.reading.guess import is_no_card, joined, likely, subject_named
from combinat.audit.reading.log_map import DECLARED, HANDS, MONEY, LogMap, Shoes
from combinat.audit.reading.notation import Notation, cards_in, winner_named
from combinat.audit.reading.rows import RowBatch, RowFile
from combinat.base.errors import CombinatError, FileError, InputError, shortened
from combinat.base.money import format_money, parse_net
from combinat.rules.cards import format_cards
from combinat.rules.game import Game

if TYPE_CHECKING:
    import polars

Numbers = npt.NDArray[np.int64]

_YES_NO = {
    **dict.fromkeys(("yes", "y", "true", "1", "drew", "drawn", "pair"), "yes"),
    **dict.fromkeys(("no", "n", "false", "0", "stood", "none", "-"), "no"),
}

MOST_TEXTS = 200_000
"""The most different texts of a column of cards or bets. More would fill the memory."""


Number = Annotated[int, msgspec.Meta(ge=-1, lt=2**62)]
"""The number of a round or a shoe; -1 before the first."""


class Numbering(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The numbers of the last round and shoe of one table, and their names in the log."""

    round: Number
    shoe: Number
    last_round: str | None
    last_shoe: str | None
    begun: bool

    @classmethod
    def new(cls) -> "Numbering":
        """No rounds yet."""
        return cls(round=0, shoe=0, last_round=None, last_shoe=None, begun=False)


@dataclass(slots=True)
class Translator:
    """Turns the rows of a foreign log into rounds in standard columns. ``by``: columns that are kept for grouping."""

    log_map: LogMap
    game: Game | None
    place: str
    by: tuple[By, ...] = ()
    _hands: dict[str, str] = field(default_factory=dict)
    _faults: dict[str, str] = field(default_factory=dict)
    numbering: dict[str, Numbering] = field(default_factory=dict)

    @property
    def is_by_wager(self) -> bool:
        """Whether a row is a wager, and several may be of one round."""
        return "bet" in self.log_map.columns or "player" in self.log_map.columns

    @property
    def has_shoes(self) -> bool:
        """Whether rounds come from whole shoes."""
        return "shoe" in self.log_map.columns or self.log_map.shoes is Shoes.RESTART

    @property
    def names(self) -> list[str]:
        """The columns that rows are translated to."""
        columns = self.log_map.columns
        names = ["round"]
        names += ["id"] if self._name_of_rounds else []
        names += ["shoe"] if self.has_shoes else []
        names += [name for name in ("table", "player") if name in columns]
        names += [name for name in (*HANDS, *DECLARED) if name in columns]
        return [*names, *self._money_names()]

    @property
    def _name_of_rounds(self) -> str | None:
        """The column by which the log itself calls its rounds."""
        return next((name for name in ("id", "round") if name in self.log_map.columns), None)

    def _money_names(self) -> list[str]:
        subjects = self._subjects() if "bet" in self.log_map.columns else []
        money = [kind for kind in ("stake", "payout", "net") if kind in self.log_map.columns]
        if "profit" in self.log_map.columns:
            money.append("payout")
        names = [f"{kind}:{subject}" for subject in subjects for kind in money]
        for name in self.log_map.columns:
            kind, colon, subject = name.partition(":")
            if colon and kind in MONEY:
                names.append(f"{'payout' if kind == 'profit' else kind}:{subject}")
        return list(dict.fromkeys(names))

    def _subjects(self) -> list[str]:
        if self.game is None:
            return []
        return [
            *(bet.id for bet in self.game.bets),
            *(str(table.insured) for table in self.game.insurance),
        ]

    # ------------------------------------------------------------ rows

    def rows(self, rows: RowBatch) -> RowBatch:
        """Some rows, translated; those that cannot be are set aside."""
        import polars

        frame = rows.frame
        if not frame.height:
            names = [*self.names, *(by.carried for by in self.by)]
            return RowBatch(
                rows.lines, polars.DataFrame(schema=dict.fromkeys(names, polars.String)), rows.unreadable
            )
        bad: dict[int, str] = {}
        columns: dict[str, polars.Series] = {}
        for hand in HANDS:
            if hand in self.log_map.columns:
                columns[hand] = self._cards(frame, hand, bad)
        for name in DECLARED:
            if name in self.log_map.columns:
                columns[name] = self._declared(frame, name, bad)
        for name in ("table", "player"):
            if name in self.log_map.columns:
                columns[name] = self._column(frame, name).str.strip_chars().fill_null("")
        columns |= self._money(frame, bad)
        numbers = self._numbered(frame, columns.get("table"), rows.lines)
        columns["round"] = polars.Series(numbers[0]).cast(polars.String)
        if self.has_shoes:
            columns["shoe"] = polars.Series(numbers[1]).cast(polars.String)
        if self._name_of_rounds:
            columns["id"] = self._column(frame, self._name_of_rounds).str.strip_chars()
        whole = polars.DataFrame({name: columns[name] for name in self.names} | carried(frame, self.by))
        unreadable = [*rows.unreadable, *((int(rows.lines[row]), why) for row, why in sorted(bad.items()))]
        if not bad:
            return RowBatch(rows.lines, whole, unreadable)
        kept = np.ones(frame.height, dtype=np.bool_)
        kept[list(bad)] = False
        return RowBatch(rows.lines[kept], whole.filter(polars.Series(kept)), sorted(unreadable))

    def _column(self, frame: "polars.DataFrame", what: str) -> "polars.Series":
        return frame[self.log_map.columns[what][0]]

    # ------------------------------------------------------------ cards

    def _cards(self, frame: "polars.DataFrame", hand: str, bad: dict[int, str]) -> "polars.Series":
        """The hands as ranks with spaces between them."""
        import polars

        names = self.log_map.columns[hand]
        texts = frame[names[0]].fill_null("") if len(names) == 1 else self._together(frame, names)
        for text in texts.unique().to_list():
            if text not in self._hands and text not in self._faults:
                self._read(text)
        if len(self._hands) + len(self._faults) > MOST_TEXTS:
            raise FileError(f"{self.place}: more than {MOST_TEXTS} different hands; this is no hand log")
        known = texts.replace_strict(
            list(self._hands), list(self._hands.values()), default=None, return_dtype=polars.String
        )
        for row in known.is_null().arg_true().to_list():
            bad.setdefault(row, f"{hand}: {self._faults[texts[row]]}")
        return known

    def _together(self, frame: "polars.DataFrame", names: tuple[str, ...]) -> "polars.Series":
        """The cards of several columns in one text."""
        import polars

        parts = []
        for number, name in enumerate(names):
            column = frame[name]
            absent = [
                text
                for text in column.unique().to_list()
                if text is not None and self._is_absent(text, number)
            ]
            parts.append(
                polars.when(polars.col(name).is_in(absent))
                .then(None)
                .otherwise(polars.col(name))
                .alias(str(number))
            )
        return frame.select(polars.concat_str(parts, separator=" ", ignore_nulls=True).alias("cards"))[
            "cards"
        ]

    def _is_absent(self, text: str, number: int) -> bool:
        """Whether a cell means that there is no such card; so does 0 if no card has that number."""
        no_zero = self.log_map.cards_as in (
            Notation.RANK,
            Notation.NUMBER,
            Notation.INDEX_FROM_1,
            Notation.INDEX_BY_RANK_FROM_1,
        )
        return is_no_card(text) or (number == 2 and no_zero and text.strip() == "0")

    def _read(self, text: str) -> None:
        notation = self.log_map.cards_as or Notation.RANK
        try:
            cards = cards_in(joined([text]), notation)
            if not cards:
                raise InputError("found no card")
            self._hands[text] = format_cards(cards)
        except InputError as error:
            other = likely([text])
            hint = f"; it looks like {other.in_words}" if other not in (None, notation) else ""
            self._faults[text] = f"{error}{hint}"

    # ------------------------------------------------------------ declared results

    def _declared(self, frame: "polars.DataFrame", name: str, bad: dict[int, str]) -> "polars.Series":
        """The declared results of rounds in standard words; null for a blank."""
        import polars

        column = self._column(frame, name).str.strip_chars()
        said: dict[str, str | None] = {}
        for text in column.unique().to_list():
            if text:
                said[text] = self._word(name, text)
        for row in column.is_in([text for text, word in said.items() if word is None]).arg_true().to_list():
            bad.setdefault(
                row,
                f'{name}: found "{shortened(column[row])}"; write {_EXAMPLES[name.partition("_")[2] or name]}',
            )
        texts = list(said)
        return column.replace_strict(
            texts, [said[text] for text in texts], default=None, return_dtype=polars.String
        )

    def _word(self, name: str, text: str) -> str | None:
        plain = text.casefold()
        if name == "winner":
            return winner_named(plain)
        if name.endswith("_points"):
            return plain if len(plain) == 1 and plain in "0123456789" else None
        return _YES_NO.get(plain)

    # ------------------------------------------------------------ amounts

    def _money(self, frame: "polars.DataFrame", bad: dict[int, str]) -> dict[str, "polars.Series"]:
        """The columns of money, in decimals with a point."""
        columns: dict[str, polars.Series] = {}
        amounts = {
            name: self._amounts(self._column(frame, name))
            for name in self.log_map.columns
            if name.partition(":")[0] in MONEY
        }
        for name in [name for name in amounts if name.partition(":")[0] == "profit"]:
            _, colon, subject = name.partition(":")
            stake = amounts.get(f"stake{colon}{subject}")
            if stake is None:
                raise FileError(f"{self.place}: the column {name} needs stake{colon}{subject} beside it")
            amounts[f"payout{colon}{subject}"] = _added(stake, amounts.pop(name))
        if "bet" not in self.log_map.columns:
            return {name: amounts[name] for name in self._money_names()}
        bets = self._bets(frame, bad)
        for name in self._money_names():
            kind, _, subject = name.partition(":")
            mine = amounts[kind]
            columns[name] = mine.set((bets != subject).fill_null(True), None)
        return columns

    def _bets(self, frame: "polars.DataFrame", bad: dict[int, str]) -> "polars.Series":
        """What each wager is on."""
        import polars

        column = self._column(frame, "bet").str.strip_chars()
        texts = [text for text in column.unique().to_list() if text]
        if len(texts) > MOST_TEXTS:
            raise FileError(f"{self.place}: more than {MOST_TEXTS} different bets; this is no hand log")
        subjects = {text: self.game and subject_named(self.game, text) for text in texts}
        unknown = [text for text, subject in subjects.items() if subject is None]
        for row in column.is_in(unknown).arg_true().to_list():
            bad.setdefault(
                row, f'bet: found "{shortened(column[row])}"; write one of {", ".join(self._subjects())}'
            )
        return column.replace_strict(
            texts, [subjects[text] for text in texts], default=None, return_dtype=polars.String
        )

    def _amounts(self, column: "polars.Series") -> "polars.Series":
        """Amounts without currency signs, separators of thousands and other decoration."""
        import polars

        texts = column.str.strip_chars()
        if self.log_map.currency:
            texts = texts.str.replace_all(self.log_map.currency, "", literal=True).str.strip_chars()
        texts = texts.str.replace_all(r"^([+-]?)[$€£¥]\s*", "$1")
        if self.log_map.thousands:
            texts = texts.str.replace_all(self.log_map.thousands, "", literal=True)
        if self.log_map.decimal != ".":
            texts = texts.str.replace(self.log_map.decimal, ".", literal=True)
        texts = (
            texts.str.replace(r"^\((.*)\)$", "-$1").str.replace(r"^([0-9.]+)-$", "-$1").str.strip_prefix("+")
        )
        return texts.set((texts == "").fill_null(False), None).cast(polars.String)

    # ------------------------------------------------------------ numbers

    def _numbered(
        self, frame: "polars.DataFrame", tables: "polars.Series | None", lines: Numbers
    ) -> tuple[Numbers, Numbers]:
        """The rounds and the shoes of the rows, numbered by table."""
        rounds = np.zeros(frame.height, dtype=np.int64)
        shoes = np.zeros(frame.height, dtype=np.int64)
        of_round = self._ids(frame, "round")
        of_round = self._ids(frame, "id") if of_round is None else of_round
        of_shoe = self._ids(frame, "shoe")
        for name in tables.unique(maintain_order=True).to_list() if tables is not None else [""]:
            rows = np.arange(frame.height) if tables is None else (tables == name).arg_true().to_numpy()
            mine = [None if column is None else column.gather(rows) for column in (of_round, of_shoe)]
            counter = self.numbering.setdefault(name, Numbering.new())
            self._check_shoes(counter, lines[rows], mine[0])
            rounds[rows], shoes[rows] = self._counted(counter, mine[0], mine[1], len(rows))
        return rounds, shoes

    def _check_shoes(self, counter: Numbering, lines: Numbers, of_round: "polars.Series | None") -> None:
        """Refuse numbers of rounds that begin again if shoes are not described: the log is ambiguous."""
        if self.has_shoes or self.log_map.shoes is not None or "round" not in self.log_map.columns:
            return
        if of_round is None or "id" in self.log_map.columns:
            return
        again = np.flatnonzero(_begin_again(of_round, counter.last_round))
        if again.size:
            row = int(again[0])
            before = of_round[row - 1] if row else counter.last_round
            place = f"{self.place}, line {lines[row]}: the round {of_round[row]} comes after {before}"
            if 2 * again.size > len(of_round):
                raise FileError(
                    f"{place}, and most rows after a higher one; put the rows in the order in which they were dealt"
                )
            raise InputError(
                f"{place}, and no column names shoes",
                "write {log_map} shoes=restart if a new shoe begins there, {log_map} shoes=none if each round is from a "
                "fresh shuffle",
                parameter="log_map",
            )

    def _counted(
        self,
        counter: Numbering,
        of_round: "polars.Series | None",
        of_shoe: "polars.Series | None",
        height: int,
    ) -> tuple[Numbers, Numbers]:
        """The rounds and the shoes of one table's rows, counted on from the counter."""
        changes = np.zeros(
            (3, height), dtype=np.int64
        )  # of the shoe, of the round, and where rounds begin again
        changes[0] = _changes(of_shoe, counter.last_shoe, height)
        if self.log_map.shoes is Shoes.RESTART and of_round is not None:
            changes[2] = _begin_again(of_round, counter.last_round)
        changes[1] = 1
        if self.is_by_wager:
            changes[1] = changes[0] | _changes(of_round, counter.last_round, height)
        if not counter.begun:
            changes[:, 0] = 0, 1, 0
        shoes = counter.shoe + np.cumsum(changes[0] + changes[2])
        rounds = counter.round + np.cumsum(changes[1])
        counter.shoe, counter.round, counter.begun = int(shoes[-1]), int(rounds[-1]), True
        counter.last_round = None if of_round is None else of_round[-1]
        counter.last_shoe = None if of_shoe is None else of_shoe[-1]
        return rounds, shoes + 1

    def _ids(self, frame: "polars.DataFrame", what: str) -> "polars.Series | None":
        if what not in self.log_map.columns:
            return None
        return self._column(frame, what).str.strip_chars()


_EXAMPLES = {
    "winner": "player, banker or tie (P, B, T)",
    "points": "a total from 0 to 9",
    "pair": "yes or no",
    "drew": "yes or no",
}


def _changes(column: "polars.Series | None", last: str | None, height: int) -> Numbers:
    """1 where a value is another than the one before it; ``last``: before the first."""
    if column is None:
        return np.zeros(height, dtype=np.int64)
    differs = column.ne_missing(column.shift(1)).to_numpy().astype(np.int64)
    differs[0] = column[0] != last
    return differs


def _begin_again(column: "polars.Series", last: str | None) -> Numbers:
    """1 where a number is lower than the one before it, both being whole numbers."""
    import polars

    before = column.shift(1)
    before = before.set(polars.Series(np.arange(len(before)) == 0), last) if last is not None else before
    numbers, earlier = (
        texts.set(~texts.str.contains(r"^[0-9]{1,18}$").fill_null(False), None).cast(polars.Int64)
        for texts in (column, before)
    )
    return (numbers < earlier).fill_null(False).to_numpy().astype(np.int64)


def _added(stakes: "polars.Series", profits: "polars.Series") -> "polars.Series":
    """The payout: the stake and the profit; a text that is not an amount is kept, and refused in its row."""
    import polars

    known: dict[tuple[str | None, str | None], str | None] = {}
    back: list[str | None] = []
    for pair in zip(stakes.to_list(), profits.to_list(), strict=True):
        if pair not in known:
            known[pair] = _back(*pair)
        back.append(known[pair])
    return polars.Series(back, dtype=polars.String)


def _back(stake: str | None, profit: str | None) -> str | None:
    if stake is None or profit is None:
        return None
    try:
        total = parse_net(stake) + parse_net(profit)
    except CombinatError:
        return profit
    return format_money(total) if total >= 0 else profit


def translated_batches(
    rows: RowFile, translation: Callable[[], Translator]
) -> Callable[[Callable[[int], None]], Iterator[RowBatch]]:
    """The batches of a log, translated from their beginning each time."""

    def batches(advance: Callable[[int], None]) -> Iterator[RowBatch]:
        under_way = translation()
        for some in rows.batches(advance):
            yield under_way.rows(some)

    return batches
