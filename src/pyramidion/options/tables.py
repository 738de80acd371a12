"""How a table for a paper looks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pyramidion.options.base import Options, option


class TableOptions(Options):
    """How a table for a paper looks."""

    fields: Sequence[str] = option((), "Show these fields of the records as columns.", separator=",", metavar="FIELD,…")
    digits: int | None = option(None, "Decimals of numbers in tables.", minimum=0, maximum=15)
    bold: Literal["best", "lowest", "significant", "none"] = option(
        "none",
        "With `fields=`: print the highest or lowest value of each column, or significant values, in bold.",
    )
    caption: str = option("", "Caption of the table in LaTeX and Markdown.", metavar="TEXT")
    label: str = option("", "Label of the table in LaTeX.", metavar="NAME")
