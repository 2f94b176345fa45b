"""Game protection: the verdict on every bet in the body, what it stands on in an annex."""

from combinat.analysis.dossier import Dossier
from combinat.render.blocks import Block, Section, annex, chapter
from combinat.report.protection import protection_blocks, two_cards_blocks
from combinat.report.removal import removal_blocks


def protection_chapter(dossier: Dossier) -> Section:
    """Who can beat what."""
    return chapter("Game protection", protection_blocks(dossier)[:2], anchor="protection")


def protection_annex(dossier: Dossier) -> Section:
    """Counts, perfect play, ceilings, effects of removal."""
    removal: tuple[Block, ...] = (*removal_blocks(dossier.removal), *two_cards_blocks(dossier.protection))
    return annex(
        "Game protection in detail",
        (*protection_blocks(dossier)[2:], Section("Effects of removal", removal)),
        anchor="protection-in-detail",
    )
