"""The data: what there is, what is missing, and what its checks found."""

from __future__ import annotations

from collections import Counter

from pyramidion.reports.context import Context
from pyramidion.reports.section import Column, Section, Table

MOST_PROBLEMS = 50


def make(context: Context) -> Section:
    """Always there: a reader must know what the numbers rest on."""
    blocks = [_counts(context), _missing(context), _problems(context)]
    return Section(
        id="data",
        title="Data and what is missing",
        sentences=tuple(_sentences(context)),
        blocks=tuple(block for block in blocks if block is not None),
        commands=(f"pyramidion describe {context.data}", f"pyramidion check {context.data}"),
    )


def _sentences(context: Context) -> list[str]:
    said = []
    if context.warnings:
        warnings = "one warning" if context.warnings == 1 else f"{context.warnings:,} warnings"
        said.append(f"Checking the data gave {warnings} and no error.")
    else:
        said.append("Checking the data found nothing to complain about.")
    lacking = [row for row in _lacking(context) if row[3]]
    total = len(context.comparison.measures)
    if lacking:
        said.append(f"{len(lacking)} of {total} measures lack scores of some summarizers on some topics.")
    else:
        said.append("Every summarizer has a score on every topic that a measure covers.")
    for measure, count in context.table.unscored.items():
        said.append(
            f"{measure}: no value for {count:,} {'summary' if count == 1 else 'summaries'}, because the data lacks "
            "what the measure needs."
        )
    return said


def _counts(context: Context) -> Table:
    campaign = context.campaign
    kinds = Counter(campaign.kind_of(who) for who in context.table.summarizers)
    rows: list[tuple[str, int]] = [
        ("topics", len(campaign.topic_ids)),
        ("documents", sum(len(topic.documents) for topic in campaign.topics)),
        ("summaries: models", sum(one.kind == "model" for one in campaign.summaries)),
        ("summaries: peers", sum(one.kind == "peer" for one in campaign.summaries)),
        *((f"summarizers scored: {kind}", count) for kind, count in sorted(kinds.items())),
        ("judgments", len(campaign.judgments)),
        ("assessors", len({one.assessor for one in campaign.judgments if one.assessor})),
        ("pyramids", len(campaign.pyramids)),
        ("annotations of peers", len(campaign.annotations)),
        ("imported scores", len(campaign.imported)),
        ("scores in this report", len(context.table)),
    ]
    return Table(
        id="data-counts",
        caption="What there is",
        columns=(Column(name="what", align="left"), Column(name="number")),
        rows=[row for row in rows if row[1]],
    )


def _lacking(context: Context) -> list[list[str | int]]:
    """By measure: summarizers, topics, and cells without a score among them."""
    rows: list[list[str | int]] = []
    for measure in context.comparison.measures:
        standings = context.comparison.leaderboard(measure)
        topics = len(context.table.matrix(measure).topics)
        cells = len(standings) * topics
        rows.append([measure, len(standings), topics, cells - sum(one.n for one in standings)])
    return rows


def _missing(context: Context) -> Table | None:
    rows = [row for row in _lacking(context) if row[3] or row[2] != context.table.topic_total]
    if not rows:
        return None
    return Table(
        id="data-missing",
        caption="Measures that don't cover everything",
        columns=(
            Column(name="measure", align="left"),
            Column(name="summarizers"),
            Column(name="topics"),
            Column(name="cells without a score"),
        ),
        rows=rows,
        below=f"The campaign has {context.table.topic_total} topics. Cells: a summarizer on a topic.",
    )


def _problems(context: Context) -> Table | None:
    if not context.problems:
        return None
    shown = context.problems[:MOST_PROBLEMS]
    left = context.warnings - len(shown)
    return Table(
        id="data-problems",
        caption="Warnings",
        columns=tuple(
            Column(name=name, align="right" if name == "line" else "left")
            for name in ("file", "line", "field", "found", "expected", "remedy")
        ),
        rows=[[one.file, one.line, one.field, one.found, one.expected, one.remedy] for one in shown],
        below=f"{left:,} more are not shown." if left > 0 else "",
    )
