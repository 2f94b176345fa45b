"""Rounds replayed and tested, and the verdict on them."""
