"""Simulated score tables: they come back as written, and statistics find in them what theory says."""

from __future__ import annotations

import dataclasses
import math
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from pyramidion.campaign import Problems
from pyramidion.campaign.sources import CampaignSource
from pyramidion.errors import UsageError
from pyramidion.scores import read_scores
from pyramidion.simulate import ScoreDesign, simulate_scores, write_simulated_scores
from pyramidion.simulate.truth import Truth

RICH = ScoreDesign(
    topics=7,
    summarizers=5,
    measures={"good": 0.9, "low-is-good": -0.5},
    judgments=True,
    assessor_count=3,
)


def values(design: ScoreDesign, measure: str = "simulated-score") -> tuple[NDArray[np.float64], Truth]:
    """Summarizers × topics, and the truth."""
    simulated = simulate_scores(design)
    return simulated.table.matrix(measure).values, simulated.truth


def coefficients(design: ScoreDesign, seeds: range) -> NDArray[np.float64]:
    """Seeds × (Pearson, Spearman, Kendall) of system means with the truth, by scipy."""
    found = []
    for seed in seeds:
        matrix, truth = values(dataclasses.replace(design, seed=seed))
        pair = matrix.mean(axis=1), truth.quality
        found.append([f(*pair).statistic for f in (stats.pearsonr, stats.spearmanr, stats.kendalltau)])
    return np.array(found)


@pytest.mark.parametrize(
    ("topics", "summarizers", "seeds"), [(1000, 100, 12), (1, 20, 120), (5, 20, 120), (50, 35, 60)]
)
def test_system_ranks_are_recovered_as_the_theory_says(topics: int, summarizers: int, seeds: int) -> None:
    # Tolerance: four standard errors of the mean over seeds; Kendall's from theory, the others' from the sample.
    design = ScoreDesign(topics=topics, summarizers=summarizers)
    found = coefficients(design, range(seeds))
    expected = design.expected_correlations("score")
    errors = found.std(axis=0, ddof=1) / math.sqrt(seeds)
    assert found[:, 0].mean() == pytest.approx(expected.pearson, abs=4 * errors[0])
    assert found[:, 1].mean() == pytest.approx(expected.spearman, abs=4 * errors[1])
    assert found[:, 2].mean() == pytest.approx(expected.kendall, abs=4 * expected.kendall_sd / math.sqrt(seeds))


def test_a_thousand_topics_give_nearly_the_true_order_of_a_hundred_systems() -> None:
    # Eρ² = .0009/(.0009 + .005/1000) = .99448; 2/π·asin √Eρ² = .9526, by hand from the default components.
    design = ScoreDesign(topics=1000, summarizers=100)
    assert design.expected_reliability() == pytest.approx(0.99448, abs=5e-6)
    assert design.expected_correlations("score").kendall == pytest.approx(0.9526, abs=5e-5)
    taus = coefficients(design, range(100, 104))[:, 2]
    assert (np.abs(taus - 0.9526) < 4 * 0.0053).all()


def test_reliability_is_the_correlation_of_two_sets_of_topics() -> None:
    systems, topics = 2000, 10
    matrix, _ = values(ScoreDesign(topics=2 * topics, summarizers=systems))
    r = stats.pearsonr(matrix[:, :topics].mean(axis=1), matrix[:, topics:].mean(axis=1)).statistic
    assert math.atanh(r) == pytest.approx(
        math.atanh(ScoreDesign(topics=topics).expected_reliability()), abs=4 / math.sqrt(systems - 3)
    )


def test_an_analysis_of_variance_finds_the_components() -> None:
    # statsmodels' mean squares against E[MS]: a mean square with f degrees of freedom has sd E·√(2/f).
    import statsmodels.formula.api as smf
    from statsmodels.stats.anova import anova_lm

    systems, topics, seeds = 12, 25, range(8)
    squares = []
    for seed in seeds:
        design = ScoreDesign(topics=topics, summarizers=systems, seed=seed)
        frame = simulate_scores(design).table.to_pandas()
        squares.append(anova_lm(smf.ols("value ~ C(summarizer) + C(topic)", frame).fit())["mean_sq"].to_numpy())
    found = np.mean(squares, axis=0)
    residual = 0.05**2 + 0.05**2
    for mean_square, expected, freedom in (
        (found[0], residual + topics * 0.03**2, systems - 1),
        (found[1], residual + systems * 0.08**2, topics - 1),
        (found[2], residual, (systems - 1) * (topics - 1)),
    ):
        assert mean_square == pytest.approx(expected, abs=4 * expected * math.sqrt(2 / freedom / len(seeds)))


