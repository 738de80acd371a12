"""Systems compared by people's answers to a sample and a predictor of the other answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from pyramidion.arrays import Bools, Floats, Integers
from pyramidion.campaign import SampledUnit
from pyramidion.errors import UsageError, mention
from pyramidion.options import AssumedSample, CompareOptions, Population, SampledBy
from pyramidion.pyramids.scores import PyramidScoring
from pyramidion.show.tables import ExplainedRow, Row, hidden
from pyramidion.statistics.predictions import (
    FEWEST_CLUSTERS,
    Prediction,
    Units,
    add_other_systems,
    fill_features,
    predict_means,
)
from pyramidion.statistics.values import SLACK
from pyramidion.studies.clusters import TopicClusters
from pyramidion.studies.comparison.comparison import Comparison
from pyramidion.studies.comparison.pairs import chosen_pairs
from pyramidion.studies.predictions.frames import Frame, ScuQuestion
from pyramidion.studies.predictions.plans import (
    CLUSTER_WORDS,
    PlanRow,
    clusters_of,
    sampled_by,
    unit_keys,
)

MOSTLY_EQUAL = 0.5
"""Above this share of equal answers about two systems, few answers carry the difference; as for pairs of `compare`."""
ENOUGH_DIFFERENT = 20
"""With so many answers that differ, intervals hold however many are equal."""
HALF_A_UNIT = 0.5
"""By how much the number of drawn units may differ from the sum of their chances, which may be rounded."""
MOST_UNSEEN = 0.1
"""By how much more predictions may be missing of what nobody judged than of what people judged."""
NOT_USED = ("sequential", "fragility", "margin", "letters", "method", "assessors", "interval", "scale", "correction")


@dataclass(frozen=True)
class IntervalGap:
    """Why a measure has no intervals: nothing was drawn, or too little."""

    clusters: str = ""
    """What was drawn, of which people judged too few; empty if all answers are there."""
    least: int = 0
    """How many would suffice."""


class PredictedMean(ExplainedRow, record="predicted-mean"):
    """The mean of a system, from people's answers and predictions."""

    measure: str
    summarizer: str
    value: float
    lower: float
    upper: float
    rank: int
    first_rank: int
    """The best rank that the comparison of all pairs leaves open."""
    last_rank: int
    judged: int
    """Number of people's answers about the system that were used."""
    alone: float
    """The mean of the predictor alone, on its own scale; undefined for several predictors."""
    gap: IntervalGap | None = hidden(default=None)
    """Why no mean of the measure has an interval, if none has."""


class PredictedPair(ExplainedRow, record="predicted-pair"):
    """The difference between two systems."""

    measure: str
    a: str
    b: str
    difference: float
    lower: float
    upper: float
    p: float
    all_lower: float
    all_upper: float
    """Limits that hold for all pairs together."""
    p_adjusted: float
    gain: float
    """How many times as many answers the prediction is worth: the variance without it over the variance with it."""
    alone: float
    """The difference of the predictor alone, on its own scale."""
    share: float
    """Share of the answers that people gave."""
    df: float
    more_answers: int | None = field(default=None, metadata={"optional": True})
    """Number of further answers that would halve the interval; None where that is not known."""
    equal: int | None = field(default=None, metadata={"optional": True})
    """Of what was drawn, how much people answered alike for both, where that is most: the interval may be too short."""
    gap: IntervalGap | None = hidden(default=None)
    """Why no pair of the measure has an interval, if none has."""


class PredictorFit(ExplainedRow, record="predicted-fit"):
    """How a predictor follows people's answers within topics and systems."""

    measure: str
    predictor: str
    slope: float
    """Mean over topics; the slope for a topic comes from the others."""
    r_squared: float
    """Share of the variance within topics and systems that all predictors together explain."""
    ratio: float


@dataclass(frozen=True, kw_only=True, eq=False)
class DesignedUnits:
    """The units of a frame with their chances, and what of the answers is used."""

    units: Units
    by: SampledBy
    plan: PlanRow
    outside: int
    """Answers that were not drawn, and so are not used."""
    unfinished: int
    """Drawn clusters that are not answered for all systems, and so are not used."""
    filled: int
    """Predictions that were missing."""
    dropped: int
    """Topics that the plan does not know."""
    is_assumed: bool


