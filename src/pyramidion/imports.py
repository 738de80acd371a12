"""What can be imported: for each kind of file and each foreign format, how it is read for a campaign.

`import_campaign` is the verb in Python; the command line calls `import_files`, which it rests on. Comparing with the
campaign, checking and writing are in `campaign/importing.py`.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec

from pyramidion import formats
from pyramidion.campaign import Campaign, CampaignWarning, Problems, Topic
from pyramidion.campaign.annotation_tables import answers_scus, read_annotations
from pyramidion.campaign.campaign import NOUNS
from pyramidion.campaign.decoding import RowDecoder
from pyramidion.campaign.folder import SCORES, SUMMARIES, new_content, read_folder
from pyramidion.campaign.importing import (
    ImportConflictError,
    ImportPlan,
    ImportSource,
    apply_plan,
    import_into,
    plan_import,
)
from pyramidion.campaign.join import find_only_system
from pyramidion.campaign.judgment_tables import JudgmentTable, read_judgments, without_repeats
from pyramidion.campaign.merge import PlanLine
from pyramidion.campaign.raters import note_undeclared
from pyramidion.campaign.sources import CampaignSource
from pyramidion.errors import UsageError, check_known, mention
from pyramidion.files.opening import read_lines
from pyramidion.files.problems import Place
from pyramidion.files.targets import is_new_or_empty
from pyramidion.formats.base import AVERAGE
from pyramidion.formats.plain.folder_of_texts import read as read_texts
from pyramidion.formats.plain.folder_of_texts import read_documents
from pyramidion.intake.opened import FileTable
from pyramidion.intake.roles import names_judges
from pyramidion.measures.names import MeasureName
from pyramidion.options import IMPORT_KINDS, ImportOptions
from pyramidion.options.value_types import as_path
from pyramidion.run.data import source_of
from pyramidion.scores import ScoreTable, write_scores
from pyramidion.scores.reading import read_columns
from pyramidion.show.tables import Finding
from pyramidion.show.wording import counted

KINDS_OF_A_CAMPAIGN = ("judgments", "annotations", "summaries", "documents", "campaign")
"""Kinds that are only added to a campaign: no new one is made of them."""
WITH_COLUMNS = ("judgments", "annotations", "summaries", "documents", "scores", "flat", "records")
"""Kinds and formats whose columns can be named."""
TABLE = ".parquet"
TOPICS = "topics.jsonl"


def import_campaign(
    format: str,
    sources: str | Path | Sequence[str | Path],
    *,
    into: str | Path | None,
    campaign: str | Path | None,
    options: ImportOptions,
) -> ImportPlan:
    """Import files as `import_files` does; warn of what was noticed in them.

    Raises:
        ImportConflictError: if the campaign says otherwise, unless it is to be replaced, or only planned.
    """
    if not isinstance(format, str):
        raise UsageError(f"format={format!r}: expected the name of a format, or of what is imported")
    source_list: Sequence[object] = [sources]
    if isinstance(sources, Sequence) and not isinstance(sources, str):
        source_list = sources
    plan = import_files(
        format,
        [as_path(source, "sources") for source in source_list],
        into=None if into is None else as_path(into, "into"),
        campaign=None if campaign is None else as_path(campaign, "campaign"),
        options=options,
    )
    if plan.refused and not options.dry_run:
        raise ImportConflictError(plan)
    for problem in plan.problems:
        warnings.warn(str(problem), CampaignWarning, stacklevel=3)
    return plan


def import_files(
    format: str,
    sources: Sequence[Path],
    *,
    into: Path | None = None,
    campaign: Path | None = None,
    options: ImportOptions,
    show: Callable[[Finding], None] | None = None,
) -> ImportPlan:
    """Import files into a campaign folder that exists, or as a new one; all of it is written, or nothing.

    Args:
        format: one of IMPORT_KINDS, or the name of a format.
        sources: the files or folders.
        into: a campaign folder that is added to.
        campaign: a new or empty folder; for scores also the campaign with their summaries, or a new .parquet file.
        options: names of columns, options of the format, and what to do about conflicts and warnings.
        show: called with what is in the files, if a format looks for that first.

    Returns:
        What was written, or with a dry run or conflicts would be; its `problems` are what was noticed.

    Raises:
        CampaignError: if the files, or the campaign, have errors.
        CampaignLockedError: if the campaign is being changed by another command, which takes long.
        UsageError: if the call makes no sense.
    """
    # Both, or neither: what is to be changed would be a guess.
    if (into is None) == (campaign is None):
        raise UsageError("give either `into`, a campaign to add to, or `campaign`, a new folder")
    files = ImportedFiles(format=format, paths=sources, options=options)
    if into is not None:
        # Named after the source, so that one sees where scores came from.
        score_file = f"{files.path.name.split('.')[0]}{TABLE}"
        source = ImportSource(read=files.read_for_campaign, path=files.path, score_file=score_file)
        return import_into(into, source, options)
    assert campaign is not None
    files.check_new(campaign)
    if show is not None:
        files.show_contents(show)
    problems = Problems()
    incoming = files.read(Campaign(), problems)
    has_only_scores = len(incoming.imported) and not incoming.summaries
    if files.format == "scores" or has_only_scores:
        return _import_scores(incoming, files, campaign, problems)
    return _import_new(incoming, files, campaign, problems)


@dataclass(frozen=True, kw_only=True)
class ImportedFiles:
    """Files to import, of one kind or format."""

    format: str
    paths: Sequence[Path]
    options: ImportOptions

    def __post_init__(self) -> None:
        if not self.paths:
            raise UsageError(f"give the files to import as {self.format}")
        if self.format not in IMPORT_KINDS:
            names = [*IMPORT_KINDS, *(format.name for format in formats.all_formats())]
            check_known(self.format, names, f"there is no format {self.format!r}")
        elif self.options.option and self.format != "summaries":
            raise UsageError(f"`option=`: there are no options for {self.format}; only foreign formats have some")
        if self.options.columns and self.format not in WITH_COLUMNS:
            raise UsageError(f"`columns=`: {self.format} has no columns to name")

    @property
    def path(self) -> Path:
        """The first file: messages about all of them name it."""
        return self.paths[0]

    @property
    def columns(self) -> Mapping[str, str]:
        """By role, the columns that the user names."""
        return self.options.columns or {}

    @property
    def format_options(self) -> Mapping[str, str]:
        """The options of the format."""
        return self.options.option or {}

    def check_new(self, target: Path) -> None:
        """Refuse what is no new campaign.

        Raises:
            UsageError: if the files can only be added to a campaign, or are too many.
        """
        if self.format in KINDS_OF_A_CAMPAIGN:
            raise UsageError(f"{self.format} are added to a campaign that exists: name it by {mention('into', target)}")
        if self.options.replace:
            raise UsageError("`replace=True` changes a campaign that exists; name it by `into=`")
        if self.format in ("scores", "flat") and len(self.paths) > 1:
            raise UsageError(
                f"the format {self.format} is read from one file; found {len(self.paths)}. Import one by one."
            )
        if self.format == "flat":
            source = source_of(str(self.path), self.columns)
            if isinstance(source, CampaignSource) and source.kind != "flat":
                kind = "a folder" if source.kind == "folder" else "a table of scores"
                expected = "a flat .jsonl or .parquet file, one row per summary"
                raise UsageError(f"{self.path}: found {kind}; expected {expected}")

    def show_contents(self, show: Callable[[Finding], None]) -> None:
        """Show what is in the files, where their format looks for that first."""
        if self.format in IMPORT_KINDS:
            return
        finder = formats.find_format(self.format).finder
        if finder is not None:
            show(finder(self.paths, Problems()))

    def read(self, campaign: Campaign, problems: Problems) -> Campaign:
        """What is in the files.

        Args:
            campaign: the one that it is added to; empty if it is to be a new one.
            problems: takes errors, warnings, and how the files were understood.
        """
        if self.format in _READERS:
            return _READERS[self.format](self, campaign, problems)
        options: dict[str, Any] = {**self.format_options, **self.columns}
        return formats.find_format(self.format).read(self.paths, problems, **options)

    def read_for_campaign(self, campaign: Campaign, problems: Problems) -> Campaign:
        """What is in the files; means over topics are an error, as the campaign has scores of each topic."""
        incoming = self.read(campaign, problems)
        note_means(incoming.imported, campaign, problems.at(self.path))
        return incoming


def note_means(scores: ScoreTable, campaign: Campaign, at: Place) -> None:
    """Note scores that are means over topics, unless a topic of the campaign happens to be called so."""
    if set(scores.topics) == {AVERAGE} and AVERAGE not in campaign.topic_ids:
        remedy = "Import the scores of each topic; or import into a new file such as means.parquet."
        at.error("means over topics", "scores of the campaign's topics", remedy, field="topic")


def _import_new(incoming: Campaign, files: ImportedFiles, folder: Path, problems: Problems) -> ImportPlan:
    """Write what was read as a new campaign folder."""
    if not is_new_or_empty(folder):
        raise UsageError(
            f"{folder} is not empty; give a new or empty folder, or add to it by {mention('into', folder)}"
        )
    # Read already, to know whether there are texts or only scores.
    source = ImportSource(read=lambda *_: incoming, path=files.path)
    return apply_plan(plan_import(new_content(folder), source, files.options, problems))


def _import_scores(incoming: Campaign, files: ImportedFiles, target: Path, problems: Problems) -> ImportPlan:
    """Write scores without texts into the campaign that has their texts, or as a table of their own."""
    options, path = files.options, files.path
    if options.dry_run:
        raise UsageError("`dry_run=True`: add the scores to a campaign by `into=`; then the plan is shown")
    names = {id: summarizer.name for id, summarizer in incoming.summarizers.items() if summarizer.name}
    scores = replace(incoming.imported, names={**incoming.imported.names, **names})
    if target.suffix.lower() == TABLE and not target.is_dir():
        if target.exists():
            raise UsageError(f"{target} exists; remove it, or give another name")
        problems.refuse(strict=options.strict)
        return _write_table(scores, target, problems)
    if not target.is_dir():
        raise UsageError(
            f"{target} is not a campaign folder; scores are imported into one that exists, or into a new {TABLE} file"
        )
    problems.refuse(strict=options.strict)
    table = target / SCORES / f"{path.stem}{TABLE}"
    if table.exists():
        raise UsageError(f"{table} exists; remove it, or rename {path.name}")

    def read(campaign: Campaign, problems: Problems) -> Campaign:
        note_means(scores, campaign, problems.at(path))
        return Campaign(imported=_name_scores(scores, campaign))

    source = ImportSource(read=read, path=path, score_file=table.name, only_new_scores=True)
    plan = import_into(target, source, options, problems)
    (line,) = plan.planned
    columns = [str(MeasureName("imported", statistic=name)) for name in scores.measures]
    return replace(plan, summary=f"{counted(line.new, 'score')} written to {table}: {', '.join(columns)}")


def _write_table(scores: ScoreTable, target: Path, problems: Problems) -> ImportPlan:
    """Write scores as a table of their own."""
    write_scores(scores, target)
    line = PlanLine(what="scores", new=len(scores), extended=0, equal=0, conflicts=0)
    return ImportPlan(
        campaign=str(target),
        planned=(line,),
        conflicts=(),
        written=True,
        summary=f"{counted(len(scores), 'score')} written to {target}: {', '.join(scores.measures)}",
        problems=problems,
    )


def _name_scores(scores: ScoreTable, campaign: Campaign) -> ScoreTable:
    """The scores of a file that does not say whose they are, as those of the campaign's only system."""
    system = find_only_system(campaign)
    return scores.assign_to(system) if system else scores


