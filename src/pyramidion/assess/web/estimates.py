"""Estimates so far, where people answer a sample: intervals of systems and pairs, and what more answers would do."""

from __future__ import annotations

from datetime import UTC, datetime

from fastapi import APIRouter
from fastapi.responses import HTMLResponse

from pyramidion.assess.assessment import Assessment
from pyramidion.assess.web.access import Organiser
from pyramidion.assess.web.dashboard import group_progress, task_progress
from pyramidion.campaign.campaign import Campaign
from pyramidion.errors import PyramidionError
from pyramidion.present.predictions import halving_sentence
from pyramidion.run.evaluation import Evaluation
from pyramidion.show.tables import Table
from pyramidion.show.wording import counted
from pyramidion.studies.predictions.estimates import PredictedComparison
from pyramidion.studies.predictions.plans import choose_estimated

router: APIRouter = APIRouter()

LOOKS = "looks-at-estimates"
"""The setting that holds when the organiser looked, with the number of answers at that moment."""


@router.get("/dashboard/estimates", response_class=HTMLResponse)
def estimates(visit: Organiser, measure: str = "") -> HTMLResponse:
    """The estimates of one measure from the answers so far."""
    assessment = visit.assessment
    campaign = assessment.campaign
    measures, using = choose_estimated(campaign)
    chosen = measure if measure in measures else next(iter(measures), "")
    tables: list[Table] = []
    problems: list[str] = []
    sentences: list[str] = []
    if not campaign.sample:
        problems.append("There is no sample: draw one on the page Plan.")
    elif topic := _topic_without_consensus(campaign):
        problems.append(
            f"There is no estimate yet: topic {topic} has several pyramids. Give someone their consensus on the page "
            "Annotation."
        )
    elif chosen:
        try:
            comparison = Evaluation(campaign).compare([chosen], using=using)
            assert isinstance(comparison, PredictedComparison)
            tables = [table.without_empty_columns() for table in comparison.tables()]
            sentences.append(halving_sentence(comparison))
            sentences.append(_describe_looks(_count_look(assessment, comparison)))
        except PyramidionError as error:
            problems.append(f"There is no estimate yet: {error}")
    sentences += describe_speeds(assessment)
    return visit.page(
        "findings.html",
        title="Estimates so far",
        lead=" ".join(filter(None, sentences)),
        tables=tables,
        problems=problems,
        choices=[(name, name == chosen) for name in measures],
    )


def _topic_without_consensus(campaign: Campaign) -> str:
    """A topic of the sample with several pyramids, none of which is a consensus; empty if there is none."""
    for topic in dict.fromkeys(unit.topic for unit in campaign.sample):
        pyramids = campaign.topic(topic).pyramids
        if len(pyramids) > 1 and not any(pyramid.consensus for pyramid in pyramids):
            return topic
    return ""


def _count_look(assessment: Assessment, comparison: PredictedComparison) -> int:
    """How many times results were looked at, each time with other answers; this one is counted."""
    answers = sum(int(part.designed.units.is_judged.sum()) for part in comparison.predicted)
    looks = list(assessment.settings.get(LOOKS, []))
    if not looks or looks[-1]["answers"] != answers:
        looks.append({"time": datetime.now(UTC).isoformat(timespec="seconds"), "answers": answers})
        assessment.settings.set(LOOKS, looks)
    return len(looks)


def _describe_looks(looks: int) -> str:
    """What looking again and again means."""
    again = "This is the first look at results" if looks == 1 else f"Results were looked at {looks} times"
    return (
        f"{again}; intervals hold for one look that was decided on before. If you stop or extend because of what you "
        "see here, report it as a second look."
    )


def describe_speeds(assessment: Assessment) -> list[str]:
    """Seconds for an answer about an SCU, for each order in which questions are asked."""
    rows = [row for row in task_progress(assessment) if row.task.kind == "content" and row.seconds and row.finished]
    sentences: list[str] = []
    for group in group_progress(rows, lambda row: row.heading):
        seconds = group.hours * 3600 / max(group.finished, 1)
        sentences.append(f"{group.name}: {seconds:.1f} seconds an answer ({counted(group.finished, 'answer')}).")
    return sentences