@pytest.mark.parametrize("correlation", [0.8, 0.3, -0.6])
def test_a_noiseless_measure_correlates_with_the_truth_as_asked_at_every_level(correlation: float) -> None:
    # The truth is the measure of correlation 1; tolerance: four standard errors of Fisher's z.
    systems, topics = 400, 40
    design = ScoreDesign(
        topics=topics,
        summarizers=systems,
        noise_sd=0,
        topic_sd=0,
        measures={"truth": 1.0, "other": correlation},
    )
    table = simulate_scores(design).table
    true, other = (table.matrix(name).values for name in ("simulated-truth", "simulated-other"))
    for x, y, n in (
        (true.mean(axis=1), other.mean(axis=1), systems),
        (true[:, 0], other[:, 0], systems),
        (true[:, 1], other[:, 1], systems),
    ):
        r = stats.pearsonr(x, y).statistic
        assert math.atanh(r) == pytest.approx(math.atanh(correlation), abs=4 / math.sqrt(n - 3))
    assert table.is_higher_better("simulated-other") == (correlation > 0)


def test_a_measure_with_noise_and_another_target_has_both_attenuations() -> None:
    systems, topics, seeds = 30, 5, 80
    design = ScoreDesign(topics=topics, summarizers=systems, measures={"score": 0.6})
    found = coefficients(design, range(seeds))[:, 2]
    expected = design.expected_correlations("score")
    r = 0.6 * math.sqrt(0.0009 / (0.0009 + 0.005 / 5))
    assert expected.kendall == pytest.approx(2 / math.pi * math.asin(r))
    assert found.mean() == pytest.approx(expected.kendall, abs=4 * expected.kendall_sd / math.sqrt(seeds))


@given(st.integers(1, 20), st.integers(2, 20), st.integers(0, 10**12))
@settings(max_examples=20, deadline=None)
def test_without_interaction_and_noise_the_ranks_are_exact(topics: int, summarizers: int, seed: int) -> None:
    design = ScoreDesign(topics=topics, summarizers=summarizers, seed=seed, interaction_sd=0, noise_sd=0)
    matrix, truth = values(design)
    assert stats.rankdata(-matrix.mean(axis=1)).tolist() == truth.ranks.tolist()
    assert design.expected_correlations("score").kendall == pytest.approx(1)


def test_the_truth_lists_what_each_measure_would_give_in_the_end() -> None:
    simulated = simulate_scores(dataclasses.replace(RICH, topics=4000))
    for column in ("simulated-good", "simulated-low-is-good"):
        means = simulated.table.matrix(column).values.mean(axis=1)
        # All systems share the mean topic difficulty; what remains has standard error √(.05² + .05²)/√4000.
        gap = means - simulated.truth.frame[column].to_numpy()
        assert np.abs(gap - gap.mean()).max() < 4 * math.sqrt(0.005 / 4000)


def test_judgments_are_whole_numbers_of_the_scale_and_their_mean_is_the_judged_measure() -> None:
    table = simulate_scores(RICH).table
    single = [table.matrix(f"simulated-judgment-{number}").values for number in (1, 2, 3)]
    assert {float(value) for one in single for value in one.ravel()} <= {1.0, 2.0, 3.0, 4.0, 5.0}
    np.testing.assert_allclose(np.mean(single, axis=0), table.matrix("simulated-judgment").values)


def test_assessors_without_severity_and_noise_agree() -> None:
    design = dataclasses.replace(RICH, assessor_count=2, severity_sd=0, judgment_noise_sd=0)
    table = simulate_scores(design).table
    np.testing.assert_array_equal(
        table.matrix("simulated-judgment-1").values, table.matrix("simulated-judgment-2").values
    )


def test_severity_moves_an_assessor_as_a_whole_and_noise_does_not() -> None:
    # Noise shifts an assessor's mean over 20,000 answers by hardly anything; severity of sd 1 shifts it by much.
    def means(severity: float, noise: float) -> NDArray[np.float64]:
        design = ScoreDesign(topics=400, summarizers=50, judgments=True, assessor_count=6)
        design = dataclasses.replace(design, severity_sd=severity, judgment_noise_sd=noise)
        table = simulate_scores(design).table
        return np.array([table.matrix(f"simulated-judgment-{number}").values.mean() for number in range(1, 7)])

    assert np.ptp(means(0.0, 1.0)) < 0.08
    assert np.ptp(means(1.0, 0.0)) > 0.5


