"""The document of a verdict on a simulation or a hand log."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from combinat.audit.verdict import (
    Evidence,
    FaultKind,
    FaultRow,
    Grouping,
    Judgement,
    LogGroup,
    Replayed,
    ShoeTrace,
    Verdict,
)
from combinat.base.kinds import COUNT, MONEY, decimal
from combinat.render.blocks import (
    Block,
    Figure,
    Meaning,
    Paragraph,
    Picture,
    Section,
    SectionPart,
    Table,
    Terms,
    Words,
    blocks_of,
    each_table,
    section,
    with_columns,
)
from combinat.render.charts.pictures import LinePanel, Lines
from combinat.render.escape import for_text
from combinat.render.text import Format, as_json, line_of_text, rendered
from combinat.report.audit.verdict_records import (
    BET_MEANS,
    CAUSES,
    CONTRADICTIONS,
    CROSSCHECK,
    FAMILIES,
    FAULT_ROWS,
    GROUPS,
    TESTS,
    TOTALS,
    TRACED_ROUNDS,
)
from combinat.report.relation_tables import view_table

SHOWN = 20
"""Maximum number of failed tests and contradictions shown; JSON has them all."""


def verdict_document(verdict: Verdict, where_all: str = "", *, with_shoe: bool = False) -> Section:
    """Return the whole verdict, its sentence first. ``where_all``: the place of the rows that are not shown.

    ``with_shoe``: with the picture of a shoe, if there is one.
    """
    shoe = verdict.replay.shoe_trace if verdict.replay is not None and with_shoe else None
    pictures = (shoe_section(shoe),) if shoe is not None else ()
    sentence = Paragraph(f"{verdict.sentence}.")
    return Section(_title(verdict), (sentence, *verdict_blocks(verdict, where_all), *pictures))


def verdict_text(verdict: Verdict, form: Format, where_all: str = "") -> str:
    """Return the whole verdict in a format. The first line of text is its sentence."""
    if form is Format.JSON:
        return as_json(CROSSCHECK.object(verdict))
    claims = claims_in_words(verdict.claims)
    if form is Format.CSV:
        document = each_table(
            [verdict_document(verdict)], lambda table: with_columns(table, {"claims": claims})
        )
        return rendered(document, form)
    if form is Format.LATEX:  # which has headings and tables alone
        return rendered([Section(f"{CLAIMS}: {claims}", (verdict_document(verdict),))], form)
    if form is Format.TEXT:
        blocks = [Section(_title(verdict), verdict_blocks(verdict, where_all))]
        return f"{line_of_text(for_text(verdict.sentence), '  ')}\n\n{rendered(blocks, form)}"
    return rendered([verdict_document(verdict, where_all)], form)


def verdict_blocks(verdict: Verdict, where_all: str = "", *, every_result: bool = True) -> tuple[Block, ...]:
    """Return the blocks of a verdict: claims, causes, contradictions, identity, rule, and tables.

    ``every_result``: with the tests of each result of each bet.
    """
    replay, judgement = verdict.replay, verdict.judgement
    more = _and_more(len(replay.causes), where_all) if replay else ()
    parts: tuple[SectionPart, ...] = (
        {CLAIMS: claims_in_words(verdict.claims)},
        section("Causes of the faults", _causes_table(replay), more) if replay and replay.causes else None,
        _against(judgement, where_all) if judgement else None,
        _identity(verdict),
        judgement.decision_rule if judgement else None,
        _replay(replay, where_all) if replay else None,
        _judgement(judgement, every_result) if judgement else None,
    )
    return tuple(blocks_of(parts))


CLAIMS = "The file claims"


def claims_in_words(claims: Sequence[tuple[str, str]]) -> str:
    """Return the claims of a file about itself, in a phrase."""
    return ", ".join(f"{key} {value}" for key, value in claims) or "nothing"


def _title(verdict: Verdict) -> str:
    return f"{verdict.game_name}: cross-check"


def _identity(verdict: Verdict) -> Terms:
    """Return the file, its game, shoe and rounds."""
    shoe, replay = verdict.shoe, verdict.replay
    size = Figure(shoe.size, COUNT)
    said: dict[str, Words] = {
        "File": f"{verdict.file}, SHA-256 {verdict.sha256}",
        "Game": f"{verdict.game}, rule book SHA-256 {verdict.rule_book_sha256}",
        "Shoe": (Figure(shoe.decks, COUNT), " decks, ", size, " cards")
        if shoe.decks
        else (size, f" cards: {shoe}"),
        "Rounds judged" if replay else "Rounds": Figure(verdict.rounds, COUNT),
        "Dealing": (verdict.dealing.in_words, ", ", Figure(verdict.shoes, COUNT), " shoes")
        if verdict.shoes
        else verdict.dealing.in_words,
    }
    if replay and replay.cut_card is not None:
        assumed = "" if replay.cut_card_stated else " (assumed: neither the log nor an option states it)"
        said["Cut card"] = (Figure(replay.cut_card, COUNT), f" cards from the end{assumed}")
    if verdict.rounding is not None:
        unit, rounding = verdict.rounding
        said["Winnings"] = (f"rounded {rounding} to whole ", Figure(unit, MONEY), ", as the auditor states")
    if verdict.made_by:
        said["Made by"] = ", ".join(f"{key} {value}" for key, value in verdict.made_by)
    if verdict.is_under_another_book:
        said["Note"] = (
            f"the file was made under another rule book, SHA-256 {verdict.made_under}, and is judged by the one above"
        )
    return Terms(said)


# ---------------------------------------------------------------- chance


def _mark(is_failed: bool) -> Meaning:
    """Return the meaning of a row: one that failed is red on a terminal."""
    return Meaning.FAILED if is_failed else Meaning.PLAIN


def _against(judgement: Judgement, where_all: str) -> Iterator[Block]:
    """Yield the contradictions and the failed tests."""
    if judgement.contradictions:
        more = _and_more(len(judgement.contradictions), where_all)
        yield Section(
            "Contradictions of the rules",
            (
                view_table(
                    CONTRADICTIONS, judgement.contradictions[:SHOWN], meaning=lambda row: Meaning.FAILED
                ),
                *more,
            ),
        )
    if judgement.failed:
        more = _and_more(len(judgement.failed), where_all)
        yield Section(
            "Tests that failed",
            (view_table(TESTS, judgement.failed[:SHOWN], meaning=lambda row: Meaning.FAILED), *more),
        )


def _judgement(judgement: Judgement, every_result: bool) -> Iterator[Block]:
    if judgement.too_few:
        yield Paragraph(f"There are {judgement.too_few}.")
    outcomes = [test for test in judgement.tests if test.kind is Evidence.OUTCOME and test.bet is not None]
    yield Section("Bets", (view_table(BET_MEANS, judgement.bets), _noticeable(judgement)))
    if every_result:
        marked = view_table(
            TESTS, outcomes, meaning=lambda test: _mark(test.adjusted_chance <= judgement.alpha)
        )
        yield Section("Results of bets", (marked,))
    failed = {test.kind for test in judgement.failed}
    rows = [(judgement, kind) for kind in judgement.families]
    families = view_table(FAMILIES, rows, meaning=lambda row: _mark(row[1] in failed))
    yield Section("Tests", (families,))
    yield from (Paragraph(note) for note in judgement.notes)


def judgement_blocks(judgement: Judgement) -> tuple[Block, ...]:
    """Return the blocks of a judgement alone."""
    return (*_against(judgement, ""), *_judgement(judgement, every_result=False))


def _noticeable(judgement: Judgement) -> Paragraph:
    return Paragraph(
        (
            "Means are per unit staked, in per cent. Noticeable: the smallest error that this many rounds would show. A bet whose true mean is off "
            "by that many percentage points would be noticed with a probability of ",
            Figure(judgement.power, decimal(1)),
            " at the level ",
            Figure(judgement.alpha, MONEY),
            "; a smaller error may pass unnoticed. A dash: the rounds are too few for a normal tail of the mean.",
        )
    )


def _and_more(count: int, where_all: str, shown: int = SHOWN) -> tuple[Block, ...]:
    if count <= shown:
        return ()
    return (Paragraph(f"And {count - shown} more{f', all of them in {where_all}' if where_all else ''}."),)


# ---------------------------------------------------------------- hand logs


TITLES = {
    FaultKind.UNREADABLE: "Rows that cannot be read",
    FaultKind.REPEATED: "Repeated rounds",
    FaultKind.IMPOSSIBLE: "Impossible deals",
    FaultKind.DECLARED: "Declared results that contradict the cards",
    FaultKind.GAP: "Missing round numbers",
}


def _replay(replay: Replayed, where_all: str) -> Iterator[Block]:
    if replay.read_as:
        yield Section("How the file was read", (Terms(dict(replay.read_as)),))
    yield Section("Replay of every row", (Terms(_counts(replay)),))
    for kind, title in TITLES.items():
        if first := replay.first.get(kind):
            alike = _fail_alike(replay, kind)
            yield _faults(title, first[:1] if alike else first, replay.counts[kind], replay.line_word)
    if wrong := replay.first.get(FaultKind.SETTLEMENT):
        count = replay.counts[FaultKind.SETTLEMENT]
        yield _faults("Wrong settlements", wrong, count, replay.line_word, "wrong")
    if replay.totals:
        totals = view_table(TOTALS, replay.totals, meaning=lambda total: _mark(total.wrong > 0))
        yield Section("Totals", (totals,))
    if replay.groupings:
        yield from (_grouping(grouping, where_all) for grouping in replay.groupings)
        has_stakes = any(group.hold is not None for one in replay.groupings for group in one.groups)
        yield HOLDS if has_stakes else Paragraph("The log has no stakes on bets, so it has no hold.")


def _counts(replay: Replayed) -> dict[str, Words]:
    """Return the number of rows, and of rows with each kind of fault."""
    counts = replay.counts
    said: dict[str, Words] = {
        "Rows": Figure(replay.rows, COUNT),
        "Unreadable rows": Figure(counts[FaultKind.UNREADABLE], COUNT),
        "Impossible deals": Figure(counts[FaultKind.IMPOSSIBLE], COUNT),
        "Wrong settlements": Figure(counts[FaultKind.SETTLEMENT], COUNT),
    }
    if counts[FaultKind.REPEATED]:
        said["Repeated rounds"] = Figure(counts[FaultKind.REPEATED], COUNT)
    if replay.declared:
        said["Results declared"] = Figure(replay.declared, COUNT)
        said["Declared results that contradict the cards"] = Figure(counts[FaultKind.DECLARED], COUNT)
    if replay.tables > 1:
        said["Tables"] = Figure(replay.tables, COUNT)
    if replay.short_shoes:
        said["Shoes that end before the cut card"] = Figure(replay.short_shoes, COUNT)
    if counts[FaultKind.GAP]:
        said["Gaps in the numbers of rounds"] = (
            Figure(counts[FaultKind.GAP], COUNT),
            ", ",
            Figure(replay.missing, COUNT),
            " numbers missing",
        )
    return said


def _fail_alike(replay: Replayed, kind: FaultKind) -> bool:
    """Return whether most rows of the log have a fault of one cause: one row is then enough."""
    causes = [cause for cause in replay.causes if cause.kind is kind]
    return len(causes) == 1 and 2 * replay.counts[kind] > replay.rows


def _causes_table(replay: Replayed) -> Table:
    """Return the causes of the faults, the most frequent first, with how often and where each occurs."""
    causes = replay.causes[:SHOWN]
    view = "tables" if any(cause.where for cause in causes) else "terminal"
    return view_table(CAUSES, causes, view, meaning=lambda cause: Meaning.FAILED)


HOLDS = Paragraph(
    "The hold is the share of the stakes on bets that the House kept; insurance is left out, and a net result without a stake counts as a stake of 1. The "
    "exact hold is the expected loss of these stakes on the cards left. z compares the hold by the rules, on the cards dealt, with the exact hold: a wrong "
    "payment shows in the hold and among the faults. p is adjusted together with all other tests; a group without z is too "
    "small for a normal tail, or its bets win too rarely."
)


def _grouping(grouping: Grouping, where_all: str) -> Section:
    """Return a log by groups: those with the most faults first, then those whose hold is the least likely; all with faults."""

    def order(group: LogGroup) -> tuple[int, bool, Fraction, str]:
        chance = Fraction(1) if group.test is None else group.test.score.chance
        return -group.faults, group.test is None, chance, group.name

    groups = sorted(grouping.groups, key=order)
    shown = max(SHOWN, sum(group.faults > 0 for group in groups))
    more = _and_more(len(groups), where_all, shown)
    marked = view_table(GROUPS, groups[:shown], meaning=lambda group: _mark(group.faults > 0))
    return Section(f"By {grouping.by}", (marked, *more))


def _faults(
    title: str, faults: Sequence[FaultRow], count: int, line_word: str, view: str = "faults"
) -> Section:
    """Return the first faults of a kind, and how many there are."""
    rows = view_table(FAULT_ROWS, faults, view, heads={"line": line_word})
    return Section(title, (rows, *_first_of(len(faults), count)))


def _first_of(shown: int, count: int) -> tuple[Block, ...]:
    return (Paragraph(f"The first {shown} of {count}."),) if count > shown else ()


# ---------------------------------------------------------------- one shoe


def shoe_section(shoe: ShoeTrace) -> Section:
    """Return the shoe: the edges, and the rounds with a fault."""
    named = f"Shoe {shoe.shoe}" + (f" of table {shoe.table}" if shoe.table else "")
    shown, faulty = len(shoe.rounds), [one for one in shoe.rounds if one.is_faulty]
    count = (
        f"{shown} rounds" if shown == shoe.all_rounds else f"the first {shown} of {shoe.all_rounds} rounds"
    )
    rows = view_table(
        TRACED_ROUNDS, [(shoe, one) for one in faulty], "faults", "Rounds of this shoe with a fault"
    )
    return section(
        "A shoe, round by round",
        f"{named}, {count}, {len(faulty)} with a fault.",
        _edges(named, shoe) if any(one.edges is not None for one in shoe.rounds) else None,
        rows if faulty else None,
    )


def _edges(named: str, shoe: ShoeTrace) -> Picture:
    """Return the house edge of every bet on the cards left before each round."""
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
