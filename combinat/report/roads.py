"""A shoe as people at the table look at it: bead plate, big road, and the house edges along its rounds."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from combinat.audit.verdict import ShoeTrace, TracedRound
from combinat.base.kinds import COUNT, TEXT
from combinat.render.blocks import Block, Cell, Column, Figure, Paragraph, Picture, Section, table
from combinat.render.pictures import Bead, LinePanel, Lines, Road, Tone

DOWN = 6
"""Rows of a road."""

_LETTERS = {"player": "P", "banker": "B", "tie": "T", None: "?"}
_TONES = {"player": Tone.ONE, "banker": Tone.OTHER, "tie": Tone.NEITHER, None: Tone.UNKNOWN}


def shoe_section(shoe: ShoeTrace) -> Section:
    """The shoe: its roads, the edges, and the rounds with a fault."""
    named = f"Shoe {shoe.shoe}" + (f" of table {shoe.table}" if shoe.table else "")
    shown, faulty = len(shoe.rounds), [one for one in shoe.rounds if one.is_faulty]
    count = (
        f"{shown} rounds" if shown == shoe.all_rounds else f"the first {shown} of {shoe.all_rounds} rounds"
    )
    blocks: list[Block] = [
        Paragraph(f"{named}, {count}, {len(faulty)} with a fault."),
        _bead_plate(named, shoe.rounds),
        _big_road(named, shoe.rounds),
    ]
    if any(one.edges is not None for one in shoe.rounds):
        blocks.append(_edges(named, shoe))
    if faulty:
        columns = [Column("line", COUNT), Column("round", COUNT), Column("cards")]
        rows: list[tuple[Cell, ...]] = [(one.line, Figure(one.name, TEXT), one.cards) for one in faulty]
        blocks.append(table(columns, rows, caption="Rounds of this shoe with a fault"))
    return Section("A shoe, round by round", tuple(blocks))


def _bead_plate(named: str, rounds: Sequence[TracedRound]) -> Picture:
    beads = tuple(
        Bead(
            column=number // DOWN,
            row=number % DOWN,
            label=_LETTERS[one.winner],
            tone=_TONES[one.winner],
            is_framed=one.is_faulty,
            upper_dot=one.banker_pair,
            lower_dot=one.player_pair,
        )
        for number, one in enumerate(rounds)
    )
    results = ", ".join(
        f"{sum(one.winner == winner for one in rounds)} {word}"
        for winner, word in (("player", "Player"), ("banker", "Banker"), ("tie", "tie"))
    )
    return Picture(
        name="bead-plate",
        drawing=Road(title=f"{named}: bead plate", rows=DOWN, beads=beads),
        alt=f"Bead plate, down and then to the right: {' '.join(_LETTERS[one.winner] for one in rounds)}",
        caption=f"Bead plate, down and then to the right: {results}. P, B and T are wins of Player and Banker and ties, ? a round that "
        "cannot be told; a dot above is a pair of Banker, below of Player; a frame is a round with a fault.",
        is_narrow=True,
    )


def big_road(rounds: Sequence[TracedRound]) -> tuple[Bead, ...]:
    """The big road: a column for each run of wins, which turns right where it meets the foot or another run.

    Ties are counted on the bead before them, those before the first win on the first bead; a round that cannot be
    told has no place.
    """
    beads: list[Bead] = []
    taken: set[tuple[int, int]] = set()
    ties, has_turned = 0, False
    for one in rounds:
        if one.winner == "tie":
            ties += 1
            if beads:
                framed = beads[-1].is_framed or one.is_faulty
                beads[-1] = replace(beads[-1], label=str(ties), is_framed=framed)
        elif one.winner is not None:
            tone, last = _TONES[one.winner], beads[-1] if beads else None
            if last is not None and last.tone is tone:
                below = (last.column, last.row + 1)
                has_turned = has_turned or below[1] == DOWN or below in taken
                place = (last.column + 1, last.row) if has_turned else below
            else:
                place = (max((column for column, row in taken if row == 0), default=-1) + 1, 0)
                has_turned = False
            ties = 0 if beads else ties
            beads.append(
                Bead(
                    column=place[0],
                    row=place[1],
                    label=str(ties) if ties else "",
                    tone=tone,
                    is_ring=True,
                    is_framed=one.is_faulty,
                    upper_dot=one.banker_pair,
                    lower_dot=one.player_pair,
                )
            )
            taken.add(place)
    return tuple(beads)


def _big_road(named: str, rounds: Sequence[TracedRound]) -> Picture:
    beads = big_road(rounds)
    runs = sum(
        bead.row == 0 and (not before or before.tone is not bead.tone) for before, bead in _neighbours(beads)
    )
    return Picture(
        name="big-road",
        drawing=Road(title=f"{named}: big road", rows=DOWN, beads=beads),
        alt=f"Big road of {len(beads)} rounds that were won, in {runs} runs",
        caption="Big road: a column for each run, blue of Player and red of Banker; a number is that of the ties that follow (on the "
        "first bead also of those before it).",
        is_narrow=True,
    )


def _neighbours(beads: Sequence[Bead]) -> Iterator[tuple[Bead | None, Bead]]:
    yield from zip((None, *beads[:-1]), beads, strict=True)


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
