"""Writing a campaign for SIMetrix: `mapping.txt` with its texts, and SIMetrix's tables if there are such scores."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from pyramidion.campaign import Campaign, Problems, TopicData, plain
from pyramidion.errors import InputError
from pyramidion.files.problems import Place, shorten
from pyramidion.formats.programs.simetrix.simetrix_tables import FEATURES, write_tables
from pyramidion.formats.text_files import any_file_name_of, has_all, require_exportable, save, save_lines
from pyramidion.scores import Score
from pyramidion.show.wording import counted, listed

MAPPING = "mapping.txt"


def write(campaign: Campaign, target: Path, problems: Problems) -> None:
    """Write the mapping and its texts into the folder `target`; SIMetrix is then started in that folder.

    Scores of model-free measures that the campaign has (imported, or computed into its folder `scores`) are written as
    SIMetrix's micro and macro tables.
    """
    at = Place(problems, target / MAPPING)
    _refuse_equal(campaign.topic_ids, "topics")
    _refuse_equal(campaign.summarizer_ids, "summarizers")
    lines: list[str] = []
    for data in campaign.given_topics():
        lines += _mapped(data, target, at)
    tables = _tables(campaign.imported, Place(problems, target / f"{MAPPING}.ieval.micro"))
    require_exportable(lines or tables, "no topic has documents and peers")
    if lines:
        save_lines(target / MAPPING, lines)
    for ending, table in tables.items():
        save_lines(target / f"{MAPPING}.ieval.{ending}", table)


def _mapped(data: TopicData, folder: Path, at: Place) -> Iterator[str]:
    """Write the texts of a topic; the lines of the mapping that name them."""
    if not has_all(at, data, documents=data.topic.documents, peers=data.peers):
        return
    topic = _id(data.topic.topic, at)
    inputs = f"inputs/{any_file_name_of(data.topic.topic)}"
    for document in data.topic.documents:
        save(folder / inputs / any_file_name_of(document.id), plain(document.text))
    for peer in data.peers:
        # The first full stop ends the topic, so that no two summaries have the same name.
        name = f"{any_file_name_of(data.topic.topic).replace('.', '%2E')}.{any_file_name_of(peer.summarizer)}.txt"
        save(folder / "summaries" / name, plain(peer.text))
        yield f"{topic} {_id(peer.summarizer, at)} {inputs} summaries/{name}"


def _id(id: str, at: Place | None = None) -> str:
    """An id without blanks, since blanks separate the fields."""
    if id.split() == [id]:
        return id
    name = any_file_name_of(id)
    if at:
        at.warning(
            found=f"the id {shorten(id)}",
            expected="ids without blanks",
            remedy=f"It was written as {name}.",
        )
    return name


def _refuse_equal(ids: Iterable[str], what: str) -> None:
    """Two ids must not become one, such as `a b` and `a%20b`."""
    written: dict[str, str] = {}
    for id in ids:
        other = written.setdefault(_id(id), id)
        if other != id:
            raise InputError(
                f"found the {what} {shorten(other)} and {shorten(id)}, which would both be written as {_id(id)}; "
                "expected ids without blanks. Rename one of them."
            )


def _tables(scores: Iterable[Score], at: Place) -> Mapping[str, list[str]]:
    """The micro and macro table of the features that have scores; none if there are none."""
    columns: dict[str, dict[str, None]] = {}
    for score in scores:
        base = score.measure.partition("(")[0]
        if base in FEATURES.values():
            columns.setdefault(base, {}).setdefault(score.measure)
    chosen = {base: _chosen(base, list(names), at) for base, names in columns.items()}
    other_measures = {score.measure for score in scores if score.measure.partition("(")[0] not in chosen}
    if other_measures:
        at.warning(
            found=f"scores of {listed(sorted(other_measures))}",
            expected="features of SIMetrix",
            remedy="They were left out.",
        )
    values: dict[tuple[str, str], dict[str, float]] = {}
    for score in scores:
        base = score.measure.partition("(")[0]
        if chosen.get(base) == score.measure:
            values.setdefault((_id(score.topic), _id(score.summarizer)), {})[base] = score.value
    if not values:
        return {}
    gaps = sum(len(row) < len(chosen) for row in values.values())
    if gaps:
        at.warning(
            found=f"{counted(gaps, 'summary', 'summaries')} without a value of each feature",
            expected="all values",
            remedy="NaN was written for missing values.",
        )
    micro, macro = write_tables(values, list(chosen))
    return {"micro": micro, "macro": macro}


def _chosen(base: str, names: list[str], at: Place) -> str:
    """Of several columns of a feature the one with SIMetrix's own settings, else the first."""
    name = next((name for name in names if "preset=simetrix" in name), names[0])
    if len(names) > 1:
        at.warning(
            found=f"{len(names)} columns of {base}: {', '.join(names)}",
            expected="one column for each feature",
            remedy=f"{name} was written; to write another one, remove this one from the campaign.",
        )
    return name
