"""Which share of the answers people must give for a precision, with and without a predictor, and what that costs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from pyramidion.campaign import SampledUnit
from pyramidion.errors import InputError, UsageError, mention
from pyramidion.options import DesignOptions, SampledBy
from pyramidion.show.tables import ExplainedRow, Finding, headed
from pyramidion.statistics.design import design_power
from pyramidion.statistics.label_planning import (
    FEWEST_PILOT_TOPICS,
    Precision,
    Spread,
    expected_precision,
    pilot_spread,
)
from pyramidion.statistics.predictions import FEWEST_CLUSTERS, Units, fit_within_topics
from pyramidion.statistics.values import t_critical
from pyramidion.studies.predictions.estimates import DesignedUnits, design_units, units_in_plan
from pyramidion.studies.predictions.frames import Frame
from pyramidion.studies.predictions.labels import without_features

LABEL_COSTS = ("topic", "summary", "answer")
DEFAULT_LABEL_COSTS = {"topic": 0.0, "summary": 0.0, "answer": 1.0}
SHARES = 200
"""Shares of SCUs that are considered: half a per cent apart."""
CURVE_SHARES = (5, 10, 15, 20, 25, 30, 40, 50, 60, 70, 80, 90, 100)
"""Of the figure, in percent."""
CEILING_SHARE = 0.8
"""Above this share of equal answers, planned limits are too narrow at small shares, as those of `compare` are."""


class LabelDesign(ExplainedRow, record="label-design", digits=3):
    """A share of the answers that people give: what it costs, and how precise a difference between systems is."""

    measure: str
    by: SampledBy
    """What is drawn: topic, or scu, each in all systems."""
    predictors: str
    """Empty if people's answers are used alone."""
    share: float = headed("% answered", digits=1)
    """Share of the answers, in percent."""
    drawn: float = headed(digits=0)
    """Topics, or SCUs over all topics."""
    total: float = headed("of", digits=0)
    summaries: float = headed("summaries read", digits=0)
    answers: float = headed(digits=0)
    cost: float = headed(digits=0)
    half_width: float
    """Half the width of the interval of a difference, for the mean variance over pairs."""
    lower: float
    """Limits of the half width, given how much topics of the pilot differ."""
    upper: float
    least: float = headed("narrowest pair")
    """Half width of the pair of systems that varies least in the pilot."""
    largest: float = headed("widest pair")
    power: float | None = headed(digits=2)
    """Power for the difference to detect; undefined if none was named."""
    best: bool
    confidence: float


class LabelDesigns(Finding):
    """For each way to draw, with and without the predictor: the least share that suffices, or the most that is paid."""

    designs: tuple[LabelDesign, ...]
    options: DesignOptions
    pilot: LabelPilot
    costs: Mapping[str, float]
    failed: tuple[tuple[SampledBy, bool], ...] = ()
    """(by, with predictor) of what no share below 100 % suffices for."""

    def __repr__(self) -> str:
        return f"<LabelDesigns for {self.pilot.frame.measure}>"

    @property
    def best(self) -> LabelDesign:
        """The cheapest; with a budget, the most precise."""
        return next(design for design in self.designs if design.best)

    def design(self, by: SampledBy, *, is_predicted: bool) -> LabelDesign | None:
        """The design of this kind; None if nothing suffices."""
        for design in self.designs:
            if design.by == by and bool(design.predictors) == is_predicted:
                return design
        return None

    def curve(self) -> Iterator[LabelDesign]:
        """For the figure: designs of all kinds by share."""
        for kind in self.pilot.kinds(self.options):
            for share in CURVE_SHARES:
                design = kind.design(share / 100)
                if design is not None:
                    yield design


@dataclass(frozen=True, kw_only=True, eq=False)
class LabelPilot:
    """What is known before labels are asked for: answers to a part, predictions, and how these were drawn."""

    frame: Frame
    designed: DesignedUnits
    people: int = 1
    """Answers about each summary: a question's answer is the mean of as many people."""
    systems: int
    """Of the campaign that is planned."""
    topics: int
    costs: Mapping[str, float]

    @cached_property
    def r_squared(self) -> float:
        """Of the predictors within topics and systems."""
        units = self.designed.units
        fit = fit_within_topics(
            units.answers, units.features, systems=units.systems, topics=units.topics, weights=units.weights
        )
        return fit.r_squared

    @property
    def judged_topics(self) -> int:
        """Number of topics with people's answers."""
        return len(np.unique(self.designed.units.topics[self.designed.units.is_judged]))

    @property
    def commonest_share(self) -> float:
        """Share of the most frequent answer among people's answers."""
        answers = self.designed.units.answers[self.designed.units.is_judged]
        counts = np.unique(answers, return_counts=True)[1]
        return float(counts.max() / counts.sum())

    def kinds(self, options: DesignOptions) -> Iterator[_Kind]:
        """What can be drawn, with and without the predictor."""
        for by in self.drawable(options):
            for is_predicted in (True, False):
                if is_predicted and not self.frame.predictors:
                    continue
                units = self._units(by) if is_predicted else without_features(self._units(by))
                spread = pilot_spread(units, draws_topics=by == "topic", topics=self.topics)
                if not len(spread.sizes):
                    continue
                yield _Kind(self, options, by, is_predicted, spread)

    def _units(self, by: SampledBy) -> Units:
        """The pilot's units, together as they would be drawn."""
        if by == "topic":
            return self.designed.units
        return replace(self.designed.units, clusters=self.frame.question_numbers)

    def drawable(self, options: DesignOptions) -> tuple[SampledBy, ...]:
        """What could be drawn, and what the pilot can speak about."""
        is_scu_pilot = self.designed.by == "scu"
        if not self.frame.asks_scus:
            return ("topic",)
        if is_scu_pilot:
            return ("scu",)
        return ("scu", "topic") if options.by is None else (options.by,)