def _read_annotations(files: ImportedFiles, campaign: Campaign, problems: Problems) -> Campaign:
    """The answers in tables about SCUs."""
    return Campaign(annotations=read_annotations(files.paths, campaign, problems, files.columns))


def _read_judgments(files: ImportedFiles, campaign: Campaign, problems: Problems) -> Campaign:
    """The answers in tables of judgments; those of a plan may be about SCUs."""
    if all(_answers_scus(path) for path in files.paths):
        return _read_annotations(files, campaign, problems)
    tables: dict[Path, JudgmentTable] = {}
    for path in files.paths:
        table = read_judgments(path, problems, files.columns)
        if table.understood:
            problems.remark(f"{path}: {table.understood}")
        if table.missing:
            problems.remark(f"{path}: {counted(table.missing, 'empty cell')}, read as missing answers")
        if names_judges(table.assessor_column):
            _note_judges_column(table, campaign, problems)
        tables[path] = table
    return Campaign(judgments=tuple(without_repeats(tables, problems)))


def _note_judges_column(table: JudgmentTable, campaign: Campaign, problems: Problems) -> None:
    """Note assessors of a column that is called after judges, and that campaign.toml does not call so."""
    names = sorted({judgment.assessor for _, judgment in table.answers if judgment.assessor} - {*campaign.judges})
    if names:
        problems.remark(note_undeclared(names, f"the column is called {table.assessor_column}"))


