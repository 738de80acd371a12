"""What data sets of one reference per topic share: a light pyramid of it, labels of its units, tagged sentences."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from pyramidion.campaign import Contributor, Match, PeerAnnotation, Pyramid, Scu
from pyramidion.campaign.nouns import Text
from pyramidion.files.problems import Place, shorten

MODEL = "ref1"

_SENTENCE = re.compile(r"<t>(.*?)(?:</t>|(?=<t>)|\Z)", re.DOTALL)


def light_pyramid(topic: str, labels: Iterable[str], *, annotator: str = "") -> Pyramid:
    """SCUs of weight 1 without parts, numbered from 1."""
    contributors = (Contributor(model=MODEL),)
    scus = (
        Scu(
            uid=uid,
            label=label,
            contributors=contributors,
        )
        for uid, label in enumerate(labels, start=1)
    )
    return Pyramid(
        topic=topic,
        annotator=annotator,
        models=(MODEL,),
        scus=tuple(scus),
    )


def labelled(pyramid: Pyramid, summarizer: str, labels: Sequence[Any], at: Place) -> Iterator[PeerAnnotation]:
    """Which units a summary expresses, without spans; none (and an error) if labels do not fit the units."""
    if len(labels) != len(pyramid.scus):
        at.error(
            found=f"{len(labels)} labels of {summarizer!r}",
            expected=f"{len(pyramid.scus)}, one for each unit of topic {pyramid.topic!r}",
            remedy="Add or remove labels.",
        )
    elif wrong := [label for label in labels if label not in (0, 1, "0", "1")]:
        at.error(
            found=f"{shorten(wrong[0])} as a label of {summarizer!r}",
            expected="0 or 1",
            remedy="Correct the label.",
        )
    else:
        pairs = zip(pyramid.scus, labels, strict=True)
        matches = tuple(Match(uid=scu.uid, present=bool(int(label))) for scu, label in pairs)
        yield PeerAnnotation(
            topic=pyramid.topic,
            summarizer=summarizer,
            scus=matches,
        )


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
