"""Run a command that gets a signal at its n-th operation on files: `python crashing.py N SIGNAL COMMAND…`; 0: none.

At the end the number of operations is printed to stderr.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pyramidion.cli import main
from pyramidion.files import writing


class Counter:
    """Counts operations, and sends the signal at the chosen one."""

    def __init__(self, chosen: int, signal: int) -> None:
        self.chosen, self.signal, self.count = chosen, signal, 0

    def step(self) -> None:
        self.count += 1
        if self.count == self.chosen:
            os.kill(os.getpid(), self.signal)

    def around(self, operation: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*arguments: Any, **facts: Any) -> Any:
            self.step()
            return operation(*arguments, **facts)

        return counted

    def after_opening(self, operation: Callable[..., Any]) -> Callable[..., Any]:
        """Counted when a file is open for writing: if it is not a new one, its old content is gone by then."""

        def opened(path: Path, mode: str = "r", *arguments: Any, **facts: Any) -> Any:
            file = operation(path, mode, *arguments, **facts)
            if not {*mode}.isdisjoint("wxa+"):
                self.step()
            return file

        return opened


if __name__ == "__main__":
    counter = Counter(int(sys.argv[1]), int(sys.argv[2]))
    vars(writing)["fsync"] = counter.around(os.fsync)
    os.link = counter.around(os.link)
    for name in ("replace", "rename", "mkdir", "unlink", "chmod"):
        setattr(Path, name, counter.around(getattr(Path, name)))
    setattr(Path, "open", counter.after_opening(Path.open))  # noqa: B010  # a type checker knows no other `open`
    sys.argv = ["pyramidion", *sys.argv[3:]]
    try:
        main()
    finally:
        sys.stderr.write(f"\n{counter.count}\n")
