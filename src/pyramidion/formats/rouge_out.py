"""rouge-out: what ROUGE-1.5.5 printed, read as imported scores named like our measures (`rouge-2.recall`).

Per-item lines (option -d) give a score each; without them the averages are all there is, and they become the one
topic `average`. Counts (option -t 2, and the per-item lines of -t 1) are no scores and are refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pyramidion.campaign import Campaign, Problems, Summarizer
from pyramidion.files.problems import shorten
from pyramidion.formats.base import AVERAGE, Format, head_of
from pyramidion.formats.decoding import note_windows_ends, read_tolerantly
from pyramidion.formats.nist_names import parse_nist_name
from pyramidion.scores import Score, ScoreTable

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
    """Everything that an output holds."""

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
    """A campaign of imported scores; several lines for one summary (jackknife) are averaged, and that is noted."""
    output = read_output(path, problems)
    if output.items:
        imported = _imported(output.items, path, problems)
    else:
        imported = _imported_averages(output.averages, path, problems)
    humans = {item.summarizer: Summarizer(kind="human") for item in output.items if item.human}
    return Campaign(name=path.stem, imported=ScoreTable.of(imported), summarizers=humans)


def read_output(path: Path, problems: Problems) -> Output:
    """Average and per-item lines, in order; any other line is a problem."""
    text = read_tolerantly(path, problems)
    if text is None:
        return Output()
    note_windows_ends(text, path, problems, remedy="They were read as plain line ends.")
    lines = _Lines(path=path, problems=problems, averages=[], items=[])
    for number, line in enumerate(text.split("\n"), start=1):
        if not lines.take(number, line.strip()):
            return Output()
    if not lines.averages and not lines.items and not problems.errors:
        lines.note("error", 1, "no score", "lines such as `12 ROUGE-2 Average_R: 0.08123 (95%-conf.int. …)`")
    return Output(averages=tuple(lines.averages), items=tuple(lines.items))


@dataclass(kw_only=True)
class _Lines:
    path: Path
    problems: Problems
    averages: list[Average]
    items: list[Item]

    def take(self, number: int, line: str) -> bool:
        """Note what the line says; False if there is no use in reading on."""
        if not line or _RULE.fullmatch(line):
            return True
        if match := _AVERAGE.fullmatch(line):
            self._take_average(number, match)
        elif match := _ITEM.fullmatch(line):
            return self._take_item(number, match)
        elif _COUNTS.match(line):
            self.note("error", number, "counts (-t 2)", "scores", "Run ROUGE-1.5.5 without -t 2; counts are no scores.")
            return False
        else:
            self.note("warning", number, shorten(line), "an average or a per-item line", "The line was left out.")
        return True

    def _take_average(self, number: int, match: re.Match[str]) -> None:
        if float(match["value"]) > 1:
            self.note("error", number, f"the average {match['value']}", "a score between 0 and 1")
            return
        measure = self._measure(number, match["measure"])
        self.averages.append(
            Average(
                line=number,
                measure=f"{measure}.{_STATISTICS[match['statistic']]}",
                summarizer=match["system"],
                value=float(match["value"]),
                lower=float(match["lower"]),
                upper=float(match["upper"]),
                confidence=float(match["confidence"]),
            )
        )

    def _take_item(self, number: int, match: re.Match[str]) -> bool:
        values = {statistic: match[statistic] for statistic in _STATISTICS}
        if any("." not in value or float(value) > 1 for value in values.values()):
            self.note(
                "error",
                number,
                shorten(match[0].partition(" Eval ")[2]),
                "scores between 0 and 1 with decimals",
                "These are the counts that -t 1 -d prints; run ROUGE-1.5.5 without -t.",
            )
            return False
        topic, human = self._topic(number, match["id"], match["system"])
        measure = self._measure(number, match["measure"])
        for statistic, value in values.items():
            self.items.append(
                Item(
                    line=number,
                    measure=f"{measure}.{_STATISTICS[statistic]}",
                    topic=topic,
                    summarizer=match["system"],
                    value=float(value),
                    human=human,
                )
            )
        return True

    def _topic(self, number: int, id: str, system: str) -> tuple[str, bool]:
        """The topic of `evalID.peerID` or of a NIST file name, and whether the name is a human's."""
        name = parse_nist_name(id)
        if name is not None and name.summarizer == system:
            return name.topic, name.human
        topic = id.removesuffix(f".{system}")
        if topic == id or not topic:
            topic = id.rpartition(".")[0] or id
            self.note(
                "warning",
                number,
                f"the item {shorten(id)} of system {system!r}",
                f"an item that ends in .{system}",
                f"The topic was read as {topic!r}, the summarizer as {system!r}.",
            )
        return topic, False

    def _measure(self, number: int, tag: str) -> str:
        name = measure_name(tag)
        if name is None:
            name = tag.lower()
            self.note("warning", number, tag, "a measure of ROUGE-1.5.5", f"It was imported as {name!r}.")
        return name

    def note(
        self,
        severity: Literal["error", "warning"],
        number: int,
        found: str,
        expected: str,
        remedy: str = "Check that the file is an output of ROUGE-1.5.5.",
    ) -> None:
        self.problems.add(severity, file=self.path, line=number, found=found, expected=expected, remedy=remedy)


def _imported(items: tuple[Item, ...], path: Path, problems: Problems) -> Iterator[Score]:
    values: dict[tuple[str, str, str], list[float]] = {}
    first_repeated: Item | None = None
    for item in items:
        found = values.setdefault((item.measure, item.topic, item.summarizer), [])
        found.append(item.value)
        if len(found) == 2 and first_repeated is None:
            first_repeated = item
    if first_repeated is not None:
        repeated = sum(len(found) > 1 for found in values.values())
        problems.add(
            "warning",
            file=path,
            line=first_repeated.line,
            found=f"several values for {repeated} of {len(values)} scores (jackknife)",
            expected="a value for each measure, topic and summarizer",
            remedy="They were averaged, as in jackknifing.",
        )
    for (measure, topic, summarizer), found in values.items():
        yield Score(measure=measure, topic=topic, summarizer=summarizer, value=sum(found) / len(found))


def _imported_averages(averages: tuple[Average, ...], path: Path, problems: Problems) -> Iterator[Score]:
    if averages:
        problems.add(
            "warning",
            file=path,
            line=averages[0].line,
            found="averages only",
            expected="a line for each item (option -d)",
            remedy=f"The averages, which are means of bootstrap means, became the scores of one topic, {AVERAGE!r}.",
        )
    first: dict[tuple[str, str], int] = {}
    for average in averages:
        line = first.setdefault((average.measure, average.summarizer), average.line)
        if line == average.line:
            yield Score(measure=average.measure, topic=AVERAGE, summarizer=average.summarizer, value=average.value)
        else:
            problems.add(
                "error",
                file=path,
                line=average.line,
                found=f"the average of {average.measure} for {average.summarizer!r} again (first on line {line})",
                expected="each average once",
                remedy="Import the outputs of different runs one by one.",
            )


FORMAT = Format(
    name="rouge-out",
    description="what ROUGE-1.5.5 printed: averages and, with -d, the scores of each item",
    detector=detect,
    reader=read,
)
