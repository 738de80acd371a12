"""Scoring summaries that are columns: the kernels read the texts where Arrow has them, no text becomes a Python object.

Tables whose rows need a second look (`NeedsRowsError`) are scored as campaigns, where errors have words.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import polars as pl

from pyramidion.arrow import RowScores, score_rows, why_not_rows
from pyramidion.campaign.flat.batches import SENTENCES, TEXT, TEXTS, NeedsRowsError, SummaryBatch, read_batches
from pyramidion.campaign.flat.reading import FlatTable, Seen, digest_of, join_marks
from pyramidion.engines.local import Found, Progress, refuse_absent, wanted_of
from pyramidion.engines.wordless import Wordless, Zeros, why_wordless
from pyramidion.errors import InputError
from pyramidion.files.parquet import exactly
from pyramidion.files.problems import Problems
from pyramidion.intake.columns import Columns
from pyramidion.intake.looks import IN_MEMORY
from pyramidion.intake.opened import MemoryTable
from pyramidion.measures.base import Measure, Rows
from pyramidion.measures.imported import Imported
from pyramidion.measures.registry import Selection
from pyramidion.scores import ScoreTable
from pyramidion.scores.reading import Facts
from pyramidion.scores.table import Kind
from pyramidion.scores.writing import facts_of
from pyramidion.text.arrow import TextTable


def fits(schema: pl.Schema, columns: Columns, selections: Sequence[Selection]) -> bool:
    """Whether the rows of a file can be scored by columns.

    That is so for ROUGE, ids that are strings or whole numbers, and references in lists or in columns of strings. A
    summary, and a reference in a list, may be a list of its sentences.
    """
    ids = [columns.topic, *([columns.summarizer] if columns.summarizer else [])]
    references = {schema.get(name) for name in columns.references}
    return (
        not columns.systems
        and not columns.integral
        and all(name is not None and _is_of_ids(schema.get(name)) for name in ids)
        and schema.get(columns.summary) in (TEXT, TEXTS)
        and (references == {TEXT} or (references <= {TEXTS, SENTENCES} and len(columns.references) == 1))
        and not any(why_not_rows(one.measure) for one in selections)
    )


def _is_of_ids(dtype: pl.DataType | None) -> bool:
    return dtype is not None and (dtype == TEXT or dtype.is_integer())


def needed(columns: Columns, schema: Sequence[str]) -> list[str]:
    """The columns that are read; documents, which can be long, are not among them."""
    names = [columns.topic, columns.summarizer, columns.summary, *columns.references, "simulated"]
    return list(dict.fromkeys(name for name in names if name in schema and name is not None))


def score_columns(
    frame: pl.DataFrame,
    columns: Columns,
    selections: Sequence[Selection],
    seen: Seen,
    *,
    seed: int,
    exclude: Sequence[str],
) -> tuple[pl.DataFrame, Facts, int] | None:
    """The scores of a shard in long form, what is to be known of them, and how many summaries were scored.

    None if the rows of the shard have to be read one by one.
    """
    shard = FlatTable(Path(IN_MEMORY), columns, opened=MemoryTable(frame))
    try:
        batches = list(read_batches([shard], Problems()))
        table = score_batches(batches, selections, seed=seed, exclude=exclude, is_part=True)
    except NeedsRowsError:
        return None
    for batch in batches:
        _remember(batch.frame, seen)
    summaries = sum(batch.frame.filter(_is_scored(exclude)).height for batch in batches)
    return table.to_polars(), facts_of(table), summaries


def _is_scored(exclude: Sequence[str]) -> pl.Expr:
    return pl.col("summary").is_not_null() & ~pl.col("summarizer").is_in(list(exclude))


def _remember(rows: pl.DataFrame, seen: Seen) -> None:
    """Note the digests by which the rows are compared with those of other shards."""
    for number, key in enumerate(rows.select("topic", "summarizer").rows()):
        seen.keys[digest_of(key)] = number
    first = rows.unique("topic", keep="first", maintain_order=True)
    for topic, references in first.select("topic", "references").iter_rows():
        seen.topics[topic] = (0, digest_of((references, ())))


def can_score_batches(selections: Sequence[Selection]) -> bool:
    """Whether measures can be computed from columns: ROUGE, and scores that came with the summaries."""
    return all(isinstance(one.measure, Imported) or not why_not_rows(one.measure) for one in selections)


def score_batches(
    batches: Iterable[SummaryBatch],
    selections: Sequence[Selection],
    *,
    seed: int,
    exclude: Sequence[str] = (),
    keep_counts: bool = False,
    progress: Progress | None = None,
    is_part: bool = False,
) -> ScoreTable:
    """Score summaries that are columns; the scores come topic by topic, as those of a campaign do.

    Args:
        batches: all rows of one campaign.
        selections: what is scored, such that `can_score_batches`.
        seed: is part of signatures.
        exclude: summarizers that are left out.
        keep_counts: whether to keep the counts of overlap measures, for micro averages.
        progress: called with the number of summaries done since the last call.
        is_part: whether the rows are a part of a longer run: notes then have no counts.

    Raises:
        NeedsRowsError: if the kernels refuse a text; the message names it where rows are scored one by one.
    """
    wanted = wanted_of(selections)
    measures = [measure for measure in wanted if not isinstance(measure, Imported)]
    parts: list[_ScoredBatch] = []
    for batch in batches:
        part = _score_batch(batch, measures, exclude, keep_counts=keep_counts)
        parts.append(part)
        if progress:
            progress(part.keys.height)
    scored = _ScoredBatch.join(parts)
    builder = Found(
        wanted,
        seed,
        keep_counts,
        topics=len(scored.topics),
        peers=scored.keys.height,
        excluded=scored.excluded,
        kinds=scored.kinds,
        zeros=Zeros(are_counted=not is_part),
    )
    order = _order_by_topic(scored.keys["topic"])
    keys = (scored.keys if order is None else scored.keys[order]).cast(pl.Categorical)
    simulated = join_marks(scored.simulated)
    for measure in wanted:
        rows = scored.imported() if isinstance(measure, Imported) else scored.rows_of(measure)
        builder.add(measure, rows if order is None else _in_order(rows, order), keys, simulated, scored.wordless)
    if not is_part:
        refuse_absent(exclude, builder)
    return builder.table()


def _order_by_topic(topics: pl.Series) -> pl.Series | None:
    """The rows of each topic together, in the order in which topics first occur; None if they are so already."""
    numbered = pl.DataFrame({"row": pl.int_range(len(topics), eager=True), "topic": topics})
    numbered = numbered.with_columns(first=pl.col("row").min().over("topic"))
    if numbered["first"].is_sorted():
        return None
    return numbered.sort("first", maintain_order=True)["row"]


def _in_order(rows: Rows, order: pl.Series) -> Rows:
    places = order.to_numpy()
    counts = None if rows.counts is None else rows.counts[places]
    return replace(
        rows, topics=rows.topics[places], models=rows.models[places], values=rows.values[places], counts=counts
    )


@dataclass(eq=False)
class _ScoredBatch:
    """The scores of some rows, and what is to be known of them."""

    keys: pl.DataFrame
    """Topic and summarizer of each summary."""
    scores: dict[Measure, RowScores]
    score_columns: pl.DataFrame
    """Scores that came with the summaries."""
    topics: dict[str, None]
    """All topics, also those without a summary."""
    kinds: dict[str, Kind]
    simulated: list[str]
    wordless: Wordless
    excluded: set[str]

    @classmethod
    def join(cls, parts: Sequence[_ScoredBatch]) -> _ScoredBatch:
        """All parts in one."""
        if len(parts) == 1:
            return parts[0]
        measures = list(parts[0].scores) if parts else []
        references = {name: kind for part in parts for name, kind in part.kinds.items() if kind == "human"}
        peers = {name: kind for part in parts for name, kind in part.kinds.items() if kind != "human"}
        return cls(
            keys=pl.concat([_NO_KEYS, *(part.keys for part in parts)]),
            scores={measure: _join_scores([part.scores[measure] for part in parts]) for measure in measures},
            score_columns=pl.concat([part.score_columns for part in parts], how="diagonal")
            if parts
            else pl.DataFrame(),
            topics={topic: None for part in parts for topic in part.topics},
            kinds=references | peers,
            simulated=[mark for part in parts for mark in part.simulated],
            wordless={key: why for part in parts for key, why in part.wordless.items()},
            excluded={name for part in parts for name in part.excluded},
        )

    def rows_of(self, measure: Measure) -> Rows:
        """The scores of a measure; no rows if nothing was scored."""
        scores = self.scores.get(measure)
        if scores is None:
            none = np.zeros((0, len(measure.statistics or ())))
            return Rows(np.arange(0), (), np.zeros(0, dtype=np.int64), measure.statistics or (), none)
        return Rows(np.arange(len(scores.values)), (), scores.models, scores.statistics, scores.values, scores.counts)

    def imported(self) -> Rows:
        """The scores that came with the summaries; NaN where there is none."""
        columns = tuple(self.score_columns.columns)
        values = self.score_columns.fill_null(np.nan).to_numpy() if columns else np.zeros((self.keys.height, 0))
        models = np.zeros(self.keys.height, dtype=np.int64)
        return Rows(np.arange(self.keys.height), (), models, columns, values)


_NO_KEYS = pl.DataFrame(schema={"topic": TEXT, "summarizer": TEXT})


def _join_scores(parts: Sequence[RowScores]) -> RowScores:
    counts = [part.counts for part in parts if part.counts is not None]
    return RowScores(
        parts[0].statistics,
        np.concatenate([part.values for part in parts]),
        np.concatenate(counts) if len(counts) == len(parts) else None,
        np.concatenate([part.models for part in parts]),
    )


def _score_batch(
    batch: SummaryBatch, measures: Sequence[Measure], exclude: Sequence[str], *, keep_counts: bool
) -> _ScoredBatch:
    frame = batch.frame
    summarizers = frame["summarizer"].unique(maintain_order=True)
    rows = frame.filter(pl.col("summary").is_not_null()) if frame["summary"].null_count() else frame
    excluded = {name for name in rows["summarizer"].unique() if name in exclude}
    if excluded:
        rows = rows.filter(~pl.col("summarizer").is_in(list(excluded)))
    try:
        scores = score_rows(TextTable(rows.select("summary", "references")), measures) if measures else {}
    except InputError:  # rows name the texts that were refused
        raise NeedsRowsError from None
    if not keep_counts:
        scores = {measure: replace(one, counts=None) for measure, one in scores.items()}
    return _ScoredBatch(
        keys=rows.select("topic", "summarizer"),
        scores=scores,
        score_columns=rows.select(exactly(*batch.score_columns)) if batch.score_columns else pl.DataFrame(),
        topics=dict.fromkeys(frame["topic"].unique(maintain_order=True)),
        kinds=_kinds(frame, summarizers),
        simulated=frame["simulated"].unique(maintain_order=True).to_list(),
        wordless=_wordless(rows),
        excluded=excluded,
    )


def _kinds(frame: pl.DataFrame, summarizers: Iterable[str]) -> dict[str, Kind]:
    """Who wrote the texts: references are by humans, as far as is known."""
    longest = frame["references"].list.len().max()
    references = range(1, int(str(longest or 0)) + 1)
    kinds: dict[str, Kind] = {f"ref{number}": "human" for number in references}
    return kinds | dict.fromkeys(summarizers, "participant")


def _wordless(rows: pl.DataFrame) -> Wordless:
    """The summaries without words; only those without a letter of a–z are looked at one by one."""
    texts = pl.col("summary") if rows.schema["summary"] == TEXT else pl.col("summary").list.join("\n")
    odd = rows.select("topic", "summarizer", text=texts).filter(~pl.col("text").str.contains("[A-Za-z0-9]"))
    reasons = {(topic, summarizer): why_wordless(text) for topic, summarizer, text in odd.iter_rows()}
    return {key: why for key, why in reasons.items() if why}
