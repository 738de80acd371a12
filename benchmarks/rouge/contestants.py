"""The programs that compute rouge-score's ROUGE, each as a function from items to scores with its time.

A program that is not installed becomes a `Skipped` with the reason. All return items × types × (precision, recall, F),
or types × 3 when they only give means.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final, TypeAlias

import numpy as np
import polars as pl
from numpy.typing import NDArray

from benchmarks.texts import Item, fresh
from benchmarks.timing import Seconds, Timed, stopwatch
from pyramidion.arrow import score_batch
from pyramidion.compat.rouge_score.rouge_scorer import RougeScorer

Scores: TypeAlias = NDArray[np.float64]
Run: TypeAlias = Callable[[Sequence[Item]], Timed[Scores]]

ARROW: Final = "pyramidion, from Arrow"
"""The name of `ours_from_arrow`."""
SUMMARY: Final = ("rouge1", "rouge2", "rougeLsum")
FLAT: Final = ("rouge1", "rouge2", "rougeL")
GRAMS: Final = ("rouge1", "rouge2")


@dataclass(frozen=True)
class Contestant:
    """A program. `at_most` items are given to it in a round, so that slow ones do not take all the time."""

    name: str
    run: Run
    at_most: int = 1_000_000
    tolerance: float = 1e-9


@dataclass(frozen=True)
class Skipped:
    """A program that does not run here."""

    name: str
    reason: str


class NotAvailableError(Exception):
    """Says why a program can't run here."""


def available(*makers: Callable[[], Contestant]) -> tuple[list[Contestant], list[Skipped]]:
    """Those that run here, and those that do not. A maker is named after its program."""
    contestants, skipped = [], []
    for maker in makers:
        try:
            contestants.append(maker())
        except NotAvailableError as error:
            skipped.append(Skipped(label(maker), str(error)))
    return contestants, skipped


def label(maker: Callable[[], Contestant]) -> str:
    """The name of the program that a maker makes."""
    return maker.__name__.replace("_", "-")


def turn(contestant: Contestant, items: Sequence[Item]) -> Callable[[], Seconds]:
    """A turn: three runs for quick programs, for the first one finds caches that another program has filled."""
    subset = items[: contestant.at_most]
    runs = 1 if contestant.at_most <= len(items) else 3

    def take() -> Seconds:
        best = contestant.run(fresh(subset)).seconds
        for _ in range(runs - 1):
            best = best.best(contestant.run(fresh(subset)).seconds)
        return best

    return take


def ours(types: Sequence[str] = SUMMARY, *, stem: bool = True, threads: int = 1) -> Contestant:
    """pyramidion: all items in one call."""
    scorer = RougeScorer(types, use_stemmer=stem)
    name = "pyramidion" if threads == 1 else f"pyramidion, {threads} threads"
    return Contestant(
        name, _in_process(lambda targets, predictions: scorer.score_batch(targets, predictions, threads=threads))
    )


def ours_one_by_one() -> Contestant:
    """pyramidion: a call for each item."""
    return Contestant("pyramidion, pair by pair", _in_process(_one_by_one(RougeScorer(SUMMARY, use_stemmer=True))))


def ours_from_arrow() -> Contestant:
    """pyramidion: a frame whose texts never become Python objects, and columns of scores instead of a dict each."""
    measures = [f"{name}(stem=yes).{part}" for name in SUMMARY for part in ("precision", "recall", "f")]

    def run(items: Sequence[Item]) -> Timed[Scores]:
        targets, predictions = _lists(items)
        frame = pl.DataFrame({"summary": predictions, "references": targets})
        with stopwatch() as watch:
            result = score_batch(frame, measures, threads=1)
        return Timed(result.select(measures).to_numpy().reshape(len(items), len(SUMMARY), 3), watch.seconds)

    return Contestant(ARROW, run)


def rouge_score_rs() -> Contestant:
    """rouge-score-rs (Rust): all items in one call if they have one target. Its threads are set by the environment."""
    os.environ.setdefault("RAYON_NUM_THREADS", "1")
    scorer = _import("rouge_score_rs").RougeScorer(list(SUMMARY), use_stemmer=True)

    def score(targets: list[Any], predictions: list[str]) -> Any:
        if isinstance(targets[0], str):
            return scorer.score_batch(targets, predictions)
        return _one_by_one(scorer)(targets, predictions)

    return Contestant("rouge-score-rs", _in_process(score))


def rouge_score() -> Contestant:
    """rouge-score, Google's package in Python."""
    scorer = _import("rouge_score.rouge_scorer").RougeScorer(list(SUMMARY), use_stemmer=True)
    return Contestant("rouge-score", _in_process(_one_by_one(scorer)), at_most=100)


def evaluate() -> Contestant:
    """Hugging Face evaluate: rouge-score behind a table; gives F only."""
    module = _import("evaluate")
    try:
        metric = module.load("rouge")
    except Exception as error:  # whatever its network stack raises
        raise NotAvailableError(f"its script could not be loaded ({type(error).__name__})") from None

    def run(items: Sequence[Item]) -> Timed[Scores]:
        targets, predictions = _lists(items)
        options = {"rouge_types": list(SUMMARY), "use_stemmer": True, "use_aggregator": False}
        with stopwatch() as watch:
            result = metric.compute(predictions=predictions, references=targets, **options)
        f = np.array([result[name] for name in SUMMARY]).T
        return Timed(np.stack([np.full_like(f, np.nan), np.full_like(f, np.nan), f], axis=-1), watch.seconds)

    return Contestant("evaluate", run, at_most=100)


