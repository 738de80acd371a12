"""SIMetrix's tables: `.ieval.micro`, a row for each input and system, and `.ieval.macro`, their means.

Features have our names in the campaign (`KLInputSummary` is `kl-input-summary`). Divergences and the two probabilities
keep their sign.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from operator import add
from pathlib import Path

from pyramidion.campaign import Campaign
from pyramidion.errors import did_you_mean
from pyramidion.files.problems import Place, shorten
from pyramidion.formats.base import AVERAGE
from pyramidion.formats.text_files import numbered
from pyramidion.scores import Score, ScoreTable
from pyramidion.show.wording import counted

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
"""SIMetrix's names, in its order, and ours."""
DIVERGENCES = frozenset({"kl-input-summary", "kl-summary-input", "js", "js-smoothed"})
MICRO, MACRO = ("inputId", "sysId"), ("sysId",)
_PREFIX = "Avg"
_CHECK = "Check that the file is a table of SIMetrix."
_DECIMALS = 5


def header_of(line: str) -> tuple[str, ...] | None:
    """`MICRO` or `MACRO` if the line is the header of such a table."""
    fields = line.split()
    if tuple(fields[:2]) == MICRO and len(fields) > 2:
        return MICRO
    names = fields[1:]
    has_prefixes = all(name.startswith(_PREFIX) for name in names)
    if tuple(fields[:1]) == MACRO and names and has_prefixes:
        return MACRO
    return None


def read_scores(text: str, at: Place) -> Campaign:
    """The table as imported scores. Everything that is wrong with it is reported."""
    (first, header), *lines = numbered(text)
    keys = header_of(header) or MICRO
    here = at.at(first)
    prefix = _PREFIX if keys == MACRO else ""
    columns = _columns(header.split()[len(keys) :], here, prefix=prefix)
    if keys == MACRO:
        here.warning(
            found="means over inputs",
            expected="a value for each input",
            remedy=f"They became the scores of one topic, {AVERAGE!r}; the .micro table has the scores of each input.",
        )
    rows = list(_rows(lines, keys, columns, at))
    if not rows and not at.problems.errors:
        here.error(
            found="a header and no values",
            expected="a line for each summary",
            remedy=_CHECK,
        )
    scores: list[Score] = []
    for topic, summarizer, values in rows:
        for measure, value in values.items():
            score = Score(
                measure=measure,
                topic=topic,
                summarizer=summarizer,
                value=value,
                signature=f"{measure}|SIMetrix",
                higher_is_better=measure not in DIVERGENCES,
            )
            scores.append(score)
    return Campaign(name=Path(at.file).stem, imported=ScoreTable.of(scores))


def _columns(names: Iterable[str], here: Place, *, prefix: str) -> list[str]:
    """Our name for each column; one that SIMetrix does not have keeps its own."""
    columns: list[str] = []
    for name in names:
        feature = name.removeprefix(prefix)
        ours = FEATURES.get(feature, feature)
        if feature not in FEATURES:
            here.warning(
                found=f"the feature {shorten(name)}",
                expected=f"one of {', '.join(FEATURES)}",
                remedy=f"It was imported as {feature!r}{did_you_mean(feature, FEATURES).rstrip(';')}.",
            )
        if ours in columns:
            here.error(
                found=f"the feature {shorten(name)} again",
                expected="each feature once",
                remedy=_CHECK,
            )
        columns.append(ours)
    return columns


def _rows(
    lines: Iterable[tuple[int, str]], keys: Sequence[str], columns: Sequence[str], at: Place
) -> Iterator[tuple[str, str, dict[str, float]]]:
    """Topic, summarizer and values of each line."""
    first: dict[tuple[str, str], int] = {}
    field_count = len(keys) + len(columns)
    for number, line in lines:
        fields = line.split()
        here = at.at(number)
        if len(fields) != field_count:
            here.error(
                found=counted(len(fields), "field"),
                expected=f"{field_count} fields: {', '.join(keys)} and {counted(len(columns), 'value')}",
                remedy=_CHECK,
            )
            continue
        topic, summarizer = fields[:2] if keys == MICRO else (AVERAGE, fields[0])
        name = shorten(" ".join(fields[: len(keys)]))
        if here.is_first(first, (topic, summarizer), name, expected="each input and system once", remedy=_CHECK):
            yield topic, summarizer, _values(zip(columns, fields[len(keys) :], strict=True), here)


def _values(cells: Iterable[tuple[str, str]], here: Place) -> dict[str, float]:
    """The finite values of a row by measure; a cell that is no number is an error."""
    values: dict[str, float] = {}
    for name, field in cells:
        try:
            value = float(field.replace("Infinity", "inf"))
        except ValueError:
            here.error(
                found=f"{shorten(field)} as {name}",
                expected="a number",
                remedy=_CHECK,
            )
            continue
        if math.isfinite(value):
            values[name] = value
        else:
            here.warning(
                found=f"{field} as {name}",
                expected="a number",
                remedy="There is no score for this summary.",
            )
    return values


def number(value: float) -> str:
    """A value as SIMetrix prints it: up to five decimals, trailing zeros dropped."""
    if math.isnan(value):
        return "NaN"
    text = f"{value:.{_DECIMALS}f}".rstrip("0").rstrip(".")
    if text == "-0":
        return "0"
    return text


def write_tables(
    scores: Mapping[tuple[str, str], Mapping[str, float]], measures: Sequence[str]
) -> tuple[list[str], list[str]]:
    """The lines of the micro and the macro table: (input, system) → our name → value.

    Features are in SIMetrix's order; the macro table has the means of the values as the micro table prints them.
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
    """The mean of the values that exist, added up in their order as SIMetrix does: it decides the last digit."""
    numbers = [value for value in values if not math.isnan(value)]
    if numbers:
        return reduce(add, numbers) / len(numbers)
    return math.nan
