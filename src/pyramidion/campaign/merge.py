"""Adding to a campaign: what of another campaign is new, what is there already, and what contradicts it.

Rows with the same key are compared field by field. A field that only one of them has is kept, so that the documents
of a topic can be added without losing its attributes; a field on which both differ is a conflict.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import Any, Generic, TypeVar

import msgspec
import polars as pl

from pyramidion.campaign.campaign import NOUNS, Campaign
from pyramidion.campaign.checks import KEYS, key_of
from pyramidion.campaign.nouns import Document, Match, Noun, Scu, Summarizer, Topic, default_of, fields_of, plain
from pyramidion.files.problems import shorten
from pyramidion.scores.table import KEY, ScoreTable
from pyramidion.tables import Column, Finding, Row, Table, table_of
from pyramidion.wording import capital, counted, listed

N = TypeVar("N", bound=Noun)

SHOWN = 10
"""Conflicts that a table lists; records have all of them."""
SETTINGS = ("description", "licence", "word_limit")
"""Settings that an import may fill in."""
_OPTIONAL = ("description", "licence")
"""Settings that an import may say otherwise: those of the campaign stay."""


class Planned(Row, record="import-plan"):
    """What an import brings of one kind."""

    what: str
    new: int
    extended: int
    """Rows that are there and get a field that they lack."""
    equal: int
    conflicts: int

    @property
    def changes(self) -> bool:
        """Whether anything would be written."""
        return bool(self.new or self.extended or self.conflicts)


class Conflict(Row, record="import-conflict"):
    """A value that the campaign has otherwise."""

    what: str
    key: tuple[str, ...]
    field: str
    there: str
    given: str


class Plan(Finding, repr=True, eq=True):
    """What an import adds to a campaign."""

    campaign: str
    planned: tuple[Planned, ...]
    conflicts: tuple[Conflict, ...]
    replace: bool = False
    """Whether conflicts are resolved by taking what is imported."""
    written: bool = False
    new_models: int = 0
    """How many of the new summaries are models."""

    @property
    def refused(self) -> bool:
        """Whether nothing can be written because of conflicts."""
        return bool(self.conflicts) and not self.replace

    def tables(self) -> list[Table]:
        """What is new, equal and in conflict; the first conflicts."""
        columns = (
            Column("what", ""),
            Column("new"),
            Column("extended", of=lambda row: row.extended or None),
            Column("equal"),
            Column("conflicts", "in conflict"),
        )
        sentences = (self._changes(), self._ending())
        tables = [table_of(self.planned, columns, record="import-plan", title="Import plan", sentences=sentences)]
        if self.conflicts:
            more = len(self.conflicts) - SHOWN
            shown = (
                "what",
                Column("key", of=lambda row: ", ".join(row.key)),
                "field",
                Column("there", "in the campaign"),
                Column("given", "to import"),
            )
            notes = (f"{more:,} more; --format json lists all.",) if more > 0 else ()
            tables.append(table_of(self.conflicts[:SHOWN], shown, title="Conflicts", notes=notes))
        return tables

    def _changes(self) -> str:
        new = [self._new(one) for one in self.planned if one.new]
        extended = [counted(one.extended, *_named(one.what)) for one in self.planned if one.extended]
        equal = sum(one.equal for one in self.planned)
        parts = [f"new: {listed(new)}" if new else "", f"extended: {listed(extended)}" if extended else ""]
        parts += [
            f"already there: {equal:,}" if equal else "",
            f"in conflict: {len(self.conflicts):,}" if self.conflicts else "no conflicts",
        ]
        return f"{capital('; '.join(filter(None, parts)))}."

    def _new(self, one: Planned) -> str:
        models = f" ({self.new_models:,} of them models)" if one.what == "summaries" and self.new_models else ""
        return counted(one.new, *_named(one.what)) + models

    def _ending(self) -> str:
        if self.refused:
            return "Nothing was written. Add --replace to overwrite what is in conflict, or correct the source."
        if not any(one.changes for one in self.planned):
            return f"{self.campaign} has all of it already."
        return f"Written to {self.campaign}." if self.written else f"Nothing was written to {self.campaign} yet."


def _named(what: str) -> tuple[str, str]:
    """One of them, and several."""
    one = {"summaries": "summary", "coverage": "coverage", "settings": "setting"}.get(what, what.removesuffix("s"))
    return one, what


@dataclass
class Addition(Generic[N]):
    """What becomes of the rows of one kind."""

    what: str
    prefer_given: bool
    """Whether conflicts are resolved by taking what is given."""
    documents: Addition[Document] | None = None
    """Those of topics, which are counted on their own."""
    new: list[N] = field(default_factory=list)
    changed: dict[Hashable, N] = field(default_factory=dict)
    """Rows that are there, as they will be, by their key."""
    equal: int = 0
    extended: int = 0
    conflicts: list[Conflict] = field(default_factory=list)
    clashing: int = 0
    """Rows with conflicts."""

    def take(self, old: N | None, given: N, *key: str) -> N:
        """Count a row that is given, and merge it with the one of that key that is there, if there is one."""
        if old is None:
            self.new.append(given)
            if self.documents is not None and isinstance(given, Topic):
                self.documents.new += [*given.documents, *given.background]
            return given
        merge = _Merge(self.what, key or _named_key(given), self.documents)
        merged = merge.of(old, given)
        self.conflicts += merge.conflicts
        self.clashing += bool(merge.conflicts)
        self.equal += merged == old
        self.extended += merge.extended and not merge.conflicts
        return merged if self.prefer_given or not merge.conflicts else old

    @property
    def planned(self) -> Planned:
        """Its line in the plan."""
        return Planned(
            what=self.what, new=len(self.new), extended=self.extended, equal=self.equal, conflicts=self.clashing
        )


@dataclass(frozen=True, kw_only=True)
class Growth:
    """A campaign with what is added to it."""

    campaign: Campaign
    additions: Mapping[str, Addition[Any]]
    """By the field of the campaign."""
    scores: ScoreTable
    """New scores."""
    corrected: ScoreTable
    """Scores that take the place of others."""
    settings: tuple[str, ...]
    """The settings that change."""
    plan: Plan


def grow(there: Campaign, given: Campaign, *, name: str, prefer_given: bool = False) -> Growth:
    """Add a campaign to another.

    Args:
        there: the campaign that grows.
        given: what is added.
        name: of the campaign that grows, for sentences.
        prefer_given: whether conflicts are resolved by taking what is given.
    """
    documents = Addition[Document]("documents", prefer_given=True)  # or topics with other documents would be equal
    additions: dict[str, Addition[Any]] = {what: Addition(what, prefer_given, documents) for what in NOUNS}
    for what, added in additions.items():
        _add(added, getattr(there, what), getattr(given, what))
    settings, changed = _settings(there, given, prefer_given=prefer_given)
    new_scores, corrected, planned_scores, score_conflicts = _scores(there.imported, given.imported)
    lines = [settings.planned, additions["topics"].planned, documents.planned]
    lines += [one.planned for what, one in additions.items() if what != "topics"]
    lines.append(planned_scores)
    conflicts = [*settings.conflicts, *documents.conflicts]
    conflicts += [conflict for one in additions.values() for conflict in one.conflicts]
    nouns: dict[str, Any] = {what: tuple(_grown(getattr(there, what), one)) for what, one in additions.items()}
    grown = replace(
        there,
        **changed,
        **nouns,
        imported=there.imported.without(corrected).join(corrected, new_scores)
        if prefer_given
        else there.imported.join(new_scores),
    )
    return Growth(
        campaign=grown,
        additions=additions,
        scores=new_scores,
        corrected=corrected,
        settings=tuple(changed),
        plan=Plan(
            campaign=name,
            planned=tuple(one for one in lines if one.changes or one.equal),
            conflicts=(*conflicts, *score_conflicts),
            replace=prefer_given,
            new_models=sum(one.kind == "model" for one in additions["summaries"].new),
        ),
    )


def _add(added: Addition[N], there: Iterable[N], given: Iterable[N]) -> None:
    known = {key_of(one): one for one in there}
    fresh: dict[Hashable, int] = {}
    for one in given:
        id = key_of(one)
        old = known.get(id)
        known[id] = added.take(old, one)
        if old is None:
            fresh[id] = len(added.new) - 1
        elif id in fresh:
            added.new[fresh[id]] = known[id]
        elif known[id] != old:
            added.changed[id] = known[id]


def _named_key(noun: Noun) -> tuple[str, ...]:
    """What identifies a row, for people: without what most rows leave out."""
    fields = {one.name: one for one in fields_of(type(noun)).values()}
    parts = {name: getattr(noun, name) for name in KEYS[type(noun)]}
    return tuple(str(value) for name, value in parts.items() if value != default_of(fields[name]))


def _grown(there: Iterable[N], added: Addition[N]) -> Iterator[N]:
    for one in there:
        yield added.changed.get(key_of(one), one) if added.changed else one
    yield from added.new


class _Merge:
    """Two rows with the same key as one."""

    def __init__(self, what: str, key: tuple[str, ...], documents: Addition[Document] | None) -> None:
        self.what = what
        self.key = key
        self.documents = documents
        self.extended = False
        self.conflicts: list[Conflict] = []

    def of(self, old: N, new: N) -> N:
        """The row with the fields of both; where they differ, the new one's, and a conflict."""
        changed: dict[str, Any] = {}
        for name, one in fields_of(type(old)).items():
            before, after = getattr(old, one.name), getattr(new, one.name)
            default = default_of(one)
            if after == default or _same(before, after):
                continue
            if self.documents is not None and name in ("documents", "background"):
                changed[one.name] = self._merged(self.documents, before, after)
            elif isinstance(before, dict):
                changed[one.name] = self._by_key(before, after, name)
            else:
                changed[one.name] = after
                self._differ(before == default, name, before, after)
        if new.unknown.keys() - old.unknown.keys() or any(old.unknown[key] != new.unknown[key] for key in new.unknown):
            changed["unknown"] = self._by_key(old.unknown, new.unknown, "")
        return msgspec.structs.replace(old, **changed) if changed else old

    def _differ(self, missing: bool, name: str, before: Any, after: Any) -> None:
        if missing:
            self.extended = True
        else:
            there, given = _shown(before), _shown(after)
            self.conflicts.append(Conflict(what=self.what, key=self.key, field=name, there=there, given=given))

    def _by_key(self, before: Mapping[str, Any], after: Mapping[str, Any], name: str) -> dict[str, Any]:
        for key, value in after.items():
            if key not in before or before[key] != value:
                self._differ(key not in before, f"{name}.{key}".lstrip("."), before.get(key), value)
        return {**before, **after}

    def _merged(
        self, added: Addition[Document], before: Sequence[Document], after: Sequence[Document]
    ) -> tuple[Document, ...]:
        """All documents by id."""
        merged = {one.id: one for one in before}
        for one in after:
            merged[one.id] = added.take(merged.get(one.id), one, *self.key, one.id)
        return tuple(merged.values())


