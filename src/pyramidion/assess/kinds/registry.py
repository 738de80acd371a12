"""All kinds of work, by name."""

from __future__ import annotations

from importlib import import_module
from typing import Any, cast

from pyramidion.assess.kinds.assignment import PlanChoice
from pyramidion.assess.kinds.base import TaskType

PACKAGES = (
    "topic",
    "write",
    "pyramid",
    "peer",
    "content",
    "coverage",
    "form",
    "preference",
    "adjudicate",
    "adjudicate_peer",
)
"""The packages of this folder, in the order in which a campaign does the work. A new kind is a new line."""


def _load(package: str) -> TaskType[Any]:
    module = import_module(f"pyramidion.assess.kinds.{package}.task_type")
    return cast(TaskType[Any], module.TASK_TYPE)


TASK_TYPES: dict[str, TaskType[Any]] = {task_type.name: task_type for task_type in map(_load, PACKAGES)}
"""Every kind of work, by the name that the database holds."""
PLANNED: tuple[str, ...] = tuple(name for name, task_type in TASK_TYPES.items() if task_type.is_planned)
"""The names of kinds that a plan gives out, in the order in which a campaign does them."""
WITH_PAGES: tuple[str, ...] = tuple(name for name, task_type in TASK_TYPES.items() if task_type.page is not None)
"""The names of kinds that are work of assessors: each has a page and a guide."""


def plan_choices() -> list[PlanChoice[Any]]:
    """What kinds of work let the organiser choose, as the plan page lists it: numbers come first."""
    order = ("number", "checkbox", "select")
    groups = [task_type.plan_choices for task_type in TASK_TYPES.values() if task_type.plan_choices]
    groups.sort(key=lambda choices: order.index(choices[0].input_type))
    return [choice for choices in groups for choice in choices]
