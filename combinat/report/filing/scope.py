"""Whose report it is of, and what it covers."""

from collections.abc import Sequence

from combinat import __version__
from combinat.analysis.dossier import Dossier
from combinat.render.blocks import Figure, Paragraph, Part, Section, Terms, Words, chapter
from combinat.render.kinds import COUNT, HASH
from combinat.report.filing.names import decks_figure
from combinat.report.followed import FOLLOWED, followed_in_words
from combinat.report.phrases import in_force_from
from combinat.rules.game import Game


def identity_chapter(dossier: Dossier, game: Game) -> Section:
    """The game, its document, our transcription of it, the software."""
    when = in_force_from(game.effective, game.time)
    said: dict[str, Words] = {
        "Game": game.name,
        "Operator": game.operator,
        "Authority": game.authority or "none named in the document",
        "Rule document": f"{'Version ' + game.version if game.version else 'no version named'}, in force from {when}",
        "Our transcription of it": (f"{game.id}.toml, SHA-256 ", Figure(dossier.rule_book_sha256, HASH)),
        "Decks": (
            *_listed(dossier.decks),
            f"; the document allows {game.decks.least} to {game.decks.most} ({game.decks.clause})",
        ),
        FOLLOWED: followed_in_words(game) if game.followed else "those of the register",
        "Software": f"combinat {__version__}",
    }
    return chapter("Identity", (Terms(said),), anchor="identity")


def _listed(numbers: Sequence[int]) -> list[Part]:
    """Numbers with commas between them."""
    words: list[Part] = []
    for number in numbers:
        words += [", ", Figure(number, COUNT)] if words else [Figure(number, COUNT)]
    return words


def scope_chapter(dossier: Dossier) -> Section:
    """What every figure assumes, and what is not analysed."""
    return chapter(
        "Scope and assumptions",
        (
            Paragraph(
                (
                    "Every figure is for one round dealt from a well-shuffled fresh shoe, unless a table says otherwise. "
                    "Cards that were burnt unseen and a cut card change nothing before the deal: every order of the cards "
                    "is equally likely, so the cards of the round are distributed as if they were the first of the shoe. "
                    "Where one shoe stands for all, it has ",
                    *decks_figure(dossier.reference_decks),
                    ".",
                )
            ),
            Paragraph(
                "Not analysed: limits on stakes other than those on insurance, the Differential, errors of dealing and "
                "their remedies except as the rules below restate them, players who know of cards that were not dealt, "
                "and counts other than those of the chapter on game protection."
            ),
        ),
        anchor="scope",
    )