def _shown(value: Any) -> str:
    return shorten(plain(value) if isinstance(value, tuple) and _is_text(value) else value)


def _is_text(value: tuple[Any, ...]) -> bool:
    return all(isinstance(one, str) for one in value)


def _same(before: Any, after: Any) -> bool:
    """Whether two values mean the same: a text as sentences or in one string, units in any order."""
    if before == after:
        return True
    if isinstance(before, str | tuple) and isinstance(after, str | tuple):
        if all(isinstance(one, str) or (one and _is_text(one)) for one in (before, after)):
            return plain(before) == plain(after)
        if all(isinstance(unit, Scu | Match) for unit in (*before, *after)):
            by_uid: Callable[[Any], Any] = attrgetter("uid")
            return sorted(before, key=by_uid) == sorted(after, key=by_uid)
    return False


def _settings(there: Campaign, given: Campaign, *, prefer_given: bool) -> tuple[Addition[Summarizer], dict[str, Any]]:
    """Who the summarizers are, and what the campaign does not say yet."""
    added = Addition[Summarizer]("settings", prefer_given)
    changed: dict[str, Any] = {}
    for name in SETTINGS:
        before, after = getattr(there, name), getattr(given, name)
        if not after or before == after or (before and name in _OPTIONAL):
            continue
        if before:
            conflict = Conflict(what="settings", key=("campaign",), field=name, there=str(before), given=str(after))
            added.conflicts.append(conflict)
            added.clashing += 1
        else:
            added.extended += 1
        if not before or prefer_given:
            changed[name] = after
    summarizers = dict(there.summarizers)
    for id, who in given.summarizers.items():
        summarizers[id] = added.take(summarizers.get(id), who, id)
    if summarizers != there.summarizers:
        changed["summarizers"] = summarizers
    return added, changed


def _scores(there: ScoreTable, given: ScoreTable) -> tuple[ScoreTable, ScoreTable, Planned, list[Conflict]]:
    """Scores that are new, and those that are other than before; their line in the plan, and the conflicts."""
    both = given.frame.join(there.frame.select(*KEY, before="value"), on=KEY, how="inner", maintain_order="left")
    differing = both.filter(pl.col("value") != pl.col("before"))
    corrected = given.within(replace(there, frame=differing.drop("before")))
    new = given.without(there)
    equal = both.height - differing.height
    planned = Planned(what="scores", new=len(new), extended=0, equal=equal, conflicts=differing.height)
    conflicts = [
        Conflict(what="scores", key=tuple(map(str, key)), field="value", there=f"{before:g}", given=f"{value:g}")
        for *key, value, before in differing.select(*KEY, "value", "before").iter_rows()
    ]
    return new, corrected, planned, conflicts
