"""The files that stand in every report beside its documents: the dossier, the rule book, the checker, a guide.

With them the folder stands alone: it can be checked with nothing but Python, and with nothing but itself.
"""

import hashlib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from msgspec import UNSET

from combinat.analysis.proof_sources import proof_sha256
from combinat.base.files import Files
from combinat.base.paper import Paper
from combinat.certify.analysis_file import ANALYSIS, analysis_bytes
from combinat.certify.certificate import (
    THIS,
    WORDS,
    Digest,
    Named,
    NamedRuleBook,
    Predicate,
    sealed,
    software,
)
from combinat.certify.dossier import Dossier
from combinat.certify.issue import FILING
from combinat.rules.book.load import RuleBook
from combinat.rules.filing import DRAFT, Issue

CHECKER = "checker.py"
GUIDE = "VERIFY.txt"
SIMULATION = "simulation/"


@cache
def checker_source() -> bytes:
    """The stand-alone checker, as it is in this combinat."""
    return Path(__file__).with_name(CHECKER).read_bytes()


def rule_book_name(game_id: str) -> str:
    """The name of a game's rule book in its folder."""
    return f"{game_id}.toml"


def standing_files(dossier: Dossier, book: RuleBook) -> dict[str, bytes]:
    """What every report has."""
    return {
        ANALYSIS: analysis_bytes(dossier),
        rule_book_name(book.game.id): book.content,
        CHECKER: checker_source(),
        GUIDE: guide(book).encode("utf-8"),
    }


def guide(book: RuleBook) -> str:
    """How to check the folder, for who has nothing but the folder."""
    sha256 = hashlib.sha256(checker_source()).hexdigest()
    return f"""How to check this folder
========================

It is the report of {book.game.id}, written by {THIS.name} {THIS.version}.
Every command below is run in this folder.

1. Nothing was damaged. Any system has a tool for this:

       sha256sum -c SHA256SUMS

   Whoever changes a file can change SHA256SUMS and an unsigned certificate.json too, so go on.

2. Every number follows from the rule book. This needs Python 3.11 or newer and nothing else (-I: no file of
   this folder is taken for a part of Python):

       python3 -I checker.py analysis.json

   It reads analysis.json and {rule_book_name(book.game.id)} and derives every number again, by another method than
   the program that wrote them. A careful reader does not run the checker that lies here but one from elsewhere
   (it is combinat/certify/checker.py in every combinat); that of {THIS.name} {THIS.version} has the SHA-256

       {sha256}

3. Every document says what analysis.json says, and the rule book is the one meant. This needs combinat
   ({THIS.version}, with its extra "report": pip install 'combinat[report]=={THIS.version}'):

       combinat verify .

   It checks signature, hashes and the set of files, runs its own checker, draws every document again from
   analysis.json and the rule book, and compares byte for byte. Given a public key, it also checks who signed.

4. Every count of a bet or an insurance state on a fresh shoe, and every edge of them, is a theorem. This needs combinat
   and Coq (on Debian: apt-get install coq), and a folder of your own, outside this one, to work in:

       combinat prove -h

   shows the two commands. The first writes the theorems, from analysis.json and {rule_book_name(book.game.id)}, and the
   sources of the proof beside them; the second asks Coq.
   A count that is wrong does not compile, and its theorem is named. What the words of the theorems mean is defined
   in Cards.v and Play.v, to be read beside the document. In a folder that holds the sources of the proof of
   {THIS.name} {THIS.version} and no other .v file, sha256sum *.v | sha256sum prints

       {proof_sha256()}

5. The rule book says what the approved document says. No program can check this: read
   {rule_book_name(book.game.id)} beside the document. Every number in it carries its clause.
"""


def sealed_report(
    dossier: Dossier,
    book: RuleBook,
    documents: Files,
    forms: Sequence[str],
    *,
    libraries: Mapping[str, str],
    simulations: Files,
    key: Path | None = None,
    issue: Issue = DRAFT,
    filing: bytes | None = None,
) -> dict[str, bytes]:
    """The whole folder of a report: its documents, what stands beside them, its certificate and its sums.

    ``filing``: the bytes of what is filed, which ``issue`` was read from.
    """
    game = book.game
    predicate = Predicate(
        game=Named(id=game.id, name=game.name),
        rule_book=NamedRuleBook(name=rule_book_name(game.id), sha256=book.sha256),
        software=THIS,
        libraries=software(libraries),
        decks=dossier.decks,
        forms=tuple(forms),
        simulations=tuple(sorted(simulations)),
        proof=Digest(sha256=proof_sha256()),
        statement=WORDS[key is not None],
        date=str(issue.date) if issue.date else UNSET,
        paper="letter" if issue.paper is Paper.LETTER else UNSET,
    )
    travelling = {f"{SIMULATION}{name}": content for name, content in simulations.items()}
    given = {} if filing is None else {FILING: filing}
    return sealed({**documents, **standing_files(dossier, book), **travelling, **given}, predicate, key)
