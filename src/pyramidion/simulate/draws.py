"""Seeded generators, one for each purpose, the ids of simulated things, and the answers of simulated assessors."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

import numpy as np

from pyramidion.arrays import Floats, Integers

if TYPE_CHECKING:
    from pyramidion.simulate.design import SimulationDesign

LOWEST, HIGHEST = 1, 5
"""The scale of the answers."""


class Stream(IntEnum):
    """What a generator is for. Its draws depend only on the seed, the stream and the keys."""

    SYSTEMS = 0
    ASSESSORS = 1
    BLOCKS = 2
    TOPIC = 3
    WORDING = 4
    MODELS = 5
    PEERS = 6
    DOCUMENTS = 7
    ANSWERS = 8
    ASSIGNMENTS = 9
    DEVIATIONS = 10
    LANGUAGE = 11
    MODEL_ANSWERS = 12


def generator(seed: int, stream: Stream, *keys: int) -> np.random.Generator:
    """An independent generator for this stream and these keys."""
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(int(stream), *keys))))


def names(prefix: str, count: int, *, start: int = 0, stop: int | None = None) -> list[str]:
    """Ids `prefix1` … of `count` things, with leading zeros so that they sort; those from `start` to `stop`."""
    width = len(str(count))
    if stop is None:
        stop = count
    return [f"{prefix}{index + 1:0{width}d}" for index in range(start, stop)]


def answers(design: SimulationDesign, targets: Floats, *keys: int) -> Integers:
    """The answers of each assessor (first axis): clip(⌊wanted + severity + noise + ½⌋, 1, 5).

    The severity belongs to the assessor, the noise to the single answer.
    """
    count = len(design.assessor_ids)
    severity = design.severity_sd * generator(design.seed, Stream.ASSESSORS).standard_normal(count)
    noise = generator(design.seed, Stream.ANSWERS, *keys).standard_normal((count, *targets.shape))
    answered = targets + severity.reshape(-1, *(1 for _ in targets.shape)) + design.judgment_noise_sd * noise
    return on_scale(answered)


def on_scale(values: Floats) -> Integers:
    """The nearest whole number from 1 to 5."""
    return np.clip(np.floor(values + 0.5), LOWEST, HIGHEST).astype(np.int64)


def assigned(people: int, count: int, seed: int, purpose: Stream, place: int) -> list[int]:
    """Which of some people work on the topic at this place: in each round of topics everyone on equally many.

    A round has as many topics as there are people; in each, people stand in another order, and every topic takes the
    next ones of it.
    """
    if count == people:
        return list(range(people))
    number, position = divmod(place, people)
    order = generator(seed, Stream.ASSIGNMENTS, int(purpose), number).permutation(people)
    return sorted(int(order[(position + step) % people]) for step in range(count))
