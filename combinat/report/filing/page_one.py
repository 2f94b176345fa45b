"""Page one: the issuer, the subject, the findings, and every bet in one table; and the memo, which is page one alone."""

from collections.abc import Collection, Sequence

from combinat.analysis.bets import BETS, BetAnalysis
from combinat.analysis.insurance_habits import Habit
from combinat.audit.verdict import Verdict, Word
from combinat.base.kinds import COUNT, percentage
from combinat.certify.dossier import Dossier
from combinat.certify.filing import Issue
from combinat.render.blocks import (
    Block,
    Cell,
    Column,
    Figure,
    Meaning,
    Paragraph,
    Part,
    Reference,
    Row,
    Section,
    Standing,
    Table,
    Terms,
    Words,
    each_part,
    table,
)
from combinat.render.numbering import numbered
from combinat.report.analysis.insurance import favourable_in_words
from combinat.report.analysis.odds import decks_in_words
from combinat.report.analysis.readings import one_round_terms
from combinat.report.filing.front_matter import EVERY_BET, control_terms, people_table, subject_terms
from combinat.report.filing.register import by_severity, effect, numbers, worst_case
from combinat.report.phrases import DISCLAIMER, decks_span, state_named
from combinat.report.relation_tables import cells, columns
from combinat.rules.game import Game

EDGE = percentage(4)

RELATES = "This report relates only to the document named above."
RELATES_TO_DRAFT = (
    "This report relates only to the draft rule book named above; there is no approved document behind it."
)
NO_ARCHIVE = "The files carry no date. The PDF is tagged (PDF/UA) but is not PDF/A, which requires a date."
"""The note of a report without a date."""


def summary_section(
    dossier: Dossier,
    game: Game,
    issue: Issue,
    verdicts: Sequence[Verdict] = (),
    places: Collection[str] = (),
) -> Section:
    """Return page one; ``places``: the anchors of the document, for links from bets to their sections."""
    relates = RELATES_TO_DRAFT if game.is_draft else RELATES
    blocks: tuple[Block, ...] = (
        Terms(control_terms(issue), across=2 if issue.filing else 1),
        Terms(subject_terms(dossier, game, issue)),
        Terms(findings(dossier, game, issue, verdicts)),
        *one_round_terms(dossier.readings, dossier.reference_decks, game),
        bets_table(dossier, places),
        Paragraph(f"{relates} {DISCLAIMER}{'' if issue.date else f' {NO_ARCHIVE}'}"),
    )
    return Section("Summary", blocks, Standing.SUMMARY, "summary")


def bets_table(dossier: Dossier, places: Collection[str] = ()) -> Table:
    """Return a table with a row for every bet: odds, hit frequency, house edge, and remarks."""
    bets = dossier.reference.bets
    fields = [field for field in BETS.view("report") if field.name != "id"]
    flags = {bet.id: _flags(dossier, bet) for bet in bets}
    has_span, has_flags = len(dossier.shoes) > 1, any(flags.values())
    heads = (
        Column("bet"),
        *columns(fields),
        *([Column("lowest edge %", EDGE), Column("highest edge %", EDGE)] if has_span else []),
        *([Column("note")] if has_flags else []),
    )
    rows: list[Row] = []
    for bet in bets:
        edges = [other.house_edge for other in edges_of(dossier, bet.id).values()]
        row: tuple[Cell, ...] = (
            *(_name(bet, places), *cells(fields, bet)),
            *((min(edges), max(edges)) if has_span else ()),
            *((flags[bet.id],) if has_flags else ()),
        )
        rows.append(Row(row, Meaning.FAVOURS_PLAYER if bet.house_edge < 0 else Meaning.PLAIN))
    over = f"; lowest and highest over {decks_span(dossier.decks)}" if has_span else ""
    caption = f"Every bet: odds, hit frequency, fair odds and house edge with {decks_in_words(dossier.reference_decks)}{over}"
    return table(heads, rows, caption, anchor=EVERY_BET)


def _name(bet: BetAnalysis, places: Collection[str]) -> Cell:
    place = bet_place(bet.id)
    return (Reference(place, bet.name),) if place in places else bet.name


def bet_place(bet_id: str) -> str:
    """Return the anchor of a bet's exact figures."""
    return f"bet-{bet_id}"


def _flags(dossier: Dossier, bet: BetAnalysis) -> str:
    """Return the remarks on a bet."""
    favoured = favoured_decks(dossier, bet.id)
    said = []
    if favoured and len(favoured) == len(dossier.decks):
        said.append("favours the player")
    elif favoured:
        said.append(f"favours the player with {', '.join(map(str, favoured))} decks")
    if not bet.hit_frequency:
        said.append("cannot win")
    return "; ".join(said)


# ---------------------------------------------------------------- the findings

PERCENT, FINE = percentage(2, signed=True), percentage(4)

PER_CENT = "\u00a0%"
"""The sign after its figure, on the same line."""


def findings(
    dossier: Dossier, game: Game, issue: Issue, verdicts: Sequence[Verdict] = ()
) -> dict[str, Words]:
    """Return the findings by subject: bets, insurance, ambiguous clauses, simulations."""
    return {
        "Bets": _of_bets(dossier),
        "Insurance": _of_insurance(dossier, game),
        "Ambiguous clauses": _of_readings(dossier, game, issue),
        **({"Simulation": _of_simulations(verdicts)} if verdicts else {}),
    }


