"""The whole story on one server: invited by links, planned, written, annotated, judged, agreed, exported, scored."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from assess.serving import MAIN, Server
from browser.assess import doing
from browser.assess.conftest import on_both_databases, write_campaign
from browser.assess.lockerbie import MODELS, SUMMARIES, TOPICS

TOML = 'name = "Lockerbie"\nword_limit = 60\n[questions]\nset = "duc2006"\n'
WRITTEN = "HUMAN-D"
"""The model that is not there yet: someone writes it."""


@pytest.fixture
def server(tmp_path: Path, database: str | None) -> Iterator[Server]:
    given = [one for one in SUMMARIES if one["topic"] == "T1" and one["summarizer"] != WRITTEN]
    folder = write_campaign(tmp_path / "campaign", given, topics=TOPICS[:1])
    (folder / "campaign.toml").write_text(TOML)
    started = Server(folder, database)
    yield started
    assert started.stop() == 0


def invited(organiser: Page, context: BrowserContext, server: Server, name: str) -> Page:
    """The organiser makes an invitation, and its reader chooses a password."""
    organiser.goto(f"{server.url}/people")
    organiser.locator("input[name=name]").fill(name)
    organiser.get_by_role("button", name="Invite", exact=True).click()
    page = context.new_page()
    page.goto(organiser.get_by_label("Invitation link").input_value())
    page.get_by_label("Password").fill(f"the password of {name}")
    page.get_by_role("button", name="Set password").click()
    expect(page.get_by_text("There is nothing to do yet.")).to_be_visible()
    return page


def plan(page: Page, server: Server, *kinds: str) -> None:
    """Everybody does this work on the topic; only the systems are judged."""
    page.goto(f"{server.url}/plan")
    for box in page.locator("input[name=kinds]").all():
        box.set_checked(box.get_attribute("value") in kinds)
    page.get_by_label("Several assessors for each summary").check()
    if not page.locator("input[name=judged]").first.is_visible():  # it is open when some are left out
        page.get_by_text(re.compile("^Which summarizers are judged")).click()
    for box in page.locator("input[name=judged]").all():
        box.set_checked((box.get_attribute("value") or "").startswith("SYS-"))
    page.get_by_role("button", name="Draw a plan").click()
    page.get_by_role("button", name="Activate the plan").first.click()
    expect(page.get_by_role("heading", name="2. Work given out")).to_be_visible()


def start(page: Page, server: Server) -> str:
    """Open what is next, and say what it is; nothing if everything is done."""
    page.goto(server.url)
    link = page.get_by_role("link", name=re.compile("^(Start|Continue):"))
    if not link.count():
        return ""
    name = link.inner_text()
    link.click()
    expect(page.locator("#work h1")).to_be_visible()
    return name


def agree(page: Page, server: Server) -> None:
    """The organiser takes what both annotators have together."""
    page.goto(f"{server.url}/annotation")
    page.get_by_label("Who makes the consensus").select_option("organiser")
    page.get_by_role("button", name="Give").click()
    assert "Consensus of two pyramids" in start(page, server)
    pairs = page.locator(".pair-row")
    expect(pairs).to_have_count(3)  # one SCU of both, one of each
    for _ in range(3):
        page.keyboard.press("b")
    expect(page.get_by_text("All 3 decided")).to_be_visible()
    page.get_by_label("Status").select_option("final")
    doing.hand_in(page)


def judge(page: Page, server: Server) -> list[dict[str, str]]:
    """Do all work there is; the scores that pages of peers showed."""
    scores, seen = [], set()
    while name := start(page, server):
        assert not re.search("SYS-|HUMAN-", page.content())
        if "Peer annotation" in name:
            scores.append(doing.peer(page))
        elif "Coverage" in name:
            doing.coverage(page)
        else:
            seen.add(name.split(":")[1].strip())
            doing.form(page)
    assert seen == {"Pass 1", "Pass 2", "Pass 3"}
    expect(page.get_by_text("Everything is done")).to_be_visible()
    return scores


def rows(folder: Path, name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / f"{name}.jsonl").read_text().splitlines()]


def exported(page: Page, server: Server, tmp_path: Path) -> Path:
    page.goto(f"{server.url}/export")
    with page.expect_download() as download:
        page.get_by_role("link", name=re.compile("^The campaign folder")).click()
    download.value.save_as(tmp_path / "campaign.zip")
    with zipfile.ZipFile(tmp_path / "campaign.zip") as archive:
        archive.extractall(tmp_path / "exported")
    return tmp_path / "exported"


def scored(folder: Path) -> dict[tuple[str, str], dict[str, str]]:
    """What `pyramidion pyramid score` says of the files, as pages write it."""
    command = [sys.executable, "-W", "ignore", "-c", MAIN, "pyramid", "score", str(folder), "--format", "json"]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return {
        (one["annotator"], one["summarizer"]): {
            **{key: str(one[key]) for key in ("D", "X")},
            **{"P": f"{one['original']:.4f}", "P′": f"{one['modified']:.4f}"},
        }
        for one in map(json.loads, said.splitlines())
        if one["record"] == "pyramid"
    }


@on_both_databases
def test_from_the_printed_link_to_scores(
    server: Server, watched: Callable[..., BrowserContext], tmp_path: Path
) -> None:
    olga = watched().new_page()
    olga.goto(server.link)
    expect(olga.get_by_role("heading", name="Lockerbie")).to_be_visible()
    ann, bob = (invited(olga, watched(), server, name) for name in ("ann", "bob"))

    plan(olga, server, "write")  # three models are there, one is missing
    (writer,) = [page for page in (ann, bob) if start(page, server)]
    writer.get_by_label("Your summary", exact=True).fill(MODELS[WRITTEN])
    doing.hand_in(writer)

    plan(olga, server, "pyramid")
    assert "Pyramid" in start(ann, server)
    doing.pyramid_by_mouse(ann)
    assert "Pyramid" in start(bob, server)
    doing.pyramid_by_keyboard(bob)
    agree(olga, server)

    plan(olga, server, "peer", "coverage", "form")
    shown = {name: judge(page, server) for name, page in (("ann", ann), ("bob", bob))}

    folder = exported(olga, server, tmp_path)
    found = scored(folder)
    for name in shown:
        assert sorted(map(str, shown[name])) == sorted(str(found[name, system]) for system in ("SYS-1", "SYS-2"))
    assert found["ann", "SYS-1"]["D"] != "0"
    wanted = {"judgments": 2 * 2 * 7, "coverage": 2 * 2, "pyramids": 3, "annotations": 2 * 2, "summaries": 4 + 2}
    assert {name: len(rows(folder, name)) for name in wanted} == wanted
    assert {one["annotator"]: bool(one.get("consensus")) for one in rows(folder, "pyramids")} == {
        **{"ann": False, "bob": False, "consensus": True}
    }
    parts = [
        contributor["parts"]
        for one in rows(folder, "pyramids")
        for scu in one["scus"]
        for contributor in scu["contributors"]
    ]
    assert max(map(len, parts)) == 2  # discontinuous
    (model,) = [one for one in rows(folder, "summaries") if one["text"] == MODELS[WRITTEN]]
    assert (model["kind"], model["summarizer"]) in {("model", "ann"), ("model", "bob")}
    own, until = tmp_path / "campaign", time.monotonic() + 120
    while any(len(rows(own, name)) < wanted[name] for name in wanted) and time.monotonic() < until:
        time.sleep(0.2)
    assert {name: rows(own, name) for name in wanted} == {name: rows(folder, name) for name in wanted}
