"""Summaries in which a measure finds no word: they are scored as 0, and the answer says so."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from pyramidion.campaign import TopicData, plain
from pyramidion.campaign.nouns import Text
from pyramidion.measures.base import Measure
from pyramidion.wording import counted, listed, together

Why = Literal["empty", "script"]
"""Why a text has no words: it is empty (or only has marks), or its script is not one that ASCII tokens read."""
Wordless = Mapping[tuple[str, str], Why]
"""By topic and summarizer, why a summary has no words; those that have some are not in it."""
ASCII_TOKENS = ("rouge155", "rouge-score")
"""Tokenizers that read a–z and 0–9 only."""
_ASCII_WORD = re.compile(r"[A-Za-z0-9]")


def why_wordless(text: Text) -> Why | None:
    """Why a text has no words for a tokenizer that reads ASCII; None if it has some."""
    whole = plain(text)
    if _ASCII_WORD.search(whole):
        return None
    return "script" if any(map(str.isalnum, whole)) else "empty"


def find_wordless(topics: Iterable[TopicData]) -> Wordless:
    """The summaries of topics that have no words for a tokenizer that reads ASCII."""
    found: dict[tuple[str, str], Why] = {}
    for topic in topics:
        for peer in topic.peers:
            if why := why_wordless(peer.text):
                found[topic.topic.topic, peer.summarizer] = why
    return found


@dataclass
class Zeros:
    """How many summaries without words each measure gave 0, by reason and summarizer."""

    are_counted: bool = True
    """False: notes only say that there are such summaries, as those of the parts of a long run do."""
    counts: dict[tuple[str, Why], Counter[str]] = field(default_factory=dict)

    def add(self, measure: Measure, name: str, zeros: Iterable[tuple[str, str]], wordless: Wordless) -> None:
        """Count the zeros of a measure that come from summaries without words.

        Args:
            measure: only those that compare texts with models count; people may well have judged an empty summary.
            name: of the measure with its statistic.
            zeros: topic and summarizer of the summaries with the value 0.
            wordless: why summaries have no words.
        """
        if "models" not in measure.required or "judgments" in measure.required:
            return
        for key in zeros:
            why = wordless.get(key)
            if why == "empty" or (why == "script" and getattr(measure, "tokens", "") in ASCII_TOKENS):
                self.counts.setdefault((name, why), Counter())[key[1]] += 1

    def note(self, name: str) -> str:
        """What a reader of the values must know; nothing if no summary lacks words."""
        empty, others = self.counts.get((name, "empty")), self.counts.get((name, "script"))
        notes = []
        if empty:
            notes.append(f"{self._count(empty, 'empty summary', 'empty summaries')} scored as 0")
        if others:
            many = self._count(others, "summary", "summaries", " without letters a–z")
            notes.append(f"{many} scored as 0 (tokens=unicode reads every script)")
        return together(*notes)

    def _count(self, by_summarizer: Counter[str], one: str, several: str, lacking: str = "") -> str:
        """`2 empty summaries of B are`; without counts, `some empty summaries are`."""
        if not self.are_counted:
            return f"some {several}{lacking} are"
        total = sum(by_summarizer.values())
        verb = "is" if total == 1 else "are"
        return f"{counted(total, one, several)} of {listed(list(by_summarizer))}{lacking} {verb}"
