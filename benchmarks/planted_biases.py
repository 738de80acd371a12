"""How often `trust` finds a bias that was planted in a simulated judge, and how often one that was not.

    python -m benchmarks.planted_biases

Each campaign has 10 systems, 40 topics and 3 people who answer from 1 to 5 with noise (standard deviation 0.8). Long
summaries are better (correlation about 0.4), and the judge likes each system a little more or less for reasons of its
own (standard deviation 0.1). Every check is at 5 %.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from pyramidion.arrays import Floats
from pyramidion.statistics.alternative_test import mean_error
from pyramidion.statistics.covariates import covariate_effect, group_effect
from pyramidion.statistics.preferences import order_effect
from pyramidion.statistics.values import t_p

CAMPAIGNS = 500
SYSTEMS, TOPICS, PEOPLE = 10, 40, 3
LEVEL = 0.05
SIZES: Mapping[str, tuple[float, ...]] = {
    "length": (0.0, 0.2, 0.4, 0.8),
    "length, people's noise ignored": (0.0,),
    "family": (0.0, 0.3, 0.6, 0.9),
    "position": (0.0, 0.3, 0.6, 0.9),
    "order": (0.0, 0.15, 0.3, 0.6),
    "severity": (0.0, 0.05, 0.1, 0.2),
    "drift": (0.0, 0.05, 0.1, 0.2),
}
"""By check, the effects that are planted: points for twice as many words; for the own family; log odds; points from
the first to the last answer; points."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Planted:
    """A simulated campaign: systems × topics."""

    quality: Floats
    length: Floats
    people: Floats
    noise: Floats
    generator: np.random.Generator
    likes: Floats

    @classmethod
    def draw(cls, seed: int) -> Planted:
        """A campaign without any judge."""
        generator = np.random.default_rng(seed)
        shape = (SYSTEMS, TOPICS)
        quality = 3 + generator.normal(0, 0.5, (SYSTEMS, 1)) + generator.normal(0, 0.6, shape)
        length = 6 + 0.2 * (quality - 3) + generator.normal(0, 0.3, shape) + generator.normal(0, 0.15, (SYSTEMS, 1))
        answers = np.clip(np.rint(quality[..., None] + generator.normal(0, 0.8, (*shape, PEOPLE))), 1, 5)
        return cls(
            quality=quality,
            length=length,
            people=answers.mean(axis=2),
            noise=answers.var(axis=2, ddof=1) / PEOPLE,
            generator=generator,
            likes=generator.normal(0, 0.1, (SYSTEMS, 1)),
        )

    def judge(self, *, length: float = 0.0, family: float = 0.0, shift: float | Floats = 0.0) -> Floats:
        """Answers of a judge with these faults."""
        score = 0.6 + 0.8 * self.quality + length * (self.length - 6) + self.likes + shift
        score[0] += family
        return np.clip(np.rint(score + self.generator.normal(0, 0.5, self.quality.shape)), 1, 5)


def length_p(campaign: Planted, size: float, *, is_corrected: bool = True) -> float:
    """p of the length bias."""
    shape = (SYSTEMS, TOPICS)
    effect = covariate_effect(
        campaign.judge(length=size).ravel(),
        campaign.people.ravel(),
        campaign.length.ravel(),
        topics=np.broadcast_to(np.arange(TOPICS), shape).ravel(),
        systems=np.broadcast_to(np.arange(SYSTEMS)[:, None], shape).ravel(),
        noise=campaign.noise.ravel() if is_corrected else None,
    )
    return 1.0 if effect.p is None else effect.p


def family_p(campaign: Planted, size: float) -> float:
    """p of a bias for the first system."""
    is_own = np.arange(SYSTEMS) == 0
    effect = group_effect(campaign.judge(family=size), campaign.people, is_own, noise=campaign.noise)
    return 1.0 if effect.p is None else effect.p


def position_p(campaign: Planted, size: float) -> float:
    """p of an effect of position: five pairs a topic, each in both orders."""
    pairs = np.array([campaign.generator.choice(SYSTEMS, 2, replace=False) for _ in range(5 * TOPICS)])
    first, second = np.concatenate([pairs, pairs[:, ::-1]]).T
    topics = np.tile(np.repeat(np.arange(TOPICS), 5), 2)
    odds = 1.5 * (campaign.quality[first, topics] - campaign.quality[second, topics]) + size
    is_first = campaign.generator.random(len(odds)) < 1 / (1 + np.exp(-odds))
    effect = order_effect(first, second, np.where(is_first, 1, -1), clusters=topics)
    return float(t_p(effect.value / effect.error, effect.freedom))


def order_p(campaign: Planted, size: float) -> float:
    """p of an effect of the place in the work: all summaries in random order."""
    shape = (SYSTEMS, TOPICS)
    places = campaign.generator.permutation(SYSTEMS * TOPICS).reshape(shape) / (SYSTEMS * TOPICS - 1)
    effect = covariate_effect(
        campaign.judge(shift=size * (places - 0.5)).ravel(),
        campaign.people.ravel(),
        places.ravel(),
        topics=np.broadcast_to(np.arange(TOPICS), shape).ravel(),
        systems=np.broadcast_to(np.arange(SYSTEMS)[:, None], shape).ravel(),
        noise=campaign.noise.ravel(),
    )
    return 1.0 if effect.p is None else effect.p


def severity_p(campaign: Planted, size: float) -> float:
    """p of the judge's level: a judge that answers as a person would, and lower by the size."""
    answers = np.clip(np.rint(campaign.quality + campaign.generator.normal(0, 0.8, campaign.quality.shape)), 1, 5)
    return _mean_p(answers - size - campaign.people)


def drift_p(campaign: Planted, size: float) -> float:
    """p of the change between two versions of the judge."""
    return _mean_p(campaign.judge(shift=-size) - campaign.judge())


def _mean_p(differences: Floats) -> float:
    topics = np.broadcast_to(np.arange(TOPICS), differences.shape).ravel()
    error, freedom = mean_error(differences.ravel(), topics)
    return float(t_p(float(differences.mean()) / error, freedom))


CHECKS: Mapping[str, Callable[[Planted, float], float]] = {
    "length": length_p,
    "length, people's noise ignored": lambda campaign, size: length_p(campaign, size, is_corrected=False),
    "family": family_p,
    "position": position_p,
    "order": order_p,
    "severity": severity_p,
    "drift": drift_p,
}


def main() -> None:
    """Print the table of the documentation: the share of campaigns in which each check finds something."""
    print("| check | planted (found in per cent of campaigns) |")
    print("|---|---|")
    for name, sizes in SIZES.items():
        cells: list[str] = []
        for size in sizes:
            found = [CHECKS[name](Planted.draw(seed), size) < LEVEL for seed in range(CAMPAIGNS)]
            cells.append(f"{size:g} ({100 * np.mean(found):.1f})")
        print(f"| {name} | {', '.join(cells)} |")


if __name__ == "__main__":
    main()
