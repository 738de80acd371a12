"""`gate`: may a build go on? A candidate is held against a baseline on one measure that decides and others that guard.

A fail is a significant loss: on the first measure at level α/2 (one-sided), on guards and slices together at α/2, by
Holm's correction. With a margin, a pass must be shown as well: the lower limit of the difference lies above −margin.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from pyramidion.arrays import Bools, Floats, Integers
from pyramidion.campaign.nouns import Judgment
from pyramidion.errors import InputError, UsageError, check_known, mention
from pyramidion.options import GateOptions
from pyramidion.scores import ScoreTable
from pyramidion.show.tables import ExplainedRow, Finding, NotedRow, Row, hidden, optional
from pyramidion.show.wording import counted, defined, listed
from pyramidion.statistics.multiple import adjusted
from pyramidion.statistics.pairs import paired_differences, paired_tests
from pyramidion.statistics.power import detectable_difference, topics_needed
from pyramidion.studies.clusters import TopicClusters
from pyramidion.studies.comparison.assessors import FEWEST as FEWEST_ASSESSORS
from pyramidion.studies.judge_offsets import JudgeOffset
from pyramidion.studies.margins import Margin, parse_margins
from pyramidion.studies.runs import PairNoise, RunNoise, Runs, first_two_runs
from pyramidion.studies.scales import Scale, choose_scale

Verdict = Literal["pass", "fail", "undecided"]
Role = Literal["primary", "guard"]
EXIT_CODES: Mapping[Verdict, int] = {"pass": 0, "fail": 3, "undecided": 4}
"""How the command ends; 1 and 2 are errors of data and usage, as everywhere."""
POWER = 0.8
EXCHANGES = 1000
"""Of the labels of the two systems, in the self-test."""
SHOWN_REGRESSIONS = 5
LONGEST_TEXT = 4000
"""A text is shown up to this many characters."""
FEWEST_TOPICS = 2
"""With fewer, the spread of differences is unknown, and nothing can be tested."""
TextOf = Callable[[str, str], str]
"""From a topic and a system to the system's output; empty if it is not known."""


class GateMeasure(ExplainedRow, record="gate-measure"):
    """The candidate less the baseline on one measure, over all topics or a slice of them, and what it decides."""

    measure: str
    role: Role
    slice: str = ""
    """The value of the field that its topics share."""
    baseline_mean: float | None
    candidate_mean: float | None
    difference: float | None
    """Above 0 if the candidate is better, also where lower scores are better."""
    lower: float | None
    upper: float | None
    margin: float | None
    """The largest acceptable loss, in units of the measure."""
    p: float | None
    """Of a loss (with a margin: of one beyond it), two-sided; 1 if there is none."""
    p_adjusted: float | None
    """After Holm's correction over all guards."""
    verdict: Verdict
    win: int
    """Topics on which the candidate is better."""
    tie: int
    loss: int
    n: int
    missing_baseline: int
    """Missing outputs, which count as the lowest value of the scale, or whose topics are dropped."""
    missing_candidate: int
    unscored: int
    """Topics that are left out because an output has no score."""
    detectable: float | None
    """Without a margin: the loss that would have been found with 80 % power."""
    topics_needed: int | None
    """With a margin: topics that show with 80 % power that two equal systems differ by less."""
    confidence: float
    clusters: int | None = optional()
    """Clusters that the topics are of, if they are the unit of the test."""
    is_shown: bool = hidden(default=False)
    """Whether a pass must be shown: there is a margin, and it is no slice."""
    share: float | None = hidden(default=None)
    """The margin as a share of the baseline's mean, if it was given so."""
    is_dropped: bool = hidden(default=False)
    """Whether topics with missing outputs are dropped."""
    lowest: float | None = hidden(default=None)
    """What a missing output counts as."""

    @property
    def label(self) -> str:
        """The measure, with the slice if it is one."""
        if not self.slice:
            return self.measure
        return f"{self.measure} [{self.slice}]"

    @property
    def is_below(self) -> bool:
        """Whether even two equal systems could hardly be shown to be within the margin: the interval is too wide."""
        if self.margin is None or self.lower is None or self.upper is None:
            return False
        return (self.upper - self.lower) / 2 > self.margin


