"""Which presenter shows which result: the one table that the terminal, files, notebooks and reports use.

A module is imported when a result of its analysis is shown: a comparison does not load the figures of other studies.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any, Final

from pyramidion.errors import UsageError
from pyramidion.present.chart import Chart
from pyramidion.present.presenter import Presenter
from pyramidion.show.tables import Finding

PRESENTERS: Final[Mapping[str, str]] = {
    "Description": "description:DESCRIPTION",
}
"""By the class of a result, the module in `present/` and the name of the presenter in it."""


def presenter_of(kind: type[Finding]) -> Presenter[Any] | None:
    """The presenter of a class of results, or of the first of its bases that has one; None if none has."""
    for base in kind.__mro__:
        if base.__name__ in PRESENTERS:
            module, name = PRESENTERS[base.__name__].split(":")
            presenter: Presenter[Any] = getattr(importlib.import_module(f"pyramidion.present.{module}"), name)
            return presenter
    return None


def draw(result: Finding) -> Chart:
    """The figure of a result."""
    presenter = presenter_of(type(result))
    if presenter is None or presenter.figure is None:
        raise UsageError(f"there is no figure for {type(result).__name__}")
    return presenter.figure(result)
