"""The rules: cards, the Table of Play, rounds, bets, insurance, rule books."""
