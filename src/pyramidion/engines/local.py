"""Scoring on this machine, with the kernels' own threads: summaries that are columns, or topic after topic.

Of a table whose texts are columns, the kernels read the texts where Arrow has them; no text becomes a Python object.
Tables whose rows need a second look (`NeedsRowsError`), pyramids, judgments and measures in Python are scored as
campaigns, batch after batch of topics.
"""

from __future__ import annotations

import re
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, cast

import numpy as np
import polars as pl

from pyramidion.arrays import Bools, Floats
from pyramidion.campaign import Campaign, TopicData, plain
from pyramidion.campaign.campaign import PeerChoice
from pyramidion.campaign.flat.reading import Seen, digest_of
from pyramidion.campaign.flat.tables import (
    SENTENCES,
    TEXT,
    TEXTS,
    FlatTable,
    NeedsRowsError,
    SummaryBatch,
    join_marks,
    read_batches,
)
from pyramidion.campaign.nouns import Text
from pyramidion.engines.gathering import Gather, gather
from pyramidion.errors import InputError, UsageError, did_you_mean, mention
from pyramidion.files.parquet import exactly
from pyramidion.files.problems import Problems
from pyramidion.intake.column_questions import IN_MEMORY
from pyramidion.intake.columns import SummaryColumns
from pyramidion.intake.opened import MemoryTable
from pyramidion.measures.base import Measure, MeasureWarning, Rows, StatisticFacts, grouped
from pyramidion.measures.derived import Derived
from pyramidion.measures.deriving import resting_on, with_derived
from pyramidion.measures.imported import Imported
from pyramidion.measures.overlap import OverlapMeasure, RowBlock
from pyramidion.measures.registry import NOTHING_KNOWN, Known, Selection, known_measures
from pyramidion.measures.rouge import Rouge
from pyramidion.measures.rouge_score import RougeScore
from pyramidion.scores import ScoreTable
from pyramidion.scores.evidence import Reduced
from pyramidion.scores.reading import Facts
from pyramidion.scores.table import COLUMNS, COUNT_COLUMNS, Kind
from pyramidion.scores.writing import facts_of
from pyramidion.show.wording import counted, listed, together
from pyramidion.text.overlap import TextTable

Why = Literal["empty", "script"]
"""Why a text has no words: it is empty (or only has marks), or its script is not one that ASCII tokens read."""
Wordless = Mapping[tuple[str, str], Why]
"""By topic and summarizer, why a summary has no words; those that have some are not in it."""
ASCII_TOKENS = ("rouge155", "rouge-score")
"""Tokenizers that read a–z and 0–9 only."""
_ASCII_WORD = re.compile(r"[A-Za-z0-9]")


def why_wordless(text: Text) -> Why | None:
    """Why a text has no words for a tokenizer that reads ASCII; None if it has some."""
    whole = plain(text)
    if _ASCII_WORD.search(whole):
        return None
    return "script" if any(map(str.isalnum, whole)) else "empty"


def find_wordless(topics: Iterable[TopicData]) -> Wordless:
    """The summaries of topics that have no words for a tokenizer that reads ASCII."""
    found: dict[tuple[str, str], Why] = {}
    for topic in topics:
        for peer in topic.peers:
            if why := why_wordless(peer.text):
                found[topic.topic.topic, peer.summarizer] = why
    return found


@dataclass
class Zeros:
    """How many summaries without words each measure gave 0, by reason and summarizer."""

    are_counted: bool = True
    """False: notes only say that there are such summaries, as those of the parts of a long run do."""
    counts: dict[tuple[str, Why], Counter[str]] = field(default_factory=dict)

    def add(self, measure: Measure, name: str, zeros: Iterable[tuple[str, str]], wordless: Wordless) -> None:
        """Count the zeros of a measure that come from summaries without words.

        Args:
            measure: only those that compare texts with models count; people may well have judged an empty summary.
            name: of the measure with its statistic.
            zeros: topic and summarizer of the summaries with the value 0.
            wordless: why summaries have no words.
        """
        if "models" not in measure.required or "judgments" in measure.required:
            return
        for key in zeros:
            why = wordless.get(key)
            if why == "empty" or (why == "script" and getattr(measure, "tokens", "") in ASCII_TOKENS):
                self.counts.setdefault((name, why), Counter())[key[1]] += 1

    def note(self, name: str) -> str:
        """What a reader of the values must know; nothing if no summary lacks words."""
        empty, others = self.counts.get((name, "empty")), self.counts.get((name, "script"))
        notes = []
        if empty:
            notes.append(f"{self._count(empty, 'empty summary', 'empty summaries')} scored as 0")
        if others:
            many = self._count(others, "summary", "summaries", " without letters a–z")
            notes.append(f"{many} scored as 0 (tokens=unicode reads every script)")
        return together(*notes) if notes else ""

    def _count(self, by_summarizer: Counter[str], one: str, several: str, lacking: str = "") -> str:
        """`2 empty summaries of B are`; without counts, `some empty summaries are`."""
        if not self.are_counted:
            return f"some {several}{lacking} are"
        total = sum(by_summarizer.values())
        verb = "is" if total == 1 else "are"
        return f"{counted(total, one, several)} of {listed(list(by_summarizer))}{lacking} {verb}"


