"""What the sections of a report have in common: the scores, the comparison, what decides, and how to repeat it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from pyramidion.campaign import Campaign
from pyramidion.options import Options, ReportOptions
from pyramidion.scores import ScoreTable
from pyramidion.show.wording import shortened, visible
from pyramidion.studies.comparison.comparison import Comparison
from pyramidion.studies.correlations.pairs import FEWEST_SUMMARIZERS
from pyramidion.studies.deciding import MeasureRoles
from pyramidion.studies.lengths import Lengths, lengths_of
from pyramidion.studies.preferred import Preferred

MOST_FILTERS = 60
"""Attributes of topics that a list offers."""


class CommandLine(Protocol):
    """What gives the command line that prints the same numbers: `Evaluation.command`."""

    def __call__(
        self,
        verb: str,
        measures: Iterable[str] = (),
        *words: str,
        options: Options | None = None,
        chosen: bool = True,
    ) -> str:
        """The words to type, quoted for a shell."""
        ...


@dataclass(frozen=True, kw_only=True, eq=False)
class SectionContext:
    """What a section of a report may look at besides the result that it shows."""

    campaign: Campaign
    """The chosen part of the campaign."""
    table: ScoreTable
    """The scores of the report's measures."""
    comparison: Comparison
    """The systems compared on these measures."""
    roles: MeasureRoles
    """Which measure decides, which are automatic, and in what order they are shown."""
    preferred: Preferred | None
    """What preferences say about the systems; None without preferences between them."""
    options: ReportOptions
    command_line: CommandLine
    """The command for the same numbers, with the report's data and choice."""
    asked_measures: tuple[str, ...] = ()
    """The measures that were asked for; none: the default ones."""

    def command(self, verb: str, measures: Sequence[str] | None = None, options: Options | None = None) -> str:
        """The command line for the same numbers; `measures` None: what was asked for."""
        names = self.asked_measures if measures is None else measures
        return self.command_line(verb, names, options=options)

    @cached_property
    def names(self) -> dict[str, str]:
        """Readable names of summarizers: `oracle (16)`."""
        return {summarizer: self.comparison.label(summarizer) for summarizer in self.table.summarizers}

    @property
    def notes(self) -> dict[str, str]:
        """By measure, what one must know about its values, such as that judgments are simulated."""
        return dict(self.table.notes)

    @property
    def pair(self) -> tuple[str, str] | None:
        """The two systems that the report leads with: those asked for, or the only two there are."""
        if not self.comparison.pairs:
            return None
        first = self.comparison.pairs[0]
        return first.a, first.b

    @property
    def has_few_systems(self) -> bool:
        """Whether there are too few systems for any correlation over them."""
        return len(self.table.summarizers) < FEWEST_SUMMARIZERS

    @cached_property
    def lengths(self) -> Lengths:
        """By system and topic, the number of words of its summary."""
        preferred_systems = sorted(self.preferred.systems) if self.preferred else []
        return lengths_of(self.campaign.summaries, self.table.summarizers or preferred_systems)

    @cached_property
    def attributes(self) -> dict[str, list[str]]:
        """By topic, what it can be chosen by: `part = A`, `genre = news`."""
        labels = {}
        for topic in self.campaign.topics:
            attributes = {"part": topic.part, **topic.attributes} if topic.part else topic.attributes
            labels[topic.topic] = [shortened(visible(f"{key} = {value}")) for key, value in attributes.items()]
        return labels

    def filters(self, topics: Sequence[str]) -> list[str]:
        """The attributes that some of these topics have, but not all."""
        counts = Counter(label for topic in topics for label in self.attributes.get(topic, ()))
        return sorted(label for label, count in counts.items() if count < len(topics))[:MOST_FILTERS]

    def noted(self, measure: str) -> str:
        """A measure's name with what one must know about it."""
        note = self.table.notes.get(measure)
        return f"{measure} ({note})" if note else measure
