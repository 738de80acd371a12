"""every-eval-ever: results in the schema of Every Eval Ever 0.3, a file for each system and one with its instances.

An aggregate file has a result for each measure, with standard error and confidence interval; its companion
`…_samples.jsonl` has a line for each score. Both ways; the schema is that of github.com/evaleval/every_eval_ever.
"""

from __future__ import annotations

import hashlib
import json
import math
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
from scipy import stats

from pyramidion.campaign import Campaign, Problems, Question, Summary, TopicData, plain
from pyramidion.campaign.nouns import mean_of_runs
from pyramidion.errors import DISTRIBUTION
from pyramidion.files.problems import Place, shorten
from pyramidion.formats.base import AVERAGE, Format
from pyramidion.formats.campaign_builder import CampaignBuilder
from pyramidion.formats.glimpse import names_keys
from pyramidion.formats.json_values import (
    Item,
    document_of,
    id_of,
    listed,
    object_at,
    objects_in,
    objects_of,
    text_or_empty,
)
from pyramidion.formats.text_files import file_name_of, number_of, require_exportable, save, save_lines
from pyramidion.show.wording import counted
from pyramidion.version import VERSION

SCHEMA_VERSION = "0.3.0"
SAMPLES = "_samples.jsonl"
CONFIDENCE = 0.95
UNKNOWN = "unknown"
UNCERTAINTY = ("standard_error", "lower", "upper")
"""What a mean without instances brings, as scores of its own behind the name of its measure."""


# Reading


def read(paths: Sequence[Path], problems: Problems) -> Campaign:
    """The results in aggregate files and files of instances.

    Instances become summaries with scores. Where a file of results has no instances, its means become scores of one
    topic, "average", with their standard errors and limits next to them.
    """
    builder = CampaignBuilder(paths[0].stem)
    samples = [path for path in paths if path.name.endswith(".jsonl")]
    measures: dict[tuple[str, str], str] = {}
    aggregates: list[tuple[Path, Item]] = []
    for path in paths:
        if path in samples:
            continue
        run = document_of(path, problems)
        if isinstance(run, dict) and "evaluation_results" in run:
            aggregates.append((path, run))
            evaluation = text_or_empty(run.get("evaluation_id"))
            for result in objects_of(run.get("evaluation_results")):
                measures[evaluation, text_or_empty(result.get("evaluation_result_id"))] = _measure_of(result)
        elif run is not None:
            problems.at(path).error(
                found="no evaluation_results",
                expected="a file of Every Eval Ever",
                remedy="Give its .json and _samples.jsonl files.",
            )
    with_instances: set[str] = set()
    for at, row in objects_in(samples, problems):
        _add_instance(builder, row, measures, with_instances, at)
    for path, run in aggregates:
        # Where instances are there, a mean is what they say already.
        if text_or_empty(run.get("evaluation_id")) not in with_instances:
            _add_means(builder, run, problems.at(path))
    if not builder.peers and not builder.scores and not problems.errors:
        problems.at(paths[0]).error(found="no result", expected="results with scores", remedy="Check the file.")
    return builder.build()


def _measure_of(result: Item) -> str:
    """The name of the measure of a result."""
    metric = object_at(result, "metric_config")
    for name in (metric.get("metric_id"), metric.get("metric_name"), result.get("evaluation_name")):
        if text_or_empty(name):
            return str(name)
    return "score"


def _system_of(model_id: Any) -> str | None:
    """The id of a system: that of the model, without a developer that is not known."""
    id = id_of(model_id)
    if id is None:
        return None
    return id.removeprefix(f"{UNKNOWN}/") or id


