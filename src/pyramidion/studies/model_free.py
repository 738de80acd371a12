"""How well summaries can be judged by comparing them with their source documents (Louis & Nenkova 2009, Tables 1–4).

The ten model-free features, their regression and ROUGE are correlated with every human score: over systems (macro) and
within topics (micro), with words stemmed and as they are, and for update topics with each of their inputs. A plan says
which columns these are, as far as a campaign or a score table has what they need.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

from pyramidion.campaign import Campaign
from pyramidion.errors import InputError, MissingExtraError, UsageError
from pyramidion.measures.backgrounds import load_background
from pyramidion.measures.deriving import add_derived
from pyramidion.measures.judged import QuestionMeasure
from pyramidion.measures.model_free import ModelFree
from pyramidion.measures.names import parse
from pyramidion.measures.registry import select
from pyramidion.measures.regression import Regression
from pyramidion.options import CorrelateOptions, ModelFreeOptions
from pyramidion.scores import ScoreTable
from pyramidion.show.tables import Finding, Row, grouped
from pyramidion.show.wording import listed
from pyramidion.studies.correlations.correlations import correlate
from pyramidion.studies.correlations.pairs import Correlation, SignificantTopics
from pyramidion.studies.parts import on_topics
from pyramidion.text.inputs import FEATURES

Compared = Literal["documents", "background", "average", "both", "models"]
"""What a summary is compared with: of an update topic its documents (the update input), its background documents, the
mean of both values, or both as separate features of a regression; models for ROUGE."""
INPUTS: tuple[Compared, ...] = ("documents", "background", "average")
REGRESSION = "regression"
PYRAMID = "pyramid.modified"
MODEL_BASED = ("rouge-1.recall", "rouge-2.recall")
"""What the features are compared with (Table 1)."""
STEMS: dict[str, tuple[bool, ...]] = {"both": (True, False), "yes": (True,), "no": (False,)}


@dataclass(frozen=True)
class PlannedColumn:
    """A column of scores that the study looks at."""

    feature: str
    """Such as `js`, `regression` or `rouge-1.recall`."""
    compared: Compared
    stem: bool
    measure: str
    """Its canonical name."""
    regression: Regression | None = None

    @property
    def target(self) -> str | None:
        """Of a regression, the score that it predicts; it is correlated with no other."""
        return self.regression.target if self.regression else None

    def is_in(self, table: ScoreTable) -> bool:
        """Whether a score table has the column, or everything that a regression is fitted to."""
        if self.measure in table.measures:
            return True
        if self.regression is None:
            return False
        return all(name in table.measures for name in self.regression.columns)


@dataclass(frozen=True, kw_only=True)
class ModelFreePlan:
    """What is to be scored for the study of a campaign."""

    targets: tuple[str, ...]
    columns: tuple[PlannedColumn, ...]
    left_out: tuple[str, ...] = ()

    @property
    def of_background(self) -> list[str]:
        """The columns that only topics with background documents have."""
        return [column.measure for column in self.columns if column.compared in ("background", "average")]

    @property
    def scored(self) -> list[str]:
        """Everything that must be scored, each once; regressions are derived from it by the study."""
        measures = [column.measure for column in self.columns if not column.regression]
        return list(dict.fromkeys([*measures, *self.targets]))


class Feature(Row):
    """Which column of the study a row is about, and in which part of the campaign."""

    feature: str
    compared: Compared
    stem: bool
    part: str = ""


class FeatureCorrelation(Correlation, Feature, record="feature-correlation"):
    """A model-free feature, regression or ROUGE correlated with a human score, over the means of summarizers."""


class FeatureMicro(SignificantTopics, Feature, record="feature-micro"):
    """Within how many topics a feature, regression or ROUGE correlates significantly, and how strongly there."""


class ModelFreeStudy(Finding, eq=True):
    """How model-free measures, their regression and ROUGE correlate with human scores."""

    record_kinds: ClassVar[tuple[str, ...]] = ("feature-correlation", "feature-micro")

    macro: tuple[FeatureCorrelation, ...]
    micro: tuple[FeatureMicro, ...]
    """Of the same columns, in the same order."""
    targets: tuple[str, ...]
    options: ModelFreeOptions
    left_out: Mapping[str, Sequence[str]]
    """By part, what could not be studied, and why."""
    lower_is_better: frozenset[str]
    notes: Mapping[str, str]
    """By measure, what one must know about its values."""

    def __repr__(self) -> str:
        return f"<ModelFreeStudy with {', '.join(self.targets)}>"

    def cell(
        self, feature: str, target: str, *, compared: Compared = "documents", stem: bool = True, part: str = ""
    ) -> tuple[FeatureCorrelation, FeatureMicro]:
        """One cell of the tables, over systems and within topics."""
        key = (feature, target, stem, part)
        for macro, micro in zip(self.macro, self.micro, strict=True):
            is_same = (macro.feature, macro.with_, macro.stem, macro.part) == key
            if is_same and macro.compared in (compared, "models"):
                return macro, micro
        raise UsageError(f"there is no {feature} with {target} for {compared} and stem={'yes' if stem else 'no'}")

    def agreement(self, row: FeatureCorrelation) -> float:
        """The correlation, reversed if lower is better for one of the two measures; 0 if it is undefined."""
        value = row.value or 0.0
        is_reversed = (row.measure in self.lower_is_better) != (row.with_ in self.lower_is_better)
        return -value if is_reversed else value


def plan_model_free(data: Campaign | ScoreTable, options: ModelFreeOptions | None = None) -> ModelFreePlan:
    """What can be studied in a campaign, or with the columns of a score table.

    Where wordfreq is not installed, what needs it is left out.

    Raises:
        InputError: if no topic has documents, or there is no human score.
    """
    options = options or ModelFreeOptions()
    stems, background = STEMS[options.stem], options.background
    targets = tuple(dict.fromkeys(options.with_)) or _human_scores(data)
    if not targets:
        raise InputError("there are no judgments and no pyramids; name the scores to correlate with (`with_=`)")
    if isinstance(data, ScoreTable):
        possible_columns = _plan_columns(FEATURES, INPUTS, stems, targets, background)
        return ModelFreePlan(
            targets=targets, columns=tuple(column for column in possible_columns if column.is_in(data))
        )
    topics = [data.topic(id).topic for id in data.topic_ids]
    if not any(topic.documents for topic in topics):
        raise InputError(
            "no topic has documents, and model-free measures compare summaries with their source documents; add "
            "`documents` to the topics"
        )
    has_background = any(topic.background for topic in topics)
    # Only update tasks have documents that the reader is assumed to know.
    inputs = INPUTS if has_background else INPUTS[:1]
    features, left_out = _computable_features(background)
    model_based: tuple[str, ...] = MODEL_BASED
    if not any(summary.kind == "model" for summary in data.summaries):
        model_based = ()
        left_out = (*left_out, f"{', '.join(MODEL_BASED)}: there are no references")
    columns = tuple(_plan_columns(features, inputs, stems, targets, background, model_based))
    return ModelFreePlan(targets=targets, columns=columns, left_out=left_out)


def _human_scores(data: Campaign | ScoreTable) -> tuple[str, ...]:
    """The modified pyramid score and every question."""
    if isinstance(data, ScoreTable):
        return tuple(name for name in data.measures if name == PYRAMID or parse(name).base == QuestionMeasure().base)
    has_models = any(pyramid.models for pyramid in data.pyramids)
    pyramid = [PYRAMID] if has_models and data.annotations else []
    return (*pyramid, *map(QuestionMeasure().name, data.question_names))


def _computable_features(background: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The features that can be computed, and why others can't."""
    try:
        load_background(background)
    except MissingExtraError as error:
        computable = tuple(name for name in FEATURES if not ModelFree(feature=name).uses_background)
        missing = ", ".join(name for name in FEATURES if name not in computable)
        return computable, (f"{missing}: {error}",)
    return FEATURES, ()


