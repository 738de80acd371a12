"""Starting the server on this computer: the database in the campaign's folder, a one-time link for the organiser."""

from __future__ import annotations

from pathlib import Path

import uvicorn

from pyramidion.assess.app import create_app
from pyramidion.assess.assessment import Assessment

ORGANISER = "organiser"


def start_link(assessment: Assessment, address: str) -> str:
    """A link that signs the organiser in, once."""
    person = assessment.people.find(name=ORGANISER) or assessment.people.add(ORGANISER, "organiser")
    return f"{address}/start/{assessment.people.invite(person.id)}"


def serve(folder: Path, *, host: str = "127.0.0.1", port: int = 8700, database: str | None = None) -> None:
    """Serve until stopped."""
    assessment = Assessment(folder, database=database)
    try:
        uvicorn.run(create_app(assessment), host=host, port=port, log_level="warning", access_log=False)
    finally:
        assessment.close()
