"""Which summarizer is better: for each measure a leaderboard, the tests behind its letters, and chosen pairs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property

import numpy as np
import polars as pl

from pyramidion.arrays import Floats, Integers
from pyramidion.campaign.nouns import Judgment
from pyramidion.errors import UsageError, check_known, mention
from pyramidion.options import CompareOptions, LettersTest, MeanInterval
from pyramidion.scores import ScoreMatrix, ScoreTable
from pyramidion.show.tables import Column, Finding, NotedRow, Row, Table, table_of
from pyramidion.show.wording import capital, counted, defined, shortened, together
from pyramidion.statistics.values import settled
from pyramidion.studies.comparison.assessors import (
    ComponentRow,
    JudgedSummaries,
    RandomAssessors,
    judged_summaries,
    treat_assessors,
)
from pyramidion.studies.comparison.pairs import (
    Pair,
    PairFits,
    chosen_pairs,
    compare_pairs,
    mean_limits,
    why_no_limits,
)
from pyramidion.studies.comparison.sequential import SequentialPair, look_at_pairs, range_of_answers
from pyramidion.studies.comparison.tests import DESCRIPTIVE, Analysis, analyse

FEWER_MODELS = "Some summarizers are scored with fewer models than others; the option jackknife=yes makes them equal."
FEW_TOPICS = 6
FEW_PAIRS = 6
"""Up to this many pairs, a table has a sentence for each."""


class Standing(NotedRow, record="mean"):
    """A summarizer's place on one measure; what is undefined is None."""

    measure: str
    summarizer: str
    value: float
    """The mean over topics."""
    n: int
    missing: int
    lower: float | None
    upper: float | None
    confidence: float
    method: MeanInterval
    seed: int
    rank: int
    """By the adjusted mean, which the letters compare."""
    letters: str | None = None
    """Two summarizers share a letter exactly when the test behind the letters finds no difference; A is the best."""
    letters_by: LettersTest | None = None
    """The test behind the letters: Tukey's, or paired t tests with Holm's correction."""
    adjusted: float | None = None
    """The least-squares mean: the mean itself unless topics are missing."""
    mean_rank: float | None = None


