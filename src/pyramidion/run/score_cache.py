"""The scores of a run: each measure is scored once, and more when more is asked for; score tables are only read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from pyramidion.campaign import Campaign
from pyramidion.campaign.flat.tables import NeedsRowsError
from pyramidion.campaign.join import join_scores
from pyramidion.engines.evidence_store import EvidenceStore, TopicEvidence, gather
from pyramidion.engines.local import can_score_columns, group_topics, score_batches, score_shards
from pyramidion.errors import UsageError, check_known
from pyramidion.measures import Derived, Measure
from pyramidion.measures.columns import named, with_directions
from pyramidion.measures.deriving import add_derived, dependencies
from pyramidion.measures.registry import (
    DEFAULT_OTHERS,
    Selection,
    default_measures,
    files_in_measures,
    known_measures,
    select_all,
)
from pyramidion.measures.run_context import RunContext
from pyramidion.options import Progress
from pyramidion.run.data import CampaignData, Data
from pyramidion.scores import ScoreTable
from pyramidion.scores.stored import StoredScores

Measures = str | Measure | Selection | Sequence[str | Measure | Selection]
"""What users give as measures: one or several names or objects."""


def count_steps(progress: Progress | None, what: str) -> Callable[[int], None] | None:
    """What a long calculation calls with the number of steps done since its last call."""
    if progress is None:
        return None
    return lambda count: progress(what, count, None)


class ScoreCache:
    """Scores of one data set.

    Args:
        data: what is scored, or the score table that is read.
        progress: called as summaries are scored, and texts parsed.
        measures_by_name: measures that were given as objects and can be named from then on.
    """

    def __init__(
        self, data: Data, progress: Progress | None = None, measures_by_name: Mapping[str, Measure] | None = None
    ) -> None:
        self.data = data
        self.scored: ScoreTable | None = None
        """Everything that was scored so far."""
        self.measures_by_name: dict[str, Measure] = dict(measures_by_name or {})
        self._progress = progress
        self._done: set[Selection] = set()
        self._evidence: EvidenceStore | None = None

    def select(self, measures: Measures) -> list[Selection]:
        """What names of measures mean here.

        A bare name that is no measure finds a question or an imported column of that name.
        """
        names = measures if isinstance(measures, Sequence) and not isinstance(measures, str) else [measures]
        # A measure that was given as an object can be named later, inside hbr(…) or as a target.
        self.measures_by_name |= known_measures(names)
        if self.data.has_scores:
            return select_all(names, known=self.measures_by_name, columns=self.data.measures)
        try:
            return select_all(names, known=self.measures_by_name)
        # Bare names such as `relevance` mean a question or column; only then is the campaign read for its names.
        except UsageError:  # what is in the data decides
            return select_all(names, known=self.measures_by_name, columns=self._columns_in_campaign())

    def table(self, measures: Measures | None = None, *, keep_counts: bool = False) -> ScoreTable:
        """The scores of measures; by default of those that the data allows.

        Args:
            measures: names or objects.
            keep_counts: whether to keep the counts of overlap measures, for micro averages.
        """
        if self.data.has_scores:
            return self._read_table(measures)
        selections = self.select(self.default_measures() if measures is None else measures)
        # Scores that were made without counts have to be made again: sums over topics need them.
        if keep_counts and (self.scored is None or self.scored.counts is None):
            self.scored = None
            self._done.clear()
        return self._pick_columns(self.score(selections, keep_counts=keep_counts), selections)

    def default_measures(self) -> list[str]:
        """What is scored when nothing is asked for."""
        data = self.data
        if not isinstance(data, CampaignData):
            return default_measures(word_limit=None)
        if data.is_in_memory and data.campaign.is_textless:
            return list(DEFAULT_OTHERS)
        return default_measures(word_limit=data.word_limit)

    def score(self, selections: Sequence[Selection], *, keep_counts: bool = False) -> ScoreTable:
        """The table of everything that was ever asked for, with these measures in it."""
        for file in files_in_measures(selections):
            self.data.files.note_read(file)
        derived = derived_measures(selections)
        needed = [selection for selection in selections if not isinstance(selection.measure, Derived)]
        if derived:
            needed += dependencies(derived, known=self.measures_by_name)[1]
        missing = [selection for selection in dict.fromkeys(needed) if not self._is_done(selection)]
        if missing or self.scored is None:
            table = self._score_missing(missing, keep_counts=keep_counts)
            self._done |= set(missing)
            if self.scored is not None:  # a measure as a whole takes the place of single columns of it
                kept = [name for name in self.scored.measures if name not in table.measures]
                table = self.scored.only(kept).join(table)
            self.scored = table
        if derived:
            self.scored = add_derived(self.scored, derived, known=self.measures_by_name)
        return self.scored

    def evidence(self, measures: Measures) -> list[TopicEvidence]:
        """What measures found in each topic, for analyses that choose the models themselves."""
        # Before scoring, so that the evidence of the same pass is kept.
        _ = self.data.campaign  # read whole: a stream keeps values only
        selections = self.select(measures)
        self.score(selections)
        return self.gather_evidence([selection.measure for selection in selections])

    def gather_evidence(self, measures: Iterable[Measure]) -> list[TopicEvidence]:
        """What measures found in each topic, without a score table of them."""
        campaign = self.data.campaign
        distinct = list(dict.fromkeys(measures))
        # The same groups as when they were scored: evidence is kept by group.
        for topics in group_topics(campaign.each_topic(peers=self.data.choice.peers)):
            self._kept_evidence.gather(distinct, topics)
        return self._kept_evidence.by_topic(distinct)

    @property
    def _kept_evidence(self) -> EvidenceStore:
        """The evidence of a campaign in memory."""
        if self._evidence is None:
            self._evidence = EvidenceStore(self._offer(self.data.campaign))
        return self._evidence

    def _offer(self, campaign: Campaign | None) -> RunContext:
        """What measures can use besides topics; the campaign, if it is in memory."""
        return RunContext(cache=self.data.cache_folder, progress=self._progress, campaign=campaign)

    def table_with_targets(
        self, measures: Measures | None, targets: Measures
    ) -> tuple[ScoreTable, list[str], list[str]]:
        """The scores of measures and of what they are correlated with, and the names of both.

        Without measures: what is scored by default, or all other columns of a score table.
        """
        if measures is not None:  # a target may be derived from a measure that was given as an object
            self.select(measures)
        target_selections = self.select(targets)
        given_table = self.data.scores if measures is None else None
        if given_table is not None:
            table = given_table
            target_columns = columns_of(target_selections, table.measures)
            measure_columns = [name for name in table.measures if name not in target_columns]
        else:
            selections = self.select(self.default_measures() if measures is None else measures)
            table = self.table([*selections, *target_selections])
            measure_columns = columns_of(selections, table.measures)
        target_names: list[str] = []
        for selection in target_selections:
            target_names += selection.among(table.measures) or [selection.name]
        return table, measure_columns, list(dict.fromkeys(target_names))

    def stored_columns(self, stored: StoredScores, measures: Measures | None) -> list[str]:
        """The columns of a stored run that are asked for.

        Raises:
            UsageError: if one is not there.
        """
        if measures is None:
            return list(stored.measures)
        selections = self.select(measures)
        for selection in selections:
            if not selection.among(stored.measures):
                check_known(selection.name, stored.measures, f"the run has no measure {selection.name!r}")
        return columns_of(selections, stored.measures)

    def stored_pairs(
        self, stored: StoredScores, measures: Measures | None, targets: Measures
    ) -> tuple[list[str], list[str]] | None:
        """The columns of a stored run that are asked for and those to correlate them with.

        None if something has to be derived.
        """
        selections = [] if measures is None else self.select(measures)
        target_selections = self.select(targets)
        if not all(selection.among(stored.measures) for selection in (*selections, *target_selections)):
            return None
        target_columns = columns_of(target_selections, stored.measures)
        if measures is None:
            return [name for name in stored.measures if name not in target_columns], target_columns
        return columns_of(selections, stored.measures), target_columns

    def ignore_unscored(self, measures: Iterable[str]) -> None:
        """Forget that some summaries have no score of these measures: nothing lacks there."""
        if self.scored is not None:
            ignored = {*measures}
            unscored = {name: count for name, count in self.scored.unscored.items() if name not in ignored}
            self.scored = replace(self.scored, unscored=unscored)

    def _read_table(self, measures: Measures | None) -> ScoreTable:
        """The scores of a score table."""
        if measures is not None:
            selections = self.select(measures)
            names = self.data.measures
            if all(selection.among(names) for selection in selections):  # else all columns are needed
                part = self.data.table_of(columns_of(selections, names))
                if part is not None:
                    return self._pick_columns(part, selections)
        table = self.data.scores
        if table is None:
            raise TypeError(type(self.data).__name__)
        return table if measures is None else self._pick_columns(table, self.select(measures))

    def _is_done(self, selection: Selection) -> bool:
        return selection in self._done or Selection(selection.measure) in self._done

    def _score_missing(self, selections: Sequence[Selection], *, keep_counts: bool) -> ScoreTable:
        """Score measures on the campaign: by columns where it is a table, else topic by topic."""
        data = self.data
        if not isinstance(data, CampaignData):
            raise TypeError(type(data).__name__)
        table = self._score_by_columns(data, selections, keep_counts=keep_counts)
        if table is None:
            table = self._score_by_topic(data, selections, keep_counts=keep_counts)
        return table

    def _score_by_columns(
        self, data: CampaignData, selections: Sequence[Selection], *, keep_counts: bool
    ) -> ScoreTable | None:
        """The scores of a table whose texts stay columns; None if its rows are needed one by one."""
        choice = data.choice
        if not can_score_columns(selections, choice.peers):
            return None
        batches = data.batches()
        if batches is None:
            return None
        tables = data.read_joined_tables()

        def join(campaign: Campaign) -> Campaign:
            (joined,) = join_scores([campaign], tables, data.problems)
            return joined

        def accept() -> None:
            if data.problems.errors or (data.problems.warnings and choice.strict):
                raise NeedsRowsError  # rows are listed in the order of the file
            data.accept()

        try:
            return score_batches(
                batches,
                selections,
                seed=choice.seed,
                peers=choice.peers,
                where=choice.where,
                exclude=choice.exclude,
                keep_counts=keep_counts,
                empty=data.empty,
                progress=count_steps(self._progress, "summaries scored"),
                join_scores=join if tables else None,
                when_read=accept,
            )
        except NeedsRowsError:
            return None

    def _score_by_topic(self, data: CampaignData, selections: Sequence[Selection], *, keep_counts: bool) -> ScoreTable:
        """The scores of a campaign in memory, or in pieces."""
        choice = data.choice
        in_memory = data.is_in_memory
        campaign = data.campaign if in_memory else None
        return score_shards(
            data.shards() if campaign is None else [campaign],
            selections,
            peers=choice.peers,
            where=None if in_memory else choice.where,
            exclude=choice.exclude,
            known=self.measures_by_name,
            seed=choice.seed,
            keep_counts=keep_counts,
            empty=data.empty,
            progress=count_steps(self._progress, "summaries scored"),
            when_read=None if in_memory else data.accept,
            gather=self._kept_evidence.gather if in_memory else partial(gather, run=self._offer(None)),
        )

    def _columns_in_campaign(self) -> list[str]:
        """The questions and imported columns of the campaign."""
        campaign = self.data.campaign
        imported = named(campaign.imported).measures
        return [*(f"question.{name}" for name in campaign.question_names), *imported]

    def _pick_columns(self, table: ScoreTable, selections: Sequence[Selection]) -> ScoreTable:
        """What was asked for, in that order; a measure that a given table lacks is refused by the table."""
        derived = derived_measures(selections)
        if derived:
            table = add_derived(table, derived, known=self.measures_by_name)
        if self.data.has_scores:
            table = with_directions(table, selections)
        columns: list[str] = []
        for selection in selections:
            present = selection.among(table.measures)
            if not present and self.data.has_scores:
                present = [selection.name]
            columns += present
        unscored = {name: table.unscored[name] for name in columns_of(selections, list(table.unscored))}
        return replace(table.only(columns).in_order(columns), unscored=unscored)


def derived_measures(selections: Iterable[Selection]) -> list[Derived]:
    """The measures that are computed from the scores of other measures."""
    return [selection.measure for selection in selections if isinstance(selection.measure, Derived)]


def columns_of(selections: Iterable[Selection], names: Sequence[str]) -> list[str]:
    """The columns of a score table that selections mean, each once."""
    return list(dict.fromkeys(name for selection in selections for name in selection.among(names)))
