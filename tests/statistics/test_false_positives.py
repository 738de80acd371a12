"""Equal systems are found to differ as often as the level says, whatever stands next to them."""

import pytest
from benchmarks.false_positives import letter_errors, pair_errors

RUNS = 4000
"""The share of a 5 % test then has a standard error of .0034: the bounds below are more than 4 of them away."""


@pytest.mark.parametrize("spread", [0.4, 1.0, 2.5])
@pytest.mark.parametrize("topics", [11, 20, 50])
def test_a_pair_of_equal_systems_differs_in_5_of_100_campaigns_whatever_the_others(topics: int, spread: float) -> None:
    own, pooled = pair_errors(RUNS, topics, spread, seed=topics)
    assert 0.035 <= own <= 0.065
    if spread < 1:
        assert pooled > 0.15  # what the residual variance of all systems would give
    if spread > 1:
        assert pooled < 0.01


@pytest.mark.slow
def test_letters_of_unequal_systems_err_less_than_tukeys() -> None:
    tukey, _, chosen = letter_errors(300, 16, 20, noisy=2, seed=2)
    assert tukey > 0.1
    assert chosen <= 0.08  # 5 % is expected; the standard error of 300 campaigns is .0126