@dataclass(frozen=True, eq=False)
class RowScores:
    """The scores of one measure on the rows of a table."""

    statistics: tuple[str, ...]
    values: Floats
    """Rows × statistics; NaN where a row has no summary or no reference."""
    counts: Floats | None
    """Rows × (hits, model count, peer count), as `score --average micro` adds them up."""
    models: np.ndarray[Any, np.dtype[np.int64]]
    """Per row, the number of references that the values rest on."""


def why_not_rows(measure: Measure) -> str:
    """Why `score_rows` can't compute a measure; "" if it can."""
    if isinstance(measure, Rouge | RougeScore):
        return measure.row_problem()
    return "only ROUGE is computed from a summary and its references alone"


def score_rows(
    texts: TextTable, measures: Sequence[Measure], *, threads: int | None = None
) -> dict[Measure, RowScores]:
    """Score each row of a table against its own references.

    Args:
        texts: the columns, such as `TextTable(frame)`.
        measures: of ROUGE, each of those for which `why_not_rows` has no answer.
        threads: how many threads share the work; by default as many as there are processors.

    Raises:
        UsageError: if a measure can't be computed from rows.
        InputError: if the data is not what its type says.
    """
    check_row_measures(measures)
    families: dict[type[Measure], list[Measure]] = grouped(measures, type)
    blocks: dict[Measure, RowBlock] = {}
    for family, members in families.items():
        gathered = cast("type[Rouge]", family).gather_rows(cast("list[Rouge]", members), texts, threads=threads)
        blocks |= dict(zip(members, gathered, strict=True))
    found = {}
    for measure in measures:
        reduced = _reduce_rows(measure, blocks[measure])
        found[measure] = RowScores(measure.statistics or (), reduced.values, reduced.counts, reduced.models)
    return found


def check_row_measures(measures: Sequence[Measure]) -> None:
    """Refuse measures that can't be computed from rows.

    Raises:
        UsageError: with the reason.
    """
    for measure in measures:
        if problem := why_not_rows(measure):
            raise UsageError(f"{measure.name()}: {problem}; use pyramidion.score")


def _reduce_rows(measure: Measure, block: RowBlock) -> Reduced:
    """The values of all rows: in one pass where sums suffice, or where there is nothing to choose."""
    if not getattr(measure, "jackknife", False) and block.needs_one_pass:
        return block.pooled()
    return block.reduced(lambda evidence: measure.reduce(evidence, topic="", seed=0))


def fits(schema: pl.Schema, columns: SummaryColumns, selections: Sequence[Selection]) -> bool:
    """Whether the rows of a file can be scored by columns.

    That is so for ROUGE, ids that are strings or whole numbers, and references in lists or in columns of strings. A
    summary, and a reference in a list, may be a list of its sentences.
    """
    ids = [columns.topic, *([columns.summarizer] if columns.summarizer else [])]
    references = {schema.get(name) for name in columns.references}
    return (
        not columns.systems
        and not columns.integral
        and all(name is not None and _is_of_ids(schema.get(name)) for name in ids)
        and schema.get(columns.summary) in (TEXT, TEXTS)
        and (references == {TEXT} or (references <= {TEXTS, SENTENCES} and len(columns.references) == 1))
        and not any(why_not_rows(one.measure) for one in selections)
    )


def _is_of_ids(dtype: pl.DataType | None) -> bool:
    return dtype is not None and (dtype == TEXT or dtype.is_integer())


