"""What a run reads: the campaign or score table that the user named, read once, with every problem in it."""

from __future__ import annotations

import functools
import shlex
import sys
import warnings
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pyramidion.campaign import Campaign, CampaignWarning, Problems, Summarizer
from pyramidion.campaign.campaign import KINDS
from pyramidion.campaign.flat.reading import join_shards
from pyramidion.campaign.folder import read_content, size_of
from pyramidion.campaign.inspection import Inspection, inspect_campaign
from pyramidion.campaign.join import join_scores
from pyramidion.campaign.sources import FlatFiles, Readable, RowSource, Source, WholeCampaign
from pyramidion.errors import UsageError, check_known
from pyramidion.files.opening import RunFiles, is_inherited_pipe, refuse_special_files
from pyramidion.files.scratch import scratch_copy
from pyramidion.intake.columns import is_flat
from pyramidion.intake.roles import OF_SCORES, TOGETHER, check_roles
from pyramidion.intake.rows import columns_of
from pyramidion.measures.columns import named
from pyramidion.options import Choice, Options
from pyramidion.scores import ScoreTable
from pyramidion.scores.reading import read_columns
from pyramidion.scores.stored import StoredScores

if TYPE_CHECKING:
    import pandas
    import polars as pl

    Data = (
        ScoreTable
        | Readable
        | Campaign
        | str
        | Path
        | Sequence[str | Path]
        | pl.DataFrame
        | pandas.DataFrame
        | Iterable[Mapping[str, Any]]
    )

Progress = Callable[[str, int, int | None], None]
"""Called with what is being done, how much of it was done since the last call, and the total if it is known."""
DEMO = "demo"
STANDARD_INPUT = "-"
INSPECTED = 100_000_000
"""Characters of summaries that `check` looks at as a whole; what is larger is only read."""


