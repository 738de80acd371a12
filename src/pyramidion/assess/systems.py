"""Systems that come while the campaign runs: their declarations and their summaries, added to the campaign's files."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pyramidion.assess.assessment import Assessment
from pyramidion.assess.kinds.write.task_type import is_system
from pyramidion.assess.settings_file import change_summarizer
from pyramidion.campaign.campaign import Campaign
from pyramidion.campaign.folder import write_rows
from pyramidion.campaign.nouns import Summary, encode
from pyramidion.campaign.settings import FILE
from pyramidion.errors import UsageError
from pyramidion.show.wording import counted, listed

LONGEST_ID = 60
TEXT_FIELDS = ("text", "summary", "output", "prediction")
"""Fields of a line that may hold the summary."""


@dataclass(frozen=True, kw_only=True)
class SystemFacts:
    """A summarizer as the page lists it."""

    id: str
    name: str
    organisation: str
    kind: str
    summaries: int
    missing: tuple[str, ...]
    """Topics without a summary by it."""
    is_writer: bool
    """Whether it wrote references."""


def list_systems(campaign: Campaign) -> list[SystemFacts]:
    """All summarizers, systems first."""
    topics_of: dict[str, set[str]] = {}
    writers = set()
    for summary in campaign.summaries:
        topics_of.setdefault(summary.summarizer, set()).add(summary.topic)
        if summary.kind == "model":
            writers.add(summary.summarizer)
    systems = []
    for id in campaign.summarizer_ids:
        declared = campaign.summarizers.get(id)
        topics = topics_of.get(id, set())
        systems.append(
            SystemFacts(
                id=id,
                name=declared.name if declared else "",
                organisation=declared.organisation if declared else "",
                kind=campaign.kind_of(id),
                summaries=len(topics),
                missing=tuple(topic for topic in campaign.topic_ids if topic not in topics),
                is_writer=id in writers,
            )
        )
    return sorted(systems, key=lambda system: system.kind == "human")


def add_system(
    assessment: Assessment, id: str, declaration: Mapping[str, Any], files: Sequence[tuple[str, bytes]]
) -> int:
    """Declare a system and add its summaries; returns how many.

    Raises:
        UsageError: if the id is someone else's, or a file is not what it should be.
        InputError: if the files can't be changed; then nothing happened.
    """
    campaign = assessment.campaign
    _check_id(assessment, campaign, id)
    texts = read_outputs(files, campaign)
    has_summary = {summary.topic for summary in campaign.summaries if summary.summarizer == id}
    again = [topic for topic in texts if topic in has_summary]
    if again:
        raise UsageError(
            f"{id} already has a summary of {listed(again[:5])}, and people may have judged it: it is not replaced. "
            "Remove the system first, or add the new version under another id"
        )
    fields = {name: value for name, value in declaration.items() if value}
    rows = [encode(Summary(topic=topic, summarizer=id, kind="peer", text=text)) for topic, text in texts.items()]
    with assessment.files.change():
        if fields:
            change_summarizer(assessment.folder / FILE, id, fields)
        if rows:
            before = [row.line for row in assessment.files.rows_on_disk()["summaries"]]
            write_rows(assessment.folder, {"summaries": [*before, *rows]})
    assessment.on_change()
    return len(rows)


def _check_id(assessment: Assessment, campaign: Campaign, id: str) -> None:
    """Refuse an id that a person has: their work and the system's summaries would be the same in the files."""
    if not id or len(id) > LONGEST_ID or not id.isprintable():
        raise UsageError(f"the id of a system has 1 to {LONGEST_ID} characters, such as 27 or team-a")
    for person in assessment.people.all():
        if person.name.casefold() == id.casefold():
            raise UsageError(f"someone on the page People is called {person.name}: choose another id for the system")
    if id in campaign.summarizer_ids and not is_system(campaign, id):
        raise UsageError(f"{id} is a human summarizer: choose another id for the system")


def read_outputs(files: Sequence[tuple[str, bytes]], campaign: Campaign) -> dict[str, str]:
    """The summaries of a system by topic: text files named after topics, or lines of JSON with topic and text.

    Raises:
        UsageError: if a file is neither, or a topic is not in the campaign.
    """
    texts: dict[str, str] = {}
    for name, content in files:
        try:
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise UsageError(
                f"{name}: found byte {error.start + 1} that is not UTF-8; save the file as UTF-8"
            ) from None
        is_lines = Path(name).suffix.lower() in (".jsonl", ".ndjson", ".json")
        found = _read_lines(name, text) if is_lines else {Path(name).stem: text.replace("\r\n", "\n").strip()}
        for topic, summary in found.items():
            if topic not in campaign.topic_ids:
                example = next(iter(campaign.topic_ids), "D0601")
                raise UsageError(
                    f"{name}: the campaign has no topic {topic!r}; "
                    f"a text file is named after its topic, such as {example}.txt"
                )
            if topic in texts:
                raise UsageError(f"{name}: a second summary of topic {topic}")
            if not summary or "\0" in summary:
                raise UsageError(f"{name}: found no text of topic {topic}")
            texts[topic] = summary
    return texts


def _read_lines(name: str, text: str) -> dict[str, str]:
    """Topics and texts from lines of JSON."""
    texts: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError:
            raise UsageError(f"{name}, line {number}: found no JSON object") from None
        topic = row.get("topic") if isinstance(row, dict) else None
        field = next((field for field in TEXT_FIELDS if isinstance(row, dict) and isinstance(row.get(field), str)), "")
        if not isinstance(topic, str) or not field:
            raise UsageError(f"{name}, line {number}: expected an object with topic and text")
        if topic in texts:
            raise UsageError(f"{name}, line {number}: a second summary of topic {topic}")
        texts[topic] = row[field].strip()
    return texts


def describe_added(id: str, number: int) -> str:
    """What was added, in words."""
    return f"{counted(number, 'summary', 'summaries')} of {id} added." if number else f"{id} is declared."
