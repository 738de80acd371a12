"""What the user gave, decided once: a campaign with texts, a score table, or the scores of a run in shards.

`open_data` decides. What was chosen of it (topics, summarizers, other scores to join) is applied when it is read; every
problem in it is noted where the run can see it.
"""

from __future__ import annotations

import functools
import os
import sys
import warnings
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pyramidion.campaign import Assessor, Campaign, CampaignWarning, Problems, Summarizer
from pyramidion.campaign.campaign import KINDS
from pyramidion.campaign.flat.reading import join_shards
from pyramidion.campaign.folder import read_content, size_of
from pyramidion.campaign.inspection import Inspection, inspect_campaign
from pyramidion.campaign.join import join_judgments, join_scores
from pyramidion.campaign.nouns import Topic
from pyramidion.campaign.raters import choose_raters, name_of_column, note_undeclared
from pyramidion.campaign.sources import CampaignSource, FlatFiles, Readable, RowSource, TableSource, WholeCampaign
from pyramidion.errors import InputError, UsageError, check_known, mention
from pyramidion.files.opening import is_inherited_pipe, require_file_or_folder
from pyramidion.files.problems import RunFiles
from pyramidion.files.scratch import scratch_copy
from pyramidion.intake.nested import explain_missing, leads_into_cells
from pyramidion.intake.roles import ONLY_IN_SCORES, TOGETHER
from pyramidion.measures.columns import named
from pyramidion.options import Choice, EmptyTreatment, PeerChoice
from pyramidion.options.flags import command_line
from pyramidion.scores import ScoreTable
from pyramidion.scores.judges import with_judges
from pyramidion.scores.reading import read_columns
from pyramidion.scores.stored import StoredScores

if TYPE_CHECKING:
    import pandas
    import polars as pl

    from pyramidion.campaign.flat.tables import SummaryBatch
    from pyramidion.formats import FormatSource

    UserData = (
        ScoreTable
        | Readable
        | Campaign
        | str
        | Path
        | Sequence[str | Path]
        | pl.DataFrame
        | pandas.DataFrame
        | Iterable[Mapping[str, Any]]
        | Mapping[str, Any]
    )

DEMO = "demo"
"""The name of the built-in campaign."""
STANDARD_INPUT = "-"
DESCRIBED_TOPICS = 5_000
"""Topics of a table that are read again to see whether they share documents."""
DESCRIBED_BYTES = 8 * 2**20
"""Bytes of such a table: a tenth of a second."""
_NAMED_WARNINGS = 3
"""Warnings of the data that a run names; of more, it says how many there are."""
INSPECTED_CHARACTERS = 100_000_000
"""Characters of summaries that `check` looks at as a whole; what is larger is only read."""


