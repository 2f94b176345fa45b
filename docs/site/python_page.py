"""The reference of the library: its public names, whose docstrings mkdocstrings draws."""

import combinat

HEAD = """# Python reference

Every public name of `combinat`, from its docstring; [In Python](../python.md) shows them at work. All are imported from
`combinat` itself.
"""

GIVEN = {
    "combinat.rules.converters": ("GameGiven", "ShoeGiven", "DECKS", "InsuredGiven"),
    "combinat.audit.reading.log_map": ("LogMapGiven",),
}
"""What signatures call the things that people give."""


def python_page() -> str:
    """The page: functions, records, errors."""
    every = {name: getattr(combinat, name) for name in dir(combinat) if name != "__version__"}
    names = [name for name, value in every.items() if value.__name__ == name]
    errors = [name for name in names if name.endswith("Error")]
    functions = [name for name in names if name[0].islower()]
    records = [name for name in names if name not in (*errors, *functions)]
    parts = {"Functions": functions, "Records": records, "Errors": errors}
    given = "\n".join(f"::: {home}.{name}\n" for home, named in GIVEN.items() for name in named)
    listed = (_part(title, listed) for title, listed in parts.items())
    return "\n".join(
        [
            HEAD,
            *listed,
            f"## What may be given\n\nWords of the signatures above, not to be imported.\n\n{given}",
        ]
    )


def _part(title: str, names: list[str]) -> str:
    homes = {name: getattr(combinat, name).__module__ for name in names}
    return "\n".join([f"## {title}\n", *(f"::: {home}.{name}\n" for name, home in homes.items())])
