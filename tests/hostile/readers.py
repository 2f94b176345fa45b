"""The readers of what strangers write: from valid inputs to all that is done with an input that is accepted."""

import base64
import io
import json
import re
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from combinat import Shoe, crosscheck, evaluate
from combinat.analysis.bets import bet_analysis
from combinat.analysis.insurance_analysis import insurance
from combinat.analysis.odds import Analysis
from combinat.analysis.round_in_progress import round_in_progress
from combinat.analysis.shoe_file import shoe_file
from combinat.audit.judging.crosscheck import verdict_of_bytes
from combinat.base.errors import CombinatError
from combinat.base.money import parse_money, parse_net
from combinat.base.strict_json import canonical
from combinat.certify.analysis_file import analysis_bytes, read_dossier
from combinat.certify.certificate import CERTIFICATE, SUMS, parsed_certificate, sums
from combinat.certify.checker import NOT_CHECKED, Malformed, Rejected, check
from combinat.certify.dossier import Dossier, dossier
from combinat.certify.filing import Issue
from combinat.certify.report_files import sealed_report
from combinat.certify.signature import PAYLOAD_TYPE, public_key, signer
from combinat.montecarlo.counts import Dealing, counts_json, observed
from combinat.montecarlo.log_writer import log_names, log_rows
from combinat.montecarlo.simulation import Simulation
from combinat.render.text import Format, as_json, rendered
from combinat.report.analysis.insurance import INSURANCE, insurance_document
from combinat.report.analysis.odds import ODDS, odds_document
from combinat.report.audit.verdict_records import CROSSCHECK
from combinat.report.certified.verified import verify_report
from combinat.report.folder import Form, files
from combinat.report.rules.rule_book_data import rule_book_json
from combinat.report.rules.rulebook import rule_book
from combinat.report.table.exposure import EXPOSURE, exposure_document
from combinat.report.table.settlement import settlement_blocks
from combinat.report.table.whole_table import TABLE, table_document
from combinat.rules.book.find import rule_book_paths
from combinat.rules.book.load import load_game
from combinat.rules.cards import parse_cards
from combinat.rules.game import Game
from combinat.rules.odds import Odds, Share
from combinat.rules.round import Round, finished_round
from combinat.rules.value_sets import POINTS
from combinat.table.exposure import at_stake, house_results
from combinat.table.settlement import settle
from combinat.table.table_file import load_table
from combinat.table.table_settlement import table_state
from tests.conftest import SMALL_BOOK
from tests.dealing import whole_tally
from tests.games import loaded, walked
from tests.hostile.fuzzer import Broken, Chance, Reader, check_message, hidden, hostile_toml
from tests.hostile.study_readers import (
    count_seeds,
    read_count_file,
    read_study_file,
    study_seeds,
)
from tests.paths import GOOD_BOOK, PLAIN_BOOK, ROOT

ONE_DECK = Shoe.of_decks(1)
HALF_A_SUIT = Shoe.parse("A=2 5=1 6=1 9=2 K=1")
"""A shoe that cannot finish every round."""


@contextmanager
def on_disk(name: str, content: bytes) -> Iterator[Path]:
    """A file for as long as it is read."""
    path = Path(name)
    path.write_bytes(content)
    try:
        yield path
    finally:
        path.unlink()


# ---------------------------------------------------------------- rule books


@cache
def book_seeds() -> list[bytes]:
    """The small books and those that come with combinat, all under one id."""
    paths = [SMALL_BOOK, SMALL_BOOK, SMALL_BOOK, PLAIN_BOOK, GOOD_BOOK, *rule_book_paths().values()]
    return [re.sub(rb'(?m)^id = ".*"$', b'id = "hostile"', path.read_bytes(), count=1) for path in paths]


def read_book(content: bytes) -> None:
    """Everything that is done with a rule book: shown, analysed, settled; of some the whole report, checked."""
    with on_disk("hostile.toml", content) as path:
        game = load_game(path)
    _show(game)
    _settle(game)
    if zlib.crc32(content) % (60 if game.insurance or len(game.bets) > 4 else 6) == 0:
        _report(game)


