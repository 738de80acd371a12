"""The campaign with the work so far: the files' rows, except those that tasks own, and what the tasks put there.

Work builds on work: a peer is matched against a pyramid, a pyramid is made of models. So a task sees the files and
the work of earlier stages (its *base*); what it produces itself is no part of what it sees.

To join both anew for every request would take seconds in a large campaign, so results are kept in memory. All of them
are in one `Snapshot`, which rests on one content of the files; when someone else changes the files, a new snapshot
takes its place, and nothing of the old one is used again. Within a snapshot:

| kept | by | replaced when |
|---|---|---|
| `free_rows`: rows of the files that no task owns | topic and file | a task with work claims rows, once |
| `contributions`: the rows that a task leads to, with their bytes | task | the task or its base changes |
| `bases`: what tasks of a stage build on | topic and stage | an earlier task of the topic changes; the oldest of 500 |
| `tasks`: all tasks, as they were at `stamp` | task | the stamp of all work changes |
| `campaign`: all of it together | – | the stamp of all work changes |

A task has changed when its `Identity` has: its version, its person, or whether it was withdrawn.
"""

from __future__ import annotations

import threading
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from pyramidion.assess.campaign_files import CampaignFiles, Content, FileRow
from pyramidion.assess.kinds.base import FILES, TaskContext
from pyramidion.assess.kinds.registry import TASK_TYPES
from pyramidion.assess.log import log
from pyramidion.assess.store.work import Event, State, Task, Work
from pyramidion.campaign.campaign import NOUNS, Campaign
from pyramidion.campaign.checks import key_of
from pyramidion.campaign.nouns import Noun, Summarizer, encode

IMPORT = "import"
"""The action of the event that holds what the campaign had before the task."""
MOST_BASES = 500
BUILT_ON = tuple(name for name, task_type in TASK_TYPES.items() if task_type.is_built_on)
"""Kinds of work that later work rests on."""

Identity: TypeAlias = tuple[str, int, str, bool]
"""What changes when a task does: its id, version, person, and whether it was withdrawn."""
Contribution: TypeAlias = Mapping[tuple[str, Hashable], tuple[Noun, bytes]]
"""The rows that a task leads to, by file and key, with their bytes."""
NOTHING: Contribution = {}


@dataclass(frozen=True)
class Base:
    """What tasks of one topic and stage build on."""

    earlier: tuple[Identity, ...]
    """The tasks of earlier stages whose work is in it."""
    campaign: Campaign


@dataclass
class Snapshot:
    """What is kept of one content of the files."""

    content: Content
    free_rows: dict[str, dict[str, list[FileRow]]]
    """The files' rows by topic and file, without those that tasks own."""
    summarizers: Mapping[str, Summarizer]
    """All summarizers, also those that only occur in rows: which kind they are must not depend on the topic."""
    claims: set[tuple[str, str]] = field(default_factory=set)
    """Tasks and names of people whose rows were taken from the free ones."""
    contributions: dict[str, tuple[Hashable, Contribution]] = field(default_factory=dict)
    """By task, with the identities of the task and of what it builds on."""
    bases: OrderedDict[tuple[str, int], Base] = field(default_factory=OrderedDict)
    tasks: dict[str, Task] = field(default_factory=dict)
    stamp: tuple[Any, ...] = ()
    """The stamp of all work at which `tasks` and `contributions` were complete; empty: never."""
    campaign: tuple[tuple[Any, ...], Campaign] | None = None
    """The whole campaign, with the stamp at which it was put together."""

    @classmethod
    def of(cls, content: Content) -> Snapshot:
        """A snapshot in which no task has claimed anything yet."""
        free_rows: dict[str, dict[str, list[FileRow]]] = defaultdict(lambda: defaultdict(list))
        for name, rows in content.rows.items():
            for row in rows:
                free_rows[row.noun.topic][name].append(row)
        campaign = content.campaign
        # Asked of the whole campaign: in a campaign of one topic, a human who wrote a model elsewhere would look like
        # a system.
        undeclared = [id for id in campaign.summarizer_ids if id not in campaign.summarizers]
        summarizers = {id: Summarizer(kind=campaign.kind_of(id)) for id in undeclared}
        return cls(content=content, free_rows=free_rows, summarizers={**summarizers, **campaign.summarizers})

    def claim_rows(self, context: TaskContext) -> None:
        """Take the rows that a task owns from the free ones: from now on the task says what they are."""
        claim = (context.task.id, context.person)
        if claim in self.claims:
            return
        self.claims.add(claim)
        task_type = TASK_TYPES[context.task.kind]
        rows_by_file = self.free_rows[context.task.topic]
        for name, rows in rows_by_file.items():
            rows_by_file[name] = [row for row in rows if not task_type.owns_row(context, row.noun)]

    def find_base(self, task: Task, earlier: Sequence[Task]) -> Base | None:
        """What a task builds on, if it is kept and none of the earlier tasks has changed since."""
        base = self.bases.get((task.topic, stage_of(task)))
        if base is None or base.earlier != _identities(earlier):
            return None
        return base

    def keep_base(self, task: Task, base: Base) -> None:
        """Keep what a task builds on; of too many, the oldest is forgotten."""
        self.bases[task.topic, stage_of(task)] = base
        while len(self.bases) > MOST_BASES:
            self.bases.popitem(last=False)

    def topic_campaign(self, topic: str, contributions: Iterable[Contribution]) -> Campaign:
        """The campaign with one topic alone: the free rows of the files, and some work."""
        rows_by_file = self.free_rows.get(topic, {})
        nouns: dict[str, list[Noun]] = {name: [row.noun for row in rows_by_file.get(name, ())] for name in NOUNS}
        for contribution in contributions:
            for (name, _), (noun, _) in contribution.items():
                nouns[name].append(noun)
        fields: dict[str, Any] = {name: tuple(rows) for name, rows in nouns.items()}
        campaign = self.content.campaign
        imported = campaign.imported.of_topics({topic})
        return replace(campaign, summarizers=self.summarizers, imported=imported, **fields)

    def all_rows(self) -> dict[str, list[tuple[Noun, bytes]]]:
        """The files as they should be: the rows of others in their order, then the work, by topic and task."""
        work: dict[str, dict[Hashable, tuple[Noun, bytes]]] = {name: {} for name in NOUNS}
        for task in sorted(self.tasks.values(), key=lambda task: (task.topic, *_order(task))):
            _, contribution = self.contributions.get(task.id, ((), NOTHING))
            for (name, key), row in contribution.items():
                work[name][key] = row
        free: dict[str, list[FileRow]] = {name: [] for name in NOUNS}
        for rows_by_file in self.free_rows.values():
            for name, rows in rows_by_file.items():
                free[name] += rows
        return {name: [*_rows_of_others(free[name], work[name]), *work[name].values()] for name in NOUNS}


