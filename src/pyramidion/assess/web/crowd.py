"""People from crowd platforms: the organiser's page, and the way in for those who come by the platform's link."""

from __future__ import annotations

import re
import secrets
from typing import Annotated
from urllib.parse import urlsplit

from fastapi import APIRouter, Form, HTTPException, Request
from fastapi.responses import HTMLResponse, RedirectResponse

from pyramidion.assess.assessment import Assessment
from pyramidion.assess.crowd import (
    ATTEMPTS,
    MOST_PLACES,
    VISIT_PARAMETERS,
    WORKER_PARAMETERS,
    Crowd,
    CrowdSettings,
    parse_check,
)
from pyramidion.assess.store.crowd_workers import CrowdWorker
from pyramidion.assess.web.access import Organiser, ServedAssessment, Visit
from pyramidion.assess.web.pages import render
from pyramidion.assess.web.signin import enter
from pyramidion.errors import UsageError

router: APIRouter = APIRouter()

LONGEST_TEXT = 20_000
_ID = re.compile(r"[\w.-]{1,100}")
CLOSED = "this study is not open: please return it on the platform"
NO_ID = (
    "the link has no id of yours: open the study from the page of the platform, or tell whoever runs it that the "
    f"address needs one of the parameters {', '.join(WORKER_PARAMETERS)}"
)
ENDINGS = {
    "declined": "You did not agree to take part. Please return the study on the platform. Nothing was stored.",
    "refused": "Some answers of the check were not right in both attempts, so you can't take part. Please return the "
    "study on the platform. Thank you for your time.",
    "full": "All places are taken at the moment. Please return the study on the platform. Thank you for your interest.",
    "elsewhere": "You have begun this study already, in another session. Please go on there, or write to whoever runs "
    "it.",
}


@router.get("/crowd", response_class=HTMLResponse)
def crowd_page(visit: Organiser) -> HTMLResponse:
    """The settings, the address for the platform, and who has come."""
    return _page(visit)


@router.post("/crowd", response_model=None)
def change_crowd(
    visit: Organiser,
    consent: Annotated[str, Form(max_length=LONGEST_TEXT)] = "",
    check: Annotated[str, Form(max_length=LONGEST_TEXT)] = "",
    completion_code: Annotated[str, Form(max_length=100)] = "",
    return_address: Annotated[str, Form(max_length=500)] = "",
    is_open: Annotated[str, Form()] = "",
) -> HTMLResponse | RedirectResponse:
    """Change what people are told and asked, and whether they are let in."""
    crowd = Crowd(visit.assessment)
    texts = {
        "consent": consent.replace("\r\n", "\n").strip(),
        "check": check.replace("\r\n", "\n").strip(),
        "completion_code": completion_code.strip(),
        "return_address": return_address.strip(),
    }
    problem = _problem(texts, bool(is_open))
    if problem:
        return _page(visit, problem=problem, texts=texts)
    # The key stays once it is made: platforms have the address with it.
    key = crowd.settings.key or secrets.token_urlsafe(9)
    crowd.change(CrowdSettings(**texts, is_open=bool(is_open), key=key))
    visit.record("crowd opened" if is_open else "crowd closed")
    return RedirectResponse("/crowd", 303)


@router.post("/crowd/places", response_model=None)
def add_places(visit: Organiser, count: Annotated[int, Form(ge=1, le=MOST_PLACES)]) -> RedirectResponse:
    """Make places for people who are not known yet."""
    added = Crowd(visit.assessment).add_places(count)
    visit.record("places for a crowd", f"{added[0].name} to {added[-1].name}")
    return RedirectResponse("/crowd", 303)


@router.get("/crowd/{key}", response_model=None)
def arrive(request: Request, key: str, assessment: ServedAssessment) -> HTMLResponse | RedirectResponse:
    """Where the platform sends people: to the consent text, to the check, or to their work."""
    crowd = _open_crowd(assessment, key)
    worker, visit = _ids(request)
    stored = crowd.workers.find(worker)
    if stored is None:
        text = crowd.settings.consent
        return render(request, "crowd_consent.html", None, consent=text, worker=worker, visit=visit, key=key)
    return _go_on(request, crowd, stored, visit)


@router.post("/crowd/{key}/consent", response_model=None)
def consent(
    request: Request,
    key: str,
    assessment: ServedAssessment,
    worker: Annotated[str, Form()],
    visit: Annotated[str, Form()] = "",
    agree: Annotated[str, Form()] = "",
) -> HTMLResponse | RedirectResponse:
    """Someone agrees to take part, or not; who does not leaves no trace."""
    crowd = _open_crowd(assessment, key)
    _require_ids(worker, visit)
    if not agree:
        return _end(request, "declined")
    return _go_on(request, crowd, crowd.workers.consent(worker, visit), visit)