def _show(game: Game) -> None:
    said = [rule_book(game)]
    as_json(rule_book_json(game))
    for shoe in (ONE_DECK, HALF_A_SUIT):
        dealt = walked(shoe)
        bets = tuple(bet_analysis(game, bet, dealt) for bet in game.bets)
        analysis = Analysis(game=game, shoe=shoe, distribution=dealt, bets=bets)
        said.append(odds_document(analysis, detail=shoe is ONE_DECK))
        as_json(ODDS.object(analysis))
        if game.insurance_terms:
            answer = insurance(game, shoe)
            said.append(insurance_document(answer))
            as_json(INSURANCE.object(answer))
    for form in (Format.TEXT, Format.MARKDOWN, Format.CSV, Format.LATEX):
        _check_prints(rendered(said, form))


def _check_prints(text: str) -> None:
    """A text for a terminal holds lines of characters that print, and nothing that commands the terminal."""
    if odd := hidden(text.replace("\n", " ")):
        raise Broken(f"a document shows {odd}, which is no printable character")


def _settle(game: Game) -> None:
    for player, banker in (("K 6", "2 3 9"), ("5 K A", "K 6"), ("9 K", "4 4"), ("2 2 2", "2 A 3")):
        try:
            dealt = finished_round(parse_cards(player), parse_cards(banker))
        except CombinatError:
            continue
        stakes = {bet.id: Fraction(100) for bet in game.bets}
        insured = {table.insured: Fraction(10) for table in game.insurance}
        for taken in ({}, insured):
            try:
                settlement = settle(game, dealt, stakes, taken, table_maximum=Fraction(1000))
            except CombinatError as refusal:
                check_message(refusal)
            else:
                _check_prints(rendered(settlement_blocks(settlement), Format.TEXT))
    round_in_progress(game, Round(parse_cards("K 6"), parse_cards("2 3")), ONE_DECK)


def _report(game: Game) -> None:
    """A book that loads can be reported, its analysis is right by the checker, and its documents can be drawn."""
    told = dossier(game, [1])
    written = analysis_bytes(told)
    if read_dossier(written) != told:
        raise Broken("its dossier is not the one that is read back")
    try:
        check(written, game.content)
    except (Malformed, Rejected) as refusal:
        raise Broken(f"the checker refuses its analysis: {refusal}") from None
    for form in (Form.MARKDOWN, Form.CSV, Form.HTML):
        for name, content in files(told, game, [form]).items():
            if not name.endswith(".svg"):
                _check_prints(content.decode("utf-8").replace("\r\n", "\n"))


# ---------------------------------------------------------------- analyses and certificates


@cache
def _plain_dossier() -> Dossier:
    return dossier(loaded(PLAIN_BOOK), [1])


@cache
def analysis_seeds() -> list[bytes]:
    """A right analysis."""
    return [analysis_bytes(_plain_dossier())]


@cache
def _json_tree(content: bytes) -> Any:
    return json.loads(content)


def hostile_json(chance: Chance, content: bytes) -> bytes:
    """A JSON document with some values changed, in the one spelling that is accepted."""
    tree = _json_tree(content)
    return canonical(chance.tree(tree, tree))


def _checked_parts(content: bytes) -> dict[str, Any]:
    """The parts that the checker checks, but for those of which the program chose what to state."""
    chosen = {"examples", "operations", "combination", *NOT_CHECKED}
    return {key: value for key, value in json.loads(content).items() if key not in chosen}


def read_analysis(content: bytes) -> None:
    """An analysis through both of its readers: the checker accepts what is right, and that is read."""
    try:
        check(content, loaded(PLAIN_BOOK).content)
    except (Malformed, Rejected) as refusal:
        check_message(refusal)
        if analysis_bytes(read_dossier(content)) != content:
            raise Broken("what is read of it says something else") from None
        raise
    if _checked_parts(content) != _checked_parts(*analysis_seeds()):
        raise Broken("the checker accepts an analysis that is not the right one")
    read_dossier(content)


