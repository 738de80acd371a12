"""`pyramidion judgments frequencies|regression|agreement`: what assessors said, and how far they agree."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pyramidion.cli import options as o
from pyramidion.cli.judgments_records import (
    alpha_reason,
    alpha_records,
    coefficient_records,
    confusion_records,
    frequency_records,
    pair_records,
)
from pyramidion.cli.output import emit, note, progress, writing
from pyramidion.cli.scoring import load_data

if TYPE_CHECKING:
    from pyramidion.studies import (
        Confusion,
        Frequencies,
        Frequency,
        JudgmentAgreement,
        JudgmentFit,
        JudgmentRegression,
    )

app = typer.Typer(no_args_is_help=True, help="What assessors answered, what their verdicts rest on, and agreement.")


class AlphaMetrics(StrEnum):
    """Metrics of Krippendorff's α."""

    nominal = "nominal"
    ordinal = "ordinal"
    interval = "interval"


class Over(StrEnum):
    """What the bootstrap draws."""

    summaries = "summaries"
    topics = "topics"


Questions = Annotated[
    list[str] | None,
    typer.Option("--question", help="Only this question; give several times. Default: all that were answered."),
]


@app.command()
def frequencies(
    data: o.Data,
    questions: Questions = None,
    format: o.FormatOption = o.Format.table,
    where: o.Where = None,
    figure: o.Figure = None,
    strict: o.Strict = False,
    quiet: o.Quiet = False,
) -> None:
    """How often each answer was given, by kind of summarizer.

    Example: pyramidion judgments frequencies demo --figure frequencies.svg
    """
    from pyramidion.studies import judgment_frequencies

    o.check_figure(figure, data)
    campaign = load_data(data, where=where, strict=strict, quiet=quiet)
    found = judgment_frequencies(campaign, questions=questions)
    if _for_people(format):
        for question in found.questions:
            emit(_frequency_rows(found, question), format, title=_noted(question, found.note))
    else:
        emit(frequency_records(found), format)
    if figure is not None:
        from pyramidion.reports import write_frequencies

        with writing(figure):
            write_frequencies(found, figure)
        note(f"figure: {figure}", quiet=quiet)


@app.command()
def regression(
    data: o.Data,
    target: Annotated[
        str | None,
        typer.Option("--target", help="The question to explain. Default: the one called overall, else the last."),
    ] = None,
    on: Annotated[
        list[str] | None,
        typer.Option("--on", help="A question that explains it; give several times. Default: all the others."),
    ] = None,
    format: o.FormatOption = o.Format.table,
    where: o.Where = None,
    confidence: o.Confidence = 95.0,
    figure: o.Figure = None,
    strict: o.Strict = False,
    quiet: o.Quiet = False,
) -> None:
    """Regress one question on the others, for each assessor and for all of them together.

    Example: pyramidion judgments regression demo --target overall-responsiveness
    """
    from pyramidion.studies import judgment_regression

    o.check_resampling(confidence, 1)
    o.check_figure(figure, data)
    campaign = load_data(data, where=where, strict=strict, quiet=quiet)
    found = judgment_regression(campaign, target=target, on=on, confidence=confidence)
    if target is None and "overall" not in found.target.lower():
        note(f"no question is called overall: {found.target} is explained; --target names another", quiet=quiet)
    if _for_people(format):
        _print_regression(found, format)
    else:
        emit(coefficient_records(found), format)
    if figure is not None:
        from pyramidion.reports import write_coefficients

        with writing(figure):
            write_coefficients(found, figure)
        note(f"figure: {figure}", quiet=quiet)


@app.command()
def agreement(
    data: o.Data,
    questions: Questions = None,
    metrics: Annotated[
        list[AlphaMetrics] | None,
        typer.Option("--metric", help="A metric of α; give several times. Default: all three."),
    ] = None,
    confusion: Annotated[
        tuple[str, str] | None,
        typer.Option(
            "--confusion", metavar="A B", help="Also how often A gave one answer and B another.", show_default=False
        ),
    ] = None,
    confusions: Annotated[bool, typer.Option("--confusions", help="The same for all pairs of assessors.")] = False,
    over: Annotated[Over, typer.Option("--over", help="What the bootstrap draws with replacement.")] = Over.summaries,
    format: o.FormatOption = o.Format.table,
    where: o.Where = None,
    confidence: o.Confidence = 95.0,
    resamples: o.Resamples = 1000,
    seed: o.Seed = 0,
    figure: o.Figure = None,
    strict: o.Strict = False,
    quiet: o.Quiet = False,
) -> None:
    """How far assessors agree: Krippendorff's α with intervals, pairs of assessors, confusion.

    Example: pyramidion judgments agreement demo --metric ordinal
    """
    from pyramidion.statistics.agreement import ALPHA_METRICS
    from pyramidion.studies import judgment_agreement, judgment_confusions

    o.check_resampling(confidence, resamples)
    o.check_figure(figure, data)
    campaign = load_data(data, where=where, strict=strict, quiet=quiet)
    with progress("questions resampled", quiet=quiet) as advance:
        found = judgment_agreement(
            campaign,
            questions=questions,
            metrics=[metric for metric in ALPHA_METRICS if not metrics or metric in metrics],
            confidence=confidence,
            resamples=resamples,
            seed=seed,
            over=over.value,
            progress=advance,
        )
    confused = (
        judgment_confusions(campaign, pair=None if confusions else confusion, questions=questions)
        if confusion or confusions
        else []
    )
    if _for_people(format):
        _print_agreement(found, confused, format)
    else:
        records = [*alpha_records(found), *pair_records(found), *confusion_records(confused, found.note)]
        if format is o.Format.csv:  # one table for all kinds of rows
            records = [{"kind": record["record"], **record} for record in records]
        emit(records, format)
    if confusion and not confused:
        note(f"no summary was judged by both {confusion[0]} and {confusion[1]}", quiet=quiet)
    if figure is not None:
        from pyramidion.reports import write_alphas

        with writing(figure):
            write_alphas(found, figure)
        note(f"figure: {figure}", quiet=quiet)


