"""A small campaign to assess, and clients that are signed in."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from pyramidion.assess.assessment import DATABASE, Assessment
from pyramidion.assess.store.database import sqlite_url
from pyramidion.assess.store.people import Role
from pyramidion.assess.web.app import create_app

TOML = """name = "Two topics"
word_limit = 12

[summarizers.SYS-1]
name = "Secret Laboratory"
organisation = "Hidden University"

[[questions]]
name = "clear"
text = "Is it clear?"
scale = [1, 5]
pass = 1

[[questions]]
name = "good"
text = "Is it good?"
scale = [1, 5]
pass = 2
"""


def rows(kind: str, summarizers: str) -> list[dict[str, str]]:
    return [
        {
            "topic": topic,
            "summarizer": one,
            "kind": kind,
            "text": f"Summary of {topic} in the words of writer number {i}.",
        }
        for topic in ("T1", "T2")
        for i, one in enumerate(summarizers.split())
    ]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two topics, three models and four systems whose ids occur nowhere else."""
    campaign = tmp_path / "campaign"
    campaign.mkdir()
    (campaign / "campaign.toml").write_text(TOML)
    lines = [*rows("model", "HUMAN-A HUMAN-B HUMAN-C"), *rows("peer", "SYS-1 SYS-2 SYS-3 SYS-4")]
    (campaign / "summaries.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return campaign


@pytest.fixture
def assessment(folder: Path) -> Iterator[Assessment]:
    """The assessment of the small campaign, on SQLite."""
    opened = Assessment(folder)
    yield opened
    opened.close()


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def database(request: pytest.FixtureRequest, folder: Path) -> str:
    """The address of an empty database, once of each kind."""
    if request.param == "sqlite":
        return sqlite_url(folder / DATABASE).render_as_string()
    address: str = request.getfixturevalue("postgres_database")
    return address


@pytest.fixture
def both(folder: Path, database: str) -> Iterator[Assessment]:
    """The assessment of the small campaign, once on SQLite and once on PostgreSQL."""
    opened = Assessment(folder, database=database)
    yield opened
    opened.close()


@pytest.fixture
def client(assessment: Assessment) -> Callable[[str, Role], TestClient]:
    """Sign someone in: `client("ann", "assessor")`."""

    def signed_in(name: str, role: Role) -> TestClient:
        person = assessment.people.find(name=name) or assessment.people.add(name, role)
        browser = TestClient(create_app(assessment))
        session = assessment.people.sign_in(person)
        browser.cookies.set("pyramidion_session", session.token)
        browser.headers["x-csrf-token"] = session.csrf
        return browser

    return signed_in