def _add_instance(
    builder: CampaignBuilder,
    row: Item,
    measures: Mapping[tuple[str, str], str],
    with_instances: set[str],
    at: Place,
) -> None:
    """Add the summary of an instance, and its score."""
    topic, model = id_of(row.get("sample_id")), _system_of(row.get("model_id"))
    if topic is None or model is None:
        at.error(found="no id", expected="sample_id and model_id", remedy="Correct the row.", field="sample_id")
        return
    evaluation = text_or_empty(row.get("evaluation_id"))
    with_instances.add(evaluation)
    source = object_at(row, "input")
    raw = source.get("raw")
    documents = [raw] if isinstance(raw, str) and raw else []
    builder.add_topic(topic, documents, [text for text in listed(source.get("reference")) if isinstance(text, str)])
    builder.add_peer(topic, model, _output_of(row), at)
    key = (evaluation, text_or_empty(row.get("evaluation_result_id")))
    measure = measures.get(key) or text_or_empty(row.get("evaluation_name")) or "score"
    value = object_at(row, "evaluation").get("score")
    if number_of(value) is None or isinstance(value, bool):
        at.warning(
            found=shorten(value), expected="a number", remedy="The score was left out.", field="evaluation.score"
        )
        return
    builder.add_score(topic, model, measure, value)


def _output_of(row: Item) -> str | None:
    """What the model answered: the first output, or its last message in a conversation."""
    for text in listed(object_at(row, "output").get("raw"))[:1]:
        return text if isinstance(text, str) else None
    answers = [message for message in objects_of(row.get("messages")) if message.get("role") == "assistant"]
    for message in reversed(answers):
        if isinstance(message.get("content"), str):
            return str(message["content"])
    return None


def _add_means(builder: CampaignBuilder, run: Item, at: Place) -> None:
    """Add the means of a run without instances, with their uncertainty."""
    model = _system_of(object_at(run, "model_info").get("id"))
    if model is None:
        at.error(found="no id", expected="the id of the model", remedy="Correct the file.", field="model_info.id")
        return
    for result in objects_of(run.get("evaluation_results")):
        measure = _measure_of(result)
        details = object_at(result, "score_details")
        if (measure, AVERAGE, model) in builder.scores:
            measure = f"{text_or_empty(result.get('evaluation_name'))}.{measure}"
        builder.add_topic(AVERAGE)
        builder.add_score(AVERAGE, model, measure, details.get("score"))
        uncertainty = object_at(details, "uncertainty")
        error = object_at(uncertainty, "standard_error").get("value")
        interval = object_at(uncertainty, "confidence_interval")
        for name, value in zip(UNCERTAINTY, (error, interval.get("lower"), interval.get("upper")), strict=True):
            builder.add_score(AVERAGE, model, f"{measure}.{name}", value)


# Writing


class _Scored(NamedTuple):
    """One score of a summary."""

    measure: str
    topic: str
    value: float


@dataclass(frozen=True)
class _WriterFacts:
    """What the writer says of all runs."""

    collection: str
    organisation: str
    relationship: str
    timestamp: str


def write(
    campaign: Campaign,
    target: Path,
    problems: Problems,
    *,
    organisation: str = UNKNOWN,
    relationship: Literal["first_party", "third_party", "collaborative", "other"] = "other",
    timestamp: str = "",
) -> None:
    """Write a file of results and one of instances for each system that has scores.

    Args:
        campaign: its scores, and the answers to its questions as their means over assessors.
        target: a folder; files are below `data/`, as in the datastore of Every Eval Ever.
        problems: takes what is lost.
        organisation: who ran the evaluation.
        relationship: how they are related to the models.
        timestamp: when the record was made, in seconds since 1970; by default now.
    """
    facts = _WriterFacts(
        collection=campaign.name or "campaign",
        organisation=organisation,
        relationship=relationship,
        timestamp=timestamp or str(int(time.time())),
    )
    scores = _scores_by_system(campaign)
    require_exportable(scores, "no summary has a score or an answer to a question; `import scores` adds a table")
    topics = {data.topic.topic: data for data in campaign.given_topics()}
    written = 0
    for system, scored in scores.items():
        written += _write_system(campaign, system, scored, topics, target, facts)
    peers = {(summary.topic, summary.summarizer) for summary in campaign.summaries if summary.kind == "peer"}
    with_scores = {(score.topic, system) for system, scored in scores.items() for score in scored}
    missing = len(peers - with_scores)
    if missing:
        problems.at(target).warning(
            found=f"{counted(missing, 'summary', 'summaries')} without a score",
            expected="a score for each instance",
            remedy="They were left out.",
        )


