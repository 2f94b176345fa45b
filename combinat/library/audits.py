"""Questions about logs and simulators: the power of an audit, a review of stakes, a log converted."""

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from combinat.base.amounts import Amount
from combinat.base.errors import FileError, InputError, named
from combinat.base.output_paths import refuse_inputs
from combinat.library.logs import LogMapGiven, as_log_map, stated_shoe
from combinat.library.progress import SILENT, Progress
from combinat.protection.tags import Tags
from combinat.rules.converters import (
    GameGiven,
    ShoeGiven,
    as_game,
    as_path,
    as_probability,
    as_shoe,
    whole_number,
)

if TYPE_CHECKING:
    from combinat.audit.power_records import Power
    from combinat.audit.reading.conversion import Conversion
    from combinat.audit.reading.log_map import LogMap
    from combinat.audit.review_records import Review

MOST_TAGS = 10
LOG_SUFFIXES = (".csv", ".parquet")


def power(
    game: GameGiven,
    fault: str,
    *,
    shoe: ShoeGiven | None = None,
    decks: int | None = None,
    alpha: Amount = "0.001",
    target: Amount = "0.9",
    rounds: int | None = None,
) -> "Power":
    """How many rounds of a log, of counts or of results alone show a known fault of a simulator.

    ``fault``: such as ``"wrong-cell 6/7"``. ``alpha``: the accepted chance of a false alarm, all tests together.
    ``target``: the target power. ``rounds``: also compute the power of a run of this length.

    >>> power("commission-insurance-2013", "wrong-cell 6/7").fault
    'wrong-cell 6/7'
    """
    from combinat.audit.power import power as power_of
    from combinat.montecarlo.dealer import packed
    from combinat.montecarlo.fault import Fault
    from combinat.montecarlo.output import MOST_ROUNDS

    loaded = as_game(game)
    level, wanted = as_probability("alpha", alpha, Fraction(1, 2)), as_probability("target", target)
    with named("fault"):
        known = Fault.parse(fault)
        known.of_game(loaded)
    dealt_from = as_shoe(shoe, decks=decks)
    packed(known.of_shoe(dealt_from))  # a shoe from which no simulator deals is refused
    number = None if rounds is None else whole_number("rounds", rounds, 1, MOST_ROUNDS)
    return power_of(loaded, dealt_from, known, level, wanted, number)


def review(
    file: str | Path,
    *,
    game: str | None = None,
    shoe: ShoeGiven | None = None,
    decks: int | str | None = None,
    cards: str | None = None,
    tags: Sequence[str] = (),
    alpha: Amount = "0.01",
    log_map: "LogMapGiven | LogMap | None" = None,
    progress: Progress = SILENT,
) -> "Review":
    """Compare the stakes of a hand log, by player, with the exact edge on the cards left at that moment.

    ``tags``: counts to compare with too; else one for each bet. ``alpha``: the adjusted probability below which a player
    is named. It shows association, not intent.

    >>> review("no-such-log.csv")
    Traceback (most recent call last):
    combinat.base.errors.FileError: no-such-log.csv: cannot be read (No such file or directory)
    """
    from combinat.audit.review import review as reviewed

    if len(tags) > MOST_TAGS:
        raise InputError(f"found {len(tags)}", f"give {MOST_TAGS} counts at most", parameter="tags")
    return reviewed(
        as_path("file", file),
        game=game,
        shoe=stated_shoe(shoe, decks, cards),
        cut_card=None,
        alpha=as_probability("alpha", alpha, Fraction(1, 2)),
        tags=[Tags.parse(text) for text in tags],
        bar=lambda total, doing: progress.bar(total, doing, parts=False),
        log_map=as_log_map(log_map),
    )


def convert(
    file: str | Path,
    out: str | Path,
    *,
    game: str | None = None,
    log_map: "LogMapGiven | LogMap | None" = None,
    progress: Progress = SILENT,
) -> "Conversion":
    """Write a foreign hand log in combinat's own columns and notation, to .csv or .parquet.

    A file of which any row cannot be read is not written.

    >>> convert("log.csv", "log.txt")
    Traceback (most recent call last):
    combinat.base.errors.InputError: out: found "log.txt"; write a file name that ends in .csv or .parquet
    """
    from combinat.audit.reading.conversion import converted

    source, place = as_path("file", file), as_path("out", out)
    if place.suffix not in LOG_SUFFIXES:
        raise InputError(
            f'found "{place}"', f"write a file name that ends in {' or '.join(LOG_SUFFIXES)}", parameter="out"
        )
    map_file = Path(log_map) if isinstance(log_map, str | Path) else None
    refuse_inputs("out", place, {"the log": source, "the map": map_file})
    conversion = converted(
        source, place, game, as_log_map(log_map), lambda total: progress.bar(total, "reading", parts=False)
    )
    for line, why in conversion.unreadable:
        progress.warn(f"{conversion.line_word} {line}: {why}")
    if conversion.unreadable_rows:
        raise FileError(
            f"{source}: {conversion.unreadable_rows} of {conversion.rows} rows cannot be read; nothing was written"
        )
    return conversion
