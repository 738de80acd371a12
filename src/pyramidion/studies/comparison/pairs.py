"""Is B better than A: the paired difference on shared topics, tested with the scores of these two alone."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal

import numpy as np

from pyramidion.arrays import Bools, Floats, Integers
from pyramidion.errors import UsageError, check_known, mention
from pyramidion.options import Assessors, CompareOptions, Correction, PairMethod
from pyramidion.scores import ScoreMatrix
from pyramidion.show.tables import WordedRow, hidden, optional, words_of
from pyramidion.show.wording import defined
from pyramidion.statistics.multiple import adjusted, least_adjusted
from pyramidion.statistics.pairs import (
    PairedTests,
    effect_limits,
    p_without_spread,
    paired_differences,
    paired_tests,
)
from pyramidion.statistics.power import topics_needed
from pyramidion.statistics.sign_flips import EXHAUSTIVE, PairedValues, fewest_topics, least_sign_flip_p
from pyramidion.statistics.values import SLACK, t_critical, t_p
from pyramidion.statistics.variance import OwnVarianceTests, tests_from_p
from pyramidion.studies.clusters import TopicClusters
from pyramidion.studies.comparison.assessors import (
    FixedAssessors,
    JudgedSummaries,
    RandomAssessors,
    treat_assessors,
)
from pyramidion.studies.margins import Margin
from pyramidion.studies.runs import NoiseSource, RunNoise
from pyramidion.studies.scales import Scale, choose_scale

FEW_CLUSTERS = 5
"""With fewer clusters, a test has next to no power."""
FEW_DIFFERENCES = 3
"""With fewer differences, that most of them are equal says nothing."""
TESTS: Mapping[PairMethod, str] = {"t": "paired t test", "sign-flip": "sign-flip test", "bounded": "betting test"}
CLUSTERED_TESTS: Mapping[PairMethod, str] = {
    "t": "t test of clusters",
    "sign-flip": "sign-flip test of clusters",
    "bounded": "betting test of clusters",
}
PairVerdict = Literal["better", "worse", "equivalent", "not-worse", "higher", "lower", "undecided"]
MARGIN_POWER = 0.8
"""The chance to show that two equal systems differ by less than a margin, for which topics are planned."""
MIXED = "mixed model"
"""The test of a pair whose assessors are treated as a random sample."""


class Pair(WordedRow, record="pair", properties={"sentence": "n", "better": "sentence", "note": "", "reason": ""}):
    """Two summarizers on one measure, over the topics that both have; None where undefined, with the reason."""

    measure: str
    a: str
    b: str
    difference: float | None
    """Mean difference; above 0 if a is better, also where lower scores are better."""
    lower: float | None
    """Limits of the difference; of several pairs at the Bonferroni level."""
    upper: float | None
    p: float | None
    """Two-sided, of the chosen method."""
    p_adjusted: float | None
    """Adjusted for the pairs of this measure."""
    p_permutation: float | None
    """Two-sided, of the sign-flip test, whichever the method."""
    effect: float | None
    """Cohen's d_z: difference / standard deviation of the differences."""
    effect_lower: float | None = optional()
    """Limits of the effect by the noncentral t, of several pairs at the Bonferroni level; left out with clusters and
    with random assessors."""
    effect_upper: float | None = optional()
    win: int
    """Topics on which a is better."""
    tie: int
    loss: int
    n: int
    exact: bool
    """Whether p_permutation counts all sign flips, not a sample."""
    least_p: float | None
    """Sign-flip test: the smallest p_adjusted that this number of topics and pairs allows, whatever the scores."""
    correction: Correction
    confidence: float
    method: PairMethod
    seed: int
    df: float | None = None
    """Degrees of freedom of the t test."""
    margin: float | None = None
    """The largest acceptable loss of a against b, in units of the measure; None: none was given."""
    verdict: PairVerdict = "undecided"
    """On a, compared with b, the first that holds: significantly better, worse; with a margin also equivalent (the
    interval lies within the margin on both sides), not-worse (it lies above −margin); else undecided. On measures that
    only describe: higher, lower, equivalent, undecided."""
    assessors: Assessors = "fixed"
    cluster: str = ""
    """The field by which topics belong together, if clusters are the unit of the test."""
    clusters: int | None = optional()
    """How many clusters the topics are of; left out if topics are independent."""
    design_effect: float | None = optional()
    """How many times clusters make the variance of the difference larger than independent topics would."""
    runs: int | None = optional()
    """Where scores are means of several runs of a system or a judge: of how many, at most."""
    run_share: float | None = optional()
    """The share of the variance of the difference that is due to runs."""
    noise: NoiseSource = hidden(default="")
    """What varies from run to run."""
    has_fewer_runs: bool = hidden(default=False)
    """Whether some scores are means of fewer runs."""
    shared_field: str = hidden(default="")
    """What topics share that were not said to be clusters: parent or document."""
    shared_topics: int = hidden(default=0)
    """How many topics share it with another topic of the pair."""
    error: float | None = hidden(default=None)
    """Standard error of the difference."""
    sd: float | None = hidden(default=None)
    """Standard deviation of the differences."""
    is_not_worse: bool = hidden(default=False)
    """Whether the interval shows that a is not worse than b by more than the margin."""
    is_not_better: bool = hidden(default=False)
    """Whether the interval shows that a is not better than b by more than the margin."""
    is_descriptive: bool = hidden(default=False)
    """Whether neither high nor low values are better."""
    family: int = hidden(default=1)
    """How many pairs were tested."""
    permutations: int = hidden(default=0)
    most_equal: int = hidden(default=0)
    """How many differences have the value that is most frequent among them."""
    left_out: int = hidden(default=0)
    """Topics on which only one of the two has a score."""
    assessor_count: int = hidden(default=0)
    """How many assessors judged the two, where they are treated as a random sample."""
    fixed_assessors: FixedAssessors | None = hidden(default=None)
    """The assessors of a question, where they are taken as given."""
    about_scores: str = hidden(default="")
    """What one must know about the scores of the two."""

    @property
    def sentence(self) -> str:
        """What the test says of the two, in plain words."""
        return words_of(self, "sentence")

    @property
    def level(self) -> float:
        """The level of significance, with room for rounding."""
        return (1 - self.confidence / 100) * (1 + 1e-12)

    @property
    def is_possible(self) -> bool:
        """Whether any scores on these topics could have reached significance."""
        return self.least_p is None or self.least_p <= self.level

    @property
    def is_decided(self) -> bool:
        """Whether the two differ significantly, after correction."""
        return self.p_adjusted is not None and self.p_adjusted <= self.level and bool(self.difference)

    @property
    def better(self) -> str:
        """Who is significantly better; empty if undecided, or if the measure only describes."""
        if not self.is_decided or self.is_descriptive:
            return ""
        return self.a if (self.difference or 0) > 0 else self.b

    @property
    def is_too_wide(self) -> bool:
        """Whether even two equal systems could hardly be shown to be within the margin: the interval is too wide."""
        if self.margin is None or self.lower is None or self.upper is None:
            return False
        return (self.upper - self.lower) / 2 > self.margin

    @property
    def topics_for_margin(self) -> int | None:
        """How many topics show with 80 % power that two equal systems differ by less than the margin.

        For the paired t test; None without a margin, with random assessors or without a spread. With clusters, as many
        more clusters of as many topics as there are.
        """
        if self.margin is None or not self.sd or self.assessors == "random":
            return None
        confidence = interval_confidence(self.confidence, self.family, self.correction)
        alpha = 1 - confidence / 100
        if self.clusters is None:
            return topics_needed(difference=self.margin, sd=self.sd, power=MARGIN_POWER, alpha=alpha)
        if not self.error:
            return None
        # As if a cluster were one topic: the spread whose mean over so many clusters has this standard error.
        spread = self.error * self.clusters**0.5
        clusters = topics_needed(difference=self.margin, sd=spread, power=MARGIN_POWER, alpha=alpha)
        return None if clusters is None else math.ceil(clusters * self.n / self.clusters)

    @property
    def units(self) -> int:
        """What the test takes as independent: clusters, or topics."""
        return self.n if self.clusters is None else self.clusters

    @property
    def unit(self) -> str:
        """What one of them is called."""
        return "topic" if self.clusters is None else "cluster"

    @property
    def is_corrected(self) -> bool:
        """Whether p is corrected for the number of pairs."""
        return self.family > 1 and self.correction != "none"

    @property
    def test_name(self) -> str:
        """What the test is called."""
        if self.assessors == "random":
            return MIXED
        if self.method == "t" and self.df is None:  # nothing varies, and p is that of sign flips
            return TESTS["sign-flip"] if self.clusters is None else CLUSTERED_TESTS["sign-flip"]
        return TESTS[self.method] if self.clusters is None else CLUSTERED_TESTS[self.method]

    @property
    def needed_for_interval(self) -> str:
        """What the sign-flip test needs to reach the level of the interval."""
        if not self.exact:
            return "more permutations"
        fewest = fewest_topics(interval_confidence(self.confidence, self.family, self.correction))
        return f"more than {EXHAUSTIVE} {self.unit}s" if fewest is None else f"at least {fewest} {self.unit}s"

    def with_verdict(self) -> Pair:
        """The pair with its verdict."""
        return replace(self, verdict=_verdict(self))


