"""Bets of the small game that look at ranks and points together."""

JOINT = """
[[bets]]
id = "pair-and-win"
name = "Pair and Win"
about = "The Player Hand wins with a pair in its first two cards."
defined = "1.8"
settled = "4.8"
layouts = ["A"]
pays = [{ player_pair = true, winner = "player", odds = "20 to 1" }]

[[bets]]
id = "point-pair"
name = "Point Pair"
about = "The Player Hand's first two cards are worth the same."
defined = "1.9"
settled = "4.9"
layouts = ["A"]
pays = [{ player_point_pair = true, odds = "3 to 1" }]

[[bets]]
id = "own-pair"
name = "Own Pair"
about = "The Player Hand's first two cards are of one rank."
defined = "1.10"
settled = "4.10"
layouts = ["A"]
pays = [{ player_pair = true, odds = "11 to 1" }]
"""
