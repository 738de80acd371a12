"""Templates: everything is escaped, and every page gets who is signed in and the token of their forms."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import StrictUndefined
from starlette.templating import Jinja2Templates

from pyramidion.assess.store.people import Session

HERE = Path(__file__).parent
_templates = Jinja2Templates(directory=HERE / "templates")
_templates.env.undefined = StrictUndefined
_templates.env.trim_blocks = _templates.env.lstrip_blocks = True


def render(
    request: Request, template: str, session: Session | None, *, status: int = 200, **values: Any
) -> HTMLResponse:
    """A page."""
    values |= {"person": session.person if session else None, "csrf": session.csrf if session else ""}
    values["campaign"] = request.app.state.assessment.campaign
    return _templates.TemplateResponse(request, template, values, status_code=status)
