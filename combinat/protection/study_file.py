"""``protect.json``: a study of whole shoes, the exact sums of each block, and every figure that follows from them.

Whole numbers that can be large and fractions are text. Keys are sorted, the text is ASCII and ends in one
newline, so equal studies are equal bytes. Reading takes the study and its blocks alone, writes the document
again, and refuses a file that states anything else.

An interrupted run leaves the same document without the figures.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from combinat import __version__
from combinat.base.errors import (
    CombinatError,
    InputError,
    MalformedCertificateError,
    RejectedCertificateError,
    printable,
)
from combinat.base.kinds import COUNT, FRACTION, HASH, NUMBER, TEXT
from combinat.base.relation import ByName, Document, Field, Many, Relation
from combinat.base.strict_json import canonical, parsed_object
from combinat.montecarlo.shoes import Burn, ShoeDealing
from combinat.protection.inputs import MOST as MOST_COUNTS
from combinat.protection.inputs import Count, Tags, checked_wagers
from combinat.protection.study import BandSums, Blocks, BlockSums, Study
from combinat.protection.study_figures import (
    FRESH,
    PLAYERS,
    Fresh,
    PlayerResult,
    fresh_wagers,
    player_results,
)
from combinat.rules.cards import RANKS
from combinat.rules.game import Game
from combinat.rules.shoe import Shoe


@dataclass(frozen=True, kw_only=True)
class StudyFile:
    """The content of a file: a study of a rule book, the sums of the blocks dealt, the limit on a player's gain."""

    game: Game
    study: Study
    blocks: Blocks
    limit: Fraction

    @property
    def shoes(self) -> int:
        """The number of shoes dealt."""
        return self.study.shoes_in(len(self.blocks))

    @property
    def is_whole(self) -> bool:
        """Whether every block is dealt."""
        return len(self.blocks) == self.study.blocks

    @cached_property
    def fresh(self) -> tuple[Fresh, ...]:
        """Every wager on the fresh shoe."""
        return fresh_wagers(self.game, self.study)

    @cached_property
    def players(self) -> tuple[PlayerResult, ...]:
        """The figures of every player, which follow from the sums."""
        return player_results(self.game, self.study, self.blocks, self.limit)


SHOE: Relation[Shoe] = Relation(
    "shoe of a study",
    Field("size", "cards", NUMBER, "How many cards the fresh shoe has."),
    Field("cards", "cards", ByName(NUMBER, names=RANKS), "How many of each rank.", lambda shoe: dict(zip(RANKS, shoe.counts, strict=True))),
)  # fmt: skip

DEALING: Relation[ShoeDealing] = Relation(
    "dealing",
    Field("burn", "burn", TEXT, "The burn rule.", lambda dealing: str(dealing.burn)),
    Field("cut_card", "cut card", NUMBER, "Cards behind the cut card."),
    Field("after", "rounds after", NUMBER, "Rounds after the one in which the cut card comes."),
)

PLAYED_COUNTS: Relation[Count] = Relation(
    "counts played",
    Field("name", "count", TEXT, "The name of the count.", views="page"),
    Field("bet", "bet", TEXT, "The bet that it is played on.", views="page"),
    Field("tags", "tags", TEXT, "Its tags.", lambda count: str(count.tags), views="page"),
    Field("index", "true count", FRACTION, "The true count from which it bets.", views="page"),
)

BANDS: Relation[BandSums] = Relation(
    "bands",
    Field("rounds", "rounds", NUMBER, "Rounds dealt at this position of the cut card, but not at the next."),
    Field("offers", "offers", Many(NUMBER), "By bet: rounds in which it was on offer."),
    Field("bets", "bets", Many(NUMBER), "By player: units staked."),
    Field("gains", "gains", Many(COUNT), "By player: numerators of the expected values."),
    Field("squares", "squares", Many(COUNT), "By player: numerators of the mean squares."),
)

_STUDY: list[Field[StudyFile]] = [
    Field("game", "game", TEXT, "The game's id.", lambda row: row.game.id),
    Field("rule_book_sha256", "rule book", HASH, "SHA-256 of the rule book.", lambda row: row.game.sha256),
    Field("software_version", "version", TEXT, "The version of combinat.", lambda row: __version__),
    Field("shoe", "shoe", SHOE, "The fresh shoe.", lambda row: row.study.shoe),
    Field("dealing", "dealing", DEALING, "How shoes are dealt.", lambda row: row.study.dealing),
    Field("seed", "seed", COUNT, "The seed of the random streams.", lambda row: row.study.seed),
    Field("shoes", "shoes", NUMBER, "Shoes of the study.", lambda row: row.study.shoes),
    Field("bets", "bets", Many(TEXT), "The bets studied.", lambda row: row.study.bets),
    Field("counts", "counts", Many(PLAYED_COUNTS), "The counts played.", lambda row: row.study.counts),
    Field("positions", "cut cards", Many(NUMBER), "Positions of the cut card.", lambda row: row.study.positions),
    Field("limit", "limit", FRACTION, "The limit on the gain of a shoe, in units.", lambda row: row.limit),
    Field("blocks", "blocks", Many(Many(BANDS)), "The sums of each block, by band.", lambda row: row.blocks),
]  # fmt: skip

RESULTS: Relation[StudyFile] = Relation(
    "results",
    Field("fresh", "fresh", Many(FRESH), "Every bet on the fresh shoe."),
    Field("players", "players", Many(PLAYERS), "Every player."),
    Field("limit", "limit", FRACTION, "The limit on the gain of a shoe, in units."),
)

