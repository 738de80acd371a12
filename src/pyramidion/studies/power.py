"""How many topics a comparison needs, or the smallest difference it can detect, from the variances of a pilot.

A pilot is any score table. Two summarizers are compared by the mean of their paired differences over topics. Its spread
comes from the two-way residual variance of all summarizers (a difference has variance 2·MSE), or, for a named pair,
from that pair's own differences. Where `compare` treats a question's assessors as a random sample, so does this: the
variance of a difference then has a part that more topics do not reduce (`statistics.design`). Where topics belong
together, the variance is that of `compare` with clusters, and clusters of the pilot's size are planned.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Literal

import numpy as np

from pyramidion.arrays import Floats, Integers
from pyramidion.campaign.nouns import Judgment
from pyramidion.errors import UsageError, mention
from pyramidion.options import Assessors, CompareOptions, PowerOptions
from pyramidion.scores import ScoreMatrix, ScoreTable
from pyramidion.show.tables import ExplainedRow, Finding, hidden, optional
from pyramidion.show.wording import defined, together
from pyramidion.statistics import paired_differences, two_way_anova
from pyramidion.statistics.clusters import ClusterSums
from pyramidion.statistics.design import design_power, detectable_shift, least_topics
from pyramidion.statistics.family_power import (
    FamilyPower,
    FamilyTest,
    simulate_family_power,
    simulate_judged_power,
)
from pyramidion.statistics.pairs import paired_tests
from pyramidion.statistics.power import (
    detectable_difference,
    paired_power,
    topics_for_equivalence,
    topics_needed,
    variance_limits,
)
from pyramidion.statistics.values import SLACK, quotients, spreads_of
from pyramidion.statistics.variance import check_variances
from pyramidion.studies.clusters import TopicClusters
from pyramidion.studies.comparison.assessors import FixedAssessors, judged_summaries, treat_assessors
from pyramidion.studies.comparison.pairs import chosen_pairs
from pyramidion.studies.design import Pilot as DesignPilot

TOPICS = (5, 10, 20, 30, 50, 100, 200, 500)
"""Numbers of topics for which a detectable difference is given if none are asked for."""

FEWEST_SHARED = 5
"""Topics that two systems share at least before their own spread is given as an example."""

DRAWS = 1_000
"""Draws of the variances behind the limits where assessors are random."""

Solved = Literal["topics", "difference", "power"]
Goal = Literal["", "not-worse", "equivalent"]


@dataclass(frozen=True, kw_only=True)
class AssessorSample:
    """Assessors as a random sample: as many as in the pilot."""

    count: int
    judgments: int
    """Of each summary; on average, rounded."""


PowerGap = Literal[
    "",
    "few-shared-topics",
    "few-common-topics",
    "few-common-clusters",
    "no-spread",
    "one-cluster",
    "small-pilot",
    "small-difference",
    "more-assessors",
    "perhaps-more-assessors",
]
"""Why a statement on power, or one of its limits, can't be made; empty if it can."""


