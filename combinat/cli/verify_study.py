"""``combinat verify`` of a study of whole shoes: figures computed, documents drawn and blocks dealt again."""

import re
from pathlib import Path
from typing import Any

from combinat.base.errors import CombinatError, RejectedCertificateError, shortened
from combinat.base.files import Files
from combinat.certify.document_check import Check, FileCheck
from combinat.certify.study_folder import VerifiedStudy
from combinat.certify.verification import Signed
from combinat.library.studies import checked_study
from combinat.report.verification import CheckedFile, Holding, Verification, proviso

ALL = "all"
_BLOCKS = re.compile(r"\d{1,9}", re.ASCII)


def blocks_asked(text: str) -> int | None:
    """The number of blocks to deal again; None: all of them."""
    if text == ALL:
        return None
    if not _BLOCKS.fullmatch(text):
        raise CombinatError(
            f'--blocks: found "{shortened(text)}"; write how many blocks to deal again, or {ALL}'
        )
    return int(text)


def study_verification(
    folder: Path,
    files: Files,
    public_key: Path | None,
    rule_book: bytes | None,
    blocks: int | None,
    *,
    figures_only: bool,
) -> tuple[Verification, Signed]:
    """The verdict on a study, and what became of its signature."""
    try:
        study = checked_study(files, public_key, rule_book, blocks, figures_only=figures_only)
    except CombinatError as error:
        holding = Holding.REJECTED if isinstance(error, RejectedCertificateError) else Holding.UNCHECKED
        said_why = " ".join(str(error).splitlines())
        return Verification(folder=str(folder), holding=holding, message=said_why), Signed.NONE
    return _verdict(folder, study, figures_only=figures_only), study.signature


def _verdict(folder: Path, study: VerifiedStudy, *, figures_only: bool) -> Verification:
    holding, message = Holding.HOLDS, proviso(study.origin, figures_only=figures_only)
    again, blocks = len(study.again), len(study.file.blocks)
    if study.unchecked:
        first = study.unchecked[0]
        holding, message = Holding.UNCHECKED, f"{first.name}: {first.why}"
    elif not again:
        holding, message = Holding.UNCHECKED, "no block was dealt again; ask for some with --blocks"
    predicate = study.predicate
    said = {
        "game": predicate.game.name,
        "signature": f"{_SIGNATURES[study.signature]}{f' (key {study.key_id})' if study.key_id else ''}",
        "rule book": f"{predicate.rule_book.name}, SHA-256 {predicate.rule_book.sha256}",
        "shoes": f"{study.file.study.shoes}, seed {study.file.study.seed}",
        "blocks": f"{again} of {blocks} dealt again, the same; a block changed elsewhere was not looked at"
        if again < blocks
        else f"all {blocks} dealt again, the same",
        "note": predicate.statement,
        "files": f"{len(study.files)}, each with the SHA-256 that the certificate names, and",
    }
    record: dict[str, Any] = {
        "game": predicate.game.id,
        "signature": study.signature.value,
        "key_id": study.key_id,
        "rule_book": study.origin.value,
        "rule_book_sha256": predicate.rule_book.sha256,
        "software_version": predicate.software.version,
        "shoes": study.file.study.shoes,
        "blocks": blocks,
        "dealt_again": sorted(study.again),
        "figures_only": figures_only,
    }
    return Verification(
        folder=str(folder),
        holding=holding,
        message=message,
        said=said,
        record=record,
        files=tuple(
            CheckedFile(name=file.name, check=file.check.value, words=_how(file)) for file in study.files
        ),
    )


_SIGNATURES = {
    Signed.VALID: "valid",
    Signed.NOT_CHECKED: "signed, but not checked: give --public-key",
    Signed.NONE: "none",
}


def _how(file: FileCheck) -> str:
    if file.check is Check.RULE_BOOK:
        return file.why
    if file.check is Check.DRAWN:
        return "drawn again from protect.json and the rule book: equal bytes"
    return f"{file.check.in_words}: {file.why}" if file.why else file.check.in_words
