"""From names to measures: the families that ship with pyramidion and those that other packages bring."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import metadata
from typing import Any

from pyramidion.errors import UsageError, did_you_mean
from pyramidion.measures.base import ONE_VALUE, Measure
from pyramidion.measures.basic_elements import BasicElements
from pyramidion.measures.extractive import Extractive, NgramShare
from pyramidion.measures.hbr import Hbr
from pyramidion.measures.imported import Imported
from pyramidion.measures.judged import Judged
from pyramidion.measures.model_free import ModelFree
from pyramidion.measures.names import MeasureName, parse
from pyramidion.measures.pyramid import PyramidMeasure
from pyramidion.measures.regression import Regression
from pyramidion.measures.rouge import Rouge
from pyramidion.measures.scaled_rank import ScaledRank
from pyramidion.measures.see_coverage import SeeCoverage

ENTRY_POINTS = "pyramidion.measures"
DEFAULT_MEASURES = (
    "rouge-1.recall",
    "rouge-2.recall",
    "rouge-l.recall",
    "rouge-su4.recall",
    "pyramid",
    "question",
    "imported",
)
"""What is scored when nothing is asked for: ROUGE, pyramids, all questions and imported columns that are there."""

BUILT_IN: tuple[type[Measure], ...] = (
    Rouge,
    BasicElements,
    PyramidMeasure,
    SeeCoverage,
    ModelFree,
    Extractive,
    NgramShare,
    Judged,
    Imported,
    Regression,
    Hbr,
    ScaledRank,
)


@dataclass(frozen=True)
class Selection:
    """A measure and the one of its statistics that is wanted (None: all of them)."""

    measure: Measure
    statistic: str | None = None

    @property
    def name(self) -> str:
        """The canonical name."""
        return self.measure.name(self.statistic)


@functools.cache
def _plug_ins() -> tuple[tuple[type[Measure], ...], tuple[str, ...]]:
    """Families from other packages, and what is wrong with those that can't be had."""
    found: list[type[Measure]] = []
    failures: list[str] = []
    for entry in metadata.entry_points(group=ENTRY_POINTS):
        try:
            family: Any = entry.load()
        except Exception as error:  # whatever another package does must not keep ours from working
            failures.append(f"the measure {entry.name!r} of {entry.value!r} can't be loaded: {error}")
            continue
        if isinstance(family, type) and issubclass(family, Measure):
            found.append(family)
        else:
            failures.append(f"the measure {entry.name!r} ({entry.value}) is no subclass of pyramidion.measures.Measure")
    return tuple(found), tuple(failures)


def families() -> tuple[type[Measure], ...]:
    """All families: ours first, then those of other packages that can be loaded."""
    return BUILT_IN + _plug_ins()[0]


def select(name: str | Measure | Selection) -> Selection:
    """What a name means; a measure or a selection stands for itself."""
    if isinstance(name, Selection):
        return name
    if isinstance(name, Measure):
        return Selection(name)
    if not isinstance(name, str):
        raise UsageError(f"{name!r} is no measure: give a name, such as rouge-2.recall, or a measure")
    parsed = parse(name)
    for family in families():
        identities = family.from_base(parsed.base)
        if identities is not None:
            measure = family.from_name(parsed, identities)
            _check_statistic(measure, parsed)
            return Selection(measure, parsed.statistic)
    known = [example for family in families() for example in family.examples()]
    message = (
        f"there is no measure {parsed.base!r}{did_you_mean(parsed.base, known)} `pyramidion list measures` shows all"
    )
    raise UsageError("; ".join([message, *_plug_ins()[1]]))


def select_all(names: Sequence[str | Measure | Selection]) -> list[Selection]:
    """Several names, each once, in order; all that can't be read are reported together."""
    selections: dict[Selection, None] = {}
    problems: list[str] = []
    for name in names:
        try:
            selections.setdefault(select(name))
        except UsageError as error:
            problems.append(str(error))
    if problems:
        raise UsageError("\n".join(problems))
    return list(selections)


def _check_statistic(measure: Measure, name: MeasureName) -> None:
    if name.statistic is None or measure.statistics is None:
        return
    if measure.statistics == ONE_VALUE:
        raise UsageError(f"{name.base} has one value and no statistics; leave out {name.statistic!r}")
    if name.statistic in measure.statistics:
        return
    raise UsageError(
        f"{name.base} has no statistic {name.statistic!r}{did_you_mean(name.statistic, measure.statistics)}"
        f" it has: {', '.join(measure.statistics)}"
    )
