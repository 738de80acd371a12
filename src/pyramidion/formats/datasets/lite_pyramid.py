"""lite-pyramid: the parallel line files of Lite2-3Pyramid, where line k of every file is about topic k; both ways.

The content units of a topic become a light pyramid of its one reference: SCUs of weight 1 without parts. The labels of
a system show which of them it expresses.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Literal
from urllib.parse import unquote

from pyramidion.campaign import Campaign, Document, PeerAnnotation, Problems, Pyramid, Topic, TopicData, plain
from pyramidion.campaign.nouns import Text
from pyramidion.files.problems import Place
from pyramidion.formats.base import Format
from pyramidion.formats.campaign_builder import CampaignBuilder
from pyramidion.formats.datasets.single_reference import labelled, light_pyramid, read_tagged, write_tagged
from pyramidion.formats.text_files import (
    file_name_of,
    files_in,
    is_file,
    is_folder,
    read_plain,
    read_text,
    require_exportable,
    save,
)
from pyramidion.show.wording import counted
from pyramidion.text.sentences import split_sentences

UNITS = {"scus": "SCUs.txt", "stus": "STUs.txt"}
_IDS, _DOCUMENTS, _REFERENCES = "ids.txt", "documents.txt", "references.txt"
_SUMMARIES, _SUMMARY, _LABELS, _LABEL = "summaries", ".summary", "labels", ".label"


def detect_folder(folder: Path) -> bool:
    """Whether there are units, and references or summaries next to them."""
    units = any(is_file(folder / name) for name in UNITS.values())
    return units and (is_file(folder / _REFERENCES) or is_folder(folder / _SUMMARIES))


def read(folder: Path, problems: Problems, *, units: Literal["", "scus", "stus"] = "") -> Campaign:
    """The campaign in the folder.

    Args:
        folder: with SCUs.txt or STUs.txt, references.txt, summaries/ and labels/; ids.txt and documents.txt if known.
        problems: takes errors and warnings.
        units: "scus" (SCUs.txt, written by people) or "stus" (STUs.txt); SCUs if there are both.
    """
    reader = _LineFileReader(folder, problems)
    if units:
        return reader.campaign(UNITS[units])
    unit_files = [name for name in UNITS.values() if is_file(folder / name)]
    if not unit_files:
        return reader.campaign(UNITS["scus"])
    return reader.campaign(unit_files[0])


@dataclass(frozen=True)
class _LineFileReader:
    """Reads the files of a folder; each must have as many lines as the file of units."""

    folder: Path
    problems: Problems

    def campaign(self, unit_file: str) -> Campaign:
        """The campaign whose pyramids are the units of this file."""
        units = read_plain(self.folder / unit_file, self.problems)
        if units is None:
            return Campaign(name=self.folder.name)
        if not units:
            Place(self.problems, self.folder / unit_file, 1).error(
                found="an empty file",
                expected="a line of units for each topic",
                remedy="Check the file.",
            )
            return Campaign(name=self.folder.name)
        # Not splitlines(): texts may hold other line ends of Unicode, which would shift all lines after them.
        unit_lines = units.split("\n")
        count = len(unit_lines)
        ids = [line.strip() for line in self._lines(_IDS, count, needed=False)]
        if not ids:
            ids = [str(number) for number in range(1, count + 1)]
        self._check_ids(ids)
        builder = CampaignBuilder(self.folder.resolve().name)
        for id, line in zip(ids, unit_lines, strict=True):
            builder.pyramids.append(light_pyramid(id, _fields(line)))
        for id, text in zip(ids, self._lines(_REFERENCES, count), strict=False):
            builder.models[id] = (read_tagged(text),)
        systems = self._add_systems(builder, ids)
        self._add_labels(builder, systems, unit_file)
        document_lines = self._lines(_DOCUMENTS, count, needed=False)
        if not document_lines:
            document_lines = [""] * count
        for id, line in zip(ids, document_lines, strict=True):
            document = Document(id=id, text=read_tagged(line))
            documents_with_text = (document,) if document.text else ()
            builder.topics[id] = Topic(topic=id, documents=documents_with_text)
        return builder.build()

    def _add_systems(self, builder: CampaignBuilder, ids: Sequence[str]) -> dict[str, bool]:
        """Add the summaries of each system; by the name of its file, whether it has any."""
        systems: dict[str, bool] = {}
        for path in files_in(self.folder / _SUMMARIES, _SUMMARY):
            name = path.name.removesuffix(_SUMMARY)
            texts = self._lines(f"{_SUMMARIES}/{path.name}", len(ids))
            systems[name] = bool(texts)
            for id, text in zip(ids, texts, strict=False):
                builder.peers[id, unquote(name)] = _sentences(text)
        return systems

    def _add_labels(self, builder: CampaignBuilder, systems: Mapping[str, bool], unit_file: str) -> None:
        """Add the labels of each system, unless they belong to other units."""
        paths = files_in(self.folder / _LABELS, _LABEL)
        # Labels are by place: with the other units, every one of them would be about something else.
        if paths and unit_file != UNITS["scus"]:
            Place(self.problems, self.folder / _LABELS).warning(
                found=f"labels of {counted(len(paths), 'system')}, and the units of {unit_file}",
                expected=f"the units of {UNITS['scus']}, which the labels belong to",
                remedy="The units became the pyramids; the labels were left out.",
            )
            return
        for path in paths:
            name = path.name.removesuffix(_LABEL)
            if systems.get(name):
                builder.annotations += self._annotations(path, unquote(name), builder.pyramids)
            elif name not in systems:
                Place(self.problems, path).error(
                    found=f"labels of {unquote(name)!r}",
                    expected=f"{_SUMMARIES}/{name}{_SUMMARY}",
                    remedy="Add its texts.",
                )

    def _check_ids(self, ids: Iterable[str]) -> None:
        """Note ids that are empty or repeated as errors."""
        first: dict[str, int] = {}
        for line, id in enumerate(ids, start=1):
            here = Place(self.problems, self.folder / _IDS, line)
            expected, remedy = "each topic once", "Give each line its own id."
            if not id:
                here.error(
                    found="an empty id",
                    expected=expected,
                    remedy=remedy,
                )
            else:
                here.is_first(first, id, repr(id), expected=expected, remedy=remedy)

    def _lines(self, name: str, count: int, *, needed: bool = True) -> list[str]:
        """The lines of a file if it has as many as the file of units, else none."""
        path = self.folder / name
        text = read_text(path, self.problems) if needed or is_file(path) else None
        if text is None:
            return []
        # Not `splitlines`, which divides at U+2028 and others that stand inside texts.
        lines = text.split("\n") if text or count == 1 else []
        if lines and not lines[-1] and len(lines) != count:  # the last line may end in a line break, or not
            del lines[-1]
        if len(lines) != count:
            Place(self.problems, path, min(count, len(lines)) + 1).error(
                found=f"{len(lines)} lines",
                expected=f"{count}, the number of lines in the file of units",
                remedy="Line k of every file must be about topic k.",
            )
            return []
        return lines

    def _annotations(self, path: Path, system: str, pyramids: Sequence[Pyramid]) -> Iterator[PeerAnnotation]:
        """Which units a system expresses, topic by topic."""
        lines = self._lines(f"{_LABELS}/{path.name}", len(pyramids))
        for number, (pyramid, line) in enumerate(zip(pyramids, lines, strict=False), start=1):
            yield from labelled(pyramid, system, _fields(line), Place(self.problems, path, number))


def _sentences(line: str) -> Text:
    """The text of a system; one without tags is split into sentences."""
    text = read_tagged(line)
    sentences = tuple(split_sentences(text)) if isinstance(text, str) else text
    if len(sentences) > 1:
        return sentences
    return text


def _fields(line: str) -> list[str]:
    """The fields of a line between its tabs; none if it is blank."""
    if line.strip():
        return [field.strip() for field in line.split("\t")]
    return []


def write(campaign: Campaign, target: Path, problems: Problems, *, annotator: str = "") -> None:
    """Write the line files of all topics that have a pyramid; what they can't hold becomes a warning.

    Args:
        campaign: its pyramids lose their weights and parts, its topics all models but one.
        target: a folder.
        problems: takes what is lost.
        annotator: whose annotations become labels, if there are several (default: the first of each peer).
    """
    writer = _LineFileWriter(target, Place(problems, target), annotator)
    topics: list[_PyramidTopic] = []
    for data in campaign.given_topics():
        topic = _take_first_pyramid(data)
        if topic is not None:
            topics.append(topic)
        else:
            what = "no pyramid" if data.models else "no model"
            writer.lost(f"{what} of topic {data.topic.topic!r}", "The topic was left out.")
    require_exportable(topics, "no topic has a pyramid and models")
    ids = [_flat(topic.data.topic.topic) for topic in topics]
    writer.require_distinct_ids(ids)
    writer.note_losses(topics)
    _save(target / UNITS["scus"], [topic.unit_line for topic in topics])
    _save(target / _IDS, ids)
    _save(target / _REFERENCES, [write_tagged(topic.reference) for topic in topics])
    document_lines = [topic.document_line for topic in topics]
    if any(topic.data.topic.documents for topic in topics):
        _save(target / _DOCUMENTS, document_lines)
    texts = [_texts_by_system(topic) for topic in topics]
    labels = [writer.labels(topic) for topic in topics]
    systems = dict.fromkeys(chain.from_iterable(texts))
    for system in systems:
        system_texts = [topic_texts.get(system) for topic_texts in texts]
        system_labels = [topic_labels.get(system) for topic_labels in labels]
        writer.write_system(system, system_texts, system_labels)


def _texts_by_system(topic: _PyramidTopic) -> dict[str, Text]:
    """The texts of a topic's peers, by system."""
    return {peer.summarizer: peer.text for peer in topic.data.peers}