def _for_people(format: o.Format) -> bool:
    return format in (o.Format.table, o.Format.markdown, o.Format.latex)


def _noted(title: str, *remarks: str) -> str:
    said = "; ".join(filter(None, remarks))
    return f"{title} ({said})" if said else title


def _frequency_rows(found: Frequencies, question: str) -> list[dict[str, Any]]:
    return [
        {"kind": kind, **{_value(one): f"{one.count} ({one.share:.1%})" for one in values}, "n": values[0].n}
        for kind, values in found.of(question).items()
    ]


def _value(frequency: Frequency) -> str:
    if frequency.below is None:
        return f"{frequency.value:g}"
    return f"{frequency.value:g} – {frequency.below:g}"


def _print_regression(found: JudgmentRegression, format: o.Format) -> None:
    """Every assessor's weights (Dang 2006, Table 10), then the pooled ones with their intervals (Figure 1)."""
    level = f"{found.confidence:g} %"
    rows = [_fit_row(fit) for fit in found.fits]
    reasons = dict.fromkeys(
        f"{_named(fit.assessor)}: {reason}."
        for fit in found.fits
        for reason in [fit.reason, *(one.reason for one in fit.coefficients)]
        if reason
    )
    below = " ".join([f"β, unstandardised; * its {level} interval leaves out 0.", *reasons])
    emit(rows, format, title=_noted(f"What explains {found.target}: β for each assessor", found.note), below=below)
    pooled = found.pooled
    if pooled.reason:
        return
    terms = [
        {"term": one.term, "beta": one.beta, "lower": one.lower, "upper": one.upper, "p": _p(one.p)}
        for one in pooled.coefficients
    ]
    title = f"All assessors together: {found.target}"
    emit(terms, format, title=_noted(title, f"{level} intervals, R² {pooled.r_squared:.4f}, n {pooled.n}", found.note))


def _fit_row(fit: JudgmentFit) -> dict[str, Any]:
    betas = {
        f"β {one.term}": "–" if one.beta is None else f"{one.beta:.4f}{'*' if one.significant else ''}"
        for one in fit.coefficients
    }
    r_squared = None if fit.r_squared is None else f"{fit.r_squared:.4f}"
    return {"assessor": _named(fit.assessor), **betas, "R²": r_squared, "n": fit.n}


def _p(p: float | None) -> str | None:
    return None if p is None else f"{p:.4f}" if p >= 0.0001 else "< 0.0001"


def _named(assessor: str) -> str:
    return assessor or "(no name)"


def _print_agreement(found: JudgmentAgreement, confused: Sequence[Confusion], format: o.Format) -> None:
    made = f"{found.confidence:g} % intervals: {found.resamples} resamples of {found.over}, seed {found.seed}"
    rows = [
        {
            "question": one.question,
            "metric": one.alpha.metric,
            "alpha": one.alpha.value,
            "lower": one.alpha.lower,
            "upper": one.alpha.upper,
            "summaries": one.alpha.units,
            "assessors": one.assessors,
            "pair agreement": one.pair_agreement,
        }
        for one in found.alphas
    ]
    reasons = dict.fromkeys(f"{one.question}: {alpha_reason(one.alpha)}." for one in found.alphas if one.alpha.reason)
    emit(rows, format, title=_noted("Krippendorff’s α", made, found.note), below=" ".join(reasons))
    pairs = [
        {
            "question": pair.question,
            "a": _named(pair.first),
            "b": _named(pair.second),
            "exact": pair.agreement.exact,
            "within 1": pair.agreement.within_one,
            "a − b": pair.agreement.difference,
            "pearson": pair.agreement.pearson,
            "n": pair.agreement.n,
        }
        for pair in found.pairs
    ]
    if pairs:
        emit(pairs, format, title=_noted("Pairs of assessors", found.note))
    for one in confused:
        title = f"{one.question}: {_named(one.first)} (rows) and {_named(one.second)} (columns)"
        cells = [
            {"answer": f"{value:g}", **dict(zip(map("{:g}".format, one.values), map(int, row), strict=True))}
            for value, row in zip(one.values, one.counts, strict=True)
        ]
        emit(cells, format, title=_noted(title, f"n {one.n}", found.note))
