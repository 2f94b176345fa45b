"""One shoe of a log: the house edges along its rounds, and the rounds with a fault."""

from combinat.audit.verdict import ShoeTrace
from combinat.base.kinds import COUNT, TEXT
from combinat.render.blocks import Block, Cell, Column, Figure, Paragraph, Picture, Section, table
from combinat.render.charts.pictures import LinePanel, Lines


def shoe_section(shoe: ShoeTrace) -> Section:
    """The shoe: the edges, and the rounds with a fault."""
    named = f"Shoe {shoe.shoe}" + (f" of table {shoe.table}" if shoe.table else "")
    shown, faulty = len(shoe.rounds), [one for one in shoe.rounds if one.is_faulty]
    count = (
        f"{shown} rounds" if shown == shoe.all_rounds else f"the first {shown} of {shoe.all_rounds} rounds"
    )
    blocks: list[Block] = [
        Paragraph(f"{named}, {count}, {len(faulty)} with a fault."),
    ]
    if any(one.edges is not None for one in shoe.rounds):
        blocks.append(_edges(named, shoe))
    if faulty:
        columns = [Column("line", COUNT), Column("round", COUNT), Column("cards")]
        rows: list[tuple[Cell, ...]] = [(one.line, Figure(one.name, TEXT), one.cards) for one in faulty]
        blocks.append(table(columns, rows, caption="Rounds of this shoe with a fault"))
    return Section("A shoe, round by round", tuple(blocks))


def _edges(named: str, shoe: ShoeTrace) -> Picture:
    """The house edge of every bet on the cards left before each round."""
    panels = tuple(
        LinePanel(
            title=bet,
            points=tuple(
                (number, one.edges[place])
                for number, one in enumerate(shoe.rounds, 1)
                if one.edges is not None
            ),
        )
        for place, bet in enumerate(shoe.bets)
    )
    return Picture(
        name="edges",
        drawing=Lines(
            title=f"{named}: house edges",
            across_title="round of the shoe",
            down_title="house edge, %, on the cards left",
            panels=panels,
            is_narrow=True,
        ),
        alt=f"House edges of {len(shoe.bets)} bets along the rounds of the shoe",
        caption="The exact house edge of every bet on the cards that were left before each round; below zero the bet favoured the player. "
        "Burned cards were not seen and count among those left.",
        is_narrow=True,
    )
