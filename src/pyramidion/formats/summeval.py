"""summeval: SummEval's `model_annotations.aligned[.paired].jsonl`, a row for each article and system; import only.

The first reference is the original, the others were written by crowd workers; the three experts and five turkers are
known by their position only.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pyramidion.campaign import Campaign, Document, Judgment, Problems, Question, QuestionSet, Summary, Topic
from pyramidion.files.problems import Place
from pyramidion.formats.base import Format
from pyramidion.formats.files import number_of
from pyramidion.formats.objects import has_keys, list_in, numbers_of, objects_in, table_in, text_in, whole
from pyramidion.scores import Score, ScoreTable
from pyramidion.wording import counted

QUESTIONS = ("coherence", "consistency", "fluency", "relevance")
_ASSESSORS = {"expert_annotations": "expert", "turker_annotations": "turker"}
_SCORES = ("metric_scores_1", "metric_scores_6", "metric_scores_11")


def detect(path: Path) -> bool:
    """Whether the first row has SummEval's keys."""
    return has_keys(path, "model_id", "decoded", "expert_annotations")


def read(paths: Sequence[Path], problems: Problems) -> Campaign:
    """The campaign in the files; a row without `text` gives a topic without documents."""
    topics: dict[str, Topic] = {}
    models: dict[str, tuple[str, ...]] = {}
    peers: dict[tuple[str, str], Summary] = {}
    judgments: list[Judgment] = []
    scores: list[Score] = []
    other: list[str] = []
    for path in paths:
        for at, row in objects_in(path, problems):
            topic, system = text_in(row, "id", at), text_in(row, "model_id", at)
            if not topic or not system:
                continue
            key = (topic, system)
            if key in peers:
                at.error(f"{system!r} on {topic!r} again", "each article and system once", "Remove one of the rows.")
                continue
            known = _topic(topic, row, at)
            if topic not in topics or (known.documents and not topics[topic].documents):
                topics[topic] = known
            references = tuple(one for one in list_in(row, "references", at) if isinstance(one, str))
            if models.setdefault(topic, references) != references:
                other.append(topic)
            peers[key] = Summary(
                topic=topic, summarizer=system, kind="peer", text=text_in(row, "decoded", at, needed=False)
            )
            judgments += _judgments(key, row, at)
            scores += _scores(key, row, at)
    if other:
        problems.at(paths[0]).warning(
            f"other references in {counted(len(other), 'row')}, first of {other[0]!r}",
            "the same references in all rows of an article",
            "Those of the first row were kept.",
        )
    if not peers and not problems.errors:
        problems.at(paths[0] if paths else "").error("no row", "rows of SummEval", "Check the file.")
    references_ = (
        Summary(topic=topic, summarizer=f"ref{number}", kind="model", text=text)
        for topic, texts in models.items()
        for number, text in enumerate(texts, start=1)
    )
    return Campaign(
        name="SummEval",
        questions=QuestionSet(tuple(Question(name=name) for name in QUESTIONS)),
        topics=tuple(topics.values()),
        summaries=(*references_, *peers.values()),
        judgments=tuple(judgments),
        imported=ScoreTable.of(scores),
    )


def _topic(id: str, row: Mapping[str, Any], at: Place) -> Topic:
    text, path = (text_in(row, key, at, needed=False) for key in ("text", "filepath"))
    documents = (Document(id=id, text=text),) if text else ()
    return Topic(topic=id, documents=documents, attributes={"filepath": path} if path else {})


def _judgments(key: tuple[str, str], row: Mapping[str, Any], at: Place) -> Iterator[Judgment]:
    for name, kind in _ASSESSORS.items():
        for position, answers in enumerate(list_in(row, name, at), start=1):
            if not isinstance(answers, dict):
                at.error("an answer that is no object", "{question: value}", "Correct the row.", field=name)
                continue
            for question, given in answers.items():
                if (value := number_of(given)) is not None:
                    yield Judgment(
                        topic=key[0],
                        summarizer=key[1],
                        assessor=f"{kind}{position}",
                        question=question,
                        value=whole(value),
                    )


def _scores(key: tuple[str, str], row: Mapping[str, Any], at: Place) -> Iterator[Score]:
    """By the number of references that they were computed with: `metric_scores_11.rouge_1_f_score`."""
    for name in _SCORES:
        for metric, value in numbers_of(table_in(row, name, at)):
            yield Score(measure=f"{name}.{metric}", topic=key[0], summarizer=key[1], value=value)


FORMAT = Format(
    name="summeval",
    description="SummEval's model_annotations.aligned[.paired].jsonl",
    detector=detect,
    several=True,
    reader=read,
)
