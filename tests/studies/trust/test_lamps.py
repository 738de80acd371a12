"""The three verdicts by their rules: what is counted decides, and a judge that is noise may be used for nothing."""

from collections import Counter
from typing import Any

import numpy as np
import pytest

from pyramidion.options import TrustOptions
from pyramidion.studies.trust.lamps import light_lamps
from pyramidion.studies.trust.material import Defendant, HumanScores
from pyramidion.studies.trust.results import TrustPairs, TrustReplacement
from pyramidion.studies.trust.trial import decide_uses

HEAD: dict[str, Any] = {"measure": "judge", "with_": "question.quality"}


def verdicts(*, omega: float = 1.0, **changes: Any) -> dict[str, tuple[str, str]]:
    """By use, verdict and rule; of a judge that is fine but for some changes."""
    numbers: dict[str, Any] = {
        **{"pairs": 45, "separated": 20, "same": 18, "reversed": 0, "undecided_same": 2, "undecided_reversed": 0},
        **{"judge_only": 0, "ordered_alike": 1.0, "lower": 0.95, "upper": 1.0, "close": 10, "close_same": 9},
        **{"topics": 40, "confidence": 95.0},
        **changes,
    }
    replacement = TrustReplacement(
        **HEAD,
        winning_rate=omega,
        winning_rate_by_topic=omega,
        advantage=0.8,
        lower=0.7,
        upper=0.9,
        epsilon=0.2,
        people=3,
        skipped=0,
        confidence=95.0,
    )
    uses = light_lamps(TrustPairs(**HEAD, **numbers), replacement, (), TrustOptions())
    return {use.use: (use.verdict, use.rule) for use in uses}


@pytest.mark.parametrize(
    ("changes", "use", "expected"),
    [
        ({}, "rank", ("yes", "ordered-limit")),
        ({"lower": 0.85}, "rank", ("partly", "ordered-limit")),
        ({"ordered_alike": 0.85, "lower": 0.45}, "rank", ("no", "ordered-chance")),
        ({"ordered_alike": 0.75, "lower": 0.6}, "rank", ("no", "ordered")),
        ({"reversed": 2}, "rank", ("no", "reversed")),
        ({"separated": 2}, "rank", ("unknown", "few-pairs")),
        ({}, "pairs", ("yes", "decided")),
        ({"close_same": 6}, "pairs", ("partly", "decided")),
        ({"close_same": 4}, "pairs", ("no", "hardly-decided")),
        ({}, "replace", ("yes", "won-by-topic")),
        ({"omega": 0.3}, "replace", ("no", "won")),
        ({"ordered_alike": 0.75, "lower": 0.6}, "replace", ("no", "no-order")),
    ],
)
def test_each_rule_decides_by_what_was_counted(changes: dict[str, Any], use: str, expected: tuple[str, str]) -> None:
    assert verdicts(**changes)[use] == expected


def simulated_uses(seed: int, is_noise: bool) -> dict[str, str]:
    """The verdicts on a judge that answers at random, or as a person does."""
    generator = np.random.default_rng(seed)
    quality = 3.2 + generator.normal(0, 0.5, (10, 1)) + generator.normal(0, 0.6, (10, 30))
    answers = np.clip(np.rint(quality[..., None] + generator.normal(0, 0.8, (10, 30, 3))), 1, 5)
    judged = np.clip(np.rint(quality + generator.normal(0, 0.4, quality.shape)), 1, 5)
    if is_noise:
        judged = generator.integers(1, 6, quality.shape).astype(np.float64)
    people = HumanScores(
        name="question.quality",
        systems=tuple(f"s{number}" for number in range(10)),
        topics=tuple(f"t{number}" for number in range(30)),
        means=answers.mean(axis=2),
        answers=answers,
        persons=("p0", "p1", "p2"),
        scale=(1.0, 5.0),
    )
    judge = Defendant(measure="question(assessor=judge).quality", judge="judge", scores=judged)
    return {use.use: use.verdict for use in decide_uses(people, judge, TrustOptions(resamples=100))}


@pytest.mark.parametrize("use", ["rank", "pairs", "replace"])
def test_a_judge_that_is_noise_lights_no_lamp(use: str) -> None:
    """`python -m benchmarks.lamps` counts it in 500 campaigns."""
    counts = Counter(simulated_uses(seed, is_noise=True)[use] for seed in range(20))
    assert counts["yes"] == 0
    assert counts["partly"] <= 1


def test_a_judge_that_answers_as_people_do_may_rank_and_replace_them() -> None:
    uses = [simulated_uses(seed, is_noise=False) for seed in range(20)]
    assert sum(use["rank"] == "yes" for use in uses) >= 16
    assert sum(use["replace"] == "yes" for use in uses) >= 16
