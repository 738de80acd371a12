"""Evaluate summaries, and the measures that evaluate them.

`Evaluation(data)` is a run over one campaign; the verbs are one-liners on it: `load` reads a campaign, `check` lists
what is wrong with one, `init` starts one, `import_campaign` makes one of files or adds to one; `score` gives every
summary its numbers (`score_into`: into a folder, in shards); `compare` ranks systems; `correlate` shows how measures
agree; `power` computes how many topics are needed, `design` how many assessors and topics; `plan` draws what people are
asked; `gate` decides whether a build may go on; `trust` says what a judge may be used for; `describe` counts what is
there; `lead_baseline` adds the first words as a system; `report` writes one self-contained page; `judge`, `judgments`,
`pyramid` and `study` hold more. `load("demo")` is the built-in campaign. `Choice` says whose summaries are analysed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from pyramidion import judge, judgments, pyramid, study
from pyramidion.errors import UsageError
from pyramidion.options import (
    Choice,
    CompareOptions,
    CorrelateOptions,
    DescribeOptions,
    DesignOptions,
    GateOptions,
    ImportOptions,
    InitOptions,
    LeadOptions,
    Options,
    PlanOptions,
    PowerOptions,
    ReportOptions,
    ShardOptions,
    TrustOptions,
    with_options,
)
from pyramidion.options.value_types import as_path
from pyramidion.version import VERSION

if TYPE_CHECKING:  # the rooms are imported inside the verbs, so that `pyramidion --help` stays quick
    from pyramidion.campaign import Campaign
    from pyramidion.campaign.importing import ImportPlan
    from pyramidion.campaign.inspection import Inspection
    from pyramidion.engines.run import ShardRun
    from pyramidion.options.keywords import (
        CompareVerbKeywords,
        CorrelateVerbKeywords,
        DescribeVerbKeywords,
        DesignVerbKeywords,
        EvaluationKeywords,
        GateVerbKeywords,
        InitKeywords,
        LeadVerbKeywords,
        PlanVerbKeywords,
        PowerVerbKeywords,
        ReportVerbKeywords,
        ShardVerbKeywords,
        TrustVerbKeywords,
    )
    from pyramidion.run.data import UserData
    from pyramidion.run.evaluation import Evaluation
    from pyramidion.run.score_cache import Measures
    from pyramidion.scores import ScoreTable
    from pyramidion.studies.comparison.comparison import Comparison
    from pyramidion.studies.correlations.correlations import Correlations
    from pyramidion.studies.description import Description
    from pyramidion.studies.design import Designs
    from pyramidion.studies.gate import Gate
    from pyramidion.studies.power import Power
    from pyramidion.studies.predictions.designs import LabelDesigns
    from pyramidion.studies.predictions.plans import SamplePlan
    from pyramidion.studies.roster import Roster
    from pyramidion.studies.trust.results import Trust

__all__ = [
    "Choice",
    "Evaluation",
    "__version__",
    "check",
    "compare",
    "correlate",
    "describe",
    "import_campaign",
    "init",
    "judge",
    "judgments",
    "lead_baseline",
    "load",
    "design",
    "gate",
    "plan",
    "power",
    "pyramid",
    "report",
    "score",
    "score_into",
    "study",
    "trust",
]

__version__ = VERSION


def check(
    data: UserData, *, columns: Mapping[str, str] | None = None, option: Mapping[str, str] | None = None
) -> Inspection:
    """Read a campaign to its end: every problem in it, and how complete it is.

    Args:
        data: a path, "demo", a campaign, a data frame, or dictionaries, one row per summary.
        columns: by role, the columns of a table, such as {"summary": "prediction"}; by default found by their names.
        option: options of the data's format, if it is a foreign one.
    """
    from pyramidion.run.evaluation import Evaluation

    return Evaluation(data, Choice(columns=columns, option=option)).check()


def load(
    data: UserData,
    *,
    strict: bool = False,
    columns: Mapping[str, str] | None = None,
    option: Mapping[str, str] | None = None,
) -> Campaign:
    """Read a campaign: a folder, a flat JSONL or Parquet file, a foreign format, a data frame, or rows.

    Args:
        data: a path, "demo", a campaign, a data frame, or dictionaries, one row per summary.
        strict: whether warnings are errors.
        columns: by role, the columns of a table, such as {"summary": "prediction"}; by default found by their names.
        option: options of the data's format, if it is a foreign one.

    Raises:
        CampaignError: with all problems at once, if there are errors (with `strict`: or warnings).
    """
    from pyramidion.run.evaluation import Evaluation

    evaluation = Evaluation(data, Choice(strict=strict, columns=columns, option=option))
    return evaluation.campaign.with_all_raters()


@with_options(Choice)
def score(
    data: UserData,
    measures: Measures | None = None,
    *,
    keep_counts: bool = False,
    **keywords: Unpack[EvaluationKeywords],
) -> ScoreTable:
    """Score summaries. A flat file is read as a stream, so that one of any length fits in memory.

    Args:
        data: a path, "demo", a campaign, a data frame, or dictionaries, one row per summary.
        measures: names such as "rouge-2.recall", or measures; by default F of ROUGE-1, -2, -L and -SU4 (recall where
            the campaign has a word limit), pyramid scores, every question that was judged and every imported column.
        keep_counts: whether to keep the counts of overlap measures, for micro averages.

    Raises:
        CampaignError: with all problems at once, if the data has errors.
        UsageError: if a measure can't be read.
    """
    evaluation, _ = study.open_evaluation(data, Options, keywords)
    return evaluation.table(measures, keep_counts=keep_counts)


@with_options(ShardOptions, Choice)
def score_into(
    data: UserData, output: str | Path, measures: Measures | None = None, **keywords: Unpack[ShardVerbKeywords]
) -> ShardRun:
    """Score flat files of any size shard by shard into a folder, or s3://…, on this computer or a Dask cluster.

    A run that was stopped or killed goes on where it was. The folder is read like a score table.
    """
    evaluation, options = study.open_evaluation(data, ShardOptions, keywords)
    # Not a Path: the address of an object store, such as s3://…, has two slashes that a path would join.
    as_path(output, "output")
    return evaluation.score_into(output, measures, options)


@with_options(CompareOptions, Choice)
def compare(data: UserData, measures: Measures | None = None, **keywords: Unpack[CompareVerbKeywords]) -> Comparison:
    """Rank summarizers on each measure, with intervals of their means, and test whether they differ."""
    evaluation, options = study.open_evaluation(data, CompareOptions, keywords)
    if measures is None and evaluation.has_only_preferences:
        raise UsageError(
            "the data is a table of preferences, which has no scores to compare: "
            "`pyramidion.judgments.preferences(data)` says who wins how often"
        )
    return evaluation.compare(measures, options)


@with_options(CorrelateOptions, Choice)
def correlate(
    data: UserData, measures: Measures | None = None, **keywords: Unpack[CorrelateVerbKeywords]
) -> Correlations:
    """Correlate measures with others (`with_`), or every two with each other (`matrix=True`)."""
    evaluation, options = study.open_evaluation(data, CorrelateOptions, keywords)
    return evaluation.correlate(measures, options)


@with_options(PowerOptions, Choice)
def power(data: UserData, measures: Measures | None = None, **keywords: Unpack[PowerVerbKeywords]) -> Power:
    """Compute how many topics are needed, or the smallest detectable difference, from a pilot."""
    evaluation, options = study.open_evaluation(data, PowerOptions, keywords)
    return evaluation.power(measures, options)


@with_options(DescribeOptions, Choice)
def describe(data: UserData, **keywords: Unpack[DescribeVerbKeywords]) -> Description | Roster:
    """Describe a campaign: how many topics, documents, summaries and judgments, or (`roster`) who is in it."""
    evaluation, options = study.open_evaluation(data, DescribeOptions, keywords)
    return evaluation.describe(options)


@with_options(DesignOptions, Choice)
def design(data: UserData, **keywords: Unpack[DesignVerbKeywords]) -> Designs | LabelDesigns:
    """Find the cheapest design that detects a difference, or the best for a budget, from a pilot and costs.

    With `using`, it is the share of the answers to ask people for, while predictors have values for all.
    """
    evaluation, options = study.open_evaluation(data, DesignOptions, keywords)
    return evaluation.design(options)


@with_options(PlanOptions, Choice)
def plan(data: UserData, output: str | Path | None = None, **keywords: Unpack[PlanVerbKeywords]) -> SamplePlan:
    """Draw which answers people are asked for, with known chances, and write the sample (sample.jsonl).

    Args:
        data: a campaign folder, which keeps the sample; other data needs `plan`, a file for it.
        output: a .csv file that gets a table of what is to be labelled.
        keywords: what is drawn, and which data.
    """
    evaluation, options = study.open_evaluation(data, PlanOptions, keywords)
    return evaluation.write_plan(options, None if output is None else as_path(output, "output"))


@with_options(GateOptions, Choice)
def gate(data: UserData, measures: Measures | None = None, **keywords: Unpack[GateVerbKeywords]) -> Gate:
    """Decide whether a candidate passes against a baseline: the first measure decides, the others guard."""
    evaluation, options = study.open_evaluation(data, GateOptions, keywords)
    return evaluation.gate(measures, options)


@with_options(TrustOptions, Choice)
def trust(data: UserData, measures: Measures | None = None, **keywords: Unpack[TrustVerbKeywords]) -> Trust:
    """Put judges and measures on trial against people: what each may be used for, and what it is worth."""
    evaluation, options = study.open_evaluation(data, TrustOptions, keywords)
    return evaluation.trust(measures, options)


@with_options(ReportOptions, Choice)
def report(
    data: UserData,
    path: str | Path = "report.html",
    measures: Measures | None = None,
    **keywords: Unpack[ReportVerbKeywords],
) -> Path:
    """Write the report: the answer, the evidence and the detail on one self-contained page; returns its path.

    Needs the extra `report`.
    """
    from pyramidion.reports.page import write_report

    evaluation, options = study.open_evaluation(data, ReportOptions, keywords)
    return write_report(as_path(path, "path"), evaluation, measures, options)


@with_options(LeadOptions, Choice)
def lead_baseline(data: UserData, path: str | Path | None = None, **keywords: Unpack[LeadVerbKeywords]) -> Campaign:
    """Add DUC's lead baseline to a campaign: the start of each topic's most recent document, cut at the word limit.

    Args:
        data: with documents.
        path: where to write it, if anywhere: a new folder gets the campaign, a .jsonl or .parquet file only the
            baseline's summaries, with references and documents.
        keywords: options of the baseline, and which data.

    Returns:
        The campaign with the baseline among its systems.
    """
    evaluation, options = study.open_evaluation(data, LeadOptions, keywords)
    if path is None:
        return evaluation.add_lead(options)
    return evaluation.write_lead(as_path(path, "path"), options)


@with_options(InitOptions)
def init(folder: str | Path, **keywords: Unpack[InitKeywords]) -> Path:
    """Start a campaign: a folder with a commented campaign.toml and no summaries yet; returns its path."""
    from pyramidion.campaign.folder import start_folder

    path = as_path(folder, "folder")
    start_folder(path, InitOptions.of(keywords))
    return path


def import_campaign(
    format: str,
    sources: str | Path | Sequence[str | Path],
    *,
    into: str | Path | None = None,
    campaign: str | Path | None = None,
    columns: Mapping[str, str] | None = None,
    option: Mapping[str, str] | None = None,
    replace: bool = False,
    dry_run: bool = False,
    strict: bool = False,
) -> ImportPlan:
    """Import files into a campaign folder that exists, or as a new one; all of it is written, or nothing.

    Args:
        format: "judgments", "scores", "summaries", "documents", "flat", "campaign", or the name of a format.
        sources: a file or folder, or several.
        into: a campaign folder that is added to.
        campaign: a new or empty folder for the campaign; give either this or `into`. Scores may also go into the
            campaign that has their summaries, or into a new .parquet file.
        columns: which column holds which field, such as {"topic": "ID"}; by default recognised by their names.
        option: options of the format.
        replace: whether conflicting values in the campaign are overwritten.
        dry_run: whether only the plan is made, and nothing is written.
        strict: whether warnings are errors.

    Returns:
        The plan: what is new, what the campaign has already, and what is in conflict; `written` says whether it was
        carried out.

    Raises:
        CampaignError: with all problems at once, if the files or the campaign have errors.
        CampaignLockedError: if another command has been changing the campaign for long.
        ImportConflictError: if the campaign says otherwise, unless `replace` or `dry_run` is given.
    """
    from pyramidion.imports import import_campaign as run_import

    options = ImportOptions(columns=columns, option=option, replace=replace, dry_run=dry_run, strict=strict)
    return run_import(format, sources, into=into, campaign=campaign, options=options)


def __getattr__(name: str) -> Any:
    """`Evaluation`, imported when it is first used."""
    if name == "Evaluation":
        from pyramidion.run.evaluation import Evaluation

        return Evaluation
    raise AttributeError(f"module 'pyramidion' has no attribute {name!r}")
