"""A real server on this computer, and browsers that are signed in and watched."""

from __future__ import annotations

import json
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, cast

import pytest
import uvicorn
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page

from browser.conftest import SLOWEST_PAGE
from pyramidion.assess.assessment import Assessment
from pyramidion.assess.store.people import Role
from pyramidion.assess.store.work import Task
from pyramidion.assess.web.app import create_app
from pyramidion.campaign import CampaignWarning

TOML = """name = "Three topics"
word_limit = 60

[[questions]]
name = "clear"
text = "Is it clear?"
scale = [1, 5]
pass = 1
"""


class Server:
    """The server in a thread, which can be stopped and started again on the same port and database."""

    def __init__(self, folder: Path, database: str | None) -> None:
        self.folder = folder
        self.database = database
        self.port = 0
        self.start()

    def start(self) -> None:
        """Serve; on the port that it had before, if there was one."""
        self.assessment = Assessment(self.folder, database=self.database)
        config = uvicorn.Config(
            create_app(self.assessment), host="127.0.0.1", port=self.port, lifespan="off", log_level="error"
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, daemon=True)
        self._thread.start()
        until = time.monotonic() + SLOWEST_PAGE / 1000
        while not self._server.started:
            assert time.monotonic() < until, "the server did not start"
            time.sleep(0.02)
        self.port = self._server.servers[0].sockets[0].getsockname()[1]

    def stop(self) -> None:
        """End it and all its connections."""
        self._server.should_exit = self._server.force_exit = True
        self._thread.join(SLOWEST_PAGE / 1000)
        self.assessment.close()

    @property
    def address(self) -> str:
        """Where it answers."""
        return f"http://127.0.0.1:{self.port}"

    def give(
        self, name: str, task: str, kind: str, topic: str, spec: dict[str, Any], *, role: Role = "assessor"
    ) -> None:
        """Give someone a piece of work."""
        person = self.assessment.people.find(name=name) or self.assessment.people.add(name, role)
        self.assessment.work.add([Task(id=task, kind=kind, topic=topic, person=person.id, spec=spec)])

    def history(self, task: str) -> list[tuple[int, str, dict[str, Any]]]:
        """What is stored of a task: versions, actions, changes."""
        return [(one.version, one.action, dict(one.changes)) for one in self.assessment.work.history(task)]

    def state(self, task: str) -> dict[str, Any]:
        """What a task holds."""
        found = self.assessment.work.task(task)
        assert found is not None
        return self.assessment.work.state(found)


def write_campaign(folder: Path, summaries: Sequence[dict[str, Any]], **tables: Sequence[dict[str, Any]]) -> Path:
    """A campaign folder with these summaries, and other tables by name."""
    folder.mkdir()
    (folder / "campaign.toml").write_text(TOML)
    for name, rows in {"summaries": summaries, **tables}.items():
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


on_both_databases = pytest.mark.parametrize("database", ["sqlite", "postgresql"], indirect=True)


@pytest.fixture
def database(request: pytest.FixtureRequest) -> str | None:
    """Where servers store the work: a SQLite file in the campaign, except in tests that run `on_both_databases`."""
    address = request.getfixturevalue("postgres_database") if getattr(request, "param", "") == "postgresql" else None
    return cast("str | None", address)


@pytest.fixture
def served(database: str | None) -> Iterator[Callable[[Path], Server]]:
    """Serve a campaign folder: `served(folder)`; on PostgreSQL one at most, for a database holds one campaign."""
    servers: list[Server] = []

    def started(folder: Path) -> Server:
        servers.append(Server(folder, database))
        return servers[-1]

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CampaignWarning)  # a small campaign lacks this and that
        yield started
    for server in servers:
        server.stop()


@pytest.fixture
def watched(browser: Browser) -> Iterator[Callable[..., BrowserContext]]:
    """A new browser, by `watched()`; fails at the end if a page ran into an error or broke its policy."""
    complaints: list[str] = []
    contexts: list[BrowserContext] = []

    def opened(
        *, width: int = 1280, height: int = 900, scheme: Literal["light", "dark"] = "light", offline: bool = False
    ) -> BrowserContext:
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme, offline=offline, accept_downloads=True
        )
        context.set_default_timeout(SLOWEST_PAGE)
        context.on("weberror", lambda error: complaints.append(f"error: {error.error}"))
        context.on(
            "console",
            lambda message: (
                complaints.append(message.text)
                if message.type == "error" and "Failed to load resource" not in message.text
                else None
            ),
        )
        contexts.append(context)
        return context

    yield opened
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture
def sign_in(watched: Callable[..., BrowserContext]) -> Callable[..., BrowserContext]:
    """A browser of someone who is signed in: `sign_in(server, "ann")`."""

    def signed_in(server: Server, name: str, *, role: Role = "assessor", **how: Any) -> BrowserContext:
        people = server.assessment.people
        session = people.sign_in(people.find(name=name) or people.add(name, role))
        context = watched(**how)
        context.add_cookies([{"name": "pyramidion_session", "value": session.token, "url": server.address}])
        return context

    return signed_in


LOOKS = ["color-contrast", "link-in-text-block", "scrollable-region-focusable"]
"""The rules of axe-core that another width or colour scheme of the same page can break."""


def serious(page: Page, *, looks_alone: bool = False) -> list[str]:
    """What axe-core finds that is serious or critical; `looks_alone`: only by the rules of `LOOKS`."""
    axe = Axe()
    # Its script is half a megabyte: it is put into a page once.
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(axe.axe_script)
    options: dict[str, Any] = {"resultTypes": ["violations"]}
    if looks_alone:
        options["runOnly"] = {"type": "rule", "values": LOOKS}
    found = page.evaluate("(options) => axe.run(options)", options)["violations"]
    return [
        f"{one['id']}: {one['nodes'][0]['html'][:200]}" for one in found if one["impact"] in ("serious", "critical")
    ]