class Data(ABC):
    """What a run works on.

    Attributes:
        user_data: what the user gave.
        choice: whose summaries, which topics, which other scores to join.
        problems: what was noticed in the data so far.
    """

    def __init__(
        self,
        user_data: UserData,
        choice: Choice,
        problems: Problems,
        located: LocatedSource | None = None,
    ) -> None:
        self.user_data = user_data
        self.choice = choice
        self.problems = problems
        self._located = located

    @property
    def files(self) -> RunFiles:
        """What was read so far, and is not overwritten."""
        return self.problems.files

    @property
    def located(self) -> LocatedSource:
        """Where the data is read from, and which score tables join it."""
        # Where data is read from is decided once: recognition opens files.
        if self._located is None:
            self._located = locate_source(self.user_data, self.choice)
        return self._located

    @property
    def empty(self) -> EmptyTreatment:
        """How empty summaries are treated."""
        return self.choice.empty or "zero"

    @property
    def name(self) -> str:
        """What the user called the data; DATA if it was never a file."""
        return name_of(self.user_data)

    @property
    def paths(self) -> tuple[str | Path, ...]:
        """The files, if the user gave a list of them."""
        return paths_in(self.user_data)

    @property
    def words(self) -> list[str]:
        """The words of a command line that name the data."""
        return words_for(self.user_data)

    @property
    def output_conflicts(self) -> Any:
        """What an output must not overwrite."""
        return self.user_data if isinstance(self.user_data, str | Path | Readable) else self.paths

    @property
    def cache_folder(self) -> Path | None:
        """Where measures keep what is costly to find (parses): in the campaign folder, or in the folder of the file."""
        if not isinstance(self.user_data, str | Path) or self.user_data == DEMO:
            return None
        path = Path(self.user_data)
        # Next to the data, so that a campaign that moves takes its parses with it.
        return (path if path.is_dir() else path.parent) / ".cache" / "pyramidion"

    @property
    def scores(self) -> ScoreTable | None:
        """The score table, if the data is one; None if there are summaries to score."""
        return None

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures of the score table, if the data is one."""
        return ()

    @property
    def has_scores(self) -> bool:
        """Whether the data is a score table: there are no summaries to score."""
        return False

    @property
    def stored_scores(self) -> StoredScores | None:
        """The scores of a run in shards, if they can be used without reading them whole."""
        return None

    @property
    @abstractmethod
    def campaign(self) -> Campaign:
        """The chosen part of the campaign, with the joined scores."""

    @abstractmethod
    def campaigns(self, *, together: bool = True) -> list[Campaign]:
        """The campaign; if the data is several files, that of each, or of those of one format `together`."""

    @abstractmethod
    def with_peers(self, peers: PeerChoice) -> Data:
        """The same data, not read again, with other summarizers chosen."""

    @abstractmethod
    def check(self) -> Inspection:
        """Read the data to its end; every problem in it, and how complete it is."""

    def table_of(self, measures: Sequence[str]) -> ScoreTable | None:  # noqa: ARG002  # for those that have some
        """The chosen scores of some measures, where these can be read alone."""
        return None

    def described_topics(self, count: int) -> Sequence[Topic]:  # noqa: ARG002  # for those that have some
        """The topics with their documents, as far as they are quickly read; `count` says how many there are."""
        return ()

    def column_by_topic(self, column: str) -> dict[str, str] | None:
        """By topic, what a column of the table says about it; None if the data is no table, or has no such column.

        Raises:
            InputError: if a topic has two values.
        """
        source = self.located.source
        if not isinstance(source, CampaignSource | RowSource | FlatFiles) or not _is_table(source):
            return None
        return source.column_by_topic(column)

    def accept(self) -> None:
        """Raise what is wrong with the data; warn of what deserves a look, once."""
        self.problems.refuse(strict=self.choice.strict)
        if self.problems.warnings:
            self._warn(self.problems.warnings, command_line("check", self.words, options=self._reading_choice))

    def _warn(self, count: int, check_command: str) -> None:
        many = "1 warning" if count == 1 else f"{count:,} warnings"
        what = self._name_warnings()
        remedy = f": {what}; `{check_command}` says more" if what else f"; `{check_command}` lists them"
        warnings.warn(f"{many} in the data{remedy}", CampaignWarning, stacklevel=4)

    def _name_warnings(self) -> str:
        """What the warnings are, if there are few: usually the data has no references, which is meant to be so."""
        kept = [problem for problem in self.problems if problem.severity == "warning"]
        if not 0 < self.problems.warnings <= _NAMED_WARNINGS:
            return ""
        return "; ".join(dict.fromkeys(problem.found for problem in kept))

    @property
    def _reading_choice(self) -> Choice:
        """The options that say how the data is read."""
        return Choice(
            columns=self.choice.columns, system=self.choice.system, option=self.choice.option, runs=self.choice.runs
        )

    def _warn_of_joined(self, joined_files: Collection[Path | str]) -> int:
        """Warn of each problem in score tables that were joined, which `check` does not see; returns their number."""
        names = [str(file) for file in joined_files]
        joined = [problem for problem in self.problems if problem.file in names]
        for problem in joined:
            warnings.warn(str(problem), CampaignWarning, stacklevel=4)
        return len(joined)


class CampaignData(Data):
    """A campaign with texts: a folder, tables with one row per summary, files of a foreign format, or in memory."""

    _campaign: Campaign | None = None
    _noted_raters: frozenset[str] = frozenset()
    """Who was noted as looking like a judge."""

    @property
    def source(self) -> Readable:
        """Where the campaign is read from."""
        return self.located.source

    @property
    def joined_tables(self) -> list[Path]:
        """The score tables to join: those that were chosen, and those among several files."""
        judged = {table.path for table in self.joined_judgments}
        chosen = [path for path in map(Path, self.choice.scores) if path not in judged]
        return [*chosen, *self.located.score_tables]

    @cached_property
    def joined_judgments(self) -> list[CampaignSource]:
        """The tables of judgments to join: those among the chosen tables of scores, and those among several files."""
        # A column that the user names may be one of the data alone: of each table only its own are named.
        columns = self.choice.columns or {}
        paths = [path for path in map(Path, self.choice.scores) if _is_table_file(path)]
        sources = [CampaignSource(path, repeats_are_runs=self.choice.runs) for path in paths]
        tables = [
            replace(source, columns=_named_among(columns, {*source.names(columns.values())})) for source in sources
        ]
        return [*(table for table in tables if table.kind == "judgments"), *self.located.judgment_tables]

    @property
    def campaign(self) -> Campaign:
        """The chosen part of the campaign, with the joined scores."""
        if self._campaign is None:
            # Reading the rows again would list every problem twice.
            self.problems.clear()  # those of a stream that was scored before
            (self._campaign,) = self._choose(self._join([self.source.read(self.problems)]))
        return self._campaign

    @property
    def is_in_memory(self) -> bool:
        """Whether the campaign was read as a whole, or can't be read in pieces."""
        return self._campaign is not None or not self.source.streams or self._chooses_raters

    @cached_property
    def _chooses_raters(self) -> bool:
        """Whether it depends on all answers which of them count: those of judges do where no person answered."""
        if self.choice.judge or self.choice.raters == "judges":
            return True
        return self.source.has_judges or bool(self.joined_judgments)

    @property
    def word_limit(self) -> int | None:
        """The word limit of the summaries, the lowest if topics have different ones; a stream is not read for it."""
        if not self.is_in_memory:
            return self.source.word_limit
        limits = [self.campaign.word_limit_of(topic) for topic in self.campaign.topic_ids]
        return min((limit for limit in limits if limit is not None), default=self.campaign.word_limit)

    @property
    def empty(self) -> EmptyTreatment:
        """How empty summaries are treated: in a table they may be failed requests, in a campaign DUC's rule holds."""
        if self.choice.empty is not None:
            return self.choice.empty
        is_folder = isinstance(self.source, CampaignSource) and self.source.kind == "folder"
        if isinstance(self.source, TableSource) and not is_folder:
            return "missing"
        return "zero"

    def described_topics(self, count: int) -> Sequence[Topic]:
        """The topics of a campaign in memory; of a table with documents, if it is small, else none."""
        if self.is_in_memory:
            return self.campaign.topics
        source = self.source
        if count > DESCRIBED_TOPICS or not isinstance(source, TableSource) or not source.has_documents:
            return ()
        if source.size_bytes > DESCRIBED_BYTES:
            return ()
        return source.read(Problems()).topics

    def shards(self) -> Iterator[Campaign]:
        """The campaign in pieces that fit in memory, with the joined scores; topics are not yet chosen."""
        self.problems.clear()
        for shard in self._join(self.source.shards(self.problems)):
            self._note_undeclared_judges(shard)
            yield shard

    def batches(self) -> Iterator[SummaryBatch] | None:
        """The summaries as columns, if the data is a table that can be read so; nothing is chosen yet. Else None."""
        if self.is_in_memory:
            return None
        self.problems.clear()
        return self.source.batches(self.problems)

    def campaigns(self, *, together: bool = True) -> list[Campaign]:
        """The campaign; if the data is several files, that of each, or of those of one format `together`."""
        if not self.paths:
            return [self.campaign]
        return self._choose(source.read(self.problems) for source in self.sources(together=together))

    def sources(self, *, together: bool = True) -> list[Readable]:
        """What several files are read from, each by itself or those of one format together."""
        from pyramidion.formats.base import joined_sources

        columns, option = self.choice.columns or {}, self.choice.option or {}
        paths = self.paths or (self.user_data,)
        sources = {str(path): source_of(path, columns, option, runs=self.choice.runs) for path in paths}
        return joined_sources(sources, together=together)

    def with_peers(self, peers: PeerChoice) -> CampaignData:
        """The same campaign, not read again, with other summarizers chosen."""
        choice = replace(self.choice, peers=peers)
        other = CampaignData(self.user_data, choice, self.problems, self.located)
        # Peers are chosen when topics are gathered, not when files are read: nothing has to be read again.
        other._campaign = self.campaign
        return other

    def check(self) -> Inspection:
        """Read the data to its end; every problem in it, and how complete it is."""
        inspection = Inspection()
        content = None
        most_characters = INSPECTED_CHARACTERS
        if isinstance(self.source, CampaignSource) and self.source.kind == "folder":
            most_characters = 0
            # Looking for texts that are alike needs all of them in memory.
            if size_of(self.source.path) <= INSPECTED_CHARACTERS:
                content = read_content(self.source.path, inspection)
        if content:
            shards: list[Campaign] | None = [content.campaign]
        else:
            shards = _collect_shards(self.source.shards(inspection), most_characters)
        if shards is None:
            inspection.remark(f"{self.name}: too large to look at as a whole; only its rows were checked")
        if shards and not inspection.errors:  # else it would be about what was not read
            campaign = shards[0] if len(shards) == 1 else join_shards(shards, name="")
            path = getattr(self.source, "path", self.name)
            inspect_campaign(campaign, inspection, path=path, content=content)
        return inspection

    def accept(self) -> None:
        """Raise what is wrong with the data; warn of what deserves a look, once."""
        self.problems.refuse(strict=self.choice.strict)
        several = are_separate(self.paths)
        # `pyramidion check DATA` reads DATA alone: what is wrong with joined tables has to be said here.
        judged = [table.path for table in self.joined_judgments]
        joined = self._warn_of_joined(self.choice.scores if several else [*self.joined_tables, *judged])
        left = self.problems.warnings - joined
        if left:
            verb = "pyramid check" if several else "check"
            self._warn(left, command_line(verb, self.words, options=None if several else self._reading_choice))

    def _join(self, shards: Iterable[Campaign]) -> Iterable[Campaign]:
        """The shards with the other scores of their summaries."""
        tables = self.read_joined_tables()
        if tables:
            shards = join_scores(shards, tables, self.problems)
        for table in self.joined_judgments:
            shards = join_judgments(shards, table.read(self.problems), table.path, self.problems)
        return shards

    def read_joined_tables(self) -> Mapping[Path, ScoreTable]:
        """The score tables to join, by file.

        Raises:
            InputError: if something is wrong with one of them.
        """
        if not self.joined_tables:
            return {}
        tables = read_columns(
            self.joined_tables,
            self.problems,
            self.choice.columns,
            bookkeeping=False,
            repeats_are_runs=self.choice.runs,
        )
        self.problems.refuse()
        return tables

    def _choose(self, campaigns: Iterable[Campaign]) -> list[Campaign]:
        """The chosen topics of campaigns that were read without errors."""
        whole = list(campaigns)
        self.accept()
        where = self.choice.where or {}
        chosen = [self._choose_raters(campaign).where(where) for campaign in whole]
        if where and not any(campaign.topic_ids for campaign in chosen):
            conditions = ", ".join(f"{key}={value}" for key, value in where.items())
            raise UsageError(f"no topic has {conditions}; `pyramidion describe` lists the attributes of topics")
        return chosen

    def _choose_raters(self, campaign: Campaign) -> Campaign:
        """The campaign with the answers that count; where nobody is a judge, those are all."""
        raters, judges = self.choice.raters, self.choice.judge
        self._note_undeclared_judges(campaign)
        if raters is None and not (judges or campaign.judges or campaign.set_aside):
            return campaign
        return choose_raters(campaign, raters, judges)

    def _note_undeclared_judges(self, campaign: Campaign) -> None:
        """Note who counts as a person although it looks like a program; nothing is changed."""
        if not (campaign.judgments or campaign.preferences):
            return
        from pyramidion.studies.deciding import find_programs, is_language_model

        declared = {*campaign.judges, *map(name_of_column, self.choice.judge)}
        programs = sorted(find_programs(campaign) - declared - self._noted_raters)
        self._noted_raters |= {*programs}
        by_name = [name for name in programs if is_language_model(name)]
        by_runs = [name for name in programs if not is_language_model(name)]
        if by_name:
            verb = "it has the name of a language model" if len(by_name) == 1 else "they have names of language models"
            self.problems.remark(note_undeclared(by_name, verb))
        if by_runs:
            pronoun = "it" if len(by_runs) == 1 else "they"
            self.problems.remark(note_undeclared(by_runs, f"{pronoun} answered several times about the same summary"))