def _verdict(pair: Pair) -> PairVerdict:
    """The first that holds: different, equivalent, not worse by more than the margin, undecided."""
    if pair.is_decided:
        is_higher = (pair.difference or 0) > 0
        if pair.is_descriptive:
            return "higher" if is_higher else "lower"
        return "better" if is_higher else "worse"
    if pair.is_not_worse and pair.is_not_better:
        return "equivalent"
    if pair.is_not_worse and not pair.is_descriptive:
        return "not-worse"
    return "undecided"


def correct_for_measures(pairs: Sequence[Pair]) -> list[Pair]:
    """Of the comparisons of two systems on several measures, those still significant after Holm's correction."""
    p = np.array([np.nan if pair.p_adjusted is None else pair.p_adjusted for pair in pairs])
    corrected = adjusted(p, correction="holm")
    return [pair for pair, value in zip(pairs, corrected, strict=True) if pair.better and value <= pair.level]


def interval_confidence(confidence: float, pairs: int, correction: Correction) -> float:
    """The confidence of one of several intervals, in per cent: at the Bonferroni level, unless nothing is corrected."""
    return confidence if correction == "none" else 100 - (100 - confidence) / max(pairs, 1)


def chosen_pairs(summarizers: Sequence[str], options: CompareOptions) -> list[tuple[str, str]]:
    """The pairs that were asked for: by name, every summarizer against one, or all; each pair once.

    A pair that is asked for both ways is tested once, as it was named first: else the correction would count it twice.
    """
    if options.all_pairs and (options.pair or options.against is not None):
        raise UsageError(
            "`all_pairs=True` compares every pair: leave out `pair=` and `against=`, or leave out `all_pairs=`"
        )
    if options.all_pairs:
        return list(combinations(summarizers, 2))
    pairs = list(options.pair)
    names = [name for pair in pairs for name in pair]
    if options.against is not None:
        names.append(options.against)
        pairs += [(summarizer, options.against) for summarizer in summarizers if summarizer != options.against]
    for name in names:
        check_known(name, summarizers, f"no summarizer {name!r}")
    for first, second in pairs:
        if first == second:
            raise UsageError(f"pair {first} {second}: expected two different summarizers")
    # By the set of the two names: B against A is the same test as A against B.
    unique_pairs: dict[frozenset[str], tuple[str, str]] = {}
    for pair in pairs:
        unique_pairs.setdefault(frozenset(pair), pair)
    return list(unique_pairs.values())


