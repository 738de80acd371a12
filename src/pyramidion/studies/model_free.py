"""Do summaries that resemble their input please people, too? Louis & Nenkova 2009, Tables 1–4, for any campaign.

The ten model-free features, their regression and ROUGE beside every manual score: over systems (macro) and inside
topics (micro), with words stemmed and as they are, and for update topics against each of their inputs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import polars as pl

from pyramidion.campaign import Campaign
from pyramidion.errors import InputError, MissingExtraError, UsageError
from pyramidion.measures.backgrounds import WORDFREQ, load_background
from pyramidion.measures.deriving import with_derived
from pyramidion.measures.judged import Judged
from pyramidion.measures.model_free import ModelFree
from pyramidion.measures.names import parse
from pyramidion.measures.registry import Selection, column, select
from pyramidion.measures.regression import Regression
from pyramidion.scores import ScoreTable
from pyramidion.statistics.correlation.coefficients import Coefficient
from pyramidion.studies.correlations import correlate
from pyramidion.studies.correlations_pairs import Correlation, SignificantTopics
from pyramidion.text.inputs import FEATURES

Compared = Literal["documents", "background", "average", "both", "models"]
"""What a summary is compared with: of an update topic its documents (the update input), its background documents, the
mean of both values, or both as separate features of a regression; models for ROUGE."""
INPUTS: tuple[Compared, ...] = ("documents", "background", "average")
REGRESSION = "regression"
PYRAMID = "pyramid.modified"
MODEL_BASED = ("rouge-1.recall", "rouge-2.recall")
"""What the features are compared with (Table 1)."""


@dataclass(frozen=True)
class ModelFreeColumn:
    """A column of scores that the study looks at."""

    feature: str
    """Such as `js`, `regression` or `rouge-1.recall`."""
    compared: Compared
    stem: bool
    measure: str
    """Its canonical name."""
    target: str | None = None
    """Of a regression, the score that it predicts; it is correlated with no other."""


@dataclass(frozen=True, kw_only=True)
class ModelFreeRow:
    """One column beside one manual score."""

    column: ModelFreeColumn
    macro: Correlation
    """Between the means of summarizers (Tables 1, 2 and 4)."""
    micro: SignificantTopics
    """Inside topics: how many are significant, and the strongest and the weakest of these (Table 3)."""


@dataclass(frozen=True, kw_only=True)
class ModelFreeStudy:
    """All of it."""

    rows: tuple[ModelFreeRow, ...]
    targets: tuple[str, ...]
    coefficient: Coefficient
    confidence: float
    summarizers: int
    topics: int
    left_out: tuple[str, ...] = ()
    """What could not be looked at, and why."""
    lower_is_better: tuple[str, ...] = ()
    notes: Mapping[str, str] = field(default_factory=dict)
    """By measure, what must be said with its values."""

    def row(self, feature: str, target: str, *, compared: Compared = "documents", stem: bool = True) -> ModelFreeRow:
        """One cell of the tables."""
        for row in self.rows:
            one = row.column
            if (one.feature, row.macro.with_, one.stem) == (feature, target, stem) and one.compared in (
                compared,
                "models",
            ):
                return row
        raise UsageError(f"there is no {feature} beside {target} with {compared} and stem={'yes' if stem else 'no'}")


@dataclass(frozen=True, kw_only=True)
class ModelFreePlan:
    """What is to be scored for the study of a campaign."""

    targets: tuple[str, ...]
    columns: tuple[ModelFreeColumn, ...]
    left_out: tuple[str, ...]

    @property
    def selections(self) -> list[Selection]:
        """Everything that must be scored, each once; regressions are derived from it by the study."""
        names = [*(one.measure for one in self.columns if one.target is None), *self.targets]
        return [select(name) for name in dict.fromkeys(names)]


def plan_model_free(
    data: Campaign | ScoreTable,
    targets: Sequence[str] = (),
    *,
    background: str = WORDFREQ,
    stems: Sequence[bool] = (True, False),
) -> ModelFreePlan:
    """What can be looked at in a campaign, or in the columns of a score table.

    Args:
        data: a campaign with documents (a topic with background documents is an update topic), or scores.
        targets: the manual scores; by default `pyramid.modified` and every question that is there.
        background: counts for cosines and topic words: wordfreq, or a TSV file. Where wordfreq is not installed, what
            needs it is left out and said.
        stems: whether words are stemmed: both ways by default.

    Raises:
        InputError: if no topic has documents, or there is no manual score.
    """
    if not stems:
        raise UsageError("stems: give True, False or both")
    chosen = tuple(dict.fromkeys(map(column, targets))) or _manual_scores(data)
    if not chosen:
        raise InputError("there are no judgments and no pyramids; name the scores to correlate with (--with)")
    if isinstance(data, ScoreTable):
        every = _columns(FEATURES, INPUTS, stems, chosen, background)
        return ModelFreePlan(targets=chosen, columns=tuple(one for one in every if _is_there(one, data)), left_out=())
    topics = [data.topic(id).topic for id in data.topic_ids]
    if not any(topic.documents for topic in topics):
        raise InputError(
            "no topic has documents, and model-free measures compare summaries with their input; add `documents` to "
            "the topics"
        )
    inputs = INPUTS if any(topic.background for topic in topics) else INPUTS[:1]
    features, left_out = _features(background)
    model_based: tuple[str, ...] = MODEL_BASED
    if not any(summary.kind == "model" for summary in data.summaries):
        model_based = ()
        left_out = (*left_out, f"{', '.join(MODEL_BASED)}: there are no models")
    return ModelFreePlan(
        targets=chosen,
        columns=tuple(_columns(features, inputs, stems, chosen, background, model_based)),
        left_out=left_out,
    )


def study_model_free(
    table: ScoreTable, plan: ModelFreePlan, *, coefficient: Coefficient = "spearman", confidence: float = 95.0
) -> ModelFreeStudy:
    """Correlate every column of the plan with every manual score, over systems and inside topics.

    Args:
        table: the scores of the plan's selections.
        plan: what to look at; columns that have no value in the table are left out.
        coefficient: of correlation; the paper's is Spearman's.
        confidence: in per cent; what is left is the level at which a topic's correlation is significant.
    """
    missing = [name for name in plan.targets if name not in table.measures]
    if missing:
        known = ", ".join(table.measures) or "none"
        raise InputError(f"there is no score of {', '.join(missing)} to correlate with; there are: {known}")
    there = [one for one in plan.columns if _is_there(one, table)]
    table = with_derived(table, [one for one in map(_regression, there) if one is not None])
    present = [one for one in there if one.measure in table.measures]  # a regression may come out empty
    if all(one.compared == "models" for one in present):
        known = ", ".join(table.measures) or "none"
        raise InputError(f"no model-free measure has a value here; there are: {known}. Score a campaign with documents")
    rows: list[ModelFreeRow] = []
    lower_is_better: dict[str, None] = {}
    for target in plan.targets:
        here = [one for one in present if one.target in (None, target) and one.measure != target]
        for together in _groups(here):
            found = correlate(
                _on_topics_of(table, together[0].measure),
                with_=target,
                measures=[one.measure for one in together],
                coefficients=(coefficient,),
                interval="fisher",
                sides="two",
                micro=True,
                confidence=confidence,
            )
            lower_is_better |= dict.fromkeys(found.lower_is_better)
            macro = {one.measure: one for one in found.correlations}
            micro = {one.measure: one for one in found.significant}
            rows += [ModelFreeRow(column=one, macro=macro[one.measure], micro=micro[one.measure]) for one in together]
    shown = {name for row in rows for name in (row.column.measure, row.macro.with_)}
    empty = [one.measure for one in plan.columns if one not in present]
    return ModelFreeStudy(
        rows=tuple(rows),
        targets=plan.targets,
        coefficient=coefficient,
        confidence=confidence,
        summarizers=len(table.only(plan.targets).summarizers),
        topics=len(table.only(plan.targets).topics),
        left_out=(*plan.left_out, *([f"{', '.join(dict.fromkeys(empty))}: no summary has a value"] if empty else ())),
        lower_is_better=tuple(lower_is_better),
        notes={name: note for name, note in table.notes.items() if name in shown},
    )


def _groups(columns: Sequence[ModelFreeColumn]) -> list[list[ModelFreeColumn]]:
    """Columns that compare with the same, in the order of appearance."""
    groups: dict[Compared, list[ModelFreeColumn]] = {}
    for one in columns:
        groups.setdefault(one.compared, []).append(one)
    return list(groups.values())


def _on_topics_of(table: ScoreTable, measure: str) -> ScoreTable:
    """Only topics that the measure has a value in: beside background documents, update topics alone are looked at."""
    own = table.frame.filter(pl.col("measure") == measure)["topic"].unique()
    return replace(table, frame=table.frame.filter(pl.col("topic").is_in(own.implode())), topic_count=len(own))


def _manual_scores(data: Campaign | ScoreTable) -> tuple[str, ...]:
    """The modified pyramid score and every question."""
    if isinstance(data, ScoreTable):
        return tuple(name for name in data.measures if name == PYRAMID or parse(name).base == Judged().base)
    pyramid = [PYRAMID] if data.pyramids and data.annotations else []
    return (*pyramid, *map(Judged().name, data.question_names))


def _features(background: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The features that can be computed, and what is said of the others."""
    try:
        load_background(background)
    except MissingExtraError as error:
        without = tuple(name for name in FEATURES if not ModelFree(feature=name).uses_background)
        lost = ", ".join(name for name in FEATURES if name not in without)
        return without, (f"{lost}: {error}",)
    return FEATURES, ()


