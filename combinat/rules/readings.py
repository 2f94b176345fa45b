"""The other readings of a register: the resulting documents, and the parts that each changes."""

from collections.abc import Mapping
from typing import TypeVar

import msgspec

from combinat.rules.bet import Bet
from combinat.rules.document import Instead, RuleDocument
from combinat.rules.insurance import Limit, Open

Document = TypeVar("Document", bound=RuleDocument)


def other_reading(document: Document, *entries: str) -> Document:
    """Return the document under the other reading of entries of its register, which must not conflict.

    ``Game.reading`` refuses conflicting entries, and its game records the entries as provisos.
    """
    read = document
    for entry in entries:
        read = _reread(document, read, document.interpretation(entry).instead)
    return read


def _reread(document: Document, game: Document, instead: Instead) -> Document:
    """Return a document, which may follow other readings already, changed by one more reading."""
    pays = {other.id: other.pays for other in instead.bets}
    offers = {(other.side, other.stage): other.offers for other in instead.insurance}
    changed = {other.id: other.bets for other in instead.layouts}
    terms = game.insurance_terms
    if terms is not None:
        terms = msgspec.structs.replace(
            terms,
            open=instead.insurance_open or terms.open,
            limits=_limits(document, terms.limits, instead.insurance_limits),
        )
    insured = terms is not None and terms.open is not Open.NEVER
    table, clauses = game.stated_table, game.clauses
    against = instead.banker_draws_against_natural
    if against is not None and against != game.printed_table.banker_draws_against_natural:
        table = msgspec.structs.replace(
            game.printed_table,
            clause=game.table_clause,
            stood_clause=game.stood_clause,
            banker_draws_against_natural=against,
        )
        clauses = msgspec.structs.replace(clauses, table_of_play="", third_cards="")
    return msgspec.structs.replace(
        game,
        bets=tuple(
            msgspec.structs.replace(
                bet,
                pays=pays.get(bet.id, bet.pays),
                layouts=_layouts_offering(game, bet, changed),
            )
            if changed or bet.id in pays
            else bet
            for bet in game.bets
        ),
        insurance=tuple(
            msgspec.structs.replace(listed, offers=offers.get((listed.side, listed.stage), listed.offers))
            for listed in game.insurance
            if insured
        ),
        insurance_terms=terms if insured else None,
        void=msgspec.structs.replace(game.void, bets=instead.void_bets or game.void.bets),
        practice=msgspec.structs.replace(game.practice, **instead.practices),
        stated_table=table,
        clauses=clauses,
    )


def _limits(
    document: RuleDocument, limits: tuple[Limit, ...], others: tuple[Limit, ...]
) -> tuple[Limit, ...]:
    """Return limits under another reading.

    Line by line if their number is the same, to keep other changes.
    """
    own = document.insurance_terms.limits if document.insurance_terms else ()
    if not others or len(others) != len(own) or len(limits) != len(own):
        return others or limits
    return tuple(
        limit if other == line else other for limit, other, line in zip(limits, others, own, strict=True)
    )


def _layouts_offering(
    game: RuleDocument, bet: Bet, changed: Mapping[str, tuple[str, ...]]
) -> tuple[str, ...]:
    """Return the layouts that offer a bet; ``changed``: layouts whose bets another reading replaces."""
    if not changed:
        return bet.layouts
    offers = {
        layout.id: bet.id in changed.get(layout.id, ()) for layout in game.layouts if layout.id in changed
    }
    return tuple(layout.id for layout in game.layouts if offers.get(layout.id, layout.id in bet.layouts))


def contradiction(game: RuleDocument, one: str, other: str) -> str:
    """Return the first thing that two readings both change, or the empty text if they do not conflict."""
    first, second = (changes(game, game.interpretation(entry).instead) for entry in (one, other))
    return next((part for part in second if part in first), "")


_PARTS = {
    "insurance_open": "when insurance is open",
    "void_bets": "the bets of a void round",
    "banker_draws_against_natural": "what the Banker Hand does against a natural",
}
"""The keys of another reading that replace one rule each, as phrases."""


def changes(game: RuleDocument, instead: Instead) -> list[str]:
    """Return the parts of the rule book that another reading changes, as phrases."""
    limits, own = instead.insurance_limits, game.insurance_terms.limits if game.insurance_terms else ()
    kept = [len(own) == len(limits) and limits[number] == limit for number, limit in enumerate(own)]
    return [
        *(f"what {bet.id} pays" for bet in instead.bets),
        *(f"the bets of layout {layout.id}" for layout in instead.layouts),
        *(f"the insurance {table.insured}" for table in instead.insurance),
        *(f"limit {number} on insurance" for number, same in enumerate(kept, 1) if limits and not same),
        *("the limits on insurance" for _ in limits if not own),
        *(words for key, words in _PARTS.items() if getattr(instead, key) is not None),
        *(f"the practice of {key.replace('_', ' ')}" for key in instead.practices),
    ]
