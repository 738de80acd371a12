"""What a gate asks of a run: the scores of the two systems, their outputs, slices of the topics, and the ledger."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from pyramidion.campaign.nouns import plain
from pyramidion.errors import UsageError, mention
from pyramidion.options import GateOptions
from pyramidion.run.score_cache import Measures
from pyramidion.scores import ScoreTable
from pyramidion.studies.clusters import TopicClusters
from pyramidion.studies.gate import (
    GateCautions,
    GatedScores,
    SkippedSlices,
    cautions_of,
    choose_baseline,
    choose_candidate,
    decide,
    exchange_labels,
    gather_runs,
    gather_scores,
    slice_scores,
)
from pyramidion.studies.ledger import record_decision
from pyramidion.studies.parts import parts_of, topics_by_value
from pyramidion.studies.runs import RunNoise, noise_of_judgments, noise_of_scores, runs_of_judgments, runs_of_scores

if TYPE_CHECKING:
    from pyramidion import studies
    from pyramidion.run.evaluation import Evaluation


def gated_measures(evaluation: Evaluation, measures: Measures | None) -> list[str]:
    """The columns that a gate is about: each measure that was asked for has one value."""
    if measures is None:
        if evaluation.data.scores is not None and len(evaluation.data.scores.measures) == 1:
            return list(evaluation.data.scores.measures)
        raise UsageError("`measures=` is missing: name the measure that decides; others then guard")
    names: list[str] = []
    for selection in evaluation.select(measures):
        columns = evaluation.table([selection]).measures
        if len(columns) != 1:
            raise UsageError(
                f"{mention('measures', selection.name)}: expected a measure with one value, such as rouge-2.f; "
                f"found {', '.join(columns) or 'none'}"
            )
        names += columns
    return list(dict.fromkeys(names))


def gate_systems(evaluation: Evaluation, table: ScoreTable, names: Sequence[str], options: GateOptions) -> studies.Gate:
    """The decision about a candidate; recorded where there is a ledger, or tried out by exchanging labels.

    Args:
        evaluation: the run.
        table: the scores.
        names: the measure that decides, and the guards.
        options: of the gate.
    """
    systems = choose_candidate(_systems_with_or_without_scores(evaluation, table), options)
    texts = _texts_of(evaluation, systems)
    scales = evaluation.scales_of(names)
    clusters = evaluation.clusters_of(options.cluster, table.topics)
    scores = gather_scores(table, names, systems, options, outputs=texts, scales=scales, clusters=clusters)
    shared = evaluation.shared_topics(options.cluster, table.topics)
    slices, skipped = _scores_of_slices(evaluation, scores[0], options)
    cautions = cautions_of(
        scores[0],
        systems,
        clusters=clusters,
        shared=shared,
        noise=_run_noise(evaluation, table, names[0]),
        judgments=evaluation.judgments_of(names[0]),
        skipped=skipped,
    )
    scores += slices
    decided = decide(
        scores,
        systems,
        options,
        text_of=lambda topic, system: texts.get((topic, system), ""),
        command=evaluation.command("gate", names, options=options),
        cautions=cautions,
    )
    decided = dataclasses.replace(decided, offsets=evaluation.judge_offsets(table, options.confidence))
    if options.self_test is None:
        return _record_decision(evaluation, decided, scores, table, clusters)
    self_test = exchange_labels(scores, options, seed=evaluation.choice.seed, clusters=clusters)
    return dataclasses.replace(decided, self_test=self_test)


def gate_runs(evaluation: Evaluation, table: ScoreTable, names: Sequence[str], options: GateOptions) -> studies.Gate:
    """The decision between two runs of the baseline, which must not fail.

    Args:
        evaluation: the run.
        table: the scores.
        names: the measure that decides, and the guards.
        options: of the gate.
    """
    baseline = choose_baseline(table.summarizers, options)
    runs = {name: runs_of_judgments(evaluation.judgments_of(name)) for name in names}
    for name in names:
        if runs[name] is None:
            runs[name] = runs_of_scores(table, name)
    clusters = evaluation.clusters_of(options.cluster, table.topics)
    scores, systems = gather_runs(runs, baseline, options, higher_is_better=table.is_higher_better, clusters=clusters)
    slices, skipped = _scores_of_slices(evaluation, scores[0], options)
    scores += slices
    cautions = GateCautions(skipped=skipped, compares_runs=True)
    command = evaluation.command("gate", names, options=options)
    return decide(scores, systems, options, command=command, cautions=cautions)


def _run_noise(evaluation: Evaluation, table: ScoreTable, measure: str) -> RunNoise | None:
    """How much the scores of a measure vary that are means of runs; None if there are no runs."""
    judgments = evaluation.judgments_of(measure)
    return noise_of_judgments(judgments) if judgments else noise_of_scores(table, measure)


def _record_decision(
    evaluation: Evaluation,
    decided: studies.Gate,
    scores: Sequence[GatedScores],
    table: ScoreTable,
    clusters: TopicClusters | None,
) -> studies.Gate:
    """The decision of a gate; with a ledger, as the ledger decides it, and recorded there."""
    if decided.options.ledger is None:
        return decided
    measures = [scored.measure for scored in scores]
    return record_decision(
        decided,
        scores,
        Path(decided.options.ledger),
        scales=evaluation.scales_of(measures),
        signatures={measure: table.signatures(measure) for measure in measures},
        date=datetime.now(UTC).isoformat(timespec="seconds"),
        clusters=clusters,
        seed=evaluation.choice.seed,
    )


def _systems_with_or_without_scores(evaluation: Evaluation, table: ScoreTable) -> list[str]:
    """The systems of a table, and those of the data whose outputs are all empty, so that none has a score."""
    if evaluation.data.has_scores or evaluation.data.empty == "zero":
        return list(table.summarizers)
    peers = {summary.summarizer for summary in evaluation.campaign.summaries if summary.kind == "peer"}
    with_texts = {system for _, system in _texts_of(evaluation, sorted(peers))}
    return [*table.summarizers, *sorted(peers - with_texts - set(evaluation.choice.exclude))]


def _texts_of(evaluation: Evaluation, systems: Sequence[str]) -> dict[tuple[str, str], str]:
    """By topic and system, the outputs of these systems; none in score tables, or if it is empty and so missing."""
    if evaluation.data.has_scores:
        return {}
    texts = {
        (summary.topic, summary.summarizer): plain(summary.text)
        for summary in evaluation.campaign.with_first_outputs().summaries
        if summary.summarizer in systems
    }
    if evaluation.data.empty == "zero":
        return texts
    return {key: text for key, text in texts.items() if text.strip()}


def _scores_of_slices(
    evaluation: Evaluation, primary: GatedScores, options: GateOptions
) -> tuple[list[GatedScores], SkippedSlices]:
    """The scores of the measure that decides in each slice, and what is in none or too small; none if not asked."""
    if options.slices is None:
        return [], SkippedSlices()
    slices = _slices(evaluation, options.slices)
    scores, too_small = slice_scores(primary, slices)
    without = set(primary.topics).difference(*slices.values())
    return scores, SkippedSlices(field=options.slices, too_small=tuple(too_small), without=len(without))


def _slices(evaluation: Evaluation, field: str) -> Mapping[str, Sequence[str]]:
    """By the value of a field of topics, or of a column of the table, the topics that have it."""
    column = evaluation.data.column_by_topic(field)
    if column is not None:
        return topics_by_value(column, field, option="slices")
    if evaluation.data.has_scores:
        raise UsageError(
            f"{mention('slices', field)}: the table has no such column; expected one with a value for each topic"
        )
    return {value: part.topic_ids for value, part in parts_of(evaluation.campaign, field, option="slices").items()}
