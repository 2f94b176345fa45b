"""``protect.json``: a study of whole shoes, the exact sums of each block, and every figure that follows from them.

Whole numbers that can be large and fractions are text. Keys are sorted, the text is ASCII and ends in one newline, so
equal studies are equal bytes. Reading takes the study and its blocks alone, computes the figures again, and refuses a
file that states anything else.

An interrupted run leaves the same document without the figures.
"""

import re
from dataclasses import dataclass, fields, is_dataclass
from fractions import Fraction
from typing import Annotated, Any

import msgspec

from combinat import __version__
from combinat.base.errors import (
    CombinatError,
    InputError,
    MalformedCertificateError,
    RejectedCertificateError,
    shown,
)
from combinat.base.strict_json import canonical, parsed_object
from combinat.montecarlo.shoe_dealing import Burn, ShoeDealing
from combinat.protection.count_file import MOST as MOST_COUNTS
from combinat.protection.count_file import Count
from combinat.protection.study import MOST_SHOES, BandSums, Blocks, BlockSums, Study, checked_wagers
from combinat.protection.study_figures import StudyResults, results
from combinat.protection.tags import Tags
from combinat.rules.book.load import RuleBook
from combinat.rules.cards import RANKS
from combinat.rules.shoe import Shoe

SCHEMA = "combinat/protect/3"
PARTIAL_SCHEMA = "combinat/protect-partial/3"


@dataclass(frozen=True, kw_only=True)
class StudyFile:
    """The content of a file: the study, the sums of the blocks dealt, and the limit on a player's gain."""

    study: Study
    blocks: Blocks
    limit: Fraction


# ---------------------------------------------------------------- the document

_MOST_DIGITS = 4000
"""The most digits of a sum: far more than the longest has."""

Digits = Annotated[str, msgspec.Meta(pattern=rf"\A(0|-?[1-9][0-9]{{0,{_MOST_DIGITS}}})\Z")]
Small = Annotated[int, msgspec.Meta(ge=0, le=10**9)]
Text = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
_FRACTION = re.compile(r"-?[0-9]{1,40}(/[0-9]{1,40})?", re.ASCII)