def needed(columns: SummaryColumns, schema: Sequence[str]) -> list[str]:
    """The columns that are read; documents, which can be long, are not among them."""
    names = [columns.topic, columns.summarizer, columns.summary, *columns.references, "simulated"]
    return list(dict.fromkeys(name for name in names if name in schema and name is not None))


def score_columns(
    frame: pl.DataFrame,
    columns: SummaryColumns,
    selections: Sequence[Selection],
    seen: Seen,
    *,
    seed: int,
    exclude: Sequence[str],
) -> tuple[pl.DataFrame, Facts, int] | None:
    """The scores of a shard in long form, what is to be known of them, and how many summaries were scored.

    None if the rows of the shard have to be read one by one.
    """
    shard = FlatTable(Path(IN_MEMORY), columns, opened=MemoryTable(frame))
    try:
        batches = list(read_batches([shard], Problems()))
        table = score_batches(batches, selections, seed=seed, exclude=exclude, is_part=True)
    except NeedsRowsError:
        return None
    for batch in batches:
        _remember(batch.frame, seen)
    summaries = sum(batch.frame.filter(_is_scored(exclude)).height for batch in batches)
    return table.to_polars(), facts_of(table), summaries


def _is_scored(exclude: Sequence[str]) -> pl.Expr:
    return pl.col("summary").is_not_null() & ~pl.col("summarizer").is_in(list(exclude))


def _remember(rows: pl.DataFrame, seen: Seen) -> None:
    """Note the digests by which the rows are compared with those of other shards."""
    for number, key in enumerate(rows.select("topic", "summarizer").rows()):
        seen.keys[digest_of(key)] = number
    first = rows.unique("topic", keep="first", maintain_order=True)
    for topic, references in first.select("topic", "references").iter_rows():
        seen.topics[topic] = (0, digest_of((references, ())))


def can_score_batches(selections: Sequence[Selection]) -> bool:
    """Whether measures can be computed from columns.

    These are ROUGE, scores that came with the summaries, and measures that no table of columns has anything for.
    """
    return all(_fits_columns(selection.measure) for selection in selections)


def _fits_columns(measure: Measure) -> bool:
    return isinstance(measure, Imported) or _needs_people(measure) or not why_not_rows(measure)


def _needs_people(measure: Measure) -> bool:
    """Whether a measure rests on pyramids or judgments: tables that have them are not read by columns."""
    return not measure.required.isdisjoint({"pyramid", "judgments"})


def score_batches(
    batches: Iterable[SummaryBatch],
    selections: Sequence[Selection],
    *,
    seed: int,
    exclude: Sequence[str] = (),
    keep_counts: bool = False,
    progress: Progress | None = None,
    is_part: bool = False,
) -> ScoreTable:
    """Score summaries that are columns; the scores come topic by topic, as those of a campaign do.

    Args:
        batches: all rows of one campaign.
        selections: what is scored, such that `can_score_batches`.
        seed: is part of signatures.
        exclude: summarizers that are left out.
        keep_counts: whether to keep the counts of overlap measures, for micro averages.
        progress: called with the number of summaries done since the last call.
        is_part: whether the rows are a part of a longer run: notes then have no counts.

    Raises:
        NeedsRowsError: if the kernels refuse a text; the message names it where rows are scored one by one.
    """
    wanted = wanted_of(selections)
    measures = [measure for measure in wanted if not (isinstance(measure, Imported) or _needs_people(measure))]
    parts: list[_ScoredBatch] = []
    for batch in batches:
        part = _score_batch(batch, measures, exclude, keep_counts=keep_counts)
        parts.append(part)
        if progress:
            progress(part.keys.height)
    scored = _ScoredBatch.join(parts)
    builder = Found(
        wanted,
        seed,
        keep_counts,
        topics=len(scored.topics),
        peers=scored.keys.height,
        excluded=scored.excluded,
        kinds=scored.kinds,
        zeros=Zeros(are_counted=not is_part),
    )
    order = _order_by_topic(scored.keys["topic"])
    keys = (scored.keys if order is None else scored.keys[order]).cast(pl.Categorical)
    simulated = join_marks(scored.simulated)
    for measure in wanted:
        if _needs_people(measure):
            continue
        rows = scored.imported() if isinstance(measure, Imported) else scored.rows_of(measure)
        builder.add(measure, rows if order is None else _in_order(rows, order), keys, simulated, scored.wordless)
    if not is_part:
        refuse_absent(exclude, builder)
    return builder.table()


