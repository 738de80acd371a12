"""Which summarizer is better: for each measure a leaderboard, the tests behind its letters, and chosen pairs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property, partial
from typing import ClassVar

import numpy as np
import polars as pl

from pyramidion.campaign.nouns import Judgment
from pyramidion.errors import UsageError, check_known, mention
from pyramidion.options import Assessors, CompareOptions
from pyramidion.scores import ScoreMatrix, ScoreTable
from pyramidion.scores.stored import StoredScores
from pyramidion.show.tables import Finding, Row
from pyramidion.show.wording import shortened, together
from pyramidion.statistics.moments import Moments
from pyramidion.statistics.variance import MOST_CELLS, PairSums
from pyramidion.studies.clusters import TopicClusters
from pyramidion.studies.comparison.analysis import (
    DESCRIPTIVE,
    MOST_SUMMARIZERS,
    Analysis,
    MatrixScores,
    Standing,
    SummedScores,
)
from pyramidion.studies.comparison.assessors import (
    ComponentRow,
    FixedAssessors,
    JudgedSummaries,
    RandomAssessors,
    judged_summaries,
    treat_assessors,
)
from pyramidion.studies.comparison.fragility import Fragility, FragilitySearch
from pyramidion.studies.comparison.pairs import Pair, PairFits, chosen_pairs, compare_pairs
from pyramidion.studies.comparison.sequential import SequentialPair, look_at_pairs
from pyramidion.studies.deciding import Rater, find_single_rater
from pyramidion.studies.judge_offsets import JudgeOffset
from pyramidion.studies.margins import Margin, parse_margins
from pyramidion.studies.runs import noise_of_judgments, noise_of_scores
from pyramidion.studies.scales import Scale

FEWER_MODELS = "Some summarizers are scored with fewer models than others; the option jackknife=yes makes them equal"
LARGE = 2_000_000
"""Values of a measure from which on sums are compared."""


class Comparison(Finding):
    """Leaderboards, one for each measure, best first; the analyses behind them, and the pairs that were asked for."""

    record_kinds: ClassVar[tuple[str, ...]] = (
        "mean",
        "anova",
        "tukey",
        "friedman",
        "difference",
        "pair",
        "component",
        "look",
        "fragility",
        "judge-offset",
        "predicted-plan",
        "predicted-mean",
        "predicted-pair",
        "predicted-fit",
    )

    options: CompareOptions
    seed: int
    notes: Mapping[str, str] = field(default_factory=dict)
    """By measure, what one must know about its values."""
    names: Mapping[str, str] = field(default_factory=dict)
    """Readable names of summarizers."""
    analyses: tuple[Analysis, ...] = ()
    """One for each measure: ANOVA with Tukey's test, Friedman's test with Nemenyi's."""
    pairs: tuple[Pair, ...] = ()
    """For each measure the pairs in the order asked for."""
    sequential: tuple[SequentialPair, ...] = ()
    """Pairs after each topic, where that was asked for."""
    fragility: Mapping[str, FragilitySearch] = field(default_factory=dict)
    """By measure, what finds the fewest topics whose removal changes its answers; see `fragility_on`."""
    lower_is_better: frozenset[str] = frozenset()
    descriptive: frozenset[str] = frozenset()
    """Measures that only describe: neither high nor low is better, and nobody is best."""
    single_raters: Mapping[str, Rater] = field(default_factory=dict)
    """By measure, whether all of its scores come from one judge or one assessor."""
    offsets: tuple[JudgeOffset, ...] = ()
    """Of measures that are a judge's, how far they lie from people's answers to the same question."""
    primary: str = ""
    """The measure that was asked for first, if several were; the others are secondary. Empty: none was chosen."""
    kind: str = "summarizer"
    """What the compared are called: systems, where none of them is human."""
    chosen_kinds: tuple[str, ...] = record_kinds
    """The kinds of records that were asked for."""

    def __repr__(self) -> str:
        summarizers = {summarizer for analysis in self.analyses for summarizer in analysis.summarizers}
        return f"<Comparison of {len(summarizers)} summarizers on {', '.join(self.measures) or 'nothing'}>"

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

    @cached_property
    def standings(self) -> tuple[Standing, ...]:
        """Everyone's place on each measure, best first."""
        return tuple(standing for analysis in self.analyses for standing in analysis.standings)

    def leaderboard(self, measure: str) -> list[Standing]:
        """The standings on one measure, best first."""
        return list(self.analysis(measure).standings)

    def label(self, summarizer: str) -> str:
        """A summarizer's name with its id, short enough for a table: `oracle (16)`."""
        name = self.names.get(summarizer, "")
        return shortened(f"{name} ({summarizer})" if name and name != summarizer else summarizer)

    def digits(self, measure: str) -> int:
        """Decimals for all numbers of a measure: four for shares, two for ratings and larger numbers."""
        return 4 if all(abs(standing.value) <= 1 for standing in self.leaderboard(measure)) else 2

    def central(self, standing: Standing) -> float:
        """The mean that an interval is about: where assessors are treated as random, the adjusted one."""
        adjusted = standing.adjusted if self.analysis(standing.measure).random else None
        return standing.value if adjusted is None else adjusted

    def best(self, measure: str) -> list[str]:
        """Who has the first rank on a measure; several if they are equal."""
        return [standing.summarizer for standing in self.leaderboard(measure) if standing.rank == 1]

    def count_wins(self, measures: Iterable[str]) -> Counter[str]:
        """By system, on how many of these measures it has the first rank."""
        return Counter(system for measure in measures for system in self.best(measure))

    def undecided(self, measure: str) -> list[str] | None:
        """Who is not significantly worse than the best, by the test behind the letters, best first.

        None without a test.
        """
        best, *rest = (standing.summarizer for standing in self.leaderboard(measure))
        return self.analysis(measure).undecided(best, rest)

    def pairs_on(self, measure: str) -> list[Pair]:
        """The pairs that were compared on one measure."""
        return [pair for pair in self.pairs if pair.measure == measure]

    def sequential_on(self, measure: str) -> list[SequentialPair]:
        """The pairs that were looked at after each topic on one measure."""
        return [pair for pair in self.sequential if pair.measure == measure]

    def fragility_on(self, measure: str) -> Sequence[Fragility]:
        """The fewest topics whose removal changes who leads on a measure, and the verdicts on its pairs."""
        return self.fragility[measure].rows if measure in self.fragility else ()

    def pairs_over_measures(self) -> list[list[Pair]]:
        """For each pair of systems, its comparisons on all measures that say who is better, the primary one first."""
        by_systems: dict[tuple[str, str], list[Pair]] = {}
        for pair in self.pairs:
            if not pair.is_descriptive:
                by_systems.setdefault((pair.a, pair.b), []).append(pair)
        return [sorted(pairs, key=lambda pair: pair.measure != self.primary) for pairs in by_systems.values()]

    def lettered_pairs(self, measure: str) -> list[Pair]:
        """The pairs on one measure that can be compared with its letters."""
        letters = self.analysis(measure).letters
        return [pair for pair in self.pairs_on(measure) if pair.a in letters and pair.b in letters and pair.n]

    def shares_letter(self, pair: Pair) -> bool:
        """Whether the test behind the letters finds no difference between the two."""
        analysis = self.analysis(pair.measure)
        assert analysis.letters_test is not None
        first, second = map(analysis.summarizers.index, (pair.a, pair.b))
        return not analysis.letters_test.differs[first, second]

    @property
    def components(self) -> tuple[ComponentRow, ...]:
        """Where the variance of judgments comes from, for each question whose assessors are treated as random."""
        return tuple(row for analysis in self.analyses for row in analysis.components)

    def main_record(self) -> str:
        """The looks or pairs if some were asked for, else the means."""
        if self.sequential:
            return "look"
        return "pair" if self.pairs else "mean"

    def only(self, *kinds: str) -> Comparison:
        """The comparison with these kinds of records alone; others are not computed."""
        return replace(self, chosen_kinds=kinds) if kinds else self

    def rows(self) -> Iterator[Row]:
        """Means, tests, differences, pairs and components, as far as they were asked for."""
        for kind in self.record_kinds:
            if kind in self.chosen_kinds:
                for analysis in self.analyses:
                    yield from self._rows_of(kind, analysis)

    def offset_of(self, measure: str) -> JudgeOffset | None:
        """How far a measure that is a judge's lies from people's answers; None for others."""
        return next((offset for offset in self.offsets if offset.measure == measure), None)

    def _rows_of(self, kind: str, analysis: Analysis) -> Iterable[Row]:
        """The rows of one kind of record on one measure."""
        match kind:
            case "mean":
                return analysis.standings
            case "anova":
                return analysis.anova_rows()
            case "tukey":
                return [analysis.tukey_row()]
            case "friedman":
                return [analysis.friedman_row()]
            case "difference":
                return analysis.differences
            case "pair":
                return self.pairs_on(analysis.measure)
            case "component":
                return analysis.components
            case "fragility":
                return self.fragility_on(analysis.measure) if self.options.fragility else ()
            case "judge-offset":
                return [offset for offset in self.offsets if offset.measure == analysis.measure]
            case "look":
                looked_at = [pair for pair in self.sequential if pair.measure == analysis.measure]
                return [look for pair in looked_at for look in pair.looks]
            case _:
                return ()  # of comparisons with predictors


