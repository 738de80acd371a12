"""The same work on the server and from a file: the same rows."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from browser.assess.conftest import Server, write_campaign
from pyramidion.assess.mail import export_task_page, merge_event_files
from pyramidion.assess.writer import write_files

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SPEC = {"pass": 1, "summaries": {"1": "S1", "2": "S2"}}


def answer_all(page: Page) -> None:
    """Two summaries with one question each, by keys alone; then hand in."""
    page.locator("#work input[type=radio]").first.wait_for()
    for key in ("4", "2"):
        page.keyboard.press(key)
        page.wait_for_timeout(400)


def rows(folder: Path) -> list[dict[str, Any]]:
    found = [json.loads(line) for line in (folder / "judgments.jsonl").read_text().splitlines()]
    return [{key: row[key] for key in ("topic", "summarizer", "question", "value", "assessor")} for row in found]


def test_work_from_a_file_gives_the_rows_that_work_on_the_server_gives(
    served: Callable[[Path], Server],
    sign_in: Callable[..., Any],
    browser: Browser,
    tmp_path: Path,
) -> None:
    summaries = [
        {"topic": "T1", "summarizer": one, "kind": "peer", "text": f"The summary of {number}."}
        for number, one in enumerate(("S1", "S2"))
    ]
    online = served(write_campaign(tmp_path / "online", summaries))
    online.give("ann", "t1", "form", "T1", SPEC)
    page = sign_in(online, "ann").new_page()
    page.goto(f"{online.address}/task/t1")
    answer_all(page)
    expect(page.locator("#saved")).to_have_text("Saved")
    write_files(online.assessment)

    mailed = served(write_campaign(tmp_path / "mailed", summaries))
    mailed.give("ann", "t1", "form", "T1", SPEC)
    export_task_page(mailed.assessment, "ann", tmp_path / "task.html")
    context = browser.new_context(offline=True, accept_downloads=True)
    errors: list[str] = []
    page = context.new_page()
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.goto((tmp_path / "task.html").as_uri())
    page.get_by_role("link", name="topic T1").click()
    answer_all(page)
    expect(page.locator("#saved")).to_contain_text("Kept in this browser")
    page.reload()  # nothing is lost
    page.locator("#work input[type=radio]").first.wait_for()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download answers").click()
    download.value.save_as(tmp_path / "answers.json")
    assert errors == []
    context.close()
    assert merge_event_files(mailed.assessment, [tmp_path / "answers.json"]).problems == []
    write_files(mailed.assessment)
    assert rows(tmp_path / "mailed") == rows(tmp_path / "online") != []
