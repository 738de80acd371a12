"""What must hold between the rows of a campaign: unique keys, references that lead somewhere, spans inside texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from operator import attrgetter
from pathlib import Path
from typing import Any, Generic, TypeVar

from pyramidion.campaign.decoding import note_empty_text
from pyramidion.campaign.nouns import (
    Coverage,
    Judgment,
    Noun,
    Parts,
    PeerAnnotation,
    Preference,
    Pyramid,
    SampledUnit,
    Summary,
    Topic,
    moment,
    plain,
)
from pyramidion.campaign.questions import QuestionSet
from pyramidion.files.problems import Place, Problems, shorten
from pyramidion.scores.table import ScoreTable
from pyramidion.show.wording import counted

N = TypeVar("N", bound=Noun)


@dataclass(frozen=True)
class NounTable(Generic[N]):
    """The rows of one file with their line numbers."""

    path: Path
    rows: list[tuple[int, N]] = field(default_factory=list)
    broken: list[dict[str, Any]] = field(default_factory=list)
    """Rows with errors of their own, as given: a reference to what they name is not an error as well."""
    lines: list[bytes] = field(default_factory=list)
    """The rows as bytes, without blanks around them, where they were asked for."""

    @property
    def nouns(self) -> tuple[N, ...]:
        """The rows alone."""
        return tuple(noun for _, noun in self.rows)


NounTables = Mapping[type[Noun], NounTable[Any]]
"""All files of a campaign folder, decoded row by row but not yet checked against each other."""

KEYS: Mapping[type[Noun], tuple[str, ...]] = {
    Topic: ("topic",),
    Summary: ("topic", "summarizer", "run"),
    Judgment: ("topic", "summarizer", "assessor", "question", "run"),
    Preference: ("topic", "a", "b", "assessor"),
    Pyramid: ("topic", "annotator"),
    PeerAnnotation: ("topic", "summarizer", "annotator", "draw"),
    Coverage: ("topic", "summarizer", "model", "assessor"),
    SampledUnit: ("topic", "scu", "summarizer"),
}
"""What no two rows of a file may have in common."""
_KEY_OF: Mapping[type[Noun], Callable[[Any], Hashable]] = {noun: attrgetter(*names) for noun, names in KEYS.items()}


def key_of(noun: Noun) -> Hashable:
    """What no other row of the noun's file may have."""
    return _KEY_OF[type(noun)](noun)


def check_tables(
    tables: NounTables,
    scores: Mapping[Path, ScoreTable],
    questions: QuestionSet,
    problems: Problems,
    *,
    summarizers: Collection[str] = (),
) -> None:
    """Note every rule that the rows break.

    Args:
        tables: the rows of each file.
        scores: the score tables.
        questions: those that campaign.toml declares.
        problems: takes what is found.
        summarizers: those that campaign.toml declares.
    """
    check = _Checker(tables, problems)
    check.unique_keys()
    check.topics()
    check.summaries()
    check.runs()
    check.judgments(questions, summarizers)
    check.preferences()
    check.pyramids()
    check.annotations()
    check.coverage()
    check.sample()
    check.times()
    check.scores(scores)


def note_answer_about_runs(at: Place, topic: str, summarizer: str, count: int, *, field: str) -> None:
    """Note as an error that an answer does not say which of several outputs it is about.

    Args:
        at: where the answer is.
        topic: what it is about.
        summarizer: whose outputs they are.
        count: how many outputs there are.
        field: the field of the summarizer.
    """
    at.error(
        f"an answer about {summarizer!r} on topic {topic!r}, which has {count} outputs there",
        "answers about summarizers with one output for the topic, because an answer does not say which one it is about",
        "Give each output that was judged a summarizer of its own (a-1, a-2), or keep only the one that was judged. "
        "Numbers of each output can be scores: then they are averaged over runs.",
        field=field,
    )


