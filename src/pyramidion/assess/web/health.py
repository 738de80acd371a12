"""Whether the server works: what a load balancer or a monitor asks."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.responses import JSONResponse
from sqlalchemy.exc import SQLAlchemyError

from pyramidion.assess.web.access import ServedAssessment

router: APIRouter = APIRouter()


@router.get("/health")
def health(assessment: ServedAssessment) -> JSONResponse:
    """200 if the database answers, else 503."""
    try:
        assessment.work.stamp()
    except SQLAlchemyError:
        return JSONResponse({"status": "the database does not answer"}, 503)
    return JSONResponse({"status": "ok"})