class _Record(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pass


class StudyShoe(_Record, frozen=True, kw_only=True):
    """The cards of the fresh shoe, as a count for each rank."""

    size: Small
    cards: dict[str, Small]


class StudyDealing(_Record, frozen=True, kw_only=True):
    """How shoes are dealt; ``after``: rounds after the one in which the cut card comes."""

    burn: Text
    cut_card: Small
    after: Small


class StudyCount(_Record, frozen=True, kw_only=True):
    """A count that is played."""

    name: Text
    bet: Text
    tags: Text
    index: Text


class StudyBand(_Record, frozen=True, kw_only=True):
    """Sums over the rounds of a block that are dealt at one position of the cut card, but not at the next."""

    rounds: Small
    offers: tuple[Small, ...]
    bets: tuple[Small, ...]
    gains: tuple[Digits, ...]
    squares: tuple[Digits, ...]


class StudyRecord(_Record, frozen=True, kw_only=True):
    """A study and the sums of its blocks; every figure follows from them."""

    game: Text
    rule_book_sha256: Annotated[str, msgspec.Meta(pattern=r"\A[0-9a-f]{64}\Z")]
    software_version: Text
    shoe: StudyShoe
    dealing: StudyDealing
    seed: Digits
    shoes: Annotated[int, msgspec.Meta(ge=2, le=MOST_SHOES)]
    bets: tuple[Text, ...]
    counts: Annotated[tuple[StudyCount, ...], msgspec.Meta(max_length=MOST_COUNTS)]
    positions: tuple[Small, ...]
    limit: Text
    blocks: tuple[tuple[StudyBand, ...], ...]


def study_bytes(book: RuleBook, file: StudyFile, figures: StudyResults) -> bytes:
    """The content of ``protect.json``."""
    stated = msgspec.to_builtins(_record(book, file))
    return canonical({"schema": SCHEMA, **stated, "results": _plain(figures)})


def partial_bytes(book: RuleBook, file: StudyFile) -> bytes:
    """The content of the file of a run that is not finished."""
    return canonical({"schema": PARTIAL_SCHEMA, **msgspec.to_builtins(_record(book, file))})


def _record(book: RuleBook, file: StudyFile) -> StudyRecord:
    study, dealing = file.study, file.study.dealing
    return StudyRecord(
        game=book.game.id,
        rule_book_sha256=book.sha256,
        software_version=__version__,
        shoe=StudyShoe(size=study.shoe.size, cards={str(rank): study.shoe[rank] for rank in RANKS}),
        dealing=StudyDealing(burn=str(dealing.burn), cut_card=dealing.cut_card, after=dealing.after),
        seed=str(study.seed),
        shoes=study.shoes,
        bets=study.bets,
        counts=tuple(
            StudyCount(name=count.name, bet=count.bet, tags=str(count.tags), index=str(count.index))
            for count in study.counts
        ),
        positions=study.positions,
        limit=str(file.limit),
        blocks=tuple(tuple(map(_band, block)) for block in file.blocks),
    )


def _band(sums: BandSums) -> StudyBand:
    return StudyBand(
        rounds=sums.rounds,
        offers=sums.offers,
        bets=sums.bets,
        gains=tuple(map(str, sums.gains)),
        squares=tuple(map(str, sums.squares)),
    )


def _plain(value: Any) -> Any:
    """A record of figures as JSON values."""
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    if is_dataclass(value):
        names = [field.name for field in fields(value)]
        return {name: _plain(getattr(value, name)) for name in (*names, *getattr(value, "FIGURES", ()))}
    return value


# ---------------------------------------------------------------- reading


def read_study(content: bytes, book: RuleBook) -> tuple[StudyFile, StudyResults]:
    """The study of a ``protect.json``, and its figures, computed again and equal to those of the file."""
    file = _read(content, book, SCHEMA)
    if len(file.blocks) != file.study.blocks:
        raise RejectedCertificateError(f"blocks: found {len(file.blocks)}; the study has {file.study.blocks}")
    figures = results(book.game, file.study, file.blocks, file.limit)
    if study_bytes(book, file, figures) != content:
        raise RejectedCertificateError("its figures do not follow from its own sums")
    return file, figures


def read_partial(content: bytes, book: RuleBook) -> StudyFile:
    """The study and the blocks of an interrupted run."""
    file = _read(content, book, PARTIAL_SCHEMA)
    if partial_bytes(book, file) != content:
        raise MalformedCertificateError("it was changed since combinat wrote it")
    return file


def _read(content: bytes, book: RuleBook, schema: str) -> StudyFile:
    raw = parsed_object(content, MalformedCertificateError)
    found = raw.pop("schema", None)
    if found != schema:
        raise MalformedCertificateError(
            f"schema: found {shown(str(found)[:100])}, this combinat reads {schema}"
        )
    raw.pop("results", None)
    if raw.get("software_version") != __version__:
        raise MalformedCertificateError(
            f"written by combinat {shown(str(raw.get('software_version'))[:40])}; this is {__version__}, and only "
            "the same version deals the same shoes again"
        )
    if raw.get("rule_book_sha256") != book.sha256:
        raise RejectedCertificateError(
            f"rule_book_sha256: found {shown(str(raw.get('rule_book_sha256'))[:100])}, expected {book.sha256}"
        )
    try:
        stated = msgspec.convert(raw, StudyRecord)
        study = _study(stated, book)
        limit = _fraction(stated.limit)
    except (CombinatError, ValueError, LookupError, ArithmeticError) as error:
        raise MalformedCertificateError(f"not a study: {shown(str(error)[:300])}") from None
    blocks = tuple(_sums(study, number, block) for number, block in enumerate(stated.blocks))
    return StudyFile(study=study, blocks=blocks, limit=limit)


def _study(stated: StudyRecord, book: RuleBook) -> Study:
    counts = tuple(
        Count(name=one.name, bet=one.bet, tags=Tags.parse(one.tags), index=_fraction(one.index))
        for one in stated.counts
    )
    dealing = stated.dealing
    study = Study(
        shoe=Shoe(tuple(stated.shoe.cards[rank] for rank in RANKS)),
        dealing=ShoeDealing(cut_card=dealing.cut_card, burn=Burn.parse(dealing.burn), after=dealing.after),
        seed=int(stated.seed),
        shoes=stated.shoes,
        bets=checked_wagers(book.game, stated.bets),
        counts=counts,
    )
    if len(stated.blocks) > study.blocks:
        raise InputError(f"found {len(stated.blocks)} blocks; the study has {study.blocks}")
    return study


def _fraction(text: str) -> Fraction:
    if not _FRACTION.fullmatch(text):
        raise ValueError(f"found {text[:100]}; expected a fraction")
    return Fraction(text)


def _sums(study: Study, number: int, block: tuple[StudyBand, ...]) -> BlockSums:
    """The sums of a block; refused where no shoes can have them."""
    wagers, players = len(study.bets), len(study.players)
    places = [study.bets.index(player.wager) for player in study.players]
    is_whole = len(block) == len(study.positions) and all(
        (len(band.offers), len(band.bets), len(band.gains), len(band.squares))
        == (wagers, players, players, players)
        for band in block
    )
    if not is_whole or block[-1].rounds < study.shoes_of(number):
        raise RejectedCertificateError(f"blocks[{number}]: not the sums of {study.shoes_of(number)} shoes")
    for band in block:
        if max(band.offers) > band.rounds or any(
            bets > band.offers[place] for bets, place in zip(band.bets, places, strict=True)
        ):
            raise RejectedCertificateError(
                f"blocks[{number}]: more bets than offers, or more offers than rounds"
            )
    return tuple(
        BandSums(
            rounds=band.rounds,
            offers=band.offers,
            bets=band.bets,
            gains=tuple(map(int, band.gains)),
            squares=tuple(map(int, band.squares)),
        )
        for band in block
    )