class CampaignView:
    """The campaign as the files and the work together say it is."""

    def __init__(self, files: CampaignFiles, work: Work, name_of: Callable[[str], str]) -> None:
        self.files = files
        self.work = work
        self.name_of = name_of
        # Reentrant: making one base needs the contributions of earlier tasks, which need their bases.
        self._lock = threading.RLock()
        """Held by whoever changes a snapshot."""
        self._snapshot: Snapshot | None = None

    def for_task(self, task: Task) -> Campaign:
        """What a task builds on: its topic, with the work of earlier stages."""
        earlier = self._started_before(task)
        snapshot = self._snapshot
        # First without waiting for the lock: the thread that writes the files holds it long.
        if snapshot is not None and snapshot.content is self.files.latest():
            base = snapshot.find_base(task, earlier)
            if base is not None:
                return base.campaign
        with self._lock:
            return self._base(self._latest_snapshot(), task, earlier).campaign

    def campaign(self) -> Campaign:
        """The whole campaign with all work so far."""
        with self._lock:
            snapshot = self._follow()
            if snapshot.campaign is None or snapshot.campaign[0] != snapshot.stamp:
                fields: dict[str, Any] = {}
                for name, rows in snapshot.all_rows().items():
                    fields[name] = tuple(noun for noun, _ in rows)
                snapshot.campaign = (snapshot.stamp, replace(snapshot.content.campaign, **fields))
            return snapshot.campaign[1]

    def lines(self) -> dict[str, list[bytes]]:
        """The lines that each file should have, in the order in which files build on each other.

        Raises:
            CampaignError: if someone left errors in the files.
        """
        with self._lock:
            self.files.read()
            rows_by_file = self._follow().all_rows()
            return {name: [line for _, line in rows] for name, rows in rows_by_file.items()}

    def _base(self, snapshot: Snapshot, task: Task, earlier: Sequence[Task]) -> Base:
        """What a task builds on: the files and the work of earlier tasks. Needs the lock."""
        base = snapshot.find_base(task, earlier)
        if base is None:
            contributions = [self._contribution(snapshot, other) for other in earlier]
            base = Base(_identities(earlier), snapshot.topic_campaign(task.topic, contributions))
            snapshot.keep_base(task, base)
        return base

    def _started_before(self, task: Task) -> list[Task]:
        """The tasks of earlier stages on the same topic that have events, in order."""
        kinds = [kind for kind in BUILT_ON if TASK_TYPES[kind].stage < stage_of(task)]
        if not kinds:
            return []
        earlier = self.work.tasks(topic=task.topic, kind=kinds, practice=False)
        return sorted((other for other in earlier if other.version), key=_order)

    def _latest_snapshot(self) -> Snapshot:
        """The snapshot of the files as they are; a new one if someone else changed them. Needs the lock."""
        content = self.files.latest()
        if self._snapshot is None or self._snapshot.content is not content:
            self._snapshot = Snapshot.of(content)
        return self._snapshot

    def _follow(self) -> Snapshot:
        """The latest snapshot, with all work in it: what changed since the last time is worked out anew."""
        snapshot = self._latest_snapshot()
        stamp = self.work.stamp()
        if stamp == snapshot.stamp:
            return snapshot
        changed = self.work.changed(snapshot.tasks)
        snapshot.tasks |= {task.id: task for task in changed}
        outdated = _outdated_tasks(snapshot.tasks.values(), changed)
        # One query for all of them: after a restart these are all tasks.
        histories = self.work.histories(outdated)
        for task in sorted(outdated, key=_order):
            self._contribution(snapshot, task, histories[task.id])
        # Last: if something fails before, the next request works it out again.
        snapshot.stamp = stamp
        return snapshot

    def _contribution(self, snapshot: Snapshot, task: Task, history: Sequence[Event] | None = None) -> Contribution:
        """What a task that has events means for the files; it takes the rows that it owns from them."""
        base = self._base(snapshot, task, self._started_before(task))
        key = (base.earlier, _identity(task))
        kept = snapshot.contributions.get(task.id)
        if kept is not None and kept[0] == key:
            return kept[1]
        context = TaskContext(task=task, campaign=base.campaign, person=self.name_of(task.person))
        events = self.work.history(task.id) if history is None else history
        # Somebody may have stored more since the task was read; that has its own turn.
        events = [event for event in events if event.version <= task.version]
        try:
            contribution = self._work_out(snapshot, context, events)
        except Exception as error:  # of one task: all others must go to the files
            log.error("work that can't be written", exc_info=error, extra={"facts": {"task": task.id}})
            contribution = NOTHING
        snapshot.contributions[task.id] = (key, contribution)
        return contribution

    def _work_out(self, snapshot: Snapshot, context: TaskContext, events: Sequence[Event]) -> Contribution:
        """The rows of a task. Until someone works on it, and while it is held back, the files' rows stay."""
        task = context.task
        task_type = TASK_TYPES[task.kind]
        # Work that nobody has touched must not rewrite what is in the files.
        if all(event.action == IMPORT for event in events) or task_type.hold_back_reason(context):
            return NOTHING
        nouns = [] if task.withdrawn else task_type.nouns(context, self.work.state(task), events)
        contribution = {(FILES[type(noun)], key_of(noun)): (noun, encode(noun)) for noun in nouns}
        # Whoever worked on the task before it changed hands may have rows in the files, too.
        people = {context.person, *(self.name_of(event.person) for event in events)}
        for person in people:
            snapshot.claim_rows(replace(context, person=person))  # also what was written under a former name
        return contribution


