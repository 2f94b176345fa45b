"""An extension of griffe: examples in docstrings are blocks of code, and not quotations of quotations."""

from typing import Any

from griffe import Extension, Object


class Doctests(Extension):
    """Puts fences around the examples of every docstring."""

    def on_object(self, *, obj: Object, **_: Any) -> None:
        """A module, class, function or attribute has been read."""
        if obj.docstring is not None:
            obj.docstring.value = fenced(obj.docstring.value)


def fenced(text: str) -> str:
    r"""A docstring with its examples between fences.

    >>> print(fenced("Two.\n\n>>> 1 + 1\n2"))
    Two.
    <BLANKLINE>
    ```pycon
    >>> 1 + 1
    2
    ```
    """
    paragraphs = text.split("\n\n")
    return "\n\n".join(
        f"```pycon\n{paragraph}\n```" if paragraph.lstrip().startswith(">>> ") else paragraph
        for paragraph in paragraphs
    )
