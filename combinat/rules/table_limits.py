"""Where a document states the limits of a table. What its clauses leave open: ``Practice``.

A table displays a minimum and a maximum Differential (3.4). What becomes of bets that are outside them is in
5.1 to 5.2.1. The 2013 document has none of this: its rule book has no ``[table_limits]``.
"""

import msgspec

from combinat.rules.odds import Clause


class TableClauses(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where the document says what of a table's limits."""

    differential: Clause
    seated: Clause
    standing: Clause
    displayed: Clause
    duty: Clause
    balance: Clause
    closed: Clause
    excess: Clause
    pro_rata: Clause
    under_minimum: Clause
    raised: Clause
    unnoticed: Clause
    position: Clause


class TableLimits(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The limits of a table, as the document has them. How they are practised: ``Practice``."""

    clauses: TableClauses
