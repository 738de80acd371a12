"""What the page of a task shows: material, state, and the history that undo needs. Blind."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pyramidion.assess.assessment import Assessment
from pyramidion.assess.kinds.adjudicate.double_annotation import annotation_settings
from pyramidion.assess.practice import feedback
from pyramidion.assess.store.work import Task

EVENT = ("id", "version", "action", "changes")


def data_of(assessment: Assessment, task: Task) -> dict[str, Any]:
    """The data of one task, as its page takes it from the server or, by mail, from itself."""
    state = assessment.work.state(task)
    return {
        "task": {"id": task.id, "kind": task.kind, "topic": task.topic, "practice": task.practice},
        "version": task.version,
        "state": state,
        "history": [{name: getattr(one, name) for name in EVENT} for one in assessment.work.history(task.id)],
        "material": {
            **assessment.task_type(task).material(replace(assessment.context(task), state=state)),
            **feedback(assessment, task),
        },
        "settings": annotation_settings(assessment.settings),
    }
