"""How often each lamp of `trust` lights for judges of known quality: one that is noise must light none.

    python -m benchmarks.lamps

Each of 500 campaigns has 10 systems, 40 topics and 3 people who answer from 1 to 5 with noise (standard deviation 0.8).
A judge answers as if it were a person (with more or less noise), follows quality by half, has a taste of its own for
systems, or answers at random.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

import numpy as np

from pyramidion.arrays import Floats
from pyramidion.options import TrustOptions
from pyramidion.studies.trust.material import Defendant, HumanScores
from pyramidion.studies.trust.trial import decide_uses

CAMPAIGNS = 500
SYSTEMS, TOPICS, PEOPLE = 10, 40, 3
PERSON_NOISE = 0.8
SPREADS = (0.5, 0.2)
"""Standard deviations of systems' quality: systems that differ much, and systems that are close."""


def draw_campaign(seed: int, spread: float) -> tuple[Floats, Floats, np.random.Generator]:
    """Quality (systems × topics), people's answers (systems × topics × people), and what draws the judge."""
    generator = np.random.default_rng(seed)
    shape = (SYSTEMS, TOPICS)
    quality = 3.2 + generator.normal(0, spread, (SYSTEMS, 1)) + generator.normal(0, 0.6, shape)
    answers = as_answers(quality[..., None] + generator.normal(0, PERSON_NOISE, (*shape, PEOPLE)))
    return quality, answers, generator


def as_answers(values: Floats) -> Floats:
    """Whole numbers from 1 to 5."""
    return np.clip(np.rint(values), 1, 5)


def _noise(quality: Floats, generator: np.random.Generator) -> Floats:
    return generator.integers(1, 6, quality.shape).astype(np.float64)


def _constant(quality: Floats, generator: np.random.Generator) -> Floats:
    return as_answers(4 + generator.normal(0, 0.4, quality.shape))


def _taste(quality: Floats, generator: np.random.Generator) -> Floats:
    likes = generator.normal(0, 0.5, (SYSTEMS, 1))
    return as_answers(quality + likes + generator.normal(0, 0.5, quality.shape))


def _half(quality: Floats, generator: np.random.Generator) -> Floats:
    return as_answers(3.2 + 0.5 * (quality - 3.2) + generator.normal(0, 0.5, quality.shape))


def _person(noise: float) -> Callable[[Floats, np.random.Generator], Floats]:
    def judge(quality: Floats, generator: np.random.Generator) -> Floats:
        return as_answers(quality + generator.normal(0, noise, quality.shape))

    return judge


def _reversed(quality: Floats, generator: np.random.Generator) -> Floats:
    return as_answers(6.4 - quality + generator.normal(0, 0.5, quality.shape))


JUDGES: Mapping[str, Callable[[Floats, np.random.Generator], Floats]] = {
    "answers at random": _noise,
    "nearly always 4": _constant,
    "turns the order round": _reversed,
    "likes systems for other reasons (SD 0.5)": _taste,
    "a noisy person (SD 1.6)": _person(1.6),
    "follows quality by half": _half,
    "another person (SD 0.8)": _person(PERSON_NOISE),
    "a careful person (SD 0.4)": _person(0.4),
}


def lamps_of(seed: int, name: str, spread: float) -> dict[str, str]:
    """The verdicts on a judge in a campaign."""
    quality, answers, generator = draw_campaign(seed, spread)
    judged = JUDGES[name](quality, generator)
    people = HumanScores(
        name="question.quality",
        systems=tuple(f"s{number}" for number in range(SYSTEMS)),
        topics=tuple(f"t{number}" for number in range(TOPICS)),
        means=answers.mean(axis=2),
        answers=answers,
        persons=tuple(f"p{number}" for number in range(PEOPLE)),
        scale=(1.0, 5.0),
    )
    defendant = Defendant(measure="question(assessor=judge).quality", judge="judge", scores=judged)
    options = TrustOptions(with_="question.quality", resamples=200)
    return {use.use: use.verdict for use in decide_uses(people, defendant, options)}


def main() -> None:
    """Print the table of the documentation: how often each lamp is yes (and partly), in per cent."""
    for spread in SPREADS:
        print(f"| systems' SD {spread:g}: judge | rank | decide close pairs | replace people |")
        print("|---|---|---|---|")
        for name in JUDGES:
            verdicts = [lamps_of(seed, name, spread) for seed in range(CAMPAIGNS)]
            cells = []
            for use in ("rank", "pairs", "replace"):
                counts = Counter(verdict[use] for verdict in verdicts)
                cells.append(f"{100 * counts['yes'] / CAMPAIGNS:.1f} ({100 * counts['partly'] / CAMPAIGNS:.1f})")
            print(f"| {name} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
