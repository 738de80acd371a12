"""A browser that watches the pages it opens: nothing may be asked of the network, said on the console, or run."""

import os
import shutil
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, Dialog, Page, Request, expect, sync_playwright

import pyramidion
from browser.hostile_reports import hostile_campaign
from pyramidion.measures.base import MeasureWarning
from pyramidion.simulate import CampaignDesign, simulate_campaign

Open = Callable[..., Page]
Share = Callable[[str, Callable[[Path], None]], Path]
SLOWEST_PAGE = 120_000
"""Milliseconds that a page may take to load, or to answer, on a busy machine: it is slow, not wrong."""

expect.set_options(timeout=SLOWEST_PAGE)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.slow)


PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""Chromium under the names that it has; first without its window, which takes as much processor time as the pages."""


def chromium_program() -> str | None:
    """Where Chromium is, if it is installed."""
    return next(filter(None, map(shutil.which, PROGRAMS)), None)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    program = chromium_program()
    if program is None:
        pytest.skip("needs Chromium: apt-get install chromium-headless-shell")
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=program, args=arguments)
        yield started
        started.close()


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Open]:
    """Opens a report; at the end, fails if any opened page complained, ran something or asked for anything."""
    complaints: list[str] = []
    contexts = []

    def dismiss(dialog: Dialog) -> None:
        complaints.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def note(asked: Request) -> None:
        if not asked.url.startswith(("file://", "data:", "blob:")):
            complaints.append(f"request: {asked.url}")

    def opened(
        path: Path,
        *,
        width: int = 1280,
        height: int = 900,
        scheme: Literal["light", "dark"] = "light",
        scripts: bool = True,
        unfolded: bool = True,
    ) -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme, java_script_enabled=scripts
        )
        context.set_default_timeout(SLOWEST_PAGE)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: complaints.append(f"console {message.type}: {message.text}"))
        page.on("pageerror", lambda error: complaints.append(f"error: {error}"))

        page.on("dialog", dismiss)
        page.on("request", note)
        page.goto(path.as_uri())
        if unfolded:
            page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true })")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture(scope="session")
def pair_report(shared_folder: Share) -> Path:
    """A report that leads with two systems of the demo."""
    measures = ["rouge-1.recall", "rouge-2.recall", "question.overall-responsiveness"]

    def make(folder: Path) -> None:
        path = folder / "report.html"
        pyramidion.report("demo", path, measures, pair=("6", "16"), title="Six or sixteen", date="1 May 2026")

    return shared_folder("pair-report", make) / "report.html"


@pytest.fixture(scope="session")
def large_report(shared_folder: Share) -> Path:
    """35 systems, each topic judged by one of ten assessors, as at DUC; many do not differ significantly."""
    design = CampaignDesign(
        topics=20,
        summarizers=35,
        pyramids=True,
        judgments=True,
        questions="duc2006",
        assessor_count=10,
        assessors_per_summary=1,
    )

    def make(folder: Path) -> None:
        pyramidion.report(simulate_campaign(design).campaign, folder / "report.html")

    return shared_folder("large-report", make) / "report.html"


@pytest.fixture(scope="session")
def hostile_report(shared_folder: Share) -> Path:
    """A report on data that tries to run scripts and to break the page."""

    def make(folder: Path) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", MeasureWarning)  # of a text of 20,000 words on one line, among others
            pyramidion.report(hostile_campaign(), folder / "report.html")

    return shared_folder("hostile-report", make) / "report.html"


@pytest.fixture
def keep() -> Callable[[Page, str], None]:
    """Takes a screenshot of a whole page for people to look at, if PYRAMIDION_SCREENSHOTS names a folder for it."""
    folder = os.environ.get("PYRAMIDION_SCREENSHOTS")

    def take(page: Page, name: str) -> None:
        if folder:
            page.screenshot(path=Path(folder) / f"{name}.png", full_page=True)

    return take
