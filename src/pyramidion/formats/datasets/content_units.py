"""What RoSE and QAPyramid share: content units of one reference, labelled present or absent in each system's output."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pyramidion.campaign import Document, Pyramid, Topic
from pyramidion.files.problems import Place
from pyramidion.formats.campaign_builder import CampaignBuilder
from pyramidion.formats.datasets.single_reference import labelled, light_pyramid
from pyramidion.formats.json_values import Item, table_in, text_in


@dataclass
class ContentUnits(CampaignBuilder):
    """A campaign as it grows, row by row."""

    units: dict[str, Pyramid] = field(default_factory=dict)
    """By topic."""

    def add_row(
        self, at: Place, row: Item, units: Sequence[Any], attributes: Mapping[str, Any] | None = None
    ) -> tuple[str, Collection[str]] | None:
        """A topic with its reference, units and outputs: its id and systems; None (and an error) if it can't be one."""
        id = text_in(row, "example_id", at)
        if not id:
            return None
        if id in self.topics:
            at.error(
                found=f"{id!r} again",
                expected="each example once",
                remedy="Remove one of the rows.",
            )
            return None
        source, reference = (text_in(row, key, at, needed=False) for key in ("source", "reference"))
        documents = (Document(id=id, text=source),) if source else ()
        self.topics[id] = Topic(
            topic=id,
            documents=documents,
            attributes=dict(attributes or {}),
        )
        self.models[id] = (reference,)
        self.units[id] = light_pyramid(id, [" ".join(str(unit).split()) for unit in units])
        if units:
            self.pyramids.append(self.units[id])
        outputs = table_in(row, "system_outputs", at)
        peers = {system: text for system, text in outputs.items() if isinstance(text, str)}
        self.peers.update({(id, system): text for system, text in peers.items()})
        return id, peers.keys()

    def add_labels(self, at: Place, topic: str, system: str, labels: Sequence[Any]) -> None:
        """Which units a system's output expresses; without spans."""
        if labels or self.units[topic].scus:
            self.annotations.extend(labelled(self.units[topic], system, labels, at))