class GateRegression(Row, record="gate-regression"):
    """A topic on which the candidate loses most on the first measure."""

    topic: str
    difference: float
    baseline: float
    candidate: float
    baseline_text: str = hidden(default="")
    candidate_text: str = hidden(default="")


class GateDecision(NotedRow, record="gate"):
    """What the gate decides, and how many measures failed it."""

    verdict: Verdict
    exit_code: int
    candidate: str
    baseline: str
    measure: str
    """The one that decides."""
    topics: int
    tests: int
    """Measures and slices that were tested."""
    failed: int
    undecided: int
    missing: str
    """How missing outputs are treated: as the lowest value, or dropped."""
    confidence: float


class GateSelfTest(Row, record="gate-self-test"):
    """How often the gate fails when the labels of the two systems are exchanged at random within topics."""

    exchanges: int
    failed: int
    undecided: int
    share: float
    """Of fails."""
    limit: float
    """The share that is due to chance: α/2, with guards α."""
    is_kept: bool
    """Whether the share is within the limit, as far as so many exchanges can tell."""
    topics: int
    seed: int


class GateLedger(Row, record="gate-ledger"):
    """A decision among those that the ledger has: its e-value, and what it takes to fail."""

    decision: int
    """Its number; looking again at the same outputs with more topics keeps it."""
    is_continued: bool
    e: float
    """Evidence of a loss: on average at most 1 if there is none."""
    threshold: float
    """From which on e is a fail."""
    spent: float
    """The level that the decision has of α."""
    alpha: float
    fails_before: int
    left_out: int | None = optional()
    """Topics that joined a cluster that was bet on before, and are left out of e."""


@dataclass(frozen=True, kw_only=True)
class SkippedSlices:
    """What slices leave out."""

    field: str = ""
    """By which topics are sliced."""
    too_small: tuple[str, ...] = ()
    """Slices that are not tested, because too few topics have scores of both."""
    without: int = 0
    """Topics that are in no slice."""


@dataclass(frozen=True, kw_only=True)
class GateCautions:
    """What one must know about the data of a gate."""

    cluster_note: str = ""
    """What is known of the clusters of topics, where they are the unit."""
    shared_field: str = ""
    """What topics share that nobody called clusters: parent or document."""
    shared_topics: int = 0
    """How many topics share it with another topic."""
    runs: PairNoise | None = None
    """The runs that the scores of the measure that decides are means of."""
    run_share: float | None = None
    """The share of the variance of the difference that is due to runs."""
    assessors: int = 0
    """People who judged the two on the measure that decides, where `compare` may treat them as a random sample."""
    skipped: SkippedSlices = SkippedSlices()
    """Slices that are not tested."""
    compares_runs: bool = False
    """Whether both are runs of the baseline, which do not differ."""


NO_CAUTIONS = GateCautions()


class Gate(Finding):
    """The decision of a gate, what it rests on, and the topics on which the candidate loses most."""

    decision: GateDecision
    measures: tuple[GateMeasure, ...]
    regressions: tuple[GateRegression, ...] = ()
    self_test: GateSelfTest | None = None
    ledger: GateLedger | None = None
    options: GateOptions
    command: str = ""
    """The command line that decides the same."""
    cautions: GateCautions = NO_CAUTIONS
    """What one must know about the data."""
    offsets: tuple[JudgeOffset, ...] = ()
    """Of measures that are a judge's, how far they lie from people's answers to the same question."""

    def __repr__(self) -> str:
        return f"<Gate: {self.verdict}>"

    @property
    def verdict(self) -> Verdict:
        """Pass, fail or undecided."""
        return self.decision.verdict

    @property
    def exit_code(self) -> int:
        """How the command ends: 0 pass, 3 fail, 4 undecided, unless `undecided=` says otherwise."""
        if self.self_test is not None:
            return 0 if self.self_test.is_kept else EXIT_CODES["fail"]
        return self.decision.exit_code

    @property
    def primary(self) -> GateMeasure:
        """The measure that decides."""
        return self.measures[0]

    def of_verdict(self, verdict: Verdict) -> list[GateMeasure]:
        """The measures and slices with this verdict."""
        return [measure for measure in self.measures if measure.verdict == verdict]


