"""What the sections of a report draw on: one evaluation, the comparison of its systems, and what decides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from pyramidion.campaign import Campaign
from pyramidion.errors import UsageError
from pyramidion.measures import Measure, select
from pyramidion.measures.names import parse
from pyramidion.options import CompareOptions, Options, ReportOptions
from pyramidion.reports.characters import visible
from pyramidion.scores import ScoreTable
from pyramidion.studies.comparison.comparison import Comparison
from pyramidion.studies.correlations.pairs import FEWEST_SUMMARIZERS
from pyramidion.wording import shortened

if TYPE_CHECKING:
    from pyramidion.evaluation import Evaluation, Measures

MOST_FILTERS = 60
"""Attributes of topics that a list offers."""
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
        """The systems compared on these measures; the only two of them, the better by what decides first."""
        found = self._compared
        if self.options.pair or len(self.table.summarizers) != 2:
            return found
        pair = next((one for one in found.pairs_on(self.deciding) if one.difference), None)
        if pair is None or (pair.difference or 0) > 0:
            return found
        return self.evaluation.compare(self.chosen, **{**self._asked, "pair": [(pair.b, pair.a)]})

    @cached_property
    def _compared(self) -> Comparison:
        return self.evaluation.compare(self.chosen, **self._asked)

    @property
    def _asked(self) -> dict[str, Any]:
        names = {one.name for one in CompareOptions.each()}
        return {name: value for name, value in vars(self.options).items() if name in names}

    @cached_property
    def pair(self) -> tuple[str, str] | None:
        """The two systems that the report leads with: those asked for, or the only two there are."""
        return next(((one.a, one.b) for one in self.comparison.pairs), None)

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
        """Readable names of summarizers: `oracle (16)`."""
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
        overall = [f"question.{question}" for question in OVERALL]
        asked = [name for name in (*overall, *reversed(self.judged)) if name in self._answered]
        return next(iter([*asked, *self._pyramids]), None)

    @cached_property
    def _answered(self) -> set[str]:
        """Questions that can decide: about the same systems on enough topics, not one that was hardly answered.

        Two systems need a topic that both have. From the scores alone: not every question can be compared as asked.
        """
        pair = self.options.pair[0] if self.options.pair else self.table.summarizers
        counts = {}
        for name in self.judged:
            matrix = self.table.matrix(name)
            there = ~np.isnan(matrix.values)
            both = [there[matrix.summarizers.index(who)] for who in pair if who in matrix.summarizers]
            if len(pair) != 2 or (len(both) == 2 and (both[0] & both[1]).any()):
                counts[name] = int(there.sum())
        most = max(counts.values(), default=0)
        return {name for name, count in counts.items() if 2 * count >= most > 0}

    @cached_property
    def main(self) -> tuple[str, ...]:
        """What decides: the human score that counts most, content by pyramids, and one automatic measure."""
        there = self._compared.measures
        automatic = [name for name in (*PREFERRED, *self.automatic) if name in there]
        chosen = dict.fromkeys([self.reference, *self._pyramids[:1], *automatic[:1]])
        return tuple(name for name in chosen if name in there) or there[:1]

    @property
    def deciding(self) -> str:
        """The measure that decides."""
        return self.main[0]

    @property
    def few_systems(self) -> bool:
        """Whether there are too few systems for any correlation over them."""
        return len(self.table.summarizers) < FEWEST_SUMMARIZERS

    @cached_property
    def ordered(self) -> tuple[str, ...]:
        """All measures that were compared, those that decide first."""
        return tuple(dict.fromkeys([*self.main, *self.comparison.measures]))

    @cached_property
    def attributes(self) -> dict[str, list[str]]:
        """By topic, what it can be chosen by: `part = A`, `genre = news`."""
        found = {}
        for topic in self.campaign.topics:
            facts = {**({"part": topic.part} if topic.part else {}), **topic.attributes}
            found[topic.topic] = [shortened(visible(f"{key} = {value}")) for key, value in facts.items()]
        return found

    def filters(self, topics: Sequence[str]) -> list[str]:
        """The attributes that some of these topics have, but not all."""
        counts = Counter(one for topic in topics for one in self.attributes.get(topic, ()))
        return sorted(one for one, count in counts.items() if count < len(topics))[:MOST_FILTERS]

    def measure(self, name: str) -> Measure | None:
        """The measure of a name; None for a column of someone's own."""
        try:
            return select(name).measure
        except UsageError:
            return None

    def noted(self, measure: str) -> str:
        """A measure's name with what one must know about it."""
        note = self.table.notes.get(measure)
        return f"{measure} ({note})" if note else measure
