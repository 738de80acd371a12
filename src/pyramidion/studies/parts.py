"""The parts of a campaign, such as initial and update topics, and the scores of each."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

import polars as pl

from pyramidion.campaign import Campaign
from pyramidion.errors import UsageError, mention
from pyramidion.measures.derived import Derived
from pyramidion.measures.deriving import add_derived, dependencies
from pyramidion.scores import ScoreTable


def parts_of(campaign: Campaign, by: str, *, option: str = "by") -> dict[str, Campaign]:
    """The parts of a campaign by the value of a field or attribute of its topics; `option` is what names the field."""
    values: dict[str, None] = {}
    for id in campaign.topic_ids:
        topic = campaign.topic(id).topic
        value = getattr(topic, by) if by in ("part", "parent") else topic.attributes.get(by)
        if value not in (None, ""):
            values.setdefault(str(value).lower() if isinstance(value, bool) else str(value))
    _require_two(values, by, option, "a field or attribute of topics")
    return {value: campaign.where({by: value}) for value in values}


def topics_by_value(column: Mapping[str, str], by: str, *, option: str) -> dict[str, list[str]]:
    """The topics that have each value of a column of a table; `option` is what names the column.

    Args:
        column: by topic, its value.
        by: the name of the column.
        option: of the command.
    """
    topics: dict[str, list[str]] = {}
    for topic, value in column.items():
        if value != "":
            topics.setdefault(value, []).append(topic)
    _require_two(topics, by, option, "a column")
    return topics


def _require_two(values: Collection[str], by: str, option: str, what: str) -> None:
    """Refuse a field that divides nothing.

    Raises:
        UsageError: if there are fewer than two values.
    """
    if len(values) > 1:
        return
    problem = f"one value, {next(iter(values))}" if values else "no topic that has it"
    raise UsageError(f"{mention(option, by)}: found {problem}; expected {what} with at least two values")


def scores_of_parts(
    table: ScoreTable, campaign: Campaign, by: str, derived: Sequence[Derived]
) -> dict[str, ScoreTable]:
    """The scores of each part; what is derived from scores is derived within each."""
    within = {measure.name() for measure in dependencies(derived)[0]}
    plain = table.only(name for name in table.measures if name not in within)
    return {
        name: add_derived(on_topics(plain, part.topic_ids), derived) for name, part in parts_of(campaign, by).items()
    }


def on_topics(table: ScoreTable, topics: Collection[str]) -> ScoreTable:
    """The scores on these topics."""
    is_on_topic = pl.col("topic").cast(pl.String).is_in(list(topics))
    return replace(table, frame=table.frame.filter(is_on_topic), topic_count=len(topics))


def together(tables: Mapping[str, ScoreTable]) -> ScoreTable:
    """The scores of several campaigns as those of one; topics are called by their campaign as well, if there are two.

    A system of one campaign has nothing to do with one of the same name in another: they never meet in a topic.
    """
    if len(tables) == 1:
        return next(iter(tables.values()))
    named = []
    short = _short_names(tables)
    for name, table in tables.items():
        topic = (pl.lit(f"{short[name]}/") + pl.col("topic").cast(pl.String)).cast(pl.Categorical)
        named.append(replace(table, frame=table.frame.with_columns(topic.alias("topic"))))
    return named[0].join(*named[1:])


def _short_names(names: Iterable[str]) -> dict[str, str]:
    """The last parts of paths, as many as tell them apart."""
    paths = [name.rstrip("/") for name in names]
    for parts in range(1, 20):
        short = ["/".join(path.split("/")[-parts:]) for path in paths]
        if len(set(short)) == len(paths):
            break
    return dict(zip(names, short, strict=True))
