"""`design`: from a pilot and costs to the cheapest design that detects a difference, or the best one for a budget."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from pyramidion.arrays import Floats
from pyramidion.campaign.nouns import Judgment
from pyramidion.errors import InputError, UsageError, mention
from pyramidion.options import DesignOptions
from pyramidion.scores import ScoreTable
from pyramidion.scores.table import require_moderate_values
from pyramidion.show.tables import Finding, NotedRow, headed, optional
from pyramidion.show.wording import counted
from pyramidion.statistics.components import Components, FitFailure
from pyramidion.statistics.design import design_power, judged_design, measured_design
from pyramidion.statistics.family_power import simulate_judged_power
from pyramidion.statistics.pairs import paired_differences
from pyramidion.statistics.studentized import studentized_range
from pyramidion.statistics.values import spreads_of
from pyramidion.studies.comparison.assessors import judged_summaries

FEWEST_ASSESSORS = 3
COSTS = ("topic", "judgment", "assessor", "model")
DEFAULT_COSTS = {"topic": 0.0, "judgment": 1.0, "assessor": 0.0, "model": 0.0}
TERMS = {"sa": "summarizer:assessor", "st": "summarizer:topic", "e": "error"}
"""Variances that a difference of two systems depends on."""
OWN_FITS = 3
"""Pairs that vary least over topics, and as many that vary most, whose variances are estimated on their own."""
BUDGETS = 25
"""Points of the curve of power by budget."""


class Design(NotedRow, record="design", digits=2):
    """A design: how many of everything, what it costs, and the power that it gives."""

    measure: str
    assessors: int = 0
    topics: int
    judgments: int = headed("judgments per summary", default=0)
    """Of each summary; 0 for an automatic measure."""
    models: int = headed("references per topic", default=0)
    """References for each topic; 0 for a question."""
    systems: int
    difference: float
    cost: float = headed(digits=0)
    power: float
    lower: float
    """Limits of the power, given how well the pilot determines the variances."""
    upper: float
    family_power: float = headed("power among all pairs")
    """Power for the same difference where all pairs of systems are tested (Tukey), as the letters of `compare` do;
    simulated for a question."""
    pair_lower: float | None = optional()
    """Power of a planned pair with the variances of one pair of the pilot: the least of those that vary least and most
    over topics; left out for two systems."""
    pair_upper: float | None = optional()
    best: bool
    alpha: float
    confidence: float
    seed: int


class Designs(Finding):
    """The best design for each number of assessors and judgments (or references), the best of all marked."""

    designs: tuple[Design, ...]
    options: DesignOptions
    pilot: Pilot
    costs: Mapping[str, float]

    def __repr__(self) -> str:
        return f"<Designs for {self.pilot.measure}>"

    @property
    def best(self) -> Design:
        """The cheapest, or the one with the most power."""
        return next(design for design in self.designs if design.best)

    def power_by_budget(self) -> list[BudgetPower]:
        """The best power that a budget buys, for each number of judgments (or references), with its limits."""
        # The figure goes on to twice the cost of the best design, where more money buys little.
        top = 2 * self.best.cost
        points = []
        for budget in np.linspace(top / BUDGETS, top, BUDGETS):
            options = replace(self.options, budget=float(budget))
            best_by_count: dict[int, _Candidate] = {}
            for candidate in _candidates(self.pilot, options, self.costs):
                count = candidate.kind.get("judgments") or candidate.kind.get("models", 0)
                if count not in best_by_count or candidate.power > best_by_count[count].power:
                    best_by_count[count] = candidate
            for count, candidate in sorted(best_by_count.items()):
                # The limits are of thousands of draws, so that only designs that are shown get them.
                design = _design(self.pilot, options, candidate)
                points.append(BudgetPower(budget=float(budget), count=count, design=design))
        return points


@dataclass(frozen=True, kw_only=True)
class BudgetPower:
    """The design with the most power that a budget buys."""

    budget: float
    count: int
    """Judgments of each summary, or references."""
    design: Design


@dataclass(frozen=True, kw_only=True, eq=False)
class Pilot:
    """What the data says about the variances: as estimated, and as they may be (draws)."""

    measure: str
    systems: int
    judged: bool
    values: Mapping[str, float]
    """sa, st, e of a question; st, sm of an automatic measure."""
    draws: Mapping[str, Floats]
    several: bool = True
    """Whether several judgments of a summary can be planned: summarizer × topic is known apart from the error."""
    seed: int = 0

    @classmethod
    def from_components(cls, measure: str, fit: Components, *, systems: int, seed: int) -> Pilot:
        """What the variance components of judgments say."""
        drawn = fit.draws(seed)
        # Terms that the design of the pilot could not separate count as zero.
        nothing = np.zeros_like(drawn["error"])
        return cls(
            measure=measure,
            systems=systems,
            judged=True,
            values={key: fit.value(term) for key, term in TERMS.items()},
            draws={key: drawn.get(term, nothing) for key, term in TERMS.items()},
            several="summarizer:topic" in fit.terms,
            seed=seed,
        )

    def variance(self, *, draws: bool, **counts: object) -> tuple[Floats, Floats]:
        """V and df of a difference under a design."""
        components: Mapping[str, object] = self.draws if draws else self.values
        function: Callable[..., tuple[Floats, Floats]] = judged_design if self.judged else measured_design
        return function(systems=self.systems, **counts, **components)


def plan_designs(
    table: ScoreTable,
    judgments: Sequence[Judgment],
    single: Sequence[Floats],
    options: DesignOptions,
    *,
    seed: int = 0,
) -> Designs:
    """Search all designs within the limits, from the variances of a pilot.

    Args:
        table: scores of one measure.
        judgments: the single judgments behind it, if it is a question.
        single: for an automatic measure, for each topic its scores against single references (references × systems).
        options: what to detect, at which cost.
        seed: of the draws behind the limits.

    Raises:
        InputError: if the pilot can't tell the variances, or no design within the limits suffices.
    """
    measure = table.measures[0]
    pilot = _judged_pilot(table, judgments, seed) if judgments else _measured_pilot(measure, single, seed)
    if options.systems is not None:
        pilot = replace(pilot, systems=options.systems)
    costs = read_costs(options.cost)
    designs = _enumerate(pilot, options, costs)
    is_cheapest_first = options.budget is None

    def order(design: Design) -> tuple[float, int, int, int]:
        # Rounded, so that designs of equal cost are ordered by what follows, not by the last digit of a sum.
        goal = round(design.cost, 9) if is_cheapest_first else -round(design.power, 12)
        return goal, design.assessors, design.judgments, design.models

    best_first = sorted(designs, key=order)
    pair_pilots = _pair_pilots(table, judgments, single, pilot)
    marked = []
    for design in best_first:
        lower, upper = _range_over_pairs(pair_pilots, design)
        family_power = _family_power(pilot, design)
        is_best = design is best_first[0]
        marked.append(replace(design, best=is_best, family_power=family_power, pair_lower=lower, pair_upper=upper))
    return Designs(designs=tuple(marked), options=options, pilot=pilot, costs=costs)


def _counts_of(pilot: Pilot, design: Design) -> dict[str, int]:
    """How many of everything a design has that its variance depends on."""
    if pilot.judged:
        return {"topics": design.topics, "assessors": design.assessors, "judgments": design.judgments}
    return {"topics": design.topics, "models": design.models}


def _family_power(pilot: Pilot, design: Design) -> float:
    """The power of one pair in Tukey's test of all pairs."""
    # Two systems make one pair, for which Tukey's test is the t test.
    if design.systems < 3:
        return design.power
    if pilot.judged:
        return simulate_judged_power(
            systems=design.systems,
            topics=design.topics,
            assessors=design.assessors,
            judgments=design.judgments,
            sa=pilot.values["sa"],
            st=pilot.values["st"],
            e=pilot.values["e"],
            difference=design.difference,
            confidence=design.confidence,
            seed=pilot.seed,
        )
    # One mean square estimates the variance, so that the noncentral t is exact: nothing is to be simulated.
    variance, freedom = pilot.variance(draws=False, **_counts_of(pilot, design))
    critical = studentized_range(design.confidence, design.systems, float(freedom)) / math.sqrt(2)
    return float(design_power(design.difference, variance, freedom, alpha=design.alpha, critical=critical))


