"""The errors a user can cause, each with one clear message.

A message says what is wrong, where, what was found and what to write instead.
The command line prints it after ``combinat: `` and leaves with exit code 2.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fractions import Fraction

_MOST_MESSAGE = 2_000
"""Characters of a message: room for every key that there is, not for what someone else wrote."""


class CombinatError(Exception):
    """The root: something in the input could not be used.

    Parts of a message may be someone else's: a very long one is without its middle.

    >>> from combinat import analyze
    >>> try:
    ...     analyze("commission-insurance-2013", 8.0)
    ... except CombinatError as error:
    ...     print(type(error).__name__, "found 8.0" in str(error))
    ShoeError True
    """

    def __str__(self) -> str:
        text = super().__str__()
        return text if len(text) <= _MOST_MESSAGE else f"{text[:1_500]} ... {text[-490:]}"


class MissingLibraryError(CombinatError):
    """Something that needs a library which is not installed."""


class RuleBookError(CombinatError):
    """A rule book that cannot be found, read or believed.

    >>> from combinat import load_game
    >>> load_game("my-game.toml")
    Traceback (most recent call last):
    combinat.base.errors.RuleBookError: my-game.toml: cannot be read (No such file or directory); give the path of a TOML file
    """


class FilingError(CombinatError):
    """A filing that cannot be read or believed."""


class NotInGameError(CombinatError):
    """A bet, layout, procedure or interpretation that the game does not have.

    >>> from combinat import analyze
    >>> analyze("commission-insurance-2013")["ties"]
    Traceback (most recent call last):
    combinat.base.errors.NotInGameError: found "ties"; did you mean tie? There are player, banker, tie, player-pair, banker-pair
    """


class ReadingError(CombinatError):
    """Other readings that cannot be followed together."""


class CardError(CombinatError):
    """A card that does not exist.

    >>> from combinat import Round
    >>> Round.parse("9 X", "7 7")
    Traceback (most recent call last):
    combinat.base.errors.CardError: card "X" does not exist; write one of A 2 3 4 5 6 7 8 9 10 J Q K
    """


class ShoeError(CombinatError):
    """A shoe that cannot be: negative counts, unknown ranks, cards it does not hold.

    >>> from combinat import Shoe
    >>> Shoe.of_decks(1).minus("A A A A A")
    Traceback (most recent call last):
    combinat.base.errors.ShoeError: cannot remove 5 of A: the shoe holds 4
    """


class DepthError(ShoeError):
    """A depth that the shoe does not have, at which no round can be dealt, or which is too much to go through."""


class TagsError(CombinatError):
    """Tags that a count cannot have: unknown ranks, numbers that are not whole or too large."""


class OddsError(CombinatError, ValueError):
    """Odds that cannot be read.

    A ``ValueError`` too: that is what msgspec reports together with its place in the file.
    """


class NoSuchOddsError(CombinatError):
    """Odds that do not exist: no odds of a bet have the figure asked for.

    ``least``: the expected value to which the bet comes where the lines to be solved for pay nothing.
    """

    def __init__(self, message: str, least: "Fraction") -> None:
        super().__init__(message)
        self.least = least


class RoundError(CombinatError):
    """Cards that the Table of Play could not have dealt.

    >>> from combinat import Round
    >>> Round.parse("9 4 2 2", "7 7")
    Traceback (most recent call last):
    combinat.base.errors.RoundError: Player Hand: found 4 cards; a hand has three at most
    """


class NotToldError(RoundError):
    """Something that a ruling needs and that was not told; ``thing``: what it is."""

    def __init__(self, message: str, thing: str) -> None:
        super().__init__(message)
        self.thing = thing


class StakeError(CombinatError):
    """A stake that the game, the layout or a limit does not allow.

    >>> from combinat import Round, settle
    >>> settle("commission-insurance-2013", Round.parse("9 4 K", "7 7"), {"banker": -5})
    Traceback (most recent call last):
    combinat.base.errors.StakeError: banker: the stake must be more than 0; found -5
    """


class TableMaximumError(StakeError):
    """A stake whose limit is a share of a maximum of the table, which was not given; ``base``: which maximum."""

    def __init__(self, message: str, base: str) -> None:
        super().__init__(message)
        self.base = base


class NothingInsuredError(StakeError):
    """Insurance of a hand on which nothing is staked; ``bet``: the bet on that hand."""

    def __init__(self, message: str, bet: str) -> None:
        super().__init__(message)
        self.bet = bet


class TableError(CombinatError):
    """A file of a whole table that cannot be read, or that the document does not allow."""


class FaultError(CombinatError):
    """A known fault of a simulator that does not exist, or that this game or dealing cannot have."""


class CountsError(CombinatError):
    """A counts file that cannot be judged: unreadable, incomplete or at odds with itself."""


class CountFileError(CombinatError):
    """A file of counts that a player keeps which cannot be used."""


class WorkerError(CombinatError):
    """Workers that cannot be reached, or that cannot do their work."""


class HandLogError(CombinatError):
    """A hand log that cannot be judged.

    >>> from combinat import crosscheck
    >>> crosscheck("log.csv")
    Traceback (most recent call last):
    combinat.base.errors.HandLogError: log.csv: cannot be read (No such file or directory)
    """


class UnsaidError(HandLogError):
    """Something that a foreign log leaves open; ``thing``: what of it must be said."""

    def __init__(self, message: str, thing: str) -> None:
        super().__init__(message)
        self.thing = thing


class MissingGameError(HandLogError):
    """A file to judge that names no game, where none was given."""


class MissingShoeError(HandLogError):
    """A hand log that names no shoe, where none was given."""


class UnknownGameError(RuleBookError):
    """A file to judge that names a game whose rule book does not come with combinat, where none was given."""


class StatedTwiceError(CombinatError):
    """Things that a file to judge says itself, and that were given otherwise."""

    def __init__(self, message: str, *things: str) -> None:
        super().__init__(message)
        self.things = things


class UnconfirmedError(CombinatError):
    """A claim of a file that counts only when the auditor repeats it; ``repeat``: the values to give, by name."""

    def __init__(self, message: str, **repeat: str) -> None:
        super().__init__(message)
        self.repeat = repeat


class CertificateError(CombinatError):
    """A certificate that cannot be relied on."""


class MalformedCertificateError(CertificateError):
    """A certificate that is none: it could not be read, and nothing was checked."""


class RejectedCertificateError(CertificateError):
    """A certificate that was checked and does not hold."""


def shown(text: str) -> str:
    """A text of which parts may be someone else's: as it is where all of it prints, else escaped."""
    if text.isprintable():
        return text
    import json  # only what does not print needs it

    return json.dumps(text)[1:-1]


