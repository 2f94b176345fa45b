"""``combinat exposure``: what the House can win or lose in one round with all the stakes."""

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Annotated

import typer

from combinat.base.errors import CombinatError, StakeError
from combinat.base.files import replacing
from combinat.cli.options import FormatOption, GameArgument, pairs
from combinat.cli.output import say
from combinat.cli.places import refuse_inputs
from combinat.cli.shoe import CardsOption, DecksOption, RemovedOption, shoe_from
from combinat.cli.variant_options import PaysOption, ReadingOption, varied_game
from combinat.engine.distribution import Distribution
from combinat.engine.walk import walk
from combinat.render.escape import for_text
from combinat.render.text import Format, as_json, rendered
from combinat.report import exposure as shown
from combinat.report.provisos import with_provisos
from combinat.rules import bounds
from combinat.rules.book.find import rule_book_path
from combinat.rules.document import Layout
from combinat.rules.game import Game
from combinat.rules.money import parse_money
from combinat.table.exposure import Stakes
from combinat.table.exposure import exposure as exposed
from combinat.table.exposure_ceiling import LayoutCeiling, ceiling
from combinat.table.gaming_table import BetLimits, Chips, DisplayedLimits, hand_of
from combinat.table.table_file import load_table
from combinat.table.table_settlement import table_state

TableOption = Annotated[
    Path | None,
    typer.Option(
        "--table", metavar="FILE", help="The stakes of a table, as for `combinat table`.", show_default=False
    ),
]
StakeOption = Annotated[
    list[str] | None,
    typer.Option(metavar="BET=AMOUNT", help="A stake of each position; repeat for more.", show_default=False),
]
LayoutOption = Annotated[
    str | None, typer.Option(help="The layout played on: only its bets are taken.", show_default=False)
]
PositionsOption = Annotated[
    int | None,
    typer.Option(
        min=1,
        max=bounds.POSITIONS,
        metavar="N",
        help="How many positions stake so; one, or all of a full layout.",
        show_default=False,
    ),
]
LimitOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="BET=AMOUNT",
        help="Of a full layout: the most that one position may stake on a bet; repeat for more.",
        show_default=False,
    ),
]
MaximumOption = Annotated[
    str | None,
    typer.Option(
        metavar="AMOUNT",
        help="Of a full layout: the same for every bet that has no limit of its own.",
        show_default=False,
    ),
]
DifferentialOption = Annotated[
    str | None,
    typer.Option(
        metavar="AMOUNT",
        help="Of a full layout: the maximum Differential, which limits the bets on the hands.",
        show_default=False,
    ),
]
OldDifferentialOption = Annotated[str | None, typer.Option("--differential", hidden=True)]  # as it was called
DetailOption = Annotated[bool, typer.Option("--detail", help="Every result of the distribution.")]
ChartOption = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Also draw the distribution (.svg), or write the document with its chart (.html).",
        show_default=False,
    ),
]

SUFFIXES = (".svg", ".html")


@dataclass(frozen=True, slots=True, kw_only=True)
class ExposureQuestion:
    """The stakes, one by one; ``full``: the ceiling that they come from, if a full layout is asked for."""

    stakes: Stakes
    chips: Chips | None = None
    full: LayoutCeiling | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class StakeOptions:
    """The options that say what is staked, as they were given."""

    stake: list[str]
    layout: str | None
    positions: int | None
    limit: list[str]
    maximum: str | None
    differential: str | None

    @property
    def speaks_of_limits(self) -> bool:
        """Whether a full layout at limits is asked for."""
        return bool(self.limit or self.maximum or self.differential)


