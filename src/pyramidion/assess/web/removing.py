"""Removing on pages: what a removal does, in words, and putting back."""

from __future__ import annotations

from collections.abc import Sequence

from fastapi import APIRouter, HTTPException
from fastapi.responses import HTMLResponse, RedirectResponse

from pyramidion.assess.assessment import Assessment
from pyramidion.assess.moves import started_tasks
from pyramidion.assess.removals import IsTaken, count_rows, describe_rows, find_removal, put_back
from pyramidion.assess.store.work import Task
from pyramidion.assess.web.access import Organiser
from pyramidion.assess.web.moving import refuse
from pyramidion.assess.web.plan import count_work
from pyramidion.errors import UsageError

router: APIRouter = APIRouter()

PAGES = {"topic": "/topics", "summarizer": "/systems", "question": "/questions"}
"""Where removals of a kind are listed."""


def describe_removal(
    assessment: Assessment, what: str, is_taken: IsTaken, tasks: Sequence[Task], page: str
) -> list[str]:
    """What a removal does, in sentences: the first has all numbers, so that what is confirmed is what was shown."""
    counts = count_rows(assessment.campaign, is_taken)
    rows = f" with {describe_rows(counts)}" if counts else ""
    sentence = f"{what} leaves the data{rows}."
    work = [task for task in tasks if task.kind != "topic"]
    if work:
        begun = started_tasks(work)
        handed_in = sum(task.done for task in begun)
        sentence += f" It concerns {count_work(len(work))}"
        if begun:
            sentence += (
                f", of which {len(begun)} {'was' if len(begun) == 1 else 'were'} begun and {handed_in} handed in"
            )
        sentence += "."
    kept = "Nothing of it is deleted: rows go to the folder “removed” of the campaign, work stays in the log of events."
    return [sentence, f"{kept} The page {page.removeprefix('/').capitalize()} puts it back."]


@router.post("/removed/{id}/put-back", response_model=None)
def put_back_removal(visit: Organiser, id: str) -> HTMLResponse | RedirectResponse:
    """Bring back what was removed."""
    removal = find_removal(visit.assessment, id)
    if removal is None:
        raise HTTPException(404, "this was put back already, or never removed")
    page = PAGES[removal.kind]
    try:
        put_back(visit.assessment, removal)
    except UsageError as error:
        return refuse(visit, page, str(error))
    visit.record("put back", removal.name)
    return RedirectResponse(page, 303)
