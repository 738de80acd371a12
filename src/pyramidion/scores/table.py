"""The score table: (measure, topic, summarizer) → value, with the signature of each value.

It knows no measure: whether high is good comes with the table.
"""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from pyramidion.arrays import Floats, Integers
from pyramidion.errors import InputError, UsageError, did_you_mean
from pyramidion.scores.overlap import OverlapRule

if TYPE_CHECKING:
    import pandas

COLUMNS: Mapping[str, Any] = {
    "measure": pl.Categorical,
    "topic": pl.Categorical,
    "summarizer": pl.Categorical,
    "value": pl.Float64,
    "signature": pl.Categorical,
}
COUNT_COLUMNS: Mapping[str, Any] = {
    "measure": pl.Categorical,
    "topic": pl.Categorical,
    "summarizer": pl.Categorical,
    "hits": pl.Float64,
    "model_count": pl.Float64,
    "peer_count": pl.Float64,
}
KEY = ("measure", "topic", "summarizer")


@dataclass(frozen=True, kw_only=True, eq=False)
class ScoreMatrix:
    """One measure as summarizers × topics; NaN where a summary has no score."""

    measure: str
    summarizers: tuple[str, ...]
    topics: tuple[str, ...]
    values: Floats
    higher_is_better: bool


@dataclass(frozen=True, kw_only=True)
class Mean:
    """The mean of a summarizer over the topics on which it has a score."""

    measure: str
    summarizer: str
    value: float
    n: int
    missing: int