@router.post("/crowd/{key}/check", response_model=None)
async def check(request: Request, key: str, assessment: ServedAssessment) -> HTMLResponse | RedirectResponse:
    """The answers of someone to the comprehension check."""
    crowd = _open_crowd(assessment, key)
    form = await request.form()
    worker, visit = str(form.get("worker", "")), str(form.get("visit", ""))
    _require_ids(worker, visit)
    stored = crowd.workers.find(worker)
    if stored is None:
        raise HTTPException(422, "please open the study from the page of the platform again")
    if stored.person is None and stored.refused is None:
        chosen = [str(form.get(f"answer-{number}", "")) for number in range(len(crowd.settings.questions))]
        is_right = chosen == [str(question.right) for question in crowd.settings.questions]
        if not crowd.workers.count_attempt(worker, ATTEMPTS):
            return _end(request, "refused")
        if is_right:
            return _let_in(request, crowd, worker)
        if stored.attempts + 1 >= ATTEMPTS:
            crowd.workers.refuse(worker)
            return _end(request, "refused")
        stored = crowd.workers.find(worker) or stored
    return _go_on(request, crowd, stored, visit)


def _go_on(request: Request, crowd: Crowd, stored: CrowdWorker, visit: str) -> HTMLResponse | RedirectResponse:
    """What is next for someone who has agreed."""
    if stored.visit != visit:
        return _end(request, "elsewhere")
    if stored.refused is not None:
        return _end(request, "refused")
    questions = crowd.settings.questions
    if stored.person is None and questions:
        return render(
            request,
            "crowd_check.html",
            None,
            questions=questions,
            attempts=stored.attempts,
            most=ATTEMPTS,
            worker=stored.worker,
            visit=visit,
            key=crowd.settings.key,
        )
    return _let_in(request, crowd, stored.worker)


def _let_in(request: Request, crowd: Crowd, worker: str) -> HTMLResponse | RedirectResponse:
    person = crowd.take_place(worker)
    if person is None:
        return _end(request, "full")
    return enter(crowd.assessment, person, request)


def _end(request: Request, reason: str) -> HTMLResponse:
    return render(request, "crowd_end.html", None, sentence=ENDINGS[reason])


def _open_crowd(assessment: Assessment, key: str) -> Crowd:
    crowd = Crowd(assessment)
    settings = crowd.settings
    if not settings.is_open or not secrets.compare_digest(settings.key.encode(), key.encode()):
        raise HTTPException(404, CLOSED)
    return crowd


def _ids(request: Request) -> tuple[str, str]:
    """The platform's ids of who comes and of this visit."""
    sent = request.query_params
    worker = next((sent[name] for name in WORKER_PARAMETERS if sent.get(name)), "")
    visit = next((sent[name] for name in VISIT_PARAMETERS if sent.get(name)), "")
    _require_ids(worker, visit)
    return worker, visit


def _require_ids(worker: str, visit: str) -> None:
    if not _ID.fullmatch(worker) or (visit and not _ID.fullmatch(visit)):
        raise HTTPException(422, NO_ID)


def _problem(texts: dict[str, str], is_open: bool) -> str:
    """What is wrong with the settings; empty if nothing is."""
    try:
        parse_check(texts["check"])
    except UsageError as error:
        return str(error)
    address = urlsplit(texts["return_address"])
    if texts["return_address"] and (address.scheme not in ("https", "http") or not address.netloc):
        return "The address to return to begins with https://, as the platform shows it."
    if is_open and not texts["consent"]:
        return "Write a consent text before you let people in: what they do, how long it takes, what is stored."
    if is_open and not (texts["completion_code"] or texts["return_address"]):
        return (
            "Give a completion code or an address to return to: without one, nobody can show that they have finished."
        )
    return ""


def _page(visit: Visit, *, problem: str = "", texts: dict[str, str] | None = None) -> HTMLResponse:
    crowd = Crowd(visit.assessment)
    settings = crowd.settings
    address = visit.request.app.state.address or str(visit.request.base_url).rstrip("/")
    work = visit.assessment.given_out(practice=False)
    rows = []
    for worker in crowd.workers.all():
        tasks = [task for task in work if task.person == worker.person]
        rows.append(
            {
                "worker": worker,
                "name": visit.assessment.name_of(worker.person) if worker.person else "",
                "done": sum(task.done for task in tasks),
                "total": len(tasks),
            }
        )
    with_work = {task.person for task in work}
    places = crowd.places()
    return visit.page(
        "crowd.html",
        problem=problem,
        settings=settings,
        texts=texts or {},
        link=f"{address}/crowd/{settings.key}" if settings.key else "",
        rows=rows,
        places=len(places),
        without_work=sum(person.id not in with_work for person in places),
        attempts=ATTEMPTS,
        most_places=MOST_PLACES,
    )
