"""What a report is made from: one evaluation, the measures and options of the report, and the results they give."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pyramidion.campaign import Campaign
from pyramidion.errors import UsageError, mention
from pyramidion.options import CompareOptions, PreferenceOptions, ReportOptions
from pyramidion.present.context import SectionContext
from pyramidion.scores import ScoreTable
from pyramidion.studies.comparison.comparison import Comparison
from pyramidion.studies.deciding import (
    PREFERENCES,
    MeasureRoles,
)
from pyramidion.studies.preferred import Preferred, find_preferred

if TYPE_CHECKING:
    from pyramidion.run.evaluation import Evaluation
    from pyramidion.run.score_cache import Measures


@dataclass(frozen=True, kw_only=True, eq=False)
class Context:
    """The evaluation behind a report, and the results that all of its sections share."""

    evaluation: Evaluation
    chosen: Measures | None = None
    """The measures that were asked for; None: the default ones."""
    options: ReportOptions = field(default_factory=ReportOptions)
    compared_in: Context | None = None
    """The context whose comparison stands, if this one only adds measures, which may not be comparable as asked."""

    @property
    def campaign(self) -> Campaign:
        """The chosen part of the campaign."""
        return self.evaluation.campaign

    @cached_property
    def table(self) -> ScoreTable:
        """The scores of the report's measures."""
        return self.evaluation.table(self.chosen)

    @cached_property
    def roles(self) -> MeasureRoles:
        """Which measure decides, and what the others are for."""
        return MeasureRoles(
            table=self.table,
            campaign=self.campaign,
            compared=self._first_comparison.measures,
            asked_pair=self._asked_pair,
            chosen=self.chosen_to_decide,
            preferences=self.preferred.kind if self.preferred else None,
        )

    @cached_property
    def comparison(self) -> Comparison:
        """The systems compared on the report's measures; of only two, the better by what decides comes first."""
        if self.compared_in is not None:
            return self.compared_in.comparison
        comparison = self._first_comparison
        if self._asked_pair or len(self.table.summarizers) != 2 or not comparison.pairs:
            return comparison
        order = self._better_first(comparison)
        if (comparison.pairs[0].a, comparison.pairs[0].b) == order:
            return comparison
        return self.evaluation.compare(self.chosen, CompareOptions.of({**self._compare_options, "pair": (order,)}))

    @cached_property
    def _first_comparison(self) -> Comparison:
        if self.compared_in is not None:
            return self.compared_in._first_comparison
        return self.evaluation.compare(self.chosen, CompareOptions.of(self._compare_options))

    @property
    def _compare_options(self) -> dict[str, Any]:
        """What the report's options say about its comparison."""
        names = {option.name for option in CompareOptions.each()}
        return {name: value for name, value in vars(self.options).items() if name in names}

    @property
    def _asked_pair(self) -> tuple[str, str] | None:
        return self.options.pair[0] if self.options.pair else None

    def _better_first(self, comparison: Comparison) -> tuple[str, str]:
        """The only two systems, the better by what decides first; in their own order where they are equal."""
        first, second = self.table.summarizers
        if self.roles.is_decided_by_preferences and self.preferred and self.preferred.pair:
            return self.preferred.pair.a, self.preferred.pair.b
        for pair in comparison.pairs_on(self.roles.deciding):
            if not pair.difference:
                continue
            if pair.difference > 0:
                return pair.a, pair.b
            return pair.b, pair.a
        return first, second

    @cached_property
    def preferred(self) -> Preferred | None:
        """What preferences say about the systems of the report; None without preferences between them."""
        if not self.campaign.preferences:
            return None
        systems = self.table.summarizers
        only_two = (systems[0], systems[1]) if len(systems) == 2 else None
        return find_preferred(
            self.campaign,
            systems,
            self._asked_pair or only_two,
            self.preference_options,
            seed=self.evaluation.choice.seed,
            fixed_order=self._asked_pair is not None,
        )

    @property
    def preference_options(self) -> PreferenceOptions:
        """How preferences are summed up."""
        return PreferenceOptions(confidence=self.options.confidence, resamples=self.options.resamples)

    @cached_property
    def chosen_to_decide(self) -> str | None:
        """The measure that the option `decide` names, or `PREFERENCES`; None: the kinds of the measures choose.

        Raises:
            UsageError: if the report has no such measure, or if it only describes summaries.
        """
        asked = self.options.decide
        if asked is None:
            return None
        if asked == PREFERENCES:
            if self.preferred is None:
                raise UsageError(f"{mention('decide', PREFERENCES)}: the data has no preferences between these systems")
            return PREFERENCES
        measures = self.table.measures
        names = [name for selection in self.evaluation.select(asked) for name in selection.among(measures)]
        if len(names) != 1:
            expected = f"one of {', '.join(names or measures)}"
            raise UsageError(f"{mention('decide', asked)}: expected the name of one measure of the report: {expected}")
        if MeasureRoles(table=self.table, campaign=self.campaign).kinds[names[0]] == "descriptive":
            raise UsageError(
                f"{mention('decide', asked)}: {names[0]} describes summaries; neither high nor low values are better. "
                "Choose a measure of quality."
            )
        if names[0] not in self._first_comparison.measures:
            raise UsageError(f"{mention('decide', asked)}: there are no scores on {names[0]} to compare")
        return names[0]

    @cached_property
    def sections(self) -> SectionContext:
        """What sections may look at besides the results that they show."""
        asked = () if self.chosen is None else tuple(measure.name for measure in self.evaluation.select(self.chosen))
        return SectionContext(
            campaign=self.campaign,
            table=self.table,
            comparison=self.comparison,
            roles=self.roles,
            preferred=self.preferred,
            options=self.options,
            command_line=self.evaluation.command,
            asked_measures=asked,
        )
