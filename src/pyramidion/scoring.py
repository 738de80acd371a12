"""What a run scores: each measure once, and more when more is asked for; score tables are read, not scored."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pyramidion.engines.gathering import EvidenceStore, TopicEvidence, gather
from pyramidion.engines.local import batches, score_shards
from pyramidion.errors import UsageError, check_known
from pyramidion.files.opening import refuse_special_files
from pyramidion.measures import Derived, Measure
from pyramidion.measures.columns import named, with_directions
from pyramidion.measures.deriving import resting_on, with_derived
from pyramidion.measures.registry import Selection, default_measures, default_rouge, known_measures, select_all
from pyramidion.measures.run_context import running_with
from pyramidion.options import Choice, ShardOptions, takes
from pyramidion.reading import DEMO, Progress, Reading
from pyramidion.scores import ScoreTable

if TYPE_CHECKING:
    from pyramidion.engines.run import ShardRun
    from pyramidion.reading import Data
    from pyramidion.scores.stored import StoredScores

    Measures = str | Measure | Selection | Sequence[str | Measure | Selection]


class Scoring(Reading):
    """The scores of a run: tables, and the evidence behind them."""

    def __init__(self, data: Data, choice: Choice | None = None, *, progress: Progress | None = None) -> None:
        super().__init__(data, choice, progress=progress)
        self._scored: ScoreTable | None = None
        self._done: set[Selection] = set()
        self._evidence = EvidenceStore()
        self._known: dict[str, Measure] = {}

    def table(self, measures: Measures | None = None, *, keep_counts: bool = False) -> ScoreTable:
        """The scores of these measures; what was scored before is not scored again.

        Args:
            measures: names such as "rouge-2.recall", or measures; by default F of ROUGE-1, -2, -L and -SU4 (recall
                where the campaign has a word limit), pyramid scores, every question and every imported column.
            keep_counts: whether to keep the counts of overlap measures, for micro averages.
        """
        if self.stored is not None and measures is not None and not self.choice.scores:
            selections, known = self.select(measures), self.stored.measures
            if all(one.among(known) for one in selections):  # else the whole table is asked
                part = self.stored.table(_among(selections, known))
                return self._columns(self._chosen_scores(part), selections)
        if self.given_scores is not None:
            return self.given_scores if measures is None else self._columns(self.given_scores, self.select(measures))
        selections = self.select(self._defaults() if measures is None else measures)
        if keep_counts and (self._scored is None or self._scored.counts is None):
            self._scored, self._done = None, set()
        return self._columns(self._score(selections, keep_counts=keep_counts), selections)

    @takes(ShardOptions)
    def score_into(self, output: str | Path, measures: Measures | None = None, **options: Any) -> ShardRun:
        """Score flat files shard by shard into a folder (or s3://…); a run that was stopped goes on where it was."""
        from pyramidion.engines.run import run_in_shards

        chosen = ShardOptions.of(options)
        data = [self.data] if isinstance(self.data, str | Path) else list(self.paths)
        if not data or DEMO in data:
            raise UsageError("a run in shards reads files: .parquet or .jsonl with one row per summary")
        for one in data:
            refuse_special_files(Path(one))
        if "://" not in str(output) and Path(output).exists() and not Path(output).is_dir():
            raise UsageError(
                f"{output} is not a folder; give a new folder, or a file that ends in .parquet, .csv or .jsonl"
            )
        for name in ("peers", "where", "scores"):
            if getattr(self.choice, name) != getattr(Choice(), name):
                raise UsageError(f"--{name}: a run in shards scores the summaries of flat files; leave it out")
        listed = default_rouge(word_limit=None) if measures is None else measures
        names = listed if isinstance(listed, Sequence) and not isinstance(listed, str) else [listed]
        self._known |= known_measures(names)
        return run_in_shards(
            [str(one) for one in data],
            output,
            select_all(names, known=self._known),
            chosen,
            columns=self.choice.columns,
            seed=self.choice.seed,
            exclude=self.choice.exclude,
            strict=self.choice.strict,
            progress=self.progress,
            problems=self.problems,
        )

    def evidence(self, measures: Measures) -> list[TopicEvidence]:
        """What these measures found in each topic, for analyses that choose the models themselves."""
        campaign = self.campaign  # read whole: a stream keeps values only
        selections = self.select(measures)
        self._score(selections)
        wanted = list(dict.fromkeys(selection.measure for selection in selections))
        for topics in batches(campaign.each_topic(peers=self.choice.peers)):
            self._evidence.gather(wanted, topics)
        return self._evidence.by_topic(wanted)

    @property
    def scored(self) -> ScoreTable | None:
        """Everything that was scored so far."""
        return self._scored

    def select(self, measures: Measures) -> list[Selection]:
        """What names mean here; a measure that was given as an object can be named from then on.

        A bare name that is no measure finds a question or an imported column of that name.
        """
        listed = measures if isinstance(measures, Sequence) and not isinstance(measures, str) else [measures]
        self._known |= known_measures(listed)
        if self.has_scores:
            return select_all(listed, known=self._known, columns=self.given_measures)
        try:
            return select_all(listed, known=self._known)
        except UsageError:  # what is in the data decides
            return select_all(listed, known=self._known, columns=self._columns_in_data())

    def _score(self, selections: Sequence[Selection], *, keep_counts: bool = False) -> ScoreTable:
        """The table of everything that was ever asked for, with these measures in it."""
        derived = [one.measure for one in selections if isinstance(one.measure, Derived)]
        direct = [one for one in selections if not isinstance(one.measure, Derived)]
        wanted = [*direct, *resting_on(derived, known=self._known)[1]]
        lacking = [one for one in dict.fromkeys(wanted) if not {one, Selection(one.measure)} & self._done]
        if lacking or self._scored is None:
            in_memory = "campaign" in self.__dict__ or not self.source.streams
            if not in_memory:
                self.problems.clear()  # those of a stream that was scored before
            whole = self.campaign if in_memory else None
            with self._files.noting(), running_with(cache=_cache_beside(self.data), campaign=whole):
                table = score_shards(
                    [self.campaign] if in_memory else self._joined(self.source.shards(self.problems)),
                    lacking,
                    peers=self.choice.peers,
                    where=None if in_memory else self.choice.where,
                    exclude=self.choice.exclude,
                    known=self._known,
                    seed=self.choice.seed,
                    keep_counts=keep_counts,
                    progress=self.counter("summaries scored"),
                    when_read=None if in_memory else self._accept,
                    gather=self._evidence.gather if in_memory else gather,
                )
            self._done |= set(lacking)
            if self._scored is not None:  # a measure as a whole takes the place of single columns of it
                before = self._scored
                table = before.only(name for name in before.measures if name not in table.measures).join(table)
            self._scored = table
        self._scored = with_derived(self._scored, derived, known=self._known)
        return self._scored

    @property
    def _unchanged(self) -> StoredScores | None:
        """The scores of a run in shards, if nothing was chosen of them and nothing joined."""
        whole = not (self.choice.scores or self.choice.exclude or self.choice.where)
        return self.stored if whole and self.choice.peers == "systems" else None

    def _stored_names(self, stored: StoredScores, measures: Measures | None) -> list[str]:
        """The columns that are asked for; one that is not there is refused."""
        if measures is None:
            return list(stored.measures)
        selections = self.select(measures)
        for one in selections:
            if not one.among(stored.measures):
                check_known(one.name, stored.measures, f"the run has no measure {one.name!r}")
        return _among(selections, stored.measures)

    def _stored_pairs(
        self, stored: StoredScores, measures: Measures | None, with_: Sequence[str]
    ) -> tuple[list[str], list[str]] | None:
        """The columns that are asked for and those to correlate them with; None if something has to be derived."""
        known = stored.measures
        chosen, against = [] if measures is None else self.select(measures), self.select(with_)
        if not all(one.among(known) for one in (*chosen, *against)):
            return None
        targets = _among(against, known)
        asked = _among(chosen, known) if measures is not None else [name for name in known if name not in targets]
        return asked, targets

    def _defaults(self) -> list[str]:
        """What is scored when nothing is asked for."""
        if self.has_scores:
            return default_measures(word_limit=None)
        streams = "campaign" not in self.__dict__ and self.source.streams
        return default_measures(word_limit=(self.source if streams else self.campaign).word_limit)

    def _with(self, measures: Measures | None, with_: Measures) -> tuple[ScoreTable, list[str], list[str]]:
        """The scores of measures and of what they are correlated with; the names of both.

        Without measures: what is scored by default, or all other columns of a score table.
        """
        if measures is not None:  # a target may be derived from a measure that was given as an object
            self.select(measures)
        targets = self.select(with_)
        if measures is None and self.given_scores is not None:
            table = self.given_scores
            out = _among(targets, table.measures)
            asked = [name for name in table.measures if name not in out]
        else:
            chosen = self.select(self._defaults() if measures is None else measures)
            table = self.table([*chosen, *targets])
            asked = _among(chosen, table.measures)
        found = [name for one in targets for name in one.among(table.measures) or [one.name]]
        return table, asked, list(dict.fromkeys(found))

    def _in_parts(self, table: ScoreTable, by: str | None, selections: Iterable[Selection]) -> dict[str, ScoreTable]:
        """The scores of each part of the campaign; what is derived from scores is derived within each part."""
        from pyramidion.studies.parts import scores_of_parts

        if by is None:
            return {"": table}
        if self.given_scores is not None:
            raise UsageError(f"--by {by}: a score table does not describe its topics; give the campaign")
        derived = [one.measure for one in selections if isinstance(one.measure, Derived)]
        return scores_of_parts(self._score([]), self.campaign, by, derived)

    def _columns_in_data(self) -> list[str]:
        """The questions and imported columns of the campaign."""
        campaign = self.campaign
        imported = named(campaign.imported).measures
        return [*(f"question.{name}" for name in campaign.question_names), *imported]

    def _columns(self, table: ScoreTable, selections: Sequence[Selection]) -> ScoreTable:
        """What was asked for, in that order; a measure that a given table lacks is refused by the table."""
        derived = [one.measure for one in selections if isinstance(one.measure, Derived)]
        table = with_derived(table, derived, known=self._known)
        lacking = self.has_scores
        table = with_directions(table, selections) if lacking else table
        columns = [name for one in selections for name in one.among(table.measures) or [one.name] * lacking]
        unscored = {name: table.unscored[name] for one in selections for name in one.among(table.unscored)}
        return replace(table.only(columns).in_order(columns), unscored=unscored)


def _among(selections: Iterable[Selection], known: Sequence[str]) -> list[str]:
    """The columns that these mean, each once."""
    return list(dict.fromkeys(name for one in selections for name in one.among(known)))


def _cache_beside(data: object) -> Path | None:
    """Where measures keep what is costly to find (parses): in the campaign folder, else in the folder of the file."""
    if not isinstance(data, str | Path) or data == DEMO:
        return None
    path = Path(data)
    return (path if path.is_dir() else path.parent) / ".cache" / "pyramidion"
