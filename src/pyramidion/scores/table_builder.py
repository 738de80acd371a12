"""The cells of a score file, gathered frame by frame into a score table.

What is kept of a value is 28 bytes (four categories, the line and the number), however long its row was in the file.
Problems come out in the same order as if the whole file had been read at once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import polars as pl

from pyramidion.files.parquet import exactly
from pyramidion.files.problems import Place, shorten
from pyramidion.intake.cells import LONGEST_ID, MISSING, are_integral, note_long_id, note_odd_id
from pyramidion.intake.score_columns import LONG_FIELDS, SCORE_FIELDS_ASIDE
from pyramidion.scores.run_means import average_runs
from pyramidion.scores.table import COLUMNS, KEY, RUN, ScoreTable, may_repeat
from pyramidion.show.wording import together

SUMMARY = ("topic", "summarizer")
OWN = frozenset({*SUMMARY, *LONG_FIELDS, "signature"})
"""The columns that nobody but us writes."""
CELLS = 1 << 16
"""Cells that are read at once, about: each takes some hundred bytes while it is looked at."""
FEWEST_ROWS = 64
"""Rows that are read at once however many columns there are: each reading costs something for each column."""
REASON = "reason"
"""The column of reasons for scores."""
SHOWN = 100
"""Characters that are kept of a cell that is no number; an error shows fewer."""


def rows_at_once(columns: int) -> int:
    """How many rows of a table with so many columns are looked at together."""
    return max(CELLS // max(columns, 1), FEWEST_ROWS)


class ScoreTableBuilder:
    """The scores of a file, and what is wrong with its cells: noted, in `table`, and left out."""

    def __init__(self, at: Place, repeats: Callable[[], str], *, repeats_are_runs: bool = False) -> None:
        self.at = at
        self.repeats_are_runs = repeats_are_runs
        """Whether a score that comes again is another run."""
        self.repeats = repeats
        """Says what to do about a score that comes again."""
        self._parts: list[pl.DataFrame] = []
        self._ids: dict[str, set[str]] = {name: set() for name in SUMMARY}
        """Ids as the file has them."""
        self._decimal: set[str] = set()
        """Columns of ids that hold decimals, as a data frame with holes has whole numbers."""
        self._columns: dict[str, None] = {}
        """The columns of measures of a wide table that has rows."""
        self._numeric: set[str] = set()
        """Those with a number somewhere."""
        self._bad: list[pl.DataFrame] = []
        """Cells that lack a name or are no number; if their whole column is text, they are no errors."""
        self._notes: dict[tuple[str, str], None] = {}
        self._long: list[tuple[int, str, str, int]] = []
        """Of ids that are too long: line, column, start and length."""
        self._odd: list[tuple[int, str, float]] = []
        """Of ids that are numbers with a fraction: line, column and number."""
        self._reasons: list[pl.DataFrame] = []
        self._runs: dict[str, str] = {}
        """By measure, how many runs its values are means of."""

    def add(self, lines: Sequence[int], frame: pl.DataFrame) -> None:
        """Add rows, each with its line."""
        step = rows_at_once(frame.width)
        for start in range(0, frame.height, step):
            self._add(lines[start : start + step], frame[start : start + step])

    def _add(self, lines: Sequence[int], frame: pl.DataFrame) -> None:
        numbers = pl.Series(lines, dtype=pl.UInt32)
        fits = self._take_long_ids(numbers, frame) & self._take_odd_ids(numbers, frame)
        if not fits.all():
            frame, numbers = frame.filter(fits), numbers.filter(fits)
        keys = {"line": numbers} | {name: _names(frame, name) for name in SUMMARY}
        for name in SUMMARY:
            if frame.schema[name].is_float():
                self._decimal.add(name)
            # Our own tables hold ids as they are; other programs turn 1 into 1.0 where a column has holes.
            elif OWN.issubset(frame.columns):  # "1.0" is meant
                continue
            self._ids[name].update(keys[name].unique())
        self._keep_reasons(frame, keys)
        keys["signature"] = _names(frame, "signature")
        if RUN in frame.columns:
            keys[RUN] = _names(frame, RUN)
        if {*LONG_FIELDS} <= {*frame.columns}:
            measure = _names(frame, "measure")
            place = pl.repeat(0, frame.height, dtype=pl.UInt32, eager=True)
            self._keep(pl.DataFrame(keys | {"measure": measure, **_numbers(frame["value"]), "place": place}))
            if "note" in frame.columns:
                self._notes |= dict.fromkeys(
                    pl.DataFrame([measure, _names(frame, "note")]).unique(maintain_order=True).rows()
                )
            return
        columns = [name for name in frame.columns if name not in (*SUMMARY, *SCORE_FIELDS_ASIDE)]
        self._columns |= dict.fromkeys(columns)
        cells = _long(frame.select(exactly(*columns)), keys)
        self._numeric.update(cells.filter(pl.col("value").is_not_null())["measure"].unique())
        self._keep(cells)

    def _keep_reasons(self, frame: pl.DataFrame, keys: Mapping[str, pl.Series]) -> None:
        """Keep the reasons for scores, which are shown next to the texts."""
        if REASON not in frame.columns or frame.schema[REASON] != pl.String:
            return
        measure = (
            _names(frame, "measure") if "measure" in frame.columns else pl.Series([""]).new_from_index(0, len(frame))
        )
        reasons = pl.DataFrame(
            {"measure": measure, "topic": keys["topic"], "summarizer": keys["summarizer"], REASON: frame[REASON]}
        )
        self._reasons.append(reasons.filter(pl.col(REASON).str.strip_chars().fill_null("") != ""))

    def _take_long_ids(self, lines: pl.Series, frame: pl.DataFrame) -> pl.Series:
        """Which rows have ids of a sensible length; of the others, the start of the id is taken for an error."""
        fits = pl.repeat(True, frame.height, dtype=pl.Boolean, eager=True)
        for name in (*SUMMARY, "measure"):
            if name in frame.columns and frame.schema[name] == pl.String:
                lengths = frame[name].str.len_chars().fill_null(0)
                long = lengths > LONGEST_ID
                starts = frame[name].filter(long).str.slice(0, SHOWN)
                self._long += zip(lines.filter(long), [name] * len(starts), starts, lengths.filter(long), strict=True)
                fits &= ~long
        return fits

    def _take_odd_ids(self, lines: pl.Series, frame: pl.DataFrame) -> pl.Series:
        """Which rows have no id with a fraction; the others are taken for errors."""
        fits = pl.repeat(True, frame.height, dtype=pl.Boolean, eager=True)
        for name in SUMMARY:
            if name in frame.columns and frame.schema[name].is_float():
                odd = (frame[name] % 1 != 0).fill_null(value=False) & frame[name].is_finite().fill_null(value=False)
                numbers = frame[name].filter(odd)
                self._odd += zip(lines.filter(odd), [name] * len(numbers), numbers, strict=True)
                fits &= ~odd
        return fits

    def _keep(self, cells: pl.DataFrame) -> None:
        cells = cells.filter(~pl.col("missing"))
        lacks = pl.coalesce(pl.when(pl.col(name) == "").then(pl.lit(name)) for name in KEY)
        good = pl.all_horizontal(pl.col(KEY) != "") & pl.col("value").is_finite().fill_null(value=False)
        bad = cells.filter(~good)
        if bad.height:
            self._bad.append(bad.select("line", "measure", pl.col("shown").str.slice(0, SHOWN), lacks=lacks))
        kept = cells.filter(good)
        if kept.height:
            runs = [pl.col(RUN).cast(pl.Categorical)] if RUN in kept.columns else []
            self._parts.append(
                kept.select("line", *(pl.col(name).cast(dtype) for name, dtype in COLUMNS.items()), *runs)
            )

    def table(self) -> ScoreTable:
        """All scores, in the order of the file."""
        self._note_problems()
        if not self._parts:
            return ScoreTable(notes=self._notes_by_measure())
        # Parts are kept as categories and numbers, 28 bytes a value, so that a wide file of gigabytes fits.
        cells = pl.concat(self._parts)
        self._parts.clear()
        reasons = pl.concat(self._reasons) if self._reasons else None
        for name in SUMMARY:
            if plain := self._whole_numbers(name):
                if reasons is not None:
                    reasons = reasons.with_columns(pl.col(name).replace(plain))
                cells = cells.with_columns(pl.col(name).cast(pl.String).replace(plain).cast(pl.Categorical))
        run_scores = None
        if self.repeats_are_runs and RUN not in cells.columns:
            number = pl.int_range(1, pl.len() + 1).over(KEY).cast(pl.String)
            cells = cells.with_columns(number.cast(pl.Categorical).alias(RUN))
        if RUN in cells.columns:
            cells, run_scores, self._runs = average_runs(self._with_unique_keys(cells, (*KEY, RUN)))
        elif may_repeat(cells):
            cells = self._with_unique_keys(cells, KEY)
        own_notes = self._own_notes
        return ScoreTable(
            frame=cells.select(list(COLUMNS)),
            notes=self._notes_by_measure(),
            notes_on_all={measure: own_notes.get(measure, "") for measure in self._runs},
            run_scores=run_scores,
            reasons=reasons,
        )

    def _with_unique_keys(self, cells: pl.DataFrame, keys: Sequence[str]) -> pl.DataFrame:
        """The cells whose keys are new; each row with others is an error: in a wide table, once for all measures."""
        new = cells.select(pl.struct(keys).is_first_distinct()).to_series()
        if not new.all():
            first = cells.filter(new).select(*keys, first="line")
            again = cells.filter(~new).join(first, on=keys, maintain_order="left")
            shown = [key for key in keys if key != "measure"] if self._columns else list(keys)
            remedy = self.repeats()
            for *key, line, before in (
                again.unique("line", keep="first", maintain_order=True).select(*shown, "line", "first").iter_rows()
            ):
                self.at.at(line).error(
                    f"the key {tuple(key)!r} again (first on line {before})",
                    f"each ({', '.join(shown)}) once",
                    remedy,
                    field=", ".join(shown),
                )
        return cells.filter(new)

    @property
    def _own_notes(self) -> dict[str, str]:
        """By measure, the note that the file has."""
        return {measure: note for measure, note in self._notes if measure and note}

    def _notes_by_measure(self) -> dict[str, str]:
        notes = self._own_notes
        for measure, note in self._runs.items():
            # Our own files say already how many runs there were when they were written.
            if note not in notes.get(measure, ""):
                notes[measure] = together(notes.get(measure, ""), note)
        return notes

    def _whole_numbers(self, name: str) -> dict[str, str]:
        """Ids that are whole numbers but were written as decimals ("1.0"), if all of them are, and what they mean."""
        ids = pl.Series(sorted(self._ids[name] - {""}), dtype=pl.String)
        if name in self._decimal:
            numbers = ids.cast(pl.Float64)
            plain = numbers.cast(pl.Int64, strict=False).cast(pl.String)
            return (
                dict(zip(ids, plain, strict=True))
                if len(ids) and (numbers % 1 == 0).all() and not plain.has_nulls()
                else {}
            )
        if not are_integral(ids.to_list()):
            return {}
        return dict(zip(ids, ids.str.strip_chars().str.replace(r"\.0+$", ""), strict=True))

    def _note_problems(self) -> None:
        """Note names that are too long, columns of text, then cells without a name, then cells without a number."""
        for line, name, start, length in self._long:
            note_long_id(self.at.at(line), name, start, length)
        self._long.clear()
        for line, name, number in self._odd:
            note_odd_id(self.at.at(line), name, name, number)
        self._odd.clear()
        if not self._bad:
            return
        bad = pl.concat(self._bad)
        self._bad.clear()
        bad = bad.filter(~pl.col("measure").is_in(self._note_prose(bad)))
        for line, key in bad.filter(pl.col("lacks").is_not_null()).select("line", "lacks").iter_rows():
            self.at.at(line).error("nothing", f"the {key}", "Fill in the cell or remove the row.", field=key)
        for line, measure, shown, _ in bad.filter(pl.col("lacks").is_null()).iter_rows():
            remedy = "Leave the cell empty when there is no value."
            self.at.at(line).error(shorten(shown), "a finite number", remedy, field=measure)

    def _note_prose(self, bad: pl.DataFrame) -> list[str]:
        """The columns that hold words and no number at all, such as a judge's reasons: each is a warning."""
        first = dict(bad.filter(pl.col("measure").is_first_distinct()).select("measure", "shown").iter_rows())
        prose = [name for name in self._columns if name in first and name not in self._numeric]
        if len(prose) == len(self._columns):
            return []  # then it is no score table, and every cell is an error
        for name in prose:
            found = f"a column of text, such as {shorten(first[name])}"
            self.at.at(1).warning(found, "numbers", "It was left out.", field=name)
        return prose