class Comparison(Finding):
    """Leaderboards, one for each measure, best first; the analyses behind them, and the pairs that were asked for."""

    standings: tuple[Standing, ...]
    options: CompareOptions
    seed: int
    notes: Mapping[str, str] = field(default_factory=dict)
    """By measure, what one must know about its values."""
    names: Mapping[str, str] = field(default_factory=dict)
    """Readable names of summarizers."""
    analyses: tuple[Analysis, ...] = ()
    """One for each measure: ANOVA with Tukey's test, Friedman's test with Nemenyi's."""
    remarks: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By measure, what limits the comparison: few topics, missing scores, unequal numbers of models."""
    pairs: tuple[Pair, ...] = ()
    """For each measure the pairs in the order asked for."""
    sequential: tuple[SequentialPair, ...] = ()
    """Pairs after each topic, where that was asked for."""
    lower_is_better: frozenset[str] = frozenset()
    descriptive: frozenset[str] = frozenset()
    """Measures that only describe: neither high nor low is better, and nobody is best."""
    kind: str = "summarizer"
    """What the compared are called: systems, where none of them is human."""

    def __repr__(self) -> str:
        summarizers = len({standing.summarizer for standing in self.standings})
        return f"<Comparison of {summarizers} summarizers on {', '.join(self.measures) or 'nothing'}>"

    @cached_property
    def measures(self) -> tuple[str, ...]:
        """The measures, in the order of the table."""
        return tuple(analysis.measure for analysis in self.analyses)

    @property
    def confidence(self) -> float:
        """Of intervals and tests, in per cent."""
        return self.options.confidence

    def analysis(self, measure: str) -> Analysis:
        """The analyses of one measure."""
        if measure not in self.measures:
            check_known(measure, self.measures, f"{measure!r} was not compared")
        return self.analyses[self.measures.index(measure)]

    def leaderboard(self, measure: str) -> list[Standing]:
        """The standings on one measure, best first."""
        self.analysis(measure)
        return [standing for standing in self.standings if standing.measure == measure]

    def label(self, summarizer: str) -> str:
        """A summarizer's name with its id, short enough for a table: `oracle (16)`."""
        name = self.names.get(summarizer, "")
        return shortened(f"{name} ({summarizer})" if name and name != summarizer else summarizer)

    def digits(self, measure: str) -> int:
        """Decimals for all numbers of a measure: four for shares, two for ratings and larger numbers."""
        return 4 if all(abs(one.value) <= 1 for one in self.leaderboard(measure)) else 2

    def central(self, one: Standing) -> float:
        """The mean that an interval is about: where assessors are treated as random, the adjusted one."""
        adjusted = one.adjusted if self.analysis(one.measure).random else None
        return one.value if adjusted is None else adjusted

    def undecided(self, measure: str) -> list[str] | None:
        """Who is not significantly worse than the best, by the test behind the letters, best first.

        None without a test.
        """
        best, *others = (one.summarizer for one in self.leaderboard(measure))
        return self.analysis(measure).undecided(best, others)

    def answer(self) -> tuple[str, ...]:
        """Who is better, if two systems were compared or pairs were asked for."""
        return tuple(line for analysis in self.analyses for line in _told(self.pairs_on(analysis.measure)))

    def pairs_on(self, measure: str) -> list[Pair]:
        """The pairs that were compared on one measure."""
        return [pair for pair in self.pairs if pair.measure == measure]

    def disagreement(self, measure: str) -> str:
        """A sentence where a pair that was asked for and the letters decide differently; empty if none does."""
        letters = self.analysis(measure).letters
        pairs = [pair for pair in self.pairs_on(measure) if pair.a in letters and pair.b in letters and pair.n]
        if not any(pair.is_decided == self._shares_letter(pair) for pair in pairs):
            return ""
        total = counted(self.analysis(measure).pairs, "pair")
        own = "The pair you asked for is tested on its own"
        if len(pairs) > 1:
            own = f"The {len(pairs)} pairs you asked for are each tested on their own and corrected for their number"
        if self.analysis(measure).letters_by == "paired":
            return f"{own}; the letters are corrected for all {total} of systems, so they show fewer differences."
        return f"{own}; the letters come from Tukey's test of all {total}, with one variance for all systems."

    def _shares_letter(self, pair: Pair) -> bool:
        analysis = self.analysis(pair.measure)
        assert analysis.letters_test is not None
        first, second = map(analysis.summarizers.index, (pair.a, pair.b))
        return not analysis.letters_test.differs[first, second]

    def main_record(self) -> str:
        """The looks or pairs if some were asked for, else the means."""
        if self.sequential:
            return "look"
        return "pair" if self.pairs else "mean"

    def rows(self) -> Iterator[Row]:
        """Means, tests, differences and pairs."""
        yield from self.standings
        for analysis in self.analyses:
            yield from analysis.anova_rows()
        yield from (analysis.tukey_row() for analysis in self.analyses)
        yield from (analysis.friedman_row() for analysis in self.analyses)
        for analysis in self.analyses:
            yield from analysis.differences()
        yield from self.pairs
        yield from self.components
        for pair in self.sequential:
            yield from pair.looks

    @cached_property
    def components(self) -> tuple[ComponentRow, ...]:
        """Where the variance of judgments comes from, for each question whose assessors are treated as random."""
        return tuple(row for one in self.analyses if one.random for row in one.random.rows(one.about))

    def tables(self) -> list[Table]:
        """For each measure the leaderboard and the pairs that were asked for; the tests on request."""
        return [table for analysis in self.analyses for table in self._tables(analysis)]

    def _tables(self, analysis: Analysis) -> Iterator[Table]:
        measure = analysis.measure
        yield self.leaderboard_table(measure)
        yield from (one.table() for one in self.sequential if one.looks[0].measure == measure)
        if pairs := self.pairs_on(measure):
            notes = (capital(analysis.about), *cautions(pairs), self.disagreement(measure))
            title = f"{measure}: pairs on shared topics"
            yield table_of(pairs, _PAIR, title=title, sentences=_told(pairs), notes=notes, about=measure)
        friedman = "Friedman's test, with Nemenyi's difference of mean ranks"
        yield self._detail(measure, "two-way analysis of variance, type II", analysis.anova_rows(), _ANOVA)
        yield self._detail(measure, "Tukey's honestly significant difference", [analysis.tukey_row()], _TUKEY)
        yield self._detail(measure, friedman, [analysis.friedman_row()], _FRIEDMAN)
        if differences := analysis.differences():
            columns = (*_DIFFERENCE, "paired") if analysis.paired else _DIFFERENCE
            yield self._detail(measure, "pairs that differ by one of the tests", differences, columns)
        if self.components_of(measure):
            yield self.component_table(measure)

    def _detail(self, measure: str, title: str, rows: Sequence[Row], columns: Sequence[Column | str]) -> Table:
        """What stands behind a leaderboard."""
        notes = (capital(self.analysis(measure).about), *_reasons(rows))
        return table_of(rows, columns, title=f"{measure}: {title}", notes=notes, detail=True, about=measure)

    def components_of(self, measure: str) -> list[ComponentRow]:
        """Where the variance of the judgments behind a measure comes from, if its assessors are a random sample."""
        return [row for row in self.components if row.measure == measure]

    def component_table(self, measure: str) -> Table:
        """The same as a table."""
        title = "where the variance of judgments comes from"
        rows = self.components_of(measure)
        table = self._detail(measure, title, rows, _COMPONENT)
        about = (capital(self.analysis(measure).about), *_reasons([row for row in rows if row.lower is None]))
        return replace(table, notes=tuple(filter(None, about)))  # that an error has no levels needs no words here

    def leaderboard_table(self, measure: str) -> Table:
        """The standings on one measure, and what the tests say."""
        analysis, digits = self.analysis(measure), self.digits(measure)
        lower = ", lower is better" if measure in self.lower_is_better else ""
        lower = f"; {DESCRIPTIVE}" if measure in self.descriptive else lower
        noted = f"; {self.notes[measure]}" if measure in self.notes else ""
        unequal = analysis.missing or any(
            one.adjusted is not None and abs(one.adjusted - one.value) > 1e-9 for one in self.leaderboard(measure)
        )
        adjusted_mean = Column("adjusted", digits=digits, of=lambda one: one.adjusted if unequal else None)
        limits = (Column("lower", digits=digits), Column("upper", digits=digits))
        labels = {who: self.label(who) for who in analysis.summarizers}
        return table_of(
            self.leaderboard(measure),
            (
                "rank",
                Column("summarizer", self.kind),
                Column("name", of=lambda one: self.names.get(one.summarizer)),
                Column("value", "mean", digits=digits),
                *((adjusted_mean, *limits) if analysis.random else (*limits, adjusted_mean)),  # next to its interval
                "letters",
                Column("n", "topics"),
                Column("missing", of=lambda one: one.missing or None),
            ),
            title=f"{measure} ({self.confidence:g} % confidence intervals{lower}{noted})",
            heads=3,
            sentences=tuple(analysis.sentences(labels, one_of_several=len(self.measures) > 1)),
            notes=self.remarks.get(measure, ()),
            about=measure,
        )


