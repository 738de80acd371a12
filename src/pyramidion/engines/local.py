"""Scoring on this machine, with the kernels' own threads: a table by columns, or a campaign topic by topic.

By columns: the kernels read the texts of a table where Arrow has them, batch after batch of its rows; no text becomes a
Python object. Topic by topic: tables whose rows are needed (`NeedsRowsError`), folders, pyramids, judgments and
measures in Python are scored as campaigns, some topics at a time. Both ways hand their values to a `ScoreCollector`.
"""

from __future__ import annotations

import re
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal, cast

import numpy as np
import polars as pl

from pyramidion.arrays import Bools, Floats
from pyramidion.campaign import Campaign, TopicData, plain
from pyramidion.campaign.campaign import KINDS, PeerChoice
from pyramidion.campaign.flat.tables import (
    TEXT,
    NeedsRowsError,
    SummaryBatch,
    SummaryKeys,
    join_marks,
    references_as_peers,
)
from pyramidion.campaign.nouns import Text
from pyramidion.engines.evidence_store import Gather, gather, rests_on_answers
from pyramidion.engines.outputs import name_outputs, split_outputs
from pyramidion.errors import InputError, UsageError, did_you_mean, mention
from pyramidion.files.parquet import exactly
from pyramidion.measures.base import Measure, MeasureWarning, Rows, StatisticFacts, grouped
from pyramidion.measures.derived import Derived
from pyramidion.measures.deriving import add_derived, dependencies
from pyramidion.measures.imported import Imported
from pyramidion.measures.overlap import ColumnBlock, OverlapMeasure
from pyramidion.measures.registry import NOTHING_KNOWN, Known, Selection, known_measures
from pyramidion.measures.rouge import Rouge
from pyramidion.measures.rouge_score import RougeScore
from pyramidion.measures.unread_letters import (
    ASCII_TOKENS,
    UNREAD_NOTE,
    LetterLosses,
    drops_letters,
    losses_of_columns,
    losses_of_topics,
    reads_documents,
    report_losses,
)
from pyramidion.options import EmptyTreatment
from pyramidion.scores import ScoreTable
from pyramidion.scores.evidence import Reduced
from pyramidion.scores.run_means import average_counts, average_runs, select_run_columns, split_runs
from pyramidion.scores.table import COLUMNS, COUNT_COLUMNS, Kind
from pyramidion.show.wording import counted, listed, together
from pyramidion.text.overlap import TextTable

Progress = Callable[[int], None]
"""Called with the number of summaries done since the last call."""
Statistics = set[str] | None
"""Which statistics of a measure are asked for; None: all."""

# Summaries without words


WordlessReason = Literal["empty", "script"]
WORDLESS_REASONS: Final[tuple[WordlessReason, ...]] = ("empty", "script")
"""Why a text has no words: it is empty (or only has marks), or its script is not one that ASCII tokens read."""
Wordless = Mapping[tuple[str, str], WordlessReason]
"""By topic and summarizer, why a summary has no words; those that have some are not in it."""
_ASCII_WORD = re.compile(r"[A-Za-z0-9]")


def why_wordless(text: Text) -> WordlessReason | None:
    """Why a text has no words for a tokenizer that reads ASCII; None if it has some."""
    whole_text = plain(text)
    if _ASCII_WORD.search(whole_text):
        return None
    has_letters = any(map(str.isalnum, whole_text))
    return "script" if has_letters else "empty"


def find_wordless(topics: Iterable[TopicData]) -> Wordless:
    """The summaries of topics that have no words for a tokenizer that reads ASCII."""
    reasons: dict[tuple[str, str], WordlessReason] = {}
    for topic in topics:
        outputs = split_outputs(topic) if topic.has_runs else topic
        for peer in outputs.peers:
            reason = why_wordless(peer.text)
            if reason:
                reasons[topic.topic.topic, peer.summarizer] = reason
    return reasons


def compares_texts(measure: Measure) -> bool:
    """Whether a measure compares texts with models; people may well have judged an empty summary."""
    return "models" in measure.required and "judgments" not in measure.required


