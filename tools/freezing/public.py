"""The main commands on two public sets with human judgments, in the folder that PYRAMIDION_DATA names.

Only some topics of each set are used. No text of the sets is recorded, only numbers and names.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

from tools.freezing.answers import Case, Command

DATA = Path(os.environ.get("PYRAMIDION_DATA", "nowhere"))
TOPIC_COUNT = 8
SETS = {"summeval": "question.relevance", "realsumm": "question.litepyramid-recall"}
"""The campaigns, and the human score that measures are correlated with."""


def has_data() -> bool:
    """Whether all sets are there."""
    return all((DATA / name / "summaries.jsonl").exists() for name in SETS)


def writer_of(name: str) -> Callable[[Path], None]:
    """What writes the first topics of a set as a campaign of its own."""

    def write(folder: Path) -> None:
        source = DATA / name
        target = folder / name
        target.mkdir()
        shutil.copy(source / "campaign.toml", target)
        topic_lines = (source / "topics.jsonl").read_text(encoding="utf-8").strip().split("\n")
        topics = [json.loads(line)["topic"] for line in topic_lines]
        chosen_topics = set(sorted(topics)[:TOPIC_COUNT])
        for file in ("topics", "summaries", "judgments", "pyramids", "annotations"):
            path = source / f"{file}.jsonl"
            if path.exists():
                lines = path.read_text(encoding="utf-8").strip().split("\n")
                chosen_lines = [line for line in lines if json.loads(line)["topic"] in chosen_topics]
                (target / path.name).write_text("\n".join(chosen_lines) + "\n", encoding="utf-8")

    return write


def cases_of(name: str) -> tuple[Case, ...]:
    """The commands on one set."""
    human = SETS[name]
    measures = "-m rouge-1.f -m rouge-2.recall -m rougeLsum.f"
    commands: tuple[str, ...] = (
        f"describe {name}",
        f"describe {name} --roster",
        f"check {name}",
        f"score {name} {measures} --by summarizer --bootstrap percentile --resamples 50",
        f"score {name} -m rouge-2",
        f"score {name} -m js -m novelty -m length --by summarizer",
        f"compare {name} {measures}",
        f"compare {name} -m {human} --interval percentile --resamples 50",
        f"correlate {name} {measures} --with {human} --level system --level topic --level global --resamples 50",
        f"correlate {name} {measures} --with {human} --test permutation --accuracy --micro --resamples 50",
        f"power {name} {measures} --difference 0.02",
        f"judgments frequencies {name}",
        f"judgments describe {name}",
        f"study topics {name} -m rouge-2.recall --with {human} --sizes 2,4 --resamples 20",
    )
    if name == "realsumm":
        commands += (f"pyramid score {name}", f"pyramid check {name}", f"score {name} -m pyramid --by summarizer")
    return tuple(Command(f"{words} --format json") for words in commands)
