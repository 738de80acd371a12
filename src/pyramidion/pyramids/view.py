"""`pyramid show`: pyramids and sub-pyramids, how hard topics are, what a summarizer expresses, optimal summaries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, combinations
from math import comb
from typing import ClassVar

from pyramidion.campaign import Campaign
from pyramidion.errors import InputError, UsageError, check_known, mention
from pyramidion.options import PyramidShowOptions
from pyramidion.pyramids.diagnosis import Diagnosis, Difficulty, diagnose, difficulty
from pyramidion.pyramids.incidence import Annotated, chosen_topics, gather, most_used
from pyramidion.pyramids.optimal import Optimal, OptimalSummary, PyramidKey, optimal, optimal_summaries
from pyramidion.show.tables import Finding, Row

MOST_SHOWN = 1000
"""Sub-pyramids of one pyramid; more can't be looked at."""


class PyramidView(Finding):
    """Pyramids to look at, each as a drawing or a row."""

    record_kinds: ClassVar[tuple[str, ...]] = (
        "pyramid-topic",
        "pyramid-tier",
        "pyramid-scu",
        "pyramid-optimal",
        "pyramid-optimal-summary",
    )

    pyramids: tuple[Diagnosis, ...]
    """What is drawn, in the order of the rows."""
    difficulties: tuple[Difficulty, ...] = ()
    """How hard each of them is; none if the question is what a summarizer expresses."""
    optimal: tuple[Optimal, ...] = ()
    optimal_summaries: tuple[OptimalSummary, ...] = ()
    listed: bool = False
    """Whether there are so many pyramids that each has one row only."""

    @property
    def drawn(self) -> bool:
        """Whether people see the pyramids themselves."""
        return not (self.listed or self.optimal)

    def rows(self) -> Iterator[Row]:
        """Optimal summaries if asked for; else pyramids, and with few of them their tiers and SCUs."""
        if self.optimal:
            yield from self.optimal
            yield from self.optimal_summaries
            return
        yield from self.difficulties
        if not self.listed:
            for pyramid in self.pyramids:
                yield from pyramid.tiers
            for pyramid in self.pyramids:
                yield from pyramid.scus

    def main_record(self) -> str:
        """What CSV holds."""
        if self.optimal:
            return "pyramid-optimal-summary"
        if self.listed:
            return "pyramid-topic"
        return "pyramid-scu"


def show_pyramids(campaigns: Sequence[Campaign], options: PyramidShowOptions | None = None) -> PyramidView:
    """Pyramids as they are: several topics with how hard they are, one topic with its SCUs, a summarizer's share."""
    options = options or PyramidShowOptions()
    users = most_used if options.summarizer is None else list
    whole: list[Annotated] = []
    for topic in chosen_topics(campaigns, options):
        whole += users(gather(topic, annotator=options.annotator))
    if not whole:
        raise InputError("the data has no pyramid; `pyramidion describe` shows what it has")
    if all(annotated.pyramid.is_nugget_list for annotated in whole):
        raise InputError("the pyramids are lists of nuggets, without models; the measure `nugget` scores them")
    pyramids: list[Annotated] = []
    for annotated in whole:
        pyramids += _sub_pyramids(annotated, options)
    if not pyramids:
        raise InputError("no pyramid has enough models for sub-pyramids of this order; choose a smaller `order=`")
    if options.optimal is not None:
        return _optimal(pyramids, options.optimal, options.limit)
    if options.summarizer is not None:
        with_peer = _select_with_peer(pyramids, options.summarizer)
        return PyramidView(pyramids=tuple(diagnose(annotated, options.summarizer) for annotated in with_peer))
    topics = {annotated.topic for annotated in pyramids}
    listed = len(topics) > 1 or len(pyramids) > len(whole)
    rated = [(difficulty(annotated), annotated) for annotated in pyramids]
    if listed:
        rated.sort(key=lambda pair: pair[0].hardness)
    return PyramidView(
        pyramids=tuple(diagnose(annotated) for _, annotated in rated),
        difficulties=tuple(hard for hard, _ in rated),
        listed=listed,
    )


def _sub_pyramids(annotated: Annotated, options: PyramidShowOptions) -> list[Annotated]:
    models = annotated.incidence.models
    chosen: list[tuple[str, ...]] = [models]
    if options.model:
        chosen = [tuple(model for model in models if model in options.model)]
    elif options.order is not None or options.jackknife:
        order = options.order or len(models) - 1
        number = comb(len(models), order)
        if number > MOST_SHOWN:
            raise UsageError(
                f"topic {annotated.topic}: {len(models)} models have {number:,} sub-pyramids of order {order}, too "
                "many to show; `pyramidion study orders` samples them"
            )
        chosen = list(combinations(models, order))
    return [replace(annotated, incidence=annotated.incidence.sub_pyramid(some)) for some in chosen if some]


def _select_with_peer(pyramids: Sequence[Annotated], peer: str) -> list[Annotated]:
    peers = list(chain.from_iterable(annotated.incidence.peers for annotated in pyramids))
    check_known(peer, peers, f"{mention('summarizer', peer)}: was not annotated")
    return [annotated for annotated in pyramids if peer in annotated.incidence.peers]


def _optimal(annotated_pyramids: Sequence[Annotated], size: int, limit: int) -> PyramidView:
    counts: list[Optimal] = []
    summaries: list[OptimalSummary] = []
    pyramids: list[Diagnosis] = []
    for annotated in annotated_pyramids:
        incidence, pyramid = annotated.incidence, diagnose(annotated)
        weights = incidence.weights(incidence.everyone)[0]
        key: PyramidKey = {"topic": annotated.topic, "annotator": pyramid.annotator, "models": incidence.models}
        best = optimal(weights, size, order=len(incidence.models), key=key)
        counts.append(best)
        summaries += [
            OptimalSummary(X=size, uids=uids, **key)
            for uids in optimal_summaries(weights, incidence.uids, size, limit=limit)
        ]
        marked = tuple(replace(scu, optimal=best.place_of(scu.weight)) for scu in pyramid.scus)
        pyramids.append(replace(pyramid, scus=marked))
    return PyramidView(pyramids=tuple(pyramids), optimal=tuple(counts), optimal_summaries=tuple(summaries))
