"""Heterogeneity and the ranking that rests on it; figures of golden/statistics/meta.json come from other programs."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import ttest_rel

from pyramidion.statistics import heterogeneity as module
from pyramidion.statistics.auc import area_under_curve, consistent_topics, robustness
from pyramidion.statistics.heterogeneity import corroboration, estimate_heterogeneity, heterogeneity_ranking

GOLDEN = Path(__file__).parents[1] / "golden" / "statistics"
Floats = NDArray[np.float64]


class GoldenSet:
    """The matrices of one public campaign, and what must come out for them."""

    def __init__(self, name: str) -> None:
        self.expected: dict[str, Any] = json.loads((GOLDEN / "meta.json").read_text())["sets"][name]["hbr"]["values"]
        scores = json.loads((GOLDEN / "meta_scores" / f"{name}.json").read_text())
        self.names: list[str] = self.expected["measures"]
        self.values = np.array([scores["rouge"][measure] for measure in self.names])
        self.quality = np.array(scores["human"][self.expected["quality"].partition(" =")[0]])
        self.heterogeneity = estimate_heterogeneity(self.values)
        self.ranking = np.round(heterogeneity_ranking(corroboration(self.values, self.heterogeneity)), 9)
        self.auc = area_under_curve(np.concatenate([self.values, self.ranking[None]]), self.quality)

    def of_all(self, what: str) -> list[float]:
        """Expected values of the measures and, last, of HBR."""
        return [self.expected[what][name] for name in [*self.names, "HBR"]]


@pytest.fixture(scope="module", params=["realsumm", "summeval"])
def golden(request: pytest.FixtureRequest) -> GoldenSet:
    return GoldenSet(request.param)


def test_heterogeneity_of_sets_is_that_of_the_reference(golden: GoldenSet) -> None:
    assert golden.heterogeneity.pairs == golden.expected["n_pairs"]
    assert golden.heterogeneity.left_out == 0
    for written, expected in golden.expected["H"].items():
        members = golden.names if written == "all 9" else written.split(",")
        chosen = [
            name.replace("R1-", "ROUGE-1-").replace("R2-", "ROUGE-2-").replace("RL-", "ROUGE-L-") for name in members
        ]
        flags = np.array([[name in (golden.names if written == "all 9" else chosen) for name in golden.names]])
        assert golden.heterogeneity.of(flags)[0] == pytest.approx(expected, abs=1e-5)


def test_auc_robustness_and_consistent_topics_are_those_of_the_reference(golden: GoldenSet) -> None:
    np.testing.assert_allclose(golden.auc.macro, golden.of_all("macro_AUC"), atol=1e-5)
    np.testing.assert_allclose(golden.auc.micro, golden.of_all("micro_AUC"), atol=1e-5)
    np.testing.assert_allclose(robustness(golden.auc.by_topic), golden.of_all("robustness"), atol=1e-5)
    consistent = consistent_topics(golden.auc.by_topic[:-1])
    assert consistent.sum() == golden.expected["n_consistent_topics"]
    np.testing.assert_allclose(
        golden.auc.by_topic[:, consistent].mean(axis=1), golden.of_all("macro_AUC_on_consistent_topics"), atol=1e-5
    )
    assert golden.auc.undefined.max() == golden.expected["n_topics_undefined"]


def test_the_ranking_is_that_of_the_reference(golden: GoldenSet) -> None:
    np.testing.assert_allclose(
        golden.ranking.mean(axis=1), list(golden.expected["HBR_system_means"].values()), atol=1e-5
    )
    first = [value for key, value in golden.expected["HBR_of_first_topic"].items() if key != "topic"]
    np.testing.assert_allclose(golden.ranking[:, 0], first, atol=1e-5)


def test_paired_t_tests_against_the_ranking_are_those_of_the_reference(golden: GoldenSet) -> None:
    for row, name in enumerate(golden.names):
        t, p = golden.expected["paired_t_HBR_minus_measure"][name]
        test = ttest_rel(golden.auc.by_topic[-1], golden.auc.by_topic[row])
        assert test.statistic == pytest.approx(t, abs=1e-3)
        assert test.pvalue == pytest.approx(p, rel=1e-2)


def test_heterogeneity_against_quality_is_that_of_the_reference(golden: GoldenSet) -> None:
    pairs = corroboration(golden.values, golden.heterogeneity)
    better = (golden.quality.T[:, :, None] >= golden.quality.T[:, None, :]).astype(float)
    defined = ~np.isnan(pairs)
    order = np.argsort(pairs[defined], kind="stable")
    bins = [
        (h.mean(), q.mean())
        for h, q in zip(
            np.array_split(pairs[defined][order], 100), np.array_split(better[defined][order], 100), strict=True
        )
    ]
    correlation = np.corrcoef(np.array(bins).T)[0, 1]
    assert correlation == pytest.approx(golden.expected["H_vs_quality_100_bins_pearson"], abs=0.002)


def by_definition(values: Floats, members: tuple[int, ...]) -> float:
    """H of a set straight from its definition, pair by pair."""
    contradicted = pairs = 0
    for topic in range(values.shape[2]):
        for one, other in itertools.combinations(range(values.shape[1]), 2):
            differences = values[:, one, topic] - values[:, other, topic]
            if np.isnan(differences).any():
                continue
            pairs += 1
            chosen = differences[list(members)]
            contradicted += bool((chosen > 0).any() and (chosen < 0).any())
    return contradicted / pairs if pairs else float("nan")


few_values = st.integers(0, 3) | st.just(np.nan)


@st.composite
def cubes(draw: st.DrawFn, measures: int = 4) -> Floats:
    shape = (measures, draw(st.integers(1, 5)), draw(st.integers(1, 3)))
    return np.array(draw(st.lists(few_values, min_size=int(np.prod(shape)), max_size=int(np.prod(shape))))).reshape(
        shape
    )


@given(cubes())
@settings(deadline=None)
def test_heterogeneity_is_what_its_definition_says(values: Floats) -> None:
    estimated = estimate_heterogeneity(values)
    sets = list(itertools.chain.from_iterable(itertools.combinations(range(4), size) for size in range(5)))
    flags = np.array([[measure in members for measure in range(4)] for members in sets])
    np.testing.assert_allclose(estimated.of(flags), [by_definition(values, members) for members in sets], atol=1e-12)
    all_at_once = estimated._of_all_sets() if estimated.pairs else None
    if all_at_once is not None:
        bits = flags @ (1 << np.arange(4))
        np.testing.assert_allclose(all_at_once[bits], estimated.of(flags), atol=1e-12)


def ranking_of(values: Floats) -> Floats:
    return heterogeneity_ranking(corroboration(values, estimate_heterogeneity(values)))


@given(cubes(), st.integers(0, 3))
@settings(deadline=None)
def test_no_strictly_increasing_transform_changes_the_ranking(values: Floats, measure: int) -> None:
    changed = values.copy()
    changed[measure] = np.exp(changed[measure]) - 7
    np.testing.assert_array_equal(ranking_of(changed), ranking_of(values))


@given(cubes(), st.integers(0, 3), st.integers(1, 70))
@settings(deadline=None)
def test_no_duplicated_measure_changes_the_ranking(values: Floats, measure: int, times: int) -> None:
    duplicated = np.concatenate([values, np.repeat(values[measure][None], times, axis=0)])
    np.testing.assert_allclose(ranking_of(duplicated), ranking_of(values), atol=1e-12)


@given(cubes(), st.randoms(use_true_random=False))
@settings(deadline=None)
def test_the_order_of_summarizers_and_measures_does_not_matter(values: Floats, random: Any) -> None:
    measures = random.sample(range(values.shape[0]), values.shape[0])
    summarizers = random.sample(range(values.shape[1]), values.shape[1])
    np.testing.assert_allclose(
        ranking_of(values[measures][:, summarizers]), ranking_of(values)[summarizers], atol=1e-12
    )


def test_a_random_measure_moves_heterogeneity_half_way_to_one() -> None:
    """Paper 001, §3.2: H(X ∪ {r}) → (H(X) + 1) / 2, within three standard errors."""
    random = np.random.default_rng(11)
    quality = random.normal(size=(1, 20, 400))
    values = np.concatenate([quality + 0.7 * random.normal(size=(3, 20, 400)), random.random((1, 20, 400))])
    heterogeneity = estimate_heterogeneity(values)
    without, with_random = heterogeneity.of(np.array([[1, 1, 1, 0], [1, 1, 1, 1]], dtype=bool))
    # within a topic the 190 pairs depend on each other; the 400 topics do not
    by_topic = [
        np.diff(estimate_heterogeneity(values[:, :, [topic]]).of(np.array([[1, 1, 1, 0], [1, 1, 1, 1]], dtype=bool)))[0]
        for topic in range(400)
    ]
    error = np.std(by_topic, ddof=1) / np.sqrt(len(by_topic))
    assert abs(with_random - (without + 1) / 2) < 3 * error


def test_sampled_heterogeneity_is_near_the_exact_one_and_repeats_with_its_seed() -> None:
    random = np.random.default_rng(3)
    values = random.normal(size=(4, 10, 30))
    everyone = np.ones((1, 4), dtype=bool)
    exact = estimate_heterogeneity(values).of(everyone)[0]
    sampled = estimate_heterogeneity(values, sample=10_000, seed=1)
    assert sampled.pairs == 10_000
    assert abs(sampled.of(everyone)[0] - exact) < 4 * np.sqrt(exact * (1 - exact) / 10_000)
    assert estimate_heterogeneity(values, sample=10_000, seed=1).of(everyone) == sampled.of(everyone)


def test_a_frozen_corpus_ranks_newcomers_against_its_own_summaries() -> None:
    corpus = np.random.default_rng(6).normal(size=(3, 5, 4))
    heterogeneity = estimate_heterogeneity(corpus)
    again = corroboration(corpus, heterogeneity, compared_values=corpus, is_same=np.eye(5, dtype=bool))
    np.testing.assert_allclose(again, corroboration(corpus, heterogeneity), atol=1e-12)
    best = heterogeneity_ranking(corroboration(np.full((3, 1, 4), 9.0), heterogeneity, compared_values=corpus))
    np.testing.assert_allclose(best, np.full((1, 4), heterogeneity.of(np.ones((1, 3), dtype=bool))[0]), atol=1e-12)


def test_any_two_summaries_make_a_pair_when_asked_for() -> None:
    values = np.random.default_rng(5).normal(size=(3, 4, 5))
    assert estimate_heterogeneity(values, scope="any").pairs == 20 * 19 // 2


def test_pairs_with_a_missing_value_are_left_out_and_counted() -> None:
    values = np.random.default_rng(5).normal(size=(3, 4, 2))
    values[1, 2, 0] = np.nan
    estimated = estimate_heterogeneity(values)
    assert (estimated.pairs, estimated.left_out) == (3 + 6, 3)
    ranking = heterogeneity_ranking(corroboration(values, estimated))
    assert np.isnan(ranking[2, 0])
    assert np.isnan(ranking).sum() == 1


def test_one_measure_one_summarizer_or_one_topic_give_an_answer() -> None:
    one = np.array([[[0.1], [0.2], [0.3]]])
    np.testing.assert_array_equal(ranking_of(one), [[0.0], [0.0], [0.0]])  # a single measure contradicts nothing
    assert np.isnan(ranking_of(np.ones((2, 1, 3)))).all()  # nobody to be compared with


def test_more_than_64_measures_are_held() -> None:
    values = np.random.default_rng(8).normal(size=(130, 6, 4))
    values[:65] = values[0]
    values[65:] = -values[0]
    expected = ranking_of(np.stack([values[0], -values[0]]))
    np.testing.assert_allclose(ranking_of(values), expected, atol=1e-12)


@pytest.mark.parametrize("measures", [3, 10, 70])
@pytest.mark.parametrize("cost", [0, 1_000_000])
def test_neither_blocks_nor_sums_over_subsets_change_heterogeneity(
    measures: int, cost: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    random = np.random.default_rng(1)
    values = random.integers(0, 3, size=(measures, 9, 8)).astype(float)
    sets = random.random((40, measures)) < 3 / measures
    contradicted = np.zeros(len(sets))
    for topic in values.transpose(2, 1, 0):
        for one, other in itertools.combinations(topic, 2):
            contradicted += (sets & (one > other)).any(axis=1) & (sets & (one < other)).any(axis=1)
    found = estimate_heterogeneity(values)
    assert measures > 3 or found.counts.max() > 4
    monkeypatch.setattr(module, "SUBSET_SUMS_COST", cost)
    monkeypatch.setattr(module, "PATTERNS_AT_ONCE", 100)
    monkeypatch.setattr(module, "SETS_AT_ONCE", 7)
    np.testing.assert_array_equal(found.of(sets), contradicted / (8 * 36))


def test_a_tie_of_the_measure_counts_one_half() -> None:
    auc = area_under_curve(np.array([[[1.0], [1.0], [2.0]]]), np.array([[1.0], [2.0], [3.0]]))
    assert auc.by_topic[0, 0] == pytest.approx((0.5 + 1 + 1) / 3)


def test_a_topic_whose_summaries_are_equally_good_is_undefined() -> None:
    auc = area_under_curve(np.random.default_rng(0).normal(size=(2, 3, 2)), np.array([[1.0, 1], [1.0, 2], [1.0, 3]]))
    np.testing.assert_array_equal(auc.undefined, [1, 1])
    assert not np.isnan(auc.macro).any()
