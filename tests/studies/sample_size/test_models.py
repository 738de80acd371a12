"""How many models: draws against an enumeration by scoring campaigns that have only the drawn models."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from scipy.stats import pearsonr, spearmanr

import pyramidion
from pyramidion import study
from pyramidion.campaign import Campaign, Summary, TopicData
from pyramidion.engines import evidence_store
from pyramidion.engines.evidence_store import TopicEvidence, gather
from pyramidion.errors import InputError, UsageError
from pyramidion.measures.function import from_function
from pyramidion.measures.registry import select
from pyramidion.measures.rouge import Rouge
from pyramidion.scores.cube import cube_of
from pyramidion.studies.sample_size import ITSELF
from pyramidion.studies.sample_size.models import ModelDraws
from pyramidion.text.overlap import OverlapKind

RESPONSIVENESS = "question.overall-responsiveness"


@pytest.fixture(scope="module")
def two_topics() -> Campaign:
    demo = pyramidion.load("demo")
    small = demo.restricted(set(demo.topic_ids[:2]))
    return replace(small, summaries=tuple(summary for summary in small.summaries if summary.summarizer != "D"))


def with_models(campaign: Campaign, chosen: dict[str, tuple[str, ...]]) -> Campaign:
    kept = tuple(
        summary
        for summary in campaign.summaries
        if summary.kind == "peer" or summary.summarizer in chosen[summary.topic]
    )
    return replace(campaign, summaries=kept)


def by_scoring(campaign: Campaign, measure: str, size: int) -> set[float]:
    """Pearson of system means with responsiveness for every way to choose the models, each scored anew."""
    reference = cube_of(pyramidion.score(campaign, RESPONSIVENESS))[RESPONSIVENESS].mean(axis=1)
    choices = []
    for topic in campaign.topic_ids:
        models = [one.summarizer for one in campaign.summaries if one.topic == topic and one.kind == "model"]
        choices.append(list(combinations(models, size)))
    correlations = set()
    for chosen in product(*choices):
        part = with_models(campaign, dict(zip(campaign.topic_ids, chosen, strict=True)))
        means = cube_of(pyramidion.score(part, measure))[measure].mean(axis=1)
        correlations.add(round(float(pearsonr(means, reference).statistic), 7))
    return correlations


@pytest.mark.parametrize("measure", ["rouge-1.recall", "rouge-2(models=best).f"])
def test_the_draws_are_all_the_ways_to_choose_models_and_no_others(two_topics: Campaign, measure: str) -> None:
    found = study.models(two_topics, [measure], with_=[RESPONSIVENESS], resamples=600)
    for size in (1, 2):
        drawn = found.curve(found.measures[0], RESPONSIVENESS).drawn[size]
        assert set(np.round(drawn, 7)) == by_scoring(two_topics, found.measures[0], size)


def test_the_full_row_is_what_scoring_with_all_models_gives(two_topics: Campaign) -> None:
    found = study.models(two_topics, ["rouge-2.recall"], with_=[RESPONSIVENESS], coefficient="spearman", resamples=10)
    cube = cube_of(pyramidion.score(two_topics, ["rouge-2.recall", RESPONSIVENESS]))
    expected = spearmanr(cube["rouge-2.recall"].mean(axis=1).round(9), cube[RESPONSIVENESS].mean(axis=1).round(9))
    (actual,) = (point for point in found.points if point.kind == "actual")
    assert actual.k == 3
    assert actual.mean == pytest.approx(expected.statistic, abs=1e-9)


def test_pyramids_are_weighed_anew_for_the_drawn_models() -> None:
    found = study.models(pyramidion.load("demo"), ["pyramid.modified"], with_=[RESPONSIVENESS, ITSELF], resamples=50)
    against_itself = {point.k: point.mean for point in found.points if point.with_ == ITSELF and point.kind == "drawn"}
    assert list(against_itself) == [1, 2, 3]
    assert 0.5 < (against_itself[1] or 0) < (against_itself[2] or 0) < (against_itself[3] or 0) < 1
    halves = {point.k for point in found.points if point.kind == "halves"}
    assert halves == {1, 2}


def test_the_same_seed_gives_the_same_study(two_topics: Campaign) -> None:
    one, two, other = (
        study.models(two_topics, ["rouge-1.recall"], with_=[RESPONSIVENESS], resamples=50, seed=seed)
        for seed in (3, 3, 4)
    )
    assert one.points == two.points
    assert one.points != other.points


def test_a_topic_with_too_few_models_is_left_out_of_that_k_and_counted() -> None:
    demo = pyramidion.load("demo")
    first = demo.topic_ids[0]
    fewer = with_models(demo, {topic: ("A", "B") if topic == first else tuple("ABCDEFGH") for topic in demo.topic_ids})
    found = study.models(fewer, ["rouge-1.recall"], with_=[RESPONSIVENESS], resamples=5)
    topics = {point.k: point.topics for point in found.points if point.kind == "drawn"}
    assert topics == {1: 11, 2: 11, 3: 10} or topics[3] == topics[2] - 1


def test_what_does_not_depend_on_models_is_refused_with_the_way_out() -> None:
    demo = pyramidion.load("demo")
    with pytest.raises(UsageError, match="does not use references; correlate with it"):
        study.models(demo, [RESPONSIVENESS], with_=[RESPONSIVENESS])
    with pytest.raises(UsageError, match="chooses the references itself"):
        study.models(demo, ["rouge-1(jackknife=yes).recall"], with_=[RESPONSIVENESS])


def test_a_single_model_is_refused() -> None:
    demo = pyramidion.load("demo")
    one = with_models(demo, dict.fromkeys(demo.topic_ids, ("A",)))
    with pytest.raises(InputError, match="no topic has two references"):
        study.models(one, ["rouge-1.recall"], with_=[RESPONSIVENESS])


def test_the_order_of_the_files_changes_nothing(two_topics: Campaign) -> None:
    turned = replace(
        two_topics,
        topics=two_topics.topics[::-1],
        summaries=two_topics.summaries[::-1],
        judgments=two_topics.judgments[::-1],
    )
    one, other = (
        study.models(campaign, ["rouge-1.recall"], with_=[RESPONSIVENESS], resamples=30)
        for campaign in (two_topics, turned)
    )
    for found, expected in zip(one.points, other.points, strict=True):
        assert found.mean == pytest.approx(expected.mean, abs=1e-12)


def test_a_python_function_that_does_not_need_models_is_refused() -> None:
    length = from_function("my-length", lambda summary, topic: float(len(topic.models)))
    with pytest.raises(UsageError, match="does not use references; correlate with it"):
        study.models(pyramidion.load("demo"), [length], with_=[RESPONSIVENESS])


def test_a_python_function_is_called_with_the_sampled_models(two_topics: Campaign) -> None:
    def rouge(summary: Summary, topic: TopicData) -> float:
        """ROUGE-1 recall over all models together, from scratch."""
        found = Rouge(kind=OverlapKind("n", 1)).evidence(replace(topic, peers=(summary,)))
        assert found is not None
        return float(found.values(np.ones((1, len(topic.models)), dtype=np.bool_))[0, 0, 0])

    ours, theirs = (
        study.models(two_topics, [measure], with_=[RESPONSIVENESS], resamples=5)
        for measure in ("rouge-1.recall", from_function("mine", rouge, needs=["models"]))
    )
    assert theirs.measures == ("mine.value",)
    for one, other in zip(ours.points, theirs.points, strict=True):
        assert one.mean == pytest.approx(other.mean, abs=1e-12, nan_ok=True)


def test_only_judged_summarizers_are_counted() -> None:
    """Seven of the 20 systems are judged, as `correlate` says, too."""
    demo = pyramidion.load("demo")
    judged = {f"{number}" for number in range(1, 8)}
    some = replace(demo, judgments=tuple(one for one in demo.judgments if one.summarizer in judged))
    expected = pyramidion.correlate(some, ["rouge-1.recall"], with_=[RESPONSIVENESS]).correlations[0].n
    for found in (
        study.models(some, ["rouge-1.recall"], with_=[RESPONSIVENESS], resamples=5),
        study.topics(some, ["rouge-1.recall"], with_=[RESPONSIVENESS], resamples=5),
    ):
        assert {point.summarizers for point in found.points if point.kind != "halves"} == {expected} == {7}
        assert any(note.startswith("7 summarizers, 11 topics") for table in found.tables() for note in table.notes)


def test_parts_are_scored_once_and_give_what_each_part_gives_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    options: dict[str, Any] = {"with_": [RESPONSIVENESS, ITSELF], "resamples": 20}
    alone = {part: study.models("demo", ["rouge-1.recall"], where={"part": part}, **options) for part in ("A", "B")}
    calls = []

    def counted(*given: Any) -> Any:
        calls.append(given)
        return gather(*given)

    monkeypatch.setattr(evidence_store, "gather", counted)
    together = study.models("demo", ["rouge-1.recall"], by="part", **options)
    assert len(calls) == 1
    assert {part.name for part in together.parts} == {"A", "B"}
    for part, found in alone.items():
        assert [replace(one, part="") for one in together.points if one.part == part] == list(found.points)
        assert [replace(one, part="") for one in together.gains if one.part == part] == list(found.gains)


@pytest.mark.parametrize("seed", range(3))
def test_drawn_means_are_those_of_a_plain_loop(seed: int) -> None:
    """Unequal numbers of models, missing peers and missing values, against adding up one by one."""
    random = np.random.default_rng(seed)
    peers = ("a", "b", "c", "d")
    measure = select("rouge-1.recall")
    evidence = [
        TopicEvidence(topic=f"t{number}", evidence={measure.measure: PlainEvidence.drawn(random, peers, models)})
        for number, models in enumerate((3, 5, 2, 4))
    ]
    draws = ModelDraws({"m": measure}, evidence, peers, 40, np.random.default_rng(seed))
    again = ModelDraws({"m": measure}, evidence, peers, 40, np.random.default_rng(seed))
    drawn, halves = draws.means(2)
    expected = np.full((3, 40, len(peers)), np.nan)  # all that is drawn, then the two halves
    values: list[list[list[list[float]]]] = [[[[] for _ in peers] for _ in range(40)] for _ in range(3)]
    for topic in evidence:
        (one,) = topic.evidence.values()
        subsets = again._draw_subsets(len(one.models), 2)
        for place, some in enumerate([subsets[0], *(subsets if len(subsets) == 2 else [])]):
            found = one.values(some.masks)[some.which, :, 0]
            for repetition in range(40):
                for peer, value in zip(one.peers, found[repetition], strict=True):
                    if not np.isnan(value):
                        values[place][repetition][peers.index(peer)].append(value)
    for place, repetition, peer in np.ndindex(expected.shape):
        if values[place][repetition][peer]:
            expected[place, repetition, peer] = np.mean(values[place][repetition][peer])
    np.testing.assert_allclose(drawn["m"], expected[0], atol=1e-8)
    np.testing.assert_allclose(halves["m"][0], expected[1], atol=1e-8)
    np.testing.assert_allclose(halves["m"][1], expected[2], atol=1e-8)


def test_two_disjoint_sets_are_compared_on_the_same_topics() -> None:
    """One topic has two models, the other one: by hand, only the first can give two sets of one model.

    Its models are "red" and "blue"; a has both words, b one of them, c none. Against one model the scores are 1, 1, 0,
    against the other 1, 0, 0, whose Pearson correlation is 1/2. The second topic, turned round, must not matter.
    """
    campaign = _flat(
        [
            ("t1", "a", "red blue", ["red", "blue"]),
            ("t1", "b", "red", ["red", "blue"]),
            ("t1", "c", "x", ["red", "blue"]),
            ("t2", "a", "x", ["green"]),
            ("t2", "b", "x", ["green"]),
            ("t2", "c", "green", ["green"]),
        ]
    )
    found = study.models(campaign, ["rouge-1.recall"], with_=["itself"], resamples=20)
    (half,) = [point for point in found.points if point.kind == "halves"]
    assert half.mean == pytest.approx(0.5, abs=1e-9)
    assert half.sd == pytest.approx(0, abs=1e-9)
    assert half.topics == 1


def _flat(rows: list[tuple[str, str, str, list[str]]]) -> Campaign:
    keys = ("topic", "summarizer", "summary", "references")
    return pyramidion.load([dict(zip(keys, row, strict=True)) for row in rows])


@dataclass(frozen=True, eq=False)
class PlainEvidence:
    """Means of the values of the chosen models, some of which are missing."""

    peers: tuple[str, ...]
    models: tuple[str, ...]
    each: np.ndarray
    statistics: tuple[str, ...] = ("recall",)

    @classmethod
    def drawn(cls, random: np.random.Generator, peers: tuple[str, ...], models: int) -> PlainEvidence:
        present = tuple(peer for peer in peers if random.random() < 0.8) or peers[:1]
        each = np.where(random.random((len(present), models)) < 0.1, np.nan, random.random((len(present), models)))
        return cls(present, tuple(f"m{number}" for number in range(models)), each)

    @property
    def own(self) -> np.ndarray:
        return np.zeros((len(self.peers), len(self.models)), dtype=bool)

    def values(self, masks: np.ndarray) -> np.ndarray:
        chosen: np.ndarray = masks.astype(float) @ self.each.T / masks.sum(axis=1, keepdims=True)
        return np.expand_dims(chosen, 2)

    def counts(self, masks: np.ndarray) -> None:
        return None
