"""`study orders`: how scores behave as pyramids grow, over all topics of a campaign (Nenkova & Passonneau 2004)."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import field, replace
from itertools import chain
from typing import Any, ClassVar

import numpy as np

from pyramidion.campaign import Campaign, CampaignWarning, TopicData
from pyramidion.errors import InputError, UsageError, check_known, mention
from pyramidion.measures.pyramid import PyramidMeasure
from pyramidion.measures.see_coverage import SeeCoverage
from pyramidion.options import OrdersOptions
from pyramidion.pyramids.optimal import Optimal
from pyramidion.pyramids.reliability.across import ScoresAcross
from pyramidion.pyramids.reliability.agreement import across_rows, topic_scores_across
from pyramidion.scores.evidence import with_all_models
from pyramidion.show.tables import Finding, Row, grouped
from pyramidion.show.wording import listed
from pyramidion.studies.orders.divergence import Divergence, Separation, divergence
from pyramidion.studies.orders.errors import ErrorProbabilities, error_probabilities
from pyramidion.studies.orders.ranking import Ranking, choose_ranked, ranking
from pyramidion.studies.orders.sets import FEWEST, OrderScores, SummarySet, scores_by_order
from pyramidion.studies.orders.summaries import (
    HumanScore,
    ScoreRange,
    ScuCount,
    SummaryScores,
    optimal_count,
    score_ranges,
    scu_counts,
    summary_scores,
)

Progress = Callable[[int], None]


class OrdersStudy(Finding):
    """Tables 1 to 5 and figures 1 to 3 of Nenkova & Passonneau 2004.

    Sets of different sizes are never pooled: each size has its own rows.
    """

    record_kinds: ClassVar[tuple[str, ...]] = (
        "orders-divergence",
        "orders-separation",
        "orders-error",
        "orders-ranking",
        "orders-summary",
        "orders-range",
        "orders-scus",
        "orders-human",
        "pyramid-optimal",
        "annotation-score",
        "annotation-difference",
        "annotation-anova",
    )

    options: OrdersOptions
    divergences: tuple[Divergence, ...] = ()
    errors: tuple[ErrorProbabilities, ...] = ()
    """Table 3."""
    rankings: tuple[Ranking, ...] = ()
    """Tables 4 (by pyramids) and 5 (by unigram overlap)."""
    summaries: tuple[SummaryScores, ...] = ()
    """Table 2."""
    ranges: tuple[ScoreRange, ...] = ()
    """Figure 3."""
    scus: tuple[ScuCount, ...] = ()
    optimal: tuple[Optimal, ...] = ()
    """Figure 2."""
    humans: tuple[HumanScore, ...] = ()
    """Figure 1."""
    across: tuple[ScoresAcross, ...] = ()
    """Table 1: scores across annotations, for topics with several."""
    ranked: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By topic, whose summaries were ranked."""
    notes: tuple[str, ...] = ()
    """Topics that were left out, and why; what is a sample."""

    @property
    def separations(self) -> tuple[Separation, ...]:
        """How many divergent pairs are separated, order by order."""
        return tuple(row for divergence in self.divergences for row in divergence.separations())

    def rows(self) -> Iterator[Row]:
        """Everything, kind by kind."""
        yield from self.divergences
        yield from self.separations
        for rows in (self.errors, self.rankings, self.summaries, self.ranges, self.scus, self.optimal, self.humans):
            yield from rows
        yield from chain(*across_rows(self.across))

    def main_record(self) -> str:
        """What CSV holds."""
        return "orders-error"

    def only(self, *kinds: str) -> OrdersStudy:
        """The study with these kinds of records alone, as `--show` chooses what `--figure` draws."""
        if not kinds:
            return self
        fields = {
            "divergences": {"orders-divergence", "orders-separation"},
            "errors": {"orders-error"},
            "rankings": {"orders-ranking"},
            "summaries": {"orders-summary", "orders-range"},  # ranges are drawn of the best and the worst summary
            "ranges": {"orders-range"},
            "scus": {"orders-scus"},
            "optimal": {"pyramid-optimal"},
            "humans": {"orders-human"},
            "across": {"annotation-score", "annotation-difference", "annotation-anova"},
        }
        dropped: dict[str, Any] = {name: () for name, records in fields.items() if not records & set(kinds)}
        return replace(self, **dropped)


