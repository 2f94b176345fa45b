"""Section L of a report: what simulations and hand logs say of the exact figures."""

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from combinat.audit.verdict import Verdict, Word
from combinat.render.document import Block, Heading, Paragraph
from combinat.render.files import replacing
from combinat.report.crosscheck import blocks


def simulation_blocks(verdicts: Sequence[Verdict]) -> Iterator[Block]:
    """Each file, the rule by which it was judged, and the verdict."""
    yield Paragraph(
        "The figures of this report are exact and rest on no simulation. These files were held against them, by a rule fixed before "
        "they were read."
    )
    for found in verdicts:
        yield Heading(f"{found.path.name}: {found.word}", 3)
        for block in blocks(found):
            yield Heading(block.text, 4) if isinstance(block, Heading) else block
        yield Paragraph(f"{found.sentence}.")


def write_simulations(verdicts: Sequence[Verdict], folder: Path) -> None:
    """Put the counts files beside the report, so that its certificate names them; hand logs are too large."""
    for found in verdicts:
        if found.replay is None:
            with replacing(folder / "simulation" / found.path.name) as temporary:
                shutil.copyfile(found.path, temporary)


def warnings(verdicts: Sequence[Verdict]) -> list[str]:
    """What to say of files that do not confirm the figures."""
    return [
        f"{found.path}: {found.sentence.removeprefix('Verdict: ')}"
        for found in verdicts
        if found.word is not Word.AGREES
    ]