class ScoreData(Data):
    """A score table, in a file or in memory, with the scores of other files."""

    @cached_property
    def _whole_table(self) -> ScoreTable:
        return self._read()

    def _read(self) -> ScoreTable:
        """All scores of the table and of those that join it."""
        if isinstance(self.user_data, ScoreTable):
            return self.user_data
        source = self.located.source
        if not isinstance(source, CampaignSource | RowSource):
            raise TypeError(type(source).__name__)
        _require_columns(source.columns, {*source.names()}, [source])
        table = source.scores(self.problems)
        self.problems.refuse()
        return self._join_tables(table, self.located.score_tables)

    def _join_tables(self, table: ScoreTable, more_paths: Iterable[Path]) -> ScoreTable:
        """The scores of a table with those of other files."""
        paths = [*map(Path, self.choice.scores), *more_paths]
        for path in paths:
            if _is_table_file(path) and CampaignSource(path, self.choice.columns or {}).kind == "judgments":
                raise UsageError(
                    f"{path} is a table of judgments, and {self.name} one of scores; give the judgments as the data, "
                    f"and the scores by {mention('scores', self.name)}"
                )
        tables = read_columns(
            paths, self.problems, self.choice.columns, bookkeeping=False, repeats_are_runs=self.choice.runs
        )
        self.problems.refuse(strict=self.choice.strict)
        left = self.problems.warnings - self._warn_of_joined(paths)
        if left:
            self._warn(left, command_line("check", self.words, options=self._reading_choice))
        return named(table.join(*(named(other) for other in tables.values())))

    @property
    def has_scores(self) -> bool:
        """It is a score table."""
        return True

    @property
    def scores(self) -> ScoreTable:
        """The scores of the chosen summarizers."""
        return self._chosen_scores

    @cached_property
    def _chosen_scores(self) -> ScoreTable:
        return choose_scores(self._whole_table, self.choice)

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures of the table."""
        return self.scores.measures

    @property
    def campaign(self) -> Campaign:
        """What the table says about its campaign: who the summarizers are."""
        table = self.scores
        described = {*table.names, *table.kinds}
        summarizers = {
            id: Summarizer(name=table.names.get(id, ""), kind=table.kinds.get(id, "participant")) for id in described
        }
        return Campaign(name=Path(self.name).stem, summarizers=summarizers)

    def campaigns(self, *, together: bool = True) -> list[Campaign]:  # noqa: ARG002  # as of campaigns
        """What the table says about its campaign."""
        return [self.campaign]

    def with_peers(self, peers: PeerChoice) -> ScoreData:
        """The same table, not read again, with other summarizers chosen."""
        return ScoreData(self._whole_table, replace(self.choice, peers=peers), self.problems)

    def check(self) -> Inspection:
        """Read the table to its end; every problem in it."""
        inspection = Inspection()
        shards = _collect_shards(self.located.source.shards(inspection), 0)
        if shards and not inspection.errors:
            campaign = shards[0] if len(shards) == 1 else join_shards(shards, name="")
            inspect_campaign(campaign, inspection, path=self.name)
        return inspection


class StoredData(ScoreData):
    """The scores of a run in shards: they may be larger than memory, so that measures are read one by one."""

    @cached_property
    def stored(self) -> StoredScores:
        """The scores in their files."""
        stored = StoredScores.of(Path(str(self.user_data)))
        for file in stored.files:
            self.files.note_read(Path(file))
        return stored

    def _read(self) -> ScoreTable:
        return self._join_tables(self.stored.table(), ())

    @property
    def stored_scores(self) -> StoredScores | None:
        """The scores in their files, if nothing was chosen of them and nothing joined."""
        choice = self.choice
        changes = (
            choice.scores,
            choice.exclude,
            choice.where,
            choice.peers != "systems",
            choice.judge,
            choice.raters,
        )
        # A choice needs the scores in memory, where they are a score table as any other.
        if any(changes):
            return None
        return self.stored

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures of the run, and those that join it."""
        return self.scores.measures if self.choice.scores else self.stored.measures

    def table_of(self, measures: Sequence[str]) -> ScoreTable | None:
        """The chosen scores of some measures, read without the others; None if other tables join them."""
        if self.choice.scores:
            return None
        return choose_scores(self.stored.table(measures), self.choice)


