"""Scores of Arrow data: batches of summaries with their references in, columns of scores out.

`score_batch` is the one function for Polars, pyarrow, DuckDB, Spark's `mapInArrow`, Ray Data and Daft. The kernels read
the strings where Arrow has them; no text becomes a Python object. Campaigns, whose topics share references and
judgments, are scored by `pyramidion.score`.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar, cast

import numpy as np

from pyramidion.engines.local import ColumnScores, require_column_measures, score_text_columns, why_not_columns
from pyramidion.errors import UsageError
from pyramidion.measures.base import Measure
from pyramidion.measures.registry import Selection, select_all
from pyramidion.text.overlap import ArrowNumbers, TextTable

if TYPE_CHECKING:
    pass

__all__ = ["ArrowData", "ColumnScores", "score_batch", "score_text_columns", "why_not_columns"]

DEFAULT_COLUMNS: Final[Mapping[str, str]] = {"summary": "summary", "references": "references"}


class ArrowStream(Protocol):
    """A table or column of Arrow data in chunks."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """A capsule of Arrow's C stream interface."""


class ArrowArray(Protocol):
    """A batch or column of Arrow data in one piece."""

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]:
        """Capsules of Arrow's C data interface."""


ArrowData = ArrowStream | ArrowArray
Batch = TypeVar("Batch", bound=ArrowData)


def score_batch(
    batch: Batch,
    measures: str | Measure | Sequence[str | Measure | Selection],
    *,
    columns: Mapping[str, str] | None = None,
    threads: int | None = None,
) -> Batch:
    """Score a batch of summaries, each against the references in its row.

    Args:
        batch: Arrow data with a column `summary` (strings, or lists of sentences) and a column `references` (strings,
            lists of strings, or lists of lists of sentences).
        measures: one or several names such as "rouge-2.recall" or "rougeLsum", or measures; of ROUGE only. The names
            become columns.
        columns: other names of the two columns, such as `{"summary": "prediction", "references": "target"}`.
        threads: how many threads share the work; by default as many as there are processors. Give 1 where the
            program that calls this runs several batches at once.

    Returns:
        The batch with a column for each value, null where a row has no summary or no reference: a Polars frame or
        pyarrow batch or table if that is what was given; otherwise an object with `__arrow_c_array__` that holds the
        columns of scores alone.

    >>> import polars as pl
    >>> frame = pl.DataFrame({"summary": ["the cat sat"], "references": [["the cat sat down"]]})
    >>> score_batch(frame, ["rouge1"])["rouge1.f"].to_list()
    [0.8571428571428571]
    """
    named = {**DEFAULT_COLUMNS, **(columns or {})}
    if unknown := set(named) - set(DEFAULT_COLUMNS):
        raise UsageError(f"columns={sorted(unknown)[0]}: expected summary or references")
    # A tuple, because Spark and Ray call this once for each batch, and the cache needs something hashable.
    columns_asked = _columns((measures,) if isinstance(measures, str | Measure) else tuple(measures))
    if not columns_asked:
        raise UsageError("no measures: name at least one, such as rouge-2")
    texts = TextTable(batch, **named)
    scores = score_text_columns(
        texts, list(dict.fromkeys(measure for measure, _ in columns_asked.values())), threads=threads
    )
    matrix = np.empty((len(columns_asked), len(texts)))
    for column, (measure, statistic) in zip(matrix, columns_asked.values(), strict=True):
        column[:] = scores[measure].values[:, statistic]
    return _joined(batch, ArrowNumbers(list(columns_asked), matrix))


@functools.lru_cache(maxsize=64)
def _columns(measures: tuple[str | Measure | Selection, ...]) -> dict[str, tuple[Measure, int]]:
    """The measure and the number of its statistic, by the name of the column; batches come with the same ones again."""
    selections = select_all(measures)
    require_column_measures([selection.measure for selection in selections])
    return {
        selection.measure.name(statistic): (selection.measure, number)
        for selection in selections
        for number, statistic in enumerate(selection.measure.statistics or ())
        if selection.statistic in (None, statistic)
    }


def _joined(batch: Batch, scores: ArrowNumbers) -> Batch:
    """The batch with the scores as further columns, in the library that the batch is from."""
    # By name: neither library is imported for this; whoever has a batch of it has imported it.
    package = type(batch).__module__.split(".")[0]
    frame: Any = batch
    if package == "polars":
        pl: Any = sys.modules["polars"]
        made = pl.DataFrame(scores).get_columns()
        # Side by side without a query, which takes longer; only that replaces columns of the same name.
        names_are_new = isinstance(frame, pl.DataFrame) and not {column.name for column in made} & set(frame.columns)
        return cast("Batch", frame.hstack(made) if names_are_new else frame.with_columns(made))
    if package == "pyarrow":
        pa: Any = sys.modules["pyarrow"]
        batch_of_scores = pa.record_batch(scores)
        if isinstance(batch, pa.RecordBatch | pa.Table):
            for name, column in zip(batch_of_scores.schema.names, batch_of_scores.columns, strict=True):
                frame = frame.append_column(name, column)
            return cast("Batch", frame)
    return cast("Batch", scores)
