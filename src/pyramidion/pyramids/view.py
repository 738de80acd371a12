"""`pyramid show`: pyramids and sub-pyramids, how hard topics are, what a summarizer expresses, optimal summaries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from math import comb
from typing import Any

from pyramidion.campaign import Campaign
from pyramidion.errors import InputError, UsageError, check_known, mention
from pyramidion.options import PyramidShowOptions
from pyramidion.pyramids.diagnosis import Diagnosis, Difficulty, ScuStanding, diagnose, difficulty
from pyramidion.pyramids.incidence import Annotated, chosen_topics, gather, most_used
from pyramidion.pyramids.optimal import Optimal, OptimalSummary, optimal, optimal_summaries
from pyramidion.show.tables import Column, Finding, Row, Table, columns_of, notes_of, table_of
from pyramidion.show.wording import counted, percent

MOST_SHOWN = 1000
"""Sub-pyramids of one pyramid; more can't be looked at."""


class PyramidView(Finding):
    """Pyramids to look at, each as a drawing or a row."""

    pyramids: tuple[Diagnosis, ...]
    """What is drawn, in the order of the rows."""
    difficulties: tuple[Difficulty, ...] = ()
    """How hard each of them is; none if the question is what a summarizer expresses."""
    optimal: tuple[Optimal, ...] = ()
    optimal_summaries: tuple[OptimalSummary, ...] = ()
    listed: bool = False
    """Whether there are so many pyramids that each has one row only."""

    @property
    def drawn(self) -> bool:
        """Whether people see the pyramids themselves."""
        return not (self.listed or self.optimal)

    def rows(self) -> Iterator[Row]:
        """Optimal summaries if asked for; else pyramids, and with few of them their tiers and SCUs."""
        if self.optimal:
            yield from self.optimal
            yield from self.optimal_summaries
            return
        yield from self.difficulties
        if not self.listed:
            for one in self.pyramids:
                yield from one.tiers
            for one in self.pyramids:
                yield from one.scus

    def main_record(self) -> str:
        """What CSV holds."""
        if self.optimal:
            return "pyramid-optimal-summary"
        return "pyramid-topic" if self.listed else "pyramid-scu"

    def tables(self) -> list[Table]:
        """The same as tables."""
        if self.optimal:
            return [
                table_of(self.optimal, _OPTIMAL, title="Optimal summaries", heads=2, notes=notes_of(self.optimal)),
                *map(self._summaries, self.optimal),
            ]
        if self.listed:
            return [self.difficulty_table()]
        return [table for place in range(len(self.pyramids)) for table in self._pyramid(place)]

    def difficulty_table(self) -> Table:
        """How far references agree, the lowest consensus first."""
        notes = (
            "Lowest consensus first. By tier: number of SCUs of each weight, from the top. Consensus: mean weight of "
            "the SCUs in an optimal summary of X′ SCUs (the mean number of SCUs in a reference), divided by the number "
            "of references. Scores: mean modified scores; a reference is scored with the others.",
            *notes_of(self.difficulties),
        )
        several = len({one.annotator for one in self.difficulties}) > 1
        return table_of(
            self.difficulties,
            [column for column in _TOPIC if several or column.key != "annotator"],
            record="pyramid-topic",
            title="Pyramids by consensus among references",
            heads=3 if several else 2,
            sentences=self._hardest(),
            notes=notes,
        )

    def _hardest(self) -> tuple[str, ...]:
        """Which topics are the hardest and the easiest."""
        there = [one for one in self.difficulties if one.scus]
        if len({one.topic for one in there}) < 2:
            return ()
        hard, easy = there[0], there[-1]
        if hard.consensus < easy.consensus:
            shares = f"{percent(hard.consensus)} of the references for {hard.topic} and {percent(easy.consensus)} for"
            return (
                f"The references agree least on {hard.topic} and most on {easy.topic}: in an optimal summary, the "
                f"average SCU appears in {shares} {easy.topic}.",
            )
        if hard.peers_mean < easy.peers_mean:
            scores = f"{hard.peers_mean:.2f} and {easy.peers_mean:.2f}"
            return (f"Mean modified scores are lowest on {hard.topic} and highest on {easy.topic}: {scores}.",)
        return ()

    def _pyramid(self, place: int) -> Iterator[Table]:
        one = self.pyramids[place]
        about = self.name(one)
        if self.difficulties:
            hard = self.difficulties[place]
            title, said, notes = f"{about}: consensus", hard.sentences(), notes_of([hard])
            yield table_of([hard], _TOPIC, title=title, heads=3, sentences=said, notes=notes, about=about)
        tiers, said = f"{about}: tiers", one.sentences()
        yield table_of(one.tiers, _TIER, record="pyramid-tier", title=tiers, sentences=said, about=about)
        yield self.scu_table(one)

    def scu_table(self, one: Diagnosis) -> Table:
        """The SCUs of a pyramid, heaviest first."""
        about = self.name(one)
        return table_of(one.scus, _SCU, record="pyramid-scu", title=f"{about}: SCUs", heads=2, about=about)

    def name(self, pyramid: Diagnosis) -> str:
        """The topic of a pyramid and whose summary is looked at; the annotator only where there are several."""
        return pyramid.name(annotated=len({one.annotator for one in self.pyramids}) > 1)

    def _summaries(self, best: Optimal) -> Table:
        key = (best.topic, best.annotator, best.models)
        own = [one for one in self.optimal_summaries if (one.topic, one.annotator, one.models) == key]
        more = best.count - len(own)
        return table_of(
            own,
            [Column("scus", "SCUs", of=lambda one: ", ".join(map(str, one.uids)))],
            record="pyramid-optimal-summary",
            title=f"{best.topic} ({' '.join(best.models)}): optimal summaries of {counted(best.X, 'SCU')}",
            about=best.topic,
            notes=(f"{more:,} more: raise `limit=` to list them.",) if more else (),
        )


