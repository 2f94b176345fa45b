"""What the counts mean: bets, insurance, combinations, other odds, other readings."""
