"""The application: routes, headers that keep pages safe, and errors as pages or JSON."""

from __future__ import annotations

import contextlib
import os
from collections.abc import AsyncIterator, Iterable

from anyio import to_thread
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse
from fastapi.staticfiles import StaticFiles
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as NoConnectionError
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException

from pyramidion.assess.assessment import Assessment
from pyramidion.assess.file_writer import FileWriter
from pyramidion.assess.kinds.topic import routes as topic_routes
from pyramidion.assess.log import log
from pyramidion.assess.web import (
    all_work,
    annotation,
    api,
    audit,
    crowd,
    dashboard,
    estimates,
    export,
    gold_page,
    guide,
    health,
    home,
    late_work,
    moving,
    people,
    plan,
    practice,
    questions,
    removing,
    sample,
    signin,
    systems,
    tasks,
    tokens,
)
from pyramidion.assess.web.limits import SignInLimit
from pyramidion.assess.web.middleware import PUBLIC, Guard
from pyramidion.assess.web.pages import HERE, compile_templates, render
from pyramidion.version import VERSION

FULL = "nothing was stored: the server's disk is full or can't be written; tell the organiser, and keep this page open"
NO_DATABASE = "nothing was stored: the database does not answer; keep this page open, it will try again"
MODULES = (
    *(
        health,
        signin,
        home,
        tasks,
        annotation,
        plan,
        moving,
        sample,
        estimates,
        late_work,
        all_work,
        dashboard,
        practice,
        guide,
        topic_routes,
    ),
    *(people, tokens, crowd, api, audit, export, questions, systems, removing, gold_page),
)
"""What the server answers."""
THREADS = 4
"""How many requests are worked on at once. More of them only take turns at Python's lock, and all get slower."""


class ScriptsAndStyles(StaticFiles):
    """The scripts and styles of a folder: of a kind of work, which has all else in its folder, nothing but these."""

    def lookup_path(self, path: str) -> tuple[str, os.stat_result | None]:
        """Where a file is; None where there is none that everybody may have."""
        if not path.endswith((".js", ".css")):
            return "", None
        return super().lookup_path(path)


def create_app(assessment: Assessment, *, hosts: Iterable[str] = (), address: str = "") -> FastAPI:
    """The server of one assessment.

    Args:
        assessment: what it serves.
        hosts: the names by which it may be addressed (none: any).
        address: where people open it (by default: as they did); by https, cookies are sent no other way.
    """
    app = FastAPI(
        title="pyramidion assess", version=VERSION, docs_url=None, redoc_url=None, openapi_url=None, lifespan=_lifespan
    )
    secure = address.startswith("https:")
    app.state.assessment, app.state.address, app.state.secure = assessment, address, secure
    app.state.sign_ins = SignInLimit()
    for module in MODULES:
        app.router.routes.extend(module.router.routes)
    for name in PUBLIC:
        app.mount(f"/{name}", ScriptsAndStyles(directory=HERE / name), name=name)
    app.add_middleware(Guard, hosts=hosts, secure=secure)
    app.add_exception_handler(HTTPException, _explain)  # type: ignore[arg-type]  # Starlette declares Exception
    app.add_exception_handler(RequestValidationError, _wrong)  # type: ignore[arg-type]  # likewise
    for kind in (DBAPIError, NoConnectionError):
        app.add_exception_handler(kind, _not_stored)
    return app


@contextlib.asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    """While the server runs, the campaign's files follow the work; at the end they have all of it."""
    assessment: Assessment = app.state.assessment
    compile_templates()
    # Set here, because the limiter belongs to the event loop that runs now.
    to_thread.current_default_thread_limiter().total_tokens = THREADS
    writer = FileWriter(assessment)
    assessment.on_change = writer.wake
    writer.start()
    try:
        yield
    finally:
        await run_in_threadpool(writer.stop)


async def _explain(request: Request, error: HTTPException) -> Response:
    """An error as its reader needs it: JSON for scripts, the sign-in page or a page with the reason for people."""
    if request.url.path.startswith("/api/"):
        return JSONResponse({"detail": error.detail}, error.status_code)
    if error.status_code == 401:
        return RedirectResponse("/sign-in", 303)
    return render(request, "error.html", None, status=error.status_code, reason=error.detail)


async def _wrong(request: Request, error: RequestValidationError) -> Response:  # noqa: ARG001  # as handlers are called
    """What is wrong with a request; not what it held, which may be anything."""
    problems = [{"place": list(map(str, problem["loc"])), "problem": problem["msg"]} for problem in error.errors()]
    return JSONResponse({"detail": problems}, 422)


async def _not_stored(request: Request, error: Exception) -> Response:
    """The database refused: nothing was stored, and the answer says so."""
    # The reason is for the log alone: it may name tables and values.
    log.error("database", exc_info=error)
    full = any(
        sign in str(getattr(error, "orig", "")).lower() for sign in ("disk is full", "no space left", "disk i/o error")
    )
    status, reason = (507, FULL) if full else (503, NO_DATABASE)
    if request.url.path.startswith("/api/"):
        return JSONResponse({"detail": reason}, status)
    return HTMLResponse(f"<!doctype html><title>Not stored</title><h1>That did not work</h1><p>{reason}</p>", status)
