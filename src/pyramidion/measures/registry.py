"""From names to measures: the families that ship with pyramidion, those of other packages, and what was given."""

from __future__ import annotations

import functools
import pkgutil
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import metadata
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar

from pyramidion.campaign import TopicData
from pyramidion.errors import UsageError, close_to, did_you_mean
from pyramidion.files.targets import files_named
from pyramidion.measures.base import ONE_VALUE, Measure, identity
from pyramidion.measures.derived import Derived
from pyramidion.measures.imported import Imported
from pyramidion.measures.judged import QuestionMeasure
from pyramidion.measures.names import MeasureName, option_values, parse
from pyramidion.scores import Evidence

ENTRY_POINTS = "pyramidion.measures"
DEFAULT_ROUGE = ("rouge-1", "rouge-2", "rouge-l", "rouge-su4")
DEFAULT_OTHERS = ("pyramid", "nugget.vital-strict", "nugget.all-strict", "question", "imported")
"""What is scored when nothing is asked for, besides ROUGE: the pyramids, nuggets, questions, columns that are there."""


def default_rouge(*, word_limit: int | None) -> list[str]:
    """ROUGE when nothing is asked for: F; recall where summaries have a word limit, as at DUC."""
    statistic = "f" if word_limit is None else "recall"
    return [f"{name}.{statistic}" for name in DEFAULT_ROUGE]


def default_measures(*, word_limit: int | None) -> list[str]:
    """What is scored when nothing is asked for."""
    return [*default_rouge(word_limit=word_limit), *DEFAULT_OTHERS]


BUILT_IN: Mapping[str, tuple[str, ...]] = {
    "rouge.Rouge": ("rouge-",),
    "rouge_score.RougeScore": ("rouge",),
    "basic_elements.BasicElements": ("be-",),
    "pyramid.PyramidMeasure": ("pyramid",),
    "nugget.Nugget": ("nugget",),
    "see_coverage.SeeCoverage": ("see-coverage",),
    "model_free.ModelFree": ("kl-", "js", "cosine", "topic-", "unigram-", "multinomial-"),
    "extractive.Extractive": ("coverage", "density", "compression", "length"),
    "extractive.NgramShare": ("novelty", "redundancy"),
    "judged.QuestionMeasure": ("question",),
    "imported.Imported": ("imported",),
    "auto_pyramid.AutoPyramid": ("auto-pyramid",),
    "regression.Regression": ("regression",),
    "hbr.Hbr": ("hbr",),
    "scaled_rank.ScaledRank": ("scaled-rank",),
}
"""Module and class of our families, with how their names begin: only where a name begins so, a module is imported."""

Known = Mapping[str, Measure]
"""By their names (without statistic), measures that were given as objects: see `known_measures`."""
NOTHING_KNOWN: Known = MappingProxyType({})


@dataclass(frozen=True)
class Selection:
    """A measure and the one of its statistics that is wanted (None: all of them)."""

    measure: Measure
    statistic: str | None = None

    @property
    def name(self) -> str:
        """The canonical name."""
        return self.measure.name(self.statistic)

    def among(self, columns: Iterable[str]) -> list[str]:
        """Those columns of a score table that are meant; empty if the table has none of them."""
        if self.statistic is not None:
            return [column for column in columns if column == self.name]
        return [column for column in columns if _drop_statistic(column) == self.name]


@dataclass(frozen=True, kw_only=True)
class TableColumn(Measure):
    """Columns of a score table that no measure here can compute, such as those of somebody's Python function."""

    statistics: ClassVar[tuple[str, ...] | None] = None

    called: str = identity()

    @property
    def base(self) -> str:
        """What its columns are called, without the statistic."""
        return self.called

    def evidence(self, topic: TopicData) -> Evidence | None:  # noqa: ARG002  # the same door as other measures
        """There is none: only the table has the values."""
        raise UsageError(
            f"{self.called} is a column of a score table and can't be computed; give the table, or the Python function"
        )


@functools.cache
def _plug_ins() -> tuple[tuple[type[Measure], ...], tuple[str, ...]]:
    """Families from other packages, and what is wrong with those that can't be loaded."""
    plug_ins: list[type[Measure]] = []
    failures: list[str] = []
    for entry in metadata.entry_points(group=ENTRY_POINTS):
        try:
            family: Any = entry.load()
        except Exception as error:  # whatever another package does must not keep ours from working
            failures.append(f"the measure {entry.name!r} of {entry.value!r} can't be loaded: {error}")
            continue
        if not isinstance(family, type) or not issubclass(family, Measure):
            failures.append(f"the measure {entry.name!r} ({entry.value}) is no subclass of pyramidion.measures.Measure")
            continue
        earlier_families = [*_own_families(), *plug_ins]
        taken = next((name for name in family.examples() if _family_among(name, earlier_families)), None)
        if taken is not None:
            failures.append(
                f"the measure {entry.name!r} ({entry.value}) is left out: another measure is called {taken} already; "
                "give it another name"
            )
        else:
            plug_ins.append(family)
    return tuple(plug_ins), tuple(failures)


