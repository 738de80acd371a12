"""The assessment server under load: 50 assessors at once on a campaign of DUC 2006's size, on this computer alone.

    python -m benchmarks.assessment --seconds 30

Each assessor opens a form, answers a question about once a second (people take longer), and opens another page now and
then. All of them arrive within `--arrive` seconds (0: all at the same moment). What is measured is the time from
sending a request to having its whole answer.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import platform
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Awaitable
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import numpy as np

from pyramidion.assess.assessment import Assessment
from pyramidion.assess.store.people import Session
from pyramidion.assess.store.work import Task
from pyramidion.assess.web.access import COOKIE

TOPICS, SYSTEMS, MODELS, WORDS = 50, 35, 4, 250


def write_campaign(folder: Path) -> None:
    draw = random.Random(0)
    words = [f"word{i}" for i in range(5_000)]
    with (folder / "summaries.jsonl").open("w") as file:
        for topic in range(TOPICS):
            for number in range(SYSTEMS + MODELS):
                text = " ".join(draw.choices(words, k=WORDS))
                kind = "peer" if number < SYSTEMS else "model"
                row = {"topic": f"D06{topic:02d}", "summarizer": f"S{number}", "kind": kind, "text": text}
                file.write(json.dumps(row) + "\n")
    (folder / "campaign.toml").write_text('name = "load"\nword_limit = 250\n[questions]\nset = "duc2006"\n')


def give_tasks(the: Assessment, assessors: int) -> list[tuple[Session, str]]:
    """Every topic is judged by someone in pass 1, and everybody has a topic."""
    given = []
    for number in range(assessors):
        person = the.people.add(f"assessor-{number}", "assessor")
        names = [f"S{i}" for i in range(SYSTEMS + MODELS)]
        random.Random(number).shuffle(names)
        spec = {"pass": 1, "summaries": {str(i): name for i, name in enumerate(names, start=1)}}
        topic = f"D06{number % TOPICS:02d}"
        task = Task(id=uuid.uuid4().hex[:16], kind="form", topic=topic, person=person.id, spec=spec)
        the.give_out([task])
        given.append((the.people.sign_in(person), task.id))
    return given


class Times:
    def __init__(self) -> None:
        self.event: list[float] = []
        self.page: list[float] = []
        self.errors: list[str] = []

    async def take(self, kind: str, request: Awaitable[Answer]) -> Answer | None:
        started = time.perf_counter()
        try:
            answer = await request
        except (OSError, EOFError) as error:
            self.errors.append(type(error).__name__)
            return None
        getattr(self, kind).append((time.perf_counter() - started) * 1000)
        if answer.status != 200:
            self.errors.append(str(answer.status))
        return answer


class Pace(NamedTuple):
    """In seconds: how long people work, how long they think about an answer, and within what time all arrive."""

    seconds: float
    think: float
    arrive: float


class Answer(NamedTuple):
    status: int
    body: bytes


class Browser:
    """One person's connection. A client of a library takes as long as the server, on the same processors."""

    def __init__(self, url: str, session: Session) -> None:
        self.host, self.port = url.removeprefix("http://").split(":")
        headers = {
            "host": f"{self.host}:{self.port}",
            "cookie": f"{COOKIE}={session.token}",
            "x-csrf-token": session.csrf,
        }
        self.headers = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        self.streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def get(self, path: str) -> Answer:
        return await self._ask("GET", path, b"")

    async def post(self, path: str, content: object) -> Answer:
        return await self._ask("POST", path, json.dumps(content).encode())

    async def aclose(self) -> None:
        if self.streams:
            self.streams[1].close()
            await self.streams[1].wait_closed()

    async def _ask(self, method: str, path: str, body: bytes) -> Answer:
        if self.streams is None:
            self.streams = await asyncio.open_connection(self.host, int(self.port))
        reader, writer = self.streams
        more = f"content-type: application/json\r\ncontent-length: {len(body)}\r\n" if body else ""
        writer.write(f"{method} {path} HTTP/1.1\r\n{self.headers}{more}\r\n".encode() + body)
        head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        size = re.search(r"content-length: (\d+)", head)
        assert size, head
        return Answer(int(head.split(" ", 2)[1]), await reader.readexactly(int(size[1])))


