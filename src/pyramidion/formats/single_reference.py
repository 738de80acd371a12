"""Texts whose sentences stand between <t> and </t> on one line, as files of summarizers have them."""

from __future__ import annotations

import re

from pyramidion.campaign import Text

_SENTENCE = re.compile(r"<t>(.*?)(?:</t>|(?=<t>)|\Z)", re.DOTALL)


def read_tagged(text: str) -> Text:
    """The sentences between the tags; a text without tags as it is, but for white space around it."""
    if "<t>" not in text:
        return text.replace("</t>", " ").strip()
    sentences = (match[1].strip() for match in _SENTENCE.finditer(text))
    return tuple(sentence for sentence in sentences if sentence)


def write_tagged(text: Text) -> str:
    """The sentences (or lines) of a text with tags around each, on one line."""
    sentences = text.split("\n") if isinstance(text, str) else text
    return " ".join(f"<t> {' '.join(sentence.split())} </t>" for sentence in sentences if sentence.strip())
