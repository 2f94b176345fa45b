"""Game protection: who can beat each bet in the body; the counts and the effects of removal in an annex."""

from collections.abc import Iterator, Mapping, Sequence

from combinat.certify.dossier import Dossier
from combinat.protection.protect import ProtectedWager
from combinat.render.blocks import (
    Column,
    Row,
    Section,
    SectionPart,
    Table,
    annex,
    blocks_of,
    chapter,
    section,
    table,
)
from combinat.report.analysis.odds import PERCENT, decks_in_words
from combinat.report.analysis.removal import changes_table, rank_columns
from combinat.report.phrases import bet_names, offer_names, with_names
from combinat.report.protection.count import MARKED, MATTERS, counts_blocks, favourable
from combinat.report.protection.protect import FEWEST_LEFT, NOTES, verdict_table, verdict_terms
from combinat.rules.bounds import COUNTED_CARDS
from combinat.rules.game import Game

LIMIT_IN_WORDS = "a tenth of a unit"

TOO_LARGE = (
    f"The shoe of this report has more than {COUNTED_CARDS} cards: counts, perfect play and ceilings are not computed "
    "for it."
)


def protection_chapter(dossier: Dossier, game: Game) -> Section:
    """Return the chapter that states who can beat each bet."""
    blocks = blocks_of([_blocks(dossier) if dossier.protection else TOO_LARGE])
    return chapter("Game protection", with_names(blocks, _names(game)), anchor="protection")


def _names(game: Game) -> Mapping[str, str]:
    return {**bet_names(game), **offer_names(game)}


def _blocks(dossier: Dossier) -> Iterator[SectionPart]:
    wagers = dossier.protection
    offers = [one for one in wagers if one.offers is not None]
    yield (
        f"A fresh shoe of {decks_in_words(dossier.reference_decks)}. The rules state no position of the cut card; this chapter "
        f"examines several. A bet is beaten if a player gains more than {LIMIT_IN_WORDS} in a shoe. All figures are exact or "
        "proven bounds; none is simulated."
    )
    verdicts = verdict_table(
        wagers, "Who can beat each bet, by the position of the cut card, and the proven bounds"
    )
    yield section("Who can beat each bet", verdict_terms(wagers), verdicts, NOTES)
    if offers:
        yield section("Insurance", _offers(offers), OFFERS_NOTE)


def _offers(wagers: Sequence[ProtectedWager]) -> Table:
    heads = "by totals: takes %", "by cards: takes %", f"{FEWEST_LEFT} left: takes %"
    columns = [Column("insurance")]
    for head in heads:
        columns += [Column(head, PERCENT), Column("gain a round %", PERCENT)]
    rows = []
    for one in wagers:
        if one.offers is not None:
            played = one.offers.by_totals, one.offers.by_cards, one.offers.last_round
            cells = (figure for betting in played for figure in (betting.chance, betting.gain))
            rows.append(Row((one.id, *cells), favourable(one.offers.by_cards.gain >= MATTERS)))
    return table(columns, rows, "Gain from taking every insurance offer that favours the player")


OFFERS_NOTE = (
    "One unit on every offer that favours the player, per round dealt: from the first round, judged by both totals or by the cards on "
    f"the table; and for a player who tracks every card, in a round that starts with {FEWEST_LEFT} cards left, the fewest with the cut "
    "card at 14. In every round the gain is at least that of the fresh shoe by cards, and at most that of the last round. The document's limits on "
    f"insurance stakes and the insured bet are ignored. Rows with a gain by cards of at least {MARKED} a round are marked."
)


def protection_annex(dossier: Dossier, game: Game) -> Section:
    """Return the simple counts and the effects of removal."""
    counts = {one.id: one.count for one in dossier.protection}
    blocks = (
        section("The simple counts", counts_blocks(counts, "Simple counts", shares=True)) if counts else None,
        section("Effects of removal", _removal(dossier, game)),
    )
    return annex(
        "Game protection in detail",
        with_names(blocks_of(blocks), _names(game)),
        anchor="protection-in-detail",
    )


def _removal(dossier: Dossier, game: Game) -> Iterator[SectionPart]:
    """Yield the change of every bet's expected value by the rank of a card removed; bets without any change are named below."""
    moved = [removal for removal in dossier.removal if any(removal.effects.values())]
    still = [_names(game)[removal.subject.bet or ""] for removal in dossier.removal if removal not in moved]
    if moved:
        caption = "Change of the expected value if one card of a rank is removed, % of the stake"
        yield changes_table(moved, rank_columns(moved), caption)
    said = (
        f" The removal of one card has no effect on {', '.join(still)}; combinat removal shows the effects of two."
        if still
        else ""
    )
    yield f"A fresh shoe of {decks_in_words(dossier.reference_decks)}.{said}"
