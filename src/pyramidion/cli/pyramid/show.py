"""`pyramidion pyramid show`: the pyramid of a topic, what a peer has of it, and how hard topics are."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pyramidion.cli import options_old as o
from pyramidion.cli.output_old import emit, note, writing
from pyramidion.cli.pyramid.data import (
    AnnotatorOption,
    Files,
    FormatOptions,
    Topic,
    check_names,
    load_together,
    number,
)
from pyramidion.errors import InputError, UsageError, did_you_mean

if TYPE_CHECKING:
    from pyramidion.campaign import Campaign
    from pyramidion.pyramids import Annotated as AnnotatedPeers
    from pyramidion.pyramids import Diagnosis, Difficulty


def show(
    data: Files,
    topic: Topic = None,
    peer: Annotated[str | None, typer.Option("--peer", help="What this summarizer has and misses.")] = None,
    annotator: AnnotatorOption = None,
    optimal: Annotated[
        int | None, typer.Option("--optimal", min=0, help="Optimal summaries of this many SCUs: how many, and which.")
    ] = None,
    limit: Annotated[int, typer.Option("--limit", min=0, help="How many optimal summaries to list.")] = 10,
    where: o.Where = None,
    option: FormatOptions = None,
    format: o.FormatOption = o.Format.table,
    figure: o.Figure = None,
    strict: o.Strict = False,
    quiet: o.Quiet = False,
) -> None:
    """Show pyramids: all topics with how hard they are; one topic drawn with its SCUs; what a peer has and misses.

    Example: pyramidion pyramid show demo --topic D02 --peer 16
    """
    o.check_figure(figure, *data)
    campaigns = load_together(data, o.conditions(option, "--option"), where=where, strict=strict, quiet=quiet)
    check_names(campaigns, topic, annotator)
    found = [one for campaign in campaigns for one in _pyramids(campaign, topic, annotator, each=peer is not None)]
    if not found:
        raise InputError("there is no pyramid here; `pyramidion describe` says what the data has")
    if optimal is not None:
        _show_optimal(found, optimal, limit, format)
        drawn = [_diagnosed(one, None) for one in found]
    elif peer is None and len({one.topic for one in found}) > 1:
        drawn = _show_topics(found, format)
    else:
        drawn = _show_pyramids(_with_peer(found, peer), peer, format)
    if figure is not None:
        from pyramidion.reports.figures.chart import write_chart
        from pyramidion.reports.figures.pyramid import draw_pyramids

        with writing(figure):
            write_chart(draw_pyramids(drawn), figure)
        note(f"figure: {figure}", quiet=quiet)


def _pyramids(campaign: Campaign, topic: str | None, annotator: str | None, *, each: bool) -> Iterator[AnnotatedPeers]:
    """Every pyramid with all peers, those annotated and the models; with `each`, as often as annotators used it.

    Else it comes with the peers of whoever annotated most of them.
    """
    from pyramidion.pyramids import gather

    for data in campaign.each_topic(peers="all"):
        if topic not in (None, data.topic.topic):
            continue
        found: dict[int, list[AnnotatedPeers]] = {}
        for one in gather(data, annotator=annotator):
            found.setdefault(id(one.pyramid), []).append(one)
        for users in found.values():
            if each:
                yield from users
            else:
                yield max(users, key=lambda one: len(one.annotations))


def _with_peer(found: Sequence[AnnotatedPeers], peer: str | None) -> Sequence[AnnotatedPeers]:
    if peer is None:
        return found
    chosen = [one for one in found if peer in one.incidence.peers]
    if not chosen:
        known = list(dict.fromkeys(name for one in found for name in one.incidence.peers))
        raise UsageError(f"--peer {peer}: was not annotated{did_you_mean(peer, known)} there are: {', '.join(known)}")
    return chosen


def _diagnosed(one: AnnotatedPeers, peer: str | None) -> Diagnosis:
    from pyramidion.pyramids import diagnose

    return diagnose(one, peer)


def _show_topics(found: Sequence[AnnotatedPeers], format: o.Format) -> list[Diagnosis]:
    """A row a pyramid, the hardest first."""
    from pyramidion.pyramids import difficulty

    rated = sorted(((difficulty(one), one) for one in found), key=lambda pair: _hardness(pair[0]))
    below = "hardest first; --topic draws one of them"
    emit([_topic_record(hard) for hard, _ in rated], format, title="pyramids", below=below)
    return [_diagnosed(one, None) for _, one in rated]


def _hardness(found: Difficulty) -> tuple[float, ...]:
    """By consensus, then by what peers reach (a single model always agrees with itself); what is unknown comes last."""
    return tuple(math.inf if math.isnan(value) else value for value in (found.consensus, found.peers_mean))


def _show_pyramids(found: Sequence[AnnotatedPeers], peer: str | None, format: o.Format) -> list[Diagnosis]:
    from pyramidion.pyramids import difficulty

    diagnoses = [_diagnosed(one, peer) for one in found]
    if format is o.Format.table:
        from pyramidion.cli.pyramid.drawing import difficulty_lines, draw, peer_lines

        for one, diagnosis in zip(found, diagnoses, strict=True):
            said = difficulty_lines(difficulty(one)) if peer is None else peer_lines(diagnosis)
            draw(diagnosis, *said)
        return diagnoses
    rated = [] if peer is not None else [_topic_record(difficulty(one)) for one in found]
    tiers = [record for diagnosis in diagnoses for record in _tier_records(diagnosis)]
    scus = [record for diagnosis in diagnoses for record in _scu_records(diagnosis)]
    if format is o.Format.json:
        emit([*rated, *tiers, *scus], format)
    elif format is o.Format.csv:
        emit(scus, format)  # a CSV file is one table
    else:
        for records, title in ((rated, "how hard it is"), (tiers, "tiers"), (scus, "SCUs")):
            if records:
                emit(records, format, title=title)
    return diagnoses


def _show_optimal(found: Sequence[AnnotatedPeers], size: int, limit: int, format: o.Format) -> None:
    from pyramidion.pyramids import optimal, optimal_summaries

    for one in found:
        weights = one.incidence.weights(one.incidence.everyone)[0]
        best = optimal(weights, size)
        key = {"topic": one.topic, "annotator": one.annotator, "X": size}
        counted = {
            "record": "optimal",
            **key,
            "max": number(best.weight),
            "lowest_tier": None if best.tier is None else number(best.tier),
            "taken_from_it": best.taken,
            "count": best.count,
            **({} if best.tier is not None else {"reason": "every SCU is taken, or none: no tier is divided"}),
        }
        listed: list[dict[str, Any]] = [
            {"record": "summary", **key, "uids": list(uids)}
            for uids in optimal_summaries(weights, one.incidence.uids, size, limit=limit)
        ]
        if format is o.Format.json:
            emit([counted, *listed], format)
        elif format is o.Format.csv:
            emit([{**record, "uids": " ".join(map(str, record["uids"]))} for record in listed], format)
        else:
            emit([counted], format, title="optimal summaries")
            shown = [{"uids": ", ".join(map(str, record["uids"]))} for record in listed]
            more = best.count - len(listed)
            emit(shown, format, title="SCUs", below=f"… and {more:,} more (--limit)" if more else "")


def _topic_record(found: Difficulty) -> dict[str, Any]:
    reasons = [
        *(["no peer was annotated"] if math.isnan(found.peers_mean) else []),
        *(["a single model has no others to be scored by"] if math.isnan(found.models_mean) else []),
    ]
    return {
        "record": "topic",
        "topic": found.topic,
        "annotator": found.annotator,
        "order": found.order,
        "scus": found.scus,
        "tiers": " ".join(str(tier.scus) for tier in found.tiers),
        "weight": found.weight,
        "mean_weight": found.mean_weight,
        "singletons": found.singletons,
        "x_average": number(found.x_average),
        "max_average": number(found.max),
        "consensus": found.consensus,
        "models_mean": found.models_mean,
        "peers_mean": found.peers_mean,
        "peers": found.peers,
        **({"reason": "; ".join(reasons)} if reasons else {}),
    }


def _tier_records(diagnosis: Diagnosis) -> Iterator[dict[str, Any]]:
    for tier in diagnosis.tiers:
        looked_at = {
            "present": tier.present,
            "share": tier.share,
            "cumulative_present": tier.cumulative_present,
            "cumulative_share": tier.cumulative_share,
        }
        empty = {"reason": "the tier is empty"} if not tier.scus else {}
        yield {
            "record": "tier",
            **_key(diagnosis),
            "weight": tier.weight,
            "scus": tier.scus,
            "cumulative_scus": tier.cumulative,
            **({**looked_at, **empty} if diagnosis.peer is not None else {}),
        }


def _scu_records(diagnosis: Diagnosis) -> Iterator[dict[str, Any]]:
    for scu in diagnosis.scus:
        yield {
            "record": "scu",
            **_key(diagnosis),
            "uid": scu.uid,
            "weight": scu.weight,
            "label": scu.label,
            "models": " ".join(scu.models),
            **({"present": scu.present, "mentions": scu.mentions} if diagnosis.peer is not None else {}),
        }


def _key(diagnosis: Diagnosis) -> dict[str, Any]:
    who = {} if diagnosis.peer is None else {"summarizer": diagnosis.peer}
    return {"topic": diagnosis.topic, **who, "annotator": diagnosis.annotator}