def choose_baseline(summarizers: Sequence[str], options: GateOptions) -> str:
    """The baseline.

    Raises:
        UsageError: if it is missing or not in the data.
    """
    if options.against is None:
        raise UsageError(
            f"`against=` is missing: name the baseline, the system that is in use; there are: {listed(summarizers)}"
        )
    check_known(options.against, summarizers, f"{mention('against', options.against)}: no such system")
    return options.against


def choose_candidate(summarizers: Sequence[str], options: GateOptions) -> tuple[str, str]:
    """The baseline and the candidate.

    Raises:
        UsageError: if one is missing or not in the data, or if several systems may be the candidate.
    """
    baseline = choose_baseline(summarizers, options)
    candidates = [name for name in summarizers if name != baseline]
    if options.candidate is not None:
        check_known(options.candidate, candidates, f"{mention('candidate', options.candidate)}: no such other system")
        return baseline, options.candidate
    if not candidates:
        raise InputError(f"the data has scores of {baseline} alone; expected those of a candidate, too")
    if len(candidates) > 1:
        raise UsageError(f"`candidate=` is missing: there are {len(candidates)} other systems: {listed(candidates)}")
    return baseline, candidates[0]


@dataclass(frozen=True, kw_only=True, eq=False)
class GatedScores:
    """The scores of the two systems on one measure, on topics that count."""

    measure: str
    role: Role
    slice: str = ""
    topics: tuple[str, ...]
    baseline: Floats
    candidate: Floats
    differences: Floats
    """Candidate less baseline, or the other way round where lower scores are better."""
    margin: Margin | None
    missing_baseline: int = 0
    missing_candidate: int = 0
    unscored: int = 0
    lowest: float | None = None
    clusters: Integers | None = None
    """The number of each topic's cluster; None if topics are independent."""

    @property
    def units(self) -> int:
        """What tests take as independent: clusters, or topics."""
        return len(self.topics) if self.clusters is None else len(np.unique(self.clusters))

    @property
    def is_shown(self) -> bool:
        """Whether a pass must be shown; slices only guard, because most of them are too small to show anything."""
        return self.margin is not None and not self.slice

    def within(self, topics: Collection[str], value: str) -> GatedScores:
        """The scores on a slice of the topics, which is a guard."""
        chosen = [place for place, topic in enumerate(self.topics) if topic in topics]
        return replace(
            self,
            role="guard",
            slice=value,
            topics=tuple(self.topics[place] for place in chosen),
            baseline=self.baseline[chosen],
            candidate=self.candidate[chosen],
            differences=self.differences[chosen],
            clusters=None if self.clusters is None else self.clusters[chosen],
            missing_baseline=0,
            missing_candidate=0,
            unscored=0,
        )

    def beyond_margin(self, exchanged: Bools) -> Floats:
        """Differences plus the acceptable loss, a row for each way to exchange the two systems within topics."""
        # Whoever is called the baseline after an exchange is what a share of the mean refers to.
        differences = np.where(exchanged, -self.differences, self.differences)
        if self.margin is None:
            return differences
        references = np.where(exchanged, self.candidate, self.baseline)
        shifted: Floats = differences + self.margin.units + self.margin.share * references
        return shifted


def gather_scores(
    table: ScoreTable,
    measures: Sequence[str],
    systems: tuple[str, str],
    options: GateOptions,
    *,
    outputs: Collection[tuple[str, str]],
    scales: Mapping[str, Scale],
    clusters: TopicClusters | None = None,
) -> list[GatedScores]:
    """The scores of the baseline and the candidate on each measure; missing outputs are filled in or dropped.

    Args:
        table: the scores.
        measures: the first decides, the others guard.
        systems: the baseline and the candidate.
        options: of the gate.
        outputs: topics and systems of which the data has a text; those with any score have one anyway.
        scales: by measure, its lowest and highest value, where known.
        clusters: which topics belong together; None if they are independent.
    """
    margins = parse_margins(options.margin, measures)
    scored = table.frame.select("topic", "summarizer").unique(maintain_order=True)
    present = set(scored.cast({"topic": str, "summarizer": str}).iter_rows()) | set(outputs)
    gathered = []
    for place, measure in enumerate(measures):
        if table.is_descriptive(measure):
            raise UsageError(f"{measure} only describes summaries: neither high nor low is better; choose another")
        role: Role = "guard" if place else "primary"
        scores = _gather_measure(
            table, measure, role, systems, options, margins.get(measure), present, scales.get(measure)
        )
        if clusters is not None:
            scores = replace(scores, clusters=clusters.codes(scores.topics))
        gathered.append(scores)
    return gathered


