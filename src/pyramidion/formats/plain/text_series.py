"""The texts of a file in order: the lines of a text file, or a column of a table with the topics that it names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Literal

import msgspec

from pyramidion.campaign import Problems
from pyramidion.files.opening import ending_of, read_text
from pyramidion.files.problems import Place
from pyramidion.formats.datasets.hugging_face import default_files, detect_folder
from pyramidion.intake.cells import as_id, as_json, is_missing, keys_of
from pyramidion.intake.opened import ENDINGS, FileTable
from pyramidion.intake.profile import TableProfile
from pyramidion.intake.roles import SUMMARY_ROLES, exclude
from pyramidion.show.wording import listed

SeriesRole = Literal["summary", "references", "documents", "topic"]
"""What the texts of a file are."""
LOOKED_AT = 20
"""Lines by which JSON is told from text."""
_ALSO_CALLED: Mapping[SeriesRole, SeriesRole] = {"references": "summary"}
"""A file of references may call them summaries: it is known to hold nothing else."""


@dataclass(frozen=True, kw_only=True)
class TextSeries:
    """The texts of a file in order, with their topics if the file names them."""

    path: Path
    texts: Sequence[Any]
    """Strings, or lists of them."""
    topics: Sequence[str] | None = None
    """None: text number k is about topic number k."""

    def by_topic(self, topics: Sequence[str]) -> Mapping[str, Any]:
        """By topic, its text.

        Args:
            topics: those of a file that does not name them.
        """
        return dict(zip(self.topics or topics, self.texts, strict=True))


def read_series(path: Path, role: SeriesRole, problems: Problems) -> TextSeries | None:
    """The texts of a file; None (and an error) if it is a table and its column of texts is not clear.

    Args:
        path: a text file with one text per line, a table, or a folder of Hugging Face datasets.
        role: what the texts are.
        problems: where problems are noted.
    """
    if path.is_dir() and detect_folder(path):
        return _read_column(path, default_files(path, problems), role, problems)
    if _is_table(path):
        return _read_column(path, [path], role, problems)
    return TextSeries(path=path, texts=read_lines(path, problems))


def _is_table(path: Path) -> bool:
    """Whether a file is a table: by its ending, or because its first lines are JSON objects."""
    # A Parquet file may be called .txt by mistake: its bytes say what it is.
    if ending_of(path) in ENDINGS or FileTable(path).format in ("parquet", "arrow"):
        return True
    filled_lines = (line for line in read_lines(path, Problems()) if line.strip())
    first_lines = list(islice(filled_lines, LOOKED_AT))
    return bool(first_lines) and all(map(_is_object, first_lines))


def _is_object(line: str) -> bool:
    """Whether a line is a JSON object."""
    try:
        return isinstance(msgspec.json.decode(line), dict)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        return False


def read_lines(path: Path, problems: Problems) -> list[str]:
    """The lines of a file, empty ones included; the last may end in a line break or not."""
    text = read_text(path, problems, windows_ends_are_fine=True)
    if not text:
        return []
    lines = text.replace("\r\n", "\n").split("\n")
    if text.endswith("\n"):
        lines.pop()
    return lines


def _read_column(path: Path, files: Sequence[Path], role: SeriesRole, problems: Problems) -> TextSeries | None:
    """The texts of a table, and the topics that it names.

    Args:
        path: what messages call the table.
        files: the pieces of the table, in order.
        role: what the texts are.
        problems: where problems are noted.
    """
    at = problems.at(path)
    rows: list[Any] = []
    for file in files:
        rows += [row for _, row in FileTable(file).objects(problems, "an object with a text")]
    if problems.errors:
        return None
    if not rows:
        at.error("a table without rows", "a row for each topic", "Add the rows.")
        return None
    table = TableProfile(keys_of(rows), rows)
    topics = _find_topics(table)
    column = _find_texts(table, role, topics, at)
    if column is None or not _has_each_topic_once(table, topics, at):
        return None
    texts = [_text_in(row.get(column)) for row in rows]
    topic_phrase = f"topic = {topics}" if topics else "topic = number of the row"
    problems.remark(f"{path.name}: {topic_phrase}; {role} = {column}")
    if not topics:
        return TextSeries(path=path, texts=texts)
    is_integral = table.column(topics).is_integral
    ids = [str(as_id(row.get(topics), integral=is_integral)) for row in rows]
    return TextSeries(path=path, texts=texts, topics=ids)


def _text_in(cell: Any) -> Any:
    """The text in a cell, a string or a list of strings; an empty one if it is missing."""
    value = as_json(cell)
    if is_missing(value):
        return ""
    if isinstance(value, list):
        return [str(text) for text in value]
    return str(value)


def _find_topics(table: TableProfile) -> str | None:
    """The column of topics, by its name; None if there is none."""
    for name in SUMMARY_ROLES["topic"].match(table.data_columns):
        if table.column(name).is_short:
            return name
    return None


def _has_each_topic_once(table: TableProfile, topics: str | None, at: Place) -> bool:
    """Whether no topic is missing or named twice, which is an error: rows would go together with the wrong ones."""
    if topics is None:
        return True
    is_complete = all(table.column(topics).texts)
    if is_complete and not table.has_repeats([topics]):
        return True
    at.error(
        "a topic twice, or none",
        "each topic once",
        "Correct the ids; or remove the column, if rows go together by their number.",
        field=topics,
    )
    return False


def _find_texts(table: TableProfile, role: SeriesRole, topics: str | None, at: Place) -> str | None:
    """The column of texts, by its name or because there is no other; None (and an error) if that is not clear."""
    if role == "topic" and topics is not None:
        return topics
    systems = SUMMARY_ROLES["summarizer"].match(table.data_columns)
    has_several_systems = any(table.column(name).unique_count > 1 for name in systems)
    if role == "summary" and has_several_systems:
        at.error(
            f"a table with the summaries of several systems (column {systems[0]})",
            "a file for each system",
            "Give tables as DATA, with their references: they are joined by topic.",
        )
        return None
    texts = [name for name in exclude(table.data_columns, [topics or ""]) if table.column(name).holds_texts]
    for alias_role in filter(None, (role, _ALSO_CALLED.get(role))):
        matches = SUMMARY_ROLES[alias_role].match(texts)
        if matches:
            return matches[0]
    unknown = [name for name in table.unknown_prose if name in texts] or texts
    if len(unknown) == 1:
        return unknown[0]
    at.error(
        f"a table with the columns {listed(table.data_columns)}",
        f"one column of texts, or one called {role}",
        f"Rename the column of texts to {role}.",
    )
    return None
