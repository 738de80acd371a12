"""A film in pictures: a campaign from nothing to its report, in the browser alone; people look at the pictures."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from assess.serving import Server
from browser.assess import doing
from browser.assess.lockerbie import MODELS, PEERS
from browser.assess.test_story import agree, invited, plan, start

Keep = Callable[[Page, str], None]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A campaign that has a name, and nothing else."""
    folder = tmp_path / "campaign"
    folder.mkdir()
    (folder / "campaign.toml").write_text('name = "Lockerbie"\n')
    started = Server(folder)
    yield started
    assert started.stop() == 0


def describe(olga: Page, server: Server, keep: Keep) -> None:
    """A topic with documents, two systems, questions; all in the browser."""
    keep(olga, "film-01-first-page")
    olga.goto(f"{server.url}/topics")
    olga.get_by_label("Length of summaries in words").fill("60")
    olga.get_by_role("button", name="Set the limit").click()
    olga.get_by_label("Number of a new topic").fill("T1")
    olga.get_by_role("button", name="Add a topic").click()
    olga.get_by_label("Title").fill("Lockerbie suspects")
    olga.get_by_label("Request: what a summary should answer").fill("What became of the two suspects?")
    news = {"name": "news-1.txt", "mimeType": "text/plain", "buffer": " ".join(MODELS.values()).encode()}
    olga.get_by_label("Upload plain texts").set_input_files([news])  # type: ignore[arg-type]  # as a dictionary
    olga.get_by_role("button", name="Save", exact=True).click()
    expect(olga.get_by_label("Headline of news-1")).to_be_visible()
    keep(olga, "film-02-topic")
    for system in ("SYS-1", "SYS-2"):
        add_system(olga, server, system, PEERS[system])
    keep(olga, "film-03-systems")
    olga.goto(f"{server.url}/questions")
    olga.locator("select[name=name]").select_option("tac2008")
    olga.get_by_role("button", name="Ask these questions").click()
    expect(olga.get_by_text("Saved.", exact=True)).to_be_visible()
    keep(olga, "film-04-questions")


def add_system(olga: Page, server: Server, system: str, text: str) -> None:
    olga.goto(f"{server.url}/systems")
    olga.get_by_label("Id, as in the files").fill(system)
    summary = {"name": "T1.txt", "mimeType": "text/plain", "buffer": text.encode()}
    olga.locator("input[type=file]").set_input_files([summary])  # type: ignore[arg-type]  # as a dictionary
    olga.get_by_role("button", name="Add", exact=True).click()
    expect(olga.get_by_text(f"1 summary of {system} added.")).to_be_visible()


def judge(pages: dict[str, Page], server: Server, keep: Keep) -> None:
    """All work there is, of everybody; a picture of the first of each kind."""
    pictures = {"Peer annotation": "film-13-peer", "Coverage": "film-14-coverage", "Pass 1": "film-15-form"}
    for page in pages.values():
        while name := start(page, server):
            kind = next(iter(kind for kind in pictures if kind in name), "")
            if kind:
                expect(page.locator(".tools-bar")).to_be_visible()
                page.wait_for_timeout(300)
                keep(page, pictures.pop(kind))
            if "Peer annotation" in name:
                doing.peer(page)
            elif "Coverage" in name:
                doing.coverage(page)
            else:
                doing.form(page)


def test_a_campaign_from_nothing_to_the_report(
    server: Server, watched: Callable[..., BrowserContext], keep: Keep, tmp_path: Path
) -> None:
    olga = watched().new_page()
    olga.goto(server.link)
    expect(olga.get_by_role("heading", name="Lockerbie")).to_be_visible()
    describe(olga, server, keep)

    pages = {name: invited(olga, watched(), server, name) for name in ("ann", "bob", "cec", "dan")}
    keep(olga, "film-05-people")
    olga.goto(f"{server.url}/plan")
    for box in olga.locator("input[name=kinds]").all():
        box.set_checked(box.get_attribute("value") == "write")
    olga.get_by_role("button", name="Draw a plan").click()
    keep(olga, "film-06-plan-drawn")
    olga.get_by_role("button", name="Activate the plan").first.click()
    for (name, page), text in zip(pages.items(), MODELS.values(), strict=True):
        page.goto(server.url)
        if name == "ann":
            keep(page, "film-07-first-page-of-an-assessor")
        assert start(page, server)
        page.get_by_label("Your summary", exact=True).fill(text)
        if name == "ann":
            keep(page, "film-08-writing")
        doing.hand_in(page)

    plan(olga, server, "pyramid")
    keep(olga, "film-09-plan-activated")
    annotators = [page for page in pages.values() if start(page, server)]
    assert len(annotators) == 2
    doing.pyramid_by_mouse(annotators[0])
    keep(annotators[0], "film-10-pyramid")
    doing.pyramid_by_keyboard(annotators[1])
    olga.goto(f"{server.url}/annotation")
    keep(olga, "film-11-annotation")
    agree(olga, server)
    keep(olga, "film-12-consensus")

    plan(olga, server, "peer", "coverage", "form")
    judge(pages, server, keep)
    add_system(olga, server, "SYS-3", "A jet fell on Lockerbie in 1988. Libya wanted a neutral country.")
    olga.goto(f"{server.url}/plan")
    expect(olga.get_by_role("heading", name="New since the plan was activated")).to_be_visible()
    keep(olga, "film-16-late-system")
    olga.get_by_role("button", name=re.compile("^Give out")).click()
    keep(olga, "film-17-late-system-asked")
    olga.get_by_role("button", name=re.compile("^Give out")).click()
    judge(pages, server, keep)
    olga.goto(f"{server.url}/dashboard/gold")
    olga.get_by_label("Summary of").select_option("SYS-1")
    olga.get_by_label("Highest right answer").fill("3")
    olga.get_by_role("button", name="Add", exact=True).click()
    expect(olga.get_by_role("heading", name="What they show about people")).to_be_visible()
    keep(olga, "film-18-gold")
    olga.goto(f"{server.url}/dashboard")
    expect(olga.get_by_text("100 %").first).to_be_visible()
    keep(olga, "film-19-dashboard")
    olga.goto(f"{server.url}/dashboard/agreement")
    keep(olga, "film-20-agreement")
    olga.goto(f"{server.url}/dashboard/leaderboards")
    keep(olga, "film-21-leaderboards")
    olga.goto(f"{server.url}/dashboard")
    with olga.expect_download() as download:
        olga.get_by_role("link", name="Report (download)").click()
    path = tmp_path / "report.html"
    download.value.save_as(path)
    report = watched().new_page()
    report.goto(path.as_uri())
    expect(report.get_by_role("heading", name=re.compile("Lockerbie")).first).to_be_visible()
    keep(report, "film-22-report")