class PowerStatement(ExplainedRow, record="power"):
    """This many topics detect this difference with this power; one of the three was solved for."""

    measure: str
    a: str
    """Empty, like b, for any pair: the spread is that of all summarizers."""
    b: str
    solved: Solved
    difference: float | None
    """Between the means; with a goal, the margin that two equal systems are shown to be within."""
    goal: Goal = ""
    """What topics are planned for with a margin: to show that a system is not worse by more than it (not-worse), or
    that two systems differ by less than it (equivalent); left out if a difference is to be detected."""
    power: float | None
    alpha: float
    """Significance level of one two-sided test."""
    topics: int | None
    lower: float | None
    """Limits of what was solved for, given how well the pilot determines the spread."""
    upper: float | None
    sd: float | None
    """Standard deviation of paired differences in the pilot; with random assessors or clusters, √topics times the
    standard error of a difference in a design like the pilot."""
    pilot_topics: int
    cluster: str = ""
    """The field by which topics belong together."""
    clusters: int | None = optional()
    """How many clusters of the pilot's size the topics make; left out if topics are independent."""
    pilot_clusters: int | None = optional()
    design_effect: float | None = optional()
    """How many times clusters make the variance of a difference larger than independent topics would."""
    fewest_of_pairs: int | None = hidden(default=None)
    """If topics were solved for, for any pair: the topics that the pair with the least spread of its own needs."""
    most_of_pairs: int | None = hidden(default=None)
    """As `fewest_of_pairs`, for the pair with the largest spread."""
    family_power: float | None = optional()
    """Power for this difference where all pairs of systems are tested, as the letters of `compare` do, on average over
    pairs (simulated); left out for a named pair, for two systems, and where no difference was asked for."""
    family_lower: float | None = optional()
    """The least of all pairs; left out where all pairs have one variance (random assessors)."""
    family_upper: float | None = optional()
    family_systems: int | None = optional()
    family_test: str = ""
    """tukey or paired: what `compare` takes for a campaign like the pilot."""
    assessors: Assessors = "fixed"
    """How a question's assessors are treated, as in `compare`."""
    gap: PowerGap = hidden(default="")
    """Why what was solved for, or one of its limits, is undefined."""
    cluster_size: float = hidden(default=1.0)
    """Topics of a cluster in the pilot, on average."""
    assessor_model: FixedAssessors | AssessorSample | None = hidden(default=None)
    """The assessors that the numbers hold for; None for automatic measures."""


class Power(Finding, eq=True):
    """For each measure and pair: the topics that are needed, and what numbers of topics can detect."""

    statements: tuple[PowerStatement, ...]
    options: PowerOptions

    def __repr__(self) -> str:
        measures = dict.fromkeys(statement.measure for statement in self.statements)
        return f"<Power on {', '.join(measures) or 'nothing'}>"


def power_analysis(
    table: ScoreTable,
    options: PowerOptions | None = None,
    *,
    judgments: Mapping[str, Sequence[Judgment]] | None = None,
    clusters: TopicClusters | None = None,
    seed: int = 0,
) -> Power:
    """What a campaign of n topics can detect, for every measure of a pilot.

    With a difference: the topics that are needed, and the power of each number of topics. Each number of topics gets
    its smallest detectable difference; by default some from 5 to 500, and the pilot's own.

    Args:
        table: the scores of the pilot.
        options: what is solved for.
        judgments: by measure, the single judgments behind it; assessors are treated as `compare` treats them.
        clusters: which topics belong together; None if they are independent.
        seed: of the limits where assessors are random.
    """
    options = options or PowerOptions()
    if clusters is not None and options.assessors == "random":
        raise UsageError(
            '`cluster=` can\'t be combined with `assessors="random"`: the mixed model of random assessors takes topics '
            "as independent. Leave out one of the two"
        )
    if clusters is not None:  # as in `compare`
        options = replace(options, assessors="fixed")
    # Bonferroni's level. From percentages, because 1 − 95/100 is not .05 to the last digit.
    alpha = (100 - options.confidence) / 100 / options.comparisons
    if options.power_in_percent / 100 <= alpha:
        raise UsageError(
            f"{mention('power', options.power)}: chance alone finds {100 * alpha:g} %; expected a percentage above "
            "that, such as 80"
        )
    pairs = chosen_pairs(table.summarizers, CompareOptions(pair=options.pair))
    _check_difference(table, options.difference)
    _check_margin(table, options.margin)
    statements: list[PowerStatement] = []
    for measure in table.measures:
        matrix, note = table.matrix(measure), table.notes.get(measure, "")
        if clusters is not None:
            note = together(note, clusters.note_on(matrix.topics))
        for pilot in _pilots(matrix, pairs, clusters, seed):
            judged_pilot = _with_assessors(pilot, matrix, (judgments or {}).get(measure, ()), options, seed)
            if isinstance(judged_pilot, _JudgedPilot):
                statements += _JudgedPlan(judged_pilot, options, alpha, note).statements()
            else:
                statements += _PowerPlan(judged_pilot, options, alpha, note).statements()
    return Power(statements=tuple(statements), options=options)


