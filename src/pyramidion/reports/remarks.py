"""What must be said beside a leaderboard, in pages and in terminals alike."""

from __future__ import annotations

import numpy as np

from pyramidion.scores import ScoreTable

FEW_TOPICS = 6


def remarks_on(table: ScoreTable, measure: str) -> str:
    """What a reader must know of a leaderboard: too few topics, or means over different ones; else nothing."""
    values = table.matrix(measure).values
    remarks: list[str] = []
    if values.shape[1] < FEW_TOPICS:
        few = "one topic" if values.shape[1] == 1 else f"{values.shape[1]} topics"
        remarks.append(f"Only {few}: intervals are wide, and may pass the ends of the scale.")
    if lacking := np.count_nonzero(np.isnan(values).any(axis=1)):
        remarks.append(f"{lacking} of {len(values)} summarizers miss topics: these are means over different topics.")
    return " ".join(remarks)
