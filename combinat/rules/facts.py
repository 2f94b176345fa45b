"""The facts that a line of a pay table can name, each declared once.

A fact is a key of a pay line, such as ``margin``. Its value is an attribute of the same name of ``Result`` or
``FirstFour``. Everything else follows from this table: the keys that a rule book may write, the groups below,
the phrases of reports, the reference page. Four independent programs read rule books with their own tables of
facts, so that they can disagree with this one: the checker, the simulator, the explorer and the proof.
"""

from collections.abc import Callable, Collection, Iterable
from enum import Enum, auto
from typing import Annotated, Any, NamedTuple, get_args

from combinat.rules.cards import RANKS, Rank
from combinat.rules.outcome import Outcome, Pairs, Winner
from combinat.rules.value_sets import NumberSet, PointSet, WordSet, numbers, runs, words

Values = frozenset[Any]
"""The values that are accepted for a fact."""

Phrase = Callable[[Values], str]


class Part(Enum):
    """The part of a round that a fact depends on.

    The finer parts are counted only for bets that name them.
    """

    RESULT = auto()  # totals and numbers of cards
    THIRD_CARDS = auto()
    MATCHES = auto()  # how the first two cards of each hand match
    PAIR_RANKS = auto()


class PayFact(NamedTuple):
    """A fact: its name, its part of the round, the notation of its values, its phrase, its sentence."""

    name: str
    part: Part
    accepts: Any
    phrase: Phrase
    about: str

    def of(self, outcome: Outcome) -> Any:
        """Return the value of the fact in an outcome."""
        is_result = self.part in (Part.RESULT, Part.THIRD_CARDS)
        return getattr(outcome.result if is_result else outcome.first_four, self.name)


# ---------------------------------------------------------------- values


HandCards = Annotated[NumberSet[int], numbers(2, 3, '3 or "2-3"')]
RoundCards = Annotated[NumberSet[int], numbers(4, 6, '6, "4-5" or "4,6"')]
Margins = Annotated[NumberSet[int], numbers(0, 9, '6, "4-9" or "4,6-9"')]
TotalPoints = Annotated[NumberSet[int], numbers(0, 18, '12, "4-9" or "4,6-9"')]
THIRD_CARD = numbers(
    *(0, 9, '6, "0-5" or "none", a hand of two cards', "points of a third card"),
    'the points of a third card, such as 6, "0-5" or "none"',
    none=frozenset({None}),
)
ThirdSet = Annotated[NumberSet[int | None], THIRD_CARD]
WinnerSet = Annotated[WordSet[Winner], words(Winner, 'who wins, such as "player" or ["player", "banker"]')]
PairsSet = Annotated[WordSet[Pairs], words(Pairs, 'which pairs, such as "single" or ["double", "twin"]')]
RankSet = Annotated[WordSet[Rank], words(Rank, 'ranks, such as "K" or ["J", "Q", "K"]')]


# ---------------------------------------------------------------- phrases


def numbers_in_words(numbers: Iterable[int]) -> str:
    """Return whole numbers as an English phrase.

    >>> numbers_in_words([4, 5, 6, 9]), numbers_in_words([2, 3])
    ('4 to 6 or 9', '2 or 3')
    """
    words = []
    for part in runs(numbers).split(","):
        low, _, high = part.partition("-")
        words += [low, high] if high and int(high) == int(low) + 1 else [part.replace("-", " to ")]
    return f"{', '.join(words[:-1])} or {words[-1]}" if len(words) > 1 else words[0]


def _number(words: str) -> Phrase:
    def phrase(values: Values) -> str:
        in_words = words.format(numbers_in_words(values))
        return in_words.replace("1 points", "1 point") if values == {1} else in_words

    return phrase


def _whether(is_so: str, is_not: str) -> Phrase:
    return lambda values: is_so if True in values else is_not


def _one_of(words: dict[Any, str], frame: str = "{}") -> Phrase:
    return lambda values: frame.format(" or ".join(word for value, word in words.items() if value in values))


def _third_card(hand: str) -> Phrase:
    def phrase(values: Values) -> str:
        points = [value for value in values if value is not None]
        drawn = [f"the {hand}'s third card is worth {numbers_in_words(points)}"] if points else []
        stood = [f"the {hand} Hand takes no third card"] if None in values else []
        return " or ".join([*drawn, *stood])

    return phrase


