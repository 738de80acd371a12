"""rouge-out: what ROUGE-1.5.5 printed, read as imported scores named like our measures (`rouge-2.recall`).

Per-item lines (option -d) give a score each; without them the averages are all there is, and they become the one
topic `average`. Counts (option -t 2, and the per-item lines of -t 1) are not scores and are refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pyramidion.campaign import Campaign, Problems, Summarizer
from pyramidion.files.problems import Place, shorten
from pyramidion.formats.base import AVERAGE, Format
from pyramidion.formats.files import head_of, numbered, read_text
from pyramidion.formats.nist_names import parse_nist_name
from pyramidion.scores import Score, ScoreTable

_NUMBER = r"[0-9]{1,9}(?:\.[0-9]{1,20})?"
_STATISTICS = {"R": "recall", "P": "precision", "F": "f"}
_AVERAGE = re.compile(
    rf"(?P<system>\S.*?) (?P<measure>ROUGE-\S+) Average_(?P<statistic>[RPF]): (?P<value>{_NUMBER}) +"
    rf"\({_NUMBER}%-conf\.int\. {_NUMBER} +- {_NUMBER}\)",
    re.ASCII,
)
_ITEM = re.compile(
    r"(?P<system>\S+) (?P<measure>ROUGE-\S+) Eval (?P<id>\S+) "
    rf"R:(?P<R>{_NUMBER}) P:(?P<P>{_NUMBER}) F:(?P<F>{_NUMBER})",
    re.ASCII,
)
_COUNTS = re.compile(r"\S.* ROUGE-\S+ M_count: ", re.ASCII)
_RULE = re.compile(r"-+|\.+")
_ANY = re.compile(rb"^\S[^\n]* ROUGE-\S+ (?:Average_[RPF]: |Eval \S+ R:|M_count: )", re.MULTILINE)

_CHECK = "Check that the file is an output of ROUGE-1.5.5."
_MEASURES: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"ROUGE-([1-9]|L)"), "rouge-{}"),
    (re.compile(rf"ROUGE-W-({_NUMBER})"), "rouge-w{}"),
    (re.compile(r"ROUGE-(SU?(?:[0-9]+|\*))"), "rouge-{}"),
    (re.compile(r"ROUGE-(BE-(?:H|HM|HMR|HM1|HMR1|HMR2))"), "{}"),
)


@dataclass(frozen=True)
class _Score:
    """One value, on an average line or a per-item line."""

    line: int
    measure: str
    topic: str
    summarizer: str
    value: float
    human: bool = False


def detect(path: Path) -> bool:
    """Whether some line near the start is one of ROUGE-1.5.5's."""
    return _ANY.search(head_of(path)) is not None


def measure_name(tag: str) -> str | None:
    """Our name of a measure that ROUGE-1.5.5 prints: ROUGE-W-1.2 → rouge-w1.2, ROUGE-BE-HM → be-hm."""
    for pattern, name in _MEASURES:
        match = pattern.fullmatch(tag)
        if match:
            parameter = match[1].lower()
            if name == "rouge-w{}":
                parameter = repr(float(parameter)).removesuffix(".0")
            return name.format(parameter)
    return None


def read(path: Path, problems: Problems) -> Campaign:
    """A campaign of imported scores; several lines for one summary (jackknife) are averaged, with a warning."""
    text = read_text(path, problems)
    if text is None:
        return Campaign(name=path.stem)
    at = Place(problems, path)
    averages: list[_Score] = []
    items: list[_Score] = []
    for number, line in numbered(text):
        here, line = at.at(number), line.strip()
        if match := _AVERAGE.fullmatch(line):
            averages += _average(here, match)
        elif match := _ITEM.fullmatch(line):
            found = _items(here, match)
            if not found:
                return Campaign(name=path.stem)
            items += found
        elif _COUNTS.match(line):
            here.error("counts (-t 2)", "scores", "Run ROUGE-1.5.5 without -t 2; counts are not scores.")
            return Campaign(name=path.stem)
        elif not _RULE.fullmatch(line):
            here.warning(shorten(line), "an average or a per-item line", "The line was left out.")
    if not averages and not items and not problems.errors:
        expected = "lines such as `12 ROUGE-2 Average_R: 0.08123 (95%-conf.int. …)`"
        at.at(1).error("no score", expected, _CHECK)
    return Campaign(
        name=path.stem,
        imported=ScoreTable.of(_imported(items, at) if items else _imported_averages(averages, at)),
        summarizers={item.summarizer: Summarizer(kind="human") for item in items if item.human},
    )


