"""The dossier as a workbook."""

from combinat.report.workbook.book import workbook

__all__ = ["workbook"]
