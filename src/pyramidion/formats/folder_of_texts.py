"""folder: plain text files, one per document and summary, under topics/<id>/docs, models and peers; both ways.

A folder with models/ or peers/ of its own is a single topic, and one that holds nothing but .txt files is the models of
a topic: what one needs to start a pyramid.
"""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal
from urllib.parse import unquote

from pyramidion.campaign import Campaign, Document, Judgment, Problems, Summary, Topic, plain
from pyramidion.files import atomic_writer
from pyramidion.files.problems import Severity, shorten
from pyramidion.formats.base import Format, choice, file_name_of, is_folder
from pyramidion.formats.decoding import read_tolerantly
from pyramidion.formats.line_files import read_plain

TOPICS = "topics"
FOLDERS = ("docs", "background", "models", "peers")
JUDGMENTS = "judgments.csv"
COLUMNS = ("topic", "summarizer", "assessor", "question", "value")
_ENDING = ".txt"


def detect_folder(folder: Path) -> bool:
    """Whether there are topics with texts, or texts and nothing else."""
    if is_folder(folder / TOPICS):
        return any(is_folder(topic / name) for topic in _folders(folder / TOPICS) for name in FOLDERS)
    if any(_texts(folder / name) for name in ("models", "peers")):
        return True
    return bool(_texts(folder)) and all(path.suffix == _ENDING for path in folder.iterdir() if _is_seen(path))


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
    if not is_folder(folder):
        reading.note("error", folder, "no folder", f"a folder with {TOPICS}/", "Check the path.")
    elif is_folder(folder / TOPICS):
        for place in _folders(folder / TOPICS):
            reading.add_topic(place, unquote(place.name))
    elif any(is_folder(folder / name) for name in FOLDERS):
        reading.add_topic(folder, topic or folder.resolve().name)
    else:
        reading.add_bare(folder, topic or folder.resolve().name, "model" if kind == "model" else "peer")
    if not reading.topics and not problems.errors:
        reading.note("error", folder, "no topic", f"{TOPICS}/<id>/models/*{_ENDING}", "Check the path.")
    if (folder / JUDGMENTS).is_file():
        reading.add_judgments(folder / JUDGMENTS)
    return Campaign(
        name=folder.resolve().name,
        topics=tuple(reading.topics),
        summaries=tuple(reading.summaries.values()),
        judgments=tuple(reading.judgments.values()),
    )


class _Reading:
    def __init__(self, problems: Problems) -> None:
        self.problems = problems
        self.topics: list[Topic] = []
        self.summaries: dict[tuple[str, str], Summary] = {}
        self.judgments: dict[tuple[str, str, str, str], Judgment] = {}

    def add_topic(self, folder: Path, id: str) -> None:
        described = self._description(folder / "topic.json")
        documents = described.get("documents")
        facts = documents if isinstance(documents, dict) else {}
        self.topics.append(
            Topic(
                topic=id,
                title=str(described.get("title") or ""),
                narrative=str(described.get("narrative") or ""),
                parent=str(described.get("parent") or ""),
                part=str(described.get("part") or ""),
                documents=tuple(self._documents(folder / "docs", facts)),
                background=tuple(self._documents(folder / "background", facts)),
            )
        )
        self._add_summaries(folder / "models", id, "model")
        self._add_summaries(folder / "peers", id, "peer")
        for place in _folders(folder):
            if place.name not in FOLDERS:
                self.note("warning", place, "a folder that is not known", ", ".join(FOLDERS), "It was left out.")

    def add_bare(self, folder: Path, id: str, kind: Literal["model", "peer"]) -> None:
        if _texts(folder):
            self.topics.append(Topic(topic=id))
            self._add_summaries(folder, id, kind)

    def _description(self, path: Path) -> dict[str, Any]:
        text = read_tolerantly(path, self.problems) if path.is_file() else None
        if text is None:
            return {}
        try:
            described = json.loads(text)
        except (ValueError, RecursionError) as error:
            line = getattr(error, "lineno", 1)
            self.note("error", path, f"JSON that can't be read ({error})", "an object {…}", "Mend it.", line=line)
            return {}
        if not isinstance(described, dict):
            self.note("error", path, shorten(described), 'an object such as {"title": "…"}', "Mend it.", line=1)
            return {}
        known = ("title", "narrative", "parent", "part", "documents")
        for key in described.keys() - set(known):
            self.note("warning", path, f"the key {shorten(key)}", ", ".join(known), "It was left out.")
        return described

    def _documents(self, folder: Path, facts: dict[str, Any]) -> Iterator[Document]:
        for path in _texts(folder):
            text = read_plain(path, self.problems)
            if text is not None:
                id = _id(path)
                given = facts.get(id)
                known = given if isinstance(given, dict) else {}
                date, headline = (str(known.get(key) or "") for key in ("date", "headline"))
                yield Document(id=id, text=text, date=date, headline=headline)

    def _add_summaries(self, folder: Path, topic: str, kind: Literal["model", "peer"]) -> None:
        for path in _texts(folder):
            text = read_plain(path, self.problems)
            if text is None:
                continue
            if not text.strip():
                self.note(
                    "warning",
                    path,
                    "an empty text",
                    "some words",
                    "It is scored as it stands; remove the file if it is missing.",
                )
            summary = Summary(topic=topic, summarizer=_id(path), kind=kind, text=text)
            known = self.summaries.setdefault((topic, summary.summarizer), summary)
            if known is not summary and known.text == text:
                remedy = "It was kept as a model; --peers humans scores it against the others."
                self.note("warning", path, "a model among the peers", "a peer", remedy)
            elif known is not summary:
                found = f"another text of {summary.summarizer!r} than among the {known.kind}s"
                self.note("error", path, found, "one text of each summarizer", "Rename one of the two.")

    def add_judgments(self, path: Path) -> None:
        text = read_tolerantly(path, self.problems)
        if text is None:
            return
        rows = csv.reader(io.StringIO(text, newline=""), strict=True)
        try:
            header = [name.strip() for name in next(rows, [])]
            missing = [name for name in COLUMNS if name not in header and name != "assessor"]
            if missing:
                found = f"no column {', '.join(missing)}"
                self.note("error", path, found, ",".join(COLUMNS), "Name the columns in the first line.", line=1)
                return
            for row in rows:
                if row:
                    self._add_judgment(path, rows.line_num, dict(zip(header, row, strict=False)))
        except csv.Error as error:
            self.note("error", path, str(error), "a CSV table", "Mend the quotes there.", line=rows.line_num)

    def _add_judgment(self, path: Path, line: int, row: dict[str, str]) -> None:
        topic, summarizer, assessor, question, given = (row.get(name, "") for name in COLUMNS)
        value = _number(given)
        if value is None:
            self.note("error", path, shorten(given), "a number", "Correct the value.", line=line, at="value")
            return
        if (topic, summarizer) not in self.summaries:
            found = f"({topic!r}, {summarizer!r})"
            self.note("error", path, found, "a summary of the folder", "Correct the names, or add the text.", line=line)
            return
        if not question:
            self.note("error", path, "no question", "the name of a question", "Add it.", line=line, at="question")
            return
        judgment = Judgment(topic=topic, summarizer=summarizer, assessor=assessor, question=question, value=value)
        key = (topic, summarizer, assessor, question)
        if self.judgments.setdefault(key, judgment) is not judgment:
            self.note("error", path, f"{key!r} again", "each judgment once", "Remove one of the two.", line=line)

    def note(
        self,
        severity: Severity,
        path: Path,
        found: str,
        expected: str,
        remedy: str,
        *,
        line: int | None = None,
        at: str | None = None,
    ) -> None:
        self.problems.add(severity, file=path, line=line, field=at, found=found, expected=expected, remedy=remedy)