_ANOVA = ("source", "ss", "df", "ms", "f", "p")
_TUKEY = ("q", "mse", "df", "critical_difference", "least", "largest", "pairs")
_FRIEDMAN = (Column("chi2", "χ²"), "df", "p", "exact", "nemenyi_difference", "topics")
_DIFFERENCE = ("a", "b", "difference", "tukey", "nemenyi")
_COMPONENT = ("term", Column("value", "variance"), "lower", "upper", "levels")
_PAIR = (
    "a",
    "b",
    "difference",
    "lower",
    "upper",
    "p",
    "p_adjusted",
    "p_permutation",
    "effect",
    "win",
    "tie",
    "loss",
    "n",
)


def _reasons(rows: Sequence[Row]) -> list[str]:
    """Why something is undefined, each reason once; that the residual is not tested goes without saying."""
    records = [row.fields() for row in rows]
    reasons = [record["reason"] for record in records if "reason" in record and record.get("source") != "residual"]
    return [f"{capital(reason)}." for reason in dict.fromkeys(reasons)]


def _told(pairs: Sequence[Pair]) -> tuple[str, ...]:
    """The sentences of a few pairs; of many pairs those that found someone better, and how many are undecided."""
    if len(pairs) <= FEW_PAIRS:
        return tuple(pair.sentence for pair in pairs)
    undecided = [pair for pair in pairs if not pair.is_decided]
    sentences = [pair.sentence for pair in pairs if pair.is_decided]
    if undecided:
        sentences.append(f"{counted(len(undecided), 'pair')} undecided: no significant difference.")
    if hopeless := [pair.least_p for pair in undecided if pair.least_p is not None and not pair.possible]:
        sentences.append(
            f"{counted(len(hopeless), 'pair')} could not have reached significance: corrected for this many pairs, p "
            f'can\'t be below {min(hopeless):.3g}. The t test (`method="t"`), fewer pairs (`against=`), more topics or '
            "more permutations have more power."
        )
    return tuple(sentences)


