"""What the sections of a report draw on: the campaign, its scores, and analyses made once, when first asked for."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from pyramidion.campaign import Campaign, PeerChoice, Problem
from pyramidion.measures.names import parse
from pyramidion.scores import ScoreTable
from pyramidion.studies import Comparison

Step = Callable[[str], None]
"""Called with the title of what is being made, for progress."""


LONGEST_NAME = 60
PREFERRED = ("rouge-2.recall", "rouge-su4.recall", "rouge-1.recall")
"""The automatic measure that is told first, if it is there (those of DUC and TAC)."""


def cut(name: str) -> str:
    """A name that fits into a table."""
    return name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…"


@dataclass(frozen=True, kw_only=True, eq=False)
class Context:
    """Everything that a section may look at."""

    campaign: Campaign
    table: ScoreTable
    comparison: Comparison
    data: str = "DATA"
    """What the user called the data, for commands to repeat."""
    peers: PeerChoice = "systems"
    confidence: float = 95.0
    resamples: int = 1000
    seed: int = 0
    where: Mapping[str, str] = field(default_factory=dict)
    """What topics had to have."""
    scores: str | None = None
    """A file of scores that was joined."""
    asked: Sequence[str] = ()
    """Measures that were asked for; none: the default ones."""
    problems: Sequence[Problem] = ()
    """Warnings of the data."""
    warnings: int = 0
    """How many there are, those not kept included."""
    step: Step = field(default=lambda _: None)

    def command(self, words: str, *options: str, measures: Sequence[str] | None = None) -> str:
        """A command line on the same data, such as `compare DATA -m rouge-2.recall`, with the choices of this report.

        Args:
            words: the command, such as "compare" or "study models".
            options: what follows, such as "--level topic", not yet quoted where it must be.
            measures: those to name; None: what was asked for.
        """
        named = [part for name in (self.asked if measures is None else measures) for part in ("-m", name)]
        chosen = [part for key, value in self.where.items() for part in ("--where", f"{key}={value}")]
        if self.peers != "systems":
            chosen += ["--peers", self.peers]
        if self.scores is not None:
            chosen += ["--scores", self.scores]
        return " ".join(["pyramidion", words, *map(shlex.quote, (self.data, *named, *chosen)), *options])

    @cached_property
    def names(self) -> dict[str, str]:
        """Readable names of summarizers: `16 oracle`."""
        return {who: self.label(who) for who in self.table.summarizers}

    def label(self, summarizer: str) -> str:
        """A summarizer's id with its name."""
        name = self.campaign.name_of(summarizer)
        return cut(summarizer if name == summarizer else f"{summarizer} {name}")

    @cached_property
    def measures(self) -> tuple[str, ...]:
        """All measures of the table."""
        return self.table.measures

    @cached_property
    def judged(self) -> tuple[str, ...]:
        """Those that people judged: `question.…`."""
        return tuple(name for name in self.measures if parse(name).base == "question")

    @cached_property
    def automatic(self) -> tuple[str, ...]:
        """Those that no assessor gave: neither questions nor pyramids."""
        return tuple(name for name in self.measures if parse(name).base not in ("question", "pyramid", "see-coverage"))

    @cached_property
    def reference(self) -> str | None:
        """The human score that counts most: overall responsiveness or its like, else a question, else the pyramid."""
        wanted = ("overall-responsiveness", "overall", "responsiveness", "content-responsiveness", "relevance")
        for question in wanted:
            if f"question.{question}" in self.judged:
                return f"question.{question}"
        pyramids = [name for name in self.measures if parse(name).base == "pyramid" and name.endswith(".modified")]
        return next(iter([*self.judged[-1:], *pyramids]), None)

    @cached_property
    def main(self) -> tuple[str, ...]:
        """What decides: the human score that counts most, content by pyramids, and one automatic measure."""
        there = self.comparison.measures
        pyramids = [name for name in there if parse(name).base == "pyramid" and name.endswith(".modified")]
        automatic = [name for name in (*PREFERRED, *self.automatic) if name in there]
        chosen = dict.fromkeys([self.reference, *pyramids[:1], *automatic[:1]])
        return tuple(name for name in chosen if name in there) or there[:1]

    @cached_property
    def ordered(self) -> tuple[str, ...]:
        """All measures that were compared, those that decide first."""
        return tuple(dict.fromkeys([*self.main, *self.comparison.measures]))

    def noted(self, measure: str) -> str:
        """A measure's name with what must be said of it."""
        note = self.table.notes.get(measure)
        return f"{measure} ({note})" if note else measure

    def starred(self, measure: str) -> str:
        """A measure's name with a star if something must be said of it; `stars` says it."""
        return f"{measure}\u00a0*" if self.table.notes.get(measure) else measure

    @cached_property
    def stars(self) -> str:
        """What the stars stand for."""
        notes = dict.fromkeys(note for name in self.comparison.measures if (note := self.table.notes.get(name)))
        return f"* {', '.join(notes)}." if notes else ""
