"""A pyramid in the terminal: a cell for each SCU, tier upon tier, and below it the labels."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pyramidion.cli.output import safe, screen
from pyramidion.present.pyramids import wording_lines
from pyramidion.show.wording import counted

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

    from pyramidion.pyramids.diagnosis import Diagnosis, ScuStanding

_WIDEST = 120
_HAS, _MISSES, _TIER = "bold white on dark_cyan", "dim", "bold"


def draw(diagnosis: Diagnosis, *below: str) -> None:
    """Print the pyramid, sentences about it, and the labels of the SCUs by tier."""
    console = screen(_WIDEST)
    width = min(console.width, _WIDEST)
    console.print(_text(_heading(diagnosis), "bold"))
    console.print()
    for row in _rows(diagnosis, width):
        console.print(row, no_wrap=True, overflow="crop")
    console.print()
    for line in below:
        console.print(_text(line))
    digits = max((len(str(scu.uid)) for scu in diagnosis.scus), default=1)
    if missing := diagnosis.missing_from_top:
        console.print()
        console.print(_text(f"Missing from the top tiers (weight {diagnosis.top} or more):"))
        for scu in missing:
            console.print(_hanging(f"  {scu.uid:>{digits}}  ", f"{scu.label}  (weight {scu.weight})"))
    for tier in diagnosis.tiers:
        if scus := [scu for scu in diagnosis.scus if scu.weight == tier.weight]:
            console.print()
            console.print(_text(f"weight {tier.weight}", _TIER))
            for scu in scus:
                console.print(_line(scu, digits, with_models=tier.weight < len(diagnosis.models)))
                # With a summarizer the question is what it has; the wordings of references would bury the answer.
                for line in wording_lines(scu) if diagnosis.peer is None else ():
                    console.print(_hanging(" " * (digits + 6), line, _MISSES))
    console.print()


def _heading(diagnosis: Diagnosis) -> str:
    facts = [
        diagnosis.topic,
        *([f"SCUs that {diagnosis.peer} expresses"] if diagnosis.peer is not None else []),
        f"{counted(len(diagnosis.scus), 'SCU')} of {counted(len(diagnosis.models), 'model')}"
        + (f" ({', '.join(diagnosis.models)})" if diagnosis.models else ""),
        *([f"annotator {diagnosis.annotator}"] if diagnosis.annotator else []),
    ]
    return " · ".join(facts)


def _rows(diagnosis: Diagnosis, width: int) -> Iterator[Text]:
    """A line for each tier, centred; a tier that is too wide goes on in the next line."""
    digits = max((len(str(scu.uid)) for scu in diagnosis.scus), default=1)
    cell = digits + 3
    sides = [(f"weight {tier.weight}", _count(tier.present, tier.scus)) for tier in diagnosis.tiers]
    left = max((len(weight) for weight, _ in sides), default=0)
    right = max((len(count) for _, count in sides), default=0)
    fitting = max((width - left - right - 6) // cell, 1)
    widest = min(max((tier.scus for tier in diagnosis.tiers), default=0), fitting)
    for tier, (weight, count) in zip(diagnosis.tiers, sides, strict=True):
        scus = [scu for scu in diagnosis.scus if scu.weight == tier.weight]
        for start in range(0, max(len(scus), 1), fitting):
            chunk = scus[start : start + fitting]
            space = (widest - len(chunk)) * cell
            row = _text(f"  {weight if not start else '':<{left}}  " + " " * (space // 2))
            for scu in chunk:
                row.append_text(_cell(scu, digits))
                row.append(" ")
            row.append(" " * (space - space // 2) + f"  {count if not start else '':>{right}}")
            yield row


def _cell(scu: ScuStanding, digits: int) -> Text:
    """Brackets as well as colours: not every terminal has these."""
    if scu.present is False:
        return _text(f" {scu.uid:>{digits}} ", _MISSES)
    return _text(f"[{scu.uid:>{digits}}]", _HAS)


def _line(scu: ScuStanding, digits: int, *, with_models: bool) -> Table:
    mark = "" if scu.present is None else "● " if scu.present else "○ "
    times = f" ×{scu.mentions}" if (scu.mentions or 0) > 1 else ""
    models = f"  ({' '.join(scu.models)})" if with_models else ""
    style = _MISSES if scu.present is False else ""
    return _hanging(f"  {mark}{scu.uid:>{digits}}  ", f"{scu.label}{times}{models}", style)


def _hanging(head: str, label: str, style: str = "") -> Table:
    """A label that goes on below itself, not below its number."""
    from rich.table import Table

    grid = Table.grid()
    grid.add_column(no_wrap=True)
    grid.add_column()
    grid.add_row(_text(head, style), _text(label, style))
    return grid


def _count(present: int | None, scus: int) -> str:
    return f"{scus}" if present is None else f"{present} of {scus}"


def _text(content: str, style: str = "") -> Text:
    """Never a str: rich would read markup in it."""
    from rich.text import Text

    return Text(safe(content), style=style)
