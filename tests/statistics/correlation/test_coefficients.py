"""Correlations at three levels: against the golden values, scipy, DUC 2006 as printed, and what must hold."""

import json
import warnings
from typing import Any, get_args

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from meta_golden import FOLDER, SETS, expected, matrices
from pyramidion.errors import UsageError
from pyramidion.options import Coefficient, Level
from pyramidion.statistics.correlation import coefficients
from pyramidion.statistics.correlation.coefficients import correlation_p, row_correlations
from pyramidion.statistics.correlation.intervals import fisher_interval
from pyramidion.statistics.correlation.levels import correlate_levels, topic_correlations

Floats = npt.NDArray[np.float64]
SCIPY: dict[str, Any] = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}


def by_scipy(x: Floats, z: Floats, coefficient: Coefficient) -> float:
    both = ~(np.isnan(x) | np.isnan(z))
    x, z = x[both], z[both]
    if len(x) < 2 or (x == x[0]).all() or (z == z[0]).all():
        return np.nan
    return float(SCIPY[coefficient](x, z).statistic)


@pytest.mark.parametrize("name", SETS)
def test_every_golden_correlation_comes_out(name: str) -> None:
    values = matrices(name)
    compared = 0
    for human, measures in expected(name, "correlations").items():
        for measure, correlations in measures.items():
            for key, value in correlations.items():
                level, coefficient = key.split("_")
                found = correlate_levels(values[measure], values[human], level=level, coefficient=coefficient)
                assert found.value == pytest.approx(value, abs=1e-5), (measure, human, key)
                compared += 1
    assert compared >= 81


@pytest.mark.parametrize("name", SETS)
def test_topics_without_variation_are_counted(name: str) -> None:
    values = matrices(name)
    undefined = json.loads((FOLDER / "meta.json").read_text(encoding="utf-8"))["sets"][name]["undefined_topics"]
    for human, measures in undefined.items():
        for measure, count in measures.items():
            found = correlate_levels(values[measure], values[human], level="topic", coefficient="pearson")
            assert (found.undefined, found.n) == (count, 50 - count)


def duc2006() -> dict[str, Any]:
    data: dict[str, Any] = json.loads((FOLDER / "duc2006.json").read_text(encoding="utf-8"))
    return data


@pytest.mark.parametrize("measure", ["overall", "r2", "su4", "be"])
def test_the_printed_means_of_duc_2006_give_table_14(measure: str) -> None:
    data = duc2006()
    systems = data["printed"]["systems"].values()
    content = np.array([[system["content"]["score"]] for system in systems])
    other = np.array([[system[measure]["score"]] for system in systems])
    recomputed = data["expected"]["correlations_with_content_responsiveness"]["recomputed_from_printed_means"][measure]
    for coefficient, key in (("pearson", "pearson"), ("spearman", "spearman"), ("kendall", "kendall_tau_b")):
        found = correlate_levels(other, content, level="system", coefficient=coefficient)  # type: ignore[arg-type]
        assert found.n == 35
        assert found.value == pytest.approx(recomputed[key], abs=1e-4)
        if coefficient == "pearson":
            lower, upper = fisher_interval(found.value, found.n)
            assert lower == pytest.approx(recomputed["lower_from_this_r"], abs=1e-4)
            assert upper == 1
    printed = data["printed"]["table14"][measure]["pearson"]
    assert fisher_interval(printed, 35)[0] == pytest.approx(recomputed["lower_from_published_r"], abs=1e-4)


def test_the_lower_limits_of_tables_15_and_16_come_from_the_printed_correlations() -> None:
    rows = duc2006()["expected"]["table15_16_lower_bounds"]
    assert len(rows) == 8
    for row in rows.values():
        lower, _ = fisher_interval(row["published_r"], row["n"])
        assert lower == pytest.approx(row["recomputed_lower"], abs=1e-4)
        assert lower == pytest.approx(row["published_lower"], abs=row["tolerance_against_published"])


# Few different values, so that there are ties and constant vectors; NaN for what is missing.
CELLS = st.one_of(
    st.sampled_from([0.0, 0.25, 0.5, 1.0, 7.0]), st.just(np.nan), st.floats(-100, 100).map(lambda v: round(v, 3))
)


