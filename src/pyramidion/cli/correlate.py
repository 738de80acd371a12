"""`pyramidion correlate`: how measures agree with people, and with one another."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pyramidion.cli import options as o
from pyramidion.cli.correlate_records import Kind, records, tables
from pyramidion.cli.output import emit, note, progress, writing
from pyramidion.cli.scoring import score_data
from pyramidion.errors import UsageError

if TYPE_CHECKING:
    from pyramidion.studies import Correlations


class Levels(StrEnum):
    """On what measures are correlated."""

    system = "system"
    topic = "topic"
    global_ = "global"


class Coefficients(StrEnum):
    """How correlation is measured."""

    pearson = "pearson"
    spearman = "spearman"
    kendall = "kendall"


class CorrelationIntervals(StrEnum):
    """How intervals of correlations are made."""

    fisher = "fisher"
    bootstrap = "bootstrap"


class SidesOption(StrEnum):
    """A lower limit only, or both limits."""

    one = "one"
    two = "two"


class Resample(StrEnum):
    """What bootstrap and permutations draw."""

    systems = "systems"
    topics = "topics"
    both = "both"


class Tests(StrEnum):
    """How two measures are told apart."""

    permutation = "permutation"
    williams = "williams"


class Drawn(StrEnum):
    """What the figure shows."""

    scatter = "scatter"
    intervals = "intervals"


def correlate(
    data: o.Data,
    measures: o.Measures = None,
    with_: Annotated[
        list[str] | None,
        typer.Option("--with", metavar="MEASURE", help="The measure to correlate with, such as question.NAME."),
    ] = None,
    level: Annotated[
        list[Levels] | None,
        typer.Option("--level", help="Means over topics (default), inside topics, or all summaries; several times."),
    ] = None,
    coefficient: Annotated[
        list[Coefficients] | None, typer.Option("--coefficient", help="Only this; several times. By default all.")
    ] = None,
    intervals: Annotated[
        CorrelationIntervals | None,
        typer.Option("--intervals", help="By default fisher at system level, bootstrap elsewhere."),
    ] = None,
    sides: Annotated[
        SidesOption | None, typer.Option("--sides", help="Limits; by default one with fisher, two with bootstrap.")
    ] = None,
    resample: Annotated[
        Resample | None,
        typer.Option("--resample", help="What is drawn; by default both for bootstrap, systems for permutation tests."),
    ] = None,
    test: Annotated[
        Tests | None, typer.Option("--test", help="Test between every two measures whether they correlate equally.")
    ] = None,
    micro: Annotated[
        bool, typer.Option("--micro", help="Count the topics inside which the correlation is significant.")
    ] = False,
    accuracy: Annotated[
        bool, typer.Option("--accuracy", help="Also pairwise accuracy: plain, with ties, tie-calibrated, soft.")
    ] = False,
    matrix: Annotated[bool, typer.Option("--matrix", help="Correlate every two measures with each other.")] = False,
    format: o.FormatOption = o.Format.table,
    where: o.Where = None,
    peers: o.PeersOption = o.Peers.systems,
    confidence: o.Confidence = 95.0,
    resamples: o.Resamples = 1000,
    figure: o.Figure = None,
    drawn: Annotated[
        Drawn, typer.Option("--draw", help="What --figure shows: summarizers as points, or correlations as intervals.")
    ] = Drawn.scatter,
    scores: o.Scores = None,
    seed: o.Seed = 0,
    strict: o.Strict = False,
    quiet: o.Quiet = False,
) -> None:
    """Correlate measures with another one: values, intervals, tests between measures, accuracy on pairs.

    Example: pyramidion correlate demo -m rouge-2.recall --with question.overall-responsiveness
    """
    import pyramidion
    from pyramidion.measures.registry import select_all
    from pyramidion.studies import measures_to_score

    o.check_figure(figure, data, scores)
    o.check_resampling(confidence, resamples)
    _check_combination(with_, matrix=matrix, test=test)
    kinds = _kinds(format, test=test is not None, micro=micro, accuracy=accuracy)
    targets = select_all(with_ or [])
    asked = None if measures is None else select_all(measures)
    needed = measures_to_score(asked, targets, pyramidion.source_of(data))
    table = score_data(data, needed, where=where, peers=peers, scores=scores, seed=seed, strict=strict, quiet=quiet)
    with progress("resamples drawn", quiet=quiet) as advance:
        found = pyramidion.correlate(
            table,
            measures,
            with_=targets or None,
            levels=[one.value for one in level] if level else ("system",),
            coefficients=[one.value for one in coefficient or Coefficients],
            interval=intervals.value if intervals else None,
            sides=sides.value if sides else None,
            resampled=resample.value if resample else None,
            test=test.value if test else None,
            micro=micro,
            accuracy=accuracy,
            confidence=confidence,
            resamples=resamples,
            seed=seed,
            progress=advance,
        )
    _print(found, format, kinds, matrix=matrix)
    _note_directions(found, quiet=quiet)
    if figure is not None:
        _draw(found, figure, data, matrix=matrix, intervals=drawn is Drawn.intervals)
        note(f"figure: {figure}", quiet=quiet)


def _check_combination(with_: list[str] | None, *, matrix: bool, test: Tests | None) -> None:
    """Refuse options that do not go together, before anything is scored: none is ever ignored."""
    if matrix and with_:
        raise UsageError("--with, --matrix: a matrix correlates every two measures; leave one of the two out")
    if matrix and test:
        raise UsageError("--test: measures are tested by their correlation with another one; use --with instead")
    if not with_ and not matrix:
        raise UsageError(
            "--with is missing: give the measure to correlate with, such as --with question.overall-responsiveness "
            "(`pyramidion describe` lists the questions), or --matrix"
        )


def _kinds(format: o.Format, *, test: bool, micro: bool, accuracy: bool) -> list[Kind]:
    """What to print; CSV is one table."""
    further = [kind for kind, asked in ((Kind.tests, test), (Kind.micro, micro), (Kind.accuracy, accuracy)) if asked]
    if format is not o.Format.csv:
        return [Kind.correlations, *further]
    if len(further) > 1:
        raise UsageError("CSV is one table: ask for one of --test, --micro and --accuracy, or use --format json")
    return further or [Kind.correlations]


def _print(found: Correlations, format: o.Format, kinds: list[Kind], *, matrix: bool) -> None:
    if format in (o.Format.json, o.Format.csv):
        emit((record for kind in kinds for record in records(found, kind)), format)
        return
    for kind in kinds:
        for shown in tables(found, kind, matrix=matrix):
            emit(shown.rows, format, title=shown.title, below=shown.below)


def _note_directions(found: Correlations, *, quiet: bool) -> None:
    if found.lower_is_better:
        one_sided = any(one.sides == "one" for one in found.correlations)
        hint = "; a one-sided interval has only a lower limit: --sides two gives both" if one_sided else ""
        names = ", ".join(found.lower_is_better)
        note(f"low is good, so that a good measure has a negative correlation: {names}{hint}", quiet=quiet)


def _draw(found: Correlations, figure: Path, data: str, *, matrix: bool, intervals: bool) -> None:
    import pyramidion
    from pyramidion.campaign import Problems
    from pyramidion.reports import write_correlations, write_matrix, write_scatter

    with writing(figure):
        if matrix:
            write_matrix(found, figure)
        elif intervals:
            write_correlations(found, figure)
        else:
            campaign = pyramidion.source_of(data).read(Problems())
            kinds = {point.summarizer: campaign.kind_of(point.summarizer) for point in found.points}
            write_scatter(found, figure, kinds=kinds)
