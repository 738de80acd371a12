"""qapyramid: QAPyramid's questions and answers of one reference, and which of them each system expresses; import only.

Raw votes carry the ids of workers: they become w1, w2, … and are never written.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pyramidion.campaign import Campaign, Problems
from pyramidion.formats.base import Format
from pyramidion.formats.datasets.content_units import ContentUnits
from pyramidion.formats.glimpse import Glimpse, has_columns
from pyramidion.formats.json_values import document_of, list_in, object_at, objects_in, table_in
from pyramidion.formats.text_files import number_of
from pyramidion.wording import counted

HUMAN = ("QAPyramid", "nQAPyramid", "ACU", "nACU")


def read(paths: Sequence[Path], problems: Problems) -> Campaign:
    """The campaign in the files: rows (JSON lines, JSON or Parquet), and raw votes (QA_presence.json) if given."""
    builder = ContentUnits("QAPyramid")
    votes = [path for path in paths if _has_votes(path)]
    for at, row in objects_in([path for path in paths if path not in votes], problems):
        added = builder.add_row(at, row, list_in(row, "QAs", at))
        if added is None:
            continue
        topic, systems = added
        for system, labels in table_in(row, "QA_labels", at).items():
            if system in systems and isinstance(labels, list | tuple):
                builder.add_labels(at, topic, system, labels)
        for system, scores in table_in(row, "system_scores", at).items():
            for name, score in object_at(scores).items() if system in systems else ():
                if name in HUMAN:
                    builder.add_judgment(topic, system, name, score)
                else:
                    builder.add_score(topic, system, name, number_of(score))
    for path in votes:
        _add_votes(builder, path, problems)
    builder.note_no_row(problems.at(paths[0] if paths else ""), "rows of QAPyramid")
    return builder.build()


def _has_votes(path: Path) -> bool:
    """Whether the file holds raw votes: an object by system, without the keys of rows."""
    head = Glimpse(path).head
    return path.suffix.lower() == ".json" and b'"example_id"' not in head and b"QAs" not in head


def _add_votes(builder: ContentUnits, path: Path, problems: Problems) -> None:
    """Single votes as judgments `scu:<n>`; units are found by their words."""
    units = {
        topic: {" ".join(scu.label.split()): scu.uid for scu in pyramid.scus}
        for topic, pyramid in builder.units.items()
    }
    workers: dict[str, str] = {}
    lost = 0
    seen: set[tuple[str, str, str, int]] = set()
    for topic, system, unit, worker, value in _votes(document_of(path, problems)):
        uid = units.get(topic, {}).get(" ".join(unit.split()))
        if uid is None or (topic, system) not in builder.peers or value not in (0, 1):
            lost += 1
            continue
        assessor = workers.setdefault(str(worker), f"w{len(workers) + 1}")
        if (topic, system, assessor, uid) not in seen:
            seen.add((topic, system, assessor, uid))
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
                    for vote in votes if isinstance(votes, list) else ():
                        if isinstance(vote, list) and len(vote) == 2:
                            yield str(example), str(system), str(unit), vote[0], vote[1]


FORMAT = Format(
    name="qapyramid",
    description="QAPyramid: questions and answers, labels and scores; raw votes (QA_presence.json) without worker ids",
    detector=has_columns("QAs", "QA_labels"),
    several=True,
    reader=read,
)