class _Checker:
    def __init__(self, tables: NounTables, problems: Problems) -> None:
        self.tables = tables
        self.problems = problems
        summaries = tables[Summary]
        self.texts = {(row.topic, row.summarizer): plain(row.text) for row in summaries.nouns}
        self.models = {(row.topic, row.summarizer) for row in summaries.nouns if row.kind == "model"}
        keys = {(row.topic, row.summarizer, row.run) for row in summaries.nouns}
        outputs = Counter((topic, summarizer) for topic, summarizer, _ in keys)
        self.outputs = {key: count for key, count in outputs.items() if count > 1}
        """Of summarizers with several outputs for a topic, how many they are."""
        self.named = {*self.texts}
        """The keys of all summaries, those of broken rows included."""
        for row in summaries.broken:
            key = (_name(row, "topic"), _name(row, "summarizer"))
            self.named.add(key)
            # It may have been meant as a model, unless it names itself a peer.
            if row.get("kind") != "peer":
                self.models.add(key)

    def unique_keys(self) -> None:
        """No two rows of a file have the same key."""
        for noun, names in KEYS.items():
            table = self.tables[noun]
            first: dict[Hashable, int] = {}
            for line, row in table.rows:
                key = key_of(row)
                if first.setdefault(key, line) == line:
                    continue
                shown_names = names
                if isinstance(row, Summary) and row.run == 1:  # few campaigns have runs
                    shown_names = names[:2]
                    key = (row.topic, row.summarizer)
                listed = ", ".join(shown_names)
                expected = f"each ({listed}) once"
                at = Place(self.problems, table.path, line, listed)
                at.is_first(
                    first, key_of(row), f"the key {key!r}", expected=expected, remedy="Remove one of the two rows."
                )

    def topics(self) -> None:
        """Documents have ids of their own and some text, and every topic has a reference."""
        for at, topic in self._rows(Topic):
            for name in ("documents", "background"):
                documents = getattr(topic, name)
                _note_repeated(at, f"{name}.id", [document.id for document in documents])
                for index, document in enumerate(documents):
                    note_empty_text(at, document.text, f"{name}[{index}].text")
        # Nobody needs to declare topics, so those of summaries count, too; each is reported once, where it comes first.
        with_models = {topic for topic, _ in self.models}
        first_places: dict[str, Place] = {}
        for at, topic in self._rows(Topic):
            first_places.setdefault(topic.topic, at)
        for at, summary in self._rows(Summary):
            first_places.setdefault(summary.topic, at)
        for id, at in first_places.items():
            if id not in with_models:
                at.warning(
                    f"topic {id!r} without references",
                    "at least one reference (a summary of kind model)",
                    "Measures that need references give no score for it.",
                    field="topic",
                )

    def summaries(self) -> None:
        """No text is empty, and every topic is declared, if any are."""
        topics = self.tables[Topic]
        # Rows that can't be read have their own error; that their topics are missing would be a second one for the same
        # slip.
        declared = {topic.topic for topic in topics.nouns}
        declared |= {_name(row, "topic") for row in topics.broken}
        for at, summary in self._rows(Summary):
            note_empty_text(at, summary.text)
            is_declared = summary.topic in declared
            if declared and not is_declared:
                _note_dangling(at, "topic", repr(summary.topic), "a topic of topics.jsonl")

    def runs(self) -> None:
        """Only systems have several outputs for a topic, and answers are about a summary that is the only one."""
        for at, summary in self._rows(Summary):
            if summary.kind == "model" and (summary.run > 1 or (summary.topic, summary.summarizer) in self.outputs):
                at.error(
                    f"several summaries of {summary.summarizer!r} for topic {summary.topic!r}, one of kind model",
                    "one reference of each person for a topic; only peers have runs",
                    "Give each reference a summarizer of its own.",
                    field="run",
                )
        if not self.outputs:
            return
        for noun in (Judgment, PeerAnnotation, Coverage):
            for line, answer in self.tables[noun].rows:
                at = Place(self.problems, self.tables[noun].path, line)
                self._is_about_one_output(at, answer.topic, answer.summarizer, "topic, summarizer")
        for at, preference in self._rows(Preference):
            self._is_about_one_output(at, preference.topic, preference.a, "topic, a")
            self._is_about_one_output(at, preference.topic, preference.b, "topic, b")
        for at, unit in self._rows(SampledUnit):
            if unit.summarizer is not None:
                self._is_about_one_output(at, unit.topic, unit.summarizer, "topic, summarizer")

    def _is_about_one_output(self, at: Place, topic: str, summarizer: str, field: str) -> None:
        """Note as an error that an answer does not say which of several outputs it is about."""
        count = self.outputs.get((topic, summarizer), 1)
        if count > 1:
            note_answer_about_runs(at, topic, summarizer, count, field=field)

    def judgments(self, questions: QuestionSet, summarizers: Collection[str]) -> None:
        """Every judgment is of a summary, answers a declared question, if any are, and is on its scale.

        Packages may have judgments without the texts that they are about. If topic and summarizer are declared, it is
        no slip of the pen: one warning counts them.
        """
        declared = {question.name: question for question in questions}
        topics = {topic.topic for topic in self.tables[Topic].nouns}
        without_text: list[Place] = []
        for at, judgment in self._rows(Judgment):
            is_declared = judgment.topic in topics and judgment.summarizer in summarizers
            if is_declared and (judgment.topic, judgment.summarizer) not in self.named:
                without_text.append(at)
            else:
                self._has_summary(at, judgment.topic, judgment.summarizer)
            question = declared.get(judgment.question)
            if question is None:
                if declared:
                    expected = f"a question of campaign.toml: {', '.join(declared)}"
                    remedy = "Correct the name, or declare the question."
                    at.error(repr(judgment.question), expected, remedy, field="question")
                continue
            low, high = question.scale
            if not low <= judgment.value <= high:
                expected = f"{low} to {high}, the scale of {judgment.question!r} in campaign.toml"
                at.warning(f"{judgment.value:g}", expected, "It is used as it is.", field="value")
        if without_text:
            without_text[0].warning(
                f"{counted(len(without_text), 'judgment')} about summaries that are not in summaries.jsonl",
                "the texts of judged summaries",
                "They are kept and count as judgments; the summaries get no scores.",
                field="topic, summarizer",
                count=len(without_text),
            )

    def preferences(self) -> None:
        """Every preference is between two summaries of a topic."""
        for at, preference in self._rows(Preference):
            if preference.a == preference.b:
                expected, remedy = "two summarizers", "Correct one of the names, or remove the row."
                at.error(f"{preference.a!r} twice", expected, remedy, field="a, b")
            for name in ("a", "b"):
                summarizer = getattr(preference, name)
                if (preference.topic, summarizer) not in self.named:
                    key = f"({preference.topic!r}, {summarizer!r})"
                    _note_dangling(at, f"topic, {name}", key, "a summary of summaries.jsonl")

    def times(self) -> None:
        """Every time can be read."""
        for noun in (Judgment, Preference, Pyramid, PeerAnnotation):
            table = self.tables[noun]
            for line, row in table.rows:
                if not row.time or moment(row.time) is not None:
                    continue
                at = Place(self.problems, table.path, line)
                remedy = "Write the time in ISO 8601, or leave it out."
                at.error(shorten(row.time), "a time such as 2026-05-04T09:30:00Z", remedy, field="time")

    def pyramids(self) -> None:
        """Every pyramid is of a topic with summaries, and its contributors are parts of its models."""
        topics = {topic for topic, _ in self.named}
        for at, pyramid in self._rows(Pyramid):
            if pyramid.topic not in topics:
                _note_dangling(at, "topic", repr(pyramid.topic), "a topic with summaries")
                continue
            _note_repeated(at, "models", pyramid.models)
            _note_repeated(at, "scus.uid", [scu.uid for scu in pyramid.scus])
            for model in pyramid.models:
                # References, not any summary: peers have annotations, never a pyramid.
                if (pyramid.topic, model) not in self.models:
                    _note_dangling(at, "models", repr(model), "a model summary of the topic")
            for index, scu in enumerate(pyramid.scus):
                name = f"scus[{index}].contributors"
                for contributor in scu.contributors:
                    if contributor.model not in pyramid.models:
                        _note_dangling(at, name, repr(contributor.model), "a model of this pyramid")
                    self._spans(at, name, pyramid.topic, contributor.model, [contributor.parts])

    def annotations(self) -> None:
        """Every annotation is of a summary, of a pyramid of its topic, and names SCUs that the pyramid has."""
        uids: dict[str, set[int]] = {}
        annotators: dict[str, set[str]] = {}
        for pyramid in self.tables[Pyramid].nouns:
            uids.setdefault(pyramid.topic, set()).update(scu.uid for scu in pyramid.scus)
            annotators.setdefault(pyramid.topic, set()).add(pyramid.annotator)
        broken = {_name(row, "topic") for row in self.tables[Pyramid].broken}
        for at, annotation in self._rows(PeerAnnotation):
            topic, summarizer = annotation.topic, annotation.summarizer
            self._has_summary(at, topic, summarizer)
            _note_repeated(at, "scus.uid", [match.uid for match in annotation.scus])
            has_pyramid = topic in uids
            is_broken = topic in broken
            if not has_pyramid and not is_broken:
                _note_dangling(at, "topic", repr(topic), "a topic with a pyramid in pyramids.jsonl")
            # None: the only pyramid of the topic, which needs no name.
            pyramids = {None, *annotators.get(topic, ())}
            if annotation.pyramid not in pyramids and not is_broken:
                _note_dangling(at, "pyramid", repr(annotation.pyramid), "an annotator of a pyramid of the topic")
            # A pyramid that can't be read may have the SCUs.
            can_check_uids = has_pyramid and not is_broken
            for index, match in enumerate(annotation.scus):
                name = f"scus[{index}]"
                if can_check_uids and match.uid not in uids[topic]:
                    _note_dangling(at, f"{name}.uid", str(match.uid), "an SCU of the topic's pyramid")
                self._spans(at, name, topic, summarizer, match.contributors)
            self._spans(at, "unmatched", topic, summarizer, annotation.unmatched or ())

    def coverage(self) -> None:
        """Every row of coverage is of a summary and a model, and its units are parts of them."""
        for at, coverage in self._rows(Coverage):
            self._has_summary(at, coverage.topic, coverage.summarizer)
            if (coverage.topic, coverage.model) not in self.models:
                _note_dangling(at, "model", repr(coverage.model), "a model summary of the topic")
            for index, unit in enumerate(coverage.units):
                name = f"units[{index}]"
                self._spans(at, name, coverage.topic, coverage.model, [(unit.unit,)])
                self._spans(at, name, coverage.topic, coverage.summarizer, [unit.peer_units])

    def sample(self) -> None:
        """Every unit of the sample exists, has a chance, and all are of one kind: topics, SCUs or peers."""
        topics = {topic.topic for topic in self.tables[Topic].nouns} | {topic for topic, _ in self.named}
        uids = {(pyramid.topic, scu.uid) for pyramid in self.tables[Pyramid].nouns for scu in pyramid.scus}
        # Units may also be drawn before there are pyramids.
        has_pyramids = bool(uids) and not self.tables[Pyramid].broken
        kinds: dict[tuple[bool, bool], None] = {}
        for at, unit in self._rows(SampledUnit):
            kinds.setdefault((unit.scu is not None, unit.summarizer is not None))
            if len(kinds) > 1:
                remedy = "A plan draws either topics, SCUs or single answers; keep the rows of one plan."
                at.error("units of different kinds", "all with the same fields", remedy, field="scu, summarizer")
                break
            if not 0 < unit.chance <= 1:
                remedy = "Every unit that could have been drawn has a chance; without one nothing can be estimated."
                at.error(f"{unit.chance:g}", "a number above 0, up to 1", remedy, field="chance")
            if unit.topic not in topics:
                _note_dangling(at, "topic", repr(unit.topic), "a topic of the campaign")
            elif unit.summarizer is not None:
                self._has_summary(at, unit.topic, unit.summarizer)
            if unit.scu is not None and has_pyramids and (unit.topic, unit.scu) not in uids:
                _note_dangling(at, "scu", str(unit.scu), "an SCU of the topic's pyramid")

    def scores(self, tables: Mapping[Path, ScoreTable]) -> None:
        """Every score belongs to a summary; all else has been checked by its reader."""
        for path, table in tables.items():
            keys = table.frame.select("topic", "summarizer").iter_rows()
            unmatched = [key for key in keys if key not in self.named]
            if unmatched:
                found = f"{counted(len(unmatched), 'score')} without a summary, the first for {unmatched[0]!r}"
                _note_dangling(self.problems.at(path), "topic, summarizer", found, "a summary of summaries.jsonl")

    def _rows(self, noun: type[N]) -> Iterator[tuple[Place, N]]:
        """The rows of a file, each with its place."""
        table = self.tables[noun]
        for line, row in table.rows:
            yield Place(self.problems, table.path, line), row

    def _has_summary(self, at: Place, topic: str, summarizer: str) -> None:
        """Note as an error that a row is about a summary that is not there."""
        if (topic, summarizer) not in self.named:
            _note_dangling(at, "topic, summarizer", f"({topic!r}, {summarizer!r})", "a summary of summaries.jsonl")

    def _spans(self, at: Place, name: str, topic: str, summarizer: str, contributors: Iterable[Parts]) -> None:
        """Note as errors parts that are not inside the text of a summary, if the text is known."""
        text = self.texts.get((topic, summarizer))
        if text is None:
            return
        for parts in contributors:
            for start, end in parts:
                if not 0 <= start < end <= len(text):
                    at.error(
                        f"the part [{start}, {end}]",
                        f"0 ≤ start < end ≤ {len(text)}, the length of the summary by {summarizer!r}",
                        "Offsets count code points of one summary; the end is excluded.",
                        field=name,
                    )


def _note_repeated(at: Place, name: str, keys: Iterable[Hashable]) -> None:
    seen: set[Hashable] = set()
    for key in keys:
        if key in seen:
            at.error(f"{key!r} twice", "each once", "Remove one of the two.", field=name)
        seen.add(key)


def _note_dangling(at: Place, name: str, found: str, expected: str) -> None:
    at.error(found, expected, "Correct the name, or add the row that it refers to.", field=name)


def _name(row: dict[str, Any], key: str) -> str:
    """The name in a broken row, if it is a string at all."""
    name = row.get(key)
    if isinstance(name, str):
        return name
    return ""