def open_data(user_data: UserData, choice: Choice, problems: Problems) -> Data:
    """What a run works on: decided by what was given, and by the first rows of tables.

    Raises:
        UsageError: if names of columns do not fit.
        InputError: if there is nothing to read.
    """
    if isinstance(user_data, ScoreTable):
        return ScoreData(user_data, choice, problems)
    is_folder = isinstance(user_data, str | Path) and user_data != DEMO and Path(user_data).is_dir()
    if is_folder and StoredScores.knows(Path(str(user_data))):
        return StoredData(user_data, choice, problems)
    if are_separate(paths_in(user_data)):
        return CampaignData(user_data, choice, problems)
    if not isinstance(user_data, Readable | Campaign | str | Path) and not paths_in(user_data):
        user_data = RowSource(user_data)  # an iterator is read once
        if not user_data.opened.sample:
            raise InputError("data: found no rows; expected a row for each summary, or a score for each")
    located = locate_source(user_data, choice)
    source = located.source
    kind = ScoreData if _is_score_table(source) else CampaignData
    return kind(user_data, choice, problems, located)


def choose_scores(table: ScoreTable, choice: Choice) -> ScoreTable:
    """The scores of the chosen summarizers.

    Raises:
        UsageError: if the table does not say what is needed for the choice.
    """
    if choice.peers != "systems":
        if not table.kinds:
            raise UsageError("a score table does not say who is human; choose peers when you score the summaries")
        chosen = [id for id, kind in table.kinds.items() if kind in KINDS[choice.peers]]
        table = table.of_summarizers(chosen)
        if not len(table):
            raise UsageError(
                "none of the peers that were chosen is in the score table; score the summaries with `peers=`"
            )
    if choice.where:
        raise UsageError("a score table does not describe its topics; use `where=` when you score the summaries")
    if choice.raters is not None:
        raise UsageError("a score table does not say who answered; use `raters=` when you score the summaries")
    columns = {name_of_column(measure): measure for measure in table.measures}
    judges: dict[str, str] = {}
    for name in map(name_of_column, choice.judge):
        check_known(name, columns, f"{mention('judge', name)}: the score table has no such column")
        judges[columns[name]] = Assessor(kind="judge").identity(name)
    if judges:
        table = with_judges(table, judges)
    for id in choice.exclude:
        check_known(id, table.summarizers, f"{mention('exclude', id)}: no such summarizer")
    if not choice.exclude:
        return table
    return table.of_summarizers([id for id in table.summarizers if id not in choice.exclude])


