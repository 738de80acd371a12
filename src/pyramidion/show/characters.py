"""Characters of the data that a browser would obey, made visible."""

from __future__ import annotations

import re

_UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069]")
"""Control characters, half characters, and marks that turn the direction of what follows."""


def visible(text: str) -> str:
    """The text with one sign for each control character, steering mark or half character; no place moves.

    Line breaks and tabs stay, and so do joiners and hard blanks, which many scripts need.
    """
    return text if text.isprintable() else _UNSEEN.sub("\ufffd", text)