@dataclass(frozen=True)
class _PyramidTopic:
    """A topic with the pyramid that is written."""

    data: TopicData
    pyramid: Pyramid

    @property
    def unit_line(self) -> str:
        """The labels of the SCUs on one line."""
        return "\t".join(_flat(scu.label) for scu in self.pyramid.scus)

    @property
    def document_line(self) -> str:
        """The documents on one line."""
        texts = [plain(document.text) for document in self.data.topic.documents]
        return _flat(" ".join(texts))

    @property
    def reference(self) -> Text:
        """The first model of the pyramid, else of the topic."""
        texts = {model.summarizer: model.text for model in self.data.models}
        for model in self.pyramid.models:
            if model in texts:
                return texts[model]
        return self.data.models[0].text


def _take_first_pyramid(data: TopicData) -> _PyramidTopic | None:
    """The topic with its first pyramid; None if it has no model, or no SCU with a label."""
    if not data.models or not data.pyramids:
        return None
    pyramid = data.pyramids[0]
    if not any(_flat(scu.label) for scu in pyramid.scus):
        return None
    return _PyramidTopic(data, pyramid)


@dataclass(frozen=True)
class _LineFileWriter:
    """Writes the files of systems, and warns about what is lost."""

    target: Path
    at: Place
    annotator: str

    def write_system(self, system: str, texts: Sequence[Text | None], labels: Sequence[str | None]) -> None:
        """Write what a system has on each topic: its texts, and its labels if it has all of them."""
        missing = texts.count(None)
        if missing:
            self.lost(f"no summary of {system!r} on {counted(missing, 'topic')}", "Their lines are empty.")
        name = file_name_of(system)
        text_lines = [_flat(plain(text or "")) for text in texts]
        _save(self.target / _SUMMARIES / f"{name}{_SUMMARY}", text_lines)
        label_lines = [line for line in labels if line is not None]
        if len(label_lines) < len(labels):
            self.lost(f"topics on which {system!r} was not annotated", "No labels were written for it.")
        else:
            _save(self.target / _LABELS / f"{name}{_LABEL}", label_lines)

    def labels(self, topic: _PyramidTopic) -> dict[str, str]:
        """The labels of each system on a topic, by its first annotation."""
        lines: dict[str, str] = {}
        for annotation in topic.data.annotations_of(topic.pyramid):
            if annotation.summarizer in lines or self.annotator not in ("", annotation.annotator):
                continue
            present_uids = {match.uid for match in annotation.scus if match.present}
            labels = [str(int(scu.uid in present_uids)) for scu in topic.pyramid.scus]
            lines[annotation.summarizer] = "\t".join(labels)
        return lines

    def note_losses(self, topics: Iterable[_PyramidTopic]) -> None:
        """Warn about models, pyramids and parts that line files can't hold."""
        several_models = several_pyramids = placed_contributors = 0
        for topic in topics:
            several_models += len(topic.data.models) > 1
            several_pyramids += len(topic.data.pyramids) > 1
            for scu in topic.pyramid.scus:
                placed_contributors += sum(bool(contributor.parts) for contributor in scu.contributors)
        if several_models:
            self.lost(
                f"several models of {counted(several_models, 'topic')}",
                "Only the first was written; weights were lost.",
            )
        if several_pyramids:
            self.lost(
                f"several pyramids of {counted(several_pyramids, 'topic')}",
                "Only the first was written.",
            )
        if placed_contributors:
            self.lost(
                f"the words of {counted(placed_contributors, 'contributor')}",
                "Only the labels were written.",
            )

    def require_distinct_ids(self, ids: Iterable[str]) -> None:
        """Ids are lines, in which blanks do not count."""
        counts = Counter(ids)
        alike = [id for id in counts if not id or counts[id] > 1]
        if alike:
            self.at.error(
                found=f"topics called {alike[0]!r}",
                expected="ids that differ in more than blanks",
                remedy="Rename the topics.",
            )
            self.at.problems.refuse()

    def lost(self, found: str, remedy: str) -> None:
        """Warn about something that line files can't hold."""
        self.at.warning(
            found=found,
            expected="one reference, one pyramid and one annotation of each peer for each topic",
            remedy=remedy,
        )


def _save(path: Path, lines: Iterable[str]) -> None:
    """Write lines as these files have them: without a line break after the last."""
    save(path, "\n".join(lines))


def _flat(text: str) -> str:
    """The text on one line, with single blanks."""
    return " ".join(text.split())


FORMAT = Format(
    name="lite-pyramid",
    description="Lite2-3Pyramid's line files: SCUs.txt, references.txt, summaries/ and labels/",
    folder_detector=detect_folder,
    reader=read,
    writer=write,
    keeps=frozenset({"topics.bare", "documents", "sentences", "models", "pyramids", "annotations"}),
    options={"units": "scus (SCUs.txt) or stus (STUs.txt) (default: scus if there are both)"},
    write_options={"annotator": "whose annotations become labels (default: the first of each peer)"},
)
