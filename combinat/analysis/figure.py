"""What the figures of a record are: fields that are counted, and what follows from them.

A record of the dossier lists in ``FIGURES`` the properties that belong to it. They are worked out once and
kept, so that whoever shows one shows the very number that stands in the dossier.
"""

from typing import NewType

Whole = NewType("Whole", int)
"""A whole number of any size: ways, coefficients. In JSON it is text."""