def torchmetrics() -> Contestant:
    """torchmetrics: rougeL of the whole text (its rougeLsum downloads a sentence splitter); gives means in 32 bits."""
    _import("torch")
    function = _import("torchmetrics.functional.text.rouge").rouge_score

    def run(items: Sequence[Item]) -> Timed[Scores]:
        targets, predictions = _lists(items)
        with stopwatch() as watch:
            result = function(predictions, targets, rouge_keys=FLAT, use_stemmer=True)
        parts = ("precision", "recall", "fmeasure")
        return Timed(np.array([[float(result[f"{name}_{part}"]) for part in parts] for name in FLAT]), watch.seconds)

    return Contestant("torchmetrics", run, at_most=100, tolerance=1e-5)


def rouge_metric() -> Contestant:
    """rouge-metric's Python part: no stems; its ROUGE-L breaks ties in another way, so n-grams only.

    It gives means, and as mean F the F of mean precision and mean recall, which is left out of the comparison.
    """
    scorer = _import("rouge_metric").PyRouge(rouge_n=(1, 2), rouge_l=False)
    find = re.compile("[a-z0-9]+").findall

    def run(items: Sequence[Item]) -> Timed[Scores]:
        predictions = [item.prediction for item in items]
        targets = [list(item.targets) for item in items]
        with stopwatch() as watch:
            result = scorer.evaluate(
                predictions, targets, sentencizer=lambda text: [text], tokenizer=lambda text: find(text.lower())
            )
        means = [[result[f"rouge-{n}"]["p"], result[f"rouge-{n}"]["r"], np.nan] for n in (1, 2)]
        return Timed(np.array(means), watch.seconds)

    return Contestant("rouge-metric", run, at_most=100)


def rouge_rust() -> Contestant:
    """rouge-rust: R-1, R-2 and R-L without stems. Its threads are set by the environment."""
    os.environ.setdefault("RAYON_NUM_THREADS", "1")
    score = _import("fast_rouge", package="rouge-rust").score_batch

    def run(items: Sequence[Item]) -> Timed[Scores]:
        targets, predictions = _lists(items)
        with stopwatch() as watch:
            result = score(targets, predictions)
        scores = [[(one.precision, one.recall, one.fmeasure) for one in map(row.get, FLAT)] for row in result]
        return Timed(np.array(scores), watch.seconds)

    return Contestant("rouge-rust", run)


def rapidfuzz() -> Contestant:
    """rapidfuzz's common subsequences of words found by a regular expression: R-L without stems."""
    similarity = _import("rapidfuzz.distance").LCSseq.similarity
    find = re.compile("[a-z0-9]+").findall

    def run(items: Sequence[Item]) -> Timed[Scores]:
        targets, predictions = _lists(items)
        with stopwatch() as watch:
            words = [
                (find(target.lower()), find(text.lower())) for target, text in zip(targets, predictions, strict=True)
            ]
            counts = [(similarity(target, text), len(text), len(target)) for target, text in words]
        hits, predicted, wanted = np.array(counts, dtype=np.float64).T
        return Timed(
            np.stack([hits / predicted, hits / wanted, 2 * hits / (predicted + wanted)], -1)[:, None], watch.seconds
        )

    return Contestant("rapidfuzz", run)


def difference(found: Scores, expected: Scores) -> float:
    """The largest difference between a program's numbers and ours; what it does not give (NaN) is left out."""
    if found.ndim < expected.ndim:
        expected = expected.mean(axis=0)
    return float(np.nanmax(np.abs(found - expected)))


def _import(name: str, *, package: str = "") -> Any:
    try:
        return import_module(name)
    except ImportError:
        package = package or name.split(".")[0].replace("_", "-")
        raise NotAvailableError(f"{package} is not installed (benchmarks/requirements.txt)") from None


def _lists(items: Sequence[Item]) -> tuple[list[Any], list[str]]:
    """Targets and predictions as users hold them: a text, or a list of texts, for each prediction."""
    single = all(len(item.targets) == 1 for item in items)
    targets: list[Any] = [item.targets[0] if single else list(item.targets) for item in items]
    return targets, [item.prediction for item in items]


def _one_by_one(scorer: Any) -> Callable[[list[Any], list[str]], list[dict[str, Any]]]:
    def score(targets: list[Any], predictions: list[str]) -> list[dict[str, Any]]:
        call = scorer.score if isinstance(targets[0], str) else scorer.score_multi
        return [call(target, prediction) for target, prediction in zip(targets, predictions, strict=True)]

    return score


def _in_process(score: Callable[[list[Any], list[str]], list[dict[str, Any]]]) -> Run:
    """Times a call that returns a dict of (precision, recall, F) for each item."""

    def run(items: Sequence[Item]) -> Timed[Scores]:
        targets, predictions = _lists(items)
        with stopwatch() as watch:
            result = score(targets, predictions)
        return Timed(np.array([list(scores.values()) for scores in result], dtype=np.float64), watch.seconds)

    return run
