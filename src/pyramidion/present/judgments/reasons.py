"""What one must know of a row about judgments, and why a number in it is undefined."""

from __future__ import annotations

import math

from pyramidion.show.wording import together
from pyramidion.studies.judgments.agreement import QuestionAlpha
from pyramidion.studies.judgments.assessors import AssessorDrift, AssessorSeverity
from pyramidion.studies.judgments.preferences import Ability, PreferencePosition, PreferenceShare
from pyramidion.studies.judgments.regression import JudgmentCoefficient

_CAUTION = {
    "topics": (
        "no summary was judged by two assessors: answers are compared within topics, adjusted for the summarizers"
    ),
    "summarizers": (
        "no topic was judged by two assessors: answers are compared with those about the same summarizers on other "
        "topics, so an assessor with difficult topics looks strict"
    ),
}


def why_no_alpha(row: QuestionAlpha) -> str:
    """Why α or its interval is undefined, where one of them is."""
    if not row.n:
        return "no summary was judged by two assessors"
    if row.alpha is None:
        return "all answers are equal, so agreement is perfect; α is undefined, because no disagreement is expected"
    return f"an interval needs at least two {row.over} that differ"


def note_on_comparison(row: AssessorSeverity | AssessorDrift) -> str:
    """With what an assessor's answers are compared, where nobody else judged the same summaries."""
    return together(row.about, _CAUTION.get(row.compared_with or "", ""))


def why_no_severity(row: AssessorSeverity) -> str:
    """Why a deviation or its interval is undefined, where one of them is."""
    if row.compared_with is None:
        return "nobody else answered the question"
    if row.topics < 2:
        return "an interval needs at least two topics"
    return "the deviation is the same in all topics"


def why_no_drift(row: AssessorDrift) -> str:
    """Why a trend or its interval is undefined."""
    if row.change is None:
        return "a trend needs answers with a time in at least three topics, judged one after the other"
    return "the trend fits exactly"


def note_on_ability(row: Ability) -> str:
    """That some samples of the bootstrap do not count."""
    return f"the model could not be fitted to {row.unfitted} samples" if row.unfitted else ""


def why_no_limits(row: Ability) -> str:
    """Why a system has no limits, or no difference from the best."""
    has_limits = row.lower is not None and not math.isnan(row.lower)
    return together(
        "" if has_limits else "too few topics can be resampled",
        "the best system does not differ from itself" if row.rank == 1 else "",
    )


def why_no_share(row: PreferenceShare) -> str:
    """Why there is no share of topics that one of the two won."""
    return "no topic was won by one of the two" if row.share is None else ""


def why_no_position(row: PreferencePosition) -> str:
    """Why the share of the first position, or that of changed choices, is undefined."""
    return together(
        "no topic has more choices of one position" if row.share is None else "",
        "" if row.both_orders else "no assessor saw two summaries in both orders",
    )


def why_no_coefficient(row: JudgmentCoefficient) -> str:
    """Why a coefficient is undefined: there is no fit, or its question adds nothing to it."""
    match row.gap:
        case "no-complete-summary":
            return "no summary has an answer to every question"
        case "equal-answers":
            return "all answers to the target are the same: there is nothing to explain"
        case "equal-within-assessors":
            return "each assessor gave one answer to the target: there is nothing to explain"
        case "aliased":
            within = " within each assessor" if row.effects else ""
            return f"{row.term} is {row.problem}{within}"
        case _:
            return row.problem
