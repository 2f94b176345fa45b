"""The pay tables of the four documents, typed a second time from the documents themselves.

``tables/`` and this page must agree: a slip in either shows. Odds are typed as profit to a stake.
"""

COMMISSION_2013 = "commission-insurance-2013"
COMMISSION_2024 = "tiger-buffalo-commission-plus-2024"
NONCOMMISSION_2024 = "tiger-buffalo-noncommission-plus-2024"
NONCOMMISSION_2025 = "tiger-buffalo-noncommission-2025"
GAMES = (COMMISSION_2013, COMMISSION_2024, NONCOMMISSION_2025, NONCOMMISSION_2024)
PLUS = (COMMISSION_2024, NONCOMMISSION_2024)
"""Those with Insurance Plus."""

INSURED = (COMMISSION_2013, *PLUS)
MODERN = (*PLUS, NONCOMMISSION_2025)
"""Those of 2024 and later."""

# bet: (where settled, layouts, odds line by line in the order of the pay table; ties of main bets last)
BETS: dict[str, dict[str, tuple[str, str, str]]] = {
    COMMISSION_2013: {
        "player": ("4.1.2", "ABCDEFG", "1:1 push"),
        "banker": ("4.1.2", "ABCDEFG", "0.95:1 push"),
        "tie": ("4.1.2", "ABCDEFG", "8:1"),
        "player-pair": ("4.1.2", "ABCDEFG", "11:1"),
        "banker-pair": ("4.1.2", "ABCDEFG", "11:1"),
    },
    COMMISSION_2024: {
        "player": ("4.1.2", "ABCDEFGHIJK", "1:1 push"),
        "banker": ("4.1.2", "ABCDEFGHIJK", "0.95:1 push"),
        "tie": ("4.1.3", "ABCDEFGHIJK", "8:1"),
        "player-pair": ("4.1.4", "ABDEGJK", "11:1"),
        "banker-pair": ("4.1.4", "ABDEGJK", "11:1"),
        "big-tiger": ("4.1.5", "ABCDEFGHIJK", "50:1"),
        "small-tiger": ("4.1.5", "ABCDEFGHIJK", "22:1"),
        "big-buffalo": ("4.1.5", "ABCDEFGHIJK", "35:1"),
        "small-buffalo": ("4.1.5", "ABCDEFGHIJK", "20:1"),
        "tiger-buffalo": ("4.1.6", "CFHI", "6:1"),
        "wu-dalang": ("4.1.7", "CFHI", "150:1"),
        "player-char-siu": ("4.1.8", "ABCDEFGHIJK", "10:1 15:1 50:1"),
        "banker-char-siu": ("4.1.8", "ABCDEFGHIJK", "10:1 15:1 50:1"),
    },
    NONCOMMISSION_2024: {
        "player": ("4.1.1", "ABCDEFGHIJK", "1:1 push"),
        "banker": ("4.1.1", "ABCDEFGHIJK", "1:2 1:1 push"),
        "tie": ("4.1.2", "ABCDEFGHIJK", "8:1"),
        "player-pair": ("4.1.3", "ABDEGJK", "11:1"),
        "banker-pair": ("4.1.3", "ABDEGJK", "11:1"),
        "big-tiger": ("4.1.4", "ABCDEFGHIJK", "50:1"),
        "small-tiger": ("4.1.4", "ABCDEFGHIJK", "22:1"),
        "big-buffalo": ("4.1.4", "ABCDEFGHIJK", "35:1"),
        "small-buffalo": ("4.1.4", "ABCDEFGHIJK", "20:1"),
        "tiger-buffalo": ("4.1.5", "CFHI", "6:1"),
        "wu-dalang": ("4.1.6", "CFHI", "150:1"),
        "player-char-siu": ("4.1.7", "ABCDEFGHIJK", "10:1 15:1 50:1"),
        "banker-char-siu": ("4.1.7", "ABCDEFGHIJK", "10:1 15:1 50:1"),
    },
    NONCOMMISSION_2025: {
        "player": ("4.1.1", "ABCDEFGHIJKLMNOPQR", "1:1 push"),
        "banker": ("4.1.1", "ABCDEFGHIJKLMNOPQR", "1:2 1:1 push"),
        "tie": ("4.1.2", "ABCDEFGHIJKLMNOPQR", "8:1"),
        "tiger-tie": ("4.1.10", "OQR", "35:1"),
        "player-pair": ("4.1.3", "ABDEGJKLMN", "11:1"),
        "banker-pair": ("4.1.3", "ABDEGJKLMN", "11:1"),
        "big-tiger": ("4.1.4", "ABCDEFGHIJKLMNOQR", "50:1"),
        "small-tiger": ("4.1.4", "ABCDEFGHIJKLMNOQR", "22:1"),
        "big-buffalo": ("4.1.5", "ABCDEFGHIJKLOQR", "35:1"),
        "small-buffalo": ("4.1.5", "ABCDEFGHIJKLOQR", "20:1"),
        "banker-big-7": ("4.1.6", "P", "30:1"),
        "banker-small-7": ("4.1.6", "P", "15:1"),
        "player-big-7": ("4.1.7", "P", "30:1"),
        "player-small-7": ("4.1.7", "P", "15:1"),
        "tiger-buffalo": ("4.1.8", "CFHI", "6:1"),
        "tiger-pair": ("4.1.9", "P", "4:1 20:1 100:1"),
        "tiger": ("4.1.12", "P", "12:1 20:1"),
        "wu-dalang": ("4.1.11", "CFHIP", "150:1"),
        "player-char-siu": ("4.1.13", "ABCDEFGHIJKLOQR", "10:1 15:1 50:1"),
        "banker-char-siu": ("4.1.13", "ABCDEFGHIJKLOQR", "10:1 15:1 50:1"),
    },
}

