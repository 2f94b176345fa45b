"""Page one: the issuer, the subject, the findings, and every bet in one table."""

from collections.abc import Collection, Iterator, Sequence

from combinat.analysis.bets import BETS, BetAnalysis
from combinat.audit.verdict import Verdict
from combinat.base.kinds import percentage
from combinat.certify.dossier import Dossier
from combinat.certify.filing import Issue, Role
from combinat.render.blocks import (
    Block,
    Cell,
    Column,
    Meaning,
    Paragraph,
    Reference,
    Row,
    Section,
    Table,
    Terms,
    each_part,
    summary,
    table,
)
from combinat.render.numbering import numbered
from combinat.report.analysis.odds import decks_in_words
from combinat.report.analysis.readings import one_round_terms
from combinat.report.filing.findings import edges_of, favoured_decks, findings
from combinat.report.filing.identity import NO_ARCHIVE, control_terms, subject_terms
from combinat.report.filing.register import numbers
from combinat.report.phrases import DISCLAIMER, decks_span
from combinat.report.relation_tables import cells, columns
from combinat.rules.game import Game

SUMMARY, EVERY_BET = "summary", "every-bet"
"""The names of the places of page one and of its table."""

EDGE = percentage(4)

RELATES = "This report relates only to the document named above."
RELATES_TO_DRAFT = (
    "This report relates only to the draft rule book named above; there is no approved document behind it."
)


def summary_section(
    dossier: Dossier,
    game: Game,
    issue: Issue,
    verdicts: Sequence[Verdict] = (),
    places: Collection[str] = (),
) -> Section:
    """Page one; ``places``: the anchors of the document, so that a bet leads to its section where it has one."""
    blocks: list[Block] = [
        Terms(control_terms(issue), across=2 if issue.filing else 1),
        Terms(subject_terms(dossier, game, issue)),
        Terms(findings(dossier, game, issue, verdicts)),
        *one_round_terms(dossier.readings, dossier.reference_decks, game),
        bets_table(dossier, places),
        Paragraph(tuple(_notes(game, issue))),
    ]
    return summary("Summary", blocks, SUMMARY)


def _notes(game: Game, issue: Issue) -> Iterator[str]:
    yield f"{RELATES_TO_DRAFT if game.is_draft else RELATES} {DISCLAIMER}"
    if issue.date is None:
        yield f" {NO_ARCHIVE}"


def people_table(issue: Issue) -> Table:
    """Return the people who prepared, reviewed and approved the report, with room to sign."""
    rows: list[Row] = []
    for role in Role:
        people = issue.filing.in_role(role) if issue.filing else ()
        named = [(person.name, person.position) for person in people] or [("not named", "")]
        rows += [Row((role.capitalize(), *who, "", ""), Meaning.TO_SIGN) for who in named]
    heads = ("role", "name", "position", "signature", "date")
    return table([Column(head) for head in heads], rows, "Signatures", anchor="signatures")


def bets_table(dossier: Dossier, places: Collection[str] = ()) -> Table:
    """Return every bet in a line: what it pays, how often it wins, what the House keeps, and what is to be noted."""
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


# ---------------------------------------------------------------- the memo


def memo(page_one: Section, dossier: Dossier, game: Game, issue: Issue) -> Section:
    """Return the memo; ``page_one``: that of the report, before it is numbered."""
    # A memo stands alone: what refers to a place of the report has its name only.
    first = each_part(page_one.blocks, lambda part: part.name if isinstance(part, Reference) else part)
    return numbered(
        Section(f"{game.name}: memo", (*first, *_open_readings(dossier, game, issue), people_table(issue)))
    )


def _open_readings(dossier: Dossier, game: Game, issue: Issue) -> tuple[Block, ...]:
    """Return every entry of the register that nobody has confirmed, by its number and id."""
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