def _pair_pilots(
    table: ScoreTable, judgments: Sequence[Judgment], single: Sequence[Floats], pilot: Pilot
) -> list[Pilot]:
    """What pairs of systems say about their own variances: those that vary least and most over topics.

    None where there are only two systems.
    """
    if not judgments:
        usable = _usable(single)
        means = np.array([scores.mean(axis=0) for scores in usable]).T
        return [
            _measured_pilot(pilot.measure, [scores[:, list(pair)] for scores in usable], pilot.seed)
            for pair in _extreme_pairs(means)
        ]
    matrix = table.matrix(table.measures[0])
    pilots = []
    for a, b in _extreme_pairs(matrix.values):
        systems = [matrix.summarizers[a], matrix.summarizers[b]]
        fit = judged_summaries(judgment for judgment in judgments if judgment.summarizer in systems).fit(systems)
        if not isinstance(fit, FitFailure):
            values = {key: fit.value(term) for key, term in TERMS.items()}
            pilots.append(replace(pilot, systems=2, values=values, draws={}))
    return pilots


def _extreme_pairs(values: Floats) -> list[tuple[int, int]]:
    """The pairs of rows whose differences vary least and most over topics, of at least three rows."""
    if len(values) < 3:
        return []
    pairs = list(combinations(range(len(values)), 2))
    spreads = spreads_of(paired_differences(values, pairs))
    order = [place for place in np.argsort(spreads).tolist() if spreads[place] > 0]
    # Each fit takes time: all 190 of 20 systems would take many seconds.
    chosen = dict.fromkeys([*order[:OWN_FITS], *order[-OWN_FITS:]])
    return [pairs[place] for place in chosen]