def cautions(pairs: Sequence[Pair]) -> list[str]:
    """What one must know to read a few pairs; of many pairs their records say it."""
    if len(pairs) > FEW_PAIRS:
        return []
    several = len(pairs) > 1
    return [f"{pair.a} and {pair.b}: {one}" if several else one for pair in pairs for one in pair.cautions]


def compare(
    table: ScoreTable,
    options: CompareOptions | None = None,
    *,
    judgments: Mapping[str, Sequence[Judgment]] | None = None,
    scales: Mapping[str, tuple[float, float]] | None = None,
    seed: int = 0,
    progress: Callable[[int], None] | None = None,
) -> Comparison:
    """Rank the summarizers on every measure of the table, and test whether they differ.

    Intervals are t with the two-way residual variance: they take the topics as given, which is right for comparing.
    `interval="own"` takes each summarizer's own variance and `interval="percentile"` resamples topics: both treat the
    topics as a sample of many (a percentile bootstrap covers too little on few topics).

    Args:
        table: the scores.
        options: how to compare.
        judgments: by measure, the single judgments behind it: where three assessors or more allow it, they are
            treated as a random sample.
        scales: by measure, its lowest and highest value, where intervals end.
        seed: of bootstrap, permutations and limits of components.
        progress: called with the number of sign flips done.
    """
    options = options or CompareOptions()
    wanted = chosen_pairs(table.summarizers, options)
    if not wanted and len(table.summarizers) == 2:  # there is only one question
        wanted = [(table.summarizers[0], table.summarizers[1])]
    uneven = set(_uneven(table))
    standings: list[Standing] = []
    analyses: list[Analysis] = []
    remarks: dict[str, tuple[str, ...]] = {}
    compared: list[Pair] = []
    looked: list[SequentialPair] = []
    for measure in table.measures:
        matrix = _scored(table.matrix(measure))
        if not matrix.summarizers:
            continue
        fewer = FEWER_MODELS if measure in uneven else ""
        describes = DESCRIPTIVE if matrix.is_descriptive else ""
        note = together(table.notes.get(measure, ""), describes, fewer.rstrip("."))
        treated: RandomAssessors | str = ""
        judged: JudgedSummaries | None = None
        # Looking after each topic takes the assessors as given, and so does all that is said beside it.
        asked = options.assessors or ("fixed" if options.sequential else None)
        compared_here = set(matrix.summarizers)
        if given := [one for one in (judgments or {}).get(measure, ()) if one.summarizer in compared_here]:
            judged = judged_summaries(given)
            treated = treat_assessors(
                judged, matrix.summarizers, asked, measure=measure, confidence=options.confidence, seed=seed
            )
        fits = PairFits(judged, options, measure=measure, asked=asked, seed=seed)
        analysis = analyse(
            matrix,
            confidence=options.confidence,
            about=note,
            treated=treated,
            letters=options.letters,
            fits=fits,
            seed=seed,
        )
        places, cut = rank(
            analysis,
            np.nanmean(matrix.values, axis=1),
            (~np.isnan(matrix.values)).sum(axis=1),
            _limits(matrix, analysis, options, seed),
            topics=table.topic_total,
            higher_is_better=matrix.higher_is_better,
            scale=(scales or {}).get(measure),
            options=options,
            seed=seed,
        )
        standings += places
        analyses.append(analysis)
        remarks[measure] = tuple(filter(None, (*_remarks(matrix, analysis), cut, fewer)))
        if options.sequential:
            scale = (scales or {}).get(measure) or range_of_answers(given)
            looked += look_at_pairs(matrix, wanted, options, scale=scale, seed=seed)
        else:
            notes = _notes_of_pairs(table, measure, wanted, uneven=measure in uneven)
            compared += compare_pairs(matrix, wanted, options, fits=fits, notes=notes, seed=seed, progress=progress)
    return Comparison(
        standings=tuple(standings),
        options=options,
        seed=seed,
        notes=table.notes,
        names=table.names,
        analyses=tuple(analyses),
        remarks=remarks,
        pairs=tuple(compared),
        sequential=tuple(looked),
        lower_is_better=frozenset(name for name in table.measures if not table.is_higher_better(name)),
        descriptive=frozenset(filter(table.is_descriptive, table.measures)),
        kind="summarizer" if any(table.kinds.get(who) == "human" for who in table.summarizers) else "system",
    )


