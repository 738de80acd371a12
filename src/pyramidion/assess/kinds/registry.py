"""All kinds of work, by name."""

from __future__ import annotations

from pyramidion.assess.kinds.adjudicate import AdjudicatePeerWork, AdjudicateWork
from pyramidion.assess.kinds.base import Kind
from pyramidion.assess.kinds.coverage import CoverageWork
from pyramidion.assess.kinds.forms import Forms
from pyramidion.assess.kinds.peer import PeerWork
from pyramidion.assess.kinds.pyramid import PyramidWork

KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (Forms(), PyramidWork(), PeerWork(), CoverageWork(), AdjudicateWork(), AdjudicatePeerWork())
}