def study_orders(
    data: Campaign | Sequence[SummarySet],
    options: OrdersOptions | None = None,
    *,
    seed: int = 0,
    progress: Progress | None = None,
) -> OrdersStudy:
    """Study how scores behave as pyramids grow.

    Args:
        data: a campaign with pyramids, or sets of summaries made of plain matrices (`SummarySet.of`).
        options: thresholds, which summaries are ranked, how many subsets are enumerated.
        seed: of what is sampled.
        progress: called with the number of topics done since the last call.

    Raises:
        InputError: if no topic has a pyramid of three models.
        UsageError: if a named summary does not exist, or too many are to be ranked.
    """
    options = options or OrdersOptions()
    if options.count is not None and options.ranked:
        raise UsageError("`count=`, `ranked=`: the ranked summaries are sampled or named; give one of the two")
    notes: list[str] = []
    humans: list[HumanScore] = []
    across: list[ScoresAcross] = []
    if isinstance(data, Campaign):
        sets = _collect_sets(data, options, notes)
        humans = _human_scores(data, options)
        across = _scores_across(data, options)
    else:
        sets = list(data)
    large_enough = [summaries for summaries in sets if len(summaries) >= FEWEST]
    too_small = [summaries.topic for summaries in sets if len(summaries) < FEWEST]
    if not sets:
        raise InputError("there is no pyramid; import one (`pyramidion import ducview`), or annotate the models")
    if not large_enough:
        raise InputError(
            f"no topic has a pyramid of {FEWEST} or more models: two summaries to compare and one for the pyramid"
        )
    if too_small:
        notes.append(f"left out because a study needs at least {FEWEST} models: {listed(too_small)}")
    study = _study_sets(large_enough, options, notes, seed=seed, progress=progress)
    for note in study.notes:
        warnings.warn(note, CampaignWarning, stacklevel=2)
    return replace(study, humans=tuple(humans), across=tuple(across))


def _study_sets(
    sets: Sequence[SummarySet], options: OrdersOptions, notes: list[str], *, seed: int, progress: Progress | None
) -> OrdersStudy:
    """Everything that can be said of sets of summaries; what concerns the reader is added to the notes."""
    ranked_names = _names_by_topic("ranked", options.ranked, sets, notes, "a sample is ranked")
    subset_names = _names_by_topic("subset", options.subset, sets, notes, "no score by a subset")
    scores: list[tuple[OrderScores, ...]] = []
    summary_rows: list[SummaryScores] = []
    ranges: list[ScoreRange] = []
    ranked: list[list[int]] = []
    for summaries in sets:
        by_order = scores_by_order(summaries, score=options.score, limit=options.limit, seed=seed)
        scores.append(by_order)
        names = subset_names[summaries.topic]
        summary_rows += summary_scores(summaries, by_order, names, order=options.order, score=options.score)
        ranges += score_ranges(summaries, by_order)
        ranked.append(choose_ranked(summaries, ranked_names[summaries.topic], count=options.count, seed=seed))
        if progress:
            progress(1)
    divergences: list[Divergence] = []
    errors: list[ErrorProbabilities] = []
    rankings: list[Ranking] = []
    by_size = grouped(zip(sets, scores, ranked, strict=True), lambda studied: len(studied[0]))
    for _, same_size in sorted(by_size.items(), reverse=True):
        scores_of_size = [by_order for _, by_order, _ in same_size]
        divergences.append(divergence(scores_of_size, threshold=options.divergent))
        errors += error_probabilities(scores_of_size, threshold=options.same)
        rankings += _make_rankings([(summaries, columns) for summaries, _, columns in same_size], options, seed)
    if not all(at_order.exhaustive for by_order in scores for at_order in by_order):
        notes.append(f"orders with more than {options.limit:,} subsets: a sample of {options.limit:,} (seed {seed})")
    ranked_by_topic = {
        summaries.topic: tuple(summaries.summarizers[column] for column in columns)
        for summaries, columns in zip(sets, ranked, strict=True)
    }
    return OrdersStudy(
        options=options,
        summaries=tuple(summary_rows),
        errors=tuple(errors),
        rankings=tuple(rankings),
        divergences=tuple(divergences),
        optimal=tuple(map(optimal_count, sets)),
        ranges=tuple(ranges),
        scus=tuple(row for summaries in sets for row in scu_counts(summaries)),
        ranked=ranked_by_topic,
        notes=tuple(notes),
    )


def _make_rankings(
    studied: Sequence[tuple[SummarySet, Sequence[int]]], options: OrdersOptions, seed: int
) -> Iterator[Ranking]:
    """By pyramids and by overlap; topics where different numbers of summaries are ranked are not pooled."""
    for _, pooled in sorted(grouped(studied, lambda pair: len(pair[1])).items(), reverse=True):
        sets, ranked = zip(*pooled, strict=True)
        yield from ranking(sets, ranked, options, by="pyramid", seed=seed)
        with_texts = [pair for pair in pooled if pair[0].tokens is not None]
        if with_texts:
            sets, ranked = zip(*with_texts, strict=True)
            yield from ranking(sets, ranked, options, by="overlap", seed=seed)


