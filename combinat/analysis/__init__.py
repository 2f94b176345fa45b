"""Analysis of the counts: bets, insurance, combinations, other odds, other readings."""
