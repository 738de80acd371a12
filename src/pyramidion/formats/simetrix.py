"""simetrix: SIMetrix's mapping file with its texts, and the tables that it writes; all of them in both directions.

A mapping has on each line an input, a system, the path of the input (a text, or a folder of them) and the path of the
summary. An input is a topic, its texts are its documents, a system is a summarizer, and all summaries are peers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from pyramidion.campaign import Campaign, Document, Problems, Summary, Topic
from pyramidion.files.problems import Severity, shorten
from pyramidion.formats.base import Format, head_of, is_file
from pyramidion.formats.decoding import note_windows_ends, read_tolerantly
from pyramidion.formats.rouge_texts import FileFinder
from pyramidion.formats.simetrix_config import read_configuration
from pyramidion.formats.simetrix_export import write
from pyramidion.formats.simetrix_tables import header_of, read_table

FIELDS = 4


def detect(path: Path) -> bool:
    """Whether it starts as one of the tables, or with a line of a mapping whose files are there."""
    head = head_of(path)
    if b"\0" in head:
        return False
    line = next((line for line in head.decode(errors="replace").split("\n") if line.strip()), "")
    fields = line.split()
    if header_of(line):
        return True
    return len(fields) == FIELDS and any(
        _is_there(base / fields[2]) and is_file(base / fields[3]) and not is_file(base / fields[0])
        for base in (Path(), path.parent)
    )


def read(path: Path, problems: Problems, *, folder: Path | str = ".", config: Path | str = "") -> Campaign:
    """The campaign that a mapping describes, or the scores of a micro or macro table.

    Args:
        path: the mapping or the table.
        problems: takes errors (an input is missing) and warnings (a summary is missing, something was mended).
        folder: what relative paths are relative to; the working folder, as for the tool.
        config: the tool's configuration; the measures that it asks for become part of the campaign's description.
    """
    text = read_tolerantly(path, problems)
    if text is None:
        return Campaign(name=path.stem)
    note_windows_ends(text, path, problems, remedy="They were read as plain line ends.")
    text = text.replace("\r\n", "\n")
    if header_of(next((line for line in text.split("\n") if line.strip()), "")):
        return read_table(text, path, problems)
    rows = list(_rows(text, path, problems))
    if not rows:
        if not problems.errors:
            _note(
                problems, path, 1, "no summary", "on each line an input, a system, the input's and the summary's path"
            )
        return Campaign(name=path.stem)
    finder = FileFinder(configuration=path, folder=Path(folder), problems=problems)
    base = finder.base_of((row.summary for row in rows), what="the summaries", line=rows[0].line)
    reading = _Reading(path=path, base=base, problems=problems)
    for row in rows:
        reading.add(row)
    measures = read_configuration(Path(config), problems) if config else []
    return reading.campaign(description=f"SIMetrix: {' '.join(measures)}" if measures else "")


@dataclass(frozen=True, kw_only=True)
class _Row:
    line: int
    topic: str
    summarizer: str
    input: str
    summary: str


def _rows(text: str, path: Path, problems: Problems) -> Iterator[_Row]:
    """The lines of a mapping; what is no such line is noted, and so is a summary that came before."""
    first: dict[tuple[str, str], int] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        fields = line.split()
        if not fields:
            continue
        if len(fields) != FIELDS:
            expected = "4 fields: input, system, path of the input, path of the summary"
            _note(problems, path, number, f"{len(fields)} fields: {shorten(line.strip())}", expected)
            continue
        topic, summarizer, input, summary = fields
        known = first.setdefault((topic, summarizer), number)
        if known != number:
            found = f"input {shorten(topic)}, system {shorten(summarizer)} again (first on line {known})"
            _note(problems, path, number, found, "each input and system once", "Remove one of the lines.")
            continue
        yield _Row(line=number, topic=topic, summarizer=summarizer, input=input, summary=summary)


@dataclass(kw_only=True)
class _Reading:
    """The campaign as it grows; each input is read once."""

    path: Path
    base: Path
    problems: Problems
    inputs: dict[str, _Row] = field(default_factory=dict)
    documents: dict[str, tuple[Document, ...]] = field(default_factory=dict)
    summaries: dict[str, list[Summary]] = field(default_factory=lambda: defaultdict(list))

    def add(self, row: _Row) -> None:
        first = self.inputs.setdefault(row.topic, row)
        if first is row:
            self.documents[row.topic] = self._documents(row)
        elif first.input != row.input:
            found = f"{shorten(row.input)} for input {shorten(row.topic)}, {shorten(first.input)} on line {first.line}"
            _note(self.problems, self.path, row.line, found, "one path for each input", "Correct the path.")
        summary = self.base / row.summary
        if not is_file(summary):
            _note(
                self.problems,
                self.path,
                row.line,
                f"no file {summary}",
                "the summary's text",
                "The summary was skipped; it is not scored.",
                severity="warning",
            )
            return
        text = self._text(summary)
        if text is not None:
            self.summaries[row.topic].append(
                Summary(topic=row.topic, summarizer=row.summarizer, kind="peer", text=text)
            )

    def _documents(self, row: _Row) -> tuple[Document, ...]:
        input = self.base / row.input
        if is_file(input):
            files = [input]
        elif input.is_dir():
            files = sorted(file for file in input.iterdir() if is_file(file) and not file.name.startswith("."))
        else:
            files = []
        if not files:
            missing = "an empty folder" if input.is_dir() else "no file or folder"
            _note(self.problems, self.path, row.line, f"{missing} {input}", "the input's texts", "Correct the path.")
        texts = [(file.name, self._text(file)) for file in files]
        return tuple(Document(id=name, text=text) for name, text in texts if text is not None)

    def _text(self, path: Path) -> str | None:
        text = read_tolerantly(path, self.problems)
        if text is not None:
            note_windows_ends(text, path, self.problems, remedy="They were read as plain line ends.")
        return None if text is None else text.replace("\r\n", "\n")

    def campaign(self, *, description: str) -> Campaign:
        topics = tuple(Topic(topic=topic, documents=found) for topic, found in self.documents.items())
        summaries = tuple(summary for topic in self.inputs for summary in self.summaries[topic])
        return Campaign(name=self.path.stem, description=description, topics=topics, summaries=summaries)


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # a name that the system refuses
        return False


def _note(
    problems: Problems,
    path: Path,
    line: int,
    found: str,
    expected: str,
    remedy: str = "Correct the line; paths hold no blanks and are relative to the working folder.",
    *,
    severity: Severity = "error",
) -> None:
    problems.add(severity, file=path, line=line, found=found, expected=expected, remedy=remedy)


FORMAT = Format(
    name="simetrix",
    description="SIMetrix's mapping file with its texts; its .ieval.micro and .ieval.macro tables",
    detector=detect,
    reader=read,
    writer=write,
    options={
        "folder": "what relative paths are relative to (default: the working folder)",
        "config": "the tool's configuration, to see which of our measures it asks for (default: none)",
    },
)
