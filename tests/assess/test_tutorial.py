"""The page "Run an assessment with two colleagues", followed step by step against a real server."""

from __future__ import annotations

import json
import re
import time
import uuid
from pathlib import Path
from typing import Any

import httpx
import pytest
from click.testing import CliRunner

from assess.serving import PATIENCE_SECONDS, Server
from pyramidion.assess.web.server import demo_folder
from pyramidion.cli import program

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "run-an-assessment.md"


def commands() -> list[str]:
    blocks = re.findall(r"^```bash\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.M | re.S)
    return [line for block in blocks for line in block.splitlines() if line.startswith("pyramidion ")]


def run(command: str) -> None:
    done = CliRunner().invoke(program, command.split()[1:], catch_exceptions=False)
    assert done.exit_code == 0, (command, done.stderr)


def browser(server: Server) -> httpx.Client:
    return httpx.Client(base_url=server.url, follow_redirects=True, timeout=PATIENCE_SECONDS)


def send(client: httpx.Client, path: str, **fields: Any) -> httpx.Response:
    (csrf,) = set(re.findall(r'name="csrf" (?:content|value)="([^"]+)"', client.get("/").text))
    return client.post(path, data={"csrf": csrf, **fields})


@pytest.mark.slow
def test_the_steps_of_the_page_work(
    tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    start, *later = commands()
    assert start == "pyramidion assess demo"
    folder = demo_folder(tmp_path / "demo-assessment")
    before = len((folder / "judgments.jsonl").read_text().splitlines())
    server = Server(folder)
    request.addfinalizer(server.kill)
    with browser(server) as organiser, browser(server) as ann:
        organiser.get(server.link)
        for name in ("ann", "bob"):
            page = send(organiser, "/people", name=name, role="assessor")
            (link,) = re.findall(r'value="([^"]+/join/[^"]+)"', page.text)
            if name == "ann":
                assert ann.post(link, data={"password": "a long password"}).status_code == 200
        judged = re.findall(r'name="judged" value="([^"]+)"', organiser.get("/plan").text)
        numbers = dict(re.findall(r'type="number" name="(\w+)"[^>]*value="([^"]+)"', organiser.get("/plan").text))
        drawn = send(organiser, "/plan/draw", **numbers, kinds="form", design="one", judged=judged)
        assert "Activate the plan" in drawn.text, re.findall(r"role=.alert.>([^<]*)", drawn.text)
        send(organiser, "/plan/change", take="yes")
        tasks = re.findall(r'href="/task/([^"]+)"', ann.get("/").text)
        assert tasks
        data = ann.get(f"/api/task/{tasks[0]}").json()
        question = data["material"]["questions"][0]["name"]
        (csrf,) = set(re.findall(r'name="csrf" content="([^"]+)"', ann.get("/").text))
        event = {"id": str(uuid.uuid4()), "version": 1, "action": "answer", "changes": {f"answer/1/{question}": 3}}
        answer = ann.post(f"/api/task/{tasks[0]}/events", json={"events": [event]}, headers={"x-csrf-token": csrf})
        assert answer.json() == {"version": 1}
        limit = time.monotonic() + 120
        while len((folder / "judgments.jsonl").read_text().splitlines()) == before and time.monotonic() < limit:
            time.sleep(0.1)
        rows = [json.loads(line) for line in (folder / "judgments.jsonl").read_text().splitlines()]
        assert [(row["assessor"], row["value"]) for row in rows[before:]] == [("ann", 3)]
    mailed = {**event, "id": str(uuid.uuid4()), "version": 2, "changes": {f"answer/2/{question}": 5}}
    answers = {"format": "pyramidion-events", "assessor": "ann", "tasks": {tasks[0]: {"events": [event, mailed]}}}
    (tmp_path / "answers-ann.json").write_text(json.dumps(answers))
    monkeypatch.chdir(tmp_path)
    for command in later:
        run(command)
    assert server.stop() == 0
    rows = [json.loads(line) for line in (folder / "judgments.jsonl").read_text().splitlines()]
    assert [row["value"] for row in rows if row["assessor"] == "ann"] == [3, 5]
    assert (tmp_path / "report.html").exists()
    assert (tmp_path / "ann.html").exists()
