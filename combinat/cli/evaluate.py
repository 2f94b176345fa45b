"""``combinat evaluate``: the exact value of every bet for every shoe of a file of any length."""

from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from combinat.analysis.shoe_file import shoe_file, shoe_stream
from combinat.base.errors import InputError
from combinat.base.output_paths import refuse_inputs
from combinat.cli.options import GameArgument, PaysOption, ReadingOption, stakes_of, varied_game
from combinat.cli.output import say_line, standard_output, tell
from combinat.cli.progress import ON_TERMINAL
from combinat.report.analysis.evaluation import Values, ValuesAsked, print_values, write_values
from combinat.report.provisos import ONE_ROUND, staying_in_words, under_provisos
from combinat.rules.book.find import rule_book_path
from combinat.rules.converters import as_stakes

STANDARD_INPUT = Path("-")


def evaluate(
    game: GameArgument,
    shoes: Annotated[
        Path,
        typer.Option(
            metavar="FILE",
            help="CSV or Parquet, or - for CSV on standard input. Columns: the thirteen ranks A to K, or removed (cards gone from --decks).",
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The file to write: .csv or .parquet. [default: standard output]"),
    ] = None,
    decks: Annotated[
        int, typer.Option(metavar="N", help="Decks that cards are removed from.", min=1, max=10_000)
    ] = 8,
    places: Annotated[int, typer.Option(metavar="N", help="Number of decimals.", min=1, max=50)] = 12,
    values: Annotated[
        Values,
        typer.Option(
            help="fractions (with decimals), decimals, or integers (numerator and denominator); the last two are several times as fast."
        ),
    ] = Values.FRACTIONS,
    variance: Annotated[bool, typer.Option("--variance", help="Also the variance of every bet.")] = False,
    insurance: Annotated[
        bool,
        typer.Option(
            "--insurance", help="Also the probability and the expected value of every insurance state."
        ),
    ] = False,
    outcomes: Annotated[
        bool, typer.Option("--outcomes", help="Also the ways of every line of the pay tables.")
    ] = False,
    stake: Annotated[
        list[str] | None,
        typer.Option(
            metavar="BET=AMOUNT", help="Also the expected value of these stakes together; repeat for more."
        ),
    ] = None,
    pays: PaysOption = None,
    reading: ReadingOption = None,
) -> None:
    """The exact expected value of every bet, for every shoe of a file of any length.

    A file is written whole or not at all. If a row of a file is invalid, nothing is printed. Shoes from standard
    input are printed as they arrive.
    """
    variant = varied_game(game, reading, pays)
    stakes = as_stakes(variant, stakes_of(stake))
    if insurance and not variant.insurance:
        raise InputError(f"{variant.id} offers no insurance", "leave out {insurance}")
    if out is not None:
        if out.suffix not in (".csv", ".parquet"):
            write = "write a file name that ends in .csv or .parquet"
            raise InputError(f'found "{out}"', write, parameter="out")
        refuse_inputs("out", out, {"the file of shoes": shoes, "the rule book": rule_book_path(game)})
    if one_round := staying_in_words(variant, ONE_ROUND):
        tell(f"{ONE_ROUND.head}: {one_round}")
    asked = ValuesAsked(
        places=places,
        values=values,
        variance=variance,
        insurance=insurance,
        outcomes=outcomes,
        stakes=stakes or None,
    )
    with ExitStack() as stack:
        if shoes == STANDARD_INPUT:
            source = shoe_stream(stack.enter_context(open(0, "rb", closefd=False)), decks)
        else:
            source = shoe_file(shoes, decks)
        if out is None:
            print_values(variant, source, stack.enter_context(standard_output()), asked, ON_TERMINAL)
            return
        written = write_values(variant, source, out, asked, ON_TERMINAL)
    under = under_provisos(variant)
    say_line(f"wrote {out}: {written} shoe{'' if written == 1 else 's'}{under}")
