"""Score tables from elsewhere: CSV, TSV or Parquet keyed by topic and summarizer.

Two shapes are read: long (topic, summarizer, measure, value) and wide (topic, summarizer, and a column for each
measure). An empty cell is a missing value, not a zero.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from pyramidion.campaign.lines import atomic_writer, read_text
from pyramidion.campaign.nouns import ImportedScore
from pyramidion.campaign.parquet import read_pieces
from pyramidion.campaign.problems import Problems, shorten

KEYS = ("topic", "summarizer")
LONG = ("topic", "summarizer", "measure", "value")
IGNORED = frozenset({"signature"})
_MISSING = frozenset({"", "na", "n/a", "null", "none"})

Row = tuple[int, dict[str, object]]


def read_score_file(path: Path, problems: Problems) -> list[ImportedScore]:
    """All values of the file; problems are noted."""
    return [score for _, score in numbered_scores(path, problems)]


def numbered_scores(path: Path, problems: Problems) -> Iterator[tuple[int, ImportedScore]]:
    """The values with their lines (in Parquet: rows)."""
    parquet = path.suffix.lower() == ".parquet"
    first: dict[tuple[str, str, str], int] = {}
    for line, row in _parquet_rows(path, problems) if parquet else _text_rows(path, problems):
        for measure, cell in _cells(row):
            score = _score(row, measure, cell, path, line, problems)
            if score is None:
                continue
            key = (score.measure, score.topic, score.summarizer)
            if first.setdefault(key, line) != line:
                problems.add(
                    "error",
                    file=path,
                    line=line,
                    field="measure, topic, summarizer",
                    found=f"the key {key!r} again (first on line {first[key]})",
                    expected="each (measure, topic, summarizer) once",
                    remedy="Remove one of the two rows.",
                )
            yield line, score


def write_score_file(path: Path, scores: Iterable[ImportedScore]) -> None:
    """Write a long table as Parquet."""
    import polars as pl

    frame = pl.DataFrame(
        [(score.measure, score.topic, score.summarizer, score.value) for score in scores],
        schema={"measure": pl.String, "topic": pl.String, "summarizer": pl.String, "value": pl.Float64},
        orient="row",
    )
    with atomic_writer(path) as file:
        frame.write_parquet(file)


def _cells(row: dict[str, object]) -> Iterator[tuple[str, object]]:
    if "measure" in row and "value" in row:
        yield _name(row["measure"]), row["value"]
    else:
        for column, cell in row.items():
            if column not in KEYS and column not in IGNORED:
                yield column, cell


def _score(
    row: dict[str, object], measure: str, cell: object, path: Path, line: int, problems: Problems
) -> ImportedScore | None:
    if cell is None or (isinstance(cell, str) and cell.strip().lower() in _MISSING):
        return None
    topic, summarizer = (_name(row[key]) for key in KEYS)
    for key, name in (("measure", measure), ("topic", topic), ("summarizer", summarizer)):
        if not name:
            problems.add(
                "error",
                file=path,
                line=line,
                field=key,
                found="nothing",
                expected=f"the {key}",
                remedy="Fill in the cell or remove the row.",
            )
            return None
    value = _number(cell)
    if not math.isfinite(value):
        problems.add(
            "error",
            file=path,
            line=line,
            field=measure,
            found=shorten(cell),
            expected="a finite number",
            remedy="Leave the cell empty when there is no value.",
        )
        return None
    return ImportedScore(measure=measure, topic=topic, summarizer=summarizer, value=value)


def _name(cell: object) -> str:
    return "" if cell is None else str(cell)


def _number(cell: object) -> float:
    """The number in a cell; NaN when there is none (Python alone would read 1_000 as a number)."""
    if isinstance(cell, str) and "_" in cell:
        return math.nan
    try:
        return float(cell)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return math.nan


def _text_rows(path: Path, problems: Problems) -> Iterator[Row]:
    text = read_text(path, problems, windows_ends_are_fine=True)  # CR LF is the line end of CSV (RFC 4180)
    reader = csv.reader(
        io.StringIO(text or "", newline=""),
        delimiter="\t" if path.suffix.lower() in (".tsv", ".tab") else ",",
        strict=True,
    )
    header: list[str] = []
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            break
        except csv.Error as error:
            problems.add(
                "error",
                file=path,
                line=reader.line_num,
                found=str(error),
                expected="a row of CSV",
                remedy="Mend the quotes of the row.",
            )
            return
        if not header:
            header = [cell.strip() for cell in cells]
            if header and not _check_header(header, path, problems):
                return
        elif cells and len(cells) != len(header):
            problems.add(
                "error",
                file=path,
                line=reader.line_num,
                found=f"{len(cells)} cells",
                expected=f"{len(header)} cells, as in the header",
                remedy="Quote cells that contain the separator.",
            )
        elif cells:
            yield reader.line_num, dict(zip(header, cells, strict=True))
    if not header and text is not None:
        _check_header(header, path, problems)


def _parquet_rows(path: Path, problems: Problems) -> Iterator[Row]:
    number = 0
    for piece in read_pieces(path, problems):
        if number == 0 and not _check_header(piece.columns, path, problems):
            return
        for row in piece.iter_rows(named=True):
            number += 1
            yield number, row


def _check_header(columns: Sequence[str], path: Path, problems: Problems) -> bool:
    missing = [key for key in KEYS if key not in columns]
    repeated = sorted({column for column in columns if columns.count(column) > 1})
    if missing or repeated or len(columns) < 3:
        problems.add(
            "error",
            file=path,
            line=1,
            found=f"the columns {', '.join(columns) or '(none)'}",
            expected="topic, summarizer, measure, value; or topic, summarizer and a column for each measure",
            remedy="Name the columns so, each once; commas separate the cells of .csv, tabs those of .tsv.",
        )
        return False
    return True
