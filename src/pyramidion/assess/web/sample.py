"""The sample on the plan page: which SCUs, topics or answers people are asked for, drawn with known chances.

The sample is a file of the campaign (sample.jsonl), so that the command line estimates from it what the pages do.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Annotated, get_args

from fastapi import APIRouter, Form
from fastapi.responses import HTMLResponse, RedirectResponse

from pyramidion.assess.assessment import Assessment
from pyramidion.assess.kinds.assignment import parse_number
from pyramidion.assess.web.access import Organiser
from pyramidion.assess.web.moving import refuse
from pyramidion.campaign.campaign import Campaign
from pyramidion.campaign.nouns import encode
from pyramidion.errors import UsageError
from pyramidion.files import write_lines
from pyramidion.files.locks import lock_campaign
from pyramidion.options import Choice, PlanOptions, SampledBy
from pyramidion.present.plans import plan_sentences
from pyramidion.run.evaluation import Evaluation
from pyramidion.run.prediction_data import draw_sample
from pyramidion.show.wording import counted, percent
from pyramidion.studies.predictions.plans import CLUSTER_WORDS, SamplePlan, is_drawn_by_uncertainty, sampled_by

router: APIRouter = APIRouter()

FILE = "sample.jsonl"
CHOICES: dict[SampledBy, str] = {
    "scu": "SCUs within each topic, each asked about all systems (best for pyramids)",
    "topic": "Whole topics, with all systems (best for questions)",
    "unit": "Single answers about SCUs",
}
DEFAULT_SHARE = 20
EVERYTHING = 100
PREDICTOR = "auto-pyramid"
"""Where it is unsure of an answer, the answer may be drawn more often."""


@dataclass(frozen=True, kw_only=True)
class ShownSample:
    """What the plan page says of the sample that there is."""

    by: SampledBy
    sentences: tuple[str, ...]
    can_be_dropped: bool


def describe_sample(assessment: Assessment) -> ShownSample | None:
    """The sample of the campaign in words; None if there is none."""
    campaign = assessment.campaign
    units = campaign.sample
    if not units:
        return None
    by = sampled_by(units)
    drawn = [unit for unit in units if unit.drawn]
    words = CLUSTER_WORDS[by]
    verb = "is" if len(drawn) == 1 else "are"
    sentences = [
        f"{len(drawn):,} of {len(units):,} {words} {verb} drawn ({percent(len(drawn) / len(units))}), "
        f"the smallest chance is {min(unit.chance for unit in units):.3f}."
    ]
    if is_drawn_by_uncertainty(units):
        sentences.append("Answers of which word overlap is unsure were drawn more often.")
    draws = Counter(unit.draw for unit in drawn)
    if len(draws) > 1:
        listed = ", ".join(f"draw {number}: {count:,}" for number, count in sorted(draws.items()))
        sentences.append(
            f"The sample was extended ({listed}). If that was because of results, it is a second look: say so in the "
            "report."
        )
    missing = set(campaign.topic_ids) - {unit.topic for unit in units}
    if missing:
        sentences.append(
            f"{counted(len(missing), 'topic')} without a pyramid when it was drawn: no answers are asked about them."
        )
    return ShownSample(by=by, sentences=tuple(sentences), can_be_dropped=not _is_used(assessment, campaign))


def _is_used(assessment: Assessment, campaign: Campaign) -> bool:
    """Whether someone has work on drawn questions, or has answered some."""
    is_answered = any(annotation.draw is not None for annotation in campaign.annotations)
    return is_answered or any(task.kind == "content" for task in assessment.given_out())


def store_sample(assessment: Assessment, options: PlanOptions, seed: int) -> SamplePlan:
    """Draw a sample, or extend the one that there is, and write it into the campaign folder.

    Raises:
        UsageError: if nothing can be drawn so.
    """
    with lock_campaign(assessment.folder):
        # With the lock: nobody else extends the same sample meanwhile.
        evaluation = Evaluation(assessment.campaign, Choice(seed=seed))
        plan, _ = draw_sample(evaluation, options)
        write_lines(assessment.folder / FILE, map(encode, plan.units), own=True)
    return plan


@router.post("/plan/sample", response_model=None)
def draw_on_page(
    visit: Organiser,
    share: Annotated[str, Form()] = "",
    by: Annotated[str, Form()] = "scu",
    unsure: Annotated[bool, Form()] = False,
    seed: Annotated[str, Form()] = "0",
) -> HTMLResponse | RedirectResponse:
    """Draw a sample by these options, or extend the one that there is."""
    try:
        percentage = parse_number("share", share, float)
        if not 0 < percentage <= EVERYTHING:
            raise UsageError(f"a share of {percentage:g} %: give a number above 0, up to 100")
        earlier = visit.assessment.campaign.sample
        _check_share(percentage, visit.assessment.campaign)
        if earlier:
            by = sampled_by(earlier)
            unsure = is_drawn_by_uncertainty(earlier)
        if by not in get_args(SampledBy):
            raise UsageError(f"{by!r} can't be drawn: choose {', '.join(CHOICES)}")
        measure = "pyramid.recall" if by == "unit" else None
        if unsure and by == "topic":
            raise UsageError(
                "whole topics are all drawn with the same chance: choose SCUs or single answers, or leave "
                "the box unchecked"
            )
        options = PlanOptions(
            share=percentage / EVERYTHING,
            by=by,  # type: ignore[arg-type]  # checked
            measure=measure,
            by_uncertainty=PREDICTOR if unsure else None,
        )
        plan = store_sample(visit.assessment, options, int(parse_number("seed", seed, int)))
    except UsageError as error:
        return refuse(visit, "/plan", _for_the_page(error))
    visit.record("sample drawn", plan_sentences(plan)[0])
    return RedirectResponse("/plan#sample", 303)


@router.post("/plan/sample/drop", response_model=None)
def drop_sample(visit: Organiser) -> HTMLResponse | RedirectResponse:
    """Remove a sample that nobody has worked on."""
    assessment = visit.assessment
    with lock_campaign(assessment.folder):
        if _is_used(assessment, assessment.campaign):
            return refuse(visit, "/plan", "people have work on this sample: it can be extended, but not dropped")
        write_lines(assessment.folder / FILE, (), own=True)
    visit.record("sample dropped")
    return RedirectResponse("/plan#sample", 303)


def _check_share(percentage: float, campaign: Campaign) -> None:
    """Refuse a share that is no extension of the sample that there is."""
    units = campaign.sample
    if not units:
        return
    share = sum(unit.drawn for unit in units) / len(units)
    if percentage <= EVERYTHING * share:
        raise UsageError(f"{percent(share)} are drawn already: give a larger share to extend the sample")


def _for_the_page(error: UsageError) -> str:
    """What is wrong, without the remedies of the command line: the page draws into one file only."""
    return str(error).split("; name another file")[0]
