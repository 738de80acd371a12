"""Test runs of deepeval: `test_run_<date>.json`, or the latest run in its hidden folder."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from pyramidion.campaign import Campaign, Problems
from pyramidion.files.problems import Place
from pyramidion.formats.base import Format
from pyramidion.formats.campaign_builder import CampaignBuilder
from pyramidion.formats.glimpse import names_keys
from pyramidion.formats.harnesses.log_systems import LONGEST_NAME, LogLabels, name_logs
from pyramidion.formats.json_values import document_of, id_of, listed, object_at, objects_of, text_or_empty


def read(
    paths: Sequence[Path], problems: Problems, *, names: Mapping[Path, str] | None = None, **options: str
) -> Campaign:
    """Outputs and metrics; the summarizer is the model of the hyperparameters, else the file's name.

    Runs of one model are called after a hyperparameter that tells them apart, such as the version of the prompt.
    """
    builder = CampaignBuilder(paths[0].stem)
    contents = [document_of(path, problems) for path in paths]
    # .deepeval/.latest_test_run.json has the run under testRunData, the other files have it as it is.
    runs = [object_at(content, "testRunData") or object_at(content) for content in contents]
    systems = name_logs(_label_runs(paths, runs), names or {}, options.get("summarizer", ""))
    for path, run, summarizer in zip(paths, runs, systems, strict=True):
        at = problems.at(path)
        cases = objects_of(run.get("testCases"))
        name_counts = Counter(str(case.get("name")) for case in cases)
        for number, case in enumerate(cases):
            topic = _topic_of(case, name_counts) or str(number)
            _add_case(builder, case, topic, summarizer, at)
        builder.note_holes(at)
        conversations = len(listed(run.get("conversationalTestCases")))
        if conversations:
            at.warning(
                found=f"{conversations} conversations",
                expected="single test cases",
                remedy="They were left out.",
                count=conversations,
            )
    return builder.build()


def _model_of(run: Mapping[str, Any]) -> str:
    """The model among the hyperparameters; empty if there is none."""
    return text_or_empty(object_at(run, "hyperparameters").get("model"))


def _label_runs(paths: Sequence[Path], runs: Sequence[Mapping[str, Any]]) -> list[LogLabels]:
    """What each run says about its system: the model, its identifier, and hyperparameters that are names."""
    hyperparameters = [object_at(run, "hyperparameters") for run in runs]
    keys = dict.fromkeys(chain.from_iterable(hyperparameters))
    logs: list[LogLabels] = []
    for path, run, values in zip(paths, runs, hyperparameters, strict=True):
        variants = [text_or_empty(run.get("identifier"))]
        variants += [_name_or_empty(values.get(key)) for key in keys if key != "model"]
        logs.append(LogLabels(path=path, model=_model_of(run), variants=variants))
    return logs


def _name_or_empty(value: Any) -> str:
    """A hyperparameter that is a name or a number; empty if it is a whole prompt or anything else."""
    text = str(value) if isinstance(value, str | int | float) else ""
    return text if len(text) <= LONGEST_NAME else ""


def _add_case(builder: CampaignBuilder, case: Mapping[str, Any], topic: str, summarizer: str, at: Place) -> None:
    """Add the context, references, output and metrics of a test case."""
    # The context is what a summary is checked against; for plain tests the input is the text itself.
    documents = listed(case.get("context")) or listed(case.get("input"))
    builder.add_topic(topic, documents, listed(case.get("expectedOutput")))
    builder.add_peer(topic, summarizer, case.get("actualOutput"), at)
    for metric in objects_of(case.get("metricsData")):
        name = metric.get("name")
        # A metric that failed has no score, whatever stands there.
        if isinstance(name, str) and not metric.get("error"):
            builder.add_score(topic, summarizer, name, metric.get("score"))


def _topic_of(case: Mapping[str, Any], name_counts: Counter[str]) -> str | None:
    """The id of a test case: metadata.id, else a name that is unique, else the order; None if it has none."""
    id = id_of(object_at(case, "metadata").get("id"))
    if id:
        return id
    name = case.get("name")
    # Names of test cases need not be unique; the order always is.
    if isinstance(name, str) and name and name_counts[name] == 1:
        return name
    return id_of(case.get("order"))


FORMAT = Format(
    name="deepeval",
    description="test runs of deepeval, with their metrics",
    detector=names_keys(("testCases", "actualOutput"), ("testCases", "metricsScores")),
    within=("*.json",),
    several=True,
    names_systems=True,
    reader=read,
    options={"summarizer": "the name of the system; by default hyperparameters.model, else the file's name"},
)
