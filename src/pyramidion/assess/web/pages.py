"""Templates: everything is escaped; every page gets who is signed in, where they can go, and their token."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import StrictUndefined
from starlette.templating import Jinja2Templates

from pyramidion.assess.store.people import Role, Session

HERE = Path(__file__).parent.parent
_templates = Jinja2Templates(directory=[HERE / "templates", HERE / "kinds"])
_templates.env.undefined = StrictUndefined
_templates.env.trim_blocks = _templates.env.lstrip_blocks = True
_templates.env.auto_reload = False


@dataclass(frozen=True)
class Link:
    """A page that the bar at the top leads to, for these roles."""

    path: str
    title: str
    roles: tuple[Role, ...] = ("organiser",)


NAVIGATION = (
    Link("/", "Your work", ("organiser", "assessor")),
    Link("/dashboard", "Dashboard", ("organiser", "guest")),
    Link("/topics", "Topics"),
    Link("/systems", "Systems"),
    Link("/questions", "Questions"),
    Link("/people", "People"),
    Link("/plan", "Plan"),
    Link("/work", "Work"),
    Link("/practice", "Practice"),
    Link("/annotation", "Annotation"),
    Link("/export", "Export"),
    Link("/audit", "Audit"),
)


def compile_templates() -> None:
    """Make every page ready before the first reader asks for it."""
    for name in _templates.env.list_templates(extensions=["html"]):
        _templates.get_template(name)


def render(
    request: Request, template: str, session: Session | None, *, status: int = 200, **values: object
) -> HTMLResponse:
    """A page."""
    values |= {
        "person": session.person if session else None,
        "csrf": session.csrf if session else "",
        "navigation": navigation(session),
        "here": request.url.path,
        "campaign": request.app.state.assessment.base,
    }
    return _templates.TemplateResponse(request, template, values, status_code=status)


def page_text(template: str, **values: object) -> str:
    """A page that no request asked for."""
    return _templates.get_template(template).render(values)


def navigation(session: Session | None) -> list[Link]:
    """Where someone can go from here."""
    if session is None:
        return []
    return [link for link in NAVIGATION if session.person.role in link.roles]
