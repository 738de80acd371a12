"""Which columns the study of model-free measures looks at, as far as a campaign or a score table has what they need."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from pyramidion.campaign import Campaign
from pyramidion.errors import InputError, MissingExtraError
from pyramidion.measures.backgrounds import load_background
from pyramidion.measures.judged import Judged
from pyramidion.measures.model_free import ModelFree
from pyramidion.measures.names import parse
from pyramidion.measures.registry import select
from pyramidion.measures.regression import Regression
from pyramidion.options import ModelFreeOptions
from pyramidion.scores import ScoreTable
from pyramidion.text.inputs import FEATURES

Compared = Literal["documents", "background", "average", "both", "models"]
"""What a summary is compared with: of an update topic its documents (the update input), its background documents, the
mean of both values, or both as separate features of a regression; models for ROUGE."""
INPUTS: tuple[Compared, ...] = ("documents", "background", "average")
REGRESSION = "regression"
PYRAMID = "pyramid.modified"
MODEL_BASED = ("rouge-1.recall", "rouge-2.recall")
"""What the features are compared with (Table 1)."""
STEMS: dict[str, tuple[bool, ...]] = {"both": (True, False), "yes": (True,), "no": (False,)}


@dataclass(frozen=True)
class PlannedColumn:
    """A column of scores that the study looks at."""

    feature: str
    """Such as `js`, `regression` or `rouge-1.recall`."""
    compared: Compared
    stem: bool
    measure: str
    """Its canonical name."""
    regression: Regression | None = None

    @property
    def target(self) -> str | None:
        """Of a regression, the score that it predicts; it is correlated with no other."""
        return self.regression.target if self.regression else None


@dataclass(frozen=True, kw_only=True)
class ModelFreePlan:
    """What is to be scored for the study of a campaign."""

    targets: tuple[str, ...]
    columns: tuple[PlannedColumn, ...]
    left_out: tuple[str, ...] = ()

    @property
    def of_background(self) -> list[str]:
        """The columns that only topics with background documents have."""
        return [one.measure for one in self.columns if one.compared in ("background", "average")]

    @property
    def scored(self) -> list[str]:
        """Everything that must be scored, each once; regressions are derived from it by the study."""
        return list(dict.fromkeys([*(one.measure for one in self.columns if not one.regression), *self.targets]))


def plan_model_free(data: Campaign | ScoreTable, options: ModelFreeOptions | None = None) -> ModelFreePlan:
    """What can be studied in a campaign, or with the columns of a score table.

    Where wordfreq is not installed, what needs it is left out.

    Raises:
        InputError: if no topic has documents, or there is no human score.
    """
    options = options or ModelFreeOptions()
    stems, background = STEMS[options.stem], options.background
    targets = tuple(dict.fromkeys(options.with_)) or _human_scores(data)
    if not targets:
        raise InputError("there are no judgments and no pyramids; name the scores to correlate with (`with_=`)")
    if isinstance(data, ScoreTable):
        every = _columns(FEATURES, INPUTS, stems, targets, background)
        return ModelFreePlan(targets=targets, columns=tuple(one for one in every if is_there(one, data)))
    topics = [data.topic(id).topic for id in data.topic_ids]
    if not any(topic.documents for topic in topics):
        raise InputError(
            "no topic has documents, and model-free measures compare summaries with their source documents; add "
            "`documents` to the topics"
        )
    inputs = INPUTS if any(topic.background for topic in topics) else INPUTS[:1]
    features, left_out = _features(background)
    model_based: tuple[str, ...] = MODEL_BASED
    if not any(summary.kind == "model" for summary in data.summaries):
        model_based = ()
        left_out = (*left_out, f"{', '.join(MODEL_BASED)}: there are no references")
    columns = tuple(_columns(features, inputs, stems, targets, background, model_based))
    return ModelFreePlan(targets=targets, columns=columns, left_out=left_out)


def _human_scores(data: Campaign | ScoreTable) -> tuple[str, ...]:
    """The modified pyramid score and every question."""
    if isinstance(data, ScoreTable):
        return tuple(name for name in data.measures if name == PYRAMID or parse(name).base == Judged().base)
    pyramid = [PYRAMID] if data.pyramids and data.annotations else []
    return (*pyramid, *map(Judged().name, data.question_names))


def _features(background: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The features that can be computed, and why others can't."""
    try:
        load_background(background)
    except MissingExtraError as error:
        without = tuple(name for name in FEATURES if not ModelFree(feature=name).uses_background)
        lost = ", ".join(name for name in FEATURES if name not in without)
        return without, (f"{lost}: {error}",)
    return FEATURES, ()


def _columns(
    features: Sequence[str],
    inputs: Sequence[Compared],
    stems: Sequence[bool],
    targets: Sequence[str],
    background: str,
    model_based: Sequence[str] = MODEL_BASED,
) -> Iterator[PlannedColumn]:
    """Features of every input, their regression on every human score, then ROUGE; stemmed first."""
    for stem in stems:
        names = {
            compared: [_feature(name, compared, background, stem=stem).name() for name in features]
            for compared in inputs
        }
        for compared, of_input in names.items():
            for feature, measure in zip(features, of_input, strict=True):
                yield PlannedColumn(feature, compared, stem, measure)
        combined: dict[Compared, list[str]] = dict(names)
        if "background" in names:
            combined["both"] = [*names["documents"], *names["background"]]
        for compared, of_input in combined.items():
            for target in targets:
                plain = Regression(target=target, input=compared)  # type: ignore[arg-type]  # never models
                usual = plain.columns == (*of_input, target)
                regression = plain if usual else Regression(features=tuple(of_input), target=target)
                yield PlannedColumn(REGRESSION, compared, stem, regression.name(), regression)
        for name in model_based:
            found = select(name)
            measure = replace(found.measure, stem=stem).name(found.statistic)  # type: ignore[call-arg]
            yield PlannedColumn(name, "models", stem, measure)


def _feature(name: str, compared: Compared, background: str, *, stem: bool) -> ModelFree:
    plain = ModelFree(feature=name, stem=stem, input=compared)  # type: ignore[arg-type]  # never both or models
    return replace(plain, background=background) if plain.uses_background else plain


def is_there(one: PlannedColumn, table: ScoreTable) -> bool:
    """Whether the table has the column, or what a regression rests on."""
    return one.measure in table.measures or (
        one.regression is not None and all(name in table.measures for name in one.regression.columns)
    )
