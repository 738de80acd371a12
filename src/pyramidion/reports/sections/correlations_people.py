"""Measures and human scores of a report, correlated: what the sentences, tables and figures of agreement rest on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from pyramidion.engines.local import score_shards
from pyramidion.measures.registry import select_all
from pyramidion.reports.context import Context
from pyramidion.reports.sections.studied import campaign_of, scoring_again
from pyramidion.statistics.correlation.coefficients import Coefficient
from pyramidion.statistics.correlation.levels import Level
from pyramidion.studies.correlations.correlations import Correlations, correlate
from pyramidion.studies.correlations.pairs import Correlation

LEVELS: tuple[Level, ...] = ("system", "topic")
FEW_MEASURES = 15
"""Up to so many, matrices have numbers in their squares, and more human scores are shown."""
MOST_HUMAN_SCORES = (4, 2)
"""With few measures, and with many."""
MOST_RESAMPLES = 300


@dataclass(frozen=True, kw_only=True)
class WithPeople:
    """Measures correlated with one human score."""

    target: str
    found: Correlations
    """Pearson, Spearman and Kendall with intervals, and Williams' tests between the measures."""

    @property
    def note(self) -> str:
        """What must be said of the human score."""
        return self.found.notes.get(self.target, "")

    def good(self, measure: str) -> float:
        """Pearson at system level, turned so that high is good; undefined ones come last."""
        value = self.found.value(measure, self.target)
        if value is None:
            return -2.0
        low = (measure in self.found.lower_is_better) != (self.target in self.found.lower_is_better)
        return -value if low else value

    def at(self, measure: str, level: Level, coefficient: Coefficient = "pearson") -> Correlation:
        """One correlation."""
        wanted = (measure, level, coefficient)
        return next(one for one in self.found.correlations if (one.measure, one.level, one.coefficient) == wanted)

    @property
    def measures(self) -> tuple[str, ...]:
        """What was correlated with it, in the order of the table."""
        return tuple(dict.fromkeys(one.measure for one in self.found.correlations))

    @cached_property
    def ranked(self) -> tuple[str, ...]:
        """Measures, the one that agrees best first."""
        return tuple(sorted(self.measures, key=self.good, reverse=True))


def with_judgments(context: Context) -> Context:
    """With the answers of assessors as scores, where the campaign has them and the table hasn't."""
    if context.judged or not context.campaign.judgments:
        return context
    with scoring_again():
        scored = score_shards([campaign_of(context)], select_all(["question"]), peers=context.peers, seed=context.seed)
    return replace(context, table=context.table.join(scored)) if len(scored) else context


def compared(context: Context) -> list[str]:
    """What is correlated with people: automatic measures, and what people annotated."""
    return [name for name in context.measures if name not in context.judged]


def human_scores(context: Context) -> list[str]:
    """The human scores: the reference, then what else people said of content, or else the other questions."""
    if context.reference is None:
        return []
    content = ("responsiveness", "content", "relevance", "coverage")
    pyramids = [name for name in context.measures if name not in context.judged and name not in context.automatic]
    modified = [name for name in pyramids if name.endswith(".modified")]
    about = [name for name in context.judged if any(word in name for word in content)]
    few = len(context.measures) <= FEW_MEASURES
    ordered = dict.fromkeys([context.reference, *about, *modified[:1]])
    ordered |= dict.fromkeys(context.judged if len(ordered) == 1 else ())
    wanted = [name for name in ordered if set(compared(context)) - {name}]
    return wanted[: MOST_HUMAN_SCORES[0 if few else 1]]


def with_people(context: Context, target: str) -> WithPeople:
    """All measures with one human score: at both levels, by all coefficients, and tested against each other."""
    measures = [name for name in compared(context) if name != target]
    found = correlate(
        context.table,
        with_=target,
        measures=measures,
        levels=LEVELS,
        sides="two",
        confidence=context.confidence,
        resamples=resamples_of(context),
        seed=context.seed,
    )
    if len(measures) > 1:
        tests = correlate(
            context.table,
            with_=target,
            measures=measures,
            coefficients=("pearson",),
            test="williams",
            confidence=context.confidence,
        )
        found = replace(found, tests=tests.tests)
    return WithPeople(target=target, found=found)


def resamples_of(context: Context) -> int:
    """Of the bootstrap inside of topics."""
    return min(context.resamples, MOST_RESAMPLES)
