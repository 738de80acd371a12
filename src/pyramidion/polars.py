"""ROUGE as an expression of Polars: `pl.col("summary").pyramidion.rouge(pl.col("references"), "rouge2")`.

Importing this module adds the namespace. The expression is a plugin in pyramidion's own library, so that it runs eager,
lazy and streaming, in Polars' threads. Where Polars can't use the plugin, or the measure needs more than sums and
ratios (ROUGE-W, rounding, jackknife), the same values come through `map_batches`.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any, Final

import polars as pl
from polars.plugins import register_plugin_function

from pyramidion.arrow import score_text_columns, why_not_columns
from pyramidion.errors import UsageError
from pyramidion.measures import Measure, Rouge, Selection, select
from pyramidion.measures.rouge_score import RougeScore
from pyramidion.text import _native
from pyramidion.text.overlap import MAX_CELLS, TextTable, rouge_score_kinds
from pyramidion.text.tokens import stems_name
from pyramidion.text.word_lists import word_lists

__all__ = ["RougeNamespace", "plugin_works"]

KNOWN_MAJOR_VERSIONS: Final = (1, 2)
"""Versions of Polars whose plugin interface is the one that the library has."""


@pl.api.register_expr_namespace("pyramidion")
class RougeNamespace:
    """What `pl.col("summary").pyramidion` offers."""

    def __init__(self, summaries: pl.Expr) -> None:
        self._summaries = summaries

    def rouge(self, references: pl.Expr | str, measure: str | Measure | Selection = "rouge-2.f") -> pl.Expr:
        """The ROUGE score of each summary against the references in its row.

        Args:
            references: a column of strings, or of lists of strings.
            measure: one value, such as "rouge-2.recall", "rouge-su4.f" or "rouge2"; those of `score_batch`.

        Returns:
            Numbers under the name of the column of summaries; null where a row has no summary or no reference.
        """
        selection = select(measure)
        if problem := why_not_columns(selection.measure):
            raise UsageError(f"{selection.name}: {problem}; use pyramidion.score")
        statistic = selection.statistic
        if statistic is None:
            raise UsageError(f"{selection.name} has several values; name the one you mean, such as {selection.name}.f")
        columns = [self._summaries, pl.col(references) if isinstance(references, str) else references]
        work = _work(selection.measure, statistic)
        if work is not None and plugin_works():
            return _plugin(columns, work)
        return _mapped(columns, selection.measure, statistic)


@functools.cache
def plugin_works() -> bool:
    """Whether this Polars can use the plugin; asked once, by a small frame."""
    # The plugin interface is C: a version of Polars that changed it would crash, not raise an error.
    major = pl.__version__.split(".")[0]
    if not major.isdigit() or int(major) not in KNOWN_MAJOR_VERSIONS:
        return False
    _native.set_plugin_lists(word_lists())
    frame = pl.DataFrame({"summary": ["a b", None], "references": [["b", "c"], ["a"]]})
    work = _work(select("rouge-1").measure, "recall")
    try:
        # Tried for real: a build of Polars without plugins fails only when it runs one.
        found = frame.select(_plugin([pl.col("summary"), pl.col("references")], work or ""))
    except pl.exceptions.PolarsError:
        return False
    return found.to_series().to_list() == [0.5, None]


def _plugin(columns: list[pl.Expr], work: str) -> pl.Expr:
    return register_plugin_function(
        plugin_path=Path(_native.__file__ or ""),
        function_name="rouge",
        args=columns,
        kwargs={"work": work},
        is_elementwise=True,
        use_abs_path=True,
    )


def _mapped(columns: list[pl.Expr], measure: Measure, statistic: str) -> pl.Expr:
    def score(series: Any) -> pl.Series:
        summaries, references = series
        # One thread: Polars calls this from its own threads, as many as there are processors.
        scores = score_text_columns(TextTable((summaries, references)), [measure], threads=1)[measure]
        values = pl.Series(summaries.name, scores.values[:, scores.statistics.index(statistic)])
        # Polars has null for what is missing; NaN would count in means.
        return values.fill_nan(None)

    return pl.map_batches(columns, score, return_dtype=pl.Float64, is_elementwise=True)


def _work(measure: Measure, statistic: str) -> str | None:
    """The measure as the plugin reads it (native/plugin.cpp); None if it can't compute it."""
    if isinstance(measure, RougeScore) and not measure.jackknife:
        family, parameter = rouge_score_kinds([measure.called])[0]
        stems = "nltk" if measure.stem else "none"
        fields = [family, parameter, "rouge_score", stems, 0, 0, 0, 1, 1, 1, MAX_CELLS, 1, 0.5]
    elif isinstance(measure, Rouge) and measure.is_plain and not callable(measure.tokens):
        kind = measure.kind
        limits = [measure.words or 0, measure.bytes or 0, measure.leading_blank_is_word, measure.lcs_forgets_bytes]
        cells = MAX_CELLS if measure.max_cells is None else measure.max_cells
        fields = [kind.family, float(kind.parameter), measure.tokens, stems_name(measure.stem), measure.stop]
        fields += [*limits, measure.su_drops_last_unigram, cells, 0, measure.alpha]
    else:
        return None
    # Polars hands keyword arguments over as a pickle, of which the library reads the simplest kind: one string.
    return ";".join(str(int(field)) if isinstance(field, bool) else str(field) for field in [*fields, statistic])
