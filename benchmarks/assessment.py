"""The assessment server under load: 50 assessors at once on a campaign of DUC 2006's size, on this computer alone.

    python -m benchmarks.assessment --seconds 30

Each assessor opens a form, answers a question about once a second (people take longer), and opens another page now and
then. All of them arrive within `--arrive` seconds (0: all at the same moment). What is measured is the time from
sending a request to having its whole answer.

With `--pages`, all the work of DUC 2006 is given out to ten more people (three passes of questions on 50 topics and
1,950 peers, half of the questions answered). The server is first asked for the organiser's dashboard; then an
organiser opens one page after the other while the 50 assessors work.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import itertools
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
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import numpy as np

from pyramidion.assess.assessment import Assessment
from pyramidion.assess.store.people import Session
from pyramidion.assess.store.work import Event, Task
from pyramidion.assess.web.access import COOKIE

TOPICS, SYSTEMS, MODELS, WORDS = 50, 35, 4, 250
JUDGES = 10
REPEATS = 3
"""How often a page is asked for, to measure its processor time."""
DASHBOARD = "/dashboard"
PAGES = (
    DASHBOARD,
    "/",
    "/people",
    "/plan",
    "/work",
    "/topics",
    "/systems",
    "/questions",
    "/practice",
    "/annotation",
    "/audit",
)
"""Pages of the organiser; agreement and leaderboards are analyses, which take as long as their commands."""
KINDS = {
    "event": "an event, stored on disk",
    "page": "a page of an assessor, or its data",
    "first": "the first dashboard",
    "organiser": "a page of the organiser",
    "list": "a list of hundreds of pieces of work",
}
"""What is measured, as it is printed."""


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


def give_all_work(the: Assessment) -> list[Session]:
    """Give the work of DUC 2006 to ten people, half of it answered; the sessions of an organiser and of one of them."""
    judges = [the.people.add(f"judge-{number}", "assessor") for number in range(JUDGES)]
    names = [f"S{number}" for number in range(SYSTEMS + MODELS)]
    questions = {number: [one.name for one in the.base.questions if one.pass_number == number] for number in (1, 2, 3)}
    models = {str(number): f"S{SYSTEMS + number - 1}" for number in range(1, MODELS + 1)}
    tasks: list[Task] = []
    events: list[Event] = []
    for topic in range(TOPICS):
        person = judges[topic % JUDGES].id
        name_of_topic = f"D06{topic:02d}"
        for number, asked in questions.items():
            spec = {"pass": number, "summaries": {str(at): name for at, name in enumerate(names, start=1)}}
            keys = [f"answer/{handle}/{question}" for handle in spec["summaries"] for question in asked]  # type: ignore[attr-defined]
            is_done = topic < TOPICS // 2 and number < 3
            id = uuid.uuid4().hex[:16]
            changes = [{key: 1 + (topic + at) % 5} for at, key in enumerate(keys)] + [{"done": True}]
            for version, change in enumerate(changes if is_done else [], start=1):
                event = Event(id=str(uuid.uuid4()), version=version, action="answer", changes=change, seconds=4.0)
                events.append(replace(event, task=id, person=person))
            version = len(changes) if is_done else 0
            task = Task(
                id=id, kind="form", topic=name_of_topic, person=person, spec=spec, version=version, done=is_done
            )
            tasks.append(task)
        for name in names:
            spec = {"summaries": {"1": name}, "models": models, "pyramid": "", "mode": "full", "non_matching": True}
            tasks.append(Task(id=uuid.uuid4().hex[:16], kind="peer", topic=name_of_topic, person=person, spec=spec))
    the.work.exchange(add=tasks, histories=events)
    people = [the.people.add("organiser-of-pages", "organiser"), judges[0]]
    return [the.people.sign_in(person) for person in people]


class Times:
    def __init__(self) -> None:
        self.event: list[float] = []
        self.page: list[float] = []
        self.first: list[float] = []
        self.organiser: list[float] = []
        self.list: list[float] = []
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


async def organise(organiser: Browser, judge: Browser, pace: Pace, times: Times) -> None:
    """One page after the other, with a second in between; and the first page of someone with hundreds of tasks."""
    async with contextlib.aclosing(organiser), contextlib.aclosing(judge):
        until = time.perf_counter() + pace.seconds
        for path in itertools.cycle(PAGES):
            await times.take("organiser", organiser.get(path))
            await asyncio.sleep(pace.think)
            await times.take("list", judge.get("/"))
            if time.perf_counter() > until:
                return


async def measure_pages(url: str, others: list[Session], pid: int, times: Times) -> None:
    """Ask for the dashboard as the first thing of all, then for every page three times; prints processor times."""
    clients = [Browser(url, session) for session in others]
    async with contextlib.aclosing(clients[0]), contextlib.aclosing(clients[1]):
        before = processor(pid)
        await times.take("first", clients[0].get(DASHBOARD))
        print(f"processor time of the first dashboard: {processor(pid) - before:.2f} s")
        for path, client in [*((path, clients[0]) for path in PAGES), ("a list of hundreds of pieces", clients[1])]:
            before = processor(pid)
            for _ in range(REPEATS):
                await client.get(path if path.startswith("/") else "/")
            print(f"processor time of {path}: {(processor(pid) - before) * 1000 / REPEATS:.0f} ms")


async def everybody(url: str, given: list[tuple[Session, str]], others: list[Session], pid: int, pace: Pace) -> Times:
    times = Times()
    clients = [(Browser(url, session), task) for session, task in given]
    work = [assess(client, task, pace, times) for client, task in clients]
    if others:
        await measure_pages(url, others, pid, times)
        organiser, judge = (Browser(url, session) for session in others)
        work.append(organise(organiser, judge, pace, times))
    await asyncio.gather(*work)
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
    parser.add_argument("--pages", action="store_true", help="with all the work of DUC 2006, and an organiser")
    parser.add_argument("--database", help="postgresql://… (default: SQLite)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        write_campaign(folder)
        the = Assessment(folder, database=options.database)
        given = give_tasks(the, options.assessors)
        others = give_all_work(the) if options.pages else []
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
        times = asyncio.run(
            everybody(url, given, others, server.pid, Pace(options.seconds, options.think, options.arrive))
        )
        peak, used = memory(server.pid), processor(server.pid) - before
        server.send_signal(signal.SIGTERM)
        server.wait(30)
        written = sum(1 for _ in (folder / "judgments.jsonl").open())
    print(f"{datetime.now(UTC):%Y-%m-%d}, {platform.machine()}, {os.cpu_count()} cores, load before {load:.1f}")
    print(f"{options.assessors} assessors, {options.seconds:.0f} s, all there within {options.arrive:g} s")
    print(f"{TOPICS} topics × {SYSTEMS + MODELS} summaries")
    requests = 0
    for kind, name in KINDS.items():
        found = np.array(getattr(times, kind))
        requests += len(found)
        if len(found):
            p50, p95 = np.percentile(found, [50, 95])
            print(f"| {name} | {len(found):,} | {p50:.0f} ms | {p95:.0f} ms | {found.max():.0f} ms |")
    print(f"processor time of the server: {used * 1000 / requests:.1f} ms per request")
    print(
        f"errors: {len(times.errors)} {sorted(set(times.errors))}; memory: {peak:.0f} MB; judgments written: {written}"
    )


if __name__ == "__main__":
    main()
