"""`regression(target=…)`: what a linear combination of other measures predicts of a human score (Louis & Nenkova 2009).

Their §4.4: one fit for each summary, which saw neither its topic nor its summarizer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from pyramidion.errors import UsageError
from pyramidion.measures.base import option
from pyramidion.measures.derived import Derivation, Derived, column_option, positional
from pyramidion.scores.cube import ScoreCube
from pyramidion.statistics.leave_two_out import predict_leaving_two_out
from pyramidion.text.inputs import FEATURES


@dataclass(frozen=True, kw_only=True)
class Regression(Derived):
    """A human score predicted from other measures; the fit sees neither the topic nor the summarizer."""

    base_names: ClassVar[tuple[str, ...]] = ("regression",)

    features: tuple[str, ...] = positional("the measures to combine; by default the ten model-free ones")
    target: str = column_option("the column to predict, such as question.overall-responsiveness; required")
    input: Literal["documents", "background", "average", "both"] = option(
        "documents",
        "if no measures are named: what the model-free ones compare with; both: documents and background",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.features and self.input != "documents":
            raise UsageError(
                f"regression: input={self.input} is only for the default measures; give each measure its own input="
            )
        # A fit that sees its target predicts it perfectly.
        if self.target in self.features:
            raise UsageError(
                f"regression: the target {self.target} is among the measures that predict it; leave it out"
            )

    @property
    def columns(self) -> tuple[str, ...]:
        """The features, and the target last."""
        if not self.target:
            raise UsageError("regression needs a target, as in regression(target=question.overall-responsiveness)")
        return (*(self.features or self._model_free()), self.target)

    def derive(self, cube: ScoreCube) -> Derivation:
        """The prediction for each summary; none where a feature is missing."""
        # The target is the last column of the cube, as `columns` names it.
        *features, target = cube.values
        summarizer, topic = np.indices(target.shape)
        rows = np.stack([feature.ravel() for feature in features], axis=1)
        try:
            fit = predict_leaving_two_out(rows, target.ravel(), topic.ravel(), summarizer.ravel())
        except UsageError:
            return Derivation(
                values=np.full(target.shape, np.nan),
                higher_is_better=cube.higher_is_better[-1],
                reason="leaving out one topic and one summarizer needs at least two of each with all columns",
            )
        learned = np.isfinite(rows).all(axis=1) & np.isfinite(target.ravel())
        return Derivation(
            values=fit.predictions.reshape(target.shape),
            higher_is_better=cube.higher_is_better[-1],
            facts={"rows": str(int(learned.sum())), "rank": str(fit.rank)},
        )

    def _model_free(self) -> tuple[str, ...]:
        """The features that predict: of the documents, of the background, or of both."""
        if self.input == "documents":
            return FEATURES
        other = "background" if self.input == "both" else self.input
        compared = tuple(f"{name}(input={other})" for name in FEATURES)
        if self.input == "both":
            return (*FEATURES, *compared)
        return compared
