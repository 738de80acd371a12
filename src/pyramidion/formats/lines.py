"""Text files that go together line by line: a file per system and per set of references, line k is topic k."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from pyramidion.campaign import Campaign, Document, Problems, Topic, plain
from pyramidion.campaign.nouns import Text
from pyramidion.campaign.sources import Readable, telling_names
from pyramidion.errors import UsageError
from pyramidion.files import write_lines
from pyramidion.files.lines import read_text
from pyramidion.files.opening import ending_of
from pyramidion.files.problems import shorten
from pyramidion.formats.base import Format
from pyramidion.formats.files import checked_name, refuse_nothing
from pyramidion.formats.gathering import Gathered
from pyramidion.intake.rows import ENDINGS
from pyramidion.wording import counted

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
        others = [path for path in (self.sources, self.ids) if path is not None]
        return (*self.predictions, *self.references, *others)

    def arguments(self) -> list[str]:
        """The words of a command line that name them."""
        named = [("--predictions", path) for path in self.predictions]
        named += [("--references", path) for path in self.references]
        named += [("--sources", self.sources)] if self.sources else []
        return [word for flag, path in named for word in (flag, str(path))]

    def with_options(self, options: Mapping[str, str], name: str) -> LineFiles:  # noqa: ARG002  # as other sources
        """The same with options of the format."""
        FORMAT.check_options(options)
        listed: dict[str, Any] = {key.replace("-", "_"): value for key, value in options.items() if key != "references"}
        references = [one.strip() for one in options.get("references", "").split(",") if one.strip()]
        return replace(self, references=(*self.references, *references), **listed)

    def read(self, problems: Problems) -> Campaign:
        """The campaign; tables are an error, and so are files of different lengths, which names both numbers."""
        if tables := [path for path in map(Path, self.paths) if _is_table(path)]:
            self._refuse_tables(tables, problems)
            return Campaign()
        read = {Path(path): _lines(Path(path), problems) for path in self.paths}
        first, *others = read
        for path in others:
            if len(read[path]) != len(read[first]) and not problems.errors:
                problems.at(path).error(
                    counted(len(read[path]), "line"),
                    f"{counted(len(read[first]), 'line')}, as in {first}",
                    "Give files that go together line by line; an empty line is an empty summary.",
                )
        if problems.errors:
            return Campaign()
        count = len(read[first])
        ids = read[Path(self.ids)] if self.ids else [str(number) for number in range(1, count + 1)]
        if len(set(ids)) < count or not all(ids):
            problems.at(Path(self.ids or first)).error("an id twice, or none", "each id once", "Correct the ids.")
            return Campaign()
        peers = [Path(path) for path in self.predictions]
        self._note_empty({path: read[path] for path in peers}, problems)
        systems = dict(zip(telling_names(peers), (read[path] for path in peers), strict=True))
        models = {f"ref{number}": read[Path(path)] for number, path in enumerate(self.references, start=1)}
        sources = read[Path(self.sources)] if self.sources else [""] * count
        found = Gathered(peers[0].stem)
        for at, id in enumerate(ids):
            found.topics[id] = Topic(topic=id, documents=self._documents(sources[at]))
            for name, lines in models.items():
                if lines[at].strip() or len(models) == 1:  # of several references, an empty line is none
                    found.named_models[id, name] = self._text(lines[at])
            for name, lines in systems.items():
                found.peers[id, name] = self._text(lines[at])
        return found.campaign()

    def _refuse_tables(self, tables: Sequence[Path], problems: Problems) -> None:
        """Note as errors the files that are tables: their lines are rows, not summaries."""
        for path in tables:
            if len(tables) == len(self.paths):
                remedy = f"Give tables as DATA: {shlex.join(map(str, tables))}; they are joined by topic."
            else:
                remedy = "Write its texts to a text file, one per line; or give tables alone, as DATA."
            problems.at(path).error("a table", "a text file with one text per line", remedy)

    def _text(self, line: str) -> Text:
        if not self.sentence_mark or self.sentence_mark not in line:
            return line
        closing = self.sentence_mark.replace("<", "</")
        parts = line.replace(closing, self.sentence_mark).split(self.sentence_mark)
        return tuple(part.strip() for part in parts if part.strip())

    def _documents(self, line: str) -> tuple[Document, ...]:
        parts = [part.strip() for part in line.split(self.document_mark)] if self.document_mark else [line]
        return tuple(Document(id=str(number), text=part) for number, part in enumerate(filter(None, parts), start=1))

    @staticmethod
    def _note_empty(systems: dict[Path, list[str]], problems: Problems) -> None:
        for path, lines in systems.items():
            empty = [number for number, line in enumerate(lines, start=1) if not line.strip()]
            if empty:
                found = counted(len(empty), "empty line")
                remedy = "They are scored as empty summaries."
                problems.at(path, empty[0]).warning(found, "a summary in each line", remedy, count=len(empty))


def _is_table(path: Path) -> bool:
    """Whether a file is a table: by its ending, or because its first lines are JSON objects."""
    if ending_of(path) in ENDINGS:
        return True
    filled = (line for line in _lines(path, Problems()) if line.strip())
    first_lines = list(islice(filled, LOOKED_AT))
    return bool(first_lines) and all(map(_is_object, first_lines))


def _is_object(line: str) -> bool:
    try:
        return isinstance(msgspec.json.decode(line), dict)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        return False


def _lines(path: Path, problems: Problems) -> list[str]:
    text = read_text(path, problems, windows_ends_are_fine=True)
    if not text:
        return []
    lines = text.replace("\r\n", "\n").split("\n")
    return lines[:-1] if text.endswith("\n") else lines


def _read(paths: Sequence[Path], problems: Problems, **options: str) -> Campaign:
    """The systems' files are given, everything else is named by options."""
    return LineFiles(paths).with_options(options, "").read(problems)


