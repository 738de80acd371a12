"""The application: routes, headers that keep pages safe, and errors as pages or JSON."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

from fastapi import FastAPI, Request, Response
from fastapi.responses import JSONResponse, RedirectResponse
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException

from pyramidion.assess.assessment import Assessment
from pyramidion.assess.pages import render
from pyramidion.assess.routes import home, signin, tasks
from pyramidion.version import VERSION

STATIC = Path(__file__).parent / "static"
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}


def create_app(assessment: Assessment) -> FastAPI:
    """The server of one assessment."""
    app = FastAPI(title="pyramidion assess", version=VERSION, docs_url=None, redoc_url=None, openapi_url=None)
    app.state.assessment = assessment
    for module in (signin, home, tasks):
        app.include_router(module.router)
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    app.middleware("http")(_add_headers)
    app.add_exception_handler(HTTPException, _explain)  # type: ignore[arg-type]
    return app


async def _add_headers(request: Request, answer: Callable[[Request], Awaitable[Response]]) -> Response:
    response = await answer(request)
    for name, value in HEADERS.items():
        if not (name == "Cache-Control" and request.url.path.startswith("/static/")):
            response.headers[name] = value
    return response


async def _explain(request: Request, error: HTTPException) -> Response:
    """An error as its reader needs it: JSON for scripts, the sign-in page or a page with the reason for people."""
    if request.url.path.startswith("/api/"):
        return JSONResponse({"detail": error.detail}, error.status_code)
    if error.status_code == 401:
        return RedirectResponse("/sign-in", 303)
    return render(request, "error.html", None, status=error.status_code, reason=error.detail)
