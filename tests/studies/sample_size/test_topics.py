"""How many topics: draws against an enumeration of all subsets."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import get_args

import numpy as np
import pytest
from scipy.stats import pearsonr

from pyramidion.errors import InputError, UsageError
from pyramidion.options import Coefficient, TopicsOptions
from pyramidion.scores import ScoreTable
from pyramidion.studies.sample_size import ITSELF, SampleSizeStudy
from pyramidion.studies.sample_size import study_topics as study_parts


def table(values: dict[str, np.ndarray], missing: float = 0.0, seed: int = 0) -> ScoreTable:
    random = np.random.default_rng(seed)
    rows = [
        (f"imported.{name}", f"s{summarizer}", f"t{topic}", float(value))
        for name, matrix in values.items()
        for (summarizer, topic), value in np.ndenumerate(matrix)
        if random.random() >= missing
    ]
    measure, summarizer, topic, value = zip(*rows, strict=True)
    return ScoreTable.from_columns(measure=measure, summarizer=summarizer, topic=topic, value=value)


def scores(summarizers: int = 8, topics: int = 6, seed: int = 1) -> dict[str, np.ndarray]:
    random = np.random.default_rng(seed)
    quality = random.normal(size=(summarizers, 1))
    return {name: quality + random.normal(size=(summarizers, topics)) for name in ("a", "b", "human")}


def study_topics(
    scored: ScoreTable, measures: Sequence[str], with_: Sequence[str], **options: object
) -> SampleSizeStudy:
    return study_parts({"": scored}, measures, with_, TopicsOptions.of(options))


def test_the_draws_are_all_subsets_of_topics_and_no_others() -> None:
    values = scores()
    study = study_topics(table(values), ["imported.a"], ["imported.human"], sizes=[2, 4], resamples=900)
    human = values["human"].mean(axis=1)
    for size in (2, 4):
        expected = {
            round(float(pearsonr(values["a"][:, list(chosen)].mean(axis=1), human).statistic), 7)
            for chosen in combinations(range(6), size)
        }
        assert set(np.round(study.curve("imported.a", "imported.human").drawn[size], 7)) == expected


def test_sizes_that_are_not_below_the_number_of_topics_are_dropped() -> None:
    study = study_topics(table(scores()), ["imported.a"], ["imported.human"], resamples=10)
    assert [point.k for point in study.points if point.kind == "drawn"] == [1, 3]
    assert [(point.k, point.kind) for point in study.points if point.kind in ("bootstrapped", "actual")] == [
        (6, "bootstrapped"),
        (6, "actual"),
    ]


def test_two_halves_have_no_topic_in_common() -> None:
    """With two topics and k = 1 the halves are the two topics: one value whatever is drawn."""
    values = {"a": np.array([[1.0, 2.0], [3.0, 1.0], [2.0, 5.0]])}
    study = study_topics(table(values), ["imported.a"], [ITSELF], sizes=[1], resamples=20)
    (halves,) = (point for point in study.points if point.kind == "halves")
    assert halves.mean == pytest.approx(pearsonr(values["a"][:, 0], values["a"][:, 1]).statistic)
    assert halves.sd == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("coefficient", get_args(Coefficient))
def test_missing_cells_are_borne(coefficient: str) -> None:
    study = study_topics(
        table(scores(topics=9), missing=0.3),
        ["imported.a", "imported.b"],
        ["imported.human", ITSELF],
        sizes=[1, 4],
        resamples=40,
        coefficient=coefficient,
    )
    assert all(point.n + point.undefined in (1, 40, 400, 0) for point in study.points)
    assert all(point.mean is None or -1 <= point.mean <= 1 for point in study.points)


def test_the_least_number_of_topics_is_the_first_that_is_near_enough() -> None:
    study = study_topics(
        table(scores(topics=20)), ["imported.a"], ["imported.human"], sizes=range(1, 20), tolerance=0.05
    )
    (gain,) = study.gains
    means = {point.k: point.mean for point in study.points if point.kind == "drawn"}
    (actual,) = (point.mean for point in study.points if point.kind == "actual")
    assert actual is not None
    assert gain.least == next(k for k, mean in means.items() if mean is not None and mean >= actual - 0.05)
    assert gain.gain == pytest.approx(actual - (means[1] or 0))


def test_a_measure_that_falls_as_quality_rises_grows_downwards() -> None:
    values = scores(topics=20)
    turned = {**values, "a": -values["a"]}
    up, down = (
        study_topics(table(one), ["imported.a"], ["imported.human"], sizes=[1, 5, 15], tolerance=0.05).gains[0]
        for one in (values, turned)
    )
    assert up.least == down.least
    assert up.gain == pytest.approx(-(down.gain or 0))


def test_a_sentence_names_the_measures_that_do_not_differ() -> None:
    values = scores(topics=12)
    study = study_topics(
        table({**values, "c": values["a"]}), ["imported.a", "imported.b", "imported.c"], ["imported.human"], sizes=[2]
    )
    (sentence,) = (one for one in study.sentences() if "random samples of topics" in one)
    assert "imported.a and imported.c at k = 2, 12" in sentence


def test_parts_are_compared_cell_by_cell() -> None:
    near = table(scores(topics=12))
    far = table({**scores(topics=12), "a": np.random.default_rng(9).normal(size=(8, 12))})
    options = TopicsOptions(sizes=[2], resamples=200)
    found = study_parts({"A": near, "B": far}, ["imported.a"], ["imported.human"], options)
    tests = [test for test in found.tests if test.over == "parts"]
    assert [(test.k, bool(test.alike)) for test in tests] == [(2, False), (12, False)]
    sentences = [one for one in found.sentences() if one.startswith("The parts differ in each cell") and "(5 %" in one]
    assert len(sentences) == 1
    assert "except" not in sentences[0]
    same = study_parts({"A": near, "C": near}, ["imported.a"], ["imported.human"], options)
    assert all(test.alike for test in same.tests if test.over == "parts")


def test_one_topic_is_refused_and_so_is_nothing_to_study() -> None:
    with pytest.raises(InputError, match="on one topic"):
        study_topics(table(scores(topics=1)), ["imported.a"], ["imported.human"])
    with pytest.raises(InputError, match=r"no summary has a score on imported\.nothing"):
        study_topics(table(scores()), ["imported.a"], ["imported.nothing"])
    with pytest.raises(UsageError, match="can't be correlated with itself"):
        study_topics(table(scores()), ["imported.a"], ["imported.a"])


def test_a_constant_measure_is_undefined_never_zero() -> None:
    study = study_topics(
        table({**scores(), "a": np.ones((8, 6))}), ["imported.a"], ["imported.human"], sizes=[2], resamples=10
    )
    own = [point for point in study.points if point.measure == "imported.a"]
    assert {point.mean for point in own} == {None}
    assert all(point.reason for point in own)


def test_systems_without_a_common_topic_are_refused() -> None:
    rows = [
        (f"imported.{name}", f"s{system}", f"t{system}-{topic}", float(system + topic))
        for name in ("a", "human")
        for system in range(4)
        for topic in range(2)
    ]
    measure, summarizer, topic, value = zip(*rows, strict=True)
    scored = ScoreTable.from_columns(measure=measure, summarizer=summarizer, topic=topic, value=value)
    with pytest.raises(InputError, match=r"no two of the 4 systems with scores on imported[.]a have a topic in common"):
        study_topics(scored, ["imported.a"], ["imported.human"], resamples=10)


def test_groups_of_systems_without_a_common_topic_are_noted() -> None:
    """As where a main and an update task are in one campaign, each with its own systems."""
    random = np.random.default_rng(3)
    cells = [(f"s{system}", f"t{topic}") for system in range(6) for topic in range(6) if (system < 3) == (topic < 3)]
    measures = ("imported.a", "imported.human")
    scored = ScoreTable.from_columns(
        measure=[name for name in measures for _ in cells],
        summarizer=[system for _ in measures for system, _ in cells],
        topic=[topic for _ in measures for _, topic in cells],
        value=random.normal(size=2 * len(cells)).tolist(),
    )
    study = study_topics(scored, ["imported.a"], ["imported.human"], sizes=[2], resamples=10)
    assert any("6 systems fall into 2 groups that share no topic" in point.note for point in study.points)