def _scores_by_system(campaign: Campaign) -> dict[str, list[_Scored]]:
    """The scores of each system: imported ones, and means of answers over assessors."""
    kinds = {(summary.topic, summary.summarizer): summary.kind for summary in campaign.summaries}
    scores: defaultdict[str, list[_Scored]] = defaultdict(list)
    for row in campaign.imported.to_polars().iter_rows(named=True):
        if kinds.get((row["topic"], row["summarizer"])) == "peer" and row["value"] is not None:
            scores[row["summarizer"]].append(_Scored(row["measure"], row["topic"], row["value"]))
    answers: defaultdict[tuple[str, str, str], list[float]] = defaultdict(list)
    for judgment in mean_of_runs(campaign.judgments):
        if kinds.get((judgment.topic, judgment.summarizer)) == "peer":
            answers[judgment.summarizer, f"question.{judgment.question}", judgment.topic].append(judgment.value)
    for (system, measure, topic), values in answers.items():
        scores[system].append(_Scored(measure, topic, math.fsum(values) / len(values)))
    return dict(scores)


def _write_system(
    campaign: Campaign,
    system: str,
    scored: Sequence[_Scored],
    topics: Mapping[str, TopicData],
    target: Path,
    facts: _WriterFacts,
) -> int:
    """Write the two files of a system; how many instances there are."""
    known = campaign.summarizers.get(system)
    developer = (known.organisation if known else "") or UNKNOWN
    model_id = f"{developer}/{system}"
    evaluation_id = f"{facts.collection}/{model_id}/{facts.timestamp}"
    instances = list(_instances(campaign, system, model_id, evaluation_id, scored, topics))
    lines = [json.dumps(instance, ensure_ascii=False) for instance in instances]
    name = _uuid_of(evaluation_id)
    folder = Path("data", *map(file_name_of, (facts.collection, developer, system)))
    samples = folder / f"{name}{SAMPLES}"
    text = "".join(f"{line}\n" for line in lines)
    run = {
        "schema_version": SCHEMA_VERSION,
        "evaluation_id": evaluation_id,
        "retrieved_timestamp": facts.timestamp,
        "source_metadata": {
            "source_name": facts.collection,
            "source_type": "evaluation_run",
            "source_organization_name": facts.organisation,
            "evaluator_relationship": facts.relationship,
            **_mark_of(campaign),
        },
        "eval_library": {"name": DISTRIBUTION, "version": VERSION},
        "model_info": {
            "name": (known.name if known else "") or system,
            "id": model_id,
            "developer": developer,
            "additional_details": {"deployment_type": UNKNOWN, "model_availability": UNKNOWN},
        },
        "evaluation_results": list(_results(campaign, scored, facts)),
        "detailed_evaluation_results": {
            "format": "jsonl",
            "file_path": samples.as_posix(),
            "hash_algorithm": "sha256",
            "checksum": hashlib.sha256(text.encode(errors="replace")).hexdigest(),
            "total_rows": len(lines),
        },
    }
    save(target / folder / f"{name}.json", json.dumps(run, ensure_ascii=False, indent=2) + "\n")
    save_lines(target / samples, lines)
    return len(lines)


def _mark_of(campaign: Campaign) -> dict[str, Any]:
    """What a program made up, where the schema has a place for it."""
    if not campaign.simulated:
        return {}
    return {"additional_details": {"simulated": campaign.simulated}}


def _results(campaign: Campaign, scored: Sequence[_Scored], facts: _WriterFacts) -> Iterator[dict[str, Any]]:
    """A result for each measure: the mean over topics and how uncertain it is."""
    values: defaultdict[str, list[float]] = defaultdict(list)
    for score in scored:
        values[score.measure].append(score.value)
    for measure, measured in values.items():
        yield {
            "evaluation_result_id": measure,
            "evaluation_name": facts.collection,
            "source_data": {"dataset_name": facts.collection, "source_type": "other"},
            "metric_config": _metric_config(campaign, measure),
            "score_details": {"score": float(np.mean(measured)), "uncertainty": uncertainty_of(measured)},
        }


