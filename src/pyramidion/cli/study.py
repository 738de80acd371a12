"""`pyramidion study …`: what an evaluation says about itself."""

from __future__ import annotations

from pyramidion.cli import options as o
from pyramidion.cli.options import Program, group
from pyramidion.cli.run import Run, analysis
from pyramidion.errors import UsageError
from pyramidion.options import (
    ChoicesOptions,
    HeterogeneityOptions,
    LabelsOptions,
    ModelFreeOptions,
    OrdersOptions,
    SampleSizeOptions,
    TopicsOptions,
)
from pyramidion.show.tables import Finding

study: Program = group(
    "study",
    "Study the measures and the evaluation itself: how many references and topics are needed, which measures to trust.",
)


@study.add
@analysis(
    SampleSizeOptions, shows="studies.sample_size.study:SampleSizeStudy", measures=o.measures_with_models, figure=True
)
def models(run: Run, options: SampleSizeOptions) -> Finding:
    """Study how many references are needed: the correlation with a human score by number of references.

    In each random sample, every topic keeps k of its references.

    Example: pyramidion study models demo --with question.overall-responsiveness
    """
    return run.evaluation.study_models(run.measures, options)


@study.add
@analysis(
    TopicsOptions, shows="studies.sample_size.study:SampleSizeStudy", measures=o.measures_with_models, figure=True
)
def topics(run: Run, options: TopicsOptions) -> Finding:
    """Study how many topics are needed: the correlation with a human score by number of topics.

    Each random sample keeps k topics, the same for all systems.

    Example: pyramidion study topics demo --with question.overall-responsiveness --sizes 1,2,4,8
    """
    return run.evaluation.study_topics(run.measures, options)


@study.add
@analysis(OrdersOptions, shows="studies.orders.study:OrdersStudy", figure=True)
def orders(run: Run, options: OrdersOptions) -> Finding:
    """Study how many references a pyramid needs: divergence, errors and rankings as pyramids grow.

    The tables and figures are those of Nenkova & Passonneau (2004). --figure draws what --show chooses.

    Example: pyramidion study orders demo --figure orders.svg
    """
    return run.evaluation.study_orders(options)


@study.add
@analysis(
    HeterogeneityOptions,
    shows="studies.heterogeneity:HeterogeneityStudy",
    measures=o.measures_to_combine,
    figure=True,
)
def heterogeneity(run: Run, options: HeterogeneityOptions) -> Finding:
    """Study how diverse measures are, and how reliable each of them and their combination (HBR) is.

    Several campaigns are studied together: heterogeneity is estimated once over the topics of all of them.

    Example: pyramidion study heterogeneity demo --with question.overall-responsiveness
    """
    return run.evaluation.study_heterogeneity(run.measures, options)


@study.add
@analysis(ChoicesOptions, shows="studies.choices:ChoicesStudy", measures=o.measures_with_settings, figure=True)
def choices(run: Run, options: ChoicesOptions) -> Finding:
    """Study whether the answer depends on settings: compare all pairs of systems under every setting of ROUGE.

    The settings are all combinations of statistic, stems, stop words, references, tokens and word limit. --figure
    draws the difference between two systems under each of them (a specification curve).

    Example: pyramidion study choices demo -m rouge-1 -m rouge-2 --vary statistic,stem,references
    """
    return run.evaluation.study_choices(run.measures, options)


@study.add
@analysis(ModelFreeOptions, shows="studies.model_free:ModelFreeStudy", figure=True)
def model_free(run: Run, options: ModelFreeOptions) -> Finding:
    """Correlate reference-free measures, a regression on them, and ROUGE with human scores.

    In update topics, each summary is compared with the new documents, with the earlier (background) documents, and
    with both; --by part or --where part=A separates them from initial summaries.

    Example: pyramidion study model-free demo --with question.overall-responsiveness --stem yes --where part=A
    """
    return run.evaluation.study_model_free(options)


@study.add
@analysis(LabelsOptions, measures=o.measures_to_label, figure=True)
def labels(run: Run, options: LabelsOptions) -> Finding:
    """Study how many labels a predictor saves: gain and coverage by share of labels, on completely labelled data.

    Labels are drawn again and again from all answers; estimates are compared with what all answers say.

    Example: pyramidion study labels demo -m pyramid.recall --using auto-pyramid --resamples 20
    """
    if not run.measures:
        raise UsageError("`measures=` is missing: name what people answered, such as question.X or pyramid.recall")
    return run.evaluation.study_labels(run.measures, options)
