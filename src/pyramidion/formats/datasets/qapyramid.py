"""qapyramid: QAPyramid's questions and answers of one reference, and which of them each system expresses; import only.

Raw votes carry the ids of workers: they become w1, w2, … and are never written.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

from pyramidion.campaign import Campaign, Problems
from pyramidion.files.problems import Place
from pyramidion.formats.base import Format
from pyramidion.formats.datasets.content_units import ContentUnits
from pyramidion.formats.glimpse import Glimpse, has_columns
from pyramidion.formats.json_values import Item, document_of, list_in, object_at, objects_in, table_in
from pyramidion.formats.text_files import number_of
from pyramidion.show.wording import counted

HUMAN = ("QAPyramid", "nQAPyramid", "ACU", "nACU")


def read(paths: Sequence[Path], problems: Problems) -> Campaign:
    """The campaign in the files: rows (JSON lines, JSON or Parquet), and raw votes (QA_presence.json) if given."""
    builder = ContentUnits("QAPyramid")
    vote_paths = [path for path in paths if _has_votes(path)]
    row_paths = [path for path in paths if path not in vote_paths]
    for at, row in objects_in(row_paths, problems):
        added = builder.add_row(at, row, list_in(row, "QAs", at))
        if added is not None:
            topic, systems = added
            _add_labels_and_scores(builder, at, row, topic, systems)
    for path in vote_paths:
        _add_votes(builder, path, problems)
    builder.note_no_row_in(paths, problems, "rows of QAPyramid")
    return builder.build()


def _add_labels_and_scores(builder: ContentUnits, at: Place, row: Item, topic: str, systems: Collection[str]) -> None:
    """Add which units each system expresses, and its scores; human ones become judgments."""
    for system, labels in table_in(row, "QA_labels", at).items():
        if system in systems and isinstance(labels, list | tuple):
            builder.add_labels(at, topic, system, labels)
    for system, scores in table_in(row, "system_scores", at).items():
        if system not in systems:
            continue
        for name, score in object_at(scores).items():
            if name in HUMAN:
                builder.add_judgment(topic, system, name, score)
            else:
                builder.add_score(topic, system, name, number_of(score))


def _has_votes(path: Path) -> bool:
    """Whether the file holds raw votes: an object by system, without the keys of rows."""
    if path.suffix.lower() != ".json":
        return False
    head = Glimpse(path).head
    return b'"example_id"' not in head and b"QAs" not in head


def _add_votes(builder: ContentUnits, path: Path, problems: Problems) -> None:
    """Add single votes as judgments `scu:<n>`; units are found by their words."""
    uids: dict[tuple[str, str], int] = {}
    for topic, pyramid in builder.units.items():
        for scu in pyramid.scus:
            uids[topic, " ".join(scu.label.split())] = scu.uid
    assessors: dict[str, str] = {}
    lost = 0
    added: set[tuple[str, str, str, int]] = set()
    for topic, system, unit, worker, value in _votes(document_of(path, problems)):
        uid = uids.get((topic, " ".join(unit.split())))
        is_vote = value in (0, 1) and (topic, system) in builder.peers
        if uid is None or not is_vote:
            lost += 1
            continue
        assessor = assessors.setdefault(str(worker), f"w{len(assessors) + 1}")
        key = (topic, system, assessor, uid)
        if key not in added:
            added.add(key)
            builder.add_judgment(topic, system, f"scu:{uid}", int(value), assessor=assessor)
    if lost:
        problems.at(path).warning(
            found=f"{counted(lost, 'vote')} on units, examples or systems that the rows do not have",
            expected="votes on units of the rows",
            remedy="They were left out.",
            count=lost,
        )


def _votes(content: Any) -> Iterator[tuple[str, str, str, object, Any]]:
    """(example, system, unit, worker, value) from {system: {example: {verb: {unit: [[worker, value], …]}}}}."""
    for system, examples in object_at(content).items():
        for example, verbs in object_at(examples).items():
            for units in object_at(verbs).values():
                for unit, votes in object_at(units).items():
                    for worker, value in _pairs(votes):
                        yield str(example), str(system), str(unit), worker, value


def _pairs(votes: Any) -> list[tuple[object, Any]]:
    """The workers and values of a list of votes, without whatever else is in it."""
    if not isinstance(votes, list):
        return []
    pairs = [vote for vote in votes if isinstance(vote, list) and len(vote) == 2]
    return [(worker, value) for worker, value in pairs]


FORMAT = Format(
    name="qapyramid",
    description="QAPyramid: questions and answers, labels and scores; raw votes (QA_presence.json) without worker ids",
    detector=has_columns("QAs", "QA_labels"),
    several=True,
    reader=read,
)
