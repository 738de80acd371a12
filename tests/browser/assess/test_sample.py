"""A sample in the browser: drawn on the plan page, answered by two people, estimated in the report and from the files."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

import pyramidion
from assess.serving import MAIN
from browser.assess import doing
from browser.assess.conftest import Server, serious, write_campaign

TOPICS = [f"T{number}" for number in range(1, 5)]
SYSTEMS = ("SYS-1", "SYS-2", "SYS-3")
SHARES = {"SYS-1": 0.9, "SYS-2": 0.6, "SYS-3": 0.3}
THINGS = ("harbour", "bridge", "tunnel", "school", "market", "station", "library", "theatre", "museum", "hospital")
REWORDED = {"bridge": "span", "school": "academy", "market": "bazaar", "theatre": "playhouse"}
"""What systems write instead: people see that it is the same, word overlap does not."""


def sentence(thing: str, number: int) -> str:
    return f"The {thing} of district {number} was closed."


def campaign(folder: Path) -> Path:
    """Four topics with ten SCUs each; two references have all of them, systems a share."""
    random = Random(5)
    summaries: list[dict[str, Any]] = []
    pyramids: list[dict[str, Any]] = []
    for number, topic in enumerate(TOPICS, start=1):
        text = " ".join(sentence(thing, number) for thing in THINGS)
        models = ("HUMAN-A", "HUMAN-B")
        summaries += [{"topic": topic, "summarizer": model, "kind": "model", "text": text} for model in models]
        scus = []
        for uid, thing in enumerate(THINGS, start=1):
            start = text.index(sentence(thing, number))
            parts = [[start, start + len(sentence(thing, number))]]
            contributors = [{"model": model, "parts": parts} for model in models]
            scus.append({"uid": uid, "label": sentence(thing, number), "contributors": contributors})
        pyramids.append({"topic": topic, "annotator": "olga", "models": models, "scus": scus})
        for system in SYSTEMS:
            things = [REWORDED.get(thing, thing) for thing in THINGS if random.random() < SHARES[system]]
            words = " ".join(sentence(thing, number) for thing in things) or "Nothing happened."
            summaries.append({"topic": topic, "summarizer": system, "kind": "peer", "text": words})
    topics = [{"topic": topic, "title": f"Closures in {topic}"} for topic in TOPICS]
    write_campaign(folder, summaries, topics=topics, pyramids=pyramids)
    (folder / "campaign.toml").write_text('name = "Closures"\n')
    return folder


@pytest.fixture
def server(tmp_path: Path, served: Callable[[Path], Server]) -> Server:
    server = served(campaign(tmp_path / "campaign"))
    for name in ("ann", "bob"):
        server.assessment.people.add(name, "assessor")
    return server


def plan(page: Page, server: Server, order: str) -> None:
    """Give out the drawn questions."""
    page.goto(f"{server.address}/plan")
    for box in page.locator("input[name=kinds]").all():
        box.set_checked(box.get_attribute("value") == "content")
    page.get_by_label("SCU questions: asked together are").select_option(order)
    page.get_by_role("button", name="Draw a plan").click()
    page.get_by_role("button", name="Activate the plan").first.click()


def draw(page: Page, server: Server, share: str) -> None:
    page.goto(f"{server.address}/plan")
    if not page.get_by_label("Share of the answers").is_visible():
        page.get_by_text("Draw a sample: people answer a part").click()
    page.get_by_label("Share of the answers").fill(share)
    page.get_by_role("button", name=re.compile("^(Draw|Extend) the sample")).click()


def answer_all(page: Page, server: Server, *, mark_words: bool = False) -> list[str]:
    """Answer every question of every task by keys, as the texts say; the headings of the tasks."""
    headings: list[str] = []
    while True:
        page.goto(server.address)
        link = page.get_by_role("link", name=re.compile("^(Start|Continue):"))
        if not link.count():
            return headings
        link.click()
        expect(page.locator("#work h1")).to_be_visible()
        assert not re.search("SYS-|HUMAN-", page.content())
        headings.append(page.locator("#work h1").inner_text().splitlines()[0])
        total = int(re.findall(r"of (\d+) questions", page.locator(".form-progress").inner_text())[0])
        for number in range(1, total + 1):
            expect(page.get_by_text(f"{number - 1} of {total} questions")).to_be_visible()
            thing = page.locator(".asked-scu .label").inner_text().split()[1]
            summary = page.locator("#summary").inner_text()
            is_present = thing in summary or REWORDED.get(thing, thing) in summary
            if is_present and mark_words:
                word = thing if thing in summary else REWORDED[thing]
                page.get_by_role("listbox", name="Summary").get_by_role("option", name=word, exact=True).first.click()
            page.keyboard.press("y" if is_present else "n")
        doing.hand_in(page)


def rows(folder: Path, name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / f"{name}.jsonl").read_text().splitlines()]


def exported(page: Page, server: Server, target: Path) -> Path:
    page.goto(f"{server.address}/export")
    with page.expect_download() as download:
        page.get_by_role("link", name=re.compile("^The campaign folder")).click()
    download.value.save_as(target.with_suffix(".zip"))
    with zipfile.ZipFile(target.with_suffix(".zip")) as archive:
        archive.extractall(target)
    return next(path.parent for path in target.rglob("summaries.jsonl"))


def test_a_fifth_is_planned_answered_by_two_people_and_estimated_in_report_and_files(
    server: Server,
    sign_in: Callable[..., BrowserContext],
    keep: Callable[[Page, str], None],
    tmp_path: Path,
    browser: Browser,
) -> None:
    organiser = sign_in(server, "olga", role="organiser").new_page()
    draw(organiser, server, "20")
    expect(organiser.get_by_text("8 of 40 SCUs are drawn (20 %)")).to_be_visible()
    keep(organiser, "plan-sample")
    assert serious(organiser) == []
    plan(organiser, server, "half of the topics each")
    assert len(server.assessment.given_out()) == 4
    ann = sign_in(server, "ann").new_page()
    bob = sign_in(server, "bob").new_page()
    headings = answer_all(ann, server, mark_words=True) + answer_all(bob, server)
    assert sorted(headings) == [
        *["SCU questions, SCU by SCU"] * 2,
        *["SCU questions, summary by summary"] * 2,
    ]
    organiser.goto(f"{server.address}/dashboard/estimates")
    expect(organiser.get_by_role("heading", name="Estimates so far")).to_be_visible()
    expect(organiser.get_by_text("more answers would halve the intervals")).to_be_visible()
    expect(organiser.get_by_text("This is the first look at results")).to_be_visible()
    expect(organiser.get_by_text("SCU questions, SCU by SCU:")).to_be_visible()
    keep(organiser, "estimates")
    assert serious(organiser) == []

    folder = exported(organiser, server, tmp_path / "exported")
    annotations = rows(folder, "annotations")
    assert len(annotations) == 4 * 3
    assert {row["annotator"] for row in annotations} == {"ann", "bob"}
    assert {row["draw"] for row in annotations} == {1}
    assert sum(len(row["scus"]) for row in annotations) == 24
    assert any(match.get("contributors") for row in annotations for match in row["scus"])
    words = ["compare", str(folder), "-m", "pyramid.recall", "--using", "auto-pyramid", "--format", "json"]
    output = subprocess.run([sys.executable, "-c", MAIN, *words], stdout=subprocess.PIPE, check=True, text=True).stdout
    records = [json.loads(line) for line in output.splitlines()]
    from_command = {row["summarizer"]: row["value"] for row in records if row["record"] == "predicted-mean"}
    from_server = pyramidion.Evaluation(server.assessment.campaign).compare(["pyramid.recall"], using=["auto-pyramid"])
    on_page = {row["summarizer"]: row["value"] for row in from_server.records() if row["record"] == "predicted-mean"}
    assert from_command == pytest.approx(on_page, abs=1e-12)

    with organiser.expect_download() as download:
        organiser.goto(f"{server.address}/dashboard")
        organiser.get_by_role("link", name="Report (download)").click()
    download.value.save_as(tmp_path / "report.html")
    report = browser.new_page()
    report.goto((tmp_path / "report.html").as_uri())
    section = report.locator("#estimates")
    expect(section).to_contain_text("People answered 20 % of the questions")
    for system, value in from_command.items():
        expect(section, system).to_contain_text(f"{value:.3f}")
    section.locator("summary").first.click()
    expect(section.get_by_text("auto-pyramid predicted the rest").first).to_be_visible()
    keep(report, "report-estimates")
    report.close()


def test_an_extended_sample_asks_the_new_questions_only_and_keeps_what_was_answered(
    server: Server, sign_in: Callable[..., BrowserContext], tmp_path: Path, keep: Callable[[Page, str], None]
) -> None:
    organiser = sign_in(server, "olga", role="organiser").new_page()
    draw(organiser, server, "20")
    plan(organiser, server, "all SCUs of a summary")
    ann, bob = (sign_in(server, name).new_page() for name in ("ann", "bob"))
    answer_all(ann, server)
    answer_all(bob, server)
    first = {(row.topic, row.summarizer): len(row.scus) for row in server.assessment.campaign.annotations}
    draw(organiser, server, "15")
    expect(organiser.get_by_text("20 % are drawn already: give a larger share")).to_be_visible()
    draw(organiser, server, "40")
    expect(organiser.get_by_text("it is a second look")).to_be_visible()
    plan(organiser, server, "all summaries of an SCU")
    tasks = [task for task in server.assessment.given_out() if not task.done]
    assert len(tasks) == 4
    assert {task.spec["draw"] for task in tasks} == {2}
    assert {len(task.spec["asked"]) for task in tasks} == {2 * 3}
    page = sign_in(server, "ann").new_page()
    page.goto(server.address)
    page.get_by_role("link", name=re.compile("^Start:")).click()
    expect(page.locator(".asked-scu")).to_be_visible()
    keep(page, "scu-questions")
    assert serious(page) == []
    page.keyboard.press("u")
    page.get_by_role("button", name="Hand in").click()
    expect(page.get_by_text("6 questions have no answer yet, or you were unsure.")).to_be_visible()
    keep(page, "scu-questions-open")
    page.get_by_role("button", name="Question 1, ").click()
    page.keyboard.press("Delete")
    doing.saved(page)
    answer_all(page, server)
    answer_all(bob, server)
    folder = exported(organiser, server, tmp_path / "exported")
    both = rows(folder, "annotations")
    assert {row["draw"] for row in both} == {1, 2}
    assert {(row["topic"], row["summarizer"]): len(row["scus"]) for row in both if row["draw"] == 1} == first
    comparison = pyramidion.compare(folder, "pyramid.recall", using="auto-pyramid")
    (plan_row,) = (row for row in comparison.records() if row["record"] == "predicted-plan")
    assert (plan_row["drawn"], plan_row["total"], plan_row["draws"]) == (16, 40, 2)