def _with_assessors(
    pilot: _PilotSpread, matrix: ScoreMatrix, judgments: Sequence[Judgment], options: PowerOptions, seed: int
) -> _PilotSpread | _JudgedPilot:
    """The pilot with its assessors: as a random sample where `compare` takes them so, else as given."""
    rows_with_scores = np.flatnonzero((~np.isnan(matrix.values)).any(axis=1))
    systems = [matrix.summarizers[row] for row in rows_with_scores]
    # A named pair is planned with the assessors of its two systems alone, as `compare --pair` tests it.
    if pilot.a:
        systems = [system for system in (pilot.a, pilot.b) if system in systems]
    judgments = [judgment for judgment in judgments if judgment.summarizer in systems]
    if not judgments:
        return pilot
    judged = judged_summaries(judgments)
    model = treat_assessors(
        judged, systems, options.assessors, measure=matrix.measure, confidence=options.confidence, seed=seed
    )
    if isinstance(model, FixedAssessors):
        return replace(pilot, assessor_model=model)
    # The variances come from all systems together, and the plan is for two of them.
    summaries = {(judgment.topic, judgment.summarizer) for judgment in judged.judgments}
    design = DesignPilot.from_components(matrix.measure, model.components, systems=2, seed=seed)
    # Fewer draws than for `design`: here they are asked for again with every number of topics.
    design = replace(design, draws={term: values[:DRAWS] for term, values in design.draws.items()})
    sample = AssessorSample(count=model.assessors, judgments=round(len(judged.judgments) / len(summaries)))
    return _JudgedPilot(
        measure=matrix.measure,
        a=pilot.a,
        b=pilot.b,
        topics=pilot.topics,
        design=design,
        systems=len(systems),
        assessor_model=sample,
    )


def _check_difference(table: ScoreTable, difference: float | None) -> None:
    """Refuse a difference that no measure can have: on a scale from 0 to 1, 1 was probably meant as a hundredth."""
    if difference is None or difference < 1 or not table.measures:
        return
    if all(_are_shares(table.matrix(measure).values) for measure in table.measures):
        raise UsageError(
            f"{mention('difference', difference)}: these scores lie between 0 and 1, so that no two systems can differ "
            f"by as much; did you mean {mention('difference', difference / 100)}?"
        )


def _check_margin(table: ScoreTable, margin: float | None) -> None:
    """Refuse a margin that is wider than any difference: on a scale from 0 to 1, 5 was probably meant as per cent."""
    if margin is None or margin < 1 or not table.measures:
        return
    if all(_are_shares(table.matrix(measure).values) for measure in table.measures):
        raise UsageError(
            f"{mention('margin', margin)}: these scores lie between 0 and 1; expected a loss in units of the measure, "
            "such as 0.02"
        )


def _are_shares(values: Floats) -> bool:
    """Whether all scores lie between 0 and 1, and there are some."""
    is_missing = np.isnan(values)
    is_share = (values >= 0) & (values <= 1)
    return bool((is_share | is_missing).all()) and not is_missing.all()


