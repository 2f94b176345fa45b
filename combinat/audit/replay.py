"""The replay of a hand log: every row dealt and settled again by the rules, and compared exactly.

Rows are taken a batch at a time. What decides a settlement is the row's cell, so each cell is settled
once, by the same code as ``combinat settle``, and looked up from then on.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from combinat.analysis.verdict import FaultKind, Replayed, RowFault
from combinat.audit.amounts import Chips, Read, Texts, check_unit, read_column, unreadable_values
from combinat.audit.cards_drawn import drawn_from_fresh, drawn_from_shoes, held_by
from combinat.audit.dealt_rows import Dealer, DealtRows, unread_hands
from combinat.audit.declared import hold_declared
from combinat.audit.faults import Faults, Sink
from combinat.audit.given_the_cards import GivenTheCards
from combinat.audit.groups import Groups
from combinat.audit.hand_log import LogColumn, Rows
from combinat.audit.insured_given import InsuredGiven
from combinat.audit.noted import HANDS, SHOWN, Noted, row_fault
from combinat.audit.numbering import Table, numbers_of, whole_numbers
from combinat.audit.serial import Last, Serial
from combinat.audit.settled import Flags, Hands, ReplayedRows, Settled
from combinat.audit.settlements import Settlements
from combinat.audit.shown_shoe import ShoeToShow
from combinat.base.errors import HandLogError
from combinat.engine.walk import MOST_CARDS
from combinat.montecarlo.cell import NO_CARD, CellFacts, Indices, Six, chosen
from combinat.montecarlo.cell import NUMBER as CELLS
from combinat.montecarlo.dealer import MOST_BURNT
from combinat.montecarlo.question import Question
from combinat.montecarlo.tally import Tallies, Tally, tallied
from combinat.rules.cards import RANKS
from combinat.rules.game import Game
from combinat.rules.shoe import Shoe

MOST_WAGERS = 100
"""Rows of one round, where rows are wagers, that are waited for."""

MOST_TABLES = 1_000
"""Tables in one log: each has a shoe of its own to keep."""


Watched = Callable[[Last, Tallies, Six, Indices, Tallies], None]
"""What is called with rounds of one table as they come: how it stood before them, the cards left before each, the
cards, the cells and the lines."""


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
        self.shoes = self.short_shoes = self.unfinished = 0
        self.noted = Noted()
        self._hands, self._settled = Hands(), settled or Settled(game)
        self._texts = {column: Texts(column.money) for column in columns}
        self._held = held_by(shoe, tells_ranks)
        self._dealer = Dealer(
            game, shoe, self.whole_shoes, self._hands, self._settled, self.noted, self.faults
        )
        self.settlements = Settlements(game, columns, chips, self.noted, self.faults)
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
        noted = self.noted
        return Replayed(
            line_word=line_word,
            read_as=read_as,
            tables=len(self.tables),
            rows=noted.rows,
            unreadable=noted.unreadable,
            repeated=noted.repeated,
            impossible=noted.impossible,
            declared=noted.declared,
            misdeclared=noted.misdeclared,
            wrong=noted.wrong,
            cut_card=self.cut_card,
            cut_card_stated=cut_card_stated,
            shoes=self.shoes,
            short_shoes=self.short_shoes,
            gaps=noted.gaps,
            missing=noted.missing,
            first_unreadable=tuple(noted.first_unreadable),
            first_repeated=tuple(noted.first_repeated),
            first_impossible=tuple(noted.first_impossible),
            first_misdeclared=tuple(noted.first_misdeclared),
            first_gaps=tuple(noted.first_gaps),
            first_wrong=tuple(noted.first_wrong),
            totals=self.settlements.record(),
            causes=self.faults.causes.record(),
            groupings=self.groups.record() if self.groups is not None else (),
            shown_shoe=self.to_show.record() if self.to_show is not None else None,
        )

    @property
    def questions(self) -> list[Question]:
        """Every bet and insurance table, with the labels of the cells met so far."""
        return self._settled.questions

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
            shoes = np.maximum.accumulate(whole_numbers(rows.frame["shoe"]))
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
        self.noted.rows += len(rows.unreadable)
        self.faults.add_lines(rows.unreadable)
        self.noted.add_unreadable(
            len(rows.unreadable),
            [RowFault(line=line, round="", cards="", message=why) for line, why in rows.unreadable],
        )

    def _replay(self, rows: Rows) -> None:
        self.noted.rows += rows.frame.height
        if not rows.frame.height:
            return
        values = {
            column: read_column(rows.frame[str(column)], self._texts[column]) for column in self.columns
        }
        if self.chips is not None:
            check_unit(values, self.chips[0])
        of_numbers = numbers_of(rows, self._table, self.whole_shoes, self.noted)
        shoes, first = of_numbers.shoes, of_numbers.first
        numbers = self._hands.numbers(rows.frame[HANDS[0]]), self._hands.numbers(rows.frame[HANDS[1]])
        bad = unread_hands(self._hands, numbers) | unreadable_values(values) | of_numbers.bad
        repeated = {row: why for row, why in of_numbers.repeated.items() if row not in bad}
        readable = self._readable(rows, bad) & self._not_repeated(rows, repeated)
        of_rows = DealtRows.of(self._hands, numbers)
        over, before = self._drawn(of_rows.dealt, shoes, readable & first & of_rows.are_hands)
        known = np.flatnonzero(readable & of_rows.are_hands)
        self._settled.learn(of_rows.cells[known], chosen(of_rows.dealt, known))
        possible = self._dealer.possible(rows, of_rows, shoes, readable, over)
        faulty = ~possible
        faulty[self._otherwise(rows, np.flatnonzero(possible), of_rows, values)] = True
        if self.witness is not None:
            self.witness(Piece(rows, possible, first, shoes, before, of_rows.dealt, of_rows.cells, values))
            return
        self._count(rows, np.flatnonzero(possible & first), of_rows.dealt, of_rows.cells, shoes, before)
        replayed = ReplayedRows(possible, first, faulty, of_rows.cells, of_rows.dealt, before)
        if self.groups is not None:
            self.groups.add(rows, replayed, values, self._settled.questions)
        if self.to_show is not None:
            self.to_show.add(rows, shoes, replayed)

    def _readable(self, rows: Rows, bad: dict[int, str]) -> Flags:
        """Which rows can be read; the others are noted."""
        self.noted.add_unreadable(len(bad), [row_fault(rows, row, bad[row]) for row in sorted(bad)[:SHOWN]])
        self.faults.add_rows(rows, bad)
        readable = np.ones(rows.frame.height, dtype=np.bool_)
        readable[list(bad)] = False
        return readable

    def _not_repeated(self, rows: Rows, repeated: dict[int, str]) -> Flags:
        """Which rows do not give a round again; the others are noted, and not counted."""
        faults = [row_fault(rows, row, repeated[row]) for row in sorted(repeated)[:SHOWN]]
        self.noted.add_repeated(len(repeated), faults)
        self.faults.add_rows(rows, repeated, FaultKind.REPEATED)
        once = np.ones(rows.frame.height, dtype=np.bool_)
        once[list(repeated)] = False
        return once

    def _drawn(self, dealt: Six, shoes: Tallies, known: Flags) -> tuple[Tallies, Tallies]:
        """For each row a rank of which it drew too many, -1: there is none; the cards left before it."""
        if not self.whole_shoes:
            return drawn_from_fresh(self._held, dealt, known)
        over, left, self._table.used = drawn_from_shoes(self._held, dealt, known, shoes, self._table.used)
        return over, left

    def _otherwise(
        self, rows: Rows, kept: Indices, of_rows: DealtRows, values: dict[LogColumn, Read]
    ) -> Indices:
        """The rows that are declared or settled otherwise than the rules say."""
        of_kept = of_rows.cells[kept]
        declared = hold_declared(rows, kept, of_kept, self.tells_ranks, self.noted, self.faults)
        questions = self._settled.questions
        settled = self.settlements.compare(rows, kept, of_rows.dealt, of_kept, values, questions)
        return np.concatenate([declared, settled])

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


def _joined(held: Rows, rows: Rows) -> Rows:
    return Rows(
        np.concatenate([held.lines, rows.lines]),
        held.frame.vstack(rows.frame),
        (*held.unreadable, *rows.unreadable),
    )
