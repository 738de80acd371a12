"""The data: what it has, what is missing, and what the checks found."""

from __future__ import annotations

from collections import Counter

from pyramidion.reports.context import Context
from pyramidion.reports.section import Section
from pyramidion.tables import Column, Table
from pyramidion.wording import counted

MOST_PROBLEMS = 50


def make(context: Context) -> Section:
    """Always there: a reader must know what the numbers rest on."""
    blocks = [_counts(context), _missing(context), _problems(context)]
    return Section(
        id="data",
        title="The data",
        sentences=tuple(_sentences(context)),
        blocks=tuple(block for block in blocks if block is not None),
        commands=tuple(context.evaluation.command(verb, chosen=False) for verb in ("describe", "check")),
    )


def _sentences(context: Context) -> list[str]:
    warnings = context.evaluation.problems.warnings
    found = f"{counted(warnings, 'warning')} and no errors" if warnings else "No problems"
    sentences = [f"{found} found in the data."]
    lacking = sum(1 for row in _lacking(context) if row[3])
    total = len(context.comparison.measures)
    if lacking:
        sentences.append(f"{lacking} of {total} measures lack scores for some systems on some topics.")
    else:
        sentences.append("Every system has a score on every topic that a measure covers.")
    sentences += [
        f"{measure}: no value for {counted(count, 'summary', 'summaries')}, because the data lacks what it needs."
        for measure, count in context.table.unscored.items()
    ]
    return sentences


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
        record="description",
        title="What the campaign has",
        columns=(Column("what"), Column("number")),
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
        record="missing",
        title="Measures that do not cover everything",
        columns=(
            Column("measure"),
            Column("summarizers", "systems"),
            Column("topics"),
            Column("missing", "missing scores"),
        ),
        rows=rows,
        notes=(f"The campaign has {counted(context.table.topic_total, 'topic')}.",),
    )


def _problems(context: Context) -> Table | None:
    problems = context.evaluation.problems
    shown = [problem for problem in problems if problem.severity == "warning"][:MOST_PROBLEMS]
    if not shown:
        return None
    left = problems.warnings - len(shown)
    fields = ("file", "line", "field", "found", "expected", "remedy")
    return Table(
        record="problem",
        title="Warnings",
        columns=tuple(Column(name, kind="" if name == "line" else "text") for name in fields),
        rows=[[getattr(one, name) for name in fields] for one in shown],
        notes=(f"{left:,} more are not shown.",) if left > 0 else (),
    )
