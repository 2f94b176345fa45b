"""The errors a user can cause, each with one clear message.

A message says what is wrong, where, what was found and what to write instead.
The command line prints it after ``combinat: `` and leaves with exit code 2.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

_MOST_MESSAGE = 2_000
"""Characters of a message: room for every key of a record, but not for long quoted texts."""

_PARAMETER = re.compile(r"\{(\w+)\}")


class CombinatError(Exception):
    """The root: something in the input could not be used.

    A message may quote others' text: a very long message is shown without its middle.
    """

    def __str__(self) -> str:
        text = self.text()
        return text if len(text) <= _MOST_MESSAGE else f"{text[:1_500]} ... {text[-490:]}"

    def text(self, name: Callable[[str], str] = str) -> str:
        """Return the complete message. ``name`` maps a parameter to its displayed name."""
        return super().__str__()


class InputError(CombinatError, ValueError):
    """A value that cannot be used: its ``parameter``, what was ``found``, and what to ``write``.

    In ``write``, ``{decks}`` is the parameter ``decks``: shown as such in Python, as ``--decks`` on the
    command line. ``parameter`` may be empty; ``named`` fills it in.

    >>> from combinat import odds
    >>> try:
    ...     odds("commission-insurance-2013", decks=0)
    ... except InputError as error:
    ...     print(error.parameter, "|", error.text(lambda name: f"--{name}"))
    decks | --decks: found 0; write a whole number from 1 to 999999
    """

    def __init__(self, found: str, write: str = "", *, parameter: str = "") -> None:
        super().__init__(found)
        self.found, self.write, self.parameter = found, write, parameter

    def text(self, name: Callable[[str], str] = str) -> str:
        """Return the message; it begins with the parameter, unless ``write`` mentions it."""
        before = f"{name(self.parameter)}: " if self.parameter else ""
        if f"{{{self.parameter}}}" in self.write:
            before = ""
        after = "; " + _PARAMETER.sub(lambda match: name(match[1]), self.write) if self.write else ""
        return f"{before}{self.found}{after}"


@contextmanager
def named(parameter: str) -> Iterator[None]:
    """Name this parameter in refusals raised within the block, unless they name another.

    >>> with named("player"):
    ...     raise InputError('card "X" does not exist')
    Traceback (most recent call last):
    combinat.base.errors.InputError: player: card "X" does not exist
    """
    try:
        yield
    except InputError as error:
        error.parameter = error.parameter or parameter
        raise


class RuleBookError(CombinatError):
    """A rule book that cannot be found or read, or that is inconsistent.

    >>> from combinat import load_game
    >>> load_game("my-game.toml")
    Traceback (most recent call last):
    combinat.base.errors.RuleBookError: my-game.toml: cannot be read (No such file or directory); give the path of a TOML file
    """


class FileError(CombinatError):
    """A file that cannot be read, written or trusted; ``why``: the reason without the name of the file.

    >>> from combinat import crosscheck
    >>> crosscheck("log.csv")
    Traceback (most recent call last):
    combinat.base.errors.FileError: log.csv: cannot be read (No such file or directory)
    """

    def __init__(self, message: str, why: str = "") -> None:
        super().__init__(message)
        self.why = why or message


class CertificateError(CombinatError):
    """A certificate that cannot be relied on; ``is_rejected``: it was checked and does not hold."""

    is_rejected = False


class MalformedCertificateError(CertificateError):
    """A certificate that could not be read: nothing was checked."""


class RejectedCertificateError(CertificateError):
    """A certificate that was checked and does not hold."""

    is_rejected = True


class MissingLibraryError(CombinatError):
    """A library of an extra that is not installed."""


def printable(text: str) -> str:
    """Return a text unchanged if all of it is printable, else escaped."""
    if text.isprintable():
        return text
    import json  # imported here: only unprintable text needs it

    return json.dumps(text)[1:-1]


def shortened(text: str, most: int = 100) -> str:
    """Return a quoted text for a message; a long text without its middle.

    >>> shortened("9" * 5000, 10), shortened("8 decks")
    ('9999...999', '8 decks')
    """
    if len(text) <= most:
        return text
    end = (most - 3) // 2
    return f"{text[: most - 3 - end]}...{text[len(text) - end :]}"


def quoted(text: str) -> str:
    """Return a quoted text for a verdict: on one line; a long text without its middle."""
    return shortened(printable(text), 300)


def in_words(value: object) -> str:
    """Return a caller's value as messages quote it.

    >>> in_words("8"), in_words([10**5000])
    ('"8"', 'a number of very many digits')
    """
    if isinstance(value, str):
        return f'"{shortened(value)}"'
    try:
        return shortened(repr(value))
    except ValueError:  # Python refuses to convert thousands of digits to text
        return "a number of very many digits"


def near_matches(wanted: str, known: list[str]) -> list[str]:
    """Return the known word nearest to a misspelt one; else the only known word that contains it; else nothing.

    Capitals, hyphens, underscores and spaces are ignored.

    >>> near_matches("Big Tiger", ["tiger", "big-tiger"]), near_matches("2013", ["comm-2013", "comm-2024"])
    (['big-tiger'], ['comm-2013'])
    """
    import difflib  # imported here: only a mistake needs it

    def plain(word: str) -> str:
        return word.lower().replace("_", "-").replace(" ", "-")

    by_plain = {plain(word): word for word in reversed(known)}
    near = difflib.get_close_matches(wanted, known, n=1) or [
        by_plain[word] for word in difflib.get_close_matches(plain(wanted), list(by_plain), n=1)
    ]
    holding = [word for word in known if len(wanted) > 2 and plain(wanted) in plain(word)]
    return near or (holding if len(holding) == 1 else [])


def near_hint(wanted: str, known: Iterable[str]) -> str:
    """Return the end of a refusal of an unknown word: the question whether a near known word was meant, or a full stop.

    >>> near_hint("big-tigr", ["tie", "big-tiger"]), near_hint("x", ["tie"])
    ('; did you mean big-tiger?', '.')
    """
    return "".join(f"; did you mean {near}?" for near in near_matches(shortened(wanted), list(known))) or "."
