"""Tables of judgments, as people have them: CSV, TSV, JSON lines or Parquet, long or wide.

Long: topic, summarizer, assessor, question, value. Wide: topic, summarizer, assessor, and a column for each question.
Columns are found by their usual names; an empty cell is a missing answer, not a zero.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path
from typing import Any

import msgspec

from pyramidion.campaign.decoding import finite
from pyramidion.campaign.nouns import Judgment, to_plain
from pyramidion.errors import UsageError
from pyramidion.files.lines import read_csv, read_lines, read_text
from pyramidion.files.parquet import PARQUET, read_pieces
from pyramidion.files.problems import Place, Problems, shorten
from pyramidion.wording import counted

ALIASES: Mapping[str, Sequence[str]] = {
    "topic": (
        *("topic", "topicid", "id", "exampleid", "docid", "documentid", "articleid", "item", "itemid", "inputid"),
        *("set", "docset"),
    ),
    "summarizer": ("summarizer", "summarizerid", "system", "systemid", "model", "modelid", "peer", "peerid"),
    "assessor": (
        *("assessor", "assessorid", "annotator", "annotatorid", "rater", "raterid", "judge", "worker", "workerid"),
        *("evaluator", "expert"),
    ),
    "question": ("question", "criterion", "dimension", "aspect", "quality"),
    "value": ("value", "answer", "rating", "score", "judgment", "judgement", "response", "grade", "label"),
}
"""By field the names of columns that people use, in lower case without signs; earlier ones win."""
OPTIONAL = ("run", "time", "seconds", "comment")
"""Further fields of a judgment, read where they have their own names."""
MISSING = frozenset({"", "na", "n/a", "nan", "null", "none", "-"})
_INDEX = re.compile(r"|index|unnamed: ?\d+|level_\d+|__index_level_\d+__", re.IGNORECASE)
_WHOLE = re.compile(r"\s*[+-]?[0-9]{1,18}(\.0+)?\s*", re.ASCII)

Answer = tuple[int, Judgment]
"""The line of a judgment, and the judgment."""


@dataclass
class JudgmentTable:
    """What a file holds."""

    answers: list[Answer] = field(default_factory=list)
    missing: int = 0
    """Cells without an answer."""
    understood: str = ""
    """Which columns were taken for what."""


def read_judgments(path: Path, problems: Problems, columns: Mapping[str, str] | None = None) -> JudgmentTable:
    """Read a table of judgments; problems are noted, not raised.

    Args:
        path: the file.
        problems: takes errors and warnings.
        columns: which column is the topic, summarizer, assessor, question or value; any other name is a question
            with its column, and then only such columns are questions.
    """
    at = problems.at(path)
    rows = _rows(path, problems)
    first = next(rows, None)
    if first is None:
        if not problems.errors:
            at.error("no rows", "a table with a row for each summary or answer", "Check the file.")
        return JudgmentTable()
    layout = _Layout.of(list(first[1]), columns or {}, at)
    table = JudgmentTable()
    if layout is None:
        return table
    numeric: set[str] = set()
    words: dict[str, tuple[Place, str]] = {}
    missing: Counter[str] = Counter()
    for line, row in chain([first], rows):
        for judgment in _answers(layout, row, at.at(line), numeric, words):
            if isinstance(judgment, str):
                missing[judgment] += 1
            else:
                table.answers.append((line, judgment))
    table.missing = sum(count for column, count in missing.items() if column in numeric)
    for column, (place, found) in words.items():
        if column in numeric or layout.is_long or column in (columns or {}).values() or not numeric:
            place.error(found, "a number", "Correct the value; leave the cell empty if there is no answer.")
        else:
            place.warning(f"a column of text, such as {found}", "numbers", "It was left out.")
    table.understood = layout.described(numeric)
    return table


@dataclass(frozen=True, kw_only=True)
class _Layout:
    """Which column is what."""

    names: Mapping[str, str]
    """By field, the column."""
    questions: Mapping[str, str]
    """By question, the column; empty in a long table."""

    @property
    def is_long(self) -> bool:
        return not self.questions

    @classmethod
    def of(cls, header: Sequence[str], columns: Mapping[str, str], at: Place) -> _Layout | None:
        for name, column in columns.items():
            if column not in header:
                raise UsageError(
                    f"--columns {name}={column}: {at.file} has no column {column!r}; it has: {', '.join(header)}"
                )
        names = {name: columns[name] for name in (*ALIASES, *OPTIONAL) if name in columns}
        chosen = {name: column for name, column in columns.items() if name not in names}
        plain = {column: re.sub(r"[\W_]+", "", column).lower() for column in header}
        for name, aliases in ALIASES.items():
            free = [column for column in header if column not in (*names.values(), *chosen.values())]
            found = (column for alias in aliases for column in free if plain[column] == alias)
            if name not in names:
                names.update((name, column) for column in islice(found, 1))
        names |= {name: name for name in OPTIONAL if name in header and name not in names}
        if chosen or not {"question", "value"} <= names.keys():
            for name in ("question", "value"):  # then such a column is a question of a wide table
                if name not in columns:
                    names.pop(name, None)
            taken = set(names.values())
            rest = (column for column in header if column not in taken and not _INDEX.fullmatch(column))
            chosen = chosen or {column: column for column in rest}
        else:
            chosen = {}
        lacking = [name for name in ("topic", "summarizer") if name not in names]
        if lacking or not (chosen or {"question", "value"} <= names.keys()):
            at.at(1).error(
                f"the columns {', '.join(header)}",
                "topic, summarizer, and a column for each question; or topic, summarizer, question and value",
                "Say which is which, for instance: --columns topic=ID,summarizer=SYSTEM.",
            )
            return None
        return cls(names=names, questions=chosen)

    def described(self, numeric: set[str]) -> str:
        renamed = [f"{name} = {column}" for name, column in self.names.items() if name in ALIASES]
        asked = [name for name, column in self.questions.items() if column in numeric]
        return ", ".join([*renamed, *([f"questions: {', '.join(asked)}"] if asked else [])])


def _answers(
    layout: _Layout, row: Mapping[str, Any], at: Place, numeric: set[str], words: dict[str, tuple[Place, str]]
) -> Iterator[Judgment | str]:
    """The answers of a row; for each that is missing, its column."""
    texts = {name: id_of(row.get(column)) for name, column in layout.names.items() if name in ALIASES}
    for name in ("topic", "summarizer", *(["question"] if layout.is_long else [])):
        if not texts[name]:
            at.error("nothing", f"the {name}", "Fill in the cell or remove the row.", field=layout.names[name])
            return
    further = {
        name: value
        for name in OPTIONAL
        if name in layout.names and not _is_missing(value := row.get(layout.names[name]))
    }
    cells = {texts["question"]: layout.names["value"]} if layout.is_long else layout.questions
    for question, column in cells.items():
        cell = row.get(column)
        if _is_missing(cell):
            yield column
            continue
        value = _number(cell)
        if value is None:
            words.setdefault(column, (at.at(at.line, column), shorten(cell)))
            continue
        numeric.add(column)
        judgment = Judgment(
            topic=texts["topic"],
            summarizer=texts["summarizer"],
            assessor=texts.get("assessor", ""),
            question=question,
            value=value,
        )
        try:
            yield msgspec.convert(to_plain(judgment) | further, Judgment, strict=False) if further else judgment
        except msgspec.ValidationError as error:
            at.error(str(error), "the optional fields of a judgment", "Correct the cell.", field=", ".join(further))


def id_of(cell: Any) -> str:
    """An id as a string: 1, 1.0 and "1" are the same."""
    if cell is None or (isinstance(cell, float) and cell != cell):
        return ""
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return str(cell).strip()


def _is_missing(cell: Any) -> bool:
    return cell is None or (isinstance(cell, float) and cell != cell) or str(cell).strip().lower() in MISSING


def _number(cell: Any) -> int | float | None:
    if isinstance(cell, bool):
        return int(cell)
    if isinstance(cell, str):
        if _WHOLE.fullmatch(cell):
            return int(cell.strip().split(".")[0])
        try:
            cell = float(cell)
        except ValueError:
            return None
    if not isinstance(cell, int | float) or not finite(cell):
        return None
    return int(cell) if isinstance(cell, float) and cell.is_integer() else cell


def without_repeats(answers: Iterable[tuple[Path, Answer]], problems: Problems) -> list[Judgment]:
    """The judgments of all files; the same answer twice counts once, two answers of one assessor are an error."""
    seen: dict[tuple[str, ...], tuple[Path, int, Judgment]] = {}
    equal: Counter[Path] = Counter()
    kept: list[Judgment] = []
    for path, (line, one) in answers:
        key = (one.topic, one.summarizer, one.assessor, one.question, str(getattr(one, "run", "")))
        if key not in seen:
            seen[key] = (path, line, one)
            kept.append(one)
            continue
        first, before, other = seen[key]
        if other.value == one.value:
            equal[path] += 1
            continue
        named = f"{before}" if first == path else f"{before} of {first}"
        remedy = "Name the assessors in a column, or remove one of the two."
        problems.at(path, line).error(
            f"{one.value:g} for {key[:4]!r}, but {other.value:g} on line {named}", "one answer", remedy, field="value"
        )
    for path, count in equal.items():
        found = f"{counted(count, 'answer')} more than once"
        problems.at(path).warning(found, "each answer once", "The repeats were left out.", count=count)
    return kept


def _rows(path: Path, problems: Problems) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """The rows of a table as dictionaries, with their lines."""
    ending = path.suffix.lower()
    if ending == PARQUET:
        pieces = (piece.iter_rows(named=True) for piece in read_pieces(path, problems))
        yield from enumerate(chain.from_iterable(pieces), start=1)
    elif ending in (".jsonl", ".ndjson"):
        for number, line in read_lines(path, problems):
            try:
                yield number, msgspec.json.decode(line, type=dict[str, Any])
            except (ValueError, RecursionError) as error:
                problems.at(path, number).error(shorten(str(error)), "an object {…}", "Correct or remove the line.")
    elif (text := read_text(path, problems, windows_ends_are_fine=True)) is not None:
        at = problems.at(path)
        separator = "\t" if "\t" in text.partition("\n")[0] else ";" if ";" in text.partition("\n")[0] else ","
        rows = read_csv(text, at, separator=separator)
        header = [cell.strip() for cell in next(rows, (0, []))[1]]
        for number, cells in rows:
            if len(cells) == len(header):
                yield number, dict(zip(header, cells, strict=True))
            else:
                expected = f"{len(header)} cells, as in the header"
                at.at(number).error(f"{len(cells)} cells", expected, "Quote cells that contain the separator.")