@dataclass(frozen=True, kw_only=True, eq=False)
class _Family:
    """All systems of a pilot, and the test of all pairs that `compare` takes for them."""

    covariance: Floats
    test: FamilyTest
    seed: int

    @classmethod
    def of(cls, values: Floats, *, seed: int, test: FamilyTest | None = None) -> _Family | None:
        """Of scores, systems × topics (or clusters); None for fewer than three systems with two scores or more."""
        # A system with a single score has no variance.
        scored = values[(~np.isnan(values)).sum(axis=1) > 1]
        if len(scored) < 3:
            return None
        if test is None:
            check = check_variances(scored, seed=seed)
            # The letters of `compare` come from paired tests under the same conditions.
            is_paired = bool(np.isnan(scored).any()) or (check is not None and check.unequal)
            test = "paired" if is_paired else "tukey"
        return cls(covariance=_covariance_of(scored), test=test, seed=seed)

    def power(self, *, difference: float, units: int, confidence: float) -> FamilyPower:
        """Of each pair with so many topics or clusters, by simulation."""
        return simulate_family_power(
            self.covariance,
            difference=difference,
            topics=units,
            confidence=confidence,
            test=self.test,
            seed=self.seed,
        )


def _covariance_of(values: Floats) -> Floats:
    """The covariance of every two rows over the columns that both have; 0 where these are fewer than two."""
    present = (~np.isnan(values)).astype(np.float64)
    cells = np.nan_to_num(values - np.nanmean(values, axis=1, keepdims=True))
    counts = present @ present.T
    products = cells @ cells.T - (cells @ present.T) * (present @ cells.T) / np.maximum(counts, 1)
    return np.where(counts > 1, products / np.maximum(counts - 1, 1), 0.0)


@dataclass(frozen=True, kw_only=True)
class _PilotSpread:
    """What a table says about the spread of paired differences."""

    measure: str
    a: str = ""
    b: str = ""
    sd: float = math.nan
    degrees_of_freedom: float = 0
    topics: int
    gap: PowerGap = ""
    pair_sds: tuple[float, float] | None = None
    """The least and the largest standard deviation of differences of a single pair; None where they are all alike."""
    assessors: Assessors = "fixed"
    assessor_model: FixedAssessors | None = None
    cluster: str = ""
    clusters: int = 0
    """How many clusters the topics are of; then standard deviations are those of clusters, SE·√clusters."""
    family: _Family | None = None
    """All systems; None for a named pair, and for two."""
    freedom_share: float = 1.0
    """The degrees of freedom of a test, as a share of clusters − 1: less than 1 where their sizes are unequal."""
    design_effect: float | None = None

    @property
    def unit_size(self) -> float:
        """Topics of a cluster, on average; 1 if topics are independent."""
        return self.topics / self.clusters if self.clusters else 1.0

    def units_of(self, topics: float) -> int:
        """How many clusters so many topics make, or the topics themselves."""
        return round(topics / self.unit_size)

    @property
    def topic_sd(self) -> float:
        """√topics times the standard error of a difference."""
        return self.sd * math.sqrt(self.unit_size)


@dataclass(frozen=True, kw_only=True, eq=False)
class _JudgedPilot:
    """What judgments say about the variance of a difference, with assessors as a random sample."""

    measure: str
    a: str
    b: str
    topics: int
    design: DesignPilot
    """Its variance is that of a pair tested alone."""
    systems: int
    assessor_model: AssessorSample
    assessors: Assessors = "random"

    @property
    def sd(self) -> float:
        """√topics times the standard error of a difference in a design like the pilot."""
        variance, _ = self.variance(np.array([float(self.topics)]), draws=False)
        return math.sqrt(float(variance[0]) * self.topics)

    def variance(self, topics: Floats, *, draws: bool) -> tuple[Floats, Floats]:
        """Variance and degrees of freedom of a difference with these numbers of topics; few have fewer assessors."""
        judgments = self.assessor_model.judgments
        assessors = np.minimum(self.assessor_model.count, np.maximum(topics * judgments, 2))
        return self.design.variance(draws=draws, topics=topics, assessors=assessors, judgments=judgments)


