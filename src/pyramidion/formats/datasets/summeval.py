"""summeval: SummEval's `model_annotations.aligned[.paired].jsonl`, a row for each article and system; import only.

The first reference is the original, the others were written by crowd workers; the three experts and five turkers are
known by their position only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pyramidion.campaign import Campaign, Document, Problems, Topic
from pyramidion.files.problems import Place
from pyramidion.formats.base import Format
from pyramidion.formats.campaign_builder import CampaignBuilder
from pyramidion.formats.glimpse import has_columns
from pyramidion.formats.json_values import list_in, objects_in, table_in, text_in
from pyramidion.show.wording import counted

QUESTIONS = ("coherence", "consistency", "fluency", "relevance")
_ASSESSORS = {"expert_annotations": "expert", "turker_annotations": "turker"}
_SCORES = ("metric_scores_1", "metric_scores_6", "metric_scores_11")


def read(paths: Sequence[Path], problems: Problems) -> Campaign:
    """The campaign in the files; a row without `text` gives a topic without documents."""
    builder = CampaignBuilder("SummEval", QUESTIONS)
    other: list[str] = []
    for at, row in objects_in(paths, problems):
        topic, system = text_in(row, "id", at), text_in(row, "model_id", at)
        if not topic or not system:
            continue
        if (topic, system) in builder.peers:
            at.error(
                found=f"{system!r} on {topic!r} again",
                expected="each article and system once",
                remedy="Remove one of the rows.",
            )
            continue
        builder.keep_topic(_topic(topic, row, at))
        references = tuple(reference for reference in list_in(row, "references", at) if isinstance(reference, str))
        if builder.models.setdefault(topic, references) != references:
            other.append(topic)
        builder.peers[topic, system] = text_in(row, "decoded", at, needed=False)
        _add_judgments(builder, topic, system, row, at)
        for name in _SCORES:  # by the number of references that they were computed with
            builder.add_score(topic, system, name, table_in(row, name, at))
    if other:
        problems.at(paths[0]).warning(
            found=f"other references in {counted(len(other), 'row')}, first of {other[0]!r}",
            expected="the same references in all rows of an article",
            remedy="Those of the first row were kept.",
        )
    builder.note_no_row_in(paths, problems, "rows of SummEval")
    return builder.build()


def _topic(id: str, row: Mapping[str, Any], at: Place) -> Topic:
    """The article of a row, with its document if the row has it."""
    text, path = (text_in(row, key, at, needed=False) for key in ("text", "filepath"))
    documents = (Document(id=id, text=text),) if text else ()
    attributes: dict[str, str | int | float | bool] = {}
    if path:
        attributes["filepath"] = path
    return Topic(
        topic=id,
        documents=documents,
        attributes=attributes,
    )


def _add_judgments(builder: CampaignBuilder, topic: str, system: str, row: Mapping[str, Any], at: Place) -> None:
    """Add the answers of experts and turkers."""
    for name, kind in _ASSESSORS.items():
        for position, answers in enumerate(list_in(row, name, at), start=1):
            if not isinstance(answers, dict):
                at.error(
                    found="an answer that is no object",
                    expected="{question: value}",
                    remedy="Correct the row.",
                    field=name,
                )
                continue
            for question, value in answers.items():
                builder.add_judgment(topic, system, question, value, assessor=f"{kind}{position}")


FORMAT = Format(
    name="summeval",
    description="SummEval's model_annotations.aligned[.paired].jsonl",
    detector=has_columns("model_id", "decoded", "expert_annotations"),
    several=True,
    reader=read,
)
