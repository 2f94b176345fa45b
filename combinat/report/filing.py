"""The report of a game as a professional would file it: sections A to N, block by block.

The text is the same in every format; ``html.py`` and ``pdf.py`` make pages of it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from combinat import __version__
from combinat.analysis.analysis import Analysis, analyze
from combinat.analysis.exact_cards import state_ranges
from combinat.analysis.insurance import StateAnalysis, by_third_card, insurance_analysis, not_offered
from combinat.analysis.insured import insured_bets
from combinat.analysis.joint import combination, correlations
from combinat.analysis.readings import effects
from combinat.analysis.removal import removals
from combinat.render.document import Block, Figure, Heading, Paragraph, Table, Terms
from combinat.render.number import decimal, percent, root
from combinat.report import insurance as insurance_shown
from combinat.report import joint as joint_shown
from combinat.report import odds as odds_shown
from combinat.report.charts import decks_svg, grid_svg, removal_svg
from combinat.report.exact import REFERENCE_DECKS
from combinat.report.readings import effects_document
from combinat.report.removal import removal_blocks
from combinat.report.rulebook import rule_book
from combinat.rules.cards import parse_cards
from combinat.rules.game import Game
from combinat.rules.round import Stage, finished_round
from combinat.rules.rulebook import load_game, rule_book_paths
from combinat.rules.settlement import settle
from combinat.rules.shoe import Shoe
from combinat.rules.table_of_play import STOOD, TABLE_OF_PLAY, Hand

if TYPE_CHECKING:
    from combinat.audit.verdict import Verdict

DISCLAIMER = (
    "This is a reproducible analysis with a certificate of its own, which may be signed. It is not a test "
    "laboratory's certification, and nothing in it claims to be one."
)


@dataclass(frozen=True)
class Filing:
    """A game, its rule book's hash, and the numbers of decks to report on."""

    game: Game
    sha256: str
    decks: Sequence[int]
    simulations: "Sequence[Verdict]" = ()

    @property
    def reference(self) -> int:
        """The number of decks of the figures given for one shoe only."""
        return REFERENCE_DECKS if REFERENCE_DECKS in self.decks else self.decks[-1]

    @cached_property
    def analyses(self) -> dict[int, Analysis]:
        """The game on a fresh shoe of each number of decks."""
        return {number: analyze(self.game, Shoe.of_decks(number)) for number in self.decks}

    @property
    def analysis(self) -> Analysis:
        """The game on the reference shoe."""
        return self.analyses[self.reference]

    def blocks(self, checked: Sequence[Mapping[str, Any]]) -> list[Block]:
        """The whole report; ``checked``: the identities found to hold."""
        return [
            Heading(f"{self.game.name}: exact pay-table analysis", 1),
            Paragraph(DISCLAIMER),
            *_identity(self),
            *_scope(self),
            *_rules(self),
            *_register(self),
            *_wagers(self),
            *_insurance(self),
            *_decks(self),
            *_joint(self),
            *_protection(self),
            *_method(),
            *_verification(checked),
            *_simulation(self),
            *_operations(self),
            *_certificate(self),
        ]


def _identity(filing: Filing) -> list[Block]:
    game = filing.game
    when = f"{game.effective.day} {game.effective:%B %Y}" + (f", {game.time:%H%M} hours" if game.time else "")
    return [
        Heading("A. Identity"),
        Terms(
            {
                "Game": f"{game.name} ({game.id})",
                "Operator": game.operator,
                "Authority": game.authority or "none named in the document",
                "Rule document": f"{'Version ' + game.version if game.version else 'no version named'}, in force from {when}",
                "Rule book": f"{game.id}.toml, SHA-256 {filing.sha256}",
                "Decks": f"{', '.join(map(str, filing.decks))}; the document allows {game.decks.least} to "
                f"{game.decks.most} ({game.decks.clause})",
                "Software": f"combinat {__version__}",
            }
        ),
    ]


