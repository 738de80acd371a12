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
from itertools import chain
from pathlib import Path
from typing import Any, Literal
from urllib.parse import unquote

import msgspec

from pyramidion.campaign import Campaign, Document, Judgment, Problems, Summary, Topic, TopicData, plain
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
    require_exportable,
    save,
)
from pyramidion.show.wording import counted, listed

TOPICS = "topics"
FOLDERS = ("docs", "background", "models", "peers")
SIDES = ("models", "peers")
JUDGMENTS = "judgments.csv"
COLUMNS = ("topic", "summarizer", "assessor", "question", "value")
RUN = "run"
"""A further column, where a program judged some summary several times."""
_DESCRIBED = ("title", "narrative", "parent", "part")
_TOPIC_KEYS = (*_DESCRIBED, "documents", "attributes")
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
_PLAIN = (str, int, float, bool)
"""Types of the values of an attribute."""

SummaryRole = Literal["model", "peer"]
Facts = Mapping[str, Any]
"""What topic.json says about documents, by their ids."""


def detect_folder(folder: Path) -> bool:
    """Whether there are topics with texts, systems with the same topics, or texts and nothing else."""
    if is_folder(folder / TOPICS):
        return any(map(_has_parts, _folders(folder / TOPICS)))
    # Tables or code beside the texts: the folder is probably a project, and only clear signs count.
    if _has_other_files(folder):
        return any(files_in(folder / side, _ENDING) for side in SIDES)
    sides = [folder / side for side in SIDES]
    if any(map(_has_texts_at_two_levels, sides)):
        return True
    inner_folders = _folders(folder)
    if any(_texts_in(inner / side) for inner in inner_folders for side in SIDES):
        return True
    entries = [path for path in folder.iterdir() if not path.name.startswith(".")]
    if not entries:
        return False
    if len(inner_folders) == len(entries):
        return _are_systems(inner_folders)
    return not inner_folders and all(map(_is_bare_text, entries))


def _has_parts(folder: Path) -> bool:
    """Whether a folder has docs/, background/, models/ or peers/, as that of a topic does."""
    return any(is_folder(folder / name) for name in FOLDERS)


def _has_other_files(folder: Path) -> bool:
    """Whether a folder has files that are neither texts nor about the texts, such as tables."""
    for path in files_in(folder):
        is_other = path.suffix.lower() in _OTHER and path.name != JUDGMENTS
        if is_other and not _ABOUT.match(path.name):
            return True
    return False


def _has_texts_at_two_levels(folder: Path) -> bool:
    """Whether a folder, or a folder in it, has texts."""
    return any(map(_texts_in, (folder, *_folders(folder))))


def _are_systems(folders: Sequence[Path]) -> bool:
    """Whether several folders have texts of the same names, and no folders in them."""
    # One folder could as well be a topic; two with texts of the same names are systems.
    if len(folders) < 2 or any(map(_folders, folders)):
        return False
    paths = chain.from_iterable(map(_texts_in, folders))
    name_counts = Counter(map(_id_of, paths))
    return max(name_counts.values(), default=0) > 1


def _is_bare_text(path: Path) -> bool:
    """Whether a file ends in .txt or has one of NIST's names."""
    return path.suffix == _ENDING or not is_file(path) or parse_nist_name(path.name) is not None