@dataclass
class ZeroCounts:
    """How many summaries without words each measure gave 0, by reason and summarizer."""

    empty: EmptyTreatment = "zero"
    """Whether empty summaries have the score 0 or none."""
    are_counted: bool = True
    """False: notes only say that there are such summaries, as those of the parts of a long run do."""
    counts: dict[tuple[str, WordlessReason], Counter[str]] = field(default_factory=dict)

    def add(
        self,
        measure: Measure,
        name: str,
        zeros: Iterable[tuple[str, str]],
        wordless: Wordless,
        run_names: Mapping[str, tuple[str, str]],
    ) -> None:
        """Count the zeros of a measure that come from summaries without words.

        Args:
            measure: only those that compare texts with models count.
            name: of the measure with its statistic.
            zeros: topic and summarizer of the summaries with the value 0.
            wordless: why summaries have no words.
            run_names: by the name of an output of a system with several runs, the system and the run.
        """
        if not compares_texts(measure):
            return
        # By the option, not by the class: measures of other packages may have it, too.
        reads_ascii = getattr(measure, "tokens", "") in ASCII_TOKENS
        for topic, summarizer in zeros:
            reason = wordless.get((topic, summarizer))
            if reason == "script" and not reads_ascii:  # its letters were read, and just do not match
                continue
            if reason:
                system, _ = run_names.get(summarizer, (summarizer, ""))
                self.counts.setdefault((name, reason), Counter())[system] += 1

    def note(self, name: str) -> str:
        """What a reader of the values must know; nothing if no summary lacks words."""
        return self._note_on(self.counts.get((name, "empty")), self.counts.get((name, "script")))

    def note_on_each(self, name: str) -> dict[str, str]:
        """By summarizer, what a reader of its values alone must know."""
        empty, unread = (self.counts.get((name, reason), Counter[str]()) for reason in WORDLESS_REASONS)
        notes: dict[str, str] = {}
        for summarizer in {**empty, **unread}:
            of_one = (Counter({summarizer: counts[summarizer]}) for counts in (empty, unread))
            notes[summarizer] = self._note_on(*of_one)
        return notes

    def _note_on(self, empty: Counter[str] | None, unread: Counter[str] | None) -> str:
        """The note about some summaries without words: those that are empty, and those in another script."""
        notes = []
        if empty and empty.total():
            treatment = "scored as 0" if self.empty == "zero" else "treated as missing"
            notes.append(f"{self._describe(empty, 'empty summary', 'empty summaries')} {treatment}")
        if unread and unread.total():
            summaries = self._describe(unread, "summary", "summaries", " without letters a–z")
            notes.append(f"{summaries} scored as 0 (tokens=unicode reads every script)")
        return together(*notes) if notes else ""

    def count_dropped(self, name: str) -> int:
        """How many empty summaries have no value of a measure because they are treated as missing."""
        if self.empty == "zero":
            return 0
        return sum(self.counts.get((name, "empty"), Counter[str]()).values())

    def _describe(self, by_summarizer: Counter[str], singular: str, plural: str, lacking: str = "") -> str:
        """`2 empty summaries of B are`; without counts, `some empty summaries are`."""
        if not self.are_counted:
            return f"some {plural}{lacking} are"
        total = sum(by_summarizer.values())
        verb = "is" if total == 1 else "are"
        return f"{counted(total, singular, plural)} of {listed(list(by_summarizer))}{lacking} {verb}"


# From values to a score table