def shortened(text: str, most: int = 100) -> str:
    """A text that someone else wrote, as a message quotes it: without its middle where it is long.

    >>> shortened("9" * 5000, 10), shortened("8 decks")
    ('9999...999', '8 decks')
    """
    if len(text) <= most:
        return text
    end = (most - 3) // 2
    return f"{text[: most - 3 - end]}...{text[len(text) - end :]}"


def quoted(text: str) -> str:
    """A text that someone else wrote, as a verdict quotes it: on one line, and without its middle where it is long."""
    return shortened(shown(text), 300)


def in_words(value: object) -> str:
    """A value that was given, as a message quotes it.

    >>> in_words("8"), in_words([10**5000])
    ("'8'", 'a number of very many digits')
    """
    try:
        return shortened(repr(value))
    except ValueError:  # of thousands of digits Python writes none
        return "a number of very many digits"


def near_matches(wanted: str, known: list[str]) -> list[str]:
    """The known word that a misspelt one comes nearest to, if any does; else the one that holds it, if only one does.

    Neither capitals nor what stands between words is a difference.

    >>> near_matches("Big Tiger", ["tiger", "big-tiger"]), near_matches("2013", ["comm-2013", "comm-2024"])
    (['big-tiger'], ['comm-2013'])
    """
    import difflib  # only a mistake needs it

    def plain(word: str) -> str:
        return word.lower().replace("_", "-").replace(" ", "-")

    by_plain = {plain(word): word for word in reversed(known)}
    near = difflib.get_close_matches(wanted, known, n=1) or [
        by_plain[word] for word in difflib.get_close_matches(plain(wanted), list(by_plain), n=1)
    ]
    holding = [word for word in known if len(wanted) > 2 and plain(wanted) in plain(word)]
    return near or (holding if len(holding) == 1 else [])
