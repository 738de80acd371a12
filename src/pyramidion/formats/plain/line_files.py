"""A file per system and per set of references: text files go together line by line, tables by their topics."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

from pyramidion.campaign import Campaign, Document, Problems, Summary, Topic, TopicData, plain
from pyramidion.campaign.nouns import Text
from pyramidion.campaign.sources import Readable, distinct_names
from pyramidion.errors import UsageError
from pyramidion.files import write_lines
from pyramidion.files.problems import Place, shorten
from pyramidion.formats.base import Format
from pyramidion.formats.campaign_builder import CampaignBuilder
from pyramidion.formats.json_values import words_of
from pyramidion.formats.plain.text_series import SeriesRole, TextSeries, read_series
from pyramidion.formats.text_files import checked_name, require_exportable
from pyramidion.show.wording import counted

DOCUMENT_MARK = "|||||"
IDS, SOURCES = "ids.txt", "sources.txt"
_OPTIONS = {
    "references": "files of references, separated by commas",
    "sources": "the file of source documents",
    "ids": "the file of topic ids; without it topics are numbered from 1",
    "sentence-mark": "what stands between sentences in a line, such as <q> or <n>",
    "document-mark": f"what stands between documents in a line of the sources; by default {DOCUMENT_MARK}",
}


_SeriesByFile = dict[tuple[Path, SeriesRole], TextSeries]
"""By file and what is read from it, the texts."""


@dataclass(frozen=True)
class LineFiles(Readable):
    """Summaries in text files, one per line, or in tables: `score(LineFiles(["a.txt", "b.txt"], ["ref.txt"]))`.

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
        """The campaign; text files go together line by line, tables by topic if all of them name topics."""
        roles = self._roles()
        series: _SeriesByFile = {}
        for path, role in roles:
            texts = read_series(path, role, problems)
            if texts is not None:
                series[path, role] = texts
        if problems.errors or len(series) < len(roles):
            return Campaign()
        topics = self._topics(series, problems)
        if topics is None:
            return Campaign()
        return self._build_campaign(topics, series, problems)

    def _roles(self) -> list[tuple[Path, SeriesRole]]:
        """The files, each with what is read from it; a table may have references and documents."""
        roles: list[tuple[Path, SeriesRole]] = [(Path(path), "summary") for path in self.predictions]
        roles += [(Path(path), "references") for path in self.references]
        if self.sources is not None:
            roles.append((Path(self.sources), "documents"))
        if self.ids is not None:
            roles.append((Path(self.ids), "topic"))
        return list(dict.fromkeys(roles))

    def _topics(self, series: _SeriesByFile, problems: Problems) -> Sequence[str] | None:
        """The ids of the topics; None (and an error) if the files do not go together."""
        files = list(series.values())
        if self.ids is not None:
            _check_lengths(files, problems)
            return _distinct_ids(series[Path(self.ids), "topic"], problems)
        tables = [texts for texts in files if texts.topics is not None]
        # By topic only if every file names topics: a text file has nothing but the order of its lines.
        if len(tables) == len(files):
            return _join_topics(tables, problems)
        _check_lengths(files, problems)
        _check_orders(tables, problems)
        if problems.errors:
            return None
        if tables:
            return tables[0].topics
        return [str(number) for number in range(1, len(files[0].texts) + 1)]

    def _build_campaign(self, topics: Sequence[str], series: _SeriesByFile, problems: Problems) -> Campaign:
        """The campaign in files that go together."""
        if problems.errors:
            return Campaign()
        prediction_paths = [Path(path) for path in self.predictions]
        _warn_about_empty_texts([series[path, "summary"] for path in prediction_paths], problems)
        names = distinct_names(prediction_paths)
        systems = {
            name: series[path, "summary"].by_topic(topics) for name, path in zip(names, prediction_paths, strict=True)
        }
        references = [series[Path(path), "references"].by_topic(topics) for path in self.references]
        sources: Mapping[str, Any] = {}
        if self.sources is not None:
            sources = series[Path(self.sources), "documents"].by_topic(topics)
        builder = CampaignBuilder(prediction_paths[0].stem)
        for topic in topics:
            builder.topics[topic] = Topic(topic=topic, documents=self._documents(sources.get(topic, "")))
            for number, text in enumerate(_reference_texts(references, topic), start=1):
                builder.named_models[topic, f"ref{number}"] = self._text(text)
            for name, texts in systems.items():
                if topic in texts:
                    builder.peers[topic, name] = self._text(texts[topic])
        return builder.build()

    def _text(self, text: str | list[str]) -> Text:
        """A text, split into sentences if it is a list of them or has the mark between them."""
        if isinstance(text, list):
            return tuple(text)
        if not self.sentence_mark or self.sentence_mark not in text:
            return text
        # Some data sets close each sentence as well: <t> … </t>.
        closing_mark = self.sentence_mark.replace("<", "</")
        sentences = text.replace(closing_mark, self.sentence_mark).split(self.sentence_mark)
        return tuple(sentence.strip() for sentence in sentences if sentence.strip())

    def _documents(self, source: str | list[str]) -> tuple[Document, ...]:
        """The documents in a list or in a line of the sources, numbered from 1."""
        if isinstance(source, list):
            texts = source
        elif self.document_mark:
            texts = [text.strip() for text in source.split(self.document_mark)]
        else:
            texts = [source]
        filled_texts = filter(None, texts)
        return tuple(Document(id=str(number), text=text) for number, text in enumerate(filled_texts, start=1))


