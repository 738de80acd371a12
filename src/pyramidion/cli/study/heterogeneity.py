"""`pyramidion study heterogeneity`: how diverse measures are, and what they are worth together (paper 001)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from pyramidion.cli import options as o
from pyramidion.cli.output import emit, note, writing
from pyramidion.cli.scoring import score_data
from pyramidion.cli.study import shared
from pyramidion.errors import UsageError

if TYPE_CHECKING:
    from pyramidion.studies import HeterogeneityStudy, MeasureAuc


def heterogeneity(
    data: o.Data,
    with_: Annotated[
        str | None, typer.Option("--with", help="What counts as quality, such as question.overall.", show_default=False)
    ] = None,
    measures: o.Measures = None,
    scope: Annotated[
        o.Pairs, typer.Option("--pairs", help="Estimate heterogeneity on pairs of one topic, or of any two summaries.")
    ] = o.Pairs.topic,
    sample: Annotated[
        int | None, typer.Option("--sample", min=1, help="Draw so many pairs for it (the paper: 10000); else all.")
    ] = None,
    worst: Annotated[float, typer.Option("--worst", help="Per cent of topics that robustness looks at.")] = 10.0,
    bins: Annotated[int, typer.Option("--bins", min=2, help="Of pairs sorted by heterogeneity.")] = 100,
    format: o.FormatOption = o.Format.table,
    where: o.Where = None,
    peers: o.PeersOption = o.Peers.systems,
    figure: o.Figure = None,
    scores: o.Scores = None,
    seed: o.Seed = 0,
    strict: o.Strict = False,
    quiet: o.Quiet = False,
) -> None:
    """Heterogeneity of measures, AUC of each and of their combination HBR, robustness over the worst topics.

    Without -m: ROUGE-1, -2, -L and -SU4 by recall, precision and F.

    Example: pyramidion study heterogeneity demo --with question.overall-responsiveness
    """
    from pyramidion.measures.hbr import DEFAULT_COLUMNS
    from pyramidion.measures.registry import column, select_all
    from pyramidion.studies import study_heterogeneity

    shared.check(figure, data, scores)
    (given,) = shared.given_with([with_] if with_ else None)
    quality = column(given)
    if not 0 < worst <= 100:
        raise UsageError(f"--worst {worst:g}: expected a percentage above 0 and up to 100, such as 10")
    wanted = None
    if measures or not shared.holds_scores(data):
        wanted = [*(selection.name for selection in select_all(measures or DEFAULT_COLUMNS)), quality]
    table = score_data(data, wanted, where=where, peers=peers, scores=scores, seed=seed, strict=strict, quiet=quiet)
    study = study_heterogeneity(
        table, quality, scope=scope.value, sample=sample, seed=seed, worst=worst / 100, bins=bins
    )
    _print(study, format)
    if figure is not None:
        from pyramidion.reports import write_heterogeneity

        with writing(figure):
            write_heterogeneity(study, figure)
        note(f"figure: {figure}", quiet=quiet)


def _print(study: HeterogeneityStudy, format: o.Format) -> None:
    if format is o.Format.csv:  # one table
        emit([record for record in _records(study) if record["record"] == "auc"], format)
        return
    if format is o.Format.json:
        emit(_records(study), format)
        return
    emit(
        [_row(one, study) for one in study.aucs],
        format,
        title=f"AUC against {study.quality}, and mean rank over the worst {study.worst:.0%} of topics",
        below=" ".join(
            [
                "AUC: how often a measure agrees which of two summaries is better, mean over topics; pooled: over the "
                "pairs of all topics.",
                f"Consistent: AUC on the {study.consistent} of {study.topics} topics where every measure has AUC > ½.",
                "t and p: paired test HBR − measure over topics.",
                *shared.said_of(study.notes, [*study.measures, study.quality]),
            ]
        ),
    )
    widest = [one for one in study.sets if len(one.measures) != 2 or len(study.measures) <= 2]
    drawn = f"{study.sample} drawn pairs" if study.sample else f"{study.pairs} pairs"
    left_out = f"; {study.left_out} pairs lack a value and are left out" if study.left_out else ""
    correlation = "undefined" if study.bin_correlation is None else f"{study.bin_correlation:.3f}"
    emit(
        [{"measures": ", ".join(one.measures), "heterogeneity": one.value} for one in widest],
        format,
        title=f"Heterogeneity: share of pairs on which two measures of a set contradict each other ({drawn}{left_out})",
        below=f"Pearson of heterogeneity and P(Q(s) ≥ Q(s′)) over {len(study.bins)} bins of pairs: {correlation}",
    )


def _row(one: MeasureAuc, study: HeterogeneityStudy) -> dict[str, Any]:
    return {
        "rank": one.rank,
        "measure": "HBR" if one.measure == study.hbr else one.measure,
        "AUC": one.auc,
        "pooled": one.pooled,
        "robustness": one.robustness,
        "robustness rank": one.robustness_rank,
        "consistent": one.on_consistent_topics,
        "t": one.t,
        "p": "< 0.00001" if one.p is not None and one.p < 0.00001 else one.p,
        "topics": one.n,
    }


def _records(study: HeterogeneityStudy) -> list[dict[str, Any]]:
    records: list[dict[str, Any]] = [
        {
            "record": "auc",
            "measure": one.measure,
            "auc": one.auc,
            "robustness": one.robustness,
            "rank": one.rank,
            "robustness_rank": one.robustness_rank,
            "pooled": one.pooled,
            "consistent": one.on_consistent_topics,
            "t": one.t,
            "p": one.p,
            "n": one.n,
            "undefined": one.undefined,
            "with": study.quality,
            "seed": study.seed,
            **shared.note_of(
                study.notes, [*(study.measures if one.measure == study.hbr else [one.measure]), study.quality]
            ),
            **_reason(one, study),
        }
        for one in study.aucs
    ]
    records += [
        {
            "record": "heterogeneity",
            "measures": list(one.measures),
            "value": one.value,
            "pairs": one.pairs,
            "left_out": study.left_out,
            "seed": study.seed,
            **({"reason": "there is no pair of summaries"} if one.value is None else {}),
        }
        for one in study.sets
    ]
    records += [{"record": "bin", "h": one.h, "probability": one.probability, "n": one.n} for one in study.bins]
    records.append(
        {
            "record": "topics",
            "consistent": study.consistent,
            "n": study.topics,
            "worst": study.worst,
            "bin_correlation": study.bin_correlation,
            **({"reason": "the bins do not vary"} if study.bin_correlation is None else {}),
        }
    )
    return records


def _reason(one: MeasureAuc, study: HeterogeneityStudy) -> dict[str, str]:
    if one.auc is None:
        return {"reason": "no topic has two summaries of different quality that both have a value"}
    if one.measure == study.hbr:
        return {"reason": "HBR is not tested against itself"}
    if one.t is None or one.on_consistent_topics is None or one.robustness is None:
        return {"reason": "too few topics, or no difference from HBR, or no consistent topic"}
    return {}
