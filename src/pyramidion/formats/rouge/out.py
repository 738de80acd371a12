"""rouge-out: what ROUGE-1.5.5 printed, read as imported scores named like our measures (`rouge-2.recall`).

Per-item lines (option -d) give a score each; without them the averages are all there is, and they become the one
topic `average`. Counts (option -t 2, and the per-item lines of -t 1) are not scores and are refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pyramidion.campaign import Campaign, ImportedScore, Problems, Summarizer
from pyramidion.campaign.problems import shorten
from pyramidion.formats.base import AVERAGE, Format
from pyramidion.formats.files import head_of, numbered, read_text
from pyramidion.formats.nist_names import parse_nist_name
from pyramidion.formats.place import Place

_NUMBER = r"[0-9]{1,9}(?:\.[0-9]{1,20})?"
_STATISTICS = {"R": "recall", "P": "precision", "F": "f"}
_AVERAGE = re.compile(
    rf"(?P<system>\S.*?) (?P<measure>ROUGE-\S+) Average_(?P<statistic>[RPF]): (?P<value>{_NUMBER}) +"
    rf"\((?P<confidence>{_NUMBER})%-conf\.int\. (?P<lower>{_NUMBER}) +- (?P<upper>{_NUMBER})\)",
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


@dataclass(frozen=True, kw_only=True)
class Average:
    """An average line: the mean of the bootstrap means, with its interval."""

    line: int
    measure: str
    summarizer: str
    value: float
    lower: float
    upper: float
    confidence: float


@dataclass(frozen=True, kw_only=True)
class Item:
    """One value of a per-item line."""

    line: int
    measure: str
    topic: str
    summarizer: str
    value: float
    human: bool = False


@dataclass(frozen=True, kw_only=True)
class Output:
    """Everything in an output."""

    averages: tuple[Average, ...] = ()
    items: tuple[Item, ...] = ()


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
    output = read_output(path, problems)
    at = Place(problems, path)
    imported = _imported(output.items, at) if output.items else _imported_averages(output.averages, at)
    humans = {item.summarizer: Summarizer(kind="human") for item in output.items if item.human}
    return Campaign(name=path.stem, imported=tuple(imported), summarizers=humans)


def read_output(path: Path, problems: Problems) -> Output:
    """Average and per-item lines, in order; any other line is a problem."""
    text = read_text(path, problems)
    if text is None:
        return Output()
    reading = _Reading(Place(problems, path), [], [])
    for number, line in numbered(text):
        if not reading.take(number, line.strip()):
            return Output()
    if not reading.averages and not reading.items and not problems.errors:
        expected = "lines such as `12 ROUGE-2 Average_R: 0.08123 (95%-conf.int. …)`"
        reading.at.at(1).error("no score", expected, _CHECK)
    return Output(averages=tuple(reading.averages), items=tuple(reading.items))


@dataclass(frozen=True)
class _Reading:
    at: Place
    averages: list[Average]
    items: list[Item]

    def take(self, number: int, line: str) -> bool:
        """Keep what the line reports; False if there is no use in reading on."""
        here = self.at.at(number)
        if match := _AVERAGE.fullmatch(line):
            self._take_average(here, match)
        elif match := _ITEM.fullmatch(line):
            return self._take_item(here, match)
        elif _COUNTS.match(line):
            here.error("counts (-t 2)", "scores", "Run ROUGE-1.5.5 without -t 2; counts are not scores.")
            return False
        elif not _RULE.fullmatch(line):
            here.warn(shorten(line), "an average or a per-item line", "The line was left out.")
        return True

    def _take_average(self, here: Place, match: re.Match[str]) -> None:
        value, lower, upper, confidence = (float(match[name]) for name in ("value", "lower", "upper", "confidence"))
        if value > 1:
            here.error(f"the average {match['value']}", "a score between 0 and 1", _CHECK)
            return
        measure = f"{_measure(here, match['measure'])}.{_STATISTICS[match['statistic']]}"
        self.averages.append(
            Average(
                line=here.line or 0,
                measure=measure,
                summarizer=match["system"],
                value=value,
                lower=lower,
                upper=upper,
                confidence=confidence,
            )
        )

    def _take_item(self, here: Place, match: re.Match[str]) -> bool:
        if any("." not in match[statistic] or float(match[statistic]) > 1 for statistic in _STATISTICS):
            here.error(
                shorten(match[0].partition(" Eval ")[2]),
                "scores between 0 and 1 with decimals",
                "These are the counts that -t 1 -d prints; run ROUGE-1.5.5 without -t.",
            )
            return False
        topic, human = _topic(here, match["id"], match["system"])
        measure = _measure(here, match["measure"])
        self.items.extend(
            Item(
                line=here.line or 0,
                measure=f"{measure}.{name}",
                topic=topic,
                summarizer=match["system"],
                value=float(match[statistic]),
                human=human,
            )
            for statistic, name in _STATISTICS.items()
        )
        return True


def _topic(here: Place, id: str, system: str) -> tuple[str, bool]:
    """The topic of `evalID.peerID` or of a NIST file name, and whether the name is a human's."""
    name = parse_nist_name(id)
    if name is not None and name.summarizer == system:
        return name.topic, name.human
    topic = id.removesuffix(f".{system}")
    if topic == id or not topic:
        topic = id.rpartition(".")[0] or id
        here.warn(
            f"the item {shorten(id)} of system {system!r}",
            f"an item that ends in .{system}",
            f"The topic was read as {topic!r}, the summarizer as {system!r}.",
        )
    return topic, False


def _measure(here: Place, tag: str) -> str:
    name = measure_name(tag)
    if name is None:
        name = tag.lower()
        here.warn(tag, "a measure of ROUGE-1.5.5", f"It was imported as {name!r}.")
    return name


def _imported(items: tuple[Item, ...], at: Place) -> Iterator[ImportedScore]:
    values: dict[tuple[str, str, str], list[float]] = {}
    repeated: list[Item] = []
    for item in items:
        found = values.setdefault((item.measure, item.topic, item.summarizer), [])
        found.append(item.value)
        if len(found) == 2:
            repeated.append(item)
    if repeated:
        at.at(repeated[0].line).warn(
            f"several values for {len(repeated)} of {len(values)} scores (jackknife)",
            "a value for each measure, topic and summarizer",
            "They were averaged, as in jackknifing.",
        )
    for (measure, topic, summarizer), found in values.items():
        yield ImportedScore(measure=measure, topic=topic, summarizer=summarizer, value=sum(found) / len(found))


def _imported_averages(averages: tuple[Average, ...], at: Place) -> Iterator[ImportedScore]:
    if averages:
        at.at(averages[0].line).warn(
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
            yield ImportedScore(measure=one.measure, topic=AVERAGE, summarizer=one.summarizer, value=one.value)


FORMAT = Format(
    name="rouge-out",
    description="what ROUGE-1.5.5 printed: averages and, with -d, the scores of each item",
    detector=detect,
    reader=read,
)
