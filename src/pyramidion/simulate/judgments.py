"""Simulated assessors: whole numbers from 1 to 5 out of a true value, a severity and noise."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pyramidion.arrays import Floats, Integers
from pyramidion.simulate.draws import Stream, check_count, check_spreads, generator, names

LOWEST, HIGHEST = 1, 5


@dataclass(frozen=True, kw_only=True)
class Assessors:
    """A number of assessors; each judges every summary. Both standard deviations are in points of the scale."""

    count: int = 2
    severity_sd: float = 0.3
    noise_sd: float = 0.5

    def __post_init__(self) -> None:
        check_count("assessors", self.count, least=1)
        check_spreads(severity_sd=self.severity_sd, judgment_noise_sd=self.noise_sd)

    @property
    def ids(self) -> list[str]:
        """Their names, which say that nobody is behind them."""
        return names("simulated-assessor-", self.count)

    def severities(self, seed: int) -> Floats:
        """What each assessor adds to every answer: N(0, severity_sd)."""
        return self.severity_sd * generator(seed, Stream.ASSESSORS).standard_normal(self.count)

    def answers(self, wanted: Floats, severities: Floats, rng: np.random.Generator) -> Integers:
        """Answers of each assessor (first axis): clip(⌊wanted + severity + noise + ½⌋, 1, 5)."""
        shape = (self.count, *wanted.shape)
        noise = self.noise_sd * rng.standard_normal(shape)
        severity = severities.reshape(-1, *(1 for _ in wanted.shape))
        answers = np.floor(wanted + severity + noise + 0.5)
        return np.clip(answers, LOWEST, HIGHEST).astype(np.int64)