def _order_by_topic(topics: pl.Series) -> pl.Series | None:
    """The rows of each topic together, in the order in which topics first occur; None if they are so already."""
    numbered = pl.DataFrame({"row": pl.int_range(len(topics), eager=True), "topic": topics})
    numbered = numbered.with_columns(first=pl.col("row").min().over("topic"))
    if numbered["first"].is_sorted():
        return None
    return numbered.sort("first", maintain_order=True)["row"]


def _in_order(rows: Rows, order: pl.Series) -> Rows:
    places = order.to_numpy()
    counts = None if rows.counts is None else rows.counts[places]
    return replace(
        rows, topics=rows.topics[places], models=rows.models[places], values=rows.values[places], counts=counts
    )


@dataclass(eq=False)
class _ScoredBatch:
    """The scores of some rows, and what is to be known of them."""

    keys: pl.DataFrame
    """Topic and summarizer of each summary."""
    scores: dict[Measure, RowScores]
    score_columns: pl.DataFrame
    """Scores that came with the summaries."""
    topics: dict[str, None]
    """All topics, also those without a summary."""
    kinds: dict[str, Kind]
    simulated: list[str]
    wordless: Wordless
    excluded: set[str]

    @classmethod
    def join(cls, parts: Sequence[_ScoredBatch]) -> _ScoredBatch:
        """All parts in one."""
        if len(parts) == 1:
            return parts[0]
        measures = list(parts[0].scores) if parts else []
        references = {name: kind for part in parts for name, kind in part.kinds.items() if kind == "human"}
        peers = {name: kind for part in parts for name, kind in part.kinds.items() if kind != "human"}
        return cls(
            keys=pl.concat([_NO_KEYS, *(part.keys for part in parts)]),
            scores={measure: _join_scores([part.scores[measure] for part in parts]) for measure in measures},
            score_columns=pl.concat([part.score_columns for part in parts], how="diagonal")
            if parts
            else pl.DataFrame(),
            topics={topic: None for part in parts for topic in part.topics},
            kinds=references | peers,
            simulated=[mark for part in parts for mark in part.simulated],
            wordless={key: why for part in parts for key, why in part.wordless.items()},
            excluded={name for part in parts for name in part.excluded},
        )

    def rows_of(self, measure: Measure) -> Rows:
        """The scores of a measure; no rows if nothing was scored."""
        scores = self.scores.get(measure)
        if scores is None:
            none = np.zeros((0, len(measure.statistics or ())))
            return Rows(np.arange(0), (), np.zeros(0, dtype=np.int64), measure.statistics or (), none)
        return Rows(np.arange(len(scores.values)), (), scores.models, scores.statistics, scores.values, scores.counts)

    def imported(self) -> Rows:
        """The scores that came with the summaries; NaN where there is none."""
        columns = tuple(self.score_columns.columns)
        values = self.score_columns.fill_null(np.nan).to_numpy() if columns else np.zeros((self.keys.height, 0))
        models = np.zeros(self.keys.height, dtype=np.int64)
        return Rows(np.arange(self.keys.height), (), models, columns, values)


_NO_KEYS = pl.DataFrame(schema={"topic": TEXT, "summarizer": TEXT})


def _join_scores(parts: Sequence[RowScores]) -> RowScores:
    counts = [part.counts for part in parts if part.counts is not None]
    return RowScores(
        parts[0].statistics,
        np.concatenate([part.values for part in parts]),
        np.concatenate(counts) if len(counts) == len(parts) else None,
        np.concatenate([part.models for part in parts]),
    )


def _score_batch(
    batch: SummaryBatch, measures: Sequence[Measure], exclude: Sequence[str], *, keep_counts: bool
) -> _ScoredBatch:
    frame = batch.frame
    rows = frame.filter(pl.col("summary").is_not_null()) if frame["summary"].null_count() else frame
    summarizers = rows["summarizer"].unique(maintain_order=True)
    excluded = {name for name in rows["summarizer"].unique() if name in exclude}
    if excluded:
        rows = rows.filter(~pl.col("summarizer").is_in(list(excluded)))
    try:
        scores = _score_texts(rows, measures) if measures else {}
    except InputError:  # rows name the texts that were refused
        raise NeedsRowsError from None
    if not keep_counts:
        scores = {measure: replace(one, counts=None) for measure, one in scores.items()}
    return _ScoredBatch(
        keys=rows.select("topic", "summarizer"),
        scores=scores,
        score_columns=rows.select(exactly(*batch.score_columns)) if batch.score_columns else pl.DataFrame(),
        topics=dict.fromkeys(frame["topic"].unique(maintain_order=True)),
        kinds=_kinds(frame, summarizers),
        simulated=frame["simulated"].unique(maintain_order=True).to_list(),
        wordless=_wordless(rows),
        excluded=excluded,
    )