@dataclass
class ScoreCollector:
    """The values of a run, as they are found, and what is to be known of them; they become a score table."""

    requested: dict[Measure, Statistics]
    seed: int
    keep_counts: bool = False
    topics: int = 0
    peers: int = 0
    excluded: set[str] = field(default_factory=set)
    """Summarizers that were left out and had summaries."""
    names: dict[str, str] = field(default_factory=dict)
    kinds: dict[str, Kind] = field(default_factory=dict)
    frames: list[pl.DataFrame] = field(default_factory=list)
    counts: list[pl.DataFrame] = field(default_factory=lambda: [pl.DataFrame(schema=COUNT_COLUMNS)])
    statistics: dict[Measure, dict[str, None]] = field(default_factory=dict)
    """By measure, the statistics that it turned out to have."""
    higher_is_better: dict[str, bool | None] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)
    skipped_words: Counter[str] = field(default_factory=Counter)
    skipped_why: dict[str, str] = field(default_factory=dict)
    zeros: ZeroCounts = field(default_factory=ZeroCounts)
    run_names: dict[str, tuple[str, str]] = field(default_factory=dict)
    """By the name of an output of a system with several runs, the system and the run."""
    imported_runs: list[pl.DataFrame] = field(default_factory=list)
    """The scores of runs behind scores of other programs."""
    notes_on_all: dict[str, str] = field(default_factory=dict)
    """By measure whose note says something that depends on which summarizers are there: the note without it."""
    losses: dict[bool, LetterLosses] = field(default_factory=dict)
    """What measures that read a–z only drop of the texts: those that read documents (True), and the others."""

    def add(self, measure: Measure, rows: Rows, keys: pl.DataFrame, simulated: str, wordless: Wordless) -> None:
        """Take the values of one measure.

        Args:
            measure: one of those that were requested.
            rows: its values.
            keys: the topic and summarizer of each row. Names are kept as these are: as categories, or as strings,
                which go to a file sooner.
            simulated: what of the data a program made up.
            wordless: the summaries without words, which are scored as 0.
        """
        statistics = self.requested[measure]
        self.statistics.setdefault(measure, {}).update(dict.fromkeys(rows.statistics))
        for column, statistic in enumerate(rows.statistics):
            if statistics is None or statistic in statistics:
                self._add_statistic(measure, rows, column, keys, simulated, wordless)
        if self.keep_counts and rows.counts is not None:
            self._add_counts(measure, self._drop_empty(measure, rows.counts, keys, wordless), keys)

    def _drop_empty(self, measure: Measure, values: Floats, keys: pl.DataFrame, wordless: Wordless) -> Floats:
        """The values without those of empty summaries, which become NaN, if such summaries are missing."""
        empty_keys = [key for key, reason in wordless.items() if reason == "empty"]
        if self.zeros.empty == "zero" or not empty_keys or not compares_texts(measure):
            return values
        empty = pl.DataFrame(empty_keys, schema={"topic": pl.String, "summarizer": pl.String}, orient="row")
        ids = keys.select("topic", "summarizer").cast(pl.String).with_row_index("row")
        kept = values.copy()
        kept[ids.join(empty, on=["topic", "summarizer"], how="semi")["row"].to_numpy()] = np.nan
        return kept

    def _add_statistic(
        self, measure: Measure, rows: Rows, column: int, keys: pl.DataFrame, simulated: str, wordless: Wordless
    ) -> None:
        statistic = rows.statistics[column]
        values = rows.values[:, column]
        name = measure.name(statistic)
        facts = rows.facts.get(statistic, StatisticFacts())
        self.higher_is_better[name] = measure.higher_is_better and facts.higher_is_better
        self.skipped_words[name] += facts.skipped
        self.skipped_why[name] = facts.skipped_why
        if facts.lacking:
            message = f"{name} has no value for some summaries: {facts.lacking}"
            warnings.warn(message, MeasureWarning, stacklevel=3)
        if wordless:
            # Only zeros are looked up, and only if some summary lacks words: tables of millions of rows have few of
            # them.
            zeros = keys.filter(pl.Series(values == 0)).select("topic", "summarizer")
            self.zeros.add(measure, name, zeros.iter_rows(), wordless, self.run_names)
            values = self._drop_empty(measure, values, keys, wordless)
        self._note(name, simulated_note(measure, simulated), facts.note)
        dtype = keys.schema["topic"]
        scores = keys.select(
            pl.lit(name, dtype).alias("measure"),
            pl.all(),
            pl.Series("value", values),
            self._signatures(measure, rows, column).cast(dtype),
        )
        # A value that is missing gives no row, rather than a row with NaN: tables of scores have no holes to average
        # over.
        self.frames.append(scores.filter(pl.col("value").is_not_nan()))

    def _add_counts(self, measure: Measure, counts: Floats, keys: pl.DataFrame) -> None:
        dtype = keys.schema["topic"]
        columns = pl.DataFrame(counts, schema=list(COUNT_COLUMNS)[-3:])
        block = keys.select(pl.lit(measure.name(), dtype).alias("measure"), pl.all(), *columns)
        self.counts.append(block.filter(pl.col("hits").is_not_nan()))

    def _note(self, name: str, *notes: str) -> None:
        """Keep what a reader of the values of a measure must know, also about words and summaries that do not count."""
        skipped = _skipped_note(self.skipped_words[name], self.skipped_why[name])
        zeros = self.zeros.note(name)
        if note := together(*notes, skipped, zeros):
            self.notes[name] = note
        if zeros:
            self.notes_on_all[name] = together(*notes, skipped)

    def _signatures(self, measure: Measure, rows: Rows, column: int) -> pl.Series:
        """The signature of each value: the one that came with it, else the measure's."""
        statistic = rows.statistics[column]
        # A signature names the number of models, and there are few different ones: each is written out once.
        model_counts, places = np.unique(rows.models, return_inverse=True)
        distinct = [measure.signature(statistic, models=int(count), seed=self.seed) for count in model_counts]
        computed = pl.Series("signature", distinct, dtype=pl.String).gather(places)
        if rows.signatures is None:
            return computed
        imported = pl.Series("signature", [row[column] for row in rows.signatures], dtype=pl.String)
        # Scores of other programs come with signatures of their own; an empty one says that ours applies.
        return computed.zip_with(imported == "", imported)

    def add_imported(self, imported: ScoreTable, measures: Iterable[Measure]) -> None:
        """Take what is known of the scores of other programs: their runs, and notes that leave these out.

        Args:
            imported: the scores of a campaign.
            measures: those that are scored.
        """
        for measure in measures:
            if isinstance(measure, Imported):
                self.imported_runs += runs_of_imported(imported, [measure])
                self.notes_on_all |= {measure.name(name): note for name, note in imported.notes_on_all.items()}

    def add_losses(self, topics: Sequence[TopicData]) -> None:
        """Count the letters of topics that the requested measures drop."""
        for documents in {reads_documents(measure) for measure in self.requested if drops_letters(measure)}:
            losses = losses_of_topics(topics, documents=documents)
            self.losses[documents] = self.losses.get(documents, LetterLosses()) + losses

    def _report_losses(self) -> None:
        """Note dropped letters next to the scores that they bear on.

        Raises:
            UsageError: if texts are in a script that measures can't read.
        """
        for documents, losses in self.losses.items():
            dropping = [measure for measure in self.requested if drops_letters(measure)]
            concerned = [measure for measure in dropping if reads_documents(measure) == documents]
            if not report_losses(concerned, losses):
                continue
            names = [measure.name(statistic) for measure in concerned for statistic in self.statistics.get(measure, ())]
            for name in names:
                if name in self.notes_on_all:
                    self.notes_on_all[name] = together(self.notes_on_all[name], UNREAD_NOTE)
                self.notes[name] = together(self.notes.get(name, ""), UNREAD_NOTE)

    @property
    def frame(self) -> pl.DataFrame:
        """All scores."""
        return pl.concat(self.frames) if self.frames else pl.DataFrame(schema=COLUMNS)

    def table(self) -> ScoreTable:
        """All scores as a score table.

        Raises:
            UsageError: if a statistic was requested that occurs nowhere.
        """
        frame = self.frame
        run_scores: list[pl.DataFrame] = list(self.imported_runs)
        self._report_losses()
        notes, notes_on_all = dict(self.notes), dict(self.notes_on_all)
        if self.run_names:
            frame, scores_of_outputs, notes_on_runs = average_runs(split_runs(frame, self.run_names))
            if scores_of_outputs is not None:
                answers: set[str] = set()
                for measure in filter(rests_on_answers, self.statistics):
                    answers.update(map(measure.name, self.statistics[measure]))
                run_scores.append(scores_of_outputs.filter(~pl.col("measure").is_in(answers)))
            for name, note in notes_on_runs.items():
                notes_on_all.setdefault(name, notes.get(name, ""))
                notes[name] = together(notes.get(name, ""), note)
        notes_on_each = {name: self.zeros.note_on_each(name) for name in notes_on_all}
        row_counts = {str(name): count for name, count in frame.group_by("measure").len().iter_rows()}
        self._require_known_statistics(row_counts)
        counts = None
        rules = {}
        if self.keep_counts:
            counts = pl.concat(self.counts)
            if self.run_names:
                counts = average_counts(split_runs(counts, self.run_names))
            overlap = [measure for measure in self.requested if isinstance(measure, OverlapMeasure | RougeScore)]
            rules = {measure.name(): measure.micro_rule for measure in overlap}
        return ScoreTable(
            frame=frame,
            higher_is_better={name: good for name, good in self.higher_is_better.items() if name in row_counts},
            unscored=self._count_unscored(row_counts),
            notes={name: note for name, note in notes.items() if name in row_counts},
            notes_on_all={name: note for name, note in notes_on_all.items() if name in row_counts},
            notes_on_each={name: each for name, each in notes_on_each.items() if each and name in row_counts},
            names=self.names,
            kinds=self.kinds,
            topic_count=self.topics,
            counts=counts,
            run_scores=pl.concat(run_scores) if run_scores else None,
            rules=rules,
        )

    def _count_unscored(self, row_counts: Mapping[str, int]) -> dict[str, int]:
        """By column, how many summaries have no value in it; those where none lacks are left out."""
        unscored = {}
        for measure, requested in self.requested.items():
            # Questions and imported columns are statistics that only the data knows.
            statistics = requested or measure.statistics or self.statistics.get(measure, {})
            for statistic in statistics:
                name = measure.name(statistic)
                missing = self.peers - row_counts.get(name, 0) - self.zeros.count_dropped(name)
                if missing > 0:
                    unscored[name] = missing
        return unscored

    def _require_known_statistics(self, row_counts: Mapping[str, int]) -> None:
        """Refuse a question or column that occurs nowhere, while others do: it is misspelt.

        Raises:
            UsageError: with a name that is like it.
        """
        for measure, requested in self.requested.items():
            present = self.statistics.get(measure, {})
            for statistic in requested or ():
                is_absent = statistic not in present and measure.name(statistic) not in row_counts
                if present and is_absent:
                    hint = did_you_mean(statistic, present)
                    raise UsageError(f"{measure.base} has no {statistic!r} here{hint} it has: {', '.join(present)}")


