"""The campaign with the work so far: the files' rows, except those that tasks own, and what the tasks put there.

Work builds on work: a peer is matched against a pyramid, a pyramid is made of models. So a task sees the files and
the work of earlier stages; what it produces itself is no part of what it sees.
"""

from __future__ import annotations

import threading
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pyramidion.assess.campaign_files import CampaignFiles, Content, Row
from pyramidion.assess.kinds.base import FILES, TaskContext
from pyramidion.assess.kinds.registry import KINDS
from pyramidion.assess.store.work import Event, State, Task, Work
from pyramidion.assess.web.middleware import log
from pyramidion.campaign.campaign import NOUNS, Campaign
from pyramidion.campaign.checks import key_of
from pyramidion.campaign.nouns import Noun, Summarizer, encode

STAGES = {"topic": 0, "write": 1, "pyramid": 2, "adjudicate": 3, "adjudicate-peer": 5}
"""What builds on nothing, and what builds on that; all other kinds are of the stage `JUDGING`."""
JUDGING = 4
BUILT_ON = ("topic", "write", "pyramid", "adjudicate", "peer")
"""Kinds of work that later work rests on."""
LATER = 9
IMPORT = "import"
"""The action of the event that holds what the campaign had before the task."""
KEPT_TOPICS = 500


@dataclass(frozen=True)
class Result:
    """What a task means for the files; None: it leaves the files' rows as they are."""

    nouns: Mapping[tuple[str, Hashable], tuple[Noun, bytes]] | None
    """The rows by file and key, with their bytes."""