def edges_of(dossier: Dossier, bet_id: str) -> dict[int, BetAnalysis]:
    """Return a bet by number of decks."""
    return {shoe.decks: next(bet for bet in shoe.bets if bet.id == bet_id) for shoe in dossier.shoes}


def favoured_decks(dossier: Dossier, bet_id: str) -> list[int]:
    """Return the numbers of decks at which a bet favours the player."""
    return [decks for decks, bet in edges_of(dossier, bet_id).items() if bet.house_edge < 0]


def _of_bets(dossier: Dossier) -> Words:
    """Return the lowest and the highest house edge, and the bets that favour the player."""
    bets, shoe = dossier.reference.bets, decks_in_words(dossier.reference_decks)
    least, most = (pick(bets, key=lambda bet: bet.house_edge) for pick in (min, max))
    favourable = [
        f"{bet.name} (with {decks_span(decks)})" for bet in bets if (decks := favoured_decks(dossier, bet.id))
    ]
    lowest, highest = (Figure(bet.house_edge, FINE, after=PER_CENT) for bet in (least, most))
    edges = (
        (f"{least.name}, the only bet, has a house edge of ", lowest, f" with {shoe}")
        if len(bets) == 1
        else (
            *(f"With {shoe} the house edge is lowest on {least.name}, ", lowest),
            *(f", and highest on {most.name}, ", highest),
        )
    )
    return (
        *edges,
        f". Bets that favour the player with {decks_span(dossier.decks)}: {', '.join(favourable) or 'none'}.",
    )


def _of_insurance(dossier: Dossier, game: Game) -> Words:
    """Return the number of favourable states, the best one, and the result of a player who insures only in these."""
    states = dossier.reference.insurance
    if not states:
        return f"The {'draft' if game.is_draft else 'document'} offers none."
    favourable = favourable_in_words(states)
    words: list[Part] = [f"With {decks_in_words(dossier.reference_decks)}, {favourable} favour the player."]
    best = max(states, key=lambda state: state.expected_value or -1)
    if best.favours_player:
        words += [f" Largest expected value: {state_named(best.state)} (pays {best.odds}), "]
        words += [Figure(best.expected_value, PERCENT, after=PER_CENT), " of the stake, reached in "]
        words += [Figure(best.probability, percentage(2), after=PER_CENT), " of rounds."]
    habits = [bet for bet in dossier.insured if bet.habit is Habit.BY_TOTALS and bet.insured]
    for place, habit in enumerate(habits):
        before = (
            ", "
            if place
            else " Expected value of a bet together with the insurance that favours the player: "
        )
        words += [f"{before}{game.bet(habit.bet).name} ", Figure(habit.mean, PERCENT, after=PER_CENT)]
    return (*words, ".") if habits else tuple(words)


def _of_readings(dossier: Dossier, game: Game, issue: Issue) -> Words:
    """Return the ambiguous clauses in numbers: those that change a figure, the largest effect, those confirmed."""
    entries = [reading.entry for reading in dossier.readings]
    if not entries:
        return "None."
    changing = sum(worst_case(reading) is not None for reading in dossier.readings)
    largest = (". Largest effect: ", *effect(by_severity(dossier)[0], game)) if changing else ()
    confirmed = sum(not issue.is_open(entry) for entry in entries)
    return (
        *(Figure(len(entries), COUNT), ". Another reading changes a figure in ", Figure(changing, COUNT)),
        *(
            *largest,
            ". Readings confirmed: ",
            Figure(confirmed, COUNT),
            " of ",
            Figure(len(entries), COUNT),
            ".",
        ),
    )


def _of_simulations(verdicts: Sequence[Verdict]) -> Words:
    """Return the verdict on the first simulation that does not agree, or else on the first simulation."""
    first = next((verdict for verdict in verdicts if verdict.word is not Word.AGREES), verdicts[0])
    what = {
        Word.AGREES: "agrees with every figure that it tests",
        Word.DISAGREES: "does not agree with the exact figures",
        Word.UNJUDGED: "could not be judged",
    }[first.word]
    return Figure(first.rounds, COUNT), f" rounds ({first.file}): {what}."


# ---------------------------------------------------------------- the memo


def memo(page_one: Section, dossier: Dossier, game: Game, issue: Issue) -> Section:
    """Return the memo; ``page_one``: page one of the report, not yet numbered."""
    # A memo stands alone: what refers to a place of the report has its name only.
    first = each_part(page_one.blocks, lambda part: part.name if isinstance(part, Reference) else part)
    return numbered(
        Section(f"{game.name}: memo", (*first, *_open_readings(dossier, game, issue), people_table(issue)))
    )


def _open_readings(dossier: Dossier, game: Game, issue: Issue) -> tuple[Block, ...]:
    """Return every unconfirmed entry of the register, by its number and id."""
    entries = {
        f"No. {number}": game.interpretation(entry_id)
        for entry_id, number in numbers(dossier).items()
        if issue.is_open(entry_id)
    }
    if not entries:
        state = "none; all are confirmed" if game.interpretations else "none"
        return (Paragraph(f"Interpretations to confirm: {state}."),)
    return (
        Paragraph(
            "Interpretations to confirm. The interpretation register of the report has the same numbers; "
            "it states the reading taken and the effect of the other reading."
        ),
        Terms(
            {
                number: f"{entry.question} ({entry.id}; {', '.join(entry.clauses)})"
                for number, entry in entries.items()
            }
        ),
    )
