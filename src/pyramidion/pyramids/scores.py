"""Pyramid scores (Nenkova & Passonneau 2004) of every peer in every sub-pyramid: original, modified, comprehensive."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from math import comb
from typing import Any

import numpy as np

from pyramidion.arrays import Bools, Floats
from pyramidion.campaign import Campaign, CampaignWarning
from pyramidion.errors import UsageError
from pyramidion.options import PeerChoice, PyramidScoreOptions, Rounding, WeightRule
from pyramidion.pyramids.incidence import (
    NO_PYRAMID,
    Annotated,
    Incidence,
    chosen_topics,
    count_partial_answers,
    gather,
    max_weights,
    subsets,
    warnings_of_partial_answers,
    whole,
    without_pyramid,
)
from pyramidion.show.tables import Finding, Row
from pyramidion.show.wording import counted
from pyramidion.statistics.values import quotients

MOST_SUBSETS = 200_000
"""How many subsets of an order are averaged over at most: all C(20, 10) of twenty models."""
_BLOCK = 8192
"""Subsets that are worked on at a time: memory stays bounded, whatever their number."""

NOT_MARKED = "non-matching content was not marked, so X and what rests on it are not known"
NO_MODEL = "no model is left in the pyramid"


@dataclass(frozen=True, kw_only=True, eq=False)
class PyramidScores:
    """What scores are made of and the scores, subsets × peers each; NaN where a value is not defined."""

    order: Floats
    """Number of models in the sub-pyramid that scores the peer."""
    matched: Floats
    """D, the summed weight of the SCUs that the peer expresses."""
    size: Floats
    """X, the peer's number of content units; it does not depend on the subset."""
    best: Floats
    """Max(X)."""
    model_size: Floats
    """X′, the mean number of SCUs in a model, rounded."""
    model_best: Floats
    """Max(X′)."""
    original: Floats
    """P = D / Max(X)."""
    modified: Floats
    """P′ = D / Max(X′); it may pass 1."""
    comprehensive: Floats
    """The harmonic mean of both."""
    recall: Floats
    """D as a share of the weight of all SCUs."""

    def reason(self, peer: int, subset: int = 0) -> str:
        """Why a value of the peer is missing; nothing if all are there."""
        if np.isnan(self.modified[subset, peer]):
            order = int(self.order[subset, peer])
            if order:
                return f"fewer than {order} models are left for a pyramid of this order"
            return NO_MODEL
        if np.isnan(self.original[subset, peer]):
            return NOT_MARKED
        return ""


def score_subsets(
    incidence: Incidence, masks: Bools, *, rounding: Rounding = "half-up", include_self: bool = False
) -> PyramidScores:
    """Score every peer by the sub-pyramid of every subset of models (subsets × models).

    In the sub-pyramid of S an SCU weighs |models(SCU) ∩ S|, X′ is that of the models in S, and X stays as it is:
    matched SCUs that lose all weight count as non-matching. A model never counts in its own score unless
    `include_self`; where no model is left, nothing is defined. X = 0 or Max = 0 gives the score 0.
    """
    blocks = [
        _score(incidence, masks[start : start + _BLOCK], rounding, include_self)
        for start in range(0, max(len(masks), 1), _BLOCK)
    ]
    if len(blocks) == 1:
        return blocks[0]
    columns: dict[str, Floats] = {}
    for field in fields(PyramidScores):
        columns[field.name] = np.concatenate([getattr(block, field.name) for block in blocks])
    return PyramidScores(**columns)


def score_order(
    incidence: Incidence, order: int, *, rounding: Rounding = "half-up", include_self: bool = False
) -> PyramidScores:
    """The mean over every sub-pyramid of an order: all C(n, k), for a model the C(n − 1, k) without it.

    `order` = n − 1 is the jackknife. One row; NaN for a model when no subset without it is that large.
    """
    count = len(incidence.models)
    if not 1 <= order <= count:
        raise UsageError(f"order {order}: expected a number from 1 to {count}, the number of models in the pyramid")
    if comb(count, order) > MOST_SUBSETS:
        raise UsageError(
            f"order {order}: {count} models have {comb(count, order):,} subsets of this order, more than "
            f"{MOST_SUBSETS:,}; `pyramidion study orders` draws a sample of them"
        )
    is_own = incidence.own & (not include_self)
    total = {field.name: np.zeros((1, len(incidence.peers))) for field in fields(PyramidScores)}
    number = np.zeros((1, len(incidence.peers)))
    masks = subsets(count, order)
    for start in range(0, len(masks), _BLOCK):
        block = masks[start : start + _BLOCK]
        counted = ~(block @ is_own.T)  # subsets × peers: a pyramid with the peer in it never scores it
        number += counted.sum(axis=0)
        scores = _score_all(incidence, block, rounding)
        for name, summed in total.items():
            summed += np.where(counted, getattr(scores, name), 0.0).sum(axis=0)
    means = {name: quotients(summed, number) for name, summed in total.items()}
    return PyramidScores(**{**means, "order": np.full(number.shape, float(order)), "size": incidence.sizes[None, :]})


def _score(incidence: Incidence, masks: Bools, rounding: Rounding, include_self: bool) -> PyramidScores:
    scores = _score_all(incidence, masks, rounding)
    if include_self:
        return scores
    is_own = incidence.own
    for model in np.nonzero(is_own.any(axis=0))[0]:
        peers = np.nonzero(is_own[:, model])[0]
        # Only where a peer's own model is in the subset must it be taken out; the other scores stand.
        rows = np.nonzero(masks[:, model])[0]
        without = masks[rows]
        without[:, model] = False
        alone = _score_all(incidence.only(peers), without, rounding)
        for field in fields(scores):
            getattr(scores, field.name)[np.ix_(rows, peers)] = getattr(alone, field.name)
    return scores


