"""Several runs on a topic: their mean is tested, and their part in the variance of a difference is told."""

import numpy as np
import pytest
from scipy import stats

import pyramidion
from pyramidion.campaign.nouns import Judgment
from pyramidion.errors import UsageError
from pyramidion.options import CompareOptions
from pyramidion.present.gate import remarks_on_data
from pyramidion.scores import ScoreTable
from pyramidion.studies.comparison.comparison import compare
from pyramidion.studies.runs import PairNoise, RunNoise, RunSpread, noise_of_judgments, runs_of_judgments

Row = dict[str, object]


def rows(topics: int, runs: int, *, between: float, within: float, seed: int = 0) -> list[Row]:
    """Two systems; differences vary between topics and runs within topics with these standard deviations."""
    generator = np.random.default_rng(seed)
    expected = {"A": between * generator.normal(size=topics) + 0.2, "B": np.zeros(topics)}
    return [
        {
            "topic": f"t{topic:04}",
            "summarizer": system,
            "run": run,
            "score": float(expected[system][topic] + within * generator.normal()),
        }
        for topic in range(topics)
        for system in "AB"
        for run in range(1, runs + 1)
    ]


def test_the_test_is_that_of_the_means_of_runs_and_the_share_is_by_hand() -> None:
    data = rows(12, 3, between=1.0, within=0.5)
    pair = pyramidion.compare(data).pairs[0]
    scores = np.array([row["score"] for row in data], dtype=float).reshape(12, 2, 3)
    means = scores.mean(axis=2)
    expected = stats.ttest_rel(means[:, 0], means[:, 1])
    assert pair.p == pytest.approx(expected.pvalue)
    noise = scores.var(axis=2, ddof=1).sum(axis=1).mean() / 3  # of A and B, on average over topics
    assert pair.runs == 3
    assert pair.run_share == pytest.approx(noise / np.var(means[:, 0] - means[:, 1], ddof=1))
    assert "Scores are means of 3 runs" in pair.note
    assert pair.fields()["run_share"] == pair.run_share


@pytest.mark.parametrize("runs", [2, 8])
def test_the_share_of_runs_is_that_of_millers_formula(runs: int) -> None:
    # Miller 2024: the variance of a mean is (variance of expected scores + mean variance within topics/K)/n
    pair = pyramidion.compare(rows(4000, runs, between=1.0, within=1.5, seed=runs)).pairs[0]
    within = 2 * 1.5**2 / runs
    assert pair.run_share == pytest.approx(within / (1 + within), abs=0.03)
    assert pair.error == pytest.approx(np.sqrt((1 + within) / 4000), rel=0.05)


def test_scores_without_runs_have_no_share() -> None:
    single = [row for row in rows(12, 3, between=1.0, within=0.5) if row["run"] == 1]
    pair = pyramidion.compare(single).pairs[0]
    assert (pair.runs, pair.run_share) == (None, None)
    assert "run_share" not in pair.fields()


def test_summaries_with_one_run_have_the_variance_of_the_others() -> None:
    data = [row for row in rows(400, 2, between=1.0, within=1.0) if row["run"] == 1 or str(row["topic"]) < "t0200"]
    pair = pyramidion.compare(data).pairs[0]
    assert "Scores are means of up to 2 runs" in pair.note
    noise = (2 * 1 / 2 + 2 * 1) / 2  # half of the topics have two runs, half have one
    assert pair.run_share == pytest.approx(noise / (1 + noise), abs=0.06)


@pytest.mark.parametrize("runs_of_a", [1, 3])
def test_runs_of_other_systems_change_no_pair(runs_of_a: int) -> None:
    data = [row for row in rows(12, 3, between=1.0, within=0.5) if row["run"] == 1 or row["summarizer"] == "A"]
    data = [row for row in data if int(str(row["run"])) <= runs_of_a]
    # One run is missing, so that its variance must come from somewhere.
    data = data[1:] if runs_of_a > 1 else data
    noisy = [
        {**row, "summarizer": "C", "score": float(place % 7)}
        for place, row in enumerate(rows(12, 5, between=1.0, within=0.5))
        if row["summarizer"] == "A"
    ]
    alone = pyramidion.compare(data, pair=[("A", "B")]).pairs[0].fields()
    assert pyramidion.compare([*noisy, *data], pair=[("A", "B")]).pairs[0].fields() == alone
    assert ("runs" in alone) == (runs_of_a > 1)
    assert "mean of" not in alone.get("note", "")


