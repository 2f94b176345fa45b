"""The replay of a hand log: every row dealt and settled again by the rules, and compared exactly.

Rows are taken a batch at a time. What decides a settlement is the row's cell, so each cell is settled
once, by the same code as ``combinat settle``, and looked up from then on.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from combinat.analysis.verdict import ColumnTotal, FaultKind, Replayed, RowFault, WrongSettlement
from combinat.audit.amounts import (
    Chips,
    Read,
    Texts,
    Total,
    due_back,
    net_of,
    read_column,
    unreadable_values,
    wrong_nets,
    wrong_payouts,
)
from combinat.audit.faults import Faults, Sink
from combinat.audit.given_the_cards import GivenTheCards
from combinat.audit.groups import Groups
from combinat.audit.hand_log import LogColumn, Money, Rows
from combinat.audit.insured_given import InsuredGiven
from combinat.audit.log_map import DECLARED
from combinat.audit.notation import Notation, cards_in
from combinat.audit.serial import Last, Serial
from combinat.audit.settled import Flags, Hands, ReplayedRows, Settled, insured, played, settled_line
from combinat.audit.shown_shoe import ShoeToShow
from combinat.engine.walk import MOST_CARDS
from combinat.errors import HandLogError, RoundError, shown
from combinat.rules.cards import RANKS, Rank
from combinat.rules.game import Game
from combinat.rules.money import format_money, parse_money
from combinat.rules.shoe import Shoe
from combinat.simulate.cell import NO_CARD, STOOD, CellFacts, Indices, Six, cells, chosen
from combinat.simulate.cell import NUMBER as CELLS
from combinat.simulate.dealer import MOST_BURNT
from combinat.simulate.question import Question
from combinat.simulate.tally import Tallies, Tally, tallied

if TYPE_CHECKING:
    import polars

SHOWN = 10
"""How many rows of each kind of fault are kept to be shown."""

TEN = RANKS.index(Rank.TEN)

MOST_WAGERS = 100
"""Rows of one round, where rows are wagers, that are waited for."""

MOST_DUE = 100_000
"""Settlements that are kept in mind while wrong ones are listed."""

MOST_TABLES = 1_000
"""Tables in one log: each has a shoe of its own to keep."""


Watched = Callable[[Last, Tallies, Six, Indices, Tallies], None]
"""What is called with rounds of one table as they come: how it stood before them, the cards left before each, the
cards, the cells and the lines."""


@dataclass(slots=True)
class Table:
    """Where a table stands: its last round and shoe, the cards of that shoe that were used, rows that wait."""

    last_round: int = -1
    last_shoe: int = -1
    used: Tallies = field(default_factory=lambda: np.zeros(len(RANKS), dtype=np.int64))
    held: Rows | None = None
    last_cards: str = ""
    last_number: int = -1
    last: Last = field(default_factory=Last)


@dataclass(frozen=True, slots=True)
class Piece:
    """Rows of one table that were read: which could be dealt, which begin a round, the cards left before each."""

    rows: Rows
    possible: Flags
    first: Flags
    shoes: Tallies
    before: Tallies
    dealt: Six
    cells: Indices
    values: dict[LogColumn, Read]


class Replay:
    """A log, replayed as far as its rows have been added.

    ``cut_card``: rounds come from whole shoes, with so many cards behind the cut card. Each round is then counted
    against its chances given the cards left; ``short_shoes`` are those that end before the cut card can have come.
    ``witness``: who is shown the rows instead of having them counted.
    ``watched``: what becomes of rounds instead of being counted; then no row waits for the end of its shoe.
    ``settled``: what is known already of the game's cells, from another log.
    """

    def __init__(
        self,
        game: Game,
        shoe: Shoe,
        columns: Sequence[LogColumn],
        cut_card: int | None = None,
        chips: Chips | None = None,
        tells_ranks: bool = True,
        sink: Sink | None = None,
        groups: Groups | None = None,
        to_show: ShoeToShow | None = None,
        witness: Callable[[Piece], None] | None = None,
        watched: Watched | None = None,
        settled: Settled | None = None,
    ) -> None:
        self.game, self.shoe, self.columns = game, shoe, columns
        self.faults, self.groups, self.to_show = Faults(game, sink), groups, to_show
        self.witness = witness
        self.watched = watched
        self.chips, self.tells_ranks = chips, tells_ranks
        self.whole_shoes, self.cut_card = cut_card is not None, cut_card
        self.shoes = self.short_shoes = self.gaps = self.missing = self.unfinished = 0
        self.rows = self.unreadable = self.impossible = self.misdeclared = self.wrong = 0
        self.declared = 0
        self.first_unreadable: list[RowFault] = []
        self.first_misdeclared: list[RowFault] = []
        self.first_gaps: list[RowFault] = []
        self.first_impossible: list[RowFault] = []
        self.first_wrong: list[WrongSettlement] = []
        self.totals = {column: Total() for column in columns if column.money is not Money.STAKE}
        self._hands, self._settled = Hands(), settled or Settled(game)
        self._texts = {column: Texts(column.money) for column in columns}
        self._due: dict[tuple[LogColumn, str, str, str | None], tuple[str, str]] = {}
        self.tally = Tally(self._settled.questions)
        self.serial = Serial()
        self.given = GivenTheCards(game, self._settled.questions) if self.whole_shoes else None
        self.insured_given = InsuredGiven(game, self._settled.questions) if self.whole_shoes else None
        self.tables: dict[str, Table] = {}
        self._table = Table()  # the one whose rows are being replayed

    def record(
        self, line_word: str, read_as: tuple[tuple[str, str], ...] = (), cut_card_stated: bool = False
    ) -> Replayed:
        """What became of the rows added so far. ``line_word``: what the number of a row is called."""
        return Replayed(
            line_word=line_word,
            read_as=read_as,
            tables=len(self.tables),
            rows=self.rows,
            unreadable=self.unreadable,
            impossible=self.impossible,
            declared=self.declared,
            misdeclared=self.misdeclared,
            wrong=self.wrong,
            cut_card=self.cut_card,
            cut_card_stated=cut_card_stated,
            shoes=self.shoes,
            short_shoes=self.short_shoes,
            gaps=self.gaps,
            missing=self.missing,
            first_unreadable=tuple(self.first_unreadable),
            first_impossible=tuple(self.first_impossible),
            first_misdeclared=tuple(self.first_misdeclared),
            first_gaps=tuple(self.first_gaps),
            first_wrong=tuple(self.first_wrong),
            totals=tuple(
                ColumnTotal(
                    column=str(column),
                    rows=total.rows,
                    wrong=total.wrong,
                    recorded=total.recorded,
                    due=total.due,
                )
                for column, total in self.totals.items()
            ),
            causes=self.faults.causes.record(),
            groupings=self.groups.record() if self.groups is not None else (),
            shown_shoe=self.to_show.record() if self.to_show is not None else None,
        )

    @property
    def questions(self) -> list[Question]:
        """Every bet and insurance table, with the labels of the cells met so far."""
        return self._settled.questions

    @property
    def wrong_subjects(self) -> list[str]:
        """The bets and insurance of which some settlement is wrong."""
        return sorted({column.subject for column, total in self.totals.items() if total.wrong})

    def add_all(self, batches: Iterable[Rows]) -> None:
        """Replay a whole log."""
        for rows in batches:
            self.add(rows)
        self.finish()

    def add(self, rows: Rows) -> None:
        """Replay some rows. Of whole shoes, the last shoe of each table waits until its end has come."""
        self._note_lines(rows)
        if "table" not in rows.frame.columns:
            self._add("", rows)
        else:
            tables = rows.frame["table"].fill_null("")
            for name in tables.unique(maintain_order=True).to_list():
                mine = (tables == name).arg_true().to_numpy()
                self._add(name, Rows(rows.lines[mine], rows.frame[mine], ()))
        self.faults.hand_on()

    def _add(self, name: str, rows: Rows) -> None:
        if name not in self.tables and len(self.tables) >= MOST_TABLES:
            raise HandLogError(f"more than {MOST_TABLES} tables; is this a column of tables?")
        self._table = self.tables.setdefault(name, Table())
        if self._table.held is not None:
            rows = _joined(self._table.held, rows)
            self._table.held = None
        if self.whole_shoes and rows.frame.height and self.watched is None:
            shoes = np.maximum.accumulate(_whole_numbers(rows.frame["shoe"]))
            end = int(np.searchsorted(shoes, shoes[-1]))
            wagers = MOST_WAGERS if "player" in rows.frame.columns else 1
            if rows.frame.height - end <= self.shoe.size * wagers:  # a shoe has no more rounds than cards
                self._table.held = Rows(rows.lines[end:], rows.frame[end:], ())
                rows = Rows(rows.lines[:end], rows.frame[:end], ())
        self._replay(rows)

    def finish(self) -> None:
        """Replay what is still waiting."""
        for table in self.tables.values():
            if table.held is not None:
                held, table.held = table.held, None
                self._table = table
                self._replay(held)
        self.faults.hand_on()

    def _note_lines(self, rows: Rows) -> None:
        """The lines that are no rows."""
        self.rows += len(rows.unreadable)
        self.faults.add_lines(rows.unreadable)
        self._note_unreadable(
            len(rows.unreadable),
            [RowFault(line=line, round="", cards="", message=why) for line, why in rows.unreadable],
        )

    def _replay(self, rows: Rows) -> None:
        self.rows += rows.frame.height
        if not rows.frame.height:
            return
        values = {
            column: read_column(rows.frame[str(column)], self._texts[column]) for column in self.columns
        }
        shoes, first, bad = self._numbers(rows)
        numbers = [self._hands.numbers(rows.frame[name]) for name in HANDS]
        bad = self._unread_hands(numbers) | unreadable_values(values) | bad
        self._note_unreadable(len(bad), [self._fault(rows, row, bad[row]) for row in sorted(bad)[:SHOWN]])
        self.faults.add_rows(rows, bad)
        readable = np.ones(rows.frame.height, dtype=np.bool_)
        readable[list(bad)] = False
        dealt = Six(self._hands.ranks(numbers[0]), self._hands.ranks(numbers[1]))
        round_cells = cells(dealt)
        over, before = self._overdrawn(dealt, shoes, readable & first & self._are_hands(numbers))
        possible = self._possible(rows, shoes, numbers, dealt, round_cells, readable, over)
        kept = np.flatnonzero(possible)
        faulty = ~possible
        faulty[self._hold_declared(rows, kept, round_cells[kept])] = True
        faulty[self._compare(rows, kept, dealt, round_cells[kept], values)] = True
        if self.witness is not None:
            self.witness(Piece(rows, possible, first, shoes, before, dealt, round_cells, values))
            return
        self._count(rows, np.flatnonzero(possible & first), dealt, round_cells, shoes, before)
        replayed = ReplayedRows(possible, first, faulty, round_cells, dealt, before)
        if self.groups is not None:
            self.groups.add(rows, replayed, values, self._settled.questions)
        if self.to_show is not None:
            self.to_show.add(rows, shoes, replayed)

    def _are_hands(self, numbers: list[Indices]) -> Flags:
        """The rows whose cards are two hands."""
        faults = self._hands.faults
        return ~self._hands.are(faults, numbers[0]) & ~self._hands.are(faults, numbers[1])

    def _unread_hands(self, numbers: list[Indices]) -> dict[int, str]:
        """The rows whose cards cannot be read."""
        unread = self._hands.unreadable
        bad: dict[int, str] = {}
        for name, of_hand in zip(("Player Hand", "Banker Hand"), numbers, strict=True):
            for row in np.flatnonzero(self._hands.are(unread, of_hand)).tolist():
                message = f"{name}: {unread[int(of_hand[row])]}"
                bad[row] = f"{bad[row]}; {message}" if row in bad else message
        return bad

    def _count(
        self, rows: Rows, rounds: Indices, dealt: Six, round_cells: Indices, shoes: Tallies, before: Tallies
    ) -> None:
        """Count rounds that could be dealt, each given the cards left before it."""
        if self.whole_shoes:
            left = before[rounds]
            enough = (
                left.sum(axis=1) >= MOST_CARDS
            )  # with fewer a round may be void, and void rounds have no row
        else:
            left = np.broadcast_to(before[:1], (len(rounds), len(RANKS)))
            enough = np.full(len(rounds), self.shoe.size >= MOST_CARDS)
        if not enough.all():
            self.unfinished += int((~enough).sum())
            rounds, left = rounds[enough], left[enough]
        if not len(rounds):
            return
        dealt, round_cells = chosen(dealt, rounds), round_cells[rounds]
        table, lines = self._table, rows.lines[rounds]
        if self.watched is not None:
            self.watched(table.last, left, dealt, round_cells, lines)
            return
        winners = _winners(round_cells)
        if self.given is not None and self.insured_given is not None:
            self._count_shoes(shoes[rounds], left, dealt)
            chances = self.given.add(left, dealt, round_cells, self.tells_ranks)
            self.insured_given.add(left, dealt, round_cells)
        else:
            chances = None
        if self.tells_ranks:
            self.serial.add(table.last, left, dealt, lines, fresh=not self.whole_shoes)
        self.serial.add_winners(table.last, winners, chances)
        self.tally.add(tallied(self._settled.questions, dealt, round_cells))

    def _count_shoes(self, shoes: Tallies, left: Tallies, dealt: Six) -> None:
        """Count shoes, and those that end while more cards are left than any cut card and burning leave."""
        ends = np.flatnonzero(np.diff(shoes, append=shoes[-1] + 1))
        drawn = sum((cards[ends] != NO_CARD).astype(np.int64) for cards in (*dealt.player, *dealt.banker))
        self.shoes += len(ends)
        most = (self.cut_card or 0) + MOST_BURNT
        self.short_shoes += int((left[ends].sum(axis=1) - drawn > most).sum())

    # ------------------------------------------------------------ what cannot be read

    def _numbers(self, rows: Rows) -> tuple[Tallies, Flags, dict[int, str]]:
        """The rows' shoes; which rows are the first of their round; the rows whose round or shoe is out of order."""
        bad: dict[int, str] = {}
        table, wagers = self._table, "player" in rows.frame.columns
        before = table.last_round
        numbers = _whole_numbers(rows.frame["round"])
        rounds, table.last_round = _ascending(rows, "round", numbers, before, 0 if wagers else 1, bad)
        if "id" in rows.frame.columns:
            numbers = _whole_numbers(rows.frame["id"])
        first: Flags = (
            np.diff(rounds, prepend=before) != 0 if wagers else np.ones(len(rounds), dtype=np.bool_)
        )
        if wagers:
            self._check_repeated(rows, first, bad)
        if not self.whole_shoes:
            self._note_gaps(rows, numbers, np.zeros_like(rounds))
            return np.zeros_like(rounds), first, bad
        last = table.last_shoe
        shoes, table.last_shoe = _ascending(rows, "shoe", _whole_numbers(rows.frame["shoe"]), last, 0, bad)
        if shoes[0] != last:
            table.used[:] = 0
        self._note_gaps(rows, numbers, shoes)
        return shoes, first, bad

    def _note_gaps(self, rows: Rows, numbers: Tallies, shoes: Tallies) -> None:
        """Note numbers of rounds that are missing between two rows of one shoe."""
        before = np.concatenate([[self._table.last_number], numbers[:-1]])
        same = np.diff(shoes, prepend=shoes[0]) == 0
        steps = np.where((before >= 0) & (numbers >= 0) & same, numbers - before, 1)
        self._table.last_number = int(numbers[-1])
        wide = np.flatnonzero(steps > 1)
        self.gaps += len(wide)
        self.missing += int((steps[wide] - 1).sum())
        for row in wide[: SHOWN - len(self.first_gaps)].tolist():
            message = f"{steps[row] - 1} numbers are missing after {before[row]}"
            self.first_gaps.append(self._fault(rows, row, message))

    def _check_repeated(self, rows: Rows, first: Flags, bad: dict[int, str]) -> None:
        """Refuse a round that is given again with other cards."""
        import polars

        cards = rows.frame.select(
            polars.concat_str(HANDS, separator=" / ", ignore_nulls=True).alias("cards")
        )["cards"]
        begin = np.maximum.accumulate(np.where(first, np.arange(len(first)), -1))
        of_round = cards.gather(np.maximum(begin, 0)).set(polars.Series(begin < 0), self._table.last_cards)
        for row in (cards != of_round).fill_null(True).arg_true().to_list():
            bad.setdefault(row, f"the round is given again with other cards: {shown(cards[row] or '')}")
        self._table.last_cards = of_round[-1] or ""

    def _fault(self, rows: Rows, row: int, message: str) -> RowFault:
        number = _name(rows, row)
        return RowFault(
            line=int(rows.lines[row]), round=number, cards=_cards(rows, row), message=shown(message)
        )

    def _note_unreadable(self, count: int, faults: list[RowFault]) -> None:
        self.unreadable += count
        self.first_unreadable = sorted([*self.first_unreadable, *faults])[:SHOWN]

    # ------------------------------------------------------------ what cannot have been dealt

    def _possible(
        self,
        rows: Rows,
        shoes: Tallies,
        numbers: list[Indices],
        dealt: Six,
        round_cells: Indices,
        readable: Flags,
        over: Tallies,
    ) -> Flags:
        """The readable rows that could have been dealt; the others are noted."""
        faults = self._hands.faults
        known = readable & self._are_hands(numbers)
        rows_known = np.flatnonzero(known)
        self._settled.learn(round_cells[rows_known], chosen(dealt, rows_known))
        against = known & self._settled.impossible[round_cells]
        impossible = np.flatnonzero(readable & (~known | against | (over >= 0))).tolist()
        self.impossible += len(impossible)
        place = np.flatnonzero(against)
        self.faults.add_cells(rows, place, round_cells[place])
        room = SHOWN - len(self.first_impossible)
        for number, row in enumerate(impossible):
            is_told = number < room or self.faults.are_listed
            clause = ""
            if not known[row]:
                hands = zip(
                    ("Player Hand", "Banker Hand"), (int(of_hand[row]) for of_hand in numbers), strict=True
                )
                message = "; ".join(f"{name}: {faults[hand]}" for name, hand in hands if hand in faults)
                self.faults.causes.add(FaultKind.IMPOSSIBLE, message, 1, int(rows.lines[row]))
            elif against[row]:
                if not is_told:
                    continue
                message, clause = self._refusal(rows, row), self.faults.cell_cause(round_cells[row]).clause
            else:
                rank = RANKS[int(over[row])]
                where = f"shoe {shoes[row]}" if self.whole_shoes else "the round"
                held = f"than the {self.shoe[rank]} that the shoe holds"
                message = f"more of {rank} in {where} {held}"
                alike = f"more of {rank} in one shoe {held}"
                self.faults.causes.add(FaultKind.IMPOSSIBLE, alike, 1, int(rows.lines[row]))
            if number < room:
                self.first_impossible.append(self._fault(rows, row, message))
            self.faults.add_row(rows, row, FaultKind.IMPOSSIBLE, message, clause)
        return known & ~against & (over < 0)

    def _refusal(self, rows: Rows, row: int) -> str:
        """Why the Table of Play could not have dealt this row."""
        try:
            played(self.game, *_hands(rows, row))
        except RoundError as error:
            return str(error)
        raise AssertionError(f"row {row} can be dealt")  # its cell said otherwise

    def _overdrawn(self, dealt: Six, shoes: Tallies, known: Flags) -> tuple[Tallies, Tallies]:
        """For each row a rank of which it drew one more than the shoe holds, -1: there is none; the cards left before it."""
        held = np.array(self.shoe.counts)
        if not self.tells_ranks:  # every card that is worth nothing was read as a 10
            held[TEN], held[TEN + 1 :] = held[TEN:].sum(), 0
        if not self.whole_shoes and held.min() >= MOST_CARDS:  # no round takes so many
            return np.full(len(known), -1), np.broadcast_to(held, (len(known), len(RANKS)))
        drawn = np.zeros((len(known), len(RANKS) + 1), dtype=np.int64)
        everyone = np.arange(len(known))
        for card in (*dealt.player, *dealt.banker):
            drawn[everyone, card] += 1
        drawn = drawn[:, :-1] * known[:, None]
        so_far = drawn
        if self.whole_shoes:
            added = np.cumsum(drawn, axis=0)
            starts = np.flatnonzero(np.diff(shoes)) + 1
            before = np.concatenate([-self._table.used[None, :], added[starts - 1]])
            so_far = added - before[np.searchsorted(starts, everyone, side="right")]
            self._table.used = so_far[-1].copy()
        too_many = (so_far > held) & (drawn > 0)
        over = np.where(too_many.any(axis=1), too_many.argmax(axis=1), -1)
        if not self.whole_shoes:
            return over, np.broadcast_to(held, drawn.shape)
        return over, np.maximum(held - (so_far - drawn), 0)

    # ------------------------------------------------------------ what is declared otherwise

    def _hold_declared(self, rows: Rows, kept: Indices, round_cells: Indices) -> Indices:
        """Hold what rows declare of their round against its cards; the rows that declare otherwise."""
        names = [name for name in DECLARED if name in rows.frame.columns]
        if not self.tells_ranks:
            names = [name for name in names if not name.endswith("_pair")]
        if not names or not len(kept):
            return kept[:0]
        truth = _facts(round_cells)
        messages: dict[int, list[str]] = {}
        for name in names:
            said = rows.frame[name].gather(kept)
            self.declared += len(said) - said.null_count()
            places = (said != truth[name]).fill_null(False).arg_true().to_list()
            self.faults.add_declared(name, rows, kept[places].tolist())
            for place in places:
                messages.setdefault(place, []).append(
                    f"{name} {shown(said[place])}; the cards say {truth[name][place]}"
                )
        self.misdeclared += len(messages)
        for place in sorted(messages)[: SHOWN - len(self.first_misdeclared)]:
            self.first_misdeclared.append(self._fault(rows, int(kept[place]), ", ".join(messages[place])))
        for place, said_of_it in messages.items():
            self.faults.add_row(rows, int(kept[place]), FaultKind.DECLARED, ", ".join(said_of_it))
        return kept[list(messages)]

    # ------------------------------------------------------------ what is settled otherwise

    def _compare(
        self, rows: Rows, kept: Indices, dealt: Six, round_cells: Indices, values: dict[LogColumn, Read]
    ) -> Indices:
        """Hold what each column says against what is due; the rows that are settled otherwise."""
        asked = {question.subject: question for question in self._settled.questions}
        wrong: list[tuple[int, LogColumn]] = []
        every: list[Indices] = [kept[:0]]
        for column, total in self.totals.items():
            question = asked[column.subject]
            labels = question.labels_of(round_cells, dealt, kept)
            nets = [net_of(label) for label in question.labels]
            said = values[column]
            if isinstance(said, tuple) and column.money is Money.NET:
                is_wrong = wrong_nets(total, said[0][kept], said[1], labels, nets)
            else:
                stakes = values[LogColumn(Money.STAKE, column.subject)]
                is_wrong = wrong_payouts(total, said, stakes, kept, labels, nets, self.chips)
            places = np.flatnonzero(is_wrong)
            self.wrong += len(places)
            self.faults.add_settlements(rows, kept[places], column, question, labels[places])
            every.append(kept[places])
            told = places if self.faults.are_listed else places[:SHOWN]
            wrong += [(int(kept[row]), column) for row in told.tolist()]
        room = SHOWN - len(self.first_wrong)
        for number, (row, column) in enumerate(sorted(wrong, key=lambda row_and_column: row_and_column[0])):
            if number >= room and not self.faults.are_listed:
                break
            settlement = self._wrong(rows, row, column)
            if number < room:
                self.first_wrong.append(settlement)
            if self.faults.are_listed:
                self.faults.add_settlement(rows, row, settlement)
        return np.concatenate(every)

    def _wrong(self, rows: Rows, row: int, column: LogColumn) -> WrongSettlement:
        """A wrong settlement as it is shown, settled once more by the rules."""
        frame = rows.frame
        stake = None if column.money is Money.NET else frame[f"{Money.STAKE}:{column.subject}"][row]
        key = (column, frame[HANDS[0]][row], frame[HANDS[1]][row], stake)
        if key not in self._due:
            if len(self._due) >= MOST_DUE:
                self._due.clear()
            self._due[key] = self._due_of(rows, row, column, stake)
        due, clause = self._due[key]
        return WrongSettlement(
            line=int(rows.lines[row]),
            round=_name(rows, row),
            cards=_cards(rows, row),
            bet=column.subject,
            column=column.money,
            paid=shown(frame[str(column)][row] or "nothing"),
            due=due,
            clause=clause,
        )

    def _due_of(self, rows: Rows, row: int, column: LogColumn, stake: str | None) -> tuple[str, str]:
        """What is due to a row by the rules, and by which clause."""
        line = settled_line(self.game, played(self.game, *_hands(rows, row)), column.subject)
        if line is None:
            table = self.game.insurance_table(*insured(column.subject))
            return "not on offer", table.settled if table else ""
        if column.money is Money.NET:
            return format_money(line.net), line.clause
        if stake is None:
            return "no stake", line.clause
        return format_money(due_back(parse_money(stake.strip()), line.net, self.chips)), line.clause