STUDY: Document[StudyFile] = Document(
    "combinat/protect/3",
    "A study of whole shoes, protect.json: combinat protect.",
    *_STUDY,
    Field("results", "results", RESULTS, "Every figure that follows from the sums.", lambda row: row),
)

PARTIAL: Document[StudyFile] = Document(
    "combinat/protect-partial/3", "A study under way, beside its folder: combinat protect.", *_STUDY
)


def study_bytes(file: StudyFile) -> bytes:
    """Return the content of ``protect.json``."""
    return canonical(STUDY.object(file))


def partial_bytes(file: StudyFile) -> bytes:
    """Return the content of the file of a run that is not finished."""
    return canonical(PARTIAL.object(file))


# ---------------------------------------------------------------- reading

_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,3999}", re.ASCII)
"""Far more digits than the longest sum has."""

_FRACTION = re.compile(r"-?[0-9]{1,40}(/[0-9]{1,40})?", re.ASCII)


def read_study(content: bytes, game: Game) -> StudyFile:
    """Return the study of a ``protect.json``; refuse figures that do not follow from its sums."""
    file = _read(content, game, STUDY)
    if not file.is_whole:
        raise RejectedCertificateError(f"blocks: found {len(file.blocks)}; the study has {file.study.blocks}")
    if study_bytes(file) != content:
        raise RejectedCertificateError("its figures do not follow from its own sums")
    return file


def read_partial(content: bytes, game: Game) -> StudyFile:
    """Return the study and the blocks of an interrupted run."""
    file = _read(content, game, PARTIAL)
    if partial_bytes(file) != content:
        raise MalformedCertificateError("it was changed since combinat wrote it")
    return file


def _read(content: bytes, game: Game, document: Document[StudyFile]) -> StudyFile:
    raw = parsed_object(content, MalformedCertificateError)
    for key, expected, kind, wanted in (
        (
            "schema",
            document.schema_name,
            MalformedCertificateError,
            f"this combinat reads {document.schema_name}",
        ),
        (
            "software_version",
            __version__,
            MalformedCertificateError,
            f"this is {__version__}, and only the same version deals the same shoes again",
        ),
        ("rule_book_sha256", game.sha256, RejectedCertificateError, f"expected {game.sha256}"),
    ):
        if raw.get(key) != expected:
            raise kind(f"{key}: found {printable(str(raw.get(key))[:100])}; {wanted}")
    if extra := raw.keys() - {field.name for field in document.fields}:
        raise MalformedCertificateError(f"{printable(min(extra)[:100])}: unknown key")
    try:
        study = _study(raw, game)
        limit = _fraction(raw["limit"])
        blocks = [tuple(map(_band, block)) for block in raw["blocks"]]
        if len(blocks) > study.blocks:
            raise InputError(f"found {len(blocks)} blocks; the study has {study.blocks}")
    except (CombinatError, ValueError, LookupError, TypeError, AttributeError, ArithmeticError) as error:
        raise MalformedCertificateError(f"not a study: {printable(str(error)[:300])}") from None
    for number, block in enumerate(blocks):
        _check_sums(study, number, block)
    return StudyFile(game=game, study=study, blocks=tuple(blocks), limit=limit)


def _study(raw: Mapping[str, Any], game: Game) -> Study:
    if len(raw["counts"]) > MOST_COUNTS:
        raise InputError(f"found {len(raw['counts'])} counts; at most {MOST_COUNTS} are played")
    dealing = raw["dealing"]
    return Study(
        shoe=Shoe(tuple(_number(raw["shoe"]["cards"][rank]) for rank in RANKS)),
        dealing=ShoeDealing(
            cut_card=_number(dealing["cut_card"]),
            burn=Burn.parse(dealing["burn"]),
            after=_number(dealing["after"]),
        ),
        seed=_integer(raw["seed"]),
        shoes=_number(raw["shoes"]),
        bets=checked_wagers(game, tuple(raw["bets"])),
        counts=tuple(
            Count(name=_text(one["name"]), bet=_text(one["bet"]), tags=Tags.parse(one["tags"]), index=_fraction(one["index"]))
            for one in raw["counts"]
        ),
    )  # fmt: skip


def _number(found: object) -> int:
    if type(found) is not int or not 0 <= found <= 10**9:
        raise ValueError(f"found {str(found)[:100]}; expected a whole number up to a billion")
    return found


def _text(found: object) -> str:
    if not isinstance(found, str) or not 1 <= len(found) <= 200:
        raise ValueError(f"found {str(found)[:100]}; expected a name")
    return found


def _integer(found: str) -> int:
    if not _INTEGER.fullmatch(found):
        raise ValueError(f"found {found[:100]}; expected digits")
    return int(found)


def _fraction(found: str) -> Fraction:
    if not _FRACTION.fullmatch(found):
        raise ValueError(f"found {found[:100]}; expected a fraction")
    return Fraction(found)


def _band(raw: Mapping[str, Any]) -> BandSums:
    return BandSums(
        rounds=_number(raw["rounds"]),
        offers=tuple(map(_number, raw["offers"])),
        bets=tuple(map(_number, raw["bets"])),
        gains=tuple(map(_integer, raw["gains"])),
        squares=tuple(map(_integer, raw["squares"])),
    )


def _check_sums(study: Study, number: int, block: BlockSums) -> None:
    """Refuse the sums of a block that no shoes can have."""
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
