"""rouge-out: what ROUGE-1.5.5 printed, read as imported scores named like our measures (`rouge-2.recall`).

Per-item lines (option -d) give a score each; without them the averages are all there is, and they become the one
topic `average`. Counts (option -t 2, and the per-item lines of -t 1) are not scores and are refused.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from pyramidion.campaign import Campaign, Problems, Summarizer
from pyramidion.files.problems import Place, shorten
from pyramidion.formats.base import AVERAGE, Format
from pyramidion.formats.glimpse import Glimpse
from pyramidion.formats.nist_file_names import parse_nist_name
from pyramidion.formats.text_files import numbered, read_text
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


class OutputScore(NamedTuple):
    """One value, on an average line or a per-item line."""

    line: int
    measure: str
    topic: str
    summarizer: str
    value: float
    human: bool = False
    left_out: str = ""
    """The model that was left out (NIST's jackknife)."""

    @property
    def jackknife_name(self) -> str:
        """The measure's name with its option: rouge-2.recall → rouge-2(jackknife=yes).recall."""
        base, _, statistic = self.measure.rpartition(".")
        return f"{base}(jackknife=yes).{statistic}"


def detect(glimpse: Glimpse) -> bool:
    """Whether some line near the start is one of ROUGE-1.5.5's."""
    return detect_output(glimpse.head)


def detect_output(head: bytes) -> bool:
    """Whether some line in the first bytes of a file is one of ROUGE-1.5.5's."""
    return _ANY.search(head) is not None


def measure_name(tag: str) -> str | None:
    """Our name of a measure that ROUGE-1.5.5 prints: ROUGE-W-1.2 → rouge-w1.2, ROUGE-BE-HM → be-hm."""
    for pattern, name in _MEASURES:
        match = pattern.fullmatch(tag)
        if match:
            parameter = match[1].lower()
            if name == "rouge-w{}":
                # ROUGE-W-1.20 and ROUGE-W-1.2 are one measure.
                parameter = repr(float(parameter)).removesuffix(".0")
            return name.format(parameter)
    return None


@dataclass(frozen=True)
class Output:
    """What ROUGE-1.5.5 printed."""

    averages: list[OutputScore]
    items: list[OutputScore]
    """Of single summaries; several of one are those of jackknifing."""

    @property
    def jackknifed(self) -> bool:
        """Whether items name the model that was left out, as NIST's do."""
        return any(item.left_out for item in self.items)

    def scores(self) -> Iterator[Score]:
        """A score for each measure, topic and summarizer: the mean where there are several."""
        values: dict[tuple[str, str, str], list[float]] = {}
        jackknifed = self.jackknifed
        for item in self.items:
            measure = item.jackknife_name if jackknifed else item.measure
            values.setdefault((measure, item.topic, item.summarizer), []).append(item.value)
        for (measure, topic, summarizer), copies in values.items():
            yield Score(
                measure=measure,
                topic=topic,
                summarizer=summarizer,
                value=sum(copies) / len(copies),
            )


def read(path: Path, problems: Problems) -> Campaign:
    """A campaign of imported scores; several lines for one summary (jackknife) are averaged."""
    text = read_text(path, problems)
    at = Place(problems, path)
    output = None if text is None else parse_output(text, at)
    if output is None:
        return Campaign(name=path.stem)
    if not output.averages and not output.items and not problems.errors:
        at.at(1).error(
            found="no score",
            expected="lines such as `12 ROUGE-2 Average_R: 0.08123 (95%-conf.int. …)`",
            remedy=_CHECK,
        )
    _note_repeated(output, at)
    scores = output.scores() if output.items else _imported_averages(output.averages, at)
    return Campaign(
        name=path.stem,
        imported=ScoreTable.of(scores),
        summarizers={item.summarizer: Summarizer(kind="human") for item in output.items if item.human},
    )


def parse_output(text: str, at: Place) -> Output | None:
    """All values in the text; None (and an error) if they are counts."""
    output = Output([], [])
    for number, line in numbered(text):
        here, line = at.at(number), line.strip()
        match = _AVERAGE.fullmatch(line)
        if match:
            output.averages.extend(_average(here, match))
        elif match := _ITEM.fullmatch(line):
            scores = _items(here, match)
            if not scores:
                return None
            output.items.extend(scores)
        elif _COUNTS.match(line):
            here.error(
                found="counts (-t 2)",
                expected="scores",
                remedy="Run ROUGE-1.5.5 without -t 2; counts are not scores.",
            )
            return None
        # Rows of dashes and dots stand between measures and before single items.
        elif not _RULE.fullmatch(line):
            here.warning(
                found=shorten(line),
                expected="an average or a per-item line",
                remedy="The line was left out.",
            )
    return output


def _average(here: Place, match: re.Match[str]) -> list[OutputScore]:
    """The average of a line; none (and an error) if it is no score."""
    value = float(match["value"])
    if value > 1:
        here.error(
            found=f"the average {match['value']}",
            expected="a score between 0 and 1",
            remedy=_CHECK,
        )
        return []
    measure = f"{_measure(here, match['measure'])}.{_STATISTICS[match['statistic']]}"
    return [OutputScore(here.line or 0, measure, AVERAGE, match["system"], value)]


def _items(here: Place, match: re.Match[str]) -> list[OutputScore]:
    """The values of a per-item line; none (and an error) if they are counts."""
    # ROUGE-1.5.5 prints scores with decimals, even 0 and 1, and counts without.
    if any("." not in match[statistic] or float(match[statistic]) > 1 for statistic in _STATISTICS):
        here.error(
            found=shorten(match[0].partition(" Eval ")[2]),
            expected="scores between 0 and 1 with decimals",
            remedy="These are the counts that -t 1 -d prints; run ROUGE-1.5.5 without -t.",
        )
        return []
    topic, human, left_out = _topic(here, match["id"], match["system"])
    measure, system = _measure(here, match["measure"]), match["system"]
    return [
        OutputScore(here.line or 0, f"{measure}.{name}", topic, system, float(match[statistic]), human, left_out)
        for statistic, name in _STATISTICS.items()
    ]


def _topic(here: Place, id: str, system: str) -> tuple[str, bool, str]:
    """The topic of `evalID.peerID` or of a NIST file name, whether it is a human's, and the model that is left out."""
    name = parse_nist_name(id)
    if name is not None and name.summarizer == system:
        return name.topic, name.human, name.left_out
    topic = id.removesuffix(f".{system}")
    if topic == id or not topic:
        topic = id.rpartition(".")[0] or id
        here.warning(
            found=f"the item {shorten(id)} of system {system!r}",
            expected=f"an item that ends in .{system}",
            remedy=f"The topic was read as {topic!r}, the summarizer as {system!r}.",
        )
    return topic, False, ""


def _measure(here: Place, tag: str) -> str:
    """Our name of a measure; one that ROUGE-1.5.5 does not have keeps its own, with a warning."""
    name = measure_name(tag)
    if name is None:
        name = tag.lower()
        here.warning(
            found=tag,
            expected="a measure of ROUGE-1.5.5",
            remedy=f"It was imported as {name!r}.",
        )
    return name


def _note_repeated(output: Output, at: Place) -> None:
    """Say where a summary has several values; NIST's names explain them."""
    seen: Counter[tuple[str, str, str]] = Counter()
    second: list[OutputScore] = []
    for item in output.items:
        key = (item.measure, item.topic, item.summarizer)
        seen[key] += 1
        if seen[key] == 2:
            second.append(item)
    if not second:
        return
    if output.jackknifed:
        at.problems.remark(f"{at.file}: jackknifed items were averaged; the measures are named `…(jackknife=yes)`.")
        return
    at.at(second[0].line).warning(
        found=f"several values for {len(second)} of {len(seen)} scores (jackknife)",
        expected="a value for each measure, topic and summarizer",
        remedy="They were averaged, as in jackknifing.",
    )


def _imported_averages(averages: Sequence[OutputScore], at: Place) -> Iterator[Score]:
    """Averages as the scores of one topic, with a warning; a second average of the same is an error."""
    if averages:
        at.at(averages[0].line).warning(
            found="averages only",
            expected="a line for each item (option -d)",
            remedy=f"The averages, which are means of bootstrap means, became the scores of one topic, {AVERAGE!r}.",
        )
    lines: dict[tuple[str, str], int] = {}
    for average in averages:
        name = f"the average of {average.measure} for {average.summarizer!r}"
        remedy = "Import the outputs of different runs one by one."
        key = (average.measure, average.summarizer)
        if at.at(average.line).is_first(lines, key, name, expected="each average once", remedy=remedy):
            yield Score(
                measure=average.measure,
                topic=AVERAGE,
                summarizer=average.summarizer,
                value=average.value,
            )


FORMAT = Format(
    name="rouge-out",
    description="what ROUGE-1.5.5 printed: averages and, with -d, the scores of each item",
    detector=detect,
    reader=read,
)
