"""For which assessors a comparison holds."""

from __future__ import annotations

from pyramidion.studies.comparison.assessors import FixedAssessors

_WHY_FIXED = {
    "": "",
    "one-topic-each": (
        "Each assessor judged one topic only, so the error between topics contains that between assessors."
    ),
    "not-separable": "This design can't show how much assessors differ in their ranking of systems.",
}


def scope_of_assessors(assessors: FixedAssessors | None) -> str:
    """For whom differences hold where assessors are taken as given, and why they are; nothing of a single assessor."""
    if assessors is None or assessors.count < 2:
        return ""
    scope = f"Differences hold for these {assessors.count} assessors; other assessors may rank the systems differently."
    why = f"Assessors could not be treated as random: {assessors.problem}."
    if assessors.why != "not-fitted":
        why = _WHY_FIXED[assessors.why]
    return f"{scope} {why}".rstrip()
