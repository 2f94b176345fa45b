"""``combinat games`` and ``combinat rules``: the rule books."""

import typer

from combinat.cli.options import FormatOption, GameArgument, LayoutOption
from combinat.render.document import Format, Table, as_json, rendered
from combinat.report.rulebook import rule_book, rule_book_json
from combinat.rules.rulebook import load_game, rule_book_path, rule_book_paths, rule_book_sha256


def games(form: FormatOption = Format.TEXT) -> None:
    """List the rule books, one line each."""
    loaded = [load_game(path) for path in rule_book_paths().values()]
    if form is Format.JSON:
        listed = [
            {
                "id": game.id,
                "name": game.name,
                "version": game.version or None,
                "effective": str(game.effective),
                "decks": {"least": game.decks.least, "most": game.decks.most},
                "bets": len(game.bets),
                "insurance_states": len(game.offers),
            }
            for game in loaded
        ]
        typer.echo(as_json({"schema": "combinat/games/1", "games": listed}))
        return
    rows = [
        [
            game.id,
            str(game.effective),
            f"{game.decks.least}-{game.decks.most}",
            str(len(game.layouts)),
            str(len(game.bets)),
            game.insurance_terms.name if game.insurance_terms else "none",
        ]
        for game in loaded
    ]
    columns = ("game", "in force", "decks", "layouts", "bets", "insurance")
    typer.echo(rendered([Table(columns=columns, align="lllrrl", rows=rows)], form))


def rules(
    game: GameArgument,
    layout: LayoutOption = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Show one rule book: bets, odds, layouts, insurance, clauses, interpretation register."""
    path = rule_book_path(game)
    loaded, sha256 = load_game(path), rule_book_sha256(path)
    if form is Format.JSON:
        typer.echo(as_json(rule_book_json(loaded, sha256, layout)))
    else:
        typer.echo(rendered(rule_book(loaded, sha256, layout), form))
