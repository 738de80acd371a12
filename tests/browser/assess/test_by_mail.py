"""The same work on the server and from a file: the same rows."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from browser.assess import doing
from browser.assess.conftest import Server, write_campaign
from browser.assess.lockerbie import SUMMARIES, TOPICS
from pyramidion.assess.file_writer import write_files
from pyramidion.assess.web.mail import export_task_page, merge_event_files

HANDLES = {"1": "HUMAN-C", "2": "HUMAN-A", "3": "HUMAN-D", "4": "HUMAN-B"}
PEER = {"summaries": {"1": "SYS-1"}, "models": HANDLES, "pyramid": "", "mode": "full", "non_matching": True}
SPECS: dict[str, dict[str, Any]] = {
    "form": {"pass": 1, "summaries": {"1": "SYS-1", "2": "SYS-2"}},
    "pyramid": {"models": HANDLES},
    "peer": PEER,
    "coverage": {"summaries": {"1": "SYS-2"}, "models": {"1": "HUMAN-D"}, "units": "sentences"},
}
DOING: dict[str, Callable[[Page], object]] = {
    "form": doing.form,
    "pyramid": doing.pyramid_by_mouse,
    "peer": doing.peer,
    "coverage": doing.coverage,
}
FILES = ("judgments", "pyramids", "annotations", "coverage")
TELL_WHEN = {"time", "seconds"}


def rows(folder: Path) -> dict[str, list[dict[str, Any]]]:
    """What the work led to, without when it was done."""
    found = {}
    for name in FILES:
        path = folder / f"{name}.jsonl"
        lines = path.read_text().splitlines() if path.exists() else []
        found[name] = [
            {key: value for key, value in json.loads(line).items() if key not in TELL_WHEN} for line in lines
        ]
    return found


@pytest.fixture
def prepared(tmp_path: Path, served: Callable[[Path], Server]) -> Callable[[str], Server]:
    """A server whose assessor has one piece of work of each kind; bob's pyramid is there to match peers against."""
    quoted = {"HUMAN-D": "Two Libyan suspects were indicted in 1991.", "HUMAN-B": "Two Libyans were indicted in 1991"}
    texts = {one["summarizer"]: one["text"] for one in SUMMARIES if one["topic"] == "T1"}
    spans = {who: [texts[who].index(words), texts[who].index(words) + len(words)] for who, words in quoted.items()}
    contributors = [{"model": who, "parts": [span]} for who, span in spans.items()]
    scus = [{"uid": 1, "label": doing.INDICTED, "contributors": contributors}]
    pyramid = {"topic": "T1", "models": list(HANDLES.values()), "annotator": "bob", "scus": scus}

    def made(name: str) -> Server:
        server = served(write_campaign(tmp_path / name, SUMMARIES, topics=TOPICS, pyramids=[pyramid]))
        for kind, spec in SPECS.items():
            server.give("ann", kind, kind, "T1", {**spec, "pyramid": "bob"} if kind == "peer" else spec)
        return server

    return made


def test_work_from_a_file_gives_the_rows_that_work_on_the_server_gives(
    prepared: Callable[[str], Server],
    sign_in: Callable[..., BrowserContext],
    watched: Callable[..., BrowserContext],
    tmp_path: Path,
) -> None:
    online = prepared("online")
    page = sign_in(online, "ann").new_page()
    for kind in SPECS:
        page.goto(f"{online.address}/task/{kind}")
        DOING[kind](page)
    write_files(online.assessment)

    mailed = prepared("mailed")
    assert export_task_page(mailed.assessment, "ann", tmp_path / "task.html").task_count == len(SPECS)
    page = watched(offline=True).new_page()
    page.goto((tmp_path / "task.html").as_uri())
    for number, kind in enumerate(SPECS):
        page.locator(f'a[href="#{kind}"]').click()
        DOING[kind](page)
        page.reload()  # nothing is lost
        expect(page.get_by_text("Handed in.")).to_be_visible()
        page.get_by_role("link", name="Go to your work").click()
        expect(page.get_by_text("Handed in")).to_have_count(number + 1)
    expect(page.get_by_role("button", name="Download answers")).to_have_count(1)
    with page.expect_download() as download:
        page.get_by_role("button", name="Download answers").click()
    download.value.save_as(tmp_path / "answers.json")
    for _ in range(2):  # any number of times
        merged = merge_event_files(mailed.assessment, [tmp_path / "answers.json"])
        assert merged.problems == []
    write_files(mailed.assessment)
    found = rows(tmp_path / "mailed")
    assert found == rows(tmp_path / "online")
    assert {name: len(found[name]) for name in FILES} == {
        **{"judgments": 2, "pyramids": 2, "annotations": 1, "coverage": 1}
    }
