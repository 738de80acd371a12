"""Studies of measures, judgments and the evaluation itself: `pyramidion.study.models("demo", with_=…)`.

Each takes what the other verbs take and returns a Finding.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

from pyramidion.options import (
    AnalysisOptions,
    Choice,
    ChoicesOptions,
    HeterogeneityOptions,
    LabelsOptions,
    ModelFreeOptions,
    OrdersOptions,
    SampleSizeOptions,
    TopicsOptions,
    split_keywords,
    with_options,
)

if TYPE_CHECKING:  # the rooms are imported inside, so that `pyramidion --help` stays quick
    from pyramidion.options.keywords import (
        ChoicesVerbKeywords,
        EvaluationKeywords,
        HeterogeneityVerbKeywords,
        LabelsVerbKeywords,
        ModelFreeVerbKeywords,
        OrdersVerbKeywords,
        SampleSizeVerbKeywords,
        TopicsVerbKeywords,
    )
    from pyramidion.run.data import UserData
    from pyramidion.run.evaluation import Evaluation
    from pyramidion.run.score_cache import Measures
    from pyramidion.studies.choices import ChoicesStudy
    from pyramidion.studies.heterogeneity import HeterogeneityStudy
    from pyramidion.studies.model_free import ModelFreeStudy
    from pyramidion.studies.orders import OrdersStudy
    from pyramidion.studies.predictions.labels import LabelsStudy
    from pyramidion.studies.sample_size import SampleSizeStudy

__all__ = ["choices", "heterogeneity", "labels", "model_free", "models", "orders", "topics"]


def open_evaluation(
    data: UserData, kind: type[AnalysisOptions], keywords: EvaluationKeywords
) -> tuple[Evaluation, AnalysisOptions]:
    """An evaluation of the data, and the options of the analysis, from the keywords of a verb."""
    from pyramidion.run.evaluation import Evaluation

    choice, options = split_keywords(keywords, kind)
    return Evaluation(data, choice, progress=keywords.get("progress")), options


@with_options(SampleSizeOptions, Choice)
def models(
    data: UserData, measures: Measures | None = None, **keywords: Unpack[SampleSizeVerbKeywords]
) -> SampleSizeStudy:
    """Study how many references an evaluation needs: correlation with a human score, by number of references."""
    evaluation, options = open_evaluation(data, SampleSizeOptions, keywords)
    return evaluation.study_models(measures, options)


@with_options(TopicsOptions, Choice)
def topics(data: UserData, measures: Measures | None = None, **keywords: Unpack[TopicsVerbKeywords]) -> SampleSizeStudy:
    """Study how many topics an evaluation needs: correlation with a human score, by number of topics."""
    evaluation, options = open_evaluation(data, TopicsOptions, keywords)
    return evaluation.study_topics(measures, options)


@with_options(HeterogeneityOptions, Choice)
def heterogeneity(
    data: UserData, measures: Measures | None = None, **keywords: Unpack[HeterogeneityVerbKeywords]
) -> HeterogeneityStudy:
    """Study how diverse measures are, and what they are worth alone and together (HBR)."""
    evaluation, options = open_evaluation(data, HeterogeneityOptions, keywords)
    return evaluation.study_heterogeneity(measures, options)


@with_options(ChoicesOptions, Choice)
def choices(data: UserData, measures: Measures | None = None, **keywords: Unpack[ChoicesVerbKeywords]) -> ChoicesStudy:
    """Study whether the answer depends on settings: every pair of systems under each setting of ROUGE."""
    evaluation, options = open_evaluation(data, ChoicesOptions, keywords)
    return evaluation.study_choices(measures, options)


@with_options(ModelFreeOptions, Choice)
def model_free(data: UserData, **keywords: Unpack[ModelFreeVerbKeywords]) -> ModelFreeStudy:
    """Study how model-free measures, their regression and ROUGE correlate with human scores."""
    evaluation, options = open_evaluation(data, ModelFreeOptions, keywords)
    return evaluation.study_model_free(options)


@with_options(OrdersOptions, Choice)
def orders(data: UserData, **keywords: Unpack[OrdersVerbKeywords]) -> OrdersStudy:
    """Study how pyramid scores behave as pyramids grow: divergence, errors, rankings."""
    evaluation, options = open_evaluation(data, OrdersOptions, keywords)
    return evaluation.study_orders(options)


@with_options(LabelsOptions, Choice)
def labels(data: UserData, measures: Measures, **keywords: Unpack[LabelsVerbKeywords]) -> LabelsStudy:
    """Study how many labels a predictor saves: gain and coverage by share of labels, on completely labelled data."""
    evaluation, options = open_evaluation(data, LabelsOptions, keywords)
    return evaluation.study_labels(measures, options)