@dataclass(frozen=True, eq=False)
class _Kind:
    """One way to draw, with or without predictor."""

    pilot: LabelPilot
    options: DesignOptions
    by: SampledBy
    is_predicted: bool
    spread: Spread

    @property
    def total(self) -> float:
        """How much there is to draw."""
        if self.by == "topic":
            return float(self.pilot.topics)
        return float(self.spread.sizes.mean() * self.pilot.topics)

    def shares(self) -> list[float]:
        """The shares that are considered, the least first."""
        if self.by == "topic":
            return [count / self.pilot.topics for count in range(FEWEST_CLUSTERS, self.pilot.topics + 1)]
        return [step / SHARES for step in range(1, SHARES + 1)]

    def design(self, share: float) -> LabelDesign | None:
        """The design with this share; None if it has no interval."""
        topics, options = self.pilot.topics, self.options
        precision = expected_precision(self.spread, share, topics=topics, population=options.population)
        predictors = len(self.pilot.frame.predictors) if self.is_predicted else 0
        if precision.clusters < max(FEWEST_CLUSTERS, predictors + 3) or precision.freedom < 1:
            return None
        critical = float(t_critical(options.confidence, precision.freedom))
        half_width = critical * math.sqrt(precision.variance)
        # The relative error is that of the variance: half of it is that of the width.
        spread_of_pilot = float(t_critical(options.confidence, self.spread.pilot_topics - 1)) * precision.relative_error
        factor = math.exp(spread_of_pilot / 2)
        asked_questions = self.pilot.people if not self.pilot.frame.asks_scus else 1
        answers = precision.clusters * self.pilot.systems * asked_questions
        # A topic is answered SCU by SCU.
        if self.pilot.frame.asks_scus and self.by == "topic":
            answers *= len(self.pilot.frame.questions) / len(self.pilot.frame.topics)
        # SCUs are drawn within every topic, so that all summaries have to be read.
        read_topics = precision.clusters if self.by == "topic" else float(topics)
        summaries = read_topics * self.pilot.systems * asked_questions
        costs = self.pilot.costs
        return LabelDesign(
            measure=self.pilot.frame.measure,
            by=self.by,
            predictors=", ".join(self.pilot.frame.predictors) if self.is_predicted else "",
            share=100 * precision.clusters / self.total,
            drawn=precision.clusters,
            total=self.total,
            summaries=summaries,
            answers=answers,
            cost=costs["topic"] * read_topics + costs["summary"] * summaries + costs["answer"] * answers,
            half_width=half_width,
            lower=half_width / factor,
            upper=half_width * factor,
            least=critical * math.sqrt(precision.least_variance),
            largest=critical * math.sqrt(precision.largest_variance),
            power=self._power(precision),
            best=False,
            confidence=options.confidence,
        )

    def _power(self, precision: Precision) -> float | None:
        if not has_difference(self.options):
            return None
        if precision.variance <= 0:
            return 1.0
        alpha = 1 - self.options.confidence / 100
        return float(design_power(self.options.detected, precision.variance, precision.freedom, alpha=alpha))

    def choose(self) -> LabelDesign | None:
        """The least share that reaches the goal, or the largest that the budget pays; None if there is none."""
        options = self.options
        designs = [design for design in map(self.design, self.shares()) if design is not None]
        if options.budget is not None:
            # Room for rounding: a design that costs the budget to the last digit is paid.
            paid = [design for design in designs if design.cost <= options.budget * (1 + 1e-12)]
            return paid[-1] if paid else None
        for design in designs:
            if options.half_width is not None:
                is_enough = design.half_width <= options.half_width
            else:
                is_enough = (design.power or 0.0) >= options.power_in_percent / 100
            if is_enough:
                return design
        return None


def has_difference(options: DesignOptions) -> bool:
    """Whether a difference or a margin was named."""
    return options.difference is not None or options.margin is not None


