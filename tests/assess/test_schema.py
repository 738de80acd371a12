"""The API keeps what its schema says, whatever is sent (schemathesis)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error

from pyramidion.assess.assessment import Assessment
from pyramidion.assess.store.people import Role
from pyramidion.assess.store.work import Task
from pyramidion.assess.web.access import COOKIE
from pyramidion.assess.web.app import create_app

SPEC = {"pass": 1, "summaries": {"1": "SYS-2", "2": "SYS-1"}}


@pytest.mark.slow
@pytest.mark.parametrize("role", ["assessor", "organiser"])
def test_nothing_that_can_be_sent_is_a_server_error(folder: Path, role: Role) -> None:
    assessment = Assessment(folder)
    app = create_app(assessment)
    person = assessment.people.add("ann", role)
    assessment.give_out([Task(id="0", kind="form", topic="T1", person=person.id, spec=SPEC)])
    schema = schemathesis.openapi.from_dict(app.openapi())
    schema.app = app
    found: list[Any] = [one.ok() for one in schema.get_all_operations()]  # type: ignore[union-attr]
    operations = [one for one in found if "sign" not in one.path]
    assert len(operations) >= 10
    for operation in operations:

        @settings(
            max_examples=8,
            deadline=None,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operation.as_strategy(), own=st.booleans())
        def send(case: Any, own: bool) -> None:
            session = assessment.people.sign_in(person)
            if own and "id" in (case.path_parameters or {}):
                case.path_parameters["id"] = "0"
            answer = case.call_and_validate(
                cookies={COOKIE: session.token}, headers={"x-csrf-token": session.csrf}, checks=[not_a_server_error]
            )
            assert answer.status_code != 401

        send()
    assessment.close()