def _ascending(
    rows: Rows, name: str, values: Tallies, last: int, step: int, bad: dict[int, str]
) -> tuple[Tallies, int]:
    """A column of whole numbers that never go down, or always go up; what breaks this goes to ``bad``."""
    column = rows.frame[name]
    for row in np.flatnonzero(values < 0).tolist():
        bad.setdefault(row, f'{name}: found "{column[row] or ""}"; write a whole number')
    before = np.concatenate([[last], values])
    if step:  # the number of the last row that has one
        places = np.maximum.accumulate(np.where(before >= 0, np.arange(len(before)), 0))
        before = before[places]
    else:  # the highest so far, to tell the shoes apart by
        before = np.maximum.accumulate(before)
    rule = "give each round a higher one" if step else "the rows of a shoe stand together, and shoes in order"
    for row in np.flatnonzero((values >= 0) & (values < before[:-1] + step)).tolist():
        bad.setdefault(row, f"{name}: found {values[row]} after {before[row]}; {rule}")
    return before[1:], int(before[-1])


def _whole_numbers(column: "polars.Series") -> Tallies:
    """A column's whole numbers; -1 where there is none."""
    import polars

    texts = column.str.strip_chars()
    whole = texts.str.contains(r"^[0-9]{1,18}$").fill_null(False)
    return texts.set(~whole, "-1").cast(polars.Int64).to_numpy()