def _pilots(
    matrix: ScoreMatrix, pairs: Sequence[tuple[str, str]], clusters: TopicClusters | None, seed: int
) -> Iterator[_PilotSpread]:
    if clusters is not None:
        yield from _clustered_pilots(matrix, pairs, clusters, seed)
        return
    if not pairs:
        yield replace(_pilot_of_all(matrix), family=_Family.of(matrix.values, seed=seed))
    row_of = {summarizer: row for row, summarizer in enumerate(matrix.summarizers)}
    for a, b in pairs:
        values = np.full((1, 1), np.nan)
        if a in row_of and b in row_of:
            values = paired_differences(matrix.values, [(row_of[a], row_of[b])])
        n = int((~np.isnan(values)).sum())
        sd = float(spreads_of(values)[0])
        gap: PowerGap = "few-shared-topics" if n < 2 else _spread_gap(sd)
        yield _PilotSpread(measure=matrix.measure, a=a, b=b, sd=sd, degrees_of_freedom=n - 1, topics=n, gap=gap)


def _clustered_pilots(
    matrix: ScoreMatrix, pairs: Sequence[tuple[str, str]], clusters: TopicClusters, seed: int
) -> Iterator[_PilotSpread]:
    """The spread of clusters in each pair, or on average over all pairs, by the standard errors of `compare`."""
    row_of = {summarizer: row for row, summarizer in enumerate(matrix.summarizers)}
    codes = clusters.codes(matrix.topics)
    for a, b in pairs:
        rows = [(row_of[a], row_of[b])] if a in row_of and b in row_of else []
        yield replace(_pilot_of_clusters(matrix, rows, codes, clusters.field), a=a, b=b, pair_sds=None)
    if not pairs:
        every_pair = list(combinations(range(len(matrix.summarizers)), 2))
        sums = ClusterSums.of(matrix.values, codes)
        # Clusters are the unit of paired tests, whatever the variances are.
        family = _Family.of(quotients(sums.sums, sums.sizes), seed=seed, test="paired")
        yield replace(_pilot_of_clusters(matrix, every_pair, codes, clusters.field), family=family)


def _pilot_of_clusters(
    matrix: ScoreMatrix, rows: Sequence[tuple[int, int]], codes: Integers, field: str
) -> _PilotSpread:
    """The root mean square over pairs of SE·√clusters; topics and clusters are those of the pair that has most."""
    if not rows:
        return _PilotSpread(measure=matrix.measure, topics=0, gap="few-common-clusters", cluster=field)
    tests = paired_tests(paired_differences(matrix.values, list(rows)), permutations=None, clusters=codes)
    tested = np.flatnonzero(~np.isnan(tests.error))
    most = int(np.argmax(tests.n))
    topics, units = int(tests.n[most]), int(tests.units[most])
    if not len(tested):
        gap: PowerGap = "few-common-clusters" if units < 2 else _spread_gap(0.0)
        return _PilotSpread(measure=matrix.measure, topics=topics, clusters=units, gap=gap, cluster=field)
    variances = (tests.error**2 * tests.units)[tested]
    sds = np.sqrt(variances)
    freedom = float(tests.df[tested].mean())
    systems = len({row for pair in rows for row in pair})
    return _PilotSpread(
        measure=matrix.measure,
        sd=math.sqrt(float(variances.mean())),
        degrees_of_freedom=freedom * max(systems - 1, 1),
        topics=topics,
        pair_sds=(float(sds.min()), float(sds.max())) if len(tested) > 1 else None,
        cluster=field,
        clusters=units,
        freedom_share=min(1.0, float((tests.df[tested] / (tests.units[tested] - 1)).mean())),
        design_effect=float(tests.design_effect[tested].mean()),
    )


def _pilot_of_all(matrix: ScoreMatrix) -> _PilotSpread:
    """The spread of differences between any two summarizers."""
    has_score = ~np.isnan(matrix.values)
    topics = int(has_score.any(axis=0).sum())
    fit = two_way_anova(matrix.values) if has_score.any(axis=1).sum() > 1 else None
    if fit is None:
        return _PilotSpread(measure=matrix.measure, topics=topics, gap="few-common-topics")
    # A difference of two scores has twice the residual variance of one of them.
    sd, df = math.sqrt(2 * fit.mean_square), fit.degrees_of_freedom
    return _PilotSpread(
        measure=matrix.measure,
        sd=sd,
        degrees_of_freedom=df,
        topics=topics,
        gap=_spread_gap(sd),
        pair_sds=_range_of_pair_sds(matrix.values),
    )


