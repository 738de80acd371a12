"""`study orders`: how scores behave as pyramids grow, over all topics of a campaign (Nenkova & Passonneau 2004)."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import chain
from typing import Any

import numpy as np

from pyramidion.campaign import Campaign, CampaignWarning, TopicData
from pyramidion.errors import InputError, UsageError, check_known, mention
from pyramidion.measures.pyramid import PyramidMeasure
from pyramidion.measures.see_coverage import SeeCoverage
from pyramidion.options import OrdersOptions
from pyramidion.pyramids.optimal import Optimal
from pyramidion.pyramids.reliability.across import ScoresAcross
from pyramidion.pyramids.reliability.agreement import across_rows, across_tables, topic_scores_across
from pyramidion.scores.evidence import with_all_models
from pyramidion.show.tables import Cell, Column, Finding, Row, Table, grouped, notes_of, pivot, table_of
from pyramidion.show.wording import listed
from pyramidion.studies.orders.divergence import Divergence, divergence
from pyramidion.studies.orders.errors import ErrorProbabilities, error_probabilities
from pyramidion.studies.orders.ranking import By, Ranking, choose_ranked, ranking
from pyramidion.studies.orders.scores import OrderScores, scores_by_order
from pyramidion.studies.orders.sets import FEWEST, SummarySet
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

    def rows(self) -> Iterator[Row]:
        """Everything, kind by kind."""
        yield from self.divergences
        for one in self.divergences:
            yield from one.separations()
        for rows in (self.errors, self.rankings, self.summaries, self.ranges, self.scus, self.optimal, self.humans):
            yield from rows
        yield from chain(*across_rows(self.across))

    def main_record(self) -> str:
        """What CSV holds."""
        return "orders-error"

    def tables(self) -> list[Table]:
        """Tables and figures of the paper; what is long, or better drawn, on request."""
        separations = [row for one in self.divergences for row in one.separations()]
        divergences = table_of(
            self.divergences,
            _DIVERGENCE,
            record="orders-divergence",
            title="Divergence: the order from which every pyramid separates two summaries",
            sentences=tuple(one.sentence for one in self.divergences),
        )
        shown: list[tuple[str, Sequence[Row], Sequence[Column | str], dict[str, Any]]] = [
            ("Errors in comparing two summaries with smaller pyramids (table 3)", self.errors, _ERROR, {"heads": 2}),
            ("Rankings compared with that by all others (tables 4 and 5)", self.rankings, _RANKING, {"heads": 4}),
            ("Summaries (table 2)", self.summaries, _SUMMARY, {"heads": 2}),
            ("Optimal summaries with as many SCUs as the mean model (figure 2)", self.optimal, _OPTIMAL, {}),
            ("Divergent pairs that are separated, by order", separations, _SEPARATION, {"detail": True}),
            ("Lowest, mean and highest score by order (figure 3)", self.ranges, _RANGE, {"heads": 3, "detail": True}),
            ("Humans by topic (figure 1)", self.humans, _HUMAN, {"heads": 2, "detail": True}),
        ]
        return [
            divergences,
            *(
                table_of(rows, columns, title=title, notes=notes_of(rows), **facts)
                for title, rows, columns, facts in shown
                if rows
            ),
            *([self._scus()] if self.scus else []),
            *across_tables(self.across),
        ]

    def _scus(self) -> Table:
        """A row for each topic, a column for each order."""
        widest_first = sorted(self.scus, key=lambda one: one.order)
        means: dict[tuple[str, str], Cell] = {(one.topic, f"order {one.order}"): one.mean for one in widest_first}
        title = "Distinct SCUs by order, mean over pyramids"
        return pivot(means, "topic", digits=2, record="orders-scus", title=title)

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


_DIVERGENCE = ("models", "topics", "pairs", "divergent", "lasting_mean", "lasting_never", "first_mean", "merging")
_SEPARATION = ("models", "order", "separated", "divergent")
_ERROR = ("models", "order", "p1", "p2", "p3", "error_rate", "data_points")
_RANKING = ("by", "models", "order", "ranked", "mean", "n", "undefined", "critical", "share")
_SUMMARY = ("topic", "summarizer", "see", "order", "subset", "average", "others")
_RANGE = ("topic", "summarizer", "order", "minimum", "mean", "maximum", "n")
_OPTIMAL = ("topic", "order", "X", Column("max", "Max(X)"), Column("count", "summaries"))
_HUMAN = ("topic", "summarizer", "measure", "value")


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
        sets = _sets_of(data, options, notes)
        humans, across = _human_scores(data, options), _across(data, options)
    else:
        sets = list(data)
    found = [one for one in sets if len(one) >= FEWEST]
    if not found:
        raise InputError(
            f"no topic has a pyramid of {FEWEST} or more models: two summaries to compare and one for the pyramid"
            if sets
            else "there is no pyramid; import one (`pyramidion import ducview`), or annotate the models"
        )
    if small := [one.topic for one in sets if len(one) < FEWEST]:
        notes.append(f"left out because a study needs at least {FEWEST} models: {listed(small)}")
    study = _study(found, options, notes, seed=seed, progress=progress)
    for note in study.notes:
        warnings.warn(note, CampaignWarning, stacklevel=2)
    return replace(study, humans=tuple(humans), across=tuple(across))


def _study(
    sets: Sequence[SummarySet], options: OrdersOptions, notes: list[str], *, seed: int, progress: Progress | None
) -> OrdersStudy:
    ranked_names = _named("ranked", options.ranked, sets, notes, "a sample is ranked")
    subset_names = _named("subset", options.subset, sets, notes, "no score by a subset")
    scores: list[tuple[OrderScores, ...]] = []
    summaries: list[SummaryScores] = []
    ranked: list[list[int]] = []
    for one in sets:
        found = scores_by_order(one, score=options.score, limit=options.limit, seed=seed)
        scores.append(found)
        summaries += summary_scores(one, found, subset_names[one.topic], order=options.order, score=options.score)
        ranked.append(choose_ranked(one, ranked_names[one.topic], count=options.count, seed=seed))
        if progress:
            progress(1)
    divergences: list[Divergence] = []
    errors: list[ErrorProbabilities] = []
    rankings: list[Ranking] = []
    for _, some in sorted(
        grouped(zip(sets, scores, ranked, strict=True), lambda one: len(one[0])).items(), reverse=True
    ):
        of_size = [found for _, found, _ in some]
        divergences.append(divergence(of_size, threshold=options.divergent))
        errors += error_probabilities(of_size, threshold=options.same)
        rankings += _rankings([(one, columns) for one, _, columns in some], options, seed)
    if not all(one.exhaustive for each in scores for one in each):
        notes.append(f"orders with more than {options.limit:,} subsets: a sample of {options.limit:,} (seed {seed})")
    return OrdersStudy(
        options=options,
        summaries=tuple(summaries),
        errors=tuple(errors),
        rankings=tuple(rankings),
        divergences=tuple(divergences),
        optimal=tuple(map(optimal_count, sets)),
        ranges=tuple(row for one, found in zip(sets, scores, strict=True) for row in score_ranges(one, found)),
        scus=tuple(row for one in sets for row in scu_counts(one)),
        ranked={
            one.topic: tuple(one.summarizers[column] for column in columns)
            for one, columns in zip(sets, ranked, strict=True)
        },
        notes=tuple(notes),
    )


def _rankings(
    studied: Sequence[tuple[SummarySet, Sequence[int]]], options: OrdersOptions, seed: int
) -> Iterator[Ranking]:
    """By pyramids and by overlap; topics where different numbers of summaries are ranked are not pooled."""
    kinds: tuple[By, ...] = ("pyramid", "overlap")
    for _, pooled in sorted(grouped(studied, lambda one: len(one[1])).items(), reverse=True):
        for by in kinds:
            usable = [one for one in pooled if by == "pyramid" or one[0].tokens is not None]
            if usable:
                sets, ranked = zip(*usable, strict=True)
                yield from ranking(sets, ranked, options, by=by, seed=seed)


def _sets_of(campaign: Campaign, options: OrdersOptions, notes: list[str]) -> list[SummarySet]:
    """A set for each topic with a pyramid; notes which topics have none, and which have several."""
    sets: list[SummarySet] = []
    without: list[str] = []
    several: list[str] = []
    for topic in campaign.each_topic(peers="humans"):
        pyramids = [one for one in topic.pyramids if options.annotator in (None, one.annotator)]
        if not pyramids:
            without.append(topic.topic.topic)
            continue
        if options.annotator is None:
            pyramids = [one for one in pyramids if one.consensus] or pyramids
        if len(pyramids) > 1:
            several.append(topic.topic.topic)
        sets.append(SummarySet.of_pyramid(pyramids[0], topic, see=_see(topic)))
    if options.annotator is not None and not sets:
        known = [pyramid.annotator for pyramid in campaign.pyramids]
        check_known(options.annotator, known, f"{mention('annotator', options.annotator)}: made no pyramid")
    if without and sets:
        whose = "" if options.annotator is None else f" by {options.annotator}"
        notes.append(f"left out because they have no pyramid{whose}: {listed(without)}")
    if several:
        notes.append(f"only the first of several pyramids is studied (`annotator=` chooses): {listed(several)}")
    if textless := [one.topic for one in sets if one.tokens is None]:
        notes.append(f"no unigram overlap because texts of models are missing: {listed(textless)}")
    return sets


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


def _named(
    option: str, given: Sequence[str], sets: Sequence[SummarySet], notes: list[str], instead: str
) -> dict[str, list[str]]:
    """`A,B` (for all topics that have them) and `TOPIC=A,B` as names by topic.

    Names that no topic has are an error; so is a topic's own name that it does not have, when it is used.
    """
    names: dict[str, list[str]] = {}
    topics = [one.topic for one in sets]
    for one in given:
        before, equals, after = one.partition("=")
        topic, chosen = (before, after) if equals and before in topics else ("", one)
        names_here = [name.strip() for name in chosen.split(",") if name.strip()]
        if len(names_here) < 2 or len(set(names_here)) < len(names_here):
            raise UsageError(
                f"{mention(option, one)}: expected two or more different summarizers, such as A,B or TOPIC=A,B"
            )
        if topic in names:
            raise UsageError(f"{mention(option, one)}: names are given twice for {topic or 'all topics'}")
        names[topic] = names_here
    everywhere = names.get("", [])
    lacking = [one for one in sets if one.topic not in names and not set(everywhere) <= set(one.summarizers)]
    if lacking and len(lacking) == len(sets):
        raise UsageError(
            f"`{option}=`: no topic has models by all of {', '.join(everywhere)}; topic {sets[0].topic!r} has: "
            f"{', '.join(sets[0].summarizers)}"
        )
    if lacking:
        without = listed([one.topic for one in lacking])
        notes.append(f"{mention(option, ','.join(everywhere))}: {instead} in topics without one of them: {without}")
    return {one.topic: names.get(one.topic, [] if one in lacking else everywhere) for one in sets}
