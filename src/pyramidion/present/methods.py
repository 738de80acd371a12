"""Methods: every signature, seed, version and number that a reader needs to repeat the report, and what to cite."""

from __future__ import annotations

import platform
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pyramidion.errors import UsageError
from pyramidion.measures import select
from pyramidion.measures.names import parse, short_name
from pyramidion.options import Choice
from pyramidion.present.context import SectionContext
from pyramidion.present.pyramids import SCU
from pyramidion.present.section import Block, Section
from pyramidion.show.tables import Cell, Column, Table
from pyramidion.show.wording import listed
from pyramidion.version import VERSION

INTERVALS = {
    "t": "t intervals for each mean, using the residual variance of the two-way analysis of variance",
    "own": "t intervals for each mean, using the summarizer's own variance",
    "percentile": "percentile bootstrap over topics",
    "studentized": "studentized bootstrap over topics",
}
BY_FAMILY = {"Rouge": "lin-2004-rouge", "BasicElements": "hovy-etal-2006", "ModelFree": "louis-nenkova-2009"}
"""What to cite for a family of measures."""


@dataclass(frozen=True, kw_only=True)
class ReportSettings:
    """What a reader needs to know to repeat a report, besides its options."""

    data_name: str
    choice: Choice
    other_resamples: Mapping[str, int]
    """By what is resampled, how often, where that is not what was asked for."""
    papers: Mapping[str, str]
    """What stands behind what a report shows, as BibTeX by key."""


def methods_section(context: SectionContext, settings: ReportSettings) -> Section:
    """How the numbers were computed; always there, because it is what makes the page worth believing."""
    comparison = context.comparison
    return Section(
        id="methods",
        title="Methods and citation",
        finding="How the numbers were computed, every signature, and what to cite",
        appendix=True,
        sentences=(
            f"Intervals: {INTERVALS[comparison.options.mean_interval]}, {comparison.confidence:g} % confidence. "
            "Differences: two-way analysis of variance (system + topic) with Tukey's test, and Friedman's test with "
            "Nemenyi's; where scores are missing or variances are unequal, letters come from paired t tests with "
            "Holm's correction. Chosen pairs: paired t test of the two systems' own differences.",
            *_mixed_model_sentence(context),
            *_pyramid_sentence(context),
            f"Everything random uses seed {comparison.seed}: the same data, options and version give the same numbers.",
        ),
        blocks=(
            _settings_table(context, settings),
            _signature_table(context),
            Block(
                id="repeat",
                template="methods.html",
                values={
                    "command": context.command("report", options=context.options) + " -o report.html",
                    "papers": [settings.papers[key] for key in _cited_papers(context)],
                },
            ),
        ),
    )


def _has_pyramids(context: SectionContext) -> bool:
    return any(parse(name).base == "pyramid" for name in context.roles.measures)


def _mixed_model_sentence(context: SectionContext) -> tuple[str, ...]:
    """Where assessors are a random sample, the analysis is another one."""
    random = [short_name(analysis.measure) for analysis in context.comparison.analyses if analysis.random]
    if not random:
        return ()
    return (
        f"Human scores whose assessors are treated as a random sample ({listed(random)}): a mixed model (system fixed; "
        "topics and assessors random; REML) gives adjusted means, their intervals and Tukey's test, and for a chosen "
        "pair, fitted to the judgments of its two systems, the difference.",
    )


def _pyramid_sentence(context: SectionContext) -> tuple[str, ...]:
    """What the scores of a pyramid are, in a sentence."""
    if not _has_pyramids(context):
        return ()
    return (
        f"Pyramids: {SCU} D is the sum of the weights of the SCUs that a summary expresses, and Max(n) the "
        "largest sum that n SCUs can have. pyramid.original = D / Max(X), where X is the number of SCUs in the "
        "summary; pyramid.modified = D / Max(X′), where X′ is the mean number of SCUs in a reference; "
        "pyramid.comprehensive is the harmonic mean of both.",
    )


def has_correlations(context: SectionContext) -> bool:
    """Whether measures are correlated with a human score."""
    return bool(context.roles.reference and context.roles.automatic and not context.has_few_systems)


def _settings_table(context: SectionContext, settings: ReportSettings) -> Table:
    choice, options = settings.choice, context.options
    rows: list[tuple[str, Cell]] = [
        ("pyramidion", VERSION),
        ("Python", platform.python_version()),
        ("data", settings.data_name),
        ("peers", choice.peers),
        *((f"topics with {key}", value) for key, value in (choice.where or {}).items()),
        ("excluded", ", ".join(choice.exclude) or None),
        ("joined scores", ", ".join(map(str, choice.scores)) or None),
        ("confidence", f"{options.confidence:g} %"),
        ("interval", options.interval),
        ("resamples", f"{options.resamples:,}"),
        *((f"resamples for {what}", f"{count:,}") for what, count in settings.other_resamples.items()),
        ("seed", str(choice.seed)),
    ]
    return Table(
        record="setting",
        title="Settings",
        columns=(Column("setting"), Column("value")),
        rows=[row for row in rows if row[1] is not None],
    )


def _direction(context: SectionContext, measure: str) -> str:
    """Whether higher values of a measure are better."""
    if context.table.is_descriptive(measure):
        return "neither"
    return "yes" if context.table.is_higher_better(measure) else "no"


def _signature_table(context: SectionContext) -> Table:
    """A line for each signature: the number of models may differ by topic."""
    return Table(
        record="signature",
        title="Signatures: every option of every measure, with the number of models",
        columns=(
            Column("measure"),
            Column("better", "higher is better"),
            Column("signature"),
        ),
        rows=[
            [measure, _direction(context, measure), signature]
            for measure in context.comparison.measures
            for signature in context.table.signatures(measure)
        ],
    )


def _cited_papers(context: SectionContext) -> Iterator[str]:
    """What was used, and so is to be cited: keys of papers."""
    families = {_family_of(name) for name in context.roles.automatic}
    analyses = context.comparison.analyses
    yield "pyramidion"
    yield from (key for family, key in BY_FAMILY.items() if family in families)
    if _has_pyramids(context):
        yield "nenkova-passonneau-2004"
    # The overview of DUC 2006 has both: the questions, and the two-way analysis with Tukey's test.
    if context.roles.judged or any(analysis.anova for analysis in analyses):
        yield "dang-2006"
    if any(analysis.letters for analysis in analyses):
        yield "piepho-2004"
    if any(analysis.friedman for analysis in analyses):
        yield "demsar-2006"
    if has_correlations(context):
        yield from ("owczarzak-dang-2009", "amigo-etal-2012")


def _family_of(name: str) -> str:
    """The class of a measure; empty for a column of someone's own."""
    try:
        return type(select(name).measure).__name__
    except UsageError:
        return ""