def _gather_measure(
    table: ScoreTable,
    measure: str,
    role: Role,
    systems: tuple[str, str],
    options: GateOptions,
    margin: Margin | None,
    present: Collection[tuple[str, str]],
    scale: Scale | None,
) -> GatedScores:
    matrix = table.matrix(measure)
    row_of = {summarizer: row for row, summarizer in enumerate(matrix.summarizers)}
    place_of = {topic: place for place, topic in enumerate(matrix.topics)}
    # A topic that neither answered says nothing about the two.
    topics = [topic for topic in table.topics if any((topic, system) in present for system in systems)]
    values = np.full((2, len(topics)), np.nan)
    is_missing = np.zeros((2, len(topics)), dtype=np.bool_)
    for side, system in enumerate(systems):
        for place, topic in enumerate(topics):
            is_missing[side, place] = (topic, system) not in present
            if system in row_of and topic in place_of:
                values[side, place] = matrix.values[row_of[system], place_of[topic]]
    missing_baseline, missing_candidate = (int(count) for count in is_missing.sum(axis=1))
    lowest = None
    if options.missing == "lowest" and is_missing.any():
        own_scale = choose_scale(measure, values, scale, options.scale)
        lowest = _lowest_value(measure, own_scale, matrix.higher_is_better, systems, is_missing)
        # A system that gives no output where it would do badly must not gain by it.
        values[is_missing] = lowest
    shared = ~np.isnan(values).any(axis=0)
    baseline, candidate = values[:, shared]
    # As in `compare`: differences of rounding alone are ties.
    differences = paired_differences(np.array([candidate, baseline]), [(0, 1)])[0]
    if not matrix.higher_is_better:
        differences = -differences
    # A share of a mean below 0 would turn the margin round.
    if margin is not None and margin.share and shared.any() and not baseline.mean() > 0:
        raise UsageError(
            f"{measure}: a margin in percent needs a baseline with a mean above 0, found {baseline.mean():g}; give "
            "it in units of the measure"
        )
    is_unscored = ~shared & ~is_missing.any(axis=0)
    return GatedScores(
        measure=measure,
        role=role,
        topics=tuple(topic for topic, is_shared in zip(topics, shared, strict=True) if is_shared),
        baseline=baseline,
        candidate=candidate,
        differences=differences,
        margin=margin,
        missing_baseline=missing_baseline,
        missing_candidate=missing_candidate,
        unscored=int(is_unscored.sum()),
        lowest=lowest,
    )


def _lowest_value(
    measure: str, scale: Scale | None, higher_is_better: bool, systems: tuple[str, str], is_missing: Bools
) -> float:
    """What a missing output counts as: the worst value of the scale."""
    worst = math.nan
    if scale is not None:
        worst = scale[0] if higher_is_better else scale[1]
    if math.isfinite(worst):
        return worst
    missing = [
        f"{system} has no output for {counted(int(count), 'topic')}"
        for system, count in zip(systems, is_missing.sum(axis=1), strict=True)
        if count
    ]
    raise UsageError(
        f"{' and '.join(missing)}, and the scale of {measure} is not known, so there is no lowest value to count them "
        'as: give the scale, such as `scale=(1, 5)`, or leave these topics out by `missing="drop"`'
    )