def _plan_columns(
    features: Sequence[str],
    inputs: Sequence[Compared],
    stems: Sequence[bool],
    targets: Sequence[str],
    background: str,
    model_based: Sequence[str] = MODEL_BASED,
) -> Iterator[PlannedColumn]:
    """Features of every input, their regression on every human score, then ROUGE; stemmed first."""
    for stem in stems:
        names: dict[Compared, list[str]] = {}
        for compared in inputs:
            names[compared] = [_feature_measure(name, compared, background, stem=stem).name() for name in features]
            for feature, measure in zip(features, names[compared], strict=True):
                yield PlannedColumn(feature, compared, stem, measure)
        if "background" in names:
            names["both"] = [*names["documents"], *names["background"]]
        for compared, feature_columns in names.items():
            for target in targets:
                regression = _regression(feature_columns, compared, target)
                yield PlannedColumn(REGRESSION, compared, stem, regression.name(), regression)
        for name in model_based:
            selection = select(name)
            measure = replace(selection.measure, stem=stem).name(selection.statistic)  # type: ignore[call-arg]
            yield PlannedColumn(name, "models", stem, measure)


def _feature_measure(name: str, compared: Compared, background: str, *, stem: bool) -> ModelFree:
    """The measure of a feature; only those that use a background have it in their name."""
    measure = ModelFree(feature=name, stem=stem, input=compared)  # type: ignore[arg-type]  # never both or models
    return replace(measure, background=background) if measure.uses_background else measure