def read(
    folder: Path,
    problems: Problems,
    *,
    topic: str = "",
    kind: SummaryRole = "model",
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
    reader = _FolderReader(problems, campaign_topics=known)
    at = Place(problems, folder)
    if is_folder(folder):
        reader.add_all(folder, topic=topic, kind=kind, folders=folders)
    else:
        at.error(
            found="no folder",
            expected=f"a folder with {TOPICS}/",
            remedy="Check the path.",
        )
    if not reader.has_texts and not problems.errors:
        at.error(
            found="no texts",
            expected=(
                f"{TOPICS}/<id>/models/*{_ENDING}; or <topic>/peers/*, <system>/<topic>{_ENDING}, NIST's file names, "
                "or texts alone"
            ),
            remedy="Check the path.",
        )
    if is_file(folder / JUDGMENTS):
        reader.add_judgments(folder / JUDGMENTS)
    return Campaign(
        name=folder.resolve().name,
        word_limit=reader.word_limit,
        topics=tuple(reader.topics.values()),
        summaries=tuple(reader.summaries.values()),
        judgments=tuple(reader.judgments),
    )


def read_documents(folder: Path, problems: Problems, *, known: Collection[str] = ()) -> tuple[Topic, ...]:
    """The documents of topics: <topic>/docs/*, <topic>/* or <topic>.txt; with topics/ or without.

    Args:
        folder: where the documents are.
        problems: takes errors and warnings.
        known: topics of the campaign that the documents belong to: a folder named like one has its documents.
    """
    reader = _FolderReader(problems, campaign_topics=known)
    root = folder / TOPICS if is_folder(folder / TOPICS) else folder
    for topic_folder in _folders(root):
        topic = unquote(topic_folder.name)
        if _has_parts(topic_folder):
            reader.add_topic(topic_folder, topic)
        else:
            reader.add_documents(topic, topic_folder)
    if not reader.topics:
        reader.add_documents_of_files(root)
    topics = list(filter(_has_documents, reader.topics.values()))
    if not topics and not problems.errors:
        Place(problems, folder).error(
            found="no texts",
            expected=f"<topic>/docs/*{_ENDING}, <topic>/*{_ENDING} or <topic>{_ENDING}",
            remedy="Check the path.",
        )
    return tuple(topics)


def _has_documents(topic: Topic) -> bool:
    """Whether a topic has source documents, or background documents."""
    return bool(topic.documents or topic.background)


class _FolderReader:
    """The topics, summaries and judgments of a folder, as its files add them."""

    def __init__(self, problems: Problems, *, campaign_topics: Collection[str]) -> None:
        self.problems = problems
        self.campaign_topics = campaign_topics
        self.topics: dict[str, Topic] = {}
        self.summaries: dict[tuple[str, str], Summary] = {}
        self.judgments: list[Judgment] = []
        self._word_limits: set[int] = set()

    @property
    def word_limit(self) -> int | None:
        """The word limit that NIST's file names give, if all give the same."""
        if len(self._word_limits) != 1:
            return None
        return next(iter(self._word_limits))

    @property
    def has_texts(self) -> bool:
        """Whether there is any summary or document."""
        if self.summaries:
            return True
        return any(map(_has_documents, self.topics.values()))

    def add_all(self, folder: Path, *, topic: str, kind: SummaryRole, folders: str) -> None:
        """Add everything in a folder, whatever its layout.

        Args:
            folder: the folder that the user named.
            topic: the name of a single topic, if the user gave one.
            kind: what bare texts are.
            folders: what folders of texts are: "topics", or else systems.
        """
        if is_folder(folder / TOPICS):
            self._add_topics(_folders(folder / TOPICS))
            return
        if self._add_sides(folder, topic=topic, folders=folders):
            return
        if self._add_inner_folders(folder, kind=kind, folders=folders):
            return
        if not topic and self._is_of_campaign(folder):
            is_of_models = folder.resolve().name.lower() in _OF_MODELS
            folder_kind = "model" if is_of_models else kind
            self.add_system(folder, kind=folder_kind)
        else:
            self._add_bare(folder, topic or folder.resolve().name, kind)

    def _add_sides(self, folder: Path, *, topic: str, folders: str) -> bool:
        """Add what is in models/ and peers/, or in docs/ and background/; whether the folder has any of them."""
        inner_folders = _folders(folder)
        sides = [folder / side for side in SIDES if is_folder(folder / side)]
        is_split_by_system = any(map(_folders, sides))
        if sides and not topic and folders != "topics":
            is_split_by_system = is_split_by_system or _has_systems(inner_folders)
        if any(map(_is_nist, sides)):
            for side in sides:
                self.add_named(side)
        elif is_split_by_system:
            self.add_systems(inner_folders)
        elif folder.resolve().name.lower() in _OF_MODELS and any(map(_texts_in, inner_folders)):
            self.add_systems([folder])
        elif _has_parts(folder):
            self.add_topic(folder, topic or folder.resolve().name)
        else:
            return False
        return True

    def _add_inner_folders(self, folder: Path, *, kind: SummaryRole, folders: str) -> bool:
        """Add folders of topics or systems, or texts with NIST's names; whether there are any of them."""
        inner_folders = _folders(folder)
        if any(map(_has_parts, inner_folders)):
            self._add_topics(inner_folders)
        elif folders == "topics" and inner_folders:
            for inner in inner_folders:
                self._add_bare(inner, unquote(inner.name), kind)
        elif _is_nist(folder):
            self.add_named(folder)
        elif any(map(_texts_in, inner_folders)):
            self.add_systems(inner_folders)
        else:
            return False
        return True

    def _is_of_campaign(self, folder: Path) -> bool:
        """Whether some text is named like a topic of the campaign."""
        return any(_id_of(path) in self.campaign_topics for path in _texts_in(folder))

    def _add_topics(self, folders: Iterable[Path]) -> None:
        """Add folders of topics, each named like its topic."""
        for folder in folders:
            self.add_topic(folder, unquote(folder.name))

    def add_systems(self, folders: Iterable[Path]) -> None:
        """Add a folder for each system with a text for each topic; models and documents likewise."""
        later_folders: list[Path] = []
        for folder in folders:
            name = folder.name.lower()
            if folder.name == "peers":
                for system in _folders(folder):
                    self.add_system(system, kind="peer")
            # Later: which topics there are is known from the systems.
            elif name in _OF_MODELS or name in _OF_DOCUMENTS:
                later_folders.append(folder)
            elif _is_nist(folder):
                self.add_named(folder)
            elif not _texts_in(folder):  # such as runs/: a folder of systems
                self.add_systems(_folders(folder))
            else:
                self.add_system(folder, kind="peer")
        # What a folder in models/ is depends on whether it is named like a topic of the systems.
        topics = {*self.topics, *self.campaign_topics}
        for folder in later_folders:
            if folder.name.lower() in _OF_DOCUMENTS:
                self._add_folder_of_documents(folder)
            else:
                self._add_folder_of_models(folder, topics)

    def _add_folder_of_documents(self, folder: Path) -> None:
        """Add a document for each text, which is named like its topic, and the documents of each folder."""
        for path in _texts_in(folder):
            self.add_document(_id_of(path), path)
        for inner in _folders(folder):
            self.add_documents(unquote(inner.name), inner)

    def _add_folder_of_models(self, folder: Path, topics: Collection[str]) -> None:
        """Add models: texts named like topics, folders of topics, or folders of human summarizers."""
        if _texts_in(folder):
            self.add_system(folder, kind="model")
        for inner in _folders(folder):
            name = unquote(inner.name)
            if name in topics:
                self._add_summaries(inner, self._ensure_topic(name), "model")
            else:
                self.add_system(inner, kind="model")

    def add_system(self, folder: Path, *, kind: SummaryRole) -> None:
        """Add the texts of one summarizer, each named by its topic."""
        if _is_nist(folder):
            self.add_named(folder)
            return
        self._note_left_out(folder)
        summarizer = unquote(folder.name)
        for path, id, text in self._texts(folder):
            summary = Summary(
                topic=self._ensure_topic(id),
                summarizer=summarizer,
                kind=kind,
                text=text,
            )
            self._add_summary(path, summary)

    def add_named(self, folder: Path) -> None:
        """Add texts with NIST's file names; letters name humans, who write models."""
        zeros = 0
        for path in files_in(folder):
            name = parse_nist_name(path.name)
            if name is None:
                Place(self.problems, path).warning(
                    found="another name",
                    expected="NIST's file names",
                    remedy="It was left out.",
                )
                continue
            text = read_plain(path, self.problems)
            if text is None:
                continue
            # NIST writes 01 in some files and 1 in others; TAC 2008 has a baseline called 0.
            summarizer = name.summarizer.lstrip("0") or "0"
            zeros += summarizer != name.summarizer
            self._word_limits.add(name.length)
            summary = Summary(
                topic=self._ensure_topic(name.topic, selector=name.selector),
                summarizer=summarizer,
                kind=name.kind,
                text=text,
            )
            # NIST puts models among the peers, to be scored against the others.
            self._add_summary(path, summary, quietly=True)
        if zeros:
            Place(self.problems, folder).warning(
                found=f"{counted(zeros, 'system')} with a zero in front",
                expected="1, not 01",
                remedy="The zeros were dropped.",
                count=zeros,
            )

    def add_documents_of_files(self, root: Path) -> None:
        """Add documents where no folder is a topic: docs/ of one topic, its texts, or a text for each topic."""
        root_name = root.resolve().name
        paths = _texts_in(root)
        is_of_one_topic = root_name in self.campaign_topics and not self._is_of_campaign(root)
        if _has_parts(root):
            self.add_topic(root, root_name)
        elif is_of_one_topic:
            self.add_documents(root_name, root)
        else:
            for path in paths:
                self.add_document(_id_of(path), path)

    def add_documents(self, topic: str, folder: Path) -> None:
        """Add the texts of a folder as the documents of a topic."""
        for path in _texts_in(folder):
            self.add_document(topic, path, id=_id_of(path))

    def add_document(self, topic: str, path: Path, *, id: str = "1") -> None:
        """Add one text as a document of a topic."""
        text = read_plain(path, self.problems)
        if text is None:
            return
        previous = self.topics.get(topic) or Topic(topic=topic)
        documents = (*previous.documents, Document(id=id, text=text))
        self.topics[topic] = msgspec.structs.replace(previous, documents=documents)

    def _ensure_topic(self, id: str, **attributes: str) -> str:
        """Make sure that there is the topic that a text belongs to; its id."""
        self.topics.setdefault(id, Topic(topic=id, attributes=dict(attributes)))
        return id

    def add_topic(self, folder: Path, id: str) -> None:
        """Add what docs/, background/, models/, peers/ and topic.json hold about one topic."""
        description_path = folder / "topic.json"
        description = self._description(description_path)
        facts = description.get("documents")
        if not isinstance(facts, dict):
            facts = {}
        title, narrative, parent, part = (str(description.get(name) or "") for name in _DESCRIBED)
        self.topics[id] = Topic(
            topic=id,
            title=title,
            narrative=narrative,
            parent=parent,
            part=part,
            attributes=self._attributes(description.get("attributes", {}), description_path),
            documents=tuple(self._documents(folder / "docs", facts)),
            background=tuple(self._documents(folder / "background", facts)),
        )
        self._add_summaries(folder / "models", id, "model")
        self._add_summaries(folder / "peers", id, "peer")
        for inner in _folders(folder):
            if inner.name not in FOLDERS:
                Place(self.problems, inner).warning(
                    found="an unknown folder",
                    expected=", ".join(FOLDERS),
                    remedy="It was left out.",
                )

    def _attributes(self, attributes: Any, path: Path) -> dict[str, str | int | float | bool]:
        """The attributes of a topic; none (and an error) if they are not an object of plain values."""
        if isinstance(attributes, dict) and all(isinstance(value, _PLAIN) for value in attributes.values()):
            return attributes
        Place(self.problems, path).error(
            found=shorten(attributes),
            expected='an object of names and values, such as {"granularity": "specific"}',
            remedy="Correct it.",
            field="attributes",
        )
        return {}

    def _add_bare(self, folder: Path, id: str, kind: SummaryRole) -> None:
        """Add a folder with nothing but texts: the summaries of one topic."""
        if not _texts_in(folder):
            return
        self._note_left_out(folder)
        self._add_summaries(folder, self._ensure_topic(id), kind)

    def _note_left_out(self, folder: Path) -> None:
        """Warn once about all files that do not look like texts."""
        texts = set(_texts_in(folder))
        other_files = [path.name for path in files_in(folder) if path not in texts]
        left_out = [name for name in other_files if name != JUDGMENTS]
        if not left_out:
            return
        verb = "is" if len(left_out) == 1 else "are"
        Place(self.problems, folder).warning(
            found=f"{counted(len(left_out), 'file')} that {verb} no text: {listed(left_out)}",
            expected="texts",
            remedy="Left out.",
            count=len(left_out),
        )

    def _description(self, path: Path) -> dict[str, Any]:
        """What topic.json says; nothing (and an error) if it is no object."""
        if not is_file(path):
            return {}
        at = Place(self.problems, path)
        description = document_of(path, self.problems)
        if description is None:
            return {}
        if not isinstance(description, dict):
            at.at(1).error(
                found=shorten(description),
                expected='an object such as {"title": "…"}',
                remedy="Correct it.",
            )
            return {}
        for key in description.keys() - set(_TOPIC_KEYS):
            at.warning(
                found=f"the key {shorten(key)}",
                expected=", ".join(_TOPIC_KEYS),
                remedy="It was left out.",
            )
        return description

    def _texts(self, folder: Path) -> Iterator[tuple[Path, str, str]]:
        """The texts of a folder, with their paths and the ids in their names."""
        for path in _texts_in(folder):
            text = read_plain(path, self.problems)
            if text is not None:
                yield path, _id_of(path), text

    def _documents(self, folder: Path, facts: Facts) -> Iterator[Document]:
        """The documents in a folder, with the dates and headlines that topic.json has."""
        for _, id, text in self._texts(folder):
            fact = facts.get(id)
            if not isinstance(fact, dict):
                fact = {}
            yield Document(
                id=id,
                text=text,
                date=str(fact.get("date") or ""),
                headline=str(fact.get("headline") or ""),
            )

    def _add_summaries(self, folder: Path, topic: str, kind: SummaryRole) -> None:
        """Add the texts of a folder as summaries of a topic, each named like its summarizer."""
        for path, id, text in self._texts(folder):
            summary = Summary(
                topic=topic,
                summarizer=id,
                kind=kind,
                text=text,
            )
            self._add_summary(path, summary)

    def _add_summary(self, path: Path, summary: Summary, *, quietly: bool = False) -> None:
        """Add a summary, unless the same was there before; `quietly` if that is usual."""
        at = Place(self.problems, path)
        if not plain(summary.text).strip():
            at.warning(
                found="an empty text",
                expected="some words",
                remedy="It is scored as it is; remove the file if the summary is missing.",
            )
        first = self.summaries.setdefault((summary.topic, summary.summarizer), summary)
        if first is summary:
            return
        if first.text != summary.text:
            at.error(
                found=f"another text of {summary.summarizer!r} than among the {first.kind}s",
                expected="one text of each summarizer",
                remedy="Rename one of the two.",
            )
        elif not quietly:
            at.warning(
                found="a model among the peers",
                expected="a peer",
                remedy='It was kept as a model; `peers="humans"` scores it against the others.',
            )

    def add_judgments(self, path: Path) -> None:
        """Add the judgments of a table; each must be about a summary of the folder."""
        required_columns = [name for name in COLUMNS if name != "assessor"]
        lines: dict[tuple[str, ...], int] = {}
        for line, row in read_table(path, self.problems, required_columns, strict=True):
            at = Place(self.problems, path, line)
            judgment = self._judgment(row, at)
            if judgment is None:
                continue
            key = (judgment.topic, judgment.summarizer, judgment.assessor, judgment.question)
            is_first = at.is_first(
                lines,
                (*key, str(judgment.run)),
                repr(key),
                expected="each judgment once",
                remedy="Remove one of the two.",
            )
            if is_first:
                self.judgments.append(judgment)

    def _judgment(self, row: Mapping[str, str], at: Place) -> Judgment | None:
        """The judgment in a row of a table; None (and an error) if something is wrong with it."""
        topic, summarizer, assessor, question, value_text = (row.get(name, "") for name in COLUMNS)
        value = _number(value_text)
        run = _number(row.get(RUN) or "1")
        if value is None:
            at.error(
                found=shorten(value_text),
                expected="a number",
                remedy="Correct the value.",
                field="value",
            )
        elif not isinstance(run, int) or run < 1:
            at.error(
                found=shorten(row[RUN]),
                expected="a whole number of at least 1",
                remedy="Correct the value.",
                field=RUN,
            )
        elif (topic, summarizer) not in self.summaries:
            at.error(
                found=f"({topic!r}, {summarizer!r})",
                expected="a summary of the folder",
                remedy="Correct the names, or add the text.",
            )
        elif not question:
            at.error(
                found="no question",
                expected="the name of a question",
                remedy="Add it.",
                field="question",
            )
        else:
            return Judgment(
                topic=topic,
                summarizer=summarizer,
                assessor=assessor,
                question=question,
                value=value,
                run=run,
            )
        return None


def _has_systems(folders: Iterable[Path]) -> bool:
    """Whether there are folders of systems beside that of the models, and none of all peers."""
    names = {folder.name for folder in folders}
    if "peers" in names:
        return False
    reserved_names = {*FOLDERS, *_OF_MODELS, *_OF_DOCUMENTS}
    return any(_has_texts_at_two_levels(folder) for folder in folders if folder.name not in reserved_names)


def _number(text: str) -> int | float | None:
    """The number that a cell spells, whole if it is; None if it is none."""
    if re.fullmatch(r"\s*[+-]?[0-9]{1,18}\s*", text, re.ASCII):
        return int(text)
    return number_of(text)


def _texts_in(folder: Path) -> list[Path]:
    """The files of a folder that can be texts: .txt, or without an ending that says otherwise."""
    paths = files_in(folder)
    possible_texts = [path for path in paths if path.suffix.lower() not in _OTHER]
    return [path for path in possible_texts if not _ABOUT.match(path.name)]


def _is_nist(folder: Path) -> bool:
    """Whether more than half of the texts have NIST's file names."""
    names = [parse_nist_name(path.name) for path in _texts_in(folder)]
    # Some files in these folders have other names; a folder is NIST's if most are.
    return 2 * names.count(None) < len(names)


def _id_of(path: Path) -> str:
    """The id in the name of a text."""
    # Names were quoted on export where a file system could not hold the id.
    return unquote(path.name.removesuffix(_ENDING))


def _folders(folder: Path) -> list[Path]:
    """The folders in a folder, without hidden ones, by name; none if there is no such folder."""
    if not is_folder(folder):
        return []
    visible = [path for path in folder.iterdir() if not path.name.startswith(".")]
    return sorted(filter(is_folder, visible))


def write(campaign: Campaign, target: Path, problems: Problems) -> None:  # noqa: ARG001  # as other formats
    """Write every text under `target`, and the judgments.

    Args:
        campaign: some topic must have a text.
        target: a folder.
        problems: takes nothing here; what is lost is noted for all formats.
    """
    topics = list(campaign.given_topics())
    require_exportable(any(map(_has_text, topics)), "no topic has a text")
    for data in topics:
        folder = target / TOPICS / file_name_of(data.topic.topic)
        make_folder(folder)
        _write_topic(folder, data.topic)
        for model in data.models:
            _save_text(folder / "models", model.summarizer, model.text)
        for peer in data.peers:
            _save_text(folder / "peers", peer.summarizer, peer.text)
    written = {(summary.topic, summary.summarizer) for summary in campaign.summaries if not summary.extra}
    judgments = [judgment for judgment in campaign.judgments if (judgment.topic, judgment.summarizer) in written]
    _write_judgments(target / JUDGMENTS, judgments)


def _has_text(data: TopicData) -> bool:
    """Whether a topic has a summary or a document."""
    return any((data.models, data.peers, data.topic.documents, data.topic.background))


def _write_judgments(path: Path, judgments: Sequence[Judgment]) -> None:
    """Write a table of the judgments, with a column for runs if some summary has several."""
    if not judgments:
        return
    columns = list(COLUMNS)
    if any(judgment.run > 1 for judgment in judgments):
        columns.append(RUN)
    rows = [_csv_row(columns)]
    for judgment in judgments:
        cells = [str(getattr(judgment, name)) for name in columns]
        rows.append(_csv_row(cells))
    save(path, "".join(rows))


def _write_topic(folder: Path, topic: Topic) -> None:
    """Write the documents of a topic, and topic.json if there is something to say in it."""
    description: dict[str, Any] = {}
    for name in (*_DESCRIBED, "attributes"):
        if getattr(topic, name):
            description[name] = getattr(topic, name)
    facts: dict[str, dict[str, str]] = {}
    for folder_name, documents in (("docs", topic.documents), ("background", topic.background)):
        for document in documents:
            _save_text(folder / folder_name, document.id, document.text)
            fact = {key: getattr(document, key) for key in ("date", "headline") if getattr(document, key)}
            if fact:
                facts[document.id] = fact
    if facts:
        description["documents"] = facts
    if description:
        content = json.dumps(description, ensure_ascii=False, indent=1)
        save(folder / "topic.json", f"{content}\n")


def _csv_row(cells: Sequence[str]) -> str:
    """A row of a table; the csv module forgets to quote a carriage return, which would end the row."""
    row = io.StringIO(newline="")
    has_carriage_return = any("\r" in cell for cell in cells)
    quoting: Literal[0, 1] = csv.QUOTE_ALL if has_carriage_return else csv.QUOTE_MINIMAL
    writer = csv.writer(row, lineterminator="\n", quoting=quoting)
    writer.writerow(cells)
    return row.getvalue()


def _save_text(folder: Path, id: str, text: Text) -> None:
    """Write a text under its id, with a line end unless it is empty."""
    content = plain(text)
    if content:
        content = f"{content}\n"
    save(folder / f"{file_name_of(id)}{_ENDING}", content)


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