def decide(
    scores: Sequence[GatedScores],
    systems: tuple[str, str],
    options: GateOptions,
    *,
    text_of: TextOf | None = None,
    command: str = "",
    cautions: GateCautions = NO_CAUTIONS,
) -> Gate:
    """Decide whether the candidate passes.

    Args:
        scores: of the measure that decides, of guards and of slices.
        systems: the baseline and the candidate.
        options: of the gate.
        text_of: the outputs, for the topics with the largest losses.
        command: the command line that decides the same.
        cautions: what one must know about the data.
    """
    # The self-test asks the same code for a thousand exchanges; a decision is the one in which nothing is exchanged.
    none_exchanged = [np.zeros((1, len(scored.topics)), dtype=np.bool_) for scored in scores]
    outcome = _Outcome.of(scores, none_exchanged, options)
    # Slices are guards, too: each is one more chance to fail.
    guards = sum(scored.role == "guard" for scored in scores)
    measures = tuple(_describe(scored, outcome, place, options, guards) for place, scored in enumerate(scores))
    verdict = overall_verdict([measure.verdict for measure in measures])
    primary = scores[0]
    decision = GateDecision(
        verdict=verdict,
        exit_code=exit_code_of(verdict, options),
        candidate=systems[1],
        baseline=systems[0],
        measure=primary.measure,
        topics=len(primary.topics),
        tests=len(measures),
        failed=sum(measure.verdict == "fail" for measure in measures),
        undecided=sum(measure.verdict == "undecided" for measure in measures),
        missing=options.missing,
        confidence=options.confidence,
    )
    return Gate(
        decision=decision,
        measures=measures,
        regressions=_worst_regressions(primary, systems, text_of),
        options=options,
        command=command,
        cautions=cautions,
    )


def exit_code_of(verdict: Verdict, options: GateOptions) -> int:
    """How the command ends."""
    if verdict == "undecided" and options.undecided is not None:
        return EXIT_CODES[options.undecided]
    return EXIT_CODES[verdict]


def overall_verdict(verdicts: Collection[Verdict]) -> Verdict:
    """Fail if any fails, else undecided if any is, else pass."""
    for verdict in ("fail", "undecided"):
        if verdict in verdicts:
            return verdict
    return "pass"


@dataclass(frozen=True, kw_only=True, eq=False)
class _Outcome:
    """What the tests say: tests × ways to exchange the two systems."""

    p: Floats
    """Of a loss beyond the margin; 1 if there is none, NaN without topics."""
    p_adjusted: Floats
    is_fail: Bools
    is_undecided: Bools

    @classmethod
    def of(cls, scores: Sequence[GatedScores], exchanged: Sequence[Bools], options: GateOptions) -> _Outcome:
        """Test every measure and slice, for every way to exchange the two systems."""
        # With room for rounding: p that is exactly α is significant.
        level = (1 - options.confidence / 100) * (1 + 1e-12)
        tests = [
            paired_tests(
                scored.beyond_margin(rows), confidence=options.confidence, permutations=None, clusters=scored.clusters
            )
            for scored, rows in zip(scores, exchanged, strict=True)
        ]
        means = np.array([test.difference for test in tests])
        two_sided = np.array([test.p for test in tests])
        # Two-sided p where there is a loss, as in `compare`: a gate at 95 % fails by chance in α/2 of the cases.
        p = np.where(means < 0, two_sided, np.where(np.isnan(two_sided), np.nan, 1.0))
        p_adjusted = p.copy()
        if len(scores) > 1:
            # The first measure is tested on its own; only the guards are corrected for their number.
            p_adjusted[1:] = np.array([adjusted(column) for column in p[1:].T]).T
        is_tested = np.array([scored.units >= FEWEST_TOPICS for scored in scores])[:, None]
        is_fail = is_tested & (p_adjusted <= level) & (means < 0)
        must_show = np.array([scored.is_shown for scored in scores])[:, None]
        is_shown = (two_sided <= level) & (means > 0)
        # The same loss on so few topics that their signs can't show it would else pass without a word.
        is_slice = np.array([bool(scored.slice) for scored in scores])[:, None]
        is_hidden = np.isnan(np.array([test.error for test in tests])) & (means < 0) & ~is_slice
        is_undecided = ~is_fail & (~is_tested | is_hidden | (must_show & ~is_shown))
        return cls(p=p, p_adjusted=p_adjusted, is_fail=is_fail, is_undecided=is_undecided)

    def verdict(self, test: int) -> Verdict:
        """The verdict of a measure or slice, with the systems as they are."""
        if self.is_fail[test, 0]:
            return "fail"
        return "undecided" if self.is_undecided[test, 0] else "pass"