def _write(campaign: Campaign, target: Path, problems: Problems) -> None:
    """A folder with a file per system and per model, ids and sources; line breaks in texts become blanks."""
    topics = list(campaign.given_topics())
    refuse_nothing(any(topic.peers for topic in topics), "no topic has peers")
    for topic in topics:
        if {*"\r\n"} & {*topic.topic.topic}:
            named = shorten(topic.topic.topic)
            raise UsageError(f"the topic {named} can't be a line of {IDS}, because it has a line break; rename it")
    written: set[str] = set()
    for kind in ("models", "peers"):
        names = list(dict.fromkeys(one.summarizer for topic in topics for one in getattr(topic, kind)))
        for name in names:
            _check_name(name)
            if name in written:
                both = f"the summarizer {shorten(name)} has models and peers"
                raise UsageError(f"{both}, which would be in one file; export to another format")
            written.add(name)
            summaries = [one for topic in topics for one in getattr(topic, kind) if one.summarizer == name]
            held = {one.topic: one.text for one in summaries}
            lacking = sum(topic.topic.topic not in held for topic in topics)
            if lacking:
                remedy = "They became empty lines, which are read as empty summaries."
                problems.at(target / f"{name}.txt").warning(
                    f"no summary of {counted(lacking, 'topic')}", "one for each topic", remedy, count=lacking
                )
            lines = [_one_line(plain(held.get(topic.topic.topic, ""))) for topic in topics]
            write_lines(target / f"{name}.txt", [line.encode() for line in lines])
    texts = [plain(one.text) for topic in topics for one in (*topic.models, *topic.peers)]
    texts += [plain(one.text) for topic in topics for one in topic.topic.documents]
    if broken := sum(_one_line(text) != text for text in texts):
        found = f"line breaks in {counted(broken, 'text')}"
        problems.at(target).warning(found, "one line for each text", "They became blanks.", count=broken)
    write_lines(target / IDS, [topic.topic.topic.encode() for topic in topics])
    if any(topic.topic.documents for topic in topics):
        documents = [[_one_line(plain(one.text)) for one in topic.topic.documents] for topic in topics]
        write_lines(target / SOURCES, [f" {DOCUMENT_MARK} ".join(one).encode() for one in documents])


def _check_name(name: str) -> None:
    """Refuse the name of a summarizer that can't be that of a file."""
    if f"{name}.txt" in (IDS, SOURCES):
        raise UsageError(f"the summarizer {name!r} would overwrite {name}.txt; rename it")
    if "/" in name or name.startswith(".") or not name.isprintable():
        raise UsageError(f"the summarizer {shorten(name)} can't be the name of a file; rename it")
    checked_name(name, name)


def _one_line(text: str) -> str:
    return " ".join(text.splitlines())


FORMAT = Format(
    name="lines",
    description="text files that go together line by line, as in sacreBLEU",
    several=True,
    reader=_read,
    writer=_write,
    keeps=frozenset({"topics.bare", "documents", "models"}),
    options=_OPTIONS,
)