def _skipped_note(words: int, why: str) -> str:
    """The note about words that no value counts, and what they have in common; "" if there are none."""
    return f"skipped {counted(words, 'word')} that {why}" if words else ""


def simulated_note(measure: Measure, simulated: str) -> str:
    """The note about values that come from simulated data; texts bear on every measure."""
    needed = {"texts", *measure.required}
    touched = [part for part in map(str.strip, simulated.split(",")) if part in needed]
    return f"simulated {' and '.join(touched)}" if touched else ""


def requested_statistics(selections: Iterable[Selection]) -> dict[Measure, Statistics]:
    """Each measure once, with the statistics that are asked for."""
    requested: dict[Measure, Statistics] = {}
    for selection in selections:
        statistics = requested.get(selection.measure, set())
        # None stands for all statistics: whoever asks for all of them gets all, whatever else is asked for.
        if statistics is None or selection.statistic is None:
            requested[selection.measure] = None
        else:
            requested[selection.measure] = statistics | {selection.statistic}
    return requested


def require_excluded(exclude: Sequence[str], collector: ScoreCollector) -> None:
    """Refuse to leave out a summarizer that has no summaries: the name is probably misspelt.

    Raises:
        UsageError: with a name that is like it.
    """
    absent = [name for name in exclude if name not in collector.excluded]
    if absent:
        hint = did_you_mean(absent[0], collector.frame["summarizer"].unique().cast(pl.String))
        raise UsageError(
            f"{mention('exclude', absent[0])}: no summarizer of that name was to be scored{hint} check the spelling"
        )


def require_topics(where: Mapping[str, str], collector: ScoreCollector) -> None:
    """Refuse conditions that no topic meets.

    Raises:
        UsageError: with the conditions.
    """
    if where and not collector.topics:
        conditions = ", ".join(f"{key}={value}" for key, value in where.items())
        raise UsageError(f"no topic has {conditions}; `pyramidion describe` lists the attributes of topics")


# By columns


@dataclass(frozen=True, eq=False)
class ColumnScores:
    """The scores of one measure on a table of texts, each summary against the references in its row."""

    statistics: tuple[str, ...]
    values: Floats
    """Summaries × statistics; NaN where a row has no summary or no reference."""
    counts: Floats | None
    """Summaries × (hits, model count, peer count), as `score --average micro` adds them up."""
    models: np.ndarray[Any, np.dtype[np.int64]]
    """Per summary, the number of references that the values rest on."""


def why_not_columns(measure: Measure) -> str:
    """Why `score_text_columns` can't compute a measure; "" if it can."""
    if isinstance(measure, Rouge | RougeScore):
        return measure.column_problem()
    return "only ROUGE is computed from a summary and its references alone"


def require_column_measures(measures: Sequence[Measure]) -> None:
    """Refuse measures that can't be computed from columns of texts.

    Raises:
        UsageError: with the reason.
    """
    for measure in measures:
        problem = why_not_columns(measure)
        if problem:
            raise UsageError(f"{measure.name()}: {problem}; use pyramidion.score")


