"""How a table for a paper looks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pyramidion.options.base import Options, option


class TableOptions(Options):
    """How a table for a paper looks."""

    pivot: str = option(
        "",
        "Cross-tabulate the records: the fields that make the rows, the columns and (after =) the cells. You can type "
        "x for ×, and separate several fields by commas: measure x coefficient=value,lower,upper.",
        metavar="ROWS×COLUMNS[=VALUE]",
    )
    fields: Sequence[str] = option((), "Show these fields of the records as columns.", separator=",", metavar="FIELD,…")
    digits: int | None = option(None, "Decimals of numbers in tables.", minimum=0, maximum=15)
    bold: Literal["best", "lowest", "significant", "none"] = option(
        "none",
        "With `pivot=` or `fields=`: print the highest or lowest value of each column, or significant values, in bold.",
    )
    stars: bool = option(False, "With `pivot=`: mark p below 0.05, 0.01 and 0.001 with *, ** and ***.")
    caption: str = option("", "Caption of the table in LaTeX and Markdown.", metavar="TEXT")
    label: str = option("", "Label of the table in LaTeX.", metavar="NAME")
