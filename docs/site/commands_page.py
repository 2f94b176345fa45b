"""The reference of the command line, from the commands themselves."""

from typing import Any

from combinat.cli.app import COMMANDS, imported

HEAD = """# Commands and options

Every command with all its options, as `combinat COMMAND --help` has them. [Commands and files](../commands.md)
describes the options that they share.
"""


def commands_page() -> str:
    """The page: a section a command."""
    return "\n".join([HEAD, *map(section, COMMANDS)])


def section(name: str) -> str:
    """What a command does, how it is called, an example, its arguments and its options."""
    command = imported(name)
    words = " ".join(_called(one) for one in command.params if one.param_type_name == "argument")
    rows = [row for parameter in command.params if (row := _row(parameter))]
    paragraphs = [" ".join(paragraph.split()) for paragraph in (command.help or "").split("\n\n")]
    return "\n".join(
        [
            f"## {name}",
            *(f"\n{_escaped(paragraph)}" for paragraph in paragraphs if paragraph.strip("\b ")),
            f"\n`combinat {' '.join((name, *words.split(), '[OPTIONS]'))}`",
            f"\nExample: `{COMMANDS[name][1]}`",
            "\n| argument or option | meaning | default |",
            "|---|---|---|",
            *rows,
            "",
        ]
    )


def _called(parameter: Any) -> str:
    called = parameter.metavar or parameter.name.upper()
    many = " ..." if parameter.nargs != 1 else ""
    return f"{called}{many}" if parameter.required else f"[{called}{many}]"


def _row(parameter: Any) -> str:
    """A line of the table; nothing for what is not shown."""
    if getattr(parameter, "hidden", False) or parameter.name == "help":
        return ""
    if parameter.param_type_name == "argument":
        names = f"`{_called(parameter).strip('[]')}`"
    else:
        value = "" if parameter.is_flag else f" {parameter.metavar or _kind(parameter.type)}"
        every: list[str] = [*parameter.opts, *parameter.secondary_opts]
        names = ", ".join([f"`{every[0]}{value}`", *(f"`{other}`" for other in every[1:])])
    return f"| {names} | {_escaped(' '.join((parameter.help or '').split()))} | {_default(parameter)} |"


def _kind(kind: Any) -> str:
    """What a value looks like: the words to choose from, or its kind in capitals."""
    return "|".join(kind.choices) if hasattr(kind, "choices") else str(kind.name).upper()


def _default(parameter: Any) -> str:
    """The value that stands where nothing is said, as far as it is a word or a number."""
    if parameter.required:
        return "needed"
    default = parameter.default
    is_shown = isinstance(default, str | int) and not isinstance(default, bool) and default != ""
    return f"`{getattr(default, 'value', default)}`" if is_shown else ""


def _escaped(text: str) -> str:
    """A text in which nothing is taken for a mark of Markdown or HTML."""
    for mark in "\\`*_[]<>|":
        text = text.replace(mark, f"\\{mark}")
    return text
