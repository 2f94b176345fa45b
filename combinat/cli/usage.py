"""One-line messages for a command line that cannot be parsed."""

import ast
import re
from collections.abc import Sequence
from typing import Any

from combinat.base.errors import CombinatError, near_matches
from combinat.base.strict_json import quoted

OF_THE_PROGRAM = ("--debug", "--quiet", "-q", "--version")
DROPPED = {
    "--pays": "this command uses the odds of the rule book; write other odds into a rule book of your own "
    "(combinat new FILE --from GAME) and give its path",
    "--places": "this command prints a document; --format json has every figure exactly",
    "--sort": "this command prints a document; --format csv and --format json have its rows",
    "--columns": "this command prints a document; --format csv and --format json have its columns",
    "--banker": "write --set banker=CARDS",
    "--cannot-reconstruct": "write --set reconstructible=no",
    "--cluster": "write --workers local, or --workers tcp://...",
    "--early": "write --set early=N",
    "--filing-template": "write combinat new FILE.toml --filing GAME",
    "--max-differential": "write --limit maximum-differential=AMOUNT",
    "--maximum": "write --limit AMOUNT",
    "--new-set": "write --set new-set=N",
    "--player": "write --set player=CARDS",
    "--shoe-dealing": "write --cut-card 14, which deals whole shoes",
    "--simulation-rounds": "write --simulation N",
    "--table-max": "write --limit table-maximum=AMOUNT",
    "--together": "write --set together=N",
}
"""Options that a command does not have, and what to write instead; for a command with ``--set``, its keys."""


def usage_error(mistake: Any, words: Sequence[str], commands: Sequence[str]) -> CombinatError:
    """The message for a mistake that typer found. ``words``: the command line; ``commands``: the known ones."""
    context = getattr(mistake, "ctx", None)
    command = next((word for word in words if word in commands), None) if context is None else None
    path = context.command_path if context else " ".join(filter(None, ("combinat", command)))
    return CombinatError(f"{_message(mistake, context)}; {path} --help shows how")


OTHER_WORDS = {
    "odds": ("edge", "house-edge", "analyze", "analysis", "bets", "probability", "expected-value", "compare"),
    "insurance": ("insure", "states"),
    "games": ("list", "books", "rulebooks"),
    "rules": ("show", "rulebook", "paytable"),
    "check": ("lint", "validate"),
    "settle": ("pay", "payout"),
    "ruling": ("incident", "error"),
    "protect": ("study", "protection"),
    "crosscheck": ("audit", "log", "judge", "compare-log"),
    "report": ("file", "filing", "certify"),
    "doctor": ("version", "info"),
}
"""Other words that people may try for a command."""


def unknown_command(word: str, commands: Sequence[str]) -> CombinatError:
    """A command that does not exist, with the one that was probably meant."""
    meant = {other: command for command, words in OTHER_WORDS.items() for other in words}
    near = [meant[word]] if word in meant else near_matches(word, sorted(commands))
    hint = "".join(f" (did you mean {one}?)" for one in near)
    return CombinatError(f"there is no command {quoted(word)}{hint}; combinat --help shows all")


def _message(mistake: Any, context: Any) -> str:
    message = mistake.format_message().rstrip(".")
    if (option := getattr(mistake, "option_name", None)) and hasattr(mistake, "possibilities"):
        known = [name for param in context.command.get_params(context) for name in (*param.opts, "--help")]
        if option in OF_THE_PROGRAM:
            return f"{option} is an option of combinat itself; write combinat {option} {context.info_name}"
        if option in DROPPED and _is_meant(option, known):
            return f"{option}: {DROPPED[option]}"
        return f"there is no option {quoted(option)}{_nearest(option, known)}"
    param = getattr(mistake, "param", None)
    if param is None:
        return _shortened(f"{message[:1].lower()}{message[1:]}")
    name = param.opts[0] if param.param_type_name == "option" else (param.metavar or param.name.upper())
    if not mistake.message:
        return f"{name} is missing"
    return f"{name}: {_value_refused(mistake.message.rstrip('.'), param.type)}"


def _is_meant(option: str, known: Sequence[str]) -> bool:
    """Whether the command has the option that ``DROPPED`` names instead of this one."""
    named = re.findall(r"(?:write |; )(--[a-z-]+)", DROPPED[option])
    return all(name in known for name in named)


def _value_refused(message: str, kind: Any) -> str:
    """Why typer refuses a value: what was found, what to write."""
    value = re.match(r"(.*) is not (?:one of|in the range|a valid) ", message, re.DOTALL)
    text = _unquoted(value[1]) if value else ""
    if value and (choices := list(map(str, getattr(kind, "choices", ())))):
        return f"found {quoted(text)}{_nearest(text, choices)}; write one of {', '.join(choices)}"
    least, most = getattr(kind, "min", None), getattr(kind, "max", None)
    if value and least is not None:
        return f"found {quoted(text)}; write a whole number " + (
            f"of {least} or more" if most is None else f"from {least} to {most}"
        )
    if value and value[0].endswith("a valid ") and "int" in message[len(value[0]) :]:
        return f"found {quoted(text)}; write a whole number"
    return _shortened(message)


def _unquoted(word: str) -> str:
    """The value in a message of typer, which shows some values as Python literals."""
    try:
        return str(ast.literal_eval(word)) if word[:1] in ("'", '"') else word
    except (SyntaxError, ValueError):
        return word


def _nearest(word: str, known: Sequence[str]) -> str:
    return "".join(f" (did you mean {near}?)" for near in near_matches(word, sorted(set(known))))


def _shortened(text: str) -> str:
    return text if len(text) <= 300 else f"{text[:200]} ... {text[-80:]}"