@dataclass(frozen=True, kw_only=True, eq=False)
class ScoreTable:
    """Scores in long form: a row for each (measure, topic, summarizer)."""

    frame: pl.DataFrame
    higher_is_better: Mapping[str, bool] = field(default_factory=dict)
    """By measure; one that is not named is better when high."""
    unscored: Mapping[str, int] = field(default_factory=dict)
    """By measure: how many peers got no value because something that it needs was not there."""
    notes: Mapping[str, str] = field(default_factory=dict)
    """By measure: what must be said wherever its values show, such as "simulated judgments"."""
    names: Mapping[str, str] = field(default_factory=dict)
    """Readable names of summarizers that have one."""
    topic_count: int = 0
    """Topics of the campaign, those without any score included; 0 if only the table is known."""
    counts: pl.DataFrame | None = None
    """Hits, model counts and peer counts of overlap measures (named without statistic), if they were kept."""
    rules: Mapping[str, OverlapRule] = field(default_factory=dict)
    """By measure (without statistic), how counts summed over topics become scores."""

    @classmethod
    def from_columns(
        cls,
        *,
        measure: Sequence[str],
        topic: Sequence[str],
        summarizer: Sequence[str],
        value: Sequence[float],
        signature: Sequence[str] | None = None,
        higher_is_better: Mapping[str, bool] | None = None,
    ) -> ScoreTable:
        """A table from columns of equal length."""
        frame = pl.DataFrame(
            {
                "measure": measure,
                "topic": topic,
                "summarizer": summarizer,
                "value": value,
                "signature": signature if signature is not None else [""] * len(measure),
            },
            schema=COLUMNS,
        )
        table = cls(frame=frame, higher_is_better=higher_is_better or {})
        table.refuse_duplicates()
        return table

    def __len__(self) -> int:
        return self.frame.height

    @cached_property
    def measures(self) -> tuple[str, ...]:
        """Names of the measures, in order of appearance."""
        return self._distinct("measure")

    @cached_property
    def topics(self) -> tuple[str, ...]:
        """Topics, in order of appearance."""
        return self._distinct("topic")

    @cached_property
    def summarizers(self) -> tuple[str, ...]:
        """Summarizers, in order of appearance."""
        return self._distinct("summarizer")

    def _distinct(self, column: str) -> tuple[str, ...]:
        return tuple(self.frame[column].unique(maintain_order=True).cast(pl.String))

    @cached_property
    def topic_total(self) -> int:
        """Number of topics against which missing scores are counted."""
        return max(self.topic_count, self.frame["topic"].n_unique())

    def signatures(self, measure: str) -> tuple[str, ...]:
        """The distinct signatures of a measure's values (the number of models may differ by topic)."""
        rows = self.frame.filter(pl.col("measure") == measure)
        return tuple(rows["signature"].unique(maintain_order=True).cast(pl.String))

    def is_higher_better(self, measure: str) -> bool:
        """Whether a high value is a good one."""
        return self.higher_is_better.get(measure, True)

    def matrix(self, measure: str) -> ScoreMatrix:
        """Summarizers × topics of one measure; rows and columns in order of appearance."""
        rows = self.frame.filter(pl.col("measure") == measure)
        if rows.is_empty():
            raise UsageError(self._no_such(measure))
        summarizers, summarizer_codes = _codes(rows["summarizer"])
        topics, topic_codes = _codes(rows["topic"])
        values = np.full((len(summarizers), len(topics)), np.nan)
        values[summarizer_codes, topic_codes] = rows["value"].to_numpy()
        return ScoreMatrix(
            measure=measure,
            summarizers=summarizers,
            topics=topics,
            values=values,
            higher_is_better=self.is_higher_better(measure),
        )

    def means(self) -> list[Mean]:
        """The mean of every summarizer on every measure; topics of the table without a score count as missing."""
        topics = self.topic_total
        grouped = self.frame.group_by("measure", "summarizer", maintain_order=True).agg(
            pl.col("value").mean(), pl.len().alias("n")
        )
        return [
            Mean(measure=str(measure), summarizer=str(summarizer), value=value, n=n, missing=topics - n)
            for measure, summarizer, value, n in grouped.iter_rows()
        ]

    def join(self, *others: ScoreTable) -> ScoreTable:
        """All tables in one; the same (measure, topic, summarizer) twice is an error."""
        tables = (self, *others)
        counts = [table.counts for table in tables if table.counts is not None]
        unscored: Counter[str] = Counter()
        for table in tables:
            unscored.update(table.unscored)
        joined = ScoreTable(
            frame=pl.concat([table.frame for table in tables]),
            higher_is_better=_merged(table.higher_is_better for table in tables),
            unscored=unscored,
            notes=_merged(table.notes for table in tables),
            names=_merged(table.names for table in tables),
            topic_count=max(table.topic_count for table in tables),
            counts=pl.concat(counts) if counts else None,
            rules=_merged(table.rules for table in tables),
        )
        joined.refuse_duplicates()
        return joined

    def only(self, measures: Iterable[str]) -> ScoreTable:
        """The rows of these measures; one that is not there is a usage error."""
        wanted = list(measures)
        for measure in wanted:
            if measure not in self.measures:
                raise UsageError(self._no_such(measure))
        return replace(
            self,
            frame=self.frame.filter(pl.col("measure").cast(pl.String).is_in(wanted)),
            higher_is_better={name: good for name, good in self.higher_is_better.items() if name in wanted},
            unscored={name: count for name, count in self.unscored.items() if name in wanted},
            notes={name: note for name, note in self.notes.items() if name in wanted},
        )

    def in_order(self, measures: Iterable[str]) -> ScoreTable:
        """The same scores with the measures in this order."""
        place = {name: number for number, name in enumerate(dict.fromkeys(measures))}
        if list(place) == list(self.measures):
            return self
        order = pl.col("measure").cast(pl.String).replace_strict(place, return_dtype=pl.Int64)
        return replace(self, frame=self.frame.sort(order, maintain_order=True))

    def renamed(self, names: Mapping[str, str]) -> ScoreTable:
        """The same scores under other names of measures."""

        def keys(facts: Mapping[str, Any]) -> dict[str, Any]:
            return {names.get(name, name): fact for name, fact in facts.items()}

        measure = pl.col("measure").cast(pl.String).replace(names).cast(pl.Categorical)
        return replace(
            self,
            frame=self.frame.with_columns(measure),
            higher_is_better=keys(self.higher_is_better),
            unscored=keys(self.unscored),
            notes=keys(self.notes),
        )

    def _no_such(self, measure: str) -> str:
        hint = did_you_mean(measure, self.measures)
        return f"the score table has no measure {measure!r}{hint} it has: {', '.join(self.measures) or 'none'}"

    def refuse_duplicates(self) -> None:
        """Raise if a (measure, topic, summarizer) occurs twice."""
        repeated = self.frame.filter(self.frame.select(KEY).is_duplicated())
        if not repeated.is_empty():
            key = ", ".join(f"{name} {value!r}" for name, value in zip(KEY, repeated.row(0), strict=False))
            raise InputError(
                f"found {repeated.height} rows whose key occurs more than once, first {key}; expected each "
                "(measure, topic, summarizer) once. Remove the repeated rows."
            )

    def to_polars(self) -> pl.DataFrame:
        """A plain frame with string columns."""
        return self.frame.with_columns(pl.col(pl.Categorical).cast(pl.String))

    def to_pandas(self) -> pandas.DataFrame:
        """A pandas frame (pandas must be installed)."""
        try:
            import pandas
        except ImportError:
            raise UsageError("to_pandas() needs pandas: pip install pandas") from None
        return pandas.DataFrame(self.to_polars().to_dict(as_series=False))

    def _repr_html_(self) -> str:
        """What a notebook shows: the means, summarizers × measures."""
        means = {(mean.summarizer, mean.measure): mean for mean in self.means()}
        head = "".join(f"<th>{html.escape(measure)}</th>" for measure in self.measures)
        lines = []
        for summarizer in self.summarizers:
            cells = [means.get((summarizer, measure)) for measure in self.measures]
            shown = "".join(f"<td>{cell.value:.4f}</td>" if cell else "<td>–</td>" for cell in cells)
            lines.append(f"<tr><th>{html.escape(summarizer)}</th>{shown}</tr>")
        noted = "".join(f"; {html.escape(name)}: {html.escape(note)}" for name, note in self.notes.items())
        caption = f"means over up to {len(self.topics)} topics; {len(self)} scores{noted}"
        return (
            f"<table><caption>{caption}</caption><thead><tr><th>summarizer</th>{head}</tr></thead>"
            f"<tbody>{''.join(lines)}</tbody></table>"
        )


def _codes(column: pl.Series) -> tuple[tuple[str, ...], Integers]:
    names = tuple(column.unique(maintain_order=True).cast(pl.String))
    index = {name: position for position, name in enumerate(names)}
    return names, np.fromiter((index[name] for name in column.cast(pl.String)), dtype=np.int64, count=len(column))


def _merged(mappings: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    merged: dict[str, Any] = {}
    for mapping in mappings:
        merged.update(mapping)
    return merged