def exposure(
    game: GameArgument,
    table: TableOption = None,
    stake: StakeOption = None,
    layout: LayoutOption = None,
    positions: PositionsOption = None,
    limit: LimitOption = None,
    maximum: MaximumOption = None,
    max_differential: DifferentialOption = None,
    differential: OldDifferentialOption = None,
    decks: DecksOption = None,
    removed: RemovedOption = None,
    cards: CardsOption = None,
    pays: PaysOption = None,
    reading: ReadingOption = None,
    detail: DetailOption = False,
    chart: ChartOption = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """The exact distribution of the House's result of one round with all the stakes, and the rounds that cost it most."""
    loaded = varied_game(game, pays, reading)
    if chart is not None:
        _check_chart(chart, game, table)
    asked = StakeOptions(
        stake=stake or [],
        layout=layout,
        positions=positions,
        limit=limit or [],
        maximum=maximum,
        differential=max_differential if max_differential is not None else differential,
    )
    shoe = shoe_from(loaded, decks, removed, cards)
    distribution = walk(shoe, loaded.round())
    question = (
        _of_table(loaded, table, asked) if table is not None else _of_options(loaded, asked, distribution)
    )
    result = exposed(loaded, shoe, distribution, question.stakes, question.chips)
    document = shown.exposure_document(loaded, shoe, result, question.full, question.notes, detail=detail)
    if chart is not None:
        picture = shown.exposure_chart(loaded, document, result, chart.suffix)
        with replacing(chart) as temporary:
            temporary.write_bytes(picture)
    if form is Format.JSON:
        say(as_json(shown.exposure_json(loaded, shoe, result, question.full)))
        return
    block = shown.exposure_csv(result) if form is Format.CSV else document
    say(rendered(with_provisos(loaded, [block], form), form))
    if chart is not None and form is not Format.CSV:
        say(f"\n{for_text(f'chart: {chart}')}")


def _check_chart(chart: Path, game: str, table: Path | None) -> None:
    if chart.suffix not in SUFFIXES:
        raise CombinatError(f'--chart: found "{chart}"; write a file name that ends in {", ".join(SUFFIXES)}')
    refuse_inputs("--chart", chart, {"the rule book": rule_book_path(game), "the table": table})


def _of_table(game: Game, file: Path, asked: StakeOptions) -> ExposureQuestion:
    """The stakes of a table: what its limits leave of them."""
    if asked.stake or asked.layout or asked.positions or asked.speaks_of_limits:
        raise CombinatError(
            "--table says what is staked; --stake, --layout, --positions, --limit, --maximum and --max-differential "
            "do not go with it"
        )
    table = load_table(file, game)
    stakes: dict[str, list[Fraction]] = {}
    for wager, amount in table_state(game, table).at_stake:
        if amount:
            stakes.setdefault(wager.bet, []).append(amount)
    notes = [shown.NOTES["cards"]] if table.dealt is not None else []
    return ExposureQuestion(stakes=stakes, chips=table.chips, notes=(*notes, *_without_insurance(game)))


def _without_insurance(game: Game) -> tuple[str, ...]:
    """The note that the figures leave out insurance, where the game offers it."""
    return (shown.NOTES["insurance"],) if game.offers else ()


def _of_options(game: Game, asked: StakeOptions, distribution: Distribution) -> ExposureQuestion:
    if asked.stake and asked.speaks_of_limits:
        raise CombinatError(
            "--stake says what is staked; --limit, --maximum and --max-differential ask for the most"
        )
    layout = game.layout(asked.layout) if asked.layout is not None else None
    if layout is not None and asked.positions is not None and asked.positions > layout.positions.most:
        raise CombinatError(
            f"--positions: found {asked.positions}; layout {layout.id} has {layout.positions} ({layout.clause})"
        )
    if asked.stake:
        return _staked(game, asked, layout)
    if asked.speaks_of_limits:
        return _full(game, asked, layout, distribution)
    raise StakeError(
        "nothing is staked; add --stake BET=AMOUNT or --table FILE, or ask for the most that a full layout can cost "
        "with --limit BET=AMOUNT, --maximum AMOUNT, --max-differential AMOUNT"
    )


def _staked(game: Game, asked: StakeOptions, layout: Layout | None) -> ExposureQuestion:
    stakes = pairs("--stake", "BET=AMOUNT", asked.stake, parse_money)
    for bet_id, amount in stakes.items():
        _check_bet(game, "--stake", bet_id, amount, layout)
    return ExposureQuestion(
        stakes={bet: [amount * (asked.positions or 1)] for bet, amount in stakes.items()},
        notes=_without_insurance(game),
    )


def _check_bet(game: Game, option: str, bet_id: str, amount: Fraction, layout: Layout | None) -> None:
    bet = game.bet(bet_id)
    if not amount:
        raise StakeError(f"{option} {bet_id}: found 0; write an amount of more than 0")
    if layout is not None and layout.id not in bet.layouts:
        raise StakeError(
            f"{option} {bet_id}: layout {layout.id} does not offer {bet.name} ({bet.settled}); "
            f"it offers {', '.join(one.id for one in game.bets_on(layout.id))}"
        )


def _full(
    game: Game, asked: StakeOptions, layout: Layout | None, distribution: Distribution
) -> ExposureQuestion:
    """The stakes within the limits that can cost the House most."""
    if layout is None and len(game.layouts) > 1:
        raise CombinatError(
            f"--layout: missing; write which of its layouts is full: {', '.join(one.id for one in game.layouts)}"
        )
    layout = layout or game.layouts[0]
    limits = pairs("--limit", "BET=AMOUNT", asked.limit, parse_money)
    for bet_id, amount in limits.items():
        _check_bet(game, "--limit", bet_id, amount, layout)
    differential, maximum = (
        _money("--max-differential", asked.differential),
        _money("--maximum", asked.maximum),
    )
    if differential is not None and game.table_limits is None:
        raise CombinatError(
            f"--max-differential: {game.id} knows no Differential; give a limit for the bets on the hands"
        )
    if maximum is not None:
        others = [
            bet.id for bet in game.bets_on(layout.id) if differential is None or hand_of(game, bet.id) is None
        ]
        limits = dict.fromkeys(others, maximum) | limits
    stated = DisplayedLimits(
        maximum_differential=differential,
        bets={bet: BetLimits(maximum=amount) for bet, amount in limits.items()},
    )
    most = ceiling(game, layout.id, asked.positions or layout.positions.most, stated, distribution)
    if not most.loss:
        raise CombinatError("with this shoe no stakes within the limits can cost the House anything")
    notes = (shown.NOTES["full"],) if most.insured is not None else ()
    return ExposureQuestion(
        stakes={bet: [amount] for bet, amount in most.choices[0].items()}, full=most, notes=notes
    )


def _money(option: str, text: str | None) -> Fraction | None:
    if text is None:
        return None
    try:
        amount = parse_money(text)
    except StakeError as error:
        raise StakeError(f"{option}: {error}") from None
    if not amount:
        raise StakeError(f"{option}: found 0; write an amount of more than 0")
    return amount
