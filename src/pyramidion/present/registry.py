"""Which presenter shows which result: the one table that the terminal, files, notebooks and reports use.

A module is imported when a result of its analysis is shown: a comparison does not load the figures of other studies.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable, Mapping
from typing import Any, Final

from pyramidion.errors import UsageError
from pyramidion.present.chart import Chart
from pyramidion.present.only_reasons import ONLY_REASONS
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
    ("Fragility", "note"): "comparison.fragility:note_on_leader",
    ("Fragility", "reason"): "comparison.fragility:why_not_fragile",
    ("Look", "reason"): "comparison.pairs:why_no_limits_yet",
    ("ComponentRow", "reason"): "comparison.analysis_notes:component_reason",
    ("QuestionAlpha", "reason"): "judgments.reasons:why_no_alpha",
    ("AssessorSeverity", "note"): "judgments.reasons:note_on_comparison",
    ("AssessorSeverity", "reason"): "judgments.reasons:why_no_severity",
    ("AssessorDrift", "note"): "judgments.reasons:note_on_comparison",
    ("AssessorDrift", "reason"): "judgments.reasons:why_no_drift",
    ("Ability", "note"): "judgments.reasons:note_on_ability",
    ("Ability", "reason"): "judgments.reasons:why_no_limits",
    ("PreferenceShare", "reason"): "judgments.reasons:why_no_share",
    ("JudgmentCoefficient", "reason"): "judgments.reasons:why_no_coefficient",
    ("PreferencePosition", "reason"): "judgments.reasons:why_no_position",
    ("Average", "reason"): "scores:why_no_interval",
    ("CurvePoint", "reason"): "sample_size:why_no_point",
    ("CurveTest", "reason"): "sample_size:why_no_test",
    ("ErrorProbabilities", "reason"): "orders:why_no_error_rate",
    ("GateMeasure", "reason"): "gate:why_undefined",
    ("MeasureAuc", "reason"): "heterogeneity:why_no_auc",
    ("PlanRow", "reason"): "predictions:why_no_plan",
    ("PowerStatement", "reason"): "power:why_unknown",
    ("PredictedMean", "reason"): "predictions:why_no_mean_limits",
    ("PredictedPair", "reason"): "predictions:why_no_pair_limits",
    ("Ranking", "reason"): "orders:why_no_ranking",
    ("SummaryScores", "reason"): "orders:why_no_score",
    ("TrustAgreement", "reason"): "trust.reasons:why_no_agreement",
    ("TrustBias", "reason"): "trust.reasons:why_no_bias",
    ("TrustReplacement", "reason"): "trust.reasons:why_no_replacement",
    ("TrustRuns", "reason"): "trust.reasons:why_no_reliability",
    ("TrustUse", "reason"): "trust.reasons:why_no_verdict",
    ("Correlation", "reason"): "correlation.reasons:why_no_correlation",
    ("SignificantTopics", "reason"): "correlation.reasons:why_no_significant_topic",
    ("Accuracy", "reason"): "correlation.reasons:why_no_accuracy",
    ("CorrelationTest", "reason"): "correlation.reasons:why_not_tested",
    ("AccuracyTest", "reason"): "correlation.reasons:why_no_accuracy_test",
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
    words: str = find_words(type(row), field)(row)
    return words


def find_words(kind: type[Row], field: str) -> Callable[[Any], str]:
    """What makes the words of a field of such rows, or of the first of its bases that has words."""
    for base in kind.__mro__:
        path = WORDS.get((base.__name__, field))
        if path is not None:
            make_words: Callable[[Any], str] = _look_up(path)
            return make_words
        reason = ONLY_REASONS.get(base.__name__)
        if reason is not None:
            return lambda _row: reason
    raise KeyError(f"{kind.__name__} has no words for {field}")


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
