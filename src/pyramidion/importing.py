"""Importing into a campaign that exists: read what is given, plan, and write all of it or nothing.

`Importing` is what `pyramidion import … --into` does; `start` makes an empty campaign.
"""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from pyramidion.campaign import Campaign, CampaignWarning, Problems, QuestionSet, Topic, plain
from pyramidion.campaign.campaign import NOUNS
from pyramidion.campaign.folder import SCORES, FolderContent, extend_folder, read_content, read_folder
from pyramidion.campaign.foreign import note_refused
from pyramidion.campaign.growth import Growth, Plan, grow
from pyramidion.campaign.judgment_tables import read_judgments, without_repeats
from pyramidion.campaign.settings import FILE as SETTINGS_FILE
from pyramidion.campaign.settings import new_settings
from pyramidion.errors import InputError, UsageError, check_known
from pyramidion.files import atomic_writer, write_lines, written_together
from pyramidion.files.characters import repair_text
from pyramidion.files.locks import LOCK_FILE, lock_campaign
from pyramidion.files.opening import resolve_links
from pyramidion.files.scratch import remove_leftovers
from pyramidion.files.targets import is_new_or_empty
from pyramidion.formats import all_formats, find_format
from pyramidion.formats.base import AVERAGE
from pyramidion.formats.folder_of_texts import read as read_texts
from pyramidion.formats.folder_of_texts import read_documents
from pyramidion.options import ImportOptions, InitOptions
from pyramidion.reading import source_of
from pyramidion.scores import ScoreTable
from pyramidion.scores.reading import read_columns
from pyramidion.tables import grouped
from pyramidion.wording import counted, listed

KINDS = ("judgments", "scores", "summaries", "documents", "flat", "campaign")
"""What can be imported besides the formats."""
SUMMARIES = "summaries.jsonl"


