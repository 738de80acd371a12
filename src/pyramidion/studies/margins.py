"""The largest acceptable loss of a system against its baseline, and how it is given."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from pyramidion.errors import UsageError, check_known, mention


@dataclass(frozen=True, kw_only=True)
class Margin:
    """The largest acceptable loss: in units of the measure, or as a share of the baseline's mean."""

    units: float = 0.0
    share: float = 0.0


def parse_margins(margins: Sequence[str | float], measures: Sequence[str]) -> dict[str, Margin]:
    """By measure, its margin: a plain number is the first measure's, a percentage that of all without one of their own.

    >>> parse_margins(["0.1", "rouge-2.f=5%"], ["question.focus", "rouge-2.f"])
    {'question.focus': Margin(units=0.1, share=0.0), 'rouge-2.f': Margin(units=0.0, share=0.05)}

    Raises:
        UsageError: if one can't be read, names no measure of these, or is given twice.
    """
    by_measure: dict[str, Margin] = {}
    for_all: Margin | None = None
    for text in margins:
        name, equals, amount = str(text).rpartition("=")
        margin = _parse_margin(amount, text)
        if equals:
            check_known(name, measures, f"{mention('margin', text)}: no measure {name!r}")
            measure = name
        else:
            measure = measures[0]
        if measure in by_measure or (margin.share and not equals and for_all is not None):
            raise UsageError(f"{mention('margin', text)}: {measure} has a margin already; expected one")
        if margin.share and not equals:
            for_all = margin
        else:
            by_measure[measure] = margin
    if for_all is not None:
        by_measure = {measure: by_measure.get(measure, for_all) for measure in measures}
    return by_measure


def _parse_margin(amount: str, text: str | float) -> Margin:
    is_share = amount.strip().endswith("%")
    try:
        number = float(amount.strip().removesuffix("%"))
    except ValueError:
        number = math.nan
    if not (number > 0 and math.isfinite(number)) or (is_share and number >= 100):
        raise UsageError(
            f"{mention('margin', text)}: expected a loss above 0, such as 0.1, a share of the baseline's mean, such as "
            "5%, or either of another measure, such as rouge-2.f=0.02"
        )
    return Margin(share=number / 100) if is_share else Margin(units=number)