def name_of(user_data: Any) -> str:
    """What the user called the data; DATA if it was never a file."""
    return str(user_data) if isinstance(user_data, str | Path) else "DATA"


def words_for(user_data: Any) -> list[str]:
    """The words of a command line that name the data."""
    if isinstance(user_data, Readable):
        return user_data.arguments() or [name_of(user_data)]
    return list(map(str, paths_in(user_data))) or [name_of(user_data)]


def paths_in(user_data: Any) -> tuple[str | Path, ...]:
    """The files, each once, if the user gave a list of them."""
    is_list = isinstance(user_data, list | tuple)
    if not is_list or not all(isinstance(path, str | Path) for path in user_data):
        return ()
    return tuple(dict.fromkeys(user_data))


def are_separate(paths: Sequence[str | Path]) -> bool:
    """Whether several files are read one by one, as those of pyramids are: several campaigns, or foreign files."""
    files = [Path(path) for path in paths if path != DEMO]
    folders = [path for path in files if path.is_dir()]
    demo_count = len(paths) - len(files)
    if demo_count + len(folders) > 1:
        return True
    return not all(map(CampaignSource.knows, files))


def _collect_shards(shards: Iterable[Campaign], most_characters: int) -> list[Campaign] | None:
    """All shards; None if they have more characters than can be looked at as a whole. All of them are read."""
    collected: list[Campaign] | None = []
    characters = 0
    for shard in shards:
        characters += sum(len(summary.text) for summary in shard.summaries)
        if characters > most_characters:
            collected = None
        if collected is not None:
            collected.append(shard)
    return collected


