"""When a form opens: the passes of paper 003, as rules about one person's tasks.

Pass 2 of a topic opens when its pass 1 is handed in. Later passes (overall responsiveness) open when all earlier passes
of all topics are; while they are open, the earlier answers are out of reach.
"""

from __future__ import annotations

from collections.abc import Iterable

from pyramidion.assess.store.work import Task
from pyramidion.show.wording import listed

AFTER_ALL_TOPICS = 3
"""From this pass on, a pass waits for the earlier passes of all topics."""


def locked(task: Task, own: Iterable[Task]) -> str:
    """Why someone can't open a task of theirs now; empty if they can.

    Args:
        task: the task.
        own: all tasks of the same person.
    """
    if task.kind != "form" or task.practice:
        return ""
    forms = [one for one in own if one.kind == "form" and not one.practice and not one.withdrawn]
    number = pass_of(task)
    if number < AFTER_ALL_TOPICS:
        earlier = [one for one in forms if one.topic == task.topic and pass_of(one) < number]
        if any(not one.done for one in earlier):
            return f"Opens when you have handed in {_passes(earlier)} of this topic."
        later = [one for one in forms if pass_of(one) >= AFTER_ALL_TOPICS]
        before = [one for one in forms if pass_of(one) < AFTER_ALL_TOPICS]
        if any(not one.done for one in later) and all(one.done for one in before):
            return f"Put away until you have handed in {_passes(later)} of all topics."
        return ""
    waiting = [one for one in forms if pass_of(one) < number and not one.done]
    if waiting:
        count = "1 form" if len(waiting) == 1 else f"{len(waiting)} forms"
        return f"Opens when you have handed in {_passes(waiting)} of all topics: {count} to go."
    return ""


def pass_of(task: Task) -> int:
    """The number of a form's pass."""
    return int(task.spec.get("pass", 1))


def _passes(tasks: Iterable[Task]) -> str:
    numbers = [str(number) for number in sorted({pass_of(task) for task in tasks})]
    return f"{'pass' if len(numbers) == 1 else 'passes'} {listed(numbers)}"
