"""Methods: every signature, seed, version and number that a reader needs to repeat the report, and what to cite."""

from __future__ import annotations

import platform
import re
from collections import Counter
from collections.abc import Iterator
from importlib import resources

from pyramidion.errors import UsageError
from pyramidion.measures import select
from pyramidion.measures.names import parse
from pyramidion.present.section import Block, Section
from pyramidion.reports.context import Context
from pyramidion.reports.sections import agreement, correlations
from pyramidion.reports.sections.pyramids import SCU
from pyramidion.show.tables import Cell, Column, Table
from pyramidion.show.wording import listed
from pyramidion.studies.comparison.overview import in_short
from pyramidion.version import VERSION

INTERVALS = {
    "t": "t intervals for each mean, using the residual variance of the two-way analysis of variance",
    "own": "t intervals for each mean, using the summarizer's own variance",
    "percentile": "percentile bootstrap over topics",
    "studentized": "studentized bootstrap over topics",
}
BY_FAMILY = {"Rouge": "lin-2004-rouge", "BasicElements": "hovy-etal-2006", "ModelFree": "louis-nenkova-2009"}
"""What to cite for a family of measures."""


def make(context: Context) -> Section:
    """Always there: it is what makes the page worth believing."""
    comparison = context.comparison
    references = papers()
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
            *_mixed_model(context),
            *_pyramid_scores(context),
            f"Everything random uses seed {comparison.seed}: the same data, options and version give the same numbers.",
        ),
        blocks=(
            _settings(context),
            _signatures(context),
            Block(
                id="repeat",
                template="methods.html",
                values={
                    "command": context.command("report", options=context.options) + " -o report.html",
                    "papers": [references[key] for key in _cited(context)],
                },
            ),
        ),
    )


def papers() -> dict[str, str]:
    """What stands behind what a report shows, as BibTeX by key."""
    text = resources.files("pyramidion.reports").joinpath("templates", "papers.bib").read_text(encoding="utf-8")
    entries = text.replace("VERSION", VERSION).strip().split("\n\n")
    return {re.split("[{,]", entry)[1]: entry for entry in entries}


def _has_pyramids(context: Context) -> bool:
    return any(parse(name).base == "pyramid" for name in context.measures)


def _mixed_model(context: Context) -> tuple[str, ...]:
    """Where assessors are a random sample, the analysis is another one."""
    random = [in_short(one.measure) for one in context.comparison.analyses if one.random]
    if not random:
        return ()
    return (
        f"Human scores whose assessors are treated as a random sample ({listed(random)}): a mixed model (system fixed; "
        "topics and assessors random; REML) gives adjusted means, their intervals and Tukey's test, and for a chosen "
        "pair, fitted to the judgments of its two systems, the difference.",
    )


def _pyramid_scores(context: Context) -> tuple[str, ...]:
    """What the scores of a pyramid are, in a sentence."""
    if not _has_pyramids(context):
        return ()
    return (
        f"Pyramids: {SCU} D is the sum of the weights of the SCUs that a summary expresses, and Max(n) the largest sum "
        "that n SCUs can have. pyramid.original = D / Max(X), where X is the number of SCUs in the summary; "
        "pyramid.modified = D / Max(X′), where X′ is the mean number of SCUs in a reference; pyramid.comprehensive is "
        "the harmonic mean of both.",
    )


def _has_correlations(context: Context) -> bool:
    """Whether measures are correlated with a human score."""
    return bool(context.reference and context.automatic and not context.few_systems)


def _other_resamples(context: Context) -> Iterator[tuple[str, Cell]]:
    """Where the page resamples more often or less often than it was asked to."""
    asked = context.options.resamples
    answers = Counter((one.question, one.topic, one.summarizer) for one in context.campaign.judgments)
    for what, there, made in (
        ("topic-level correlations", _has_correlations(context), max(asked, correlations.FEWEST_RESAMPLES)),
        ("Krippendorff's α", any(count > 1 for count in answers.values()), min(asked, agreement.MOST_RESAMPLES)),
    ):
        if there and made != asked:
            yield f"resamples for {what}", f"{made:,}"


def _settings(context: Context) -> Table:
    choice, options = context.evaluation.choice, context.options
    rows: list[tuple[str, Cell]] = [
        ("pyramidion", VERSION),
        ("Python", platform.python_version()),
        ("data", context.evaluation.data.name),
        ("peers", choice.peers),
        *((f"topics with {key}", value) for key, value in (choice.where or {}).items()),
        ("excluded", ", ".join(choice.exclude) or None),
        ("joined scores", ", ".join(map(str, choice.scores)) or None),
        ("confidence", f"{options.confidence:g} %"),
        ("interval", options.interval),
        ("resamples", f"{options.resamples:,}"),
        *_other_resamples(context),
        ("seed", str(choice.seed)),
    ]
    return Table(
        record="setting",
        title="Settings",
        columns=(Column("setting"), Column("value")),
        rows=[row for row in rows if row[1] is not None],
    )


def _direction(context: Context, measure: str) -> str:
    """Whether higher values of a measure are better."""
    if context.table.is_descriptive(measure):
        return "neither"
    return "yes" if context.table.is_higher_better(measure) else "no"


def _signatures(context: Context) -> Table:
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


def _cited(context: Context) -> Iterator[str]:
    """What was used, and so is to be cited."""
    families = {_family_of(name) for name in context.automatic}
    analyses = context.comparison.analyses
    yield "pyramidion"
    yield from (key for family, key in BY_FAMILY.items() if family in families)
    if _has_pyramids(context):
        yield "nenkova-passonneau-2004"
    if context.judged or any(one.anova for one in analyses):
        yield "dang-2006"
    if any(one.letters for one in analyses):
        yield "piepho-2004"
    if any(one.friedman for one in analyses):
        yield "demsar-2006"
    if _has_correlations(context):
        yield from ("owczarzak-dang-2009", "amigo-etal-2012")


def _family_of(name: str) -> str:
    """The class of a measure; empty for a column of someone's own."""
    try:
        return type(select(name).measure).__name__
    except UsageError:
        return ""
