"""How far assessors agree with each other: Krippendorff's α of each question, and pairs of assessors."""

from __future__ import annotations

import math
from dataclasses import replace

from pyramidion.reports.context import Context
from pyramidion.reports.figures.judgments import draw_alphas
from pyramidion.reports.section import Column, Figure, Section, Table
from pyramidion.reports.sections.studied import capital, listed
from pyramidion.reports.wording import noted, with_interval
from pyramidion.statistics.agreement import AlphaMetric
from pyramidion.studies.judgments.agreement import JudgmentAgreement, QuestionAlpha, judgment_agreement
from pyramidion.wording import defined

RELIABLE, TENTATIVE = 0.8, 0.667
"""Krippendorff (2004): rely on α ≥ .800; draw tentative conclusions where α ≥ .667."""
MOST_PAIRS = 100
MOST_RESAMPLES = 500
METRIC: AlphaMetric = "ordinal"
"""Of the sentences and the figure: answers are steps of a scale."""


def make(context: Context) -> Section | None:
    """α with its interval and what it means, and pairs; None where no summary was judged twice."""
    if not context.campaign.judgments:
        return None
    resamples = min(context.resamples, MOST_RESAMPLES)
    found = judgment_agreement(context.campaign, confidence=context.confidence, resamples=resamples, seed=context.seed)
    told = [one for one in found.alphas if one.alpha.metric == METRIC and not one.alpha.reason]
    if not any(one.alpha.units for one in found.alphas):
        return None
    notes = [f"{capital(found.note)}."] if found.note else []
    if len(found.pairs) > MOST_PAIRS:
        notes.append(
            f"Of {len(found.pairs)} pairs of assessors and questions the {MOST_PAIRS} with most summaries in common "
            "are shown."
        )
    return Section(
        id="agreement",
        title="Agreement of assessors",
        sentences=tuple(_in_words(found, told)),
        blocks=(*([_figure(found, told)] if told else []), _alpha_table(found), *_pair_table(found)),
        commands=(
            replace(context, peers="systems", scores=None).command(
                "judgments agreement",
                f"--confidence {context.confidence:g} --resamples {resamples} --seed {context.seed}",
                measures=(),
            ),
        ),
        notes=tuple(notes),
    )


def _in_words(found: JudgmentAgreement, told: list[QuestionAlpha]) -> list[str]:
    if not told:
        return ["Summaries were judged by two assessors, but every answer is the same: no disagreement was possible."]
    units = sorted({one.alpha.units for one in told})
    on = f"{units[0]}" if len(units) == 1 else f"{units[0]} to {units[-1]}"
    ranked = sorted(told, key=lambda one: -one.alpha.value)
    best, worst = ranked[0], ranked[-1]
    said = [
        f"On the {on} summaries that two assessors or more judged, they agree best on {best.question}: "
        f"α {_alpha(best, found.confidence)}."
        if len(told) > 1
        else f"On the {on} summaries that two assessors or more judged, α of {best.question} is "
        f"{_alpha(best, found.confidence)}."
    ]
    if len(told) > 1:
        same = f"{100 * worst.pair_agreement:.0f} % of pairs of answers are equal"
        said.append(f"They agree least on {worst.question}: α {_alpha(worst)}; {same}.")
    said.append(
        "α is 1 when all agree and 0 when answers to one summary are no more alike than answers drawn at random."
    )
    said += _levels(ranked)
    if prevailing := [one.question for one in ranked if _is_prevailing(one)]:
        said.append(
            f"Most answers to {listed(prevailing)} are equal and α is low all the same: one answer prevails, so that "
            "equal answers are what chance would bring too."
        )
    return said


def _levels(ranked: list[QuestionAlpha]) -> list[str]:
    """Where the whole interval lies, by the custom of the field; what lies across a limit is left open."""
    high = [one.question for one in ranked if _lower(one) >= RELIABLE]
    middle = [one.question for one in ranked if TENTATIVE <= _lower(one) < RELIABLE]
    low = [one.question for one in ranked if _upper(one) < TENTATIVE]
    others = [one.question for one in ranked if one.question not in (*high, *middle, *low)]
    parts = [
        f"{where} for {listed(questions)}"
        for where, questions in (
            ("lies above 0.8", high),
            ("lies above 0.667", middle),
            ("lies below 0.667", low),
            ("is too wide to say", others),
        )
        if questions
    ]
    return [
        "By a custom of the field (Krippendorff 2004) answers can be relied on from 0.8, and allow tentative "
        f"conclusions from 0.667. Here the interval of α {'; it '.join(parts)}."
    ]