# Where data is read from


class LocatedSource:
    """Where a campaign is read from, and tables of scores and judgments among the files that join it."""

    def __init__(
        self, source: Readable, score_tables: Sequence[Path] = (), judgment_tables: Sequence[CampaignSource] = ()
    ) -> None:
        self.source = source
        self.score_tables: tuple[Path, ...] = tuple(score_tables)
        self.judgment_tables: tuple[CampaignSource, ...] = tuple(judgment_tables)


def locate_source(user_data: UserData, choice: Choice) -> LocatedSource:
    """Where data is read from, with the columns that the user names for it.

    Raises:
        UsageError: if a column is named that no file has, or several files are not one campaign.
    """
    columns, option = _columns_of_data(user_data, choice), choice.option or {}
    paths = paths_in(user_data)
    names = _names_of_files(user_data, choice)
    if paths:
        sources = [_source_with_its_columns(path, choice, option) for path in paths]
        return _join_files(sources, columns, names)
    source = _with_names(source_of(user_data, columns, option, runs=choice.runs), names)
    if columns and not _is_table(source):
        role, column = next(iter(columns.items()))
        raise UsageError(
            f"{mention('columns', {role: column})}: {name_of(user_data)} is not a table; "
            "only tables have columns to name"
        )
    return LocatedSource(source)


def _names_of_files(user_data: UserData, choice: Choice) -> dict[Path, str]:
    """By file, the name that the user gives to its system.

    Raises:
        UsageError: if a file is not among the data, or gets two names.
    """
    names: dict[Path, str] = {}
    files = [Path(path) for path in paths_in(user_data) or [user_data] if isinstance(path, str | Path)]
    for name, file in (choice.system or {}).items():
        path = Path(file)
        if path not in files:
            raise UsageError(f"{mention('system', {name: file})}: {file} is not among the data; give it there, too")
        if path in names:
            raise UsageError(f"{mention('system', {name: file})}: {file} is called {names[path]!r} already")
        names[path] = name
    return names


def _with_names(source: Readable, names: Mapping[Path, str]) -> Readable:
    """The source, with the names that the user gives to the systems behind its files.

    Raises:
        UsageError: if its systems are not those of files.
    """
    if not names:
        return source
    from pyramidion.formats import FormatSource

    if isinstance(source, FormatSource):
        return replace(source, names=names)
    if isinstance(source, FlatFiles):
        return replace(source, systems=names)
    if isinstance(source, CampaignSource) and source.kind == "flat":
        return replace(source, system=names[source.path])
    file, name = next(iter(names.items()))
    raise UsageError(f"{mention('system', {name: str(file)})}: {file} is no file with the outputs of one system")


