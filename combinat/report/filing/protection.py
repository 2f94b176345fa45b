"""Game protection: the verdict on every bet in the body, what it stands on in an annex."""

from collections.abc import Iterator, Mapping

from combinat.certify.dossier import Dossier
from combinat.render.blocks import Block, Paragraph, Section, annex, chapter
from combinat.report.analysis.removal import changes_table, rank_columns
from combinat.report.phrases import bet_names, decks_figure, named, offer_names
from combinat.report.protection.protection import protection_annex_blocks, protection_blocks, two_cards_blocks
from combinat.rules.game import Game


def protection_chapter(dossier: Dossier, game: Game) -> Section:
    """Return the chapter that states who can beat each bet."""
    blocks = named(protection_blocks(dossier), {**bet_names(game), **offer_names(game)})
    return chapter("Game protection", blocks, anchor="protection")


def protection_annex(dossier: Dossier, game: Game) -> Section:
    """Return counts, perfect play, ceilings, effects of removal."""
    names = {**bet_names(game), **offer_names(game)}
    removal = (*_removal(dossier, names), *named(two_cards_blocks(dossier.protection), names))
    blocks = (*named(protection_annex_blocks(dossier), names), Section("Effects of removal", removal))
    return annex("Game protection in detail", blocks, anchor="protection-in-detail")


def _removal(dossier: Dossier, names: Mapping[str, str]) -> Iterator[Block]:
    """Yield the change of every bet's expected value by the rank of a card removed; bets without any are named below."""
    moved = [removal for removal in dossier.removal if any(removal.effects.values())]
    still = [names[removal.subject.bet or ""] for removal in dossier.removal if removal not in moved]
    if moved:
        caption = "Change of the expected value if one card of a rank is removed, % of the stake"
        yield from named([changes_table(moved, rank_columns(moved), caption)], names)
    said = f" The removal of one card has no effect on {', '.join(still)}." if still else ""
    yield Paragraph(("A fresh shoe of ", *decks_figure(dossier.reference_decks), f".{said}"))