def _scope(filing: Filing) -> list[Block]:
    return [
        Heading("B. Scope and assumptions"),
        Paragraph(
            "Every figure is for one round dealt from a well-shuffled fresh shoe, unless a table says otherwise. "
            "Cards that were burnt unseen and a cut card change nothing before the deal: every order of the cards "
            "is equally likely, so the cards of the round are distributed as if they were the first of the shoe. "
            f"Where one shoe stands for all, it has {filing.reference} decks."
        ),
        Paragraph(
            "Not analysed: limits on stakes other than those on insurance, differentials, errors of dealing and "
            "their remedies except as the rules below restate them, and the value of counting cards beyond the "
            "effects of removal in section I."
        ),
    ]


def _rules(filing: Filing) -> list[Block]:
    game, clauses = filing.game, filing.game.clauses
    full = rule_book(game, filing.sha256)
    bets = full[next(place for place, block in enumerate(full) if block == Heading("Bets")) + 1 :]
    tables = []
    for block in bets:
        if isinstance(block, Heading) and block.text in ("Layouts", "Interpretation register"):
            break
        tables.append(block)
    rest = full[next(place for place, block in enumerate(full) if block == Heading("Layouts")) :]
    settled = []
    for block in rest:
        if block == Heading("Interpretation register"):
            break
        settled.append(Heading(block.text, 3) if isinstance(block, Heading) else block)
    return [
        Heading("C. Rules restated"),
        Paragraph(
            f"An Ace is worth 1, a 2 to 9 its face, a 10 or picture card 0 ({clauses.card_values}); a hand's points "
            f"are the last digit of its sum ({clauses.point_total}). Player and Banker receive two cards each, in turn "
            f"({clauses.deal}); with 8 or 9 in two cards on either side nobody draws ({clauses.natural}). Third cards "
            f"follow the Table of Play ({clauses.table_of_play}; {clauses.third_cards} when the Player Hand has stood). "
            f"The higher points win ({clauses.winner}); equal points are a tie ({clauses.tie}). When the shoe cannot "
            f"finish a round, {game.void.bets.in_words} ({', '.join(game.void.clauses)})."
        ),
        Heading("Table of Play", 3),
        _table_of_play(),
        Paragraph(
            "B: P3=4 is what the Banker Hand does when the Player's third card is worth 4; P stood: it took none."
        ),
        Heading("Settlement of every wager", 3),
        *tables,
        *settled,
        Heading("Worked examples", 3),
        *_examples(filing),
    ]


def _table_of_play() -> Table:
    def word(draws: bool) -> str:
        return "draws" if draws else "stands"

    rows = [
        [
            str(points),
            word(TABLE_OF_PLAY.player[points]),
            *(word(row[column]) for column in range(10)),
            word(row[STOOD]),
        ]
        for points, row in enumerate(TABLE_OF_PLAY.banker)
    ]
    columns = ("first two", "Player", *(f"B: P3={column}" for column in range(10)), "B: P stood")
    return Table(columns=columns, align="r" + "l" * 12, rows=rows)


# Three finished rounds that show a win of each hand and a tie.
EXAMPLES = (("9 K", "7 J"), ("3 2 7", "10 6 K"), ("K 5 4", "Q 4 5"))


def _examples(filing: Filing) -> Iterator[Block]:
    game = filing.game
    for player, banker in EXAMPLES:
        dealt = finished_round(parse_cards(player), parse_cards(banker))
        stakes = {bet.id: Fraction(1) for bet in game.bets}
        lines = settle(game, dealt, stakes).lines
        rows = [[line.name, line.result, line.odds, decimal(line.net, 2), line.clause] for line in lines]
        yield Paragraph(
            f"Player {player} ({dealt.points(Hand.PLAYER)} points), Banker {banker} ({dealt.points(Hand.BANKER)} points), "
            "a stake of 1 on every bet:"
        )
        yield Table(columns=("bet", "result", "odds", "net", "clause"), align="lllrl", rows=rows)


def _register(filing: Filing) -> list[Block]:
    found = {
        entry.id: effects(filing.game, entry, filing.analysis.found) for entry in filing.game.interpretations
    }
    blocks = effects_document(found, filing.game)[1:]
    return [
        Heading("D. Interpretation register"),
        Paragraph(
            f"Each unclear clause, the reading taken, and what the other reading would change with {filing.reference} decks."
        ),
        *blocks,
    ]


