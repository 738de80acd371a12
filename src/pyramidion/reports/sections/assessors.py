"""Who judged what, when and how long; which assessors are strict, and whether that changes."""

from __future__ import annotations

from pyramidion.options import AssessorOptions
from pyramidion.present.judgments.assessors import draw_severities, severity_sentences, severity_with_interval
from pyramidion.present.section import Figure, Section
from pyramidion.reports.context import Context
from pyramidion.show.wording import noted
from pyramidion.studies.judgments.assessors import AssessorDescription


def make(context: Context) -> Section | None:
    """The work of each assessor, severity and drift; None without several assessors or times."""
    judgments = context.campaign.judgments
    timed = any(one.time or one.seconds is not None for one in judgments)
    if len({one.assessor for one in judgments}) < 2 and not timed:
        return None
    options = AssessorOptions(confidence=context.options.confidence)
    found = context.evaluation.describe_assessors(confidence=options.confidence)
    tables = [table for table in found.tables() if not table.detail]
    drawn = any(one.deviation is not None for one in found.severities)
    return Section(
        id="assessors",
        title="Assessors",
        finding=_finding(found),
        mark=found.note,
        sentences=tuple(found.sentences()),
        blocks=(*([_figure(found)] if drawn else []), *tables),
        commands=(context.evaluation.command("judgments describe", options=options),),
    )


def _finding(found: AssessorDescription) -> str:
    """What is said of severity, else of the work."""
    said = [*severity_sentences(found), *found.sentences()]
    return said[0].rstrip(".") if said else ""


def _figure(found: AssessorDescription) -> Figure:
    values = "; ".join(
        f"{one.question}, {one.assessor} {severity_with_interval(one)}"
        for one in found.severities
        if one.deviation is not None
    )
    return Figure(
        id="assessors-severity",
        caption=noted(
            f"How much stricter (left of 0) or more lenient each assessor is, with {found.confidence:g} % intervals",
            found.note,
        ),
        alt=f"Dots with intervals: {values}.",
        draw=lambda: draw_severities(found, columns=2),
    )
