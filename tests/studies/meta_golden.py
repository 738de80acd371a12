"""The golden matrices of two public campaigns, and what is expected of them (tests/golden/statistics/README.md)."""

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

FOLDER = Path(__file__).parents[1] / "golden" / "statistics"
META = json.loads((FOLDER / "meta.json").read_text(encoding="utf-8"))["sets"]
DUC = json.loads((FOLDER / "duc2006.json").read_text(encoding="utf-8"))
SETS = ("realsumm", "summeval")
CASES = [(name, measure) for name in SETS for measure in META[name]["anova_tukey"]["values"]]


def matrix(name: str, measure: str) -> tuple[list[str], NDArray[np.float64]]:
    """Summarizers, and their scores on each topic."""
    scores = json.loads((FOLDER / "meta_scores" / f"{name}.json").read_text(encoding="utf-8"))
    return scores["summarizers"], np.array((scores["rouge"] | scores["human"])[measure])


def expected(name: str, measure: str) -> dict[str, Any]:
    """What `meta.json` says about the analysis of variance of one measure."""
    found: dict[str, Any] = META[name]["anova_tukey"]["values"][measure]
    return found