@cache
def house_keys() -> tuple[bytes, ...]:
    """Keys: private and public of Ed25519, which are taken; with a password, and of other kinds, which are not."""
    from cryptography.hazmat.primitives.asymmetric import ec, ed25519, x25519
    from cryptography.hazmat.primitives.serialization import (
        BestAvailableEncryption,
        Encoding,
        NoEncryption,
        PrivateFormat,
        PublicFormat,
    )

    house = ed25519.Ed25519PrivateKey.from_private_bytes(bytes(32))
    curve = ec.derive_private_key(7, ec.SECP256R1())
    exchange = x25519.X25519PrivateKey.from_private_bytes(bytes(32))
    pem, plain, spki = Encoding.PEM, NoEncryption(), PublicFormat.SubjectPublicKeyInfo
    return (
        house.private_bytes(pem, PrivateFormat.PKCS8, plain),
        house.public_key().public_bytes(pem, spki),
        house.private_bytes(pem, PrivateFormat.PKCS8, BestAvailableEncryption(b"word")),
        house.private_bytes(pem, PrivateFormat.OpenSSH, plain),
        curve.private_bytes(pem, PrivateFormat.PKCS8, plain),
        curve.public_key().public_bytes(pem, spki),
        exchange.private_bytes(pem, PrivateFormat.PKCS8, plain),
        exchange.public_key().public_bytes(pem, spki),
    )


@cache
def sealed() -> tuple[Mapping[str, bytes], Mapping[str, bytes]]:
    """A report of next to nothing, unsigned and signed."""
    with on_disk("hostile-private.pem", house_keys()[0]) as path:
        report = partial(
            sealed_report, _plain_dossier(), loaded(PLAIN_BOOK), {}, (), libraries={}, simulations={}
        )
        unsigned = report()
        signed = report(issue=Issue(key=path, key_id=signer(path).public_key.keyid))
    return unsigned, signed


def certificate_seeds() -> list[bytes]:
    """A certificate, and the same signed."""
    return [files[CERTIFICATE] for files in sealed()]


def hostile_certificate(chance: Chance, content: bytes) -> bytes:
    """A certificate with some values changed; of a signed one the statement, or the envelope."""
    tree = _json_tree(content)
    if "payload" in tree and chance.random() < 0.6:
        statement = json.loads(base64.b64decode(tree["payload"]))
        payload = base64.b64encode(canonical(chance.tree(statement, tree))).decode("ascii")
        return canonical({**tree, "payload": payload, "payloadType": PAYLOAD_TYPE})
    return canonical(chance.tree(tree, tree))


def read_certificate(content: bytes) -> None:
    """A certificate alone, and that of a report whose sums were made to fit; with a key, the signed one alone."""
    certificate = parsed_certificate(content)
    files = dict(sealed()[certificate.envelope is not None]) | {CERTIFICATE: content}
    files |= {SUMS: sums(certificate.digests, content)}
    verdict = verify_report(files)
    if b'"payload"' not in content and content not in certificate_seeds() and not verdict.unchecked:
        raise Broken("a changed certificate holds")
    with on_disk("hostile-public.pem", house_keys()[1]) as path:
        verify_report(files, public_key=path)
    if content not in certificate_seeds():
        raise Broken("a changed certificate has a valid signature")


# ---------------------------------------------------------------- keys


def hostile_key(chance: Chance, content: bytes) -> bytes:
    """A key whose binary form is changed under its armour, or its armour."""
    lines = content.strip().split(b"\n")
    if chance.random() < 0.3:
        return chance.lines(content, b" ")
    der = chance.bytes_of(base64.b64decode(b"".join(lines[1:-1])), b"")
    return b"\n".join([lines[0], base64.encodebytes(der).strip(), lines[-1], b""])


def read_key(content: bytes) -> None:
    """A file as a private key, and as a public one."""
    with on_disk("hostile.pem", content) as path:
        try:
            signer(path)
        except CombinatError as refusal:
            check_message(refusal)
            public_key(path)


# ---------------------------------------------------------------- counts, logs, shoes


