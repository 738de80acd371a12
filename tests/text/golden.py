"""The golden values of ROUGE-1.5.5 and rouge-score, and how scores follow from counts (as the programs print them)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyramidion.text.overlap import OverlapKind

FOLDER = Path(__file__).parents[1] / "golden" / "rouge"

KINDS = {
    "ROUGE-1": OverlapKind("n", 1),
    "ROUGE-2": OverlapKind("n", 2),
    "ROUGE-3": OverlapKind("n", 3),
    "ROUGE-4": OverlapKind("n", 4),
    "ROUGE-L": OverlapKind("l"),
    "ROUGE-W-1.2": OverlapKind("w", 1.2),
    "ROUGE-S4": OverlapKind("s", 4),
    "ROUGE-SU4": OverlapKind("su", 4),
    "ROUGE-S*": OverlapKind("s", -1),
    "ROUGE-SU*": OverlapKind("su", -1),
}


@dataclass(frozen=True)
class OptionSet:
    """One of the option sets of the golden files (golden/README of the values)."""

    options: dict[str, Any] = field(default_factory=dict)
    best: bool = False
    alpha: float = 0.5


OPTION_SETS = {
    "m": OptionSet(),
    "none": OptionSet({"stem": False}),
    "ms": OptionSet({"stop": True}),
    "mB": OptionSet(best=True),
    "ml50": OptionSet({"words": 50}),
    "mb200": OptionSet({"bytes": 200}),
    "mp02": OptionSet(alpha=0.2),
    "mstar": OptionSet(),
}


def read_jsonl(name: str) -> list[dict[str, Any]]:
    with (FOLDER / name).open(encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def read_tsv(name: str) -> Iterator[list[str]]:
    with (FOLDER / name).open(encoding="utf-8") as file:
        next(file)
        for line in file:
            yield line.rstrip("\n").split("\t")


def texts_and_pairs(item: dict[str, Any]) -> tuple[list[str], NDArray[np.int64]]:
    """An item as one peer against all its references."""
    texts = [item["peer"], *item["refs"]]
    return texts, np.array([(0, model) for model in range(1, len(texts))], dtype=np.int64)


def f_measure(recall: float, precision: float, alpha: float) -> float:
    below = (1 - alpha) * precision + alpha * recall
    return recall * precision / below if below > 0 else 0.0


def printed_scores(
    counts: NDArray[np.float64], *, best: bool, alpha: float, weight: float | None
) -> tuple[float, float, float]:
    """R, P, F of (models, 4) counts, as ROUGE-1.5.5 rounds and prints them."""

    def ratio(hits: float, count: float, power: float = 1.0) -> float:
        return float((hits / count) ** (1 / power)) if count else 0.0  # a float: numpy rounds in another way

    power = weight or 1.0
    if best:
        recalls = [ratio(hits, single, power) for hits, _, _, single in counts]
        if weight is None:
            recalls = [round(value, 5) for value in recalls]
        counts = counts[int(np.argmax(recalls))][None]
    hits, model, peer, _ = counts.sum(axis=0)
    recall, precision = round(ratio(hits, model, power), 5), round(ratio(hits, peer, power), 5)
    return recall, precision, round(f_measure(recall, precision, alpha), 5)


def score_item(
    item: dict[str, Any], metric: str, option_set: OptionSet, count: Callable[..., NDArray[np.float64]]
) -> tuple[float, float, float]:
    """R, P, F of an item under a measure."""
    texts, pairs = texts_and_pairs(item)
    kind = KINDS[metric]
    counts = count(texts, pairs, [kind], **option_set.options)[:, 0]
    weight = kind.parameter if kind.family == "w" else None
    return printed_scores(counts, best=option_set.best, alpha=option_set.alpha, weight=weight)
