"""What must hold between the rows of a campaign: keys once, references that lead somewhere, spans inside texts."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

from pyramidion.campaign.content import Coverage, Parts, PeerAnnotation, Pyramid
from pyramidion.campaign.nouns import ImportedScore, Judgment, Noun, Question, Summary, Text, Topic, plain
from pyramidion.campaign.problems import Problems, Severity

N = TypeVar("N", bound=Noun)


@dataclass(frozen=True)
class Table(Generic[N]):
    """The rows of one file with their line numbers."""

    path: Path
    rows: list[tuple[int, N]] = field(default_factory=list)
    broken: list[dict[str, Any]] = field(default_factory=list)
    """Rows with errors of their own, as they came: what they name is there, so nothing that refers to it dangles."""

    @property
    def nouns(self) -> tuple[N, ...]:
        """The rows alone."""
        return tuple(noun for _, noun in self.rows)


@dataclass(frozen=True, kw_only=True)
class Tables:
    """All files of a campaign folder, decoded row by row but not yet checked against each other."""

    topics: Table[Topic]
    summaries: Table[Summary]
    judgments: Table[Judgment]
    pyramids: Table[Pyramid]
    annotations: Table[PeerAnnotation]
    coverage: Table[Coverage]


def check_tables(
    tables: Tables, scores: Sequence[Table[ImportedScore]], questions: Sequence[Question], problems: Problems
) -> None:
    """Note every rule that the rows break."""
    check = _Checker(tables, problems)
    check.keys_once()
    check.topics()
    check.summaries()
    check.judgments(questions)
    check.pyramids()
    check.annotations()
    check.coverage()
    check.scores(scores)


def note_empty_text(file: Path, line: int, text: Text, problems: Problems, field: str = "text") -> None:
    """An empty text is legal, but worth a warning."""
    if not plain(text).strip():
        problems.add(
            "warning",
            file=file,
            line=line,
            field=field,
            found="an empty text",
            expected="some words",
            remedy="It is scored as it stands; leave the row out if the summary is missing.",
        )


class _Checker:
    def __init__(self, tables: Tables, problems: Problems) -> None:
        self.tables = tables
        self.problems = problems
        self.texts = {(row.topic, row.summarizer): plain(row.text) for row in tables.summaries.nouns}
        self.models = {(row.topic, row.summarizer) for row in tables.summaries.nouns if row.kind == "model"}
        broken = [(_name(row, "topic"), _name(row, "summarizer"), row.get("kind")) for row in tables.summaries.broken]
        self.named = {*self.texts, *((topic, summarizer) for topic, summarizer, _ in broken)}
        # A broken row may have been meant as a model, unless it says that it is a peer.
        self.models |= {(topic, summarizer) for topic, summarizer, kind in broken if kind != "peer"}

    def keys_once(self) -> None:
        tables = self.tables
        self._once(tables.topics, lambda row: row.topic, "topic")
        self._once(tables.summaries, lambda row: (row.topic, row.summarizer), "topic, summarizer")
        self._once(
            tables.judgments,
            lambda row: (row.topic, row.summarizer, row.assessor, row.question),
            "topic, summarizer, assessor, question",
        )
        self._once(tables.pyramids, lambda row: (row.topic, row.annotator), "topic, annotator")
        self._once(
            tables.annotations,
            lambda row: (row.topic, row.summarizer, row.annotator),
            "topic, summarizer, annotator",
        )
        self._once(
            tables.coverage,
            lambda row: (row.topic, row.summarizer, row.model, row.assessor),
            "topic, summarizer, model, assessor",
        )

    def topics(self) -> None:
        table = self.tables.topics
        modelled = {topic for topic, _ in self.models}
        for line, topic in table.rows:
            for field_name in ("documents", "background"):
                documents = getattr(topic, field_name)
                self._unique(table.path, line, f"{field_name}.id", [document.id for document in documents])
                for index, document in enumerate(documents):
                    note_empty_text(table.path, line, document.text, self.problems, f"{field_name}[{index}].text")
        first: dict[str, tuple[Path, int]] = {}
        for source in (table, self.tables.summaries):
            for line, row in source.rows:
                first.setdefault(row.topic, (source.path, line))
        for topic_id, (path, line) in first.items():
            if topic_id not in modelled:
                self._note(
                    "warning",
                    path,
                    line,
                    "topic",
                    f"topic {topic_id!r} without model summaries",
                    "at least one summary of kind model",
                    "Measures that need models give no row for it.",
                )

    def summaries(self) -> None:
        table = self.tables.summaries
        declared = {topic.topic for topic in self.tables.topics.nouns}
        declared |= {_name(row, "topic") for row in self.tables.topics.broken}
        for line, summary in table.rows:
            note_empty_text(table.path, line, summary.text, self.problems)
            if declared and summary.topic not in declared:
                self._dangling(table.path, line, "topic", repr(summary.topic), "a topic of topics.jsonl")

    def judgments(self, questions: Sequence[Question]) -> None:
        scales = {question.name: question.scale for question in questions}
        table = self.tables.judgments
        for line, judgment in table.rows:
            self._has_summary(table.path, line, judgment.topic, judgment.summarizer)
            low, high = scales.get(judgment.question, (judgment.value, judgment.value))
            if not low <= judgment.value <= high:
                self._note(
                    "warning",
                    table.path,
                    line,
                    "value",
                    f"{judgment.value:g}",
                    f"{low} to {high}, the scale of {judgment.question!r} in campaign.toml",
                    "It is used as it stands.",
                )

    def pyramids(self) -> None:
        table = self.tables.pyramids
        topics = {topic for topic, _ in self.named}
        for line, pyramid in table.rows:
            if pyramid.topic not in topics:
                self._dangling(table.path, line, "topic", repr(pyramid.topic), "a topic with summaries")
                continue
            self._unique(table.path, line, "models", pyramid.models)
            self._unique(table.path, line, "scus.uid", [scu.uid for scu in pyramid.scus])
            for model in pyramid.models:
                if (pyramid.topic, model) not in self.models:
                    self._dangling(table.path, line, "models", repr(model), "a model summary of the topic")
            for index, scu in enumerate(pyramid.scus):
                for contributor in scu.contributors:
                    at = f"scus[{index}].contributors"
                    if contributor.model not in pyramid.models:
                        self._dangling(table.path, line, at, repr(contributor.model), "a model of this pyramid")
                    self._spans(table.path, line, at, pyramid.topic, contributor.model, [contributor.parts])

    def annotations(self) -> None:
        table = self.tables.annotations
        uids: dict[str, set[int]] = {}
        for pyramid in self.tables.pyramids.nouns:
            uids.setdefault(pyramid.topic, set()).update(scu.uid for scu in pyramid.scus)
        broken = {_name(row, "topic") for row in self.tables.pyramids.broken}
        for line, annotation in table.rows:
            self._has_summary(table.path, line, annotation.topic, annotation.summarizer)
            self._unique(table.path, line, "scus.uid", [match.uid for match in annotation.scus])
            if annotation.topic not in uids.keys() | broken:
                self._dangling(
                    table.path,
                    line,
                    "topic",
                    repr(annotation.topic),
                    "a topic with a pyramid in pyramids.jsonl",
                )
            if annotation.pyramid is not None and annotation.topic not in broken:
                annotators = {one.annotator for one in self.tables.pyramids.nouns if one.topic == annotation.topic}
                if annotation.pyramid not in annotators:
                    what = "an annotator of a pyramid of the topic"
                    self._dangling(table.path, line, "pyramid", repr(annotation.pyramid), what)
            for index, match in enumerate(annotation.scus):
                at = f"scus[{index}]"
                if annotation.topic not in broken and match.uid not in uids.get(annotation.topic, {match.uid}):
                    self._dangling(table.path, line, f"{at}.uid", str(match.uid), "an SCU of the topic's pyramid")
                self._spans(table.path, line, at, annotation.topic, annotation.summarizer, match.contributors)
            self._spans(
                table.path,
                line,
                "unmatched",
                annotation.topic,
                annotation.summarizer,
                annotation.unmatched or (),
            )

    def coverage(self) -> None:
        table = self.tables.coverage
        for line, coverage in table.rows:
            self._has_summary(table.path, line, coverage.topic, coverage.summarizer)
            if (coverage.topic, coverage.model) not in self.models:
                self._dangling(table.path, line, "model", repr(coverage.model), "a model summary of the topic")
            for index, unit in enumerate(coverage.units):
                at = f"units[{index}]"
                self._spans(table.path, line, at, coverage.topic, coverage.model, [(unit.unit,)])
                self._spans(table.path, line, at, coverage.topic, coverage.summarizer, [unit.peer_units])

    def scores(self, tables: Sequence[Table[ImportedScore]]) -> None:
        """Every score is about a summary, and stands in one file only; a measure has one direction in all files.

        Within a file, its reader sees to that.
        """
        names = "measure, topic, summarizer"
        holder: dict[tuple[str, str, str], Path] = {}
        directions: dict[str, tuple[bool, Path]] = {}
        for table in tables:
            measures: dict[str, tuple[int, bool]] = {}
            for line, score in table.rows:
                self._has_summary(table.path, line, score.topic, score.summarizer)
                measures.setdefault(score.measure, (line, score.higher_is_better))
                first = holder.setdefault(score.key, table.path)
                if first != table.path:
                    found = f"the key {score.key!r} again (also in {first.name})"
                    self._note(
                        "error", table.path, line, names, found, f"each ({names}) once", "Remove one of the two."
                    )
            for measure, (line, higher) in measures.items():
                direction, holding = directions.setdefault(measure, (higher, table.path))
                if direction != higher:
                    self._note(
                        "error",
                        table.path,
                        line,
                        "higher_is_better",
                        f"another direction for {measure!r} than in {holding.name}",
                        "one direction for each measure",
                        "Correct the metadata of one table, or rename its measure.",
                    )

    def _once(self, table: Table[N], key: Callable[[N], Hashable], names: str) -> None:
        first: dict[Hashable, int] = {}
        for line, row in table.rows:
            seen = first.setdefault(key(row), line)
            if seen != line:
                self._note(
                    "error",
                    table.path,
                    line,
                    names,
                    f"the key {key(row)!r} again (first on line {seen})",
                    f"each ({names}) once",
                    "Remove one of the two rows.",
                )

    def _unique(self, path: Path, line: int, at: str, keys: Iterable[Hashable]) -> None:
        seen: set[Hashable] = set()
        for key in keys:
            if key in seen:
                self._note("error", path, line, at, f"{key!r} twice", "each once", "Remove one of the two.")
            seen.add(key)

    def _has_summary(self, path: Path, line: int, topic: str, summarizer: str) -> None:
        if (topic, summarizer) not in self.named:
            self._dangling(
                path,
                line,
                "topic, summarizer",
                f"({topic!r}, {summarizer!r})",
                "a summary of summaries.jsonl",
            )

    def _spans(
        self, path: Path, line: int, at: str, topic: str, summarizer: str, contributors: Iterable[Parts]
    ) -> None:
        text = self.texts.get((topic, summarizer))
        if text is None:
            return
        for parts in contributors:
            for start, end in parts:
                if not 0 <= start < end <= len(text):
                    self._note(
                        "error",
                        path,
                        line,
                        at,
                        f"the part [{start}, {end}]",
                        f"0 ≤ start < end ≤ {len(text)}, the length of the summary by {summarizer!r}",
                        "Offsets count code points of the one summary, end excluded.",
                    )

    def _dangling(self, path: Path, line: int, at: str, found: str, expected: str) -> None:
        remedy = "Correct the name, or add the row that it refers to."
        self._note("error", path, line, at, found, expected, remedy)

    def _note(
        self,
        severity: Severity,
        path: Path,
        line: int,
        at: str,
        found: str,
        expected: str,
        remedy: str,
    ) -> None:
        self.problems.add(severity, file=path, line=line, field=at, found=found, expected=expected, remedy=remedy)


def _name(row: dict[str, Any], key: str) -> str:
    """The name that a broken row gives, if it is a string at all."""
    name = row.get(key)
    return name if isinstance(name, str) else ""
