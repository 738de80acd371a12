"""Scores of several runs of a system on a topic: their means, which are the scores of the table, and the runs behind.

Comparisons need one score for each topic and system (Miller, *Adding error bars to evals*, 2024): it is the mean of the
runs. The score of each run is kept next to it, from which the variance of runs is estimated.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import polars as pl

from pyramidion.scores.table import KEY, RUN, RUN_COLUMNS, Score, ScoreTable
from pyramidion.show.wording import counted

FIRST_RUN = "1"
"""What the run is called of an output that has no number."""


def average_runs(cells: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame | None, dict[str, str]]:
    """The mean of the runs of each score, the score of each run, and by measure how many runs there are.

    Args:
        cells: the columns of a score table and `run`; each (measure, topic, summarizer, run) once.

    Returns:
        The means in the order of the first run; the scores of runs, None if no score has several; notes.
    """
    means = cells.group_by(KEY, maintain_order=True).agg(
        pl.col("value").mean(), pl.col("signature").first(), runs=pl.len()
    )
    run_scores = None
    if means.height < cells.height:
        run_scores = select_run_columns(cells)
    return means.drop("runs"), run_scores, _note_runs(means)


def table_of_runs(scores: Sequence[Score], runs: Sequence[str]) -> ScoreTable:
    """A table of scores of outputs of systems: the means over the runs of each system.

    Args:
        scores: of single outputs.
        runs: the run of each of them.
    """
    table = ScoreTable.of(scores)
    if all(run == FIRST_RUN for run in runs):
        return table
    cells = table.frame.with_columns(pl.Series(RUN, runs, dtype=pl.String))
    frame, run_scores, notes = average_runs(cells)
    notes_on_all = {**{measure: table.notes.get(measure, "") for measure in notes}, **table.notes_on_all}
    return replace(table, frame=frame, run_scores=run_scores, notes={**table.notes, **notes}, notes_on_all=notes_on_all)


def select_run_columns(cells: pl.DataFrame) -> pl.DataFrame:
    """The columns of scores of runs, of their types."""
    return cells.select(pl.col(name).cast(kind) for name, kind in RUN_COLUMNS.items())


def average_counts(counts: pl.DataFrame) -> pl.DataFrame:
    """The mean counts of the runs of each summary, so that each summary counts once in sums over topics."""
    return counts.group_by(KEY, maintain_order=True).agg(pl.exclude(RUN).mean())


def _note_runs(means: pl.DataFrame) -> dict[str, str]:
    """By measure with several runs, how many runs its values are means of.

    Args:
        means: the keys, and how many runs each value is the mean of.
    """
    fewer = (pl.col("runs") < pl.max("runs")).sum()
    counts = means.group_by("measure", maintain_order=True).agg(most=pl.max("runs"), fewer=fewer, all=pl.len())
    notes: dict[str, str] = {}
    for measure, most, fewer_runs, summaries in counts.iter_rows():
        if most == 1:
            continue
        note = f"mean of {most} runs"
        if fewer_runs:
            has = "has" if fewer_runs == 1 else "have"
            note += f" ({fewer_runs:,} of {counted(summaries, 'summary', 'summaries')} {has} fewer)"
        notes[measure] = note
    return notes


def split_runs(cells: pl.DataFrame, run_names: Mapping[str, tuple[str, str]]) -> pl.DataFrame:
    """The rows with the summarizer's own name, and a column `run`.

    Args:
        cells: rows whose summarizers may be outputs of runs.
        run_names: by the name of such an output, its summarizer and the run; others are the first run of theirs.
    """
    name = pl.col("summarizer").cast(pl.String)
    summarizers: dict[str, Any] = {output: summarizer for output, (summarizer, _) in run_names.items()}
    runs: dict[str, Any] = {output: run for output, (_, run) in run_names.items()}
    return cells.with_columns(
        name.replace(summarizers).cast(cells.schema["summarizer"]).alias("summarizer"),
        name.replace_strict(runs, default=FIRST_RUN, return_dtype=pl.String).alias(RUN),
    )
