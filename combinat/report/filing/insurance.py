"""Insurance in the filed report: favourable states, grids and habits in a chapter; every state in annexes."""

from collections.abc import Iterator

from combinat.certify.dossier import Dossier
from combinat.render.blocks import Block, Paragraph, Reference, Section, annex, chapter
from combinat.report.analysis.insurance import (
    decks_tables,
    favourable_in_words,
    grid_blocks,
    habit_blocks,
    range_blocks,
    states_table,
    third_card_table,
)
from combinat.report.analysis.odds import decks_in_words


def insurance_chapter(dossier: Dossier) -> Section:
    """Return the states that favour the player, the best first; grids of every state; habits."""
    states = dossier.reference.insurance
    if not states:
        return chapter("Insurance", "The document offers no insurance.", anchor="insurance")
    best = [one for one in states if one.favours_player]
    best.sort(key=lambda one: -(one.expected_value or 0))
    blocks: list[Block] = [
        Paragraph(
            (
                f"With {decks_in_words(dossier.reference_decks)}, {favourable_in_words(states)} favour the player. For all "
                "figures of every state see ",
                Reference("insurance-states"),
                ".",
            )
        )
    ]
    if best:
        caption = "Insurance states that favour the player, the best first"
        blocks.append(states_table(best, "report", caption, "favourable-states"))
    blocks += grid_blocks(states, dossier.not_offered)
    blocks += habit_blocks(dossier.insured) if dossier.insured else ()
    return chapter("Insurance", blocks, anchor="insurance")


def insurance_annexes(dossier: Dossier) -> Iterator[Section]:
    """Yield every state; by the Player's third card; by the exact cards; by the number of decks. None without insurance."""
    shoe, every = dossier.reference, "All insurance states"
    if not shoe.insurance:
        return
    reference = f"A fresh shoe of {decks_in_words(shoe.decks)}."
    yield annex(
        *(every, reference, states_table(shoe.insurance, "report", every, "all-states")),
        anchor="insurance-states",
    )
    if dossier.third_cards:
        caption = "Insurance after the Player's third card, by the points of that card"
        third_cards = third_card_table(dossier.third_cards, "report", caption)
        yield annex("Insurance by the Player's third card", reference, third_cards)
    if dossier.ranges:
        caption = "The worst and the best exact cards of every insurance state"
        yield annex(
            "Insurance by the exact cards", reference, range_blocks(dossier.ranges, "report", caption)
        )
    if len(dossier.shoes) > 1:
        caption = "Insurance by number of decks: expected value, % of the stake"
        states = {each.decks: each.insurance for each in dossier.shoes}
        starred = "*: the state favours the player."
        yield annex("Insurance by number of decks", decks_tables(states, "report", caption), starred)
