"""The analysis as a workbook."""

from combinat.report.workbook.book import write_workbook
from combinat.report.workbook.cells import significant, significant_root

__all__ = ["significant", "significant_root", "write_workbook"]
