"""People from a crowd platform in the browser: consent, check, work, and the way back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from browser.assess.conftest import Server, serious, write_campaign
from browser.assess.lockerbie import SUMMARIES, TOPICS
from pyramidion.assess.crowd import Crowd
from pyramidion.assess.store.work import Event, Task

CHECK = "What do you judge?\n* the summary\n- the documents\n\nMay you use other sources?\n- yes\n* no"
CONSENT = (
    "You read two summaries and answer five questions about each. It takes about 10 minutes.\n\nWe store your answers."
)


@pytest.fixture
def server(tmp_path: Path, served: Callable[[Path], Server]) -> Server:
    folder = write_campaign(tmp_path / "campaign", SUMMARIES, topics=TOPICS)
    (folder / "campaign.toml").write_text('name = "Lockerbie"\n[questions]\nset = "duc2006"\n')
    return served(folder)


def test_someone_comes_from_a_platform_works_and_goes_back(
    server: Server,
    browser: Browser,
    sign_in: Callable[..., BrowserContext],
    keep: Callable[[Page, str], None],
) -> None:
    olga = sign_in(server, "olga", role="organiser").new_page()
    olga.goto(f"{server.address}/crowd")
    olga.get_by_label("Add places").fill("2")
    olga.get_by_role("button", name="Add").click()
    expect(olga.locator("main")).to_contain_text("2 without work")
    place = Crowd(server.assessment).places()[0]
    topic = next(iter(server.assessment.campaign.topic_ids))
    server.assessment.give_out([Task(id="t", kind="write", topic=topic, person=place.id)])
    olga.get_by_label("Consent text").fill(CONSENT)
    olga.get_by_label("Comprehension check").fill(CHECK)
    olga.get_by_label("Completion code").fill("C0DE")
    olga.get_by_label("Let people in").check()
    olga.get_by_role("button", name="Save").click()
    link = olga.get_by_label("Address of the study").input_value()
    assert link.endswith("SESSION_ID={{%SESSION_ID%}}")
    keep(olga, "crowd-settings")

    page = browser.new_page()
    page.goto(link.replace("{{%PROLIFIC_PID%}}", "5f").replace("{{%STUDY_ID%}}", "1").replace("{{%SESSION_ID%}}", "2"))
    assert serious(page) == []
    keep(page, "crowd-consent")
    page.get_by_role("button", name="I agree").click()
    for answer in ("the documents", "no"):
        page.get_by_label(answer, exact=True).check()
    page.get_by_role("button", name="Check my answers").click()
    expect(page.get_by_role("alert")).to_contain_text("your last attempt")
    assert serious(page) == []
    keep(page, "crowd-check")
    for answer in ("the summary", "no"):
        page.get_by_label(answer, exact=True).check()
    page.get_by_role("button", name="Check my answers").click()
    expect(page.get_by_role("heading", name="Your work")).to_be_visible()
    task = server.assessment.work.task("t")
    assert task is not None
    changes = {"text": "A bomb destroyed the plane.", "done": True}
    server.assessment.append(task, place.id, [Event(id="0" * 36, version=1, action="hand-in", changes=changes)])
    page.reload()
    expect(page.locator("main")).to_contain_text("Your completion code: C0DE")
    assert serious(page) == []
    keep(page, "crowd-end")
    olga.reload()
    expect(olga.get_by_role("row", name="5f")).to_contain_text("finished")
    page.close()