def _simulation(cut_card: int | None) -> Simulation:
    return Simulation(
        game=loaded(SMALL_BOOK), shoe=Shoe.of_decks(2), rounds=60, seed=1, cut_card=cut_card, burn=False
    )


@cache
def counts_seeds() -> list[bytes]:
    """Counts of independent rounds, and of whole shoes."""
    return [_counts(None), _counts(20)]


def _counts(cut_card: int | None) -> bytes:
    simulation = _simulation(cut_card)
    tally = whole_tally(simulation)
    dealing = Dealing.INDEPENDENT if cut_card is None else Dealing.SHOES
    game = simulation.game.id
    return counts_json(observed(tally, game, simulation.shoe, dealing, made_by={"seed": "1"})).encode("ascii")


def read_counts(content: bytes) -> None:
    """A counts file, judged."""
    as_json(CROSSCHECK.object(verdict_of_bytes("hostile.json", content, loaded(SMALL_BOOK))))


def hostile_counts(chance: Chance, content: bytes) -> bytes:
    """A counts file with some values changed, in ASCII or not."""
    tree = _json_tree(content)
    changed = json.dumps(chance.tree(tree, tree), ensure_ascii=chance.random() < 0.5)
    return changed.encode(chance.choice(("utf-8", "utf-8", "utf-16", "utf-8-sig")), "surrogatepass")


@cache
def log_seeds() -> list[bytes]:
    """Hand logs: of independent rounds, of whole shoes, and in Parquet."""
    return [_log(None), _log(20), _log(20), _parquet()]


def _log(cut_card: int | None) -> bytes:
    simulation = _simulation(cut_card)
    head = ["# game: small-baccarat", "# decks: 2", *(["# cut-card: 20"] if cut_card else []), "# note: none"]
    lines = [*head, ",".join(log_names(simulation.partitions, shoes=cut_card is not None))]
    for _, rows in simulation.results(lambda batch: log_rows(simulation.partitions, batch), 1):
        lines.append(rows.head(60).with_row_index("round", 1).write_csv(include_header=False))
    return "\n".join(lines).encode("ascii")


@cache
def _parquet() -> bytes:
    import polars

    *_, names, rows = _log(None).partition(b"# note: none\n")[2].partition(b"\n")[0::2]
    frame = polars.read_csv(io.BytesIO(names + b"\n" + rows), infer_schema=False)
    buffer = io.BytesIO()
    frame.write_parquet(buffer, metadata={"game": "small-baccarat", "decks": "2"})
    return buffer.getvalue()


def hostile_log(chance: Chance, content: bytes) -> bytes:
    """A hand log with some cells changed; Parquet by its bytes, in its head or its foot."""
    if content.startswith(b"PAR1"):
        foot = len(content) - 600
        return content[:foot] + chance.bytes_of(content[foot:], content)
    return chance.lines(content)


def read_log(content: bytes) -> None:
    """A hand log, replayed; of some the rounds judged too."""
    if zlib.crc32(content) % 10 == 0:
        said = verdict_of_bytes("hostile.csv", content, loaded(SMALL_BOOK))
    else:
        with on_disk("hostile.csv", content) as path:
            said = crosscheck(path, game=str(SMALL_BOOK), settlement_only=True)
    as_json(CROSSCHECK.object(said))


def shoe_seeds() -> list[bytes]:
    """Files of shoes: counts by rank, and cards removed."""
    ranks = b"A,2,3,4,5,6,7,8,9,10,J,Q,K\n"
    return [
        ranks + b"32,32,32,32,32,32,32,32,32,32,32,32,32\n0,1,2,3,4,5,6,7,8,9,10,11,12\n",
        b'removed\nA A 10 K\n""\nQ Q Q Q\n',
    ]


def read_shoe_file(content: bytes) -> None:
    """A file of shoes, the first of them evaluated."""
    with on_disk("hostile.csv", content) as path:
        blocks = list(shoe_file(path, 8).blocks())
    first = [counts for block, _ in blocks for counts in block][:2]
    if first:
        evaluate(loaded(PLAIN_BOOK), np.array(first))


# ---------------------------------------------------------------- tables