class ImportConflictError(InputError):
    """What is imported contradicts the campaign; `plan` lists every conflict. Nothing was written."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        super().__init__(" ".join(plan.sentences()))


def start(folder: str | Path, options: InitOptions) -> Path:
    """Start a campaign: a folder with a commented campaign.toml and no summaries yet; returns its path."""
    folder = Path(folder)
    if not is_new_or_empty(folder):
        raise UsageError(f"{folder} is not empty; give a new or empty folder")
    if options.questions:
        QuestionSet.named(options.questions)
    with written_together(folder):
        with atomic_writer(folder / SETTINGS_FILE, own=True) as file:
            file.write(
                new_settings(
                    name=repair_text(options.name or resolve_links(folder).name),
                    description=repair_text(options.description),
                    word_limit=options.word_limit,
                    questions=options.questions,
                ).encode()
            )
        write_lines(folder / SUMMARIES, [], own=True)
    return folder


def import_into(campaign: Path, what: str, sources: Sequence[Path], options: ImportOptions) -> Plan:
    """Add files to a campaign folder; all of it is written, or nothing.

    Raises:
        CampaignError: if what is given, or the campaign, has errors.
        CampaignLockedError: if the campaign is being changed by another command, which takes long.
        ImportConflictError: if the campaign says otherwise, unless it is to be replaced, or only planned.
    """
    with lock_for(campaign, options):
        importing = Importing(campaign, what, sources, options)
        if importing.plan.refused and not options.dry_run:
            raise ImportConflictError(importing.plan)
        for problem in importing.problems:
            warnings.warn(str(problem), CampaignWarning, stacklevel=3)
        return importing.plan if options.dry_run else importing.write()


def lock_for(campaign: Path, options: ImportOptions) -> contextlib.AbstractContextManager[None]:
    """The lock that an import holds from reading the campaign until it is written; a dry run writes nothing.

    Raises:
        CampaignLockedError: if another import or the assessment pages hold it for too long.
    """
    if options.dry_run or not campaign.is_dir():
        return contextlib.nullcontext()
    return lock_campaign(campaign)


class Importing:
    """One import: everything is read and planned when it is made, nothing is written before `write`."""

    def __init__(self, folder: Path, what: str, sources: Sequence[Path], options: ImportOptions) -> None:
        if not folder.is_dir():
            raise UsageError(f"{folder} is not a campaign folder; `pyramidion init {folder}` starts one")
        if not sources:
            raise UsageError(f"give the files to import as {what}")
        self.sources = sources
        self.problems: Problems = Problems()
        """What was noticed in the sources."""
        self.notes: list[str] = []
        """What was understood of them."""
        self._options = options
        self._content = _content(folder)
        there = self._content.campaign
        given = _joined_ids(there, self._read(what, there), self.notes)
        given = self._with_known_scores(there, given)
        self.problems.refuse(strict=options.strict)
        self._growth = grow(there, given, name=str(folder), prefer_given=options.replace)
        self._check(self._growth)
        self._note_copies(self._growth)
        self.problems.refuse(strict=options.strict)

    @property
    def plan(self) -> Plan:
        """What is new, equal and in conflict."""
        return self._growth.plan

    def write(self) -> Plan:
        """Write it, unless it is refused; what a killed run left there goes, even if that run had done everything."""
        for folder in (self._content.folder, self._content.folder / SCORES):
            remove_leftovers(folder.resolve())
        if self.plan.refused or not any(one.changes for one in self.plan.planned):
            return self.plan
        extend_folder(self._content, self._growth, score_file=f"{self.sources[0].name.split('.')[0]}.parquet")
        return replace(self.plan, written=True)

    def _read(self, what: str, there: Campaign) -> Campaign:
        options, problems = self._options, self.problems
        if what in KINDS and options.option and what != "summaries":
            raise UsageError(f"--option: {what} have no options; only formats do")
        if options.columns and what not in ("judgments", "summaries", "documents", "scores", "flat", "records"):
            raise UsageError(f"--columns: {what} has no columns to name")
        if what == "judgments":
            return self._judgments()
        if what == "scores":
            tables = read_columns(self.sources, problems, options.columns)
            systems = {one.summarizer for one in there.summaries if one.kind == "peer"}
            return Campaign(imported=ScoreTable().join(*(table.of_the_only(systems) for table in tables.values())))
        if what in ("summaries", "documents"):
            return _together([getattr(self, f"_{what}")(source, there) for source in self.sources])
        if what == "flat":
            return _together([self._own(source) for source in self.sources])
        if what == "campaign":
            return _together([read_folder(source, problems) for source in self.sources])
        check_known(what, [*KINDS, *(one.name for one in all_formats())], f"there is no format {what!r}")
        return find_format(what).read(self.sources, problems, **(options.option or {}), **(options.columns or {}))

    def _judgments(self) -> Campaign:
        tables = {}
        for source in self.sources:
            table = tables[source] = read_judgments(source, self.problems, self._options.columns)
            if table.understood:
                self.notes.append(f"{source}: {table.understood}")
            if table.missing:
                self.notes.append(f"{source}: {counted(table.missing, 'empty cell')}, read as missing answers")
        return Campaign(judgments=tuple(without_repeats(tables, self.problems)))

    def _own(self, source: Path) -> Campaign:
        """A file of records, or anything else that can be data."""
        return source_of(str(source), self._options.columns).read(self.problems)

    def _summaries(self, source: Path, there: Campaign) -> Campaign:
        """The summaries of a file or folder, and nothing else."""
        if source.is_dir() and not (source / SUMMARIES).exists():
            find_format("folder").check_options(self._options.option or {})
            chosen: dict[str, Any] = {"kind": "peer", **(self._options.option or {})}
            read = read_texts(source, self.problems, known=there.topic_ids, **chosen)
            return Campaign(
                word_limit=None if there.word_limit else read.word_limit,
                summaries=read.summaries,
                topics=() if there.topics else tuple(Topic(topic=one.topic) for one in read.topics),
            )
        read = self._own(source)
        flat = source.is_file() and source.name != SUMMARIES
        return Campaign(summaries=tuple(one for one in read.summaries if one.kind == "peer" or not flat))

    def _documents(self, source: Path, there: Campaign) -> Campaign:
        """The topics of a file or folder with their documents, and nothing else."""
        if source.is_dir() and not (source / "topics.jsonl").exists():
            return Campaign(topics=read_documents(source, self.problems, known=there.topic_ids))
        if source.is_dir():
            return Campaign(topics=read_folder(source, self.problems).topics)
        if topics := _topic_lines(source, self.problems):
            return Campaign(topics=topics)
        return Campaign(topics=self._own(source).topics)

    def _with_known_scores(self, there: Campaign, given: Campaign) -> Campaign:
        """Scores without those of summaries that nobody has, which are counted."""
        scores = given.imported
        if not len(scores):
            return given
        at = self.problems.at(self.sources[0])
        if set(scores.topics) == {AVERAGE} and AVERAGE not in there.topic_ids:
            remedy = "Import the scores of each topic; or import into a new file such as means.parquet."
            at.error("means over topics", "scores of the campaign's topics", remedy, field="topic")
            return given
        import polars as pl

        named = {(one.topic, one.summarizer) for one in (*there.summaries, *given.summaries)}
        keys = list(scores.frame.select("topic", "summarizer").iter_rows())
        known = [key in named for key in keys]
        if lost := known.count(False):
            at.note(
                "error" if lost == len(keys) else "warning",
                f"{lost} of {len(keys)} scores for summaries that are not there, the first for "
                f"{keys[known.index(False)]!r}",
                "the names that the campaign uses",
                "Check the spelling of topics and summarizers.",
                field="topic, summarizer",
                count=lost,
            )
        return replace(given, imported=replace(scores, frame=scores.frame.filter(pl.Series(known, dtype=pl.Boolean))))

    def _note_copies(self, growth: Growth) -> None:
        """New summarizers with the texts of one that is there: probably the same under another name."""
        there = self._content.campaign
        known = set(there.summarizer_ids)
        texts = {(one.topic, plain(one.text)): one.summarizer for one in there.summaries}
        same: dict[str, set[str | None]] = {}
        for one in growth.additions["summaries"].new:
            if one.summarizer not in known:
                same.setdefault(one.summarizer, set()).add(texts.get((one.topic, plain(one.text))))
        copies = {who: next(iter(others)) for who, others in same.items() if len(others) == 1 and None not in others}
        if copies:
            shown = [f"{who} (those of {other})" for who, other in copies.items()]
            self.problems.at(self.sources[0]).warning(
                f"{counted(len(copies), 'new summarizer')} with texts that are there already: {listed(shown, most=2)}",
                "the names that the campaign uses",
                "Rename them in the source if they are the same.",
                field="summarizer",
                count=len(copies),
            )

    def _check(self, growth: Growth) -> None:
        """What would be wrong with the campaign afterwards, each kind of error once."""
        grown = growth.campaign
        source = self.sources[0]
        note_refused(grown, self.problems.at(source))
        replaced = growth.additions["summaries"].changed.keys() if growth.plan.replace else ()
        marked = {(one.topic, one.summarizer) for one in grown.judgments}
        marked |= {(one.topic, one.summarizer) for one in grown.annotations}
        marked |= {(pyramid.topic, model) for pyramid in grown.pyramids for model in pyramid.models}
        if touched := [key for key in replaced if key in marked]:
            self.problems.at(source).warning(
                f"new texts for {counted(len(touched), 'summary', 'summaries')} that were judged or annotated, the "
                f"first for {touched[0]!r}",
                "the texts that people saw",
                "Judgments and marked parts still refer to the old text.",
                field="text",
                count=len(touched),
            )


def _content(folder: Path) -> FolderContent:
    """The campaign as it is; what is wrong with it has to be mended first."""
    problems = Problems()
    if not (folder / SUMMARIES).exists():
        if any(path.name != LOCK_FILE for path in folder.iterdir()) and not (folder / SETTINGS_FILE).exists():
            raise UsageError(f"{folder} is not a campaign folder: it has no {SUMMARIES}; `pyramidion init` starts one")
        return read_content(folder, Problems())  # a new one
    content = read_content(folder, problems)
    problems.refuse()
    return content


def _together(campaigns: Sequence[Campaign]) -> Campaign:
    """Several campaigns as one; what they say twice is compared when it is added."""
    first, *others = campaigns
    if not others:
        return first
    nouns: dict[str, Any] = {name: tuple(one for each in campaigns for one in getattr(each, name)) for name in NOUNS}
    who = {id: one for each in reversed(campaigns) for id, one in each.summarizers.items()}
    return replace(first, summarizers=who, imported=ScoreTable().join(*(one.imported for one in campaigns)), **nouns)


def _topic_lines(path: Path, problems: Problems) -> tuple[Topic, ...]:
    """The topics of a file in the form of topics.jsonl; none if it has another form."""
    from pyramidion.campaign.decoding import RowDecoder
    from pyramidion.files.lines import read_lines

    if path.suffix.lower() not in (".jsonl", ".ndjson"):
        return ()
    first = next(iter(read_lines(path, Problems())), None)
    try:
        row = msgspec.json.decode(first[1]) if first else None
    except (ValueError, RecursionError):
        return ()
    if not isinstance(row, dict) or "topic" not in row or {"summary", "summarizer", "text"} & row.keys():
        return ()
    if not {"documents", "title", "narrative", "attributes"} & row.keys():
        return ()
    decoder = RowDecoder(Topic, path, problems)
    found = [decoder.decode_line(number, line) for number, line in read_lines(path, problems)]
    decoder.close()
    return tuple(topic for topic in found if topic is not None)


def _joined_ids(there: Campaign, given: Campaign, notes: list[str]) -> Campaign:
    """The given rows with topics and summarizers spelled as the campaign has them."""
    rows = [noun for name in NOUNS for noun in getattr(given, name)]
    scores = given.imported
    renamed = {
        "topic": _spelled([one.topic for one in rows], scores.topics, there.topic_ids),
        "summarizer": _spelled(
            [getattr(one, "summarizer", "") for one in rows], scores.summarizers, there.summarizer_ids
        ),
    }

    def changed(noun: Any) -> Any:
        other = {name: ids[id] for name, ids in renamed.items() if (id := getattr(noun, name, None)) in ids}
        return msgspec.structs.replace(noun, **other) if other else noun

    nouns: dict[str, Any] = {name: tuple(map(changed, getattr(given, name))) for name in NOUNS}
    for name, ids in renamed.items():
        if ids:
            first, known = next(iter(ids.items()))
            notes.append(f"{counted(len(ids), name)} spelled as in the campaign, such as {known!r} for {first!r}")
            scores = scores.respelled(name, ids)
    return replace(given, imported=scores, **nouns)


def _spelled(rows: Iterable[str], scores: Iterable[str], names: Iterable[str]) -> dict[str, str]:
    """From ids to the name that the campaign has instead: 01.0 is not 1, but D0601 is d0601, and 1.0 is 1."""
    known = grouped(names, _joining_key)
    same = {id: known.get(_joining_key(id), []) for id in (*rows, *scores)}
    return {id: found[0] for id, found in same.items() if len(found) == 1 and found[0] != id}


def _joining_key(name: str) -> str:
    whole, point, rest = name.partition(".")
    return whole if point and whole.isdecimal() and not rest.strip("0") else name.casefold()
