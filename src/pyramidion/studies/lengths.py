"""Lengths of summaries: whether systems differ in them, and whether the score that decides goes with length."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence

import numpy as np

from pyramidion.campaign import Summary
from pyramidion.scores import ScoreMatrix
from pyramidion.text.tokens import tokenise

Lengths = Mapping[str, Mapping[str, float]]
"""By system and topic, the number of words; of several runs, the mean."""
LARGE_DIFFERENCE = 1.1
"""The longest mean over the shortest, above which a reader is told."""


def lengths_of(summaries: Sequence[Summary], systems: Sequence[str]) -> Lengths:
    """The words of each summary of these systems, counted as by the measure `length`."""
    chosen = set(systems)
    lengths: dict[str, dict[str, float]] = defaultdict(dict)
    of_runs: dict[tuple[str, str], list[int]] = defaultdict(list)
    for summary in summaries:
        if summary.summarizer not in chosen:
            continue
        words = of_runs[summary.summarizer, summary.topic]
        words.append(len(tokenise(summary.text, tokens="unicode")))
        mean = sum(words) / len(words)
        lengths[summary.summarizer][summary.topic] = words[0] if len(words) == 1 else mean
    return lengths


def mean_lengths(lengths: Lengths) -> dict[str, float]:
    """By system, its mean number of words, the longest first."""
    means = {name: sum(by_topic.values()) / len(by_topic) for name, by_topic in lengths.items()}
    return dict(sorted(means.items(), key=lambda item: (-item[1], item[0])))


def differ_much(means: Sequence[float]) -> bool:
    """Whether the longest mean exceeds the shortest by more than 10 %."""
    return len(means) > 1 and max(means) > LARGE_DIFFERENCE * min(means)


def correlate_with_length(matrix: ScoreMatrix, lengths: Lengths) -> tuple[float, int]:
    """Pearson's r of scores with lengths within topics, and over how many summaries.

    Both are taken as differences from their mean over the systems of the topic, so that topics that are easy, or
    that need many words, do not count. NaN where either does not vary.
    """
    scores: list[float] = []
    words: list[float] = []
    for column, topic in enumerate(matrix.topics):
        found = [
            (float(value), lengths[name][topic])
            for name, value in zip(matrix.summarizers, matrix.values[:, column], strict=True)
            if not math.isnan(value) and topic in lengths.get(name, {})
        ]
        if len(found) > 1:
            values = np.array(found, dtype=float)
            values -= values.mean(axis=0)
            scores += values[:, 0].tolist()
            words += values[:, 1].tolist()
    spread = math.sqrt(float(np.square(scores).sum() * np.square(words).sum()))
    return (float(np.dot(scores, words)) / spread if spread > 0 else math.nan), len(scores)