class PairFits:
    """How the assessors of a question are treated in each pair, from the judgments of its two systems alone."""

    def __init__(
        self,
        judged: JudgedSummaries,
        options: CompareOptions,
        *,
        measure: str,
        asked: Assessors | None,
        seed: int,
    ) -> None:
        self._judged = judged
        self._options = options
        self._measure = measure
        self._asked = asked
        self._seed = seed
        self._fits: dict[tuple[str, str], RandomAssessors | FixedAssessors] = {}

    def of(self, a: str, b: str) -> RandomAssessors | FixedAssessors:
        """How the assessors of two systems are treated."""
        if (a, b) not in self._fits:
            self._fits[a, b] = treat_assessors(
                self._judged.of((a, b)),
                (a, b),
                self._asked,
                measure=f"{self._measure} for {a} and {b}",
                confidence=self._options.confidence,
                seed=self._seed,
            )
        return self._fits[a, b]


def fit_all_pairs(
    tests: OwnVarianceTests, summarizers: Sequence[str], fits: PairFits, *, confidence: float
) -> OwnVarianceTests:
    """Tests of all pairs with Holm's correction, each by the mixed model of its two systems' judgments.

    A pair whose assessors can't be treated as random keeps its paired t test.
    """
    differences, p = tests.differences.copy(), tests.p.copy()
    for first, second in combinations(range(len(summarizers)), 2):
        fit = fits.of(summarizers[first], summarizers[second])
        if isinstance(fit, RandomAssessors) and not np.isnan(p[first, second]):
            fitted, variances, freedom = fit.pairs
            differences[first, second], differences[second, first] = fitted[0, 1], fitted[1, 0]
            t = fitted[0, 1] / np.sqrt(variances[0, 1])
            p[first, second] = p[second, first] = float(t_p(t, freedom[0, 1]))
    return tests_from_p(differences, p, confidence=confidence)


