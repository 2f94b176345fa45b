"""What the report assumes and what it leaves out, numbered, so that it can be cited."""

from combinat.certify.dossier import Dossier
from combinat.render.blocks import Block, Column, Paragraph, Section, chapter, table
from combinat.report.analysis.odds import decks_in_words
from combinat.rules.game import Game

SCOPE = "scope"


def scope_section(dossier: Dossier, game: Game) -> Section:
    """The chapter of scope."""
    blocks: list[Block] = [
        Paragraph(
            f"The report gives the exact chances and values of every bet{' and every insurance state' if game.insurance else ''} "
            f"of {game.name}, as its {'draft' if game.is_draft else 'document'} settles them, and what follows from them."
        ),
        table(
            (Column("no."), Column("assumption")), _numbered("A", _assumptions(dossier, game)), "Assumptions"
        ),
        table((Column("no."), Column("not analysed")), _numbered("X", _exclusions(game)), "Exclusions"),
    ]
    return chapter("Scope", blocks, SCOPE)


def _numbered(letter: str, sentences: list[str]) -> list[tuple[str, str]]:
    return [(f"{letter}{number}", sentence) for number, sentence in enumerate(sentences, start=1)]


def _assumptions(dossier: Dossier, game: Game) -> list[str]:
    said = [
        "One round is dealt from a fresh, well-shuffled shoe of full decks: every order of its cards is equally likely.",
        "Cards burnt unseen and a cut card change nothing before the deal: whatever lies before them, the cards of the round "
        "are distributed as if they were the first of the shoe.",
        f"Where one shoe stands for all, it has {decks_in_words(dossier.reference_decks)}.",
        "A unit is staked on each bet, and no stake meets a limit of the table.",
        "A round that the shoe cannot finish is void, as the rules below say.",
    ]
    if game.interpretations:
        said.append(
            "Where a clause can be read in more than one way, the reading of the register is followed"
            + (", except for those named on page 1." if game.provisos.readings else ".")
        )
    if game.insurance:
        said.append(
            "An insurance offer is valued at the moment it is made, both totals known and no other card."
        )
    return said


def _exclusions(game: Game) -> list[str]:
    insured = " other than those on insurance" if game.insurance else ""
    return [
        f"Limits on stakes{insured}, the Differential, and whatever else depends on the other stakes at the table.",
        "Errors of dealing and their remedies, except as the rules below restate them.",
        "Players or dealers who know of cards that were not dealt, marked cards, and collusion.",
        "Counts of cards other than those of the section on game protection.",
        "The physical shuffle, the shoe, and the equipment.",
        "Whether anybody will approve the rules: the rule book is a draft."
        if game.is_draft
        else "Whether our transcription of the document is right: that is for a reader with both beside each other to judge.",
    ]