class Reading:
    """The data of a run, and what was chosen of it.

    Args:
        data: a path (campaign folder, flat file, score table, a foreign format), "demo", a campaign, a score table, a
            data frame, or dictionaries, one row per summary; or a list of paths: flat files and score tables of one
            campaign, or the files of pyramids.
        choice: whose summaries, which topics, which other scores to join, the seed.
        progress: called as long work goes on.
    """

    def __init__(self, data: Data, choice: Choice | None = None, *, progress: Progress | None = None) -> None:
        self.data = data
        self.choice: Choice = choice or Choice()
        check_roles(self.choice.columns or {})
        self.progress = progress
        self.problems: Problems = Problems()
        """What was noticed in the data so far."""
        self._files: RunFiles = RunFiles()
        """What was read so far, and is not overwritten."""

    @cached_property
    def source(self) -> Readable:
        """Where the campaign is read from."""
        return self._found[0]

    @cached_property
    def _found(self) -> tuple[Readable, tuple[Path, ...]]:
        """Where the campaign is read from, and score tables among several files."""
        columns, option = self._named_columns, self.choice.option or {}
        if not self.paths:
            source = source_of(self._rows or self.data, columns, option)
            _refuse_columns(columns, source, self.data_name)
            return source, ()
        return _of_several([self._with_own_columns(one, option) for one in self.paths], columns)

    def _with_own_columns(self, data: Any, option: Mapping[str, str] | None = None) -> Readable:
        """Where one of several files is read from, with those of the columns that the user names that it has."""
        given = self.choice.columns or {}
        return source_of(data, _within(given, {*_column_names(source_of(data))}) if given else {}, option)

    @cached_property
    def _rows(self) -> RowSource | None:
        """Rows in memory, if the data is such: an iterator is read once."""
        known = isinstance(self.data, str | Path | Readable | Campaign | ScoreTable) or self.paths
        return None if known else RowSource(self.data)

    @cached_property
    def _named_columns(self) -> Mapping[str, str]:
        """The columns that the user names, without those that only score tables to be joined have.

        Raises:
            UsageError: if no file has a column.
        """
        given = self.choice.columns or {}
        if not given or not (self.choice.scores or self.paths):
            return given
        sources = [self._with_own_columns(one) for one in self.paths or [self._rows or self.data]]
        tables = [one for one in sources if isinstance(one, Source | RowSource) and one.kind == "scores"]
        data = sources if len(tables) == len(sources) else [one for one in sources if one not in tables]
        own = {name for source in data for name in _column_names(source)}
        joined = {*chain(*map(columns_of, map(Path, self.choice.scores)), *map(_column_names, tables))}
        _check_columns(given, own | joined)
        of_scores = {role for role in _within(given, joined) if role in OF_SCORES and data is not sources}
        return {role: value for role, value in _within(given, own).items() if role not in of_scores}

    @property
    def _tables(self) -> list[Path]:
        """The score tables to join: those that were chosen, and those among several files."""
        return [*map(Path, self.choice.scores), *self._found[1]]

    @cached_property
    def stored(self) -> StoredScores | None:
        """The scores of a run in shards, if the data is one: they may be larger than memory."""
        path = Path(self.data) if isinstance(self.data, str | Path) and self.data != DEMO else None
        return StoredScores.of(path) if path is not None and StoredScores.knows(path) else None

    @property
    def has_scores(self) -> bool:
        """Whether the data is a score table: there are no summaries to score."""
        return self.stored is not None or self.given_scores is not None

    @property
    def given_measures(self) -> tuple[str, ...]:
        """The measures of the score table, if the data is one."""
        if self.stored is not None and not self.choice.scores:
            return self.stored.measures
        return () if self.given_scores is None else self.given_scores.measures

    @cached_property
    def given_scores(self) -> ScoreTable | None:
        """The score table, if the data is one; None if there are summaries to score."""
        with self._files.noting():
            table = self.data if isinstance(self.data, ScoreTable) else self._score_file()
        return None if table is None else self._chosen_scores(table)

    def _chosen_scores(self, table: ScoreTable) -> ScoreTable:
        """The scores of the chosen summarizers."""
        if self.choice.peers != "systems":
            if not table.kinds:
                raise UsageError("a score table does not say who is human; choose peers when you score the summaries")
            table = table.of_summarizers([who for who, kind in table.kinds.items() if kind in KINDS[self.choice.peers]])
            if not len(table):
                raise UsageError(
                    "none of the peers that were chosen is in the score table; score the summaries with --peers"
                )
        if self.choice.where:
            raise UsageError("a score table does not describe its topics; use `where` when you score the summaries")
        for who in self.choice.exclude:
            check_known(who, table.summarizers, f"--exclude {who}: no such summarizer")
        left = [who for who in table.summarizers if who not in self.choice.exclude]
        return table.of_summarizers(left) if self.choice.exclude else table

    @cached_property
    def campaign(self) -> Campaign:
        """The chosen part of the campaign, with the joined scores."""
        if self.given_scores is not None:
            return _described_by(self.given_scores, self.data_name)
        self.problems.clear()  # those of a stream that was scored before
        with self._files.noting():
            (chosen,) = self._chosen(self._joined([self.source.read(self.problems)]))
        return chosen

    def check(self) -> Inspection:
        """Read the data to its end; every problem in it, and how complete it is."""
        inspection = Inspection()
        content = None
        most = INSPECTED
        if isinstance(self.source, Source) and self.source.kind == "folder":
            most = 0
            if size_of(self.source.path) <= INSPECTED:
                content = read_content(self.source.path, inspection)
        shards = [content.campaign] if content else self._kept_shards(inspection, most)
        if shards is None:
            inspection.remark(f"{self.data_name}: too large to look at as a whole; only its rows were checked")
        if shards and not inspection.errors:  # else it would be about what was not read
            campaign = shards[0] if len(shards) == 1 else join_shards(shards, name="")
            path = getattr(self.source, "path", self.data_name)
            inspect_campaign(campaign, inspection, path=path, content=content)
        return inspection

    @cached_property
    def inspection(self) -> Inspection:
        """What reading the chosen part of the campaign noted, and what `check` finds in it as a whole."""
        inspection = Inspection()
        campaign = self.campaign
        inspection.extend(self.problems)
        if campaign.summaries and sum(len(one.text) for one in campaign.summaries) <= INSPECTED:
            inspect_campaign(campaign, inspection, path=self.data_name)
        return inspection

    def _kept_shards(self, problems: Problems, most: int) -> list[Campaign] | None:
        """All of the data in pieces; None if it has more characters than can be looked at as a whole."""
        kept: list[Campaign] | None = []
        characters = 0
        for shard in self.source.shards(problems):
            characters += sum(len(one.text) for one in shard.summaries)
            if characters > most:
                kept = None
            if kept is not None:
                kept.append(shard)
        return kept

    @property
    def data_name(self) -> str:
        """What the user called the data; DATA if it was never a file."""
        return str(self.data) if isinstance(self.data, str | Path) else "DATA"

    @property
    def _data_words(self) -> list[str]:
        """The words of a command line that name the data."""
        if isinstance(self.data, Readable):
            return self.data.arguments() or [self.data_name]
        return list(map(str, self.paths)) or [self.data_name]

    def command(
        self,
        verb: str,
        measures: Iterable[str] = (),
        *words: str,
        options: Options | None = None,
        chosen: bool = True,
    ) -> str:
        """The command line that gives the same numbers, quoted for a shell.

        Args:
            verb: the command, such as "compare" or "study models".
            measures: given by -m.
            words: further words of the command line.
            options: of the analysis; defaults are left out.
            chosen: whether the command takes the options of `Choice`, as far as those of the analysis allow.
        """
        options = Options() if options is None else options
        named = [word for measure in measures for word in ("-m", measure)]
        given = [*options.arguments(), *(self.choice.arguments(options.without) if chosen else [])]
        return shlex.join(["pyramidion", *verb.split(), *self._data_words, *named, *words, *given])

    @property
    def paths(self) -> tuple[str | Path, ...]:
        """The files, if the data is several of them: a list of paths."""
        listed = isinstance(self.data, list | tuple) and all(isinstance(one, str | Path) for one in self.data)
        return tuple(dict.fromkeys(self.data)) if listed else ()  # type: ignore[arg-type]

    @property
    def _of_pyramids(self) -> bool:
        """Whether the data is several files that are read one by one, as those of pyramids are."""
        campaigns = sum(one == DEMO or Path(one).is_dir() for one in self.paths)
        return campaigns > 1 or not all(one == DEMO or Source.knows(Path(one)) for one in self.paths)

    def _sources(self, *, together: bool = True) -> list[Readable]:
        """What several files are read from, each by itself or those of one format together."""
        from pyramidion.formats.base import joined_sources

        paths = self.paths or (self.data,)
        columns, option = self.choice.columns or {}, self.choice.option or {}
        return joined_sources({str(one): source_of(one, columns, option) for one in paths}, together=together)

    def _campaigns(self, *, together: bool = True) -> list[Campaign]:
        """The campaign; if the data is several files, all of them."""
        if not self.paths:
            return [self.campaign]
        return self._chosen(source.read(self.problems) for source in self._sources(together=together))

    def _chosen(self, campaigns: Iterable[Campaign]) -> list[Campaign]:
        """The chosen topics of campaigns that were read without errors."""
        found = list(campaigns)
        self._accept()
        where = self.choice.where or {}
        chosen = [campaign.where(where) for campaign in found]
        if where and not any(campaign.topic_ids for campaign in chosen):
            asked = ", ".join(f"{key}={value}" for key, value in where.items())
            raise UsageError(f"no topic has {asked}; `pyramidion describe` lists the attributes of topics")
        return chosen

    def counter(self, what: str) -> Callable[[int], None] | None:
        """What a long calculation calls with the number of steps done since its last call."""
        progress = self.progress
        return None if progress is None else lambda count: progress(what, count, None)

    def _score_file(self) -> ScoreTable | None:
        """The table in a file of scores, with what was joined; None if the data is none."""
        if self.stored is not None:
            table = self.stored.table()
        elif not isinstance(self.source, Source | RowSource) or self.source.kind != "scores":
            return None
        else:
            _check_columns(self.source.columns, {*self.source.names})
            table = self.source.scores(self.problems)
            self.problems.refuse()
        others = read_columns(self._tables, self.problems, self.choice.columns, bookkeeping=False).values()
        self._accept()
        return named(table.join(*(named(other) for other in others)))

    def _joined(self, shards: Iterable[Campaign]) -> Iterable[Campaign]:
        """The shards with the other scores of their summaries."""
        if not self._tables:
            return shards
        tables = read_columns(self._tables, self.problems, self.choice.columns, bookkeeping=False)
        self.problems.refuse()
        return join_scores(shards, tables, self.problems)

    @property
    def _check_command(self) -> str:
        """The command that lists what is wrong with the data, read in the same way."""
        if self._of_pyramids:
            return self.command("pyramid check", chosen=False)
        read_alike = Choice(columns=self.choice.columns, option=self.choice.option)
        return self.command("check", (), *read_alike.arguments(), chosen=False)

    def _accept(self) -> None:
        """Raise what is wrong with the data; warn of what deserves a look, once."""
        self.problems.refuse(strict=self.choice.strict)
        files = [str(path) for path in (self.choice.scores if self._of_pyramids else self._tables)]
        joined = [problem for problem in self.problems if problem.file in files]
        for problem in joined:  # `check` does not see what was joined for this run alone
            warnings.warn(str(problem), CampaignWarning, stacklevel=3)
        if left := self.problems.warnings - len(joined):
            many = "1 warning" if left == 1 else f"{left:,} warnings"
            check = self._check_command
            warnings.warn(f"{many} in the data; `{check}` lists them", CampaignWarning, stacklevel=3)


