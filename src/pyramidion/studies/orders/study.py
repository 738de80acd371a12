"""`study orders`: everything about how scores behave as pyramids grow, over all topics of a campaign."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from pyramidion.campaign import Campaign, Pyramid, TopicData
from pyramidion.errors import InputError, UsageError, did_you_mean
from pyramidion.measures.pyramid import PyramidMeasure
from pyramidion.measures.see_coverage import SeeCoverage
from pyramidion.pyramids.reliability_scores import ScoresAcross
from pyramidion.pyramids.reliability_topic import topic_scores_across
from pyramidion.scores import with_all_models
from pyramidion.studies.orders.divergence import Divergence, divergence
from pyramidion.studies.orders.errors import ErrorProbabilities, error_probabilities
from pyramidion.studies.orders.ranking import Ranking, choose_ranked, ranking
from pyramidion.studies.orders.scores import OrderScores, ScoreName, scores_by_order
from pyramidion.studies.orders.sets import FEWEST, SummarySet
from pyramidion.studies.orders.tables import (
    OptimalCount,
    ScoreRange,
    ScuCount,
    SummaryScores,
    optimal_count,
    score_ranges,
    scu_counts,
    summary_scores,
)


@dataclass(frozen=True, kw_only=True)
class OrdersOptions:
    """The parameters of the study; the defaults are the paper's."""

    score: ScoreName = "original"
    divergent: float = 0.1
    """Scores by all others that differ by more make a divergent pair."""
    same: float = 0.06
    """Scores that differ by less are the same."""
    level: float = 0.05
    """Of the one-sided test of rankings."""
    order: int = 3
    """The order that table 2 averages over where no subset is named; of smaller sets, all others."""
    ranked: int | None = None
    """How many summaries are ranked; None for five, or half of a smaller set."""
    ranked_names: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """By topic (or under "" for every topic) the summarizers that are ranked, instead of drawn ones."""
    subset: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """By topic (or under "" for every topic) the named subset of table 2."""
    annotator: str | None = None
    """Whose pyramid, where a topic has several; None for the first."""
    include_self: bool = False
    """Whether, across annotations, a model is scored by the pyramid that contains it."""
    limit: int = 20_000
    """Up to so many subsets of an order all are taken; above, so many are drawn by the seed."""
    seed: int = 0

    def __post_init__(self) -> None:
        if not (0 <= self.same < 1 and 0 <= self.divergent < 1):
            raise UsageError(f"thresholds {self.same:g} and {self.divergent:g}: expected numbers from 0 up and below 1")
        if not 0 < self.level < 1:
            raise UsageError(f"level {self.level:g}: expected a number between 0 and 1, such as 0.05")
        if self.order < 1:
            raise UsageError(f"order {self.order}: expected a number of models from 1 up")
        if self.limit < 1:
            raise UsageError(f"limit {self.limit}: expected a number of subsets from 1 up")


@dataclass(frozen=True, kw_only=True)
class HumanScore:
    """What a measure gives to a human's summary (figure 1)."""

    topic: str
    summarizer: str
    measure: str
    value: float


