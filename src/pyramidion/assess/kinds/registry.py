"""All kinds of work, by name."""

from __future__ import annotations

from pyramidion.assess.kinds.base import Kind
from pyramidion.assess.kinds.forms import Forms
from pyramidion.assess.kinds.pyramid import PyramidWork

KINDS: dict[str, Kind] = {kind.name: kind for kind in (Forms(), PyramidWork())}
