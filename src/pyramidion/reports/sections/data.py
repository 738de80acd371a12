"""The data: what it has, what is missing, and what the checks found."""

from __future__ import annotations

from dataclasses import replace

import polars as pl

from pyramidion.reports.context import Context
from pyramidion.reports.section import Section
from pyramidion.tables import Column, Table
from pyramidion.wording import counted

MOST_PROBLEMS = 50
Coverage = list[tuple[str, int, int, int]]


def make(context: Context) -> Section:
    """Always there: a reader must know what the numbers rest on."""
    coverage = _coverage(context)
    sentences = tuple(_sentences(context, coverage))
    blocks = [_contents(context), _missing(context, coverage), _problems(context)]
    return Section(
        id="data",
        title="The data",
        finding=sentences[0].rstrip("."),
        appendix=True,
        sentences=(*sentences, *filter(None, [context.campaign.description])),
        blocks=tuple(block for block in blocks if block is not None),
        commands=(
            context.evaluation.command("describe", without=("peers", "exclude", "scores", "seed")),
            context.evaluation.command("check", chosen=False),
        ),
    )


def _sentences(context: Context, coverage: Coverage) -> list[str]:
    warnings = context.evaluation.problems.warnings
    found = f"{counted(warnings, 'warning')} and no errors" if warnings else "No problems"
    sentences = [f"{found} found in the data."]
    lacking = sum(1 for *_, missing in coverage if missing)
    if lacking:
        sentences.append(f"{lacking} of {len(coverage)} measures lack scores for some systems on some topics.")
    else:
        sentences.append("Every system has a score on every topic that a measure covers.")
    sentences += [
        f"{measure}: no value for {counted(count, 'summary', 'summaries')}, because the data lacks what the measure "
        "needs."
        for measure, count in context.table.unscored.items()
    ]
    return sentences


def _contents(context: Context) -> Table:
    (table,) = context.evaluation.describe().tables()
    rows = [row for row in table.rows if row[0] not in ("name", "description")]  # these are on top of the page
    return replace(table, title="What the campaign has", rows=rows)


def _coverage(context: Context) -> Coverage:
    """By measure: the number of systems, of topics, and of scores missing among them."""
    topics = dict(
        context.table.frame.group_by(pl.col("measure").cast(pl.String)).agg(pl.col("topic").n_unique()).rows()
    )
    found = []
    for measure in context.comparison.measures:
        standings = context.comparison.leaderboard(measure)
        cells = len(standings) * topics[measure]
        found.append((measure, len(standings), topics[measure], cells - sum(one.n for one in standings)))
    return found


def _missing(context: Context, coverage: Coverage) -> Table | None:
    rows = [row for row in coverage if row[3] or row[2] != context.table.topic_total]
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
        columns=tuple(map(Column, fields)),
        rows=[[getattr(one, name) for name in fields] for one in shown],
        notes=(f"{left:,} more are not shown.",) if left > 0 else (),
    )
