"""What REALSumm and Lite2-3Pyramid share: one reference per topic, a light pyramid of it, and tagged sentences."""

from __future__ import annotations

import re
from collections.abc import Mapping

from pyramidion.campaign import Contributor, Pyramid, Scu
from pyramidion.campaign.nouns import Text

MODEL = "ref1"

_SENTENCE = re.compile(r"<t>(.*?)(?:</t>|(?=<t>)|\Z)", re.DOTALL)


def light_pyramid(topic: str, labels: Mapping[int, str], *, annotator: str = "") -> Pyramid:
    """SCUs of weight 1 without parts, by uid."""
    scus = (Scu(uid=uid, label=label, contributors=(Contributor(model=MODEL),)) for uid, label in labels.items())
    return Pyramid(topic=topic, annotator=annotator, models=(MODEL,), scus=tuple(scus))


def read_tagged(text: str) -> Text:
    """The sentences between <t> and </t>; a text without tags as it is, without white space around it."""
    if "<t>" not in text:
        return text.replace("</t>", " ").strip()
    sentences = (match[1].strip() for match in _SENTENCE.finditer(text))
    return tuple(sentence for sentence in sentences if sentence)


def write_tagged(text: Text) -> str:
    """The sentences (or lines) of a text with tags around each, on one line."""
    sentences = text.split("\n") if isinstance(text, str) else text
    return " ".join(f"<t> {' '.join(sentence.split())} </t>" for sentence in sentences if sentence.strip())
