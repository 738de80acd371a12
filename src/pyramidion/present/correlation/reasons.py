"""Why a correlation, an accuracy or a test of them is undefined."""

from __future__ import annotations

from pyramidion.show.wording import together
from pyramidion.statistics.correlation.intervals import is_perfect
from pyramidion.statistics.intervals import FEWEST_STUDENTIZED
from pyramidion.studies.correlations.pairs import Accuracy, Correlation, SignificantTopics
from pyramidion.studies.correlations.tests import AccuracyTest, CorrelationTest

NO_LEAST_P = "only permutation tests have a least p"
_BASED_ON = {"system": "summarizers with both means", "topic": "topics", "global": "summaries with both scores"}


def why_no_correlation(row: Correlation) -> str:
    """Why a correlation, its p or its interval is undefined; empty if nothing is."""
    if row.value is None:
        return _why_no_value(row)
    no_p, no_interval = "", ""
    if row.p is None:
        no_p = f"no p: too few {_BASED_ON[row.level]}, or no variation"
        if row.level == "global" and row.method != "bootstrap":
            no_p = 'no p: summaries of the same summarizer or topic are not independent; use `interval="bootstrap"`'
    if row.lower is None:
        no_interval = f"no interval: {_why_no_interval(row, row.value)}"
    return together(no_p, no_interval)


def _why_no_value(row: Correlation) -> str:
    if row.level == "topic":
        return "no topic has two summaries with both scores that vary"
    if row.n < 2:
        return f"fewer than two {_BASED_ON[row.level]}"
    if row.level == "system" and row.n == 2:
        return f"only two {_BASED_ON[row.level]}: two points always lie on a line"
    return "the values of one measure are all equal"


def _why_no_interval(row: Correlation, value: float) -> str:
    if row.method == "bootstrap":
        return "the correlation was undefined or the same in every sample, or there are too few samples for this level"
    if row.method == "studentized" and (row.level, row.coefficient) != ("system", "pearson"):
        return 'studentized is for Pearson\'s coefficient at system level; use `interval="bootstrap"`'
    if row.level != "system":
        return f'{row.method} is for system level; use `interval="bootstrap"`'
    if is_perfect(value) and row.n > 3:  # fewer are too few for any value
        return f"a correlation of {value:.0f} does not show its own error"
    if row.method == "studentized":
        return f"too few summarizers; studentized needs {FEWEST_STUDENTIZED}"
    if row.method == "test":
        return "too few summarizers: no correlation of so many can be significant"
    return "too few summarizers"


def why_no_significant_topic(row: SignificantTopics) -> str:
    """Why there is no strongest and no weakest significant correlation within a topic."""
    return "no topic has a significant correlation" if row.n else "no topic has a defined correlation"


def why_no_accuracy(row: Accuracy) -> str:
    """Why an accuracy or its interval is undefined."""
    if row.value is None:
        return "fewer than two topics" if row.kind == "cross-calibrated" else "there is no pair to order"
    if row.kind == "tie-calibrated":
        return "no interval: ε was chosen on the same topics; cross-calibrated has one"
    if row.error is None:
        return "no interval: too few summarizers or topics"
    if row.value in (0.0, 1.0):
        return f"no interval: a share of {row.value:.0f} does not show its own error"
    return "no interval: the share does not change when any summarizer or topic is left out"


def why_not_tested(row: CorrelationTest) -> str:
    """Why the test of two correlations, or its least p, is undefined."""
    if row.difference is None:
        return "a correlation is not defined on the summaries that have all three scores"
    if row.method == "permutation":
        return ""
    if (row.level, row.coefficient) != ("system", "pearson"):
        return "Williams' test is for Pearson's coefficient at system level; `test=\"permutation\"` works for all"
    if row.p is None:
        return "Williams' test needs at least four summarizers, and means that vary"
    return NO_LEAST_P


def why_no_accuracy_test(row: AccuracyTest) -> str:
    """Why the test of two accuracies is undefined."""
    if row.kind == "cross-calibrated" and row.resampled != "systems":
        return "ε belongs to one measure, so that only whole systems can exchange scores: leave out `resample=`"
    return "an accuracy is not defined on the summaries that have all three scores"