def compare_pairs(
    matrix: ScoreMatrix,
    pairs: Sequence[tuple[str, str]],
    options: CompareOptions,
    *,
    fits: PairFits | None,
    notes: Mapping[tuple[str, str], str],
    seed: int,
    margin: Margin | None = None,
    scale: Scale | None = None,
    clusters: TopicClusters | None = None,
    shared: TopicClusters | None = None,
    noise: RunNoise | None = None,
    progress: Callable[[int], None] | None = None,
) -> list[Pair]:
    """Compare pairs on one measure, each by the scores of its two systems; p values are adjusted for these pairs.

    Args:
        matrix: the scores.
        pairs: who is compared with whom.
        options: how.
        fits: how assessors are treated; None without judgments.
        notes: by pair, what one must know about its scores.
        seed: of the sign flips, and of the order of topics in a betting test.
        margin: the largest acceptable loss of the first system of a pair against the second.
        scale: the lowest and the highest value of the measure, where known.
        clusters: which topics belong together; None if they are independent.
        shared: which topics share something, where nobody said that they belong together.
        noise: how much scores vary that are means of runs.
        progress: called with the number of sign flips done since the last call.
    """
    row_of = {summarizer: row for row, summarizer in enumerate(matrix.summarizers)}
    scored = [place for place, (a, b) in enumerate(pairs) if a in row_of and b in row_of]
    rows = [(row_of[pairs[place][0]], row_of[pairs[place][1]]) for place in scored]
    differences = np.full((len(pairs), matrix.values.shape[1]), np.nan)
    differences[scored] = paired_differences(matrix.values, rows)
    if not matrix.higher_is_better:
        differences = -differences
    unshared = np.zeros(len(pairs), dtype=np.int64)
    present = ~np.isnan(matrix.values)
    unshared[scored] = [int((present[first] ^ present[second]).sum()) for first, second in rows]
    # A pair without shared topics is not tested, and must not make the correction stricter for others.
    family = int((~np.isnan(differences)).any(axis=1).sum())
    level = interval_confidence(options.confidence, family, options.correction)
    scales = None
    if options.method == "bounded":
        scales = np.full((len(pairs), 2), np.nan)
        for place, (first, second) in zip(scored, rows, strict=True):
            scales[place] = _require_scale(matrix.measure, matrix.values[[first, second]], scale, options)
    codes = None if clusters is None else clusters.codes(matrix.topics)
    tests = paired_tests(
        differences,
        method=options.method,
        confidence=level,
        permutations=options.permutations,
        seed=seed,
        progress=progress,
        # Only where each pair has its rows: a system without any score has none.
        source=PairedValues(matrix.values, rows) if len(rows) == len(pairs) else None,
        bounds=None if scales is None else _bounds_of_contrast(scales, 1.0, -1.0),
        clusters=codes,
    )
    models = [fits.of(a, b) if fits and tests.n[place] else None for place, (a, b) in enumerate(pairs)]
    tests = _with_random_assessors(tests, models, matrix, options, level)
    p_adjusted = adjusted(tests.p, correction=options.correction)
    margins = None
    if margin is not None:
        baselines = np.full(differences.shape, np.nan)
        baselines[scored] = matrix.values[[second for _, second in rows]]
        margins = _test_margin(
            tests,
            differences,
            baselines,
            margin,
            models,
            options,
            confidence=level,
            seed=seed,
            scales=scales,
            sign=1.0 if matrix.higher_is_better else -1.0,
            clusters=codes,
        )
    effect_lower, effect_upper = effect_limits(tests.effect, tests.n, confidence=level)
    compared: list[Pair] = []
    for place, (a, b) in enumerate(pairs):
        model = models[place]
        is_random = isinstance(model, RandomAssessors)
        least = None
        if options.method == "sign-flip" and tests.n[place]:
            alone = least_sign_flip_p(int(tests.units[place]), permutations=options.permutations)
            least = least_adjusted(alone, tests=family, correction=options.correction)
        topics = [matrix.topics[column] for column in np.flatnonzero(~np.isnan(differences[place]))]
        shared_topics = 0
        if shared is not None and clusters is None:
            shared_topics = shared.count_shared(topics)
        runs, run_share = None, None
        pair_noise = noise.of_pair(a, b, topics) if noise is not None and topics else None
        if pair_noise is not None:
            runs = pair_noise.runs
            error = float(tests.spread_error[place])
            run_share = pair_noise.share_of(error) if error > 0 and not is_random else None
        effect_limit_pair: tuple[float | None, float | None] = None, None
        if clusters is None and not is_random:
            effect_limit_pair = defined(effect_lower[place]), defined(effect_upper[place])
        pair = Pair(
            measure=matrix.measure,
            a=a,
            b=b,
            difference=defined(tests.difference[place]),
            lower=defined(tests.lower[place]),
            upper=defined(tests.upper[place]),
            p=defined(tests.p[place]),
            p_adjusted=defined(p_adjusted[place]),
            p_permutation=defined(tests.p_permutation[place]),
            effect=defined(tests.effect[place]),
            effect_lower=effect_limit_pair[0],
            effect_upper=effect_limit_pair[1],
            win=int(tests.wins[place]),
            tie=int(tests.ties[place]),
            loss=int(tests.losses[place]),
            n=int(tests.n[place]),
            exact=bool(tests.exact[place]),
            least_p=least,
            correction=options.correction,
            confidence=options.confidence,
            method=options.method,
            df=defined(tests.df[place]),
            margin=defined(margins.size[place]) if margins else None,
            is_not_worse=bool(margins.is_not_worse[place]) if margins else False,
            is_not_better=bool(margins.is_not_better[place]) if margins else False,
            sd=defined(tests.spread[place]),
            error=defined(tests.error[place]),
            runs=runs,
            run_share=run_share,
            noise="" if pair_noise is None else pair_noise.source,
            has_fewer_runs=pair_noise is not None and pair_noise.has_fewer,
            shared_field=shared.field if shared is not None else "",
            shared_topics=shared_topics,
            cluster="" if clusters is None else clusters.field,
            clusters=None if clusters is None else int(tests.units[place]),
            design_effect=None if clusters is None else defined(tests.design_effect[place]),
            is_descriptive=matrix.is_descriptive,
            permutations=options.permutations,
            most_equal=int(tests.most_equal[place]),
            family=family,
            left_out=int(unshared[place]),
            assessors="random" if is_random else "fixed",
            assessor_count=model.assessors if isinstance(model, RandomAssessors) else 0,
            seed=seed,
            about_scores=notes.get((a, b), ""),
            fixed_assessors=model if isinstance(model, FixedAssessors) else None,
        )
        compared.append(pair.with_verdict())
    return compared


