"""What tests compare with, imported when it is first used: it would take seconds of `make quick`, which leaves them out."""

from __future__ import annotations

import importlib
from typing import Any


class Package:
    """A module that is imported when something of it is asked for."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # pytest looks for marks on whatever a module of tests has
            raise AttributeError(name)
        return getattr(importlib.import_module(self._name), name)


scikit_posthocs = Package("scikit_posthocs")
statsmodels = Package("statsmodels.api")
formulas = Package("statsmodels.formula.api")
anova = Package("statsmodels.stats.anova")
multicomp = Package("statsmodels.stats.multicomp")
multitest = Package("statsmodels.stats.multitest")
power = Package("statsmodels.stats.power")
studentized = Package("statsmodels.stats.libqsturng")
