"""The sections of a report: each is the module of its name, whose `make` makes it, or None without its data."""

from __future__ import annotations

import importlib
import typing
from collections.abc import Callable

from pyramidion.options import ReportSection
from pyramidion.present.section import Section
from pyramidion.reports.context import Context

Make = Callable[[Context], Section | None]

SECTIONS: tuple[ReportSection, ...] = typing.get_args(ReportSection)
"""Below the answer, which is always there, in the order of the page; the last ones are the appendix."""


def maker_of(name: ReportSection) -> Make:
    """What makes a section; its module is imported when the section is wanted."""
    make: Make = importlib.import_module(f"{__name__}.{name.replace('-', '_')}").make
    return make
