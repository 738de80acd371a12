"""All kinds of work, by name."""

from __future__ import annotations

from typing import Any

from pyramidion.assess.kinds.adjudicate.task_type import AdjudicatePeerWork, AdjudicateWork
from pyramidion.assess.kinds.base import TaskType
from pyramidion.assess.kinds.coverage.task_type import CoverageWork
from pyramidion.assess.kinds.form.task_type import FormWork
from pyramidion.assess.kinds.peer.task_type import PeerWork
from pyramidion.assess.kinds.preference.task_type import PreferenceWork
from pyramidion.assess.kinds.pyramid.task_type import PyramidWork
from pyramidion.assess.kinds.topic.task_type import TopicWork
from pyramidion.assess.kinds.write.task_type import WriteWork

KINDS: dict[str, TaskType[Any]] = {
    kind.name: kind
    for kind in (
        TopicWork(),
        WriteWork(),
        PyramidWork(),
        PeerWork(),
        CoverageWork(),
        FormWork(),
        PreferenceWork(),
        AdjudicateWork(),
        AdjudicatePeerWork(),
    )
}