def score_text_columns(
    texts: TextTable, measures: Sequence[Measure], *, threads: int | None = None
) -> dict[Measure, ColumnScores]:
    """Score each summary of a table against the references in its row.

    Args:
        texts: the columns, such as `TextTable(frame)`.
        measures: of ROUGE, each of those for which `why_not_columns` has no answer.
        threads: how many threads share the work; by default as many as there are processors.

    Raises:
        UsageError: if a measure can't be computed from columns.
        InputError: if the data is not what its type says.
    """
    require_column_measures(measures)
    families: dict[type[Measure], list[Measure]] = grouped(measures, type)
    blocks: dict[Measure, ColumnBlock] = {}
    for family, members in families.items():
        gathered = cast("type[Rouge]", family).gather_columns(cast("list[Rouge]", members), texts, threads=threads)
        blocks |= dict(zip(members, gathered, strict=True))
    scores = {}
    for measure in measures:
        reduced = _reduce_columns(measure, blocks[measure])
        scores[measure] = ColumnScores(measure.statistics or (), reduced.values, reduced.counts, reduced.models)
    return scores


def _reduce_columns(measure: Measure, block: ColumnBlock) -> Reduced:
    """The values of all summaries: in one pass where sums suffice, or where there is nothing to choose."""
    if not getattr(measure, "jackknife", False) and block.needs_one_pass:
        return block.pooled()
    return block.reduced(lambda evidence: measure.reduce(evidence, topic="", seed=0))


def can_score_columns(selections: Sequence[Selection], peers: PeerChoice) -> bool:
    """Whether measures can be computed from columns.

    These are ROUGE, scores that came with the summaries, and measures that no table of columns has anything for.

    Args:
        selections: the measures.
        peers: whose summaries are scored. The jackknife treats humans otherwise than systems, which columns don't know.
    """
    has_jackknife = any(getattr(selection.measure, "jackknife", False) for selection in selections)
    # A human is compared with one model fewer than a system, and meets the others only.
    if has_jackknife and "human" in KINDS[peers]:
        return False
    return all(_can_score_columns(selection.measure) for selection in selections)


def _can_score_columns(measure: Measure) -> bool:
    return isinstance(measure, Imported) or _needs_people(measure) or not why_not_columns(measure)


def _needs_people(measure: Measure) -> bool:
    """Whether a measure rests on pyramids or judgments: tables that have them are not read by columns."""
    return not measure.required.isdisjoint({"pyramid", "judgments"})


def score_batches(
    batches: Iterable[SummaryBatch],
    selections: Sequence[Selection],
    *,
    seed: int,
    peers: PeerChoice = "systems",
    where: Mapping[str, str] | None = None,
    exclude: Sequence[str] = (),
    keep_counts: bool = False,
    progress: Progress | None = None,
    join_scores: Callable[[Campaign], Campaign] | None = None,
    when_read: Callable[[], None] | None = None,
    is_part: bool = False,
    empty: EmptyTreatment = "zero",
) -> ScoreTable:
    """Score summaries that are columns; the scores come topic by topic, as those of a campaign do.

    Args:
        batches: all rows of one campaign.
        selections: what is scored, such that `can_score_columns`.
        seed: is part of signatures.
        peers: whose summaries are scored.
        where: what topics must be like.
        exclude: summarizers that are left out.
        keep_counts: whether to keep the counts of overlap measures, for micro averages.
        progress: called with the number of summaries done since the last call.
        join_scores: gives the summaries, without their texts, the scores of other files.
        when_read: called when all batches have been read, before anything is concluded from them.
        is_part: whether the rows are a part of a longer run: notes then have no counts.
        empty: whether empty summaries have the score 0 or none.

    Raises:
        NeedsRowsError: if the kernels refuse a text; the message names it where rows are scored one by one.
    """
    requested = requested_statistics(selections)
    computed = [measure for measure in requested if not why_not_columns(measure)]
    choice = _SummaryChoice(peers, where or {}, exclude)
    keys = SummaryKeys()
    parts: list[_ScoredBatch] = []
    for batch in batches:
        if join_scores:
            # Scores of other files are joined by topic and summarizer at the end, without keeping the texts until
            # then.
            keys.add(batch)
        for part in choice.add_references(batch):
            scored_part = _score_batch(part, computed, choice, keep_counts=keep_counts)
            parts.append(scored_part)
            if progress:
                progress(scored_part.summaries.height)
    joined = join_scores(keys.campaign()) if join_scores else None
    if when_read:
        when_read()
    scored = _ScoredBatch.join(parts)
    collector = ScoreCollector(
        requested,
        seed,
        keep_counts,
        topics=len(scored.topics),
        peers=scored.summaries.height,
        excluded=scored.excluded,
        kinds=scored.kinds,
        zeros=ZeroCounts(empty=empty, are_counted=not is_part),
        losses={False: scored.losses},
    )
    scored = scored.in_order_of_topics()
    ids = scored.summaries.select("topic", "summarizer").cast(pl.Categorical)
    simulated = join_marks(scored.simulated)
    for measure in requested:
        if isinstance(measure, Imported) and joined is not None:
            collector.add_imported(joined.imported, [measure])
            topics = _exclude_summarizers(joined.where(where or {}).each_topic(peers=peers), exclude, set())
            for group in group_topics(topics):
                _score_topics(group, [measure], gather, simulated, collector)
        elif not _needs_people(measure):
            collector.add(measure, scored.rows_of(measure), ids, simulated, scored.wordless)
    if not is_part:
        require_excluded(exclude, collector)
        require_topics(where or {}, collector)
    return collector.table()


