"""``combinat check``: a rule book of one's own, looked through."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from combinat.analysis.coverage import Coverage, Expectation, coverage, expectations
from combinat.cli.options import FormatOption, known_games
from combinat.cli.output import say, warn
from combinat.cli.shoe import DEFAULT_DECKS, DecksOption, shoe_from
from combinat.render.text import Format, as_json, rendered
from combinat.report import check as shown
from combinat.rules.book.find import file_bytes, rule_book_path
from combinat.rules.book.load import examined_book
from combinat.rules.book.reader import Mistake
from combinat.rules.game import Game


def check(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help="A TOML rule book, or a game id.",
            autocompletion=known_games,
            show_default=False,
        ),
    ],
    bet: Annotated[
        list[str] | None,
        typer.Option(metavar="ID", help="Show only this bet; repeat for more.", show_default=False),
    ] = None,
    decks: DecksOption = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Look a rule book through: every mistake at once, what each line covers, its published figures.

    Exit code 1: it has mistakes, or a published figure that it states does not hold.
    """
    path = rule_book_path(file)
    examined = examined_book(file_bytes(path), path, path.parent, again=True)
    if examined.book is None:
        _print_mistakes(path, examined.mistakes, form)
        raise typer.Exit(1)
    game = examined.book.game
    covered = coverage(game, shoe_from(game, _decks(game, decks), None, None), _chosen(bet, game))
    expected = expectations(game)
    _print(path, covered, expected, form)
    if not all(one.is_met for one in expected):
        raise typer.Exit(1)


def _decks(game: Game, decks: str | None) -> str:
    """The decks asked for, else those that are common, else the most that the game allows."""
    return decks or str(DEFAULT_DECKS if game.decks.allows(DEFAULT_DECKS) else game.decks.most)


def _chosen(bets: list[str] | None, game: Game) -> list[str]:
    return [game.bet(bet_id).id for bet_id in bets or []]


def _print_mistakes(path: Path, mistakes: Sequence[Mistake], form: Format) -> None:
    if form is Format.JSON:
        say(as_json(shown.mistakes_json(path.name, mistakes)))
    elif form in (Format.CSV, Format.LATEX):
        say(rendered([shown.mistakes_table(mistakes)], form))
    else:
        say(rendered([shown.mistakes_document(path.name, mistakes)], form))


def _print(path: Path, covered: Coverage, expected: tuple[Expectation, ...], form: Format) -> None:
    if form is Format.JSON:
        say(as_json(shown.check_json(path.name, covered, expected)))
        return
    if form is not Format.CSV:
        say(rendered([shown.check_document(covered, expected)], form))
        return
    say(rendered([shown.coverage_table(covered)], form))
    for words in (*shown.cautions_in_words(covered), *shown.unmet_in_words(expected)):
        warn(words)
