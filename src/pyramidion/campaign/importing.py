"""Importing: what files bring to a campaign is planned and checked, then all of it is written, or nothing.

`plan_import` compares an incoming campaign with the one in a folder; `apply_plan` writes what the plan says;
`import_into` does both while it holds the lock of the folder. Whoever calls them reads the files: the command line,
`pyramidion.import_campaign`, or a program with a campaign in memory.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Any

import polars as pl

from pyramidion.campaign.campaign import NOUNS, Campaign
from pyramidion.campaign.checks import NounTable, check_tables, key_of
from pyramidion.campaign.decoding import RowDecoder
from pyramidion.campaign.folder import SCORES, SUMMARIES, FolderContent, read_content, write_encoded, write_rows
from pyramidion.campaign.ids import respell_ids
from pyramidion.campaign.join import note_scores_without_summary
from pyramidion.campaign.merge import CampaignMerge, Conflict, PlanLine, RowMerge, merge_campaigns
from pyramidion.campaign.nouns import Assessor, Noun, Summarizer, encode, plain
from pyramidion.campaign.settings import FILE as SETTINGS_FILE
from pyramidion.campaign.settings import extend_settings
from pyramidion.errors import InputError, UsageError
from pyramidion.files.locks import LOCK_FILE, lock_campaign
from pyramidion.files.opening import open_bytes
from pyramidion.files.problems import Place, Problem, Problems
from pyramidion.files.scratch import remove_leftovers
from pyramidion.files.writing import written_together
from pyramidion.options import ImportOptions
from pyramidion.scores.reading import without_conflicts
from pyramidion.scores.table import ScoreTable
from pyramidion.scores.writing import write_scores
from pyramidion.show.tables import Column, Finding, grouped, table_of
from pyramidion.show.tables import Table as ShownTable
from pyramidion.show.wording import capital, counted, listed

SHOWN_CONFLICTS = 10
"""Conflicts that a table lists; records have all of them."""

ReadIncoming = Callable[[Campaign, Problems], Campaign]
"""Reads what is imported; it gets the campaign that is added to, for instance to look up the ids of its topics."""


@dataclass(frozen=True, kw_only=True)
class ImportSource:
    """What is imported, and how it is read."""

    read: ReadIncoming
    path: Path
    """The file or folder that messages name."""
    score_file: str = "imported.parquet"
    """The file in scores/ that new scores go to."""
    only_new_scores: bool = False
    """Whether a score that the campaign has already is an error, even if it is equal."""


@dataclass(frozen=True, kw_only=True)
class FolderChanges:
    """What an import writes into a campaign folder."""

    content: FolderContent
    """The folder as it was read."""
    campaign: Campaign
    """The campaign that it becomes."""
    merge: CampaignMerge
    new_lines: Mapping[str, list[bytes]]
    """By the name of the noun, the new rows."""
    changed_lines: Mapping[str, Mapping[int, bytes]]
    """By the name of the noun and the number of the line, rows that change."""
    score_file: str
    """The file in scores/ that new scores go to."""


class ImportPlan(Finding, repr=True, eq=True):
    """What an import adds to a campaign."""

    campaign: str
    planned: tuple[PlanLine, ...]
    conflicts: tuple[Conflict, ...]
    replace: bool = False
    """Whether conflicts are resolved by taking what is imported."""
    dry_run: bool = False
    """Whether it is not to be carried out."""
    written: bool = False
    new_models: int = 0
    """How many of the new summaries are models."""
    summary: str = ""
    """What was written, in one line, if it is a new campaign or a table of scores."""
    problems: Problems = field(default_factory=Problems, repr=False, compare=False)
    """What was noticed in the sources, and how they were understood."""
    changes: FolderChanges | None = field(default=None, repr=False, compare=False)
    """What `apply_plan` writes; None if it was written, or must not be."""

    @property
    def refused(self) -> bool:
        """Whether nothing can be written because of conflicts."""
        return bool(self.conflicts) and not self.replace

    @property
    def has_changes(self) -> bool:
        """Whether there is anything to write."""
        return any(line.changes for line in self.planned)

    def tables(self) -> list[ShownTable]:
        """What is new, equal and in conflict; the first conflicts."""
        columns = (
            Column("what", ""),
            Column("new"),
            Column("extended", of=lambda row: row.extended or None),
            Column("equal"),
            Column("conflicts", "in conflict"),
        )
        sentences = (self._describe_changes(), self._describe_outcome())
        tables = [table_of(self.planned, columns, record="import-plan", title="Import plan", sentences=sentences)]
        if self.conflicts:
            tables.append(self._table_of_conflicts())
        return tables

    def _table_of_conflicts(self) -> ShownTable:
        columns = (
            "what",
            Column("key", of=lambda row: ", ".join(row.key)),
            "field",
            Column("there", "in the campaign"),
            Column("given", "to import"),
        )
        more = len(self.conflicts) - SHOWN_CONFLICTS
        notes = (f"{more:,} more; `records()` lists all.",) if more > 0 else ()
        return table_of(self.conflicts[:SHOWN_CONFLICTS], columns, title="Conflicts", notes=notes)

    def _describe_changes(self) -> str:
        new = [self._count_new(line) for line in self.planned if line.new]
        extended = [counted(line.extended, *_names_of(line.what)) for line in self.planned if line.extended]
        equal = sum(line.equal for line in self.planned)
        parts: list[str] = []
        if new:
            parts.append(f"new: {listed(new)}")
        if extended:
            parts.append(f"extended: {listed(extended)}")
        if equal:
            parts.append(f"already there: {equal:,}")
        if self.conflicts:
            parts.append(f"in conflict: {len(self.conflicts):,}")
        else:
            parts.append("no conflicts")
        return f"{capital('; '.join(parts))}."

    def _count_new(self, line: PlanLine) -> str:
        count = counted(line.new, *_names_of(line.what))
        if line.what == "summaries" and self.new_models:
            return f"{count} ({self.new_models:,} of them models)"
        return count

    def _describe_outcome(self) -> str:
        if self.refused:
            return "Nothing was written. Add `replace=True` to overwrite what is in conflict, or correct the source."
        if not self.has_changes:
            return f"{self.campaign} has all of it already."
        if self.written:
            return f"Written to {self.campaign}."
        return f"Nothing was written to {self.campaign} yet."


def _names_of(what: str) -> tuple[str, str]:
    """The singular and the plural of what a line of the plan counts."""
    irregular = {"summaries": "summary", "coverage": "coverage", "sample": "sample", "settings": "setting"}
    return irregular.get(what, what.removesuffix("s")), what


class ImportConflictError(InputError):
    """What is imported contradicts the campaign; `plan` lists every conflict. Nothing was written."""

    def __init__(self, plan: ImportPlan) -> None:
        self.plan = plan
        super().__init__(" ".join(plan.sentences()))


def import_into(
    folder: Path, source: ImportSource, options: ImportOptions, problems: Problems | None = None
) -> ImportPlan:
    """Add to a campaign folder: all of it is written, or nothing.

    The folder is locked from reading until it is written; a dry run writes nothing and needs no lock. With conflicts,
    nothing is written either, and the plan says so.

    Args:
        folder: the campaign folder.
        source: what is added.
        options: whether conflicts are resolve_links, only the plan is made, and warnings are errors.
        problems: what was noticed so far.

    Raises:
        CampaignError: if what is added, or the campaign, has errors.
        CampaignLockedError: if another command changes the campaign, and takes long.
    """
    # From reading to writing: what another command writes in between would be lost.
    needs_lock = folder.is_dir() and not options.dry_run
    # A dry run must work on campaigns that one may only read.
    lock = lock_campaign(folder) if needs_lock else contextlib.nullcontext()
    with lock:
        plan = plan_import(read_campaign_to_change(folder), source, options, problems)
        return apply_plan(plan)


def read_campaign_to_change(folder: Path) -> FolderContent:
    """Read a campaign folder; what is wrong with it has to be mended first.

    Raises:
        CampaignError: if the campaign has errors.
        UsageError: if the folder is no campaign.
    """
    if not folder.is_dir():
        raise UsageError(f"{folder} is not a campaign folder; `pyramidion init {folder}` starts one")
    if (folder / SUMMARIES).exists():
        problems = Problems()
        content = read_content(folder, problems)
        problems.refuse()
        return content
    has_files = any(path.name != LOCK_FILE for path in folder.iterdir())
    if has_files and not (folder / SETTINGS_FILE).exists():
        raise UsageError(f"{folder} is not a campaign folder: it has no {SUMMARIES}; `pyramidion init` starts one")
    return read_content(folder, Problems())


def plan_import(
    content: FolderContent, source: ImportSource, options: ImportOptions, problems: Problems | None = None
) -> ImportPlan:
    """Read what is imported, compare it with the campaign in a folder, and check what that would become.

    Each incoming row is encoded once and checked once: the lines are those that `apply_plan` writes.

    Args:
        content: the folder, as `read_campaign_to_change` or `new_content` returns it.
        source: what is added.
        options: whether conflicts are resolve_links, only the plan is made, and warnings are errors.
        problems: what was noticed so far.

    Raises:
        CampaignError: if what is added has errors, or the campaign would have.
    """
    problems = Problems() if problems is None else problems
    incoming = source.read(content.campaign, problems)
    problems.refuse(strict=options.strict)
    at = problems.at(source.path)
    campaign = content.campaign
    if not content.is_new:
        # First of all: d0601 and D0601 are one topic, and everything below compares ids.
        incoming = respell_ids(incoming, campaign, problems)
        incoming = _drop_scores_without_summary(incoming, campaign, at)
        problems.refuse(strict=options.strict)
    merge = merge_campaigns(campaign, incoming, prefer_incoming=options.replace)
    checked_scores = incoming.imported if source.only_new_scores else merge.new_scores
    without_conflicts(checked_scores, campaign.imported, "the campaign", at)
    result = merge.campaign
    new_rows: dict[str, Any] = {name: merge.rows[name].new for name in NOUNS}
    if content.is_new:  # all incoming rows: of two with one key, one would be lost in a merge without a word
        result = incoming
        new_rows = {name: getattr(incoming, name) for name in NOUNS}
    checks = _RowChecks(at)
    new_lines = {name: checks.encode_rows(NOUNS[name], rows) for name, rows in new_rows.items()}
    changed_lines = {
        name: checks.encode_changed(content.tables[noun], merge.rows[name]) for name, noun in NOUNS.items()
    }
    checks.check_campaign(result)
    if not content.is_new:
        _warn_about_replaced_texts(merge, at, replaces=options.replace)
        _warn_about_copies(merge, campaign, at)
    problems.refuse(strict=options.strict)
    return ImportPlan(
        campaign=str(content.folder),
        planned=merge.lines,
        conflicts=merge.conflicts,
        replace=options.replace,
        dry_run=options.dry_run,
        new_models=sum(summary.kind == "model" for summary in merge.rows["summaries"].new),
        problems=problems,
        changes=FolderChanges(
            content=content,
            campaign=result,
            merge=merge,
            new_lines=new_lines,
            changed_lines=changed_lines,
            score_file=source.score_file,
        ),
    )


def apply_plan(plan: ImportPlan) -> ImportPlan:
    """Write what a plan says, unless conflicts or a dry run forbid it; all files appear together, or none of them.

    Lines that do not change stay as they are, byte for byte; new ones follow. What a killed run left in the folder
    is removed, even if that run had done everything.
    """
    changes = plan.changes
    if changes is None or plan.dry_run or plan.refused:
        return replace(plan, changes=None)
    content = changes.content
    if content.is_new:
        write_encoded(changes.campaign, content.folder, changes.new_lines)
        summary = f"{describe_content(changes.campaign)} written to {content.folder}"
        return replace(plan, written=True, summary=summary, changes=None)
    for folder in (content.folder, content.folder / SCORES):
        remove_leftovers(folder.resolve())
    if not plan.has_changes:
        return replace(plan, changes=None)
    with written_together():
        _write_changes(changes, replaces=plan.replace)
    return replace(plan, written=True, changes=None)


def describe_content(campaign: Campaign) -> str:
    """What a campaign holds, in a few words."""
    summaries = counted(len(campaign.summaries), "summary", "summaries")
    parts = [f"{summaries} of {counted(len(campaign.topic_ids), 'topic')}"]
    for name in ("judgment", "pyramid", "annotation"):
        rows = getattr(campaign, f"{name}s")
        if rows:
            parts.append(counted(len(rows), name))
    if len(campaign.imported):
        parts.append(counted(len(campaign.imported), "score"))
    return ", ".join(parts)


def note_refused(campaign: Campaign, at: Place) -> None:
    """Note what `check` would refuse if the campaign were written, each kind of error once."""
    checks = _RowChecks(at)
    for name, noun in NOUNS.items():
        checks.encode_rows(noun, getattr(campaign, name))
    checks.check_campaign(campaign)


class _RowChecks:
    """The checks that a campaign from elsewhere must pass: the same that `check` asks of our files."""

    def __init__(self, at: Place) -> None:
        self.at = at
        self.path = Path(at.file)
        self.problems = Problems()
        self._invalid: set[int] = set()
        """The identities of rows with errors of their own."""

    def encode_rows(self, noun: type[Noun], rows: Iterable[Any]) -> list[bytes]:
        """The lines of rows; what could not be read again is noted."""
        decoder = RowDecoder(noun, self.path, self.problems)
        lines: list[bytes] = []
        for row in rows:
            line = encode(row)
            # Decoded again as any file would be: what we could not read back is not written.
            if decoder.decode_line(0, line) is None:
                self._invalid.add(id(row))
            lines.append(line)
        return lines

    def encode_changed(self, table: NounTable[Any], merge: RowMerge[Any]) -> dict[int, bytes]:
        """The lines of rows of the campaign that change, by their numbers."""
        if not merge.changed:
            return {}
        numbers = {key_of(row): number for number, row in table.rows}
        lines = self.encode_rows(NOUNS[merge.what], merge.changed.values())
        return dict(zip((numbers[key] for key in merge.changed), lines, strict=True))

    def check_campaign(self, campaign: Campaign) -> None:
        """Check what holds between rows, and note each kind of error once."""
        self.encode_rows(Summarizer, campaign.summarizers.values())
        self.encode_rows(Assessor, campaign.assessors.values())
        tables = {noun: self._table_of(getattr(campaign, name)) for name, noun in NOUNS.items()}
        scores = {self.path: campaign.imported} if len(campaign.imported) else {}
        check_tables(tables, scores, campaign.questions, self.problems, summarizers=campaign.summarizers)
        errors = [problem for problem in self.problems if problem.severity == "error"]
        for problems in grouped(errors, _kind_of).values():
            first = problems[0]
            values = list(dict.fromkeys(problem.found for problem in problems))
            self.at.error(listed(values, most=3), first.expected, first.remedy, field=first.field, count=len(problems))

    def _table_of(self, rows: Iterable[Any]) -> NounTable[Any]:
        # One error a row: what a broken row refers to is not an error as well.
        valid = (row for row in rows if id(row) not in self._invalid)
        return NounTable(self.path, list(enumerate(valid, start=1)))


def _kind_of(problem: Problem) -> tuple[str | None, str]:
    """What errors of one kind have in common."""
    return problem.field, problem.expected


def _drop_scores_without_summary(incoming: Campaign, campaign: Campaign, at: Place) -> Campaign:
    """Leave out scores of summaries that neither campaign has, and note how many they are."""
    scores = incoming.imported
    summaries = {(summary.topic, summary.summarizer) for summary in (*campaign.summaries, *incoming.summaries)}
    keys = list(scores.frame.select("topic", "summarizer").iter_rows())
    have_summary = [key in summaries for key in keys]
    count = have_summary.count(False)
    if not count:
        return incoming
    note_scores_without_summary(at, count, len(keys), keys[have_summary.index(False)])
    frame = scores.frame.filter(pl.Series(have_summary, dtype=pl.Boolean))
    return replace(incoming, imported=replace(scores, frame=frame))


def _warn_about_replaced_texts(merge: CampaignMerge, at: Place, *, replaces: bool) -> None:
    """Warn of new texts in place of those that people judged or annotated."""
    if not replaces:
        return
    campaign = merge.campaign
    marked = {(judgment.topic, judgment.summarizer) for judgment in campaign.judgments}
    marked |= {(annotation.topic, annotation.summarizer) for annotation in campaign.annotations}
    for pyramid in campaign.pyramids:
        marked.update((pyramid.topic, model) for model in pyramid.models)
    # Keys of summaries name the run, too, which nobody judged apart.
    changed = dict.fromkeys(key[:2] for key in merge.rows["summaries"].changed if isinstance(key, tuple))
    replaced = [key for key in changed if key in marked]
    if replaced:
        at.warning(
            f"new texts for {counted(len(replaced), 'summary', 'summaries')} that were judged or annotated, the "
            f"first for {replaced[0]!r}",
            "the texts that people saw",
            "Judgments and marked parts still refer to the old text.",
            field="text",
            count=len(replaced),
        )


def _warn_about_copies(merge: CampaignMerge, campaign: Campaign, at: Place) -> None:
    """Warn of new summarizers with the texts of one that is there: probably the same under another name."""
    summarizers = set(campaign.summarizer_ids)
    writers = {(summary.topic, plain(summary.text)): summary.summarizer for summary in campaign.summaries}
    new = [summary for summary in merge.rows["summaries"].new if summary.summarizer not in summarizers]
    copies: dict[str, str] = {}
    for summarizer, summaries in grouped(new, lambda summary: summary.summarizer).items():
        originals = {writers.get((summary.topic, plain(summary.text))) for summary in summaries}
        # A copy has all its texts from one summarizer; two from different ones are chance.
        original = next(iter(originals))
        if len(originals) == 1 and original is not None:
            copies[summarizer] = original
    if copies:
        shown = [f"{summarizer} (those of {original})" for summarizer, original in copies.items()]
        at.warning(
            f"{counted(len(copies), 'new summarizer')} with texts that are there already: {listed(shown, most=2)}",
            "the names that the campaign uses",
            "Rename them in the source if they are the same.",
            field="summarizer",
            count=len(copies),
        )


def _write_changes(changes: FolderChanges, *, replaces: bool) -> None:
    content, merge = changes.content, changes.merge
    settings = content.folder / SETTINGS_FILE
    if merge.settings or not settings.exists():
        extend_settings(settings, changes.campaign, merge.settings)
    lines: dict[str, Iterable[bytes]] = {}
    for name, noun in NOUNS.items():
        new, changed = changes.new_lines[name], changes.changed_lines[name]
        if new or changed:
            lines[name] = chain(_change_lines(content.tables[noun].path, changed), new)
    write_rows(content.folder, lines)
    for path, table in _merge_score_files(changes, replaces=replaces).items():
        write_scores(table, path, own=True)


def _change_lines(path: Path, changed: Mapping[int, bytes]) -> list[bytes]:
    """All lines of a file as they are, except those that change; what was compressed is plain from now on."""
    if not path.exists():
        return []
    with open_bytes(path) as file:
        lines = file.read().split(b"\n")
    # Empty lines at the end would become lines in the middle.
    while lines and not lines[-1].strip():
        lines.pop()
    for number, line in changed.items():
        lines[number - 1] = line
    return lines


def _merge_score_files(changes: FolderChanges, *, replaces: bool) -> dict[Path, ScoreTable]:
    """The score tables that change: those with corrected scores, and the one that new scores go to."""
    tables: dict[Path, ScoreTable] = {}
    for path, table in changes.content.scores.items():
        corrected = changes.merge.corrected_scores.within(table)
        if replaces and len(corrected):
            tables[path] = table.without(corrected).join(corrected)
    new_scores = changes.merge.new_scores
    if len(new_scores):
        target = changes.content.folder / SCORES / changes.score_file
        # A file may get corrected and new scores in one import.
        before = tables.get(target, changes.content.scores.get(target))
        tables[target] = new_scores if before is None else before.join(new_scores)
    return tables
