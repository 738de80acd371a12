"""A real server process on a campaign, and clients that send events to it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import httpx

from pyramidion.assess.assessment import Assessment
from pyramidion.assess.store.people import Session
from pyramidion.assess.store.work import Task
from pyramidion.assess.web.access import COOKIE

MAIN = "from pyramidion.cli import main; main()"
PATIENCE_SECONDS = 240
"""How long to wait for an answer, or for a process to end: a busy machine is slow, not wrong."""


class Server:
    """`pyramidion assess` as a process of its own."""

    def __init__(self, folder: Path, database: str | None = None, before: str = "") -> None:
        options = ["--port", "0", *(("--database", database) if database else ())]
        self.process = subprocess.Popen(
            [sys.executable, "-c", before + MAIN, "assess", str(folder), *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        assert self.process.stdout is not None
        said = ""
        while not (found := re.search(r"(http://127\.0\.0\.1:\d+)/start/\S+", said)):
            line = self.process.stdout.readline()
            assert line, f"the server ended: {said}"
            said += line
        self.url, self.link, self.said = found[1], found[0], said

    def kill(self) -> None:
        """As a power cut does."""
        self.process.send_signal(signal.SIGKILL)
        self.close()

    def stop(self) -> int:
        """As Ctrl-C does."""
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(PATIENCE_SECONDS)
        self.close()
        return code

    def close(self) -> None:
        self.process.wait(PATIENCE_SECONDS)
        assert self.process.stdout is not None
        self.process.stdout.close()


class Sender:
    """Someone who works on tasks: sends events and remembers which of them the server acknowledged."""

    def __init__(self, session: Session, tasks: Sequence[str]) -> None:
        self.client = httpx.Client(
            cookies={COOKIE: session.token},
            headers={"x-csrf-token": session.csrf},
            timeout=httpx.Timeout(PATIENCE_SECONDS),
        )
        self.versions = dict.fromkeys(tasks, 0)
        self.acknowledged: dict[str, list[str]] = {task: [] for task in tasks}
        self.waiting: dict[str, dict[str, Any]] = {}

    def send(self, url: str, task: str) -> int:
        """Send the event that waits, or a new one; the status, 0 if the server is gone."""
        event = self.waiting.setdefault(task, new_event(self.versions[task] + 1))
        try:
            answer = self.client.post(f"{url}/api/task/{task}/events", json={"events": [event]})
        except httpx.HTTPError:
            return 0
        if answer.status_code == 200:
            assert answer.json() == {"version": event["version"]}
            self.acknowledged[task].append(event["id"])
            self.versions[task] += 1
            del self.waiting[task]
        return answer.status_code


def new_event(version: int) -> dict[str, Any]:
    changes = {"comment/1": f"comment number {version}"}
    return {"id": str(uuid.uuid4()), "version": version, "action": "comment", "changes": changes, "seconds": 0.1}


def give_tasks(the: Assessment, people: int, each: int) -> list[Sender]:
    """So many people with so many forms each."""
    senders = []
    for number in range(people):
        person = the.people.find(name=f"p{number}") or the.people.add(f"p{number}", "assessor")
        ids = [f"p{number}-{i}" for i in range(each)]
        spec = {"pass": 1, "summaries": {"1": "SYS-1", "2": "SYS-2"}}
        the.work.add(Task(id=id, kind="form", topic="T1", person=person.id, spec=spec) for id in ids)
        senders.append(Sender(the.people.sign_in(person), ids))
    return senders