@dataclass(frozen=True)
class _SummaryChoice:
    """Which summaries of a table are scored."""

    peers: PeerChoice
    where: Mapping[str, str]
    exclude: Sequence[str]
    earlier_topics: set[str] = field(default_factory=set)
    """Topics whose references have become summaries of humans."""

    def add_references(self, batch: SummaryBatch) -> list[SummaryBatch]:
        """The batch, after its references as summaries of humans, if these are scored."""
        if "human" not in KINDS[self.peers]:
            return [batch]
        return [references_as_peers(batch, self.earlier_topics), batch]

    def filter_topics(self, rows: pl.DataFrame) -> pl.DataFrame:
        """The rows whose topics meet the conditions: a table says nothing of its topics but their ids."""
        if not self.where:
            return rows
        # Attributes of topics are in a campaign's topics.jsonl only: no row of a table has any.
        if {*self.where} != {"topic"}:
            return rows.clear()
        return rows.filter(pl.col("topic") == self.where["topic"])

    def filter_writers(self, rows: pl.DataFrame, kind: Kind) -> pl.DataFrame:
        """The rows, if those of a kind of summarizer are scored."""
        return rows if kind in KINDS[self.peers] else rows.clear()


@dataclass(frozen=True, eq=False)
class _ScoredBatch:
    """The scores of some summaries, and what is to be known of them."""

    summaries: pl.DataFrame
    """Topic and summarizer of each summary, and the scores that came with it: a column for each measure."""
    scores: Mapping[Measure, ColumnScores]
    wordless: Wordless
    excluded: set[str]
    losses: LetterLosses = LetterLosses()
    """What measures that read a–z only drop of the texts."""
    topics: Mapping[str, None] = field(default_factory=dict)
    """All topics, also those without a summary."""
    kinds: dict[str, Kind] = field(default_factory=dict)
    simulated: Sequence[str] = ()

    @classmethod
    def join(cls, parts: Sequence[_ScoredBatch]) -> _ScoredBatch:
        """All parts in one."""
        if len(parts) == 1:
            return parts[0]
        measures = list(parts[0].scores) if parts else []
        topics: dict[str, None] = {}
        kinds: dict[str, Kind] = {}
        wordless: dict[tuple[str, str], WordlessReason] = {}
        losses = LetterLosses()
        for part in parts:
            losses += part.losses
            topics.update(part.topics)
            kinds.update(part.kinds)
            wordless.update(part.wordless)
        return cls(
            summaries=pl.concat([_NO_SUMMARIES, *(part.summaries for part in parts)], how="diagonal"),
            scores={measure: _join_scores([part.scores[measure] for part in parts]) for measure in measures},
            topics=topics,
            kinds=_humans_first(kinds),
            simulated=[mark for part in parts for mark in part.simulated],
            wordless=wordless,
            losses=losses,
            excluded=set().union(*(part.excluded for part in parts)),
        )

    def in_order_of_topics(self) -> _ScoredBatch:
        """The batch with the summaries of each topic together, in the order in which topics first occur."""
        # Rows of a file may come in any order; those of a campaign come topic by topic, and both must give the same
        # table.
        topics = pl.DataFrame({"topic": list(self.topics)}, schema={"topic": TEXT}).with_row_index("place")
        rows = self.summaries.select("topic", row=pl.int_range(pl.len()))
        rows = rows.join(topics, on="topic", how="left", maintain_order="left")
        # The usual file has its topics together: then nothing is copied.
        if rows["place"].is_sorted():
            return self
        order = rows.sort("place", maintain_order=True)["row"]
        return replace(
            self,
            summaries=self.summaries[order],
            scores={measure: _reorder(scores, order) for measure, scores in self.scores.items()},
        )

    def rows_of(self, measure: Measure) -> Rows:
        """The values of a measure, computed or imported; no rows if nothing was scored."""
        if isinstance(measure, Imported):
            return self._imported_rows()
        scores = self.scores.get(measure)
        if scores is None:
            no_values = np.zeros((0, len(measure.statistics or ())))
            return Rows(np.arange(0), (), np.zeros(0, dtype=np.int64), measure.statistics or (), no_values)
        return Rows(np.arange(len(scores.values)), (), scores.models, scores.statistics, scores.values, scores.counts)

    def _imported_rows(self) -> Rows:
        """The scores that came with the summaries, in the order in which they come; NaN where there is none."""
        height = self.summaries.height
        first_rows = {}
        for column in self.summaries.drop(_NO_SUMMARIES.columns).get_columns():
            first_row = column.is_not_null().arg_max()
            if column.null_count() < height:  # a column without scores is no measure
                first_rows[column.name] = first_row or 0
        names = sorted(first_rows, key=lambda name: first_rows[name])
        values = np.zeros((height, 0))
        if names:
            # `exactly`, because Polars reads a column name such as ^score.*$ as a regular expression.
            values = self.summaries.select(exactly(*names)).fill_null(np.nan).to_numpy()
        return Rows(np.arange(height), (), np.zeros(height, dtype=np.int64), tuple(names), values)


_NO_SUMMARIES = pl.DataFrame(schema={"topic": TEXT, "summarizer": TEXT})


