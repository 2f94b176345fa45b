"""``combinat games`` and ``combinat rules``: the rule books."""

from combinat.cli.options import FormatOption, GameArgument, LayoutOption
from combinat.cli.output import say
from combinat.render.text import Format, as_json, rendered
from combinat.report.games import games_json, games_table
from combinat.rules.rule_book_files import document_clauses, listed, rule_book_paths


def games(form: FormatOption = Format.TEXT) -> None:
    """List the rule books, one line each."""
    if form is Format.JSON:
        from combinat.rules.rulebook import load_game

        say(as_json(games_json([load_game(path) for path in rule_book_paths().values()])))
    else:
        say(rendered([games_table(list(map(listed, rule_book_paths().values())))], form))


def rules(
    game: GameArgument,
    layout: LayoutOption = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Show one rule book: bets, odds, layouts, insurance, clauses, interpretation register."""
    from combinat.report.clauses import covered_json
    from combinat.report.rulebook import rule_book, rule_book_json
    from combinat.rules.clauses import covered_clauses
    from combinat.rules.rulebook import load_rule_book

    book = load_rule_book(game)
    loaded, sha256 = book.game, book.sha256
    if form is Format.JSON:
        covered = covered_clauses(loaded, document_clauses(loaded.id)) if layout is None else []
        more = {"clauses_covered": covered_json(covered)} if covered else {}
        say(as_json(rule_book_json(loaded, sha256, layout) | more))
        return
    say(rendered([rule_book(loaded, sha256, layout)], form, main="Bets"))