def _wagers(filing: Filing) -> Iterator[Block]:
    analysis = filing.analysis
    yield Heading("E. Every wager")
    yield Paragraph(
        f"{filing.reference} decks; {analysis.sample_space} ordered sequences of six cards. True odds are ways against ways; "
        "payout odds are profit to 1. "
        + odds_shown.ROUNDING
        + " A column of rounded figures need not add up."
    )
    yield odds_shown.odds_table(analysis.bets)
    for bet in analysis.bets:
        yield Heading(f"{bet.name} ({bet.id})", 3)
        yield odds_shown.outcome_table(bet, analysis.sample_space)
        yield odds_shown.figures(bet)


def _insurance(filing: Filing) -> Iterator[Block]:
    game, shoe, found = filing.game, filing.analysis.shoe, filing.analysis.found
    yield Heading("F. Insurance")
    if game.insurance_terms is None:
        yield Paragraph("The document offers none.")
        return
    states, others = insurance_analysis(game, found), not_offered(game, found)
    favourable = [one for one in states if one.favours_player]
    said = (
        f"{len(favourable)} of {len(states)} states favour the player; they are marked PLAYER."
        if favourable
        else f"None of {len(states)} states favours the player."
    )
    yield Paragraph(f"{filing.reference} decks. {said}")
    yield insurance_shown.states_table(states)
    for side, stage in dict.fromkeys((one.state.side, one.state.stage) for one in states):
        yield _grid(side, stage, states, others)
    yield Heading("By the Player's third card", 3)
    yield insurance_shown.third_card_table(by_third_card(game, found))
    yield Heading("By the exact cards seen", 3)
    yield from insurance_shown.range_blocks(state_ranges(game, shoe, found.sample_space))
    yield Heading("Insurance as a habit", 3)
    for block in insurance_shown.summary_blocks(insured_bets(game, shoe, found)):
        yield Heading(block.text, 4) if isinstance(block, Heading) else block
    yield Heading("By number of decks", 3)
    by_decks = {number: insurance_analysis(game, one.found) for number, one in filing.analyses.items()}
    yield from insurance_shown.decks_tables(by_decks)
    yield Paragraph("Expected value in per cent of the stake; * the state favours the player.")


def _grid(
    side: Hand, stage: Stage, states: Sequence[StateAnalysis], others: Sequence[StateAnalysis]
) -> Figure:
    mine = [one for one in states if (one.state.side, one.state.stage) == (side, stage)]
    best = max(mine, key=lambda one: one.expected_value or Fraction(-1))
    good = [one for one in mine if one.favours_player]
    return Figure(
        name=f"grid-{side}-{stage}",
        svg=grid_svg(side, stage, states, others),
        alt=f"Grid of {side} insurance {stage.in_words} by both totals: {len(mine)} states are offered, {len(good)} favour the "
        f"player; the best is Player {best.state.player_points}, Banker {best.state.banker_points} at "
        f"{insurance_shown.signed(best.expected_value, 2)} per cent.",
        caption=f"{side.capitalize()} Insurance {stage.in_words}. A framed cell with a plus sign favours the player; o: a card is "
        "to come but nothing is offered; blank: nothing to insure.",
    )


def _decks(filing: Filing) -> Iterator[Block]:
    bets = {number: analysis.bets for number, analysis in filing.analyses.items()}
    yield Heading("G. By number of decks")
    yield from odds_shown.decks_tables(bets)
    yield Figure(
        name="house-edge-by-decks",
        svg=decks_svg(bets),
        alt="Line charts of the house edge of every bet by number of decks; the figures are in the table above.",
        caption="House edge by number of decks.",
    )
    yield Heading("Commission beside non-commission: the Banker bet", 3)
    rows = []
    for path in rule_book_paths().values():
        other = load_game(path)
        edges = [
            percent(analyze(other, Shoe.of_decks(number)).bet("banker").house_edge)
            if other.decks.allows(number)
            else "-"
            for number in filing.decks
        ]
        rows.append([other.id, *edges])
    yield Table(
        columns=("house edge %", *(f"{number} decks" for number in filing.decks)),
        align="l" + "r" * len(filing.decks),
        rows=rows,
    )


