"""SIMetrix's tables: `.ieval.micro`, a row for each input and system, and `.ieval.macro`, their means.

Features have our names in the campaign (`KLInputSummary` is `kl-input-summary`). Divergences and the two probabilities
keep their sign.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add
from pathlib import Path

from pyramidion.campaign import Campaign, Problems
from pyramidion.errors import did_you_mean
from pyramidion.files.problems import Severity, shorten
from pyramidion.formats.base import AVERAGE
from pyramidion.scores import Score, ScoreTable

FEATURES: Mapping[str, str] = {
    "KLInputSummary": "kl-input-summary",
    "KLSummaryInput": "kl-summary-input",
    "unsmoothedJSD": "js",
    "smoothedJSD": "js-smoothed",
    "cosineAllWords": "cosine",
    "percentTopicTokens": "topic-share",
    "fractionTopicWords": "topic-coverage",
    "topicWordOverlap": "topic-cosine",
    "unigramProb": "unigram-probability",
    "multinomialProb": "multinomial-probability",
}
"""The tool's names, in its order, and ours."""
DIVERGENCES = frozenset({"kl-input-summary", "kl-summary-input", "js", "js-smoothed"})
MICRO, MACRO = ("inputId", "sysId"), ("sysId",)
_PREFIX = "Avg"
_DECIMALS = 5


def header_of(line: str) -> tuple[str, ...] | None:
    """`MICRO` or `MACRO` if the line is the header of such a table."""
    fields = line.split()
    if tuple(fields[:2]) == MICRO and len(fields) > 2:
        return MICRO
    if tuple(fields[:1]) == MACRO and len(fields) > 1 and all(field.startswith(_PREFIX) for field in fields[1:]):
        return MACRO
    return None


@dataclass(frozen=True, kw_only=True)
class _Row:
    """A line of a table: its keys, and its values by our names."""

    line: int
    topic: str
    summarizer: str
    values: Mapping[str, float]


def read_table(text: str, path: Path, problems: Problems) -> Campaign:
    """The table as imported scores. All that is wrong with it is noted."""
    lines = [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
    keys = header_of(lines[0][1]) if lines else None
    if keys is None:
        _note(problems, path, lines[0][0] if lines else 1, "no header", "inputId sysId, or sysId, and features")
        return Campaign(name=path.stem)
    reading = _Reading(path=path, problems=problems, keys=keys, columns=_columns(lines[0], keys, path, problems))
    if keys == MACRO:
        remedy = f"They became the scores of one topic, {AVERAGE!r}; the .micro table has those of each input."
        _note(problems, path, lines[0][0], "means over inputs", "a value for each input", remedy, severity="warning")
    rows = list(reading.rows(lines[1:]))
    if not rows and not problems.errors:
        _note(problems, path, lines[0][0], "a header and no values", "a line for each summary")
    return Campaign(
        name=path.stem,
        imported=ScoreTable.of(
            Score(
                measure=measure,
                topic=row.topic,
                summarizer=row.summarizer,
                value=value,
                signature=f"{measure}|SIMetrix",
                higher_is_better=measure not in DIVERGENCES,
            )
            for row in rows
            for measure, value in row.values.items()
        ),
    )


def _columns(header: tuple[int, str], keys: Sequence[str], path: Path, problems: Problems) -> list[str]:
    """Our name for each column; one that the tool does not have keeps its own."""
    names: list[str] = []
    for name in header[1].split()[len(keys) :]:
        feature = name.removeprefix(_PREFIX) if keys == MACRO else name
        ours = FEATURES.get(feature)
        if ours is None:
            expected = f"one of {', '.join(FEATURES)}"
            remedy = f"It was imported as {feature!r}{did_you_mean(feature, FEATURES).rstrip(';')}."
            _note(problems, path, header[0], f"the feature {shorten(name)}", expected, remedy, severity="warning")
            ours = feature
        if ours in names:
            _note(problems, path, header[0], f"the feature {shorten(name)} again", "each feature once")
        names.append(ours)
    return names


@dataclass(kw_only=True)
class _Reading:
    path: Path
    problems: Problems
    keys: tuple[str, ...]
    columns: list[str]

    def rows(self, lines: Iterable[tuple[int, str]]) -> Iterator[_Row]:
        first: dict[tuple[str, str], int] = {}
        wanted = len(self.keys) + len(self.columns)
        for number, line in lines:
            fields = line.split()
            if len(fields) != wanted:
                expected = f"{wanted} fields: {', '.join(self.keys)} and {len(self.columns)} values"
                _note(self.problems, self.path, number, f"{len(fields)} fields", expected)
                continue
            topic, summarizer = fields[:2] if self.keys == MICRO else (AVERAGE, fields[0])
            known = first.setdefault((topic, summarizer), number)
            if known != number:
                found = f"{shorten(' '.join(fields[: len(self.keys)]))} again (first on line {known})"
                _note(self.problems, self.path, number, found, "each input and system once")
                continue
            values = self._values(number, fields[len(self.keys) :])
            yield _Row(line=number, topic=topic, summarizer=summarizer, values=values)

    def _values(self, number: int, fields: Sequence[str]) -> dict[str, float]:
        values: dict[str, float] = {}
        for name, field in zip(self.columns, fields, strict=True):
            try:
                value = float(field.replace("Infinity", "inf"))
            except ValueError:
                _note(self.problems, self.path, number, f"{shorten(field)} as {name}", "a number")
                continue
            if math.isfinite(value):
                values[name] = value
            else:
                remedy = "There is no score for this summary."
                _note(self.problems, self.path, number, f"{field} as {name}", "a number", remedy, severity="warning")
        return values


def _note(
    problems: Problems,
    path: Path,
    line: int,
    found: str,
    expected: str,
    remedy: str = "Check that the file is a table of SIMetrix.",
    *,
    severity: Severity = "error",
) -> None:
    problems.add(severity, file=path, line=line, found=found, expected=expected, remedy=remedy)


def number(value: float) -> str:
    """A value as the tool prints it: up to five decimals, trailing zeros dropped."""
    if math.isnan(value):
        return "NaN"
    text = f"{value:.{_DECIMALS}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def write_tables(
    scores: Mapping[tuple[str, str], Mapping[str, float]], measures: Sequence[str]
) -> tuple[list[str], list[str]]:
    """The lines of the micro and the macro table: (input, system) → our name → value.

    Features stand in the tool's order; the macro table has the means of the values as the micro table prints them.
    """
    names = [(theirs, ours) for theirs, ours in FEATURES.items() if ours in measures]
    micro = [" ".join([*MICRO, *(theirs for theirs, _ in names)])]
    printed: dict[str, list[list[float]]] = {}
    for (topic, summarizer), values in scores.items():
        row = [number(values.get(ours, math.nan)) for _, ours in names]
        micro.append(" ".join([topic, summarizer, *row]))
        printed.setdefault(summarizer, []).append([float(value) for value in row])
    macro = [" ".join([*MACRO, *(f"{_PREFIX}{theirs}" for theirs, _ in names)])]
    for summarizer, rows in printed.items():
        means = [_mean(column) for column in zip(*rows, strict=True)]
        macro.append(" ".join([summarizer, *map(number, means)]))
    return micro, macro


def _mean(values: Sequence[float]) -> float:
    """The mean of the values that are there, added up in their order as the tool does: it decides the last digit."""
    there = [value for value in values if not math.isnan(value)]
    return reduce(add, there) / len(there) if there else math.nan
