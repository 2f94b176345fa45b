"""The shapes of what is said of counters and of whole shoes."""

from typing import Literal

from combinat.protection.study_figures import StudyResults
from combinat.protection.study_file import StudyRecord


class Protect(StudyRecord, frozen=True, kw_only=True):
    """A study of whole shoes: what was dealt, the sums of its blocks, and its results."""

    schema: Literal["combinat/protect/3"]
    results: StudyResults


class ProtectPartial(StudyRecord, frozen=True, kw_only=True):
    """A study that is not finished."""

    schema: Literal["combinat/protect-partial/3"]