def _scored(matrix: ScoreMatrix) -> ScoreMatrix:
    """The summarizers that have a score at all (a table may name others with NaN); topics in the order of names.

    So that a seed draws the same topics in whatever order the rows of a table come.
    """
    there = np.nonzero((~np.isnan(matrix.values)).any(axis=1))[0]
    order = sorted(range(len(matrix.topics)), key=matrix.topics.__getitem__)
    return replace(
        matrix,
        summarizers=tuple(matrix.summarizers[row] for row in there),
        topics=tuple(matrix.topics[column] for column in order),
        values=matrix.values[there][:, order],
    )


def _notes_of_pairs(
    table: ScoreTable, measure: str, pairs: Sequence[tuple[str, str]], *, uneven: bool
) -> dict[tuple[str, str], str]:
    """By pair, what one must know about the scores of these two: the measure's note, and unequal numbers of models."""
    note = table.notes.get(measure, "")
    if not uneven:
        return dict.fromkeys(pairs, note)
    frame = table.frame.filter(pl.col("measure").cast(pl.String) == measure)
    frame = frame.select(pl.col("topic").cast(pl.String), pl.col("summarizer").cast(pl.String), "signature")
    signatures = {
        who: dict(rows.select("topic", "signature").iter_rows()) for (who,), rows in frame.group_by("summarizer")
    }
    notes = {}
    for a, b in pairs:
        first, second = signatures.get(a, {}), signatures.get(b, {})
        differ = any(first[topic] != second[topic] for topic in first.keys() & second.keys())
        notes[a, b] = together(note, FEWER_MODELS.rstrip(".") if differ else "")
    return notes


def _uneven(table: ScoreTable) -> list[str]:
    """Measures that rest on different numbers of models within a topic: humans are scored without their own."""
    signatures = table.frame.group_by("measure", "topic").agg(pl.col("signature").n_unique())
    found = signatures.filter(pl.col("signature") > 1)["measure"].cast(pl.String)
    return [measure for measure in table.measures if measure in set(found)]


def _remarks(matrix: ScoreMatrix, analysis: Analysis) -> Iterator[str]:
    """What a reader must know of a leaderboard: too few topics, or means over different ones."""
    topics = matrix.values.shape[1]
    if topics < FEW_TOPICS:
        yield "Only 1 topic: no intervals." if topics == 1 else f"Only {topics} topics: intervals are wide."
    if lacking := np.count_nonzero(np.isnan(matrix.values).any(axis=1)):
        ranked = "; ranks and letters use adjusted (least-squares) means" if analysis.adjusted else ""
        yield (
            f"{lacking} of {len(matrix.values)} summarizers lack scores on some topics, so their plain means are over "
            f"different topics{ranked}."
        )
    if analysis.note:
        yield f"{capital(analysis.note)}."