def _models(row: Difficulty | ScuStanding | Optimal) -> str:
    return " ".join(row.models)


_TOPIC = columns_of(
    "topic",
    "annotator",
    Column("of_models", "references", of=_models),
    Column("scus", "SCUs"),
    Column("by_tier", "by tier", of=lambda row: " ".join(map(str, row.tiers))),
    Column("mean_weight", digits=2),
    Column("singletons", "share in one reference only", digits=2),
    Column("x_average", "X′"),
    Column("max_average", "Max(X′)"),
    Column("consensus", digits=3),
    Column("models_mean", "mean score of references", digits=3),
    Column("peers_mean", "mean score of summarizers", digits=3),
    Column("peers", "summarizers"),
)
_SHARES = (Column("share", digits=3), "cumulative_present", Column("cumulative_share", digits=3))
_TIER = ("weight", "scus", "cumulative_scus", "present", *_SHARES)
_SCU = (
    "uid",
    "weight",
    "label",
    Column("contributing", "references", of=_models),
    "present",
    "mentions",
    Column("expressed", "summarizers that express it"),
    Column("peers", "summarizers"),
)
_SIZES = (Column("of_models", "references", of=_models), "X", Column("max", "Max(X)"))
_OPTIMAL = ("topic", "annotator", *_SIZES, "lowest_tier", "taken_from_it", "count")


def show_pyramids(campaigns: Sequence[Campaign], options: PyramidShowOptions | None = None) -> PyramidView:
    """Pyramids as they are: several topics with how hard they are, one topic with its SCUs, a summarizer's share."""
    options = options or PyramidShowOptions()
    users = most_used if options.summarizer is None else list
    whole = [
        one for topic in chosen_topics(campaigns, options) for one in users(gather(topic, annotator=options.annotator))
    ]
    if not whole:
        raise InputError("the data has no pyramid; `pyramidion describe` shows what it has")
    found = [sub for one in whole for sub in _sub_pyramids(one, options)]
    if not found:
        raise InputError("no pyramid has enough models for sub-pyramids of this order; choose a smaller `order=`")
    if options.optimal is not None:
        return _optimal(found, options.optimal, options.limit)
    if options.summarizer is not None:
        return PyramidView(
            pyramids=tuple(diagnose(one, options.summarizer) for one in _with_peer(found, options.summarizer))
        )
    listed = len({one.topic for one in found}) > 1 or len(found) > len(whole)
    rated = [(difficulty(one), one) for one in found]
    if listed:
        rated.sort(key=lambda pair: pair[0].hardness)
    return PyramidView(
        pyramids=tuple(diagnose(one) for _, one in rated),
        difficulties=tuple(hard for hard, _ in rated),
        listed=listed,
    )


def _sub_pyramids(one: Annotated, options: PyramidShowOptions) -> list[Annotated]:
    models = one.incidence.models
    chosen: list[tuple[str, ...]] = [models]
    if options.model:
        chosen = [tuple(model for model in models if model in options.model)]
    elif options.order is not None or options.jackknife:
        order = options.order or len(models) - 1
        if (number := comb(len(models), order)) > MOST_SHOWN:
            raise UsageError(
                f"topic {one.topic}: {len(models)} models have {number:,} sub-pyramids of order {order}, too many to "
                "show; `pyramidion study orders` samples them"
            )
        chosen = list(combinations(models, order))
    return [replace(one, incidence=one.incidence.sub_pyramid(some)) for some in chosen if some]


def _with_peer(found: Sequence[Annotated], peer: str) -> list[Annotated]:
    known = [name for one in found for name in one.incidence.peers]
    check_known(peer, known, f"{mention('summarizer', peer)}: was not annotated")
    return [one for one in found if peer in one.incidence.peers]


def _optimal(found: Sequence[Annotated], size: int, limit: int) -> PyramidView:
    counts: list[Optimal] = []
    summaries: list[OptimalSummary] = []
    pyramids: list[Diagnosis] = []
    for one in found:
        incidence, pyramid = one.incidence, diagnose(one)
        weights = incidence.weights(incidence.everyone)[0]
        key: dict[str, Any] = {"topic": one.topic, "annotator": pyramid.annotator, "models": incidence.models}
        best = optimal(weights, size, order=len(incidence.models), **key)
        counts.append(best)
        summaries += [
            OptimalSummary(X=size, uids=uids, **key)
            for uids in optimal_summaries(weights, incidence.uids, size, limit=limit)
        ]
        marked = tuple(replace(scu, optimal=best.place_of(scu.weight)) for scu in pyramid.scus)
        pyramids.append(replace(pyramid, scus=marked))
    return PyramidView(pyramids=tuple(pyramids), optimal=tuple(counts), optimal_summaries=tuple(summaries))
