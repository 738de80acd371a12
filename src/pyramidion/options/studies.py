"""What the studies of measures, references, topics and pyramids follow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pyramidion.options.base import Options, confidence_level, draws, option
from pyramidion.options.choice import ALL_SUMMARIES
from pyramidion.options.correlation import Coefficient

ITSELF = "itself"
"""In place of a human score: the measure's own full version."""
Scope = Literal["topic", "any"]
"""Which pairs of summaries are looked at: those of one topic, or any two."""
PyramidScoreName = Literal["original", "modified"]


class SampleSizeOptions(Options):
    """How correlations are followed as references or topics are added."""

    with_: Sequence[str] = option(
        (),
        "The human score to correlate with, such as question.overall; `itself`: the measure's own scores with all "
        "references or topics.",
        metavar="MEASURE",
    )
    coefficient: Coefficient = option("pearson", "Correlation coefficient.")
    resamples: int = draws("Number of random samples for each k.", minimum=2)
    tolerance: float = option(
        0.01,
        "Tolerance: k is enough if its correlation is within this of the correlation with all references or topics.",
        minimum=0,
    )
    beyond: Sequence[float] | None = option(
        None,
        "Extrapolate to this many (inf: without limit); repeatable. Default: twice as many as there are, and inf.",
        minimum=1,
    )
    by: str | None = option(
        None,
        "Study groups of topics separately and compare them: those with the same value of this field, such as part.",
        metavar="FIELD",
    )
    confidence: float = confidence_level()


class TopicsOptions(SampleSizeOptions):
    """How correlations are followed as topics are added."""

    sizes: Sequence[int] = option(
        # The numbers of Tables 6 to 11 in Owczarzak and Dang (2009).
        (1, 3, 6, 12, 24, 36, 39, 42, 45),
        "Numbers of topics to sample; those above the number of topics are dropped.",
        minimum=1,
        separator=",",
        metavar="K,…",
    )


class HeterogeneityOptions(Options):
    """How diverse measures are, and what they are worth together."""

    with_: str | None = option(
        None, "The human score that measures quality, such as question.overall.", metavar="MEASURE"
    )
    pairs: Scope = option("topic", "Estimate heterogeneity on pairs of summaries of the same topic, or on all pairs.")
    sample: int | None = option(
        None, "Estimate heterogeneity from this many random pairs. Default: all pairs.", minimum=1
    )
    worst: float = option(
        10.0,
        "Compute robustness on the worst topics of each measure: this percentage of them.",
        above=0,
        maximum=100,
    )
    # As in Figure 1 of Amigó et al. (2012).
    bins: int = option(100, "Number of bins for pairs sorted by heterogeneity.", minimum=2)


class ChoicesOptions(Options):
    """Which settings of ROUGE are tried, and for which pair the estimates are shown."""

    vary: Sequence[str] = option(
        (),
        "Vary only these of statistic, stem, stop, references, tokens and limit; what is left out stays as the measure "
        "has it. With values: references=first/best. Default: all of them.",
        separator=",",
        metavar="WHAT,…",
    )
    limits: Sequence[int] = option(
        (),
        "Also cut texts to this many words; repeatable. Default: the campaign's word limit, if it has one.",
        minimum=1,
        metavar="WORDS",
    )
    pair: Sequence[tuple[str, str]] = option(
        (),
        "Show the difference between these two systems under each setting; repeatable, the figure draws the first. "
        "Default: the pair that reverses most often.",
        metavar="A B",
    )
    confidence: float = confidence_level()


class ModelFreeOptions(Options):
    """How model-free measures are studied."""

    with_: Sequence[str] = option(
        (),
        "The human score to correlate with; repeatable. Default: pyramid.modified and every question.",
        metavar="MEASURE",
    )
    stem: Literal["both", "yes", "no"] = option("both", "Compare stems (yes), words as they are (no), or both.")
    background: str = option(
        "wordfreq", "Word frequencies for cosines and topic words: wordfreq, or a TSV file.", metavar="wordfreq|FILE"
    )
    # Louis and Nenkova (2009) report Spearman's, the other studies Pearson's.
    coefficient: Coefficient = option("spearman", "Correlation coefficient.")
    by: str | None = option(
        None,
        "Study groups of topics separately: those with the same value of this field, such as part.",
        metavar="FIELD",
    )
    confidence: float = confidence_level()


class OrdersOptions(Options, unused_choice=ALL_SUMMARIES):
    """How pyramid scores are followed as pyramids grow."""

    score: PyramidScoreName = option("original", "The pyramid score to study.")
    # Both thresholds are those of Nenkova and Passonneau (2004, §3.3).
    divergent: float = option(0.1, "Two scores that differ by more than this are divergent.", minimum=0, below=1)
    same: float = option(0.06, "Two scores that differ by less than this are the same.", minimum=0, below=1)
    confidence: float = confidence_level("Confidence level of the one-sided test of rankings, in percent.")
    order: int = option(
        3, "Average over the sub-pyramids of this many references, unless `subset=` is given.", minimum=1
    )
    count: int | None = option(
        None, "Number of summaries to rank. Default: 5, but at most half of the summaries.", minimum=2
    )
    ranked: Sequence[str] = option(
        (), "Summarizers to rank: A,B,C, or TOPIC=A,B,C; repeatable. Default: a random sample.", metavar="NAMES"
    )
    subset: Sequence[str] = option(
        (), "Also score with the pyramid of these references: A,B,C,D, or TOPIC=A,B,C,D; repeatable.", metavar="NAMES"
    )
    annotator: str | None = option(None, "Whose pyramids to use if a topic has several. Default: the first.")
    include_self: bool = option(False, "Score a reference with the pyramid that contains it.")
    limit: int = option(20_000, "Enumerate up to this many subsets per order; otherwise sample this many.", minimum=1)
