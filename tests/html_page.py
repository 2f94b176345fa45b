"""A page of HTML, read with the standard library: its elements, its words, its scripts, what it may run."""

import base64
import hashlib
import re
from html.parser import HTMLParser


class Elements(HTMLParser):
    """The elements of a page: each tag with its attributes, the text of scripts and styles, all words, comments."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {"script": [], "style": [], "title": []}
        self.words: list[str] = []
        self.comments: list[str] = []
        self._open = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element begins."""
        self.tags.append((tag, dict(attrs)))
        self._open = tag
        if tag in self.texts:
            self.texts[tag].append("")

    def handle_endtag(self, tag: str) -> None:
        """An element ends."""
        self._open = ""

    def handle_data(self, data: str) -> None:
        """Text within an element."""
        if self._open in self.texts:
            self.texts[self._open][-1] += data
        if data != "\n":
            self.words.append(data)

    def handle_comment(self, data: str) -> None:
        """A comment, or another declaration."""
        self.comments.append(data)

    unknown_decl = handle_comment

    def values(self, name: str) -> list[str]:
        """What the attributes of this name are, in order."""
        return [attributes[name] or "" for _, attributes in self.tags if name in attributes]

    @property
    def policy(self) -> dict[str, list[str]]:
        """What its content security policy allows, by name."""
        (policy,) = [
            attributes["content"] or ""
            for _, attributes in self.tags
            if attributes.get("http-equiv") == "Content-Security-Policy"
        ]
        return {name: rest for name, *rest in (part.split() for part in policy.split(";") if part.strip())}


ASKS_OR_MAKES = (
    r"\.(?:inner|outer)HTML|insertAdjacentHTML|document\.write|\beval\(|new Function|DOMParser|srcdoc|fetch\("
    r"|XMLHttpRequest|WebSocket|\bimport\(|console\."
)
"""What makes markup or code of a text, asks for something, or writes to the console."""


def assert_runs_only_its_script(page: Elements) -> None:
    """Assert that a page runs one script, asks for nothing, and has a policy that allows no more."""
    (code,), (style,) = page.texts["script"][-1:], page.texts["style"]
    own = {"script-src": [hash_of(code)], "style-src": [hash_of(style)], "img-src": ["data:"]}
    assert page.policy == own | {name: ["'none'"] for name in ("default-src", "base-uri", "form-action")}
    assert re.findall(ASKS_OR_MAKES, code) == []
    for tag, attributes in page.tags:
        assert not [name for name in attributes if name.startswith("on") or name in ("style", "src")], tag
        for name in ("href", "xlink:href"):
            assert (attributes.get(name) or "#").startswith(("#", "data:,")), tag


def hash_of(content: str) -> str:
    """The hash by which a policy allows a script or a style."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}'"
