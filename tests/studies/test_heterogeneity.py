"""The study of heterogeneity on score tables; figures of golden/statistics/meta.json come from other programs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import pyramidion
from pyramidion.campaign import write_folder
from pyramidion.errors import InputError, UsageError
from pyramidion.options import HeterogeneityOptions
from pyramidion.scores import ScoreTable
from pyramidion.studies.heterogeneity import HeterogeneityStudy
from pyramidion.studies.heterogeneity import study_heterogeneity as study

GOLDEN = Path(__file__).parents[1] / "golden" / "statistics"
Floats = NDArray[np.float64]


def table_of(
    values: dict[str, Floats],
    *,
    low_is_good: tuple[str, ...] = (),
    summarizers: list[str] | None = None,
    topics: list[str] | None = None,
) -> ScoreTable:
    rows = [
        (
            f"imported.{name}",
            summarizers[summarizer] if summarizers else f"s{summarizer}",
            topics[topic] if topics else f"t{topic}",
            float(value),
        )
        for name, matrix in values.items()
        for (summarizer, topic), value in np.ndenumerate(matrix)
        if not np.isnan(value)
    ]
    measure, summarizer, topic, value = zip(*rows, strict=True)
    turned = {f"imported.{name}": False for name in low_is_good}
    return ScoreTable.from_columns(
        measure=measure, summarizer=summarizer, topic=topic, value=value, higher_is_better=turned
    )


def study_heterogeneity(
    table: ScoreTable, quality: str, *, measures: list[str] | None = None, seed: int = 0, **options: object
) -> HeterogeneityStudy:
    names = [name for name in table.measures if name != quality] if measures is None else measures
    return study(table, quality, names, HeterogeneityOptions.of(options), seed=seed)


@pytest.mark.parametrize("name", ["realsumm", "summeval"])
def test_the_study_of_public_data_is_that_of_the_reference(name: str) -> None:
    expected: dict[str, Any] = json.loads((GOLDEN / "meta.json").read_text())["sets"][name]["hbr"]["values"]
    scores = json.loads((GOLDEN / "meta_scores" / f"{name}.json").read_text())
    values = {measure: np.array(scores["rouge"][measure]) for measure in expected["measures"]}
    quality = np.array(scores["human"][expected["quality"].partition(" =")[0]])
    table = table_of({**values, "quality": quality}, summarizers=scores["summarizers"], topics=scores["topics"])
    result = study_heterogeneity(table, "imported.quality")
    found = {one.measure.removeprefix("imported."): one for one in result.aucs if one.measure != result.hbr}
    found["HBR"] = next(one for one in result.aucs if one.measure == result.hbr)
    assert result.pairs == expected["n_pairs"]
    assert result.summary.consistent == expected["n_consistent_topics"]
    for measure, one in found.items():
        assert one.auc == pytest.approx(expected["macro_AUC"][measure], abs=1e-5)
        assert one.pooled == pytest.approx(expected["micro_AUC"][measure], abs=1e-5)
        assert one.robustness == pytest.approx(expected["robustness"][measure], abs=1e-5)
        assert one.consistent == pytest.approx(expected["macro_AUC_on_consistent_topics"][measure], abs=1e-5)
        if measure != "HBR":
            t, p = expected["paired_t_HBR_minus_measure"][measure]
            assert one.t == pytest.approx(t, abs=1e-3)
            assert one.p == pytest.approx(p, rel=1e-2)
    assert result.sets[0].value == pytest.approx(expected["H"]["all 9"], abs=1e-5)
    assert result.summary.bin_correlation == pytest.approx(expected["H_vs_quality_100_bins_pearson"], abs=0.002)


def noisy(measures: int = 3, summarizers: int = 8, topics: int = 6, seed: int = 1) -> dict[str, Floats]:
    random = np.random.default_rng(seed)
    quality = random.normal(size=(summarizers, topics))
    values = {f"m{number}": quality + random.normal(size=quality.shape) for number in range(measures)}
    return {**values, "quality": np.round(quality)}


def test_a_measure_where_low_is_good_is_turned_round() -> None:
    values = noisy()
    plain = study_heterogeneity(table_of(values), "imported.quality")
    turned = study_heterogeneity(
        table_of({**values, "m0": -values["m0"], "quality": -values["quality"]}, low_is_good=("m0", "quality")),
        "imported.quality",
    )
    assert turned.aucs == plain.aucs
    assert turned.sets == plain.sets


def test_bins_hold_every_ordered_pair_once_and_are_equally_large() -> None:
    result = study_heterogeneity(table_of(noisy()), "imported.quality", bins=7)
    sizes = [one.n for one in result.bins]
    assert sum(sizes) == 8 * 7 * 6
    assert max(sizes) - min(sizes) <= 1
    assert [one.h for one in result.bins] == sorted(one.h for one in result.bins)


def test_equal_means_of_assessors_that_differ_in_their_last_bits_are_no_difference_of_quality() -> None:
    values = noisy(measures=1, topics=1)
    values["quality"] = np.array([[0.1 + 0.2], [0.3], [0.3], [0.3], [0.3], [0.3], [0.3], [0.3]])
    (one, other) = study_heterogeneity(table_of(values), "imported.quality").aucs
    assert one.auc is other.auc is None
    assert one.undefined == 1


@given(st.integers(1, 3), st.integers(1, 4), st.integers(1, 3), st.floats(0, 0.6), st.integers(0, 50), st.booleans())
@settings(deadline=None, max_examples=60)
def test_whatever_is_missing_there_is_an_answer_or_a_refusal(
    measures: int, summarizers: int, topics: int, missing: float, seed: int, drawn: bool
) -> None:
    random = np.random.default_rng(seed)
    values = {
        name: np.where(random.random(matrix.shape) < missing, np.nan, np.round(matrix))
        for name, matrix in noisy(measures, summarizers, topics, seed).items()
    }
    if any(np.isnan(matrix).all() for matrix in values.values()):
        return
    try:
        result = study_heterogeneity(table_of(values), "imported.quality", sample=20 if drawn else None, bins=4)
    except InputError as refusal:
        assert "no summary has a score" in str(refusal)
        return
    for one in result.aucs:
        assert one.n + one.undefined == result.summary.n
        assert one.auc is None or 0 <= one.auc <= 1
        assert (one.auc is None) == (one.rank is None) == (one.n == 0)
    assert all(one.value is None or 0 <= one.value <= 1 for one in result.sets)


def test_what_makes_no_sense_is_refused() -> None:
    table = table_of(noisy())
    with pytest.raises(UsageError, match="at least one measure other than"):
        study_heterogeneity(table, "imported.quality", measures=["imported.quality"])
    with pytest.raises(UsageError, match="`worst=0`: expected more than 0"):
        study_heterogeneity(table, "imported.quality", worst=0)
    with pytest.raises(UsageError, match="`bins=1`"):
        study_heterogeneity(table, "imported.quality", bins=1)
    with pytest.raises(UsageError, match="`sample=0`"):
        study_heterogeneity(table, "imported.quality", sample=0)
    with pytest.raises(UsageError, match=r"no measure 'imported\.nothing'"):
        study_heterogeneity(table, "imported.nothing")


def test_the_sample_repeats_with_its_seed_and_is_named_in_the_combined_measure() -> None:
    table = table_of(noisy())
    one, two, other = (study_heterogeneity(table, "imported.quality", sample=30, seed=seed) for seed in (3, 3, 4))
    assert one == two
    assert one.sets != other.sets
    assert "sample=30,seed=3" in one.hbr


def test_topics_where_a_measure_is_no_evidence_of_quality_are_named() -> None:
    quality = np.array([[1.0, 1.0], [2.0, 2.0], [3.0, 3.0]])
    bad = np.array([[1.0, 3.0], [2.0, 2.0], [3.0, 1.0]])  # turned round on the second topic: AUC 0
    found = study_heterogeneity(table_of({"good": quality, "bad": bad, "quality": quality}), "imported.quality")
    (topic,) = found.inconsistent
    assert (topic.topic, topic.measures, topic.lowest) == ("t1", ("imported.bad",), 0.0)
    assert found.summary.consistent == 1


def test_the_worst_topics_are_given_in_per_cent_and_every_null_has_a_reason() -> None:
    found = study_heterogeneity(table_of(noisy()), "imported.quality", worst=50.0)
    records = list(found.records())
    assert [one["worst"] for one in records if one["record"] == "heterogeneity-topics"] == [50.0]
    assert [one for one in records if None in one.values() and not one.get("reason")] == []
    assert "robustness (worst 50 %)" in [column.name for column in found.tables()[0].columns]


def test_several_campaigns_are_studied_as_one_and_their_topics_keep_apart(tmp_path: Path) -> None:
    campaign = pyramidion.load("demo")
    first, second = (set(part) for part in (campaign.topic_ids[:5], campaign.topic_ids[5:]))
    for name, topics in (("first", first), ("second", second)):
        write_folder(campaign.restricted(topics), tmp_path / name)
    measures = ["rouge-1", "rouge-2.recall", "js"]
    whole = pyramidion.study.heterogeneity("demo", measures, with_="question.focus")
    both = pyramidion.study.heterogeneity([tmp_path / "first", tmp_path / "second"], measures, with_="question.focus")
    assert [row for row in both.records() if row["record"] != "inconsistent-topic"] == [
        row for row in whole.records() if row["record"] != "inconsistent-topic"
    ]
    assert {one.topic.split("/")[1] for one in both.inconsistent} == {one.topic for one in whole.inconsistent}
    assert whole.inconsistent
    named = whole.inconsistent[0]
    (sentence,) = (line for line in whole.sentences() if "Not so in" in line)
    assert f"Not so in {named.topic} ({named.measures[0]}" in sentence
    with pytest.raises(UsageError, match="one campaign at a time"):
        pyramidion.compare([tmp_path / "first", tmp_path / "second"], "rouge-1.f")
