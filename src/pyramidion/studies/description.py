"""What is in a campaign: how many topics, documents, summaries and judgments, of which kinds, and what scores cover."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from pyramidion.campaign import Campaign, plain
from pyramidion.scores import ScoreTable
from pyramidion.show.tables import Finding, Row
from pyramidion.show.wording import counted

if TYPE_CHECKING:
    from pyramidion.studies.comparison.comparison import Comparison


class Fact(Row, record="description"):
    """One fact about a campaign."""

    what: str
    value: str | int


class Description(Finding, repr=True, eq=True):
    """What is in a campaign."""

    name: str
    facts: tuple[Fact, ...]


def describe(campaign: Campaign) -> Description:
    """Describe a campaign."""
    facts = tuple(Fact(what=what, value=value) for what, value in _facts(campaign))
    return Description(name=campaign.name, facts=facts)


def _facts(campaign: Campaign) -> Iterator[tuple[str, str | int]]:
    for what in ("name", "description", "licence"):
        if value := getattr(campaign, what):
            yield what, value
    limits = Counter(limit for topic in campaign.topic_ids if (limit := campaign.word_limit_of(topic)))
    if len(limits) > 1:
        yield "word limit", ", ".join(f"{limit} ({counted(n, 'topic')})" for limit, n in sorted(limits.items()))
    elif limits or campaign.word_limit:
        yield "word limit", next(iter(limits), campaign.word_limit or 0)
    yield "topics", len(campaign.topic_ids)
    attributes: dict[str, Counter[str]] = {}
    for topic in campaign.topics:
        for key, value in (("part", topic.part), *topic.attributes.items()):
            if value != "":
                attributes.setdefault(key, Counter())[str(value)] += 1
    for key, counts in attributes.items():
        yield f"topics by {key}", ", ".join(f"{value} {count}" for value, count in sorted(counts.items()))
    if documents := sum(len(topic.documents) for topic in campaign.topics):
        yield "documents", documents
    if background_documents := sum(len(topic.background) for topic in campaign.topics):
        yield "background documents", background_documents
    for kind, name in (("model", "reference"), ("peer", "peer")):
        words = sorted(len(plain(summary.text).split()) for summary in campaign.summaries if summary.kind == kind)
        if words:
            yield f"{name} summaries", len(words)
            yield f"words of a {name}", f"{words[0]} to {words[-1]}, median {words[len(words) // 2]}"
    if references_by_topic := Counter(summary.topic for summary in campaign.summaries if summary.kind == "model"):
        yield "references per topic", _spread(references_by_topic)
    yield from _describe_outputs(campaign)
    kinds = Counter(
        campaign.kind_of(summarizer) for summarizer in {summary.summarizer for summary in campaign.summaries}
    )
    for kind, count in sorted(kinds.items()):
        yield f"{kind} summarizers", count
    if campaign.judgments:
        yield "judgments", len(campaign.judgments)
        assessors = {judgment.assessor for judgment in campaign.judgments}
        yield "assessors", "not recorded" if assessors == {""} else len(assessors)
        yield "questions", ", ".join(campaign.question_names)
    for what in ("preferences", "pyramids", "annotations", "coverage"):
        if nouns := getattr(campaign, what):
            yield what, len(nouns)
    if len(campaign.imported):
        yield "imported columns", ", ".join(campaign.imported.measures)


def _describe_outputs(campaign: Campaign) -> Iterator[tuple[str, int | str]]:
    """How many systems there are, what they wrote, and how much of it people or judges assessed.

    Table 1 of Amigó, Gonzalo & Verdejo 2012. Humans are no systems. An output is assessed if a judgment or a preference
    is about it, also where its text is not in the campaign.
    """
    written = {(summary.topic, summary.summarizer) for summary in campaign.summaries if summary.kind == "peer"}
    assessed = {(judgment.topic, judgment.summarizer) for judgment in campaign.judgments}
    for preference in campaign.preferences:
        assessed |= {(preference.topic, preference.a), (preference.topic, preference.b)}
    for adjective, summaries in (("", written), ("assessed ", assessed)):
        outputs_by_system = Counter(
            summarizer for _, summarizer in summaries if campaign.kind_of(summarizer) != "human"
        )
        if outputs_by_system:
            yield f"{adjective}systems", len(outputs_by_system)
            yield f"{adjective}outputs of systems", outputs_by_system.total()
            yield f"{adjective}outputs per system", _spread(outputs_by_system)
        if campaign.has_runs and not adjective:
            runs = Counter(f"{one.topic}\0{one.summarizer}" for one in campaign.summaries if one.kind == "peer")
            yield "runs per output", _spread(runs)


def _spread(counts: Counter[str]) -> str | int:
    """One number if all counts are the same; else the extremes and the median."""
    values = sorted(counts.values())
    if values[0] == values[-1]:
        return values[0]
    return f"{values[0]} to {values[-1]}, median {values[len(values) // 2]}"


@dataclass(frozen=True, kw_only=True)
class MeasureCoverage:
    """How many of the systems and topics of a comparison have scores by one measure."""

    measure: str
    systems: int
    topics: int
    missing: int
    """Scores that are missing among these systems and topics."""


def count_coverage(table: ScoreTable, comparison: Comparison) -> list[MeasureCoverage]:
    """What each measure of a comparison covers, in the comparison's order."""
    measures_and_topics = table.frame.select(pl.col("measure").cast(pl.String), "topic")
    topics = dict(measures_and_topics.group_by("measure").agg(pl.col("topic").n_unique()).iter_rows())
    coverage = []
    for measure in comparison.measures:
        standings = comparison.leaderboard(measure)
        cells = len(standings) * topics[measure]
        missing = cells - sum(standing.n for standing in standings)
        coverage.append(
            MeasureCoverage(measure=measure, systems=len(standings), topics=topics[measure], missing=missing)
        )
    return coverage