@pytest.mark.parametrize("ending", ["parquet", "csv", "jsonl"])
def test_a_written_table_reads_back_as_the_one_in_memory(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"scores.{ending}"
    truth = write_simulated_scores(RICH, path)
    table, simulated = read_scores(path), simulate_scores(RICH)
    assert table.to_polars().equals(simulated.table.to_polars())
    assert pl.read_csv(tmp_path / "scores.truth.csv").equals(truth.frame)
    assert truth.frame.equals(simulated.truth.frame)
    if ending == "parquet":
        assert table.higher_is_better == simulated.table.higher_is_better
        assert table.is_higher_better("simulated-good") and not table.is_higher_better("simulated-low-is-good")


def test_a_table_is_a_campaign_of_scores_for_every_other_command(tmp_path: Path) -> None:
    write_simulated_scores(RICH, tmp_path / "scores.parquet")
    problems = Problems()
    campaign = CampaignSource(tmp_path / "scores.parquet").read(problems)
    assert len(problems) == 0
    assert len(campaign.imported) == RICH.rows


@given(
    topics=st.integers(1, 12),
    summarizers=st.integers(1, 12),
    seed=st.integers(0, 2**63 - 1),
    assessor_count=st.integers(0, 3),
    spreads=st.tuples(*[st.sampled_from([0.0, 0.1, 1e9])] * 4),
)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_size_and_spread_gives_a_full_and_finite_table_twice_the_same(
    tmp_path: Path,
    topics: int,
    summarizers: int,
    seed: int,
    assessor_count: int,
    spreads: tuple[float, float, float, float],
) -> None:
    system, topic, interaction, noise = spreads
    design = ScoreDesign(
        topics=topics,
        summarizers=summarizers,
        seed=seed,
        judgments=assessor_count > 0,
        assessor_count=max(1, assessor_count),
        system_sd=system,
        topic_sd=topic,
        interaction_sd=interaction,
        noise_sd=noise,
    )
    write_simulated_scores(design, tmp_path / "one.parquet")
    write_simulated_scores(design, tmp_path / "two.parquet")
    assert (tmp_path / "one.parquet").read_bytes() == (tmp_path / "two.parquet").read_bytes()
    table = read_scores(tmp_path / "one.parquet")
    assert len(table) == design.rows
    assert (len(table.topics), len(table.summarizers)) == (topics, summarizers)


def test_another_seed_gives_other_values() -> None:
    first, _ = values(ScoreDesign(topics=3, summarizers=3, seed=1))
    second, _ = values(ScoreDesign(topics=3, summarizers=3, seed=2))
    assert not np.isclose(first, second).any()


def test_more_topics_continue_the_same_table() -> None:
    few, _ = values(ScoreDesign(topics=40, summarizers=6))
    many, _ = values(ScoreDesign(topics=90, summarizers=6))
    np.testing.assert_array_equal(few, many[:, :40])


def test_a_table_of_several_blocks_is_one_table(tmp_path: Path) -> None:
    design = ScoreDesign(topics=30, summarizers=5000)
    write_simulated_scores(design, tmp_path / "scores.parquet")
    table = read_scores(tmp_path / "scores.parquet")
    assert (len(table), len(table.topics), len(table.summarizers)) == (150_000, 30, 5000)
    matrix = table.matrix("simulated-score").values
    assert len(np.unique(matrix)) == 150_000


def test_every_row_says_that_it_is_simulated_and_how() -> None:
    frame = simulate_scores(RICH).table.to_polars()
    for column in ("measure", "summarizer", "signature"):
        assert frame[column].str.starts_with("simulated-").all()
    signature = frame["signature"][0]
    for fact in (
        "seed:0",
        "system-sd:0.03",
        "topic-sd:0.08",
        "interaction-sd:0.05",
        "noise-sd:0.05",
        "correlation:0.9",
    ):
        assert fact in signature.split("|")


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"topics": 0}, "topics"),
        ({"summarizers": -1}, "summarizers"),
        ({"seed": -1}, "seed"),
        ({"noise_sd": -0.1}, "noise_sd"),
        ({"system_sd": math.nan}, "system_sd"),
        ({"mean": math.inf}, "mean"),
        ({"measures": {}}, "measure"),
        ({"measures": {"judgment": 1.0}, "judgments": True}, "simulated-judgment"),
        ({"measures": {"a": 1.2}}, "measure a: found 1.2; expected a number from -1 to 1"),
        ({"measures": {"ROUGE 2": 1.0}}, "lower-case letters"),
        ({"assessor_count": 0}, "`assessor_count=0`: expected at least 1"),
    ],
)
def test_a_design_that_makes_no_sense_is_refused_by_name(wrong: dict[str, object], named: str) -> None:
    with pytest.raises(UsageError, match=named):
        ScoreDesign(**({"topics": 2, "summarizers": 2} | wrong))  # type: ignore[arg-type]


def test_scores_are_not_written_to_a_file_of_another_kind(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"\.parquet"):
        write_simulated_scores(RICH, tmp_path / "scores.xlsx")
