"""How far assessors agree: Krippendorff's α of each question, and pairs of assessors."""

from __future__ import annotations

from dataclasses import replace

from pyramidion.measures.names import question_in_words
from pyramidion.options import JudgmentAgreementOptions
from pyramidion.present.judgments.agreement import alpha_table, alpha_with_interval, draw_alphas, pair_table
from pyramidion.present.section import Figure, Section
from pyramidion.reports.context import Context
from pyramidion.show.wording import noted, number
from pyramidion.studies.judgments.agreement import RELIABLE, TENTATIVE, JudgmentAgreement

MOST_PAIRS = 100
FEWEST = 10
"""Summaries that the heading needs to say how far assessors agree."""
MOST_RESAMPLES = 500


def make(context: Context) -> Section | None:
    """α with its interval and what it means, and pairs; None where no summary was judged twice."""
    if not context.campaign.judgments:
        return None
    confidence, resamples = context.options.confidence, min(context.options.resamples, MOST_RESAMPLES)
    options = JudgmentAgreementOptions(confidence=confidence, resamples=resamples)
    found = context.evaluation.judgment_agreement(confidence=confidence, resamples=resamples)
    if not any(one.n for one in found.alphas):
        return None
    most = sorted(found.pairs, key=lambda pair: -pair.n)[:MOST_PAIRS]
    left = f"Of {len(found.pairs)} pairs, the {MOST_PAIRS} with the most summaries in common are shown."
    table = alpha_table(found)
    return Section(
        id="agreement",
        title="Agreement of assessors",
        finding=_finding(found),
        mark=found.note,
        sentences=table.sentences,
        blocks=(
            *([_figure(found)] if found.headline_alphas() else []),
            table,
            *([pair_table(found, [pair for pair in found.pairs if pair in most])] if most else []),
        ),
        commands=(context.evaluation.command("judgments agreement", options=options),),
        notes=(left,) if len(found.pairs) > MOST_PAIRS else (),
    )


def _finding(found: JudgmentAgreement) -> str:
    """Between which values α lies."""
    told = sorted(found.headline_alphas(), key=lambda one: -(one.alpha or 0))
    if not told:
        return ""
    best, worst = told[0], told[-1]
    if (most := max(one.n for one in told)) < FEWEST:
        return f"Too few summaries were judged by several assessors to measure agreement: {most}"
    if best is worst:
        return f"Assessors agree on {question_in_words(best.question)} with α = {number(best.alpha or 0)}"
    return (
        f"Assessors agree best on {question_in_words(best.question)} (α = {number(best.alpha or 0)}) and least on "
        f"{question_in_words(worst.question)} ({number(worst.alpha or 0)})"
    )


def _figure(found: JudgmentAgreement) -> Figure:
    told = tuple(found.headline_alphas())
    values = "; ".join(f"{one.question} {alpha_with_interval(one)}" for one in told)
    return Figure(
        id="agreement-alpha",
        caption=noted(
            f"Krippendorff's α ({told[0].metric}) with {found.confidence:g} % intervals; dashed lines at {TENTATIVE} "
            f"and {RELIABLE}",
            found.note,
        ),
        alt=f"Dots with intervals: {values}.",
        draw=lambda: draw_alphas(replace(found, alphas=told), landmarks=(TENTATIVE, RELIABLE)),
    )
