"""Test runs of deepeval: `test_run_<date>.json`, or the latest run in its hidden folder."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pyramidion.campaign import Campaign, Problems
from pyramidion.files.opening import stem_of
from pyramidion.formats.base import Format
from pyramidion.formats.gathering import Gathered
from pyramidion.formats.objects import document_of, id_of, listed, names_keys, object_at, objects_of


def _read(paths: Sequence[Path], problems: Problems, **options: str) -> Campaign:
    """Outputs and metrics; the summarizer is the model of the hyperparameters, else the file's name."""
    gathered = Gathered(paths[0].stem)
    for path in paths:
        held = document_of(path, problems)
        run = object_at(held, "testRunData") or object_at(held)
        model = object_at(run, "hyperparameters").get("model")
        who = options.get("summarizer") or (model if isinstance(model, str) and model else stem_of(path))
        cases = objects_of(run.get("testCases"))
        names = Counter(str(case.get("name")) for case in cases)
        at = problems.at(path)
        for number, case in enumerate(cases):
            topic = _topic(case, names, number)
            context = listed(case.get("context")) or listed(case.get("input"))
            gathered.add_topic(topic, context, listed(case.get("expectedOutput")))
            gathered.add_peer(topic, who, case.get("actualOutput"), at)
            for metric in objects_of(case.get("metricsData")):
                if not metric.get("error") and isinstance(metric.get("name"), str):
                    gathered.add_score(topic, who, metric["name"], metric.get("score"))
        gathered.note_holes(at)
        if talks := len(listed(run.get("conversationalTestCases"))):
            at.warning(f"{talks} conversations", "single test cases", "They were left out.", count=talks)
    return gathered.campaign()


def _topic(case: Mapping[str, Any], names: Counter[str], number: int) -> str:
    """metadata.id, else a name that is unique, else the order."""
    if found := id_of(object_at(case, "metadata").get("id")):
        return found
    name = case.get("name")
    if isinstance(name, str) and name and names[name] == 1:
        return name
    return id_of(case.get("order")) or str(number)


FORMAT = Format(
    name="deepeval",
    description="test runs of deepeval, with their metrics",
    detector=names_keys(("testCases", "actualOutput"), ("testCases", "metricsScores")),
    within=("*.json",),
    several=True,
    reader=_read,
    options={"summarizer": "the name of the system; by default hyperparameters.model, else the file's name"},
)
