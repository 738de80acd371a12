"""A measure from a Python function, for those who want to try one without writing a package."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from pyramidion.campaign import Summary, TopicData
from pyramidion.errors import UsageError
from pyramidion.measures.base import Measure, Need, identity
from pyramidion.measures.names import MeasureName, parse
from pyramidion.scores import Evidence, FixedEvidence


@dataclass(frozen=True, kw_only=True)
class FunctionMeasure(Measure):
    """The values that a function gives to (summary, topic)."""

    statistics: ClassVar[tuple[str, ...] | None] = ("value",)

    called: str = identity()
    function: Callable[[Summary, TopicData], float | None] = identity()
    requires: frozenset[Need] = identity(frozenset())
    high_is_good: bool = identity(True)

    def __post_init__(self) -> None:
        if parse(self.called) != MeasureName(self.called):
            raise UsageError(f"{self.called!r} can't be the name of a measure; use letters, digits and hyphens")

    @property
    def required(self) -> frozenset[Need]:
        """As its author says."""
        return self.requires

    @property
    def higher_is_better(self) -> bool:
        """As its author says."""
        return self.high_is_good

    @property
    def base(self) -> str:
        """The name that its author gave."""
        return self.called

    @classmethod
    def from_base(cls, base: str) -> Mapping[str, Any] | None:  # noqa: ARG003  # a name can't bring a function
        """A function can't be had from a name."""
        return None

    @classmethod
    def examples(cls) -> Sequence[str]:
        """None: each exists only where it was made."""
        return ()

    def evidence(self, topic: TopicData) -> Evidence | None:
        """The function's value for every peer, if the topic has what it needs."""
        present = {
            "models": topic.models,
            "documents": topic.topic.documents,
            "pyramid": topic.pyramids,
            "judgments": topic.judgments,
            "imported": topic.imported,
        }
        if not all(present[need] for need in self.requires) or not topic.peers:
            return None
        return FixedEvidence(
            peers=tuple(peer.summarizer for peer in topic.peers),
            statistics=("value",),
            scores=np.array([[self._value(peer, topic)] for peer in topic.peers]),
        )

    def _value(self, peer: Summary, topic: TopicData) -> float:
        try:
            value = self.function(peer, topic)
            number = np.nan if value is None else float(value)
            if np.isinf(number):
                raise ValueError("an infinite value")
            return number
        except Exception as error:
            place = f"topic {topic.topic.topic!r}, summarizer {peer.summarizer!r}"
            raise UsageError(f"the measure {self.called} failed on {place}: {error!r}") from error


def from_function(
    name: str,
    function: Callable[[Summary, TopicData], float | None],
    *,
    needs: Iterable[Need] = (),
    higher_is_better: bool = True,
) -> FunctionMeasure:
    """A measure that calls `function(summary, topic)`; None or NaN means that there is no value.

    Example:
        >>> length = from_function("length", lambda summary, topic: len(plain(summary.text).split()))
        >>> pyramidion.score(campaign, [length, "rouge-2.recall"])
    """
    return FunctionMeasure(called=name, function=function, requires=frozenset(needs), high_is_good=higher_is_better)
