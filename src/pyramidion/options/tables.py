"""How a table for a paper looks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pyramidion.options.base import Options, option


@dataclass(frozen=True, kw_only=True)
class TableOptions(Options):
    """How a table for a paper looks."""

    pivot: str = option(
        "",
        "Cross two fields of the records: ROWS×COLUMNS, or with what the cells show. With x for × and commas between "
        "several fields: measure x coefficient=value,lower,upper.",
        metavar="ROWS×COLUMNS[=VALUE]",
    )
    fields: Sequence[str] = option((), "Show these fields of the records as columns.", separator=",", metavar="FIELD,…")
    digits: int | None = option(None, "Decimals of numbers in tables.", minimum=0, maximum=15)
    bold: Literal["best", "lowest", "significant", "none"] = option(
        "none", "With --pivot or --fields: the highest or lowest value of each column, or what is significant, in bold."
    )
    stars: bool = option(False, "With --pivot: mark p below 0.05, 0.01 and 0.001 with *, ** and ***.")
    caption: str = option("", "Caption of the table in LaTeX and Markdown.", metavar="TEXT")
    label: str = option("", "Label of the table in LaTeX.", metavar="NAME")
