"""The parts of a campaign, such as initial and update topics, and the scores of each."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import polars as pl

from pyramidion.campaign import Campaign
from pyramidion.errors import UsageError
from pyramidion.measures.derived import Derived
from pyramidion.measures.deriving import resting_on, with_derived
from pyramidion.scores import ScoreTable


def parts_of(campaign: Campaign, by: str) -> dict[str, Campaign]:
    """The parts of a campaign by the value of a field or attribute of its topics."""
    values: dict[str, None] = {}
    for id in campaign.topic_ids:
        topic = campaign.topic(id).topic
        value = getattr(topic, by) if by in ("part", "parent") else topic.attributes.get(by)
        if value not in (None, ""):
            values.setdefault(str(value).lower() if isinstance(value, bool) else str(value))
    if len(values) < 2:
        found = f"one value, {next(iter(values))}" if values else "no topic that has it"
        raise UsageError(f"--by {by}: found {found}; expected a field or attribute of topics with at least two values")
    return {value: campaign.where({by: value}) for value in values}


def scores_of_parts(
    table: ScoreTable, campaign: Campaign, by: str, derived: Sequence[Derived]
) -> dict[str, ScoreTable]:
    """The scores of each part; what is derived from scores is derived within each."""
    within = {one.name() for one in resting_on(derived)[0]}
    plain = table.only(name for name in table.measures if name not in within)
    return {
        name: with_derived(on_topics(plain, part.topic_ids), derived) for name, part in parts_of(campaign, by).items()
    }


def on_topics(table: ScoreTable, topics: Collection[str]) -> ScoreTable:
    """The scores on these topics."""
    there = pl.col("topic").cast(pl.String).is_in(list(topics))
    return replace(table, frame=table.frame.filter(there), topic_count=len(topics))