def matrix_pairs(rows: int = 6, columns: int = 5) -> st.SearchStrategy[tuple[Floats, Floats]]:
    shapes = st.tuples(st.integers(1, rows), st.integers(1, columns))
    return shapes.flatmap(
        lambda shape: st.tuples(arrays(np.float64, shape, elements=CELLS), arrays(np.float64, shape, elements=CELLS))
    )


@pytest.mark.parametrize("coefficient", get_args(Coefficient))
@given(pair=matrix_pairs(columns=9))
def test_rows_agree_with_scipy_whatever_is_tied_or_missing(
    pair: tuple[Floats, Floats], coefficient: Coefficient
) -> None:
    x, z = pair
    found = row_correlations(x, z, coefficient=coefficient)
    wanted = [by_scipy(one, other, coefficient) for one, other in zip(x, z, strict=True)]
    assert found == pytest.approx(wanted, abs=1e-9, nan_ok=True)


@pytest.mark.parametrize("coefficient", get_args(Coefficient))
@given(pair=matrix_pairs())
def test_levels_are_what_their_definition_says(pair: tuple[Floats, Floats], coefficient: Coefficient) -> None:
    x, z = pair
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # rows without any value
        first, second = (np.round(np.asarray(np.nanmean(values, axis=1)), 9) for values in (x, z))
    by_topic = [by_scipy(one, other, coefficient) for one, other in zip(x.T, z.T, strict=True)]
    defined = [value for value in by_topic if not np.isnan(value)]
    wanted = {
        "system": by_scipy(first, second, coefficient),
        "topic": float(np.mean(defined)) if defined else np.nan,
        "global": by_scipy(x.ravel(), z.ravel(), coefficient),
    }
    for level in get_args(Level):
        found = correlate_levels(x, z, level=level, coefficient=coefficient)
        assert found.value == pytest.approx(wanted[level], abs=1e-7, nan_ok=True)
        assert correlate_levels(z, x, level=level, coefficient=coefficient).value == pytest.approx(
            found.value, nan_ok=True
        )
    assert correlate_levels(x, z, level="topic", coefficient=coefficient).undefined == len(by_topic) - len(defined)


@pytest.mark.parametrize("level", get_args(Level))
def test_a_linear_change_of_scale_leaves_pearson_and_its_mirror_turns_the_sign(level: Level) -> None:
    values = matrices("summeval")
    x, z = values["ROUGE-2-F"], values["coherence"]
    plain = correlate_levels(x, z, level=level, coefficient="pearson").value
    assert correlate_levels(3 * x + 7, z, level=level, coefficient="pearson").value == pytest.approx(plain, abs=1e-7)
    assert correlate_levels(-x, z, level=level, coefficient="pearson").value == pytest.approx(-plain, abs=1e-12)


@pytest.mark.parametrize("level", ["topic", "global"])
@pytest.mark.parametrize("coefficient", ["spearman", "kendall"])
def test_rank_coefficients_do_not_see_a_rising_change_of_scale(level: Level, coefficient: Coefficient) -> None:
    values = matrices("summeval")
    x, z = values["ROUGE-2-F"], values["coherence"]
    plain = correlate_levels(x, z, level=level, coefficient=coefficient).value
    assert correlate_levels(np.exp(5 * x), z**3, level=level, coefficient=coefficient).value == pytest.approx(plain)


@pytest.mark.parametrize("coefficient", get_args(Coefficient))
def test_many_items_take_another_way_to_the_same_value(
    coefficient: Coefficient, monkeypatch: pytest.MonkeyPatch
) -> None:
    values = matrices("realsumm")
    x, z = values["ROUGE-2-F"][:, :3].copy(), values["litepyramid_recall"][:, :3]
    x[4, 1] = np.nan
    few = correlate_levels(x, z, level="global", coefficient=coefficient).value
    monkeypatch.setattr(coefficients, "_MANY_ITEMS", 10)
    assert correlate_levels(x, z, level="global", coefficient=coefficient).value == pytest.approx(few, abs=1e-12)


