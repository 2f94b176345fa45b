"""Types of arrays of whole numbers."""

from typing import Any

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Array = npt.NDArray[Any]
"""Whole numbers: int64 where all of them fit, else Python's integers (dtype object)."""
