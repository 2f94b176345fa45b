"""The limits of a rule book and of a report, each stated once; a test compares them with the checker's copy.

A rule book may be untrusted. Each limit is well above what an approved document needs, and together
they are low enough that every rule book that loads can be reported and verified: its report takes about two minutes of
one core, and its ``analysis.json`` stays under the size that the checker reads.
"""

BYTES = 1_000_000
MARKS = 20_000
"""Keys (each part of a dotted one), tables and list entries, counted before a rule book is parsed.

The largest of ours has some 1,300.
"""

DEPTH = 10
"""Brackets within brackets; a rule book needs 5."""

PARTS = 10
"""Parts of a dotted key; the time that ``tomllib`` takes grows with their square. A rule book needs 4."""

WORD = 100
"""Characters of a number, or of a key without quotes."""

DECKS = 1_000
SHOES = 8
"""Numbers of decks in one report: ``analysis.json`` grows with every one of them."""

POSITIONS = 1_000

LISTS = {
    "bets": 24,
    "pays": 20,
    "except": 6,
    "layouts": 50,
    "insurance": 4,
    "offers": 100,
    "limits": 20,
    "insurance_limits": 20,
    "procedures": 50,
    "if": 4,
    "unless": 4,
    "interpretations": 30,
    "clauses": 20,
    "banker_draws": 10,
    "no_bearing": 100,
    "examples": 100,
    "expect": 100,
}
"""The longest list under each key, in any table."""

ENTRIES = 100
"""The longest list under any other key."""

LINES = 80
"""Lines of all the pay tables of a rule book together, those of other readings too."""

RECOUNTS = 4
"""Other readings that change who draws, or the bets of void rounds: for each, every bet is counted again."""

ID, NAME, SENTENCE = 60, 100, 500
LENGTHS = {"id": ID} | dict.fromkeys(
    ("about", "when", "question", "reading", "otherwise", "why", "source"), SENTENCE
)
"""Characters of the text under each key; under any other it is a name."""

BASES = 4
"""The longest chain of bases."""

DIGITS = 9
"""Digits of a number in odds or in a percentage: before its point, and after it."""

UNIT = 10**100
"""The most parts of a unit in which odds that meet in one figure may be: so that all figures can be written."""

SHOE_DECKS = 999_999
"""Decks of a shoe that is no part of a report."""

RANK_CARDS = 10**9
"""Cards of one rank in any shoe, also one that is given rank by rank."""

TAG = 1_000
"""The largest tag of a count, in size; published counts stay below 20."""

COMPOSITIONS = 60_000_000
"""Compositions of the cards left that are gone through one by one; 25 cards of a fresh shoe have 52 million."""

PAIR_STATES = 1_000_000
"""Distinct sets of pairs among the cards left; 60 cards of a fresh shoe have about 500,000."""

COUNTED_CARDS = 832
"""Cards of a shoe whose depths are gone through one by one: sixteen decks."""

COUNT_LANES = 10_000
"""Different sums of tags of the cards left; the widest published count has 6,448 at half a shoe of 8 decks."""

DEPTHS = 50
"""Depths of a shoe in one table."""

COLUMNS = 100
"""Numbers of decks side by side in one table that is printed."""

TOGETHER = 4
"""Cards that came out of the shoe at once: a ruling values every order of them."""

STATED: dict[str, int | str] = {
    "bytes of a rule book": BYTES,
    "keys (each part of a dotted one), tables and list entries of a rule book": MARKS,
    "brackets within brackets": DEPTH,
    "parts of a dotted key": PARTS,
    "characters of a number, or of a key without quotes": WORD,
    "decks that a rule book allows, or of a report": DECKS,
    "numbers of decks of a rule book, or of a report": SHOES,
    "decks of any other shoe": SHOE_DECKS,
    "cards of one rank, in a shoe that is given rank by rank": RANK_CARDS,
    "numbers of decks side by side in a table that is printed": COLUMNS,
    "cards that came out of the shoe together, in a ruling": TOGETHER,
    "size of a tag of a count": TAG,
    "distinct running counts": COUNT_LANES,
    "depths of a shoe in one table": DEPTHS,
    "cards of a shoe that is counted, or has a ceiling as a whole": COUNTED_CARDS,
    "compositions of the cards left that perfect play goes through": COMPOSITIONS,
    "sets of pairs among the cards left that perfect play distinguishes": PAIR_STATES,
    "`bets`": LISTS["bets"],
    "`pays`, lines of one pay table": LISTS["pays"],
    "`except`, exceptions of one line": LISTS["except"],
    "lines of all pay tables, other readings included": LINES,
    "`layouts`": LISTS["layouts"],
    "positions of a layout": POSITIONS,
    "`insurance` tables": LISTS["insurance"],
    "`offers` of an insurance table": LISTS["offers"],
    "`limits` and `insurance_limits`": LISTS["limits"],
    "`procedures`": LISTS["procedures"],
    "facts of an `if` or an `unless`": LISTS["if"],
    "`interpretations`": LISTS["interpretations"],
    "`interpretations` with `void_bets` or `banker_draws_against_natural`": RECOUNTS,
    "`clauses` of one entry": LISTS["clauses"],
    "`banker_draws` of a Table of Play": LISTS["banker_draws"],
    "`no_bearing`": LISTS["no_bearing"],
    "`examples`, and `expect`": LISTS["examples"],
    "levels of inheritance (`base`)": BASES,
    "digits before the point of a number in odds or a percentage, and after it": DIGITS,
    "common denominator of all odds of a pay table": "10^100",
    "characters of an `id`": ID,
    "characters of a name, a clause or any other short text": NAME,
    "characters of `about`, `when`, `question`, `reading`, `otherwise`, `why`, `source`": SENTENCE,
}
"""All of them in words, as docs/rule-books.md prints them."""

SHOE_LINE = 1_000_000
"""Characters of a line in a file of shoes."""