def _regression(feature_columns: Sequence[str], compared: Compared, target: str) -> Regression:
    """A regression on features; its name lists them only if they are not the default ones of the input."""
    regression = Regression(target=target, input=compared)  # type: ignore[arg-type]  # never models
    # A name with ten measures in it is unreadable; the default one is short and means the same.
    if regression.columns == (*feature_columns, target):
        return regression
    return Regression(features=tuple(feature_columns), target=target)


def study_model_free(
    tables: Mapping[str, ScoreTable], plans: Mapping[str, ModelFreePlan], options: ModelFreeOptions | None = None
) -> ModelFreeStudy:
    """Correlate every column of the plans with every human score, over systems and within topics.

    Args:
        tables: by part of the campaign (the whole has an empty name), the scores of the plan's selections.
        plans: by part, what to look at; columns that have no value in the table are left out.
        options: coefficient and level of significance.
    """
    options = options or ModelFreeOptions()
    macro: list[FeatureCorrelation] = []
    micro: list[FeatureMicro] = []
    left_out: dict[str, tuple[str, ...]] = {}
    lower_is_better: set[str] = set()
    notes: dict[str, str] = {}
    correlate_options = CorrelateOptions(
        coefficient=(options.coefficient,), interval="test", sides="two", micro=True, confidence=options.confidence
    )
    for part, plan in plans.items():
        table, columns = _add_regressions(tables[part], plan)
        for target in plan.targets:
            of_target = [column for column in columns if column.target in (None, target) and column.measure != target]
            for same_input in grouped(of_target, lambda column: column.compared).values():
                topics = table.matrix(same_input[0].measure).topics  # only update topics have background documents
                measures = [column.measure for column in same_input]
                result = correlate(on_topics(table, topics), measures, [target], correlate_options)
                lower_is_better |= set(result.lower_is_better)
                notes |= result.notes
                for column, over_systems, within in zip(
                    same_input, result.correlations, result.significant, strict=True
                ):
                    fields: dict[str, Any] = {
                        "feature": column.feature,
                        "compared": column.compared,
                        "stem": column.stem,
                        "part": part,
                    }
                    macro.append(FeatureCorrelation(**vars(over_systems) | fields))
                    micro.append(FeatureMicro(**vars(within) | fields))
        left_out[part] = plan.left_out
        empty = dict.fromkeys(column.measure for column in plan.columns if column not in columns)
        if empty:
            left_out[part] = (*plan.left_out, f"{listed(list(empty))}: no summary has a value")
    return ModelFreeStudy(
        macro=tuple(macro),
        micro=tuple(micro),
        targets=tuple(dict.fromkeys(target for plan in plans.values() for target in plan.targets)),
        options=options,
        left_out=left_out,
        lower_is_better=frozenset(lower_is_better),
        notes=notes,
    )


def _add_regressions(table: ScoreTable, plan: ModelFreePlan) -> tuple[ScoreTable, list[PlannedColumn]]:
    """The table with the plan's regressions, and the columns that have a value."""
    available = ", ".join(table.measures) or "none"
    missing = [name for name in plan.targets if name not in table.measures]
    if missing:
        raise InputError(f"no summary has a score on {', '.join(missing)}; there are scores on: {available}")
    possible = [column for column in plan.columns if column.is_in(table)]
    table = add_derived(table, [column.regression for column in possible if column.regression])
    columns = [column for column in possible if column.measure in table.measures]  # a regression may come out empty
    if all(column.compared == "models" for column in columns):
        raise InputError(
            f"no summary has a score on a model-free measure; there are scores on: {available}. Give a campaign with "
            "documents"
        )
    return table, columns
