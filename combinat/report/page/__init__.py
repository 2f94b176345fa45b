"""The page of a report: complete as it is written, and made to answer by a script that carries no figure of its own."""

from combinat.report.page.page import report_page

__all__ = ["report_page"]
