"""Write the JSON Schemas into a folder: ``python -m combinat.schemas docs/schemas``."""

import sys
from pathlib import Path

from combinat.schemas.documents import files
from combinat.schemas.rule_book import TITLE, rule_book_schema_text

for name, content in {**files(), f"{TITLE}.json": rule_book_schema_text().encode("ascii")}.items():
    (Path(sys.argv[1]) / name).write_bytes(content)