def _score_texts(rows: pl.DataFrame, measures: Sequence[Measure]) -> dict[Measure, RowScores]:
    """The scores of rows; a row without references has none, and its text is not looked at."""
    has_references = rows["references"].list.len() > 0
    if has_references.all():
        return score_rows(TextTable(rows.select("summary", "references")), measures)
    compared = rows.filter(has_references).select("summary", "references")
    places = has_references.to_numpy()
    scores = score_rows(TextTable(compared), measures)
    return {measure: _spread(row_scores, places) for measure, row_scores in scores.items()}


def _spread(scores: RowScores, places: Bools) -> RowScores:
    """The scores of some rows as those of all rows; NaN where there is none."""
    values = np.full((len(places), scores.values.shape[1]), np.nan)
    values[places] = scores.values
    models = np.zeros(len(places), dtype=np.int64)
    models[places] = scores.models
    counts = None
    if scores.counts is not None:
        counts = np.full((len(places), scores.counts.shape[1]), np.nan)
        counts[places] = scores.counts
    return RowScores(scores.statistics, values, counts, models)


def _kinds(frame: pl.DataFrame, summarizers: Iterable[str]) -> dict[str, Kind]:
    """Who wrote the texts: references are by humans, as far as is known."""
    longest = frame["references"].list.len().max()
    references = range(1, int(str(longest or 0)) + 1)
    kinds: dict[str, Kind] = {f"ref{number}": "human" for number in references}
    return kinds | dict.fromkeys(summarizers, "participant")


def _wordless(rows: pl.DataFrame) -> Wordless:
    """The summaries without words; only those without a letter of a–z are looked at one by one."""
    texts = pl.col("summary") if rows.schema["summary"] == TEXT else pl.col("summary").list.join("\n")
    odd = rows.select("topic", "summarizer", text=texts).filter(~pl.col("text").str.contains("[A-Za-z0-9]"))
    reasons = {(topic, summarizer): why_wordless(text) for topic, summarizer, text in odd.iter_rows()}
    return {key: why for key, why in reasons.items() if why}


BATCH_PEERS = 4096

Progress = Callable[[int], None]
"""Called with the number of summaries done since the last call."""


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
) -> ScoreTable:
    """Score every peer of every shard; of what was scored only the values are kept, and counts if asked for.

    `known` are measures that derived ones may name (see `select`). `when_read` is called when all shards have been
    read, before anything is concluded from them: there the data's own errors are raised. `gather` makes the
    evidence of every batch of topics; those who need it later give one that keeps it. `is_part` says that the shards
    are a part of a longer run: notes then have no counts, because those of all parts are put together.
    """
    known = {**known, **known_measures(selections)}
    derived = [selection.measure for selection in selections if isinstance(selection.measure, Derived)]
    direct = [selection for selection in selections if not isinstance(selection.measure, Derived)]
    inner, needed = resting_on(derived, known=known)
    found = Found(wanted_of([*direct, *needed]), seed, keep_counts, zeros=Zeros(are_counted=not is_part))
    for shard in shards:
        found.names |= {id: who.name for id, who in shard.summarizers.items() if who.name}
        found.kinds |= {id: shard.kind_of(id) for id in shard.summarizer_ids}
        chosen = shard.where(where or {})
        found.topics += len(set(chosen.topic_ids) - chosen.continued)
        for topics in batches(_left(chosen.each_topic(peers=peers), exclude, found.excluded)):
            ids = pl.Series([topic.topic.topic for topic in topics], dtype=pl.String)
            wordless = find_wordless(topics)
            for measure, evidence in gather(list(found.wanted), topics).items():
                rows = measure.rows(evidence, topics, seed=seed)
                keys = {"topic": ids.gather(rows.topics), "summarizer": pl.Series(rows.peers, dtype=pl.String)}
                found.add(measure, rows, pl.DataFrame(keys).cast(pl.Categorical), shard.simulated, wordless)
            count = sum(len(topic.peers) for topic in topics)
            found.peers += count
            if progress:
                progress(count)
    if when_read:
        when_read()
    refuse_absent(exclude, found)
    if where and not found.topics:
        asked = ", ".join(f"{key}={value}" for key, value in where.items())
        raise UsageError(f"no topic has {asked}; `pyramidion describe` lists the attributes of topics")
    table = found.table()
    if not derived:
        return table
    wanted = wanted_of(direct)
    aside = {selection.name for selection in needed if not _is_asked(selection, wanted)}
    aside |= {measure.name() for measure in inner if measure not in derived}
    table = with_derived(table, derived, known=known)
    kept = table.only(name for name in table.measures if name not in aside)
    return replace(kept, unscored={name: count for name, count in table.unscored.items() if name not in aside})