def _limits(matrix: ScoreMatrix, analysis: Analysis, options: CompareOptions, seed: int) -> tuple[Floats, Floats]:
    """Of each summarizer's mean."""
    if analysis.random is None:
        return mean_limits(matrix.values, analysis.anova, options, seed)
    if options.mean_interval not in ("t", "own"):
        raise UsageError(
            f"{mention('interval', options.mean_interval)} resamples topics, which says nothing about other assessors: "
            'choose t or own, or `assessors="fixed"`'
        )
    return analysis.random.mean_limits(own=options.mean_interval == "own")


def _within_scale(
    limits: Iterable[Floats], scale: tuple[float, float] | None, means: Floats
) -> tuple[Floats, Floats, str]:
    """Limits that end with the scale, and a sentence if some reached past it.

    Means outside the scale are on another one, such as percentages in somebody's score table: nothing is cut.
    """
    lower, upper = limits
    if scale is None or (means < scale[0]).any() or (means > scale[1]).any():
        return lower, upper, ""
    low, high = scale
    past = bool((lower < low).any() or (upper > high).any())
    said = f"Intervals that reach past the scale, {low:g} to {high:g}, are cut there." if past else ""
    return np.clip(lower, low, high), np.clip(upper, low, high), said


def rank(
    analysis: Analysis,
    means: Floats,
    counts: Floats | Integers,
    limits: Iterable[Floats],
    *,
    topics: int,
    higher_is_better: bool,
    scale: tuple[float, float] | None,
    options: CompareOptions,
    seed: int,
) -> tuple[list[Standing], str]:
    """Everyone's place, best first, and what must be known of the intervals.

    Args:
        analysis: of the measure; arrays are in the order of its summarizers.
        means: over topics.
        counts: of the topics that each mean is over.
        limits: of the means, lower and upper.
        topics: how many there are.
        higher_is_better: whether the highest mean is the best.
        scale: the lowest and the highest value, where intervals end.
        options: how the intervals were made.
        seed: of what was resampled.
    """
    lower, upper, cut = _within_scale(limits, scale, means)
    ranked = means
    if (analysis.missing or analysis.random) and analysis.adjusted:
        ranked = np.array([analysis.adjusted[who] for who in analysis.summarizers])
    goodness = settled(ranked if higher_is_better else -ranked)
    pooled = options.mean_interval == "t" and not analysis.random
    flat = pooled and analysis.anova is not None and analysis.anova.mean_square == 0
    exact = "the residual variance is zero, so intervals have no width"
    standings = [
        Standing(
            measure=analysis.measure,
            summarizer=who,
            value=float(means[row]),
            n=int(counts[row]),
            missing=topics - int(counts[row]),
            lower=defined(lower[row]),
            upper=defined(upper[row]),
            confidence=options.confidence,
            method=options.mean_interval,
            seed=seed,
            rank=int((goodness > goodness[row]).sum()) + 1,
            letters=analysis.letters.get(who),
            letters_by=analysis.letters_by if who in analysis.letters else None,
            adjusted=defined(analysis.adjusted.get(who)),
            mean_rank=defined(analysis.mean_ranks.get(who)),
            note=together(analysis.about, exact if flat else ""),
            reason=_why_undefined(analysis, options, lower[row]),
        )
        for row, who in enumerate(analysis.summarizers)
    ]
    return sorted(standings, key=lambda standing: (standing.rank, standing.summarizer)), cut


def _why_undefined(analysis: Analysis, options: CompareOptions, limit: float) -> str:
    no_letters = f"no letters: {analysis.no_letters}" if not analysis.letters else ""
    no_mean = f"no adjusted mean: {analysis.no_tukey}" if not analysis.adjusted else ""
    return together(
        why_no_limits(options.mean_interval) if np.isnan(limit) else "",
        no_letters or no_mean,
        f"no mean rank: {analysis.no_friedman}" if not analysis.mean_ranks else "",
    )