def stage_of(task: Task) -> int:
    """Where a task stands in the order of work that builds on work."""
    return TASK_TYPES[task.kind].stage


def initial_states(contexts: Iterable[TaskContext]) -> dict[str, State]:
    """The states that existing rows of the campaign lead to, for the tasks that have any."""
    states = {}
    for context in contexts:
        if context.task.practice:
            continue
        state = TASK_TYPES[context.task.kind].initial_state(context)
        if state:
            states[context.task.id] = state
    return states


def _outdated_tasks(tasks: Iterable[Task], changed: Sequence[Task]) -> list[Task]:
    """The tasks with events whose work must be looked at: those that changed, and later ones that build on these."""
    ids = {task.id for task in changed}
    first_change: dict[str, int] = {}
    for task in changed:
        if task.kind in BUILT_ON:
            first_change[task.topic] = min(stage_of(task), first_change.get(task.topic, stage_of(task)))

    def is_outdated(task: Task) -> bool:
        if task.id in ids:
            return True
        return task.topic in first_change and stage_of(task) > first_change[task.topic]

    return [task for task in tasks if task.version and is_outdated(task)]


def _order(task: Task) -> tuple[int, str, str]:
    return (stage_of(task), task.created, task.id)


def _identity(task: Task) -> Identity:
    return (task.id, task.version, task.person, task.withdrawn)


def _identities(tasks: Iterable[Task]) -> tuple[Identity, ...]:
    return tuple(_identity(task) for task in tasks)


def _rows_of_others(rows: list[FileRow], work: Mapping[Hashable, object]) -> list[tuple[Noun, bytes]]:
    """Rows that are not replaced, in their order; should one have a key that work has, too, the work counts."""
    # They come topic by topic, and the file may have them in any order.
    rows.sort(key=lambda row: row.place)
    return [(row.noun, row.line) for row in rows if not work or key_of(row.noun) not in work]
