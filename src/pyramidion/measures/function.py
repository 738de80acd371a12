"""A measure from a Python function, for those who want to try one without writing a package."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from itertools import compress
from typing import ClassVar

import numpy as np

from pyramidion.arrays import Bools, Floats
from pyramidion.campaign import Summary, TopicData
from pyramidion.errors import UsageError
from pyramidion.measures.base import Measure, ModelEvidence, Need, identity
from pyramidion.measures.names import MeasureName, parse
from pyramidion.measures.registry import check_name
from pyramidion.scores import Evidence

STATISTICS = ("value",)


@dataclass(frozen=True, kw_only=True)
class FunctionMeasure(Measure):
    """The values that a function gives to (summary, topic)."""

    statistics: ClassVar[tuple[str, ...] | None] = STATISTICS

    called: str = identity()
    function: Callable[[Summary, TopicData], float | None] = identity()
    requires: frozenset[Need] = identity(frozenset())
    high_is_good: bool = identity(True)

    def __post_init__(self) -> None:
        if parse(self.called) != MeasureName(self.called):
            raise UsageError(f"{self.called!r} can't be the name of a measure; use letters, digits and hyphens")
        check_name(self)

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

    def evidence(self, topic: TopicData) -> Evidence | None:
        """What the function needs to be called, if the topic has it."""
        present = {
            "models": topic.models,
            "documents": topic.topic.documents,
            "pyramid": topic.pyramids,
            "judgments": topic.judgments,
            "imported": topic.imported,
        }
        missing = [need for need in self.requires if not present[need]]
        if missing or not topic.peers:
            return None
        models = topic.models if "models" in self.requires else ()
        return FunctionEvidence(
            peers=tuple(peer.summarizer for peer in topic.peers),
            models=tuple(model.summarizer for model in models),
            statistics=STATISTICS,
            measure=self,
            topic=topic,
        )

    def value(self, peer: Summary, topic: TopicData) -> float:
        """What the function says; NaN if it has no value.

        Args:
            peer: the summary to score.
            topic: with the models that it is compared with.

        Raises:
            UsageError: if the function fails, or returns something infinite: the topic and the summarizer are named.
        """
        try:
            value = self.function(peer, topic)
            number = np.nan if value is None else float(value)
            if np.isinf(number):
                raise ValueError("an infinite value")
            return number
        except Exception as error:
            place = f"topic {topic.topic.topic!r}, summarizer {peer.summarizer!r}"
            raise UsageError(f"the measure {self.called} failed on {place}: {error!r}") from error


@dataclass(frozen=True, kw_only=True, eq=False)
class FunctionEvidence(ModelEvidence):
    """A function and a topic: it is called once for each peer and each set of models that the peer is compared with.

    A human's own model is never among these. A function that does not need models gives the same value for any set.
    """

    measure: FunctionMeasure
    topic: TopicData
    _values: dict[tuple[int, bytes], float] = field(default_factory=dict)

    def values(self, masks: Bools) -> Floats:
        """The function's values; NaN where it needs models and the mask leaves none."""
        allowed = masks[:, None, :] & ~self.own[None]
        values = np.empty((len(masks), len(self.peers), 1))
        for subset, peer in np.ndindex(len(masks), len(self.peers)):
            values[subset, peer, 0] = self._value(peer, allowed[subset, peer])
        return values

    def _value(self, peer: int, mask: Bools) -> float:
        """What the function gives to a peer against the models under a mask; called once for each mask."""
        if len(mask) and not mask.any():
            return np.nan
        key = peer, mask.tobytes()
        if key not in self._values:
            summary = self.topic.peers[peer]
            chosen_models = self.topic.models
            if len(mask):
                chosen_models = tuple(compress(chosen_models, mask))
            models = tuple(model for model in chosen_models if model.summarizer != summary.summarizer)
            self._values[key] = self.measure.value(summary, replace(self.topic, models=models))
        return self._values[key]


def from_function(
    name: str,
    function: Callable[[Summary, TopicData], float | None],
    *,
    needs: Iterable[Need] = (),
    higher_is_better: bool = True,
) -> FunctionMeasure:
    """A measure that calls `function(summary, topic)`; None or NaN means that there is no value.

    It works wherever measures do, as an object, and from then on by its name, which no other measure may have.
    `topic.models` never holds the summarizer's own model. A function that compares with models says so
    (`needs=["models"]`), so that signatures count them and studies can choose them.

    Examples:
        >>> sentences = from_function("sentences", lambda summary, topic: plain(summary.text).count("."))
        >>> pyramidion.score(campaign, [sentences, "hbr(sentences,rouge-2.recall)"])
    """
    return FunctionMeasure(called=name, function=function, requires=frozenset(needs), high_is_good=higher_is_better)