def _describe(scored: GatedScores, outcome: _Outcome, place: int, options: GateOptions, guards: int) -> GateMeasure:
    """A measure or slice with its interval, its verdict, and what could have stayed hidden."""
    tests = paired_tests(
        scored.differences[None, :], confidence=options.confidence, permutations=None, clusters=scored.clusters
    )
    n = len(scored.topics)
    alpha = 1 - options.confidence / 100
    # Bonferroni's level, the strictest that Holm's correction may ask of a guard.
    level = alpha / guards if scored.role == "guard" and guards else alpha
    shifted = scored.beyond_margin(np.zeros((1, n), dtype=np.bool_))[0]
    spread, has_spread = _spread_of_units(shifted, scored.clusters)
    margin, detectable, needed = None, None, None
    if scored.margin is not None and n:
        margin = scored.margin.units + scored.margin.share * float(scored.baseline.mean())
        if has_spread:
            units_needed = topics_needed(difference=margin, sd=spread, power=POWER, alpha=alpha)
            if units_needed is not None:
                # Clusters are what is needed; users count topics, at the same number in each.
                needed = math.ceil(units_needed * n / scored.units)
    elif has_spread:
        detectable = detectable_difference(topics=scored.units, sd=spread, power=POWER, alpha=level)
    return GateMeasure(
        measure=scored.measure,
        role=scored.role,
        slice=scored.slice,
        baseline_mean=float(scored.baseline.mean()) if n else None,
        candidate_mean=float(scored.candidate.mean()) if n else None,
        difference=defined(tests.difference[0]),
        lower=defined(tests.lower[0]),
        upper=defined(tests.upper[0]),
        margin=margin,
        p=defined(outcome.p[place, 0]),
        p_adjusted=defined(outcome.p_adjusted[place, 0]),
        verdict=outcome.verdict(place),
        win=int(tests.wins[0]),
        tie=int(tests.ties[0]),
        loss=int(tests.losses[0]),
        n=n,
        missing_baseline=scored.missing_baseline,
        missing_candidate=scored.missing_candidate,
        unscored=scored.unscored,
        detectable=detectable,
        topics_needed=needed,
        confidence=options.confidence,
        clusters=None if scored.clusters is None else scored.units,
        is_shown=scored.is_shown,
        share=scored.margin.share if scored.margin is not None and scored.margin.share else None,
        is_dropped=options.missing == "drop",
        lowest=scored.lowest,
    )


def _spread_of_units(differences: Floats, clusters: Integers | None) -> tuple[float, bool]:
    """The standard deviation of what is independent, and whether it is one: SE·√units, of topics or of clusters."""
    tests = paired_tests(differences[None, :], permutations=None, clusters=clusters)
    spread = float(tests.error[0] * np.sqrt(tests.units[0]))
    return spread, bool(spread > 0)


def _worst_regressions(
    scores: GatedScores, systems: tuple[str, str], text_of: TextOf | None
) -> tuple[GateRegression, ...]:
    """The topics on which the candidate loses most, the largest loss first."""
    # Stable: equal losses stay in the order of topics, so that two runs show the same ones.
    order = np.argsort(scores.differences, kind="stable")[:SHOWN_REGRESSIONS]
    regressions = []
    for place in order.tolist():
        if scores.differences[place] >= 0:
            break
        topic = scores.topics[place]
        texts = [text_of(topic, system)[:LONGEST_TEXT] if text_of else "" for system in systems]
        regressions.append(
            GateRegression(
                topic=topic,
                difference=float(scores.differences[place]),
                baseline=float(scores.baseline[place]),
                candidate=float(scores.candidate[place]),
                baseline_text=texts[0],
                candidate_text=texts[1],
            )
        )
    return tuple(regressions)


def slice_scores(scores: GatedScores, slices: Mapping[str, Collection[str]]) -> tuple[list[GatedScores], list[str]]:
    """The scores of the first measure in each slice, and the names of those that are too small to be tested."""
    tested, too_small = [], []
    for value, topics in slices.items():
        part = scores.within(set(topics), value)
        if part.units >= FEWEST_TOPICS:
            tested.append(part)
        else:
            too_small.append(value)
    return tested, too_small


