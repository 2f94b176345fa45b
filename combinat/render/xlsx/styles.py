"""The styles of a workbook's cells, by name."""

from typing import Any

_BAR = {"bold": True, "bg_color": "#1F3864", "font_color": "#FFFFFF", "left": 1, "left_color": "#FFFFFF"}
STYLES: dict[str, dict[str, Any]] = {
    "text": {},
    "exact": {"indent": 1},
    "bold": {"bold": True},
    "title": {"bold": True, "font_size": 14},
    "note": {"text_wrap": True, "valign": "top"},
    "head": _BAR | {"text_wrap": True, "valign": "top"},  # a filter's buttons lie at the bottom
    "upright": _BAR | {"rotation": 90, "valign": "bottom", "align": "center"},
    "block": {"bold": True, "bg_color": "#D9D9D9", "top": 1},
    "total": {"bold": True, "top": 1},
    "link": {"font_color": "#1F3864", "underline": 1},
    "centred": {"align": "center"},
    "check": {"align": "center", "num_format": '"TRUE";"TRUE";"FALSE"'},  # LibreOffice has no truth values
    "count": {"align": "right", "num_format": "@"},
    "whole": {"num_format": "0"},
    "ratio": {"num_format": "0.00"},
    "decimal": {"num_format": "0.000000"},
    "correlation": {"num_format": "0.00000"},
    "digits": {"num_format": "0.00000000000000E+00"},
    "percent": {"num_format": "0.0000%"},
    "signed": {"num_format": "+0.0000%;-0.0000%;0.0000%"},
    "starred": {"num_format": '+0.0000%" *";-0.0000%"  ";0.0000%"  "'},
    "change": {"num_format": "+0.00000%;-0.00000%;0%"},
    "good": {"bold": True, "bg_color": "#C6EFCE", "font_color": "#0B5D1E"},
    "bad": {"bold": True, "bg_color": "#FFC7CE", "font_color": "#9C0006"},
}
LIVE = {"bg_color": "#E8F1FA"}
"""The shade of a cell with a formula."""
