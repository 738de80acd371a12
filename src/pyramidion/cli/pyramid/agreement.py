"""`pyramidion pyramid agreement`: how far annotators agree, and what their differences do to scores."""

from __future__ import annotations

import math
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pyramidion.cli import options_old as o
from pyramidion.cli.output_old import emit, note
from pyramidion.cli.pyramid.data import Files, Topic, load_each

if TYPE_CHECKING:
    from pyramidion.campaign import TopicData
    from pyramidion.pyramids.reliability import Agreement, AgreementOptions
    from pyramidion.pyramids.reliability_scores import ScoresAcross


class Distance(StrEnum):
    """Distances between the sets that words are coded with."""

    nominal = "nominal"
    passonneau = "passonneau"
    jaccard = "jaccard"
    masi = "masi"


def agreement(
    data: Files,
    distances: Annotated[
        list[Distance] | None,
        typer.Option("--distance", help="Between sets of words; several times. Default: all four."),
    ] = None,
    normalise: Annotated[
        bool, typer.Option("--normalise", help="Strip function words and punctuation at the edges of contributors.")
    ] = False,
    across: Annotated[
        bool, typer.Option("--across", help="Also the scores under each annotation, and their analysis of variance.")
    ] = False,
    include_self: Annotated[
        bool, typer.Option("--include-self", help="With --across: score a model by the pyramid that contains it.")
    ] = False,
    topic: Topic = None,
    where: o.Where = None,
    confidence: o.Confidence = 95.0,
    resamples: o.Resamples = 1000,
    seed: o.Seed = 0,
    format: o.FormatOption = o.Format.table,
    strict: o.Strict = False,
    quiet: o.Quiet = False,
) -> None:
    """Agreement of annotators: Krippendorff's α over words and over the presence of SCUs.

    Example: pyramidion pyramid agreement first.pyr second.pyr
    """
    from pyramidion.errors import InputError, UsageError
    from pyramidion.pyramids.reliability import AgreementOptions
    from pyramidion.pyramids.reliability_topic import topic_agreement, topic_scores_across
    from pyramidion.statistics.sets import SET_DISTANCES

    o.check_resampling(confidence, resamples)
    if include_self and not across:
        raise UsageError("--include-self: only scores across annotations have it; give --across as well")
    options = AgreementOptions(
        distances=tuple(one for one in SET_DISTANCES if not distances or one in distances),
        normalise=normalise,
        resamples=resamples,
        confidence=confidence,
        seed=seed,
    )
    topics = _topics(data, topic, where, strict=strict, quiet=quiet)
    found = [row for one in topics for row in topic_agreement(one, options=options)]
    scored = [row for one in topics for row in topic_scores_across(one, include_self=include_self)] if across else []
    if not found:
        raise InputError(
            "no topic has the pyramids of two annotators, and no peer was annotated twice against one pyramid; "
            "give the files of both, or a campaign that has both"
        )
    if lacking := len(topics) - len({row.topic for row in found}):
        note(f"{lacking} of {len(topics)} topics have a single annotator, and are left out", quiet=quiet)
    _print(found, scored, options, format)


def _topics(
    data: list[str], topic: str | None, where: list[str] | None, *, strict: bool, quiet: bool
) -> list[TopicData]:
    from pyramidion.errors import InputError, UsageError, did_you_mean
    from pyramidion.pyramids.reliability_merge import merge_topics

    campaigns = load_each(data, where=where, strict=strict, quiet=quiet)
    names = [Path(one).stem if Path(one).suffix else one for one in data]
    topics = merge_topics(list(zip(names, campaigns, strict=True)))
    if not topics:
        raise InputError(f"{', '.join(data)}: there is no pyramid; agreement is that of annotators of pyramids")
    chosen = [one for one in topics if topic in (None, one.topic.topic)]
    if not chosen:
        known = [one.topic.topic for one in topics]
        raise UsageError(
            f"--topic {topic}: no such topic with a pyramid{did_you_mean(str(topic), known)} see `describe`"
        )
    return chosen


def _print(found: list[Agreement], scored: list[ScoresAcross], options: AgreementOptions, format: o.Format) -> None:
    agreements = [_agreement(row, options) for row in found]
    scores = [{"record": "score", **row} for one in scored for row in score_rows(one)]
    differences = [{"record": "difference", **row} for one in scored for row in difference_rows(one)]
    anovas = [{"record": "anova", **anova_row(one)} for one in scored]
    if format in (o.Format.json, o.Format.csv):
        records = [*agreements, *scores, *differences, *anovas]
        if format is o.Format.csv and scored:  # one table for all kinds of rows
            records = [{"kind": record["record"], **record} for record in records]
        emit(records, format)
        return
    tables = {
        f"Krippendorff’s α ({options.confidence:g} % intervals)": agreements,
        "Scores under each annotation": scores,
        "Largest difference between two annotations": differences,
        "One-way analysis of variance: annotations as groups, summaries as observations": anovas,
    }
    for title, rows in tables.items():
        if rows:
            reasons = dict.fromkeys(str(row["reason"]) for row in rows if row.get("reason"))
            kept = [{key: row[key] for key in row if key not in ("confidence", "seed")} for row in rows]
            emit(kept, format, title=title, below="; ".join(reasons))


def _agreement(row: Agreement, options: AgreementOptions) -> dict[str, Any]:
    return {
        "record": "agreement",
        "topic": row.topic,
        "unit": row.unit,
        "distance": row.distance,
        "alpha": row.alpha,
        "lower": row.lower,
        "upper": row.upper,
        "n": row.n,
        "observed": row.observed,
        "expected": row.expected,
        "annotators": ", ".join(name or "(unnamed)" for name in row.annotators),
        "confidence": options.confidence,
        "seed": options.seed,
        **({"reason": row.reason} if row.reason else {}),
    }


def score_rows(scores: ScoresAcross) -> Iterator[dict[str, Any]]:
    """The score of each summary under each annotation."""
    for annotator, values in zip(scores.annotators, scores.values, strict=True):
        for summarizer, value in zip(scores.summarizers, values, strict=True):
            yield {
                "topic": scores.topic,
                "scored": scores.scored,
                "annotator": annotator or "(unnamed)",
                "summarizer": summarizer,
                "measure": f"pyramid.{scores.score}",
                "value": float(value),
                **({"reason": "not annotated, or not defined"} if math.isnan(value) else {}),
            }


def difference_rows(scores: ScoresAcross) -> Iterator[dict[str, Any]]:
    """How far annotations differ on each summary."""
    for summarizer, value in zip(scores.summarizers, scores.differences, strict=True):
        yield {
            "topic": scores.topic,
            "scored": scores.scored,
            "summarizer": summarizer,
            "measure": f"pyramid.{scores.score}",
            "difference": float(value),
            **({"dice": scores.dice.get(summarizer)} if scores.scored == "peers" else {}),
            **({"reason": "fewer than two annotations give a score"} if math.isnan(value) else {}),
        }


def anova_row(scores: ScoresAcross) -> dict[str, Any]:
    """Whether annotations differ beyond the differences between summaries."""
    found = scores.anova
    reason = ""
    if found is None:
        reason = "too few scores for an analysis of variance"
    elif not math.isfinite(found.f):
        reason = "no annotation gives two summaries different scores: no variance to compare with"
    return {
        "topic": scores.topic,
        "scored": scores.scored,
        "measure": f"pyramid.{scores.score}",
        "f": found.f if found else None,
        "df_between": found.between if found else None,
        "df_within": found.within if found else None,
        "p": found.p if found else None,
        **({"reason": reason} if reason else {}),
    }