# hand, stage (4: after four cards, 3: after the Player's third card), Player points, Banker points,
# odds, * where a tie pays
_PLUS = """
player 4 5   4   3:2
player 4 6   0-5 5:2
player 4 7   0-5 4:1
player 3 5   0-4 3:2
player 3 6   0-5 5:2
player 3 7   0-6 4:1
player 3 8   0-6 10:1
player 3 9   0-6 10:1 *
banker 4 0-3 4   3:2
banker 4 0-4 5   3:2
banker 4 0-5 6   5:2
banker 4 0-5 7   4:1
banker 3 0   1-6 10:1 *
banker 3 1   1   6:1
banker 3 1   2-6 10:1
banker 3 2   3-6 4:1
banker 3 3   4   5:2
"""

INSURANCE = {
    COMMISSION_2013: """
banker 4 0-4 5   2:1
banker 4 0-5 6   3:1
banker 4 0-5 7   4:1
player 4 5   4   2:1
player 4 6   0-5 3:1
player 4 7   0-5 4:1
banker 3 1   1   6:1
banker 3 1   2-6 7:1
banker 3 2   3-6 4:1
banker 3 3   4   1.5:1
player 3 5   0-4 2:1
player 3 6   0-5 3:1
player 3 7   0-6 4:1
player 3 8   0-6 7:1
player 3 9   0-6 8:1 *
""",
    COMMISSION_2024: _PLUS,
    NONCOMMISSION_2024: _PLUS,
    NONCOMMISSION_2025: "",
}

POSITIONS = {
    COMMISSION_2013: "A:12 B:10 C:9 D:7 E:7 F:6 G:5",
    COMMISSION_2024: "A:1-6 B:1-6 C:1-6 D:1-5 E:1-5 F:1-5 G:1-6 H:1-6 I:1-5 J:1-6 K:10-16",
    NONCOMMISSION_2024: "A:1-6 B:1-6 C:1-6 D:1-5 E:1-5 F:1-5 G:1-6 H:1-6 I:1-5 J:1-6 K:10-16",
    NONCOMMISSION_2025: "A:1-6 B:1-6 C:1-6 D:1-5 E:1-5 F:1-5 G:1-6 H:1-6 I:1-5 J:1-6 K:10-16 L:1-5 M:1-5 "
    "N:1-5 O:1-6 P:1-6 Q:1-6 R:10-16",
}
