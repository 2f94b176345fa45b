"""``combinat evaluate``: a file of shoes of any length, the exact value of every bet on each."""

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Annotated

import typer

from combinat.analysis.shoe_file import Block, ShoeFile, shoe_file, shoe_stream
from combinat.base.errors import CombinatError
from combinat.base.files import replacing
from combinat.base.output_paths import refuse_inputs
from combinat.cli.options import GameArgument, pairs
from combinat.cli.output import say_line, standard_output, tell
from combinat.cli.progress import MANY, progress_bar, say_compiling, say_without_numba
from combinat.cli.variant_options import PaysOption, ReadingOption, varied_game
from combinat.engine import kernel
from combinat.report.analysis.evaluation import Asked, Values, write_csv, write_csv_file, write_parquet
from combinat.report.provisos import OF_ONE_ROUND, one_round_in_words
from combinat.rules.book.find import rule_book_path
from combinat.rules.game import Game
from combinat.rules.money import parse_money

STANDARD_INPUT = Path("-")


def evaluate(
    game: GameArgument,
    shoes: Annotated[
        Path,
        typer.Option(
            metavar="FILE",
            help="CSV or Parquet, or - for CSV on standard input: the thirteen ranks A to K, or removed (cards gone from --decks).",
            show_default=False,
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Where to write: .csv or .parquet; else standard output.", show_default=False
        ),
    ] = None,
    decks: Annotated[
        int, typer.Option(metavar="N", help="Decks that cards are removed from.", min=1, max=10_000)
    ] = 8,
    places: Annotated[int, typer.Option(metavar="N", help="Number of decimals.", min=1, max=50)] = 12,
    values: Annotated[
        Values,
        typer.Option(
            help="fractions, with decimals beside them; decimals alone; or integers, a numerator and a denominator. The last two are several times as fast.",
        ),
    ] = Values.FRACTIONS,
    variance: Annotated[bool, typer.Option("--variance", help="Also the variance of every bet.")] = False,
    insurance: Annotated[
        bool,
        typer.Option(
            "--insurance",
            help="Also the probability of every insurance state, and the expected value given it.",
        ),
    ] = False,
    outcomes: Annotated[
        bool, typer.Option("--outcomes", help="Also the ways of every line of the pay tables.")
    ] = False,
    stake: Annotated[
        list[str] | None,
        typer.Option(
            metavar="BET=AMOUNT",
            help="The expected value of these stakes together; repeat for more.",
            show_default=False,
        ),
    ] = None,
    pays: PaysOption = None,
    reading: ReadingOption = None,
) -> None:
    """The exact expected value of every bet, for every shoe of a file of any length.

    A file is written whole or not at all. On standard output nothing is printed where a row of a file is bad; shoes
    that come on standard input are printed as they come.
    """
    loaded = varied_game(game, pays, reading)
    asked = Asked(
        places=places,
        values=values,
        variance=variance,
        insurance=insurance,
        outcomes=outcomes,
        stakes=_stakes(loaded, stake),
    )
    if one_round := one_round_in_words(loaded):
        tell(f"{OF_ONE_ROUND.lower()}: {one_round}")
    if insurance and not loaded.insurance:
        raise CombinatError(f"--insurance: {loaded.id} offers none; leave it out")
    if out is not None:
        _check_place(out, {"the file of shoes": shoes, "the rule book": rule_book_path(game)})
    if shoes != STANDARD_INPUT:
        _carry_out(loaded, shoe_file(shoes, decks), asked, out)
        return
    with open(0, "rb", closefd=False) as file:
        _carry_out(loaded, shoe_stream(file, decks), asked, out)


def _carry_out(game: Game, source: ShoeFile, asked: Asked, out: Path | None) -> None:
    if out is None:
        _print(game, source, asked)
    else:
        _write(game, source, asked, out)


def _stakes(game: Game, words: list[str] | None) -> dict[str, Fraction] | None:
    stakes = pairs("--stake", "BET=AMOUNT", words or [], parse_money)
    for bet, amount in stakes.items():
        game.bet(bet)
        if not amount:
            raise CombinatError(f"--stake {bet}: the stake must be more than 0")
    return stakes or None


def _check_place(out: Path, inputs: dict[str, Path | None]) -> None:
    if out.suffix not in (".csv", ".parquet"):
        raise CombinatError(f'--out: found "{out}"; write a file name that ends in .csv or .parquet')
    refuse_inputs("out", out, inputs)


def _print(game: Game, source: ShoeFile, asked: Asked) -> None:
    if source.size is not None:  # it can be read again
        for _ in source.blocks():
            pass
    with standard_output() as stream:
        write_csv(game, told(source.blocks()), stream, asked, lambda read: None)


def _write(game: Game, source: ShoeFile, asked: Asked, out: Path) -> None:
    write = write_parquet if out.suffix == ".parquet" else write_csv_file
    with (
        replacing(out) as temporary,
        progress_bar(source.size, "shoes", parts=source.size is None) as advance,
    ):
        written = write(game, told(source.blocks()), temporary, asked, advance)
    provisos = game.provisos
    under = f" under {provisos.readings_in_words}" if provisos.readings else ""
    under += f", not at the document's odds: {provisos.odds_in_words}" if provisos.odds else ""
    say_line(f"wrote {out}: {written} shoe{'' if written == 1 else 's'}{under}")


def told(blocks: Iterator[Block]) -> Iterator[Block]:
    """The blocks; the kernel is loaded where they are worth it, and what takes long, and what would take less, is said."""
    shoes, is_ready = 0, True
    for number, block in enumerate(blocks):
        if number == 0 and len(block[0]) > kernel.FEW:
            is_ready = kernel.load(say_compiling)
        before, shoes = shoes, shoes + len(block[0])
        if not is_ready and before < MANY <= shoes:
            say_without_numba()
        yield block