def plan_labels(
    frame: Frame, sample: Sequence[SampledUnit], options: DesignOptions, *, people: int = 1
) -> LabelDesigns:
    """Plan which share of the answers to ask people for, from the residuals of a pilot.

    Args:
        frame: everything that could be asked, with people's answers to a part or all of it, and predictions.
        sample: what was drawn for the pilot; without one, its topics are taken as a random sample.
        options: what to reach, at which cost.
        people: number of answers about each summary behind an answer of the frame.

    Raises:
        UsageError: if it is not said what to reach, or the pilot can't speak about what is to be drawn.
        InputError: if no share suffices.
    """
    _check(options)
    designed = design_units(frame, sample, assume_random="topics")
    if designed.dropped:
        frame = units_in_plan(frame, sample, designed.by)
    pilot = LabelPilot(
        frame=frame,
        designed=designed,
        people=people,
        systems=options.systems or len(frame.systems),
        topics=options.topics or len(frame.topics),
        costs=read_label_costs(options.cost),
    )
    _check_pilot(pilot, options)
    chosen: list[LabelDesign] = []
    failed: list[tuple[SampledBy, bool]] = []
    for kind in pilot.kinds(options):
        design = kind.choose()
        if design is None:
            failed.append((kind.by, kind.is_predicted))
        else:
            chosen.append(design)
    if not chosen:
        raise InputError(_why_nothing_suffices(options, frame.measure))

    def order(design: LabelDesign) -> tuple[float, float]:
        # Rounded, so that equal costs are equal, and the narrower interval decides.
        if options.budget is None:
            return round(design.cost, 6), design.half_width
        return round(design.half_width, 9), design.cost

    best = min(chosen, key=order)
    designs = tuple(replace(design, best=design is best) for design in sorted(chosen, key=order))
    return LabelDesigns(designs=designs, options=options, pilot=pilot, costs=pilot.costs, failed=tuple(failed))


def _check(options: DesignOptions) -> None:
    goals = [options.half_width is not None, options.difference is not None, options.margin is not None]
    if options.half_width is not None and sum(goals) > 1:
        raise UsageError("`half_width=` plans for an interval, `difference=` and `margin=` for power: give one of them")
    if not any(goals) and options.budget is None:
        raise UsageError(
            "`half_width=` is missing: say how wide the interval of a difference may be, or which `difference=` or "
            "`margin=` to detect, or a `budget=`"
        )
    if options.by == "unit":
        raise UsageError(
            f"{mention('by', 'unit')}: single answers compare systems on different material; plan for topic or scu"
        )


def _check_pilot(pilot: LabelPilot, options: DesignOptions) -> None:
    frame = pilot.frame
    if options.by == "scu" and not frame.asks_scus:
        raise UsageError(f'{mention("by", "scu")}: {frame.measure} has no SCUs; use `by="topic"`')
    if options.by == "topic" and frame.asks_scus and pilot.designed.by == "scu":
        raise UsageError(
            f'{mention("by", "topic")}: the pilot drew SCUs, and no topic is answered as a whole; use `by="scu"`'
        )
    if pilot.designed.by == "unit":
        raise UsageError("the pilot drew single answers, which say too little about topics; draw topics or SCUs")
    if pilot.judged_topics < FEWEST_PILOT_TOPICS:
        raise InputError(
            f"{frame.measure}: people answered {pilot.judged_topics} topics for all systems; a pilot needs "
            f"{FEWEST_PILOT_TOPICS} or more"
        )
    if len(frame.systems) < 2:
        raise InputError(f"{frame.measure}: there is one system, and so no difference")


def _why_nothing_suffices(options: DesignOptions, measure: str) -> str:
    if options.budget is not None:
        return f"{measure}: a budget of {options.budget:g} pays for no sample with an interval"
    goal = f"an interval of ±{options.half_width:g}"
    if options.half_width is None:
        goal = f"{options.power_in_percent:g} % power for {options.detected:g}"
    return f"{measure}: even all answers do not give {goal}; ask for less, or plan more topics (`topics=`)"


def read_label_costs(text: str | None) -> dict[str, float]:
    """`summary=2,answer=0.5` as numbers; what is not named costs nothing. Without any costs an answer costs 1."""
    if text is None:
        return dict(DEFAULT_LABEL_COSTS)
    costs = dict.fromkeys(LABEL_COSTS, 0.0)
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, _, value = part.partition("=")
        try:
            cost = float(value)
        except ValueError:
            raise UsageError(f"{mention('cost', part)}: expected a number, such as {name}=10") from None
        if name not in LABEL_COSTS or not 0 <= cost < math.inf:
            raise UsageError(
                f"{mention('cost', part)}: with `using=`, expected {', '.join(LABEL_COSTS)}, each with a cost of 0 or "
                "more"
            )
        costs[name] = cost
    return costs
