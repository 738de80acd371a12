"""How judgments are counted, explained by each other, and compared between assessors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pyramidion.options.base import Options, confidence_level, draws, option
from pyramidion.options.choice import ALL_SUMMARIES

RegressionErrors = Literal["topic", "independent"]
PooledFit = Literal["effects", "plain"]
AlphaMetric = Literal["nominal", "ordinal", "interval"]


class JudgmentOptions(Options, unused_choice=(*ALL_SUMMARIES, "seed")):
    """Which judgments are looked at."""

    question: Sequence[str] = option((), "Only this question; repeatable. Default: all that were answered.")


class FrequencyOptions(JudgmentOptions):
    """Which answers are counted."""


class JudgmentRegressionOptions(Options, unused_choice=(*ALL_SUMMARIES, "seed")):
    """Which question is explained by which."""

    target: str | None = option(
        None,
        "The question to predict. Default: the last with “overall” in its name, otherwise the last.",
        metavar="QUESTION",
    )
    on: Sequence[str] = option(
        (), "A question to predict it from; repeatable. Default: all the others.", metavar="QUESTION"
    )
    errors: RegressionErrors | None = option(
        None,
        "Standard errors that allow for dependence between answers about one topic (CR2), or treat all answers as "
        "independent. Default: topic if there are at least 8 topics.",
    )
    pooled: PooledFit = option(
        "effects",
        "The fit of all assessors together: with an effect of each assessor, so that lenient and strict assessors make "
        "up no relation, or as if one assessor had given all answers (as in the overview of DUC 2006).",
    )
    confidence: float = confidence_level()


class PreferenceOptions(Options, unused_choice=("exclude", "scores", "mix_judges")):
    """How preferences are summed up."""

    pair: Sequence[tuple[str, str]] = option((), "Only these two systems; repeatable.", metavar="A B")
    confidence: float = confidence_level()
    resamples: int = draws()


class JudgmentAgreementOptions(JudgmentOptions, unused_choice=ALL_SUMMARIES):
    """How the agreement of assessors is measured."""

    metric: Sequence[AlphaMetric] = option((), "Metric of Krippendorff's α; repeatable. Default: all three.")
    confusion: tuple[str, str] | None = option(None, "Also a confusion matrix of these two assessors.", metavar="A B")
    confusions: bool = option(False, "Also confusion matrices of all pairs of assessors.")
    over: Literal["summaries", "topics"] = option(
        "topics",
        "What the interval of α generalizes to: other topics (jackknife), or other summaries of these topics "
        "(bootstrap).",
    )
    confidence: float = confidence_level()
    resamples: int = draws()


class AssessorOptions(JudgmentOptions):
    """How assessors are described."""

    confidence: float = confidence_level()