TABLES = ("table.toml", "open-table.toml")
OF_TABLES = loaded("tiger-buffalo-noncommission-plus-2024")


@cache
def table_seeds() -> list[bytes]:
    """The tables of the page on them, both for the same game."""
    written = [(ROOT / "docs" / name).read_bytes() for name in TABLES]
    return [content.replace(b" tiger = ", b" tie = ").replace(b'"P"', b'"A"') for content in written]


def read_table(content: bytes) -> None:
    """A table: its limits applied, settled, shown, and what it can cost."""
    with on_disk("table.toml", content) as path:
        table = load_table(path, OF_TABLES)
    state = table_state(OF_TABLES, table)
    cost = house_results(OF_TABLES, HALF_A_SUIT, walked(HALF_A_SUIT), at_stake(state), table.chips)
    said = [table_document(state), exposure_document(cost)]
    as_json(TABLE.object(state))
    as_json(EXPOSURE.object(cost))
    for form in (Format.TEXT, Format.MARKDOWN, Format.CSV, Format.LATEX):
        _check_prints(rendered(said, form))


# ---------------------------------------------------------------- words of the command line

WORDS: Mapping[str, Callable[[str], object]] = {
    "8=100": parse_money,
    "-43/415": parse_net,
    "A A 10 K": parse_cards,
    "A=31 2=32 K=32": Shoe.parse,
    "50 to 1": Odds.parse,
    "0-5,7": POINTS.parse,
    "25%": Share.parse,
}


def hostile_word(chance: Chance, content: bytes) -> bytes:
    """A word with a part that is another."""
    return chance.lines(content, chance.choice((b" ", b"=", b"/", b"-", b",")))


def read_words(content: bytes) -> None:
    """A word as one of the kinds that there are."""
    parse = tuple(WORDS.values())[zlib.crc32(content) % len(WORDS)]
    parse(content.decode("utf-8", "replace"))


# ---------------------------------------------------------------- all of them

REFUSED = (CombinatError,)

READERS = {
    reader.name: reader
    for reader in (
        Reader(
            name="books",
            seeds=book_seeds,
            structured=hostile_toml(book_seeds, schema=1, id="hostile"),
            read=read_book,
            refusals=REFUSED,
            inputs=120,
            seconds=20,
        ),
        Reader(
            name="analyses",
            seeds=analysis_seeds,
            structured=hostile_json,
            read=read_analysis,
            refusals=(CombinatError, Malformed, Rejected),
            inputs=60,
        ),
        Reader(
            name="certificates",
            seeds=certificate_seeds,
            structured=hostile_certificate,
            read=read_certificate,
            refusals=REFUSED,
            inputs=200,
        ),
        Reader(
            name="keys", seeds=house_keys, structured=hostile_key, read=read_key, refusals=REFUSED, inputs=400
        ),
        Reader(
            name="counts",
            seeds=counts_seeds,
            structured=hostile_counts,
            read=read_counts,
            refusals=REFUSED,
            inputs=40,
        ),
        Reader(
            name="studies",
            seeds=study_seeds,
            structured=hostile_json,
            read=read_study_file,
            refusals=REFUSED,
            inputs=30,
        ),
        Reader(
            name="player-counts",
            seeds=count_seeds,
            structured=hostile_toml(count_seeds),
            read=read_count_file,
            refusals=REFUSED,
            inputs=40,
        ),
        Reader(
            name="logs", seeds=log_seeds, structured=hostile_log, read=read_log, refusals=REFUSED, inputs=30
        ),
        Reader(
            name="shoes",
            seeds=shoe_seeds,
            structured=lambda chance, content: chance.lines(content),
            read=read_shoe_file,
            refusals=REFUSED,
            inputs=200,
        ),
        Reader(
            name="tables",
            seeds=table_seeds,
            structured=hostile_toml(table_seeds, schema=1),
            read=read_table,
            refusals=REFUSED,
            inputs=100,
        ),
        Reader(
            name="words",
            seeds=lambda: [word.encode("ascii") for word in WORDS],
            structured=hostile_word,
            read=read_words,
            refusals=REFUSED,
            inputs=400,
        ),
    )
}
