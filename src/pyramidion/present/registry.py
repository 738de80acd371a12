"""Which presenter shows which result: the one table that the terminal, files, notebooks and reports use.

A module is imported when a result of its analysis is shown: a comparison does not load the figures of other studies.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Mapping
from typing import Any, Final

from pyramidion.errors import UsageError
from pyramidion.present.chart import Chart
from pyramidion.present.presenter import Presenter
from pyramidion.show.tables import Finding, Row

PRESENTERS: Final[Mapping[str, str]] = {
    "AssessorDescription": "judgments.assessors:ASSESSORS",
    "Averages": "scores:AVERAGES",
    "ChoicesStudy": "choices:CHOICES",
    "Comparison": "comparison.leaderboards:COMPARISON",
    "Correlations": "correlation.tables:CORRELATIONS",
    "Description": "description:DESCRIPTION",
    "Designs": "design:DESIGNS",
    "Frequencies": "judgments.frequencies:FREQUENCIES",
    "Gate": "gate:GATE",
    "HeterogeneityStudy": "heterogeneity:HETEROGENEITY",
    "JudgePlan": "judging:PLAN",
    "JudgeReading": "judging:READING",
    "JudgeSending": "judging:SENDING",
    "JudgmentAgreement": "judgments.agreement:AGREEMENT",
    "JudgmentRegression": "judgments.regression:REGRESSION",
    "LabelDesigns": "label_designs:LABEL_DESIGNS",
    "LabelsStudy": "labels:LABELS",
    "MatchedWords": "scores:MATCHED_WORDS",
    "ModelFreeStudy": "model_free:MODEL_FREE",
    "OrdersStudy": "orders:ORDERS",
    "PartCorrelations": "correlation.tables:PART_CORRELATIONS",
    "Power": "power:POWER",
    "Preferences": "judgments.preferences:PREFERENCES",
    "PredictedComparison": "predictions:PREDICTED",
    "PredictedPyramidScores": "predictions:PREDICTED_SCORES",
    "PyramidAgreement": "pyramids:AGREEMENT",
    "PyramidCoverage": "pyramids:COVERAGE",
    "PyramidScoring": "pyramids:SCORING",
    "PyramidView": "pyramids:VIEW",
    "Roster": "description:ROSTER",
    "SampleSizeStudy": "sample_size:SAMPLE_SIZE",
    "SamplePlan": "plans:PLAN",
    "Scores": "scores:SCORES",
    "Trust": "trust.cards:TRUST",
}
"""By the class of a result, the module in `present/` and the name of the presenter in it."""

WORDS: Final[Mapping[tuple[str, str], str]] = {
    ("Pair", "sentence"): "comparison.pairs:pair_sentence",
    ("Pair", "note"): "comparison.pair_notes:pair_note",
    ("Pair", "reason"): "comparison.pair_notes:why_undefined",
    ("Standing", "note"): "comparison.analysis_notes:standing_note",
    ("Standing", "reason"): "comparison.analysis_notes:standing_reason",
    ("AnovaRow", "note"): "comparison.analysis_notes:anova_note",
    ("AnovaRow", "reason"): "comparison.analysis_notes:anova_reason",
    ("TukeyRow", "note"): "comparison.analysis_notes:tukey_note",
    ("TukeyRow", "reason"): "comparison.analysis_notes:tukey_reason",
    ("FriedmanRow", "note"): "comparison.analysis_notes:about_measure",
    ("FriedmanRow", "reason"): "comparison.analysis_notes:friedman_reason",
    ("Difference", "note"): "comparison.analysis_notes:about_measure",
    ("Difference", "reason"): "comparison.analysis_notes:difference_reason",
    ("ComponentRow", "reason"): "comparison.analysis_notes:component_reason",
    ("Correlation", "reason"): "correlation.reasons:why_no_correlation",
    ("SignificantTopics", "reason"): "correlation.reasons:why_no_significant_topic",
    ("Accuracy", "reason"): "correlation.reasons:why_no_accuracy",
    ("CorrelationTest", "reason"): "correlation.reasons:why_not_tested",
    ("AccuracyTest", "reason"): "correlation.reasons:why_no_accuracy_test",
    ("Cluster", "reason"): "correlation.reasons:why_not_ranked",
    ("MeanRank", "reason"): "correlation.reasons:why_not_ranked",
}
"""By the class of a row and a field of its record that has words, the module in `present/` and what makes them."""


def presenter_of(kind: type[Finding]) -> Presenter[Any] | None:
    """The presenter of a class of results, or of the first of its bases that has one; None if none has."""
    for base in kind.__mro__:
        if base.__name__ in PRESENTERS:
            presenter: Presenter[Any] = _look_up(PRESENTERS[base.__name__])
            return presenter
    return None


def words_of(row: Row, field: str) -> str:
    """What a field of a row's record says in plain words."""
    words: str = _look_up(WORDS[type(row).__name__, field])(row)
    return words


@functools.cache  # rows may be a million, and each looks its words up
def _look_up(path: str) -> Any:
    """Something in a module of `present/`, which is imported now."""
    module, name = path.split(":")
    return getattr(importlib.import_module(f"pyramidion.present.{module}"), name)


def draw(result: Finding) -> Chart:
    """The figure of a result."""
    presenter = presenter_of(type(result))
    if presenter is None or presenter.figure is None:
        raise UsageError(f"there is no figure for {type(result).__name__}")
    return presenter.figure(result)
