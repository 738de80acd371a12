"""JSON lines of sacrerouge: metrics, summaries, pyramids and annotations, distinguished by their keys."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pyramidion.campaign import Campaign, Contributor, Match, PeerAnnotation, Problems, Pyramid, Scu
from pyramidion.files.problems import Place
from pyramidion.formats.base import Format
from pyramidion.formats.campaign_builder import CampaignBuilder
from pyramidion.formats.glimpse import names_keys
from pyramidion.formats.json_values import (
    Item,
    flat_scores,
    id_of,
    listed,
    object_at,
    objects_in,
    objects_of,
    words_of,
)

SCALE = "ROUGE in sacrerouge's files is on a scale from 0 to 100."


def _read(paths: Sequence[Path], problems: Problems, **options: str) -> Campaign:
    """Lines of every kind; metrics are scores, unless the option `judgments` names them."""
    builder = CampaignBuilder(paths[0].stem)
    judged_names = words_of(options.get("judgments", ""))
    judgments: dict[tuple[str, str, str], float] = {}
    percent = False
    spelled: dict[str, str] = {}  # one file may have d0801-A, another D0801-A
    for at, row in objects_in(paths, problems):
        topic = id_of(row.get("instance_id"))
        topic = spelled.setdefault(topic.casefold(), topic) if topic else None
        if topic is None:
            at.error(
                found="no instance_id",
                expected="the topic",
                remedy="Correct or remove the line.",
                field="instance_id",
            )
            continue
        if "summarizer_ids" in row:
            builder.pyramids += _pyramid(topic, row, builder, at)
            continue
        summarizer = id_of(row.get("summarizer_id"))
        if summarizer is None:
            at.error(
                found="no summarizer_id",
                expected="the summarizer",
                remedy="Correct or remove the line.",
                field="summarizer_id",
            )
            continue
        for name, value in flat_scores("", row.get("metrics")):
            # sacrerouge has ROUGE from 0 to 100; numbers are kept, and the description says so.
            if name.startswith("rouge") and value > 1:
                percent = True
            if name in judged_names:
                # Lines of several files repeat the metrics of a summary.
                judgments.setdefault((topic, summarizer, name), value)
            else:
                builder.add_score(topic, summarizer, name, value)
        if "summary" in row:
            _summary(topic, summarizer, row, builder, at)
        if "scus" in row:
            builder.annotations.append(_annotation(topic, summarizer, row))
    for (topic, summarizer, name), value in judgments.items():
        builder.add_judgment(topic, summarizer, name, value)
    if percent:
        return builder.build(SCALE)
    return builder.build()


def _text(value: Any) -> Any:
    """A text, or the text of an object that has one."""
    if isinstance(value, dict):
        return value.get("text")
    return value


def _is_text_or_object(value: Any) -> bool:
    """Whether a value can be read as a text: a string, its sentences, or an object that has one."""
    if isinstance(value, list):
        return all(isinstance(sentence, str) for sentence in value)
    return isinstance(value, str | dict) or value is None


def _summary(topic: str, summarizer: str, row: Item, builder: CampaignBuilder, at: Place) -> None:
    """Add the summary, documents and references of a line."""
    text = _text(row["summary"])
    if row.get("summarizer_type") == "reference":
        builder.add_model(topic, summarizer, text)
    else:
        builder.add_peer(topic, summarizer, text, at)
    builder.add_topic(topic, [_text(document) for document in listed(row.get("documents"))])
    for number, reference in enumerate(listed(row.get("references")), start=1):
        if not _is_text_or_object(reference):
            at.error(
                found=f"references[{number - 1}]: a list that holds no sentences",
                expected="a text, its sentences, or an object with a text",
                remedy="Correct the line.",
                field="references",
            )
            return
        name = id_of(object_at(reference).get("summarizer_id")) or f"ref{number}"
        if name != summarizer:
            builder.add_model(topic, name, _text(reference))


def _pyramid(topic: str, row: Item, builder: CampaignBuilder, at: Place) -> Iterator[Pyramid]:
    """The pyramid of a topic; its models are the summaries that it holds."""
    names = [id_of(summarizer_id) or "" for summarizer_id in listed(row.get("summarizer_ids"))]
    texts = listed(row.get("summaries"))
    if len(names) != len(texts) or not all(names):
        at.error(
            found=f"{len(texts)} summaries of {len(names)} summarizers",
            expected="equal numbers",
            remedy="Correct the line.",
        )
        return
    for name, text in zip(names, texts, strict=True):
        if isinstance(text, list):
            text = "\n".join(map(str, text))
        builder.add_model(topic, name, text)
    builder.add_topic(topic)
    scus = []
    for scu in listed(row.get("scus")):
        uid = _whole(object_at(scu).get("scu_id"))
        if uid is None:
            at.error(
                found="an SCU without a number",
                expected="scu_id, a whole number",
                remedy="Correct the line.",
                field="scus.scu_id",
            )
            return
        contributors: list[Contributor] = []
        for contributor in listed(scu.get("contributors")):
            index = _whole(object_at(contributor).get("summary_index"))
            if index is not None and 0 <= index < len(names):
                contributors.append(Contributor(model=names[index], parts=_parts(contributor)))
        scus.append(
            Scu(
                uid=uid,
                label=str(scu.get("label", "")),
                contributors=tuple(contributors),
            )
        )
    yield Pyramid(
        topic=topic,
        models=tuple(names),
        scus=tuple(scus),
    )


def _annotation(topic: str, summarizer: str, row: Item) -> PeerAnnotation:
    """Which SCUs a summary expresses."""
    matches: list[Match] = []
    for scu in objects_of(row.get("scus")):
        uid = _whole(scu.get("scu_id"))
        if uid is not None:
            contributors = tuple(map(_parts, listed(scu.get("contributors"))))
            matches.append(Match(uid=uid, contributors=contributors))
    return PeerAnnotation(
        topic=topic,
        summarizer=summarizer,
        scus=tuple(matches),
    )


def _parts(contributor: Any) -> tuple[tuple[int, int], ...]:
    """The parts of a contributor as offsets."""
    parts = objects_of(object_at(contributor).get("parts"))
    spans: list[tuple[int, int]] = []
    for part in parts:
        start, end = _whole(part.get("start")), _whole(part.get("end"))
        if start is not None and end is not None:
            spans.append((start, end))
    return tuple(spans)


def _whole(value: Any) -> int | None:
    """A whole number, or None if the value is none."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, str) and value.isdigit() and len(value) < 10:
        return int(value)
    return None


FORMAT = Format(
    name="sacrerouge",
    description="JSON lines of sacrerouge: metrics, summaries, pyramids, annotations",
    detector=names_keys(("instance_id", "summarizer_id"), ("instance_id", "summarizer_ids", "scus")),
    several=True,
    reader=_read,
    options={"judgments": "metrics that are human judgments, separated by commas"},
)
