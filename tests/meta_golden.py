"""The golden statistics (tests/golden/statistics/meta.json) and the score matrices that they start from."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

FOLDER = Path(__file__).parent / "golden" / "statistics"
SETS = ("realsumm", "summeval")


def expected(name: str, part: str) -> Any:
    """Values of one part of one set."""
    return json.loads((FOLDER / "meta.json").read_text(encoding="utf-8"))["sets"][name][part]["values"]


def matrices(name: str) -> dict[str, npt.NDArray[np.float64]]:
    """Summarizers × topics of every measure and human score of a set."""
    data = json.loads((FOLDER / "meta_scores" / f"{name}.json").read_text(encoding="utf-8"))
    return {measure: np.array(rows, dtype=np.float64) for measure, rows in {**data["rouge"], **data["human"]}.items()}


def score_rows(name: str) -> Iterator[dict[str, Any]]:
    """The same as rows of a score table, summarizers and topics in the reverse of their order."""
    data = json.loads((FOLDER / "meta_scores" / f"{name}.json").read_text(encoding="utf-8"))
    for measure, values in {**data["rouge"], **data["human"]}.items():
        for summarizer, row in reversed(list(zip(data["summarizers"], values, strict=True))):
            for topic, value in reversed(list(zip(data["topics"], row, strict=True))):
                yield {"measure": measure, "topic": topic, "summarizer": summarizer, "value": value}
