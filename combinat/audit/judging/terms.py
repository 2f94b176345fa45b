"""The terms by which a file is judged: the claims of the file, and the statements of the auditor.

The auditor must confirm a claim that the rules do not cover: a shoe that the game does not allow, or rounded winnings.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from pathlib import Path

import numpy as np

from combinat.audit.judging.cells import cells_of
from combinat.audit.reading.guess import subjects_of
from combinat.audit.reading.hand_log import BESIDE, FIXED, HandLog
from combinat.audit.reading.log_map import Chips, LogColumn, LogMap, LogMapGiven, Money, Rounding, as_log_map
from combinat.audit.reading.notation import Notation
from combinat.audit.reading.source import Source
from combinat.base.errors import CombinatError, FileError, InputError, near_hint
from combinat.base.money import format_money, positive_money
from combinat.montecarlo.partition import Partition
from combinat.montecarlo.tally import Tallies
from combinat.rules.cards import RANKS, Rank
from combinat.rules.converters import (
    GameGiven,
    ShoeGiven,
    as_document,
    as_shoe,
    rule_books_read,
    whole_number,
)
from combinat.rules.game import Game
from combinat.rules.shoe import Shoe

MOST_CARDS = 10**9

TEN = RANKS.index(Rank.TEN)


# ---------------------------------------------------------------- the statements of the auditor


@dataclass(frozen=True, slots=True, kw_only=True)
class Statements:
    """The statements of the auditor about a file. None: the claim of the file counts.

    ``in_report``: the file belongs to a report, which may have any number of decks.
    """

    game: Game | None = None
    shoe: Shoe | None = None
    cut_card: int | None = None
    log_map: LogMap = field(default_factory=LogMap)
    in_report: bool = False

    @classmethod
    def of(
        cls,
        game: GameGiven | None = None,
        log_map: LogMapGiven | None = None,
        *,
        shoe: ShoeGiven | None = None,
        decks: int | str | None = None,
        cards: str | None = None,
        cut_card: object = None,
    ) -> "Statements":
        """Return the statements in the parameters of a public function."""
        has_shoe = not (shoe is None and decks is None and cards is None)
        return cls(
            shoe=as_shoe(shoe, decks=decks, cards=cards) if has_shoe else None,
            cut_card=None if cut_card is None else whole_number("cut_card", cut_card, 0, MOST_CARDS),
            log_map=as_log_map(log_map),
            game=None if game is None else as_document(game),
        )


def files_read(game: GameGiven | None, log_map: object) -> dict[str, Path | None]:
    """Return the files that are read beside a log, by their role."""
    map_file = Path(log_map) if isinstance(log_map, str | Path) else None
    return {**({} if game is None else rule_books_read(game)), "the map": map_file}


# ---------------------------------------------------------------- the terms of a log


@dataclass(frozen=True, eq=False)
class LogTerms:
    """The terms by which a log with cards is judged.

    ``columns``: of bets; ``cut_card``: the number of cards behind the cut card, or None if every round is from a
    fresh shuffle; ``chips``: the smallest amount paid, and the rounding of winnings to it.
    """

    game: Game
    shoe: Shoe
    columns: tuple[LogColumn, ...] = ()
    cut_card: int | None = None
    chips: Chips | None = None
    notation: Notation = Notation.RANK

    @classmethod
    def of(cls, log: HandLog, game: Game, shoe: Shoe, cut_card: int | None = None) -> "LogTerms":
        """Return the terms of a log. ``cut_card``: if the log names none."""
        behind = cut_card_of(log, shoe, cut_card)
        return cls(game, shoe, bet_columns(log, game), behind, _chips(log), log.notation)

    @property
    def whole_shoes(self) -> bool:
        """Whether rounds come from whole shoes."""
        return self.cut_card is not None

    @property
    def tells_ranks(self) -> bool:
        """Whether the log records the ranks of cards, and therefore pairs."""
        return self.notation.tells_ranks

    @cached_property
    def partitions(self) -> Mapping[str, Partition]:
        """The partition of each bet and of each insurance."""
        return {partition.subject: partition for partition in cells_of(self.game).partitions}

    @cached_property
    def fresh(self) -> Tallies:
        """The cards of a fresh shoe by rank; for cards by points, all cards worth 0 are tens."""
        held = np.array(self.shoe.counts)
        if not self.tells_ranks:
            held[TEN], held[TEN + 1 :] = held[TEN:].sum(), 0
        return held


def bet_columns(log: HandLog, game: Game) -> tuple[LogColumn, ...]:
    """Return the columns of bets.

    Refuse columns that the game does not know or the cards do not settle.
    """
    place, subjects = log.source.place, subjects_of(game)
    columns: list[LogColumn] = []
    for name in log.names:
        if name in FIXED or name in BESIDE:
            continue
        money, _, subject = name.partition(":")
        if money not in list(Money) or subject not in subjects:
            known = [*FIXED, *(f"{kind}:{subject}" for subject in subjects for kind in Money)]
            raise FileError(
                f'{place}: unknown column "{name}"{near_hint(name, known)} The columns are {", ".join(FIXED)}, and net:, stake: or payout: '
                f"with one of {', '.join(subjects)}"
            )
        columns.append(LogColumn(Money(money), subject))
    for column in columns:
        if column.money is Money.PAYOUT and LogColumn(Money.STAKE, column.subject) not in columns:
            raise FileError(f"{place}: the column {column} needs {Money.STAKE}:{column.subject} beside it")
        if not log.tells_ranks and "@" not in column.subject and game.bet(column.subject).needs_ranks:
            raise FileError(
                f"{place}: the cards are written as points, and {column.subject} is settled by "
                "ranks; ignore its columns, or give ranks"
            )
    return tuple(columns)


def cut_card_of(log: HandLog, shoe: Shoe, given: int | None = None) -> int | None:
    """Return the cards behind the cut card of whole shoes: from the head, or as given.

    Default: a deck, or a quarter of a small shoe.
    """
    named, place = log.head.get("cut-card"), log.source.place
    if not log.has_shoes:
        if named is not None or given is not None:
            raise FileError(f"{place}: a cut card needs a column shoe, and the log has none")
        return None
    if named is not None and not re.fullmatch(r"\d{1,5}", named, re.ASCII):
        raise FileError(f'{place}: cut-card: found "{named}"; write a whole number of cards')
    if named is not None and given is not None and int(named) != given:
        raise InputError(
            f"{place}: the log says cut-card {named}", "leave out {cut_card}", parameter="cut_card"
        )
    behind = int(named) if named is not None else min(52, shoe.size // 4) if given is None else given
    if behind >= shoe.size:
        raise FileError(f"{place}: {behind} cards behind the cut card leave none of {shoe.size} to deal")
    return behind


def _chips(log: HandLog) -> Chips | None:
    """Return the smallest amount paid and the rounding of winnings to it, or None if winnings are paid exactly.

    Rounding is not a rule of the game, so a log's claim counts only if the auditor confirms it.
    """
    head, place = log.head, log.source.place
    if "unit" not in head and "rounding" not in head:
        return None
    try:
        unit, rounding = positive_money(head["unit"]), Rounding(head["rounding"])
    except KeyError as missing:
        raise FileError(f"{place}: {missing.args[0]} is missing; give unit and rounding together") from None
    except (CombinatError, ValueError):
        raise FileError(
            f"{place}: unit and rounding: write the smallest amount paid, such as 0.01, and one of {', '.join(Rounding)}"
        ) from None
    if not {"unit", "rounding"} <= log.stated:
        raise InputError(
            f"{place}: the log claims that winnings are rounded {rounding} to whole {format_money(unit)}, which the "
            "rule book does not say",
            "repeat the claim to judge the log by it: "
            f"{{log_map}} unit={format_money(unit)} {{log_map}} rounding={rounding}",
            parameter="log_map",
        )
    return unit, rounding


def due_back(stake: Fraction, net: Fraction, chips: Chips | None) -> Fraction:
    """Return the amount due to a stake; winnings are rounded to the smallest chip if ``chips`` is given.

    >>> from combinat.audit.reading.log_map import Rounding
    >>> str(due_back(Fraction("0.39"), Fraction(1, 2), (Fraction("0.01"), Rounding.DOWN)))
    '29/50'
    """
    if chips is None or net <= 0:
        return stake * (1 + net)
    unit, rounding = chips
    return stake + rounding.rounded(stake * net, unit)


# ---------------------------------------------------------------- the shoe


def shoe_of(log: HandLog, game: Game, statements: Statements) -> Shoe:
    """Return the shoe to judge by: from the log, from its map, or as given."""
    named, given = log.shoe(), statements.shoe
    if named is None and given is None:
        raise InputError(
            f"{log.source.place}: the log names no shoe",
            "add a line # decks: N, or give {decks}",
            parameter="decks",
        )
    if "decks" in log.stated:
        given = given or named
    return agreed_shoe(log.source, game, named, given, in_report=statements.in_report)


def agreed_shoe(
    source: Source, game: Game, claimed: Shoe | None, given: Shoe | None, *, in_report: bool
) -> Shoe:
    """Return the shoe that the file claims or the auditor gives.

    A shoe that the game does not allow must be given.
    """
    if claimed is None or given is not None:
        assert given is not None
        if claimed is not None and claimed != given:
            raise InputError(
                f"{source.place}: the file claims {_in_words(claimed)}",
                "leave out {decks} and {cards}",
                parameter="decks",
            )
        return given
    decks = claimed.decks
    if decks is None or not (in_report or game.decks.allows(decks)):
        allowed = f"{game.decks.least} to {game.decks.most} decks, {game.decks.clause}"
        key, value = shoe_claim(claimed)
        raise InputError(
            f"{source.place}: the file claims {_in_words(claimed)}, and {game.id} allows {allowed}",
            f'repeat the claim to judge the file by it: {{{key}}}="{value}"',
            parameter=key,
        )
    return claimed


def shoe_claim(shoe: Shoe) -> tuple[str, str]:
    """Return a shoe as the key and the value of a log's head."""
    if shoe.decks is not None:
        return "decks", str(shoe.decks)
    return "cards", " ".join(one for one in str(shoe).split() if not one.endswith("=0"))


def _in_words(shoe: Shoe) -> str:
    decks = shoe.decks
    return f"a shoe of {shoe.size} cards" if decks is None else f"{decks} deck{'' if decks == 1 else 's'}"