class CampaignView:
    """Files and work, joined."""

    def __init__(self, files: CampaignFiles, work: Work, name_of: Callable[[str], str]) -> None:
        self.files = files
        self.work = work
        self.name_of = name_of
        self._lock = threading.RLock()
        self._content: Content | None = None
        self._number = 0
        """Counts how often the files were changed by others."""
        self._kept: dict[str, dict[str, list[Row]]] = {}
        """The files' rows by topic and file, without those that tasks own."""
        self._humans: Mapping[str, Summarizer] = {}
        self._claimed: set[tuple[str, str]] = set()
        self._tasks: dict[str, Task] = {}
        self._results: dict[str, tuple[Hashable, Result]] = {}
        self._stamp: tuple[Any, ...] = ()
        self._topics: OrderedDict[tuple[str, int], tuple[Hashable, Campaign]] = OrderedDict()
        self._campaign: tuple[Hashable, Campaign] | None = None

    def for_task(self, task: Task) -> Campaign:
        """What a task builds on: its topic, with the work of earlier stages."""
        return self._base(task)[1]

    def campaign(self) -> Campaign:
        """The whole campaign with all work so far."""
        with self._lock:
            self._follow_files()
            self._follow_work()
            assert self._content is not None
            key = (self._number, self._stamp)
            if self._campaign is None or self._campaign[0] != key:
                rows = self._rows().items()
                nouns: dict[str, Any] = {name: tuple(noun for noun, _ in found) for name, found in rows}
                self._campaign = (key, replace(self._content.campaign, **nouns))
            return self._campaign[1]

    def lines(self) -> dict[str, list[bytes]]:
        """The lines that each file should have, in the order in which files build on each other.

        Raises:
            CampaignError: if someone left errors in the files.
        """
        with self._lock:
            self.files.read()
            self._follow_files()
            self._follow_work()
            return {name: [line for _, line in rows] for name, rows in self._rows().items()}

    def _base(self, task: Task) -> tuple[Hashable, Campaign]:
        """What a task builds on, and what identifies it."""
        stage = stage_of(task)
        kinds = [kind for kind in BUILT_ON if STAGES.get(kind, JUDGING) < stage]
        earlier = self.work.tasks(topic=task.topic, kind=kinds, practice=False) if kinds else []
        started = sorted((one for one in earlier if one.version), key=_order)
        identities = tuple(map(_identity, started))
        kept = self._topics.get((task.topic, stage))
        if kept is not None and self.files.latest() is self._content and kept[0] == (self._number, identities):
            return kept  # without waiting for whoever holds the lock: the one who writes the files holds it long
        with self._lock:
            self._follow_files()
            key = (self._number, identities)
            kept = self._topics.get((task.topic, stage))
            if kept is None or kept[0] != key:
                results = [self._result(one) for one in started]
                kept = self._topics[task.topic, stage] = (key, self._restricted(task.topic, results))
                while len(self._topics) > KEPT_TOPICS:
                    self._topics.popitem(last=False)
            return kept

    def _follow_files(self) -> None:
        """Begin anew if someone else changed the files."""
        content = self.files.latest()
        if content is self._content:
            return
        self._number += 1  # first: nothing that is kept under the new number is of the old content
        self._content, self._stamp = content, ()
        self._tasks.clear()
        self._kept = defaultdict(lambda: defaultdict(list))
        for name, rows in content.rows.items():
            for row in rows:
                self._kept[row.noun.topic][name].append(row)
        undeclared = [one for one in content.campaign.summarizer_ids if one not in content.campaign.summarizers]
        self._humans = {one: Summarizer(kind=content.campaign.kind_of(one)) for one in undeclared}
        for cache in (self._claimed, self._results, self._topics):
            cache.clear()

    def _follow_work(self) -> None:
        """Take over what changed in the tasks since the last time."""
        stamp = self.work.stamp()
        if stamp == self._stamp:
            return
        changed = self.work.changed(self._tasks)
        self._tasks |= {task.id: task for task in changed}
        ids = {task.id for task in changed}
        first: dict[str, int] = {}
        for task in (task for task in changed if task.kind in BUILT_ON):
            first[task.topic] = min(stage_of(task), first.get(task.topic, LATER))
        again = [
            one
            for one in self._tasks.values()
            if one.version and (one.id in ids or stage_of(one) > first.get(one.topic, LATER))
        ]
        histories = self.work.histories(again)
        for task in sorted(again, key=_order):
            self._result(task, histories[task.id])
        self._stamp = stamp

    def _result(self, task: Task, history: Sequence[Event] | None = None) -> Result:
        """What a task that has events means for the files; it takes the rows that it owns from them."""
        base, campaign = self._base(task)
        key = (base, _identity(task))
        kept = self._results.get(task.id)
        if kept is not None and kept[0] == key:
            return kept[1]
        context = TaskContext(task=task, campaign=campaign, person=self.name_of(task.person))
        events = self.work.history(task.id) if history is None else history
        events = [event for event in events if event.version <= task.version]
        result = Result(None)
        kind = KINDS[task.kind]
        if any(event.action != IMPORT for event in events) and not kind.hold_back_reason(context):
            try:
                nouns = [] if task.withdrawn else kind.nouns(context, self.work.state(task), events)
                result = Result({(FILES[type(noun)], key_of(noun)): (noun, encode(noun)) for noun in nouns})
                for name in {context.person, *(self.name_of(event.person) for event in events)}:
                    self._claim(replace(context, person=name))  # also what was written under a former name
            except Exception as error:  # of one task: all others must go to the files
                log.error("work that can't be written", exc_info=error, extra={"facts": {"task": task.id}})
                result = Result(None)
        self._results[task.id] = (key, result)
        return result

    def _claim(self, context: TaskContext) -> None:
        mark = (context.task.id, context.person)
        if mark in self._claimed:
            return
        self._claimed.add(mark)
        kind = KINDS[context.task.kind]
        for name, rows in self._kept[context.task.topic].items():
            left = [row for row in rows if not kind.owns_row(context, row.noun)]
            if len(left) < len(rows):
                self._kept[context.task.topic][name] = left

    def _rows(self) -> dict[str, list[tuple[Noun, bytes]]]:
        """The files as they should be: the rows of others in their order, then the work, by topic and task."""
        added: dict[str, dict[Hashable, tuple[Noun, bytes]]] = {name: {} for name in NOUNS}
        for task in sorted(self._tasks.values(), key=lambda one: (one.topic, *_order(one))):
            _, result = self._results.get(task.id, (None, Result(None)))
            for (name, key), row in (result.nouns or {}).items():
                added[name][key] = row
        kept: dict[str, list[Row]] = {name: [] for name in NOUNS}
        for by_name in self._kept.values():
            for name, rows in by_name.items():
                kept[name] += rows
        return {name: [*_others(kept[name], added[name]), *added[name].values()] for name in NOUNS}

    def _restricted(self, topic: str, results: Iterable[Result]) -> Campaign:
        """The campaign with this topic alone."""
        assert self._content is not None
        rows = self._kept.get(topic, {})
        nouns: dict[str, list[Noun]] = {name: [row.noun for row in rows.get(name, ())] for name in NOUNS}
        for result in results:
            for (name, _), (noun, _) in (result.nouns or {}).items():
                nouns[name].append(noun)
        campaign = self._content.campaign
        held: dict[str, Any] = {name: tuple(found) for name, found in nouns.items()}
        summarizers = {**self._humans, **campaign.summarizers}
        return replace(campaign, summarizers=summarizers, imported=campaign.imported.of_topics({topic}), **held)


def stage_of(task: Task) -> int:
    """Where a task stands in the order of work that builds on work."""
    return STAGES.get(task.kind, JUDGING)


def _order(task: Task) -> tuple[int, str, str]:
    return (stage_of(task), task.created, task.id)


def _identity(task: Task) -> Hashable:
    return (task.id, task.version, task.person, task.withdrawn)


def _others(rows: list[Row], added: Mapping[Hashable, object]) -> list[tuple[Noun, bytes]]:
    """Rows that are not replaced, in their order; should one have a key that work has, too, the work counts."""
    rows.sort(key=lambda row: row.place)
    return [(row.noun, row.line) for row in rows if not added or key_of(row.noun) not in added]


def initial_states(contexts: Iterable[TaskContext]) -> dict[str, State]:
    """The states that existing rows of the campaign lead to, for the tasks that have any."""
    found = ((one.task.id, KINDS[one.task.kind].initial_state(one)) for one in contexts if not one.task.practice)
    return {id: state for id, state in found if state}