def _range_of_pair_sds(values: Floats) -> tuple[float, float] | None:
    """The least and the largest standard deviation of paired differences; None for fewer than two such pairs.

    Pairs that share fewer than `FEWEST_SHARED` topics are left out: their own spread says next to nothing.
    """
    least, largest, pairs = math.inf, 0.0, 0
    for row in range(len(values) - 1):
        differences = values[row + 1 :] - values[row]
        shared = (~np.isnan(differences)).sum(axis=1)
        spreads = spreads_of(differences[shared >= FEWEST_SHARED])
        spreads = spreads[spreads > 0]
        if len(spreads):
            least, largest = min(least, float(spreads.min())), max(largest, float(spreads.max()))
            pairs += len(spreads)
    return (least, largest) if pairs > 1 else None


def _spread_gap(sd: float) -> PowerGap:
    return "" if sd > 0 else "no-spread"


@dataclass(frozen=True)
class _PowerPlan:
    """What is asked of a pilot."""

    pilot: _PilotSpread
    options: PowerOptions
    alpha: float
    note: str

    def statements(self) -> Iterator[PowerStatement]:
        """The needed topics first, then for each number of topics what it detects."""
        power, asked = self.options.power_in_percent / 100, self.options.difference
        if asked is not None:
            yield self._among_all_pairs(self._solve("topics", topics_needed, difference=asked, power=power))
        margin = self.options.margin
        if margin is not None:
            # As `topics_for_margin` of a pair in `compare`: the lower limit of equal systems lies above −margin.
            planned = self._solve("topics", topics_needed, difference=margin, power=power)
            yield replace(planned, goal="not-worse")
            planned = self._solve("topics", topics_for_equivalence, difference=margin, power=power)
            yield replace(planned, goal="equivalent")
        for count in self.options.topics or sorted({*TOPICS, max(self.pilot.topics, 2)}):
            yield self._solve("difference", detectable_difference, power=power, topics=count)
            if asked is not None:
                yield self._among_all_pairs(self._solve("power", paired_power, difference=asked, topics=count))

    def _among_all_pairs(self, statement: PowerStatement) -> PowerStatement:
        """The statement with the power of its difference where all pairs are tested."""
        family, units = self.pilot.family, 0
        if statement.topics is not None:
            units = self.pilot.units_of(statement.topics)
        if family is None or statement.difference is None or statement.power is None or units < 2:
            return statement
        # Each pair has a variance of its own, and so a power of its own.
        simulated = family.power(difference=statement.difference, units=units, confidence=self.options.confidence)
        return replace(
            statement,
            family_power=simulated.mean,
            family_lower=float(simulated.pairs.min()),
            family_upper=float(simulated.pairs.max()),
            family_systems=len(family.covariance),
            family_test=family.test,
        )

    def _solve(self, solved: Solved, solve: Callable[..., float | None], **known: float) -> PowerStatement:
        """A statement of two amounts and the third, which follows from them."""
        pilot, gap = self.pilot, self.pilot.gap
        value: float | None = None
        limits: list[float | None] = [None, None]
        of_units = dict(known)
        if "topics" in known:
            of_units["topics"] = pilot.units_of(known["topics"])
        are_enough = of_units.get("topics", 2) >= 2
        if not are_enough:
            gap = "one-cluster"
        elif pilot.sd > 0:
            # σ² of the pilot lies between these limits, and what is solved for follows from them.
            ends = variance_limits(pilot.sd**2, pilot.degrees_of_freedom, confidence=self.options.confidence)
            spreads = [pilot.sd, *map(math.sqrt, ends)]
            value, *limits = (self._in_topics(solved, solve, sd, of_units) for sd in spreads)
            if solved == "power":  # which falls as the spread grows
                limits.reverse()
            gap = "small-pilot"
            if value is None:
                gap = "small-difference"
        amounts: dict[str, float | None] = {**known, solved: _unless_nan(value)}
        topics = amounts["topics"]
        fewest_of_pairs, most_of_pairs = None, None
        # One number of topics for any pair is too many for some pairs and too few for others: both ends are shown.
        if solved == "topics" and pilot.pair_sds is not None:
            fewest, most = (self._in_topics(solved, solve, sd, of_units) for sd in pilot.pair_sds)
            fewest_of_pairs, most_of_pairs = (None if count is None else int(count) for count in (fewest, most))
        clusters = None
        if pilot.clusters and topics is not None:
            clusters = pilot.units_of(topics)
        return PowerStatement(
            measure=pilot.measure,
            a=pilot.a,
            b=pilot.b,
            solved=solved,
            difference=amounts["difference"],
            power=amounts["power"],
            alpha=self.alpha,
            topics=None if topics is None else int(topics),
            lower=_unless_nan(limits[0]),
            upper=_unless_nan(limits[1]),
            sd=defined(pilot.topic_sd),
            pilot_topics=pilot.topics,
            cluster=pilot.cluster,
            clusters=clusters,
            pilot_clusters=pilot.clusters or None,
            design_effect=pilot.design_effect,
            fewest_of_pairs=fewest_of_pairs,
            most_of_pairs=most_of_pairs,
            assessors=pilot.assessors,
            assessor_model=pilot.assessor_model,
            note=self.note,
            gap=gap,
            cluster_size=pilot.unit_size,
        )

    def _in_topics(
        self, solved: Solved, solve: Callable[..., float | None], sd: float, of_units: Mapping[str, float]
    ) -> float | None:
        """What follows for this spread; a number of clusters becomes that of their topics."""
        value = solve(sd=sd, alpha=self.alpha, freedom_share=self.pilot.freedom_share, **of_units)
        if solved != "topics" or value is None or not self.pilot.clusters:
            return value
        # Rounding must not add a topic.
        return math.ceil(value * self.pilot.unit_size - SLACK)