def _humans_first(kinds: Mapping[str, Kind]) -> dict[str, Kind]:
    """The kinds of summarizers, those of references first: a campaign names its models before its peers."""
    humans = {name: kind for name, kind in kinds.items() if kind == "human"}
    return humans | dict(kinds)


def _join_scores(parts: Sequence[ColumnScores]) -> ColumnScores:
    counts = [part.counts for part in parts if part.counts is not None]
    has_all_counts = len(counts) == len(parts)
    return ColumnScores(
        parts[0].statistics,
        np.concatenate([part.values for part in parts]),
        np.concatenate(counts) if has_all_counts else None,
        np.concatenate([part.models for part in parts]),
    )


def _reorder(scores: ColumnScores, order: pl.Series) -> ColumnScores:
    places = order.to_numpy()
    counts = None if scores.counts is None else scores.counts[places]
    return replace(scores, values=scores.values[places], counts=counts, models=scores.models[places])


def _score_batch(
    batch: SummaryBatch, measures: Sequence[Measure], choice: _SummaryChoice, *, keep_counts: bool
) -> _ScoredBatch:
    frame = batch.frame
    written = frame.filter(pl.col("summary").is_not_null()) if frame["summary"].null_count() else frame
    summaries = choice.filter_topics(choice.filter_writers(written, batch.kind))
    excluded = {*summaries["summarizer"].unique()}.intersection(choice.exclude)
    if excluded:
        summaries = summaries.filter(~pl.col("summarizer").is_in(list(excluded)))
    try:
        scores = _score_texts(summaries, measures) if measures else {}
    except InputError:  # the row path names the texts that the kernels refuse
        raise NeedsRowsError from None
    if not keep_counts:
        scores = {measure: replace(columns, counts=None) for measure, columns in scores.items()}
    scored = _ScoredBatch(
        summaries=summaries[["topic", "summarizer", *batch.imported_columns]],
        scores=scores,
        wordless=_find_wordless_rows(summaries),
        excluded=excluded,
        losses=_find_losses(summaries, measures),
    )
    if batch.kind == "human":  # the rows that the references are from say the rest
        return scored
    return replace(
        scored,
        topics=dict.fromkeys(choice.filter_topics(frame)["topic"].unique(maintain_order=True)),
        kinds=_kinds(frame, written["summarizer"].unique(maintain_order=True)),
        simulated=frame["simulated"].unique(maintain_order=True).to_list(),
    )


def _score_texts(summaries: pl.DataFrame, measures: Sequence[Measure]) -> dict[Measure, ColumnScores]:
    """The scores of summaries; one without references has none, and its text is not looked at."""
    has_references = summaries["references"].list.len() > 0
    if has_references.all():
        return score_text_columns(TextTable(summaries.select("summary", "references")), measures)
    compared = summaries.filter(has_references).select("summary", "references")
    places = has_references.to_numpy()
    scores = score_text_columns(TextTable(compared), measures)
    return {measure: _spread(columns, places) for measure, columns in scores.items()}


def _find_losses(summaries: pl.DataFrame, measures: Sequence[Measure]) -> LetterLosses:
    """What measures that read a–z only drop of summaries that have references, and of these."""
    if not any(map(drops_letters, measures)):
        return LetterLosses()
    return losses_of_columns(summaries.filter(pl.col("references").list.len() > 0))


def _spread(scores: ColumnScores, places: Bools) -> ColumnScores:
    """The scores of some summaries as those of all; NaN where there is none."""
    values = np.full((len(places), scores.values.shape[1]), np.nan)
    values[places] = scores.values
    models = np.zeros(len(places), dtype=np.int64)
    models[places] = scores.models
    counts = None
    if scores.counts is not None:
        counts = np.full((len(places), scores.counts.shape[1]), np.nan)
        counts[places] = scores.counts
    return ColumnScores(scores.statistics, values, counts, models)


def _kinds(frame: pl.DataFrame, summarizers: Iterable[str]) -> dict[str, Kind]:
    """Who wrote the texts: references are by humans, as far as is known."""
    longest = frame["references"].list.len().max()
    references = range(1, int(str(longest or 0)) + 1)
    kinds: dict[str, Kind] = {f"ref{number}": "human" for number in references}
    return kinds | dict.fromkeys(summarizers, "participant")


def _find_wordless_rows(summaries: pl.DataFrame) -> Wordless:
    """The summaries without words; only those without a letter of a–z are looked at one by one."""
    text = pl.col("summary") if summaries.schema["summary"] == TEXT else pl.col("summary").list.join("\n")
    suspects = summaries.select("topic", "summarizer", text=text).filter(~pl.col("text").str.contains("[A-Za-z0-9]"))
    reasons = {}
    for topic, summarizer, suspect in suspects.iter_rows():
        reason = why_wordless(suspect)
        if reason:
            reasons[topic, summarizer] = reason
    return reasons


# Topic by topic

GROUP_PEERS = 4096
"""Summaries of topics that are scored together."""


