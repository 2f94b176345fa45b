"""The explorer: one page that computes exact odds in a browser, with the rule books of its games in it."""

from combinat.report.explorer.page import EXPLORER, explorer

__all__ = ["EXPLORER", "explorer"]
