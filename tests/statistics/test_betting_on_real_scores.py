"""Betting tests, the gate and its ledger on scores of SummEval and REALSumm, with few samples of the benchmark."""

import pytest
from benchmarks.betting import MEASURES, false_fails, pair_coverage, real_differences, replay_ledgers, verdicts

CONSISTENCY = ("SummEval", "consistency")
"""Most answers are 5."""


@pytest.mark.parametrize(("campaign", "measure", "scale"), MEASURES)
def test_bounded_intervals_cover_the_difference(campaign: str, measure: str, scale: tuple[float, float]) -> None:
    shares, _ = pair_coverage(real_differences(campaign, measure), scale[1] - scale[0], 20, runs=200, seed=0)
    assert shares["bounded"] >= 0.95


def test_a_gate_of_exchanged_labels_fails_as_seldom_as_is_due() -> None:
    for campaign, measure in (CONSISTENCY, ("REALSumm", "litepyramid_recall")):
        share = false_fails(real_differences(campaign, measure), pairs=5, seed=1)
        assert share <= 0.025 + 4 * (0.025 * 0.975 / 5000) ** 0.5


def test_a_planted_loss_of_a_margin_hardly_ever_passes_or_fails() -> None:
    passed, failed, _ = verdicts(real_differences("SummEval", "coherence"), 4.0, 1.0, runs=100, seed=0)
    assert passed <= 0.1  # 2.5 % are due; four standard errors of 100 runs are 6 %
    assert failed <= 0.1


def test_a_ledger_of_equal_commits_hardly_ever_fails() -> None:
    with_false_fail, *_ = replay_ledgers(real_differences(*CONSISTENCY), 4.0, ledgers=40, losing=0.0, seed=0)
    assert with_false_fail <= 0.05
    _, fdr, found = replay_ledgers(real_differences(*CONSISTENCY), 4.0, ledgers=40, losing=0.2, seed=1)
    assert fdr <= 0.05
    assert found > 0
