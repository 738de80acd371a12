"""Seeded generators, one a purpose, and the checks of the numbers that a design is given."""

from __future__ import annotations

import math
from collections.abc import Callable
from enum import IntEnum

import numpy as np

from pyramidion.errors import UsageError

Progress = Callable[[int], None]
"""Called with the number of rows done so far."""

LARGEST = 1e9
"""Means and standard deviations beyond this would leave nothing of the smaller components in a float."""


class Stream(IntEnum):
    """What a generator is for. Its draws depend on the seed, the stream and the keys, and on nothing else."""

    SYSTEMS = 0
    ASSESSORS = 1
    BLOCKS = 2
    TOPIC = 3
    WORDING = 4
    MODELS = 5
    PEERS = 6
    DOCUMENTS = 7
    ANSWERS = 8


def generator(seed: int, stream: Stream, *keys: int) -> np.random.Generator:
    """An independent generator for this stream and these keys."""
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(int(stream), *keys))))


def names(prefix: str, count: int, *, start: int = 0, stop: int | None = None) -> list[str]:
    """Ids `prefix1` … of `count` things, with leading zeros so that they sort; those from `start` to `stop`."""
    width = len(str(count))
    return [f"{prefix}{index + 1:0{width}d}" for index in range(start, count if stop is None else stop)]


def check_count(option: str, value: int, *, least: int) -> None:
    """A number of things."""
    if value < least:
        raise UsageError(f"{option}: found {value}; expected {least} or more")


def check_number(option: str, value: float, *, least: float, most: float) -> None:
    """A number between two bounds, both allowed."""
    if not (math.isfinite(value) and least <= value <= most):
        raise UsageError(f"{option}: found {value:g}; expected a number from {least:g} to {most:g}")


def check_spreads(**spreads: float) -> None:
    """Standard deviations."""
    for option, value in spreads.items():
        check_number(option.replace("_", "-"), value, least=0.0, most=LARGEST)


def signature(name: str, version: str, **options: object) -> str:
    """`name|option:value|…|v:version`, options in alphabetical order: everything that makes the values again."""
    written = [f"{option.replace('_', '-')}:{value}" for option, value in sorted(options.items())]
    return "|".join([name, *written, f"v:{version}"])