def _names(frame: pl.DataFrame, column: str) -> pl.Series:
    """A column of names, "" where there is none; numbers serve as names."""
    if column not in frame.columns:
        return pl.repeat("", frame.height, dtype=pl.String, eager=True)
    return frame[column].cast(pl.String, strict=False).fill_null("")


def _numbers(cells: pl.Series) -> dict[str, pl.Series]:
    """The number in each cell (null if there is none), which cells are missing, and what an error shows."""
    if cells.dtype.is_nested():
        cells = pl.Series([shorten(cell) for cell in cells.to_list()], dtype=pl.String)
    shown = cells.cast(pl.String, strict=False)
    text = shown.str.strip_chars()
    numeric = cells.dtype.is_numeric() or cells.dtype == pl.Boolean
    value = (cells if numeric else text).cast(pl.Float64, strict=False)
    return {"value": value, "missing": cells.is_null() | text.str.to_lowercase().is_in(sorted(MISSING)), "shown": shown}


def _long(wide: pl.DataFrame, keys: Mapping[str, pl.Series]) -> pl.DataFrame:
    """A row for each cell, line by line: the keys of its line, its column as measure, and its number.

    All columns of a kind are turned at once: a table may have thousands of them.
    """
    places = {name: place for place, name in enumerate(wide.columns)}
    kinds: dict[pl.DataType, list[str]] = {}
    for name, kind in wide.schema.items():
        kinds.setdefault(kind, []).append(name)
    parts = []
    for names in kinds.values():
        turned = wide.select(exactly(*names))
        turned.columns = [str(place) for place in range(len(names))]  # a column may be called `measure` or `cell`
        cells = turned.unpivot(on=turned.columns, variable_name="measure", value_name="cell")["cell"]
        rows = np.tile(np.arange(wide.height, dtype=np.uint32), len(names))
        repeated = {key: values.gather(rows) for key, values in keys.items()}
        measure = pl.Series(names, dtype=pl.String).gather(np.repeat(np.arange(len(names)), wide.height))
        place = np.repeat([places[name] for name in names], wide.height)
        parts.append(pl.DataFrame(repeated | {"measure": measure, **_numbers(cells)} | {"place": place}))
    return pl.concat(parts).sort("line", "place", maintain_order=True)
