"""`pyramidion power`: how many topics it takes to tell a difference, from the variances of a pilot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from pyramidion.cli import options as o
from pyramidion.cli.compare import PairOption
from pyramidion.cli.output import emit, note, writing
from pyramidion.cli.scoring import score_data

if TYPE_CHECKING:
    from pyramidion.studies import PowerStatement


def power(
    data: o.Data,
    difference: Annotated[
        float | None, typer.Option("--difference", help="The difference of means that is to be told.")
    ] = None,
    measures: o.Measures = None,
    power: Annotated[float, typer.Option("--power", help="Chance, in per cent, to tell it if it is there.")] = 80.0,
    topics: Annotated[
        list[int] | None, typer.Option("--topics", help="A number of topics to consider; several times.")
    ] = None,
    pair: PairOption = None,
    comparisons: Annotated[int, typer.Option("--comparisons", help="How many tests share the level (Bonferroni).")] = 1,
    format: o.FormatOption = o.Format.table,
    where: o.Where = None,
    peers: o.PeersOption = o.Peers.systems,
    confidence: o.Confidence = 95.0,
    figure: o.Figure = None,
    scores: o.Scores = None,
    seed: o.Seed = 0,
    strict: o.Strict = False,
    quiet: o.Quiet = False,
) -> None:
    """Tell how many topics show a difference, and which difference a number of topics shows; DATA is the pilot.

    Example: pyramidion power demo -m rouge-2.recall --difference 0.02
    """
    from pyramidion.studies import power_analysis

    o.check_figure(figure, data, scores)
    table = score_data(data, measures, where=where, peers=peers, scores=scores, seed=seed, strict=strict, quiet=quiet)
    statements = power_analysis(
        table,
        difference=difference,
        topics=topics or (),
        power=power,
        confidence=confidence,
        pairs=[(a, b) for a, b in pair or []],
        comparisons=comparisons,
    )
    if format in (o.Format.json, o.Format.csv):
        emit(map(_record, statements), format)
    else:
        _print_tables(statements, format, power=power)
    if figure is not None:
        from pyramidion.reports import draw_power, write_chart

        with writing(figure):
            write_chart(draw_power(statements), figure)
        note(f"figure: {figure}", quiet=quiet)


def _record(statement: PowerStatement) -> dict[str, Any]:
    record = {
        "record": "power",
        "measure": statement.measure,
        "a": statement.a or "",
        "b": statement.b or "",
        "solved": statement.solved,
        "difference": statement.difference,
        "power": statement.power,
        "alpha": statement.alpha,
        "topics": statement.topics,
        "lower": statement.lower,
        "upper": statement.upper,
        "sd": statement.sd,
        "pilot_topics": statement.pilot_topics,
    }
    said = {"note": statement.note, "reason": statement.reason}
    return {**record, **{key: text for key, text in said.items() if text}}


def _print_tables(statements: list[PowerStatement], format: o.Format, *, power: float) -> None:
    """For each measure and pair: the needed topics, then what numbers of topics tell."""
    groups: dict[tuple[str, str | None, str | None], list[PowerStatement]] = {}
    for statement in statements:
        groups.setdefault((statement.measure, statement.a, statement.b), []).append(statement)
    for (measure, a, b), group in groups.items():
        first = group[0]
        whose = f"{a} and {b}" if a and b else "any two summarizers"
        if not first.sd:
            emit([{"power": "unknown", "why": first.reason}], format, title=f"{measure}, {whose}")
            continue
        rows: dict[int, dict[str, Any]] = {}
        below: list[str] = []
        for one in group:
            if one.solved == "topics":
                below.append(_needed(one))
                continue
            row = rows.setdefault(one.topics or 0, {"topics": one.topics})
            if one.solved == "difference":
                row |= {"detectable difference": one.difference, "lower": one.lower, "upper": one.upper}
            else:
                row[f"power for {one.difference:g}"] = one.power
        below += dict.fromkeys(f"{one.reason[0].upper()}{one.reason[1:]}." for one in group if one.reason)
        below = [one for one in below if one]
        noted = f", {first.note}" if first.note else ""
        pilot = f"standard deviation of differences {first.sd:.5g} on {first.pilot_topics} topics{noted}"
        title = f"{measure}, {whose}: least difference told with {power:g} % power ({pilot})"
        emit(list(rows.values()), format, title=title, below="\n  ".join(below))


def _needed(one: PowerStatement) -> str:
    if one.topics is None or one.power is None:
        return ""
    between = f"; {one.lower:g} to {one.upper:g} as the pilot goes" if one.lower and one.upper else ""
    return (
        f"A difference of {one.difference:g} takes {one.topics} topics to be told with {100 * one.power:g} % power at "
        f"level {one.alpha:g}{between}."
    )
