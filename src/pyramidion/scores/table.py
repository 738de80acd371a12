"""The score table: (measure, topic, summarizer) → value, with the signature of each value.

It knows no measure: whether higher is better comes with the table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice, starmap
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
import polars as pl

from pyramidion.arrays import Floats, Integers
from pyramidion.errors import InputError, UsageError, did_you_mean
from pyramidion.files.opening import repair_value
from pyramidion.scores.overlap import OverlapRule
from pyramidion.show.tables import Column, Table, data_frame
from pyramidion.show.wording import counted, together

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
RUN_COLUMNS: Mapping[str, Any] = {
    "measure": pl.String,
    "topic": pl.String,
    "summarizer": pl.String,
    "run": pl.String,
    "value": pl.Float64,
}
JUDGES_PART = "|judges:"
"""What comes before the judges in a signature."""
EXTREME = 1e150
"""Sizes above it, and below one over it, have squares that a computer can't hold."""
_SHOWN_MEASURES = 6
ROWS_AT_ONCE = 1 << 16
"""Rows that are in memory as Python has them."""
KEY = ("measure", "topic", "summarizer")
RUN = "run"
"""The column of runs: a system with several outputs for a topic, or a judge that was asked several times."""
OF_MEASURES = ("higher_is_better", "unscored", "notes", "notes_on_all", "notes_on_each")
FACTS = (*OF_MEASURES, "names", "kinds", "topic_count")
"""What a table knows that no column holds: by measure, and by summarizer or as a whole."""
Kind = Literal["human", "baseline", "participant"]
"""What a summarizer is; a participant is a system under evaluation."""


class Score(NamedTuple):
    """One value, with what the table knows about it."""

    measure: str
    topic: str
    summarizer: str
    value: float
    signature: str = ""
    higher_is_better: bool | None = True
    note: str = ""


