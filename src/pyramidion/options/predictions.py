"""Which answers people are asked for, and how their answers and predictions are combined."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from pyramidion.options.base import Options, confidence_level, draws, option

Population = Literal["these", "topics"]
"""Whether results are about these topics, or about all topics of which these are a sample."""
SampledBy = Literal["topic", "scu", "unit"]
"""What is drawn: whole topics, SCUs in all peers, or single answers."""
AssumedSample = Literal["topics"]

USING_HELP = (
    "Predictors of people's answers, separated by commas: measures such as rouge-1.recall or a judge's column; for "
    "pyramids also auto-pyramid, and pyramid(annotator=NAME), the answers of an annotator that is a program, or a file "
    "with the columns topic, summarizer, scu and score. none: "
    "people's answers to the sample alone."
)


def predictors(what: str = USING_HELP) -> Any:
    """The option `using`."""
    return option((), what, metavar="MEASURE,…")


class PlanOptions(Options, unused_choice=("scores",)):
    """What is drawn for people to answer."""

    share: float | None = option(
        None,
        "Share of the answers that people are asked for, in percent (20) or as a share (.2).",
        above=0,
        maximum=100,
    )
    by: SampledBy | None = option(
        None,
        "What is drawn. topic: whole topics, with all systems (questions); scu: SCUs within each topic, each in all "
        "systems (pyramids); unit: single answers. Default: topic if there are no pyramids.",
    )
    measure: str | None = option(
        None, 'With `by="unit"`: whether single answers are about a question or about pyramid.recall.', also="-m"
    )
    by_uncertainty: str | None = option(
        None,
        "Draw answers that this predictor is unsure of more often: auto-pyramid. For SCUs and single answers of "
        "pyramids.",
        metavar="MEASURE",
    )
    floor: float = option(
        0.2,
        "With `by_uncertainty=`: every chance is at least this share of the highest uncertainty's.",
        above=0,
        maximum=1,
    )
    annotator: str | None = option(None, "Whose pyramids, where topics have several.")
    plan: str | None = option(
        None,
        "The file of the sample. Default: sample.jsonl in the campaign folder. If it exists, it is extended: more is "
        "drawn from the rest.",
        metavar="FILE",
    )

    @property
    def share_drawn(self) -> float:
        """The share as a number up to 1."""
        share = self.share or 0.0
        return share if share <= 1 else share / 100


class LabelsOptions(Options):
    """How the worth of a predictor is found out on data in which everything is labelled."""

    using: Sequence[str] = predictors()
    by: SampledBy | None = option(None, "What is drawn. Default: scu for pyramids, topic for questions.")
    shares: Sequence[float] = option(
        (10.0, 20.0, 30.0, 50.0), "Shares of labels, in percent.", separator=",", above=0, below=100, metavar="LIST"
    )
    resamples: int = draws("Number of random samples for each share.", 100, minimum=20)
    confidence: float = confidence_level()