def test_a_system_with_single_runs_has_the_variance_of_the_other() -> None:
    spread = RunSpread(rater="", runs=2, variance=0.5)
    single = RunSpread(rater="", runs=1, variance=None)
    far = RunSpread(rater="", runs=2, variance=100.0)
    noise = RunNoise(spreads_of={("t", "A"): [spread], ("t", "B"): [single], ("t", "C"): [far]})
    assert noise.of_pair("A", "B", ["t"]) == PairNoise(runs=2, variance=0.5 / 2 + 0.5, topics=1, has_fewer=True)
    assert noise.of_pair("B", "A", ["t"]) == noise.of_pair("A", "B", ["t"])


def judgments(assessors: dict[str, int], topics: int = 30, seed: int = 0) -> list[Judgment]:
    """Of two systems: each assessor has a severity of its own, and answers so often, with a variance of 1."""
    generator = np.random.default_rng(seed)
    severity = dict(zip(assessors, 10 * np.arange(len(assessors)), strict=True))
    return [
        Judgment(
            topic=f"t{topic:02}",
            summarizer=system,
            question="m",
            assessor=assessor,
            run=run,
            value=float(severity[assessor] + generator.normal()),
        )
        for topic in range(topics)
        for system in "AB"
        for assessor, runs in assessors.items()
        for run in range(1, runs + 1)
    ]


def test_runs_of_judges_are_told_apart_from_the_severity_of_assessors() -> None:
    noise = noise_of_judgments(judgments({"judge": 4, "person": 1}, topics=300))
    assert noise is not None
    found = noise.of_pair("A", "B", [f"t{topic:02}" for topic in range(300)])
    assert found is not None
    # the mean of two assessors: (1/4 + nothing known)/2² for each of the two systems
    assert found.variance == pytest.approx(2 * 0.25 / 4, rel=0.1)
    assert noise_of_judgments(judgments({"judge": 1})) is None
    runs = runs_of_judgments(judgments({"judge": 2, "person": 1}))
    assert runs is not None
    assert set(runs["run"]) == {"1", "2"}
    assert np.abs(runs["value"].to_numpy()).max() < 9  # the person, who answered once, is in no run


def test_runs_of_a_judge_are_reported_for_questions() -> None:
    answers = judgments({"judge": 4, "other": 4})
    means: dict[tuple[str, str], list[float]] = {}
    for answer in answers:
        means.setdefault((answer.topic, answer.summarizer), []).append(float(answer.value))
    table = ScoreTable.from_columns(
        measure=["question.m"] * len(means),
        topic=[topic for topic, _ in means],
        summarizer=[system for _, system in means],
        value=[float(np.mean(values)) for values in means.values()],
    )
    pair = compare(table, CompareOptions(), judgments={"question.m": answers}).pairs[0]
    assert pair.runs == 4
    assert pair.run_share is not None
    assert pair.run_share > 0.5  # nothing but runs varies


def test_a_gate_says_what_runs_add_and_tests_itself_with_two_runs_of_the_baseline() -> None:
    data = rows(40, 3, between=0.2, within=0.5)
    gate = pyramidion.gate(data, "score", against="A")
    assert any("Scores are means of 3 runs" in remark for remark in remarks_on_data(gate))
    tested = pyramidion.gate(data, "score", against="A", self_test="runs")
    first, second = (
        np.array([row["score"] for row in data if (row["summarizer"], row["run"]) == ("A", run)], dtype=float)
        for run in (1, 2)
    )
    assert tested.primary.difference == pytest.approx((second - first).mean())
    assert (tested.decision.baseline, tested.decision.candidate) == ("A (run 1)", "A (run 2)")
    assert tested.verdict == "pass"
    assert any("a fail is a false alarm" in sentence for sentence in tested.sentences())


def test_runs_of_a_drifting_baseline_fail_the_self_test() -> None:
    data = rows(40, 2, between=0.2, within=0.1)
    for row in data:
        if row["run"] == 2:
            row["score"] = float(str(row["score"])) - 0.5
    assert pyramidion.gate(data, "score", against="A", self_test="runs").exit_code == 3


def test_a_baseline_without_runs_can_not_be_tested_with_them() -> None:
    single = rows(12, 1, between=1.0, within=0.5)
    with pytest.raises(UsageError, match="found no runs of A; expected at least two"):
        pyramidion.gate(single, "score", against="A", self_test="runs")