def _score_all(incidence: Incidence, masks: Bools, rounding: Rounding) -> PyramidScores:
    shape = (len(masks), len(incidence.peers))
    weights = incidence.weights(masks)
    orders = masks.sum(axis=1)
    model_size = incidence.model_sizes(masks, rounding)
    model_best = max_weights(weights, model_size[:, None])
    defined = (orders > 0)[:, None]

    def filled(values: Floats) -> Floats:
        return np.where(defined, np.broadcast_to(values, shape), np.nan)

    matched = filled(incidence.matched_weights(weights))
    best = filled(max_weights(weights, incidence.sizes[None, :]))
    original = _ratio(matched, best)
    modified = _ratio(matched, filled(model_best))
    return PyramidScores(
        order=np.broadcast_to(orders[:, None].astype(np.float64), shape).copy(),
        matched=matched,
        size=np.broadcast_to(incidence.sizes[None, :], shape).copy(),
        best=best,
        model_size=filled(model_size[:, None]),
        model_best=filled(model_best),
        original=original,
        modified=modified,
        # The harmonic mean, written so that two zeros give 0, not an error.
        comprehensive=_ratio(2 * original * modified, original + modified),
        recall=_ratio(matched, filled(weights.sum(axis=1)[:, None])),
    )


def _ratio(numerator: Floats, denominator: Floats) -> Floats:
    """0 where there is nothing to have; NaN stays NaN."""
    without_ratio = np.where(np.isnan(numerator) | np.isnan(denominator), np.nan, 0.0)
    ratio: Floats = np.divide(numerator, denominator, out=without_ratio, where=denominator > 0)
    return ratio


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


def score_pyramids(
    campaigns: Sequence[Campaign], options: PyramidScoreOptions | None = None, *, peers: PeerChoice = "systems"
) -> PyramidScoring:
    """Score peers with pyramids: D, X, Max and the original, modified and comprehensive score.

    If no system was annotated, the models are scored instead, each with the pyramid of the others.
    """
    options = options or PyramidScoreOptions()
    has_annotations = any(campaign.annotations for campaign in campaigns)
    has_pyramids = any(campaign.pyramids for campaign in campaigns)
    # Who has just built pyramids has no peers yet, and asks what the pyramids say about the models.
    if peers == "systems" and has_pyramids and not has_annotations:
        peers = "humans"
        _warn("no peer was annotated: the models are scored, each with the pyramid of the others")
    topics = chosen_topics(campaigns, options, peers=peers)
    scores: dict[tuple[tuple[str, Any], ...], PyramidScore] = {}
    lost = 0
    for topic in topics:
        for annotated in gather(topic, annotator=options.annotator, weights=options.weights):
            # Files may contain the same annotation twice.
            scores |= {tuple(row.fields().items()): row for row in _rows(annotated, options)}
        lost += sum(options.annotator in (None, annotation.annotator) for annotation in without_pyramid(topic))
    partial = count_partial_answers(topics, options.annotator)
    for message in warnings_of_partial_answers(partial):
        _warn(message)
    if lost:
        _warn(f"{counted(lost, 'annotation')} not scored: {NO_PYRAMID}")
    elif not scores and not partial.left_out:
        _warn("no pyramid scores: there is no annotated peer; see `pyramidion describe`")
    elif all(math.isnan(score.modified) for score in scores.values()) and _has_only_nuggets(campaigns):
        _warn("the pyramids are lists of nuggets, without models; the measure `nugget` scores them")
    return PyramidScoring(scores=tuple(scores.values()), options=options)


def _has_only_nuggets(campaigns: Sequence[Campaign]) -> bool:
    """Whether every pyramid is a list of nuggets."""
    return all(pyramid.is_nugget_list for campaign in campaigns for pyramid in campaign.pyramids)


def _rows(annotated: Annotated, options: PyramidScoreOptions) -> Iterator[PyramidScore]:
    incidence = annotated.incidence
    scores, subsets = _scores(annotated, options)
    for index, peer in enumerate(incidence.peers):
        is_own = peer in incidence.models and not options.include_self
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
            subsets=subsets[is_own],
            reason=scores.reason(index),
        )


def _scores(annotated: Annotated, options: PyramidScoreOptions) -> tuple[PyramidScores, dict[bool, int]]:
    """The scores, and the number of sub-pyramids that they are means of: for a model as a peer (True), for others."""
    incidence = annotated.incidence
    count = len(incidence.models)
    if options.order is not None or options.jackknife:
        order = options.order or count - 1
        if not 1 <= order <= count:
            nobody = score_subsets(incidence, np.zeros((1, count), dtype=np.bool_))
            return replace(nobody, order=np.full(nobody.order.shape, float(order))), {True: 0, False: 0}
        # A model is never in the pyramid that scores it: its averages run over the subsets of the others.
        subsets = {True: math.comb(count - 1, order), False: math.comb(count, order)}
        return score_order(incidence, order, rounding=options.rounding), subsets
    chosen_models = options.model or incidence.models
    mask = np.array([[model in chosen_models for model in incidence.models]], dtype=np.bool_)
    scores = score_subsets(incidence, mask, include_self=options.include_self, rounding=options.rounding)
    return scores, {True: 1, False: 1}


def _warn(message: str) -> None:
    warnings.warn(message, CampaignWarning, stacklevel=3)
