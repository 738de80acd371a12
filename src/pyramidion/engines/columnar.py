"""Shards of Parquet whose texts never become Python objects: the kernels read the columns of the file where they lie.

Only rows that need no second look go this way. A shard with anything odd in it (a missing id, a key twice, references
that differ within a topic) is read row by row, where errors have words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import polars as pl

from pyramidion.arrow import score_rows, why_not_rows
from pyramidion.campaign.flat.reading import Seen, digest_of
from pyramidion.engines.local import Found, wanted_of
from pyramidion.engines.wordless import Wordless, Zeros, why_wordless
from pyramidion.files.parquet import exactly
from pyramidion.intake.columns import Columns
from pyramidion.intake.roles import LONGEST_ID
from pyramidion.measures.base import Rows
from pyramidion.measures.registry import Selection
from pyramidion.scores.reading import Facts
from pyramidion.scores.table import Kind
from pyramidion.scores.writing import facts_of
from pyramidion.text.arrow import TextTable

TEXT = pl.String
TEXTS = pl.List(pl.String)
"""Several texts, or the sentences of one."""
_REFERENCE = re.compile(r"ref[1-9][0-9]*")


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
        and (references == {TEXT} or (references <= {TEXTS, pl.List(TEXTS)} and len(columns.references) == 1))
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
    """The scores of the rows in long form, what is to be known of them, and how many summaries were scored.

    None if some row needs a second look.
    """
    if any(_may_hold_a_list(frame[name]) for name in columns.references):
        return None
    single = frame[columns.references[0]].dtype == TEXT
    rows = frame.select(
        topic=exactly(columns.topic or "").cast(TEXT),
        summarizer=exactly(columns.summarizer).cast(TEXT) if columns.summarizer else pl.lit(columns.named),
        summary=exactly(columns.summary),
        references=pl.concat_list(exactly(*columns.references)) if single else exactly(*columns.references),
        simulated=pl.col("simulated") if "simulated" in frame.columns else pl.lit(""),
    )
    if not _is_plain(rows):
        return None
    _remember(rows, seen)
    topics = rows["topic"].n_unique()
    rows = rows.filter(pl.col("summary").is_not_null() & ~pl.col("summarizer").is_in(list(exclude)))
    zeros = Zeros(are_counted=False)
    found = Found(wanted_of(selections), seed, topics=topics, peers=rows.height, kinds=_kinds(rows), zeros=zeros)
    wordless = _wordless(rows)
    marks = ", ".join(rows["simulated"].drop_nulls().unique(maintain_order=True))
    scored = score_rows(TextTable(rows.select("summary", "references")), list(found.wanted))
    keys = rows.select("topic", "summarizer")
    for measure, one in scored.items():
        of_rows = Rows(np.arange(rows.height), rows["summarizer"].to_list(), one.models, one.statistics, one.values)
        found.add(measure, of_rows, keys, marks, wordless)
    table = found.table()
    return table.frame, facts_of(table), rows.height


def _wordless(rows: pl.DataFrame) -> Wordless:
    """The summaries without words; only those without a letter of a–z are looked at one by one."""
    texts = pl.col("summary") if rows.schema["summary"] == TEXT else pl.col("summary").list.join("\n")
    odd = rows.select("topic", "summarizer", text=texts).filter(~pl.col("text").str.contains("[A-Za-z0-9]"))
    found = {(topic, who): why_wordless(text) for topic, who, text in odd.iter_rows()}
    return {key: why for key, why in found.items() if why}


def _may_hold_a_list(references: pl.Series) -> bool:
    """Whether a column of strings has a cell with a list of them, written out."""
    return references.dtype == TEXT and bool(references.str.starts_with("[").any())


def _is_plain(rows: pl.DataFrame) -> bool:
    """Whether nothing is wrong with any row."""
    ids = rows.select(pl.col("topic", "summarizer"))
    if rows["references"].null_count() or ids.null_count().sum_horizontal().item():
        return False
    odd = rows.select(
        empty=(pl.col("topic") == "").any() | (pl.col("summarizer") == "").any(),
        long=pl.max_horizontal(pl.col("topic", "summarizer").str.len_chars().max()) > LONGEST_ID,
        **{name: _holds_null(pl.col(name), rows.schema[name]).any() for name in ("summary", "references")},
    )
    if any(odd.row(0)) or ids.is_duplicated().any():
        return False
    if any(_REFERENCE.fullmatch(who) for who in rows["summarizer"].unique()):
        return False
    texts = rows.select("topic", texts=pl.col("references").hash()).unique()
    return texts.height == rows["topic"].n_unique()


def _holds_null(values: pl.Expr, dtype: pl.DataType) -> pl.Expr:
    """Whether a list holds a null, or a list that holds one; whether it is null itself does not matter."""
    if not isinstance(dtype, pl.List):
        return pl.lit(value=False)
    within = _holds_null(pl.element(), dtype.inner)  # type: ignore[arg-type]
    return values.list.eval((pl.element().is_null() | within).any()).list.any()


def _remember(rows: pl.DataFrame, seen: Seen) -> None:
    """Note the digests by which the rows are compared with those of other shards."""
    for number, key in enumerate(rows.select("topic", "summarizer").rows()):
        seen.keys[digest_of(key)] = number
    first = rows.unique("topic", keep="first", maintain_order=True)
    for topic, references in first.select("topic", "references").iter_rows():
        seen.topics[topic] = (0, digest_of((references, ())))


def _kinds(rows: pl.DataFrame) -> dict[str, Kind]:
    """Who wrote the texts: references are by humans, as far as is known."""
    longest = rows.select(pl.col("references").list.len().max()).item() or 0
    found: dict[str, Kind] = {f"ref{number}": "human" for number in range(1, longest + 1)}
    return found | dict.fromkeys(rows["summarizer"].unique(maintain_order=True), "participant")
