"""The output of ROUGE-1.5.5, line by line, for those whose scripts read it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from pyramidion.errors import UsageError

if TYPE_CHECKING:
    from pyramidion.measures import Rouge, Selection
    from pyramidion.scores import ScoreTable
    from pyramidion.studies import Average

DASHES, DOTS = "-" * 45, "." * 45
LETTERS = {"recall": "R", "precision": "P", "f": "F"}


def as_printed(selections: Sequence[Selection]) -> list[Selection]:
    """The same ROUGE measures, all three statistics, rounded as 1.5.5 rounds."""
    from dataclasses import replace

    from pyramidion.measures import Rouge, Selection

    others = [selection.name for selection in selections if not isinstance(selection.measure, Rouge)]
    if others:
        raise UsageError(f"ROUGE-1.5.5 has no measure {', '.join(others)}; leave it out or choose another format")
    rounded = [replace(one.measure, rounding="rouge155") for one in selections if isinstance(one.measure, Rouge)]
    return [Selection(measure) for measure in dict.fromkeys(rounded)]


def lines(
    selections: Sequence[Selection],
    table: ScoreTable,
    averages: Sequence[Average],
    *,
    confidence: float,
    details: bool,
) -> Iterator[str]:
    """A block for each (system, measure): averages with intervals; with `details`, the items below."""
    by_name = {(one.summarizer, one.measure): one for one in averages}
    values = {row[:3]: row[3] for row in table.frame.iter_rows()}
    for summarizer in sorted(table.summarizers):
        topics = sorted(table.topics, key=lambda topic: f"{topic}.{summarizer}")
        for selection in selections:
            measure = selection.measure
            names = {letter: measure.name(statistic) for statistic, letter in LETTERS.items()}
            if (summarizer, names["R"]) not in by_name:
                continue
            label = f"{summarizer} {_label(measure)}"  # type: ignore[arg-type]  # as_printed leaves ROUGE only
            yield DASHES
            for letter, name in names.items():
                one = by_name[summarizer, name]
                limits = f"({confidence:g}%-conf.int. {one.lower:.5f} - {one.upper:.5f})"
                yield f"{label} Average_{letter}: {one.bootstrap_mean:.5f} {limits}"
            if details:
                yield DOTS
                for topic in topics:
                    if (names["R"], topic, summarizer) in values:
                        shown = (f"{letter}:{values[name, topic, summarizer]:.5f}" for letter, name in names.items())
                        yield f"{label} Eval {topic}.{summarizer} {' '.join(shown)}"


def _label(measure: Rouge) -> str:
    """The name that 1.5.5 prints: ROUGE-2, ROUGE-W-1.2, ROUGE-SU4, ROUGE-S*."""
    name = measure.base.upper()
    return name.replace("ROUGE-W", "ROUGE-W-") if measure.kind.family == "w" else name