def _answers_scus(path: Path) -> bool:
    """Whether a table has answers about SCUs, as `plan -o` lists them."""
    return path.is_file() and answers_scus(FileTable(path).columns)


def _read_scores(files: ImportedFiles, campaign: Campaign, problems: Problems) -> Campaign:
    """The scores in score tables."""
    tables = read_columns(files.paths, problems, files.columns)
    if len(tables) == 1:
        (table,) = tables.values()
        return Campaign(imported=_name_scores(table, campaign))
    named = [_name_scores(table, campaign) for table in tables.values()]
    return Campaign(imported=ScoreTable().join(*named))


def _read_summaries(files: ImportedFiles, campaign: Campaign, problems: Problems) -> Campaign:
    """The summaries in flat files or folders of texts, and nothing else."""
    return _join_campaigns([_read_summaries_of(path, files, campaign, problems) for path in files.paths])


def _read_summaries_of(path: Path, files: ImportedFiles, campaign: Campaign, problems: Problems) -> Campaign:
    if path.is_dir() and not (path / SUMMARIES).exists():
        formats.find_format("folder").check_options(files.format_options)
        options: dict[str, Any] = {"kind": "peer", **files.format_options}
        texts = read_texts(path, problems, known=campaign.topic_ids, **options)
        return Campaign(
            word_limit=None if campaign.word_limit else texts.word_limit,
            summaries=texts.summaries,
            # A campaign that lists its topics takes no new ones from the names of files: a misspelt one would become
            # a topic.
            topics=() if campaign.topics else tuple(Topic(topic=topic.topic) for topic in texts.topics),
        )
    summaries = source_of(str(path), files.columns).read(problems).summaries
    if path.is_file() and path.name != SUMMARIES:
        # The references of a flat file come with each system, and the campaign has its own.
        summaries = tuple(summary for summary in summaries if summary.kind == "peer")
    return Campaign(summaries=summaries)


