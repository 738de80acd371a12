"""folder: plain text files, one per document and summary, under topics/<id>/docs, models and peers; both ways.

A folder with its own models/ or peers/ is a single topic, and one with nothing but .txt files is the models of a topic:
what one needs to start a pyramid.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal
from urllib.parse import unquote

from pyramidion.campaign import Campaign, Document, Judgment, Problems, Summary, Topic, plain
from pyramidion.campaign.nouns import Text
from pyramidion.files.problems import Place, shorten
from pyramidion.formats.base import Format, choice
from pyramidion.formats.files import (
    file_name_of,
    files_in,
    is_file,
    is_folder,
    number_of,
    read_plain,
    read_raw,
    read_table,
    save,
)

TOPICS = "topics"
FOLDERS = ("docs", "background", "models", "peers")
JUDGMENTS = "judgments.csv"
COLUMNS = ("topic", "summarizer", "assessor", "question", "value")
_DESCRIBED = ("title", "narrative", "parent", "part")
_ENDING = ".txt"


def detect_folder(folder: Path) -> bool:
    """Whether there are topics with texts, or texts and nothing else."""
    if is_folder(folder / TOPICS):
        return any(is_folder(topic / name) for topic in _folders(folder / TOPICS) for name in FOLDERS)
    if any(files_in(folder / name, _ENDING) for name in ("models", "peers")):
        return True
    visible = [path for path in folder.iterdir() if not path.name.startswith(".")]
    return bool(files_in(folder, _ENDING)) and all(path.suffix == _ENDING for path in visible)


def read(folder: Path, problems: Problems, *, topic: str = "", kind: str = "model") -> Campaign:
    """The campaign in the folder.

    Args:
        folder: with topics/, or with models/ and peers/ of one topic, or with .txt files alone.
        problems: takes errors and warnings.
        topic: the name of a single topic (default: the name of the folder).
        kind: what bare .txt files are, "model" or "peer".
    """
    choice("kind", kind, ("model", "peer"))
    reading = _Reading(problems)
    at = Place(problems, folder)
    if not is_folder(folder):
        at.error("no folder", f"a folder with {TOPICS}/", "Check the path.")
    elif is_folder(folder / TOPICS):
        for place in _folders(folder / TOPICS):
            reading.add_topic(place, unquote(place.name))
    elif any(is_folder(folder / name) for name in FOLDERS):
        reading.add_topic(folder, topic or folder.resolve().name)
    else:
        reading.add_bare(folder, topic or folder.resolve().name, "model" if kind == "model" else "peer")
    if not reading.topics and not problems.errors:
        at.error("no topic", f"{TOPICS}/<id>/models/*{_ENDING}", "Check the path.")
    if is_file(folder / JUDGMENTS):
        reading.add_judgments(folder / JUDGMENTS)
    return Campaign(
        name=folder.resolve().name,
        topics=tuple(reading.topics),
        summaries=tuple(reading.summaries.values()),
        judgments=tuple(reading.judgments),
    )


class _Reading:
    def __init__(self, problems: Problems) -> None:
        self.problems = problems
        self.topics: list[Topic] = []
        self.summaries: dict[tuple[str, str], Summary] = {}
        self.judgments: list[Judgment] = []

    def add_topic(self, folder: Path, id: str) -> None:
        described = self._description(folder / "topic.json")
        documents = described.get("documents")
        facts = documents if isinstance(documents, dict) else {}
        title, narrative, parent, part = (str(described.get(name) or "") for name in _DESCRIBED)
        self.topics.append(
            Topic(
                topic=id,
                title=title,
                narrative=narrative,
                parent=parent,
                part=part,
                documents=tuple(self._documents(folder / "docs", facts)),
                background=tuple(self._documents(folder / "background", facts)),
            )
        )
        self._add_summaries(folder / "models", id, "model")
        self._add_summaries(folder / "peers", id, "peer")
        for place in _folders(folder):
            if place.name not in FOLDERS:
                Place(self.problems, place).warning("an unknown folder", ", ".join(FOLDERS), "It was left out.")

    def add_bare(self, folder: Path, id: str, kind: Literal["model", "peer"]) -> None:
        if files_in(folder, _ENDING):
            self.topics.append(Topic(topic=id))
            self._add_summaries(folder, id, kind)

    def _description(self, path: Path) -> dict[str, Any]:
        text = read_raw(path, self.problems) if is_file(path) else None
        if text is None:
            return {}
        at = Place(self.problems, path)
        try:
            described = json.loads(text)
        except (ValueError, RecursionError) as error:
            at.at(getattr(error, "lineno", 1)).error(
                f"JSON that can't be read ({error})", "an object {…}", "Correct it."
            )
            return {}
        if not isinstance(described, dict):
            at.at(1).error(shorten(described), 'an object such as {"title": "…"}', "Correct it.")
            return {}
        known = (*_DESCRIBED, "documents")
        for key in described.keys() - set(known):
            at.warning(f"the key {shorten(key)}", ", ".join(known), "It was left out.")
        return described

    def _texts(self, folder: Path) -> Iterator[tuple[Path, str, str]]:
        """The texts of a folder, with their paths and the ids in their names."""
        for path in files_in(folder, _ENDING):
            text = read_plain(path, self.problems)
            if text is not None:
                yield path, unquote(path.name.removesuffix(_ENDING)), text

    def _documents(self, folder: Path, facts: dict[str, Any]) -> Iterator[Document]:
        for _, id, text in self._texts(folder):
            given = facts.get(id)
            known = given if isinstance(given, dict) else {}
            date, headline = (str(known.get(key) or "") for key in ("date", "headline"))
            yield Document(id=id, text=text, date=date, headline=headline)

    def _add_summaries(self, folder: Path, topic: str, kind: Literal["model", "peer"]) -> None:
        for path, id, text in self._texts(folder):
            at = Place(self.problems, path)
            if not text.strip():
                remedy = "It is scored as it is; remove the file if the summary is missing."
                at.warning("an empty text", "some words", remedy)
            summary = Summary(topic=topic, summarizer=id, kind=kind, text=text)
            known = self.summaries.setdefault((topic, id), summary)
            if known is not summary and known.text == text:
                remedy = "It was kept as a model; --peers humans scores it against the others."
                at.warning("a model among the peers", "a peer", remedy)
            elif known is not summary:
                found = f"another text of {id!r} than among the {known.kind}s"
                at.error(found, "one text of each summarizer", "Rename one of the two.")

    def add_judgments(self, path: Path) -> None:
        needed = [name for name in COLUMNS if name != "assessor"]
        first: dict[tuple[str, ...], int] = {}
        for line, row in read_table(path, self.problems, needed, strict=True):
            *key, given = (row.get(name, "") for name in COLUMNS)
            topic, summarizer, assessor, question = key
            value = _number(given)
            at = Place(self.problems, path, line)
            if value is None:
                at.at(line, "value").error(shorten(given), "a number", "Correct the value.")
            elif (topic, summarizer) not in self.summaries:
                found = f"({topic!r}, {summarizer!r})"
                at.error(found, "a summary of the folder", "Correct the names, or add the text.")
            elif not question:
                at.at(line, "question").error("no question", "the name of a question", "Add it.")
            elif at.is_first(
                first, tuple(key), repr(tuple(key)), expected="each judgment once", remedy="Remove one of the two."
            ):
                self.judgments.append(
                    Judgment(topic=topic, summarizer=summarizer, assessor=assessor, question=question, value=value)
                )


def _number(text: str) -> int | float | None:
    if re.fullmatch(r"\s*[+-]?[0-9]{1,18}\s*", text, re.ASCII):
        return int(text)
    return number_of(text)


def _folders(folder: Path) -> list[Path]:
    found = (path for path in folder.iterdir() if not path.name.startswith(".")) if is_folder(folder) else ()
    return sorted(path for path in found if is_folder(path))


def write(campaign: Campaign, target: Path, problems: Problems) -> None:
    """Write every text under `target`; pyramids, annotations and scores are left out, with a warning."""
    for name in ("pyramids", "annotations", "coverage", "imported"):
        if count := len(getattr(campaign, name)):
            remedy = "They were left out; export pyramids to ducview, and scores with `export flat`."
            Place(problems, target).warning(f"{count} {name}", "texts and judgments", remedy)
    for data in campaign.given_topics():
        folder = target / TOPICS / file_name_of(data.topic.topic)
        folder.mkdir(parents=True, exist_ok=True)
        _write_topic(folder, data.topic)
        for model in data.models:
            _save(folder / "models", model.summarizer, model.text)
        for peer in data.peers:
            _save(folder / "peers", peer.summarizer, peer.text)
    if campaign.judgments:
        rows = [[str(getattr(judgment, name)) for name in COLUMNS] for judgment in campaign.judgments]
        save(target / JUDGMENTS, "".join(map(_csv_row, [list(COLUMNS), *rows])))


def _write_topic(folder: Path, topic: Topic) -> None:
    described: dict[str, Any] = {name: getattr(topic, name) for name in _DESCRIBED if getattr(topic, name)}
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
    description="plain text files: topics/<id>/docs, models and peers; or one folder of models",
    folder_detector=detect_folder,
    reader=read,
    writer=write,
    options={
        "topic": "the name of a single topic (default: the name of the folder)",
        "kind": "what bare .txt files are: model or peer (default: model)",
    },
)
