"""Sheets of a workbook: columns, styles, cells with live formulas."""
