"""Guided first tasks: an example of each kind that a plan gives out, which is stored nowhere."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from pyramidion.assess.kinds.registry import PLANNED, TASK_TYPES, WITH_PAGES
from pyramidion.assess.store.people import Role
from pyramidion.assess.web.guide import example_data
from pyramidion.assess.web.pages import HERE


def script_of(kind: str) -> Path:
    page = TASK_TYPES[kind].page
    assert page is not None
    return HERE / page.script


def test_every_kind_of_a_plan_has_a_guide() -> None:
    assert set(PLANNED) <= set(WITH_PAGES)
    for kind in WITH_PAGES:
        assert 'import { STEPS } from "./guide.js"' in script_of(kind).read_text()
        assert "export const STEPS = [" in (script_of(kind).parent / "guide.js").read_text()


@pytest.mark.parametrize("kind", WITH_PAGES)
def test_the_example_is_a_page_without_real_data(kind: str, client: Callable[[str, Role], TestClient]) -> None:
    data = example_data(kind)
    assert data is not None
    assert "ferry" in str(data["material"]).lower()
    page = client("ann", "assessor").get(f"/guide/{kind}")
    assert page.status_code == 200
    assert "Summary of T1" not in page.text


def test_every_kind_of_work_but_topics_has_a_page_with_a_script() -> None:
    assert set(WITH_PAGES) == TASK_TYPES.keys() - {"topic"}
    assert all(script_of(kind).is_file() for kind in WITH_PAGES)


def test_there_is_no_guide_for_anything_else(client: Callable[[str, Role], TestClient]) -> None:
    assert client("ann", "assessor").get("/guide/topic").status_code == 404
    assert client("gus", "guest").get("/guide/form").status_code == 403