def refuse_absent(exclude: Sequence[str], found: Found) -> None:
    """Refuse to leave out a summarizer that has no summaries: the name is probably misspelt.

    Raises:
        UsageError: with a name that is like it.
    """
    absent = [name for name in exclude if name not in found.excluded]
    if absent:
        hint = did_you_mean(absent[0], found.frame["summarizer"].unique().cast(pl.String))
        raise UsageError(
            f"{mention('exclude', absent[0])}: no summarizer of that name was to be scored{hint} check the spelling"
        )


def _left(topics: Iterable[TopicData], exclude: Sequence[str], excluded: set[str]) -> Iterator[TopicData]:
    """The topics without the summaries of excluded summarizers; notes which of these there were."""
    for topic in topics:
        out = {peer.summarizer for peer in topic.peers} & set(exclude)
        excluded |= out
        yield replace(topic, peers=tuple(peer for peer in topic.peers if peer.summarizer not in out)) if out else topic


def _is_asked(selection: Selection, wanted: Mapping[Measure, set[str] | None]) -> bool:
    """Whether a column is wanted for itself, not only because a derived measure uses it."""
    statistics = wanted.get(selection.measure, set())
    return statistics is None or selection.statistic in statistics


def wanted_of(selections: Sequence[Selection]) -> dict[Measure, set[str] | None]:
    """Each measure once, with the statistics that are wanted of it (None: all)."""
    wanted: dict[Measure, set[str] | None] = {}
    for selection in selections:
        before = wanted.get(selection.measure, set())
        if before is None or selection.statistic is None:
            wanted[selection.measure] = None
        else:
            wanted[selection.measure] = before | {selection.statistic}
    return wanted


def batches(topics: Iterable[TopicData]) -> Iterator[list[TopicData]]:
    """Topics that are scored together."""
    batch: list[TopicData] = []
    size = 0
    for topic in topics:
        batch.append(topic)
        size += max(len(topic.peers), 1)
        if size >= BATCH_PEERS:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


