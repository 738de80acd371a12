"""Verbs for pyramids, as `pyramidion pyramid …` has them; the data may also be a list of .pyr and .pan files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

from pyramidion.options import Choice, PyramidAgreementOptions, PyramidScoreOptions, PyramidShowOptions, with_options
from pyramidion.study import open_evaluation

if TYPE_CHECKING:  # the rooms are imported inside the verbs, so that `pyramidion --help` stays quick
    from pyramidion.campaign import Problems
    from pyramidion.options.keywords import (
        PyramidAgreementVerbKeywords,
        PyramidScoreVerbKeywords,
        PyramidShowVerbKeywords,
    )
    from pyramidion.pyramids.reliability.agreement import PyramidAgreement
    from pyramidion.pyramids.scores import PyramidScoring
    from pyramidion.pyramids.view import PyramidView
    from pyramidion.run.data import UserData

__all__ = ["agreement", "check", "score", "show"]


@with_options(PyramidScoreOptions, Choice)
def score(data: UserData, **keywords: Unpack[PyramidScoreVerbKeywords]) -> PyramidScoring:
    """Score peers with pyramids: D, X, Max and the original, modified and comprehensive score."""
    evaluation, options = open_evaluation(data, PyramidScoreOptions, keywords)
    return evaluation.pyramid_scores(options)


@with_options(PyramidShowOptions, Choice)
def show(data: UserData, **keywords: Unpack[PyramidShowVerbKeywords]) -> PyramidView:
    """Show pyramids: how hard topics are, what the SCUs say, what a summarizer expresses, optimal summaries."""
    evaluation, options = open_evaluation(data, PyramidShowOptions, keywords)
    return evaluation.show_pyramids(options)


@with_options(PyramidAgreementOptions, Choice)
def agreement(data: UserData, **keywords: Unpack[PyramidAgreementVerbKeywords]) -> PyramidAgreement:
    """Measure how far annotators agree: Krippendorff's α over words and over the presence of SCUs."""
    evaluation, options = open_evaluation(data, PyramidAgreementOptions, keywords)
    return evaluation.pyramid_agreement(options)


def check(data: UserData) -> Problems:
    """Return every problem of pyramids and annotations: errors in the files, and what deserves a look."""
    from pyramidion.run.evaluation import Evaluation

    return Evaluation(data).check_pyramids()
