"""What the sections of a report draw on: one evaluation, the comparison of its systems, and what decides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from pyramidion.campaign import Campaign
from pyramidion.errors import UsageError, mention
from pyramidion.measures import Measure, select
from pyramidion.measures.names import parse
from pyramidion.options import CompareOptions, Options, PreferenceOptions, ReportOptions
from pyramidion.reports.characters import visible
from pyramidion.reports.deciding import (
    ORDER,
    PREFERENCES,
    Assessors,
    Kind,
    assessors_of,
    kind_of,
    order_by_generality,
    order_of_annotated,
    order_of_automatic,
)
from pyramidion.reports.lengths import Lengths, lengths_of
from pyramidion.reports.preferring import Preferred, find_preferred
from pyramidion.scores import ScoreTable
from pyramidion.studies.comparison.comparison import Comparison
from pyramidion.studies.correlations.pairs import FEWEST_SUMMARIZERS
from pyramidion.wording import shortened

if TYPE_CHECKING:
    from pyramidion.run.evaluation import Evaluation
    from pyramidion.run.score_cache import Measures

MOST_FILTERS = 60
"""Attributes of topics that a list offers."""


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
        first, second = self.table.summarizers
        order = self._better_first(found, first, second)
        if not found.pairs or (found.pairs[0].a, found.pairs[0].b) == order:
            return found
        return self.evaluation.compare(self.chosen, **{**self._asked, "pair": [order]})

    def _better_first(self, compared: Comparison, first: str, second: str) -> tuple[str, str]:
        """The only two systems, the better by what decides first; in their own order where they are equal."""
        if self.by_preferences and self.preferred and self.preferred.pair:
            return self.preferred.pair.a, self.preferred.pair.b
        pair = next((one for one in compared.pairs_on(self.deciding) if one.difference), None)
        if pair is None:
            return first, second
        return (pair.a, pair.b) if (pair.difference or 0) > 0 else (pair.b, pair.a)

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
    def assessors(self) -> dict[str, Assessors]:
        """By question, the people and the programs that answered it."""
        return assessors_of(self.campaign)

    @cached_property
    def kinds(self) -> dict[str, Kind]:
        """By measure, what kind of measure it is."""
        kinds = {name: kind_of(name, self.assessors) for name in self.measures}
        descriptive: dict[str, Kind] = dict.fromkeys(filter(self.table.is_descriptive, kinds), "descriptive")
        return kinds | descriptive

    def _of_kind(self, kind: Kind) -> list[str]:
        return [name for name in self.measures if self.kinds[name] == kind]

    @cached_property
    def automatic(self) -> tuple[str, ...]:
        """Those that no person gave: neither questions nor pyramids nor columns of human scores."""
        return tuple(
            name
            for name in self.measures
            if self.kinds[name] in ("judge", "automatic", "descriptive") and name not in self.judged
        )

    @cached_property
    def reference(self) -> str | None:
        """The human score that counts most: what `decide` names, else overall quality, a question, the pyramid.

        Where only a judge answered questions, its answers.
        """
        candidates = [
            *self.candidates["human"],
            *self.candidates["pyramid"],
            *(name for name in self.candidates["judge"] if name in self.judged),
        ]
        if self.named in candidates:
            return self.named
        return next(iter(candidates), None)

    @cached_property
    def candidates(self) -> dict[Kind, list[str]]:
        """By kind, the measures that can decide, the first of them first.

        From the scores alone: not every question can be compared as asked.
        """
        able = [name for name in self.measures if self._comparable[name]]
        most = max((self._comparable[name] for name in self._of_kind("human")), default=0)
        by_kind = {kind: [name for name in able if self.kinds[name] == kind] for kind in ORDER}
        enough = [name for name in by_kind["human"] if 2 * self._comparable[name] >= most]
        return {
            **by_kind,
            "human": order_by_generality(enough),  # not a question that was hardly answered
            "pyramid": order_of_annotated(by_kind["pyramid"]),
            "judge": order_by_generality(by_kind["judge"]),
            "automatic": order_of_automatic(by_kind["automatic"]),
        }

    @cached_property
    def _comparable(self) -> dict[str, int]:
        """By measure, how many scores can be compared; none where two systems share no topic, or only one has any."""
        pair = self.options.pair[0] if self.options.pair else self.table.summarizers
        counts = {}
        for name in self.measures:
            matrix = self.table.matrix(name)
            scored = ~np.isnan(matrix.values)
            rows = [scored[matrix.summarizers.index(who)] for who in pair if who in matrix.summarizers]
            systems = sum(bool(row.any()) for row in rows)
            can_compare = systems > 1 or len(pair) == 1
            if len(pair) == 2 and can_compare:
                can_compare = bool((rows[0] & rows[1]).any())
            counts[name] = int(scored.sum()) if can_compare else 0
        return counts

    @cached_property
    def named(self) -> str | None:
        """The measure that the option `decide` names; None: the kinds of the measures choose, or preferences do.

        Raises:
            UsageError: if the report has no such measure, or if it only describes summaries.
        """
        asked = self.options.decide
        if asked is None:
            return None
        if asked == PREFERENCES:
            if self.preferred is None:
                raise UsageError(f"{mention('decide', PREFERENCES)}: the data has no preferences between these systems")
            return None
        found = [name for one in self.evaluation.select(asked) for name in one.among(self.measures)]
        if len(found) != 1:
            expected = f"one of {', '.join(found or self.measures)}"
            raise UsageError(f"{mention('decide', asked)}: expected the name of one measure of the report: {expected}")
        if self.kinds[found[0]] == "descriptive":
            raise UsageError(
                f"{mention('decide', asked)}: {found[0]} describes summaries; neither high nor low values are better. "
                "Choose a measure of quality."
            )
        if found[0] not in self._compared.measures:
            raise UsageError(f"{mention('decide', asked)}: there are no scores on {found[0]} to compare")
        return found[0]

    @property
    def preference_options(self) -> PreferenceOptions:
        """How preferences are summed up."""
        return PreferenceOptions(confidence=self.options.confidence, resamples=self.options.resamples)

    @cached_property
    def preferred(self) -> Preferred | None:
        """What preferences say about the systems of the report; None without preferences between them."""
        asked = self.options.pair[0] if self.options.pair else None
        systems = self.table.summarizers
        only = (systems[0], systems[1]) if len(systems) == 2 else None
        seed, fixed_order = self.evaluation.choice.seed, asked is not None
        return find_preferred(
            self.campaign, systems, asked or only, self.preference_options, seed=seed, fixed_order=fixed_order
        )

    @cached_property
    def deciding_kind(self) -> Kind:
        """The kind of what decides; `preferences` also stands for those of a judge."""
        if self.named:
            return self.kinds[self.named]
        if self.options.decide == PREFERENCES:
            return "preferences"
        kinds = [kind for kind in ORDER if self._decided_on(kind)]
        if self.preferred:
            kinds.append(self.preferred.kind)
        first: Kind = min(kinds, key=ORDER.index) if kinds else "automatic"
        by_judge = first == "judge" and not self._decided_on("judge")
        return "preferences" if by_judge else first

    def _decided_on(self, kind: Kind) -> list[str]:
        """The measures of a kind that can decide, and that were compared."""
        return [name for name in self.candidates[kind] if name in self._compared.measures]

    @property
    def by_preferences(self) -> bool:
        """Whether preferences decide, not a measure."""
        return self.deciding_kind == "preferences"

    @cached_property
    def main(self) -> tuple[str, ...]:
        """What decides, and what else counts: the human score, pyramids, one automatic measure.

        Where preferences decide, what would decide without them comes first.
        """
        there = self._compared.measures
        kinds: tuple[Kind, ...] = ("human", "pyramid", "judge", "automatic")
        first = [name for kind in kinds for name in self._decided_on(kind)[:1]]
        if "human" in {self.kinds[name] for name in first}:  # a judge beside people is one of the others
            first = [name for name in first if self.kinds[name] != "judge"]
        chosen = dict.fromkeys([self.named or first[0], *first] if first else [self.named])
        return tuple(name for name in chosen if name in there) or there[:1]

    @property
    def deciding(self) -> str:
        """The measure that decides; where preferences do, the one that would without them."""
        return self.main[0]

    @cached_property
    def lengths(self) -> Lengths:
        """By system and topic, the number of words of its summary."""
        return lengths_of(self.campaign.summaries, self.table.summarizers or sorted(self._preferred_systems))

    @property
    def _preferred_systems(self) -> set[str]:
        return self.preferred.systems if self.preferred else set()

    @cached_property
    def evaluative(self) -> tuple[str, ...]:
        """All compared measures that say which summary is better, those that decide first."""
        return tuple(name for name in self.ordered if self.kinds[name] != "descriptive")

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
