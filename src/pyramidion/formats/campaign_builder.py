"""Builds a campaign from the rows of another program or data set: topics, texts, judgments, scores."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pyramidion.campaign import (
    Campaign,
    Document,
    Judgment,
    PeerAnnotation,
    Problems,
    Pyramid,
    Question,
    QuestionSet,
    Summarizer,
    Summary,
    Topic,
)
from pyramidion.campaign.nouns import Text
from pyramidion.files.problems import Place
from pyramidion.formats.json_values import flat_scores
from pyramidion.formats.text_files import number_of
from pyramidion.intake.cells import is_missing
from pyramidion.scores import Score, ScoreTable
from pyramidion.scores.run_means import table_of_runs


@dataclass
class CampaignBuilder:
    """The parts of a campaign, as rows add them; what a row repeats must be the same."""

    name: str
    questions: Sequence[str] = ()
    summarizers: dict[str, Summarizer] = field(default_factory=dict)
    topics: dict[str, Topic] = field(default_factory=dict)
    models: dict[str, tuple[Text, ...]] = field(default_factory=dict)
    """By topic, models without names: they become ref1, ref2, …"""
    named_models: dict[tuple[str, str], Text] = field(default_factory=dict)
    """Models that have names of their own, by topic and name."""
    peers: dict[tuple[str, str], Text] = field(default_factory=dict)
    judgments: list[Judgment] = field(default_factory=list)
    pyramids: list[Pyramid] = field(default_factory=list)
    annotations: list[PeerAnnotation] = field(default_factory=list)
    scores: dict[tuple[str, str, str], float] = field(default_factory=dict)
    further_outputs: dict[tuple[str, str, int], Text] = field(default_factory=dict)
    """Outputs of the second run of a system on a topic, the third and so on."""
    further_scores: dict[tuple[str, str, str, int], float] = field(default_factory=dict)
    """Scores of such outputs."""
    holes: list[tuple[str, str]] = field(default_factory=list)
    """Items and systems without an output."""

    def keep_topic(self, topic: Topic) -> None:
        """Add a topic; of several with one id, the first that has documents counts."""
        previous = self.topics.get(topic.topic)
        # Rows of several systems repeat the topic, and some exports give the document only once.
        if previous is None or (topic.documents and not previous.documents):
            self.topics[topic.topic] = topic

    def add_topic(self, topic: str, documents: Iterable[Any] = (), references: Iterable[Any] = ()) -> None:
        """Add the documents and references of a topic; the first that come count."""
        texts = [text for text in map(text_of, documents) if text]
        numbered_documents = [Document(id=str(number), text=text) for number, text in enumerate(texts, start=1)]
        self.keep_topic(Topic(topic=topic, documents=tuple(numbered_documents)))
        if not self.models.get(topic):
            self.models[topic] = tuple(text for text in map(text_of, references) if text)

    def add_model(self, topic: str, name: str, text: Any) -> None:
        """Add a model with a name of its own, if there is a text; the first that comes counts."""
        if isinstance(text, list):
            text = tuple(text)
        if isinstance(text, str | tuple):
            self.named_models.setdefault((topic, name), text)

    def add_peer(self, topic: str, summarizer: str, output: Any, at: Place, run: int = 1) -> None:
        """Add a summary; no output is a hole, and another text for the same key is an error.

        Args:
            topic: what it is about.
            summarizer: who wrote it.
            output: its text.
            at: where it is.
            run: which of several outputs of the summarizer it is.
        """
        text = text_of(output)
        if text is None:
            self.holes.append((topic, summarizer))
            return
        if isinstance(output, dict):
            at.warning(
                found="an object as output",
                expected="a text",
                remedy="It was kept as JSON.",
                field="output",
            )
        if run == 1:
            first_text = self.peers.setdefault((topic, summarizer), text)
        else:
            first_text = self.further_outputs.setdefault((topic, summarizer, run), text)
        if first_text != text:
            at.error(
                found=f"another output of {summarizer!r} for {topic!r}",
                expected="one output for each item and system",
                remedy="Keep one run, or give the runs different names.",
            )

    def add_judgment(self, topic: str, summarizer: str, question: str, value: Any, assessor: str = "") -> bool:
        """Add an answer and say whether it is a number, which it must be. Whole numbers are kept as such."""
        # True would become 1: a yes or no is no point on a scale.
        if isinstance(value, bool):
            return False
        number = number_of(value)
        if number is None:
            return False
        # Answers on a scale are written as 3, not 3.0.
        if number.is_integer():
            number = int(number)
        judgment = Judgment(
            topic=topic,
            summarizer=summarizer,
            assessor=assessor,
            question=question,
            value=number,
        )
        self.judgments.append(judgment)
        return True

    def add_score(self, topic: str, summarizer: str, measure: str, value: Any, run: int = 1) -> None:
        """Add a number, or objects of them, whose names are joined by full stops; anything else is no score.

        Args:
            topic: of the summary.
            summarizer: who wrote it.
            measure: what was measured.
            value: the number, or the objects.
            run: which of several outputs of the summarizer was scored.
        """
        for name, number in flat_scores(measure, value):
            if run == 1:
                self.scores.setdefault((name, topic, summarizer), number)
            else:
                self.further_scores.setdefault((name, topic, summarizer, run), number)

    def note_holes(self, at: Place) -> None:
        """Warn once about all items without an output."""
        if not self.holes:
            return
        count = len(self.holes)
        at.warning(
            found=f"{count:,} items without an output",
            expected="an output of each item",
            remedy="They are missing summaries: they get no score.",
            count=count,
        )

    def note_no_row_in(self, paths: Sequence[Path], problems: Problems, expected: str) -> None:
        """Note files without a single row as an error at the first of them, unless their rows have errors."""
        first_path = paths[0] if paths else ""
        self.note_no_row(problems.at(first_path), expected)

    def note_no_row(self, at: Place, expected: str) -> None:
        """Note a file without a single row as an error, unless its rows have errors."""
        if not self.topics and not at.problems.errors:
            at.error(
                found="no row",
                expected=expected,
                remedy="Check the file.",
            )

    def build(self, description: str = "") -> Campaign:
        """Everything as one campaign."""
        questions = [Question(name=name) for name in self.questions]
        return Campaign(
            name=self.name,
            description=description,
            summarizers=self.summarizers,
            questions=QuestionSet(tuple(questions)),
            topics=tuple(self.topics.values()),
            summaries=(*self._model_summaries(), *self._peer_summaries()),
            judgments=tuple(self.judgments),
            pyramids=tuple(self.pyramids),
            annotations=tuple(self.annotations),
            imported=self._score_table(),
        )

    def _model_summaries(self) -> list[Summary]:
        """The models: those without names as ref1, ref2, …, then those with names."""
        summaries: list[Summary] = []
        for topic, texts in self.models.items():
            for number, text in enumerate(texts, start=1):
                summaries.append(
                    Summary(
                        topic=topic,
                        summarizer=f"ref{number}",
                        kind="model",
                        text=text,
                    )
                )
        for (topic, name), text in self.named_models.items():
            summaries.append(
                Summary(
                    topic=topic,
                    summarizer=name,
                    kind="model",
                    text=text,
                )
            )
        return summaries

    def _peer_summaries(self) -> list[Summary]:
        """The summaries under evaluation."""
        summaries = [
            Summary(
                topic=topic,
                summarizer=summarizer,
                kind="peer",
                text=text,
            )
            for (topic, summarizer), text in self.peers.items()
        ]
        for (topic, summarizer, run), text in self.further_outputs.items():
            summaries.append(
                Summary(
                    topic=topic,
                    summarizer=summarizer,
                    kind="peer",
                    text=text,
                    run=run,
                )
            )
        return summaries

    def _score_table(self) -> ScoreTable:
        """The scores; those of several runs of a system as their means."""
        scores = self._score_rows()
        runs = [1] * len(scores)
        for (measure, topic, summarizer, run), value in self.further_scores.items():
            scores.append(
                Score(
                    measure=measure,
                    topic=topic,
                    summarizer=summarizer,
                    value=value,
                )
            )
            runs.append(run)
        return table_of_runs(scores, list(map(str, runs)))

    def _score_rows(self) -> list[Score]:
        """The scores, without those of items that never got an output."""
        # A retry may have given the output that a first row lacks.
        holes = {*self.holes} - self.peers.keys()
        return [
            Score(
                measure=measure,
                topic=topic,
                summarizer=summarizer,
                value=value,
            )
            for (measure, topic, summarizer), value in self.scores.items()
            if (topic, summarizer) not in holes
        ]


def text_of(value: Any) -> Text | None:
    """A text from a string, a list of strings (sentences), a number, or an object; None if there is none."""
    if is_missing(value):
        return None
    if isinstance(value, str):
        return value
    if isinstance(value, list | tuple) and all(isinstance(part, str) for part in value):
        return tuple(value)
    return json.dumps(value, ensure_ascii=False)
