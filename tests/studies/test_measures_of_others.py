"""Measures from Python functions and from other packages: the right values in every study, or a clear refusal."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pytest

import pyramidion
from pyramidion import study
from pyramidion.campaign import Summary, TopicData
from pyramidion.campaign.nouns import plain
from pyramidion.errors import UsageError
from pyramidion.measures import Measure
from pyramidion.measures.base import ONE_VALUE
from pyramidion.measures.function import FunctionMeasure, from_function
from pyramidion.scores import Evidence
from pyramidion.scores.evidence import FixedEvidence

HUMAN = "question.overall-responsiveness"


def words(summary: Summary, topic: TopicData) -> float:
    return float(len(plain(summary.text).split()))


def length() -> FunctionMeasure:
    return from_function("my-length", words)


@dataclass(frozen=True, kw_only=True)
class Foreign(Measure):
    """What a package might bring: it says that it needs models, and has one value a summary."""

    base_names: ClassVar[tuple[str, ...]] = ("foreign",)
    needs: ClassVar[frozenset[Any]] = frozenset({"models"})
    statistics: ClassVar[tuple[str, ...] | None] = ONE_VALUE

    def evidence(self, topic: TopicData) -> Evidence | None:
        scores = np.array([[words(peer, topic)] for peer in topic.peers])
        return FixedEvidence(peers=tuple(one.summarizer for one in topic.peers), statistics=ONE_VALUE, scores=scores)


def test_a_function_and_a_foreign_measure_of_the_same_values_correlate_alike() -> None:
    options: dict[str, Any] = {"with_": HUMAN, "coefficient": "pearson", "test": "williams"}
    found = pyramidion.correlate("demo", [length(), Foreign(), "rouge-2.recall"], **options)
    assert found.value("my-length.value", HUMAN) == found.value("foreign", HUMAN)
    assert {one.measure for one in found.clusters} == {"my-length.value", "foreign", "rouge-2.recall"}
    turned = pyramidion.correlate("demo", "rouge-2.recall", with_=length(), coefficient="pearson")
    assert turned.targets == ("my-length.value",)


def test_what_is_derived_from_a_function_can_be_correlated_with() -> None:
    found = pyramidion.correlate("demo", length(), with_="scaled-rank(of=my-length.value)", coefficient="spearman")
    assert found.targets == ("scaled-rank(of=my-length.value)",)


@pytest.mark.parametrize("measure", [length(), Foreign()], ids=["function", "foreign"])
def test_both_are_studied_by_topics_and_heterogeneity(measure: Measure) -> None:
    name = "my-length.value" if isinstance(measure, FunctionMeasure) else "foreign"
    value = pyramidion.correlate("demo", measure, with_=HUMAN, coefficient="pearson").value(name, HUMAN)
    growth = study.topics("demo", [measure], with_=HUMAN, resamples=5)
    assert any(point.mean == pytest.approx(value) for point in growth.points if point.measure == name)
    assert name in {one.measure for one in study.heterogeneity("demo", [measure, "rouge-1.recall"], with_=HUMAN).aucs}
    assert study.heterogeneity("demo", "rouge-1", with_=measure).quality == name


@pytest.mark.slow
@pytest.mark.parametrize("measure", [length(), Foreign()], ids=["function", "foreign"])
def test_model_free_measures_are_correlated_with_both(measure: Measure) -> None:
    found = study.model_free("demo", with_=measure, stem="yes")
    (name,) = found.targets
    wanted = pyramidion.correlate("demo", "js", with_=measure, coefficient="spearman").correlations[0].value
    assert next(one.value for one in found.macro if one.measure == "js") == pytest.approx(wanted)
    assert any(one.measure.startswith("regression(") and name in one.measure for one in found.macro)


@pytest.mark.parametrize(
    ("measures", "complaint"),
    [
        ([length()], 'my-length does not use references.*a function that does needs=\\["models"\\]'),
        ([Foreign()], "foreign says that it needs references, but its evidence names none"),
        ([Foreign(), "rouge-1.recall"], "foreign says that it needs references, but its evidence names none"),
        (["hbr(rouge-1.recall,rouge-2.recall)"], "is derived from other scores; study these"),
    ],
)
def test_models_are_not_chosen_for_what_can_not_follow_them(measures: list[Any], complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint):
        study.models("demo", measures, with_=HUMAN, resamples=5)


def test_a_foreign_measure_may_be_what_others_are_correlated_with_as_models_grow() -> None:
    found = study.models("demo", ["rouge-1.recall"], with_=Foreign(), resamples=5)
    assert {point.with_ for point in found.points} >= {"foreign"}
