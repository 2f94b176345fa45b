"""``protect.json``: a study of whole shoes, its exact sums, and every figure that follows from them.

Whole numbers that can be large and fractions are text. Keys are sorted, the text is ASCII and ends in one newline, so
that equal studies are equal bytes. Reading takes the study and its sums alone, checks that they hold together, works
the figures out again, and refuses a text that does not say just that.

A run that was stopped leaves the same without the figures, to be gone on with.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from fractions import Fraction
from typing import Annotated, Any

import msgspec

from combinat import __version__
from combinat.base.errors import (
    CombinatError,
    MalformedCertificateError,
    RejectedCertificateError,
    SumsError,
    shown,
)
from combinat.base.strict_json import canonical, parsed_object
from combinat.certify.signature import Record, Sha256
from combinat.protection.study import (
    MOST_SHOES,
    Block,
    Cell,
    Dealt,
    Row,
    Study,
    Sums,
    checked_wagers,
    squares_at,
    variables,
)
from combinat.protection.study_check import check_dealt
from combinat.protection.study_figures import StudyResults, results
from combinat.rules.book.load import RuleBook
from combinat.rules.cards import RANKS
from combinat.rules.count_file import MOST as MOST_COUNTS
from combinat.rules.count_file import Count
from combinat.rules.shoe import Shoe
from combinat.rules.shoe_dealing import Burn, ShoeDealing
from combinat.rules.tags import Tags

PROTECT = "protect.json"
SCHEMA = "combinat/protect/1"
PARTIAL_SCHEMA = "combinat/protect-partial/1"


@dataclass(frozen=True, kw_only=True)
class StudyFile:
    """What a file says: the study, what was dealt of it, and the limit that was stated."""

    study: Study
    dealt: Dealt
    limit: Fraction | None


def study_bytes(book: RuleBook, file: StudyFile, figures: StudyResults) -> bytes:
    """The content of ``protect.json``."""
    said = _said(book, file)
    return canonical({"schema": SCHEMA, **said, "results": _plain(figures)})


def partial_bytes(book: RuleBook, file: StudyFile) -> bytes:
    """What is kept of a run that is under way."""
    return canonical({"schema": PARTIAL_SCHEMA, **_said(book, file)})


def _said(book: RuleBook, file: StudyFile) -> dict[str, Any]:
    study, dealt = file.study, file.dealt
    return {
        "game": book.game.id,
        "rule_book_sha256": book.sha256,
        "software_version": __version__,
        "shoe": {"size": study.shoe.size, "cards": {str(rank): study.shoe[rank] for rank in RANKS}},
        "dealing": {
            "burn": str(study.dealing.burn),
            "cut_card": study.dealing.cut_card,
            "after": study.dealing.after,
        },
        "seed": str(study.seed),
        "shoes": study.shoes,
        "block": study.block,
        "bets": list(study.bets),
        "counts": [
            {"name": count.name, "bet": count.bet, "tags": str(count.tags), "index": str(count.index)}
            for count in study.counts
        ],
        "positions": list(study.positions),
        "limit": None if file.limit is None else str(file.limit),
        "blocks": [
            {"sha256": block.sha256, "code": str(block.code), "firsts": _texts(block.firsts)}
            for block in dealt.blocks
        ],
        "sums": _sums(study, dealt.sums),
    }


def _sums(study: Study, sums: Sums) -> dict[str, Any]:
    bets, squares = len(study.bets), squares_at(study)
    return {
        "shoes": sums.shoes,
        "rounds": [
            {
                "band": band,
                "unseen": unseen,
                "rounds": str(row[0]),
                "offers": _texts(row[1 : 1 + bets]),
                "bets": _texts(row[1 + bets : squares : 2]),
                "numerators": _texts(row[2 + bets : squares : 2]),
                "squares": _texts(row[squares:]),
            }
            for (band, unseen), row in sorted(sums.rounds.items())
        ],
        "marks": [
            {
                "position": position,
                "unseen": unseen,
                "rounds": str(row[0]),
                "numerators": _texts(row[1 : 1 + bets]),
                "tags": _texts(row[1 + bets :]),
            }
            for (position, unseen), row in sorted(sums.marks.items())
        ],
        "moments": [
            [
                {"sums": _texts(row[: variables(player)]), "products": _texts(row[variables(player) :])}
                for row in moments
            ]
            for player, moments in zip(study.players, sums.moments, strict=bool(sums.shoes))
        ],
    }


def _texts(numbers: Iterable[int]) -> list[str]:
    return [str(number) for number in numbers]


def _plain(value: Any) -> Any:
    """A record of figures as JSON has it."""
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    if is_dataclass(value):
        names = [field.name for field in fields(value)]
        return {name: _plain(getattr(value, name)) for name in (*names, *getattr(value, "FIGURES", ()))}
    return value


# ---------------------------------------------------------------- reading

_MOST_DIGITS = 400
"""Digits of a whole number of the sums: far more than the longest has."""

Number = Annotated[str, msgspec.Meta(pattern=rf"\A(0|-?[1-9][0-9]{{0,{_MOST_DIGITS}}})\Z")]
Small = Annotated[int, msgspec.Meta(ge=0, le=10**9)]
Word = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
_FRACTION = re.compile(r"-?[0-9]{1,40}(/[0-9]{1,40})?", re.ASCII)


class _Shoe(Record, frozen=True, kw_only=True):
    size: Small
    cards: dict[str, Small]


class _Dealing(Record, frozen=True, kw_only=True):
    burn: Word
    cut_card: Small
    after: Small


class _Count(Record, frozen=True, kw_only=True):
    name: Word
    bet: Word
    tags: Word
    index: Word


class _Block(Record, frozen=True, kw_only=True):
    sha256: Sha256
    code: Number
    firsts: tuple[Number, ...]


class _RoundsRow(Record, frozen=True, kw_only=True):
    band: Small
    unseen: Small
    rounds: Number
    offers: tuple[Number, ...]
    bets: tuple[Number, ...]
    numerators: tuple[Number, ...]
    squares: tuple[Number, ...]


class _MarksRow(Record, frozen=True, kw_only=True):
    position: Small
    unseen: Small
    rounds: Number
    numerators: tuple[Number, ...]
    tags: tuple[Number, ...]


class _Moments(Record, frozen=True, kw_only=True):
    sums: tuple[Number, ...]
    products: tuple[Number, ...]


class _Sums(Record, frozen=True, kw_only=True):
    shoes: Small
    rounds: tuple[_RoundsRow, ...]
    marks: tuple[_MarksRow, ...]
    moments: tuple[tuple[_Moments, ...], ...]


class _File(Record, frozen=True, kw_only=True):
    """What a file states; ``results`` and what else follows is compared, not read."""

    schema: str
    game: Word
    rule_book_sha256: Sha256
    software_version: Word
    shoe: _Shoe
    dealing: _Dealing
    seed: Number
    shoes: Annotated[int, msgspec.Meta(ge=2, le=MOST_SHOES)]
    block: Small
    bets: tuple[Word, ...]
    counts: Annotated[tuple[_Count, ...], msgspec.Meta(max_length=MOST_COUNTS)]
    positions: tuple[Small, ...]
    limit: Word | None
    blocks: tuple[_Block, ...]
    sums: _Sums
    results: dict[str, Any] | None = None


def read_study(content: bytes, book: RuleBook) -> tuple[StudyFile, StudyResults]:
    """The study that a ``protect.json`` states, and its figures, worked out again and equal to what it says."""
    file = _read(content, book, SCHEMA)
    study, dealt = file.study, file.dealt
    if len(dealt.blocks) != study.blocks:
        raise RejectedCertificateError(f"blocks: found {len(dealt.blocks)}; the study has {study.blocks}")
    try:
        check_dealt(book.game, study, dealt)
    except SumsError as error:
        raise RejectedCertificateError(str(error)) from None
    figures = results(book.game, study, dealt.sums, file.limit)
    if study_bytes(book, file, figures) != content:
        raise RejectedCertificateError("its figures do not follow from its own sums")
    return file, figures


def read_partial(content: bytes, book: RuleBook) -> StudyFile:
    """What a run that was stopped has kept."""
    file = _read(content, book, PARTIAL_SCHEMA)
    if file.dealt.blocks:
        check_dealt(book.game, file.study, file.dealt)
    if partial_bytes(book, file) != content:
        raise MalformedCertificateError("it was changed since combinat wrote it")
    return file


def _read(content: bytes, book: RuleBook, schema: str) -> StudyFile:
    raw = parsed_object(content, MalformedCertificateError)
    if raw.get("schema") != schema:
        raise MalformedCertificateError(
            f"schema: found {shown(str(raw.get('schema'))[:100])}, this combinat reads {schema}"
        )
    if raw.get("software_version") != __version__:
        raise MalformedCertificateError(
            f"written by combinat {shown(str(raw.get('software_version'))[:40])}; this is {__version__}, and deals "
            "again only what it dealt itself"
        )
    if raw.get("rule_book_sha256") != book.sha256:
        raise RejectedCertificateError(
            f"rule_book_sha256: found {shown(str(raw.get('rule_book_sha256'))[:100])}, expected {book.sha256}"
        )
    try:
        stated = msgspec.convert(raw, _File)
        return StudyFile(
            study=_study(stated, book),
            dealt=Dealt(blocks=tuple(map(_block, stated.blocks)), sums=_read_sums(stated.sums)),
            limit=None if stated.limit is None else _fraction(stated.limit),
        )
    except (CombinatError, ValueError, LookupError, ArithmeticError) as error:
        raise MalformedCertificateError(f"not a study: {shown(str(error)[:300])}") from None


def _study(stated: _File, book: RuleBook) -> Study:
    counts = tuple(
        Count(name=one.name, bet=one.bet, tags=Tags.parse(one.tags), index=_fraction(one.index))
        for one in stated.counts
    )
    dealing = stated.dealing
    return Study(
        shoe=Shoe(tuple(stated.shoe.cards[rank] for rank in RANKS)),
        dealing=ShoeDealing(cut_card=dealing.cut_card, burn=Burn.parse(dealing.burn), after=dealing.after),
        seed=int(stated.seed),
        shoes=stated.shoes,
        bets=checked_wagers(book.game, stated.bets),
        counts=counts,
    )


def _fraction(text: str) -> Fraction:
    if not _FRACTION.fullmatch(text):
        raise ValueError(f"found {text[:100]}; expected a fraction")
    return Fraction(text)


def _numbers(*texts: str) -> Row:
    return tuple(map(int, texts))


def _block(block: _Block) -> Block:
    return Block(sha256=block.sha256, code=int(block.code), firsts=_numbers(*block.firsts))


def _read_sums(stated: _Sums) -> Sums:
    rounds: dict[Cell, Row] = {}
    for row in stated.rounds:
        pairs = [number for pair in zip(row.bets, row.numerators, strict=True) for number in pair]
        rounds[row.band, row.unseen] = _numbers(row.rounds, *row.offers, *pairs, *row.squares)
    marks: Mapping[Cell, Row] = {
        (row.position, row.unseen): _numbers(row.rounds, *row.numerators, *row.tags) for row in stated.marks
    }
    moments = tuple(tuple(_numbers(*row.sums, *row.products) for row in player) for player in stated.moments)
    return Sums(shoes=stated.shoes, rounds=rounds, marks=marks, moments=moments)