def _collect_sets(campaign: Campaign, options: OrdersOptions, notes: list[str]) -> list[SummarySet]:
    """A set for each topic with a pyramid; notes which topics have none, and which have several."""
    sets: list[SummarySet] = []
    topics_without: list[str] = []
    topics_with_several: list[str] = []
    for topic in campaign.each_topic(peers="humans"):
        pyramids = [pyramid for pyramid in topic.pyramids if options.annotator in (None, pyramid.annotator)]
        if not pyramids:
            topics_without.append(topic.topic.topic)
            continue
        if options.annotator is None:
            # What annotators agreed on stands for what each of them made alone.
            pyramids = [pyramid for pyramid in pyramids if pyramid.consensus] or pyramids
        if len(pyramids) > 1:
            topics_with_several.append(topic.topic.topic)
        sets.append(SummarySet.of_pyramid(pyramids[0], topic, see=_see_coverage(topic)))
    if options.annotator is not None and not sets:
        annotators = [pyramid.annotator for pyramid in campaign.pyramids]
        check_known(options.annotator, annotators, f"{mention('annotator', options.annotator)}: made no pyramid")
    if topics_without and sets:
        annotator = "" if options.annotator is None else f" by {options.annotator}"
        notes.append(f"left out because they have no pyramid{annotator}: {listed(topics_without)}")
    if topics_with_several:
        topics = listed(topics_with_several)
        notes.append(f"only the first of several pyramids is studied (`annotator=` chooses): {topics}")
    topics_without_texts = [summaries.topic for summaries in sets if summaries.tokens is None]
    if topics_without_texts:
        notes.append(f"no unigram overlap because texts of models are missing: {listed(topics_without_texts)}")
    return sets


def _see_coverage(topic: TopicData) -> dict[str, float]:
    """SEE coverage by summarizer, where it was judged."""
    evidence = SeeCoverage().evidence(topic)
    if evidence is None:
        return {}
    values = with_all_models(evidence).values[:, 0]
    pairs = zip(evidence.peers, values, strict=True)
    return {summarizer: float(value) for summarizer, value in pairs if not np.isnan(value)}


def _human_scores(campaign: Campaign, options: OrdersOptions) -> list[HumanScore]:
    """Figure 1: humans by topic; models by the pyramid of the others, other humans by the whole pyramid."""
    rows: list[HumanScore] = []
    measure = PyramidMeasure(annotator=options.annotator)
    column = measure.statistics.index(options.score) if measure.statistics else 0
    for topic in campaign.each_topic(peers="humans"):
        scores = {"see-coverage": _see_coverage(topic)}
        evidence = measure.evidence(topic)
        if evidence is not None:
            values = with_all_models(evidence).values[:, column]
            scores[measure.name(options.score)] = dict(zip(evidence.peers, values.tolist(), strict=True))
        for name, by_summarizer in scores.items():
            rows += [
                HumanScore(topic=topic.topic.topic, summarizer=summarizer, measure=name, value=value)
                for summarizer, value in by_summarizer.items()
                if not np.isnan(value)
            ]
    return rows


def _scores_across(campaign: Campaign, options: OrdersOptions) -> list[ScoresAcross]:
    """Scores across annotations, for topics with several."""
    return [
        scores
        for topic in campaign.each_topic(peers="all")
        for scores in topic_scores_across(topic, include_self=options.include_self)
        if scores.score == options.score
    ]


def _names_by_topic(
    option: str, arguments: Sequence[str], sets: Sequence[SummarySet], notes: list[str], instead: str
) -> dict[str, list[str]]:
    """`A,B` (for all topics that have them) and `TOPIC=A,B` as names by topic.

    Names that no topic has are an error; so is a topic's own name that it does not have, when it is used.
    """
    names_by_topic = _parse_names(option, arguments, {summaries.topic for summaries in sets})
    everywhere = names_by_topic.get("", [])
    lacking = [
        summaries
        for summaries in sets
        if summaries.topic not in names_by_topic and not set(everywhere) <= set(summaries.summarizers)
    ]
    if lacking and len(lacking) == len(sets):
        raise UsageError(
            f"`{option}=`: no topic has models by all of {', '.join(everywhere)}; topic {sets[0].topic!r} has: "
            f"{', '.join(sets[0].summarizers)}"
        )
    if lacking:
        topics = listed([summaries.topic for summaries in lacking])
        notes.append(f"{mention(option, ','.join(everywhere))}: {instead} in topics without one of them: {topics}")
    names: dict[str, list[str]] = {}
    for summaries in sets:
        default = [] if summaries in lacking else everywhere
        names[summaries.topic] = names_by_topic.get(summaries.topic, default)
    return names


def _parse_names(option: str, arguments: Sequence[str], topics: Set[str]) -> dict[str, list[str]]:
    """Names by topic as they were asked for; those for all topics have an empty key."""
    names_by_topic: dict[str, list[str]] = {}
    for argument in arguments:
        before, equals, after = argument.partition("=")
        topic, chosen = "", argument
        # Only a topic that exists: names of summarizers may contain an equals sign.
        if equals and before in topics:
            topic, chosen = before, after
        names = [name.strip() for name in chosen.split(",") if name.strip()]
        if len(names) < 2 or len(set(names)) < len(names):
            raise UsageError(
                f"{mention(option, argument)}: expected two or more different summarizers, such as A,B or TOPIC=A,B"
            )
        if topic in names_by_topic:
            raise UsageError(f"{mention(option, argument)}: names are given twice for {topic or 'all topics'}")
        names_by_topic[topic] = names
    return names_by_topic
