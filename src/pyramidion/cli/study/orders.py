"""`pyramidion study orders`: how scores behave as pyramids grow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pyramidion.cli import options as o
from pyramidion.cli.output import emit, note, progress, writing
from pyramidion.cli.pyramid.data import number
from pyramidion.cli.scoring import load_data

if TYPE_CHECKING:
    from pyramidion.studies.orders import Divergence, OrdersStudy


class ScoreOption(StrEnum):
    """Which pyramid score is studied."""

    original = "original"
    modified = "modified"


class OrdersRecord(StrEnum):
    """Kinds of rows."""

    divergence = "divergence"
    separation = "separation"
    error = "error"
    ranking = "ranking"
    summary = "summary"
    range = "range"
    scus = "scus"
    optimal = "optimal"
    human = "human"
    annotation = "annotation"
    anova = "anova"


TITLES = {
    OrdersRecord.divergence: "Divergence: the order from which on pairs are told apart by every pyramid",
    OrdersRecord.separation: "Divergent pairs that are separated, by order",
    OrdersRecord.error: "Errors of comparing two summaries by smaller pyramids (table 3)",
    OrdersRecord.ranking: "Rankings beside that by all others (tables 4 and 5)",
    OrdersRecord.summary: "Summaries (table 2)",
    OrdersRecord.range: "Least, mean and greatest score by order (figure 3)",
    OrdersRecord.scus: "Distinct SCUs by order, mean over pyramids",
    OrdersRecord.optimal: "Optimal summaries with as many SCUs as a model has (figure 2)",
    OrdersRecord.human: "Humans by topic (figure 1)",
    OrdersRecord.annotation: "Scores across annotations (table 1)",
    OrdersRecord.anova: "Analysis of variance across annotations (table 1)",
}
FEW = {
    OrdersRecord.divergence: ("models", "pairs", "divergent", "lasting_mean", "lasting_never", "first_mean", "merging"),
    OrdersRecord.error: ("models", "order", "p1", "p2", "p3", "p", "data_points"),
    OrdersRecord.ranking: ("by", "models", "order", "ranked", "mean", "n", "undefined", "critical", "share"),
    OrdersRecord.summary: ("topic", "summarizer", "see", "order", "subset", "average", "others"),
}
"""What people are shown of long rows."""
LONG = (OrdersRecord.range, OrdersRecord.human, OrdersRecord.separation)
"""Not shown to people unless they ask: long, or in a figure."""

Names = Annotated[
    list[str] | None,
    typer.Option("--subset", help="The named subset of table 2: A,B,C,D, or TOPIC=A,B,C,D; several times."),
]
RankedNames = Annotated[
    list[str] | None,
    typer.Option("--ranked", help="Whose summaries are ranked: A,B,C, or TOPIC=A,B,C; several times. Default: drawn."),
]


def orders(
    data: o.Data,
    format: o.FormatOption = o.Format.table,
    only: Annotated[
        list[OrdersRecord] | None, typer.Option("--only", help="Only rows of this kind; give several times.")
    ] = None,
    score: Annotated[ScoreOption, typer.Option("--score", help="Which pyramid score.")] = ScoreOption.original,
    divergent: Annotated[float, typer.Option("--divergent", help="Scores that differ by more diverge.")] = 0.1,
    same: Annotated[float, typer.Option("--same", help="Scores that differ by less are the same.")] = 0.06,
    level: Annotated[float, typer.Option("--level", help="Of the one-sided test of rankings.")] = 0.05,
    order: Annotated[
        int, typer.Option("--order", min=1, help="Table 2: the order that is averaged over where no subset is named.")
    ] = 3,
    count: Annotated[
        int | None,
        typer.Option("--count", help="How many summaries are ranked. Default: 5, or half of smaller sets."),
    ] = None,
    ranked: RankedNames = None,
    subset: Names = None,
    annotator: Annotated[
        str | None, typer.Option("--annotator", help="Whose pyramids, where topics have several. Default: the first.")
    ] = None,
    include_self: Annotated[
        bool, typer.Option("--include-self", help="Table 1: score a model by the pyramid that contains it.")
    ] = False,
    limit: Annotated[
        int, typer.Option("--limit", help="Up to so many subsets of an order all are taken; above, so many drawn ones.")
    ] = 20_000,
    where: o.Where = None,
    figure: o.Figure = None,
    seed: o.Seed = 0,
    strict: o.Strict = False,
    quiet: o.Quiet = False,
) -> None:
    """Study how pyramid scores behave as pyramids grow: divergence, errors, rankings.

    Example: pyramidion study orders demo --figure orders.svg
    """
    from pyramidion.errors import UsageError
    from pyramidion.studies.orders import OrdersOptions, study_orders

    o.check_figure(figure, data)
    if count is not None and ranked:
        raise UsageError("--count, --ranked: the ranked are drawn, or they are named; give one of the two")
    campaign = load_data(data, where=where, strict=strict, quiet=quiet)
    options = OrdersOptions(
        score=score.value,
        divergent=divergent,
        same=same,
        level=level,
        order=order,
        ranked=count,
        ranked_names=_by_topic(ranked, campaign.topic_ids, "--ranked"),
        subset=_by_topic(subset, campaign.topic_ids, "--subset"),
        annotator=annotator,
        include_self=include_self,
        limit=limit,
        seed=seed,
    )
    with progress("topics studied", quiet=quiet) as advance:
        found = study_orders(campaign, options=options, progress=advance)
    for remark in found.notes:
        note(f"note: {remark}", quiet=quiet)
    _print(found, format, only)
    if figure is not None:
        from pyramidion.reports import draw_orders, write_chart

        with writing(figure):
            write_chart(draw_orders(found), figure)
        note(f"figure: {figure}", quiet=quiet)


def _by_topic(given: Sequence[str] | None, topics: Sequence[str], option: str) -> dict[str, list[str]]:
    """`A,B` and `TOPIC=A,B` as a dictionary; names without a topic are those of all topics."""
    from pyramidion.errors import UsageError

    names: dict[str, list[str]] = {}
    for one in given or []:
        before, equals, after = one.partition("=")
        topic, listed = (before, after) if equals and before in topics else ("", one)
        chosen = [name.strip() for name in listed.split(",") if name.strip()]
        if len(chosen) < 2 or len(set(chosen)) < len(chosen):
            raise UsageError(f"{option} {one}: expected two or more different summarizers, such as A,B or TOPIC=A,B")
        if topic in names:
            raise UsageError(f"{option} {one}: names are given twice for {topic or 'all topics'}")
        names[topic] = chosen
    return names


def _print(study: OrdersStudy, format: o.Format, only: Sequence[OrdersRecord] | None) -> None:
    kinds = list(only or OrdersRecord)
    if format in (o.Format.json, o.Format.csv):
        records = [record for kind in kinds for record in records_of(study, kind)]
        if format is o.Format.csv:  # one table for all kinds of rows
            records = [{"kind": record["record"], **record} for record in records]
        emit(records, format)
        return
    for kind in kinds:
        rows = list(records_of(study, kind))
        if rows and (only or kind not in LONG):
            below = dict.fromkeys(str(row["reason"]) for row in rows if row.get("reason"))
            if kind is OrdersRecord.divergence:
                below = dict.fromkeys(map(_sentence, study.divergences))
            elif kind is OrdersRecord.scus:
                rows = _by_order(rows)
            emit(
                [_shown(row, FEW.get(kind, tuple(row))) for row in rows],
                format,
                title=TITLES[kind],
                below="; ".join(below),
            )


def _shown(row: dict[str, Any], columns: Sequence[str]) -> dict[str, Any]:
    """Some columns of a row; what is not defined anywhere is then not shown at all."""
    return {key: None if row[key] != row[key] else row[key] for key in columns}


def _sentence(one: Divergence) -> str:
    """A divergence in words."""
    if not one.divergent:
        return f"no two of {one.models} models differ by more than {one.threshold:g}"
    pyramids = "every pyramid" if one.exhaustive else "every pyramid of the sample"
    said = f"{one.divergent} of {one.pairs} pairs differ by more than {one.threshold:g} by the pyramid of all others"
    if one.lasting_never < one.divergent:
        said += f"; {pyramids} tells them apart from order {one.lasting_mean:.2f} on in the mean"
    if one.lasting_never:
        said += f"; {one.lasting_never} are not told apart below order {one.models - 1}"
    if one.merging:
        said += f"; {one.merging} are told apart and merge again"
    return said


def _by_order(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """A row for each topic, a column for each order."""
    wide: dict[str, dict[str, Any]] = {}
    for row in rows:
        wide.setdefault(row["topic"], {"topic": row["topic"]})[f"order {row['order']}"] = f"{row['mean']:.2f}"
    return list(wide.values())


def records_of(study: OrdersStudy, kind: OrdersRecord) -> Iterator[dict[str, Any]]:
    """The rows of one kind."""
    for row in _ROWS[kind](study):
        yield {"record": kind.value, **row}


def _divergence(study: OrdersStudy) -> Iterator[dict[str, Any]]:
    for one in study.divergences:
        reason = "" if one.divergent else "no pair diverges"
        yield {
            "models": one.models,
            "topics": one.topics,
            "pairs": one.pairs,
            "threshold": one.threshold,
            "divergent": one.divergent,
            "lasting_mean": one.lasting_mean,
            "lasting_never": one.lasting_never,
            "first_mean": one.first_mean,
            "first_never": one.first_never,
            "merging": one.merging,
            "exhaustive": one.exhaustive,
            **({"reason": reason} if reason else {}),
        }


def _separation(study: OrdersStudy) -> Iterator[dict[str, Any]]:
    for one in study.divergences:
        for order, separated in one.separated.items():
            yield {"models": one.models, "order": order, "separated": separated, "divergent": one.divergent}


def _error(study: OrdersStudy) -> Iterator[dict[str, Any]]:
    for one in study.errors:
        lacking = [what for what, number in (("same", one.same), ("different", one.different)) if not number]
        yield {
            "models": one.models,
            "order": one.order,
            "p1": one.p1,
            "p2": one.p2,
            "p3": one.p3,
            "p": one.p,
            "q": one.q,
            "data_points": one.data_points,
            "same": one.same,
            "different": one.different,
            "e1": one.e1,
            "e2": one.e2,
            "e3": one.e3,
            "at_threshold": one.at_threshold,
            "threshold": one.threshold,
            "exhaustive": one.exhaustive,
            **({"reason": f"no pair is {' and none '.join(lacking)}"} if lacking else {}),
        }


def _ranking(study: OrdersStudy) -> Iterator[dict[str, Any]]:
    for one in study.rankings:
        reason = ""
        if one.undefined == one.n:
            reason = "all rankings are constant"
        elif one.critical.value != one.critical.value:
            reason = f"no correlation of {one.ranked} ranks is significant at {study.options.level:g}"
        yield {
            "by": one.by,
            "models": one.models,
            "topics": one.topics,
            "order": one.order,
            "ranked": one.ranked,
            "mean": one.mean,
            "n": one.n,
            "undefined": one.undefined,
            "critical": one.critical.value,
            "share": one.share,
            "method": one.critical.method,
            "level": study.options.level,
            "exhaustive": one.exhaustive,
            "seed": study.options.seed,
            **({"reason": reason} if reason else {}),
        }


def _summary(study: OrdersStudy) -> Iterator[dict[str, Any]]:
    for one in study.summaries:
        lacking = []
        if one.see != one.see:
            lacking.append("no SEE coverage")
        if one.subset != one.subset:
            lacking.append("no subset was named (--subset)")
        yield {
            "topic": one.topic,
            "summarizer": one.summarizer,
            "models": one.models,
            "see": one.see,
            "order": one.order,
            "subset": one.subset,
            "average": one.average,
            "others": one.others,
            **({"reason": "; ".join(lacking)} if lacking else {}),
        }


def _range(study: OrdersStudy) -> Iterator[dict[str, Any]]:
    for one in study.ranges:
        yield {
            "topic": one.topic,
            "summarizer": one.summarizer,
            "order": one.order,
            "minimum": one.minimum,
            "mean": one.mean,
            "maximum": one.maximum,
            "n": one.n,
            "exhaustive": one.exhaustive,
        }


def _scus(study: OrdersStudy) -> Iterator[dict[str, Any]]:
    for one in study.scus:
        yield {"topic": one.topic, "order": one.order, "mean": one.mean}


def _optimal(study: OrdersStudy) -> Iterator[dict[str, Any]]:
    for one in study.optimal:
        best = one.optimal
        yield {
            "topic": one.topic,
            "order": one.order,
            "size": best.size,
            "max": number(best.weight),
            "summaries": best.count,
        }


def _human(study: OrdersStudy) -> Iterator[dict[str, Any]]:
    for one in study.humans:
        yield {"topic": one.topic, "summarizer": one.summarizer, "measure": one.measure, "value": one.value}


def _annotation(study: OrdersStudy) -> Iterator[dict[str, Any]]:
    from pyramidion.cli.pyramid.agreement import score_rows

    for one in study.across:
        yield from score_rows(one)


def _anova(study: OrdersStudy) -> Iterator[dict[str, Any]]:
    from pyramidion.cli.pyramid.agreement import anova_row

    for one in study.across:
        yield anova_row(one)


_ROWS = {
    OrdersRecord.divergence: _divergence,
    OrdersRecord.separation: _separation,
    OrdersRecord.error: _error,
    OrdersRecord.ranking: _ranking,
    OrdersRecord.summary: _summary,
    OrdersRecord.range: _range,
    OrdersRecord.scus: _scus,
    OrdersRecord.optimal: _optimal,
    OrdersRecord.human: _human,
    OrdersRecord.annotation: _annotation,
    OrdersRecord.anova: _anova,
}
