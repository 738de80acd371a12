"""All kinds of work, by name."""

from __future__ import annotations

from typing import Any

from pyramidion.assess.kinds.adjudicate import AdjudicatePeerWork, AdjudicateWork
from pyramidion.assess.kinds.base import Kind
from pyramidion.assess.kinds.coverage import CoverageWork
from pyramidion.assess.kinds.forms import Forms
from pyramidion.assess.kinds.peer import PeerWork
from pyramidion.assess.kinds.preference import Preferences
from pyramidion.assess.kinds.pyramid import PyramidWork
from pyramidion.assess.kinds.topic import TopicWork
from pyramidion.assess.kinds.write import Write

KINDS: dict[str, Kind[Any]] = {
    kind.name: kind
    for kind in (
        TopicWork(),
        Write(),
        PyramidWork(),
        PeerWork(),
        CoverageWork(),
        Forms(),
        Preferences(),
        AdjudicateWork(),
        AdjudicatePeerWork(),
    )
}
