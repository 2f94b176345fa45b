"""``combinat verify``: whether reports hold, down to the last number and the last byte."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from combinat.base.errors import CertificateError, CombinatError, RejectedCertificateError
from combinat.base.files import Files
from combinat.certify.certificate import CERTIFICATE
from combinat.certify.collected import Gathered, gathered_in, verify_collection
from combinat.certify.folder import delivered_files
from combinat.certify.redrawing import Check, FileCheck, Redraw
from combinat.certify.signature import public_key as read_public_key
from combinat.certify.verification import Signed, VerifiedReport, verify_report
from combinat.cli.options import FormatOption
from combinat.cli.output import say
from combinat.cli.progress import progress_bar
from combinat.cli.verify_study import blocks_asked, study_verification
from combinat.library.redrawing import redraw_here
from combinat.library.studies import is_study
from combinat.render.table_options import table_options
from combinat.render.text import Format, as_json, rendered
from combinat.report.folder import Form, libraries, over_the_games
from combinat.report.provisos import provisos_json
from combinat.report.verification import (
    CheckedFile,
    Holding,
    Verification,
    proviso,
    verification_blocks,
    verification_csv,
    verification_json,
    verification_text,
)
from combinat.rules.book.load import load_rule_book

PathArgument = Annotated[
    Path,
    typer.Argument(
        metavar="PATH",
        help="A game's folder, or a folder of them.",
        show_default=False,
    ),
]
PublicKeyOption = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="The public key of who must have signed.", show_default=False),
]
RuleBookOption = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="The rule book that is meant, if not the one of this combinat.",
        show_default=False,
    ),
]
UnsignedOption = Annotated[
    bool,
    typer.Option(
        "--unsigned-ok",
        help="Do not look at signatures: a signed report may hold though nobody checked who signed it.",
    ),
]
FiguresOnlyOption = Annotated[
    bool,
    typer.Option("--figures-only", help="Check the numbers of analysis.json, and not the documents."),
]
BlocksOption = Annotated[
    str,
    typer.Option(
        "--blocks",
        metavar="N",
        help="Of a study by combinat protect: how many blocks of shoes to deal again, chosen by chance; or all.",
    ),
]


def verify(
    path: PathArgument,
    public_key: PublicKeyOption = None,
    rule_book: RuleBookOption = None,
    unsigned_ok: UnsignedOption = False,
    figures_only: FiguresOnlyOption = False,
    blocks: BlocksOption = "8",
    form: FormatOption = Format.TEXT,
) -> None:
    """Check reports: signature, hashes, rule book, every number checked and reproduced, every document drawn again.

    Exit codes: 0, all hold; 1, one does not; 2, one could not be checked. A signature that is not checked, for
    want of --public-key, is such a thing; --unsigned-ok leaves signatures aside.
    """
    _refuse_both(public_key, unsigned_ok=unsigned_ok)
    again = blocks_asked(blocks)
    contents = _contents(path, form)
    groups = gathered_in(contents)
    number = sum(len(group.reports) for group in groups)
    if not number and not any(group.whole for group in groups):
        raise CertificateError(f"{path}: no report in it; give a folder that combinat report wrote")
    if rule_book is not None and number > 1:
        raise CombinatError(f"--rule-book: {path} holds {number} games; give one game's folder")
    if public_key is not None:
        read_public_key(public_key)  # a key that is none is no fault of a certificate
    book = load_rule_book(rule_book).content if rule_book is not None else None
    verifications: list[Verification] = []
    with progress_bar(number, "games") as advance:
        for group in groups:
            verified: dict[str, VerifiedReport] = {}
            for name, files in group.reports.items():
                folder, signature = path / group.place / name, Signed.NONE
                if is_study(files):
                    verification, signature = study_verification(
                        folder, files, public_key, book, again, figures_only=figures_only
                    )
                else:
                    redraw = None if figures_only else redraw_here()
                    verification, report = _verification(folder, files, public_key, book, redraw)
                    if report is not None:
                        signature, verified[name] = report.signature, report
                verifications.append(_with_signature(verification, signature, unsigned_ok=unsigned_ok))
                advance(1)
            if not group.is_single:
                verification, signature = _collection(path / group.place, group, verified, public_key)
                verifications.append(_with_signature(verification, signature, unsigned_ok=unsigned_ok))
    _print(verifications, form)
    raise typer.Exit(_worst(verifications).exit_code)


def _refuse_both(public_key: Path | None, *, unsigned_ok: bool) -> None:
    if unsigned_ok and public_key is not None:
        raise CombinatError(
            "--unsigned-ok leaves signatures aside, and --public-key checks them; give one of the two"
        )


def _worst(verifications: list[Verification]) -> Holding:
    holdings = {verification.holding for verification in verifications}
    return next((one for one in (Holding.REJECTED, Holding.UNCHECKED) if one in holdings), Holding.HOLDS)


def _contents(path: Path, form: Format) -> Files:
    """Every file there; where something else is there too, that is the verdict."""
    if not path.exists():
        raise CertificateError(f"{path}: not there; give a game's folder or a folder of them")
    try:
        return delivered_files(path)
    except RejectedCertificateError as error:
        _print([Verification(folder=str(path), holding=Holding.REJECTED, message=str(error))], form)
        raise typer.Exit(Holding.REJECTED.exit_code) from None
    except CertificateError as error:
        raise type(error)(f"{path}: {error}") from None


def _print(verifications: list[Verification], form: Format) -> None:
    options = table_options()
    if form is Format.JSON:
        say(as_json(verification_json(verifications)))
    elif form is Format.CSV:
        say(rendered([verification_csv(verifications)], form))
    elif form is Format.TEXT and not options.choose:
        say("\n\n".join(map(verification_text, verifications)))
    else:
        say(rendered(verification_blocks(verifications), form))


def _verification(
    folder: Path, files: Files, public_key: Path | None, rule_book: bytes | None, redraw: Redraw | None
) -> tuple[Verification, VerifiedReport | None]:
    try:
        report = verify_report(files, public_key=public_key, rule_book=rule_book, redraw=redraw)
    except CombinatError as error:
        holding = Holding.REJECTED if isinstance(error, RejectedCertificateError) else Holding.UNCHECKED
        said_why = " ".join(str(error).splitlines())
        return Verification(folder=str(folder), holding=holding, message=said_why), None
    holding, message = Holding.HOLDS, proviso(report.origin, figures_only=redraw is None)
    if report.unchecked:
        holding = Holding.UNCHECKED
        message = _not_checked(report.unchecked)
    predicate = report.predicate
    said = {
        "game": predicate.game.name,
        "signature": _signature(report.signature, report.key_id),
        "rule book": f"{predicate.rule_book.name}, SHA-256 {predicate.rule_book.sha256}",
        "decks": ", ".join(map(str, predicate.decks)),
        **({"readings": report.book.game.provisos.readings_in_words} if report.dossier.followed else {}),
        "numbers": f"{report.numbers} checked against the rule book by the checker; all reproduced by this combinat",
        "note": predicate.statement,
        "files": f"{len(report.files)}, each with the SHA-256 that the certificate names, and",
    }
    record = {
        "game": predicate.game.id,
        "signature": report.signature.value,
        "key_id": report.key_id,
        "rule_book": report.origin.value,
        "rule_book_sha256": predicate.rule_book.sha256,
        "software_version": predicate.software.version,
        "decks": list(predicate.decks),
        **provisos_json(report.book.game),
        "numbers": report.numbers,
        "figures_only": redraw is None,
    }
    verification = Verification(
        folder=str(folder),
        holding=holding,
        message=message,
        said=said,
        record=record,
        files=_checked_files(report),
    )
    return verification, report


def _checked_files(report: VerifiedReport) -> tuple[CheckedFile, ...]:
    """How each file of a report was checked."""
    return tuple(
        CheckedFile(
            name=file.name,
            check=file.check.value,
            words=file.why if file.check is Check.RULE_BOOK else file.check.in_words,
        )
        for file in report.files
    )


def _with_signature(verification: Verification, signature: Signed, *, unsigned_ok: bool) -> Verification:
    """The verdict, where what is signed holds only if its signature was checked, or signatures are left aside."""
    if signature is not Signed.NOT_CHECKED:
        return verification
    if unsigned_ok:
        said = {**verification.said, "signature": "there is one, and it was not looked at (--unsigned-ok)"}
        return replace(verification, said=said)
    if verification.holding is not Holding.HOLDS:
        return verification
    message = "signed, but not checked; give --public-key, or --unsigned-ok to leave signatures aside"
    return replace(verification, holding=Holding.UNCHECKED, message=message)


def _not_checked(files: Sequence[FileCheck]) -> str:
    """Which files were not checked, and what to install, each reason once."""
    names = files[0].name if len(files) == 1 else f"{files[0].name} and {len(files) - 1} more"
    return f"{names}: {'; '.join(dict.fromkeys(file.why for file in files))}"


def _signature(signature: Signed, key_id: str | None) -> str:
    words = {
        Signed.VALID: "valid",
        Signed.NOT_CHECKED: "signed, but not checked: give --public-key",
        Signed.NONE: "none",
    }
    return f"{words[signature]} (key {key_id})" if key_id else words[signature]


def _collection(
    path: Path, group: Gathered, reports: dict[str, VerifiedReport], public_key: Path | None
) -> tuple[Verification, Signed]:
    """The verdict on what stands over the reports, and what became of its signature."""
    if not group.whole:
        message = f"{CERTIFICATE}: nothing says which reports belong here; each of them is judged alone"
        return Verification(folder=str(path), holding=Holding.UNCHECKED, message=message), Signed.NONE
    versions = dict(libraries([Form.MARKDOWN]))
    try:
        signature = verify_collection(group.contents, reports, over_the_games, versions, public_key)
    except CombinatError as error:
        holding = Holding.REJECTED if isinstance(error, RejectedCertificateError) else Holding.UNCHECKED
        message = " ".join(str(error).splitlines())
        return Verification(folder=str(path), holding=holding, message=message), Signed.NONE
    said = {
        "collection": f"{len(reports)} report{'' if len(reports) == 1 else 's'}, all that belong to it; its index and its explorer are drawn again from them",
        "signature": _signature(signature, None),
    }
    verification = Verification(
        folder=str(path),
        holding=Holding.HOLDS,
        said=said,
        record={"reports": sorted(reports), "signature": signature.value},
    )
    return verification, signature
