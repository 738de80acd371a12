"""Tables in Markdown, and their place in a page of the documentation."""

from __future__ import annotations

import datetime
import platform
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

BEGIN: Final = "<!-- results: written by python -m benchmarks -->"
END: Final = "<!-- end of results -->"


@dataclass
class Table:
    """A heading, what was done, and rows; all numbers are formatted already."""

    title: str
    text: str
    header: Sequence[str]
    rows: list[Sequence[str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def markdown(self) -> str:
        """The table under its heading."""
        rules = ["---", *["---:"] * (len(self.header) - 1)]
        lines = ["| " + " | ".join(row) + " |" for row in (self.header, rules, *self.rows)]
        parts = [f"### {self.title}", self.text, "\n".join(lines), *self.notes]
        return "\n\n".join(part for part in parts if part)


def number(value: float) -> str:
    """Three figures, more when the number is large."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def machine() -> str:
    """When and where."""
    model = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [
            line.split(":", 1)[1].strip() for line in info.read_text().splitlines() if line.startswith("model name")
        ]
        model = f"{names[0]}, {len(names)} cores" if names else model
    day = datetime.datetime.now(datetime.UTC).date().isoformat()
    return f"Measured on {day}: {model}, {platform.system()}, Python {platform.python_version()}."


def replace_results(page: Path, results: str, *, begin: str = BEGIN) -> None:
    """Puts the results between the markers of a page."""
    before, rest = page.read_text(encoding="utf-8").split(begin, 1)
    after = rest.split(END, 1)[1]
    page.write_text(f"{before}{begin}\n\n{results}\n\n{END}{after}", encoding="utf-8")


def print_progress(text: str) -> None:
    """Tell whoever waits what is measured now."""
    print(f"… {text}", file=sys.stderr, flush=True)


def publish(tables: Iterable[Table], page: Path, *, write: bool, begin: str = BEGIN) -> None:
    """Print tables, and put them between the markers of a page if asked to."""
    results = "\n\n".join([machine(), *(table.markdown() for table in tables)])
    print(results)
    if write:
        replace_results(page, results, begin=begin)
