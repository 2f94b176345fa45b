"""The files of every report besides its documents: the dossier, the rule book, the checker, a guide.

With them the folder is self-contained: it can be checked with only Python.
"""

import hashlib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from msgspec import UNSET

from combinat.base.errors import FileError, RejectedCertificateError
from combinat.base.files import Files
from combinat.base.paper import Paper
from combinat.certify.analysis_file import ANALYSIS, analysis_bytes
from combinat.certify.certificate import (
    CERTIFICATE,
    THIS,
    Predicate,
    about,
    expect,
    rule_book_name,
    sealed,
)
from combinat.certify.dossier import Dossier
from combinat.certify.filing import DRAFT, FILING, Issue, parsed_filing
from combinat.rules.game import Game

CHECKER = "checker.py"
GUIDE = "VERIFY.txt"
SIMULATION = "simulation/"


@cache
def checker_source() -> bytes:
    """Return the source of the stand-alone checker of this combinat."""
    return Path(__file__).with_name(CHECKER).read_bytes()


def checker_sha256() -> str:
    """Return the SHA-256 of the checker that goes with every report."""
    return hashlib.sha256(checker_source()).hexdigest()


def companion_files(game: Game, issue: Issue) -> dict[str, bytes]:
    """Return the checker and the guide, which every report has beside its analysis and its rule book."""
    return {CHECKER: checker_source(), GUIDE: verify_instructions(game, issue).encode("utf-8")}


def verify_instructions(game: Game, issue: Issue) -> str:
    """Return the instructions for checking the folder without any other source."""
    archive = f"combinat-{THIS.version}.tar.gz"
    named = issue.filing.source_archive_sha256 if issue.filing else ""
    obtain = (
        f"its source archive {archive}, which has the SHA-256\n\n       {named}\n"
        if named
        else "its source archive and, by another way, for the SHA-256 of that archive."
    )
    key = " --public-key ../issuer.pem" if issue.key_id else ""
    who = (
        f"""The report is signed by the key {issue.key_id}.
   Ask the issuer, by another way, whether this is its key, and for the public key; put it beside this folder as
   issuer.pem. combinat verify refuses any other key."""
        if issue.key_id
        else "The report is not signed: no check shows who wrote it."
    )
    return f"""How to check this folder
========================

It is the report of {game.id}, written by {THIS.name} {THIS.version}.
Run every command in this folder.

1. Check that no file was damaged.

       Linux:    sha256sum -c SHA256SUMS
       macOS:    shasum -a 256 -c SHA256SUMS
       Windows:  gc SHA256SUMS | % {{ $sum, $name = $_ -split '  ', 2; if ((Get-FileHash $name).Hash -ne $sum) {{ $name }} }}

   The line for Windows is for PowerShell; it prints the names of damaged files. This does not show who wrote the
   files: a forger can also change SHA256SUMS and an unsigned certificate.json.

2. Check the numbers. This needs Python 3.11 or newer and nothing else. The option -I keeps Python from loading
   files of this folder.

       Linux, macOS:  python3 -I checker.py analysis.json
       Windows:       py -3 -I checker.py analysis.json

   The checker reads analysis.json and {rule_book_name(game.id)}. It counts bets and insurance again by its own
   method and says how many numbers it checked in each part. It does not check game protection, insurance by habit,
   identities, and limits and layouts under other readings: these are reproduced by combinat verify (step 3).
   With --explain it derives the figures of one bet or insurance state as by hand: --explain ID of a bet, or
   --explain HAND:STAGE:OWN-OTHER with the points of both hands, such as banker:four-cards:5-4; :decks=6 may follow.
   A careful reader runs a checker from elsewhere: it is combinat/certify/checker.py in every combinat. That of
   {THIS.name} {THIS.version} has the SHA-256

       {checker_sha256()}

3. Check the documents. This needs {THIS.name} {THIS.version}, which is on no package index. Ask the issuer of this report for
   {obtain}
   Put the archive beside this folder, compare its SHA-256, then install it:

       Linux:         sha256sum ../{archive}
       macOS:         shasum -a 256 ../{archive}
       Windows:       Get-FileHash ..\\{archive}

       Linux, macOS:  python3 -m venv ../check
                      ../check/bin/pip install ../{archive}
                      ../check/bin/combinat verify .{key}
       Windows:       py -3 -m venv ..\\check
                      ..\\check\\Scripts\\pip install ..\\{archive}
                      ..\\check\\Scripts\\combinat verify .{key}

   pip fetches the libraries that combinat needs. If combinat verify asks for another version of one, install that version
   with the same pip and try again.

   Put nothing into this folder itself: a file too many is refused. combinat verify checks signature, hashes and the set
   of files, runs its own checker, reproduces all of analysis.json, draws every document again, and compares bytes.
   {who}

4. Every count of a bet or an insurance state on a fresh shoe, and its edge, can be proved. This needs combinat and
   Coq (on Debian: apt-get install coq), and a folder of your own outside this one:

       combinat prove -h

   shows the two commands. The first writes theorems from analysis.json and {rule_book_name(game.id)}, the second
   asks Coq. A wrong count does not compile, and its theorem is named.

5. Compare the rule book with the approved document. No program can do this: read {rule_book_name(game.id)} beside
   the document. Every number in it carries its clause.
"""


def sealed_report(
    dossier: Dossier,
    game: Game,
    documents: Files,
    forms: Sequence[str],
    *,
    libraries: Mapping[str, str],
    simulations: Files,
    issue: Issue = DRAFT,
) -> dict[str, bytes]:
    """Return all files of a report: its documents, the companion files, its certificate and its sums."""
    claims = {
        **about(game),
        "decks": dossier.decks,
        "forms": tuple(forms),
        "simulations": tuple(sorted(simulations)),
        "date": issue.date or UNSET,
        "paper": "letter" if issue.paper is Paper.LETTER else UNSET,
    }
    travelling = {f"{SIMULATION}{name}": content for name, content in simulations.items()}
    given = {} if issue.content is None else {FILING: issue.content}
    numbers = {ANALYSIS: analysis_bytes(dossier), rule_book_name(game.id): game.content}
    every = {**documents, **numbers, **companion_files(game, issue), **travelling, **given}
    return sealed(every, Predicate, claims, libraries, issue.key)


def checked_issue(contents: Files, predicate: Predicate, game: Game, key_id: str | None) -> Issue:
    """Return how the report in these files was issued; refuse an unreadable filing or another date.

    ``key_id``: the key of the certificate's envelope. So a document that mentions a signature
    is drawn again without it if the report has no signature.
    """
    date = None if predicate.date is UNSET else predicate.date
    paper = Paper.A4 if predicate.paper is UNSET else Paper(predicate.paper)
    filing = None
    if FILING in contents:
        try:
            filing = parsed_filing(contents[FILING], FILING, game)
        except FileError as error:
            raise RejectedCertificateError(str(error)) from None
        if filing.issued is not None:
            expect(f"{CERTIFICATE}: predicate.date", str(date), f"{filing.issued}")
    return Issue(filing=filing, date=date, key_id=key_id, paper=paper)