def _within(given: Mapping[str, str], names: Collection[str]) -> Mapping[str, str]:
    """Those of the columns that the user names that are among these."""
    return {role: value for role, value in given.items() if not {value, *value.split(TOGETHER)}.isdisjoint(names)}


def _refuse_columns(given: Mapping[str, str], source: Readable, name: str) -> None:
    """Refuse names of columns for data that is no table."""
    is_table = isinstance(source, RowSource | FlatFiles) or (isinstance(source, Source) and not source.path.is_dir())
    if given and not is_table:
        first = next(f"{role}={value}" for role, value in given.items())
        raise UsageError(f"--columns {first}: {name} is not a table; only tables have columns to name")


def _check_columns(given: Mapping[str, str], names: Collection[str]) -> None:
    """Refuse columns that no file has."""
    for role, value in given.items():
        for column in [value] if value in names else value.split(TOGETHER):
            check_known(column, sorted(names), f"--columns {role}={value}: no file has a column {column!r}")


def _column_names(source: Readable) -> Iterable[str]:
    """The columns of a table; none of what has none."""
    if isinstance(source, Source | RowSource):
        return source.names
    paths: Sequence[Path] = getattr(source, "paths", ())
    return chain.from_iterable(Source(path).names for path in paths)


def source_of(data: Any, columns: Mapping[str, str] | None = None, option: Mapping[str, str] | None = None) -> Readable:
    """Where DATA is read from: a path, `demo` (the built-in campaign), a campaign, a data frame, or dictionaries.

    Args:
        data: what the user gave.
        columns: by role, the columns of a table that the user names.
        option: options of its format.

    Raises:
        UsageError: if it has no such options; our own forms have none.
    """
    source = _plain_source(data, columns or {})
    return source.with_options(option, str(data)) if option else source