def _read_documents(files: ImportedFiles, campaign: Campaign, problems: Problems) -> Campaign:
    """The topics of files or folders with their documents, and nothing else."""
    topics: list[Topic] = []
    for path in files.paths:
        topics += _read_documents_of(path, files, campaign, problems)
    return Campaign(topics=tuple(topics))


def _read_documents_of(path: Path, files: ImportedFiles, campaign: Campaign, problems: Problems) -> tuple[Topic, ...]:
    if path.is_dir() and not (path / TOPICS).exists():
        return read_documents(path, problems, known=campaign.topic_ids)
    if path.is_dir():
        return read_folder(path, problems).topics
    return _read_topic_lines(path, problems) or source_of(str(path), files.columns).read(problems).topics


def _read_topic_lines(path: Path, problems: Problems) -> tuple[Topic, ...]:
    """The topics of a file in the form of topics.jsonl; none if it has another form."""
    if path.suffix.lower() not in (".jsonl", ".ndjson") or not _is_topic_line(path):
        return ()
    decoder = RowDecoder(Topic, path, problems)
    topics = [decoder.decode_line(number, line) for number, line in read_lines(path, problems)]
    decoder.close()
    return tuple(topic for topic in topics if topic is not None)


def _is_topic_line(path: Path) -> bool:
    """Whether the first row of a JSONL file describes a topic, and no summary."""
    first = next(iter(read_lines(path, Problems())), None)
    if first is None:
        return False
    try:
        row = msgspec.json.decode(first[1])
    except (ValueError, RecursionError):
        return False
    if not isinstance(row, dict) or "topic" not in row:
        return False
    describes_topic = not row.keys().isdisjoint(("documents", "title", "narrative", "attributes"))
    is_summary = not row.keys().isdisjoint(("summary", "summarizer", "text"))
    return describes_topic and not is_summary


def _read_flat(files: ImportedFiles, campaign: Campaign, problems: Problems) -> Campaign:  # noqa: ARG001
    """All that is in flat files, or in anything else that can be data."""
    return _join_campaigns([source_of(str(path), files.columns).read(problems) for path in files.paths])


def _read_campaigns(files: ImportedFiles, campaign: Campaign, problems: Problems) -> Campaign:  # noqa: ARG001
    """All that is in other campaign folders."""
    return _join_campaigns([read_folder(path, problems) for path in files.paths])


def _join_campaigns(campaigns: Sequence[Campaign]) -> Campaign:
    """Several campaigns as one; what they say twice is compared when it is merged."""
    if len(campaigns) == 1:
        return campaigns[0]
    nouns: dict[str, Any] = {}
    for name in NOUNS:
        nouns[name] = tuple(row for campaign in campaigns for row in getattr(campaign, name))
    summarizers: dict[str, Any] = {}
    for campaign in reversed(campaigns):
        summarizers |= campaign.summarizers
    scores = ScoreTable().join(*(campaign.imported for campaign in campaigns))
    return replace(campaigns[0], summarizers=summarizers, imported=scores, **nouns)


_READERS: Mapping[str, Callable[[ImportedFiles, Campaign, Problems], Campaign]] = {
    "judgments": _read_judgments,
    "annotations": _read_annotations,
    "scores": _read_scores,
    "summaries": _read_summaries,
    "documents": _read_documents,
    "flat": _read_flat,
    "campaign": _read_campaigns,
}
"""How each of IMPORT_KINDS is read."""
