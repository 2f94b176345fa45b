"""A page of HTML, read with the standard library: its elements, its scripts and styles, what it may run."""

import base64
import hashlib
from html.parser import HTMLParser


class Elements(HTMLParser):
    """The elements of a page: each tag with its attributes, and the text of scripts and styles."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {"script": [], "style": [], "title": []}
        self._open = ""
        self.feed(page)

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

    @property
    def policy(self) -> dict[str, list[str]]:
        """What its content security policy allows, by name."""
        (policy,) = [
            attributes["content"] or ""
            for _, attributes in self.tags
            if attributes.get("http-equiv") == "Content-Security-Policy"
        ]
        return {name: rest for name, *rest in (part.split() for part in policy.split(";") if part.strip())}


def hash_of(content: str) -> str:
    """The hash by which a policy allows a script or a style."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}'"
