"""`pyramid score`: the scores of the peers of a campaign, with everything that they are made of."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from pyramidion.campaign import Campaign, CampaignWarning
from pyramidion.options import PeerChoice, PyramidScoreOptions, Rounding, WeightRule
from pyramidion.pyramids.gathering import NO_PYRAMID, Annotated, chosen_topics, gather, without_pyramid
from pyramidion.pyramids.incidence import whole
from pyramidion.pyramids.scores import PyramidScores, score_order, score_subsets
from pyramidion.tables import Column, Finding, Row, Table, notes_of, table_of
from pyramidion.wording import counted


class PyramidScore(Row, record="pyramid"):
    """The scores of a peer with the pyramid of one annotator; what is undefined is NaN, with a reason."""

    topic: str
    summarizer: str
    annotator: str
    order: float
    """Number of models in the pyramid."""
    D: float
    X: float
    max: float
    """Max(X)."""
    x_average: float
    """X′."""
    max_average: float
    """Max(X′)."""
    original: float
    modified: float
    comprehensive: float
    rounding: Rounding
    weights: WeightRule
    """What an SCU weighs: the number of its contributors, or of the models that contribute."""
    subsets: int
    """Number of sub-pyramids that the scores are means of."""
    reason: str = ""


class PyramidScoring(Finding):
    """The scores of peers, for each topic, pyramid and annotator."""

    scores: tuple[PyramidScore, ...]
    options: PyramidScoreOptions

    def tables(self) -> list[Table]:
        """One table."""
        options = self.options
        which = ""
        if options.order is not None:
            which = f", means over all sub-pyramids of order {options.order}"
        elif options.jackknife:
            which = ", means over leaving out one model at a time"
        elif options.model:
            which = f", models {', '.join(options.model)}"
        title = f"Pyramid scores{which} (rounding of X′: {options.rounding})"
        return [table_of(self.scores, _COLUMNS, record="pyramid", title=title, heads=3, notes=notes_of(self.scores))]


_SIZES = (Column("max", "Max(X)"), Column("x_average", "X′"), Column("max_average", "Max(X′)"))
_SCORES = ("original", "modified", "comprehensive")
_COLUMNS = ("topic", "summarizer", "annotator", "order", "D", "X", *_SIZES, *_SCORES)


def score_pyramids(
    campaigns: Sequence[Campaign], options: PyramidScoreOptions | None = None, *, peers: PeerChoice = "systems"
) -> PyramidScoring:
    """Score peers with pyramids: D, X, Max and the original, modified and comprehensive score.

    If no system was annotated, the models are scored instead, each with the pyramid of the others.
    """
    options = options or PyramidScoreOptions()
    annotated = any(campaign.annotations for campaign in campaigns)
    if peers == "systems" and not annotated and any(campaign.pyramids for campaign in campaigns):
        peers = "humans"
        _warn("no peer was annotated: the models are scored, each with the pyramid of the others")
    topics = chosen_topics(campaigns, options, peers=peers)
    found = {  # files may contain the same annotation twice
        tuple(row.fields().items()): row
        for topic in topics
        for one in gather(topic, annotator=options.annotator, weights=options.weights)
        for row in _rows(one, options)
    }
    lost = sum(options.annotator in (None, one.annotator) for topic in topics for one in without_pyramid(topic))
    if lost:
        _warn(f"{counted(lost, 'annotation')} not scored: {NO_PYRAMID}")
    elif not found:
        _warn("no pyramid scores: there is no annotated peer; see `pyramidion describe`")
    return PyramidScoring(scores=tuple(found.values()), options=options)


def _rows(annotated: Annotated, options: PyramidScoreOptions) -> Iterator[PyramidScore]:
    incidence = annotated.incidence
    scores, subsets = _scores(annotated, options)
    for index, peer in enumerate(incidence.peers):
        own = peer in incidence.models and not options.include_self
        yield PyramidScore(
            topic=annotated.topic,
            summarizer=peer,
            annotator=annotated.annotator,
            order=whole(scores.order[0, index]),
            D=whole(scores.matched[0, index]),
            X=whole(scores.size[0, index]),
            max=whole(scores.best[0, index]),
            x_average=whole(scores.model_size[0, index]),
            max_average=whole(scores.model_best[0, index]),
            original=float(scores.original[0, index]),
            modified=float(scores.modified[0, index]),
            comprehensive=float(scores.comprehensive[0, index]),
            rounding=options.rounding,
            weights=annotated.rule,
            subsets=subsets[own],
            reason=scores.reason(index),
        )


def _scores(annotated: Annotated, options: PyramidScoreOptions) -> tuple[PyramidScores, dict[bool, int]]:
    """The scores, and the number of sub-pyramids that they are means of: for a model as a peer (True), for others."""
    incidence = annotated.incidence
    count = len(incidence.models)
    facts: dict[str, Any] = {"rounding": options.rounding}
    if options.order is not None or options.jackknife:
        order = options.order or count - 1
        if not 1 <= order <= count:
            nobody = score_subsets(incidence, np.zeros((1, count), dtype=np.bool_))
            return replace(nobody, order=np.full(nobody.order.shape, float(order))), {True: 0, False: 0}
        subsets = {True: math.comb(count - 1, order), False: math.comb(count, order)}
        return score_order(incidence, order, **facts), subsets
    mask = np.array([[not options.model or model in options.model for model in incidence.models]], dtype=np.bool_)
    return score_subsets(incidence, mask, include_self=options.include_self, **facts), {True: 1, False: 1}


def _warn(message: str) -> None:
    warnings.warn(message, CampaignWarning, stacklevel=3)
