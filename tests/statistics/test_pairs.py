"""Paired differences: the permutation test against scipy and by hand, effect sizes, wins, and corrections."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from other_packages import multitest
from pyramidion.errors import UsageError
from pyramidion.options import PairMethod
from pyramidion.statistics import sign_flips
from pyramidion.statistics.multiple import adjusted
from pyramidion.statistics.pairs import effect_limits, paired_differences, paired_tests
from pyramidion.statistics.sign_flips import PairedValues, fewest_topics, sign_flip_limits, sign_flip_p
from pyramidion.statistics.values import snap_ties


def test_few_topics_are_counted_by_hand() -> None:
    # ±1 ±2 ±3: sums 6 4 2 0 0 −2 −4 −6; two of eight are as far from 0 as 6, six as 2
    p, exact = sign_flip_p(np.array([[1.0, 2.0, 3.0], [-1.0, -2.0, 5.0]]), permutations=99_999, seed=0)
    assert exact.all()
    assert p[0] == 2 / 8
    # ±1 ±2 ±5: sums 8 6 4 2 −2 −4 −6 −8; all are as far from 0 as 2
    assert p[1] == 1


@pytest.mark.parametrize("seed", range(5))
def test_exact_p_is_that_of_scipy(seed: int) -> None:
    differences = np.random.default_rng(seed).normal(0.3, 1, size=12)
    theirs = stats.permutation_test(
        (differences,), np.mean, permutation_type="samples", n_resamples=2**12, vectorized=True
    )
    p, exact = sign_flip_p(differences[None], permutations=99_999, seed=0)
    assert exact[0]
    assert p[0] == pytest.approx(theirs.pvalue)


def test_sampled_p_is_near_the_exact_one_and_seeded() -> None:
    differences = np.random.default_rng(2).normal(0.4, 1, size=(3, 17))
    counted = [np.mean(np.abs(_all_sums(row)) >= abs(row.sum()) - 1e-12) for row in differences]
    sampled, exact = sign_flip_p(differences, permutations=9_999, seed=1)
    assert not exact.any()
    assert sampled == pytest.approx(counted, abs=4 * 0.0071)  # four standard errors of 4,999 draws at most
    again, _ = sign_flip_p(differences, permutations=9_999, seed=1)
    assert np.array_equal(sampled, again)


def test_sampled_p_is_never_zero() -> None:
    p, _ = sign_flip_p(np.ones((1, 40)), permutations=999, seed=0)
    assert p[0] == 2 / 1000  # all signs changed give the same |sum|


def _all_sums(differences: np.ndarray) -> np.ndarray:
    """Σ s·d for all assignments of signs."""
    sums = np.zeros(1)
    for difference in differences:
        sums = np.concatenate([sums + difference, sums - difference])
    return sums


def test_blocks_do_not_change_the_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    differences = np.random.default_rng(0).normal(0.2, 1, size=(2, 25))
    whole, _ = sign_flip_p(differences, permutations=500, seed=5)
    monkeypatch.setattr(sign_flips, "LARGE_BLOCK", 333)
    assert np.array_equal(sign_flip_p(differences, permutations=500, seed=5)[0], whole)


@given(
    st.integers(2, 7),
    st.integers(14, 70),
    st.sampled_from([1.0, 1e6]),
    st.integers(0, 999),
    st.booleans(),
    st.booleans(),
)
def test_sums_of_summarizers_give_the_p_of_pairs_one_by_one(
    systems: int, topics: int, offset: float, seed: int, whole: bool, holes: bool
) -> None:
    """Also with ties (whole points), with missing values, with topics far from 0, and with two systems nearly alike."""
    generator = np.random.default_rng(seed)
    values = generator.integers(1, 6, (systems, topics)) / 3 if whole else generator.normal(0, 1, (systems, topics))
    values = values + offset * generator.integers(0, 2, topics)
    values[1] = values[0] + (1e-5 * generator.normal(size=topics) if seed % 2 else 0)
    if holes:
        values[-1, 0] = np.nan
    pairs = [(a, b) for a in range(systems) for b in range(systems) if a != b] * 4
    differences = paired_differences(values, pairs)
    one_by_one, _ = sign_flip_p(differences, permutations=99, seed=seed)
    together, _ = sign_flip_p(differences, permutations=99, seed=seed, source=PairedValues(values, pairs))
    assert np.array_equal(one_by_one, together, equal_nan=True)


def test_all_pairs_of_many_systems_take_one_product_for_each_system(monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.random.default_rng(0).normal(size=(30, 40))
    pairs = [(a, b) for a in range(30) for b in range(a)]
    differences = paired_differences(values, pairs)
    expected, _ = sign_flip_p(differences, permutations=200, seed=0)

    def refused(*_: object) -> None:
        raise AssertionError("a pair was counted by itself")

    monkeypatch.setattr(sign_flips, "_of_pairs", refused)
    found, _ = sign_flip_p(differences, permutations=200, seed=0, source=PairedValues(values, pairs))
    assert np.array_equal(found, expected)


def test_every_sign_of_a_long_row_is_drawn_evenly_and_by_itself() -> None:
    changed = np.concatenate(list(sign_flips._signs(4000, 130, 3, 1)))
    assert changed.shape == (4000, 130)
    assert set(np.unique(changed)) == {0.0, 1.0}
    assert np.abs(changed.mean(axis=0) - 0.5).max() < 5 * 0.5 / 4000**0.5
    correlations = np.corrcoef(changed.T)[np.triu_indices(130, 1)]
    assert np.abs(correlations).max() < 5.5 / 4000**0.5


def test_p_under_the_null_is_below_the_level_as_often_as_it_says() -> None:
    differences = np.random.default_rng(7).normal(size=(2000, 12))
    p, _ = sign_flip_p(differences, permutations=4095, seed=0)
    assert abs((p <= 0.05).mean() - 0.05) < 4 * (0.05 * 0.95 / 2000) ** 0.5


def test_wins_ties_effects_and_differences() -> None:
    values = np.array([[0.1 + 0.2, 0.5, 0.9, np.nan], [0.3, 0.6, 0.2, 0.4]])
    tests = paired_tests(paired_differences(values, [(0, 1), (1, 0)]))
    assert tests.n.tolist() == [3, 3]
    assert (tests.wins.tolist(), tests.ties.tolist(), tests.losses.tolist()) == ([1, 1], [1, 1], [1, 1])
    d = np.array([0, -0.1, 0.7])
    assert tests.difference.tolist() == pytest.approx([d.mean(), -d.mean()])
    assert tests.effect[0] == pytest.approx(d.mean() / d.std(ddof=1))
    assert tests.p[0] == tests.p[1]


def test_differences_that_cancel_have_a_mean_of_exactly_0() -> None:
    tests = paired_tests(paired_differences(np.array([[0.1, 0.3, 0.6], [0.3, 0.1, 0.6]]), [(0, 1)]), permutations=None)
    assert tests.difference.tolist() == [0.0]  # 0.1 − 0.3 and 0.3 − 0.1 differ in the last bit


def test_equal_scores_tie_whatever_else_their_summarizers_score() -> None:
    # the means of three assessors; the largest score of a row must not decide how far its others are rounded
    values = np.array([[1 / 3, 0.9], [1 / 3, 1.2]])
    assert paired_differences(values, [(0, 1)])[0].tolist() == [0.0, pytest.approx(-0.3)]


@pytest.mark.parametrize("seed", range(5))
def test_thirds_have_the_p_of_whole_numbers(seed: int) -> None:
    # Means of three assessors' whole points: three times the differences, in exact arithmetic, have the same p.
    points = np.random.default_rng(seed).integers(3, 16, size=(2, 9))
    sums = np.abs(np.array(list(product([1, -1], repeat=9))) @ (points[0] - points[1]))
    p, _ = sign_flip_p(paired_differences(points / 3, [(0, 1)]), permutations=999, seed=0)
    assert p[0] == (sums >= abs(points[0].sum() - points[1].sum())).mean()


def test_what_is_undefined_is_nan() -> None:
    differences = np.array([[np.nan, np.nan], [1.0, np.nan], [0.5, 0.5], [0.0, 0.0]])
    tests = paired_tests(differences)
    assert np.isnan(tests.difference[0])
    assert np.isnan(tests.p[0])
    assert np.isnan(tests.effect).all()
    assert tests.p[1:].tolist() == [1, 0.5, 1]


@given(st.integers(1, 9), st.integers(0, 500))
def test_the_smallest_p_is_had_when_all_differences_have_one_sign(topics: int, seed: int) -> None:
    differences = np.random.default_rng(seed).random((1, topics)) + 0.01
    p, _ = sign_flip_p(differences, permutations=99_999, seed=0)
    assert p[0] == 2 / 2**topics


@pytest.mark.slow  # imports what it compares with
@pytest.mark.parametrize(
    ("ours", "theirs"), [("holm", "holm"), ("bonferroni", "bonferroni"), ("benjamini-hochberg", "fdr_bh")]
)
@pytest.mark.parametrize("seed", range(3))
def test_corrections_are_those_of_statsmodels(ours: str, theirs: str, seed: int) -> None:
    p = np.random.default_rng(seed).random(1 + 9 * seed) ** 3
    p[0] = p[-1]  # a tie
    found = adjusted(p, correction=ours)  # type: ignore[arg-type]  # one of the literals
    assert found == pytest.approx(multitest.multipletests(p, method=theirs)[1])


def test_undefined_p_do_not_count_in_a_correction() -> None:
    found = adjusted(np.array([0.01, np.nan, 0.04]), correction="bonferroni")
    assert found[[0, 2]].tolist() == [0.02, 0.08]
    assert np.isnan(found[1])
    assert adjusted(np.array([0.3]), correction="none").tolist() == [0.3]


def test_an_unknown_correction_is_refused() -> None:
    with pytest.raises(UsageError, match="did you mean holm"):
        adjusted(np.array([0.1]), correction="hollm")  # type: ignore[arg-type]  # that is the point


def test_permutations_from_1_up() -> None:
    with pytest.raises(UsageError, match="permutations 0"):
        sign_flip_p(np.ones((1, 3)), permutations=0, seed=0)


@pytest.mark.parametrize("scale", [1e-12, 1e-3, 1.0, 1e6, 1e12])
def test_settled_values_lose_noise_and_keep_differences(scale: float) -> None:
    noisy = scale * np.array([0.1 + 0.2, 0.3, 0.3001])
    found = snap_ties(noisy)
    assert found[0] == found[1] < found[2]
    assert found == pytest.approx(noisy, rel=1e-8)


def subset_means(differences: np.ndarray) -> list[float]:
    """The means of all non-empty subsets, one by one."""
    topics = range(len(differences))
    chosen = [[topic for topic in topics if subset >> topic & 1] for subset in range(1, 2 ** len(differences))]
    return sorted(float(np.mean(differences[topics])) for topics in chosen)


@pytest.mark.parametrize(("topics", "place"), [(6, 1), (8, 6), (11, 51)])
def test_sign_flip_limits_are_order_statistics_of_subset_means(topics: int, place: int) -> None:
    # Hartigan 1969: j = ⌊.05·2ⁿ⁻¹⌋ is 1, 6 and 51
    differences = np.random.default_rng(topics).normal(0.3, 1, size=topics)
    means = subset_means(differences)
    lower, upper = sign_flip_limits(differences[None], confidence=95, permutations=99_999, seed=0)
    assert lower[0] == pytest.approx(means[place - 1])
    assert upper[0] == pytest.approx(means[-place])


def test_too_few_topics_have_no_sign_flip_limits() -> None:
    lower, upper = sign_flip_limits(np.arange(1.0, 6.0)[None], confidence=95, permutations=99_999, seed=0)
    assert np.isnan(lower).all()
    assert np.isnan(upper).all()
    assert fewest_topics(95) == 6
    assert fewest_topics(99) == 8
    assert fewest_topics(99.9999) is None


@given(st.integers(1, 40), st.integers(0, 5000), st.sampled_from(["t", "sign-flip"]), st.booleans())
def test_the_interval_excludes_0_exactly_when_p_reaches_the_level(
    topics: int, seed: int, method: PairMethod, whole: bool
) -> None:
    generator = np.random.default_rng(seed)
    differences = generator.normal(0.5, 1, size=(1, topics))
    if whole:
        differences = np.round(differences) / 3
    found = paired_tests(differences, method=method, permutations=999, seed=seed)
    if np.isnan(found.lower[0]):
        assert method == "t" or found.p[0] > 0.05
    else:
        assert (found.p[0] <= 0.05) == (not found.lower[0] <= 0 <= found.upper[0])


def test_drawn_limits_are_near_those_of_all_subsets(monkeypatch: pytest.MonkeyPatch) -> None:
    differences = np.random.default_rng(5).normal(0.3, 1, size=(1, 16))
    exact = sign_flip_limits(differences, confidence=95, permutations=99_999, seed=0)
    monkeypatch.setattr(sign_flips, "EXHAUSTIVE", 4)
    drawn = sign_flip_limits(differences, confidence=95, permutations=99_999, seed=0)
    assert np.ravel(drawn) == pytest.approx(np.ravel(exact), abs=0.02)


@pytest.mark.parametrize("seed", range(3))
def test_the_t_test_is_that_of_scipy(seed: int) -> None:
    first, second = np.random.default_rng(seed).normal(0.3, 1, size=(2, 9 + 7 * seed))
    found = paired_tests(paired_differences(np.array([first, second]), [(0, 1)]), confidence=90, permutations=None)
    theirs = stats.ttest_rel(first, second)
    assert found.p[0] == pytest.approx(theirs.pvalue)
    assert (found.lower[0], found.upper[0]) == pytest.approx(theirs.confidence_interval(0.90))
    assert np.isnan(found.p_permutation[0])


def test_what_counts_as_a_tie_does_not_depend_on_other_systems() -> None:
    values = np.array([[0.1, 0.2, 0.3], [0.1, 0.2, 0.3001], [1e12, 2e12, 3e12]])
    assert paired_differences(values, [(0, 1)]).tolist() == paired_differences(values[:2], [(0, 1)]).tolist()
    assert paired_differences(values, [(0, 1)])[0, 2] != 0


def test_neither_other_pairs_nor_other_topics_change_the_draws() -> None:
    generator = np.random.default_rng(3)
    alone = generator.normal(0.2, 1, size=(1, 25))
    among = generator.normal(size=(3, 90))
    among[1] = np.nan
    among[1, 10:60:2] = alone
    for method in ("t", "sign-flip"):
        first = paired_tests(alone, method=method, permutations=999, seed=4)
        second = paired_tests(among, method=method, permutations=999, seed=4)
        assert first.p_permutation[0] == second.p_permutation[1]
        assert (first.lower[0], first.upper[0]) == (second.lower[1], second.upper[1])


@pytest.mark.parametrize(
    ("effect", "n", "confidence", "limits"),
    [
        (0.5, 20, 95, (0.02836549, 0.96003882)),
        (-0.5, 20, 95, (-0.96003882, -0.02836549)),
        (1.8, 8, 95, (0.62541047, 2.93306396)),
        (0.02, 50, 90, (-0.21274281, 0.25253928)),
        (3.0, 6, 95, (1.02100303, 4.95459602)),
    ],
)
def test_limits_of_the_effect_size_are_those_of_r(
    effect: float, n: int, confidence: float, limits: tuple[float, float]
) -> None:
    """R 4.2: uniroot of pt(d·√n, n − 1, ncp) − .975 and − .025 over ncp, divided by √n."""
    lower, upper = effect_limits(np.array([effect]), np.array([n]), confidence=confidence)
    assert (lower[0], upper[0]) == pytest.approx(limits, abs=1e-7)


def test_limits_of_the_effect_size_include_0_exactly_when_p_is_not_significant() -> None:
    generator = np.random.default_rng(0)
    differences = generator.exponential(size=(40, 12)) - generator.uniform(0.2, 1.6, (40, 1))
    tests = paired_tests(differences, permutations=None)
    lower, upper = effect_limits(tests.effect, tests.n, confidence=95)
    assert ((lower <= 0) & (upper >= 0)).tolist() == (tests.p > 0.05).tolist()
    assert 0 < (tests.p > 0.05).sum() < 40


def test_an_effect_without_spread_has_no_limits_and_a_huge_one_has() -> None:
    lower, upper = effect_limits(np.array([np.nan, 40.0]), np.array([1, 50]), confidence=95)
    assert np.isnan([lower[0], upper[0]]).all()
    assert lower[1] < 40 < upper[1]
