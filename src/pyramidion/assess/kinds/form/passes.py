"""When a form opens: the passes of paper 003, as rules about one person's tasks.

Pass 2 of a topic opens when its pass 1 is handed in. Later passes (overall responsiveness) open when all earlier passes
of all topics are; while they are open, the earlier answers are out of reach.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pyramidion.assess.store.work import Task
from pyramidion.show.wording import listed

AFTER_ALL_TOPICS = 3
"""From this pass on, a pass waits for the earlier passes of all topics."""


def lock_reason(task: Task, tasks: Iterable[Task]) -> str:
    """Why someone can't open a form of theirs now; empty if they can.

    Args:
        task: the form.
        tasks: all tasks of the same person.
    """
    if task.practice:
        return ""
    forms = [form for form in tasks if form.kind == task.kind and not form.practice and not form.withdrawn]
    if pass_of(task) < AFTER_ALL_TOPICS:
        return _early_lock_reason(task, forms)
    earlier = [form for form in forms if pass_of(form) < pass_of(task)]
    open_forms = [form for form in earlier if not form.done]
    if not open_forms:
        return ""
    count = "1 form" if len(open_forms) == 1 else f"{len(open_forms)} forms"
    return f"Opens when you have handed in {_list_passes(open_forms)} of all topics: {count} to go."


def _early_lock_reason(task: Task, forms: Sequence[Task]) -> str:
    """Why a form of pass 1 or 2 can't be opened: earlier passes of its topic are open, or all early ones are done."""
    of_topic = [form for form in forms if form.topic == task.topic]
    earlier = [form for form in of_topic if pass_of(form) < pass_of(task)]
    if not _are_done(earlier):
        return f"Opens when you have handed in {_list_passes(earlier)} of this topic."
    # Overall responsiveness is a first reaction: who gives it must not look up the earlier answers.
    early = [form for form in forms if pass_of(form) < AFTER_ALL_TOPICS]
    late = [form for form in forms if pass_of(form) >= AFTER_ALL_TOPICS]
    if _are_done(early) and not _are_done(late):
        return f"Put away until you have handed in {_list_passes(late)} of all topics."
    return ""


def _are_done(forms: Iterable[Task]) -> bool:
    return all(form.done for form in forms)


def pass_of(task: Task) -> int:
    """The number of a form's pass."""
    return int(task.spec.get("pass", 1))


def _list_passes(forms: Iterable[Task]) -> str:
    numbers = [str(number) for number in sorted({pass_of(form) for form in forms})]
    noun = "pass" if len(numbers) == 1 else "passes"
    return f"{noun} {listed(numbers)}"
