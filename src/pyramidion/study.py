"""Studies of measures, judgments and the evaluation itself: `pyramidion.study.models("demo", with_=…)`.

Each takes what the other verbs take and returns a Finding.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from pyramidion.options import (
    Choice,
    GrowthOptions,
    HeterogeneityOptions,
    ModelFreeOptions,
    OrdersOptions,
    TopicsOptions,
    takes,
)

if TYPE_CHECKING:  # the rooms are imported inside, so that `pyramidion --help` stays quick
    from pyramidion.run.data import UserData
    from pyramidion.run.evaluation import Evaluation
    from pyramidion.run.score_cache import Measures
    from pyramidion.studies.growth import GrowthStudy
    from pyramidion.studies.heterogeneity.study import HeterogeneityStudy
    from pyramidion.studies.model_free.study import ModelFreeStudy
    from pyramidion.studies.orders import OrdersStudy

__all__ = ["heterogeneity", "model_free", "models", "orders", "topics"]


def evaluation_of(data: UserData, options: dict[str, Any]) -> Evaluation:
    """An evaluation of the data; takes the options that choose a part of it out of `options`."""
    from pyramidion.run.evaluation import Evaluation

    progress = options.pop("progress", None)
    chosen = {field.name: options.pop(field.name) for field in dataclasses.fields(Choice) if field.name in options}
    return Evaluation(data, Choice.of(chosen), progress=progress)


@takes(GrowthOptions, Choice)
def models(data: UserData, measures: Measures | None = None, **options: Any) -> GrowthStudy:
    """Study how many references an evaluation needs: correlation with a human score, by number of references."""
    return evaluation_of(data, options).study_models(measures, **options)


@takes(TopicsOptions, Choice)
def topics(data: UserData, measures: Measures | None = None, **options: Any) -> GrowthStudy:
    """Study how many topics an evaluation needs: correlation with a human score, by number of topics."""
    return evaluation_of(data, options).study_topics(measures, **options)


@takes(HeterogeneityOptions, Choice)
def heterogeneity(data: UserData, measures: Measures | None = None, **options: Any) -> HeterogeneityStudy:
    """Study how diverse measures are, and what they are worth alone and together (HBR)."""
    return evaluation_of(data, options).study_heterogeneity(measures, **options)


@takes(ModelFreeOptions, Choice)
def model_free(data: UserData, **options: Any) -> ModelFreeStudy:
    """Study how model-free measures, their regression and ROUGE correlate with human scores."""
    return evaluation_of(data, options).study_model_free(**options)


@takes(OrdersOptions, Choice)
def orders(data: UserData, **options: Any) -> OrdersStudy:
    """Study how pyramid scores behave as pyramids grow: divergence, errors, rankings."""
    return evaluation_of(data, options).study_orders(**options)
