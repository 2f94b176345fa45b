"""Workbooks: sheets, styles, cells, live formulas, and a packing that gives the same bytes anywhere."""
