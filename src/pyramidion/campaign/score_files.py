"""Score tables from elsewhere: CSV, TSV or Parquet keyed by topic and summarizer.

Two shapes are read: long (topic, summarizer, measure, value) and wide (topic, summarizer, and a column for each
measure). An empty cell is a missing value, not a zero. A column `signature`, and what the metadata of a Parquet file
says about directions and notes, go with the values.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from pyramidion.campaign.lines import read_lines, read_text
from pyramidion.campaign.nouns import ImportedScore
from pyramidion.campaign.parquet import read_pieces
from pyramidion.campaign.problems import Problems, shorten
from pyramidion.campaign.score_facts import ScoreFacts, read_facts
from pyramidion.errors import UsageError
from pyramidion.files import atomic_writer

KEYS = ("topic", "summarizer")
SIGNATURE = "signature"
NOTE = "note"
JSON_LINES = frozenset({".jsonl", ".ndjson"})
_MISSING = frozenset({"", "na", "n/a", "null", "none"})

Row = tuple[int, dict[str, object]]


def read_score_file(path: Path, problems: Problems) -> list[ImportedScore]:
    """All values of the file; problems are noted."""
    return [score for _, score in numbered_scores(path, problems)]


def numbered_scores(path: Path, problems: Problems) -> Iterator[tuple[int, ImportedScore]]:
    """The values with their lines (in Parquet: rows)."""
    parquet = _is_parquet(path)
    facts = read_facts(path, problems) if parquet else ScoreFacts()
    first: dict[tuple[str, str, str], int] = {}
    for line, row in _parquet_rows(path, problems) if parquet else _without_prose(path, problems):
        for measure, cell in _cells(row):
            score = _score(row, measure, cell, facts, path, line, problems)
            if score is None:
                continue
            if first.setdefault(score.key, line) != line:
                problems.add(
                    "error",
                    file=path,
                    line=line,
                    field="measure, topic, summarizer",
                    found=f"the key {score.key!r} again (first on line {first[score.key]})",
                    expected="each (measure, topic, summarizer) once",
                    remedy="Remove one of the two rows.",
                )
            yield line, score


def read_names(path: Path) -> dict[str, str]:
    """Readable names of summarizers that the file tells, by id; its problems are said by `read_score_file`."""
    return read_facts(path, Problems()).names if _is_parquet(path) else {}


def write_score_file(path: Path, scores: Iterable[ImportedScore], *, names: Mapping[str, str] | None = None) -> None:
    """Write a long table as Parquet; signatures, directions, notes and names only where there are any."""
    import polars as pl

    rows = list(scores)
    columns = ["measure", "topic", "summarizer", "value"]
    if any(row.signature for row in rows):
        columns.append(SIGNATURE)
    frame = pl.DataFrame(
        [[getattr(row, column) for column in columns] for row in rows],
        schema={column: pl.Float64 if column == "value" else pl.String for column in columns},
        orient="row",
    )
    facts = ScoreFacts(higher_is_better=_directions(rows), notes=_notes(rows), names=dict(names or {}))
    with atomic_writer(path) as file:
        frame.write_parquet(file, metadata=facts.metadata())


def _directions(scores: Iterable[ImportedScore]) -> dict[str, bool]:
    """The measures that are better when low; a measure has one direction."""
    found: dict[str, bool] = {}
    for score in scores:
        if found.setdefault(score.measure, score.higher_is_better) != score.higher_is_better:
            raise UsageError(f"found both directions of the measure {score.measure!r}; expected that its values agree")
    return {measure: False for measure, higher in found.items() if not higher}


def _notes(scores: Iterable[ImportedScore]) -> dict[str, str]:
    """All that is to be said of a measure, each note once."""
    found: dict[str, dict[str, None]] = {}
    for score in scores:
        if score.note:
            found.setdefault(score.measure, {})[score.note] = None
    return {measure: "; ".join(notes) for measure, notes in found.items()}


def _is_parquet(path: Path) -> bool:
    return path.suffix.lower() == ".parquet"


def _cells(row: dict[str, object]) -> Iterator[tuple[str, object]]:
    if _is_long(row):
        yield _name(row["measure"]), row["value"]
    else:
        for column, cell in row.items():
            if column not in KEYS and column != SIGNATURE:
                yield column, cell


def _score(
    row: dict[str, object], measure: str, cell: object, facts: ScoreFacts, path: Path, line: int, problems: Problems
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
    return ImportedScore(
        measure=measure,
        topic=topic,
        summarizer=summarizer,
        value=value,
        signature=_name(row.get(SIGNATURE)),
        higher_is_better=facts.higher_is_better.get(measure, True),
        note=facts.notes.get(measure, "") or (_name(row.get(NOTE)) if _is_long(row) else ""),
    )


def _without_prose(path: Path, problems: Problems) -> Iterator[Row]:
    """The rows of a text file without columns that hold no number at all, such as a judge's reasons."""
    rows = list(_json_rows(path, problems) if path.suffix.lower() in JSON_LINES else _text_rows(path, problems))
    if not rows or _is_long(rows[0][1]):
        yield from rows
        return
    columns = [column for column in rows[0][1] if column not in (*KEYS, SIGNATURE)]
    said = {
        column: [cell for _, row in rows if (cell := str(row[column]).strip()).lower() not in _MISSING]
        for column in columns
    }
    prose = [column for column, cells in said.items() if cells and not any(map(_looks_like_number, cells))]
    if len(prose) == len(columns):
        prose = []  # then it is no table of scores, and every cell is an error
    for column in prose:
        problems.add(
            "warning",
            file=path,
            line=1,
            field=column,
            found=f"a column of text, such as {shorten(said[column][0])}",
            expected="numbers",
            remedy="It was left out.",
        )
    for line, row in rows:
        yield line, {column: cell for column, cell in row.items() if column not in prose}


def _is_long(row: Mapping[str, object]) -> bool:
    """Whether a row holds one value and says of which measure, rather than a column for each measure."""
    return "measure" in row and "value" in row


def _looks_like_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


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


def holds_scores(path: Path) -> bool:
    """Whether a file of JSON lines holds scores rather than summaries, by its first row."""
    for _, line in read_lines(path, Problems()):
        try:
            first = msgspec.json.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return False
        return isinstance(first, dict) and {*KEYS, "measure", "value"} <= set(first) and "summary" not in first
    return False


def _json_rows(path: Path, problems: Problems) -> Iterator[Row]:
    """Rows as `pyramidion score -o FILE.jsonl` writes them."""
    for number, line in read_lines(path, problems):
        try:
            row = msgspec.json.decode(line, type=dict[str, object])
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            problems.add(
                "error",
                file=path,
                line=number,
                found=shorten(str(error)),
                expected="an object with topic, summarizer, measure and value",
                remedy="Mend or remove the line.",
            )
            continue
        missing = [key for key in (*KEYS, "measure", "value") if key not in row]
        for key in missing:
            problems.add(
                "error",
                file=path,
                line=number,
                field=key,
                found="no such key",
                expected=f"the {key}",
                remedy="Add the missing key.",
            )
        if not missing:
            yield (
                number,
                {key: value for key, value in row.items() if key in (*KEYS, "measure", "value", SIGNATURE, NOTE)},
            )


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
