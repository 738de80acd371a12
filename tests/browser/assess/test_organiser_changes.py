"""What organisers change while people work: late systems, topics, questions; each asks first, and can be put back."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from browser.assess import doing
from browser.assess.conftest import Server, serious, write_campaign
from browser.assess.lockerbie import SUMMARIES, TOPICS

TOML = '# Ours.\nname = "Lockerbie"\nword_limit = 60\n\n[questions]\nset = "tac2008"  # for a start\n'
SignIn = Callable[..., BrowserContext]
Keep = Callable[[Page, str], None]


@pytest.fixture
def server(tmp_path: Path, served: Callable[[Path], Server]) -> Server:
    folder = write_campaign(tmp_path / "campaign", SUMMARIES, topics=TOPICS)
    (folder / "campaign.toml").write_text(TOML)
    server = served(folder)
    for name in ("ann", "bob"):
        server.assessment.people.add(name, "assessor")
    return server


@pytest.fixture
def olga(server: Server, sign_in: SignIn) -> Page:
    return sign_in(server, "olga", role="organiser").new_page()


def activate(page: Page, server: Server) -> None:
    page.goto(f"{server.address}/plan")
    page.get_by_role("button", name="Draw a plan").click()
    page.get_by_role("button", name="Activate the plan").first.click()
    expect(page.get_by_text("given out.")).to_be_visible()


def test_a_late_system_is_added_given_out_and_judged(server: Server, olga: Page, sign_in: SignIn, keep: Keep) -> None:
    activate(olga, server)
    before = len(server.assessment.given_out())
    olga.goto(f"{server.address}/systems")
    olga.get_by_label("Id, as in the files").fill("LATE")
    files = [
        {"name": f"{topic}.txt", "mimeType": "text/plain", "buffer": f"Late words about {topic}.".encode()}
        for topic in server.assessment.campaign.topic_ids
    ]
    olga.get_by_label("Summaries", exact=False).set_input_files(files)  # type: ignore[arg-type]  # as dictionaries
    olga.get_by_role("button", name="Add", exact=True).click()
    expect(olga.get_by_text(re.compile("of LATE added"))).to_be_visible()
    keep(olga, "system-added")
    olga.get_by_role("link", name="Plan", exact=True).first.click()
    expect(olga.get_by_role("heading", name="New since the plan was activated")).to_be_visible()
    expect(olga.get_by_text("Nobody has been given the summaries of LATE.")).to_be_visible()
    keep(olga, "plan-late")
    assert serious(olga) == []
    olga.get_by_role("button", name=re.compile("^Give out")).click()
    expect(olga.get_by_role("heading", name=re.compile("^Give out .* work"))).to_be_visible()
    keep(olga, "plan-late-asked")
    olga.get_by_role("button", name=re.compile("^Give out")).click()
    expect(olga.get_by_text("given out.")).to_be_visible()
    expect(olga.get_by_role("heading", name="New since the plan was activated")).to_have_count(0)
    tasks = server.assessment.given_out()
    assert len(tasks) == before  # nobody had begun: the late summaries are among the others
    assert all("LATE" in task.spec["summaries"].values() for task in tasks)
    name = server.assessment.name_of(next(task.person for task in tasks if task.spec["pass"] == 1))
    judging = sign_in(server, name).new_page()
    judging.goto(server.address)
    judging.get_by_role("link", name=re.compile("^Start:")).click()
    doing.form(judging)
    assert "LATE" not in judging.content()
    server.assessment.view.lines()
    assert "LATE" in {judgment.summarizer for judgment in server.assessment.campaign.judgments}


def test_questions_are_edited_previewed_reduced_and_put_back(
    server: Server, olga: Page, sign_in: SignIn, keep: Keep
) -> None:
    activate(olga, server)
    first = next(task for task in server.assessment.given_out() if task.spec["pass"] == 1)
    judging = sign_in(server, server.assessment.name_of(first.person)).new_page()
    judging.goto(f"{server.address}/task/{first.id}")
    doing.form(judging)
    olga.goto(f"{server.address}/questions")
    guidelines = olga.get_by_label("Question and guidelines, as assessors read them").first
    guidelines.fill("Does it read <i>well</i>?")
    expect(guidelines).to_have_value("Does it read <i>well</i>?")
    with olga.context.expect_page() as opened:
        olga.get_by_role("button", name="Preview pass 1").click()
    preview = opened.value
    expect(preview.get_by_text("Does it read <i>well</i>?")).to_be_visible()
    preview.keyboard.press("4")  # it can be tried
    expect(preview.get_by_text("1 of 3 answers")).to_be_visible()
    expect(preview.get_by_text("in this browser.")).to_have_count(0)  # the form that is not saved is no work that waits
    keep(preview, "questions-preview")
    assert serious(preview) == []
    # What was typed and not saved is back after the page was left.
    olga.wait_for_timeout(1_500)
    olga.goto(f"{server.address}/questions")
    expect(guidelines).to_have_value("Does it read <i>well</i>?")
    expect(olga.get_by_text("What you typed here before and did not save is back")).to_be_visible()
    olga.get_by_role("button", name="Save", exact=True).click()
    expect(olga.get_by_text("Saved.", exact=True)).to_be_visible()
    text = (server.folder / "campaign.toml").read_text()
    assert text.startswith("# Ours.\n")
    assert "# for a start" in text
    assert tomllib.loads(text)["questions"]["linguistic-quality"]["text"] == "Does it read <i>well</i>?"
    olga.get_by_label("Remove linguistic-quality").check()
    olga.get_by_role("button", name="Save", exact=True).click()
    expect(olga.get_by_role("heading", name="Change the questions?")).to_be_visible()
    keep(olga, "questions-asked")
    assert serious(olga) == []
    olga.get_by_role("button", name="Change the questions").click()
    expect(olga.get_by_role("heading", name="Removed")).to_be_visible()
    assert [question.name for question in server.assessment.base.questions] == ["overall-responsiveness"]
    keep(olga, "questions-removed")
    olga.get_by_role("button", name="Put back").click()
    expect(olga.get_by_role("heading", name="Removed")).to_have_count(0)
    assert len(server.assessment.base.questions) == 2
    task = server.assessment.work.task(first.id)
    assert task is not None
    assert task.done
    assert not task.withdrawn


def test_a_topic_is_removed_after_asking_and_put_back(server: Server, olga: Page, keep: Keep) -> None:
    activate(olga, server)
    topic = server.assessment.campaign.topic_ids[0]
    tasks = len(server.assessment.given_out())
    olga.goto(f"{server.address}/topics")
    olga.get_by_role("button", name=f"Remove… topic {topic}").click()
    expect(olga.get_by_role("heading", name=f"Remove topic {topic}?")).to_be_visible()
    keep(olga, "topic-asked")
    assert serious(olga) == []
    olga.get_by_role("button", name=f"Remove topic {topic}").click()
    expect(olga.get_by_role("heading", name="Removed")).to_be_visible()
    assert topic not in server.assessment.campaign.topic_ids
    assert len(server.assessment.given_out()) < tasks
    olga.get_by_role("button", name=f"Put back {topic}").click()
    expect(olga.get_by_role("heading", name="Removed")).to_have_count(0)
    assert topic in server.assessment.campaign.topic_ids
    assert len(server.assessment.given_out()) == tasks