def score_shards(
    shards: Iterable[Campaign],
    selections: Sequence[Selection],
    *,
    peers: PeerChoice = "systems",
    where: Mapping[str, str] | None = None,
    exclude: Sequence[str] = (),
    known: Known = NOTHING_KNOWN,
    seed: int = 0,
    keep_counts: bool = False,
    progress: Progress | None = None,
    when_read: Callable[[], None] | None = None,
    gather: Gather = gather,
    is_part: bool = False,
    empty: EmptyTreatment = "zero",
) -> ScoreTable:
    """Score every peer of every shard, topic by topic; only values are kept, and counts if asked for.

    Args:
        shards: a campaign, whole or in pieces.
        selections: what is scored.
        peers: whose summaries are scored.
        where: what topics must be like.
        exclude: summarizers that are left out.
        known: measures that derived ones may name (see `select`).
        seed: of measures that draw.
        keep_counts: whether to keep the counts of overlap measures, for micro averages.
        progress: called with the number of summaries done since the last call.
        when_read: called when all shards have been read, before anything is concluded from them: there the data's own
            errors are raised.
        gather: makes the evidence of each group of topics; whoever needs it later passes one that keeps it.
        is_part: whether the shards are a part of a longer run: notes then have no counts, because those of all parts
            are put together.
        empty: whether empty summaries have the score 0 or none.
    """
    known = {**known, **known_measures(selections)}
    derived = [selection.measure for selection in selections if isinstance(selection.measure, Derived)]
    direct = [selection for selection in selections if not isinstance(selection.measure, Derived)]
    inner, needed = dependencies(derived, known=known) if derived else ([], [])
    requested = requested_statistics([*direct, *needed])
    collector = ScoreCollector(requested, seed, keep_counts, zeros=ZeroCounts(empty=empty, are_counted=not is_part))
    for shard in shards:
        collector.add_imported(shard.imported, requested)
        collector.names |= {id: summarizer.name for id, summarizer in shard.summarizers.items() if summarizer.name}
        collector.kinds |= {id: shard.kind_of(id) for id in shard.summarizer_ids}
        chosen = shard.where(where or {})
        collector.topics += len(set(chosen.topic_ids) - chosen.continued)
        scored_topics = _exclude_summarizers(chosen.each_topic(peers=peers), exclude, collector.excluded)
        for topics in group_topics(scored_topics):
            _score_topics(topics, list(requested), gather, shard.simulated, collector)
            collector.add_losses(topics)
            count = sum(len(topic.peer_ids) for topic in topics)
            collector.peers += count
            if progress:
                progress(count)
    if when_read:
        when_read()
    require_excluded(exclude, collector)
    require_topics(where or {}, collector)
    table = collector.table()
    if not derived:
        return table
    asked = requested_statistics(direct)
    # What was scored only for a derived measure does not become a column of the user's table.
    aside = {selection.name for selection in needed if not _is_asked(selection, asked)}
    aside |= {measure.name() for measure in inner if measure not in derived}
    table = add_derived(table, derived, known=known)
    kept = table.only(name for name in table.measures if name not in aside)
    return replace(kept, unscored={name: count for name, count in table.unscored.items() if name not in aside})


def _score_topics(
    topics: Sequence[TopicData],
    measures: Sequence[Measure],
    gather: Gather,
    simulated: str,
    collector: ScoreCollector,
) -> None:
    """Have the collector take the values of measures on some topics."""
    ids = pl.Series([topic.topic.topic for topic in topics], dtype=pl.String)
    wordless = find_wordless(topics)
    for topic in topics:
        if topic.has_runs:
            collector.run_names |= name_outputs(topic)
    for measure, evidence in gather(measures, topics).items():
        rows = measure.rows(evidence, topics, seed=collector.seed)
        keys = {"topic": ids.gather(rows.topics), "summarizer": pl.Series(rows.peers, dtype=pl.String)}
        collector.add(measure, rows, pl.DataFrame(keys).cast(pl.Categorical), simulated, wordless)


def runs_of_imported(imported: ScoreTable, measures: Iterable[Measure]) -> list[pl.DataFrame]:
    """The scores of runs behind scores of other programs, under the names that measures have in tables.

    Args:
        imported: the scores of a campaign.
        measures: those that are scored.
    """
    if imported.run_scores is None:
        return []
    runs = imported.run_scores
    frames: list[pl.DataFrame] = []
    for measure in measures:
        if isinstance(measure, Imported):
            names = {name: measure.name(name) for name in runs["measure"].unique()}
            frames.append(select_run_columns(runs.with_columns(pl.col("measure").replace(names))))
    return frames


def _exclude_summarizers(
    topics: Iterable[TopicData], exclude: Sequence[str], excluded: set[str]
) -> Iterator[TopicData]:
    """The topics without the summaries of some summarizers; those that had some are added to `excluded`."""
    for topic in topics:
        absent = {*topic.peer_ids}.intersection(exclude)
        if not absent:
            yield topic
            continue
        excluded |= absent
        kept = [peer for peer in topic.peers if peer.summarizer not in absent]
        judged = [summarizer for summarizer in topic.judged_peers if summarizer not in absent]
        yield replace(topic, peers=tuple(kept), judged_peers=tuple(judged))


def _is_asked(selection: Selection, requested: Mapping[Measure, Statistics]) -> bool:
    """Whether a column is asked for itself, not only because a derived measure uses it."""
    statistics = requested.get(selection.measure, set())
    return statistics is None or selection.statistic in statistics


def group_topics(topics: Iterable[TopicData]) -> Iterator[list[TopicData]]:
    """Topics that are scored together: measures share work within a group."""
    group: list[TopicData] = []
    size = 0
    for topic in topics:
        group.append(topic)
        size += max(len(topic.peers), 1)
        if size >= GROUP_PEERS:
            yield group
            group, size = [], 0
    if group:
        yield group