def _reference_texts(references: Sequence[Mapping[str, Any]], topic: str) -> list[str]:
    """The references of a topic in all files; of several, an empty one is none."""
    texts: list[str] = []
    for text_by_topic in references:
        text = text_by_topic.get(topic)
        if isinstance(text, list):
            texts += text
        elif text is not None:
            texts.append(text)
    # The only reference of a topic stays, even if it is empty: line by line, something must stand there.
    if len(references) == 1 and len(texts) <= 1:
        return texts
    return [text for text in texts if text.strip()]


def _check_lengths(files: Sequence[TextSeries], problems: Problems) -> None:
    """Note as an error the first file that has not as many texts as the first one."""
    first, *later = files
    for texts in later:
        if len(texts.texts) != len(first.texts):
            problems.at(texts.path).error(
                found=counted(len(texts.texts), "line"),
                expected=f"{counted(len(first.texts), 'line')}, as in {first.path}",
                remedy="Give files that go together line by line; an empty line is an empty summary.",
            )
            return


def _check_orders(tables: Sequence[TextSeries], problems: Problems) -> None:
    """Note as an error a table that names its topics in another order than the first: lines would not go together."""
    for texts in tables[1:]:
        if texts.topics != tables[0].topics:
            problems.at(texts.path).error(
                found="other topics, or another order of them",
                expected=f"those of {tables[0].path}, because the text files go together with them line by line",
                remedy="Sort both tables by topic, or give all texts as tables with a column of topics.",
            )
            return


def _distinct_ids(ids: TextSeries, problems: Problems) -> Sequence[str] | None:
    """The ids of topics in a file; None (and an error) if one is empty or repeated."""
    if len(set(ids.texts)) < len(ids.texts) or not all(ids.texts):
        problems.at(ids.path).error(
            found="an id twice, or none",
            expected="each id once",
            remedy="Correct the ids.",
        )
        return None
    return ids.texts


def _join_topics(tables: Sequence[TextSeries], problems: Problems) -> Sequence[str] | None:
    """The topics of all tables; None (and an error) if a table shares none with the first."""
    topics: dict[str, None] = {}
    for texts in tables:
        named = dict.fromkeys(texts.topics or ())
        if topics and topics.keys().isdisjoint(named):
            problems.at(texts.path).error(
                found=f"no topic of {tables[0].path}",
                expected="the same ids of topics in both",
                remedy="Correct the ids, or leave them out: rows then go together by their number.",
            )
            return None
        topics |= named
    return list(topics)


def _warn_about_empty_texts(systems: Sequence[TextSeries], problems: Problems) -> None:
    """Warn once for each system about its empty summaries."""
    for series in systems:
        empty_lines = [number for number, text in enumerate(series.texts, start=1) if not _has_words(text)]
        if empty_lines:
            problems.at(series.path, empty_lines[0]).warning(
                found=counted(len(empty_lines), "empty line"),
                expected="a summary in each line",
                remedy="They are scored as empty summaries.",
                count=len(empty_lines),
            )


def _has_words(text: str | list[str]) -> bool:
    """Whether a text, or a sentence of it, is not empty."""
    if isinstance(text, list):
        return any(sentence.strip() for sentence in text)
    return bool(text.strip())


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