def cautions_of(
    scores: GatedScores,
    systems: tuple[str, str],
    *,
    clusters: TopicClusters | None,
    shared: TopicClusters | None,
    noise: RunNoise | None,
    judgments: Sequence[Judgment],
    skipped: SkippedSlices,
) -> GateCautions:
    """What one must know about the scores of the measure that decides.

    Args:
        scores: of that measure.
        systems: the baseline and the candidate.
        clusters: which topics belong together; None if they are independent.
        shared: which topics share something, where nobody said that they belong together.
        noise: the runs that scores are means of, if they are.
        judgments: behind that measure.
        skipped: slices that are not tested.
    """
    assessors = {judgment.assessor for judgment in judgments if judgment.summarizer in systems}
    runs = noise.of_pair(*systems, scores.topics) if noise is not None and scores.topics else None
    return GateCautions(
        cluster_note="" if clusters is None else clusters.note_on(scores.topics),
        shared_field="" if shared is None else shared.field,
        shared_topics=0 if shared is None or clusters is not None else shared.count_shared(scores.topics),
        runs=runs,
        run_share=None if runs is None else _share_of_runs(runs, scores),
        assessors=len(assessors) if len(assessors) >= FEWEST_ASSESSORS else 0,
        skipped=skipped,
    )


def _share_of_runs(runs: PairNoise, scores: GatedScores) -> float | None:
    """The share of the variance of the difference that is due to runs; None if the difference does not vary."""
    tests = paired_tests(scores.differences[None, :], permutations=None, clusters=scores.clusters)
    error = float(tests.spread_error[0])
    return runs.share_of(error) if error > 0 else None


def gather_runs(
    measures: Mapping[str, Runs | None],
    baseline: str,
    options: GateOptions,
    *,
    higher_is_better: Callable[[str], bool],
    clusters: TopicClusters | None = None,
) -> tuple[list[GatedScores], tuple[str, str]]:
    """The scores of the first two runs of the baseline on each measure, on topics that both have, and their names.

    Args:
        measures: by measure, its runs.
        baseline: the system whose runs are compared.
        options: of the gate.
        higher_is_better: whether it is, by measure.
        clusters: which topics belong together; None if they are independent.
    """
    margins = parse_margins(options.margin, list(measures))
    gathered: list[GatedScores] = []
    systems = (baseline, baseline)
    for measure, runs in measures.items():
        names, scores_of = first_two_runs(runs, baseline)
        values = np.array(list(scores_of.values())).T
        differences = paired_differences(values[::-1], [(0, 1)])[0]
        topics = tuple(scores_of)
        scores = GatedScores(
            measure=measure,
            role="guard" if gathered else "primary",
            topics=topics,
            baseline=values[0],
            candidate=values[1],
            differences=differences if higher_is_better(measure) else -differences,
            margin=margins.get(measure),
            clusters=None if clusters is None else clusters.codes(topics),
        )
        if not gathered:
            systems = (f"{baseline} (run {names[0]})", f"{baseline} (run {names[1]})")
        gathered.append(scores)
    return gathered, systems


def exchange_labels(
    scores: Sequence[GatedScores], options: GateOptions, *, seed: int, clusters: TopicClusters | None = None
) -> GateSelfTest:
    """Exchange the two systems at random within topics, and count how often the gate fails.

    Exchanged labels are those of systems that do not differ, whatever the scores: each fail is due to chance. Topics of
    one cluster are exchanged together.
    """
    topics = list(dict.fromkeys(topic for scored in scores for topic in scored.topics))
    place_of = {topic: place for place, topic in enumerate(topics)}
    if clusters is not None:
        place_of = dict(zip(topics, clusters.codes(topics).tolist(), strict=True))
    exchanged = np.random.default_rng(seed).random((EXCHANGES, len(topics))) < 0.5
    columns = [exchanged[:, [place_of[topic] for topic in scored.topics]] for scored in scores]
    outcome = _Outcome.of(scores, columns, options)
    is_fail = outcome.is_fail.any(axis=0)
    is_undecided = ~is_fail & outcome.is_undecided.any(axis=0)
    alpha = 1 - options.confidence / 100
    limit = alpha if len(scores) > 1 else alpha / 2
    failed = int(is_fail.sum())
    return GateSelfTest(
        exchanges=EXCHANGES,
        failed=failed,
        undecided=int(is_undecided.sum()),
        share=failed / EXCHANGES,
        limit=limit,
        is_kept=failed <= _most_by_chance(limit),
        topics=len(topics),
        seed=seed,
    )


def _most_by_chance(limit: float) -> int:
    """The number of fails that a gate which keeps the limit exceeds once in a thousand self-tests."""
    from scipy import stats

    return int(stats.binom.ppf(0.999, EXCHANGES, limit))