@dataclass(frozen=True, eq=False)
class _JudgedPlan:
    """What is asked of a pilot whose assessors are a random sample."""

    pilot: _JudgedPilot
    options: PowerOptions
    alpha: float
    note: str

    def statements(self) -> Iterator[PowerStatement]:
        """The needed topics first, then for each number of topics what it detects."""
        power, asked = self.options.power_in_percent / 100, self.options.difference
        if asked is not None:
            yield self._among_all_pairs(self._needed_topics(asked, power))
        if self.options.margin is not None:
            yield replace(self._needed_topics(self.options.margin, power), goal="not-worse")
        for count in self.options.topics or sorted({*TOPICS, max(self.pilot.topics, 2)}):
            yield self._detectable_difference(count, power)
            if asked is not None:
                yield self._among_all_pairs(self._power(asked, count))

    def _among_all_pairs(self, statement: PowerStatement) -> PowerStatement:
        """The statement with the power of its difference where all pairs are tested."""
        pilot, topics = self.pilot, statement.topics
        if pilot.systems < 3 or topics is None or statement.difference is None:
            return statement
        judgments = pilot.assessor_model.judgments
        family_power = simulate_judged_power(
            systems=pilot.systems,
            topics=topics,
            assessors=min(pilot.assessor_model.count, max(topics * judgments, 2)),
            judgments=judgments,
            sa=pilot.design.values["sa"],
            st=pilot.design.values["st"],
            e=pilot.design.values["e"],
            difference=statement.difference,
            confidence=self.options.confidence,
            seed=pilot.design.seed,
        )
        return replace(statement, family_power=family_power, family_systems=pilot.systems, family_test="tukey")

    def _needed_topics(self, difference: float, power: float) -> PowerStatement:
        def search(*, draws: bool) -> Floats:
            return least_topics(
                lambda topics: self._detectable(topics, power, draws=draws) <= difference * (1 + SLACK),
                draws=DRAWS if draws else 1,
            )

        # First with the variances as estimated, then with each draw of what they may be: that gives the limits.
        topics = float(search(draws=False)[0])
        lower, upper = self._limits(search(draws=True))
        return self._statement(
            "topics",
            difference=difference,
            power=power,
            topics=None if math.isinf(topics) else int(topics),
            lower=_finite(lower),
            upper=_finite(upper),
            gap="more-assessors" if math.isinf(topics) else "perhaps-more-assessors",
        )

    def _detectable_difference(self, topics: int, power: float) -> PowerStatement:
        counts = np.array([float(topics)])
        lower, upper = self._limits(self._detectable(counts, power, draws=True))
        return self._statement(
            "difference",
            difference=float(self._detectable(counts, power, draws=False)[0]),
            power=power,
            topics=topics,
            lower=lower,
            upper=upper,
            gap="small-pilot",
        )

    def _power(self, difference: float, topics: int) -> PowerStatement:
        def solve(*, draws: bool) -> Floats:
            variance, freedom = self.pilot.variance(np.array([float(topics)]), draws=draws)
            return design_power(difference, variance, freedom, alpha=self.alpha)

        lower, upper = self._limits(solve(draws=True))
        return self._statement(
            "power",
            difference=difference,
            power=float(solve(draws=False)[0]),
            topics=topics,
            lower=lower,
            upper=upper,
            gap="small-pilot",
        )

    def _detectable(self, topics: Floats, power: float, *, draws: bool) -> Floats:
        """The differences that these numbers of topics detect: as estimated, or for each draw of the variances."""
        variance, freedom = self.pilot.variance(topics, draws=draws)
        if not draws:
            return np.sqrt(variance) * detectable_shift(freedom, power=power, alpha=self.alpha)
        grid, shifts = self._shifts
        # Solved on a grid once: each draw has its own degrees of freedom, and there are a thousand.
        return np.sqrt(variance) * np.interp(1 / freedom, grid, shifts)

    @cached_property
    def _shifts(self) -> tuple[Floats, Floats]:
        """Detectable differences in units of their standard error, by the reciprocal of their degrees of freedom."""
        grid = np.linspace(1e-6, 1.0, 200)
        shifts = detectable_shift(1 / grid, power=self.options.power_in_percent / 100, alpha=self.alpha)
        return grid, shifts

    def _limits(self, drawn: Floats) -> tuple[float, float]:
        """The middle of what the draws of the variances lead to."""
        tail = (1 - self.options.confidence / 100) / 2
        # A draw itself, not a point between two: some draws need infinitely many topics.
        lower, upper = np.quantile(drawn, [tail, 1 - tail], method="inverted_cdf")
        return float(lower), float(upper)

    def _statement(
        self,
        solved: Solved,
        *,
        difference: float,
        power: float,
        topics: int | None,
        lower: float | None,
        upper: float | None,
        gap: PowerGap,
    ) -> PowerStatement:
        return PowerStatement(
            measure=self.pilot.measure,
            a=self.pilot.a,
            b=self.pilot.b,
            solved=solved,
            difference=defined(difference),
            power=defined(power),
            alpha=self.alpha,
            topics=topics,
            lower=defined(lower),
            upper=defined(upper),
            sd=defined(self.pilot.sd),
            pilot_topics=self.pilot.topics,
            assessors=self.pilot.assessors,
            assessor_model=self.pilot.assessor_model,
            note=self.note,
            gap=gap,
        )


def _unless_nan(value: float | None) -> float | None:
    """The number as it is, so that a count of topics stays whole, or None where it is undefined (NaN)."""
    return None if value is None or math.isnan(value) else value


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
