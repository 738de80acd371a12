"""Verbs for pyramids, as `pyramidion pyramid …` has them; the data may also be a list of .pyr and .pan files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyramidion.options import Choice, PyramidAgreementOptions, PyramidScoreOptions, PyramidShowOptions, takes
from pyramidion.study import evaluation_of

if TYPE_CHECKING:  # the rooms are imported inside the verbs, so that `pyramidion --help` stays quick
    from pyramidion.campaign import Problems
    from pyramidion.pyramids.reliability.agreement import PyramidAgreement
    from pyramidion.pyramids.scores import PyramidScoring
    from pyramidion.pyramids.view import PyramidView
    from pyramidion.run.data import UserData

__all__ = ["agreement", "check", "score", "show"]


@takes(PyramidScoreOptions, Choice)
def score(data: UserData, **options: Any) -> PyramidScoring:
    """Score peers with pyramids: D, X, Max and the original, modified and comprehensive score."""
    return evaluation_of(data, options).pyramid_scores(**options)


@takes(PyramidShowOptions, Choice)
def show(data: UserData, **options: Any) -> PyramidView:
    """Show pyramids: how hard topics are, what the SCUs say, what a summarizer expresses, optimal summaries."""
    return evaluation_of(data, options).show_pyramids(**options)


@takes(PyramidAgreementOptions, Choice)
def agreement(data: UserData, **options: Any) -> PyramidAgreement:
    """Measure how far annotators agree: Krippendorff's α over words and over the presence of SCUs."""
    return evaluation_of(data, options).pyramid_agreement(**options)


def check(data: UserData) -> Problems:
    """Return every problem of pyramids and annotations: errors in the files, and what deserves a look."""
    return evaluation_of(data, {}).check_pyramids()
