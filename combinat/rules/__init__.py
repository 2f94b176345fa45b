"""What the documents say: cards, the Table of Play, rounds, bets, insurance, rule books."""
