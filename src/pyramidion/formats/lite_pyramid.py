"""lite-pyramid: the parallel line files of Lite2-3Pyramid, where line k of every file is about topic k; both ways.

The content units of a topic become a light pyramid of its one reference: SCUs of weight 1 without parts. The labels of
a system say which of them it expresses.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from pyramidion.campaign import (
    Campaign,
    Contributor,
    Document,
    Match,
    PeerAnnotation,
    Problems,
    Pyramid,
    Scu,
    Summary,
    Text,
    Topic,
    TopicData,
    plain,
    pyramid_of,
)
from pyramidion.files import atomic_writer
from pyramidion.files.problems import Severity, shorten
from pyramidion.formats.base import Format, choice, file_name_of, is_folder
from pyramidion.formats.line_files import read_parallel
from pyramidion.formats.sentence_tags import read_tagged, write_tagged

MODEL = "ref1"
UNITS = {"scus": "SCUs.txt", "stus": "STUs.txt"}
_IDS, _DOCUMENTS, _REFERENCES = "ids.txt", "documents.txt", "references.txt"


def detect_folder(folder: Path) -> bool:
    """Whether there are units, and references or summaries beside them."""
    there = any((folder / name).is_file() for name in UNITS.values())
    return there and ((folder / _REFERENCES).is_file() or is_folder(folder / "summaries"))


def read(folder: Path, problems: Problems, *, units: str = "") -> Campaign:
    """The campaign in the folder.

    Args:
        folder: with SCUs.txt or STUs.txt, references.txt, summaries/ and labels/; ids.txt and documents.txt if known.
        problems: takes errors and warnings.
        units: "scus" (SCUs.txt, written by people) or "stus" (STUs.txt); SCUs where there are both.
    """
    chosen = choice("units", units, tuple(UNITS)) if units else ""
    name = UNITS.get(chosen) or next((one for one in UNITS.values() if (folder / one).is_file()), UNITS["scus"])
    return _Reading(folder, problems).campaign(name)


@dataclass
class _Reading:
    folder: Path
    problems: Problems

    def campaign(self, unit_file: str) -> Campaign:
        units = self._lines(unit_file, None)
        if units is None:
            return Campaign(name=self.folder.name)
        count = len(units)
        references = self._lines(_REFERENCES, count)
        given = self._lines(_IDS, count) if (self.folder / _IDS).is_file() else None
        ids = [id.strip() for id in given] if given else [str(number) for number in range(1, count + 1)]
        self._check_ids(ids)
        documents = self._lines(_DOCUMENTS, count) if (self.folder / _DOCUMENTS).is_file() else None
        summaries = [
            Summary(topic=id, summarizer=MODEL, kind="model", text=read_tagged(text))
            for id, text in zip(ids, references or [], strict=False)
        ]
        pyramids = [self._pyramid(id, line) for id, line in zip(ids, units, strict=True)]
        annotations: list[PeerAnnotation] = []
        for path in self._files("summaries", ".summary"):
            system = unquote(path.name.removesuffix(".summary"))
            texts = self._lines(f"summaries/{path.name}", count)
            summaries += [
                Summary(topic=id, summarizer=system, kind="peer", text=read_tagged(text))
                for id, text in zip(ids, texts or [], strict=False)
            ]
        systems = {summary.summarizer for summary in summaries if summary.kind == "peer"}
        for path in self._files("labels", ".label"):
            system = unquote(path.name.removesuffix(".label"))
            if system not in systems:
                self._note(
                    "error", path, None, f"labels of {system!r}", f"summaries/{system}.summary", "Add its texts."
                )
                continue
            labels = self._lines(f"labels/{path.name}", count)
            annotations += self._annotations(path, system, pyramids, labels or [])
        topics = [Topic(topic=id) for id in ids]
        if documents:
            topics = [
                Topic(topic=id, documents=(Document(id=id, text=read_tagged(text)),) if text.strip() else ())
                for id, text in zip(ids, documents, strict=True)
            ]
        return Campaign(
            name=self.folder.resolve().name,
            topics=tuple(topics),
            summaries=tuple(summaries),
            pyramids=tuple(pyramids),
            annotations=tuple(annotations),
        )

    def _check_ids(self, ids: list[str]) -> None:
        first: dict[str, int] = {}
        for line, id in enumerate(ids, start=1):
            found = "an empty id" if not id else f"{id!r} again" if id in first else ""
            if found:
                self._note(
                    "error", self.folder / _IDS, line, found, "each topic once", "Give each line an id of its own."
                )
            first.setdefault(id, line)

    def _lines(self, name: str, count: int | None) -> list[str] | None:
        """The lines of a file, if there are as many as in the file of units."""
        path = self.folder / name
        lines = read_parallel(path, self.problems)
        if lines is None:
            return None
        if count is not None and len(lines) != count:
            self._note(
                "error",
                path,
                min(count, len(lines)) + 1,
                f"{len(lines)} lines",
                f"{count}, as many as there are lines of units",
                "Line k of every file is about topic k.",
            )
            return None
        if count is None and not lines:
            self._note("error", path, 1, "an empty file", "a line of units for each topic", "Check the file.")
            return None
        return lines

    def _files(self, name: str, ending: str) -> list[Path]:
        folder = self.folder / name
        return sorted(folder.glob(f"*{ending}")) if is_folder(folder) else []

    def _pyramid(self, topic: str, line: str) -> Pyramid:
        labels = [label.strip() for label in line.split("\t")] if line.strip() else []
        scus = tuple(
            Scu(uid=uid, label=label, contributors=(Contributor(model=MODEL),))
            for uid, label in enumerate(labels, start=1)
        )
        return Pyramid(topic=topic, models=(MODEL,), scus=scus)

    def _annotations(
        self, path: Path, system: str, pyramids: list[Pyramid], lines: list[str]
    ) -> Iterator[PeerAnnotation]:
        for number, (pyramid, line) in enumerate(zip(pyramids, lines, strict=False), start=1):
            labels = line.split("\t") if line.strip() else []
            if len(labels) != len(pyramid.scus):
                found = f"{len(labels)} labels"
                expected = f"{len(pyramid.scus)}, one for each unit of topic {pyramid.topic!r}"
                self._note("error", path, number, found, expected, "Add or remove labels.")
                continue
            wrong = [label for label in labels if label.strip() not in ("0", "1")]
            if wrong:
                self._note("error", path, number, shorten(wrong[0]), "0 or 1", "Correct the label.")
                continue
            matches = (
                Match(uid=scu.uid, present=label.strip() == "1")
                for scu, label in zip(pyramid.scus, labels, strict=True)
            )
            yield PeerAnnotation(topic=pyramid.topic, summarizer=system, scus=tuple(matches))

    def _note(self, severity: Severity, path: Path, line: int | None, found: str, expected: str, remedy: str) -> None:
        self.problems.add(severity, file=path, line=line, found=found, expected=expected, remedy=remedy)


def write(campaign: Campaign, target: Path, problems: Problems, *, annotator: str = "") -> None:
    """Write the line files of all topics that have a pyramid; what they can't hold is said.

    Args:
        campaign: its pyramids lose their weights and parts, its topics all models but one.
        target: a folder.
        problems: takes what is lost.
        annotator: whose annotations become labels, where there are several (default: the first of each peer).
    """
    topics: list[tuple[TopicData, Pyramid]] = []
    for data in campaign.each_topic(peers="all"):
        if data.pyramids and data.models:
            topics.append((data, data.pyramids[0]))
        else:
            what = "no pyramid" if data.models else "no model"
            _lost(problems, target, f"{what} of topic {data.topic.topic!r}", "The topic was left out.")
    _note_losses(topics, target, problems)
    _save(target / UNITS["scus"], ["\t".join(_flat(scu.label) for scu in pyramid.scus) for _, pyramid in topics])
    _save(target / _IDS, [_flat(data.topic.topic) for data, _ in topics])
    _save(target / _REFERENCES, [write_tagged(_reference(data, pyramid)) for data, pyramid in topics])
    if any(data.topic.documents for data, _ in topics):
        texts = [" ".join(plain(one.text) for one in data.topic.documents) for data, _ in topics]
        _save(target / _DOCUMENTS, [_flat(text) for text in texts])
    systems = dict.fromkeys(peer.summarizer for data, _ in topics for peer in data.peers if peer.kind == "peer")
    for system in systems:
        _write_system(system, topics, target, problems, annotator)


def _write_system(
    system: str, topics: list[tuple[TopicData, Pyramid]], target: Path, problems: Problems, annotator: str
) -> None:
    texts: list[str] = []
    labels: list[str] | None = []
    missing = 0
    for data, pyramid in topics:
        text = next((peer.text for peer in data.peers if peer.summarizer == system and peer.kind == "peer"), None)
        missing += text is None
        texts.append(write_tagged(text if text is not None else ""))
        annotation = next(
            (
                one
                for one in data.annotations
                if one.summarizer == system
                and (not annotator or one.annotator == annotator)
                and pyramid_of(one, data.pyramids) is pyramid
            ),
            None,
        )
        if annotation is None:
            labels = None
        elif labels is not None:
            present = {match.uid for match in annotation.scus if match.present}
            labels.append("\t".join("1" if scu.uid in present else "0" for scu in pyramid.scus))
    if missing:
        _lost(problems, target, f"no summary of {system!r} on {missing} topics", "Their lines are empty.")
    _save(target / "summaries" / f"{file_name_of(system)}.summary", texts)
    if labels is None:
        _lost(problems, target, f"topics on which {system!r} was not annotated", "No labels were written for it.")
    else:
        _save(target / "labels" / f"{file_name_of(system)}.label", labels)


def _note_losses(topics: list[tuple[TopicData, Pyramid]], target: Path, problems: Problems) -> None:
    several = sum(len(data.models) > 1 for data, _ in topics)
    if several:
        _lost(problems, target, f"several models of {several} topics", "The first was written; weights were lost.")
    more = sum(len(data.pyramids) > 1 for data, _ in topics)
    if more:
        _lost(problems, target, f"several pyramids of {more} topics", "The first was written.")
    parts = sum(bool(one.parts) for _, pyramid in topics for scu in pyramid.scus for one in scu.contributors)
    if parts:
        _lost(problems, target, f"the words of {parts} contributors", "Only the labels were written.")


def _reference(data: TopicData, pyramid: Pyramid) -> Text:
    """The first model of the pyramid."""
    texts = {model.summarizer: model.text for model in data.models}
    return next((texts[model] for model in pyramid.models if model in texts), data.models[0].text)


def _flat(text: str) -> str:
    return " ".join(text.split())


def _lost(problems: Problems, target: Path, found: str, remedy: str) -> None:
    expected = "one reference, one pyramid and one annotation of each peer for each topic"
    problems.add("warning", file=target, found=found, expected=expected, remedy=remedy)


def _save(path: Path, lines: list[str]) -> None:
    with atomic_writer(path) as file:
        file.write("".join(f"{line}\n" for line in lines).encode(errors="replace"))


FORMAT = Format(
    name="lite-pyramid",
    description="Lite2-3Pyramid's line files: SCUs.txt, references.txt, summaries/ and labels/",
    folder_detector=detect_folder,
    reader=read,
    writer=write,
    options={"units": "scus (SCUs.txt) or stus (STUs.txt) (default: scus where there are both)"},
    write_options={"annotator": "whose annotations become labels (default: the first of each peer)"},
)