def _average(here: Place, match: re.Match[str]) -> list[_Score]:
    value = float(match["value"])
    if value > 1:
        here.error(f"the average {match['value']}", "a score between 0 and 1", _CHECK)
        return []
    measure = f"{_measure(here, match['measure'])}.{_STATISTICS[match['statistic']]}"
    return [_Score(here.line or 0, measure, AVERAGE, match["system"], value)]


def _items(here: Place, match: re.Match[str]) -> list[_Score]:
    """The values of a per-item line; none (and an error) if they are counts."""
    if any("." not in match[statistic] or float(match[statistic]) > 1 for statistic in _STATISTICS):
        here.error(
            shorten(match[0].partition(" Eval ")[2]),
            "scores between 0 and 1 with decimals",
            "These are the counts that -t 1 -d prints; run ROUGE-1.5.5 without -t.",
        )
        return []
    topic, human = _topic(here, match["id"], match["system"])
    measure = _measure(here, match["measure"])
    return [
        _Score(here.line or 0, f"{measure}.{name}", topic, match["system"], float(match[statistic]), human)
        for statistic, name in _STATISTICS.items()
    ]


def _topic(here: Place, id: str, system: str) -> tuple[str, bool]:
    """The topic of `evalID.peerID` or of a NIST file name, and whether the name is a human's."""
    name = parse_nist_name(id)
    if name is not None and name.summarizer == system:
        return name.topic, name.human
    topic = id.removesuffix(f".{system}")
    if topic == id or not topic:
        topic = id.rpartition(".")[0] or id
        here.warning(
            f"the item {shorten(id)} of system {system!r}",
            f"an item that ends in .{system}",
            f"The topic was read as {topic!r}, the summarizer as {system!r}.",
        )
    return topic, False


def _measure(here: Place, tag: str) -> str:
    name = measure_name(tag)
    if name is None:
        name = tag.lower()
        here.warning(tag, "a measure of ROUGE-1.5.5", f"It was imported as {name!r}.")
    return name


def _imported(items: Iterable[_Score], at: Place) -> Iterator[Score]:
    values: dict[tuple[str, str, str], list[float]] = {}
    repeated: list[_Score] = []
    for item in items:
        found = values.setdefault((item.measure, item.topic, item.summarizer), [])
        found.append(item.value)
        if len(found) == 2:
            repeated.append(item)
    if repeated:
        at.at(repeated[0].line).warning(
            f"several values for {len(repeated)} of {len(values)} scores (jackknife)",
            "a value for each measure, topic and summarizer",
            "They were averaged, as in jackknifing.",
        )
    for (measure, topic, summarizer), found in values.items():
        yield Score(measure=measure, topic=topic, summarizer=summarizer, value=sum(found) / len(found))


def _imported_averages(averages: Sequence[_Score], at: Place) -> Iterator[Score]:
    if averages:
        at.at(averages[0].line).warning(
            "averages only",
            "a line for each item (option -d)",
            f"The averages, which are means of bootstrap means, became the scores of one topic, {AVERAGE!r}.",
        )
    lines: dict[tuple[str, str], int] = {}
    for one in averages:
        name = f"the average of {one.measure} for {one.summarizer!r}"
        remedy = "Import the outputs of different runs one by one."
        key = (one.measure, one.summarizer)
        if at.at(one.line).is_first(lines, key, name, expected="each average once", remedy=remedy):
            yield Score(measure=one.measure, topic=AVERAGE, summarizer=one.summarizer, value=one.value)


FORMAT = Format(
    name="rouge-out",
    description="what ROUGE-1.5.5 printed: averages and, with -d, the scores of each item",
    detector=detect,
    reader=read,
)