@dataclass(frozen=True, kw_only=True, eq=False)
class ScoreMatrix:
    """One measure as summarizers × topics; NaN where a summary has no score."""

    measure: str
    summarizers: tuple[str, ...]
    topics: tuple[str, ...]
    values: Floats
    higher_is_better: bool
    is_descriptive: bool = False
    """Whether neither high nor low values are better; then `higher_is_better` only gives the order."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class ScoreTable:
    """Scores in long form: a row for each (measure, topic, summarizer)."""

    frame: pl.DataFrame = field(default_factory=lambda: pl.DataFrame(schema=COLUMNS))
    higher_is_better: Mapping[str, bool | None] = field(default_factory=dict)
    """By measure; if a measure is not named, higher is better. None: it describes, neither high nor low is better."""
    unscored: Mapping[str, int] = field(default_factory=dict)
    """By measure: how many peers got no value because something that the measure needs is missing."""
    notes: Mapping[str, str] = field(default_factory=dict)
    """By measure: what a reader of its values must know, such as "simulated judgments"."""
    notes_on_all: Mapping[str, str] = field(default_factory=dict)
    """By measure whose note counts what summarizers have (runs, empty summaries): the note without that."""
    notes_on_each: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """By measure and summarizer: what that note says of this summarizer alone."""
    names: Mapping[str, str] = field(default_factory=dict)
    """Readable names of summarizers that have one."""
    kinds: Mapping[str, Kind] = field(default_factory=dict)
    """Of summarizers, where it is known."""
    topic_count: int = 0
    """Topics of the campaign, including those without any score; 0 if only the table is known."""
    unnamed: str = ""
    """The summarizer, if the file of the table does not say whose the scores are: the name of the file."""
    counts: pl.DataFrame | None = None
    """Hits, model counts and peer counts of overlap measures (named without statistic), if they were kept."""
    run_scores: pl.DataFrame | None = None
    """The score of each run, where values are means of several; it may have rows of others than the table."""
    reasons: pl.DataFrame | None = None
    """Why scores are what they are: measure ("" for all of the summary), topic, summarizer and reason."""
    rules: Mapping[str, OverlapRule] = field(default_factory=dict)
    """By measure (without statistic), how counts summed over topics become scores."""

    @classmethod
    def of(cls, scores: Iterable[Score]) -> ScoreTable:
        """A table from its rows."""
        directions: dict[str, bool | None] = {}
        notes: dict[str, str] = {}
        # The empty frame gives pl.concat its columns where there are no scores at all.
        frames = [pl.DataFrame(schema=COLUMNS)]
        remaining = iter(scores)
        while rows := list(islice(remaining, ROWS_AT_ONCE)):
            for row in rows:
                if directions.setdefault(row.measure, row.higher_is_better) != row.higher_is_better:
                    name = repr(row.measure)
                    raise UsageError(f"found both directions of the measure {name}; expected one for all values")
                if row.note:
                    notes[row.measure] = row.note
            frames.append(_frame_of([row[: len(COLUMNS)] for row in rows]))
        return cls(
            frame=pl.concat(frames),
            # Only exceptions are kept: an absent measure means that higher is better.
            higher_is_better={measure: higher for measure, higher in directions.items() if not higher},
            notes=notes,
        )

    @classmethod
    def from_columns(
        cls,
        *,
        measure: Sequence[str],
        topic: Sequence[str],
        summarizer: Sequence[str],
        value: Sequence[float],
        signature: Sequence[str] | None = None,
        higher_is_better: Mapping[str, bool | None] | None = None,
    ) -> ScoreTable:
        """A table from columns of equal length."""
        signatures = [""] * len(measure) if signature is None else signature
        table = cls.of(starmap(Score, zip(measure, topic, summarizer, value, signatures, strict=True)))
        table.require_unique_keys()
        return replace(table, higher_is_better=higher_is_better or {})

    def __len__(self) -> int:
        return self.frame.height

    def __repr__(self) -> str:
        shown = ", ".join(self.measures[:_SHOWN_MEASURES]) + (", …" if len(self.measures) > _SHOWN_MEASURES else "")
        return f"<ScoreTable: {counted(len(self), 'score')} ({shown})>" if len(self) else "<ScoreTable: empty>"

    def __str__(self) -> str:
        return f"{self!r}\n{self.frame.drop('signature')}" if len(self) else repr(self)

    def __iter__(self) -> Iterator[Score]:
        facts = {name: (self.higher_is_better.get(name, True), self.notes.get(name, "")) for name in self.measures}
        for measure, topic, summarizer, value, signature in self.frame.iter_rows():
            yield Score(measure, topic, summarizer, value, signature, *facts[measure])

    def __eq__(self, other: object) -> bool:
        """Whether all that a file can hold is the same; counts are not compared."""
        if not isinstance(other, ScoreTable):
            return NotImplemented
        same = all(getattr(self, fact) == getattr(other, fact) for fact in FACTS)
        return same and self.to_polars().equals(other.to_polars())

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

    @cached_property
    def names_judges(self) -> bool:
        """Whether a signature names a judge: a program that rated like a person."""
        signatures = self.frame["signature"].unique().cast(pl.String)
        return bool(signatures.str.contains(JUDGES_PART, literal=True).any())

    def is_higher_better(self, measure: str) -> bool:
        """Whether higher values of the measure are better; also True if neither are: the highest then come first."""
        return self.higher_is_better.get(measure, True) is not False

    def is_descriptive(self, measure: str) -> bool:
        """Whether the measure only describes summaries: neither high nor low values are better."""
        return self.higher_is_better.get(measure, True) is None

    def matrix(self, measure: str) -> ScoreMatrix:
        """Summarizers × topics of one measure; rows and columns in order of appearance."""
        summarizers, topics, values = grid(self.only([measure]).frame, [measure])
        return ScoreMatrix(
            measure=measure,
            summarizers=summarizers,
            topics=topics,
            values=values[0],
            higher_is_better=self.is_higher_better(measure),
            is_descriptive=self.is_descriptive(measure),
        )

    def note_on(self, measure: str, summarizers: Iterable[str]) -> str:
        """What must be known of the values of these summarizers; others do not matter."""
        note = self.notes_on_all.get(measure, self.notes.get(measure, ""))
        each = self.notes_on_each.get(measure, {})
        return together(note, *(each.get(summarizer, "") for summarizer in summarizers))

    def by_run(self) -> pl.DataFrame:
        """A row for each run of each score, with a column `run`; the rows of the table if it has no runs.

        A score that is no mean of several runs has no run: null.
        """
        runs = self._runs_of(self.frame)
        if runs is None or runs.is_empty():
            return self.frame
        columns = [*KEY, RUN, "value", "signature"]
        numbered = self.frame.with_row_index("place")
        keys = [pl.col(name).cast(pl.String) for name in KEY]
        repeated = numbered.select("place", *keys, "signature").join(runs, on=KEY, how="inner", maintain_order="left")
        single = numbered.filter(~pl.col("place").is_in(repeated["place"].implode()))
        rows = [
            repeated.select("place", *columns),
            single.with_columns(keys).select("place", *columns[:3], pl.lit(None, pl.String).alias(RUN), *columns[4:]),
        ]
        together = pl.concat(rows, how="vertical_relaxed").sort("place", maintain_order=True)
        together = together.with_columns(pl.col(RUN).replace("", None))  # an empty cell of a file
        return together.select(*(pl.col(name).cast(pl.Categorical) for name in KEY), *columns[3:])

    def _runs_of(self, frame: pl.DataFrame) -> pl.DataFrame | None:
        """The scores of runs behind the rows of a frame."""
        if self.run_scores is None:
            return None
        keys = frame.select(pl.col(name).cast(pl.String) for name in KEY)
        return self.run_scores.join(keys, on=KEY, how="semi", maintain_order="left")

    def _with_frame(self, frame: pl.DataFrame) -> ScoreTable:
        """The table with a part of its rows, and of the runs behind them."""
        return replace(self, frame=frame, run_scores=self._runs_of(frame))

    def means(self) -> pl.DataFrame:
        """The mean of every summarizer on every measure; topics of the table without a score count as missing."""
        grouped = self.to_polars().group_by("measure", "summarizer", maintain_order=True)
        means = grouped.agg(pl.col("value").mean(), pl.len().cast(pl.Int64).alias("n"))
        return means.with_columns(missing=self.topic_total - pl.col("n"))

    def join(self, *tables: ScoreTable) -> ScoreTable:
        """All tables in one; the same (measure, topic, summarizer) twice is an error."""
        tables = (self, *tables)
        counts = [table.counts for table in tables if table.counts is not None]
        run_scores = [table.run_scores for table in tables if table.run_scores is not None]
        reasons = [table.reasons for table in tables if table.reasons is not None]
        unscored: Counter[str] = Counter()
        for table in tables:
            unscored.update(table.unscored)
        facts: dict[str, Any] = {
            fact: {key: value for table in tables for key, value in getattr(table, fact).items()}
            for fact in ("higher_is_better", "notes", "notes_on_all", "notes_on_each", "names", "kinds", "rules")
        }
        joined = ScoreTable(
            frame=pl.concat([table.frame for table in tables]),
            unscored=unscored,
            # Tables of one campaign: each knows how many topics there are, or says 0.
            topic_count=max(table.topic_count for table in tables),
            counts=pl.concat(counts) if counts else None,
            run_scores=pl.concat(run_scores) if run_scores else None,
            reasons=pl.concat(reasons) if reasons else None,
            **facts,
        )
        joined.require_unique_keys()
        return joined

    def only(self, measures: Iterable[str]) -> ScoreTable:
        """The rows of these measures; a measure that the table does not have is a usage error."""
        chosen = list(measures)
        for measure in chosen:
            if measure not in self.measures:
                raise UsageError(self._no_such(measure))
        frame = self.frame.filter(pl.col("measure").cast(pl.String).is_in(chosen))
        return self._with_frame(frame)._with_measures(frame, {measure: measure for measure in chosen})

    def renamed(self, names: Mapping[str, str]) -> ScoreTable:
        """The same scores with other names of measures."""
        measure = pl.col("measure").cast(pl.String).replace(names).cast(pl.Categorical)
        described = {name for fact in OF_MEASURES for name in getattr(self, fact)}
        new_names = {name: name for name in described} | dict(names)
        renamed = self._with_measures(self.frame.with_columns(measure), new_names)
        return replace(
            renamed,
            run_scores=_replace_names(self.run_scores, "measure", names),
            reasons=_replace_names(self.reasons, "measure", names),
        )

    def rename_ids(self, key: str, names: Mapping[str, str]) -> ScoreTable:
        """The same scores with other names of topics or summarizers."""
        column = pl.col(key).cast(pl.String).replace(names).cast(pl.Categorical)
        run_scores = _replace_names(self.run_scores, key, names)
        reasons = _replace_names(self.reasons, key, names)
        return replace(self, frame=self.frame.with_columns(column), run_scores=run_scores, reasons=reasons)

    def _with_measures(self, frame: pl.DataFrame, names: Mapping[str, str]) -> ScoreTable:
        """The table with these rows, and with what it knows about the measures that have a name, by that name."""
        facts: dict[str, Any] = {
            fact: {names[name]: value for name, value in getattr(self, fact).items() if name in names}
            for fact in OF_MEASURES
        }
        return replace(self, frame=frame, **facts)

    def in_order(self, measures: Iterable[str]) -> ScoreTable:
        """The same scores with the measures in this order."""
        place = {name: number for number, name in enumerate(dict.fromkeys(measures))}
        if list(place) == list(self.measures):
            return self
        order = pl.col("measure").cast(pl.String).replace_strict(place, return_dtype=pl.Int64)
        return replace(self, frame=self.frame.sort(order, maintain_order=True))

    def of_topics(self, topics: Collection[str]) -> ScoreTable:
        """The rows of these topics."""
        return self._with_frame(self.frame.filter(pl.col("topic").cast(pl.String).is_in(list(topics))))

    def of_summarizers(self, summarizers: Collection[str]) -> ScoreTable:
        """The rows of these summarizers."""
        return self._with_frame(self.frame.filter(pl.col("summarizer").cast(pl.String).is_in(list(summarizers))))

    def within(self, other: ScoreTable) -> ScoreTable:
        """The rows whose key the other table has as well."""
        return self._with_frame(self.frame.join(other.frame, on=KEY, how="semi", maintain_order="left"))

    def without(self, other: ScoreTable) -> ScoreTable:
        """The rows whose key the other table does not have."""
        return self._with_frame(self.frame.join(other.frame, on=KEY, how="anti", maintain_order="left"))

    def assign_to(self, system: str) -> ScoreTable:
        """Scores that do not say whose they are, as those of one system; a table that says so stays as it is."""
        if not self.unnamed:
            return self
        names = pl.repeat(system, self.frame.height, dtype=pl.String, eager=True).cast(pl.Categorical)
        run_scores = self.run_scores
        if run_scores is not None:
            run_scores = run_scores.with_columns(summarizer=pl.lit(system))
        return replace(self, frame=self.frame.with_columns(summarizer=names), run_scores=run_scores, unnamed="")

    def _no_such(self, measure: str) -> str:
        hint = did_you_mean(measure, self.measures)
        return f"the score table has no measure {measure!r}{hint} it has: {', '.join(self.measures) or 'none'}"

    def require_unique_keys(self) -> None:
        """Raise if a (measure, topic, summarizer) occurs twice.

        Raises:
            InputError: with the first of them.
        """
        if not may_repeat(self.frame):
            return
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
        return data_frame(self.to_polars().to_dict(as_series=False))

    def _repr_html_(self) -> str:
        """What a notebook shows: the means, summarizers × measures."""
        means = {(summarizer, measure): value for measure, summarizer, value, *_ in self.means().iter_rows()}
        rows = [
            [summarizer, *(means.get((summarizer, name)) for name in self.measures)] for summarizer in self.summarizers
        ]
        caption = f"means over up to {len(self.topics)} topics; {len(self)} scores"
        return Table(
            record="mean",
            title="; ".join([caption, *(f"{name}: {note}" for name, note in self.notes.items())]),
            columns=(Column("summarizer"), *(Column(measure, measure, digits=4) for measure in self.measures)),
            rows=rows,
        )._repr_html_()


def _replace_names(rows: pl.DataFrame | None, column: str, names: Mapping[str, str]) -> pl.DataFrame | None:
    """The rows with other names in a column."""
    if rows is None:
        return None
    return rows.with_columns(pl.col(column).replace(dict(names)))


def _frame_of(cells: list[tuple[Any, ...]]) -> pl.DataFrame:
    try:
        return pl.DataFrame(cells, schema=COLUMNS, orient="row")
    except UnicodeEncodeError:  # names of files that are not UTF-8
        return pl.DataFrame([repair_value(row) for row in cells], schema=COLUMNS, orient="row")


def may_repeat(rows: pl.DataFrame) -> bool:
    """Whether a key may occur twice: by hashes, which take a few bytes a row."""
    # Two equal hashes are only a suspicion; then the keys themselves are compared.
    hashes = rows.select(pl.struct(KEY).hash()).to_series().sort().to_numpy()
    return bool((hashes[1:] == hashes[:-1]).any())


def grid(rows: pl.DataFrame, measures: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...], Floats]:
    """Summarizers and topics in order of appearance, and measures × summarizers × topics; NaN where there is no row."""
    columns = {name: rows[name].cast(pl.String) for name in KEY}
    summarizers, topics = (tuple(columns[name].unique(maintain_order=True)) for name in ("summarizer", "topic"))
    values = np.full((len(measures), len(summarizers), len(topics)), np.nan)
    axes = {"measure": measures, "summarizer": summarizers, "topic": topics}
    places = tuple(_places_of(columns[name], labels) for name, labels in axes.items())
    values[places] = rows["value"].to_numpy()
    for measure, matrix in zip(measures, values, strict=True):
        require_moderate_values(matrix, measure)
    return summarizers, topics, values


def _places_of(column: pl.Series, labels: Sequence[str]) -> Integers:
    """The place of each cell of a column among the labels."""
    numbers = list(range(len(labels)))
    places = column.replace_strict(list(labels), numbers, return_dtype=pl.Int64).to_numpy()
    # Polars gives the places of no rows at all as floats, which can't be used as places.
    return places.astype(np.int64, copy=False)


def require_moderate_values(values: Floats, name: str) -> None:
    """Refuse values whose squares are no numbers, or nothing: every variance would be wrong without a word.

    Args:
        values: of a measure, or the answers to a question; NaN where there is none.
        name: what they are values of.

    Raises:
        InputError: if there are such.
    """
    largest = float(np.nanmax(np.abs(values), initial=0.0))
    if largest > EXTREME or 0 < largest < 1 / EXTREME:
        what = "divide" if largest > 1 else "multiply"
        raise InputError(
            f"{name}: found values up to {largest:g}; expected sizes between {1 / EXTREME:g} and {EXTREME:g}, "
            f"so that their squares can be computed; {what} all of them by the same number"
        )
