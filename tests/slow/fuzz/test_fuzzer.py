"""The fuzzer itself: its seeds are accepted, and a reader that breaks the law is caught, whichever way it does."""

from collections.abc import Callable
from pathlib import Path
from unittest.mock import Mock

import pytest

from combinat.base.errors import CombinatError
from combinat.certify.checker import Malformed
from tests.hostile import fuzzer
from tests.hostile.fuzzer import Broken, Reader, check_law, hostile, keeps_law, nested, toml
from tests.hostile.readers import READERS

pytestmark = pytest.mark.usefixtures("here")


ACCEPTED = {"certificates": 1, "keys": 2}
"""How many of the inputs that others are made from are accepted, where not all: the signed certificate, two keys."""


@pytest.mark.parametrize("name", [name for name in READERS if name != "words"])
def test_the_inputs_that_others_are_made_from_are_accepted(name: str, tmp_path: Path) -> None:
    """Were they not, the fuzzer would try nothing but the first refusal."""
    seeds = set(READERS[name].seeds()[: 8 if name == "keys" else 5])
    accepted = sum(check_law(READERS[name], content, tmp_path) is None for content in seeds)
    assert accepted == ACCEPTED.get(name, len(seeds))


# ---------------------------------------------------------------- the fuzzer itself


def reader_of(read: Callable[[bytes], object], seconds: float = 5) -> Reader:
    return Reader(
        name="trial",
        seeds=lambda: [b"one,two\nthree,four\n"],
        structured=lambda chance, content: chance.lines(content),
        read=read,
        refusals=(CombinatError, Malformed),
        inputs=30,
        seconds=seconds,
    )


def waiting(content: bytes) -> None:
    while True:
        pass


BREACHES: dict[str, tuple[Callable[[bytes], object], str]] = {
    "another exception": (lambda content: dict[str, int]()["a key"], "KeyError: "),
    "never done": (waiting, "not done after 0.2 s of processor time"),
    "memory": (lambda content: bytearray(2 << 30), "more than 1073741824 bytes of memory"),
    "a file left behind": (lambda content: Path("left").write_bytes(b""), "left behind or changed: left"),
    "a file changed": (lambda content: Path("mine").write_bytes(b"theirs"), "left behind or changed: mine"),
    "a file gone": (lambda content: Path("mine").unlink(), "gone: mine"),
    "two lines": (Mock(side_effect=Malformed("a\nb")), "a message that does not print on one line (U+000A)"),
    "an escape sequence": (
        Mock(side_effect=Malformed("\x1b[2J")),
        "a message that does not print on one line (U+001B)",
    ),
    "an override": (
        Mock(side_effect=Malformed("a\u202eb")),
        "a message that does not print on one line (U+202E)",
    ),
    "an echo": (Mock(side_effect=Malformed("9" * 5_000)), "a message of 5000 characters"),
    "not a word": (Mock(side_effect=Malformed(" ")), "refused without a word"),
}


@pytest.mark.parametrize("name", BREACHES)
def test_a_breach_of_the_law_is_caught(name: str, tmp_path: Path) -> None:
    read, why = BREACHES[name]
    (tmp_path / "mine").write_bytes(b"mine")
    with pytest.raises(Broken) as broken:
        check_law(reader_of(read, seconds=0.2), b"", tmp_path)
    assert str(broken.value).startswith(why)


def test_a_message_is_judged_as_it_is_printed(tmp_path: Path) -> None:
    """The program makes what others wrote printable, and a very long message is without its middle."""
    refusal = CombinatError("found \x1b[2J" + "9" * 5_000 + "; write less")
    said = check_law(reader_of(Mock(side_effect=refusal)), b"", tmp_path)
    assert said is not None
    assert said.startswith(r"found \u001b[2J999")
    assert said.endswith("9; write less")
    assert " ... " in said


def test_what_breaks_the_law_is_kept_and_can_be_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Under a name that tells reader, seed and number; what keeps it is not kept."""

    def read(content: bytes) -> None:
        if b"three" not in content:
            raise ValueError("three")

    monkeypatch.setattr(fuzzer, "HERE", tmp_path)
    reader, work = reader_of(read), tmp_path / "work"
    broken = [number for number in range(reader.inputs) if not is_kept(reader, number, work)]
    assert 0 < len(broken) < reader.inputs
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {
        f"found-trial-5-{number}.new": hostile(reader, 5, number) for number in broken
    }


def is_kept(reader: Reader, number: int, work: Path) -> bool:
    """Whether the law is."""
    try:
        return keeps_law(reader, 5, number, work)
    except Broken:
        return False


def test_a_tree_is_written_as_toml() -> None:
    import tomllib

    tree = {"a b": [1, -(10**30), {"c": 'd"\x7f\u202e\n'}], "e": True, "f": nested(3, True)}
    assert tomllib.loads(toml(tree).decode("utf-8")) == tree
