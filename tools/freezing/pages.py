"""What an HTML report says: its sentences by section, and the data behind its figures; not its layout."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from typing import Any

WITHOUT_WORDS = frozenset({"script", "style", "svg"})
"""Elements whose text is no text of the page."""


def read_page(html: str) -> dict[str, Any]:
    """The text of each section, and the data that the page holds for its scripts."""
    parser = _PageParser()
    parser.feed(html)
    parser.close()
    return {"text": parser.text_by_section, "data": parser.data_by_id}


class _PageParser(HTMLParser):
    """Collects pieces of text under the id of the section that they stand in."""

    def __init__(self) -> None:
        super().__init__()
        self.text_by_section: dict[str, list[str]] = {}
        self.data_by_id: dict[str, Any] = {}
        self._sections = ["page"]
        self._wordless_depth = 0
        self._data_id: str | None = None
        self._data = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Enter a section, or a part without words; a drawing is described by its label."""
        attributes = dict(attrs)
        if tag == "section":
            self._sections.append(attributes.get("id") or self._sections[-1])
        if tag == "svg" and attributes.get("aria-label"):
            self._add(attributes["aria-label"] or "")
        if tag == "script" and attributes.get("type") == "application/json":
            self._data_id = attributes.get("id") or f"data {len(self.data_by_id) + 1}"
            self._data = ""
        if tag in WITHOUT_WORDS:
            self._wordless_depth += 1

    def handle_endtag(self, tag: str) -> None:
        """Leave a section, or a part without words."""
        if tag == "section" and len(self._sections) > 1:
            self._sections.pop()
        if tag == "script" and self._data_id:
            self.data_by_id[self._data_id] = json.loads(self._data)
            self._data_id = None
        if tag in WITHOUT_WORDS:
            self._wordless_depth -= 1

    def handle_data(self, data: str) -> None:
        """Keep a piece of text."""
        if self._data_id:
            self._data += data
        elif not self._wordless_depth:
            self._add(data)

    def _add(self, text: str) -> None:
        """Note a piece of text of the current section, with single blanks."""
        words = " ".join(text.split())
        if words:
            self.text_by_section.setdefault(self._sections[-1], []).append(words)
