"""Merging two campaigns: which rows are new, which the campaign has already, and which contradict it.

Rows with the same key are compared field by field. A field that only one of them has is kept, so that the documents
of a topic can be added without losing its attributes; a field on which both differ is a conflict.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import Any, Generic, TypeVar

import msgspec
import polars as pl

from pyramidion.campaign.campaign import NOUNS, Campaign
from pyramidion.campaign.checks import KEYS, key_of
from pyramidion.campaign.nouns import (
    Assessor,
    Document,
    Match,
    Noun,
    PeerAnnotation,
    Scu,
    Summarizer,
    Topic,
    default_of,
    fields_of,
    plain,
)
from pyramidion.files.problems import shorten
from pyramidion.scores.table import KEY, ScoreTable
from pyramidion.show.tables import Row

N = TypeVar("N", bound=Noun)

SETTINGS = ("description", "licence", "word_limit")
"""Settings that an import may fill in."""
_PERSISTENT_SETTINGS = ("description", "licence")
"""Settings of which the campaign's own value stays, without a conflict, if the incoming one differs."""


class PlanLine(Row, record="import-plan"):
    """What an import brings of one kind."""

    what: str
    new: int
    extended: int
    """Rows that the campaign has and that get a field that they lack."""
    equal: int
    conflicts: int

    @property
    def changes(self) -> bool:
        """Whether anything would be written."""
        return bool(self.new or self.extended or self.conflicts)

    @property
    def is_empty(self) -> bool:
        """Whether the import has no row of the kind, not even one that the campaign has already."""
        return not self.changes and not self.equal


class Conflict(Row, record="import-conflict"):
    """A value that differs from the campaign's."""

    what: str
    key: tuple[str, ...]
    field: str
    there: str
    given: str


@dataclass
class RowMerge(Generic[N]):
    """The rows of one kind, merged with those of the campaign."""

    what: str
    prefer_incoming: bool
    """Whether conflicts are resolved by taking the incoming value."""
    documents: RowMerge[Document] | None = None
    """The documents of topics, which are counted apart."""
    new: list[N] = field(default_factory=list)
    changed: dict[Hashable, N] = field(default_factory=dict)
    """By key, rows of the campaign as they will be."""
    equal: int = 0
    extended: int = 0
    conflicts: list[Conflict] = field(default_factory=list)
    conflicting_rows: int = 0

    def add_all(self, rows: Iterable[N], incoming_rows: Iterable[N]) -> None:
        """Merge all incoming rows into the campaign's rows; of several with one key, each into the one before."""
        merged_rows: dict[Hashable, N] = {key_of(row): row for row in rows}
        places_of_new: dict[Hashable, int] = {}
        for incoming in incoming_rows:
            key = key_of(incoming)
            row = merged_rows.get(key)
            merged = self.add(row, incoming)
            merged_rows[key] = merged
            if row is None:
                places_of_new[key] = len(self.new) - 1
            elif key in places_of_new:
                self.new[places_of_new[key]] = merged
            elif merged != row:
                self.changed[key] = merged

    def add(self, row: N | None, incoming: N, *key: str) -> N:
        """Count one incoming row, and merge it with the campaign's row of that key, if there is one."""
        if row is None:
            self.new.append(incoming)
            if self.documents is not None and isinstance(incoming, Topic):
                self.documents.new += [*incoming.documents, *incoming.background]
            return incoming
        fields = _FieldMerge(self.what, key or _readable_key(incoming), self.documents)
        merged = fields.merge(row, incoming)
        self.equal += merged == row
        if fields.conflicts:
            self.conflicts += fields.conflicts
            self.conflicting_rows += 1
            return merged if self.prefer_incoming else row
        self.extended += fields.is_extended
        return merged

    def merged_rows(self, rows: Iterable[N]) -> Iterator[N]:
        """The campaign's rows as they will be, and the new ones after them."""
        if self.changed:
            for row in rows:
                yield self.changed.get(key_of(row), row)
        else:
            yield from rows
        yield from self.new

    @property
    def line(self) -> PlanLine:
        """The line of the plan about these rows."""
        return PlanLine(
            what=self.what,
            new=len(self.new),
            extended=self.extended,
            equal=self.equal,
            conflicts=self.conflicting_rows,
        )


@dataclass(frozen=True, kw_only=True)
class CampaignMerge:
    """A campaign with what is added to it."""

    campaign: Campaign
    rows: Mapping[str, RowMerge[Any]]
    """By the field of the campaign, such as `summaries`."""
    new_scores: ScoreTable
    corrected_scores: ScoreTable
    """Scores that differ from the campaign's."""
    settings: tuple[str, ...]
    """The names of the settings that change."""
    lines: tuple[PlanLine, ...]
    """What comes of each kind; kinds of which nothing comes are left out."""
    conflicts: tuple[Conflict, ...]


