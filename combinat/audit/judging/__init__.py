"""The replay of rounds, the statistical tests, and the verdict."""
