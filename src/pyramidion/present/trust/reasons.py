"""Why a number about a judge or a measure on trial is undefined."""

from __future__ import annotations

from pyramidion.show.wording import together
from pyramidion.statistics.alternative_test import FEWEST_SHARED
from pyramidion.studies.trust.results import TrustAgreement, TrustBias, TrustReplacement, TrustRuns, TrustUse


def why_no_verdict(row: TrustUse) -> str:
    """Why nobody can say whether it may be used for something."""
    return "the data does not allow a verdict" if row.verdict == "unknown" else ""


def why_no_replacement(row: TrustReplacement) -> str:
    """Why the alternative annotator test could not be made."""
    if row.persons < 2:
        return "the test needs the single answers of two people or more"
    if not row.is_answer:
        return "it does not answer on the scale of the question"
    return f"nobody has {FEWEST_SHARED} answers about summaries that another person judged, too"


def why_no_agreement(row: TrustAgreement) -> str:
    """Why a coefficient of agreement, or its interval, is undefined."""
    if row.coefficient != "alpha":
        return "no two of them answered about the same summaries, or all answers are equal"
    return row.problem or "an interval needs at least two topics that differ"


def why_no_reliability(row: TrustRuns) -> str:
    """Why the reliability of a run is undefined."""
    return row.problem or "runs differ as much as summaries do"


def why_no_bias(row: TrustBias) -> str:
    """Why a bias could not be estimated, or which numbers are not of its kind."""
    if row.problem:
        return row.problem
    if row.kind == "position":
        return _why_no_position(row)
    return "only of length and copying" if row.kind == "family" else "only of preferences"


def _why_no_position(row: TrustBias) -> str:
    if row.effect is not None and row.lower is None:
        return "an interval needs preferences about several topics"
    not_asked = "" if row.is_asked_twice else "no pair was asked in both orders"
    correlations = "only of length and copying"
    return together(not_asked, f"correlations are {correlations}" if not_asked else correlations)