def _columns(
    features: Sequence[str],
    inputs: Sequence[Compared],
    stems: Sequence[bool],
    targets: Sequence[str],
    background: str,
    model_based: Sequence[str] = MODEL_BASED,
) -> Iterator[ModelFreeColumn]:
    """Features of every input, their regression on every manual score, then ROUGE; stemmed first."""
    for stem in stems:
        names = {
            compared: [_feature(name, compared, background, stem=stem).name() for name in features]
            for compared in inputs
        }
        for compared, of_input in names.items():
            for feature, measure in zip(features, of_input, strict=True):
                yield ModelFreeColumn(feature, compared, stem, measure)
        combined: dict[Compared, list[str]] = dict(names)
        if "background" in names:
            combined["both"] = [*names["documents"], *names["background"]]
        for compared, of_input in combined.items():
            for target in targets:
                plain = Regression(target=target, input=compared)  # type: ignore[arg-type]  # never models
                usual = plain.columns == (*of_input, target)
                measure = (plain if usual else Regression(features=tuple(of_input), target=target)).name()
                yield ModelFreeColumn(REGRESSION, compared, stem, measure, target)
        for name in model_based:
            found = select(name)
            measure = replace(found.measure, stem=stem).name(found.statistic)  # type: ignore[call-arg]
            yield ModelFreeColumn(name, "models", stem, measure)


def _feature(name: str, compared: Compared, background: str, *, stem: bool) -> ModelFree:
    plain = ModelFree(feature=name, stem=stem, input=compared)  # type: ignore[arg-type]  # never both or models
    return replace(plain, background=background) if plain.uses_background else plain


def _regression(one: ModelFreeColumn) -> Regression | None:
    measure = select(one.measure).measure
    return measure if isinstance(measure, Regression) else None


def _is_there(one: ModelFreeColumn, table: ScoreTable) -> bool:
    """Whether the table has the column, or what a regression rests on."""
    regression = _regression(one)
    return one.measure in table.measures or (
        regression is not None and all(name in table.measures for name in regression.columns)
    )
