"""The groups of cases that are recorded together, each in a file of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tools.freezing import bad_inputs, demo, public, tables
from tools.freezing.answers import Case

Prepare = Callable[[Path], object]
"""Writes the files that the cases of a group read into an empty folder, which becomes the working folder."""


@dataclass(frozen=True)
class Group:
    """Cases that are run one after another in one folder."""

    name: str
    cases: tuple[Case, ...]
    prepare: Prepare
    is_available: Callable[[], bool] = lambda: True


def _write_nothing(folder: Path) -> None:
    """The demo campaign comes with the program."""


def _all_groups() -> Iterator[Group]:
    for name, cases in demo.CASES.items():
        yield Group(f"demo-{name}", cases, _write_nothing)
    for name in public.SETS:
        yield Group(f"public-{name}", public.cases_of(name), public.writer_of(name), public.has_data)
    yield Group("tables", tables.CASES, tables.write_tables)
    yield Group("reports", (*demo.REPORTS, *tables.REPORTS), tables.write_tables)
    for name, inputs in bad_inputs.INPUTS.items():
        yield Group(f"bad-{name}", bad_inputs.cases_of(inputs), bad_inputs.writer_of(inputs))
    yield Group("bad-words", bad_inputs.WRONG_COMMANDS, _write_nothing)


GROUPS = {group.name: group for group in _all_groups()}