@dataclass(frozen=True, kw_only=True, eq=False)
class _MarginTests:
    """What intervals show about a margin, one entry a pair."""

    size: Floats
    """The margin in units of the measure; NaN if no topic is shared."""
    is_not_worse: Bools
    is_not_better: Bools


def _test_margin(
    tests: PairedTests,
    differences: Floats,
    baselines: Floats,
    margin: Margin,
    models: Sequence[RandomAssessors | FixedAssessors | None],
    options: CompareOptions,
    *,
    confidence: float,
    seed: int,
    scales: Floats | None,
    sign: float,
    clusters: Integers | None,
) -> _MarginTests:
    """Whether the interval of each difference lies above −margin, and below the margin.

    A share of the baseline's mean is tested as a contrast, (a − b) + share·b, so that the baseline's own error counts.
    Where all differences are equal there is no interval: the sign-flip test of the differences beside the margin
    decides, as in `gate`.

    Raises:
        UsageError: for a share of a mean that is not above 0, or with random assessors.
    """
    if not margin.share:
        size = np.where(tests.n > 0, margin.units, np.nan)
        return _MarginTests(
            size=size,
            is_not_worse=_are_above_zero(tests, tests.lower + margin.units, margin.units, confidence),
            is_not_better=_are_above_zero(tests, margin.units - tests.upper, margin.units, confidence, sign=-1.0),
        )
    if any(isinstance(model, RandomAssessors) for model in models):
        raise UsageError(
            "`margin=` in percent can't be combined with assessors as a random sample: give it in units of the "
            'measure, such as `margin="0.1"`, or choose `assessors="fixed"`'
        )
    shared_baselines = np.where(np.isnan(differences), np.nan, baselines)
    losses = margin.share * shared_baselines
    size = np.array([np.nan if np.isnan(row).all() else np.nanmean(row) for row in losses])
    if (size <= 0).any():
        raise UsageError(
            "`margin=` in percent needs a baseline with a mean above 0: give it in units of the measure, such as "
            '`margin="0.1"`'
        )

    def test(contrasts: Floats, share: float) -> PairedTests:
        # Only the limits are used: beside a t test, nobody reads the p of the flips.
        permutations = options.permutations if options.method == "sign-flip" else None
        return paired_tests(
            contrasts,
            method=options.method,
            confidence=confidence,
            permutations=permutations,
            seed=seed,
            bounds=None if scales is None else _bounds_of_contrast(scales, sign, share - sign),
            clusters=clusters,
        )

    above, below = test(differences + losses, margin.share), test(differences - losses, -margin.share)
    return _MarginTests(
        size=size,
        is_not_worse=_are_above_zero(above, above.lower, 0.0, confidence),
        is_not_better=_are_above_zero(below, -below.upper, 0.0, confidence, sign=-1.0),
    )


