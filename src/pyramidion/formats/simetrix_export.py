"""Writing a campaign for SIMetrix: `mapping.txt` with its texts, and the tool's tables if there are such scores."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from pyramidion.campaign import Campaign, Problems, TopicData, plain
from pyramidion.files import atomic_writer
from pyramidion.files.problems import shorten
from pyramidion.formats.base import file_name_of
from pyramidion.formats.simetrix_tables import FEATURES, write_tables
from pyramidion.scores import Score

MAPPING = "mapping.txt"


def write(campaign: Campaign, target: Path, problems: Problems) -> None:
    """Write the mapping and its texts into the folder `target`; the tool is then started in that folder.

    Scores of model-free measures that the campaign has (imported, or computed into its folder `scores`) are written as
    the tool's micro and macro tables.
    """
    lines: list[str] = []
    for data in campaign.each_topic(peers="all"):
        lines += _mapped(data, target, problems)
    if campaign.summaries and any(summary.kind == "model" for summary in campaign.summaries):
        _note(problems, target / MAPPING, "models", "systems' summaries", "Models were left out: the tool knows none.")
    _write(target / MAPPING, lines)
    tables = _tables(list(campaign.imported), target, problems)
    for ending, table in tables.items():
        _write(target / f"{MAPPING}.ieval.{ending}", table)


def _mapped(data: TopicData, folder: Path, problems: Problems) -> list[str]:
    peers = [peer for peer in data.peers if peer.kind == "peer"]
    missing = [role for role, there in (("documents", data.topic.documents), ("peers", peers)) if not there]
    if missing:
        found = f"no {' and no '.join(missing)} in topic {shorten(data.topic.topic)}"
        _note(problems, folder / MAPPING, found, "documents and peers", "The topic was left out.")
        return []
    topic = _id(data.topic.topic, folder, problems)
    inputs = f"inputs/{file_name_of(data.topic.topic)}"
    for document in data.topic.documents:
        _write_text(folder / inputs / file_name_of(document.id), plain(document.text))
    lines = []
    for peer in peers:
        # The first full stop ends the topic, so that no two summaries have the same name.
        name = f"{file_name_of(data.topic.topic).replace('.', '%2E')}.{file_name_of(peer.summarizer)}.txt"
        _write_text(folder / "summaries" / name, plain(peer.text))
        lines.append(f"{topic} {_id(peer.summarizer, folder, problems)} {inputs} summaries/{name}")
    return lines


def _id(id: str, folder: Path, problems: Problems) -> str:
    """An id as it can stand between blanks."""
    if id.split() == [id]:
        return id
    name = file_name_of(id)
    _note(problems, folder / MAPPING, f"the id {shorten(id)}", "ids without blanks", f"It was written as {name}.")
    return name


def _tables(scores: Iterable[Score], folder: Path, problems: Problems) -> Mapping[str, list[str]]:
    """The micro and macro table of the features that there are scores of; none if there are none."""
    columns: dict[str, dict[str, None]] = {}
    for score in scores:
        base = score.measure.partition("(")[0]
        if base in FEATURES.values():
            columns.setdefault(base, {}).setdefault(score.measure)
    chosen = {base: _chosen(base, list(names), folder, problems) for base, names in columns.items()}
    values: dict[tuple[str, str], dict[str, float]] = {}
    for score in scores:
        base = score.measure.partition("(")[0]
        if chosen.get(base) == score.measure:
            key = (_id(score.topic, folder, Problems()), _id(score.summarizer, folder, Problems()))
            values.setdefault(key, {})[base] = score.value
    if not values:
        return {}
    gaps = sum(len(row) < len(chosen) for row in values.values())
    if gaps:
        found = f"{gaps} summaries without a value of each feature"
        _note(problems, folder / f"{MAPPING}.ieval.micro", found, "all values", "NaN stands there.")
    micro, macro = write_tables(values, list(chosen))
    return {"micro": micro, "macro": macro}


def _chosen(base: str, names: list[str], folder: Path, problems: Problems) -> str:
    """Of several columns of a feature the one with the tool's own settings, else the first."""
    name = next((name for name in names if "preset=simetrix" in name), names[0])
    if len(names) > 1:
        found = f"{len(names)} columns of {base}: {', '.join(names)}"
        remedy = f"{name} was written; remove the others from the campaign for another."
        _note(problems, folder / f"{MAPPING}.ieval.micro", found, "one column for each feature", remedy)
    return name


def _note(problems: Problems, path: Path, found: str, expected: str, remedy: str) -> None:
    problems.add("warning", file=path, found=found, expected=expected, remedy=remedy)


def _write(path: Path, lines: Iterable[str]) -> None:
    _write_text(path, "".join(f"{line}\n" for line in lines))


def _write_text(path: Path, text: str) -> None:
    with atomic_writer(path) as file:
        file.write(text.encode(errors="replace"))
