"""Write the JSON Schemas into a folder: ``python -m combinat.schemas docs/schemas``."""

import sys
from pathlib import Path

from combinat.schemas.every import files

for name, content in files().items():
    (Path(sys.argv[1]) / name).write_bytes(content)
