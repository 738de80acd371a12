"""What `correlate` prints: records for programs, tables for people, for each kind of finding."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyramidion.studies import Correlation, Correlations, CorrelationTest

Record = dict[str, Any]


class Kind(StrEnum):
    """Kinds of findings, in the order in which they are printed."""

    correlations = "correlations"
    tests = "tests"
    micro = "micro"
    accuracy = "accuracy"


@dataclass(frozen=True)
class Shown:
    """A table for people."""

    title: str
    rows: list[Record]
    below: str = ""


def records(found: Correlations, kind: Kind) -> Iterator[Record]:
    """Everything of one kind."""
    if kind is Kind.correlations:
        for one in found.correlations:
            yield _finished(_correlation(one), one.reason, found, one.measure, one.with_)
    elif kind is Kind.tests:
        for test in found.tests:
            yield _finished(_test(test), test.reason, found, test.first, test.second, test.with_)
    elif kind is Kind.micro:
        for topics in found.significant:
            record: Record = {
                "record": "micro",
                "measure": topics.measure,
                "with": topics.with_,
                "coefficient": topics.coefficient,
                "largest": topics.largest,
                "smallest": topics.smallest,
                "significant": topics.significant,
                "percentage": topics.percentage,
                "n": topics.n,
                "undefined": topics.undefined,
                "confidence": topics.confidence,
            }
            yield _finished(record, topics.reason, found, topics.measure, topics.with_)
    else:
        for accuracy in found.accuracies:
            record = {
                "record": "accuracy",
                "measure": accuracy.measure,
                "with": accuracy.with_,
                "level": accuracy.level,
                "kind": accuracy.kind,
                "value": accuracy.value,
                "n": accuracy.n,
                "undefined": accuracy.undefined,
                "epsilon": accuracy.epsilon,
                "seed": accuracy.seed,
            }
            yield _finished(record, accuracy.reason, found, accuracy.measure, accuracy.with_)


def tables(found: Correlations, kind: Kind, *, matrix: bool = False) -> Iterator[Shown]:
    """Tables of one kind: one for each level and measure to correlate with, or for each matrix."""
    rows = list(records(found, kind))
    if kind is Kind.correlations and matrix:
        yield from _matrices(found)
        return
    for target in dict.fromkeys(row["with"] for row in rows):
        for level in dict.fromkeys(row.get("level", "") for row in rows):
            own = [row for row in rows if row["with"] == target and row.get("level", "") == level]
            if own:
                yield _table(found, kind, target, level, own)


_HIDDEN = ("record", "with", "level", "method", "seed", "confidence", "sides", "resampled", "resamples", "note")


def _table(found: Correlations, kind: Kind, target: str, level: str, rows: list[Record]) -> Shown:
    hidden = _HIDDEN if any(row.get("undefined_resamples") for row in rows) else (*_HIDDEN, "undefined_resamples")
    columns = [
        {key: _readable(key, value) for key, value in row.items() if key not in hidden}
        | ({"better": "low"} if row.get("measure") in found.lower_is_better else {})
        for row in rows
    ]
    said = _said(found, {name for row in rows for name in map(row.get, ("measure", "first", "second", "with")) if name})
    if level == "topic" and kind is Kind.correlations:
        said.append("Means of the correlations inside topics; n counts topics, and p is over topics.")
    said += [f"Undefined: {reason}." for reason in dict.fromkeys(row["reason"] for row in rows if row.get("reason"))]
    return Shown(_title(kind, target, level, rows[0]), columns, " ".join(said))


def _title(kind: Kind, target: str, level: str, first: Record) -> str:
    drawn = ""
    if first.get("resamples"):
        drawn = f" over {first['resampled']}, {first['resamples']:,} resamples, seed {first['seed']}"
    if kind is Kind.correlations:
        method = f"{first['method'].replace('fisher', 'Fisher')}{drawn}"
        intervals = f"{first['confidence']:g} % intervals, {first['sides']}-sided: {method}"
        return f"Correlation with {target}, {level} level ({intervals})"
    if kind is Kind.tests:
        method = f"{first['method'].replace('williams', 'Williams')}{drawn}"
        return f"Differences of correlations with {target}, {level} level ({method}; turned so that high is good)"
    if kind is Kind.micro:
        return (
            f"Topics with a significant correlation with {target} (two-sided p < {1 - first['confidence'] / 100:.4g})"
        )
    return f"Pairs in the order of {target}, {level} level"


def _said(found: Correlations, measures: set[str]) -> list[str]:
    """What must be said with values, each note once with the measures that it is about."""
    by_note: dict[str, list[str]] = {}
    for measure, note in found.notes.items():
        if measure in measures:
            by_note.setdefault(note, []).append(measure)
    return [f"{note[:1].upper()}{note[1:]}: {', '.join(names)}." for note, names in by_note.items()]


def _matrices(found: Correlations) -> Iterator[Shown]:
    """A lower triangle for each level and coefficient; the columns are the numbers of the rows."""
    names = list(dict.fromkeys(name for one in found.correlations for name in (one.measure, one.with_)))
    for level, coefficient in dict.fromkeys((one.level, one.coefficient) for one in found.correlations):
        rows: list[Record] = []
        for number, name in enumerate(names, start=1):
            low = {"better": "low"} if name in found.lower_is_better else {}
            values = dict.fromkeys(map(str, range(1, len(names))), "")
            for place, other in enumerate(names[: number - 1], start=1):
                value = found.value(name, other, level=level, coefficient=coefficient)
                values[str(place)] = "–" if value is None else f"{value:.3f}"
            rows.append({"": number, "measure": name, **low, **values})
        yield Shown(f"{coefficient} at {level} level", rows, " ".join(_said(found, set(names))))


def _correlation(one: Correlation) -> Record:
    return {
        "record": "correlation",
        "measure": one.measure,
        "with": one.with_,
        "level": one.level,
        "coefficient": one.coefficient,
        "value": one.value,
        "p": one.p,
        "lower": one.lower,
        "upper": one.upper,
        "method": one.method,
        "n": one.n,
        "undefined": one.undefined,
        "seed": one.seed,
        "confidence": one.confidence,
        "sides": one.sides,
        "resampled": one.resampled,
        "resamples": one.resamples,
        "undefined_resamples": one.undefined_resamples,
    }


def _test(one: CorrelationTest) -> Record:
    return {
        "record": "test",
        "first": one.first,
        "second": one.second,
        "with": one.with_,
        "level": one.level,
        "coefficient": one.coefficient,
        "difference": one.difference,
        "p": one.p,
        "p_adjusted": one.p_adjusted,
        "method": one.method,
        "seed": one.seed,
        "n": one.n,
        "resampled": one.resampled,
        "resamples": one.resamples,
        "undefined_resamples": one.undefined_resamples,
    }


def _finished(record: Record, reason: str, found: Correlations, *measures: str) -> Record:
    """The record with what must be said with it."""
    notes = "; ".join(f"{name}: {found.notes[name]}" for name in dict.fromkeys(measures) if name in found.notes)
    return {**record, **({"note": notes} if notes else {}), **({"reason": reason} if reason else {})}


def _readable(key: str, value: Any) -> Any:
    """A p of nearly nothing is not 0."""
    return "< 0.00001" if key in ("p", "p_adjusted") and value is not None and value < 0.00001 else value
