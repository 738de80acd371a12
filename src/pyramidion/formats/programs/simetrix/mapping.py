"""SIMetrix's mapping file: which summary is compared with which input.

A mapping has on each line an input, a system, the path of the input (a text, or a folder of them) and the path of the
summary. An input is a topic, its texts are its documents, a system is a summarizer, and all summaries are peers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pyramidion.campaign import Campaign, Document, Problems, Topic
from pyramidion.files.problems import Place, shorten
from pyramidion.formats.campaign_builder import CampaignBuilder
from pyramidion.formats.glimpse import Glimpse
from pyramidion.formats.programs.simetrix.simetrix_configuration import read_configuration
from pyramidion.formats.programs.simetrix.simetrix_tables import header_of, read_scores
from pyramidion.formats.text_files import base_of, files_in, is_file, is_folder, numbered, read_text
from pyramidion.show.wording import counted

FIELDS = 4
_FIELDS = "the input, the system, the path of the input and the path of the summary"
_REMEDY = "Correct the line; paths contain no blanks and are relative to the working folder."


def detect(glimpse: Glimpse) -> bool:
    """Whether it starts as one of the tables, or with a line of a mapping whose files exist."""
    line = glimpse.first_line
    fields = line.split()
    if header_of(line):
        return True
    if len(fields) != FIELDS:
        return False
    return _leads_to_files(fields, Path()) or _leads_to_files(fields, glimpse.path.parent)


def _leads_to_files(fields: Sequence[str], base: Path) -> bool:
    """Whether a line names an input and a summary in a folder; a list for ROUGE has a file in front as well."""
    topic, _, input, summary = fields
    has_input = is_file(base / input) or is_folder(base / input)
    # A list for ROUGE may have four fields, too, but its first one is a file.
    return has_input and is_file(base / summary) and not is_file(base / topic)


def read(path: Path, problems: Problems, *, folder: Path | str = ".", config: Path | str = "") -> Campaign:
    """The campaign that a mapping describes, or the scores of a micro or macro table.

    Args:
        path: the mapping or the table.
        problems: takes errors (an input is missing) and warnings (a summary is missing, something was repaired).
        folder: the folder that relative paths start from; the working folder, as for SIMetrix.
        config: SIMetrix's configuration; the measures that it asks for become part of the campaign's description.
    """
    text = read_text(path, problems)
    if text is None:
        return Campaign(name=path.stem)
    at = Place(problems, path)
    if header_of(next((line for _, line in numbered(text)), "")):
        return read_scores(text, at)
    rows = list(_rows(text, at))
    if not rows and not problems.errors:
        at.at(1).error(
            found="no summary",
            expected=f"on each line {_FIELDS}",
            remedy=_REMEDY,
        )
    if not rows:
        return Campaign(name=path.stem)
    base = base_of((row.summary for row in rows), Path(folder), at.at(rows[0].line), what="the summaries")
    measures = read_configuration(Path(config), problems) if config else []
    description = f"SIMetrix: {' '.join(measures)}" if measures else ""
    return _campaign(rows, base, at, description=description)


@dataclass(frozen=True)
class _MappingRow:
    line: int
    topic: str
    summarizer: str
    input: str
    summary: str


def _rows(text: str, at: Place) -> Iterator[_MappingRow]:
    """The lines of a mapping; what is no such line is an error, and so is a summary that came before."""
    first: dict[tuple[str, str], int] = {}
    for number, line in numbered(text):
        fields = line.split()
        here = at.at(number)
        if len(fields) != FIELDS:
            here.error(
                found=f"{counted(len(fields), 'field')}: {shorten(line.strip())}",
                expected=f"{FIELDS} fields: {_FIELDS}",
                remedy=_REMEDY,
            )
            continue
        topic, summarizer, input, summary = fields
        name = f"input {shorten(topic)}, system {shorten(summarizer)}"
        expected, remedy = "each input and system once", "Remove one of the lines."
        if here.is_first(first, (topic, summarizer), name, expected=expected, remedy=remedy):
            yield _MappingRow(number, topic, summarizer, input, summary)


def _campaign(rows: Iterable[_MappingRow], base: Path, at: Place, *, description: str) -> Campaign:
    """The texts of a mapping; each input is read once."""
    inputs: dict[str, _MappingRow] = {}
    builder = CampaignBuilder(Path(at.file).stem)
    for row in rows:
        here = at.at(row.line)
        first = inputs.setdefault(row.topic, row)
        if first is row:
            builder.topics[row.topic] = Topic(topic=row.topic, documents=tuple(_documents(base / row.input, here)))
        elif first.input != row.input:
            here.error(
                found=(
                    f"{shorten(row.input)} for input {shorten(row.topic)}, {shorten(first.input)} on line {first.line}"
                ),
                expected="one path for each input",
                remedy="Correct the path.",
            )
        path = base / row.summary
        if not is_file(path):
            here.warning(
                found=f"no file {path}",
                expected="the text of the summary",
                remedy="The summary was skipped; it is not scored.",
            )
        elif (text := read_text(path, at.problems)) is not None:
            builder.peers[row.topic, row.summarizer] = text
    return builder.build(description)


def _documents(input: Path, here: Place) -> Iterator[Document]:
    """The texts of an input, a file or a folder; none is an error."""
    files = [input] if is_file(input) else files_in(input)
    if not files:
        missing = "an empty folder" if is_folder(input) else "no file or folder"
        here.error(
            found=f"{missing} {input}",
            expected="the texts of the input",
            remedy="Correct the path.",
        )
    for file in files:
        text = read_text(file, here.problems)
        if text is not None:
            yield Document(id=file.name, text=text)
