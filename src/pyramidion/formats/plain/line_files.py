"""Text files that go together line by line: a file per system and per set of references, line k is topic k."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path
from typing import Any

import msgspec

from pyramidion.campaign import Campaign, Document, Problems, Summary, Topic, TopicData, plain
from pyramidion.campaign.nouns import Text
from pyramidion.campaign.sources import Readable, distinct_names
from pyramidion.errors import UsageError
from pyramidion.files import write_lines
from pyramidion.files.opening import ending_of, read_text
from pyramidion.files.problems import Place, shorten
from pyramidion.formats.base import Format
from pyramidion.formats.campaign_builder import CampaignBuilder
from pyramidion.formats.json_values import words_of
from pyramidion.formats.text_files import checked_name, require_exportable
from pyramidion.intake.opened import ENDINGS
from pyramidion.show.wording import counted

DOCUMENT_MARK = "|||||"
LOOKED_AT = 20
"""Lines by which JSON is told from text."""
IDS, SOURCES = "ids.txt", "sources.txt"
_OPTIONS = {
    "references": "files of references, separated by commas",
    "sources": "the file of source documents",
    "ids": "the file of topic ids; without it topics are numbered from 1",
    "sentence-mark": "what stands between sentences in a line, such as <q> or <n>",
    "document-mark": f"what stands between documents in a line of the sources; by default {DOCUMENT_MARK}",
}


@dataclass(frozen=True)
class LineFiles(Readable):
    """Summaries in text files, one per line: `score(LineFiles(["a.txt", "b.txt"], ["ref.txt"]))`.

    Args:
        predictions: a file for each system, which is called like it.
        references: a file for each set of references.
        sources: the source documents.
        ids: the ids of the topics; without it they are numbered from 1.
        sentence_mark: what stands between sentences in a line.
        document_mark: what stands between documents in a line of the sources.
    """

    predictions: Sequence[str | Path]
    references: Sequence[str | Path] = ()
    sources: str | Path | None = None
    ids: str | Path | None = None
    sentence_mark: str = ""
    document_mark: str = DOCUMENT_MARK

    @property
    def paths(self) -> tuple[str | Path, ...]:
        """All of the files."""
        single_files = [path for path in (self.sources, self.ids) if path is not None]
        return (*self.predictions, *self.references, *single_files)

    def arguments(self) -> list[str]:
        """The words of a command line that name them."""
        words: list[str] = []
        for path in self.predictions:
            words += ["--predictions", str(path)]
        for path in self.references:
            words += ["--references", str(path)]
        if self.sources:
            words += ["--sources", str(self.sources)]
        return words

    def with_options(self, options: Mapping[str, str], name: str) -> LineFiles:  # noqa: ARG002  # as other sources
        """The same files with options of the format."""
        FORMAT.check_options(options)
        fields: dict[str, Any] = {key.replace("-", "_"): value for key, value in options.items()}
        references = words_of(fields.pop("references", ""))
        return replace(self, references=(*self.references, *references), **fields)

    def read(self, problems: Problems) -> Campaign:
        """The campaign; tables are an error, and so are files of different lengths, which names both numbers."""
        tables = [path for path in map(Path, self.paths) if _is_table(path)]
        if tables:
            self._refuse_tables(tables, problems)
            return Campaign()
        lines_by_path = {Path(path): _lines(Path(path), problems) for path in self.paths}
        self._check_lengths(lines_by_path, problems)
        if problems.errors:
            return Campaign()
        ids = self._topic_ids(lines_by_path, problems)
        if ids is None:
            return Campaign()
        return self._build_campaign(ids, lines_by_path, problems)

    @staticmethod
    def _check_lengths(lines_by_path: Mapping[Path, Sequence[str]], problems: Problems) -> None:
        """Note as an error the first file whose number of lines is not that of the first file."""
        first_path, *later_paths = lines_by_path
        first_count = len(lines_by_path[first_path])
        for path in later_paths:
            count = len(lines_by_path[path])
            if count != first_count and not problems.errors:
                problems.at(path).error(
                    found=counted(count, "line"),
                    expected=f"{counted(first_count, 'line')}, as in {first_path}",
                    remedy="Give files that go together line by line; an empty line is an empty summary.",
                )

    def _topic_ids(self, lines_by_path: Mapping[Path, Sequence[str]], problems: Problems) -> Sequence[str] | None:
        """The ids of the topics, by default numbers from 1; None (and an error) if one is empty or repeated."""
        if not self.ids:
            first_lines = next(iter(lines_by_path.values()))
            return [str(number) for number in range(1, len(first_lines) + 1)]
        ids = lines_by_path[Path(self.ids)]
        if len(set(ids)) < len(ids) or not all(ids):
            problems.at(Path(self.ids)).error(
                found="an id twice, or none",
                expected="each id once",
                remedy="Correct the ids.",
            )
            return None
        return ids

    def _build_campaign(
        self, ids: Sequence[str], lines_by_path: Mapping[Path, Sequence[str]], problems: Problems
    ) -> Campaign:
        """The campaign in lines that go together."""
        prediction_paths = [Path(path) for path in self.predictions]
        system_lines = [lines_by_path[path] for path in prediction_paths]
        _warn_about_empty_lines(prediction_paths, system_lines, problems)
        systems = dict(zip(distinct_names(prediction_paths), system_lines, strict=True))
        models = {f"ref{number}": lines_by_path[Path(path)] for number, path in enumerate(self.references, start=1)}
        builder = CampaignBuilder(prediction_paths[0].stem)
        for index, id in enumerate(ids):
            source = lines_by_path[Path(self.sources)][index] if self.sources else ""
            builder.topics[id] = Topic(topic=id, documents=self._documents(source))
            for name, lines in models.items():
                is_only_model = len(models) == 1
                if is_only_model or lines[index].strip():  # of several references, an empty line is none
                    builder.named_models[id, name] = self._text(lines[index])
            for name, lines in systems.items():
                builder.peers[id, name] = self._text(lines[index])
        return builder.build()

    def _refuse_tables(self, tables: Sequence[Path], problems: Problems) -> None:
        """Note as errors the files that are tables: their lines are rows, not summaries."""
        if len(tables) == len(self.paths):
            remedy = f"Give tables as DATA: {shlex.join(map(str, tables))}; they are joined by topic."
        else:
            remedy = "Write its texts to a text file, one per line; or give tables alone, as DATA."
        for path in tables:
            problems.at(path).error(
                found="a table",
                expected="a text file with one text per line",
                remedy=remedy,
            )

    def _text(self, line: str) -> Text:
        """The text of a line, split into sentences if it has the mark between them."""
        if not self.sentence_mark or self.sentence_mark not in line:
            return line
        closing_mark = self.sentence_mark.replace("<", "</")
        sentences = line.replace(closing_mark, self.sentence_mark).split(self.sentence_mark)
        return tuple(sentence.strip() for sentence in sentences if sentence.strip())

    def _documents(self, line: str) -> tuple[Document, ...]:
        """The documents in a line of the sources, numbered from 1."""
        texts = [line]
        if self.document_mark:
            texts = [text.strip() for text in line.split(self.document_mark)]
        filled_texts = filter(None, texts)
        return tuple(Document(id=str(number), text=text) for number, text in enumerate(filled_texts, start=1))


def _warn_about_empty_lines(paths: Sequence[Path], system_lines: Sequence[Sequence[str]], problems: Problems) -> None:
    """Warn once for each system about its empty summaries."""
    for path, lines in zip(paths, system_lines, strict=True):
        empty_lines = [number for number, line in enumerate(lines, start=1) if not line.strip()]
        if empty_lines:
            problems.at(path, empty_lines[0]).warning(
                found=counted(len(empty_lines), "empty line"),
                expected="a summary in each line",
                remedy="They are scored as empty summaries.",
                count=len(empty_lines),
            )


def _is_table(path: Path) -> bool:
    """Whether a file is a table: by its ending, or because its first lines are JSON objects."""
    if ending_of(path) in ENDINGS:
        return True
    filled_lines = (line for line in _lines(path, Problems()) if line.strip())
    first_lines = list(islice(filled_lines, LOOKED_AT))
    return bool(first_lines) and all(map(_is_object, first_lines))


def _is_object(line: str) -> bool:
    """Whether a line is a JSON object."""
    try:
        return isinstance(msgspec.json.decode(line), dict)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        return False


def _lines(path: Path, problems: Problems) -> list[str]:
    """The lines of a file, empty ones included; the last may end in a line break or not."""
    text = read_text(path, problems, windows_ends_are_fine=True)
    if not text:
        return []
    lines = text.replace("\r\n", "\n").split("\n")
    if text.endswith("\n"):
        lines.pop()
    return lines


def read(paths: Sequence[Path], problems: Problems, **options: str) -> Campaign:
    """The campaign in the files of the systems; options name all other files."""
    return LineFiles(paths).with_options(options, "").read(problems)


def write(campaign: Campaign, target: Path, problems: Problems) -> None:
    """A folder with a file per system and per model, ids and sources; line breaks in texts become blanks.

    Raises:
        UsageError: if an id can't be a line, or the name of a summarizer can't be that of a file.
    """
    topics = list(campaign.given_topics())
    require_exportable(any(topic.peers for topic in topics), "no topic has peers")
    for topic in topics:
        _check_id(topic.topic.topic)
    models = _texts_by_summarizer(chain.from_iterable(topic.models for topic in topics))
    peers = _texts_by_summarizer(chain.from_iterable(topic.peers for topic in topics))
    for name in models:
        _check_name(name)
        _write_summarizer(name, models[name], topics, target, problems)
    for name in peers:
        _check_name(name)
        if name in models:
            raise UsageError(
                f"the summarizer {shorten(name)} has models and peers, which would be in one file; export to another "
                "format"
            )
        _write_summarizer(name, peers[name], topics, target, problems)
    _warn_about_line_breaks(topics, problems.at(target))
    write_lines(target / IDS, [topic.topic.topic.encode() for topic in topics])
    if any(topic.topic.documents for topic in topics):
        write_lines(target / SOURCES, [_source_line(topic).encode() for topic in topics])


def _texts_by_summarizer(summaries: Iterable[Summary]) -> dict[str, dict[str, Text]]:
    """The texts of each summarizer by topic, in the order in which summarizers first occur."""
    texts: dict[str, dict[str, Text]] = {}
    for summary in summaries:
        texts.setdefault(summary.summarizer, {})[summary.topic] = summary.text
    return texts


def _write_summarizer(
    name: str, texts: Mapping[str, Text], topics: Sequence[TopicData], target: Path, problems: Problems
) -> None:
    """Write the file of a summarizer, with an empty line for each topic that it has no summary of."""
    path = target / f"{name}.txt"
    ids = [topic.topic.topic for topic in topics]
    missing = sum(id not in texts for id in ids)
    if missing:
        problems.at(path).warning(
            found=f"no summary of {counted(missing, 'topic')}",
            expected="one for each topic",
            remedy="They became empty lines, which are read as empty summaries.",
            count=missing,
        )
    lines = [_one_line(plain(texts.get(id, ""))) for id in ids]
    write_lines(path, [line.encode() for line in lines])


def _source_line(topic: TopicData) -> str:
    """The documents of a topic on one line."""
    texts = [_one_line(plain(document.text)) for document in topic.topic.documents]
    return f" {DOCUMENT_MARK} ".join(texts)


def _warn_about_line_breaks(topics: Iterable[TopicData], at: Place) -> None:
    """Warn once about all texts that lose their line breaks."""
    broken = 0
    for topic in topics:
        texts = [plain(summary.text) for summary in (*topic.models, *topic.peers)]
        texts += [plain(document.text) for document in topic.topic.documents]
        broken += sum(_one_line(text) != text for text in texts)
    if broken:
        at.warning(
            found=f"line breaks in {counted(broken, 'text')}",
            expected="one line for each text",
            remedy="They became blanks.",
            count=broken,
        )


def _check_id(topic: str) -> None:
    """Refuse a topic whose id can't be a line.

    Raises:
        UsageError: if it has a line break.
    """
    if "\n" in topic or "\r" in topic:
        raise UsageError(f"the topic {shorten(topic)} can't be a line of {IDS}, because it has a line break; rename it")


def _check_name(name: str) -> None:
    """Refuse the name of a summarizer that can't be that of a file.

    Raises:
        UsageError: if it is taken by another file, or has characters that file names can't have.
    """
    if f"{name}.txt" in (IDS, SOURCES):
        raise UsageError(f"the summarizer {name!r} would overwrite {name}.txt; rename it")
    if "/" in name or name.startswith(".") or not name.isprintable():
        raise UsageError(f"the summarizer {shorten(name)} can't be the name of a file; rename it")
    checked_name(name, name)


def _one_line(text: str) -> str:
    """The text with blanks for line breaks."""
    return " ".join(text.splitlines())


FORMAT = Format(
    name="lines",
    description="text files that go together line by line, as in sacreBLEU",
    several=True,
    reader=read,
    writer=write,
    keeps=frozenset({"topics.bare", "documents", "models"}),
    options=_OPTIONS,
)
