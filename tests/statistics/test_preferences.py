"""The effect of the order in which two summaries are shown, against R's glm and scipy's optimizer."""

import numpy as np
import pytest
from scipy import optimize
from statsmodels.tools.numdiff import approx_hess

from pyramidion.errors import InputError
from pyramidion.statistics.preferences import order_effect

HOME_WINS = np.array(
    [
        [0, 1, 3, 1, 2, 2, 1],
        [6, 0, 5, 2, 5, 4, 3],
        [2, 4, 0, 3, 2, 4, 3],
        [4, 6, 6, 0, 3, 4, 4],
        [6, 6, 4, 4, 0, 4, 4],
        [6, 4, 4, 5, 3, 0, 2],
        [6, 4, 4, 4, 2, 2, 0],
    ]
)
"""Games of the American League, Eastern Division, 1987, won by the home team (row) against the visitor (column).

Agresti, Categorical Data Analysis (2002), page 438; the example of the home advantage in R's BradleyTerry2.
"""
AWAY_WINS = np.array(
    [
        [0, 6, 4, 5, 5, 4, 6],
        [0, 0, 2, 5, 1, 2, 3],
        [4, 2, 0, 3, 5, 3, 4],
        [3, 0, 1, 0, 3, 3, 2],
        [0, 1, 2, 3, 0, 3, 2],
        [1, 3, 2, 1, 3, 0, 5],
        [0, 3, 2, 3, 5, 4, 0],
    ]
)


def choices_with_order(*, effect: float, ties: float, seed: int, n: int = 400) -> tuple[np.ndarray, ...]:
    """Choices between items of Davidson's model, and the topic of each."""
    generator = np.random.default_rng(seed)
    abilities = np.array([0.0, 0.4, -0.3, 0.8])
    first = generator.integers(0, 4, n)
    second = (first + generator.integers(1, 4, n)) % 4
    weights = np.column_stack(
        [
            np.exp(abilities[first] + effect / 2),
            ties * np.exp((abilities[first] + abilities[second]) / 2),
            np.exp(abilities[second] - effect / 2),
        ]
    )
    shares = np.cumsum(weights / weights.sum(axis=1, keepdims=True), axis=1)
    outcome = (generator.random(n)[:, None] > shares[:, :2]).sum(axis=1)
    return first, second, 1 - outcome, generator.integers(0, 30, n)


def test_the_home_advantage_of_baseball_is_that_of_bradley_and_terry_in_r() -> None:
    first, second, choice = [], [], []
    for outcome, wins in ((1, HOME_WINS), (-1, AWAY_WINS)):
        home, away = np.nonzero(wins)
        times = wins[home, away]
        first.append(np.repeat(home, times))
        second.append(np.repeat(away, times))
        choice.append(np.full(times.sum(), outcome))
    effect = order_effect(*(np.concatenate(parts) for parts in (first, second, choice)))
    # R 4.2, glm(cbind(home.wins, away.wins) ~ 0 + teams + at.home, binomial), the fit that BradleyTerry2's BTm makes
    assert effect.value == pytest.approx(0.302260655528, abs=1e-9)
    assert effect.model_error == pytest.approx(0.130943642532, abs=1e-6)


@pytest.mark.parametrize("ties", [0.0, 0.7])
def test_the_effect_is_the_maximum_of_the_likelihood_that_scipy_finds(ties: float) -> None:
    first, second, choice, _ = choices_with_order(effect=0.6, ties=ties, seed=5)

    def loss(parameters: np.ndarray) -> float:
        abilities = np.append(0.0, parameters[:3])
        logs = [abilities[first] + parameters[3] / 2, abilities[second] - parameters[3] / 2]
        taken = np.where(choice == 1, logs[0], logs[1])
        if ties:
            logs.append((abilities[first] + abilities[second]) / 2 + parameters[4])
            taken = np.where(choice == 0, logs[2], taken)
        return float(np.logaddexp.reduce(logs, axis=0).sum() - taken.sum())

    fit = optimize.minimize(loss, np.zeros(5 if ties else 4), method="BFGS", options={"gtol": 1e-7})
    effect = order_effect(first, second, choice)
    assert effect.value == pytest.approx(fit.x[3], abs=1e-5)
    curvature = np.linalg.inv(approx_hess(fit.x, loss))
    assert effect.model_error == pytest.approx(np.sqrt(curvature[3, 3]), rel=1e-4)


def test_without_an_effect_five_percent_of_intervals_miss_it() -> None:
    missed = 0
    for seed in range(200):
        first, second, choice, topics = choices_with_order(effect=0.0, ties=0.5, seed=seed, n=150)
        effect = order_effect(first, second, choice, clusters=topics)
        missed += abs(effect.value) > 2.05 * effect.error  # t(29) at 95 %
    assert 0.01 <= missed / 200 <= 0.10


def test_copies_of_a_choice_within_a_topic_add_nothing() -> None:
    first, second, choice, _ = choices_with_order(effect=0.3, ties=0.5, seed=1, n=80)
    single = order_effect(first, second, choice)
    copied = order_effect(*(np.repeat(part, 5) for part in (first, second, choice)), clusters=np.repeat(range(80), 5))
    assert copied.value == pytest.approx(single.value, abs=1e-9)
    assert copied.error == pytest.approx(single.error, rel=1e-9)


def test_choices_without_a_finite_effect_are_refused() -> None:
    with pytest.raises(InputError, match="same position"):
        order_effect(np.array([0, 1]), np.array([1, 0]), np.array([1, 1]))
    with pytest.raises(InputError, match="always, or never"):
        order_effect(np.array([0, 1]), np.array([1, 0]), np.array([1, -1]))
