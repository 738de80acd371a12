"""Events: any sequence of sent, repeated, stale and reordered ones gives the state that was acknowledged."""

from __future__ import annotations

import tempfile
import threading
import uuid
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from pyramidion.assess.assessment import Assessment
from pyramidion.assess.store.database import open_database, sqlite_url
from pyramidion.assess.store.people import People
from pyramidion.assess.store.work import Event, StaleError, Task, Work, changed

KEYS = st.sampled_from(["a", "b", "c/1", "é"])
CHANGES = st.dictionaries(KEYS, st.none() | st.integers() | st.text(max_size=5), min_size=1, max_size=3)


def admit(task: Task, state: dict[str, Any], changes: Any) -> None:
    """Any change is fine."""


def event(version: int, changes: dict[str, Any]) -> Event:
    return Event(id=str(uuid.uuid4()), version=version, action="change", changes=changes)


class Store(RuleBasedStateMachine):
    """A model of one task: the list of acknowledged events."""

    @initialize()
    def open(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.engine = open_database(sqlite_url(Path(self.folder.name) / "events.sqlite"))
        person = People(self.engine).add("ann", "assessor").id
        self.work, self.person = Work(self.engine), person
        self.work.add([Task(id="t", kind="form", topic="T", person=person)])
        self.events: list[Event] = []

    def teardown(self) -> None:
        if hasattr(self, "engine"):
            self.engine.dispose()
            self.folder.cleanup()

    @property
    def task(self) -> Task:
        found = self.work.task("t")
        assert found is not None
        return found

    @rule(new=st.lists(CHANGES, min_size=1, max_size=3))
    def send(self, new: list[dict[str, Any]]) -> None:
        sent = [event(len(self.events) + i, one) for i, one in enumerate(new, start=1)]
        self.events += sent
        assert self.work.append("t", self.person, sent, admit) == len(self.events)

    @rule(data=st.data())
    def send_again(self, data: st.DataObject) -> None:
        if self.events:
            again = data.draw(st.lists(st.sampled_from(self.events), min_size=1, max_size=4))
            assert self.work.append("t", self.person, again, admit) == len(self.events)

    @rule(changes=CHANGES, gap=st.integers(-3, 3).filter(lambda gap: gap != 1))
    def send_what_does_not_follow(self, changes: dict[str, Any], gap: int) -> None:
        with pytest.raises(StaleError):
            self.work.append("t", self.person, [event(len(self.events) + gap, changes)], admit)

    @rule(changes=CHANGES)
    def send_one_that_follows_and_one_that_does_not(self, changes: dict[str, Any]) -> None:
        sent = [event(len(self.events) + 1, changes), event(len(self.events) + 3, changes)]
        with pytest.raises(StaleError):
            self.work.append("t", self.person, sent, admit)

    @rule()
    def forget(self) -> None:
        """Another process, or the same after a crash, sees the same."""
        self.work = Work(self.engine)

    @invariant()
    def the_state_is_what_was_acknowledged(self) -> None:
        if not hasattr(self, "work"):
            return
        assert [one.id for one in self.work.history("t")] == [one.id for one in self.events]
        assert [one.version for one in self.work.history("t")] == list(range(1, len(self.events) + 1))
        assert self.work.state(self.task) == self.expected(len(self.events))
        assert self.work.states([self.task]) == [self.expected(len(self.events))]

    @rule(data=st.data())
    def look_back(self, data: st.DataObject) -> None:
        version = data.draw(st.integers(0, len(self.events)))
        assert self.work.state_at("t", version=version) == self.expected(version)

    def expected(self, version: int) -> dict[str, Any]:
        state: dict[str, Any] = {}
        for one in self.events[:version]:
            state = changed(state, one.changes)
        return state


TestStore = pytest.mark.slow(Store.TestCase)
TestStore.settings = settings(max_examples=10, stateful_step_count=15, deadline=None)


@pytest.mark.slow
def test_of_writers_that_race_each_event_is_stored_once_in_order(both: Assessment) -> None:
    person = both.people.add("ann", "assessor").id
    both.work.add([Task(id="t", kind="form", topic="T1", person=person)])
    refused = []

    def write(name: str) -> None:
        sent = 0
        while sent < 10:
            task = both.work.task("t")
            assert task is not None
            try:
                both.work.append("t", person, [event(task.version + 1, {f"{name}/{sent}": 1})], admit)
                sent += 1
            except StaleError:
                refused.append(name)

    threads = [threading.Thread(target=write, args=(str(i),)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    history = both.work.history("t")
    assert [one.version for one in history] == list(range(1, 41))
    task = both.work.task("t")
    assert task is not None
    assert both.work.state(task) == {f"{i}/{k}": 1 for i in range(4) for k in range(10)}


@pytest.mark.slow
def test_two_servers_on_one_database_see_each_others_events(both: Assessment, database: str, folder: Path) -> None:
    other = Assessment(folder, database=database)
    person = both.people.add("ann", "assessor").id
    both.work.add([Task(id="t", kind="form", topic="T1", person=person)])
    for version, work in enumerate((both.work, other.work, both.work, other.work), start=1):
        work.append("t", person, [event(version, {"a": version})], admit)
    for work in (both.work, other.work):
        task = work.task("t")
        assert task is not None
        assert work.state(task) == {"a": 4}
    other.close()


@pytest.mark.slow
def test_more_writers_than_connections_do_not_block_each_other(both: Assessment) -> None:
    person = both.people.add("ann", "assessor").id
    spec = {"pass": 1, "summaries": {"1": "SYS-1"}}
    tasks = [Task(id=f"t{i}", kind="form", topic="T1", person=person, spec=spec) for i in range(30)]
    both.work.add(tasks)

    def write(task: Task) -> None:
        for version in (1, 2):
            both.append(task, person, [event(version, {"comment/1": str(version)})])

    with ThreadPoolExecutor(len(tasks)) as pool:
        list(pool.map(write, tasks))  # a connection that none gives back would be a TimeoutError after 30 seconds
    assert [task.version for task in both.work.tasks()] == [2] * 30
