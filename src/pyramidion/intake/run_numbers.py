"""Numbers of runs: how tables call several answers of a judge, or several outputs of a system."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pyramidion.intake.cells import number_of


def number_runs(labels: Iterable[Any]) -> dict[str, int]:
    """By label of a run, its number, from 1: whole numbers stay as they are, or are one more where they start at 0.

    Names are numbered in their order. Where only some labels are numbers, the others are left out.

    >>> number_runs([0, 1, 0]), number_runs(["7", "42"]), number_runs(["first", "second"])
    ({'0': 1, '1': 2}, {'7': 7, '42': 42}, {'first': 1, 'second': 2})
    """
    distinct = list(dict.fromkeys(str(label) for label in labels if label is not None))
    numbers: dict[str, int] = {}
    for label in distinct:
        number = number_of(label)
        if number is not None and number.is_integer() and number >= 0:
            numbers[label] = int(number)
    if not numbers:
        return {label: place for place, label in enumerate(distinct, start=1)}
    offset = 1 if 0 in numbers.values() else 0
    return {label: number + offset for label, number in numbers.items()}
