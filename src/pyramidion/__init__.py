"""Evaluate summaries, and the measures that evaluate them.

The public verbs: `load` reads a campaign and `check` lists what is wrong with one; `score` gives every summary its
numbers; `compare` ranks summarizers; `correlate` says how measures agree; `power` says how many topics it takes;
`report` writes one self-contained HTML page; `study` holds studies of the evaluation itself. `load("demo")` is the
embedded campaign.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pyramidion import study
from pyramidion.version import VERSION

if TYPE_CHECKING:  # the rooms are imported inside the verbs, so that `pyramidion --help` stays quick
    import pandas
    import polars as pl

    from pyramidion.campaign import Campaign, PeerChoice, Problems, Readable
    from pyramidion.engines.local import Progress
    from pyramidion.measures.base import Measure
    from pyramidion.measures.registry import Selection
    from pyramidion.scores import ScoreTable
    from pyramidion.statistics.correlation.coefficients import Coefficient
    from pyramidion.statistics.correlation.draws import Resampled
    from pyramidion.statistics.correlation.intervals import Sides
    from pyramidion.statistics.correlation.levels import Level
    from pyramidion.statistics.multiple import Correction
    from pyramidion.statistics.resampling import ResamplingProgress
    from pyramidion.studies import (
        Comparison,
        CorrelationInterval,
        Correlations,
        CorrelationTestMethod,
        IntervalMethod,
        PowerStatement,
    )
    from pyramidion.studies.comparison_pairs import Pairs

    Data = str | Path | Campaign | pl.DataFrame | pandas.DataFrame | Iterable[Mapping[str, Any]]
    Measures = Sequence[str | Measure | Selection] | str | Measure | Selection

__all__ = ["__version__", "check", "compare", "correlate", "load", "power", "report", "score", "source_of", "study"]

__version__ = VERSION

DEMO = "demo"


def source_of(data: Data) -> Readable:
    """Where DATA is read from: a path, `demo` (the embedded campaign), a campaign, a data frame, or dictionaries."""
    from pyramidion.campaign import Campaign, RowSource, Source, WholeCampaign
    from pyramidion.formats import FormatSource, detect_format

    if isinstance(data, Campaign):
        return WholeCampaign(data)
    if not isinstance(data, str | Path):
        return RowSource(data)

    if data == DEMO:
        from pyramidion.demo import campaign_path

        return Source(campaign_path())
    path = Path(data)
    # A folder without our one required file may be one of another program's.
    ours = Source.knows(path) and not (path.is_dir() and not (path / "summaries.jsonl").exists())
    format = None if ours else detect_format(path)
    return FormatSource(format, path) if format else Source(path)


def check(data: Data) -> Problems:
    """Read a campaign to its end and return every problem in it."""
    from pyramidion.campaign import Problems

    problems = Problems()
    for _ in source_of(data).shards(problems):
        pass
    return problems


def load(data: Data, *, strict: bool = False) -> Campaign:
    """Read a campaign: a folder, a flat JSONL or Parquet file, or a CSV table of scores.

    Args:
        data: a path, "demo" for the embedded campaign, a data frame, or dictionaries, one row per summary.
        strict: whether warnings count as errors.

    Raises:
        CampaignError: with all problems at once, if there are errors.
    """
    from pyramidion.campaign import Problems

    problems = Problems()
    campaign = source_of(data).read(problems)
    problems.refuse(strict=strict)
    _warn(problems, data)
    return campaign


def score(
    data: Data,
    measures: Measures | None = None,
    *,
    peers: PeerChoice = "systems",
    where: Mapping[str, str] | None = None,
    scores: str | Path | None = None,
    seed: int = 0,
    strict: bool = False,
    keep_counts: bool = False,
    problems: Problems | None = None,
    progress: Progress | None = None,
) -> ScoreTable:
    """Score summaries. A path is read as a stream, so that a flat file of any length fits in memory.

    Args:
        data: a path, "demo", a campaign, a data frame, or dictionaries, one row per summary.
        measures: names such as "rouge-2.recall", or measures; by default ROUGE-1, -2, -L and -SU4 recall, pyramid
            scores, every question that was judged and every imported column.
        peers: whose summaries: "systems", "humans" (each without its own model) or "all".
        where: fields or attributes that topics must have, such as {"part": "A"}.
        scores: a CSV, TSV or Parquet file of scores from elsewhere, joined by topic and summarizer.
        seed: for measures that draw (`use=`).
        strict: whether warnings of the data count as errors.
        keep_counts: whether to keep the counts of overlap measures, for micro averages.
        problems: collects the warnings of the data, which are otherwise given as a Python warning.
        progress: called with the number of summaries done since the last call.

    Raises:
        CampaignError: with all problems at once, if the data has errors.
        UsageError: if a measure can't be read.
    """
    from pyramidion.campaign import Problems, Source, join_imported, read_score_file
    from pyramidion.engines.local import score_shards
    from pyramidion.errors import UsageError
    from pyramidion.measures.imported import Imported
    from pyramidion.measures.registry import DEFAULT_MEASURES, Selection, select_all
    from pyramidion.measures.run_context import running_with

    selections = select_all(DEFAULT_MEASURES if measures is None else _listed(measures))
    found = Problems() if problems is None else problems
    source = source_of(data)
    shards: Iterable[Campaign] = source.shards(found)
    if scores is not None:
        imported = read_score_file(Path(scores), found)
        found.refuse()
        shards = join_imported(shards, imported, file=scores, problems=found)
    scored_before = isinstance(source, Source) and source.kind() == "scores"
    if scored_before and peers != "systems":
        raise UsageError("a table of scores does not say who is human; choose peers when the summaries are scored")
    with running_with(cache=_cache_beside(data)):
        table = score_shards(
            shards,
            [Selection(Imported()), *_not_derived(selections)] if scored_before else selections,
            peers=peers,
            where=where,
            seed=seed,
            keep_counts=keep_counts,
            progress=progress,
            when_read=lambda: found.refuse(strict=strict),
        )
    if scored_before:
        table = _under_own_names(table)
        if measures is not None:
            table = _columns(table, selections)
    table.refuse_duplicates()
    if problems is None:
        _warn(found, data)
    return table


def compare(
    data: ScoreTable | Data,
    measures: Measures | None = None,
    *,
    confidence: float = 95.0,
    method: IntervalMethod = "t",
    resamples: int = 1000,
    seed: int = 0,
    pairs: Pairs | Literal["all"] = (),
    against: str | None = None,
    correction: Correction = "holm",
    permutations: int = 99_999,
    peers: PeerChoice = "systems",
    where: Mapping[str, str] | None = None,
    scores: str | Path | None = None,
    strict: bool = False,
) -> Comparison:
    """Rank summarizers on each measure, with intervals of their means, and test whether they differ.

    Args:
        data: a score table, or what `score` takes.
        measures: as in `score`; with a score table, those of its measures to compare (default: all).
        confidence: in per cent, of intervals and tests.
        method: of the intervals: "t" (two-way residual variance, topics as given), "own" (each summarizer's own
            variance, topics drawn from many) or "percentile" (bootstrap over topics).
        resamples: for the bootstrap.
        seed: for the bootstrap, for permutation tests, and for measures that draw.
        pairs: (a, b) of summarizers to compare on shared topics, or "all".
        against: a summarizer that every other is compared with.
        correction: of p over the pairs of a measure: "holm", "bonferroni", "benjamini-hochberg" or "none".
        permutations: of the tests of pairs that share too many topics to count all sign flips.
        peers: as in `score`.
        where: as in `score`.
        scores: as in `score`.
        strict: as in `score`.
    """
    from pyramidion.scores import ScoreTable
    from pyramidion.studies import compare as compare_table

    if not isinstance(data, ScoreTable):
        data = score(data, measures, peers=peers, where=where, scores=scores, seed=seed, strict=strict)
    elif measures is not None:
        data = _columns(data, _listed(measures))
    return compare_table(
        data,
        confidence=confidence,
        method=method,
        resamples=resamples,
        seed=seed,
        pairs=pairs,
        against=against,
        correction=correction,
        permutations=permutations,
    )


def correlate(
    data: ScoreTable | Data,
    measures: Measures | None = None,
    *,
    with_: Measures | None = None,
    levels: Sequence[Level] = ("system",),
    coefficients: Sequence[Coefficient] = ("pearson", "spearman", "kendall"),
    interval: CorrelationInterval | None = None,
    sides: Sides | None = None,
    resampled: Resampled | None = None,
    test: CorrelationTestMethod | None = None,
    micro: bool = False,
    accuracy: bool = False,
    confidence: float = 95.0,
    resamples: int = 1000,
    seed: int = 0,
    peers: PeerChoice = "systems",
    where: Mapping[str, str] | None = None,
    scores: str | Path | None = None,
    strict: bool = False,
    progress: ResamplingProgress | None = None,
) -> Correlations:
    """Correlate measures with one of them, or every two with each other.

    Args:
        data: a score table, or what `score` takes.
        measures: as in `score`; with a score table, those of its measures to correlate (default: all).
        with_: the measure to correlate with, such as "question.overall-responsiveness"; None: every two measures.
        levels: "system" (means over topics), "topic" (inside topics, then the mean), "global" (all summaries).
        coefficients: "pearson", "spearman", "kendall" (τ-b).
        interval: "fisher" or "bootstrap"; by default Fisher's at system level and the bootstrap elsewhere.
        sides: "one" (a lower limit) or "two"; by default one for Fisher's interval and two for the bootstrap.
        resampled: what is drawn: "systems", "topics" or "both"; by default both for the bootstrap and systems for
            permutation tests.
        test: "permutation" or "williams": between each two measures, whether they correlate equally with the third.
        micro: whether to count the topics inside which the correlation is significant.
        accuracy: whether to add pairwise accuracy: plain, with ties, tie-calibrated, soft.
        confidence: in per cent; what is left is the level of significance.
        resamples: of bootstrap and permutations.
        seed: of these, and for measures that draw.
        peers: as in `score`.
        where: as in `score`.
        scores: as in `score`.
        strict: as in `score`.
        progress: called with the number of resamples done since the last call.
    """
    from pyramidion.measures.derived import Derived
    from pyramidion.measures.deriving import with_derived
    from pyramidion.measures.registry import select_all
    from pyramidion.scores import ScoreTable
    from pyramidion.studies import correlate as correlate_table
    from pyramidion.studies import measures_to_score

    targets = [] if with_ is None else select_all(_listed(with_))
    asked = None if measures is None else select_all(_listed(measures))
    if not isinstance(data, ScoreTable):
        source = source_of(data) if isinstance(data, str | Path) else None
        needed = measures_to_score(asked, targets, source)
        data = score(data, needed, peers=peers, where=where, scores=scores, seed=seed, strict=strict)
    table = with_derived(data, [one.measure for one in [*targets, *(asked or ())] if isinstance(one.measure, Derived)])
    return correlate_table(
        table,
        with_=_column_names(table, targets) if targets else None,
        measures=None if asked is None else _column_names(table, asked),
        levels=levels,
        coefficients=coefficients,
        interval=interval,
        sides=sides,
        resampled=resampled,
        test=test,
        micro=micro,
        accuracy=accuracy,
        confidence=confidence,
        resamples=resamples,
        seed=seed,
        progress=progress,
    )


def power(
    data: ScoreTable | Data,
    measures: Measures | None = None,
    *,
    difference: float | None = None,
    topics: Sequence[int] = (),
    power: float = 80.0,
    confidence: float = 95.0,
    pairs: Pairs = (),
    comparisons: int = 1,
    peers: PeerChoice = "systems",
    where: Mapping[str, str] | None = None,
    scores: str | Path | None = None,
    seed: int = 0,
    strict: bool = False,
) -> list[PowerStatement]:
    """How many topics tell a difference, and which difference a number of topics tells, from a pilot's variances.

    Args:
        data: the pilot: a score table, or what `score` takes.
        measures: as in `compare`.
        difference: what is to be told.
        topics: numbers of topics to consider; by default some from 5 to 500, and the pilot's own.
        power: in per cent: the chance to tell a difference that is there.
        confidence: in per cent; the level of a test is 100 less this.
        pairs: (a, b) of summarizers whose own differences are used; by default any pair.
        comparisons: how many tests share the level (Bonferroni).
        peers: as in `score`.
        where: as in `score`.
        scores: as in `score`.
        seed: as in `score`.
        strict: as in `score`.
    """
    from pyramidion.scores import ScoreTable
    from pyramidion.studies import power_analysis

    if not isinstance(data, ScoreTable):
        data = score(data, measures, peers=peers, where=where, scores=scores, seed=seed, strict=strict)
    elif measures is not None:
        data = _columns(data, _listed(measures))
    return power_analysis(
        data,
        difference=difference,
        topics=topics,
        power=power,
        confidence=confidence,
        pairs=pairs,
        comparisons=comparisons,
    )


def report(
    data: Data,
    path: str | Path = "report.html",
    measures: Measures | None = None,
    *,
    peers: PeerChoice = "systems",
    where: Mapping[str, str] | None = None,
    scores: str | Path | None = None,
    confidence: float = 95.0,
    method: IntervalMethod = "t",
    resamples: int = 1000,
    seed: int = 0,
    strict: bool = False,
    progress: Callable[[str], None] | None = None,
) -> Path:
    """Score a campaign, compare and study its summarizers and write one self-contained HTML page; returns its path.

    Needs the extra `report`. Arguments are those of `score` and `compare`; `progress` is called with the title of
    each part of the page before it is made.
    """
    from pyramidion.campaign import Problems
    from pyramidion.reports import Context, write_report

    step = progress or (lambda _: None)
    problems = Problems()
    step("scores")
    table = score(data, measures, peers=peers, where=where, scores=scores, seed=seed, strict=strict, problems=problems)
    campaign = source_of(data).read(Problems()).where(where or {})
    step("comparison")
    comparison = compare(table, confidence=confidence, method=method, resamples=resamples, seed=seed)
    context = Context(
        campaign=campaign,
        table=table,
        comparison=comparison,
        data=str(data) if isinstance(data, str | Path) else "DATA",
        peers=peers,
        confidence=confidence,
        resamples=resamples,
        seed=seed,
        where=where or {},
        scores=None if scores is None else str(scores),
        asked=[] if measures is None else [str(one) for one in _listed(measures)],
        problems=[problem for problem in problems if problem.severity == "warning"],
        warnings=problems.warnings,
        step=step,
    )
    return write_report(Path(path), context)


def _cache_beside(data: Data) -> Path | None:
    """Where measures keep what is costly to find (parses): in the campaign folder, else in the folder of the file."""
    if not isinstance(data, str | Path) or data == DEMO:
        return None
    path = Path(data)
    return (path if path.is_dir() else path.parent) / ".cache" / "pyramidion"


def _listed(measures: Measures) -> Sequence[str | Measure | Selection]:
    return measures if isinstance(measures, Sequence) and not isinstance(measures, str) else [measures]


def _under_own_names(table: ScoreTable) -> ScoreTable:
    """Scores that were read from a table of ours keep the names of their measures; others are imported columns."""
    from dataclasses import replace

    from pyramidion.errors import UsageError
    from pyramidion.measures.imported import Imported
    from pyramidion.measures.names import parse
    from pyramidion.measures.registry import select

    own: dict[str, str] = {}
    higher_is_better: dict[str, bool] = {}
    for name in table.measures:
        column = parse(name)
        if column.base == Imported().base and not column.options and column.statistic:
            try:
                selection = select(column.statistic)
            except UsageError:
                continue  # not a measure of ours
            own[name] = selection.name
            higher_is_better[selection.name] = table.is_higher_better(name) and selection.measure.higher_is_better
    named = table.renamed(own)
    return replace(named, higher_is_better={**named.higher_is_better, **higher_is_better})


def _not_derived(selections: Sequence[Selection]) -> list[Selection]:
    from pyramidion.measures.derived import Derived

    return [selection for selection in selections if not isinstance(selection.measure, Derived)]


def _columns(table: ScoreTable, measures: Sequence[str | Measure | Selection]) -> ScoreTable:
    """What is asked of a table: without statistic all columns of the measure; derived ones are added."""
    from pyramidion.measures.derived import Derived
    from pyramidion.measures.deriving import with_derived
    from pyramidion.measures.registry import select_all

    selections = select_all(measures)
    table = with_derived(table, [found.measure for found in selections if isinstance(found.measure, Derived)])
    return table.only(_column_names(table, selections))


def _column_names(table: ScoreTable, selections: Sequence[Selection]) -> list[str]:
    """The columns that are asked for, in that order."""
    names: list[str] = []
    for selection in selections:
        columns = [name for name in table.measures if _is_column_of(name, selection)]
        names += columns if selection.statistic is None and columns else [selection.name]
    return list(dict.fromkeys(names))


def _is_column_of(name: str, selection: Selection) -> bool:
    from pyramidion.errors import UsageError
    from pyramidion.measures.registry import select

    try:
        return select(name).measure == selection.measure
    except UsageError:  # a column that no name leads to, such as one of a Python function
        return name == selection.name


def _warn(problems: Problems, data: object) -> None:
    from pyramidion.campaign import CampaignWarning

    if problems.warnings:
        first = next(problem for problem in problems if problem.severity == "warning")
        shown = repr(str(data)) if isinstance(data, str | Path) else "…"  # rows in memory may be many
        message = f"{problems.warnings} warnings; pyramidion.check({shown}) lists them. The first: {first}"
        warnings.warn(message, CampaignWarning, stacklevel=3)