def _joint(filing: Filing) -> Iterator[Block]:
    game, found = filing.game, filing.analysis.found
    yield Heading("H. Bets together")
    for block in joint_shown.correlation_tables(
        [bet.id for bet in game.bets], correlations(game, game.bets, found)
    ):
        yield Heading(block.text, 3) if isinstance(block, Heading) else block
    side = next(bet for bet in game.bets if bet.id not in ("player", "banker"))
    stakes = {"banker": Fraction(100), side.id: Fraction(10)}
    for block in joint_shown.combination_document(combination(game, stakes, found)):
        yield (
            Heading(f"An example: Banker 100 with {side.name} 10", 3) if isinstance(block, Heading) else block
        )


def _protection(filing: Filing) -> Iterator[Block]:
    found = removals(filing.game, filing.analysis.shoe)
    yield Heading("I. Game protection: effects of removal")
    yield from removal_blocks(found)
    yield Figure(
        name="effects-of-removal",
        svg=removal_svg(found, f"Effects of removal, {filing.reference} decks"),
        alt="Bar charts of the change of each bet's expected value when one card of a rank is removed; the figures are in the "
        "table above.",
        caption="Effects of removal. Bars above the line help the player.",
    )


def _method() -> list[Block]:
    return [
        Heading("J. Method"),
        Paragraph(
            "The sample space is the ordered sequences of six cards that the shoe can deal, all equally likely; a round that "
            "needs fewer cards leaves the rest undealt. A recursion walks every way in which a round can go: at each step the "
            "Table of Play says which hand draws, and each rank comes in as many ways as there are cards of it left. The counts "
            "are integers; probabilities and expected values are fractions in lowest terms; variances and covariances are "
            "fractions too. Standard deviations, skewness and correlations are irrational and are rounded from exact squares. "
            "No floating-point number stands between the rule book and a printed figure."
        ),
        Paragraph(odds_shown.ROUNDING + ' Odds are always "to 1": profit per unit staked.'),
    ]


def _verification(checked: Sequence[Mapping[str, Any]]) -> list[Block]:
    rows = [[str(one["identity"]), str(one["result"])] for one in checked]
    return [
        Heading("K. Verification"),
        Paragraph("These identities were checked when the report was written:"),
        Table(columns=("identity", "result"), align="ll", rows=rows),
        Paragraph(
            "The stand-alone checker, one file that needs nothing but Python, deals six cards always and re-derives every "
            "number of analysis.json from the rule book alone."
        ),
    ]


def _simulation(filing: Filing) -> list[Block]:
    if not filing.simulations:
        return [
            Heading("L. Simulation"),
            Paragraph("No simulation was run for this report; every figure is exact."),
        ]
    from combinat.report.simulation import simulation_blocks  # scipy comes with it

    return [Heading("L. Simulation confirmation"), *simulation_blocks(filing.simulations)]


ROUNDS = (1_000, 10_000, 100_000, 1_000_000)


def _operations(filing: Filing) -> Iterator[Block]:
    yield Heading("M. Operations")
    yield Paragraph(
        "The house's expected win per unit staked each round, and how far it may lie from that by one, two and three standard "
        "deviations, in units, after so many independent rounds."
    )
    rows = []
    for bet in filing.analysis.bets:
        for rounds in ROUNDS:
            bands = [root(bet.variance * rounds * sigma**2, 1) for sigma in (1, 2, 3)]
            rows.append(
                [
                    bet.id if rounds == ROUNDS[0] else "",
                    str(rounds),
                    decimal(bet.house_edge * rounds, 1),
                    *bands,
                ]
            )
    columns = ("bet", "rounds", "expected win", "1 sigma", "2 sigma", "3 sigma")
    yield Table(columns=columns, align="lrrrrr", rows=rows)


def _certificate(filing: Filing) -> list[Block]:
    return [
        Heading("N. Certificate"),
        Paragraph(
            "certificate.json names every file of this report by its SHA-256 hash, the rule book by its own, the software, and "
            "the identities checked. SHA256SUMS lists the same hashes for sha256sum -c. To check everything, hashes, signature "
            f"and every number, run: combinat verify {filing.game.id}. To check the numbers without this software's code, run: "
            "python checker.py analysis.json, with combinat/certify/checker.py."
        ),
        Paragraph(DISCLAIMER),
    ]
