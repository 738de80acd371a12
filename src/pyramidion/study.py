"""Studies of measures and of the evaluation itself, one function each: `pyramidion.study.models("demo", with_=…)`.

Each takes what the verbs take (a path, "demo", a campaign, a data frame, dictionaries; where scores are enough, also a
score table) and returns what `pyramidion.studies` describes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:  # the rooms are imported inside, so that `pyramidion --help` stays quick
    from pyramidion import Data, Measures
    from pyramidion.campaign import Campaign, PeerChoice
    from pyramidion.scores import ScoreTable
    from pyramidion.statistics.correlation.coefficients import Coefficient
    from pyramidion.studies import GrowthStudy, HeterogeneityStudy, ModelFreeStudy, OrdersOptions, OrdersStudy

__all__ = ["heterogeneity", "model_free", "models", "orders", "topics"]

Progress = Callable[[int], None]


def models(
    data: Data,
    measures: Measures | None = None,
    *,
    with_: str | Sequence[str],
    beyond: Sequence[float] | None = None,
    coefficient: Coefficient = "pearson",
    repetitions: int = 1000,
    tolerance: float = 0.01,
    confidence: float = 95.0,
    peers: PeerChoice = "systems",
    where: Mapping[str, str] | None = None,
    seed: int = 0,
    strict: bool = False,
    progress: Progress | None = None,
) -> GrowthStudy:
    """How many models an evaluation needs: correlations with a reference by the number of models.

    Args:
        data: a campaign with models, or where to read one.
        measures: that depend on models; by default ROUGE-1, -2, -L and -SU4 recall and, with pyramids, the modified
            pyramid score.
        with_: the references: columns on the full data, or "itself" for each measure with all models.
        beyond: numbers of models to extrapolate to (infinite: the limit); by default twice as many, and the limit.
        coefficient: of correlation.
        repetitions: draws for each k.
        tolerance: how far from the full correlation is still near, for the least number of models.
        confidence: of tests and intervals, in per cent.
        peers: as in `pyramidion.score`.
        where: as in `pyramidion.score`.
        seed: of the draws.
        strict: as in `pyramidion.score`.
        progress: called with 1 for each k that is done.
    """
    import pyramidion
    from pyramidion.studies import default_measures, study_models

    campaign = _campaign(data, where, strict)
    return study_models(
        campaign,
        default_measures(campaign) if measures is None else pyramidion._listed(measures),
        _names(with_),
        peers=peers,
        beyond=beyond,
        coefficient=coefficient,
        repetitions=repetitions,
        tolerance=tolerance,
        confidence=confidence,
        seed=seed,
        progress=progress,
    )


def topics(
    data: ScoreTable | Data,
    measures: Measures | None = None,
    *,
    with_: str | Sequence[str],
    sizes: Sequence[int] | None = None,
    beyond: Sequence[float] | None = None,
    coefficient: Coefficient = "pearson",
    repetitions: int = 1000,
    tolerance: float = 0.01,
    confidence: float = 95.0,
    peers: PeerChoice = "systems",
    where: Mapping[str, str] | None = None,
    scores: str | Path | None = None,
    seed: int = 0,
    strict: bool = False,
    progress: Progress | None = None,
) -> GrowthStudy:
    """How many topics an evaluation needs: correlations with a reference by the number of topics.

    Args:
        data: a score table, or what `pyramidion.score` takes.
        measures: columns; by default those of `models`, of a score table all but the references.
        with_: the references: columns on all topics, or "itself" for each measure's own mean over all topics.
        sizes: numbers of topics, by default the paper's; those that are not below the number of all are dropped.
        beyond: numbers of topics to extrapolate to (infinite: the limit); by default twice as many, and the limit.
        coefficient: of correlation.
        repetitions: draws for each k.
        tolerance: how far from the full correlation is still near, for the least number of topics.
        confidence: of tests and intervals, in per cent.
        peers: as in `pyramidion.score`.
        where: as in `pyramidion.score`.
        scores: as in `pyramidion.score`.
        seed: of the draws.
        strict: as in `pyramidion.score`.
        progress: called with 1 for each k that is done.
    """
    from pyramidion.measures.registry import column
    from pyramidion.studies import ITSELF, default_measures, study_topics
    from pyramidion.studies.topics import SIZES

    references = [name if name == ITSELF else column(name) for name in _names(with_)]
    known = [name for name in references if name != ITSELF]
    if measures is None and not _is_scored(data):
        campaign = _campaign(data, None, strict)  # type: ignore[arg-type]  # a score table is scored
        data, measures = campaign, default_measures(campaign)
    table = _table(data, measures, known, peers=peers, where=where, scores=scores, seed=seed, strict=strict)
    asked = _columns(table, measures, leaving_out=known)
    return study_topics(
        table,
        asked,
        references,
        sizes=SIZES if sizes is None else sizes,
        beyond=beyond,
        coefficient=coefficient,
        repetitions=repetitions,
        tolerance=tolerance,
        confidence=confidence,
        seed=seed,
        progress=progress,
    )


def heterogeneity(
    data: ScoreTable | Data,
    measures: Measures | None = None,
    *,
    with_: str,
    pairs: Literal["topic", "any"] = "topic",
    sample: int | None = None,
    worst: float = 0.1,
    bins: int = 100,
    peers: PeerChoice = "systems",
    where: Mapping[str, str] | None = None,
    scores: str | Path | None = None,
    seed: int = 0,
    strict: bool = False,
) -> HeterogeneityStudy:
    """How diverse measures are, and what they are worth alone and together (HBR).

    Args:
        data: a score table, or what `pyramidion.score` takes.
        measures: columns; by default ROUGE-1, -2, -L and -SU4 by recall, precision and F, of a score table all but
            the quality.
        with_: the column that counts as quality.
        pairs: estimate heterogeneity on pairs of one topic, or of any two summaries.
        sample: number of pairs to draw for it; None: all.
        worst: share of topics that robustness looks at.
        bins: of pairs sorted by heterogeneity.
        peers: as in `pyramidion.score`.
        where: as in `pyramidion.score`.
        scores: as in `pyramidion.score`.
        seed: of the drawn pairs.
        strict: as in `pyramidion.score`.
    """
    from pyramidion.measures.hbr import DEFAULT_COLUMNS
    from pyramidion.measures.registry import column
    from pyramidion.studies import study_heterogeneity

    quality = column(with_)
    if measures is None and not _is_scored(data):
        measures = DEFAULT_COLUMNS
    table = _table(data, measures, [quality], peers=peers, where=where, scores=scores, seed=seed, strict=strict)
    return study_heterogeneity(
        table,
        quality,
        measures=_columns(table, measures, leaving_out=[quality]),
        scope=pairs,
        sample=sample,
        seed=seed,
        worst=worst,
        bins=bins,
    )


def model_free(
    data: ScoreTable | Data,
    *,
    with_: str | Sequence[str] = (),
    stems: Sequence[bool] = (True, False),
    background: str = "wordfreq",
    coefficient: Coefficient = "spearman",
    confidence: float = 95.0,
    peers: PeerChoice = "systems",
    where: Mapping[str, str] | None = None,
    scores: str | Path | None = None,
    seed: int = 0,
    strict: bool = False,
) -> ModelFreeStudy:
    """How model-free measures, their regression and ROUGE correlate with manual scores, over systems and in topics.

    Args:
        data: a score table that has the measures, or what `pyramidion.score` takes, with documents.
        with_: the manual scores; by default `pyramid.modified` and every question that is there.
        stems: whether words are stemmed: both ways by default.
        background: counts for cosines and topic words: wordfreq, or a TSV file.
        coefficient: of correlation.
        confidence: in per cent; what is left is the level at which a topic's correlation is significant.
        peers: as in `pyramidion.score`.
        where: as in `pyramidion.score`, such as {"part": "B"} for update summaries alone.
        scores: as in `pyramidion.score`.
        seed: for measures that draw.
        strict: as in `pyramidion.score`.
    """
    from pyramidion.studies import plan_model_free, study_model_free

    targets = _names(with_)
    if _is_scored(data):
        table = _table(data, None, [], peers=peers, where=where, scores=scores, seed=seed, strict=strict)
        plan = plan_model_free(table, targets, background=background, stems=stems)
    else:
        campaign = _campaign(data, where, strict)  # type: ignore[arg-type]  # a score table is scored
        plan = plan_model_free(campaign, targets, background=background, stems=stems)
        table = _table(campaign, plan.selections, [], peers=peers, where=None, scores=scores, seed=seed, strict=strict)
    return study_model_free(table, plan, coefficient=coefficient, confidence=confidence)


def orders(
    data: Data,
    *,
    options: OrdersOptions | None = None,
    where: Mapping[str, str] | None = None,
    strict: bool = False,
    progress: Progress | None = None,
) -> OrdersStudy:
    """How pyramid scores behave as pyramids grow: divergence, errors, rankings.

    Args:
        data: a campaign with pyramids, or where to read one.
        options: thresholds, named and drawn summaries, the limit above which subsets are a sample, the seed.
        where: as in `pyramidion.score`.
        strict: as in `pyramidion.score`.
        progress: called with the number of topics done since the last call.
    """
    from pyramidion.studies import study_orders

    return study_orders(_campaign(data, where, strict), options=options, progress=progress)


def _campaign(data: Data, where: Mapping[str, str] | None, strict: bool) -> Campaign:
    """The campaign, or the part of it that is asked for."""
    import pyramidion
    from pyramidion.campaign import Campaign
    from pyramidion.errors import UsageError

    campaign = data if isinstance(data, Campaign) else pyramidion.load(data, strict=strict)
    chosen = campaign.where(where or {})
    if where and not chosen.topic_ids:
        asked = ", ".join(f"{key}={value}" for key, value in where.items())
        raise UsageError(f"no topic has {asked}; `pyramidion describe` lists the attributes of topics")
    return chosen


def _is_scored(data: ScoreTable | Data) -> bool:
    """Whether the data is a table of scores, which has what it has."""
    import pyramidion
    from pyramidion.campaign import Source
    from pyramidion.scores import ScoreTable

    if isinstance(data, ScoreTable):
        return True
    source = pyramidion.source_of(data) if isinstance(data, str | Path) else None
    return isinstance(source, Source) and source.kind() == "scores"


def _table(
    data: ScoreTable | Data,
    measures: Measures | None,
    further: Sequence[str],
    *,
    peers: PeerChoice,
    where: Mapping[str, str] | None,
    scores: str | Path | None,
    seed: int,
    strict: bool,
) -> ScoreTable:
    """Scores of the measures and of further columns; of a table that is given, all of it."""
    import pyramidion
    from pyramidion.measures.derived import Derived
    from pyramidion.measures.deriving import with_derived
    from pyramidion.measures.registry import select_all
    from pyramidion.scores import ScoreTable

    wanted = None if measures is None else select_all([*pyramidion._listed(measures), *further])
    if not isinstance(data, ScoreTable):
        return pyramidion.score(data, wanted, peers=peers, where=where, scores=scores, seed=seed, strict=strict)
    return with_derived(data, [one.measure for one in wanted or () if isinstance(one.measure, Derived)])


def _columns(table: ScoreTable, measures: Measures | None, *, leaving_out: Sequence[str]) -> list[str]:
    """The columns of the measures that were asked for; without any, all others."""
    import pyramidion

    if measures is None:
        return [name for name in table.measures if name not in leaving_out]
    return list(pyramidion._columns(table, pyramidion._listed(measures)).measures)


def _names(given: str | Sequence[str]) -> list[str]:
    return [given] if isinstance(given, str) else list(given)
