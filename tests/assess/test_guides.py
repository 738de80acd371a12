"""Guided first tasks: an example of each kind that a plan gives out, which is stored nowhere."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

import pyramidion.assess
from pyramidion.assess.kinds.assignment import KINDS
from pyramidion.assess.kinds.registry import KINDS as ALL_KINDS
from pyramidion.assess.store.people import Role
from pyramidion.assess.web.example import GUIDED, example
from pyramidion.assess.web.pages import WORK_PAGES

STEPS = Path(pyramidion.assess.__file__).parent / "static/js/guides.js"


def test_every_kind_of_a_plan_has_a_guide() -> None:
    assert set(KINDS) <= set(GUIDED)
    assert set(re.findall(r'^  "?([a-z-]+)"?: \[$', STEPS.read_text(), re.M)) == set(GUIDED)


@pytest.mark.parametrize("kind", GUIDED)
def test_the_example_is_a_page_without_real_data(kind: str, client: Callable[[str, Role], TestClient]) -> None:
    data = example(kind)
    assert data is not None
    assert "ferry" in str(data["material"]).lower()
    page = client("ann", "assessor").get(f"/guide/{kind}")
    assert page.status_code == 200
    assert "Summary of T1" not in page.text


def test_every_kind_of_work_but_topics_has_a_page_with_a_script() -> None:
    assert WORK_PAGES.keys() == ALL_KINDS.keys() - {"topic"}
    assert all((STEPS.parents[2] / page.script).is_file() for page in WORK_PAGES.values())


def test_there_is_no_guide_for_anything_else(client: Callable[[str, Role], TestClient]) -> None:
    assert client("ann", "assessor").get("/guide/topic").status_code == 404
    assert client("gus", "guest").get("/guide/form").status_code == 403
