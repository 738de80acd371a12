"""What must be said beside a leaderboard, in pages and in terminals alike."""

from __future__ import annotations

import numpy as np

from pyramidion.scores import ScoreTable


def about_missing_topics(table: ScoreTable, measure: str) -> str:
    """A sentence when some summarizers lack topics that others have, else nothing."""
    values = table.matrix(measure).values
    lacking = np.count_nonzero(np.isnan(values).any(axis=1))
    if not lacking:
        return ""
    return f"{lacking} of {len(values)} summarizers miss topics: these are means over different topics."