_WINS = {
    Winner.PLAYER: "the Player Hand wins",
    Winner.BANKER: "the Banker Hand wins",
    Winner.TIE: "the hands tie",
}
_PAIRS = {
    Pairs.NONE: "no pair",
    Pairs.SINGLE: "one pair",
    Pairs.DOUBLE: "two different pairs",
    Pairs.TWIN: "the same pair twice",
}
_RANKS = {rank: str(rank) for rank in RANKS}


# ---------------------------------------------------------------- the table

FACTS = (
    PayFact("winner", Part.RESULT, WinnerSet, _one_of(_WINS), "Who wins."),
    PayFact(
        "winning_points",
        Part.RESULT,
        PointSet,
        _number("the winning hand has {} points"),
        "The points of the winning hand; a tie has none.",
    ),
    PayFact(
        "losing_points",
        Part.RESULT,
        PointSet,
        _number("the losing hand has {} points"),
        "The points of the losing hand; a tie has none.",
    ),
    PayFact(
        "winning_cards",
        Part.RESULT,
        HandCards,
        _number("the winning hand has {} cards"),
        "How many cards the winning hand has, 2 or 3; a tie has none.",
    ),
    PayFact(
        "losing_cards",
        Part.RESULT,
        HandCards,
        _number("the losing hand has {} cards"),
        "How many cards the losing hand has, 2 or 3; a tie has none.",
    ),
    PayFact(
        "player_points",
        Part.RESULT,
        PointSet,
        _number("the Player Hand has {} points"),
        "The points of the Player Hand.",
    ),
    PayFact(
        "banker_points",
        Part.RESULT,
        PointSet,
        _number("the Banker Hand has {} points"),
        "The points of the Banker Hand.",
    ),
    PayFact(
        "total_points",
        Part.RESULT,
        TotalPoints,
        _number("both hands together have {} points"),
        "The points of both hands together, 0 to 18.",
    ),
    PayFact(
        "player_cards",
        Part.RESULT,
        HandCards,
        _number("the Player Hand has {} cards"),
        "How many cards the Player Hand has, 2 or 3.",
    ),
    PayFact(
        "banker_cards",
        Part.RESULT,
        HandCards,
        _number("the Banker Hand has {} cards"),
        "How many cards the Banker Hand has, 2 or 3.",
    ),
    PayFact(
        "cards",
        Part.RESULT,
        RoundCards,
        _number("the round takes {} cards"),
        "How many cards the round takes, 4 to 6.",
    ),
    PayFact(
        "margin",
        Part.RESULT,
        Margins,
        _number("the hands are {} points apart"),
        "By how many points the hands differ; 0 is a tie.",
    ),
    PayFact(
        "natural",
        Part.RESULT,
        bool,
        _whether("a hand is a natural", "no hand is a natural"),
        "Whether either hand is a natural: 8 or 9 with two cards.",
    ),
    PayFact(
        "player_natural",
        Part.RESULT,
        bool,
        _whether("the Player Hand is a natural", "the Player Hand is not a natural"),
        "Whether the Player Hand is a natural.",
    ),
    PayFact(
        "banker_natural",
        Part.RESULT,
        bool,
        _whether("the Banker Hand is a natural", "the Banker Hand is not a natural"),
        "Whether the Banker Hand is a natural.",
    ),
    PayFact(
        "player_third",
        Part.THIRD_CARDS,
        ThirdSet,
        _third_card("Player"),
        'The points of the Player Hand\'s third card; "none" if it took none.',
    ),
    PayFact(
        "banker_third",
        Part.THIRD_CARDS,
        ThirdSet,
        _third_card("Banker"),
        'The points of the Banker Hand\'s third card; "none" if it took none.',
    ),
    PayFact(
        "player_pair",
        Part.MATCHES,
        bool,
        _whether(
            "the Player's first two cards are a pair",
            "the Player's first two cards are not a pair",
        ),
        "Whether the first two cards of the Player Hand are of one rank.",
    ),
    PayFact(
        "banker_pair",
        Part.MATCHES,
        bool,
        _whether(
            "the Banker's first two cards are a pair",
            "the Banker's first two cards are not a pair",
        ),
        "Whether the first two cards of the Banker Hand are of one rank.",
    ),
    PayFact(
        "pairs",
        Part.MATCHES,
        PairsSet,
        _one_of(_PAIRS, "the first four cards have {}"),
        "The pairs of both hands: none, one, two different ones, or the same one twice.",
    ),
    PayFact(
        "player_point_pair",
        Part.MATCHES,
        bool,
        _whether(
            "the Player's first two cards are worth the same",
            "the Player's first two cards are not worth the same",
        ),
        "Whether the first two cards of the Player Hand are worth the same: a 10 and a King match.",
    ),
    PayFact(
        "banker_point_pair",
        Part.MATCHES,
        bool,
        _whether(
            "the Banker's first two cards are worth the same",
            "the Banker's first two cards are not worth the same",
        ),
        "Whether the first two cards of the Banker Hand are worth the same: a 10 and a King match.",
    ),
    PayFact(
        "point_pairs",
        Part.MATCHES,
        PairsSet,
        _one_of(_PAIRS, "the first four cards have {}, by points"),
        "The pairs of both hands, matching cards by points.",
    ),
    PayFact(
        "player_pair_of",
        Part.PAIR_RANKS,
        RankSet,
        _one_of(_RANKS, "the Player's first two cards are a pair of {}"),
        "The rank of the Player Hand's pair.",
    ),
    PayFact(
        "banker_pair_of",
        Part.PAIR_RANKS,
        RankSet,
        _one_of(_RANKS, "the Banker's first two cards are a pair of {}"),
        "The rank of the Banker Hand's pair.",
    ),
)

