"""The report of a game as a professional would file it: sections A to N, drawn from the dossier.

Nothing here computes: a number in a section is a number of the dossier. The text is the same in every format.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from combinat import __version__
from combinat.analysis.dossier import Dossier, Example
from combinat.analysis.identities import Identity, Law
from combinat.analysis.proof_sources import proof_sha256
from combinat.analysis.verdict import Verdict
from combinat.render.blocks import (
    Block,
    Cell,
    Column,
    Figure,
    Paragraph,
    Section,
    Terms,
    Words,
    in_words,
    table,
)
from combinat.render.kinds import CARDS, CLAUSE, COUNT, FRACTION, HASH, MONEY, ODDS, Kind, decimal, root
from combinat.report import clauses as trace_shown
from combinat.report import insurance as insurance_shown
from combinat.report import joint as joint_shown
from combinat.report import odds as odds_shown
from combinat.report import rulebook as rules_shown
from combinat.report.followed import FOLLOWED, followed_in_words, followed_terms
from combinat.report.phrases import DISCLAIMER, ROUNDING, in_force_from
from combinat.report.pictures import decks_pictures, grid_picture, range_pictures, removal_pictures
from combinat.report.protection import protection_annex_blocks, protection_blocks, two_cards_blocks
from combinat.report.readings import register_blocks
from combinat.report.removal import removal_blocks
from combinat.report.simulation import simulation_section
from combinat.rules.game import Game


def filing(
    dossier: Dossier, game: Game, verdicts: Sequence[Verdict] = (), not_simulated: str = ""
) -> Section:
    """The whole report; ``verdicts``: what is said of simulations, for section L, or why there can be none."""
    return Section(
        f"{game.name}: exact pay-table analysis",
        (
            Paragraph(DISCLAIMER),
            *followed_terms(game),
            _identity(dossier, game),
            _scope(dossier),
            _rules(dossier, game),
            _register(dossier, game),
            _wagers(dossier),
            _insurance(dossier),
            _decks(dossier),
            _joint(dossier, game),
            _protection(dossier),
            _method(),
            _verification(dossier),
            simulation_section(game, verdicts, not_simulated),
            _operations(dossier),
            _certificate(),
        ),
    )


def _listed(numbers: Sequence[int]) -> list[str | Figure]:
    """Numbers with commas between them."""
    words: list[str | Figure] = []
    for number in numbers:
        words += [", ", Figure(number, COUNT)] if words else [Figure(number, COUNT)]
    return words


def _identity(dossier: Dossier, game: Game) -> Section:
    when = in_force_from(game.effective, game.time)
    said: dict[str, Words] = {
        "Game": f"{game.name} ({game.id})",
        "Operator": game.operator,
        "Authority": game.authority or "none named in the document",
        "Rule document": f"{'Version ' + game.version if game.version else 'no version named'}, in force from {when}",
        "Rule book": (f"{game.id}.toml, SHA-256 ", Figure(dossier.rule_book_sha256, HASH)),
        "Decks": (
            *_listed(dossier.decks),
            f"; the document allows {game.decks.least} to {game.decks.most} ({game.decks.clause})",
        ),
        FOLLOWED: followed_in_words(game) if game.followed else "those of the register, section D",
        "Software": f"combinat {__version__}",
    }
    return Section("A. Identity", (Terms(said),))


def _scope(dossier: Dossier) -> Section:
    return Section(
        "B. Scope and assumptions",
        (
            Paragraph(
                (
                    "Every figure is for one round dealt from a well-shuffled fresh shoe, unless a table says otherwise. "
                    "Cards that were burnt unseen and a cut card change nothing before the deal: every order of the cards "
                    "is equally likely, so the cards of the round are distributed as if they were the first of the shoe. "
                    "Where one shoe stands for all, it has ",
                    Figure(dossier.reference_decks, COUNT),
                    " decks.",
                )
            ),
            Paragraph(
                "Not analysed: limits on stakes other than those on insurance, the Differential, errors of dealing and "
                "their remedies except as the rules below restate them, players who know of cards that were not dealt, "
                "and counts other than those of section I."
            ),
        ),
    )


def _rules(dossier: Dossier, game: Game) -> Section:
    clauses = game.clauses
    settlement = [
        Section("Settlement of every wager", tuple(rules_shown.bets_blocks(game))),
        Section("Layouts", (rules_shown.layouts_table(game),)),
    ]
    if game.insurance_terms is not None:
        title = f"Insurance: {game.insurance_terms.name}"
        settlement.append(Section(title, tuple(rules_shown.insurance_blocks(game))))
    if game.table_limits is not None:
        blocks = rules_shown.table_limits_blocks(game.table_limits, game.practice)
        settlement.append(Section("Limits of a table", blocks))
    if game.procedures:
        settlement.append(Section("Incidents and procedures", rules_shown.procedures_blocks(game)))
    return Section(
        "C. Rules restated",
        (
            Paragraph(
                f"{rules_shown.points_in_words(game)} Player and Banker receive two cards each, in turn ({clauses.deal}). "
                f"Third cards follow the Table of Play ({game.table_clause}; {game.stood_clause} when the Player Hand has "
                f"stood). The higher points win ({clauses.winner}); equal points are a tie ({clauses.tie}). When the shoe cannot "
                f"finish a round, {game.void.bets.in_words} ({', '.join(game.void.clauses)})."
            ),
            Section("Table of Play", rules_shown.table_of_play_blocks(game)),
            *settlement,
            Section(trace_shown.TITLE, trace_shown.trace_blocks(game)),
            Section(
                "Worked examples",
                tuple(block for example in dossier.examples for block in _example(example)),
            ),
        ),
    )


def _example(example: Example) -> Iterator[Block]:
    yield Paragraph(
        (
            "Player ",
            Figure(example.player, CARDS),
            " (",
            Figure(example.player_points, COUNT),
            " points), Banker ",
            Figure(example.banker, CARDS),
            " (",
            Figure(example.banker_points, COUNT),
            " points), a stake of 1 on every bet:",
        )
    )
    columns = (
        *(Column("bet"), Column("result"), Column("odds", ODDS)),
        *(Column("net", decimal(2)), Column("clause", CLAUSE)),
    )
    yield table(
        columns, [(line.name, line.result, line.odds, line.net, line.clause) for line in example.lines]
    )


def _register(dossier: Dossier, game: Game) -> Section:
    followed = (
        f" This report follows the other reading of {', '.join(game.followed)}: there the change is that of going back "
        "to the reading of the rule book."
        if game.followed
        else ""
    )
    return Section(
        "D. Interpretation register",
        (
            Paragraph(
                (
                    "Each unclear clause, the reading taken, and what the other reading would change with ",
                    Figure(dossier.reference_decks, COUNT),
                    f" decks.{followed}",
                )
            ),
            *register_blocks(dossier.readings, game),
        ),
    )


def _wagers(dossier: Dossier) -> Section:
    shoe = dossier.reference
    return Section(
        "E. Every wager",
        (
            Paragraph(
                (
                    Figure(shoe.decks, COUNT),
                    " decks; ",
                    Figure(shoe.sample_space, COUNT),
                    " ordered sequences of six cards. True odds are ways against ways; payout odds are profit to 1. "
                    f"{ROUNDING} A column of rounded figures need not add up.",
                )
            ),
            odds_shown.odds_table(shoe.bets),
            *(
                Section(
                    f"{bet.name} ({bet.id})",
                    (odds_shown.outcome_table(bet), odds_shown.figures(bet)),
                )
                for bet in shoe.bets
            ),
        ),
    )


def _insurance(dossier: Dossier) -> Section:
    title, shoe = "F. Insurance", dossier.reference
    if not shoe.insurance:
        return Section(title, (Paragraph("The document offers none."),))
    pictures = [
        grid_picture(summary, shoe.insurance, dossier.not_offered) for summary in dossier.insurance_tables
    ]
    by_decks = {one.decks: one.insurance for one in dossier.shoes}
    return Section(
        title,
        (
            Paragraph((Figure(shoe.decks, COUNT), " decks. ", *_favourable(dossier))),
            insurance_shown.states_table(shoe.insurance),
            *pictures,
            Section("By the Player's third card", (insurance_shown.third_card_table(shoe.third_cards),)),
            Section(
                "By the exact cards seen",
                (*insurance_shown.range_blocks(dossier.ranges), *range_pictures(dossier)),
            ),
            Section("Insurance as a habit", tuple(insurance_shown.summary_blocks(dossier.insured))),
            Section(
                "By number of decks",
                (
                    *insurance_shown.decks_tables(by_decks),
                    Paragraph("Expected value in per cent of the stake; * the state favours the player."),
                ),
            ),
        ),
    )


def _favourable(dossier: Dossier) -> list[str | Figure]:
    favourable, offered = dossier.favourable_states, dossier.offered_states
    if favourable:
        return [
            Figure(favourable, COUNT),
            " of ",
            Figure(offered, COUNT),
            " states favour the player; they are marked PLAYER.",
        ]
    return ["None of ", Figure(offered, COUNT), " states favours the player."]


def _decks(dossier: Dossier) -> Section:
    bets = {shoe.decks: shoe.bets for shoe in dossier.shoes}
    return Section("G. By number of decks", (*odds_shown.decks_tables(bets), *decks_pictures(dossier)))


def _joint(dossier: Dossier, game: Game) -> Section:
    names = {bet.id: bet.name for bet in game.bets}
    words: list[str | Figure] = []
    for stake in dossier.combination.stakes:
        words += [" with " if words else "", names[stake.bet], " ", Figure(stake.amount, MONEY)]
    title = in_words(words)
    return Section(
        "H. Bets together",
        (
            Section(
                "Correlations",
                tuple(joint_shown.correlation_tables([bet.id for bet in game.bets], dossier.reference.joint)),
            ),
            Section(f"An example: {title}", tuple(joint_shown.combination_blocks(dossier.combination))),
        ),
    )


def _protection(dossier: Dossier) -> Section:
    return Section(
        "I. Game protection",
        (
            *protection_blocks(dossier),
            Section(
                "Effects of removal",
                (
                    *removal_blocks(dossier.removal),
                    *two_cards_blocks(dossier.protection),
                    *removal_pictures(dossier),
                ),
            ),
            *protection_annex_blocks(dossier),
        ),
    )


def _method() -> Section:
    return Section(
        "J. Method",
        (
            Paragraph(
                "The sample space is the ordered sequences of six cards that the shoe can deal, all equally likely; a round that "
                "needs fewer cards leaves the rest undealt. A recursion walks every way in which a round can go: at each step the "
                "Table of Play says which hand draws, and each rank comes in as many ways as there are cards of it left. The counts "
                "are integers; probabilities and expected values are fractions in lowest terms; variances and covariances are "
                "fractions too. Standard deviations, skewness and correlations are irrational and are rounded from exact squares. "
                "No floating-point number stands between the rule book and a printed figure."
            ),
            Paragraph(f'{ROUNDING} Odds are always "to 1": profit per unit staked.'),
        ),
    )


_PROVED = (
    "Every count of ways of a bet (section E) and of an insurance state (section F) on a fresh shoe, and every house edge of them, is stated as "
    "a theorem for Coq by combinat prove; combinat prove -h shows the two commands that prove them all. Proved once for every "
    "shoe, every Table of Play and every bet: the recursion counts what dealing six cards always counts; the outcomes of a bet "
    "make up the sample space; and the form that is computed with equals the recursion. Trusted and not proved: that the definitions and "
    "the rule book say what the document says, which is for a reader to judge; the step from the rule book to the theorems, which "
    "is a program of ours; and Coq, its kernel and its virtual machine. Coq's second checker, coqchk, checks again without that machine."
)


def _verification(dossier: Dossier) -> Section:
    columns = (
        *(Column("identity"), Column("decks", COUNT), Column("equalities", COUNT)),
        *(Column("one way", FRACTION), Column("the other way", FRACTION)),
    )
    rows = [row for law in Law for row in _identities(law, dossier.identities)]
    return Section(
        "K. Verification",
        (
            Paragraph(
                "These identities hold on every fresh shoe of this report. Each line stands for so many equalities between figures "
                "that were reached on different ways; the sums of both sides are shown, and the checker comes to the same sums by a count of its own."
            ),
            table(columns, rows),
            Paragraph(
                "The stand-alone checker, one file that needs nothing but Python, deals six cards always and re-derives every "
                "number of analysis.json from the rule book alone. Every document of this report is drawn from analysis.json, "
                "and combinat verify draws each of them again and compares."
            ),
            Paragraph(_PROVED),
            Paragraph(
                f"The sources of the proof have, together, the SHA-256 {proof_sha256()}; the certificate names it too."
            ),
        ),
    )


def _identities(law: Law, identities: Sequence[Identity]) -> Iterator[tuple[Cell, ...]]:
    for number, identity in enumerate(one for one in identities if one.law is law):
        name = law.in_words if not number else ""
        sides = (Figure(side, _whole_or_decimal(side)) for side in (identity.left, identity.right))
        yield (name, identity.decks, identity.equalities, *sides)


def _whole_or_decimal(value: Fraction) -> Kind:
    return FRACTION if value.denominator == 1 else decimal(12)


def _operations(dossier: Dossier) -> Section:
    columns = (
        *(Column("bet"), Column("rounds", COUNT), Column("expected win", decimal(1))),
        *(Column(f"{number} sigma {side}", root(1)) for number in (1, 2, 3) for side in ("below", "above")),
    )
    rows: list[tuple[Cell, ...]] = []
    last = ""
    for volume in dossier.operations:
        bands = (
            *(volume.sigma_below_squared, volume.sigma_above_squared),
            *(volume.two_sigma_below_squared, volume.two_sigma_above_squared),
            *(volume.three_sigma_below_squared, volume.three_sigma_above_squared),
        )
        rows.append((volume.bet if volume.bet != last else "", volume.rounds, volume.expected_win, *bands))
        last = volume.bet
    return Section(
        "M. Operations",
        (
            Paragraph(
                "The house's expected win per unit staked each round, and how far it may lie from that by one, two and three "
                "standard deviations, in units, after so many independent rounds. Where a band would reach beyond all that can "
                "be lost or won in these rounds, it ends there."
            ),
            table(columns, rows),
        ),
    )


def _certificate() -> Section:
    return Section(
        "N. Certificate",
        (
            Paragraph(
                "certificate.json names every file of this report by its SHA-256 hash, the rule book by its own, and the software. "
                "SHA256SUMS lists the same hashes for sha256sum -c. To check everything, hashes, signature, every number and every "
                "document, run in this folder: combinat verify . (the full stop is this folder). To check the numbers without this "
                "software, run in this folder: python3 -I checker.py analysis.json. VERIFY.txt says more."
            ),
            Paragraph(DISCLAIMER),
        ),
    )
