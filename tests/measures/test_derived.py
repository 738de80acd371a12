"""Derived measures: what all of them share, shown with a small one of the tests' own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import pyramidion
from pyramidion.errors import UsageError
from pyramidion.measures.base import MeasureWarning, option
from pyramidion.measures.derived import Derivation, Derived, positional
from pyramidion.measures.deriving import add_derived as add
from pyramidion.measures.names import parse
from pyramidion.measures.registry import Selection, column
from pyramidion.scores import ScoreTable
from pyramidion.scores.cube import ScoreCube, cube_of


@dataclass(frozen=True, kw_only=True)
class Best(Derived):
    """The highest of its columns, times a factor."""

    of: tuple[str, ...] = positional("the columns")
    times: float = option(1.0, "a factor")

    @property
    def base(self) -> str:
        return "best-of"

    @classmethod
    def from_base(cls, base: str) -> Mapping[str, Any] | None:
        return {} if base == "best-of" else None

    @classmethod
    def examples(cls) -> Sequence[str]:
        return ("best-of",)

    @property
    def columns(self) -> tuple[str, ...]:
        return self.of

    def derive(self, cube: ScoreCube) -> Derivation:
        values = self.times * cube.values.max(axis=0)
        return Derivation(values=values, reason="a gap" if np.isnan(values).any() else "")


def best(name: str) -> Best:
    return Best.from_name(parse(name), {})


def table(**columns: dict[tuple[str, str], float]) -> ScoreTable:
    rows = [(f"imported.{name}", *key, value) for name, cells in columns.items() for key, value in cells.items()]
    measure, summarizer, topic, value = zip(*rows, strict=True)
    return ScoreTable.from_columns(measure=measure, summarizer=summarizer, topic=topic, value=value)


CELLS = table(
    a={("s", "t1"): 1.0, ("s", "t2"): 2.0, ("r", "t1"): 5.0, ("r", "t2"): 0.0},
    b={("s", "t1"): 3.0, ("s", "t2"): 1.0, ("r", "t1"): 4.0, ("r", "t2"): 0.5},
)


def test_measures_without_a_key_are_its_columns_and_the_name_parses_back() -> None:
    measure = best("best-of(imported.a,rouge-1(stem=yes).recall,times=2)")
    assert measure.columns == ("imported.a", "rouge-1.recall")
    assert measure.name() == "best-of(imported.a,rouge-1.recall,times=2.0)"
    assert best(measure.name()) == measure


def test_a_derived_column_stands_in_the_table_beside_its_columns() -> None:
    derived = add(CELLS, [best("best-of(imported.a,imported.b,times=10)")])
    name = "best-of(imported.a,imported.b,times=10.0)"
    assert derived.measures == ("imported.a", "imported.b", name)
    cube = cube_of(derived, [name])
    assert cube.summarizers == ("s", "r")
    assert cube.topics == ("t1", "t2")
    np.testing.assert_array_equal(cube[name], [[30, 20], [50, 5]])
    (signature,) = derived.signatures(name)
    assert "|columns:imported.a,imported.b|summarizers:2|topics:2|names:" in signature


def test_a_missing_value_is_counted_and_its_reason_is_said() -> None:
    gaps = table(a={("s", "t1"): 1.0, ("s", "t2"): 2.0}, b={("s", "t1"): 3.0})
    with pytest.warns(MeasureWarning, match="a gap"):
        derived = add(gaps, [best("best-of(imported.a,imported.b)")])
    assert derived.unscored == {"best-of(imported.a,imported.b)": 1}


def test_a_column_that_is_not_there_is_a_usage_error_that_names_it() -> None:
    with pytest.raises(UsageError, match=r"needs imported\.c, which has no value here"):
        add(CELLS, [best("best-of(imported.a,imported.c)")])


def test_a_measure_with_several_values_needs_its_statistic() -> None:
    with pytest.raises(UsageError, match=r"rouge-2 has several values; name the one you mean, such as rouge-2\."):
        column("rouge-2")


def test_what_it_rests_on_is_scored_but_shown_only_when_asked_for() -> None:
    selection = Selection(best("best-of(rouge-1.recall,rouge-2.recall)"))
    alone = pyramidion.score("demo", [selection])
    beside = pyramidion.score("demo", [selection, "rouge-2"])
    assert alone.measures == (selection.name,)
    assert set(beside.measures) == {"rouge-2.recall", "rouge-2.precision", "rouge-2.f", selection.name}
    np.testing.assert_array_equal(
        cube_of(alone)[selection.name], cube_of(pyramidion.score("demo", "rouge-1.recall"))["rouge-1.recall"]
    )  # of one summary, a bigram's recall never passes the unigram's here


def test_notes_of_the_columns_are_said_of_what_rests_on_them() -> None:
    selection = Selection(best("best-of(question.overall-responsiveness)"))
    assert "simulated" in pyramidion.score("demo", [selection]).notes[selection.name]
