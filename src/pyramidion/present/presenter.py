"""What puts a result before people: its tables, its sentences, and its figure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from pyramidion.present.chart import Chart
from pyramidion.show.tables import Finding, Table

Result = TypeVar("Result", bound=Finding)


@dataclass(frozen=True, kw_only=True)
class Presenter(Generic[Result]):
    """How results of one type are shown; the terminal, `--format`, notebooks and reports all use it."""

    tables: Callable[[Result], list[Table]]
    """The tables that people read, those shown by default first."""
    answer: Callable[[Result], tuple[str, ...]] | None = None
    """What the terminal prints above the tables: the answer to the question that was asked; None: nothing."""
    figure: Callable[[Result], Chart] | None = None
    """The chart of `--figure` and of notebooks; None if there is nothing to draw."""
