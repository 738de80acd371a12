"""Which pyramids are looked at, and how peers are scored with them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pyramidion.errors import UsageError
from pyramidion.options.base import Options, confidence_level, draws, option
from pyramidion.options.choice import ALL_SUMMARIES
from pyramidion.options.predictions import predictors

Rounding = Literal["half-up", "floor", "ceil", "interpolate"]
"""What becomes of the mean number of SCUs in a model, which is rarely a whole number."""
WeightRule = Literal["contributors", "models"]
"""What an SCU weighs: the number of its contributors, as DUCView and NIST count, or of distinct models."""
RecallWeights = Literal["contributors", "models", "equal"]
"""What an SCU weighs in the recall of a pyramid: as in a score, or all the same, as in Litepyramid."""
SetDistance = Literal["nominal", "passonneau", "jaccard", "masi"]


class PyramidOptions(Options):
    """Which pyramids are looked at."""

    topic: str | None = option(None, "Only this topic.")


class SubPyramidOptions(PyramidOptions):
    """Whose pyramids are looked at, or which sub-pyramids of theirs."""

    annotator: str | None = option(None, "Only this annotator.")
    order: int | None = option(None, "Use all sub-pyramids of this many references.", minimum=1)
    jackknife: bool = option(False, "Use all sub-pyramids that leave out one reference.")
    model: Sequence[str] = option((), "Use the sub-pyramid of these references; repeatable.", metavar="MODEL")

    def __post_init__(self) -> None:
        super().__post_init__()
        chosen_ways = (self.order is not None, self.jackknife, bool(self.model))
        if sum(chosen_ways) > 1:
            raise UsageError("`order=`, `jackknife=`, `model=`: each chooses sub-pyramids; give one of them")


class PyramidScoreOptions(SubPyramidOptions, unused_choice=("exclude", "scores", "mix_judges", "seed")):
    """How peers are scored with pyramids; scores with several sub-pyramids are averaged."""

    weights: WeightRule | None = option(
        None,
        "Weight of an SCU: the number of its contributors (as in DUCView and at NIST) or of the references with it. "
        "Default: contributors for pyramids imported from DUCView or NIST, otherwise models.",
    )
    rounding: Rounding = option(
        "half-up",
        "Rounding of the mean number of SCUs per reference: half-up as at DUC 2006, floor as in DUCView, ceil as in "
        "sacrerouge, or none (interpolate) as in PyrEval.",
    )
    include_self: bool = option(False, "Score a reference with the pyramid that contains it.")
    using: Sequence[str] = predictors(
        "Where people answered a sample: predict the other answers by these, and give the modified score and the "
        "recall of each system, as `compare` does; such as auto-pyramid."
    )
    plan: str | None = option(
        None, "With `using=`: the file of the sample. Default: sample.jsonl of the campaign.", metavar="FILE"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.plan is not None and not self.using:
            raise UsageError("`plan=` is for predictions: add `using=`, the predictors")
        if self.using:
            self._check_predicted()
        uses_sub_pyramids = self.order is not None or self.jackknife
        if self.include_self and uses_sub_pyramids:
            raise UsageError(
                "`include_self=True`: sub-pyramids never contain the reference that they score; leave it out"
            )

    def _check_predicted(self) -> None:
        """Refuse what chooses a part of the pyramids or of the topics.

        Raises:
            UsageError: if something is chosen that scores are not predicted for.
        """
        # A sample is drawn from all SCUs of all topics, so that its chances speak of these alone.
        is_part = self.order is not None or self.topic is not None
        if is_part or self.jackknife or self.model or self.include_self:
            raise UsageError("`using=` predicts scores of whole pyramids over all topics: leave the other choices out")


class PyramidShowOptions(SubPyramidOptions, unused_choice=(*ALL_SUMMARIES, "seed")):
    """What is shown of pyramids."""

    summarizer: str | None = option(None, "Show which SCUs this summarizer expresses and misses.")
    optimal: int | None = option(None, "Count and list the optimal summaries with this many SCUs.", minimum=0)
    limit: int = option(10, "How many optimal summaries to list.", minimum=0)


class PyramidAgreementOptions(PyramidOptions, unused_choice=ALL_SUMMARIES):
    """How the agreement of annotators is measured."""

    distance: Sequence[SetDistance] = option((), "Distance between sets of words; repeatable. Default: all four.")
    normalise: bool = option(False, "Ignore function words and punctuation at the edges of contributors.")
    across: bool = option(False, "Also compare the scores under each annotation, with an analysis of variance.")
    include_self: bool = option(False, "With `across=True`: score a reference with the pyramid that contains it.")
    confidence: float = confidence_level()
    resamples: int = draws("Number of bootstrap samples; 0 for no intervals.", minimum=0)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.include_self and not self.across:
            raise UsageError("`include_self=True` applies to scores across annotations; add `across=True`")
