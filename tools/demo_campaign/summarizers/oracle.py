"""The oracle: it sees the models, and shows how far an extract can go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tools.demo_campaign.summarizers.base import Candidate, Piece, Task, chronological, greedy


@dataclass(frozen=True)
class Oracle:
    """Greedy on SCU weight: the sentence whose new units weigh most in the models' pyramid, per word.

    An upper bound of extraction, in the sense of Lin & Hovy 2003, *The potential and limitations of automatic
    sentence extraction*; it cheats by design. The greedy pass is tried from every first sentence, and then a
    sentence is given up for others as long as the total weight grows.
    """

    def __call__(self, task: Task, *, limit: int) -> tuple[Piece, ...]:
        """Summarize the task."""
        starts = [[], *([one] for one in task.candidates if len(one.words) <= limit)]
        filled = [_refill(task, start, limit=limit) for start in starts]
        taken = max(filled, key=lambda sentences: _weight(task, sentences))
        while (better := _exchange(task, taken, limit=limit)) is not None:
            taken = better
        return chronological(taken)


def _weight(task: Task, sentences: Sequence[Candidate]) -> int:
    """D: the weight of the distinct units of some sentences."""
    units = {unit: weight for one in sentences for unit, weight in task.worth.get(one.place, {}).items()}
    return sum(units.values())


def _refill(task: Task, kept: Sequence[Candidate], *, limit: int, without: Candidate | None = None) -> list[Candidate]:
    """The kept sentences and what the greedy pass adds to them."""

    def gain(one: Candidate, taken: Sequence[Candidate]) -> float:
        before = [*kept, *taken]
        return (_weight(task, [*before, one]) - _weight(task, before)) / len(one.words)

    free = [one for one in task.candidates if one not in kept and one != without]
    return [*kept, *greedy(free, gain, limit=limit - sum(len(one.words) for one in kept))]


def _exchange(task: Task, taken: Sequence[Candidate], *, limit: int) -> list[Candidate] | None:
    """The first set of more weight that comes from giving up one sentence; None when there is none."""
    for out in taken:
        other = _refill(task, [one for one in taken if one != out], limit=limit, without=out)
        if _weight(task, other) > _weight(task, taken):
            return other
    return None