@dataclass(frozen=True, kw_only=True, eq=False)
class PredictedMeasure:
    """What was found out about one measure."""

    measure: str
    frame: Frame
    designed: DesignedUnits
    prediction: Prediction
    means: tuple[PredictedMean, ...]
    pairs: tuple[PredictedPair, ...]
    fits: tuple[PredictorFit, ...]
    highlighted: tuple[PredictedPair, ...]
    """The pairs that were asked for; else the two best systems."""


class PredictedComparison(Comparison):
    """Means, pairs and rank intervals of systems where people answered a part and predictors the rest."""

    predicted: tuple[PredictedMeasure, ...] = ()
    labels: Mapping[str, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<PredictedComparison on {', '.join(part.measure for part in self.predicted)}>"

    def main_record(self) -> str:
        """The pairs if some were asked for, else the means."""
        return "predicted-pair" if self.options.asks_for_pairs else "predicted-mean"

    def rows(self) -> Iterator[Row]:
        """Plans, means, pairs and fits."""
        for part in self.predicted:
            found: tuple[Row, ...] = (part.designed.plan, *part.means, *part.pairs, *part.fits)
            yield from (row for row in found if row.record in self.chosen_kinds)


class PredictedPyramidScores(PyramidScoring):
    """Pyramid scores of systems where people answered a sample of SCUs, and predictors the rest."""

    comparison: PredictedComparison

    def rows(self) -> Iterator[Row]:
        """Those of the comparison."""
        return self.comparison.rows()


def design_units(
    frame: Frame,
    sample: Sequence[SampledUnit],
    *,
    assume_random: AssumedSample | None = None,
    clusters: TopicClusters | None = None,
) -> DesignedUnits:
    """What was drawn, with which chance, and which answers can be used.

    Args:
        frame: everything that could be asked, with answers and predictions.
        sample: what was drawn; empty if there was no plan.
        assume_random: what to treat as a random sample where there was no plan.
        clusters: which topics belong together.
    """
    is_answered = ~np.isnan(frame.answers)
    # With all answers nothing has to be assumed about how they were drawn.
    is_complete = bool(is_answered.all())
    is_assumed = False
    dropped = 0
    if sample:
        by = sampled_by(sample)
        frame, is_drawn, chances, strata, dropped = _read_design(frame, sample, by)
        is_answered = ~np.isnan(frame.answers)
    else:
        if not is_complete and assume_random is None:
            raise UsageError(
                f"{frame.measure}: people's answers were not drawn by a plan (`pyramidion plan`); "
                '`assume_random="topics"` says that the topics with answers are a random sample of all topics'
            )
        by = "topic"
        is_assumed = not is_complete
        # Without a plan, the topics with any answer are taken for the sample, each with the same chance.
        judged_topics = np.bincount(frame.topic_numbers, weights=is_answered, minlength=len(frame.topics)) > 0
        is_drawn, strata = judged_topics, np.zeros(len(frame.topics), dtype=np.int64)
        chances = np.full(len(frame.topics), judged_topics.mean())
    numbers = clusters_of(frame, by)
    outside = is_answered & ~is_drawn[numbers]
    is_used = is_answered & is_drawn[numbers]
    _require_judged_systems(frame, is_used)
    # A cluster that lacks systems would compare them on different material.
    sizes = np.bincount(numbers, minlength=len(is_drawn))
    used_sizes = np.bincount(numbers, weights=is_used, minlength=len(is_drawn))
    is_finished = is_drawn & (used_sizes == sizes)
    unfinished = int((is_drawn & ~is_finished).sum())
    if not is_finished.any():
        raise UsageError(f"{frame.measure}: no drawn {CLUSTER_WORDS[by][:-1]} is answered for all systems yet")
    if strata is None:
        # Those that are finished are taken for a random part of those that were drawn, so that chances shrink alike.
        chances = chances * is_finished.sum() / max(is_drawn.sum(), 1)
    else:
        chances = _chances_in_strata(frame, is_finished, strata, by)
    features, filled = fill_features(frame.features, frame.system_numbers)
    units = Units(
        systems=frame.system_numbers,
        topics=frame.topic_numbers,
        clusters=numbers,
        weights=frame.weights,
        answers=np.where(is_finished[numbers], frame.answers, np.nan),
        chances=chances[numbers],
        features=features,
        strata=None if strata is None else strata[numbers],
        groups=None if clusters is None else np.asarray(clusters.codes(frame.topics))[frame.topic_numbers],
    )
    if by == "unit":
        units = add_other_systems(units, frame.question_numbers)
    plan = PlanRow(
        measure=frame.measure,
        clusters=CLUSTER_WORDS[by],
        drawn=int(is_finished.sum()),
        total=len(is_finished),
        answers=int(units.is_judged.sum()),
        answers_total=len(frame),
        chance_least=float(chances.min()),
        draws=max((unit.draw for unit in sample), default=1),
        seed=next((unit.seed for unit in sample if unit.drawn), None),
        is_planned=bool(sample),
    )
    return DesignedUnits(
        units=units,
        by=by,
        plan=plan,
        outside=int(outside.sum()),
        unfinished=unfinished,
        filled=filled,
        dropped=dropped,
        is_assumed=is_assumed,
    )


def _read_design(
    frame: Frame, sample: Sequence[SampledUnit], by: SampledBy
) -> tuple[Frame, Bools, Floats, Integers | None, int]:
    """The frame without what the plan does not know; of its clusters which are drawn, their chances and strata."""
    asks_scus = sample[0].scu is not None
    if asks_scus and not frame.asks_scus:
        raise UsageError(f"the plan draws SCUs, and {frame.measure} is no pyramid score; name another plan by `plan=`")
    if by == "unit" and not asks_scus and frame.asks_scus:
        raise UsageError(f"the plan draws summaries, and {frame.measure} asks about SCUs; name another plan by `plan=`")
    _require_fixed_numbers(sample)
    units = {(unit.topic, unit.scu, unit.summarizer): unit for unit in sample}
    keys = unit_keys(frame, by)
    _require_same_pyramids(units, keys)
    is_known = np.array([(topic, scu, system) in units for topic, scu, system, _ in keys])[clusters_of(frame, by)]
    _require_planned_systems(frame, is_known)
    # A topic that the plan knows in part would stand for itself by the SCUs that happen to be listed.
    is_whole = np.bincount(frame.topic_numbers, weights=~is_known) == 0
    dropped = int((~is_whole).sum())
    if dropped and not is_whole.any() and is_known.any():
        missing = int((~is_known[frame.topic_numbers == 0]).sum())
        raise UsageError(
            f"the plan lists no topic wholly: {missing} of the answers about {frame.topics[0]} are missing; a sample "
            "needs every unit that could have been drawn, drawn or not, with its chance"
        )
    if dropped:
        frame = _only(frame, is_whole[frame.topic_numbers])
    if not len(frame):
        raise UsageError("the plan is of other topics than the data")
    found = [units[topic, scu, system] for topic, scu, system, _ in unit_keys(frame, by)]
    strata: Integers | None = None
    if found[0].stratum is not None:
        numbers = {name: number for number, name in enumerate(dict.fromkeys(unit.stratum for unit in found))}
        strata = np.array([numbers[unit.stratum] for unit in found], dtype=np.int64)
    chances = np.array([unit.chance for unit in found], dtype=np.float64)
    return frame, np.array([unit.drawn for unit in found]), chances, strata, dropped


def _require_fixed_numbers(sample: Sequence[SampledUnit]) -> None:
    """Refuse samples whose chances are not those of their draw: estimates would not be right on average."""
    drawn = sum(unit.drawn for unit in sample)
    if not drawn:
        raise UsageError("the plan has drawn nothing: none of its units has `drawn` true")
    with_strata = [unit for unit in sample if unit.stratum is not None]
    if len(with_strata) not in (0, len(sample)):
        raise UsageError(
            f"the plan has a stratum for {len(with_strata):,} of {len(sample):,} units: give one to all, or to none if "
            "each unit was drawn by itself"
        )
    by_stratum: dict[str, list[SampledUnit]] = {}
    for unit in with_strata:
        by_stratum.setdefault(unit.stratum or "", []).append(unit)
    for stratum, units in by_stratum.items():
        count = sum(unit.drawn for unit in units)
        wrong = next((unit for unit in units if abs(unit.chance * len(units) - count) > HALF_A_UNIT), None)
        if wrong is not None:
            raise UsageError(
                f"the plan contradicts itself: {count} of {len(units)} units of the stratum {stratum} are drawn, and "
                f"one has the chance {wrong.chance:g}; `pyramidion plan` writes a row for every unit, drawn or not, "
                "with its chance, and nothing is added or removed by hand"
            )


def _require_same_pyramids(
    units: Mapping[tuple[str, int | None, str | None], SampledUnit],
    keys: Sequence[tuple[str, int | None, str | None, str | None]],
) -> None:
    """Refuse a plan that has drawn SCUs of another pyramid, which may have the same numbers."""
    for topic, scu, system, pyramid in keys:
        unit = units.get((topic, scu, system))
        if unit is not None and None not in (unit.pyramid, pyramid) and unit.pyramid != pyramid:
            raise UsageError(
                f"the plan has drawn SCUs of {unit.pyramid}'s pyramid of {topic}, not of {pyramid}'s: name the "
                f"annotator, as in pyramid(annotator={unit.pyramid}).recall, or another plan by `plan=`"
            )


def _require_planned_systems(frame: Frame, is_known: Bools) -> None:
    """Refuse systems of which the plan knows nothing, where it draws single answers."""
    known = np.bincount(frame.system_numbers, weights=is_known)
    unknown = [system for system, count in zip(frame.systems, known, strict=True) if not count]
    if unknown and known.any():
        others = f" and {len(unknown) - 1} others" if len(unknown) > 1 else ""
        raise UsageError(
            f"{unknown[0]}{others}: the plan has drawn no answers about it; leave it out by "
            f"{mention('exclude', ','.join(unknown))}, or draw a new plan"
        )


def units_in_plan(frame: Frame, sample: Sequence[SampledUnit], by: SampledBy) -> Frame:
    """The frame without the units that the plan does not know."""
    return _read_design(frame, sample, by)[0]


def _only(frame: Frame, is_kept: Bools) -> Frame:
    """The frame with some of its units; weights sum to 1 again."""
    topics, topic_numbers = np.unique(frame.topic_numbers[is_kept], return_inverse=True)
    systems, system_numbers = np.unique(frame.system_numbers[is_kept], return_inverse=True)
    question_numbers = topic_numbers
    questions: tuple[ScuQuestion, ...] = ()
    if frame.asks_scus:
        kept, question_numbers = np.unique(frame.question_numbers[is_kept], return_inverse=True)
        questions = tuple(frame.questions[number] for number in kept)
    weights = frame.weights[is_kept]
    totals = np.bincount(system_numbers, weights=weights)
    return replace(
        frame,
        systems=tuple(frame.systems[number] for number in systems),
        topics=tuple(frame.topics[number] for number in topics),
        questions=questions,
        system_numbers=system_numbers,
        topic_numbers=topic_numbers,
        question_numbers=question_numbers,
        weights=weights / totals[system_numbers],
        answers=frame.answers[is_kept],
        features=frame.features[is_kept],
    )


def _require_predictions(frame: Frame, is_judged: Bools) -> None:
    """Refuse predictors that say less about what nobody judged than about what people judged.

    Where values are missing at random, the mean of a system may stand for them. A predictor that was only asked what
    people were asked predicts nothing, and would make intervals too short: its residuals are those of judged units.
    """
    if is_judged.all():
        return
    missing = np.isnan(frame.features)
    for name, of_judged, of_rest in zip(
        frame.predictors, missing[is_judged].mean(axis=0), missing[~is_judged].mean(axis=0), strict=True
    ):
        if of_rest - of_judged > MOST_UNSEEN:
            raise UsageError(
                f"{name} has values for {100 * (1 - of_judged):.0f} % of what people answered, and for "
                f"{100 * (1 - of_rest):.0f} % of the rest, which it is to predict: score the rest, too, or use another "
                'predictor (`using="none"`: people\'s answers alone)'
            )


def _require_judged_systems(frame: Frame, is_used: Bools) -> None:
    """Refuse systems that nobody judged: a prediction alone is no evidence."""
    counts = np.bincount(frame.system_numbers[is_used], minlength=len(frame.systems))
    missing = [system for system, count in zip(frame.systems, counts, strict=True) if not count]
    if missing:
        others = f" and {len(missing) - 1} others" if len(missing) > 1 else ""
        raise UsageError(
            f"{frame.measure}: no one judged {missing[0]}{others} among what was drawn; a prediction alone is no "
            f"evidence: leave it out by {mention('exclude', missing[0])}"
        )


def _chances_in_strata(frame: Frame, is_finished: Bools, strata: Integers, by: SampledBy) -> Floats:
    """The number of finished clusters over all, in each stratum; the finished ones are a random part of the drawn."""
    totals = np.bincount(strata)
    counts = np.bincount(strata[is_finished], minlength=len(totals))
    if (counts == 0).any():
        empty = int((counts == 0).sum())
        first = int(np.flatnonzero(strata == int(np.flatnonzero(counts == 0)[0]))[0])
        topic = unit_keys(frame, by)[first][0]
        raise UsageError(
            f"{frame.measure}: nothing that was drawn is answered for all systems in {empty} of {len(totals)} topics "
            f"yet, such as {topic}; an estimate needs at least one {CLUSTER_WORDS[by][:-1]} of each"
        )
    return (counts / totals)[strata]


def predict_measure(
    frame: Frame,
    designed: DesignedUnits,
    *,
    population: Population = "these",
    confidence: float = 95.0,
    highlighted: Sequence[tuple[str, str]] = (),
) -> PredictedMeasure:
    """Means and pairs of one measure."""
    units = designed.units
    systems = tuple(frame.systems)
    prediction = predict_means(units, population=population, confidence=confidence)
    gap = _interval_gap(prediction, designed)
    alone = np.full(len(systems), np.nan)
    if len(frame.predictors) == 1:
        # Weights of a system add up to 1, so that this is its mean.
        alone = np.bincount(units.systems, weights=units.weights * units.features[:, 0], minlength=len(systems))
    sign = 1 if frame.higher_is_better else -1
    order = np.argsort(-sign * prediction.means, kind="stable")
    judged = np.bincount(units.systems[units.is_judged], minlength=len(systems))
    first, last = prediction.first_rank, prediction.last_rank
    if prediction.is_complete and population == "these":
        # Nothing was drawn, so ranks are known; equal means share theirs.
        values = sign * prediction.means
        slack = SLACK * float(np.abs(values).max(initial=0.0))
        first = 1 + (values[None, :] > values[:, None] + slack).sum(axis=1)
        last = (values[None, :] >= values[:, None] - slack).sum(axis=1)
    elif not frame.higher_is_better:
        # Ranks were counted from the highest mean, which is the worst here.
        first, last = len(systems) + 1 - last, len(systems) + 1 - first
    means = [
        PredictedMean(
            measure=frame.measure,
            summarizer=systems[place],
            value=float(prediction.means[place]),
            lower=float(prediction.lower[place]),
            upper=float(prediction.upper[place]),
            rank=number + 1,
            first_rank=int(first[place]),
            last_rank=int(last[place]),
            judged=int(judged[place]),
            alone=float(alone[place]),
            gap=gap,
        )
        for number, place in enumerate(order)
    ]
    place_of = {system: number for number, system in enumerate(systems)}
    more = _answers_to_halve(prediction, designed, population)
    equal, compared = _count_equal(designed)

    def pair(a: str, b: str) -> PredictedPair:
        i, j = place_of[a], place_of[b]
        return PredictedPair(
            measure=frame.measure,
            a=a,
            b=b,
            difference=float(prediction.differences[i, j]),
            lower=float(prediction.pair_lower[i, j]),
            upper=float(prediction.pair_upper[i, j]),
            p=float(prediction.pair_p[i, j]),
            all_lower=float(prediction.all_lower[i, j]),
            all_upper=float(prediction.all_upper[i, j]),
            p_adjusted=float(prediction.all_p[i, j]),
            gain=float(prediction.gains[i, j]),
            alone=float(alone[i] - alone[j]),
            share=designed.plan.answers / designed.plan.answers_total,
            df=prediction.degrees_of_freedom,
            more_answers=more,
            equal=int(equal[i, j]) if _is_mostly_equal(int(equal[i, j]), compared) else None,
            gap=gap,
        )

    ranked = [systems[place] for place in order]
    pairs = [pair(a, b) for number, a in enumerate(ranked) for b in ranked[number + 1 :]]
    chosen = [pair(a, b) for a, b in highlighted] or pairs[:1]
    fits = [
        PredictorFit(
            measure=frame.measure,
            predictor=name,
            slope=float(prediction.slopes[:, number].mean()),
            r_squared=prediction.fit.r_squared,
            ratio=prediction.fit.ratio,
        )
        for number, name in enumerate(frame.predictors)
    ]
    return PredictedMeasure(
        measure=frame.measure,
        frame=frame,
        designed=designed,
        prediction=prediction,
        means=tuple(means),
        pairs=tuple(chosen if highlighted else pairs),
        fits=tuple(fits),
        highlighted=tuple(chosen),
    )


def _count_equal(designed: DesignedUnits) -> tuple[Integers, int]:
    """Systems × systems: in how many of the answered clusters people's answers are equal; and how many there are."""
    units = designed.units
    size = units.system_count
    if designed.by == "unit":  # no cluster has two systems
        return np.zeros((size, size), dtype=np.int64), 0
    is_judged = units.is_judged
    _, clusters = np.unique(units.clusters[is_judged], return_inverse=True)
    count = int(clusters.max(initial=-1)) + 1
    answers = np.full((count, size), np.nan)
    answers[clusters, units.systems[is_judged]] = units.answers[is_judged]
    if designed.by == "topic":
        # A topic of pyramids has several answers about each system: their weighted sum stands for them.
        answers = np.zeros((count, size))
        np.add.at(answers, (clusters, units.systems[is_judged]), (units.weights * units.answers)[is_judged])
    equal = np.zeros((size, size), dtype=np.int64)
    scale = float(np.abs(answers).max(initial=0.0))
    for row in answers:
        equal += np.abs(row[:, None] - row[None, :]) <= 1e-9 * scale
    return equal, count


def _is_mostly_equal(equal: int, compared: int) -> bool:
    return equal > MOSTLY_EQUAL * compared and compared - equal < ENOUGH_DIFFERENT


def _interval_gap(prediction: Prediction, designed: DesignedUnits) -> IntervalGap | None:
    """Why there is no interval; None if there is one."""
    if prediction.has_interval:
        return None
    if prediction.is_complete:
        return IntervalGap()
    least = max(FEWEST_CLUSTERS, designed.units.features.shape[1] + 3)
    return IntervalGap(clusters=designed.plan.clusters, least=least)


def _answers_to_halve(prediction: Prediction, designed: DesignedUnits, population: Population) -> int | None:
    """Further answers with which limits are half as wide: the error of drawing goes with 1/n − 1/N."""
    if population != "these" or not prediction.has_interval:
        return None
    n, total = prediction.judged_clusters, prediction.clusters
    wanted = 1 / ((1 / n - 1 / total) / 4 + 1 / total)
    return round((wanted - n) * designed.plan.answers_total / total)


def compare_predicted(
    frames: Sequence[Frame],
    sample: Sequence[SampledUnit],
    options: CompareOptions,
    *,
    clusters: TopicClusters | None = None,
    names: Mapping[str, str] | None = None,
    seed: int = 0,
) -> PredictedComparison:
    """Compare systems by people's answers to a sample, with predictors of the rest; one fit for each measure."""
    refuse_other_methods(options)
    parts: list[PredictedMeasure] = []
    for frame in frames:
        designed = design_units(frame, sample, assume_random=options.assume_random, clusters=clusters)
        chosen = chosen_pairs(frame.systems, options) if options.asks_for_pairs else []
        if designed.dropped:
            frame = units_in_plan(frame, sample, designed.by)
        _require_predictions(frame, designed.units.is_judged)
        parts.append(
            predict_measure(
                frame,
                designed,
                population=options.population,
                confidence=options.confidence,
                highlighted=list(chosen),
            )
        )
    return PredictedComparison(
        options=options, seed=seed, predicted=tuple(parts), labels=dict(names or {}), names=dict(names or {})
    )


def refuse_other_methods(options: CompareOptions) -> None:
    """Refuse options of comparisons that rest on scores of all summaries."""
    defaults = CompareOptions()
    for name in NOT_USED:
        if getattr(options, name) != getattr(defaults, name):
            raise UsageError(f"`{name}=` can't be combined with `using=`: predictions have intervals of their own")
