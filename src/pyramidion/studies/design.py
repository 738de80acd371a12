"""`design`: from a pilot and costs to the cheapest design that detects a difference, or the best one for a budget."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from pyramidion.arrays import Floats
from pyramidion.campaign.nouns import Judgment
from pyramidion.errors import InputError, UsageError, mention
from pyramidion.options import DesignOptions
from pyramidion.scores import ScoreTable
from pyramidion.scores.table import refuse_extremes
from pyramidion.show.tables import Column, Finding, NotedRow, Table, headed, table_of
from pyramidion.show.wording import counted, number, percent
from pyramidion.statistics.components import Components, Unfit
from pyramidion.statistics.design import design_power, judged_design, measured_design
from pyramidion.studies.comparison.assessors import judged_summaries

FEWEST_ASSESSORS = 3
COSTS = ("topic", "judgment", "assessor", "model")
DEFAULT_COSTS = {"topic": 0.0, "judgment": 1.0, "assessor": 0.0, "model": 0.0}
BUDGETS = 25
"""Points of the curve of power by budget."""
_ONE_EACH = "The pilot has one judgment of each summary, so only designs with one judgment of each are offered."


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
    best: bool
    alpha: float
    confidence: float
    seed: int

    def in_words(self) -> str:
        """What it takes."""
        topics = counted(self.topics, "topic")
        if not self.judgments:
            return f"{topics}, {counted(self.models, 'reference')} for each topic"
        each = counted(self.judgments, "judgment")
        return f"{topics}, {counted(self.assessors, 'assessor')}, {each} of each summary"


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
        return next(one for one in self.designs if one.best)

    def tables(self) -> list[Table]:
        """The designs, and what the best one is."""
        counts = ("assessors", "judgments") if self.pilot.judged else ("models",)
        best = Column("best", of=lambda one: "best" if one.best else None)
        return [
            table_of(
                self.designs,
                (*counts, "topics", "cost", "power", "lower", "upper", best),
                title=f"{self.pilot.measure}: designs that detect a difference of {self.options.detected:g}"
                if self.options.budget is None
                else f"{self.pilot.measure}: designs for a budget of {self.options.budget:g}",
                sentences=tuple(self._in_words()),
                notes=("" if self.pilot.several else _ONE_EACH,),
                about=self.pilot.measure,
            )
        ]

    def answer(self) -> tuple[str, ...]:
        """The best design."""
        return tuple(self._in_words())

    def _in_words(self) -> Iterator[str]:
        best, cost = self.best, number(self.best.cost, 0)
        limits = f"{percent(best.lower)} to {percent(best.upper)}, given this pilot"
        aim = f"a difference of {best.difference:g} between {best.systems} systems"
        if self.options.budget is None:
            yield (
                f"The cheapest design that detects {aim} with {self.options.power_in_percent:g} % power: "
                f"{best.in_words()}. It costs {cost} (power {percent(best.power)}; {limits})."
            )
        else:
            yield (
                f"The best design for a budget of {self.options.budget:g}: {best.in_words()}. It detects {aim} with "
                f"{percent(best.power)} power ({limits}) and costs {cost}."
            )
        if self.pilot.judged:
            yield "Assessors are treated as a random sample."
        yield f"Costs: {', '.join(f'{value:g} for each {name}' for name, value in self.costs.items() if value)}."

    def power_by_budget(self) -> list[dict[str, float]]:
        """The best power that a budget buys, for each number of judgments (or references), with its limits."""
        top = 2 * self.best.cost
        rows = []
        for budget in np.linspace(top / BUDGETS, top, BUDGETS):
            try:
                found = _enumerate(self.pilot, replace(self.options, budget=float(budget)), self.costs)
            except InputError:
                continue
            by_count: dict[int, Design] = {}
            for one in found:
                key = one.judgments or one.models
                if key not in by_count or one.power > by_count[key].power:
                    by_count[key] = one
            rows += [
                {"budget": float(budget), "count": key, "value": one.power, "lower": one.lower, "upper": one.upper}
                for key, one in sorted(by_count.items())
            ]
        return rows


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
        names = {"sa": "summarizer:assessor", "st": "summarizer:topic", "e": "error"}
        drawn = fit.draws(seed)
        nothing = np.zeros_like(drawn["error"])
        return cls(
            measure=measure,
            systems=systems,
            judged=True,
            values={key: fit.value(term) for key, term in names.items()},
            draws={key: drawn.get(term, nothing) for key, term in names.items()},
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
    found = _enumerate(pilot, options, costs)
    by_cost = options.budget is None
    order = sorted(
        found,
        key=lambda one: (
            round(one.cost, 9) if by_cost else -round(one.power, 12),
            one.assessors,
            one.judgments,
            one.models,
        ),
    )
    marked = tuple(replace(one, best=one is order[0]) for one in order)
    return Designs(designs=marked, options=options, pilot=pilot, costs=costs)


def read_costs(given: str | None) -> dict[str, float]:
    """`topic=20,judgment=1.5` as numbers; what is not named costs nothing. Without any costs a judgment costs 1."""
    if given is None:
        return dict(DEFAULT_COSTS)
    costs = dict.fromkeys(COSTS, 0.0)
    for part in filter(None, (one.strip() for one in given.split(","))):
        name, _, value = part.partition("=")
        try:
            costs[name] = float(value)
        except ValueError:
            raise UsageError(f"{mention('cost', part)}: expected a number, such as {name}=10") from None
        if name not in COSTS or not 0 <= costs[name] < float("inf"):
            raise UsageError(f"{mention('cost', part)}: expected {', '.join(COSTS)}, each with a cost of 0 or more")
    return costs


def _judged_pilot(table: ScoreTable, judgments: Sequence[Judgment], seed: int) -> Pilot:
    measure, there = table.measures[0], set(table.summarizers)
    judged = judged_summaries(one for one in judgments if one.summarizer in there)
    refuse_extremes(np.array([one.value for one in judged.judgments], dtype=np.float64), measure)
    systems = sorted({one.summarizer for one in judged.judgments})
    fit = judged.fit(systems)
    if isinstance(fit, Unfit) or len(judged.assessors) < FEWEST_ASSESSORS or "summarizer:assessor" not in fit.terms:
        why = fit.reason if isinstance(fit, Unfit) else f"it has {counted(len(judged.assessors), 'assessor')}"
        raise InputError(
            f"{measure} can't show how much assessors differ in their ranking of systems ({why}); a pilot needs "
            f"{FEWEST_ASSESSORS} assessors with several topics each"
        )
    return Pilot.from_components(measure, fit, systems=len(systems), seed=seed)


def _measured_pilot(measure: str, single: Sequence[Floats], seed: int) -> Pilot:
    """σ²sm: the mean square of summarizer × model inside topics; σ²st: what is left of summarizer × topic."""
    usable = [one for one in single if one.shape[0] > 1 and one.shape[1] > 1 and not np.isnan(one).any()]
    if len(usable) < 2 or len({one.shape[1] for one in usable}) > 1:
        raise InputError(
            f"{measure}: a pilot needs at least two topics with two references or more and scores of all systems"
        )
    systems, models = usable[0].shape[1], float(1 / np.mean([1 / len(one) for one in usable]))
    squares, freedom = 0.0, 0
    for one in usable:
        rest = one - one.mean(axis=0) - one.mean(axis=1, keepdims=True) + one.mean()
        squares += float((rest**2).sum())
        freedom += (one.shape[0] - 1) * (systems - 1)
    sm = squares / freedom
    means = np.array([one.mean(axis=0) for one in usable])
    rest = means - means.mean(axis=0) - means.mean(axis=1, keepdims=True) + means.mean()
    topic_freedom = (len(means) - 1) * (systems - 1)
    between = models * float((rest**2).sum()) / topic_freedom
    generator = np.random.default_rng(seed)
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


def _enumerate(pilot: Pilot, options: DesignOptions, costs: Mapping[str, float]) -> list[Design]:
    """For each number of assessors and judgments (or references): the fewest topics that suffice, or the most paid."""
    if pilot.judged:
        kinds: list[dict[str, int]] = [
            {"assessors": assessors, "judgments": judgments}
            for assessors in range(FEWEST_ASSESSORS, options.most_assessors + 1)
            for judgments in range(1, (assessors if pilot.several else 1) + 1)
        ]
    else:
        kinds = [{"models": models} for models in range(1, options.most_models + 1)]
    alpha = 1 - options.confidence / 100
    found = []
    for kind in kinds:
        fewest = kind.get("assessors", 2)
        topics = np.arange(fewest, options.most_topics + 1)
        if not len(topics):
            continue
        price = topics * (
            costs["topic"]
            + costs["judgment"] * pilot.systems * kind.get("judgments", 0)
            + costs["model"] * kind.get("models", 0)
        ) + costs["assessor"] * kind.get("assessors", 0)
        power = design_power(options.detected, *pilot.variance(draws=False, topics=topics, **kind), alpha=alpha)
        if options.budget is None:
            there = np.nonzero(power >= options.power_in_percent / 100)[0][:1]
        else:
            there = np.nonzero(price <= options.budget * (1 + 1e-12))[0][-1:]
        if len(there):
            found.append(_design(pilot, options, kind, int(topics[there[0]]), float(price[there[0]]), alpha))
    if not found:
        limits = f"up to {options.most_topics} topics"
        wanted = (
            f"no design within the limits ({limits}) detects {options.detected:g} with "
            f"{options.power_in_percent:g} % power"
            if options.budget is None
            else f"a budget of {options.budget:g} pays for no design"
        )
        raise InputError(f"{wanted}; ask for a larger difference, or allow more (`most_topics=`, `most_assessors=`)")
    return found


def _design(
    pilot: Pilot, options: DesignOptions, kind: Mapping[str, int], topics: int, cost: float, alpha: float
) -> Design:
    power = design_power(options.detected, *pilot.variance(draws=False, topics=topics, **kind), alpha=alpha)
    drawn = design_power(options.detected, *pilot.variance(draws=True, topics=topics, **kind), alpha=alpha)
    lower, upper = np.quantile(drawn, [alpha / 2, 1 - alpha / 2])
    return Design(
        measure=pilot.measure,
        systems=pilot.systems,
        assessors=kind.get("assessors", 0),
        judgments=kind.get("judgments", 0),
        models=kind.get("models", 0),
        difference=options.detected,
        topics=topics,
        cost=cost,
        power=float(power),
        lower=float(lower),
        upper=float(upper),
        best=False,
        alpha=alpha,
        confidence=options.confidence,
        seed=pilot.seed,
    )