@dataclass(frozen=True, kw_only=True)
class OrdersStudy:
    """What came out: tables 1 to 5 and figures 1 to 3 of Nenkova & Passonneau 2004.

    Sets of different sizes are never added up: each size has rows of its own.
    """

    options: OrdersOptions
    across: tuple[ScoresAcross, ...] = ()
    """Table 1: scores across annotations, where topics have several."""
    summaries: tuple[SummaryScores, ...] = ()
    """Table 2."""
    errors: tuple[ErrorProbabilities, ...] = ()
    """Table 3."""
    rankings: tuple[Ranking, ...] = ()
    """Tables 4 (by pyramids) and 5 (by unigram overlap)."""
    divergences: tuple[Divergence, ...] = ()
    humans: tuple[HumanScore, ...] = ()
    """Figure 1."""
    optimal: tuple[OptimalCount, ...] = ()
    """Figure 2."""
    ranges: tuple[ScoreRange, ...] = ()
    """Figure 3."""
    scus: tuple[ScuCount, ...] = ()
    ranked: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By topic, whose summaries were ranked."""
    notes: tuple[str, ...] = ()
    """What must be said: topics that were left out, and why; what is a sample."""


Progress = Callable[[int], None]


def study_orders(
    data: Campaign | Sequence[SummarySet], *, options: OrdersOptions | None = None, progress: Progress | None = None
) -> OrdersStudy:
    """Study how scores behave as pyramids grow.

    Args:
        data: a campaign with pyramids, or sets of summaries made of plain matrices (`SummarySet.of`).
        options: thresholds, named and drawn summaries, the limit above which subsets are a sample, the seed.
        progress: called with the number of topics done since the last call.

    Raises:
        InputError: if no topic has a pyramid of three models.
        UsageError: if summaries are named that are not there, or more are to be ranked than a topic has.
    """
    chosen = options or OrdersOptions()
    notes: list[str] = []
    if isinstance(data, Campaign):
        sets = _sets_of(data, chosen, notes)
        humans, across = _human_scores(data, chosen), _across(data, chosen)
    else:
        sets, humans, across = list(data), [], []
    _check_names(sets, chosen, notes)
    small = [one for one in sets if len(one) < FEWEST]
    notes += [f"topic {one.topic!r}: a pyramid of {len(one)} models is too small to be taken apart" for one in small]
    sets = [one for one in sets if len(one) >= FEWEST]
    if not sets:
        raise InputError(
            f"no topic has a pyramid of {FEWEST} or more models: two summaries to compare, and one to make a pyramid of"
            if notes
            else "there is no pyramid; import one (`pyramidion import ducview`), or annotate the models"
        )
    return _study(sets, chosen, notes, humans=humans, across=across, progress=progress)


def _study(
    sets: Sequence[SummarySet],
    options: OrdersOptions,
    notes: list[str],
    *,
    humans: Sequence[HumanScore],
    across: Sequence[ScoresAcross],
    progress: Progress | None,
) -> OrdersStudy:
    scores: dict[int, tuple[OrderScores, ...]] = {}
    summaries: list[SummaryScores] = []
    ranges: list[ScoreRange] = []
    ranked: list[list[int]] = []
    for index, one in enumerate(sets):
        scores[index] = scores_by_order(one, score=options.score, limit=options.limit, seed=options.seed)
        ranges += score_ranges(one, scores[index])
        names = _named(options.subset, one)
        summaries += summary_scores(one, scores[index], names, order=options.order, score=options.score)
        names = _named(options.ranked_names, one)
        ranked.append(choose_ranked(one, count=options.ranked, named={one.topic: names}, seed=options.seed))
        if progress:
            progress(1)
    divergences: list[Divergence] = []
    errors: list[ErrorProbabilities] = []
    rankings: list[Ranking] = []
    for size in sorted({len(one) for one in sets}, reverse=True):
        members = [index for index, one in enumerate(sets) if len(one) == size]
        of_size = [scores[index] for index in members]
        divergences.append(divergence(of_size, threshold=options.divergent))
        errors += error_probabilities(of_size, threshold=options.same)
        rankings += _rankings([sets[index] for index in members], [ranked[index] for index in members], options)
    if not all(one.exhaustive for each in scores.values() for one in each):
        notes.append(
            f"of orders with more than {options.limit:,} subsets a sample of so many was drawn (seed {options.seed})"
        )
    if any(one.tokens is None for one in sets):
        notes.append("unigram overlap needs the texts of the summaries: there is none for topics without them")
    return OrdersStudy(
        options=options,
        across=tuple(across),
        summaries=tuple(summaries),
        errors=tuple(errors),
        rankings=tuple(rankings),
        divergences=tuple(divergences),
        humans=tuple(humans),
        optimal=tuple(optimal_count(one) for one in sets),
        ranges=tuple(ranges),
        scus=tuple(row for one in sets for row in scu_counts(one)),
        ranked={
            one.topic: tuple(one.summarizers[column] for column in columns)
            for one, columns in zip(sets, ranked, strict=True)
        },
        notes=tuple(notes),
    )


def _rankings(sets: Sequence[SummarySet], ranked: Sequence[Sequence[int]], options: OrdersOptions) -> list[Ranking]:
    """By pyramids and by overlap; topics where different numbers of summaries are ranked are not added up."""
    rows: list[Ranking] = []
    for count in sorted({len(columns) for columns in ranked}, reverse=True):
        members = [index for index, columns in enumerate(ranked) if len(columns) == count]
        for by in ("pyramid", "overlap"):
            usable = [index for index in members if by == "pyramid" or sets[index].tokens is not None]
            if usable:
                rows += ranking(
                    [sets[index] for index in usable],
                    [ranked[index] for index in usable],
                    by="pyramid" if by == "pyramid" else "overlap",
                    score=options.score,
                    level=options.level,
                    limit=options.limit,
                    seed=options.seed,
                )
    return rows


def _sets_of(campaign: Campaign, options: OrdersOptions, notes: list[str]) -> list[SummarySet]:
    sets: list[SummarySet] = []
    lacking = 0
    for topic in campaign.each_topic(peers="humans"):
        pyramid = _pyramid(topic, options.annotator)
        if pyramid is None:
            lacking += 1
            continue
        if options.annotator is None and len(topic.pyramids) > 1:
            whose = f"that by {pyramid.annotator!r}" if pyramid.annotator else "the first, by nobody named,"
            notes.append(f"topic {pyramid.topic!r} has several pyramids: {whose} is studied")
        sets.append(SummarySet.of_pyramid(pyramid, topic, see=_see(topic)))
    if lacking and sets:
        notes.append(f"{lacking} of {lacking + len(sets)} topics have no pyramid, and are left out")
    if options.annotator is not None and not sets:
        known = dict.fromkeys(pyramid.annotator for pyramid in campaign.pyramids)
        hint = did_you_mean(options.annotator, known)
        raise UsageError(f"no pyramid is by {options.annotator!r}{hint} they are by: {', '.join(known) or 'nobody'}")
    return sets


def _pyramid(topic: TopicData, annotator: str | None) -> Pyramid | None:
    found = [pyramid for pyramid in topic.pyramids if annotator in (None, pyramid.annotator)]
    return found[0] if found else None


def _see(topic: TopicData) -> dict[str, float]:
    evidence = SeeCoverage().evidence(topic)
    if evidence is None:
        return {}
    values = with_all_models(evidence).values[:, 0]
    return {who: float(value) for who, value in zip(evidence.peers, values, strict=True) if not np.isnan(value)}


def _human_scores(campaign: Campaign, options: OrdersOptions) -> list[HumanScore]:
    """Figure 1: humans by topic; models by the pyramid of the others, other humans by the whole pyramid."""
    rows: list[HumanScore] = []
    measure = PyramidMeasure(annotator=options.annotator)
    column = measure.statistics.index(options.score) if measure.statistics else 0
    for topic in campaign.each_topic(peers="humans"):
        found = {"see-coverage": _see(topic)}
        if (evidence := measure.evidence(topic)) is not None:
            values = with_all_models(evidence).values[:, column]
            found[measure.name(options.score)] = dict(zip(evidence.peers, values.tolist(), strict=True))
        rows += [
            HumanScore(topic=topic.topic.topic, summarizer=who, measure=name, value=value)
            for name, values in found.items()
            for who, value in values.items()
            if not np.isnan(value)
        ]
    return rows


def _across(campaign: Campaign, options: OrdersOptions) -> list[ScoresAcross]:
    return [
        scores
        for topic in campaign.each_topic(peers="all")
        for scores in topic_scores_across(topic, include_self=options.include_self)
        if scores.score == options.score
    ]


def _named(names: Mapping[str, Sequence[str]], summaries: SummarySet) -> Sequence[str]:
    """What is named for the topic; what is named for all topics counts where all of it is there."""
    if summaries.topic in names:
        return names[summaries.topic]
    everywhere = names.get("", ())
    return everywhere if set(everywhere) <= set(summaries.summarizers) else ()


def _check_names(sets: Sequence[SummarySet], options: OrdersOptions, notes: list[str]) -> None:
    """Names for a topic that is not there are an error; names for all topics must be had by one of them."""
    topics = [one.topic for one in sets]
    for what, names in (("subset", options.subset), ("ranked", options.ranked_names)):
        for topic in names:
            if topic and topic not in topics:
                raise UsageError(
                    f"{what}: no pyramid is of topic {topic!r}{did_you_mean(topic, topics)} check the name"
                )
        everywhere = names.get("", ())
        lacking = [one for one in sets if one.topic not in names and not _named({"": everywhere}, one)]
        if everywhere and sets and len(lacking) == len(sets):
            known = ", ".join(sets[0].summarizers)
            raise UsageError(
                f"{what}: no topic has models by all of {', '.join(everywhere)}; topic {sets[0].topic!r} has: {known}"
            )
        if everywhere and lacking:
            instead = "nothing is said of it there" if what == "subset" else "others are drawn there"
            notes.append(f"{what} {', '.join(everywhere)}: {len(lacking)} topics lack one of them; {instead}")