def _range_over_pairs(pair_pilots: Sequence[Pilot], design: Design) -> tuple[float | None, float | None]:
    """The least and the largest power of a planned pair, by the variances of each pair of the pilot."""
    powers = []
    for pilot in pair_pilots:
        variance, freedom = pilot.variance(draws=False, **_counts_of(pilot, design))
        if variance > 0:
            powers.append(float(design_power(design.difference, variance, freedom, alpha=design.alpha)))
    return (min(powers), max(powers)) if powers else (None, None)


def read_costs(text: str | None) -> dict[str, float]:
    """`topic=20,judgment=1.5` as numbers; what is not named costs nothing. Without any costs a judgment costs 1."""
    if text is None:
        return dict(DEFAULT_COSTS)
    costs = dict.fromkeys(COSTS, 0.0)
    parts = [part.strip() for part in text.split(",")]
    for part in filter(None, parts):
        name, _, value = part.partition("=")
        try:
            costs[name] = float(value)
        except ValueError:
            raise UsageError(f"{mention('cost', part)}: expected a number, such as {name}=10") from None
        if name not in COSTS or not 0 <= costs[name] < float("inf"):
            raise UsageError(f"{mention('cost', part)}: expected {', '.join(COSTS)}, each with a cost of 0 or more")
    return costs


def _judged_pilot(table: ScoreTable, judgments: Sequence[Judgment], seed: int) -> Pilot:
    measure, summarizers = table.measures[0], set(table.summarizers)
    judged = judged_summaries(judgment for judgment in judgments if judgment.summarizer in summarizers)
    require_moderate_values(np.array([judgment.value for judgment in judged.judgments], dtype=np.float64), measure)
    systems = sorted({judgment.summarizer for judgment in judged.judgments})
    fit = judged.fit(systems)
    if (
        isinstance(fit, FitFailure)
        or len(judged.assessors) < FEWEST_ASSESSORS
        or "summarizer:assessor" not in fit.terms
    ):
        if isinstance(fit, FitFailure):
            why = fit.reason
        elif len(judged.assessors) < FEWEST_ASSESSORS:
            why = f"it has {counted(len(judged.assessors), 'assessor')}"
        else:
            why = "assessors and topics can't be separated"
        raise InputError(
            f"{measure} can't show how much assessors differ in their ranking of systems ({why}); a pilot needs "
            f"{FEWEST_ASSESSORS} assessors with several topics each"
        )
    return Pilot.from_components(measure, fit, systems=len(systems), seed=seed)


def _measured_pilot(measure: str, single: Sequence[Floats], seed: int) -> Pilot:
    """σ²sm: the mean square of summarizer × model inside topics; σ²st: what is left of summarizer × topic."""
    if not single:
        raise InputError(
            f"{measure} has one score for each summary, from neither several assessors nor several references, so that "
            "only topics can be planned; `pyramidion power` does it"
        )
    usable = _usable(single)
    if len(usable) < 2 or len({scores.shape[1] for scores in usable}) > 1:
        raise InputError(
            f"{measure}: a pilot needs at least two topics with two references or more and scores of all systems"
        )
    systems = usable[0].shape[1]
    # The harmonic mean: the noise of a topic's mean falls with 1/references, and that is what is averaged.
    models = float(1 / np.mean([1 / len(scores) for scores in usable]))
    # Pooled within topics, because each topic has references of its own.
    squares, freedom = 0.0, 0
    for scores in usable:
        residuals = scores - scores.mean(axis=0) - scores.mean(axis=1, keepdims=True) + scores.mean()
        squares += float((residuals**2).sum())
        freedom += (scores.shape[0] - 1) * (systems - 1)
    sm = squares / freedom
    means = np.array([scores.mean(axis=0) for scores in usable])
    residuals = means - means.mean(axis=0) - means.mean(axis=1, keepdims=True) + means.mean()
    topic_freedom = (len(means) - 1) * (systems - 1)
    between = models * float((residuals**2).sum()) / topic_freedom
    generator = np.random.default_rng(seed)
    # What the variance may be, given its estimate: s²·ν/σ² has a χ² distribution with ν degrees of freedom.
    drawn_sm = sm * freedom / generator.chisquare(freedom, 4_000)
    drawn_between = between * topic_freedom / generator.chisquare(topic_freedom, 4_000)
    return Pilot(
        measure=measure,
        systems=systems,
        judged=False,
        values={"st": max((between - sm) / models, 0.0), "sm": sm},
        draws={"st": np.maximum((drawn_between - drawn_sm) / models, 0.0), "sm": drawn_sm},
        seed=seed,
    )