async def assess(client: Browser, task: str, pace: Pace, times: Times) -> None:
    draw = random.Random(task)
    async with contextlib.aclosing(client):
        await asyncio.sleep(draw.random() * pace.arrive)
        await times.take("page", client.get("/"))
        await times.take("page", client.get(f"/task/{task}"))
        loaded = await times.take("page", client.get(f"/api/task/{task}"))
        assert loaded is not None
        data = json.loads(loaded.body)
        version, questions = data["version"], [one["name"] for one in data["material"]["questions"]]
        until = time.perf_counter() + pace.seconds
        while time.perf_counter() < until:
            await asyncio.sleep(draw.uniform(0.5, 1.5) * pace.think)
            handle, question = draw.randint(1, SYSTEMS + MODELS), draw.choice(questions)
            changes = {f"answer/{handle}/{question}": draw.randint(1, 5)}
            event = {"id": str(uuid.uuid4()), "version": version + 1, "action": "answer", "changes": changes}
            answer = await times.take("event", client.post(f"/api/task/{task}/events", {"events": [event]}))
            version += answer is not None and answer.status == 200
            if draw.random() < 0.1:
                await times.take("page", client.get(draw.choice(["/", f"/task/{task}", f"/api/task/{task}"])))


async def everybody(url: str, given: list[tuple[Session, str]], pace: Pace) -> Times:
    times = Times()
    clients = [(Browser(url, session), task) for session, task in given]
    await asyncio.gather(*(assess(client, task, pace, times) for client, task in clients))
    return times


def memory(pid: int) -> float:
    """The most that a process ever held, in MB."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(re.findall(r"VmHWM:\s+(\d+) kB", status)[0]) / 1000


def processor(pid: int) -> float:
    """Seconds of processor time that a process has used: other work on the computer hardly changes it."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--assessors", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--think", type=float, default=1.0, help="mean seconds between two answers of an assessor")
    parser.add_argument("--arrive", type=float, default=1.0, help="seconds within which all assessors open their pages")
    parser.add_argument("--database", help="postgresql://… (default: SQLite)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        write_campaign(folder)
        the = Assessment(folder, database=options.database)
        given = give_tasks(the, options.assessors)
        the.close()
        command = "from pyramidion.cli import main; main()"
        more = ["--database", options.database] if options.database else []
        server = subprocess.Popen(
            [sys.executable, "-c", command, "assess", str(folder), "--port", "0", *more],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert server.stdout is not None
        said = server.stdout.readline() + server.stdout.readline()
        url = re.findall(r"http://127\.0\.0\.1:\d+", said)[0]
        load, before = os.getloadavg()[0], processor(server.pid)
        times = asyncio.run(everybody(url, given, Pace(options.seconds, options.think, options.arrive)))
        peak, used = memory(server.pid), processor(server.pid) - before
        server.send_signal(signal.SIGTERM)
        server.wait(30)
        written = sum(1 for _ in (folder / "judgments.jsonl").open())
    print(f"{datetime.now(UTC):%Y-%m-%d}, {platform.machine()}, {os.cpu_count()} cores, load before {load:.1f}")
    print(f"{options.assessors} assessors, {options.seconds:.0f} s, all there within {options.arrive:g} s")
    print(f"{TOPICS} topics × {SYSTEMS + MODELS} summaries")
    for kind in ("event", "page"):
        found = np.array(getattr(times, kind))
        p50, p95, p99 = np.percentile(found, [50, 95, 99])
        print(f"{kind}: n={len(found)} p50={p50:.0f} ms p95={p95:.0f} ms p99={p99:.0f} ms max={found.max():.0f} ms")
    requests = len(times.event) + len(times.page)
    print(f"processor time of the server: {used * 1000 / requests:.1f} ms per request")
    print(
        f"errors: {len(times.errors)} {sorted(set(times.errors))}; memory: {peak:.0f} MB; judgments written: {written}"
    )


if __name__ == "__main__":
    main()