def _columns_of_data(user_data: UserData, choice: Choice) -> Mapping[str, str]:
    """The columns that the user names, without those that only score tables to be joined have.

    Raises:
        UsageError: if no file has a column.
    """
    columns = choice.columns or {}
    paths = paths_in(user_data)
    is_one_table = not choice.scores and not paths
    if not columns or is_one_table:
        return columns
    sources = [_source_with_its_columns(data, choice, {}) for data in paths or [user_data]]
    score_tables = list(filter(_is_score_table, sources))
    summary_sources = [source for source in sources if source not in score_tables]
    joined_sources: list[Readable] = [CampaignSource(Path(path)) for path in choice.scores]
    data_columns = _all_column_names(summary_sources or sources, columns.values())
    joined_columns = _all_column_names([*joined_sources, *score_tables], columns.values())
    _require_columns(columns, data_columns | joined_columns, [*sources, *joined_sources])
    columns_of_data = dict(_named_among(columns, data_columns))
    if summary_sources:
        for role in _named_among(columns, joined_columns):
            if role in ONLY_IN_SCORES:
                columns_of_data.pop(role, None)
    return columns_of_data


def _is_score_table(source: Readable) -> bool:
    """Whether the source is a table of scores."""
    return isinstance(source, CampaignSource | RowSource) and source.kind == "scores"


def _is_table_file(path: Path) -> bool:
    """Whether a path leads to a table; what can't be opened is none, and refused by whoever reads it."""
    # Not Path.is_file, which raises an error where a name is too long.
    return os.path.isfile(path) and CampaignSource.knows(path)  # noqa: PTH113


def _all_column_names(sources: Iterable[Readable], paths: Collection[str]) -> set[str]:
    """The columns of all tables among the sources, and the paths into their cells that lead to something."""
    return set(chain.from_iterable(_column_names(source, paths) for source in sources))


def _source_with_its_columns(data: Any, choice: Choice, option: Mapping[str, str]) -> Readable:
    """Where one of several files is read from, with those of the columns that the user names that it has."""
    columns = choice.columns or {}
    if columns:
        columns = _named_among(columns, {*_column_names(source_of(data), columns.values())})
    return source_of(data, columns, option, runs=choice.runs)


def _named_among(columns: Mapping[str, str], names: Collection[str]) -> Mapping[str, str]:
    """By role, the columns that the user names, as far as one of them is among these."""
    return {role: value for role, value in columns.items() if not {value, *value.split(TOGETHER)}.isdisjoint(names)}


def _is_table(source: Readable) -> bool:
    """Whether the source is a table, which has columns to name."""
    if isinstance(source, CampaignSource):
        return not source.path.is_dir()
    return isinstance(source, RowSource | FlatFiles)


def _require_columns(columns: Mapping[str, str], names: Collection[str], sources: Sequence[Readable]) -> None:
    """Refuse columns that no file has.

    Args:
        columns: by role, what the user names.
        names: the columns of all files.
        sources: the files, whose first rows say how far a path leads.

    Raises:
        UsageError: with a name that is like it, or with what is where a path ends.
    """
    rows: list[Mapping[str, Any]] = []
    for source in sources:
        if isinstance(source, CampaignSource | RowSource) and source.names():
            rows += source.opened.as_given.sample
    for role, value in columns.items():
        for column in [value] if value in names else value.split(TOGETHER):
            problem = f"{mention('columns', {role: value})}: no file has a column {column!r}"
            if column not in names and leads_into_cells(column, rows):
                raise UsageError(f"{problem}{explain_missing(column, sorted(names), rows)}")
            check_known(column, sorted(names), problem)


def _column_names(source: Readable, paths: Collection[str]) -> Iterable[str]:
    """The columns of a table, and the paths into its cells that lead to something; none of what has no columns.

    Args:
        source: of a table, or of anything else.
        paths: what the user names.
    """
    if isinstance(source, CampaignSource | RowSource):
        return source.names(paths)
    files: Sequence[Path] = getattr(source, "paths", ())
    return chain.from_iterable(CampaignSource(file).names(paths) for file in files)


