"""The output of ROUGE-1.5.5, line by line, for scripts that read it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cmp_to_key
from typing import TYPE_CHECKING

from pyramidion.errors import UsageError
from pyramidion.measures import BasicElements, Measure, Rouge
from pyramidion.measures.registry import DEFAULT_ROUGE, Selection

if TYPE_CHECKING:
    from pyramidion.options import AverageOptions
    from pyramidion.run.evaluation import Evaluation
    from pyramidion.scores import ScoreTable
    from pyramidion.studies.averages import Average

DASHES, DOTS = "-" * 45, "." * 45
LETTERS = {"recall": "R", "precision": "P", "f": "F"}


def printed_lines(
    evaluation: Evaluation, measures: Sequence[str] | None, options: AverageOptions, *, details: bool
) -> list[str]:
    """What ROUGE-1.5.5 prints for these measures (by default ROUGE as by default elsewhere)."""
    selections = _as_printed(evaluation.select(measures or DEFAULT_ROUGE))
    table = evaluation.table(selections, keep_counts=options.average != "macro")
    averages = evaluation.averages(selections, replace(options, bootstrap="rouge155")).averages
    items = _items(table) if details else {}
    leave_one_out = evaluation.leave_one_out(selections) if details else None
    if leave_one_out is not None:
        # ROUGE-1.5.5 has no jackknife: it prints the evaluations that leave one model out.
        jackknifed = set(leave_one_out.measures)
        items = {key: item for key, item in items.items() if key[0] not in jackknifed}
        items |= _items(leave_one_out if table.counts is not None else replace(leave_one_out, counts=None))
    return list(_lines(selections, averages, items, confidence=options.confidence))


def _as_printed(selections: Sequence[Selection]) -> list[Selection]:
    """The same measures (ROUGE, Basic Elements), all three statistics, rounded as 1.5.5 rounds."""
    unprintable = [
        selection.name for selection in selections if not isinstance(selection.measure, Rouge | BasicElements)
    ]
    if unprintable:
        raise UsageError(f"ROUGE-1.5.5 has no measure {', '.join(unprintable)}; leave it out or choose another format")
    rounded = [
        replace(selection.measure, rounding="rouge155")
        for selection in selections
        if isinstance(selection.measure, Rouge | BasicElements)
    ]
    return [Selection(measure) for measure in dict.fromkeys(rounded)]


def _lines(
    selections: Sequence[Selection],
    averages: Sequence[Average],
    items: Mapping[tuple[str, str, str], str],
    *,
    confidence: float,
) -> Iterator[str]:
    """A block for each (system, measure): averages with intervals; below them the items, if there are some.

    When counts were kept (micro averages, -t 1), the items are these, under the letters of the scores.
    """
    by_name = {(average.summarizer, average.measure): average for average in averages}
    evaluations: dict[tuple[str, str], list[str]] = {}
    for name, evaluation, summarizer in items:
        evaluations.setdefault((name, summarizer), []).append(evaluation)
    for summarizer in sorted({average.summarizer for average in averages}):
        for selection in selections:
            measure = selection.measure
            names = {letter: measure.name(statistic) for statistic, letter in LETTERS.items()}
            if (summarizer, names["R"]) not in by_name:
                continue
            label = f"{summarizer} {_label(measure)}"
            yield DASHES
            for letter, name in names.items():
                average = by_name[summarizer, name]
                limits = f"({confidence:g}%-conf.int. {average.lower:.5f} - {average.upper:.5f})"
                yield f"{label} Average_{letter}: {average.bootstrap_mean:.5f} {limits}"
            if not items:
                continue
            yield DOTS
            own_evaluations = evaluations.get((names["R"], summarizer), [])
            for evaluation in sorted(own_evaluations, key=lambda evaluation: _ORDER(f"{evaluation}.{summarizer}")):
                values = [items[name, evaluation, summarizer] for name in names.values()]
                shown = (f"{letter}:{value}" for letter, value in zip(names, values, strict=True))
                yield f"{label} Eval {evaluation}.{summarizer} {' '.join(shown)}"


def _items(table: ScoreTable) -> dict[tuple[str, str, str], str]:
    """By (measure, topic, summarizer): the score, or under its name the count, as Perl writes numbers."""
    if table.counts is None:
        return {row[:3]: f"{row[3]:.5f}" for row in table.frame.iter_rows()}
    items = {}
    columns = table.counts.select("measure", "topic", "summarizer", "model_count", "peer_count", "hits")
    for measure, topic, summarizer, *counts in columns.iter_rows():
        for statistic, count in zip(LETTERS, counts, strict=True):  # R: of the model, P: of the peer, F: hits
            items[f"{measure}.{statistic}", topic, summarizer] = f"{count:.15g}"
    return items


def _compare_items(first: str, second: str) -> int:
    """The order of items: by the numbers that both begin with, else as strings."""
    numbers = re.match("[0-9]+", first), re.match("[0-9]+", second)
    if numbers[0] and numbers[1]:
        number, other = float(numbers[0][0]), float(numbers[1][0])
        if number != other:
            return -1 if number < other else 1
    return (first > second) - (first < second)


_ORDER = cmp_to_key(_compare_items)


def _label(measure: Measure) -> str:
    """The name that 1.5.5 prints: ROUGE-2, ROUGE-W-1.2, ROUGE-SU4, ROUGE-S*, ROUGE-BE-HM."""
    return re.sub("^BE-", "ROUGE-BE-", re.sub("^ROUGE-W", "ROUGE-W-", measure.base.upper()))
