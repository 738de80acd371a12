"""Systems with several outputs for a topic, its runs: measures see each output as a peer of its own.

A measure needs to know nothing of runs: it meets peers with names of their own, and what it found is averaged over the
outputs of a system afterwards, in score tables (`scores.run_means`) and in evidence (`average_outputs`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import msgspec
import numpy as np

from pyramidion.arrays import Bools, Floats
from pyramidion.campaign import TopicData
from pyramidion.campaign.nouns import Summary
from pyramidion.scores import Evidence

_MARK = "\u2063"
"""An invisible separator: ends the name of an output, so that it is not the name of a system."""


def _output_name(summary: Summary) -> str:
    return f"{summary.summarizer} (run {summary.run}){_MARK}"


def name_outputs(topic: TopicData) -> Mapping[str, tuple[str, str]]:
    """By the name that measures see, the system and the run of each output; nothing if every system has just one."""
    if not topic.has_runs:
        return {}
    counts = Counter(peer.summarizer for peer in topic.peers)
    names: dict[str, tuple[str, str]] = {}
    for peer in topic.peers:
        if peer.run > 1 or counts[peer.summarizer] > 1:
            names[_output_name(peer)] = (peer.summarizer, str(peer.run))
    return names


def split_outputs(topic: TopicData) -> TopicData:
    """The topic with each output of a system as a peer of its own, named as in `name_outputs`."""
    names = name_outputs(topic)
    if not names:
        return topic
    peers: list[Summary] = []
    for peer in topic.peers:
        name = _output_name(peer)
        if name in names:
            peer = msgspec.structs.replace(peer, summarizer=name)  # the same text, under the name of the output
        peers.append(peer)
    return replace(topic, peers=tuple(peers))


def average_outputs(evidence: Evidence) -> Evidence:
    """The evidence with one peer for each system: its values and counts are the means over the system's outputs."""
    systems = [_system_of(peer) for peer in evidence.peers]
    if systems == list(evidence.peers):
        return evidence
    return _MeanOfOutputs(evidence, systems)


def _system_of(peer: str) -> str:
    """The system of an output."""
    if not peer.endswith(_MARK):
        return peer
    return peer.rpartition(" (run ")[0]


@dataclass(frozen=True, eq=False)
class _MeanOfOutputs:
    """Evidence of outputs, averaged over those of each system."""

    of_outputs: Evidence
    systems: Sequence[str]
    """The system of each output."""

    @cached_property
    def peers(self) -> tuple[str, ...]:
        """The systems, each once."""
        return tuple(dict.fromkeys(self.systems))

    @property
    def models(self) -> tuple[str, ...]:
        """The summarizers whose models the masks choose from."""
        return self.of_outputs.models

    @property
    def statistics(self) -> tuple[str, ...]:
        """Names of the values that each system gets."""
        return self.of_outputs.statistics

    @property
    def rule(self) -> object:
        """How counts become scores, for evidence that has such a rule; else None."""
        return getattr(self.of_outputs, "rule", None)

    @cached_property
    def _places(self) -> list[list[int]]:
        """Of each system, the places of its outputs."""
        places: dict[str, list[int]] = {}
        for place, system in enumerate(self.systems):
            places.setdefault(system, []).append(place)
        return [places[system] for system in self.peers]

    @cached_property
    def own(self) -> Bools:
        """Systems × models: True where the model is the peer's own."""
        own = self.of_outputs.own
        return np.array([own[places].any(axis=0) for places in self._places]).reshape(len(self.peers), own.shape[1])

    def values(self, masks: Bools) -> Floats:
        """Subsets × models → subsets × systems × statistics: means over the outputs that have a value."""
        return self._averaged(self.of_outputs.values(masks))

    def counts(self, masks: Bools) -> Floats | None:
        """Subsets × systems × (hits, model count, peer count): means over outputs; None if nothing adds up."""
        counts = self.of_outputs.counts(masks)
        return None if counts is None else self._averaged(counts)

    def _averaged(self, of_outputs: Floats) -> Floats:
        """The mean of the outputs of each system that have a value; NaN where none has."""
        means = np.full((len(of_outputs), len(self.peers), of_outputs.shape[2]), np.nan)
        for number, places in enumerate(self._places):
            part = of_outputs[:, places]
            is_there = ~np.isnan(part)
            count = is_there.sum(axis=1)
            total = np.where(is_there, part, 0.0).sum(axis=1)
            np.divide(total, count, out=means[:, number], where=count > 0)
        return means