def merge_campaigns(campaign: Campaign, incoming: Campaign, *, prefer_incoming: bool = False) -> CampaignMerge:
    """Add a campaign to another.

    Args:
        campaign: the one that is added to.
        incoming: what is added.
        prefer_incoming: whether conflicts are resolved by taking the incoming value.
    """
    # Topics with other documents would count as equal if these did not change.
    # A document that differs is a conflict of its own, counted and resolved apart from its topic.
    documents = RowMerge[Document]("documents", prefer_incoming=True)
    rows: dict[str, RowMerge[Any]] = {name: RowMerge(name, prefer_incoming, documents) for name in NOUNS}
    for name, row_merge in rows.items():
        row_merge.add_all(getattr(campaign, name), getattr(incoming, name))
    settings, changed_settings = _merge_settings(campaign, incoming, prefer_incoming=prefer_incoming)
    scores = _ScoreMerge.of(campaign.imported, incoming.imported)
    nouns: dict[str, Any] = {name: tuple(merge.merged_rows(getattr(campaign, name))) for name, merge in rows.items()}
    merged = replace(
        campaign, **changed_settings, **nouns, imported=scores.merged(campaign.imported, replaces=prefer_incoming)
    )
    other_merges = [merge for name, merge in rows.items() if name != "topics"]
    lines = [merge.line for merge in (settings, rows["topics"], documents, *other_merges)]
    lines.append(scores.line)
    conflicts = [*settings.conflicts, *documents.conflicts]
    for row_merge in rows.values():
        conflicts += row_merge.conflicts
    return CampaignMerge(
        campaign=merged,
        rows=rows,
        new_scores=scores.new,
        corrected_scores=scores.corrected,
        settings=tuple(changed_settings),
        lines=tuple(line for line in lines if not line.is_empty),
        conflicts=(*conflicts, *scores.conflicts),
    )


def _readable_key(noun: Noun) -> tuple[str, ...]:
    """What identifies a row, for people: without fields that most rows leave out, such as `run`."""
    fields = {facts.name: facts for facts in fields_of(type(noun)).values()}
    values = {name: getattr(noun, name) for name in KEYS[type(noun)]}
    return tuple(str(value) for name, value in values.items() if value != default_of(fields[name]))


class _FieldMerge:
    """Two rows with the same key, merged field by field."""

    def __init__(self, what: str, key: tuple[str, ...], documents: RowMerge[Document] | None) -> None:
        self.what = what
        self.key = key
        self.documents = documents
        self.is_extended = False
        self.conflicts: list[Conflict] = []

    def merge(self, row: N, incoming: N) -> N:
        """The row with the fields of both; where they differ, the incoming value, and a conflict."""
        changed: dict[str, Any] = {}
        for name, facts in fields_of(type(row)).items():
            before = getattr(row, facts.name)
            after = getattr(incoming, facts.name)
            default = default_of(facts)
            # A field that the incoming row leaves out says nothing about the campaign's value.
            if after == default or _is_same(before, after):
                continue
            if self.documents is not None and name in ("documents", "background"):
                changed[facts.name] = self._merge_documents(self.documents, before, after)
            elif name == "scus" and isinstance(row, PeerAnnotation) and row.draw is not None:
                changed[facts.name] = self._merge_answers(before, after)
            elif isinstance(before, dict):
                changed[facts.name] = self._merge_by_key(before, after, name)
            else:
                changed[facts.name] = after
                self._note_difference(name, before, after, is_missing=before == default)
        # Keys that we do not know are kept and merged like any other: another program may need them.
        if not incoming.unknown.items() <= row.unknown.items():
            changed["unknown"] = self._merge_by_key(row.unknown, incoming.unknown, "")
        if not changed:
            return row
        return msgspec.structs.replace(row, **changed)

    def _note_difference(self, name: str, before: Any, after: Any, *, is_missing: bool) -> None:
        """A field that the row lacks is an extension; one that it has with another value is a conflict."""
        if is_missing:
            self.is_extended = True
            return
        conflict = Conflict(what=self.what, key=self.key, field=name, there=_shown(before), given=_shown(after))
        self.conflicts.append(conflict)

    def _merge_by_key(self, before: Mapping[str, Any], after: Mapping[str, Any], name: str) -> dict[str, Any]:
        prefix = f"{name}." if name else ""
        for key, value in after.items():
            is_missing = key not in before
            if is_missing or before[key] != value:
                self._note_difference(f"{prefix}{key}", before.get(key), value, is_missing=is_missing)
        return {**before, **after}

    def _merge_answers(self, before: tuple[Match, ...], after: tuple[Match, ...]) -> tuple[Match, ...]:
        """Answers to drawn questions come in parts: those of both, the incoming ones where they differ."""
        answers = {match.uid: match for match in before}
        for match in after:
            earlier = answers.get(match.uid)
            if earlier is not None and earlier.present == match.present:
                continue  # it may have words that a table can't hold
            shown = None if earlier is None else earlier.present
            self._note_difference(f"scus.{match.uid}", shown, match.present, is_missing=earlier is None)
            answers[match.uid] = match
        return tuple(answers.values())

    def _merge_documents(
        self, documents: RowMerge[Document], before: Sequence[Document], after: Sequence[Document]
    ) -> tuple[Document, ...]:
        """All documents by id."""
        merged = {document.id: document for document in before}
        for document in after:
            merged[document.id] = documents.add(merged.get(document.id), document, *self.key, document.id)
        return tuple(merged.values())


