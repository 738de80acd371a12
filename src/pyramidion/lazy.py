"""Public names of a room that are imported when they are asked for: all of a room takes longer than a short command."""

from __future__ import annotations

import ast
import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any


def attach(room: str) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """`__getattr__`, `__dir__` and `__all__` of a package whose stub, `__init__.pyi`, imports its public names.

    Type checkers and editors read the same stub. A module must not have the name of something public: once the
    module is imported, it would stand in its place.
    """
    # The stub is the one list of public names: type checkers and this function can't disagree.
    stub = Path(sys.modules[room].__file__ or "").with_suffix(".pyi")
    homes = {
        alias.name: node.module or ""
        for node in ast.parse(stub.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }

    def getattribute(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {room!r} has no attribute {name!r}")
        value = getattr(importlib.import_module(homes[name]), name)
        # Python asks __getattr__ only for names that a module lacks: from now on it does not.
        setattr(sys.modules[room], name, value)
        return value

    return getattribute, lambda: sorted(homes), sorted(homes)
