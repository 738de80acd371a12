"""What one must know to read the tests of a measure, and why one of their numbers is undefined."""

from __future__ import annotations

import numpy as np

from pyramidion.show.wording import counted, together
from pyramidion.statistics.intervals import FEWEST_STUDENTIZED
from pyramidion.studies.comparison.analysis import (
    MOST_SUMMARIZERS,
    Analysis,
    AnovaRow,
    Difference,
    FriedmanRow,
    Standing,
    TukeyRow,
)
from pyramidion.studies.comparison.assessors import ComponentRow, FixedAssessors

_ALONE = "only one summarizer has scores"
_WHY_FIXED = {
    "": "",
    "one-topic-each": (
        "Each assessor judged one topic only, so the error between topics contains that between assessors."
    ),
    "not-separable": "This design can't show how much assessors differ in their ranking of systems.",
}


def note_on_tests(analysis: Analysis) -> str:
    """What one must know to read the analysis of variance and the letters."""
    return _note_on_variance(analysis, kramer=analysis.letters_by == "tukey")


def _note_on_variance(analysis: Analysis, *, kramer: bool) -> str:
    """What one must know to read the analysis of variance, and with `kramer` Tukey's test with missing scores."""
    anova = analysis.anova
    if anova is None or analysis.random:
        return ""
    notes = []
    if anova.missing:
        means = ", Tukey–Kramer on least-squares means" if kramer else ""
        missing = f"{anova.missing} of {anova.missing + analysis.score_count} scores are missing"
        notes.append(f"{missing}: least squares with type II sums of squares{means}")
    if anova.pieces > 1:
        notes.append(f"{anova.pieces} groups of summarizers share no topic: tested within groups only")
    if anova.mean_square == 0:
        notes.append(_note_without_residuals(analysis))
    return together(*notes)


def _note_without_residuals(analysis: Analysis) -> str:
    """What follows from a residual variance of zero."""
    if analysis.tukey is not None and analysis.tukey.pairs == 0:
        return "the residual variance is zero and all means are equal: there is no difference to test"
    if analysis.paired is not None:
        return "the residual variance is zero: pairs are tested by the signs of their differences"
    return "the residual variance is zero: every difference between means is significant"


def why_no_anova(analysis: Analysis) -> str:
    """Why there is no analysis of variance."""
    if analysis.anova is not None:
        return ""
    if analysis.is_alone:
        return _ALONE
    topics, scores = counted(analysis.scores.topic_count, "topic"), counted(analysis.score_count, "score")
    return f"no degree of freedom is left for error ({topics}, {scores})"


def why_no_friedman(analysis: Analysis) -> str:
    """Why there is no Friedman test."""
    if analysis.is_alone:
        return _ALONE
    if analysis.cluster:
        return _takes_topics_as_independent(analysis)
    if analysis.friedman is None:
        return _too_many() if analysis.are_too_many else "no topic has scores of every summarizer"
    return "all summarizers are equal on every topic" if np.isnan(analysis.friedman.chi2) else ""


def why_no_tukey(analysis: Analysis) -> str:
    """Why there is no Tukey test."""
    if analysis.tukey is not None:
        return ""
    if analysis.are_too_many:
        return _too_many()
    if analysis.anova is None:
        return why_no_anova(analysis)
    if analysis.cluster:
        return _takes_topics_as_independent(analysis)
    return f"{analysis.anova.pieces} groups of summarizers share no topic and can't be compared"


def why_no_letters(analysis: Analysis) -> str:
    """Why there are no letters."""
    if analysis.letters:
        return ""
    return why_no_tukey(analysis) or "there are more groups than letters can show"


def _too_many() -> str:
    return f"more than {MOST_SUMMARIZERS:,} summarizers are too many to compare pair by pair"


def _takes_topics_as_independent(analysis: Analysis) -> str:
    return f"the test takes topics as independent, but they belong together by {analysis.cluster}"


