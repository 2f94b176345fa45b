"""``python -m tests.hostile FILE``: read one input again, by the reader that its name states, and show what comes."""

import os
import sys
import tempfile
from pathlib import Path

from tests.hostile import corpus
from tests.hostile.fuzzer import check_law
from tests.hostile.readers import READERS


def main() -> None:
    """Repeat the input of a file ``found-READER-...``, or of one in a folder of the corpus."""
    path = Path(sys.argv[1]).resolve()
    name = path.name.split("-")[1] if path.name.startswith("found-") else path.parent.name
    content = corpus.content(path)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        refusal = check_law(READERS[name], content, Path(folder))
    print("accepted" if refusal is None else f"refused: {refusal}")


if __name__ == "__main__":
    main()