def source_of(
    data: Any,
    columns: Mapping[str, str] | None = None,
    option: Mapping[str, str] | None = None,
    *,
    runs: bool = False,
) -> Readable:
    """Where data is read from: a path, `demo` (the built-in campaign), a campaign, a data frame, or dictionaries.

    Args:
        data: what the user gave.
        columns: by role, the columns of a table that the user names.
        option: options of its format.
        runs: whether rows with the same topic and summarizer are runs.

    Raises:
        UsageError: if it has no such options; our own forms have none.
    """
    source = _source_without_options(data, columns or {})
    if runs and isinstance(source, CampaignSource):
        source = replace(source, repeats_are_runs=True)
    elif runs and isinstance(source, RowSource):
        source = replace(source, rows=source.opened, repeats_are_runs=True)
    return source.with_options(option, str(data)) if option else source


def _source_without_options(data: Any, columns: Mapping[str, str]) -> Readable:
    if isinstance(data, RowSource):
        return replace(data, rows=data.opened, columns=columns) if columns else data
    if isinstance(data, Readable):
        return data
    if isinstance(data, Campaign):
        return WholeCampaign(data)
    if not isinstance(data, str | Path):
        return RowSource(data, columns)
    if data == DEMO:
        from pyramidion.demo import CAMPAIGN_FOLDER

        return CampaignSource(CAMPAIGN_FOLDER)
    path = _copy_standard_input() if str(data) == STANDARD_INPUT else Path(data)
    if is_inherited_pipe(path):
        path = _copy_pipe(path)
    require_file_or_folder(path)
    source = CampaignSource(path, columns)
    if source.is_ours:
        return source
    # A folder without our one required file, or rows with other keys, may be another program's.
    from pyramidion.formats import FormatSource, detect_format

    format = detect_format(path, source.file if path.is_file() else None)
    return FormatSource(format, [path]) if format else source


def _join_files(sources: Sequence[Readable], columns: Mapping[str, str], names: Mapping[Path, str]) -> LocatedSource:
    """Several files as one campaign: flat files, score tables that join it, or files of one format.

    Args:
        sources: of the files.
        columns: by role, the columns that the user names.
        names: by file, the name that the user gives to its system.

    Raises:
        UsageError: if they are not one campaign.
    """
    from pyramidion.formats import FormatSource

    ours = [source for source in sources if isinstance(source, CampaignSource)]
    flat_paths = tuple(source.path for source in ours if source.kind == "flat")
    score_paths = tuple(source.path for source in ours if source.kind == "scores")
    judgment_tables = [source for source in ours if source.kind == "judgments"]
    folders = [source for source in ours if source.kind in ("folder", "judged")]
    foreign = [source for source in sources if isinstance(source, FormatSource)]
    if len(folders) == 1 and not flat_paths and not foreign:
        return LocatedSource(folders[0], score_paths, judgment_tables)
    formats = {source.format.name for source in foreign}
    is_mixed = bool(flat_paths and foreign)
    if folders or is_mixed or len(formats) > 1:
        raise UsageError(
            "several files are one campaign only if all are tables with one row per summary (and tables of scores), "
            "or all of one format; analyse one campaign at a time. A folder of references goes with outputs as "
            '`LineFiles(predictions="FILE", references="FOLDER")`'
        )
    if foreign:
        return LocatedSource(_with_names(_join_foreign(foreign), names), score_paths, judgment_tables)
    if len(flat_paths) > 1:
        files = FlatFiles(flat_paths, columns, repeats_are_runs=ours[0].repeats_are_runs)
        return LocatedSource(_with_names(files, names), score_paths, judgment_tables)
    if flat_paths:
        file = next(source for source in ours if source.path == flat_paths[0])
        return LocatedSource(_with_names(replace(file, columns=columns), names), score_paths, judgment_tables)
    # Judgments without texts are a campaign, too: the first table is the data, and the others join it.
    if judgment_tables:
        return LocatedSource(judgment_tables[0], score_paths, judgment_tables[1:])
    first = next(source for source in ours if source.path == score_paths[0])
    return LocatedSource(first, score_paths[1:])


def _join_foreign(sources: Sequence[FormatSource]) -> FormatSource:
    """Several files of one format as one source.

    Raises:
        UsageError: if the format is read from one file.
    """
    first = sources[0]
    if len(sources) > 1 and not first.format.several:
        raise UsageError(f"the format {first.format.name} is read from one file; found {len(sources)}")
    paths = list(chain.from_iterable(source.paths for source in sources))
    return replace(first, paths=paths)


@functools.cache
def _copy_standard_input() -> Path:
    """What comes from standard input, in a file that can be read several times."""
    return scratch_copy(sys.stdin.buffer, "stdin")


# Once for each pipe, because what was read from it is gone.
@functools.cache
def _copy_pipe(pipe: Path) -> Path:
    """What comes from a pipe, such as that of `<(…)`, in a file that can be read several times."""
    with pipe.open("rb") as opened:
        return scratch_copy(opened, "stdin")