def scope_of_assessors(assessors: FixedAssessors | None) -> str:
    """For whom differences hold where assessors are taken as given, and why they are; nothing of a single assessor."""
    if assessors is None or assessors.count < 2:
        return ""
    scope = f"Differences hold for these {assessors.count} assessors; other assessors may rank the systems differently."
    why = f"Assessors could not be treated as random: {assessors.problem}."
    if assessors.why != "not-fitted":
        why = _WHY_FIXED[assessors.why]
    return f"{scope} {why}".rstrip()


# Of each kind of row: its note, and why a number of it is undefined


def standing_note(row: Standing) -> str:
    """What one must know about the values of the measure."""
    return row.analysis.about


def standing_reason(row: Standing) -> str:
    """Why a standing lacks an interval, limits of its rank, letters, an adjusted mean or a mean rank."""
    analysis = row.analysis
    reasons = [_why_no_limits(row) if row.lower is None else ""]
    if not analysis.letters:
        lacking = "no letters" if analysis.rank_limits else "no letters and no interval of ranks"
        reasons.append(f"{lacking}: {why_no_letters(analysis)}")
    elif not analysis.adjusted:
        reasons.append(f"no adjusted mean: {why_no_tukey(analysis)}")
    if not analysis.mean_ranks:
        reasons.append(f"no mean rank: {why_no_friedman(analysis)}")
    return together(*reasons)


def _why_no_limits(row: Standing) -> str:
    if row.method == "studentized":
        return f"a studentized interval needs at least {FEWEST_STUDENTIZED} topics with scores that vary"
    if row.method == "t" and row.analysis.anova is not None:
        return "no interval: the residual variance is zero"
    if row.method != "t" and row.n > 1:
        return "no interval: the scores do not vary"
    return "no degree of freedom is left for an interval"


def anova_note(row: AnovaRow) -> str:
    """What one must know to read the analysis of variance."""
    return together(row.analysis.about, note_on_tests(row.analysis))


def anova_reason(row: AnovaRow) -> str:
    """Why a source of variance has no sum of squares, or no F."""
    if row.assessors == "random":
        return "F test of a mixed model, which has no sums of squares"
    if row.analysis.anova is None:
        return why_no_anova(row.analysis)
    if row.analysis.cluster:
        return _takes_topics_as_independent(row.analysis)
    if row.source == "residual":
        return "the residual is what the others are tested against"
    return "the residual variance is zero" if row.df else "there is nothing to compare"


def tukey_note(row: TukeyRow) -> str:
    """What one must know to read Tukey's test."""
    has_test = row.analysis.tukey is not None
    return together(row.analysis.about, _note_on_variance(row.analysis, kramer=has_test))


def tukey_reason(row: TukeyRow) -> str:
    """Why there is no Tukey test, or no one critical difference."""
    if row.analysis.tukey is None:
        return why_no_tukey(row.analysis)
    if row.assessors == "random":
        return "each pair has its own variance and degrees of freedom"
    return "scores are missing, so it differs by pair: see least and largest"


def friedman_reason(row: FriedmanRow) -> str:
    """Why there is no Friedman test, or no critical difference of Nemenyi's."""
    test = row.analysis.friedman
    if test is not None and test.exact and row.nemenyi_difference is None:
        return f"{counted(test.columns, 'topic')} can't show a difference between two systems by ranks"
    return why_no_friedman(row.analysis)


def about_measure(row: FriedmanRow | Difference) -> str:
    """What one must know about the values of the measure."""
    return row.analysis.about


def difference_reason(row: Difference) -> str:
    """Which of the tests of a pair were not made, and why."""
    not_made = why_no_tukey(row.analysis) or why_no_friedman(row.analysis)
    return together(not_made, "" if row.analysis.paired else "the letters do not come from paired tests")


def component_reason(row: ComponentRow) -> str:
    """Why a component of variance has no interval, or no levels."""
    if row.lower is not None:
        return "the error term has no levels"
    return "no interval is computed for runs" if row.term == "run" else "the judgments hardly determine it"
