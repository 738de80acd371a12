"""Options that several commands share, so that they are named and explained once."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class Format(StrEnum):
    """How results are printed."""

    table = "table"
    json = "json"
    csv = "csv"
    latex = "latex"
    markdown = "markdown"


class Peers(StrEnum):
    """Whose summaries are scored."""

    systems = "systems"
    humans = "humans"
    all = "all"


class Intervals(StrEnum):
    """How intervals are made."""

    t = "t"
    own = "own"
    percentile = "percentile"


class Coefficient(StrEnum):
    """Coefficients of correlation."""

    pearson = "pearson"
    spearman = "spearman"
    kendall = "kendall"


class Pairs(StrEnum):
    """Which two summaries make a pair."""

    topic = "topic"
    any = "any"


Data = Annotated[
    str,
    typer.Argument(
        help="A campaign folder, a flat .jsonl or .parquet file, a .csv table of scores, or `demo`.",
        show_default=False,
    ),
]
Measures = Annotated[
    list[str] | None,
    typer.Option("--measure", "-m", help="A measure, such as rouge-2.recall; give several times. See `list measures`."),
]
FormatOption = Annotated[Format, typer.Option("--format", help="How to print; json is one record per line.")]
Where = Annotated[
    list[str] | None, typer.Option("--where", help="Only topics with this field or attribute, such as part=A.")
]
PeersOption = Annotated[
    Peers, typer.Option("--peers", help="Whose summaries; humans are scored without their own model.")
]
IntervalsOption = Annotated[
    Intervals,
    typer.Option("--intervals", help="t with two-way residual variance or with own variance; bootstrap over topics."),
]
CoefficientOption = Annotated[Coefficient, typer.Option("--coefficient", help="Of correlation.")]
Confidence = Annotated[float, typer.Option("--confidence", help="Confidence level in per cent.")]
Resamples = Annotated[int, typer.Option("--resamples", help="Number of bootstrap resamples.")]
Seed = Annotated[int, typer.Option("--seed", min=0, help="Seed of everything random.")]
Strict = Annotated[bool, typer.Option("--strict", help="Take warnings for errors.")]
Scores = Annotated[
    Path | None, typer.Option("--scores", help="A .csv, .tsv or .parquet file of scores from elsewhere to join.")
]
Figure = Annotated[Path | None, typer.Option("--figure", help="Also draw it, to this .svg, .png or .html file.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress and no notes on stderr.")]


def check_resampling(confidence: float, resamples: int) -> None:
    """Refuse levels and numbers that make no sense, before long work."""
    from pyramidion import statistics

    statistics.check_resampling(confidence=confidence, resamples=resamples)


def refuse_overwriting(output: Path | None, *inputs: str | Path | None) -> None:
    """Keep a slip of the fingers from losing what is read."""
    from pyramidion.errors import UsageError

    for given in inputs:
        if output is not None and output.exists() and given and Path(given).exists() and output.samefile(given):
            raise UsageError(f"{output} is the data itself; write to another file")


def check_figure(figure: Path | None, *inputs: str | Path | None) -> None:
    """Refuse a figure that can't be drawn, or that would overwrite what is read, before long work is done for it."""
    if figure is not None:
        from pyramidion.reports.figures.chart import check_ending

        check_ending(figure)
        refuse_overwriting(figure, *inputs)


def conditions(given: list[str] | None, option: str = "--where") -> dict[str, str]:
    """Options of the form `--where key=value` as a dictionary."""
    from pyramidion.errors import UsageError

    pairs: dict[str, str] = {}
    for condition in given or []:
        key, equals, value = condition.partition("=")
        if not (key and equals):
            raise UsageError(f"{option} {condition}: expected key=value")
        if key in pairs:
            raise UsageError(f"{option} {key} is given twice; a topic has one value for it")
        pairs[key] = value
    return pairs