def _lower(one: QuestionAlpha) -> float:
    """The lower limit; without one nothing is claimed."""
    return -math.inf if math.isnan(one.alpha.lower) else one.alpha.lower


def _upper(one: QuestionAlpha) -> float:
    return math.inf if math.isnan(one.alpha.upper) else one.alpha.upper


def _is_prevailing(one: QuestionAlpha) -> bool:
    """Whether α is low although most pairs of answers are equal."""
    return one.alpha.value < 0.5 and one.pair_agreement >= 2 / 3


def _alpha(one: QuestionAlpha, confidence: float | None = None) -> str:
    return with_interval(one.alpha.value, defined(one.alpha.lower), defined(one.alpha.upper), confidence=confidence)


def _figure(found: JudgmentAgreement, told: list[QuestionAlpha]) -> Figure:
    values = "; ".join(f"{one.question} {_alpha(one)}" for one in told)
    return Figure(
        id="agreement-alpha",
        caption=noted(
            f"Krippendorff’s α ({METRIC}) with {found.confidence:g} % intervals; broken lines at 0.667 and 0.8",
            found.note,
        ),
        alt=f"Dots with intervals: {values}.",
        chart=draw_alphas(replace(found, alphas=tuple(told)), landmarks=(TENTATIVE, RELIABLE)),
    )


def _alpha_table(found: JudgmentAgreement) -> Table:
    reasons = dict.fromkeys(f"{one.question}: {one.alpha.reason}." for one in found.alphas if one.alpha.reason)
    return Table(
        id="agreement-alpha-table",
        caption=noted("Krippendorff’s α by question and metric", found.note),
        columns=(
            Column(name="question", align="left"),
            Column(name="metric", align="left"),
            Column(name="α", digits=3),
            Column(name="lower", digits=3),
            Column(name="upper", digits=3),
            Column(name="summaries"),
            Column(name="assessors"),
            Column(name="equal answers, %", digits=1),
        ),
        rows=[
            [
                one.question,
                one.alpha.metric,
                defined(one.alpha.value),
                defined(one.alpha.lower),
                defined(one.alpha.upper),
                one.alpha.units,
                one.assessors,
                _per_cent(one.pair_agreement),
            ]
            for one in found.alphas
        ],
        header_columns=2,
        below=" ".join(
            [
                f"{found.confidence:g} % percentile intervals from {found.resamples} resamples of {found.over}, "
                f"seed {found.seed}.",
                *reasons,
            ]
        ),
    )


def _pair_table(found: JudgmentAgreement) -> list[Table]:
    if not found.pairs:
        return []
    most = sorted(found.pairs, key=lambda pair: -pair.agreement.n)[:MOST_PAIRS]
    shown = [pair for pair in found.pairs if pair in most]
    return [
        Table(
            id="agreement-pairs",
            caption=noted("Pairs of assessors on the summaries that both judged", found.note),
            columns=(
                Column(name="question", align="left"),
                Column(name="a", align="left"),
                Column(name="b", align="left"),
                Column(name="equal, %", digits=1),
                Column(name="at most 1 apart, %", digits=1),
                Column(name="mean of a − b", digits=2),
                Column(name="Pearson", digits=3),
                Column(name="summaries"),
            ),
            rows=[
                [
                    pair.question,
                    pair.first or "(no name)",
                    pair.second or "(no name)",
                    _per_cent(pair.agreement.exact),
                    _per_cent(pair.agreement.within_one),
                    defined(pair.agreement.difference),
                    defined(pair.agreement.pearson),
                    pair.agreement.n,
                ]
                for pair in shown
            ],
            header_columns=3,
            below="a − b below 0: a is the stricter of the two.",
        )
    ]


def _per_cent(share: float) -> float | None:
    return None if math.isnan(share) else 100 * share
