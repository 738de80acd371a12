"""The data: what it has, what is missing, and what the checks found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import polars as pl

from pyramidion.campaign.inspection.completeness import complete_table
from pyramidion.files.problems import PLACES, Problem
from pyramidion.measures.names import parse
from pyramidion.options import DescribeOptions
from pyramidion.present.section import Section
from pyramidion.reports.context import Context
from pyramidion.show.tables import Column, Table, grouped
from pyramidion.show.wording import counted

MOST_PROBLEMS = 50
Coverage = list[tuple[str, int, int, int]]


def make(context: Context) -> Section:
    """Always there: a reader must know what the numbers rest on."""
    coverage = _coverage(context)
    sentences = tuple(_sentences(context, coverage))
    blocks = [_contents(context), _problems(context), _incomplete(context), _missing(context, coverage)]
    return Section(
        id="data",
        title="The data",
        finding=sentences[0].rstrip("."),
        appendix=True,
        sentences=(*sentences, *filter(None, [context.campaign.description])),
        blocks=tuple(block for block in blocks if block is not None),
        commands=(
            context.evaluation.command("describe", options=DescribeOptions()),
            context.evaluation.command("check", chosen=False),
        ),
    )


def _sentences(context: Context, coverage: Coverage) -> list[str]:
    inspection = context.evaluation.inspection
    unscored = _unscored(context)
    found = f"{counted(inspection.warnings, 'warning')} and no errors" if inspection.warnings else "No problems"
    sentences = [f"{found} found in the data."]
    if context.campaign.summaries and not inspection.whole:
        sentences.append(
            "The texts are too large to be inspected as a whole: they were only read and checked one by one."
        )
    lacking = sum(1 for *_, missing in coverage if missing)
    complete = inspection.whole and inspection.completeness and not any(row.missing for row in inspection.completeness)
    if lacking:
        sentences.append(f"{lacking} of {len(coverage)} measures lack scores for some systems on some topics.")
    elif complete and not unscored:
        sentences.append("No outputs, judgments or scores are missing.")
    else:
        sentences.append("Every system has a score on every topic that a measure covers.")
    sentences += [
        f"{measure}: no value for {counted(count, 'summary', 'summaries')}, because the data lacks what the measure "
        "needs."
        for measure, count in unscored.items()
    ]
    return sentences


def _unscored(context: Context) -> dict[str, int]:
    """Summaries without a value, by measure; nobody misses pyramid scores who has no pyramids."""
    bare = context.chosen is None and not context.campaign.pyramids
    return {
        name: count for name, count in context.table.unscored.items() if not (bare and parse(name).base == "pyramid")
    }


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


def _incomplete(context: Context) -> Table | None:
    """What is missing, a line for each kind of thing that should be complete."""
    rows = [row for row in context.evaluation.inspection.completeness if row.missing]
    return replace(complete_table(rows), title="What is missing") if rows else None


def _problems(context: Context) -> Table | None:
    """The warnings, those of a kind in one line."""
    warnings = [problem for problem in context.evaluation.inspection if problem.severity == "warning"]
    kinds = list(grouped(warnings, Problem.kind).values())
    if not kinds:
        return None
    left = context.evaluation.inspection.warnings - sum(map(len, kinds[:MOST_PROBLEMS]))
    return Table(
        record="problem",
        title="Warnings",
        columns=(Column("found"), Column("expected"), Column("remedy", "what to do"), Column("place", "where")),
        rows=[[_found(same), same[0].expected, same[0].remedy, _places(same)] for same in kinds[:MOST_PROBLEMS]],
        notes=(f"{left:,} more are not shown.",) if left > 0 else (),
    )


def _found(same: Sequence[Problem]) -> str:
    """What was found, in the words of the first of its kind."""
    first = same[0]
    such = "such as " if len({problem.found for problem in same}) > 1 else ""
    times = f" ({len(same):,} times)" if len(same) > 1 else ""
    return f"{f'{first.field}: ' if first.field not in ('', 'text') else ''}{such}{first.found}{times}"


def _places(same: Sequence[Problem]) -> str:
    """The file, and the first lines."""
    lines = [str(problem.line) for problem in same if problem.line is not None]
    more = ", …" if len(lines) > PLACES else ""
    return f"{same[0].file}:{', '.join(lines[:PLACES])}{more}" if lines else same[0].file