def compare(
    table: ScoreTable,
    options: CompareOptions | None = None,
    *,
    judgments: Mapping[str, Sequence[Judgment]] | None = None,
    scales: Mapping[str, tuple[float, float]] | None = None,
    primary: str = "",
    clusters: TopicClusters | None = None,
    shared: TopicClusters | None = None,
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
        primary: the measure that was chosen to decide, if any.
        clusters: which topics belong together; pairs, letters and intervals then rest on whole clusters.
        shared: which topics share something, where nobody said that they belong together: a note of pairs says so.
        seed: of bootstrap, permutations and limits of components.
        progress: called with the number of sign flips done.
    """
    options = options or CompareOptions()
    _check_clusters(options, clusters)
    pairs = chosen_pairs(table.summarizers, options) if options.asks_for_pairs else []
    # A leaderboard of two says no more than their pair, which has its own variance.
    if not pairs and len(table.summarizers) == 2:  # there is only one question
        pairs = [(table.summarizers[0], table.summarizers[1])]
    margins = _read_margins(table, pairs, options)
    if options.fragility and options.sequential:
        raise UsageError("`fragility=True` can't be combined with `sequential=True`: compare all topics at once")
    measures_with_unequal_models = _measures_with_unequal_models(table)
    analyses: list[Analysis] = []
    compared_pairs: list[Pair] = []
    sequential_pairs: list[SequentialPair] = []
    fragility: dict[str, FragilitySearch] = {}
    for measure in table.measures:
        matrix = _scored_matrix(table.matrix(measure))
        if not matrix.summarizers:
            continue
        has_unequal_models = measure in measures_with_unequal_models
        scale = (scales or {}).get(measure)
        answers = _judgments_of(matrix.summarizers, (judgments or {}).get(measure, ()))
        judged = judged_summaries(answers) if answers else None
        # Looking after each topic takes the assessors as given, and so does all that is said beside it; the mixed
        # model of random assessors has no clusters.
        asked = options.assessors or ("fixed" if options.sequential or clusters else None)
        fits = PairFits(judged, options, measure=measure, asked=asked, seed=seed) if judged else None
        analysis = Analysis(
            measure=measure,
            scores=MatrixScores(matrix, None if clusters is None else clusters.codes(matrix.topics)),
            options=options,
            seed=seed,
            about=together(
                table.notes.get(measure, ""),
                DESCRIPTIVE if matrix.is_descriptive else "",
                FEWER_MODELS if has_unequal_models else "",
                clusters.note_on(matrix.topics) if clusters else "",
            ),
            cluster=clusters.field if clusters else "",
            assessor_model=_treat_all_assessors(judged, matrix, asked, options, seed),
            judged=judged,
            pair_fits=fits,
            higher_is_better=matrix.higher_is_better,
            is_descriptive=matrix.is_descriptive,
            has_unequal_models=has_unequal_models,
            scale=scale,
            topic_total=table.topic_total,
        )
        _check_interval(analysis)
        analyses.append(analysis)
        if options.sequential:
            sequential_pairs += look_at_pairs(
                matrix, pairs, options, scale=scale, is_rated=bool(answers), clusters=clusters, seed=seed
            )
        else:
            compare_again = partial(
                _compare_without,
                matrix=matrix,
                pairs=pairs,
                options=options,
                answers=answers,
                asked=asked,
                seed=seed,
                margin=margins.get(measure),
                scale=scale,
                clusters=clusters,
            )
            pairs_on_measure: list[Pair] = []
            if pairs:
                pairs_on_measure = compare_pairs(
                    matrix,
                    pairs,
                    options,
                    fits=fits,
                    notes=_notes_on_pairs(table, measure, pairs, has_unequal_models=has_unequal_models),
                    seed=seed,
                    margin=margins.get(measure),
                    scale=scale,
                    clusters=clusters,
                    shared=shared,
                    noise=noise_of_judgments(answers) if answers else noise_of_scores(table, measure),
                    progress=progress,
                )
                compared_pairs += pairs_on_measure
            fragility[measure] = FragilitySearch(
                matrix=matrix,
                pairs=tuple(pairs_on_measure),
                refit=compare_again,
                takes_assessors_as_given=analysis.random is not None,
            )
    has_humans = any(table.kinds.get(summarizer) == "human" for summarizer in table.summarizers)
    return Comparison(
        options=options,
        seed=seed,
        notes=table.notes,
        names=table.names,
        analyses=tuple(analyses),
        pairs=tuple(compared_pairs),
        sequential=tuple(sequential_pairs),
        fragility=fragility,
        lower_is_better=frozenset(name for name in table.measures if not table.is_higher_better(name)),
        descriptive=frozenset(filter(table.is_descriptive, table.measures)),
        single_raters=_find_single_raters(table, judgments or {}),
        primary=primary,
        kind="summarizer" if has_humans else "system",
    )


def _compare_without(
    removed: frozenset[str],
    *,
    matrix: ScoreMatrix,
    pairs: Sequence[tuple[str, str]],
    options: CompareOptions,
    answers: Sequence[Judgment],
    asked: Assessors | None,
    seed: int,
    margin: Margin | None,
    scale: Scale | None,
    clusters: TopicClusters | None,
) -> list[Pair]:
    """The pairs of a measure, compared again without some topics."""
    columns = [column for column, topic in enumerate(matrix.topics) if topic not in removed]
    rest = replace(matrix, topics=tuple(matrix.topics[column] for column in columns), values=matrix.values[:, columns])
    kept_answers = [judgment for judgment in answers if judgment.topic not in removed]
    judged = judged_summaries(kept_answers) if kept_answers else None
    fits = PairFits(judged, options, measure=matrix.measure, asked=asked, seed=seed) if judged else None
    # Fragility compares a pair again for each set of topics that is tried: hundreds of times.
    if options.method != "sign-flip":  # the verdict does not need the permutation test next to it
        options = replace(options, permutations=1)
    return compare_pairs(
        rest, pairs, options, fits=fits, notes={}, seed=seed, margin=margin, scale=scale, clusters=clusters
    )


def _find_single_raters(table: ScoreTable, judgments: Mapping[str, Sequence[Judgment]]) -> dict[str, Rater]:
    """By measure, whether one judge or one assessor alone is behind it."""
    raters: dict[str, Rater] = {}
    for measure in table.measures:
        # Raters answer questions, or have a column of their own; nobody is behind other measures.
        if not measure.startswith(("question", "imported")):
            continue
        rater = find_single_rater(measure, judgments.get(measure, ()), table.signatures(measure))
        if rater is not None:
            raters[measure] = rater
    return raters


def _check_clusters(options: CompareOptions, clusters: TopicClusters | None) -> None:
    """Refuse what takes topics one by one, if topics belong together.

    Raises:
        UsageError: with what to choose instead.
    """
    if clusters is None:
        return
    if options.assessors == "random":
        raise UsageError(
            '`cluster=` can\'t be combined with `assessors="random"`: the mixed model of random assessors takes topics '
            "as independent. Leave out one of the two"
        )
    if options.letters == "tukey":
        raise UsageError(
            '`letters="tukey"` takes topics as independent: with `cluster=`, letters come from paired tests of clusters'
        )
    if options.interval in ("t", "studentized"):
        raise UsageError(
            f"{mention('interval', options.interval)} takes topics as independent: with `cluster=` choose own or "
            "percentile"
        )


def _read_margins(table: ScoreTable, pairs: Sequence[tuple[str, str]], options: CompareOptions) -> dict[str, Margin]:
    """By measure, the largest acceptable loss.

    Raises:
        UsageError: if there is no pair that a margin could be about, or if it can't be read.
    """
    if not options.margin:
        return {}
    if not pairs:
        raise UsageError("`margin=` is about pairs: name them by `pair=`, `against=` or `all_pairs=True`")
    if options.sequential:
        raise UsageError("`margin=` can't be combined with `sequential=True`: compare all topics at once")
    return parse_margins(options.margin, table.measures)


def _treat_all_assessors(
    judged: JudgedSummaries | None, matrix: ScoreMatrix, asked: Assessors | None, options: CompareOptions, seed: int
) -> RandomAssessors | FixedAssessors | None:
    """How the assessors of all systems are treated; None for an automatic measure."""
    if judged is None:
        return None
    return treat_assessors(
        judged, matrix.summarizers, asked, measure=matrix.measure, confidence=options.confidence, seed=seed
    )


def _judgments_of(summarizers: Sequence[str], judgments: Sequence[Judgment]) -> list[Judgment]:
    """The judgments of the summaries that are compared."""
    compared = set(summarizers)
    return [judgment for judgment in judgments if judgment.summarizer in compared]


def _check_interval(analysis: Analysis) -> None:
    """Refuse to resample topics where assessors are a random sample."""
    interval = analysis.options.interval
    if analysis.random is not None and interval in ("percentile", "studentized"):
        raise UsageError(
            f"{mention('interval', interval)} resamples topics, which says nothing about other assessors: "
            'choose t or own, or `assessors="fixed"`'
        )


def _scored_matrix(matrix: ScoreMatrix) -> ScoreMatrix:
    """The summarizers that have a score at all (a table may name others with NaN); topics in the order of names.

    So that a seed draws the same topics in whatever order the rows of a table come.
    """
    rows = np.nonzero((~np.isnan(matrix.values)).any(axis=1))[0]
    # Draws are by position: sorted, they do not depend on the order of rows in a file.
    columns = sorted(range(len(matrix.topics)), key=matrix.topics.__getitem__)
    return replace(
        matrix,
        summarizers=tuple(matrix.summarizers[row] for row in rows),
        topics=tuple(matrix.topics[column] for column in columns),
        values=matrix.values[rows][:, columns],
    )


def order_by_difficulty(matrix: ScoreMatrix) -> list[int]:
    """The columns of topics that have scores, from the easiest to the hardest by the mean of all summarizers."""
    scored = np.flatnonzero((~np.isnan(matrix.values)).any(axis=0))
    means = np.nanmean(matrix.values[:, scored], axis=0)
    # Stable: topics of equal difficulty stay in their order.
    order = np.argsort(-means if matrix.higher_is_better else means, kind="stable")
    return [int(column) for column in scored[order]]


def _notes_on_pairs(
    table: ScoreTable, measure: str, pairs: Sequence[tuple[str, str]], *, has_unequal_models: bool
) -> dict[tuple[str, str], str]:
    """By pair, what one must know about the scores of these two alone, also unequal numbers of models."""
    own_notes = {pair: table.note_on(measure, pair) for pair in pairs}
    if not has_unequal_models:
        return own_notes
    frame = table.frame.filter(pl.col("measure").cast(pl.String) == measure)
    frame = frame.select(pl.col("topic").cast(pl.String), pl.col("summarizer").cast(pl.String), "signature")
    # Signatures hold the number of models. Those of two systems may differ because of topics that only one of them has;
    # what counts are the topics that both have.
    signatures = {
        summarizer: dict(rows.select("topic", "signature").iter_rows())
        for (summarizer,), rows in frame.group_by("summarizer")
    }
    notes = {}
    for a, b in pairs:
        first, second = signatures.get(a, {}), signatures.get(b, {})
        differ = any(first[topic] != second[topic] for topic in first.keys() & second.keys())
        notes[a, b] = together(own_notes[a, b], FEWER_MODELS if differ else "")
    return notes


def _measures_with_unequal_models(table: ScoreTable) -> set[str]:
    """Measures that rest on different numbers of models within a topic: humans are scored without their own."""
    signatures = table.frame.group_by("measure", "topic").agg(pl.col("signature").n_unique())
    return set(signatures.filter(pl.col("signature") > 1)["measure"].cast(pl.String))


def is_large(stored: StoredScores, measures: Sequence[str], options: CompareOptions) -> bool:
    """Whether sums suffice for what is asked, and a matrix would be large."""
    asks_for_pairs = options.asks_for_pairs or options.sequential or options.margin
    needs_topics = options.cluster is not None or options.fragility
    # Two systems are always compared as a pair, which needs their scores topic by topic.
    can_sum = options.interval in (None, "t") and not needs_topics and len(stored.summarizers) > 2
    return not asks_for_pairs and can_sum and max(map(stored.rows_of, measures), default=0) >= LARGE


def compare_large(
    stored: StoredScores,
    measures: Sequence[str],
    options: CompareOptions,
    *,
    scales: Mapping[str, tuple[float, float]],
    seed: int,
) -> Comparison:
    """Compare on score tables with millions of topics: sums over topics instead of a matrix of all cells.

    Leaderboards, analysis of variance, letters and Friedman's test are those of `compare`, up to rounding.
    """
    facts = stored.facts
    directions = {measure: facts.higher_is_better.get(measure, True) for measure in measures}
    analyses: list[Analysis] = []
    for measure in measures:
        scores = sum_scores(stored, measure)
        is_descriptive = directions[measure] is None
        analysis = Analysis(
            measure=measure,
            scores=scores,
            options=options,
            seed=seed,
            about=together(facts.notes.get(measure, ""), DESCRIPTIVE if is_descriptive else ""),
            higher_is_better=directions[measure] is not False,
            is_descriptive=is_descriptive,
            scale=scales.get(measure),
            topic_total=max(facts.topic_count, scores.topic_count),
        )
        analyses.append(analysis)
    return Comparison(
        options=options,
        seed=seed,
        notes=facts.notes,
        names=facts.names,
        analyses=tuple(analyses),
        lower_is_better=frozenset(measure for measure in measures if directions[measure] is False),
        descriptive=frozenset(measure for measure in measures if directions[measure] is None),
        kind="system",
    )


def sum_scores(stored: StoredScores, measure: str) -> SummedScores:
    """Sums of a measure over all topics, those of all pairs, and enough complete topics to see unequal variances."""
    means = stored.means_of(measure)
    size = means.height
    # Sums of squares are taken about the mean of all scores, where they lose the fewest digits.
    centre = float(np.average(means["value"].to_numpy(), weights=means["n"].to_numpy()))
    moments, pair_sums = Moments(size=size, centre=centre), PairSums(size=size)
    sample = np.zeros((size, 0))
    for block in stored.blocks(measure):
        moments.add(block)
        # Sums for pairs grow with the square of the summarizers.
        if size <= MOST_SUMMARIZERS:
            pair_sums.add(block)
        if sample.size < MOST_CELLS:
            sample = np.concatenate([sample, block[:, ~np.isnan(block).any(axis=0)]], axis=1)
    return SummedScores(summarizers=tuple(means["summarizer"]), moments=moments, pair_sums=pair_sums, sample=sample)