BY_NAME = {fact.name: fact for fact in FACTS}


def named_facts(*parts: Part) -> tuple[str, ...]:
    """Return the names of the facts of these parts of a round."""
    return tuple(fact.name for fact in FACTS if fact.part in parts)


THIRD_FACTS = named_facts(Part.THIRD_CARDS)
RESULT_FACTS = named_facts(Part.RESULT, Part.THIRD_CARDS)
PAIR_RANK_FACTS = named_facts(Part.PAIR_RANKS)
FIRST_FOUR_FACTS = named_facts(Part.MATCHES, Part.PAIR_RANKS)
ROW_FACTS = tuple(
    fact.name for fact in FACTS if fact.part is Part.RESULT and NumberSet[int] in get_args(fact.accepts)
)
"""The facts with consecutive values, so that a pay table can miss one in between."""

NATURAL_FACTS = tuple(name for name in RESULT_FACTS if name.endswith("natural"))


def fact_in_words(name: str, accepted: Values) -> str:
    """Return a fact in words, with its accepted values.

    >>> fact_in_words("cards", frozenset({4, 5}))
    'the round takes 4 or 5 cards'
    """
    return BY_NAME[name].phrase(accepted)


# ---------------------------------------------------------------- words that designers use for other things

_SUITS = "Cards have ranks here and no suits, so no bet can depend on them."
_SINGLE = "Of single cards a line can name the points of third cards alone: player_third, banker_third."
_ODDS = 'Write odds = "8 to 1", the profit to a stake.'
_EXCEPT = "Write what is taken out of a line as except = [{ ... }]."

_OF_LINES = {
    "points": "Write whose: player_points, banker_points, winning_points or losing_points.",
    **dict.fromkeys(("suit", "suits", "suited", "same_suit", "colour", "color", "red", "black"), _SUITS),
    **dict.fromkeys(
        ("card", "rank", "ranks", "first", "first_card", "player_first", "banker_first"), _SINGLE
    ),
    **dict.fromkeys(("pay", "pays", "payout", "pay_out", "payoff", "paid"), _ODDS),
    **dict.fromkeys(("not", "unless", "but", "exceptions", "without"), _EXCEPT),
    "otherwise": "Write it in the bet, beside pays: it is the result of every round that no line covers.",
}
"""In a line of a pay table, by what was written."""

_OF_BETS = {
    "commission": 'Write it in a line, beside its odds: { ..., odds = "1 to 1", commission = "5%" }.',
    "suit": _SUITS,
    "suited": _SUITS,
    "pushes": 'Write it as a line: { winner = "tie", odds = "push" }.',
}
"""In a bet."""

_WITHIN = "Write it in a line of the bet: pays = [{ ... }]."


def hint(key: str, known: Collection[str]) -> str:
    """Return a sentence on what to write instead of an unknown key, or the empty text; ``known``: the table's keys.

    >>> hint("points", ["winner", "odds"])
    'Write whose: player_points, banker_points, winning_points or losing_points.'
    """
    if "winner" in known:
        return _OF_LINES.get(key, "")
    if "pays" in known and "layouts" in known:
        return _OF_BETS.get(key, _WITHIN if key in BY_NAME or key == "odds" else "")
    return ""