def broken_plug_ins() -> tuple[str, ...]:
    """What is wrong with measures of other packages that are left out for it."""
    return _plug_ins()[1]


def _own_families(base: str | None = None) -> Iterator[type[Measure]]:
    """The families that ship with pyramidion, imported one by one.

    Args:
        base: of a measure; only families whose names can begin so. None: all.
    """
    for home, beginnings in BUILT_IN.items():
        if base is None or base.startswith(beginnings):
            yield pkgutil.resolve_name(f"pyramidion.measures.{home.replace('.', ':')}")


def families() -> Iterator[type[Measure]]:
    """All families: ours first, then those of other packages that can be loaded."""
    yield from _own_families()
    yield from _plug_ins()[0]


def _family_of(base: str) -> type[Measure] | None:
    """The first family that has a base name, ours before those of other packages; None if none has."""
    return _family_among(base, _own_families(base)) or _family_among(base, _plug_ins()[0])


def _family_among(base: str, candidates: Iterable[type[Measure]]) -> type[Measure] | None:
    return next((family for family in candidates if family.from_base(base) is not None), None)


def check_name(measure: Measure) -> None:
    """Refuse a measure that is called like one of another family: its values would pass for those of the other.

    Raises:
        UsageError: if the name is taken.
    """
    family = None if isinstance(measure, TableColumn) else _family_of(measure.base)
    if family is not None and not isinstance(measure, family):
        raise UsageError(
            f"there is already a measure {measure.base}; give yours another name, such as my-{measure.base}"
        )


def select(
    name: str | Measure | Selection, *, known: Known = NOTHING_KNOWN, columns: Collection[str] = ()
) -> Selection:
    """What a name means; a measure or a selection stands for itself.

    Args:
        name: such as "rouge-2.recall", or a measure.
        known: measures that were given as objects before, which are found by their names, too.
        columns: of a score table: each is found by its name, and a question or an imported column also by its bare
            name ("overall" finds "question.overall") where that is no measure and means one column only.

    Raises:
        UsageError: if the name means nothing, or several things.
    """
    if isinstance(name, Measure):
        check_name(name)
        selection = Selection(name)
    elif isinstance(name, str):
        selection = _select_by_name(name, known, columns)
    elif isinstance(name, Selection):
        selection = name
    else:
        raise UsageError(f"{name!r} is no measure: give a name, such as rouge-2.recall, or a measure")
    if isinstance(selection.measure, Derived):
        resolve = functools.partial(column, known=known, columns=columns)
        return replace(selection, measure=selection.measure.resolved(resolve))
    return selection


def select_all(
    names: Sequence[str | Measure | Selection], *, known: Known = NOTHING_KNOWN, columns: Collection[str] = ()
) -> list[Selection]:
    """Several names, each once, in order; all that can't be read are reported together.

    Names may refer to measures that are given as objects in the same list. Other arguments as for `select`.

    Raises:
        UsageError: with a line for each name that means nothing, or several things.
    """
    known = {**known, **known_measures(names)}
    selections: dict[Selection, None] = {}
    problems: list[str] = []
    for name in names:
        try:
            selections.setdefault(select(name, known=known, columns=columns))
        except UsageError as error:
            problems.append(str(error))
    if problems:
        raise UsageError("\n".join(problems))
    return list(selections)


def known_measures(names: Iterable[str | Measure | Selection]) -> dict[str, Measure]:
    """By name, the measures that were given as objects: no name leads to some of them, such as Python functions.

    Raises:
        UsageError: if two different measures have the same name.
    """
    measures_by_name: dict[str, Measure] = {}
    for name in names:
        measure = name.measure if isinstance(name, Selection) else name
        if not isinstance(measure, Measure):
            continue
        if measures_by_name.setdefault(measure.name(), measure) != measure:
            raise UsageError(f"two different measures are called {measure.name()}; give one of them another name")
    return measures_by_name


def files_in_measures(names: str | Measure | Selection | Iterable[str | Measure | Selection] | None) -> list[Path]:
    """The files that options of measures name, such as a background."""
    if isinstance(names, str | Measure | Selection):
        names = [names]
    if not isinstance(names, Iterable):  # nothing, or what is refused where measures are chosen
        return []
    values: list[str] = []
    for name in names:
        measure = name.measure if isinstance(name, Selection) else name
        if isinstance(measure, Measure):
            measure = measure.name()
        if isinstance(measure, str):  # anything else is refused where measures are chosen
            values += option_values(measure)
    if not values:  # most measures have no options
        return []
    return files_named(values)


