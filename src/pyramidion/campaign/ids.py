"""When two ids are the same: the one rule by which rows and scores of other files join a campaign.

An id is the id of the campaign that is spelled the same. If there is none, it is the only one that differs in case
alone, or that is the same whole number: `d0601` is `D0601`, and `1.0` is `1`. If the campaign has several such ids, it
is none of them. The key of a summary, its topic and summarizer, follows the same rule.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Generic, TypeVar

import msgspec

from pyramidion.campaign.campaign import NOUNS, Campaign
from pyramidion.campaign.nouns import Contributor, Pyramid, Scu
from pyramidion.files.problems import Problems
from pyramidion.show.tables import grouped
from pyramidion.show.wording import counted

SummaryKey = tuple[str, str]
"""The topic and the summarizer of a summary."""
Spelled = TypeVar("Spelled", str, SummaryKey)

_SUMMARIZER_FIELDS = ("summarizer", "a", "b", "model")
"""Fields of nouns that hold the id of a summarizer; pyramids have lists of them besides."""


class IdSpellings(Generic[Spelled]):
    """Ids, or keys of summaries, that are found however they are spelled."""

    def __init__(self, ids: Iterable[Spelled]) -> None:
        self._ids: Mapping[Hashable, list[Spelled]] = grouped(dict.fromkeys(ids), _normalise)

    def alike(self, id: Spelled) -> list[Spelled]:
        """All ids that may be meant."""
        return self._ids.get(_normalise(id), [])

    def find(self, id: Spelled) -> Spelled | None:
        """The one id that is meant; None if there is none, or if it is not clear which."""
        alike = self.alike(id)
        if id in alike:
            return id
        is_clear = len(alike) == 1
        if is_clear:
            return alike[0]
        return None


def _normalise(id: str | SummaryKey) -> Hashable:
    """What all spellings of an id have in common; 01.0 is 01, which is not 1."""
    if isinstance(id, tuple):
        return tuple(map(_normalise, id))
    whole, point, decimals = id.partition(".")
    is_decimal = bool(point) and whole.isdecimal()
    if is_decimal and not decimals.strip("0"):  # a column of ids with holes becomes decimals in data frames
        return whole
    return id.casefold()


def respell_ids(incoming: Campaign, campaign: Campaign, problems: Problems) -> Campaign:
    """The incoming campaign with topics and summarizers spelled as the other campaign spells them; a remark says so."""
    rows: list[Any] = []
    for name in NOUNS:
        rows += getattr(incoming, name)
    topic_ids = [*incoming.topic_ids, *(row.topic for row in rows)]
    writers = [*incoming.summarizer_ids, *_summarizers_in(rows)]
    topics = _find_respelled(topic_ids, campaign.topic_ids)
    summarizers = _find_respelled(writers, campaign.summarizer_ids)
    if not topics and not summarizers:
        return incoming
    scores = incoming.imported
    for name, spellings in (("topic", topics), ("summarizer", summarizers)):
        if not spellings:
            continue
        first, spelled = next(iter(spellings.items()))
        problems.remark(
            f"{counted(len(spellings), name)} spelled as in the campaign, such as {spelled!r} for {first!r}"
        )
        scores = scores.rename_ids(name, spellings)
    nouns: dict[str, Any] = {}
    for name in NOUNS:
        nouns[name] = tuple(_respell_row(row, topics, summarizers) for row in getattr(incoming, name))
    declared = {summarizers.get(id, id): summarizer for id, summarizer in incoming.summarizers.items()}
    return replace(incoming, summarizers=declared, imported=scores, **nouns)


def _summarizers_in(rows: Iterable[Any]) -> Iterator[str]:
    """The ids of summarizers that rows name."""
    for row in rows:
        for name in _SUMMARIZER_FIELDS:
            id = getattr(row, name, None)
            if id is not None:
                yield id
        if isinstance(row, Pyramid):
            yield from row.models


def _find_respelled(ids: Iterable[str], campaign_ids: Iterable[str]) -> dict[str, str]:
    """From ids that the campaign spells differently to its spelling."""
    spellings = IdSpellings(campaign_ids)
    respelled: dict[str, str] = {}
    for id in dict.fromkeys(ids):
        spelled = spellings.find(id) or id
        if spelled != id:
            respelled[id] = spelled
    return respelled


def _respell_row(row: Any, topics: Mapping[str, str], summarizers: Mapping[str, str]) -> Any:
    """A row with its ids as the campaign spells them.

    Args:
        row: any noun of a campaign.
        topics: from ids of topics to the campaign's spelling, where it differs.
        summarizers: from ids of summarizers to the campaign's spelling, where it differs.
    """
    changed: dict[str, Any] = {}
    if row.topic in topics:
        changed["topic"] = topics[row.topic]
    for name in _SUMMARIZER_FIELDS:
        id = getattr(row, name, "")
        if id in summarizers:
            changed[name] = summarizers[id]
    if isinstance(row, Pyramid) and not summarizers.keys().isdisjoint(row.models):
        changed["models"] = tuple(summarizers.get(id, id) for id in row.models)
        changed["scus"] = tuple(_respell_scu(scu, summarizers) for scu in row.scus)
    if not changed:
        return row
    return msgspec.structs.replace(row, **changed)


def _respell_scu(scu: Scu, summarizers: Mapping[str, str]) -> Scu:
    contributors = tuple(_respell_contributor(contributor, summarizers) for contributor in scu.contributors)
    return msgspec.structs.replace(scu, contributors=contributors)


def _respell_contributor(contributor: Contributor, summarizers: Mapping[str, str]) -> Contributor:
    model = summarizers.get(contributor.model, contributor.model)
    return msgspec.structs.replace(contributor, model=model)
