"""Counting: every card sequence a shoe can deal, as integers."""
