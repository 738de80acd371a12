"""How the gate decides whether a build may go on: a candidate against a baseline."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from pyramidion.options.base import Options, confidence_level, option
from pyramidion.options.comparison import cluster_field, known_scale

Undecided = Literal["pass", "fail"]
MissingOutputs = Literal["lowest", "drop"]
SelfTestKind = Literal["labels", "runs"]


class GateOptions(Options):
    """How a candidate is held against a baseline."""

    against: str | None = option(
        None, "The baseline: the system that the candidate must not be worse than.", metavar="A"
    )
    candidate: str | None = option(None, "The candidate. Default: the only other system.", metavar="B")
    margin: Sequence[str | float] = option(
        (),
        "The largest loss that is acceptable: in units of the first measure (0.1), as a share of the baseline's mean "
        "(5%, for all measures), or of another measure (MEASURE=0.1); repeatable. Default: none; the gate fails if the "
        "candidate is significantly worse.",
        metavar="LOSS",
    )
    slices: str | None = option(
        None,
        "Also guard each group of topics with the same value of this field, such as part.",
        metavar="FIELD",
    )
    cluster: str | None = cluster_field("whole clusters are the unit of the tests (CR2 standard errors)")
    undecided: Undecided | None = option(
        None, "How the command ends if the data decides nothing: like a pass or a fail. Default: exit code 4."
    )
    missing: MissingOutputs = option(
        "lowest",
        "A missing output counts as the lowest value of the scale (for both systems), or its topic is dropped.",
    )
    scale: Sequence[float] = known_scale()
    self_test: SelfTestKind | None = option(
        None,
        "Test the gate instead of the candidate. labels: exchange the two systems at random within topics, 1,000 "
        "times, and count how often it fails; runs: compare two runs of the baseline.",
        flag_value="labels",
    )
    ledger: str | Path | None = option(
        None,
        "Record the decision in this file (JSON lines), and control fails over all decisions in it: on average at most "
        "5 % of them are false. Commit it next to the code.",
        metavar="FILE",
    )
    confidence: float = confidence_level()