@pytest.mark.parametrize("coefficient", get_args(Coefficient))
def test_p_is_that_of_scipy(coefficient: Coefficient) -> None:
    values = matrices("summeval")
    x, z = values["ROUGE-1-R"], values["relevance"]
    means = [np.round(one.mean(axis=1), 9) for one in (x, z)]
    found = correlate_levels(x, z, level="system", coefficient=coefficient)
    assert found.p == pytest.approx(SCIPY[coefficient](*means).pvalue, rel=1e-6)
    topics = topic_correlations(x, z, coefficient=coefficient)
    wanted = [SCIPY[coefficient](one, other).pvalue for one, other in zip(x.T, z.T, strict=True)]
    assert topics.p == pytest.approx(wanted, rel=1e-6)


def test_p_at_topic_level_is_a_t_test_over_topics() -> None:
    values = matrices("summeval")
    x, z = values["ROUGE-1-R"], values["fluency"]  # two topics are undefined
    by_topic = topic_correlations(x, z, coefficient="spearman").values
    wanted = stats.ttest_1samp(by_topic[~np.isnan(by_topic)], 0).pvalue
    assert correlate_levels(x, z, level="topic", coefficient="spearman").p == pytest.approx(wanted)


def test_at_57_summarizers_a_spearman_of_261_is_the_first_significant_one() -> None:
    # paper 004: two-sided p < .05 at n = 57 from |ρ| = .261
    assert correlation_p(np.zeros(57), np.zeros(57), 0.2609, coefficient="spearman") < 0.05
    assert correlation_p(np.zeros(57), np.zeros(57), 0.2605, coefficient="spearman") > 0.05


@pytest.mark.parametrize("level", get_args(Level))
@pytest.mark.parametrize("coefficient", get_args(Coefficient))
def test_a_constant_measure_has_no_correlation(level: Level, coefficient: Coefficient) -> None:
    varying = np.arange(12.0).reshape(4, 3)
    found = correlate_levels(varying, np.full((4, 3), 0.1), level=level, coefficient=coefficient)
    assert np.isnan(found.value)
    assert np.isnan(found.p)


def test_means_that_differ_only_in_their_last_bits_are_ties() -> None:
    x = np.array([[0.1, 0.2, 0.3], [0.3, 0.2, 0.1], [0.0, 0.1, 0.0]])  # the first two add up to different bits
    z = np.array([[1.0], [2.0], [0.0]]).repeat(3, axis=1)
    found = correlate_levels(x, z, level="system", coefficient="kendall").value
    assert found == pytest.approx(2 / np.sqrt(2 * 3))  # two pairs agree, one is tied in x


def test_tiny_scores_are_not_rounded_away() -> None:
    x = np.arange(12.0).reshape(4, 3)
    for level in get_args(Level):
        for coefficient in get_args(Coefficient):
            found = correlate_levels(x * 1e-14, x, level=level, coefficient=coefficient)
            assert found.value == pytest.approx(1.0)


def test_missing_scores_are_left_out_pair_by_pair_and_counted() -> None:
    x = np.array([[1.0, 2.0, np.nan], [2.0, 1.0, 3.0], [3.0, np.nan, 4.0], [np.nan] * 3])
    z = np.array([[1.0, 2.0, 3.0], [2.0, 1.0, 1.0], [9.0, 5.0, np.nan], [1.0, 2.0, 3.0]])
    system = correlate_levels(x, z, level="system", coefficient="pearson")
    assert (system.n, system.undefined) == (3, 1)
    everything = correlate_levels(x, z, level="global", coefficient="pearson")
    assert (everything.n, everything.undefined) == (6, 6)
    topic = correlate_levels(x, z, level="topic", coefficient="kendall")
    assert (topic.n, topic.undefined) == (2, 1)  # in the third topic one summary has both scores
    assert topic.value == pytest.approx(1.0)


def test_matrices_that_do_not_fit_are_refused() -> None:
    with pytest.raises(UsageError, match="same summarizers"):
        correlate_levels(np.zeros((2, 3)), np.zeros((3, 2)), level="system", coefficient="pearson")
    with pytest.raises(UsageError, match="infinite"):
        correlate_levels(np.full((2, 2), np.inf), np.zeros((2, 2)), level="system", coefficient="pearson")
    with pytest.raises(UsageError, match="level"):
        correlate_levels(np.zeros((2, 2)), np.zeros((2, 2)), level="city", coefficient="pearson")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="coefficient"):
        row_correlations(np.zeros((2, 2)), np.zeros((2, 2)), coefficient="cosine")  # type: ignore[arg-type]
