"""folder: plain text files, one per document and summary, under topics/<id>/docs, models and peers; both ways.

Also read: <topic>/models and peers without topics/; a folder for each system with a text for each topic, beside models
and docs; files with NIST's names; a folder with its own models/ or peers/, a single topic; and a folder with nothing
but texts, the models of a topic: what one needs to start a pyramid. Texts need not end in .txt.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal
from urllib.parse import unquote

import msgspec

from pyramidion.campaign import Campaign, Document, Judgment, Problems, Summary, Topic, plain
from pyramidion.campaign.nouns import Text
from pyramidion.files import make_folder
from pyramidion.files.problems import Place, shorten
from pyramidion.formats.base import Format
from pyramidion.formats.json_values import document_of
from pyramidion.formats.nist_file_names import parse_nist_name
from pyramidion.formats.text_files import (
    file_name_of,
    files_in,
    is_file,
    is_folder,
    number_of,
    read_plain,
    read_table,
    refuse_nothing,
    save,
)
from pyramidion.wording import counted, listed

TOPICS = "topics"
FOLDERS = ("docs", "background", "models", "peers")
JUDGMENTS = "judgments.csv"
COLUMNS = ("topic", "summarizer", "assessor", "question", "value")
RUN = "run"
"""A further column, where a program judged some summary several times."""
_DESCRIBED = ("title", "narrative", "parent", "part")
_ENDING = ".txt"
_OTHER = frozenset(
    (
        *(".json", ".jsonl", ".csv", ".tsv", ".md", ".rst", ".xml", ".html", ".htm", ".sgml", ".toml", ".yaml", ".yml"),
        *(".py", ".sh", ".pl", ".pdf", ".doc", ".docx", ".zip", ".gz", ".tgz", ".tar", ".parquet", ".pkl", ".pyr"),
        *(".pan", ".in", ".out", ".table", ".avg", ".log", ".png", ".jpg"),
    )
)
"""Endings of files that are no texts of summaries or documents."""
_ABOUT = re.compile(r"readme|licen[cs]e|copying|notice|changelog", re.IGNORECASE)
_OF_MODELS = frozenset({"model", "models", "reference", "references", "ref", "refs", "gold", "target", "targets"})
_OF_DOCUMENTS = frozenset({"docs", "documents", "document", "sources", "source", "articles", "inputs", "input"})

Kind = Literal["model", "peer"]


def detect_folder(folder: Path) -> bool:
    """Whether there are topics with texts, systems with the same topics, or texts and nothing else."""
    if is_folder(folder / TOPICS):
        return any(is_folder(topic / name) for topic in _folders(folder / TOPICS) for name in FOLDERS)
    others = (path for path in files_in(folder) if path.suffix.lower() in _OTHER and not _ABOUT.match(path.name))
    if any(path.name != JUDGMENTS for path in others):
        return any(files_in(folder / name, _ENDING) for name in ("models", "peers"))
    if any(_texts_in(place) for name in ("models", "peers") for place in (folder / name, *_folders(folder / name))):
        return True
    inner = _folders(folder)
    if any(_texts_in(place / name) for place in inner for name in ("models", "peers")):
        return True
    visible = [path for path in folder.iterdir() if not path.name.startswith(".")]
    if not visible:
        return False
    if inner and len(inner) == len(visible):
        names = Counter(_id_of(path) for place in inner for path in _texts_in(place))
        return len(inner) > 1 and bool(names) and max(names.values()) > 1 and not any(map(_folders, inner))
    return all(path.suffix == _ENDING or parse_nist_name(path.name) for path in visible if is_file(path)) and not inner


def read(
    folder: Path,
    problems: Problems,
    *,
    topic: str = "",
    kind: Kind = "model",
    folders: Literal["", "systems", "topics"] = "",
    known: Collection[str] = (),
) -> Campaign:
    """The campaign in the folder.

    Args:
        folder: with topics/, or with models/ and peers/ of one topic, or a folder for each topic or system, or with
            texts alone.
        problems: takes errors and warnings.
        topic: the name of a single topic (default: the name of the folder).
        kind: what bare texts are, "model" or "peer".
        folders: what folders of texts are, "systems" or "topics" (default: systems).
        known: topics of the campaign that the texts belong to: a folder of texts named like these is a system.
    """
    reading = _Reading(problems)
    at = Place(problems, folder)
    if not is_folder(folder):
        at.error("no folder", f"a folder with {TOPICS}/", "Check the path.")
    else:
        reading.add_all(folder, topic=topic, kind=kind, folders=folders, known=known)
    if not reading.has_texts and not problems.errors:
        at.error(
            "no texts",
            f"{TOPICS}/<id>/models/*{_ENDING}; or <topic>/peers/*, <system>/<topic>{_ENDING}, NIST's file names, or "
            f"texts alone",
            "Check the path.",
        )
    if is_file(folder / JUDGMENTS):
        reading.add_judgments(folder / JUDGMENTS)
    return Campaign(
        name=folder.resolve().name,
        word_limit=reading.word_limit,
        topics=tuple(reading.topics.values()),
        summaries=tuple(reading.summaries.values()),
        judgments=tuple(reading.judgments),
    )


def read_documents(folder: Path, problems: Problems, *, known: Collection[str] = ()) -> tuple[Topic, ...]:
    """The documents of topics: <topic>/docs/*, <topic>/* or <topic>.txt; with topics/ or without."""
    reading = _Reading(problems)
    root = folder / TOPICS if is_folder(folder / TOPICS) else folder
    for place in _folders(root):
        if any(is_folder(place / name) for name in FOLDERS):
            reading.add_topic(place, unquote(place.name))
        else:
            reading.add_documents(unquote(place.name), place)
    if not reading.topics and any(is_folder(root / name) for name in FOLDERS):
        reading.add_topic(root, root.resolve().name)
    if not reading.topics:
        files = _texts_in(root)
        if root.resolve().name in known and not any(_id_of(path) in known for path in files):
            reading.add_documents(root.resolve().name, root)
        else:
            for path in files:
                reading.add_document(_id_of(path), path)
    topics = tuple(one for one in reading.topics.values() if one.documents or one.background)
    if not topics and not problems.errors:
        expected = f"<topic>/docs/*{_ENDING}, <topic>/*{_ENDING} or <topic>{_ENDING}"
        Place(problems, folder).error("no texts", expected, "Check the path.")
    return topics


class _Reading:
    def __init__(self, problems: Problems) -> None:
        self.problems = problems
        self.topics: dict[str, Topic] = {}
        self.summaries: dict[tuple[str, str], Summary] = {}
        self.judgments: list[Judgment] = []
        self._limits: set[int] = set()

    @property
    def word_limit(self) -> int | None:
        """The word limit that NIST's file names give, if it is one."""
        return next(iter(self._limits)) if len(self._limits) == 1 else None

    @property
    def has_texts(self) -> bool:
        """Whether there is any summary or document."""
        return bool(self.summaries) or any(topic.documents or topic.background for topic in self.topics.values())

    def add_all(self, folder: Path, *, topic: str, kind: Kind, folders: str, known: Collection[str]) -> None:
        """Everything in a folder, whatever its layout."""
        inner = {place.name: place for place in _folders(folder)}
        name = topic or folder.resolve().name
        texts = _texts_in(folder)
        sides = [folder / side for side in ("models", "peers") if side in inner]
        if TOPICS in inner:
            for place in _folders(folder / TOPICS):
                self.add_topic(place, unquote(place.name))
        elif any(_is_nist(place) for place in sides):
            for place in sides:
                self.add_named(place)
        elif any(map(_folders, sides)) or (sides and not topic and self._has_systems(inner, folders)):
            self.add_systems([*inner.values()], known)
        elif folder.resolve().name.lower() in _OF_MODELS and any(map(_texts_in, inner.values())):
            self.add_systems([folder], known)
        elif any(side in inner for side in FOLDERS):
            self.add_topic(folder, name)
        elif any(is_folder(place / side) for place in inner.values() for side in FOLDERS):
            for place in inner.values():
                self.add_topic(place, unquote(place.name))
        elif folders == "topics" and inner:
            for place in inner.values():
                self.add_bare(place, unquote(place.name), kind)
        elif _is_nist(folder):
            self.add_named(folder)
        elif any(map(_texts_in, inner.values())):
            self.add_systems([*inner.values()], known)
        elif not topic and any(_id_of(path) in known for path in texts):
            self.add_system(folder, kind="model" if folder.resolve().name.lower() in _OF_MODELS else kind)
        else:
            self.add_bare(folder, name, kind)

    @staticmethod
    def _has_systems(inner: Mapping[str, Path], folders: str) -> bool:
        """Whether there are folders of systems beside that of the models."""
        others = [place for name, place in inner.items() if name not in (*FOLDERS, *_OF_MODELS, *_OF_DOCUMENTS)]
        texts = any(_texts_in(part) for place in others for part in (place, *_folders(place)))
        return "peers" not in inner and folders != "topics" and texts

    def add_systems(self, places: Iterable[Path], known: Collection[str]) -> None:
        """A folder for each system with a text for each topic; models and documents likewise."""
        later: list[Path] = []
        for place in places:
            if place.name == "peers":
                for system in _folders(place):
                    self.add_system(system, kind="peer")
            elif place.name.lower() in _OF_MODELS or place.name.lower() in _OF_DOCUMENTS:
                later.append(place)
            elif _is_nist(place):
                self.add_named(place)
            elif not _texts_in(place):  # such as runs/: a folder of systems
                self.add_systems(_folders(place), known)
            else:
                self.add_system(place, kind="peer")
        topics = {*self.topics, *known}
        for place in later:
            documents = place.name.lower() in _OF_DOCUMENTS
            for path in _texts_in(place):
                if documents:
                    self.add_document(_id_of(path), path)
            if not documents and _texts_in(place):
                self.add_system(place, kind="model")
            for part in _folders(place):
                if documents:
                    self.add_documents(unquote(part.name), part)
                elif unquote(part.name) in topics:
                    self._add_summaries(part, self._topic(unquote(part.name)), "model")
                else:
                    self.add_system(part, kind="model")

    def add_system(self, folder: Path, *, kind: Kind) -> None:
        """The texts of one summarizer, each named by its topic."""
        if _is_nist(folder):
            self.add_named(folder)
            return
        self._note_left_out(folder)
        for path, id, text in self._texts(folder):
            self._add(path, Summary(topic=self._topic(id), summarizer=unquote(folder.name), kind=kind, text=text))

    def add_named(self, folder: Path) -> None:
        """Texts with NIST's file names; letters name humans, who write models."""
        zeros = 0
        for path in files_in(folder):
            named = parse_nist_name(path.name)
            if named is None:
                Place(self.problems, path).warning("another name", "NIST's file names", "It was left out.")
                continue
            text = read_plain(path, self.problems)
            if text is None:
                continue
            who = named.summarizer.lstrip("0") or "0"
            zeros += who != named.summarizer
            self._limits.add(named.length)
            self._topic(named.topic, selector=named.selector)
            kind: Kind = "model" if named.human else "peer"
            self._add(path, Summary(topic=named.topic, summarizer=who, kind=kind, text=text), quietly=True)
        if zeros:
            found = f"{counted(zeros, 'system')} with a zero in front"
            Place(self.problems, folder).warning(found, "1, not 01", "The zeros were dropped.", count=zeros)

    def add_documents(self, topic: str, folder: Path) -> None:
        """The texts of a folder as the documents of a topic."""
        for path in _texts_in(folder):
            self.add_document(topic, path, id=_id_of(path))

    def add_document(self, topic: str, path: Path, *, id: str = "1") -> None:
        """One text as a document of a topic."""
        text = read_plain(path, self.problems)
        if text is not None:
            known = self.topics.get(topic) or Topic(topic=topic)
            self.topics[topic] = msgspec.structs.replace(
                known, documents=(*known.documents, Document(id=id, text=text))
            )

    def _topic(self, id: str, **attributes: str) -> str:
        """A topic that a text belongs to; it is known from then on."""
        self.topics.setdefault(id, Topic(topic=id, attributes=dict(attributes)))
        return id

    def add_topic(self, folder: Path, id: str) -> None:
        described = self._description(folder / "topic.json")
        documents = described.get("documents")
        facts = documents if isinstance(documents, dict) else {}
        title, narrative, parent, part = (str(described.get(name) or "") for name in _DESCRIBED)
        self.topics[id] = Topic(
            topic=id,
            title=title,
            narrative=narrative,
            parent=parent,
            part=part,
            attributes=self._attributes(described.get("attributes", {}), folder / "topic.json"),
            documents=tuple(self._documents(folder / "docs", facts)),
            background=tuple(self._documents(folder / "background", facts)),
        )
        self._add_summaries(folder / "models", id, "model")
        self._add_summaries(folder / "peers", id, "peer")
        for place in _folders(folder):
            if place.name not in FOLDERS:
                Place(self.problems, place).warning("an unknown folder", ", ".join(FOLDERS), "It was left out.")

    def _attributes(self, given: Any, path: Path) -> dict[str, str | int | float | bool]:
        if isinstance(given, dict) and all(isinstance(one, str | int | float | bool) for one in given.values()):
            return given
        expected = 'an object of names and values, such as {"granularity": "specific"}'
        Place(self.problems, path).error(shorten(given), expected, "Correct it.", field="attributes")
        return {}

    def add_bare(self, folder: Path, id: str, kind: Kind) -> None:
        if _texts_in(folder):
            self._note_left_out(folder)
            self._add_summaries(folder, self._topic(id), kind)

    def _note_left_out(self, folder: Path) -> None:
        """Files that do not look like texts are named once."""
        texts = set(_texts_in(folder))
        left = [path.name for path in files_in(folder) if path not in texts and path.name != JUDGMENTS]
        if left:
            found = f"{counted(len(left), 'file')} that {'is' if len(left) == 1 else 'are'} no text: {listed(left)}"
            Place(self.problems, folder).warning(found, "texts", "Left out.", count=len(left))

    def _description(self, path: Path) -> dict[str, Any]:
        described = document_of(path, self.problems) if is_file(path) else {}
        at = Place(self.problems, path)
        if not isinstance(described, dict):
            if described is not None:
                at.at(1).error(shorten(described), 'an object such as {"title": "…"}', "Correct it.")
            return {}
        known = (*_DESCRIBED, "documents", "attributes")
        for key in described.keys() - set(known):
            at.warning(f"the key {shorten(key)}", ", ".join(known), "It was left out.")
        return described

    def _texts(self, folder: Path) -> Iterator[tuple[Path, str, str]]:
        """The texts of a folder, with their paths and the ids in their names."""
        for path in _texts_in(folder):
            text = read_plain(path, self.problems)
            if text is not None:
                yield path, _id_of(path), text

    def _documents(self, folder: Path, facts: dict[str, Any]) -> Iterator[Document]:
        for _, id, text in self._texts(folder):
            given = facts.get(id)
            known = given if isinstance(given, dict) else {}
            date, headline = (str(known.get(key) or "") for key in ("date", "headline"))
            yield Document(id=id, text=text, date=date, headline=headline)

    def _add_summaries(self, folder: Path, topic: str, kind: Kind) -> None:
        for path, id, text in self._texts(folder):
            self._add(path, Summary(topic=topic, summarizer=id, kind=kind, text=text))

    def _add(self, path: Path, summary: Summary, *, quietly: bool = False) -> None:
        """A summary, unless the same was there before; `quietly` if that is usual."""
        at = Place(self.problems, path)
        if not plain(summary.text).strip():
            remedy = "It is scored as it is; remove the file if the summary is missing."
            at.warning("an empty text", "some words", remedy)
        known = self.summaries.setdefault((summary.topic, summary.summarizer), summary)
        if known is summary or (quietly and known.text == summary.text):
            return
        if known.text == summary.text:
            remedy = "It was kept as a model; --peers humans scores it against the others."
            at.warning("a model among the peers", "a peer", remedy)
        else:
            found = f"another text of {summary.summarizer!r} than among the {known.kind}s"
            at.error(found, "one text of each summarizer", "Rename one of the two.")

    def add_judgments(self, path: Path) -> None:
        needed = [name for name in COLUMNS if name != "assessor"]
        first: dict[tuple[str, ...], int] = {}
        for line, row in read_table(path, self.problems, needed, strict=True):
            *key, given = (row.get(name, "") for name in COLUMNS)
            topic, summarizer, assessor, question = key
            value, run = _number(given), _number(row.get(RUN) or "1")
            at = Place(self.problems, path, line)
            if value is None:
                at.at(line, "value").error(shorten(given), "a number", "Correct the value.")
            elif not isinstance(run, int) or run < 1:
                at.at(line, RUN).error(shorten(row[RUN]), "a whole number of at least 1", "Correct the value.")
            elif (topic, summarizer) not in self.summaries:
                found = f"({topic!r}, {summarizer!r})"
                at.error(found, "a summary of the folder", "Correct the names, or add the text.")
            elif not question:
                at.at(line, "question").error("no question", "the name of a question", "Add it.")
            elif at.is_first(
                first,
                (*key, str(run)),
                repr(tuple(key)),
                expected="each judgment once",
                remedy="Remove one of the two.",
            ):
                answer = Judgment(topic=topic, summarizer=summarizer, assessor=assessor, question=question, value=value)
                self.judgments.append(msgspec.structs.replace(answer, run=run))


def _number(text: str) -> int | float | None:
    if re.fullmatch(r"\s*[+-]?[0-9]{1,18}\s*", text, re.ASCII):
        return int(text)
    return number_of(text)


def _texts_in(folder: Path) -> list[Path]:
    """The files of a folder that can be texts: .txt, or without an ending that says otherwise."""
    found = files_in(folder)
    return [path for path in found if path.suffix.lower() not in _OTHER and not _ABOUT.match(path.name)]


def _is_nist(folder: Path) -> bool:
    """Whether texts have NIST's file names: most of them, should there be others."""
    found = _texts_in(folder)
    return bool(found) and 2 * sum(parse_nist_name(path.name) is not None for path in found) > len(found)


def _id_of(path: Path) -> str:
    """The id in the name of a text."""
    return unquote(path.name.removesuffix(_ENDING))


def _folders(folder: Path) -> list[Path]:
    found = (path for path in folder.iterdir() if not path.name.startswith(".")) if is_folder(folder) else ()
    return sorted(path for path in found if is_folder(path))


def write(campaign: Campaign, target: Path, problems: Problems) -> None:  # noqa: ARG001  # as other formats
    """Write every text under `target`, and the judgments."""
    topics = list(campaign.given_topics())
    texts = [(*one.models, *one.peers, *one.topic.documents, *one.topic.background) for one in topics]
    refuse_nothing(any(texts), "no topic has a text")
    for data in topics:
        folder = target / TOPICS / file_name_of(data.topic.topic)
        make_folder(folder)
        _write_topic(folder, data.topic)
        for model in data.models:
            _save(folder / "models", model.summarizer, model.text)
        for peer in data.peers:
            _save(folder / "peers", peer.summarizer, peer.text)
    written = {(one.topic, one.summarizer) for one in campaign.summaries if not one.extra}
    _write_judgments(target / JUDGMENTS, [one for one in campaign.judgments if (one.topic, one.summarizer) in written])


def _write_judgments(path: Path, judgments: Sequence[Judgment]) -> None:
    columns = (*COLUMNS, RUN) if any(one.run > 1 for one in judgments) else COLUMNS
    rows = [[str(getattr(judgment, name)) for name in columns] for judgment in judgments]
    if rows:
        save(path, "".join(map(_csv_row, [list(columns), *rows])))


def _write_topic(folder: Path, topic: Topic) -> None:
    described: dict[str, Any] = {
        name: getattr(topic, name) for name in (*_DESCRIBED, "attributes") if getattr(topic, name)
    }
    facts: dict[str, dict[str, str]] = {}
    for place, documents in (("docs", topic.documents), ("background", topic.background)):
        for document in documents:
            _save(folder / place, document.id, document.text)
            known = {key: getattr(document, key) for key in ("date", "headline") if getattr(document, key)}
            if known:
                facts[document.id] = known
    if facts:
        described["documents"] = facts
    if described:
        save(folder / "topic.json", json.dumps(described, ensure_ascii=False, indent=1) + "\n")


def _csv_row(fields: list[str]) -> str:
    """A row of a table; the csv module forgets to quote a carriage return, which would end the row."""
    row = io.StringIO(newline="")
    all_quoted = any("\r" in field for field in fields)
    csv.writer(row, lineterminator="\n", quoting=csv.QUOTE_ALL if all_quoted else csv.QUOTE_MINIMAL).writerow(fields)
    return row.getvalue()


def _save(folder: Path, id: str, text: Text) -> None:
    save(folder / f"{file_name_of(id)}{_ENDING}", f"{words}\n" if (words := plain(text)) else "")


FORMAT = Format(
    name="folder",
    description="plain text files: topics/<id>/docs, models and peers; a folder for each system; NIST's file names",
    folder_detector=detect_folder,
    reader=read,
    writer=write,
    keeps=frozenset(
        {
            *("topics.bare", *(f"topics.{name}" for name in (*_DESCRIBED, "background", "attributes"))),
            *("documents", "documents.id", "documents.date", "documents.headline"),
            *("models", "models.name", "judgments", "judgments.models", "judgments.run"),
        }
    ),
    options={
        "topic": "the name of a single topic (default: the name of the folder)",
        "kind": "what bare texts are: model or peer (default: model)",
        "folders": "what folders of texts are: systems, with a text for each topic, or topics (default: systems)",
    },
)
