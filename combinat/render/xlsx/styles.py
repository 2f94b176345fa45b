"""The styles of a workbook's cells, by name."""

from typing import Any

_BAR = {"bold": True, "bg_color": "#1F3864", "font_color": "#FFFFFF", "left": 1, "left_color": "#FFFFFF"}
_INPUT = {"locked": False, "bg_color": "#FFF2CC", "font_color": "#1F3864", "border": 1, "bold": True}
STYLES: dict[str, dict[str, Any]] = {
    "text": {},
    "exact": {"indent": 1},
    "bold": {"bold": True},
    "title": {"bold": True, "font_size": 14},
    "note": {"text_wrap": True, "valign": "top"},
    "head": _BAR | {"text_wrap": True, "valign": "top"},
    "upright": _BAR | {"rotation": 90, "valign": "bottom", "align": "center"},
    "block": {"bold": True, "bg_color": "#D9D9D9", "top": 1},
    "total": {"bold": True, "top": 1},
    "centred": {"align": "center"},
    "odds in": _INPUT | {"num_format": "0.##########"},
    "decks in": _INPUT | {"num_format": "0", "align": "center"},
    "check": {"align": "center", "num_format": '"TRUE";"TRUE";"FALSE"'},  # LibreOffice has no truth values
    "count": {"align": "right", "num_format": "@"},
    "whole": {"num_format": "0"},
    "net": {"num_format": "0.##########"},
    "ratio": {"num_format": "0.00"},
    "decimal": {"num_format": "0.0000"},
    "correlation": {"num_format": "0.00000"},
    "percent": {"num_format": "0.0000%"},
    "signed": {"num_format": "+0.0000%;-0.0000%;0.0000%"},
    "good": {"bold": True, "bg_color": "#C6EFCE", "font_color": "#0B5D1E"},
    "bad": {"bold": True, "bg_color": "#FFC7CE", "font_color": "#9C0006"},
}
LIVE = {"bg_color": "#E8F1FA"}
"""The shade of a cell with a formula."""