def uncertainty_of(values: Sequence[float]) -> dict[str, Any]:
    """Standard error and t interval of a mean over independent topics: s/√n, and the mean ± t(n − 1) · s/√n.

    >>> uncertainty_of([0.1, 0.2, 0.6])["standard_error"]["value"].__round__(4)
    0.1528
    """
    count = len(values)
    if count < 2:
        return {"num_samples": count}
    deviation = float(np.std(values, ddof=1))
    error = deviation / math.sqrt(count)
    mean = float(np.mean(values))
    half = float(stats.t.ppf((1 + CONFIDENCE) / 2, count - 1)) * error
    return {
        "standard_error": {"value": error, "method": "analytic"},
        "confidence_interval": {
            "lower": mean - half,
            "upper": mean + half,
            "confidence_level": CONFIDENCE,
            "method": "t, over topics",
        },
        "standard_deviation": deviation,
        "num_samples": count,
    }


def _metric_config(campaign: Campaign, measure: str) -> dict[str, Any]:
    """What the measure is; a question has a scale."""
    config: dict[str, Any] = {"metric_id": measure, "metric_name": measure, "lower_is_better": False}
    question = _question_of(campaign, measure)
    if question is not None:
        low, high = question.scale
        return {**config, "score_type": "continuous", "min_score": low, "max_score": high}
    table = campaign.imported
    if measure not in table.measures:
        return config
    details: dict[str, str] = {}
    is_higher_better = table.higher_is_better.get(measure, True)
    if is_higher_better is None:
        details["direction"] = "neither high nor low is better"
    signatures = sorted(filter(None, table.signatures(measure)))
    if signatures:
        details["signature"] = "; ".join(signatures)
    if details:
        config["additional_details"] = details
    return {**config, "lower_is_better": is_higher_better is False}


def _question_of(campaign: Campaign, measure: str) -> Question | None:
    """The declared question whose answers a measure is the mean of."""
    prefix = "question."
    if not measure.startswith(prefix):
        return None
    return campaign.questions.get(measure.removeprefix(prefix))


def _instances(
    campaign: Campaign,
    system: str,
    model_id: str,
    evaluation_id: str,
    scored: Sequence[_Scored],
    topics: Mapping[str, TopicData],
) -> Iterator[dict[str, Any]]:
    """A line for each score: what was summarized, the summary, the references and the score."""
    summaries = campaign.with_first_outputs().summaries
    peers = [summary for summary in summaries if summary.kind == "peer" and summary.summarizer == system]
    texts: dict[str, Summary] = {summary.topic: summary for summary in peers}
    for score in scored:
        data = topics[score.topic]
        raw = "\n\n".join(plain(document.text) for document in data.topic.documents)
        references = [plain(model.text) for model in data.models]
        yield {
            "schema_version": SCHEMA_VERSION,
            "evaluation_id": evaluation_id,
            "model_id": model_id,
            "evaluation_name": campaign.name or "campaign",
            "evaluation_result_id": score.measure,
            "sample_id": score.topic,
            "sample_hash": hashlib.sha256((raw + "".join(references)).encode(errors="replace")).hexdigest(),
            "interaction_type": "single_turn",
            "input": {"raw": raw, "reference": references},
            "output": {"raw": [plain(texts[score.topic].text)]},
            "answer_attribution": [],
            # The schema demands it; it means something only for scores of 0 and 1.
            "evaluation": {"score": score.value, "is_correct": score.value == 1},
        }


def _uuid_of(text: str) -> str:
    """A version 4 UUID that is always the same for a text: exporting again writes the same files."""
    digits = list(hashlib.sha256(text.encode(errors="replace")).hexdigest()[:32])
    # The digits of version and variant (RFC 9562, 4.1 and 4.2).
    digits[12] = "4"
    digits[16] = "89ab"[int(digits[16], 16) % 4]
    joined = "".join(digits)
    return "-".join((joined[:8], joined[8:12], joined[12:16], joined[16:20], joined[20:]))


FORMAT = Format(
    name="every-eval-ever",
    description="results and instances in the schema of Every Eval Ever 0.3 (JSON, JSON lines)",
    detector=names_keys(("schema_version", "evaluation_results"), ("schema_version", "sample_id", "interaction_type")),
    within=("*.json", "*.jsonl"),
    several=True,
    reader=read,
    writer=write,
    write_options={
        "organisation": "who ran the evaluation; by default unknown",
        "relationship": "of the evaluator to the models: first_party, third_party, collaborative or other (default)",
        "timestamp": "when the record was made, in seconds since 1970; by default now",
    },
    keeps=frozenset({"imported", "models"}),
)