HANDS = ("player_cards", "banker_cards")


def _hands(rows: Rows, row: int) -> list[tuple[Rank, ...]]:
    return [cards_in(rows.frame[name][row], Notation.RANK) for name in HANDS]


@cache
def _winner_of_cell() -> Indices:
    """Who wins, by the number of the cell."""
    facts = CellFacts.of(np.arange(CELLS))
    player, banker = (facts.player + facts.player_third) % 10, (facts.banker + facts.banker_third) % 10
    winners: Indices = np.where(player == banker, 2, (banker > player).astype(np.intp))
    return winners


def _winners(round_cells: Indices) -> Indices:
    """Who won each round, by number: Player, Banker, tie."""
    winners: Indices = _winner_of_cell()[round_cells]
    return winners


def _facts(round_cells: Indices) -> dict[str, "polars.Series"]:
    """What the cards say of rounds, in the words in which it is declared."""
    import polars

    facts = CellFacts.of(round_cells)
    player, banker = (
        (first + third) % 10
        for first, third in ((facts.player, facts.player_third), (facts.banker, facts.banker_third))
    )
    pair = facts.pairing
    yes_no = np.array(["no", "yes"])
    return {
        name: polars.Series(name, values)
        for name, values in {
            "winner": np.array(["tie", "player", "banker"])[np.sign(player - banker)],
            "player_points": player.astype(str),
            "banker_points": banker.astype(str),
            "player_pair": yes_no[((pair == 1) | (pair >= 3)).astype(int)],
            "banker_pair": yes_no[(pair >= 2).astype(int)],
            "player_drew": yes_no[(facts.player_third != STOOD).astype(int)],
            "banker_drew": yes_no[(facts.banker_third != STOOD).astype(int)],
        }.items()
    }


def _name(rows: Rows, row: int) -> str:
    """What a row calls its round: by the log's own name for it where it has one, and its table."""
    frame = rows.frame
    name = shown(frame["id" if "id" in frame.columns else "round"][row] or "")
    return f"{shown(frame['table'][row] or '')} {name}".strip() if "table" in frame.columns else name


def _cards(rows: Rows, row: int) -> str:
    player, banker = (shown(rows.frame[name][row] or "nothing") for name in HANDS)
    return f"Player {player}, Banker {banker}"


def _joined(held: Rows, rows: Rows) -> Rows:
    return Rows(
        np.concatenate([held.lines, rows.lines]),
        held.frame.vstack(rows.frame),
        (*held.unreadable, *rows.unreadable),
    )
