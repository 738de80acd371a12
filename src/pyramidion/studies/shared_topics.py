"""Whether systems share topics: means over different topics differ by the topics' difficulty, not only by system."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from pyramidion.arrays import Floats
from pyramidion.errors import InputError
from pyramidion.scores.cube import ScoreCube
from pyramidion.show.wording import counted
from pyramidion.statistics.variance import piece_of_rows

FEWEST_SHARED = 0.9
"""The share of the topics that a system must have for its mean to be comparable without a word."""


def count_groups(values: Floats) -> tuple[int, int]:
    """How many summarizers have scores, and into how many groups they fall that share no topic with each other."""
    present = ~np.isnan(values)
    scored = present[present.any(axis=1)]
    return len(scored), len(np.unique(piece_of_rows(scored)))


def refuse_unshared_topics(cube: ScoreCube, measures: Iterable[str], *, remedy: str) -> None:
    """Refuse to compare means of systems of which no two have a topic in common.

    Raises:
        InputError: naming the measure; `remedy` says what to do instead.
    """
    for measure in measures:
        systems, groups = count_groups(cube[measure])
        if systems > 1 and groups == systems:
            raise InputError(
                f"no two of the {counted(systems, 'system')} with scores on {measure} have a topic in common, so their "
                f"means over topics can't be compared; {remedy}"
            )


def note_on_groups(cube: ScoreCube, measures: Iterable[str]) -> str:
    """A note if systems fall into groups that share no topic, or lack many topics that others have; empty if not."""
    for measure in measures:
        systems, groups = count_groups(cube[measure])
        if 1 < groups < systems:
            return (
                f"{counted(systems, 'system')} fall into {groups} groups that share no topic on {measure}: differences "
                "between groups may be differences between topics"
            )
        present = ~np.isnan(cube[measure])
        counts = present.sum(axis=1)[present.any(axis=1)]
        lacking = int((counts < FEWEST_SHARED * present.any(axis=0).sum()).sum())
        if lacking:
            return (
                f"{lacking:,} of {counted(systems, 'system')} lack more than a tenth of its topics: differences "
                "between means may be differences between topics"
            )
    return ""
