"""Phrases that stand in more than one document."""

DISCLAIMER = (
    "This is a reproducible analysis with a certificate of its own, which may be signed. It is not a test "
    "laboratory's certification, and nothing in it claims to be one."
)
ROUNDING = "Computed in whole numbers and fractions; decimals are rounded once, half to even."
