"""``combinat solve``: the odds at which a bet has the house edge that is wanted."""

from fractions import Fraction
from typing import Annotated, Any

import typer

from combinat.analysis.solve import Solution, solve_hit
from combinat.analysis.solve import solve as solved
from combinat.base.errors import CombinatError, InputError, named, shortened
from combinat.base.number import money
from combinat.cli.options import FormatOption, GameArgument
from combinat.cli.output import say
from combinat.cli.shoe import CardsOption, DecksOption, RemovedOption, shoe_from
from combinat.cli.variant_options import PaysOption, ReadingOption, varied_game
from combinat.render.blocks import Section, Table
from combinat.render.text import Format, as_json, rendered
from combinat.report.analysis import solve as shown
from combinat.report.provisos import with_provisos
from combinat.rules.examples import Published
from combinat.rules.game import Game
from combinat.rules.shoe import Shoe

EdgeOption = Annotated[
    str | None,
    typer.Option("--edge", metavar="N%", help="The house edge wanted, such as 5%.", show_default=False),
]
ReturnOption = Annotated[
    str | None,
    typer.Option(
        "--return", metavar="N%", help="The return to player wanted, such as 95%.", show_default=False
    ),
]
HitOption = Annotated[
    str | None,
    typer.Option(
        "--hit",
        metavar="N%",
        help="How often the bet should win, such as 12%: which lines may pay, and which come back.",
        show_default=False,
    ),
]
LineOption = Annotated[
    str | None,
    typer.Option(
        "--line",
        metavar="NAME",
        help="Change this line of the pay table alone. Default: all that pay, by one factor.",
        show_default=False,
    ),
]


def solve(
    game: GameArgument,
    bet: Annotated[str, typer.Argument(metavar="BET", help="A bet of the game.", show_default=False)],
    edge: EdgeOption = None,
    returned: ReturnOption = None,
    hit: HitOption = None,
    line: LineOption = None,
    decks: DecksOption = None,
    removed: RemovedOption = None,
    cards: CardsOption = None,
    pays: PaysOption = None,
    reading: ReadingOption = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """The odds at which a bet has the house edge wanted, exactly, and the nearest that can be paid."""
    wanted = {name: text for name, text in _asked(edge, returned, hit).items() if text is not None}
    if len(wanted) != 1:
        stated = " and ".join(wanted) or "none of them"
        raise CombinatError(f"found {stated}; write one of --edge 5%, --return 95% or --hit 12%")
    (option, text), *_ = wanted.items()
    share = _share(option, text)
    if hit is not None and line is not None:
        raise CombinatError("--line does not go with --hit, which chooses among all lines of the bet")
    loaded = varied_game(game, pays, reading)
    loaded.bet(bet)
    shoe = shoe_from(loaded, decks, removed, cards)
    if hit is not None:
        choices = solve_hit(loaded, bet, shoe, share)
        said = shown.hit_document(choices), shown.hit_csv(choices), shown.hit_json(choices)
        _print(loaded, *said, form)
        return
    value = -share if edge is not None else share - 1
    solution = _solution(loaded, bet, shoe, value, line)
    said = shown.solution_document(solution), shown.solution_csv(solution), shown.solution_json(solution)
    _print(loaded, *said, form)


def _asked(edge: str | None, returned: str | None, hit: str | None) -> dict[str, str | None]:
    return {"--edge": edge, "--return": returned, "--hit": hit}


def _share(option: str, text: str) -> Fraction:
    """The part that a percentage states; of an edge it may be less than 0."""
    share: Fraction | None = None
    if text.endswith("%"):
        try:
            share = Published.parse(f"{text[:-1].strip()}%").value  # the output has a blank before it
        except InputError:
            share = None
    if share is None or (option != "--edge" and share < 0) or (option == "--hit" and share > 1):
        raise CombinatError(f'{option}: found "{shortened(text)}"; write {_percentage(text, option)}')
    return share


def _percentage(text: str, option: str) -> str:
    """What to write in the place of a number without a per cent sign."""
    try:
        number = Published.parse(f"{text}%").value * 100
    except InputError:
        return f"a percentage, such as {option} 5%"
    if 0 < number < 1:
        return f"{money(number * 100)}% or, for a fraction of a per cent, {text}%"
    return f"{text}%" if 1 <= number <= 100 else f"a percentage, such as {option} 5%"


def _solution(game: Game, bet: str, shoe: Shoe, value: Fraction, line: str | None) -> Solution:
    with named("line"):
        return solved(game, bet, shoe, value, line=line or "")


def _print(game: Game, document: Section, csv: Table, record: dict[str, Any], form: Format) -> None:
    if form is Format.JSON:
        say(as_json(record))
        return
    block = csv if form is Format.CSV else document
    say(rendered(with_provisos(game, [block], form), form))
