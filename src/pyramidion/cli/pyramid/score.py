"""`pyramidion pyramid score`: the scores of peers, with all that they are made of."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pyramidion.cli import options_old as o
from pyramidion.cli.output_old import emit, note
from pyramidion.cli.pyramid.data import (
    AnnotatorOption,
    Files,
    FormatOptions,
    Topic,
    check_names,
    load_together,
    number,
)
from pyramidion.errors import UsageError

if TYPE_CHECKING:
    from pyramidion.campaign import Campaign, PeerChoice
    from pyramidion.pyramids import Annotated as AnnotatedPeers
    from pyramidion.pyramids import PyramidScores


class RoundingOption(StrEnum):
    """What becomes of the mean number of SCUs in a model."""

    half_up = "half-up"
    floor = "floor"
    ceil = "ceil"
    interpolate = "interpolate"


@dataclass(frozen=True, kw_only=True)
class _Asked:
    """Which sub-pyramids score the peers, and how."""

    rounding: RoundingOption
    order: int | None
    jackknife: bool
    models: tuple[str, ...]
    include_self: bool


def score(
    data: Files,
    rounding: Annotated[
        RoundingOption,
        typer.Option("--rounding", help="Of X′: as at DUC 2006, as DUCView, as sacrerouge, or not at all (PyrEval)."),
    ] = RoundingOption.half_up,
    order: Annotated[
        int | None, typer.Option("--order", min=1, help="The mean over every sub-pyramid of this many models.")
    ] = None,
    jackknife: Annotated[
        bool, typer.Option("--jackknife", help="The mean over leaving out one model at a time.")
    ] = False,
    models: Annotated[
        list[str] | None, typer.Option("--model", help="Only these models make the pyramid; give several times.")
    ] = None,
    include_self: Annotated[
        bool, typer.Option("--include-self", help="Score a model by the pyramid that it is in itself.")
    ] = False,
    annotator: AnnotatorOption = None,
    topic: Topic = None,
    peers: Annotated[
        o.Peers | None,
        typer.Option(
            "--peers",
            help="Whose summaries; humans are scored without their own model. Systems, if any was annotated.",
            show_default=False,
        ),
    ] = None,
    where: o.Where = None,
    option: FormatOptions = None,
    format: o.FormatOption = o.Format.table,
    strict: o.Strict = False,
    quiet: o.Quiet = False,
) -> None:
    """Score peers by pyramids: D, X, Max and the original, modified and comprehensive score.

    Example: pyramidion pyramid score demo --topic D02 --format json
    """
    from pyramidion.pyramids.gathering import NO_PYRAMID

    if sum([order is not None, jackknife, bool(models)]) > 1:
        raise UsageError("--order, --jackknife, --model: give one of them")
    if include_self and (order is not None or jackknife):
        raise UsageError("--include-self: sub-pyramids of an order never hold whom they score; leave one out")
    asked = _Asked(
        rounding=rounding,
        order=order,
        jackknife=jackknife,
        models=tuple(dict.fromkeys(models or ())),
        include_self=include_self,
    )
    campaigns = load_together(data, o.conditions(option, "--option"), where=where, strict=strict, quiet=quiet)
    check_names(campaigns, topic, annotator, asked.models)
    if peers is None:
        annotated = any(campaign.annotations for campaign in campaigns)
        peers = o.Peers.systems if annotated else o.Peers.humans
        if not annotated and any(campaign.pyramids for campaign in campaigns):
            note("no peer was annotated: the models are scored, each by the pyramid of the others", quiet=quiet)
    found = {
        tuple(record.items()): record
        for campaign in campaigns
        for record in _records(campaign, asked, topic=topic, annotator=annotator, peers=peers.value)
    }
    lost = sum(_unscored(campaign, topic=topic, annotator=annotator, peers=peers.value) for campaign in campaigns)
    if lost:
        note(f"{lost} annotations are not scored: {NO_PYRAMID}", quiet=quiet)
    elif not found:
        note("not a single pyramid score: there is no annotated peer here; see `pyramidion describe`", quiet=quiet)
    reasons = dict.fromkeys(record["reason"] for record in found.values() if "reason" in record)
    rows = list(found.values())
    if format not in (o.Format.json, o.Format.csv):  # the title says what is the same in all rows
        rows = [{key: row[key] for key in row if key not in ("rounding", "subsets")} for row in rows]
    emit(rows, format, title=_title(asked), below="; ".join(reasons))


def _title(asked: _Asked) -> str:
    which = f", models {', '.join(asked.models)}" if asked.models else ""
    if asked.order is not None:
        which = f", means over all sub-pyramids of order {asked.order}"
    elif asked.jackknife:
        which = ", means over leaving out one model at a time"
    return f"pyramid scores{which} (rounding of X′: {asked.rounding.value})"


def _records(
    campaign: Campaign, asked: _Asked, *, topic: str | None, annotator: str | None, peers: PeerChoice
) -> Iterator[dict[str, Any]]:
    from pyramidion.pyramids import gather

    for data in campaign.each_topic(peers=peers):
        if topic in (None, data.topic.topic):
            for annotated in gather(data, annotator=annotator):
                yield from _rows(annotated, asked)


def _unscored(campaign: Campaign, *, topic: str | None, annotator: str | None, peers: PeerChoice) -> int:
    """How many annotations have no pyramid to be scored by."""
    from pyramidion.pyramids.gathering import without_pyramid

    return sum(
        annotator in (None, one.annotator)
        for data in campaign.each_topic(peers=peers)
        if topic in (None, data.topic.topic)
        for one in without_pyramid(data)
    )


def _rows(annotated: AnnotatedPeers, asked: _Asked) -> Iterator[dict[str, Any]]:
    incidence = annotated.incidence
    scores, subsets = _scores(annotated, asked)
    for index, peer in enumerate(incidence.peers):
        own = peer in incidence.models and not asked.include_self
        values = {
            "order": number(scores.order[0, index]),
            "D": number(scores.matched[0, index]),
            "X": number(scores.size[0, index]),
            "max": number(scores.best[0, index]),
            "x_average": number(scores.model_size[0, index]),
            "max_average": number(scores.model_best[0, index]),
            "original": number(scores.original[0, index], whole=False),
            "modified": number(scores.modified[0, index], whole=False),
            "comprehensive": number(scores.comprehensive[0, index], whole=False),
        }
        reason = scores.reason(index)
        yield {
            "record": "pyramid",
            "topic": annotated.topic,
            "summarizer": peer,
            "annotator": annotated.annotator,
            **values,
            "rounding": asked.rounding.value,
            "subsets": subsets[own],
            **({"reason": reason} if reason else {}),
        }


def _scores(annotated: AnnotatedPeers, asked: _Asked) -> tuple[PyramidScores, dict[bool, int]]:
    """The scores, and how many sub-pyramids they are means of, for a model as a peer (True) and for others."""
    import numpy as np

    from pyramidion.pyramids import score_order, score_subsets

    incidence = annotated.incidence
    count = len(incidence.models)
    if asked.order is not None or asked.jackknife:
        order = count - 1 if asked.order is None else asked.order
        if not 1 <= order <= count:
            nobody = score_subsets(incidence, np.zeros((1, count), dtype=np.bool_))
            return replace(nobody, order=np.full(nobody.order.shape, float(order))), {True: 0, False: 0}
        scores = score_order(incidence, order, rounding=asked.rounding.value)
        return scores, {True: math.comb(count - 1, order), False: math.comb(count, order)}
    mask = np.array([[not asked.models or model in asked.models for model in incidence.models]], dtype=np.bool_)
    scores = score_subsets(incidence, mask, rounding=asked.rounding.value, include_self=asked.include_self)
    return scores, {True: 1, False: 1}