def _number(text: str) -> int | float | None:
    if re.fullmatch(r"\s*[+-]?[0-9]{1,18}\s*", text, re.ASCII):
        return int(text)
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _is_seen(path: Path) -> bool:
    return not path.name.startswith(".")


def _folders(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.is_dir() and _is_seen(path)) if is_folder(folder) else []


def _texts(folder: Path) -> list[Path]:
    if not is_folder(folder):
        return []
    return sorted(path for path in folder.iterdir() if path.suffix == _ENDING and _is_seen(path) and path.is_file())


def _id(path: Path) -> str:
    return unquote(path.name.removesuffix(_ENDING)) or path.name


def write(campaign: Campaign, target: Path, problems: Problems) -> None:
    """Write every text under `target`; pyramids, annotations and scores have no place there, and that is said."""
    for name in ("pyramids", "annotations", "coverage", "imported"):
        if count := len(getattr(campaign, name)):
            problems.add(
                "warning",
                file=target,
                found=f"{count} {name}",
                expected="texts and judgments",
                remedy="They were left out; ducview holds pyramids, and `export flat` holds scores.",
            )
    for data in campaign.each_topic(peers="all"):
        folder = target / TOPICS / file_name_of(data.topic.topic)
        folder.mkdir(parents=True, exist_ok=True)
        _write_topic(folder, data.topic)
        for model in data.models:
            _save(folder / "models" / f"{file_name_of(model.summarizer)}{_ENDING}", _file_text(plain(model.text)))
        for peer in data.peers:
            if peer.kind == "peer":
                _save(folder / "peers" / f"{file_name_of(peer.summarizer)}{_ENDING}", _file_text(plain(peer.text)))
    if campaign.judgments:
        rows = [[str(getattr(judgment, name)) for name in COLUMNS] for judgment in campaign.judgments]
        _save(target / JUDGMENTS, "".join(map(_csv_row, [list(COLUMNS), *rows])))


def _write_topic(folder: Path, topic: Topic) -> None:
    described: dict[str, Any] = {
        name: getattr(topic, name) for name in ("title", "narrative", "parent", "part") if getattr(topic, name)
    }
    facts: dict[str, dict[str, str]] = {}
    for place, documents in (("docs", topic.documents), ("background", topic.background)):
        for document in documents:
            _save(folder / place / f"{file_name_of(document.id)}{_ENDING}", _file_text(plain(document.text)))
            known = {key: getattr(document, key) for key in ("date", "headline") if getattr(document, key)}
            if known:
                facts[document.id] = known
    if facts:
        described["documents"] = facts
    if described:
        _save(folder / "topic.json", json.dumps(described, ensure_ascii=False, indent=1) + "\n")


def _csv_row(fields: list[str]) -> str:
    """A row of a table; the csv module forgets to quote a carriage return, which would end the row."""
    row = io.StringIO(newline="")
    if any("\r" in field for field in fields):
        csv.writer(row, lineterminator="\n", quoting=csv.QUOTE_ALL).writerow(fields)
    else:
        csv.writer(row, lineterminator="\n").writerow(fields)
    return row.getvalue()


def _file_text(text: str) -> str:
    return f"{text}\n" if text else ""


def _save(path: Path, text: str) -> None:
    with atomic_writer(path) as file:
        file.write(text.encode(errors="replace"))


FORMAT = Format(
    name="folder",
    description="plain text files: topics/<id>/docs, models and peers; or one folder of models",
    folder_detector=detect_folder,
    reader=read,
    writer=write,
    options={
        "topic": "the name of a single topic (default: that of the folder)",
        "kind": "what bare .txt files are: model or peer (default: model)",
    },
)
