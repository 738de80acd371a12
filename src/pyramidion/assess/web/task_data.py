"""What the page of a task shows: material, state, and the history that undo needs. Blind."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pyramidion.assess.assessment import Assessment
from pyramidion.assess.gold import gold_feedback
from pyramidion.assess.store.settings_store import SettingsStore
from pyramidion.assess.store.work import Task
from pyramidion.assess.web.practice import feedback

EVENT = ("id", "version", "action", "changes")
"""What pages know of an event."""
SHOWN_BY_DEFAULT = {"scores": True, "suggestions": False}
"""What pages of annotation can show, and whether they do unless the organiser says otherwise."""


def task_data(assessment: Assessment, task: Task) -> dict[str, Any]:
    """The data of one task, as its page takes it from the server or, by mail, from itself."""
    state = assessment.work.state(task)
    context = replace(assessment.context(task), state=state)
    history = assessment.work.history(task.id)
    return {
        "task": {
            "id": task.id,
            "kind": task.kind,
            "topic": task.topic,
            "practice": task.practice,
            "title": assessment.heading(task),
        },
        "version": task.version,
        "state": state,
        "history": [{name: getattr(event, name) for name in EVENT} for event in history],
        "material": {
            **assessment.task_type(task).material(context),
            **feedback(assessment, task),
            **gold_feedback(assessment, task),
        },
        "settings": annotation_settings(assessment.settings),
    }


def annotation_settings(settings: SettingsStore) -> dict[str, bool]:
    """What pages of annotation show."""
    chosen = settings.several({_key(name): default for name, default in SHOWN_BY_DEFAULT.items()})
    return {name: bool(chosen[_key(name)]) for name in SHOWN_BY_DEFAULT}


def set_annotation(settings: SettingsStore, name: str, value: bool) -> None:
    """Show something on pages of annotation, or hide it."""
    settings.set(_key(name), value)


def _key(name: str) -> str:
    return f"annotation-{name}"
