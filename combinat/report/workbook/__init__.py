"""The analysis as a workbook."""

from combinat.render.xlsx.cells import significant, significant_root
from combinat.report.workbook.book import write_workbook

__all__ = ["significant", "significant_root", "write_workbook"]