def _are_above_zero(tests: PairedTests, lower: Floats, shift: float, confidence: float, sign: float = 1.0) -> Bools:
    """Whether sign·mean + shift is shown to be above 0: by its lower limit, or where nothing varies by sign flips.

    Args:
        tests: of the means.
        lower: the lower limits of sign·mean + shift; NaN where there is none.
        shift: what is added.
        confidence: of the limits.
        sign: 1, or −1 for what lies below.
    """
    is_constant = np.isnan(lower) & np.isnan(tests.spread_error) & (tests.units > 0)
    means = sign * np.where(is_constant, tests.difference, 0.0) + shift
    p = p_without_spread(means, np.where(is_constant, tests.units, 1))
    level = (1 - confidence / 100) * (1 + SLACK)
    # A comparison with NaN, where there is no interval, is False: nothing is shown.
    return np.asarray((lower > 0) | (is_constant & (means > 0) & (p <= level)))


def _require_scale(measure: str, values: Floats, own: Scale | None, options: CompareOptions) -> Scale:
    """The scale of the two systems' scores, which a betting test needs.

    Raises:
        UsageError: if it is not known.
    """
    scale = choose_scale(measure, values, own, options.scale)
    if scale is not None:
        return scale
    problem = "is not known"
    if own is not None:
        problem = f"is not the usual one ({own[0]:g} to {own[1]:g})"
    raise UsageError(
        f'`method="bounded"` needs the scale of {measure}, which {problem}: give the lowest and the highest score that '
        "is possible, such as `scale=(1, 5)`"
    )


def _bounds_of_contrast(scales: Floats, first: float, second: float) -> Floats:
    """The least and the largest value of first·a + second·b for scores a, b on each scale (pairs × 2)."""
    corners = np.stack([first * scales[:, [0, 1, 0, 1]], second * scales[:, [0, 0, 1, 1]]]).sum(axis=0)
    return np.stack([corners.min(axis=1), corners.max(axis=1)], axis=1)


def _with_random_assessors(
    tests: PairedTests,
    models: Sequence[RandomAssessors | FixedAssessors | None],
    matrix: ScoreMatrix,
    options: CompareOptions,
    confidence: float,
) -> PairedTests:
    """Tests in which pairs with random assessors have the difference, limits and p of their own mixed model.

    Raises:
        UsageError: if a test was asked for that takes the assessors as given.
    """
    random_models = {place: model for place, model in enumerate(models) if isinstance(model, RandomAssessors)}
    if not random_models:
        return tests
    if options.method != "t":
        raise UsageError(
            f"{mention('method', options.method)} takes topics as a sample, which says nothing about other assessors: "
            'choose `method="t"`, or `assessors="fixed"`'
        )
    difference, lower, upper = tests.difference.copy(), tests.lower.copy(), tests.upper.copy()
    p, freedom = tests.p.copy(), tests.df.copy()
    for place, model in random_models.items():
        differences, variances, pair_freedom = model.pairs
        # The model knows only the numbers; a positive difference must say that a is better.
        estimate = float(differences[0, 1]) if matrix.higher_is_better else -float(differences[0, 1])
        error, error_freedom = float(np.sqrt(variances[0, 1])), float(pair_freedom[0, 1])
        half = float(t_critical(confidence, error_freedom)) * error
        difference[place], lower[place], upper[place] = estimate, estimate - half, estimate + half
        p[place], freedom[place] = float(t_p(estimate / error, error_freedom)), error_freedom
    return replace(tests, difference=difference, lower=lower, upper=upper, p=p, df=freedom)
