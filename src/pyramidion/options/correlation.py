"""How measures are correlated."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol

from pyramidion.errors import UsageError, mention
from pyramidion.options.base import Options, confidence_level, option
from pyramidion.options.comparison import cluster_field

Coefficient = Literal["pearson", "spearman", "kendall"]
Level = Literal["system", "topic", "global"]
CorrelationInterval = Literal["fisher", "test", "bootstrap", "studentized", "robust"]
Sides = Literal["one", "two"]
AccuracyTies = Literal["half", "wmt"]
"""What ties are in pairwise accuracy: left out and worth half a point, or as the metrics tasks of WMT count them."""
Resampled = Literal["systems", "topics", "both"]
"""What is drawn anew: the summarizers, the topics, or both."""


class NamedMeasure(Protocol):
    """A measure, or a selection of its values, given as an object in place of its name; other rooms define them."""

    @property
    def name(self) -> object:
        """Its name, or what returns it."""


class CorrelateOptions(Options):
    """How measures are correlated."""

    with_: Sequence[str] = option(
        (), "The measure to correlate with, such as question.NAME; repeatable.", metavar="MEASURE"
    )
    level: Sequence[Level] = option(
        ("system",),
        "Correlate means over topics, within each topic, or over all summaries; repeatable. Default: system.",
    )
    coefficient: Sequence[Coefficient] = option(
        ("spearman", "kendall", "pearson"),
        "Only this correlation coefficient; repeatable; the first leads. Default: all three, Spearman's first.",
    )
    interval: CorrelationInterval | None = option(
        None,
        "Method for intervals. test: by the distribution that gives p, at system level. fisher: by Fisher's "
        "transformation, as in the tables of DUC. studentized: bootstrap-t over systems, for Pearson's coefficient at "
        "system level only. robust: the wider of test and studentized, with the larger p. Default: test at system "
        "level (robust for Pearson's if a system lies far out and there are at least 8), bootstrap elsewhere.",
    )
    sides: Sides = option("two", "Two-sided intervals, or a lower limit only, as in the tables of DUC.")
    resample: Resampled | None = option(
        None,
        "What to resample. Default for the bootstrap: both. Default for permutation tests: systems.",
    )
    test: Literal["permutation", "williams"] | None = option(
        None, "Test for each pair of measures whether one correlates significantly better than the other."
    )
    micro: bool = option(
        False, "Also correlate within each topic, and count the topics with a significant correlation."
    )
    accuracy: bool = option(
        False,
        "Also compute pairwise accuracy: plain, with ties, tie-calibrated (also with ε chosen on other topics), soft.",
    )
    ties: AccuracyTies = option(
        "half",
        "Ties in plain and soft pairwise accuracy. half: pairs with equal human means are left out, and equal sums add "
        "half to p; wmt: as in mt-metrics-eval, such pairs count, and equal sums add one.",
    )
    matrix: bool = option(False, "Correlate all measures with each other.")
    by: str | None = option(
        None,
        "Correlate within groups of topics: those with the same value of this field, such as granularity or part.",
        metavar="FIELD",
    )
    cluster: str | None = cluster_field("where topics are resampled, whole clusters are")
    draw: Literal["scatter", "intervals", "tests"] | None = option(
        None,
        "What the figure shows: systems as points, correlations with their intervals, or which measures correlate "
        "significantly better than others. Default: tests with `test=`, otherwise scatter.",
    )
    confidence: float = confidence_level()
    resamples: int | None = option(
        None, "Number of bootstrap samples, and of permutations. Default: 2,000 and 9,999.", minimum=1
    )

    @property
    def bootstrap_samples(self) -> int:
        """How often the bootstrap draws."""
        # Limits of a percentile interval need the tails: with 1,000 draws the 2.5th percentile rests on 25.
        return self.resamples or 2_000

    @property
    def permutations(self) -> int:
        """How often a permutation test exchanges scores."""
        # One less than a round number: p = (k + 1)/(B + 1) then has round values.
        return self.resamples or 9_999

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.matrix:
            self._check_matrix()
        if not self.level or not self.coefficient:
            raise UsageError("give at least one `level=` and one `coefficient=`")
        if self.interval in ("studentized", "robust"):
            self._check_studentized(self.interval)
        if self.cluster is not None:
            self._check_cluster()
        if self.draw == "tests" and not self.test:
            raise UsageError('`draw="tests"` shows the tests between measures: add `test="permutation"`')

    def _check_matrix(self) -> None:
        """Refuse what makes no sense where every two measures are correlated.

        Raises:
            UsageError: with what to leave out.
        """
        if self.with_:
            raise UsageError(
                "`matrix=True` correlates every two measures, `with_=` all of them with one: leave one out"
            )
        if self.test:
            raise UsageError(
                "`test=` compares correlations with the same measure: use `with_=` instead of `matrix=True`"
            )

    def _check_cluster(self) -> None:
        """Refuse what takes topics one by one.

        Raises:
            UsageError: with what to leave out.
        """
        if self.test == "permutation" and self.resample not in (None, "systems"):
            raise UsageError(
                f"`test=` exchanges topics one by one with {mention('resample', self.resample)}: with `cluster=`, "
                "leave it out, so that systems are exchanged"
            )
        if self.accuracy:
            raise UsageError("`accuracy=True` takes topics as independent: leave it out, or leave out `cluster=`")

    def _check_studentized(self, interval: str) -> None:
        """Refuse to resample topics for an interval that rests on resampled systems.

        Raises:
            UsageError: with what to leave out.
        """
        if self.resample in (None, "systems"):
            return
        interval_option, resample_option = mention("interval", interval), mention("resample", self.resample)
        raise UsageError(f"{interval_option} resamples systems: leave out {resample_option}")