def _usable(single: Sequence[Floats]) -> list[Floats]:
    """Topics with two references and two systems or more, and no missing score."""
    return [scores for scores in single if min(scores.shape) > 1 and not np.isnan(scores).any()]


@dataclass(frozen=True, kw_only=True)
class _Candidate:
    """A number of assessors and judgments (or references) with as many topics as suffice, or as are paid."""

    kind: Mapping[str, int]
    topics: int
    cost: float
    power: float


def _candidates(pilot: Pilot, options: DesignOptions, costs: Mapping[str, float]) -> list[_Candidate]:
    """For each number of assessors and judgments (or references): the fewest topics that suffice, or the most paid."""
    if pilot.judged:
        kinds: list[dict[str, int]] = [
            {"assessors": assessors, "judgments": judgments}
            for assessors in range(FEWEST_ASSESSORS, options.most_assessors + 1)
            # Nobody judges a summary twice: there are no more judgments of it than assessors.
            for judgments in range(1, (assessors if pilot.several else 1) + 1)
        ]
    else:
        kinds = [{"models": models} for models in range(1, options.most_models + 1)]
    candidates: list[_Candidate] = []
    for kind in kinds:
        fewest = kind.get("assessors", 2)
        topics = np.arange(fewest, options.most_topics + 1)
        if not len(topics):
            continue
        price_of_topic = (
            costs["topic"]
            + costs["judgment"] * pilot.systems * kind.get("judgments", 0)
            + costs["model"] * kind.get("models", 0)
        )
        price = topics * price_of_topic + costs["assessor"] * kind.get("assessors", 0)
        if options.budget is not None:
            # Room for rounding: what costs exactly the budget is within it.
            paid = np.nonzero(price <= options.budget * (1 + 1e-12))[0][-1:]
            topics, price = topics[paid], price[paid]
        alpha = 1 - options.confidence / 100
        power = design_power(options.detected, *pilot.variance(draws=False, topics=topics, **kind), alpha=alpha)
        if options.budget is None:
            sufficient = np.flatnonzero(power >= options.power_in_percent / 100)[:1]
        else:
            sufficient = np.arange(len(topics))
        candidates.extend(
            _Candidate(kind=kind, topics=int(topics[place]), cost=float(price[place]), power=float(power[place]))
            for place in sufficient
        )
    return candidates


def _enumerate(pilot: Pilot, options: DesignOptions, costs: Mapping[str, float]) -> list[Design]:
    """The designs among which the best is looked for.

    Raises:
        InputError: if no design within the limits suffices.
    """
    designs = [_design(pilot, options, candidate) for candidate in _candidates(pilot, options, costs)]
    if not designs:
        wanted = "difference" if options.margin is None else "margin"
        failure = f"a budget of {options.budget:g} pays for no design" if options.budget is not None else ""
        if options.budget is None:
            goal = f"detects {options.detected:g}"
            if options.margin is not None:
                goal = f"shows equal systems to be within a margin of {options.margin:g}"
            failure = (
                f"no design within the limits (up to {options.most_topics} topics) {goal} with "
                f"{options.power_in_percent:g} % power"
            )
        raise InputError(f"{failure}; ask for a larger {wanted}, or allow more (`most_topics=`, `most_assessors=`)")
    return designs


def _design(pilot: Pilot, options: DesignOptions, candidate: _Candidate) -> Design:
    """A candidate with the limits of its power."""
    alpha, kind = 1 - options.confidence / 100, candidate.kind
    drawn = design_power(options.detected, *pilot.variance(draws=True, topics=candidate.topics, **kind), alpha=alpha)
    lower, upper = np.quantile(drawn, [alpha / 2, 1 - alpha / 2])
    return Design(
        measure=pilot.measure,
        systems=pilot.systems,
        assessors=kind.get("assessors", 0),
        judgments=kind.get("judgments", 0),
        models=kind.get("models", 0),
        difference=options.detected,
        topics=candidate.topics,
        cost=candidate.cost,
        power=candidate.power,
        lower=float(lower),
        upper=float(upper),
        family_power=candidate.power,  # of two systems; `plan_designs` has that of all pairs
        best=False,
        alpha=alpha,
        confidence=options.confidence,
        seed=pilot.seed,
    )
