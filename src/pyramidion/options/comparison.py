"""How summarizers are compared, and how many topics and assessors a comparison needs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from pyramidion.options.base import Options, confidence_level, draws, option
from pyramidion.options.predictions import AssumedSample, Population, SampledBy, predictors

MeanInterval = Literal["t", "own", "percentile", "studentized"]
PairMethod = Literal["t", "sign-flip", "bounded"]
LettersTest = Literal["tukey", "paired"]
Assessors = Literal["fixed", "random"]
Correction = Literal["holm", "bonferroni", "benjamini-hochberg", "none"]


def sampled_assessors() -> Any:
    """The option `assessors`."""
    return option(
        None,
        "Treat the assessors as fixed (results hold for these people) or as a random sample (results hold for other "
        "assessors, too). Default: random if a question has at least 3 assessors and the design allows it.",
    )


def interval_method() -> Any:
    """The option `interval`."""
    return option(
        None,
        "Method for the intervals of means; pairs have their own, see `method=` of `compare`. t: variance pooled over "
        "all systems; own: t with each system's own variance; percentile, studentized: bootstrap. Default: t; with "
        "`cluster=` own.",
    )


def largest_loss() -> Any:
    """The option `margin` of comparisons."""
    return option(
        (),
        "The largest acceptable loss of the first system of a pair against the second, the baseline: in units of the "
        "first measure (0.1), as a share of the baseline's mean on any measure (5%), or of a named measure "
        "(rouge-2.f=0.02); repeatable. Adds verdicts: equivalent, not worse by more than the margin.",
        metavar="LOSS",
    )


def known_scale() -> Any:
    """The option `scale`."""
    return option(
        (),
        "The lowest and highest value of measures whose scale the data does not know.",
        separator=",",
        metavar="LOW,HIGH",
    )


def cluster_field(what: str) -> Any:
    """The option `cluster`."""
    return option(
        None,
        "Topics with the same value of this field belong together, such as parent, an attribute, a column of the "
        f"table, or document (topics that share one): {what}.",
        metavar="FIELD",
    )


class CompareOptions(Options):
    """How summarizers are compared."""

    pair: Sequence[tuple[str, str]] = option((), "Compare these two systems; repeatable.", metavar="A B")
    against: str | None = option(None, "Compare every other system with this one.", metavar="A")
    all_pairs: bool = option(False, "Compare all pairs of systems.")
    method: PairMethod = option(
        "t",
        "Test of a pair, which gives p and the interval. t: paired t test; sign-flip: permutation test, which assumes "
        "no distribution; bounded: betting test, exact for scores with a known scale whatever their shape, with wider "
        "intervals.",
    )
    scale: Sequence[float] = known_scale()
    correction: Correction = option(
        "holm",
        "Correct the p values of several pairs. Their intervals are at the Bonferroni level; with none, each stands "
        "for itself.",
    )
    # Text or number: Python users give 0.1, the command line also 5% and MEASURE=LOSS.
    margin: Sequence[str | float] = largest_loss()
    letters: LettersTest | None = option(
        None,
        "Test behind the letters. tukey: Tukey's test, with one variance for all systems; paired: paired t tests of "
        "all pairs, with Holm's correction. Default: paired if scores are missing or variances clearly differ; else "
        "tukey.",
    )
    cluster: str | None = cluster_field(
        "whole clusters are the unit of pairs, letters and intervals (CR2 standard errors; sign flips of clusters)"
    )
    assessors: Assessors | None = sampled_assessors()
    interval: MeanInterval | None = interval_method()
    sequential: bool = option(
        False,
        "Test the pairs after each topic, in random order; p values stay valid whenever you stop. Assumes independent "
        "topics and scores with a known scale (`scale=`), whatever their shape; without one, roughly normal "
        "differences.",
    )
    fragility: bool = option(
        False,
        "Find the fewest topics whose removal changes who leads, and the verdicts on the pairs; they are named.",
    )
    using: Sequence[str] = predictors(
        "Combine people's answers to a sample with predictors of the rest, separated by commas: measures such as "
        "rouge-1.recall or a judge's column; for pyramids also auto-pyramid, and pyramid(annotator=NAME), the answers "
        "of a program."
    )
    population: Population = option(
        "these", "With `using=`: results for these topics, or for all topics of which these are a sample."
    )
    plan: str | None = option(
        None, "With `using=`: the file of the sample. Default: sample.jsonl of the campaign.", metavar="FILE"
    )
    assume_random: AssumedSample | None = option(
        None, "With `using=` and no plan: treat the topics that people judged as a random sample of all topics."
    )
    confidence: float = confidence_level()
    resamples: int = draws()
    permutations: int = draws(
        "Number of random sign flips in the permutation test of a pair with more than 16 topics.", 99_999
    )

    @property
    def mean_interval(self) -> MeanInterval:
        """The method of intervals of means."""
        if self.interval is None:
            return "t" if self.cluster is None else "own"
        return self.interval

    @property
    def asks_for_pairs(self) -> bool:
        """Whether pairs of systems are to be tested, each by itself."""
        return bool(self.pair or self.all_pairs) or self.against is not None


def _power(what: str) -> Any:
    return option(80.0, f"{what}, in percent (80) or as a share (.8).", above=0, below=100)


def _in_percent(power: float) -> float:
    """A number below 1 is a share: nobody plans for less than 1 % power."""
    # Textbooks write .8, and tools 80: both are understood.
    return 100 * power if power < 1 else power


class PowerOptions(Options):
    """What a power analysis solves for."""

    difference: float | None = option(
        None, "Compute the number of topics needed to detect this difference between means.", above=0
    )
    margin: float | None = option(
        None,
        "Compute the number of topics needed to show that two equal systems differ by less than this, in units of the "
        "measure: that one is not worse by more than it, and that both are equivalent.",
        above=0,
        metavar="LOSS",
    )
    topics: Sequence[int] = option(
        (), "Compute the smallest detectable difference with this many topics; repeatable.", minimum=2
    )
    power: float = _power("Power: the chance of detecting a difference that exists")
    pair: Sequence[tuple[str, str]] = option(
        (), "Estimate the variance from the differences between these two systems; repeatable.", metavar="A B"
    )
    cluster: str | None = cluster_field(
        "the variance of a difference, and what is planned, are those of clusters of the pilot's size"
    )
    assessors: Assessors | None = sampled_assessors()
    comparisons: int = option(1, "Number of tests to correct the significance level for (Bonferroni).", minimum=1)
    confidence: float = confidence_level()

    @property
    def power_in_percent(self) -> float:
        """The power to reach, in percent however it was given."""
        return _in_percent(self.power)


FIVE_POINTS_DIFFERENCE = 0.5
"""What a design detects by default, in points of a question with five answers; other measures have other scales."""


class DesignOptions(Options):
    """What a design must detect, and what it costs."""

    measure: str | None = option(
        None, "The question or measure to plan for, such as question.overall-responsiveness.", also="-m"
    )
    difference: float | None = option(
        None,
        f"The difference between means to detect. Default for 5-point questions: {FIVE_POINTS_DIFFERENCE}.",
        above=0,
    )
    margin: float | None = option(
        None,
        "Plan to show that one of two equal systems is not worse by more than this, in units of the measure, instead "
        "of detecting a difference.",
        above=0,
        metavar="LOSS",
    )
    power: float = _power("Power to reach: the chance of detecting the difference")
    budget: float | None = option(None, "Find the design with the most power for this cost instead.", above=0)
    cost: str | None = option(
        None,
        "What things cost: topic=20,judgment=1.5,assessor=100,model=30. Default: judgment=1. With `using=`: "
        "summary=2,answer=0.5 (reading a summary, each answer about it) and topic. Default: answer=1.",
        metavar="WHAT=NUMBER,…",
    )
    systems: int | None = option(None, "Number of systems to compare. Default: as in the pilot.", minimum=2)
    most_assessors: int = option(12, "Consider up to this many assessors.", minimum=3)
    most_topics: int = option(400, "Consider up to this many topics.", minimum=3)
    most_models: int = option(8, "Consider up to this many references for each topic (automatic measures).", minimum=1)
    using: Sequence[str] = predictors(
        "Plan which share of the answers people are asked for if these predict the rest, separated by commas: a "
        "judge's column or measures; for pyramids also auto-pyramid."
    )
    half_width: float | None = option(
        None,
        "With `using=`: half the width that the interval of a difference is to have, in units of the measure.",
        above=0,
    )
    by: SampledBy | None = option(
        None, "With `using=`: what would be drawn, topic or scu. Default: both for pyramids, topic for questions."
    )
    topics: int | None = option(
        None, "With `using=`: number of topics of the campaign that is planned. Default: as in the data.", minimum=2
    )
    population: Population = option(
        "these", "With `using=`: results for these topics, or for all topics of which these are a sample."
    )
    plan: str | None = option(
        None,
        "With `using=`: the file of the sample that people answered as a pilot. Default: sample.jsonl of the campaign.",
        metavar="FILE",
    )
    confidence: float = confidence_level()

    @property
    def plans_labels(self) -> bool:
        """Whether a share of answers is planned, not a campaign in which everything is answered."""
        return bool(self.using) or self.half_width is not None or self.by is not None

    @property
    def power_in_percent(self) -> float:
        """The power to reach, in percent however it was given."""
        return _in_percent(self.power)

    @property
    def detected(self) -> float:
        """The difference to detect, or the margin; if neither was given, that of a question with five points.

        A loss of the margin has to be excluded, which needs as many topics as to detect a difference of its size.
        """
        if self.margin is not None:
            return self.margin
        return FIVE_POINTS_DIFFERENCE if self.difference is None else self.difference
