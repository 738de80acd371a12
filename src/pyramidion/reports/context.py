"""What the sections of a report draw on: one evaluation, the comparison of its systems, and what decides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from pyramidion.campaign import Campaign
from pyramidion.measures.names import parse
from pyramidion.options import Options, ReportOptions
from pyramidion.scores import ScoreTable
from pyramidion.studies.comparison import Comparison

if TYPE_CHECKING:
    from pyramidion.evaluation import Evaluation, Measures

PREFERRED = ("rouge-2.recall", "rouge-su4.recall", "rouge-1.recall")
"""The automatic measure that comes first, if it is there (those of DUC and TAC)."""
OVERALL = ("overall-responsiveness", "overall", "responsiveness", "content-responsiveness", "relevance")
"""Questions that sum up a summary, the most general first."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Context:
    """Everything that a section may look at."""

    evaluation: Evaluation
    chosen: Measures | None = None
    """The measures that were asked for; None: the default ones."""
    options: ReportOptions = field(default_factory=ReportOptions)

    @cached_property
    def table(self) -> ScoreTable:
        """The scores of these measures."""
        return self.evaluation.table(self.chosen)

    @cached_property
    def comparison(self) -> Comparison:
        """The systems compared on these measures."""
        return self.evaluation.compare(self.chosen, **vars(self.options))

    @property
    def campaign(self) -> Campaign:
        """The chosen part of the campaign."""
        return self.evaluation.campaign

    def command(self, verb: str, measures: Sequence[str] | None = None, options: Options | None = None) -> str:
        """The command line for the same numbers; `measures` None: what was asked for."""
        if measures is None:
            measures = [] if self.chosen is None else [one.name for one in self.evaluation.select(self.chosen)]
        return self.evaluation.command(verb, measures, options=options)

    @cached_property
    def names(self) -> dict[str, str]:
        """Readable names of summarizers: `16 oracle`."""
        return {who: self.comparison.label(who) for who in self.table.summarizers}

    @property
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
    def _pyramids(self) -> list[str]:
        return [name for name in self.measures if parse(name).base == "pyramid" and name.endswith(".modified")]

    @cached_property
    def reference(self) -> str | None:
        """The human score that counts most: overall responsiveness or its like, else a question, else the pyramid."""
        overall = [f"question.{question}" for question in OVERALL if f"question.{question}" in self.judged]
        return next(iter([*overall, *self.judged[-1:], *self._pyramids]), None)

    @cached_property
    def main(self) -> tuple[str, ...]:
        """What decides: the human score that counts most, content by pyramids, and one automatic measure."""
        there = self.comparison.measures
        automatic = [name for name in (*PREFERRED, *self.automatic) if name in there]
        chosen = dict.fromkeys([self.reference, *self._pyramids[:1], *automatic[:1]])
        return tuple(name for name in chosen if name in there) or there[:1]

    @cached_property
    def ordered(self) -> tuple[str, ...]:
        """All measures that were compared, those that decide first."""
        return tuple(dict.fromkeys([*self.main, *self.comparison.measures]))

    def noted(self, measure: str) -> str:
        """A measure's name with what one must know about it."""
        note = self.table.notes.get(measure)
        return f"{measure} ({note})" if note else measure