def _plain_source(data: Any, given: Mapping[str, str]) -> Readable:
    if isinstance(data, RowSource):
        return replace(data, rows=data.dictionaries, columns=given) if given else data
    if isinstance(data, Readable):
        return data
    if isinstance(data, Campaign):
        return WholeCampaign(data)
    if not isinstance(data, str | Path):
        return RowSource(data, given)
    if data == DEMO:
        from pyramidion.demo import campaign_path

        return Source(campaign_path())
    path = _standard_input() if str(data) == STANDARD_INPUT else Path(data)
    if is_inherited_pipe(path):
        path = _copy_of(path)
    refuse_special_files(path)
    if Source.knows(path) and not path.is_dir() and (given or is_flat(path)):
        return Source(path, given)
    # A folder without our one required file, or rows with other keys, may be another program's.
    if path.is_dir() and (path / "summaries.jsonl").exists():
        return Source(path)
    from pyramidion.formats import FormatSource, detect_format

    format = detect_format(path)
    return FormatSource(format, [path]) if format else Source(path, given)


def _of_several(sources: Sequence[Readable], given: Mapping[str, str]) -> tuple[Readable, tuple[Path, ...]]:
    """Several files as one campaign: flat files, score tables that join it, or files of one format."""
    from pyramidion.formats import FormatSource

    own = [source for source in sources if isinstance(source, Source)]
    flat = tuple(source.path for source in own if source.kind == "flat")
    scores = tuple(source.path for source in own if source.kind == "scores")
    folders = [source for source in own if source.kind == "folder"]
    foreign = [source for source in sources if isinstance(source, FormatSource)]
    if len(folders) == 1 and not flat and not foreign:
        return folders[0], scores
    if folders or (flat and foreign) or len({source.format.name for source in foreign}) > 1:
        raise UsageError(
            "several files are one campaign only if all are tables with one row per summary (and tables of scores), "
            "or all of one format; analyse one campaign at a time"
        )
    if foreign:
        if len(foreign) > 1 and not foreign[0].format.several:
            raise UsageError(f"the format {foreign[0].format.name} is read from one file; found {len(foreign)}")
        paths = [path for source in foreign for path in source.paths]
        return FormatSource(foreign[0].format, paths, foreign[0].options), scores
    if flat:
        return (FlatFiles(flat, given) if len(flat) > 1 else Source(flat[0], given)), scores
    return next(source for source in own if source.path == scores[0]), scores[1:]


@functools.cache
def _standard_input() -> Path:
    """What comes from standard input, in a file that can be read several times."""
    return scratch_copy(sys.stdin.buffer, "stdin")


@functools.cache
def _copy_of(pipe: Path) -> Path:
    """The same of another pipe, such as that of `<(…)`."""
    with pipe.open("rb") as opened:
        return scratch_copy(opened, "stdin")


def _described_by(table: ScoreTable, name: str) -> Campaign:
    """What a score table says about its campaign: who the summarizers are."""
    known = {*table.names, *table.kinds}
    return Campaign(
        name=Path(name).stem,
        summarizers={
            who: Summarizer(name=table.names.get(who, ""), kind=table.kinds.get(who, "participant")) for who in known
        },
    )