def _shown(value: Any) -> str:
    """A value for the table of conflicts: a text is shown as one string."""
    if isinstance(value, tuple) and _are_sentences(value):
        value = plain(value)
    return shorten(value)


def _are_sentences(value: tuple[Any, ...]) -> bool:
    return all(isinstance(sentence, str) for sentence in value)


def _is_text(value: Any) -> bool:
    if isinstance(value, tuple):
        return bool(value) and _are_sentences(value)
    return isinstance(value, str)


def _are_units(value: Any) -> bool:
    """Whether a value holds the SCUs of a pyramid, or their matches in a peer."""
    if not isinstance(value, tuple):
        return False
    return all(isinstance(unit, Scu | Match) for unit in value)


def _is_same(before: Any, after: Any) -> bool:
    """Whether two values mean the same: a text as sentences or in one string, SCUs in any order."""
    if before == after:
        return True
    if _is_text(before) and _is_text(after):
        # A text with known sentences and the same text as one string are no conflict.
        return plain(before) == plain(after)
    if _are_units(before) and _are_units(after):
        by_uid = attrgetter("uid")
        return sorted(before, key=by_uid) == sorted(after, key=by_uid)
    return False


def _merge_settings(
    campaign: Campaign, incoming: Campaign, *, prefer_incoming: bool
) -> tuple[RowMerge[Summarizer | Assessor], dict[str, Any]]:
    """Who summarizers and judges are, and what the campaign does not say yet; with the settings that change."""
    merge = RowMerge[Summarizer | Assessor]("settings", prefer_incoming)
    changed: dict[str, Any] = {}
    for name in SETTINGS:
        before = getattr(campaign, name)
        after = getattr(incoming, name)
        if not after or before == after:
            continue
        if not before:
            merge.extended += 1
            changed[name] = after
        # Two campaigns have two descriptions by nature; two word limits contradict each other.
        elif name not in _PERSISTENT_SETTINGS:
            conflict = Conflict(what="settings", key=("campaign",), field=name, there=str(before), given=str(after))
            merge.conflicts.append(conflict)
            merge.conflicting_rows += 1
            if prefer_incoming:
                changed[name] = after
    for name in ("summarizers", "assessors"):
        before = getattr(campaign, name)
        entries = dict(before)
        for id, entry in getattr(incoming, name).items():
            entries[id] = merge.add(entries.get(id), entry, id)
        if entries != before:
            changed[name] = entries
    return merge, changed


@dataclass(frozen=True, kw_only=True)
class _ScoreMerge:
    """Incoming scores beside those of the campaign."""

    new: ScoreTable
    corrected: ScoreTable
    """Scores that the campaign has with another value."""
    line: PlanLine
    conflicts: tuple[Conflict, ...]

    @classmethod
    def of(cls, scores: ScoreTable, incoming: ScoreTable) -> _ScoreMerge:
        before = scores.frame.select(*KEY, before="value")
        # Polars keeps no order in joins unless it is asked to.
        common = incoming.frame.join(before, on=KEY, how="inner", maintain_order="left")
        differing = common.filter(pl.col("value") != pl.col("before"))
        conflicts = [
            Conflict(what="scores", key=tuple(map(str, key)), field="value", there=f"{before:g}", given=f"{value:g}")
            for *key, value, before in differing.select(*KEY, "value", "before").iter_rows()
        ]
        new = incoming.without(scores)
        equal = common.height - differing.height
        return cls(
            new=new,
            corrected=incoming.within(replace(scores, frame=differing.drop("before"))),
            line=PlanLine(what="scores", new=len(new), extended=0, equal=equal, conflicts=len(conflicts)),
            conflicts=tuple(conflicts),
        )

    def merged(self, scores: ScoreTable, *, replaces: bool) -> ScoreTable:
        """The campaign's scores with the new ones; with `replaces`, corrected ones take the place of others."""
        if replaces:
            return scores.without(self.corrected).join(self.corrected, self.new)
        return scores.join(self.new)