def column(name: str, *, known: Known = NOTHING_KNOWN, columns: Collection[str] = ()) -> str:
    """The canonical name of the one column that a name means; a measure with several values needs its statistic.

    Arguments as for `select`.

    Raises:
        UsageError: if the name means nothing, or several columns.
    """
    selection = select(name, known=known, columns=columns)
    measure = selection.measure
    if selection.statistic is not None or measure.statistics == ONE_VALUE:
        return selection.name
    if isinstance(measure, TableColumn):
        columns_meant = selection.among(columns)
    else:
        columns_meant = [measure.name(statistic) for statistic in measure.statistics or ()]
    if len(columns_meant) == 1:
        return columns_meant[0]
    such = f", such as {columns_meant[0]}" if columns_meant else ""
    raise UsageError(f"{name} has several values; name the one you mean{such}")


def column_named(name: str, columns: Iterable[str]) -> str:
    """The one column that a bare name means: a column of that name, `question.NAME` or `imported.NAME`.

    Raises:
        UsageError: if there is none, with names that come near, or if there are both.
    """
    data_columns = tuple(columns)
    bare: dict[str, list[str]] = {}
    bare_bases = (*QuestionMeasure.base_names, *Imported.base_names)
    for data_column in data_columns:
        parsed = _parse_or_none(data_column)
        if parsed and parsed.base in bare_bases and not parsed.arguments:
            bare.setdefault(parsed.statistic or "", []).append(data_column)
    columns_meant = [name] if name in data_columns else bare.get(name, [])
    if len(columns_meant) == 1:
        return columns_meant[0]
    if columns_meant:
        raise UsageError(f"{name!r} means {' and '.join(columns_meant)}; give one of these names in full")
    parsed = _parse_or_none(name)
    asked = parsed.base if parsed else name
    in_data = [*bare, *data_columns]
    if close_to(name, in_data):
        hint = did_you_mean(name, in_data)
    else:
        hint = did_you_mean(asked, chain.from_iterable(family.examples() for family in families()))
    what = "measure or column" if data_columns else "measure"
    if data_columns and hint == ";":
        hint = f"; the data has {', '.join(data_columns)};"
    message = f"there is no {what} {asked!r}{hint} `pyramidion list measures` shows all measures"
    raise UsageError("; ".join([message, *broken_plug_ins()]))


def _select_by_name(name: str, known: Known, columns: Collection[str]) -> Selection:
    """What a name means: a measure given as an object, one of a family, or columns of a score table."""
    try:
        parsed = parse(name)
    except UsageError:
        if not columns:
            raise
        return select(column_named(name, columns))  # with blanks, as questions and columns may have
    whose = str(replace(parsed, statistic=None))
    try:
        measure = _find_known(whose, parsed.statistic, known) or _find_measure(parsed)
        if measure is not None:
            _check_statistic(measure, parsed)
            return Selection(measure, parsed.statistic or measure.default_statistic)
    except UsageError:
        # A table may have a column that is called like a measure with options of another version.
        if str(parsed) not in columns:
            raise
    if str(parsed) in columns or whose in map(_drop_statistic, columns):
        return Selection(TableColumn(called=whose), parsed.statistic)
    return select(column_named(name, columns))


def _find_known(whose: str, statistic: str | None, known: Known) -> Measure | None:
    """A measure that was given as an object, if it is the one that has the statistic."""
    measure = known.get(whose)
    if measure is None or not isinstance(measure, type(measure).family_of(statistic)):
        return None
    return measure


def _find_measure(name: MeasureName) -> Measure | None:
    """The measure of a family, or None if no family has the base name."""
    family = _family_of(name.base)
    identities = family.from_base(name.base) if family else None
    if family is None or identities is None:
        return None
    return family.family_of(name.statistic).from_name(name, identities)


def _check_statistic(measure: Measure, name: MeasureName) -> None:
    """Refuse a statistic that the measure does not have."""
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


def _drop_statistic(column: str) -> str:
    """A column's name without the statistic; as it is where it is no name of a measure."""
    parsed = _parse_or_none(column)
    if parsed:
        return str(replace(parsed, statistic=None))
    return column


@functools.lru_cache(maxsize=4096)
def _parse_or_none(column: str) -> MeasureName | None:
    """A column's name taken apart; None where it is no name of a measure. Tables ask for the same names often."""
    try:
        return parse(column)
    except UsageError:
        return None