@dataclass
class Found:
    """What a run has found so far."""

    wanted: dict[Measure, set[str] | None]
    seed: int
    keep_counts: bool = False
    topics: int = 0
    peers: int = 0
    excluded: set[str] = field(default_factory=set)
    names: dict[str, str] = field(default_factory=dict)
    kinds: dict[str, Kind] = field(default_factory=dict)
    frames: list[pl.DataFrame] = field(default_factory=list)
    counts: list[pl.DataFrame] = field(default_factory=lambda: [pl.DataFrame(schema=COUNT_COLUMNS)])
    statistics: dict[Measure, dict[str, None]] = field(default_factory=dict)
    higher_is_better: dict[str, bool | None] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)
    skipped: Counter[str] = field(default_factory=Counter)
    zeros: Zeros = field(default_factory=Zeros)

    def add(self, measure: Measure, rows: Rows, keys: pl.DataFrame, simulated: str, wordless: Wordless) -> None:
        """Take the rows of one measure, with their topics and summarizers, and what of the data is simulated.

        `wordless` are the summaries without words, which are scored as 0.

        All names are kept as the keys are: as categories, or as strings, which go to a file sooner.
        """
        asked, dtype = self.wanted[measure], keys.schema["topic"]
        self.statistics.setdefault(measure, {}).update(dict.fromkeys(rows.statistics))
        for column, statistic in enumerate(rows.statistics):
            if asked is not None and statistic not in asked:
                continue
            name = measure.name(statistic)
            facts = rows.facts.get(statistic, StatisticFacts())
            self.higher_is_better[name] = measure.higher_is_better and facts.higher_is_better
            self.skipped[name] += facts.skipped
            if facts.lacking:
                message = f"{name} has no value for some summaries: {facts.lacking}"
                warnings.warn(message, MeasureWarning, stacklevel=2)
            if wordless:
                zeros = keys.filter(pl.Series(rows.values[:, column] == 0)).select("topic", "summarizer")
                self.zeros.add(measure, name, zeros.iter_rows(), wordless)
            self._note(name, simulated_note(measure, simulated), facts.note)
            block = keys.select(
                pl.lit(name, dtype).alias("measure"),
                pl.all(),
                pl.Series("value", rows.values[:, column]),
                self._signatures(measure, rows, column).cast(dtype),
            )
            self.frames.append(block.filter(pl.col("value").is_not_nan()))
        if self.keep_counts and rows.counts is not None:
            counts = pl.DataFrame(rows.counts, schema=list(COUNT_COLUMNS)[-3:])
            block = keys.select(pl.lit(measure.name(), dtype).alias("measure"), pl.all(), *counts)
            self.counts.append(block.filter(pl.col("hits").is_not_nan()))

    def _note(self, name: str, *notes: str) -> None:
        """Keep what a reader of the values of a measure must know, also about words and summaries that do not count."""
        remarks = [note for note in (*notes, _skipped(self.skipped[name]), self.zeros.note(name)) if note]
        if remarks:
            self.notes[name] = together(*remarks)

    def _signatures(self, measure: Measure, rows: Rows, column: int) -> pl.Series:
        counts, which = np.unique(rows.models, return_inverse=True)
        distinct = [measure.signature(rows.statistics[column], models=int(one), seed=self.seed) for one in counts]
        own = pl.Series("signature", distinct, dtype=pl.String).gather(which)
        if rows.signatures is None:
            return own
        given = pl.Series("signature", [row[column] for row in rows.signatures], dtype=pl.String)
        return own.zip_with(given == "", given)

    @property
    def frame(self) -> pl.DataFrame:
        """All scores."""
        return pl.concat(self.frames) if self.frames else pl.DataFrame(schema=COLUMNS)

    def table(self) -> ScoreTable:
        """All of it as a score table."""
        frame = self.frame
        rows = {str(name): count for name, count in frame.group_by("measure").len().iter_rows()}
        self._refuse_unknown_statistics(rows)
        unscored = {
            name: self.peers - rows.get(name, 0)
            for measure, asked in self.wanted.items()
            for statistic in asked or measure.statistics or self.statistics.get(measure, {})
            if self.peers > rows.get(name := measure.name(statistic), 0)
        }
        overlap = [one for one in self.wanted if isinstance(one, OverlapMeasure | RougeScore)]
        return ScoreTable(
            frame=frame,
            higher_is_better={name: good for name, good in self.higher_is_better.items() if name in rows},
            unscored=unscored,
            notes={name: note for name, note in self.notes.items() if name in rows},
            names=self.names,
            kinds=self.kinds,
            topic_count=self.topics,
            counts=pl.concat(self.counts) if self.keep_counts else None,
            rules={one.name(): one.micro_rule for one in overlap} if self.keep_counts else {},
        )

    def _refuse_unknown_statistics(self, rows: Mapping[str, int]) -> None:
        """A question or column that occurs nowhere, while others do, is misspelt."""
        for measure, asked in self.wanted.items():
            there = self.statistics.get(measure, {})
            for statistic in asked or ():
                if there and statistic not in there and measure.name(statistic) not in rows:
                    hint = did_you_mean(statistic, there)
                    raise UsageError(f"{measure.base} has no {statistic!r} here{hint} it has: {', '.join(there)}")


def _skipped(words: int) -> str:
    """The note about words that no value counts."""
    return f"skipped {counted(words, 'word')} that the source documents do not have" if words else ""


def simulated_note(measure: Measure, simulated: str) -> str:
    """The note about values that come from simulated data; texts bear on every measure."""
    needed = {"texts", *measure.required}
    touched = [part for part in map(str.strip, simulated.split(",")) if part in needed]
    return f"simulated {' and '.join(touched)}" if touched else ""
